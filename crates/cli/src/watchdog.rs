//! A thread that looks at the clock, at signals and at the memory of the process while something
//! is being checked, and sets the flag that ends it ([`StopFlag`]). If it goes on all the same,
//! the thread says what is known, and ends the process.

use crate::leftovers;
use crate::memory::{self, Bound};
use raddle_model::{Reason, StopFlag, Trace, Violation};
use raddle_search::Progress;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often it looks.
const INTERVAL: Duration = Duration::from_millis(10);

/// It writes reports, if it has to.
const STACK: usize = 1 << 20;

/// How long something may go on when it is to end.
const GRACE: Duration = Duration::from_millis(1500);

/// Watches until it is dropped.
pub(crate) struct Watchdog(Arc<Post>);

/// What the thread knows.
pub(crate) struct Post {
    pub(crate) started: Instant,
    pub(crate) limit: Option<Duration>,
    /// How much memory the whole process may take.
    memory: Option<Bound>,
    /// Who else may want an end.
    others: Option<Arc<AtomicBool>>,
    pub(crate) stop: StopFlag,
    is_done: AtomicBool,
    /// Whether something is being written that has to be written to its end.
    pub(crate) is_held: Arc<AtomicBool>,
    vigil: Mutex<Vigil>,
}

#[derive(Default)]
struct Vigil {
    /// Since when an end is waited for.
    since: Option<Instant>,
    progress: Progress,
    found: Vec<(Trace, Violation)>,
    violations: Vec<Violation>,
    last_words: Option<LastWords>,
}

/// Says what is known when there was no end, and with which code to exit.
pub(crate) type LastWords = Box<dyn Fn(Unfinished) -> u8 + Send>;

/// What is known of a search that does not end.
pub(crate) struct Unfinished {
    /// Why it should have ended.
    pub(crate) cause: Reason,
    pub(crate) elapsed: Duration,
    pub(crate) progress: Progress,
    /// What it has found so far, if it is not over: what is violated, and how it comes about.
    pub(crate) found: Vec<(Trace, Violation)>,
    /// What it found, if it is over, not replayed.
    pub(crate) violations: Vec<Violation>,
}

impl Watchdog {
    /// Begins to watch.
    pub(crate) fn new(
        limit: Option<Duration>,
        memory: Option<u64>,
        others: Option<Arc<AtomicBool>>,
    ) -> Watchdog {
        let post = Arc::new(Post {
            started: Instant::now(),
            limit,
            memory: memory.map(Bound::new),
            others,
            stop: StopFlag::default(),
            is_done: AtomicBool::new(false),
            is_held: Arc::default(),
            vigil: Mutex::default(),
        });
        let watched = Arc::clone(&post);
        let watch = move || {
            while !watched.is_done.load(Ordering::Relaxed) {
                watched.look();
                watched.wait_for_end();
                thread::sleep(INTERVAL);
            }
        };
        // Without it the limits are looked at between steps, as the monitor does.
        let builder = thread::Builder::new().stack_size(STACK);
        drop(builder.spawn(watch));
        Watchdog(post)
    }
}

impl std::ops::Deref for Watchdog {
    type Target = Post;

    fn deref(&self) -> &Post {
        &self.0
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.is_done.store(true, Ordering::Relaxed);
    }
}

impl Post {
    /// Whether the user wants an end.
    pub(crate) fn is_interrupted(&self) -> bool {
        let is_stopped = |stop: &Arc<AtomicBool>| stop.load(Ordering::Relaxed);
        crate::progress::is_interrupted() || self.others.as_ref().is_some_and(is_stopped)
    }

    /// Whether the time is over.
    pub(crate) fn is_late(&self) -> bool {
        let is_over = |limit: Duration| self.started.elapsed() >= limit;
        self.limit.is_some_and(is_over)
    }

    /// What to do if an end is wanted and does not come. It is called at most once; nothing, and
    /// it never is.
    pub(crate) fn say_at_last(&self, last_words: Option<LastWords>) {
        self.vigil().last_words = last_words;
    }

    /// How far the search is.
    pub(crate) fn note_progress(&self, progress: &Progress) {
        self.vigil().progress = *progress;
    }

    /// What the search has found so far, one of a kind.
    pub(crate) fn note_found(&self, outline: Trace, violation: &Violation) {
        let mut vigil = self.vigil();
        let is_known = |known: &(Trace, Violation)| known.1.property.same_kind(&violation.property);
        if !vigil.found.iter().any(is_known) {
            vigil.found.push((outline, violation.clone()));
        }
    }

    /// What the search has found. What follows has its own time.
    pub(crate) fn note_violations(&self, violations: &[Violation]) {
        let mut vigil = self.vigil();
        vigil.violations = violations.to_vec();
        vigil.since = vigil.since.map(|_| Instant::now());
    }

    /// Sets the flag if there is a reason.
    pub(crate) fn look(&self) {
        if self.is_interrupted() {
            self.stop.set(&Reason::Interrupted);
        }
        if self.is_late() {
            self.stop.set(&Reason::Time);
        }
        if let Some(bound) = &self.memory
            && let Some(usage) = memory::usage()
        {
            self.stop.set_room(bound.room(usage));
            if bound.is_exceeded(usage) {
                self.stop.set(&Reason::Memory);
            }
        }
    }

    /// Ends the process if nobody has reacted for too long.
    fn wait_for_end(&self) {
        let Some(cause) = self.stop.cause() else {
            return;
        };
        let mut vigil = self.vigil();
        let since = *vigil.since.get_or_insert_with(Instant::now);
        if self.is_held.load(Ordering::Relaxed) {
            vigil.since = Some(Instant::now());
        }
        if since.elapsed() < GRACE {
            return;
        }
        // From here on the lock keeps everybody else from giving an answer.
        if let Some(last_words) = vigil.last_words.take() {
            let code = last_words(Unfinished {
                cause,
                elapsed: self.started.elapsed(),
                progress: vigil.progress,
                found: std::mem::take(&mut vigil.found),
                violations: std::mem::take(&mut vigil.violations),
            });
            leftovers::exit(code);
        }
    }

    fn vigil(&self) -> MutexGuard<'_, Vigil> {
        self.vigil.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
