//! Where a thread stops for the others: before each operation that they could notice, or
//! whose result depends on what they do.
//!
//! A step makes one such operation, and then goes on to the next. Giving a monitor back, and
//! the end of a class's initialisation, do not stop a thread: they never wait, and whatever
//! others do before them they could as well do afterwards.

use raddle_model::Halt;

use crate::heap::{Heap, Ref};
use crate::natives::Exchange;
use crate::thread::{Frame, ThreadId};
use crate::world::{ClassId, World};

use super::guards::{Access, Claims, Grain, Holder, Level, MONITOR};
use super::layout::{self, is_shared, share};
use super::order::{Allowance, Lock};
use std::sync::atomic::Ordering;

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
    Claim(Ref, u32),
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
    /// Goes on for no reason.
    Spurious,
    /// Prints, which nobody else notices.
    Print(String),
    /// Asks something of a socket.
    Exchange(Box<Exchange>),
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

impl Act {
    /// Whether a step that is made of several operations goes on with this one: it does not
    /// wait, and there is nothing to choose.
    fn can_be_inside(&self) -> bool {
        match self {
            Self::Wait(_) | Self::Resume(_) | Self::Notify(_) | Self::Join(_) => false,
            Self::Finish | Self::Initialise(_) | Self::Claim(..) | Self::Exchange(_) => false,
            Self::Global(global) => *global != Global::Exit,
            _ => true,
        }
    }

    /// Whether a step that is for this operation is done with another one. What a socket is asked
    /// may depend on what it has.
    fn is_made_by(&self, act: &Act) -> bool {
        self == act || matches!((self, act), (Self::Exchange(_), Self::Exchange(_)))
    }

    /// Whether other processes notice it.
    fn is_outward(&self) -> bool {
        matches!(self, Self::Exchange(_) | Self::Global(Global::Exit))
    }
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
pub(crate) struct LogEntry {
    pub(crate) act: Act,
    pub(crate) frames: Vec<Frame>,
    /// What is read or written.
    pub(crate) value: Option<u64>,
    /// What a write finds.
    pub(crate) before: Option<u64>,
    /// With what a compare-and-set compares that.
    pub(crate) expected: Option<u64>,
}

/// What a hook says to a call.
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

/// Whether a thread is among those that have ended.
pub(super) fn has_ended(ended: u128, thread: ThreadId) -> bool {
    thread.0 < 128 && ended >> thread.0 & 1 == 1
}

/// See the module's documentation.
#[derive(Default)]
pub(crate) struct Hook {
    /// Whether a thread was ever started.
    pub(crate) is_concurrent: bool,
    /// Whether two threads or more are alive, or may be so in an equivalent execution.
    pub(crate) is_multithreaded: bool,
    /// Whether there are other processes.
    pub(crate) is_distributed: bool,
    /// The operation of the step, if it is still to be made.
    pub(crate) due: Option<Act>,
    /// How much others are taken to notice.
    pub(crate) grain: Grain,
    /// The thread that is watched.
    pub(crate) me: Holder,
    /// Which threads have ended: a bit for each of the first.
    pub(crate) ended: u128,
    pub(crate) claims: Claims,
    /// Whether all that the step did so far could as well be done later.
    pub(crate) is_uncommitted: bool,
    /// The locks that it has taken so far.
    pub(crate) taken: Vec<Ref>,
    /// Whether the access at hand is that of a volatile field.
    pub(crate) is_volatile: bool,
    /// The operation before which the thread stopped.
    pub(crate) pending: Option<Act>,
    /// What the write at hand finds, and with what it compares that, for the log.
    pub(crate) found: (Option<u64>, Option<u64>),
    /// What was chosen for the step.
    pub(crate) choice: Option<u32>,
    /// Whether the thread is in an atomic block, where it does not stop.
    pub(crate) is_atomic: bool,
    /// How the execution ended.
    pub(crate) halt: Option<Halt>,
    /// What was done, if somebody wants to know.
    pub(crate) log: Option<Vec<LogEntry>>,
    /// Whether an unprotected access to a field of the program is a mistake.
    pub(crate) is_strict: bool,
    /// The locks that the thread had when the step began.
    pub(crate) held: Vec<Ref>,
    /// An access that must not be.
    pub(crate) breach: Option<String>,
    /// The first of the innermost calls that are one step together, if there are any.
    pub(crate) inside: Option<usize>,
    /// The same of those in which an operation was made already.
    pub(crate) region: Option<usize>,
    /// What cannot be: something that was taken for granted is not so.
    pub(crate) broken: Option<String>,
    /// Where the thread is.
    pub(crate) frames: Vec<Frame>,
}

impl Hook {
    /// Notes where the thread is: its innermost frame is at `pc`.
    #[inline]
    pub(crate) fn at(&mut self, world: &World, frames: &[Frame], pc: usize) -> &mut Self {
        self.of(world, frames);
        if self.log.is_some()
            && let Some(frame) = self.frames.last_mut()
        {
            frame.pc = pc as u32;
        }
        self
    }

    #[inline]
    pub(crate) fn of(&mut self, world: &World, frames: &[Frame]) -> &mut Self {
        if self.log.is_some() {
            self.frames.clear();
            self.frames.extend_from_slice(frames);
            self.found = (None, None);
        }
        if world.facts.has_atomic() {
            self.locate(world, frames);
        }
        self
    }

    fn locate(&mut self, world: &World, frames: &[Frame]) {
        let is_outside =
            |frame: &Frame| !layout::is_atomic(world, world.method(frame.method).class);
        let first = frames
            .iter()
            .rposition(is_outside)
            .map_or(0, |last| last + 1);
        self.inside = (first < frames.len()).then_some(first);
    }

    /// The thread goes on where it stands, maybe in the middle of calls that are one step.
    pub(crate) fn resume(&mut self, world: &World, frames: &[Frame]) {
        if world.facts.has_atomic() {
            self.locate(world, frames);
            self.region = self.inside;
        }
    }

    /// So many calls are left.
    #[inline]
    pub(crate) fn returned(&mut self, left: usize) {
        if self.region.is_some_and(|first| left <= first) {
            self.region = None;
        }
    }

    pub(crate) fn tell(&mut self, act: impl FnOnce() -> Act, value: Option<u64>) {
        if let Some(log) = &mut self.log {
            let (before, expected) = std::mem::take(&mut self.found);
            log.push(LogEntry {
                act: act(),
                frames: self.frames.clone(),
                value,
                before,
                expected,
            });
        }
    }

    /// Whether it matters what the thread does: to others, or to whoever wants to know.
    pub(super) fn is_watched(&self) -> bool {
        self.is_concurrent || self.log.is_some()
    }

    /// Whether the thread stops before an operation that others could notice.
    pub(super) fn stops(&mut self, act: Act, value: Option<u64>) -> bool {
        self.stops_unless(false, act, value)
    }

    /// The same of an operation that may be the next one of a transaction, if it `may_join`:
    /// some that could as well be made later (taking monitors), one of any kind, and then
    /// some that could as well be made earlier (giving them back).
    pub(super) fn stops_unless(&mut self, may_join: bool, act: Act, value: Option<u64>) -> bool {
        if self.is_concurrent || self.is_distributed && act.is_outward() {
            // What the step was for may be done already, as the initialisation of a class that
            // another thread has made superfluous. Then the thread stands before this operation.
            if self.due.as_ref().is_some_and(|due| !due.is_made_by(&act)) {
                (self.due, self.is_uncommitted) = (None, false);
            }
            let joins = self.grain == Grain::Transactions && self.is_uncommitted && may_join;
            let is_inside = self.inside.is_some() && self.inside == self.region;
            let goes_on = joins || self.is_atomic || is_inside && act.can_be_inside();
            if !(self.due.is_some() || goes_on) {
                self.pending = Some(act);
                return true;
            }
            self.region = self.inside;
            match act {
                Act::Acquire(object) => self.taken.push(object),
                _ => self.is_uncommitted = false,
            }
            self.due = None;
        }
        self.tell(|| act, value);
        false
    }

    /// Whether the thread stops before it accesses something of an object.
    pub(super) fn accesses(
        &mut self,
        world: &World,
        heap: &Heap,
        act: fn(Ref, u32) -> Act,
        (object, index): (Ref, u32),
        value: Option<u64>,
    ) -> bool {
        let act = act(object, index);
        let is_write = !matches!(act, Act::Read(..));
        match self.access(world, heap, object, index, is_write) {
            // Plain accesses that are not hidden may be in a race, which is to be seen; if there
            // are weaker modes than volatile, then any may be.
            Access::Open => {
                let is_strong =
                    self.is_volatile || matches!(act, Act::Update(..) | Act::Attempt(..));
                let may_join = is_strong && !world.facts.has_weak_calls();
                self.stops_unless(may_join, act, value)
            }
            Access::Claim(slot) => self.claims(object, slot),
            Access::Hidden => {
                self.tell_hidden(world, heap, act, value);
                false
            }
        }
    }

    /// Stops, armed or not: the claim is made before the next step goes on.
    pub(super) fn claims(&mut self, object: Ref, slot: u32) -> bool {
        self.pending = Some(Act::Claim(object, slot));
        true
    }

    /// An access of which others notice nothing is told if they would without locks.
    pub(super) fn tell_hidden(&mut self, world: &World, heap: &Heap, act: Act, value: Option<u64>) {
        // What was written to a volatile field before others could reach it is ordered, too.
        let is_gate = self.is_volatile && world.facts.is_disordered();
        if let Act::Read(object, index)
        | Act::Write(object, index)
        | Act::Update(object, index)
        | Act::Attempt(object, index) = act
            && self.log.is_some()
            && layout::note(world, heap, object, index)
                .is_some_and(|note| is_gate || note.level() != Level::Unwritten)
        {
            self.tell(|| act, value);
        }
    }

    #[inline]
    pub(crate) fn read(
        &mut self,
        world: &World,
        heap: &Heap,
        object: Ref,
        index: u32,
        is_volatile: bool,
    ) -> bool {
        if !self.is_watched() || !is_shared(world, heap, object) {
            return false;
        }
        self.is_volatile = is_volatile;
        let found = heap.get(object);
        let value = found.and_then(|found| found.body.read(index as usize));
        self.accesses(world, heap, Act::Read, (object, index), value)
    }

    /// Whether the thread stops before a write. If not, what is written can be reached by
    /// whoever reaches the object.
    #[inline]
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn write(
        &mut self,
        world: &World,
        heap: &mut Heap,
        object: Ref,
        index: u32,
        value: u64,
        (is_own, is_volatile): (bool, bool),
        held: &mut Vec<Ref>,
    ) -> bool {
        if object.is_null() || !is_shared(world, heap, object) {
            return false;
        }
        self.is_volatile = is_volatile;
        if self.log.is_some() {
            let found = heap.get(object);
            self.found.0 = found.and_then(|found| found.body.read(index as usize));
        }
        if self.is_watched()
            && !is_own
            && self.accesses(world, heap, Act::Write, (object, index), Some(value))
        {
            return true;
        }
        if index == world.known().ownable_owner {
            self.owns(world, heap, object, Ref::of(value), held);
        }
        if layout::is_ref_slot(world, heap, object, index) {
            share(world, heap, Ref::of(value));
        }
        false
    }

    /// A field of an object is written which says, if the object is a lock, whose it is.
    fn owns(&mut self, world: &World, heap: &Heap, object: Ref, owner: Ref, held: &mut Vec<Ref>) {
        let known = world.known();
        let is_lock = heap
            .get(object)
            .is_some_and(|found| world.class(found.class).ancestors.contains(&known.ownable));
        if !is_lock {
            return;
        }
        let before = heap.ref_field(object, known.ownable_owner);
        if !before.is_null() && before != self.me.object {
            world.facts.distrust_owners();
        }
        held.retain(|&held| held != object);
        if owner == self.me.object {
            held.push(object);
            self.taken.push(object);
        }
    }

    pub(crate) fn acquire(&mut self, world: &World, heap: &Heap, object: Ref) -> bool {
        if object.is_null() || !is_shared(world, heap, object) {
            return false;
        }
        let owner = heap.get(object).map_or(0, |found| found.lock.owner);
        // Once more is nobody else's business.
        if owner == self.me.id.0 + 1 {
            return false;
        }
        let note = layout::monitor_note(world, heap, object);
        if let Some(note) = note.filter(|_| self.is_concurrent && self.grain >= Grain::Guarded) {
            // Somebody else may have it since nobody else could reach it, when nothing was said.
            if owner != 0 && note.level() != Level::Free && !world.facts.is_settled() {
                world.facts.weaken(note, Level::Free);
            }
            match self.judge(world, heap, note, (object, MONITOR), true) {
                Access::Hidden => {
                    self.tell(|| Act::Acquire(object), None);
                    return false;
                }
                Access::Claim(slot) => return self.claims(object, slot),
                Access::Open => {}
            }
        }
        if self.is_atomic && owner != 0 {
            self.tell(|| Act::Locked(object), None);
            self.pending = Some(Act::Acquire(object));
            return true;
        }
        if owner != 0 {
            self.region = None;
        }
        let joins = owner == 0 && self.joins(world, heap, object);
        self.stops_unless(joins, Act::Acquire(object), None)
    }

    /// Whether a monitor may be taken in the middle of a transaction.
    fn joins(&self, world: &World, heap: &Heap, object: Ref) -> bool {
        if self.grain != Grain::Transactions || self.due.is_some() || !self.is_uncommitted {
            return false;
        }
        let facts = &world.facts;
        let name = match heap.get(object) {
            _ if facts.is_first(object) => Lock::Object(object),
            Some(found) => Lock::Class(found.class),
            None => return false,
        };
        match facts.order.allows(&self.taken, object, name) {
            Allowance::Yes => true,
            Allowance::No => false,
            Allowance::NoMore => {
                facts.is_news.store(true, Ordering::Relaxed);
                false
            }
        }
    }

    /// The monitor of an object is used in a way that is always noticed.
    pub(super) fn expose(&self, world: &World, heap: &Heap, object: Ref) {
        if let Some(note) = layout::monitor_note(world, heap, object)
            && self.grain >= Grain::Guarded
            && self.is_multithreaded
            && note.level() != Level::Free
            && !world.facts.is_settled()
        {
            world.facts.weaken(note, Level::Free);
        }
    }

    pub(crate) fn release(&mut self, world: &World, heap: &Heap, object: Ref) {
        let me = self.me.id.0 + 1;
        let is_last = |lock: crate::heap::Lock| lock.owner == me && lock.count == 1;
        if is_shared(world, heap, object)
            && heap.get(object).is_some_and(|object| is_last(object.lock))
        {
            self.is_uncommitted = false;
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
}
