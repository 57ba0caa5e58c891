//! The objects of a state as words: each is the number of a few of them, with their paths.
//!
//! An object's bucket follows from the number of its path, and how many buckets there are from how
//! many objects there are, roughly. So one more object changes one word.

use crate::check::numbers::{Numbers, Recent};

/// About how many objects a bucket has.
const ROOM: usize = 4;

/// The paths and parts of objects, in buckets.
#[derive(Debug, Default)]
pub(super) struct Buckets {
    objects: usize,
    /// The numbers of the buckets; zero for an empty one.
    words: Vec<u32>,
}

impl Clone for Buckets {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Self) {
        self.objects = other.objects;
        self.words.clone_from(&other.words);
    }
}

/// An object's path, and its part.
pub(super) type Pair = (u32, u32);

/// Where the contents of buckets have their numbers.
pub(super) struct Store<'a> {
    pub(super) contents: &'a Numbers,
    pub(super) recent: &'a mut Recent,
    pub(super) buffer: &'a mut Vec<u32>,
}

/// How many buckets there are: a power of two.
fn count(objects: usize) -> usize {
    objects.div_ceil(ROOM).next_power_of_two()
}

/// The bucket of an object, of so many.
fn bucket((path, _): Pair, count: usize) -> usize {
    path as usize & (count - 1)
}

impl Buckets {
    pub(super) fn words(&self) -> &[u32] {
        &self.words
    }

    pub(super) fn objects(&self) -> usize {
        self.objects
    }

    /// Forgets all, and puts some objects into buckets, each of which has a path of its own. None if there is no number
    /// for what is in a bucket.
    pub(super) fn fill(&mut self, pairs: &mut [Pair], store: &mut Store<'_>) -> Option<()> {
        self.objects = pairs.len();
        let count = count(pairs.len());
        self.words.clear();
        self.words.resize(count, 0);
        pairs.sort_unstable_by_key(|&pair| (bucket(pair, count), pair));
        for inside in pairs.chunk_by(|&left, &right| bucket(left, count) == bucket(right, count)) {
            store.buffer.clear();
            let words = inside.iter().flat_map(|&(path, part)| [path, part]);
            store.buffer.extend(words);
            self.words[bucket(inside[0], count)] = store.number()?;
        }
        Some(())
    }

    /// Changes objects: by their paths, which parts they have now; zero for those that are gone.
    /// There is one change of each path.
    pub(super) fn change(&mut self, changes: &mut [Pair], store: &mut Store<'_>) -> Option<()> {
        let count_before = self.words.len();
        let bucket = |pair| bucket(pair, count_before);
        changes.sort_unstable_by_key(|&pair| (bucket(pair), pair));
        for changes in changes.chunk_by(|&left, &right| bucket(left) == bucket(right)) {
            let word = self.words.get_mut(bucket(changes[0]))?;
            let before = store.contents.words(*word);
            store.merge(before, changes);
            self.objects = self.objects + store.buffer.len() / 2 - before.len() / 2;
            *word = match store.buffer.is_empty() {
                true => 0,
                false => store.number()?,
            };
        }
        if count(self.objects) == self.words.len() {
            return Some(());
        }
        let contents = self.words.iter().map(|&word| store.contents.words(word));
        let pairs = contents.flat_map(|words| words.as_chunks::<2>().0.iter());
        let mut pairs: Vec<Pair> = pairs.map(|&[path, part]| (path, part)).collect();
        self.fill(&mut pairs, store)
    }
}

impl Store<'_> {
    fn number(&mut self) -> Option<u32> {
        let number = self.contents.number(self.recent, self.buffer);
        (number != 0).then_some(number)
    }

    /// Writes what is in a bucket after some changes.
    fn merge(&mut self, before: &[u32], changes: &[Pair]) {
        self.buffer.clear();
        let mut before = before.as_chunks::<2>().0.iter().peekable();
        for &(path, part) in changes {
            while let Some(kept) = before.next_if(|kept| kept[0] < path) {
                self.buffer.extend(kept);
            }
            before.next_if(|replaced| replaced[0] == path);
            if part != 0 {
                self.buffer.extend([path, part]);
            }
        }
        self.buffer.extend(before.flatten());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Random changes, each compared with filling the buckets anew.
    #[test]
    fn changed_buckets_are_those_that_are_filled_with_the_same() {
        let (contents, mut recent, mut buffer) = Default::default();
        let mut store = Store {
            contents: &contents,
            recent: &mut recent,
            buffer: &mut buffer,
        };
        let mut seed = 1_u32;
        let mut random = |below: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % below
        };
        let (mut changed, mut all) = (Buckets::default(), BTreeMap::new());
        changed.fill(&mut [], &mut store);
        for round in 0..500 {
            let size = if round % 100 < 50 { 9 } else { 2 };
            let mut changes = BTreeMap::new();
            for _ in 0..random(size) {
                changes.insert(1 + random(300), random(3) * random(size));
            }
            for (&path, &part) in &changes {
                all.insert(path, part);
            }
            all.retain(|_, &mut part| part != 0);
            let mut changes: Vec<Pair> = changes.into_iter().collect();
            changed.change(&mut changes, &mut store);
            let mut filled = Buckets::default();
            let mut pairs: Vec<Pair> = all.iter().map(|(&path, &part)| (path, part)).collect();
            filled.fill(&mut pairs, &mut store);
            assert_eq!(changed.words, filled.words, "{round}");
            assert_eq!(changed.objects, all.len());
        }
    }
}
