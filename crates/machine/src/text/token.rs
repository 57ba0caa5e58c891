//! Cuts a text into tokens.

use super::ParseError;
use logos::{Lexer, Logos};
use raddle_diagnostics::{Cursor, Lines};
use std::str::Chars;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Logos)]
#[logos(error = Problem)]
#[logos(skip r"\s+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(super) enum TokenKind<'a> {
    /// A name or a keyword, perhaps with dots inside. A dot belongs to a word only if a word goes
    /// on after it: `0..x` is a range.
    #[regex(r"[a-zA-Z_][a-zA-Z0-9_]*(\.[a-zA-Z_][a-zA-Z0-9_]*)*")]
    Word(&'a str),
    /// A string as it is written; [`unescape`] gives its content.
    #[token("\"", text)]
    Text(&'a str),
    /// A number without a sign.
    #[regex("[0-9]+", number)]
    Number(u32),
    /// Anything else.
    #[regex(r":=|=>|\.\.|==|!=|<=|>=|&&|\|\||<<|>>")]
    #[regex(r"[()\[\]{},:?@#%$+\-*/&|^~!<>=]")]
    Sign(&'a str),
    /// The end of the text.
    End,
}

/// The tokens of a text; the last one is always [`TokenKind::End`].
pub(super) fn tokens(text: &str) -> Result<Cursor<'_, TokenKind<'_>>, ParseError> {
    let pieces = TokenKind::lexer(text).spanned();
    Cursor::strict(text, pieces, TokenKind::End, |problem, span| {
        let (inside, message) = match problem {
            Problem::Unknown => {
                let first = text[span.start..].chars().next().unwrap_or_default();
                (0, format!("unexpected character {first:?}"))
            }
            Problem::Inside(at, message) => (at, message.to_owned()),
        };
        ParseError::new(Lines::new(text).place(span.start + inside), message)
    })
}

/// What cannot be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Problem {
    #[default]
    Unknown,
    /// How far behind the beginning of the token, and what.
    Inside(usize, &'static str),
}

fn number<'a>(lexer: &mut Lexer<'a, TokenKind<'a>>) -> Result<u32, Problem> {
    let number = lexer.slice().parse();
    number.map_err(|_| Problem::Inside(0, "this number has more than 32 bits"))
}

fn text<'a>(lexer: &mut Lexer<'a, TokenKind<'a>>) -> Result<&'a str, Problem> {
    let (_, length) = read_text(&lexer.source()[lexer.span().start..])?;
    lexer.bump(length - 1);
    Ok(lexer.slice())
}

/// The content of a string that the lexer has accepted.
pub(super) fn unescape(text: &str) -> String {
    read_text(text).map_or_else(|_| String::new(), |(content, _)| content)
}

/// The content of the string that a text begins with, and how long it is with its quotes.
fn read_text(text: &str) -> Result<(String, usize), Problem> {
    let mut content = String::new();
    let mut rest = text.chars();
    rest.next();
    loop {
        let at = text.len() - rest.as_str().len();
        content.push(match rest.next() {
            None | Some('\n') => {
                let message = "this string does not end on its line";
                return Err(Problem::Inside(0, message));
            }
            Some('"') => return Ok((content, at + 1)),
            Some('\\') => match escape(&mut rest) {
                Some(character) => character,
                None => return Err(Problem::Inside(at, "unknown escape in a string")),
            },
            Some(character) => character,
        });
    }
}

/// The character that an escape stands for, behind the backslash.
fn escape(rest: &mut Chars<'_>) -> Option<char> {
    match rest.next()? {
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        '0' => Some('\0'),
        'u' => {
            let (digits, behind) = rest.as_str().strip_prefix('{')?.split_once('}')?;
            *rest = behind.chars();
            char::from_u32(u32::from_str_radix(digits, 16).ok()?)
        }
        same => matches!(same, '"' | '\\' | '\'').then_some(same),
    }
}
