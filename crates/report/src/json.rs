//! A report for programs.
//!
//! The form is versioned: `"schema"` changes when a field changes its meaning or goes
//! away, not when one is added. A number that is unknown is `null`.

use crate::{Answer, Coverage, Link, Options, Report, Source, links, reach, unbounded, wording};
use raddle_model::{
    Change, Event, Limits, Place, Properties, Race, Reason, Statistics, Step, Trace, Waiting,
};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// The version of everything that this crate writes as JSON.
pub const SCHEMA: u64 = 1;

/// The whole report.
pub fn outcome_json(report: &Report<'_>) -> Value {
    json!(Outcome(report))
}

/// The same as text. A trace can have very many steps, so one after the other is turned into text.
pub fn outcome_text(report: &Report<'_>) -> String {
    // Nothing of a report cannot be written: all names of fields are texts.
    serde_json::to_string_pretty(&Outcome(report)).unwrap_or_default() + "\n"
}

struct Outcome<'a>(&'a Report<'a>);

impl Serialize for Outcome<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let report = self.0;
        let sources = report.sources;
        let first = report.traces.first();
        let settings = &report.options;
        let not_covered = match report.answer() {
            Answer::Holds => report.not_covered,
            _ => &[],
        };
        let kind = first.map(|it| it.property.name());
        let at = first.and_then(|it| it.property.place());
        let others = report.traces.get(1..).unwrap_or_default();
        let reason = |it: &Reason| reason(it, &settings.limits);
        let traced = first.map(|trace| Traced { trace, sources });

        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("schema", &SCHEMA)?;
        fields.serialize_entry("file", &sources.first().map(|source| &source.name))?;
        fields.serialize_entry("verdict", report.answer().name())?;
        fields.serialize_entry("kind", &kind)?;
        fields.serialize_entry("message", &first.map(wording::message))?;
        fields.serialize_entry("place", &place(at, sources))?;
        fields.serialize_entry("reasons", &each(report.reasons, reason))?;
        fields.serialize_entry("races", &each(report.races, |it| race(it, sources)))?;
        fields.serialize_entry("not_covered", not_covered)?;
        fields.serialize_entry("warnings", &reach::warnings_json(report))?;
        fields.serialize_entry("reach", &reach::points_json(report))?;
        fields.serialize_entry("remarks", report.remarks)?;
        fields.serialize_entry("statistics", &report.statistics.as_ref().map(statistics))?;
        fields.serialize_entry("coverage", &report.coverage.as_ref().map(coverage))?;
        fields.serialize_entry("options", &options(settings))?;
        fields.serialize_entry("trace", &traced)?;
        fields.serialize_entry(
            "others",
            &each(others, |it| Violated(Traced { trace: it, sources })),
        )?;
        fields.end()
    }
}

struct Each<'a, T, F>(&'a [T], F);

/// A list whose elements are written one after the other.
fn each<'a, T, R: Serialize>(list: &'a [T], form: impl Fn(&'a T) -> R) -> impl Serialize {
    Each(list, form)
}

impl<'a, T, F: Fn(&'a T) -> R, R: Serialize> Serialize for Each<'a, T, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(&self.1))
    }
}

/// Something that kept a run from happening at all.
pub fn error_json(message: &str, file: Option<&str>, problems: &[Problem]) -> Value {
    let problems = problems.iter().map(|problem| {
        json!({
            "message": problem.message,
            "line": problem.line,
            "column": problem.column,
            "label": problem.label,
            "help": problem.help,
        })
    });
    json!({
        "schema": SCHEMA,
        "file": file,
        "verdict": "bad-input",
        "error": {
            "message": message,
            "diagnostics": problems.collect::<Vec<_>>(),
        },
    })
}

/// Something wrong with the text of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub message: String,
    /// The line, from one.
    pub line: u32,
    /// The column, in characters from one.
    pub column: u32,
    /// What was expected there, or what it is.
    pub label: String,
    /// How to mend it.
    pub help: Option<String>,
}

/// A trace: threads, steps, who waits at the end, the last values.
pub fn trace_json(trace: &Trace, sources: &[Source]) -> Value {
    json!(Traced { trace, sources })
}

struct Traced<'a> {
    trace: &'a Trace,
    sources: &'a [Source],
}

impl Serialize for Traced<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { trace, sources } = *self;
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("threads", &trace.threads)?;
        fields.serialize_entry("steps", &each(&trace.steps, |it| step(it, sources)))?;
        fields.serialize_entry("repeats_from", &wording::repeats_from(trace))?;
        fields.serialize_entry("links", &each(&links(trace), link))?;
        fields.serialize_entry("next", &each(&trace.next, |&it| place(it, sources)))?;
        fields.serialize_entry("waiting", &each(&trace.waiting, |it| waiting(it, sources)))?;
        fields.serialize_entry("initial", &named(&trace.initial))?;
        fields.serialize_entry("values", &named(&trace.values))?;
        fields.serialize_entry("output", &wording::output(trace))?;
        fields.end()
    }
}

fn waiting(waiting: &Waiting, sources: &[Source]) -> Value {
    let wants = waiting.wants.iter();
    let wants =
        wants.map(|(operation, object)| json!({"operation": operation.name(), "object": object}));
    let waits_for = waiting.waits_for.iter().map(|thread| thread.0);
    json!({
        "thread": waiting.thread.0,
        "place": place(waiting.place, sources),
        "wants": wants.collect::<Vec<_>>(),
        "waits_for": waits_for.collect::<Vec<_>>(),
        "obstacle": waiting.obstacle.as_ref().map(|obstacle| &obstacle.what),
    })
}

/// Values by their names.
fn named(values: &[(String, String)]) -> Value {
    let values = values.iter();
    let values = values.map(|(name, value)| json!({"name": name, "value": value}));
    values.collect()
}

/// What one step, by its index, does for another.
fn link(link: &Link) -> Value {
    json!({
        "kind": link.kind.name(),
        "from": link.from,
        "to": link.to,
        "thread": link.thread.0,
        "object": link.object,
    })
}

/// A place, with the name of its file.
pub(crate) fn place(place: Option<Place>, sources: &[Source]) -> Value {
    let Some(place) = place else {
        return Value::Null;
    };
    json!({
        "file": sources.get(place.file as usize).map(|source| &source.name),
        "line": place.line,
        "column": place.column,
    })
}

fn race(race: &Race, sources: &[Source]) -> Value {
    let accesses = race.accesses.iter().map(|access| {
        json!({
            "thread": access.thread,
            "operation": if access.is_write { "write" } else { "read" },
            "where": access.whereabouts,
            "place": place(access.place, sources),
        })
    });
    json!({
        "variable": race.variable,
        "accesses": accesses.collect::<Vec<_>>(),
    })
}

/// What is violated, with its trace.
struct Violated<'a>(Traced<'a>);

impl Serialize for Violated<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Traced { trace, sources } = self.0;
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("kind", trace.property.name())?;
        fields.serialize_entry("message", &wording::message(trace))?;
        fields.serialize_entry("place", &place(trace.property.place(), sources))?;
        fields.serialize_entry("trace", &self.0)?;
        fields.end()
    }
}

fn step(step: &Step, sources: &[Source]) -> Value {
    let events = step.events.iter().map(|it| event(it, sources));
    json!({
        "thread": step.step.thread.0,
        "choice": step.step.choice,
        "place": place(step.place, sources),
        "events": events.collect::<Vec<_>>(),
        "changes": step.changes.as_ref().map(|it| changes(it)),
    })
}

/// Variables with their new values; those that are gone have none.
fn changes(changes: &[Change]) -> Value {
    let changes = changes.iter();
    let changes = changes.map(|(name, value)| json!({"name": name, "value": value}));
    changes.collect()
}

fn event(event: &Event, sources: &[Source]) -> Value {
    json!({
        "operation": event.operation.map(|operation| operation.name()),
        "object": event.object,
        "value": event.value,
        "before": event.before,
        "inside": event.inside,
        "detail": event.is_detail,
        "place": place(event.place, sources),
    })
}

fn reason(reason: &Reason, limits: &Limits) -> Value {
    json!({
        "name": wording::reason_name(reason),
        "message": wording::reason(reason, limits),
    })
}

fn statistics(statistics: &Statistics) -> Value {
    json!({
        "states": statistics.states,
        "transitions": statistics.transitions,
        "executions": statistics.executions,
        "stutters": statistics.stutters,
        "depth": statistics.depth,
        "pruned": statistics.pruned,
        "store_bytes": statistics.store_bytes,
        "peak_bytes": statistics.peak_bytes,
        "elapsed": statistics.elapsed.as_secs_f64(),
        "omission_probability": statistics.omission_probability,
    })
}

pub(crate) fn coverage(coverage: &Coverage) -> Value {
    json!({
        "claim": coverage.claim,
        "places": coverage.places,
        "transitions": coverage.transitions,
        "procedure": coverage.procedure,
        "elements": coverage.elements,
        "certificate": coverage.certificate,
        "threads": coverage.threads.iter().map(|(kind, count)| {
            json!({ "kind": kind, "count": count })
        }).collect::<Vec<_>>(),
        "net": coverage.net.as_ref().map(unbounded::picture),
        "attempts": coverage.attempts.iter().map(unbounded::attempt).collect::<Vec<_>>(),
        "known": coverage.known.iter().map(unbounded::known).collect::<Vec<_>>(),
        "elapsed": coverage.elapsed.as_secs_f64(),
    })
}

fn options(options: &Options) -> Value {
    let Limits {
        time,
        memory,
        states,
        depth,
    } = options.limits;
    let Properties {
        faults,
        deadlock,
        partial_deadlock,
        invariants,
        temporal,
        ends,
    } = options.properties;
    json!({
        "reduction": options.reduction,
        "order": options.order,
        "store": options.store,
        "defines": defines_json(&options.defines),
        "properties": {
            "faults": faults,
            "deadlock": deadlock,
            "partial_deadlock": partial_deadlock,
            "invariants": invariants,
            "temporal": temporal,
            "ends": ends,
            "races": options.races,
            "unreachable": options.unreachable,
            "unsafe": options.unsafe_sets,
        },
        "limits": {
            "time": time.map(|time| time.as_secs_f64()),
            "memory": memory,
            "states": states,
            "depth": depth,
            "threads": options.threads,
        },
    })
}

/// Constants and their values.
pub fn defines_json(defines: &[(String, i64)]) -> Value {
    defines
        .iter()
        .map(|(name, value)| (name.clone(), json!(value)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}
