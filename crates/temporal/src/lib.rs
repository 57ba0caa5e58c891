//! Linear temporal logic: formulas about what happens in the course of an execution, their
//! meaning, and automata that accept the executions of which a formula is true.
//!
//! Nothing here knows programs. What is true in a state is a letter, a set of atoms; an execution
//! is an infinite word; and an execution that goes round in a circle is a [`Lasso`].

mod formula;
mod normal;
mod automaton;
mod simplify;
mod word;

pub use automaton::{Automaton, MOST_ATOMS, TooLarge, Transition};
pub use formula::{Fairness, Formula};
pub use word::{Lasso, Letter};
