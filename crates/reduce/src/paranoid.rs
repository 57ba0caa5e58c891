//! A search that trusts nobody: what a system says of itself is checked wherever the
//! search goes.
//!
//! Reductions skip what a system says makes no difference. If that is wrong, they miss
//! errors and nobody notices. Here every state that a search reaches is inspected once,
//! when it is reached: each claim that a system makes there is tried out on copies
//! (`claims.rs` has one section for each [`Promise`], `permissions.rs` the last one). A claim that turns out to be wrong
//! is a bug of raddle, not of the program. It ends the search, whose verdict is *unknown*
//! then, and is told with the way to the state in which it was noticed.
//!
//! A state is opaque, so that it cannot be seen whether a step changes more than it says.
//! But then somebody who is about to look at that comes to a different end, in some state
//! that is reached or next to one that is.

mod claims;
mod permissions;

use crate::supervised::{Supervised, Supervisor};
use foldhash::HashMap;
use foldhash::fast::FixedState;
use raddle_model::{Halt, Move, Object, Schedule, System};
use std::collections::BTreeSet;
use std::fmt;
use std::hash::BuildHasher;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A system whose claims are checked while it is searched.
pub type Paranoid<'a, S> = Supervised<'a, S, Inspector>;

/// Checks the claims of a system while it is searched.
pub fn distrust<S: System>(system: &S) -> Paranoid<'_, S> {
    Supervised {
        system,
        supervisor: Inspector::default(),
    }
}

/// What a system says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// A thread is ready if and only if it can make its step.
    Status,
    /// A canonical form stands for the state that it was made of.
    Form,
    /// Locks are held by their owners, and what is not possible is not ready.
    Locks,
    /// A thread does only what its future contains.
    Futures,
    /// Steps that are independent by their footprints can be exchanged.
    Independence,
    /// Steps that move by their footprints can be moved.
    Movers,
    /// Permissions change by what is said to influence them.
    Permissions,
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Promise::Status => "who can move",
            Promise::Form => "the canonical form",
            Promise::Locks => "the locks",
            Promise::Futures => "the futures",
            Promise::Independence => "the independence of steps",
            Promise::Movers => "the movers",
            Promise::Permissions => "permissions",
        })
    }
}

/// A claim that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Which one.
    pub claim: Promise,
    /// What was seen instead.
    pub what: String,
    /// The steps to the state in which it was noticed.
    pub schedule: Schedule,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Broken { claim, what, .. } = self;
        write!(f, "a claim about {claim} is wrong: {what}; after the steps")?;
        if self.schedule.is_empty() {
            write!(f, " (none)")?;
        }
        for Move { thread, choice } in &self.schedule {
            match choice {
                0 => write!(f, " {}", thread.0)?,
                choice => write!(f, " {}/{choice}", thread.0)?,
            }
        }
        Ok(())
    }
}

/// Inspects each state when it is reached for the first time.
#[derive(Default)]
pub struct Inspector {
    notes: Mutex<Notes>,
}

#[derive(Default)]
struct Notes {
    /// For the fingerprint of each state that was reached: from which one, and by which
    /// step. Should two states have the same one, the second is not inspected.
    reached: HashMap<u64, Option<(u64, Move)>>,
    /// The variables of which something is claimed, as far as they were seen.
    claimed: BTreeSet<Object>,
    broken: Option<Broken>,
}

impl Inspector {
    /// The first claim that turned out to be wrong.
    pub fn broken(&self) -> Option<Broken> {
        self.notes().broken.clone()
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Inspects a state unless it is known.
    fn arrive<S: System>(
        &self,
        system: &S,
        state: &S::State,
        link: Option<(u64, Move)>,
    ) -> Result<(), Halt> {
        let here = fingerprint(system, state);
        let mut notes = self.notes();
        if notes.reached.contains_key(&here) {
            return Ok(());
        }
        notes.reached.insert(here, link);
        let Err((claim, what)) = claims::inspect(system, state, &mut notes.claimed) else {
            return Ok(());
        };
        let broken = Broken {
            claim,
            what,
            schedule: notes.schedule(here),
        };
        let halt = Halt::GaveUp(broken.to_string());
        notes.broken.get_or_insert(broken);
        Err(halt)
    }
}

impl Notes {
    /// The steps from the initial state to one that was reached.
    fn schedule(&self, mut at: u64) -> Schedule {
        let mut schedule = Schedule::new();
        while let Some(&Some((origin, step))) = self.reached.get(&at) {
            schedule.push(step);
            at = origin;
        }
        schedule.reverse();
        schedule
    }
}

impl<S: System> Supervisor<S> for Inspector {
    fn initial(&self, system: &S) -> Result<S::State, Halt> {
        let state = system.initial()?;
        self.arrive(system, &state, None)?;
        Ok(state)
    }

    fn step(&self, system: &S, state: &mut S::State, step: Move) -> Result<(), Halt> {
        if let Some(broken) = &self.notes().broken {
            return Err(Halt::GaveUp(broken.to_string()));
        }
        let origin = fingerprint(system, state);
        system.step(state, step.thread, step.choice)?;
        self.arrive(system, state, Some((origin, step)))
    }
}

/// A number that stands for a state.
fn fingerprint<S: System>(system: &S, state: &S::State) -> u64 {
    let mut scratch = Vec::new();
    FixedState::default().hash_one(system.encode(state, &mut scratch))
}
