//! Transactions as steps: a system whose steps are the transactions of another one, so that
//! every selector can choose among them and every engine can explore them.
//!
//! **From**: paper 004 (Flanagan and Qadeer), theorems 4.1 and 6.1. A step makes some right
//! movers, one step of any kind that commits, and some left movers. Which steps move rests on
//! what protects the variables (`protection.rs`).
//!
//! **The loop**: `transactions.rs` is the paper's own fixpoint, which expands those nodes again
//! that relied on a protection that is lost. Here what is assumed stays the same during a
//! search; what protects the variables is noted beside it. If a variable loses its protection
//! that was relied on, the search begins again with what was noted (`rounds.rs`). Whether an access breaks a
//! protection depends on what its own thread holds alone, so that a selector which leaves out
//! orders of independent steps leaves out no breach.
//!
//! **Where a transaction ends early**: before a step with choices, and before one that leads
//! nowhere, which ends the execution for all threads; where it goes round in a circle, and
//! after [`MOST`] steps (condition C). There all threads can move: a scheduling point more never hides
//! anything.
//!
//! **Guarantees**: those of `transactions.rs`: faults; and invariants, where they are watched. What a selector on top preserves of that
//! is preserved.

use crate::composed::{Circle, MOST};
use crate::protection::{Guards, Pending, Protection};
use crate::rounds::{Assumptions, until_stable};
use foldhash::HashSet;
use raddle_model::{
    Footprint, Future, Halt, Layer, Move, Mover, Object, Reason, Schedule, Status, System, Thread,
};
use raddle_search::Survey;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Explores the transactions of a system with some search until what is assumed is so.
pub(crate) fn search<S: System>(
    system: &S,
    watched: Option<&Future>,
    saved: &AtomicU64,
    stop_at_first: bool,
    explore: &mut dyn FnMut(&Transactional<'_, S>) -> Survey,
) -> Survey {
    let protection = Protection::new(true);
    let mut assumed = Assumed {
        noted: Mutex::new(Noted {
            protection: protection.clone(),
            relied: HashSet::default(),
            lost: HashSet::default(),
        }),
        protection,
        is_broken: AtomicBool::new(false),
        stop_at_first,
    };
    let (mut survey, is_stable) = until_stable(&mut assumed, &mut |assumed| {
        let transactional = Transactional {
            system,
            watched,
            saved,
            assumed,
        };
        let mut survey = explore(&transactional);
        for violation in &mut survey.violations {
            violation.schedule = transactional.expand(&violation.schedule);
        }
        survey
    });
    if !is_stable {
        let why = "a variable is not protected as it was taken to be".to_owned();
        survey.reasons.push(Reason::GaveUp(why));
    }
    survey
}

/// A system whose steps are transactions.
pub(crate) struct Transactional<'a, S> {
    system: &'a S,
    /// What invariants read that are checked in every state.
    watched: Option<&'a Future>,
    /// How many steps were swallowed.
    saved: &'a AtomicU64,
    assumed: &'a Assumed,
}

/// What protects the variables: as it is assumed in a search, and as it turns out on the way.
struct Assumed {
    protection: Protection,
    noted: Mutex<Noted>,
    /// Whether something is not as it is assumed.
    is_broken: AtomicBool,
    stop_at_first: bool,
}

impl Assumptions for Assumed {
    fn learn(&mut self) -> bool {
        let noted = self.noted.get_mut();
        let noted = noted.unwrap_or_else(PoisonError::into_inner);
        let is_wrong = std::mem::take(self.is_broken.get_mut());
        if is_wrong {
            self.protection = noted.protection.clone();
            noted.relied.clear();
            noted.lost.clear();
        }
        is_wrong
    }

    fn is_answered(&self, survey: &Survey) -> bool {
        self.stop_at_first && !survey.violations.is_empty()
    }
}

/// What turns out on the way.
struct Noted {
    protection: Protection,
    /// The variables on whose protection steps relied.
    relied: HashSet<Object>,
    /// Those that turned out to have none, or not the one that is claimed.
    lost: HashSet<Object>,
}

impl<S: System> Transactional<'_, S> {
    fn noted(&self) -> MutexGuard<'_, Noted> {
        let noted = self.assumed.noted.lock();
        noted.unwrap_or_else(PoisonError::into_inner)
    }

    fn pending(&self, state: &S::State, thread: Thread) -> Pending {
        Pending::new(self.system, state, thread, Guards::All)
    }

    /// How a step moves. What invariants can notice does not move at all: the order in which
    /// they see it is that in which it is.
    fn mover(&self, state: &S::State, pending: &Pending, relied: &mut Vec<Object>) -> Mover {
        match self.watched {
            Some(watched) if watched.meets(&pending.footprint) => Mover::Neither,
            _ => {
                let protection = &self.assumed.protection;
                protection.mover(self.system, state, pending, relied)
            }
        }
    }

    /// Takes note of the accesses of a step, and of the variables that it relies on.
    fn note(&self, state: &S::State, pending: &Pending, relied: &[Object]) {
        if pending.footprint.accesses().is_empty() {
            return;
        }
        let mut lost = Vec::new();
        let noted = &mut *self.noted();
        noted
            .protection
            .note(self.system, state, pending, &mut lost);
        noted.relied.extend(relied);
        let was_relied_on = lost.iter().any(|it| noted.relied.contains(it));
        noted.lost.extend(lost);
        if was_relied_on || relied.iter().any(|it| noted.lost.contains(it)) {
            self.assumed.is_broken.store(true, Ordering::Relaxed);
        }
    }

    /// Makes a transaction that begins with a step; tells the steps after it. What it touches
    /// is noted, unless it is only tried.
    fn run(
        &self,
        state: &mut S::State,
        step: Move,
        is_tried: bool,
        record: &mut dyn FnMut(Move, &Footprint),
    ) -> Result<(), Halt> {
        let thread = step.thread;
        let mut relied = Vec::new();
        let pending = self.pending(state, thread);
        let mover = self.mover(state, &pending, &mut relied);
        let mut has_committed = !mover.is_right();
        if !is_tried {
            self.note(state, &pending, &relied);
        }
        self.system.step(state, thread, step.choice)?;
        let mut circle = Circle::default();
        let mut next: Option<S::State> = None;
        for _ in 0..MOST {
            if circle.closes(self.system, state) {
                break;
            }
            let pending = self.pending(state, thread);
            if pending.status != (Status::Ready { choices: 1 }) {
                break;
            }
            relied.clear();
            let mover = self.mover(state, &pending, &mut relied);
            if has_committed && !mover.is_left() {
                break;
            }
            let next = next.get_or_insert_with(|| state.clone());
            next.clone_from(state);
            if self.system.step(next, thread, 0).is_err() {
                break;
            }
            if !is_tried {
                self.note(state, &pending, &relied);
                self.saved.fetch_add(1, Ordering::Relaxed);
            }
            std::mem::swap(state, next);
            has_committed |= !mover.is_right();
            record(Move { thread, choice: 0 }, &pending.footprint);
        }
        Ok(())
    }

    /// Those who wait look at what they wait for.
    fn watch_waiting(&self, state: &S::State) {
        for thread in (0..self.system.threads(state) as u32).map(Thread) {
            if self.system.status(state, thread) == Status::Blocked {
                self.note(state, &self.pending(state, thread), &[]);
            }
        }
    }

    /// The steps of the program behind those of a schedule.
    fn expand(&self, schedule: &[Move]) -> Schedule {
        let mut expanded = Schedule::new();
        let Ok(mut state) = self.system.initial() else {
            return expanded;
        };
        for &step in schedule {
            expanded.push(step);
            let mut record = |step, _: &Footprint| expanded.push(step);
            if self.run(&mut state, step, true, &mut record).is_err() {
                break;
            }
        }
        expanded
    }
}

impl<S: System> Layer for Transactional<'_, S> {
    type Below = S;

    fn below(&self) -> &S {
        self.system
    }

    fn initial(&self) -> Result<S::State, Halt> {
        let state = self.system.initial()?;
        self.watch_waiting(&state);
        Ok(state)
    }

    fn step(&self, state: &mut S::State, thread: Thread, choice: u32) -> Result<(), Halt> {
        self.run(state, Move { thread, choice }, false, &mut |_, _| {})?;
        self.watch_waiting(state);
        // What follows from a wrong assumption is not worth exploring.
        match self.assumed.is_broken.load(Ordering::Relaxed) {
            true => Err(Halt::Pruned),
            false => Ok(()),
        }
    }

    fn footprint(&self, state: &S::State, thread: Thread, out: &mut Footprint) {
        self.system.footprint(state, thread, out);
        // Who waits does nothing.
        let Status::Ready { choices } = self.system.status(state, thread) else {
            return;
        };
        for choice in 0..choices {
            let step = Move { thread, choice };
            let mut record = |_, next: &Footprint| out.append(next);
            // What does not lead anywhere touches nothing else.
            let _ = self.run(&mut state.clone(), step, true, &mut record);
        }
    }
}
