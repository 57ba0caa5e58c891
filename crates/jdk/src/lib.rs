//! Java programs on disk: the JDK to use, the class path, source that has to be compiled, the
//! tests of a class.
//!
//! The answer is always where classes are and which of them begins ([`Program`], [`junit::Suite`]);
//! what they do is the business of `raddle-jvm` and `raddle-java`. This crate reads files. It
//! writes only into folders that it is given, and it starts no processes: both, and the
//! environment, are what [`Tools`] is for.

pub mod api;
mod compiler;
mod installation;
pub mod junit;
mod program;
pub mod structure;
pub mod project;
mod trouble;

pub use installation::{Check, Installation, on_path};
pub use program::{Launch, Program, incomplete, source_files};
pub use trouble::Trouble;

use raddle_model::StopFlag;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// What is needed of the system that raddle runs on.
pub trait Tools: Send + Sync {
    /// A variable of the environment.
    fn variable(&self, name: &str) -> Option<OsString>;

    /// A new folder that no other user can read, and that is removed when it is dropped.
    fn folder(&self) -> Result<Folder, Trouble>;

    /// Runs a command until it ends or is stopped, and passes on what it prints. The answer is
    /// whether it succeeded.
    fn run(&self, command: Command, stop: &StopFlag) -> Result<bool, Trouble>;
}

/// A temporary folder, which is removed when it is dropped.
pub type Folder = Box<dyn AsRef<Path> + Send + Sync>;
