//! The search orders and the stores agree with each other and with theory.

use crate::common;

use common::{Op::*, Program};
use raddle_model::{
    Limits, Outcome, Properties, Property, Reason, System, Thread, Verdict, Violation,
};
use raddle_search::{
    Config, Monitor, Order, Progress, Spill, StoreKind, Survey, check, check_all, replay,
};
use std::sync::atomic::Ordering::Relaxed;

const STORES: [StoreKind; 3] = [
    StoreKind::Exact,
    StoreKind::Fingerprint,
    StoreKind::Bitstate { log2_bits: 26 },
];

/// Every combination of an order and a store.
fn configs() -> impl Iterator<Item = Config> {
    Order::ALL.into_iter().flat_map(|order| {
        STORES.into_iter().map(move |store| Config {
            order,
            store,
            ..Config::default()
        })
    })
}

fn run(program: &Program, order: Order) -> Outcome {
    let config = Config {
        order,
        ..Config::default()
    };
    check(program, &config, &mut ())
}

fn violation(outcome: Outcome) -> Violation {
    match outcome.verdict {
        Verdict::Violated(violation) => violation,
        other => panic!("expected a violation, not {other:?}"),
    }
}

#[test]
fn grids_have_as_many_states_as_theory_says() {
    for (n, k) in [(1, 1), (1, 5), (2, 3), (3, 4), (4, 7), (6, 4)] {
        for garbage in [false, true] {
            let mut program = Program::grid(n, k);
            program.garbage = garbage;
            let (n, k) = (u64::from(n), u64::from(k));
            for config in configs() {
                let outcome = check(&program, &config, &mut ());
                let statistics = outcome.statistics;
                let transitions = n * (k - 1) * k.pow(n as u32 - 1);
                assert_eq!(statistics.states, k.pow(n as u32), "{config:?}");
                assert_eq!(statistics.transitions, transitions);
                // Each thread has finished in one of k positions.
                assert_eq!(statistics.stutters, n * k.pow(n as u32 - 1));
                assert_eq!(statistics.depth, n * (k - 1));
                let bitstate = matches!(config.store, StoreKind::Bitstate { .. });
                match bitstate {
                    true => assert_eq!(outcome.verdict, Verdict::Unknown(vec![Reason::Bitstate])),
                    false => assert_eq!(outcome.verdict, Verdict::Holds),
                }
                let exact = config.store == StoreKind::Exact;
                assert_eq!(statistics.omission_probability == 0.0, exact);
                assert!(statistics.store_bytes > 0);
                assert!(statistics.peak_bytes >= statistics.store_bytes);
            }
            if garbage {
                assert_eq!(
                    program.most_garbage.load(Relaxed) as u64,
                    (n * (k - 1)).min(1)
                );
            }
        }
    }
}

#[test]
fn faults_deadlocks_and_invariants_are_found_in_every_configuration() {
    let fault = Program {
        threads: vec![vec![Add(0, 1)], vec![Add(0, 1), Assert(0, 1)]],
        variables: vec![0],
        ..Program::default()
    };
    let invariant = Program {
        never: Some(3),
        threads: vec![vec![Add(0, 1), Add(0, 1)], vec![Add(0, 1)]],
        variables: vec![0],
        ..Program::default()
    };
    let cases = [
        (fault, "assertion"),
        (invariant, "invariant"),
        (Program::crossed_locks(), "deadlock"),
    ];
    for (mut program, name) in cases {
        for config in configs() {
            for garbage in [false, true] {
                program.garbage = garbage;
                let found = violation(check(&program, &config, &mut ()));
                assert_eq!(found.property.name(), name);
                let trace = replay(&program, &found.schedule, &found.property);
                assert_eq!(trace.expect("it replays").steps.len(), found.schedule.len());
            }
        }
    }
}

#[test]
fn a_deadlock_has_all_blocked_threads_and_breadth_first_search_the_shortest_way() {
    let found = violation(run(&Program::crossed_locks(), Order::BreadthFirst));
    assert_eq!(
        found.property,
        Property::Deadlock(vec![Thread(0), Thread(1)])
    );
    assert_eq!(found.schedule, common::schedule(&[0, 1]));
}

#[test]
fn choices_are_part_of_the_schedule() {
    let program = Program {
        threads: vec![vec![AddAny(0, 5), AddAny(0, 5), Assert(0, 0)]],
        variables: vec![0],
        never: Some(7),
        ..Program::default()
    };
    for order in Order::ALL {
        let config = Config {
            order,
            properties: Properties {
                faults: false,
                ..Properties::ALL
            },
            ..Config::default()
        };
        let found = violation(check(&program, &config, &mut ()));
        assert_eq!(found.schedule.iter().map(|m| m.choice).sum::<u32>(), 7);
    }
}

#[test]
fn each_property_can_be_switched_off() {
    let mut program = Program::crossed_locks();
    program.threads.push(vec![Assert(0, 1)]);
    program.variables = vec![0];
    program.never = Some(0);
    let nothing = Properties {
        faults: false,
        deadlock: false,
        partial_deadlock: false,
        invariants: false,
        temporal: false,
        ends: false,
    };
    let cases = [
        (nothing, None),
        (
            Properties {
                faults: true,
                ..nothing
            },
            Some("assertion"),
        ),
        (
            Properties {
                deadlock: true,
                ..nothing
            },
            None,
        ),
        (
            Properties {
                partial_deadlock: true,
                ..nothing
            },
            Some("partial-deadlock"),
        ),
        (
            Properties {
                invariants: true,
                ..nothing
            },
            Some("invariant"),
        ),
    ];
    for (properties, expected) in cases {
        for order in Order::ALL {
            let config = Config {
                order,
                properties,
                ..Config::default()
            };
            let verdict = check(&program, &config, &mut ()).verdict;
            let name = match &verdict {
                Verdict::Violated(violation) => Some(violation.property.name()),
                Verdict::Holds => None,
                Verdict::Unknown(reasons) => panic!("{reasons:?}"),
            };
            assert_eq!(name, expected);
        }
    }
}

#[test]
fn all_different_violations_are_collected() {
    let mut program = Program::crossed_locks();
    program.threads[0].insert(1, Assert(0, 1));
    program.threads[1].push(Assert(0, 1));
    program.threads.push(vec![AddAny(0, 2)]);
    program.variables = vec![0];
    for order in Order::ALL {
        let config = Config {
            order,
            ..Config::default()
        };
        let survey = check_all(&program, &config, &mut ());
        let mut names: Vec<_> = survey
            .violations
            .iter()
            .map(|v| v.property.name())
            .collect();
        names.sort_unstable();
        assert_eq!(names, ["assertion", "assertion", "deadlock"]);
        assert!(survey.reasons.is_empty());
        for violation in &survey.violations {
            replay(&program, &violation.schedule, &violation.property).expect("it replays");
        }
    }
}

#[test]
fn limits_make_the_verdict_unknown() {
    let program = Program::grid(4, 9);
    let with = |order, limits| {
        let config = Config {
            order,
            limits,
            ..Config::default()
        };
        check(&program, &config, &mut ())
    };
    for order in Order::ALL {
        let states = |most| Limits {
            states: Some(most),
            ..Limits::NONE
        };
        let outcome = with(order, states(1000));
        assert_eq!(outcome.verdict, Verdict::Unknown(vec![Reason::States]));
        assert_eq!(outcome.statistics.states, 1000);
        assert_eq!(with(order, states(9_u64.pow(4))).verdict, Verdict::Holds);

        let depth = |most| Limits {
            depth: Some(most),
            ..Limits::NONE
        };
        let outcome = with(order, depth(10));
        assert_eq!(outcome.verdict, Verdict::Unknown(vec![Reason::Depth]));
        assert_eq!(outcome.statistics.depth, 10);
        assert_eq!(with(order, depth(32)).verdict, Verdict::Holds);

        let memory = Limits {
            memory: Some(1000),
            ..Limits::NONE
        };
        let outcome = with(order, memory);
        assert_eq!(outcome.verdict, Verdict::Unknown(vec![Reason::Memory]));
    }
}

#[test]
fn a_violation_counts_more_than_a_limit() {
    let mut program = Program::crossed_locks();
    program.threads.push(vec![GiveUp]);
    for order in Order::ALL {
        let found = violation(run(&program, order));
        assert_eq!(found.property.name(), "partial-deadlock");
    }
}

#[test]
fn giving_up_is_not_holding() {
    let program = Program {
        threads: vec![vec![GiveUp], vec![Up(0), Up(0)]],
        semaphores: vec![0],
        ..Program::default()
    };
    for order in Order::ALL {
        let outcome = run(&program, order);
        let reason = Reason::GaveUp("cannot do this".into());
        assert_eq!(outcome.verdict, Verdict::Unknown(vec![reason]));
        assert_eq!(outcome.statistics.states, 3);
    }
}

#[test]
fn pruned_executions_do_not_count() {
    let program = Program {
        threads: vec![vec![AddAny(0, 3), Assume(0, 1), Assert(0, 1)]],
        variables: vec![0],
        ..Program::default()
    };
    for order in Order::ALL {
        let outcome = run(&program, order);
        assert_eq!(outcome.verdict, Verdict::Holds);
        assert_eq!(outcome.statistics.pruned, 2);
        assert_eq!(outcome.statistics.states, 6);
    }
}

#[test]
fn too_many_choices_for_breadth_first_search_are_not_silently_dropped() {
    let program = Program {
        threads: vec![vec![AddAny(0, 70_000)]],
        variables: vec![0],
        ..Program::default()
    };
    assert_eq!(run(&program, Order::DepthFirst).verdict, Verdict::Holds);
    let verdict = run(&program, Order::BreadthFirst).verdict;
    let Verdict::Unknown(reasons) = verdict else {
        panic!("{verdict:?}");
    };
    assert!(matches!(reasons[..], [Reason::GaveUp(_)]));
}

#[test]
fn an_absurd_number_of_choices_is_not_listed() {
    let program = Program {
        threads: vec![vec![AddAny(0, u32::MAX)]],
        variables: vec![0],
        ..Program::default()
    };
    let outcome = run(&program, Order::DepthFirst);
    assert!(matches!(outcome.verdict, Verdict::Unknown(_)));
}

#[test]
fn a_bitstate_table_beyond_the_memory_is_refused() {
    for log2_bits in [40, 63, 64, u32::MAX] {
        let config = Config {
            store: StoreKind::Bitstate { log2_bits },
            limits: Limits {
                memory: Some(1 << 30),
                ..Limits::NONE
            },
            ..Config::default()
        };
        let outcome = check(&Program::grid(2, 2), &config, &mut ());
        assert_eq!(outcome.verdict, Verdict::Unknown(vec![Reason::Memory]));
    }
}

#[test]
fn the_monitor_can_stop_a_search() {
    struct Impatient(Vec<Progress>);
    impl Monitor for Impatient {
        fn tick(&mut self, progress: &Progress) -> Option<Reason> {
            self.0.push(*progress);
            (self.0.len() == 3).then_some(Reason::Interrupted)
        }
    }
    let program = Program::grid(5, 8);
    for config in configs().filter(|config| config.store == StoreKind::Exact) {
        let mut monitor = Impatient(Vec::new());
        let outcome = check(&program, &config, &mut monitor);
        assert_eq!(outcome.verdict, Verdict::Unknown(vec![Reason::Interrupted]));
        let [_, before, last] = monitor.0[..] else {
            panic!("three ticks");
        };
        assert!(before.transitions < last.transitions);
        assert_eq!(outcome.statistics.transitions, last.transitions);
        assert!(last.states > 0 && last.bytes > 0 && last.queue > 0);
    }
}

#[test]
fn runs_are_reproducible() {
    let mut program = Program::crossed_locks();
    program.threads.push(vec![AddAny(0, 3); 3]);
    program.variables = vec![0];
    assert!(program.initial().is_ok());
    for config in configs() {
        let once = check(&program, &config, &mut ());
        let twice = check(&program, &config, &mut ());
        assert_eq!(once.verdict, twice.verdict);
        assert_eq!(once.statistics, twice.statistics);
    }
}

#[test]
fn a_store_without_room_goes_on_with_fingerprints() {
    for garbage in [false, true] {
        let mut program = Program::unlike();
        program.garbage = garbage;
        for order in Order::ALL {
            for jobs in [1, 3] {
                let mut config = Config {
                    order,
                    jobs,
                    alone_for: 0,
                    ..Config::default()
                };
                let exact = check_all(&program, &config, &mut ());
                config.limits.memory = Some(exact.statistics.peak_bytes * 2 / 3);
                let stopped = check_all(&program, &config, &mut ());
                assert_eq!(stopped.reasons, [Reason::Memory]);
                assert!(stopped.remarks.is_empty());

                config.thins = true;
                let thinned = check_all(&program, &config, &mut ());
                assert_eq!(thinned.reasons, [], "{config:?}");
                assert!(thinned.remarks[0].contains("fingerprints"));
                assert!(thinned.statistics.omission_probability > 0.0);
                let counts = |survey: &Survey| {
                    let it = &survey.statistics;
                    let violations = survey.violations.len();
                    (it.states, it.transitions, it.stutters, it.depth, violations)
                };
                assert_eq!(counts(&thinned), counts(&exact));
                for violation in &thinned.violations {
                    replay(&program, &violation.schedule, &violation.property).expect("it replays");
                }
            }
        }
    }
}

#[test]
fn fingerprints_that_have_no_room_either_are_not_tried() {
    let program = Program::unlike();
    let config = Config {
        limits: Limits {
            memory: Some(400_000),
            ..Limits::NONE
        },
        thins: true,
        store: StoreKind::Fingerprint,
        ..Config::default()
    };
    let survey = check_all(&program, &config, &mut ());
    assert_eq!(survey.reasons, [Reason::Memory]);
    assert!(survey.remarks.is_empty());
}

#[test]
fn what_has_no_room_in_memory_goes_into_files() {
    let program = Program::grid(6, 8);
    for order in Order::ALL {
        for store in [StoreKind::Exact, StoreKind::Fingerprint] {
            for jobs in [1, 3] {
                let mut config = Config {
                    order,
                    store,
                    jobs,
                    alone_for: 0,
                    ..Config::default()
                };
                config.limits.memory = Some(2_000_000);
                let stopped = check_all(&program, &config, &mut ());
                assert_eq!(stopped.reasons, [Reason::Memory]);

                config.spill = Some(Spill::new(std::env::temp_dir()));
                let survey = check_all(&program, &config, &mut ());
                assert_eq!(survey.reasons, [], "{config:?}");
                assert_eq!(survey.statistics.states, 8_u64.pow(6));
                assert_eq!(survey.statistics.transitions, 6 * 7 * 8_u64.pow(5));

                config.spill = Some(Spill::new("no such folder".into()));
                let failed = check_all(&program, &config, &mut ());
                let [Reason::GaveUp(why)] = &failed.reasons[..] else {
                    panic!("{:?}", failed.reasons);
                };
                assert!(why.contains("no room"), "{why}");
            }
        }
    }
}

#[test]
fn violations_are_found_by_way_of_files() {
    // At the very end.
    let mut program = Program::grid(6, 8);
    let last = program.threads[0].len() as u32;
    for thread in &mut program.threads {
        assert_eq!(thread.len() as u32, last);
    }
    program.threads[0].push(Assert(0, 0));
    for order in Order::ALL {
        let mut config = Config {
            order,
            spill: Some(Spill::new(std::env::temp_dir())),
            ..Config::default()
        };
        config.limits.memory = Some(2_000_000);
        let survey = check_all(&program, &config, &mut ());
        assert_eq!(survey.reasons, []);
        let [violation] = &survey.violations[..] else {
            panic!("{:?}", survey.violations);
        };
        replay(&program, &violation.schedule, &violation.property).expect("it replays");
        if order == Order::BreadthFirst {
            assert_eq!(violation.schedule.len() as u32, last + 1);
        }
    }
}
