//! Every row of the table against full search, on random programs, on all very small ones
//! and on the corpus: as far as a row claims to preserve something, it finds the same.
//!
//! `RADDLE_SEED=n` starts elsewhere, `RADDLE_SAMPLES=n` runs more, `RADDLE_STRIDE=1` runs
//! all small programs. Millions on all cores:
//! `cargo run --release -p raddle-testkit --bin differential`.

use raddle_testkit::corpus;
use raddle_testkit::differential::{Budget, SMALL_PROGRAMS, compare, small_program};
use raddle_testkit::generate::{for_all, number_from_environment};

const BUDGET: Budget = Budget {
    full: 2_000,
    reduced: 6_000,
};

#[test]
fn reductions_agree_with_full_search_on_random_programs() {
    for_all(2500, |sample| compare(&sample.source(), BUDGET).map(drop));
}

/// Evenly sampled: all of them take some minutes.
#[test]
fn reductions_agree_with_full_search_on_small_programs() {
    let stride = number_from_environment("RADDLE_STRIDE", 61);
    for number in (0..SMALL_PROGRAMS).step_by(stride as usize) {
        let source = small_program(number);
        let tally = compare(&source, BUDGET).unwrap_or_else(|what| panic!("{what}\n{source}"));
        assert_eq!((tally.skipped, tally.unfinished), (false, 0), "{source}");
    }
}

#[test]
fn reductions_agree_with_full_search_on_the_corpus() {
    let mut compared = 0;
    for file in corpus::programs(&corpus::root()) {
        let source = std::fs::read_to_string(&file).expect("a program can be read");
        // Programs that are there for their errors, or for a limit, say nothing here.
        if raddle_lang::compile(&source).is_err() || source.contains("//@ max-") {
            continue;
        }
        match compare(&source, BUDGET) {
            Ok(tally) => compared += u64::from(!tally.skipped),
            Err(what) => panic!("{}: {what}", file.display()),
        }
    }
    assert!(compared > 300, "only {compared} programs were compared");
}
