//! How the outside world follows a procedure, and stops it.

/// Asked by procedures every few thousand operations, from any thread.
pub trait Monitor: Sync {
    /// Whether to go on. A procedure that must not answers that it does not know.
    fn go_on(&self, progress: Progress) -> bool;
}

/// How far a procedure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The name of the procedure.
    pub procedure: &'static str,
    /// How many elements it has stored.
    pub elements: u64,
    /// About how much memory they take.
    pub bytes: u64,
}

/// Goes on for ever.
#[derive(Clone, Copy, Debug)]
pub struct Unwatched;

impl Monitor for Unwatched {
    fn go_on(&self, _progress: Progress) -> bool {
        true
    }
}
