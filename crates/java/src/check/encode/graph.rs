//! What is met in a state: its classes, threads and objects, with the references among them.

use std::sync::Arc;

use raddle_jvm::form::Form;
use raddle_jvm::heap::Ref;
use raddle_jvm::pages::{Pages, share_from};
use raddle_jvm::state::State;

/// How many objects lie together.
const LEAF: usize = 8;

/// The codes of threads go down from here, as far as there. There is no memory for so many objects.
const THREADS: u32 = u32::MAX - 1;
const FIRST_THREAD: u32 = u32::MAX - (1 << 24);

/// One of the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// All classes that have changed.
    Classes,
    Thread(u32),
    Object(Ref),
}

impl Node {
    /// A number of its own, which is not zero.
    fn code(self) -> u32 {
        match self {
            Self::Object(object) => object.0,
            Self::Classes => u32::MAX,
            Self::Thread(index) => THREADS - index,
        }
    }

    fn of_code(code: u32) -> Self {
        match code {
            u32::MAX => Self::Classes,
            FIRST_THREAD..=THREADS => Self::Thread(THREADS - code),
            _ => Self::Object(Ref(code)),
        }
    }
}

/// Those who refer to a node, one for each reference. Most have one.
#[derive(Clone, Debug, Default)]
pub(super) struct Referrers {
    /// Zero for none.
    first: u32,
    others: Option<Arc<Vec<u32>>>,
}

impl Referrers {
    pub(super) fn add(&mut self, node: Node) {
        match self.first {
            0 => self.first = node.code(),
            _ => Arc::make_mut(self.others.get_or_insert_default()).push(node.code()),
        }
    }

    /// Takes one away. False if it is not there.
    pub(super) fn remove(&mut self, node: Node) -> bool {
        let code = node.code();
        let Some(others) = &mut self.others else {
            let is_there = self.first == code;
            self.first = if is_there { 0 } else { self.first };
            return is_there;
        };
        if self.first != code {
            let Some(place) = others.iter().position(|&it| it == code) else {
                return false;
            };
            Arc::make_mut(others).swap_remove(place);
        } else if let Some(other) = Arc::make_mut(others).pop() {
            self.first = other;
        }
        if others.is_empty() {
            self.others = None;
        }
        true
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Node> + '_ {
        let others = self.others.iter().flat_map(|others| others.iter().copied());
        let first = (self.first != 0).then_some(self.first);
        first.into_iter().chain(others).map(Node::of_code)
    }
}

/// What is known of a node.
#[derive(Debug, Default)]
pub(super) struct Entry {
    /// The number of the least path to it; zero if it was not met.
    pub(super) path: u32,
    /// Who refers to it, of all that was met.
    pub(super) referrers: Referrers,
    /// Who meets it first.
    pub(super) owner: u32,
    /// Whether it counts as a thread's own, and the references that were followed: as its form was when they
    /// changed last.
    pub(super) form: Option<Arc<Form>>,
    /// Whether something may be claimed of it, or for it as a lock.
    pub(super) is_claimed: bool,
}

impl Clone for Entry {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Self) {
        self.path = other.path;
        self.owner = other.owner;
        self.is_claimed = other.is_claimed;
        self.referrers.first = other.referrers.first;
        share(&mut self.referrers.others, &other.referrers.others);
        share(&mut self.form, &other.form);
    }
}

/// Makes one reference the same as another one, without counting if it is already.
fn share<T>(mine: &mut Option<Arc<T>>, theirs: &Option<Arc<T>>) {
    match (&mut *mine, theirs) {
        (None, None) => {}
        (Some(mine), Some(theirs)) => share_from(mine, theirs),
        _ => mine.clone_from(theirs),
    }
}

impl Entry {
    pub(super) fn is_met(&self) -> bool {
        self.path != 0
    }

    pub(super) fn references(&self) -> &[(u32, Ref)] {
        self.form.as_ref().map_or(&[], |form| &form.references)
    }
}

/// All nodes of a state. Copies share what they have in common.
#[derive(Debug, Default)]
pub(super) struct Graph {
    classes: Entry,
    threads: Vec<Entry>,
    objects: Pages<Entry, LEAF>,
    /// How many of the objects are roots.
    pub(super) roots: usize,
}

impl Clone for Graph {
    fn clone(&self) -> Self {
        Self {
            classes: self.classes.clone(),
            threads: self.threads.clone(),
            objects: self.objects.clone(),
            roots: self.roots,
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.classes.clone_from(&other.classes);
        self.threads.clone_from(&other.threads);
        self.objects.clone_from(&other.objects);
        self.roots = other.roots;
    }
}

impl Graph {
    pub(super) fn get(&self, node: Node) -> Option<&Entry> {
        match node {
            Node::Classes => Some(&self.classes),
            Node::Thread(index) => self.threads.get(index as usize),
            Node::Object(object) => self.object(object),
        }
    }

    pub(super) fn get_mut(&mut self, node: Node) -> &mut Entry {
        match node {
            Node::Classes => &mut self.classes,
            Node::Thread(index) => {
                let index = index as usize;
                if self.threads.len() <= index {
                    self.threads.resize_with(index + 1, Entry::default);
                }
                &mut self.threads[index]
            }
            Node::Object(object) => self.object_mut(object),
        }
    }

    #[inline]
    pub(super) fn object(&self, object: Ref) -> Option<&Entry> {
        self.objects.get(object.0 as usize)
    }

    #[inline]
    pub(super) fn object_mut(&mut self, object: Ref) -> &mut Entry {
        self.objects.sparse_mut(object.0 as usize)
    }

    /// The path to an object; zero if it was not met.
    #[inline]
    pub(super) fn path(&self, object: Ref) -> u32 {
        self.object(object).map_or(0, |entry| entry.path)
    }

    /// A number by which an object is known in all states, if it was met: paths count downwards, and
    /// objects of the beginning upwards.
    pub(super) fn name(&self, state: &State, object: Ref) -> Option<u32> {
        if object.is_null() || state.heap.is_first(object) {
            return Some(object.0);
        }
        match self.path(object) {
            0 => None,
            path => Some(u32::MAX - path),
        }
    }

    /// Notes that claims are about an object. Those of the beginning have the same names for ever.
    pub(super) fn note_claimed(&mut self, state: &State, object: Ref) {
        let is_noted = state.heap.is_first(object)
            || self.object(object).is_some_and(|entry| entry.is_claimed);
        if !is_noted {
            self.object_mut(object).is_claimed = true;
        }
    }

    /// Whether claims are about an object.
    pub(super) fn is_claimed(&self, object: Ref) -> bool {
        self.object(object).is_some_and(|entry| entry.is_claimed)
    }

    pub(super) fn is_thread_met(&self, index: usize) -> bool {
        self.threads.get(index).is_some_and(Entry::is_met)
    }

    pub(super) fn freeze(&mut self) {
        self.objects.freeze();
    }

    /// Whether all nodes have the same paths and referrers: for checking.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        let objects = 0..self.objects.len().max(other.objects.len());
        let nodes = objects.map(|at| Node::Object(Ref(at as u32)));
        let threads = 0..self.threads.len().max(other.threads.len());
        let nodes = nodes.chain(threads.map(|at| Node::Thread(at as u32)));
        let known = |graph: &Self, node| {
            let entry = graph.get(node)?;
            let mut referrers: Vec<u32> = entry.referrers.iter().map(Node::code).collect();
            referrers.sort_unstable();
            let is_known = entry.is_met() || !referrers.is_empty();
            is_known.then_some((entry.path, referrers))
        };
        let mut nodes = nodes.chain([Node::Classes]);
        nodes.all(|node| known(self, node) == known(other, node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn referrers_are_as_many_as_references() {
        let mut referrers = Referrers::default();
        let nodes = [
            Node::Object(Ref(7)),
            Node::Classes,
            Node::Thread(0),
            Node::Object(Ref(7)),
            Node::Thread(3),
        ];
        nodes.into_iter().for_each(|node| referrers.add(node));
        let copy = referrers.clone();
        assert!(copy.iter().eq(nodes));
        for (node, left) in [(nodes[0], 4), (nodes[3], 3), (nodes[1], 2), (nodes[4], 1)] {
            assert!(referrers.remove(node));
            assert_eq!(referrers.iter().count(), left);
        }
        assert!(!referrers.remove(nodes[0]) && !referrers.remove(nodes[4]));
        assert!(referrers.iter().eq([Node::Thread(0)]));
        assert!(referrers.remove(Node::Thread(0)) && !referrers.remove(Node::Thread(0)));
        assert_eq!(copy.iter().count(), 5);
    }
}
