//! A language server for models (`.rad`) and boolean programs (`.cbp`).
//!
//! ```text
//! an editor <-> Connection <-> Server: documents, and answers from the front ends
//!                                `--> jobs, each on a thread: who accesses what, checks
//! ```
//!
//! The loop of [`serve`] never waits for a search: a job gets a copy of the text and a flag that
//! stops it, and its result comes back to the loop, which drops it if the text has changed since.
//! Checking itself is the business of a [`Backend`], so that an editor gets the very answer of
//! the command line. Nothing here reads a file, a clock or the environment.

mod describe;
mod document;
mod jobs;
mod server;
mod wire;

pub use document::Language;
pub use wire::{Wire, connect};

use crossbeam_channel::{select, unbounded};
use lsp_server::{Connection, ProtocolError};
use raddle_model::Place;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Whoever checks programs.
pub trait Backend: Send + Sync + 'static {
    /// Checks a program, until the flag is set at the latest. What takes too long has to end by
    /// itself, as unknown.
    fn check(&self, program: &Program, stop: &Arc<AtomicBool>) -> CheckResult;

    /// What the threads of the Java program in a file share, line by line; nothing if that is not known.
    fn sharing(&self, file: &Path) -> Vec<Note>;
}

/// What there is to say of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The line, from one.
    pub line: u32,
    /// The sentence.
    pub message: String,
    /// Whether something is wrong.
    pub is_warning: bool,
}

/// A program as it stands in an editor.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it is written in.
    pub language: Language,
    /// The name of its file, for reports.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// What came of a check.
#[derive(Clone, Debug, Default)]
pub struct CheckResult {
    /// In a word: `holds`, `violated`, `unknown` or `bad-input`.
    pub answer: &'static str,
    /// In a line.
    pub headline: String,
    /// With everything there is to tell.
    pub report: String,
    /// Where it is violated: the most telling place first, and what is to be said there.
    pub spots: Vec<(Place, String)>,
}

/// Serves an editor until it wants no more, or is gone.
pub fn serve(connection: &Connection, backend: Arc<dyn Backend>) -> Result<(), ProtocolError> {
    let (id, parameters) = connection.initialize_start()?;
    connection.initialize_finish(id, server::greeting())?;
    let (done, finished) = unbounded();
    let mut server = server::Server::new(&connection.sender, backend, done, &parameters);
    loop {
        select! {
            recv(connection.receiver) -> message => match message {
                Ok(lsp_server::Message::Request(request)) => {
                    if connection.handle_shutdown(&request)? {
                        break;
                    }
                    server.request(request);
                }
                Ok(lsp_server::Message::Notification(told)) => server.notification(told),
                // Nothing is asked of the editor of which the answer matters.
                Ok(lsp_server::Message::Response(_)) => {}
                // The editor is gone without a word.
                Err(_) => break,
            },
            recv(finished) -> result => {
                if let Ok(result) = result {
                    server.finished(result);
                }
            }
        }
    }
    server.stop();
    Ok(())
}
