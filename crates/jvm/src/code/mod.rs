//! Methods in the form in which they are run.
//!
//! Bytecode is translated once per method, at its first call, from a stack machine to one
//! with registers: the local variables come first, then a register for each place of the
//! operand stack. Reading a local variable is then no instruction of its own.

mod build;
mod instr;
mod liveness;
mod opcodes;
mod tables;
#[cfg(test)]
mod tests;
mod translate;

use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;

pub(crate) use build::{Builder, Value};
pub use instr::{Instr, Op};
pub(crate) use liveness::{Liveness, successors};
pub(crate) use opcodes::{Opcode, Operands, decode};
pub(crate) use translate::translate;

use crate::bootstraps::{CallSite, Constant};
use crate::made_up::Source;
use crate::natives::Native;
use crate::world::{ClassId, LiteralId, MethodId};

/// What runs when a method is called.
pub(crate) enum Body {
    Code(Code),
    Native(Native, Source),
    /// A native method that the machine does not have.
    Missing,
    Abstract,
    /// Code that does not keep the rules; the message says which.
    Broken(String),
}

/// A translated method.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub(crate) instrs: Box<[Instr]>,
    /// Where in the bytecode an instruction comes from. Never decreases.
    pub(crate) pcs: Box<[u16]>,
    /// Whether what an instruction defines is a reference.
    pub(crate) refs: Box<[bool]>,
    /// Which registers matter where, once somebody has asked.
    pub(crate) liveness: OnceLock<Liveness>,
    /// How many registers a frame has.
    pub(crate) registers: u32,
    /// How many of them are local variables.
    pub(crate) locals: u16,
    pub(crate) sites: Box<[Site]>,
    pub(crate) handlers: Box<[CodeHandler]>,
    pub(crate) constants: Box<[u64]>,
    pub(crate) switches: Box<[Switch]>,
}

/// An exception handler: positions are those of the bytecode, the target is an instruction.
#[derive(Debug)]
pub(crate) struct CodeHandler {
    pub(crate) start: u16,
    pub(crate) end: u32,
    pub(crate) target: u32,
    /// The site of the class that it catches; none catches everything.
    pub(crate) site: Option<u32>,
}

/// The targets of a switch.
#[derive(Debug)]
pub enum Switch {
    /// One for each number from the lowest on.
    Table {
        /// The lowest number.
        low: i32,
        /// Where they lead.
        targets: Box<[u32]>,
        /// Where all others lead.
        default: u32,
    },
    /// One for each of the keys, which are sorted.
    Lookup {
        /// The keys.
        keys: Box<[i32]>,
        /// Where they lead.
        targets: Box<[u32]>,
        /// Where all others lead.
        default: u32,
    },
}

impl Switch {
    /// Where a key leads.
    pub fn target(&self, key: i32) -> u32 {
        match self {
            Self::Table {
                low,
                targets,
                default,
            } => {
                let offset = i64::from(key) - i64::from(*low);
                usize::try_from(offset)
                    .ok()
                    .and_then(|i| targets.get(i))
                    .copied()
                    .unwrap_or(*default)
            }
            Self::Lookup {
                keys,
                targets,
                default,
            } => keys
                .binary_search(&key)
                .ok()
                .and_then(|i| targets.get(i))
                .copied()
                .unwrap_or(*default),
        }
    }
}

/// A place in the code that refers to the constant pool, and what was found there.
#[derive(Debug, Default)]
pub(crate) struct Site {
    pub(crate) pool: u16,
    pub(crate) cell: OnceLock<Resolved>,
}

impl Site {
    pub(crate) fn resolved(what: Resolved) -> Self {
        Self {
            pool: 0,
            cell: OnceLock::from(what),
        }
    }
}

/// What a site refers to.
#[derive(Debug)]
pub(crate) enum Resolved {
    Field {
        slot: u32,
        is_volatile: bool,
    },
    Static {
        class: ClassId,
        slot: u32,
        is_volatile: bool,
    },
    Method(Target),
    Class(ClassId),
    Literal(LiteralId),
    Constant(Constant),
    CallSite(CallSite),
}

/// A method that is called.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) method: MethodId,
    /// Its place in vtables, if it is called through them.
    pub(crate) vtable_index: Option<u32>,
    /// The last receiver's class and the method that it led to. Not part of any state: it
    /// only saves a look-up.
    pub(crate) cache: AtomicU64,
}
