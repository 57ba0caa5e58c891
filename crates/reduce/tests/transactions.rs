//! Transactions: the numbers of the paper, and what is inferred along the way.
//!
//! `RADDLE_SEED=n` starts elsewhere, `RADDLE_SAMPLES=n` runs more.

use raddle_machine::{Machine, MachineLimits};
use raddle_model::{
    Footprint, Kind, Limits, Object, ObjectState, Properties, Property, Reason, Status, System,
    Thread, Verdict,
};
use raddle_reduce::lock_order::{self, LockOrder};
use raddle_reduce::transactions::{Exploration, Guard, Movers, Protection, explore};
use raddle_search::{Book, Config, check_all};
use raddle_testkit::generate::{Sample, for_all};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

const FAULTS: Properties = Properties {
    faults: true,
    deadlock: false,
    partial_deadlock: false,
    invariants: false,
};

fn machine(source: &str, defines: &[(String, i64)]) -> Machine {
    let program = raddle_lang::compile_with(source, defines).expect("the program compiles");
    Machine::new(program, MachineLimits::default()).expect("the program is well formed")
}

fn faults() -> Config {
    Config {
        properties: FAULTS,
        limits: Limits {
            states: Some(10_000),
            ..Limits::NONE
        },
        ..Config::default()
    }
}

fn run(machine: &Machine, movers: Movers, protection: Protection) -> Exploration {
    let config = faults();
    explore(
        machine,
        Book::new(&config, &mut (), false),
        movers,
        protection,
    )
}

// The counter of section 2.

#[test]
fn the_numbers_of_the_counter_come_out() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/papers/models");
    for name in ["counter.rad", "counter_merged.rad"] {
        let source = std::fs::read_to_string(root.join(name)).expect("the model is there");
        for k in [2, 3, 4] {
            let machine = machine(&source, &[("K".to_owned(), k)]);
            let full = check_all(&machine, &faults(), &mut ());
            let inferred = run(&machine, Movers::Both, Protection::default());
            let given = run(&machine, Movers::Both, inferred.protection.clone());
            let left = run(&machine, Movers::Left, given.protection.clone());
            println!(
                "{name} {k}: full {}, inferred {} {}, given {} {}, left {} {}",
                full.statistics.states,
                inferred.nodes,
                inferred.survey.statistics.states,
                given.nodes,
                given.survey.statistics.states,
                left.nodes,
                left.survey.statistics.states
            );
        }
    }
}
