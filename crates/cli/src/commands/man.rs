//! `raddle man`: the pages of the manual, made of the help.

use super::SUCCESS;
use crate::args::{Cli, Man};
use crate::build;
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
        .source(format!("raddle {}", build::VERSION))
        .render(&mut page)
        .map_err(|error| Failure::new(format!("the page of {name}: {error}")))?;
    Ok(with_sections(&String::from_utf8_lossy(&page)))
}

/// A page on which what stands below the help has its own sections, and its lines as they are.
fn with_sections(page: &str) -> String {
    const EXTRA: &str = ".SH EXTRA";
    let Some((before, after)) = page.split_once(&format!("{EXTRA}\n")) else {
        return page.to_owned();
    };
    let (extra, rest) = match after.find("\n.SH ") {
        Some(end) => after.split_at(end + 1),
        None => (after, ""),
    };
    let is_title = |line: &str| {
        let mut characters = line.chars();
        !line.is_empty() && characters.all(|it| it.is_ascii_uppercase() || it == ' ')
    };
    let mut out = before.to_owned();
    if !extra.lines().next().is_some_and(is_title) {
        out.push_str(".SH NOTES\n.nf\n");
    }
    for line in extra.lines() {
        match is_title(line) {
            true => out.push_str(&format!(".fi\n.SH {line}\n.nf\n")),
            false => out.push_str(&format!("{line}\n")),
        }
    }
    out + ".fi\n" + rest
}

#[cfg(test)]
mod tests {
    use super::with_sections;

    #[test]
    fn what_stands_below_the_help_keeps_its_lines() {
        let page =
            ".SH NAME\nx\n.SH EXTRA\nEXAMPLES\n  x 1\n\nEXIT CODES\n  0  good\n.SH VERSION\nv1\n";
        let expected = ".SH NAME\nx\n.fi\n.SH EXAMPLES\n.nf\n  x 1\n\n.fi\n.SH EXIT CODES\n.nf\n  0  good\n.fi\n.SH VERSION\nv1\n";
        assert_eq!(with_sections(page), expected);
        let page = ".SH EXTRA\nSome words.\n";
        assert_eq!(with_sections(page), ".SH NOTES\n.nf\nSome words.\n.fi\n");
    }
}
