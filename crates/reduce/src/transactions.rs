//! Transactions: runs of one thread that can be executed without interruption.
//!
//! **From**: paper 004 (Flanagan and Qadeer), theorems 4.1 and 6.1. A transaction is some
//! right movers, one step of any kind that commits it, and some left movers. While a
//! thread is in a transaction no other thread is run.
//!
//! **Which steps move**: operations on monitors, semaphores and threads as
//! `model/operations.rs` says (a re-entrant acquire moves both ways, which departs from
//! section 5.2 of the paper, where it merges two transactions into one). An access to a
//! variable moves both ways if no other thread's future can interfere with it, or if the
//! variable is protected by a lock. Which locks protect what is inferred (section 6):
//! every variable starts with all locks; each access leaves those that the thread holds.
//! When a variable that was taken for protected loses its last lock, the search begins
//! again with what it has learnt. (The paper goes on from where it is; what must be
//! expanded again is the same.)
//!
//! **Guarantees**: a fault is reachable if and only if one is found. Everything that is
//! executed is a real execution. Deadlocks are not preserved: a thread that takes its
//! first lock goes on to its second before anybody else can move, so that AB-BA is never
//! seen. Invariants and partial deadlocks are not preserved, either. That several threads
//! together exhaust the heap may be missed: no footprint tells how full it is.
//!
//! **Condition C** (the left movers of a transaction come to an end): a state in which
//! they would not is a scheduling point as well, where the others can move: when a left
//! mover leads back to the search path, or when it leads to no state at all (a failed
//! assumption, a fault). A thread that is blocked or finished is never in a transaction
//! that has committed.

use foldhash::{HashMap, HashSet};
use raddle_model::operations::{mover_against, mover_in};
use raddle_model::{
    Access, Footprint, Future, Halt, Kind, Move, Mover, Object, ObjectState, Operation, Operations,
    Property, Reason, Region, Schedule, Status, System, Thread,
};
use raddle_search::{Book, Survey, Visited};

/// Explores the program, one transaction at a time.
pub(crate) fn search<'a, S: System>(system: &'a S, book: Book<'a>) -> Survey {
    let mut search = Search {
        system,
        book,
        protection: Protection::default(),
        visited: Visited::new(),
        path: Vec::new(),
        on_path: HashSet::default(),
        schedule: Schedule::new(),
        scratch: Vec::new(),
        key: Vec::new(),
    };
    if let Some(state) = search.book.initial(system) {
        while search.explore(state.clone()) {
            search.begin_again();
        }
    }
    let bytes = search.visited.bytes();
    search.book.close(bytes, bytes)
}

struct Search<'a, S: System> {
    system: &'a S,
    book: Book<'a>,
    protection: Protection,
    visited: Visited,
    path: Vec<Frame<S::State>>,
    /// The numbers of the nodes on the path.
    on_path: HashSet<u64>,
    schedule: Schedule,
    scratch: Vec<u32>,
    key: Vec<u32>,
}

/// A state on the search path.
struct Frame<T> {
    state: T,
    mode: Mode,
    number: u64,
    moves: Vec<Move>,
    /// Whether a step leads here, or only a change of mode.
    by_step: bool,
}

/// Who may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Everybody: no thread is in a transaction.
    Free,
    /// Only this thread, whose transaction has not committed yet.
    Before(Thread),
    /// Only this thread, whose transaction has committed.
    After(Thread),
}

impl Mode {
    /// Whether a thread may move.
    fn lets(self, thread: Thread) -> bool {
        match self {
            Mode::Free => true,
            Mode::Before(only) | Mode::After(only) => thread == only,
        }
    }

    /// A word that tells modes apart.
    fn word(self) -> u32 {
        match self {
            Mode::Free => 0,
            Mode::Before(thread) => 2 * thread.0 + 1,
            Mode::After(thread) => 2 * thread.0 + 2,
        }
    }
}

impl<S: System> Search<'_, S> {
    /// Explores everything under the current assumptions; tells whether one of them
    /// turned out to be wrong.
    fn explore(&mut self, initial: S::State) -> bool {
        self.arrive(initial, Mode::Free, false);
        while !self.book.is_stopped() && !self.protection.refined {
            let Some(frame) = self.path.last_mut() else {
                break;
            };
            match frame.moves.pop() {
                Some(step) => self.advance(step),
                None => self.retreat(),
            }
            if self.book.is_due() {
                let depth = self.schedule.len() as u64;
                self.book.pulse(depth, depth + 1, self.visited.bytes());
            }
        }
        self.protection.refined && !self.book.is_stopped()
    }

    fn begin_again(&mut self) {
        self.protection.refined = false;
        self.visited = Visited::new();
        self.path.clear();
        self.on_path.clear();
        self.schedule.clear();
        self.book.statistics.states = 0;
    }

    fn retreat(&mut self) {
        if let Some(frame) = self.path.pop() {
            self.on_path.remove(&frame.number);
            if frame.by_step {
                self.schedule.pop();
            }
        }
    }

    /// Makes a step from the last state of the path.
    fn advance(&mut self, step: Move) {
        let Some(frame) = self.path.last() else {
            return;
        };
        let (from, mode) = (frame.state.clone(), frame.mode);
        let mover = self.protection.mover(self.system, &from, step.thread);
        self.protection.note(self.system, &from, step.thread);
        let mut state = from.clone();
        self.book.statistics.transitions += 1;
        self.schedule.push(step);
        let result = self.system.step(&mut state, step.thread, step.choice);
        match result {
            Ok(()) => {
                let commits = matches!(mode, Mode::After(_)) || !mover.is_right();
                let next = self.mode_after(&state, step.thread, commits);
                if !self.arrive(state, next, true) {
                    self.schedule.pop();
                }
            }
            Err(halt) => {
                self.fail(halt);
                self.schedule.pop();
                // The transaction has committed and does not come to an end.
                if matches!(mode, Mode::After(_)) {
                    self.arrive(from, Mode::Free, false);
                }
            }
        }
    }

    /// Who may move after a step of a thread.
    fn mode_after(&mut self, state: &S::State, thread: Thread, committed: bool) -> Mode {
        match self.system.status(state, thread) {
            Status::Done => Mode::Free,
            _ if !committed => Mode::Before(thread),
            Status::Blocked => Mode::Free,
            Status::Ready { .. } => {
                match self.protection.mover(self.system, state, thread).is_left() {
                    true => Mode::After(thread),
                    false => Mode::Free,
                }
            }
        }
    }

    fn fail(&mut self, halt: Halt) {
        if let Some(fault) = self.book.halted(halt) {
            let steps = self.schedule.len() as u64;
            let schedule = || self.schedule.clone();
            self.book.report(Property::Fault(fault), steps, schedule);
        }
    }

    /// Goes to a state, unless it is known; tells whether it does.
    fn arrive(&mut self, mut state: S::State, mode: Mode, by_step: bool) -> bool {
        self.scratch.clear();
        let words = self.system.encode(&state, &mut self.scratch);
        self.key.clear();
        self.key.extend_from_slice(words);
        self.key.push(mode.word());
        let Some((number, is_new)) = self.visited.enter(&self.key) else {
            self.book.stop(Reason::Memory);
            return false;
        };
        if !is_new {
            // A circle of left movers: here the others can move as well.
            let circles = matches!(mode, Mode::After(_)) && self.on_path.contains(&number);
            return circles && self.arrive(state, Mode::Free, by_step);
        }
        if mode == Mode::Free && !self.book.count_state() {
            return false;
        }
        // Going on from the canonical state keeps garbage from piling up.
        if !self.scratch.is_empty() {
            self.system.decode(&self.scratch, &mut state);
        }
        self.note_waiting(&state, mode);
        let moves = self.moves(&state, mode);
        self.on_path.insert(number);
        self.path.push(Frame {
            state,
            mode,
            number,
            moves,
            by_step,
        });
        true
    }

    /// Takes note of what threads are about to access that have to wait for it, in the
    /// places where no step of theirs will. Who waits for a variable to change looks at
    /// it all the time, and what it waits for may be hidden in a transaction of another
    /// thread that relies on being alone.
    fn note_waiting(&mut self, state: &S::State, mode: Mode) {
        for thread in (0..self.system.threads(state) as u32).map(Thread) {
            if mode.lets(thread) && self.system.status(state, thread) == Status::Blocked {
                self.protection.note(self.system, state, thread);
            }
        }
    }

    /// The steps to be made from a state, the first one last.
    fn moves(&mut self, state: &S::State, mode: Mode) -> Vec<Move> {
        let depth = self.schedule.len() as u64;
        self.book.statistics.depth = self.book.statistics.depth.max(depth);
        if self
            .book
            .config
            .limits
            .depth
            .is_some_and(|most| depth >= most)
        {
            self.book.excuse(Reason::Depth);
            return Vec::new();
        }
        let mut moves = Vec::new();
        for thread in (0..self.system.threads(state) as u32).rev().map(Thread) {
            if mode.lets(thread)
                && let Status::Ready { choices } = self.system.status(state, thread)
            {
                moves.extend((0..choices).rev().map(|choice| Move { thread, choice }));
            }
        }
        moves
    }
}

/// Which locks protect which variables, as far as is known. It only ever shrinks.
#[derive(Default)]
struct Protection {
    /// By variable: the locks that were held at every access; `None` if there was no
    /// access yet. A variable without an entry was never asked for.
    locks: HashMap<Object, Option<Vec<Object>>>,
    /// Whether a variable that was taken for protected has lost its last lock.
    refined: bool,
}

impl Protection {
    /// How the next step of a thread moves.
    fn mover<S: System>(&mut self, system: &S, state: &S::State, thread: Thread) -> Mover {
        let mut footprint = Footprint::default();
        system.footprint(state, thread, &mut footprint);
        let mut futures = None;
        let mut held = None;
        let (mut left, mut right) = (true, true);
        for &access in footprint.accesses() {
            let others = futures
                .get_or_insert_with(|| Others::new(system, state, thread))
                .on(access.object.region);
            let mut mover = mover_against(access.operation, others);
            if is_data(system, state, access) {
                let held = held.get_or_insert_with(|| held_by(system, state, thread));
                if mover != Mover::Both && self.protects(system, access.object, held) {
                    mover = Mover::Both;
                }
            } else if !others.contains(Operation::Read) {
                // Even if nobody else wants a lock, giving it back ends the protection
                // of what it protects, and so commits.
                let object = system.observe(state, access.object);
                mover = mover_in(access.operation, thread, &object);
            }
            left &= mover.is_left();
            right &= mover.is_right();
        }
        match (left, right) {
            (true, true) => Mover::Both,
            (true, false) => Mover::Left,
            (false, true) => Mover::Right,
            (false, false) => Mover::Neither,
        }
    }

    /// Whether a thread that holds these locks may rely on being alone with a variable.
    fn protects<S: System>(&mut self, system: &S, variable: Object, held: &[Object]) -> bool {
        // A variable whose name changes from state to state cannot be kept track of.
        if held.is_empty() || !system.is_permanent(variable) {
            return false;
        }
        match self.locks.entry(variable).or_default() {
            None => true,
            Some(locks) => locks.iter().any(|lock| held.contains(lock)),
        }
    }

    /// Takes note of the accesses that the next step of a thread makes.
    fn note<S: System>(&mut self, system: &S, state: &S::State, thread: Thread) {
        let mut footprint = Footprint::default();
        system.footprint(state, thread, &mut footprint);
        let held = held_by(system, state, thread);
        for &access in footprint.accesses() {
            if !is_data(system, state, access) || !system.is_permanent(access.object) {
                continue;
            }
            let (relied_on, locks) = match self.locks.get(&access.object) {
                None => (false, held.clone()),
                Some(None) => (true, held.clone()),
                Some(Some(locks)) => {
                    let kept = locks.iter().filter(|lock| held.contains(lock));
                    (!locks.is_empty(), kept.copied().collect())
                }
            };
            self.refined |= relied_on && locks.is_empty();
            self.locks.insert(access.object, Some(locks));
        }
    }
}

/// Whether an access is one to a variable. Looking at a monitor is not.
fn is_data<S: System>(system: &S, state: &S::State, access: Access) -> bool {
    Kind::Variable.operations().contains(&access.operation)
        && system.observe(state, access.object) == ObjectState::Opaque
}

/// The locks of a thread that have the same name in every state.
fn held_by<S: System>(system: &S, state: &S::State, thread: Thread) -> Vec<Object> {
    let mut held = Vec::new();
    system.held(state, thread, &mut held);
    held.retain(|&lock| system.is_permanent(lock));
    held
}

/// What all threads but one may still do.
struct Others(Option<Future>);

impl Others {
    fn new<S: System>(system: &S, state: &S::State, thread: Thread) -> Others {
        let mut all = Future::default();
        for other in (0..system.threads(state) as u32).map(Thread) {
            if other == thread || system.status(state, other) == Status::Done {
                continue;
            }
            match system.future(state, other) {
                Some(future) => all.merge(&future),
                None => return Others(None),
            };
        }
        Others(Some(all))
    }

    fn on(&self, region: Region) -> Operations {
        match &self.0 {
            Some(future) => future.on(region),
            None => Operations::ALL,
        }
    }
}
