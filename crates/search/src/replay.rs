//! Executes a schedule again and tells what happens.

use crate::examine::Examiner;
use crate::liveness::{confirm, confirm_no_end};
use crate::waits::waits_for;
use raddle_model::{
    Change, Event, Footprint, Halt, Move, Narrate, Properties, Property, Status, Step, System,
    Thread, Trace, Waiting,
};
use std::collections::BTreeMap;
use std::fmt;

/// Executes a schedule, and checks that each of its moves is possible and that it
/// ends in the expected violation: for a fault one of the same kind at the same
/// place, for a deadlock one of the same threads.
///
/// The states are not brought into canonical form on the way, as a search does, so
/// that the names of objects stay the same throughout the trace. This is why the
/// message of a fault, which may contain such names, need not be the expected one;
/// the trace has the message that goes with its names.
pub fn replay<S: Narrate>(
    system: &S,
    schedule: &[Move],
    expected: &Property,
) -> Result<Trace, ReplayError> {
    execute(system, schedule, expected, true)
}

/// As [`replay`], but without the steps and all values: what is violated, and by whom. This is
/// much cheaper for a long schedule.
pub fn outline<S: Narrate>(
    system: &S,
    schedule: &[Move],
    expected: &Property,
) -> Result<Trace, ReplayError> {
    execute(system, schedule, expected, false)
}

fn execute<S: Narrate>(
    system: &S,
    schedule: &[Move],
    expected: &Property,
    is_told: bool,
) -> Result<Trace, ReplayError> {
    let mut state = match (system.initial(), schedule) {
        (Ok(state), _) => state,
        (Err(Halt::Fault(fault)), []) => {
            return trace_of_nothing(Property::Fault(fault), expected, system.prelude());
        }
        (Err(halt), _) => return Err(ReplayError::Start(halt)),
    };
    // A step that fails leaves no state behind: the last one is that before it.
    let mut last = state.clone();
    let mut steps = Vec::new();
    let values = |state: &S::State| match is_told {
        true => system.shared_values(state),
        false => Vec::new(),
    };
    let initial = values(&state);
    let mut diary = Diary::new(initial.clone());
    let mut fault = None;
    for (index, &step) in schedule.iter().enumerate() {
        possible(system, &state, step).map_err(|why| ReplayError::Impossible(index, why))?;
        let result = match is_told {
            true => tell(system, &mut state, step, &mut diary, &mut steps),
            false => system.step(&mut state, step.thread, step.choice),
        };
        match result {
            Ok(()) => last.clone_from(&state),
            Err(Halt::Fault(found)) if index + 1 == schedule.len() => fault = Some(found),
            Err(halt) => return Err(ReplayError::Halted(index, halt)),
        }
    }
    let found = match fault {
        Some(fault) => Some(Property::Fault(fault)),
        None => match expected {
            Property::Temporal(unmet) => confirm(system, schedule, unmet).then(|| expected.clone()),
            Property::NoEnd(found) => {
                confirm_no_end(system, schedule, found).then(|| expected.clone())
            }
            _ => violation_in(system, &last, expected),
        },
    };
    match found {
        Some(found) if agrees(&found, expected) => Ok(Trace {
            property: found,
            threads: all_threads(system, &last)
                .map(|thread| system.thread_name(&last, thread))
                .collect(),
            prelude: match is_told {
                true => system.prelude(),
                false => Vec::new(),
            },
            initial,
            steps,
            next: all_threads(system, &last)
                .map(|thread| system.next_place(&last, thread))
                .collect(),
            waiting: waiting(system, &last),
            race: system.race(&last),
            values: values(&last),
        }),
        found => Err(ReplayError::Different(found)),
    }
}

/// Makes a step and adds what happens in it.
fn tell<S: Narrate>(
    system: &S,
    state: &mut S::State,
    step: Move,
    diary: &mut Diary,
    steps: &mut Vec<Step>,
) -> Result<(), Halt> {
    let place = system.next_place(state, step.thread);
    let mut events = Vec::new();
    let result = system.narrate(state, step, &mut events);
    let changes = match result {
        Ok(()) => diary.changes(system, state),
        Err(_) => Some(Vec::new()),
    };
    steps.push(Step {
        step,
        place,
        events,
        changes,
    });
    result
}

/// Why a schedule does not show what it is meant to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// The program fails or cannot go on before its first step.
    Start(Halt),
    /// The step with this index, from zero, cannot be made.
    Impossible(usize, Impossible),
    /// The step with this index, from zero, ended the execution.
    Halted(usize, Halt),
    /// All steps were made, but this is what they lead to, or to nothing wrong.
    Different(Option<Property>),
}

/// Why a step cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Impossible {
    /// There is no such thread in the state.
    NoThread(Thread),
    /// The thread is blocked.
    Blocked(Thread),
    /// The thread has finished.
    Done(Thread),
    /// The thread can move, but has only so many choices.
    NoChoice {
        /// The choice of the schedule, from zero.
        choice: u32,
        /// How many there are.
        choices: u32,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Start(halt) => {
                write!(f, "the program has no initial state: ")?;
                write_halt(f, halt)
            }
            ReplayError::Impossible(step, why) => {
                write!(f, "step {} is not possible: {why}", step + 1)
            }
            ReplayError::Halted(step, halt) => {
                write!(f, "the execution ends at step {}: ", step + 1)?;
                write_halt(f, halt)
            }
            ReplayError::Different(Some(property)) => {
                write!(
                    f,
                    "the schedule ends in another violation: {}",
                    property.name()
                )
            }
            ReplayError::Different(None) => write!(f, "the schedule ends in no violation"),
        }
    }
}

impl std::error::Error for ReplayError {}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Impossible::NoThread(thread) => write!(f, "there is no thread {}", thread.0),
            Impossible::Blocked(thread) => write!(f, "thread {} is blocked", thread.0),
            Impossible::Done(thread) => write!(f, "thread {} has finished", thread.0),
            Impossible::NoChoice { choice, choices } => {
                write!(f, "there is no choice {choice}, only {choices} of them")
            }
        }
    }
}

fn write_halt(f: &mut fmt::Formatter<'_>, halt: &Halt) -> fmt::Result {
    match halt {
        Halt::Fault(fault) => write!(f, "{}: {}", fault.kind, fault.message),
        Halt::Pruned => write!(f, "an assumption fails"),
        Halt::GaveUp(why) => write!(f, "{why}"),
        Halt::Stopped(_) => write!(f, "it was stopped"),
    }
}

/// Whether a step can be made, and why not.
pub(crate) fn possible<S: System>(
    system: &S,
    state: &S::State,
    step: Move,
) -> Result<(), Impossible> {
    let Move { thread, choice } = step;
    if thread.index() >= system.threads(state) {
        return Err(Impossible::NoThread(thread));
    }
    match system.status(state, thread) {
        Status::Ready { choices } if choice < choices => Ok(()),
        Status::Ready { choices } => Err(Impossible::NoChoice { choice, choices }),
        Status::Blocked => Err(Impossible::Blocked(thread)),
        Status::Done => Err(Impossible::Done(thread)),
    }
}

/// The checks of a state that can show a violation of the same kind.
pub(crate) fn checks_for(property: &Property) -> Properties {
    Properties {
        faults: true,
        deadlock: matches!(property, Property::Deadlock(_)),
        partial_deadlock: matches!(property, Property::PartialDeadlock(_)),
        invariants: matches!(property, Property::Fault(f) if f.kind.is_of_state()),
        temporal: false,
        ends: false,
    }
}

/// The violation in a state that is most like the expected one.
fn violation_in<S: System>(system: &S, state: &S::State, expected: &Property) -> Option<Property> {
    let mut found = Vec::new();
    let mut examine = |properties: &Properties| {
        Examiner::default().examine(system, state, properties, &mut Vec::new(), &mut found);
    };
    examine(&checks_for(expected));
    examine(&Properties::ALL);
    found.into_iter().next()
}

fn agrees(found: &Property, expected: &Property) -> bool {
    match (found, expected) {
        (Property::Fault(_), Property::Fault(_)) => found.same_kind(expected),
        _ => found == expected,
    }
}

/// The trace of a program that fails before its first step.
fn trace_of_nothing(
    found: Property,
    expected: &Property,
    prelude: Vec<Event>,
) -> Result<Trace, ReplayError> {
    match agrees(&found, expected) {
        true => Ok(Trace {
            property: found,
            threads: Vec::new(),
            prelude,
            initial: Vec::new(),
            steps: Vec::new(),
            next: Vec::new(),
            waiting: Vec::new(),
            race: None,
            values: Vec::new(),
        }),
        false => Err(ReplayError::Different(Some(found))),
    }
}

/// What the shared variables were last, to tell what changes.
pub struct Diary {
    known: BTreeMap<String, String>,
    /// How many values may still be looked at.
    left: usize,
}

impl Diary {
    /// So many values are looked at: a long trace of a program with many objects would
    /// otherwise take longer to tell than to find.
    const MOST: usize = 1_000_000;

    /// Begins with values by their names.
    pub fn new(values: Vec<(String, String)>) -> Diary {
        Diary {
            known: values.into_iter().collect(),
            left: Diary::MOST,
        }
    }

    /// What is different in a state from the one before, by name; `None` once that has become
    /// too much work.
    pub fn changes<S: Narrate>(&mut self, system: &S, state: &S::State) -> Option<Vec<Change>> {
        self.left = self.left.checked_sub(self.known.len())?;
        let now: BTreeMap<String, String> = system.shared_values(state).into_iter().collect();
        let new = now
            .iter()
            .filter(|(name, value)| self.known.get(*name) != Some(value))
            .map(|(name, value)| (name.clone(), Some(value.clone())));
        let gone = self.known.keys().filter(|name| !now.contains_key(*name));
        let changes = new.chain(gone.map(|name| (name.clone(), None))).collect();
        self.known = now;
        Some(changes)
    }
}

/// What the blocked threads of a state wait for.
fn waiting<S: Narrate>(system: &S, state: &S::State) -> Vec<Waiting> {
    let mut footprint = Footprint::default();
    all_threads(system, state)
        .filter(|&thread| system.status(state, thread) == Status::Blocked)
        .map(|thread| {
            footprint.clear();
            system.footprint(state, thread, &mut footprint);
            let accesses = footprint.accesses().iter();
            Waiting {
                thread,
                place: system.next_place(state, thread),
                wants: accesses
                    .map(|access| (access.operation, system.object_name(state, access.object)))
                    .collect(),
                waits_for: waits_for(system, state, thread),
                obstacle: system.obstacle(state, thread),
            }
        })
        .collect()
}

fn all_threads<S: System>(system: &S, state: &S::State) -> impl Iterator<Item = Thread> {
    (0..system.threads(state) as u32).map(Thread)
}
