//! Compares every reduction with full search, for as long as one likes, on all cores.
//!
//! ```text
//! differential random [SEED [PROGRAMS [WORKERS]]]   random programs from this seed on
//! differential small [STRIDE]                       all programs of two threads with three
//!                                                   instructions each, or every so many of them
//! ```

#![allow(clippy::print_stdout)]

use raddle_testkit::differential::{
    Budget, SMALL_PROGRAMS, Tally, compare, compare_in_turn, small_program,
};
use raddle_testkit::generate::{explain, sample};
use raddle_testkit::parallel::first_failure;
use std::ops::Range;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

const BUDGET: Budget = Budget {
    full: 1_000,
    reduced: 3_000,
};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize, default: u64| match arguments.get(index) {
        None => Ok(default),
        Some(text) => text.parse().map_err(|_| format!("`{text}` is no number")),
    };
    let result = match arguments.first().map(String::as_str) {
        Some("random") => number(1, 1)
            .and_then(|first| random(first, number(2, 1_000_000)?, number(3, 1)? as usize)),
        Some("small") => number(1, 1).and_then(small),
        _ => {
            let usage =
                "differential random [SEED [PROGRAMS [WORKERS]]] | differential small [STRIDE]";
            Err(usage.to_owned())
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            println!("{what}");
            ExitCode::FAILURE
        }
    }
}

fn random(first: u64, programs: u64, workers: usize) -> Result<(), String> {
    let law = |seed| compare_in_turn(&sample(seed).source(), BUDGET, seed, workers);
    match run("seeds", first..first + programs, law) {
        None => Ok(()),
        Some(seed) => Err(explain(seed, |sample| {
            compare_in_turn(&sample.source(), BUDGET, seed, workers).map(drop)
        })),
    }
}

fn small(stride: u64) -> Result<(), String> {
    let stride = stride.max(1);
    let source = |number: u64| small_program(number * stride);
    let law = |number| compare(&source(number), BUDGET);
    match run("programs", 0..SMALL_PROGRAMS.div_ceil(stride), law) {
        None => Ok(()),
        Some(number) => {
            let what = law(number).err().unwrap_or_default();
            Err(format!("{what}\n{}", source(number)))
        }
    }
}

/// Checks a law on a range of numbers, and says how much was done and how fast.
fn run(
    what: &str,
    range: Range<u64>,
    law: impl Fn(u64) -> Result<Tally, String> + Sync,
) -> Option<u64> {
    println!("{what} {} to {}", range.start, range.end - 1);
    let start = Instant::now();
    let [programs, skipped, compared, unfinished] = [const { AtomicU64::new(0) }; 4];
    let failure = first_failure(range, |number| {
        let Ok(tally) = law(number) else {
            return false;
        };
        let done = programs.fetch_add(1, Ordering::Relaxed) + 1;
        skipped.fetch_add(u64::from(tally.skipped), Ordering::Relaxed);
        compared.fetch_add(tally.compared, Ordering::Relaxed);
        unfinished.fetch_add(tally.unfinished, Ordering::Relaxed);
        if done % 100_000 == 0 {
            println!("{done} programs");
        }
        true
    });
    let seconds = start.elapsed().as_secs_f64();
    let programs = programs.into_inner();
    println!(
        "{programs} programs in {seconds:.1} s, {:.0} per minute; {} of them too large; \
         {} searches compared, {} did not come to their end",
        programs as f64 * 60.0 / seconds,
        skipped.into_inner(),
        compared.into_inner(),
        unfinished.into_inner()
    );
    failure
}
