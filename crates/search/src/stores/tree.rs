//! The exact store: states are trees whose equal parts are kept once.
//!
//! The words of a state are dealt out evenly to the leaves of a tree. Different leaves
//! are numbered, then different groups of up to eight numbers, level by level, until
//! four quarters are left. (Tree compression, as in LTSmin.) Threads and variables
//! change independently, so that there are far fewer different quarters than states:
//! the numbers of all four of them mostly fit into the eight bytes of a root, and a
//! state costs little more than that. Where they do not fit, they are grouped once
//! more, into pairs.
//!
//! Neighbouring leaves go into different quarters. The threads, which have most of
//! what changes, lie side by side; were they all in one quarter, it would have nearly
//! as many different values as there are states.
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

/// The most words in a leaf, and the most numbers in a group.
const LEAF: usize = 8;

/// How many words are compared at once.
const BLOCK: usize = 16;

/// The words of a leaf or the numbers of a group, two in one. Those that are not used
/// are zero in a leaf and [`NOTHING`] in a group.
type Leaf = [u64; LEAF / 2];

/// By the number of words in a leaf: the bits that they take.
const MASKS: [Leaf; LEAF + 1] = masks();

/// The bit that tells the number of a group from that of a leaf.
const GROUP: u32 = 1 << 31;

/// Takes the places that a small group leaves empty. No number is as large.
const NOTHING: u32 = u32::MAX;

/// The bits that the number of a quarter has in a root with all four of them.
const QUARTER: u32 = 15;

/// Tells a root with the numbers of four quarters from one with the numbers of two
/// pairs of them.
const FOUR: u64 = 1 << 63;

/// Tells a root whose quarters are groups from one whose quarters are leaves.
const OF_GROUPS: u64 = 1 << 62;

/// Keeps states as trees.
pub(crate) struct Tree {
    leaves: Interner,
    groups: Interner,
    /// The roots, scattered.
    roots: Set,
    /// The shapes of the trees for states of each length met so far.
    shapes: Vec<Option<Box<Shape>>>,
    shape_bytes: u64,
    /// The nodes of the current level that differ from those of the origin, in
    /// ascending order.
    changed: Vec<u32>,
}

impl Store for Tree {
    #[inline]
    fn number(
        &mut self,
        words: &[u32],
        origin: Option<Origin<'_>>,
        trail: &mut Trail,
    ) -> Option<u64> {
        if self.shapes.get(words.len()).is_none_or(Option::is_none) {
            self.prepare(words.len())?;
        }
        let Tree {
            leaves,
            groups,
            shapes,
            changed,
            ..
        } = self;
        let shape = shapes[words.len()].as_deref()?;
        let ids = &mut trail.ids;
        changed.clear();
        match origin {
            Some(origin) if origin.words.len() == words.len() => {
                ids.clone_from(&origin.trail.ids);
                shape.compare(words, origin.words, changed);
                if changed.len() > 1 {
                    changed.sort_unstable();
                }
            }
            _ => {
                ids.clear();
                ids.resize(shape.nodes, 0);
                changed.extend(0..shape.starts.len() as u32);
            }
        }
        for &position in &*changed {
            ids[position as usize] = leaves.intern(shape.leaf(words, position as usize))?;
        }
        rise(groups, shape.starts.len(), ids, changed)?;
        trail.root = root(groups, ids)?;
        Some(trail.root)
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
    fn restore(&self, number: u64, words: &mut Vec<u32>, trail: &mut Trail) -> bool {
        self.unfold(number, words, &mut trail.ids);
        trail.root = number;
        true
    }

    fn save(&self, _words: &[u32], trail: &Trail, queue: &mut Vec<u32>) {
        push_frugally(queue, trail.root as u32);
        push_frugally(queue, (trail.root >> 32) as u32);
    }

    fn load(&self, queue: &[u32], words: &mut Vec<u32>, trail: &mut Trail) -> usize {
        if let &[low, high, ..] = queue {
            self.restore(join(low, high), words, trail);
        }
        2
    }

    fn bytes(&self) -> u64 {
        self.leaves.bytes() + self.groups.bytes() + self.roots.bytes() + self.shape_bytes
    }
}

impl Tree {
    pub(crate) fn new() -> Tree {
        Tree {
            leaves: Interner::new(),
            groups: Interner::new(),
            roots: Set::new(),
            shapes: Vec::new(),
            shape_bytes: 0,
            changed: Vec::new(),
        }
    }

    /// Makes the shape for states of some length. `None` if they are too long.
    #[cold]
    fn prepare(&mut self, length: usize) -> Option<()> {
        let shape = Shape::new(length)?;
        if self.shapes.len() <= length {
            self.shapes.resize_with(length + 1, || None);
        }
        self.shape_bytes += 4 * (shape.starts.len() + shape.positions.len()) as u64;
        self.shapes[length] = Some(Box::new(shape));
        Some(())
    }

    /// The numbers of a group.
    #[inline]
    fn group(&self, id: u32) -> [u32; LEAF] {
        unpack(self.groups.get(id & !GROUP))
    }

    /// The numbers of the quarters of a state.
    #[inline]
    fn quarters(&self, root: u64) -> [u32; 4] {
        if root & FOUR != 0 {
            let tag = if root & OF_GROUPS != 0 { GROUP } else { 0 };
            let quarter = |index: u32| (root >> (index * QUARTER)) as u32 & ((1 << QUARTER) - 1);
            return [0, 1, 2, 3].map(|index| quarter(index) | tag);
        }
        let [a, b, ..] = self.group(root as u32);
        let [c, d, ..] = self.group((root >> 31) as u32);
        [a, b, c, d]
    }

    /// From the root back to all parts and to the words.
    fn unfold(&self, root: u64, words: &mut Vec<u32>, ids: &mut Vec<u32>) {
        let quarters = self.quarters(root);
        let [.., mut last] = quarters;
        while last & GROUP != 0 {
            let mut numbers = self.group(last).into_iter();
            last = numbers.rfind(|&number| number != NOTHING).unwrap_or(0);
        }
        let [.., length] = unpack(self.leaves.get(last));
        let length = length as usize;
        // Every root that was saved is that of a state, so that it has a shape.
        let Some(Some(shape)) = self.shapes.get(length) else {
            return;
        };
        ids.clear();
        ids.resize(shape.nodes, 0);
        self.sink(shape.starts.len(), quarters, ids);
        words.clear();
        words.resize(length, 0);
        for (&id, &start) in ids.iter().zip(&shape.starts) {
            let leaf = unpack(self.leaves.get(id));
            let rest = words.get_mut(start as usize..).unwrap_or_default();
            for (to, from) in rest.iter_mut().zip(&leaf[..shape.width]) {
                *to = *from;
            }
        }
    }

    /// Fills in the numbers of a level of this width and of those above it.
    fn sink(&self, width: usize, quarters: [u32; 4], ids: &mut [u32]) {
        if width <= 4 {
            ids.copy_from_slice(&quarters);
            return;
        }
        let (below, above) = ids.split_at_mut(width);
        let size = group_size(width);
        self.sink(width / size, quarters, above);
        for (parent, children) in below.chunks_exact_mut(size).enumerate() {
            children.copy_from_slice(&self.group(above[parent])[..size]);
        }
    }
}

/// How many nodes of a level go into one of the level above: eight, unless that would
/// leave less than four.
#[inline]
fn group_size(width: usize) -> usize {
    (width / 4).min(LEAF)
}

/// Numbers the groups above the changed leaves, up to the quarters. `None` if there
/// are too many.
#[inline]
fn rise(
    groups: &mut Interner,
    mut width: usize,
    mut level: &mut [u32],
    changed: &mut Vec<u32>,
) -> Option<()> {
    while width > 4 {
        let (below, above) = level.split_at_mut(width);
        let size = group_size(width);
        let mut parents = 0;
        for i in 0..changed.len() {
            let parent = changed[i] as usize / size;
            if parents == 0 || changed[parents - 1] as usize != parent {
                above[parent] = groups.intern(gather(&below[parent * size..][..size]))? | GROUP;
                changed[parents] = parent as u32;
                parents += 1;
            }
        }
        changed.truncate(parents);
        level = above;
        width /= size;
    }
    Some(())
}

/// A group of numbers.
#[inline]
fn gather(numbers: &[u32]) -> Leaf {
    match numbers.first_chunk() {
        Some(all) => pack(all),
        None => {
            let mut group = [NOTHING; LEAF];
            group[..numbers.len()].copy_from_slice(numbers);
            pack(&group)
        }
    }
}

/// The root above the quarters, which come last. `None` if there are too many pairs.
#[inline]
fn root(groups: &mut Interner, ids: &[u32]) -> Option<u64> {
    let &[.., a, b, c, d] = ids else {
        return None;
    };
    // The quarters are all leaves or all groups.
    let tag = a & GROUP;
    if (a | b | c | d) & !GROUP < 1 << QUARTER {
        let low = u64::from(a & !GROUP) | u64::from(b & !GROUP) << QUARTER;
        let high = u64::from(c & !GROUP) | u64::from(d & !GROUP) << QUARTER;
        let kind = u64::from(tag) << (OF_GROUPS.trailing_zeros() - GROUP.trailing_zeros());
        return Some(FOUR | kind | low | high << (2 * QUARTER));
    }
    let left = groups.intern(gather(&[a, b]))?;
    let right = groups.intern(gather(&[c, d]))?;
    Some(u64::from(left) | u64::from(right) << 31)
}

/// The tree of all states of some length. There are as many leaves as a power of two,
/// and at least four.
struct Shape {
    /// How many words go into a leaf.
    width: usize,
    /// How many nodes there are, without the root. They are numbered from the leaves
    /// up.
    nodes: usize,
    /// By position in the tree: the first word of a leaf.
    starts: Vec<u32>,
    /// By word: the position of its leaf.
    positions: Vec<u32>,
}

impl Shape {
    /// The fewest leaves that suffice, with equally many words, and with room for the
    /// length in the last one. A tree that leans to one side would have nearly as many
    /// different parts on that side as there are states. `None` if a state is too long.
    fn new(length: usize) -> Option<Shape> {
        u32::try_from(length).ok()?;
        let leaves = (length / LEAF + 1).next_power_of_two().max(4);
        let width = (length + leaves) >> leaves.trailing_zeros();
        let mut nodes = leaves;
        let mut level = leaves;
        while level > 4 {
            level /= group_size(level);
            nodes += level;
        }
        // The bits of a number in reverse order are its position, so that neighbours
        // are far apart; the other way round it is the same.
        let reverse = |number: usize| number.reverse_bits() >> (leaves.leading_zeros() + 1);
        Some(Shape {
            width,
            nodes,
            starts: (0..leaves)
                .map(|position| (reverse(position) * width) as u32)
                .collect(),
            positions: (0..length)
                .map(|word| reverse(word / width) as u32)
                .collect(),
        })
    }

    /// Finds the positions of the leaves in which two states of this length differ, in
    /// no order.
    #[inline]
    fn compare(&self, words: &[u32], old: &[u32], changed: &mut Vec<u32>) {
        // Whole blocks are compared in a few instructions, and mostly equal.
        let (blocks, rest) = words.as_chunks::<BLOCK>();
        let (old_blocks, old_rest) = old.as_chunks::<BLOCK>();
        for (index, (block, old_block)) in blocks.iter().zip(old_blocks).enumerate() {
            let pairs = block.iter().zip(old_block);
            if pairs.fold(0, |all, (word, old_word)| all | (word ^ old_word)) != 0 {
                self.compare_words(index * BLOCK, block, old_block, changed);
            }
        }
        self.compare_words(blocks.len() * BLOCK, rest, old_rest, changed);
    }

    #[inline]
    fn compare_words(&self, start: usize, words: &[u32], old: &[u32], changed: &mut Vec<u32>) {
        let positions = self.positions[start..].iter();
        for ((word, old_word), &position) in words.iter().zip(old).zip(positions) {
            if word != old_word && changed.last() != Some(&position) {
                changed.push(position);
            }
        }
    }

    /// The words of the leaf at a position.
    #[inline]
    fn leaf(&self, words: &[u32], position: usize) -> Leaf {
        let start = self.starts[position] as usize;
        let rest = words.get(start..).unwrap_or_default();
        let mut leaf = match rest.first_chunk() {
            Some(block) => pack(block),
            None => {
                let mut block = [0; LEAF];
                block[..rest.len()].copy_from_slice(rest);
                pack(&block)
            }
        };
        for (pair, mask) in leaf.iter_mut().zip(MASKS[self.width]) {
            *pair &= mask;
        }
        if position == self.starts.len() - 1 {
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
            let shape = Shape::new(length).expect("it is short");
            let leaves = shape.starts.len();
            assert!(shape.width <= LEAF);
            assert!(leaves * shape.width > length);
            assert!(length < 4 * LEAF || shape.width > LEAF / 2);
            for (word, &position) in shape.positions.iter().enumerate() {
                let start = shape.starts[position as usize] as usize;
                assert!((start..start + shape.width).contains(&word));
            }
        }
    }

    #[test]
    fn many_different_quarters_are_grouped_once_more() {
        for length in [3, 20, 60] {
            let mut tree = Tree::new();
            let mut words = vec![0; length];
            for i in 0..3 << (QUARTER - 1) {
                (words[0], words[1]) = (i, i % 7);
                assert!(insert(&mut tree, &words, None).0);
            }
            for i in 0..3 << (QUARTER - 1) {
                (words[0], words[1]) = (i, i % 7);
                assert!(!insert(&mut tree, &words, None).0);
            }
        }
    }

    #[test]
    fn a_full_store_says_so() {
        let mut tree = Tree::new();
        tree.groups = Interner::with_limit(4);
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
