//! Compares the procedures for coverability with each other and with explicit search, on
//! random nets, for as long as one likes, on all cores.
//!
//! ```text
//! compare_procedures [SEED [NETS]]
//! ```

#![allow(clippy::print_stdout)]

use raddle_testkit::nets::{Tally, compare, explain, sample};
use raddle_testkit::parallel::first_failure;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

/// How often a procedure may ask whether to go on.
const PATIENCE: u64 = 10;

fn main() -> ExitCode {
    let arguments: Result<Vec<u64>, _> = std::env::args().skip(1).map(|it| it.parse()).collect();
    let (first, nets) = match arguments.as_deref() {
        Ok([]) => (1, 1_000_000),
        Ok([first]) => (*first, 1_000_000),
        Ok([first, nets]) => (*first, *nets),
        _ => {
            println!("compare_procedures [SEED [NETS]]");
            return ExitCode::FAILURE;
        }
    };
    println!("seeds {first} to {}", first + nets.max(1) - 1);
    let start = Instant::now();
    let done = Mutex::new((0u64, Tally::default()));
    let failure = first_failure(first..first + nets, |seed| {
        let Ok(tally) = compare(&sample(seed), PATIENCE) else {
            return false;
        };
        if let Ok(mut done) = done.lock() {
            done.0 += 1;
            done.1 += tally;
            if done.0.is_multiple_of(100_000) {
                println!("{:?} after {:.0?}", *done, start.elapsed());
            }
        }
        true
    });
    if let Ok(done) = done.lock() {
        println!("{:?} after {:.0?}", *done, start.elapsed());
    }
    match failure {
        None => ExitCode::SUCCESS,
        Some(seed) => {
            println!("{}", explain(seed, |net| compare(net, PATIENCE).map(drop)));
            ExitCode::FAILURE
        }
    }
}
