//! Going over the tokens of a text: what the parsers of all formats share.
//!
//! A lexer says what the tokens are, a grammar in which order they come, and a [`Cursor`] is
//! between the two. After an error, a parser may stop, and then words the error itself, or go on,
//! so that one run reports every independent mistake. The second half of the methods is for
//! those that go on. Two rules keep them from reporting the consequences of a mistake as well: a
//! token is the subject of at most one error, and nothing is said about a token behind something
//! that the lexer has already refused.

use crate::{Diagnostic, Lines, Span};
use raddle_model::Place;

/// A token and where it stands.
#[derive(Clone, Debug)]
pub struct Token<K> {
    /// What it is.
    pub kind: K,
    /// Where it stands.
    pub span: Span,
    /// Whether something unreadable was left out just before it.
    pub after_error: bool,
}

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The identifier.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// What a lexer that goes on cannot read. The default is that of unknown characters.
pub trait Problem<K>: Copy + Default + PartialEq {
    /// The error.
    fn diagnostic(self, source: &str, span: Span) -> Diagnostic;

    /// The token to go on with, if it is clear what was meant.
    fn stand_in(self) -> Option<K> {
        None
    }

    /// Whether the next token may be wrong because of it.
    fn affects_next(self) -> bool {
        true
    }
}

/// Reads a whole text. What cannot be read is reported and left out, and the token behind the gap
/// is marked. The last token is always the end of the file.
pub fn lex<K, P: Problem<K>>(
    source: &str,
    pieces: impl Iterator<Item = (Result<K, P>, Span)>,
    end: K,
) -> (Vec<Token<K>>, Vec<Diagnostic>) {
    let mut tokens = Vec::with_capacity(source.len() / 4 + 1);
    let mut problems: Vec<(P, Span)> = Vec::new();
    let mut after_error = false;
    for (result, span) in pieces.chain([(Ok(end), source.len()..source.len())]) {
        let (kind, affects_next) = match result {
            Ok(kind) => (Some(kind), false),
            Err(problem) => {
                note(&mut problems, problem, span.clone());
                (problem.stand_in(), problem.affects_next())
            }
        };
        tokens.extend(kind.map(|kind| Token {
            kind,
            span,
            after_error,
        }));
        after_error = affects_next;
    }
    let diagnostics = problems.into_iter();
    let diagnostics = diagnostics.map(|(problem, span)| problem.diagnostic(source, span));
    (tokens, diagnostics.collect())
}

/// Neighbouring unknown characters are one mistake, not several.
fn note<P: Default + PartialEq>(problems: &mut Vec<(P, Span)>, problem: P, span: Span) {
    match problems.last_mut() {
        Some((last, before))
            if problem == P::default() && *last == problem && before.end == span.start =>
        {
            before.end = span.end;
        }
        _ => problems.push((problem, span)),
    }
}

/// A construct could not be read, and that has been reported.
#[derive(Clone, Copy, Debug)]
pub struct Failed;

/// What is read by a parser that goes on after errors.
pub type Parsed<T> = Result<T, Failed>;

/// A place among the tokens of a text.
#[derive(Debug)]
pub struct Cursor<'s, K> {
    source: &'s str,
    /// There is at least one, and the last is the end.
    tokens: Vec<Token<K>>,
    position: usize,
    diagnostics: Vec<Diagnostic>,
    is_whole: bool,
    /// The token that was the subject of the last error.
    blamed: Option<usize>,
    /// Whether a limit was hit: nothing more is said.
    gave_up: bool,
    advice: fn(&str, &str) -> Option<&'static str>,
}

impl<'s, K: Copy + PartialEq> Cursor<'s, K> {
    /// Reads a text, up to the first piece that cannot be read.
    pub fn strict<P, E>(
        source: &'s str,
        pieces: impl Iterator<Item = (Result<K, P>, Span)>,
        end: K,
        refuse: impl Fn(P, Span) -> E,
    ) -> Result<Self, E> {
        let token = |kind, span| Token {
            kind,
            span,
            after_error: false,
        };
        let read = |(result, span): (Result<K, P>, Span)| match result {
            Ok(kind) => Ok(token(kind, span)),
            Err(problem) => Err(refuse(problem, span)),
        };
        let mut tokens = pieces.map(read).collect::<Result<Vec<_>, E>>()?;
        tokens.push(token(end, source.len()..source.len()));
        Ok(Cursor::new(source, (tokens, Vec::new()), |_, _| None))
    }

    /// Goes over what [`lex`] has read. The advice is about an unexpected token, by its text and
    /// the text of the token before.
    pub fn new(
        source: &'s str,
        (tokens, diagnostics): (Vec<Token<K>>, Vec<Diagnostic>),
        advice: fn(&str, &str) -> Option<&'static str>,
    ) -> Self {
        Cursor {
            source,
            tokens,
            position: 0,
            is_whole: diagnostics.is_empty(),
            diagnostics,
            blamed: None,
            gave_up: false,
            advice,
        }
    }
}

/// Looking at tokens and taking them.
impl<'s, K: Copy + PartialEq> Cursor<'s, K> {
    fn token(&self, ahead: usize) -> &Token<K> {
        &self.tokens[(self.position + ahead).min(self.tokens.len() - 1)]
    }

    /// All tokens.
    pub fn tokens(&self) -> &[Token<K>] {
        &self.tokens
    }

    /// The number of the current token.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Reads again from an earlier token on.
    pub fn back_to(&mut self, position: usize) {
        self.position = position.min(self.position);
    }

    /// The current token.
    pub fn kind(&self) -> K {
        self.token(0).kind
    }

    /// A token further on.
    pub fn peek(&self, ahead: usize) -> K {
        self.token(ahead).kind
    }

    /// Whether this is the current token.
    pub fn at(&self, kind: K) -> bool {
        self.kind() == kind
    }

    /// Whether the current token is written like this. That is for words which are reserved only
    /// where they mean something.
    pub fn at_text(&self, text: &str) -> bool {
        self.text_ahead(0) == text
    }

    fn at_end(&self) -> bool {
        self.position + 1 == self.tokens.len()
    }

    /// Where the current token stands.
    pub fn span(&self) -> Span {
        self.token(0).span.clone()
    }

    /// Where the current token begins.
    pub fn start(&self) -> usize {
        self.token(0).span.start
    }

    /// Where a token begins, by its number. The whole text is looked at for that.
    pub fn place_of(&self, position: usize) -> Place {
        let token = self.tokens.get(position);
        Lines::new(self.source).place(token.map_or(0, |token| token.span.start))
    }

    /// The end of the token taken last.
    pub fn end(&self) -> usize {
        let last = self.position.checked_sub(1);
        last.map_or(0, |last| self.tokens[last].span.end)
    }

    /// From a start to the end of the token taken last.
    pub fn since(&self, start: usize) -> Span {
        start..self.end().max(start)
    }

    /// What is written there.
    pub fn text(&self, span: Span) -> &'s str {
        self.source.get(span).unwrap_or_default()
    }

    /// How the current token, or one further on, is written.
    pub fn text_ahead(&self, ahead: usize) -> &'s str {
        self.text(self.token(ahead).span.clone())
    }

    /// How a token that was taken is written, where 1 is the last; nothing if there is none.
    pub fn text_behind(&self, count: usize) -> &'s str {
        let token = self.position.checked_sub(count);
        token.map_or("", |token| self.text(self.tokens[token].span.clone()))
    }

    /// Whether the current token is the first of its line.
    pub fn on_new_line(&self) -> bool {
        self.text(self.end()..self.start()).contains('\n')
    }

    /// Takes a token; the end of the file stays.
    pub fn bump(&mut self) {
        self.position = (self.position + 1).min(self.tokens.len() - 1);
    }

    /// Takes the token if it is this one.
    pub fn eat(&mut self, kind: K) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// Takes the token if it is written like this.
    pub fn eat_text(&mut self, text: &str) -> bool {
        let found = self.at_text(text);
        if found {
            self.bump();
        }
        found
    }

    /// Takes the token as a name. If it is written in quotes, the name is what they contain.
    pub fn take_name(&mut self) -> Name {
        let (written, span) = (self.text_ahead(0), self.span());
        self.bump();
        let text = match written.starts_with('"') {
            true => unquote(written),
            false => written.to_owned(),
        };
        Name { text, span }
    }
}

/// Reporting errors and going on.
impl<K: Copy + PartialEq> Cursor<'_, K> {
    /// What was reported, and whether everything was read in spite of that.
    pub fn conclude(self) -> (Vec<Diagnostic>, bool) {
        (self.diagnostics, self.is_whole)
    }

    /// Reports an error about the current token, because of which something is not read.
    pub fn fail(&mut self, diagnostic: Diagnostic) -> Failed {
        self.is_whole = false;
        self.report(diagnostic);
        Failed
    }

    /// Reports an error about the current token.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        let subsequent = self.blamed == Some(self.position) || self.token(0).after_error;
        if !subsequent && !self.gave_up {
            self.diagnostics.push(diagnostic);
        }
        self.blamed = Some(self.position);
    }

    /// Reports an error about something that could be read.
    pub fn complain(&mut self, diagnostic: Diagnostic) -> Failed {
        self.is_whole = false;
        if !self.gave_up {
            self.diagnostics.push(diagnostic);
        }
        Failed
    }

    /// Goes to the end of the file without a further word.
    pub fn give_up(&mut self) -> Failed {
        self.gave_up = true;
        self.position = self.tokens.len() - 1;
        Failed
    }

    /// The error for an unexpected token, "expected `what`, found ...". When the token stands on
    /// another line, a missing sign is missing behind the token before it, and so the place is
    /// there.
    pub fn surprise(&self, what: &str) -> Diagnostic {
        let word = self.text_ahead(0);
        let found = match word {
            _ if self.at_end() => "the end of the file".to_owned(),
            _ if word.starts_with('"') => "a string".to_owned(),
            _ => format!("`{word}`"),
        };
        let missing = what.starts_with('`') && self.on_new_line() || self.at_end();
        let span = match missing && self.position > 0 {
            true => self.end()..self.end(),
            false => self.span(),
        };
        let short = what.split(" to close").next().unwrap_or(what);
        let short = short.split(" after").next().unwrap_or(short);
        let message = format!("expected {what}, found {found}");
        let mut diagnostic = Diagnostic::new(span, message, format!("expected {short}"));
        diagnostic.help = (self.advice)(word, self.text_behind(1)).map(str::to_owned);
        diagnostic
    }

    /// Fails with "expected `what`, found ...".
    pub fn expected(&mut self, what: &str) -> Failed {
        self.fail(self.surprise(what))
    }

    /// Takes the token or fails.
    pub fn expect(&mut self, kind: K, what: &str) -> Parsed<()> {
        match self.eat(kind) {
            true => Ok(()),
            false => Err(self.expected(what)),
        }
    }

    /// Takes the token that ends what an earlier one opened.
    pub fn close(&mut self, kind: K, what: &str, opened: Span) -> Parsed<()> {
        match self.eat(kind) {
            true => Ok(()),
            false => Err(self.fail(self.surprise(what).related(opened, "opened here"))),
        }
    }

    /// Takes `;` behind something. When the next line begins, it is simply taken as written.
    pub fn semicolon(&mut self, after: &str) -> Parsed<()> {
        if self.eat_text(";") {
            return Ok(());
        }
        let failed = self.expected(&format!("`;` after {after}"));
        match self.on_new_line() || self.at_text("}") {
            true => Ok(()),
            false => Err(failed),
        }
    }
}

/// A text as it is written in a file, in quotes; [`unquote`] gives it back.
pub fn quote(content: &str) -> String {
    let mut out = String::with_capacity(content.len() + 2);
    out.push('"');
    for character in content.chars() {
        match character {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '"' | '\\' => out.extend(['\\', character]),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

/// The content of a token in quotes.
pub fn unquote(token: &str) -> String {
    let content = token.strip_prefix('"').unwrap_or(token);
    let content = content.strip_suffix('"').unwrap_or(content);
    let mut out = String::with_capacity(content.len());
    let mut characters = content.chars();
    while let Some(character) = characters.next() {
        out.extend(match character {
            '\\' => match characters.next() {
                Some('n') => Some('\n'),
                Some('r') => Some('\r'),
                Some('t') => Some('\t'),
                other => other,
            },
            other => Some(other),
        });
    }
    out
}
