//! The terminal: where answers and complaints go, and what it can show.

use crate::args::When;
use crate::failure::Failure;
use anstream::{AutoStream, ColorChoice};
use raddle_report::text::Look;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;

/// What the terminal can show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Console {
    /// Whether answers are coloured.
    pub(crate) color: bool,
    /// Whether complaints are coloured.
    pub(crate) error_color: bool,
}

/// The number of columns where nobody says otherwise.
const DEFAULT_WIDTH: usize = 100;

impl Console {
    pub(crate) fn new(color: When) -> Console {
        let on = |auto: ColorChoice| match color {
            When::Always => true,
            When::Never => false,
            When::Auto => auto != ColorChoice::Never,
        };
        Console {
            color: on(AutoStream::choice(&std::io::stdout())),
            error_color: on(AutoStream::choice(&std::io::stderr())),
        }
    }

    /// How a text for standard output looks.
    pub(crate) fn look(self, width: Option<usize>) -> Look {
        let terminal = || match std::io::stdout().is_terminal() {
            true => terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)),
            false => None,
        };
        Look {
            width: width.or_else(terminal).unwrap_or(DEFAULT_WIDTH),
            color: self.color,
            abridge: None,
            unfold: false,
        }
    }
}

/// Prints an answer. A reader that has seen enough and left is no error.
pub(crate) fn answer(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::file(Path::new("standard output"), &error))
        }
        _ => Ok(()),
    }
}

/// Prints a complaint, a warning or a prompt. If even that fails there is nobody left
/// to tell.
pub(crate) fn complain(text: &str) {
    let mut err = std::io::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}
