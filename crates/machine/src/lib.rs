//! A small intermediate form for multithreaded programs, and the machine that runs
//! it as a [`raddle_model::System`].
//!
//! Front ends build an [`ir::Program`]; [`verify`](mod@verify) says whether it is
//! well formed; [`Machine`] runs it. Read [`ir`] first, then [`memory`] (how a state
//! is laid out in one flat vector) and [`interpret`] (what a step does).

pub mod ir;
mod replicate;
pub mod visit;
pub mod text;
pub mod verify;
pub mod facts;
pub mod memory;
pub mod evaluate;
pub mod reached;
pub mod interpret;
mod synchronise;
mod possible;
mod claims;
pub mod machine;
pub mod graph;
pub mod symmetry;

pub use machine::{Machine, MachineLimits};
