//! Whether formulas can be true together.
//!
//! A [`Solver`] opens sessions; a session collects formulas and answers for some of them at a
//! time. The one in the binary is `batsat`, a solver for propositional logic: numbers become
//! vectors of bits in two's complement, each as wide as its bounds demand, so that sums are
//! exact. A fresh session for each question is faster than one that grows.

use crate::terms::{Node, Operator, Term, Terms, Var};
use batsat::{BasicSolver, Lit, SolverInterface, lbool};
use std::collections::HashMap;

/// Opens sessions.
pub trait Solver {
    /// A new session that knows nothing.
    fn session(&self) -> Box<dyn Session>;
}

/// A question to a solver.
pub trait Session {
    /// A formula that can be assumed, and whose value can be asked.
    fn name(&mut self, terms: &Terms, formula: Term) -> Name;
    /// Makes a disjunction of named formulas, or of their negations, true.
    fn assert_any(&mut self, formulas: &[(Name, bool)]);
    /// Whether everything that was asserted can be true together with these.
    fn solve(&mut self, assumed: &[(Name, bool)]) -> bool;
    /// After *yes*: whether a named formula is true in the example.
    fn value(&self, name: Name) -> bool;
    /// After *yes*: the value of a number in the example, if it was mentioned.
    fn number(&self, var: Var) -> Option<i64>;
    /// After *no*: the assumptions that suffice for it.
    fn core(&self) -> Vec<Name>;

    /// Makes a formula true.
    fn assert(&mut self, terms: &Terms, formula: Term) {
        let name = self.name(terms, formula);
        self.assert_any(&[(name, true)]);
    }
}

/// A formula in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(u32);

/// The solver in the binary.
#[derive(Clone, Copy, Debug, Default)]
pub struct Propositional;

impl Solver for Propositional {
    fn session(&self) -> Box<dyn Session> {
        Box::new(Blaster::new())
    }
}

struct Blaster {
    solver: BasicSolver,
    truth: Lit,
    bools: HashMap<Term, Lit>,
    numbers: HashMap<Term, Vec<Lit>>,
    vars: HashMap<Var, Vec<Lit>>,
    names: Vec<Lit>,
    clause: Vec<Lit>,
    model: Vec<lbool>,
    core: Vec<Lit>,
}

impl Blaster {
    fn new() -> Blaster {
        let mut solver = BasicSolver::default();
        let truth = Lit::new(solver.new_var_default(), true);
        solver.add_clause_reuse(&mut vec![truth]);
        Blaster {
            solver,
            truth,
            bools: HashMap::new(),
            numbers: HashMap::new(),
            vars: HashMap::new(),
            names: Vec::new(),
            clause: Vec::new(),
            model: Vec::new(),
            core: Vec::new(),
        }
    }

    fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.clause.clear();
        self.clause.extend_from_slice(lits);
        self.solver.add_clause_reuse(&mut self.clause);
    }

    fn constant(&self, value: bool) -> Lit {
        if value { self.truth } else { !self.truth }
    }

    fn known(&self, lit: Lit) -> Option<bool> {
        match lit {
            lit if lit == self.truth => Some(true),
            lit if lit == !self.truth => Some(false),
            _ => None,
        }
    }

    fn and(&mut self, a: Lit, b: Lit) -> Lit {
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

    fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    fn xor(&mut self, a: Lit, b: Lit) -> Lit {
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

    fn mux(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
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

    fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
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

    /// The bits of a constant.
    fn bits_of(&self, value: i64, width: usize) -> Vec<Lit> {
        (0..width)
            .map(|bit| self.constant((value >> bit.min(63)) & 1 == 1))
            .collect()
    }

    /// The same number with another width. Cutting off is right only if it fits.
    fn resized(bits: &[Lit], width: usize) -> Vec<Lit> {
        let sign = bits.last().copied();
        let bit = |place: usize| bits.get(place).copied().or(sign);
        (0..width).filter_map(bit).collect()
    }

    fn adder(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Vec<Lit> {
        let mut out = Vec::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            let half = self.xor(x, y);
            out.push(self.xor(half, carry));
            carry = self.majority(x, y, carry);
        }
        out
    }

    fn negated(&mut self, bits: &[Lit]) -> Vec<Lit> {
        let flipped: Vec<Lit> = bits.iter().map(|&bit| !bit).collect();
        let zero = self.bits_of(0, bits.len());
        let one = self.truth;
        self.adder(&flipped, &zero, one)
    }

    fn product(&mut self, a: &[Lit], b: &[Lit], width: usize) -> Vec<Lit> {
        let a = Self::resized(a, width);
        let b = Self::resized(b, width);
        let mut sum = self.bits_of(0, width);
        for (shift, &factor) in b.iter().enumerate() {
            if self.known(factor) == Some(false) {
                continue;
            }
            let mut row = self.bits_of(0, width);
            for place in shift..width {
                row[place] = self.and(a[place - shift], factor);
            }
            let zero = self.constant(false);
            sum = self.adder(&sum, &row, zero);
        }
        sum
    }

    /// A number times a constant.
    fn scaled(&mut self, bits: &[Lit], factor: i64, width: usize) -> Vec<Lit> {
        match factor {
            1 => Self::resized(bits, width),
            -1 => {
                let bits = Self::resized(bits, width);
                self.negated(&bits)
            }
            _ => {
                let factor = self.bits_of(factor, width);
                self.product(bits, &factor, width)
            }
        }
    }

    fn var(&mut self, terms: &Terms, var: Var) -> Vec<Lit> {
        if let Some(bits) = self.vars.get(&var) {
            return bits.clone();
        }
        let range = terms.info(var).range;
        let width = range.map_or(1, width_of);
        let bits: Vec<Lit> = (0..width).map(|_| self.fresh()).collect();
        self.vars.insert(var, bits.clone());
        if let Some((low, high)) = range {
            let (least, most) = bounds_of(width);
            if low > least {
                let fits = self.at_least(&bits, low);
                self.clause(&[fits]);
            }
            if high < most {
                let exceeds = self.at_least(&bits, high + 1);
                self.clause(&[!exceeds]);
            }
        }
        bits
    }

    fn number_bits(&mut self, terms: &Terms, term: Term) -> Vec<Lit> {
        if let Some(bits) = self.numbers.get(&term) {
            return bits.clone();
        }
        let width = width_of(terms.range(term));
        let bits = match terms.node(term).clone() {
            Node::Var(var) => self.var(terms, var),
            Node::Sum(parts, number) => {
                let mut sum = self.bits_of(number, width);
                for (part, factor) in parts {
                    let part = self.number_bits(terms, part);
                    let part = self.scaled(&part, factor, width);
                    let zero = self.constant(false);
                    sum = self.adder(&sum, &part, zero);
                }
                sum
            }
            Node::Wrap(inner) => {
                let inner = self.number_bits(terms, inner);
                Self::resized(&inner, 32)
            }
            Node::If(condition, then, otherwise) => {
                let condition = self.formula(terms, condition);
                let then = self.number_bits(terms, then);
                let then = Self::resized(&then, width);
                let otherwise = self.number_bits(terms, otherwise);
                let otherwise = Self::resized(&otherwise, width);
                let pairs = then.into_iter().zip(otherwise);
                pairs
                    .map(|(then, otherwise)| self.mux(condition, then, otherwise))
                    .collect()
            }
            Node::Operation(operator, a, b) => {
                let a = self.number_bits(terms, a);
                let b = self.number_bits(terms, b);
                self.operation(operator, &a, &b, width)
            }
            _ => {
                let truth = self.formula(terms, term);
                vec![truth, !self.truth]
            }
        };
        self.numbers.insert(term, bits.clone());
        bits
    }

    fn operation(&mut self, operator: Operator, a: &[Lit], b: &[Lit], width: usize) -> Vec<Lit> {
        let (word_a, word_b) = (Self::resized(a, 32), Self::resized(b, 32));
        let pairs = word_a.iter().zip(&word_b);
        match operator {
            Operator::Multiply => self.product(a, b, width),
            Operator::And => pairs.map(|(&x, &y)| self.and(x, y)).collect(),
            Operator::Or => pairs.map(|(&x, &y)| self.or(x, y)).collect(),
            Operator::Xor => pairs.map(|(&x, &y)| self.xor(x, y)).collect(),
            Operator::ShiftLeft | Operator::ShiftRight => {
                let left = operator == Operator::ShiftLeft;
                self.shifted(word_a, &word_b, left)
            }
            Operator::Divide | Operator::Remainder => {
                self.divided(&word_a, &word_b, width, operator == Operator::Divide)
            }
        }
    }

    fn shifted(&mut self, mut word: Vec<Lit>, by: &[Lit], left: bool) -> Vec<Lit> {
        for (stage, &bit) in by.iter().take(5).enumerate() {
            let distance = 1 << stage;
            let sign = word[31];
            let moved: Vec<Lit> = (0..32usize)
                .map(|place| match left {
                    true => match place.checked_sub(distance) {
                        Some(from) => word[from],
                        None => !self.truth,
                    },
                    false => word.get(place + distance).copied().unwrap_or(sign),
                })
                .collect();
            word = moved
                .iter()
                .zip(&word)
                .map(|(&m, &w)| self.mux(bit, m, w))
                .collect();
        }
        word
    }

    /// Quotient and remainder as numbers q and r with a = q * b + r, r smaller than b and of
    /// a's sign. Where b is zero nothing is said.
    fn divided(&mut self, a: &[Lit], b: &[Lit], width: usize, quotient: bool) -> Vec<Lit> {
        let wide = 66;
        let q: Vec<Lit> = (0..33).map(|_| self.fresh()).collect();
        let r: Vec<Lit> = (0..32).map(|_| self.fresh()).collect();
        let product = self.product(&q, b, wide);
        let rest = Self::resized(&r, wide);
        let zero = self.constant(false);
        let sum = self.adder(&product, &rest, zero);
        let a_wide = Self::resized(a, wide);
        let mut exact = self.truth;
        for (&x, &y) in sum.iter().zip(&a_wide) {
            let same = !self.xor(x, y);
            exact = self.and(exact, same);
        }
        let magnitude = |this: &mut Self, bits: &[Lit]| {
            let bits = Self::resized(bits, 34);
            let negated = this.negated(&bits);
            let sign = bits[33];
            let pairs = negated.iter().zip(&bits);
            pairs
                .map(|(&n, &p)| this.mux(sign, n, p))
                .collect::<Vec<Lit>>()
        };
        let (size_r, size_b) = (magnitude(self, &r), magnitude(self, b));
        // |r| - |b| < 0
        let minus = self.negated(&size_b);
        let less = self.adder(&size_r, &minus, zero);
        let less = less[33];
        let none = r.iter().fold(self.truth, |none, &bit| self.and(none, !bit));
        let same_sign = !self.xor(r[31], a[31]);
        let sign_fits = self.or(none, same_sign);
        let is_zero = b.iter().fold(self.truth, |zero, &bit| self.and(zero, !bit));
        for fact in [exact, less, sign_fits] {
            self.clause(&[fact, is_zero]);
        }
        Self::resized(if quotient { &q } else { &r }, width)
    }

    fn at_least(&mut self, bits: &[Lit], bound: i64) -> Lit {
        // bits - bound does not overflow with two more bits than either has.
        let width = bits.len().max(width_of((bound, bound))) + 1;
        let wide = Self::resized(bits, width);
        let minus = self.bits_of(-bound, width);
        let zero = self.constant(false);
        let difference = self.adder(&wide, &minus, zero);
        match difference.last() {
            Some(&sign) => !sign,
            None => self.truth,
        }
    }

    fn formula(&mut self, terms: &Terms, term: Term) -> Lit {
        if let Some(&lit) = self.bools.get(&term) {
            return lit;
        }
        let lit = match *terms.node(term) {
            Node::Bool(value) => self.constant(value),
            Node::Var(var) => self.var(terms, var)[0],
            Node::Not(inner) => !self.formula(terms, inner),
            Node::And(a, b) => {
                let (a, b) = (self.formula(terms, a), self.formula(terms, b));
                self.and(a, b)
            }
            Node::Or(a, b) => {
                let (a, b) = (self.formula(terms, a), self.formula(terms, b));
                self.or(a, b)
            }
            Node::AtLeast(sum, bound) => {
                let bits = self.number_bits(terms, sum);
                self.at_least(&bits, bound)
            }
            Node::Is(sum, value) => {
                let bits = self.number_bits(terms, sum);
                let value = self.bits_of(value, bits.len());
                let mut same = self.truth;
                for (&x, &y) in bits.iter().zip(&value) {
                    let equal = !self.xor(x, y);
                    same = self.and(same, equal);
                }
                same
            }
            Node::If(condition, then, otherwise) => {
                let condition = self.formula(terms, condition);
                let then = self.formula(terms, then);
                let otherwise = self.formula(terms, otherwise);
                self.mux(condition, then, otherwise)
            }
            Node::Sum(..) | Node::Operation(..) | Node::Wrap(_) => {
                let bits = self.number_bits(terms, term);
                let zero = bits
                    .iter()
                    .fold(self.truth, |zero, &bit| self.and(zero, !bit));
                !zero
            }
        };
        self.bools.insert(term, lit);
        lit
    }

    fn signed(&self, (name, holds): (Name, bool)) -> Lit {
        let lit = self.names[name.0 as usize];
        if holds { lit } else { !lit }
    }

    fn in_model(&self, lit: Lit) -> bool {
        let value = self
            .model
            .get(lit.var().idx() as usize)
            .copied()
            .unwrap_or(lbool::FALSE);
        (value == lbool::TRUE) == lit.sign()
    }
}

impl Session for Blaster {
    fn name(&mut self, terms: &Terms, formula: Term) -> Name {
        let lit = self.formula(terms, formula);
        self.names.push(lit);
        Name(self.names.len() as u32 - 1)
    }

    fn assert_any(&mut self, formulas: &[(Name, bool)]) {
        let lits: Vec<Lit> = formulas.iter().map(|&it| self.signed(it)).collect();
        self.clause(&lits);
    }

    fn solve(&mut self, assumed: &[(Name, bool)]) -> bool {
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

    fn value(&self, name: Name) -> bool {
        self.in_model(self.names[name.0 as usize])
    }

    fn number(&self, var: Var) -> Option<i64> {
        let bits = self.vars.get(&var)?;
        let mut value = 0i64;
        for (place, &bit) in bits.iter().enumerate() {
            if self.in_model(bit) {
                match place + 1 == bits.len() && bits.len() > 1 {
                    true => value -= 1 << place,
                    false => value += 1 << place,
                }
            }
        }
        Some(value)
    }

    fn core(&self) -> Vec<Name> {
        let in_core = |lit: Lit| self.core.contains(&lit) || self.core.contains(&!lit);
        let names = self.names.iter().enumerate();
        let names = names.filter(|(_, lit)| in_core(**lit));
        names.map(|(number, _)| Name(number as u32)).collect()
    }
}

/// How many bits the numbers in a range take, the sign included.
fn width_of((low, high): (i64, i64)) -> usize {
    let bits = |value: i64| 65 - (if value < 0 { !value } else { value }).leading_zeros() as usize;
    bits(low).max(bits(high))
}

/// The numbers of a width.
fn bounds_of(width: usize) -> (i64, i64) {
    match width {
        0 => (0, 0),
        width if width >= 64 => (i64::MIN, i64::MAX),
        width => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::VarInfo;

    fn int(terms: &mut Terms, name: &str, range: (i64, i64)) -> (Var, Term) {
        let info = VarInfo {
            name: name.to_owned(),
            range: Some(range),
            choice: false,
        };
        let var = terms.var(info);
        (var, terms.of(var))
    }

    /// Every operation, on all pairs of some numbers, as the machine computes it.
    #[test]
    fn operations_are_those_of_the_machine() {
        use Operator as O;
        let samples = [i32::MIN, -77, -1, 0, 5, i32::MAX];
        let operators = [
            O::And,
            O::Or,
            O::Xor,
            O::ShiftLeft,
            O::ShiftRight,
            O::Divide,
            O::Remainder,
            O::Multiply,
        ];
        for a in samples {
            for b in samples {
                for operator in operators {
                    let expected = match operator {
                        O::And => a & b,
                        O::Or => a | b,
                        O::Xor => a ^ b,
                        O::ShiftLeft => a.wrapping_shl(b as u32),
                        O::ShiftRight => a.wrapping_shr(b as u32),
                        O::Divide | O::Remainder if b == 0 => continue,
                        O::Divide => a.wrapping_div(b),
                        O::Remainder => a.wrapping_rem(b),
                        O::Multiply => a.wrapping_mul(b),
                    };
                    let mut terms = Terms::default();
                    let (_, x) = int(&mut terms, "x", crate::terms::WORD);
                    let (_, y) = int(&mut terms, "y", crate::terms::WORD);
                    let (z, out) = int(&mut terms, "z", crate::terms::WORD);
                    let value = terms.operation(operator, x, y);
                    let value = terms.wrap(value);
                    let mut session = Propositional.session();
                    for (term, number) in [(x, a), (y, b)] {
                        let number = terms.number(i64::from(number));
                        let fact = terms.equal(term, number);
                        session.assert(&terms, fact);
                    }
                    let fact = terms.equal(out, value);
                    session.assert(&terms, fact);
                    assert!(session.solve(&[]), "{a} {operator:?} {b}");
                    assert_eq!(
                        session.number(z),
                        Some(i64::from(expected)),
                        "{a} {operator:?} {b}"
                    );
                    let wanted = terms.number(i64::from(expected));
                    let same = terms.equal(out, wanted);
                    let same = session.name(&terms, same);
                    assert!(!session.solve(&[(same, false)]), "{a} {operator:?} {b}");
                }
            }
        }
    }

    #[test]
    fn sums_wrap_only_if_they_are_told_to() {
        let mut terms = Terms::default();
        let (_, x) = int(&mut terms, "x", crate::terms::WORD);
        let one = terms.number(1);
        let next = terms.plus(x, one, 1);
        let grows = terms.at_least(next, x);
        assert_eq!(terms.as_bool(grows), Some(true));
        let wrapped = terms.wrap(next);
        let grows = terms.at_least(wrapped, x);
        let mut session = Propositional.session();
        let grows = session.name(&terms, grows);
        assert!(session.solve(&[(grows, false)]));
        assert!(session.solve(&[(grows, true)]));
    }
}
