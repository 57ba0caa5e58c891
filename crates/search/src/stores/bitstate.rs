//! Bitstate hashing: a Bloom filter of states (Holzmann's supertrace).

use super::hash::{hash_words, scatter};
use super::{Origin, Store, Trail};

/// How many bits are set for each state.
const HASHES: usize = 3;

/// Sets a few bits for each state in a table of fixed size.
pub(crate) struct Bitstate {
    table: Vec<u64>,
    /// The number of bits less one; the number is a power of two.
    mask: u64,
}

impl Bitstate {
    /// A table of 2^`log2_bits` bits, at least of one word; `None` if there is no
    /// memory for it.
    pub(crate) fn new(log2_bits: u32, memory: Option<u64>) -> Option<Bitstate> {
        let bits = 1_u64.checked_shl(log2_bits.max(6))?;
        if memory.is_some_and(|memory| bits / 8 > memory) {
            return None;
        }
        let words = usize::try_from(bits / 64).ok()?;
        let mut table = Vec::new();
        table.try_reserve_exact(words).ok()?;
        table.resize(words, 0);
        Some(Bitstate {
            table,
            mask: bits - 1,
        })
    }
}

impl Bitstate {
    /// The bits of a state.
    #[inline]
    fn bits(&self, number: u64) -> [u64; HASHES] {
        // An odd step visits different bits.
        let step = scatter(number) | 1;
        std::array::from_fn(|i| number.wrapping_add(step.wrapping_mul(i as u64)) & self.mask)
    }
}

impl Store for Bitstate {
    const PROVES: bool = false;

    #[inline]
    fn number(&mut self, words: &[u32], _: Option<Origin<'_>>, _: &mut Trail) -> Option<u64> {
        Some(hash_words(words))
    }

    #[inline]
    fn insert(&mut self, number: u64) -> bool {
        let mut is_new = false;
        for bit in self.bits(number) {
            let word = &mut self.table[(bit / 64) as usize];
            is_new |= *word & (1 << (bit % 64)) == 0;
            *word |= 1 << (bit % 64);
        }
        is_new
    }

    #[inline]
    fn contains(&self, number: u64) -> bool {
        let mut bits = self.bits(number).into_iter();
        bits.all(|bit| self.table[(bit / 64) as usize] & (1 << (bit % 64)) != 0)
    }

    #[inline]
    fn touch(&self, number: u64) -> u64 {
        let words = self.bits(number).map(|bit| self.table[(bit / 64) as usize]);
        words.into_iter().fold(0, |all, word| all ^ word)
    }

    fn bytes(&self) -> u64 {
        8 * self.table.capacity() as u64
    }

    /// When n states are stored, each bit of a new one is set with a probability of
    /// at most k n / m.
    fn omission_probability(&self, states: u64) -> f64 {
        let states = states as f64;
        let load = HASHES as f64 * states / (self.mask as f64 + 1.0);
        (states * load.powi(HASHES as i32)).min(1.0)
    }
}
