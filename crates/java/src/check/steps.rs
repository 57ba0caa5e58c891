//! A step: one operation that others could notice, and all up to the next one.

use raddle_jvm::heap::{Lock, Ref};
use raddle_jvm::state::{Initialisation, State};
use raddle_jvm::thread::{Phase, Status as ThreadStatus, ThreadId, Wake};
use raddle_jvm::{Event, run_thread};
use raddle_model::{Fault, FaultKind, Halt, Object, Thread};
use raddle_reduce::exclusive::{Grain, Owner};

use super::acts::{Act, Global, LogEntry};
use super::judgement::Holder;
use super::races::fault;
use super::run::Run;
use super::{CLAIMS, Java, JavaState, Silent, monitor};

/// How many calls and backward jumps a step has before others may go on. A loop without an end takes so
/// many in each of the states in which it is tried.
const BUDGET: u64 = 200_000;

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
        let is_relaxed = self.is_relaxed();
        let before = state.machine.threads.len();
        let was_started = before as u32 > self.own_threads + 1;
        let is_accompanied = self.alive(&state.machine) > 1;
        let mut run = Run {
            is_concurrent: was_started && (is_accompanied || !self.exploration.is_free_when_alone),
            // Where not every state is visited, others may be alive in an equivalent execution.
            is_multithreaded: is_accompanied || was_started && self.exploration.skips_states,
            is_distributed: self.is_distributed(),
            is_uncommitted: is_due,
            due,
            choice,
            is_atomic: state.machine.thread(id).is_some_and(|it| it.atomic > 0),
            grain: match is_relaxed {
                true => self.exploration.grain.min(Grain::Guarded),
                false => self.exploration.grain,
            },
            is_strict: self.exploration.is_strict,
            me: self.holder(&state.machine, id),
            ended: self.ended_threads(&state.machine),
            claims: state.claims.clone(),
            log: log.take(),
            own_threads: self.own_threads,
            ..Run::of(&self.program)
        };
        // Who is alone may not know what others have done.
        run.is_concurrent |= was_started && is_relaxed;
        if let Some(thread) = state.machine.thread(id) {
            if self.exploration.is_strict {
                run.held.clone_from(&thread.held);
            }
            if !is_due {
                run.resume(&thread.frames);
            }
        }
        let told = run.log.as_ref().map_or(0, Vec::len);
        if is_relaxed {
            state.machine.heap.begin_noting_shared();
        }
        let result = self.run(state, id, &mut run);
        if is_relaxed {
            let shared = state.machine.heap.end_noting_shared();
            if let Some(log) = run.log.as_mut().filter(|_| !shared.is_empty()) {
                log.insert(told, LogEntry::of(id, Act::Share(shared)));
            }
            state.relaxed.expect(id, run.found.1);
        }
        if let Some(thread) = state.machine.thread_mut(id) {
            thread.trim(&self.program);
        }
        *log = run.log.take();
        self.place_pending(state, id, run.pending.take());
        state.claims = std::mem::take(&mut run.claims);
        if let Some(message) = run.breach {
            let thread = state.machine.thread(id);
            return Err(Halt::Fault(Fault {
                kind: FaultKind::Discipline,
                message,
                place: thread.and_then(|thread| self.place_of(&thread.frames)),
            }));
        }
        if let Some(why) = run.broken {
            return Err(Halt::GaveUp(why));
        }
        if let Some(halt) = run.halt {
            return Err(self.placed(state, id, halt));
        }
        result?;
        self.begin_threads(state, before, log)
    }

    /// Lets the threads from a number on come to their first operation. What they do up to there
    /// depends on what was before, as on the classes that were initialised: it is a part of the step.
    fn begin_threads(
        &self,
        state: &mut JavaState,
        first: usize,
        log: &mut Option<Vec<LogEntry>>,
    ) -> Result<(), Halt> {
        for index in first..state.machine.threads.len() {
            let mut own = log.as_ref().map(|_| Vec::new());
            let result = self.advance(state, ThreadId(index as u32), None, None, &mut own);
            if let (Some(log), Some(own)) = (log.as_mut(), own) {
                log.extend(own);
            }
            result?;
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
    fn claim(&self, state: &mut JavaState, id: ThreadId, claimed: Object) {
        let machine = &state.machine;
        let is_free = match state.claims.owner(claimed) {
            None => true,
            Some(Owner::Lock(_)) => false,
            Some(Owner::Thread(Thread(id))) => machine
                .thread(ThreadId(id))
                .is_none_or(|thread| thread.status == ThreadStatus::Ended),
        };
        let (Some(thread), true) = (machine.thread(id), is_free) else {
            return;
        };
        let holder = self.holder(machine, id);
        let mut held = thread
            .held
            .iter()
            .filter(|&&lock| holder.holds(&self.program, &machine.heap, lock));
        // What is claimed by itself was claimed for the innermost lock before, in vain.
        let lock = match claimed.region {
            CLAIMS => held.next_back(),
            _ => held.next(),
        };
        let owner = match lock {
            Some(&lock) => Owner::Lock(monitor(lock)),
            None => Owner::Thread(Thread(id.0)),
        };
        state.claims.set(claimed, owner);
    }

    pub(super) fn place_pending(&self, state: &mut JavaState, id: ThreadId, act: Option<Act>) {
        let index = id.0 as usize;
        if state.pending.len() <= index {
            state.pending.resize(index + 1, None);
        }
        state.pending[index] = act;
        state.canonical.get_mut().changes.add_thread(id.0);
    }

    fn run(&self, state: &mut JavaState, id: ThreadId, run: &mut Run<'_>) -> Result<(), Halt> {
        let program = &self.program;
        let (mut left, mut budget, mut spins) = (BUDGET, SLICE, 0);
        loop {
            if let Some(reason) = program.stop.reason() {
                return Err(Halt::Stopped(reason));
            }
            let machine = &mut state.machine;
            let event = run_thread(program, machine, id, &mut Silent, Some(run), &mut budget);
            match event {
                Some(Event::Budget) if left > SLICE => {
                    left -= SLICE;
                    budget = SLICE;
                }
                Some(Event::Budget) if run.is_atomic => {
                    return Err(Halt::GaveUp("an atomic block does not end".to_owned()));
                }
                Some(Event::Watched | Event::Budget) => return Ok(()),
                // A call that is one step ends where it has to wait.
                Some(Event::Yielded) => {
                    spins += 1;
                    if spins > SPINS && run.region.is_some() {
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
                            thread.wake_up(Wake::TimedOut);
                            machine.clock = machine.clock.max(until);
                        }
                        // In an atomic block it was not asked before.
                        ThreadStatus::AwaitingClass(class) => {
                            thread.status = ThreadStatus::Runnable;
                            run.pending = Some(Act::Initialise(class));
                            return Ok(());
                        }
                        _ => return Ok(()),
                    },
                    None => return Ok(()),
                },
                Some(Event::Ended) => {
                    let is_alone = !run.is_concurrent && !self.is_distributed();
                    if self.ended(state, id, is_alone)? {
                        continue;
                    }
                    match is_alone {
                        true => self.finish(state, id),
                        false => run.pending = Some(Act::Finish),
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
        if self.is_relaxed() {
            return self.go_relaxed(state, thread, choice, log);
        }
        let is_followed = self.program.facts.is_disordered();
        let before = (state.machine.heap.end(), state.machine.threads.len());
        let mut own = Some(Vec::new());
        let log = if is_followed && log.is_none() {
            &mut own
        } else {
            log
        };
        let result = self.perform(state, thread, choice, log);
        if state.machine.heap.is_starved() {
            let why = "there is no memory left for a copy of an array";
            return Err(Halt::GaveUp(why.to_owned()));
        }
        let result = result.map_err(|halt| self.judged(state, halt));
        if !is_followed {
            return result;
        }
        let entries = log.as_deref().unwrap_or_default();
        self.follow(state, self.id(thread), entries, before);
        result?;
        // The state may be one that was reached without a race before.
        match state.past.race().filter(|_| self.settings.forbids_races) {
            Some(race) => Err(Halt::Fault(fault(race))),
            None => Ok(()),
        }
    }

    pub(super) fn perform(
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
        let (status, own, wake_up) = (found.status, found.object, found.wake);
        let (mut is_armed, mut chosen) = (true, None);
        let frames = match log {
            Some(_) => found.frames.clone(),
            None => Vec::new(),
        };
        let mut tell = |act: Act| {
            if let Some(log) = log {
                log.push(LogEntry {
                    frames: frames.clone(),
                    ..LogEntry::of(id, act)
                });
            }
        };
        match status {
            ThreadStatus::Waiting { until, .. } | ThreadStatus::Parked { until } => {
                // The first choice is the end of the time, if it may end.
                let until = until.filter(|_| choice == 0 && self.may_time_out(state, thread));
                tell(match until {
                    Some(_) => Act::Global(Global::Clock),
                    None => Act::Spurious,
                });
                let machine = &mut state.machine;
                machine.clock = machine.clock.max(until.unwrap_or(0));
                if let Some(thread) = machine.thread_mut(id) {
                    thread.wake_up(until.map_or(Wake::Done, |_| Wake::TimedOut));
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
                if wake == Wake::Interrupted {
                    tell(Act::Interrupt(own));
                }
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
                tell(Act::Permit(own));
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
                let before = state.machine.threads.len();
                self.finish(state, id);
                self.place_pending(state, id, None);
                self.begin_threads(state, before, log)?;
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
                let machine = &mut state.machine;
                let waiters = self.waiters(machine, object);
                let choice = choice as usize;
                match choice.checked_sub(waiters.len().max(1)) {
                    Some(index) => {
                        let leaver = self.leavers(machine, object).get(index).copied();
                        leaver.into_iter().for_each(|it| stay(machine, it));
                    }
                    None => waiters
                        .get(choice)
                        .into_iter()
                        .for_each(|&it| come_first(machine, it)),
                }
            }
            Some(Act::NotifyAll(object)) => {
                let leavers = self.leavers(&state.machine, object).into_iter();
                let staying = leavers
                    .enumerate()
                    .filter(|(bit, _)| choice >> bit & 1 == 1);
                for (_, leaver) in staying {
                    stay(&mut state.machine, leaver);
                }
            }
            Some(Act::Choose(_) | Act::Tick) => {
                is_armed = false;
                chosen = Some(choice);
            }
            // How many threads are alive is no choice.
            Some(Act::Doing(other)) if !other.is_null() => {
                let doings = self.doings(state, other);
                is_armed = false;
                chosen = doings.get(choice as usize).copied();
                tell(Act::Doing(other));
            }
            Some(Act::Attempt(..)) => chosen = Some(choice),
            Some(Act::Claim(claimed)) => {
                tell(Act::Claim(claimed));
                self.claim(state, id, claimed);
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

/// Whoever has waited longest is woken, so this one has.
fn come_first(machine: &mut State, waiter: ThreadId) {
    if let Some(thread) = machine.thread_mut(waiter)
        && let ThreadStatus::Waiting { turn, .. } = &mut thread.status
    {
        *turn = 0;
    }
}

/// Who was interrupted while it waited has not left yet, and is the next to be notified.
fn stay(machine: &mut State, leaver: ThreadId) {
    if let Some(thread) = machine.thread_mut(leaver)
        && let ThreadStatus::Returning { object, count, .. } = thread.status
    {
        thread.status = ThreadStatus::Waiting {
            object,
            count,
            until: None,
            turn: 0,
        };
    }
}
