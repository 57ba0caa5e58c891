//! Random Java programs with threads of all kinds: every reduction finds what full search finds,
//! that is the same faults, deadlocks and threads that are stuck, and the same data races. In small
//! ones it is tried out in every state what steps say of themselves, as `--paranoid` does.
//!
//! `RADDLE_PROGRAMS` says how many, `RADDLE_SEED` where to begin:
//!
//! ```text
//! RADDLE_PROGRAMS=20000 RADDLE_SEED=1000000 cargo test --release -p raddle-java --test schedules
//! ```

#![allow(clippy::print_stdout, reason = "long runs say how much they did")]

mod common;

use common::{Budget, compare, inspect, load, scratch};
use raddle_testkit::java_schedules::program;
use raddle_testkit::jdk::compile_texts;
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// How many programs are compiled together.
const BATCH: u64 = 200;

const BUDGET: Budget = Budget {
    full: 4_000,
    reduced: 12_000,
};

/// Programs of so many states are inspected state by state.
const INSPECTED: u64 = 400;

fn number(variable: &str, default: u64) -> u64 {
    let told = std::env::var(variable).ok();
    told.and_then(|told| told.parse().ok()).unwrap_or(default)
}

fn name(seed: u64) -> String {
    format!("S{seed}")
}

#[test]
fn every_reduction_finds_what_full_search_finds() {
    let first = number("RADDLE_SEED", 1);
    let count = number("RADDLE_PROGRAMS", 200);
    let wrong = Mutex::new(Vec::new());
    let [complete, compared, unfinished] = [const { AtomicU64::new(0) }; 3];
    for start in (first..first + count).step_by(BATCH as usize) {
        let seeds: Vec<u64> = (start..(start + BATCH).min(first + count)).collect();
        let folder = scratch(&format!("schedules-{start}"));
        let sources = seeds
            .iter()
            .map(|&seed| (name(seed), program(seed, &name(seed))));
        compile_texts(&folder, sources);
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(&seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed)) {
                match judge(&folder, seed) {
                    Ok(tally) => {
                        complete.fetch_add(u64::from(!tally.skipped), Ordering::Relaxed);
                        compared.fetch_add(tally.compared, Ordering::Relaxed);
                        unfinished.fetch_add(tally.unfinished, Ordering::Relaxed);
                    }
                    Err(what) => {
                        wrong
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .push(format!(
                                "seed {seed}: {what}\n{}",
                                program(seed, &name(seed))
                            ))
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(work);
            }
        });
        let _ = std::fs::remove_dir_all(&folder);
    }
    let wrong = wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (complete, compared) = (complete.into_inner(), compared.into_inner());
    println!(
        "{count} programs from {first} on: {complete} searched completely, {compared} searches \
         compared, {} did not come to their end",
        unfinished.into_inner()
    );
    assert!(
        wrong.is_empty(),
        "{} are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        2 * complete >= count,
        "{complete} of {count} were searched completely"
    );
    assert!(
        compared >= 5 * complete,
        "{compared} comparisons of {complete} programs"
    );
}

fn judge(folder: &Path, seed: u64) -> Result<common::Tally, String> {
    let mut java = load(folder, &name(seed))?;
    inspect(&mut java, INSPECTED)?;
    // Several workers search every third program, and one the others.
    let jobs = if seed.is_multiple_of(3) { 3 } else { 1 };
    compare(&mut java, BUDGET, jobs)
}
