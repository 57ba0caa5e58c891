//! Breadth-first search, level by level: the schedules it finds have the fewest
//! possible steps.
//!
//! States wait in batches, in the form in which the store writes them down; those of a system that
//! cannot make states of that are kept beside it. A worker takes one, and puts the states that it finds into
//! another one for the next level, which begins when all workers are through with this one.
//! A batch that is closed is written into the log, which gives numbers to its states.

use crate::explore::{Arrival, Candidate, Explorer, Node};
use crate::pool::{Pool, Turns};
use crate::snapshot::{Reader, Writer, wrong};
use crate::spill::{Spill, SpillFile, trouble};
use crate::stores::{Store, Trail};
use crate::sync::{AtomicU64, Mutex, MutexGuard, Ordering};
use crate::{Config, Frontier};
use raddle_model::{Move, Property, Reason, Schedule, System, Thread};
use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, PoisonError};

/// How many states are in a batch.
const BATCH: usize = 256;

/// The states that were found and not yet expanded, and how all of them were found.
pub(crate) struct BreadthFirst<T> {
    batches: Pool<Batch<T>>,
    log: Log,
    /// How many states wait.
    waiting: AtomicU64,
    /// Their memory.
    bytes: AtomicU64,
    /// Where batches go when the others need more than the room that there is.
    spill: Option<Spill>,
    room: u64,
    /// The file for those of one level, which goes away with the last of them.
    file: Mutex<Option<(u64, Arc<SpillFile>)>>,
}

/// States with numbers that follow each other.
struct Batch<T> {
    /// The number of the first one.
    first: u32,
    /// Their distance from the initial state.
    depth: u64,
    /// In the form in which the store writes them down.
    states: Vec<u32>,
    /// Where the first one begins.
    position: usize,
    count: u32,
    /// The states themselves, if they cannot be made of that.
    kept: VecDeque<T>,
    /// Where the states are, if they are not here.
    place: Option<Place>,
}

/// A number of words in a file.
struct Place {
    file: Arc<SpillFile>,
    at: u64,
    words: usize,
}

impl Place {
    fn read(&self) -> io::Result<Vec<u32>> {
        let bytes = self.file.get(self.at, 4 * self.words)?;
        let (words, _) = bytes.as_chunks();
        Ok(words.iter().map(|it| u32::from_le_bytes(*it)).collect())
    }
}

/// A batch that is being filled.
struct Next<T> {
    states: Vec<u32>,
    kept: VecDeque<T>,
    links: Vec<Link>,
}

impl<T: Clone> Next<T> {
    fn new() -> Next<T> {
        Next {
            states: Vec::new(),
            kept: VecDeque::new(),
            links: Vec::new(),
        }
    }

    fn push<S: System<State = T>, V: Store>(
        &mut self,
        explorer: &Explorer<'_, S, V>,
        node: &Node<T>,
        link: Link,
    ) {
        self.save(explorer, node);
        self.links.push(link);
    }

    fn save<S: System<State = T>, V: Store>(
        &mut self,
        explorer: &Explorer<'_, S, V>,
        node: &Node<T>,
    ) {
        let mut unused = Vec::new();
        let words = node.canonical(explorer.system, &mut unused);
        explorer.store.save(words, &node.trail, &mut self.states);
        if !explorer.system.decodes() {
            self.kept.push_back(node.state.clone());
        }
    }
}

impl<T: Clone + Send> BreadthFirst<T> {
    pub(crate) fn new(config: &Config) -> BreadthFirst<T> {
        // Of what the store leaves; the log has the same.
        let room = config.limits.memory.unwrap_or(u64::MAX) / 8;
        BreadthFirst {
            batches: Pool::new(Turns::Levels),
            log: Log::new(config.spill.clone(), room),
            waiting: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            spill: config.spill.clone(),
            room,
            file: Mutex::new(None),
        }
    }

    fn give(&self, batch: Batch<T>) {
        self.count(&batch);
        self.batches.give(batch);
    }

    fn count(&self, batch: &Batch<T>) {
        self.waiting
            .fetch_add(batch.count.into(), Ordering::Relaxed);
        self.bytes.fetch_add(batch.bytes(), Ordering::Relaxed);
    }

    fn forget(&self, batch: &Batch<T>) {
        self.bytes.fetch_sub(batch.bytes(), Ordering::Relaxed);
    }

    /// Closes a batch of states at some distance.
    fn close(&self, next: &mut Next<T>, depth: u64) -> Result<(), Reason> {
        if next.links.is_empty() {
            return Ok(());
        }
        let count = next.links.len() as u32;
        let first = self.log.append(&mut next.links)?;
        let mut states = std::mem::take(&mut next.states);
        states.shrink_to_fit();
        let mut batch = Batch {
            first,
            depth,
            states,
            position: 0,
            count,
            kept: std::mem::take(&mut next.kept),
            place: None,
        };
        self.put_away(&mut batch).map_err(no_file)?;
        self.give(batch);
        Ok(())
    }

    /// Writes the states of a batch into a file, if there is no room for them.
    fn put_away(&self, batch: &mut Batch<T>) -> io::Result<()> {
        let is_needed = self.bytes.load(Ordering::Relaxed) > self.room;
        let Some(spill) = self.spill.as_ref().filter(|_| is_needed) else {
            return Ok(());
        };
        let mut current = lock(&self.file);
        let file = match &*current {
            Some((depth, file)) if *depth == batch.depth => file.clone(),
            _ => {
                let file = Arc::new(spill.file()?);
                *current = Some((batch.depth, file.clone()));
                file
            }
        };
        drop(current);
        let states = std::mem::take(&mut batch.states);
        let bytes: Vec<u8> = states.iter().flat_map(|word| word.to_le_bytes()).collect();
        let at = file.put(&bytes)?;
        let words = states.len();
        batch.place = Some(Place { file, at, words });
        Ok(())
    }

    /// Reads the states of a batch, if they are in a file.
    fn fetch(&self, batch: &mut Batch<T>) -> io::Result<()> {
        if let Some(place) = batch.place.take() {
            batch.states = place.read()?;
            self.bytes.fetch_add(batch.bytes(), Ordering::Relaxed);
        }
        Ok(())
    }

    /// How a state was found. One that cannot be read is no way to a violation, as its replay
    /// will tell.
    fn schedule(&self, state: u32) -> Schedule {
        self.log.schedule(state).unwrap_or_default()
    }

    /// Expands the states of a batch, until there are no more or there is a reason to stop.
    fn expand<S: System<State = T>, V: Store>(
        &self,
        explorer: &mut Explorer<'_, S, V>,
        buffers: &mut Buffers<T>,
        batch: &mut Batch<T>,
    ) -> Result<(), Reason> {
        let depth = batch.depth;
        while batch.count > 0 && !explorer.book.is_stopped() {
            let current = batch.first;
            let Buffers { from, to, .. } = buffers;
            let kept = batch.kept.pop_front();
            let used = explorer.load(batch.states(), kept, from);
            let schedule = || self.schedule(current);
            let mut visit = explorer.expand(from, to, depth, &mut buffers.candidates, schedule);
            while !explorer.book.is_stopped() {
                let Some(candidate) = buffers.candidates.pop() else {
                    break;
                };
                let step = candidate.step;
                match explorer.advance(from, &mut visit, candidate, to) {
                    Arrival::New | Arrival::Again => match Link::new(current, step) {
                        Ok(link) => {
                            buffers.next.push(explorer, to, link);
                            if buffers.next.links.len() == BATCH {
                                self.close(&mut buffers.next, depth + 1)?;
                            }
                        }
                        Err(reason) => explorer.book.excuse(reason),
                    },
                    Arrival::Known | Arrival::Nowhere => {}
                    Arrival::Failed(fault) => {
                        let schedule = || [&self.schedule(current)[..], &[step]].concat();
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
                explorer.pulse(depth, waiting, Frontier::<S>::bytes(self));
                if self.batches.is_stopped() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

impl<T> Batch<T> {
    /// The memory of a state that is kept is not known; that of its canonical form stands for it.
    fn bytes(&self) -> u64 {
        let times = if self.kept.is_empty() { 1 } else { 2 };
        4 * times * self.states.capacity() as u64
    }

    /// The states that are left.
    fn states(&self) -> &[u32] {
        &self.states[self.position..]
    }

    fn write(&self, out: &mut Writer<'_>) -> io::Result<()> {
        out.number(self.first.into())?;
        out.number(self.depth)?;
        out.number(self.count.into())?;
        match &self.place {
            Some(place) => out.words(&place.read()?),
            None => out.words(self.states()),
        }
    }

    fn read(input: &mut Reader<'_>) -> io::Result<Batch<T>> {
        Ok(Batch {
            first: input.small()?,
            depth: input.number()?,
            count: input.small()?,
            states: input.words()?,
            position: 0,
            kept: VecDeque::new(),
            place: None,
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
struct Buffers<T> {
    from: Node<T>,
    to: Node<T>,
    candidates: Vec<Candidate>,
    next: Next<T>,
}

impl<S: System> Frontier<S> for BreadthFirst<S::State> {
    fn begin<V: Store>(&self, explorer: &mut Explorer<'_, S, V>, root: Node<S::State>) {
        let mut first = Next::new();
        first.save(explorer, &root);
        self.give(Batch {
            first: 0,
            depth: 0,
            states: first.states,
            position: 0,
            count: 1,
            kept: first.kept,
            place: None,
        });
    }

    fn work<V: Store>(&self, explorer: &mut Explorer<'_, S, V>, any: S::State) {
        let mut worker = self.batches.worker();
        let mut buffers = Buffers {
            from: Node::new(any.clone()),
            to: Node::new(any),
            candidates: Vec::new(),
            next: Next::new(),
        };
        let mut next = None;
        loop {
            explorer.store.rest();
            let Some(mut batch) = next.take().or_else(|| worker.take()) else {
                return;
            };
            let mut done = self.fetch(&mut batch).map_err(no_file);
            done = done.and_then(|()| self.expand(explorer, &mut buffers, &mut batch));
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
                done = done.and_then(|()| self.close(&mut buffers.next, depth + 1));
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

    fn move_over<V: Store, W: Store>(&self, from: &mut V, to: &mut W) -> io::Result<()> {
        self.batches.look(|now, later| {
            now.iter_mut().chain(later).try_for_each(|batch| {
                self.fetch(batch)?;
                self.forget(batch);
                batch.move_over(from, to);
                self.put_away(batch)?;
                self.bytes.fetch_add(batch.bytes(), Ordering::Relaxed);
                Ok(())
            })
        })
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
        for mut batch in now?.into_iter().rev() {
            self.put_away(&mut batch)?;
            self.count(&batch);
            self.batches.put_back(batch);
        }
        for _ in 0..input.number()? {
            let mut batch = Batch::read(input)?;
            self.put_away(&mut batch)?;
            self.give(batch);
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed) + self.log.bytes()
    }
}

/// From where and by which step each state was found, in the order of their numbers. The
/// initial state has the number zero and no entry.
struct Log {
    pages: Mutex<Pages>,
    /// Where pages go when the others need more than the room that there is.
    spill: Option<Spill>,
    room: u64,
}

#[derive(Default)]
struct Pages {
    /// All are full but the last one.
    pages: Vec<Page>,
    file: Option<SpillFile>,
    /// How many are in memory.
    here: u64,
}

enum Page {
    Here(Vec<Link>),
    /// In a file.
    There(u64),
}

/// How many links are on a page, and how many bytes these are.
const PAGE: usize = 1 << 14;
const PAGE_BYTES: u64 = 8 * PAGE as u64;

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

fn no_file(error: io::Error) -> Reason {
    Reason::GaveUp(trouble(&error))
}

impl Log {
    fn new(spill: Option<Spill>, room: u64) -> Log {
        Log {
            pages: Mutex::default(),
            spill,
            room,
        }
    }

    /// Adds states; the number of the first one.
    fn append(&self, links: &mut Vec<Link>) -> Result<u32, Reason> {
        let mut pages = lock(&self.pages);
        let count = pages.length();
        let first = u32::try_from(count + 1 + links.len()).map_err(|_| too_many("states"))?
            - links.len() as u32;
        for link in links.drain(..) {
            match pages.pages.last_mut() {
                Some(Page::Here(page)) if page.len() < PAGE => page.push(link),
                _ => {
                    if let Some(spill) = &self.spill
                        && pages.here * PAGE_BYTES > self.room
                    {
                        pages.put_away(spill).map_err(no_file)?;
                    }
                    pages.pages.push(Page::Here(vec![link]));
                    pages.here += 1;
                }
            }
        }
        Ok(first)
    }

    /// How a state was found.
    fn schedule(&self, mut state: u32) -> io::Result<Schedule> {
        let pages = lock(&self.pages);
        let mut schedule = Schedule::new();
        while state > 0 {
            let link = pages.link(state as usize - 1)?;
            schedule.push(Move {
                thread: Thread(u32::from(link.thread)),
                choice: u32::from(link.choice),
            });
            state = link.parent;
        }
        schedule.reverse();
        Ok(schedule)
    }

    fn bytes(&self) -> u64 {
        let pages = lock(&self.pages);
        let last = match pages.pages.last() {
            Some(Page::Here(page)) => page.capacity() * size_of::<Link>(),
            _ => 0,
        };
        pages.here.saturating_sub(1) * PAGE_BYTES + last as u64
    }

    fn write(&self, out: &mut Writer<'_>) -> io::Result<()> {
        let pages = lock(&self.pages);
        let length = pages.length();
        out.number(length as u64)?;
        (0..length).try_for_each(|index| out.number(pages.link(index)?.pack()))
    }

    fn read(&self, input: &mut Reader<'_>) -> io::Result<()> {
        let mut links = Vec::new();
        input.numbers(|number| links.push(Link::unpack(number)))?;
        let appended = self.append(&mut links);
        appended.map(|_| ()).map_err(|_| wrong("too many states"))
    }
}

impl Pages {
    /// How many links are on all pages.
    fn length(&self) -> usize {
        let last = match self.pages.last() {
            Some(Page::Here(page)) => page.len(),
            Some(Page::There(_)) => PAGE,
            None => 0,
        };
        self.pages.len().saturating_sub(1) * PAGE + last
    }

    fn link(&self, index: usize) -> io::Result<Link> {
        let within = index % PAGE;
        match (&self.pages[index / PAGE], &self.file) {
            (Page::Here(page), _) => Ok(page[within]),
            (Page::There(at), Some(file)) => {
                let bytes = file.get(at + 8 * within as u64, 8)?;
                let number = bytes.first_chunk().copied().unwrap_or_default();
                Ok(Link::unpack(u64::from_le_bytes(number)))
            }
            (Page::There(_), None) => Err(wrong("a page is nowhere")),
        }
    }

    /// Writes all pages into a file, which are full.
    fn put_away(&mut self, spill: &Spill) -> io::Result<()> {
        let Pages { pages, file, here } = self;
        let file = match file {
            Some(file) => file,
            None => file.insert(spill.file()?),
        };
        for page in pages {
            if let Page::Here(links) = page {
                let bytes = links.iter().flat_map(|link| link.pack().to_le_bytes());
                *page = Page::There(file.put(&bytes.collect::<Vec<u8>>())?);
                *here -= 1;
            }
        }
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
