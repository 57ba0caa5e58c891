//! Who waits for whom, and who waits for ever.
//!
//! What a blocked thread waits for is read off the footprint of its next step. Those
//! can help who, by their static future, may still do an operation that helps. For a
//! lock or the end of a thread there is only one of them; for anything else (a
//! semaphore, a channel, a notification, a condition on variables) it is anybody.
//! The future is an upper bound, so a thread is called stuck only if it is: no
//! execution, however long, lets it go on.

use raddle_model::operations::enabled_by_in;
use raddle_model::{
    Access, Footprint, Future, ObjectState, Operation, Operations, Region, Status, System, Thread,
};

/// The unfinished threads that could let a blocked thread go on. It waits for any
/// one of them; without all of them it is stuck.
pub fn waits_for<S: System>(system: &S, state: &S::State, thread: Thread) -> Vec<Thread> {
    let mut wait = Wait::default();
    wait.explain(system, state, thread, &mut Footprint::default());
    let mut futures = Futures::default();
    let others = (0..system.threads(state) as u32).map(Thread);
    others
        .filter(|&other| other != thread && system.status(state, other) != Status::Done)
        .filter(|&other| wait.ends_by(other, &mut futures, system, state))
        .collect()
}

/// Of the blocked threads of a state those that will never move again, in order:
/// the largest set of blocked threads such that no thread outside of it can help
/// one inside.
pub fn stuck<S: System>(system: &S, state: &S::State) -> Vec<Thread> {
    let threads = (0..system.threads(state) as u32).map(Thread);
    let blocked: Vec<Thread> = threads
        .filter(|&thread| system.status(state, thread) == Status::Blocked)
        .collect();
    Waits::default().stuck(system, state, &blocked).to_vec()
}

/// Computes [`stuck`] again and again, with the same memory.
#[derive(Default)]
pub(crate) struct Waits {
    footprint: Footprint,
    futures: Futures,
    /// What each thread waits for, by its number. Only those of the blocked
    /// threads mean something.
    waits: Vec<Wait>,
    /// Threads that can move, or that one of these can help to move.
    alive: Vec<Thread>,
    stuck: Vec<Thread>,
}

impl Waits {
    /// The stuck ones among `blocked`, which are the blocked threads in order.
    pub(crate) fn stuck<S: System>(
        &mut self,
        system: &S,
        state: &S::State,
        blocked: &[Thread],
    ) -> &[Thread] {
        let threads = system.threads(state);
        self.futures.clear();
        self.alive.clear();
        self.stuck.clear();
        self.stuck.extend_from_slice(blocked);
        if self.waits.len() < threads {
            self.waits.resize_with(threads, Wait::default);
        }
        for thread in (0..threads as u32).map(Thread) {
            if matches!(system.status(state, thread), Status::Ready { .. }) {
                self.alive.push(thread);
            } else if blocked.contains(&thread) {
                let wait = &mut self.waits[thread.index()];
                wait.explain(system, state, thread, &mut self.footprint);
            }
        }
        // Each round looks only at those who became alive in the one before.
        let mut seen = 0;
        while seen < self.alive.len() && !self.stuck.is_empty() {
            let fresh = seen..self.alive.len();
            seen = fresh.end;
            let Waits {
                futures,
                waits,
                alive,
                stuck,
                ..
            } = self;
            stuck.retain(|&thread| {
                let wait = &waits[thread.index()];
                let mut helpers = fresh.clone();
                let helped = helpers.any(|i| wait.ends_by(alive[i], futures, system, state));
                if helped {
                    alive.push(thread);
                }
                !helped
            });
        }
        &self.stuck
    }
}

/// What could let one blocked thread go on.
#[derive(Default)]
struct Wait {
    /// Any other thread: nothing in the footprint explains why it is blocked.
    anyone: bool,
    /// These threads, if they may still do one of these operations in this region.
    threads: Vec<(Thread, Region, Operations)>,
    /// Whoever may do one of these operations in one of these regions.
    operations: Vec<(Region, Operations)>,
}

impl Wait {
    fn explain<S: System>(
        &mut self,
        system: &S,
        state: &S::State,
        thread: Thread,
        footprint: &mut Footprint,
    ) {
        self.threads.clear();
        self.operations.clear();
        footprint.clear();
        system.footprint(state, thread, footprint);
        self.anyone = match *footprint.accesses() {
            // It waits for nothing that anybody could change.
            [] => false,
            [access] => !self.explain_access(system, state, thread, access),
            // A step that does several things may wait in the middle, in a state that
            // nobody has seen, and may go another way if something changes. Whatever
            // makes a difference to one of its operations may help.
            ref accesses => {
                let makes_a_difference =
                    |access: &Access| (access.object.region, access.operation.dependents());
                self.operations
                    .extend(accesses.iter().map(makes_a_difference));
                false
            }
        };
    }

    /// Adds who can help with one operation; false if the operation is not what
    /// the thread waits for.
    fn explain_access<S: System>(
        &mut self,
        system: &S,
        state: &S::State,
        thread: Thread,
        access: Access,
    ) -> bool {
        let Access { object, operation } = access;
        if operation == Operation::Join && (object.index as usize) < system.threads(state) {
            let end = Operations::NONE.with(Operation::Finish);
            self.threads
                .push((Thread(object.index), object.region, end));
            return true;
        }
        let observed = system.observe(state, object);
        let helpful = enabled_by_in(operation, thread, &observed);
        if helpful.is_empty() {
            return false;
        }
        match (operation, observed) {
            // Others may take and release the lock later, but first its owner must.
            (Operation::Acquire | Operation::WaitResume, ObjectState::Monitor { owner, .. })
                if helpful.contains(Operation::Release) =>
            {
                let owner = owner.into_iter();
                self.threads
                    .extend(owner.map(|owner| (owner, object.region, helpful)));
            }
            _ => self.operations.push((object.region, helpful)),
        }
        true
    }

    /// Whether another thread could let this one go on.
    fn ends_by<S: System>(
        &self,
        other: Thread,
        futures: &mut Futures,
        system: &S,
        state: &S::State,
    ) -> bool {
        if self.anyone {
            return true;
        }
        let mut threads = self.threads.iter().filter(|helper| helper.0 == other);
        if self.operations.is_empty() && threads.clone().next().is_none() {
            return false;
        }
        let Some(future) = futures.of(system, state, other) else {
            return true;
        };
        let mut operations = self.operations.iter();
        threads.any(|&(_, region, helpful)| future.on(region).meets(helpful))
            || operations.any(|&(region, helpful)| future.on(region).meets(helpful))
    }
}

/// The futures of the threads in one state by their numbers, each asked for at most once.
#[derive(Default)]
struct Futures {
    known: Vec<Option<Option<Future>>>,
}

impl Futures {
    fn clear(&mut self) {
        self.known.clear();
    }

    fn of<S: System>(&mut self, system: &S, state: &S::State, thread: Thread) -> Option<&Future> {
        if self.known.len() <= thread.index() {
            self.known.resize(thread.index() + 1, None);
        }
        let known = &mut self.known[thread.index()];
        known
            .get_or_insert_with(|| system.future(state, thread))
            .as_ref()
    }
}
