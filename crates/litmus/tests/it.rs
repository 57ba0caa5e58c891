//! Litmus tests: those of the corpus, random ones against the axioms, and errors.

mod axioms;
mod corpus;
mod errors;
