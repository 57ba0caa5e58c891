//! Java programs as systems that are searched.
//!
//! `check` makes a [`System`](raddle_model::System) of a program that runs on the machine of
//! `raddle-jvm`; how far a step goes is its business. Which of the steps are made is that of a
//! search of `raddle-reduce`, to which a Java program is a system like any other: see [`Plan`].

mod check;
mod plan;
mod verdict;

pub use check::{
    BadLine, Exploration, Grain, Java, JavaState, MemoryModel, Processes, ProcessesState, Profile,
    Programs, Randomness, Settings, Time, Timeouts,
};
pub use plan::Plan;
pub use verdict::{Unfit, doubt, no_end, not_covered};
