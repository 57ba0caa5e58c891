//! What instructions and native methods see, why they do not simply do what they say, and how a
//! thread is taken out of its state to run.

use super::{Args, run};
use crate::heap::Ref;
use crate::hook::Hook;
use crate::state::State;
use crate::thread::{Status, Thread, ThreadId};
use crate::world::{ClassId, LoadError, MethodId, World};

/// What the machine needs from outside.
pub trait Host {
    /// The program writes to standard output (1) or standard error (2).
    fn write(&mut self, descriptor: i32, bytes: &[u8]);

    /// The program reads from standard input: up to `limit` bytes, none at the end.
    fn read(&mut self, limit: usize) -> Vec<u8>;
}

/// Everything an instruction or a native method can see. The running thread is not in its
/// place in the state.
pub(crate) struct Env<'a> {
    pub(crate) world: &'a World,
    pub(crate) state: &'a mut State,
    pub(crate) thread: &'a mut Thread,
    pub(crate) host: &'a mut dyn Host,
    /// Whoever decides where a thread stops for the others.
    pub(crate) hook: Option<&'a mut dyn Hook>,
    /// The bytes of small objects for which it was not asked yet whether there is room.
    pub(crate) allocated: usize,
}

/// Why an instruction did not simply do what it says.
#[derive(Debug)]
pub(crate) enum Trap {
    /// An exception is thrown.
    Throw(Ref),
    /// An exception of this class is made, with this message, and thrown.
    Raise(&'static str, Option<String>),
    /// A native method leaves its work to another one: its result is theirs.
    Call(MethodId, Args),
    /// A class has to be initialised first; then the instruction is tried again.
    Initialise(ClassId),
    /// The thread cannot go on; when it can, the instruction is tried again.
    Block(Status),
    /// Done, but others should get a turn.
    Yield,
    /// The hook wants to be asked first; the instruction is tried again.
    Watched,
    /// The program ends.
    Exit(i32),
    /// The machine cannot do this.
    Unsupported(String),
}

impl From<LoadError> for Trap {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::NotFound(name) => Self::Raise("java/lang/NoClassDefFoundError", Some(name)),
            LoadError::Malformed(name, error) => {
                let message = format!("{} in class file {name}", error.0);
                let class = if error.0.starts_with("Unsupported class file version") {
                    "java/lang/UnsupportedClassVersionError"
                } else {
                    "java/lang/ClassFormatError"
                };
                Self::Raise(class, Some(message))
            }
            LoadError::Circular(name) => Self::Raise("java/lang/ClassCircularityError", Some(name)),
            LoadError::Incompatible(message) => {
                Self::Raise("java/lang/IncompatibleClassChangeError", Some(message))
            }
            LoadError::Unreadable(why) => Self::Unsupported(why),
        }
    }
}

/// Why a thread stopped running.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The budget is used up.
    Budget,
    /// The thread gave up its turn.
    Yielded,
    /// The thread waits for something.
    Blocked,
    /// The thread's last call has returned.
    Ended,
    /// The program called for its end.
    Exit(i32),
    /// The machine cannot go on: what is missing, and where in the program.
    Unsupported(String, Vec<String>),
    /// The hook has stopped it.
    Watched,
}

/// Runs one thread of a state until it stops for one of the reasons of [`Event`]. None if
/// there is no such thread. The budget counts backward jumps and calls.
pub fn run_thread(
    world: &World,
    state: &mut State,
    thread: ThreadId,
    host: &mut dyn Host,
    hook: Option<&mut dyn Hook>,
    budget: &mut u64,
) -> Option<Event> {
    with_hooked_thread(world, state, thread, host, hook, |env| run(env, budget))
}

/// Takes a thread out of a state, lets `act` have both, and puts it back.
pub(crate) fn with_thread<T>(
    world: &World,
    state: &mut State,
    id: ThreadId,
    host: &mut dyn Host,
    act: impl FnOnce(&mut Env<'_>) -> T,
) -> Option<T> {
    with_hooked_thread(world, state, id, host, None, act)
}

fn with_hooked_thread<T>(
    world: &World,
    state: &mut State,
    id: ThreadId,
    host: &mut dyn Host,
    hook: Option<&mut dyn Hook>,
    act: impl FnOnce(&mut Env<'_>) -> T,
) -> Option<T> {
    let place = state.threads.get_mut(id.0 as usize)?;
    place.get_mut()?;
    let mut taken = std::mem::take(place);
    let result = act(&mut Env {
        world,
        thread: taken.get_mut()?,
        state,
        host,
        // For as long as the others, which only a coercion says.
        hook: hook.map(|hook| hook as &mut dyn Hook),
        allocated: 0,
    });
    if let Some(place) = state.threads.get_mut(id.0 as usize) {
        *place = taken;
    }
    Some(result)
}
