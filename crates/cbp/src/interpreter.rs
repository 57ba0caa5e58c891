//! The operational semantics, axioms 2.1 to 2.16, as a [`System`].
//!
//! A step is one axiom. The first thread chooses the initial values that matter (those of
//! global variables, and its own) before its first statement. Where a step needs another
//! thread (the one that is woken, the one that accepts), it is a step of the thread that acts,
//! with one choice for each candidate in the order of their numbers; who waits or accepts is
//! blocked.
//!
//! That the lock of an `unlock` or `sleep` is held (axioms 2.8 and 2.9) is checked before a
//! program is run. A thread that takes a lock twice waits for itself.

use crate::effects::Effects;
use crate::program::{Action, Alternative, Cell, PointId, Program, Value, Variable};
use crate::unsafety::{Demand, Population};
use raddle_model::{
    Fault, FaultKind, Footprint, Future, Futures, Halt, Invariants, Object, ObjectState,
    Permissions, States, Status, System, Temporal, Thread,
};

/// A program ready to run.
#[derive(Clone, Debug)]
pub struct Interpreter {
    pub(crate) program: Program,
    pub(crate) effects: Effects,
    limits: Limits,
    /// How many words the global variables take.
    global_words: usize,
    /// How many words a thread takes: where it stands, and its local variables.
    thread_words: usize,
}

/// How large a state may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Threads ever started; the interpreter gives up beyond.
    pub threads: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { threads: 16 }
    }
}

/// A state: global variables, the owners of locks, threads.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(crate) words: Vec<u32>,
}

impl Clone for State {
    fn clone(&self) -> State {
        State {
            words: self.words.clone(),
        }
    }

    fn clone_from(&mut self, other: &State) {
        self.words.clone_from(&other.words);
    }
}

/// No execution has more threads than this.
const MOST_THREADS: usize = 1 << 20;

const BITS: usize = u32::BITS as usize;

fn bit(words: &[u32], index: usize) -> bool {
    words[index / BITS] >> (index % BITS) & 1 != 0
}

fn set_bit(words: &mut [u32], index: usize, value: bool) {
    let mask = 1 << (index % BITS);
    match value {
        true => words[index / BITS] |= mask,
        false => words[index / BITS] &= !mask,
    }
}

impl Interpreter {
    /// Makes a program ready to run.
    pub fn new(program: Program, limits: Limits) -> Interpreter {
        let locals = program.types.iter().map(|it| it.locals.len()).max();
        Interpreter {
            global_words: program.globals.len().div_ceil(BITS),
            thread_words: 1 + locals.unwrap_or(0).div_ceil(BITS),
            effects: Effects::new(&program),
            limits: Limits {
                threads: limits.threads.clamp(1, MOST_THREADS),
            },
            program,
        }
    }

    /// The program that it runs.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The same without limits, for executions that are known to end.
    pub fn unlimited(&self) -> Interpreter {
        self.limited(Limits {
            threads: MOST_THREADS,
        })
    }

    /// The same with other limits.
    pub fn limited(&self, limits: Limits) -> Interpreter {
        Interpreter {
            limits,
            ..self.clone()
        }
    }

    fn first_thread(&self) -> usize {
        self.global_words + self.program.locks.len()
    }

    pub(crate) fn area(&self, thread: Thread) -> std::ops::Range<usize> {
        let start = self.first_thread() + thread.index() * self.thread_words;
        start..start + self.thread_words
    }

    /// Where a thread stands.
    pub fn point(&self, state: &State, thread: Thread) -> PointId {
        PointId(state.words[self.area(thread).start])
    }

    /// The values of a thread's local variables.
    pub fn locals(&self, state: &State, thread: Thread) -> Vec<bool> {
        let thread_type = self.program.point(self.point(state, thread)).thread;
        let locals = 0..self.program.types[thread_type].locals.len();
        let read = |index| self.read(state, thread, Variable::Local(index));
        locals.map(read).collect()
    }

    /// The value of a cell: whether a global variable is true, or a lock is taken.
    pub fn cell(&self, state: &State, cell: Cell) -> bool {
        match cell {
            Cell::Global(index) => bit(&state.words[..self.global_words], index),
            Cell::Lock(index) => self.owner(state, index).is_some(),
        }
    }

    /// Who holds a lock.
    pub fn owner(&self, state: &State, lock: usize) -> Option<Thread> {
        let word = state.words[self.global_words + lock];
        word.checked_sub(1).map(Thread)
    }

    pub(crate) fn set_owner(&self, state: &mut State, lock: usize, owner: Option<Thread>) {
        state.words[self.global_words + lock] = owner.map_or(0, |owner| owner.0 + 1);
    }

    pub(crate) fn action(&self, state: &State, thread: Thread) -> &Action {
        &self.program.point(self.point(state, thread)).action
    }

    pub(crate) fn all_threads(&self, state: &State) -> impl Iterator<Item = Thread> + use<> {
        (0..self.threads(state) as u32).map(Thread)
    }

    pub(crate) fn read(&self, state: &State, thread: Thread, variable: Variable) -> bool {
        match variable {
            Variable::Global(index) => bit(&state.words[..self.global_words], index),
            Variable::Local(index) => bit(&state.words[self.area(thread)][1..], index),
        }
    }

    fn write(&self, state: &mut State, thread: Thread, variable: Variable, value: bool) {
        let area = self.area(thread);
        match variable {
            Variable::Global(index) => set_bit(&mut state.words[..self.global_words], index, value),
            Variable::Local(index) => set_bit(&mut state.words[area][1..], index, value),
        }
    }

    pub(crate) fn evaluate(&self, state: &State, thread: Thread, value: Value) -> bool {
        value.evaluate(|variable| self.read(state, thread, variable))
    }

    fn go(&self, state: &mut State, thread: Thread, next: PointId) {
        let area = self.area(thread);
        // Whoever has finished has no variables any more.
        if matches!(self.program.point(next).action, Action::End) {
            state.words[area.clone()].fill(0);
        }
        state.words[area.start] = next.0;
    }

    /// Of the alternatives those that are possible, with their indices.
    pub(crate) fn possible<'s, 'a: 's>(
        &'s self,
        state: &'s State,
        thread: Thread,
        alternatives: &'a [Alternative],
    ) -> impl Iterator<Item = (usize, &'a Alternative)> + use<'s, 'a> {
        let all = alternatives.iter().enumerate();
        all.filter(move |(_, it)| it.guard.holds(|value| self.evaluate(state, thread, value)))
    }

    /// The threads one of which takes part in the next step of a thread, if any has to: who
    /// waits for its message, or accepts on its channel.
    pub fn partners(&self, state: &State, thread: Thread) -> Vec<Thread> {
        let fits = |action: &Action| match (self.action(state, thread), action) {
            (Action::Wakeup { message, .. }, Action::Wait { message: other, .. })
            | (Action::WakeupAll { message, .. }, Action::Wait { message: other, .. }) => {
                message == other
            }
            (Action::Rendezvous { channel, .. }, Action::Accept { channel: other, .. }) => {
                channel == other
            }
            _ => false,
        };
        let others = self.all_threads(state).filter(|&other| other != thread);
        others
            .filter(|&other| fits(self.action(state, other)))
            .collect()
    }

    /// The choice of a step in which a thread does something in particular; `None` if it
    /// cannot do that now.
    pub fn choice(&self, state: &State, thread: Thread, resolution: Resolution) -> Option<u32> {
        let choice = match (self.action(state, thread), resolution) {
            (Action::Alternatives(alternatives), Resolution::Alternative(index)) => {
                let mut possible = self.possible(state, thread, alternatives);
                possible.position(|(it, _)| it == index)?
            }
            (Action::Choose { .. }, Resolution::Value(value)) => usize::from(value),
            (Action::Wakeup { .. } | Action::Rendezvous { .. }, Resolution::With(partner)) => {
                let partners = self.partners(state, thread);
                partners.into_iter().position(|it| it == partner)?
            }
            (Action::Wakeup { .. }, Resolution::Alone) => match self.partners(state, thread)[..] {
                [] => 0,
                _ => return None,
            },
            (Action::Rendezvous { .. } | Action::Accept { .. }, _) => return None,
            (Action::Alternatives(_) | Action::Choose { .. }, _) => return None,
            (_, Resolution::Alone) => 0,
            _ => return None,
        };
        match self.status(state, thread) {
            Status::Ready { choices } if (choice as u32) < choices => Some(choice as u32),
            _ => None,
        }
    }

    /// What a thread does in one of its choices.
    pub fn resolution(&self, state: &State, thread: Thread, choice: u32) -> Resolution {
        let choice = choice as usize;
        match self.action(state, thread) {
            Action::Alternatives(alternatives) => {
                let mut possible = self.possible(state, thread, alternatives);
                possible
                    .nth(choice)
                    .map_or(Resolution::Alone, |(index, _)| {
                        Resolution::Alternative(index)
                    })
            }
            Action::Choose { .. } => Resolution::Value(choice != 0),
            Action::Wakeup { .. } | Action::Rendezvous { .. } => {
                let partner = self.partners(state, thread).get(choice).copied();
                partner.map_or(Resolution::Alone, Resolution::With)
            }
            _ => Resolution::Alone,
        }
    }

    /// Adds a thread.
    fn start(&self, state: &mut State, point: PointId, values: &[bool]) -> Result<(), Halt> {
        let thread = Thread(self.threads(state) as u32);
        if thread.index() >= self.limits.threads {
            let most = self.limits.threads;
            let why = format!("the program starts more than {most} threads");
            return Err(Halt::GaveUp(why));
        }
        let length = state.words.len() + self.thread_words;
        state.words.resize(length, 0);
        for (index, &value) in values.iter().enumerate() {
            self.write(state, thread, Variable::Local(index), value);
        }
        self.go(state, thread, point);
        Ok(())
    }

    fn fault(&self, thread_at: PointId, kind: FaultKind, message: &str) -> Halt {
        Halt::Fault(Fault {
            kind,
            message: self.with_caveat(message),
            place: Some(self.program.point(thread_at).place),
        })
    }

    fn with_caveat(&self, message: &str) -> String {
        match self.program.caveat() {
            Some(caveat) => format!("{message}; {caveat}"),
            None => message.to_owned(),
        }
    }

    /// Whether a demand of an unsafe set holds. A variable without an initial value has none.
    fn holds(&self, state: &State, demand: Demand) -> bool {
        match demand {
            Demand::Value(cell, value) => {
                // Values are chosen before there is a second thread.
                let mut threads = self.all_threads(state).take(1);
                let is_undecided = threads.any(|first| {
                    let point = self.point(state, first);
                    self.effects.undecided(point).contains(&cell)
                });
                !is_undecided && self.cell(state, cell) == value
            }
            Demand::AtLeast(population, least) => {
                let threads = self.all_threads(state);
                let inside = threads.filter(|&it| self.is_in(state, it, population));
                inside.count() >= least as usize
            }
        }
    }

    fn is_in(&self, state: &State, thread: Thread, population: Population) -> bool {
        self.program.is_in(self.point(state, thread), population)
    }
}

impl Program {
    /// Whether a thread at a point is in a population.
    pub fn is_in(&self, id: PointId, population: Population) -> bool {
        let point = self.point(id);
        match population {
            Population::Label(label) => point.label == Some(label),
            Population::Type(thread) => {
                point.thread == thread && !matches!(point.action, Action::End)
            }
        }
    }
}

/// In which way a thread makes its step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// There is one way only.
    Alone,
    /// By an alternative, given by its index.
    Alternative(usize),
    /// By choosing an initial value.
    Value(bool),
    /// With another thread, which it wakes or meets.
    With(Thread),
}

impl States for Interpreter {
    type State = State;
}

impl System for Interpreter {
    fn initial(&self) -> Result<State, Halt> {
        let mut state = State {
            words: vec![0; self.first_thread()],
        };
        self.start(&mut state, self.program.begin, &[])?;
        Ok(state)
    }

    fn threads(&self, state: &State) -> usize {
        (state.words.len() - self.first_thread()) / self.thread_words
    }

    fn status(&self, state: &State, thread: Thread) -> Status {
        let ready = |choices: usize| match choices {
            0 => Status::Blocked,
            choices => Status::Ready {
                choices: choices as u32,
            },
        };
        match self.action(state, thread) {
            Action::Alternatives(alternatives) => {
                ready(self.possible(state, thread, alternatives).count())
            }
            Action::Lock { lock, .. } | Action::Relock { lock, .. } => {
                ready(usize::from(self.owner(state, *lock).is_none()))
            }
            Action::Wait { .. } | Action::Accept { .. } => Status::Blocked,
            Action::Wakeup { .. } => ready(self.partners(state, thread).len().max(1)),
            Action::Rendezvous { .. } => ready(self.partners(state, thread).len()),
            Action::Choose { .. } => ready(2),
            Action::Unlock { .. }
            | Action::Sleep { .. }
            | Action::WakeupAll { .. }
            | Action::Start { .. }
            | Action::Assert { .. } => ready(1),
            Action::Failed | Action::End => Status::Done,
        }
    }

    fn step(&self, state: &mut State, thread: Thread, choice: u32) -> Result<(), Halt> {
        let blocked = || Halt::GaveUp("a blocked step was executed".to_owned());
        let point = self.point(state, thread);
        let next = match &self.program.point(point).action {
            Action::Alternatives(alternatives) => {
                let mut possible = self.possible(state, thread, alternatives);
                let chosen = possible.nth(choice as usize);
                drop(possible);
                let (_, chosen) = chosen.ok_or_else(blocked)?;
                self.assign(state, thread, &chosen.assignments);
                chosen.next
            }
            Action::Lock { lock, next } | Action::Relock { lock, next, .. } => {
                if self.owner(state, *lock).is_some() {
                    return Err(blocked());
                }
                self.set_owner(state, *lock, Some(thread));
                *next
            }
            Action::Unlock { lock, next } | Action::Sleep { lock, next, .. } => {
                self.set_owner(state, *lock, None);
                *next
            }
            Action::Wakeup { next, .. } => {
                let partners = self.partners(state, thread);
                if let Some(&woken) = partners.get(choice as usize) {
                    self.wake(state, woken);
                }
                *next
            }
            Action::WakeupAll { next, .. } => {
                for woken in self.partners(state, thread) {
                    self.wake(state, woken);
                }
                *next
            }
            Action::Start {
                thread: started,
                values,
                next,
            } => {
                self.start(state, self.program.types[*started].entry, values)?;
                *next
            }
            Action::Rendezvous { values, next, .. } => {
                let partners = self.partners(state, thread);
                let &partner = partners.get(choice as usize).ok_or_else(blocked)?;
                let values: Vec<bool> = values
                    .iter()
                    .map(|&value| self.evaluate(state, thread, value))
                    .collect();
                self.accept(state, partner, &values);
                *next
            }
            Action::Assert {
                condition, next, ..
            } => {
                let mut values = condition.iter();
                if !values.all(|&value| self.evaluate(state, thread, value)) {
                    return Err(self.fault(point, FaultKind::Assertion, "the assertion is false"));
                }
                *next
            }
            Action::Choose { variable, next } => {
                self.write(state, thread, *variable, choice != 0);
                *next
            }
            Action::Wait { .. } | Action::Accept { .. } | Action::Failed | Action::End => {
                return Err(blocked());
            }
        };
        self.go(state, thread, next);
        Ok(())
    }

    fn footprint(&self, state: &State, thread: Thread, out: &mut Footprint) {
        out.clear();
        self.effects.footprint(self, state, thread, out);
    }

    fn observe(&self, state: &State, object: Object) -> ObjectState {
        match self.effects.lock(object) {
            Some(lock) => {
                let owner = self.owner(state, lock);
                ObjectState::Monitor {
                    owner,
                    depth: u32::from(owner.is_some()),
                    // Nobody waits on a lock itself.
                    waiting: Vec::new(),
                    notified: Vec::new(),
                }
            }
            None => ObjectState::Opaque,
        }
    }

    fn held(&self, state: &State, thread: Thread, out: &mut Vec<Object>) {
        out.clear();
        let locks = 0..self.program.locks.len();
        let held = locks.filter(|&lock| self.owner(state, lock) == Some(thread));
        out.extend(held.map(|lock| self.effects.lock_object(lock)));
    }

    fn is_daemon(&self, _: &State, _: Thread) -> bool {
        false
    }

    fn is_impatient(&self, _: &State, _: Thread) -> bool {
        false
    }

    fn encode<'a>(&self, state: &'a State, _: &'a mut Vec<u32>) -> &'a [u32] {
        &state.words
    }

    fn decode(&self, words: &[u32], state: &mut State) {
        state.words.clear();
        state.words.extend_from_slice(words);
    }
}

impl Futures for Interpreter {
    fn future(&self, state: &State, thread: Thread) -> Option<Future> {
        let point = self.point(state, thread);
        Some(self.effects.future(point).clone())
    }

    fn future_on(
        &self,
        state: &State,
        thread: Thread,
        region: raddle_model::Region,
    ) -> raddle_model::Operations {
        self.effects.future(self.point(state, thread)).on(region)
    }
}

impl Permissions for Interpreter {
    fn is_permanent(&self, _: Object) -> bool {
        true
    }
}

impl Temporal for Interpreter {}

impl Invariants for Interpreter {
    fn check_invariants(&self, state: &State) -> Result<(), Fault> {
        for set in &self.program.unsafes {
            let mut cases = set.cases.iter();
            if cases.any(|case| case.iter().all(|&demand| self.holds(state, demand))) {
                let message = format!("the unsafe set `{}` is reached", set.text);
                return Err(Fault {
                    kind: FaultKind::Invariant,
                    message: self.with_caveat(&message),
                    place: set.place,
                });
            }
        }
        Ok(())
    }

    fn invariant_footprint(&self, _: &State, out: &mut Footprint) {
        out.clear();
        self.effects.invariant_footprint(out);
    }

    fn invariant_future(&self) -> Option<Future> {
        Some(self.effects.invariant_future())
    }
}

impl Interpreter {
    /// All values are computed before any variable gets one.
    fn assign(&self, state: &mut State, thread: Thread, assignments: &[(Variable, Value)]) {
        let values = assignments.iter();
        let values = values.map(|&(_, value)| self.evaluate(state, thread, value));
        let values: Vec<bool> = values.collect();
        for (&(variable, _), value) in assignments.iter().zip(values) {
            self.write(state, thread, variable, value);
        }
    }

    fn wake(&self, state: &mut State, woken: Thread) {
        if let Action::Wait { next, .. } = *self.action(state, woken) {
            self.go(state, woken, next);
        }
    }

    fn accept(&self, state: &mut State, partner: Thread, values: &[bool]) {
        let point = self.point(state, partner);
        if let Action::Accept {
            variables, next, ..
        } = &self.program.point(point).action
        {
            for (&variable, &value) in variables.iter().zip(values) {
                self.write(state, partner, Variable::Local(variable), value);
            }
            self.go(state, partner, *next);
        }
    }
}
