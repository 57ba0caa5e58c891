//! Calls that mean something to others: what a hook says to each of them.

use std::sync::atomic::Ordering;

use raddle_jvm::heap::{Heap, Reach, Ref};
use raddle_jvm::hook::Reply;
use raddle_jvm::reach::{is_shared, share};
use raddle_jvm::roles::Role;
use raddle_jvm::state::State;
use raddle_jvm::thread::{Status, Thread, Wake};
use raddle_jvm::world::{Method, Origin};
use raddle_reduce::exclusive::{Go, Grain, Level};

use super::acts::{Act, Global};
use super::answers::{self, is_own_call};
use super::choices::Timeouts;
use super::layout;
use super::modes;
use super::program::Program;
use super::run::Run;
use super::status::STATES;

impl Run<'_> {
    /// What is to be done with a call that has a role.
    pub(super) fn replies(
        &mut self,
        state: &mut State,
        thread: &mut Thread,
        role: Role,
        method: &Method,
        args: &[u64],
    ) -> Reply {
        let program = self.program;
        let word = |index: usize| args.get(index).copied().unwrap_or(0);
        let object = |index: usize| Ref::of(word(index));
        match role {
            Role::Plain | Role::Pure | Role::Own => Reply::Go,
            Role::Get | Role::Put | Role::Swap => self.memory(state, thread, role, method, args),
            Role::Fence => {
                if self.is_multithreaded
                    && let Some(fence) = modes::fence(program, &thread.frames)
                {
                    program.facts.note_fence(fence);
                }
                let is_full = program.text(method.name) == "fullFence";
                if is_full && program.facts.is_relaxed() {
                    return self.reply(Act::Fence, None);
                }
                self.tell(|| Act::Fence, None);
                Reply::Go
            }
            Role::Copy => self.copy(state, args),
            Role::ReadAll(index) => self.read_all(state, object(index)),
            Role::GetElement | Role::SetElement => self.element(state, role, args),
            Role::Hash => {
                answers::hash(program, thread);
                match state.heap.get(object(0)) {
                    Some(found) if found.hash == 0 => self.reply(Act::Global(Global::Hash), None),
                    _ => {
                        self.tell(|| Act::Global(Global::Hash), None);
                        Reply::Go
                    }
                }
            }
            Role::Intern => {
                share(program, &mut state.heap, object(0));
                if self.is_multithreaded
                    && let Some(text) = state.utf16_of(program, object(0))
                {
                    let literal = program.asked_literal(&text, false);
                    program.asked_literal(&text, state.interned(literal).is_null());
                }
                self.reply(Act::Global(Global::Memory), None)
            }
            Role::Refers | Role::Clear => self.referent(state, role, object(0), method),
            Role::Notify => self.on_monitor(state, object(0), Act::Notify),
            Role::NotifyAll => self.on_monitor(state, object(0), Act::NotifyAll),
            Role::Wait if thread.wake != Wake::None => Reply::Go,
            Role::Reference => {
                if is_own_call(program, thread) {
                    program.facts.references.store(true, Ordering::Relaxed);
                }
                Reply::Go
            }
            Role::Wait => {
                note_wait(program, thread);
                share(program, &mut state.heap, object(0));
                let has_limit = word(1) != 0;
                if self.is_multithreaded && has_limit {
                    program.facts.note(&program.facts.disturbance);
                }
                let reply = self.on_monitor(state, object(0), Act::Wait);
                self.begins_to_wait(reply, has_limit)
            }
            Role::Start => {
                let started = object(0);
                if self.stops(Act::Start(started), None) {
                    return Reply::Stop;
                }
                share(program, &mut state.heap, started);
                self.tell_shared(&mut state.heap);
                (self.is_concurrent, self.is_multithreaded, self.due) = (true, true, None);
                Reply::Go
            }
            Role::IsAlive if object(0) == thread.object => Reply::Go,
            Role::IsAlive => self.reply(Act::IsAlive(object(0)), None),
            Role::Doing if object(0) == thread.object => Reply::Go,
            Role::Doing => self.doing(state, object(0)),
            Role::CountAlive => self.count_alive(state, thread, object(0)),
            Role::Join => self.join(state, thread, object(0), word(1)),
            Role::Interrupt => {
                if self.is_multithreaded {
                    program.facts.note(&program.facts.disturbance);
                }
                self.reply(Act::Interrupt(object(0)), None)
            }
            Role::Interrupted => self.reply(Act::Interrupt(thread.object), None),
            Role::Park if thread.wake != Wake::None => Reply::Go,
            Role::Park => {
                note_wait(program, thread);
                let has_limit = word(1) != 0 || word(2) != 0;
                let reply = self.reply(Act::Permit(thread.object), None);
                self.begins_to_wait(reply, has_limit)
            }
            Role::Unpark if object(1).is_null() => Reply::Go,
            Role::Unpark => self.reply(Act::Permit(object(1)), None),
            Role::Sleep if thread.wake != Wake::None => Reply::Go,
            Role::Sleep => self.reply(Act::Sleep(thread.object), None),
            Role::Clock
            | Role::Choice(_)
            | Role::Assume { .. }
            | Role::Unreachable
            | Role::Begin
            | Role::End
            | Role::Generator
            | Role::Seed
            | Role::Yes => self.decide(state, thread, role, method, args),
            Role::Locale(_)
            | Role::Locales
            | Role::Domain
            | Role::Order
            | Role::Host(_)
            | Role::Processors
            | Role::Property
            | Role::Folder => {
                answers::note(program, state, thread, role, args);
                Reply::Go
            }
            Role::Skip | Role::Count { .. } if program.facts.locks_library() => Reply::Go,
            Role::Skip => Reply::Answer(0),
            Role::Count { is_long } => self.count(state, method, is_long),
            Role::Print { ends_line } => self.print(state, args, ends_line),
            Role::Exchange(call) => self.exchange(state, thread, call, args),
            Role::Exit => self.reply(Act::Global(Global::Exit), None),
            Role::Output if is_console(program, state, object(0)) => Reply::Go,
            Role::Output | Role::Outside => self.outside(state, method, args),
            Role::Threads => self.all_threads(state, method, args),
            Role::Opaque => match self.is_concurrent {
                true => Reply::Refuse(format!(
                    "{} while there are several threads",
                    program.method_name(method.id)
                )),
                false => Reply::Go,
            },
            Role::Never => Reply::Refuse(program.method_name(method.id)),
        }
    }

    /// What reading or writing some elements of an array, or some fields, is to others.
    pub(super) fn access_all(
        &mut self,
        heap: &Heap,
        object: Ref,
        range: std::ops::Range<u32>,
        is_write: bool,
    ) -> Go {
        let program = self.program;
        if range.is_empty() || object.is_null() || !is_shared(program, heap, object) {
            return Go::On;
        }
        let found = heap.get(object);
        let are_fields =
            found.is_some_and(|it| matches!(it.body, raddle_jvm::heap::Body::Fields(_)));
        for index in range {
            match self.access(heap, object, index, is_write) {
                Go::On => {}
                other => return other,
            }
            // What is assumed of one element is assumed of all.
            let note = layout::note(program, heap, object, index);
            if !are_fields && note.is_none_or(|note| note.level() != Level::Single) {
                break;
            }
        }
        Go::On
    }

    pub(super) fn read_all(&mut self, state: &State, from: Ref) -> Reply {
        let program = self.program;
        let count = state.heap.get(from).map_or(0, |found| match &found.body {
            raddle_jvm::heap::Body::Fields(fields) => fields.len(),
            other => other.length().unwrap_or(0),
        });
        match self.access_all(&state.heap, from, 0..count as u32, false) {
            Go::On => {
                if program.facts.is_relaxed() && is_shared(program, &state.heap, from) {
                    self.tell_quietly(Act::ReadAll(from), None, true);
                }
                Reply::Go
            }
            Go::Claim(claimed) => {
                self.claims(claimed);
                Reply::Stop
            }
            Go::Stop => {
                program.facts.copies.store(true, Ordering::Relaxed);
                self.reply(Act::ReadAll(from), None)
            }
        }
    }

    /// An element of an array is read or written, as an instruction would do it.
    fn element(&mut self, state: &mut State, role: Role, args: &[u64]) -> Reply {
        let program = self.program;
        let word = |index: usize| args.get(index).copied().unwrap_or(0);
        let (array, index) = (Ref::of(word(0)), word(1) as u32);
        let Some(found) = state.heap.get(array) else {
            return Reply::Go;
        };
        let is_there = found
            .body
            .length()
            .is_some_and(|length| (index as usize) < length);
        if !is_there || !is_shared(program, &state.heap, array) {
            return Reply::Go;
        }
        self.is_volatile = false;
        let (act, value): (fn(Ref, u32) -> Act, _) = match role {
            Role::GetElement => (Act::Read, found.body.read(index as usize)),
            // What is written may be in a box.
            _ => (Act::Write, None),
        };
        if self.is_watched() && self.accesses(&state.heap, act, (array, index), value) {
            return Reply::Stop;
        }
        if role == Role::SetElement && layout::is_ref_slot(program, &state.heap, array, index) {
            share(program, &mut state.heap, Ref::of(word(2)));
        }
        Reply::Go
    }

    pub(super) fn on_monitor(&mut self, state: &State, object: Ref, act: fn(Ref) -> Act) -> Reply {
        let program = self.program;
        match object.is_null() || !is_shared(program, &state.heap, object) {
            true => Reply::Go,
            false => {
                self.expose(&state.heap, object);
                if self.is_concurrent && self.is_undisturbed(state, object, act(object)) {
                    self.tell(|| act(object), None);
                    return Reply::Go;
                }
                self.reply(act(object), None)
            }
        }
    }

    /// A thread that begins to wait notes until when, if there is a limit.
    fn begins_to_wait(&mut self, reply: Reply, has_limit: bool) -> Reply {
        if has_limit && matches!(reply, Reply::Go) {
            let open = &self.program.open;
            if self.is_multithreaded && open.timeouts == Timeouts::Last {
                self.program.facts.limits.store(true, Ordering::Relaxed);
            }
            self.tell(|| Act::Deadline, None);
        }
        reply
    }

    /// Whether waiting for an object, or notifying those who do, concerns nobody but those
    /// who get the monitor afterwards: if nobody stops waiting by himself, be it by a time
    /// limit or an interruption, and there is nothing to choose. The ends of threads are
    /// notifications, too.
    pub(super) fn is_undisturbed(&self, state: &State, object: Ref, act: Act) -> bool {
        let program = self.program;
        let is_thread = state
            .heap
            .get(object)
            .is_none_or(|found| program.is_assignable(found.class, program.known().thread));
        if self.grain < Grain::Guarded
            || is_thread
            || program.facts.disturbance.load(Ordering::Relaxed)
            || !self.me.holds(program, &state.heap, object)
        {
            return false;
        }
        let waits = |thread: &Thread| matches!(thread.status, Status::Waiting { object: awaited, .. } if awaited == object);
        let threads = state.threads.iter().filter_map(|thread| thread.get());
        !matches!(act, Act::Notify(_)) || threads.filter(|it| waits(it)).count() <= 1
    }

    /// `Unsafe`: memory by object and offset.
    pub(super) fn memory(
        &mut self,
        state: &mut State,
        thread: &Thread,
        role: Role,
        method: &Method,
        args: &[u64],
    ) -> Reply {
        let program = self.program;
        let word = |index: usize| args.get(index).copied().unwrap_or(0);
        let object = Ref::of(word(1));
        if object.is_null() {
            return self.outside(state, method, args);
        }
        let Some(found) = state.heap.get(object) else {
            return Reply::Go;
        };
        let index = (word(2).saturating_sub(16) / found.body.scale()) as u32;
        let old = found.body.read(index as usize);
        self.found = match role {
            Role::Get => (None, None),
            Role::Put => (old, None),
            _ => (old, Some(word(3))),
        };
        let is_weak = role == Role::Swap
            && program.text(method.name).starts_with("compareAndSet")
            && modes::may_fail(program, &thread.frames);
        if is_weak && let Some(reply) = self.attempt(state, thread, (object, index)) {
            return reply;
        }
        if !is_shared(program, &state.heap, object) {
            return Reply::Go;
        }
        let is_array = found.body.length().is_some() && found.reach != Reach::Constant;
        let name = program.text(method.name);
        if program.facts.is_relaxed()
            && is_array
            && width(name) != found.body.scale()
            && layout::note(program, &state.heap, object, index)
                .is_some_and(|note| note.level() == Level::Free)
        {
            return Reply::Refuse(format!(
                "{name} of elements of another size, under the Java memory model"
            ));
        }
        self.is_volatile = false;
        let (act, value): (fn(Ref, u32) -> Act, _) = match role {
            Role::Get => (Act::Read, old),
            Role::Put => (Act::Write, Some(word(3))),
            _ if is_weak => (Act::Attempt, Some(word(4))),
            _ => (Act::Update, Some(word(4))),
        };
        if self.is_watched() && self.accesses(&state.heap, act, (object, index), value) {
            self.note_mode(thread);
            return Reply::Stop;
        }
        if self.is_atomic || self.inside.is_some() {
            self.note_mode(thread);
        }
        // A compare-and-set that fails lets nobody reach anything.
        let is_made = match role {
            Role::Get => false,
            Role::Put => true,
            _ => old == Some(word(3)),
        };
        if is_made && layout::is_ref_slot(program, &state.heap, object, index) {
            share(program, &mut state.heap, Ref::of(value.unwrap_or(0)));
            self.tell_shared(&mut state.heap);
        }
        Reply::Go
    }

    /// Notes the mode of an access that others may come across: a thread stops before it, or
    /// makes it in the middle of what is one step.
    fn note_mode(&self, thread: &Thread) {
        let program = self.program;
        if self.is_multithreaded
            && let Some(call) = modes::weak_call(program, &thread.frames)
        {
            program.facts.note_weak_call(call);
        }
    }

    /// A compare-and-set that may fail for no reason: whether it does is chosen in the step that
    /// makes it. Nothing, if it goes on as any other.
    fn attempt(
        &mut self,
        state: &State,
        thread: &Thread,
        (object, index): (Ref, u32),
    ) -> Option<Reply> {
        let program = self.program;
        match self.choice.take() {
            Some(0) => return None,
            Some(_) => {
                (self.due, self.is_uncommitted) = (None, false);
                self.tell(|| Act::Fail(object, index), None);
                return Some(Reply::Answer(0));
            }
            None => {}
        }
        let is_seen = is_shared(program, &state.heap, object);
        let access = match is_seen {
            true => self.access(&state.heap, object, index, true),
            false => Go::On,
        };
        match access {
            Go::Claim(claimed) => {
                self.claims(claimed);
            }
            Go::Stop => {
                self.pending = Some(Act::Attempt(object, index));
                self.note_mode(thread);
            }
            Go::On => self.pending = Some(Act::Choose(2)),
        }
        if self.is_atomic && self.is_multithreaded {
            self.broken = Some("not supported: a choice in an atomic block".to_owned());
        }
        Some(Reply::Stop)
    }

    pub(super) fn copy(&mut self, state: &mut State, args: &[u64]) -> Reply {
        let program = self.program;
        let word = |index: usize| args.get(index).copied().unwrap_or(0);
        let (from, to) = (Ref::of(word(0)), Ref::of(word(2)));
        let (start, target, length) = (word(1) as u32, word(3) as u32, word(4) as u32);
        let within = |array: Ref, start: u32| {
            let found = state.heap.get(array);
            let end = found.and_then(|it| it.body.length()).unwrap_or(0) as u32;
            start..start.saturating_add(length).min(end)
        };
        let reads = self.access_all(&state.heap, from, within(from, start), false);
        let writes = self.access_all(&state.heap, to, within(to, target), true);
        for access in [reads, writes] {
            if let Go::Claim(claimed) = access {
                self.claims(claimed);
                return Reply::Stop;
            }
        }
        if reads == Go::Stop || writes == Go::Stop {
            let part = |access, array| {
                if access == Go::Stop { array } else { Ref::NULL }
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
                program.facts.copies.store(true, Ordering::Relaxed);
            }
        }
        if program.facts.is_relaxed() {
            let hidden = |access, array| match access {
                Go::On if is_shared(program, &state.heap, array) => array,
                _ => Ref::NULL,
            };
            let act = Act::Copy {
                from: (hidden(reads, from), start),
                to: (hidden(writes, to), target),
                length,
            };
            self.tell_quietly(act, None, true);
        }
        if is_shared(program, &state.heap, to) {
            let elements: Vec<Ref> = match state.heap.refs(from) {
                Some(refs) => refs.to_vec(),
                None => Vec::new(),
            };
            elements
                .into_iter()
                .for_each(|element| share(program, &mut state.heap, element));
        }
        Reply::Go
    }

    /// What a reference refers to is a field that native methods access.
    pub(super) fn referent(
        &mut self,
        state: &mut State,
        role: Role,
        object: Ref,
        method: &Method,
    ) -> Reply {
        let program = self.program;
        let Some(slot) = program.slot_of(method.class, "referent") else {
            return Reply::Refuse(program.method_name(method.id));
        };
        if !self.is_concurrent || !is_shared(program, &state.heap, object) {
            return Reply::Go;
        }
        self.is_volatile = false;
        let is_stopped = match role {
            Role::Clear => self.accesses(&state.heap, Act::Write, (object, slot), None),
            _ => self.accesses(&state.heap, Act::Read, (object, slot), None),
        };
        match is_stopped {
            true => Reply::Stop,
            false => Reply::Go,
        }
    }

    /// Waiting for the end of a thread is one operation. An interrupted thread, or a time
    /// limit, is left to the library, and so is all if the program locks threads itself.
    pub(super) fn join(&mut self, state: &State, thread: &Thread, other: Ref, limit: u64) -> Reply {
        // Who was interrupted while it waited goes on in the library, which takes the monitor of
        // the thread first.
        let was_interrupted = self.due == Some(Act::Acquire(other));
        if limit != 0 || was_interrupted || self.program.facts.locks_library() {
            return Reply::Go;
        }
        // Nobody waits for a thread that was not started.
        let found = state.thread_of(other).and_then(|id| state.thread(id));
        let has_ended =
            other != thread.object && found.is_none_or(|other| other.status == Status::Ended);
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

    /// Asks what another thread is doing, which depends on each of its steps.
    pub(super) fn doing(&mut self, state: &State, other: Ref) -> Reply {
        let program = self.program;
        if !self.is_concurrent {
            return Reply::Go;
        }
        let Ok(states) = program.load("java/lang/Thread$State") else {
            return Reply::Go;
        };
        program.facts.note(&program.facts.states);
        let Some(name) = self.decision(Act::Doing(other)) else {
            return Reply::Stop;
        };
        let name = STATES.get(name as usize).copied().unwrap_or_default();
        let found = program.static_slot_of(states, name);
        let mirror = state.class(states).mirror;
        self.tell(|| Act::Does(name), None);
        Reply::Answer(found.map_or(0, |slot| state.heap.field(mirror, slot)))
    }

    /// Asks how many threads of a group are alive.
    pub(super) fn count_alive(&mut self, state: &State, own: &Thread, group: Ref) -> Reply {
        let program = self.program;
        if self.is_concurrent {
            program.facts.note(&program.facts.states);
            if self.stops(Act::Doing(Ref::NULL), None) {
                return Reply::Stop;
            }
        }
        let is_there = |thread: &&Thread| {
            let is_own_thread = thread.id.0 == 0 || thread.id.0 > self.own_threads;
            is_own_thread
                && thread.status != Status::Ended
                && is_in_group(program, state, thread.object, group)
        };
        let others = state.threads.iter().filter_map(|it| it.get());
        let count = others.chain([own]).filter(is_there).count();
        Reply::Answer(count as u64)
    }

    /// Asks which threads there are, or where they are, which depends on each of their steps.
    fn all_threads(&mut self, state: &mut State, method: &Method, args: &[u64]) -> Reply {
        let program = self.program;
        if !self.is_concurrent {
            return Reply::Go;
        }
        // Into an array of the program they are written by the method itself.
        let given = args
            .iter()
            .map(|&word| Ref::of(word))
            .find(|&object| state.heap.refs(object).is_some());
        if given.is_some_and(|array| is_shared(program, &state.heap, array)) {
            return Reply::Refuse(format!(
                "{} with an array that others can reach",
                program.method_name(method.id)
            ));
        }
        program.facts.note(&program.facts.states);
        if self.stops(Act::Doing(Ref::NULL), None) {
            return Reply::Stop;
        }
        let threads = state.threads.iter().filter_map(|thread| thread.get());
        let objects: Vec<Ref> = threads.map(|thread| thread.object).collect();
        objects
            .into_iter()
            .for_each(|object| share(program, &mut state.heap, object));
        Reply::Go
    }

    /// The library's counters of threads, which it keeps under a lock of its own.
    pub(super) fn count(&mut self, state: &mut State, method: &Method, is_long: bool) -> Reply {
        let program = self.program;
        let name = match (is_long, program.text(method.name)) {
            // It has the counter in memory outside of objects; here it is what says where.
            (_, "next") => "NEXT_TID_OFFSET",
            (true, _) => "threadSeqNumber",
            (false, _) => "threadInitNumber",
        };
        let Some(slot) = program.static_slot_of(method.class, name) else {
            return Reply::Go;
        };
        let mirror = state.mirror(program, method.class);
        if self.stops(Act::Update(mirror, slot), None) {
            return Reply::Stop;
        }
        let old = state.heap.field(mirror, slot);
        let new = old.wrapping_add(1);
        state.heap.set_field(mirror, slot, new);
        Reply::Answer(if is_long { new } else { old })
    }

    /// Output is no business of other threads, and no part of a state.
    pub(super) fn print(&mut self, state: &State, args: &[u64], ends_line: bool) -> Reply {
        let program = self.program;
        let stream = Ref::of(args.first().copied().unwrap_or(0));
        if !state.heap.is_boot(stream) || program.facts.locks_library() {
            return Reply::Go;
        }
        let text = Ref::of(args.get(1).copied().unwrap_or(0));
        let text = state.text_of(program, text).or_else(|| {
            let found = state.heap.get(text)?;
            match &found.body {
                raddle_jvm::heap::Body::Chars(units) => Some(String::from_utf16_lossy(units)),
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

/// How many bytes a method of `Unsafe` accesses.
fn width(name: &str) -> u64 {
    const WIDTHS: [(&str, u64); 9] = [
        ("Long", 8),
        ("Double", 8),
        ("Int", 4),
        ("Float", 4),
        ("Reference", 4),
        ("Short", 2),
        ("Char", 2),
        ("Byte", 1),
        ("Boolean", 1),
    ];
    let found = WIDTHS.iter().find(|(kind, _)| name.contains(kind));
    found.map_or(0, |&(_, width)| width)
}

/// Whether a stream of bytes goes to an output of the program, which others do not notice and
/// which is no part of a state.
fn is_console(program: &Program, state: &State, stream: Ref) -> bool {
    let field = |object: Ref, name| {
        let class = state.heap.get(object)?.class;
        let slot = program.slot_of(class, name)?;
        Some(state.heap.field(object, slot))
    };
    let descriptor = field(stream, "fd").map(Ref::of);
    let number = descriptor.and_then(|descriptor| field(descriptor, "fd"));
    number.is_some_and(|number| matches!(number as i32, 1 | 2))
}

/// Notes that the program waits by itself. What of the library waits on its behalf does so in
/// loops, for which it does not matter why it is woken up.
fn note_wait(program: &Program, thread: &Thread) {
    let classes = thread.frames.iter().rev();
    let mut classes = classes.map(|frame| program.class(program.method(frame.method).class));
    let mut library = classes
        .by_ref()
        .take_while(|it| it.origin != Origin::Program);
    let called = library.by_ref().last().map(|it| program.text(it.name));
    let is_direct = called.is_none_or(|name| {
        let plain = ["java/lang/Object", "java/util/concurrent/locks/LockSupport"];
        plain.contains(&name) || name.ends_with("$ConditionObject")
    });
    if is_direct {
        program.facts.waits.store(true, Ordering::Relaxed);
    }
}

/// Whether a thread is in a group, or in one of its groups.
fn is_in_group(program: &Program, state: &State, thread: Ref, group: Ref) -> bool {
    let named = |object: Ref, name: &str| {
        let class = state.heap.get(object).map(|it| it.class);
        let slot = class.and_then(|class| program.slot_of(class, name));
        slot.map_or(Ref::NULL, |slot| state.heap.ref_field(object, slot))
    };
    let mut at = named(state.thread_holder(program, thread), "group");
    while !at.is_null() && at != group {
        at = named(at, "parent");
    }
    !at.is_null()
}
