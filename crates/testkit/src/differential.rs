//! Full search as the judge of every reduction.
//!
//! A program is searched to the end without a reduction, and then with each row of the
//! table [`Reduction::ALL`]. As far as the row says that it preserves something, what it
//! finds must be the same: which faults, whether there is a deadlock, whether somebody is
//! stuck, which states are final.

use raddle_machine::{Machine, MachineLimits};
use raddle_model::{
    Fault, FaultKind, Halt, Limits, Move, Place, Properties, Property, Status, System, Thread,
};
use raddle_reduce::supervised::{Supervised, Supervisor};
use raddle_reduce::{Method, Reduction, survey};
use raddle_search::{Config, Survey};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// How many states a search may visit.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Full search; a program with more says nothing.
    pub full: u64,
    /// A search with a reduction. Those without a store count every visit.
    pub reduced: u64,
}

/// What came of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Whether the program was too large for full search.
    pub skipped: bool,
    /// Searches that came to their end and found the same.
    pub compared: u64,
    /// Searches that did not come to their end, by their budget or because of a cycle.
    pub unfinished: u64,
}

/// Makes a program ready to run.
pub fn machine(source: &str) -> Result<Machine, String> {
    let program = raddle_lang::compile(source).map_err(|it| format!("{it:?}"))?;
    Machine::new(program, MachineLimits::default()).map_err(|it| format!("{it:?}"))
}

/// Compares every row of the table with full search; the error says which one is wrong.
pub fn compare(source: &str, budget: Budget) -> Result<Tally, String> {
    let rows = Reduction::ALL.iter().copied();
    let rows = rows.chain(Reduction::combinations());
    compare_with(&machine(source)?, budget, rows)
}

/// Compares every row with a name of its own with full search, and one of the other combinations:
/// over many programs each of those has its turn. So many workers search together.
pub fn compare_in_turn(
    source: &str,
    budget: Budget,
    turn: u64,
    workers: usize,
) -> Result<Tally, String> {
    let rows = Reduction::ALL.iter().copied();
    let turn = turn as usize % Reduction::combinations().count().max(1);
    let rows = rows.chain(Reduction::combinations().skip(turn).take(1));
    compare_together(&machine(source)?, budget, rows, workers)
}

/// Compares some rows of the table with full search.
pub fn compare_with(
    machine: &Machine,
    budget: Budget,
    rows: impl IntoIterator<Item = Reduction>,
) -> Result<Tally, String> {
    compare_together(machine, budget, rows, 1)
}

/// Compares some rows of the table with full search by one worker. Where a row can have several, so
/// many begin at once.
pub fn compare_together(
    machine: &Machine,
    budget: Budget,
    rows: impl IntoIterator<Item = Reduction>,
    workers: usize,
) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let (full, is_complete) = findings(machine, Reduction::FULL, budget.full, 1)?;
    if !is_complete {
        tally.skipped = true;
        return Ok(tally);
    }
    for reduction in rows {
        if reduction == Reduction::FULL {
            continue;
        }
        let name = reduction.entry().name;
        let jobs = match reduction.entry().concurrent {
            true => workers,
            false => 1,
        };
        let (found, is_complete) = findings(machine, reduction, budget.reduced, jobs)
            .map_err(|what| format!("{name}: {what}"))?;
        match is_complete {
            true => tally.compared += 1,
            false => tally.unfinished += 1,
        }
        let difference = match is_complete {
            true => found.difference(&full, reduction),
            false => found.excess(&full),
        };
        if let Some(what) = difference {
            return Err(format!("{name}: {what}"));
        }
    }
    Ok(tally)
}

/// All that a search can find. A new property (violations of a lock discipline, say) is one
/// more field, with its line in [`Findings::difference`] and in [`Findings::excess`].
#[derive(Debug, Default, PartialEq, Eq)]
struct Findings {
    faults: BTreeSet<(FaultKind, Option<Place>)>,
    invariants: BTreeSet<Option<Place>>,
    deadlock: bool,
    partial_deadlock: bool,
    /// The canonical forms of the states in which nobody can move.
    finals: BTreeSet<Vec<u32>>,
}

impl Findings {
    /// What a complete search found otherwise than full search, of all that its row
    /// preserves.
    fn difference(&self, full: &Findings, reduction: Reduction) -> Option<String> {
        let preserves = reduction.entry().preserves;
        if preserves.faults {
            let same = match reduction.entry().finds_each_fault {
                true => self.faults == full.faults,
                false => self.faults.is_empty() == full.faults.is_empty(),
            };
            if !same {
                let (found, expected) = (&self.faults, &full.faults);
                return Some(format!("faults {found:?}, full search: {expected:?}"));
            }
        }
        if preserves.deadlock && self.deadlock != full.deadlock {
            let (found, expected) = (self.deadlock, full.deadlock);
            return Some(format!("deadlock {found}, full search: {expected}"));
        }
        // Whoever preserves deadlocks sees the ends of all executions.
        if preserves.deadlock && self.finals != full.finals {
            let (found, expected) = (self.finals.len(), full.finals.len());
            let missed = full.finals.difference(&self.finals).next();
            return Some(format!(
                "{found} final states, full search: {expected}; not found: {missed:?}"
            ));
        }
        // What a reduction finds may be the moment when all others have finished.
        let stuck = |it: &Findings| it.deadlock || it.partial_deadlock;
        if preserves.partial_deadlock && stuck(self) != stuck(full) {
            let (found, expected) = (stuck(self), stuck(full));
            return Some(format!("somebody stuck {found}, full search: {expected}"));
        }
        if preserves.invariants && self.invariants != full.invariants {
            let (found, expected) = (&self.invariants, &full.invariants);
            return Some(format!("invariants {found:?}, full search: {expected:?}"));
        }
        self.excess(full)
    }

    /// What a search found that full search did not.
    fn excess(&self, full: &Findings) -> Option<String> {
        let stuck = self.deadlock || self.partial_deadlock;
        let is_less = self.faults.is_subset(&full.faults)
            && self.invariants.is_subset(&full.invariants)
            && self.deadlock <= full.deadlock
            && stuck <= (full.deadlock || full.partial_deadlock)
            && self.finals.is_subset(&full.finals);
        (!is_less).then(|| format!("{self:?}, full search: {full:?}"))
    }
}

/// What a search finds, and whether it came to its end. All violations are replayed.
fn findings(
    machine: &Machine,
    reduction: Reduction,
    states: u64,
    jobs: usize,
) -> Result<(Findings, bool), String> {
    let config = Config {
        // Temporal properties have a judge of their own, as no row but full search preserves them.
        properties: Properties {
            temporal: false,
            ends: false,
            ..reduction.entry().preserves
        },
        limits: Limits {
            states: Some(states),
            ..Limits::NONE
        },
        jobs,
        alone_for: 0,
        ..Config::default()
    };
    let system = record_finals(machine);
    let survey = survey(&system, reduction, &config, &mut (), false);
    let mut findings = collect(machine, &survey)?;
    findings.finals = system.supervisor.into_states();
    Ok((findings, survey.reasons.is_empty()))
}

fn collect(machine: &Machine, survey: &Survey) -> Result<Findings, String> {
    let mut findings = Findings::default();
    for violation in &survey.violations {
        raddle_search::replay(machine, &violation.schedule, &violation.property)
            .map_err(|it| format!("{} does not replay: {it}", violation.property.name()))?;
        match &violation.property {
            // No footprint tells how full the heap is.
            Property::Fault(fault) if fault.kind == FaultKind::HeapExhausted => {}
            Property::Fault(fault) if is_of_invariant(machine, fault) => {
                findings.invariants.insert(fault.place);
            }
            Property::Fault(fault) => {
                findings.faults.insert((fault.kind, fault.place));
            }
            Property::Deadlock(_) => findings.deadlock = true,
            Property::PartialDeadlock(_) => findings.partial_deadlock = true,
            // Nobody has asked for them.
            Property::Temporal(unmet) => return Err(format!("`{}` came out", unmet.name)),
            Property::NoEnd(_) => return Err("that nothing ends came out".to_owned()),
        }
    }
    Ok(findings)
}

/// Whether a fault is that of an invariant: it is false, or cannot be evaluated.
fn is_of_invariant(machine: &Machine, fault: &Fault) -> bool {
    let mut invariants = machine.program().invariants.iter();
    invariants.any(|invariant| Some(invariant.place) == fault.place)
}

/// A system of which it is noted in which states nobody can move.
pub fn record_finals<S: System>(system: &S) -> Supervised<'_, S, Finals> {
    Supervised {
        system,
        supervisor: Finals::default(),
    }
}

/// Notes the canonical forms of the states in which nobody can move.
#[derive(Debug, Default)]
pub struct Finals(Mutex<BTreeSet<Vec<u32>>>);

impl Finals {
    /// The canonical forms.
    pub fn into_states(self) -> BTreeSet<Vec<u32>> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn note<S: System>(&self, system: &S, state: &S::State) {
        let can_move = |it| matches!(system.status(state, Thread(it)), Status::Ready { .. });
        if !(0..system.threads(state) as u32).any(can_move) {
            let mut scratch = Vec::new();
            let words = system.encode(state, &mut scratch).to_vec();
            let mut finals = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            finals.insert(words);
        }
    }
}

impl<S: System> Supervisor<S> for Finals {
    fn initial(&self, system: &S) -> Result<S::State, Halt> {
        let state = system.initial()?;
        self.note(system, &state);
        Ok(state)
    }

    fn step(&self, system: &S, state: &mut S::State, step: Move) -> Result<(), Halt> {
        system.step(state, step.thread, step.choice)?;
        self.note(system, state);
        Ok(())
    }
}

/// The instructions of the smallest programs.
pub const INSTRUCTIONS: [&str; 9] = [
    "l = x;",
    "x = 1;",
    "y = l;",
    "x = 2;",
    "acquire(m);",
    "if (holds(m)) release(m);",
    "up(s);",
    "down(s);",
    "assert(x < 2 || y == 0);",
];

/// How many programs there are of two threads with three instructions each, up to the
/// order of the threads.
pub const SMALL_PROGRAMS: u64 = BODIES * (BODIES + 1) / 2;

const BODIES: u64 = (INSTRUCTIONS.len() as u64).pow(3);

/// One of the [`SMALL_PROGRAMS`], by its number from zero.
pub fn small_program(number: u64) -> String {
    // The pairs in order: (0, 0), (0, 1), (1, 1), (0, 2), ...
    let second = ((8 * number + 1).isqrt() - 1) / 2;
    let first = number - second * (second + 1) / 2;
    let body = |number: u64| {
        let count = INSTRUCTIONS.len() as u64;
        let digits = [
            number / (count * count),
            number / count % count,
            number % count,
        ];
        digits.map(|it| INSTRUCTIONS[it as usize]).concat()
    };
    format!(
        "int x, y; lock m; semaphore s = 1;
         thread a {{ int l = 0; {} }}
         thread b {{ int l = 0; {} }}",
        body(first),
        body(second)
    )
}

/// Searches for faults, or else for deadlocks, within a number of states.
pub fn search_for(
    machine: &Machine,
    method: Method,
    faults: bool,
    states: u64,
    stop_at_first: bool,
) -> Survey {
    let config = Config {
        properties: Properties {
            faults,
            deadlock: !faults,
            partial_deadlock: false,
            invariants: false,
            temporal: false,
            ends: false,
        },
        limits: Limits {
            states: Some(states),
            ..Limits::NONE
        },
        ..Config::default()
    };
    survey(machine, method, &config, &mut (), stop_at_first)
}

/// Whether a search found a broken claim; `None` if it does not tell.
pub fn breaks_a_claim(survey: &Survey) -> Option<bool> {
    let is_broken = survey.violations.iter().any(|violation| {
        matches!(&violation.property, Property::Fault(fault) if fault.kind == FaultKind::Discipline)
    });
    match (is_broken, survey.reasons.is_empty()) {
        (false, false) => None,
        (is_broken, _) => Some(is_broken),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_small_programs_are_different() {
        let programs: BTreeSet<String> = (0..SMALL_PROGRAMS).map(small_program).collect();
        assert_eq!(programs.len() as u64, SMALL_PROGRAMS);
    }
}
