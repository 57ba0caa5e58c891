//! Java programs in this process: compiled, loaded, and searched with every reduction.

#![allow(dead_code, reason = "each file of tests uses a part")]

use raddle_java::{Java, Plan, Programs, Settings};
use raddle_jvm::World;
use raddle_jvm::load::{Directory, Jdk};
use raddle_model::{Erased, Halt, Limits, Move, Properties, Property, Reason, System};
use raddle_reduce::supervised::{Supervised, Supervisor};
use raddle_reduce::{Query, Reduction, paranoid};
use raddle_search::Config;
pub(crate) use raddle_testkit::differential::{Budget, Tally};
use raddle_testkit::jdk::{self, jdk};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// An empty folder of this process.
pub(crate) fn scratch(name: &str) -> PathBuf {
    jdk::scratch(env!("CARGO_TARGET_TMPDIR"), name)
}

/// Loads the class of a folder that begins.
pub(crate) fn load(folder: &Path, main: &str) -> Result<Java, String> {
    load_with(folder, main, &[])
}

/// The same with arguments.
pub(crate) fn load_with(folder: &Path, main: &str, arguments: &[&str]) -> Result<Java, String> {
    let settings = Settings {
        arguments: arguments.iter().map(|it| (*it).to_owned()).collect(),
        ..Settings::default()
    };
    load_as(folder, main, settings)
}

/// The same with other settings.
pub(crate) fn load_as(folder: &Path, main: &str, settings: Settings) -> Result<Java, String> {
    let program = Box::new(Directory(folder.to_owned()));
    let world = World::new(Jdk::open(jdk())?, vec![program]).map_err(|it| it.to_string())?;
    let settings = Settings {
        main_class: main.to_owned(),
        files: vec![(0, format!("{main}.java"))],
        ..settings
    };
    Java::new(world, settings)
}

/// Compares every reduction with full search; the error says which one is wrong. So many workers
/// search from the first step on.
pub(crate) fn compare(java: &mut Java, budget: Budget, jobs: usize) -> Result<Tally, String> {
    let rows = Reduction::ALL.iter().copied();
    let rows = rows.chain(Reduction::combinations());
    let rows = rows.filter(|&row| row != Reduction::FULL);
    let mut tally = Tally::default();
    let full = Plan::new(Reduction::FULL).ok_or("there is no full search")?;
    let (all, reasons) = findings(java, &full, budget.full, 1)?;
    if !reasons.is_empty() {
        tally.skipped = true;
        return Ok(tally);
    }
    // All that disagree are told, so that it is seen which do not.
    let mut wrong = Vec::new();
    for row in rows {
        let Some(plan) = Plan::new(row) else {
            continue;
        };
        let name = row.entry().name;
        let (found, reasons) = findings(java, &plan, budget.reduced, jobs)
            .map_err(|what| format!("{name}: {what}"))?;
        let is_complete = reasons.is_empty();
        match is_complete {
            true => tally.compared += 1,
            false => tally.unfinished += 1,
        }
        if !found.is_within(&all) || is_complete && !found.is_enough(&all, &plan) {
            wrong.push(format!("{name}: {found:?}, full search: {all:?}"));
        }
    }
    match wrong.is_empty() {
        true => Ok(tally),
        false => Err(wrong.join("\n")),
    }
}

/// Tries out in the first states of full search what steps say of themselves. Reductions rely
/// on that, whether or not a fault depends on it in this program.
pub(crate) fn inspect(java: &mut Java, states: u64) -> Result<(), String> {
    let mut plan = Plan::new(Reduction::FULL).ok_or("there is no full search")?;
    plan.is_paranoid = true;
    // What is found out on the way changes how far steps go: this comes first.
    let (_, reasons) = findings(java, &plan, states, 1)?;
    let system = paranoid::distrust(java);
    let config = Config {
        limits: Limits {
            states: Some(states),
            ..Limits::NONE
        },
        ..Config::default()
    };
    let query = Query {
        method: Reduction::FULL.into(),
        part: None,
        config: &config,
        stop_at_first: false,
    };
    Java::survey(&Erased(&system), query, &mut ());
    match system.supervisor.broken() {
        Some(broken) if reasons.is_empty() => Err(broken.to_string()),
        _ => Ok(()),
    }
}

/// All that a search can find.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Findings {
    /// What the faults say.
    pub(crate) faults: BTreeSet<String>,
    pub(crate) deadlock: bool,
    pub(crate) partial_deadlock: bool,
    pub(crate) races: BTreeSet<String>,
}

impl Findings {
    fn is_stuck(&self) -> bool {
        self.deadlock || self.partial_deadlock
    }

    /// Whether nothing was found that there is not.
    fn is_within(&self, full: &Findings) -> bool {
        self.faults.is_subset(&full.faults)
            && self.deadlock <= full.deadlock
            && self.is_stuck() <= full.is_stuck()
            && self.races.is_subset(&full.races)
    }

    /// Whether all was found that a search to the end has to find.
    fn is_enough(&self, full: &Findings, plan: &Plan) -> bool {
        let preserves = plan.engine().entry().preserves;
        (!preserves.faults || self.faults == full.faults)
            && (!preserves.deadlock || self.deadlock == full.deadlock)
            && (!preserves.partial_deadlock || self.is_stuck() == full.is_stuck())
            && (!plan.sees_races() || self.races == full.races)
    }
}

/// What a search finds, and why that may not be all. All violations are replayed.
pub(crate) fn findings(
    java: &mut Java,
    plan: &Plan,
    states: u64,
    jobs: usize,
) -> Result<(Findings, Vec<Reason>), String> {
    let config = Config {
        // Races are found on the way; forbidding them would be an invariant.
        properties: Properties {
            invariants: false,
            ..plan.engine().entry().looks_for()
        },
        limits: Limits {
            states: Some(states),
            ..Limits::NONE
        },
        jobs,
        alone_for: 0,
        ..Config::default()
    };
    plan.prepare(java);
    let java = &*java;
    let system = Supervised {
        system: java,
        supervisor: Faults::default(),
    };
    let survey = plan.survey(&Erased(&system), java, &config, None, &mut (), false);
    let mut findings = Findings {
        faults: system.supervisor.into_messages(),
        races: java.races().iter().map(race_told).collect(),
        ..Findings::default()
    };
    for violation in &survey.violations {
        raddle_search::replay(java, &violation.schedule, &violation.property)
            .map_err(|it| format!("{} does not replay: {it}", violation.property.name()))?;
        match &violation.property {
            Property::Fault(_) => {}
            Property::Deadlock(_) => findings.deadlock = true,
            Property::PartialDeadlock(_) => findings.partial_deadlock = true,
            Property::Temporal(unmet) => panic!("no formula was asked for: {unmet:?}"),
            Property::NoEnd(found) => panic!("nobody asked for an end: {found:?}"),
        }
    }
    Ok((findings, survey.reasons))
}

/// A race without the names of threads: those that are found first depend on the search.
fn race_told(race: &raddle_model::Race) -> String {
    let told = |access: &raddle_model::RacingAccess| {
        let how = if access.is_write { "written" } else { "read" };
        format!("{how} at {}", access.whereabouts)
    };
    let [first, second] = &race.accesses;
    format!("{}: {} and {}", race.variable, told(first), told(second))
}

/// Notes what the faults of the last search say: one that began again had assumed too much.
#[derive(Default)]
struct Faults(Mutex<BTreeSet<String>>);

impl Faults {
    fn into_messages(self) -> BTreeSet<String> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn note<T>(&self, result: Result<T, Halt>) -> Result<T, Halt> {
        if let Err(Halt::Fault(fault)) = &result {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            all.insert(fault.message.clone());
        }
        result
    }
}

impl<S: System> Supervisor<S> for Faults {
    fn initial(&self, system: &S) -> Result<S::State, Halt> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
        self.note(system.initial())
    }

    fn step(&self, system: &S, state: &mut S::State, step: Move) -> Result<(), Halt> {
        self.note(system.step(state, step.thread, step.choice))
    }
}
