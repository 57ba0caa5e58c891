//! The modelling language: `.rad` text to the machine's intermediate form.
//!
//! `text -> `[`lexer`]` -> `[`parser`]` -> `[`ast`]` -> `[`check`]` (names and types) ->
//! `[`lower`]` -> ir::Program`. [`format`](mod@format) prints a tree back as text.
//! Errors are [`Diagnostic`]s with spans; several are reported at once.

pub mod ast;
mod define;
pub mod lexer;
pub mod parser;
pub mod format;
pub mod tidy;
pub mod check;
pub mod lower;
pub mod coverage;

use raddle_diagnostics::{Diagnostic, Index};
use raddle_machine::ir;

/// Turns the text of a program into the machine's form.
pub fn compile(source: &str) -> Result<ir::Program, Vec<Diagnostic>> {
    compile_with(source, &[])
}

/// As [`compile`], with other values for some of the program's constants.
pub fn compile_with(
    source: &str,
    defines: &[(String, i64)],
) -> Result<ir::Program, Vec<Diagnostic>> {
    let mut tree = parser::parse(source)?;
    define::apply(&mut tree, defines)?;
    let checked = check::check(&tree)?;
    lower::lower(source, &checked)
}

/// The names of a program, as far as its errors let them be made out.
pub fn index(source: &str) -> Index {
    let mut index = check::index(&parser::read(source).0);
    for (span, declared) in &mut index.uses {
        // An expression has the parentheses around it, and a name has not.
        if let (Some(used), Some(name)) = (source.get(span.clone()), source.get(declared.clone()))
            && used != name
        {
            let (tokens, _) = lexer::lex(used);
            let mut tokens = tokens.into_iter().map(|token| token.span);
            if let Some(found) = tokens.find(|it| used.get(it.clone()) == Some(name)) {
                *span = span.start + found.start..span.start + found.end;
            }
        }
    }
    index
}

/// Reads `NAME=number`, `NAME=true` or `NAME=false`.
pub fn parse_define(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| format!("`{text}` is not of the form NAME=value"))?;
    let name = name.trim().to_owned();
    match value.trim() {
        "true" => Ok((name, 1)),
        "false" => Ok((name, 0)),
        number => match number.parse::<i32>() {
            Ok(value) => Ok((name, i64::from(value))),
            Err(_) => Err(format!("`{value}` is not a number of 32 bits")),
        },
    }
}
