//! A program as the abstraction sees it: templates of threads, each a graph whose edges are
//! steps with a guard, assignments and operations on locks.

use crate::terms::{Term, Terms, Var, VarInfo};
use raddle_machine::ir::{DeclarationId, LabelId};
use raddle_model::Place;
use std::collections::HashMap;

/// A program with some threads that exist once and others of which there are any number.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// All formulas.
    pub terms: Terms,
    /// What all threads share, and the variables of threads that exist once.
    pub globals: Vec<Variable>,
    /// The names of the locks.
    pub locks: Vec<String>,
    /// The kinds of threads.
    pub templates: Vec<Template>,
    /// What must not be reached.
    pub targets: Vec<Target>,
    /// Which templates are the copies of one of which single threads are followed, in the
    /// order of their identities, and which template is the rest of them.
    pub tracked: Option<Tracked>,
    /// Whether it is assumed that no number overflows.
    pub no_overflow: bool,
    /// The variables of shared regions, by region and element.
    pub cells: HashMap<(u32, u32), Var>,
    /// For variables of threads, those of another thread.
    pub(crate) twins: HashMap<Var, Var>,
}

/// Threads that are followed one by one.
#[derive(Clone, Debug)]
pub struct Tracked {
    /// The templates of those.
    pub copies: Vec<usize>,
    /// The template of the others.
    pub environment: usize,
}

/// A variable and its initial value, if it has a certain one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The variable.
    pub var: Var,
    /// Its value at the start.
    pub initial: Option<i64>,
}

/// A kind of thread.
#[derive(Clone, Debug)]
pub struct Template {
    /// Its name.
    pub name: String,
    /// The declaration of its threads.
    pub declaration: DeclarationId,
    /// Whether there is exactly one, from the start.
    pub once: bool,
    /// Whether its threads are started by others only.
    pub started: bool,
    /// The variables of its threads; none if there is exactly one.
    pub locals: Vec<Variable>,
    /// Where a thread can stand. The first is its beginning.
    pub locations: Vec<Location>,
    /// Its steps.
    pub edges: Vec<Edge>,
    /// Where threads wait, where they are once notified, and for which lock.
    pub waits: Vec<(usize, usize, usize)>,
}

/// Where a thread can stand.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// Its labels, of those that matter.
    pub labels: Vec<LabelId>,
    /// Whether a thread that is here has made a fault.
    pub is_error: bool,
    /// Whether steps are not joined across it.
    pub is_cut: bool,
    /// The locks that a thread holds here.
    pub held: Vec<usize>,
    /// Where that is in the source.
    pub place: Option<Place>,
}

/// What a step does beside assignments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Takes a lock that must be free.
    Lock(usize),
    /// Gives a lock back.
    Unlock(usize),
    /// Wakes one that waits for a lock.
    Notify(usize),
    /// Wakes all that wait for a lock.
    NotifyAll(usize),
    /// Starts a thread of a template.
    Start(usize),
}

/// A step of a thread.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// When it is possible.
    pub guard: Term,
    /// The values that variables get, all at once.
    pub updates: HashMap<Var, Term>,
    /// That no number overflows: true for all numbers of 32 bits, or assumed.
    pub fits: Term,
    /// What else it does, in order.
    pub operations: Vec<Operation>,
    /// Whether it may have to wait although its thread is there.
    pub may_block: bool,
    /// The instructions at which the machine's own steps begin.
    pub starts: Vec<u32>,
    /// Where it begins in the source.
    pub place: Option<Place>,
}

/// What must not be: so many threads at labels, or at an error, while a condition holds.
#[derive(Clone, Debug)]
pub struct Target {
    /// The labels, one for each thread; empty if the condition alone is the target.
    pub labels: Vec<LabelId>,
    /// Whether it is a fault of some thread.
    pub is_fault: bool,
    /// What holds of the shared variables then, as literals: a predicate and its value.
    pub condition: Vec<(Term, bool)>,
    /// What it is called.
    pub name: String,
}

impl Program {
    /// Whether a variable is shared, or counts as that.
    pub fn is_global(&self, var: Var) -> bool {
        self.globals.iter().any(|global| global.var == var)
    }

    /// The same variable of another thread.
    pub fn twin(&mut self, var: Var, info: VarInfo) -> Var {
        if let Some(&twin) = self.twins.get(&var) {
            return twin;
        }
        let twin = self.terms.var(info);
        self.twins.insert(var, twin);
        twin
    }

    /// The conditions that tell the initial values of variables.
    pub fn initially(&mut self, variables: &[Variable]) -> Vec<Term> {
        let mut facts = Vec::new();
        for Variable { var, initial } in variables {
            let Some(value) = *initial else { continue };
            let current = self.terms.of(*var);
            facts.push(match self.terms.is_bool(current) {
                true if value != 0 => current,
                true => self.terms.not(current),
                false => {
                    let value = self.terms.number(value);
                    self.terms.equal(current, value)
                }
            });
        }
        facts
    }
}

impl Edge {
    /// The variables that it reads or writes.
    pub fn touched(&self, terms: &Terms) -> Vec<Var> {
        let mut touched: Vec<Var> = terms.vars(self.guard).iter().copied().collect();
        for (var, value) in &self.updates {
            touched.push(*var);
            touched.extend(terms.vars(*value).iter().copied());
        }
        touched.sort();
        touched.dedup();
        touched
    }
}
