//! Every search and every reduction finds the same in random programs, and what the
//! interpreter says of itself is tried out on the way.

use crate::common;

use common::{Taste, explore, random_program, system};
use raddle_cbp::{Counted, Interpreter};
use raddle_model::{FaultKind, Limits, Place, Properties, Property};
use raddle_reduce::paranoid::distrust;
use raddle_reduce::{Reduction, survey};
use raddle_search::{Config, Survey};
use std::collections::BTreeSet;

/// What a search found: faults with their places, whether there is a deadlock, whether
/// somebody is stuck.
#[derive(Debug, PartialEq, Eq)]
struct Findings {
    faults: BTreeSet<(FaultKind, Option<Place>)>,
    deadlock: bool,
    stuck: bool,
}

fn findings(system: &Interpreter, survey: &Survey) -> Findings {
    let mut found = Findings {
        faults: BTreeSet::new(),
        deadlock: false,
        stuck: false,
    };
    for violation in &survey.violations {
        raddle_search::replay(system, &violation.schedule, &violation.property)
            .unwrap_or_else(|error| panic!("{error}: {violation:?}"));
        match &violation.property {
            Property::Fault(fault) => drop(found.faults.insert((fault.kind, fault.place))),
            Property::Deadlock(_) => found.deadlock = true,
            Property::PartialDeadlock(_) => found.stuck = true,
            Property::Temporal(unmet) => panic!("no formula was asked for: {unmet:?}"),
            Property::NoEnd(found) => panic!("nobody asked for an end: {found:?}"),
        }
    }
    // A reduction may find the moment when all others have finished.
    found.stuck |= found.deadlock;
    found
}

fn config(properties: Properties, states: u64) -> Config {
    Config {
        properties,
        limits: Limits {
            states: Some(states),
            ..Limits::NONE
        },
        ..Config::default()
    }
}

/// How many searches were compared.
fn compare_all(seeds: std::ops::Range<u64>, taste: Taste) -> usize {
    let mut compared = 0;
    for seed in seeds {
        let source = random_program(seed, taste);
        let system = system(&source, 4);
        let full = raddle_search::check_all(&system, &config(Properties::ALL, 3000), &mut ());
        if !full.reasons.is_empty() {
            continue;
        }
        let full = findings(&system, &full);
        for &reduction in Reduction::ALL {
            let preserves = reduction.entry().looks_for();
            let suspicious = distrust(&system);
            let config = config(preserves, 20_000);
            let found = survey(&suspicious, reduction, &config, &mut (), false);
            let name = reduction.entry().name;
            if let Some(broken) = suspicious.supervisor.broken() {
                panic!("{name}, seed {seed}: {broken}\n{source}");
            }
            if !found.reasons.is_empty() {
                continue;
            }
            compared += 1;
            let found = findings(&system, &found);
            let same_faults = match reduction {
                // It stops at the first fault of a kind.
                Reduction::TRANSACTIONS => found.faults.is_empty() == full.faults.is_empty(),
                _ => found.faults == full.faults,
            };
            let same = same_faults
                && (!preserves.deadlock || found.deadlock == full.deadlock)
                && (!preserves.partial_deadlock || found.stuck == full.stuck);
            assert!(
                same,
                "{name}, seed {seed}: {found:?}, full search: {full:?}\n{source}"
            );
        }
    }
    compared
}

#[test]
fn reductions_find_what_full_search_finds() {
    let taste = Taste {
        loops: false,
        unbounded: false,
    };
    assert!(compare_all(0..400, taste) > 3000);
}

#[test]
fn reductions_find_what_full_search_finds_in_programs_with_loops() {
    let taste = Taste {
        loops: true,
        unbounded: false,
    };
    assert!(compare_all(1000..1300, taste) > 1000);
}

/// Without names there are fewer states, and the same violations. All of them can be replayed
/// with names.
#[test]
fn counting_finds_what_full_search_finds() {
    let (mut fewer, mut compared) = (0, 0);
    for seed in 0..400 {
        let source = random_program(
            seed,
            Taste {
                loops: true,
                unbounded: false,
            },
        );
        let system = system(&source, 4);
        let config = config(Properties::ALL, 3000);
        let full = raddle_search::check_all(&system, &config, &mut ());
        if !full.reasons.is_empty() {
            continue;
        }
        let counted = Counted::new(&system);
        let mut found = raddle_search::check_all(&counted, &config, &mut ());
        assert!(found.statistics.states <= full.statistics.states);
        fewer += usize::from(found.statistics.states < full.statistics.states);
        compared += 1;
        for violation in &mut found.violations {
            *violation = counted.named(violation).expect("it has names");
        }
        let names = system.unlimited();
        assert_eq!(
            findings(&names, &found),
            findings(&system, &full),
            "seed {seed}\n{source}"
        );
    }
    assert!(compared > 200 && fewer > 50, "{compared} {fewer}");
}

/// Any number of threads is too many for a search, which says so.
#[test]
fn too_many_threads() {
    let source = "vars : ; locks : ; messages : ; threads : t main ;
        t { vars : ; skip ; } main { vars : ; while (*) { start(t) ; } }";
    let survey = explore(&system(source, 3), Properties::ALL);
    assert!(survey.violations.is_empty() && !survey.reasons.is_empty());
}

/// Without names, threads that have finished do not count.
#[test]
fn symmetric_threads_are_counted() {
    let source = "vars : ; locks : l ; messages : ; threads : t main ;
        t { vars : ; lock(l) ; skip ; unlock(l) ; }
        main { vars : ; start(t) ; start(t) ; start(t) ; start(t) ; start(t) ; start(t) ; }";
    let system = system(source, 7);
    let plain = explore(&system, Properties::ALL);
    let counted = Counted::new(&system);
    let counted = raddle_search::check_all(&counted, &Config::default(), &mut ());
    // With k threads started: j of them wait for the lock, and none, or one in one of two
    // places, has it. At the end main has finished.
    let expected: u64 = (0..=6)
        .map(|k: u64| (0..=k).map(|j| if j < k { 3 } else { 1 }).sum::<u64>())
        .sum();
    assert_eq!(counted.statistics.states, expected);
    assert!(plain.statistics.states > 10 * expected);
}
