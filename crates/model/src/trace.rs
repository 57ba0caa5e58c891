//! An execution told to a person: every step with its place in the source, the
//! values it read and wrote, and at the end who waits for whom.

use crate::operations::{Object, Operation};
use crate::outcome::{Move, Property};
use crate::system::{Halt, Place, System, Thread};
use std::fmt;

/// A system that can tell what its steps do, in the words of the source.
pub trait Narrate: System {
    /// The name of a thread, such as `philosopher[2]`.
    fn thread_name(&self, state: &Self::State, thread: Thread) -> String;

    /// The name of an object, such as `fork[1]` or `Node#3.next`.
    fn object_name(&self, state: &Self::State, object: Object) -> String;

    /// Where the next step of a thread begins in the source; `None` if it has finished.
    fn next_place(&self, state: &Self::State, thread: Thread) -> Option<Place>;

    /// Executes a step as [`System::step`] does, and tells what it did. The events
    /// up to a fault are told too.
    fn narrate(
        &self,
        state: &mut Self::State,
        step: Move,
        events: &mut Vec<Event>,
    ) -> Result<(), Halt>;

    /// The values of the shared variables in a state, by name, for display.
    fn shared_values(&self, state: &Self::State) -> Vec<(String, String)>;

    /// What is to be told of what happens before the first step.
    fn prelude(&self) -> Vec<Event> {
        Vec::new()
    }

    /// The race in a state, if there is one and that is a violation.
    fn race(&self, _state: &Self::State) -> Option<Race> {
        None
    }

    /// Why a blocked thread cannot go on, where there is more to say than its footprint does.
    fn obstacle(&self, _state: &Self::State, _thread: Thread) -> Option<Obstacle> {
        None
    }
}

/// What a thread waits for, in the words of its language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Obstacle {
    /// What it does: `waits for the monitor of Account#1`.
    pub what: String,
    /// The lock that it waits for, by name.
    pub lock: Option<String>,
    /// The thread that could let it go on, and no other.
    pub holder: Option<Thread>,
    /// Whether it waits for something to do, as the workers of a pool do.
    pub is_idle: bool,
}

/// One thing that a step did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// Where in the source.
    pub place: Option<Place>,
    /// What it touched, by name; empty for steps that touch nothing shared.
    pub object: String,
    /// What it did to it; `None` for local events such as a choice.
    pub operation: Option<Operation>,
    /// The value read, written, chosen or sent, as the source would spell it.
    pub value: Option<String>,
    /// The value that was overwritten, if it is known.
    pub before: Option<String>,
    /// The function of a library that does it, as the program calls it at the place.
    pub inside: Option<String>,
    /// Whether only the library has something to do with it, so that it is shown to those who ask for
    /// all.
    pub is_detail: bool,
}

/// A step of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Who moved and how.
    pub step: Move,
    /// Where the step began in the source.
    pub place: Option<Place>,
    /// What it did.
    pub events: Vec<Event>,
    /// The shared variables that have another value afterwards, with that value, or with none
    /// if they are gone; `None` if that was not recorded.
    pub changes: Option<Vec<Change>>,
}

/// The name of a variable, and its new value if it still has one.
pub type Change = (String, Option<String>);

/// A thread that waits at the end of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The thread.
    pub thread: Thread,
    /// Where it waits.
    pub place: Option<Place>,
    /// What it wants to do and cannot.
    pub wants: Vec<(Operation, String)>,
    /// The threads without which it cannot go on.
    pub waits_for: Vec<Thread>,
    /// The same in the words of its language, if those say more.
    pub obstacle: Option<Obstacle>,
}

/// Two accesses to a variable by different threads, at least one of which writes, that
/// nothing orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race {
    /// The variable, by name.
    pub variable: String,
    /// The accesses, in the order of their places.
    pub accesses: [RacingAccess; 2],
}

/// One of the accesses of a [`Race`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RacingAccess {
    /// The name of the thread.
    pub thread: String,
    /// Where in the source, if that is there.
    pub place: Option<Place>,
    /// Where, in words: `Counter.java:7`.
    pub whereabouts: String,
    /// Whether it writes, and perhaps reads as well.
    pub is_write: bool,
}

impl fmt::Display for Race {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.accesses;
        write!(f, "{}: {first} and {second}", self.variable)
    }
}

impl fmt::Display for RacingAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.is_write { "write" } else { "read" };
        write!(f, "{} ({}, {what})", self.whereabouts, self.thread)
    }
}

/// An execution that ends in a violation, replayed and told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// What is violated at the end.
    pub property: Property,
    /// The names of the threads.
    pub threads: Vec<String>,
    /// What happens before the first step.
    pub prelude: Vec<Event>,
    /// The values of the shared variables before the first step.
    pub initial: Vec<(String, String)>,
    /// The steps in order.
    pub steps: Vec<Step>,
    /// Where the next step of each thread begins in the last state.
    pub next: Vec<Option<Place>>,
    /// The threads that wait in the last state.
    pub waiting: Vec<Waiting>,
    /// The accesses that come next, if it is a race of theirs that is wrong.
    pub race: Option<Race>,
    /// The values of the shared variables in the last state.
    pub values: Vec<(String, String)>,
}
