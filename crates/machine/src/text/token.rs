//! Cuts a text into tokens.

use super::ParseError;
use super::names::{continues_word, starts_word};

/// A token and where it begins.
#[derive(Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: TokenKind<'a>,
    pub(super) line: u32,
    pub(super) column: u32,
}

/// What a token is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TokenKind<'a> {
    /// A name or a keyword, perhaps with dots inside.
    Word(&'a str),
    /// A string, without its quotes and escapes.
    Text(String),
    /// A number without a sign.
    Number(u32),
    /// Anything else.
    Sign(&'static str),
    /// The end of the text.
    End,
}

/// The tokens of a text; the last one is always [`TokenKind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let mut cursor = Cursor {
        rest: text,
        line: 1,
        column: 1,
    };
    let mut result = Vec::new();
    loop {
        cursor.skip_blanks();
        let (line, column) = (cursor.line, cursor.column);
        let kind = cursor.token()?;
        let last = kind == TokenKind::End;
        result.push(Token { kind, line, column });
        if last {
            return Ok(result);
        }
    }
}

/// All signs; of two that begin alike the longer comes first.
const SIGNS: &[&str] = &[
    ":=", "=>", "..", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "(", ")", "[", "]", "{", "}",
    ",", ":", "?", "@", "#", "%", "$", "+", "-", "*", "/", "&", "|", "^", "~", "!", "<", ">", "=",
];

struct Cursor<'a> {
    rest: &'a str,
    line: u32,
    column: u32,
}

impl<'a> Cursor<'a> {
    fn token(&mut self) -> Result<TokenKind<'a>, ParseError> {
        let Some(first) = self.rest.chars().next() else {
            return Ok(TokenKind::End);
        };
        if starts_word(first) {
            let length = self.word_length();
            return Ok(TokenKind::Word(self.take(length)));
        }
        if first.is_ascii_digit() {
            return self.number();
        }
        if first == '"' {
            return self.string();
        }
        for &sign in SIGNS {
            if self.rest.starts_with(sign) {
                self.take(sign.len());
                return Ok(TokenKind::Sign(sign));
            }
        }
        Err(self
            .position()
            .error(&format!("unexpected character {first:?}")))
    }

    fn skip_blanks(&mut self) {
        loop {
            let blanks = self.rest.len() - self.rest.trim_start().len();
            self.take(blanks);
            if !self.rest.starts_with("//") {
                return;
            }
            let comment = self.rest.find('\n').unwrap_or(self.rest.len());
            self.take(comment);
        }
    }

    /// A dot belongs to a word only if a word goes on after it: `0..x` is a range.
    fn word_length(&self) -> usize {
        let mut length = 0;
        let mut characters = self.rest.chars().peekable();
        while let Some(character) = characters.next() {
            let inside = continues_word(character)
                || character == '.' && characters.peek().is_some_and(|&next| starts_word(next));
            if !inside {
                break;
            }
            length += character.len_utf8();
        }
        length
    }

    fn number(&mut self) -> Result<TokenKind<'a>, ParseError> {
        let length = self
            .rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(self.rest.len());
        let begin = self.position();
        match self.take(length).parse() {
            Ok(number) => Ok(TokenKind::Number(number)),
            Err(_) => Err(begin.error("this number has more than 32 bits")),
        }
    }

    fn string(&mut self) -> Result<TokenKind<'a>, ParseError> {
        let begin = self.position();
        self.take(1);
        let mut content = String::new();
        loop {
            match self.rest.chars().next() {
                None | Some('\n') => {
                    return Err(begin.error("this string does not end on its line"));
                }
                Some('"') => {
                    self.take(1);
                    return Ok(TokenKind::Text(content));
                }
                Some('\\') => content.push(self.escape()?),
                Some(character) => {
                    self.take(character.len_utf8());
                    content.push(character);
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, ParseError> {
        let begin = self.position();
        self.take(1);
        let escape = self.rest.chars().next();
        self.take(escape.map_or(0, char::len_utf8));
        let character = match escape {
            Some('"' | '\\' | '\'') => escape,
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            Some('0') => Some('\0'),
            Some('u') => self.code_point(),
            _ => None,
        };
        character.ok_or_else(|| begin.error("unknown escape in a string"))
    }

    /// The rest of an escape by number, `{` and all.
    fn code_point(&mut self) -> Option<char> {
        let digits = self.rest.strip_prefix('{')?;
        let length = digits.find('}')?;
        let number = u32::from_str_radix(&digits[..length], 16).ok()?;
        self.take(length + 2);
        char::from_u32(number)
    }

    /// Goes over that many bytes, which end at the end of a character.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        for character in taken.chars() {
            if character == '\n' {
                self.line = self.line.saturating_add(1);
                self.column = 1;
            } else {
                self.column = self.column.saturating_add(1);
            }
        }
        taken
    }

    fn position(&self) -> Position {
        Position {
            line: self.line,
            column: self.column,
        }
    }
}

/// A point of the text.
struct Position {
    line: u32,
    column: u32,
}

impl Position {
    fn error(&self, message: &str) -> ParseError {
        ParseError {
            line: self.line,
            column: self.column,
            message: message.to_string(),
        }
    }
}
