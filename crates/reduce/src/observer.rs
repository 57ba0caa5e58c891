//! Invariants for reductions that see nothing but what threads do themselves.
//!
//! **From**: paper 001, section 4: a global property becomes a local one by "a dummy
//! thread that merely observes the variables involved in the property". The observer is
//! thread 0, the others follow. Its only step checks the invariants and fails if one is
//! false, so that an invariant is false in a reachable state if and only if the observer
//! can fail. To a reduction it is a thread like any other, which reads what the
//! invariants read (`Invariants::invariant_footprint`): a reduction that preserves the
//! faults of threads preserves the invariants.
//!
//! **Needs** invariants that depend on objects alone. Where threads stand is in no
//! footprint; if an invariant asks for it the answer is *unknown*.
//!
//! **Departures**: The paper's observer loops. That would be a cycle in every program,
//! and a cycle costs most reductions more than it is worth. This one makes one step and
//! either has finished or ends the execution ([`Afterwards`]), which loses nothing: all
//! that it could see later it also sees if it moves later. Deadlocks are not looked for
//! in its presence, because a thread that can still move hides them; a search without
//! it does that before, and the same search checks the claims of the program if it is
//! asked to: the observer has no permission to access anything.

use crate::{Method, Reduction, Strictness, alone, engine};
use raddle_model::{
    Erased, Event, Fault, Footprint, Future, Futures, Halt, Invariants, Move, Narrate, Object,
    ObjectState, Permissions, Place, Properties, Property, Reason, Schedule, States, Status,
    System, Temporal, Thread, Violation,
};
use raddle_search::{Config, Monitor, Survey};
use std::sync::atomic::{AtomicU64, Ordering};

/// Searches with a reduction, which need not preserve invariants, for all properties
/// that it preserves and for invariants.
pub(crate) fn survey_observed<S: Narrate>(
    system: &S,
    method: Method,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> Survey {
    let asked = config.properties;
    let plain = Properties {
        invariants: false,
        ..asked
    };
    let mut search = |config: &Config| engine(system, method, config, monitor, stop_at_first);
    let erased = Erased(system);
    let future = match system.invariant_future() {
        _ if !asked.invariants => return search(config),
        Some(future) if future != Future::default() => future,
        unobservable => {
            let mut found = search(&asking(config, plain));
            without_observer(system, unobservable, &mut found);
            return found;
        }
    };
    let strict = method.strictness == Strictness::Strict;
    let together = !asked.deadlock && !asked.partial_deadlock && !strict;
    let before = (!together).then(|| search(&asking(config, plain)));
    if let Some(found) = &before
        && stop_at_first
        && !found.violations.is_empty()
    {
        return found.clone();
    }
    let observer = Observer {
        system: &erased,
        future,
        afterwards: Afterwards::with(method.reduction),
        faults: together && asked.faults,
        unseen: AtomicU64::new(0),
    };
    let config = asking(config, ONLY_FAULTS);
    let method = Method {
        strictness: Strictness::Auto,
        ..method
    };
    let found = alone(&Erased(&observer), method, &config, monitor, stop_at_first);
    let found = observer.translate(found);
    match before {
        Some(before) => join(before, found),
        None => found,
    }
}

/// An invariant is false for a search with an observer if a thread fails.
const ONLY_FAULTS: Properties = Properties {
    faults: true,
    deadlock: false,
    partial_deadlock: false,
    invariants: false,
    temporal: false,
    ends: false,
};

fn asking(config: &Config, properties: Properties) -> Config {
    Config {
        properties,
        ..config.clone()
    }
}

/// Answers for invariants for which there is nothing to observe.
fn without_observer<S: System>(system: &S, future: Option<Future>, found: &mut Survey) {
    if future.is_none() {
        let reason = "an invariant depends on where threads stand, which reductions do not see";
        found.reasons.push(Reason::GaveUp(reason.to_owned()));
    }
    // Those that read nothing are false everywhere or nowhere.
    if let Ok(state) = system.initial()
        && let Err(fault) = system.check_invariants(&state)
    {
        found.violations.push(Violation {
            property: Property::Fault(fault),
            schedule: Schedule::new(),
        });
    }
}

/// What two searches found, one after the other.
fn join(mut one: Survey, two: Survey) -> Survey {
    one.violations.extend(two.violations);
    for reason in two.reasons {
        if !one.reasons.contains(&reason) {
            one.reasons.push(reason);
        }
    }
    let (sum, more) = (&mut one.statistics, two.statistics);
    sum.states += more.states;
    sum.transitions += more.transitions;
    sum.executions += more.executions;
    sum.stutters += more.stutters;
    sum.pruned += more.pruned;
    sum.depth = sum.depth.max(more.depth);
    sum.store_bytes = sum.store_bytes.max(more.store_bytes);
    sum.peak_bytes = sum.peak_bytes.max(more.peak_bytes);
    one
}

/// A system with an observer.
pub(crate) struct Observer<'s, S> {
    system: &'s S,
    /// All that the invariants may read.
    future: Future,
    afterwards: Afterwards,
    /// Whether the faults of the other threads matter.
    faults: bool,
    /// How many executions ended with a step that is none of the program's assumptions.
    unseen: AtomicU64,
}

/// What happens after the observer found all invariants true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Afterwards {
    /// It has finished, and the others go on.
    Finished,
    /// The execution is over, as if an assumption had failed. No state is added.
    Over,
}

impl Afterwards {
    /// What is better for a reduction. For some of them a step that leads nowhere is a
    /// reason to give up what they would have saved.
    fn with(reduction: Reduction) -> Afterwards {
        match reduction.entry().ignores_dead_ends {
            true => Afterwards::Over,
            false => Afterwards::Finished,
        }
    }
}

/// The state of a system, and whether its observer can still move.
#[derive(Debug)]
pub(crate) struct Observed<T> {
    inner: T,
    can_move: bool,
}

impl<T: Clone> Clone for Observed<T> {
    fn clone(&self) -> Self {
        Observed {
            inner: self.inner.clone(),
            can_move: self.can_move,
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.inner.clone_from(&other.inner);
        self.can_move = other.can_move;
    }
}

/// The number of a thread among those that are observed; `None` for the observer.
fn inner(thread: Thread) -> Option<Thread> {
    thread.0.checked_sub(1).map(Thread)
}

/// The inverse of [`inner`].
fn outer(thread: Thread) -> Thread {
    Thread(thread.0 + 1)
}

impl<S: System> Observer<'_, S> {
    /// What was found, in terms of the system without the observer. Without its step
    /// the schedule ends in the state in which an invariant is false.
    fn translate(&self, mut found: Survey) -> Survey {
        for violation in &mut found.violations {
            let moves = violation.schedule.iter();
            let kept = moves.filter_map(|step| {
                inner(step.thread).map(|thread| Move {
                    thread,
                    choice: step.choice,
                })
            });
            violation.schedule = kept.collect();
        }
        let pruned = &mut found.statistics.pruned;
        *pruned = pruned.saturating_sub(self.unseen.load(Ordering::Relaxed));
        found
    }

    fn observe_all(&self, state: &mut Observed<S::State>) -> Result<(), Halt> {
        self.system
            .check_invariants(&state.inner)
            .map_err(Halt::Fault)?;
        state.can_move = false;
        match self.afterwards {
            Afterwards::Finished => Ok(()),
            Afterwards::Over => Err(self.lead_nowhere()),
        }
    }

    fn lead_nowhere(&self) -> Halt {
        self.unseen.fetch_add(1, Ordering::Relaxed);
        Halt::Pruned
    }

    /// A step of another thread that fails leads nowhere, if nobody asks for faults.
    fn halted(&self, halt: Halt) -> Halt {
        match halt {
            Halt::Fault(_) if !self.faults => self.lead_nowhere(),
            halt => halt,
        }
    }
}

impl<S: System> States for Observer<'_, S> {
    type State = Observed<S::State>;

    fn decodes(&self) -> bool {
        self.system.decodes()
    }
}

impl<S: System> System for Observer<'_, S> {
    fn initial(&self) -> Result<Self::State, Halt> {
        let inner = self.system.initial().map_err(|halt| self.halted(halt))?;
        Ok(Observed {
            inner,
            can_move: true,
        })
    }

    fn threads(&self, state: &Self::State) -> usize {
        1 + self.system.threads(&state.inner)
    }

    fn status(&self, state: &Self::State, thread: Thread) -> Status {
        match inner(thread) {
            Some(thread) => self.system.status(&state.inner, thread),
            None if state.can_move => Status::Ready { choices: 1 },
            None => Status::Done,
        }
    }

    fn step(&self, state: &mut Self::State, thread: Thread, choice: u32) -> Result<(), Halt> {
        match inner(thread) {
            None => self.observe_all(state),
            Some(thread) => {
                let step = self.system.step(&mut state.inner, thread, choice);
                step.map_err(|halt| self.halted(halt))
            }
        }
    }

    fn footprint(&self, state: &Self::State, thread: Thread, out: &mut Footprint) {
        match inner(thread) {
            Some(thread) => {
                self.system.footprint(&state.inner, thread, out);
                out.rename_threads(outer);
            }
            None if state.can_move => self.system.invariant_footprint(&state.inner, out),
            None => out.clear(),
        }
    }

    fn observe(&self, state: &Self::State, object: Object) -> ObjectState {
        let mut observed = self.system.observe(&state.inner, object);
        if let ObjectState::Monitor {
            owner,
            waiting,
            notified,
            ..
        } = &mut observed
        {
            let threads = owner.iter_mut().chain(waiting).chain(notified);
            threads.for_each(|thread| *thread = outer(*thread));
        }
        observed
    }

    fn held(&self, state: &Self::State, thread: Thread, out: &mut Vec<Object>) {
        out.clear();
        if let Some(thread) = inner(thread) {
            self.system.held(&state.inner, thread, out);
        }
    }

    fn is_daemon(&self, state: &Self::State, thread: Thread) -> bool {
        inner(thread).is_none_or(|thread| self.system.is_daemon(&state.inner, thread))
    }

    fn is_impatient(&self, _: &Self::State, _: Thread) -> bool {
        false
    }

    fn encode<'a>(&self, state: &'a Self::State, scratch: &'a mut Vec<u32>) -> &'a [u32] {
        if self.afterwards == Afterwards::Over {
            return self.system.encode(&state.inner, scratch);
        }
        let mut own = Vec::new();
        let words = self.system.encode(&state.inner, &mut own);
        scratch.clear();
        scratch.push(u32::from(state.can_move));
        scratch.extend_from_slice(words);
        scratch
    }

    fn decode(&self, words: &[u32], state: &mut Self::State) {
        match (self.afterwards, words) {
            (Afterwards::Finished, [can_move, words @ ..]) => {
                state.can_move = *can_move != 0;
                self.system.decode(words, &mut state.inner);
            }
            _ => {
                state.can_move = true;
                self.system.decode(words, &mut state.inner);
            }
        }
    }
}

impl<S: System> Futures for Observer<'_, S> {
    fn future(&self, state: &Self::State, thread: Thread) -> Option<Future> {
        match inner(thread) {
            Some(thread) => self.system.future(&state.inner, thread),
            None if state.can_move => Some(self.future.clone()),
            None => Some(Future::default()),
        }
    }
}

impl<S: System> Permissions for Observer<'_, S> {
    fn is_permanent(&self, object: Object) -> bool {
        self.system.is_permanent(object)
    }

    fn instance(&self, state: &Self::State, object: Object) -> Option<u32> {
        self.system.instance(&state.inner, object)
    }

    fn is_unshared(&self, state: &Self::State, object: Object, thread: Thread) -> bool {
        inner(thread).is_some_and(|thread| self.system.is_unshared(&state.inner, object, thread))
    }
}

impl<S: System> Temporal for Observer<'_, S> {}

impl<S: System> Invariants for Observer<'_, S> {
    fn check_invariants(&self, state: &Self::State) -> Result<(), Fault> {
        self.system.check_invariants(&state.inner)
    }
}

impl<S: Narrate> Narrate for Observer<'_, S> {
    fn thread_name(&self, state: &Self::State, thread: Thread) -> String {
        match inner(thread) {
            Some(thread) => self.system.thread_name(&state.inner, thread),
            None => "the observer of the invariants".to_owned(),
        }
    }

    fn object_name(&self, state: &Self::State, object: Object) -> String {
        self.system.object_name(&state.inner, object)
    }

    fn next_place(&self, state: &Self::State, thread: Thread) -> Option<Place> {
        inner(thread).and_then(|thread| self.system.next_place(&state.inner, thread))
    }

    fn narrate(&self, state: &mut Self::State, step: Move, _: &mut Vec<Event>) -> Result<(), Halt> {
        // Nobody sees this: schedules are translated before they are told.
        self.step(state, step.thread, step.choice)
    }

    fn shared_values(&self, state: &Self::State) -> Vec<(String, String)> {
        self.system.shared_values(&state.inner)
    }
}
