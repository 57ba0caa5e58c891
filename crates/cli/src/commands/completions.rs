//! `raddle completions`: a script with which a shell completes raddle's command lines.

use super::SUCCESS;
use crate::args::{Cli, Completions};
use crate::console;
use crate::failure::Failure;
use clap::{CommandFactory, ValueHint};
use clap_complete::Shell;

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Completions) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "raddle", &mut script);
    let script = String::from_utf8_lossy(&script);
    console::answer(&match args.shell {
        Shell::Bash => offering_files(&script),
        _ => script.into_owned(),
    })?;
    Ok(SUCCESS)
}

/// The script for bash. Where nothing is typed yet it offers all flags; where a file is expected,
/// it had better offer nothing, so that bash offers the files.
fn offering_files(script: &str) -> String {
    let raddle = Cli::command();
    let takes_file = |name: &str| {
        let command = raddle.find_subcommand(name);
        let first = command.and_then(|it| it.get_positionals().next());
        let hint = first.map(clap::Arg::get_value_hint);
        matches!(hint, Some(ValueHint::FilePath | ValueHint::AnyPath))
    };
    let mut out = String::new();
    for line in script.lines() {
        out.push_str(&format!("{line}\n"));
        let command = line.trim().strip_prefix("raddle__subcmd__");
        if command
            .and_then(|it| it.strip_suffix(')'))
            .is_some_and(takes_file)
        {
            out.push_str("            [[ -z ${cur} && ${prev} != -* ]] && return 0\n");
        }
    }
    out
}
