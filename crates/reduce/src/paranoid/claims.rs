//! The claims of a system about one state, tried out.

use super::Promise;
use crate::dpor::dependent;
use raddle_model::operations::{changes_in, left_commutes, mover_in};
use raddle_model::{
    Access, FaultKind, Footprint, Future, Halt, Object, ObjectState, Operation, Status, System,
    Thread,
};
use std::cell::Cell;
use std::collections::BTreeSet;

/// A wrong claim, and what was seen instead.
pub(super) type Lie = (Promise, String);

/// More choices of a step than this are not tried.
const MOST_CHOICES: u32 = 16;

/// What the machine says when it is to make a step that is not possible.
const BLOCKED: &str = "a blocked step was executed";

/// Tries out all claims about a state.
/// Adds the variables of which something is claimed to those that were seen before.
pub(super) fn inspect<S: System>(
    system: &S,
    state: &S::State,
    seen: &mut BTreeSet<Object>,
) -> Result<(), Lie> {
    let mut scene = Scene {
        system,
        state,
        seen: std::mem::take(seen),
        threads: Vec::new(),
        is_cut: Cell::new(false),
    };
    scene.see(state, seen);
    scene.seen.append(seen);
    let result = scene.inspect();
    *seen = scene.seen;
    // What was cut short may not be as it should.
    result.or_else(|lie| match scene.is_cut.get() {
        true => Ok(()),
        false => Err(lie),
    })
}

impl<S: System> Scene<'_, S> {
    fn inspect(&mut self) -> Result<(), Lie> {
        for thread in (0..self.system.threads(self.state) as u32).map(Thread) {
            let outlook = self.look(thread)?;
            self.threads.push(outlook);
        }
        self.check_form()?;
        self.check_permissions()?;
        for outlook in &self.threads {
            self.check_locks(outlook)?;
            self.check_future(outlook)?;
            for next in outlook.successors() {
                self.check_futures_after(outlook, next)?;
                self.check_permissions_after(outlook, next)?;
            }
        }
        for one in self.threads.iter().filter(|it| it.is_ready()) {
            for other in self.threads.iter().filter(|it| it.thread != one.thread) {
                match self.are_independent(one, other) {
                    true => self.check_independence(one, other)?,
                    false => {
                        self.check_movers(one, other)?;
                        self.check_what_is_left(one, other)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// A state with all that is said of its threads.
pub(super) struct Scene<'a, S: System> {
    pub(super) system: &'a S,
    pub(super) state: &'a S::State,
    /// The variables of which something is claimed, as far as they were seen.
    pub(super) seen: BTreeSet<Object>,
    pub(super) threads: Vec<Outlook<S::State>>,
    /// Whether a step was to stop on its way.
    is_cut: Cell<bool>,
}

/// What is said of a thread, and where its step really leads.
pub(super) struct Outlook<T> {
    pub(super) thread: Thread,
    status: Status,
    pub(super) footprint: Footprint,
    pub(super) future: Option<Future>,
    /// For each choice.
    results: Vec<Result<T, Halt>>,
}

impl<T> Outlook<T> {
    fn is_ready(&self) -> bool {
        matches!(self.status, Status::Ready { .. })
    }

    /// Whether not all of its choices were tried.
    fn is_cut(&self) -> bool {
        matches!(self.status, Status::Ready { choices } if choices > MOST_CHOICES)
    }

    /// The states after the step.
    pub(super) fn successors(&self) -> impl Iterator<Item = &T> {
        self.results.iter().flatten()
    }
}

impl<S: System> Scene<'_, S> {
    /// Asks what a thread would do, and does it.
    fn look(&self, thread: Thread) -> Result<Outlook<S::State>, Lie> {
        let status = self.system.status(self.state, thread);
        let choices = match status {
            Status::Ready { choices: 0 } => {
                let what = format!("thread {} is ready in no way at all", thread.0);
                return Err((Promise::Status, what));
            }
            Status::Ready { choices } => choices.min(MOST_CHOICES),
            Status::Blocked | Status::Done => 0,
        };
        let results = (0..choices).map(|choice| self.execute(self.state, thread, choice));
        Ok(Outlook {
            thread,
            status,
            footprint: self.footprint(self.state, thread),
            future: self.system.future(self.state, thread),
            results: results.collect::<Result<_, Lie>>()?,
        })
    }

    /// Makes a step of a ready thread on a copy.
    fn execute(
        &self,
        state: &S::State,
        thread: Thread,
        choice: u32,
    ) -> Result<Result<S::State, Halt>, Lie> {
        let mut state = state.clone();
        match self.system.step(&mut state, thread, choice) {
            Err(Halt::GaveUp(why)) if why == BLOCKED => {
                let what = format!("thread {} is ready and cannot move", thread.0);
                Err((Promise::Status, what))
            }
            result => {
                let is_cut = matches!(result, Err(Halt::Stopped(_)));
                self.is_cut.set(self.is_cut.get() || is_cut);
                Ok(result.map(|()| state))
            }
        }
    }

    pub(super) fn footprint(&self, state: &S::State, thread: Thread) -> Footprint {
        let mut footprint = Footprint::default();
        self.system.footprint(state, thread, &mut footprint);
        footprint
    }

    fn words(&self, state: &S::State) -> Vec<u32> {
        let mut scratch = Vec::new();
        self.system.encode(state, &mut scratch).to_vec()
    }

    /// Whether two footprints of a thread say the same in different states. Objects that
    /// were not there before get other names if somebody else came first.
    fn says_the_same(&self, one: &Footprint, other: &Footprint) -> bool {
        let named = |access: &Access| {
            let name = self.system.is_permanent(access.object);
            let name = name.then_some(access.object.index);
            (access.object.region, name, access.operation)
        };
        let (one, other) = (one.accesses(), other.accesses());
        one.iter().map(named).eq(other.iter().map(named))
    }

    // The canonical form.

    fn check_form(&self) -> Result<(), Lie> {
        let words = self.words(self.state);
        let mut copy = self.state.clone();
        self.system.decode(&words, &mut copy);
        let lie = |what: String| Err((Promise::Form, what));
        if self.words(&copy) != words {
            return lie("the state that it stands for has another one".to_owned());
        }
        if self.system.threads(&copy) != self.threads.len() {
            return lie("the number of threads is lost".to_owned());
        }
        let kind = |state| self.system.check_invariants(state).map_err(|it| it.kind);
        if kind(&copy) != kind(self.state) {
            return lie("the invariants say something else of it".to_owned());
        }
        for outlook in &self.threads {
            let number = outlook.thread.0;
            if self.system.status(&copy, outlook.thread) != outlook.status {
                return lie(format!("whether thread {number} can move is lost"));
            }
            let footprint = self.footprint(&copy, outlook.thread);
            if !self.says_the_same(&footprint, &outlook.footprint) {
                let was = told(&outlook.footprint);
                return lie(format!(
                    "thread {number} touches {}, and {was} without it",
                    told(&footprint)
                ));
            }
            if self.system.future(&copy, outlook.thread) != outlook.future {
                return lie(format!("thread {number} has another future"));
            }
        }
        self.check_permissions_of_form(&copy)
    }

    // The locks, and whether observed objects allow what ready threads do.

    fn check_locks(&self, outlook: &Outlook<S::State>) -> Result<(), Lie> {
        let thread = outlook.thread;
        for object in self.held_by(thread) {
            let observed = self.system.observe(self.state, object);
            let fits = matches!(observed, ObjectState::Monitor { owner, depth, .. }
                if owner == Some(thread) && depth > 0);
            if !fits {
                let what = format!("thread {} holds {}: {observed:?}", thread.0, name(object));
                return Err((Promise::Locks, what));
            }
        }
        for access in outlook.footprint.accesses() {
            let observed = self.system.observe(self.state, access.object);
            if let ObjectState::Monitor { owner, depth, .. } = observed {
                let holds = owner.is_none_or(|owner| self.held_by(owner).contains(&access.object));
                if !holds || owner.is_none() != (depth == 0) {
                    let what = format!("nobody holds {}: {observed:?}", name(access.object));
                    return Err((Promise::Locks, what));
                }
            }
        }
        self.check_possible(outlook)
    }

    fn held_by(&self, thread: Thread) -> Vec<Object> {
        self.held(self.state, thread)
    }

    pub(super) fn held(&self, state: &S::State, thread: Thread) -> Vec<Object> {
        let mut held = Vec::new();
        self.system.held(state, thread, &mut held);
        held
    }

    /// A ready step whose only way is known begins with what is possible, on each object.
    fn check_possible(&self, outlook: &Outlook<S::State>) -> Result<(), Lie> {
        use Operation::{Acquire, Down, Receive, Send, WaitResume};
        if !outlook.is_ready() || !is_exact(&outlook.footprint) {
            return Ok(());
        }
        let accesses = outlook.footprint.accesses();
        for (index, access) in accesses.iter().enumerate() {
            let Access { object, operation } = *access;
            let is_first = accesses[..index].iter().all(|it| it.object != object);
            let waits = matches!(operation, Acquire | WaitResume | Down | Send | Receive);
            let observed = self.system.observe(self.state, object);
            if is_first && waits && !changes_in(operation, outlook.thread, &observed) {
                let (number, object) = (outlook.thread.0, name(object));
                let what = format!("thread {number} can {operation} {object}: {observed:?}");
                return Err((Promise::Locks, what));
            }
        }
        Ok(())
    }

    // The futures.

    /// What a thread does next is what it may still do.
    fn check_future(&self, outlook: &Outlook<S::State>) -> Result<(), Lie> {
        let Some(future) = &outlook.future else {
            return Ok(());
        };
        let mut accesses = outlook.footprint.accesses().iter();
        match accesses.find(|it| !future.on(it.object.region).contains(it.operation)) {
            None => Ok(()),
            Some(access) => {
                let (operation, object) = (access.operation, name(access.object));
                let number = outlook.thread.0;
                let what = format!("that of thread {number} does not have {operation} {object}");
                Err((Promise::Futures, what))
            }
        }
    }

    /// Nobody may do more after a step than before it, and whoever was started not more
    /// than who did that.
    fn check_futures_after(&self, outlook: &Outlook<S::State>, next: &S::State) -> Result<(), Lie> {
        for thread in (0..self.system.threads(next) as u32).map(Thread) {
            let before = self.threads.get(thread.index()).unwrap_or(outlook);
            let after = self.system.future(next, thread);
            let (Some(before), Some(after)) = (&before.future, after) else {
                continue;
            };
            if before.clone().merge(&after) {
                let (number, by) = (thread.0, outlook.thread.0);
                let what = format!("that of thread {number} grows by a step of thread {by}");
                return Err((Promise::Futures, what));
            }
        }
        Ok(())
    }

    // Independence: neither enables nor disables the other, nor changes what it does or
    // in how many ways; and the order of the two makes no difference.

    fn are_independent(&self, one: &Outlook<S::State>, other: &Outlook<S::State>) -> bool {
        one.footprint
            .independent_in(one.thread, &other.footprint, other.thread, |object| {
                self.system.observe(self.state, object)
            })
    }

    fn check_independence(
        &self,
        one: &Outlook<S::State>,
        other: &Outlook<S::State>,
    ) -> Result<(), Lie> {
        let lie = |what: &str| {
            let (a, b) = (one.thread.0, other.thread.0);
            let (did, does) = (told(&one.footprint), told(&other.footprint));
            let what = format!("thread {a} ({did}) {what} thread {b} ({does})");
            Err((Promise::Independence, what))
        };
        for next in one.successors() {
            if self.system.status(next, other.thread) != other.status {
                return lie("enables, disables or changes the choices of");
            }
            let footprint = self.footprint(next, other.thread);
            if !self.says_the_same(&footprint, &other.footprint) {
                return lie(&format!(
                    "changes to ({}) what is touched by",
                    told(&footprint)
                ));
            }
        }
        // Each pair once is enough for what is symmetric.
        if one.thread > other.thread {
            return Ok(());
        }
        for (mine, first) in one.results.iter().enumerate() {
            for (theirs, second) in other.results.iter().enumerate() {
                let both = |state: &Result<S::State, Halt>, then: Thread, choice: usize| match state
                {
                    Ok(state) => self.execute(state, then, choice as u32).map(Some),
                    Err(_) => Ok(None),
                };
                let after_first = both(first, other.thread, theirs)?;
                let after_second = both(second, one.thread, mine)?;
                if !self.agree(after_first.as_ref(), second)
                    || !self.agree(after_second.as_ref(), first)
                {
                    return lie("makes or mends a fault of");
                }
                if let (Some(Ok(a)), Some(Ok(b))) = (&after_first, &after_second)
                    && self.words(a) != self.words(b)
                {
                    return lie("does not commute with");
                }
            }
        }
        Ok(())
    }

    /// Whether a step after another one, if that could be made, came to the same end as
    /// it does alone.
    fn agree(
        &self,
        after: Option<&Result<S::State, Halt>>,
        alone: &Result<S::State, Halt>,
    ) -> bool {
        match (after, alone) {
            (None, _) | (Some(Ok(_)), Ok(_)) => true,
            (Some(Err(halt)), Ok(_)) | (Some(Ok(_)), Err(halt)) => is_excused(halt),
            (Some(Err(a)), Err(b)) => same_halt(a, b),
        }
    }

    /// Who looks back from after a step, as dynamic reduction does, must see that the step had to do
    /// with what another thread could have done before it, whatever that does now. A thread that waits
    /// is of no interest: where it does not, it is looked at.
    fn check_what_is_left(
        &self,
        one: &Outlook<S::State>,
        other: &Outlook<S::State>,
    ) -> Result<(), Lie> {
        let successors = one.successors().filter(|_| other.is_ready());
        for next in successors {
            let footprint = self.footprint(next, other.thread);
            if !dependent(&one.footprint, &footprint) && !notifies(&one.footprint, &footprint) {
                let (a, b) = (one.thread.0, other.thread.0);
                let (did, was) = (told(&one.footprint), told(&other.footprint));
                let now = told(&footprint);
                let what = format!(
                    "thread {a} ({did}) changes what thread {b} does ({was}), and it does not show ({now})"
                );
                return Err((Promise::Independence, what));
            }
        }
        Ok(())
    }

    // Movers: if the second of two steps of different threads moves to the left of the
    // first by what the tables say of their operations, then it can be made first, and to
    // the same end.

    fn check_movers(
        &self,
        first: &Outlook<S::State>,
        second: &Outlook<S::State>,
    ) -> Result<(), Lie> {
        for next in first.successors() {
            let Status::Ready { choices } = self.system.status(next, second.thread) else {
                continue;
            };
            let footprint = self.footprint(next, second.thread);
            if !self.can_be_exchanged(first, next, second.thread, &footprint) {
                continue;
            }
            for choice in 0..choices.min(MOST_CHOICES) {
                let end = self.execute(next, second.thread, choice)?;
                if !self.can_also_be_first(first, second, &end)? {
                    let (a, b) = (first.thread.0, second.thread.0);
                    let (did, does) = (told(&first.footprint), told(&footprint));
                    let what = format!(
                        "what thread {b} does ({does}) after thread {a} ({did}) it cannot do before"
                    );
                    return Err((Promise::Movers, what));
                }
            }
        }
        Ok(())
    }

    /// Whether the operations of two steps, the second in the state between them, can be
    /// exchanged according to the tables.
    fn can_be_exchanged(
        &self,
        first: &Outlook<S::State>,
        between: &S::State,
        second_thread: Thread,
        second: &Footprint,
    ) -> bool {
        let starts = |footprint: &Footprint| {
            let mut accesses = footprint.accesses().iter();
            accesses.any(|access| access.operation == Operation::Start)
        };
        // Threads are numbered as they are started: the second start would have another
        // name if it came first.
        if starts(&first.footprint) && starts(second) {
            return false;
        }
        let moves = |a: &Access, b: &Access| {
            let right = || {
                let observed = self.system.observe(self.state, a.object);
                mover_in(a.operation, first.thread, &observed).is_right()
            };
            let left = || {
                let observed = self.system.observe(between, b.object);
                mover_in(b.operation, second_thread, &observed).is_left()
            };
            // That an operation moves across all others is said on the condition that
            // nobody reads the object.
            left_commutes(b.operation, a.operation)
                || (b.operation != Operation::Read && right())
                || (a.operation != Operation::Read && left())
        };
        let first = first.footprint.accesses();
        first.iter().all(|a| {
            let on_same = second.accesses().iter().filter(|b| b.object == a.object);
            on_same.into_iter().all(|b| moves(a, b))
        })
    }

    /// Whether the second step can be made first so that both come to this end.
    fn can_also_be_first(
        &self,
        first: &Outlook<S::State>,
        second: &Outlook<S::State>,
        end: &Result<S::State, Halt>,
    ) -> Result<bool, Lie> {
        // Not all choices were tried, so that nothing can be said.
        if first.is_cut() || second.is_cut() {
            return Ok(true);
        }
        for result in &second.results {
            let then = match (result, end) {
                (Err(halt), _) if is_excused(halt) => return Ok(true),
                (_, Err(halt)) if is_excused(halt) => return Ok(true),
                (Err(a), Err(b)) if same_halt(a, b) => return Ok(true),
                (Ok(then), Ok(_)) => then,
                _ => continue,
            };
            let Status::Ready { choices } = self.system.status(then, first.thread) else {
                continue;
            };
            for choice in 0..choices.min(MOST_CHOICES) {
                let both = self.execute(then, first.thread, choice)?;
                if let (Ok(both), Ok(end)) = (&both, end)
                    && self.words(both) == self.words(end)
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// Whether an execution ended for a reason that no footprint tells: all threads together
/// have used up a limit.
fn is_excused(halt: &Halt) -> bool {
    match halt {
        Halt::Fault(fault) => fault.kind == FaultKind::HeapExhausted,
        Halt::GaveUp(_) | Halt::Stopped(_) => true,
        Halt::Pruned => false,
    }
}

/// Whether two executions ended in the same way. Messages may contain names that differ.
fn same_halt(one: &Halt, other: &Halt) -> bool {
    match (one, other) {
        (Halt::Fault(a), Halt::Fault(b)) if (a.kind, a.place) == (b.kind, b.place) => true,
        (Halt::Pruned, Halt::Pruned) => true,
        _ => is_excused(one) || is_excused(other),
    }
}

/// Whether a footprint is declared to be that of the only way in which a step can go.
fn is_exact(footprint: &Footprint) -> bool {
    let mut exact = footprint.clone();
    exact.mark_exact();
    exact == *footprint
}

pub(super) fn name(object: Object) -> String {
    format!("object {}[{}]", object.region.0, object.index)
}

/// Whether a step notifies a thread that takes the monitor back afterwards. Who does has taken the
/// monitor since that thread began to wait, and that shows instead.
fn notifies(step: &Footprint, after: &Footprint) -> bool {
    let resumes = |it: &&Access| it.operation == Operation::WaitResume;
    let mut resumed = after.accesses().iter().filter(resumes);
    resumed.any(|it| {
        let notifies = |mine: &Access| {
            let is_notification =
                matches!(mine.operation, Operation::Notify | Operation::NotifyAll);
            is_notification && mine.object == it.object
        };
        step.accesses().iter().any(notifies)
    })
}

/// The operations of a footprint.
fn told(footprint: &Footprint) -> String {
    let accesses = footprint.accesses().iter();
    let told: Vec<String> = accesses
        .map(|access| format!("{} {}", access.operation, name(access.object)))
        .collect();
    match told.is_empty() {
        true => "touches nothing".to_owned(),
        false => told.join(", "),
    }
}
