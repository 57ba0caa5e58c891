//! Stateless search: executions one after the other, without a store of states.
//!
//! **From**: paper 002, sections 3 and 7 (Fig. 1 and 4, Theorem 1, after Godefroid):
//! selective search with sleep sets; and dynamic partial-order reduction, whose rule for
//! what is to be tried is in `dpor.rs`.
//!
//! - `sleep` tries in each state every thread that can move and is not asleep. A thread
//!   falls asleep when all its choices were tried, and sleeps on in the states that
//!   follow as long as only steps are made that are independent of its own *in the state
//!   in which they are made*. (4) of section 7 is in [`Footprint::independent_in`].
//! - `dpor` tries first one thread, and then those that a race asks for. Dependence
//!   does not look at the state here, neither for races nor for sleep: a race must be the
//!   same wherever on an equivalent path it is met.
//!
//! **Guarantees**: of all executions that differ only in the order of independent steps,
//! one is executed to its end, and no two are. Hence faults, deadlocks and final states
//! are found. Invariants and partial deadlocks are about states in the middle of an
//! execution, of which many are never visited: they are not preserved, and a search that
//! is asked for them does not answer *holds*.
//!
//! **Needs**: programs without cycles. A state that is met again on the path from the
//! initial state is noticed, and depth is bounded; both make the verdict *unknown*. The
//! names of objects must be the same along a path, so states are never replaced by their
//! canonical forms. That all threads together exhaust the heap may be missed: no footprint
//! tells how full it is.
//!
//! **Departures**: (a) Sleep sets are sets of threads, although it is moves, with their
//! choices, that sleep: the choices of a thread are tried one after the other, and its
//! own step wakes a thread, so whenever it matters all of a thread's moves sleep or none.
//! (b) The operations of a sleeping move are not recorded but asked for again: the thread
//! has not moved and nobody has interfered, so it would still do the same. (c) A step that leads
//! nowhere (a fault, a failed assumption, a limit, a cycle) ends the execution before the
//! other threads show what they would have done, so `dpor` tries all of them instead.
//!
//! **Statistics**: `states` are visits, so a state counts each time it is reached;
//! `executions` are the paths that came to their end, in a state where nobody can move or
//! in a step that fails. Paths given up because everybody who can move is asleep are not
//! counted.

use crate::dpor::{Clock, Events, dependent};
use crate::persistent::{Chooser, Sets};
use foldhash::HashMap;
use foldhash::fast::FixedState;
use raddle_model::{Footprint, Halt, Move, Property, Reason, Schedule, Status, System, Thread};
use raddle_search::{Book, Examiner, Survey};
use std::hash::BuildHasher;
use std::rc::Rc;

/// How deep a search goes if nobody says so.
const MOST_DEPTH: u64 = 100_000;

/// What is tried in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Every thread that is not asleep.
    Sleep,
    /// Every thread of a persistent set that is not asleep.
    Selective,
    /// One thread, and those that a race asks for.
    Dpor,
}

/// How the search goes back to a state (paper 002, section 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undo {
    /// Every state of the path is kept.
    Checkpoint,
    /// The path is executed again from the initial state.
    Replay,
}

/// Explores the program without a store.
pub(crate) fn search<S: System>(system: &S, book: Book<'_>, mode: Mode) -> Survey {
    search_undoing(system, book, mode, Undo::Checkpoint)
}

/// Explores the program without a store, with either way of going back.
pub fn search_undoing<S: System>(system: &S, book: Book<'_>, mode: Mode, undo: Undo) -> Survey {
    let mut search = Search::new(system, book, mode, undo);
    match system.initial() {
        Ok(state) => {
            search.state = Some(state);
            search.arrive(Threads::default());
        }
        Err(halt) => search.halted(halt, None),
    }
    while !search.book.is_stopped() {
        match search.next_move() {
            Some(step) => search.advance(step),
            None if search.path.len() > 1 => search.retreat(),
            None => break,
        }
        if search.book.is_due() {
            let depth = search.schedule.len() as u64;
            search.book.pulse(depth, depth + 1, search.bytes);
        }
    }
    search.finish()
}

/// A search in progress.
struct Search<'s, 'b, S: System> {
    system: &'s S,
    book: Book<'b>,
    mode: Mode,
    undo: Undo,
    most_depth: u64,
    examiner: Examiner,
    chooser: Chooser,
    /// The states from the initial one to the current one.
    path: Vec<Node<S::State>>,
    /// The steps between them.
    schedule: Schedule,
    events: Events,
    /// The state of the last node, unless something was executed on it since.
    state: Option<S::State>,
    /// For each hash of a state of the path, the last node with it.
    on_path: HashMap<u64, usize>,
    bytes: u64,
}

/// A state of the path, and what is tried in it.
struct Node<T> {
    checkpoint: Option<T>,
    /// Its canonical form with the hash of it.
    words: Vec<u32>,
    hash: u64,
    /// The node before with the same hash.
    namesake: Option<usize>,
    /// What each thread would do next.
    next: Vec<Next>,
    /// The threads that slept when the state was reached.
    asleep: Threads,
    /// The threads that are to be tried.
    chosen: Threads,
    /// The threads that were tried.
    done: Threads,
    /// The threads of whose steps one led nowhere.
    lost: Threads,
    /// Who is being tried, and which of its choices comes next.
    trying: Option<Move>,
}

/// What a thread would do next.
#[derive(Clone)]
struct Next {
    /// In how many ways; none if it waits or has finished.
    choices: u32,
    footprint: Rc<Footprint>,
    /// What happens before it because of its own thread; and in all. Only for races.
    own: Rc<Clock>,
    past: Rc<Clock>,
}

impl<'s, 'b, S: System> Search<'s, 'b, S> {
    fn new(system: &'s S, book: Book<'b>, mode: Mode, undo: Undo) -> Self {
        Search {
            system,
            most_depth: book.config.limits.depth.unwrap_or(MOST_DEPTH),
            book,
            mode,
            undo,
            examiner: Examiner::default(),
            chooser: Chooser::new(Sets::Any),
            path: Vec::new(),
            schedule: Schedule::new(),
            events: Events::default(),
            state: None,
            on_path: HashMap::default(),
            bytes: 0,
        }
    }

    /// The next move to be tried in the last state of the path.
    fn next_move(&mut self) -> Option<Move> {
        let node = self.path.last_mut()?;
        if let Some(step) = node.trying
            && step.choice == node.next[step.thread.index()].choices
        {
            node.done.insert(step.thread);
            node.trying = None;
        }
        let step = match node.trying {
            Some(step) => step,
            None => {
                let rests = |thread| node.done.contains(thread) || node.asleep.contains(thread);
                let thread = node.chosen.iter().find(|&thread| !rests(thread))?;
                Move { thread, choice: 0 }
            }
        };
        node.trying = Some(Move {
            choice: step.choice + 1,
            ..step
        });
        Some(step)
    }

    /// Makes a step from the last state of the path.
    fn advance(&mut self, step: Move) {
        let Some(mut state) = self.current_state() else {
            let reason = "an execution could not be repeated".to_owned();
            return self.book.stop(Reason::GaveUp(reason));
        };
        let asleep = self.still_asleep(&state, step.thread);
        self.book.statistics.transitions += 1;
        match self.system.step(&mut state, step.thread, step.choice) {
            Ok(()) => {
                self.state = Some(state);
                self.schedule.push(step);
                self.arrive(asleep);
            }
            Err(halt) => self.halted(halt, Some(step)),
        }
    }

    /// The state at the end of the path: at hand, or undone to.
    fn current_state(&mut self) -> Option<S::State> {
        if let Some(state) = self.state.take() {
            return Some(state);
        }
        if self.undo == Undo::Checkpoint {
            return self.path.last()?.checkpoint.clone();
        }
        let mut state = self.system.initial().ok()?;
        for step in &self.schedule {
            self.system
                .step(&mut state, step.thread, step.choice)
                .ok()?;
        }
        Some(state)
    }

    /// Who sleeps on while a thread makes its step in the last state of the path.
    fn still_asleep(&self, state: &S::State, thread: Thread) -> Threads {
        let mut still = Threads::default();
        let Some(node) = self.path.last() else {
            return still;
        };
        let mine = &node.next[thread.index()].footprint;
        // Going first with a step that leads nowhere has shown nothing of what the others
        // do. That matters if they are not tried without it.
        let shown = |other: &Thread| self.mode != Mode::Selective || !node.lost.contains(*other);
        let done = node.done.iter().filter(shown);
        let sleepers = node.asleep.iter().chain(done);
        for other in sleepers.filter(|&other| other != thread) {
            let theirs = &node.next[other.index()].footprint;
            let sleeps_on = match self.mode {
                Mode::Sleep | Mode::Selective => {
                    mine.independent_in(thread, theirs, other, |object| {
                        self.system.observe(state, object)
                    })
                }
                Mode::Dpor => !dependent(mine, theirs),
            };
            if sleeps_on {
                still.insert(other);
            }
        }
        still
    }

    /// Notes that an execution came to its end in a step, or before the first.
    fn halted(&mut self, halt: Halt, step: Option<Move>) {
        self.book.statistics.executions += 1;
        if let Some(fault) = self.book.halted(halt) {
            let schedule = self.schedule.iter().copied().chain(step);
            let steps = self.schedule.len() as u64 + u64::from(step.is_some());
            self.book
                .report(Property::Fault(fault), steps, || schedule.collect());
        }
        if let (Some(step), Some(node)) = (step, self.path.last_mut()) {
            node.lost.insert(step.thread);
        }
        self.try_everybody();
    }

    /// Tries every thread in the last state of the path, because a step from there led
    /// nowhere.
    fn try_everybody(&mut self) {
        if let Some(node) = self.path.last_mut() {
            node.choose_all();
        }
    }

    /// Looks at the state that was just reached, and makes it the last of the path.
    fn arrive(&mut self, asleep: Threads) {
        let Some(state) = self.state.take() else {
            return;
        };
        if !self.book.count_state() {
            return;
        }
        let depth = self.schedule.len() as u64;
        self.book.statistics.depth = self.book.statistics.depth.max(depth);
        let mut scratch = Vec::new();
        let words = self.system.encode(&state, &mut scratch).to_vec();
        let hash = FixedState::default().hash_one(&words);
        if self.is_on_path(hash, &words) {
            let reason = "the program has cycles; a search without a store cannot exhaust it";
            return self.turn_back(Reason::GaveUp(reason.to_owned()));
        }
        let can_move = self.examine(&state, depth);
        if can_move && depth >= self.most_depth {
            return self.turn_back(Reason::Depth);
        }
        self.book.statistics.executions += u64::from(!can_move);
        let next = self.look(&state);
        let asleep = self.undisturbed(asleep, &next);
        let mut node = Node {
            checkpoint: (self.undo == Undo::Checkpoint).then(|| state.clone()),
            words,
            hash,
            namesake: self.on_path.insert(hash, self.path.len()),
            next,
            asleep,
            chosen: Threads::default(),
            done: Threads::default(),
            lost: Threads::default(),
            trying: None,
        };
        match self.mode {
            Mode::Sleep => node.choose_all(),
            Mode::Selective => match self.chooser.choose(self.system, &state) {
                Some(threads) => node.choose(threads),
                None => node.choose_all(),
            },
            Mode::Dpor => node.choose_first(),
        }
        self.bytes += node.bytes();
        self.path.push(node);
        self.state = Some(state);
        if self.mode == Mode::Dpor {
            self.find_races();
        }
    }

    /// Those of some sleeping threads that would still do the same. A step whose footprint
    /// does not tell everything, as with invisible steps, may have let one of them do more.
    fn undisturbed(&self, asleep: Threads, next: &[Next]) -> Threads {
        let Some(before) = self.path.last() else {
            return asleep;
        };
        let mut still = Threads::default();
        for thread in asleep.iter() {
            let (then, now) = (&before.next[thread.index()], &next[thread.index()]);
            if then.choices == now.choices && then.footprint == now.footprint {
                still.insert(thread);
            }
        }
        still
    }

    /// Whether the state with these words is on the path.
    fn is_on_path(&self, hash: u64, words: &[u32]) -> bool {
        let mut index = self.on_path.get(&hash).copied();
        while let Some(at) = index {
            if self.path[at].words == words {
                return true;
            }
            index = self.path[at].namesake;
        }
        false
    }

    /// Does not go on in the state that was just reached.
    fn turn_back(&mut self, reason: Reason) {
        self.book.excuse(reason);
        self.schedule.pop();
        self.try_everybody();
    }

    /// Checks what must hold in a state; whether somebody can move.
    fn examine(&mut self, state: &S::State, depth: u64) -> bool {
        let (mut moves, mut found) = (Vec::new(), Vec::new());
        let properties = &self.book.config.properties;
        self.book.statistics.stutters +=
            self.examiner
                .examine(self.system, state, properties, &mut moves, &mut found);
        for property in found {
            self.book.report(property, depth, || self.schedule.clone());
        }
        !moves.is_empty()
    }

    /// What each thread would do next in a state.
    fn look(&self, state: &S::State) -> Vec<Next> {
        let threads = self.system.threads(state) as u32;
        let before = self.path.last();
        (0..threads)
            .map(|number| {
                let thread = Thread(number);
                let choices = match self.system.status(state, thread) {
                    Status::Ready { choices } => choices,
                    Status::Blocked | Status::Done => 0,
                };
                let mut footprint = Footprint::default();
                if choices > 0 || self.mode == Mode::Dpor {
                    self.system.footprint(state, thread, &mut footprint);
                }
                match before.and_then(|node| node.next.get(thread.index())) {
                    // What is the same is not kept twice.
                    Some(next) if *next.footprint == footprint => Next {
                        choices,
                        ..next.clone()
                    },
                    other => {
                        let own = other.map(|next| Rc::clone(&next.own)).unwrap_or_default();
                        Next {
                            choices,
                            footprint: Rc::new(footprint),
                            past: Rc::clone(&own),
                            own,
                        }
                    }
                }
            })
            .collect()
    }

    /// Enters the last step into the order of events, and compares the next steps of all
    /// threads with what was executed, as far as that was not done in the state before.
    fn find_races(&mut self) {
        let Some((node, before)) = self.path.split_last_mut() else {
            return;
        };
        let (Some(step), Some(before)) = (self.schedule.last(), before.last()) else {
            return;
        };
        let last = &before.next[step.thread.index()];
        let footprint = Rc::clone(&last.footprint);
        let clock = self
            .events
            .push(step.thread, Rc::clone(&footprint), &last.past);
        let mut demands = Vec::new();
        for (index, next) in node.next.iter_mut().enumerate() {
            let known = before.next.get(index);
            let thread = Thread(index as u32);
            if thread == step.thread || known.is_none() {
                // A thread goes on after its own step, or begins with the one that
                // started it.
                next.own = Rc::clone(&clock);
            } else if known.is_some_and(|it| Rc::ptr_eq(&it.footprint, &next.footprint))
                && !dependent(&footprint, &next.footprint)
            {
                continue;
            }
            let mut races = Vec::new();
            let past = self.events.compare(&next.footprint, &next.own, &mut races);
            next.past = Rc::new(past);
            demands.extend(races.into_iter().map(|race| (race, thread)));
        }
        for (race, thread) in demands {
            self.demand(race, thread);
        }
    }

    /// Sees to it that the race of a thread's next step with an executed step is tried in
    /// the other order: the rule of `dpor.rs`.
    fn demand(&mut self, race: usize, thread: Thread) {
        let Some(now) = self.path.last().map(|node| &node.next[thread.index()]) else {
            return;
        };
        let initials = self.events.initials(race, &now.past);
        let footprint = Rc::clone(&now.footprint);
        let node = &mut self.path[race];
        let is_tried =
            |thread: &Thread| node.chosen.contains(*thread) || node.asleep.contains(*thread);
        if let Some(&first) = initials.first() {
            if !initials.iter().any(is_tried) {
                node.chosen.insert(first);
            }
            return;
        }
        let Some(then) = node.next.get(thread.index()) else {
            return node.choose_all();
        };
        let is_same = *then.footprint == *footprint;
        match (then.choices > 0, node.asleep.contains(thread)) {
            (true, false) => node.chosen.insert(thread),
            _ if is_same => {}
            _ => node.choose_all(),
        }
    }

    /// Goes back by one step.
    fn retreat(&mut self) {
        let Some(node) = self.path.pop() else {
            return;
        };
        self.bytes = self.bytes.saturating_sub(node.bytes());
        match node.namesake {
            Some(namesake) => self.on_path.insert(node.hash, namesake),
            None => self.on_path.remove(&node.hash),
        };
        self.schedule.pop();
        self.events.pop();
        self.state = None;
    }

    fn finish(mut self) -> Survey {
        let properties = &self.book.config.properties;
        if properties.invariants || properties.partial_deadlock {
            let reason = "invariants and partial deadlocks are not preserved";
            self.book.excuse(Reason::GaveUp(reason.to_owned()));
        }
        if self.examiner.is_cut {
            let reason = "a step has too many choices";
            self.book.excuse(Reason::GaveUp(reason.to_owned()));
        }
        self.book.close(0, self.bytes)
    }
}

impl<T> Node<T> {
    /// Chooses those of some threads that can move.
    fn choose(&mut self, threads: &[Thread]) {
        for &thread in threads {
            if self.next[thread.index()].choices > 0 {
                self.chosen.insert(thread);
            }
        }
    }

    fn choose_first(&mut self) {
        let first = self.ready().find(|&thread| !self.asleep.contains(thread));
        if let Some(thread) = first {
            self.chosen.insert(thread);
        }
    }

    fn choose_all(&mut self) {
        for index in 0..self.next.len() {
            if self.next[index].choices > 0 {
                self.chosen.insert(Thread(index as u32));
            }
        }
    }

    /// The threads that can move.
    fn ready(&self) -> impl Iterator<Item = Thread> {
        let next = self.next.iter().enumerate();
        next.filter(|(_, next)| next.choices > 0)
            .map(|(index, _)| Thread(index as u32))
    }

    /// About the memory that it needs. A state is taken to be as large as its form.
    fn bytes(&self) -> u64 {
        let form = self.words.len() * size_of::<u32>();
        let next = self.next.len() * size_of::<Next>();
        (size_of::<Self>() + 2 * form + next) as u64
    }
}

/// A set of threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Threads(Vec<u64>);

impl Threads {
    fn insert(&mut self, thread: Thread) {
        let word = thread.index() / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (thread.index() % 64);
    }

    fn contains(&self, thread: Thread) -> bool {
        let word = self.0.get(thread.index() / 64);
        word.is_some_and(|word| word >> (thread.index() % 64) & 1 == 1)
    }

    /// The members in ascending order.
    fn iter(&self) -> impl Iterator<Item = Thread> {
        let end = 64 * self.0.len() as u32;
        (0..end).map(Thread).filter(|&thread| self.contains(thread))
    }
}
