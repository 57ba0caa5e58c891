//! The files that nets are kept in.

#![allow(clippy::unwrap_used)]

mod pnml;
mod printers;
mod random;
mod spec;
mod tts;
mod unsafety;

use raddle_cover::formats::{FormatError, Parsed};
use raddle_cover::{Demand, Net, Place};
use raddle_diagnostics::Diagnostic;

const READERS_WRITERS: &str = include_str!("../../../../tests/nets/readers_writers.spec");
const ASSEMBLY: &str = include_str!("../../../../tests/nets/assembly.net");
const WORKERS: &str = include_str!("../../../../tests/nets/workers.tts");
const WORKERS_PROPERTY: &str = include_str!("../../../../tests/nets/workers.prop");
const KITCHEN: &str = include_str!("../../../../tests/nets/kitchen.pnml");

/// Errors as lines: the text they point to, what they say, and their label.
fn shown(text: &str, diagnostics: &[Diagnostic]) -> Vec<String> {
    let show = |it: &Diagnostic| {
        let pointed = &text[it.span.clone()];
        let help = it.help.iter().map(|help| format!(" ({help})"));
        let help: String = help.collect();
        format!("[{pointed}] {}: {}{help}", it.message, it.label)
    };
    diagnostics.iter().map(show).collect()
}

/// The errors of a text that is malformed.
fn malformed<E>(text: &str, outcome: Result<Parsed, E>) -> Vec<String>
where
    FormatError: From<E>,
{
    match outcome.map_err(FormatError::from) {
        Err(FormatError::Malformed(diagnostics)) => shown(text, &diagnostics),
        other => panic!("not malformed: {other:?}"),
    }
}

fn unsupported<E>(text: &str, outcome: Result<Parsed, E>) -> Vec<String>
where
    FormatError: From<E>,
{
    match outcome.map_err(FormatError::from) {
        Err(FormatError::Unsupported(diagnostics)) => shown(text, &diagnostics),
        other => panic!("supported: {other:?}"),
    }
}

fn place(net: &Net, name: &str) -> Place {
    let index = net.places.iter().position(|other| other == name);
    Place(index.unwrap() as u32)
}

/// A demand with the names of its places.
fn named(net: &Net, demand: &Demand) -> String {
    let parts = demand.iter();
    let parts = parts.map(|(place, least)| format!("{}:{least}", net.places[place.index()]));
    parts.collect::<Vec<_>>().join(" ")
}
