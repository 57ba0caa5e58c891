//! Formulas of propositional logic, and what is asked of them.

use super::Name;
use batsat::{BasicSolver, Lit, SolverInterface, lbool};

/// A solver for clauses, and the gates of which formulas are made.
pub(super) struct Gates {
    solver: BasicSolver,
    /// A formula that is true.
    pub(super) truth: Lit,
    names: Vec<Lit>,
    clause: Vec<Lit>,
    model: Vec<lbool>,
    core: Vec<Lit>,
}

impl Gates {
    pub(super) fn new() -> Gates {
        let mut solver = BasicSolver::default();
        let truth = Lit::new(solver.new_var_default(), true);
        solver.add_clause_reuse(&mut vec![truth]);
        Gates {
            solver,
            truth,
            names: Vec::new(),
            clause: Vec::new(),
            model: Vec::new(),
            core: Vec::new(),
        }
    }

    pub(super) fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    pub(super) fn clause(&mut self, lits: &[Lit]) {
        self.clause.clear();
        self.clause.extend_from_slice(lits);
        self.solver.add_clause_reuse(&mut self.clause);
    }

    pub(super) fn constant(&self, value: bool) -> Lit {
        if value { self.truth } else { !self.truth }
    }

    pub(super) fn known(&self, lit: Lit) -> Option<bool> {
        match lit {
            lit if lit == self.truth => Some(true),
            lit if lit == !self.truth => Some(false),
            _ => None,
        }
    }

    pub(super) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        match (self.known(a), self.known(b)) {
            (Some(false), _) | (_, Some(false)) => return !self.truth,
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            _ if a == b => return a,
            _ if a == !b => return !self.truth,
            _ => {}
        }
        let out = self.fresh();
        self.clause(&[!out, a]);
        self.clause(&[!out, b]);
        self.clause(&[out, !a, !b]);
        out
    }

    pub(super) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub(super) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        match (self.known(a), self.known(b)) {
            (Some(false), _) => return b,
            (_, Some(false)) => return a,
            (Some(true), _) => return !b,
            (_, Some(true)) => return !a,
            _ if a == b => return !self.truth,
            _ if a == !b => return self.truth,
            _ => {}
        }
        let out = self.fresh();
        self.clause(&[!out, a, b]);
        self.clause(&[!out, !a, !b]);
        self.clause(&[out, !a, b]);
        self.clause(&[out, a, !b]);
        out
    }

    pub(super) fn mux(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        if then == otherwise {
            return then;
        }
        match self.known(condition) {
            Some(true) => return then,
            Some(false) => return otherwise,
            None => {}
        }
        let first = self.and(condition, then);
        let second = self.and(!condition, otherwise);
        self.or(first, second)
    }

    pub(super) fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        for (known, x, y) in [(a, b, c), (b, a, c), (c, a, b)] {
            match self.known(known) {
                Some(true) => return self.or(x, y),
                Some(false) => return self.and(x, y),
                None => {}
            }
        }
        let out = self.fresh();
        for (x, y) in [(a, b), (a, c), (b, c)] {
            self.clause(&[!x, !y, out]);
            self.clause(&[x, y, !out]);
        }
        out
    }

    fn signed(&self, (name, holds): (Name, bool)) -> Lit {
        let lit = self.names[name.0 as usize];
        if holds { lit } else { !lit }
    }

    pub(super) fn in_model(&self, lit: Lit) -> bool {
        let value = self
            .model
            .get(lit.var().idx() as usize)
            .copied()
            .unwrap_or(lbool::FALSE);
        (value == lbool::TRUE) == lit.sign()
    }

    /// Gives a formula the next name.
    pub(super) fn name(&mut self, lit: Lit) -> Name {
        self.names.push(lit);
        Name(self.names.len() as u32 - 1)
    }

    pub(super) fn assert_any(&mut self, formulas: &[(Name, bool)]) {
        let lits: Vec<Lit> = formulas.iter().map(|&it| self.signed(it)).collect();
        self.clause(&lits);
    }

    pub(super) fn solve(&mut self, assumed: &[(Name, bool)]) -> bool {
        let lits: Vec<Lit> = assumed.iter().map(|&it| self.signed(it)).collect();
        let found = self.solver.solve_limited(&lits) == lbool::TRUE;
        self.model.clear();
        self.core.clear();
        match found {
            true => self.model.extend_from_slice(self.solver.get_model()),
            false => self.core.extend_from_slice(self.solver.unsat_core()),
        }
        found
    }

    pub(super) fn value(&self, name: Name) -> bool {
        self.in_model(self.names[name.0 as usize])
    }

    pub(super) fn core(&self) -> Vec<Name> {
        let in_core = |lit: Lit| self.core.contains(&lit) || self.core.contains(&!lit);
        let names = self.names.iter().enumerate();
        let names = names.filter(|(_, lit)| in_core(**lit));
        names.map(|(number, _)| Name(number as u32)).collect()
    }
}
