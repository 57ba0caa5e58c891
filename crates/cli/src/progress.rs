//! Watches a search: its time, its user, and how far it is.

use crate::args::When;
use crate::checkpoint::Checkpoint;
use crate::console::{complain, replace_line};
use raddle_model::Reason;
use raddle_report::text::{bytes, seconds};
use raddle_search::{Archive, Monitor, Progress};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

/// The clock of a search, its stop button and its progress line.
pub(crate) struct Watcher {
    started: Instant,
    limit: Option<Duration>,
    line: Option<Line>,
    /// Who else may want an end.
    stop: Option<Arc<AtomicBool>>,
    checkpoint: Option<Checkpoint>,
}

impl Watcher {
    /// Starts the clock.
    pub(crate) fn new(limit: Option<Duration>, progress: When) -> Watcher {
        listen();
        Watcher {
            started: Instant::now(),
            limit,
            line: Line::new(progress),
            stop: None,
            checkpoint: None,
        }
    }

    /// Starts the clock of a search of which nothing is shown, and which a flag stops.
    pub(crate) fn stopped_by(limit: Option<Duration>, stop: Arc<AtomicBool>) -> Watcher {
        Watcher {
            started: Instant::now(),
            limit,
            line: None,
            stop: Some(stop),
            checkpoint: None,
        }
    }

    /// Has the search written down from time to time.
    pub(crate) fn with_checkpoint(mut self, checkpoint: Option<Checkpoint>) -> Watcher {
        self.checkpoint = checkpoint;
        self
    }

    /// Takes the checkpoint away, because the question is answered.
    pub(crate) fn remove_checkpoint(&self) {
        if let Some(checkpoint) = &self.checkpoint {
            checkpoint.remove();
        }
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the user wants an end.
    pub(crate) fn is_interrupted(&self) -> bool {
        let is_stopped = |stop: &Arc<AtomicBool>| stop.load(Ordering::Relaxed);
        INTERRUPTED.load(Ordering::Relaxed) || self.stop.as_ref().is_some_and(is_stopped)
    }

    /// Says what is being done after the search.
    pub(crate) fn note(&mut self, what: &str) {
        if let Some(line) = self.line.as_mut().filter(|line| line.terminal) {
            line.show(what);
        }
    }

    /// Takes the progress line away.
    pub(crate) fn clear(&mut self) {
        if let Some(line) = &mut self.line {
            line.clear();
        }
    }
}

impl Monitor for Watcher {
    fn tick(&mut self, progress: &Progress) -> Option<Reason> {
        if self.is_interrupted() {
            return Some(Reason::Interrupted);
        }
        let elapsed = self.elapsed();
        if self.limit.is_some_and(|limit| elapsed >= limit) {
            return Some(Reason::Time);
        }
        if let Some(line) = &mut self.line {
            line.tick(progress, elapsed);
        }
        None
    }

    fn archive(&mut self) -> Option<&mut dyn Archive> {
        let checkpoint = self.checkpoint.as_mut()?;
        Some(checkpoint)
    }
}

/// Whether the user has pressed Ctrl-C. It is for the whole process, as the key is.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Ctrl-C stops the search and those that follow, and so does a signal to terminate, as services
/// send it before they kill; the second time it ends the process, with the code that shells give
/// to programs ended by it.
fn listen() {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        let listening = ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
        if let Err(error) = listening {
            complain(&format!(
                "warning: Ctrl-C will end raddle at once: {error}\n"
            ));
        }
    });
}

/// The progress line on standard error.
struct Line {
    /// On a terminal one line changes; elsewhere there is a new one each time.
    terminal: bool,
    next: Duration,
    shown: bool,
    /// The states and the time when it was last shown.
    last: (u64, Duration),
}

impl Line {
    fn new(when: When) -> Option<Line> {
        let terminal = std::io::stderr().is_terminal();
        let wanted = match when {
            When::Auto => terminal,
            When::Always => true,
            When::Never => false,
        };
        wanted.then_some(Line {
            terminal,
            next: Line::interval(terminal),
            shown: false,
            last: (0, Duration::ZERO),
        })
    }

    fn interval(terminal: bool) -> Duration {
        match terminal {
            true => Duration::from_millis(250),
            false => Duration::from_secs(1),
        }
    }

    fn tick(&mut self, progress: &Progress, elapsed: Duration) {
        if elapsed < self.next {
            return;
        }
        self.next = elapsed + Line::interval(self.terminal);
        let (states, time) = self.last;
        let seconds_since = (elapsed - time).as_secs_f64();
        let rate = (progress.states - states.min(progress.states)) as f64 / seconds_since;
        self.last = (progress.states, elapsed);
        let text = format!(
            "{} states, {rate:.0} per second, depth {}, queue {}, {}, {}",
            progress.states,
            progress.depth,
            progress.queue,
            bytes(progress.bytes),
            seconds(elapsed)
        );
        self.show(&text);
    }

    fn show(&mut self, text: &str) {
        if !self.terminal {
            complain(&format!("{text}\n"));
            return;
        }
        let width = terminal_size::terminal_size_of(std::io::stderr());
        let width = width.map_or(80, |(width, _)| usize::from(width.0));
        // A line that wraps could not be taken away again.
        let text: String = text.chars().take(width.saturating_sub(1)).collect();
        replace_line(&text);
        self.shown = true;
    }

    fn clear(&mut self) {
        if self.shown {
            replace_line("");
            self.shown = false;
        }
    }
}
