//! Who may rely on being alone with a variable, and how steps move because of that.
//!
//! **From**: paper 004, sections 5 and 6. Every variable starts with all guards; each
//! access leaves those that its thread holds at that moment. A guard is a lock, or a
//! thread, which holds itself from its beginning to its end (section 5.1): a variable
//! that is left with a thread was accessed by nobody else. What is held by every read and by
//! no other access is a guard, too: a variable that is left with it was never written.
//!
//! Objects on the heap have no names that last. All objects of a region count as one
//! variable there. A lock on the heap guards the instance that it is a part of: who accesses a
//! field holds the lock of the same instance. An instance that its thread has made and shown to nobody
//! belongs to that thread, whatever guards the others of its kind; see `Permissions::is_unshared`. As
//! that follows from where the thread stands, no other thread can give it or take it away.
//!
//! An access of a thread that has to wait counts like any other: who waits for a
//! variable to change looks at it all the time.
//!
//! **Claims** (section 4.1): what the program says is made use of from the beginning, if it
//! is that a lock protects a variable or that nothing does. These are the predicates of which
//! the form shows property (ii) of that section, that nobody gives access to another thread
//! or takes it away; claims about more than locks are left to inference. As every lock is a
//! claim of its own, those on the heap will do. An access without the lock shows that the
//! claim is wrong. It is given up then, and what was inferred meanwhile takes its place.

use foldhash::{HashMap, HashSet};
use raddle_model::operations::{mover_against, mover_in};
use raddle_model::{
    Access, Footprint, Kind, Mover, Object, ObjectState, Operation, Operations, Permission, Region,
    Status, System, Thread,
};
use std::cell::OnceCell;

/// What keeps other threads away from a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Guard {
    /// That its thread holds a lock.
    Lock(Object),
    /// That its thread holds the lock at this place of the same instance.
    Own(Object),
    /// That there is no other thread that ever accesses it.
    Thread(Thread),
    /// That nobody ever writes it.
    Reading,
}

/// What counts as a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guards {
    /// Locks, as in section 6 of the paper.
    Locks,
    /// All of them.
    All,
}

/// The next step of a thread: what it touches, and what it holds before.
pub(crate) struct Pending {
    pub(crate) thread: Thread,
    pub(crate) status: Status,
    pub(crate) footprint: Footprint,
    guards: Guards,
    /// What the thread holds, once somebody asks.
    held: OnceCell<Held>,
}

impl Pending {
    pub(crate) fn new<S: System>(
        system: &S,
        state: &S::State,
        thread: Thread,
        guards: Guards,
    ) -> Pending {
        let mut footprint = Footprint::default();
        system.footprint(state, thread, &mut footprint);
        Pending {
            thread,
            status: system.status(state, thread),
            footprint,
            guards,
            held: OnceCell::new(),
        }
    }

    fn held<S: System>(&self, system: &S, state: &S::State) -> &Held {
        let guards = self.guards;
        self.held
            .get_or_init(|| Held::new(system, state, self.thread, guards))
    }
}

/// The guards that a thread holds.
pub(crate) struct Held {
    guards: Vec<Guard>,
    /// The locks on the heap, as guards of the instances of which they are parts.
    own: Vec<(Guard, u32)>,
    /// Whether reads hold one more.
    reading: bool,
}

impl Held {
    pub(crate) fn new<S: System>(
        system: &S,
        state: &S::State,
        thread: Thread,
        guards: Guards,
    ) -> Held {
        let mut locks = Vec::new();
        system.held(state, thread, &mut locks);
        let own = |&lock: &Object| {
            let first = system.instance(state, lock)?;
            Some((Guard::Own(in_instance(lock, first)), first))
        };
        let own = locks.iter().filter_map(own).collect();
        let locks = locks.into_iter().filter(|&lock| system.is_permanent(lock));
        let mut held: Vec<Guard> = locks.map(Guard::Lock).collect();
        if guards == Guards::All {
            held.push(Guard::Thread(thread));
        }
        Held {
            guards: held,
            own,
            reading: guards == Guards::All,
        }
    }

    /// Whether an access of the thread is made with a guard.
    fn contains(&self, guard: Guard, access: &Accessed) -> bool {
        match guard {
            Guard::Reading => self.reading && access.operation == Operation::Read,
            Guard::Own(_) => access
                .instance
                .is_some_and(|instance| self.own.contains(&(guard, instance))),
            Guard::Lock(_) | Guard::Thread(_) => self.guards.contains(&guard),
        }
    }

    /// All guards with which an access of the thread is made.
    fn all(&self, access: &Accessed) -> Vec<Guard> {
        let own = self.own.iter().map(|own| own.0).chain([Guard::Reading]);
        let own = own.filter(|&guard| self.contains(guard, access));
        self.guards.iter().copied().chain(own).collect()
    }
}

/// What an access means to the guards of its variable.
pub(crate) struct Accessed {
    operation: Operation,
    /// The instance on the heap that is accessed.
    instance: Option<u32>,
}

impl Accessed {
    pub(crate) fn new<S: System>(system: &S, state: &S::State, access: Access) -> Accessed {
        Accessed {
            operation: access.operation,
            instance: system.instance(state, access.object),
        }
    }
}

/// Which guards protect which variables, as far as is known. It only ever shrinks.
#[derive(Clone, Debug, Default)]
pub struct Protection {
    /// By variable: the guards that were held at every access. A variable without an
    /// entry was not accessed yet.
    guards: HashMap<Object, Vec<Guard>>,
    /// Whether what the program claims is made use of.
    claims: bool,
    /// The variables of which it claims what is wrong.
    unclaimed: HashSet<Object>,
}

impl Protection {
    /// Knows nothing yet, unless the program's claims are made use of.
    pub(crate) fn new(claims: bool) -> Protection {
        Protection {
            claims,
            ..Protection::default()
        }
    }

    /// The variables that were accessed and what guards them, in order. Variables on
    /// the heap go by their region, with [`u32::MAX`] for an index.
    pub fn guards(&self) -> Vec<(Object, Vec<Guard>)> {
        let mut all: Vec<(Object, Vec<Guard>)> = self
            .guards
            .iter()
            .map(|(&variable, guards)| (variable, guards.clone()))
            .collect();
        all.sort_unstable();
        all
    }

    /// Takes note of the accesses of a step, made or waited for. Adds to `lost` the
    /// variables that lose their last guard, or the one that was claimed; returns a variable
    /// of the latter sort.
    pub(crate) fn note<S: System>(
        &mut self,
        system: &S,
        state: &S::State,
        pending: &Pending,
        lost: &mut Vec<Object>,
    ) -> Option<Object> {
        let mut wrong = None;
        for &access in pending.footprint.accesses() {
            if !is_data(system, state, access) {
                continue;
            }
            let variable = lasting_name(system, access.object);
            let claim = self.claim(system, state, pending.thread, access.object);
            if claim == Permission::Denied {
                self.unclaimed.insert(variable);
                lost.push(variable);
                wrong = Some(access.object);
            }
            let is_settled = claim == Permission::Unprotected || self.is_lost(variable);
            if is_settled || system.is_unshared(state, access.object, pending.thread) {
                continue;
            }
            let held = pending.held(system, state);
            let accessed = Accessed::new(system, state, access);
            let is_lost = self.note_access(variable, &accessed, held);
            if is_lost && claim == Permission::Unsaid {
                lost.push(variable);
            }
        }
        wrong
    }

    /// What the program says about an access of a thread, as far as it is made use of.
    fn claim<S: System>(
        &self,
        system: &S,
        state: &S::State,
        thread: Thread,
        object: Object,
    ) -> Permission {
        let is_used = self.claims
            && !system.is_conditional(object)
            && !self.unclaimed.contains(&lasting_name(system, object));
        match is_used {
            true => system.permission(state, object, thread),
            false => Permission::Unsaid,
        }
    }

    /// Takes note of an access to a variable; whether it thereby loses its last guard.
    pub(crate) fn note_access(&mut self, variable: Object, access: &Accessed, held: &Held) -> bool {
        let Some(guards) = self.guards.get_mut(&variable) else {
            self.guards.insert(variable, held.all(access));
            return false;
        };
        let was_guarded = !guards.is_empty();
        guards.retain(|&guard| held.contains(guard, access));
        was_guarded && guards.is_empty()
    }

    /// How a step moves. Adds to `relied` the variables that it is taken to be alone
    /// with.
    pub(crate) fn mover<S: System>(
        &self,
        system: &S,
        state: &S::State,
        pending: &Pending,
        relied: &mut Vec<Object>,
    ) -> Mover {
        let (mut left, mut right) = (true, true);
        for &access in pending.footprint.accesses() {
            let others = others_on(system, state, pending.thread, access.object.region);
            let mut mover = mover_against(access.operation, others);
            if is_data(system, state, access) {
                if mover != Mover::Both && self.is_alone(system, state, pending, access) {
                    mover = Mover::Both;
                    relied.push(lasting_name(system, access.object));
                }
            } else if !others.contains(Operation::Read) {
                // Even if nobody else wants a lock, giving it back ends the protection
                // of what it protects, and so commits.
                let object = system.observe(state, access.object);
                mover = mover_in(access.operation, pending.thread, &object);
            }
            left &= mover.is_left();
            right &= mover.is_right();
        }
        match (left, right) {
            (true, true) => Mover::Both,
            (true, false) => Mover::Left,
            (false, true) => Mover::Right,
            (false, false) => Mover::Neither,
        }
    }

    /// Whether a thread is alone with the variable that it is about to access.
    fn is_alone<S: System>(
        &self,
        system: &S,
        state: &S::State,
        pending: &Pending,
        access: Access,
    ) -> bool {
        match self.claim(system, state, pending.thread, access.object) {
            Permission::Granted => true,
            Permission::Denied | Permission::Unprotected => false,
            Permission::Unsaid => {
                let variable = lasting_name(system, access.object);
                let accessed = || Accessed::new(system, state, access);
                system.is_unshared(state, access.object, pending.thread)
                    || !self.is_lost(variable)
                        && self.protects(variable, &accessed(), pending.held(system, state))
            }
        }
    }

    /// Whether a variable has no guard any more.
    pub(crate) fn is_lost(&self, variable: Object) -> bool {
        self.guards.get(&variable).is_some_and(Vec::is_empty)
    }

    /// Whether a thread that holds these guards is alone with a variable.
    fn protects(&self, variable: Object, access: &Accessed, held: &Held) -> bool {
        match self.guards.get(&variable) {
            None => true,
            Some(guards) => guards.iter().any(|&guard| held.contains(guard, access)),
        }
    }
}

/// Whether an access is one to a variable. Looking at a monitor is not.
pub(crate) fn is_data<S: System>(system: &S, state: &S::State, access: Access) -> bool {
    Kind::Variable.operations().contains(&access.operation)
        && system.observe(state, access.object) == ObjectState::Opaque
}

/// A name that means the same in every state: that of the object, or of its region.
pub(crate) fn lasting_name<S: System>(system: &S, object: Object) -> Object {
    match system.is_permanent(object) {
        true => object,
        false => Object {
            index: u32::MAX,
            ..object
        },
    }
}

/// A name for a part of an instance with this first object that means the same in all instances.
pub(crate) fn in_instance(object: Object, first: u32) -> Object {
    Object {
        index: object.index.saturating_sub(first),
        ..object
    }
}

/// What all threads but one may still do to the objects of a region.
fn others_on<S: System>(
    system: &S,
    state: &S::State,
    thread: Thread,
    region: Region,
) -> Operations {
    let threads = (0..system.threads(state) as u32).map(Thread);
    let others =
        threads.filter(|&other| other != thread && system.status(state, other) != Status::Done);
    others.fold(Operations::NONE, |all, other| {
        all.union(system.future_on(state, other, region))
    })
}
