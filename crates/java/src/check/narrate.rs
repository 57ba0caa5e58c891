//! Steps in the words of the source.

use raddle_jvm::heap::{Body, Ref};
use raddle_jvm::state::{Initialisation, State};
use raddle_jvm::thread::{Frame, Status, Thread, ThreadId, Wake};
use raddle_jvm::world::{ClassId, MethodId, Origin};
use raddle_jvm::{column, describe_call, is_hidden, line_number, position, source_file};
use raddle_model::{
    Event, Halt, Move, Narrate, Object, Obstacle, Operation, Place, Race, Region, System,
    Thread as Number,
};

use super::acts::{Act, Global, LogEntry};
use super::layout::declaration;
use super::names::Names;
use super::sockets;
use super::{
    CLAIMS, CLASSES, GLOBALS, INTERRUPTS, Java, JavaState, MONITORS, PERMITS, SLOTS, THREADS,
};

impl Java {
    /// The place of a position in a method, if it is one of the program's own.
    pub(super) fn place(&self, method: MethodId, position: u16) -> Option<Place> {
        let class = self.program.class(self.program.method(method).class);
        if class.origin != Origin::Program {
            return None;
        }
        let line = u32::try_from(line_number(&self.program, method, position)).ok()?;
        let name = source_file(&self.program, method)?;
        let is_it = |(_, file): &&(u32, String)| file.rsplit('/').next() == Some(&name);
        let &(file, _) = self.settings.files.iter().find(is_it)?;
        let column = column(&self.program, method, position, line);
        let column = column.unwrap_or(1);
        (line > 0).then_some(Place { file, line, column })
    }

    /// Where in the program's own code the innermost call is.
    pub(super) fn place_of(&self, frames: &[Frame]) -> Option<Place> {
        let mut inner = frames.iter().rev();
        inner.find_map(|frame| self.place(frame.method, position(&self.program, frame)))
    }

    /// The method of the library that the program has called, if that is where a thread is.
    pub(super) fn inside(&self, frames: &[Frame]) -> Option<String> {
        let called = self.library_call(frames)?;
        Some(self.method_name(called))
    }

    /// The same as a method. Where the library runs a thread of its own accord, what that is for.
    pub(super) fn library_call(&self, frames: &[Frame]) -> Option<MethodId> {
        let program = &self.program;
        let inner = frames.iter().rev();
        let shown = inner.filter(|frame| !is_hidden(program, frame.method));
        let is_own = |frame: &&Frame| {
            program.class(program.method(frame.method).class).origin == Origin::Program
        };
        let inside: Vec<MethodId> = shown
            .take_while(|frame| !is_own(frame))
            .map(|frame| frame.method)
            .collect();
        let runs_others = |method: &&MethodId| {
            let method = program.method(**method);
            let class = program.class_name(method.class);
            let is_runner = class == "java/lang/Thread" || class.ends_with("Worker");
            is_runner && program.text(method.name).starts_with("run")
        };
        let mut outer = inside.iter().rev();
        let called = outer.find(|method| !runs_others(method));
        called.or(inside.last()).copied()
    }

    /// What was done, in words; nothing if that would only be a distraction.
    fn event(
        &self,
        names: &Names<'_>,
        was: Status,
        thread: &Thread,
        entry: &LogEntry,
    ) -> Option<Event> {
        let state = names.state;
        let inside = self.inside(&entry.frames);
        // What the classes of threads and objects themselves do is part of the language, and
        // how they do it is not interesting.
        let is_language = inside.as_deref().is_some_and(|method| {
            method.starts_with("Thread.") || method.starts_with("Object.") || method == "new Thread"
        });
        let is_print = matches!(entry.act, Act::Print(_));
        let called = self.library_call(&entry.frames).filter(|_| !is_language);
        let told = match entry.act {
            Act::Read(object, index)
            | Act::Write(object, index)
            | Act::Update(object, index)
            | Act::Attempt(object, index) => match is_language {
                true => None,
                false => self.access(names, object, index, called, entry),
            },
            _ if self.is_of_thread(state, entry, is_language) => match entry.act {
                Act::Wait(object) => {
                    Some(plain("waits for the end of", Some(names.name_of(object))))
                }
                _ => None,
            },
            Act::Global(Global::Clock) if is_language && was == Status::Runnable => None,
            Act::Permit(object) if called.is_some() => self.permission(names, thread, object),
            _ => self.entry(names, was, thread, &entry.act),
        };
        let mut told = told?;
        if let (Act::Acquire(object) | Act::Release(object), Some(called)) = (&entry.act, called) {
            told.is_detail = self.is_inner_lock(names, *object, called);
        }
        Some(Event {
            place: self.place_of(&entry.frames),
            inside: inside.filter(|_| !is_language && !is_print),
            ..told
        })
    }

    /// What the library does so that a thread waits, or goes on.
    fn permission(&self, names: &Names<'_>, thread: &Thread, object: Ref) -> Option<Event> {
        let is_other = object != thread.object;
        Some(match thread.status {
            _ if is_other => plain("wakes", Some(names.name_of(object))),
            Status::Parked { .. } => plain(&self.parked(names, thread).what, None),
            _ => plain("goes on", None),
        })
    }

    /// Whether something is done to a monitor only because it is that of a thread, whose
    /// methods are synchronized, or wait for its end.
    fn is_of_thread(&self, state: &State, entry: &LogEntry, is_language: bool) -> bool {
        let is_thread = |object| self.thread_of(state, object).is_some();
        match entry.act {
            Act::Release(object) => is_thread(object),
            Act::Acquire(object) => {
                is_language || is_thread(object) && self.called(&entry.frames).is_some()
            }
            Act::Wait(object) | Act::Resume(object) => is_thread(object) && is_language,
            Act::IsAlive(_) => is_language,
            _ => false,
        }
    }

    /// An access to a field or an element.
    fn access(
        &self,
        names: &Names<'_>,
        object: Ref,
        index: u32,
        called: Option<MethodId>,
        entry: &LogEntry,
    ) -> Option<Event> {
        let state = names.state;
        let found = state.heap.get(object)?;
        let declared = declaration(&self.program, &state.heap, object, index);
        // Captured variables, and counters of the library, are nobody's fields.
        let is_nameless = matches!(found.body, Body::Fields(_)) && declared.is_none();
        let word = entry.value.filter(|_| !is_nameless)?;
        let operation = match entry.act {
            Act::Read(..) => Operation::Read,
            Act::Write(..) => Operation::Write,
            _ => Operation::Update,
        };
        // That is how locks are taken and released, those of the program that extend the library's
        // as well.
        if let Some(event) = self.synchronization(names, object, index, entry) {
            let is_owner = event
                .operation
                .is_some_and(|it| matches!(it, Operation::Acquire | Operation::Release));
            let is_inner = called.is_some_and(|it| self.is_inner_lock(names, object, it));
            return Some(Event {
                is_detail: is_owner && is_inner,
                ..event
            });
        }
        let is_detail = called.is_some_and(|it| self.is_bookkeeping(names, object, it));
        let value = |word: u64| names.value(object, index, word);
        let name = names.slot_name(object, index);
        let (before, expected) = (entry.before.map(value), entry.expected.map(value));
        if expected.is_some() && expected != before {
            let found = before.unwrap_or_default();
            let found = format!("{name} is {found}");
            return Some(Event {
                is_detail,
                ..plain("compare-and-set fails:", Some(found))
            });
        }
        Some(Event {
            is_detail,
            object: name,
            operation: Some(operation),
            value: Some(value(word)),
            before,
            ..Event::default()
        })
    }

    /// Anything but an access.
    fn entry(&self, names: &Names<'_>, was: Status, thread: &Thread, act: &Act) -> Option<Event> {
        let state = names.state;
        let name = |object: Ref| names.name_of(object);
        let on = |object, operation| Event {
            object: name(object),
            operation: Some(operation),
            ..Event::default()
        };
        let is_own = |class: ClassId| self.is_written(class);
        Some(match *act {
            Act::Copy { from, to, .. } => {
                let copied = [from.0, to.0].map(|it| match it.is_null() {
                    true => "an array of its own".to_owned(),
                    false => name(it),
                });
                plain("copies", Some(copied.join(" to ")))
            }
            Act::ReadAll(object) => plain("copies", Some(name(object))),
            Act::Acquire(object) => on(object, Operation::Acquire),
            Act::Locked(object) => plain("has to wait for", Some(name(object))),
            Act::Release(object) => on(object, Operation::Release),
            Act::Wait(object) => on(object, Operation::Wait),
            Act::Resume(object) => on(object, Operation::WaitResume),
            Act::Notify(object) => on(object, Operation::Notify),
            Act::NotifyAll(object) => on(object, Operation::NotifyAll),
            Act::Start(object) => on(object, Operation::Start),
            Act::Join(object) => on(object, Operation::Join),
            Act::IsAlive(object) => plain("asks for the end of", Some(name(object))),
            Act::Finish => plain("ends", None),
            Act::Permit(object) if object != thread.object => plain("unparks", Some(name(object))),
            Act::Permit(_) => match thread.status {
                Status::Parked { .. } => plain("parks", None),
                _ => plain("goes on, unparked", None),
            },
            Act::Interrupt(object) if object != thread.object => {
                plain("interrupts", Some(name(object)))
            }
            Act::Initialise(class) if is_own(class) => {
                plain("initialises", Some(self.class_name(class)))
            }
            Act::Initialised(class) if is_own(class) => {
                let what = match state.class(class).initialisation {
                    Initialisation::Failed => "fails to initialise",
                    _ => "has initialised",
                };
                plain(what, Some(self.class_name(class)))
            }
            Act::Global(Global::Clock) => match was {
                Status::Waiting { .. } | Status::Parked { .. } => {
                    plain("has waited long enough", None)
                }
                _ => plain("asks for the time", None),
            },
            Act::Global(Global::End | Global::Exit) => plain("ends the program", None),
            Act::Fail(object, index) => plain(
                "compare-and-set fails spuriously:",
                Some(names.slot_name(object, index)),
            ),
            Act::Choose(_) => plain("choose", None),
            Act::Chosen(ref value) => plain("choose", Some(value.clone())),
            Act::Doing(object) if object.is_null() => {
                plain("asks how many threads there are", None)
            }
            Act::Doing(object) => plain("asks what it is doing:", Some(names.name_of(object))),
            Act::Does(state) => plain("it is", Some(state.to_owned())),
            Act::Tick => plain("time goes on", None),
            Act::Assume => plain("makes an assumption that fails", None),
            Act::Unreachable => plain("is where it must not be", None),
            Act::Begin => plain("begins an atomic block", None),
            Act::Spurious => plain("wakes up for no reason", None),
            Act::Print(ref text) => plain("prints", Some(text.clone())),
            Act::Exchange(ref exchange) => {
                let (what, value) = sockets::tell(&self.program, state, exchange);
                plain(what, Some(value))
            }
            _ => return None,
        })
    }

    /// Who was woken by a notification: the threads that want the monitor of an object again
    /// and did not before.
    fn woken(&self, waited: &[ThreadId], state: &State, object: Ref) -> Vec<Event> {
        let woken = self.program_threads(state).filter(|thread| {
            let is_returning = matches!(
                thread.status,
                Status::Returning { object: on, wake: Wake::Done, .. } if on == object
            );
            is_returning && waited.contains(&thread.id)
        });
        let event = |thread: &Thread| Event {
            object: "wakes".to_owned(),
            value: Some(self.name_of_thread(state, self.number(thread.id))),
            ..Event::default()
        };
        woken.map(event).collect()
    }

    /// Calls without those by which a library ran a test, and those of its assertions.
    fn without_engines(&self, mut calls: Vec<(MethodId, u16)>) -> Vec<(MethodId, u16)> {
        let origin =
            |call: &(MethodId, u16)| self.program.class(self.program.method(call.0).class).origin;
        let own = calls
            .iter()
            .rposition(|call| origin(call) == Origin::Program);
        let Some(own) = own else {
            return calls;
        };
        if calls[own..]
            .iter()
            .any(|call| origin(call) == Origin::Engine)
        {
            calls.truncate(own + 1);
        }
        calls.retain(|call| origin(call) != Origin::Engine);
        calls
    }

    /// Where an exception comes from, call by call, and what caused it.
    fn stack_trace(&self, state: &State, exception: Ref, events: &mut Vec<Event>) {
        /// So many causes of causes are told.
        const DEEPEST: usize = 4;
        let known = self.program.known();
        let mut thrown = exception;
        let mut around = Vec::new();
        for depth in 0..DEEPEST {
            if thrown.is_null() {
                return;
            }
            if depth > 0 {
                let fault = self.uncaught(state, thrown);
                events.push(Event {
                    object: "caused by".to_owned(),
                    value: Some(fault.message),
                    ..Event::default()
                });
            }
            let calls = self.without_engines(self.calls_of(state, thrown));
            // One call is where the fault is said to be, if its source is there.
            let has_place = calls
                .iter()
                .any(|&(method, at)| self.place(method, at).is_some());
            let is_told = depth > 0 || calls.len() > 1 || !has_place;
            // A cause was mostly thrown inside some of the calls that are told already.
            let common = calls.iter().rev().zip(around.iter().rev());
            let common = common.take_while(|(call, other)| call == other).count();
            let fresh = calls.len() - common;
            for &(method, position) in calls[..fresh].iter().filter(|_| is_told) {
                let Some(line) = describe_call(&self.program, method, position) else {
                    continue;
                };
                events.push(Event {
                    object: "at".to_owned(),
                    value: Some(line),
                    ..Event::default()
                });
            }
            if common > 0 {
                let more = plain("...", Some(format!("{common} more")));
                events.push(more);
            }
            around = calls;
            let cause = state.heap.ref_field(thrown, known.throwable_cause);
            if cause == thrown {
                return;
            }
            thrown = cause;
        }
    }
}

impl Narrate for Java {
    fn thread_name(&self, state: &JavaState, thread: Number) -> String {
        if thread.index() >= self.threads(state) {
            return "a new thread".to_owned();
        }
        self.name_of_thread(&state.machine, thread)
    }

    fn object_name(&self, state: &JavaState, object: Object) -> String {
        let state = &state.machine;
        match object.region {
            THREADS => self.name_of_thread(state, Number(object.index)),
            MONITORS => self.name_of(state, Ref(object.index)),
            PERMITS => {
                let name = self.name_of_thread(state, Number(object.index));
                format!("permission of {name}")
            }
            INTERRUPTS => {
                let name = self.name_of_thread(state, Number(object.index));
                format!("interruption of {name}")
            }
            CLASSES => self.class_name(ClassId(object.index)),
            GLOBALS => "the machine".to_owned(),
            sockets::PORTS | sockets::STREAMS | sockets::ENDS => {
                sockets::name(&state.network, object)
            }
            CLAIMS => format!("claim of {}", self.name_of(state, Ref(object.index))),
            Region(slot) => {
                let slot = slot.saturating_sub(SLOTS);
                self.names(state).slot_name(Ref(object.index), slot)
            }
        }
    }

    fn next_place(&self, state: &JavaState, thread: Number) -> Option<Place> {
        let found = state.machine.thread(self.id(thread))?;
        self.place_of(&found.frames)
    }

    fn narrate(
        &self,
        state: &mut JavaState,
        step: Move,
        events: &mut Vec<Event>,
    ) -> Result<(), Halt> {
        let id = self.id(step.thread);
        let was = state.machine.thread(id).map(|thread| thread.status);
        let waits = |thread: &&Thread| matches!(thread.status, Status::Waiting { .. });
        let waited = self.program_threads(&state.machine).filter(waits);
        let waited: Vec<ThreadId> = waited.map(|thread| thread.id).collect();
        let mut log = Some(Vec::new());
        let before = state.clone();
        let result = self.go(state, step.thread, step.choice, &mut log);
        let mut log = log.unwrap_or_default();
        log.retain(|entry| entry.by == id && !entry.is_quiet);
        let mut old = self.old_value(&before, id, step.choice);
        // The names of the state before come first: they are updated in the order of the states.
        let touched = self.touched(&self.names(&before.machine), &log);
        let Some((was, thread)) = was.zip(state.machine.thread(id)) else {
            return result;
        };
        let names = self.names(&state.machine);
        let changes = touched.iter().map(|it| (it.at, self.change(&names, it)));
        let changes: Vec<(usize, Option<Event>)> = changes.collect();
        let is_changed = |event: &Event| event.operation == Some(Operation::Write);
        let is_any_changed = changes
            .iter()
            .any(|(_, it)| it.as_ref().is_some_and(is_changed));
        for (at, entry) in log.iter().enumerate() {
            let told = self.event(&names, was, thread, entry);
            let here = Event {
                place: self.place_of(&entry.frames),
                inside: self.inside(&entry.frames),
                ..Event::default()
            };
            let at_it = |event: Event| Event {
                place: here.place,
                inside: here.inside.clone(),
                ..event
            };
            events.extend(self.signal(&names, entry).into_iter().map(at_it));
            events.extend(told);
            if old.as_ref().is_some_and(|it| it.is_of(&entry.act)) {
                events.extend(old.take().map(|it| it.told(self, &names)).map(at_it));
            }
            if let Act::Notify(object) | Act::NotifyAll(object) = entry.act {
                events.extend(self.woken(&waited, &state.machine, object));
            }
            let replaced = self.replaced(&names, entry).filter(|_| !is_any_changed);
            events.extend(replaced.into_iter().map(at_it));
            let changed = changes.iter().filter(|it| it.0 == at);
            events.extend(changed.filter_map(|it| it.1.clone()).map(at_it));
        }
        if let Err(Halt::Fault(_)) = result {
            self.stack_trace(&state.machine, thread.uncaught, events);
        }
        result
    }

    fn prelude(&self) -> Vec<Event> {
        let mut state = self.beginning();
        let mut log = Some(Vec::new());
        let result = self.advance(&mut state, ThreadId::MAIN, None, None, &mut log);
        let Some(thread) = state.machine.thread(ThreadId::MAIN) else {
            return Vec::new();
        };
        let names = self.names(&state.machine);
        let printed = log.iter().flatten();
        let printed = printed.filter(|entry| matches!(entry.act, Act::Print(_)));
        let mut events: Vec<Event> = printed
            .filter_map(|entry| self.event(&names, Status::Runnable, thread, entry))
            .collect();
        if let Err(Halt::Fault(_)) = result {
            self.stack_trace(&state.machine, thread.uncaught, &mut events);
        }
        events
    }

    fn shared_values(&self, state: &JavaState) -> Vec<(String, String)> {
        let values = self.names(&state.machine).values().into_iter();
        values
            .map(|(variable, value)| (self.within(variable), value))
            .collect()
    }

    fn race(&self, state: &JavaState) -> Option<Race> {
        self.settings
            .forbids_races
            .then(|| self.race_in(state))
            .flatten()
    }

    fn obstacle(&self, state: &JavaState, thread: Number) -> Option<Obstacle> {
        self.obstacle_of(state, thread)
    }
}

/// Something that is done to no object, or not by an operation that there is a name for.
pub(super) fn plain(what: &str, value: Option<String>) -> Event {
    Event {
        object: what.to_owned(),
        value,
        ..Event::default()
    }
}
