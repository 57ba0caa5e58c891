//! All tests of this crate from outside, as one program: they share what they need of searches, which
//! takes longer to compile and link than most of them take to run.

mod again;
mod common;
mod parts;
mod schedules;
mod search;
mod snapshots;
mod together;
mod waits;
