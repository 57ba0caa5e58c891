//! From a node of the tree to a run of the net.
//!
//! Backwards from the target: what is needed before each firing, so that afterwards there is
//! what is needed there. A pumped loop is repeated as often as that takes. If at some point
//! more is needed than there was before a number was widened, the tree was too coarse.

use super::actions::Desk;
use super::search::{Search, limit};
use super::sparse::{Sparse, is_below, tokens_in};
use crate::certificate::Run;
use crate::net::{Firing, MOST_TOKENS, Marking, Net, Place};
use crate::replay::follow;

/// Why there is no run to a node.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoRun {
    /// Because these places were widened, which needed at least that precision.
    Coarse(Vec<(Place, u32)>),
    /// Because the numbers or the run get too large.
    Large,
}

/// The longest run, in numbers of tokens that it takes to write down its markings.
const LONGEST: usize = 1 << 24;

/// A run of the net that leads above a target, which the bound of a node covers. It is still
/// to be checked.
pub(super) fn run_to(
    net: &Net,
    search: &Search<'_>,
    node: u32,
    target: &[(Place, u32)],
) -> Result<Run, NoRun> {
    let actions = search.actions;
    let mut walk = Walk {
        search,
        desk: Desk::new(actions.places()),
        most: LONGEST / actions.places().max(1),
        demand: target.to_vec(),
        firings: Vec::new(),
    };
    let mut id = node;
    while id != 0 {
        walk.back(id)?;
        id = search.node(id).parent;
    }
    walk.ask(&search.initial)?;
    let mut marking: Marking = net.least.clone();
    for &(place, least) in &walk.demand {
        marking[place.index()] = marking[place.index()].max(least);
    }
    walk.firings.reverse();
    Ok(follow(net, marking, walk.firings))
}

/// The way back from a target.
struct Walk<'a> {
    search: &'a Search<'a>,
    desk: Desk,
    /// How many firings a run can have.
    most: usize,
    /// What is needed where the walk is.
    demand: Sparse,
    /// What happens from there on, last first.
    firings: Vec<Firing>,
}

impl Walk<'_> {
    /// From a node to its parent.
    fn back(&mut self, id: u32) -> Result<(), NoRun> {
        let node = self.search.node(id);
        let actions = self.search.actions;
        let parent = self.search.bounds.marking(node.parent);
        let fired = actions.fire(&mut self.desk, parent, node.firing);
        let mut bounds = vec![fired.ok_or(NoRun::Large)?];
        let loops = self.search.loops(id);
        for steps in &loops {
            let bound = &bounds[bounds.len() - 1];
            let pumped = limit(actions, &mut self.desk, bound, steps);
            bounds.push(pumped.ok_or(NoRun::Large)?);
        }
        self.ask(&bounds[loops.len()])?;
        for (steps, bound) in loops.iter().zip(&bounds).rev() {
            self.unroll(bound, steps)?;
        }
        self.step(parent, node.firing)
    }

    /// Back over as many rounds of a loop as it takes to have what is needed.
    fn unroll(&mut self, bound: &Sparse, steps: &[Firing]) -> Result<(), NoRun> {
        let mut bounds = vec![bound.clone()];
        while !is_below(&self.demand, &bounds[bounds.len() - 1]) {
            for &firing in steps {
                let last = &bounds[bounds.len() - 1];
                let next = self.search.actions.fire(&mut self.desk, last, firing);
                bounds.push(next.ok_or(NoRun::Large)?);
            }
            if bounds.len() > self.most {
                return Err(NoRun::Large);
            }
        }
        let fired = steps.iter().cycle();
        let firings: Vec<Firing> = fired.take(bounds.len() - 1).copied().collect();
        let fired = bounds.iter().zip(&firings).rev();
        for (bound, &firing) in fired {
            self.step(bound, firing)?;
        }
        Ok(())
    }

    /// Back over one firing, which is left out if what is needed is there without it.
    fn step(&mut self, bound: &[(Place, u32)], firing: Firing) -> Result<(), NoRun> {
        if is_below(&self.demand, bound) {
            return Ok(());
        }
        let before = self.search.actions.before(bound, firing, &self.demand);
        self.demand = before.ok_or(NoRun::Large)?;
        self.firings.push(firing);
        match self.firings.len() <= self.most {
            true => Ok(()),
            false => Err(NoRun::Large),
        }
    }

    /// Whether what is needed is below a bound.
    fn ask(&self, bound: &[(Place, u32)]) -> Result<(), NoRun> {
        let needed = self.demand.iter();
        let coarse = needed.filter(|&&(place, least)| tokens_in(bound, place) < least);
        let coarse: Vec<_> = coarse.map(|&(place, least)| (place, least - 1)).collect();
        if coarse.is_empty() {
            Ok(())
        } else if coarse
            .iter()
            .any(|&(_, precision)| precision >= MOST_TOKENS)
        {
            Err(NoRun::Large)
        } else {
            Err(NoRun::Coarse(coarse))
        }
    }
}
