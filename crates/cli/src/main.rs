//! raddle: checks every interleaving of a multithreaded program that matters.
//!
//! This crate is flags, files and the terminal; [`pipeline`] is what happens between
//! them.

mod args;
mod boolean;
mod build;
mod checkpoint;
mod commands;
mod console;
mod explore;
mod failure;
mod files;
mod front;
mod announcer;
mod input;
mod java;
mod leftovers;
mod memory;
mod model;
mod nets;
mod origin;
mod parametric;
mod pictures;
mod pipeline;
mod programs;
mod proofs;
mod progress;
mod shortening;
mod solvers;
mod symmetry;
mod tools;
mod trials;
mod units;
mod watchdog;

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(commands::run(std::env::args_os().collect()))
}
