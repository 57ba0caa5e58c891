//! Text to tokens.

use crate::ast::Span;
use logos::{Lexer, Logos};
use raddle_diagnostics::{Diagnostic, Token};

/// Reads a whole text. The last token is always the end of the file.
pub(crate) fn lex(source: &str) -> (Vec<Token<TokenKind>>, Vec<Diagnostic>) {
    raddle_diagnostics::lex(source, TokenKind::lexer(source).spanned(), TokenKind::End)
}

/// The tokens. The words that raddle adds to the thesis (`assert`, `unsafe`, `abstraction`)
/// are names, which mean more only where no name of the thesis' language can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Logos)]
#[logos(error = Problem)]
#[logos(skip r"[ \t\r\n\f\u{FEFF}]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(crate) enum TokenKind {
    #[regex("[a-zA-Z_][a-zA-Z0-9_]*")]
    Name,
    #[token("\"", text)]
    Text,

    #[token("vars")]
    Vars,
    #[token("locks")]
    Locks,
    #[token("messages")]
    Messages,
    #[token("threads")]
    Threads,
    #[token("if")]
    If,
    #[token("else")]
    Else,
    #[token("choice")]
    Choice,
    #[token("while")]
    While,
    #[token("skip")]
    SkipWord,
    #[token("goto")]
    Goto,
    #[token("lock")]
    Lock,
    #[token("unlock")]
    Unlock,
    #[token("sleep")]
    Sleep,
    #[token("wakeup")]
    Wakeup,
    #[token("wakeupall")]
    WakeupAll,
    #[token("start")]
    Start,
    #[token("rendezvous")]
    Rendezvous,
    #[token("accept")]
    Accept,
    #[token("and")]
    And,
    #[token("true")]
    True,
    #[token("false")]
    False,

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
    #[token(":")]
    Colon,
    #[token(",")]
    Comma,
    #[token(":=")]
    Assign,
    #[token("*")]
    Star,
    #[token("!")]
    Not,

    /// The end of the file.
    End,
}

/// What can be wrong with characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Problem {
    #[default]
    Unknown,
    OpenText,
}

impl raddle_diagnostics::Problem<TokenKind> for Problem {
    fn diagnostic(self, source: &str, span: Span) -> Diagnostic {
        let text = source.get(span.clone()).unwrap_or_default();
        match self {
            Problem::OpenText => Diagnostic::new(
                span,
                "this string is not closed on its line",
                "expected `\"` at the end",
            ),
            Problem::Unknown => {
                let shown: String = text.chars().take(24).flat_map(char::escape_debug).collect();
                let plural = if text.chars().count() > 1 { "s" } else { "" };
                let diagnostic = Diagnostic::new(
                    span,
                    format!("unknown character{plural} `{shown}`"),
                    "not part of the language",
                );
                match text.chars().next() {
                    Some('=') => diagnostic.help("an assignment is written `x := true`"),
                    Some('&') => diagnostic.help("conditions are joined by `and`"),
                    Some('|') => diagnostic.help("there is no `or`: write a second `if`"),
                    Some('/') => diagnostic.help("a comment begins with `//`"),
                    _ => diagnostic,
                }
            }
        }
    }
}

/// A string ends on its line; there are no escapes.
fn text(lexer: &mut Lexer<'_, TokenKind>) -> Result<(), Problem> {
    let rest = lexer.remainder();
    let end = rest.find(['"', '\n', '\r']).unwrap_or(rest.len());
    match rest[end..].starts_with('"') {
        true => {
            lexer.bump(end + 1);
            Ok(())
        }
        false => {
            lexer.bump(end);
            Err(Problem::OpenText)
        }
    }
}
