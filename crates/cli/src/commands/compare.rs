//! `raddle compare`: the same program under every reduction, side by side.

use super::SUCCESS;
use crate::args::{Compare, When};
use crate::console::{self, complain};
use crate::failure::Failure;
use crate::progress::Watcher;
use crate::{files, memory, pipeline};
use raddle_machine::{Machine, MachineLimits};
use raddle_model::{Limits, Properties, Schedule};
use raddle_reduce::Reduction;
use raddle_report::comparison::{self, Row};
use raddle_search::{Config, Survey};
use std::fmt::Write;

/// Exit code if two searches contradict each other.
const CONTRADICTION: u8 = 2;

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Compare) -> Result<u8, Failure> {
    if let Some(path) = &args.svg {
        files::guard_picture(path, &args.file)?;
    }
    let source = files::read_program(&args.file)?;
    let machine = pipeline::load(&source, &args.defines, MachineLimits::default(), &[])?;
    let mut rows = Vec::new();
    let mut contradictions = String::new();
    for &reduction in Reduction::ALL {
        let properties = reduction.entry().preserves;
        let survey = search(&machine, reduction, properties, args);
        // Full search is asked the same question, so that the answers can be compared.
        let full = match reduction {
            Reduction::Full => None,
            _ => Some(search(&machine, Reduction::Full, properties, args)),
        };
        if let Some(full) = &full {
            contradict(&mut contradictions, reduction, &survey, full);
        }
        rows.push(row(reduction, properties, &survey));
    }
    let text = match args.json {
        true => format!("{:#}\n", comparison::json(&source.name, &rows)),
        false => comparison::table(&rows),
    };
    console::answer(&text)?;
    if let Some(path) = &args.svg {
        files::write(path, &comparison::svg(&source.name, &rows))?;
    }
    match contradictions.is_empty() {
        true => Ok(SUCCESS),
        false => {
            complain(&contradictions);
            Ok(CONTRADICTION)
        }
    }
}

fn search(
    machine: &Machine,
    reduction: Reduction,
    properties: Properties,
    args: &Compare,
) -> Survey {
    let config = Config {
        properties,
        limits: Limits {
            time: args.time,
            memory: memory::default_limit(),
            ..Limits::NONE
        },
        ..Config::default()
    };
    let mut watcher = Watcher::new(args.time, When::Never);
    let mut survey = raddle_reduce::survey(machine, reduction, &config, &mut watcher, true);
    survey.statistics.elapsed = watcher.elapsed();
    survey
}

fn row(reduction: Reduction, properties: Properties, survey: &Survey) -> Row {
    let names = [
        (properties.faults, "faults"),
        (properties.deadlock, "deadlocks"),
        (properties.partial_deadlock, "partial deadlocks"),
        (properties.invariants, "invariants"),
    ];
    let checked: Vec<&str> = names.iter().filter(|it| it.0).map(|it| it.1).collect();
    Row {
        reduction: reduction.entry().name,
        checked: checked.join(", "),
        answer: answer(survey).to_owned(),
        states: survey.statistics.states,
        transitions: survey.statistics.transitions,
        elapsed: survey.statistics.elapsed,
        bytes: survey.statistics.peak_bytes,
    }
}

fn answer(survey: &Survey) -> &'static str {
    match survey.violations.first() {
        Some(violation) => violation.property.name(),
        None if survey.reasons.is_empty() => "holds",
        None => "unknown",
    }
}

/// Notes that one search finds a violation and the other one proves that there is none.
fn contradict(told: &mut String, reduction: Reduction, reduced: &Survey, full: &Survey) {
    let proves = |survey: &Survey| survey.violations.is_empty() && survey.reasons.is_empty();
    let finds = |survey: &Survey| !survey.violations.is_empty();
    if proves(reduced) && finds(full) || finds(reduced) && proves(full) {
        let schedule = |survey: &Survey| -> Schedule {
            let first = survey.violations.first();
            first.map_or(Vec::new(), |violation| violation.schedule.clone())
        };
        let _ = writeln!(
            told,
            "BUG OF RADDLE, please report it: `{}` answers {}, full search answers {}.\n  \
             The schedule of the first: {:?}\n  The schedule of the second: {:?}",
            reduction.entry().name,
            answer(reduced),
            answer(full),
            schedule(reduced),
            schedule(full),
        );
    }
}
