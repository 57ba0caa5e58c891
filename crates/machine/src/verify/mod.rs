//! Says whether a program is well formed.
//!
//! The machine trusts a verified program: it follows indices, lays out memory and
//! traverses the heap without looking twice. What only the execution can tell (the
//! index of an element, a null reference, a division by zero) it checks itself.
//!
//! The rules about data are in `layout.rs`, those about single instructions and
//! expressions in `code.rs`, those about paths through a function in `flow.rs`.

mod code;
mod flow;
mod layout;

use crate::ir::{Pc, Program};
use std::fmt;

/// Checks a program; tells everything that is wrong with it.
pub fn verify(program: &Program) -> Result<(), Vec<Defect>> {
    let mut checker = Checker {
        program,
        pc: None,
        defects: Vec::new(),
    };
    checker.layout();
    checker.code();
    checker.replicated();
    match checker.defects.is_empty() {
        true => Ok(()),
        false => Err(checker.defects),
    }
}

/// Something that is wrong with a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defect {
    /// What is wrong.
    pub message: String,
    /// The instruction that is, if it is one.
    pub pc: Option<Pc>,
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pc {
            Some(pc) => write!(f, "instruction {}: {}", pc.0, self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Defect {}

/// How deep expressions may be nested, so that whoever walks over them recursively
/// has enough stack.
pub const MAXIMUM_DEPTH: usize = 1000;

/// How many words the shared variables, or an instance of a record, may have.
pub const MAXIMUM_WORDS: u32 = 1 << 24;

struct Checker<'a> {
    program: &'a Program,
    /// The instruction at hand.
    pc: Option<Pc>,
    defects: Vec<Defect>,
}

impl Checker<'_> {
    /// Notes a defect, unless it is the last one again.
    fn defect(&mut self, message: impl Into<String>) {
        let defect = Defect {
            message: message.into(),
            pc: self.pc,
        };
        if self.defects.last() != Some(&defect) {
            self.defects.push(defect);
        }
    }

    /// A defect unless a rule is kept.
    fn rule(&mut self, kept: bool, message: impl FnOnce() -> String) {
        if !kept {
            self.defect(message());
        }
    }
}
