//! Random programs: what holds for any number of threads holds for one, two and three, and
//! what is violated can be executed.
//!
//! `RADDLE_PROGRAMS=5000 RADDLE_SEED=1 cargo test --release -p raddle-abstraction random --
//! --nocapture` compares as many as one likes.

use crate::models::answer;
use crate::programs::{Random, program};
use raddle_abstraction::Conclusion;
use raddle_machine::{Machine, MachineLimits, ir};
use raddle_model::{Limits, Properties, Verdict};
use raddle_search::Config;

/// Whether a search of states finds a violation; `None` if it comes to no end.
fn searched(program: ir::Program) -> Option<bool> {
    let machine = Machine::new(program, MachineLimits::default()).expect("it is well formed");
    let config = Config {
        properties: Properties {
            deadlock: false,
            partial_deadlock: false,
            ..Config::default().properties
        },
        limits: Limits {
            states: Some(8_000),
            ..Limits::NONE
        },
        ..Config::default()
    };
    match raddle_search::check(&machine, &config, &mut ()).verdict {
        Verdict::Holds => Some(false),
        Verdict::Violated(..) => Some(true),
        Verdict::Unknown(_) => None,
    }
}

#[test]
#[allow(clippy::print_stderr)] // What was compared is of interest to who compares.
fn what_holds_for_any_number_holds_for_a_few() {
    let variable = |name: &str| std::env::var(name).ok().and_then(|it| it.parse().ok());
    let programs: u64 = variable("RADDLE_PROGRAMS").unwrap_or(100);
    let seed: u64 = variable("RADDLE_SEED").unwrap_or(7);
    let mut random = Random::new(seed);
    let (mut holds, mut violated, mut unknown, mut followed) = (0, 0, 0, 0);
    for number in 0..programs {
        let source = program(&mut random);
        let compiled = raddle_lang::compile(&source).expect(&source);
        let outcome = answer(&compiled, 4000);
        match outcome.answer {
            Conclusion::Holds { .. } => {
                holds += 1;
                let last = outcome.attempts.last();
                followed += u64::from(last.is_some_and(|it| it.name.contains("one by one")));
                for count in 1..=3 {
                    let kinds = compiled.replicated.iter().map(|id| (*id, count));
                    let few = compiled.with_threads(&kinds.collect::<Vec<_>>());
                    let found = searched(few);
                    assert_ne!(
                        found,
                        Some(true),
                        "program {number} is said to hold, but {count} threads do it:\n{source}"
                    );
                    if found.is_none() {
                        break;
                    }
                }
            }
            Conclusion::Violated(witness) => {
                violated += 1;
                let machine = Machine::new(witness.program, MachineLimits::default());
                let machine = machine.expect("it is well formed");
                let violation = witness.violation;
                raddle_search::replay(&machine, &violation.schedule, &violation.property)
                    .unwrap_or_else(|why| panic!("program {number}: {why:?}\n{source}"));
            }
            Conclusion::Unknown { .. } => unknown += 1,
        }
    }
    // A test in which nothing is decided would not test anything.
    assert!(
        holds * 10 >= programs && violated * 10 >= programs && followed > 0,
        "{holds} {violated} {unknown} {followed}"
    );
    eprintln!(
        "{programs} programs: {holds} hold ({followed} with threads that are followed one by \
         one), {violated} are violated, {unknown} unknown"
    );
}
