//! `raddle fmt`: the white space of models in order.

use super::SUCCESS;
use crate::args::Fmt;
use crate::console;
use crate::failure::Failure;
use crate::files;
use crate::front;
use raddle_lang::tidy::tidy;
use std::path::Path;

/// The exit code if some file is not in order.
const NOT_IN_ORDER: u8 = 1;

/// Runs the command; the answer is the exit code. Nothing is written unless all files are programs.
pub(crate) fn run(args: &Fmt) -> Result<u8, Failure> {
    let mut texts = Vec::new();
    for path in &args.files {
        if !front::of(path).is_model() {
            let name = path.display();
            return Err(Failure::new(format!(
                "{name}: only models (.rad) are formatted"
            )));
        }
        let source = files::read_program(path)?;
        let tidied = tidy(&source.text);
        let tidied = tidied.map_err(|mistakes| Failure::program(source.clone(), mistakes))?;
        texts.push((path, source.text, tidied));
    }
    let mut code = SUCCESS;
    for (path, text, tidied) in texts {
        let is_input = path == Path::new("-");
        match (args.check, is_input) {
            (true, _) if text != tidied => {
                console::answer(&format!("{}\n", path.display()))?;
                code = NOT_IN_ORDER;
            }
            (false, true) => console::answer(&tidied)?,
            (false, false) if text != tidied => files::write(path, &tidied)?,
            _ => {}
        }
    }
    Ok(code)
}
