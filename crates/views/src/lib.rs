//! A memory in which threads may read old values.
//!
//! Every location has a *history*: the messages that were written to it, in the order of coherence.
//! Every thread has *views*: positions in the histories, which bound what it may still read and where
//! it may still write. A message carries a view, too, and who acquires it learns that. So nothing is
//! ever delayed or reordered: an execution is a sequence of steps, and a read has as many outcomes as
//! there are messages that it may read.
//!
//! The rules are an operational form of JAM21, the model of Java's access modes by Liu, Bender and
//! Palsberg ("Compiling Volatile Correctly in Java", ECOOP 2022), in the manner of promising
//! semantics without promises (Kang et al., POPL 2017): all of its outcomes, but for load buffering of
//! plain accesses, where a thread reads what is written because of what it wrote later. (JAM21
//! itself excludes that for accesses that are opaque or stronger.)
//!
//! - A view has three positions in each history ([`Seen`]). A thread has three views: what it knows
//!   (`current`), what it will know after an acquire fence (`acquirable`), and what its next messages
//!   carry at least (`released`).
//! - A **read** may go to any message that is not behind `happened`; if it is opaque or stronger, not
//!   behind `coherent` either, unless the message was written plainly. It advances `accessed`, and
//!   `coherent` if both are opaque or stronger. An acquire learns the message's view.
//! - A **write** is put anywhere behind `accessed`, but not between a read-modify-write and the message that
//!   it read. A release carries all that the thread knows.
//! - A **read-modify-write** stands directly behind the message that it reads, and carries what that carried.
//! - **Volatile** accesses are ordered with each other by one global view. A thread makes its last volatile
//!   access known to it when it makes the next one, and that one is bound by it. "Read the newest
//!   volatile" would be too strong: the first volatile access of a thread is not bound.
//! - **Locks**, and the start and the end of threads, hand on views, and volatile accesses that are not
//!   made known yet: they are in the same order.
//!
//! What nobody can read any more is dropped ([`Memory::collect`]); positions are relative to what is left,
//! so that [`Memory::encode`] is canonical. This crate knows no language.

mod view;

pub use view::{Seen, View};

use std::collections::BTreeMap;

/// How much an access orders others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Not at all.
    Plain,
    /// Accesses to the same location only.
    Opaque,
    /// Opaque; and a read learns what a release has known.
    Acquire,
    /// Opaque; and a write makes known what its thread knows.
    Release,
    /// Acquire and release; and all volatile accesses are in one order.
    Volatile,
}

impl Mode {
    /// Whether a read in this mode learns what the writer has known.
    pub fn acquires(self) -> bool {
        matches!(self, Mode::Acquire | Mode::Volatile)
    }

    /// Whether a write in this mode makes known what its thread knows.
    pub fn releases(self) -> bool {
        matches!(self, Mode::Release | Mode::Volatile)
    }
}

/// What orders accesses without being one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fence {
    /// Reads before it are acquires.
    Acquire,
    /// Writes behind it are releases.
    Release,
    /// Both, and all full fences are in one order.
    Full,
}

/// A value that was written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message<L> {
    /// The value.
    pub value: u64,
    /// What an acquire that reads it learns.
    view: View<L>,
    /// Whether it was written in plain mode.
    is_plain: bool,
    /// Whether it is part of a read-modify-write, so that nothing may be put before it.
    is_update: bool,
}

impl<L> Message<L> {
    /// What was there from the start.
    fn first(value: u64) -> Self {
        Message {
            value,
            view: View::default(),
            is_plain: false,
            is_update: false,
        }
    }
}

/// What a thread knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Knowledge<L> {
    current: View<L>,
    acquirable: View<L>,
    released: View<L>,
    /// Volatile accesses that the global view does not know of yet.
    pending: Vec<(L, u32)>,
    is_alive: bool,
}

impl<L> Default for Knowledge<L> {
    fn default() -> Self {
        Knowledge {
            current: View::default(),
            acquirable: View::default(),
            released: View::default(),
            pending: Vec::new(),
            is_alive: true,
        }
    }
}

/// What a lock hands on from who has released it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Carried<L> {
    view: View<L>,
    pending: Vec<(L, u32)>,
}

/// See the documentation of the crate. Locations are named by `L`, and so are locks. Threads are
/// numbered in the order in which they are added.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Memory<L> {
    histories: BTreeMap<L, Vec<Message<L>>>,
    threads: Vec<Knowledge<L>>,
    locks: BTreeMap<L, Carried<L>>,
    /// What is known of volatile accesses.
    global: View<L>,
}

impl<L> Default for Memory<L> {
    fn default() -> Self {
        Memory {
            histories: BTreeMap::new(),
            threads: Vec::new(),
            locks: BTreeMap::new(),
            global: View::default(),
        }
    }
}

impl<L: Copy + Ord> Memory<L> {
    /// Adds a thread, which knows what the one knows that starts it, or nothing.
    pub fn add_thread(&mut self, parent: Option<usize>) -> usize {
        let mut thread = Knowledge::default();
        if let Some(parent) = parent.and_then(|parent| self.threads.get(parent)) {
            thread.current = parent.current.clone();
            thread.acquirable = parent.current.clone();
            thread.pending = parent.pending.clone();
        }
        self.threads.push(thread);
        self.threads.len() - 1
    }

    /// How many threads were added.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// A thread has ended. What it knew is kept for those who wait for that.
    pub fn finish(&mut self, thread: usize) {
        let thread = &mut self.threads[thread];
        thread.acquirable = View::default();
        thread.released = View::default();
        thread.is_alive = false;
    }

    /// A thread has ended, and nobody waits for that.
    pub fn retire(&mut self, thread: usize) {
        self.threads[thread] = Knowledge {
            is_alive: false,
            ..Knowledge::default()
        };
    }

    /// A thread learns all that another one knows: it has waited for its end.
    pub fn join(&mut self, thread: usize, other: usize) {
        let Knowledge {
            current, pending, ..
        } = self.threads[other].clone();
        self.learn(
            thread,
            &Carried {
                view: current,
                pending,
            },
        );
    }

    /// A thread gives a lock back.
    pub fn release(&mut self, thread: usize, lock: L) {
        let thread = &self.threads[thread];
        let carried = self.locks.entry(lock).or_insert_with(|| Carried {
            view: View::default(),
            pending: Vec::new(),
        });
        carried.view.join(&thread.current);
        unite(&mut carried.pending, &thread.pending);
    }

    /// A thread takes a lock.
    pub fn acquire(&mut self, thread: usize, lock: L) {
        if let Some(carried) = self.locks.get(&lock).cloned() {
            self.learn(thread, &carried);
        }
    }

    fn learn(&mut self, thread: usize, carried: &Carried<L>) {
        let thread = &mut self.threads[thread];
        thread.current.join(&carried.view);
        thread.acquirable.join(&carried.view);
        unite(&mut thread.pending, &carried.pending);
    }

    /// Gives a location its first value, unless it has a history.
    pub fn introduce(&mut self, location: L, value: u64) {
        self.histories
            .entry(location)
            .or_insert_with(|| vec![Message::first(value)]);
    }

    /// Whether a location has a history of its own.
    pub fn has_history(&self, location: L) -> bool {
        self.histories.contains_key(&location)
    }

    /// The messages of a location, the oldest first.
    pub fn history(&self, location: L) -> &[Message<L>] {
        self.histories.get(&location).map_or(&[], |it| it)
    }

    /// The locations with their histories.
    pub fn histories(&self) -> impl Iterator<Item = (L, &[Message<L>])> {
        self.histories
            .iter()
            .map(|(&location, all)| (location, &all[..]))
    }

    /// How many values the longest history has.
    pub fn longest(&self) -> usize {
        self.histories.values().map(Vec::len).max().unwrap_or(0)
    }

    /// The positions of the messages that a thread may read, the newest first. There is one always,
    /// if the location has a history.
    pub fn readable(&self, thread: usize, location: L, mode: Mode) -> Vec<u32> {
        let history = self.history(location);
        let seen = self.threads[thread].current.of(location);
        let first = seen
            .happened
            .max(self.bound(thread, location, mode == Mode::Volatile));
        let may_read = |position: &u32| {
            mode == Mode::Plain
                || *position >= seen.coherent
                || history[*position as usize].is_plain
        };
        (first..history.len() as u32)
            .rev()
            .filter(may_read)
            .collect()
    }

    /// Reads a message.
    pub fn read(&mut self, thread: usize, location: L, mode: Mode, position: u32) -> u64 {
        if mode == Mode::Volatile {
            self.begin_volatile(thread);
        }
        let message = &self.histories[&location][position as usize];
        let coherent = match mode != Mode::Plain && !message.is_plain {
            true => position,
            false => 0,
        };
        let knowledge = &mut self.threads[thread];
        let seen = Seen {
            happened: 0,
            coherent,
            accessed: position,
        };
        knowledge.note(location, seen, &message.view, mode.acquires());
        if mode == Mode::Volatile {
            knowledge.pending = vec![(location, position)];
        }
        message.value
    }

    /// The places to which a thread may write, as positions that the message then has; the one
    /// behind all others comes first.
    pub fn places(&self, thread: usize, location: L, mode: Mode) -> Vec<u32> {
        let history = self.history(location);
        let seen = self.threads[thread].current.of(location);
        let behind = seen
            .accessed
            .max(self.bound(thread, location, mode == Mode::Volatile));
        let is_free = |place: &u32| {
            let next = history.get(*place as usize);
            next.is_none_or(|next| !next.is_update)
        };
        (behind + 1..=history.len() as u32)
            .rev()
            .filter(is_free)
            .collect()
    }

    /// Writes a value.
    pub fn write(&mut self, thread: usize, location: L, mode: Mode, place: u32, value: u64) {
        if mode == Mode::Volatile {
            self.begin_volatile(thread);
        }
        let message = Message {
            is_plain: mode == Mode::Plain,
            ..Message::first(value)
        };
        self.insert(location, place, message);
        let knowledge = &mut self.threads[thread];
        knowledge.note(location, Seen::all(place), &View::default(), false);
        let view = match mode.releases() {
            true => knowledge.current.clone(),
            false => knowledge.released.clone(),
        };
        if mode == Mode::Volatile {
            knowledge.pending = vec![(location, place)];
        }
        self.message(location, place).view = view;
    }

    /// The positions of the messages that a read-modify-write may read, the newest first; `writes`
    /// says of a value whether it is replaced.
    pub fn updatable(
        &self,
        thread: usize,
        location: L,
        modes: (Mode, Mode),
        writes: impl Fn(u64) -> bool,
    ) -> Vec<u32> {
        let history = self.history(location);
        let seen = self.threads[thread].current.of(location);
        let first = seen
            .accessed
            .max(self.bound(thread, location, is_volatile(modes)));
        let may_read = |position: &u32| {
            let next = history.get(*position as usize + 1);
            next.is_none_or(|next| !next.is_update) || !writes(history[*position as usize].value)
        };
        (first..history.len() as u32)
            .rev()
            .filter(may_read)
            .collect()
    }

    /// Reads a message and writes a value right behind it, if there is one; gives what was read.
    pub fn update(
        &mut self,
        thread: usize,
        location: L,
        modes: (Mode, Mode),
        position: u32,
        value: Option<u64>,
    ) -> u64 {
        if is_volatile(modes) {
            self.begin_volatile(thread);
        }
        let (read, write) = modes;
        let place = position + u32::from(value.is_some());
        if let Some(value) = value {
            let message = Message {
                is_update: true,
                ..Message::first(value)
            };
            self.insert(location, place, message);
        }
        let found = &self.histories[&location][position as usize];
        let (old, mut view) = (found.value, found.view.clone());
        let knowledge = &mut self.threads[thread];
        knowledge.note(location, Seen::all(place), &view, read.acquires());
        if read == Mode::Volatile || is_volatile(modes) && value.is_some() {
            knowledge.pending = vec![(location, place)];
        }
        if value.is_some() {
            view.join(match write.releases() {
                true => &knowledge.current,
                false => &knowledge.released,
            });
            self.message(location, place).view = view;
        }
        old
    }

    /// Orders accesses.
    pub fn fence(&mut self, thread: usize, fence: Fence) {
        let knowledge = &mut self.threads[thread];
        if fence != Fence::Release {
            knowledge.current.join(&knowledge.acquirable);
            knowledge.current.level();
        }
        if fence == Fence::Full {
            knowledge.current.join(&self.global);
            self.global.join(&knowledge.current);
            knowledge.acquirable.join(&knowledge.current);
            knowledge.pending.clear();
        }
        if fence != Fence::Acquire {
            knowledge.released = knowledge.current.clone();
        }
    }

    /// Writes a value where nobody keeps older ones: a thread that does not know of this write is
    /// not to access the location ([`Memory::knows`]).
    pub fn overwrite(&mut self, thread: usize, location: L) {
        self.each_view(|view| view.forget(location));
        let unknown = vec![Message::first(0), Message::first(0)];
        self.histories.insert(location, unknown);
        let knowledge = &mut self.threads[thread];
        knowledge.note(location, Seen::all(1), &View::default(), false);
    }

    /// Whether the last write to a location has happened before what a thread does next.
    pub fn knows(&self, thread: usize, location: L) -> bool {
        let seen = self.threads[thread].current.of(location);
        seen.happened as usize + 1 >= self.history(location).len()
    }

    /// All threads know all of a location.
    pub fn reveal(&mut self, location: L) {
        self.histories.remove(&location);
        self.each_view(|view| view.forget(location));
    }

    /// Whether a thread has been added and has not ended.
    pub fn is_alive(&self, thread: usize) -> bool {
        self.threads.get(thread).is_some_and(|it| it.is_alive)
    }

    /// Drops what no thread can read any more.
    pub fn collect(&mut self) {
        self.collect_with(|_| None);
    }

    /// The same, if some threads do nothing before another one has ended, which they learn all of.
    pub fn collect_with(&mut self, awaits: impl Fn(usize) -> Option<usize>) {
        let threads = &self.threads;
        let happened = |first: usize, location: L| {
            let (mut happened, mut next) = (0, Some(first));
            // Threads that wait for each other never do anything.
            for _ in 0..=threads.len() {
                let Some(thread) = next.and_then(|it| threads.get(it)) else {
                    return happened;
                };
                happened = thread.current.of(location).happened.max(happened);
                next = next.and_then(&awaits);
            }
            happened
        };
        let known = |location: L| {
            let alive = (0..threads.len()).filter(|&it| threads[it].is_alive);
            alive.map(|it| happened(it, location)).min()
        };
        let behind = self.histories.iter().filter(|(_, all)| all.len() > 1);
        let behind = behind.filter_map(|(&location, all)| {
            let first = known(location).unwrap_or(all.len() as u32 - 1);
            (first > 0).then_some((location, first))
        });
        for (location, count) in Vec::from_iter(behind) {
            self.each_view(|view| view.drop_first(location, count));
            self.each_pending(|(of, position)| {
                if *of == location {
                    *position = position.saturating_sub(count);
                }
            });
            if let Some(history) = self.histories.get_mut(&location) {
                history.drain(..count as usize);
                history[0].is_update = false;
            }
        }
        self.locks
            .retain(|_, carried| !carried.view.is_empty() || !carried.pending.is_empty());
    }

    /// Forgets the histories of which all is known: their only value is that of an ordinary memory.
    pub fn forget_settled(&mut self) {
        self.histories.retain(|_, all| match &all[..] {
            [only] => only.is_plain || !only.view.is_empty(),
            _ => true,
        });
    }

    /// Writes what makes this memory another one than others. Locations are written by the numbers
    /// that they are given, and in the order of these; those without one do not matter.
    pub fn encode(
        &self,
        name: impl Fn(L) -> Option<u64>,
        value: impl Fn(L, u64) -> u64,
        out: &mut Vec<u32>,
    ) {
        let mut draft = Draft { name, out };
        draft.number(self.threads.len() as u64);
        for thread in &self.threads {
            draft.number(u64::from(thread.is_alive));
            draft.view(&thread.current);
            draft.view(&thread.acquirable);
            draft.view(&thread.released);
            draft.pending(&thread.pending);
        }
        draft.view(&self.global);
        let histories = draft.named(&self.histories);
        draft.number(histories.len() as u64);
        for (name, location, history) in histories {
            draft.number(name);
            draft.number(history.len() as u64);
            for message in history {
                let flags = u64::from(message.is_plain) << 1 | u64::from(message.is_update);
                draft.number(flags);
                draft.number(value(location, message.value));
                draft.view(&message.view);
            }
        }
        let locks = draft.named(&self.locks);
        draft.number(locks.len() as u64);
        for (name, _, carried) in locks {
            draft.number(name);
            draft.view(&carried.view);
            draft.pending(&carried.pending);
        }
    }

    /// Where the global view binds an access, if it does.
    fn bound(&self, thread: usize, location: L, is_volatile: bool) -> u32 {
        let pending = &self.threads[thread].pending;
        if !is_volatile || pending.is_empty() {
            return 0;
        }
        let own = pending.iter().filter(|(of, _)| *of == location);
        let own = own.map(|&(_, position)| position).max().unwrap_or(0);
        self.global.of(location).accessed.max(own)
    }

    /// Makes the last volatile accesses known.
    fn begin_volatile(&mut self, thread: usize) {
        for &(location, position) in &self.threads[thread].pending {
            self.global.learn(location, Seen::all(position));
        }
    }

    fn insert(&mut self, location: L, place: u32, message: Message<L>) {
        self.each_view(|view| view.make_room(location, place));
        self.each_pending(|(of, position)| {
            *position += u32::from(*of == location && *position >= place);
        });
        if let Some(history) = self.histories.get_mut(&location) {
            history.insert(place as usize, message);
        }
    }

    fn message(&mut self, location: L, position: u32) -> &mut Message<L> {
        let history = self.histories.get_mut(&location);
        &mut history.expect("what is written has a history")[position as usize]
    }

    fn each_view(&mut self, mut visit: impl FnMut(&mut View<L>)) {
        for thread in &mut self.threads {
            visit(&mut thread.current);
            visit(&mut thread.acquirable);
            visit(&mut thread.released);
        }
        let messages = self.histories.values_mut().flatten();
        messages.for_each(|message| visit(&mut message.view));
        let locks = self.locks.values_mut();
        locks.for_each(|carried| visit(&mut carried.view));
        visit(&mut self.global);
    }

    fn each_pending(&mut self, visit: impl Fn(&mut (L, u32))) {
        let threads = self.threads.iter_mut().map(|it| &mut it.pending);
        let locks = self.locks.values_mut().map(|it| &mut it.pending);
        threads.chain(locks).flatten().for_each(visit);
    }
}

impl<L: Copy + Ord> Knowledge<L> {
    /// What an access teaches its thread.
    fn note(&mut self, location: L, seen: Seen, message: &View<L>, acquires: bool) {
        self.current.learn(location, seen);
        if acquires {
            self.current.join(message);
        }
        self.acquirable.join(&self.current);
        self.acquirable.join(message);
    }
}

fn is_volatile((read, write): (Mode, Mode)) -> bool {
    read == Mode::Volatile || write == Mode::Volatile
}

/// Adds what is not there, in order.
fn unite<T: Copy + Ord>(all: &mut Vec<T>, others: &[T]) {
    all.extend_from_slice(others);
    all.sort_unstable();
    all.dedup();
}

/// Words of a canonical form.
struct Draft<'o, N> {
    name: N,
    out: &'o mut Vec<u32>,
}

impl<N> Draft<'_, N> {
    fn number(&mut self, number: u64) {
        self.out.extend([number as u32, (number >> 32) as u32]);
    }

    /// What has a name, in the order of names.
    fn named<'m, L: Copy + Ord, T>(&self, all: &'m BTreeMap<L, T>) -> Vec<(u64, L, &'m T)>
    where
        N: Fn(L) -> Option<u64>,
    {
        let named = all.iter();
        let named = named.filter_map(|(&of, it)| Some(((self.name)(of)?, of, it)));
        let mut named: Vec<_> = named.collect();
        named.sort_by_key(|&(name, ..)| name);
        named
    }

    fn view<L: Copy + Ord>(&mut self, view: &View<L>)
    where
        N: Fn(L) -> Option<u64>,
    {
        let mut all: Vec<_> = view
            .iter()
            .filter_map(|(of, seen)| Some(((self.name)(of)?, seen)))
            .collect();
        all.sort_unstable();
        self.number(all.len() as u64);
        for (name, seen) in all {
            self.number(name);
            self.out
                .extend([seen.happened, seen.coherent, seen.accessed]);
        }
    }

    fn pending<L: Copy + Ord>(&mut self, pending: &[(L, u32)])
    where
        N: Fn(L) -> Option<u64>,
    {
        let mut all: Vec<_> = pending
            .iter()
            .filter_map(|&(of, at)| Some(((self.name)(of)?, at)))
            .collect();
        all.sort_unstable();
        self.number(all.len() as u64);
        for (name, position) in all {
            self.number(name);
            self.out.push(position);
        }
    }
}
