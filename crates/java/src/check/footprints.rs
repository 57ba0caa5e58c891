//! What operations touch, so that it is known which of them are independent.

use raddle_jvm::heap::Ref;
use raddle_jvm::schedule::{has_hooks, hooks};
use raddle_jvm::state::State;
use raddle_jvm::thread::Status as ThreadStatus;
use raddle_model::{Footprint, Object, Operation, Region, Thread};

use super::acts::{Act, Global, Outside};
use super::{
    CLAIMS, CLASSES, GLOBALS, INTERRUPTS, Java, MONITORS, PERMITS, SLOTS, THREADS, sockets,
};

impl Java {
    /// Adds what says whether a thread is interrupted: for the machine, and for the library.
    pub(super) fn touch_interruption(&self, state: &State, thread: Thread, out: &mut Footprint) {
        let interruption = Object {
            region: INTERRUPTS,
            index: thread.0,
        };
        out.add(interruption, Operation::Update);
        if let Some(found) = state.thread(self.id(thread)) {
            self.touch_interrupted(found.object, Operation::Update, out);
        }
    }

    /// Adds the field by which the library remembers an interruption.
    fn touch_interrupted(&self, thread: Ref, operation: Operation, out: &mut Footprint) {
        let class = self.program.known().thread;
        if let Some(slot) = self.program.slot_of(class, "interrupted") {
            let field = Object {
                region: Region(SLOTS + slot),
                index: thread.0,
            };
            out.add(field, operation);
        }
    }

    /// Adds by what others let a thread in `Object.wait` go on who have not got the monitor:
    /// its interruption, and the end of a thread if it waits for its object.
    pub(super) fn touch_sleep(
        &self,
        state: &State,
        thread: Thread,
        object: Ref,
        out: &mut Footprint,
    ) {
        let mut add = |region, index| out.add(Object { region, index }, Operation::Read);
        add(INTERRUPTS, thread.0);
        if let Some(other) = self.thread_of(state, object) {
            add(THREADS, other.0);
        }
    }

    /// Adds the clock, which nobody can observe in a program that never asks for the time.
    fn touch_clock(&self, operation: Operation, out: &mut Footprint) {
        if self.program.facts.tells_time() {
            let index = Global::Clock as u32;
            let region = GLOBALS;
            out.add(Object { region, index }, operation);
        }
    }

    /// Adds what an operation touches.
    pub(super) fn touch(&self, state: &State, thread: Thread, act: &Act, out: &mut Footprint) {
        let slot = |object: Ref, index: u32| Object {
            region: Region(SLOTS + index),
            index: object.0,
        };
        let on = |region, index| Object { region, index };
        let monitor = |object: Ref| on(MONITORS, object.0);
        // A thread that was not started yet is known by its object.
        let not_started = |object: Ref| u32::MAX - object.0;
        let number = |object: Ref| {
            let thread = self.thread_of(state, object);
            thread.map_or(not_started(object), |thread| thread.0)
        };
        match *act {
            Act::Read(object, index) => out.add(slot(object, index), Operation::Read),
            Act::Write(object, index) => out.add(slot(object, index), Operation::Write),
            Act::Update(object, index) | Act::Attempt(object, index) => {
                out.add(slot(object, index), Operation::Update)
            }
            Act::Claim(claimed) => out.add(on(CLAIMS, claimed.index), Operation::Update),
            Act::Copy { from, to, length } => {
                for index in 0..length {
                    if !from.0.is_null() {
                        out.add(slot(from.0, from.1 + index), Operation::Read);
                    }
                    if !to.0.is_null() {
                        out.add(slot(to.0, to.1 + index), Operation::Write);
                    }
                }
            }
            Act::ReadAll(object) => touch_all(state, object, Operation::Read, out),
            Act::Outside(Outside {
                reads,
                writes,
                descriptor: (descriptor, is_changed),
            }) => {
                out.add(on(GLOBALS, Global::Outside as u32), Operation::Update);
                touch_all(state, reads, Operation::Read, out);
                touch_all(state, writes, Operation::Write, out);
                let operation = match is_changed {
                    true => Operation::Write,
                    false => Operation::Read,
                };
                touch_all(state, descriptor, operation, out);
            }
            Act::Acquire(object) => out.add(monitor(object), Operation::Acquire),
            Act::Locked(object) => out.add(monitor(object), Operation::Read),
            Act::Release(object) => out.add(monitor(object), Operation::Release),
            Act::Wait(object) => {
                self.touch_interruption(state, thread, out);
                out.add(monitor(object), Operation::Wait);
            }
            Act::Resume(object) => out.add(monitor(object), Operation::WaitResume),
            Act::Notify(object) => out.add(monitor(object), Operation::Notify),
            Act::NotifyAll(object) => out.add(monitor(object), Operation::NotifyAll),
            Act::Start(object) => {
                // Threads are numbered as they start; until then they are known by their objects.
                let next = state.threads.len() as u32 - self.own_threads;
                out.add(on(THREADS, next), Operation::Start);
                out.add(on(THREADS, number(object)), Operation::Write);
                // Before that it is interrupted in another way, and permits are lost.
                out.add(on(INTERRUPTS, next), Operation::Write);
                out.add(on(INTERRUPTS, number(object)), Operation::Write);
                self.touch_interrupted(object, Operation::Read, out);
            }
            Act::IsAlive(object) => out.add(on(THREADS, number(object)), Operation::Read),
            Act::Join(object) => {
                out.add(on(THREADS, number(object)), Operation::Join);
                // Before the start nobody would have waited for it.
                out.add(on(THREADS, not_started(object)), Operation::Read);
                out.add(on(INTERRUPTS, thread.0), Operation::Read);
                if self.thread_of(state, object).is_none() {
                    out.add(monitor(object), Operation::Read);
                }
            }
            Act::Finish => {
                out.add(on(THREADS, thread.0), Operation::Finish);
                // The last one closes what the others have opened, or runs the shutdown hooks.
                let has_hooks = has_hooks(&self.program, state);
                let end = match self.is_distributed() || has_hooks {
                    true => Operation::Update,
                    false => Operation::Add,
                };
                out.add(on(GLOBALS, Global::End as u32), end);
                if let Some(hooks) = hooks(&self.program) {
                    out.add(on(CLASSES, hooks.0), Operation::Read);
                }
                if has_hooks {
                    let next = state.threads.len() as u32 - self.own_threads;
                    out.add(on(THREADS, next), Operation::Start);
                }
                if self.is_distributed() && self.is_last(state, self.id(thread)) {
                    sockets::touch_end(state, out);
                }
                if let Some(found) = state.thread(self.id(thread)) {
                    // Whoever waits for the object of the thread is woken.
                    out.add(monitor(found.object), Operation::Read);
                }
            }
            Act::Permit(object) => {
                out.add(on(PERMITS, number(object)), Operation::Update);
                out.add(on(INTERRUPTS, number(object)), Operation::Read);
            }
            Act::Interrupt(object) | Act::Sleep(object) => {
                let number = number(object);
                self.touch_interruption(state, Thread(number), out);
                out.add(on(PERMITS, number), Operation::Update);
                let other = state.thread_of(object).and_then(|id| state.thread(id));
                // Before it was notified, the interrupt would have ended its wait.
                if let Some(
                    ThreadStatus::Waiting { object, .. } | ThreadStatus::Returning { object, .. },
                ) = other.map(|it| it.status)
                {
                    out.add(monitor(object), Operation::Read);
                }
                if let Act::Sleep(_) = act {
                    self.touch_clock(Operation::Update, out);
                }
            }
            Act::Deadline => self.touch_clock(Operation::Read, out),
            Act::Initialise(class) | Act::Initialised(class) | Act::Settled(class) => {
                out.add(on(CLASSES, class.0), Operation::Update);
            }
            Act::Look(class) => out.add(on(CLASSES, class.0), Operation::Read),
            Act::Tick | Act::Global(Global::Clock) => self.touch_clock(Operation::Update, out),
            Act::Global(global) => {
                out.add(on(GLOBALS, global as u32), Operation::Update);
                if global == Global::Exit {
                    sockets::touch_end(state, out);
                }
            }
            Act::Exchange(ref exchange) => {
                sockets::touch_exchange(self, state, self.id(thread), exchange, out);
                if exchange.has_limit(&self.program, state) {
                    self.touch_clock(Operation::Update, out);
                }
            }
            // Whatever comes after them does not come.
            Act::Assume | Act::Unreachable => {
                out.add(on(GLOBALS, Global::Exit as u32), Operation::Update);
            }
            Act::Doing(object) => {
                out.add(on(THREADS, number(object)), Operation::Read);
                self.touch_doing(Operation::Update, out);
            }
            Act::Print(_)
            | Act::Spurious
            | Act::Choose(_)
            | Act::Chosen(_)
            | Act::Begin
            | Act::Share(_) => {}
            Act::Does(_) => {}
            Act::Fail(..) | Act::Fence => {}
        }
    }
}

/// Adds all fields or elements of an object, if there is one.
fn touch_all(state: &State, object: Ref, operation: Operation, out: &mut Footprint) {
    let count = state.heap.get(object).map_or(0, |found| match &found.body {
        raddle_jvm::heap::Body::Fields(fields) => fields.len(),
        other => other.length().unwrap_or(0),
    });
    for index in 0..count as u32 {
        let region = Region(SLOTS + index);
        let index = object.0;
        out.add(Object { region, index }, operation);
    }
}
