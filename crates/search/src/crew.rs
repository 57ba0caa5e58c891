//! A search by one worker, or by several that share a store and what is to be done.
//!
//! Each worker is a search with its own books; at the end the books are joined. One begins,
//! and the others come when it has much to do: a small program is explored in the same order
//! whatever the number of processors, and a large one is worth the trouble.

use crate::book::Book;
use crate::breadth_first::BreadthFirst;
use crate::depth_first::DepthFirst;
use crate::explore::Explorer;
use crate::stores::{Shared, Store};
use crate::{Config, Frontier, Monitor, Order, Progress, Survey};
use raddle_model::{Reason, System, Violation};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// A search that is to be done.
pub(crate) struct Search<'a, S> {
    pub(crate) system: &'a S,
    pub(crate) config: &'a Config,
    pub(crate) stop_at_first: bool,
}

impl<S: System> Search<'_, S> {
    /// Searches with one worker.
    pub(crate) fn alone<V: Store>(&self, monitor: &mut dyn Monitor, store: V) -> Survey {
        match self.config.order {
            Order::DepthFirst => self.with_one(monitor, store, &DepthFirst::new()),
            Order::BreadthFirst => self.with_one(monitor, store, &BreadthFirst::new()),
        }
    }

    fn with_one<V: Store>(
        &self,
        monitor: &mut dyn Monitor,
        store: V,
        frontier: &impl Frontier<S>,
    ) -> Survey {
        let mut book = Book::new(self.config, monitor, self.stop_at_first);
        let Some(initial) = book.initial(self.system) else {
            return book.close(0, 0);
        };
        let mut explorer = Explorer::new(self.system, book, store, &initial);
        match explorer.recall(&mut |input| frontier.read(input)) {
            Ok(true) => frontier.work(&mut explorer, initial),
            Ok(false) => {
                if let Some(root) = explorer.root(initial.clone()) {
                    frontier.begin(&mut explorer, &root);
                    frontier.work(&mut explorer, initial);
                }
            }
            Err(error) => {
                let why = format!("what was written down cannot be read: {error}");
                explorer.book.stop(Reason::GaveUp(why));
            }
        }
        explorer.finish(frontier.bytes())
    }

    /// Searches with several workers.
    pub(crate) fn together<T: Shared>(
        &self,
        monitor: &mut dyn Monitor,
        store: T,
        workers: usize,
    ) -> Survey {
        let office = Office::new(monitor);
        match self.config.order {
            Order::DepthFirst => self.with_many(&office, &store, &DepthFirst::new(), workers),
            Order::BreadthFirst => self.with_many(&office, &store, &BreadthFirst::new(), workers),
        }
    }

    fn with_many<T: Shared>(
        &self,
        office: &Office<'_>,
        store: &T,
        frontier: &impl Frontier<S>,
        workers: usize,
    ) -> Survey {
        let mut relay = Relay::new(office, None, 0);
        let mut book = Book::new(self.config, &mut relay, self.stop_at_first);
        let Some(initial) = book.initial(self.system) else {
            return book.close(0, 0);
        };
        drop(book);
        let work = |recruit: Option<Recruit<'_>>, initial: S::State| {
            let is_first = recruit.is_some();
            let mut relay = Relay::new(office, recruit, self.config.alone_for);
            let book = Book::new(self.config, &mut relay, self.stop_at_first);
            let book = book.with_tally(&office.tally);
            let mut explorer = Explorer::new(self.system, book, store.share(), &initial);
            if is_first && let Some(root) = explorer.root(initial.clone()) {
                frontier.begin(&mut explorer, &root);
            }
            frontier.work(&mut explorer, initial);
            explorer.finish(frontier.bytes())
        };
        let others = Mutex::new(Vec::new());
        let mut survey = thread::scope(|scope| {
            let (work, others, any) = (&work, &others, initial.clone());
            let mut recruit = move || {
                for any in vec![any.clone(); workers - 1] {
                    scope.spawn(move || lock(others).push(work(None, any)));
                }
            };
            work(Some(&mut recruit), initial)
        });
        for other in others.into_inner().unwrap_or_else(PoisonError::into_inner) {
            join(&mut survey, other);
        }
        survey.settle(self.stop_at_first);
        let states = survey.statistics.states;
        survey.statistics.omission_probability = store.share().omission_probability(states);
        survey
    }
}

/// Adds what another worker did and found.
fn join(survey: &mut Survey, other: Survey) {
    let (all, more) = (&mut survey.statistics, other.statistics);
    all.states += more.states;
    all.transitions += more.transitions;
    all.stutters += more.stutters;
    all.pruned += more.pruned;
    all.depth = all.depth.max(more.depth);
    all.store_bytes = all.store_bytes.max(more.store_bytes);
    all.peak_bytes = all.peak_bytes.max(more.peak_bytes);
    survey.violations.extend(other.violations);
    for reason in other.reasons {
        if !survey.reasons.contains(&reason) {
            survey.reasons.push(reason);
        }
    }
}

impl Survey {
    /// Of violations of the same kind keeps the one with the least schedule; and only one, if
    /// one was enough.
    fn settle(&mut self, stop_at_first: bool) {
        let key = |it: &Violation| (it.schedule.len(), it.schedule.clone());
        self.violations.sort_by_cached_key(key);
        let mut kept: Vec<Violation> = Vec::new();
        for violation in self.violations.drain(..) {
            let same = |known: &Violation| known.property.same_kind(&violation.property);
            if !kept.iter().any(same) {
                kept.push(violation);
            }
        }
        if stop_at_first {
            kept.truncate(1);
        }
        self.violations = kept;
    }
}

/// Where all workers report how far they are.
struct Office<'m> {
    monitor: Mutex<&'m mut dyn Monitor>,
    states: AtomicU64,
    transitions: AtomicU64,
    /// The states found so far, if there is a limit on them.
    tally: AtomicU64,
}

impl<'m> Office<'m> {
    fn new(monitor: &'m mut dyn Monitor) -> Office<'m> {
        Office {
            monitor: Mutex::new(monitor),
            states: AtomicU64::new(0),
            transitions: AtomicU64::new(0),
            tally: AtomicU64::new(0),
        }
    }
}

/// Gets help.
type Recruit<'a> = &'a mut (dyn FnMut() + Send);

/// The monitor of one worker: passes on what all of them did.
struct Relay<'a, 'm, 'r> {
    office: &'a Office<'m>,
    /// What this one has told so far.
    told: Progress,
    /// Gets help, if this is the one who began.
    recruit: Option<Recruit<'r>>,
    /// After so many steps.
    alone_for: u64,
}

impl<'a, 'm, 'r> Relay<'a, 'm, 'r> {
    fn new(office: &'a Office<'m>, recruit: Option<Recruit<'r>>, alone_for: u64) -> Self {
        let mut relay = Relay {
            office,
            told: Progress::default(),
            recruit,
            alone_for,
        };
        relay.recruit(0);
        relay
    }

    fn recruit(&mut self, steps: u64) {
        if let Some(recruit) = self.recruit.take_if(|_| steps >= self.alone_for) {
            recruit();
        }
    }
}

impl Monitor for Relay<'_, '_, '_> {
    fn tick(&mut self, progress: &Progress) -> Option<Reason> {
        self.recruit(progress.transitions);
        let add = |total: &AtomicU64, told, now| {
            let more = now - told;
            total.fetch_add(more, Ordering::Relaxed) + more
        };
        let (told, office) = (self.told, self.office);
        self.told = *progress;
        let total = Progress {
            states: add(&office.states, told.states, progress.states),
            transitions: add(&office.transitions, told.transitions, progress.transitions),
            ..*progress
        };
        // Somebody else is just talking to it.
        let Ok(mut monitor) = office.monitor.try_lock() else {
            return None;
        };
        monitor.tick(&total)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
