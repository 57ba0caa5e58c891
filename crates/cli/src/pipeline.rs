//! From a file to an answer: load, search, shorten, replay.

use crate::console::complain;
use crate::failure::Failure;
use crate::files;
use crate::progress::Watcher;
use raddle_lang::compile_with;
use raddle_machine::{Machine, MachineLimits};
use raddle_model::{Move, Outcome, Reason, Statistics, System, Trace, Verdict};
use raddle_report::Source;
use raddle_search::{Config, Survey};
use std::path::{Path, PathBuf};

/// Answers a request.
pub(crate) fn run(request: &Request, watcher: &mut Watcher) -> Result<Finding, Failure> {
    let source = files::read_program(&request.file)?;
    let machine = load(
        &source,
        &request.defines,
        request.machine,
        &request.unreachable,
    )?;
    let survey = search(&machine, request, watcher);
    let survey = shorten(&machine, survey, request, watcher);
    Ok(replay(&machine, survey, source))
}

/// What is to be checked, and how.
pub(crate) struct Request {
    /// The program.
    pub(crate) file: PathBuf,
    /// Other values for the program's constants.
    pub(crate) defines: Vec<(String, i64)>,
    /// How large a state may become.
    pub(crate) machine: MachineLimits,
    /// Labels that must not be reached.
    pub(crate) unreachable: Vec<String>,
    /// The search.
    pub(crate) search: Config,
    /// Whether to look for each different violation.
    pub(crate) all: bool,
    /// Whether to look for traces that are easier to follow.
    pub(crate) shorten: bool,
}

/// What was found, and replayed.
pub(crate) struct Finding {
    pub(crate) source: Source,
    pub(crate) traces: Vec<Trace>,
    pub(crate) reasons: Vec<Reason>,
    pub(crate) statistics: Statistics,
}

/// Makes a program ready to run.
pub(crate) fn load(
    source: &Source,
    defines: &[(String, i64)],
    limits: MachineLimits,
    unreachable: &[String],
) -> Result<Machine, Failure> {
    let program = compile_with(&source.text, defines)
        .map_err(|mistakes| Failure::program(source.clone(), mistakes))?;
    let labels: Vec<String> = program
        .labels
        .iter()
        .map(|label| label.name.clone())
        .collect();
    let mut machine = Machine::new(program, limits).map_err(|defects| {
        let told: Vec<&str> = defects
            .iter()
            .map(|defect| defect.message.as_str())
            .collect();
        Failure::new(format!(
            "{} cannot be run: {}",
            source.name,
            told.join("; ")
        ))
    })?;
    for label in unreachable {
        if !machine.forbid(label) {
            return Err(no_such_label(label, &labels, Path::new(&source.name)));
        }
    }
    Ok(machine)
}

fn no_such_label(label: &str, labels: &[String], file: &Path) -> Failure {
    let known = match labels {
        [] => "it has no labels".to_owned(),
        labels => format!("its labels are {}", labels.join(", ")),
    };
    Failure::new(format!(
        "there is no label `{label}` in {}; {known}",
        file.display()
    ))
}

fn search(machine: &Machine, request: &Request, watcher: &mut Watcher) -> Survey {
    let mut survey = match request.all {
        true => raddle_search::check_all(machine, &request.search, watcher),
        false => {
            // One violation is enough, and the reasons to doubt that there are no others
            // do not matter then.
            let outcome = raddle_search::check(machine, &request.search, watcher);
            into_survey(outcome)
        }
    };
    survey.statistics.elapsed = watcher.elapsed();
    survey
}

fn into_survey(outcome: Outcome) -> Survey {
    let (violations, reasons) = match outcome.verdict {
        Verdict::Holds => (Vec::new(), Vec::new()),
        Verdict::Violated(violation) => (vec![violation], Vec::new()),
        Verdict::Unknown(reasons) => (Vec::new(), reasons),
    };
    Survey {
        violations,
        reasons,
        statistics: outcome.statistics,
    }
}

/// How many states are looked at for a better trace: so many that it takes seconds at
/// the most, and not more memory than it is worth. The state at the end of the trace
/// stands for the size of the others.
fn shortening_budget(machine: &Machine, schedule: &[Move]) -> u64 {
    const MOST_STATES: u64 = 200_000;
    const MOST_WORDS: u64 = 1 << 26;
    let Ok(mut state) = machine.initial() else {
        return MOST_STATES;
    };
    let mut scratch = Vec::new();
    let mut words = machine.encode(&state, &mut scratch).len();
    for step in schedule {
        if machine.step(&mut state, step.thread, step.choice).is_err() {
            break;
        }
        words = machine.encode(&state, &mut scratch).len();
    }
    MOST_STATES.min(MOST_WORDS / (words as u64).max(1))
}

fn shorten(
    machine: &Machine,
    mut survey: Survey,
    request: &Request,
    watcher: &mut Watcher,
) -> Survey {
    for violation in &mut survey.violations {
        if request.shorten && !watcher.is_interrupted() {
            watcher.note("shortening the trace");
            let budget = shortening_budget(machine, &violation.schedule);
            *violation = raddle_search::shorten(machine, violation, budget);
        }
    }
    watcher.clear();
    survey
}

/// Executes what was found once more. What does not happen again is not reported as a
/// violation, for it is a bug of raddle and not of the program.
fn replay(machine: &Machine, survey: Survey, source: Source) -> Finding {
    let mut reasons = survey.reasons;
    let mut traces = Vec::new();
    for violation in &survey.violations {
        match raddle_search::replay(machine, &violation.schedule, &violation.property) {
            Ok(trace) => traces.push(trace),
            Err(error) => {
                let kind = violation.property.name();
                let told = format!("a {kind} was found but could not be replayed: {error}");
                complain(&format!("BUG OF RADDLE, please report it: {told}\n"));
                reasons.push(Reason::GaveUp(told));
            }
        }
    }
    Finding {
        source,
        traces,
        reasons,
        statistics: survey.statistics,
    }
}
