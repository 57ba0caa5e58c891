//! The exact store: states are trees whose equal parts are kept once.
//!
//! The words of a state are dealt out evenly to the leaves of a tree. Different leaves
//! are numbered, then different groups of up to four numbers, level by level, until
//! one pair is left: the root. (Tree compression, as in LTSmin.) Threads and variables
//! change independently, so that there are far fewer different parts than states, and
//! a state costs little more than the eight bytes of its root.
//!
//! Neighbouring leaves go into different halves of the tree. The threads, which have
//! most of what changes, lie side by side; were they all in one half, that half would
//! have nearly as many different values as there are states.
//!
//! A step changes few words. The trail of a state has the numbers of all of its
//! parts; for a successor only the leaves that differ, and what is above them, are
//! looked up.
//!
//! Nothing is lost: the last word of the last leaf is the length of the state, a
//! number tells whether it is that of a leaf or of a group, and a group tells its
//! size, so that a root stands for exactly one sequence of words.

use super::hash::{join, scatter};
use super::interner::Interner;
use super::set::Set;
use super::{Origin, Store, Trail, push_frugally};

/// The most words in a leaf.
const LEAF: usize = 8;

/// The words of a leaf, two in one. Those that are not used are zero.
type Leaf = [u64; LEAF / 2];

/// By the number of words in a leaf: the bits that they take.
const MASKS: [Leaf; LEAF + 1] = masks();

/// The bit that tells the number of a group from that of a leaf.
const GROUP: u32 = 1 << 31;

/// Takes the places that a group of two leaves empty. No number is as large.
const NOTHING: u32 = u32::MAX;

/// Keeps states as trees.
pub(crate) struct Tree {
    leaves: Interner<Leaf>,
    /// Groups of four numbers, two in one.
    groups: Interner<[u64; 2]>,
    /// The roots, scattered.
    roots: Set,
    /// The nodes of the current level that differ from those of the origin, in
    /// ascending order.
    changed: Vec<usize>,
}

impl Store for Tree {
    #[inline]
    fn number(
        &mut self,
        words: &[u32],
        origin: Option<Origin<'_>>,
        trail: &mut Trail,
    ) -> Option<u64> {
        let shape = Shape::of(words.len())?;
        let ids = &mut trail.ids;
        ids.resize(shape.nodes(), 0);
        self.changed.clear();
        match origin {
            Some(origin) if origin.words.len() == words.len() => {
                ids.copy_from_slice(&origin.trail.ids);
                self.compare(shape, words, origin.words);
            }
            _ => self.changed.extend(0..shape.leaves),
        }
        for index in &mut self.changed {
            let position = shape.position(*index);
            ids[position] = self.leaves.intern(shape.leaf(words, *index))?;
            *index = position;
        }
        self.changed.sort_unstable();
        self.rise(shape, ids)?;
        Some(scatter(root(ids)))
    }

    #[inline]
    fn insert(&mut self, number: u64) -> bool {
        self.roots.insert(number)
    }

    #[inline]
    fn contains(&self, number: u64) -> bool {
        self.roots.contains(number)
    }

    #[inline]
    fn touch(&self, number: u64) -> u64 {
        self.roots.touch(number)
    }

    fn save(&self, _words: &[u32], trail: &Trail, queue: &mut Vec<u32>) {
        let root = root(&trail.ids);
        push_frugally(queue, root as u32);
        push_frugally(queue, (root >> 32) as u32);
    }

    fn load(&self, queue: &[u32], words: &mut Vec<u32>, trail: &mut Trail) -> usize {
        if let &[left, right, ..] = queue {
            self.restore(left, right, words, &mut trail.ids);
        }
        2
    }

    fn bytes(&self) -> u64 {
        self.leaves.bytes() + self.groups.bytes() + self.roots.bytes()
    }
}

impl Tree {
    pub(crate) fn new() -> Tree {
        Tree {
            leaves: Interner::new(),
            groups: Interner::new(),
            roots: Set::new(),
            changed: Vec::new(),
        }
    }

    /// Finds the leaves in which two states of the same length differ.
    #[inline]
    fn compare(&mut self, shape: Shape, words: &[u32], old: &[u32]) {
        // Whole blocks are compared in a few instructions, and mostly equal.
        let (blocks, rest) = words.as_chunks::<8>();
        let (old_blocks, old_rest) = old.as_chunks::<8>();
        for (index, (block, old_block)) in blocks.iter().zip(old_blocks).enumerate() {
            if block != old_block {
                self.compare_words(shape, index * 8, block, old_block);
            }
        }
        self.compare_words(shape, blocks.len() * 8, rest, old_rest);
    }

    #[inline]
    fn compare_words(&mut self, shape: Shape, start: usize, words: &[u32], old: &[u32]) {
        for (offset, (word, old_word)) in words.iter().zip(old).enumerate() {
            if word != old_word {
                let leaf = shape.leaf_of(start + offset);
                if self.changed.last() != Some(&leaf) {
                    self.changed.push(leaf);
                }
            }
        }
    }

    /// Numbers the groups above the changed leaves, up to the root. `None` if there
    /// are too many.
    #[inline]
    fn rise(&mut self, shape: Shape, ids: &mut [u32]) -> Option<()> {
        let mut level = ids;
        let mut width = shape.leaves;
        while width > 2 {
            let (below, above) = level.split_at_mut(width);
            let size = group_size(width);
            let mut parents = 0;
            for i in 0..self.changed.len() {
                let parent = self.changed[i] / size;
                if parents == 0 || self.changed[parents - 1] != parent {
                    let group = match below[parent * size..][..size] {
                        [a, b, c, d] => [join(a, b), join(c, d)],
                        [a, b] => [join(a, b), join(NOTHING, NOTHING)],
                        _ => return None,
                    };
                    above[parent] = self.groups.intern(group)? | GROUP;
                    self.changed[parents] = parent;
                    parents += 1;
                }
            }
            self.changed.truncate(parents);
            level = above;
            width /= size;
        }
        Some(())
    }

    /// The numbers of a group.
    fn group(&self, id: u32) -> [u32; 4] {
        let [low, high] = self.groups.get(id & !GROUP);
        [
            low as u32,
            (low >> 32) as u32,
            high as u32,
            (high >> 32) as u32,
        ]
    }

    /// From the root back to all parts and to the words.
    fn restore(&self, left: u32, right: u32, words: &mut Vec<u32>, ids: &mut Vec<u32>) {
        let mut last = right;
        while last & GROUP != 0 {
            let [_, second, _, fourth] = self.group(last);
            last = if fourth == NOTHING { second } else { fourth };
        }
        let [.., length] = unpack(self.leaves.get(last));
        let length = length as usize;
        // Every root that was saved is that of a state, so that it has a shape.
        let Some(shape) = Shape::of(length) else {
            return;
        };
        ids.clear();
        ids.resize(shape.nodes(), 0);
        self.sink(shape.leaves, [left, right], ids);
        words.clear();
        for index in 0..shape.leaves {
            let leaf = unpack(self.leaves.get(ids[shape.position(index)]));
            words.extend_from_slice(&leaf[..shape.width]);
        }
        words.truncate(length);
    }

    /// Fills in the numbers of a level of this width and of those above it.
    fn sink(&self, width: usize, root: [u32; 2], ids: &mut [u32]) {
        if width <= 2 {
            ids.copy_from_slice(&root);
            return;
        }
        let (below, above) = ids.split_at_mut(width);
        let size = group_size(width);
        self.sink(width / size, root, above);
        for (parent, children) in below.chunks_exact_mut(size).enumerate() {
            children.copy_from_slice(&self.group(above[parent])[..size]);
        }
    }
}

/// How many nodes of a level go into one of the level above: four, unless that would
/// leave less than two.
#[inline]
fn group_size(width: usize) -> usize {
    match width {
        4 => 2,
        _ => 4,
    }
}

/// The tree of all states of some length.
#[derive(Clone, Copy)]
struct Shape {
    /// How many leaves: a power of two, and not one.
    leaves: usize,
    /// How many words go into a leaf.
    width: usize,
}

impl Shape {
    /// The fewest leaves that suffice, with equally many words, and with room for
    /// the length in the last one. A tree that leans to one side would have nearly as many different
    /// parts on that side as there are states. `None` if a state is too long.
    #[inline]
    fn of(length: usize) -> Option<Shape> {
        u32::try_from(length).ok()?;
        let leaves = (length / LEAF + 1).next_power_of_two().max(2);
        let width = (length + leaves) >> leaves.trailing_zeros();
        Some(Shape { leaves, width })
    }

    /// How many nodes there are, without the root. They are numbered from the
    /// leaves up.
    #[inline]
    fn nodes(self) -> usize {
        let mut width = self.leaves;
        let mut nodes = width;
        while width > 2 {
            width /= group_size(width);
            nodes += width;
        }
        nodes
    }

    /// Where a leaf is in the tree: its number with the bits in reverse order.
    #[inline]
    fn position(self, leaf: usize) -> usize {
        leaf.reverse_bits() >> (self.leaves.leading_zeros() + 1)
    }

    /// In which leaf a word is.
    #[inline]
    fn leaf_of(self, word: usize) -> usize {
        // The numbers are small, and short divisions are faster.
        (word as u32 / self.width as u32) as usize
    }

    #[inline]
    fn leaf(self, words: &[u32], index: usize) -> Leaf {
        let start = index * self.width;
        let mask = MASKS[self.width];
        let rest = words.get(start..).unwrap_or_default();
        let mut leaf = match rest.first_chunk() {
            Some(block) => pack(block),
            None => {
                let mut block = [0; LEAF];
                for (to, from) in block.iter_mut().zip(rest) {
                    *to = *from;
                }
                pack(&block)
            }
        };
        for (pair, mask) in leaf.iter_mut().zip(mask) {
            *pair &= mask;
        }
        if index == self.leaves - 1 {
            leaf[LEAF / 2 - 1] |= (words.len() as u64) << 32;
        }
        leaf
    }
}

#[inline]
fn pack(&[a, b, c, d, e, f, g, h]: &[u32; LEAF]) -> Leaf {
    [join(a, b), join(c, d), join(e, f), join(g, h)]
}

fn unpack(leaf: Leaf) -> [u32; LEAF] {
    std::array::from_fn(|i| (leaf[i / 2] >> (i % 2 * 32)) as u32)
}

const fn masks() -> [Leaf; LEAF + 1] {
    let mut masks = [[0; LEAF / 2]; LEAF + 1];
    let mut width = 1;
    while width <= LEAF {
        masks[width] = masks[width - 1];
        masks[width][(width - 1) / 2] |= (u32::MAX as u64) << ((width - 1) % 2 * 32);
        width += 1;
    }
    masks
}

/// The pair at the top.
#[inline]
fn root(ids: &[u32]) -> u64 {
    match *ids {
        [.., left, right] => join(left, right),
        _ => 0,
    }
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
        let mut tree = Tree::new();
        for length in 0..300 {
            assert!(insert(&mut tree, &vec![0; length], None).0, "{length}");
        }
        for length in 0..300 {
            assert!(!insert(&mut tree, &vec![0; length], None).0, "{length}");
        }
    }

    #[test]
    fn every_word_counts() {
        let mut tree = Tree::new();
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
    fn leaves_are_dealt_out_evenly() {
        for length in 0..5000 {
            let shape = Shape::of(length).expect("it is short");
            assert!(shape.width <= LEAF);
            assert!(shape.leaves * shape.width > length);
            assert!(length < 2 * LEAF || shape.width > LEAF / 2);
            assert!(length == 0 || shape.leaf_of(length - 1) < shape.leaves);
        }
    }

    #[test]
    fn a_full_store_says_so() {
        let mut tree = Tree::new();
        tree.groups = Interner::with_limit(2);
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
            let mut tree = Tree::new();
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
