//! All tests of this crate from outside, as one program: they share what they need of searches, which
//! takes longer to compile and link than most of them take to run.

mod axioms;
mod common;
mod equivalence;
mod front;
mod machines;
mod print;
mod reductions;
