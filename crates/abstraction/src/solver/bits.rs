//! Numbers as vectors of bits in two's complement, each as wide as its bounds demand, so that
//! sums are exact. Everything can be said this way; proofs about sums take long.

use super::gates::Gates;
use super::{Name, Session};
use crate::terms::{Node, Operator, Term, Terms, Var};
use batsat::Lit;
use std::collections::HashMap;

pub(super) struct Blaster {
    gates: Gates,
    bools: HashMap<Term, Lit>,
    numbers: HashMap<Term, Vec<Lit>>,
    vars: HashMap<Var, Vec<Lit>>,
}

impl Blaster {
    pub(super) fn new() -> Blaster {
        Blaster {
            gates: Gates::new(),
            bools: HashMap::new(),
            numbers: HashMap::new(),
            vars: HashMap::new(),
        }
    }

    /// The bits of a constant.
    fn bits_of(&self, value: i64, width: usize) -> Vec<Lit> {
        (0..width)
            .map(|bit| self.gates.constant((value >> bit.min(63)) & 1 == 1))
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
            let half = self.gates.xor(x, y);
            out.push(self.gates.xor(half, carry));
            carry = self.gates.majority(x, y, carry);
        }
        out
    }

    fn negated(&mut self, bits: &[Lit]) -> Vec<Lit> {
        let flipped: Vec<Lit> = bits.iter().map(|&bit| !bit).collect();
        let zero = self.bits_of(0, bits.len());
        let one = self.gates.truth;
        self.adder(&flipped, &zero, one)
    }

    fn product(&mut self, a: &[Lit], b: &[Lit], width: usize) -> Vec<Lit> {
        let a = Self::resized(a, width);
        let b = Self::resized(b, width);
        let mut sum = self.bits_of(0, width);
        for (shift, &factor) in b.iter().enumerate() {
            if self.gates.known(factor) == Some(false) {
                continue;
            }
            let mut row = self.bits_of(0, width);
            for place in shift..width {
                row[place] = self.gates.and(a[place - shift], factor);
            }
            let zero = self.gates.constant(false);
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
        let bits: Vec<Lit> = (0..width).map(|_| self.gates.fresh()).collect();
        self.vars.insert(var, bits.clone());
        if let Some((low, high)) = range {
            let (least, most) = bounds_of(width);
            if low > least {
                let fits = self.at_least(&bits, low);
                self.gates.clause(&[fits]);
            }
            if high < most {
                let exceeds = self.at_least(&bits, high + 1);
                self.gates.clause(&[!exceeds]);
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
                    let zero = self.gates.constant(false);
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
                    .map(|(then, otherwise)| self.gates.mux(condition, then, otherwise))
                    .collect()
            }
            Node::Operation(operator, a, b) => {
                let a = self.number_bits(terms, a);
                let b = self.number_bits(terms, b);
                self.operation(operator, &a, &b, width)
            }
            _ => {
                let truth = self.formula(terms, term);
                vec![truth, !self.gates.truth]
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
            Operator::And => pairs.map(|(&x, &y)| self.gates.and(x, y)).collect(),
            Operator::Or => pairs.map(|(&x, &y)| self.gates.or(x, y)).collect(),
            Operator::Xor => pairs.map(|(&x, &y)| self.gates.xor(x, y)).collect(),
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
                        None => !self.gates.truth,
                    },
                    false => word.get(place + distance).copied().unwrap_or(sign),
                })
                .collect();
            word = moved
                .iter()
                .zip(&word)
                .map(|(&m, &w)| self.gates.mux(bit, m, w))
                .collect();
        }
        word
    }

    /// Quotient and remainder as numbers q and r with a = q * b + r, r smaller than b and of
    /// a's sign. Where b is zero nothing is said.
    fn divided(&mut self, a: &[Lit], b: &[Lit], width: usize, quotient: bool) -> Vec<Lit> {
        let wide = 66;
        let q: Vec<Lit> = (0..33).map(|_| self.gates.fresh()).collect();
        let r: Vec<Lit> = (0..32).map(|_| self.gates.fresh()).collect();
        let product = self.product(&q, b, wide);
        let rest = Self::resized(&r, wide);
        let zero = self.gates.constant(false);
        let sum = self.adder(&product, &rest, zero);
        let a_wide = Self::resized(a, wide);
        let mut exact = self.gates.truth;
        for (&x, &y) in sum.iter().zip(&a_wide) {
            let same = !self.gates.xor(x, y);
            exact = self.gates.and(exact, same);
        }
        let magnitude = |this: &mut Self, bits: &[Lit]| {
            let bits = Self::resized(bits, 34);
            let negated = this.negated(&bits);
            let sign = bits[33];
            let pairs = negated.iter().zip(&bits);
            pairs
                .map(|(&n, &p)| this.gates.mux(sign, n, p))
                .collect::<Vec<Lit>>()
        };
        let (size_r, size_b) = (magnitude(self, &r), magnitude(self, b));
        // |r| - |b| < 0
        let minus = self.negated(&size_b);
        let less = self.adder(&size_r, &minus, zero);
        let less = less[33];
        let none = r
            .iter()
            .fold(self.gates.truth, |none, &bit| self.gates.and(none, !bit));
        let same_sign = !self.gates.xor(r[31], a[31]);
        let sign_fits = self.gates.or(none, same_sign);
        let is_zero = b
            .iter()
            .fold(self.gates.truth, |zero, &bit| self.gates.and(zero, !bit));
        for fact in [exact, less, sign_fits] {
            self.gates.clause(&[fact, is_zero]);
        }
        Self::resized(if quotient { &q } else { &r }, width)
    }

    fn at_least(&mut self, bits: &[Lit], bound: i64) -> Lit {
        // bits - bound does not overflow with two more bits than either has.
        let width = bits.len().max(width_of((bound, bound))) + 1;
        let wide = Self::resized(bits, width);
        let minus = self.bits_of(-bound, width);
        let zero = self.gates.constant(false);
        let difference = self.adder(&wide, &minus, zero);
        match difference.last() {
            Some(&sign) => !sign,
            None => self.gates.truth,
        }
    }

    fn formula(&mut self, terms: &Terms, term: Term) -> Lit {
        if let Some(&lit) = self.bools.get(&term) {
            return lit;
        }
        let lit = match *terms.node(term) {
            Node::Bool(value) => self.gates.constant(value),
            Node::Var(var) => self.var(terms, var)[0],
            Node::Not(inner) => !self.formula(terms, inner),
            Node::And(a, b) => {
                let (a, b) = (self.formula(terms, a), self.formula(terms, b));
                self.gates.and(a, b)
            }
            Node::Or(a, b) => {
                let (a, b) = (self.formula(terms, a), self.formula(terms, b));
                self.gates.or(a, b)
            }
            Node::AtLeast(sum, bound) => {
                let bits = self.number_bits(terms, sum);
                self.at_least(&bits, bound)
            }
            Node::Is(sum, value) => {
                let bits = self.number_bits(terms, sum);
                let value = self.bits_of(value, bits.len());
                let mut same = self.gates.truth;
                for (&x, &y) in bits.iter().zip(&value) {
                    let equal = !self.gates.xor(x, y);
                    same = self.gates.and(same, equal);
                }
                same
            }
            Node::If(condition, then, otherwise) => {
                let condition = self.formula(terms, condition);
                let then = self.formula(terms, then);
                let otherwise = self.formula(terms, otherwise);
                self.gates.mux(condition, then, otherwise)
            }
            Node::Sum(..) | Node::Operation(..) | Node::Wrap(_) => {
                let bits = self.number_bits(terms, term);
                let zero = bits
                    .iter()
                    .fold(self.gates.truth, |zero, &bit| self.gates.and(zero, !bit));
                !zero
            }
        };
        self.bools.insert(term, lit);
        lit
    }
}

impl Session for Blaster {
    fn name(&mut self, terms: &Terms, formula: Term) -> Name {
        let lit = self.formula(terms, formula);
        self.gates.name(lit)
    }

    fn assert_any(&mut self, formulas: &[(Name, bool)]) {
        self.gates.assert_any(formulas);
    }

    fn solve(&mut self, assumed: &[(Name, bool)]) -> bool {
        self.gates.solve(assumed)
    }

    fn value(&self, name: Name) -> bool {
        self.gates.value(name)
    }

    fn number(&self, var: Var) -> Option<i64> {
        let bits = self.vars.get(&var)?;
        let mut value = 0i64;
        for (place, &bit) in bits.iter().enumerate() {
            if self.gates.in_model(bit) {
                match place + 1 == bits.len() && bits.len() > 1 {
                    true => value -= 1 << place,
                    false => value += 1 << place,
                }
            }
        }
        Some(value)
    }

    fn core(&self) -> Vec<Name> {
        self.gates.core()
    }
}

/// How many bits the numbers in a range take, the sign included.
pub(super) fn width_of((low, high): (i64, i64)) -> usize {
    let bits = |value: i64| 65 - (if value < 0 { !value } else { value }).leading_zeros() as usize;
    bits(low).max(bits(high))
}

/// The numbers of a width.
pub(super) fn bounds_of(width: usize) -> (i64, i64) {
    match width {
        0 => (0, 0),
        width if width >= 64 => (i64::MIN, i64::MAX),
        width => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
    }
}
