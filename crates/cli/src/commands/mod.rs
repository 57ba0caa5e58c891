//! The commands, and what all of them share: the exit code and how errors are told.

mod check;
mod compare;
mod completions;
mod replay;
mod show;

use crate::args::{Cli, Command};
use crate::console::{self, Console};
use crate::failure::Failure;
use clap::Parser;
use raddle_report::Answer;
use std::ffi::OsString;

/// Runs a command line; the answer is the exit code.
pub(crate) fn run(line: Vec<OsString>) -> u8 {
    let json = line.iter().any(|word| word == "--json");
    let cli = match Cli::try_parse_from(line) {
        Ok(cli) => cli,
        Err(error) => return misused(&error, json),
    };
    let console = Console::new(cli.color);
    let done = match &cli.command {
        Command::Check(check) => check::run(check, console),
        Command::Compare(compare) => compare::run(compare),
        Command::Replay(replay) => replay::run(replay, console),
        Command::Show(show) => show::run(show),
        Command::Completions(completions) => completions::run(completions),
    };
    match done {
        Ok(code) => code,
        Err(failure) => {
            let json = match &cli.command {
                Command::Check(check) => check.json,
                Command::Compare(compare) => compare.json,
                Command::Replay(replay) => replay.json,
                Command::Show(_) | Command::Completions(_) => false,
            };
            fail(&failure, json, console)
        }
    }
}

/// Exit code of commands that give no verdict and succeed.
pub(crate) const SUCCESS: u8 = 0;
/// Exit code of a run that could not be done.
pub(crate) const BAD_INPUT: u8 = 3;

/// The exit code of a verdict.
pub(crate) fn exit_code(answer: Answer) -> u8 {
    match answer {
        Answer::Holds => 0,
        Answer::Violated => 1,
        Answer::Unknown => 2,
    }
}

fn fail(failure: &Failure, json: bool, console: Console) -> u8 {
    match json {
        // If the answer cannot be written there is no other way to tell.
        true => drop(console::answer(&format!("{:#}\n", failure.json()))),
        false => console::complain(&failure.text(console.error_color)),
    }
    BAD_INPUT
}

/// A command line that cannot be understood, or that asks for help or the version.
fn misused(error: &clap::Error, json: bool) -> u8 {
    if json && error.use_stderr() {
        // What follows the first paragraph is advice for people at a terminal.
        let told = error.render().to_string();
        let told = told.split("\n\n").next().unwrap_or_default();
        let failure = Failure::new(told.strip_prefix("error: ").unwrap_or(told).trim());
        drop(console::answer(&format!("{:#}\n", failure.json())));
        return BAD_INPUT;
    }
    // Nobody is left to be told that the help could not be printed.
    drop(error.print());
    match error.use_stderr() {
        true => BAD_INPUT,
        false => SUCCESS,
    }
}
