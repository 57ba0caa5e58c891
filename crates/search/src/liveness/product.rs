//! The product of a system and an automaton, searched for a component with a circle that counts.
//!
//! The search is depth-first. The states on the way that may still turn out to be in one component
//! with a later one are *live*; their components so far are on a stack, each with what is known of
//! all circles in it together ([`Summary`]). A step back to a live state makes one component of all
//! those from there on, and as soon as that has everything that a circle needs, there is one.

use super::lasso::{self, Component};
use super::parts;
use super::states::{Node, States};
use crate::Survey;
use crate::book::{Book, Ending};
use crate::examine::Examiner;
use foldhash::fast::FixedState;
use raddle_model::{
    Fairness, Halt, Letter, Move, Properties, Property, Reason, Schedule, StopFlag, System,
    TemporalProperty, Unmet, Violation,
};
use raddle_temporal::{Automaton, Transition};
use std::collections::HashMap;

/// A bit for each thread.
pub(super) type Threads = u128;

/// What is said if there are too many of them.
const TOO_MANY_THREADS: &str = "fairness is checked for at most 128 threads";

/// A state of the product: the number of that of the system, and that of the automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) number: u64,
    pub(super) place: u32,
}

/// The place in the order of those whose components are complete and have no circle that counts.
const DEAD: u32 = u32::MAX;

/// A search for an execution that an automaton accepts.
pub(super) struct Product<'a, S: System> {
    pub(super) states: States<'a, S>,
    pub(super) property: usize,
    pub(super) automaton: &'a Automaton,
    stop: StopFlag,
    examiner: Examiner,
    moves: Vec<Move>,
    found: Vec<Property>,
    /// When a state was met, in the order of the search.
    order: HashMap<Key, u32, FixedState>,
    /// The states of components that are not complete.
    live: Vec<Key>,
    roots: Vec<Root>,
    next: u32,
    is_reported: bool,
}

/// What all circles of a component have together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summary {
    /// The accepting sets that are met.
    pub(super) sets: u32,
    /// The threads that move.
    pub(super) moved: Threads,
    /// The threads that can move in all states.
    pub(super) always: Threads,
    /// The threads that can move in some state.
    pub(super) sometimes: Threads,
}

impl Summary {
    /// Of nothing but a state.
    pub(super) fn of_state(enabled: Threads) -> Summary {
        Summary {
            sets: 0,
            moved: 0,
            always: enabled,
            sometimes: enabled,
        }
    }

    pub(super) fn add(&mut self, other: Summary) {
        self.sets |= other.sets;
        self.moved |= other.moved;
        self.always &= other.always;
        self.sometimes |= other.sometimes;
    }

    pub(super) fn add_edge(&mut self, edge: Edge) {
        self.sets |= edge.sets;
        self.moved |= edge.mover;
    }

    /// The threads that are passed over.
    pub(super) fn passed_over(&self, fairness: Fairness) -> Threads {
        let waits = match fairness {
            Fairness::None => 0,
            Fairness::Weak => self.always,
            Fairness::Strong => self.sometimes,
        };
        waits & !self.moved
    }

    /// Whether nothing is missing.
    pub(super) fn is_enough(&self, sets: u32, fairness: Fairness) -> bool {
        self.sets == sets && self.passed_over(fairness) == 0
    }
}

/// What a step of the product has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) sets: u32,
    pub(super) mover: Threads,
}

/// A component so far.
struct Root {
    /// When its first state was met.
    order: u32,
    summary: Summary,
    /// The step that led to its first state.
    entering: Edge,
}

/// A step of the product that is still to be made.
#[derive(Clone, Copy)]
struct Candidate {
    /// The step of the system; none if the state stays as it is.
    step: Option<Move>,
    target: Key,
    edge: Edge,
}

/// A state on the path.
struct Frame<T> {
    node: Node<T>,
    place: u32,
    order: u32,
    /// The step that led to it.
    step: Option<Move>,
    /// Where its candidates begin.
    first: usize,
}

impl<'a, S: System> Product<'a, S> {
    pub(super) fn new(
        system: &'a S,
        property: usize,
        automaton: &'a Automaton,
        stop: StopFlag,
    ) -> Self {
        Product {
            states: States::new(system),
            property,
            automaton,
            stop,
            examiner: Examiner::default(),
            moves: Vec::new(),
            found: Vec::new(),
            order: HashMap::default(),
            live: Vec::new(),
            roots: Vec::new(),
            next: 0,
            is_reported: false,
        }
    }

    pub(super) fn stated(&self) -> &'a TemporalProperty {
        &self.states.system.temporal_properties()[self.property]
    }

    /// Looks at everything, or stops at the first execution that is accepted.
    pub(super) fn search(mut self, mut book: Book<'_>) -> Survey {
        if !self.automaton.states.is_empty()
            && let Some(initial) = book.initial(self.states.system)
        {
            let mut path = Path::default();
            if let Err(halt) = self.follow(initial, &mut path, &mut book) {
                // Such a halt is none of the program's.
                let _ = book.halted(halt);
            }
        }
        if self.examiner.is_cut {
            book.excuse(Reason::GaveUp("a step has too many choices".into()));
        }
        // It cannot go on later.
        if book.ending() == Ending::Paused {
            book.excuse(Reason::Interrupted);
        }
        let bytes = self.bytes();
        book.close(bytes, bytes)
    }

    /// Searches, until it cannot be said what is true in a state.
    fn follow(
        &mut self,
        initial: S::State,
        path: &mut Path<S::State>,
        book: &mut Book<'_>,
    ) -> Result<(), Halt> {
        let mut node = Node::new(initial.clone());
        let Some(number) = self.states.number(None, &mut node) else {
            book.stop(Reason::Memory);
            return Ok(());
        };
        self.states.settle(&mut node);
        let mut spare = Node::new(initial);
        let key = Key { number, place: 0 };
        let nothing = Edge { sets: 0, mover: 0 };
        path.enter(&mut node, None);
        let mut is_found = self.arrive(key, nothing, path, &mut spare, book)?;
        while !book.is_stopped() && !is_found && !self.is_reported {
            if book.is_due() {
                let bytes = self.bytes() + path.bytes();
                book.pulse(path.depth as u64, path.depth as u64, bytes);
            }
            let Some(candidate) = path.next() else {
                self.complete(path, book)?;
                if !path.leave() {
                    break;
                }
                continue;
            };
            match self.order.get(&candidate.target) {
                Some(&DEAD) => {}
                Some(&order) => is_found = self.meet(order, candidate.edge),
                None => {
                    if self.recover(path.node(), candidate, &mut spare, book) {
                        path.enter(&mut spare, candidate.step);
                        let Candidate { target, edge, .. } = candidate;
                        is_found = self.arrive(target, edge, path, &mut spare, book)?;
                    }
                }
            }
        }
        if is_found && !path.is_empty() {
            let first = self.roots.last().map_or(0, |root| root.order);
            let start = self.live_from(first);
            let component = self.live[start..].iter().copied().collect();
            self.report(&component, path, book);
        }
        Ok(())
    }

    /// Tells of a component with a circle that counts.
    fn report(&mut self, component: &Component, path: &Path<S::State>, book: &mut Book<'_>) {
        self.is_reported = true;
        // The states of the path that are in the component are its last ones.
        let is_in = |frame: &Frame<S::State>| {
            let place = frame.place;
            let key = frame.node.number.map(|number| Key { number, place });
            key.is_some_and(|key| component.contains(&key))
        };
        let mut frames = path.frames[..path.depth].iter();
        let depth = frames.position(is_in).unwrap_or(path.depth - 1);
        let known = lasso::Stem {
            schedule: path.schedule_to(depth),
            state: path.frames[depth].node.state.clone(),
            place: path.frames[depth].place,
        };
        let most = book.statistics.transitions * 2 + 10_000;
        let (schedule, repeats_from) = match lasso::find(self, component, known, most) {
            Ok(found) => found,
            Err(halt) => return book.not_again(Some(halt)),
        };
        let stated = self.stated();
        let unmet = Unmet {
            property: self.property,
            name: stated.name.clone(),
            fairness: stated.fairness,
            place: stated.place,
            repeats_from,
        };
        let violation = Violation {
            property: Property::Temporal(unmet),
            schedule,
        };
        let steps = violation.schedule.len() as u64;
        book.report(violation.property, steps, || violation.schedule);
    }

    /// Goes on from a state that was not met before and is on top of the path. Tells whether a circle
    /// that counts was found.
    fn arrive(
        &mut self,
        key: Key,
        entering: Edge,
        path: &mut Path<S::State>,
        spare: &mut Node<S::State>,
        book: &mut Book<'_>,
    ) -> Result<bool, Halt> {
        let order = self.next;
        if order == DEAD - 1 || !book.count_state() {
            book.stop(Reason::States);
            return Ok(false);
        }
        self.next += 1;
        book.statistics.depth = book.statistics.depth.max(path.depth as u64 - 1);
        self.order.insert(key, order);
        self.live.push(key);
        let mut moves = std::mem::take(&mut self.moves);
        let view = self.look(&path.node().state, &mut moves);
        let (enabled, letter) = match view {
            Ok(view) => view,
            Err(halt) => {
                self.moves = moves;
                return Err(halt);
            }
        };
        self.roots.push(Root {
            order,
            summary: Summary::of_state(enabled),
            entering,
        });
        path.place(key.place, order);
        let readable = || transitions(self.automaton, key.place, letter);
        let is_over = readable().next().is_none();
        let is_found = if is_over {
            false
        } else if moves.is_empty() {
            // Nothing moves any more: it stays like this.
            let edges = readable().map(|it| {
                (
                    Edge {
                        sets: it.sets,
                        mover: 0,
                    },
                    it.target,
                )
            });
            self.look_ahead(None, key.number, edges, path)
        } else {
            let mut is_found = false;
            for &step in moves.iter() {
                book.statistics.transitions += 1;
                let number = match self.states.advance(path.node(), Some(step), spare) {
                    Ok(Some(number)) => number,
                    Ok(None) => {
                        book.stop(Reason::Memory);
                        break;
                    }
                    // A fault is the business of the search for faults.
                    Err(halt) => {
                        let _ = book.halted(halt);
                        continue;
                    }
                };
                let mover = mover(step);
                let edges = readable().map(|it| {
                    (
                        Edge {
                            sets: it.sets,
                            mover,
                        },
                        it.target,
                    )
                });
                is_found |= self.look_ahead(Some(step), number, edges, path);
                if is_found {
                    break;
                }
            }
            is_found
        };
        self.moves = moves;
        Ok(is_found)
    }

    /// Looks where a step leads: what is new is still to be visited.
    fn look_ahead(
        &mut self,
        step: Option<Move>,
        number: u64,
        edges: impl Iterator<Item = (Edge, u32)>,
        path: &mut Path<S::State>,
    ) -> bool {
        let mut is_found = false;
        for (edge, place) in edges {
            let target = Key { number, place };
            match self.order.get(&target) {
                Some(&DEAD) => {}
                Some(&order) => is_found |= self.meet(order, edge),
                None => path.candidates.push(Candidate { step, target, edge }),
            }
        }
        is_found
    }

    /// A step leads back to a live state: all from there on are one component. Tells whether there
    /// is a circle in it that counts.
    fn meet(&mut self, order: u32, edge: Edge) -> bool {
        let Some(mut last) = self.roots.pop() else {
            return false;
        };
        while last.order > order {
            let Some(before) = self.roots.pop() else {
                break;
            };
            let Root {
                summary, entering, ..
            } = last;
            last = before;
            last.summary.add(summary);
            last.summary.add_edge(entering);
        }
        last.summary.add_edge(edge);
        let is_found = last
            .summary
            .is_enough(self.automaton.sets, self.stated().fairness);
        self.roots.push(last);
        is_found
    }

    /// All steps from the last state of the path were made. If its component is complete, a part of
    /// it may still have a circle that is strongly fair.
    fn complete(&mut self, path: &Path<S::State>, book: &mut Book<'_>) -> Result<(), Halt> {
        let frame = &path.frames[path.depth - 1];
        let is_first = |root: &mut Root| root.order == frame.order;
        let Some(root) = self.roots.pop_if(is_first) else {
            return Ok(());
        };
        let first = self.live_from(root.order);
        let is_strong = self.stated().fairness == Fairness::Strong;
        if is_strong && root.summary.sets == self.automaton.sets && root.summary.moved != 0 {
            let members = self.live[first..].iter().copied().collect();
            let found = parts::strongly_fair(self, &frame.node.state, frame.place, &members)?;
            if let Some(part) = found {
                self.report(&part, path, book);
            }
        }
        for key in self.live.drain(first..) {
            self.order.insert(key, DEAD);
        }
        Ok(())
    }

    /// Where the live states begin that were met from some time on.
    fn live_from(&self, order: u32) -> usize {
        let is_before = |key: &Key| self.order.get(key).is_some_and(|&it| it < order);
        self.live.partition_point(is_before)
    }

    /// What can be done in a state, and what is true there.
    pub(super) fn look(
        &mut self,
        state: &S::State,
        moves: &mut Vec<Move>,
    ) -> Result<(Threads, Letter), Halt> {
        if let Some(reason) = self.stop.reason() {
            return Err(Halt::Stopped(reason));
        }
        if self.stop.room() == 0 {
            return Err(Halt::Stopped(Reason::Memory));
        }
        moves.clear();
        let nothing = &Properties::NONE;
        self.examiner
            .examine(self.states.system, state, nothing, moves, &mut self.found);
        if self.states.system.threads(state) > Threads::BITS as usize
            && self.stated().fairness != Fairness::None
        {
            return Err(Halt::GaveUp(TOO_MANY_THREADS.to_owned()));
        }
        let enabled = moves.iter().fold(0, |all, &step| all | mover(step));
        let letter = self
            .states
            .system
            .letter(state, self.property)
            .map_err(|fault| {
                let name = &self.stated().name;
                Halt::GaveUp(format!(
                    "`{name}` has no value in a state: {}",
                    fault.message
                ))
            })?;
        Ok((enabled, letter))
    }

    /// Puts the state to which a step is known to lead into `to`: it may be there, the store may
    /// have it, or the step is made once more.
    fn recover(
        &mut self,
        from: &Node<S::State>,
        candidate: Candidate,
        to: &mut Node<S::State>,
        book: &mut Book<'_>,
    ) -> bool {
        let number = candidate.target.number;
        if to.number == Some(number) {
            self.states.settle(to);
            return true;
        }
        if self.states.system.decodes() {
            self.states.restore(number, to);
            return true;
        }
        match self.states.advance(from, candidate.step, to) {
            Ok(_) => self.states.settle(to),
            Err(halt) => book.not_again(Some(halt)),
        }
        !book.is_stopped()
    }

    fn bytes(&self) -> u64 {
        let entries = self.order.capacity() * (size_of::<(Key, u32)>() + 1);
        let lists = self.live.capacity() * size_of::<Key>();
        self.states.bytes() + (entries + lists) as u64
    }
}

/// The transitions of a state of an automaton that read a letter.
pub(super) fn transitions(
    automaton: &Automaton,
    place: u32,
    letter: Letter,
) -> impl Iterator<Item = &Transition> {
    let all = automaton.states[place as usize].iter();
    all.filter(move |it| it.reads(letter))
}

/// The bit of the thread that moves; none of those beyond the last bit, which only count where
/// fairness does.
pub(super) fn mover(step: Move) -> Threads {
    1u128.checked_shl(step.thread.0).unwrap_or(0)
}

/// The states from the initial one to the one at hand. Frames behind it are kept for their memory.
struct Path<T> {
    frames: Vec<Frame<T>>,
    depth: usize,
    candidates: Vec<Candidate>,
}

impl<T> Default for Path<T> {
    fn default() -> Self {
        Path {
            frames: Vec::new(),
            depth: 0,
            candidates: Vec::new(),
        }
    }
}

impl<T: Clone> Path<T> {
    fn is_empty(&self) -> bool {
        self.depth == 0
    }

    /// Takes a state over from `node`, which gets another one in exchange.
    fn enter(&mut self, node: &mut Node<T>, step: Option<Move>) {
        let first = self.candidates.len();
        if self.depth == self.frames.len() {
            self.frames.push(Frame {
                node: Node::new(node.state.clone()),
                place: 0,
                order: 0,
                step: None,
                first: 0,
            });
        }
        let frame = &mut self.frames[self.depth];
        std::mem::swap(&mut frame.node, node);
        frame.first = first;
        frame.step = step;
        self.depth += 1;
    }

    fn place(&mut self, place: u32, order: u32) {
        let frame = &mut self.frames[self.depth - 1];
        frame.place = place;
        frame.order = order;
    }

    fn node(&self) -> &Node<T> {
        &self.frames[self.depth - 1].node
    }

    /// The next step from the last state.
    fn next(&mut self) -> Option<Candidate> {
        let first = self.frames[self.depth - 1].first;
        match self.candidates.len() > first {
            true => self.candidates.pop(),
            false => None,
        }
    }

    fn leave(&mut self) -> bool {
        self.depth -= 1;
        self.depth > 0
    }

    /// The steps to the state at some depth.
    fn schedule_to(&self, depth: usize) -> Schedule {
        let frames = self.frames[..=depth].iter();
        frames.filter_map(|frame| frame.step).collect()
    }

    fn bytes(&self) -> u64 {
        let candidates = self.candidates.capacity() * size_of::<Candidate>();
        let of = |it: &Frame<T>| it.node.bytes() + size_of::<Frame<T>>();
        let frame = self.frames.first().map_or(0, of);
        (candidates + self.frames.len() * frame) as u64
    }
}
