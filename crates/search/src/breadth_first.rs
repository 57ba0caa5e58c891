//! Breadth-first search, level by level: the schedules it finds have the fewest
//! possible steps.
//!
//! States wait in batches. A worker takes one, and puts the states that it finds into
//! another one for the next level, which begins when all workers are through with this one.
//! A batch that is closed is written into the log, which gives numbers to its states.

use crate::Frontier;
use crate::explore::{Arrival, Candidate, Explorer, Node};
use crate::pool::{Pool, Turns};
use crate::snapshot::{Reader, Writer, wrong};
use crate::stores::{Store, Trail};
use crate::sync::{AtomicU64, Mutex, MutexGuard, Ordering};
use raddle_model::{Move, Property, Reason, Schedule, System, Thread};
use std::io;
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
    /// In the form in which the store writes them down.
    states: Vec<u32>,
    /// Where the first one begins.
    position: usize,
    count: u32,
}

/// A batch that is being filled.
#[derive(Default)]
struct Next {
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

    fn give(&self, batch: Batch) {
        self.count(&batch);
        self.batches.give(batch);
    }

    fn count(&self, batch: &Batch) {
        self.waiting
            .fetch_add(batch.count.into(), Ordering::Relaxed);
        self.bytes.fetch_add(batch.bytes(), Ordering::Relaxed);
    }

    fn forget(&self, batch: &Batch) {
        self.bytes.fetch_sub(batch.bytes(), Ordering::Relaxed);
    }

    /// Closes a batch of states at some distance.
    fn close(&self, next: &mut Next, depth: u64) -> Result<(), Reason> {
        if next.links.is_empty() {
            return Ok(());
        }
        let count = next.links.len() as u32;
        let first = self.log.append(&mut next.links)?;
        let mut states = std::mem::take(&mut next.states);
        states.shrink_to_fit();
        self.give(Batch {
            first,
            depth,
            states,
            position: 0,
            count,
        });
        Ok(())
    }

    /// Expands the states of a batch, until there are no more or there is a reason to stop.
    fn expand<S: System, V: Store>(
        &self,
        explorer: &mut Explorer<'_, S, V>,
        desk: &mut Desk<S::State>,
        batch: &mut Batch,
    ) -> Result<(), Reason> {
        let depth = batch.depth;
        while batch.count > 0 && !explorer.book.is_stopped() {
            let current = batch.first;
            let Desk { from, to, .. } = desk;
            let used = explorer.load(batch.states(), from);
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
            batch.first = current.saturating_add(1);
            batch.position += used;
            batch.count -= 1;
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

impl Batch {
    fn bytes(&self) -> u64 {
        4 * self.states.capacity() as u64
    }

    /// The states that are left.
    fn states(&self) -> &[u32] {
        &self.states[self.position..]
    }

    fn write(&self, out: &mut Writer<'_>) -> io::Result<()> {
        out.number(self.first.into())?;
        out.number(self.depth)?;
        out.number(self.count.into())?;
        out.words(self.states())
    }

    fn read(input: &mut Reader<'_>) -> io::Result<Batch> {
        Ok(Batch {
            first: input.small()?,
            depth: input.number()?,
            count: input.small()?,
            states: input.words()?,
            position: 0,
        })
    }

    /// Writes the states as another store does.
    fn move_over<V: Store, W: Store>(&mut self, from: &mut V, to: &mut W) {
        let (mut words, mut trail) = (Vec::new(), Trail::default());
        let mut states = Vec::new();
        for _ in 0..self.count {
            let used = from.load(self.states(), &mut words, &mut trail);
            self.position += used;
            to.save(&words, &trail, &mut states);
        }
        states.shrink_to_fit();
        (self.states, self.position) = (states, 0);
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
    fn begin<V: Store>(&self, explorer: &mut Explorer<'_, S, V>, root: Node<S::State>) {
        let mut states = Vec::new();
        let mut unused = Vec::new();
        let words = root.canonical(explorer.system, &mut unused);
        explorer.store.save(words, &root.trail, &mut states);
        self.give(Batch {
            first: 0,
            depth: 0,
            states,
            position: 0,
            count: 1,
        });
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
            let Some(mut batch) = next.take().or_else(|| worker.take()) else {
                return;
            };
            let mut done = self.expand(explorer, &mut desk, &mut batch);
            let depth = batch.depth;
            if explorer.book.is_stopped() {
                self.batches.stop();
            }
            match batch.count {
                0 => self.forget(&batch),
                _ => self.batches.put_back(batch),
            }
            // A batch is filled up as long as there is more to do on this level.
            next = worker.take_now();
            if next.is_none() {
                done = done.and_then(|()| self.close(&mut desk.next, depth + 1));
            }
            if let Err(reason) = done {
                explorer.book.stop(reason);
                self.batches.stop();
            }
        }
    }

    fn resume(&self) {
        self.batches.resume();
    }

    fn move_over<V: Store, W: Store>(&self, from: &mut V, to: &mut W) {
        self.batches.look(|now, later| {
            for batch in now.iter_mut().chain(later) {
                self.forget(batch);
                batch.move_over(from, to);
                self.bytes.fetch_add(batch.bytes(), Ordering::Relaxed);
            }
        });
    }

    fn write(&self, _: &S, out: &mut Writer<'_>) -> io::Result<()> {
        self.log.write(out)?;
        self.batches.look(|now, later| {
            [now, later].into_iter().try_for_each(|batches| {
                out.number(batches.len() as u64)?;
                let mut batches = batches.iter();
                batches.try_for_each(|batch| batch.write(out))
            })
        })
    }

    fn read(&self, _: &S, _: &S::State, input: &mut Reader<'_>) -> io::Result<()> {
        self.log.read(input)?;
        // The first ones are to be taken before the others, which wait for the next level.
        let now: io::Result<Vec<_>> = (0..input.number()?).map(|_| Batch::read(input)).collect();
        for batch in now?.into_iter().rev() {
            self.count(&batch);
            self.batches.put_back(batch);
        }
        for _ in 0..input.number()? {
            self.give(Batch::read(input)?);
        }
        Ok(())
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

impl Link {
    fn pack(self) -> u64 {
        let step = u32::from(self.thread) << 16 | u32::from(self.choice);
        u64::from(self.parent) << 32 | u64::from(step)
    }

    fn unpack(number: u64) -> Link {
        Link {
            parent: (number >> 32) as u32,
            thread: (number >> 16) as u16,
            choice: number as u16,
        }
    }
}

fn too_many(what: &str) -> Reason {
    Reason::GaveUp(format!("too many {what} for breadth-first search"))
}

impl Log {
    /// Adds states; the number of the first one.
    fn append(&self, links: &mut Vec<Link>) -> Result<u32, Reason> {
        let mut pages = lock(&self.pages);
        let count = length(&pages);
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
        let pages = lock(&self.pages);
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
        let pages = lock(&self.pages);
        let last = pages.last().map_or(0, Vec::capacity);
        let links = pages.len().saturating_sub(1) * PAGE + last;
        (links * size_of::<Link>()) as u64
    }

    fn write(&self, out: &mut Writer<'_>) -> io::Result<()> {
        let pages = lock(&self.pages);
        let links = pages.iter().flatten();
        out.numbers(length(&pages), links.map(|link| link.pack()))
    }

    fn read(&self, input: &mut Reader<'_>) -> io::Result<()> {
        let mut links = Vec::new();
        input.numbers(|number| links.push(Link::unpack(number)))?;
        let appended = self.append(&mut links);
        appended.map(|_| ()).map_err(|_| wrong("too many states"))
    }
}

/// How many links are on all pages.
fn length(pages: &[Vec<Link>]) -> usize {
    let full = pages.len().saturating_sub(1) * PAGE;
    full + pages.last().map_or(0, Vec::len)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
