//! All tests of this crate from outside, as one program: they share what they need of searches, which
//! takes longer to compile and link than most of them take to run.

mod histories;
mod java;
mod layout;
mod mutations;
mod random_programs;
mod symmetry;
mod temporal;
