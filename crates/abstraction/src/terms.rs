//! Formulas over machine integers, each stored once.
//!
//! Numbers are mathematical ones: a sum does not wrap around by itself. Where a program's
//! arithmetic wraps, [`Terms::wrap`] says so, and where it is known or assumed that nothing
//! overflows, it is left out. Linear terms and comparisons have one form each, so that equal
//! predicates are found equal.

mod show;

use std::collections::{BTreeSet, HashMap};

/// A formula or a number, by its place in [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(u32);

/// A variable, by its place in [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(u32);

/// What a variable is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarInfo {
    /// Its name, for people.
    pub name: String,
    /// Its least and greatest value; `None` for a truth value.
    pub range: Option<(i64, i64)>,
    /// Whether it stands for a choice that a single step makes.
    pub choice: bool,
}

/// Operations on bits and quotients, of 32-bit numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // They are what their names say.
pub enum Operator {
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Divide,
    Remainder,
    Multiply,
}

/// What a term is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A truth value.
    Bool(bool),
    /// A variable.
    Var(Var),
    /// The sum of terms (none of which is a sum), each times a factor that is not zero, and a
    /// number. Sorted.
    Sum(Vec<(Term, i64)>, i64),
    /// An operation on two numbers.
    Operation(Operator, Term, Term),
    /// A number brought into 32 bits.
    Wrap(Term),
    /// The second if the first holds, else the third.
    If(Term, Term, Term),
    /// A sum without number is at least this.
    AtLeast(Term, i64),
    /// A sum without number is this.
    Is(Term, i64),
    /// Not.
    Not(Term),
    /// Both.
    And(Term, Term),
    /// One of both, or both.
    Or(Term, Term),
}

/// A linear comparison: the parts of the sum, whether it is an equation, and the number.
pub type Linear = (Vec<(Term, i64)>, bool, i64);

/// All terms.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: Vec<Node>,
    ranges: Vec<(i64, i64)>,
    known: HashMap<Node, Term>,
    vars: Vec<VarInfo>,
    used: Vec<std::rc::Rc<BTreeSet<Var>>>,
}

/// The least and the greatest number of 32 bits.
pub const WORD: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);
/// Numbers beyond this are not followed: they are any number.
const FAR: i64 = 1 << 62;

impl Terms {
    /// A new variable.
    pub fn var(&mut self, info: VarInfo) -> Var {
        self.vars.push(info);
        Var(self.vars.len() as u32 - 1)
    }

    /// What a variable is.
    pub fn info(&self, var: Var) -> &VarInfo {
        &self.vars[var.0 as usize]
    }

    /// What a term is made of.
    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.0 as usize]
    }

    /// Bounds of a number.
    pub fn range(&self, term: Term) -> (i64, i64) {
        self.ranges[term.0 as usize]
    }

    /// The variables in a term.
    pub fn vars(&self, term: Term) -> &BTreeSet<Var> {
        &self.used[term.0 as usize]
    }

    /// Whether a term is a truth value.
    pub fn is_bool(&self, term: Term) -> bool {
        match self.node(term) {
            Node::Bool(_) | Node::AtLeast(..) | Node::Is(..) => true,
            Node::Not(_) | Node::And(..) | Node::Or(..) => true,
            Node::Var(var) => self.info(*var).range.is_none(),
            Node::If(_, then, _) => self.is_bool(*then),
            Node::Sum(..) | Node::Operation(..) | Node::Wrap(_) => false,
        }
    }

    fn add(&mut self, node: Node) -> Term {
        if let Some(&term) = self.known.get(&node) {
            return term;
        }
        let term = Term(self.nodes.len() as u32);
        let range = self.compute_range(&node);
        let mut used = BTreeSet::new();
        match &node {
            Node::Bool(_) => {}
            Node::Var(var) => {
                used.insert(*var);
            }
            Node::Sum(parts, _) => parts.iter().for_each(|(part, _)| {
                used.extend(self.vars(*part).iter().copied());
            }),
            Node::Wrap(a) | Node::Not(a) | Node::AtLeast(a, _) | Node::Is(a, _) => {
                used.extend(self.vars(*a).iter().copied());
            }
            Node::Operation(_, a, b) | Node::And(a, b) | Node::Or(a, b) => {
                used.extend(self.vars(*a).iter().copied());
                used.extend(self.vars(*b).iter().copied());
            }
            Node::If(a, b, c) => [a, b, c].into_iter().for_each(|part| {
                used.extend(self.vars(*part).iter().copied());
            }),
        }
        self.nodes.push(node.clone());
        self.ranges.push(range);
        self.used.push(std::rc::Rc::new(used));
        self.known.insert(node, term);
        term
    }

    fn compute_range(&self, node: &Node) -> (i64, i64) {
        match node {
            Node::Var(var) => self.info(*var).range.unwrap_or((0, 1)),
            Node::Sum(parts, number) => {
                let (mut low, mut high) = (i128::from(*number), i128::from(*number));
                for (part, factor) in parts {
                    let (a, b) = self.range(*part);
                    let (a, b) = (i128::from(a), i128::from(b));
                    let factor = i128::from(*factor);
                    low += (a * factor).min(b * factor);
                    high += (a * factor).max(b * factor);
                }
                let far = i128::from(FAR);
                (low.clamp(-far, far) as i64, high.clamp(-far, far) as i64)
            }
            Node::Operation(operator, a, b) => match operator {
                Operator::Remainder => {
                    let (low, high) = self.range(*a);
                    (low.min(0), high.max(0))
                }
                Operator::Multiply => {
                    let ((a, b), (c, d)) = (self.range(*a), self.range(*b));
                    let products = [(a, c), (a, d), (b, c), (b, d)];
                    let products = products.map(|(x, y)| {
                        (i128::from(x) * i128::from(y)).clamp(-i128::from(FAR), i128::from(FAR))
                            as i64
                    });
                    let low = products.iter().min().copied();
                    let high = products.iter().max().copied();
                    (low.unwrap_or(-FAR), high.unwrap_or(FAR))
                }
                // The quotient of the least number and -1 does not fit.
                Operator::Divide => (WORD.0, WORD.1 + 1),
                _ => WORD,
            },
            Node::Wrap(_) => WORD,
            Node::If(_, then, otherwise) => {
                let (a, b) = (self.range(*then), self.range(*otherwise));
                (a.0.min(b.0), a.1.max(b.1))
            }
            _ => (0, 1),
        }
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> Term {
        self.add(Node::Bool(value))
    }

    /// The value of a formula that is a constant.
    pub fn as_bool(&self, term: Term) -> Option<bool> {
        match self.node(term) {
            Node::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// A number.
    pub fn number(&mut self, value: i64) -> Term {
        self.add(Node::Sum(Vec::new(), value))
    }

    /// The value of a number that is a constant.
    pub fn as_number(&self, term: Term) -> Option<i64> {
        match self.node(term) {
            Node::Sum(parts, value) if parts.is_empty() => Some(*value),
            _ => None,
        }
    }

    /// The value of a variable.
    pub fn of(&mut self, var: Var) -> Term {
        self.add(Node::Var(var))
    }

    fn parts(&self, term: Term) -> (Vec<(Term, i64)>, i64) {
        match self.node(term) {
            Node::Sum(parts, number) => (parts.clone(), *number),
            _ => (vec![(term, 1)], 0),
        }
    }

    /// Any number: what stands for a number that became too large.
    fn anything(&mut self) -> Term {
        let var = self.var(VarInfo {
            name: "?large".to_owned(),
            range: Some((-FAR, FAR)),
            choice: true,
        });
        self.of(var)
    }

    /// `a + factor * b`.
    pub fn plus(&mut self, a: Term, b: Term, factor: i64) -> Term {
        let (mut parts, mut number) = self.parts(a);
        let (more, other) = self.parts(b);
        number = number.saturating_add(other.saturating_mul(factor));
        for (part, times) in more {
            let times = times.saturating_mul(factor);
            match parts.binary_search_by_key(&part, |it| it.0) {
                Ok(place) => {
                    parts[place].1 = parts[place].1.saturating_add(times);
                    if parts[place].1 == 0 {
                        parts.remove(place);
                    }
                }
                Err(place) if times != 0 => parts.insert(place, (part, times)),
                Err(_) => {}
            }
        }
        self.sum(parts, number)
    }

    /// The sum of terms times factors and a number.
    pub fn sum(&mut self, parts: Vec<(Term, i64)>, number: i64) -> Term {
        match parts.as_slice() {
            [(part, 1)] if number == 0 => *part,
            _ if !self.is_small(&parts, number) => self.anything(),
            _ => self.add(Node::Sum(parts, number)),
        }
    }

    /// Whether a sum can be computed without losing anything.
    fn is_small(&self, parts: &[(Term, i64)], number: i64) -> bool {
        let mut most = i128::from(number).abs();
        for (part, factor) in parts {
            let (low, high) = self.range(*part);
            let size = i128::from(low).abs().max(i128::from(high).abs());
            most += size * i128::from(*factor).abs();
        }
        most <= i128::from(FAR)
    }

    /// An operation on two numbers.
    pub fn operation(&mut self, operator: Operator, a: Term, b: Term) -> Term {
        // The operands are words of the machine: where one could be larger, it wraps.
        let is_scaling = operator == Operator::Multiply
            && (self.as_number(a).is_some() || self.as_number(b).is_some());
        let (a, b) = match is_scaling {
            true => (a, b),
            false => (self.wrap(a), self.wrap(b)),
        };
        if operator == Operator::Multiply {
            if let Some(factor) = self.as_number(b) {
                let zero = self.number(0);
                return self.plus(zero, a, factor);
            }
            if let Some(factor) = self.as_number(a) {
                let zero = self.number(0);
                return self.plus(zero, b, factor);
            }
        }
        if let (Some(a), Some(b)) = (self.as_number(a), self.as_number(b))
            && let (Ok(a), Ok(b)) = (i32::try_from(a), i32::try_from(b))
        {
            let value = match operator {
                Operator::And => Some(i64::from(a & b)),
                Operator::Or => Some(i64::from(a | b)),
                Operator::Xor => Some(i64::from(a ^ b)),
                Operator::ShiftLeft => Some(i64::from(a.wrapping_shl(b as u32))),
                Operator::ShiftRight => Some(i64::from(a.wrapping_shr(b as u32))),
                Operator::Divide if b != 0 => Some(i64::from(a) / i64::from(b)),
                Operator::Remainder if b != 0 => Some(i64::from(a) % i64::from(b)),
                _ => None,
            };
            if let Some(value) = value {
                return self.number(value);
            }
        }
        self.add(Node::Operation(operator, a, b))
    }

    /// A number brought into 32 bits.
    pub fn wrap(&mut self, term: Term) -> Term {
        let (low, high) = self.range(term);
        if low >= WORD.0 && high <= WORD.1 {
            return term;
        }
        match self.as_number(term) {
            Some(value) => self.number(i64::from(value as i32)),
            None => self.add(Node::Wrap(term)),
        }
    }

    /// `a >= b`.
    pub fn at_least(&mut self, a: Term, b: Term) -> Term {
        let difference = self.plus(a, b, -1);
        let (low, high) = self.range(difference);
        if low >= 0 {
            return self.bool(true);
        }
        if high < 0 {
            return self.bool(false);
        }
        let (parts, number) = self.parts(difference);
        self.at_least_number(parts, -number)
    }

    /// The sum of some parts is at least a number.
    pub fn at_least_number(&mut self, mut parts: Vec<(Term, i64)>, mut bound: i64) -> Term {
        let common = parts
            .iter()
            .fold(0, |d, (_, factor)| gcd(d, factor.unsigned_abs()));
        if common > 1 && i64::try_from(common).is_ok() {
            let common = common as i64;
            parts.iter_mut().for_each(|(_, factor)| *factor /= common);
            bound = bound.div_euclid(common) + i64::from(bound.rem_euclid(common) != 0);
        }
        match parts.first() {
            None => self.bool(0 >= bound),
            Some((_, factor)) if *factor < 0 => {
                // s >= c is not (-s >= 1 - c).
                parts.iter_mut().for_each(|(_, factor)| *factor = -*factor);
                let inner = self.at_least_number(parts, 1 - bound);
                self.not(inner)
            }
            Some(_) => {
                let sum = self.sum(parts, 0);
                let (low, high) = self.range(sum);
                if low >= bound {
                    return self.bool(true);
                }
                if high < bound {
                    return self.bool(false);
                }
                self.add(Node::AtLeast(sum, bound))
            }
        }
    }

    /// `a == b`, of two numbers or of two truth values.
    pub fn equal(&mut self, a: Term, b: Term) -> Term {
        if self.is_bool(a) {
            let both = self.and(a, b);
            let (not_a, not_b) = (self.not(a), self.not(b));
            let neither = self.and(not_a, not_b);
            return self.or(both, neither);
        }
        let difference = self.plus(a, b, -1);
        let (parts, number) = self.parts(difference);
        self.is_number(parts, -number)
    }

    /// The sum of some parts is a number.
    pub fn is_number(&mut self, mut parts: Vec<(Term, i64)>, mut value: i64) -> Term {
        let common = parts
            .iter()
            .fold(0, |d, (_, factor)| gcd(d, factor.unsigned_abs()));
        if common > 1 && i64::try_from(common).is_ok() {
            let common = common as i64;
            if value % common != 0 {
                return self.bool(false);
            }
            parts.iter_mut().for_each(|(_, factor)| *factor /= common);
            value /= common;
        }
        match parts.first() {
            None => return self.bool(value == 0),
            Some((_, factor)) if *factor < 0 => {
                parts.iter_mut().for_each(|(_, factor)| *factor = -*factor);
                value = -value;
            }
            Some(_) => {}
        }
        let sum = self.sum(parts, 0);
        let (low, high) = self.range(sum);
        if value < low || value > high {
            return self.bool(false);
        }
        self.add(Node::Is(sum, value))
    }

    /// Not.
    pub fn not(&mut self, term: Term) -> Term {
        match self.node(term) {
            Node::Bool(value) => {
                let value = !*value;
                self.bool(value)
            }
            Node::Not(inner) => *inner,
            _ => self.add(Node::Not(term)),
        }
    }

    fn contradict(&self, a: Term, b: Term) -> bool {
        matches!(self.node(a), Node::Not(inner) if *inner == b)
            || matches!(self.node(b), Node::Not(inner) if *inner == a)
    }

    /// Both.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) => a,
            (_, Some(false)) => b,
            _ if a == b => a,
            _ if self.contradict(a, b) => self.bool(false),
            _ => self.add(Node::And(a.min(b), a.max(b))),
        }
    }

    /// One of both, or both.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(false), _) => b,
            (_, Some(false)) => a,
            (Some(true), _) => a,
            (_, Some(true)) => b,
            _ if a == b => a,
            _ if self.contradict(a, b) => self.bool(true),
            _ => self.add(Node::Or(a.min(b), a.max(b))),
        }
    }

    /// All of them.
    pub fn all(&mut self, terms: &[Term]) -> Term {
        let start = self.bool(true);
        terms.iter().fold(start, |all, term| self.and(all, *term))
    }

    /// The second if the first holds, else the third.
    pub fn choose(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        if then == otherwise {
            return then;
        }
        match self.as_bool(condition) {
            Some(true) => return then,
            Some(false) => return otherwise,
            None => {}
        }
        if self.is_bool(then) {
            let first = self.and(condition, then);
            let not = self.not(condition);
            let second = self.and(not, otherwise);
            return self.or(first, second);
        }
        self.add(Node::If(condition, then, otherwise))
    }

    /// A truth value as a number.
    pub fn to_number(&mut self, term: Term) -> Term {
        match self.is_bool(term) {
            false => term,
            true => {
                let (one, zero) = (self.number(1), self.number(0));
                self.choose(term, one, zero)
            }
        }
    }

    /// A number as a truth value.
    pub fn to_bool(&mut self, term: Term) -> Term {
        if self.is_bool(term) {
            return term;
        }
        if let Node::If(condition, then, otherwise) = *self.node(term) {
            let then = self.to_bool(then);
            let otherwise = self.to_bool(otherwise);
            return self.choose(condition, then, otherwise);
        }
        let zero = self.number(0);
        let is_zero = self.equal(term, zero);
        self.not(is_zero)
    }

    /// The term with other terms for some variables.
    pub fn substitute(&mut self, term: Term, values: &HashMap<Var, Term>) -> Term {
        if values.is_empty() {
            return term;
        }
        self.replace(term, values, &mut HashMap::new())
    }

    fn replace(
        &mut self,
        term: Term,
        values: &HashMap<Var, Term>,
        done: &mut HashMap<Term, Term>,
    ) -> Term {
        if let Some(&known) = done.get(&term) {
            return known;
        }
        if !self.vars(term).iter().any(|var| values.contains_key(var)) {
            return term;
        }
        let replaced = match self.node(term).clone() {
            Node::Bool(_) => term,
            Node::Var(var) => values.get(&var).copied().unwrap_or(term),
            Node::Sum(parts, number) => {
                let mut sum = self.number(number);
                for (part, factor) in parts {
                    let part = self.replace(part, values, done);
                    sum = self.plus(sum, part, factor);
                }
                sum
            }
            Node::Operation(operator, a, b) => {
                let (a, b) = (self.replace(a, values, done), self.replace(b, values, done));
                self.operation(operator, a, b)
            }
            Node::Wrap(a) => {
                let a = self.replace(a, values, done);
                self.wrap(a)
            }
            Node::If(a, b, c) => {
                let a = self.replace(a, values, done);
                let b = self.replace(b, values, done);
                let c = self.replace(c, values, done);
                self.choose(a, b, c)
            }
            Node::AtLeast(a, bound) => {
                let a = self.replace(a, values, done);
                let (parts, number) = self.parts(a);
                self.at_least_number(parts, bound - number)
            }
            Node::Is(a, value) => {
                let a = self.replace(a, values, done);
                let (parts, number) = self.parts(a);
                self.is_number(parts, value - number)
            }
            Node::Not(a) => {
                let a = self.replace(a, values, done);
                self.not(a)
            }
            Node::And(a, b) => {
                let (a, b) = (self.replace(a, values, done), self.replace(b, values, done));
                self.and(a, b)
            }
            Node::Or(a, b) => {
                let (a, b) = (self.replace(a, values, done), self.replace(b, values, done));
                self.or(a, b)
            }
        };
        done.insert(term, replaced);
        replaced
    }

    /// A term of other terms whose variables have the same numbers; `None` if they are others.
    pub fn import(&mut self, other: &Terms, term: Term) -> Option<Term> {
        Some(match other.node(term) {
            Node::Bool(value) => self.bool(*value),
            Node::Var(var) => {
                let same = self.vars.get(var.0 as usize)? == other.info(*var);
                same.then(|| self.of(*var))?
            }
            Node::Sum(parts, number) => {
                let mut sum = self.number(*number);
                for (part, factor) in parts {
                    let part = self.import(other, *part)?;
                    sum = self.plus(sum, part, *factor);
                }
                sum
            }
            Node::Operation(operator, a, b) => {
                let (a, b) = (self.import(other, *a)?, self.import(other, *b)?);
                self.operation(*operator, a, b)
            }
            Node::Wrap(a) => {
                let a = self.import(other, *a)?;
                self.wrap(a)
            }
            Node::If(a, b, c) => {
                let (a, b) = (self.import(other, *a)?, self.import(other, *b)?);
                let c = self.import(other, *c)?;
                self.choose(a, b, c)
            }
            Node::AtLeast(a, bound) => {
                let a = self.import(other, *a)?;
                let (parts, number) = self.parts(a);
                self.at_least_number(parts, bound - number)
            }
            Node::Is(a, value) => {
                let a = self.import(other, *a)?;
                let (parts, number) = self.parts(a);
                self.is_number(parts, value - number)
            }
            Node::Not(a) => {
                let a = self.import(other, *a)?;
                self.not(a)
            }
            Node::And(a, b) => {
                let (a, b) = (self.import(other, *a)?, self.import(other, *b)?);
                self.and(a, b)
            }
            Node::Or(a, b) => {
                let (a, b) = (self.import(other, *a)?, self.import(other, *b)?);
                self.or(a, b)
            }
        })
    }

    /// Adds the atoms of a formula to a list: comparisons and truth variables, without
    /// negation, without conditional numbers, without choices of single steps.
    pub fn atoms(&mut self, term: Term, out: &mut Vec<Term>) {
        match self.node(term).clone() {
            Node::Bool(_) => {}
            Node::Not(a) => self.atoms(a, out),
            Node::And(a, b) | Node::Or(a, b) => {
                self.atoms(a, out);
                self.atoms(b, out);
            }
            Node::AtLeast(sum, _) | Node::Is(sum, _) => {
                if let Some((condition, then, otherwise)) = self.conditional_in(sum) {
                    self.atoms(condition, out);
                    for branch in [then, otherwise] {
                        let whole = self.with_branch(term, sum, branch);
                        self.atoms(whole, out);
                    }
                } else if !self.has_choice(term) && !out.contains(&term) {
                    out.push(term);
                }
            }
            Node::Var(_) | Node::If(..) => {
                if !self.has_choice(term) && !out.contains(&term) {
                    out.push(term);
                }
            }
            Node::Sum(..) | Node::Operation(..) | Node::Wrap(_) => {}
        }
    }

    fn has_choice(&self, term: Term) -> bool {
        self.vars(term).iter().any(|var| self.info(*var).choice)
    }

    /// The first conditional among the parts of a sum: its condition, and the sum in both cases.
    fn conditional_in(&mut self, sum: Term) -> Option<(Term, Term, Term)> {
        let (parts, number) = self.parts(sum);
        for (place, (part, factor)) in parts.iter().enumerate() {
            if let Node::If(condition, then, otherwise) = *self.node(*part) {
                let mut rest = parts.clone();
                rest.remove(place);
                let rest = self.sum(rest, number);
                let then = self.plus(rest, then, *factor);
                let otherwise = self.plus(rest, otherwise, *factor);
                return Some((condition, then, otherwise));
            }
        }
        None
    }

    fn with_branch(&mut self, atom: Term, _sum: Term, branch: Term) -> Term {
        let (parts, number) = self.parts(branch);
        match *self.node(atom) {
            Node::AtLeast(_, bound) => self.at_least_number(parts, bound - number),
            Node::Is(_, value) => self.is_number(parts, value - number),
            _ => atom,
        }
    }

    /// The parts of a linear comparison: the sum, whether it is an equation, and the number.
    pub fn linear(&self, atom: Term) -> Option<Linear> {
        let (sum, is_equation, number) = match *self.node(atom) {
            Node::AtLeast(sum, bound) => (sum, false, bound),
            Node::Is(sum, value) => (sum, true, value),
            _ => return None,
        };
        let (parts, _) = self.parts(sum);
        let plain = parts
            .iter()
            .all(|(part, _)| matches!(self.node(*part), Node::Var(_)));
        plain.then_some((parts, is_equation, number))
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}
