//! Which of the steps that can be made from a state are made.
//!
//! A [`Selector`] names, in a state, a *persistent* set of threads: nothing that the others
//! can do before one of the set moves interferes with the next steps of the set. Making only
//! the steps of the set is enough, as long as nobody is left out for ever. That is the
//! business of the proviso here, which is the same for every order of the search, for every
//! store, and for several workers.
//!
//! **Proviso**: a state is expanded with the steps of the set alone only if one of them leads
//! to a *witness*: a state that is new, or from which one is known to come, from witness to
//! witness, to a state that is expanded with all steps.
//!
//! **Why that is enough**: let an execution lead from a state to a violation. If it has a step
//! of the set, that step can as well be made first, where it fails if it does. If not, then the steps of the set are
//! independent of all of it, and it can be made from the witness as well. Witnesses lead to a
//! state that is expanded with all steps, where the execution goes on with a step of its own.
//! So it remains to be seen that they do not go round in circles. A state is *settled* if it
//! is expanded with all steps, or if its witness was settled before. When a state is expanded
//! whose witness is settled already, it is settled itself. A witness that is not was new, so
//! that it came into the store later than the state: a chain of those ends.
//!
//! A depth-first search by one worker settles each state on its way back: there a witness may
//! be whatever is not on the path. This is the usual proviso of the stack, for one successor
//! instead of all.

use crate::stores::Store;
use foldhash::HashMap;
use raddle_model::{System, Thread};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Chooses who moves. Each worker has one of its own.
pub trait Selector<S: System> {
    /// A persistent set of threads that leaves somebody out who could move; `None` if there
    /// is none.
    fn select(&mut self, system: &S, state: &S::State) -> Option<&[Thread]>;
}

/// Who moves in a state.
pub enum Choice<'a, S> {
    /// All threads that can.
    All,
    /// The threads of a persistent set.
    Sets(Selectors<'a, S>),
    /// The threads that do not sleep: see `sleep.rs`.
    Sleep,
}

// The derived ones would ask the same of the system.
impl<S> Clone for Choice<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Choice<'_, S> {}

/// Makes a selector for each worker.
pub type Selectors<'a, S> = &'a (dyn Fn() -> Box<dyn Selector<S>> + Sync);

/// The states that are not settled. All workers share it; it is divided so that they seldom
/// wait for each other.
pub(crate) struct Unsettled {
    parts: Vec<Mutex<HashMap<u64, Entry>>>,
    /// Whether all states in the store that are not here are settled.
    is_complete: AtomicBool,
    entries: AtomicU64,
}

/// What is known of a state.
#[derive(Default)]
struct Entry {
    progress: Progress,
    /// How many workers are about to put it into the store.
    arriving: u32,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Progress {
    /// Nobody has put it into the store since it is here.
    #[default]
    Arriving,
    /// It waits to be expanded.
    Waiting,
    /// It was expanded with the steps of a set, and this is its witness.
    Relies(u64),
    Settled,
}

const PARTS: usize = 64;

impl Default for Unsettled {
    fn default() -> Unsettled {
        Unsettled {
            parts: (0..PARTS).map(|_| Mutex::default()).collect(),
            is_complete: AtomicBool::new(true),
            entries: AtomicU64::new(0),
        }
    }
}

impl Unsettled {
    /// Looks at the entry of a state, or at a new one. An entry that says nothing goes away.
    fn with<T>(&self, number: u64, change: impl FnOnce(&mut Entry) -> T) -> T {
        // The numbers of an exact store differ in all their bits, not only in the last ones.
        let part = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58;
        let part = &self.parts[part as usize % PARTS];
        let mut part = part.lock().unwrap_or_else(PoisonError::into_inner);
        let before = part.len();
        let entry = part.entry(number).or_default();
        let result = change(entry);
        if entry.arriving == 0 && !matches!(entry.progress, Progress::Waiting | Progress::Relies(_))
        {
            part.remove(&number);
        }
        let change = (part.len() as u64).wrapping_sub(before as u64);
        self.entries.fetch_add(change, Ordering::Relaxed);
        result
    }

    /// Puts a state into the store; tells whether it is new. Whoever finds it there finds it
    /// here, too, until it is settled, which is why it comes here first. No lock is held
    /// meanwhile: the store may wait for the other workers.
    pub(crate) fn insert(&self, store: &mut impl Store, number: u64) -> bool {
        if store.contains(number) {
            return false;
        }
        self.with(number, |entry| entry.arriving += 1);
        let is_new = store.insert(number);
        self.with(number, |entry| {
            entry.arriving -= 1;
            if is_new {
                entry.progress = Progress::Waiting;
            }
        });
        is_new
    }

    /// The state is expanded with all steps.
    pub(crate) fn settle(&self, number: u64) {
        self.with(number, |entry| entry.progress = Progress::Settled);
    }

    /// The state is expanded with the steps of a set, one of which leads to the witness.
    pub(crate) fn rely(&self, number: u64, witness: u64) {
        let progress = match self.is_complete.load(Ordering::Relaxed) {
            true => Progress::Relies(witness),
            // Nobody will ask.
            false => Progress::Settled,
        };
        self.with(number, |entry| entry.progress = progress);
    }

    /// Whether a state is in the store and settled. What is found out is remembered.
    pub(crate) fn is_settled(&self, store: &impl Store, number: u64) -> bool {
        let (mut chain, mut next) = (Vec::new(), number);
        // Whoever is not in the store yet may not be here, either.
        while self.is_complete.load(Ordering::Relaxed) && store.contains(next) {
            let progress = self.with(next, |entry| match entry {
                // There was no entry.
                Entry {
                    progress: Progress::Arriving,
                    arriving: 0,
                } => Progress::Settled,
                entry => entry.progress,
            });
            match progress {
                Progress::Arriving | Progress::Waiting => return false,
                Progress::Relies(witness) => {
                    chain.push(next);
                    next = witness;
                }
                Progress::Settled => {
                    chain.into_iter().for_each(|number| self.settle(number));
                    return true;
                }
            }
        }
        false
    }

    /// States have other numbers from now on, or some of them are not known here: none is
    /// taken to be settled any more.
    pub(crate) fn forget(&self) {
        self.is_complete.store(false, Ordering::Relaxed);
        for part in &self.parts {
            part.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
        self.entries.store(0, Ordering::Relaxed);
    }

    pub(crate) fn bytes(&self) -> u64 {
        // One byte of a slot tells whether it is taken; half of the slots are free.
        2 * self.entries.load(Ordering::Relaxed) * (size_of::<(u64, Entry)>() as u64 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stores::{Fingerprints, Trail};

    fn store(words: &[u32]) -> (Fingerprints, Vec<u64>) {
        let mut store = Fingerprints::default();
        let number = |word| store.number(&[word], None, &mut Trail::default());
        let numbers = words.iter().copied().filter_map(number).collect();
        (store, numbers)
    }

    #[test]
    fn a_chain_of_witnesses_is_settled_by_its_end() {
        let (mut store, states) = store(&[1, 2, 3]);
        let unsettled = Unsettled::default();
        assert!(unsettled.insert(&mut store, states[0]));
        unsettled.rely(states[0], states[1]);
        assert!(!unsettled.is_settled(&store, states[0]), "it is not there");
        assert!(unsettled.insert(&mut store, states[1]));
        assert!(!unsettled.insert(&mut store, states[1]));
        assert!(!unsettled.is_settled(&store, states[0]), "it waits");
        unsettled.rely(states[1], states[2]);
        assert!(unsettled.insert(&mut store, states[2]));
        assert!(!unsettled.is_settled(&store, states[0]));
        unsettled.settle(states[2]);
        assert!(unsettled.is_settled(&store, states[0]));
        assert_eq!(unsettled.bytes(), 0, "what is settled takes no room");
    }

    #[test]
    fn nothing_is_settled_that_was_forgotten() {
        let (mut store, states) = store(&[1]);
        let unsettled = Unsettled::default();
        unsettled.insert(&mut store, states[0]);
        unsettled.settle(states[0]);
        assert!(unsettled.is_settled(&store, states[0]));
        unsettled.forget();
        assert!(!unsettled.is_settled(&store, states[0]));
    }
}
