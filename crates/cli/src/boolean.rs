//! Boolean programs: for any number of threads through nets, or state by state.

use crate::explore::seek;
use crate::failure::Failure;
use crate::files;
use crate::front::{Flags, FrontEnd, Machinery, Verification};
use crate::nets;
use crate::pipeline::{self, Finding, Request};
use crate::programs::{Setup, Text, Visitor};
use crate::progress::Watcher;
use crate::trials::{Constant, Subject};
use raddle_cbp::program::Action;
use raddle_cbp::{
    Counted, Interpreter, Limits, Machines, Program, Translation, live_machines, machines, reduced,
};
use raddle_cover::Answer;
use raddle_model::{Invariants, Move, Properties, Reason, System, Trace, Violation};
use raddle_reduce::Reduction;
use raddle_report::Source;
use serde_json::Value;
use std::path::Path;

/// What certificates of boolean programs are.
const KIND: &str = "boolean program";

/// Concurrent boolean programs.
pub(crate) struct Boolean;

impl FrontEnd for Boolean {
    fn endings(&self) -> &'static [&'static str] {
        &["cbp"]
    }

    fn flags(&self) -> Flags {
        Flags {
            labels: true,
            unsafe_sets: true,
            ..Flags::default()
        }
    }

    fn read(&self, path: &Path) -> Result<Vec<Source>, Failure> {
        Ok(vec![files::read_program(path)?])
    }

    fn visit(&self, text: &Text, setup: &Setup, visitor: &mut dyn Visitor) -> Result<(), Failure> {
        visitor.boolean(&interpreter(load(text, setup)?, setup));
        Ok(())
    }

    /// For any number of threads if the program says what must not be reached, unless a search was
    /// asked for.
    fn check(
        &self,
        text: &Text,
        request: &Request,
        watcher: &mut Watcher,
    ) -> Result<Finding, Failure> {
        let program = load(text, &request.setup)?;
        let caveat = program.caveat();
        let asked = with_what_is_asked(&program, request.search.properties);
        let warnings = locked_twice(&program, text.main());
        let mut finding = match (says_what_is_wrong(&asked), request.search_flag) {
            (true, None) => decide(asked, request, watcher),
            (true, Some(flag)) => bounded_search(program, flag, request, watcher)?,
            (false, _) => search(&interpreter(program, &request.setup), request, watcher)?,
        };
        finding.remarks.extend(warnings);
        if !finding.traces.is_empty() {
            finding.remarks.extend(caveat);
        }
        Ok(finding)
    }

    fn subject<'a>(&self, text: &'a Text, setup: &Setup) -> Result<Box<dyn Subject + 'a>, Failure> {
        let program = interpreter(load(text, setup)?, setup);
        Ok(Box::new(Constant(program)))
    }

    fn default_reduction(&self, _: bool) -> Reduction {
        Reduction::FULL
    }

    fn is_resumable(&self) -> bool {
        true
    }

    fn seek(
        &self,
        text: &Text,
        setup: &Setup,
        schedule: &[Move],
        wanted: &str,
    ) -> Option<Result<Vec<Move>, String>> {
        let program = match with_goal(text, setup, wanted) {
            Ok(program) => program,
            Err(failure) => return Some(Err(failure.plain())),
        };
        let goal = |state: &_| program.check_invariants(state).is_err();
        Some(seek::nearest(&program, schedule, &goal))
    }

    fn machines(
        &self,
        text: &Text,
        setup: &Setup,
        machinery: Machinery,
    ) -> Result<Option<Machines>, Failure> {
        let program = load(text, setup)?;
        let program = match machinery {
            Machinery::Closed => program.closed(),
            Machinery::Full | Machinery::Reduced => program,
        };
        let machines = match machinery {
            Machinery::Full | Machinery::Closed => machines(&program),
            Machinery::Reduced => {
                live_machines(&program).and_then(|it| it.reduced(reduced::Options::default()))
            }
        };
        let machines = machines.map_err(|error| Failure::new(error.to_string()))?;
        Ok(Some(machines))
    }

    fn verify(
        &self,
        text: &Text,
        setup: &Setup,
        properties: Properties,
        certificate: &Value,
    ) -> Result<Verification, Failure> {
        let program = with_what_is_asked(&load(text, setup)?, properties);
        if !says_what_is_wrong(&program) {
            return Err(Failure::new(format!(
                "{} does not say what must not be reached; say so with --unsafe",
                text.main().name
            )));
        }
        let translation = translate(&program).map_err(Failure::new)?;
        Ok(Verification {
            claim: claim(&program),
            proof: nets::verify(KIND, &translation.net, certificate),
        })
    }
}

/// Reads a program, with what must not be reached.
fn load(text: &Text, setup: &Setup) -> Result<Program, Failure> {
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

/// A program of which nothing is wrong but a set of states.
fn with_goal(text: &Text, setup: &Setup, goal: &str) -> Result<Interpreter, Failure> {
    let mut program = load(text, setup)?;
    let known = program.unsafes.len();
    program.forbid(goal).map_err(|mistakes| {
        let told: Vec<&str> = mistakes.iter().map(|it| it.message.as_str()).collect();
        Failure::new(format!("`{goal}`: {}", told.join("; ")))
    })?;
    program.unsafes = program.unsafes.split_off(known);
    Ok(interpreter(program, setup))
}

/// Makes a program ready to run.
fn interpreter(program: Program, setup: &Setup) -> Interpreter {
    let limits = Limits::default();
    let limits = Limits {
        threads: setup.threads.unwrap_or(limits.threads),
    };
    Interpreter::new(program, limits)
}

/// Where a thread blocks itself, because it takes a lock that it has.
fn locked_twice(program: &Program, source: &Source) -> Vec<String> {
    let points = program.points.iter();
    let twice = points.filter_map(|point| match point.action {
        Action::Lock { lock, .. } if point.held.contains(&lock) => Some((point.place, lock)),
        _ => None,
    });
    let told = twice.map(|(place, lock)| {
        let (file, name) = (&source.name, &program.locks[lock]);
        let (line, column) = (place.line, place.column);
        format!(
            "{file}:{line}:{column}: a thread that gets here holds `{name}` already, and waits for \
             itself for ever"
        )
    });
    told.collect()
}

/// A program without what is not to be checked.
fn with_what_is_asked(program: &Program, properties: Properties) -> Program {
    let mut asked = program.clone();
    if !properties.faults {
        asked.ignore_assertions();
    }
    if !properties.invariants {
        asked.unsafes.clear();
    }
    asked
}

/// Answers for any number of threads.
fn decide(program: Program, request: &Request, watcher: &mut Watcher) -> Finding {
    match translate(&program) {
        Ok(translation) => {
            let interpreter = interpreter(program, &request.setup);
            cover(&interpreter, &translation, request, watcher)
        }
        Err(limit) => Finding {
            reasons: vec![Reason::GaveUp(limit)],
            ..Finding::default()
        },
    }
}

/// Searches a program that could be decided for any number of threads, because of a flag: that
/// is another question, so the answer says so.
fn bounded_search(
    program: Program,
    flag: &str,
    request: &Request,
    watcher: &mut Watcher,
) -> Result<Finding, Failure> {
    let limit = request.setup.threads;
    let limit = limit.unwrap_or(Limits::default().threads);
    let mut finding = search(&interpreter(program, &request.setup), request, watcher)?;
    finding.threads = Some(limit);
    if finding.traces.is_empty() {
        finding.remarks.push(format!(
            "{flag} asks for a search of states, with at most {limit} threads; without it the \
             answer is for any number of threads"
        ));
    }
    Ok(finding)
}

/// Whether there is anything that must not happen, for any number of threads. That nothing
/// gets there, as far as machines tell, is an answer.
fn says_what_is_wrong(program: &Program) -> bool {
    !program.unsafes.is_empty() || has_assertions(program)
}

fn has_assertions(program: &Program) -> bool {
    let mut points = program.points.iter();
    points.any(|point| matches!(point.action, Action::Assert { .. }))
}

/// The net of a program, as small as it can be made; the error is a limit that it exceeds.
fn translate(program: &Program) -> Result<Translation, String> {
    let machines = live_machines(program).map_err(|error| error.to_string())?;
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
    let (verdict, reason) = nets::cover(net, &request.begun(watcher), watcher);
    let mut finding = Finding {
        coverage: Some(nets::coverage(
            net,
            &verdict,
            claim(interpreter.program()),
            watcher,
        )),
        certificate: nets::saved(KIND, net, &verdict, request),
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
                let system = as_large_as(interpreter, std::slice::from_ref(&violation));
                pipeline::tell(&system, vec![violation], request, watcher, &mut finding);
                if let Some(coverage) = &mut finding.coverage {
                    coverage.threads = finding.traces.first().map(kinds).unwrap_or_default();
                }
            }
            Err(why) => {
                let told = format!("a run of the net is none of the program: {why}");
                finding.reasons.push(Reason::GaveUp(told));
            }
        },
    }
    finding
}

/// How many threads of each type an execution has. They are called `worker[0]`, or `main` where
/// there is only one.
fn kinds(trace: &Trace) -> Vec<(String, usize)> {
    let mut found: Vec<(String, usize)> = Vec::new();
    for name in &trace.threads {
        let kind = name.split('[').next().unwrap_or(name);
        match found.iter_mut().find(|(known, _)| known == kind) {
            Some((_, count)) => *count += 1,
            None => found.push((kind.to_owned(), 1)),
        }
    }
    found
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
    let also = match !sets.is_empty() && has_assertions(program) {
        true => " and no assertion fails",
        false => "",
    };
    format!("{what}{also}, however many threads there are")
}

/// Explores the states of a program. Without a reduction threads need no names, and there
/// are fewer states.
fn search(
    interpreter: &Interpreter,
    request: &Request,
    watcher: &mut Watcher,
) -> Result<Finding, Failure> {
    let request = &request.begun(watcher);
    let is_plain = request.method.reduction == Reduction::FULL && request.part.is_none();
    if !is_plain || request.paranoid {
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
    let system = as_large_as(interpreter, &survey.violations);
    Ok(pipeline::conclude(&system, survey, request, watcher))
}

/// The program with as many threads as these executions take. Who looks for better ones must
/// not start more and more of them.
fn as_large_as(interpreter: &Interpreter, violations: &[Violation]) -> Interpreter {
    let unlimited = interpreter.unlimited();
    let threads = |violation: &Violation| {
        let mut state = unlimited.initial().ok()?;
        let mut steps = violation.schedule.iter();
        let step = |step: &Move| unlimited.step(&mut state, step.thread, step.choice);
        // A step that fails starts nobody.
        let _ = steps.try_for_each(step);
        Some(unlimited.threads(&state))
    };
    let threads = violations.iter().filter_map(threads).max();
    interpreter.limited(Limits {
        threads: threads.unwrap_or(1),
    })
}
