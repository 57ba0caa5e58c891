//! A vector in two levels of pages that copies share until one of them writes.
//!
//! A page is either owned, and then written in place without any counting, or shared. A
//! copy of a vector whose pages are all shared ([`Pages::freeze`]) costs one reference per
//! thousand elements; the first write to a page afterwards copies that page.

use std::sync::Arc;

const BITS: u32 = 5;
const WIDTH: usize = 1 << BITS;
const MASK: usize = WIDTH - 1;

/// A value that is owned, or shared until it is written, or not there.
#[derive(Debug, Default)]
pub(crate) enum Shared<T> {
    #[default]
    Absent,
    Owned(Box<T>),
    Frozen(Arc<T>),
}

impl<T: Clone> Clone for Shared<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Absent => Self::Absent,
            Self::Owned(value) => Self::Owned(value.clone()),
            Self::Frozen(value) => Self::Frozen(Arc::clone(value)),
        }
    }
}

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Self {
        Self::Owned(Box::new(value))
    }

    #[inline]
    pub(crate) fn get(&self) -> Option<&T> {
        match self {
            Self::Owned(value) => Some(value),
            Self::Frozen(value) => Some(value),
            Self::Absent => None,
        }
    }

    /// Makes the value shared, after `freeze_content` has seen it if it was owned.
    pub(crate) fn freeze(&mut self, freeze_content: impl FnOnce(&mut T)) {
        if let Self::Owned(_) = self
            && let Self::Owned(mut value) = std::mem::take(self)
        {
            freeze_content(&mut value);
            *self = Self::Frozen(Arc::from(value));
        }
    }
}

impl<T: Clone> Shared<T> {
    #[inline]
    pub(crate) fn get_mut(&mut self) -> Option<&mut T> {
        if let Self::Frozen(value) = self {
            *self = Self::Owned(Box::new(T::clone(value)));
        }
        match self {
            Self::Owned(value) => Some(value),
            _ => None,
        }
    }
}

type Leaf<T> = [T; WIDTH];
type Branch<T> = [Shared<Leaf<T>>; WIDTH];

/// See the module's documentation.
#[derive(Debug, Clone)]
pub(crate) struct Pages<T> {
    root: Vec<Shared<Branch<T>>>,
    length: usize,
}

impl<T: Clone + Default> Pages<T> {
    pub(crate) fn new() -> Self {
        Self {
            root: Vec::new(),
            length: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        let branch = self.root.get(index >> (2 * BITS))?.get()?;
        Some(&branch[(index >> BITS) & MASK].get()?[index & MASK])
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        let branch = self.root.get_mut(index >> (2 * BITS))?.get_mut()?;
        Some(&mut branch[(index >> BITS) & MASK].get_mut()?[index & MASK])
    }

    pub(crate) fn push(&mut self, value: T) -> usize {
        let index = self.length;
        if index >> (2 * BITS) == self.root.len() {
            self.root
                .push(Shared::new(std::array::from_fn(|_| Shared::Absent)));
        }
        if index & MASK == 0
            && let Some(branch) = self.root.last_mut().and_then(Shared::get_mut)
        {
            branch[(index >> BITS) & MASK] = Shared::new(std::array::from_fn(|_| T::default()));
        }
        self.length += 1;
        if let Some(place) = self.get_mut(index) {
            *place = value;
        }
        index
    }

    /// The element at `index`, after growing the vector so that there is one.
    pub(crate) fn at_mut(&mut self, index: usize) -> &mut T {
        while self.length <= index {
            self.push(T::default());
        }
        match self.get_mut(index) {
            Some(place) => place,
            None => unreachable!("it has just been pushed"),
        }
    }

    /// Makes all pages shared, so that copies are cheap. `freeze_content` sees the elements
    /// of the pages that were written since the last time.
    pub(crate) fn freeze(&mut self, mut freeze_content: impl FnMut(&mut T)) {
        for branch in &mut self.root {
            branch.freeze(|leaves| {
                for leaf in leaves.iter_mut() {
                    leaf.freeze(|items| items.iter_mut().for_each(&mut freeze_content));
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_does_not_see_what_is_written_later() {
        let mut pages: Pages<u32> = Pages::new();
        for value in 0..5000 {
            assert_eq!(pages.push(value), value as usize);
        }
        pages.freeze(|_| {});
        let copy = pages.clone();
        *pages.at_mut(4321) = 7;
        *pages.at_mut(0) = 8;
        pages.push(9);
        assert_eq!(
            (copy.get(4321), copy.get(0), copy.len()),
            (Some(&4321), Some(&0), 5000)
        );
        assert_eq!(
            (pages.get(4321), pages.get(0), pages.get(5000)),
            (Some(&7), Some(&8), Some(&9))
        );
        assert_eq!(pages.get(1), copy.get(1));
    }

    #[test]
    fn a_copy_of_what_is_not_frozen_is_a_copy_too() {
        let mut pages: Pages<u32> = Pages::new();
        pages.push(1);
        let copy = pages.clone();
        *pages.at_mut(0) = 2;
        assert_eq!((copy.get(0), pages.get(0)), (Some(&1), Some(&2)));
    }

    #[test]
    fn pages_that_nobody_wrote_stay_shared() {
        let mut pages: Pages<u32> = Pages::new();
        for value in 0..2000 {
            pages.push(value);
        }
        pages.freeze(|_| {});
        let mut copy = pages.clone();
        *copy.at_mut(3) = 1;
        let (Shared::Frozen(left), Shared::Frozen(right)) = (&pages.root[1], &copy.root[1]) else {
            panic!("the second thousand was not written");
        };
        assert!(Arc::ptr_eq(left, right));
    }
}
