//! Runs with the fewest tokens.
//!
//! A procedure finds some run, often with more threads than it takes. A search confined to
//! markings with few tokens, one more each time, finds a run whose fullest marking has as few
//! tokens as possible, and the fewest firings among those. It is given up when it gets long;
//! then the run stays as it was.

use crate::certificate::Run;
use crate::forward::{Scope, SearchEnd, search};
use crate::monitor::Monitor;
use crate::net::{Firing, Marking, Net, Place};

/// How many markings are looked at in all.
const MOST_MARKINGS: usize = 20_000;

/// The largest number of markings times places.
const MOST_CELLS: usize = 1 << 22;

/// A run with fewer tokens in its fullest marking, if one is found. It is still to be checked.
pub(crate) fn fewest(net: &Net, run: &Run, monitor: &dyn Monitor) -> Option<Run> {
    let peak = peak(net, run)?;
    let least = count(&net.least);
    let mut left = MOST_MARKINGS.min(MOST_CELLS / net.places.len().max(1));
    for tokens in least.max(target_tokens(net)?)..peak {
        let scope = Scope {
            roots: initial_markings(net, tokens, left),
            tokens,
            markings: left,
            upper: None,
        };
        match search(net, &scope, monitor) {
            SearchEnd::Covered(run) => return Some(run),
            SearchEnd::Closed(markings) => left = left.saturating_sub(markings.len() + 1),
            SearchEnd::GaveUp(_) => return None,
        }
    }
    None
}

/// The tokens of the fullest marking of a run; `None` if it is none.
fn peak(net: &Net, run: &Run) -> Option<u64> {
    let mut marking = run.initial.clone();
    let mut tokens = count(&marking);
    let mut most = tokens;
    for &firing in &run.firings {
        let changed = changed(net, firing);
        let sum = |marking: &[u32]| -> u64 {
            let contents = changed
                .iter()
                .map(|place| u64::from(marking[place.index()]));
            contents.sum()
        };
        let before = sum(&marking);
        if !net.fire_in(&mut marking, firing) {
            return None;
        }
        tokens = tokens - before + sum(&marking);
        most = most.max(tokens);
    }
    Some(most)
}

/// The places whose contents a firing may change.
fn changed(net: &Net, firing: Firing) -> Vec<Place> {
    let transition = net.transitions.get(firing.transition);
    let woken = transition.zip(firing.wake);
    let woken = woken.and_then(|(transition, pair)| transition.wakes.get(pair));
    let updates = transition.into_iter().flat_map(|it| &it.updates);
    let mut places: Vec<Place> = updates.map(|update| update.place).collect();
    places.extend(woken.into_iter().flat_map(|&(from, to)| [from, to]));
    places.sort_unstable();
    places.dedup();
    places
}

fn count(marking: &[u32]) -> u64 {
    marking.iter().map(|&tokens| u64::from(tokens)).sum()
}

/// The fewest tokens that a target asks for; `None` if there is no target.
pub(crate) fn target_tokens(net: &Net) -> Option<u64> {
    let tokens = net.targets.iter().map(|target| {
        let demanded = target.iter().map(|&(_, least)| u64::from(least));
        demanded.sum()
    });
    tokens.min()
}

/// The initial markings with at most so many tokens, or some of them if there are too many.
pub(crate) fn initial_markings(net: &Net, tokens: u64, most: usize) -> Vec<Marking> {
    let Some(spare) = tokens.checked_sub(count(&net.least)) else {
        return Vec::new();
    };
    let mut found = vec![(net.least.clone(), spare)];
    for place in 0..net.places.len() {
        if net.least[place] == net.most[place] {
            continue;
        }
        for index in 0..found.len() {
            let (mut marking, mut spare) = found[index].clone();
            while spare > 0 && marking[place] < net.most[place] && found.len() < most {
                marking[place] += 1;
                spare -= 1;
                found.push((marking.clone(), spare));
            }
        }
    }
    found.into_iter().map(|(marking, _)| marking).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::check_run;
    use crate::formats::spec;
    use crate::monitor::Unwatched;

    /// Two threads do where five were started.
    #[test]
    fn a_run_loses_tokens_that_it_does_not_need() {
        let net = spec::parse(
            "vars go out inside rules go >= 1 -> out' = out + 1; \
             out >= 1 -> out' = out - 1, inside' = inside + 1; \
             init go = 1, out = 0, inside = 0 target inside >= 2",
        );
        let net = net.expect("it is well-formed").net;
        let fire = |transition| Firing {
            transition,
            wake: None,
        };
        let firings = [0, 0, 0, 0, 0, 1, 1].map(fire).to_vec();
        let initial = net.least.clone();
        let run = fewest(&net, &Run { initial, firings }, &Unwatched).expect("it has fewer");
        assert_eq!(check_run(&net, &run), Ok(vec![1, 0, 2]));
        assert_eq!(run.firings.len(), 4);
        assert_eq!(fewest(&net, &run, &Unwatched), None);
    }

    #[test]
    fn initial_markings_are_counted() {
        let net = spec::parse("vars a b c init a >= 1, b in [0, 2], c = 1 target a >= 1");
        let net = net.expect("it is well-formed").net;
        assert_eq!(initial_markings(&net, 1, 100), Vec::<Marking>::new());
        assert_eq!(initial_markings(&net, 2, 100), [[1, 0, 1]]);
        let mut found = initial_markings(&net, 4, 100);
        found.sort();
        let expected = [
            [1, 0, 1],
            [1, 1, 1],
            [1, 2, 1],
            [2, 0, 1],
            [2, 1, 1],
            [3, 0, 1],
        ];
        assert_eq!(found, expected);
    }
}
