//! Litmus tests of Java's memory model: read in the syntax of herd, executed on histories and views.

mod explore;
mod parser;
mod program;
mod system;

pub use explore::{Explored, Judgement, Observation, explore};
pub use parser::parse;
pub use program::{
    Change, Condition, Expression, Instruction, Litmus, Location, Observed, Operator, Quantifier,
    Question, Register, Thread,
};
pub use system::LitmusState;
