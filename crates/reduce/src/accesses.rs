//! Who accesses which variables, and what guards them: what the reductions find out on their
//! way, for people who want to know.
//!
//! A full search, up to a limit, takes note of every access with `protection.rs`, and asks the
//! program for its claims. What is said of a part of the states is true of that part only, so
//! [`Accesses::is_complete`] is to be told with it.

use crate::protection::{Guard, Guards, Pending, Protection, in_instance, is_data, lasting_name};
use crate::supervised::{Supervised, Supervisor};
use raddle_model::{Halt, Move, Narrate, Object, Permission, Properties, Region, Status, Thread};
use raddle_search::{Config, Monitor};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What was seen of the variables of a program.
#[derive(Clone, Debug)]
pub struct Accesses {
    /// The variables that were accessed, in order.
    pub variables: Vec<Variable>,
    /// How many states were visited.
    pub states: u64,
    /// Whether these are all states.
    pub is_complete: bool,
}

/// What was seen of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The region that it belongs to.
    pub region: Region,
    /// Its name; that of one of them, if it stands for all of a region.
    pub name: String,
    /// What guards it at every access, by name.
    pub guards: Vec<NamedGuard>,
    /// What the program says about accesses to it, and whether that is so.
    pub claim: ClaimStatus,
}

/// A [`Guard`] by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedGuard {
    /// Whoever accesses it holds this lock.
    Lock(String),
    /// Whoever accesses it holds this lock, a field of the same instance.
    Own(String),
    /// Only this thread accesses it.
    Thread(String),
    /// It is never written.
    Reading,
}

/// What a program says of a variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClaimStatus {
    /// Nothing.
    #[default]
    Unsaid,
    /// That it is not protected.
    Unprotected,
    /// When it may be accessed; it was never accessed otherwise.
    Kept,
    /// When it may be accessed; it was accessed otherwise.
    Broken,
}

/// Searches a program, as far as the limits allow, for who accesses what.
pub fn accesses<S: Narrate>(system: &S, config: &Config, monitor: &mut dyn Monitor) -> Accesses {
    let noting = Supervised {
        system,
        supervisor: Noting::default(),
    };
    // Nothing is looked for; what goes wrong ends an execution, and that is all.
    let config = Config {
        properties: Properties {
            faults: false,
            deadlock: false,
            partial_deadlock: false,
            invariants: false,
            temporal: false,
            ends: false,
        },
        ..config.clone()
    };
    let survey = raddle_search::survey(&noting, &config, monitor, false);
    let noted = noting.supervisor.noted;
    let noted = noted.into_inner().unwrap_or_else(PoisonError::into_inner);
    Accesses {
        variables: noted.variables(),
        states: survey.statistics.states,
        is_complete: survey.reasons.is_empty(),
    }
}

/// Takes note of the accesses before each step.
#[derive(Default)]
struct Noting {
    noted: Mutex<Noted>,
}

#[derive(Default)]
struct Noted {
    protection: Protection,
    claims: BTreeMap<Object, ClaimStatus>,
    /// The names of variables and locks, from the states in which they were met.
    names: BTreeMap<Object, String>,
    threads: BTreeMap<Thread, String>,
}

impl Noting {
    fn noted(&self) -> MutexGuard<'_, Noted> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Narrate> Supervisor<S> for Noting {
    fn initial(&self, system: &S) -> Result<S::State, Halt> {
        system.initial()
    }

    fn step(&self, system: &S, state: &mut S::State, step: Move) -> Result<(), Halt> {
        let mut noted = self.noted();
        noted.note(system, state, step.thread);
        // Who waits for a variable looks at it all the time, even if it never gets to go on.
        for other in (0..system.threads(state) as u32).map(Thread) {
            if system.status(state, other) == Status::Blocked {
                noted.note(system, state, other);
            }
        }
        drop(noted);
        system.step(state, step.thread, step.choice)
    }
}

impl Noted {
    fn note<S: Narrate>(&mut self, system: &S, state: &S::State, thread: Thread) {
        let pending = Pending::new(system, state, thread, Guards::All);
        self.protection
            .note(system, state, &pending, &mut Vec::new());
        let mut held = Vec::new();
        system.held(state, thread, &mut held);
        for lock in held {
            let name = system.object_name(state, lock);
            let (lock, name) = match system.instance(state, lock) {
                None => (lock, name.as_str()),
                Some(first) => {
                    let field = name
                        .split_once('.')
                        .map_or(name.as_str(), |(_, field)| field);
                    (in_instance(lock, first), field)
                }
            };
            self.names.entry(lock).or_insert_with(|| name.to_owned());
        }
        let name = || system.thread_name(state, thread);
        self.threads.entry(thread).or_insert_with(name);
        for &access in pending.footprint.accesses() {
            if !is_data(system, state, access) {
                continue;
            }
            let variable = lasting_name(system, access.object);
            let name = || system.object_name(state, access.object);
            self.names.entry(variable).or_insert_with(name);
            let claim = self.claims.entry(variable).or_default();
            *claim = match system.permission(state, access.object, thread) {
                Permission::Unsaid => *claim,
                Permission::Unprotected => ClaimStatus::Unprotected,
                Permission::Granted if *claim != ClaimStatus::Broken => ClaimStatus::Kept,
                Permission::Granted | Permission::Denied => ClaimStatus::Broken,
            };
        }
    }

    fn variables(&self) -> Vec<Variable> {
        let name = |object: &Object| self.names.get(object).cloned().unwrap_or_default();
        let named = |guard: &Guard| match guard {
            Guard::Lock(lock) => NamedGuard::Lock(name(lock)),
            Guard::Own(lock) => NamedGuard::Own(name(lock)),
            Guard::Thread(thread) => {
                NamedGuard::Thread(self.threads.get(thread).cloned().unwrap_or_default())
            }
            Guard::Reading => NamedGuard::Reading,
        };
        let guards = self.protection.guards().into_iter();
        guards
            .map(|(object, guards)| Variable {
                region: object.region,
                name: name(&object),
                guards: guards.iter().map(named).collect(),
                claim: self.claims.get(&object).copied().unwrap_or_default(),
            })
            .collect()
    }
}
