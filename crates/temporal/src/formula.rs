//! Formulas, as they are written.

use std::fmt;

/// A formula over atoms of some kind, about an execution from one of its states on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula<A> {
    /// True or false.
    Constant(bool),
    /// What is true of the state.
    Atom(A),
    /// It is not so.
    Not(Box<Formula<A>>),
    /// Both.
    And(Box<Formula<A>>, Box<Formula<A>>),
    /// One of them, or both.
    Or(Box<Formula<A>>, Box<Formula<A>>),
    /// If the first, then the second.
    Implies(Box<Formula<A>>, Box<Formula<A>>),
    /// After one step.
    Next(Box<Formula<A>>),
    /// Now, and after each step from now on.
    Always(Box<Formula<A>>),
    /// Now, or after some steps.
    Eventually(Box<Formula<A>>),
    /// The second now or after some steps, and the first until then.
    Until(Box<Formula<A>>, Box<Formula<A>>),
    /// The same, or the first for ever.
    Unless(Box<Formula<A>>, Box<Formula<A>>),
    /// Whenever the first, then eventually the second.
    LeadsTo(Box<Formula<A>>, Box<Formula<A>>),
}

impl<A> Formula<A> {
    /// The same formula over other atoms.
    pub fn map<B>(&self, atom: &mut impl FnMut(&A) -> B) -> Formula<B> {
        let mut of = |part: &Formula<A>| Box::new(part.map(atom));
        match self {
            Formula::Constant(value) => Formula::Constant(*value),
            Formula::Atom(it) => Formula::Atom(atom(it)),
            Formula::Not(a) => Formula::Not(of(a)),
            Formula::And(a, b) => Formula::And(of(a), of(b)),
            Formula::Or(a, b) => Formula::Or(of(a), of(b)),
            Formula::Implies(a, b) => Formula::Implies(of(a), of(b)),
            Formula::Next(a) => Formula::Next(of(a)),
            Formula::Always(a) => Formula::Always(of(a)),
            Formula::Eventually(a) => Formula::Eventually(of(a)),
            Formula::Until(a, b) => Formula::Until(of(a), of(b)),
            Formula::Unless(a, b) => Formula::Unless(of(a), of(b)),
            Formula::LeadsTo(a, b) => Formula::LeadsTo(of(a), of(b)),
        }
    }

    /// Its parts, outermost first.
    pub fn parts(&self) -> impl Iterator<Item = &Formula<A>> {
        let (first, second) = match self {
            Formula::Constant(_) | Formula::Atom(_) => (None, None),
            Formula::Not(a) | Formula::Next(a) | Formula::Always(a) | Formula::Eventually(a) => {
                (Some(&**a), None)
            }
            Formula::And(a, b)
            | Formula::Or(a, b)
            | Formula::Implies(a, b)
            | Formula::Until(a, b)
            | Formula::Unless(a, b)
            | Formula::LeadsTo(a, b) => (Some(&**a), Some(&**b)),
        };
        first.into_iter().chain(second)
    }

    /// Tells each of its atoms, from left to right.
    pub fn for_each<'a>(&'a self, told: &mut impl FnMut(&'a A)) {
        if let Formula::Atom(atom) = self {
            told(atom);
        }
        for part in self.parts() {
            part.for_each(told);
        }
    }

    /// How deep it is nested.
    pub fn depth(&self) -> usize {
        1 + self.parts().map(Formula::depth).max().unwrap_or(0)
    }

    /// Whether it counts steps: then it makes a difference whether a state is repeated.
    pub fn has_next(&self) -> bool {
        matches!(self, Formula::Next(_)) || self.parts().any(Formula::has_next)
    }
}

/// Which executions count: those in which no thread is passed over for ever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fairness {
    /// All of them.
    None,
    /// Those in which a thread that can move from some state on, without interruption, moves.
    #[default]
    Weak,
    /// Those in which a thread that can move again and again moves.
    Strong,
}

impl Fairness {
    /// All of them.
    pub const ALL: [Fairness; 3] = [Fairness::None, Fairness::Weak, Fairness::Strong];

    /// The name in programs and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Fairness::None => "no",
            Fairness::Weak => "weak",
            Fairness::Strong => "strong",
        }
    }
}

impl<A: fmt::Display> fmt::Display for Formula<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = |f: &mut fmt::Formatter<'_>, word: &str, a| write!(f, "{word}({a})");
        let infix = |f: &mut fmt::Formatter<'_>, word: &str, a, b| write!(f, "({a}) {word} ({b})");
        match self {
            Formula::Constant(value) => write!(f, "{value}"),
            Formula::Atom(it) => write!(f, "{it}"),
            Formula::Not(a) => prefix(f, "!", a),
            Formula::Next(a) => prefix(f, "next ", a),
            Formula::Always(a) => prefix(f, "always ", a),
            Formula::Eventually(a) => prefix(f, "eventually ", a),
            Formula::And(a, b) => infix(f, "&&", a, b),
            Formula::Or(a, b) => infix(f, "||", a, b),
            Formula::Implies(a, b) => infix(f, "implies", a, b),
            Formula::Until(a, b) => infix(f, "until", a, b),
            Formula::Unless(a, b) => infix(f, "unless", a, b),
            Formula::LeadsTo(a, b) => infix(f, "leads to", a, b),
        }
    }
}
