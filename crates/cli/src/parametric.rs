//! Models with any number of threads: by predicate abstraction, never by a search of states.

use crate::failure::Failure;
use crate::front::Verification;
use crate::model;
use crate::nets;
use crate::pictures;
use crate::pipeline::{self, Finding, Request};
use crate::programs::Setup;
use crate::progress::Watcher;
use crate::proofs;
use crate::solvers;
use raddle_abstraction::solver::Propositional;
use raddle_abstraction::{Attempt, Conclusion, Inquiry, Proof, Question, Unsupported, Witness};
use raddle_machine::ir;
use raddle_model::{FaultKind, Properties, Reason, StopFlag};
use raddle_report::{Coverage, Source, unbounded};
use serde_json::Value;
use std::collections::BTreeSet;

/// How many predicates or steps are shown at the most.
const MOST_SHOWN: usize = 12;

/// How many formulas are asked at the most.
const MOST_QUERIES: u64 = 400_000;

/// Answers a request about a model with any number of threads.
pub(crate) fn check(
    program: &ir::Program,
    source: &Source,
    request: &Request,
    watcher: &mut Watcher,
) -> Result<Finding, Failure> {
    if request.search_flag.is_some() || request.paranoid || request.part.is_some() {
        refuse(program)?;
    }
    let properties = request.search.properties;
    if properties.temporal && !program.temporal.is_empty() {
        return Err(Failure::new(
            "temporal properties are not checked of any number of threads; give their number, as in \
             -D worker=3, or leave the properties out with --no-temporal",
        ));
    }
    if properties.ends {
        return Err(Failure::new(
            "--must-end is for a given number of threads, as in -D worker=3",
        ));
    }
    let program = forbid(program, &request.setup, source)?;
    let request = &request.begun(watcher);
    let stop = request.search.stop.clone();
    let solver = solvers::open(request.setup.solver, &stop)?;
    let (outcome, reason) = nets::watched(request, watcher, |monitor| {
        let question = Question {
            faults: properties.faults,
            invariants: properties.invariants,
            limits: request.setup.limits(),
            monitor,
            ..Question::of(&program, &*solver, MOST_QUERIES, &stop)
        };
        raddle_abstraction::check(&question, &mut |attempt| monitor.note(&progress(attempt)))
    });
    let mut finding = Finding {
        not_covered: not_covered(properties),
        ..Finding::default()
    };
    if request.explain {
        finding.remarks.extend(story(&outcome));
    }
    match outcome.answer {
        Conclusion::Holds {
            proofs,
            no_overflow,
        } => {
            let claim = claim(&program, properties, no_overflow);
            if request.certificate {
                finding.certificate = proofs::saved(&proofs);
            }
            finding.remarks.extend(reasons(&proofs));
            finding.coverage = Some(coverage(&proofs, &outcome.attempts, claim, watcher));
            if no_overflow {
                finding.not_covered.push(
                    "executions in which a number of 32 bits overflows, or with 2^31 threads"
                        .to_owned(),
                );
            }
        }
        Conclusion::Violated(witness) => tell(*witness, source, request, watcher, &mut finding)?,
        Conclusion::Unknown { unsupported, why } => {
            let told = solver.failure().unwrap_or_else(|| {
                undecided(
                    &program,
                    source,
                    unsupported.as_ref(),
                    &why,
                    &outcome.attempts,
                )
            });
            finding.reasons.push(reason.unwrap_or(Reason::GaveUp(told)));
            finding.remarks.extend(open_run(&outcome.attempts));
        }
    }
    Ok(finding)
}

/// How far an abstraction is.
fn progress(attempt: &Attempt) -> String {
    format!(
        "{}: abstraction {}, {} predicates, {} places, {} transitions, {} questions",
        attempt.name,
        attempt.iterations,
        attempt.predicates.len(),
        attempt.places,
        attempt.transitions,
        attempt.queries
    )
}

/// What abstraction makes of a program, with all that can be asked of it.
pub(crate) fn abstraction(program: &ir::Program) -> Inquiry {
    let stop = StopFlag::default();
    let question = Question {
        limits: Setup::default().limits(),
        boolean: true,
        ..Question::of(program, &Propositional, MOST_QUERIES, &stop)
    };
    raddle_abstraction::check(&question, &mut |_| {})
}

/// What a certificate proves of a program.
pub(crate) fn verify(
    program: &ir::Program,
    source: &Source,
    setup: &Setup,
    properties: Properties,
    certificate: &Value,
) -> Result<Verification, Failure> {
    let program = forbid(program, setup, source)?;
    let stop = StopFlag::default();
    let solver = solvers::open(setup.solver, &stop)?;
    let verified = proofs::verify(&program, properties, certificate, &*solver, &stop);
    let is_assumed = verified.as_ref().is_ok_and(|it| it.no_overflow);
    Ok(Verification {
        claim: claim(&program, properties, is_assumed),
        proof: verified.map(|it| it.described),
    })
}

/// Shows an execution with as many threads as it takes, as every other one.
fn tell(
    witness: Witness,
    source: &Source,
    request: &Request,
    watcher: &mut Watcher,
    finding: &mut Finding,
) -> Result<(), Failure> {
    let Witness {
        program,
        counts,
        violation,
    } = witness;
    for (id, count) in counts {
        if let Some(kind) = program.declarations.get(usize::from(id.0)) {
            finding.replicas.push((kind.name.clone(), i64::from(count)));
        }
    }
    // What must not be reached is in the program already.
    let setup = Setup {
        unreachable: Vec::new(),
        ..request.setup.clone()
    };
    let machine = model::machine(program, source, &setup)?;
    pipeline::tell(&machine, vec![violation], request, watcher, finding);
    if finding.traces.is_empty() && finding.reasons.is_empty() {
        let told = "an execution was found that cannot be replayed".to_owned();
        finding.reasons.push(Reason::GaveUp(told));
    }
    Ok(())
}

/// Reaching a label that must not be reached is a fault.
fn forbid(program: &ir::Program, setup: &Setup, source: &Source) -> Result<ir::Program, Failure> {
    let mut program = program.clone();
    for label in &setup.unreachable {
        let found = program.labels.iter().find(|it| it.name == *label);
        let Some(pc) = found.map(|it| it.pc) else {
            let labels: Vec<String> = program.labels.iter().map(|it| it.name.clone()).collect();
            return Err(model::no_such_label(label, &labels, &source.name));
        };
        if let Some(instruction) = program.code.get_mut(pc.0 as usize) {
            let message = format!("the label `{label}` is reached");
            *instruction = ir::Instruction::Fail(FaultKind::Unreachable, message);
        }
    }
    Ok(program)
}

/// Why it holds, in terms of the program: the predicates, and where threads know which.
fn reasons(proofs: &[Proof]) -> Vec<String> {
    let mut lines = Vec::new();
    let all: BTreeSet<&str> = proofs
        .iter()
        .flat_map(|proof| proof.predicates.iter().map(String::as_str))
        .collect();
    if !all.is_empty() {
        lines.push(format!("the predicates: {}", few(all.into_iter())));
    }
    for known in proofs.iter().flat_map(|proof| &proof.known) {
        let facts = few(known.facts.iter().map(String::as_str));
        lines.push(format!(
            "whenever `{}` is in line {}: {facts}",
            known.thread, known.line
        ));
    }
    lines
}

/// Some of many texts.
fn few<'a>(all: impl Iterator<Item = &'a str>) -> String {
    let all: Vec<&str> = all.collect();
    let first = all.iter().take(MOST_SHOWN).copied().collect::<Vec<_>>();
    match all.len() - first.len() {
        0 => first.join(", "),
        more => format!("{}, and {more} more (--explain)", first.join(", ")),
    }
}

/// The last abstract run of which it is not known whether it is possible.
fn open_run(attempts: &[Attempt]) -> Option<String> {
    let run = &attempts.iter().rev().find(|it| !it.run.is_empty())?.run;
    let steps: Vec<&str> = run.iter().take(MOST_SHOWN).map(String::as_str).collect();
    let more = match run.len() - steps.len() {
        0 => String::new(),
        more => format!(", and {more} more steps"),
    };
    Some(format!(
        "the last abstract run that could not be decided: {}{more}",
        steps.join(" | ")
    ))
}

/// What is proved if nothing is found.
fn claim(program: &ir::Program, properties: Properties, no_overflow: bool) -> String {
    let names = program.invariants.iter().map(|it| format!("`{}`", it.name));
    let names: Vec<String> = names.collect();
    let faults = properties.faults.then(|| "no assertion fails".to_owned());
    let invariants = match names.as_slice() {
        [] => None,
        _ if !properties.invariants => None,
        [one] => Some(format!("{one} holds")),
        many => Some(format!("{} hold", many.join(", "))),
    };
    let parts: Vec<String> = invariants.into_iter().chain(faults).collect();
    let assumed = match no_overflow {
        true => ", as long as no number overflows",
        false => "",
    };
    format!(
        "{}, however many threads there are{assumed}",
        parts.join(" and ")
    )
}

fn coverage(proofs: &[Proof], attempts: &[Attempt], claim: String, watcher: &Watcher) -> Coverage {
    let predicates: usize = attempts.last().map_or(0, |it| it.predicates.len());
    let iterations: usize = attempts.iter().map(|it| it.iterations).sum();
    let shown: Vec<String> = proofs
        .iter()
        .map(|proof| nets::described(&proof.certificate))
        .collect();
    Coverage {
        claim,
        places: proofs.iter().map(|it| it.net.places.len()).sum(),
        transitions: proofs.iter().map(|it| it.net.transitions.len()).sum(),
        procedure: "predicate abstraction",
        elements: attempts.iter().map(|it| it.queries).sum(),
        certificate: Some(format!(
            "{} in {}; {}",
            count(predicates as u64, "predicate"),
            count(iterations as u64, "abstraction"),
            shown.join("; ")
        )),
        threads: Vec::new(),
        // The last net is the one whose properties are the hardest.
        net: proofs
            .last()
            .and_then(|proof| pictures::picture(&proof.net)),
        attempts: attempts.iter().map(told).collect(),
        known: proofs.iter().flat_map(known).collect(),
        elapsed: watcher.elapsed(),
    }
}

/// So many of something.
fn count(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// What a report shows of an attempt.
fn told(attempt: &Attempt) -> unbounded::Attempt {
    let predicates = attempt.predicates.iter().map(|it| unbounded::Predicate {
        text: it.text.clone(),
        since: it.iteration,
        why: it.why.clone(),
    });
    unbounded::Attempt {
        name: attempt.name.clone(),
        abstractions: attempt.iterations,
        end: attempt.end.clone(),
        predicates: predicates.collect(),
    }
}

/// What a report shows of what threads know.
fn known(proof: &Proof) -> Vec<unbounded::LineFacts> {
    let known = proof.known.iter().map(|it| unbounded::LineFacts {
        thread: it.thread.clone(),
        line: it.line,
        facts: it.facts.clone(),
    });
    known.collect()
}

/// What the answer does not speak of although it is asked for.
fn not_covered(properties: Properties) -> Vec<String> {
    match properties.deadlock || properties.partial_deadlock {
        true => vec!["deadlocks".to_owned()],
        false => Vec::new(),
    }
}

/// Why nothing is known.
fn undecided(
    program: &ir::Program,
    source: &Source,
    unsupported: Option<&Unsupported>,
    why: &str,
    attempts: &[Attempt],
) -> String {
    let number = any_number(program);
    if let Some(found) = unsupported {
        let place = found.place.map_or(String::new(), |place| {
            format!("{}:{}:{}: ", source.name, place.line, place.column)
        });
        return format!("{number}, and {place}{} does not fit into that", found.what);
    }
    let tried: Vec<String> = attempts
        .iter()
        .map(|it| {
            format!(
                "{} ({} predicates, {} abstractions: {})",
                it.name,
                it.predicates.len(),
                it.iterations,
                it.end
            )
        })
        .collect();
    format!(
        "{number}, and abstraction came to no end: {why}; tried: {}",
        tried.join("; ")
    )
}

/// What was tried, for people.
fn story(outcome: &Inquiry) -> Vec<String> {
    let mut lines = Vec::new();
    for attempt in &outcome.attempts {
        lines.push(format!(
            "{}: {}, the last with {} and {}, {} to the solver; {}",
            attempt.name,
            count(attempt.iterations as u64, "abstraction"),
            count(attempt.places as u64, "place"),
            count(attempt.transitions as u64, "transition"),
            count(attempt.queries, "question"),
            attempt.end
        ));
        for predicate in &attempt.predicates {
            let since = match predicate.iteration {
                0 => "from the start".to_owned(),
                iteration => format!("since abstraction {iteration}"),
            };
            lines.push(format!("  {} ({since}: {})", predicate.text, predicate.why));
        }
    }
    lines
}

/// Whoever searches states must know how many threads there are.
pub(crate) fn refuse(program: &ir::Program) -> Result<(), Failure> {
    if !program.is_parametric() {
        return Ok(());
    }
    let names = names(program);
    let example = names.first().copied().unwrap_or("worker");
    Err(Failure::new(format!(
        "{}; to search states, say how many, as with -D {example}=2",
        any_number(program)
    )))
}

fn any_number(program: &ir::Program) -> String {
    format!(
        "there are any number of `{}`",
        names(program).join("` and `")
    )
}

fn names(program: &ir::Program) -> Vec<&str> {
    let ids = program.replicated.iter();
    let kinds = ids.filter_map(|id| program.declarations.get(usize::from(id.0)));
    kinds.map(|kind| kind.name.as_str()).collect()
}

/// The program of a model, if there are any number of threads in it.
pub(crate) fn load(source: &Source, setup: &Setup) -> Result<Option<ir::Program>, Failure> {
    let program = model::compile(source, setup)?;
    Ok(program.is_parametric().then_some(program))
}
