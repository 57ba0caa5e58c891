//! Statements and blocks, and how to go on after a broken one.

use super::{Failed, OpenParen, Parsed, Parser};
use crate::ast::{
    Alternative, BinaryOperator, Block, Expression, ExpressionKind, Name, ObjectOperation, Span,
    Statement, StatementKind,
};
use crate::lexer::TokenKind;
use raddle_diagnostics::{Diagnostic, unquote};

impl Parser<'_> {
    /// `{ ... }`. It fails only when there is no brace at all.
    pub(super) fn block(&mut self, what: &str) -> Parsed<Block> {
        let open = self.span();
        self.open_brace(what)?;
        let statements = self.nested(|parser| Ok(parser.statements(false)))?;
        // When the brace is missing the next item follows, and can be read.
        let _ = self.close(
            TokenKind::CloseBrace,
            "`}` to close this block",
            open.clone(),
        );
        let span = self.since(open.start);
        Ok(Block { statements, span })
    }

    /// Statements up to a closing brace, or to `or` among alternatives. A lone
    /// semicolon is nothing.
    fn statements(&mut self, among_alternatives: bool) -> Vec<Statement> {
        let mut statements = Vec::new();
        let mut broken = false;
        loop {
            match self.kind() {
                TokenKind::CloseBrace | TokenKind::End => break,
                TokenKind::OrWord if among_alternatives => break,
                TokenKind::Semicolon => self.bump(),
                _ if self.begins_item() => {
                    // Either the brace of this block is missing or the item is misplaced.
                    if self.unclosed {
                        break;
                    }
                    self.misplaced_item();
                }
                // Parts that follow a broken statement probably belong to it.
                TokenKind::Else | TokenKind::OrWord if broken => self.bump(),
                TokenKind::When if broken => drop(self.condition()),
                _ => {
                    let start = self.position();
                    match self.statement() {
                        Ok(statement) => {
                            statements.push(statement);
                            broken = false;
                        }
                        Err(Failed) => {
                            self.leave_statement(start, among_alternatives);
                            broken = true;
                        }
                    }
                }
            }
        }
        statements
    }

    fn misplaced_item(&mut self) {
        let word = self.text_ahead(0);
        let what = match self.kind() {
            TokenKind::Int | TokenKind::Bool | TokenKind::Name | TokenKind::Void => "a function",
            _ => word,
        };
        let message = match what {
            "a function" => "a function cannot be declared inside a body".to_owned(),
            word => format!("`{word}` cannot stand inside a body"),
        };
        let diagnostic = Diagnostic::new(self.span(), message, "expected a statement");
        self.fail(diagnostic.help("move it out of the thread or function"));
        let start = self.position();
        if self.item().is_err() {
            self.leave_statement(start, false);
        }
    }

    /// Goes to where the next statement begins.
    fn leave_statement(&mut self, start: usize, among_alternatives: bool) {
        loop {
            match self.kind() {
                TokenKind::End | TokenKind::CloseBrace => return,
                TokenKind::Semicolon => return self.bump(),
                TokenKind::OpenBrace if self.position() > start => return,
                TokenKind::OrWord if among_alternatives && self.position() > start => return,
                _ if self.position() > start && self.on_new_line() && self.begins_statement() => {
                    return;
                }
                _ => self.bump(),
            }
        }
    }

    /// Whether the current token is a word that begins a statement or an item.
    fn begins_statement(&self) -> bool {
        use TokenKind::*;
        let word = matches!(
            self.kind(),
            If | While
                | Do
                | For
                | Break
                | Continue
                | Return
                | SkipWord
                | Synchronized
                | Atomic
                | Await
                | Choose
                | Assume
                | Assert
                | Unreachable
                | Int
                | Bool
                | Thread
        );
        word || self.kind().is_operation() || self.begins_item()
    }

    /// A statement with its label.
    pub(super) fn statement(&mut self) -> Parsed<Statement> {
        let label = self.label()?;
        let start = self.start();
        let kind = self.nested(Self::unlabelled)?;
        let span = self.since(start);
        Ok(Statement { label, kind, span })
    }

    fn label(&mut self) -> Parsed<Option<Name>> {
        let is_label = |parser: &Self| {
            let word = parser.at(TokenKind::Name) || parser.kind().is_operation();
            word && parser.peek(1) == TokenKind::Colon
        };
        if !is_label(self) {
            return Ok(None);
        }
        let label = self.name("a label")?;
        self.bump();
        while is_label(self) {
            let diagnostic = Diagnostic::new(
                self.span(),
                "a statement has only one label",
                "this is a second one",
            );
            self.fail(diagnostic.help("put `skip;` between the labels"));
            self.bump();
            self.bump();
        }
        if matches!(self.kind(), TokenKind::CloseBrace | TokenKind::OrWord) {
            let diagnostic = self.surprise("a statement after the label");
            return Err(self.fail(diagnostic.help("write `skip;` when there is nothing to do")));
        }
        Ok(Some(label))
    }

    /// The statement of an `if`, a loop or an `await`.
    fn body(&mut self) -> Parsed<Box<Statement>> {
        let statement = self.statement()?;
        if matches!(statement.kind, StatementKind::Declaration(_)) {
            let diagnostic = Diagnostic::new(
                statement.span.clone(),
                "a declaration cannot be the whole body",
                "nothing could use it",
            );
            self.complain(diagnostic.help("put braces around the body"));
        }
        Ok(Box::new(statement))
    }

    fn at_declaration(&self) -> bool {
        match self.kind() {
            TokenKind::Name => self.is_declaration(),
            _ => self.begins_type(),
        }
    }

    fn unlabelled(&mut self) -> Parsed<StatementKind> {
        match self.kind() {
            TokenKind::OpenBrace => Ok(StatementKind::Block(self.block("`{`")?)),
            // An empty body, as in `while (busy);`.
            TokenKind::Semicolon => {
                self.bump();
                Ok(StatementKind::Skip)
            }
            TokenKind::If => self.if_statement(),
            TokenKind::While => self.while_statement(),
            TokenKind::Do => self.do_statement(),
            TokenKind::For => self.for_statement(),
            TokenKind::Break => self.word(StatementKind::Break),
            TokenKind::Continue => self.word(StatementKind::Continue),
            TokenKind::SkipWord => self.word(StatementKind::Skip),
            TokenKind::Unreachable => self.word(StatementKind::Unreachable),
            TokenKind::Return => self.return_statement(),
            TokenKind::Synchronized => self.synchronized(),
            TokenKind::Atomic => {
                self.bump();
                Ok(StatementKind::Atomic(self.block("`{` after `atomic`")?))
            }
            TokenKind::Await => self.await_statement(),
            TokenKind::Choose if self.peek(1) != TokenKind::OpenParen => self.choose(),
            TokenKind::Assume => {
                let condition = self.condition()?;
                self.semicolon("this statement")?;
                Ok(StatementKind::Assume(condition))
            }
            TokenKind::Assert => self.assert_statement(),
            TokenKind::Else => Err(self.stray_else()),
            TokenKind::OrWord | TokenKind::When => Err(self.stray_alternative()),
            _ if self.at_declaration() => {
                let ty = self.ty()?;
                Ok(StatementKind::Declaration(self.variable(ty, false)?))
            }
            kind => match object_operation(kind) {
                Some(_) if self.misused.contains(&kind) && self.peek(1) != TokenKind::OpenParen => {
                    self.simple_statement()
                }
                Some(operation) => self.operation_statement(operation),
                None => self.simple_statement(),
            },
        }
    }

    fn word(&mut self, kind: StatementKind) -> Parsed<StatementKind> {
        let after = format!("`{}`", self.text_ahead(0));
        self.bump();
        self.semicolon(&after)?;
        Ok(kind)
    }

    /// `( condition )` behind a word. Whatever is wrong inside, the body that follows
    /// can be read, so that an error yields some condition.
    fn condition(&mut self) -> Parsed<Expression> {
        let word = self.text_ahead(0);
        self.bump();
        if !self.at(TokenKind::OpenParen) {
            let diagnostic = self.surprise(&format!("`(` after `{word}`"));
            let diagnostic = match &diagnostic.help {
                Some(_) => diagnostic,
                None => diagnostic.help(format!("write `{word} (...)`")),
            };
            self.fail(diagnostic);
            let condition = self.bare_condition()?;
            self.eat(TokenKind::CloseParen);
            return Ok(condition);
        }
        let open = self.open_paren();
        let condition = self.bare_condition();
        self.close_condition(condition, open)
    }

    fn close_condition(
        &mut self,
        condition: Parsed<Expression>,
        open: OpenParen,
    ) -> Parsed<Expression> {
        let condition = match condition {
            Ok(condition) => {
                let closed = self.close(TokenKind::CloseParen, "`)`", open.span.clone());
                if closed.is_ok() || self.begins_statement() {
                    return Ok(condition);
                }
                condition
            }
            Err(Failed) => stand_in(open.span.start),
        };
        self.skip_to_close_paren(&open)?;
        Ok(condition)
    }

    fn if_statement(&mut self) -> Parsed<StatementKind> {
        let condition = self.condition()?;
        // Only where it is not a label, a variable or a function of that name.
        if self.at_text("then") && (self.peek(1) == TokenKind::OpenBrace || self.is_declaration()) {
            self.expected("a statement");
            self.bump();
        }
        let then = self.body()?;
        let otherwise = match self.eat(TokenKind::Else) {
            true => Some(self.body()?),
            false => None,
        };
        Ok(StatementKind::If {
            condition,
            then,
            otherwise,
        })
    }

    fn while_statement(&mut self) -> Parsed<StatementKind> {
        let condition = self.condition()?;
        let body = self.body()?;
        Ok(StatementKind::While { condition, body })
    }

    fn do_statement(&mut self) -> Parsed<StatementKind> {
        let open = self.span();
        self.bump();
        if self.text_ahead(0) == "::" {
            return Err(self.expected("a statement after `do`"));
        }
        let body = self.body()?;
        if !self.at(TokenKind::While) {
            let diagnostic = self.surprise("`while` and the condition of the loop");
            return Err(self.fail(diagnostic.related(open, "the loop begins here")));
        }
        let condition = self.condition()?;
        self.semicolon("the loop")?;
        Ok(StatementKind::DoWhile { body, condition })
    }

    fn for_statement(&mut self) -> Parsed<StatementKind> {
        self.bump();
        if !self.at(TokenKind::OpenParen) {
            let diagnostic = self.surprise("`(` after `for`");
            self.fail(diagnostic.help("write `for (int i = 0; i < n; i++) ...`"));
            self.for_header()?;
            self.eat(TokenKind::CloseParen);
            self.body()?;
            return Err(Failed);
        }
        let open = self.open_paren();
        let header = self.for_header().and_then(|header| {
            self.expect(TokenKind::CloseParen, "`)` after the parts of `for`")?;
            Ok(header)
        });
        if header.is_err() {
            // The semicolons inside do not end the statement.
            while self.skip_to_close_paren(&open).is_err() {
                if !self.eat(TokenKind::Semicolon) {
                    return Err(Failed);
                }
            }
        }
        let body = self.body()?;
        let (first, condition, next) = header?;
        Ok(StatementKind::For {
            first,
            condition,
            next,
            body,
        })
    }

    fn for_header(&mut self) -> Parsed<ForHeader> {
        let first = match self.kind() {
            TokenKind::Semicolon => {
                self.bump();
                None
            }
            _ => {
                let start = self.start();
                let kind = match self.at_declaration() {
                    true => {
                        let ty = self.ty()?;
                        if self.at(TokenKind::Name) && self.peek(1) == TokenKind::Colon {
                            self.bump();
                            let diagnostic = self.surprise("`=` and the first value");
                            let help = "write `for (int i = 0; i < length(a); i++) ...`";
                            return Err(self.fail(diagnostic.help(help)));
                        }
                        StatementKind::Declaration(self.variable(ty, false)?)
                    }
                    false => {
                        let kind = self.simple()?;
                        self.expect(TokenKind::Semicolon, "`;` after the first part of `for`")?;
                        kind
                    }
                };
                Some(Box::new(unlabelled(kind, self.since(start))))
            }
        };
        let condition = match self.at(TokenKind::Semicolon) {
            true => None,
            false => Some(self.bare_condition()?),
        };
        self.expect(TokenKind::Semicolon, "`;` after the condition of `for`")?;
        let next = match self.at(TokenKind::CloseParen) || self.at(TokenKind::OpenBrace) {
            true => None,
            false => {
                let start = self.start();
                let kind = self.simple()?;
                Some(Box::new(unlabelled(kind, self.since(start))))
            }
        };
        Ok((first, condition, next))
    }

    fn return_statement(&mut self) -> Parsed<StatementKind> {
        self.bump();
        let bare = matches!(self.kind(), TokenKind::Semicolon | TokenKind::CloseBrace);
        let value = match bare {
            true => None,
            false => Some(self.expression()?),
        };
        self.semicolon("this statement")?;
        Ok(StatementKind::Return(value))
    }

    fn synchronized(&mut self) -> Parsed<StatementKind> {
        if matches!(self.peek(1), TokenKind::OpenBrace) {
            self.bump();
            let diagnostic = self.surprise("`(` and a lock after `synchronized`");
            self.fail(diagnostic.help("the lock is always named: `synchronized (m) { ... }`"));
            let lock = stand_in(self.start());
            let block = self.block("`{`")?;
            return Ok(StatementKind::Synchronized(lock, block));
        }
        let lock = self.condition()?;
        let block = self.block("`{` after `synchronized (...)`")?;
        Ok(StatementKind::Synchronized(lock, block))
    }

    fn await_statement(&mut self) -> Parsed<StatementKind> {
        let condition = self.condition()?;
        let body = match self.eat(TokenKind::Semicolon) {
            true => None,
            false => Some(self.body()?),
        };
        Ok(StatementKind::Await { condition, body })
    }

    fn choose(&mut self) -> Parsed<StatementKind> {
        self.bump();
        let open = self.span();
        self.open_brace("`{` or `(` after `choose`")?;
        let mut alternatives = Vec::new();
        loop {
            // An error in a guard is repaired inside of it or ends the choice.
            match self.alternative() {
                Ok(alternative) => alternatives.push(alternative),
                Err(Failed) => {
                    self.skip_to_close_brace();
                    return Err(Failed);
                }
            }
            if !self.eat(TokenKind::OrWord) {
                break;
            }
        }
        let _ = self.close(
            TokenKind::CloseBrace,
            "`or` or `}` to close this choice",
            open,
        );
        Ok(StatementKind::Choose(alternatives))
    }

    fn alternative(&mut self) -> Parsed<Alternative> {
        let start = self.start();
        let guard = match self.at(TokenKind::When) {
            true => Some(self.condition()?),
            false => None,
        };
        let before = self.position();
        let statements = self.nested(|parser| Ok(parser.statements(true)))?;
        let closed = matches!(self.kind(), TokenKind::OrWord | TokenKind::CloseBrace);
        if self.position() == before && closed {
            let diagnostic = self.surprise("a statement in this alternative");
            self.fail(diagnostic.help("write `skip;` when there is nothing to do"));
        }
        let span = self.since(start);
        Ok(Alternative {
            guard,
            statements,
            span,
        })
    }

    /// `assert(c);` or `assert(c, "message");`
    fn assert_statement(&mut self) -> Parsed<StatementKind> {
        if self.peek(1) != TokenKind::OpenParen {
            let condition = self.condition()?;
            self.semicolon("this statement")?;
            return Ok(StatementKind::Assert(condition, None));
        }
        self.bump();
        let open = self.open_paren();
        let condition = self.bare_condition();
        let mut message = None;
        if condition.is_ok() && self.eat(TokenKind::Comma) {
            if !self.at(TokenKind::Text) {
                return Err(self.expected("a string, the message of the assertion"));
            }
            message = Some(unquote(self.text_ahead(0)));
            self.bump();
        }
        let condition = self.close_condition(condition, open)?;
        if self.at(TokenKind::Colon) {
            let diagnostic = self.surprise("`;` after this statement");
            return Err(self.fail(diagnostic.help("write `assert(c, \"message\");`")));
        }
        self.semicolon("this statement")?;
        Ok(StatementKind::Assert(condition, message))
    }

    fn stray_else(&mut self) -> Failed {
        let diagnostic = Diagnostic::new(
            self.span(),
            "this `else` belongs to no `if`",
            "no `if` ends just before",
        );
        self.fail(diagnostic.help("put braces around the statements between `if` and `else`"));
        self.bump();
        Failed
    }

    fn stray_alternative(&mut self) -> Failed {
        let message = format!("`{}` stands only inside `choose`", self.text_ahead(0));
        let diagnostic = Diagnostic::new(self.span(), message, "not inside a choice");
        self.fail(diagnostic.help("write `choose { ... or when (g) ... }`"))
    }

    fn operation_statement(&mut self, operation: Operation) -> Parsed<StatementKind> {
        if self.peek(1) != TokenKind::OpenParen && self.peek(1) != TokenKind::Name {
            let _ = self.expression()?;
            return Err(self.expected("a statement"));
        }
        let kind = match operation {
            Operation::Object(operation) => {
                let [object] = self.operands()?;
                StatementKind::Operation(operation, object)
            }
            Operation::Join => {
                let [thread] = self.operands()?;
                StatementKind::Join(thread)
            }
            Operation::Send => {
                let [channel, value] = self.operands()?;
                StatementKind::Send(channel, value)
            }
        };
        self.semicolon("this statement")?;
        Ok(kind)
    }

    fn simple_statement(&mut self) -> Parsed<StatementKind> {
        let kind = self.simple()?;
        if self.at(TokenKind::OpenBrace)
            && let StatementKind::Expression(expression) = &kind
            && let ExpressionKind::Call(name, _) = &expression.kind
        {
            // `elif (c) {`, `switch (x) {`: a statement of another language.
            let diagnostic = self.surprise("`;` after this call");
            let advice = super::advice_for_type(&name.text).map(str::to_owned);
            let other = || format!("there is no statement `{}`", name.text);
            return Err(self.fail(diagnostic.help(advice.unwrap_or_else(other))));
        }
        self.semicolon("this statement")?;
        Ok(kind)
    }

    /// An assignment or an expression with an effect, without the semicolon.
    fn simple(&mut self) -> Parsed<StatementKind> {
        if matches!(self.kind(), TokenKind::Increment | TokenKind::Decrement) {
            let diagnostic = self.surprise("a statement");
            let prefix = self.peek(1) == TokenKind::Name;
            return Err(self.fail(match prefix {
                true => diagnostic.help("write the operator behind: `x++;`"),
                false => diagnostic,
            }));
        }
        if !self.begins_expression() {
            return Err(self.expected("a statement"));
        }
        let target = self.expression()?;
        if let Some(operator) = step_operator(self.kind()) {
            self.bump();
            self.check_target(&target)?;
            let value = Expression {
                kind: ExpressionKind::Number(1),
                span: self.since(target.span.end),
            };
            let operator = Some(operator);
            return Ok(StatementKind::Assign {
                target,
                operator,
                value,
            });
        }
        let Some(operator) = assignment_operator(self.kind()) else {
            self.check_effect(&target)?;
            return Ok(StatementKind::Expression(target));
        };
        self.check_target(&target)?;
        self.bump();
        let value = self.expression()?;
        if assignment_operator(self.kind()).is_some() {
            let diagnostic = Diagnostic::new(
                self.span(),
                "assignments cannot be chained",
                "a second assignment",
            );
            return Err(self.fail(diagnostic.help("write one statement for each variable")));
        }
        Ok(StatementKind::Assign {
            target,
            operator,
            value,
        })
    }

    fn begins_expression(&self) -> bool {
        use TokenKind::*;
        let value = matches!(
            self.kind(),
            Name | Number(_)
                | Text
                | True
                | False
                | Null
                | Me
                | Index
                | New
                | OpenParen
                | Minus
                | Not
                | Complement
        );
        value || self.kind().is_operation()
    }

    fn check_target(&mut self, target: &Expression) -> Parsed<()> {
        let assignable = matches!(
            target.kind,
            ExpressionKind::Name(_) | ExpressionKind::Field(..) | ExpressionKind::Element(..)
        );
        if assignable {
            return Ok(());
        }
        Err(self.complain(Diagnostic::new(
            target.span.clone(),
            "this cannot be assigned to",
            "expected a variable, an element or a field",
        )))
    }

    fn check_effect(&mut self, expression: &Expression) -> Parsed<()> {
        use ExpressionKind::*;
        let effect = matches!(
            expression.kind,
            Call(..) | Spawn(..) | Receive(_) | CompareAndSet(..) | FetchAdd(..)
        );
        if effect {
            return Ok(());
        }
        let ends = matches!(
            self.kind(),
            TokenKind::Semicolon | TokenKind::CloseParen | TokenKind::CloseBrace
        );
        if !ends && !self.on_new_line() {
            return Err(self.expected("`=` or another operator after this expression"));
        }
        let diagnostic = Diagnostic::new(
            expression.span.clone(),
            "this expression has no effect",
            "its value is not used",
        );
        let help = match &expression.kind {
            Binary(BinaryOperator::Equal, ..) => Some("assign with `=`"),
            Name(word) => super::advice_for_type(word),
            _ => None,
        };
        self.fail(match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        });
        Ok(())
    }
}

/// The three parts of a `for`.
type ForHeader = (
    Option<Box<Statement>>,
    Option<Expression>,
    Option<Box<Statement>>,
);

/// Any expression, to go on with after one that could not be read.
fn stand_in(place: usize) -> Expression {
    Expression {
        kind: ExpressionKind::Bool(true),
        span: place..place,
    }
}

fn unlabelled(kind: StatementKind, span: Span) -> Statement {
    Statement {
        label: None,
        kind,
        span,
    }
}

/// The operations that are statements.
enum Operation {
    Object(ObjectOperation),
    Join,
    Send,
}

fn object_operation(kind: TokenKind) -> Option<Operation> {
    Some(Operation::Object(match kind {
        TokenKind::Acquire => ObjectOperation::Acquire,
        TokenKind::Release => ObjectOperation::Release,
        TokenKind::Wait => ObjectOperation::Wait,
        TokenKind::Notify => ObjectOperation::Notify,
        TokenKind::NotifyAll => ObjectOperation::NotifyAll,
        TokenKind::Up => ObjectOperation::Up,
        TokenKind::Down => ObjectOperation::Down,
        TokenKind::Join => return Some(Operation::Join),
        TokenKind::Send => return Some(Operation::Send),
        _ => return None,
    }))
}

/// `++` and `--`.
fn step_operator(kind: TokenKind) -> Option<BinaryOperator> {
    match kind {
        TokenKind::Increment => Some(BinaryOperator::Add),
        TokenKind::Decrement => Some(BinaryOperator::Subtract),
        _ => None,
    }
}

/// `=` gives `Some(None)`, `+=` and the like their operator.
fn assignment_operator(kind: TokenKind) -> Option<Option<BinaryOperator>> {
    Some(match kind {
        TokenKind::Assign => None,
        TokenKind::AddAssign => Some(BinaryOperator::Add),
        TokenKind::SubtractAssign => Some(BinaryOperator::Subtract),
        TokenKind::MultiplyAssign => Some(BinaryOperator::Multiply),
        TokenKind::DivideAssign => Some(BinaryOperator::Divide),
        TokenKind::RemainderAssign => Some(BinaryOperator::Remainder),
        TokenKind::AndAssign => Some(BinaryOperator::BitAnd),
        TokenKind::OrAssign => Some(BinaryOperator::BitOr),
        TokenKind::XorAssign => Some(BinaryOperator::BitXor),
        TokenKind::ShiftLeftAssign => Some(BinaryOperator::ShiftLeft),
        TokenKind::ShiftRightAssign => Some(BinaryOperator::ShiftRight),
        _ => return None,
    })
}
