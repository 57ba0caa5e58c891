//! Cartesian partial-order reduction (paper 001: Gueta, Flanagan, Yahav, Sagiv).
//!
//! From a state each thread runs on its own, as if the others stood still: these runs
//! are the *prefixes* of a *cartesian vector* (Definition 2). They are prolonged in
//! turn (CalcCV, Fig. 6) for as long as no two of them touch the same object, one of
//! them changing it, other than with their last transitions. Then it is enough to run
//! one prefix without interruption and to go on from where it ends (Fig. 7); states
//! inside of prefixes are not stored.
//!
//! **Guarantee** (Theorem 1): every local state of a thread that is reachable at all
//! is a local state of some prefix. So every fault is found that a thread finds by
//! itself: a false assertion, an index out of range and the like. Deadlocks and
//! invariants are properties of several threads at once and are not preserved (but see
//! `observer.rs` for invariants): two threads that take two locks in opposite order,
//! beside a third with a step of its own, lead to no stored state in which nobody can
//! move. For the same reason it may be missed that all threads together exhaust the
//! heap.
//!
//! **Needs** finitely many states or no cycles, and footprints that name an object by
//! the same name throughout a prefix. Heap objects have such names while a state is
//! not brought into canonical form; hence that is done only to store it. Two threads
//! may give the same name to what they allocate in their prefixes: a conflict that is
//! none, and shortens a prefix without need.
//!
//! **Reading of Fig. 6** that gives the numbers of Table 1, every row: turns go round
//! in ascending order, one attempt a turn; two transitions are dependent if they have
//! conflicting accesses; a cycle is closed by a state strictly between the first and
//! the last of the prefix. A transition counts when it was tried: also one that was
//! refused, and the one that closes a cycle.
//!
//! Where the figure is silent, or would miss faults:
//! - A prefix without an end (it closes a cycle, its thread has finished or failed)
//!   leads to no state, so none of its transitions is its last, the latest included:
//!   who conflicts with it must stop before. (Definition 2 has ⊥ here.) The transition
//!   that closes the cycle belongs to the prefix. That even this one is not the last is
//!   for the sake of the definition; it leads to where the prefix has been, so that to
//!   go on without it is as good, and no program shows the difference.
//! - A blocked thread loops in its state and *reads* what it waits for: its step has
//!   no effect, but what others do to these objects changes what it can do.
//! - Threads have to be deterministic. A step with several choices is a prefix by
//!   itself, which ends in a state for each of them; a longer prefix ends before it.
//! - A step that starts threads ends its prefix: the paper's threads are all there
//!   from the beginning, and the vector has no prefix for the new ones.
//! - A step that fails, or whose assumption does, has no effect and ends the
//!   execution. A trace either does not contain it or ends with it, so that nothing
//!   is to be explored after it.
//! - A prefix may end anywhere. It does at the limit of depth, and in the case that
//!   the hashes of two different states are equal.

mod front;
mod vector;

use front::{Fresh, Front, Waiting};
use raddle_model::{Halt, Property, Reason, System};
use raddle_search::{Book, Config, Monitor, Survey};
use std::mem;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use vector::{Account, Link, Vector};

/// Searches all states in which prefixes end, with so many workers.
pub(crate) fn search<S: System>(system: &S, book: Book<'_>, workers: usize) -> Survey {
    explore(system, book, Counting::None, workers)
}

/// The same, for comparison with published numbers: the transitions of the paper are
/// the steps and the stutters together.
pub fn survey<S: System>(
    system: &S,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
    counting: Counting,
) -> Survey {
    let book = Book::new(config, monitor, stop_at_first);
    explore(system, book, counting, 1)
}

/// The same on several processors (Fig. 8): so many workers calculate vectors at once.
/// A vector depends on nothing but its state, so that they store the same states as one
/// worker does, unless a limit ends the search, and find the same faults; but by other
/// prefixes, and another one first.
pub fn survey_concurrently<S: System>(
    system: &S,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
    counting: Counting,
    workers: usize,
) -> Survey {
    let book = Book::new(config, monitor, stop_at_first);
    explore(system, book, counting, workers)
}

/// What a thread does that has finished. The paper counts differently from row to row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// It goes from its state to the same one, and each time counts.
    Loops,
    /// Nothing: its prefix is over.
    None,
}

/// The model checking algorithms of Fig. 7 and Fig. 8.
fn explore<S: System>(
    system: &S,
    mut book: Book<'_>,
    counting: Counting,
    workers: usize,
) -> Survey {
    let Some(initial) = book.initial(system) else {
        return book.close(0, 0);
    };
    let config = book.config;
    let front = Front::new(system, config, workers);
    if let Some(words) = front.meet(&initial, &mut Vec::new()) {
        front.begin(words);
    }
    let mut clerk = Clerk {
        front: &front,
        book,
        workers: workers.max(1) as u64,
    };
    let new_worker = || Worker {
        front: &front,
        vector: Vector::new(system, counting, initial.clone()),
        most_depth: config.limits.depth.unwrap_or(u64::MAX),
        most_states: config.limits.states.unwrap_or(u64::MAX),
        fresh: Vec::new(),
        words: Vec::new(),
    };
    if workers <= 1 {
        new_worker().work(|tidings| clerk.note(tidings));
        return clerk.close();
    }
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(BACKLOG);
        // One begins, and the others come when it has much to do. It has their sender until
        // then, so that the clerk stops listening when all workers are gone.
        let (mut first, mut spare) = (new_worker(), Some(SyncSender::clone(&sender)));
        let mut steps = 0;
        let begin = move || {
            first.work(|mut tidings| {
                steps += tidings.account.transitions;
                tidings.for_others = spare.take_if(|_| steps >= config.alone_for);
                // Nobody listens any more only if the clerk panicked.
                drop(sender.send(tidings));
            });
        };
        if thread::Builder::new().spawn_scoped(scope, begin).is_err() {
            clerk.book.stop(Reason::Memory);
        }
        for mut tidings in receiver {
            let for_others = tidings.for_others.take();
            clerk.note(tidings);
            for sender in vec![for_others; workers - 1].into_iter().flatten() {
                let mut worker = new_worker();
                let help = move || worker.work(|it| drop(sender.send(it)));
                drop(thread::Builder::new().spawn_scoped(scope, help));
            }
        }
    });
    clerk.close()
}

/// So many tidings may wait for the clerk before their workers have to.
const BACKLOG: usize = 256;

/// Calculates vectors.
struct Worker<'f, 's, S: System> {
    front: &'f Front<'s, S>,
    vector: Vector<'s, S>,
    most_depth: u64,
    most_states: u64,
    /// The states that were found from the one at hand.
    fresh: Vec<Fresh<S::State>>,
    words: Vec<u32>,
}

/// What a worker did since it last told, and found.
struct Tidings {
    account: Account,
    /// How many steps lead to where it is.
    depth: u64,
    vector_bytes: u64,
    /// Why the verdict can no longer be *holds*.
    excuse: Option<Reason>,
    /// For those who come later to tell theirs.
    for_others: Option<SyncSender<Tidings>>,
}

impl<S: System> Worker<'_, '_, S> {
    /// Expands states as long as there are any.
    fn work(&mut self, mut tell: impl FnMut(Tidings)) {
        let mut worker = self.front.waiting.worker();
        while let Some(waiting) = worker.take() {
            self.front.taken(&waiting);
            self.expand(waiting, &mut tell);
            self.front.give(&mut self.fresh);
        }
        tell(Tidings::of(&mut self.vector, 0, None));
    }

    /// Calculates the vector of a state and looks at where its prefixes end.
    fn expand(&mut self, waiting: Waiting<S::State>, tell: &mut impl FnMut(Tidings)) {
        let (origin, depth) = (waiting.origin, waiting.origin.depth);
        let (front, vector) = (self.front, &mut self.vector);
        waiting.form.restore(front.system, &mut vector.start);
        if depth >= self.most_depth {
            if vector.can_move() {
                tell(Tidings::of(vector, depth, Some(Reason::Depth)));
            }
            return;
        }
        vector.calculate(origin, self.most_depth - depth, |vector, longest| {
            // The states of a prefix are remembered as well, if only by their hashes.
            if longest > self.most_states {
                front.stop(Some(Reason::States));
            }
            tell(Tidings::of(vector, depth + longest, None));
            !front.is_stopped()
        });
        let (fresh, scratch) = (&mut self.fresh, &mut self.words);
        vector.ends(|state, link| {
            fresh.extend(front.meet(state, scratch).map(|form| Fresh { link, form }));
            !front.is_stopped()
        });
        if vector.account.is_due() {
            tell(Tidings::of(vector, depth, None));
        }
    }
}

impl Tidings {
    fn of<S: System>(vector: &mut Vector<'_, S>, depth: u64, excuse: Option<Reason>) -> Tidings {
        Tidings {
            account: mem::take(&mut vector.account),
            depth,
            vector_bytes: vector.bytes(),
            excuse,
            for_others: None,
        }
    }
}

/// Keeps the books: the one who can talk to the monitor.
struct Clerk<'f, 's, 'b, S: System> {
    front: &'f Front<'s, S>,
    book: Book<'b>,
    workers: u64,
}

impl<S: System> Clerk<'_, '_, '_, S> {
    fn note(&mut self, tidings: Tidings) {
        let Tidings { account, .. } = tidings;
        let statistics = &mut self.book.statistics;
        statistics.transitions += account.transitions;
        statistics.stutters += account.stutters;
        for (halt, link) in account.halts {
            self.halted(halt, link);
        }
        if let Some(excuse) = tidings.excuse {
            self.book.excuse(excuse);
        }
        if self.book.is_due() {
            let standing = self.front.standing();
            self.book.statistics.states = standing.states;
            let bytes = self.front.visited_bytes() + self.front.pool_bytes();
            let bytes = bytes + self.workers * tidings.vector_bytes;
            self.book.pulse(tidings.depth, standing.waiting, bytes);
        }
        if self.book.is_stopped() {
            self.front.stop(None);
        }
    }

    /// Notes that the last step of a link leads nowhere.
    fn halted(&mut self, halt: Halt, link: Link) {
        // What several workers found before they heard that one is enough.
        if self.book.is_stopped() {
            return;
        }
        if let Some(fault) = self.book.halted(halt) {
            let front = self.front;
            let schedule = || front.schedule(link);
            self.book
                .report(Property::Fault(fault), link.depth, schedule);
        }
    }

    fn close(mut self) -> Survey {
        if let Some(reason) = self.front.reason() {
            self.book.stop(reason);
        }
        let standing = self.front.standing();
        self.book.statistics.states = standing.states;
        self.book.statistics.depth = standing.depth;
        let bytes = self.front.visited_bytes();
        let total = bytes + self.front.pool_bytes();
        self.book.close(bytes, total)
    }
}
