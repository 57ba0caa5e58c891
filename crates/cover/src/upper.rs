//! Bounds from above, which nets do not have: rules that ask for few tokens, and targets that do.
//!
//! With them a file is not monotone, and nothing is decided for any number of tokens. The net
//! without them can do all that the file can, and more; so a safe net is a safe file. If the
//! net is not safe, a search among few tokens may still find a run that keeps to the bounds;
//! if it finds none, nothing is known.

use crate::certificate::{Run, check_run};
use crate::fewest::{initial_markings, target_tokens};
use crate::forward::{Scope, SearchEnd, search};
use crate::monitor::Monitor;
use crate::net::{Net, OMEGA, Place, covers};

/// At most so many tokens in these places.
pub type Ceiling = Vec<(Place, u32)>;

/// The bounds from above of a file, beside its net.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UpperBounds {
    /// For each transition what must hold before it.
    pub guards: Vec<Ceiling>,
    /// For each target what must hold there.
    pub targets: Vec<Ceiling>,
}

impl UpperBounds {
    /// Whether a transition is possible in a marking, as far as these bounds tell.
    pub fn allow(&self, transition: usize, marking: &[u32]) -> bool {
        let bounds = self.guards.get(transition);
        bounds.is_some_and(|bounds| keeps(marking, bounds))
    }

    /// Whether a marking is below the bounds of a target.
    pub fn keeps_target(&self, target: usize, marking: &[u32]) -> bool {
        let bounds = self.targets.get(target);
        bounds.is_some_and(|bounds| keeps(marking, bounds))
    }

    /// Whether a marking is above a target and below its bounds.
    pub fn is_unsafe(&self, net: &Net, marking: &[u32]) -> bool {
        let mut targets = net.targets.iter().zip(&self.targets);
        targets.any(|(target, bounds)| covers(marking, target) && keeps(marking, bounds))
    }
}

fn keeps(marking: &[u32], bounds: &Ceiling) -> bool {
    bounds
        .iter()
        .all(|&(place, most)| marking[place.index()] <= most)
}

/// Whether a run is one of the net, keeps to the bounds, and ends in a target with its bounds;
/// if not, what is wrong with it.
pub fn check_bounded_run(net: &Net, upper: &UpperBounds, run: &Run) -> Result<(), String> {
    check_run(net, run)?;
    let mut marking = run.initial.clone();
    for (index, &firing) in run.firings.iter().enumerate() {
        if !upper.allow(firing.transition, &marking) {
            return Err(format!("step {} breaks a bound from above", index + 1));
        }
        if !net.fire_in(&mut marking, firing) {
            return Err(format!("step {} is not possible", index + 1));
        }
    }
    match upper.is_unsafe(net, &marking) {
        true => Ok(()),
        false => Err("the run does not end in a target with its bounds".to_owned()),
    }
}

/// How many markings are looked at where a run should be easy to find.
pub const EASY: usize = 200_000;

/// A run to a target that keeps to the bounds, if one is found among few tokens and so many
/// markings.
pub fn seek(net: &Net, upper: &UpperBounds, markings: usize, monitor: &dyn Monitor) -> Option<Run> {
    if net.defect().is_some() || upper.guards.len() != net.transitions.len() {
        return None;
    }
    if upper.targets.len() != net.targets.len() {
        return None;
    }
    let least: u64 = net.least.iter().map(|&tokens| u64::from(tokens)).sum();
    let mut tokens = least.max(target_tokens(net)?);
    let mut left = markings;
    let most = net.most.iter().map(|&tokens| match tokens {
        OMEGA => u64::from(OMEGA),
        tokens => u64::from(tokens),
    });
    let most: u64 = most.sum();
    for more in 0.. {
        let scope = Scope {
            roots: initial_markings(net, tokens, left),
            tokens,
            markings: left,
            upper: Some(upper),
        };
        match search(net, &scope, monitor) {
            SearchEnd::Covered(run) => {
                return check_bounded_run(net, upper, &run).ok().map(|()| run);
            }
            SearchEnd::Closed(markings) => left = left.saturating_sub(markings.len() + 1),
            SearchEnd::GaveUp(_) => return None,
        }
        // Once every initial marking is among them, more tokens come from firings alone.
        if left == 0 || more > 64 {
            return None;
        }
        tokens += match tokens < most {
            true => 1,
            false => 1 << more.min(20),
        };
    }
    None
}
