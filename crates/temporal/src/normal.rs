//! Formulas in negation normal form, each different one once.

use crate::formula::Formula;
use std::collections::HashMap;

/// The number of a formula in a [`Pool`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id(pub(crate) u32);

/// A formula whose negations stand before atoms only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Normal {
    Constant(bool),
    Literal { atom: u32, is_positive: bool },
    And(Id, Id),
    Or(Id, Id),
    Next(Id),
    Until(Id, Id),
    Release(Id, Id),
}

/// Formulas by number.
#[derive(Default)]
pub(crate) struct Pool {
    formulas: Vec<Normal>,
    numbers: HashMap<Normal, Id>,
}

use Normal::{And, Constant, Literal, Next, Or, Release, Until};

impl Pool {
    pub(crate) fn get(&self, id: Id) -> Normal {
        self.formulas[id.0 as usize]
    }

    /// The normal form of a formula, or of its negation.
    pub(crate) fn normal(&mut self, formula: &Formula<u32>, is_positive: bool) -> Id {
        let mut of = |part: &Formula<u32>, is_positive| self.normal(part, is_positive);
        match formula {
            Formula::Constant(value) => self.constant(*value == is_positive),
            Formula::Atom(atom) => self.number(Literal {
                atom: *atom,
                is_positive,
            }),
            Formula::Not(a) => of(a, !is_positive),
            Formula::And(a, b) => {
                let (a, b) = (of(a, is_positive), of(b, is_positive));
                self.both_or_one(a, b, is_positive)
            }
            Formula::Or(a, b) => {
                let (a, b) = (of(a, is_positive), of(b, is_positive));
                self.both_or_one(a, b, !is_positive)
            }
            Formula::Implies(a, b) => {
                let (a, b) = (of(a, !is_positive), of(b, is_positive));
                self.both_or_one(a, b, !is_positive)
            }
            Formula::Next(a) => {
                let a = of(a, is_positive);
                self.next(a)
            }
            Formula::Always(a) => {
                let a = of(a, is_positive);
                self.globally(a, is_positive)
            }
            Formula::Eventually(a) => {
                let a = of(a, is_positive);
                self.globally(a, !is_positive)
            }
            Formula::Until(a, b) => {
                let (a, b) = (of(a, is_positive), of(b, is_positive));
                match is_positive {
                    true => self.until(a, b),
                    false => self.release(a, b),
                }
            }
            // Either the second comes up to which the first is true, or the first is for ever: the
            // second, or else the first, releases it from being so.
            Formula::Unless(a, b) => {
                let (a, b) = (of(a, is_positive), of(b, is_positive));
                match is_positive {
                    true => {
                        let either = self.or(a, b);
                        self.release(b, either)
                    }
                    false => {
                        let neither = self.and(a, b);
                        self.until(b, neither)
                    }
                }
            }
            Formula::LeadsTo(a, b) => {
                let (a, b) = (of(a, !is_positive), of(b, is_positive));
                let answered = self.globally(b, !is_positive);
                let each = self.both_or_one(a, answered, !is_positive);
                self.globally(each, is_positive)
            }
        }
    }

    fn number(&mut self, formula: Normal) -> Id {
        let next = Id(self.formulas.len() as u32);
        let formulas = &mut self.formulas;
        *self.numbers.entry(formula).or_insert_with(|| {
            formulas.push(formula);
            next
        })
    }

    pub(crate) fn constant(&mut self, value: bool) -> Id {
        self.number(Constant(value))
    }

    fn both_or_one(&mut self, a: Id, b: Id, are_both: bool) -> Id {
        match are_both {
            true => self.and(a, b),
            false => self.or(a, b),
        }
    }

    fn and(&mut self, a: Id, b: Id) -> Id {
        match (self.get(a), self.get(b)) {
            (Constant(true), _) | (_, Constant(false)) => b,
            (_, Constant(true)) | (Constant(false), _) => a,
            _ if a == b => a,
            _ if self.are_opposite(a, b) => self.constant(false),
            _ => self.number(And(a.min(b), a.max(b))),
        }
    }

    fn or(&mut self, a: Id, b: Id) -> Id {
        match (self.get(a), self.get(b)) {
            (Constant(false), _) | (_, Constant(true)) => b,
            (_, Constant(false)) | (Constant(true), _) => a,
            _ if a == b => a,
            _ if self.are_opposite(a, b) => self.constant(true),
            _ => self.number(Or(a.min(b), a.max(b))),
        }
    }

    fn are_opposite(&self, a: Id, b: Id) -> bool {
        match (self.get(a), self.get(b)) {
            (
                Literal { atom, is_positive },
                Literal {
                    atom: other,
                    is_positive: is_other_positive,
                },
            ) => atom == other && is_positive != is_other_positive,
            _ => false,
        }
    }

    fn next(&mut self, a: Id) -> Id {
        match self.get(a) {
            Constant(_) => a,
            _ => self.number(Next(a)),
        }
    }

    /// Always, or eventually.
    fn globally(&mut self, a: Id, is_always: bool) -> Id {
        let constant = self.constant(!is_always);
        match is_always {
            true => self.release(constant, a),
            false => self.until(constant, a),
        }
    }

    fn until(&mut self, a: Id, b: Id) -> Id {
        match (self.get(a), self.get(b)) {
            (_, Constant(_)) | (Constant(false), _) => b,
            _ if a == b => b,
            // Whoever waits for what comes eventually, waits for it.
            _ if self.is_eventually(b) => b,
            // Again and again in the end is again and again.
            (Constant(true), _) if self.is_again_and_again(b) => b,
            (_, Until(first, _)) if first == a => b,
            _ => self.number(Until(a, b)),
        }
    }

    fn release(&mut self, a: Id, b: Id) -> Id {
        match (self.get(a), self.get(b)) {
            (_, Constant(_)) | (Constant(true), _) => b,
            _ if a == b => b,
            _ if self.is_always(b) => b,
            (Constant(false), _) if self.is_in_the_end_always(b) => b,
            (_, Release(first, _)) if first == a => b,
            _ => self.number(Release(a, b)),
        }
    }

    fn is_eventually(&self, id: Id) -> bool {
        matches!(self.get(id), Until(a, _) if self.get(a) == Constant(true))
    }

    fn is_always(&self, id: Id) -> bool {
        matches!(self.get(id), Release(a, _) if self.get(a) == Constant(false))
    }

    /// Always eventually something.
    fn is_again_and_again(&self, id: Id) -> bool {
        matches!(self.get(id), Release(_, b) if self.is_always(id) && self.is_eventually(b))
    }

    /// Eventually always something.
    fn is_in_the_end_always(&self, id: Id) -> bool {
        matches!(self.get(id), Until(_, b) if self.is_eventually(id) && self.is_always(b))
    }
}
