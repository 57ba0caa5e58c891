//! In which order threads take locks within one step, so that no deadlock is skipped.
//!
//! A transaction takes several monitors at once if all are free. Two threads that take the
//! same ones in opposite order could each have got the first: a deadlock that is in no state
//! between transactions. That needs a circle: each of some threads, all of them between
//! taking their locks and from the same state, asks for one that the next has taken. (If any
//! of them waited for another reason, the others would stop before a monitor that is not free.)
//! Each of these steps is explored from that state with the locks free; so the circle is seen
//! here, and one of its locks is never again taken in the middle of a step.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use crate::heap::Ref;
use crate::world::{ClassId, World};

/// See the module's documentation.
#[derive(Debug, Default)]
pub(crate) struct LockOrder(Mutex<Seen>);

#[derive(Debug, Default)]
struct Seen {
    /// Which locks were taken while another one was, in the same step.
    after: BTreeMap<Ref, BTreeSet<Ref>>,
    /// Locks before which a thread always stops.
    apart: BTreeSet<Lock>,
}

/// A lock, by a name that is the same in every execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lock {
    /// An object that is there from the beginning.
    Object(Ref),
    /// Any other object of a class.
    Class(ClassId),
}

impl LockOrder {
    /// Whether a lock may be taken after the others in the same step. False is final.
    pub(crate) fn allows(&self, taken: &[Ref], lock: Ref, name: Lock) -> Allowance {
        let Ok(mut seen) = self.0.lock() else {
            return Allowance::No;
        };
        if seen.apart.contains(&name) {
            return Allowance::No;
        }
        let is_new = |before: &&Ref| !seen.after.get(before).is_some_and(|it| it.contains(&lock));
        let fresh: Vec<Ref> = taken.iter().filter(is_new).copied().collect();
        for before in fresh {
            if seen.leads(lock, before) {
                seen.apart.insert(name);
                return Allowance::NoMore;
            }
            seen.after.entry(before).or_default().insert(lock);
        }
        Allowance::Yes
    }
}

impl LockOrder {
    /// The locks before which a thread always stops, for [`LockOrder::recall`].
    pub(crate) fn findings(&self, world: &World) -> Vec<String> {
        let name = |lock: &Lock| match lock {
            Lock::Object(object) => format!("apart #{}", object.0),
            Lock::Class(class) => format!("apart {}", world.class_name(*class)),
        };
        match self.0.lock() {
            Ok(seen) => seen.apart.iter().map(name).collect(),
            Err(_) => Vec::new(),
        }
    }

    /// Lets threads stop before a lock, as in another run. False if there is no such lock.
    pub(crate) fn recall(&self, world: &World, name: &str) -> bool {
        let lock = match name.strip_prefix('#') {
            Some(number) => number.parse().ok().map(|it| Lock::Object(Ref(it))),
            None => world.load(name).ok().map(Lock::Class),
        };
        match (lock, self.0.lock()) {
            (Some(lock), Ok(mut seen)) => {
                seen.apart.insert(lock);
                true
            }
            _ => false,
        }
    }
}

impl Seen {
    /// Whether there is a way from one lock to another.
    fn leads(&self, from: Ref, to: Ref) -> bool {
        let (mut pending, mut met) = (vec![from], BTreeSet::new());
        while let Some(lock) = pending.pop() {
            if lock == to {
                return true;
            }
            if met.insert(lock) {
                pending.extend(self.after.get(&lock).into_iter().flatten());
            }
        }
        false
    }
}

/// What is said to a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Allowance {
    Yes,
    /// Not any more: what was explored before is worthless.
    NoMore,
    No,
}
