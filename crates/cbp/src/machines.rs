//! Local machines and the global machine that they make up (section 3.2).
//!
//! **From**: paper 003, rules 2a to 2n of section 3.2.3, by a forward fixpoint from the threads
//! that are started (section 3.4): a local state is a control point with values of the local
//! variables, and only those are built that a thread may get to on its own, whatever the
//! shared cells are. Global variables and locks are cells that guards look at and actions
//! change.
//!
//! **Departures**: Rules 2b and 2d print the same guard on both branches; the second one is
//! one transition for each global conjunct, with those before it true and this one false. An
//! `unlock` and a `sleep` need their lock taken (axioms 2.8 and 2.9). There is no `begin`
//! state: a start adds a thread, as axiom 2.15 does, so that any number of threads needs no
//! reserve ([`LocalMachine::size_with_begin`] counts as the thesis does). Values are received
//! only if somebody sends them.

use crate::liveness::Liveness;
use crate::program::{Action, Alternative, Cell, Guard, PointId, Program, Value, Variable};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A global machine: the local machines of all thread types, any number of each.
#[derive(Clone, Debug)]
pub struct Machines {
    /// The program that it was made of.
    pub program: Program,
    /// The local machines, in the order of the thread types.
    pub locals: Vec<LocalMachine>,
    /// Which local variables their states tell apart; all of them if there is none.
    pub live: Option<Liveness>,
}

/// What a thread of some type does.
#[derive(Clone, Debug, Default)]
pub struct LocalMachine {
    /// Where a thread can be.
    pub states: Vec<LocalState>,
    /// How it gets from one to another.
    pub transitions: Vec<Transition>,
    /// Where threads begin.
    pub initial: Vec<usize>,
}

/// A control point, and values of the local variables.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalState {
    /// The point.
    pub point: PointId,
    /// The values.
    pub locals: Vec<bool>,
}

/// Values of some cells.
pub type Cells = BTreeMap<Cell, bool>;

/// A transition of a local machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The state before.
    pub from: usize,
    /// The state after.
    pub to: usize,
    /// What it has to do with other threads.
    pub signal: Signal,
    /// The cells that must have these values.
    pub guard: Cells,
    /// The cells that get these values.
    pub action: Cells,
    /// The steps of a thread that it stands for.
    pub path: Vec<Hop>,
}

/// What a transition does, without the steps that it stands for.
pub(crate) type Key = (usize, usize, Signal, Cells, Cells);

impl Transition {
    pub(crate) fn key(&self) -> Key {
        let (guard, action) = (self.guard.clone(), self.action.clone());
        (self.from, self.to, self.signal.clone(), guard, action)
    }
}

/// What a transition has to do with other threads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Signal {
    /// Nothing.
    Internal,
    /// A global variable gets its initial value.
    Choose(usize),
    /// `m!`: meets a thread that receives the same values.
    Send(usize, Vec<bool>),
    /// `m?`: meets a thread that sends the same values.
    Receive(usize, Vec<bool>),
    /// `m↑`: wakes one thread that waits for a message, if any does.
    Wakeup(usize),
    /// `m↓`: is woken so.
    Woken(usize),
    /// `m!!`: wakes all threads that wait for a message.
    WakeupAll(usize),
    /// `m??`: is woken so.
    WokenWithAll(usize),
    /// Starts a thread of a type in a state.
    Start(usize, usize),
}

/// In which way a step of a path goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hop {
    /// There is only one, or another thread decides.
    Only,
    /// By an alternative.
    Alternative(usize),
    /// By choosing an initial value.
    Value(bool),
}

/// A machine would be larger than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a machine has more than {MOST_TRANSITIONS} transitions")
    }
}

impl std::error::Error for TooLarge {}

/// The most transitions that all machines may have together.
pub const MOST_TRANSITIONS: usize = 1 << 18;

/// The most variables that one assignment may read before each combination of their values
/// would be a transition too many.
const MOST_READ: usize = 16;

/// Translates a program, as the thesis does.
pub fn machines(program: &Program) -> Result<Machines, TooLarge> {
    build(program, None)
}

/// Translates a program into machines whose states have the values of live local variables
/// only, and no transition twice. They do the same as those of [`machines`].
pub fn live_machines(program: &Program) -> Result<Machines, TooLarge> {
    build(program, Some(Liveness::new(program)))
}

fn build(program: &Program, live: Option<Liveness>) -> Result<Machines, TooLarge> {
    let mut builder = Builder {
        program,
        live,
        known: BTreeSet::new(),
        locals: vec![LocalMachine::default(); program.types.len()],
        numbers: vec![BTreeMap::new(); program.types.len()],
        waiting: Vec::new(),
        sent: BTreeMap::new(),
        acceptors: BTreeMap::new(),
        transitions: 0,
    };
    let nothing = vec![false; program.types[program.main].locals.len()];
    builder.begin(program.main, program.begin, nothing);
    while let Some((machine, state)) = builder.waiting.pop() {
        builder.expand(machine, state)?;
    }
    Ok(Machines {
        program: program.clone(),
        locals: builder.locals,
        live: builder.live,
    })
}

impl Machines {
    /// The local variables as the states of machines have them at a point.
    pub(crate) fn told_apart(&self, point: PointId, mut locals: Vec<bool>) -> Vec<bool> {
        if let Some(live) = &self.live {
            live.forget(point, &mut locals);
        }
        locals
    }

    /// The name of a local state: its point, and which of the local variables that matter there
    /// are true.
    pub fn state_name(&self, thread: usize, state: &LocalState) -> String {
        let program = &self.program;
        let point = program.point_name(state.point);
        let is_end = matches!(program.point(state.point).action, Action::End);
        let is_shown = |local: usize| {
            let live = self.live.as_ref();
            !is_end && live.is_none_or(|live| live.is_live(state.point, local))
        };
        let names = program.types[thread].locals.iter().zip(&state.locals);
        let names = names.enumerate().filter(|&(local, _)| is_shown(local));
        let values = names.map(|(_, (name, &value))| match value {
            true => name.clone(),
            false => format!("!{name}"),
        });
        let values: Vec<String> = values.collect();
        match values.is_empty() {
            true => point,
            false => format!("{point}[{}]", values.join(",")),
        }
    }
}

impl LocalMachine {
    /// How many states and transitions it has.
    pub fn size(&self) -> (usize, usize) {
        (self.states.len(), self.transitions.len())
    }

    /// How many it has with a state in which threads are before they are started.
    pub fn size_with_begin(&self) -> (usize, usize) {
        let (states, transitions) = self.size();
        (states + 1, transitions + self.initial.len())
    }
}

struct Builder<'p> {
    program: &'p Program,
    live: Option<Liveness>,
    /// The transitions that are there, if none is wanted twice: the machine, and what
    /// [`Transition::key`] says.
    known: BTreeSet<(usize, Key)>,
    locals: Vec<LocalMachine>,
    numbers: Vec<BTreeMap<LocalState, usize>>,
    /// States whose transitions are missing.
    waiting: Vec<(usize, usize)>,
    /// What is sent on each channel.
    sent: BTreeMap<usize, BTreeSet<Vec<bool>>>,
    /// Who accepts on each channel.
    acceptors: BTreeMap<usize, Vec<(usize, usize)>>,
    transitions: usize,
}

impl Builder<'_> {
    fn state(&mut self, machine: usize, point: PointId, mut locals: Vec<bool>) -> usize {
        // Whoever has finished has no variables any more.
        if let Action::End = self.program.point(point).action {
            locals.fill(false);
        }
        if let Some(live) = &self.live {
            live.forget(point, &mut locals);
        }
        let state = LocalState { point, locals };
        if let Some(&number) = self.numbers[machine].get(&state) {
            return number;
        }
        let number = self.locals[machine].states.len();
        self.locals[machine].states.push(state.clone());
        self.numbers[machine].insert(state, number);
        self.waiting.push((machine, number));
        number
    }

    fn begin(&mut self, machine: usize, point: PointId, locals: Vec<bool>) -> usize {
        let state = self.state(machine, point, locals);
        let initial = &mut self.locals[machine].initial;
        if !initial.contains(&state) {
            initial.push(state);
        }
        state
    }

    fn add(&mut self, machine: usize, transition: Transition) -> Result<(), TooLarge> {
        if self.live.is_some() && !self.known.insert((machine, transition.key())) {
            return Ok(());
        }
        self.transitions += 1;
        self.locals[machine].transitions.push(transition);
        match self.transitions > MOST_TRANSITIONS {
            true => Err(TooLarge),
            false => Ok(()),
        }
    }

    /// Adds the transitions from a state.
    fn expand(&mut self, machine: usize, from: usize) -> Result<(), TooLarge> {
        let program = self.program;
        let point = self.locals[machine].states[from].point;
        let taken = |lock: usize, value| Cells::from([(Cell::Lock(lock), value)]);
        match &program.point(point).action {
            Action::Alternatives(ways) => {
                for (index, way) in ways.iter().enumerate() {
                    self.alternative(machine, from, Hop::Alternative(index), way)?;
                }
            }
            Action::Assert {
                condition,
                next,
                failed,
            } => {
                let way = |guard, next| Alternative {
                    guard,
                    assignments: Vec::new(),
                    next,
                };
                let good = way(Guard::All(condition.clone()), *next);
                self.alternative(machine, from, Hop::Only, &good)?;
                let bad = way(Guard::NotAll(condition.clone()), *failed);
                self.alternative(machine, from, Hop::Only, &bad)?;
            }
            Action::Lock { lock, next } | Action::Relock { lock, next, .. } => {
                let (guard, action) = (taken(*lock, false), taken(*lock, true));
                self.simple(machine, from, *next, Signal::Internal, guard, action)?;
            }
            Action::Unlock { lock, next } | Action::Sleep { lock, next, .. } => {
                let (guard, action) = (taken(*lock, true), taken(*lock, false));
                self.simple(machine, from, *next, Signal::Internal, guard, action)?;
            }
            Action::Wait { message, next } => {
                self.signal(machine, from, *next, Signal::WokenWithAll(*message))?;
                self.signal(machine, from, *next, Signal::Woken(*message))?;
            }
            Action::Wakeup { message, next } => {
                self.signal(machine, from, *next, Signal::Wakeup(*message))?;
            }
            Action::WakeupAll { message, next } => {
                self.signal(machine, from, *next, Signal::WakeupAll(*message))?;
            }
            Action::Start {
                thread,
                values,
                next,
            } => {
                let entry = program.types[*thread].entry;
                let started = self.begin(*thread, entry, values.clone());
                self.signal(machine, from, *next, Signal::Start(*thread, started))?;
            }
            Action::Rendezvous {
                channel,
                values,
                next,
            } => {
                let locals = &self.locals[machine].states[from].locals;
                let values = values.iter().map(|&it| local_value(it, locals));
                let values: Vec<bool> = values.collect();
                self.signal(machine, from, *next, Signal::Send(*channel, values.clone()))?;
                let sent = self.sent.entry(*channel).or_default();
                if sent.insert(values.clone()) {
                    let acceptors = self.acceptors.get(channel).cloned();
                    for (other, state) in acceptors.unwrap_or_default() {
                        self.accept(other, state, &values)?;
                    }
                }
            }
            Action::Accept { channel, .. } => {
                let acceptors = self.acceptors.entry(*channel).or_default();
                acceptors.push((machine, from));
                let sent = self.sent.get(channel).cloned();
                for values in sent.unwrap_or_default() {
                    self.accept(machine, from, &values)?;
                }
            }
            Action::Choose { variable, next } => {
                for value in [false, true] {
                    self.choose(machine, from, *variable, value, *next)?;
                }
            }
            Action::Failed | Action::End => {}
        }
        Ok(())
    }

    /// Adds a transition that leaves the local variables alone.
    fn simple(
        &mut self,
        machine: usize,
        from: usize,
        next: PointId,
        signal: Signal,
        guard: Cells,
        action: Cells,
    ) -> Result<(), TooLarge> {
        let locals = self.locals[machine].states[from].locals.clone();
        let transition = Transition {
            from,
            to: self.state(machine, next, locals),
            signal,
            guard,
            action,
            path: vec![Hop::Only],
        };
        self.add(machine, transition)
    }

    fn signal(
        &mut self,
        machine: usize,
        from: usize,
        next: PointId,
        signal: Signal,
    ) -> Result<(), TooLarge> {
        self.simple(machine, from, next, signal, Cells::new(), Cells::new())
    }

    fn choose(
        &mut self,
        machine: usize,
        from: usize,
        variable: Variable,
        value: bool,
        next: PointId,
    ) -> Result<(), TooLarge> {
        let mut locals = self.locals[machine].states[from].locals.clone();
        let mut action = Cells::new();
        let signal = match variable {
            Variable::Local(index) => {
                locals[index] = value;
                Signal::Internal
            }
            Variable::Global(index) => {
                action.insert(Cell::Global(index), value);
                Signal::Choose(index)
            }
        };
        let transition = Transition {
            from,
            to: self.state(machine, next, locals),
            signal,
            guard: Cells::new(),
            action,
            path: vec![Hop::Value(value)],
        };
        self.add(machine, transition)
    }

    /// Rules 2a to 2d: one transition for each way in which a guard can hold, and for each
    /// combination of the global values that are read.
    fn alternative(
        &mut self,
        machine: usize,
        from: usize,
        hop: Hop,
        way: &Alternative,
    ) -> Result<(), TooLarge> {
        let locals = self.locals[machine].states[from].locals.clone();
        // What nobody looks at needs no value.
        let live = self.live.as_ref();
        let assignments = way.assignments.iter().copied();
        let assignments: Vec<(Variable, Value)> = assignments
            .filter(|&(variable, _)| live.is_none_or(|it| it.is_needed(way.next, variable)))
            .collect();
        for guard in ways_to_hold(&way.guard, &locals) {
            let read = assignments.iter().filter_map(|it| it.1.variable());
            let unknown: BTreeSet<Cell> = read
                .filter_map(|it| match it {
                    Variable::Global(index) => Some(Cell::Global(index)),
                    Variable::Local(_) => None,
                })
                .filter(|cell| !guard.contains_key(cell))
                .collect();
            for guard in valuations(&unknown, &guard)? {
                let value = |value: Value| {
                    value.evaluate(|variable| match variable {
                        Variable::Local(index) => locals[index],
                        Variable::Global(index) => guard[&Cell::Global(index)],
                    })
                };
                let (mut after, mut action) = (locals.clone(), Cells::new());
                for &(variable, assigned) in &assignments {
                    match variable {
                        Variable::Local(index) => after[index] = value(assigned),
                        Variable::Global(index) => {
                            action.insert(Cell::Global(index), value(assigned));
                        }
                    }
                }
                let to = self.state(machine, way.next, after);
                let transition = Transition {
                    from,
                    to,
                    signal: Signal::Internal,
                    guard,
                    action,
                    path: vec![hop],
                };
                self.add(machine, transition)?;
            }
        }
        Ok(())
    }

    fn accept(&mut self, machine: usize, from: usize, values: &[bool]) -> Result<(), TooLarge> {
        let LocalState { point, mut locals } = self.locals[machine].states[from].clone();
        let Action::Accept {
            channel,
            variables,
            next,
        } = &self.program.point(point).action
        else {
            return Ok(());
        };
        for (&variable, &value) in variables.iter().zip(values) {
            locals[variable] = value;
        }
        let to = self.state(machine, *next, locals);
        let transition = Transition {
            from,
            to,
            signal: Signal::Receive(*channel, values.to_vec()),
            guard: Cells::new(),
            action: Cells::new(),
            path: vec![Hop::Only],
        };
        self.add(machine, transition)
    }
}

/// The value of an expression over local variables.
fn local_value(value: Value, locals: &[bool]) -> bool {
    value.evaluate(|variable| match variable {
        Variable::Local(index) => locals[index],
        // The rules for rendezvous exclude it.
        Variable::Global(_) => false,
    })
}

/// The ways in which a guard can hold, given the local variables: conjunctions over cells
/// that exclude each other.
fn ways_to_hold(guard: &Guard, locals: &[bool]) -> Vec<Cells> {
    // A conjunct is decided, or it is that a cell has a value.
    let decide = |value: Value| match value {
        Value::Constant(value) => Err(value),
        Value::Of {
            variable: Variable::Local(index),
            negated,
        } => Err(locals[index] != negated),
        Value::Of {
            variable: Variable::Global(index),
            negated,
        } => Ok((Cell::Global(index), !negated)),
    };
    let values = guard.values().iter().copied().map(decide);
    let (mut open, mut is_false) = (Vec::new(), false);
    for value in values {
        match value {
            Ok(literal) => open.push(literal),
            Err(value) => is_false |= !value,
        }
    }
    let all_true = |literals: &[(Cell, bool)]| {
        let mut cells = Cells::new();
        let mut literals = literals.iter();
        let consistent =
            literals.all(|&(cell, value)| *cells.entry(cell).or_insert(value) == value);
        consistent.then_some(cells)
    };
    match guard {
        Guard::Any => vec![Cells::new()],
        Guard::All(_) if is_false => Vec::new(),
        Guard::All(_) => all_true(&open).into_iter().collect(),
        Guard::NotAll(_) if is_false => vec![Cells::new()],
        Guard::NotAll(_) => {
            let first_false = |index: usize| {
                let (cell, value) = open[index];
                let mut literals = open[..index].to_vec();
                literals.push((cell, !value));
                all_true(&literals)
            };
            (0..open.len()).filter_map(first_false).collect()
        }
    }
}

/// All ways to give these cells values, each added to what is known.
fn valuations(cells: &BTreeSet<Cell>, known: &Cells) -> Result<Vec<Cells>, TooLarge> {
    if cells.len() > MOST_READ {
        return Err(TooLarge);
    }
    let mut all = vec![known.clone()];
    for &cell in cells {
        let both = |it: Cells| {
            let with = |value| {
                let mut cells = it.clone();
                cells.insert(cell, value);
                cells
            };
            [with(true), with(false)]
        };
        all = all.into_iter().flat_map(both).collect();
    }
    Ok(all)
}
