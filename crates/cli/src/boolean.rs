//! Boolean programs: for any number of threads through nets, or state by state.

use crate::failure::Failure;
use crate::nets;
use crate::pipeline::{self, Finding, Request};
use crate::programs::{Setup, Text};
use crate::progress::Watcher;
use raddle_cbp::{Counted, Interpreter, Limits, Program, Translation, machines, reduced};
use raddle_cover::Answer;
use raddle_model::Reason;
use raddle_reduce::Reduction;
use raddle_report::Source;

/// Reads a program, with what must not be reached.
pub(crate) fn load(text: &Text, setup: &Setup) -> Result<Program, Failure> {
    let source = text.main();
    let mut program = raddle_cbp::compile(&source.text)
        .map_err(|mistakes| Failure::program(source.clone(), mistakes))?;
    let labels = setup
        .unreachable
        .iter()
        .map(|label| ("--unreachable", label));
    let sets = setup.unsafe_sets.iter().map(|set| ("--unsafe", set));
    for (flag, set) in labels.chain(sets) {
        program.forbid(set).map_err(|mistakes| {
            let source = Source {
                name: flag.to_owned(),
                text: set.clone(),
            };
            Failure::program(source, mistakes)
        })?;
    }
    Ok(program)
}

/// Makes a program ready to run.
pub(crate) fn interpreter(program: Program, setup: &Setup) -> Interpreter {
    let limits = Limits::default();
    let limits = Limits {
        threads: setup.threads.unwrap_or(limits.threads),
    };
    Interpreter::new(program, limits)
}

/// Answers a request: for any number of threads if the program says what must not be
/// reached, unless a search was asked for.
pub(crate) fn check(
    text: &Text,
    request: &Request,
    watcher: &mut Watcher,
) -> Result<Finding, Failure> {
    let program = load(text, &request.setup)?;
    let caveat = program.caveat();
    let translation = match request.is_search {
        true => None,
        false => match translate(&program) {
            Ok(translation) => Some(translation).filter(|it| !it.net.targets.is_empty()),
            Err(limit) => {
                return Ok(Finding {
                    reasons: vec![Reason::GaveUp(limit)],
                    ..Finding::default()
                });
            }
        },
    };
    let interpreter = interpreter(program, &request.setup);
    let mut finding = match translation {
        Some(translation) => cover(&interpreter, &translation, request, watcher),
        None => search(&interpreter, request, watcher)?,
    };
    if !finding.traces.is_empty() {
        finding.remarks.extend(caveat);
    }
    Ok(finding)
}

/// The net of a program, as small as it can be made; the error is a limit that it exceeds.
fn translate(program: &Program) -> Result<Translation, String> {
    let machines = machines(program).map_err(|error| error.to_string())?;
    let reduced = machines.reduced(reduced::Options::default());
    reduced.map_err(|error| error.to_string())?.net()
}

/// Proves that nothing unsafe is reached, or shows how it is.
fn cover(
    interpreter: &Interpreter,
    translation: &Translation,
    request: &Request,
    watcher: &mut Watcher,
) -> Finding {
    let net = &translation.net;
    let (verdict, reason) = nets::cover(net, request, watcher);
    let mut finding = Finding {
        coverage: Some(nets::coverage(
            net,
            &verdict,
            claim(interpreter.program()),
            watcher,
        )),
        ..Finding::default()
    };
    match &verdict.answer {
        Answer::Safe(_) => {}
        Answer::Unknown(why) => {
            let reason = reason.unwrap_or_else(|| Reason::GaveUp(why.clone()));
            finding.reasons.push(reason);
        }
        Answer::Unsafe(run) => match translation.replay(run) {
            Ok(violation) => {
                let unlimited = interpreter.unlimited();
                let violation = pipeline::shortened(&unlimited, violation, request, watcher);
                pipeline::replay(&unlimited, &[violation], &mut finding);
            }
            Err(why) => {
                let told = format!("a run of the net is none of the program: {why}");
                finding.reasons.push(Reason::GaveUp(told));
            }
        },
    }
    finding
}

/// What is proved if nothing is found.
fn claim(program: &Program) -> String {
    let sets = program.unsafes.iter().map(|set| format!("`{}`", set.text));
    let sets: Vec<String> = sets.collect();
    let what = match sets.as_slice() {
        [] => "no assertion fails".to_owned(),
        [set] => format!("{set} is never reached"),
        sets => format!("none of {} is ever reached", sets.join(", ")),
    };
    format!("{what}, however many threads there are")
}

/// Explores the states of a program. Without a reduction threads need no names, and there
/// are fewer states.
fn search(
    interpreter: &Interpreter,
    request: &Request,
    watcher: &mut Watcher,
) -> Result<Finding, Failure> {
    if request.method.reduction != Reduction::Full || request.paranoid {
        return pipeline::explore(interpreter, request, watcher);
    }
    let counted = Counted::new(interpreter);
    let mut survey = raddle_search::survey(&counted, &request.search, watcher, !request.all);
    let mut named = Vec::new();
    for violation in &survey.violations {
        match counted.named(violation) {
            Some(violation) => named.push(violation),
            None => survey.reasons.push(Reason::GaveUp(format!(
                "a {} was found, but not by threads that have names",
                violation.property.name()
            ))),
        }
    }
    survey.violations = named;
    Ok(pipeline::conclude(
        &interpreter.unlimited(),
        survey,
        request,
        watcher,
    ))
}
