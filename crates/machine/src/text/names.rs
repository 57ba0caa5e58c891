//! How things are named in the textual form, for the printer and the parser alike.

use crate::ir::{BinaryOperator, Function, Program};
use raddle_model::Kind;
use std::borrow::Cow;
use std::collections::HashMap;

/// The names that are known at some point of a text.
#[derive(Default)]
pub(super) struct Scope<'a> {
    pub(super) enums: Names<'a>,
    pub(super) records: Names<'a>,
    pub(super) regions: Names<'a>,
    pub(super) thread_locals: Names<'a>,
    pub(super) functions: Names<'a>,
    pub(super) declarations: Names<'a>,
    pub(super) labels: Names<'a>,
    /// The registers of the function at hand.
    pub(super) registers: Names<'a>,
}

impl<'a> Scope<'a> {
    /// The names of a program, outside of all functions.
    pub(super) fn of(program: &'a Program) -> Scope<'a> {
        Scope {
            enums: program.enums.iter().map(|e| e.name.as_str()).collect(),
            records: program.records.iter().map(|r| r.name.as_str()).collect(),
            regions: program.regions.iter().map(|r| r.name.as_str()).collect(),
            thread_locals: program
                .thread_locals
                .iter()
                .map(|slot| slot.name.as_str())
                .collect(),
            functions: program.functions.iter().map(|f| f.name.as_str()).collect(),
            declarations: program
                .declarations
                .iter()
                .map(|d| d.name.as_str())
                .collect(),
            labels: program.labels.iter().map(|l| l.name.as_str()).collect(),
            registers: Names::default(),
        }
    }

    /// Makes the registers of a function known instead of those of another.
    pub(super) fn enter(&mut self, function: &'a Function) {
        self.registers = function
            .registers
            .iter()
            .map(|slot| slot.name.as_str())
            .collect();
    }
}

/// The names of the things of one sort, by number.
#[derive(Default)]
pub(super) struct Names<'a> {
    names: Vec<Cow<'a, str>>,
    /// The number of each name, or nothing if several things have it.
    numbers: HashMap<Cow<'a, str>, Option<usize>>,
}

impl<'a> Names<'a> {
    /// Adds the name of the next thing.
    pub(super) fn push(&mut self, name: Cow<'a, str>) {
        let number = self.names.len();
        self.names.push(name.clone());
        self.numbers
            .entry(name)
            .and_modify(|known| *known = None)
            .or_insert(Some(number));
    }

    /// The name of a thing, if there is one of this number.
    pub(super) fn name(&self, number: usize) -> Option<&str> {
        self.names.get(number).map(AsRef::as_ref)
    }

    /// What a name alone stands for.
    pub(super) fn resolve(&self, name: &str) -> Resolution {
        match self.numbers.get(name) {
            None => Resolution::Unknown,
            Some(None) => Resolution::Ambiguous,
            Some(Some(number)) => Resolution::Number(*number),
        }
    }

    /// Writes a reference that the parser resolves to the same number.
    pub(super) fn refer(&self, number: usize, out: &mut String) {
        let Some(name) = self.name(number) else {
            out.push_str(&format!("#{number}"));
            return;
        };
        write_name(name, out);
        if self.resolve(name) == Resolution::Ambiguous {
            out.push_str(&format!("#{number}"));
        }
    }
}

impl<'a> FromIterator<&'a str> for Names<'a> {
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Names<'a> {
        let mut result = Names::default();
        names.into_iter().for_each(|name| result.push(name.into()));
        result
    }
}

/// What a name stands for.
#[derive(PartialEq, Eq)]
pub(super) enum Resolution {
    /// This one thing.
    Number(usize),
    /// Several things.
    Ambiguous,
    /// Nothing.
    Unknown,
}

/// Writes a name as it is where that is unambiguous, otherwise as a string.
pub(super) fn write_name(name: &str, out: &mut String) {
    let plain = name.split('.').all(is_identifier) && !is_reserved(name);
    if plain {
        out.push_str(name);
    } else {
        write_string(name, out);
    }
}

/// Writes a string in quotes, on one line and with visible characters only.
pub(super) fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        if character == '\'' {
            out.push(character);
        } else {
            out.extend(character.escape_debug());
        }
    }
    out.push('"');
}

fn is_identifier(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && word
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'_')
}

/// Whether the textual form itself uses a word where a name could stand, so that no
/// name may look like it.
pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.iter().any(|group| group.contains(&word))
}

#[rustfmt::skip]
const RESERVED: [&[&str]; 4] = [
    // Items.
    &["any", "claim", "enum", "function", "instance", "invariant", "label", "local", "property", "record", "region", "start",
      "thread", "words"],
    // Types, and what can come instead of one.
    &["at", "bool", "int", "ref", "tid"],
    // Expressions.
    &["accessed", "bounded", "count_at", "elements_of", "length_of", "me", "owner_of", "ranged", "value_of"],
    // Instructions.
    &["acquire", "assert", "assume", "atomic_begin", "atomic_end", "await", "call", "choose",
      "compare_and_set", "down", "fail", "fetch_add", "join", "jump", "new", "notify",
      "notify_all", "receive", "release", "resume", "return", "select", "send", "skip", "spawn",
      "unless", "up", "wait"],
];

/// The kinds of regions and their words.
pub(super) const KINDS: [(&str, Kind); 5] = [
    ("variable", Kind::Variable),
    ("monitor", Kind::Monitor),
    ("semaphore", Kind::Semaphore),
    ("channel", Kind::Channel),
    ("threads", Kind::Thread),
];

/// The operations on two values and their signs.
pub(super) const BINARY: [(&str, BinaryOperator); 18] = [
    ("+", BinaryOperator::Add),
    ("-", BinaryOperator::Subtract),
    ("*", BinaryOperator::Multiply),
    ("/", BinaryOperator::Divide),
    ("%", BinaryOperator::Remainder),
    ("==", BinaryOperator::Equal),
    ("!=", BinaryOperator::NotEqual),
    ("<", BinaryOperator::Less),
    ("<=", BinaryOperator::LessOrEqual),
    (">", BinaryOperator::Greater),
    (">=", BinaryOperator::GreaterOrEqual),
    ("&&", BinaryOperator::And),
    ("||", BinaryOperator::Or),
    ("&", BinaryOperator::BitAnd),
    ("|", BinaryOperator::BitOr),
    ("^", BinaryOperator::BitXor),
    ("<<", BinaryOperator::ShiftLeft),
    (">>", BinaryOperator::ShiftRight),
];
