//! A step: one operation that others could notice, and all up to the next one.

use std::sync::atomic::Ordering;

use raddle_model::{Fault, FaultKind, Halt, Thread};

use super::guards::{Guard, Holder, WHOLE};
use super::hook::{Act, Global, Hook, LogEntry};
use super::races::fault;
use super::{Java, JavaState, Silent};
use crate::heap::{Lock, Ref};
use crate::interpret::{Event, Watched, run, with_watched_thread};
use crate::natives::wake;
use crate::state::{Initialisation, State};
use crate::thread::{Phase, Status as ThreadStatus, ThreadId, Wake};

/// How many calls and backward jumps a step has before others may go on.
const BUDGET: u64 = 2_000_000;

/// How many of them it makes before it looks whether it is to be stopped.
const SLICE: u64 = 20_000;

/// Locks of the library spin a little before they wait; who spins more often waits for
/// somebody.
const SPINS: u32 = 64;

impl Java {
    /// Runs a thread up to the next operation that others could notice. It makes the
    /// operation that is `due` first, if one is; `choice` says how, if it can go on in several ways.
    pub(super) fn advance(
        &self,
        state: &mut JavaState,
        id: ThreadId,
        due: Option<Act>,
        choice: Option<u32>,
        log: &mut Option<Vec<LogEntry>>,
    ) -> Result<(), Halt> {
        let is_due = due.is_some();
        let before = state.machine.threads.len();
        let was_started = before as u32 > self.own_threads + 1;
        let is_accompanied = self.alive(&state.machine) > 1;
        let mut hook = Hook {
            is_concurrent: was_started && (is_accompanied || !self.is_free.load(Ordering::Relaxed)),
            // Where not every state is visited, others may be alive in an equivalent execution.
            is_multithreaded: is_accompanied
                || was_started && self.skips_states.load(Ordering::Relaxed),
            is_distributed: self.is_distributed(),
            is_uncommitted: is_due,
            due,
            choice,
            is_atomic: state.machine.thread(id).is_some_and(|it| it.atomic > 0),
            grain: self.grain,
            is_strict: self.is_strict,
            me: self.holder(&state.machine, id),
            ended: self.ended_threads(&state.machine),
            claims: state.claims.clone(),
            log: log.take(),
            ..Hook::default()
        };
        if let Some(thread) = state.machine.thread(id) {
            if self.is_strict {
                hook.held.clone_from(&thread.held);
            }
            if !is_due {
                hook.resume(&self.world, &thread.frames);
            }
        }
        let result = self.run(state, id, &mut hook);
        if let Some(thread) = state.machine.thread_mut(id) {
            thread.trim(&self.world);
        }
        *log = hook.log.take();
        self.place_pending(state, id, hook.pending.take());
        state.claims = std::mem::take(&mut hook.claims);
        if let Some(message) = hook.breach {
            let thread = state.machine.thread(id);
            return Err(Halt::Fault(Fault {
                kind: FaultKind::Discipline,
                message,
                place: thread.and_then(|thread| self.place_of(&thread.frames)),
            }));
        }
        if let Some(why) = hook.broken {
            return Err(Halt::GaveUp(why));
        }
        if let Some(halt) = hook.halt {
            return Err(self.placed(state, id, halt));
        }
        result?;
        for index in before..state.machine.threads.len() {
            self.advance(state, ThreadId(index as u32), None, None, &mut None)?;
        }
        Ok(())
    }

    pub(super) fn holder(&self, state: &State, id: ThreadId) -> Holder {
        let object = state.thread(id).map_or(Ref::NULL, |found| found.object);
        Holder { id, object }
    }

    /// A bit for each of the first threads that has ended.
    pub(super) fn ended_threads(&self, state: &State) -> u128 {
        let ended = self
            .program_threads(state)
            .filter(|thread| thread.status == ThreadStatus::Ended && thread.id.0 < 128);
        ended.fold(0, |all, thread| all | 1 << thread.id.0)
    }

    /// Lets a thread claim something: for a lock that it holds, or for itself.
    pub(super) fn claim(&self, state: &mut JavaState, id: ThreadId, object: Ref, slot: u32) {
        let machine = &state.machine;
        let is_free = match state.claims.get(object, slot) {
            None => true,
            Some(Guard::Lock(_)) => false,
            Some(Guard::Thread(id)) => machine
                .thread(id)
                .is_none_or(|thread| thread.status == ThreadStatus::Ended),
        };
        let (Some(thread), true) = (machine.thread(id), is_free) else {
            return;
        };
        let holder = self.holder(machine, id);
        let mut held = thread
            .held
            .iter()
            .filter(|&&lock| holder.holds(&self.world, &machine.heap, lock));
        // What is claimed by itself was claimed for the innermost lock before, in vain.
        let lock = match slot {
            WHOLE => held.next_back(),
            _ => held.next(),
        };
        let guard = lock.map_or(Guard::Thread(id), |&lock| Guard::Lock(lock));
        state.claims.set(object, slot, guard);
    }

    pub(super) fn place_pending(&self, state: &mut JavaState, id: ThreadId, act: Option<Act>) {
        let index = id.0 as usize;
        if state.pending.len() <= index {
            state.pending.resize(index + 1, None);
        }
        state.pending[index] = act;
        state.canonical.get_mut().changes.add_thread(id.0);
    }

    pub(super) fn run(
        &self,
        state: &mut JavaState,
        id: ThreadId,
        hook: &mut Hook,
    ) -> Result<(), Halt> {
        let world = &self.world;
        let (mut left, mut budget, mut spins) = (BUDGET, SLICE, 0);
        loop {
            if let Some(reason) = world.stop.reason() {
                return Err(Halt::Stopped(reason));
            }
            let machine = &mut state.machine;
            let event = with_watched_thread(world, machine, id, &mut Silent, Some(hook), |env| {
                run(env, &mut Watched, &mut budget)
            });
            match event {
                Some(Event::Budget) if left > SLICE => {
                    left -= SLICE;
                    budget = SLICE;
                }
                Some(Event::Budget) if hook.is_atomic => {
                    return Err(Halt::GaveUp("an atomic block does not end".to_owned()));
                }
                Some(Event::Watched | Event::Budget) => return Ok(()),
                // A call that is one step ends where it has to wait.
                Some(Event::Yielded) => {
                    spins += 1;
                    if spins > SPINS && hook.region.is_some() {
                        return Ok(());
                    }
                }
                Some(Event::Exit(_)) => {
                    self.end(state);
                    return Ok(());
                }
                Some(Event::Unsupported(what, trace)) => {
                    let place = trace.first().map(|line| format!(" at {line}"));
                    return Err(Halt::GaveUp(format!(
                        "not supported: {what}{}",
                        place.unwrap_or_default()
                    )));
                }
                Some(Event::Blocked) => match machine.thread_mut(id) {
                    Some(thread) => match thread.status {
                        ThreadStatus::Sleeping { until } => {
                            wake(thread, Wake::TimedOut);
                            machine.clock = machine.clock.max(until);
                        }
                        // In an atomic block it was not asked before.
                        ThreadStatus::AwaitingClass(class) => {
                            thread.status = ThreadStatus::Runnable;
                            hook.pending = Some(Act::Initialise(class));
                            return Ok(());
                        }
                        _ => return Ok(()),
                    },
                    None => return Ok(()),
                },
                Some(Event::Ended) => {
                    let is_alone = !hook.is_concurrent && !self.is_distributed();
                    if self.ended(state, id, is_alone)? {
                        continue;
                    }
                    match is_alone {
                        true => self.finish(state, id),
                        false => hook.pending = Some(Act::Finish),
                    }
                    return Ok(());
                }
                None => return Err(Halt::GaveUp("a thread is not there".to_owned())),
            }
        }
    }

    /// Makes a step, and follows what happens before what if that is asked for.
    pub(super) fn go(
        &self,
        state: &mut JavaState,
        thread: Thread,
        choice: u32,
        log: &mut Option<Vec<LogEntry>>,
    ) -> Result<(), Halt> {
        let is_followed = self.world.facts.is_disordered();
        let before = (state.machine.heap.end(), state.machine.threads.len());
        let mut own = Some(Vec::new());
        let log = if is_followed && log.is_none() {
            &mut own
        } else {
            log
        };
        let result = self.perform(state, thread, choice, log);
        let result = result.map_err(|halt| self.judged(state, halt));
        if !is_followed {
            return result;
        }
        let entries = log.as_deref().unwrap_or_default();
        self.follow(state, self.id(thread), entries, before);
        result?;
        // The state may be one that was reached without a race before.
        match state.past.race().filter(|_| self.forbids_races()) {
            Some(race) => Err(Halt::Fault(fault(race))),
            None => Ok(()),
        }
    }

    fn perform(
        &self,
        state: &mut JavaState,
        thread: Thread,
        choice: u32,
        log: &mut Option<Vec<LogEntry>>,
    ) -> Result<(), Halt> {
        if let Some(halt) = self.give_up() {
            return Err(halt);
        }
        let id = self.id(thread);
        let act = self.pending(state, id).cloned();
        let Some(found) = state.machine.thread(id) else {
            return Err(Halt::GaveUp("a thread is not there".to_owned()));
        };
        let (status, object, wake_up) = (found.status, found.object, found.wake);
        let (mut is_armed, mut chosen) = (true, None);
        let frames = match log {
            Some(_) => found.frames.clone(),
            None => Vec::new(),
        };
        let mut tell = |act: Act| {
            if let Some(log) = log {
                log.push(LogEntry {
                    act,
                    frames: frames.clone(),
                    value: None,
                    before: None,
                    expected: None,
                });
            }
        };
        match status {
            ThreadStatus::Waiting { until, .. } | ThreadStatus::Parked { until } => {
                // The first choice is the end of the time, if there is one.
                let until = until.filter(|_| choice == 0);
                tell(match until {
                    Some(_) => Act::Global(Global::Clock),
                    None => Act::Spurious,
                });
                let machine = &mut state.machine;
                machine.clock = machine.clock.max(until.unwrap_or(0));
                if let Some(thread) = machine.thread_mut(id) {
                    wake(thread, until.map_or(Wake::Done, |_| Wake::TimedOut));
                }
                if let ThreadStatus::Waiting { .. } = status {
                    state.freeze();
                    return Ok(());
                }
                is_armed = false;
            }
            ThreadStatus::Returning {
                object,
                count,
                wake,
            } => {
                tell(Act::Resume(object));
                if let Some(thread) = state.machine.thread_mut(id) {
                    thread.status = ThreadStatus::Runnable;
                    thread.wake = wake;
                }
                if let Some(locked) = state.machine.heap.get_mut(object) {
                    locked.lock = Lock {
                        owner: id.0 + 1,
                        count,
                    };
                }
                is_armed = false;
            }
            ThreadStatus::Exchanging { .. } => {
                if let Some(thread) = state.machine.thread_mut(id) {
                    thread.status = ThreadStatus::Runnable;
                }
            }
            _ if wake_up != Wake::None => {
                tell(Act::Permit(object));
                is_armed = false;
            }
            _ => {}
        }
        match act {
            Some(Act::Finish) if is_armed => {
                tell(Act::Finish);
                let uncaught = state
                    .machine
                    .thread(id)
                    .filter(|thread| thread.phase == Phase::Running && !thread.uncaught.is_null());
                if let Some(thread) = uncaught {
                    return Err(Halt::Fault(self.uncaught(&state.machine, thread.uncaught)));
                }
                self.finish(state, id);
                self.place_pending(state, id, None);
                state.freeze();
                return self.check_end(state);
            }
            Some(Act::Initialise(class)) => {
                let progress = state.machine.class(class).initialisation;
                if progress != Initialisation::None {
                    tell(Act::Look(class));
                    is_armed = false;
                }
            }
            Some(Act::Notify(object)) => {
                let waiters = self.waiters(&state.machine, object);
                // Whoever has waited longest is woken, so this one has.
                if let Some(&woken) = waiters.get(choice as usize)
                    && let Some(thread) = state.machine.thread_mut(woken)
                    && let ThreadStatus::Waiting { turn, .. } = &mut thread.status
                {
                    *turn = 0;
                }
            }
            Some(Act::Choose(_) | Act::Tick) => {
                is_armed = false;
                chosen = Some(choice);
            }
            Some(Act::Attempt(..)) => chosen = Some(choice),
            Some(Act::Claim(object, slot)) => {
                tell(Act::Claim(object, slot));
                self.claim(state, id, object, slot);
                is_armed = false;
            }
            None => is_armed = false,
            _ => {}
        }
        let due = act.filter(|_| is_armed);
        let result = self.advance(state, id, due, chosen, log);
        state.freeze();
        result.and_then(|()| self.check_end(state))
    }
}
