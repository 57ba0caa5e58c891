//! The synchronisation discipline: which variables are protected, as the program claims
//! or as is guessed, and whether that turns out to be true.
//!
//! **From**: paper 000, sections 5, 6 and 9.2; paper 002, section 9 (MLD').
//!
//! A variable is one of these:
//! - *unprotected*, if the program says so or experience shows it: nothing is known;
//! - *claimed*: the program says when a thread may access it (`Permissions::permission`);
//! - *guessed* to be protected, as long as all accesses that were seen, in whatever
//!   execution, have a guard in common (`protection.rs`): they were made by one thread, or
//!   with the same lock held, or were reads. Accesses to an instance that only the thread that made
//!   it can have met do not count.
//!
//! **What is checked**: (a) claims: who accesses a variable has permission; no two threads
//! have it together; nobody takes it away from another thread (WF-initExcl, WF-endExcl
//! and both halves of the discipline). (b) guesses: as above. A thread that is blocked
//! looks at what it waits for, so that counts as an access too: a variable that somebody
//! waits for without protection is not protected.
//!
//! **Why one run is enough**: what was seen of a variable only ever shrinks, and it does
//! not depend on paths. That a variable is taken for protected is fixed for the length of
//! a search: when one turns out not to be, the search is worthless and is done again
//! without it (trap (a) of continuing is a wrong *holds*). Eraser's exception for the
//! first thread, and the state "not yet shared", are not made: they miss violations (the
//! two-thread semaphore example of paper 002, section 9). A variable may be
//! initialised without protection only if the program says by whom, up to a place in its
//! code: `initialised by`.

use crate::protection::{Accessed, Guards, Held, Protection, is_data, lasting_name};
use foldhash::HashSet;
use raddle_model::operations::{independent, left_commutes, may_block};
use raddle_model::{
    Access, Fault, FaultKind, Footprint, Future, Halt, Influence, Narrate, Object, Operation,
    Operations, Permission, Place, Region, Status, System, Thread,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What to assume of the variables of a program.
#[derive(Debug, Default)]
pub(crate) struct AssumedDiscipline {
    /// Whether nothing is guessed and nothing is hidden.
    claims_only: bool,
    /// If the paper is taken literally: what each thread does in its whole life.
    lives: Option<Vec<Option<Future>>>,
    /// The variables that are known not to be protected.
    unprotected: HashSet<Object>,
    /// The regions whose claims are known to be wrong.
    unclaimed: HashSet<Region>,
    seen: Mutex<Seen>,
    /// Whether something was seen that is not as it was assumed. Every step asks.
    broken: AtomicBool,
}

/// What was seen so far.
#[derive(Debug, Default)]
struct Seen {
    protection: Protection,
    breaches: Vec<Breach>,
}

/// A variable that is not protected as it was assumed to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Breach {
    /// What the program claims of a region is not true.
    Claim(Region),
    /// What was guessed of a variable is not true.
    Guess(Object),
}

impl AssumedDiscipline {
    /// Takes the paper literally: no two threads ever have permission to access the same
    /// variable, even if the form of the claims does not say so; and whether a step is
    /// invisible depends on what other threads do in their whole lives.
    pub(crate) fn literal<S: System>(system: &S) -> Self {
        let lives = system.initial().ok().map(|state| {
            let all = threads(system, &state);
            all.map(|thread| system.future(&state, thread)).collect()
        });
        AssumedDiscipline {
            lives,
            ..AssumedDiscipline::default()
        }
    }

    /// Checks the claims of a program and makes no use of them.
    pub(crate) fn of_claims() -> Self {
        AssumedDiscipline {
            claims_only: true,
            ..AssumedDiscipline::default()
        }
    }

    /// Learns from what was seen in a search. If something was wrong, returns it; the
    /// search is to be done again.
    pub(crate) fn learn(&mut self) -> Vec<Breach> {
        let seen = self.seen.get_mut().unwrap_or_else(PoisonError::into_inner);
        let breaches = std::mem::take(&mut seen.breaches);
        *self.broken.get_mut() = false;
        for breach in &breaches {
            match breach {
                Breach::Claim(region) => self.unclaimed.insert(*region),
                Breach::Guess(variable) => self.unprotected.insert(*variable),
            };
        }
        breaches
    }

    /// Whether something was seen that is not as it was assumed.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }

    fn remember(&self, seen: &mut Seen, breach: Breach) {
        if !seen.breaches.contains(&breach) {
            seen.breaches.push(breach);
        }
        self.broken.store(true, Ordering::Relaxed);
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the next step of a thread, with this footprint, can be made before whatever
    /// the others do: it can neither be disabled nor noticed by them before they
    /// synchronise with it (conditions i and ii of paper 000, section 5).
    pub(crate) fn hides<S: System>(
        &self,
        system: &S,
        state: &S::State,
        thread: Thread,
        footprint: &Footprint,
    ) -> bool {
        let harmless = match system.influence(state, thread) {
            Influence::None => true,
            Influence::Takes => self.lives.is_some(),
            Influence::Gives => false,
        };
        harmless
            && !self.claims_only
            && footprint.accesses().iter().all(|&access| {
                self.is_protected(system, state, thread, access)
                    || self.comes_first(system, state, thread, access)
            })
    }

    /// Whether an operation can be done before whatever the other threads may still do to
    /// the object: nobody can disable it, and it left-commutes.
    fn comes_first<S: System>(
        &self,
        system: &S,
        state: &S::State,
        thread: Thread,
        access: Access,
    ) -> bool {
        let Access { object, operation } = access;
        let theirs = |other: Thread| match &self.lives {
            None if system.status(state, other) == Status::Done => Operations::NONE,
            None => system.future_on(state, other, object.region),
            Some(lives) => match lives.get(other.index()) {
                Some(Some(life)) => life.on(object.region),
                _ => Operations::ALL,
            },
        };
        let mut others = threads(system, state).filter(|&other| other != thread);
        others.all(|other| {
            let mut theirs = theirs(other).iter();
            theirs.all(|theirs| goes_before(operation, theirs))
        })
    }

    fn is_protected<S: System>(
        &self,
        system: &S,
        state: &S::State,
        thread: Thread,
        access: Access,
    ) -> bool {
        if !is_data(system, state, access) {
            return false;
        }
        match system.permission(state, access.object, thread) {
            Permission::Unprotected => false,
            Permission::Granted | Permission::Denied => {
                !self.unclaimed.contains(&access.object.region)
            }
            Permission::Unsaid => {
                let variable = lasting_name(system, access.object);
                !self.unprotected.contains(&variable)
                    || system.is_unshared(state, access.object, thread)
            }
        }
    }

    /// Takes note of the accesses that the next step of a thread makes, or waits for.
    pub(crate) fn note<S: Narrate>(
        &self,
        system: &S,
        state: &S::State,
        thread: Thread,
        footprint: &Footprint,
    ) -> Result<(), Halt> {
        let mut held = None;
        for &access in footprint.accesses() {
            if !is_data(system, state, access) {
                continue;
            }
            match system.permission(state, access.object, thread) {
                Permission::Unprotected | Permission::Granted => {}
                Permission::Denied => {
                    let culprit = (thread, system.next_place(state, thread));
                    self.accuse(system, state, culprit, access.object, DENIED)?;
                }
                Permission::Unsaid => self.note_guess(system, state, thread, access, &mut held)?,
            }
        }
        Ok(())
    }

    fn note_guess<S: Narrate>(
        &self,
        system: &S,
        state: &S::State,
        thread: Thread,
        access: Access,
        held: &mut Option<Held>,
    ) -> Result<(), Halt> {
        let variable = lasting_name(system, access.object);
        let is_settled = self.claims_only || self.unprotected.contains(&variable);
        if is_settled || system.is_unshared(state, access.object, thread) {
            return Ok(());
        }
        let held = held.get_or_insert_with(|| Held::new(system, state, thread, Guards::All));
        let mut seen = self.seen();
        let accessed = Accessed::new(system, state, access);
        seen.protection.note_access(variable, &accessed, held);
        if !seen.protection.is_lost(variable) {
            return Ok(());
        }
        self.remember(&mut seen, Breach::Guess(variable));
        drop(seen);
        let what = "accesses it, and no lock is held at all accesses";
        let place = system.next_place(state, thread);
        Err(Halt::Fault(fault(
            system,
            state,
            (thread, place),
            access.object,
            what,
        )))
    }

    /// Finds a claim about a variable to be wrong.
    fn accuse<S: Narrate>(
        &self,
        system: &S,
        state: &S::State,
        culprit: Culprit,
        object: Object,
        what: &str,
    ) -> Result<(), Halt> {
        if self.unclaimed.contains(&object.region) {
            return Ok(());
        }
        if !self.claims_only {
            self.remember(&mut self.seen(), Breach::Claim(object.region));
        }
        Err(Halt::Fault(fault(system, state, culprit, object, what)))
    }

    /// Who has permission to access what, as far as that can be taken away or given to
    /// two threads. To be asked before a step that may change it.
    pub(crate) fn permissions<S: System>(&self, system: &S, state: &S::State) -> Permissions {
        let mut permissions = Permissions::default();
        system.exclusive(state, &mut permissions.objects);
        for &object in &permissions.objects {
            for thread in threads(system, state) {
                if system.permission(state, object, thread) == Permission::Granted {
                    permissions.granted.insert((object, thread));
                }
            }
        }
        permissions
    }

    /// Checks permissions after a step of a thread against those before.
    pub(crate) fn compare<S: Narrate>(
        &self,
        system: &S,
        state: &S::State,
        culprit: Culprit,
        before: &Permissions,
    ) -> Result<(), Halt> {
        let after = self.permissions(system, state);
        for &(object, owner) in &before.granted {
            // What is gone needs no permission.
            let exists = after.objects.contains(&object);
            if owner != culprit.0 && exists && !after.granted.contains(&(object, owner)) {
                let what = "takes away another thread's permission to access it";
                self.accuse(system, state, culprit, object, what)?;
            }
        }
        self.no_two(system, state, culprit, &after)
    }

    /// Checks that no two threads have permission to access the same variable.
    pub(crate) fn no_two<S: Narrate>(
        &self,
        system: &S,
        state: &S::State,
        culprit: Culprit,
        permissions: &Permissions,
    ) -> Result<(), Halt> {
        for &object in &permissions.objects {
            let granted = |(it, _): &&(Object, Thread)| *it == object;
            if permissions.granted.iter().filter(granted).count() > 1 {
                let what = "makes two threads have permission to access it";
                self.accuse(system, state, culprit, object, what)?;
            }
        }
        Ok(())
    }
}

/// Who has permission to access what.
#[derive(Debug, Default)]
pub(crate) struct Permissions {
    objects: Vec<Object>,
    granted: HashSet<(Object, Thread)>,
}

fn goes_before(operation: Operation, other: Operation) -> bool {
    independent(operation, other) || !may_block(operation) && left_commutes(operation, other)
}

fn threads<S: System>(system: &S, state: &S::State) -> impl Iterator<Item = Thread> {
    (0..system.threads(state) as u32).map(Thread)
}

/// The thread whose step is wrong, and where the step begins.
pub(crate) type Culprit = (Thread, Option<Place>);

/// What is said of an access without permission.
pub(crate) const DENIED: &str = "accesses it without permission";

/// What a thread does that a variable is not protected from.
pub(crate) fn fault<S: Narrate>(
    system: &S,
    state: &S::State,
    (thread, place): Culprit,
    object: Object,
    what: &str,
) -> Fault {
    let (name, thread_name) = (
        system.object_name(state, object),
        system.thread_name(state, thread),
    );
    Fault {
        kind: FaultKind::Discipline,
        message: format!("`{name}` is not protected: {thread_name} {what}"),
        place,
    }
}
