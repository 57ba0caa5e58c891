//! Abstractions that are damaged are refused.

use super::{Asked, Checker, Recipe, rebuild};
use crate::abstraction::{self, Abstraction, Options, initial_valuations};
use crate::check::{Conclusion, Question, check};
use crate::cubes::Cube;
use crate::program::Program;
use crate::queries::Queries;
use crate::refinement;
use crate::solver::Propositional;
use crate::weights::counters;
use raddle_machine::ir;
use raddle_model::StopFlag;

const ASKED: Asked = Asked {
    faults: true,
    invariants: true,
};

const MOST: u64 = 100_000;

/// A spin lock, a counter that counts threads, a lock, and a variable that only grows.
const MODELS: [&str; 4] = [
    "bool held;
     thread worker[*] {
       while (true) {
         bool got = false;
         while (!got) { atomic { got = !held; held = true; } }
         critical: skip;
         held = false;
       }
     }
     invariant mutex: count(critical) <= 1;",
    "int inside;
     thread worker[*] {
       while (true) {
         atomic { assume(inside == 0); inside = inside + 1; }
         assert(inside > 0);
         inside = inside - 1;
       }
     }",
    "lock m; int count;
     thread worker[*] {
       while (true) {
         synchronized (m) {
           int before = count;
           count = before + 1;
           assert(count == before + 1);
         }
       }
     }",
    include_str!("../../../../tests/parametric/monotone.rad"),
];

/// Some of so many steps.
fn some(steps: usize) -> impl Iterator<Item = usize> {
    (0..steps).step_by(1 + steps / 6)
}

fn compiled(text: &str) -> ir::Program {
    raddle_lang::compile(text).expect("a model")
}

fn recipes(program: &ir::Program) -> Vec<Recipe> {
    let stop = StopFlag::default();
    let question = Question::of(program, &Propositional, MOST, &stop);
    match check(&question, &mut |_| {}).answer {
        Conclusion::Holds { proofs, .. } => proofs
            .into_iter()
            .map(|proof| proof.recipe.expect("a recipe"))
            .collect(),
        other => panic!("it does not hold: {other:?}"),
    }
}

/// Checks an abstraction after something was done to it.
fn checked(
    ir: &ir::Program,
    recipe: &Recipe,
    damage: impl FnOnce(&mut Program, &mut Abstraction),
) -> Result<(), String> {
    checked_by(ir, recipe, damage, |checker, initial| checker.all(initial))
}

fn checked_by(
    ir: &ir::Program,
    recipe: &Recipe,
    damage: impl FnOnce(&mut Program, &mut Abstraction),
    check: impl FnOnce(&mut Checker<'_>, &[Cube]) -> Result<(), String>,
) -> Result<(), String> {
    let stop = StopFlag::default();
    let mut queries = Queries::new(&Propositional, &stop, MOST);
    let prepared = refinement::prepare(ir, &recipe.configuration(ASKED), &queries);
    let Ok(mut program) = prepared else {
        panic!("it cannot be prepared");
    };
    let names = super::formulas::Names::of(&program);
    let predicates = recipe.predicates.iter();
    let predicates: Vec<_> = predicates
        .map(|it| names.read(&mut program.terms, it).expect("a predicate"))
        .collect();
    let options = Options {
        precise_passive: recipe.precise_passive,
        ..Options::default()
    };
    let made = abstraction::build(&mut program, &predicates, options, &mut queries);
    let mut made = made.unwrap_or_else(|_| panic!("no abstraction"));
    let initial = initial_valuations(&mut program, &made.shared, &mut queries);
    let initial = initial.unwrap_or_else(|_| panic!("no beginning"));
    let counters = counters(&mut program);
    damage(&mut program, &mut made);
    let mut checker = Checker {
        counters,
        program: &mut program,
        made: &made,
        solver: &Propositional,
        stop: &stop,
        asked: 0,
        most: MOST,
    };
    check(&mut checker, &initial)
}

fn each(mut test: impl FnMut(&ir::Program, &Recipe, usize)) {
    for text in MODELS {
        let program = compiled(text);
        for recipe in recipes(&program) {
            let mut steps = 0;
            let whole = checked(&program, &recipe, |_, made| steps = made.steps.len());
            assert_eq!(whole, Ok(()), "{text}");
            test(&program, &recipe, steps);
        }
    }
}

#[test]
fn a_step_that_is_missing_is_noticed() {
    let (mut refused, mut alone) = (0, 0);
    each(|program, recipe, steps| {
        for number in some(steps) {
            let mut is_only = false;
            let answer = checked(program, recipe, |_, made| {
                let gone = made.steps.remove(number);
                let mut others = made.steps.iter();
                is_only = !others.any(|it| it.edge == gone.edge && it.from == gone.from);
            });
            refused += usize::from(answer.is_err());
            alone += usize::from(is_only);
            assert!(answer.is_err() || !is_only, "step {number}: {answer:?}");
        }
    });
    assert!(alone > 0 && refused >= alone, "{refused} of {alone}");
}

#[test]
fn a_step_that_says_something_else_is_noticed() {
    let mut damaged = 0;
    each(|program, recipe, steps| {
        for number in some(steps) {
            let mut has_more = false;
            let answer = checked(program, recipe, |_, made| {
                let step = &mut made.steps[number];
                // The value that it gives to a predicate that all share is the other one.
                let first = step.after.literals().next();
                if let Some((predicate, _)) = first {
                    step.after.value ^= 1 << predicate;
                    has_more = true;
                }
            });
            damaged += usize::from(has_more);
            assert_eq!(answer.is_err(), has_more, "step {number}: {answer:?}");
        }
    });
    assert!(damaged > 0);
}

#[test]
fn a_thread_that_is_taken_away_although_it_may_be_there_is_noticed() {
    let mut refused = 0;
    each(|program, recipe, steps| {
        for number in some(steps) {
            let answer = checked(program, recipe, |program, made| {
                let begins = made
                    .states
                    .iter()
                    .find(|state| state.1 == 0 && !program.templates[state.0].once);
                let begins = begins.expect("a place for new threads").clone();
                made.steps[number].passive.insert(begins, None);
            });
            assert!(answer.is_err(), "step {number}");
            refused += 1;
        }
    });
    assert!(refused > 0);
}

#[test]
fn what_passive_threads_do_not_know_is_noticed() {
    let mut damaged = 0;
    each(|program, recipe, steps| {
        for number in some(steps) {
            let mut invented = false;
            let damage = |_: &mut Program, made: &mut Abstraction| {
                // A thread that knows something knows the opposite after the step.
                let known = made.states.iter().find(|state| state.2.contains(&1));
                if let Some(from) = known.cloned() {
                    let mut to = from.clone();
                    to.2.iter_mut()
                        .for_each(|it| *it = if *it == 1 { 0 } else { *it });
                    made.states.push(to.clone());
                    made.steps[number].passive.insert(from, Some(to));
                    invented = true;
                }
            };
            let answer = checked_by(program, recipe, damage, |checker, _| {
                let made = checker.made;
                checker.others(&made.steps[number])
            });
            damaged += usize::from(invented);
            assert_eq!(answer.is_err(), invented, "step {number}: {answer:?}");
        }
    });
    assert!(damaged > 0);
}

#[test]
fn recipes_make_the_same_net_again() {
    for text in MODELS {
        let program = compiled(text);
        for recipe in recipes(&program) {
            let stop = StopFlag::default();
            let net = rebuild(&program, ASKED, &recipe, &Propositional, &stop, MOST);
            let again = rebuild(&program, ASKED, &recipe, &Propositional, &stop, MOST);
            assert_eq!(net.expect("a net").places, again.expect("a net").places);
        }
    }
}

#[test]
fn predicates_that_are_none_are_refused() {
    let program = compiled(MODELS[2]);
    let good = recipes(&program).remove(0);
    for text in [
        "",
        "(",
        "1",
        "(least 1)",
        "(least 1 \"count\"",
        "(least 1 \"nobody\")",
        "(not \"count\")",
        "(least 99999999999999999999 \"count\")",
        "(least 1 \"count\") true",
        &"(not ".repeat(10_000),
    ] {
        let recipe = Recipe {
            predicates: vec![text.to_owned()],
            ..good.clone()
        };
        let stop = StopFlag::default();
        let answer = rebuild(&program, ASKED, &recipe, &Propositional, &stop, MOST);
        assert!(answer.is_err(), "{text}");
    }
}
