//! What is met in a state: its classes, threads and objects, with the references among them.

use std::sync::Arc;

use raddle_jvm::form::Form;
use raddle_jvm::heap::Ref;
use raddle_jvm::pages::Pages;
use raddle_jvm::state::State;

/// How many objects lie together.
const LEAF: usize = 8;

/// One of the nodes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    /// All classes that have changed.
    Classes,
    Thread(u32),
    Object(Ref),
}

/// What is known of a node.
#[derive(Clone, Debug, Default)]
pub(super) struct Entry {
    /// The number of the least path to it; zero if it was not met.
    pub(super) path: u32,
    /// How many references to it there are in what was met.
    pub(super) count: u32,
    /// Who meets it first.
    pub(super) owner: u32,
    /// The number of its part.
    pub(super) part: u32,
    /// What it holds, with the references that were followed.
    pub(super) form: Option<Arc<Form>>,
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

    pub(super) fn is_thread_met(&self, index: usize) -> bool {
        self.threads.get(index).is_some_and(Entry::is_met)
    }

    pub(super) fn freeze(&mut self) {
        self.objects.freeze();
    }

    /// Whether all nodes have the same paths and as many references to them: for checking.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        let objects = 0..self.objects.len().max(other.objects.len());
        let nodes = objects.map(|at| Node::Object(Ref(at as u32)));
        let threads = 0..self.threads.len().max(other.threads.len());
        let nodes = nodes.chain(threads.map(|at| Node::Thread(at as u32)));
        let known = |graph: &Self, node| {
            let entry = graph.get(node);
            entry.map_or((0, 0), |entry| (entry.path, entry.count))
        };
        nodes
            .chain([Node::Classes])
            .all(|node| known(self, node) == known(other, node))
    }
}
