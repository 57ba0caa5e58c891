//! The states that were stored and those that wait for their turn, for one worker or
//! several: WorkSet, CoveredSet and ActiveThreads of Fig. 8 in paper 001.

use super::vector::{Link, Origin};
use foldhash::fast::FixedState;
use raddle_model::{Reason, Schedule, System};
use raddle_search::{Config, Order, Visited};
use std::collections::VecDeque;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// More workers than one have so many sets of visited states each, so that they seldom
/// want the same one at once.
const SHARDS: usize = 4;

pub(super) struct Front<'s, S> {
    pub(super) system: &'s S,
    order: Order,
    most_states: u64,
    /// A state is in the set that its hash chooses.
    shards: Vec<Mutex<Visited>>,
    pool: Mutex<Pool>,
    /// Somebody may have something to do, or nobody ever will.
    change: Condvar,
    stopped: AtomicBool,
}

/// What workers share. It is never locked together with a set of visited states.
struct Pool {
    waiting: VecDeque<Waiting>,
    waiting_words: u64,
    /// How each stored state was found, by number.
    links: Vec<Link>,
    /// How many workers may still find states.
    busy: usize,
    /// How many wait for that.
    idle: usize,
    /// The most steps that lead to a state.
    depth: u64,
    reason: Option<Reason>,
}

/// A state that waits for its turn.
pub(super) struct Waiting {
    pub(super) origin: Origin,
    pub(super) words: Box<[u32]>,
}

/// A state that was never met before, and how it was met.
pub(super) struct Fresh {
    pub(super) link: Link,
    pub(super) words: Box<[u32]>,
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
        Front {
            system,
            order: config.order,
            most_states: config.limits.states.unwrap_or(u64::MAX),
            shards: (0..shards).map(|_| Mutex::new(Visited::new())).collect(),
            pool: Mutex::new(Pool {
                waiting: VecDeque::new(),
                waiting_words: 0,
                links: Vec::new(),
                busy: 0,
                idle: 0,
                depth: 0,
                reason: None,
            }),
            change: Condvar::new(),
            stopped: AtomicBool::new(false),
        }
    }

    /// Marks a state as met; its words, if it was not before.
    pub(super) fn meet(&self, state: &S::State, scratch: &mut Vec<u32>) -> Option<Box<[u32]>> {
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
        inserted.unwrap_or(false).then(|| words.into())
    }

    /// Takes one of the waiting states out, and waits for one if necessary; `None` if
    /// the search is over.
    pub(super) fn take(&self) -> Option<Waiting> {
        let mut pool = lock(&self.pool);
        while !self.is_stopped() {
            let next = match self.order {
                Order::DepthFirst => pool.waiting.pop_back(),
                Order::BreadthFirst => pool.waiting.pop_front(),
            };
            if let Some(next) = next {
                pool.waiting_words -= next.words.len() as u64;
                pool.busy += 1;
                return Some(next);
            }
            if pool.busy == 0 {
                return None;
            }
            pool.idle += 1;
            let woken = self.change.wait(pool);
            pool = woken.unwrap_or_else(PoisonError::into_inner);
            pool.idle -= 1;
        }
        None
    }

    /// Ends what [`Front::take`] began: these states were found.
    pub(super) fn give(&self, fresh: &mut Vec<Fresh>) {
        let mut pool = lock(&self.pool);
        pool.busy -= 1;
        let reason = fresh.drain(..).find_map(|one| self.store(one, &mut pool));
        // One of those that wait is for whoever gave them.
        let is_news = pool.waiting.len() > 1 || pool.busy == 0;
        let somebody_waits = pool.idle > 0;
        drop(pool);
        if reason.is_some() {
            self.stop(reason);
        } else if is_news && somebody_waits {
            self.change.notify_all();
        }
    }

    /// Stores the state in which everything begins.
    pub(super) fn begin(&self, words: Box<[u32]>) {
        let mut pool = lock(&self.pool);
        let initial = Fresh {
            link: Link::ROOT,
            words,
        };
        let reason = self.store(initial, &mut pool);
        drop(pool);
        if reason.is_some() {
            self.stop(reason);
        }
    }

    /// Stores a state; tells why not, if it is one too many.
    fn store(&self, fresh: Fresh, pool: &mut Pool) -> Option<Reason> {
        if pool.links.len() as u64 >= self.most_states {
            return Some(Reason::States);
        }
        let Ok(number) = u32::try_from(pool.links.len()) else {
            return Some(Reason::GaveUp("too many states".to_owned()));
        };
        let Fresh { link, words } = fresh;
        let depth = link.depth;
        pool.links.push(link);
        pool.depth = pool.depth.max(depth);
        pool.waiting_words += words.len() as u64;
        pool.waiting.push_back(Waiting {
            origin: Origin { number, depth },
            words,
        });
        None
    }

    /// Lets everybody stop.
    pub(super) fn stop(&self, reason: Option<Reason>) {
        let mut pool = lock(&self.pool);
        pool.reason = pool.reason.take().or(reason);
        self.stopped.store(true, Ordering::Relaxed);
        drop(pool);
        self.change.notify_all();
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Why it was stopped, if it was for a reason.
    pub(super) fn reason(&self) -> Option<Reason> {
        lock(&self.pool).reason.clone()
    }

    /// The steps from the initial state to the end of a link.
    pub(super) fn schedule(&self, link: Link) -> Schedule {
        let pool = lock(&self.pool);
        let mut schedule: Schedule = link.moves().collect();
        let mut state = link.parent;
        while state > 0 {
            let link = pool.links[state as usize];
            schedule.extend(link.moves());
            state = link.parent;
        }
        schedule.reverse();
        schedule
    }

    pub(super) fn standing(&self) -> Standing {
        let pool = lock(&self.pool);
        Standing {
            states: pool.links.len() as u64,
            waiting: pool.waiting.len() as u64,
            depth: pool.depth,
        }
    }

    /// The memory of the visited states.
    pub(super) fn visited_bytes(&self) -> u64 {
        self.shards.iter().map(|shard| lock(shard).bytes()).sum()
    }

    /// The memory of everything else.
    pub(super) fn pool_bytes(&self) -> u64 {
        let pool = lock(&self.pool);
        let waiting = pool.waiting.capacity() * size_of::<Waiting>();
        let links = pool.links.capacity() * size_of::<Link>();
        4 * pool.waiting_words + (waiting + links) as u64
    }
}

/// Nobody who holds a lock leaves anything half done, not even by a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
