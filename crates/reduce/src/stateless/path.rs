//! The states of the path of a stateless search, and what their threads would do next.

use super::plan::{Plan, Plans, Threads};
use super::tree::Stage;
use crate::dpor::Clock;
use raddle_model::{Footprint, Move, System, Thread};
use std::cell::OnceCell;
use std::rc::Rc;

/// A state of the path, and what is tried in it.
pub(super) struct Node<T> {
    pub(super) checkpoint: Option<T>,
    /// Its canonical form with the hash of it.
    pub(super) words: Vec<u32>,
    pub(super) hash: u64,
    /// The node before with the same hash.
    pub(super) namesake: Option<usize>,
    /// What each thread would do next.
    pub(super) next: Vec<Next>,
    pub(super) plans: Plans,
    /// Who is being tried, and which of its choices comes next.
    pub(super) trying: Option<Move>,
    /// Who sleeps meanwhile.
    pub(super) asleep: Threads,
}

/// What a thread would do next.
#[derive(Clone, Default)]
pub(super) struct Next {
    /// In how many ways; none if it waits or has finished.
    pub(super) choices: u32,
    /// Once somebody asks: where nobody sleeps, nobody does.
    pub(super) footprint: OnceCell<Rc<Footprint>>,
    /// What happens before it because of its own thread; and in all. Only for races.
    pub(super) own: Rc<Clock>,
    pub(super) past: Rc<Clock>,
}

impl Next {
    /// What it touches in the state at hand.
    pub(super) fn footprint<S: System>(
        &self,
        system: &S,
        state: &S::State,
        thread: Thread,
    ) -> &Rc<Footprint> {
        self.footprint.get_or_init(|| {
            let mut footprint = Footprint::default();
            system.footprint(state, thread, &mut footprint);
            Rc::new(footprint)
        })
    }
}

impl<T> Default for Node<T> {
    fn default() -> Self {
        Node {
            checkpoint: None,
            words: Vec::new(),
            hash: 0,
            namesake: None,
            next: Vec::new(),
            plans: Plans::default(),
            trying: None,
            asleep: Threads::default(),
        }
    }
}

impl<T> Node<T> {
    /// The next choice of the thread that is being tried, if there is one.
    pub(super) fn next_choice(&self) -> Option<Move> {
        let is_left = |step: &Move| step.choice < self.next[step.thread.index()].choices;
        self.trying.filter(is_left)
    }

    /// What others have to know of it; also who is being tried, if they are to go on with that.
    pub(super) fn stage(&mut self, with_trying: bool) -> Stage {
        let trying = self.next_choice().filter(|_| with_trying);
        Stage {
            trying: trying.map(|step| (step, self.asleep.clone())),
            plan: self.plans.share(),
            hash: self.hash,
        }
    }

    /// About the memory that it needs. A state is taken to be as large as its form.
    pub(super) fn bytes(&self) -> u64 {
        let form = self.words.len() * size_of::<u32>();
        let next = self.next.len() * size_of::<Next>();
        (size_of::<Self>() + 2 * form + next) as u64
    }
}

/// A node with the words of a state, in the memory of one that is not needed any more.
pub(super) fn spare<T>(spares: &mut Vec<Node<T>>, bytes: &mut u64, words: &[u32]) -> Node<T> {
    let mut node = spares.pop().unwrap_or_default();
    *bytes = bytes.saturating_sub(node.bytes());
    node.words.clear();
    node.words.extend_from_slice(words);
    node
}

/// Chooses those of some threads that can move.
pub(super) fn choose(plan: &mut Plan, next: &[Next], threads: &[Thread]) {
    let can_move = threads.iter().filter(|it| next[it.index()].choices > 0);
    can_move.for_each(|&thread| plan.chosen.insert(thread));
}

pub(super) fn choose_first(plan: &mut Plan, next: &[Next]) {
    let first = ready(next).find(|&thread| !plan.asleep.contains(thread));
    first
        .into_iter()
        .for_each(|thread| plan.chosen.insert(thread));
}

pub(super) fn choose_all(plan: &mut Plan, next: &[Next]) {
    ready(next).for_each(|thread| plan.chosen.insert(thread));
}

/// The threads that can move.
fn ready(next: &[Next]) -> impl Iterator<Item = Thread> {
    let can_move = next.iter().zip(0..).filter(|(next, _)| next.choices > 0);
    can_move.map(|(_, index)| Thread(index))
}

/// Whether a state with these words is on the path, given the last node with its hash.
pub(super) fn is_on_path<T>(path: &[Node<T>], mut index: Option<usize>, words: &[u32]) -> bool {
    while let Some(at) = index {
        if path[at].words == words {
            return true;
        }
        index = path[at].namesake;
    }
    false
}
