//! Extracted programs against the Java programs that they come from.

mod common;
mod folder;
mod programs;
