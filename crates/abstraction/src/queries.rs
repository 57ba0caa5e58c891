//! Questions to the solver, each asked once.

use crate::solver::Solver;
use crate::terms::{Term, Terms};
use raddle_model::StopFlag;
use std::collections::HashMap;

/// Asks, counts and remembers.
pub(crate) struct Queries<'a> {
    pub(crate) solver: &'a dyn Solver,
    /// How many questions the solver was asked.
    pub(crate) asked: u64,
    known: HashMap<Vec<Term>, bool>,
    pub(crate) stop: &'a StopFlag,
    /// How many may be asked.
    pub(crate) limit: u64,
}

impl<'a> Queries<'a> {
    pub(crate) fn new(solver: &'a dyn Solver, stop: &'a StopFlag, limit: u64) -> Queries<'a> {
        Queries {
            solver,
            asked: 0,
            known: HashMap::new(),
            stop,
            limit,
        }
    }

    /// Forgets the answers, which are about the formulas of one program.
    pub(crate) fn forget(&mut self) {
        self.known.clear();
    }

    /// Whether to end.
    pub(crate) fn is_over(&self) -> bool {
        self.stop.is_set() || self.asked > self.limit || self.solver.failure().is_some()
    }

    /// Whether formulas can be true together.
    pub(crate) fn possible(&mut self, terms: &Terms, formulas: &[Term]) -> bool {
        let mut key: Vec<Term> = Vec::with_capacity(formulas.len());
        for &formula in formulas {
            match terms.as_bool(formula) {
                Some(true) => {}
                Some(false) => return false,
                None => key.push(formula),
            }
        }
        key.sort();
        key.dedup();
        if key.is_empty() {
            return true;
        }
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        self.asked += 1;
        let mut session = self.solver.session();
        for &formula in &key {
            session.assert(terms, formula);
        }
        let possible = session.solve(&[]);
        self.known.insert(key, possible);
        possible
    }

    /// The value that a predicate has where some formulas are true: 1, 0, or 2 for either.
    pub(crate) fn implied(&mut self, terms: &mut Terms, facts: &[Term], predicate: Term) -> u8 {
        let mut formulas = facts.to_vec();
        let not = terms.not(predicate);
        formulas.push(not);
        if !self.possible(terms, &formulas) {
            return 1;
        }
        formulas.pop();
        formulas.push(predicate);
        match self.possible(terms, &formulas) {
            true => 2,
            false => 0,
        }
    }
}
