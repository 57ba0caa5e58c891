//! Which threads can move, and when time limits run out.

use raddle_jvm::heap::Ref;
use raddle_jvm::state::Initialisation;
use raddle_jvm::thread::{Status as ThreadStatus, Wake};
use raddle_model::{Footprint, Object, Operation, Status, System, Thread};

use super::acts::{Act, Global};
use super::choices::Timeouts;
use super::{GLOBALS, Java, JavaState, sockets};

/// What a thread may be doing, as `Thread.State` calls it.
pub(super) const STATES: [&str; 6] = [
    "NEW",
    "RUNNABLE",
    "BLOCKED",
    "WAITING",
    "TIMED_WAITING",
    "TERMINATED",
];
const NEW: u32 = 0;
const RUNNABLE: u32 = 1;
const BLOCKED: u32 = 2;
const WAITING: u32 = 3;
const TIMED_WAITING: u32 = 4;
const TERMINATED: u32 = 5;

impl Java {
    /// Whether a thread can make a step now, if a time limit may run out or not.
    pub(super) fn status_if(
        &self,
        state: &JavaState,
        thread: Thread,
        may_time_out: impl Fn() -> bool,
    ) -> Status {
        let id = self.id(thread);
        let Some(found) = state.machine.thread(id).filter(|_| !state.is_over) else {
            return Status::Done;
        };
        let when = |is_ready| match is_ready {
            true => Status::Ready { choices: 1 },
            false => Status::Blocked,
        };
        let is_free = |object| {
            let owner = self.lock(&state.machine, object).owner;
            owner == 0 || owner == id.0 + 1
        };
        match found.status {
            ThreadStatus::Ended => Status::Done,
            ThreadStatus::Waiting { until, .. } | ThreadStatus::Parked { until } => {
                let has_time = until.is_some() && may_time_out();
                let ways = u32::from(has_time) + u32::from(self.settings.is_spurious);
                match ways {
                    0 => Status::Blocked,
                    choices => Status::Ready { choices },
                }
            }
            ThreadStatus::Returning { object, .. } | ThreadStatus::Entering(object) => {
                when(is_free(object))
            }
            ThreadStatus::Sleeping { .. } => when(true),
            ThreadStatus::Exchanging {
                socket, request, ..
            } => when(!state.machine.network.must_wait(socket, request)),
            ThreadStatus::AwaitingClass(class) => {
                let progress = state.machine.class(class).initialisation;
                when(!matches!(progress, Initialisation::By(_)))
            }
            ThreadStatus::Runnable if found.wake != Wake::None => when(true),
            ThreadStatus::Runnable if state.relaxed.is_on() && self.ways(state, id) != 1 => {
                Status::Ready {
                    choices: self.ways(state, id),
                }
            }
            ThreadStatus::Runnable => match self.pending(state, id) {
                Some(&Act::Acquire(object)) => when(is_free(object)),
                // A thread ends with its own monitor.
                Some(Act::Finish) if self.program.facts.locks_library() => {
                    when(is_free(found.object))
                }
                Some(Act::Exchange(exchange)) => {
                    let limit = exchange.has_limit(&self.program, &state.machine);
                    when(
                        limit && may_time_out()
                            || !sockets::must_wait(&self.program, &state.machine, exchange),
                    )
                }
                Some(&Act::Join(object)) => {
                    let other = state.machine.thread_of(object);
                    when(match other.and_then(|other| state.machine.thread(other)) {
                        Some(it) => it.status == ThreadStatus::Ended || found.interrupted,
                        // Who starts it has its monitor, which the library wants then.
                        None => is_free(object),
                    })
                }
                Some(&Act::Initialise(class)) => match state.machine.class(class).initialisation {
                    Initialisation::By(by) => when(by == id),
                    _ => when(true),
                },
                Some(&Act::Notify(object)) => {
                    let waiters = self.waiters(&state.machine, object).len().max(1);
                    let leavers = self.leavers(&state.machine, object).len();
                    Status::Ready {
                        choices: (waiters + leavers) as u32,
                    }
                }
                // Each of those who leave may or may not be among all.
                Some(&Act::NotifyAll(object)) => Status::Ready {
                    choices: 1 << self.leavers(&state.machine, object).len(),
                },
                Some(&Act::Choose(choices)) => Status::Ready { choices },
                Some(&Act::Doing(other)) => Status::Ready {
                    choices: self.doings(state, other).len() as u32,
                },
                Some(Act::Tick | Act::Attempt(..)) => Status::Ready { choices: 2 },
                _ => when(true),
            },
        }
    }

    /// What a thread may be said to be doing, as numbers of [`STATES`]. Who stands before something that it
    /// would have to wait for may have come to it already or not; who was woken may not have gone on yet.
    pub(super) fn doings(&self, state: &JavaState, other: Ref) -> Vec<u32> {
        let machine = &state.machine;
        let thread = machine.thread_of(other).and_then(|id| machine.thread(id));
        let Some(thread) = thread else {
            return vec![NEW];
        };
        let is_held = |object| {
            let owner = self.lock(machine, object).owner;
            owner != 0 && owner != thread.id.0 + 1
        };
        let waiting = |until: Option<u64>| match until {
            Some(_) => TIMED_WAITING,
            None => WAITING,
        };
        match thread.status {
            ThreadStatus::Ended => vec![TERMINATED],
            ThreadStatus::Waiting { until, .. } | ThreadStatus::Parked { until } => {
                vec![waiting(until)]
            }
            ThreadStatus::Sleeping { .. } => vec![TIMED_WAITING],
            ThreadStatus::Returning { object, .. } if is_held(object) => vec![BLOCKED, WAITING],
            ThreadStatus::Returning { .. } => vec![RUNNABLE, BLOCKED, WAITING],
            ThreadStatus::Entering(object) if is_held(object) => vec![RUNNABLE, BLOCKED],
            ThreadStatus::Runnable if thread.wake != Wake::None => vec![RUNNABLE, WAITING],
            ThreadStatus::Runnable => match self.pending(state, thread.id) {
                Some(&Act::Acquire(object)) if is_held(object) => vec![RUNNABLE, BLOCKED],
                Some(Act::Sleep(_)) => vec![RUNNABLE, TIMED_WAITING],
                Some(&Act::Join(object)) => {
                    let joined = machine.thread_of(object).and_then(|id| machine.thread(id));
                    match joined.is_some_and(|it| it.status != ThreadStatus::Ended) {
                        true => vec![RUNNABLE, WAITING],
                        false => vec![RUNNABLE],
                    }
                }
                _ => vec![RUNNABLE],
            },
            _ => vec![RUNNABLE],
        }
    }

    /// What a step has to do with what threads are doing, if anybody asks for it: it may change that.
    pub(super) fn touch_doing(&self, operation: Operation, out: &mut Footprint) {
        if self.program.facts.asks_for_states() {
            let index = Global::Doing as u32;
            let region = GLOBALS;
            out.add(Object { region, index }, operation);
        }
    }

    /// Whether the time limit of a thread may run out now, if it has one.
    pub(super) fn may_time_out(&self, state: &JavaState, thread: Thread) -> bool {
        let can_move = |other: Thread| {
            let status = self.status_if(state, other, || false);
            // A wake-up for no reason is not what others wait for.
            matches!(status, Status::Ready { .. }) && !self.waits_for_time(state, other)
        };
        match self.settings.timeouts {
            Timeouts::Any => true,
            Timeouts::Last => {
                let all = (0..self.threads(state) as u32).map(Thread);
                !all.into_iter().any(|it| it != thread && can_move(it))
            }
        }
    }

    /// Whether a thread waits and may go on by itself.
    fn waits_for_time(&self, state: &JavaState, thread: Thread) -> bool {
        let found = state.machine.thread(self.id(thread));
        let status = found.map(|found| found.status);
        matches!(
            status,
            Some(ThreadStatus::Waiting { .. } | ThreadStatus::Parked { .. })
        )
    }

    /// What a step has to do with whether time limits run out: who waits with one moves only if nobody
    /// else can.
    pub(super) fn patience(&self, state: &JavaState, thread: Thread) -> Option<Operation> {
        if self.settings.timeouts == Timeouts::Any {
            return None;
        }
        let id = self.id(thread);
        let found = state.machine.thread(id)?;
        let has_limit = match found.status {
            ThreadStatus::Waiting { until, .. } | ThreadStatus::Parked { until } => until.is_some(),
            _ => matches!(self.pending(state, id), Some(Act::Exchange(exchange))
                if exchange.has_limit(&self.program, &state.machine)),
        };
        Some(match has_limit {
            true => Operation::Update,
            false => Operation::Read,
        })
    }
}
