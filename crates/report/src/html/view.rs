//! What a page shows of executions, in a form that is small and easy to lay out.
//!
//! The steps are cut into cards, which are what one walks through: a card is what the table of
//! a text report shows between two step numbers. Texts are numbered, because a long execution
//! says the same again and again; places are a file and a line.

use crate::lanes::{self, RowKind, Told};
use crate::layout::{clean, cut};
use crate::links::links_of;
use crate::waits::{Wait, Waits};
use crate::{Lines, Options, Report, Source, ending, reach, text, wording};
use raddle_model::{Fault, Limits, Place, Race, Step, Thread, Trace};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Longer texts are cut.
const LONGEST: usize = 400;
/// So much output is embedded, from its end.
const MOST_OUTPUT: usize = 20_000;
/// Larger source files are not embedded.
const LARGEST_SOURCE: usize = 1 << 20;

/// All that the page of a run shows.
pub(super) fn report(report: &Report<'_>) -> Value {
    let file = report.sources.first().map_or("", |source| &source.name);
    let lines = Lines::new(report.sources);
    let traces = report.traces.iter();
    let traces: Vec<Value> = traces.map(|it| trace(it, &lines)).collect();
    let mut used: BTreeSet<u32> = report.traces.iter().flat_map(files_of).collect();
    used.insert(0);
    let notes = wording::warnings(report.races);
    let notes = notes.into_iter().chain(reach::warnings(report));
    let notes = notes.map(|told| ("warning", told));
    let remarks = report.remarks.iter().map(|told| ("note", clean(told)));
    let answer = report.answer().name();
    json!({
        "file": clean(file),
        "title": format!("{answer}: {}", clean(file)),
        "verdict": answer,
        "sentences": text::sentences(report),
        "facts": facts(&report.options),
        "notes": notes.chain(remarks).collect::<Vec<_>>(),
        "statistics": statistics(report),
        "unbounded": report.coverage.as_ref().map(crate::json::coverage),
        "reach": reach::page(report),
        "traces": traces,
        "sources": sources(report.sources, &used),
    })
}

/// An execution as far as it has come.
pub struct Walk<'a> {
    /// The program's files.
    pub sources: &'a [Source],
    /// The names of the threads.
    pub threads: &'a [String],
    /// The steps so far.
    pub steps: &'a [Step],
    /// With what the last of them has failed, if it has.
    pub fault: Option<&'a Fault>,
    /// The values of the shared variables before the first step.
    pub initial: &'a [(String, String)],
    /// Where the next step of each thread begins.
    pub next: &'a [Option<Place>],
}

/// What a page shows of an execution.
pub fn walk(walk: &Walk<'_>) -> Value {
    let lines = Lines::new(walk.sources);
    execution(walk, &lines)
}

/// The sources that are embedded; the others are there by their names only.
pub(super) fn sources(sources: &[Source], used: &BTreeSet<u32>) -> Value {
    let embedded = (0u32..).zip(sources).map(|(index, source)| {
        let is_shown = used.contains(&index) && source.text.len() <= LARGEST_SOURCE;
        json!({
            "name": clean(&source.name),
            "lines": is_shown.then(|| source.text.lines().map(clean).collect::<Vec<_>>()),
        })
    });
    embedded.collect()
}

/// The files that a trace speaks of.
fn files_of(trace: &Trace) -> BTreeSet<u32> {
    let events = trace.steps.iter().flat_map(|step| &step.events);
    let places = events.filter_map(|event| event.place);
    let places = places.chain(trace.steps.iter().filter_map(|step| step.place));
    let places = places.chain(trace.next.iter().filter_map(|&place| place));
    places.map(|place| place.file).collect()
}

fn trace(trace: &Trace, lines: &Lines<'_>) -> Value {
    let told = Walk {
        sources: lines.sources,
        threads: &trace.threads,
        steps: &trace.steps,
        fault: wording::last_fault(trace),
        initial: &trace.initial,
        next: &trace.next,
    };
    let output = wording::output(trace);
    let skipped = output.char_indices().rev().nth(MOST_OUTPUT);
    let mut value = execution(&told, lines);
    value["title"] = json!(wording::violation(trace, lines.sources));
    value["ending"] = ending(trace, lines);
    value["repeats_from"] = json!(wording::repeats_from(trace));
    value["output"] = json!(&output[skipped.map_or(0, |(index, _)| index)..]);
    value
}

fn execution(walk: &Walk<'_>, lines: &Lines<'_>) -> Value {
    let mut texts = Texts::default();
    let cards = cards(walk, lines);
    let told: Vec<Value> = cards.iter().map(|card| card.json(&mut texts)).collect();
    let links = links_of(walk.threads, walk.steps);
    let links: Vec<Value> = links
        .iter()
        .filter_map(|link| {
            let from = card_of(&cards, walk.steps, link.from)?;
            let to = match link.to < walk.steps.len() {
                true => card_of(&cards, walk.steps, link.to)?,
                false => cards.len(),
            };
            let object = texts.number(&link.object);
            Some(json!([link.kind.name(), from, to, object, link.thread.0]))
        })
        .collect();
    let values = values(walk, &cards, &mut texts);
    let unrecorded = walk.steps.iter().position(|step| step.changes.is_none());
    json!({
        "threads": walk.threads.iter().map(|name| clean(name)).collect::<Vec<_>>(),
        "steps": walk.steps.len(),
        "cards": told,
        "links": links,
        "values": values,
        "unrecorded": unrecorded.map(|step| card_at(&cards, step)),
        "next": walk.next.iter().map(|&it| place(it)).collect::<Vec<_>>(),
        "texts": texts.all,
    })
}

/// Texts and their numbers.
#[derive(Default)]
struct Texts {
    numbers: BTreeMap<String, usize>,
    all: Vec<String>,
}

impl Texts {
    fn number(&mut self, text: &str) -> usize {
        let text = cut(&clean(text), LONGEST);
        if let Some(&number) = self.numbers.get(&text) {
            return number;
        }
        let number = self.all.len();
        self.all.push(text.clone());
        self.numbers.insert(text, number);
        number
    }
}

/// Steps that are shown together.
struct Card {
    /// The indices of the first and of the last step.
    first: usize,
    last: usize,
    thread: Thread,
    place: Option<Place>,
    rows: Vec<lanes::Row>,
}

impl Card {
    fn json(&self, texts: &mut Texts) -> Value {
        let rows = self.rows.iter().map(|row| {
            let kind = match row.kind {
                RowKind::Source => 0,
                RowKind::Event => 1,
                RowKind::Failure => 2,
            };
            match row.place {
                Some(place) => json!([kind, texts.number(&row.text), place.file, place.line]),
                None => json!([kind, texts.number(&row.text)]),
            }
        });
        let rows: Vec<Value> = rows.collect();
        json!([
            self.first,
            self.last,
            self.thread.0,
            place(self.place),
            rows
        ])
    }
}

fn cards(walk: &Walk<'_>, lines: &Lines<'_>) -> Vec<Card> {
    let told = Told {
        steps: walk.steps,
        fault: walk.fault,
    };
    let mut cards: Vec<Card> = Vec::new();
    for row in lanes::all_rows(&told, lines) {
        match (row.step, cards.last_mut()) {
            (None, Some(card)) => card.rows.push(row),
            (step, _) => {
                let first = step.map_or(0, |step| step - 1);
                cards.push(Card {
                    first,
                    last: first,
                    thread: row.thread,
                    place: walk.steps.get(first).and_then(|step| step.place),
                    rows: vec![row],
                });
            }
        }
    }
    // Silent steps belong to the card before them.
    for index in 0..cards.len() {
        let next = cards.get(index + 1).map(|card| card.first);
        cards[index].last = next.unwrap_or(walk.steps.len()).saturating_sub(1);
    }
    cards
}

/// The card that is shown when a step has been made.
fn card_at(cards: &[Card], step: usize) -> usize {
    cards.partition_point(|card| card.first <= step).max(1) - 1
}

/// The card of the thread of a step that tells of it, or the next one if none does.
fn card_of(cards: &[Card], steps: &[Step], step: usize) -> Option<usize> {
    let thread = steps.get(step)?.step.thread;
    let from = card_at(cards, step);
    let found = cards[from.min(cards.len())..]
        .iter()
        .position(|card| card.thread == thread);
    found.map(|found| from + found)
}

/// Each variable with its first value and what becomes of it: its name, its value if it has
/// one at the beginning, and then cards and new values in turn.
fn values(walk: &Walk<'_>, cards: &[Card], texts: &mut Texts) -> Vec<Value> {
    let mut order: Vec<&str> = Vec::new();
    let mut history: BTreeMap<&str, (Option<&str>, Vec<Value>)> = BTreeMap::new();
    for (name, value) in walk.initial {
        order.push(name);
        history.insert(name, (Some(value), Vec::new()));
    }
    for (index, step) in walk.steps.iter().enumerate() {
        for (name, value) in step.changes.iter().flatten() {
            let (_, changes) = history.entry(name).or_insert_with(|| {
                order.push(name);
                (None, Vec::new())
            });
            changes.push(json!(card_at(cards, index)));
            changes.push(json!(value.as_deref().map(|value| texts.number(value))));
        }
    }
    let told = order.iter().filter_map(|name| {
        let (first, changes) = history.remove(name)?;
        let first = first.map(|value| texts.number(value));
        let mut told = vec![json!(texts.number(name)), json!(first)];
        told.extend(changes);
        Some(Value::from(told))
    });
    told.collect()
}

fn place(place: Option<Place>) -> Value {
    place.map_or(Value::Null, |place| json!([place.file, place.line]))
}

/// What is wrong at the end, and who waits for whom.
fn ending(trace: &Trace, lines: &Lines<'_>) -> Value {
    let waits = Waits::new(trace, trace.property.stuck(), lines);
    let cycle = waits.cycle.iter().flatten();
    let cycle = cycle.filter_map(|&index| waits.all.get(index));
    json!({
        "title": ending::title(trace),
        "place": place(trace.property.place()),
        "waits": waits.busy().map(wait).collect::<Vec<_>>(),
        "idle": waits.idle_told(trace),
        "cycle": cycle.map(|wait| wait.waiting.thread.0).collect::<Vec<_>>(),
        "told": waits.cycle_told(trace),
        "race": trace.race.as_ref().map(|it| race(it, trace)),
    })
}

fn wait(wait: &Wait<'_>) -> Value {
    let possible = wait.waiting.waits_for.iter().map(|thread| thread.0);
    json!({
        "thread": wait.waiting.thread.0,
        "place": place(wait.waiting.place),
        "why": wait.why,
        "object": wait.object,
        "for": wait.certain.as_ref().map(|(_, thread)| thread.0),
        "possible": possible.collect::<Vec<_>>(),
    })
}

fn race(race: &Race, trace: &Trace) -> Value {
    let accesses = race.accesses.iter().map(|access| {
        let thread = trace.threads.iter().position(|name| *name == access.thread);
        json!({
            "thread": thread,
            "place": place(access.place),
            "told": clean(&access.to_string()),
        })
    });
    json!({
        "variable": clean(&race.variable),
        "accesses": accesses.collect::<Vec<_>>(),
    })
}

/// What was asked for, as names and what they stand for.
fn facts(options: &Options) -> Vec<(&'static str, String)> {
    let Limits {
        time,
        memory,
        states,
        depth,
    } = options.limits;
    let limits = [
        time.map(|time| format!("time {}", text::seconds(time))),
        memory.map(|memory| format!("memory {}", text::bytes(memory))),
        states.map(|states| wording::count(states, "state", "states")),
        depth.map(|depth| format!("depth {depth}")),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    let defines = options.defines.iter();
    let defines: Vec<String> = defines
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let facts = [
        ("Looked for", wording::looked_for(options)),
        ("Reduction", options.reduction.to_owned()),
        ("Order", options.order.to_owned()),
        ("Store", options.store.to_owned()),
        ("Constants", defines.join(", ")),
        ("Must not be reached", options.unreachable.join(", ")),
        ("Unsafe", options.unsafe_sets.join(", ")),
        ("Limits", limits.join(", ")),
    ];
    let told = facts.into_iter().filter(|(_, what)| !what.is_empty());
    told.map(|(name, what)| (name, clean(&what))).collect()
}

/// How much work it took, as names and numbers.
fn statistics(report: &Report<'_>) -> Vec<(&'static str, String)> {
    let mut told = Vec::new();
    if let Some(it) = &report.statistics {
        told.push(("States", it.states.to_string()));
        told.push(("Transitions", it.transitions.to_string()));
        if it.executions > 0 {
            told.push(("Executions", it.executions.to_string()));
        }
        told.push(("Depth", it.depth.to_string()));
        if it.pruned > 0 {
            told.push(("Cut off by assumptions", it.pruned.to_string()));
        }
        told.push(("Time", text::seconds(it.elapsed)));
        told.push(("Memory", text::bytes(it.peak_bytes)));
    }
    if let Some(it) = &report.coverage {
        told.push(("Places of the net", it.places.to_string()));
        told.push(("Transitions of the net", it.transitions.to_string()));
        told.push(("Procedure", it.procedure.to_owned()));
        told.push(("Elements stored", it.elements.to_string()));
        told.push(("Time", text::seconds(it.elapsed)));
    }
    told
}
