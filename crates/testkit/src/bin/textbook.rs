//! A textbook's forward search beside the procedures, on nets in files:
//! `cargo run --release -p raddle-testkit --bin textbook FILE…`
//!
//! The textbook keeps a hash set of markings and a queue, and knows nothing else. A line has its
//! answer, how many markings it met and how long that took, and the same of the procedures,
//! certificate included. For a boolean program, `raddle translate FILE.cbp --to net` makes a net.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use raddle_cover::formats::{decode, spec};
use raddle_cover::{Answer, Marking, Net, OMEGA, Unwatched, decide};
use std::collections::{HashSet, VecDeque};
use std::process::ExitCode;
use std::time::Instant;

/// The textbook gives up beyond so many markings.
const MOST_MARKINGS: usize = 10_000_000;

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let mut code = ExitCode::SUCCESS;
    for file in &files {
        match read(file) {
            Ok(net) => println!("{file}: {}", compare(&net)),
            Err(why) => {
                eprintln!("{file}: {why}");
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}

fn read(file: &str) -> Result<Net, String> {
    let text = decode(&std::fs::read(file).map_err(|error| error.to_string())?);
    let parsed = spec::parse(&text).map_err(|trouble| format!("{trouble:?}"))?;
    Ok(parsed.net)
}

fn compare(net: &Net) -> String {
    let begun = Instant::now();
    let (answer, markings) = textbook(net);
    let theirs = begun.elapsed().as_secs_f64();
    let begun = Instant::now();
    let verdict = decide(net, &Unwatched);
    let ours = begun.elapsed().as_secs_f64();
    let told = match verdict.answer {
        Answer::Safe(_) => "safe",
        Answer::Unsafe(_) => "unsafe",
        Answer::Unknown(_) => "unknown",
    };
    format!(
        "textbook {answer}, {markings} markings, {theirs:.3} s; here {told} by {}, {ours:.3} s, \
         {:.2} times as long",
        verdict.procedure,
        ours / theirs.max(1e-6)
    )
}

/// The answer, and how many markings were met.
fn textbook(net: &Net) -> (&'static str, usize) {
    if net.most.contains(&OMEGA) {
        return ("unknown", 0);
    }
    let mut seen: HashSet<Marking> = HashSet::from([net.most.clone()]);
    let mut open: VecDeque<Marking> = VecDeque::from([net.most.clone()]);
    while let Some(marking) = open.pop_front() {
        if net.is_unsafe(&marking) {
            return ("unsafe", seen.len());
        }
        for (_, after) in net.successors(&marking) {
            if seen.insert(after.clone()) {
                open.push_back(after);
            }
        }
        if seen.len() > MOST_MARKINGS {
            return ("unknown", seen.len());
        }
    }
    ("safe", seen.len())
}
