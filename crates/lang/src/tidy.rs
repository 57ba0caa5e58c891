//! A program's own text with its white space put in order. Lines stay lines, comments stay where they
//! are, and no token changes: what is indented, and where there are spaces, follows from the tokens
//! alone, so that a text that was put in order stays as it is.

use crate::lexer::{TokenKind, lex};
use crate::parser;
use TokenKind as T;
use raddle_diagnostics::Diagnostic;

/// One level of indentation.
const INDENT: usize = 2;
/// By how much a statement is indented that goes on in another line.
const CONTINUATION: usize = 4;

/// The text with its white space in order; its mistakes, if it is not a program.
pub fn tidy(source: &str) -> Result<String, Vec<Diagnostic>> {
    parser::parse(source)?;
    let pieces = pieces(source);
    let mut printer = Printer::default();
    for (number, piece) in pieces.iter().enumerate() {
        printer.piece(piece, pieces.get(number + 1));
    }
    let mut out = printer.out;
    if !out.is_empty() {
        out.push('\n');
    }
    // A mistake of ours must not cost anybody a program.
    let texts = |pieces: &[Piece<'_>]| -> Vec<String> {
        let texts = pieces.iter().map(|piece| piece.text.trim_end().to_owned());
        texts.collect()
    };
    if texts(&self::pieces(&out)) != texts(&pieces) {
        let label = "it is left as it is";
        return Err(vec![Diagnostic::new(
            0..0,
            "this text cannot be put in order",
            label,
        )]);
    }
    Ok(out)
}

/// A token or a comment.
struct Piece<'s> {
    /// What token it is; none, if it is a comment.
    kind: Option<TokenKind>,
    text: &'s str,
    /// How many lines end between the piece before it and this one.
    breaks: usize,
    /// How many spaces the author put before it in its line.
    spaces: usize,
}

fn pieces(source: &str) -> Vec<Piece<'_>> {
    let (tokens, _) = lex(source);
    let mut pieces = Vec::new();
    let mut end = 0;
    for token in tokens {
        let (from, to) = (token.span.start.max(end), token.span.end);
        let gap = source.get(end..from).unwrap_or_default();
        let rest = comments(gap, &mut pieces);
        if token.kind != T::End {
            let text = source.get(from..to).unwrap_or_default();
            pieces.push(Piece::new(Some(token.kind), text, rest));
        }
        end = to.max(end);
    }
    comments(source.get(end..).unwrap_or_default(), &mut pieces);
    pieces
}

/// Adds the comments of what lies between two tokens; returns the white space after the last.
fn comments<'s>(mut gap: &'s str, pieces: &mut Vec<Piece<'s>>) -> &'s str {
    while let Some(begin) = gap.find("//").into_iter().chain(gap.find("/*")).min() {
        let rest = &gap[begin..];
        let length = match rest.starts_with("//") {
            true => rest.find('\n').unwrap_or(rest.len()),
            false => rest.find("*/").map_or(rest.len(), |end| end + 2),
        };
        pieces.push(Piece::new(None, &rest[..length], &gap[..begin]));
        gap = &rest[length..];
    }
    gap
}

impl<'s> Piece<'s> {
    fn new(kind: Option<TokenKind>, text: &'s str, before: &str) -> Self {
        let last = before.rsplit('\n').next().unwrap_or_default();
        Piece {
            kind,
            text: text.trim_end(),
            breaks: before.matches('\n').count(),
            spaces: last
                .chars()
                .filter(|it| !it.is_control() && *it != '\u{feff}')
                .count(),
        }
    }
}

/// A bracket that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    /// Of statements, fields or alternatives.
    Block,
    /// Of values or members.
    List,
    /// `(` or `[`, with what follows behind it.
    Group(Behind),
    /// `<` of a channel's type.
    Element,
}

/// What can follow in the next line behind a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behind {
    /// The rest of the statement.
    Rest,
    /// A statement that hangs on this condition.
    Body,
    /// A statement of the alternative of which this is the guard.
    Alternative,
}

#[derive(Default)]
struct Printer {
    out: String,
    open: Vec<Open>,
    before: Option<TokenKind>,
    /// Whether the piece before was a comment that ends its line.
    after_line_comment: bool,
    /// Whether the next token begins a statement, a declaration or an alternative.
    begins: bool,
    /// How many conditions without braces the statement hangs on that a line begins with.
    hangs: usize,
    /// Whether the condition that was closed last is one on which a statement hangs.
    after_header: bool,
    /// In what kind of declaration we are: words of time mean something in a property.
    in_property: bool,
    in_enumeration: bool,
    /// Questions whose colon has not come.
    questions: usize,
    /// Whether the minus before is that of a negative number.
    after_sign: bool,
    /// Whether the `>` before ends the type of a channel's elements.
    after_element: bool,
    is_begun: bool,
}

impl Printer {
    fn piece(&mut self, piece: &Piece<'_>, next: Option<&Piece<'_>>) {
        let begins = self.begins || self.before.is_none();
        let closes = matches!(
            piece.kind,
            Some(T::CloseBrace | T::CloseParen | T::CloseBracket)
        );
        if !self.is_begun {
            self.is_begun = true;
        } else if piece.breaks > 0 || self.after_line_comment {
            let after_open = self.before == Some(T::OpenBrace);
            let is_apart = piece.breaks > 1 && !closes && (!after_open || piece.kind.is_none());
            let is_apart = is_apart && !(after_open && self.out.ends_with('{'));
            self.out.push_str(if is_apart { "\n\n" } else { "\n" });
            let indent = self.indentation(piece, begins);
            self.out.push_str(&" ".repeat(indent));
        } else {
            let spaces = match piece.kind {
                // The author may have put comments below each other.
                None if piece.text.starts_with("//") => piece.spaces.max(1),
                None => 1,
                Some(kind) => usize::from(self.is_apart(kind)),
            };
            self.out.push_str(&" ".repeat(spaces));
        }
        self.out.push_str(piece.text);
        self.after_line_comment = piece.kind.is_none() && piece.text.starts_with("//");
        if let Some(kind) = piece.kind {
            self.take(kind, begins, next);
        }
    }

    fn indentation(&self, piece: &Piece<'_>, begins: bool) -> usize {
        let blocks = self
            .open
            .iter()
            .filter(|it| matches!(it, Open::Block | Open::List))
            .count();
        let level = INDENT * blocks;
        let is_in_group = matches!(self.open.last(), Some(Open::Group(_) | Open::Element));
        match piece.kind {
            Some(T::CloseBrace) => level.saturating_sub(INDENT),
            // The alternatives of a choice stand on the level of the word.
            Some(T::OrWord) if begins => level.saturating_sub(INDENT),
            Some(T::OpenBrace) if !is_in_group => level,
            Some(T::Else) if begins => level + INDENT * self.hangs.saturating_sub(1),
            _ if is_in_group => level + CONTINUATION,
            _ if begins || matches!(self.open.last(), Some(Open::List)) => level,
            _ if self.after_header => level + INDENT * self.hangs,
            _ => level + INDENT * self.hangs + CONTINUATION,
        }
    }

    /// Keeps what has to be known of a token for those after it.
    fn take(&mut self, kind: TokenKind, begins: bool, next: Option<&Piece<'_>>) {
        let is_sign = matches!(kind, T::Minus | T::Not | T::Complement) && !self.is_after_operand();
        self.after_header = false;
        self.begins = false;
        self.after_element = false;
        match kind {
            T::OpenBrace => {
                let is_list = self.in_enumeration
                    || matches!(self.before, Some(T::Assign))
                    || matches!(self.open.last(), Some(Open::List));
                self.open
                    .push(if is_list { Open::List } else { Open::Block });
                self.begins = !is_list;
                self.hangs = 0;
            }
            T::CloseBrace => {
                let closed = self.open.pop();
                self.begins = closed != Some(Open::List) || self.in_enumeration;
                self.in_enumeration = false;
                self.hangs = 0;
            }
            T::OpenParen => {
                let behind = match self.before {
                    Some(T::If | T::While | T::For | T::Await) => Behind::Body,
                    Some(T::When) => Behind::Alternative,
                    _ => Behind::Rest,
                };
                self.open.push(Open::Group(behind));
            }
            T::OpenBracket => self.open.push(Open::Group(Behind::Rest)),
            T::Less if self.before == Some(T::Channel) => self.open.push(Open::Element),
            T::Greater if self.open.last() == Some(&Open::Element) => {
                self.open.pop();
                self.after_element = true;
            }
            T::CloseParen | T::CloseBracket => {
                let next = next.and_then(|it| it.kind);
                match self.open.pop() {
                    Some(Open::Group(Behind::Body))
                        if !matches!(next, Some(T::OpenBrace | T::Semicolon)) =>
                    {
                        self.after_header = true;
                        self.hangs += 1;
                    }
                    Some(Open::Group(Behind::Alternative)) => self.begins = true,
                    _ => {}
                }
            }
            T::Else | T::Do => {
                let is_there = |it: &&Piece<'_>| match it.kind {
                    Some(T::If) => it.breaks == 0,
                    kind => kind == Some(T::OpenBrace),
                };
                if next.filter(is_there).is_none() {
                    self.after_header = true;
                    self.hangs = self.hangs.max(usize::from(begins)) + usize::from(!begins);
                }
            }
            T::Semicolon => {
                let is_inside = matches!(self.open.last(), Some(Open::Group(_)));
                self.begins = !is_inside;
                self.hangs = if is_inside { self.hangs } else { 0 };
                self.in_property &= is_inside;
            }
            T::Colon if self.questions > 0 => self.questions -= 1,
            // A label.
            T::Colon => self.begins = matches!(self.open.last(), Some(Open::Block)),
            T::Question => self.questions += 1,
            T::OrWord if begins => self.begins = true,
            T::Property => self.in_property = true,
            T::Enum => self.in_enumeration = true,
            _ => {}
        }
        self.after_sign = is_sign;
        self.before = Some(kind);
    }

    /// Whether there is a space between the token before and this one.
    fn is_apart(&self, kind: TokenKind) -> bool {
        let Some(before) = self.before else {
            return false;
        };
        let is_list = self.open.last() == Some(&Open::List);
        if self.after_line_comment || self.out.ends_with("*/") {
            return true;
        }
        if self.after_sign {
            // Two of them together would be another token.
            return before == T::Minus && matches!(kind, T::Minus | T::Decrement);
        }
        match (before, kind) {
            (_, T::Semicolon | T::Comma | T::CloseParen | T::CloseBracket) => false,
            (_, T::Dot | T::DotDot | T::OpenBracket | T::Increment | T::Decrement) => false,
            (T::OpenParen | T::OpenBracket | T::Dot | T::DotDot, _) => false,
            (T::OpenBrace, T::CloseBrace) => !is_list,
            (T::OpenBrace, _) => !is_list || self.in_enumeration,
            (_, T::CloseBrace) => !is_list || self.in_enumeration,
            (_, T::OpenBrace) => !(before == T::OpenBrace && is_list),
            (T::Channel, T::Less) => false,
            (_, T::Colon) => self.questions > 0,
            _ if self.open.last() == Some(&Open::Element) => {
                before != T::Less && kind != T::Greater && kind != T::OpenParen
            }
            (T::Greater, T::OpenParen) => !self.after_element,
            (_, T::OpenParen) => self.is_apart_from_group(before),
            _ => true,
        }
    }

    /// Whether there is a space before a parenthesis: there is none behind what is called.
    fn is_apart_from_group(&self, before: TokenKind) -> bool {
        match before {
            T::Name => self.is_word_of_time(),
            T::CloseParen | T::CloseBracket => false,
            T::Int | T::Choose | T::Assume | T::Assert => false,
            T::Acquire | T::Release | T::Wait | T::Notify | T::NotifyAll | T::Up | T::Down => false,
            T::Send | T::Receive | T::Join | T::CompareAndSet | T::FetchAdd => false,
            T::Holds | T::Owner | T::Length | T::Value | T::At | T::Count => false,
            _ => true,
        }
    }

    /// Whether the name before is no name, but a word that stands between formulas or before one.
    fn is_word_of_time(&self) -> bool {
        const WORDS: [&str; 8] = [
            "always",
            "eventually",
            "next",
            "until",
            "unless",
            "to",
            "implies",
            "in",
        ];
        let last = self
            .out
            .rsplit(|it: char| !(it.is_alphanumeric() || it == '_'))
            .next();
        let is_word = last.is_some_and(|last| WORDS.contains(&last));
        is_word && (self.in_property || last == Some("implies") || last == Some("in"))
    }

    /// Whether the token before ends a value, so that a minus behind it subtracts.
    fn is_after_operand(&self) -> bool {
        matches!(
            self.before,
            Some(
                T::Name
                    | T::Number(_)
                    | T::Text
                    | T::CloseParen
                    | T::CloseBracket
                    | T::True
                    | T::False
                    | T::Null
                    | T::Me
                    | T::Index
                    | T::Increment
                    | T::Decrement
            )
        ) && !self.is_word_of_time()
    }
}
