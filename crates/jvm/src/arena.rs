//! Vectors that only grow, so that what they hold can be borrowed for as long as they live.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

const CHUNK_BITS: u32 = 9;
const CHUNK: usize = 1 << CHUNK_BITS;
const CHUNKS: usize = 1 << 13;

type Chunk<T> = Box<[OnceLock<T>]>;

/// A vector that only grows. Reading takes no lock.
pub(crate) struct Arena<T> {
    chunks: Box<[OnceLock<Chunk<T>>]>,
    next: AtomicU32,
}

impl<T> Arena<T> {
    pub(crate) fn new() -> Self {
        Self {
            chunks: (0..CHUNKS).map(|_| OnceLock::new()).collect(),
            next: AtomicU32::new(0),
        }
    }

    #[inline]
    pub(crate) fn get(&self, index: u32) -> Option<&T> {
        let chunk = self.chunks.get((index >> CHUNK_BITS) as usize)?.get()?;
        chunk.get(index as usize & (CHUNK - 1))?.get()
    }

    /// How many places have been given out.
    pub(crate) fn len(&self) -> u32 {
        self.next.load(Ordering::Acquire)
    }

    /// Appends what `make` returns when it is told its own number. None if the arena is full.
    pub(crate) fn push_with(&self, make: impl FnOnce(u32) -> T) -> Option<u32> {
        let index = self.next.fetch_add(1, Ordering::AcqRel);
        let chunk = self.chunks.get((index >> CHUNK_BITS) as usize)?;
        let chunk = chunk.get_or_init(|| (0..CHUNK).map(|_| OnceLock::new()).collect());
        let place = chunk.get(index as usize & (CHUNK - 1))?;
        place.set(make(index)).ok()?;
        Some(index)
    }
}
