//! In which order threads take locks within one step, so that no deadlock is skipped.
//!
//! A transaction takes several monitors at once if all are free. Two threads that take the
//! same ones in opposite order could each have got the first: a deadlock that is in no state
//! between transactions. That needs a circle: each of some threads, all of them between
//! taking their locks and from the same state, asks for one that the next has taken. (If any
//! of them waited for another reason, the others would stop before a monitor that is not free.)
//! Each of these steps is explored from that state with the locks free; so the circle is seen
//! here, and one of its locks is never again taken in the middle of a step.

use raddle_model::Object;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// See the module's documentation. `N` are names of locks that are the same in every execution.
#[derive(Debug)]
pub struct StepOrder<N>(Mutex<Seen<N>>);

#[derive(Debug)]
struct Seen<N> {
    /// Which locks were taken while another one was, in the same step.
    after: BTreeMap<Object, BTreeSet<Object>>,
    /// Locks before which a thread always stops.
    apart: BTreeSet<N>,
}

/// What is said to a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowance {
    /// It may be taken in the middle of a step.
    Yes,
    /// Not any more: what was explored before is worthless.
    NoMore,
    /// It may not.
    No,
}

impl<N> Default for StepOrder<N> {
    fn default() -> Self {
        Self(Mutex::new(Seen {
            after: BTreeMap::new(),
            apart: BTreeSet::new(),
        }))
    }
}

impl<N: Copy + Ord> StepOrder<N> {
    /// Whether a lock may be taken after the others in the same step. No is final.
    pub fn allows(&self, taken: &[Object], lock: Object, name: N) -> Allowance {
        let mut seen = self.seen();
        if seen.apart.contains(&name) {
            return Allowance::No;
        }
        let is_new =
            |before: &&Object| !seen.after.get(before).is_some_and(|it| it.contains(&lock));
        let fresh: Vec<Object> = taken.iter().filter(is_new).copied().collect();
        for before in fresh {
            if seen.leads(lock, before) {
                seen.apart.insert(name);
                return Allowance::NoMore;
            }
            seen.after.entry(before).or_default().insert(lock);
        }
        Allowance::Yes
    }

    /// The locks before which a thread always stops.
    pub fn apart(&self) -> Vec<N> {
        self.seen().apart.iter().copied().collect()
    }

    /// Lets threads stop before a lock.
    pub fn set_apart(&self, name: N) {
        self.seen().apart.insert(name);
    }

    fn seen(&self) -> MutexGuard<'_, Seen<N>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<N> Seen<N> {
    /// Whether there is a way from one lock to another.
    fn leads(&self, from: Object, to: Object) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_model::Region;

    #[test]
    fn the_lock_that_closes_a_circle_is_taken_by_itself_from_then_on() {
        let order = StepOrder::default();
        let [a, b, c] = [1, 2, 3].map(|index| Object {
            region: Region(0),
            index,
        });
        assert_eq!(order.allows(&[a], b, 'b'), Allowance::Yes);
        assert_eq!(order.allows(&[a, b], c, 'c'), Allowance::Yes);
        assert_eq!(order.allows(&[c], a, 'a'), Allowance::NoMore);
        assert_eq!(order.allows(&[], a, 'a'), Allowance::No);
        assert_eq!(order.allows(&[b], c, 'c'), Allowance::Yes);
        assert_eq!(order.apart(), ['a']);
    }
}
