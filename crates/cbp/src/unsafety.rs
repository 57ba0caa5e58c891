//! Sets of states that must not be reached: `criticalI & criticalJ`, `critical >= 2 | full`.
//!
//! A name is that of a label (a thread stands there), of a thread type (a thread of that type
//! has not finished), of a global variable (it is true; with `!`, it is false), or of a lock
//! (it is taken; with `!`, it is free). `&` binds stronger than `|`.

use crate::program::{Cell, Program};
use raddle_diagnostics::{Diagnostic, Span, nearest};
use raddle_model::Place;

/// A set of states, as a disjunction of conjunctions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsafeSet {
    /// As it was written.
    pub text: String,
    /// Where, if it stands in the program.
    pub place: Option<Place>,
    /// A state is in the set if all demands of one of these hold.
    pub cases: Vec<Vec<Demand>>,
}

/// What is demanded of a state. More threads never make it false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Demand {
    /// At least so many threads are among these.
    AtLeast(Crowd, u32),
    /// A cell has a value.
    Value(Cell, bool),
}

/// Some of the threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Crowd {
    /// Those at a label.
    Label(usize),
    /// The unfinished ones of a type.
    Type(usize),
}

/// The largest number that threads are compared with.
const MOST_THREADS: u32 = 1000;

/// The most conjunctions that a set may have.
const MOST_CASES: usize = 1000;

/// How deep parentheses may be nested.
const DEEPEST: usize = 64;

/// Reads a set; `offset` is where the text stands in the source.
pub(crate) fn parse(
    text: &str,
    offset: usize,
    place: Option<Place>,
    program: &Program,
) -> Result<UnsafeSet, Box<Diagnostic>> {
    let mut reader = Reader {
        text,
        offset,
        position: 0,
        depth: 0,
        program,
    };
    let cases = reader.any()?;
    match reader.peek() {
        None => Ok(UnsafeSet {
            text: text.trim().to_owned(),
            place,
            cases,
        }),
        Some(_) => Err(reader.unexpected("`&`, `|` or the end")),
    }
}

struct Reader<'a> {
    text: &'a str,
    offset: usize,
    position: usize,
    depth: usize,
    program: &'a Program,
}

type Cases = Vec<Vec<Demand>>;

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.position..]
    }

    /// The next character that is not blank.
    fn peek(&mut self) -> Option<char> {
        let blank = self.rest().len() - self.rest().trim_start().len();
        self.position += blank;
        self.rest().chars().next()
    }

    fn eat(&mut self, sign: &str) -> bool {
        self.peek();
        let found = self.rest().starts_with(sign);
        if found {
            self.position += sign.len();
        }
        found
    }

    fn word(&mut self, of: impl Fn(char) -> bool) -> (String, Span) {
        self.peek();
        let length = self.rest().find(|c| !of(c)).unwrap_or(self.rest().len());
        let word = self.rest()[..length].to_owned();
        let start = self.offset + self.position;
        self.position += length;
        (word, start..start + length)
    }

    fn unexpected(&mut self, what: &str) -> Box<Diagnostic> {
        let found = match self.peek() {
            Some(c) => format!("`{c}`"),
            None => "the end of the set".to_owned(),
        };
        let start = self.offset + self.position;
        let length = self.rest().chars().next().map_or(0, char::len_utf8);
        let message = format!("expected {what}, found {found}");
        Diagnostic::new(start..start + length, message, format!("expected {what}")).into()
    }

    fn too_large(&self) -> Box<Diagnostic> {
        let span = self.offset..self.offset + self.text.len();
        let message = format!("the set has more than {MOST_CASES} cases");
        Diagnostic::new(span, message, "too large").into()
    }

    fn any(&mut self) -> Result<Cases, Box<Diagnostic>> {
        let mut cases = self.all()?;
        while self.eat("|") {
            self.eat("|");
            cases.extend(self.all()?);
            if cases.len() > MOST_CASES {
                return Err(self.too_large());
            }
        }
        Ok(cases)
    }

    fn all(&mut self) -> Result<Cases, Box<Diagnostic>> {
        let mut cases = self.single()?;
        while self.eat("&") {
            self.eat("&");
            let more = self.single()?;
            if cases.len() * more.len() > MOST_CASES {
                return Err(self.too_large());
            }
            let joined = cases.iter().flat_map(|one| {
                let both = more.iter();
                both.map(|other| one.iter().chain(other).copied().collect())
            });
            cases = joined.collect();
        }
        Ok(cases)
    }

    fn single(&mut self) -> Result<Cases, Box<Diagnostic>> {
        if self.eat("(") {
            if self.depth >= DEEPEST {
                return Err(self.unexpected("fewer parentheses"));
            }
            self.depth += 1;
            let cases = self.any()?;
            self.depth -= 1;
            if !self.eat(")") {
                return Err(self.unexpected("`)`"));
            }
            return Ok(cases);
        }
        let negated = self.eat("!");
        let (name, span) = self.word(|c| c.is_ascii_alphanumeric() || c == '_');
        if name.is_empty() {
            return Err(self.unexpected("a label, a thread type, a variable or a lock"));
        }
        let demand = match self.resolve(&name, &span)? {
            Named::Cell(cell) => Demand::Value(cell, !negated),
            Named::Crowd(_) if negated => {
                let message = format!("`!{name}` is not allowed: `{name}` is about threads");
                let diagnostic = Diagnostic::new(span, message, "where threads stand");
                let help = "with more threads a state must not become safe";
                return Err(diagnostic.help(help).into());
            }
            Named::Crowd(crowd) => Demand::AtLeast(crowd, self.bound()?),
        };
        Ok(vec![vec![demand]])
    }

    /// `>= n` or `> n`; at least one without it.
    fn bound(&mut self) -> Result<u32, Box<Diagnostic>> {
        let more = match (self.eat(">="), self.eat(">")) {
            (true, _) => 0,
            (_, true) => 1,
            _ => return Ok(1),
        };
        let (digits, span) = self.word(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return Err(self.unexpected("a number"));
        }
        match digits.parse::<u32>() {
            Ok(number) if number <= MOST_THREADS => Ok(number + more),
            _ => {
                let message = format!("`{digits}` is more than {MOST_THREADS}");
                Err(Diagnostic::new(span, message, "too many threads").into())
            }
        }
    }

    fn resolve(&self, name: &str, span: &Span) -> Result<Named, Box<Diagnostic>> {
        let program = self.program;
        let position = |mut names: std::slice::Iter<'_, String>| names.position(|it| it == name);
        let label = program.labels.iter().position(|it| it.name == name);
        let label = label.map(|it| Named::Crowd(Crowd::Label(it)));
        let thread = program.types.iter().position(|it| it.name == name);
        let declared = thread.map(|it| Named::Crowd(Crowd::Type(it)));
        let declared = declared
            .or(position(program.globals.iter()).map(|it| Named::Cell(Cell::Global(it))))
            .or(position(program.locks.iter()).map(|it| Named::Cell(Cell::Lock(it))));
        match (label, declared) {
            (Some(_), Some(_)) => {
                let message = format!("`{name}` is a label and a declared name");
                let diagnostic = Diagnostic::new(span.clone(), message, "which of them?");
                Err(diagnostic.help("give the label another name").into())
            }
            (Some(found), None) | (None, Some(found)) => Ok(found),
            (None, None) => {
                let message = format!("there is no `{name}` in the program");
                let diagnostic = Diagnostic::new(span.clone(), message, "unknown name");
                let labels = program.labels.iter().map(|it| it.name.as_str());
                let types = program.types.iter().map(|it| it.name.as_str());
                let cells = program.globals.iter().chain(&program.locks);
                let known = labels.chain(types).chain(cells.map(String::as_str));
                let help = match nearest(name, known) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "write a label, a thread type, a global variable or a lock".to_owned(),
                };
                Err(diagnostic.help(help).into())
            }
        }
    }
}

enum Named {
    Crowd(Crowd),
    Cell(Cell),
}
