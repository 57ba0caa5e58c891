//! Tools for testing raddle; no part of the program.
//!
//! [`corpus`] runs programs whose expectations stand in their comments, under every
//! search order and store. [`generate`] makes random programs. [`differential`] compares
//! every reduction with full search, [`mutations`] are the clauses of the reductions and
//! how to delete them. [`java`] makes random Java programs.

pub mod expectation;
pub mod corpus;
pub mod generate;
pub mod differential;
pub mod parallel;
pub mod mutations;
pub mod java;
