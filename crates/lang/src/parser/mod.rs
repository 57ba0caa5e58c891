//! Tokens to the syntax tree, by recursive descent.
//!
//! After an error the parser goes on, so that one run reports every independent mistake.
//! The [`Cursor`] keeps it from reporting the consequences of a mistake as well, and so do
//! two rules: whoever opens a brace looks for its end, whatever happened between; and a
//! reserved word used as a name is reported once.
//!
//! Every tree is low: [`DEEPEST`] bounds the recursion of the parser, and [`TALLEST`]
//! the height of an expression, so that the passes that come later may recurse too.

mod advice;
mod expressions;
mod formulas;
mod quantifiers;
mod items;
mod statements;

pub(crate) use advice::{OPERATIONS, function as advice_for_call, type_word as advice_for_type};
pub(crate) use expressions::level;

use crate::ast::{Name, Program, Span};
use crate::lexer::{self, TokenKind};
use raddle_diagnostics::{Cursor, Diagnostic, Failed, Parsed, Token};
use std::ops::{Deref, DerefMut};

/// How deep statements, expressions, types and lists may be nested in each other.
pub const DEEPEST: usize = 128;

/// How high the tree of one expression may be. It is more than [`DEEPEST`] because
/// `a + b + c + ...` is high without being nested in the eyes of the author.
pub const TALLEST: usize = 500;

/// Reads a program. The errors are in the order of their places.
pub fn parse(source: &str) -> Result<Program, Vec<Diagnostic>> {
    match read(source) {
        (program, diagnostics) if diagnostics.is_empty() => Ok(program),
        (_, diagnostics) => Err(diagnostics),
    }
}

/// Reads a program as well as possible: what has errors is left out.
pub(crate) fn read(source: &str) -> (Program, Vec<Diagnostic>) {
    let mut parser = Parser::new(source);
    let program = parser.program();
    let (mut diagnostics, _) = parser.cursor.conclude();
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end));
    (program, diagnostics)
}

struct Parser<'s> {
    cursor: Cursor<'s, TokenKind>,
    /// How many constructs the current one is nested in.
    depth: usize,
    /// The height of the expression that was read last.
    height: usize,
    /// Whether the file has more `{` than `}`.
    unclosed: bool,
    /// Reserved words that were used as names; they are then read as names.
    misused: Vec<TokenKind>,
    /// How many parentheses are open in front of each token.
    parens: Vec<usize>,
    /// Whether an opening brace is missing, so that a closing one is left over.
    headless: bool,
    /// Whether a property is read, in which there are words for time.
    in_property: bool,
    /// How many operators of time stand in the expression at hand as operands, without parentheses.
    bare: usize,
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

/// A parenthesis that was taken.
struct OpenParen {
    span: Span,
    /// How many were open before.
    outside: usize,
}

impl<'s> Parser<'s> {
    fn new(source: &'s str) -> Self {
        let cursor = Cursor::new(source, lexer::lex(source), advice::token);
        let tokens = cursor.tokens();
        let number_of = |kind| tokens.iter().filter(|token| token.kind == kind).count();
        let unclosed = number_of(TokenKind::OpenBrace) > number_of(TokenKind::CloseBrace);
        let mut open = 0usize;
        let open_before = |token: &Token<TokenKind>| {
            let before = open;
            match token.kind {
                TokenKind::OpenParen => open += 1,
                TokenKind::CloseParen => open = open.saturating_sub(1),
                _ => {}
            }
            before
        };
        let parens = tokens.iter().map(open_before).collect();
        Parser {
            cursor,
            depth: 0,
            height: 0,
            unclosed,
            misused: Vec::new(),
            parens,
            headless: false,
            in_property: false,
            bare: 0,
        }
    }
}

/// Braces, parentheses and names.
impl Parser<'_> {
    /// Takes `{` or fails.
    fn open_brace(&mut self, what: &str) -> Parsed<()> {
        let result = self.expect(TokenKind::OpenBrace, what);
        self.headless |= result.is_err();
        result
    }

    /// Takes `(`, which has been seen.
    fn open_paren(&mut self) -> OpenParen {
        let span = self.span();
        let outside = self.parens[self.position()];
        self.bump();
        OpenParen { span, outside }
    }

    /// Takes the name of something that is declared or used. A reserved word is
    /// reported and then taken for the name that the author wanted.
    fn name(&mut self, what: &str) -> Parsed<Name> {
        let is_name = self.at(TokenKind::Name) || self.misused.contains(&self.kind());
        if !is_name {
            if !self.is_reserved_name() {
                return Err(self.expected(what));
            }
            self.blame_reserved_word();
        }
        Ok(self.take_name())
    }

    /// The name of a field. It always follows a dot, so that the names of operations
    /// cannot be confused with it and are free.
    fn field_name(&mut self, what: &str) -> Parsed<Name> {
        if self.kind().is_operation() {
            return Ok(self.take_name());
        }
        self.name(what)
    }

    /// Whether a reserved word stands where only a name makes sense, judging by what
    /// follows. Without this, a forgotten name would be reported as a misused word.
    fn is_reserved_name(&self) -> bool {
        use TokenKind::*;
        let is_word = self
            .text_ahead(0)
            .starts_with(|c: char| c.is_ascii_alphabetic());
        let follows = matches!(
            self.peek(1),
            Semicolon | Assign | Comma | OpenBracket | CloseParen | CloseBrace | OpenBrace | Colon
        );
        is_word && (follows || self.kind().is_operation())
    }

    fn blame_reserved_word(&mut self) {
        let word = self.text_ahead(0);
        let (label, help) = if self.kind().is_operation() {
            (
                "names an operation",
                "choose another name; only fields of records may be called like operations",
            )
        } else {
            ("a word of the language", "choose another name")
        };
        let diagnostic = Diagnostic::new(
            self.span(),
            format!("`{word}` is a reserved word and cannot be a name"),
            label,
        );
        self.fail(diagnostic.help(help));
        if self.kind().is_operation() {
            self.misused.push(self.kind());
        }
    }
}

/// Limits and recovery.
impl Parser<'_> {
    /// Reads something nested. Too deep a nesting ends the whole run: whatever comes
    /// behind it is likely to be as strange.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            let message = format!("this is nested more than {DEEPEST} deep");
            let diagnostic = Diagnostic::new(self.span(), message, "too deep");
            self.complain(diagnostic);
            return Err(self.give_up());
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Skips `{ ... }` with all that is inside.
    fn skip_group(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.kind() {
                TokenKind::OpenBrace => depth += 1,
                TokenKind::CloseBrace => depth = depth.saturating_sub(1),
                TokenKind::End => return,
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return;
            }
        }
    }

    /// Goes behind the brace that closes the one taken last, over whatever is between.
    fn skip_to_close_brace(&mut self) {
        while !matches!(self.kind(), TokenKind::CloseBrace | TokenKind::End) {
            self.skip_group();
        }
        self.bump();
    }

    /// Goes behind the parenthesis that closes one. Statements begin and end at `;`,
    /// `{` and `}`: it is not looked for beyond them.
    fn skip_to_close_paren(&mut self, open: &OpenParen) -> Parsed<()> {
        while self.parens[self.position()] > open.outside {
            match self.kind() {
                TokenKind::OpenBrace => return Ok(()),
                TokenKind::Semicolon | TokenKind::CloseBrace | TokenKind::End => {
                    return Err(Failed);
                }
                _ => self.bump(),
            }
        }
        Ok(())
    }
}
