//! What a run found, told to people and to programs.
//!
//! A [`Report`] gathers the answer of a search, the traces of what it found and the
//! sources they speak of. [`text`] writes it for a terminal, [`html`] as a page, [`json`] for
//! tools, [`sarif`] and [`junit`] for services, and [`saved`] keeps a schedule in a file from
//! which it can be replayed. All of these
//! are functions from values to values: nothing here reads or writes anything.

pub mod comparison;
pub mod html;
pub mod json;
pub mod junit;
pub mod layout;
pub mod sarif;
pub mod saved;
pub mod sweep;
pub mod project;
mod reach;
pub mod text;

mod ending;
mod lanes;
mod ledger;
mod links;
mod statement;
pub mod unbounded;
mod waits;
mod wording;

pub use links::{Link, LinkKind, links};

use raddle_model::{Fairness, Limits, Place, Properties, Race, Reach, Reason, Statistics, Trace};
use std::time::Duration;

/// Everything there is to tell about a run.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// The program's files; a [`Place`] names one by its index.
    pub sources: &'a [Source],
    /// The violations, replayed. Empty if none was found.
    pub traces: &'a [Trace],
    /// Why something may have been missed. Empty if nothing was.
    pub reasons: &'a [Reason],
    /// Data races that are not violations.
    pub races: &'a [Race],
    /// What the verdict *holds* does not cover, in a few words each.
    pub not_covered: &'a [String],
    /// What executions came to, and what was not checked because nothing happens.
    pub reach: Option<&'a Reach>,
    /// What else there is to say, in sentences without a full stop.
    pub remarks: &'a [String],
    /// How much work it took; `None` if nothing was searched, as in a replay.
    pub statistics: Option<Statistics>,
    /// How the answer was found if it is one about any number of threads.
    pub coverage: Option<Coverage>,
    /// What was asked for.
    pub options: Options,
}

impl Report<'_> {
    /// The verdict without its details.
    pub fn answer(&self) -> Answer {
        match (self.traces, self.reasons) {
            ([], []) => Answer::Holds,
            ([], _) => Answer::Unknown,
            _ => Answer::Violated,
        }
    }
}

/// What an answer about any number of threads, or of tokens in a net, rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    /// What is shown if the verdict is *holds*, without a full stop.
    pub claim: String,
    /// The number of places of the net.
    pub places: usize,
    /// The number of its transitions.
    pub transitions: usize,
    /// Who found the answer.
    pub procedure: &'static str,
    /// How many elements were stored.
    pub elements: u64,
    /// What shows that nothing unsafe is reached, in a few words; it has been checked.
    pub certificate: Option<String>,
    /// How many threads of each kind the execution has that is shown, if there is one.
    pub threads: Vec<(String, usize)>,
    /// The net, if it is small.
    pub net: Option<unbounded::Picture>,
    /// In which ways a program was abstracted, in order.
    pub attempts: Vec<unbounded::Attempt>,
    /// What is true of threads where they stand.
    pub known: Vec<unbounded::LineFacts>,
    /// The time it took.
    pub elapsed: Duration,
}

/// The three verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// No execution violates a property.
    Holds,
    /// Some execution does.
    Violated,
    /// Neither is known.
    Unknown,
}

impl Answer {
    /// The name used in text and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Answer::Holds => "holds",
            Answer::Violated => "violated",
            Answer::Unknown => "unknown",
        }
    }
}

/// What was asked of a run, as far as a report tells it.
#[derive(Clone, Debug)]
pub struct Options {
    /// The name of the reduction.
    pub reduction: &'static str,
    /// The name of the search order.
    pub order: &'static str,
    /// The name of the store.
    pub store: &'static str,
    /// What was checked.
    pub properties: Properties,
    /// Whether data races are violations.
    pub races: bool,
    /// The constants that were given other values.
    pub defines: Vec<(String, i64)>,
    /// The labels that must not be reached.
    pub unreachable: Vec<String>,
    /// The sets of states that must not be reached.
    pub unsafe_sets: Vec<String>,
    /// Where the search had to stop.
    pub limits: Limits,
    /// With how many threads at the most a program was searched that has a limit on them, and
    /// that could be decided for any number.
    pub threads: Option<usize>,
    /// The names of the temporal properties that were checked, and of which executions.
    pub temporal: Vec<(String, Fairness)>,
    /// Whether blocked and finished threads are counted as transitions from a state
    /// to itself.
    pub count_stutters: bool,
}

/// A source file of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// Its name, as the user gave it.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Where something is violated, and what is to be said there: the most telling place first.
pub fn spots(trace: &Trace, sources: &[Source]) -> Vec<(Place, String)> {
    let mut places = sarif::places(trace);
    places.dedup();
    let who = |place: Place| {
        let mut here = trace.waiting.iter().filter(|it| it.place == Some(place));
        let waiting = here.next().map(|it| wording::thread_name(trace, it.thread));
        waiting.map_or_else(|| "here".to_owned(), |name| format!("{name} waits here"))
    };
    let mut places = places.into_iter();
    let first = places
        .next()
        .map(|place| (place, wording::violation(trace, sources)));
    let others = places.map(|place| (place, who(place)));
    first.into_iter().chain(others).collect()
}

/// The lines of the sources, split once: a long trace looks up many of them.
pub(crate) struct Lines<'a> {
    pub(crate) sources: &'a [Source],
    lines: Vec<Vec<&'a str>>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(sources: &'a [Source]) -> Lines<'a> {
        let split = sources.iter().map(|source| source.text.lines().collect());
        Lines {
            sources,
            lines: split.collect(),
        }
    }

    /// What to show of the line of a place, and where in the line that begins: the
    /// whole line, or only the statement if the line is long.
    pub(crate) fn statement(&self, place: Place) -> Option<(usize, String)> {
        let line = self.at(place)?;
        Some(statement::around(line, place.column as usize))
    }

    /// The line of a place.
    pub(crate) fn at(&self, place: Place) -> Option<&'a str> {
        let index = (place.line as usize).checked_sub(1)?;
        self.lines.get(place.file as usize)?.get(index).copied()
    }
}

/// A place as `file:line:column`, which editors and terminals know how to open.
pub(crate) fn locate(sources: &[Source], place: Place) -> String {
    let source = sources.get(place.file as usize);
    let name = layout::clean(source.map_or("?", |source| &source.name));
    format!("{name}:{}:{}", place.line, place.column)
}
