//! A report in the Static Analysis Results Interchange Format, version 2.1.0, for services and
//! editors that show results on the lines of the source.
//!
//! Each violation is a result. Its trace is a code flow with one thread flow for each thread;
//! the order of execution goes through all of them. A data race that is no violation is a result
//! of level *warning*. Reasons why something may have been missed are notifications of the tool.
//!
//! A log stays within what GitHub's code scanning accepts and shows. It rejects files with more
//! than 10,000 thread flow locations in a result, 1,000 locations in a result or 25,000 results
//! in a run, and shows 1,000, 100 and 5,000 of them; a file must not have more than 10 MB when it
//! is compressed. What exceeds that is left out of the middle, and the log says so.

use crate::{Answer, Report, Source, wording};
use raddle_model::{Event, FaultKind, Place, Property, Race, Step, Trace};
use serde_json::{Value, json};

/// Where the form is defined.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Results of a log.
const MOST_RESULTS: usize = 5_000;
/// Locations of a result, of either sort.
const MOST_LOCATIONS: usize = 100;
/// Thread flow locations of a result, and of all results.
const MOST_FLOW_LOCATIONS: usize = 1_000;
const MOST_FLOW_LOCATIONS_OF_ALL: usize = 50_000;

/// The rule of what holds because nothing happens.
const VACUOUS: &str = "vacuous";

/// One log for some reports, as those of the tests of a class.
pub fn log(reports: &[Report<'_>]) -> Value {
    let found = reports.iter().flat_map(|report| {
        let sources = report.sources;
        report.traces.iter().map(move |trace| (trace, sources))
    });
    let found: Vec<(&Trace, &[Source])> = found.collect();
    let mut rules = rules(&found);
    let has_vacuities = |it: &Report<'_>| it.reach.is_some_and(|reach| !reach.vacuities.is_empty());
    if reports.iter().any(has_vacuities) {
        rules.push(VACUOUS);
    }
    let rules = rules;
    let room = MOST_FLOW_LOCATIONS_OF_ALL / found.len().max(1);
    let room = room.clamp(2, MOST_FLOW_LOCATIONS);
    let violations = found
        .iter()
        .map(|(trace, sources)| result(trace, sources, &rules, room));
    let races = reports.iter().flat_map(|report| {
        let races = report.races.iter();
        races.map(|race| warning(race, report.sources, &rules))
    });
    let rules_of = &rules;
    let vacuous = reports.iter().flat_map(|report| {
        let found = report.reach.iter().flat_map(|reach| &reach.vacuities);
        found.map(move |it| {
            let (text, places) = (crate::layout::clean(&it.message), [it.place]);
            marked(VACUOUS, "warning", text, &places, report.sources, rules_of)
        })
    });
    let mut results: Vec<Value> = violations.chain(races).chain(vacuous).collect();
    let mut notifications: Vec<Value> = reports.iter().flat_map(notifications).collect();
    if results.len() > MOST_RESULTS {
        let text = format!("{} more results are left out", results.len() - MOST_RESULTS);
        notifications.push(notification("warning", text));
        results.truncate(MOST_RESULTS);
    }
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
                "toolExecutionNotifications": notifications,
            }],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

/// One log with the results of others that this module has made.
pub fn joined(logs: &[Value]) -> Value {
    let mut all = log(&[]);
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut rules = list(&all["runs"][0]["tool"]["driver"]["rules"]);
    let (mut results, mut notifications) = (Vec::new(), Vec::new());
    for run in logs.iter().flat_map(|log| list(&log["runs"])) {
        for rule in list(&run["tool"]["driver"]["rules"]) {
            if !rules.iter().any(|known| known["id"] == rule["id"]) {
                rules.push(rule);
            }
        }
        for mut result in list(&run["results"]) {
            let index = rules.iter().position(|it| it["id"] == result["ruleId"]);
            if result["ruleIndex"].is_u64() {
                result["ruleIndex"] = json!(index);
            }
            // A race of what several tests have in common is one.
            if result["level"] != "warning" || !results.contains(&result) {
                results.push(result);
            }
        }
        let invocations = list(&run["invocations"]);
        let told = invocations.iter();
        notifications.extend(told.flat_map(|it| list(&it["toolExecutionNotifications"])));
    }
    if results.len() > MOST_RESULTS {
        let text = format!("{} more results are left out", results.len() - MOST_RESULTS);
        notifications.push(notification("warning", text));
        results.truncate(MOST_RESULTS);
    }
    let run = &mut all["runs"][0];
    run["tool"]["driver"]["rules"] = json!(rules);
    run["invocations"][0]["toolExecutionNotifications"] = json!(notifications);
    run["results"] = json!(results);
    all
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
        VACUOUS => "A property holds because nothing happens.",
        other => return format!("Violated: {}.", other.replace('-', " ")),
    };
    told.to_owned()
}

fn result(trace: &Trace, sources: &[Source], rules: &[&str], room: usize) -> Value {
    let mut places = places(trace);
    places.dedup();
    let mut result = marked(
        trace.property.name(),
        "error",
        wording::violation(trace, sources),
        &places,
        sources,
        rules,
    );
    result["codeFlows"] = json!([{
        "message": { "text": "How it comes about: threads take turns in this order." },
        "threadFlows": thread_flows(trace, sources, room),
    }]);
    result
}

/// A data race that is no violation.
fn warning(race: &Race, sources: &[Source], rules: &[&str]) -> Value {
    let mut places: Vec<Place> = race.accesses.iter().filter_map(|it| it.place).collect();
    places.dedup();
    let text = crate::layout::clean(&format!("data race on {race}"));
    marked("race", "warning", text, &places, sources, rules)
}

/// A result that is shown at some places, the first of them first.
fn marked(
    rule: &str,
    level: &str,
    text: String,
    places: &[Place],
    sources: &[Source],
    rules: &[&str],
) -> Value {
    const SOMEWHERE: Place = Place {
        file: 0,
        line: 1,
        column: 1,
    };
    let mut locations = places.iter().map(|&place| physical(place, sources));
    // A result without any line is not shown by anybody.
    let first = locations.next();
    let first = first.unwrap_or_else(|| physical(SOMEWHERE, sources));
    let related: Vec<Value> = locations.take(MOST_LOCATIONS).collect();
    json!({
        "ruleId": rule,
        "ruleIndex": rules.iter().position(|&known| known == rule),
        "level": level,
        "message": { "text": text },
        "locations": [first],
        "relatedLocations": related,
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
        Property::Fault(_) | Property::Temporal(_) | Property::NoEnd(_) => {
            trace.property.place().or(last).into_iter().collect()
        }
        _ => waiting.collect(),
    }
}

/// The steps of each thread that makes one, with at most so many locations together.
fn thread_flows(trace: &Trace, sources: &[Source], room: usize) -> Vec<Value> {
    let mut all = flow_locations(trace);
    let left_out = all.len().saturating_sub(room);
    if left_out > 0 {
        let (first, end) = (room / 2, room / 2 + left_out);
        let thread = all[first].thread;
        let told = wording::count(left_out as u64 + 1, "location", "locations");
        let text = format!("{told} left out here; raddle check --trace FILE.json saves all");
        let cut = FlowLocation {
            thread,
            place: all[first].place,
            text,
        };
        all.splice(first..=end, [cut]);
    }
    let mut flows: Vec<(usize, Vec<Value>)> = Vec::new();
    for (
        order,
        FlowLocation {
            thread,
            place,
            text,
        },
    ) in (1..).zip(all)
    {
        let mut location = json!({ "message": { "text": text } });
        if let Some(place) = place {
            location["physicalLocation"] = physical(place, sources)["physicalLocation"].take();
        }
        let order: usize = order;
        let location = json!({ "location": location, "executionOrder": order });
        match flows.iter_mut().find(|(known, _)| *known == thread) {
            Some((_, locations)) => locations.push(location),
            None => flows.push((thread, vec![location])),
        }
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

/// Something that a thread does somewhere.
struct FlowLocation {
    thread: usize,
    place: Option<Place>,
    text: String,
}

/// All that happens in a trace, in the order of execution.
fn flow_locations(trace: &Trace) -> Vec<FlowLocation> {
    let mut all = Vec::new();
    let mut add = |thread: usize, place: Option<Place>, text: String| {
        all.push(FlowLocation {
            thread,
            place,
            text,
        });
    };
    let last = trace.steps.len().saturating_sub(1);
    for (index, step) in trace.steps.iter().enumerate() {
        let thread = step.step.thread.index();
        let name = wording::thread_name(trace, step.step.thread);
        let failed = wording::last_fault(trace).filter(|_| index == last);
        let failed = failed.map(|fault| fault.kind);
        let phrases = wording::phrases(step, failed);
        for (at, phrase) in phrases.iter().enumerate() {
            add(thread, event_place(step, at), format!("{name}: {phrase}"));
        }
        if phrases.is_empty() && failed.is_none() {
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
        let text = format!("{name} waits");
        add(waiting.thread.index(), waiting.place, text);
    }
    all
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
    let reasons = report.reasons.iter();
    let reasons = reasons.map(|reason| notification("warning", wording::reason(reason, limits)));
    let is_told = report.answer() == Answer::Holds && !report.not_covered.is_empty();
    let open = is_told.then(|| notification("note", wording::not_covered(report.not_covered)));
    let remarks = report.remarks.iter();
    let remarks = remarks.map(|remark| notification("note", crate::layout::clean(remark)));
    reasons.chain(open).chain(remarks).collect()
}

fn notification(level: &str, text: String) -> Value {
    json!({ "level": level, "message": { "text": text } })
}
