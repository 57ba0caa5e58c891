//! What threads do that matters to others.

use raddle_jvm::Exchange;
use raddle_jvm::heap::Ref;
use raddle_jvm::thread::{Frame, ThreadId};
use raddle_jvm::world::ClassId;
use raddle_model::Object;

/// What a thread does that matters to others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Read(Ref, u32),
    Write(Ref, u32),
    Update(Ref, u32),
    /// An update that may fail for no reason.
    Attempt(Ref, u32),
    /// Has failed for no reason.
    Fail(Ref, u32),
    /// Orders the accesses before and after it.
    Fence,
    /// Claims a field, or an object as a whole.
    Claim(Object),
    /// Elements of one array are copied to another one.
    Copy {
        from: (Ref, u32),
        to: (Ref, u32),
        length: u32,
    },
    /// All fields or elements are read.
    ReadAll(Ref),
    Acquire(Ref),
    /// Cannot go on with an atomic block because another thread has the monitor.
    Locked(Ref),
    Release(Ref),
    Wait(Ref),
    Resume(Ref),
    Notify(Ref),
    NotifyAll(Ref),
    /// Starts the thread with this object.
    Start(Ref),
    /// Looks whether a thread is alive.
    IsAlive(Ref),
    Join(Ref),
    Finish,
    /// Takes or gives a thread's permission to go on.
    Permit(Ref),
    /// Looks at the interruption of a thread, or changes it.
    Interrupt(Ref),
    /// Sleeps, which the thread with this object does not if it is interrupted: time goes on.
    Sleep(Ref),
    /// Notes until when it waits, for which it looks at the clock.
    Deadline,
    Initialise(ClassId),
    Initialised(ClassId),
    /// A class has become initialised, for which there was nothing to do.
    Settled(ClassId),
    /// Goes on, or does not, because of how far the initialisation of a class is.
    Look(ClassId),
    /// Something that there is once.
    Global(Global),
    /// Goes on for no reason.
    Spurious,
    /// Prints, which nobody else notices.
    Print(String),
    /// Asks something of a socket.
    Exchange(Box<Exchange>),
    /// Does something to files, or to memory by address.
    Outside(Outside),
    /// Asks what the thread with this object is doing; or, if there is none, how many threads there are.
    Doing(Ref),
    /// Has found that it is doing this.
    Does(&'static str),
    /// Goes on in one of so many ways.
    Choose(u32),
    /// Has gone on with this value.
    Chosen(String),
    /// Lets time go on or not, and looks at the clock.
    Tick,
    // After these there is no execution any more.
    Assume,
    Unreachable,
    /// Begins with an atomic block.
    Begin,
    /// Lets others reach these objects.
    Share(Vec<Ref>),
}

impl Act {
    /// A number for each kind of operation, for canonical forms. Zero is none of them.
    pub(super) fn kind(&self) -> u32 {
        match self {
            Self::Read(..) => 1,
            Self::Write(..) => 2,
            Self::Update(..) => 3,
            Self::Attempt(..) => 4,
            Self::Fail(..) => 5,
            Self::Fence => 6,
            Self::Claim(..) => 7,
            Self::Copy { .. } => 8,
            Self::ReadAll(..) => 9,
            Self::Acquire(..) => 10,
            Self::Locked(..) => 11,
            Self::Release(..) => 12,
            Self::Wait(..) => 13,
            Self::Resume(..) => 14,
            Self::Notify(..) => 15,
            Self::NotifyAll(..) => 16,
            Self::Start(..) => 17,
            Self::IsAlive(..) => 18,
            Self::Join(..) => 19,
            Self::Finish => 20,
            Self::Permit(..) => 21,
            Self::Interrupt(..) => 22,
            Self::Sleep(..) => 23,
            Self::Deadline => 24,
            Self::Initialise(..) => 25,
            Self::Initialised(..) => 26,
            Self::Settled(..) => 27,
            Self::Look(..) => 28,
            Self::Global(..) => 29,
            Self::Spurious => 30,
            Self::Print(..) => 31,
            Self::Exchange(..) => 32,
            Self::Choose(..) => 33,
            Self::Chosen(..) => 34,
            Self::Tick => 35,
            Self::Assume => 36,
            Self::Unreachable => 37,
            Self::Begin => 38,
            Self::Doing(..) => 39,
            Self::Does(..) => 40,
            Self::Outside(..) => 41,
            Self::Share(..) => 42,
        }
    }

    /// Whether a step that is made of several operations goes on with this one: it does not
    /// wait, and there is nothing to choose.
    pub(super) fn can_be_inside(&self) -> bool {
        match self {
            Self::Wait(_) | Self::Resume(_) | Self::Notify(_) | Self::Join(_) => false,
            Self::Doing(_) => false,
            Self::Finish | Self::Initialise(_) | Self::Claim(..) | Self::Exchange(_) => false,
            Self::Global(global) => *global != Global::Exit,
            _ => true,
        }
    }

    /// Whether a step that is for this operation is done with another one. What a socket is asked
    /// may depend on what it has.
    pub(super) fn is_made_by(&self, act: &Act) -> bool {
        self == act
            || matches!(
                (self, act),
                (Self::Exchange(_), Self::Exchange(_)) | (Self::Outside(_), Self::Outside(_))
            )
    }

    /// Whether other processes notice it.
    pub(super) fn is_outward(&self) -> bool {
        matches!(self, Self::Exchange(_) | Self::Global(Global::Exit))
    }
}

/// Which objects that others can reach are touched by what a thread does outside of objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outside {
    /// What is read from an array.
    pub(crate) reads: Ref,
    /// What is written to an object.
    pub(crate) writes: Ref,
    /// Which file it is, and whether that is changed.
    pub(crate) descriptor: (Ref, bool),
}

/// What there is once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Global {
    Hash,
    Clock,
    Memory,
    /// Files, and memory by address.
    Outside,
    /// The end of the program by the end of its threads, which daemons do not outlive.
    End,
    /// The end of the program because somebody wants it.
    Exit,
    /// That nobody can move but by a time limit that runs out.
    Patience,
    /// What all threads are doing.
    Doing,
}

/// An operation that was made, with where and with what value.
pub(crate) struct LogEntry {
    /// Whose it is: of the thread that makes the step, or of one that has begun in it.
    pub(crate) by: ThreadId,
    pub(crate) act: Act,
    pub(crate) frames: Vec<Frame>,
    /// What is read or written.
    pub(crate) value: Option<u64>,
    /// What a write finds.
    pub(crate) before: Option<u64>,
    /// With what a compare-and-set compares that.
    pub(crate) expected: Option<u64>,
    /// Whether it only matters to who knows what.
    pub(crate) is_quiet: bool,
}

impl LogEntry {
    /// An operation of which only that is known, and whose it is.
    pub(crate) fn of(by: ThreadId, act: Act) -> Self {
        Self {
            by,
            act,
            frames: Vec::new(),
            value: None,
            before: None,
            expected: None,
            is_quiet: false,
        }
    }
}
