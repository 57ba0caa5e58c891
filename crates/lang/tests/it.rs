//! All tests of this crate from outside, as one program: they share what they need of searches, which
//! takes longer to compile and link than most of them take to run.

mod check;
mod errors;
mod format;
mod lower;
mod parser;
mod replicated;
mod tidy;
