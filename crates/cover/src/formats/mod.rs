//! The files that nets are kept in: text to net, and net to text.
//!
//! | file | what it is |
//! | --- | --- |
//! | [`spec`] | mist's rules, `.spec`, and with a few additions the text form of all nets, `.net` |
//! | [`tts`] | thread transition systems of BFC, `.tts` with `.prop` and `.init` |
//! | [`pnml`] | place/transition nets in PNML |
//! | [`dot`] | pictures, only written |
//! | [`certificate`] | why a net is safe, in JSON |
//!
//! Everything here is a pure function of text. Who reads the file calls [`decode`] first.

pub mod certificate;
pub mod dot;
pub mod pnml;
pub mod spec;
pub mod tts;

use crate::net::{Demand, MOST_TOKENS, Net};
use crate::system::NetSystem;
use crate::upper::UpperBounds;
use raddle_diagnostics::{Diagnostic, Span};
use std::collections::HashSet;
use std::fmt;

/// What a file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The net.
    pub net: Net,
    /// What the file says and a net cannot, because it is not monotone. Where there is any,
    /// the net can do whatever the file can, and more: if the net is safe, so is the file;
    /// otherwise nothing is known.
    pub obstacles: Vec<Diagnostic>,
    /// The obstacles, if all of them are bounds from above: the net with these bounds does what
    /// the file says, and nothing else.
    pub upper: Option<UpperBounds>,
}

impl Parsed {
    /// What the file says as a program, as far as it can be said.
    pub fn system(&self) -> NetSystem<'_> {
        NetSystem::bounded(&self.net, self.upper.as_ref())
    }

    /// Adds a target, which has no bounds from above.
    pub fn forbid(&mut self, target: Demand) {
        self.net.targets.push(target);
        if let Some(upper) = &mut self.upper {
            upper.targets.push(Vec::new());
        }
    }
}

/// Why a file gives no net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatError {
    /// The file is not as its format says.
    Malformed(Vec<Diagnostic>),
    /// The file is as its format says, and there is something in it that is not supported:
    /// nothing is known about it.
    Unsupported(Vec<Diagnostic>),
}

/// Why a net cannot be written in a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inexpressible(pub String);

impl fmt::Display for Inexpressible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Inexpressible {}

/// The text of a file. Bytes that are not UTF-8 are read as Latin-1, which older files have
/// in their comments.
pub fn decode(bytes: &[u8]) -> String {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    };
    match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

/// What is found while a file is read.
#[derive(Clone, Debug, Default)]
struct Findings {
    malformed: Vec<Diagnostic>,
    unsupported: Vec<Diagnostic>,
    obstacles: Vec<Diagnostic>,
    /// The bounds from above among the obstacles, and how many obstacles these are.
    upper: UpperBounds,
    upper_bounds: usize,
}

/// After so many errors nobody reads on, and looking for similar names takes time.
const MOST_ERRORS: usize = 50;

impl Findings {
    fn is_enough(&self) -> bool {
        self.malformed.len() >= MOST_ERRORS
    }

    /// The outcome of reading a file that gave this net, if no error prevents it.
    fn conclude(self, net: Net) -> Result<Parsed, FormatError> {
        if !self.malformed.is_empty() {
            return Err(FormatError::Malformed(self.malformed));
        }
        if !self.unsupported.is_empty() {
            return Err(FormatError::Unsupported(self.unsupported));
        }
        debug_assert_eq!(net.defect(), None);
        let is_exact = self.obstacles.len() == self.upper_bounds && self.upper_bounds > 0;
        Ok(Parsed {
            net,
            obstacles: self.obstacles,
            upper: is_exact.then_some(self.upper),
        })
    }
}

/// An error on its way up: small, because success is what usually comes back.
pub(crate) type Wrong = Box<Diagnostic>;

/// A number of tokens.
pub(crate) fn number(digits: &str, span: &Span) -> Result<u32, Wrong> {
    let value = digits.parse().ok().filter(|&value| value <= MOST_TOKENS);
    value.ok_or_else(|| {
        let label = format!("at most {MOST_TOKENS} is possible");
        Diagnostic::new(span.clone(), "this number is too large", label).into()
    })
}

/// How many tokens a transition takes from a place and brings to it, if it needs some and
/// changes their number.
fn taken_and_brought(needed: u32, change: i64) -> (u64, u64) {
    let (needed, size) = (u64::from(needed), change.unsigned_abs());
    match change < 0 {
        true => (needed.max(size), needed.max(size) - size),
        false => (needed, needed + size),
    }
}

/// Names that are legal and all different. Who is the only one with its name, and legal,
/// keeps it, as far as nobody else was renamed like that.
fn distinct(names: &[String], legal: impl Fn(&str) -> String) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::new();
    let mut found = Vec::with_capacity(names.len());
    for (index, name) in names.iter().enumerate() {
        let mut name = legal(name);
        while taken.contains(&name) {
            name = format!("{name}_{index}");
        }
        taken.insert(name.clone());
        found.push(name);
    }
    found
}
