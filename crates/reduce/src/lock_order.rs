//! Whether locks are taken in an order, so that no threads can wait for each other.
//!
//! The search for transactions passes by deadlocks, because a thread that has taken one
//! lock goes on to the next before anybody else moves. But it sees every *request*: that
//! some thread, holding one lock, asks for another. (Paper 004, section 7: "a violation
//! of such a partial order can be encoded as an assertion".)
//!
//! **Why no request is missed.** Let a thread, wherever it asks for a lock `b`, be able to
//! fail instead if it holds `a`. That is one more outcome of its next step. It looks at no
//! more than the step does: at the variables that name the lock, and at what the thread
//! itself holds, which nobody else can change. It leads to a failure, which is never
//! within a transaction, so that nothing is asked of it as a mover; and it is never after
//! a commit, because asking for a new lock is not a left mover. So the transactions stay
//! what they are, and by theorem 4.1 the failure is found if it is possible, which is: a
//! node is visited whose mode lets the thread move, and there the request is noted. The
//! same holds for the other things that are noted here: that a thread has finished with
//! a lock in its hands, that it comes to an operation that may wait for something other
//! than a lock, or that it waits and no lock is the reason.
//!
//! **Why the order proves something.** In a deadlock every thread that has not finished
//! waits. If none of them ever waits for anything but locks, and none finishes with one,
//! each waits for a lock that another one of them holds: there is a circle of different
//! threads, and each of them asks for the lock that the next one holds. Without such a
//! circle of requests there is no deadlock. With one there may be none, either: the
//! requests need not be possible at the same time.
//!
//! Locks on the heap have no lasting names; all those of a region count as one, and a
//! thread that asks for one of them while it holds another one makes a circle by itself.

use crate::book;
use crate::protection::{Pending, lasting_name};
use crate::transactions::{self, Exploration, Paths, Setup, explore};
use raddle_model::{
    Narrate, Object, ObjectState, Operation, Operations, Reason, Schedule, Status, System, Thread,
};
use raddle_search::{Config, Monitor, Survey};
use std::collections::BTreeMap;

/// Searches for faults with transactions and for deadlocks with the order of locks. If
/// deadlocks are asked for and cannot be excluded, the verdict is not *holds*.
pub fn survey<S: Narrate>(
    system: &S,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> Survey {
    if !config.properties.deadlock {
        return transactions::search(system, book(config, monitor, stop_at_first));
    }
    let (mut survey, order) = check(system, config, monitor, stop_at_first);
    if let Some(why) = order.objection(system) {
        survey.reasons.push(Reason::GaveUp(why));
    }
    survey
}

/// As [`survey`], but tells about the order separately. It means something only if the
/// search came to its end.
pub fn check<S: Narrate>(
    system: &S,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> (Survey, LockOrder) {
    let book = book(config, monitor, stop_at_first);
    let Exploration {
        survey,
        requests,
        paths,
        ..
    } = explore(
        system,
        book,
        Setup {
            requests: true,
            ..Setup::default()
        },
    );
    let order = requests.order(&paths);
    (survey, order)
}

/// What the requests of all threads tell about deadlocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LockOrder {
    /// There is none.
    Free,
    /// These requests form a circle.
    Circle(Vec<Request>),
    /// There are too many requests to look for circles.
    TooMany,
    /// A thread may wait for something that no lock order tells about.
    Other(NoOrder, Thread, Schedule),
}

/// A thread asks for a lock while it holds another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The thread.
    pub thread: Thread,
    /// The lock that it holds. One on the heap goes by its region.
    pub held: Object,
    /// The lock that it asks for.
    pub wanted: Object,
    /// The steps after which it does.
    pub schedule: Schedule,
}

/// Why the order of locks says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoOrder {
    /// A thread may wait for something else than a lock.
    Waits,
    /// A thread finishes and keeps a lock.
    Keeps,
}

impl LockOrder {
    /// Why deadlocks cannot be excluded; `None` if they can.
    pub fn objection<S: Narrate>(&self, system: &S) -> Option<String> {
        // A program that cannot begin has no deadlock.
        let state = system.initial().ok()?;
        let thread_name = |thread: Thread| match thread.index() < system.threads(&state) {
            true => system.thread_name(&state, thread),
            false => format!("thread {}", thread.0),
        };
        let lock_name = |lock: Object| match system.is_permanent(lock) {
            true => system.object_name(&state, lock),
            false => "a lock of a record".to_owned(),
        };
        Some(match self {
            LockOrder::Free => return None,
            LockOrder::TooMany => "there are too many nested locks to find an order".to_owned(),
            LockOrder::Other(NoOrder::Waits, thread, _) => format!(
                "the order of locks does not exclude deadlocks: {} may wait for more than locks",
                thread_name(*thread)
            ),
            LockOrder::Other(NoOrder::Keeps, thread, _) => format!(
                "the order of locks does not exclude deadlocks: {} finishes with a lock",
                thread_name(*thread)
            ),
            LockOrder::Circle(requests) => {
                let told: Vec<String> = requests
                    .iter()
                    .map(|it| {
                        let (held, wanted) = (lock_name(it.held), lock_name(it.wanted));
                        format!("{} takes {wanted} holding {held}", thread_name(it.thread))
                    })
                    .collect();
                format!("locks are taken in a circle: {}", told.join(", "))
            }
        })
    }
}

/// The requests that were seen. Each comes with the node at which it was seen first.
#[derive(Default)]
pub(crate) struct Requests {
    /// By the lock held, the thread and the lock asked for.
    seen: BTreeMap<(Object, Thread, Object), u32>,
    obstacles: BTreeMap<(NoOrder, Thread), u32>,
}

/// The operations that may wait for something other than a lock. A read may as well, but
/// only if it is seen to do so.
const WAITING: Operations = Operations::of(&[
    Operation::Wait,
    Operation::WaitResume,
    Operation::Down,
    Operation::Send,
    Operation::Receive,
    Operation::Join,
]);

/// How many steps are spent on looking for circles.
const MOST_STEPS: u32 = 100_000;

impl Requests {
    /// Takes note of what a thread is about to ask for.
    pub(crate) fn note<S: System>(
        &mut self,
        system: &S,
        state: &S::State,
        pending: &Pending,
        node: u32,
    ) {
        let thread = pending.thread;
        let mut held = Vec::new();
        system.held(state, thread, &mut held);
        if pending.status == Status::Done {
            if !held.is_empty() {
                self.obstacles
                    .entry((NoOrder::Keeps, thread))
                    .or_insert(node);
            }
            return;
        }
        let mut has_to_wait = pending.status == Status::Blocked;
        for access in pending.footprint.accesses() {
            if WAITING.contains(access.operation) {
                self.obstacles
                    .entry((NoOrder::Waits, thread))
                    .or_insert(node);
            }
            if access.operation != Operation::Acquire || held.contains(&access.object) {
                continue;
            }
            let wanted = lasting_name(system, access.object);
            for &held in &held {
                let key = (lasting_name(system, held), thread, wanted);
                self.seen.entry(key).or_insert(node);
            }
            has_to_wait &= is_free(&system.observe(state, access.object));
        }
        // It waits, and not because somebody else holds a lock.
        if has_to_wait {
            self.obstacles
                .entry((NoOrder::Waits, thread))
                .or_insert(node);
        }
    }

    /// What the requests tell.
    fn order(&self, paths: &Paths) -> LockOrder {
        if let Some((&(obstacle, thread), &node)) = self.obstacles.first_key_value() {
            return LockOrder::Other(obstacle, thread, paths.to(node));
        }
        let mut steps = 0;
        for &(first, ..) in self.seen.keys() {
            let mut path = Vec::new();
            match self.circle(first, first, &mut path, &mut steps) {
                Some(true) => return LockOrder::Circle(self.tell(&path, paths)),
                Some(false) => {}
                None => return LockOrder::TooMany,
            }
        }
        LockOrder::Free
    }

    /// Looks for a way from a lock back to the first one of the path, by requests of
    /// different threads and over locks that come after the first. `None` if it takes
    /// too long. The path is no longer than there are threads.
    fn circle(
        &self,
        first: Object,
        lock: Object,
        path: &mut Vec<(Object, Thread, Object)>,
        steps: &mut u32,
    ) -> Option<bool> {
        let from = (lock, Thread(0), FIRST_OBJECT);
        let of_lock = self.seen.range(from..).take_while(|(key, _)| key.0 == lock);
        for (&key, _) in of_lock {
            *steps += 1;
            if *steps > MOST_STEPS {
                return None;
            }
            let (_, thread, wanted) = key;
            let is_taken = path.iter().any(|it| it.1 == thread);
            let is_passed = wanted != first && path.iter().any(|it| it.0 == wanted);
            if is_taken || is_passed || wanted < first {
                continue;
            }
            path.push(key);
            if wanted == first || self.circle(first, wanted, path, steps)? {
                return Some(true);
            }
            path.pop();
        }
        Some(false)
    }

    fn tell(&self, path: &[(Object, Thread, Object)], paths: &Paths) -> Vec<Request> {
        path.iter()
            .map(|key| Request {
                thread: key.1,
                held: key.0,
                wanted: key.2,
                schedule: self
                    .seen
                    .get(key)
                    .map_or_else(Schedule::new, |&it| paths.to(it)),
            })
            .collect()
    }
}

/// The least object.
const FIRST_OBJECT: Object = Object {
    region: raddle_model::Region(0),
    index: 0,
};

/// Whether nobody holds a monitor.
fn is_free(monitor: &ObjectState) -> bool {
    !matches!(monitor, ObjectState::Monitor { owner: Some(_), .. })
}
