//! All tests of this crate from outside, as one program: they share what they need of searches, which
//! takes longer to compile and link than most of them take to run.

mod benchmarks;
mod certificates;
mod forward;
mod large;
mod random_nets;
mod saved;
mod upper;
