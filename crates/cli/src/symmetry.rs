//! Models whose threads can be exchanged, searched state by state of each orbit.

use crate::failure::Failure;
use crate::pipeline::{self, Finding, Request};
use crate::progress::Watcher;
use raddle_machine::Machine;
use raddle_machine::symmetry::{Reason, Symmetric, Symmetry};
use raddle_model::{Reason as Doubt, System};
use raddle_reduce::{Reduction, Strictness};
use raddle_report::Source;
use raddle_search::{Monitor, Survey, lift};

/// Searches a machine up to its symmetry.
pub(crate) fn explore(
    machine: &Machine,
    source: &Source,
    request: &Request,
    watcher: &mut Watcher,
) -> Result<Finding, Failure> {
    refuse(machine, request)?;
    let symmetry = Symmetry::of(machine);
    let refused = symmetry.reasons.iter();
    let refused: Vec<String> = refused
        .map(|(name, why)| refusal(name, why, source))
        .collect();
    if symmetry.groups.is_empty() {
        let why = match refused.is_empty() {
            true => "no declaration has several threads from the start".to_owned(),
            false => refused.join("; "),
        };
        return Err(Failure::new(format!(
            "--symmetry: no threads can be exchanged: {why}"
        )));
    }
    let search = |request: &Request, monitor: &mut dyn Monitor| {
        let survey = survey(machine, &symmetry, request, monitor);
        survey_of_executions(machine, &symmetry, survey)
    };
    let mut finding = pipeline::explore_by(machine, request, watcher, search)?;
    let groups = symmetry.groups.iter();
    let groups: Vec<String> = groups
        .map(|group| format!("the {} threads `{}`", group.count, group.name))
        .collect();
    finding.remarks.push(format!(
        "states count as one that differ only in which of {} is which",
        groups.join(" and of ")
    ));
    finding.remarks.extend(refused);
    Ok(finding)
}

/// Refuses what a search up to symmetry does not preserve.
fn refuse(machine: &Machine, request: &Request) -> Result<(), Failure> {
    let asked = request.search.properties;
    let why = match () {
        () if request.method.reduction != Reduction::FULL => {
            "is not proved to go with a reduction; leave out --reduction"
        }
        () if request.method.strictness == Strictness::Strict => {
            "does not preserve claims about who accesses what; leave out --discipline strict"
        }
        () if asked.temporal && !machine.program().temporal.is_empty() => {
            "does not preserve temporal properties; leave them out with --no-temporal"
        }
        () if asked.ends => "does not preserve whether a program can end; leave out --must-end",
        () => return Ok(()),
    };
    Err(Failure::new(format!("--symmetry {why}")))
}

/// Why threads cannot be exchanged.
fn refusal(name: &str, why: &Reason, source: &Source) -> String {
    let place = why.place.map_or_else(String::new, |place| {
        format!(" at {}:{}:{}", source.name, place.line, place.column)
    });
    format!("the index of `{name}` {}{place}", why.what)
}

/// Searches one state of each orbit.
fn survey(
    machine: &Machine,
    symmetry: &Symmetry,
    request: &Request,
    monitor: &mut dyn Monitor,
) -> Survey {
    let symmetric = Symmetric::new(machine, symmetry);
    raddle_search::survey(&symmetric, &request.search, monitor, !request.all)
}

/// The same with violations that are executions of the machine.
fn survey_of_executions(machine: &Machine, symmetry: &Symmetry, mut survey: Survey) -> Survey {
    let symmetric = Symmetric::new(machine, symmetry);
    let same = |state: &<Machine as raddle_model::States>::State| {
        let mut state = state.clone();
        symmetric.represent(&mut state);
        machine.encode(&state, &mut Vec::new()).to_vec()
    };
    let found = std::mem::take(&mut survey.violations);
    for violation in found {
        match lift(machine, &symmetric, &same, &violation) {
            Some(lifted) => survey.violations.push(lifted),
            None => survey.reasons.push(Doubt::GaveUp(
                "a violation was found up to symmetry, and no execution that comes to it"
                    .to_owned(),
            )),
        }
    }
    survey
}
