//! Tokens to the syntax tree, by recursive descent.
//!
//! After an error the parser goes on, so that one run reports every independent
//! mistake. Four rules keep it from reporting the consequences of a mistake as well:
//! a token is the subject of at most one error; nothing is said about a token behind
//! something that the lexer has already refused; whoever opens a brace looks for its
//! end, whatever happened between; and a reserved word used as a name is reported once.
//!
//! Every tree is low: [`DEEPEST`] bounds the recursion of the parser, and [`TALLEST`]
//! the height of an expression, so that the passes that come later may recurse too.

mod advice;
mod expressions;
mod items;
mod statements;

pub(crate) use advice::{OPERATIONS, function as advice_for_call, type_word as advice_for_type};
pub(crate) use expressions::level;

use crate::ast::{Name, Program, Span};
use crate::lexer::{self, Token, TokenKind};
use raddle_diagnostics::Diagnostic;

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
    let (tokens, diagnostics) = lexer::lex(source);
    let mut parser = Parser::new(source, tokens, diagnostics);
    let program = parser.program();
    let mut diagnostics = parser.diagnostics;
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end));
    (program, diagnostics)
}

/// The construct could not be read, and that has been reported.
#[derive(Clone, Copy, Debug)]
struct Failed;

type Parsed<T> = Result<T, Failed>;

struct Parser<'s> {
    source: &'s str,
    /// They end with [`TokenKind::End`].
    tokens: Vec<Token>,
    position: usize,
    diagnostics: Vec<Diagnostic>,
    /// The token that was the subject of the last error.
    blamed: Option<usize>,
    /// How many constructs the current one is nested in.
    depth: usize,
    /// The height of the expression that was read last.
    height: usize,
    /// Whether the file has more `{` than `}`.
    unclosed: bool,
    /// Reserved words that were used as names; they are then read as names.
    misused: Vec<TokenKind>,
    /// How many parentheses are open.
    parens: usize,
    /// Whether an opening brace is missing, so that a closing one is left over.
    headless: bool,
    /// Whether a limit was hit: nothing more is said.
    gave_up: bool,
}

/// A parenthesis that was taken.
struct OpenParen {
    span: Span,
    /// How many were open before.
    outside: usize,
}

impl<'s> Parser<'s> {
    fn new(source: &'s str, tokens: Vec<Token>, diagnostics: Vec<Diagnostic>) -> Self {
        let number_of = |kind| tokens.iter().filter(|token| token.kind == kind).count();
        let unclosed = number_of(TokenKind::OpenBrace) > number_of(TokenKind::CloseBrace);
        Parser {
            source,
            tokens,
            position: 0,
            diagnostics,
            blamed: None,
            depth: 0,
            height: 0,
            unclosed,
            misused: Vec::new(),
            parens: 0,
            headless: false,
            gave_up: false,
        }
    }
}

/// Looking at tokens and taking them.
impl<'s> Parser<'s> {
    fn token(&self, ahead: usize) -> &Token {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.position + ahead).min(last)]
    }

    fn kind(&self) -> TokenKind {
        self.token(0).kind
    }

    fn peek(&self, ahead: usize) -> TokenKind {
        self.token(ahead).kind
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    /// Words such as `by`, which are reserved only where they mean something.
    fn at_word(&self, word: &str) -> bool {
        self.at(TokenKind::Name) && self.text_ahead(0) == word
    }

    fn span(&self) -> Span {
        self.token(0).span.clone()
    }

    fn start(&self) -> usize {
        self.token(0).span.start
    }

    /// The end of the token taken last.
    fn end(&self) -> usize {
        match self.position.checked_sub(1) {
            Some(last) => self.tokens[last].span.end,
            None => 0,
        }
    }

    /// From a start to the end of the token taken last.
    fn since(&self, start: usize) -> Span {
        start..self.end().max(start)
    }

    fn text(&self, span: Span) -> &'s str {
        self.source.get(span).unwrap_or_default()
    }

    fn text_ahead(&self, ahead: usize) -> &'s str {
        self.text(self.token(ahead).span.clone())
    }

    /// Whether the current token is the first of its line.
    fn on_new_line(&self) -> bool {
        self.text(self.end()..self.start()).contains('\n')
    }

    /// Takes a token; the end of the file stays.
    fn bump(&mut self) {
        match self.kind() {
            TokenKind::OpenParen => self.parens += 1,
            TokenKind::CloseParen => self.parens = self.parens.saturating_sub(1),
            _ => {}
        }
        if self.position + 1 < self.tokens.len() {
            self.position += 1;
        }
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// Takes the token or fails with "expected `what`, found ...".
    fn expect(&mut self, kind: TokenKind, what: &str) -> Parsed<()> {
        if self.eat(kind) {
            return Ok(());
        }
        Err(self.expected(what))
    }

    /// Takes `{` or fails.
    fn open_brace(&mut self, what: &str) -> Parsed<()> {
        let result = self.expect(TokenKind::OpenBrace, what);
        self.headless |= result.is_err();
        result
    }

    /// Takes `(`, which has been seen.
    fn open_paren(&mut self) -> OpenParen {
        let span = self.span();
        let outside = self.parens;
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

    fn take_name(&mut self) -> Name {
        let span = self.span();
        let text = self.text(span.clone()).to_owned();
        self.bump();
        Name { text, span }
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

/// Reporting errors.
impl Parser<'_> {
    /// Reports an error about the current token.
    fn fail(&mut self, diagnostic: Diagnostic) -> Failed {
        let subsequent = self.blamed == Some(self.position) || self.token(0).after_error;
        if !subsequent {
            self.complain(diagnostic);
        }
        self.blamed = Some(self.position);
        Failed
    }

    /// Reports an error about something that could be read.
    fn complain(&mut self, diagnostic: Diagnostic) -> Failed {
        if !self.gave_up {
            self.diagnostics.push(diagnostic);
        }
        Failed
    }

    /// "expected `what`, found ..."
    fn expected(&mut self, what: &str) -> Failed {
        let diagnostic = self.surprise(what);
        self.fail(diagnostic)
    }

    /// The error for an unexpected token. When it stands on another line, a missing
    /// sign is missing behind the token before it, and so the place is there.
    fn surprise(&self, what: &str) -> Diagnostic {
        let found = self.found();
        let sign = what.starts_with('`') && self.on_new_line();
        let between = self.position > 0 && (sign || self.at(TokenKind::End));
        let span = if between {
            self.end()..self.end()
        } else {
            self.span()
        };
        let short = what.split(" to close").next().unwrap_or(what);
        let short = short.split(" after").next().unwrap_or(short);
        let diagnostic = Diagnostic::new(
            span,
            format!("expected {what}, found {found}"),
            format!("expected {short}"),
        );
        match self.advice() {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }

    fn found(&self) -> String {
        match self.kind() {
            TokenKind::End => "the end of the file".to_owned(),
            TokenKind::Text => "a string".to_owned(),
            _ => format!("`{}`", self.text_ahead(0)),
        }
    }

    /// What the author may have had in mind, judging by the words around.
    fn advice(&self) -> Option<&'static str> {
        let before = match self.position.checked_sub(1) {
            Some(last) => self.text(self.tokens[last].span.clone()),
            None => "",
        };
        advice::token(self.text_ahead(0), before)
            .or_else(|| advice::word_of_another_language(self.text_ahead(0)))
            .or_else(|| advice::word_of_another_language(before))
    }

    /// `;` behind something. When the next line begins, it is simply taken as written.
    fn semicolon(&mut self, after: &str) -> Parsed<()> {
        if self.eat(TokenKind::Semicolon) {
            return Ok(());
        }
        let failed = self.expected(&format!("`;` after {after}"));
        if self.on_new_line() || self.at(TokenKind::CloseBrace) {
            return Ok(());
        }
        Err(failed)
    }

    /// The token that ends what an earlier one opened.
    fn close(&mut self, kind: TokenKind, what: &str, opened: Span) -> Parsed<()> {
        if self.eat(kind) {
            return Ok(());
        }
        let diagnostic = self.surprise(what).related(opened, "opened here");
        Err(self.fail(diagnostic))
    }
}

/// Limits and recovery.
impl Parser<'_> {
    /// Reads something nested. Too deep a nesting ends the whole run: whatever comes
    /// behind it is likely to be as strange.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            let message = format!("this is nested more than {DEEPEST} deep");
            return Err(self.give_up(Diagnostic::new(self.span(), message, "too deep")));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Reports a hit limit and goes to the end of the file.
    fn give_up(&mut self, diagnostic: Diagnostic) -> Failed {
        self.complain(diagnostic);
        self.gave_up = true;
        self.position = self.tokens.len() - 1;
        Failed
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
        while self.parens > open.outside {
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
