//! `raddle completions`: a script with which a shell completes raddle's command lines.

use super::SUCCESS;
use crate::args::{Cli, Completions};
use crate::console;
use crate::failure::Failure;
use clap::CommandFactory;

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Completions) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "raddle", &mut script);
    console::answer(&String::from_utf8_lossy(&script))?;
    Ok(SUCCESS)
}
