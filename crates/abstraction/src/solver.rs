//! Whether formulas can be true together.
//!
//! A [`Solver`] opens sessions; a session collects formulas and answers for some of them at a
//! time. Another program can be one ([`smt`]). The one in the binary rests on `batsat`, a solver for propositional logic. As long as
//! all that is compared are differences of two numbers, it is their graph that tells whether
//! comparisons contradict each other ([`differences`]); from the first other formula on,
//! numbers become vectors of bits ([`bits`]). A fresh session for each question is faster than
//! one that grows.

mod bits;
mod differences;
mod gates;
pub mod smt;

use crate::terms::{Term, Terms, Var};
use bits::Blaster;
use differences::Differences;

/// Opens sessions.
pub trait Solver {
    /// A new session that knows nothing.
    fn session(&self) -> Box<dyn Session>;

    /// Why a question could not be answered, if one could not. It is *yes* then, and so are all
    /// after it: with that an abstraction has too many steps, never too few. Nothing may be concluded
    /// from it all the same.
    fn failure(&self) -> Option<String> {
        None
    }
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
pub struct Name(pub(crate) u32);

/// The solver in the binary.
#[derive(Clone, Copy, Debug, Default)]
pub struct Propositional;

impl Solver for Propositional {
    fn session(&self) -> Box<dyn Session> {
        Box::new(Either {
            named: Vec::new(),
            clauses: Vec::new(),
            numbers: Numbers::Differences(Box::new(Differences::new())),
        })
    }
}

/// A session that becomes one with bits when differences do not suffice.
struct Either {
    named: Vec<Term>,
    clauses: Vec<Vec<(Name, bool)>>,
    numbers: Numbers,
}

/// What numbers are made of.
enum Numbers {
    Differences(Box<Differences>),
    Bits(Box<Blaster>),
}

impl Either {
    fn session(&mut self) -> &mut dyn Session {
        match &mut self.numbers {
            Numbers::Differences(session) => &mut **session,
            Numbers::Bits(session) => &mut **session,
        }
    }

    fn told(&self) -> &dyn Session {
        match &self.numbers {
            Numbers::Differences(session) => &**session,
            Numbers::Bits(session) => &**session,
        }
    }

    /// Says everything again, with bits.
    fn in_bits(&mut self, terms: &Terms) {
        let mut blaster = Blaster::new();
        for &formula in &self.named {
            blaster.name(terms, formula);
        }
        for clause in &self.clauses {
            blaster.assert_any(clause);
        }
        self.numbers = Numbers::Bits(Box::new(blaster));
    }
}

impl Session for Either {
    fn name(&mut self, terms: &Terms, formula: Term) -> Name {
        if let Numbers::Differences(session) = &mut self.numbers
            && !session.can_say(terms, formula)
        {
            self.in_bits(terms);
        }
        self.named.push(formula);
        self.session().name(terms, formula)
    }

    fn assert_any(&mut self, formulas: &[(Name, bool)]) {
        self.clauses.push(formulas.to_vec());
        self.session().assert_any(formulas);
    }

    fn solve(&mut self, assumed: &[(Name, bool)]) -> bool {
        self.session().solve(assumed)
    }

    fn value(&self, name: Name) -> bool {
        self.told().value(name)
    }

    fn number(&self, var: Var) -> Option<i64> {
        self.told().number(var)
    }

    fn core(&self) -> Vec<Name> {
        self.told().core()
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
        use crate::terms::Operator as O;
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
