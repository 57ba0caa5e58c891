//! Numbers that have no room in memory: in files, in ascending order.
//!
//! Each time that memory is full its numbers become another file. Files of similar size are
//! merged, so that there are few of them. In memory there stay the first number of each block of
//! a file, by which the only block is found that can have a number, and a few bits of each
//! number, by which most numbers are known not to be in a file without looking.

use super::Store;
use super::bitstate::Bitstate;
use crate::spill::{Scroll, Spill, trouble};
use std::io;
use std::sync::OnceLock;

/// How many numbers are in a block.
const BLOCK: u64 = 512;

/// Numbers in files.
pub(crate) struct Disk {
    spill: Spill,
    /// How much memory there is before numbers are written.
    room: u64,
    runs: Vec<Run>,
    /// Why numbers may be missing.
    failure: OnceLock<String>,
}

/// The numbers of one file.
struct Run {
    scroll: Scroll,
    /// The first number of each block.
    firsts: Vec<u64>,
    /// What is not in there is not in the file.
    filter: Bitstate,
}

impl Disk {
    /// Nothing; to be used by a set that has more than so many bytes.
    pub(crate) fn new(spill: Spill, room: u64) -> Disk {
        Disk {
            spill,
            room,
            runs: Vec::new(),
            failure: OnceLock::new(),
        }
    }

    /// Whether there is no room for so many bytes in memory.
    pub(super) fn is_needed(&self, bytes: u64) -> bool {
        bytes > self.room && self.failure.get().is_none()
    }

    /// Whether a number is there; or cannot be looked for, which is a failure.
    pub(super) fn contains(&self, number: u64) -> bool {
        self.runs.iter().any(|run| {
            run.filter.contains(number)
                && run.contains(number).unwrap_or_else(|error| {
                    self.fail(&error);
                    true
                })
        })
    }

    /// Takes so many numbers in ascending order that are not there; false if they cannot be
    /// written.
    pub(super) fn add(&mut self, count: u64, numbers: impl Iterator<Item = u64>) -> bool {
        match self.try_add(count, numbers) {
            Ok(()) => true,
            Err(error) => {
                self.fail(&error);
                false
            }
        }
    }

    fn try_add(&mut self, mut count: u64, numbers: impl Iterator<Item = u64>) -> io::Result<()> {
        let mut kept = self.runs.len();
        while let Some(run) = self.runs[..kept].last()
            && run.scroll.length <= 2 * count
        {
            count += run.scroll.length;
            kept -= 1;
        }
        let mut all: Box<dyn Iterator<Item = io::Result<u64>> + '_> = Box::new(numbers.map(Ok));
        for run in &self.runs[kept..] {
            all = Box::new(merge(all, run.scroll.iter()?));
        }
        let run = Run::write(&self.spill, all, count)?;
        self.runs.truncate(kept);
        self.runs.push(run);
        Ok(())
    }

    /// How many numbers there are.
    pub(super) fn len(&self) -> u64 {
        self.runs.iter().map(|run| run.scroll.length).sum()
    }

    /// All numbers.
    pub(super) fn each(&self, mut take: impl FnMut(u64) -> io::Result<()>) -> io::Result<()> {
        for run in &self.runs {
            run.scroll.iter()?.try_for_each(|number| take(number?))?;
        }
        Ok(())
    }

    /// An empty one beside this one.
    pub(super) fn another(&self) -> Disk {
        Disk::new(self.spill.clone(), self.room)
    }

    #[cold]
    pub(super) fn fail(&self, error: &io::Error) {
        let _ = self.failure.set(trouble(error));
    }

    /// Why numbers may be missing, if so.
    pub(super) fn failure(&self) -> Option<&str> {
        self.failure.get().map(String::as_str)
    }

    /// The memory in use.
    pub(super) fn bytes(&self) -> u64 {
        let bytes = |run: &Run| 8 * run.firsts.capacity() as u64 + run.filter.bytes();
        self.runs.iter().map(bytes).sum()
    }
}

impl Run {
    fn write(
        spill: &Spill,
        numbers: impl Iterator<Item = io::Result<u64>>,
        count: u64,
    ) -> io::Result<Run> {
        // At least eight bits for each number.
        let log2_bits = (8 * count).next_power_of_two().ilog2();
        let filter = Bitstate::new(log2_bits, None);
        let mut filter = filter.ok_or(io::ErrorKind::OutOfMemory)?;
        let mut firsts = Vec::with_capacity(count.div_ceil(BLOCK) as usize);
        let mut position = 0;
        let scroll = spill.scroll(numbers.map(|number| {
            let number = number?;
            filter.insert(number);
            if position % BLOCK == 0 {
                firsts.push(number);
            }
            position += 1;
            Ok(number)
        }))?;
        Ok(Run {
            scroll,
            firsts,
            filter,
        })
    }

    fn contains(&self, number: u64) -> io::Result<bool> {
        let after = self.firsts.partition_point(|&first| first <= number) as u64;
        let Some(block) = after.checked_sub(1) else {
            return Ok(false);
        };
        let first = block * BLOCK;
        let count = BLOCK.min(self.scroll.length - first);
        let numbers = self.scroll.read(first, count as usize)?;
        Ok(numbers.binary_search(&number).is_ok())
    }
}

/// Two ascending sequences in one; an error comes at once.
fn merge(
    a: impl Iterator<Item = io::Result<u64>>,
    b: impl Iterator<Item = io::Result<u64>>,
) -> impl Iterator<Item = io::Result<u64>> {
    let (mut a, mut b) = (a.peekable(), b.peekable());
    std::iter::from_fn(move || match (a.peek(), b.peek()) {
        (Some(Ok(first)), Some(Ok(second))) if first > second => b.next(),
        (None, _) | (_, Some(Err(_))) => b.next(),
        _ => a.next(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stores::hash::scatter;

    #[test]
    fn numbers_in_files_are_found() {
        let spill = Spill::new(std::env::temp_dir());
        let mut disk = Disk::new(spill, 0);
        let count = |turn: u64| 100 + turn * 37 % 5 * 1000;
        let mut all = Vec::new();
        for turn in 0..40 {
            let begin = all.len() as u64;
            let mut numbers: Vec<u64> = (begin..begin + count(turn)).map(scatter).collect();
            numbers.sort_unstable();
            assert!(numbers.iter().all(|&number| !disk.contains(number)));
            assert!(disk.add(count(turn), numbers.iter().copied()));
            all.extend(numbers);
            assert!(disk.runs.len() < 12, "{} files", disk.runs.len());
        }
        assert_eq!(disk.len(), all.len() as u64);
        assert!(all.iter().all(|&number| disk.contains(number)));
        let beyond = all.len() as u64..2 * all.len() as u64;
        assert!(beyond.map(scatter).all(|number| !disk.contains(number)));
        let mut found = Vec::new();
        disk.each(|number| {
            found.push(number);
            Ok(())
        })
        .expect("they can be read");
        all.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, all);
        assert_eq!(disk.failure(), None);
        let each = disk.bytes() as f64 / all.len() as f64;
        assert!(each < 2.5, "{each} bytes each");
    }

    #[test]
    fn what_cannot_be_written_is_told() {
        let spill = Spill::new("no such folder".into());
        let mut disk = Disk::new(spill, 0);
        assert!(!disk.add(3, [1, 2, 3].into_iter()));
        assert!(disk.failure().is_some());
        assert!(!disk.is_needed(1), "it is not tried again");
    }
}
