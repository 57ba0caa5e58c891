//! Expressions: precedence climbing, as in Java.

use super::{Failed, Parsed, Parser, TALLEST};
use crate::ast::{BinaryOperator, Expression, ExpressionKind, Name, Span, UnaryOperator};
use crate::lexer::TokenKind;
use raddle_diagnostics::Diagnostic;

impl Parser<'_> {
    /// Any expression.
    pub(super) fn expression(&mut self) -> Parsed<Expression> {
        self.nested(Self::connected)
    }

    /// `c ? a : b`, right associative, or what binds tighter.
    pub(super) fn conditional(&mut self) -> Parsed<Expression> {
        let condition = self.binary(0)?;
        if !self.eat(TokenKind::Question) {
            return Ok(condition);
        }
        let mut height = self.height;
        let yes = self.expression()?;
        height = height.max(self.height);
        self.expect(TokenKind::Colon, "`:` and the other value")?;
        let no = self.expression()?;
        let span = condition.span.start..no.span.end;
        let [condition, yes, no] = [condition, yes, no].map(Box::new);
        let kind = ExpressionKind::Conditional(condition, yes, no);
        self.node(kind, span, height)
    }

    /// Operators that bind at least as tight as a level; all associate to the left.
    pub(super) fn binary(&mut self, least: u8) -> Parsed<Expression> {
        let mut left = self.unary()?;
        while let Some((operator, level)) = binary_operator(self.kind()) {
            if level < least {
                break;
            }
            let height = self.height;
            self.bump();
            let right = self.nested(|parser| parser.binary(level + 1))?;
            let span = left.span.start..right.span.end;
            let kind = ExpressionKind::Binary(operator, Box::new(left), Box::new(right));
            left = self.node(kind, span, height)?;
        }
        Ok(left)
    }

    pub(super) fn unary(&mut self) -> Parsed<Expression> {
        let operator = match self.kind() {
            TokenKind::Minus => UnaryOperator::Negate,
            TokenKind::Not => UnaryOperator::Not,
            TokenKind::Complement => UnaryOperator::Complement,
            _ => {
                return match self.prefix_operator() {
                    Some(operator) => self.tight(operator),
                    None => self.postfix(),
                };
            }
        };
        let start = self.start();
        self.bump();
        let operand = self.nested(Self::unary)?;
        let span = start..operand.span.end;
        let kind = ExpressionKind::Unary(operator, Box::new(operand));
        self.node(kind, span, 0)
    }

    /// `a[i].next`
    fn postfix(&mut self) -> Parsed<Expression> {
        let mut base = self.primary()?;
        loop {
            let start = base.span.start;
            let height = self.height;
            let kind = match self.kind() {
                TokenKind::Dot => {
                    self.bump();
                    if self.peek(1) == TokenKind::OpenParen {
                        return Err(self.method(&base));
                    }
                    let field = self.field_name("the name of a field")?;
                    ExpressionKind::Field(Box::new(base), field)
                }
                TokenKind::OpenBracket => {
                    let open = self.span();
                    self.bump();
                    let index = self.expression()?;
                    self.close(TokenKind::CloseBracket, "`]` after the index", open)?;
                    ExpressionKind::Element(Box::new(base), Box::new(index))
                }
                _ => return Ok(base),
            };
            let span = self.since(start);
            base = self.node(kind, span, height)?;
        }
    }

    /// `m.wait()`, as in Java.
    fn method(&mut self, base: &Expression) -> Failed {
        let object = self.text(base.span.clone());
        let method = self.text_ahead(0);
        let call = match method {
            "lock" => format!("acquire({object})"),
            "acquire" => format!("acquire({object})`, or for a semaphore `down({object})"),
            "release" => format!("release({object})`, or for a semaphore `up({object})"),
            "unlock" => format!("release({object})"),
            "await" => format!("wait({object})"),
            "signal" => format!("notify({object})"),
            "signalAll" => format!("notifyAll({object})"),
            "start" => "spawn worker(...)".to_owned(),
            "compareAndSet" => format!("cas({object}, old, new)"),
            "getAndAdd" => format!("fetchAdd({object}, 1)"),
            "put" => format!("send({object}, ...)"),
            "take" => format!("receive({object})"),
            "size" => format!("length({object})"),
            _ => format!("{method}({object})"),
        };
        let message = "there are no methods";
        let diagnostic = Diagnostic::new(self.span(), message, "called like a method");
        self.fail(match super::advice::method(method) {
            Some(help) => diagnostic.help(help),
            None => diagnostic.help(format!("write `{call}`")),
        })
    }

    fn primary(&mut self) -> Parsed<Expression> {
        let span = self.span();
        self.height = 0;
        if let Some(quantifier) = self.quantifier() {
            return self.quantified(quantifier);
        }
        let kind = match self.kind() {
            TokenKind::Number(value) => ExpressionKind::Number(i64::from(value)),
            TokenKind::True => ExpressionKind::Bool(true),
            TokenKind::False => ExpressionKind::Bool(false),
            TokenKind::Null => ExpressionKind::Null,
            TokenKind::Me => ExpressionKind::Me,
            TokenKind::Index => ExpressionKind::Index,
            TokenKind::OpenParen => return self.parenthesised(),
            TokenKind::Name => return self.name_or_call(),
            TokenKind::New => return self.new_record(),
            TokenKind::Spawn => return self.spawn(),
            TokenKind::Text => return Err(self.misplaced_string()),
            kind if kind.is_operation() => return self.operation(),
            _ => return Err(self.expected("an expression")),
        };
        self.bump();
        self.node(kind, span, 0)
    }

    fn misplaced_string(&mut self) -> Failed {
        let callee = self.text_behind(2);
        let diagnostic = Diagnostic::new(
            self.span(),
            "a string can only be the message of an assertion",
            "not a value",
        );
        let help = super::advice_for_type(callee).unwrap_or("write `assert(x == 1, \"message\");`");
        self.fail(diagnostic.help(help))
    }

    /// The span of an expression includes its parentheses.
    fn parenthesised(&mut self) -> Parsed<Expression> {
        let open = self.span();
        self.bump();
        let bare = self.bare;
        let inner = self.expression()?;
        self.bare = bare;
        self.equals_sign_in_condition()?;
        self.close(TokenKind::CloseParen, "`)`", open.clone())?;
        let span = self.since(open.start);
        Ok(Expression { span, ..inner })
    }

    fn name_or_call(&mut self) -> Parsed<Expression> {
        let name = self.take_name();
        let start = name.span.start;
        if !self.at(TokenKind::OpenParen) {
            let span = name.span;
            return self.node(ExpressionKind::Name(name.text), span, 0);
        }
        let arguments = self.arguments()?;
        let span = self.since(start);
        let height = self.height;
        self.node(ExpressionKind::Call(name, arguments), span, height)
    }

    fn new_record(&mut self) -> Parsed<Expression> {
        let start = self.start();
        self.bump();
        if self.begins_type() && !self.at(TokenKind::Name) {
            return Err(self.expected("the name of a record"));
        }
        let name = self.name("the name of a record")?;
        // Java's empty parentheses are accepted: nothing else can be meant.
        if self.at(TokenKind::OpenParen) {
            let open = self.span();
            self.bump();
            if !self.eat(TokenKind::CloseParen) {
                let diagnostic = Diagnostic::new(
                    open,
                    "`new` takes no arguments",
                    "there are no constructors",
                );
                return Err(self.fail(diagnostic.help("assign the fields afterwards")));
            }
        } else if self.at(TokenKind::OpenBracket) {
            let diagnostic = Diagnostic::new(
                self.span(),
                "arrays are not created at run time",
                "expected a record",
            );
            return Err(self.fail(diagnostic.help("declare it with its size: `int a[3];`")));
        }
        let span = self.since(start);
        self.node(ExpressionKind::New(name), span, 0)
    }

    fn spawn(&mut self) -> Parsed<Expression> {
        let start = self.start();
        self.bump();
        let name = self.name("the name of a thread after `spawn`")?;
        if !self.at(TokenKind::OpenParen) {
            let diagnostic = self.surprise("`(` and the arguments of the thread");
            return Err(self.fail(diagnostic.help(format!("write `spawn {}()`", name.text))));
        }
        let arguments = self.arguments()?;
        let span = self.since(start);
        let height = self.height;
        self.node(ExpressionKind::Spawn(name, arguments), span, height)
    }

    /// `( a, b )`. Leaves the height of the highest argument.
    fn arguments(&mut self) -> Parsed<Vec<Expression>> {
        let open = self.span();
        self.bump();
        let mut arguments = Vec::new();
        let mut height = 0;
        if !self.eat(TokenKind::CloseParen) {
            loop {
                arguments.push(self.expression()?);
                height = height.max(self.height);
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            self.close(TokenKind::CloseParen, "`,` or `)`", open)?;
        }
        self.height = height;
        Ok(arguments)
    }

    /// An operation with a result, or a misplaced word.
    fn operation(&mut self) -> Parsed<Expression> {
        let word = self.kind();
        let start = self.start();
        if self.peek(1) != TokenKind::OpenParen {
            return self.misused_word();
        }
        let kind = match word {
            TokenKind::At => ExpressionKind::At(self.label_argument()?),
            TokenKind::Count => ExpressionKind::Count(self.label_argument()?),
            TokenKind::Choose => self.choose_number()?,
            TokenKind::Receive => ExpressionKind::Receive(self.one()?),
            TokenKind::Holds => ExpressionKind::Holds(self.one()?),
            TokenKind::Owner => ExpressionKind::Owner(self.one()?),
            TokenKind::Length => ExpressionKind::Length(self.one()?),
            TokenKind::Value => ExpressionKind::Value(self.one()?),
            TokenKind::FetchAdd => {
                let [target, amount] = self.operands()?.map(Box::new);
                ExpressionKind::FetchAdd(target, amount)
            }
            TokenKind::CompareAndSet => {
                let [target, old, new] = self.operands()?.map(Box::new);
                ExpressionKind::CompareAndSet(target, old, new)
            }
            _ => {
                let message = format!("`{}` has no value", self.text_ahead(0));
                let diagnostic = Diagnostic::new(self.span(), message, "not an expression");
                return Err(self.fail(diagnostic.help("it is a statement of its own")));
            }
        };
        let span = self.since(start);
        let height = self.height;
        self.node(kind, span, height)
    }

    /// The name of an operation without parentheses. It is reported once; a program
    /// that declares it as a variable would otherwise get an error for every use.
    fn misused_word(&mut self) -> Parsed<Expression> {
        let span = self.span();
        if !self.misused.contains(&self.kind()) {
            self.misused.push(self.kind());
            let message = format!(
                "expected `(` after `{}`, found `{}`",
                self.text_ahead(0),
                self.text_ahead(1)
            );
            let diagnostic = Diagnostic::new(span.clone(), message, "names an operation");
            let help = format!("it is used as `{}`", usage(self.kind()));
            self.fail(diagnostic.help(help));
        }
        let name = self.take_name();
        self.node(ExpressionKind::Name(name.text), span, 0)
    }

    fn label_argument(&mut self) -> Parsed<Name> {
        self.bump();
        let open = self.span();
        self.bump();
        let label = self.name("the name of a label")?;
        self.close(TokenKind::CloseParen, "`)` after the label", open)?;
        self.height = 0;
        Ok(label)
    }

    /// `choose(a..b)`
    fn choose_number(&mut self) -> Parsed<ExpressionKind> {
        self.bump();
        let open = self.span();
        self.bump();
        let low = self.expression()?;
        let height = self.height;
        if !self.at(TokenKind::DotDot) {
            let diagnostic = self.surprise("`..` and the greatest value");
            return Err(self.fail(diagnostic.help("write `choose(0..3)`")));
        }
        self.bump();
        let high = self.expression()?;
        self.height = self.height.max(height);
        self.close(TokenKind::CloseParen, "`)`", open)?;
        Ok(ExpressionKind::Choose(Box::new(low), Box::new(high)))
    }

    fn one(&mut self) -> Parsed<Box<Expression>> {
        let [operand] = self.operands()?;
        Ok(Box::new(operand))
    }

    /// An operation's word and its operands in parentheses, as many as it must have.
    pub(super) fn operands<const N: usize>(&mut self) -> Parsed<[Expression; N]> {
        let word = self.kind();
        let start = self.start();
        let text = self.text_ahead(0);
        self.bump();
        if !self.at(TokenKind::OpenParen) {
            let diagnostic = self.surprise(&format!("`(` after `{text}`"));
            return Err(self.fail(diagnostic.help(format!("write `{}`", usage(word)))));
        }
        let operands = self.arguments()?;
        let found = operands.len();
        operands.try_into().map_err(|_| {
            let plural = if N == 1 { "" } else { "s" };
            let message = format!("`{text}` takes {N} argument{plural}, found {found}");
            let diagnostic = Diagnostic::new(self.since(start), message, "called here");
            self.complain(diagnostic.help(format!("write `{}`", usage(word))))
        })
    }

    /// A finished expression on top of others whose greatest height is given, apart
    /// from the one read last.
    pub(super) fn node(
        &mut self,
        kind: ExpressionKind,
        span: Span,
        height: usize,
    ) -> Parsed<Expression> {
        self.height = self.height.max(height) + 1;
        if self.height > TALLEST {
            let message = format!("this expression has more than {TALLEST} levels");
            let diagnostic = Diagnostic::new(span, message, "too long");
            self.complain(diagnostic.help("split it into several statements"));
            return Err(self.give_up());
        }
        Ok(Expression { kind, span })
    }

    /// A condition without parentheses of its own.
    pub(super) fn bare_condition(&mut self) -> Parsed<Expression> {
        let condition = self.expression()?;
        self.equals_sign_in_condition()?;
        Ok(condition)
    }

    /// The most common slip: `=` where `==` is meant. The rest is read as if it were.
    pub(super) fn equals_sign_in_condition(&mut self) -> Parsed<()> {
        if !self.at(TokenKind::Assign) {
            return Ok(());
        }
        let diagnostic = Diagnostic::new(
            self.span(),
            "`=` assigns and has no value",
            "expected a comparison",
        );
        self.fail(diagnostic.help("compare with `==`"));
        self.bump();
        self.expression().map(drop)
    }
}

/// The operator of a token and how tight it binds.
pub(super) fn binary_operator(kind: TokenKind) -> Option<(BinaryOperator, u8)> {
    let operator = match kind {
        TokenKind::Or => BinaryOperator::Or,
        TokenKind::And => BinaryOperator::And,
        TokenKind::BitOr => BinaryOperator::BitOr,
        TokenKind::BitXor => BinaryOperator::BitXor,
        TokenKind::BitAnd => BinaryOperator::BitAnd,
        TokenKind::Equal => BinaryOperator::Equal,
        TokenKind::NotEqual => BinaryOperator::NotEqual,
        TokenKind::Less => BinaryOperator::Less,
        TokenKind::LessOrEqual => BinaryOperator::LessOrEqual,
        TokenKind::Greater => BinaryOperator::Greater,
        TokenKind::GreaterOrEqual => BinaryOperator::GreaterOrEqual,
        TokenKind::ShiftLeft => BinaryOperator::ShiftLeft,
        TokenKind::ShiftRight => BinaryOperator::ShiftRight,
        TokenKind::Plus => BinaryOperator::Add,
        TokenKind::Minus => BinaryOperator::Subtract,
        TokenKind::Star => BinaryOperator::Multiply,
        TokenKind::Slash => BinaryOperator::Divide,
        TokenKind::Percent => BinaryOperator::Remainder,
        _ => return None,
    };
    Some((operator, level(operator)))
}

/// How tight an operator binds; the formatter needs it as well.
pub(crate) fn level(operator: BinaryOperator) -> u8 {
    use BinaryOperator::*;
    match operator {
        Or => 1,
        And => 2,
        BitOr => 3,
        BitXor => 4,
        BitAnd => 5,
        Equal | NotEqual => 6,
        Less | LessOrEqual | Greater | GreaterOrEqual => 7,
        ShiftLeft | ShiftRight => 8,
        Add | Subtract => 9,
        Multiply | Divide | Remainder => 10,
    }
}

/// How an operation is written.
pub(super) fn usage(word: TokenKind) -> &'static str {
    match word {
        TokenKind::Acquire => "acquire(m)",
        TokenKind::Release => "release(m)",
        TokenKind::Wait => "wait(m)",
        TokenKind::Notify => "notify(m)",
        TokenKind::NotifyAll => "notifyAll(m)",
        TokenKind::Up => "up(s)",
        TokenKind::Down => "down(s)",
        TokenKind::Send => "send(c, 1)",
        TokenKind::Receive => "receive(c)",
        TokenKind::Join => "join(t)",
        TokenKind::CompareAndSet => "cas(x, old, new)",
        TokenKind::FetchAdd => "fetchAdd(x, 1)",
        TokenKind::Holds => "holds(m)",
        TokenKind::Owner => "owner(m)",
        TokenKind::Length => "length(c)",
        TokenKind::Value => "value(s)",
        TokenKind::At => "at(label)",
        TokenKind::Count => "count(label)",
        TokenKind::Choose => "choose(0..3)",
        _ => "spawn worker(1)",
    }
}
