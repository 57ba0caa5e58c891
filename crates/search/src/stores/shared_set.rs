//! A set of 64-bit numbers that many threads add to at once.
//!
//! The layout is that of `set.rs`, but for the order: a number that collides with others goes
//! into the next free slot, by compare and set, and stays there. So whoever looks for a number
//! meets it, or the free slot where it would be, whatever the others do meanwhile; and of several
//! who add the same number one is told that it is new.
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

/// How many shards grow together, if they are nearly full.
const TOGETHER: usize = 4;

/// A set of evenly distributed numbers.
pub(super) struct SharedSet {
    shards: Vec<Shard>,
    /// How many numbers of each shard were counted.
    counts: Vec<Line>,
    /// Whether the number that marks free slots is in the set.
    has_free: AtomicBool,
    /// The numbers that have no room in memory, if there may be any.
    disk: Option<Disk>,
    /// Where the numbers of a shard are while it grows.
    aside: Vec<u64>,
}

struct Shard {
    slots: Vec<AtomicU64>,
    /// Only numbers without these bits are counted: a sample is enough to know when a large
    /// shard is full, and a count that changes seldom is seldom fetched from another processor.
    uncounted: u64,
    /// How many of those that are counted it takes.
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
        // An eighth of the slots is kept free, which must be more than there are threads.
        let first = FIRST.max(8 * (threads + 1));
        SharedSet {
            shards: (0..SHARDS)
                .map(|i| Shard::new(first + i * step(first) / SHARDS))
                .collect(),
            counts: (0..SHARDS).map(|_| Line::default()).collect(),
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
        let mut has_turned = false;
        loop {
            let slot = &shard.slots[at];
            let mut found = slot.load(Ordering::Acquire);
            if found == FREE {
                if self.is_on_disk(number) {
                    return Some(false);
                }
                let count = &self.counts[index].0;
                if count.load(Ordering::Relaxed) >= shard.most {
                    return None;
                }
                let put = slot.compare_exchange(FREE, number, Ordering::AcqRel, Ordering::Acquire);
                match put {
                    Ok(_) => {
                        if number & shard.uncounted == 0 {
                            count.fetch_add(1, Ordering::Relaxed);
                        }
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
                // Nothing is free, however few were counted.
                if std::mem::replace(&mut has_turned, true) {
                    return None;
                }
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
        shard.look_for(number) == Some(number) || self.is_on_disk(number)
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
        let shard = &self.shards[index];
        let has_room = *self.counts[index].0.get_mut() < shard.most;
        if has_room && shard.look_for(number).is_some() {
            return;
        }
        let bytes = self.table_bytes();
        let is_full = self.disk.as_ref().is_some_and(|it| it.is_needed(bytes));
        if is_full && self.spill() {
            return;
        }
        self.shards[index].grow(&mut self.aside, self.counts[index].0.get_mut());
        // The next ones will be full soon, and it takes time until everybody has let go.
        for index in (1..TOGETHER).map(|next| (index + next) % SHARDS) {
            let (shard, count) = (&mut self.shards[index], self.counts[index].0.get_mut());
            if *count >= shard.most - shard.most / 32 {
                shard.grow(&mut self.aside, count);
            }
        }
    }

    /// Moves all numbers to the disk; false if that is not possible.
    fn spill(&mut self) -> bool {
        let length = self.shards.iter().map(Shard::length).sum::<u64>();
        // Those of a shard are less than those of the next one.
        let numbers = self.shards.iter().flat_map(Shard::sorted);
        let Some(disk) = &mut self.disk else {
            return false;
        };
        let is_written = disk.add(length, numbers);
        if is_written {
            for slot in self.shards.iter_mut().flat_map(|shard| &mut shard.slots) {
                *slot.get_mut() = FREE;
            }
            self.counts.iter_mut().for_each(|it| *it.0.get_mut() = 0);
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
        let here = self.shards.iter().map(Shard::length).sum::<u64>();
        let free = u64::from(self.has_free.load(Ordering::Relaxed));
        here + free + self.disk.as_ref().map_or(0, Disk::len)
    }

    /// Whether numbers may be elsewhere than in memory.
    pub(super) fn has_disk(&self) -> bool {
        self.disk.is_some()
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
        for (shard, count) in self.shards.iter_mut().zip(&mut self.counts) {
            *count.0.get_mut() = 0;
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
        let (uncounted, most) = sample(size);
        Shard {
            slots: (0..size).map(|_| AtomicU64::new(FREE)).collect(),
            uncounted,
            most,
        }
    }

    /// The number, or the mark of a free slot where it would be; nothing if there is neither.
    #[inline]
    fn look_for(&self, number: u64) -> Option<u64> {
        let (before, after) = self.slots.split_at(home(number, self.slots.len()));
        let end = |slots: &[AtomicU64]| {
            let mut found = slots.iter().map(|slot| slot.load(Ordering::Acquire));
            found.find(|&found| found == number || found == FREE)
        };
        end(after).or_else(|| end(before))
    }

    /// How many numbers there are.
    fn length(&self) -> u64 {
        let slots = self.slots.iter().map(|slot| slot.load(Ordering::Relaxed));
        slots.filter(|&slot| slot != FREE).count() as u64
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
    fn grow(&mut self, aside: &mut Vec<u64>, count: &mut usize) {
        let slots = &mut self.slots;
        aside.clear();
        aside.extend(slots.iter_mut().filter_map(|slot| {
            let number = std::mem::replace(slot.get_mut(), FREE);
            (number != FREE).then_some(number)
        }));
        let size = slots.len() + step(slots.len());
        slots.reserve_exact(size - slots.len());
        slots.resize_with(size, || AtomicU64::new(FREE));
        (self.uncounted, self.most) = sample(size);
        *count = 0;
        for &number in &*aside {
            *count += usize::from(number & self.uncounted == 0);
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

/// By how many slots so many slots grow.
fn step(size: usize) -> usize {
    size * 3 / 16
}

/// The bits by which numbers are left out of the count, and how many that are counted so many
/// slots take: enough for a count that is off by a few hundredths.
fn sample(size: usize) -> (u64, usize) {
    let most = size - size * 5 / 32;
    let rate = (most >> 10).checked_ilog2().unwrap_or(0).min(5);
    ((1 << rate) - 1, most >> rate)
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
