//! Gives small numbers to things, equal numbers to equal things, to many threads at once.
//!
//! A thread that meets a new thing writes it down under a number of its own, and then puts
//! the number into the first free slot of the index, by compare and set. If another one was
//! faster it looks at what that one has put there, and keeps its number for the next new
//! thing. Nothing is ever taken out of the index, so that two threads with equal things meet
//! in the same slot. (As the tree database of LTSmin: Laarman, van de Pol and Weber, Parallel
//! Recursive State Compression for Free, 2011; with numbers in place of locked buckets.)
//!
//! Growing needs an interner for oneself.

use super::interner::{Item, MOST, equal, home};
use super::shared_set::Line;
use crate::snapshot::{Reader, Writer, wrong};
use crate::sync::{AtomicU32, AtomicU64, Ordering};
use std::io;

/// Things with numbers from zero upwards.
pub(super) struct SharedInterner {
    /// By number. What has no entry in the index is nobody's business.
    items: Vec<[AtomicU64; 4]>,
    /// How many numbers were given out, or asked for in vain.
    taken: Line,
    /// An open-addressing table of the numbers plus one; zero is a free slot.
    index: Vec<AtomicU32>,
}

/// A number that a thread has and did not need so far.
pub(super) type Spare = Option<u32>;

impl SharedInterner {
    /// An interner that takes so many things before it has to grow.
    pub(super) fn with_room(room: usize) -> SharedInterner {
        SharedInterner {
            items: (0..room).map(|_| blank_item()).collect(),
            taken: Line::default(),
            index: (0..index_size(room)).map(|_| AtomicU32::new(0)).collect(),
        }
    }

    /// The number of a thing, a new one if it is new; `None` if it has to grow first.
    #[inline]
    pub(super) fn intern(&self, item: Item, spare: &mut Spare) -> Option<u32> {
        let mut slot = home(item, self.index.len());
        loop {
            let mut entry = self.index[slot].load(Ordering::Acquire);
            if entry == 0 {
                match self.add(slot, item, spare)? {
                    Ok(number) => return Some(number),
                    Err(other) => entry = other,
                }
            }
            if equal(self.get(entry - 1), item) {
                return Some(entry - 1);
            }
            slot += 1;
            if slot == self.index.len() {
                slot = 0;
            }
        }
    }

    /// Puts a new thing into a slot that is free, or was: then the error is what is there.
    #[cold]
    fn add(&self, slot: usize, item: Item, spare: &mut Spare) -> Option<Result<u32, u32>> {
        let number = match spare.take() {
            Some(number) => number,
            None => self.take_number()?,
        };
        for (to, from) in self.items[number as usize].iter().zip(item) {
            to.store(from, Ordering::Relaxed);
        }
        // Whoever reads the entry reads the item that was written before it.
        let put =
            self.index[slot].compare_exchange(0, number + 1, Ordering::AcqRel, Ordering::Acquire);
        if put.is_err() {
            *spare = Some(number);
        }
        Some(put.map(|_| number))
    }

    fn take_number(&self) -> Option<u32> {
        let number = self.taken.0.fetch_add(1, Ordering::Relaxed);
        (number < self.items.len()).then_some(number as u32)
    }

    /// The thing that has a number.
    #[inline]
    pub(super) fn get(&self, number: u32) -> Item {
        let [a, b, c, d] = &self.items[number as usize];
        let word = |word: &AtomicU64| word.load(Ordering::Relaxed);
        [word(a), word(b), word(c), word(d)]
    }

    /// Makes room, unless there is some by now; false if there can be no more.
    #[cold]
    pub(super) fn grow(&mut self) -> bool {
        let room = self.items.len();
        let taken = self.taken.0.get_mut();
        if *taken < room {
            return true;
        }
        // Some asked in vain.
        *taken = room;
        let larger = (room + room / 4 + 64).min(MOST);
        larger > room && self.extend(larger)
    }

    /// Makes room for so many things; false if there is no memory for them. These are the largest
    /// tables of a search.
    fn extend(&mut self, room: usize) -> bool {
        let mut index = Vec::new();
        let (size, more) = (index_size(room), room - self.items.len());
        if index.try_reserve_exact(size).is_err() || self.items.try_reserve_exact(more).is_err() {
            return false;
        }
        index.resize_with(size, || AtomicU32::new(0));
        self.items.extend((0..more).map(|_| blank_item()));
        let old = std::mem::replace(&mut self.index, index);
        // Only what is in the index has a number: spare ones have none yet.
        for entry in old.into_iter().map(AtomicU32::into_inner) {
            if entry != 0 {
                self.enter(entry);
            }
        }
        true
    }

    /// Puts an entry that is not there into the index.
    fn enter(&mut self, entry: u32) {
        let mut slot = home(self.get(entry - 1), self.index.len());
        while *self.index[slot].get_mut() != 0 {
            slot += 1;
            if slot == self.index.len() {
                slot = 0;
            }
        }
        *self.index[slot].get_mut() = entry;
    }

    /// Writes down all things with their numbers. Nobody adds any.
    pub(super) fn write(&self, out: &mut Writer<'_>) -> io::Result<()> {
        let entries = self.index.iter().map(|it| it.load(Ordering::Relaxed));
        let entries = entries.filter(|&entry| entry != 0);
        let taken = self.taken.0.load(Ordering::Relaxed).min(self.items.len());
        out.number(taken as u64)?;
        out.number(entries.clone().count() as u64)?;
        { entries }.try_for_each(|entry| {
            out.number(entry.into())?;
            let mut item = self.get(entry - 1).into_iter();
            item.try_for_each(|number| out.number(number))
        })
    }

    /// Reads what was written into an interner without any things.
    pub(super) fn read(&mut self, input: &mut Reader<'_>) -> io::Result<()> {
        let taken: u32 = input.small()?;
        if taken as usize > MOST {
            return Err(wrong("there are too many parts of states"));
        }
        if !self.extend(self.items.len().max(taken as usize)) {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        for _ in 0..input.number()? {
            let entry: u32 = input.small()?;
            if entry == 0 || entry > taken {
                return Err(wrong("a part of a state has a wrong number"));
            }
            for word in &mut self.items[entry as usize - 1] {
                *word.get_mut() = input.number()?;
            }
            self.enter(entry);
        }
        // What is between them stays unused.
        *self.taken.0.get_mut() = taken as usize;
        Ok(())
    }

    /// All memory in use.
    pub(super) fn bytes(&self) -> u64 {
        (self.items.capacity() * size_of::<Item>() + self.index.capacity() * 4) as u64
    }
}

fn blank_item() -> [AtomicU64; 4] {
    [0; 4].map(AtomicU64::new)
}

/// A search that fails looks at the item of each slot it passes, somewhere else in memory,
/// hence the low load.
fn index_size(room: usize) -> usize {
    room + room / 2 + room / 8 + 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use shuttle::sync::{Arc, RwLock};
    use shuttle::{check_random, thread};

    fn numbers(interner: &RwLock<SharedInterner>, count: u64) -> Vec<u32> {
        let mut spare = None;
        let mut number = |item| loop {
            let known = interner.read().expect("no panic").intern(item, &mut spare);
            match known {
                Some(number) => return number,
                None => assert!(interner.write().expect("no panic").grow()),
            }
        };
        (0..count).map(|i| number([i, 7, 0, i])).collect()
    }

    #[test]
    fn equal_things_have_equal_numbers_for_everybody() {
        const COUNT: u64 = 6;
        check_random(
            || {
                let interner = Arc::new(RwLock::new(SharedInterner::with_room(2)));
                let others: Vec<_> = (0..2)
                    .map(|_| {
                        let interner = interner.clone();
                        thread::spawn(move || numbers(&interner, COUNT))
                    })
                    .collect();
                let mine = numbers(&interner, COUNT);
                for other in others {
                    assert_eq!(other.join().expect("no panic"), mine);
                }
                let interner = interner.read().expect("no panic");
                for (i, &number) in mine.iter().enumerate() {
                    assert_eq!(interner.get(number), [i as u64, 7, 0, i as u64]);
                    assert!(
                        !mine[..i].contains(&number),
                        "different things, different numbers"
                    );
                }
            },
            2000,
        );
    }
}
