//! A store that one thread has for itself, where several could share one.

use super::shared::Shared;
use super::{Bitstate, Fingerprints, Origin, Store, Trail, Tree};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A store for one thread at a time.
pub(crate) struct Own<V>(Mutex<V>);

impl<V> Own<V> {
    pub(crate) fn new(store: V) -> Own<V> {
        Own(Mutex::new(store))
    }
}

/// A store that may go over to a smaller one.
pub(crate) trait Thin: Store + Send {
    type Thinner: Thin;

    /// As [`Shared::thin`].
    fn thin(&mut self, _most: u64) -> Option<Self::Thinner> {
        None
    }
}

impl Thin for Tree {
    type Thinner = Fingerprints;

    fn thin(&mut self, most: u64) -> Option<Fingerprints> {
        self.fingerprints(most)
    }
}

impl Thin for Fingerprints {
    type Thinner = Fingerprints;
}

impl Thin for Bitstate {
    type Thinner = Bitstate;
}

impl<V: Thin> Shared for Own<V> {
    type Share<'a>
        = Owner<'a, V>
    where
        V: 'a;

    type Thinner = Own<V::Thinner>;

    fn share(&self) -> Owner<'_, V> {
        Owner(self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn thin(&mut self, most: u64) -> Option<Self::Thinner> {
        self.share().0.thin(most).map(Own::new)
    }
}

/// Whoever has the store.
pub(crate) struct Owner<'a, V>(MutexGuard<'a, V>);

impl<V: Store> Store for Owner<'_, V> {
    const PROVES: bool = V::PROVES;

    #[inline]
    fn number(
        &mut self,
        words: &[u32],
        origin: Option<Origin<'_>>,
        trail: &mut Trail,
    ) -> Option<u64> {
        self.0.number(words, origin, trail)
    }

    #[inline]
    fn insert(&mut self, number: u64) -> bool {
        self.0.insert(number)
    }

    #[inline]
    fn contains(&self, number: u64) -> bool {
        self.0.contains(number)
    }

    #[inline]
    fn touch(&self, number: u64) -> u64 {
        self.0.touch(number)
    }

    #[inline]
    fn restore(&mut self, number: u64, words: &mut Vec<u32>, trail: &mut Trail) -> bool {
        self.0.restore(number, words, trail)
    }

    fn save(&self, words: &[u32], trail: &Trail, queue: &mut Vec<u32>) {
        self.0.save(words, trail, queue);
    }

    fn load(&mut self, queue: &[u32], words: &mut Vec<u32>, trail: &mut Trail) -> usize {
        self.0.load(queue, words, trail)
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn omission_probability(&self, states: u64) -> f64 {
        self.0.omission_probability(states)
    }
}
