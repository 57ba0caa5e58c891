//! States that somebody wants to have back, by their words.

use std::hash::BuildHasher;
use std::sync::atomic::{AtomicBool, Ordering};

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::numbers::Shards;

/// States by a hash of their canonical form; none, unless they are wanted.
pub(super) struct Cache<S> {
    is_wanted: AtomicBool,
    states: Shards<HashMap<u128, S, FixedState>>,
}

impl<S> Default for Cache<S> {
    fn default() -> Self {
        Self {
            is_wanted: AtomicBool::new(false),
            states: Shards::default(),
        }
    }
}

impl<S: Clone> Cache<S> {
    /// Forgets all states; from now on others are kept, or none.
    pub(super) fn begin(&self, is_wanted: bool) {
        self.is_wanted.store(is_wanted, Ordering::Relaxed);
        self.states
            .each()
            .for_each(|mut states| *states = HashMap::default());
    }

    /// Keeps a state with these words, unless there is one already.
    #[inline]
    pub(super) fn keep(&self, words: &[u32], state: &S) {
        if self.is_wanted.load(Ordering::Relaxed) {
            let hash = hash(words);
            let mut states = self.states.lock(hash as u64);
            states.entry(hash).or_insert_with(|| state.clone());
        }
    }

    /// Makes a state the one with these words, if that is kept.
    #[inline]
    pub(super) fn give_back(&self, words: &[u32], state: &mut S) {
        if self.is_wanted.load(Ordering::Relaxed) {
            let hash = hash(words);
            if let Some(found) = self.states.lock(hash as u64).get(&hash) {
                state.clone_from(found);
            }
        }
    }
}

/// A hash with which a state is found again.
fn hash(words: &[u32]) -> u128 {
    let half = |seed| u128::from(FixedState::with_seed(seed).hash_one(words));
    half(1) << 64 | half(2)
}
