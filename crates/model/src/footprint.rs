//! What a step touches, and whether two steps can be exchanged.

use crate::operations::{Object, ObjectState, Operation, changes, independent, independent_in};
use crate::system::Thread;
use Operation::{Acquire, Finish, Join, Read, Release, Start};
use smallvec::SmallVec;

/// One operation on one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Access {
    /// What is touched.
    pub object: Object,
    /// What is done to it.
    pub operation: Operation,
}

/// Everything that a step touches, in order, without repetitions.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// A step rarely touches more than this; reductions make footprints all the time.
    accesses: SmallVec<[Access; 4]>,
    /// Objects that may be accessed again after they were changed.
    revisited: Vec<Object>,
    /// Whether the accesses are those of the only execution of the step.
    exact: bool,
}

impl Clone for Footprint {
    fn clone(&self) -> Self {
        let mut clone = Footprint::default();
        clone.clone_from(self);
        clone
    }

    fn clone_from(&mut self, other: &Self) {
        self.accesses.clear();
        self.accesses.extend_from_slice(&other.accesses);
        self.revisited.clone_from(&other.revisited);
        self.exact = other.exact;
    }
}

impl Footprint {
    /// Forgets everything, keeps the memory.
    pub fn clear(&mut self) {
        self.accesses.clear();
        self.revisited.clear();
        self.exact = false;
    }

    /// Adds an operation, unless it is there. To be called for each operation that a
    /// step does, also for one that it has done before: that two units were taken
    /// from a semaphore is not the same as one.
    pub fn add(&mut self, object: Object, operation: Operation) {
        self.exact = false;
        let access = Access { object, operation };
        if !self.accesses.contains(&access) {
            self.accesses.push(access);
        } else if !self.revisited.contains(&object) && self.on(object).any(changes) {
            self.revisited.push(object);
        }
    }

    /// Adds all operations of a step that comes right after.
    pub fn append(&mut self, next: &Footprint) {
        let exact = self.exact && next.exact;
        for access in &next.accesses {
            self.add(access.object, access.operation);
        }
        for &object in &next.revisited {
            if !self.revisited.contains(&object) {
                self.revisited.push(object);
            }
        }
        self.exact = exact;
    }

    /// Declares that the operations were added in the order in which the step does
    /// them, that it does all of them, and that it cannot go otherwise in this state:
    /// it has no choices, or all but one of them are ruled out. (A blocked step adds
    /// what it does up to where it blocks.) See [`Footprint::independent_in`] for what
    /// is gained. Adding an operation takes the declaration back.
    pub fn mark_exact(&mut self) {
        self.exact = true;
    }

    /// Renames the threads that are touched.
    pub fn rename_threads(&mut self, rename: impl Fn(Thread) -> Thread) {
        let is_on_thread = |access: &&Access| matches!(access.operation, Start | Join | Finish);
        let Some(found) = self.accesses.iter().find(is_on_thread) else {
            return;
        };
        let threads = found.object.region;
        self.rename(|object| match object.region == threads {
            true => Object {
                index: rename(Thread(object.index)).0,
                ..object
            },
            false => object,
        });
    }

    /// Renames all that is touched.
    pub fn rename(&mut self, rename: impl Fn(Object) -> Object) {
        let accessed = self.accesses.iter_mut().map(|access| &mut access.object);
        for object in accessed.chain(&mut self.revisited) {
            *object = rename(*object);
        }
    }

    /// The operations in the order in which they were added.
    pub fn accesses(&self) -> &[Access] {
        &self.accesses
    }

    /// Whether the step is dependent with one of another thread in some state.
    pub fn conflicts(&self, other: &Footprint) -> bool {
        !self.independent_if(other, |_, a, b| independent(a, b))
    }

    /// Whether the step, by `thread`, is independent in the current state of a step
    /// of `other_thread`. `observe` tells the current state of an object.
    ///
    /// The state of an object is that before the step. So it decides only if each of
    /// the two steps changes the object at most once and does not touch it afterwards
    /// (paper 002, section 7, "no-access-after-update"); else only unconditional
    /// independence counts.
    ///
    /// Equation (4) of that section makes an exception: a step that acquires and then
    /// releases a monitor has no net effect on it and would therefore cause no
    /// dependence. That is too much, by the paper's own definition: the step still
    /// needs the monitor free, so the acquire of another thread disables it, and a
    /// release or wait enables it. What is true, and done here, is that such a
    /// passage only looks at the lock: it is independent of every other passage and
    /// of every read, and it depends on other steps as its acquire alone does. It
    /// also takes more than the two accesses to know a passage: the one may belong to
    /// one choice and the other to another, or an acquire may come twice. Hence only
    /// a footprint marked as exact can have one.
    pub fn independent_in(
        &self,
        thread: Thread,
        other: &Footprint,
        other_thread: Thread,
        mut observe: impl FnMut(Object) -> ObjectState,
    ) -> bool {
        thread != other_thread
            && self.independent_if(other, |object, a, b| {
                independent(a, b) || independent_in(a, thread, b, other_thread, &observe(object))
            })
    }

    /// Whether no object that both steps touch makes them dependent. The given
    /// function tells about single operations in the state before the steps.
    fn independent_if(
        &self,
        other: &Footprint,
        mut single: impl FnMut(Object, Operation, Operation) -> bool,
    ) -> bool {
        (0..self.accesses.len()).all(|index| {
            let object = self.accesses[index].object;
            let seen = |access: &Access| access.object == object;
            if self.accesses[..index].iter().any(seen) || !other.accesses.iter().any(seen) {
                return true;
            }
            if all_pairs(self.on(object), || other.on(object), independent) {
                return true;
            }
            let mut single = |a, b| single(object, a, b);
            match (self.manner(object), other.manner(object)) {
                (Manner::Passing, Manner::Passing) => true,
                (Manner::Passing, Manner::Simple) => {
                    other.on(object).all(|b| b == Read || single(Acquire, b))
                }
                (Manner::Simple, Manner::Passing) => {
                    self.on(object).all(|a| a == Read || single(a, Acquire))
                }
                (Manner::Simple, Manner::Simple) => {
                    all_pairs(self.on(object), || other.on(object), single)
                }
                (Manner::Manifold, _) | (_, Manner::Manifold) => false,
            }
        })
    }

    /// The operations on an object, in order.
    fn on(&self, object: Object) -> impl Iterator<Item = Operation> {
        self.accesses
            .iter()
            .filter(move |access| access.object == object)
            .map(|access| access.operation)
    }

    /// How the step deals with an object.
    fn manner(&self, object: Object) -> Manner {
        if self.revisited.contains(&object) {
            return Manner::Manifold;
        }
        if self.exact && self.on(object).eq([Acquire, Release]) {
            return Manner::Passing;
        }
        let mut from_change = self.on(object).skip_while(|&one| !changes(one));
        match from_change.nth(1) {
            None => Manner::Simple,
            Some(_) => Manner::Manifold,
        }
    }
}

/// How a step deals with an object.
enum Manner {
    /// It changes it once, as the last thing it does to it, or never.
    Simple,
    /// It acquires a monitor and releases it, and nothing else.
    Passing,
    /// In any other way.
    Manifold,
}

/// Whether a relation holds between all elements of two sequences.
fn all_pairs<B: Iterator<Item = Operation>>(
    mut mine: impl Iterator<Item = Operation>,
    theirs: impl Fn() -> B,
    mut related: impl FnMut(Operation, Operation) -> bool,
) -> bool {
    mine.all(|a| theirs().all(|b| related(a, b)))
}
