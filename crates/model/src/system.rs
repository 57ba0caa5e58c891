//! The seam between programs and searches.
//!
//! A front end turns a program into a [`System`]; a search explores one. Neither
//! knows the other. Whatever a reduction may rely on is asked through this trait:
//! which threads can move, what their next steps touch, what they may still touch
//! later, which locks they hold.

use crate::facets::{Futures, Invariants, Permissions, Temporal};
use crate::footprint::Footprint;
use crate::operations::{Object, ObjectState};
use crate::outcome::Reason;
use std::fmt;

/// What the states of a program are like.
pub trait States: Sync {
    /// A global state. Cloning must be cheap; `clone_from` should reuse memory.
    type State: Clone + Send;

    /// Whether [`System::decode`] makes a state of any canonical form. If not, it leaves states as
    /// they are, and whoever wants one back has to keep it.
    fn decodes(&self) -> bool {
        true
    }
}

/// A concurrent program as a search sees it. A step is one transition of one thread.
///
/// Threads are numbered from zero in the order of their creation and never
/// renumbered; [`System::threads`] grows when a step starts a thread.
///
/// What a program may also know of itself is in traits of their own, which can be left
/// empty: [`Futures`], [`Permissions`], [`Invariants`], [`Temporal`]. No method here has a default, so that
/// whoever stands between a program and a search forgets none; see [`crate::Layer`].
pub trait System: Futures + Permissions + Invariants + Temporal {
    /// The state in which nothing has happened yet.
    fn initial(&self) -> Result<Self::State, Halt>;

    /// How many threads were started so far, finished ones included.
    fn threads(&self, state: &Self::State) -> usize;

    /// Whether a thread can make a step now, and in how many ways.
    fn status(&self, state: &Self::State, thread: Thread) -> Status;

    /// Executes the next step of a ready thread. `choice` is less than the number
    /// of choices that [`System::status`] gave. After an error the state is
    /// unspecified and must be thrown away.
    fn step(&self, state: &mut Self::State, thread: Thread, choice: u32) -> Result<(), Halt>;

    /// The operations of a thread's next step, whether it is enabled or not, over
    /// all of its choices. Objects are named as in `state`.
    fn footprint(&self, state: &Self::State, thread: Thread, out: &mut Footprint);

    /// What the independence of two operations on `object` may depend on.
    fn observe(&self, state: &Self::State, object: Object) -> ObjectState;

    /// The monitors that a thread holds.
    fn held(&self, state: &Self::State, thread: Thread, out: &mut Vec<Object>);

    /// Whether the program may end while this thread has not.
    fn is_daemon(&self, state: &Self::State, thread: Thread) -> bool;

    /// Whether a thread that can move waits for somebody, and would move only because it has
    /// waited for long enough.
    fn is_impatient(&self, state: &Self::State, thread: Thread) -> bool;

    /// The canonical form of a state: equal words, same state. Names that have no
    /// meaning (the order of allocation, garbage) make no difference. A system
    /// whose states are already canonical returns them as they are; another one
    /// builds the form in `scratch`.
    fn encode<'a>(&self, state: &'a Self::State, scratch: &'a mut Vec<u32>) -> &'a [u32];

    /// The state that a canonical form stands for, written over `state`; see [`States::decodes`].
    fn decode(&self, words: &[u32], state: &mut Self::State);
}

/// The number of a thread, in order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thread(pub u32);

impl Thread {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a thread can do in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It can make its next step, in `choices` (at least one) different ways.
    Ready {
        /// The number of outcomes of the step.
        choices: u32,
    },
    /// Its next step waits for another thread. Its footprint tells for what.
    Blocked,
    /// It has finished.
    Done,
}

/// Why a step did not lead to a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The program did something wrong: a violation.
    Fault(Fault),
    /// An assumption of the program failed: this execution does not count.
    Pruned,
    /// raddle cannot go on (a limit of the machine, an unsupported feature). The
    /// verdict can no longer be *holds*.
    GaveUp(String),
    /// A [`crate::StopFlag`] was set in the middle of the step, for this reason.
    Stopped(Reason),
}

/// Something that a program did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What sort of mistake.
    pub kind: FaultKind,
    /// What exactly, in the program's own terms.
    pub message: String,
    /// Where in the source.
    pub place: Option<Place>,
}

/// The sorts of mistakes that end an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// An assertion is false.
    Assertion,
    /// An invariant is false.
    Invariant,
    /// A statement was reached that must not be.
    Unreachable,
    /// An array was indexed outside of its bounds.
    IndexOutOfRange,
    /// A null reference was followed.
    NullDereference,
    /// Division or remainder by zero.
    DivisionByZero,
    /// A ranged integer was given a value outside of its range.
    RangeOverflow,
    /// A monitor was released, waited on or notified by a thread that does not own it.
    IllegalMonitorState,
    /// Recursion went deeper than the limit.
    StackOverflow,
    /// More was allocated than the limit.
    HeapExhausted,
    /// A variable was accessed by a thread that must not access it then.
    Discipline,
    /// An exception ended a thread.
    Exception,
    /// Two threads are about to access a variable, and nothing orders them.
    Race,
}

impl FaultKind {
    /// All kinds, in the order of declaration.
    pub const ALL: [FaultKind; 13] = [
        FaultKind::Assertion,
        FaultKind::Invariant,
        FaultKind::Unreachable,
        FaultKind::IndexOutOfRange,
        FaultKind::NullDereference,
        FaultKind::DivisionByZero,
        FaultKind::RangeOverflow,
        FaultKind::IllegalMonitorState,
        FaultKind::StackOverflow,
        FaultKind::HeapExhausted,
        FaultKind::Discipline,
        FaultKind::Exception,
        FaultKind::Race,
    ];

    /// Whether it is a state that is wrong, rather than the step that leads to it.
    pub fn is_of_state(self) -> bool {
        matches!(self, FaultKind::Invariant | FaultKind::Race)
    }

    /// The name used in reports, in JSON and in expectations.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Assertion => "assertion",
            FaultKind::Invariant => "invariant",
            FaultKind::Unreachable => "unreachable",
            FaultKind::IndexOutOfRange => "index-out-of-range",
            FaultKind::NullDereference => "null-dereference",
            FaultKind::DivisionByZero => "division-by-zero",
            FaultKind::RangeOverflow => "range-overflow",
            FaultKind::IllegalMonitorState => "illegal-monitor-state",
            FaultKind::StackOverflow => "stack-overflow",
            FaultKind::HeapExhausted => "heap-exhausted",
            FaultKind::Discipline => "discipline",
            FaultKind::Exception => "exception",
            FaultKind::Race => "race",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A position in the source of a program. Lines and columns count from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Which of the program's source files.
    pub file: u32,
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}
