//! Threads: frames, registers, and what a thread waits for.

use crate::heap::Ref;
use crate::world::{ClassId, MethodId};

/// The number of a thread, in order of creation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct ThreadId(pub(crate) u32);

/// A call that has not returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Frame {
    pub(crate) method: MethodId,
    /// The instruction that is being executed: of a caller, the call.
    pub(crate) pc: u32,
    /// Where its registers begin.
    pub(crate) base: u32,
    pub(crate) then: Then,
}

/// What is done when a frame is left, in either way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Then {
    Nothing,
    /// The monitor of a synchronized method is given back.
    Unlock(Ref),
    /// The class is initialised, or will never be. The caller tries its instruction again.
    Initialised(ClassId),
}

/// What a thread can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    Runnable,
    /// Waits for a monitor, to enter it.
    Entering(Ref),
    /// In `Object.wait`, with the monitor given back: how often it was held, when it ends by
    /// itself, and the turn in which it came.
    Waiting {
        object: Ref,
        count: u32,
        until: Option<u64>,
        turn: u64,
    },
    /// After `Object.wait`, waits for the monitor.
    Returning {
        object: Ref,
        count: u32,
        wake: Wake,
    },
    Parked {
        until: Option<u64>,
    },
    Sleeping {
        until: u64,
    },
    /// Waits until another thread has initialised a class.
    AwaitingClass(ClassId),
    Ended,
}

/// Why a thread goes on after it was blocked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Wake {
    /// It was not blocked.
    #[default]
    None,
    Done,
    TimedOut,
    Interrupted,
}

/// What a thread's frames are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Phase {
    /// The program.
    #[default]
    Running,
    /// The handler of an uncaught exception.
    Dispatching,
    /// What the library does at the end of a thread.
    Exiting,
}

/// A thread.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub(crate) id: ThreadId,
    /// Its `java.lang.Thread`.
    pub(crate) object: Ref,
    pub(crate) frames: Vec<Frame>,
    pub(crate) stack: Vec<u64>,
    pub(crate) status: Status,
    pub(crate) wake: Wake,
    /// Whether the next `park` returns at once.
    pub(crate) permit: bool,
    pub(crate) interrupted: bool,
    /// The exception that ended the thread.
    pub(crate) uncaught: Ref,
    pub(crate) phase: Phase,
}

impl Thread {
    pub(crate) fn new(id: ThreadId, object: Ref) -> Self {
        Self {
            id,
            object,
            frames: Vec::new(),
            stack: Vec::new(),
            status: Status::Runnable,
            wake: Wake::None,
            permit: false,
            interrupted: false,
            uncaught: Ref::NULL,
            phase: Phase::Running,
        }
    }
}
