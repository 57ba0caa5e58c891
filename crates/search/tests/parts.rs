//! Searches of a part of the executions: how much they reach, and what they say of it.

use crate::common;

use common::{Op::*, Program};
use raddle_model::{Limits, Property, Reason, Verdict};
use raddle_search::{Config, Part, Sampler, Survey, replay, survey_part};

fn explored(program: &Program, part: Part) -> Survey {
    survey_part(program, &Config::default(), &mut (), true, part)
}

fn walks(count: u64, seed: u64) -> Part {
    Part::Samples {
        sampler: Sampler::Walk,
        count,
        seed,
    }
}

#[test]
fn without_preemptions_threads_run_one_after_the_other() {
    for k in [2, 5, 9] {
        let program = Program::grid(2, k);
        let states = |bound| {
            explored(&program, Part::Preemptions(bound))
                .statistics
                .states
        };
        let k = u64::from(k);
        // The edge of the square; and with one preemption a thread can stop anywhere.
        assert_eq!(states(0), 4 * (k - 1));
        assert_eq!(states(1), k * k);
    }
}

#[test]
fn with_enough_preemptions_every_state_is_reached() {
    for garbage in [false, true] {
        let mut program = Program::grid(3, 4);
        program.garbage = garbage;
        let survey = explored(&program, Part::Preemptions(20));
        assert_eq!(survey.statistics.states, 64);
        let Reason::Partial(told) = &survey.reasons[0] else {
            panic!("{:?}", survey.reasons);
        };
        assert!(told.contains("more lead to nothing new"), "{told}");
        // It was asked for a part, so the answer is about a part.
        assert!(matches!(survey.into_outcome().verdict, Verdict::Unknown(_)));
    }
}

#[test]
fn crossed_locks_need_one_preemption() {
    let program = Program::crossed_locks();
    let none = explored(&program, Part::Preemptions(0));
    assert!(none.violations.is_empty());
    assert_eq!(
        none.reasons,
        [Reason::Partial(
            "only executions without preemptions were explored".to_owned()
        )]
    );
    let one = explored(&program, Part::Preemptions(1));
    let violation = &one.violations[0];
    assert!(matches!(violation.property, Property::Deadlock(_)));
    let trace = replay(&program, &violation.schedule, &violation.property);
    assert!(trace.is_ok(), "{trace:?}");
}

#[test]
fn a_thread_that_waits_is_not_preempted() {
    // Each thread does one thing when it is its turn, so there is never a choice.
    let program = Program {
        threads: vec![
            vec![Await(0, 0), Add(0, 1), Await(0, 2), Add(0, 1)],
            vec![Await(0, 1), Add(0, 1), Await(0, 3), Assert(0, 4)],
        ],
        variables: vec![0],
        ..Program::default()
    };
    let survey = explored(&program, Part::Preemptions(0));
    assert!(matches!(survey.violations[0].property, Property::Fault(_)));
}

#[test]
fn all_choices_are_tried_without_preemptions() {
    let program = Program {
        threads: vec![vec![AddAny(0, 10), Assert(0, 3)]],
        variables: vec![0],
        ..Program::default()
    };
    let all = survey_part(
        &program,
        &Config::default(),
        &mut (),
        false,
        Part::Preemptions(0),
    );
    assert_eq!(all.statistics.transitions, 20);
}

#[test]
fn random_executions_find_what_is_easy_to_find() {
    let program = Program::crossed_locks();
    let survey = explored(&program, walks(100, 1));
    let violation = &survey.violations[0];
    assert!(matches!(violation.property, Property::Deadlock(_)));
    assert!(replay(&program, &violation.schedule, &violation.property).is_ok());
    let again = explored(&program, walks(100, 1));
    assert_eq!(violation.schedule, again.violations[0].schedule);
    let seeds = (0..10).map(|seed| explored(&program, walks(100, seed)));
    let mut schedules: Vec<_> = seeds.map(|it| it.violations[0].schedule.clone()).collect();
    schedules.sort();
    schedules.dedup();
    assert!(schedules.len() > 1, "the seed makes a difference");
}

#[test]
fn random_executions_say_how_many_they_were() {
    let program = Program::grid(2, 4);
    let survey = explored(&program, walks(50, 3));
    assert_eq!(survey.statistics.executions, 50);
    assert_eq!(survey.statistics.transitions, 50 * 6);
    assert_eq!(survey.statistics.states, 16);
    let [Reason::Partial(told)] = &survey.reasons[..] else {
        panic!("{:?}", survey.reasons);
    };
    let (first, last) = told.split_once(')').expect("it says how");
    assert_eq!(first, "only 50 random executions were tried (walk, seed 3");
    // There are 16 states, and long before the end all of them were met.
    assert!(last.ends_with("met no new state"), "{told}");
}

#[test]
fn an_endless_execution_is_cut() {
    let program = Program {
        threads: vec![vec![Goto(0)]],
        ..Program::default()
    };
    let config = Config {
        limits: Limits {
            depth: Some(7),
            ..Limits::NONE
        },
        ..Config::default()
    };
    let survey = survey_part(&program, &config, &mut (), true, walks(2, 0));
    assert_eq!(survey.statistics.transitions, 14);
    let Reason::Partial(told) = &survey.reasons[0] else {
        panic!("{:?}", survey.reasons);
    };
    assert!(told.contains("2 of them not to the end"), "{told}");
}

#[test]
fn the_limit_of_states_ends_both() {
    let config = Config {
        limits: Limits {
            states: Some(5),
            ..Limits::NONE
        },
        ..Config::default()
    };
    for part in [Part::Preemptions(3), walks(100, 0)] {
        let survey = survey_part(&Program::grid(3, 5), &config, &mut (), true, part);
        assert_eq!(survey.statistics.states, 5, "{part:?}");
        assert!(survey.reasons.contains(&Reason::States), "{part:?}");
    }
}
