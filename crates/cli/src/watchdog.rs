//! A thread that looks at the clock, at signals and at the memory of the process while something
//! is being checked, and sets the flag that ends it ([`StopFlag`]).

use crate::memory::{self, Bound};
use raddle_model::Reason;
use raddle_model::StopFlag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often it looks.
const INTERVAL: Duration = Duration::from_millis(10);

/// What the thread knows.
pub(crate) struct Post {
    pub(crate) started: Instant,
    pub(crate) limit: Option<Duration>,
    /// How much memory the whole process may take.
    pub(crate) memory: Option<Bound>,
    /// Who else may want an end.
    pub(crate) others: Option<Arc<AtomicBool>>,
    pub(crate) stop: StopFlag,
    is_done: AtomicBool,
}

/// Watches until it is dropped.
pub(crate) struct Watchdog(Arc<Post>);

impl Watchdog {
    /// Begins to watch.
    pub(crate) fn new(
        limit: Option<Duration>,
        memory: Option<Bound>,
        others: Option<Arc<AtomicBool>>,
    ) -> Watchdog {
        let post = Arc::new(Post {
            started: Instant::now(),
            limit,
            memory,
            others,
            stop: StopFlag::default(),
            is_done: AtomicBool::new(false),
        });
        post.look();
        let watched = Arc::clone(&post);
        let watch = move || {
            while !watched.is_done.load(Ordering::Relaxed) {
                watched.look();
                thread::sleep(INTERVAL);
            }
        };
        // Without it the limits are looked at between steps, as the monitor does.
        drop(thread::Builder::new().spawn(watch));
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
        self.limit
            .is_some_and(|limit| self.started.elapsed() >= limit)
    }

    /// Sets the flag if there is a reason.
    fn look(&self) {
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
}
