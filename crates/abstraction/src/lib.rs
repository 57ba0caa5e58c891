//! Any number of threads: from a program in the machine's form to nets, by predicates that are
//! found on the way.
//!
//! `ir::Program -> `[`lower`]` (templates) -> compose -> abstraction (predicates) -> net ->
//! raddle_cover`, and from a run back: is it possible? If it is, it is replayed on the
//! machine; if not, it tells new predicates. [`check()`] is the whole of it.
//!
//! After Podelski and Rybalchenko's line of work as chapter 3.1 of paper 003 sketches it, with
//! broadcast and `dead` after Donaldson, Kaiser, Kroening, Tautschnig, Wahl
//! (Counterexample-guided abstraction refinement for symmetric concurrent programs, 2012) and
//! Kaiser, Kroening, Wahl (Lost in abstraction, 2014).

pub mod terms;
pub mod solver;
pub mod program;
pub mod lower;
mod compose;
mod weights;
mod queries;
mod cubes;
mod abstraction;
mod nets;
pub mod boolean;
mod runs;
mod refine;
mod targets;
mod replay;
mod refinement;
mod check;
#[cfg(test)]
mod covering;
pub mod certificate;

pub use check::{Conclusion, Inquiry, LineFacts, Proof, Question, check};
pub use lower::Unsupported;
pub use refinement::{Attempt, Predicate};
pub use replay::Witness;
