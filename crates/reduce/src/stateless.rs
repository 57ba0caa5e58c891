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
//! **Several workers** divide the tree of executions: see `stateless/plan.rs`.
//!
//! **Statistics**: `states` are visits, so a state counts each time it is reached;
//! `executions` are the paths that came to their end, in a state where nobody can move or
//! in a step that fails. Paths given up because everybody who can move is asleep are not
//! counted.

mod path;
mod plan;
mod tree;

use crate::dpor::{Events, dependent};
use crate::persistent::{Chooser, Sets};
use foldhash::HashMap;
use foldhash::fast::FixedState;
use path::{Next, Node, choose, choose_all, choose_first, is_on_path, spare};
use plan::{Plan, Plans, Threads};
use raddle_model::{Halt, Move, Properties, Property, Reason, Schedule, System, Thread};
use raddle_search::{Book, Config, Ending, Examiner, Monitor, Survey, survey_together};
use std::hash::BuildHasher;
use std::rc::Rc;
use tree::{Branch, Stage, Tree};

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
pub(crate) fn search<S: System>(
    system: &S,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
    mode: Mode,
) -> Survey {
    search_undoing(
        system,
        config,
        monitor,
        stop_at_first,
        mode,
        Undo::Checkpoint,
    )
}

/// Explores the program without a store, with either way of going back.
pub fn search_undoing<S: System>(
    system: &S,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
    mode: Mode,
    undo: Undo,
) -> Survey {
    let tree = Tree::new();
    let initial = system.initial();
    let work = |book: Book<'_>, initial| {
        // Choosing takes its time.
        let book = book.pulse_every(16);
        Search::new(system, initial, book, mode, undo, &tree).work()
    };
    survey_together(config, monitor, stop_at_first, &initial, &tree, work)
}

/// A search in progress.
struct Search<'s, 'b, S: System> {
    system: &'s S,
    initial: Result<S::State, Halt>,
    tree: &'s Tree,
    book: Book<'b>,
    mode: Mode,
    undo: Undo,
    most_depth: u64,
    examiner: Examiner,
    chooser: Chooser,
    /// The states from the initial one to the current one.
    path: Vec<Node<S::State>>,
    /// Which of them is the one at which the branch begins that is explored.
    base: usize,
    /// The steps between them.
    schedule: Schedule,
    events: Events,
    /// The memory of one state serves all steps.
    state: Option<S::State>,
    /// Whether it is the state of the last node: nothing was executed on it since.
    is_at_hand: bool,
    /// Nodes that are on the path no more, for their memory.
    spare: Vec<Node<S::State>>,
    moves: Vec<Move>,
    scratch: Vec<u32>,
    /// What a thread would do of which nothing is known.
    unknown: Next,
    /// For each hash of a state of the path, the last node with it.
    on_path: HashMap<u64, usize>,
    /// The memory of the path and of the spare nodes; and what all workers know of it.
    bytes: u64,
    told_bytes: u64,
}

impl<'s, 'b, S: System> Search<'s, 'b, S> {
    fn new(
        system: &'s S,
        initial: Result<S::State, Halt>,
        book: Book<'b>,
        mode: Mode,
        undo: Undo,
        tree: &'s Tree,
    ) -> Self {
        Search {
            system,
            initial,
            tree,
            most_depth: book.config.limits.depth.unwrap_or(MOST_DEPTH),
            chooser: Chooser::new(Sets::Any, book.config.stop.clone()),
            book,
            mode,
            undo,
            examiner: Examiner::default(),
            path: Vec::new(),
            base: 0,
            schedule: Schedule::new(),
            events: Events::default(),
            state: None,
            is_at_hand: false,
            spare: Vec::new(),
            moves: Vec::new(),
            scratch: Vec::new(),
            unknown: Next::default(),
            on_path: HashMap::default(),
            bytes: 0,
            told_bytes: 0,
        }
    }

    /// Explores branches for as long as there are any.
    fn work(mut self) -> (Survey, Ending) {
        let mut worker = self.tree.branches.worker();
        while let Some(branch) = worker.take() {
            self.begin(branch);
            while !self.book.is_stopped() {
                if self.tree.branches.calls() && self.answer() {
                    break;
                }
                match self.next_move() {
                    Some(step) => self.advance(step),
                    None if self.path.len() > self.base + 1 => self.retreat(),
                    None => break,
                }
                if self.book.is_due() {
                    let depth = self.schedule.len() as u64;
                    let bytes = self.account();
                    self.book.pulse(depth, depth + 1, bytes);
                }
            }
            if self.book.is_stopped() {
                self.tree.branches.stop();
            }
            if self.tree.branches.is_stopped() {
                self.put_back();
            }
        }
        self.finish()
    }

    /// The memory of all paths.
    fn account(&mut self) -> u64 {
        let change = self.bytes.wrapping_sub(self.told_bytes);
        self.told_bytes = self.bytes;
        self.tree.account(change)
    }

    /// Gives somebody something to do, if there is enough; tells whether to stop instead.
    #[cold]
    fn answer(&mut self) -> bool {
        let branches = &self.tree.branches;
        if branches.is_stopped() {
            return true;
        }
        let last = self.path.len().saturating_sub(1);
        let mut nodes = self.path.iter_mut().enumerate().skip(self.base);
        // Who gives away the last thing that it has would have to ask for another one.
        let first = nodes.find_map(|(at, node)| {
            let is_enough = node.plans.open() > usize::from(at == last);
            is_enough.then_some(at)
        });
        if let Some(at) = first {
            self.give(at);
        }
        false
    }

    /// Lets others try threads in a state of the path.
    fn give(&mut self, at: usize) {
        let stages = self.path[..=at].iter_mut();
        self.tree.branches.give(Branch {
            stages: stages.map(|node| node.stage(false)).collect(),
            schedule: self.schedule[..at].to_vec(),
            base: at,
        });
    }

    /// Leaves what is still to be tried on the path to those who go on later.
    fn put_back(&mut self) {
        if self.path.is_empty() {
            return;
        }
        let branch = Branch {
            stages: self.path.iter_mut().map(|node| node.stage(true)).collect(),
            schedule: self.schedule[..self.path.len() - 1].to_vec(),
            base: self.base,
        };
        if branch.is_open() {
            self.tree.branches.put_back(branch);
        }
    }

    /// Goes to where a branch begins.
    fn begin(&mut self, branch: Branch) {
        while !self.path.is_empty() {
            self.retreat();
        }
        // Somebody else may have been faster.
        if !branch.is_open() {
            return;
        }
        let Branch {
            schedule,
            base,
            stages,
        } = branch;
        self.base = base;
        let is_new = stages.is_empty();
        let mut state = match self.initial.clone() {
            Ok(state) if is_new => return self.arrive(state, Threads::default()),
            Ok(state) => state,
            Err(halt) => return self.halted(halt, None),
        };
        let mut steps = schedule.into_iter();
        for stage in stages {
            if !self.enter_again(&state, stage) {
                return self.not_repeated();
            }
            let Some(step) = steps.next() else { break };
            let made = self.system.step(&mut state, step.thread, step.choice);
            if made.is_err() {
                return self.not_repeated();
            }
            self.schedule.push(step);
        }
        self.state = Some(state);
        self.is_at_hand = true;
    }

    #[cold]
    fn not_repeated(&mut self) {
        let reason = "an execution could not be repeated".to_owned();
        self.book.stop(Reason::GaveUp(reason));
    }

    /// The next move to be tried in the last state of the path.
    fn next_move(&mut self) -> Option<Move> {
        let node = self.path.last_mut()?;
        let step = match node.next_choice() {
            Some(step) => step,
            None => {
                // Going first with a step that leads nowhere has shown nothing of what the others
                // do. That matters if they are not tried without it.
                let only_moved = self.mode == Mode::Selective;
                node.trying = None;
                let (thread, asleep) = node.plans.with(|plan| plan.claim(only_moved))?;
                node.asleep = asleep;
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
            return self.not_repeated();
        };
        let asleep = self.still_asleep(&state, step.thread);
        self.book.statistics.transitions += 1;
        self.is_at_hand = false;
        match self.system.step(&mut state, step.thread, step.choice) {
            Ok(()) => {
                self.moved(step);
                self.schedule.push(step);
                self.arrive(state, asleep);
            }
            Err(halt) => {
                self.state = Some(state);
                self.halted(halt, Some(step));
            }
        }
    }

    /// Notes that a thread has made its step, if it was the last of its choices.
    fn moved(&mut self, step: Move) {
        if let Some(node) = self.path.last_mut()
            && step.choice + 1 == node.next[step.thread.index()].choices
        {
            node.plans.with(|plan| plan.moved.insert(step.thread));
        }
    }

    /// The state at the end of the path: at hand, or undone to.
    fn current_state(&mut self) -> Option<S::State> {
        let mut state = self.state.take()?;
        if self.is_at_hand {
            return Some(state);
        }
        if self.undo == Undo::Checkpoint {
            state.clone_from(self.path.last()?.checkpoint.as_ref()?);
            return Some(state);
        }
        state.clone_from(self.initial.as_ref().ok()?);
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
        for other in node.asleep.iter().filter(|&other| other != thread) {
            let [mine, theirs] = [thread, other]
                .map(|thread| node.next[thread.index()].footprint(self.system, state, thread));
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
            node.plans.with(|plan| plan.lost.insert(step.thread));
        }
        self.try_everybody();
    }

    /// Tries every thread in the last state of the path, because a step from there led
    /// nowhere.
    fn try_everybody(&mut self) {
        if let Some(node) = self.path.last_mut() {
            let next = &node.next;
            node.plans.with(|plan| choose_all(plan, next));
        }
    }

    /// Goes to the state that was just reached.
    fn arrive(&mut self, state: S::State, asleep: Threads) {
        self.is_at_hand = self.enter(&state, asleep);
        self.state = Some(state);
    }

    /// Looks at the state that was just reached, and makes it the last of the path, unless
    /// there is no going on from there.
    fn enter(&mut self, state: &S::State, asleep: Threads) -> bool {
        if !self.book.count_state() {
            return false;
        }
        let depth = self.schedule.len() as u64;
        self.book.statistics.depth = self.book.statistics.depth.max(depth);
        let words = self.system.encode(state, &mut self.scratch);
        let hash = FixedState::default().hash_one(words);
        if is_on_path(&self.path, self.on_path.get(&hash).copied(), words) {
            let reason = "the program has cycles; a search without a store cannot exhaust it";
            return self.turn_back(Reason::GaveUp(reason.to_owned()));
        }
        let spare = spare(&mut self.spare, &mut self.bytes, words);
        let can_move = self.examine(state, depth);
        if can_move && depth >= self.most_depth {
            return self.turn_back(Reason::Depth);
        }
        self.book.statistics.executions += u64::from(!can_move);
        let mut node = self.node(state, hash, spare);
        let mut plan = Plan {
            asleep: self.undisturbed(state, asleep, &node.next),
            ..Plan::default()
        };
        match self.mode {
            Mode::Sleep => choose_all(&mut plan, &node.next),
            Mode::Selective => match self.chooser.choose(self.system, state) {
                Some(threads) => choose(&mut plan, &node.next, threads),
                None => choose_all(&mut plan, &node.next),
            },
            Mode::Dpor => choose_first(&mut plan, &node.next),
        }
        node.plans = Plans::Own(plan);
        self.push(state, node);
        true
    }

    /// Makes a state the last of the path that was entered before, by this worker or another one.
    /// False if it is another one: a system may find out something on the way that changes how far
    /// its steps go. Then it begins again, but not before everybody has stopped.
    fn enter_again(&mut self, state: &S::State, stage: Stage) -> bool {
        let words = self.system.encode(state, &mut self.scratch);
        let hash = FixedState::default().hash_one(words);
        if hash != stage.hash {
            return false;
        }
        let spare = spare(&mut self.spare, &mut self.bytes, words);
        self.moves.clear();
        let nothing = &Properties::NONE;
        self.examiner.examine(
            self.system,
            state,
            nothing,
            &mut self.moves,
            &mut Vec::new(),
        );
        let mut node = self.node(state, hash, spare);
        node.plans = Plans::Shared(stage.plan);
        (node.trying, node.asleep) = match stage.trying {
            Some((step, asleep)) => (Some(step), asleep),
            None => Default::default(),
        };
        self.push(state, node);
        true
    }

    /// The node of a state whose moves are known, in the memory of a spare one with its words.
    fn node(&mut self, state: &S::State, hash: u64, spare: Node<S::State>) -> Node<S::State> {
        let mut next = spare.next;
        self.look(state, &mut next);
        Node {
            checkpoint: self.checkpoint(state, spare.checkpoint),
            words: spare.words,
            hash,
            namesake: self.on_path.insert(hash, self.path.len()),
            next,
            ..Node::default()
        }
    }

    fn push(&mut self, state: &S::State, node: Node<S::State>) {
        self.bytes += node.bytes();
        self.path.push(node);
        if self.mode == Mode::Dpor {
            self.find_races(state);
        }
    }

    /// What is kept of a state to come back to it, in the memory of what was kept before.
    fn checkpoint(&self, state: &S::State, memory: Option<S::State>) -> Option<S::State> {
        match (self.undo, memory) {
            (Undo::Replay, _) => None,
            (Undo::Checkpoint, None) => Some(state.clone()),
            (Undo::Checkpoint, Some(mut checkpoint)) => {
                checkpoint.clone_from(state);
                Some(checkpoint)
            }
        }
    }

    /// Those of some sleeping threads that would still do the same. A step whose footprint
    /// does not tell everything, as with invisible steps, may have let one of them do more.
    fn undisturbed(&self, state: &S::State, asleep: Threads, next: &[Next]) -> Threads {
        let Some(before) = self.path.last() else {
            return asleep;
        };
        let mut still = Threads::default();
        for thread in asleep.iter() {
            let (then, now) = (&before.next[thread.index()], &next[thread.index()]);
            // Then somebody asked, because the thread was asleep.
            if then.choices == now.choices
                && then.footprint.get() == Some(now.footprint(self.system, state, thread))
            {
                still.insert(thread);
            }
        }
        still
    }

    /// Does not go on in the state that was just reached.
    fn turn_back(&mut self, reason: Reason) -> bool {
        self.book.excuse(reason);
        self.schedule.pop();
        self.try_everybody();
        false
    }

    /// Checks what must hold in a state; whether somebody can move.
    fn examine(&mut self, state: &S::State, depth: u64) -> bool {
        let mut found = Vec::new();
        self.moves.clear();
        let properties = &self.book.config.properties;
        self.book.statistics.stutters +=
            self.examiner
                .examine(self.system, state, properties, &mut self.moves, &mut found);
        for property in found {
            self.book.report(property, depth, || self.schedule.clone());
        }
        !self.moves.is_empty()
    }

    /// What each thread would do next in the state that was just examined.
    fn look(&self, state: &S::State, next: &mut Vec<Next>) {
        next.clear();
        next.resize(self.system.threads(state), self.unknown.clone());
        for step in &self.moves {
            let choices = &mut next[step.thread.index()].choices;
            *choices = (*choices).max(step.choice + 1);
        }
        if self.mode == Mode::Dpor {
            self.look_at_all(state, next);
        }
    }

    /// Asks for the footprints of all threads, those that wait included: races are theirs.
    fn look_at_all(&self, state: &S::State, next: &mut [Next]) {
        let before = self.path.last().map_or(&[][..], |node| &node.next);
        for (index, next) in next.iter_mut().enumerate() {
            next.footprint(self.system, state, Thread(index as u32));
            let Some(before) = before.get(index) else {
                continue;
            };
            next.own = Rc::clone(&before.own);
            next.past = Rc::clone(&before.own);
            if before.footprint == next.footprint {
                // What is the same is not kept twice.
                next.footprint = before.footprint.clone();
                next.past = Rc::clone(&before.past);
            }
        }
    }

    /// Enters the last step into the order of events, and compares the next steps of all
    /// threads with what was executed, as far as that was not done in the state before.
    fn find_races(&mut self, state: &S::State) {
        let Some((node, before)) = self.path.split_last_mut() else {
            return;
        };
        let (Some(step), Some(before)) = (self.schedule.last(), before.last()) else {
            return;
        };
        let last = &before.next[step.thread.index()];
        // All footprints were asked for when the state before was reached.
        let Some(footprint) = last.footprint.get() else {
            return;
        };
        let clock = self
            .events
            .push(step.thread, Rc::clone(footprint), &last.past);
        let mut demands = Vec::new();
        for (index, next) in node.next.iter_mut().enumerate() {
            let known = before.next.get(index);
            let thread = Thread(index as u32);
            let theirs = Rc::clone(next.footprint(self.system, state, thread));
            if thread == step.thread || known.is_none() {
                // A thread goes on after its own step, or begins with the one that
                // started it.
                next.own = Rc::clone(&clock);
            } else if known.is_some_and(|it| it.footprint == next.footprint)
                && !dependent(footprint, &theirs)
            {
                continue;
            }
            let demand = |race| demands.push((race, thread));
            next.past = Rc::new(self.events.compare(&theirs, &next.own, demand));
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
        let footprint = now.footprint.clone();
        let node = &mut self.path[race];
        let next = &node.next;
        let is_new = node.plans.with(|plan| {
            let before = plan.chosen.clone();
            match (initials.first(), next.get(thread.index())) {
                (Some(&first), _) => {
                    if !initials.iter().any(|&it| plan.is_tried(it)) {
                        plan.chosen.insert(first);
                    }
                }
                (None, None) => choose_all(plan, next),
                (None, Some(then)) => match (then.choices > 0, plan.asleep.contains(thread)) {
                    (true, false) => plan.chosen.insert(thread),
                    _ if then.footprint == footprint => {}
                    _ => choose_all(plan, next),
                },
            }
            plan.chosen != before
        });
        // Nobody here comes back to that state.
        if is_new && race < self.base {
            self.give(race);
        }
    }

    /// Goes back by one step.
    fn retreat(&mut self) {
        let Some(node) = self.path.pop() else {
            return;
        };
        match node.namesake {
            Some(namesake) => self.on_path.insert(node.hash, namesake),
            None => self.on_path.remove(&node.hash),
        };
        self.schedule.pop();
        self.events.pop();
        self.is_at_hand = false;
        self.spare.push(node);
    }

    fn finish(mut self) -> (Survey, Ending) {
        let bytes = self.account();
        // Who works later counts anew.
        self.tree.account(self.bytes.wrapping_neg());
        let properties = &self.book.config.properties;
        if properties.invariants || properties.partial_deadlock {
            let reason = "invariants and partial deadlocks are not preserved";
            self.book.excuse(Reason::GaveUp(reason.to_owned()));
        }
        if self.examiner.is_cut {
            let reason = "a step has too many choices";
            self.book.excuse(Reason::GaveUp(reason.to_owned()));
        }
        let ending = self.book.ending();
        (self.book.close(0, bytes), ending)
    }
}
