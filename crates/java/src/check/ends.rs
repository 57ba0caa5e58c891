//! How threads end: by their last call, or by an exception that nobody catches.

use raddle_jvm::heap::Ref;
use raddle_jvm::schedule::{end_thread, handle_uncaught, is_daemon, run_hooks};
use raddle_jvm::state::State;
use raddle_jvm::thread::{Phase, Status as ThreadStatus, ThreadId};
use raddle_jvm::world::{MethodId, Origin};
use raddle_model::{Fault, FaultKind, Halt, Place};

use super::{Java, JavaState, Silent};

impl Java {
    /// What comes after a thread's last call. True if it goes on with a handler of its
    /// exception. An exception that nobody catches is a fault: of the step, if there is nobody
    /// else (`is_alone`), or of one of its own, before which others can do what they like.
    pub(super) fn ended(
        &self,
        state: &mut JavaState,
        id: ThreadId,
        is_alone: bool,
    ) -> Result<bool, Halt> {
        let Some(thread) = state.machine.thread(id) else {
            return Ok(false);
        };
        if thread.uncaught.is_null() || thread.phase != Phase::Running {
            return Ok(false);
        }
        if self.has_handler(&state.machine, thread.object) {
            let machine = &mut state.machine;
            return Ok(handle_uncaught(&self.program, machine, id, &mut Silent));
        }
        match is_alone {
            true => Err(Halt::Fault(self.uncaught(&state.machine, thread.uncaught))),
            false => Ok(false),
        }
    }

    /// Whether the program itself deals with a thread's uncaught exception.
    pub(super) fn has_handler(&self, state: &State, thread: Ref) -> bool {
        let program = &self.program;
        let field = |name| {
            let slot = program.slot_of(program.known().thread, name)?;
            Some(state.heap.ref_field(thread, slot))
        };
        let own = field("uncaughtExceptionHandler").unwrap_or_default();
        let slot =
            program.static_slot_of(program.known().thread, "defaultUncaughtExceptionHandler");
        let mirror = state.class(program.known().thread).mirror;
        let general = slot.map_or(Ref::NULL, |slot| state.heap.ref_field(mirror, slot));
        let group = field("group").and_then(|group| state.heap.get(group));
        let is_special =
            group.is_some_and(|group| program.class(group.class).origin != Origin::Library);
        !own.is_null() || !general.is_null() || is_special
    }

    /// The fault that an uncaught exception is.
    pub(super) fn uncaught(&self, state: &State, exception: Ref) -> Fault {
        let program = &self.program;
        let class = state.heap.get(exception).map(|found| found.class);
        let name = class.map_or("an exception", |class| program.class_name(class));
        let ancestors = class.map_or(&[][..], |class| &program.class(class).ancestors);
        let is_a = |name| ancestors.iter().any(|&it| program.class_name(it) == name);
        // Test libraries have assertion errors of their own.
        let kind = if is_a("java/lang/AssertionError") {
            FaultKind::Assertion
        } else if is_a("java/lang/IllegalMonitorStateException") {
            FaultKind::IllegalMonitorState
        } else {
            FaultKind::Exception
        };
        let message = state
            .heap
            .ref_field(exception, program.known().throwable_message);
        let message = state.text_of(program, message);
        // An error in a static initialiser is wrapped in one that says nothing by itself.
        let is_wrapper = name == "java/lang/ExceptionInInitializerError" && message.is_none();
        let name = name.replace('/', ".");
        let cause = state
            .heap
            .ref_field(exception, program.known().throwable_cause);
        let name = match is_wrapper && !cause.is_null() && cause != exception {
            true => format!("{name}, caused by {}", self.uncaught(state, cause).message),
            false => name,
        };
        Fault {
            kind,
            message: match (kind, message) {
                (FaultKind::Assertion, message) => message.unwrap_or_else(|| kind.to_string()),
                (_, Some(message)) => format!("{name}: {message}"),
                (_, None) => name,
            },
            place: self.thrown_at(state, exception),
        }
    }

    /// The end of an execution, which is no fault of the program if it may come from what the
    /// machine made up.
    pub(super) fn judged(&self, state: &JavaState, halt: Halt) -> Halt {
        match halt {
            Halt::Fault(fault) => match self.excuse(state, &self.described(&fault)) {
                Some(excuse) => Halt::GaveUp(excuse),
                None => Halt::Fault(fault),
            },
            halt => halt,
        }
    }

    /// A fault with its kind and place.
    fn described(&self, fault: &Fault) -> String {
        let Fault {
            kind,
            message,
            place,
        } = fault;
        let files = |place: &Place| {
            self.settings
                .files
                .iter()
                .find(|(file, _)| *file == place.file)
        };
        let at = place.as_ref().and_then(|place| {
            let (_, file) = files(place)?;
            Some(format!(" at {file}:{}", place.line))
        });
        let at = at.unwrap_or_default();
        match *message == kind.to_string() {
            true => format!("{kind}{at}"),
            false => format!("{kind}{at}: {message}"),
        }
    }

    /// Why something that goes wrong in a state may be no fault of the program.
    pub(super) fn excuse(&self, state: &JavaState, what: &str) -> Option<String> {
        let suspects = state.machine.made_up.suspects()?;
        Some(format!(
            "{what}; it may come from what is not supported: {suspects}"
        ))
    }

    /// Where in the program an exception was made.
    pub(super) fn thrown_at(&self, state: &State, exception: Ref) -> Option<Place> {
        let mut calls = self.calls_of(state, exception).into_iter();
        calls.find_map(|(method, position)| self.place(method, position))
    }

    /// The calls in which an exception was made, the innermost first.
    pub(super) fn calls_of(&self, state: &State, exception: Ref) -> Vec<(MethodId, u16)> {
        let trace = state
            .heap
            .ref_field(exception, self.program.known().throwable_backtrace);
        let Some(raddle_jvm::heap::Body::Longs(trace)) = state.heap.get(trace).map(|it| &it.body)
        else {
            return Vec::new();
        };
        let calls = trace.iter().map(|packed| {
            let packed = packed.cast_unsigned();
            (MethodId((packed >> 32) as u32), packed as u16)
        });
        calls.collect()
    }

    /// The end of an execution, with where the thread is.
    pub(super) fn placed(&self, state: &JavaState, id: ThreadId, halt: Halt) -> Halt {
        match halt {
            Halt::Fault(fault) => Halt::Fault(Fault {
                place: state
                    .machine
                    .thread(id)
                    .and_then(|thread| self.place_of(&thread.frames)),
                ..fault
            }),
            halt => halt,
        }
    }

    /// Ends a thread, and the program with the last one, unless shutdown hooks are to be run
    /// first: then there is a new thread that does.
    pub(super) fn finish(&self, state: &mut JavaState, id: ThreadId) {
        let machine = &mut state.machine;
        end_thread(&self.program, machine, id, &mut Silent);
        if self.is_last(machine, id) && !run_hooks(&self.program, machine, &mut Silent) {
            self.end(state);
        }
    }

    /// Whether the program ends with this thread.
    pub(super) fn is_last(&self, state: &State, id: ThreadId) -> bool {
        self.program_threads(state).all(|thread| {
            thread.status == ThreadStatus::Ended
                || thread.id == id
                || is_daemon(&self.program, state, thread.object)
        })
    }

    /// Whether it is one of several processes.
    pub(super) fn is_distributed(&self) -> bool {
        self.process.is_some()
    }

    /// Whether it is the first of the processes.
    pub(super) fn is_first(&self) -> bool {
        self.start.process == 0
    }

    /// Ends the program.
    pub(super) fn end(&self, state: &mut JavaState) {
        state.is_over = true;
        let machine = &mut state.machine;
        machine.network.end_process(machine.process);
    }
}
