//! `raddle show`: a program as raddle sees it.

use super::SUCCESS;
use crate::args::Show;
use crate::console;
use crate::failure::Failure;
use crate::programs;
use raddle_lang::{compile_with, format, parser};
use raddle_machine::{graph, text::print};

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Show) -> Result<u8, Failure> {
    let text = programs::read(&args.file)?;
    let source = text.main().clone();
    if !text.front.is_model() {
        return Err(Failure::new(format!(
            "only models are shown; try `raddle translate {} --to dot`",
            source.name
        )));
    }
    let shown = if args.form.format {
        parser::parse(&source.text).map(|tree| format::format(&tree))
    } else {
        compile_with(&source.text, &args.defines).map(|program| match args.form.dot {
            true => graph::dot(&program),
            false => print(&program),
        })
    };
    let shown = shown.map_err(|mistakes| Failure::program(source, mistakes))?;
    console::answer(&shown)?;
    Ok(SUCCESS)
}
