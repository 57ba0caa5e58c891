//! Several workers find what one finds, and count the same.

use crate::common;

use common::{Op, Op::*, Program};
use raddle_model::{Limits, Reason, Verdict};
use raddle_search::{
    Choice, Config, Monitor, Order, Progress, StoreKind, Survey, check, check_all, replay,
    survey_selected,
};

/// Every combination that several workers can share, by one worker and by some who begin at
/// once.
fn configs(workers: usize) -> impl Iterator<Item = (Config, Config)> {
    let stores = [StoreKind::Exact, StoreKind::Fingerprint];
    let all = Order::ALL.into_iter();
    let all = all.flat_map(move |order| stores.map(|store| (order, store)));
    all.map(move |(order, store)| {
        let alone = Config {
            order,
            store,
            ..Config::default()
        };
        let together = Config {
            jobs: workers,
            alone_for: 0,
            ..alone.clone()
        };
        (alone, together)
    })
}

fn counts(survey: &Survey) -> [u64; 4] {
    let it = &survey.statistics;
    [it.states, it.transitions, it.stutters, it.pruned]
}

/// What was found, without how: that is chance.
fn kinds(survey: &Survey) -> Vec<String> {
    let all = survey.violations.iter();
    let mut kinds: Vec<String> = all.map(|it| format!("{:?}", it.property)).collect();
    kinds.sort();
    kinds
}

fn agree(program: &Program, workers: usize) {
    for (alone, together) in configs(workers) {
        let one = check_all(program, &alone, &mut ());
        let many = check_all(program, &together, &mut ());
        assert_eq!(counts(&one), counts(&many), "{program:?} {together:?}");
        assert_eq!(kinds(&one), kinds(&many));
        assert_eq!(one.reasons, many.reasons);
        for violation in &many.violations {
            replay(program, &violation.schedule, &violation.property).expect("it replays");
        }
        if together.order == Order::BreadthFirst {
            let lengths = |survey: &Survey| {
                let all = survey.violations.iter();
                let mut all: Vec<usize> = all.map(|it| it.schedule.len()).collect();
                all.sort_unstable();
                all
            };
            assert_eq!(lengths(&one), lengths(&many), "shortest is shortest");
        }
        let first = check(program, &together, &mut ());
        let is_violated = matches!(first.verdict, Verdict::Violated(_));
        assert_eq!(is_violated, !one.violations.is_empty());
    }
}

/// Who sleeps in a state depends on who comes there first; so it happens that a state is met again
/// by somebody for whom fewer threads sleep.
#[test]
fn whoever_sleeps_no_state_is_left_out() {
    // Additions depend on each other, and yet come to the same whatever their order: many ways that
    // are different for sleep sets lead to a state.
    let mixed = |first: usize| (0..6).map(move |at| [Add(0, 1), Up(0)][(first + at) % 2]);
    for threads in 2..=5 {
        let program = Program {
            threads: (0..threads).map(|it| mixed(it).collect()).collect(),
            variables: vec![0],
            semaphores: vec![0],
            ..Program::default()
        };
        for (alone, together) in configs(4) {
            let full = check_all(&program, &alone, &mut ());
            for _ in 0..4 {
                let survey = survey_selected(&program, Choice::Sleep, &together, &mut (), false);
                assert_eq!(
                    survey.statistics.states, full.statistics.states,
                    "{together:?}"
                );
                assert!(survey.statistics.transitions < full.statistics.transitions);
            }
        }
    }
}

#[test]
fn grids_of_every_shape() {
    for (n, k) in [(1, 1), (1, 400), (2, 90), (3, 20), (6, 4), (9, 2)] {
        for garbage in [false, true] {
            let mut program = Program::grid(n, k);
            program.garbage = garbage;
            agree(&program, 4);
        }
    }
}

#[test]
fn programs_with_everything() {
    let mut random = 7_u64;
    let mut next = |below: u32| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (random >> 33) as u32 % below
    };
    for _ in 0..60 {
        let mut thread = || -> Vec<Op> {
            let one = |next: &mut dyn FnMut(u32) -> u32| match next(12) {
                0 => Lock(next(2)),
                1 => Unlock(next(2)),
                2 => Down(0),
                3 => Up(0),
                4 => AddAny(next(2), 3),
                5 => Await(next(2), next(3)),
                6 => Assert(next(2), next(4)),
                7 => Assume(next(2), next(4)),
                8 => GiveUp,
                9 => Goto(0),
                _ => Add(next(2), 1),
            };
            (0..2 + next(4)).map(|_| one(&mut next)).collect()
        };
        let program = Program {
            threads: (0..3).map(|_| thread()).collect(),
            variables: vec![0, 0],
            locks: 2,
            semaphores: vec![1],
            ..Program::default()
        };
        // Variables that only grow would have no end.
        let limited = |config: &mut Config| config.limits.depth = Some(12);
        for (mut alone, mut together) in configs(3) {
            if alone.order == Order::DepthFirst {
                // How deep a state is met is chance; so is what lies at the limit.
                continue;
            }
            limited(&mut alone);
            limited(&mut together);
            let one = check_all(&program, &alone, &mut ());
            let many = check_all(&program, &together, &mut ());
            assert_eq!(counts(&one), counts(&many), "{program:?} {together:?}");
            assert_eq!(kinds(&one), kinds(&many), "{program:?}");
        }
    }
}

#[test]
fn a_limit_on_states_is_one_for_all() {
    for (_, mut config) in configs(3) {
        let program = Program::grid(3, 20);
        for most in [1, 7999, 8000] {
            config.limits = Limits {
                states: Some(most),
                ..Limits::NONE
            };
            let outcome = check(&program, &config, &mut ());
            assert_eq!(outcome.statistics.states, most);
            match most {
                8000 => assert_eq!(outcome.verdict, Verdict::Holds),
                _ => assert_eq!(outcome.verdict, Verdict::Unknown(vec![Reason::States])),
            }
        }
    }
}

#[test]
fn the_monitor_stops_all_and_hears_of_all() {
    struct Impatient(Progress);
    impl Monitor for Impatient {
        fn tick(&mut self, progress: &Progress) -> Option<Reason> {
            self.0 = *progress;
            (progress.states > 20_000).then_some(Reason::Interrupted)
        }
    }
    for (_, config) in configs(3) {
        let mut monitor = Impatient(Progress::default());
        let program = Program::grid(5, 12);
        let outcome = check(&program, &config, &mut monitor);
        assert_eq!(outcome.verdict, Verdict::Unknown(vec![Reason::Interrupted]));
        assert!(monitor.0.states > 20_000);
        assert!(outcome.statistics.states >= monitor.0.states);
        assert!(outcome.statistics.states < 12_u64.pow(5), "it stopped");
        assert!(monitor.0.bytes > 0);
    }
}

#[test]
fn a_memory_limit_stops_all() {
    for (_, mut config) in configs(3) {
        config.limits.memory = Some(1 << 20);
        let outcome = check(&Program::grid(5, 12), &config, &mut ());
        assert_eq!(outcome.verdict, Verdict::Unknown(vec![Reason::Memory]));
    }
}

#[test]
fn small_programs_are_explored_as_by_one() {
    let mut program = Program::crossed_locks();
    program.threads.push(vec![AddAny(0, 3); 3]);
    program.variables = vec![0];
    for (alone, _) in configs(1) {
        let several = Config {
            jobs: 4,
            ..alone.clone()
        };
        let one = check(&program, &alone, &mut ());
        let many = check(&program, &several, &mut ());
        assert_eq!(one.verdict, many.verdict);
        assert_eq!(one.statistics.transitions, many.statistics.transitions);
    }
}
