//! Who may access what: a lock discipline that is assumed, and given up where it is broken.
//!
//! **From**: paper 000 (exclusive access predicates), with the lock discipline MLD' of paper
//! 002. An access that only one thread may make, for as long as that thread does not give it
//! up itself, is no business of the others: the thread does not stop before it. What is
//! assumed of a field is one of [`Level`], each of which only ever gives way to the next, and
//! whatever was explored before is explored again then.
//!
//! **Claims.** That an object is guarded by a lock, or belongs to a thread, is part of the
//! state: the first access by which others could be disturbed *claims* the object (or one
//! field of it) for a lock that the thread holds, or else for the thread. A claim is an
//! operation that others can notice, before which a thread stops. From then on the predicate
//! "the one whose claim it is" has what the theorem of 000 asks for: no two threads can
//! satisfy it together, and nobody can take it from another one. An access without it breaks the
//! discipline. Only what belongs to a thread that has ended may be claimed again.
//!
//! A thread that is alone needs no permission, for there is nobody to disturb.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::heap::{Heap, Ref};
use crate::thread::ThreadId;
use crate::world::World;

/// How much is left out of what threads could notice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grain {
    /// Nothing of what any thread can reach.
    Shared,
    /// What nobody writes once others can see it.
    #[default]
    Local,
    /// Also what is guarded by locks, or belongs to one thread.
    Guarded,
    /// Also what is between locking and unlocking: transactions.
    Transactions,
}

/// What is assumed of a field, of the elements of arrays of a class, or of the monitors of a
/// class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Level {
    /// Nobody writes it once others can see it.
    Unwritten,
    /// Whoever accesses it holds the monitor of the object.
    Own,
    /// Objects are claimed as a whole.
    Whole,
    /// Each field of an object, each element of an array, is claimed by itself.
    Single,
    /// Nothing.
    Free,
}

impl Level {
    #[inline]
    pub(crate) fn from_number(number: u8) -> Self {
        match number {
            0 => Level::Unwritten,
            1 => Level::Own,
            2 => Level::Whole,
            3 => Level::Single,
            _ => Level::Free,
        }
    }
}

/// Where it is noted what is assumed.
#[derive(Debug)]
pub(crate) struct Note(AtomicU8);

impl Note {
    pub(crate) fn new(level: Level) -> Self {
        Self(AtomicU8::new(level as u8))
    }

    #[inline]
    pub(crate) fn level(&self) -> Level {
        Level::from_number(self.0.load(Ordering::Relaxed))
    }

    /// Gives an assumption up for a weaker one.
    pub(crate) fn weaken(&self, level: Level) {
        self.0.fetch_max(level as u8, Ordering::Relaxed);
    }
}

/// Whose an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guard {
    /// Accessed by this thread only.
    Thread(ThreadId),
    /// Accessed with this lock held.
    Lock(Ref),
}

/// In the place of a field: the whole object.
pub(crate) const WHOLE: u32 = u32::MAX;
/// In the place of a field: the monitor of the object.
pub(crate) const MONITOR: u32 = u32::MAX - 1;

/// What was claimed so far, by object and field.
#[derive(Debug, Default)]
pub(crate) struct Claims(Option<Arc<All>>);

#[derive(Clone, Debug, Default)]
struct All {
    guards: Vec<(Ref, u32, Guard)>,
    /// Of fields that must have a lock in common: how they were used so far.
    uses: Vec<(Ref, u32, Use)>,
}

impl Clone for Claims {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn clone_from(&mut self, other: &Self) {
        if !self.is(other) {
            *self = other.clone();
        }
    }
}

/// How a field was used.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    pub(crate) first: ThreadId,
    /// Whether there was a second thread.
    pub(crate) is_shared: bool,
    /// The locks that were held each time.
    pub(crate) locks: Vec<Ref>,
}

impl Claims {
    /// Whether both are one: then they say the same.
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(mine), Some(theirs)) => Arc::ptr_eq(mine, theirs),
            (mine, theirs) => mine.is_none() && theirs.is_none(),
        }
    }

    pub(crate) fn get(&self, object: Ref, slot: u32) -> Option<Guard> {
        let found = find(self.guards(), object, slot).ok()?;
        self.guards().get(found).map(|&(_, _, guard)| guard)
    }

    fn all_mut(&mut self) -> &mut All {
        Arc::make_mut(self.0.get_or_insert_default())
    }

    pub(crate) fn set(&mut self, object: Ref, slot: u32, guard: Guard) {
        let found = find(self.guards(), object, slot);
        let all = &mut self.all_mut().guards;
        match found {
            Ok(index) => all[index].2 = guard,
            Err(index) => all.insert(index, (object, slot, guard)),
        }
    }

    /// Notes that a thread uses a field with some locks held. False if there are several
    /// threads now that had no lock in common.
    pub(crate) fn use_with(
        &mut self,
        object: Ref,
        slot: u32,
        thread: ThreadId,
        locks: Vec<Ref>,
        is_gone: impl Fn(ThreadId) -> bool,
    ) -> bool {
        let found = find(self.uses(), object, slot);
        let all = &mut self.all_mut().uses;
        let fresh = Use {
            first: thread,
            is_shared: false,
            locks,
        };
        let index = match found {
            Ok(index) => index,
            Err(index) => {
                all.insert(index, (object, slot, fresh));
                return true;
            }
        };
        let known = &mut all[index].2;
        if !known.is_shared && is_gone(known.first) {
            *known = fresh;
            return true;
        }
        known.is_shared |= known.first != thread;
        known.locks.retain(|lock| fresh.locks.contains(lock));
        !known.is_shared || !known.locks.is_empty()
    }

    pub(crate) fn guards(&self) -> &[(Ref, u32, Guard)] {
        self.0.as_ref().map_or(&[], |all| &all.guards)
    }

    pub(crate) fn uses(&self) -> &[(Ref, u32, Use)] {
        self.0.as_ref().map_or(&[], |all| &all.uses)
    }
}

fn find<T>(all: &[(Ref, u32, T)], object: Ref, slot: u32) -> Result<usize, usize> {
    all.binary_search_by_key(&(object, slot), |&(object, slot, _)| (object, slot))
}

/// A thread, as those know it who look at locks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Holder {
    pub(crate) id: ThreadId,
    /// Its `java.lang.Thread`.
    pub(crate) object: Ref,
}

impl Holder {
    /// Whether a thread holds a lock: a monitor, or one of the library's that say who owns
    /// them.
    pub(crate) fn holds(self, world: &World, heap: &Heap, lock: Ref) -> bool {
        let Some(found) = heap.get(lock) else {
            return false;
        };
        let known = world.known();
        found.lock.owner == self.id.0 + 1
            || world.class(found.class).ancestors.contains(&known.ownable)
                && world.facts.trusts_owners()
                && heap.ref_field(lock, known.ownable_owner) == self.object
    }

    /// Whether a thread may access what is guarded like this.
    pub(crate) fn may(self, world: &World, heap: &Heap, guard: Guard) -> bool {
        match guard {
            Guard::Thread(id) => id == self.id,
            Guard::Lock(lock) => self.holds(world, heap, lock),
        }
    }
}

/// What an access is to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Nothing.
    Hidden,
    /// The same, once this field, or the whole object, is claimed.
    Claim(u32),
    /// Something to be noticed.
    Open,
}
