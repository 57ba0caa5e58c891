//! Histories and views have all outcomes that the axioms of JAM21 have, but for load buffering.
//!
//! `RADDLE_PROGRAMS` says how many programs of each kind, `RADDLE_SEED` where to begin:
//! `RADDLE_PROGRAMS=5000 RADDLE_SEED=1 cargo test --release -p raddle-litmus axioms -- --nocapture`.

#![allow(clippy::print_stdout, reason = "long runs say how much they did")]

use raddle_litmus::{explore, parse};
use raddle_testkit::generate::Random;
use raddle_testkit::jam::{Mode, Outcome, Program, Recipe};
use std::collections::BTreeSet;

const MODES: [Mode; 4] = [Mode::Plain, Mode::Opaque, Mode::Ordered, Mode::Volatile];

fn number(name: &str, default: u64) -> u64 {
    let value = std::env::var(name).ok();
    value.map_or(default, |it| it.parse().expect("a number"))
}

fn explored(program: &Program) -> BTreeSet<Outcome> {
    let text = program.text();
    let litmus = parse(&text).unwrap_or_else(|error| panic!("{}\n{text}", error.message));
    let explored = explore(&litmus, 1_000_000).expect("few states");
    // What is asked about comes in the order of registers, which is that of reads.
    explored.outcomes
}

/// Counts programs with the same outcomes, and with more.
fn compare(label: &str, recipe: Recipe) -> (u64, u64) {
    let (count, seed) = (number("RADDLE_PROGRAMS", 300), number("RADDLE_SEED", 1));
    let (mut equal, mut more) = (0, 0);
    for index in 0..count {
        let program = Program::random(&mut Random(seed + index), recipe);
        let (ours, theirs) = (explored(&program), program.outcomes());
        let missing: Vec<_> = theirs.ordered.difference(&ours).collect();
        assert!(
            missing.is_empty(),
            "{label}, seed {}: the axioms allow {missing:?}\n{}",
            seed + index,
            program.text()
        );
        match ours.len() == theirs.ordered.len() {
            true => equal += 1,
            false => more += 1,
        }
    }
    println!("{label}: {count} programs, {equal} with the same outcomes, {more} with more");
    (equal, more)
}

const PURE: Recipe = Recipe {
    modes: &MODES,
    updates: 0,
    fences: 0,
    has_halves: false,
};

#[test]
fn no_outcome_of_the_axioms_is_missed() {
    compare("all modes", PURE);
    let opaque = Recipe {
        modes: &MODES[1..3],
        ..PURE
    };
    compare("opaque, release and acquire", opaque);
    let fenced = Recipe {
        fences: 20,
        has_halves: true,
        ..PURE
    };
    compare("with fences", fenced);
    let updating = Recipe {
        modes: &MODES[1..],
        updates: 25,
        fences: 10,
        has_halves: false,
    };
    compare("with updates", updating);
}

#[test]
fn volatile_accesses_are_sequentially_consistent() {
    let recipe = Recipe {
        modes: &MODES[3..],
        updates: 20,
        ..PURE
    };
    let count = number("RADDLE_PROGRAMS", 300);
    for seed in 0..count {
        let program = Program::random(&mut Random(number("RADDLE_SEED", 1) + seed), recipe);
        assert_eq!(
            explored(&program),
            program.interleaved(),
            "{}",
            program.text()
        );
    }
}

#[test]
fn with_full_fences_everywhere_opaque_accesses_are_so_too() {
    use raddle_testkit::jam::{Operation, Suffix};
    let recipe = Recipe {
        modes: &MODES[1..2],
        ..PURE
    };
    for seed in 0..number("RADDLE_PROGRAMS", 300) {
        let mut program = Program::random(&mut Random(number("RADDLE_SEED", 1) + seed), recipe);
        let interleaved = program.interleaved();
        for thread in &mut program.threads {
            let fenced = thread
                .iter()
                .flat_map(|&it| [it, Operation::Fence(Suffix::Full)]);
            *thread = fenced.collect();
        }
        assert_eq!(explored(&program), interleaved, "{}", program.text());
    }
}
