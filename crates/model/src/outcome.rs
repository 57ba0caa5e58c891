//! What is asked of a search and what it answers.

use crate::system::{Fault, Place, Thread};
use raddle_temporal::Fairness;
use std::time::Duration;

/// The answer of a run with what it rests on.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Whether the properties hold.
    pub verdict: Verdict,
    /// How much work it took.
    pub statistics: Statistics,
}

/// The three answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every execution that matters was explored and none violates a property.
    Holds,
    /// This execution violates a property.
    Violated(Violation),
    /// Neither: the search ended early, for these reasons.
    Unknown(Vec<Reason>),
}

/// A violated property and how to get there from the initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What is violated.
    pub property: Property,
    /// The steps that lead to it. For a fault, the last step is the one that fails; what is
    /// repeated for ever comes once.
    pub schedule: Schedule,
}

/// A property that can be violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Property {
    /// A thread did something wrong, or an invariant is false.
    Fault(Fault),
    /// No thread can move, and some have not finished.
    Deadlock(Vec<Thread>),
    /// These threads wait for ever, while others can still move.
    PartialDeadlock(Vec<Thread>),
    /// An execution is not as a temporal property says.
    Temporal(Unmet),
    /// After some steps no execution ends any more.
    NoEnd(NoEnd),
}

/// How an execution comes to where nothing can end, and what goes on there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoEnd {
    /// The threads that go on for ever, in ascending order.
    pub threads: Vec<Thread>,
    /// After so many steps nothing can end.
    pub lost_from: usize,
    /// The first step of the schedule that is repeated for ever, with those after it.
    pub repeats_from: usize,
}

/// A temporal property that an execution does not fulfil, which goes on for ever or cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    /// Its number among the temporal properties of the program.
    pub property: usize,
    /// Its name.
    pub name: String,
    /// The executions of which it should be true.
    pub fairness: Fairness,
    /// Where it is stated.
    pub place: Option<Place>,
    /// The first step of the schedule that is repeated for ever, with those after it; the number
    /// of its steps, if nothing can move after them.
    pub repeats_from: usize,
}

impl Property {
    /// The name used in reports, in JSON and in expectations.
    pub fn name(&self) -> &'static str {
        match self {
            Property::Fault(fault) => fault.kind.name(),
            Property::Deadlock(_) => "deadlock",
            Property::PartialDeadlock(_) => "partial-deadlock",
            Property::Temporal(_) => "temporal",
            Property::NoEnd(_) => "no-end",
        }
    }

    /// Where in the source it is stated or fails, if that is one place.
    pub fn place(&self) -> Option<Place> {
        match self {
            Property::Fault(fault) => fault.place,
            Property::Temporal(unmet) => unmet.place,
            Property::Deadlock(_) | Property::PartialDeadlock(_) | Property::NoEnd(_) => None,
        }
    }

    /// The first step of the schedule that is repeated for ever, if it tells of that.
    pub fn repeats_from(&self) -> Option<usize> {
        match self {
            Property::Temporal(unmet) => Some(unmet.repeats_from),
            Property::NoEnd(found) => Some(found.repeats_from),
            Property::Fault(_) | Property::Deadlock(_) | Property::PartialDeadlock(_) => None,
        }
    }

    /// The threads that wait for ever.
    pub fn stuck(&self) -> &[Thread] {
        match self {
            Property::Deadlock(threads) | Property::PartialDeadlock(threads) => threads,
            Property::Fault(_) | Property::Temporal(_) | Property::NoEnd(_) => &[],
        }
    }

    /// Whether another violation is one of the same thing, so that one may stand
    /// for the other in a report: the same mistake at the same place, a deadlock
    /// of the same kind and of the same threads, the same temporal property, or that there is no end.
    pub fn same_kind(&self, other: &Property) -> bool {
        match (self, other) {
            (Property::Fault(a), Property::Fault(b)) => a.kind == b.kind && a.place == b.place,
            (Property::Temporal(a), Property::Temporal(b)) => a.property == b.property,
            (Property::NoEnd(_), Property::NoEnd(_)) => true,
            (a, b) => a == b,
        }
    }
}

/// One step of a schedule: who moves, and which of its choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The thread that makes the step.
    pub thread: Thread,
    /// The choice it takes.
    pub choice: u32,
}

/// An execution, given by who moves when.
pub type Schedule = Vec<Move>;

/// Which properties a run checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Properties {
    /// Assertions and the other mistakes of a step.
    pub faults: bool,
    /// States in which nobody can move although somebody has not finished.
    pub deadlock: bool,
    /// Threads that wait for ever while others can move.
    pub partial_deadlock: bool,
    /// The program's invariants.
    pub invariants: bool,
    /// The program's temporal properties.
    pub temporal: bool,
    /// That an execution can still end, wherever it is. Not a mistake of every program: to be asked
    /// for.
    pub ends: bool,
}

impl Properties {
    /// Everything is checked that no program should do.
    pub const ALL: Properties = Properties {
        faults: true,
        deadlock: true,
        partial_deadlock: true,
        invariants: true,
        temporal: true,
        ends: false,
    };

    /// Nothing is checked.
    pub const NONE: Properties = Properties {
        faults: false,
        deadlock: false,
        partial_deadlock: false,
        invariants: false,
        temporal: false,
        ends: false,
    };

    /// What is in both.
    pub fn and(self, other: Properties) -> Properties {
        Properties {
            faults: self.faults && other.faults,
            deadlock: self.deadlock && other.deadlock,
            partial_deadlock: self.partial_deadlock && other.partial_deadlock,
            invariants: self.invariants && other.invariants,
            temporal: self.temporal && other.temporal,
            ends: self.ends && other.ends,
        }
    }
}

/// Where a search stops at the latest. Reaching a limit makes the verdict *unknown*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Memory for the search, in bytes.
    pub memory: Option<u64>,
    /// Number of states stored.
    pub states: Option<u64>,
    /// Number of steps from the initial state; deeper states are not expanded.
    pub depth: Option<u64>,
}

impl Limits {
    /// No limits at all.
    pub const NONE: Limits = Limits {
        time: None,
        memory: None,
        states: None,
        depth: None,
    };
}

/// Why a verdict is *unknown*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The time limit was reached.
    Time,
    /// The memory limit was reached.
    Memory,
    /// The limit on the number of states was reached.
    States,
    /// Some states lay at the depth limit and were not expanded.
    Depth,
    /// The user stopped the search.
    Interrupted,
    /// The store keeps too little of a state to prove anything: a search with it
    /// finds violations but never shows their absence.
    Bitstate,
    /// Only a part was to be explored: this.
    Partial(String),
    /// The machine could not go on.
    GaveUp(String),
}

/// How much work a search did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Different states reached.
    pub states: u64,
    /// Steps executed.
    pub transitions: u64,
    /// Executions followed to their end; zero for a search that stores states.
    pub executions: u64,
    /// Threads found blocked or finished, summed over the expanded states. Some
    /// papers count each of them as a transition back to the same state.
    pub stutters: u64,
    /// The longest path from the initial state that was followed.
    pub depth: u64,
    /// Executions cut off by a failed assumption.
    pub pruned: u64,
    /// Bytes used by the store of visited states.
    pub store_bytes: u64,
    /// Bytes used by the store, the stack and the queue together, at the most.
    pub peak_bytes: u64,
    /// Time the search took.
    pub elapsed: Duration,
    /// Upper bound on the probability that an inexact store took some new state for
    /// an old one; zero for an exact store.
    pub omission_probability: f64,
}
