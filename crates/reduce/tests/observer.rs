//! Invariants under every row of the table, by way of an observer: the answers are those
//! of full search, and the schedules are those of the program without the observer.
//!
//! `RADDLE_SEED=n` starts elsewhere, `RADDLE_SAMPLES=n` runs more.

use raddle_machine::{Machine, MachineLimits};
use raddle_model::{FaultKind, Limits, Place, Properties, Property, Reason, Verdict};
use raddle_reduce::{Reduction, survey};
use raddle_search::{Config, Survey, replay};
use raddle_testkit::generate::for_all;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

const INVARIANTS: Properties = Properties {
    faults: false,
    deadlock: false,
    partial_deadlock: false,
    invariants: true,
    temporal: false,
    ends: false,
};

const FAULTS_TOO: Properties = Properties {
    faults: true,
    ..INVARIANTS
};

const DEADLOCKS_TOO: Properties = Properties {
    deadlock: true,
    ..FAULTS_TOO
};

fn machine(source: &str) -> Machine {
    let program = raddle_lang::compile(source).expect("it compiles");
    Machine::new(program, MachineLimits::default()).expect("it is well formed")
}

fn config(properties: Properties) -> Config {
    Config {
        properties,
        limits: Limits {
            states: Some(10_000),
            ..Limits::NONE
        },
        ..Config::default()
    }
}

type Violations = BTreeSet<(String, Option<(FaultKind, Option<Place>)>)>;

/// The different violations that a search found, each of them replayed; `None` if it
/// did not get to the end.
fn violations(machine: &Machine, found: &Survey) -> Result<Option<Violations>, String> {
    let mut violations = Violations::new();
    for violation in &found.violations {
        replay(machine, &violation.schedule, &violation.property)
            .map_err(|it| format!("{violation:?} does not replay: {it:?}"))?;
        let fault = match &violation.property {
            Property::Fault(fault) => Some((fault.kind, fault.place)),
            _ => None,
        };
        violations.insert((violation.property.name().to_owned(), fault));
    }
    Ok(found.reasons.is_empty().then_some(violations))
}

/// How often each row of the table was asked, and gave an answer that is not *unknown*;
/// and how often something was violated.
#[derive(Default)]
struct Tally {
    asked: usize,
    violated: usize,
    answered: [usize; Reduction::ALL.len()],
}

fn agrees_with_full_search(
    machine: &Machine,
    properties: Properties,
    tally: &mut Tally,
) -> Result<(), String> {
    let config = config(properties);
    let full = raddle_search::check_all(machine, &config, &mut ());
    let Some(expected) = violations(machine, &full)? else {
        return Ok(());
    };
    tally.asked += 1;
    tally.violated += usize::from(!expected.is_empty());
    for (row, &reduction) in Reduction::ALL.iter().enumerate() {
        if properties.deadlock && !reduction.entry().preserves.deadlock {
            continue;
        }
        let told = |what| format!("{}, {properties:?}: {what}", reduction.entry().name);
        let found = survey(machine, reduction, &config, &mut (), false);
        if let Some(found) = violations(machine, &found).map_err(told)? {
            tally.answered[row] += 1;
            if found != expected {
                return Err(told(format!("{found:?}, full search: {expected:?}")));
            }
        }
        let first = survey(machine, reduction, &config, &mut (), true);
        violations(machine, &first).map_err(told)?;
        let verdict = first.into_outcome().verdict;
        if expected.is_empty() && matches!(verdict, Verdict::Violated(_))
            || !expected.is_empty() && verdict == Verdict::Holds
        {
            return Err(told(format!("{verdict:?}, full search: {expected:?}")));
        }
    }
    Ok(())
}

#[test]
fn invariants_are_those_of_full_search_on_random_programs() {
    let tally = RefCell::new(Tally::default());
    for seed in 0..8 {
        for_all(60, |sample| {
            let machine = machine(&sample.watched(seed).source());
            let tally = &mut *tally.borrow_mut();
            agrees_with_full_search(&machine, INVARIANTS, tally)?;
            agrees_with_full_search(&machine, FAULTS_TOO, tally)?;
            agrees_with_full_search(&machine, DEADLOCKS_TOO, tally)
        });
    }
    let tally = tally.into_inner();
    assert!(tally.violated > tally.asked / 4);
    // Rows that preserve no deadlocks are asked two times out of three.
    let answered = tally.answered.iter().min().copied();
    assert!(answered > Some(tally.asked / 2), "{:?}", tally.answered);
}

#[test]
fn so_they_are_where_threads_start_threads() {
    let tally = RefCell::new(Tally::default());
    for seed in 8..12 {
        for_all(40, |sample| {
            let machine = machine(&sample.watched(seed).spawning());
            agrees_with_full_search(&machine, DEADLOCKS_TOO, &mut tally.borrow_mut())?;
            agrees_with_full_search(&machine, INVARIANTS, &mut tally.borrow_mut())
        });
    }
    assert!(tally.borrow().violated > 20);
}

#[test]
fn invariants_are_those_of_full_search_on_the_corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let mut folders = vec![root];
    let mut tally = Tally::default();
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(folder).expect("the corpus can be read");
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = std::fs::read_to_string(&path).expect("a program can be read");
            if !source.contains("invariant") || source.contains("//@ max-") {
                continue;
            }
            let Ok(program) = raddle_lang::compile(&source) else {
                continue;
            };
            let limits = MachineLimits::default();
            let machine = Machine::new(program, limits).expect("it is well formed");
            for properties in [INVARIANTS, FAULTS_TOO, DEADLOCKS_TOO] {
                if let Err(what) = agrees_with_full_search(&machine, properties, &mut tally) {
                    panic!("{}: {what}", path.display());
                }
            }
        }
    }
    assert!(
        tally.asked > 60,
        "only {} answers were compared",
        tally.asked
    );
}

#[test]
fn where_threads_stand_is_not_observed() {
    let machine = machine(
        "lock m;
         invariant mutex: count(critical) <= 1;
         thread worker[2] { acquire(m); critical: skip; release(m); }",
    );
    for &reduction in Reduction::ALL {
        if matches!(reduction, Reduction::FULL | Reduction::Auto) {
            continue;
        }
        let found = survey(&machine, reduction, &config(INVARIANTS), &mut (), true);
        let is_unknown = matches!(found.reasons[..], [Reason::GaveUp(_)]);
        assert!(is_unknown && found.violations.is_empty(), "{reduction:?}");
    }
}

#[test]
fn invariants_that_read_nothing_are_false_at_once() {
    let machine = machine("invariant 1 > 2; thread t { skip; }");
    for &reduction in Reduction::ALL {
        let found = survey(&machine, reduction, &config(INVARIANTS), &mut (), true);
        assert_eq!(found.violations.len(), 1, "{reduction:?}");
        // Invisible steps at the beginning belong to the initial state.
        assert!(found.violations[0].schedule.len() <= 1, "{reduction:?}");
    }
}

#[test]
fn assumptions_of_the_observer_are_not_counted() {
    let run = |source| {
        let machine = machine(source);
        let pruned = |&reduction| {
            let config = config(FAULTS_TOO);
            let found = survey(&machine, reduction, &config, &mut (), true);
            assert!(found.violations.is_empty(), "{reduction:?}");
            found.statistics.pruned
        };
        Reduction::ALL.iter().map(pruned).collect::<Vec<u64>>()
    };
    let without = run("int x; invariant x >= 0; thread t[2] { x = 1; }");
    assert!(without.iter().all(|&pruned| pruned == 0), "{without:?}");
    let with = run("int x; invariant x >= 0; thread t[2] { x = 1; assume(x == 2); }");
    assert!(with.iter().all(|&pruned| pruned > 0), "{with:?}");
}

#[test]
fn a_cartesian_search_with_an_observer_still_saves_states() {
    let machine = machine(
        "int x, y[3];
         invariant x < 9;
         thread t[3] { for (int i = 0; i < 6; i++) y[index] = i; x = x + 1; }",
    );
    let config = config(FAULTS_TOO);
    let full = survey(&machine, Reduction::FULL, &config, &mut (), true);
    let cartesian = survey(&machine, Reduction::CARTESIAN, &config, &mut (), true);
    assert!(cartesian.reasons.is_empty() && full.reasons.is_empty());
    let (few, many) = (cartesian.statistics.states, full.statistics.states);
    assert!(10 * few < many, "{few} of {many}");
}
