//! Tools for testing raddle; no part of the program.
//!
//! [`corpus`] runs programs whose expectations stand in their comments, under every
//! search order and store. [`generate`] makes random programs.

pub mod expectation;
pub mod corpus;
pub mod generate;
