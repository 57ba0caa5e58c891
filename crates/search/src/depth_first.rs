//! Depth-first search with the path on an explicit stack, by one worker or several.
//!
//! Each worker has a path of its own, and all of them share the store: whoever meets a state
//! first explores it. To somebody who has nothing to do a worker gives the steps that are
//! still to be made from the first state of its path that has some: far from where it works
//! itself, and where most is likely to be left. What leads there goes with it, so that every
//! worker knows the schedule of the state at hand.

use crate::Frontier;
use crate::explore::{Arrival, Candidate, Explorer, Node};
use crate::pool::{Pool, Turns};
use crate::sleep::{Sleepers, Visit};
use crate::snapshot::{Reader, Writer};
use crate::stores::Store;
use crate::sync::{AtomicU64, Ordering};
use raddle_model::{Move, Property, Schedule, System, Thread};
use std::io;

/// The paths that are still to be gone.
pub(crate) struct DepthFirst<T> {
    branches: Pool<Branch<T>>,
    /// The memory of all paths.
    bytes: AtomicU64,
}

/// A state from which steps are still to be made.
struct Branch<T> {
    /// How it was reached.
    schedule: Schedule,
    state: T,
    /// The steps, the first one last; all that can be made, if it was not looked at yet.
    candidates: Option<Vec<Candidate>>,
    /// Who sleeps there.
    asleep: Sleepers,
    /// The states after it on a path that was interrupted: how each of them is reached from
    /// the one before, the steps still to be made from it, and who sleeps there.
    path: Vec<(Move, Vec<Candidate>, Sleepers)>,
}

impl<T> DepthFirst<T> {
    pub(crate) fn new() -> Self {
        DepthFirst {
            branches: Pool::new(Turns::First),
            bytes: AtomicU64::new(0),
        }
    }
}

impl<S: System> Frontier<S> for DepthFirst<S::State> {
    fn begin<V: Store>(&self, _: &mut Explorer<'_, S, V>, root: Node<S::State>) {
        self.branches.give(Branch {
            schedule: Schedule::new(),
            state: root.state,
            candidates: None,
            asleep: Sleepers::default(),
            path: Vec::new(),
        });
    }

    fn work<V: Store>(&self, explorer: &mut Explorer<'_, S, V>, any: S::State) {
        let mut worker = self.branches.worker();
        let mut path = Path::new(explorer.system, Node::new(any));
        let mut bytes = 0;
        while let Some(branch) = worker.take() {
            path.begin(explorer, branch);
            self.follow(explorer, &mut path, &mut bytes);
            if explorer.book.is_stopped() {
                self.branches.stop();
            }
            if let Some(rest) = path.rest() {
                self.branches.put_back(rest);
            }
            explorer.store.rest();
        }
    }

    fn resume(&self) {
        self.bytes.store(0, Ordering::Relaxed);
        self.branches.resume();
    }

    fn move_over<V: Store, W: Store>(&self, _: &mut V, _: &mut W) -> io::Result<()> {
        self.branches.look(|branches, _| {
            for branch in branches {
                let rest = branch
                    .path
                    .iter_mut()
                    .flat_map(|(_, candidates, _)| candidates);
                let first = branch.candidates.iter_mut().flatten();
                first.chain(rest).for_each(Candidate::forget);
            }
        });
        Ok(())
    }

    fn write(&self, system: &S, out: &mut Writer<'_>) -> io::Result<()> {
        self.branches.look(|branches, _| {
            out.number(branches.len() as u64)?;
            let mut branches = branches.iter();
            branches.try_for_each(|branch| branch.write(system, out))
        })
    }

    fn read(&self, system: &S, any: &S::State, input: &mut Reader<'_>) -> io::Result<()> {
        for _ in 0..input.number()? {
            self.branches.give(Branch::read(system, any, input)?);
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}

impl<T: Clone> Branch<T> {
    fn write<S: System<State = T>>(&self, system: &S, out: &mut Writer<'_>) -> io::Result<()> {
        write_steps(out, self.schedule.iter())?;
        out.words(system.encode(&self.state, &mut Vec::new()))?;
        let write = |candidates: &[Candidate], out: &mut Writer<'_>| {
            write_steps(out, candidates.iter().map(|candidate| &candidate.step))
        };
        out.number(self.candidates.is_some().into())?;
        if let Some(candidates) = &self.candidates {
            write(candidates, out)?;
        }
        out.number(self.asleep.0)?;
        write_steps(out, self.path.iter().map(|(step, ..)| step))?;
        let mut path = self.path.iter();
        path.try_for_each(|(_, candidates, asleep)| {
            write(candidates, out)?;
            out.number(asleep.0)
        })
    }

    fn read<S: System<State = T>>(
        system: &S,
        any: &T,
        input: &mut Reader<'_>,
    ) -> io::Result<Branch<T>> {
        let schedule = read_steps(input)?;
        let mut state = any.clone();
        system.decode(&input.words()?, &mut state);
        let read = |input: &mut Reader<'_>| -> io::Result<Vec<Candidate>> {
            Ok(read_steps(input)?.into_iter().map(Candidate::new).collect())
        };
        let candidates = match input.number()? {
            0 => None,
            _ => Some(read(input)?),
        };
        let asleep = Sleepers(input.number()?);
        let steps = read_steps(input)?.into_iter();
        let path = steps.map(|step| Ok((step, read(input)?, Sleepers(input.number()?))));
        Ok(Branch {
            path: path.collect::<io::Result<_>>()?,
            schedule,
            state,
            candidates,
            asleep,
        })
    }
}

fn write_steps<'a>(
    out: &mut Writer<'_>,
    steps: impl ExactSizeIterator<Item = &'a Move>,
) -> io::Result<()> {
    let number = |step: &Move| u64::from(step.thread.0) << 32 | u64::from(step.choice);
    out.numbers(steps.len(), steps.map(number))
}

fn read_steps(input: &mut Reader<'_>) -> io::Result<Vec<Move>> {
    let mut steps = Vec::new();
    input.numbers(|number| {
        steps.push(Move {
            thread: Thread((number >> 32) as u32),
            choice: number as u32,
        });
    })?;
    Ok(steps)
}

impl<T> DepthFirst<T> {
    /// Makes all steps from the states of a path, and from those that they lead to.
    /// `bytes` is what the path needed when it was last told.
    fn follow<S: System<State = T>, V: Store>(
        &self,
        explorer: &mut Explorer<'_, S, V>,
        path: &mut Path<S>,
        bytes: &mut u64,
    ) {
        while !explorer.book.is_stopped() {
            if self.branches.calls() && self.answer(path) {
                break;
            }
            let Some(candidate) = path.next_candidate() else {
                explorer.leave(path.current());
                match path.retreat() {
                    true => continue,
                    false => break,
                }
            };
            let step = candidate.step;
            let (from, to) = path.ends();
            match explorer.advance(&from.node, &mut from.visit, candidate, to) {
                Arrival::New | Arrival::Again => {
                    path.schedule.push(step);
                    path.expand(explorer);
                }
                Arrival::Known | Arrival::Nowhere => {}
                Arrival::Failed(fault) => {
                    let steps = path.depth() + 1;
                    explorer
                        .book
                        .report(Property::Fault(fault), steps, || path.schedule_with(step));
                }
            }
            if explorer.book.is_due() {
                let depth = path.depth();
                let all = self.account(path, bytes);
                explorer.pulse(depth, depth + 1, all);
            }
        }
        self.account(path, bytes);
    }

    /// Gives somebody something to do; tells whether to stop instead.
    #[cold]
    fn answer<S: System<State = T>>(&self, path: &mut Path<S>) -> bool {
        if self.branches.is_stopped() {
            return true;
        }
        if let Some(branch) = path.split() {
            self.branches.give(branch);
        }
        false
    }

    /// The memory of all paths, given that of one of them.
    fn account<S: System<State = T>>(&self, path: &Path<S>, told: &mut u64) -> u64 {
        let bytes = path.bytes();
        let change = bytes.wrapping_sub(*told);
        *told = bytes;
        let before = self.bytes.fetch_add(change, Ordering::Relaxed);
        before.wrapping_add(change)
    }
}

/// The states from the one where a worker began to the current one.
///
/// The frames behind the current one are kept for their memory: once the search
/// has been as deep as it gets, it allocates nothing.
struct Path<S: System> {
    /// How the first state was reached.
    prefix: Schedule,
    frames: Vec<Frame<S>>,
    /// The steps from each frame to the next: its length is the current depth.
    schedule: Schedule,
    /// The steps still to be made from each of the frames, one after the other;
    /// those of a frame in reverse order.
    candidates: Vec<Candidate>,
    /// So many of them were given away.
    given: usize,
    frame_bytes: u64,
}

struct Frame<S: System> {
    node: Node<S::State>,
    /// Where the candidates of this frame begin.
    first: usize,
    visit: Visit,
}

impl<S: System> Frame<S> {
    fn new(node: Node<S::State>) -> Frame<S> {
        Frame {
            node,
            first: 0,
            visit: Visit::default(),
        }
    }
}

impl<S: System> Path<S> {
    fn new(system: &S, any: Node<S::State>) -> Path<S> {
        Path {
            prefix: Schedule::new(),
            frame_bytes: any.bytes(system),
            frames: vec![Frame::new(any)],
            schedule: Schedule::new(),
            candidates: Vec::new(),
            given: 0,
        }
    }

    /// Goes to where a branch begins.
    fn begin<V: Store>(&mut self, explorer: &mut Explorer<'_, S, V>, branch: Branch<S::State>) {
        self.prefix = branch.schedule;
        self.schedule.clear();
        self.candidates.clear();
        self.given = 0;
        explorer.enter(&branch.state, &mut self.frames[0].node);
        match branch.candidates {
            Some(candidates) => {
                self.deepen(explorer.system);
                self.frames[0].first = 0;
                self.frames[0].visit = Visit::new(branch.asleep);
                self.candidates = candidates;
            }
            None => self.expand(explorer),
        }
        for (step, candidates, asleep) in branch.path {
            let (from, to) = self.ends();
            if !explorer.repeat(&from.node, step, to) {
                return;
            }
            self.schedule.push(step);
            self.deepen(explorer.system);
            let frame = &mut self.frames[self.schedule.len()];
            frame.first = self.candidates.len();
            frame.visit = Visit::new(asleep);
            self.candidates.extend(candidates);
        }
    }

    /// What is still to be done from the states of the path, if anything is.
    fn rest(&self) -> Option<Branch<S::State>> {
        if self.candidates.len() == self.given {
            return None;
        }
        let frames = &self.frames[..=self.schedule.len()];
        let ends = frames.iter().skip(1).map(|frame| frame.first);
        let ends = ends.chain([self.candidates.len()]);
        let mut left = frames.iter().zip(ends).map(|(frame, end)| {
            let candidates = self.candidates[frame.first..end].to_vec();
            (candidates, frame.visit.asleep())
        });
        let (candidates, asleep) = left.next()?;
        let path = self.schedule.iter().zip(left);
        Some(Branch {
            schedule: self.prefix.clone(),
            state: frames[0].node.state.clone(),
            candidates: Some(candidates),
            asleep,
            path: path
                .map(|(&step, (candidates, asleep))| (step, candidates, asleep))
                .collect(),
        })
    }

    /// Parts with the candidates of the first state that has some, unless that would leave
    /// nothing.
    fn split(&mut self) -> Option<Branch<S::State>> {
        let left = self.candidates.len() - self.given;
        if left < 2 {
            return None;
        }
        let frames = &self.frames[..=self.schedule.len()];
        // Frames without candidates begin where the next one does.
        let owner = frames.partition_point(|frame| frame.first <= self.given) - 1;
        let end = match frames.get(owner + 1) {
            Some(next) => next.first,
            // The next one to be tried stays.
            None => self.given + left / 2,
        };
        // Whatever stays here comes before what is given away.
        let mut asleep = frames[owner].visit.asleep();
        if owner == self.schedule.len() {
            let kept = &self.candidates[end..];
            kept.iter().for_each(|it| asleep.add(it.step.thread));
        }
        let branch = Branch {
            schedule: [&self.prefix[..], &self.schedule[..owner]].concat(),
            state: frames[owner].node.state.clone(),
            candidates: Some(self.candidates[self.given..end].to_vec()),
            asleep,
            path: Vec::new(),
        };
        self.given = end;
        for frame in &mut self.frames[..=owner] {
            frame.first = end;
        }
        Some(branch)
    }

    /// Lists the steps to be made from the current state.
    #[inline]
    fn expand<V: Store>(&mut self, explorer: &mut Explorer<'_, S, V>) {
        let depth = self.schedule.len();
        self.deepen(explorer.system);
        let steps = self.depth();
        let (before, after) = self.frames.split_at_mut(depth + 1);
        let (from, to) = (&mut before[depth], &mut after[0].node);
        from.first = self.candidates.len();
        let schedule = || [&self.prefix[..], &self.schedule].concat();
        from.visit = explorer.expand(&from.node, to, steps, &mut self.candidates, schedule);
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

    /// The current state.
    #[inline]
    fn current(&self) -> &Node<S::State> {
        &self.frames[self.schedule.len()].node
    }

    /// The current state, and room for the one after it.
    #[inline]
    fn ends(&mut self) -> (&mut Frame<S>, &mut Node<S::State>) {
        let depth = self.schedule.len();
        let (before, after) = self.frames.split_at_mut(depth + 1);
        (&mut before[depth], &mut after[0].node)
    }

    /// Goes back to the state before; tells whether there is one.
    #[inline]
    fn retreat(&mut self) -> bool {
        self.schedule.pop().is_some()
    }

    /// Makes room for the state after the current one.
    #[inline]
    fn deepen(&mut self, system: &S) {
        if self.frames.len() == self.schedule.len() + 1 {
            self.add_frame(system);
        }
    }

    #[cold]
    fn add_frame(&mut self, system: &S) {
        let last = &self.frames[self.frames.len() - 1].node;
        self.frame_bytes += last.bytes(system);
        let node = Node::new(last.state.clone());
        self.frames.push(Frame::new(node));
    }

    /// How many steps lead to the current state.
    fn depth(&self) -> u64 {
        (self.prefix.len() + self.schedule.len()) as u64
    }

    fn schedule_with(&self, step: Move) -> Schedule {
        [&self.prefix[..], &self.schedule, &[step]].concat()
    }

    fn bytes(&self) -> u64 {
        let frames = self.frames.capacity() * size_of::<Frame<S>>();
        let candidates = self.candidates.capacity() * size_of::<Candidate>();
        let schedule = (self.prefix.capacity() + self.schedule.capacity()) * size_of::<Move>();
        self.frame_bytes + (frames + candidates + schedule) as u64
    }
}
