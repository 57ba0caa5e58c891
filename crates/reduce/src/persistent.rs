//! Persistent sets, computed from what threads may still do.
//!
//! **From**: Godefroid's persistent sets as paper 002 uses them (section 3 and 8), at
//! the granularity of threads: in each state a set of threads is found such that
//! nothing the other threads can ever do, before one of the set moves, interferes with
//! the next steps of the set. Only the threads of the set are run. The bound of what
//! the others can do is static (`Futures::future`), so this is the method of section 8
//! without its lock discipline.
//!
//! `local` accepts only sets of one thread: no context switch before a step that nobody
//! else's future can interfere with. For data that only one thread uses, or that nobody
//! writes any more, this is the "LocalFinal" reduction of paper 000, section 11.
//!
//! `persistent-locks` is the same search on composed steps (`composed.rs`), which is what
//! Algorithm 2-MLD' of section 8 and 9 is for: it bounds what a step, with all that is
//! swallowed by it, may touch, by the locks that its thread holds or takes. Here such a
//! step is tried instead, so that what it touches is known exactly; if nobody interferes
//! with that, it will touch the same later. By Theorem 6' either the set is persistent, or
//! the discipline is violated by a step of the set, and then it is found out.
//!
//! **Guarantees**: every execution is, up to the order of independent steps, the beginning
//! of one that is explored. Hence faults, deadlocks, and threads stuck for ever are
//! found; for the latter because who is stuck stays stuck. An invariant may be false in
//! a skipped state only; so where invariants are checked, a set that leaves somebody out has no
//! step that writes what they read. What is skipped then differs from what is visited in
//! nothing that they read. That several threads together
//! exhaust the heap for a moment may be missed: no footprint tells how full it is.
//!
//! **Needs**: futures. A system that knows none is explored in full.
//!
//! **How a set is found**: starting from a thread that can move, the set is closed under
//! (1) a member that can move brings in every thread whose future is dependent with
//! one of the operations of its next step; (2) a blocked member brings in every thread
//! that may let it go on. The smallest closed set over all starting threads is taken.
//!
//! That is the conditional stubborn set algorithm of paper 000, section 10, as far as a
//! [`System`] tells: a later step of a thread is enabled only by the steps of that thread
//! before it, so the thread itself is the necessary enabling set of all of them.
//!
//! **Provisos** that keep a thread from being left out for ever are those of
//! `search/select.rs`, for every order, every store and any number of workers.

mod interferers;

use interferers::{Interferers, Set};
use raddle_model::{Footprint, Future, Status, StopFlag, System, Thread};
use raddle_search::{Choice, Config, Monitor, Selector, Survey, survey_selected, waits_for};

/// Which sets are good enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sets {
    /// Those of one thread only.
    Singletons,
    /// All.
    Any,
}

/// Explores the program with persistent sets.
pub(crate) fn search<S: System>(
    system: &S,
    sets: Sets,
    watched: Option<&Future>,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> Survey {
    let make = || -> Box<dyn Selector<S>> {
        let chooser = Chooser::new(sets, config.stop.clone());
        Box::new(chooser.watching(watched.cloned()))
    };
    survey_selected(system, Choice::Sets(&make), config, monitor, stop_at_first)
}

impl<S: System> Selector<S> for Chooser {
    fn select(&mut self, system: &S, state: &S::State) -> Option<&[Thread]> {
        self.choose(system, state)
    }
}

/// After so many states without a set, only some of the states are tried.
const PATIENCE: u32 = 1024;

/// Then every so many.
const SELDOM: u32 = 8;

/// Finds persistent sets. Where there are none for long it looks less often: a state that
/// is explored in full loses nothing.
pub(crate) struct Chooser {
    sets: Sets,
    /// How many states have passed since a set was found.
    failures: u32,
    threads: Vec<Outlook>,
    best: Vec<Thread>,
    members: Vec<Thread>,
    /// The same threads.
    is_member: Set,
    /// Who may interfere with what, in the state at hand.
    interferers: Interferers,
    /// What invariants read that are checked in every state.
    watched: Option<Future>,
    /// With many threads there are many sets to be tried.
    stop: StopFlag,
}

/// What is known of a thread in the state at hand.
struct Outlook {
    status: Status,
    footprint: Footprint,
    future: Option<Future>,
    /// For a blocked thread, once it was asked for: who may let it go on.
    helpers: Option<Vec<Thread>>,
}

impl Chooser {
    pub(crate) fn new(sets: Sets, stop: StopFlag) -> Chooser {
        Chooser {
            sets,
            failures: 0,
            threads: Vec::new(),
            best: Vec::new(),
            members: Vec::new(),
            is_member: Set::default(),
            interferers: Interferers::default(),
            watched: None,
            stop,
        }
    }

    /// Leaves out no state that invariants tell from others.
    fn watching(self, watched: Option<Future>) -> Chooser {
        Chooser { watched, ..self }
    }

    /// A persistent set that leaves some thread out which could move; `None` if there
    /// is none.
    pub(crate) fn choose<S: System>(&mut self, system: &S, state: &S::State) -> Option<&[Thread]> {
        self.failures = self.failures.saturating_add(1);
        if self.failures > PATIENCE && !self.failures.is_multiple_of(SELDOM) {
            return None;
        }
        self.look(system, state);
        let can_move = |outlook: &Outlook| matches!(outlook.status, Status::Ready { .. });
        let ready = self.threads.iter().filter(|it| can_move(it)).count();
        let mut least = match self.sets {
            Sets::Singletons => 2,
            Sets::Any => ready,
        };
        let mut found = false;
        for seed in (0..self.threads.len() as u32).map(Thread) {
            // What was found until then is a set, too.
            if least <= 1 || ready < 2 || self.stop.is_set() {
                break;
            }
            if !can_move(&self.threads[seed.index()]) {
                continue;
            }
            let size = self.close(system, state, seed, least);
            if size < least {
                (least, found) = (size, true);
                std::mem::swap(&mut self.best, &mut self.members);
            }
        }
        if found {
            self.failures = 0;
        }
        found.then_some(&self.best)
    }

    fn look<S: System>(&mut self, system: &S, state: &S::State) {
        self.threads.clear();
        for thread in (0..system.threads(state) as u32).map(Thread) {
            let status = system.status(state, thread);
            let mut outlook = Outlook {
                status,
                footprint: Footprint::default(),
                future: None,
                helpers: None,
            };
            if status != Status::Done {
                outlook.future = system.future(state, thread);
            }
            if matches!(status, Status::Ready { .. }) {
                system.footprint(state, thread, &mut outlook.footprint);
            }
            self.threads.push(outlook);
        }
        self.interferers.forget(&self.threads);
    }

    /// Closes the set of one thread; returns how many of its members can move. Gives up
    /// at `limit`.
    fn close<S: System>(
        &mut self,
        system: &S,
        state: &S::State,
        seed: Thread,
        limit: usize,
    ) -> usize {
        self.members.clear();
        self.is_member.clear(self.threads.len());
        self.join(seed);
        let mut size = 0;
        let mut next = 0;
        while let Some(&member) = self.members.get(next) {
            next += 1;
            if matches!(self.threads[member.index()].status, Status::Ready { .. }) {
                size += 1;
                let footprint = &self.threads[member.index()].footprint;
                let is_watched = |it: &Future| it.meets(footprint);
                // A set with a step that matters to invariants would have to have everybody.
                if size >= limit || self.watched.as_ref().is_some_and(is_watched) {
                    return limit;
                }
                self.add_interfering(member);
            } else {
                let known = self.threads[member.index()].helpers.take();
                let helpers = known.unwrap_or_else(|| waits_for(system, state, member));
                helpers.iter().for_each(|&helper| self.join(helper));
                self.threads[member.index()].helpers = Some(helpers);
            }
        }
        size
    }

    /// Adds a thread to the members.
    fn join(&mut self, thread: Thread) {
        if self.is_member.insert(thread) {
            self.members.push(thread);
        }
    }

    /// Adds the threads that may interfere with the next step of a member.
    fn add_interfering(&mut self, member: Thread) {
        let threads = &self.threads;
        let footprint = &threads[member.index()].footprint;
        let interfering = self.interferers.of(threads, footprint);
        self.is_member.unite(interfering, &mut self.members);
    }
}
