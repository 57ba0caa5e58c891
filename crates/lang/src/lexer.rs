//! Text to tokens.

use crate::ast::Span;
use logos::{Lexer, Logos, Skip};
use raddle_diagnostics::{Diagnostic, Token};

/// Reads a whole text. The last token is always the end of the file.
pub(crate) fn lex(source: &str) -> (Vec<Token<TokenKind>>, Vec<Diagnostic>) {
    let pieces = TokenKind::lexer(source).spanned();
    let (mut tokens, diagnostics) = raddle_diagnostics::lex(source, pieces, TokenKind::End);
    free_observers(&mut tokens);
    (tokens, diagnostics)
}

/// `count`, `value` and their like are good names for variables: they are words of
/// the language only in front of a parenthesis.
fn free_observers(tokens: &mut [Token<TokenKind>]) {
    for index in 0..tokens.len().saturating_sub(1) {
        let called = tokens[index + 1].kind == TokenKind::OpenParen;
        if tokens[index].kind.is_observer() && !called {
            tokens[index].kind = TokenKind::Name;
        }
    }
}

/// The tokens. Keywords and the names of operations are reserved words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Logos)]
#[logos(error = Problem)]
#[logos(skip r"[ \t\r\n\f\u{FEFF}]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(crate) enum TokenKind {
    #[regex("[a-zA-Z_][a-zA-Z0-9_]*")]
    Name,
    #[regex("[0-9][a-zA-Z0-9_]*", number)]
    #[regex(r"[0-9]+\.[0-9]+", |_| Err(Problem::Fraction))]
    Number(u32),
    #[token("\"", text)]
    Text,
    /// Characters and directives of C: they are tokens only to get a good message.
    #[regex("'[^'\r\n]*'", |_| refused(Problem::Character))]
    #[regex("#[^\n]*", |_| refused(Problem::Directive), allow_greedy = true)]
    Refused,
    /// Comments never reach the parser.
    #[token("/*", block_comment)]
    Comment,

    #[token("const")]
    Const,
    #[token("enum")]
    Enum,
    #[token("record")]
    Record,
    #[token("granularity")]
    Granularity,
    #[token("local")]
    Local,
    #[token("daemon")]
    Daemon,
    #[token("invariant")]
    Invariant,
    #[token("property")]
    Property,
    #[token("exclusive")]
    Exclusive,
    #[token("protected")]
    Protected,
    #[token("unprotected")]
    Unprotected,
    #[token("initialised")]
    Initialised,

    #[token("void")]
    Void,
    #[token("int")]
    Int,
    #[token("bool")]
    Bool,
    #[token("lock")]
    Lock,
    #[token("semaphore")]
    Semaphore,
    #[token("channel")]
    Channel,
    #[token("thread")]
    Thread,

    #[token("if")]
    If,
    #[token("else")]
    Else,
    #[token("while")]
    While,
    #[token("do")]
    Do,
    #[token("for")]
    For,
    #[token("break")]
    Break,
    #[token("continue")]
    Continue,
    #[token("return")]
    Return,
    #[token("skip")]
    SkipWord,
    #[token("synchronized")]
    Synchronized,
    #[token("atomic")]
    Atomic,
    #[token("await")]
    Await,
    #[token("choose")]
    Choose,
    #[token("or")]
    OrWord,
    #[token("when")]
    When,
    #[token("assume")]
    Assume,
    #[token("assert")]
    Assert,
    #[token("unreachable")]
    Unreachable,

    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("null")]
    Null,
    #[token("self")]
    Me,
    #[token("index")]
    Index,
    #[token("new")]
    New,
    #[token("spawn")]
    Spawn,

    #[token("acquire")]
    Acquire,
    #[token("release")]
    Release,
    #[token("wait")]
    Wait,
    #[token("notify")]
    Notify,
    #[token("notifyAll")]
    NotifyAll,
    #[token("up")]
    Up,
    #[token("down")]
    Down,
    #[token("send")]
    Send,
    #[token("receive")]
    Receive,
    #[token("join")]
    Join,
    #[token("cas")]
    CompareAndSet,
    #[token("fetchAdd")]
    FetchAdd,
    #[token("holds")]
    Holds,
    #[token("owner")]
    Owner,
    #[token("length")]
    Length,
    #[token("value")]
    Value,
    #[token("at")]
    At,
    #[token("count")]
    Count,

    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("(")]
    OpenParen,
    #[token(")")]
    CloseParen,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token("..")]
    DotDot,
    #[token(":")]
    Colon,
    #[token("?")]
    Question,

    #[token("=")]
    Assign,
    #[token("+=")]
    AddAssign,
    #[token("-=")]
    SubtractAssign,
    #[token("*=")]
    MultiplyAssign,
    #[token("/=")]
    DivideAssign,
    #[token("%=")]
    RemainderAssign,
    #[token("&=")]
    AndAssign,
    #[token("|=")]
    OrAssign,
    #[token("^=")]
    XorAssign,
    #[token("<<=")]
    ShiftLeftAssign,
    #[token(">>=")]
    ShiftRightAssign,
    #[token("++")]
    Increment,
    #[token("--")]
    Decrement,

    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessOrEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterOrEqual,
    #[token("&&")]
    And,
    #[token("||")]
    Or,
    #[token("&")]
    BitAnd,
    #[token("|")]
    BitOr,
    #[token("^")]
    BitXor,
    #[token("<<")]
    ShiftLeft,
    #[token(">>")]
    ShiftRight,
    #[token("!")]
    Not,
    #[token("~")]
    Complement,

    /// Operators of other languages. They have no meaning here and are tokens only to
    /// get a good message.
    #[token("->")]
    #[token("::")]
    #[token(":=")]
    #[token(">>>")]
    Foreign,

    /// The end of the file.
    End,
}

impl TokenKind {
    /// Whether it is the name of an operation that only looks.
    fn is_observer(self) -> bool {
        use TokenKind::*;
        matches!(self, Holds | Owner | Length | Value | At | Count)
    }

    /// Whether it is the name of an operation. Such a name is reserved, except after a
    /// dot: there it is a field.
    pub(crate) fn is_operation(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            Acquire
                | Release
                | Wait
                | Notify
                | NotifyAll
                | Up
                | Down
                | Send
                | Receive
                | Join
                | CompareAndSet
                | FetchAdd
                | Holds
                | Owner
                | Length
                | Value
                | At
                | Count
                | Choose
                | Spawn
        )
    }
}

/// What cannot be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Problem {
    #[default]
    Unknown,
    OpenComment,
    OpenText,
    Escape,
    TooLarge,
    LeadingZero,
    NotANumber,
    Fraction,
    Character,
    Directive,
}

impl raddle_diagnostics::Problem<TokenKind> for Problem {
    fn stand_in(self) -> Option<TokenKind> {
        match self {
            Problem::Unknown | Problem::OpenComment | Problem::Fraction => None,
            Problem::OpenText | Problem::Escape => Some(TokenKind::Text),
            Problem::Directive => None,
            Problem::TooLarge | Problem::LeadingZero | Problem::NotANumber | Problem::Character => {
                Some(TokenKind::Number(0))
            }
        }
    }

    /// An open string swallows what stands behind it on its line.
    fn affects_next(self) -> bool {
        self.stand_in().is_none() || self == Problem::OpenText
    }

    fn diagnostic(self, source: &str, span: Span) -> Diagnostic {
        let text = source.get(span.clone()).unwrap_or_default();
        match self {
            Problem::Unknown => unknown(text, span),
            Problem::OpenComment => Diagnostic::new(
                span.start..span.start + 2,
                "this comment is never closed",
                "it begins here",
            )
            .help("close it with `*/`; comments do not nest"),
            Problem::OpenText => Diagnostic::new(
                span,
                "this string is not closed on its line",
                "expected `\"` at the end",
            ),
            Problem::Escape => Diagnostic::new(
                span,
                "unknown escape in a string",
                "it has a `\\` that means nothing",
            )
            .help("the escapes are `\\\"`, `\\\\`, `\\n`, `\\r` and `\\t`"),
            Problem::TooLarge => Diagnostic::new(
                span,
                format!("the number `{}` is too large", shorten(text)),
                "does not fit into 32 bits",
            )
            .help("numbers go from -2147483648 to 2147483647"),
            Problem::LeadingZero => Diagnostic::new(
                span,
                format!("the number `{}` begins with a zero", shorten(text)),
                "octal or decimal?",
            )
            .help("leave the zeros out; hexadecimal is `0x1f`, binary `0b101`"),
            Problem::NotANumber => Diagnostic::new(
                span,
                format!("`{}` is neither a number nor a name", shorten(text)),
                "not a number",
            )
            .help("names begin with a letter, and numbers have no suffix"),
            Problem::Fraction => Diagnostic::new(
                span,
                format!("`{}` is not an integer", shorten(text)),
                "there are only integers",
            )
            .help("a range is written with two dots: `0..7`"),
            Problem::Character => {
                Diagnostic::new(span, "there are no characters", "not part of the language")
                    .help("declare an `enum`, or use numbers")
            }
            Problem::Directive => {
                Diagnostic::new(span, "there is no preprocessor", "not part of the language")
                    .help("declare constants: `const N = 3;`")
            }
        }
    }
}

fn unknown(text: &str, span: Span) -> Diagnostic {
    let plural = if text.chars().nth(1).is_none() {
        ""
    } else {
        "s"
    };
    let visible: String = shorten(text)
        .chars()
        .flat_map(|c| match c.is_control() {
            true => c.escape_default().collect::<Vec<_>>(),
            false => vec![c],
        })
        .collect();
    let message = format!("unknown character{plural} `{visible}`");
    Diagnostic::new(span, message, "not part of the language")
}

/// The beginning of a text that may be very long.
fn shorten(text: &str) -> String {
    const LIMIT: usize = 24;
    match text.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Decimal, `0x` hexadecimal or `0b` binary, with `_` between digits.
fn number(lexer: &mut Lexer<'_, TokenKind>) -> Result<u32, Problem> {
    // The least number of 32 bits is written as a minus and this magnitude.
    const GREATEST: u64 = 1 << 31;
    let text = lexer.slice();
    let (digits, radix) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&text[2..], 16),
        [b'0', b'b' | b'B', ..] => (&text[2..], 2),
        _ => (text, 10),
    };
    let mut value = 0;
    let mut seen = false;
    for digit in digits.chars().filter(|&c| c != '_') {
        let digit = digit.to_digit(radix).ok_or(Problem::NotANumber)?;
        // Saturated above the limit, so that any number of digits is fine.
        value = (value * u64::from(radix) + u64::from(digit)).min(GREATEST + 1);
        seen = true;
    }
    if !seen {
        return Err(Problem::NotANumber);
    }
    if radix == 10 && text.len() > 1 && text.starts_with('0') {
        return Err(Problem::LeadingZero);
    }
    match u32::try_from(value) {
        Ok(value) if u64::from(value) <= GREATEST => Ok(value),
        _ => Err(Problem::TooLarge),
    }
}

/// A string ends on its line; the rest of an open one is taken as its content.
fn text(lexer: &mut Lexer<'_, TokenKind>) -> Result<(), Problem> {
    let mut result = Ok(());
    let mut characters = lexer.remainder().char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => {
                lexer.bump(at + 1);
                return result;
            }
            '\n' | '\r' => {
                lexer.bump(at);
                return Err(Problem::OpenText);
            }
            // Only what stays on the line is part of an escape.
            '\\' => match characters.clone().next() {
                Some((_, '"' | '\\' | 'n' | 'r' | 't')) => {
                    characters.next();
                }
                _ => result = Err(Problem::Escape),
            },
            _ => {}
        }
    }
    lexer.bump(lexer.remainder().len());
    Err(Problem::OpenText)
}

fn refused(problem: Problem) -> Result<Skip, Problem> {
    Err(problem)
}

fn block_comment(lexer: &mut Lexer<'_, TokenKind>) -> Result<Skip, Problem> {
    let rest = lexer.remainder();
    match rest.find("*/") {
        Some(at) => {
            lexer.bump(at + 2);
            Ok(Skip)
        }
        None => {
            lexer.bump(rest.len());
            Err(Problem::OpenComment)
        }
    }
}
