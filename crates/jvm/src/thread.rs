//! Threads: frames, registers, and what a thread waits for.

use crate::code::{Body, Liveness};
use crate::descriptor::Kind;
use crate::form::CachedForm;
use crate::heap::Ref;
use crate::network::{Request, Socket};
use crate::taint::ThreadMarks;
use crate::world::{ClassId, MethodId, World};

/// The number of a thread, in order of creation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct ThreadId(pub u32);

impl ThreadId {
    /// The thread that runs `main`.
    pub const MAIN: Self = Self(0);
}

/// A call that has not returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The method.
    pub method: MethodId,
    /// The instruction that is being executed: of a caller, the call.
    pub pc: u32,
    /// Where its registers begin.
    pub(crate) base: u32,
    /// What is to be done when it is left.
    pub then: Then,
}

/// What is done when a frame is left, in either way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Then {
    /// Nothing.
    Nothing,
    /// The monitor of a synchronized method is given back.
    Unlock(Ref),
    /// The class is initialised, or will never be. The caller tries its instruction again.
    Initialised(ClassId),
}

/// What a thread can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Can go on.
    Runnable,
    /// Waits for a monitor, to enter it.
    Entering(Ref),
    /// In `Object.wait`, with the monitor given back: how often it was held, when it ends by
    /// itself, and the turn in which it came.
    Waiting {
        /// The object.
        object: Ref,
        /// How often its monitor was entered.
        count: u32,
        /// When the time is over.
        until: Option<u64>,
        /// Its place among those who wait.
        turn: u64,
    },
    /// After `Object.wait`, waits for the monitor.
    Returning {
        /// The object.
        object: Ref,
        /// How often its monitor was entered.
        count: u32,
        /// Why it does not wait any more.
        wake: Wake,
    },
    /// Waits for its permit.
    Parked {
        /// When the time is over.
        until: Option<u64>,
    },
    /// Sleeps.
    Sleeping {
        /// When the time is over.
        until: u64,
    },
    /// Waits for others at a socket.
    Exchanging {
        /// The socket.
        socket: Socket,
        /// What is asked of it.
        request: Request,
        /// When the time is over.
        until: Option<u64>,
    },
    /// Waits until another thread has initialised a class.
    AwaitingClass(ClassId),
    /// Has ended.
    Ended,
}

/// Why a thread goes on after it was blocked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Wake {
    /// It was not blocked.
    #[default]
    None,
    /// What it has waited for has come.
    Done,
    /// The time was over.
    TimedOut,
    /// It was interrupted.
    Interrupted,
}

/// A register that will be read again.
#[derive(Clone, Copy, Debug)]
pub struct Register {
    /// Its number in its frame.
    pub index: u32,
    /// Its value.
    pub value: u64,
    /// Whether it is a reference.
    pub is_ref: bool,
    /// Whether it comes from the clock.
    pub is_marked: bool,
}

/// What a thread's frames are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Phase {
    /// The program.
    #[default]
    Running,
    /// The handler of an uncaught exception.
    Dispatching,
    /// What the library does at the end of a thread.
    Exiting,
    /// The shutdown hooks, at the end of the program.
    ShuttingDown,
}

/// A thread.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its number.
    pub id: ThreadId,
    /// Its `java.lang.Thread`.
    pub object: Ref,
    /// Its calls, the innermost last.
    pub frames: Vec<Frame>,
    pub(crate) stack: Vec<u64>,
    /// What it does.
    pub status: Status,
    /// Why it has stopped waiting, until it has noticed.
    pub wake: Wake,
    /// Whether the next `park` returns at once.
    pub permit: bool,
    /// Whether it is interrupted.
    pub interrupted: bool,
    /// The exception that ended the thread.
    pub uncaught: Ref,
    /// How far it is.
    pub phase: Phase,
    /// How many atomic blocks it is in, one within the other.
    pub atomic: u32,
    /// The locks that it holds, in the order in which it got them, as far as a checker has
    /// noticed. Those it waits for again are among them.
    pub held: Vec<Ref>,
    /// What of it comes from the clock.
    pub marks: ThreadMarks,
    /// How it is compared.
    pub form: CachedForm,
}

impl Thread {
    /// Ends a sleep, a wait or a park.
    pub fn wake_up(&mut self, reason: Wake) {
        match self.status {
            Status::Sleeping { .. } => {
                self.status = Status::Runnable;
                self.wake = reason;
            }
            Status::Parked { .. } => {
                self.status = Status::Runnable;
                self.wake = Wake::Done;
            }
            Status::Exchanging { .. } if reason == Wake::TimedOut => {
                self.status = Status::Runnable;
                self.wake = reason;
            }
            Status::Waiting { object, count, .. } => {
                self.status = Status::Returning {
                    object,
                    count,
                    wake: reason,
                }
            }
            _ => {}
        }
    }

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
            atomic: 0,
            held: Vec::new(),
            marks: ThreadMarks::default(),
            form: CachedForm::default(),
        }
    }
}

impl Thread {
    /// A register of one of its calls.
    pub fn register(&self, frame: usize, register: u32) -> Option<u64> {
        let base = self.frames.get(frame)?.base;
        self.stack.get((base + register) as usize).copied()
    }

    /// Forgets the registers that belong to no frame.
    pub fn trim(&mut self, world: &World) {
        let ends = self.frames.iter().map(|frame| {
            let registers = match world.method(frame.method).body.get() {
                Some(Body::Code(code)) => code.registers,
                _ => 0,
            };
            frame.base + registers
        });
        self.stack.truncate(ends.max().unwrap_or(0) as usize);
    }

    /// The registers of a frame that will be read again.
    pub fn live_registers(&self, world: &World, index: usize, mut visit: impl FnMut(Register)) {
        let Some(frame) = self.frames.get(index) else {
            return;
        };
        let method = world.method(frame.method);
        let Some(Body::Code(code)) = method.body.get() else {
            return;
        };
        let liveness = code.liveness.get_or_init(|| {
            let receiver = (!method.is_static()).then_some(Kind::Ref);
            let kinds = world.shape(method).kinds.iter().copied();
            Liveness::of(code, &receiver.into_iter().chain(kinds).collect::<Vec<_>>())
        });
        // The registers from a call's arguments on belong to the frame that was called.
        let end = frame.base + code.registers;
        let own = self
            .frames
            .get(index + 1)
            .map_or(end, |above| above.base.min(end))
            - frame.base;
        let pc = frame.pc as usize;
        for register in (0..own as usize).filter(|&register| liveness.is_live(pc, register)) {
            let value = self
                .stack
                .get(frame.base as usize + register)
                .copied()
                .unwrap_or(0);
            visit(Register {
                index: register as u32,
                value,
                is_ref: liveness.is_ref(pc, register),
                is_marked: self.marks.register(frame.base as usize + register),
            });
        }
    }
}
