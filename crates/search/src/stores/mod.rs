//! Stores of visited states.
//!
//! A store answers one question, whether a state was met before, and remembers it
//! from then on. A state is given by its canonical form, a sequence of words.

mod bitstate;
mod disk;
mod fingerprint;
mod hash;
mod interner;
mod own;
mod plan;
mod set;
mod shared;
mod shared_interner;
mod shared_set;
mod tree;
mod visited;

pub(crate) use bitstate::Bitstate;
pub(crate) use disk::Disk;
pub(crate) use fingerprint::Fingerprints;
pub(crate) use own::Own;
pub(crate) use shared::{Shared, SharedFingerprints, SharedTree};
pub(crate) use tree::Tree;
pub use visited::Visited;

/// Remembers which states were met.
pub(crate) trait Store {
    /// Whether a search with this store can show the absence of violations.
    const PROVES: bool = true;

    /// The number under which a state is known, or will be once it is inserted.
    /// `origin` is a stored state that is likely to differ from it in few places;
    /// `trail` is overwritten. `None` if the store can take no more.
    fn number(
        &mut self,
        words: &[u32],
        origin: Option<Origin<'_>>,
        trail: &mut Trail,
    ) -> Option<u64>;

    /// Remembers the state with a number; tells whether it is new.
    fn insert(&mut self, number: u64) -> bool;

    /// Whether the state with a number was met.
    fn contains(&self, number: u64) -> bool;

    /// Reads where the number of a state is, or would be, so that it is in the cache
    /// when it is needed.
    fn touch(&self, number: u64) -> u64;

    /// Gives back the words of a stored state and its trail; false if the store does
    /// not have them.
    fn restore(&mut self, _number: u64, _words: &mut Vec<u32>, _trail: &mut Trail) -> bool {
        false
    }

    /// Appends a state that is stored to a queue. A store that has the words
    /// appends only where it has them.
    fn save(&self, words: &[u32], _trail: &Trail, queue: &mut Vec<u32>) {
        // The form of a state has far less than 2^32 words: it is in memory, and
        // each of its states in the queue too.
        push_frugally(queue, words.len() as u32);
        reserve_frugally(queue, words.len());
        queue.extend_from_slice(words);
    }

    /// Reads the first state of a queue; returns how many words of the queue it
    /// took.
    fn load(&mut self, queue: &[u32], words: &mut Vec<u32>, _trail: &mut Trail) -> usize {
        let length = queue.first().map_or(0, |&length| length as usize);
        words.clear();
        words.extend(queue.iter().skip(1).take(length));
        length + 1
    }

    /// Called before a search waits for others: whatever it has of a store that is shared
    /// must not keep them waiting.
    fn rest(&mut self) {}

    /// All memory in use.
    fn bytes(&self) -> u64;

    /// Why states may be missing, if so.
    fn failure(&self) -> Option<String> {
        None
    }

    /// Upper bound on the probability that a new state was taken for an old one.
    fn omission_probability(&self, _states: u64) -> f64 {
        0.0
    }
}

/// A stored state from which another one was reached.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'a> {
    pub(crate) words: &'a [u32],
    pub(crate) trail: &'a Trail,
}

/// Where a store keeps the parts of a state, so that those that a state has in
/// common with its successors need not be looked up again.
#[derive(Default)]
pub(crate) struct Trail {
    pub(crate) ids: Vec<u32>,
    pub(crate) root: u64,
}

/// Appends to a large vector without doubling its memory.
#[inline]
pub fn push_frugally<T>(vector: &mut Vec<T>, item: T) {
    reserve_frugally(vector, 1);
    vector.push(item);
}

/// Makes room in a large vector without doubling its memory.
#[inline]
pub(crate) fn reserve_frugally<T>(vector: &mut Vec<T>, more: usize) {
    if !try_reserve_frugally(vector, more) {
        // Just enough until the search sees that there is no memory left.
        vector.reserve_exact(more);
    }
}

/// As [`reserve_frugally`], but false if there is no memory for it.
#[inline]
pub(crate) fn try_reserve_frugally<T>(vector: &mut Vec<T>, more: usize) -> bool {
    let has_room = vector.capacity() - vector.len() >= more;
    let frugal = more + vector.len() / 4 + 64;
    has_room || vector.try_reserve_exact(frugal).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_room_is_left_as_it_is() {
        let mut vector = vec![7_u64; 3];
        assert!(!try_reserve_frugally(&mut vector, usize::MAX / 32));
        assert_eq!(vector, [7; 3]);
        assert!(try_reserve_frugally(&mut vector, 1));
        assert!(vector.capacity() > 3);
    }
}
