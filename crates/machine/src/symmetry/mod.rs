//! Threads that can be exchanged: states that differ only in which of them is which count as one.
//!
//! After C. N. Ip and D. L. Dill, "Better verification through symmetry" (Formal Methods in System
//! Design 9, 1996), with the threads of one declaration as a *scalarset*. What they require of a
//! scalarset is not declared here but found out (`sorts.rs`): the index of a thread, and everything
//! that holds such an index or a thread, may be copied, compared for equality and used to select
//! an element, and nothing else. Then every exchange of such threads is an automorphism of the
//! transition system (their theorem 3), and it suffices to search one state of each orbit.
//!
//! What is guaranteed: a state violates a property that is symmetric too (checked for invariants in the
//! same way; deadlocks and faults always are) if and only if its representative does. An execution in the
//! search goes from representative to representative, and is none of the program: whoever reports one
//! looks for an execution of the program through the same orbits.
//!
//! Departures: the initial state need not be symmetric, because orbits of states that are reachable from it
//! are those that are reachable from its representative, and only the steps have to be the same for all.
//! Quantifiers are written out before, so that numbers of threads stand in expressions: that is allowed
//! where exchanging two of them gives the same expression up to the order of operands. The
//! representative is the least state that exchanging threads gives which differ in nothing that does
//! not depend on names (`permute.rs`); if those are too many, not all are tried. Then an orbit may
//! have several representatives, which costs states and nothing else.

mod exchange;
mod permute;
mod sorts;

use crate::machine::{Machine, State};
use raddle_model::{Halt, Layer, Place, Thread};

pub use sorts::Reason;

/// The threads of a declaration that can be exchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The name of the declaration.
    pub name: String,
    /// The number of the first of them; the others follow.
    pub first: u32,
    /// How many they are.
    pub count: u32,
}

/// What a machine's threads have in common.
#[derive(Clone, Debug)]
pub struct Symmetry {
    pub(crate) sorts: sorts::Layout,
    /// Those that can be exchanged.
    pub groups: Vec<Group>,
    /// Why those of other declarations cannot.
    pub reasons: Vec<(String, Reason)>,
}

impl Symmetry {
    /// Finds out which threads of a machine can be exchanged.
    pub fn of(machine: &Machine) -> Symmetry {
        sorts::find(machine.program())
    }
}

/// A machine in which states that differ only in which thread is which are one.
#[derive(Clone, Copy, Debug)]
pub struct Symmetric<'a> {
    machine: &'a Machine,
    symmetry: &'a Symmetry,
}

impl<'a> Symmetric<'a> {
    /// The machine up to its symmetry.
    pub fn new(machine: &'a Machine, symmetry: &'a Symmetry) -> Self {
        Symmetric { machine, symmetry }
    }

    /// Puts the representative of its orbit in the place of a state.
    pub fn represent(&self, state: &mut State) {
        permute::represent(self.machine, self.symmetry, state);
    }
}

impl Layer for Symmetric<'_> {
    type Below = Machine;

    fn below(&self) -> &Machine {
        self.machine
    }

    fn initial(&self) -> Result<State, Halt> {
        let mut state = raddle_model::System::initial(self.machine)?;
        self.represent(&mut state);
        Ok(state)
    }

    fn step(&self, state: &mut State, thread: Thread, choice: u32) -> Result<(), Halt> {
        raddle_model::System::step(self.machine, state, thread, choice)?;
        self.represent(state);
        Ok(())
    }
}

/// Where the source says something that keeps threads apart.
pub(crate) type At = Option<Place>;
