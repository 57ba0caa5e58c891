//! Where a thread stops for the others: before each operation that they could notice, or
//! whose result depends on what they do.
//!
//! A step makes one such operation, and then goes on to the next. Giving a monitor back, and
//! the end of a class's initialisation, do not stop a thread: they never wait, and whatever
//! others do before them they could as well do afterwards.

use raddle_model::Halt;

use crate::heap::{Heap, Reach, Ref};
use crate::natives::Exchange;
use crate::state::State;
use crate::thread::{Frame, Status, Thread, ThreadId, Wake};
use crate::world::{ClassId, Method, Origin, World, flags};

use super::guards::{Access, Claims, Grain, Guard, Holder, Level, MONITOR, Note, WHOLE};
use super::layout::{self, is_shared, share};
use super::order::{Allowance, Lock};
use super::roles::Role;
use std::sync::atomic::Ordering;

/// What a thread does that matters to others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Read(Ref, u32),
    Write(Ref, u32),
    Update(Ref, u32),
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
pub(crate) struct Deed {
    pub(crate) act: Act,
    pub(crate) frames: Vec<Frame>,
    /// What is read or written.
    pub(crate) value: Option<u64>,
    /// What a write finds.
    pub(crate) before: Option<u64>,
    /// With what a compare-and-set compares that.
    pub(crate) expected: Option<u64>,
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

/// Whether a thread is among those that have ended.
fn has_ended(ended: u128, thread: ThreadId) -> bool {
    thread.0 < 128 && ended >> thread.0 & 1 == 1
}

/// See the module's documentation.
#[derive(Default)]
pub(crate) struct Sentry {
    /// Whether a thread was ever started.
    pub(crate) is_concurrent: bool,
    /// Whether two threads or more are alive.
    pub(crate) is_crowd: bool,
    /// Whether there are other processes.
    pub(crate) is_distributed: bool,
    /// Whether the operation of the step is still to be made.
    pub(crate) is_armed: bool,
    /// How much others are taken to notice.
    pub(crate) grain: Grain,
    /// The thread that is watched.
    pub(crate) me: Holder,
    /// Which threads have ended: a bit for each of the first.
    pub(crate) ended: u128,
    pub(crate) claims: Claims,
    /// Whether all that the step did so far could as well be done later.
    pub(crate) is_early: bool,
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
    pub(crate) log: Option<Vec<Deed>>,
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

impl Sentry {
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
        if world.facts.profile.has_atomic() {
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
        if world.facts.profile.has_atomic() {
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
            log.push(Deed {
                act: act(),
                frames: self.frames.clone(),
                value,
                before,
                expected,
            });
        }
    }

    /// Whether it matters what the thread does: to others, or to whoever wants to know.
    fn is_watched(&self) -> bool {
        self.is_concurrent || self.log.is_some()
    }

    /// Whether the thread stops before an operation that others could notice.
    pub(super) fn stops(&mut self, act: Act, value: Option<u64>) -> bool {
        self.stops_unless(false, act, value)
    }

    /// The same of an operation that may be the next one of a transaction, if it `may_join`:
    /// some that could as well be made later (taking monitors), one of any kind, and then
    /// some that could as well be made earlier (giving them back).
    fn stops_unless(&mut self, may_join: bool, act: Act, value: Option<u64>) -> bool {
        if self.is_concurrent || self.is_distributed && act.is_outward() {
            let joins = self.grain == Grain::Transactions && self.is_early && may_join;
            let is_inside = self.inside.is_some() && self.inside == self.region;
            let goes_on = joins || self.is_atomic || is_inside && act.can_be_inside();
            if !(self.is_armed || goes_on) {
                self.pending = Some(act);
                return true;
            }
            self.region = self.inside;
            match act {
                Act::Acquire(object) => self.taken.push(object),
                _ => self.is_early = false,
            }
            self.is_armed = false;
        }
        self.tell(|| act, value);
        false
    }

    /// Whether the thread stops before it accesses something of an object.
    fn accesses(
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
            // Plain accesses that are not hidden may be in a race, which is to be seen.
            Access::Open => {
                let may_join = self.is_volatile || matches!(act, Act::Update(..));
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
    fn tell_hidden(&mut self, world: &World, heap: &Heap, act: Act, value: Option<u64>) {
        if let Act::Read(object, index) | Act::Write(object, index) | Act::Update(object, index) =
            act
            && self.log.is_some()
            && layout::note(world, heap, object, index)
                .is_some_and(|note| note.level() != Level::Unwritten)
        {
            self.tell(|| act, value);
        }
    }

    /// What an access to an object that others can reach is to them. If it is not as it was
    /// assumed, then something weaker is assumed from now on.
    fn access(
        &mut self,
        world: &World,
        heap: &Heap,
        object: Ref,
        index: u32,
        is_write: bool,
    ) -> Access {
        if !self.is_concurrent {
            return Access::Hidden;
        }
        let is_constant = heap
            .get(object)
            .is_some_and(|found| found.reach == Reach::Constant);
        if is_constant {
            if is_write && self.is_crowd {
                self.broken = Some("the characters of a string are written".to_owned());
            }
            return match is_write || self.grain == Grain::Shared {
                true => Access::Open,
                false => Access::Hidden,
            };
        }
        if layout::is_unshared(world, heap, object) {
            self.keep_unshared(world, heap, object);
            return Access::Hidden;
        }
        match layout::note(world, heap, object, index) {
            Some(note) => self.judge(world, heap, note, (object, index), is_write),
            // What a lambda has captured has no declaration, and is written when it is made.
            None if !is_write && self.grain != Grain::Shared => Access::Hidden,
            None => {
                if is_write && self.is_crowd {
                    self.broken = Some("what a lambda has captured is written".to_owned());
                }
                Access::Open
            }
        }
    }

    /// Sees to it that an object is for one thread only, as is said of it.
    fn keep_unshared(&mut self, world: &World, heap: &Heap, object: Ref) {
        match self.claims.get(object, WHOLE) {
            Some(guard) if self.me.may(world, heap, guard) || !self.is_crowd => {}
            Some(guard) if !self.is_orphaned(guard) => {
                let class = heap.get(object).map(|found| world.class_name(found.class));
                let class = class.unwrap_or_default().replace('/', ".");
                self.breach = Some(format!(
                    "an object of {class} is accessed by two threads, but is said to be unshared"
                ));
            }
            _ => self.claims.set(object, WHOLE, Guard::Thread(self.me.id)),
        }
    }

    /// Under the strict discipline, sees to it that a field of the program that is not
    /// volatile is accessed with one lock held, or by one thread.
    fn insist(&mut self, world: &World, heap: &Heap, object: Ref, index: u32) {
        let Some((class, field)) = layout::declaration(world, heap, object, index) else {
            return;
        };
        let is_own = world.class(class).origin == Origin::Program;
        if !self.is_strict || !is_own || field.flags & flags::VOLATILE != 0 || !self.is_crowd {
            return;
        }
        let (me, held) = (self.me, self.held.iter().chain(&self.taken).copied());
        let held = held.filter(|&lock| me.holds(world, heap, lock)).collect();
        let ended = self.ended;
        let is_gone = |id: ThreadId| has_ended(ended, id);
        if !self.claims.use_with(object, index, me.id, held, is_gone) {
            self.breach = Some(format!(
                "{}.{} is accessed by several threads without a lock in common",
                world.class_name(class).replace('/', "."),
                world.text(field.name),
            ));
        }
    }

    fn judge(
        &mut self,
        world: &World,
        heap: &Heap,
        note: &Note,
        (object, index): (Ref, u32),
        is_write: bool,
    ) -> Access {
        loop {
            let level = note.level();
            let slot = match level {
                Level::Whole => WHOLE,
                _ => index,
            };
            // A claim would be a step of its own; others notice the access instead.
            let claim = match self.is_atomic {
                true => Access::Open,
                false => Access::Claim(slot),
            };
            match level {
                Level::Free => {
                    if index != MONITOR {
                        self.insist(world, heap, object, index);
                    }
                    return Access::Open;
                }
                _ if self.grain == Grain::Shared => return Access::Open,
                Level::Unwritten if !is_write => return Access::Hidden,
                Level::Unwritten => {}
                Level::Own if self.me.holds(world, heap, object) => return Access::Hidden,
                Level::Own => {}
                Level::Whole | Level::Single => match self.claims.get(object, slot) {
                    None => return claim,
                    Some(guard) if self.me.may(world, heap, guard) => return Access::Hidden,
                    Some(guard) if self.is_orphaned(guard) => return claim,
                    Some(_) => {}
                },
            }
            // Alone, a thread does not break any discipline.
            if !self.is_crowd || world.facts.is_settled() {
                return Access::Open;
            }
            let weaker = match level {
                _ if self.grain < Grain::Guarded => Level::Free,
                Level::Unwritten if self.me.holds(world, heap, object) => Level::Own,
                Level::Unwritten | Level::Own => Level::Whole,
                Level::Whole => Level::Single,
                Level::Single | Level::Free => Level::Free,
            };
            world.facts.weaken(note, weaker);
        }
    }

    /// Whether whoever has claimed something does not need it any more.
    pub(crate) fn is_orphaned(&self, guard: Guard) -> bool {
        matches!(guard, Guard::Thread(id) if has_ended(self.ended, id))
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
        let joins = owner == 0 && self.joins(world, heap, object);
        if owner != 0 {
            self.region = None;
        }
        self.stops_unless(joins, Act::Acquire(object), None)
    }

    /// Whether a monitor may be taken in the middle of a transaction.
    fn joins(&self, world: &World, heap: &Heap, object: Ref) -> bool {
        if self.grain != Grain::Transactions || self.is_armed || !self.is_early {
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
    fn expose(&self, world: &World, heap: &Heap, object: Ref) {
        if let Some(note) = layout::monitor_note(world, heap, object)
            && self.grain >= Grain::Guarded
            && self.is_crowd
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
            self.is_early = false;
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
            Role::Clone => self.clone_of(world, state, object(0)),
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
            Role::Refers | Role::Clear => self.referent(world, state, role, object(0), method),
            Role::Notify => self.on_monitor(world, state, object(0), Act::Notify),
            Role::NotifyAll => self.on_monitor(world, state, object(0), Act::NotifyAll),
            Role::Wait if thread.wake != Wake::None => Reply::Go,
            Role::Wait => {
                share(world, &mut state.heap, object(0));
                if self.is_crowd && word(1) != 0 {
                    world.facts.note(&world.facts.disturbance);
                }
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
            Role::Doing if object(0) == thread.object => Reply::Go,
            Role::Doing => self.doing(world, state, object(0), method),
            Role::Join => self.join(state, thread, object(0), word(1)),
            Role::Interrupt => {
                if self.is_crowd {
                    world.facts.note(&world.facts.disturbance);
                }
                self.reply(Act::Interrupt(object(0)), None)
            }
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
            Role::Exchange(call) => self.exchange(world, state, thread, call, args),
            Role::Exit => self.reply(Act::Global(Global::Exit), None),
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

    /// What reading or writing some elements of an array, or some fields, is to others.
    pub(super) fn access_all(
        &mut self,
        world: &World,
        heap: &Heap,
        object: Ref,
        range: std::ops::Range<u32>,
        is_write: bool,
    ) -> Access {
        if range.is_empty() || object.is_null() || !is_shared(world, heap, object) {
            return Access::Hidden;
        }
        let found = heap.get(object);
        let are_fields = found.is_some_and(|it| matches!(it.body, crate::heap::Body::Fields(_)));
        for index in range {
            match self.access(world, heap, object, index, is_write) {
                Access::Hidden => {}
                other => return other,
            }
            // What is assumed of one element is assumed of all.
            let note = layout::note(world, heap, object, index);
            if !are_fields && note.is_none_or(|note| note.level() != Level::Single) {
                break;
            }
        }
        Access::Hidden
    }

    fn clone_of(&mut self, world: &World, state: &State, from: Ref) -> Reply {
        let count = state.heap.get(from).map_or(0, |found| match &found.body {
            crate::heap::Body::Fields(fields) => fields.len(),
            other => other.length().unwrap_or(0),
        });
        match self.access_all(world, &state.heap, from, 0..count as u32, false) {
            Access::Hidden => Reply::Go,
            Access::Claim(slot) => {
                self.claims(from, slot);
                Reply::Stop
            }
            Access::Open => {
                world.facts.copies.store(true, Ordering::Relaxed);
                self.reply(Act::ReadAll(from), None)
            }
        }
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
            false => {
                self.expose(world, &state.heap, object);
                if self.is_concurrent && self.is_undisturbed(world, state, object, act(object)) {
                    self.tell(|| act(object), None);
                    return Reply::Go;
                }
                self.reply(act(object), None)
            }
        }
    }

    /// Whether waiting for an object, or notifying those who do, concerns nobody but those
    /// who get the monitor afterwards: if nobody stops waiting by himself, be it by a time
    /// limit or an interruption, and there is nothing to choose. The ends of threads are
    /// notifications, too.
    fn is_undisturbed(&self, world: &World, state: &State, object: Ref, act: Act) -> bool {
        let is_thread = state
            .heap
            .get(object)
            .is_none_or(|found| world.is_assignable(found.class, world.known().thread));
        if self.grain < Grain::Guarded
            || is_thread
            || world.facts.disturbance.load(Ordering::Relaxed)
            || !self.me.holds(world, &state.heap, object)
        {
            return false;
        }
        let waits = |thread: &Thread| matches!(thread.status, Status::Waiting { object: awaited, .. } if awaited == object);
        let threads = state.threads.iter().filter_map(|thread| thread.get());
        !matches!(act, Act::Notify(_)) || threads.filter(|it| waits(it)).count() <= 1
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
        self.is_volatile = false;
        let (act, value): (fn(Ref, u32) -> Act, _) = match role {
            Role::Get => (Act::Read, old),
            Role::Put => (Act::Write, Some(word(3))),
            _ => (Act::Update, Some(word(4))),
        };
        self.found = match role {
            Role::Get => (None, None),
            Role::Put => (old, None),
            _ => (old, Some(word(3))),
        };
        if self.is_watched() && self.accesses(world, &state.heap, act, (object, index), value) {
            return Reply::Stop;
        }
        if role != Role::Get && layout::is_ref_slot(world, &state.heap, object, index) {
            share(world, &mut state.heap, Ref::of(value.unwrap_or(0)));
        }
        Reply::Go
    }

    fn copy(&mut self, world: &World, state: &mut State, args: &[u64]) -> Reply {
        let word = |index: usize| args.get(index).copied().unwrap_or(0);
        let (from, to) = (Ref::of(word(0)), Ref::of(word(2)));
        let (start, target, length) = (word(1) as u32, word(3) as u32, word(4) as u32);
        let within = |array: Ref, start: u32| {
            let found = state.heap.get(array);
            let end = found.and_then(|it| it.body.length()).unwrap_or(0) as u32;
            start..start.saturating_add(length).min(end)
        };
        let reads = self.access_all(world, &state.heap, from, within(from, start), false);
        let writes = self.access_all(world, &state.heap, to, within(to, target), true);
        for (array, access) in [(from, reads), (to, writes)] {
            if let Access::Claim(slot) = access {
                self.claims(array, slot);
                return Reply::Stop;
            }
        }
        if reads == Access::Open || writes == Access::Open {
            let part = |access, array| {
                if access == Access::Open {
                    array
                } else {
                    Ref::NULL
                }
            };
            let act = Act::Copy {
                from: (part(reads, from), start),
                to: (part(writes, to), target),
                length,
            };
            if self.stops(act, None) {
                return Reply::Stop;
            }
            if self.is_concurrent && length > 1 {
                world.facts.copies.store(true, Ordering::Relaxed);
            }
        }
        if is_shared(world, &state.heap, to) {
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

    /// What a reference refers to is a field that native methods access.
    fn referent(
        &mut self,
        world: &World,
        state: &mut State,
        role: Role,
        object: Ref,
        method: &Method,
    ) -> Reply {
        let Some(slot) = world.slot_of(method.class, "referent") else {
            return Reply::Refuse(world.method_name(method.id));
        };
        if !self.is_concurrent || !is_shared(world, &state.heap, object) {
            return Reply::Go;
        }
        self.is_volatile = false;
        let is_stopped = match role {
            Role::Clear => self.accesses(world, &state.heap, Act::Write, (object, slot), None),
            _ => self.accesses(world, &state.heap, Act::Read, (object, slot), None),
        };
        match is_stopped {
            true => Reply::Stop,
            false => Reply::Go,
        }
    }

    /// Waiting for the end of a thread is one operation. An interrupted thread, or a time
    /// limit, is left to the library.
    fn join(&mut self, state: &State, thread: &Thread, other: Ref, limit: u64) -> Reply {
        let Some(id) = state.thread_of(other) else {
            return Reply::Go;
        };
        if limit != 0 {
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

    /// A thread that has not begun or has ended can be seen by everybody. What it is doing in
    /// between depends on each of its steps, which is not supported.
    fn doing(&mut self, world: &World, state: &State, other: Ref, method: &Method) -> Reply {
        if is_shared(world, &state.heap, other) && self.stops(Act::IsAlive(other), None) {
            return Reply::Stop;
        }
        let other = state.thread_of(other).and_then(|id| state.thread(id));
        let is_alive = other.is_some_and(|other| other.status != Status::Ended);
        match is_alive && self.is_concurrent {
            true => Reply::Refuse(format!(
                "{} of a living thread",
                world.method_name(method.id)
            )),
            false => Reply::Go,
        }
    }

    /// The library's counters of threads, which it keeps under a lock of its own.
    fn count(&mut self, world: &World, state: &mut State, method: &Method, is_long: bool) -> Reply {
        let name = match (is_long, world.text(method.name)) {
            // It has the counter in memory outside of objects; here it is what says where.
            (_, "next") => "NEXT_TID_OFFSET",
            (true, _) => "threadSeqNumber",
            (false, _) => "threadInitNumber",
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
