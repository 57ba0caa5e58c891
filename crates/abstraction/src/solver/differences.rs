//! Comparisons of differences of two numbers, as edges of a graph.
//!
//! After Cotton and Maler (Fast and flexible difference constraint propagation for DPLL(T),
//! 2006), without the propagation: the propositional solver picks comparisons, and those can
//! be true together if and only if the graph with an edge from x to y of length -c for each
//! `x - y >= c` has no cycle of negative length. If it has one, the comparisons on it
//! contradict each other, and the solver picks again. Bounds of variables are edges to a node
//! that stands for zero. What wraps around is one of a few sums that do not.

use super::gates::Gates;
use super::{Name, Session};
use crate::terms::{Node, Term, Terms, Var, WORD};
use batsat::Lit;
use std::collections::{BTreeMap, HashMap};

/// Larger numbers are left to bits: sums along a path must not overflow.
const FAR: i64 = 1 << 40;
/// How many values a number may have before it wraps, in multiples of 32 bits.
const MOST_TURNS: i64 = 8;
/// After so many looks at edges of the graph a session answers that what is asked is possible:
/// more is possible then than is, so that nothing is proved by it.
const MOST_WORK: u64 = 50_000_000;
/// The node of zero.
const ZERO: usize = 0;

/// `from` minus `to` is at least `least`, if the formula is true.
#[derive(Clone, Copy)]
struct Comparison {
    from: usize,
    to: usize,
    least: i64,
    lit: Lit,
}

/// `to` is at most `from` plus `length`, and who says so; nobody if it is always true.
#[derive(Clone, Copy)]
struct Arc {
    from: usize,
    to: usize,
    length: i64,
    because: Option<Lit>,
}

/// A session about differences.
pub(super) struct Differences {
    gates: Gates,
    formulas: HashMap<Term, Lit>,
    sayable: HashMap<Term, bool>,
    truths: HashMap<Var, Lit>,
    nodes: HashMap<Term, usize>,
    vars: HashMap<Var, usize>,
    bounds: Vec<Arc>,
    comparisons: Vec<Comparison>,
    known: HashMap<(usize, usize), BTreeMap<i64, Lit>>,
    /// Numbers for the nodes, from the last check on.
    values: Vec<i64>,
    /// How many edges were looked at.
    work: u64,
}

impl Differences {
    pub(super) fn new() -> Differences {
        Differences {
            gates: Gates::new(),
            formulas: HashMap::new(),
            sayable: HashMap::new(),
            truths: HashMap::new(),
            nodes: HashMap::new(),
            vars: HashMap::new(),
            bounds: Vec::new(),
            comparisons: Vec::new(),
            known: HashMap::new(),
            values: vec![0],
            work: 0,
        }
    }

    /// Whether a formula, or a number, is about differences only.
    pub(super) fn can_say(&mut self, terms: &Terms, term: Term) -> bool {
        if let Some(&known) = self.sayable.get(&term) {
            return known;
        }
        let can = match terms.is_bool(term) {
            true => self.can_say_formula(terms, term),
            false => self.can_say_number(terms, term),
        };
        self.sayable.insert(term, can);
        can
    }

    fn can_say_formula(&mut self, terms: &Terms, formula: Term) -> bool {
        match terms.node(formula) {
            Node::Bool(_) | Node::Var(_) => true,
            Node::Not(a) => self.can_say(terms, *a),
            Node::And(a, b) | Node::Or(a, b) => self.can_say(terms, *a) && self.can_say(terms, *b),
            Node::If(a, b, c) => [a, b, c].into_iter().all(|it| self.can_say(terms, *it)),
            Node::AtLeast(sum, number) | Node::Is(sum, number) => {
                let parts = match terms.node(*sum) {
                    Node::Sum(parts, 0) => parts.as_slice(),
                    Node::Sum(..) => return false,
                    _ => &[(*sum, 1)],
                };
                let is_difference = match parts {
                    [(_, 1)] => true,
                    [(_, a), (_, b)] => a.abs() == 1 && *a == -*b,
                    _ => false,
                };
                let is_number = |it: Term| !terms.is_bool(it);
                let mut parts = parts.iter().map(|(part, _)| *part);
                is_difference
                    && number.abs() < FAR
                    && parts.all(|part| is_number(part) && self.can_say(terms, part))
            }
            Node::Sum(..) | Node::Operation(..) | Node::Wrap(_) => false,
        }
    }

    /// Whether a number is another one and a constant.
    fn can_say_number(&mut self, terms: &Terms, number: Term) -> bool {
        let (low, high) = terms.range(number);
        if low < -FAR || high > FAR {
            return false;
        }
        match terms.node(number) {
            Node::Var(_) => true,
            Node::Sum(parts, constant) => match parts.as_slice() {
                [] => constant.abs() < FAR,
                [(part, 1)] => constant.abs() < FAR && self.can_say(terms, *part),
                _ => false,
            },
            Node::If(condition, then, otherwise) => {
                let parts = [condition, then, otherwise];
                !terms.is_bool(*otherwise) && parts.into_iter().all(|it| self.can_say(terms, *it))
            }
            Node::Wrap(inner) => {
                let (low, high) = turns(terms.range(*inner));
                high - low < MOST_TURNS && self.can_say(terms, *inner)
            }
            _ => false,
        }
    }

    fn node(&mut self, (low, high): (i64, i64)) -> usize {
        self.values.push(0);
        let node = self.values.len() - 1;
        let always = |from, to, length| Arc {
            from,
            to,
            length,
            because: None,
        };
        self.bounds.push(always(ZERO, node, high));
        self.bounds.push(always(node, ZERO, -low));
        node
    }

    /// A number as a node and what is added to it.
    fn number(&mut self, terms: &Terms, number: Term) -> (usize, i64) {
        if let Some(&node) = self.nodes.get(&number) {
            return (node, 0);
        }
        let node = match terms.node(number) {
            Node::Sum(parts, constant) => {
                return match parts.first() {
                    None => (ZERO, *constant),
                    Some((part, _)) => {
                        let (node, more) = self.number(terms, *part);
                        (node, more + constant)
                    }
                };
            }
            Node::Var(var) => {
                let node = self.node(terms.range(number));
                self.vars.insert(*var, node);
                node
            }
            Node::If(condition, then, otherwise) => {
                let node = self.node(terms.range(number));
                let condition = self.formula(terms, *condition);
                for (value, not) in [(*then, !condition), (*otherwise, condition)] {
                    let same = self.number(terms, value);
                    let same = self.is(node, same.0, same.1);
                    self.gates.clause(&[not, same]);
                }
                node
            }
            Node::Wrap(inner) => {
                let node = self.node(WORD);
                let (low, high) = turns(terms.range(*inner));
                let (inner, more) = self.number(terms, *inner);
                let cases: Vec<Lit> = (low..=high)
                    .map(|turn| self.is(node, inner, more - (turn << 32)))
                    .collect();
                self.gates.clause(&cases);
                node
            }
            // Whoever asks has asked whether it can be said.
            _ => self.node(terms.range(number)),
        };
        self.nodes.insert(number, node);
        node_of(node)
    }

    /// Whether one number exceeds another by exactly so much.
    fn is(&mut self, from: usize, to: usize, value: i64) -> Lit {
        let above = self.at_least(from, to, value);
        let beyond = self.at_least(from, to, value + 1);
        self.gates.and(above, !beyond)
    }

    /// Whether one number exceeds another by so much.
    fn at_least(&mut self, from: usize, to: usize, least: i64) -> Lit {
        if from == to {
            return self.gates.constant(least <= 0);
        }
        if from > to {
            return !self.at_least(to, from, 1 - least);
        }
        let of_both = self.known.entry((from, to)).or_default();
        if let Some(&lit) = of_both.get(&least) {
            return lit;
        }
        let lit = self.gates.fresh();
        let below = of_both.range(..least).next_back().map(|(_, lit)| *lit);
        let above = of_both.range(least..).next().map(|(_, lit)| *lit);
        of_both.insert(least, lit);
        if let Some(below) = below {
            self.gates.clause(&[!lit, below]);
        }
        if let Some(above) = above {
            self.gates.clause(&[!above, lit]);
        }
        self.comparisons.push(Comparison {
            from,
            to,
            least,
            lit,
        });
        lit
    }

    fn formula(&mut self, terms: &Terms, formula: Term) -> Lit {
        if let Some(&lit) = self.formulas.get(&formula) {
            return lit;
        }
        let lit = match *terms.node(formula) {
            Node::Bool(value) => self.gates.constant(value),
            Node::Var(var) => {
                let gates = &mut self.gates;
                *self.truths.entry(var).or_insert_with(|| gates.fresh())
            }
            Node::Not(a) => !self.formula(terms, a),
            Node::And(a, b) => {
                let (a, b) = (self.formula(terms, a), self.formula(terms, b));
                self.gates.and(a, b)
            }
            Node::Or(a, b) => {
                let (a, b) = (self.formula(terms, a), self.formula(terms, b));
                self.gates.or(a, b)
            }
            Node::If(a, b, c) => {
                let (a, b) = (self.formula(terms, a), self.formula(terms, b));
                let c = self.formula(terms, c);
                self.gates.mux(a, b, c)
            }
            Node::AtLeast(sum, number) | Node::Is(sum, number) => {
                let ((from, more), (to, less)) = self.sides(terms, sum);
                let number = number - more + less;
                match terms.node(formula) {
                    Node::Is(..) => self.is(from, to, number),
                    _ => self.at_least(from, to, number),
                }
            }
            // Whoever asks has asked whether it can be said.
            Node::Sum(..) | Node::Operation(..) | Node::Wrap(_) => self.gates.fresh(),
        };
        self.formulas.insert(formula, lit);
        lit
    }

    /// The number that is added in a sum, and the one that is subtracted.
    fn sides(&mut self, terms: &Terms, sum: Term) -> ((usize, i64), (usize, i64)) {
        let parts = match terms.node(sum) {
            Node::Sum(parts, _) => parts.clone(),
            _ => vec![(sum, 1)],
        };
        let (mut plus, mut minus) = (node_of(ZERO), node_of(ZERO));
        for (part, factor) in parts {
            let number = self.number(terms, part);
            match factor > 0 {
                true => plus = number,
                false => minus = number,
            }
        }
        (plus, minus)
    }

    /// The comparisons that contradict each other in what the propositional solver picked;
    /// `None` if there are numbers for all of them.
    fn conflict(&mut self) -> Option<Vec<Lit>> {
        let mut arcs = self.bounds.clone();
        for comparison in &self.comparisons {
            let Comparison {
                from,
                to,
                least,
                lit,
            } = *comparison;
            arcs.push(match self.gates.in_model(lit) {
                true => Arc {
                    from,
                    to,
                    length: -least,
                    because: Some(lit),
                },
                false => Arc {
                    from: to,
                    to: from,
                    length: least - 1,
                    because: Some(!lit),
                },
            });
        }
        let zero = self.values[ZERO];
        self.values.iter_mut().for_each(|value| *value -= zero);
        // Numbers from the last time are as good as any to begin with. After as many rounds as
        // there are nodes nothing changes, or there is a cycle.
        let mut last: Vec<Option<usize>> = vec![None; self.values.len()];
        let mut changed = None;
        for _ in 0..=self.values.len() {
            changed = None;
            self.work += arcs.len() as u64;
            for (number, arc) in arcs.iter().enumerate() {
                let reached = self.values[arc.from] + arc.length;
                if reached < self.values[arc.to] {
                    self.values[arc.to] = reached;
                    last[arc.to] = Some(number);
                    changed = Some(arc.to);
                }
            }
            changed?;
        }
        let start = changed?;
        self.values.iter_mut().for_each(|value| *value = 0);
        Some(cycle(&arcs, &last, start))
    }
}

/// The reasons on the cycle from which a node was reached.
fn cycle(arcs: &[Arc], last: &[Option<usize>], start: usize) -> Vec<Lit> {
    let before = |node: usize| last[node].map_or(node, |arc| arcs[arc].from);
    // So many steps back one is on the cycle.
    let mut node = start;
    for _ in 0..last.len() {
        node = before(node);
    }
    let first = node;
    let (mut reasons, mut length) = (Vec::new(), 0);
    loop {
        if let Some(arc) = last[node] {
            reasons.extend(arcs[arc].because);
            length += arcs[arc].length;
        }
        node = before(node);
        if node == first {
            break;
        }
    }
    assert!(length < 0, "a contradiction is a cycle of negative length");
    reasons
}

fn node_of(node: usize) -> (usize, i64) {
    (node, 0)
}

/// How often 32 bits are left, downwards and upwards, by numbers of a range.
fn turns((low, high): (i64, i64)) -> (i64, i64) {
    let turn = |number: i64| (number - WORD.0).div_euclid(1 << 32);
    (turn(low), turn(high))
}

impl Session for Differences {
    fn name(&mut self, terms: &Terms, formula: Term) -> Name {
        let lit = self.formula(terms, formula);
        self.gates.name(lit)
    }

    fn assert_any(&mut self, formulas: &[(Name, bool)]) {
        self.gates.assert_any(formulas);
    }

    fn solve(&mut self, assumed: &[(Name, bool)]) -> bool {
        loop {
            if !self.gates.solve(assumed) {
                return false;
            }
            match self.conflict() {
                None => return true,
                Some(_) if self.work > MOST_WORK => return true,
                Some(reasons) => {
                    let clause: Vec<Lit> = reasons.into_iter().map(|lit| !lit).collect();
                    self.gates.clause(&clause);
                }
            }
        }
    }

    fn value(&self, name: Name) -> bool {
        self.gates.value(name)
    }

    fn number(&self, var: Var) -> Option<i64> {
        let node = self.vars.get(&var)?;
        Some(self.values[*node] - self.values[ZERO])
    }

    fn core(&self) -> Vec<Name> {
        self.gates.core()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::bits::Blaster;
    use crate::terms::VarInfo;

    /// A sequence of numbers that looks random.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as usize % bound
        }

        fn near(&mut self, of: &[i64]) -> i64 {
            of[self.below(of.len())] + self.below(5) as i64 - 2
        }
    }

    /// A number: a variable, another one and a constant, one of two, or one that wraps.
    fn number(random: &mut Random, terms: &mut Terms, vars: &[Term], depth: usize) -> Term {
        let var = vars[random.below(vars.len())];
        match random.below(if depth == 0 { 2 } else { 5 }) {
            0 => var,
            1 => {
                let number = random.near(&[0]);
                terms.number(number)
            }
            2 | 3 => {
                let inner = number(random, terms, vars, depth - 1);
                let constant = random.near(&[0, 0, WORD.1, WORD.0]);
                let constant = terms.number(constant);
                let sum = terms.plus(inner, constant, 1);
                terms.wrap(sum)
            }
            _ => {
                let condition = formula(random, terms, vars, depth - 1);
                let then = number(random, terms, vars, depth - 1);
                let otherwise = number(random, terms, vars, depth - 1);
                terms.choose(condition, then, otherwise)
            }
        }
    }

    fn formula(random: &mut Random, terms: &mut Terms, vars: &[Term], depth: usize) -> Term {
        match random.below(if depth == 0 { 2 } else { 5 }) {
            0 | 1 => {
                let a = number(random, terms, vars, depth);
                let b = number(random, terms, vars, depth);
                let constant = random.near(&[0, 0, 0, WORD.1]);
                let constant = terms.number(constant);
                let b = terms.plus(b, constant, 1);
                match random.below(2) {
                    0 => terms.at_least(a, b),
                    _ => terms.equal(a, b),
                }
            }
            2 => {
                let inner = formula(random, terms, vars, depth - 1);
                terms.not(inner)
            }
            3 => {
                let a = formula(random, terms, vars, depth - 1);
                let b = formula(random, terms, vars, depth - 1);
                terms.and(a, b)
            }
            _ => {
                let a = formula(random, terms, vars, depth - 1);
                let b = formula(random, terms, vars, depth - 1);
                terms.or(a, b)
            }
        }
    }

    /// The graph and the bits give the same answers, and the numbers of the graph are right.
    #[test]
    fn differences_and_bits_agree() {
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        let (mut compared, mut possible, mut wrapped) = (0, 0, 0);
        for _ in 0..600 {
            let mut terms = Terms::default();
            let mut numbers = Vec::new();
            for range in [WORD, WORD, (0, 3), (-2, WORD.1)] {
                let info = VarInfo {
                    name: "x".to_owned(),
                    range: Some(range),
                    choice: false,
                };
                numbers.push(terms.var(info));
            }
            let vars: Vec<Term> = numbers.iter().map(|&var| terms.of(var)).collect();
            let formulas: Vec<Term> = (0..3 + random.below(4))
                .map(|_| formula(&mut random, &mut terms, &vars, 2))
                .collect();
            let mut graph = Differences::new();
            if !formulas.iter().all(|&it| graph.can_say(&terms, it)) {
                continue;
            }
            let mut bits = Blaster::new();
            let named = |session: &mut dyn Session| -> Vec<(Name, bool)> {
                let names = formulas.iter().map(|&it| session.name(&terms, it));
                names.map(|name| (name, true)).collect()
            };
            let (in_graph, in_bits) = (named(&mut graph), named(&mut bits));
            let found = graph.solve(&in_graph);
            assert_eq!(found, bits.solve(&in_bits), "{}", shown(&terms, &formulas));
            compared += 1;
            wrapped += usize::from(shown(&terms, &formulas).contains("wrap"));
            if !found {
                // What is left of the formulas contradicts each other, too.
                let core = graph.core();
                let core: Vec<(Name, bool)> = core.into_iter().map(|it| (it, true)).collect();
                assert!(!bits.solve(&core), "{}", shown(&terms, &formulas));
                continue;
            }
            possible += 1;
            let mut example: HashMap<Var, Term> = HashMap::new();
            for &var in &numbers {
                if let Some(value) = Session::number(&graph, var) {
                    example.insert(var, terms.number(value));
                }
            }
            for &formula in &formulas {
                let value = terms.substitute(formula, &example);
                assert_eq!(
                    terms.as_bool(value),
                    Some(true),
                    "{}",
                    shown(&terms, &[formula])
                );
            }
        }
        let impossible = compared - possible;
        assert!(
            possible > 50 && impossible > 50 && wrapped > 50,
            "{compared} {possible} {wrapped}"
        );
    }

    fn shown(terms: &Terms, formulas: &[Term]) -> String {
        let shown: Vec<String> = formulas.iter().map(|&it| terms.show(it)).collect();
        shown.join(" and ")
    }
}
