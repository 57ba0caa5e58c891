//! Gives small numbers to things, equal numbers to equal things.

use super::hash::hash_four;
use super::try_reserve_frugally;

/// There are never more things than this, so that numbers have a bit to spare.
pub(super) const MOST: usize = (1 << 31) - 1;

/// Four numbers of 64 bits.
pub(super) type Item = [u64; 4];

/// Things with numbers from zero upwards.
pub(super) struct Interner {
    items: Vec<Item>,
    /// An open-addressing table of the numbers plus one; zero is a free slot.
    index: Vec<u32>,
    most: usize,
}

impl Default for Interner {
    fn default() -> Interner {
        Interner::with_limit(MOST)
    }
}

impl Interner {
    /// For tests of what happens when the numbers run out.
    pub(super) fn with_limit(most: usize) -> Interner {
        Interner {
            items: Vec::new(),
            index: vec![0; 64],
            most,
        }
    }

    /// The number of a thing, a new one if it is new; `None` if there are too many.
    #[inline]
    pub(super) fn intern(&mut self, item: Item) -> Option<u32> {
        let mut slot = self.home(item);
        loop {
            let entry = self.index[slot];
            if entry == 0 {
                return self.add(slot, item);
            }
            if equal(self.items[entry as usize - 1], item) {
                return Some(entry - 1);
            }
            slot += 1;
            if slot == self.index.len() {
                slot = 0;
            }
        }
    }

    /// The thing that has a number.
    #[inline]
    pub(super) fn get(&self, number: u32) -> Item {
        self.items[number as usize]
    }

    /// All memory in use.
    pub(super) fn bytes(&self) -> u64 {
        (self.items.capacity() * size_of::<Item>() + self.index.capacity() * 4) as u64
    }

    #[cold]
    fn add(&mut self, slot: usize, item: Item) -> Option<u32> {
        let number = self.items.len();
        if number >= self.most {
            return None;
        }
        // These are the largest tables of a search.
        if !try_reserve_frugally(&mut self.items, 1) {
            return None;
        }
        // A search that fails looks at the item of each slot it passes, somewhere
        // else in memory, hence the low load.
        let is_loaded = (number + 1) * 3 > self.index.len() * 2;
        self.items.push(item);
        match is_loaded {
            true if !self.grow() => {
                self.items.pop();
                return None;
            }
            true => {}
            false => self.index[slot] = number as u32 + 1,
        }
        Some(number as u32)
    }

    /// Makes the index larger, with all items in it; false if there is no memory for that.
    fn grow(&mut self) -> bool {
        let size = self.index.len() + self.index.len() / 2;
        // It is rebuilt from the items, so that there need not be two of them.
        if self
            .index
            .try_reserve_exact(size - self.index.len())
            .is_err()
        {
            return false;
        }
        self.index.clear();
        self.index.resize(size, 0);
        for number in 0..self.items.len() {
            let mut slot = self.home(self.items[number]);
            while self.index[slot] != 0 {
                slot += 1;
                if slot == size {
                    slot = 0;
                }
            }
            self.index[slot] = number as u32 + 1;
        }
        true
    }

    #[inline]
    fn home(&self, item: Item) -> usize {
        home(item, self.index.len())
    }
}

/// Where the number of an item would be in an index of some size if there were no
/// collisions.
#[inline]
pub(super) fn home(item: Item, size: usize) -> usize {
    ((u128::from(hash_four(item)) * size as u128) >> 64) as usize
}

/// The item that is looked for has just been computed and is in registers. A comparison
/// of memory would have to wait until it is written.
#[inline]
pub(super) fn equal([a, b, c, d]: Item, [e, f, g, h]: Item) -> bool {
    (a ^ e) | (b ^ f) | (c ^ g) | (d ^ h) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_things_have_equal_numbers() {
        let mut interner = Interner::default();
        for i in 0..10_000 {
            assert_eq!(
                interner.intern([u64::from(i / 7), u64::from(i % 7), 0, 0]),
                Some(i)
            );
            assert!(
                interner
                    .intern([u64::from(i / 14), u64::from(i / 2 % 7), 0, 0])
                    .is_some()
            );
        }
        for i in 0..10_000 {
            assert_eq!(
                interner.intern([u64::from(i / 7), u64::from(i % 7), 0, 0]),
                Some(i)
            );
            assert_eq!(interner.get(i), [u64::from(i / 7), u64::from(i % 7), 0, 0]);
        }
    }

    #[test]
    fn numbers_run_out() {
        let mut interner = Interner::with_limit(2);
        assert_eq!(interner.intern([0, 0, 0, 0]), Some(0));
        assert_eq!(interner.intern([0, 0, 0, 1]), Some(1));
        assert_eq!(interner.intern([0, 0, 0, 2]), None);
        assert_eq!(interner.intern([0, 0, 0, 1]), Some(1));
    }
}
