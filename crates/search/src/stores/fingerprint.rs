//! Hash compaction: of each state only a hash is kept.

use super::hash::hash_words;
use super::set::Set;
use super::{Origin, Store, Trail};

/// Keeps a hash of 64 bits of each state.
#[derive(Default)]
pub(crate) struct Fingerprints {
    hashes: Set,
}

impl Store for Fingerprints {
    #[inline]
    fn number(&mut self, words: &[u32], _: Option<Origin<'_>>, _: &mut Trail) -> Option<u64> {
        Some(hash_words(words))
    }

    #[inline]
    fn insert(&mut self, number: u64) -> bool {
        self.hashes.insert(number)
    }

    #[inline]
    fn contains(&self, number: u64) -> bool {
        self.hashes.contains(number)
    }

    #[inline]
    fn touch(&self, number: u64) -> u64 {
        self.hashes.touch(number)
    }

    fn bytes(&self) -> u64 {
        self.hashes.bytes()
    }

    fn omission_probability(&self, states: u64) -> f64 {
        confusion(states)
    }
}

/// Whether so many states have room in so much memory if only hashes of them are kept, and
/// there is some left.
pub(super) fn has_room(states: u64, most: u64) -> bool {
    let bytes = states.saturating_mul(11);
    bytes < most - most / 4
}

/// Upper bound on the probability that two of so many states have the same hash: there are
/// fewer than n^2/2 pairs of them, and each has the same with probability 2^-64.
pub(super) fn confusion(states: u64) -> f64 {
    (states as f64).powi(2) / 2_f64.powi(65)
}
