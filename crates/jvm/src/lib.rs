//! A virtual machine for checking: it runs unmodified class files on the library of an
//! installed JDK, and its state can be copied, compared and hashed.
//!
//! [`World`] is what does not change while a program runs, [`State`] what does. [`boot`]
//! starts the library, [`start`] a program on it, and [`run`] runs that to its end on one
//! deterministic schedule.

pub mod arena;
mod boot;
mod bootstraps;
mod classfile;
mod code;
pub mod descriptor;
pub mod files;
pub mod form;
pub mod heap;
pub mod hook;
mod interpret;
pub mod known;
pub mod listing;
pub mod load;
pub mod made_up;
pub mod names;
mod natives;
pub mod network;
mod outline;
pub mod pages;
pub mod reach;
pub mod roles;
pub mod schedule;
pub mod state;
mod stubs;
mod symbols;
pub mod taint;
pub mod thread;
pub mod world;

pub use boot::{boot, boot_with, start};
pub use classfile::{ClassFile, Malformed, NEWEST_VERSION, Summary, summary};
pub use heap::Ref;
pub use interpret::{Event, Host, run_thread};
pub use natives::{
    Call, Exchange, class_display_name, describe_call, is_hidden, line_number, position,
    source_file, supported,
};
pub use outline::{Annotation, MemberOutline, Modifiers, Outline, Value, is_annotated, outline};
pub use schedule::{End, run, uncaught};
pub use state::State;
pub use symbols::{captured, column, variables};
pub use thread::ThreadId;
pub use world::{ClassId, LoadError, MethodId, World};
