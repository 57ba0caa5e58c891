//! Tools for testing raddle; no part of the program.
//!
//! [`corpus`] runs programs whose expectations stand in their comments, under every
//! search order and store. [`generate`] makes random programs, [`claims`] lets them claim
//! something about who accesses what. [`differential`] compares
//! every reduction with full search, [`temporal`] judges temporal properties in another way, [`symmetry`] holds search up to symmetry against plain search, [`mutations`] are the clauses of the reductions and
//! how to delete them. [`nets`] makes random nets and compares what is said of them.
//! [`java`] makes random Java programs, [`java_threads`] and [`java_schedules`] those with several
//! threads; [`jdk`] is what compiles them.

pub mod expectation;
pub mod corpus;
pub mod generate;
pub mod jam;
pub mod claims;
pub mod differential;
pub mod temporal;
pub mod symmetry;
pub mod parallel;
pub mod mutations;
pub mod nets;
pub mod jdk;
pub mod libraries;
pub mod z3;
mod java_text;
pub mod java;
pub mod java_schedules;
pub mod java_threads;
