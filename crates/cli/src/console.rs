//! The terminal: where answers and complaints go, and what it can show.

use crate::args::When;
use crate::failure::Failure;
use anstream::{AutoStream, ColorChoice};
use raddle_report::text::Look;
use std::borrow::Cow;
use std::fmt::Write as _;
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
    let text = visible(text, is_color);
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
    write_error(&visible(text, is_color));
}

/// Shows a line of the terminal in the place of the last one.
pub(crate) fn replace_line(text: &str) {
    write_error(&format!("\r{}\u{1b}[K", visible(text, is_color)));
}

fn write_error(text: &str) {
    let mut err = std::io::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

/// A text in which characters that steer a terminal, or turn the direction of writing, are shown
/// as JSON writes them: a program, its strings and the names of its files must not pass for
/// something else. Only the colours of reports pass.
pub(crate) fn visible(text: &str, is_allowed: fn(&str) -> bool) -> Cow<'_, str> {
    if !text.chars().any(is_control) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_control) {
        let (plain, control) = rest.split_at(at);
        shown.push_str(plain);
        let sequence = control.find('m').map_or("", |end| &control[..=end]);
        let length = match sequence {
            it if is_allowed(it) => it.len(),
            _ if control.starts_with("\r\n") => 1,
            _ => 0,
        };
        shown.push_str(&control[..length]);
        rest = &control[length..];
        if length == 0 {
            let mut characters = control.chars();
            let character = characters.next().map_or(0, u32::from);
            let _ = write!(shown, "\\u{character:04x}");
            rest = characters.as_str();
        }
    }
    shown.push_str(rest);
    shown.into()
}

/// Whether a character steers a terminal or turns the direction of writing. Line breaks and
/// tabulators do not.
fn is_control(character: char) -> bool {
    let turns = matches!(character,
        '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{2028}' | '\u{2029}'
        | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || character.is_control() && !matches!(character, '\n' | '\t')
}

/// Whether a sequence only chooses colours and weights, and none that hides the text.
fn is_color(sequence: &str) -> bool {
    let numbers = sequence.strip_prefix("\u{1b}[");
    let numbers = numbers.and_then(|it| it.strip_suffix('m'));
    numbers.is_some_and(|numbers| {
        numbers.split(';').all(|number| match number.parse::<u8>() {
            Ok(number) => matches!(number, 0..=4 | 22..=24 | 30..=37 | 39 | 90..=97),
            Err(_) => number.is_empty(),
        })
    })
}

/// The output of a program that runs: to a terminal it is made visible, other readers get it as it
/// is.
pub(crate) struct Passing {
    /// The beginning of a character whose end has not come yet.
    begun: Vec<u8>,
    is_terminal: bool,
}

impl Passing {
    pub(crate) fn new(is_terminal: bool) -> Passing {
        Passing {
            begun: Vec::new(),
            is_terminal,
        }
    }

    /// What is to be written for some bytes of the program.
    pub(crate) fn pass(&mut self, bytes: &[u8]) -> Vec<u8> {
        if !self.is_terminal {
            return bytes.to_vec();
        }
        self.begun.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.begun) {
            // What can still become a character waits for its end.
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.begun.len(),
        };
        let rest = self.begun.split_off(whole);
        let text = std::mem::replace(&mut self.begun, rest);
        let text = String::from_utf8_lossy(&text);
        visible(&text, |_| false).into_owned().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_colors_reaches_a_terminal() {
        let shown = |text| visible(text, is_color).into_owned();
        for harmless in [
            "plain\ttext\n",
            "lines\r\nof Windows\r\n",
            "\u{1b}[1m\u{1b}[31mviolated\u{1b}[0m: 日本 é",
        ] {
            assert_eq!(shown(harmless), harmless);
        }
        for (hostile, safe) in [
            ("a\u{1b}[2Jb", "a\\u001b[2Jb"),
            ("\u{1b}]0;title\u{7}", "\\u001b]0;title\\u0007"),
            ("\u{1b}]52;c;bQ==\u{7} m", "\\u001b]52;c;bQ==\\u0007 m"),
            ("\u{1b}[8mhidden", "\\u001b[8mhidden"),
            ("\u{1b}[1;8mhidden", "\\u001b[1;8mhidden"),
            ("error\rholds", "error\\u000dholds"),
            ("abc\u{8}\u{8}\u{8}", "abc\\u0008\\u0008\\u0008"),
            ("\u{9b}2J\u{7f}", "\\u009b2J\\u007f"),
            ("a\u{202e}b\u{2066}c\u{200f}", "a\\u202eb\\u2066c\\u200f"),
            ("\u{1b}", "\\u001b"),
            ("\u{1b}[", "\\u001b["),
        ] {
            assert_eq!(shown(hostile), safe);
        }
    }

    #[test]
    fn json_stays_the_same_value() {
        let value = serde_json::json!({ "name": "a\u{1b}[2J\u{9b}\u{7f}\u{202e}\r\n" });
        let text = visible(&value.to_string(), is_color).into_owned();
        assert!(!text.chars().any(is_control), "{text}");
        let read: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(read, value);
    }

    #[test]
    fn a_program_that_runs_does_not_steer_the_terminal() {
        let mut terminal = Passing::new(true);
        let mut told = Vec::new();
        // A character of two bytes, one at a time, that steers in eight bits.
        for part in [
            &b"a\x1b[2J"[..],
            b"\xc2",
            b"\x9b",
            "é\n".as_bytes(),
            b"\xff",
        ] {
            told.extend(terminal.pass(part));
        }
        let told = String::from_utf8(told).expect("text");
        assert_eq!(told, "a\\u001b[2J\\u009bé\n\u{fffd}");
        let mut pipe = Passing::new(false);
        assert_eq!(pipe.pass(b"\x1b[2J\xff"), b"\x1b[2J\xff");
    }
}
