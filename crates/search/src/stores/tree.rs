//! The exact store: states are trees whose equal parts are kept once.
//!
//! The words of a state are cut into leaves of four. Leaves are numbered, then
//! pairs of numbers are numbered, level by level, until one pair is left: the root.
//! (Tree compression, as in LTSmin.) Threads and variables change independently, so
//! that there are far fewer different parts than states, and a state costs little
//! more than the eight bytes of its root.
//!
//! A step changes few words. The trail of a state has the numbers of all of its
//! parts; for a successor only the leaves that differ, and what is above them, are
//! looked up.
//!
//! Nothing is lost: the last word of the last leaf is the length of the state, and
//! a number tells whether it is that of a leaf or of a pair, so that a root stands
//! for exactly one sequence of words.

use super::hash::{join, scatter};
use super::interner::Interner;
use super::set::Set;
use super::{Origin, Store, Trail, push_frugally};

const LEAF: usize = 8;

/// The bit that tells the number of a pair from that of a leaf.
const PAIR: u32 = 1 << 31;

/// The right half of the root of a state that is a single leaf.
const NOTHING: u32 = u32::MAX;

/// Keeps states as trees.
pub(crate) struct Tree {
    leaves: Interner<[u32; LEAF]>,
    pairs: Interner<[u32; 2]>,
    roots: Set,
    /// The nodes of the current level that differ from those of the origin.
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
        let ids = &mut trail.ids;
        let (width, leaves) = shape(words.len());
        self.changed.clear();
        match origin {
            Some(origin) if origin.words.len() == words.len() => {
                copy(&origin.trail.ids, ids);
                match width {
                    LEAF => self.changed_leaves(words, origin.words, ids)?,
                    _ => self.all_leaves(words, ids)?,
                }
            }
            _ => {
                ids.clear();
                ids.resize(nodes(leaves), 0);
                self.all_leaves(words, ids)?;
            }
        }
        self.rise(leaves, ids)?;
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
        self.leaves.bytes() + self.pairs.bytes() + self.roots.bytes()
    }
}

impl Tree {
    pub(crate) fn new() -> Tree {
        Tree {
            leaves: Interner::new(),
            pairs: Interner::new(),
            roots: Set::new(),
            changed: Vec::new(),
        }
    }

    /// Numbers the leaves that differ from those of the origin. `None` if there are
    /// too many.
    #[inline]
    fn changed_leaves(&mut self, words: &[u32], old: &[u32], ids: &mut [u32]) -> Option<()> {
        let (fours, rest) = words.as_chunks::<LEAF>();
        let (old_fours, old_rest) = old.as_chunks::<LEAF>();
        for (index, (leaf, old_leaf)) in fours.iter().zip(old_fours).enumerate() {
            if leaf != old_leaf {
                ids[index] = self.leaves.intern(*leaf)?;
                self.changed.push(index);
            }
        }
        // Three words at the most: not worth the call that `!=` would be.
        if rest.iter().ne(old_rest) {
            ids[fours.len()] = self.leaves.intern(last_leaf(rest, words.len()))?;
            self.changed.push(fours.len());
        }
        Some(())
    }

    /// Numbers all leaves.
    fn all_leaves(&mut self, words: &[u32], ids: &mut [u32]) -> Option<()> {
        u32::try_from(words.len()).ok()?;
        let (width, leaves) = shape(words.len());
        let mut parts = words.chunks_exact(width);
        for (index, part) in parts.by_ref().enumerate() {
            let mut leaf = [0; LEAF];
            leaf[..width].copy_from_slice(part);
            ids[index] = self.leaves.intern(leaf)?;
        }
        ids[leaves - 1] = self
            .leaves
            .intern(last_leaf(parts.remainder(), words.len()))?;
        self.changed.extend(0..leaves);
        Some(())
    }

    /// Numbers the pairs above the changed leaves, up to the root. `None` if there
    /// are too many.
    #[inline]
    fn rise(&mut self, leaves: usize, ids: &mut [u32]) -> Option<()> {
        let (mut start, mut width) = (0, leaves);
        while width > 2 {
            let above = start + width;
            let mut parents = 0;
            for i in 0..self.changed.len() {
                let parent = self.changed[i] / 2;
                if parents > 0 && self.changed[parents - 1] == parent {
                    continue;
                }
                let left = ids[start + 2 * parent];
                // The last one of an odd number moves up as it is.
                ids[above + parent] = match 2 * parent + 1 < width {
                    true => self.pairs.intern([left, ids[start + 2 * parent + 1]])? | PAIR,
                    false => left,
                };
                self.changed[parents] = parent;
                parents += 1;
            }
            self.changed.truncate(parents);
            start = above;
            width = width.div_ceil(2);
        }
        Some(())
    }

    /// The opposite of an insertion: from the root to the parts and the words.
    fn restore(&self, left: u32, right: u32, words: &mut Vec<u32>, ids: &mut Vec<u32>) {
        let length = self.length(if right == NOTHING { left } else { right });
        let (width, leaves) = shape(length);
        let total = nodes(leaves);
        ids.clear();
        ids.resize(total, 0);
        if leaves == 1 {
            ids[0] = left;
        } else {
            ids[total - 2] = left;
            ids[total - 1] = right;
            self.sink(leaves, ids);
        }
        words.clear();
        for &id in &ids[..leaves] {
            words.extend_from_slice(&self.leaves.get(id)[..width]);
        }
        words.truncate(length);
    }

    /// The length of the state whose last part this is.
    fn length(&self, mut id: u32) -> usize {
        while id & PAIR != 0 {
            id = self.pairs.get(id & !PAIR)[1];
        }
        self.leaves.get(id)[LEAF - 1] as usize
    }

    /// Fills in the numbers of all parts below the root.
    fn sink(&self, leaves: usize, ids: &mut [u32]) {
        let (mut start, mut width) = (0, leaves);
        let mut levels = Vec::new();
        while width > 2 {
            levels.push((start, width));
            start += width;
            width = width.div_ceil(2);
        }
        for &(start, width) in levels.iter().rev() {
            for parent in 0..width.div_ceil(2) {
                let id = ids[start + width + parent];
                let at = start + 2 * parent;
                if 2 * parent + 1 < width {
                    [ids[at], ids[at + 1]] = self.pairs.get(id & !PAIR);
                } else {
                    ids[at] = id;
                }
            }
        }
    }
}

/// Makes a vector equal to another one; mostly they have the same length.
#[inline]
fn copy(from: &[u32], to: &mut Vec<u32>) {
    if to.len() != from.len() {
        to.resize(from.len(), 0);
    }
    to.copy_from_slice(from);
}

/// How many words go into a leaf, and how many leaves there are, for a state of
/// some length. The last leaf has room for the length. Very short states have
/// smaller leaves, so that these too are combinations of parts.
#[inline]
fn shape(length: usize) -> (usize, usize) {
    let width = if length < LEAF { LEAF / 2 } else { LEAF };
    (width, length / width + 1)
}

/// The last leaf: what is left of the words, and their number.
#[inline]
fn last_leaf(rest: &[u32], length: usize) -> [u32; LEAF] {
    let mut leaf = [0; LEAF];
    for (to, &from) in leaf.iter_mut().zip(rest) {
        *to = from;
    }
    leaf[LEAF - 1] = length as u32;
    leaf
}

/// The number of nodes of a tree, without its root.
fn nodes(leaves: usize) -> usize {
    let (mut total, mut width) = (leaves, leaves);
    while width > 2 {
        width = width.div_ceil(2);
        total += width;
    }
    total
}

/// The pair at the top.
#[inline]
fn root(ids: &[u32]) -> u64 {
    match *ids {
        [.., left, right] => join(left, right),
        [only] => join(only, NOTHING),
        [] => join(NOTHING, NOTHING),
    }
}
