//! The core that the search orders share: it executes steps, asks the store
//! whether a state is new, checks what holds in it, and counts.
//!
//! A search order is a loop around [`Explorer::advance`], which makes one step,
//! and [`Explorer::expand`], which lists the steps that can be made next.

use crate::Survey;
use crate::book::{Book, Ending};
use crate::examine::Examiner;
use crate::select::{Selector, Unsettled};
use crate::sleep::{Meeting, SleepSets, Sleepers, Visit};
use crate::stores::{Origin, Store, Trail};
use raddle_model::{
    Fault, Footprint, Halt, Move, Properties, Property, Reason, Schedule, System, Thread,
};
use std::sync::atomic::Ordering;

/// A search in progress, whatever its order.
pub(crate) struct Explorer<'a, S: System, V: Store> {
    pub(crate) system: &'a S,
    pub(crate) store: V,
    pub(crate) book: Book<'a>,
    most_depth: u64,
    examiner: Examiner,
    /// The moves from the state at hand, the first one last.
    moves: Vec<Move>,
    /// Where they lead, as far as it is known.
    numbers: Vec<Option<u64>>,
    /// The words of a state that the store gave back.
    words: Vec<u32>,
    /// The step that was made last, if it is the next one to be made and the state it
    /// led to is still where it was put.
    ahead: Option<Move>,
    /// Who moves, unless everybody does.
    selection: Selection<'a, S>,
    /// Whether the successors of a state are looked up together. The steps of a
    /// system that has to build its canonical forms cost more than that saves.
    looks_ahead: bool,
    /// Whether a state's own memory is its canonical form.
    is_own_form: bool,
    found: Vec<Property>,
}

/// Who chooses the threads that move, and what has to be known for that.
pub(crate) enum Selection<'a, S> {
    All,
    Sets {
        selector: Box<dyn Selector<S>>,
        unsettled: &'a Unsettled,
    },
    Sleep {
        sets: &'a SleepSets,
        footprints: Box<[Footprint; 2]>,
    },
}

/// A step to be made from a state.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) step: Move,
    /// The number of the state to which it leads, if that was looked up.
    number: Option<u64>,
}

/// A state with what is needed to compare its successors with it.
pub(crate) struct Node<T> {
    pub(crate) state: T,
    /// The canonical form, if the state's own memory is not; otherwise empty.
    pub(crate) words: Vec<u32>,
    pub(crate) trail: Trail,
    /// Its number in the store.
    number: u64,
}

/// Why the state at hand may be expanded with a part of its steps.
enum Witness {
    /// One of them leads to this state, which is new.
    New(u64),
    /// One of them leads to a settled state.
    Settled,
}

/// Where a step led.
pub(crate) enum Arrival {
    /// To a state that was never met before.
    New,
    /// To a state that was met before.
    Known,
    /// To a state that was met before, and is to be expanded once more: somebody woke up.
    Again,
    /// To no state.
    Nowhere,
    /// To a fault.
    Failed(Fault),
}

impl<'a, S: System, V: Store> Explorer<'a, S, V> {
    /// A search that has not begun. `any` is a state of the system.
    pub(crate) fn new(
        system: &'a S,
        selection: Selection<'a, S>,
        book: Book<'a>,
        store: V,
        any: &S::State,
    ) -> Self {
        let mut scratch = Vec::new();
        system.encode(any, &mut scratch);
        // Who sleeps has to be known of every successor.
        let looks_ahead = scratch.is_empty() && !matches!(selection, Selection::Sleep { .. });
        Explorer {
            system,
            selection,
            store,
            most_depth: book.config.limits.depth.unwrap_or(u64::MAX),
            book,
            examiner: Examiner::default(),
            moves: Vec::new(),
            numbers: Vec::new(),
            words: Vec::new(),
            ahead: None,
            is_own_form: scratch.is_empty(),
            looks_ahead,
            found: Vec::new(),
        }
    }

    /// The initial state, stored.
    pub(crate) fn root(&mut self, initial: S::State) -> Option<Node<S::State>> {
        let mut node = Node::new(initial);
        let arrival = match self.number(None, &mut node) {
            Some(number) => self.arrive(number, &mut node, Sleepers::default()),
            None => self.full(),
        };
        matches!(arrival, Arrival::New).then_some(node)
    }

    /// Goes to a canonical state that was stored.
    pub(crate) fn enter(&mut self, state: &S::State, node: &mut Node<S::State>) {
        self.ahead = None;
        node.state.clone_from(state);
        // A store that had room for it has it still.
        let _ = self.number(None, node);
    }

    /// Goes to the first state of a queue; returns how many words of the queue it took. It is
    /// the state that was kept, if one was.
    pub(crate) fn load(
        &mut self,
        queue: &[u32],
        kept: Option<S::State>,
        node: &mut Node<S::State>,
    ) -> usize {
        self.ahead = None;
        let mut words = std::mem::take(&mut self.words);
        let used = self.store.load(queue, &mut words, &mut node.trail);
        match kept {
            Some(state) => node.state = state,
            None => self.system.decode(&words, &mut node.state),
        }
        node.words.clear();
        // Unless the state's own memory is its canonical form.
        if !self.is_own_form {
            node.words.extend_from_slice(&words);
        }
        self.words = words;
        if !matches!(self.selection, Selection::All) {
            // A store that had room for it has it still.
            let _ = self.number(None, node);
        }
        used
    }

    /// Makes a step once more whose state was stored. False if that does not succeed, which ends
    /// the search.
    pub(crate) fn repeat(
        &mut self,
        from: &Node<S::State>,
        step: Move,
        to: &mut Node<S::State>,
    ) -> bool {
        let halt = match self.step(from, step, to) {
            Ok(Some(number)) => {
                to.settle(self.system);
                if self.store.contains(number) {
                    return true;
                }
                None
            }
            Ok(None) => None,
            Err(halt) => Some(halt),
        };
        self.book.not_again(halt);
        false
    }

    /// Makes one step from one state to the next, and remembers the latter. Only
    /// after [`Arrival::New`] and [`Arrival::Again`] is there a state in `to`.
    #[inline]
    pub(crate) fn advance(
        &mut self,
        from: &Node<S::State>,
        visit: &mut Visit,
        candidate: Candidate,
        to: &mut Node<S::State>,
    ) -> Arrival {
        let asleep = self.fall_asleep(from, visit, candidate.step.thread);
        self.book.statistics.transitions += 1;
        let is_there = self.ahead.take() == Some(candidate.step);
        let Some(number) = candidate.number else {
            return match self.step(from, candidate.step, to) {
                Ok(Some(number)) => self.arrive(number, to, asleep),
                Ok(None) => self.full(),
                Err(halt) => self.halted(halt),
            };
        };
        let arrival = self.arrive(number, to, asleep);
        if !is_there && matches!(arrival, Arrival::New) {
            self.recover(from, candidate.step, number, to);
        }
        arrival
    }

    /// Puts the state to which a step is known to lead into `to`: from the store, if
    /// that has it, or else by making the step once more.
    #[inline]
    fn recover(&mut self, from: &Node<S::State>, step: Move, number: u64, to: &mut Node<S::State>) {
        let can_go_back = self.system.decodes();
        if can_go_back && self.store.restore(number, &mut self.words, &mut to.trail) {
            self.system.decode(&self.words, &mut to.state);
            to.number = number;
            to.words.clear();
            if !self.is_own_form {
                to.words.extend_from_slice(&self.words);
            }
        } else if let Err(halt) = self.step(from, step, to) {
            self.book.not_again(Some(halt));
        }
    }

    /// Adds the steps that are to be made from a state to `candidates`, the first one
    /// last, and checks what must hold in it. `schedule` is how it was reached. Returns its visit.
    ///
    /// What is in `to` afterwards is the business of the call of
    /// [`Explorer::advance`] that follows.
    #[inline]
    pub(crate) fn expand(
        &mut self,
        from: &Node<S::State>,
        to: &mut Node<S::State>,
        depth: u64,
        candidates: &mut Vec<Candidate>,
        schedule: impl Fn() -> Schedule,
    ) -> Visit {
        let (asleep, due) = match &self.selection {
            Selection::Sleep { sets, .. } => sets.visit(from.number),
            _ => (Sleepers::default(), None),
        };
        self.moves.clear();
        let (moves, found) = (&mut self.moves, &mut self.found);
        let properties = match due {
            Some(_) => &Properties::NONE,
            None => &self.book.config.properties,
        };
        let stutters = self
            .examiner
            .examine(self.system, &from.state, properties, moves, found);
        if due.is_none() {
            self.book.statistics.stutters += stutters;
        }
        self.book.statistics.depth = self.book.statistics.depth.max(depth);
        while let Some(property) = self.found.pop() {
            self.book.report(property, depth, &schedule);
        }
        if depth >= self.most_depth && !self.moves.is_empty() {
            self.moves.clear();
            self.book.excuse(Reason::Depth);
        }
        if matches!(self.selection, Selection::Sets { .. }) && self.select(from, to) {
            self.take_new(candidates);
        } else if self.looks_ahead && self.moves.len() > 1 && !self.book.is_stopped() {
            self.look_ahead(from, to, candidates);
        } else {
            let is_awake = |step: &&Move| match due {
                Some(due) => due.contains(step.thread),
                None => !asleep.contains(step.thread),
            };
            let awake = self.moves.iter().filter(is_awake).copied();
            candidates.extend(awake.map(Candidate::new));
        }
        Visit::new(asleep)
    }

    /// Leaves only the moves of a persistent set, if there is one with which the state may be
    /// expanded, and looks up where they lead. See `select.rs`.
    fn select(&mut self, from: &Node<S::State>, to: &mut Node<S::State>) -> bool {
        let selection = std::mem::replace(&mut self.selection, Selection::All);
        let Selection::Sets {
            mut selector,
            unsettled,
        } = selection
        else {
            return false;
        };
        let chosen = match self.moves.len() > 1 && !self.book.is_stopped() {
            true => selector.select(self.system, &from.state),
            false => None,
        };
        let witness = chosen.and_then(|threads| self.witness(from, to, threads, unsettled));
        let is_selected = witness.is_some();
        match witness {
            Some(Witness::New(number)) => unsettled.rely(from.number, number),
            Some(Witness::Settled) | None => unsettled.settle(from.number),
        }
        self.selection = Selection::Sets {
            selector,
            unsettled,
        };
        is_selected
    }

    /// Looks where the moves of some threads lead, and keeps only those moves, if the proviso
    /// is fulfilled.
    fn witness(
        &mut self,
        from: &Node<S::State>,
        to: &mut Node<S::State>,
        threads: &[Thread],
        unsettled: &Unsettled,
    ) -> Option<Witness> {
        let is_chosen = |step: &Move| threads.contains(&step.thread);
        self.numbers.clear();
        let mut witness = None;
        for index in 0..self.moves.len() {
            let step = self.moves[index];
            if !is_chosen(&step) {
                continue;
            }
            let Ok(Some(number)) = self.step(from, step, to) else {
                self.numbers.push(None);
                continue;
            };
            self.numbers.push(Some(number));
            if witness.is_none() || matches!(witness, Some(Witness::New(_))) {
                if unsettled.is_settled(&self.store, number) {
                    witness = Some(Witness::Settled);
                } else if witness.is_none() && !self.store.contains(number) {
                    witness = Some(Witness::New(number));
                }
            }
        }
        if witness.is_some() {
            let before = self.moves.len();
            self.moves.retain(is_chosen);
            let saved = (before - self.moves.len()) as u64;
            let left_out = &self.book.config.saved.left_out;
            left_out.fetch_add(saved, Ordering::Relaxed);
        }
        witness
    }

    /// A state is left: nothing is to be done from it any more.
    #[inline]
    pub(crate) fn leave(&mut self, node: &Node<S::State>) {
        if let Selection::Sets { unsettled, .. } = &self.selection {
            unsettled.is_settled(&self.store, node.number);
        }
    }

    /// Who sleeps after the step of a thread that is tried now.
    #[inline]
    fn fall_asleep(
        &mut self,
        from: &Node<S::State>,
        visit: &mut Visit,
        thread: Thread,
    ) -> Sleepers {
        let Selection::Sleep { footprints, .. } = &mut self.selection else {
            return Sleepers::default();
        };
        let asleep = visit.attempt(thread);
        asleep.after(self.system, &from.state, thread, footprints)
    }

    /// Adds the moves that do not lead to known states to `candidates`.
    ///
    /// In a large table nearly every lookup waits for memory, which takes longer
    /// than all the rest of a step. Looking up all successors of a state at once
    /// lets these waits overlap. Of those that are new, the last one, which is the
    /// next one to be visited, is left in `to`; the others are recovered when it is
    /// their turn.
    #[inline]
    fn look_ahead(
        &mut self,
        from: &Node<S::State>,
        to: &mut Node<S::State>,
        candidates: &mut Vec<Candidate>,
    ) {
        self.numbers.clear();
        for index in 0..self.moves.len() {
            let number = self.step(from, self.moves[index], to).ok().flatten();
            self.numbers.push(number);
        }
        self.take_new(candidates);
    }

    /// Adds those of the moves that do not lead to known states to `candidates`.
    #[inline]
    fn take_new(&mut self, candidates: &mut Vec<Candidate>) {
        let numbers = self.numbers.iter().flatten();
        let touched = numbers.fold(0, |all, &number| all ^ self.store.touch(number));
        std::hint::black_box(touched);
        for (&step, &number) in self.moves.iter().zip(&self.numbers) {
            self.ahead = None;
            match number {
                Some(number) if self.store.contains(number) => {
                    self.book.statistics.transitions += 1
                }
                number => {
                    candidates.push(Candidate { step, number });
                    self.ahead = Some(step);
                }
            }
        }
    }

    /// Tells how far the search is, and hears whether it is to stop. `extra_bytes` is what the
    /// search order itself uses.
    #[cold]
    pub(crate) fn pulse(&mut self, depth: u64, queue: u64, extra_bytes: u64) {
        let selection = match &self.selection {
            Selection::All => 0,
            Selection::Sets { unsettled, .. } => unsettled.bytes(),
            Selection::Sleep { sets, .. } => sets.bytes(),
        };
        let bytes = self.store.bytes() + selection + extra_bytes;
        self.book.pulse(depth, queue, bytes);
        if let Some(why) = self.store.failure() {
            self.book.stop(Reason::GaveUp(why));
        }
    }

    /// Ends the books. `extra_bytes` is what the search order itself used.
    pub(crate) fn finish(mut self, extra_bytes: u64) -> (Survey, Ending) {
        if self.examiner.is_cut {
            self.book
                .excuse(Reason::GaveUp("a step has too many choices".into()));
        }
        if let Some(why) = self.store.failure() {
            self.book.stop(Reason::GaveUp(why));
        }
        if !V::PROVES {
            self.book.excuse(Reason::Bitstate);
        }
        let statistics = &mut self.book.statistics;
        statistics.omission_probability = self.store.omission_probability(statistics.states);
        let bytes = self.store.bytes();
        let ending = self.book.ending();
        (self.book.close(bytes, bytes + extra_bytes), ending)
    }

    /// Makes a step without remembering where it leads; returns the number of the
    /// state, unless the store is full.
    #[inline]
    fn step(
        &mut self,
        from: &Node<S::State>,
        step: Move,
        to: &mut Node<S::State>,
    ) -> Result<Option<u64>, Halt> {
        to.state.clone_from(&from.state);
        self.system.step(&mut to.state, step.thread, step.choice)?;
        Ok(self.number(Some(from), to))
    }

    #[inline]
    fn number(&mut self, from: Option<&Node<S::State>>, to: &mut Node<S::State>) -> Option<u64> {
        to.words.clear();
        let words = self.system.encode(&to.state, &mut to.words);
        let mut unused = Vec::new();
        let origin = from.map(|from| Origin {
            words: from.canonical(self.system, &mut unused),
            trail: &from.trail,
        });
        let number = self.store.number(words, origin, &mut to.trail)?;
        to.number = number;
        Some(number)
    }

    /// Remembers a state.
    #[inline]
    fn arrive(&mut self, number: u64, node: &mut Node<S::State>, asleep: Sleepers) -> Arrival {
        let is_new = match &self.selection {
            Selection::All => self.store.insert(number),
            Selection::Sets { unsettled, .. } => unsettled.insert(&mut self.store, number),
            Selection::Sleep { sets, .. } => match sets.meet(&mut self.store, number, asleep) {
                Meeting::New => true,
                Meeting::Known => false,
                Meeting::Again => {
                    node.settle(self.system);
                    return Arrival::Again;
                }
            },
        };
        if !is_new {
            return Arrival::Known;
        }
        if !self.book.count_state() {
            return Arrival::Nowhere;
        }
        node.settle(self.system);
        Arrival::New
    }

    #[cold]
    fn full(&mut self) -> Arrival {
        self.book.stop(Reason::Memory);
        Arrival::Nowhere
    }

    #[cold]
    fn halted(&mut self, halt: Halt) -> Arrival {
        match self.book.halted(halt) {
            Some(fault) => Arrival::Failed(fault),
            None => Arrival::Nowhere,
        }
    }
}

impl Candidate {
    /// A step of which nothing is known.
    pub(crate) fn new(step: Move) -> Candidate {
        Candidate { step, number: None }
    }

    /// Forgets what a store knew.
    pub(crate) fn forget(&mut self) {
        self.number = None;
    }
}

impl<T> Node<T> {
    pub(crate) fn new(state: T) -> Node<T> {
        Node {
            state,
            words: Vec::new(),
            trail: Trail::default(),
            number: 0,
        }
    }

    /// Goes over to the canonical state, which keeps garbage from piling up.
    #[inline]
    fn settle<S: System<State = T>>(&mut self, system: &S) {
        if !self.words.is_empty() {
            system.decode(&self.words, &mut self.state);
        }
    }

    /// The canonical form of a state that was stored. `unused` stays empty: it is
    /// only there for its lifetime.
    #[inline]
    pub(crate) fn canonical<'a, S: System<State = T>>(
        &'a self,
        system: &S,
        unused: &'a mut Vec<u32>,
    ) -> &'a [u32] {
        match self.words.is_empty() {
            true => system.encode(&self.state, unused),
            false => &self.words,
        }
    }

    /// The memory of a node outside of itself. The state's own is not known; that
    /// of its canonical form stands for it.
    pub(crate) fn bytes<S: System<State = T>>(&self, system: &S) -> u64 {
        let mut unused = Vec::new();
        let state = self.canonical(system, &mut unused).len();
        4 * (state + self.words.capacity() + self.trail.ids.capacity()) as u64
    }
}
