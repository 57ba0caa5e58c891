//! States by number, for searches that come back to them.

use crate::stores::{Origin, Store, Trail, Tree};
use raddle_model::{Halt, Move, System};

/// The states of a system that were met.
pub(super) struct States<'a, S: System> {
    pub(super) system: &'a S,
    store: Tree,
    words: Vec<u32>,
    /// Whether a state's own memory is its canonical form.
    is_own_form: bool,
}

/// A state of the system, with what is needed to compare its successors with it.
pub(super) struct Node<T> {
    pub(super) state: T,
    /// The canonical form, if the state's own memory is not; otherwise empty.
    words: Vec<u32>,
    trail: Trail,
    /// Its number, if that is known.
    pub(super) number: Option<u64>,
}

impl<T> Node<T> {
    pub(super) fn new(state: T) -> Node<T> {
        Node {
            state,
            words: Vec::new(),
            trail: Trail::default(),
            number: None,
        }
    }

    /// How many bytes it takes beside the state.
    pub(super) fn bytes(&self) -> usize {
        4 * (self.words.capacity() + 3 * self.trail.ids.capacity())
    }
}

impl<T: Clone> Node<T> {
    /// The same once more, to be kept.
    pub(super) fn another(&self) -> Node<T> {
        Node {
            state: self.state.clone(),
            words: self.words.clone(),
            trail: Trail::default(),
            number: self.number,
        }
    }
}

impl<'a, S: System> States<'a, S> {
    /// None yet.
    pub(super) fn new(system: &'a S) -> Self {
        States {
            system,
            store: Tree::default(),
            words: Vec::new(),
            is_own_form: false,
        }
    }

    /// The number of a state; `None` if there is no room for it.
    pub(super) fn number(
        &mut self,
        from: Option<&Node<S::State>>,
        to: &mut Node<S::State>,
    ) -> Option<u64> {
        to.words.clear();
        let words = self.system.encode(&to.state, &mut to.words);
        let mut unused = Vec::new();
        // What was put aside has no trail.
        let origin = from.filter(|from| !from.trail.ids.is_empty());
        let origin = origin.map(|from| Origin {
            words: match from.words.is_empty() {
                true => self.system.encode(&from.state, &mut unused),
                false => &from.words,
            },
            trail: &from.trail,
        });
        let number = self.store.number(words, origin, &mut to.trail)?;
        to.number = Some(number);
        self.is_own_form = to.words.is_empty();
        Some(number)
    }

    /// Goes over to the canonical state.
    pub(super) fn settle(&self, node: &mut Node<S::State>) {
        if !node.words.is_empty() {
            self.system.decode(&node.words, &mut node.state);
        }
    }

    /// Puts a state that the store has into `to`, if the system makes states of their forms.
    pub(super) fn restore(&mut self, number: u64, to: &mut Node<S::State>) {
        self.store.restore(number, &mut self.words, &mut to.trail);
        self.system.decode(&self.words, &mut to.state);
        to.words.clear();
        if !self.is_own_form {
            to.words.extend_from_slice(&self.words);
        }
        to.number = Some(number);
    }

    /// What has to be kept of a state that is numbered to come back to it.
    pub(super) fn keep(&self, node: &Node<S::State>) -> Option<Node<S::State>> {
        (!self.system.decodes()).then(|| node.another())
    }

    /// Comes back to a state.
    pub(super) fn come_back(
        &mut self,
        number: u64,
        kept: Option<&Node<S::State>>,
        to: &mut Node<S::State>,
    ) {
        match kept {
            Some(kept) => *to = kept.another(),
            None => self.restore(number, to),
        }
    }

    /// Makes a step, or none, to a state that has no number yet.
    pub(super) fn step(
        &self,
        from: &Node<S::State>,
        step: Option<Move>,
        to: &mut Node<S::State>,
    ) -> Result<(), Halt> {
        to.number = None;
        to.state.clone_from(&from.state);
        match step {
            Some(step) => self.system.step(&mut to.state, step.thread, step.choice),
            None => Ok(()),
        }
    }

    /// Makes a step, or none; tells the number of the state that it leads to, if there is room for
    /// it.
    pub(super) fn advance(
        &mut self,
        from: &Node<S::State>,
        step: Option<Move>,
        to: &mut Node<S::State>,
    ) -> Result<Option<u64>, Halt> {
        self.step(from, step, to)?;
        Ok(self.number(Some(from), to))
    }

    pub(super) fn bytes(&self) -> u64 {
        self.store.bytes()
    }
}
