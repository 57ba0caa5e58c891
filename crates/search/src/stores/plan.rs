//! How a state is cut into a tree whose equal parts are kept once.
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

use super::hash::join;
use super::interner::Item;
use super::{Origin, Trail};

/// The most words in a leaf, and the most numbers in a group.
const LEAF: usize = 8;

/// How many words are compared at once.
const BLOCK: usize = 16;

/// The words of a leaf or the numbers of a group, two in one. Those that are not used
/// are zero in a leaf and [`NOTHING`] in a group.
type Leaf = Item;

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

/// Numbers the parts of trees, leaves and groups of numbers, equal parts equally. `None`
/// if there is no room for another one.
pub(super) trait Parts {
    /// The number of a leaf.
    fn number_leaf(&mut self, leaf: Item) -> Option<u32>;

    /// The number of a group.
    fn number_group(&mut self, group: Item) -> Option<u32>;

    /// The leaf with a number.
    fn leaf(&self, number: u32) -> Item;

    /// The group with a number.
    fn group(&self, number: u32) -> Item;
}

/// Cuts states into trees, and puts them together again.
#[derive(Default)]
pub(super) struct Plan {
    /// The shapes of the trees for states of each length met so far.
    shapes: Vec<Option<Box<Shape>>>,
    bytes: u64,
    /// The nodes of the current level that differ from those of the origin, in
    /// ascending order.
    changed: Vec<u32>,
}

impl Plan {
    /// Makes the shape for states of some length, unless there is one. `None` if they are
    /// too long.
    #[inline]
    pub(super) fn prepare(&mut self, length: usize) -> Option<()> {
        match self.shapes.get(length).is_none_or(Option::is_none) {
            true => self.add(length),
            false => Some(()),
        }
    }

    #[cold]
    fn add(&mut self, length: usize) -> Option<()> {
        let shape = Shape::new(length)?;
        if self.shapes.len() <= length {
            self.shapes.resize_with(length + 1, || None);
        }
        self.bytes += 4 * (shape.starts.len() + shape.positions.len()) as u64;
        self.shapes[length] = Some(Box::new(shape));
        Some(())
    }

    /// The root of a state, for whose length there is a shape. `None` if there is no room
    /// for its parts.
    #[inline]
    pub(super) fn number(
        &mut self,
        parts: &mut impl Parts,
        words: &[u32],
        origin: Option<Origin<'_>>,
        trail: &mut Trail,
    ) -> Option<u64> {
        let Plan {
            shapes, changed, ..
        } = self;
        let shape = shapes.get(words.len())?.as_deref()?;
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
            ids[position as usize] = parts.number_leaf(shape.leaf(words, position as usize))?;
        }
        rise(parts, shape.starts.len(), ids, changed)?;
        trail.root = root(parts, ids)?;
        Some(trail.root)
    }

    /// From the root back to all parts and to the words.
    pub(super) fn unfold(
        &mut self,
        parts: &impl Parts,
        root: u64,
        words: &mut Vec<u32>,
        trail: &mut Trail,
    ) {
        let quarters = quarters(parts, root);
        let [.., mut last] = quarters;
        while last & GROUP != 0 {
            let mut numbers = group(parts, last).into_iter();
            last = numbers.rfind(|&number| number != NOTHING).unwrap_or(0);
        }
        let [.., length] = unpack(parts.leaf(last));
        let length = length as usize;
        // Every root that was saved is that of a state, so that it has a shape.
        let Some(Some(shape)) = self.prepare(length).and(self.shapes.get(length)) else {
            return;
        };
        trail.root = root;
        let ids = &mut trail.ids;
        ids.clear();
        ids.resize(shape.nodes, 0);
        sink(parts, shape.starts.len(), quarters, ids);
        words.clear();
        words.resize(length, 0);
        for (&id, &start) in ids.iter().zip(&shape.starts) {
            let leaf = unpack(parts.leaf(id));
            let rest = words.get_mut(start as usize..).unwrap_or_default();
            for (to, from) in rest.iter_mut().zip(&leaf[..shape.width]) {
                *to = *from;
            }
        }
    }

    /// All memory in use.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// The numbers of a group.
#[inline]
fn group(parts: &impl Parts, id: u32) -> [u32; LEAF] {
    unpack(parts.group(id & !GROUP))
}

/// The numbers of the quarters of a state.
#[inline]
fn quarters(parts: &impl Parts, root: u64) -> [u32; 4] {
    if root & FOUR != 0 {
        let tag = if root & OF_GROUPS != 0 { GROUP } else { 0 };
        let quarter = |index: u32| (root >> (index * QUARTER)) as u32 & ((1 << QUARTER) - 1);
        return [0, 1, 2, 3].map(|index| quarter(index) | tag);
    }
    let [a, b, ..] = group(parts, root as u32);
    let [c, d, ..] = group(parts, (root >> 31) as u32);
    [a, b, c, d]
}

/// Fills in the numbers of a level of this width and of those above it.
fn sink(parts: &impl Parts, width: usize, quarters: [u32; 4], ids: &mut [u32]) {
    if width <= 4 {
        ids.copy_from_slice(&quarters);
        return;
    }
    let (below, above) = ids.split_at_mut(width);
    let size = group_size(width);
    sink(parts, width / size, quarters, above);
    for (parent, children) in below.chunks_exact_mut(size).enumerate() {
        children.copy_from_slice(&group(parts, above[parent])[..size]);
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
    parts: &mut impl Parts,
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
                above[parent] =
                    parts.number_group(gather(&below[parent * size..][..size]))? | GROUP;
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
fn root(parts: &mut impl Parts, ids: &[u32]) -> Option<u64> {
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
    let left = parts.number_group(gather(&[a, b]))?;
    let right = parts.number_group(gather(&[c, d]))?;
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
}
