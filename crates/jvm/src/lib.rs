//! A virtual machine for checking: it runs unmodified class files on the library of an
//! installed JDK, and its state can be copied, compared and hashed.
//!
//! [`World`] is what does not change while a program runs, [`State`] what does. [`boot`]
//! starts the library, [`start`] a program on it, and [`run`] runs that to its end on one
//! deterministic schedule.

mod arena;
mod boot;
mod bootstraps;
mod canonical;
mod check;
mod classfile;
mod code;
mod descriptor;
mod files;
mod form;
mod heap;
mod interpret;
mod known;
pub mod load;
mod made_up;
mod names;
mod natives;
mod network;
mod outline;
mod pages;
mod schedule;
mod state;
mod stubs;
mod thread;
mod world;

pub use boot::{boot, start};
pub use check::{
    BadLine, Grain, Java, JavaState, Processes, ProcessesState, Profile, Programs, Randomness, Time,
};
pub use classfile::{Malformed, NEWEST_VERSION, Summary, summary};
pub use heap::Ref;
pub use interpret::{Access, Event, Host, Unwatched, Watch, run_thread};
pub use natives::supported;
pub use outline::{Annotation, MemberOutline, Modifiers, Outline, Value, outline};
pub use schedule::{End, run, uncaught};
pub use state::State;
pub use thread::ThreadId;
pub use world::{ClassId, LoadError, MethodId, World};
