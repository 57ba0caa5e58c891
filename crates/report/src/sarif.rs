//! A report in the Static Analysis Results Interchange Format, version 2.1.0, for services and
//! editors that show results on the lines of the source.
//!
//! Each violation is a result. Its trace is a code flow with one thread flow for each thread;
//! the order of execution goes through all of them. Reasons why something may have been missed
//! are notifications of the tool.

use crate::json::violation_place;
use crate::{Report, Source, wording};
use raddle_model::{Event, FaultKind, Place, Property, Step, Trace};
use serde_json::{Value, json};

/// Where the form is defined.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// One log for some reports, as those of the tests of a class.
pub fn log(reports: &[Report<'_>]) -> Value {
    let found = reports.iter().flat_map(|report| {
        let sources = report.sources;
        report.traces.iter().map(move |trace| (trace, sources))
    });
    let found: Vec<(&Trace, &[Source])> = found.collect();
    let rules = rules(&found);
    let results = found
        .iter()
        .map(|(trace, sources)| result(trace, sources, &rules));
    let notifications = reports.iter().flat_map(notifications);
    let described = rules.iter().map(|rule| described(rule));
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "raddle",
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": described.collect::<Vec<_>>(),
                },
            },
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notifications.collect::<Vec<_>>(),
            }],
            "columnKind": "unicodeCodePoints",
            "results": results.collect::<Vec<_>>(),
        }],
    })
}

/// The names of what can be violated, with those that are.
fn rules(found: &[(&Trace, &[Source])]) -> Vec<&'static str> {
    let kinds = FaultKind::ALL.iter().map(|kind| kind.name());
    let mut rules: Vec<&str> = ["deadlock", "partial-deadlock"]
        .into_iter()
        .chain(kinds)
        .collect();
    for (trace, _) in found {
        let name = trace.property.name();
        if !rules.contains(&name) {
            rules.push(name);
        }
    }
    rules
}

fn described(rule: &str) -> Value {
    let words = rule.split('-').map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        format!("{}{rest}", first.to_uppercase())
    });
    json!({
        "id": rule,
        "name": words.collect::<String>(),
        "shortDescription": { "text": description(rule) },
        "defaultConfiguration": { "level": "error" },
        "properties": { "tags": ["concurrency", "correctness"] },
    })
}

/// What it means that a rule is broken, in a sentence.
fn description(rule: &str) -> String {
    let told = match rule {
        "deadlock" => "All threads wait for each other.",
        "partial-deadlock" => "Some threads wait for ever while others go on.",
        "assertion" => "An assertion is false.",
        "invariant" => "An invariant is false.",
        "unreachable" => "A statement is reached that must not be.",
        "index-out-of-range" => "An array is indexed outside of its bounds.",
        "null-dereference" => "A null reference is followed.",
        "division-by-zero" => "A number is divided by zero.",
        "range-overflow" => "A number leaves its range.",
        "illegal-monitor-state" => "A monitor is used by a thread that does not own it.",
        "stack-overflow" => "Calls are nested too deeply.",
        "heap-exhausted" => "More memory is allocated than there is.",
        "discipline" => "A variable is accessed by a thread that must not access it then.",
        "exception" => "An exception ends a thread.",
        "race" => "Two threads access a variable, and nothing orders them.",
        other => return format!("Violated: {}.", other.replace('-', " ")),
    };
    told.to_owned()
}

fn result(trace: &Trace, sources: &[Source], rules: &[&str]) -> Value {
    let name = trace.property.name();
    let mut places = places(trace);
    places.dedup();
    let mut locations = places.iter().map(|&place| physical(place, sources));
    // A result without any line is not shown by anybody.
    let first = locations.next().unwrap_or_else(|| {
        physical(
            Place {
                file: 0,
                line: 1,
                column: 1,
            },
            sources,
        )
    });
    let related: Vec<Value> = locations.collect();
    json!({
        "ruleId": name,
        "ruleIndex": rules.iter().position(|&rule| rule == name),
        "level": "error",
        "message": { "text": wording::violation(trace, sources) },
        "locations": [first],
        "relatedLocations": related,
        "codeFlows": [{
            "message": { "text": "How it comes about: threads take turns in this order." },
            "threadFlows": thread_flows(trace, sources),
        }],
    })
}

/// Where something is violated: the most telling place first.
pub(crate) fn places(trace: &Trace) -> Vec<Place> {
    let waiting = trace.waiting.iter().filter_map(|waiting| waiting.place);
    let last = trace.steps.last();
    let last = last.and_then(|step| {
        step.events
            .last()
            .and_then(|event| event.place)
            .or(step.place)
    });
    match &trace.property {
        Property::Fault(_) => violation_place(&trace.property)
            .or(last)
            .into_iter()
            .collect(),
        _ => waiting.collect(),
    }
}

/// The steps of each thread that makes one.
fn thread_flows(trace: &Trace, sources: &[Source]) -> Vec<Value> {
    let mut flows: Vec<(usize, Vec<Value>)> = Vec::new();
    let mut order = 0;
    let mut add = |thread: usize, place: Option<Place>, text: String| {
        order += 1;
        let mut location = json!({ "message": { "text": text } });
        if let Some(place) = place {
            location["physicalLocation"] = physical(place, sources)["physicalLocation"].take();
        }
        let location = json!({ "location": location, "executionOrder": order });
        match flows.iter_mut().find(|(known, _)| *known == thread) {
            Some((_, locations)) => locations.push(location),
            None => flows.push((thread, vec![location])),
        }
    };
    let last = trace.steps.len().saturating_sub(1);
    for (index, step) in trace.steps.iter().enumerate() {
        let thread = step.step.thread.index();
        let name = wording::thread_name(trace, step.step.thread);
        let failed = wording::last_fault(trace).filter(|_| index == last);
        let failed = failed.map(|fault| fault.kind);
        let deeds = wording::deeds(step, failed);
        for (at, deed) in deeds.iter().enumerate() {
            add(thread, event_place(step, at), format!("{name}: {deed}"));
        }
        if deeds.is_empty() && failed.is_none() {
            add(thread, step.place, format!("{name} goes on"));
        }
    }
    if let (Property::Fault(fault), Some(step)) = (&trace.property, trace.steps.last()) {
        let place = fault.place.or(step.place);
        let name = wording::thread_name(trace, step.step.thread);
        let text = format!("{name}: {}", wording::fault(fault));
        add(step.step.thread.index(), place, text);
    }
    for waiting in &trace.waiting {
        let name = wording::thread_name(trace, waiting.thread);
        add(
            waiting.thread.index(),
            waiting.place,
            format!("{name} waits"),
        );
    }
    if flows.is_empty() {
        // The program fails before its first step.
        let text = wording::message(trace);
        let location = json!({ "location": { "message": { "text": text } } });
        flows.push((0, vec![location]));
    }
    let flow = |(thread, locations): (usize, Vec<Value>)| {
        let id = match trace.threads.get(thread) {
            Some(name) => crate::layout::clean(name),
            None => format!("thread {thread}"),
        };
        json!({ "id": id, "locations": locations })
    };
    flows.into_iter().map(flow).collect()
}

fn event_place(step: &Step, index: usize) -> Option<Place> {
    let event: Option<&Event> = step.events.get(index);
    event.and_then(|event| event.place).or(step.place)
}

/// A place as a location.
fn physical(place: Place, sources: &[Source]) -> Value {
    let name = sources
        .get(place.file as usize)
        .map_or("", |source| &source.name);
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(name) },
            "region": {
                "startLine": place.line.max(1),
                "startColumn": place.column.max(1),
            },
        },
    })
}

/// The name of a file as a reference: relative ones stay relative, to whatever the reader takes
/// for the root of the sources.
fn uri(name: &str) -> String {
    let mut uri = match name.starts_with('/') {
        true => "file://".to_owned(),
        false => String::new(),
    };
    let name = name.strip_prefix("./").unwrap_or(name);
    for byte in name.bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'~' | b'$' => uri.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

fn notifications(report: &Report<'_>) -> Vec<Value> {
    let limits = &report.options.limits;
    let told = |level: &str, text: String| json!({ "level": level, "message": { "text": text } });
    let reasons = report.reasons.iter();
    let reasons = reasons.map(|reason| told("warning", wording::reason(reason, limits)));
    let remarks = report.remarks.iter();
    let remarks = remarks.map(|remark| told("note", crate::layout::clean(remark)));
    reasons.chain(remarks).collect()
}
