//! Races: which threads dynamic partial-order reduction has to try, and where.
//!
//! **From**: Flanagan and Godefroid 2005 (races of *all* threads, blocked ones included,
//! with the steps executed so far) and Abdulla, Aronis, Jonsson and Sagonas 2014 (source
//! sets: a race asks for an initial of the reversed sequence, and is content with one
//! that is there already). The search itself is in `stateless.rs`.
//!
//! **The rule**. In every state that is visited, the next step of every thread `r` is
//! compared with the steps executed so far. It is in a *race* with step `e` if the two
//! are dependent and `e` happens neither before the last step of `r` nor before another
//! step on which the next step of `r` depends. Let the *past* be the steps after `e` that
//! happen before the next step of `r`, but not after `e`. In the state before `e`,
//!
//! 1. if the past is not empty, one of its initials is to be tried: a thread whose first
//!    step in the past comes after no other step of the past;
//! 2. otherwise `r` itself, if it could move there and touched there what it touches now;
//!    if it touched the same and could not move, then its waiting was compared already
//!    when that state was visited, and nothing is to be done;
//! 3. otherwise (what `r` does there is something else) `r`, or, if `r` cannot be
//!    tried there because it waits or sleeps, every thread that can move.
//!
//! A thread that sleeps before `e` counts as tried in the first two cases.
//!
//! **Why it is enough**. Let `x` be any sequence of steps from a visited state such that
//! no sleeping thread can come first in it. Then some thread that is tried there can
//! come first in `x` or is independent of all of it. Suppose not, and let `p` be one that
//! is tried; then `x` begins with steps that are independent of `p`, followed by a step
//! of some thread `r` that is not. After `p` and those steps the next step of `r`,
//! possible or not, is in a race with `p`; and by induction over the subtree of `p` the
//! rule has been applied to it. Case 1 gives a thread that can come first in `x`, case 2
//! gives `r` that can, case 3 gives either everybody or a thread `r` that is tried and
//! dependent with an earlier step of `x` than `p` was: so the argument ends. That the
//! waiting threads are compared too is what makes this true for locks, semaphores and
//! channels: the race of two acquires is hidden by the release between them, but the
//! release is in a race with the second acquire, and so the state is visited in which the
//! second thread waits and its race with the first acquire shows.
//!
//! **Departures**. Case 3 is not in the papers, whose steps access one object each;
//! steps here may be blocks that touch different objects in different states. The past
//! is that of the step, not all steps that do not come after `e`, because it does not
//! depend on what else was executed in between.

use foldhash::HashMap;
use raddle_model::{Access, Footprint, Object, Operation, Thread};
use smallvec::SmallVec;
use std::rc::Rc;

/// For each thread how much of the path happens before something: the number, from one,
/// of the thread's last step that does; zero if none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clock(SmallVec<[u32; 6]>);

impl Clock {
    fn of(&self, thread: Thread) -> u32 {
        self.0.get(thread.index()).copied().unwrap_or(0)
    }

    fn advance(&mut self, thread: Thread, number: u32) {
        if self.0.len() <= thread.index() {
            self.0.resize(thread.index() + 1, 0);
        }
        self.0[thread.index()] = number;
    }

    fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, &theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(theirs);
        }
    }
}

/// Whether two steps are dependent in some state. Where threads are numbered as they
/// are started, two executed starts name different threads; had they been exchanged, they
/// would have named each other's.
pub(crate) fn dependent(a: &Footprint, b: &Footprint) -> bool {
    a.conflicts(b) || (starts(a) && starts(b))
}

fn starts(footprint: &Footprint) -> bool {
    let mut accesses = footprint.accesses().iter();
    accesses.any(|access| access.operation == Operation::Start)
}

/// A step of the path.
struct Event {
    thread: Thread,
    footprint: Rc<Footprint>,
    /// What happens before it, itself included.
    clock: Rc<Clock>,
    /// The number of the last step of its thread before it; zero if there is none.
    previous: u32,
}

/// The steps from the initial state to the current one, with their order.
#[derive(Default)]
pub(crate) struct Events {
    events: Vec<Event>,
    /// The last step of each thread.
    last: Clock,
    /// The steps that touch an object, in order.
    touching: HashMap<Object, Vec<u32>>,
    /// The steps that start a thread, in order.
    starting: Vec<u32>,
}

impl Events {
    /// Adds a step whose past is known; returns what happens before whatever its thread
    /// does next.
    pub(crate) fn push(
        &mut self,
        thread: Thread,
        footprint: Rc<Footprint>,
        past: &Clock,
    ) -> Rc<Clock> {
        let index = self.events.len() as u32;
        let mut clock = past.clone();
        clock.advance(thread, index + 1);
        let clock = Rc::new(clock);
        for access in footprint.accesses() {
            let touching = self.touching.entry(access.object).or_default();
            if touching.last() != Some(&index) {
                touching.push(index);
            }
        }
        if starts(&footprint) {
            self.starting.push(index);
        }
        self.events.push(Event {
            thread,
            footprint,
            clock: Rc::clone(&clock),
            previous: self.last.of(thread),
        });
        self.last.advance(thread, index + 1);
        clock
    }

    /// Takes the last step back.
    pub(crate) fn pop(&mut self) {
        let Some(event) = self.events.pop() else {
            return;
        };
        let index = self.events.len() as u32;
        for access in event.footprint.accesses() {
            if let Some(touching) = self.touching.get_mut(&access.object) {
                touching.pop_if(|last| *last == index);
            }
        }
        self.starting.pop_if(|last| *last == index);
        self.last.advance(event.thread, event.previous);
    }

    /// Compares the next step of a thread with all steps of the path. `own` is what
    /// happens before it in any case. Tells `race` the indices of the steps with which
    /// it is in a race, and returns all that happens before it.
    pub(crate) fn compare(
        &self,
        footprint: &Footprint,
        own: &Clock,
        mut race: impl FnMut(usize),
    ) -> Clock {
        let touching = |access: &Access| self.touching.get(&access.object);
        let mut lists: SmallVec<[&[u32]; 4]> = footprint
            .accesses()
            .iter()
            .filter_map(touching)
            .map(Vec::as_slice)
            .collect();
        if starts(footprint) {
            lists.push(&self.starting);
        }
        let mut past = own.clone();
        let mut known = self.known(&past);
        // From the last to the first: what is in the past by then is there because of a
        // later step, so that it is in no race of its own.
        while let Some(index) = pop_largest(&mut lists).filter(|&index| index >= known) {
            let event = &self.events[index as usize];
            if past.of(event.thread) <= index && dependent(&event.footprint, footprint) {
                race(index as usize);
                past.join(&event.clock);
                known = self.known(&past);
            }
        }
        past
    }

    /// How many steps of the path, from the first one on, are all in a past.
    fn known(&self, past: &Clock) -> u32 {
        let threads = (0..).map(Thread).take(self.last.0.len());
        let ends = threads.filter(|&thread| past.of(thread) < self.last.of(thread));
        let ends = ends.map(|thread| past.of(thread));
        ends.min().unwrap_or(self.events.len() as u32)
    }

    /// The initials of the past of a next step that is in a race with the step at
    /// `index`, in ascending order.
    pub(crate) fn initials(&self, index: usize, past: &Clock) -> Vec<Thread> {
        let racing = self.events[index].thread;
        // The first step of each thread that is in the past but not after the race's.
        let mut firsts: Vec<(Thread, u32)> = Vec::new();
        for (at, event) in self.events.iter().enumerate().skip(index + 1) {
            let number = at as u32 + 1;
            let is_after = event.clock.of(racing) > index as u32;
            if past.of(event.thread) >= number
                && !is_after
                && !firsts.iter().any(|first| first.0 == event.thread)
            {
                firsts.push((event.thread, number));
            }
        }
        let is_initial = |&(thread, number): &(Thread, u32)| {
            let clock = &self.events[number as usize - 1].clock;
            let mut others = firsts.iter().filter(|other| other.0 != thread);
            others.all(|&(other, first)| clock.of(other) < first)
        };
        let mut initials: Vec<Thread> = firsts
            .iter()
            .filter(|first| is_initial(first))
            .map(|first| first.0)
            .collect();
        initials.sort_unstable();
        initials
    }
}

/// Takes the largest number out of some lists in ascending order.
fn pop_largest(lists: &mut [&[u32]]) -> Option<u32> {
    let largest = *lists.iter().filter_map(|list| list.last()).max()?;
    for list in lists {
        if let [rest @ .., last] = list
            && *last == largest
        {
            *list = rest;
        }
    }
    Some(largest)
}
