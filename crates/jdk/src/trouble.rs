//! Why there are no classes to run.

use raddle_jvm::load;
use raddle_model::Reason;
use std::io;
use std::path::Path;

/// Why there are no classes to run: bad input, or something that was ended before it was done.
#[derive(Clone, Debug)]
pub struct Trouble {
    /// What happened, as a sentence without a full stop.
    pub message: String,
    /// Why nothing is known, if the input is not to blame.
    pub reason: Option<Reason>,
}

impl Trouble {
    /// Bad input that a sentence explains.
    pub fn new(message: impl Into<String>) -> Trouble {
        Trouble {
            message: message.into(),
            reason: None,
        }
    }

    /// A file that could not be read or written.
    pub fn file(path: &Path, error: &io::Error) -> Trouble {
        Trouble::new(format!("{}: {}", path.display(), load::describe(error)))
    }

    /// The same, with a remark on what it means.
    pub fn because(mut self, remark: &str) -> Trouble {
        self.message = format!("{}; {remark}", self.message);
        self
    }
}
