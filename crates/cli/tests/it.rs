//! All tests of this crate from outside, as one program: they share what they need of searches, which
//! takes longer to compile and link than most of them take to run.

#![allow(
    clippy::duplicate_mod,
    reason = "the helpers for Java programs and for others both validate"
)]

mod abstractions;
mod browser;
mod checkpoints;
mod choices;
mod cli;
mod common;
mod coverage;
mod explore;
mod fmt;
mod forms;
mod java;
mod java_compared;
mod java_guards;
mod java_jobs;
mod java_processes;
mod java_races;
mod java_runs;
mod java_threads;
mod java_traces;
mod junit;
mod limits;
mod linearize;
mod liveness;
mod lsp;
mod page;
mod parts;
mod reductions;
mod run;
mod sarif;
mod security;
mod symmetry;
mod test_engines;
mod unbounded;
