//! Runs that keep to bounds from above: found where they are easy, and never claimed otherwise.

#![allow(clippy::unwrap_used)]

use raddle_cover::formats::{Parsed, spec};
use raddle_cover::upper::{EASY, UpperBounds, check_bounded_run, seek};
use raddle_cover::{Answer, Net, OMEGA, Place, Unwatched, decide};
use raddle_testkit::generate::Random;
use raddle_testkit::nets::sample;
use std::collections::{HashSet, VecDeque};

fn read(text: &str) -> (Net, UpperBounds) {
    let Parsed { net, upper, .. } = spec::parse(text).unwrap();
    (net, upper.unwrap())
}

/// How many steps the run that is found has.
fn steps(text: &str) -> Option<usize> {
    let (net, upper) = read(text);
    let run = seek(&net, &upper, EASY, &Unwatched)?;
    assert_eq!(check_bounded_run(&net, &upper, &run), Ok(()));
    Some(run.firings.len())
}

const MOVES: &str = "vars x y rules x >= 1 -> x' = x - 1, y' = y + 1; init x = 1, y = 0 target";
const TESTS: &str = "vars x y z rules x = 0, y >= 1 -> y' = y - 1, z' = z + 1; init y = 1, z = 0";

#[test]
fn an_exact_target_is_reached() {
    assert_eq!(steps(&format!("{MOVES} x = 0, y = 1")), Some(1));
    assert_eq!(steps(&format!("{MOVES} x = 1")), Some(0));
    // Covered, but never with so few elsewhere.
    assert_eq!(steps(&format!("{MOVES} y >= 1, x = 1")), None);
    let more = MOVES.replace("x' = x - 1, ", "");
    assert_eq!(steps(&format!("{more} y >= 1, x = 0")), None);
}

#[test]
fn a_test_for_zero_is_kept() {
    assert_eq!(steps(&format!("{TESTS}, x = 0 target z >= 1")), Some(1));
    assert_eq!(steps(&format!("{TESTS}, x = 1 target z >= 1")), None);
    // Any number, zero among them.
    assert_eq!(steps(&format!("{TESTS} target z >= 1")), Some(1));
}

#[test]
fn a_run_that_breaks_a_bound_is_refused() {
    let (net, upper) = read(&format!("{TESTS}, x = 1 target z >= 1"));
    let Answer::Unsafe(run) = decide(&net, &Unwatched).answer else {
        panic!("without the test it is unsafe");
    };
    let wrong = check_bounded_run(&net, &upper, &run);
    assert_eq!(wrong, Err("step 1 breaks a bound from above".to_owned()));
    let (net, upper) = read(&format!("{MOVES} y >= 1, x = 1"));
    let Answer::Unsafe(run) = decide(&net, &Unwatched).answer else {
        return;
    };
    assert!(check_bounded_run(&net, &upper, &run).is_err());
}

/// Random bounds on random nets: what is found is confirmed, and what a small explicit search
/// finds is found.
#[test]
fn random_runs_agree_with_a_search_of_markings() {
    let (mut found, mut absent) = (0, 0);
    for seed in 1..1500 {
        let net = sample(seed);
        let mut random = Random(seed ^ 0x5eed);
        let mut bounds = |most: u64| -> Vec<(Place, u32)> {
            let place = Place(random.below(net.places.len() as u64) as u32);
            match random.below(2) {
                0 => Vec::new(),
                _ => vec![(place, random.below(most) as u32)],
            }
        };
        let upper = UpperBounds {
            guards: net.transitions.iter().map(|_| bounds(3)).collect(),
            targets: net.targets.iter().map(|_| bounds(4)).collect(),
        };
        let run = seek(&net, &upper, 20_000, &Unwatched);
        if let Some(run) = &run {
            assert_eq!(check_bounded_run(&net, &upper, run), Ok(()), "seed {seed}");
            found += 1;
        }
        match reachable(&net, &upper) {
            Some(true) => assert!(run.is_some(), "seed {seed}: a run is not found"),
            Some(false) => {
                assert!(run.is_none(), "seed {seed}: there is no such run");
                absent += 1;
            }
            None => {}
        }
    }
    assert!(found > 200 && absent > 200, "{found} {absent}");
}

/// Whether a target is reached with at most six tokens; `None` if there may be more to it.
fn reachable(net: &Net, upper: &UpperBounds) -> Option<bool> {
    let few = |marking: &[u32]| marking.iter().map(|&it| u64::from(it)).sum::<u64>() <= 6;
    let mut initial = vec![Vec::new()];
    for (&least, &most) in net.least.iter().zip(&net.most) {
        let longer = initial.iter().flat_map(|marking: &Vec<u32>| {
            (least..=most.min(6)).map(move |tokens| [marking.as_slice(), &[tokens]].concat())
        });
        initial = longer.filter(|marking| few(marking)).collect();
    }
    // No initial marking was left out.
    let mut is_complete = !net.most.contains(&OMEGA) && few(&net.most);
    let mut seen: HashSet<Vec<u32>> = initial.iter().cloned().collect();
    let mut open: VecDeque<Vec<u32>> = initial.into();
    while let Some(marking) = open.pop_front() {
        let mut targets = net.targets.iter().zip(&upper.targets);
        if targets.any(|(target, bounds)| {
            target
                .iter()
                .all(|&(at, least)| marking[at.index()] >= least)
                && bounds.iter().all(|&(at, most)| marking[at.index()] <= most)
        }) {
            return Some(true);
        }
        for (firing, after) in net.successors(&marking) {
            let mut bounds = upper.guards[firing.transition].iter();
            if !bounds.all(|&(at, most)| marking[at.index()] <= most) {
                continue;
            }
            if !few(&after) {
                is_complete = false;
            } else if seen.insert(after.clone()) {
                open.push_back(after);
            }
        }
    }
    is_complete.then_some(false)
}
