//! What is known of a Java program without running it.
//!
//! **From**: paper 003, section 4.3 (after Corbett): which objects a reference may refer to, which
//! threads may access which fields, which locks are held then, and which threads may run at the same
//! time. What is not known makes a fact unknown, never wrong.

mod graph;
mod set;
mod values;
mod remote;
mod points_to;
mod threads;
mod locks;
mod accesses;
mod facts;
mod executions;
mod sharing;
mod text;
mod page;

pub use facts::Facts;
pub use sharing::{FieldAccess, Line, Nested, Protection, SharedField, Sharing, ThreadKind};

use raddle_jvm::{State, World};

/// What the threads of a program share, seen from a state in which `main` has not begun.
pub fn analyse(world: &World, start: &State) -> Sharing {
    Facts::of(world, start).sharing()
}
