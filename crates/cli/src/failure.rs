//! Why a run did not happen.

use raddle_diagnostics::{self as diagnostics, Diagnostic, Lines};
use raddle_jdk::Trouble;
use raddle_jvm::load;
use raddle_model::{Limits, Reason};
use raddle_report::Source;
use raddle_report::json::{Problem, error_json};
use raddle_report::text;
use std::path::Path;

/// Bad input: told to the user, exit code 3; or something that had to be ended before there was
/// anything to check, exit code 2.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    message: String,
    /// A program with mistakes, and the mistakes.
    program: Option<Box<(Source, Vec<Diagnostic>)>>,
    /// Why nothing is known, if the input is not to blame.
    reason: Option<Reason>,
}

impl Failure {
    /// A failure that a sentence explains.
    pub(crate) fn new(message: impl Into<String>) -> Failure {
        Failure {
            message: message.into(),
            program: None,
            reason: None,
        }
    }

    /// Something was ended, so that nothing is known.
    pub(crate) fn unknown(reason: Reason) -> Failure {
        Failure {
            reason: Some(reason.clone()),
            ..Failure::new(text::reason(&reason, &Limits::NONE))
        }
    }

    /// A file that could not be read or written.
    pub(crate) fn file(path: &Path, error: &std::io::Error) -> Failure {
        Failure::new(format!("{}: {}", path.display(), load::describe(error)))
    }

    /// A program with mistakes.
    pub(crate) fn program(source: Source, diagnostics: Vec<Diagnostic>) -> Failure {
        let errors = match diagnostics.len() {
            1 => "1 error".to_owned(),
            count => format!("{count} errors"),
        };
        Failure {
            message: format!("{} has {errors}", source.name),
            program: Some(Box::new((source, diagnostics))),
            reason: None,
        }
    }

    /// What it is, in a sentence.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Why nothing is known, if the input is not to blame.
    pub(crate) fn reason(&self) -> Option<&Reason> {
        self.reason.as_ref()
    }

    /// With a word on what it means.
    pub(crate) fn because(mut self, remark: &str) -> Failure {
        self.message = format!("{}; {remark}", self.message);
        self
    }

    /// The failure for people.
    pub(crate) fn text(&self, color: bool) -> String {
        let shown = match self.program.as_deref() {
            None => String::new(),
            Some((source, mistakes)) => {
                diagnostics::render(&source.text, &source.name, mistakes, color) + "\n"
            }
        };
        let kind = match self.reason {
            Some(_) => "unknown",
            None => "error",
        };
        format!("{shown}{kind}: {}\n", self.message)
    }

    /// The failure for people, without its kind.
    pub(crate) fn plain(&self) -> String {
        let text = self.text(false);
        let plain = text.strip_prefix("error: ").unwrap_or(&text);
        plain.trim().to_owned()
    }

    /// The failure for programs, with the file that the user named.
    pub(crate) fn json(&self, file: Option<&Path>) -> serde_json::Value {
        let Some((source, mistakes)) = self.program.as_deref() else {
            let file = file.map(|file| file.display().to_string());
            return error_json(&self.message, file.as_deref(), &[]);
        };
        let lines = Lines::new(&source.text);
        let problems = mistakes.iter().map(|mistake| {
            let place = lines.place(mistake.span.start);
            Problem {
                message: mistake.message.clone(),
                line: place.line,
                column: place.column,
                label: mistake.label.clone(),
                help: mistake.help.clone(),
            }
        });
        let problems: Vec<Problem> = problems.collect();
        error_json(&self.message, Some(&source.name), &problems)
    }
}

impl From<Trouble> for Failure {
    fn from(Trouble { message, reason }: Trouble) -> Failure {
        Failure {
            reason,
            ..Failure::new(message)
        }
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Trouble {
        Trouble {
            message: failure.message,
            reason: failure.reason,
        }
    }
}
