//! The exact store: states are trees whose equal parts are kept once (`plan.rs`).

use super::fingerprint::{Fingerprints, has_room};
use super::hash::{hash_words, join, scatter, unscatter};
use super::interner::{Interner, Item};
use super::plan::{Parts, Plan};
use super::set::Set;
use super::{Origin, Store, Trail, push_frugally};

/// Keeps states as trees.
#[derive(Default)]
pub(crate) struct Tree {
    plan: Plan,
    parts: Interners,
    /// The roots, scattered.
    roots: Set,
}

/// The parts of trees with their numbers.
#[derive(Default)]
struct Interners {
    leaves: Interner,
    groups: Interner,
}

impl Parts for Interners {
    #[inline]
    fn number_leaf(&mut self, leaf: Item) -> Option<u32> {
        self.leaves.intern(leaf)
    }

    #[inline]
    fn number_group(&mut self, group: Item) -> Option<u32> {
        self.groups.intern(group)
    }

    #[inline]
    fn leaf(&self, number: u32) -> Item {
        self.leaves.get(number)
    }

    #[inline]
    fn group(&self, number: u32) -> Item {
        self.groups.get(number)
    }
}

impl Tree {
    /// The fingerprints of all states, if there is room for them. What is left can only give
    /// back states ([`Store::load`]).
    pub(super) fn fingerprints(&mut self, most: u64) -> Option<Fingerprints> {
        let Tree { plan, parts, roots } = self;
        let mut fingerprints = Fingerprints::default();
        let (mut words, mut trail) = (Vec::new(), Trail::default());
        has_room(roots.len(), most).then(|| {
            roots.drain(|root| {
                plan.unfold(parts, unscatter(root), &mut words, &mut trail);
                fingerprints.insert(hash_words(&words));
            });
            fingerprints
        })
    }
}

impl Store for Tree {
    #[inline]
    fn number(
        &mut self,
        words: &[u32],
        origin: Option<Origin<'_>>,
        trail: &mut Trail,
    ) -> Option<u64> {
        self.plan.prepare(words.len())?;
        self.plan.number(&mut self.parts, words, origin, trail)
    }

    #[inline]
    fn insert(&mut self, number: u64) -> bool {
        self.roots.insert(scatter(number))
    }

    #[inline]
    fn contains(&self, number: u64) -> bool {
        self.roots.contains(scatter(number))
    }

    #[inline]
    fn touch(&self, number: u64) -> u64 {
        self.roots.touch(scatter(number))
    }

    #[inline]
    fn restore(&mut self, number: u64, words: &mut Vec<u32>, trail: &mut Trail) -> bool {
        self.plan.unfold(&self.parts, number, words, trail);
        true
    }

    fn save(&self, _words: &[u32], trail: &Trail, queue: &mut Vec<u32>) {
        save_root(trail, queue);
    }

    fn load(&mut self, queue: &[u32], words: &mut Vec<u32>, trail: &mut Trail) -> usize {
        load_root(self, queue, words, trail)
    }

    fn bytes(&self) -> u64 {
        let parts = self.parts.leaves.bytes() + self.parts.groups.bytes();
        parts + self.roots.bytes() + self.plan.bytes()
    }
}

/// Writes down where the state is in a store that can give it back.
pub(super) fn save_root(trail: &Trail, queue: &mut Vec<u32>) {
    push_frugally(queue, trail.root as u32);
    push_frugally(queue, (trail.root >> 32) as u32);
}

/// Has a store give back the state that was written down.
pub(super) fn load_root(
    store: &mut impl Store,
    queue: &[u32],
    words: &mut Vec<u32>,
    trail: &mut Trail,
) -> usize {
    if let &[low, high, ..] = queue {
        store.restore(join(low, high), words, trail);
    }
    2
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    /// Inserts a state with or without help and checks that it comes back.
    fn insert(tree: &mut Tree, words: &[u32], origin: Option<(&[u32], &Trail)>) -> (bool, Trail) {
        let mut trail = Trail::default();
        let origin = origin.map(|(words, trail)| Origin { words, trail });
        let number = tree.number(words, origin, &mut trail);
        let number = number.expect("there is room");
        let known = tree.contains(number);
        let is_new = tree.insert(number);
        assert_eq!(is_new, !known);
        let mut queue = Vec::new();
        tree.save(words, &trail, &mut queue);
        let (mut restored, mut restored_trail) = (vec![7; 3], Trail::default());
        let used = tree.load(&queue, &mut restored, &mut restored_trail);
        assert_eq!(used, queue.len());
        assert_eq!(restored, words);
        assert_eq!(restored_trail.ids, trail.ids);
        (is_new, trail)
    }

    #[test]
    fn lengths_are_told_apart() {
        let mut tree = Tree::default();
        for length in 0..300 {
            assert!(insert(&mut tree, &vec![0; length], None).0, "{length}");
        }
        for length in 0..300 {
            assert!(!insert(&mut tree, &vec![0; length], None).0, "{length}");
        }
    }

    #[test]
    fn every_word_counts() {
        let mut tree = Tree::default();
        for length in 1..100 {
            let zeros = vec![0; length];
            let (_, trail) = insert(&mut tree, &zeros, None);
            for position in 0..length {
                let mut words = zeros.clone();
                words[position] = 1;
                assert!(insert(&mut tree, &words, Some((&zeros, &trail))).0);
                assert!(!insert(&mut tree, &words, None).0);
            }
        }
    }

    #[test]
    fn many_different_quarters_are_grouped_once_more() {
        for length in [3, 20, 60] {
            let mut tree = Tree::default();
            let mut words = vec![0; length];
            for i in 0..3 << 14 {
                (words[0], words[1]) = (i, i % 7);
                assert!(insert(&mut tree, &words, None).0);
            }
            for i in 0..3 << 14 {
                (words[0], words[1]) = (i, i % 7);
                assert!(!insert(&mut tree, &words, None).0);
            }
        }
    }

    #[test]
    fn a_full_store_says_so() {
        let mut tree = Tree::default();
        tree.parts.groups = Interner::with_limit(4);
        let mut trail = Trail::default();
        let mut answers = (0..3).map(|i| tree.number(&[i; 40], None, &mut trail));
        assert!(answers.next().expect("three").is_some());
        assert!(answers.next().expect("three").is_none());
    }

    proptest! {
        #[test]
        fn is_a_set_of_sequences(changes in prop::collection::vec(
            (0_usize..40, prop::collection::vec((0_usize..40, 0_u32..3), 0..4), any::<bool>()),
            0..300,
        )) {
            let mut tree = Tree::default();
            let mut model = HashSet::new();
            let (mut words, mut trail) = (vec![], None::<(Vec<u32>, Trail)>);
            for (length, edits, keep_length) in changes {
                if !keep_length {
                    words.resize(length, 0);
                }
                for (position, word) in edits {
                    if let Some(old) = words.get_mut(position) {
                        *old = word;
                    }
                }
                let origin = trail.as_ref().map(|(words, trail)| (&words[..], trail));
                let (is_new, next) = insert(&mut tree, &words, origin);
                prop_assert_eq!(is_new, model.insert(words.clone()));
                trail = Some((words.clone(), next));
            }
        }
    }
}
