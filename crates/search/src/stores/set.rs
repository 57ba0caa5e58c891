//! A set of 64-bit numbers in little more than eight bytes each.
//!
//! The numbers must be evenly distributed (hashes, or the images of a one-to-one
//! scattering function), because a number is its own hash: the place where it
//! belongs is its share of the whole range, so that the table is sorted. Collisions
//! move numbers up, and never past a larger one. Two things follow. A search for
//! an absent number ends at the first larger one, which makes a load of seven
//! eighths affordable; and a table is moved to a larger one in a single sequential
//! sweep, which makes growing by a quarter affordable.
//!
//! The range is divided among shards that grow one at a time and at different
//! times, so that growing needs little extra memory and takes no long pause.

pub(super) const LOG2_SHARDS: u32 = 6;
pub(super) const SHARDS: usize = 1 << LOG2_SHARDS;

/// The size of the smallest shard at first.
pub(super) const FIRST: usize = 64;

/// Marks free slots. As the largest number it ends every search.
const FREE: u64 = u64::MAX;

/// Slots behind the last home, for numbers that collisions move up. One of them
/// stays free.
const SLACK: usize = 32;

/// A set of evenly distributed numbers.
pub(super) struct Set {
    shards: Vec<Shard>,
    /// Whether the number that marks free slots is in the set.
    has_free: bool,
    bytes: u64,
}

struct Shard {
    /// In ascending order, but for free slots.
    slots: Vec<u64>,
    /// The slots that are the home of some numbers: all but the slack.
    homes: usize,
    length: usize,
}

impl Default for Set {
    fn default() -> Set {
        // The sizes are spread over one step of growth, so that the shards never
        // all grow at once and the load of the set is always the average one.
        let shards: Vec<Shard> = (0..SHARDS)
            .map(|i| Shard::new(FIRST + i * FIRST / 4 / SHARDS))
            .collect();
        let bytes = shards.iter().map(Shard::bytes).sum();
        Set {
            shards,
            has_free: false,
            bytes,
        }
    }
}

impl Set {
    /// Adds a number; tells whether it is new.
    #[inline]
    pub(super) fn insert(&mut self, number: u64) -> bool {
        if number == FREE {
            return !std::mem::replace(&mut self.has_free, true);
        }
        let shard = &mut self.shards[(number >> (64 - LOG2_SHARDS)) as usize];
        let mut at = home(number, shard.homes);
        while shard.slots[at] < number {
            at += 1;
        }
        if shard.slots[at] == number {
            return false;
        }
        if !shard.put(at, number) {
            self.grow(number);
        }
        true
    }

    /// Whether a number is in the set.
    #[inline]
    pub(super) fn contains(&self, number: u64) -> bool {
        if number == FREE {
            return self.has_free;
        }
        let shard = &self.shards[(number >> (64 - LOG2_SHARDS)) as usize];
        let home = home(number, shard.homes);
        let mut slots = shard.slots[home..].iter();
        slots.find(|&&slot| slot >= number) == Some(&number)
    }

    /// Reads where a number is or would be.
    #[inline]
    pub(super) fn touch(&self, number: u64) -> u64 {
        let shard = &self.shards[(number >> (64 - LOG2_SHARDS)) as usize];
        shard.slots[home(number, shard.homes)]
    }

    /// How many numbers there are.
    pub(super) fn len(&self) -> u64 {
        let lengths = self.shards.iter().map(|shard| shard.length as u64);
        lengths.sum::<u64>() + u64::from(self.has_free)
    }

    /// Takes all numbers out, and gives memory back on the way.
    pub(super) fn drain(&mut self, mut take: impl FnMut(u64)) {
        if std::mem::take(&mut self.has_free) {
            take(FREE);
        }
        for shard in &mut self.shards {
            let old = std::mem::replace(shard, Shard::new(FIRST));
            self.bytes = self.bytes - old.bytes() + shard.bytes();
            let all = old.slots.into_iter().filter(|&slot| slot != FREE);
            all.for_each(&mut take);
        }
    }

    /// All memory in use.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes + (self.shards.capacity() * size_of::<Shard>()) as u64
    }

    /// Adds a number for which there is no room.
    #[cold]
    fn grow(&mut self, number: u64) {
        let shard = &mut self.shards[(number >> (64 - LOG2_SHARDS)) as usize];
        self.bytes -= shard.bytes();
        if shard.is_loaded() {
            *shard = shard.moved(shard.homes + shard.homes / 4);
        }
        while !shard.put(shard.place(number), number) {
            shard.extend();
        }
        self.bytes += shard.bytes();
    }
}

impl Shard {
    fn new(homes: usize) -> Shard {
        Shard {
            slots: vec![FREE; homes + SLACK],
            homes,
            length: 0,
        }
    }

    /// Puts a number at a place where it keeps the order; false if there is no
    /// room.
    #[inline]
    fn put(&mut self, at: usize, number: u64) -> bool {
        let after = self.slots[at..].iter().position(|&slot| slot == FREE);
        let end = at + after.unwrap_or(0);
        if self.is_loaded() || end + 1 >= self.slots.len() {
            return false;
        }
        self.slots.copy_within(at..end, at + 1);
        self.slots[at] = number;
        self.length += 1;
        true
    }

    #[inline]
    fn is_loaded(&self) -> bool {
        self.length >= self.homes - self.homes / 8
    }

    /// Where a number that is absent belongs.
    fn place(&self, number: u64) -> usize {
        let home = home(number, self.homes);
        let smaller = self.slots[home..].iter().take_while(|&&slot| slot < number);
        home + smaller.count()
    }

    /// The same numbers in a larger table.
    fn moved(&self, homes: usize) -> Shard {
        let mut larger = Shard::new(homes);
        let mut next = 0;
        for &number in self.slots.iter().filter(|&&slot| slot != FREE) {
            next = next.max(home(number, homes));
            if next + 1 >= larger.slots.len() {
                larger.extend();
            }
            larger.slots[next] = number;
            next += 1;
        }
        larger.length = self.length;
        larger
    }

    /// Adds to the slack. With evenly distributed numbers this is hardly ever
    /// needed.
    #[cold]
    fn extend(&mut self) {
        self.slots.reserve_exact(SLACK);
        self.slots.resize(self.slots.len() + SLACK, FREE);
    }

    fn bytes(&self) -> u64 {
        8 * self.slots.capacity() as u64
    }
}

/// Where a number would be if there were no collisions: its share of the range of
/// its shard.
#[inline]
pub(super) fn home(number: u64, homes: usize) -> usize {
    let share = u128::from(number << LOG2_SHARDS) * homes as u128;
    (share >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stores::hash::scatter;
    use proptest::prelude::*;
    use std::collections::HashSet;

    #[test]
    fn holds_what_was_added_while_it_grows() {
        let mut set = Set::default();
        for i in 0..300_000 {
            assert!(set.insert(scatter(i)));
            assert!(!set.insert(scatter(i / 2)));
        }
        for i in 0..300_000 {
            assert!(!set.insert(scatter(i)));
        }
        let per_number = set.bytes() as f64 / 300_000.0;
        assert!((8.0..11.0).contains(&per_number), "{per_number} bytes each");
        let exact: usize = set.shards.iter().map(|s| 8 * s.slots.capacity()).sum();
        assert_eq!(set.bytes, exact as u64);
    }

    #[test]
    fn survives_numbers_that_are_not_evenly_distributed() {
        // All of them want the last slot of the last shard, or the first one of the
        // first. The table is slow then, but right.
        let mut set = Set::default();
        for i in 0..1000 {
            assert!(set.insert(i));
            assert!(set.insert(u64::MAX - i));
        }
        for i in 0..1000 {
            assert!(!set.insert(i));
            assert!(!set.insert(u64::MAX - i));
        }
    }

    proptest! {
        #[test]
        fn is_a_set(numbers in prop::collection::vec(
            prop_oneof![any::<u64>(), 0_u64..8, u64::MAX - 8..=u64::MAX], 0..2000,
        )) {
            let mut set = Set::default();
            let mut model = HashSet::new();
            for number in numbers {
                prop_assert_eq!(set.insert(number), model.insert(number));
            }
        }
    }
}
