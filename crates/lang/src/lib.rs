//! The modelling language: `.rad` text to the machine's intermediate form.
//!
//! `text -> `[`lexer`]` -> `[`parser`]` -> `[`ast`]` -> `[`check`]` (names and types) ->
//! `[`lower`]` -> ir::Program`. [`format`](mod@format) prints a tree back as text.
//! Errors are [`diagnostics::Diagnostic`]s with spans; several are reported at once.

pub mod ast;
pub mod diagnostics;
pub mod lexer;
pub mod parser;
pub mod format;
pub mod check;
pub mod lower;

use diagnostics::Diagnostic;
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
    for (name, value) in defines {
        redefine(&mut tree, name, *value)?;
    }
    let checked = check::check(&tree)?;
    lower::lower(source, &checked)
}

fn redefine(tree: &mut ast::Program, name: &str, value: i64) -> Result<(), Vec<Diagnostic>> {
    for item in &mut tree.items {
        if let ast::Item::Constant {
            name: found,
            value: old,
        } = item
            && found.text == name
        {
            old.kind = ast::ExpressionKind::Number(value);
            return Ok(());
        }
    }
    let message = format!("there is no constant `{name}` to define");
    Err(vec![Diagnostic::new(0..0, message, "in this program")])
}

/// Reads `NAME=number`.
pub fn parse_define(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| format!("`{text}` is not of the form NAME=number"))?;
    match value.trim().parse::<i32>() {
        Ok(value) => Ok((name.trim().to_owned(), i64::from(value))),
        Err(_) => Err(format!("`{value}` is not a number of 32 bits")),
    }
}
