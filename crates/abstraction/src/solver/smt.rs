//! A solver that is another program and reads SMT-LIB 2, such as z3.
//!
//! Numbers are integers (`QF_LIA`) as long as there are sums and comparisons only: as vectors of
//! bits, questions about them take minutes. From the first operation on bits, product or quotient
//! on they are vectors of bits (`QF_BV`), each as wide as its bounds demand, so that sums are
//! exact. In both logics every question has an answer. Each term is defined once by a name of its
//! own. What is asked goes through a [`Channel`]: this module has no processes. A session
//! collects text, and sends it when it is asked; another session in between makes it say
//! everything again.
//!
//! Whatever goes wrong, from a program that ends in the middle to an answer that makes no sense, is
//! a failure of the solver ([`Solver::failure`]), and no question is answered by *no* from
//! then on.

use super::bits::{bounds_of, width_of};
use super::{Name, Session, Solver};
use crate::terms::{Node, Operator, Term, Terms, Var};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The way to a solver, and back.
pub trait Channel {
    /// Sends commands, and returns what is printed for all of them. The error says why there is
    /// no answer; nothing is asked any more then.
    fn ask(&mut self, commands: &str) -> Result<String, String>;
}

/// A solver at the other end of a channel.
pub struct Smt {
    shared: Rc<RefCell<Shared>>,
}

struct Shared {
    channel: Box<dyn Channel>,
    /// How many sessions there were.
    sessions: u64,
    /// The session whose text the solver has.
    current: Option<u64>,
    failure: Option<String>,
}

/// What each session begins with, before its logic.
const PREAMBLE: &str = "(reset)\n(set-option :produce-models true)\n\
                        (set-option :produce-unsat-cores true)\n";

/// What numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Theory {
    Integers,
    Bits,
}

/// The machine's words.
const WORD_BITS: usize = 32;

/// The width at which quotients of words are exact.
const QUOTIENT_BITS: usize = 33;

impl Smt {
    /// Asks through a channel.
    pub fn new(channel: Box<dyn Channel>) -> Smt {
        let shared = Shared {
            channel,
            sessions: 0,
            current: None,
            failure: None,
        };
        Smt {
            shared: Rc::new(RefCell::new(shared)),
        }
    }
}

impl Solver for Smt {
    fn session(&self) -> Box<dyn Session> {
        let mut shared = self.shared.borrow_mut();
        shared.sessions += 1;
        Box::new(Conversation {
            number: shared.sessions,
            shared: Rc::clone(&self.shared),
            theory: Theory::Integers,
            script: String::new(),
            sent: 0,
            defined: 0,
            plain: HashSet::new(),
            named: Vec::new(),
            clauses: Vec::new(),
            bools: HashMap::new(),
            numbers: HashMap::new(),
            vars: Vec::new(),
            values: HashMap::new(),
            core: Vec::new(),
        })
    }

    fn failure(&self) -> Option<String> {
        self.shared.borrow().failure.clone()
    }
}

struct Conversation {
    number: u64,
    shared: Rc<RefCell<Shared>>,
    theory: Theory,
    /// All that was said, and how much of it the solver has.
    script: String,
    sent: usize,
    defined: usize,
    /// Terms that integers suffice for.
    plain: HashSet<Term>,
    /// The formulas that have names, and what was asserted of them.
    named: Vec<Term>,
    clauses: Vec<Vec<(Name, bool)>>,
    bools: HashMap<Term, String>,
    numbers: HashMap<Term, (String, usize)>,
    /// The variables; the bits of numbers, if they are made of bits.
    vars: Vec<(Var, Option<usize>)>,
    /// The example, after *yes*.
    values: HashMap<String, i64>,
    core: Vec<Name>,
}

/// Formulas as text.
impl Conversation {
    /// Whether integers suffice for a term.
    fn is_plain(&mut self, terms: &Terms, term: Term) -> bool {
        if self.plain.contains(&term) {
            return true;
        }
        let parts = match terms.node(term) {
            Node::Bool(_) | Node::Var(_) => Vec::new(),
            Node::Sum(parts, _) => parts.iter().map(|(part, _)| *part).collect(),
            Node::Wrap(a) | Node::AtLeast(a, _) | Node::Is(a, _) | Node::Not(a) => vec![*a],
            Node::If(a, b, c) => vec![*a, *b, *c],
            Node::And(a, b) | Node::Or(a, b) => vec![*a, *b],
            Node::Operation(..) => return false,
        };
        let is_plain = parts.into_iter().all(|it| self.is_plain(terms, it));
        if is_plain {
            self.plain.insert(term);
        }
        is_plain
    }

    /// Says everything again, with bits.
    fn in_bits(&mut self, terms: &Terms) {
        self.theory = Theory::Bits;
        self.script.clear();
        self.sent = 0;
        // What the solver has is something else now.
        self.shared.borrow_mut().current = None;
        self.bools.clear();
        self.numbers.clear();
        self.vars.clear();
        for (number, formula) in (0..).zip(self.named.clone()) {
            self.declare(terms, Name(number), formula);
        }
        for clause in self.clauses.clone() {
            self.clause(&clause);
        }
    }

    fn declare(&mut self, terms: &Terms, name: Name, formula: Term) {
        let text = self.formula(terms, formula);
        let shown = literal(&(name, true));
        self.say(&format!("(declare-const {shown} Bool)"));
        self.say(&format!("(assert (= {shown} {text}))"));
    }

    fn clause(&mut self, formulas: &[(Name, bool)]) {
        let literals: Vec<String> = formulas.iter().map(literal).collect();
        let command = match literals.as_slice() {
            [] => "(assert false)".to_owned(),
            [one] => format!("(assert {one})"),
            many => format!("(assert (or {}))", many.join(" ")),
        };
        self.say(&command);
    }

    fn say(&mut self, command: &str) {
        self.script.push_str(command);
        self.script.push('\n');
    }

    /// A name for a term of a sort.
    fn define(&mut self, sort: &str, text: &str) -> String {
        self.defined += 1;
        let name = format!("t{}", self.defined);
        self.say(&format!("(define-fun {name} () {sort} {text})"));
        name
    }

    /// Something of which nothing is known.
    fn anything(&mut self, width: usize) -> String {
        self.defined += 1;
        let name = format!("t{}", self.defined);
        self.say(&format!("(declare-const {name} {})", sort(width)));
        name
    }

    fn var(&mut self, terms: &Terms, var: Var) -> String {
        let known = self.vars.iter().position(|(it, _)| *it == var);
        if let Some(place) = known {
            return format!("v{place}");
        }
        let name = format!("v{}", self.vars.len());
        let range = terms.info(var).range;
        let width = range.map(width_of).filter(|_| self.theory == Theory::Bits);
        self.vars.push((var, width));
        let is = match (range, width) {
            (None, _) => "Bool".to_owned(),
            (Some(_), None) => "Int".to_owned(),
            (Some(_), Some(width)) => sort(width),
        };
        self.say(&format!("(declare-const {name} {is})"));
        if let (Some((low, high)), None) = (range, width) {
            let (low, high) = (integer(low), integer(high));
            self.say(&format!("(assert (<= {low} {name} {high}))"));
        }
        if let (Some((low, high)), Some(width)) = (range, width) {
            let (least, most) = bounds_of(width);
            if low > least {
                let low = constant(low, width);
                self.say(&format!("(assert (bvsge {name} {low}))"));
            }
            if high < most {
                let high = constant(high, width);
                self.say(&format!("(assert (bvsle {name} {high}))"));
            }
        }
        name
    }

    /// A number as an integer.
    fn integer(&mut self, terms: &Terms, term: Term) -> String {
        if let Some((known, _)) = self.numbers.get(&term) {
            return known.clone();
        }
        let text = match terms.node(term).clone() {
            Node::Var(var) if !terms.is_bool(term) => self.var(terms, var),
            Node::Sum(parts, number) => {
                let mut sum = format!("(+ {}", integer(number));
                for (part, factor) in parts {
                    let part = self.integer(terms, part);
                    sum.push_str(&format!(" (* {} {part})", integer(factor)));
                }
                sum + " 0)"
            }
            Node::Wrap(inner) => {
                let inner = self.integer(terms, inner);
                let (half, whole) = (1i64 << (WORD_BITS - 1), 1i64 << WORD_BITS);
                format!("(- (mod (+ {inner} {half}) {whole}) {half})")
            }
            Node::If(condition, then, otherwise) if !terms.is_bool(term) => {
                let condition = self.formula(terms, condition);
                let then = self.integer(terms, then);
                let otherwise = self.integer(terms, otherwise);
                format!("(ite {condition} {then} {otherwise})")
            }
            _ => format!("(ite {} 1 0)", self.formula(terms, term)),
        };
        let name = self.define("Int", &text);
        self.numbers.insert(term, (name.clone(), 0));
        name
    }

    /// A number, with the width of its bounds.
    fn bits(&mut self, terms: &Terms, term: Term) -> (String, usize) {
        if let Some(known) = self.numbers.get(&term) {
            return known.clone();
        }
        let width = width_of(terms.range(term));
        let text = match terms.node(term).clone() {
            Node::Var(var) if !terms.is_bool(term) => self.var(terms, var),
            Node::Sum(parts, number) => {
                let mut sum = constant(number, width);
                for (part, factor) in parts {
                    let part = self.bits(terms, part);
                    let part = resized(&part, width);
                    sum = match factor {
                        1 => format!("(bvadd {sum} {part})"),
                        -1 => format!("(bvsub {sum} {part})"),
                        _ => format!("(bvadd {sum} (bvmul {} {part}))", constant(factor, width)),
                    };
                }
                sum
            }
            Node::Wrap(inner) => resized(&self.bits(terms, inner), WORD_BITS),
            Node::If(condition, then, otherwise) if !terms.is_bool(term) => {
                let condition = self.formula(terms, condition);
                let (then, otherwise) = (self.bits(terms, then), self.bits(terms, otherwise));
                let (then, otherwise) = (resized(&then, width), resized(&otherwise, width));
                format!("(ite {condition} {then} {otherwise})")
            }
            Node::Operation(operator, a, b) => {
                let (a, b) = (self.bits(terms, a), self.bits(terms, b));
                self.operation(operator, &a, &b, width)
            }
            _ => {
                let truth = self.formula(terms, term);
                let (one, zero) = (constant(1, width), constant(0, width));
                format!("(ite {truth} {one} {zero})")
            }
        };
        let named = (self.define(&sort(width), &text), width);
        self.numbers.insert(term, named.clone());
        named
    }

    fn operation(
        &mut self,
        operator: Operator,
        a: &(String, usize),
        b: &(String, usize),
        width: usize,
    ) -> String {
        let word = |it: &(String, usize)| resized(it, WORD_BITS);
        let on_words = |name: &str| {
            let both = format!("({name} {} {})", word(a), word(b));
            resized(&(both, WORD_BITS), width)
        };
        let shifted = |name: &str| {
            // The machine shifts by the low bits of the distance.
            let mask = constant(WORD_BITS as i64 - 1, WORD_BITS);
            let moved = format!("({name} {} (bvand {} {mask}))", word(a), word(b));
            resized(&(moved, WORD_BITS), width)
        };
        match operator {
            Operator::And => on_words("bvand"),
            Operator::Or => on_words("bvor"),
            Operator::Xor => on_words("bvxor"),
            Operator::ShiftLeft => shifted("bvshl"),
            Operator::ShiftRight => shifted("bvashr"),
            Operator::Multiply => {
                format!("(bvmul {} {})", resized(a, width), resized(b, width))
            }
            Operator::Divide | Operator::Remainder => {
                let name = match operator {
                    Operator::Divide => "bvsdiv",
                    _ => "bvsrem",
                };
                let (a, b) = (resized(a, QUOTIENT_BITS), resized(b, QUOTIENT_BITS));
                let exact = resized(&(format!("({name} {a} {b})"), QUOTIENT_BITS), width);
                // By zero nothing is said.
                let zero = constant(0, QUOTIENT_BITS);
                let anything = self.anything(width);
                format!("(ite (= {b} {zero}) {anything} {exact})")
            }
        }
    }

    /// Compares a number with a constant: whether it is that, or at least that. Bits have a width
    /// that has room for both.
    fn compared(&mut self, terms: &Terms, is_equation: bool, sum: Term, number: i64) -> String {
        let sign = match (is_equation, self.theory) {
            (true, _) => "=",
            (false, Theory::Integers) => ">=",
            (false, Theory::Bits) => "bvsge",
        };
        if self.theory == Theory::Integers {
            let sum = self.integer(terms, sum);
            return format!("({sign} {sum} {})", integer(number));
        }
        let sum = self.bits(terms, sum);
        let width = sum.1.max(width_of((number, number)));
        format!(
            "({sign} {} {})",
            resized(&sum, width),
            constant(number, width)
        )
    }

    fn formula(&mut self, terms: &Terms, term: Term) -> String {
        if let Some(known) = self.bools.get(&term) {
            return known.clone();
        }
        let text = match *terms.node(term) {
            Node::Bool(value) => value.to_string(),
            Node::Var(var) if terms.is_bool(term) => self.var(terms, var),
            Node::Not(inner) => format!("(not {})", self.formula(terms, inner)),
            Node::And(a, b) => {
                let (a, b) = (self.formula(terms, a), self.formula(terms, b));
                format!("(and {a} {b})")
            }
            Node::Or(a, b) => {
                let (a, b) = (self.formula(terms, a), self.formula(terms, b));
                format!("(or {a} {b})")
            }
            Node::AtLeast(sum, bound) => self.compared(terms, false, sum, bound),
            Node::Is(sum, value) => self.compared(terms, true, sum, value),
            Node::If(condition, then, otherwise) if terms.is_bool(term) => {
                let condition = self.formula(terms, condition);
                let then = self.formula(terms, then);
                let otherwise = self.formula(terms, otherwise);
                format!("(ite {condition} {then} {otherwise})")
            }
            Node::Var(_) | Node::If(..) | Node::Sum(..) | Node::Operation(..) | Node::Wrap(_) => {
                format!("(not {})", self.compared(terms, true, term, 0))
            }
        };
        let name = self.define("Bool", &text);
        self.bools.insert(term, name.clone());
        name
    }
}

/// Questions and answers.
impl Conversation {
    fn check(&mut self, assumed: &[(Name, bool)]) -> Result<bool, String> {
        let literals: Vec<String> = assumed.iter().map(literal).collect();
        let mut commands = String::new();
        {
            let mut shared = self.shared.borrow_mut();
            if shared.current != Some(self.number) {
                shared.current = Some(self.number);
                commands.push_str(PREAMBLE);
                commands.push_str(match self.theory {
                    Theory::Integers => "(set-logic QF_LIA)\n",
                    Theory::Bits => "(set-logic QF_BV)\n",
                });
                self.sent = 0;
            }
        }
        commands.push_str(self.script.get(self.sent..).unwrap_or_default());
        self.sent = self.script.len();
        commands.push_str(&match literals.is_empty() {
            true => "(check-sat)\n".to_owned(),
            false => format!("(check-sat-assuming ({}))\n", literals.join(" ")),
        });
        let answer = self.ask(&commands)?;
        match answer.trim() {
            "sat" => {
                self.example()?;
                Ok(true)
            }
            "unsat" => {
                self.contradiction(assumed)?;
                Ok(false)
            }
            "unknown" => Err("the solver does not know".to_owned()),
            other => Err(format!("the solver answered `{}`", shortened(other))),
        }
    }

    fn ask(&self, commands: &str) -> Result<String, String> {
        self.shared.borrow_mut().channel.ask(commands)
    }

    /// The values of all names and variables.
    fn example(&mut self) -> Result<(), String> {
        let names = (0..).zip(&self.named);
        let names = names.map(|(number, _)| literal(&(Name(number), true)));
        let vars = (0..self.vars.len()).map(|it| format!("v{it}"));
        let all: Vec<String> = names.chain(vars).collect();
        if all.is_empty() {
            return Ok(());
        }
        let answer = self.ask(&format!("(get-value ({}))\n", all.join(" ")))?;
        let parts = answer.split(|c: char| c.is_whitespace() || c == '(' || c == ')');
        let mut parts = parts.filter(|it| !it.is_empty());
        while let (Some(name), Some(first)) = (parts.next(), parts.next()) {
            let value = match first {
                "-" => parts.next().and_then(value_of).and_then(i64::checked_neg),
                first => value_of(first),
            };
            if let Some(value) = value {
                self.values.insert(name.to_owned(), value);
            }
        }
        match all.iter().find(|it| !self.values.contains_key(*it)) {
            None => Ok(()),
            Some(_) => Err(format!("the solver answered `{}`", shortened(&answer))),
        }
    }

    /// The assumptions that contradict each other.
    fn contradiction(&mut self, assumed: &[(Name, bool)]) -> Result<(), String> {
        if assumed.is_empty() {
            return Ok(());
        }
        let answer = self.ask("(get-unsat-core)\n")?;
        let parts = answer.split(|c: char| c.is_whitespace() || c == '(' || c == ')');
        let parts = parts.filter(|it| !it.is_empty() && *it != "not");
        for part in parts {
            let mut names = assumed.iter().map(|(name, _)| *name);
            let name = names.find(|it| literal(&(*it, true)) == part);
            let Some(name) = name else {
                return Err(format!("the solver answered `{}`", shortened(&answer)));
            };
            self.core.push(name);
        }
        Ok(())
    }
}

impl Session for Conversation {
    fn name(&mut self, terms: &Terms, formula: Term) -> Name {
        if self.theory == Theory::Integers && !self.is_plain(terms, formula) {
            self.in_bits(terms);
        }
        let name = Name(self.named.len() as u32);
        self.named.push(formula);
        self.declare(terms, name, formula);
        name
    }

    fn assert_any(&mut self, formulas: &[(Name, bool)]) {
        self.clauses.push(formulas.to_vec());
        self.clause(formulas);
    }

    fn solve(&mut self, assumed: &[(Name, bool)]) -> bool {
        self.values.clear();
        self.core.clear();
        if self.shared.borrow().failure.is_some() {
            return true;
        }
        match self.check(assumed) {
            Ok(answer) => answer,
            Err(why) => {
                self.shared.borrow_mut().failure = Some(why);
                true
            }
        }
    }

    fn value(&self, name: Name) -> bool {
        self.values.get(&literal(&(name, true))) == Some(&1)
    }

    fn number(&self, var: Var) -> Option<i64> {
        let place = self.vars.iter().position(|(it, _)| *it == var)?;
        let value = *self.values.get(&format!("v{place}"))?;
        Some(match self.vars[place].1 {
            // The first bit is the sign.
            Some(width) if width < 64 && value >> (width - 1) & 1 == 1 => value - (1 << width),
            _ => value,
        })
    }

    fn core(&self) -> Vec<Name> {
        self.core.clone()
    }
}

fn literal((name, value): &(Name, bool)) -> String {
    match value {
        true => format!("n{}", name.0),
        false => format!("(not n{})", name.0),
    }
}

/// A number as an integer.
fn integer(value: i64) -> String {
    match value < 0 {
        true => format!("(- {})", value.unsigned_abs()),
        false => value.to_string(),
    }
}

fn sort(width: usize) -> String {
    format!("(_ BitVec {width})")
}

/// A number in two's complement.
fn constant(value: i64, width: usize) -> String {
    let bits = i128::from(value) & ((1i128 << width) - 1);
    format!("(_ bv{bits} {width})")
}

/// The same number with another width. Cutting off is right only if it fits.
fn resized((text, from): &(String, usize), to: usize) -> String {
    match to.cmp(from) {
        std::cmp::Ordering::Equal => text.clone(),
        std::cmp::Ordering::Greater => format!("((_ sign_extend {}) {text})", to - from),
        std::cmp::Ordering::Less => format!("((_ extract {} 0) {text})", to.saturating_sub(1)),
    }
}

/// A truth value, an integer, or the bits of a number without their sign.
fn value_of(text: &str) -> Option<i64> {
    let prefix = text.get(..2).unwrap_or_default();
    let (digits, radix) = match (text, prefix) {
        ("true", _) => return Some(1),
        ("false", _) => return Some(0),
        (_, "#x") => (text.get(2..)?, 16),
        (_, "#b") => (text.get(2..)?, 2),
        _ => return text.parse().ok(),
    };
    let bits = u128::from_str_radix(digits, radix).ok()?;
    // No variable has more bits, and that many are the sign as well.
    Some(bits as u64 as i64)
}

/// The beginning of an answer.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 120;
    text.trim().chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::VarInfo;
    use std::collections::VecDeque;

    /// Says what it was told to say.
    struct Script(VecDeque<Result<&'static str, &'static str>>);

    impl Channel for Script {
        fn ask(&mut self, _: &str) -> Result<String, String> {
            let next = self.0.pop_front().expect("nothing more is asked");
            next.map(str::to_owned).map_err(str::to_owned)
        }
    }

    fn question(answers: &[Result<&'static str, &'static str>]) -> (Smt, Vec<bool>, Option<i64>) {
        let mut terms = Terms::default();
        let var = terms.var(VarInfo {
            name: "x".to_owned(),
            range: Some((-2, 1)),
            choice: false,
        });
        let x = terms.of(var);
        let zero = terms.number(0);
        let formula = terms.at_least(x, zero);
        let solver = Smt::new(Box::new(Script(answers.iter().copied().collect())));
        let mut session = solver.session();
        let name = session.name(&terms, formula);
        let solved = session.solve(&[(name, false)]);
        let again = session.solve(&[]);
        let number = session.number(var);
        (solver, vec![solved, again], number)
    }

    #[test]
    fn values_have_their_signs() {
        let example = Ok("((n0 false)\n (v0 (- 2)))\n");
        let (solver, solved, number) = question(&[Ok("sat\n"), example, Ok("sat\n"), example]);
        assert_eq!((solved, number), (vec![true, true], Some(-2)));
        assert_eq!(solver.failure(), None);
    }

    /// Nothing that is not an answer may be taken for *no*, and after it nothing is asked.
    #[test]
    fn what_is_no_answer_is_a_failure() {
        let wrong: [&[Result<&'static str, &'static str>]; 7] = [
            &[Err("it ended")],
            &[Ok("unknown\n")],
            &[Ok("")],
            &[Ok("(error \"line 1 column 1: out of memory\")\nunsat\n")],
            &[Ok("sat\n"), Ok("(error \"no model\")")],
            &[Ok("unsat\n"), Ok("(n7)")],
            &[Ok("unsat\n"), Err("it ended")],
        ];
        for answers in wrong {
            let (solver, solved, _) = question(answers);
            assert_eq!(solved, [true, true], "{answers:?}");
            assert!(solver.failure().is_some(), "{answers:?}");
        }
    }
}
