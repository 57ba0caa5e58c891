//! A vector in two levels of pages that copies share until one of them writes.
//!
//! A page is either owned, and then written in place without any counting, or shared
//! ([`Pages::freeze`]). The first write to a shared page copies it. Copying a vector over one
//! that is mostly the same touches only what is not: shared pages are compared by their
//! address, owned ones element by element.

use std::sync::Arc;

/// How many leaves a branch has.
const WIDTH: usize = 32;

/// A value that is owned, or shared until it is written, or not there.
#[derive(Debug, Default)]
pub enum Shared<T> {
    /// Nothing.
    #[default]
    Absent,
    /// One that nobody else has.
    Owned(Box<T>),
    /// One that others may have, too.
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

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Self::Frozen(mine), Self::Frozen(theirs)) => share_from(mine, theirs),
            (Self::Owned(mine), Self::Owned(theirs)) => mine.clone_from(theirs),
            (Self::Absent, Self::Absent) => {}
            _ => *self = other.clone(),
        }
    }
}

/// Makes one reference the same as another one, without counting if it is already.
#[inline]
pub fn share_from<T: ?Sized>(mine: &mut Arc<T>, theirs: &Arc<T>) {
    if !Arc::ptr_eq(mine, theirs) {
        *mine = Arc::clone(theirs);
    }
}

/// Whether two values are one, or both not there.
pub(crate) fn is_one<T>(mine: Option<&Shared<T>>, theirs: Option<&Shared<T>>) -> bool {
    match (mine, theirs) {
        (Some(Shared::Frozen(mine)), Some(Shared::Frozen(theirs))) => Arc::ptr_eq(mine, theirs),
        (None | Some(Shared::Absent), None | Some(Shared::Absent)) => true,
        _ => false,
    }
}

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Self {
        Self::Owned(Box::new(value))
    }

    /// What is there.
    #[inline]
    pub fn get(&self) -> Option<&T> {
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

type Leaf<T, const LEAF: usize> = [T; LEAF];
type Branch<T, const LEAF: usize> = [Shared<Leaf<T, LEAF>>; WIDTH];

/// See the module's documentation. `LEAF` is how many elements a leaf has.
#[derive(Debug)]
pub struct Pages<T, const LEAF: usize = 32> {
    root: Vec<Shared<Branch<T, LEAF>>>,
    length: usize,
    /// How many leaves were written since all were shared, or more.
    owned: usize,
}

impl<T: Clone, const LEAF: usize> Clone for Pages<T, LEAF> {
    fn clone(&self) -> Self {
        Self {
            root: self.root.clone(),
            length: self.length,
            owned: self.owned,
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.root.clone_from(&other.root);
        self.length = other.length;
        self.owned = other.owned;
    }
}

impl<T: Clone + Default, const LEAF: usize> Default for Pages<T, LEAF> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Clone + Default, const LEAF: usize> Pages<T, LEAF> {
    /// No elements.
    pub fn new() -> Self {
        Self {
            root: Vec::new(),
            length: 0,
            owned: 0,
        }
    }

    /// How many leaves are owned, or more.
    pub(crate) fn owned(&self) -> usize {
        self.owned
    }

    /// One more than the largest index.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.length
    }

    /// An element.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&T> {
        let branch = self.root.get(index / (WIDTH * LEAF))?.get()?;
        Some(&branch[index / LEAF % WIDTH].get()?[index % LEAF])
    }

    /// An element, to be written.
    #[inline]
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        let branch = self.root.get_mut(index / (WIDTH * LEAF))?.get_mut()?;
        let leaf = &mut branch[index / LEAF % WIDTH];
        if let Shared::Frozen(_) = leaf {
            self.owned += 1;
        }
        Some(&mut leaf.get_mut()?[index % LEAF])
    }

    pub(crate) fn push(&mut self, value: T) -> usize {
        let index = self.length;
        if index / (WIDTH * LEAF) == self.root.len() {
            self.root
                .push(Shared::new(std::array::from_fn(|_| Shared::Absent)));
        }
        if index.is_multiple_of(LEAF)
            && let Some(branch) = self.root.last_mut().and_then(Shared::get_mut)
        {
            branch[index / LEAF % WIDTH] = Shared::new(std::array::from_fn(|_| T::default()));
            self.owned += 1;
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

    /// The element at `index`, as if there were one at every index: pages are made where somebody
    /// writes, and elsewhere nothing is there.
    pub fn sparse_mut(&mut self, index: usize) -> &mut T {
        let (branch, leaf) = (index / (WIDTH * LEAF), index / LEAF % WIDTH);
        if self.root.len() <= branch {
            self.root.resize_with(branch + 1, || Shared::Absent);
        }
        if let Shared::Absent = self.root[branch] {
            self.root[branch] = Shared::new(std::array::from_fn(|_| Shared::Absent));
        }
        if let Some(leaves) = self.root[branch].get_mut()
            && let Shared::Absent = leaves[leaf]
        {
            leaves[leaf] = Shared::new(std::array::from_fn(|_| T::default()));
            self.owned += 1;
        }
        self.length = self.length.max(index + 1);
        match self.get_mut(index) {
            Some(place) => place,
            None => unreachable!("its page has just been made"),
        }
    }

    /// The indices of elements that may differ from those of another vector. Pages that both
    /// share are not looked into.
    pub(crate) fn differing(&self, other: &Self) -> Vec<usize> {
        let mut found = Vec::new();
        for at in 0..self.root.len().max(other.root.len()) {
            let (mine, theirs) = (self.root.get(at), other.root.get(at));
            if is_one(mine, theirs) {
                continue;
            }
            let [mine, theirs] = [mine, theirs].map(|branch| branch.and_then(Shared::get));
            for leaf in 0..WIDTH {
                if !is_one(mine.map(|it| &it[leaf]), theirs.map(|it| &it[leaf])) {
                    let first = (at * WIDTH + leaf) * LEAF;
                    found.extend(first..first + LEAF);
                }
            }
        }
        found
    }

    /// Makes all pages shared, so that copies are cheap.
    pub fn freeze(&mut self) {
        if self.owned == 0 {
            return;
        }
        for branch in &mut self.root {
            branch.freeze(|leaves| leaves.iter_mut().for_each(|leaf| leaf.freeze(|_| {})));
        }
        self.owned = 0;
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
        pages.freeze();
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
    fn copying_over_another_vector_is_copying() {
        let mut pages: Pages<u32, 8> = Pages::new();
        for value in 0..5000 {
            pages.push(value);
        }
        pages.freeze();
        let mut other = pages.clone();
        // Pages that are shared, owned here, owned there, owned by both, and not there.
        *pages.at_mut(100) = 1;
        *other.at_mut(1000) = 2;
        *pages.at_mut(3000) = 3;
        *other.at_mut(3001) = 4;
        pages.push(5);
        for _ in 0..2 {
            let mut copy = other.clone();
            copy.clone_from(&pages);
            let same = |index| copy.get(index) == pages.get(index);
            assert!((0..=5000).all(same) && copy.len() == 5001);
            *copy.at_mut(3000) = 6;
            assert_eq!(pages.get(3000), Some(&3));
            std::mem::swap(&mut pages, &mut other);
            other.clone_from(&pages);
            assert_eq!(other.len(), 5000);
            pages.push(7);
            *pages.at_mut(3000) = 3;
        }
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
    fn pages_are_made_where_somebody_writes() {
        let mut pages: Pages<u32, 8> = Pages::default();
        for index in [70_000, 3, 4, 70_001, 300] {
            *pages.sparse_mut(index) = index as u32;
        }
        assert_eq!((pages.get(3), pages.get(5)), (Some(&3), Some(&0)));
        assert_eq!((pages.get(70_001), pages.get(20)), (Some(&70_001), None));
        assert!(matches!(pages.root[100], Shared::Absent));
        pages.freeze();
        let copy = pages.clone();
        *pages.sparse_mut(3) = 9;
        *pages.sparse_mut(1000) = 8;
        assert_eq!((copy.get(3), copy.get(1000)), (Some(&3), None));
        assert_eq!((pages.get(3), pages.get(1000)), (Some(&9), Some(&8)));
    }

    #[test]
    fn pages_that_nobody_wrote_stay_shared() {
        let mut pages: Pages<u32> = Pages::new();
        for value in 0..2000 {
            pages.push(value);
        }
        pages.freeze();
        let mut copy = pages.clone();
        *copy.at_mut(3) = 1;
        let (Shared::Frozen(left), Shared::Frozen(right)) = (&pages.root[1], &copy.root[1]) else {
            panic!("the second thousand was not written");
        };
        assert!(Arc::ptr_eq(left, right));
    }
}
