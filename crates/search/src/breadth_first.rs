//! Breadth-first search, level by level: the schedules it finds have the fewest
//! possible steps.
//!
//! States wait in batches. A worker takes one, and puts the states that it finds into
//! another one for the next level, which begins when all workers are through with this one.
//! A batch that is closed is written into the log, which gives numbers to its states.

use crate::Frontier;
use crate::explore::{Arrival, Candidate, Explorer, Node};
use crate::pool::{Pool, Turns};
use crate::stores::Store;
use crate::sync::{AtomicU64, Mutex, MutexGuard, Ordering};
use raddle_model::{Move, Property, Reason, Schedule, System, Thread};
use std::sync::PoisonError;

/// How many states are in a batch.
const BATCH: usize = 256;

/// The states that were found and not yet expanded, and how all of them were found.
pub(crate) struct BreadthFirst {
    batches: Pool<Batch>,
    log: Log,
    /// How many states wait.
    waiting: AtomicU64,
    /// Their memory.
    bytes: AtomicU64,
}

/// States with numbers that follow each other.
struct Batch {
    /// The number of the first one.
    first: u32,
    /// Their distance from the initial state.
    depth: u64,
    states: Vec<u32>,
    count: u32,
}

/// A batch that is being filled.
#[derive(Default)]
struct Next {
    /// In the form in which the store writes them down.
    states: Vec<u32>,
    links: Vec<Link>,
}

impl Next {
    fn push<S: System, V: Store>(
        &mut self,
        explorer: &Explorer<'_, S, V>,
        node: &Node<S::State>,
        link: Link,
    ) {
        let mut unused = Vec::new();
        let words = node.canonical(explorer.system, &mut unused);
        explorer.store.save(words, &node.trail, &mut self.states);
        self.links.push(link);
    }
}

impl BreadthFirst {
    pub(crate) fn new() -> BreadthFirst {
        BreadthFirst {
            batches: Pool::new(Turns::Levels),
            log: Log::default(),
            waiting: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
        }
    }

    fn give(&self, first: u32, depth: u64, states: Vec<u32>, count: usize) {
        self.waiting.fetch_add(count as u64, Ordering::Relaxed);
        self.bytes
            .fetch_add(4 * states.capacity() as u64, Ordering::Relaxed);
        self.batches.give(Batch {
            first,
            depth,
            states,
            count: count as u32,
        });
    }

    /// Closes a batch of states at some distance.
    fn close(&self, next: &mut Next, depth: u64) -> Result<(), Reason> {
        if next.links.is_empty() {
            return Ok(());
        }
        let count = next.links.len();
        let first = self.log.append(&mut next.links)?;
        let mut states = std::mem::take(&mut next.states);
        states.shrink_to_fit();
        self.give(first, depth, states, count);
        Ok(())
    }

    /// Expands the states of a batch.
    fn expand<S: System, V: Store>(
        &self,
        explorer: &mut Explorer<'_, S, V>,
        desk: &mut Desk<S::State>,
        batch: &Batch,
    ) -> Result<(), Reason> {
        let depth = batch.depth;
        let mut position = 0;
        for current in (batch.first..).take(batch.count as usize) {
            if explorer.book.is_stopped() {
                return Ok(());
            }
            let Desk { from, to, .. } = desk;
            position += explorer.load(&batch.states[position..], from);
            explorer.expand(from, to, depth, &mut desk.candidates, || {
                self.log.schedule(current)
            });
            while !explorer.book.is_stopped() {
                let Some(candidate) = desk.candidates.pop() else {
                    break;
                };
                let step = candidate.step;
                match explorer.advance(from, candidate, to) {
                    Arrival::New => match Link::new(current, step) {
                        Ok(link) => {
                            desk.next.push(explorer, to, link);
                            if desk.next.links.len() == BATCH {
                                self.close(&mut desk.next, depth + 1)?;
                            }
                        }
                        Err(reason) => explorer.book.excuse(reason),
                    },
                    Arrival::Nowhere => {}
                    Arrival::Failed(fault) => {
                        let schedule = || self.log.schedule_with(current, step);
                        explorer
                            .book
                            .report(Property::Fault(fault), depth + 1, schedule);
                    }
                }
            }
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            if explorer.book.is_due() {
                let waiting = self.waiting.load(Ordering::Relaxed);
                let bytes = explorer.store.bytes() + Frontier::<S>::bytes(self);
                explorer.book.pulse(depth, waiting, bytes);
                if self.batches.is_stopped() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// What a worker works on.
struct Desk<T> {
    from: Node<T>,
    to: Node<T>,
    candidates: Vec<Candidate>,
    next: Next,
}

impl<S: System> Frontier<S> for BreadthFirst {
    fn begin<V: Store>(&self, explorer: &mut Explorer<'_, S, V>, root: &Node<S::State>) {
        let mut states = Vec::new();
        let mut unused = Vec::new();
        let words = root.canonical(explorer.system, &mut unused);
        explorer.store.save(words, &root.trail, &mut states);
        self.give(0, 0, states, 1);
    }

    fn work<V: Store>(&self, explorer: &mut Explorer<'_, S, V>, any: S::State) {
        let mut worker = self.batches.worker();
        let mut desk = Desk {
            from: Node::new(any.clone()),
            to: Node::new(any),
            candidates: Vec::new(),
            next: Next::default(),
        };
        let mut next = None;
        loop {
            explorer.store.rest();
            let Some(batch) = next.take().or_else(|| worker.take()) else {
                return;
            };
            let mut done = self.expand(explorer, &mut desk, &batch);
            let bytes = 4 * batch.states.capacity() as u64;
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
            // A batch is filled up as long as there is more to do on this level.
            next = worker.take_now();
            if next.is_none() {
                done = done.and_then(|()| self.close(&mut desk.next, batch.depth + 1));
            }
            if let Err(reason) = done {
                explorer.book.stop(reason);
            }
            if explorer.book.is_stopped() {
                self.batches.stop();
            }
        }
    }

    fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed) + self.log.bytes()
    }
}

/// From where and by which step each state was found, in the order of their numbers. The
/// initial state has the number zero and no entry.
#[derive(Default)]
struct Log {
    pages: Mutex<Vec<Vec<Link>>>,
}

/// How many links are on a page.
const PAGE: usize = 1 << 14;

/// Eight bytes per state, hence the narrow numbers.
#[derive(Clone, Copy)]
struct Link {
    parent: u32,
    thread: u16,
    choice: u16,
}

impl Link {
    fn new(parent: u32, step: Move) -> Result<Link, Reason> {
        Ok(Link {
            parent,
            thread: u16::try_from(step.thread.0).map_err(|_| too_many("threads"))?,
            choice: u16::try_from(step.choice).map_err(|_| too_many("choices of a step"))?,
        })
    }
}

fn too_many(what: &str) -> Reason {
    Reason::GaveUp(format!("too many {what} for breadth-first search"))
}

impl Log {
    /// Adds states; the number of the first one.
    fn append(&self, links: &mut Vec<Link>) -> Result<u32, Reason> {
        let mut pages = self.lock();
        let full = pages.len().saturating_sub(1) * PAGE;
        let count = full + pages.last().map_or(0, Vec::len);
        let first = u32::try_from(count + 1 + links.len()).map_err(|_| too_many("states"))?
            - links.len() as u32;
        for link in links.drain(..) {
            match pages.last_mut().filter(|page| page.len() < PAGE) {
                Some(page) => page.push(link),
                None => pages.push(vec![link]),
            }
        }
        Ok(first)
    }

    /// How a state was found.
    fn schedule(&self, mut state: u32) -> Schedule {
        let pages = self.lock();
        let mut schedule = Schedule::new();
        while state > 0 {
            let index = state as usize - 1;
            let link = pages[index / PAGE][index % PAGE];
            schedule.push(Move {
                thread: Thread(u32::from(link.thread)),
                choice: u32::from(link.choice),
            });
            state = link.parent;
        }
        schedule.reverse();
        schedule
    }

    fn schedule_with(&self, state: u32, step: Move) -> Schedule {
        let mut schedule = self.schedule(state);
        schedule.push(step);
        schedule
    }

    fn bytes(&self) -> u64 {
        let pages = self.lock();
        let last = pages.last().map_or(0, Vec::capacity);
        let links = pages.len().saturating_sub(1) * PAGE + last;
        (links * size_of::<Link>()) as u64
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Vec<Link>>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
