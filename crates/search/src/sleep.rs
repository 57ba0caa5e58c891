//! Sleep sets on stored states: every state is visited, but by fewer steps.
//!
//! **From**: Godefroid's sleep sets (paper 002, sections 3 and 7) with the rule for states that
//! are met again (Godefroid 1996, section 5.3). The threads of a state are tried in some order. Who
//! was tried falls asleep, and sleeps on after a step that is independent of its own. Who
//! sleeps in a state is not tried there: where its step leads is reached otherwise.
//!
//! With each state it is remembered who slept whenever it was visited. When it is met again and
//! some of those are awake now, it is visited once more: they are tried, and only those sleep
//! meanwhile who have slept in all visits so far.
//!
//! **Why nothing is lost**, whatever the order of the search and however many workers there are.
//! Let `S` be those who slept in all visits of a state `s`, when the search is over. Whoever is
//! not in `S` was tried in `s`, in exactly one visit. *Claim*: if no thread of `S` can come first in
//! a sequence of steps from `s` (that is, in one that differs from it in the order of
//! independent steps only), then the state to which it leads is visited. This is shown by
//! induction over the length of the sequence. Of the threads that can come first in it, take
//! those that were tried in the last visit in which any of them was, and of these the one, `t`,
//! that was tried first. Who sleeps after this step of `t` slept in `s` during that visit or was
//! tried before `t` in it, and is independent of `t`. If such a thread could come first in the
//! rest of the sequence, it could come first in the sequence itself. But then it was tried:
//! not in that visit before `t`, by the choice of `t`; and if it slept during that visit then in a
//! later one, which there is not. So the claim holds for the rest of the sequence and the state after `t`.
//! Nobody sleeps in the initial state, so that every state is visited.
//!
//! The argument asks only that each visit has an order of its threads, and that who slept so far and
//! who is to be tried are determined at one moment; it does not ask when steps are made. A
//! depth-first search visits a state when it is met. A breadth-first search does so when it is the
//! state's turn; what was met of it in between counts for that visit. What a worker gives away of a
//! state's steps comes after those that it keeps.

use crate::snapshot::{Reader, Writer};
use crate::stores::{Store, Trail};
use foldhash::HashMap;
use raddle_model::{Footprint, System, Thread};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A set of threads among the first 64. The others never sleep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sleepers(pub(crate) u64);

impl Sleepers {
    const NOBODY: Sleepers = Sleepers(0);
    const EVERYBODY: Sleepers = Sleepers(u64::MAX);

    pub(crate) fn add(&mut self, thread: Thread) {
        self.0 |= 1u64.checked_shl(thread.0).unwrap_or(0);
    }

    pub(crate) fn contains(self, thread: Thread) -> bool {
        let rest = self.0.checked_shr(thread.0);
        rest.is_some_and(|rest| rest & 1 == 1)
    }

    fn iter(self) -> impl Iterator<Item = Thread> {
        (0..64).map(Thread).filter(move |&it| self.contains(it))
    }

    /// Those who sleep on while a thread makes its step in a state.
    pub(crate) fn after<S: System>(
        self,
        system: &S,
        state: &S::State,
        thread: Thread,
        footprints: &mut [Footprint; 2],
    ) -> Sleepers {
        let mut still = Sleepers::NOBODY;
        if self == still {
            return still;
        }
        let [mine, theirs] = footprints;
        system.footprint(state, thread, mine);
        for other in self.iter().filter(|&other| other != thread) {
            system.footprint(state, other, theirs);
            let observe = |object| system.observe(state, object);
            if mine.independent_in(thread, theirs, other, observe) {
                still.add(other);
            }
        }
        still
    }
}

/// The visit of a state, in which threads are tried one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Visit {
    asleep: Sleepers,
    trying: Option<Thread>,
}

impl Visit {
    pub(crate) fn new(asleep: Sleepers) -> Visit {
        Visit {
            asleep,
            trying: None,
        }
    }

    /// A thread is tried next, or once more; who sleeps while it makes its step.
    #[inline]
    pub(crate) fn attempt(&mut self, thread: Thread) -> Sleepers {
        if self.trying != Some(thread)
            && let Some(tried) = self.trying.replace(thread)
        {
            self.asleep.add(tried);
        }
        self.asleep
    }

    /// Who sleeps when all have been tried whose turn it was until now.
    pub(crate) fn asleep(self) -> Sleepers {
        let mut asleep = self.asleep;
        self.trying.into_iter().for_each(|it| asleep.add(it));
        asleep
    }
}

/// What comes of meeting a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meeting {
    /// It is new, and to be visited.
    New,
    /// Nothing is to be done, or somebody will do it.
    Known,
    /// It is to be visited once more.
    Again,
}

/// Who slept in which state. All workers share it; it is divided so that they seldom wait for
/// each other.
pub(crate) struct SleepSets {
    /// By the number of the state. Of what is not here nobody slept in all visits.
    parts: Vec<Mutex<HashMap<u64, Entry>>>,
    entries: AtomicU64,
}

#[derive(Clone, Copy)]
struct Entry {
    /// Who slept in all visits so far, and whenever it was met since.
    asleep: Sleepers,
    /// Who is to be tried in the next visit, if it was visited before.
    due: Sleepers,
    /// Whether somebody has said that it is in the store.
    is_stored: bool,
    is_visited: bool,
    /// How many workers are about to put it into the store.
    arriving: u32,
}

const PARTS: usize = 64;

impl Default for SleepSets {
    fn default() -> SleepSets {
        SleepSets {
            parts: (0..PARTS).map(|_| Mutex::default()).collect(),
            entries: AtomicU64::new(0),
        }
    }
}

impl SleepSets {
    /// Looks at the entry of a state, or at a new one. An entry that says nothing goes away.
    fn with<T>(&self, number: u64, change: impl FnOnce(&mut Entry) -> T) -> T {
        let mut part = self.part(number);
        let before = part.len();
        let entry = part.entry(number).or_insert(Entry {
            asleep: Sleepers::EVERYBODY,
            due: Sleepers::NOBODY,
            is_stored: false,
            is_visited: false,
            arriving: 0,
        });
        let result = change(entry);
        // Who put a state into the store was about to do so before anybody found it there. So if
        // nobody is any more and nobody said that it is stored, then that was said in an entry
        // that went away, because nobody slept.
        let is_empty = entry.asleep == Sleepers::NOBODY && entry.due == Sleepers::NOBODY;
        if entry.arriving == 0 && (is_empty || !entry.is_stored) {
            part.remove(&number);
        }
        let change = (part.len() as u64).wrapping_sub(before as u64);
        self.entries.fetch_add(change, Ordering::Relaxed);
        result
    }

    fn part(&self, number: u64) -> MutexGuard<'_, HashMap<u64, Entry>> {
        // The numbers of an exact store differ in all their bits, not only in the last ones.
        let part = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58;
        let part = &self.parts[part as usize % PARTS];
        part.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a state into the store, or finds it there, when these threads sleep. Whoever finds
    /// it there finds it here, too, if anybody sleeps in it, which is why it comes here first. No lock
    /// is held meanwhile: the store may wait for the other workers.
    pub(crate) fn meet(&self, store: &mut impl Store, number: u64, asleep: Sleepers) -> Meeting {
        if store.contains(number) {
            return self.with(number, |entry| entry.meet(asleep));
        }
        self.with(number, |entry| entry.arriving += 1);
        let is_new = store.insert(number);
        self.with(number, |entry| {
            entry.arriving -= 1;
            if !is_new {
                return entry.meet(asleep);
            }
            // Others may have met it before it was known who sleeps.
            entry.asleep.0 &= asleep.0;
            entry.is_stored = true;
            Meeting::New
        })
    }

    /// The visit of a state begins: who sleeps, and who is to be tried, if that is not everybody
    /// else.
    pub(crate) fn visit(&self, number: u64) -> (Sleepers, Option<Sleepers>) {
        self.with(number, |entry| {
            if !entry.is_stored {
                return (Sleepers::NOBODY, None);
            }
            let due = std::mem::take(&mut entry.due);
            let is_first = !std::mem::replace(&mut entry.is_visited, true);
            (entry.asleep, (!is_first).then_some(due))
        })
    }

    /// Goes over from one store to another that has the same states.
    pub(crate) fn move_over<V: Store, W: Store>(&self, from: &mut V, to: &mut W) -> io::Result<()> {
        let (mut words, mut trail) = (Vec::new(), Trail::default());
        for (number, entry) in self.take_all() {
            let is_there = from.restore(number, &mut words, &mut trail);
            let number = to.number(&words, None, &mut trail).filter(|_| is_there);
            let number = number.ok_or(io::ErrorKind::OutOfMemory)?;
            self.put(number, entry);
        }
        Ok(())
    }

    fn take_all(&self) -> Vec<(u64, Entry)> {
        let parts = self.parts.iter();
        let parts = parts.map(|part| part.lock().unwrap_or_else(PoisonError::into_inner));
        let all = parts.flat_map(|mut part| part.drain().collect::<Vec<_>>());
        self.entries.store(0, Ordering::Relaxed);
        all.collect()
    }

    fn put(&self, number: u64, entry: Entry) {
        self.with(number, |it| *it = entry);
    }

    /// Writes down all that is known. Nobody is at work.
    pub(crate) fn write(&self, out: &mut Writer<'_>) -> io::Result<()> {
        let mut all = Vec::new();
        for part in &self.parts {
            let part = part.lock().unwrap_or_else(PoisonError::into_inner);
            all.extend(part.iter().map(|(&number, &entry)| (number, entry)));
        }
        all.sort_unstable_by_key(|(number, _)| *number);
        out.number(all.len() as u64)?;
        all.into_iter().try_for_each(|(number, entry)| {
            let sets = [entry.asleep.0, entry.due.0, entry.is_visited.into()];
            out.number(number)?;
            sets.into_iter().try_for_each(|it| out.number(it))
        })
    }

    pub(crate) fn read(&self, input: &mut Reader<'_>) -> io::Result<()> {
        for _ in 0..input.number()? {
            let number = input.number()?;
            let entry = Entry {
                asleep: Sleepers(input.number()?),
                due: Sleepers(input.number()?),
                is_visited: input.number()? != 0,
                is_stored: true,
                arriving: 0,
            };
            self.put(number, entry);
        }
        Ok(())
    }

    pub(crate) fn bytes(&self) -> u64 {
        // One byte of a slot tells whether it is taken; half of the slots are free.
        2 * self.entries.load(Ordering::Relaxed) * (size_of::<(u64, Entry)>() as u64 + 1)
    }
}

impl Entry {
    /// The state was met while these threads sleep, and is in the store.
    fn meet(&mut self, asleep: Sleepers) -> Meeting {
        let awakened = self.asleep.0 & !asleep.0;
        self.asleep.0 &= asleep.0;
        if !self.is_stored || !self.is_visited || awakened == 0 {
            return Meeting::Known;
        }
        let is_waiting = self.due != Sleepers::NOBODY;
        self.due.0 |= awakened;
        match is_waiting {
            true => Meeting::Known,
            false => Meeting::Again,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stores::Fingerprints;

    fn state(word: u32) -> (Fingerprints, u64) {
        let mut store = Fingerprints::default();
        let number = store.number(&[word], None, &mut Trail::default());
        (store, number.expect("there is room"))
    }

    #[test]
    fn who_wakes_up_is_tried_while_only_those_sleep_who_always_did() {
        let (mut store, number) = state(1);
        let sets = SleepSets::default();
        let mut meet = |asleep| sets.meet(&mut store, number, Sleepers(asleep));
        assert_eq!(meet(0b0111), Meeting::New);
        assert_eq!(sets.visit(number), (Sleepers(0b0111), None));
        assert_eq!(meet(0b1111), Meeting::Known);
        assert_eq!(meet(0b1011), Meeting::Again);
        assert_eq!(meet(0b0001), Meeting::Known, "it waits already");
        let both = Some(Sleepers(0b0110));
        assert_eq!(sets.visit(number), (Sleepers(0b0001), both));
        assert_eq!(meet(0b0110), Meeting::Again);
        assert_eq!(sets.visit(number), (Sleepers(0), Some(Sleepers(0b0001))));
        assert_eq!(sets.bytes(), 0, "nothing is left to be known");
        assert_eq!(meet(0), Meeting::Known);
    }

    #[test]
    fn what_is_met_before_its_visit_counts_for_it() {
        let (mut store, number) = state(1);
        let sets = SleepSets::default();
        let mut meet = |asleep| sets.meet(&mut store, number, Sleepers(asleep));
        assert_eq!(meet(0b11), Meeting::New);
        assert_eq!(meet(0b10), Meeting::Known);
        assert_eq!(sets.visit(number), (Sleepers(0b10), None));
    }

    #[test]
    fn what_is_written_is_read() {
        let (mut store, number) = state(1);
        let sets = SleepSets::default();
        sets.meet(&mut store, number, Sleepers(0b11));
        sets.visit(number);
        sets.meet(&mut store, number, Sleepers(0b10));
        let mut bytes = Vec::new();
        sets.write(&mut Writer(&mut bytes)).expect("there is room");
        let other = SleepSets::default();
        other
            .read(&mut Reader(&mut &bytes[..]))
            .expect("it was written");
        assert_eq!(other.bytes(), sets.bytes());
        assert_eq!(other.visit(number), sets.visit(number));
    }
}
