//! `raddle man`: the pages of the manual, made of the help.

use super::SUCCESS;
use crate::args::{Cli, Man};
use crate::console;
use crate::failure::Failure;
use crate::files;
use clap::CommandFactory;
use std::fs;

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Man) -> Result<u8, Failure> {
    // What is not built yet does not know the flags that all commands share.
    let mut raddle = Cli::command().disable_help_subcommand(true);
    raddle.build();
    let Some(folder) = &args.all else {
        let command = match &args.command {
            None => &raddle,
            Some(name) => raddle
                .find_subcommand(name)
                .ok_or_else(|| Failure::new(format!("there is no command `{name}`")))?,
        };
        console::answer(&page(command)?)?;
        return Ok(SUCCESS);
    };
    fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
    for command in std::iter::once(&raddle).chain(raddle.get_subcommands()) {
        let file = folder.join(format!("{}.1", file_name(command)));
        files::write(&file, &page(command)?)?;
    }
    Ok(SUCCESS)
}

/// The name of a page, with hyphens: `raddle-check`.
fn file_name(command: &clap::Command) -> String {
    command
        .get_display_name()
        .unwrap_or(command.get_name())
        .to_owned()
}

fn page(command: &clap::Command) -> Result<String, Failure> {
    let mut page = Vec::new();
    let name = file_name(command);
    clap_mangen::Man::new(command.clone())
        .title(name.to_uppercase())
        .render(&mut page)
        .map_err(|error| Failure::new(format!("the page of {name}: {error}")))?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
