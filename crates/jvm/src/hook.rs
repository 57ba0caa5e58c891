//! Somebody who looks on while threads run, and stops them before what others could notice.

use crate::heap::{Heap, Ref};
use crate::roles::Role;
use crate::state::State;
use crate::thread::{Frame, Thread};
use crate::world::{ClassId, Method};

/// Where a thread is.
#[derive(Clone, Copy)]
pub struct At<'a> {
    /// Its calls.
    pub frames: &'a [Frame],
    /// The instruction of the innermost one, if it is ahead of what the call says.
    pub pc: Option<usize>,
}

impl<'a> At<'a> {
    /// Where the innermost call says.
    pub fn calls(frames: &'a [Frame]) -> Self {
        Self { frames, pc: None }
    }
}

/// What is read or written.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The object. Static fields are those of the class's mirror.
    pub object: Ref,
    /// The field or element.
    pub index: u32,
    /// Whether the field is volatile.
    pub is_volatile: bool,
}

/// What is said to a call.
pub enum Reply {
    /// It is made.
    Go,
    /// Not yet.
    Stop,
    /// It is not made; this is what it would have given.
    Answer(u64),
    /// It is not supported.
    Refuse(String),
}

/// See the module's documentation. An answer of *true* stops the thread before the operation, which
/// is tried again when the thread goes on.
pub trait Hook {
    /// Something is read that others can reach.
    fn read(&mut self, at: At<'_>, heap: &Heap, place: Place) -> bool;

    /// Something is written that others can reach; so they can reach what is written from now on.
    /// `is_own` says that nobody else can use it yet, because its class is being initialised. `held`
    /// are the locks of the thread.
    fn write(
        &mut self,
        at: At<'_>,
        heap: &mut Heap,
        place: Place,
        value: u64,
        is_own: bool,
        held: &mut Vec<Ref>,
    ) -> bool;

    /// The monitor of an object is entered, by code of a class.
    fn acquire(&mut self, at: At<'_>, heap: &Heap, object: Ref, by: ClassId) -> bool;

    /// The monitor of an object is left, which stops nobody.
    fn release(&mut self, at: At<'_>, heap: &Heap, object: Ref);

    /// A call that means more than its instructions.
    fn call(
        &mut self,
        state: &mut State,
        thread: &mut Thread,
        role: Role,
        method: &Method,
        args: &[u64],
    ) -> Reply;

    /// So many calls are left.
    fn returned(&mut self, left: usize);

    /// A class is to be initialised, or another thread is about it.
    fn initialise(&mut self, at: At<'_>, class: ClassId) -> bool;

    /// The initialisation of a class has ended.
    fn initialised(&mut self, at: At<'_>, class: ClassId);

    /// A class has become initialised, and there was no code to run. If it `is_plain`, there never
    /// is: neither it nor any class before it has an initialiser.
    fn initialised_silently(&mut self, class: ClassId, is_plain: bool);

    /// What happens next depends on a value that comes from the clock.
    fn clock_decides(&mut self, at: At<'_>);

    /// A class is used that is initialised.
    fn look(&mut self, class: ClassId);
}
