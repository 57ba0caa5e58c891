//! Numbers for sequences of words, given by any number of threads at once.
//!
//! What has a number can be read without a lock. To find the number of some words one of many
//! tables is locked, which is chosen by their hash: so the same words are looked for, and
//! added, by one thread at a time. Most are words that a thread has asked for lately, and what
//! it remembers it compares without any lock.

use std::hash::BuildHasher;
use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use raddle_jvm::arena::Arena;
use raddle_jvm::heap::try_copy;

/// How many tables there are: many more than processors.
const SHARDS: usize = 64;

/// A table in many parts, each with a lock of its own.
pub(super) struct Shards<T>([Mutex<T>; SHARDS]);

impl<T: Default> Default for Shards<T> {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Mutex::default()))
    }
}

impl<T> Shards<T> {
    /// The part for what has this hash. Tables make use of the first and last bits of a hash
    /// themselves.
    #[inline]
    pub(super) fn lock(&self, hash: u64) -> MutexGuard<'_, T> {
        lock(&self.0[(hash >> 40) as usize % SHARDS])
    }
}

/// Nobody who has the lock leaves anything half done.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Numbers that one thread has asked for lately, by one part of the hash. Another part of it
/// stands beside each, so that most others are not looked at.
#[derive(Default)]
pub(super) struct Recent(Vec<(u32, u32)>);

impl Recent {
    const PLACES: usize = 1 << 12;

    #[inline]
    fn at(&mut self, hash: u64) -> &mut (u32, u32) {
        if self.0.is_empty() {
            self.0.resize(Self::PLACES, (0, 0));
        }
        &mut self.0[hash as usize % Self::PLACES]
    }
}

/// Gives numbers to sequences of words, the same to the same ones.
#[derive(Default)]
pub(super) struct Numbers {
    known: Arena<Box<[u32]>>,
    tables: Shards<HashTable<u32>>,
    hasher: FixedState,
}

impl Numbers {
    /// The number of some words. Zero is none; when there are no more, or no memory for the words, it
    /// is given to all.
    #[inline]
    pub(super) fn number(&self, recent: &mut Recent, words: &[u32]) -> u32 {
        let hash = self.hasher.hash_one(words);
        let tag = (hash >> 32) as u32;
        let place = recent.at(hash);
        if place.0 != tag || self.words(place.1) != words {
            *place = (tag, self.find_or_add(hash, words));
        }
        place.1
    }

    fn find_or_add(&self, hash: u64, words: &[u32]) -> u32 {
        let mut table = self.tables.lock(hash);
        if let Some(&found) = table.find(hash, |&number| self.words(number) == words) {
            return found;
        }
        let Some(words) = try_copy(words) else {
            return 0;
        };
        let Some(index) = self.known.push_with(|_| words) else {
            return 0;
        };
        let number = index.wrapping_add(1);
        let hash_again = |&number: &u32| self.hasher.hash_one(self.words(number));
        table.insert_unique(hash, number, hash_again);
        number
    }

    /// The words that have a number.
    #[inline]
    pub(super) fn words(&self, number: u32) -> &[u32] {
        let words = self.known.get(number.wrapping_sub(1));
        words.map_or(&[], |words| words)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.known.count() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;
    use std::thread;

    #[test]
    fn equal_words_have_equal_numbers_and_no_others() {
        let (numbers, mut recent) = (Numbers::default(), Recent::default());
        let mut number = |words: &[u32]| numbers.number(&mut recent, words);
        for round in 0..2 {
            for value in 0..1000_u32 {
                let words = [value / 10, value % 10];
                assert_eq!(number(&words), value + 1, "{round}");
            }
        }
        assert_eq!(number(&[]), 1001);
        assert_eq!(number(&[0]), 1002);
        assert_eq!(
            (numbers.words(44), numbers.words(0)),
            (&[4, 3][..], &[][..])
        );
        assert_eq!(numbers.len(), 1002);
    }

    /// Four threads ask for the numbers of the same words, each beginning elsewhere.
    #[test]
    fn threads_get_the_same_numbers_at_the_same_time() {
        const ALL: u32 = 20_000;
        const THREADS: u32 = 4;
        let (numbers, barrier) = (Numbers::default(), Barrier::new(THREADS as usize));
        let words = |value: u32| [value, value ^ 0x5555, value % 7];
        let ask = |thread: u32| {
            barrier.wait();
            let mut recent = Recent::default();
            let mut got = vec![0; ALL as usize];
            for step in 0..ALL {
                // Pairs of threads go the same way, in step, the others the opposite way.
                let value = match thread % 2 {
                    0 => step,
                    _ => ALL - 1 - step,
                };
                let number = numbers.number(&mut recent, &words(value));
                assert_eq!(numbers.words(number), words(value));
                got[value as usize] = number;
            }
            got
        };
        let all = thread::scope(|scope| {
            let ask = &ask;
            let threads = (0..THREADS).map(|thread| scope.spawn(move || ask(thread)));
            let threads: Vec<_> = threads.collect();
            let results = threads.into_iter().map(|thread| thread.join());
            results.collect::<Result<Vec<_>, _>>().expect("no panic")
        });
        assert!(all.windows(2).all(|pair| pair[0] == pair[1]));
        let mut distinct = all[0].clone();
        distinct.sort_unstable();
        assert!(distinct.into_iter().eq(1..=ALL));
        assert_eq!(numbers.len(), ALL as usize);
    }
}
