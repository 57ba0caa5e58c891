//! `raddle show`: a program as raddle sees it.

use super::SUCCESS;
use crate::args::Show;
use crate::console;
use crate::failure::Failure;
use crate::files;
use raddle_lang::{compile_with, format, parser};
use raddle_machine::{graph, text};

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Show) -> Result<u8, Failure> {
    let source = files::read_program(&args.file)?;
    let shown = if args.form.format {
        parser::parse(&source.text).map(|tree| format::format(&tree))
    } else {
        compile_with(&source.text, &args.defines).map(|program| match args.form.dot {
            true => graph::dot(&program),
            false => text::print(&program),
        })
    };
    let shown = shown.map_err(|mistakes| Failure::program(source, mistakes))?;
    console::answer(&shown)?;
    Ok(SUCCESS)
}
