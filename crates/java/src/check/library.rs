//! What the operations of the library come to for a program that calls it: who gets a lock or a permit,
//! who signals whom, what becomes of a collection. The rest is bookkeeping, which is told only to those
//! who ask for all.

use raddle_jvm::heap::{Body, Ref};
use raddle_jvm::thread::{Frame, Thread};
use raddle_jvm::world::{MethodId, Origin};
use raddle_model::{Event, Operation};

use super::Java;
use super::acts::{Act, LogEntry};
use super::layout::declaration;
use super::names::Names;
use super::narrate::plain;

/// The package of the locks.
const LOCKS: &str = "java/util/concurrent/locks/";

/// What another state of a `StampedLock` means: a bit says that somebody writes, and those below count
/// who reads.
fn stamped(before: u64, value: u64) -> Option<(&'static str, &'static str)> {
    const WRITES: u64 = 1 << 7;
    let readers = |state: u64| state & (WRITES - 1);
    match (before & WRITES, value & WRITES) {
        (0, WRITES) => Some(("takes", "write")),
        (WRITES, 0) => Some(("releases", "write")),
        _ if readers(value) == readers(before) + 1 => Some(("takes", "read")),
        _ if readers(value) + 1 == readers(before) => Some(("releases", "read")),
        _ => None,
    }
}

/// A collection or a future that a step has touched.
pub(super) struct Touched {
    pub(super) object: Ref,
    /// The entry of the log at which that is told.
    pub(super) at: usize,
    /// Whether the same call has written anything.
    pub(super) writes: bool,
    /// What was in it.
    pub(super) before: Option<String>,
}

impl Java {
    /// Whether what is done to an object in a call of the library is only the library's business.
    pub(super) fn is_bookkeeping(&self, names: &Names<'_>, object: Ref, called: MethodId) -> bool {
        let Some(class) = names.library_class(object) else {
            return false;
        };
        let body = names.state.heap.get(object).map(|found| &found.body);
        match body {
            Some(Body::Fields(_)) if class.starts_with("java/util/concurrent/atomic/") => {
                !names.has_own_field(object)
            }
            // The class of the call is a library's, too: nobody else can use these fields.
            Some(Body::Fields(_)) => true,
            _ => !names.is_own_array(object) || self.is_of(called, LOCKS),
        }
    }

    /// Whether what is done to a lock in a call of the library is its business: the program has not
    /// called the lock, nor has it given it a name.
    pub(super) fn is_inner_lock(&self, names: &Names<'_>, lock: Ref, called: MethodId) -> bool {
        // A collection that locks itself is a lock to nobody else.
        let class = names.library_class(lock).unwrap_or_default();
        let is_collection = class.starts_with("java/util/") && !class.starts_with(LOCKS);
        !self.is_of(called, LOCKS) && (is_collection || !names.has_own_field(lock))
    }

    /// Whether a method is one of the classes whose names begin so.
    fn is_of(&self, method: MethodId, beginning: &str) -> bool {
        let class = self.program.method(method).class;
        self.program.class_name(class).starts_with(beginning)
    }

    /// What an access to the state of one of the library's synchronizers means: that is how they are
    /// taken and released.
    pub(super) fn synchronization(
        &self,
        names: &Names<'_>,
        object: Ref,
        index: u32,
        entry: &LogEntry,
    ) -> Option<Event> {
        let is_write = matches!(
            entry.act,
            Act::Write(..) | Act::Update(..) | Act::Attempt(..)
        );
        if !is_write || entry.expected.is_some() && entry.expected != entry.before {
            return None;
        }
        let class = names
            .library_class(object)?
            .strip_prefix("java/util/concurrent/")?;
        let (_, field) = declaration(&self.program, &names.state.heap, object, index)?;
        let (before, value) = (entry.before, entry.value?);
        if class == "locks/StampedLock" {
            let is_state = self.program.text(field.name) == "state";
            let (what, kind) = stamped(before.filter(|_| is_state)?, value)?;
            let lock = format!("the {kind} lock of {}", names.name_of(object));
            return Some(plain(what, Some(lock)));
        }
        match self.program.text(field.name) {
            "exclusiveOwnerThread" if class != "ThreadPoolExecutor$Worker" => Some(Event {
                object: names.lock_name(object),
                operation: Some(match value {
                    0 => Operation::Release,
                    _ => Operation::Acquire,
                }),
                ..Event::default()
            }),
            "state" => {
                let (before, value) = (before? as i32, value as i32);
                let counted = |operation| Event {
                    object: names.name_of(object),
                    operation: Some(operation),
                    before: Some(before.to_string()),
                    value: Some(value.to_string()),
                    ..Event::default()
                };
                match class.split_once('$')?.0 {
                    "Semaphore" if value < before => Some(counted(Operation::Down)),
                    "Semaphore" => Some(counted(Operation::Up)),
                    "CountDownLatch" => Some(counted(Operation::Update)),
                    // The upper half counts the readers.
                    "locks/ReentrantReadWriteLock" => {
                        let what = match (value >> 16) - (before >> 16) {
                            1 => "takes",
                            -1 => "releases",
                            _ => return None,
                        };
                        let lock = format!("the read lock of {}", names.name_of(object));
                        Some(plain(what, Some(lock)))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What a signal on a condition does: it takes the threads that wait out of a list.
    pub(super) fn signal(&self, names: &Names<'_>, entry: &LogEntry) -> Vec<Event> {
        let (Act::Read(object, index) | Act::Write(object, index)) = entry.act else {
            return Vec::new();
        };
        let state = names.state;
        let declared = declaration(&self.program, &state.heap, object, index);
        let is_list =
            declared.is_some_and(|(_, field)| self.program.text(field.name) == "firstWaiter");
        let by = entry.frames.last().map(|frame| {
            let method = self.program.method(frame.method);
            self.program.text(method.name)
        });
        if !is_list {
            return Vec::new();
        }
        let condition = names.name_of(object);
        let told = match (&entry.act, by) {
            (Act::Write(..), Some("doSignal" | "doSignalAll")) => {
                let node = Ref::of(entry.before.unwrap_or(0));
                let waiter = ["waiter", "thread"]
                    .into_iter()
                    .find_map(|name| names.part(node, name));
                let waiter = waiter.and_then(|waiter| self.thread_of(state, waiter));
                let woken = waiter.map(|waiter| self.name_of_thread(state, waiter));
                let mut told = vec![plain("signals", Some(condition))];
                told.extend(woken.map(|name| plain("wakes", Some(name))));
                told
            }
            (Act::Read(..), Some("signal" | "signalAll")) if entry.value == Some(0) => {
                let nobody = format!("{condition} (no thread is waiting)");
                vec![plain("signals", Some(nobody))]
            }
            _ => return Vec::new(),
        };
        let called = self.library_call(&entry.frames);
        let is_detail =
            called.is_some_and(|it| !self.is_of(it, LOCKS)) && !names.has_own_field(object);
        let mark = |event: Event| Event {
            is_detail: is_detail && event.object == "signals",
            ..event
        };
        told.into_iter().map(mark).collect()
    }

    /// The collections and futures that a step has touched in calls that are about them.
    pub(super) fn touched(&self, names: &Names<'_>, log: &[LogEntry]) -> Vec<Touched> {
        let mut found: Vec<Touched> = Vec::new();
        // Which of them the call at hand has touched.
        let mut current: Vec<usize> = Vec::new();
        let mut before: Option<MethodId> = None;
        for (at, entry) in log.iter().enumerate() {
            let called = self.library_call(&entry.frames);
            if called != before {
                before = called;
                current.clear();
            }
            let Some(called) = called else { continue };
            let (object, is_write) = match entry.act {
                Act::Read(object, _) => (object, false),
                Act::Write(object, _) | Act::Update(object, _) | Act::Attempt(object, _) => {
                    (object, true)
                }
                _ => continue,
            };
            let index = match found.iter().position(|it| it.object == object) {
                Some(index) => Some(index),
                None if self.is_about(names, called, object) => {
                    found.push(Touched {
                        object,
                        at,
                        writes: false,
                        before: names.contents(object),
                    });
                    Some(found.len() - 1)
                }
                None => None,
            };
            if let Some(index) = index {
                found[index].at = at;
                current.push(index);
            }
            for &index in current.iter().filter(|_| is_write) {
                found[index].writes = true;
            }
        }
        found
    }

    /// Whether a call of the library is about a collection or a future.
    fn is_about(&self, names: &Names<'_>, called: MethodId, object: Ref) -> bool {
        let Some(class) = names.library_class(object) else {
            return false;
        };
        let is_told = class.starts_with("java/util/")
            && !class.contains("/atomic/")
            && !class.contains("/locks/")
            && !class.starts_with("java/util/Collections$")
            && !matches!(
                class,
                "java/util/concurrent/Semaphore" | "java/util/concurrent/CountDownLatch"
            );
        let Some(found) = names.state.heap.get(object).filter(|_| is_told) else {
            return false;
        };
        let by = self.program.method(called).class;
        let is_its = self.program.class(found.class).ancestors.contains(&by);
        // Tasks are in the queue of a pool, and wrappers are around collections.
        let is_queue = class.starts_with("java/util/concurrent/") && class.ends_with("Queue");
        let is_pool = self.program.class_name(by).contains("Executor");
        let is_wrapper = self
            .program
            .class_name(by)
            .starts_with("java/util/Collections$");
        (is_its || (is_pool && is_queue || is_wrapper) && names.has_field(object))
            && names.contents(object).is_some()
    }

    /// What is written into the entry of a map.
    pub(super) fn replaced(&self, names: &Names<'_>, entry: &LogEntry) -> Option<Event> {
        let Act::Write(object, index) = entry.act else {
            return None;
        };
        let class = names.library_class(object)?;
        let (_, field) = declaration(&self.program, &names.state.heap, object, index)?;
        let is_value = matches!(self.program.text(field.name), "val" | "value");
        if !class.starts_with("java/util/") || !class.contains("Map$") || !is_value {
            return None;
        }
        Some(Event {
            object: names.entry_name(object)?,
            operation: Some(Operation::Write),
            before: entry.before.map(|it| names.value(object, index, it)),
            value: entry.value.map(|it| names.value(object, index, it)),
            ..Event::default()
        })
    }

    /// What has become of a collection or a future.
    pub(super) fn change(&self, names: &Names<'_>, touched: &Touched) -> Option<Event> {
        let value = names.contents(touched.object)?;
        let is_changed = touched.before.as_ref() != Some(&value);
        let class = names.library_class(touched.object)?;
        // Who asks a future mostly waits for it, which is told.
        let is_future = class.ends_with("Future") || class.ends_with("FutureTask");
        if is_future && !is_changed {
            return None;
        }
        let is_write = is_changed || touched.writes;
        Some(Event {
            object: names.name_of(touched.object),
            operation: Some(match is_write {
                true => Operation::Write,
                false => Operation::Read,
            }),
            before: touched.before.clone().filter(|_| is_write),
            value: Some(value),
            ..Event::default()
        })
    }

    /// The object whose method one of a thread's calls is, and the name of that, of the calls that are
    /// wanted by class and name; the innermost first.
    pub(super) fn receiver(
        &self,
        thread: &Thread,
        is_wanted: impl Fn(&str, &str) -> bool,
    ) -> Option<(Ref, &str)> {
        self.receivers(thread)
            .find(|(class, _, name)| is_wanted(class, name))
            .map(|(_, receiver, name)| (receiver, name))
    }

    /// The same of the calls of the library that the program waits for.
    pub(super) fn awaited(
        &self,
        thread: &Thread,
        is_wanted: impl Fn(&str, &str) -> bool,
    ) -> Option<(Ref, &str)> {
        let program = &self.program;
        let is_own = |frame: &Frame| {
            program.class(program.method(frame.method).class).origin == Origin::Program
        };
        let own = thread.frames.iter().rposition(is_own);
        let inner = thread.frames.len() - own.map_or(0, |own| own + 1);
        let mut receivers = self.receivers(thread).take(inner);
        let found = receivers.find(|(class, _, name)| is_wanted(class, name));
        found.map(|(_, receiver, name)| (receiver, name))
    }

    /// Classes, objects and names of a thread's calls of methods of objects, the innermost first.
    fn receivers<'a>(&'a self, thread: &Thread) -> impl Iterator<Item = (&'a str, Ref, &'a str)> {
        let program = &self.program;
        let calls = thread.frames.iter().enumerate().rev();
        calls
            .map(move |(index, frame)| {
                let method = program.method(frame.method);
                let receiver = thread.register(index, 0).filter(|_| !method.is_static());
                let receiver = Ref::of(receiver.unwrap_or(0));
                (
                    program.class_name(method.class),
                    receiver,
                    program.text(method.name),
                )
            })
            .map(|(class, receiver, name)| match receiver.is_null() {
                true => ("", receiver, name),
                false => (class, receiver, name),
            })
    }

    /// The variable of a thread's own calls that refers to an object.
    pub(super) fn variable_of(&self, thread: &Thread, object: Ref) -> Option<String> {
        let program = &self.program;
        let calls = thread.frames.iter().enumerate().rev();
        let mut own = calls.filter(|(_, frame)| {
            program.class(program.method(frame.method).class).origin == Origin::Program
        });
        own.find_map(|(index, frame)| {
            let variables = raddle_jvm::variables(program, frame);
            let refers = |register: u32| thread.register(index, register) == Some(object.word());
            let found = variables
                .into_iter()
                .find(|(register, _)| refers(*register));
            found.map(|(_, name)| name).filter(|name| name != "this")
        })
    }

    /// A future as the thread that waits for it knows it.
    pub(super) fn name_of_future(&self, names: &Names<'_>, thread: &Thread, future: Ref) -> String {
        let variable = match names.has_field(future) {
            true => None,
            false => self.variable_of(thread, future),
        };
        variable.unwrap_or_else(|| names.name_of(future))
    }
}
