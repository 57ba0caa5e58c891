//! The exact store for engines that have their own idea of a search.

use super::{Store, Trail, Tree};

/// A set of states, kept exactly.
pub struct Visited {
    tree: Tree,
    trail: Trail,
}

impl Visited {
    /// An empty set.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Visited {
        Visited {
            tree: Tree::default(),
            trail: Trail::default(),
        }
    }

    /// Adds the canonical form of a state; tells whether it is new. `None` if the set
    /// can take no more.
    pub fn insert(&mut self, words: &[u32]) -> Option<bool> {
        self.enter(words).map(|(_, is_new)| is_new)
    }

    /// As [`Visited::insert`], and tells a number that no other state has.
    pub fn enter(&mut self, words: &[u32]) -> Option<(u64, bool)> {
        let number = self.tree.number(words, None, &mut self.trail)?;
        Some((number, self.tree.insert(number)))
    }

    /// Gives back the words of the state that [`Visited::enter`] gave a number.
    pub fn restore(&mut self, number: u64, words: &mut Vec<u32>) {
        self.tree.restore(number, words, &mut self.trail);
    }

    /// All memory in use.
    pub fn bytes(&self) -> u64 {
        self.tree.bytes()
    }
}
