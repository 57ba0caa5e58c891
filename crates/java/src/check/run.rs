//! Where a thread stops for the others: before each operation that they could notice, or
//! whose result depends on what they do.
//!
//! A step makes one such operation, and then goes on to the next. Giving a monitor back, and
//! the end of a class's initialisation, do not stop a thread: they never wait, and whatever
//! others do before them they could as well do afterwards.

use raddle_jvm::heap::{Heap, Ref};
use raddle_jvm::hook::{At, Hook, Place, Reply};
use raddle_jvm::reach::{is_shared, share};
use raddle_jvm::roles::Role;
use raddle_jvm::state::State;
use raddle_jvm::thread::{Frame, Thread};
use raddle_jvm::world::ClassId;
use raddle_jvm::world::{Method, Origin};
use raddle_model::Halt;
use raddle_model::Object;
use raddle_reduce::exclusive::{Go, Grain, Level, Ownership};
use raddle_reduce::step_order::Allowance;
use std::sync::atomic::Ordering;

use super::acts::{Act, LogEntry};
use super::judgement::Holder;
use super::layout;
use super::layout::LockName;
use super::monitor;
use super::program::Program;

/// See the module's documentation.
pub(crate) struct Run<'a> {
    /// The program that is run.
    pub(crate) program: &'a Program,
    /// How many threads of the library's own there are, beside the main one.
    pub(crate) own_threads: u32,
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
    pub(crate) claims: Ownership,
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

impl<'a> Run<'a> {
    /// A run of which nothing is known but its program.
    pub(crate) fn of(program: &'a Program) -> Self {
        Self {
            program,
            own_threads: 0,
            is_concurrent: false,
            is_multithreaded: false,
            is_distributed: false,
            due: None,
            grain: Grain::default(),
            me: Holder::default(),
            ended: 0,
            claims: Ownership::default(),
            is_uncommitted: false,
            taken: Vec::new(),
            is_volatile: false,
            pending: None,
            found: (None, None),
            choice: None,
            is_atomic: false,
            halt: None,
            log: None,
            is_strict: false,
            held: Vec::new(),
            breach: None,
            inside: None,
            region: None,
            broken: None,
            frames: Vec::new(),
        }
    }
}

impl Run<'_> {
    /// Notes where the thread is.
    #[inline]
    fn at(&mut self, at: At<'_>) -> &mut Self {
        if self.log.is_some() {
            self.frames.clear();
            self.frames.extend_from_slice(at.frames);
            self.found = (None, None);
            if let (Some(pc), Some(frame)) = (at.pc, self.frames.last_mut()) {
                frame.pc = pc as u32;
            }
        }
        if self.program.facts.has_atomic() {
            self.locate(at.frames);
        }
        self
    }

    fn locate(&mut self, frames: &[Frame]) {
        let program = self.program;
        let is_outside =
            |frame: &Frame| !layout::is_atomic(program, program.method(frame.method).class);
        let first = frames
            .iter()
            .rposition(is_outside)
            .map_or(0, |last| last + 1);
        self.inside = (first < frames.len()).then_some(first);
    }

    /// The thread goes on where it stands, maybe in the middle of calls that are one step.
    pub(crate) fn resume(&mut self, frames: &[Frame]) {
        let program = self.program;
        if program.facts.has_atomic() {
            self.locate(frames);
            self.region = self.inside;
        }
    }

    pub(crate) fn tell(&mut self, act: impl FnOnce() -> Act, value: Option<u64>) {
        if let Some(log) = &mut self.log {
            let (before, expected) = std::mem::take(&mut self.found);
            log.push(LogEntry {
                by: self.me.id,
                act: act(),
                frames: self.frames.clone(),
                value,
                before,
                expected,
                is_quiet: false,
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
        heap: &Heap,
        act: fn(Ref, u32) -> Act,
        (object, index): (Ref, u32),
        value: Option<u64>,
    ) -> bool {
        let program = self.program;
        let act = act(object, index);
        let is_write = !matches!(act, Act::Read(..));
        match self.access(heap, object, index, is_write) {
            // Plain accesses that are not hidden may be in a race, which is to be seen; if there
            // are weaker modes than volatile, then any may be.
            Go::Stop => {
                let is_strong =
                    self.is_volatile || matches!(act, Act::Update(..) | Act::Attempt(..));
                let may_join = is_strong && !program.facts.has_weak_calls();
                self.stops_unless(may_join, act, value)
            }
            Go::Claim(claimed) => self.claims(claimed),
            Go::On => {
                self.tell_hidden(heap, act, value);
                false
            }
        }
    }

    /// Stops, armed or not: the claim is made before the next step goes on.
    pub(super) fn claims(&mut self, claimed: Object) -> bool {
        self.pending = Some(Act::Claim(claimed));
        true
    }

    /// An access of which others notice nothing is told if they would without locks.
    pub(super) fn tell_hidden(&mut self, heap: &Heap, act: Act, value: Option<u64>) {
        let program = self.program;
        // What was written to a volatile field before others could reach it is ordered, too.
        let is_gate = self.is_volatile && program.facts.is_disordered();
        let (Act::Read(object, index)
        | Act::Write(object, index)
        | Act::Update(object, index)
        | Act::Attempt(object, index)) = act
        else {
            return;
        };
        let Some(note) = layout::note(program, heap, object, index) else {
            return;
        };
        let is_told = is_gate || note.level() != Level::Unwritten;
        if is_told || program.facts.is_relaxed() {
            self.tell_quietly(act, value, !is_told);
        }
    }

    /// The operation that was told last has let others reach some objects.
    pub(super) fn tell_shared(&mut self, heap: &mut Heap) {
        let shared = heap.take_shared();
        if shared.is_empty() {
            return;
        }
        if let Some(log) = &mut self.log {
            let before = log.len().saturating_sub(1);
            log.insert(before, LogEntry::of(self.me.id, Act::Share(shared)));
        }
    }

    /// Tells what only matters to who knows what, if it `is_quiet`.
    pub(super) fn tell_quietly(&mut self, act: Act, value: Option<u64>, is_quiet: bool) {
        self.tell(|| act, value);
        if let Some(entry) = self.log.as_mut().and_then(|log| log.last_mut()) {
            entry.is_quiet = is_quiet;
        }
    }

    /// A field of an object is written which says, if the object is a lock, whose it is.
    fn owns(&mut self, heap: &Heap, object: Ref, owner: Ref, held: &mut Vec<Ref>) {
        let program = self.program;
        let known = program.known();
        let is_lock = heap.get(object).is_some_and(|found| {
            program
                .class(found.class)
                .ancestors
                .contains(&known.ownable)
        });
        if !is_lock {
            return;
        }
        let before = heap.ref_field(object, known.ownable_owner);
        if !before.is_null() && before != self.me.object {
            program.facts.distrust_owners();
        }
        held.retain(|&held| held != object);
        if owner == self.me.object {
            held.push(object);
            self.taken.push(object);
        }
    }

    /// Finds out whether the program itself locks what the library locks in methods that are answered
    /// without it.
    fn note_lock(&self, heap: &Heap, object: Ref, by: ClassId) {
        let program = self.program;
        if program.class(by).origin == Origin::Library {
            return;
        }
        let (known, facts) = (program.known(), &program.facts);
        let Some(found) = heap.get(object) else {
            return;
        };
        let ancestors = &program.class(found.class).ancestors;
        let is_a = |name| ancestors.iter().any(|&it| program.class_name(it) == name);
        if is_a("java/lang/ClassLoader") {
            facts.loader_locks.store(true, Ordering::Relaxed);
        }
        let is_thread = match found.class == known.class {
            // The class of threads counts them.
            true => heap.field(object, known.class_slots - 1) == u64::from(known.thread.0),
            false => ancestors.contains(&known.thread),
        };
        if is_thread || is_a("java/io/PrintStream") || is_a("java/lang/ThreadGroup") {
            facts.note(&facts.library_locks);
        }
    }

    /// Whether the thread stops before it enters a monitor.
    fn enters(&mut self, heap: &Heap, object: Ref) -> bool {
        let program = self.program;
        if object.is_null() || !is_shared(program, heap, object) {
            return false;
        }
        let owner = heap.get(object).map_or(0, |found| found.lock.owner);
        // Once more is nobody else's business.
        if owner == self.me.id.0 + 1 {
            return false;
        }
        let note = layout::monitor_note(program, heap, object);
        if let Some(note) = note.filter(|_| self.is_concurrent && self.grain >= Grain::Guarded) {
            // Somebody else may have it since nobody else could reach it, when nothing was said.
            if owner != 0 {
                program.facts.book.weaken(note, Level::Free);
            }
            match self.judge(heap, note, monitor(object), true) {
                Go::On => {
                    self.tell(|| Act::Acquire(object), None);
                    return false;
                }
                Go::Claim(claimed) => return self.claims(claimed),
                Go::Stop => {}
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
        let joins = owner == 0 && self.joins(heap, object);
        self.stops_unless(joins, Act::Acquire(object), None)
    }

    /// Whether a monitor may be taken in the middle of a transaction.
    fn joins(&self, heap: &Heap, object: Ref) -> bool {
        let program = self.program;
        if self.grain != Grain::Transactions || self.due.is_some() || !self.is_uncommitted {
            return false;
        }
        let facts = &program.facts;
        let name = match heap.get(object) {
            _ if facts.is_first(object) => LockName::Object(object),
            Some(found) => LockName::Class(found.class),
            None => return false,
        };
        let taken: Vec<Object> = self.taken.iter().copied().map(monitor).collect();
        match facts.order.allows(&taken, monitor(object), name) {
            Allowance::Yes => true,
            Allowance::No => false,
            Allowance::NoMore => {
                facts.book.announce();
                false
            }
        }
    }

    /// The monitor of an object is used in a way that is always noticed.
    pub(super) fn expose(&self, heap: &Heap, object: Ref) {
        let program = self.program;
        if let Some(note) = layout::monitor_note(program, heap, object)
            && self.grain >= Grain::Guarded
            && self.is_multithreaded
        {
            program.facts.book.weaken(note, Level::Free);
        }
    }

    pub(super) fn reply(&mut self, act: Act, value: Option<u64>) -> Reply {
        match self.stops(act, value) {
            true => Reply::Stop,
            false => Reply::Go,
        }
    }
}

impl Hook for Run<'_> {
    fn read(&mut self, at: At<'_>, heap: &Heap, place: Place) -> bool {
        if !self.is_watched() {
            return false;
        }
        self.at(at).is_volatile = place.is_volatile;
        let found = heap.get(place.object);
        let value = found.and_then(|found| found.body.read(place.index as usize));
        self.accesses(heap, Act::Read, (place.object, place.index), value)
    }

    fn write(
        &mut self,
        at: At<'_>,
        heap: &mut Heap,
        place: Place,
        value: u64,
        is_own: bool,
        held: &mut Vec<Ref>,
    ) -> bool {
        let Place { object, index, .. } = place;
        self.at(at).is_volatile = place.is_volatile;
        if self.log.is_some() {
            let found = heap.get(object);
            self.found.0 = found.and_then(|found| found.body.read(index as usize));
        }
        if self.is_watched()
            && !is_own
            && self.accesses(heap, Act::Write, (object, index), Some(value))
        {
            return true;
        }
        let program = self.program;
        if index == program.known().ownable_owner {
            self.owns(heap, object, Ref::of(value), held);
        }
        if layout::is_ref_slot(program, heap, object, index) {
            share(program, heap, Ref::of(value));
            self.tell_shared(heap);
        }
        false
    }

    fn acquire(&mut self, at: At<'_>, heap: &Heap, object: Ref, by: ClassId) -> bool {
        self.note_lock(heap, object, by);
        self.at(at).enters(heap, object)
    }

    fn release(&mut self, at: At<'_>, heap: &Heap, object: Ref) {
        let me = self.at(at).me.id.0 + 1;
        let is_last = |lock: raddle_jvm::heap::Lock| lock.owner == me && lock.count == 1;
        if !heap.get(object).is_some_and(|object| is_last(object.lock)) {
            return;
        }
        if is_shared(self.program, heap, object) {
            self.is_uncommitted = false;
            self.tell(|| Act::Release(object), None);
        } else if self.program.facts.is_relaxed() {
            // Who takes it once others can reach it knows what was done with it before.
            self.tell_quietly(Act::Release(object), None, true);
        }
    }

    fn call(
        &mut self,
        state: &mut State,
        thread: &mut Thread,
        role: Role,
        method: &Method,
        args: &[u64],
    ) -> Reply {
        self.at(At::calls(&thread.frames));
        self.replies(state, thread, role, method, args)
    }

    fn returned(&mut self, left: usize) {
        if self.region.is_some_and(|first| left <= first) {
            self.region = None;
        }
    }

    fn initialise(&mut self, at: At<'_>, class: ClassId) -> bool {
        let is_stopped = self.at(at).stops(Act::Initialise(class), None);
        if is_stopped {
            self.look(class);
        }
        is_stopped
    }

    fn initialised(&mut self, at: At<'_>, class: ClassId) {
        self.at(at).tell(|| Act::Initialised(class), None);
    }

    fn initialised_silently(&mut self, class: ClassId, is_plain: bool) {
        match is_plain {
            true => self.look(class),
            false => self.tell(|| Act::Settled(class), None),
        }
    }

    fn clock_decides(&mut self, at: At<'_>) {
        let mut frames = at.frames.to_vec();
        if let (Some(pc), Some(frame)) = (at.pc, frames.last_mut()) {
            frame.pc = pc as u32;
        }
        self.program.note_clock(&frames);
    }

    fn look(&mut self, class: ClassId) {
        if self.log.is_some() && self.is_concurrent {
            self.tell(|| Act::Look(class), None);
        }
    }
}
