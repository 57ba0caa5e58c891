//! `--threads any`: Java programs in which there are any number of threads of a class.
//!
//! The threads are extracted into the intermediate form, which is searched with few threads and
//! decided for any number by predicate abstraction. What goes wrong there is looked for in the Java
//! program with as many threads: only an execution of that is shown.

use super::{Loaded, check_loaded, load};
use crate::failure::Failure;
use crate::front::Verification;
use crate::parametric;
use crate::pipeline::{Finding, Request};
use crate::programs::{Setup, Text};
use crate::progress::Watcher;
use raddle_extraction::{Extracted, Threads, Untranslatable, counted, extract};
use raddle_java::Java;
use raddle_jvm::state::Copies;
use raddle_machine::Machine;
use raddle_machine::ir::{DeclarationId, Program};
use raddle_model::{Limits, Properties, Property, Reason, Violation};
use raddle_reduce::Reduction;
use raddle_search::{Config, Order, Part, Sampler};
use serde_json::{Value, json};

/// With how many threads of each kind the extracted program is searched.
const MOST_THREADS: u32 = 3;

/// Says in a certificate that variables that only count threads are numbers of threads.
const COUNTED: &str = "counted";

/// How many states of the Java program are searched for a violation that is known.
const MOST_STATES: u64 = 100_000;

/// How many executions by chance are tried where these are too few, and how long they may be.
const WALKS: Part = Part::Samples {
    sampler: Sampler::Walk,
    count: 5_000,
    seed: 1,
};
const LONGEST_WALK: u64 = 400;

/// How many states of the extracted program are searched before it is decided for any number.
const FEW_STATES: u64 = 20_000;

/// Extracts a program in which there are any number of threads.
pub(super) fn extracted(java: &Java, text: &Text) -> Result<Extracted, Untranslatable> {
    let files = text.of_process(0);
    let files = files.map(|(file, source)| (file as u32, source.name.clone()));
    let (world, start) = java.beginning_of_main();
    extract(world, start, &files.collect::<Vec<_>>(), Threads::Any)
}

/// Answers a request about any number of threads.
pub(super) fn check(
    loaded: Loaded<Java>,
    text: &Text,
    request: &Request,
    watcher: &mut Watcher,
) -> Result<Finding, Failure> {
    if request.search.properties.ends {
        return Err(Failure::new("--must-end is not for --threads any"));
    }
    let extracted = match extracted(&loaded.program, text) {
        Ok(extracted) => extracted,
        Err(obstacle) => return Ok(Finding::unknown(Reason::GaveUp(obstacle.to_string()))),
    };
    if extracted.program.replicated.is_empty() {
        let why = "no class of threads is there any number of times: main starts none of them in a \
                   loop or several times, and none has the annotation raddle.Any";
        return Ok(Finding::unknown(Reason::GaveUp(why.to_owned())));
    }
    if let Some((counts, violation)) = search(&extracted, request)? {
        let told = told(&extracted, &counts, Some(&violation));
        return confirm(loaded, text, &extracted, &counts, told, request, watcher);
    }
    let mut finding = decide(&extracted.program, text, request, watcher)?;
    let assumed = extracted.assumed.iter();
    let lines: Vec<String> = assumed.map(|place| place.line.to_string()).collect();
    if !lines.is_empty() {
        finding.remarks.push(format!(
            "arrays have an element for each thread, and the number with which the number of a \
             thread is compared is taken for the number of threads (line {})",
            lines.join(", ")
        ));
    }
    if !finding.traces.is_empty() {
        let kinds = extracted.program.declarations.iter();
        let counts: Vec<usize> = kinds
            .map(|kind| {
                let mut known = finding.replicas.iter();
                let count = known.find(|(name, _)| *name == kind.name);
                count.map_or(1, |(_, count)| {
                    usize::try_from(*count).unwrap_or(usize::MAX)
                })
            })
            .collect();
        let told = told(&extracted, &counts, None);
        return confirm(loaded, text, &extracted, &counts, told, request, watcher);
    }
    if !extracted.racy.is_empty() {
        finding.not_covered.push(format!(
            "what data races allow beyond sequential consistency: {}",
            extracted.racy.join(", ")
        ));
    }
    finding.not_covered.push("interrupts".to_owned());
    Ok(finding)
}

/// Decides an extracted program for any number of threads. Variables that only count threads are
/// tried as numbers of threads first.
fn decide(
    program: &Program,
    text: &Text,
    request: &Request,
    watcher: &mut Watcher,
) -> Result<Finding, Failure> {
    if request.search.properties.faults
        && let Some(counted) = counted(program)
    {
        let mut request = request.clone();
        request.search.properties.invariants = true;
        let mut first = parametric::check(&counted, text.main(), &request, watcher)?;
        if let Some(certificate) = &mut first.certificate {
            certificate[COUNTED] = json!(true);
        }
        if first.reasons.is_empty() || request.search.stop.is_set() {
            return Ok(first);
        }
        let second = parametric::check(program, text.main(), &request, watcher)?;
        let is_open = !second.reasons.is_empty();
        return Ok(if is_open { first } else { second });
    }
    parametric::check(program, text.main(), request, watcher)
}

/// What a certificate proves of a Java program, whose threads are extracted for that anew.
pub(super) fn verify(
    loaded: &Loaded<Java>,
    text: &Text,
    setup: &Setup,
    properties: Properties,
    certificate: &Value,
) -> Result<Verification, Failure> {
    let extracted = extracted(&loaded.program, text);
    let extracted =
        extracted.map_err(|obstacle| Failure::unknown(Reason::GaveUp(obstacle.to_string())))?;
    // Numbers of threads at a label say the same as variables that count them.
    let is_counted = certificate[COUNTED] == json!(true) && properties.faults;
    let counted = counted(&extracted.program).filter(|_| is_counted);
    let properties = Properties {
        invariants: counted.is_some(),
        ..properties
    };
    let program = counted.unwrap_or(extracted.program);
    parametric::verify(&program, text.main(), setup, properties, certificate)
}

/// Searches the extracted program with few threads: how many of each kind have moved, and what
/// went wrong.
fn search(
    extracted: &Extracted,
    request: &Request,
) -> Result<Option<(Vec<usize>, Violation)>, Failure> {
    let config = Config {
        order: Order::BreadthFirst,
        properties: Properties {
            deadlock: false,
            partial_deadlock: false,
            ..request.search.properties
        },
        limits: Limits {
            states: Some(FEW_STATES),
            ..request.search.limits
        },
        stop: request.search.stop.clone(),
        ..Config::default()
    };
    for count in 1..=MOST_THREADS {
        let kinds: Vec<(DeclarationId, u32)> = extracted
            .program
            .replicated
            .iter()
            .map(|&kind| (kind, count))
            .collect();
        let program = extracted.program.with_threads(&kinds);
        let threads = program.initial_threads.clone();
        let machine = Machine::new(program, request.setup.limits());
        let machine = machine.map_err(|defects| {
            let told: Vec<String> = defects.iter().map(ToString::to_string).collect();
            Failure::new(told.join("; "))
        })?;
        let survey = raddle_search::check_all(&machine, &config, &mut ());
        if let Some(violation) = survey.violations.into_iter().next() {
            let mut moved = vec![0; extracted.program.declarations.len()];
            for (number, thread) in threads.iter().enumerate() {
                let mut steps = violation.schedule.iter();
                let has_moved = steps.any(|step| step.thread.0 as usize == number);
                if let Some(kind) = moved.get_mut(usize::from(thread.declaration.0)) {
                    *kind += usize::from(has_moved);
                }
            }
            return Ok(Some((moved, violation)));
        }
    }
    Ok(None)
}

/// Looks for the violation in the Java program with as many threads.
fn confirm(
    loaded: Loaded<Java>,
    text: &Text,
    extracted: &Extracted,
    counts: &[usize],
    told: String,
    request: &Request,
    watcher: &mut Watcher,
) -> Result<Finding, Failure> {
    let mut copies = Vec::new();
    for (kind, &count) in extracted.kinds.iter().zip(counts) {
        let missing = count.saturating_sub(kind.started.len());
        if missing == 0 {
            continue;
        }
        let (Some(with_runnable), Some(&last)) = (kind.copy, kind.started.last()) else {
            let why = format!(
                "{told}; it is not known how main would start more threads `{}` than it does",
                kind.name
            );
            return Ok(Finding::unknown(Reason::GaveUp(why)));
        };
        let count = missing as u32;
        copies.push((
            last,
            Copies {
                count,
                with_runnable,
            },
        ));
    }
    let mut finding = look(loaded, &copies, request, watcher)?;
    let is_limit = |reason: &Reason| matches!(reason, Reason::States);
    if finding.reasons.iter().any(is_limit) && !request.search.stop.is_set() {
        // Operations of the library take many steps each: few states are near the beginning.
        let mut request = request.clone();
        request.part = Some(WALKS);
        request.search.jobs = 1;
        request.search.limits.depth = request.search.limits.depth.or(Some(LONGEST_WALK));
        let loaded = load(text, &request.setup)?;
        let walked = look(loaded, &copies, &request, watcher)?;
        if !walked.traces.is_empty() {
            finding = walked;
        }
    }
    if finding.traces.is_empty() {
        return Ok(unconfirmed(finding, extracted, told));
    }
    let threads = crowd(extracted, counts);
    finding.remarks.push(format!("it takes {threads}"));
    for (number, copies) in copies {
        finding.remarks.push(format!(
            "thread {number} of main is started {} times",
            copies.count + 1
        ));
    }
    Ok(finding)
}

/// Searches the Java program, with some threads started several times.
fn look(
    mut loaded: Loaded<Java>,
    copies: &[(u32, Copies)],
    request: &Request,
    watcher: &mut Watcher,
) -> Result<Finding, Failure> {
    loaded.program.copy_threads(copies);
    let mut request = request.clone();
    // Threads that go on for ever may count for ever, too, and what nobody else is taken to notice
    // is done without a stop.
    if request.part.is_none() {
        request.search.order = Order::BreadthFirst;
    }
    request.method.reduction = Reduction::FULL;
    request.search.limits.states = request.search.limits.states.or(Some(MOST_STATES));
    request.search.properties = Properties {
        deadlock: false,
        partial_deadlock: false,
        ..request.search.properties
    };
    check_loaded(loaded, &request, watcher)
}

/// What is known if no execution of the Java program was found.
fn unconfirmed(mut finding: Finding, extracted: &Extracted, told: String) -> Finding {
    let why = match finding.reasons.is_empty() {
        true => format!("{told}, and no execution of the Java program does"),
        false => told,
    };
    let liberties = extracted.liberties.iter().map(|it| format!("; {it}"));
    let why = liberties.fold(why, |why, liberty| why + &liberty);
    finding.reasons.insert(0, Reason::GaveUp(why));
    finding
}

/// The threads of an execution, in words.
fn crowd(extracted: &Extracted, counts: &[usize]) -> String {
    let kinds = extracted.program.declarations.iter().zip(counts);
    let kinds = kinds.filter(|(_, count)| **count > 0);
    let told: Vec<String> = kinds
        .map(|(kind, count)| match count {
            1 => format!("one thread `{}`", kind.name),
            count => format!("{count} threads `{}`", kind.name),
        })
        .collect();
    told.join(" and ")
}

/// What goes wrong with how many threads.
fn told(extracted: &Extracted, counts: &[usize], violation: Option<&Violation>) -> String {
    let what = match violation.map(|it| &it.property) {
        Some(Property::Fault(fault)) => {
            let line = fault.place;
            let line = line.map_or(String::new(), |it| format!(" in line {}", it.line));
            format!(": {}{line}", fault.kind.name())
        }
        Some(other) => format!(": {}", other.name()),
        None => String::new(),
    };
    let threads = crowd(extracted, counts);
    format!("the extracted program goes wrong with {threads}{what}")
}
