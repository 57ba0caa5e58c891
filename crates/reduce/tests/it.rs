//! All tests of this crate from outside, as one program: they share what they need of searches, which
//! takes longer to compile and link than most of them take to run.

mod cartesian;
mod discipline;
mod docs;
mod observer;
mod paranoid;
mod parts;
mod soundness;
mod stateless;
mod transactions;
