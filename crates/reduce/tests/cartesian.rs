//! Cartesian reduction: the same faults as full search on random programs, and for each
//! clause of its definition a program that needs it. The published numbers are among
//! those of `raddle-papers`.
//!
//! `RADDLE_SEED=n` starts elsewhere, `RADDLE_SAMPLES=n` runs more.

use raddle_machine::{Machine, MachineLimits};
use raddle_model::{FaultKind, Limits, Place, Properties, Property, Reason};
use raddle_reduce::cartesian::{self, Counting, survey_concurrently};
use raddle_reduce::{Reduction, survey};
use raddle_search::{Config, Monitor, Order, Progress, Survey};
use raddle_testkit::generate::{Sample, Statement, for_all};
use std::collections::BTreeSet;
use std::path::Path;

const FAULTS: Properties = Properties {
    faults: true,
    deadlock: false,
    partial_deadlock: false,
    invariants: false,
    temporal: false,
    ends: false,
};

fn config(order: Order, states: u64) -> Config {
    Config {
        order,
        properties: FAULTS,
        alone_for: 0,
        limits: Limits {
            states: Some(states),
            ..Limits::NONE
        },
        ..Config::default()
    }
}

fn machine(source: &str, defines: &[(String, i64)]) -> Result<Machine, String> {
    let program = raddle_lang::compile_with(source, defines).map_err(|it| format!("{it:?}"))?;
    // Whoever starts more of them starts them for ever. With a thousand, a search that shows nothing,
    // because it does not end, takes longer than all others together.
    let limits = MachineLimits {
        threads: 32,
        ..MachineLimits::default()
    };
    Machine::new(program, limits).map_err(|it| format!("{it:?}"))
}

/// Several workers store the same states and try the same steps as one.
#[test]
fn models_of_the_paper_need_as_much_with_several_workers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/papers/models");
    let models = [
        "philosophers",
        "shared_array",
        "shared_ptr",
        "robots",
        "indexer",
        "cmis",
    ];
    for model in models {
        let file = root.join(model).with_extension("rad");
        let source = std::fs::read_to_string(file).expect("the model is there");
        let machine = machine(&source, &[]).expect("the model is well formed");
        let config = Config::default();
        let count = |workers| {
            let counting = Counting::Loops;
            let found = survey_concurrently(&machine, &config, &mut (), true, counting, workers);
            assert!(found.violations.is_empty() && found.reasons.is_empty());
            let statistics = found.statistics;
            (
                statistics.states,
                statistics.transitions,
                statistics.stutters,
            )
        };
        let alone = count(1);
        assert_eq!((alone, alone), (count(2), count(4)), "{model}");
    }
}

// Random programs.

type Faults = BTreeSet<(FaultKind, Option<Place>)>;

/// The different faults that a search found, each of them replayed; `None` if it did
/// not get to the end.
fn faults(machine: &Machine, found: &Survey) -> Result<Option<Faults>, String> {
    let mut faults = Faults::new();
    for violation in &found.violations {
        raddle_search::replay(machine, &violation.schedule, &violation.property)
            .map_err(|it| format!("does not replay: {it:?}"))?;
        match &violation.property {
            Property::Fault(fault) => faults.insert((fault.kind, fault.place)),
            other => return Err(format!("not a fault: {other:?}")),
        };
    }
    Ok(found.reasons.is_empty().then_some(faults))
}

fn agrees_with_full_search(source: &str) -> Result<(), String> {
    let machine = machine(source, &[])?;
    let full = config(Order::DepthFirst, 10_000);
    let full = survey(&machine, Reduction::FULL, &full, &mut (), false);
    let Some(expected) = faults(&machine, &full)? else {
        return Ok(());
    };
    let mut states = None;
    for (order, counting, workers) in [
        (Order::DepthFirst, Counting::None, 1),
        (Order::DepthFirst, Counting::None, 2),
        (Order::DepthFirst, Counting::None, 4),
        (Order::BreadthFirst, Counting::Loops, 1),
    ] {
        let config = config(order, 10_000);
        let reduced = survey_concurrently(&machine, &config, &mut (), false, counting, workers);
        let found = faults(&machine, &reduced)?;
        if found.is_some() && counting == Counting::None {
            let (counted, expected) = (reduced.statistics, reduced.statistics.states);
            if *states.get_or_insert(expected) != expected {
                return Err(format!("{workers} workers: {counted:?}, one: {states:?}"));
            }
        }
        if found.is_some_and(|found| found != expected) {
            let reduced = reduced.violations;
            return Err(format!("{reduced:?}, full search: {:?}", full.violations));
        }
    }
    Ok(())
}

#[test]
fn the_faults_are_those_of_full_search() {
    for_all(2000, |sample| agrees_with_full_search(&sample.source()));
}

#[test]
fn so_they_are_where_threads_start_threads() {
    for_all(1500, |sample| agrees_with_full_search(&sample.spawning()));
}

/// The program in which the first thread repeats for ever what it does.
fn with_cycle(sample: &Sample) -> String {
    let mut sample = sample.clone();
    let body = std::mem::take(&mut sample.threads[0]);
    sample.threads[0] = vec![Statement::Nested("while (true)".to_owned(), body)];
    sample.source()
}

#[test]
fn and_where_a_thread_never_ends() {
    for_all(400, |sample| agrees_with_full_search(&with_cycle(sample)));
}

// The clauses: each of these programs has faults that are missed without one of them.

/// Checks that the reduction finds all faults of a program, and that there are so many.
fn finds_all(count: usize, source: &str) {
    let machine = machine(source, &[]).expect("it is well formed");
    let config = config(Order::DepthFirst, 10_000);
    for reduction in [Reduction::FULL, Reduction::CARTESIAN] {
        let found = survey(&machine, reduction, &config, &mut (), false);
        let faults = faults(&machine, &found).expect("it replays");
        let faults = faults.expect("it ends");
        assert_eq!(faults.len(), count, "{reduction:?}\n{source}");
    }
}

#[test]
fn the_end_of_a_finished_thread_is_not_its_last_transition() {
    finds_all(
        1,
        "int x; lock a;
         thread t0 { x = 2; }
         thread t1 { acquire(a); assert(x != 2); }",
    );
}

#[test]
fn the_newest_step_of_an_infinite_prefix_is_not_its_last_transition() {
    // The loop is closed by its write, which changes nothing.
    finds_all(
        1,
        "int x = 1;
         thread t0 { skip; while (true) { skip; x = 1; } }
         thread t1 { skip; skip; skip; x = 0; skip; assert(x == 0); }",
    );
}

#[test]
fn a_blocked_thread_reads_what_it_waits_for() {
    finds_all(
        1,
        "int x; lock m;
         thread t0 { acquire(m); x = 1; release(m); }
         thread t1 { acquire(m); assert(x == 0); }",
    );
    finds_all(
        1,
        "bool b;
         thread t0 { skip; b = true; }
         thread t1 { await (b); assert(!b); }",
    );
}

#[test]
fn the_last_transitions_may_conflict_but_no_others() {
    finds_all(
        1,
        "int x;
         thread t0 { x = 1; x = 0; }
         thread t1 { skip; skip; assert(x == 0); }",
    );
    finds_all(
        1,
        "int x;
         thread t0 { skip; skip; x = 1; skip; skip; x = 0; }
         thread t1 { skip; skip; assert(x == 0); }",
    );
}

#[test]
fn a_started_thread_has_prefixes_too() {
    finds_all(
        1,
        "int x;
         thread child() { assert(x != 1); }
         thread main { x = 1; spawn child(); x = 0; }",
    );
    finds_all(
        1,
        "int x;
         thread child() { assert(x != 1); }
         thread main { spawn child(); skip; x = 1; }",
    );
}

#[test]
fn every_choice_is_taken() {
    finds_all(
        2,
        "thread t0 { int l = choose(0..2); assert(l != 1); assert(l != 2); }
         thread t1 { skip; skip; }",
    );
    finds_all(
        1,
        "thread t0 { skip; int l = choose(0..2); assert(l != 2); }
         thread t1 { skip; skip; }",
    );
    // How many choices there are may be decided by another thread.
    finds_all(
        1,
        "granularity statement;
         int x = 1;
         thread t0 { int l = choose(0..x); assert(l != 2); }
         thread t1 { skip; x = 2; }",
    );
}

#[test]
fn a_failing_step_reads_what_it_touches() {
    finds_all(
        2,
        "int x;
         thread t0 { assert(x != 0); assert(x == 0); }
         thread t1 { skip; x = 1; }",
    );
    // So does one whose assumption fails.
    finds_all(
        1,
        "int x;
         thread t0 { assume(x != 0); assert(x == 0); }
         thread t1 { skip; x = 1; }",
    );
}

#[test]
fn deadlocks_are_not_preserved_and_not_promised() {
    let source = "lock a, b;
         thread t0 { acquire(a); acquire(b); release(b); release(a); }
         thread t1 { acquire(b); acquire(a); release(a); release(b); }
         thread t2 { skip; }";
    let machine = machine(source, &[]).expect("it is well formed");
    let full = raddle_search::check_all(&machine, &Config::default(), &mut ());
    let mut names = full.violations.iter().map(|it| it.property.name());
    assert!(names.any(|name| name == "deadlock"));
    let counting = Counting::None;
    let reduced = cartesian::survey(&machine, &Config::default(), &mut (), false, counting);
    assert!(reduced.violations.is_empty());
    let kept = Reduction::CARTESIAN.entry().preserves;
    assert!(kept.faults && !kept.deadlock && !kept.partial_deadlock);
}

// Limits.

#[test]
fn limits_make_the_verdict_unknown() {
    let source = "int x;
         thread t0 { while (true) { x = x + 1; } }
         thread t1 { int i; while (i < 1000) { assert(x != 500); i = i + 1; } }";
    let machine = machine(source, &[]).expect("it is well formed");
    let run = |limits| {
        let config = Config {
            limits,
            ..Config::default()
        };
        survey(&machine, Reduction::CARTESIAN, &config, &mut (), true)
    };
    let shallow = run(Limits {
        depth: Some(20),
        ..Limits::NONE
    });
    assert_eq!(shallow.reasons, [Reason::Depth]);
    assert!(shallow.statistics.depth <= 20);
    let few = run(Limits {
        states: Some(100),
        ..Limits::NONE
    });
    assert_eq!(few.reasons, [Reason::States]);
}

#[test]
fn limits_end_all_workers() {
    let source = "granularity statement;
         int x;
         thread t[3] { while (true) x = x + 1; }";
    let machine = machine(source, &[]).expect("it is well formed");
    let run = |limits, monitor: &mut dyn Monitor| {
        let config = Config {
            limits,
            alone_for: 0,
            ..Config::default()
        };
        survey_concurrently(&machine, &config, monitor, true, Counting::None, 3)
    };
    let few = run(
        Limits {
            states: Some(500),
            ..Limits::NONE
        },
        &mut (),
    );
    assert_eq!(few.reasons, [Reason::States]);
    assert_eq!(few.statistics.states, 500);
    let small = run(
        Limits {
            memory: Some(1 << 20),
            ..Limits::NONE
        },
        &mut (),
    );
    assert_eq!(small.reasons, [Reason::Memory]);
    let mut monitor = Impatient(10);
    let short = run(Limits::NONE, &mut monitor);
    assert_eq!(short.reasons, [Reason::Interrupted]);
}

/// Lets a search go on for a number of ticks.
struct Impatient(u32);

impl Monitor for Impatient {
    fn tick(&mut self, _: &Progress) -> Option<Reason> {
        self.0 = self.0.saturating_sub(1);
        (self.0 == 0).then_some(Reason::Interrupted)
    }
}

#[test]
fn one_fault_is_enough_for_all_workers() {
    let source = "int x;
         thread t[3] { while (true) { x = x + 1; assert(x < 100); } }";
    let machine = machine(source, &[]).expect("it is well formed");
    let config = Config::default();
    for workers in [1, 2, 4] {
        let counting = Counting::None;
        let found = survey_concurrently(&machine, &config, &mut (), true, counting, workers);
        assert_eq!(found.violations.len(), 1, "{workers}");
        assert!(faults(&machine, &found).is_ok());
    }
}

#[test]
fn the_states_of_a_long_prefix_count_against_the_limit() {
    let source = "int x; thread t0 { while (true) { x = x + 1; } }";
    let machine = machine(source, &[]).expect("it is well formed");
    let config = config(Order::DepthFirst, 10_000);
    let found = survey(&machine, Reduction::CARTESIAN, &config, &mut (), true);
    assert_eq!(found.reasons, [Reason::States]);
}
