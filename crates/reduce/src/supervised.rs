//! A system whose steps somebody else makes.
//!
//! Whoever wants to see every state that a search reaches, whichever search it is, is a
//! [`Supervisor`]: it makes the steps in place of the system. Everything else is passed on.

use raddle_model::{Halt, Layer, Move, System, Thread};

/// Makes the steps of a system.
pub trait Supervisor<S: System>: Sync {
    /// As [`System::initial`].
    fn initial(&self, system: &S) -> Result<S::State, Halt>;

    /// As [`System::step`].
    fn step(&self, system: &S, state: &mut S::State, step: Move) -> Result<(), Halt>;
}

/// A system with its supervisor.
pub struct Supervised<'a, S, V> {
    /// The system itself.
    pub system: &'a S,
    /// Who makes its steps.
    pub supervisor: V,
}

/// What is told is not supervised: a trace is told when the search is over.
impl<S: System, V: Supervisor<S>> Layer for Supervised<'_, S, V> {
    type Below = S;

    fn below(&self) -> &S {
        self.system
    }

    fn initial(&self) -> Result<S::State, Halt> {
        self.supervisor.initial(self.system)
    }

    fn step(&self, state: &mut S::State, thread: Thread, choice: u32) -> Result<(), Halt> {
        let step = Move { thread, choice };
        self.supervisor.step(self.system, state, step)
    }
}
