//! The commands, and what all of them share: the exit code and how errors are told.

mod api;
mod check;
mod compare;
mod completions;
mod doctor;
mod explore;
mod flags;
mod fmt;
mod last_words;
mod linearize;
mod litmus;
mod lsp;
mod man;
mod papers;
mod project;
mod replay;
mod run;
mod show;
mod tests;
mod translate;
mod verify;

use crate::args::{Cli, Command, When};
use crate::console::{self, Console};
use crate::failure::Failure;
use crate::front;
use clap::Parser;
use clap::error::{ContextKind, ContextValue};
use raddle_report::Answer;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Runs a command line; the answer is the exit code.
pub(crate) fn run(line: Vec<OsString>) -> u8 {
    let line = in_long(line);
    let json = line.iter().any(|word| word == "--json");
    let cli = match Cli::try_parse_from(line) {
        Ok(cli) => cli,
        Err(error) => return misused(error, json),
    };
    let console = Console::new(cli.color);
    let done = match &cli.command {
        Command::Check(check) => check::run(check, console),
        Command::Linearize(linearize) => linearize::run(linearize, console),
        Command::Litmus(litmus) => litmus::run(litmus),
        Command::Test(test) => project::run(test, console),
        Command::Compare(compare) => compare::run(compare),
        Command::Papers(papers) => papers::run(papers),
        Command::Replay(replay) => replay::run(replay, console),
        Command::Explore(explore) => explore::run(explore),
        Command::Show(show) => show::run(show),
        Command::Translate(translate) => translate::run(translate),
        Command::Verify(verify) => verify::run(verify),
        Command::Fmt(fmt) => fmt::run(fmt),
        Command::Run(program) => run::run(program),
        Command::Api(api) => api::run(api),
        Command::Completions(completions) => completions::run(completions),
        Command::Man(man) => man::run(man),
        Command::Lsp(lsp) => lsp::run(lsp),
        Command::Doctor(doctor) => doctor::run(doctor),
    };
    match done {
        Ok(code) => code,
        Err(failure) => {
            let (json, file) = match &cli.command {
                Command::Check(check) => (check.json, Some(&check.file)),
                Command::Linearize(it) => (it.check.json, Some(&it.check.file)),
                Command::Litmus(litmus) => (litmus.json, litmus.files.first()),
                Command::Compare(compare) => (compare.json, Some(&compare.file)),
                Command::Test(test) => (test.json, Some(&test.folder)),
                Command::Papers(papers) => (papers.json, None),
                Command::Replay(replay) => (replay.json, Some(&replay.trace)),
                Command::Translate(translate) => (translate.json, Some(&translate.file)),
                Command::Verify(verify) => (verify.json, Some(&verify.file)),
                Command::Run(program) => (program.json, Some(&program.file)),
                Command::Doctor(doctor) => (doctor.json, None),
                Command::Explore(_)
                | Command::Show(_)
                | Command::Fmt(_)
                | Command::Api(_)
                | Command::Completions(_)
                | Command::Man(_)
                | Command::Lsp(_) => (false, None),
            };
            fail(&failure, json, file.map(PathBuf::as_path), console)
        }
    }
}

/// Spells options as raddle does that `java` and `javac` spell with one hyphen.
fn in_long(line: Vec<OsString>) -> Vec<OsString> {
    let end = line.iter().position(|word| word == "--");
    let end = end.unwrap_or(line.len());
    let long = |(index, word): (usize, OsString)| match word.to_str() {
        Some("-cp" | "-classpath") if index < end => "--class-path".into(),
        Some("-ea" | "-enableassertions") if index < end => "--enable-assertions".into(),
        _ => word,
    };
    line.into_iter().enumerate().map(long).collect()
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

fn fail(failure: &Failure, json: bool, file: Option<&Path>, console: Console) -> u8 {
    let is_told = json && console::answer(&format!("{:#}\n", failure.json(file))).is_ok();
    if !is_told {
        console::complain(&failure.text(console.error_color));
    }
    match failure.reason() {
        Some(_) => exit_code(Answer::Unknown),
        None => BAD_INPUT,
    }
}

/// A command line that cannot be understood, or that asks for help or the version.
fn misused(mut error: clap::Error, json: bool) -> u8 {
    let tip = forgotten_command(&error);
    if let Some(tip) = &tip {
        let tip = ContextValue::StyledStrs(vec![tip.into()]);
        error.insert(ContextKind::Suggested, tip);
    }
    if json && error.use_stderr() {
        // What follows the first paragraph is advice for people at a terminal.
        let told = error.render().to_string();
        let told = told.split("\n\n").next().unwrap_or_default();
        let failure = Failure::new(told.strip_prefix("error: ").unwrap_or(told).trim());
        let failure = match &tip {
            Some(tip) => failure.because(tip),
            None => failure,
        };
        drop(console::answer(&format!("{:#}\n", failure.json(None))));
        return BAD_INPUT;
    }
    let console = Console::new(When::Auto);
    let told = error.render();
    let text = |color: bool| match color {
        true => told.ansi().to_string(),
        false => told.to_string(),
    };
    if error.use_stderr() {
        console::complain(&text(console.error_color));
        return BAD_INPUT;
    }
    // Nobody is left to be told that the help could not be printed.
    drop(console::answer(&text(console.color)));
    SUCCESS
}

/// What to say if a file stands where a command is expected.
fn forgotten_command(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let path = Path::new(word);
    let ending = path.extension().and_then(OsStr::to_str);
    let program = ending.and_then(front::by_ending).is_some();
    let command = match path
        .extension()
        .is_some_and(|extension| extension == "json")
    {
        true => "replay",
        false => "check",
    };
    let meant = program || path.is_file();
    meant.then(|| format!("did you mean `raddle {command} {word}`?"))
}
