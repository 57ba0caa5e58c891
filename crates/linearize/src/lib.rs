//! Linearizability of a data structure (Herlihy and Wing 1990): what several threads call at the same
//! time ([`Scenario`]), and what may come of it ([`Allowed`]).
//!
//! An execution is *linearizable* if there is an order of its operations in which they give the same
//! results one after the other, and in which an operation comes after all that had returned before it
//! was called. This crate knows no Java: operations are numbers, results are texts, and what operations
//! give in an order is asked of a [`Sequential`] object.
//!
//! # How an execution is judged, and why that is sound
//!
//! The class that runs a scenario (`crates/jdk/src/structure/RaddleScenario.template`) notes, immediately before
//! an operation, how many operations of each other thread have returned; a thread says that an operation has
//! returned by a write of its own. When all threads have ended, it looks for one of the allowed orders with
//! these results in which no operation comes before one that it has noted. Every note and every such write
//! is a step that others can come between.
//!
//! - *No false alarm.* What was noted had returned before the operation was called. So the notes are a part of
//!   the real order, and an execution that is linearizable has an order that respects it.
//! - *Nothing is lost.* Let an execution be not linearizable. Put off each call, with its notes, until
//!   immediately before the first step of the operation that others can observe, and let each return come
//!   immediately after the last one. These steps, and so the results, stay the same, and operations that
//!   did not overlap still do not. In the new execution the notes are the whole real order, and since it is at
//!   least that of the old one, no order explains it. The new one is an execution of the same program, and all
//!   of them are explored.
//!
//! Threads that do the same are exchanged without a difference, so that only one of such scenarios is
//! generated.

mod orders;
mod scenario;
mod table;

pub use orders::{Allowed, Order, Ran, Sequential, allowed};
pub use scenario::{Bounds, Scenario};
pub use table::{NOT_LINEARIZABLE, Table};
