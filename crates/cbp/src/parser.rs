//! Tokens to the syntax tree, by recursive descent.
//!
//! After an error the parser goes on, so that one run reports every independent mistake. The
//! [`Cursor`] keeps it from reporting their consequences as well, and whoever opens a brace looks
//! for its end.
//!
//! Beyond the grammar of Fig. 2.1 it reads what the thesis' own programs use: names that are
//! declared with blanks or commas between them, `if` without `else`, `//` comments.

use crate::ast::{
    Alternative, Assignment, Body, Condition, Expression, Name, Span, Statement, StatementKind,
    Text, Tree,
};
use crate::lexer::{self, TokenKind};
use raddle_diagnostics::{Cursor, Diagnostic, Failed, Parsed};
use std::ops::{Deref, DerefMut};

/// How deep blocks may be nested in each other, so that later passes may recurse.
pub const DEEPEST: usize = 128;

/// What came of reading a text.
pub(crate) struct Parse {
    pub(crate) tree: Tree,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Whether the tree has all that the text has, in spite of the errors.
    pub(crate) is_whole: bool,
}

/// Reads a program as well as possible.
pub(crate) fn parse(source: &str) -> Parse {
    let mut parser = Parser {
        cursor: Cursor::new(source, lexer::lex(source), |_, _| None),
        depth: 0,
    };
    let tree = parser.program();
    let (diagnostics, is_whole) = parser.cursor.conclude();
    Parse {
        tree,
        diagnostics,
        is_whole,
    }
}

struct Parser<'s> {
    cursor: Cursor<'s, TokenKind>,
    /// How many blocks the current one is nested in.
    depth: usize,
}

/// Tokens are looked at and taken, and errors reported, by the cursor.
impl<'s> Deref for Parser<'s> {
    type Target = Cursor<'s, TokenKind>;

    fn deref(&self) -> &Self::Target {
        &self.cursor
    }
}

impl DerefMut for Parser<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.cursor
    }
}

/// Declarations and thread types.
impl Parser<'_> {
    fn program(&mut self) -> Tree {
        let mut tree = Tree {
            abstraction: self.abstraction(),
            ..Tree::default()
        };
        self.section(TokenKind::Vars, "vars", &mut tree.globals);
        self.section(TokenKind::Locks, "locks", &mut tree.locks);
        self.section(TokenKind::Messages, "messages", &mut tree.messages);
        self.section(TokenKind::Threads, "threads", &mut tree.threads);
        while self.at_text("unsafe") && self.peek(1) == TokenKind::Colon {
            self.unsafe_section(&mut tree.unsafes);
        }
        let mut last: Option<Span> = None;
        while !self.at(TokenKind::End) {
            let start = self.position();
            match self.body() {
                Ok(body) => {
                    last = Some(body.end.clone());
                    tree.bodies.push(body);
                }
                Err(Failed) if self.at(TokenKind::CloseBrace) => {
                    self.surplus_brace(last.as_ref());
                }
                Err(Failed) => self.skip_body(start),
            }
        }
        tree
    }

    /// `abstraction of "file" ;`
    fn abstraction(&mut self) -> Option<Text> {
        if !self.eat_text("abstraction") {
            return None;
        }
        let read = |parser: &mut Self| {
            if !parser.eat_text("of") {
                return Err(parser.expected("`of`"));
            }
            let text = parser.string("the name of a program in quotes")?;
            parser.semicolon("the name of a program")?;
            Ok(text)
        };
        let found = read(self);
        if found.is_err() {
            self.skip_behind_semicolon();
        }
        found.ok()
    }

    fn skip_behind_semicolon(&mut self) {
        while !matches!(self.kind(), TokenKind::Semicolon | TokenKind::End) {
            self.bump();
        }
        self.bump();
    }

    fn string(&mut self, what: &str) -> Parsed<Text> {
        let span = self.span();
        self.expect(TokenKind::Text, what)?;
        let span = span.start + 1..span.end.saturating_sub(1);
        let text = self.text(span.clone()).to_owned();
        Ok(Text { text, span })
    }

    /// `word : name name, name ;`
    fn section(&mut self, kind: TokenKind, word: &str, names: &mut Vec<Name>) {
        if !self.eat(kind) {
            let diagnostic = self.surprise(&format!("`{word} :`"));
            let help = "a program begins with `vars : .. ; locks : .. ; messages : .. ; threads : .. ;`, in this order";
            self.fail(diagnostic.help(help));
            return;
        }
        // What is wrong was said; the next section or thread type tells where to go on.
        let _ = self.declared(names);
    }

    fn declared(&mut self, names: &mut Vec<Name>) -> Parsed<()> {
        self.expect(TokenKind::Colon, "`:`")?;
        while self.at(TokenKind::Name) {
            names.push(self.take_name());
            if self.eat(TokenKind::Comma) && !self.at(TokenKind::Name) {
                self.name("a name after `,`")?;
            }
        }
        if self.eat(TokenKind::Semicolon) {
            return Ok(());
        }
        let failed = self.expected("a name or `;`");
        while !self.begins_section() && !self.at(TokenKind::OpenBrace) && !self.at(TokenKind::End) {
            let is_end = self.at(TokenKind::Semicolon);
            self.bump();
            if is_end {
                break;
            }
        }
        Err(failed)
    }

    fn begins_section(&self) -> bool {
        use TokenKind::{Locks, Messages, Threads, Vars};
        matches!(self.kind(), Vars | Locks | Messages | Threads)
    }

    /// `unsafe : "a & b", "c >= 2" ;`
    fn unsafe_section(&mut self, unsafes: &mut Vec<Text>) {
        self.bump();
        self.bump();
        while let Ok(text) = self.string("a set of states in quotes") {
            unsafes.push(text);
            self.eat(TokenKind::Comma);
            if !self.at(TokenKind::Text) {
                break;
            }
        }
        if self.semicolon("the sets").is_err() {
            self.skip_behind_semicolon();
        }
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        if self.at(TokenKind::Name) {
            return Ok(self.take_name());
        }
        let word = self.text_ahead(0);
        if !word.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(self.expected(what));
        }
        let message = format!("expected {what}, found the reserved word `{word}`");
        let diagnostic = Diagnostic::new(self.span(), message, "a word of the language");
        Err(self.fail(diagnostic))
    }

    fn body(&mut self) -> Parsed<Body> {
        if self.begins_section() {
            let diagnostic = self.surprise("a thread type");
            let help = "each section is written once: `vars`, `locks`, `messages`, `threads`";
            return Err(self.fail(diagnostic.help(help)));
        }
        if self.at(TokenKind::CloseBrace) {
            return Err(Failed);
        }
        let name = self.name("the name of a thread type")?;
        let open = self.span();
        self.expect(TokenKind::OpenBrace, "`{` after the name of a thread type")?;
        let mut locals = Vec::new();
        self.section(TokenKind::Vars, "vars", &mut locals);
        let statements = self.statements(open.start)?;
        let end = self.span();
        // When the brace is missing the end of the file follows.
        let _ = self.close(
            TokenKind::CloseBrace,
            "`}` to close this thread type",
            open.clone(),
        );
        Ok(Body {
            name,
            locals,
            statements,
            end,
        })
    }

    /// A brace that closes nothing is left out, and nothing is lost by that.
    fn surplus_brace(&mut self, last: Option<&Span>) {
        let mut diagnostic = Diagnostic::new(
            self.span(),
            "this `}` closes nothing",
            "every block is closed already",
        )
        .help("remove it, or an earlier `}` that closes a block too soon");
        if let Some(last) = last {
            diagnostic = diagnostic.related(last.clone(), "this one ended the thread type");
        }
        self.report(diagnostic);
        self.bump();
    }

    /// Goes behind a thread type that could not be read.
    fn skip_body(&mut self, start: usize) {
        let mut depth = 0usize;
        loop {
            match self.kind() {
                TokenKind::End => return,
                TokenKind::OpenBrace => depth += 1,
                TokenKind::CloseBrace => depth = depth.saturating_sub(1),
                TokenKind::Name
                    if depth == 0
                        && self.position() > start
                        && self.peek(1) == TokenKind::OpenBrace =>
                {
                    return;
                }
                _ => {}
            }
            let closed = depth == 0 && self.at(TokenKind::CloseBrace);
            self.bump();
            if closed {
                return;
            }
        }
    }
}

/// Statements.
impl Parser<'_> {
    /// `{ .. }`
    fn block(&mut self) -> Parsed<Vec<Statement>> {
        let open = self.span();
        self.expect(TokenKind::OpenBrace, "`{`")?;
        if self.depth >= DEEPEST {
            let message = format!("blocks are nested more than {DEEPEST} deep");
            self.fail(Diagnostic::new(open, message, "too deep"));
            return Err(self.give_up());
        }
        self.depth += 1;
        let statements = self.statements(open.start);
        self.depth -= 1;
        let statements = statements?;
        let _ = self.close(TokenKind::CloseBrace, "`}` to close this block", open);
        Ok(statements)
    }

    /// At least one statement, up to a closing brace.
    fn statements(&mut self, open: usize) -> Parsed<Vec<Statement>> {
        let mut statements = Vec::new();
        let first = self.position();
        while !matches!(self.kind(), TokenKind::CloseBrace | TokenKind::End) {
            let start = self.position();
            match self.statement() {
                Ok(statement) => statements.push(statement),
                Err(Failed) => self.leave_statement(start),
            }
        }
        if self.position() == first && self.at(TokenKind::CloseBrace) {
            let span = open..self.span().end;
            let diagnostic = Diagnostic::new(span, "a block must not be empty", "nothing to do");
            self.fail(diagnostic.help("write `skip ;`"));
        }
        Ok(statements)
    }

    /// Goes to where the next statement begins.
    fn leave_statement(&mut self, start: usize) {
        loop {
            let moved = self.position() > start;
            match self.kind() {
                TokenKind::End | TokenKind::CloseBrace => return,
                TokenKind::Semicolon => return self.bump(),
                // The block of a broken statement is read for what it is worth.
                TokenKind::OpenBrace => {
                    let _ = self.block();
                    return;
                }
                _ if moved && self.on_new_line() => return,
                _ => self.bump(),
            }
        }
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let mut label = None;
        while self.at(TokenKind::OpenBracket) {
            if label.is_some() {
                let message = "a statement has only one label";
                let diagnostic = Diagnostic::new(self.span(), message, "this is a second one");
                self.fail(diagnostic.help("put `skip ;` between the labels"));
            }
            let open = self.span();
            self.bump();
            label = Some(self.name("a label")?);
            self.close(TokenKind::CloseBracket, "`]` after the label", open)?;
        }
        let start = self.start();
        let kind = self.unlabelled()?;
        Ok(Statement {
            label,
            kind,
            span: self.since(start),
        })
    }

    fn unlabelled(&mut self) -> Parsed<StatementKind> {
        use StatementKind as Kind;
        let word = self.text_ahead(0);
        match self.kind() {
            TokenKind::If => {
                self.bump();
                let condition = self.condition_in_parens()?;
                let then = self.block()?;
                let otherwise = match self.eat(TokenKind::Else) {
                    true => self.block()?,
                    false => Vec::new(),
                };
                Ok(Kind::If(condition, then, otherwise))
            }
            TokenKind::While => {
                self.bump();
                let condition = self.condition_in_parens()?;
                Ok(Kind::While(condition, self.block()?))
            }
            TokenKind::Choice => {
                self.bump();
                self.choice()
            }
            TokenKind::SkipWord => {
                self.bump();
                self.semicolon("`skip`")?;
                Ok(Kind::Skip)
            }
            TokenKind::Goto => self.call(|it| Ok(Kind::Goto(it.name("a label")?))),
            TokenKind::Lock => self.call(|it| Ok(Kind::Lock(it.name("a lock")?))),
            TokenKind::Unlock => self.call(|it| Ok(Kind::Unlock(it.name("a lock")?))),
            TokenKind::Wakeup => self.call(|it| Ok(Kind::Wakeup(it.name("a message")?))),
            TokenKind::WakeupAll => self.call(|it| Ok(Kind::WakeupAll(it.name("a message")?))),
            TokenKind::Sleep => self.call(|it| {
                let first = it.name("a message")?;
                it.expect(TokenKind::Comma, "`,` and a lock")?;
                Ok(Kind::Sleep(first, it.name("a lock")?))
            }),
            TokenKind::Start => self.call(|it| {
                let name = it.name("a thread type")?;
                Ok(Kind::Start(name, it.rest(Self::literal)?))
            }),
            TokenKind::Rendezvous => self.call(|it| {
                let name = it.name("a message")?;
                Ok(Kind::Rendezvous(name, it.rest(Self::expression)?))
            }),
            TokenKind::Accept => self.call(|it| {
                let name = it.name("a message")?;
                let variables = it.rest(|it| it.name("a local variable"))?;
                Ok(Kind::Accept(name, variables))
            }),
            TokenKind::Name if word == "assert" && self.peek(1) == TokenKind::OpenParen => self
                .call(|it| match it.condition()? {
                    Condition::Any => Err(it.expected("a condition other than `*`")),
                    condition => Ok(Kind::Assert(condition)),
                }),
            TokenKind::Name => {
                let assignment = self.assignment()?;
                Ok(Kind::Assign(assignment))
            }
            TokenKind::Else => {
                let diagnostic = self.surprise("a statement");
                Err(self.fail(diagnostic.help("there is no `if` that this `else` belongs to")))
            }
            _ => Err(self.expected("a statement")),
        }
    }

    /// `word ( .. ) ;`
    fn call<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let word = self.text_ahead(0);
        self.bump();
        let open = self.span();
        self.expect(TokenKind::OpenParen, &format!("`(` after `{word}`"))?;
        let result = read(self)?;
        self.close(TokenKind::CloseParen, "`)`", open)?;
        self.semicolon(&format!("`{word}`"))?;
        Ok(result)
    }

    /// `, item, item` up to a parenthesis.
    fn rest<T>(&mut self, mut read: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        while self.eat(TokenKind::Comma) {
            items.push(read(self)?);
        }
        Ok(items)
    }

    fn choice(&mut self) -> Parsed<StatementKind> {
        let open = self.span();
        self.expect(TokenKind::OpenBrace, "`{` after `choice`")?;
        let mut alternatives = Vec::new();
        while !matches!(self.kind(), TokenKind::CloseBrace | TokenKind::End) {
            let start = self.position();
            match self.alternative() {
                Ok(alternative) => alternatives.push(alternative),
                Err(Failed) => self.leave_statement(start),
            }
        }
        if alternatives.is_empty() && self.at(TokenKind::CloseBrace) {
            let span = open.start..self.span().end;
            let diagnostic = Diagnostic::new(span, "a `choice` needs an alternative", "none here");
            self.fail(diagnostic.help("write `true : x := false ;`"));
        }
        let _ = self.close(TokenKind::CloseBrace, "`}` to close this `choice`", open);
        Ok(StatementKind::Choice(alternatives))
    }

    fn alternative(&mut self) -> Parsed<Alternative> {
        let start = self.start();
        let condition = self.condition()?;
        self.expect(TokenKind::Colon, "`:` after the condition")?;
        let assignment = self.assignment()?;
        Ok(Alternative {
            condition,
            assignment,
            span: self.since(start),
        })
    }

    fn assignment(&mut self) -> Parsed<Assignment> {
        let start = self.start();
        let mut targets = vec![self.name("a variable")?];
        while self.eat(TokenKind::Comma) {
            targets.push(self.name("a variable")?);
        }
        self.expect(TokenKind::Assign, "`:=`")?;
        let mut values = vec![self.expression()?];
        while self.eat(TokenKind::Comma) {
            values.push(self.expression()?);
        }
        let span = self.since(start);
        self.semicolon("an assignment")?;
        if targets.len() != values.len() {
            let count = |n: usize, what: &str| match n {
                1 => format!("1 {what}"),
                n => format!("{n} {what}s"),
            };
            let (left, right) = (
                count(targets.len(), "variable"),
                count(values.len(), "value"),
            );
            let message = format!("{left} on the left side, but {right} on the right");
            let label = "each variable needs a value";
            self.complain(Diagnostic::new(span, message, label));
        }
        Ok(Assignment { targets, values })
    }

    fn condition_in_parens(&mut self) -> Parsed<Condition> {
        let open = self.span();
        self.expect(TokenKind::OpenParen, "`(`")?;
        let condition = self.condition()?;
        self.close(TokenKind::CloseParen, "`and` or `)`", open)?;
        Ok(condition)
    }

    fn condition(&mut self) -> Parsed<Condition> {
        if self.eat(TokenKind::Star) {
            return Ok(Condition::Any);
        }
        let mut parts = vec![self.expression()?];
        while self.eat(TokenKind::And) {
            parts.push(self.expression()?);
        }
        Ok(Condition::All(parts))
    }

    fn expression(&mut self) -> Parsed<Expression> {
        match self.kind() {
            TokenKind::True | TokenKind::False => Ok(Expression::Literal(self.literal()?)),
            kind => {
                let negated = self.eat(TokenKind::Not);
                let what = match kind {
                    TokenKind::Not => "a variable after `!`",
                    _ => "a variable, `!` and a variable, `true` or `false`",
                };
                let name = self.name(what)?;
                Ok(Expression::Variable { name, negated })
            }
        }
    }

    fn literal(&mut self) -> Parsed<bool> {
        let value = self.at(TokenKind::True);
        if !value && !self.at(TokenKind::False) {
            return Err(self.expected("`true` or `false`"));
        }
        self.bump();
        Ok(value)
    }
}
