//! `raddle test`: the tests of a project, several at a time, each in a process of its own that is
//! `raddle check`.

mod processes;
mod results;
mod suites;

use super::{SUCCESS, exit_code};
use crate::args::Test as Args;
use crate::console::{self, Console, complain};
use crate::failure::Failure;
use crate::files;
use crate::progress::Watcher;
use processes::Outcome;
use raddle_model::Limits;
use raddle_report::Answer;
use results::Results;
use std::fs;

/// Runs the command; the answer is the exit code of the worst verdict.
pub(crate) fn run(args: &Args, console: Console) -> Result<u8, Failure> {
    if let Some(path) = &args.junit {
        files::guard_junit(path, &args.folder)?;
    }
    if let Some(path) = &args.sarif {
        files::guard_results(path, &args.folder)?;
    }
    if let Some(folder) = &args.html {
        fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
        files::guard_page(&folder.join("index.html"), &args.folder)?;
    }
    let mut watcher = Watcher::new(&Limits::NONE, args.progress);
    watcher.note("looking for tests");
    let suites = suites::find(args, &watcher.stop_flag())?;
    let mut results = Results::new(args, console, &suites);
    processes::check(
        args,
        &suites.tests,
        &mut watcher,
        |index, outcome: Outcome| results.add(index, outcome),
    )?;
    watcher.clear();
    let mut failures = Vec::from_iter(console::answer(&results.summary()).err());
    failures.extend(results.save());
    // What could not be written does not change the verdicts.
    for failure in failures {
        complain(&failure.text(console.error_color));
    }
    Ok(match results.worst() {
        Answer::Holds => SUCCESS,
        worst => exit_code(worst),
    })
}
