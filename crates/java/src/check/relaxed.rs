//! What threads may read besides the newest values: histories and views ([`raddle_views`]) beside the
//! heap.
//!
//! The heap has the newest value of each variable. A variable that threads contend for also has the
//! messages that were written before, as far as some thread may still read them, and an access to it
//! is a step with as many choices as there are messages to read, or places to write to; the first
//! one is what a sequentially consistent execution does. While a step is made that reads an old
//! value, that value stands in the heap; each access to such a variable is a step of its own, so
//! that nothing else reads it.
//!
//! **Which variables.** Those of the program that are accessed without protection, as the policy of
//! `reduce::exclusive` has found out: all accesses to them are steps. Of a variable that is taken to be
//! protected (by a lock, by belonging to one thread, by not being written once others can reach it) it is
//! noted who knows the last write. An access of somebody who does not shows that it is not protected:
//! then that is given up, and the search begins again. The same goes for objects that others get to
//! reach: who does not know of that may find what was in them before ([`PUBLISHED`]).
//!
//! **What orders.** Volatile, release and acquire accesses, fences, monitors, the start and the end of
//! threads, permits and interruptions, the initialisation of classes; and whatever the library does for
//! itself other than by plain fields. That is in the order in which it is executed, and its own
//! variables have no old values: its classes keep what they promise, and no less.
//!
//! **Final fields.** What can be reached by a final field of an object that is published is known to
//! everybody, as far as it was written before.

mod following;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use raddle_jvm::descriptor::Kind;
use raddle_jvm::heap::{Body, Heap, Ref};
use raddle_jvm::thread::{Frame, Status as ThreadStatus, ThreadId, Wake};
use raddle_jvm::world::{Field, Origin};
use raddle_model::{Event, Halt, Place, Thread};
use raddle_reduce::exclusive::Level;
use raddle_views::{Memory, Mode};

use following::Following;

use super::acts::{Act, LogEntry};
use super::layout::{self, declaration, is_ref_slot};
use super::modes;
use super::names::Names;
use super::narrate::plain;
use super::program::Program;
use super::races::{Care, care};
use super::{Java, JavaState, MemoryModel};

/// A field or an element, or something of an object that orders accesses.
type Location = (Ref, u32);

/// Whether it is known that an object was made, with all that was written to it before others
/// could reach it.
const PUBLISHED: u32 = u32::MAX;
/// What is handed on by the monitor of an object, by the permit or the interruption of a thread, and
/// by the initialisation of a class.
const MONITOR: u32 = u32::MAX - 1;
const THREAD: u32 = u32::MAX - 2;
const CLASS: u32 = u32::MAX - 3;
/// By files, sockets, and what else there is once.
const WORLD: Location = (Ref::NULL, 0);

/// What threads may still read; nothing, if all accesses are taken to be in one order.
#[derive(Clone, Debug, Default)]
pub(super) struct Relaxed(Option<Arc<Known>>);

#[derive(Clone, Debug, Default)]
struct Known {
    memory: Memory<Location>,
    /// By thread, the access before which it stands.
    next: Vec<Option<Access>>,
    /// By thread, with what the compare-and-set before which it stands compares.
    expected: Vec<Option<u64>>,
    /// Who has written the messages of a location, as far as that is known. It makes no difference to
    /// what is done.
    authors: BTreeMap<Location, Vec<Option<Author>>>,
}

/// Who has written a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Author {
    thread: ThreadId,
    place: Option<Place>,
    mode: Mode,
}

/// A value that is not the newest one was read, or something was written before it.
pub(super) struct OldValue {
    access: Access,
    /// The first later value that is another one.
    later: u64,
    author: Author,
}

/// An access to a variable with a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Access {
    location: Location,
    kind: AccessKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AccessKind {
    Read(Mode),
    Write(Mode),
    Update {
        modes: (Mode, Mode),
        /// It writes if it finds this.
        expected: u64,
        is_wide: bool,
        /// Whether it may fail for no reason.
        is_weak: bool,
    },
}

/// What was chosen for an access.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen {
    access: Access,
    /// Which message is read, or the place of the one that is written; none if it fails for no reason.
    position: Option<u32>,
}

impl Relaxed {
    #[inline]
    pub(super) fn is_on(&self) -> bool {
        self.0.is_some()
    }

    fn known(&mut self) -> &mut Known {
        Arc::make_mut(self.0.get_or_insert_default())
    }

    /// A thread stands before a compare-and-set that compares with this, if it does.
    pub(super) fn expect(&mut self, id: ThreadId, expected: Option<u64>) {
        set(&mut self.known().expected, id, expected);
    }

    /// Notes who has written a message, which has its place in the history already.
    fn sign(known: &mut Known, location: Location, position: u32, author: Author) {
        let count = known.memory.history(location).len();
        let all = known.authors.entry(location).or_default();
        all.resize(count.saturating_sub(1), None);
        all.insert((position as usize).min(all.len()), Some(author));
    }

    /// The references among the values that are not the newest, with where they are.
    pub(super) fn references<'a>(
        &'a self,
        program: &'a Program,
        heap: &'a Heap,
    ) -> impl Iterator<Item = (Location, Ref)> + use<'a> {
        let histories = self.0.iter().flat_map(|it| it.memory.histories());
        let histories = histories.filter(|&((object, index), all)| {
            all.len() > 1 && index < CLASS && is_ref_slot(program, heap, object, index)
        });
        let values = histories.flat_map(|(location, all)| {
            let values = all.iter().map(|message| Ref::of(message.value));
            values.map(move |value| (location, value))
        });
        values.filter(|&(_, value)| !value.is_null() && !heap.is_first(value))
    }

    pub(super) fn encode(
        &self,
        name: impl Fn(Location) -> Option<u64>,
        value: impl Fn(Location, u64) -> u64,
        out: &mut Vec<u32>,
    ) {
        if let Some(known) = &self.0 {
            known.memory.encode(name, value, out);
        }
    }
}

impl Access {
    /// The positions among which can be chosen, the newest first.
    fn positions(&self, memory: &Memory<Location>, id: ThreadId) -> Vec<u32> {
        let thread = id.0 as usize;
        if !memory.has_history(self.location) || thread >= memory.threads() {
            let place = u32::from(matches!(self.kind, AccessKind::Write(_)));
            return vec![place];
        }
        match self.kind {
            AccessKind::Read(mode) => memory.readable(thread, self.location, mode),
            AccessKind::Write(mode) => memory.places(thread, self.location, mode),
            AccessKind::Update { modes, .. } => {
                memory.updatable(thread, self.location, modes, |found| self.is_made(found))
            }
        }
    }

    /// Whether an update writes if it finds this.
    fn is_made(&self, found: u64) -> bool {
        match self.kind {
            AccessKind::Update {
                expected,
                is_wide: true,
                ..
            } => found == expected,
            AccessKind::Update { expected, .. } => found as u32 == expected as u32,
            _ => false,
        }
    }

    fn is_weak(&self) -> bool {
        matches!(self.kind, AccessKind::Update { is_weak: true, .. })
    }
}

impl OldValue {
    /// Whether it is by this operation that it is read.
    pub(super) fn is_of(&self, act: &Act) -> bool {
        match *act {
            Act::Read(object, index)
            | Act::Write(object, index)
            | Act::Update(object, index)
            | Act::Attempt(object, index) => self.access.location == (object, index),
            _ => false,
        }
    }

    /// Which value is newer, who has written it, and what would order the two.
    pub(super) fn told(&self, java: &Java, names: &Names<'_>) -> Event {
        let Author {
            thread,
            place,
            mode,
        } = self.author;
        let (object, index) = self.access.location;
        let value = names.value(object, index, self.later);
        let who = java.name_of_thread(names.state, java.number(thread));
        let place = place.and_then(|it| {
            let file = java.file(it.file)?.rsplit('/').next()?;
            Some(format!(" at {file}:{}", it.line))
        });
        let place = place.unwrap_or_default();
        let (own, is_write) = match self.access.kind {
            AccessKind::Read(mode) => (mode, false),
            AccessKind::Write(mode) => (mode, true),
            AccessKind::Update { modes, .. } => (modes.0, false),
        };
        let hint = match (own, mode) {
            (Mode::Plain, _) | (_, Mode::Plain) => {
                "a lock would order them, or a volatile flag, or one that is written by a release and \
                 read by an acquire"
            }
            _ => "volatile accesses would be in one order",
        };
        let what = match is_write {
            true => "comes before",
            false => "although",
        };
        plain(
            what,
            Some(format!(
                "{value} was written by {who}{place}: nothing orders the two; {hint}"
            )),
        )
    }
}

impl Java {
    /// Whether what threads may read besides the newest values is searched, too.
    #[inline]
    pub(crate) fn is_relaxed(&self) -> bool {
        self.program.facts.is_relaxed()
    }

    /// Has what threads may read besides the newest values searched from now on, if that can make a
    /// difference. A search of the newest values alone comes first: what goes wrong there goes wrong
    /// in Java.
    pub(crate) fn relax(&self) -> bool {
        let facts = &self.program.facts;
        let is_wanted = match self.settings.memory_model {
            MemoryModel::Sequential => false,
            MemoryModel::Modes => self.weakness().is_some(),
            MemoryModel::Java => self.weakness().is_some() || self.has_races(),
        };
        let is_possible =
            !self.is_distributed() && !facts.has_atomic() && !facts.blocks.load(Ordering::Relaxed);
        let is_new = is_wanted && is_possible && !self.is_relaxed();
        if is_new {
            facts.relax();
        }
        is_new
    }

    /// The machine's threads know nothing yet but what is there.
    pub(super) fn begin_relaxed(&self, state: &mut JavaState) {
        if !self.is_relaxed() {
            return;
        }
        let memory = &mut state.relaxed.known().memory;
        for index in 0..state.machine.threads.len() {
            memory.add_thread(None);
            if index != 0 {
                memory.retire(index);
            }
        }
    }

    /// In how many ways a thread can make the access before which it stands.
    pub(super) fn ways(&self, state: &JavaState, id: ThreadId) -> u32 {
        let Some((known, access)) = self.next_access(state, id) else {
            return 1;
        };
        let count = access.positions(&known.memory, id).len() as u32;
        count + u32::from(access.is_weak())
    }

    /// The access before which a thread stands, unless it does something else first.
    fn next_access<'s>(&self, state: &'s JavaState, id: ThreadId) -> Option<(&'s Known, Access)> {
        let known = state.relaxed.0.as_ref()?;
        let access = (*known.next.get(id.0 as usize)?)?;
        let thread = state.machine.thread(id)?;
        let is_ready = thread.status == ThreadStatus::Runnable && thread.wake == Wake::None;
        is_ready.then_some((known, access))
    }

    /// Makes a step, in which an old value may be read.
    pub(super) fn go_relaxed(
        &self,
        state: &mut JavaState,
        thread: Thread,
        choice: u32,
        log: &mut Option<Vec<LogEntry>>,
    ) -> Result<(), Halt> {
        let id = self.id(thread);
        let mut own = Some(Vec::new());
        let log = if log.is_none() { &mut own } else { log };
        let first = log.as_ref().map_or(0, Vec::len);
        let chosen = self.choose(state, id, choice);
        let choice = match chosen {
            Some(chosen) => u32::from(chosen.position.is_none()),
            None => choice,
        };
        let result = self.perform(state, thread, choice, log);
        if state.machine.heap.is_starved() {
            let why = "there is no memory left for a copy of an array";
            return Err(Halt::GaveUp(why.to_owned()));
        }
        result.map_err(|halt| self.judged(state, halt))?;
        let entries = log.as_deref().unwrap_or_default();
        self.follow_relaxed(
            state,
            entries.get(first..).unwrap_or_default(),
            chosen.map(|it| (id, it)),
        )?;
        state.freeze();
        Ok(())
    }

    /// Prepares the access of a step: what it is to find stands in the heap then.
    fn choose(&self, state: &mut JavaState, id: ThreadId, choice: u32) -> Option<Chosen> {
        let (known, access) = self.next_access(state, id)?;
        let positions = access.positions(&known.memory, id);
        let position = positions.get(choice as usize).copied();
        let (object, index) = access.location;
        let newest = state.machine.heap.get(object)?.body.read(index as usize)?;
        let memory = &mut state.relaxed.known().memory;
        memory.introduce(access.location, newest);
        if let Some(position) = position
            && !matches!(access.kind, AccessKind::Write(_))
            && let Some(message) = memory.history(access.location).get(position as usize)
            && message.value != newest
        {
            let value = message.value;
            state.machine.heap.set_field(object, index, value);
        }
        Some(Chosen { access, position })
    }

    /// Follows what a step has done: what is known, and what may still be read.
    pub(super) fn follow_relaxed(
        &self,
        state: &mut JavaState,
        entries: &[LogEntry],
        chosen: Option<(ThreadId, Chosen)>,
    ) -> Result<(), Halt> {
        if !self.is_relaxed() {
            return Ok(());
        }
        if state.machine.collect_at != self.start.collect_at {
            return Err(given_up("garbage collection"));
        }
        let mut relaxed = std::mem::take(&mut state.relaxed);
        let known = relaxed.known();
        let mut following = Following {
            java: self,
            machine: &mut state.machine,
            memory: &mut known.memory,
            chosen,
            written: Vec::new(),
        };
        let mut result = entries.iter().try_for_each(|entry| following.entry(entry));
        if result.is_ok()
            && following
                .chosen
                .is_some_and(|(_, it)| it.position.is_some())
        {
            result = Err(given_up("an access that is not made"));
        }
        following.end();
        for (location, position, author) in std::mem::take(&mut following.written) {
            Relaxed::sign(known, location, position, author);
        }
        state.relaxed = relaxed;
        for index in 0..state.machine.threads.len() {
            let id = ThreadId(index as u32);
            let next = self.relaxed_access(state, id);
            set(&mut state.relaxed.known().next, id, next);
        }
        self.collect_relaxed(state);
        result
    }

    /// Drops what nobody can read any more.
    fn collect_relaxed(&self, state: &mut JavaState) {
        let is_disturbed = self.program.facts.disturbance.load(Ordering::Relaxed);
        let awaited = |index: usize| {
            let id = ThreadId(index as u32);
            match self.pending(state, id) {
                Some(&Act::Join(object)) if !is_disturbed => state.machine.thread_of(object),
                _ => None,
            }
        };
        let count = state.machine.threads.len();
        let awaited: Vec<Option<ThreadId>> = (0..count).map(awaited).collect();
        let memory = &mut state.relaxed.known().memory;
        memory.collect_with(|thread| Some((*awaited.get(thread)?)?.0 as usize));
        memory.forget_settled();
        let known = state.relaxed.known();
        let memory = &known.memory;
        known.authors.retain(|location, all| {
            let gone = all.len().saturating_sub(memory.history(*location).len());
            all.drain(..gone);
            !all.is_empty()
        });
    }

    /// What a thread is about to do with a value that is not the newest one, if it makes this choice.
    pub(super) fn old_value(
        &self,
        state: &JavaState,
        id: ThreadId,
        choice: u32,
    ) -> Option<OldValue> {
        let (known, access) = self.next_access(state, id)?;
        let position = *access.positions(&known.memory, id).get(choice as usize)? as usize;
        let history = known.memory.history(access.location);
        let (first, value) = match access.kind {
            AccessKind::Write(_) => (position, None),
            _ => (position + 1, Some(history.get(position)?.value)),
        };
        let later = (first..history.len()).find(|&it| Some(history[it].value) != value)?;
        Some(OldValue {
            access,
            later: history.get(later)?.value,
            author: (*known.authors.get(&access.location)?.get(later)?)?,
        })
    }

    /// The access to a variable with a history before which a thread stands.
    fn relaxed_access(&self, state: &JavaState, id: ThreadId) -> Option<Access> {
        let act = self.pending(state, id)?;
        let (&Act::Read(object, index)
        | &Act::Write(object, index)
        | &Act::Update(object, index)
        | &Act::Attempt(object, index)) = act
        else {
            return None;
        };
        let (heap, location) = (&state.machine.heap, (object, index));
        let frames = &state.machine.thread(id)?.frames;
        if !self.has_history(heap, frames, location) {
            return None;
        }
        let (read, write) = self.access_modes(heap, frames, act, location);
        let kind = match act {
            Act::Read(..) => AccessKind::Read(read),
            Act::Write(..) => AccessKind::Write(write),
            _ => AccessKind::Update {
                modes: (read, write),
                expected: (*state.relaxed.0.as_ref()?.expected.get(id.0 as usize)?)?,
                is_wide: is_wide(&self.program, heap, location),
                is_weak: matches!(act, Act::Attempt(..)),
            },
        };
        Some(Access { location, kind })
    }

    /// Whether old values of a variable are kept: it is the program's, and each access is a step.
    fn has_history(&self, heap: &Heap, frames: &[Frame], (object, index): Location) -> bool {
        let note = layout::note(&self.program, heap, object, index);
        note.is_some_and(|note| note.level() == Level::Free)
            && !self.is_final(heap, object, index)
            && self.is_modelled(heap, frames, (object, index))
    }

    /// Whether a variable is none of those that the library uses for itself.
    fn is_modelled(&self, heap: &Heap, frames: &[Frame], (object, index): Location) -> bool {
        let program = &self.program;
        let is_ours = |class, field: Option<&Field>| {
            program.class(class).origin != Origin::Library
                || program
                    .class_name(class)
                    .starts_with("java/util/concurrent/atomic/")
                || care(program, class, field) == Care::None
        };
        match heap.get(object).map(|found| &found.body) {
            Some(Body::Fields(_)) => declaration(program, heap, object, index)
                .is_some_and(|(class, field)| is_ours(class, Some(field))),
            Some(_) => {
                let mut inner = frames.iter().rev();
                let code = inner.find(|frame| !modes::is_means(program, frame));
                code.is_some_and(|frame| is_ours(program.method(frame.method).class, None))
            }
            None => false,
        }
    }

    /// In which modes an access reads and writes.
    fn access_modes(
        &self,
        heap: &Heap,
        frames: &[Frame],
        act: &Act,
        location: Location,
    ) -> (Mode, Mode) {
        if let Some(modes) = modes::pair(&self.program, frames) {
            return modes;
        }
        match self.mode(heap, frames, act, location) {
            None => (Mode::Volatile, Mode::Volatile),
            Some(_) => (Mode::Plain, Mode::Plain),
        }
    }
}

/// Why a search under Java's memory model does not prove anything.
fn given_up(what: &str) -> Halt {
    Halt::GaveUp(format!("not supported under the Java memory model: {what}"))
}

/// Whether all bits of a variable's word count.
fn is_wide(program: &Program, heap: &Heap, (object, index): Location) -> bool {
    match heap.get(object).map(|it| &it.body) {
        Some(Body::Fields(_)) => declaration(program, heap, object, index)
            .is_none_or(|(_, field)| matches!(field.kind, Kind::Long | Kind::Double)),
        Some(Body::Longs(_)) => true,
        _ => false,
    }
}

fn set<T: Clone + Default>(all: &mut Vec<T>, id: ThreadId, value: T) {
    let index = id.0 as usize;
    if all.len() <= index {
        all.resize(index + 1, T::default());
    }
    all[index] = value;
}
