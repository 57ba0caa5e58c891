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
mod sharing;
mod text;

pub use points_to::{Context, InstanceId, Object, ObjectId, Origin};
pub use sharing::{FieldAccess, Line, Nested, Protection, SharedField, Sharing, ThreadKind};

use raddle_jvm::{State, World};

/// Looks at a program from a state in which `main` has not begun.
pub fn analyse(world: &World, start: &State) -> Sharing {
    let points = points_to::points_to(world, start);
    let threads = threads::threads(&points);
    let locks = locks::locks(&points, &threads);
    let accesses = accesses::accesses(&points, &threads, &locks);
    sharing::sharing(&points, &threads, &accesses, &locks)
}
