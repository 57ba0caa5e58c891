//! What a program may know of itself beyond its steps. Each of these traits can be left
//! empty: then nothing is known, and whoever asks makes do without.

use crate::footprint::Footprint;
use crate::operations::{Object, Operation, Operations, Region};
use crate::system::{Fault, Place, States, Thread};
use raddle_temporal::{Fairness, Formula, Letter};

/// What threads may still do.
pub trait Futures: States {
    /// Everything a thread, and the threads it may yet start, may still do; `None`
    /// if nothing is known.
    fn future(&self, _state: &Self::State, _thread: Thread) -> Option<Future> {
        None
    }

    /// What of its future concerns the objects of one region; everything, if nothing is
    /// known.
    fn future_on(&self, state: &Self::State, thread: Thread, region: Region) -> Operations {
        let future = self.future(state, thread);
        future.map_or(Operations::ALL, |future| future.on(region))
    }
}

/// What the program says about who accesses which variable when.
pub trait Permissions: States {
    /// Whether the name of an object means the same one in every state, so that something
    /// can be said of it once and for all. Those of objects on a heap, which is renumbered
    /// when a state is brought into canonical form, do not.
    fn is_permanent(&self, _object: Object) -> bool {
        false
    }

    /// The first object of the instance on a heap of which an object is a part; none, if it is on no
    /// heap. The parts of an instance stay in their places behind the first one.
    fn instance(&self, _state: &Self::State, _object: Object) -> Option<u32> {
        None
    }

    /// Whether an object is a part of an instance that only this thread can have met, the one that
    /// made it. That follows from where the thread stands, whatever the others do.
    fn is_unshared(&self, _state: &Self::State, _object: Object, _thread: Thread) -> bool {
        false
    }

    /// What the program itself says about a thread's accesses to a variable in a state.
    fn permission(&self, _state: &Self::State, _variable: Object, _thread: Thread) -> Permission {
        Permission::Unsaid
    }

    /// The variables of a state that the program lets only one thread at a time access.
    fn exclusive(&self, _state: &Self::State, out: &mut Vec<Object>) {
        out.clear();
    }

    /// If permissions depend on more than the locks that a thread holds: an object that
    /// stands for them, and no other. Whoever checks permissions says that steps with
    /// an [`Influence`] write it, and that accesses to variables for which
    /// [`Permissions::is_conditional`] read it.
    fn permissions(&self) -> Option<Object> {
        None
    }

    /// Whether the permission to access a variable depends on more than the locks that a
    /// thread holds.
    fn is_conditional(&self, _variable: Object) -> bool {
        false
    }

    /// What the next step of a thread may do to permissions, whatever the other threads
    /// do before it: it depends on where the thread stands and on nothing else.
    fn influence(&self, _state: &Self::State, _thread: Thread) -> Influence {
        Influence::None
    }
}

/// What must hold in every state.
pub trait Invariants: States {
    /// Checks the program's invariants; the first one that is false is the fault.
    fn check_invariants(&self, _state: &Self::State) -> Result<(), Fault> {
        Ok(())
    }

    /// What [`Invariants::check_invariants`] reads in a state, up to where it finds a fault.
    /// To be asked only if there is an [`Invariants::invariant_future`].
    fn invariant_footprint(&self, _state: &Self::State, _out: &mut Footprint) {}

    /// Everything that the invariants may read in any state; `None` if that is not known,
    /// or if they depend on more than objects, as on where threads stand.
    fn invariant_future(&self) -> Option<Future> {
        None
    }
}

/// What must be true of executions as a whole.
pub trait Temporal: States {
    /// The temporal properties of the program.
    fn temporal_properties(&self) -> &[TemporalProperty] {
        &[]
    }

    /// What is true in a state of the atoms of a temporal property, which is given by its number.
    fn letter(&self, _state: &Self::State, _property: usize) -> Result<Letter, Fault> {
        Ok(0)
    }

    /// Whether a state counts as much as an end of the program, for those that are to go on for ever.
    fn is_progress(&self, _state: &Self::State) -> bool {
        false
    }
}

/// Something that must be true of every execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemporalProperty {
    /// Its name.
    pub name: String,
    /// What must be true. What its atoms say of a state is known to the program.
    pub formula: Formula<u32>,
    /// The executions of which it must be true.
    pub fairness: Fairness,
    /// Where it is stated.
    pub place: Option<Place>,
}

/// What a program says about a thread's accesses to a variable: the exclusive access
/// predicates of papers 000 and 004.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Nothing.
    Unsaid,
    /// Any thread may access it at any time.
    Unprotected,
    /// This thread may access it now, and no other.
    Granted,
    /// This thread must not access it now.
    Denied,
}

/// What a step may do to the permissions of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Influence {
    /// Nothing; or it takes one away that no two threads can ever have together.
    None,
    /// It may take one away, but gives none.
    Takes,
    /// It may give one.
    Gives,
}

/// An upper bound of what a thread may still do: for each region, which operations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Future {
    regions: Vec<Operations>,
}

impl Future {
    /// Adds an operation on any object of a region.
    pub fn add(&mut self, region: Region, operation: Operation) {
        let index = region.0 as usize;
        if self.regions.len() <= index {
            self.regions.resize(index + 1, Operations::NONE);
        }
        self.regions[index] = self.regions[index].with(operation);
    }

    /// Adds everything of another future; tells whether anything was new.
    pub fn merge(&mut self, other: &Future) -> bool {
        if self.regions.len() < other.regions.len() {
            self.regions.resize(other.regions.len(), Operations::NONE);
        }
        let mut grew = false;
        for (mine, theirs) in self.regions.iter_mut().zip(&other.regions) {
            let both = mine.union(*theirs);
            grew |= both != *mine;
            *mine = both;
        }
        grew
    }

    /// Whether an operation of a step is not independent of it.
    pub fn meets(&self, footprint: &Footprint) -> bool {
        let accesses = footprint.accesses();
        let mut pairs = accesses.iter().map(|it| (it.object.region, it.operation));
        pairs.any(|(region, operation)| self.interferes(region, operation))
    }

    /// Whether an operation on an object of a region is not independent of it.
    pub fn interferes(&self, region: Region, operation: Operation) -> bool {
        self.on(region).meets(operation.dependents())
    }

    /// The operations that may still happen to objects of a region.
    pub fn on(&self, region: Region) -> Operations {
        self.regions
            .get(region.0 as usize)
            .copied()
            .unwrap_or(Operations::NONE)
    }
}
