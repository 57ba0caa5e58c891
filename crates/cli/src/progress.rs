//! Watches a search: its time, its user, and how far it is.

use crate::announcer::Announcer;
use crate::args::When;
use crate::checkpoint::Checkpoint;
use crate::console::{complain, replace_line};
use crate::leftovers;
use crate::memory::{self, Bound};
use crate::watchdog::{LastWords, Watchdog};
use raddle_model::{Limits, Reason, Statistics, StopFlag, Trace, Violation};
use raddle_report::text::{bytes, seconds};
use raddle_search::{Archive, Config, Monitor, Progress};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};
use std::time::Duration;

/// The clock of a search, its stop button and its progress line.
pub(crate) struct Watcher {
    watchdog: Watchdog,
    line: Option<Line>,
    checkpoint: Option<Checkpoint>,
    announcer: Option<Announcer>,
    /// Whether the memory limit is for the whole process.
    bounds_process: bool,
    /// What was taken before the search, if that is more than is allowed.
    is_too_large: Option<u64>,
}

impl Watcher {
    /// Starts the clock. The limits are those of time and memory; the latter is for the whole
    /// process.
    pub(crate) fn new(limits: &Limits, progress: When) -> Watcher {
        WATCHED.store(true, Ordering::Relaxed);
        listen();
        Watcher {
            watchdog: Watchdog::new(limits.time, limits.memory, None),
            line: Line::new(progress),
            checkpoint: None,
            announcer: None,
            bounds_process: true,
            is_too_large: None,
        }
    }

    /// Starts the clock of a search of which nothing is shown, and which a flag stops.
    pub(crate) fn stopped_by(limit: Option<Duration>, stop: Arc<AtomicBool>) -> Watcher {
        Watcher {
            watchdog: Watchdog::new(limit, None, Some(stop)),
            line: None,
            checkpoint: None,
            announcer: None,
            bounds_process: false,
            is_too_large: None,
        }
    }

    /// Ends what looks at it when the time is over, the user wants an end, or the process has
    /// too much memory.
    pub(crate) fn stop_flag(&self) -> StopFlag {
        self.watchdog.stop.clone()
    }

    /// Has the search written down from time to time.
    pub(crate) fn with_checkpoint(mut self, mut checkpoint: Option<Checkpoint>) -> Watcher {
        if let Some(checkpoint) = &mut checkpoint {
            checkpoint.is_held = Arc::clone(&self.watchdog.is_held);
        }
        self.checkpoint = checkpoint;
        self
    }

    /// Has the verdict printed as soon as it is known.
    pub(crate) fn with_announcer(mut self, announcer: Option<Announcer>) -> Watcher {
        self.announcer = announcer;
        self
    }

    /// Says what is violated, before that is told in detail.
    pub(crate) fn announce(
        &mut self,
        outlines: &[Trace],
        reasons: &[Reason],
        statistics: Option<Statistics>,
    ) {
        self.clear();
        if let Some(announcer) = &mut self.announcer {
            announcer.announce(outlines, reasons, statistics);
        }
    }

    /// What is still to be printed of a text that begins with the verdict.
    pub(crate) fn rest(&mut self, text: String) -> String {
        match self.announcer.take() {
            Some(announcer) => announcer.rest(&text),
            None => text,
        }
    }

    /// What to do if an end is wanted and does not come.
    pub(crate) fn say_at_last(&self, last_words: Option<LastWords>) {
        self.watchdog.say_at_last(last_words);
    }

    /// What the search has found and what is still to be replayed.
    pub(crate) fn note_violations(&self, violations: &[Violation]) {
        self.watchdog.note_violations(violations);
    }

    /// What the search has found so far, replayed.
    pub(crate) fn note_found(&self, outline: Trace, violation: &Violation) {
        self.watchdog.note_found(outline, violation);
    }

    /// The program is there, and the search begins: with what is left of the memory.
    pub(crate) fn begin(&mut self, search: &Config) -> Config {
        self.watchdog.look();
        let mut search = search.clone();
        let taken = memory::usage().map_or(0, |usage| usage.resident);
        let most = search.limits.memory.filter(|_| self.bounds_process);
        if let Some(most) = most {
            let left = Bound::new(most).for_search().saturating_sub(taken);
            search.limits.memory = Some(left);
            self.is_too_large = (most < taken).then_some(taken);
        }
        search
    }

    /// What is to be said beside the verdict.
    pub(crate) fn remark(&self) -> Option<String> {
        let taken = bytes(self.is_too_large?);
        Some(format!(
            "raddle itself and the program take {taken} of memory before the first step"
        ))
    }

    /// Takes the checkpoint away, because the question is answered.
    pub(crate) fn remove_checkpoint(&self) {
        if let Some(checkpoint) = &self.checkpoint {
            checkpoint.remove();
        }
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.watchdog.started.elapsed()
    }

    /// Whether the user wants an end.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.watchdog.is_interrupted()
    }

    /// Whether the search has to end: its user, its clock or the process's memory wants it.
    pub(crate) fn wants_end(&self) -> Option<Reason> {
        match () {
            () if self.is_interrupted() => Some(Reason::Interrupted),
            () if self.watchdog.is_late() => Some(Reason::Time),
            () => self.watchdog.stop.reason(),
        }
    }

    /// Says what is being done after the search.
    pub(crate) fn note(&mut self, what: &str) {
        if let Some(line) = self.line.as_mut().filter(|line| line.terminal) {
            line.show(what);
        }
    }

    /// Says how far something is that does not count states, as often as a search does.
    pub(crate) fn report(&mut self, what: &str) {
        let elapsed = self.elapsed();
        if let Some(line) = self.line.as_mut().filter(|line| elapsed >= line.next) {
            line.next = elapsed + Line::interval(line.terminal);
            line.show(&format!("{what}, {}", seconds(elapsed)));
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
        self.watchdog.note_progress(progress);
        let end = self.wants_end();
        let elapsed = self.elapsed();
        if let Some(line) = self.line.as_mut().filter(|_| end.is_none()) {
            line.tick(progress, elapsed);
        }
        end
    }

    fn archive(&mut self) -> Option<&mut dyn Archive> {
        let checkpoint = self.checkpoint.as_mut()?;
        Some(checkpoint)
    }
}

/// Whether the user has pressed Ctrl-C. It is for the whole process, as the key is.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether the user has pressed Ctrl-C.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Whether anybody looks at [`INTERRUPTED`].
static WATCHED: AtomicBool = AtomicBool::new(false);

/// Ctrl-C stops the search and those that follow, and so does a signal to terminate, as services
/// send it before they kill; the second time, or where nothing is watched, it ends the process, with
/// the code that shells give to programs ended by it, and leaves nothing behind.
pub(crate) fn listen() {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        let listening = ctrlc::set_handler(|| {
            let is_watched = WATCHED.load(Ordering::Relaxed);
            if INTERRUPTED.swap(true, Ordering::Relaxed) || !is_watched {
                leftovers::exit(130);
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
