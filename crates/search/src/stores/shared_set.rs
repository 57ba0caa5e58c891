//! A set of 64-bit numbers that many threads add to at once.
//!
//! The layout is that of `set.rs`, but for the order: a number that collides with others goes
//! into the next free slot, by compare and set, and stays there. So whoever looks for a number meets it, or the free slot where it would be, whatever the
//! others do meanwhile; and of several who add the same number one is told that it is new.
//! Without the order a number that is not there takes longer to be missed. That asks for more
//! free slots, and smaller steps of growth make up for them: the memory is the same.
//!
//! Growing needs a set for oneself.

use super::disk::Disk;
use super::set::{FIRST, LOG2_SHARDS, SHARDS, home};
use crate::snapshot::{Reader, Writer};
use crate::sync::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::io;

/// Marks free slots.
const FREE: u64 = 0;

/// A set of evenly distributed numbers.
pub(super) struct SharedSet {
    shards: Vec<Shard>,
    /// How many numbers are in each shard.
    lengths: Vec<Line>,
    /// Whether the number that marks free slots is in the set.
    has_free: AtomicBool,
    /// The numbers that have no room in memory, if there may be any.
    disk: Option<Disk>,
    /// Where the numbers of a shard are while it grows.
    aside: Vec<u64>,
}

struct Shard {
    slots: Vec<AtomicU64>,
    /// How many numbers it takes.
    most: usize,
}

/// Has a cache line for itself: counters change all the time, and what lies beside them
/// should not have to be fetched again each time.
#[repr(align(128))]
#[derive(Default)]
pub(super) struct Line(pub(super) AtomicUsize);

impl SharedSet {
    /// A set for so many threads.
    pub(super) fn new(threads: usize, disk: Option<Disk>) -> SharedSet {
        // More than an eighth of the slots is kept free, which must be more than there are threads.
        let first = FIRST.max(8 * (threads + 1));
        SharedSet {
            shards: (0..SHARDS)
                .map(|i| Shard::new(first + i * first / 8 / SHARDS))
                .collect(),
            lengths: (0..SHARDS).map(|_| Line::default()).collect(),
            has_free: AtomicBool::new(false),
            disk,
            aside: Vec::new(),
        }
    }

    /// Adds a number; tells whether it is new. `None` if the set has to grow first.
    #[inline]
    pub(super) fn insert(&self, number: u64) -> Option<bool> {
        if number == FREE {
            return Some(!self.has_free.swap(true, Ordering::AcqRel));
        }
        let index = shard(number);
        let shard = &self.shards[index];
        let mut at = home(number, shard.slots.len());
        loop {
            let slot = &shard.slots[at];
            let mut found = slot.load(Ordering::Acquire);
            if found == FREE {
                if self.is_on_disk(number) {
                    return Some(false);
                }
                let length = &self.lengths[index].0;
                // Several threads may find the same room. There is always some beyond, so
                // that whoever looks for a free slot finds one.
                if length.load(Ordering::Relaxed) >= shard.most {
                    return None;
                }
                let put = slot.compare_exchange(FREE, number, Ordering::AcqRel, Ordering::Acquire);
                match put {
                    Ok(_) => {
                        length.fetch_add(1, Ordering::Relaxed);
                        return Some(true);
                    }
                    Err(other) => found = other,
                }
            }
            if found == number {
                return Some(false);
            }
            at += 1;
            if at == shard.slots.len() {
                at = 0;
            }
        }
    }

    /// Whether a number is in the set.
    #[inline]
    pub(super) fn contains(&self, number: u64) -> bool {
        if number == FREE {
            return self.has_free.load(Ordering::Acquire);
        }
        let shard = &self.shards[shard(number)];
        let (before, after) = shard.slots.split_at(home(number, shard.slots.len()));
        let end = |slots: &[AtomicU64]| {
            let mut found = slots.iter().map(|slot| slot.load(Ordering::Acquire));
            found.find(|&found| found == number || found == FREE)
        };
        end(after).or_else(|| end(before)) == Some(number) || self.is_on_disk(number)
    }

    #[inline]
    fn is_on_disk(&self, number: u64) -> bool {
        let disk = self.disk.as_ref();
        disk.is_some_and(|disk| disk.contains(number))
    }

    /// Reads where a number is or would be.
    #[inline]
    pub(super) fn touch(&self, number: u64) -> u64 {
        let shard = &self.shards[shard(number)];
        shard.slots[home(number, shard.slots.len())].load(Ordering::Relaxed)
    }

    /// Makes room for a number, unless there is some by now.
    #[cold]
    pub(super) fn grow(&mut self, number: u64) {
        let index = shard(number);
        if *self.lengths[index].0.get_mut() < self.shards[index].most {
            return;
        }
        let bytes = self.table_bytes();
        let is_full = self.disk.as_ref().is_some_and(|it| it.is_needed(bytes));
        if !(is_full && self.spill()) {
            self.shards[index].grow(&mut self.aside);
        }
    }

    /// Moves all numbers to the disk; false if that is not possible.
    fn spill(&mut self) -> bool {
        let length: usize = self.lengths.iter_mut().map(|it| *it.0.get_mut()).sum();
        // Those of a shard are less than those of the next one.
        let numbers = self.shards.iter().flat_map(Shard::sorted);
        let Some(disk) = &mut self.disk else {
            return false;
        };
        let is_written = disk.add(length as u64, numbers);
        if is_written {
            for slot in self.shards.iter_mut().flat_map(|shard| &mut shard.slots) {
                *slot.get_mut() = FREE;
            }
            self.lengths.iter_mut().for_each(|it| *it.0.get_mut() = 0);
        }
        is_written
    }

    /// Adds a number that nobody else adds.
    pub(super) fn add(&mut self, number: u64) {
        while self.insert(number).is_none() {
            self.grow(number);
        }
    }

    /// How many numbers there are.
    pub(super) fn len(&self) -> u64 {
        let lengths = self.lengths.iter().map(|it| it.0.load(Ordering::Relaxed));
        let here = lengths.sum::<usize>() + usize::from(self.has_free.load(Ordering::Relaxed));
        here as u64 + self.disk.as_ref().map_or(0, Disk::len)
    }

    /// An empty set for as many threads, with as much room in memory.
    pub(super) fn another(&self, threads: usize) -> SharedSet {
        SharedSet::new(threads, self.disk.as_ref().map(Disk::another))
    }

    /// Why numbers may be missing, if so.
    pub(super) fn failure(&self) -> Option<&str> {
        self.disk.as_ref()?.failure()
    }

    /// Takes all numbers out, and gives memory back on the way.
    pub(super) fn drain(&mut self, mut take: impl FnMut(u64)) {
        if let Some(disk) = &self.disk {
            let all = disk.each(|number| {
                take(number);
                Ok(())
            });
            all.unwrap_or_else(|error| disk.fail(&error));
        }
        if std::mem::take(self.has_free.get_mut()) {
            take(FREE);
        }
        for (shard, length) in self.shards.iter_mut().zip(&mut self.lengths) {
            *length.0.get_mut() = 0;
            let old = std::mem::replace(shard, Shard::new(FIRST));
            let all = old.slots.into_iter().map(AtomicU64::into_inner);
            all.filter(|&slot| slot != FREE).for_each(&mut take);
        }
    }

    /// Writes down all numbers. Nobody adds any.
    pub(super) fn write(&self, out: &mut Writer<'_>) -> io::Result<()> {
        let slots = self.shards.iter().flat_map(|shard| &shard.slots);
        let numbers = slots.map(|slot| slot.load(Ordering::Relaxed));
        let free = self.has_free.load(Ordering::Relaxed).then_some(FREE);
        let mut numbers = numbers.filter(|&slot| slot != FREE).chain(free);
        if self.failure().is_some() {
            return Err(io::Error::other("numbers are missing"));
        }
        out.number(self.len())?;
        numbers.try_for_each(|number| out.number(number))?;
        match &self.disk {
            Some(disk) => disk.each(|number| out.number(number)),
            None => Ok(()),
        }
    }

    /// Adds the numbers that were written.
    pub(super) fn read(&mut self, input: &mut Reader<'_>) -> io::Result<()> {
        input.numbers(|number| self.add(number))
    }

    /// All memory in use.
    pub(super) fn bytes(&self) -> u64 {
        self.table_bytes() + self.disk.as_ref().map_or(0, Disk::bytes)
    }

    fn table_bytes(&self) -> u64 {
        let slots: usize = self.shards.iter().map(|shard| shard.slots.capacity()).sum();
        let slots = slots + self.aside.capacity();
        let fixed = SHARDS * (size_of::<Shard>() + size_of::<Line>());
        (8 * slots + fixed) as u64
    }
}

impl Shard {
    fn new(size: usize) -> Shard {
        Shard {
            slots: (0..size).map(|_| AtomicU64::new(FREE)).collect(),
            most: most(size),
        }
    }

    /// The numbers in ascending order.
    fn sorted(&self) -> Vec<u64> {
        let numbers = self.slots.iter().map(|slot| slot.load(Ordering::Relaxed));
        let mut numbers: Vec<u64> = numbers.filter(|&number| number != FREE).collect();
        numbers.sort_unstable();
        numbers
    }

    /// Makes the table larger. The numbers are put aside meanwhile, so that it can grow where it
    /// is: memory that was never used before costs more time than all the rest.
    fn grow(&mut self, aside: &mut Vec<u64>) {
        let slots = &mut self.slots;
        aside.clear();
        aside.extend(slots.iter_mut().filter_map(|slot| {
            let number = std::mem::replace(slot.get_mut(), FREE);
            (number != FREE).then_some(number)
        }));
        let size = slots.len() + slots.len() / 8;
        slots.reserve_exact(size - slots.len());
        slots.resize_with(size, || AtomicU64::new(FREE));
        self.most = most(size);
        for &number in &*aside {
            let mut at = home(number, size);
            while *slots[at].get_mut() != FREE {
                at += 1;
                if at == size {
                    at = 0;
                }
            }
            *slots[at].get_mut() = number;
        }
    }
}

/// How many numbers so many slots take.
fn most(size: usize) -> usize {
    size - size * 3 / 16
}

#[inline]
fn shard(number: u64) -> usize {
    (number >> (64 - LOG2_SHARDS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stores::hash::scatter;
    use shuttle::sync::{Arc, RwLock};
    use shuttle::{check_random, thread};

    #[test]
    fn of_several_who_add_a_number_one_is_told_that_it_is_new() {
        check_random(
            || {
                let set = Arc::new(SharedSet::new(3, None));
                let add = |set: &SharedSet| {
                    // All of them want the first slots of the same shard.
                    let new = (0..4).map(|number| set.insert(number));
                    let new = new.filter(|&new| new.expect("there is room"));
                    new.count()
                };
                let others: Vec<_> = (0..2)
                    .map(|_| {
                        let set = set.clone();
                        thread::spawn(move || add(&set))
                    })
                    .collect();
                let mine = add(&set);
                let theirs = others.into_iter().map(|it| it.join().expect("no panic"));
                assert_eq!(mine + theirs.sum::<usize>(), 4);
                assert!((0..4).all(|number| set.contains(number)));
                assert!(!set.contains(4));
            },
            2000,
        );
    }

    #[test]
    fn nothing_is_lost_when_it_grows() {
        const EACH: u64 = 9000;
        check_random(
            || {
                let set = Arc::new(RwLock::new(SharedSet::new(2, None)));
                let add = |set: &RwLock<SharedSet>, from: u64| {
                    (from..from + EACH)
                        .filter(|&number| {
                            loop {
                                let new = set.read().expect("no panic").insert(scatter(number));
                                match new {
                                    Some(new) => return new,
                                    None => set.write().expect("no panic").grow(scatter(number)),
                                }
                            }
                        })
                        .count() as u64
                };
                let other = {
                    let set = set.clone();
                    thread::spawn(move || add(&set, EACH / 2))
                };
                let mine = add(&set, 0);
                assert_eq!(mine + other.join().expect("no panic"), EACH + EACH / 2);
                let set = set.read().expect("no panic");
                assert!((0..EACH + EACH / 2).all(|number| set.contains(scatter(number))));
                let each = set.bytes() as f64 / (EACH + EACH / 2) as f64;
                assert!((9.0..12.0).contains(&each), "{each} bytes each");
            },
            3,
        );
    }
}
