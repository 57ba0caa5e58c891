//! All tests of this crate from outside, as one program.

mod models;
mod programs;
mod random;
