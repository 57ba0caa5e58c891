//! Steps that swallow the invisible ones after them.
//!
//! **From**: paper 002, sections 4 and 5 (invisible-first search and the system C(S)), paper
//! 000, section 4 (the reduced system). A step is invisible if it can be made before
//! whatever the other threads do ([`AssumedDiscipline::hides`]). A step of the composed system
//! is one of the program, followed by the invisible ones of the same thread, and of the
//! threads that it starts. States in which somebody is about to make an invisible step do
//! not occur any more.
//!
//! This is a [`System`] like any other, so that every search can explore it. Searches that
//! leave out interleavings of independent steps must not leave out a violation of the
//! discipline either. That a thread accesses a variable without the lock is seen wherever
//! it makes the step. Other permissions depend on what other threads do: they are one more
//! object that steps read and write.
//!
//! **Conditions of the papers**: *separation* and *determinism*: a step with choices is
//! never invisible. *Initial transitions are visible* (WF-initVis): invisible steps at the
//! beginning belong to the initial state. *Bounded invisible runs* (WF-finiteInvis): a run
//! is cut off when it runs in a circle, and after [`MOST`] steps; where it is cut off, all threads can move, so that a
//! thread that runs in circles hides nobody. *Non-blocking*: a blocked step is not
//! invisible. A step that leads nowhere (a fault, a failed assumption, a limit) ends the
//! execution for all threads; it is never made invisibly, so that the others can move before it.

use crate::discipline::AssumedDiscipline;
use raddle_model::{
    Access, Event, FaultKind, Footprint, Future, Halt, Influence, Layer, Move, Narrate, Operation,
    Schedule, Status, System, Thread,
};

use std::sync::atomic::{AtomicU64, Ordering};

/// The longest run of invisible steps.
pub(crate) const MOST: usize = 128;

/// What a composed step is said to touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Footprints {
    /// What its first step touches. Enough for sleep sets if nothing else depends on it:
    /// invisible steps cause no dependence (paper 002, Theorem 3).
    First,
    /// What all its steps touch.
    All,
}

/// A system whose steps are composed.
pub(crate) struct Composed<'a, S> {
    system: &'a S,
    discipline: &'a AssumedDiscipline,
    footprints: Footprints,
    /// What invariants read that are checked in every state.
    watched: Option<&'a Future>,
    /// How many steps were swallowed.
    saved: &'a AtomicU64,
    /// Whether the discipline is checked.
    checks: bool,
}

impl<'a, S: Narrate> Composed<'a, S> {
    pub(crate) fn new(
        system: &'a S,
        discipline: &'a AssumedDiscipline,
        footprints: Footprints,
        watched: Option<&'a Future>,
        saved: &'a AtomicU64,
    ) -> Self {
        Composed {
            system,
            discipline,
            footprints,
            watched,
            saved,
            checks: true,
        }
    }

    fn unchecked(&self) -> Self {
        Composed {
            checks: false,
            ..*self
        }
    }

    /// The steps of the program behind those of a schedule.
    pub(crate) fn expand(&self, schedule: &[Move]) -> Schedule {
        // What was found out since must not change the way.
        let unchecked = self.unchecked();
        let mut expanded = Schedule::new();
        let Ok(mut state) = unchecked.start(&mut |step, _| expanded.push(step)) else {
            return expanded;
        };
        for &step in schedule {
            expanded.push(step);
            let mut record = |step, _: &Footprint| expanded.push(step);
            if unchecked.run(&mut state, step, &mut record).is_err() {
                break;
            }
        }
        expanded
    }

    fn start(&self, record: &mut dyn FnMut(Move, &Footprint)) -> Result<S::State, Halt> {
        let mut state = self.system.initial()?;
        if self.checks {
            let permissions = self.discipline.permissions(self.system, &state);
            self.discipline
                .no_two(self.system, &state, (Thread(0), None), &permissions)?;
        }
        for thread in (0..self.system.threads(&state) as u32).map(Thread) {
            self.settle(&mut state, thread, record)?;
        }
        self.watch_waiting(&state)?;
        Ok(state)
    }

    /// Makes a step and the invisible ones after it; tells those.
    fn run(
        &self,
        state: &mut S::State,
        step: Move,
        record: &mut dyn FnMut(Move, &Footprint),
    ) -> Result<(), Halt> {
        let mut footprint = Footprint::default();
        // A footprint is that of all choices together, and takes as long as all of them. Whoever
        // makes a step of a thread makes it with each choice, so that one of them is enough.
        if self.checks && step.choice == 0 {
            self.system.footprint(state, step.thread, &mut footprint);
        }
        let before = self.system.threads(state) as u32;
        self.make(state, step, &footprint)?;
        self.settle(state, step.thread, record)?;
        let mut started = before;
        while started < self.system.threads(state) as u32 {
            self.settle(state, Thread(started), record)?;
            started += 1;
        }
        self.watch_waiting(state)
    }

    /// Makes a single step, and checks the discipline.
    fn make(&self, state: &mut S::State, step: Move, footprint: &Footprint) -> Result<(), Halt> {
        self.checked(state, step.thread, footprint, |state| {
            self.system.step(state, step.thread, step.choice)
        })
    }

    fn checked(
        &self,
        state: &mut S::State,
        thread: Thread,
        footprint: &Footprint,
        step: impl FnOnce(&mut S::State) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        if self.checks {
            self.discipline
                .note(self.system, state, thread, footprint)?;
        }
        if !self.checks || self.system.influence(state, thread) == Influence::None {
            return step(state);
        }
        let before = self.discipline.permissions(self.system, state);
        let culprit = (thread, self.system.next_place(state, thread));
        step(state)?;
        self.discipline
            .compare(self.system, state, culprit, &before)
    }

    /// Checks the discipline of those who wait: they look at what they wait for.
    fn watch_waiting(&self, state: &S::State) -> Result<(), Halt> {
        if !self.checks {
            return Ok(());
        }
        let mut footprint = Footprint::default();
        for thread in (0..self.system.threads(state) as u32).map(Thread) {
            if self.system.status(state, thread) == Status::Blocked {
                self.system.footprint(state, thread, &mut footprint);
                self.discipline
                    .note(self.system, state, thread, &footprint)?;
            }
        }
        Ok(())
    }

    /// Makes the invisible steps of a thread.
    fn settle(
        &self,
        state: &mut S::State,
        thread: Thread,
        record: &mut dyn FnMut(Move, &Footprint),
    ) -> Result<(), Halt> {
        let mut footprint = Footprint::default();
        let mut next: Option<S::State> = None;
        let mut circle = Circle::default();
        for _ in 0..MOST {
            if circle.closes(self.system, state)
                || self.system.status(state, thread) != (Status::Ready { choices: 1 })
            {
                break;
            }
            self.system.footprint(state, thread, &mut footprint);
            // Whoever looks at every state looks at that after it.
            let is_watched = self.watched.is_some_and(|it| it.meets(&footprint));
            let hides = || {
                self.discipline
                    .hides(self.system, state, thread, &footprint)
            };
            if is_watched || !hides() {
                break;
            }
            let next = next.get_or_insert_with(|| state.clone());
            next.clone_from(state);
            let step = Move { thread, choice: 0 };
            match self.make(next, step, &footprint) {
                Ok(()) => std::mem::swap(state, next),
                Err(Halt::Fault(fault)) if fault.kind == FaultKind::Discipline => {
                    return Err(Halt::Fault(fault));
                }
                Err(_) => break,
            }
            if self.checks {
                self.saved.fetch_add(1, Ordering::Relaxed);
            }
            record(step, &footprint);
        }
        Ok(())
    }
}

/// Notices that a run comes back to where it was: Brent's method, from a length on at
/// which it is worth the while.
pub(crate) struct Circle {
    seen: Vec<u32>,
    scratch: Vec<u32>,
    steps: usize,
    next: usize,
}

impl Default for Circle {
    fn default() -> Self {
        Circle {
            seen: Vec::new(),
            scratch: Vec::new(),
            steps: 0,
            next: 8,
        }
    }
}

impl Circle {
    pub(crate) fn closes<S: System>(&mut self, system: &S, state: &S::State) -> bool {
        self.steps += 1;
        if self.steps < self.next && self.seen.is_empty() {
            return false;
        }
        let words = system.encode(state, &mut self.scratch);
        if words == self.seen {
            return true;
        }
        if self.steps >= self.next {
            self.next *= 2;
            self.seen.clear();
            self.seen.extend_from_slice(words);
        }
        false
    }
}

impl<S: Narrate> Layer for Composed<'_, S> {
    type Below = S;

    fn below(&self) -> &S {
        self.system
    }

    fn initial(&self) -> Result<S::State, Halt> {
        self.start(&mut |_, _| {})
    }

    fn step(&self, state: &mut S::State, thread: Thread, choice: u32) -> Result<(), Halt> {
        self.run(state, Move { thread, choice }, &mut |_, _| {})?;
        // What follows from a wrong assumption is not worth exploring.
        match self.discipline.is_broken() {
            true => Err(Halt::Pruned),
            false => Ok(()),
        }
    }

    fn footprint(&self, state: &S::State, thread: Thread, out: &mut Footprint) {
        self.system.footprint(state, thread, out);
        let permissions = self.system.permissions();
        if self.footprints == Footprints::First && permissions.is_none() {
            return;
        }
        // Who waits does nothing; what it looks at is checked where it waits.
        let Status::Ready { choices } = self.system.status(state, thread) else {
            return;
        };
        if self.footprints == Footprints::All {
            for choice in 0..choices {
                let mut state = state.clone();
                let step = Move { thread, choice };
                // What does not lead anywhere touches nothing else.
                let mut record = |_, next: &Footprint| out.append(next);
                let _ = self.unchecked().run(&mut state, step, &mut record);
            }
        }
        let Some(permissions) = permissions else {
            return;
        };
        let reads = |access: &Access| self.system.is_conditional(access.object);
        if out.accesses().iter().any(reads) {
            out.add(permissions, Operation::Read);
        }
        if self.system.influence(state, thread) != Influence::None {
            out.add(permissions, Operation::Write);
        }
    }

    fn future(&self, state: &S::State, thread: Thread) -> Option<Future> {
        let mut future = self.system.future(state, thread)?;
        if let Some(permissions) = self.system.permissions() {
            future.add(permissions.region, Operation::Read);
            future.add(permissions.region, Operation::Write);
        }
        Some(future)
    }

    fn narrate(
        &self,
        state: &mut S::State,
        step: Move,
        events: &mut Vec<Event>,
    ) -> Result<(), Halt> {
        let mut footprint = Footprint::default();
        self.system.footprint(state, step.thread, &mut footprint);
        self.checked(state, step.thread, &footprint, |state| {
            self.system.narrate(state, step, events)
        })?;
        self.settle(state, step.thread, &mut |_, _| {})?;
        self.watch_waiting(state)
    }
}
