//! The states that were stored and those that wait for their turn, for one worker or
//! several: WorkSet, CoveredSet and ActiveThreads of Fig. 8 in paper 001.

use super::vector::{Link, Origin};
use foldhash::fast::FixedState;
use raddle_model::{Reason, Schedule, System};
use raddle_search::{Config, Order, Pool, Turns, Visited};
use std::hash::BuildHasher;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// More workers than one have so many sets of visited states each, so that they seldom
/// want the same one at once.
const SHARDS: usize = 4;

pub(super) struct Front<'s, S: System> {
    pub(super) system: &'s S,
    most_states: u64,
    /// A state is in the set that its hash chooses.
    shards: Vec<Mutex<Visited>>,
    pub(super) waiting: Pool<Waiting<S::State>>,
    found: Mutex<Found>,
}

/// What was found so far. It is never locked together with a set of visited states.
#[derive(Default)]
struct Found {
    /// How each stored state was found, by number.
    links: Vec<Link>,
    /// The words of all states that were given to the pool and not yet taken.
    waiting_words: u64,
    /// The most steps that lead to a state.
    depth: u64,
    reason: Option<Reason>,
}

/// A state that waits for its turn.
pub(super) struct Waiting<T> {
    pub(super) origin: Origin,
    pub(super) form: Form<T>,
}

/// A state that was never met before, and how it was met.
pub(super) struct Fresh<T> {
    pub(super) link: Link,
    pub(super) form: Form<T>,
}

/// A state to come back to: its words, and itself if it cannot be made of these.
pub(super) struct Form<T> {
    words: Box<[u32]>,
    kept: Option<T>,
}

impl<T> Form<T> {
    /// Goes to the state.
    pub(super) fn restore<S: System<State = T>>(self, system: &S, state: &mut T) {
        match self.kept {
            Some(kept) => *state = kept,
            None => system.decode(&self.words, state),
        }
    }
}

/// How far the search is.
pub(super) struct Standing {
    pub(super) states: u64,
    pub(super) waiting: u64,
    pub(super) depth: u64,
}

impl<'s, S: System> Front<'s, S> {
    pub(super) fn new(system: &'s S, config: &Config, workers: usize) -> Front<'s, S> {
        let shards = match workers {
            0 | 1 => 1,
            many => SHARDS * many,
        };
        let turns = match config.order {
            Order::DepthFirst => Turns::Last,
            Order::BreadthFirst => Turns::First,
        };
        Front {
            system,
            most_states: config.limits.states.unwrap_or(u64::MAX),
            shards: (0..shards).map(|_| Mutex::new(Visited::new())).collect(),
            waiting: Pool::new(turns),
            found: Mutex::default(),
        }
    }

    /// Marks a state as met; its form, if it was not before.
    pub(super) fn meet(&self, state: &S::State, scratch: &mut Vec<u32>) -> Option<Form<S::State>> {
        scratch.clear();
        let words = self.system.encode(state, scratch);
        let shard = match self.shards.len() {
            1 => 0,
            many => FixedState::default().hash_one(words) as usize % many,
        };
        let inserted = lock(&self.shards[shard]).insert(words);
        if inserted.is_none() {
            self.stop(Some(Reason::Memory));
        }
        inserted.unwrap_or(false).then(|| Form {
            words: words.into(),
            kept: (!self.system.decodes()).then(|| state.clone()),
        })
    }

    /// Notes that a state was taken out.
    pub(super) fn taken(&self, waiting: &Waiting<S::State>) {
        lock(&self.found).waiting_words -= waiting.form.words.len() as u64;
    }

    /// Stores states that were found.
    pub(super) fn give(&self, fresh: &mut Vec<Fresh<S::State>>) {
        for one in fresh.drain(..) {
            match self.store(one) {
                Ok(waiting) => self.waiting.give(waiting),
                Err(reason) => return self.stop(Some(reason)),
            }
        }
    }

    /// Stores the state in which everything begins.
    pub(super) fn begin(&self, form: Form<S::State>) {
        let link = Link::ROOT;
        self.give(&mut vec![Fresh { link, form }]);
    }

    /// Stores a state; tells why not, if it is one too many.
    fn store(&self, fresh: Fresh<S::State>) -> Result<Waiting<S::State>, Reason> {
        let mut found = lock(&self.found);
        if found.links.len() as u64 >= self.most_states {
            return Err(Reason::States);
        }
        let Ok(number) = u32::try_from(found.links.len()) else {
            return Err(Reason::GaveUp("too many states".to_owned()));
        };
        let Fresh { link, form } = fresh;
        let depth = link.depth;
        found.links.push(link);
        found.depth = found.depth.max(depth);
        found.waiting_words += form.words.len() as u64;
        let origin = Origin { number, depth };
        Ok(Waiting { origin, form })
    }

    /// Lets everybody stop.
    pub(super) fn stop(&self, reason: Option<Reason>) {
        let mut found = lock(&self.found);
        found.reason = found.reason.take().or(reason);
        drop(found);
        self.waiting.stop();
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.waiting.is_stopped()
    }

    /// Why it was stopped, if it was for a reason.
    pub(super) fn reason(&self) -> Option<Reason> {
        lock(&self.found).reason.clone()
    }

    /// The steps from the initial state to the end of a link.
    pub(super) fn schedule(&self, link: Link) -> Schedule {
        let found = lock(&self.found);
        let mut schedule: Schedule = link.moves().collect();
        let mut state = link.parent;
        while state > 0 {
            let link = found.links[state as usize];
            schedule.extend(link.moves());
            state = link.parent;
        }
        schedule.reverse();
        schedule
    }

    pub(super) fn standing(&self) -> Standing {
        let found = lock(&self.found);
        Standing {
            states: found.links.len() as u64,
            waiting: self.waiting.waiting() as u64,
            depth: found.depth,
        }
    }

    /// The memory of the visited states.
    pub(super) fn visited_bytes(&self) -> u64 {
        self.shards.iter().map(|shard| lock(shard).bytes()).sum()
    }

    /// The memory of everything else.
    pub(super) fn pool_bytes(&self) -> u64 {
        let found = lock(&self.found);
        let waiting = self.waiting.waiting() * size_of::<Waiting<S::State>>();
        let links = found.links.capacity() * size_of::<Link>();
        4 * found.waiting_words + (waiting + links) as u64
    }
}

/// Nobody who holds a lock leaves anything half done, not even by a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
