//! Search up to symmetry held against plain search.

use raddle_machine::symmetry::{Reason, Symmetric, Symmetry};
use raddle_machine::{Machine, MachineLimits};
use raddle_model::{Halt, Limits, Place, Properties, Property, States, System, Violation};
use raddle_search::{Config, Examiner, lift, replay, survey};
use std::collections::BTreeSet;

/// More states than this are not explored.
const MOST: usize = 20_000;

/// What is found in the states of a system, and the states as they are in `same`.
struct Found {
    states: BTreeSet<Vec<u32>>,
    violations: BTreeSet<(&'static str, Option<Place>)>,
}

/// All states of a system, unless they are too many.
fn explore<S: System>(system: &S, same: &dyn Fn(&S::State) -> Vec<u32>) -> Option<Found> {
    let mut found = Found {
        states: BTreeSet::new(),
        violations: BTreeSet::new(),
    };
    let mut known = BTreeSet::new();
    let mut examiner = Examiner::default();
    let mut work = vec![system.initial().ok()?];
    while let Some(state) = work.pop() {
        if !known.insert(system.encode(&state, &mut Vec::new()).to_vec()) {
            continue;
        }
        if known.len() > MOST {
            return None;
        }
        found.states.insert(same(&state));
        let (mut moves, mut violated) = (Vec::new(), Vec::new());
        examiner.examine(system, &state, &Properties::ALL, &mut moves, &mut violated);
        for step in moves {
            let mut next = state.clone();
            match system.step(&mut next, step.thread, step.choice) {
                Ok(()) => work.push(next),
                Err(Halt::Fault(fault)) => violated.push(Property::Fault(fault)),
                Err(_) => {}
            }
        }
        found
            .violations
            .extend(violated.iter().map(|it| (it.name(), it.place())));
    }
    Some(found)
}

fn words(machine: &Machine, state: &<Machine as States>::State) -> Vec<u32> {
    machine.encode(state, &mut Vec::new()).to_vec()
}

/// The violations of a search up to symmetry, each with an execution that is replayed.
fn executions(
    machine: &Machine,
    symmetric: &Symmetric<'_>,
    same: &dyn Fn(&<Machine as States>::State) -> Vec<u32>,
) -> Result<Vec<Violation>, String> {
    let config = Config {
        properties: Properties::ALL,
        limits: Limits::NONE,
        ..Config::default()
    };
    let found = survey(symmetric, &config, &mut (), false);
    let mut lifted = Vec::new();
    for violation in found.violations {
        let name = violation.property.name();
        let it = lift(machine, symmetric, same, &violation);
        let it = it.ok_or_else(|| format!("no execution comes to the {name}"))?;
        replay(machine, &it.schedule, &it.property)
            .map_err(|error| format!("the {name} does not replay: {error}"))?;
        lifted.push(it);
    }
    Ok(lifted)
}

/// Compares the two searches of a program; whether there was something to compare. Tells why threads
/// cannot be exchanged.
pub fn compare(text: &str, refused: &mut dyn FnMut(&Reason)) -> Result<bool, String> {
    let program = raddle_lang::compile(text).map_err(|it| format!("{it:?}"))?;
    let limits = MachineLimits {
        heap_words: 64,
        ..MachineLimits::default()
    };
    let machine = Machine::new(program, limits).map_err(|it| format!("{it:?}"))?;
    let symmetry = Symmetry::of(&machine);
    symmetry
        .reasons
        .iter()
        .for_each(|(_, reason)| refused(reason));
    if symmetry.groups.is_empty() {
        return Ok(false);
    }
    let symmetric = Symmetric::new(&machine, &symmetry);
    let same = |state: &<Machine as States>::State| {
        let mut state = state.clone();
        symmetric.represent(&mut state);
        words(&machine, &state)
    };
    let Some(plain) = explore(&machine, &same) else {
        return Ok(false);
    };
    let quotient = explore(&symmetric, &|state| words(&machine, state));
    let quotient = quotient.ok_or("the quotient has more states")?;
    if plain.states != quotient.states {
        let (all, found) = (plain.states.len(), quotient.states.len());
        return Err(format!("{found} orbits, and there are {all}"));
    }
    if plain.violations != quotient.violations {
        let (all, found) = (plain.violations, quotient.violations);
        return Err(format!("found {found:?}, and there are {all:?}"));
    }
    let executions = executions(&machine, &symmetric, &same)?;
    let lifted: BTreeSet<&str> = executions.iter().map(|it| it.property.name()).collect();
    let expected: BTreeSet<&str> = plain.violations.iter().map(|(name, _)| *name).collect();
    if lifted != expected {
        return Err(format!(
            "executions of {lifted:?}, and there are {expected:?}"
        ));
    }
    Ok(true)
}
