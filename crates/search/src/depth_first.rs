//! Depth-first search with the path on an explicit stack.

use crate::explore::{Arrival, Candidate, Explorer, Node};
use crate::stores::Store;
use raddle_model::{Move, Property, Schedule, System};

/// Visits every state, following each execution to its end first. Returns the
/// bytes that it needed besides the store.
pub(crate) fn search<S: System, V: Store>(explorer: &mut Explorer<'_, S, V>) -> u64 {
    let Some(root) = explorer.root() else {
        return 0;
    };
    let mut path = Path::new(explorer.system, root);
    path.expand(explorer);
    while !explorer.book.is_stopped() {
        let Some(candidate) = path.next_candidate() else {
            match path.retreat() {
                true => continue,
                false => break,
            }
        };
        let (from, to) = path.ends();
        let step = candidate.step;
        match explorer.advance(from, candidate, to) {
            Arrival::New => {
                path.schedule.push(step);
                path.expand(explorer);
            }
            Arrival::Nowhere => {}
            Arrival::Failed(fault) => {
                let steps = path.schedule.len() as u64 + 1;
                explorer
                    .book
                    .report(Property::Fault(fault), steps, || path.schedule_with(step));
            }
        }
        if explorer.book.is_due() {
            let depth = path.schedule.len() as u64;
            let bytes = explorer.store.bytes() + path.bytes();
            explorer.book.pulse(depth, depth + 1, bytes);
        }
    }
    path.bytes()
}

/// The states from the initial one to the current one.
///
/// The frames behind the current one are kept for their memory: once the search
/// has been as deep as it gets, it allocates nothing.
struct Path<S: System> {
    frames: Vec<Frame<S>>,
    /// The steps from each frame to the next: its length is the current depth.
    schedule: Schedule,
    /// The steps still to be made from each of the frames, one after the other;
    /// those of a frame in reverse order.
    candidates: Vec<Candidate>,
    frame_bytes: u64,
}

struct Frame<S: System> {
    node: Node<S::State>,
    /// Where the candidates of this frame begin.
    first: usize,
}

impl<S: System> Path<S> {
    fn new(system: &S, root: Node<S::State>) -> Path<S> {
        Path {
            frame_bytes: root.bytes(system),
            frames: vec![Frame {
                node: root,
                first: 0,
            }],
            schedule: Schedule::new(),
            candidates: Vec::new(),
        }
    }

    /// Lists the steps to be made from the current state.
    #[inline]
    fn expand<V: Store>(&mut self, explorer: &mut Explorer<'_, S, V>) {
        let depth = self.schedule.len();
        if self.frames.len() == depth + 1 {
            self.deepen(explorer.system);
        }
        let (before, after) = self.frames.split_at_mut(depth + 1);
        let (from, to) = (&mut before[depth], &mut after[0].node);
        from.first = self.candidates.len();
        let schedule = || self.schedule.clone();
        explorer.expand(&from.node, to, depth as u64, &mut self.candidates, schedule);
    }

    /// Takes the next step to be made from the current state.
    #[inline]
    fn next_candidate(&mut self) -> Option<Candidate> {
        let first = self.frames[self.schedule.len()].first;
        match self.candidates.len() > first {
            true => self.candidates.pop(),
            false => None,
        }
    }

    /// The current state, and room for the one after it.
    #[inline]
    fn ends(&mut self) -> (&Node<S::State>, &mut Node<S::State>) {
        let depth = self.schedule.len();
        let (before, after) = self.frames.split_at_mut(depth + 1);
        (&before[depth].node, &mut after[0].node)
    }

    /// Goes back to the state before; tells whether there is one.
    #[inline]
    fn retreat(&mut self) -> bool {
        self.schedule.pop().is_some()
    }

    #[cold]
    fn deepen(&mut self, system: &S) {
        let last = &self.frames[self.frames.len() - 1].node;
        self.frame_bytes += last.bytes(system);
        let node = Node::new(last.state.clone());
        self.frames.push(Frame { node, first: 0 });
    }

    fn schedule_with(&self, step: Move) -> Schedule {
        let mut schedule = self.schedule.clone();
        schedule.push(step);
        schedule
    }

    fn bytes(&self) -> u64 {
        let frames = self.frames.capacity() * size_of::<Frame<S>>();
        let candidates = self.candidates.capacity() * size_of::<Candidate>();
        let schedule = self.schedule.capacity() * size_of::<Move>();
        self.frame_bytes + (frames + candidates + schedule) as u64
    }
}
