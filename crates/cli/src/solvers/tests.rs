//! z3 against the solver in the binary, and processes that do not do as z3 does.

use super::*;
use raddle_abstraction::solver::{Name, Session};
use raddle_abstraction::terms::{Operator, Term, Terms, Var, VarInfo, WORD};
use raddle_model::Reason;
use raddle_testkit::generate::Random;
use raddle_testkit::z3::z3;

/// The small ones first.
const RANGES: [(i64, i64); 4] = [(0, 3), (-5, 17), WORD, (0, WORD.1)];

const OPERATORS: [Operator; 8] = [
    Operator::And,
    Operator::Or,
    Operator::Xor,
    Operator::ShiftLeft,
    Operator::ShiftRight,
    Operator::Divide,
    Operator::Remainder,
    Operator::Multiply,
];

/// What formulas are made of.
struct Grammar<'a> {
    vars: &'a [Var],
    /// Whether there are operations on bits, products and quotients.
    operations: bool,
}

fn number(terms: &mut Terms, random: &mut Random, grammar: &Grammar<'_>, depth: u32) -> Term {
    match random.below(if depth == 0 { 2 } else { 9 }) {
        0 => {
            let some = [0, 1, -1, 2, 3, 7, 31, 1 << 16, WORD.0, WORD.1];
            terms.number(some[random.below(some.len() as u64) as usize])
        }
        1..=3 => terms.of(grammar.vars[random.below(grammar.vars.len() as u64) as usize]),
        4..=5 => {
            let a = number(terms, random, grammar, depth - 1);
            let b = number(terms, random, grammar, depth - 1);
            terms.plus(a, b, random.below(5) as i64 - 2)
        }
        6 => {
            let a = number(terms, random, grammar, depth - 1);
            terms.wrap(a)
        }
        7 if grammar.operations => {
            let a = number(terms, random, grammar, depth - 1);
            let b = number(terms, random, grammar, depth - 1);
            // Products and quotients of two unknown numbers take either solver minutes.
            let some = OPERATORS[random.below(5) as usize];
            let b = match random.below(3) {
                0 => terms.number(random.below(9) as i64 - 3),
                _ => b,
            };
            let operator = match terms.as_number(b) {
                Some(_) => OPERATORS[random.below(OPERATORS.len() as u64) as usize],
                None => some,
            };
            terms.operation(operator, a, b)
        }
        _ => {
            let condition = formula(terms, random, grammar, depth - 1);
            let a = number(terms, random, grammar, depth - 1);
            let b = number(terms, random, grammar, depth - 1);
            terms.choose(condition, a, b)
        }
    }
}

fn formula(terms: &mut Terms, random: &mut Random, grammar: &Grammar<'_>, depth: u32) -> Term {
    match random.below(if depth == 0 { 2 } else { 5 }) {
        0 => {
            let (a, b) = (
                number(terms, random, grammar, depth),
                number(terms, random, grammar, depth),
            );
            terms.at_least(a, b)
        }
        1 => {
            let (a, b) = (
                number(terms, random, grammar, depth),
                number(terms, random, grammar, depth),
            );
            terms.equal(a, b)
        }
        2 => {
            let a = formula(terms, random, grammar, depth - 1);
            terms.not(a)
        }
        3 => {
            let (a, b) = (
                formula(terms, random, grammar, depth - 1),
                formula(terms, random, grammar, depth - 1),
            );
            terms.and(a, b)
        }
        _ => {
            let (a, b) = (
                formula(terms, random, grammar, depth - 1),
                formula(terms, random, grammar, depth - 1),
            );
            terms.or(a, b)
        }
    }
}

fn named(session: &mut dyn Session, terms: &Terms, formulas: &[Term]) -> Vec<(Name, bool)> {
    let names = formulas.iter().map(|&it| (session.name(terms, it), true));
    names.collect()
}

/// What an example says is true of a solver that is asked about its numbers.
fn accepts(
    asked: &dyn Solver,
    terms: &mut Terms,
    formulas: &[Term],
    vars: &[Var],
    example: &dyn Session,
) -> bool {
    let mut session = asked.session();
    for &formula in formulas {
        session.assert(terms, formula);
    }
    for &var in vars {
        if let Some(value) = example.number(var) {
            let (of, value) = (terms.of(var), terms.number(value));
            let is_it = terms.equal(of, value);
            session.assert(terms, is_it);
        }
    }
    session.solve(&[])
}

#[test]
fn z3_and_the_solver_in_the_binary_agree() {
    let path = z3();
    let started = Z3::start(Command::new(path), path, LONGEST, &StopFlag::default());
    let z3 = Smt::new(Box::new(started.expect("z3 starts")));
    let mut random = Random(53);
    let (mut yes, mut no, mut smaller) = ([0, 0], [0, 0], 0);
    for round in 0..400 {
        let mut terms = Terms::default();
        let vars: Vec<Var> = (0..3)
            .map(|number| {
                // Sums of several large numbers take the solver in the binary minutes.
                let is_small = round % 2 == 1 && number > 0;
                let ranges = if is_small { &RANGES[..2] } else { &RANGES[..] };
                terms.var(VarInfo {
                    name: format!("x{number}"),
                    range: Some(ranges[random.below(ranges.len() as u64) as usize]),
                    choice: false,
                })
            })
            .collect();
        let grammar = Grammar {
            vars: &vars,
            operations: round % 2 == 0,
        };
        let count = 2 + random.below(4);
        let formulas: Vec<Term> = (0..count)
            .map(|_| formula(&mut terms, &mut random, &grammar, 2))
            .collect();
        let shown: Vec<String> = formulas.iter().map(|&it| terms.show(it)).collect();
        let (mut ours, mut theirs) = (Propositional.session(), z3.session());
        let assumed = named(&mut *ours, &terms, &formulas);
        let assumed_there = named(&mut *theirs, &terms, &formulas);
        let answer = ours.solve(&assumed);
        assert_eq!(
            theirs.solve(&assumed_there),
            answer,
            "round {round}: {shown:?}"
        );
        assert_eq!(z3.failure(), None, "round {round}: {shown:?}");
        if answer {
            yes[round % 2] += 1;
            assert!(
                accepts(&z3, &mut terms, &formulas, &vars, &*ours),
                "{round}: {shown:?}"
            );
            assert!(
                accepts(&Propositional, &mut terms, &formulas, &vars, &*theirs),
                "{round}: {shown:?}"
            );
            continue;
        }
        no[round % 2] += 1;
        let core = theirs.core();
        smaller += usize::from(core.len() < assumed.len());
        let core: Vec<(Name, bool)> = assumed_there
            .iter()
            .zip(&assumed)
            .filter(|((there, _), _)| core.contains(there))
            .map(|(_, here)| *here)
            .collect();
        assert!(!ours.solve(&core), "round {round}: {shown:?}");
    }
    let few = |numbers: [usize; 2]| numbers.iter().any(|&it| it < 20);
    let told = format!("{yes:?} yes, {no:?} no, {smaller} with smaller cores");
    assert!(!few(yes) && !few(no) && smaller > 10, "{told}");
}

/// A solver that is a script of the shell.
fn script(text: &str, longest: Duration, stop: &StopFlag) -> Smt {
    let mut shell = Command::new("sh");
    shell.args(["-c", text]);
    let started = Z3::start(shell, Path::new("sh"), longest, stop);
    Smt::new(Box::new(started.expect("it starts")))
}

/// Asks whether something is true that z3 knows is not, and why there was no answer.
fn failure(solver: &Smt) -> Option<String> {
    let mut terms = Terms::default();
    let never = terms.bool(false);
    let mut session = solver.session();
    session.assert(&terms, never);
    // Never *no*.
    assert!(session.solve(&[]));
    solver.failure()
}

#[test]
fn a_solver_that_does_not_answer_is_ended() {
    let begun = Instant::now();
    let stop = StopFlag::default();
    let ended = Some("z3 ended in the middle of a question".to_owned());
    assert_eq!(failure(&script("exit 0", LONGEST, &stop)), ended);
    assert_eq!(
        failure(&script("read line; echo unsat", LONGEST, &stop)),
        ended
    );
    let slow = "read line; sleep 90";
    let told = failure(&script(slow, Duration::from_millis(50), &stop));
    let wanted = "z3 did not answer a question within 0.05 s, and was ended";
    assert_eq!(told.as_deref(), Some(wanted));
    stop.set(&Reason::Time);
    let told = failure(&script(slow, LONGEST, &stop));
    assert_eq!(
        told.as_deref(),
        Some("z3 was ended, because raddle had to stop")
    );
    assert!(begun.elapsed() < LONGEST);
}
