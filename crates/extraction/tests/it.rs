//! Extracted programs against the Java programs that they come from.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "RADDLE_SHOW shows what was extracted"
)]

mod common;
mod folder;
mod programs;
mod random;
