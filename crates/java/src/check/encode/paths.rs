//! Ways to objects, which are their names.
//!
//! A path begins at a root: the classes, an object of the beginning that was written since, or a
//! thread. It goes on by the labels of references. Equal paths have equal numbers, in all states.
//!
//! An object is named by the least path to it. Paths are in an order in which none comes before
//! its beginnings, and two paths stay in their order when both go on by the same label. So
//! the least path to an object goes on from the least path to another one. What all threads can reach comes first, and
//! then each thread's frames, the lowest first: a call or return renames nothing that was there
//! before. Then shorter paths come first, and of equally long ones that with the smaller labels.

use std::cmp::Ordering;

use raddle_jvm::heap::Ref;

use crate::check::forms::frame_of;
use crate::check::numbers::{Numbers, Recent};

/// More threads than this have the same rank.
const MOST_RANKED: u32 = 1 << 15;

/// The rank of what only old values lead to.
const OLD: u32 = u32::MAX;

/// The last step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The number of the path before it; zero for a root.
    pub(super) parent: u32,
    pub(super) label: u32,
    rank: u32,
    depth: u32,
}

impl Step {
    /// All classes that have changed, as one root.
    pub(super) const CLASSES: Self = Self::root(0, 0);

    const fn root(label: u32, rank: u32) -> Self {
        Self {
            parent: 0,
            label,
            rank,
            depth: 0,
        }
    }

    /// An object of the beginning.
    pub(super) fn first(object: Ref) -> Self {
        Self::root(object.0, 0)
    }

    /// What only old values lead to, which comes last.
    pub(super) fn old(count: u32) -> Self {
        Self::root(count, OLD)
    }

    pub(super) fn thread(index: u32) -> Self {
        Self::root(
            index,
            1 + index.min(MOST_RANKED - 1) * (u32::MAX / MOST_RANKED),
        )
    }

    /// The path goes on; `number` is that of what is before.
    pub(super) fn then(self, number: u32, label: u32) -> Self {
        let is_thread = self.depth == 0 && self.rank != 0 && self.rank != OLD;
        let rank = match (is_thread, label) {
            // A thread's own `Thread` is met by all.
            (true, 0) => 0,
            (true, _) => self.rank + frame_of(label),
            (false, _) => self.rank,
        };
        Self {
            parent: number,
            label,
            rank,
            depth: self.depth + 1,
        }
    }

    /// What comes first in the order.
    pub(super) fn level(self) -> (u32, u32) {
        (self.rank, self.depth)
    }
}

/// Gives numbers to paths.
#[derive(Default)]
pub(super) struct Paths(Numbers);

impl Paths {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The number of a path; zero if there is none left.
    pub(super) fn number(&self, recent: &mut Recent, step: Step) -> u32 {
        let words = [step.parent, step.label, step.rank, step.depth];
        self.0.number(recent, &words)
    }

    /// The last step of a path that has a number.
    #[inline]
    pub(super) fn step(&self, number: u32) -> Option<Step> {
        let &[parent, label, rank, depth] = self.0.words(number) else {
            return None;
        };
        Some(Step {
            parent,
            label,
            rank,
            depth,
        })
    }

    /// Which of two paths comes first.
    pub(super) fn compare(&self, mut left: Step, mut right: Step) -> Ordering {
        loop {
            let order = left.level().cmp(&right.level());
            if order.is_ne() {
                return order;
            }
            if left.parent == right.parent {
                return left.label.cmp(&right.label);
            }
            let (Some(before_left), Some(before_right)) =
                (self.step(left.parent), self.step(right.parent))
            else {
                return left.parent.cmp(&right.parent);
            };
            (left, right) = (before_left, before_right);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_can_reach_comes_first_then_threads_then_their_frames_then_short_paths() {
        let (paths, mut recent) = (Paths::default(), Recent::default());
        let mut number = |step| paths.number(&mut recent, step);
        let thread = |index| Step::thread(index);
        let [classes, first, zero, one] =
            [Step::CLASSES, Step::first(Ref(7)), thread(0), thread(1)];
        let [n_classes, n_first, n_zero, n_one] = [classes, first, zero, one].map(&mut number);
        let ascending = [
            classes.then(n_classes, 5),
            first.then(n_first, 0),
            first.then(n_first, 1),
            zero.then(n_zero, 0),
            one.then(n_one, 0),
            zero.then(n_zero, 1),
            zero.then(n_zero, 2),
            zero.then(n_zero, 1 << 16),
            zero.then(n_zero, 2 << 16),
            one.then(n_one, 1),
        ];
        for pair in ascending.windows(2) {
            assert_eq!(paths.compare(pair[0], pair[1]), Ordering::Less, "{pair:?}");
            assert_eq!(paths.compare(pair[1], pair[0]), Ordering::Greater);
            // Both go on.
            let [left, right] = [pair[0], pair[1]].map(|step| step.then(number(step), 3));
            assert_eq!(paths.compare(left, right), Ordering::Less, "{pair:?}");
        }
        let long = ascending[0].then(number(ascending[0]), 0);
        assert_eq!(paths.compare(ascending[4], long), Ordering::Less);
        assert_eq!(paths.compare(long, ascending[5]), Ordering::Less);
        assert_eq!(paths.compare(long, long), Ordering::Equal);
    }

    #[test]
    fn threads_and_frames_beyond_the_last_rank_are_in_order() {
        let many = Step::thread(u32::MAX - 1);
        assert!(many.then(1, u32::MAX).level() < Step::old(0).level());
        assert!(Step::thread(3).then(1, u32::MAX).level() < Step::thread(4).level());
    }
}
