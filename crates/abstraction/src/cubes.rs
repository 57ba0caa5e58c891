//! Sets of valuations of predicates, as few cubes as merging finds.

use std::collections::{BTreeMap, BTreeSet};

/// Some predicates and their values; the others may have either.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Cube {
    /// Which predicates have a value.
    pub(crate) care: u128,
    /// The values.
    pub(crate) value: u128,
}

/// How many predicates a cube can speak of.
pub(crate) const MOST_PREDICATES: usize = 128;

impl Cube {
    pub(crate) fn set(&mut self, predicate: usize, value: bool) {
        self.care |= 1 << predicate;
        if value {
            self.value |= 1 << predicate;
        }
    }

    pub(crate) fn get(self, predicate: usize) -> Option<bool> {
        (self.care >> predicate & 1 == 1).then_some(self.value >> predicate & 1 == 1)
    }

    pub(crate) fn literals(self) -> impl Iterator<Item = (usize, bool)> {
        (0..MOST_PREDICATES).filter_map(move |number| Some((number, self.get(number)?)))
    }

    fn contains(self, other: Cube) -> bool {
        self.care & other.care == self.care && other.value & self.care == self.value
    }
}

/// Merges cubes before steps that have the same result.
pub(crate) fn merged<T: Ord + Clone>(items: BTreeSet<(Cube, T)>) -> Vec<(Cube, T)> {
    let mut by_result: BTreeMap<T, BTreeSet<Cube>> = BTreeMap::new();
    for (cube, result) in items {
        by_result.entry(result).or_default().insert(cube);
    }
    let mut out = Vec::new();
    for (result, mut cubes) in by_result {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for cube in cubes.clone() {
                if !cubes.contains(&cube) {
                    continue;
                }
                for (predicate, _) in cube.literals() {
                    let bit = 1u128 << predicate;
                    let other = Cube {
                        value: cube.value ^ bit,
                        ..cube
                    };
                    if cubes.contains(&other) {
                        cubes.remove(&cube);
                        cubes.remove(&other);
                        cubes.insert(Cube {
                            care: cube.care & !bit,
                            value: cube.value & !bit,
                        });
                        changed = true;
                        break;
                    }
                }
            }
        }
        for cube in &cubes {
            let is_covered = cubes
                .iter()
                .any(|other| other != cube && other.contains(*cube));
            if !is_covered {
                out.push((*cube, result.clone()));
            }
        }
    }
    out
}
