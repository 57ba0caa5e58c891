//! Vectors that only grow, so that what they hold can be borrowed for as long as they live.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// How many places each of the first chunks has, as a power of two.
const FIRST_BITS: u32 = 8;
/// How many chunks have the same size before it doubles: at most one place of so many is free
/// in a large vector.
const ALIKE_BITS: u32 = 2;
/// Enough for all numbers.
const CHUNKS: usize = ((33 - FIRST_BITS - ALIKE_BITS) << ALIKE_BITS) as usize;

type Chunk<T> = Box<[OnceLock<T>]>;

/// A vector that only grows. Reading takes no lock.
pub struct Arena<T> {
    chunks: [OnceLock<Chunk<T>>; CHUNKS],
    next: AtomicU32,
}

/// Where the element with a number is: in which chunk, of how many places, and where in it.
#[inline]
fn place(index: u32) -> (usize, usize, usize) {
    // The first chunks stand for numbers from here on, which makes them like all others.
    let index = u64::from(index) + (1 << (FIRST_BITS + ALIKE_BITS));
    let bits = index.ilog2() - ALIKE_BITS;
    let chunk = ((bits - FIRST_BITS) << ALIKE_BITS) as u64 + (index >> bits) - (1 << ALIKE_BITS);
    let size = 1 << bits;
    (chunk as usize, size as usize, (index & (size - 1)) as usize)
}

fn fresh<T>(size: usize) -> Chunk<T> {
    (0..size).map(|_| OnceLock::new()).collect()
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self {
            chunks: [const { OnceLock::new() }; CHUNKS],
            next: AtomicU32::new(0),
        }
    }
}

impl<T> Arena<T> {
    /// What has a number, if it is there.
    #[inline]
    pub fn get(&self, index: u32) -> Option<&T> {
        let (chunk, _, at) = place(index);
        self.chunks.get(chunk)?.get()?.get(at)?.get()
    }

    /// How many places have been given out.
    pub fn count(&self) -> u32 {
        self.next.load(Ordering::Acquire)
    }

    /// What has a number, made now if it is not there. Not for an arena to which is appended.
    pub fn get_or_init(&self, index: u32, make: impl FnOnce() -> T) -> &T {
        let (chunk, size, at) = place(index);
        let chunk = self.chunks[chunk].get_or_init(|| fresh(size));
        chunk[at].get_or_init(make)
    }

    /// Appends what `make` returns when it is told its own number. None if the arena is full.
    pub fn push_with(&self, make: impl FnOnce(u32) -> T) -> Option<u32> {
        let index = self.next.fetch_add(1, Ordering::AcqRel);
        let (chunk, size, at) = place(index);
        let chunk = self.chunks.get(chunk)?;
        let chunk = chunk.get_or_init(|| fresh(size));
        chunk.get(at)?.set(make(index)).ok()?;
        Some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_place_of_its_own() {
        let mut expected = (0, 0);
        for index in 0..100_000 {
            let (chunk, size, at) = place(index);
            assert_eq!((chunk, at), expected, "{index}");
            expected = match at + 1 == size {
                true => (chunk + 1, 0),
                false => (chunk, at + 1),
            };
        }
        let (chunk, size, at) = place(u32::MAX);
        assert!(chunk < CHUNKS && at < size, "{chunk} {size} {at}");
    }

    #[test]
    fn what_was_appended_stays() {
        let arena = Arena::default();
        let first = arena.push_with(|index| index + 7);
        let borrowed = first.and_then(|first| arena.get(first));
        for index in 1..10_000 {
            assert_eq!(arena.push_with(|index| index + 7), Some(index));
        }
        assert_eq!((borrowed, arena.get(9_999)), (Some(&7), Some(&10_006)));
        assert_eq!((arena.get(10_000), arena.count()), (None, 10_000));
    }
}
