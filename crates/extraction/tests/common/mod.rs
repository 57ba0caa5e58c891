//! Java programs in this process: compiled, extracted, and searched as Java and as extracted.

use raddle_extraction::{Extracted, Threads, Untranslatable, extract};
use raddle_java::{Java, Plan, Settings};
use raddle_jvm::World;
use raddle_jvm::load::{Directory, Jdk};
use raddle_machine::{Machine, MachineLimits};
use raddle_model::{Erased, Limits, Properties, Property, System};
use raddle_reduce::Reduction;
use raddle_search::{Config, Survey};
use raddle_testkit::jdk::{self, jdk};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// An empty folder of this process.
pub(crate) fn scratch(name: &str) -> PathBuf {
    jdk::scratch(env!("CARGO_TARGET_TMPDIR"), name)
}

/// Loads the class of a folder that begins.
pub(crate) fn load(folder: &Path, main: &str) -> Java {
    let program = Box::new(Directory(folder.to_owned()));
    let world = World::new(Jdk::open(jdk()).expect("a JDK"), vec![program]);
    let settings = Settings {
        main_class: main.to_owned(),
        files: vec![(0, format!("{main}.java"))],
        ..Settings::default()
    };
    Java::new(world.expect("a world"), settings).expect("the program starts")
}

/// Extracts the program, with as many threads as it starts.
pub(crate) fn extracted(
    java: &Java,
    main: &str,
    threads: Threads,
) -> Result<Extracted, Untranslatable> {
    let (world, start) = java.beginning_of_main();
    extract(world, start, &[(0, format!("{main}.java"))], threads)
}

/// What a search has found: kinds of faults and their lines, and whether threads get stuck. None if
/// it did not come to its end.
pub(crate) type Outcomes = Option<BTreeSet<String>>;

fn outcomes(survey: &Survey) -> Outcomes {
    if !survey.reasons.is_empty() {
        return None;
    }
    let told = survey
        .violations
        .iter()
        .map(|violation| match &violation.property {
            Property::Fault(fault) => {
                let line = fault.place.map_or(0, |place| place.line);
                format!("{} in line {line}", fault.kind.name())
            }
            Property::Deadlock(_) => "deadlock".to_owned(),
            Property::PartialDeadlock(_) => PARTIAL.to_owned(),
            Property::Temporal(unmet) => panic!("no formula was asked for: {unmet:?}"),
            Property::NoEnd(found) => panic!("nobody asked for an end: {found:?}"),
        });
    Some(told.collect())
}

fn config(properties: Properties, states: u64) -> Config {
    Config {
        properties: Properties {
            invariants: false,
            ..properties
        },
        limits: Limits {
            states: Some(states),
            ..Limits::NONE
        },
        ..Config::default()
    }
}

/// What the Java checker finds, with a reduction that finds the same as full search.
pub(crate) fn java_outcomes(java: &mut Java, states: u64) -> Outcomes {
    let plan = Plan::new(Reduction::Auto).expect("there is one");
    plan.prepare(java);
    let config = config(plan.engine().entry().looks_for(), states);
    let java = &*java;
    outcomes(&plan.survey(&Erased(java), java, &config, None, &mut (), false))
}

/// What full search finds in an extracted program.
pub(crate) fn machine_outcomes(program: &raddle_machine::ir::Program, states: u64) -> Outcomes {
    let machine = Machine::new(program.clone(), MachineLimits::default());
    let machine = machine.expect("the extracted program is well formed");
    let _ = machine.initial();
    let config = config(Properties::ALL, states);
    outcomes(&raddle_search::check_all(&machine, &config, &mut ()))
}

/// Whether a breadth-first search finds a fault within a number of states, and whether these are
/// all.
pub(crate) fn finds_fault(program: &raddle_machine::ir::Program, states: u64) -> (bool, bool) {
    let machine = Machine::new(program.clone(), MachineLimits::default());
    let machine = machine.expect("the extracted program is well formed");
    let config = Config {
        order: raddle_search::Order::BreadthFirst,
        ..config(
            Properties {
                deadlock: false,
                partial_deadlock: false,
                ..Properties::ALL
            },
            states,
        )
    };
    let survey = raddle_search::check_all(&machine, &config, &mut ());
    let mut violations = survey.violations.iter();
    let found = violations.any(|it| matches!(it.property, Property::Fault(_)));
    (found, survey.reasons.is_empty())
}

/// Threads that wait for ever while others can go on.
pub(crate) const PARTIAL: &str = "partial deadlock";

/// Whether both searches have found the same. Partial deadlocks are recognised by what threads may
/// still do, which is known of the intermediate form and not of Java: there may be more of them in
/// what is extracted, never less.
pub(crate) fn agree(found: &BTreeSet<String>, java: &BTreeSet<String>) -> bool {
    let others = |all: &BTreeSet<String>| -> BTreeSet<String> {
        all.iter().filter(|it| *it != PARTIAL).cloned().collect()
    };
    let is_stuck = |all: &BTreeSet<String>| all.iter().any(|it| it.ends_with("deadlock"));
    others(found) == others(java) && is_stuck(found) >= is_stuck(java)
}
