//! The largest bounds seen so far, none below another, with an index for both questions: who
//! is above, and who is below.

use super::sparse::{Signature, Sparse, is_below};
use crate::net::Place;

pub(super) struct Bounds {
    /// All markings ever added, one after the other, and where each begins.
    tokens: Sparse,
    starts: Vec<usize>,
    signatures: Vec<Signature>,
    /// Whether a marking is among the largest.
    is_largest: Vec<bool>,
    largest: usize,
    /// For each place the markings that have tokens there: whoever is above a marking is
    /// listed at each of its places.
    holders: Vec<Vec<Entry>>,
    /// Each marking at one of its places: whoever is below a marking is listed at one of
    /// its places.
    watchers: Vec<Vec<Entry>>,
    entries: usize,
}

#[derive(Clone, Copy)]
struct Entry {
    signature: Signature,
    id: u32,
}

impl Bounds {
    pub(super) fn new(places: usize) -> Bounds {
        Bounds {
            tokens: Vec::new(),
            starts: vec![0],
            signatures: Vec::new(),
            is_largest: Vec::new(),
            largest: 0,
            holders: vec![Vec::new(); places],
            watchers: vec![Vec::new(); places],
            entries: 0,
        }
    }

    /// How many markings were ever added.
    pub(super) fn len(&self) -> usize {
        self.signatures.len()
    }

    /// How many of them are not below another.
    pub(super) fn largest(&self) -> usize {
        self.largest
    }

    /// About how many bytes all this takes.
    pub(super) fn bytes(&self) -> usize {
        let entry = std::mem::size_of::<Entry>();
        self.tokens.capacity() * 8 + self.len() * 32 + self.entries * entry * 3 / 2
    }

    pub(super) fn marking(&self, id: u32) -> &[(Place, u32)] {
        &self.tokens[self.starts[id as usize]..self.starts[id as usize + 1]]
    }

    pub(super) fn signature(&self, id: u32) -> Signature {
        self.signatures[id as usize]
    }

    pub(super) fn is_largest(&self, id: u32) -> bool {
        self.is_largest[id as usize]
    }

    /// Whether a marking is below one of these.
    pub(super) fn has_above(&mut self, marking: &[(Place, u32)]) -> bool {
        let signature = Signature::of(marking);
        let places = marking.iter().map(|(place, _)| place.index());
        let Some(rarest) = places.min_by_key(|&place| self.holders[place].len()) else {
            return self.len() > 0;
        };
        let mut holders = std::mem::take(&mut self.holders[rarest]);
        let mut found = false;
        let mut index = holders.len();
        // Whoever came last is the most likely, and whoever is not among the largest any
        // more is struck off when met.
        while index > 0 && !found {
            index -= 1;
            let entry = holders[index];
            if !signature.may_be_below(entry.signature) {
                continue;
            }
            if self.is_largest(entry.id) {
                found = is_below(marking, self.marking(entry.id));
            } else {
                holders.swap_remove(index);
                self.entries -= 1;
            }
        }
        self.holders[rarest] = holders;
        found
    }

    /// Adds a marking that is below none of these, in place of those that are below it.
    pub(super) fn add(&mut self, marking: &[(Place, u32)]) -> u32 {
        let signature = Signature::of(marking);
        for &(place, _) in marking {
            let mut watchers = std::mem::take(&mut self.watchers[place.index()]);
            watchers.retain(|entry| {
                if !entry.signature.may_be_below(signature) {
                    return true;
                }
                if self.is_largest(entry.id) && is_below(self.marking(entry.id), marking) {
                    self.is_largest[entry.id as usize] = false;
                    self.largest -= 1;
                }
                self.is_largest(entry.id)
            });
            self.watchers[place.index()] = watchers;
        }
        let id = self.len() as u32;
        let entry = Entry { signature, id };
        let places = marking.iter().map(|(place, _)| place.index());
        // An empty marking is listed nowhere, and stays: only the first can be one.
        if let Some(rarest) = places.min_by_key(|&place| self.holders[place].len()) {
            self.watchers[rarest].push(entry);
        }
        for &(place, _) in marking {
            self.holders[place.index()].push(entry);
        }
        self.entries += marking.len() + 1;
        self.tokens.extend_from_slice(marking);
        self.starts.push(self.tokens.len());
        self.signatures.push(signature);
        self.is_largest.push(true);
        self.largest += 1;
        id
    }

    /// The markings that are below no other, in the order in which they came.
    pub(super) fn all_largest(&self) -> impl Iterator<Item = &[(Place, u32)]> {
        let ids = (0..self.len() as u32).filter(|&id| self.is_largest(id));
        ids.map(|id| self.marking(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forward::sparse::as_bounds;
    use crate::net::OMEGA;

    #[test]
    fn the_index_finds_what_a_scan_finds() {
        let mut seed = 1u64;
        let mut draw = || {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            [0, 0, 1, 2, 3, OMEGA][(seed >> 33) as usize % 6]
        };
        let mut bounds = Bounds::new(5);
        let mut all: Vec<Sparse> = Vec::new();
        for _ in 0..2000 {
            let marking = as_bounds(&[draw(), draw(), draw(), draw(), draw()]);
            let is_below_some = all.iter().any(|other| is_below(&marking, other));
            assert_eq!(bounds.has_above(&marking), is_below_some, "{marking:?}");
            if !is_below_some {
                bounds.add(&marking);
                all.retain(|other| !is_below(other, &marking));
                all.push(marking);
                let largest: Vec<Sparse> = bounds.all_largest().map(<[_]>::to_vec).collect();
                assert_eq!(largest, all);
                assert_eq!(bounds.largest(), all.len());
            }
        }
        assert!(bounds.len() > 30);
    }
}
