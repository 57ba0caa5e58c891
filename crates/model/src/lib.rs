//! The vocabulary of raddle: what a concurrent program is to a search, what its
//! steps touch, and what the answer looks like.
//!
//! This crate does nothing by itself. Read [`system`]
//! first: it is the one interface between programs and searches.

pub mod system;
pub mod facets;
pub mod layer;
pub mod operations;
pub mod footprint;
pub mod outcome;
pub mod reach;
pub mod stop;
pub mod trace;

pub use facets::{
    Future, Futures, Influence, Invariants, Permission, Permissions, Temporal, TemporalProperty,
};
pub use footprint::{Access, Footprint};
pub use layer::{Erased, Layer, StateOf};
pub use operations::{Kind, Mover, Object, ObjectState, Operation, Operations, Region};
pub use outcome::{
    Limits, Move, NoEnd, Outcome, Properties, Property, Reason, Schedule, Statistics, Unmet,
    Verdict, Violation,
};
pub use raddle_temporal::{Fairness, Formula, Letter};
pub use reach::{Point, PointKind, Reach, Vacuity};
pub use stop::StopFlag;
pub use system::{Fault, FaultKind, Halt, Place, States, Status, System, Thread};
pub use trace::{Change, Event, Narrate, Obstacle, Race, RacingAccess, Step, Trace, Waiting};
