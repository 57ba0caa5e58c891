//! Where a thread stops for the others: before each operation that they could notice, or
//! whose result depends on what they do.
//!
//! A step makes one such operation, and then goes on to the next. Giving a monitor back, and
//! the end of a class's initialisation, do not stop a thread: they never wait, and whatever
//! others do before them they could as well do afterwards.

use raddle_model::Halt;

use crate::heap::{Heap, Ref};
use crate::state::State;
use crate::thread::{Frame, Status, Thread, Wake};
use crate::world::{ClassId, Method, World};

use super::layout::{self, is_shared, share};
use super::roles::Role;
use std::sync::atomic::Ordering;

/// What a thread does that matters to others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Read(Ref, u32),
    Write(Ref, u32),
    Update(Ref, u32),
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
    Initialise(ClassId),
    Initialised(ClassId),
    /// Goes on, or does not, because of how far the initialisation of a class is.
    Look(ClassId),
    /// Something that there is once.
    Global(Global),
    /// Prints, which nobody else notices.
    Print(String),
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
}

/// What there is once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Global {
    Hash,
    Clock,
    Memory,
    /// The end of the program by the end of its threads, which daemons do not outlive.
    End,
    /// The end of the program because somebody wants it.
    Exit,
}

/// An operation that was made, with where and with what value.
pub(crate) struct Deed {
    pub(crate) act: Act,
    pub(crate) frames: Vec<Frame>,
    pub(crate) value: Option<u64>,
}

/// What a sentry says to a call.
pub(crate) enum Reply {
    /// It is made.
    Go,
    /// Not yet.
    Stop,
    /// It is not made; this is what it would have given.
    Answer(u64),
    /// It is not supported.
    Refuse(String),
}

/// See the module's documentation.
#[derive(Default)]
pub(crate) struct Sentry {
    /// Whether a thread was ever started.
    pub(crate) is_concurrent: bool,
    /// Whether two threads or more are alive.
    pub(crate) is_crowd: bool,
    /// Whether the operation of the step is still to be made.
    pub(crate) is_armed: bool,
    /// The operation before which the thread stopped.
    pub(crate) pending: Option<Act>,
    /// What was chosen for the step.
    pub(crate) choice: Option<u32>,
    /// Whether the thread is in an atomic block, where it does not stop.
    pub(crate) is_atomic: bool,
    /// How the execution ended.
    pub(crate) halt: Option<Halt>,
    /// What was done, if somebody wants to know.
    pub(crate) log: Option<Vec<Deed>>,
    /// What cannot be: something that was taken for granted is not so.
    pub(crate) broken: Option<String>,
    /// Where the thread is.
    pub(crate) frames: Vec<Frame>,
}

impl Sentry {
    /// Notes where the thread is: its innermost frame is at `pc`.
    #[inline]
    pub(crate) fn at(&mut self, frames: &[Frame], pc: usize) -> &mut Self {
        if self.log.is_some() {
            self.of(frames);
            if let Some(frame) = self.frames.last_mut() {
                frame.pc = pc as u32;
            }
        }
        self
    }

    #[inline]
    pub(crate) fn of(&mut self, frames: &[Frame]) -> &mut Self {
        if self.log.is_some() {
            self.frames.clear();
            self.frames.extend_from_slice(frames);
        }
        self
    }

    pub(crate) fn tell(&mut self, act: impl FnOnce() -> Act, value: Option<u64>) {
        if let Some(log) = &mut self.log {
            log.push(Deed {
                act: act(),
                frames: self.frames.clone(),
                value,
            });
        }
    }

    /// Whether the thread stops before an operation that others could notice.
    pub(super) fn stops(&mut self, act: Act, value: Option<u64>) -> bool {
        if self.is_concurrent && !self.is_armed && !self.is_atomic {
            self.pending = Some(act);
            return true;
        }
        self.is_armed = self.is_armed && !self.is_concurrent;
        self.tell(|| act, value);
        false
    }

    #[inline]
    pub(crate) fn read(&mut self, world: &World, heap: &Heap, object: Ref, index: u32) -> bool {
        if !self.is_concurrent || !is_shared(world, heap, object) {
            return false;
        }
        if !layout::is_written(world, heap, object, index) {
            return false;
        }
        let value = heap
            .get(object)
            .and_then(|found| found.body.read(index as usize));
        self.stops(Act::Read(object, index), value)
    }

    /// Whether the thread stops before a write. If not, what is written can be reached by
    /// whoever reaches the object.
    #[inline]
    pub(crate) fn write(
        &mut self,
        world: &World,
        heap: &mut Heap,
        object: Ref,
        index: u32,
        value: u64,
        is_own: bool,
    ) -> bool {
        if object.is_null() || !is_shared(world, heap, object) {
            return false;
        }
        if self.is_concurrent && !is_own {
            if self.stops(Act::Write(object, index), Some(value)) {
                return true;
            }
            self.note(world, heap, object, index);
        }
        if layout::is_ref_slot(world, heap, object, index) {
            share(world, heap, Ref::of(value));
        }
        false
    }

    fn note(&mut self, world: &World, heap: &Heap, object: Ref, index: u32) {
        if self.is_crowd && !layout::note_written(world, heap, object, index) {
            self.broken = Some("the characters of a string are written".to_owned());
        }
    }

    pub(crate) fn acquire(&mut self, world: &World, heap: &Heap, object: Ref, me: u32) -> bool {
        if object.is_null() || !is_shared(world, heap, object) {
            return false;
        }
        let owner = heap.get(object).map_or(0, |object| object.lock.owner);
        // Once more is nobody else's business.
        if owner == me {
            return false;
        }
        if self.is_atomic && owner != 0 {
            self.tell(|| Act::Locked(object), None);
            self.pending = Some(Act::Acquire(object));
            return true;
        }
        self.stops(Act::Acquire(object), None)
    }

    pub(crate) fn release(&mut self, world: &World, heap: &Heap, object: Ref, me: u32) {
        let is_last = |lock: crate::heap::Lock| lock.owner == me && lock.count == 1;
        if is_shared(world, heap, object)
            && heap.get(object).is_some_and(|object| is_last(object.lock))
        {
            self.tell(|| Act::Release(object), None);
        }
    }

    pub(crate) fn initialise(&mut self, class: ClassId) -> bool {
        let is_stopped = self.stops(Act::Initialise(class), None);
        if is_stopped {
            self.look(class);
        }
        is_stopped
    }

    /// The thread uses a class that is initialised, or stops because it is not.
    #[inline]
    pub(crate) fn look(&mut self, class: ClassId) {
        if self.log.is_some() && self.is_concurrent {
            self.tell(|| Act::Look(class), None);
        }
    }

    pub(crate) fn initialised(&mut self, class: ClassId) {
        self.tell(|| Act::Initialised(class), None);
    }

    pub(super) fn reply(&mut self, act: Act, value: Option<u64>) -> Reply {
        match self.stops(act, value) {
            true => Reply::Stop,
            false => Reply::Go,
        }
    }

    /// What is to be done with a call that has a role.
    pub(crate) fn call(
        &mut self,
        world: &World,
        state: &mut State,
        thread: &mut Thread,
        role: Role,
        method: &Method,
        args: &[u64],
    ) -> Reply {
        let word = |index: usize| args.get(index).copied().unwrap_or(0);
        let object = |index: usize| Ref::of(word(index));
        match role {
            Role::Plain => Reply::Go,
            Role::Get | Role::Put | Role::Swap => self.memory(world, state, role, args),
            Role::Copy => self.copy(world, state, args),
            Role::Clone => {
                let from = object(0);
                match is_shared(world, &state.heap, from) && self.may_change(world, state, from) {
                    true => {
                        world.facts.copies.store(true, Ordering::Relaxed);
                        self.reply(Act::ReadAll(from), None)
                    }
                    false => Reply::Go,
                }
            }
            Role::Hash => match state.heap.get(object(0)) {
                Some(found) if found.hash == 0 => self.reply(Act::Global(Global::Hash), None),
                _ => {
                    self.tell(|| Act::Global(Global::Hash), None);
                    Reply::Go
                }
            },
            Role::Intern => {
                share(world, &mut state.heap, object(0));
                self.reply(Act::Global(Global::Memory), None)
            }
            Role::Notify => self.on_monitor(world, state, object(0), Act::Notify),
            Role::NotifyAll => self.on_monitor(world, state, object(0), Act::NotifyAll),
            Role::Wait if thread.wake != Wake::None => Reply::Go,
            Role::Wait => {
                share(world, &mut state.heap, object(0));
                self.on_monitor(world, state, object(0), Act::Wait)
            }
            Role::Start => {
                let started = object(0);
                if self.stops(Act::Start(started), None) {
                    return Reply::Stop;
                }
                share(world, &mut state.heap, started);
                (self.is_concurrent, self.is_crowd, self.is_armed) = (true, true, false);
                Reply::Go
            }
            Role::IsAlive if object(0) == thread.object => Reply::Go,
            Role::IsAlive => self.reply(Act::IsAlive(object(0)), None),
            Role::Join => self.join(state, thread, object(0), word(1)),
            Role::Interrupt => self.reply(Act::Interrupt(object(0)), None),
            Role::Interrupted => self.reply(Act::Interrupt(thread.object), None),
            Role::Park if thread.wake != Wake::None => Reply::Go,
            Role::Park => self.reply(Act::Permit(thread.object), None),
            Role::Unpark if object(1).is_null() => Reply::Go,
            Role::Unpark => self.reply(Act::Permit(object(1)), None),
            Role::Sleep if thread.wake != Wake::None => Reply::Go,
            Role::Sleep => self.reply(Act::Interrupt(thread.object), None),
            Role::Clock
            | Role::Choice(_)
            | Role::Assume { .. }
            | Role::Unreachable
            | Role::Begin
            | Role::End
            | Role::Generator
            | Role::Seed
            | Role::Yes => self.decide(world, state, thread, role, method, args),
            Role::Skip => Reply::Answer(0),
            Role::Count { is_long } => self.count(world, state, method, is_long),
            Role::Print { ends_line } => self.print(world, state, args, ends_line),
            Role::Refuse => match self.is_concurrent {
                true => Reply::Refuse(format!(
                    "{} while there are several threads",
                    world.method_name(method.id)
                )),
                false => Reply::Go,
            },
            Role::Never => Reply::Refuse(world.method_name(method.id)),
        }
    }

    /// Whether something of an object may be written.
    fn may_change(&self, world: &World, state: &State, object: Ref) -> bool {
        let Some(found) = state.heap.get(object) else {
            return false;
        };
        let count = match &found.body {
            crate::heap::Body::Fields(fields) => fields.len(),
            other => other.length().unwrap_or(0).min(1),
        };
        (0..count as u32).any(|index| layout::is_written(world, &state.heap, object, index))
    }

    fn on_monitor(
        &mut self,
        world: &World,
        state: &State,
        object: Ref,
        act: fn(Ref) -> Act,
    ) -> Reply {
        match object.is_null() || !is_shared(world, &state.heap, object) {
            true => Reply::Go,
            false => self.reply(act(object), None),
        }
    }

    /// `Unsafe`: memory by object and offset.
    fn memory(&mut self, world: &World, state: &mut State, role: Role, args: &[u64]) -> Reply {
        let word = |index: usize| args.get(index).copied().unwrap_or(0);
        let object = Ref::of(word(1));
        if object.is_null() {
            return match self.is_concurrent {
                true => Reply::Refuse("memory outside of objects".to_owned()),
                false => Reply::Go,
            };
        }
        if !is_shared(world, &state.heap, object) {
            return Reply::Go;
        }
        let Some(found) = state.heap.get(object) else {
            return Reply::Go;
        };
        let index = (word(2).saturating_sub(16) / found.body.scale()) as u32;
        let old = found.body.read(index as usize);
        if role == Role::Get {
            if !layout::is_written(world, &state.heap, object, index) {
                return Reply::Go;
            }
            return self.reply(Act::Read(object, index), old);
        }
        let (act, value) = match role {
            Role::Put => (Act::Write(object, index), word(3)),
            _ => (Act::Update(object, index), word(4)),
        };
        if self.stops(act, Some(value)) {
            return Reply::Stop;
        }
        if self.is_concurrent {
            self.note(world, &state.heap, object, index);
        }
        if layout::is_ref_slot(world, &state.heap, object, index) {
            share(world, &mut state.heap, Ref::of(value));
        }
        Reply::Go
    }

    fn copy(&mut self, world: &World, state: &mut State, args: &[u64]) -> Reply {
        let word = |index: usize| args.get(index).copied().unwrap_or(0);
        let (from, to) = (Ref::of(word(0)), Ref::of(word(2)));
        let (start, target, length) = (word(1) as u32, word(3) as u32, word(4) as u32);
        let reads = length > 0
            && is_shared(world, &state.heap, from)
            && layout::is_written(world, &state.heap, from, 0);
        let writes = length > 0 && is_shared(world, &state.heap, to);
        if reads || writes {
            let act = Act::Copy {
                from: (if reads { from } else { Ref::NULL }, start),
                to: (if writes { to } else { Ref::NULL }, target),
                length,
            };
            if self.stops(act, None) {
                return Reply::Stop;
            }
            if self.is_concurrent && length > 1 {
                world.facts.copies.store(true, Ordering::Relaxed);
            }
        }
        if writes {
            if self.is_concurrent {
                self.note(world, &state.heap, to, target);
            }
            let elements: Vec<Ref> = match state.heap.refs(from) {
                Some(refs) => refs.to_vec(),
                None => Vec::new(),
            };
            elements
                .into_iter()
                .for_each(|element| share(world, &mut state.heap, element));
        }
        Reply::Go
    }

    /// Waiting for the end of a thread is one operation. An interrupted thread, or a time
    /// limit, is left to the library.
    fn join(&mut self, state: &State, thread: &Thread, other: Ref, limit: u64) -> Reply {
        let Some(id) = state.thread_of(other) else {
            return Reply::Go;
        };
        if limit != 0 || !self.is_concurrent {
            return Reply::Go;
        }
        let has_ended = state
            .thread(id)
            .is_some_and(|other| other.status == Status::Ended);
        if self.is_atomic && !has_ended {
            self.tell(|| Act::IsAlive(other), None);
            return Reply::Go;
        }
        if self.stops(Act::Join(other), None) {
            return Reply::Stop;
        }
        match has_ended && !thread.interrupted {
            true => Reply::Answer(0),
            false => Reply::Go,
        }
    }

    /// The library's counters of threads, which it keeps under a lock of its own.
    fn count(&mut self, world: &World, state: &mut State, method: &Method, is_long: bool) -> Reply {
        let name = match is_long {
            true => "threadSeqNumber",
            false => "threadInitNumber",
        };
        let Some(slot) = world.static_slot_of(method.class, name) else {
            return Reply::Go;
        };
        let mirror = state.mirror(world, method.class);
        if self.stops(Act::Update(mirror, slot), None) {
            return Reply::Stop;
        }
        let old = state.heap.field(mirror, slot);
        let new = old.wrapping_add(1);
        state.heap.set_field(mirror, slot, new);
        Reply::Answer(if is_long { new } else { old })
    }

    /// Output is no business of other threads, and no part of a state.
    fn print(&mut self, world: &World, state: &State, args: &[u64], ends_line: bool) -> Reply {
        let stream = Ref::of(args.first().copied().unwrap_or(0));
        if !state.heap.is_boot(stream) {
            return Reply::Go;
        }
        let text = Ref::of(args.get(1).copied().unwrap_or(0));
        let text = state.text_of(world, text).or_else(|| {
            let found = state.heap.get(text)?;
            match &found.body {
                crate::heap::Body::Chars(units) => Some(String::from_utf16_lossy(units)),
                _ => None,
            }
        });
        let mut text = text.unwrap_or_default();
        if ends_line {
            text.push('\n');
        }
        self.tell(|| Act::Print(text), None);
        Reply::Answer(0)
    }
}
