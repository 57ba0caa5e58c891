//! A tree of bounds, grown from the initial one by firing, pumping and widening.
//!
//! *Pumping*: if a loop leads from a bound to a larger one, and what grows in one round grows
//! in the next as well, then it grows in every round, and there is no bound after many. This
//! is Karp and Miller's acceleration, with a condition that makes it exact for transfers and
//! copies too: a round is a linear map, plus a constant, and so the growth of a round is a
//! linear image of the growth of the round before; where tokens grow depends on where they
//! grew before, and on nothing else. A loop in which nobody is woken stays possible in all
//! rounds for the same reason. (In nets with transfers not every loop is caught, and the
//! tree may be infinite.)
//!
//! *Widening*: a number of tokens above the precision of its place counts as no bound. That
//! is not exact. It makes the tree finite, and a tree that covers no target is a proof.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::actions::{Actions, Desk};
use super::bounds::Bounds;
use super::relaxation::{Outlook, Relaxation};
use super::sparse::{Signature, Sparse, as_bounds, grown, is_below};
use crate::net::{Demand, Firing, MOST_TOKENS, Net, OMEGA, Place};

pub(super) struct Search<'a> {
    pub(super) actions: &'a Actions,
    targets: &'a [Demand],
    /// The bound of the initial markings.
    pub(super) initial: Sparse,
    /// The largest number that a place can hold in a bound; the exact search has no such.
    precision: Option<Vec<u32>>,
    /// The first node that covers a target, and which.
    covered: Option<(u32, usize)>,
    pub(super) bounds: Bounds,
    nodes: Vec<Node>,
    /// The ancestors from which a loop leads to a node, for all nodes together.
    pumps: Vec<u32>,
    /// Who is to be expanded: nearest to a target first, and first come first.
    nearest: BinaryHeap<Reverse<(u32, Reverse<u32>)>>,
    oldest: VecDeque<u32>,
    /// Before all these, the node that took the place of its own parent.
    grown: Option<u32>,
    is_expanded: Vec<bool>,
    /// The node that is being expanded, and those of its successors that are still to be looked
    /// at, the next one last.
    expanded: u32,
    pending: Vec<(Firing, Sparse)>,
    turn: u32,
    /// How many firings the last thing took that was done.
    effort: usize,
    relaxation: Relaxation,
    desk: Desk,
}

/// How a bound came about: fired from its parent, then pumped, then widened.
pub(super) struct Node {
    pub(super) parent: u32,
    pub(super) firing: Firing,
    pumps: (u32, u32),
}

/// How far a search got.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// There is more to do.
    Open,
    /// No firing leads above the bounds, and none of them covers a target.
    Closed,
    /// This node covers this target.
    Covered(u32, usize),
}

/// So many rules are looked at in the time of one firing.
const OUTLOOK: usize = 256;

/// So many ancestors are looked at in the time of one firing.
const ANCESTORS: usize = 64;

/// How often a loop is tried before it counts as not pumping.
const ROUNDS: usize = 4;

impl<'a> Search<'a> {
    /// A search that begins with the initial bound of a net. Without a precision it is exact.
    pub(super) fn new(
        actions: &'a Actions,
        net: &'a Net,
        precision: Option<Vec<u32>>,
    ) -> Search<'a> {
        let mut search = Search {
            actions,
            targets: &net.targets,
            initial: as_bounds(&net.most),
            precision,
            covered: None,
            bounds: Bounds::new(actions.places()),
            nodes: Vec::new(),
            pumps: Vec::new(),
            nearest: BinaryHeap::new(),
            oldest: VecDeque::new(),
            grown: None,
            is_expanded: Vec::new(),
            pending: Vec::new(),
            expanded: 0,
            turn: 0,
            effort: 0,
            relaxation: Relaxation::new(actions, &net.targets),
            desk: Desk::new(actions.places()),
        };
        let nobody = Firing {
            transition: usize::MAX,
            wake: None,
        };
        let widened = search.widen(search.initial.clone());
        search.settle(0, nobody, widened, &[]);
        search
    }

    /// Goes on until so many firings were made, or a few more.
    pub(super) fn advance(&mut self, firings: &mut usize) -> Stage {
        while *firings > 0 {
            if let Some((node, target)) = self.covered {
                return Stage::Covered(node, target);
            }
            // One after the other: a node may have thousands of successors.
            if let Some((firing, after)) = self.pending.pop() {
                self.effort = 1;
                self.consider(self.expanded, firing, after);
                *firings = firings.saturating_sub(self.effort);
                continue;
            }
            let Some(id) = self.next() else {
                return Stage::Closed;
            };
            let mut found = Vec::new();
            self.actions
                .successors(&mut self.desk, self.bounds.marking(id), |firing, after| {
                    found.push((firing, after));
                });
            self.effort = 1;
            if self.precision.is_none() || !self.grow(id, &found) {
                found.reverse();
                self.pending = found;
                self.expanded = id;
            }
            *firings = firings.saturating_sub(self.effort);
        }
        Stage::Open
    }

    /// How many bounds the search has that are below no other.
    pub(super) fn elements(&self) -> u64 {
        self.bounds.largest() as u64
    }

    /// About how much memory it takes.
    pub(super) fn bytes(&self) -> u64 {
        let node = std::mem::size_of::<Node>() + 16;
        (self.bounds.bytes() + self.nodes.len() * node) as u64
    }

    /// The precision after a wrong alarm; the exact search has none.
    pub(super) fn refined(&self, places: &[(Place, u32)]) -> Option<Vec<u32>> {
        let mut precision = self.precision.clone()?;
        for &(place, least) in places {
            let known = &mut precision[place.index()];
            // Who asks for a bit more again and again gets twice as much.
            *known = least.max(known.saturating_mul(2)).min(MOST_TOKENS);
        }
        Some(precision)
    }

    pub(super) fn node(&self, id: u32) -> &Node {
        &self.nodes[id as usize]
    }

    /// The loops that were pumped at a node after its firing.
    pub(super) fn loops(&self, id: u32) -> Vec<Vec<Firing>> {
        let node = self.node(id);
        let from = self.pumps[node.pumps.0 as usize..node.pumps.1 as usize].iter();
        from.map(|&ancestor| self.loop_from(ancestor, node.parent, node.firing))
            .collect()
    }

    /// Which node to expand next. Every fourth is the oldest, lest something be forgotten.
    fn next(&mut self) -> Option<u32> {
        loop {
            self.turn += 1;
            let grown = self.grown.take();
            let next = grown.or_else(|| match self.turn % 4 {
                0 => self.oldest.pop_front(),
                _ => None,
            });
            let nearest = || self.nearest.pop().map(|Reverse((_, Reverse(id)))| id);
            let id = next.or_else(nearest)?;
            if self.bounds.is_largest(id)
                && !std::mem::replace(&mut self.is_expanded[id as usize], true)
            {
                return Some(id);
            }
        }
    }

    /// Makes all firings that only add tokens, one after the other, and goes on from there:
    /// what else is possible is possible there too. Whether there are any.
    fn grow(&mut self, id: u32, found: &[(Firing, Sparse)]) -> bool {
        let mut top = id;
        for (firing, after) in found {
            if !is_below(self.bounds.marking(id), after) {
                continue;
            }
            let after = self
                .actions
                .fire(&mut self.desk, self.bounds.marking(top), *firing);
            let Some(after) = after else { continue };
            self.consider(top, *firing, after);
            if !self.bounds.is_largest(top) {
                top = self.bounds.len() as u32 - 1;
            }
        }
        self.grown = Some(top);
        top != id
    }

    /// Looks at a successor of a node.
    fn consider(&mut self, parent: u32, firing: Firing, after: Sparse) {
        if self.bounds.has_above(&after) {
            return;
        }
        let (pumped, pumps) = self.pump(parent, firing, after);
        let has_pumped = !pumps.is_empty();
        let widened = self.widen(pumped);
        if (has_pumped || self.precision.is_some()) && self.bounds.has_above(&widened) {
            return;
        }
        self.settle(parent, firing, widened, &pumps);
    }

    /// Adds a bound that is below no other.
    fn settle(&mut self, parent: u32, firing: Firing, bound: Sparse, pumps: &[u32]) {
        let first = self.pumps.len() as u32;
        self.pumps.extend_from_slice(pumps);
        self.nodes.push(Node {
            parent,
            firing,
            pumps: (first, self.pumps.len() as u32),
        });
        let before = self.relaxation.work;
        let outlook = self
            .relaxation
            .outlook(&mut self.desk, &bound, self.targets);
        // In large nets an outlook takes as long as many firings.
        self.effort += (self.relaxation.work - before) / OUTLOOK;
        match outlook {
            Outlook::DeadEnd(bound) => {
                self.bounds.add(&bound);
                self.is_expanded.push(true);
            }
            Outlook::Distance(distance) => {
                let id = self.bounds.add(&bound);
                self.is_expanded.push(false);
                self.nearest.push(Reverse((distance, Reverse(id))));
                self.oldest.push_back(id);
                let mut targets = self.targets.iter();
                let covered = targets.position(|target| is_below(target, &bound));
                if let (None, Some(target)) = (self.covered, covered) {
                    self.covered = Some((id, target));
                }
            }
        }
    }

    /// Takes away the bounds that a loop from an ancestor pumps; the ancestors whose loops do.
    fn pump(&mut self, parent: u32, firing: Firing, after: Sparse) -> (Sparse, Vec<u32>) {
        let mut bound = after;
        let mut signature = Signature::of(&bound);
        let mut pumps = Vec::new();
        let mut ancestor = parent;
        let mut distance = 0;
        loop {
            distance += 1;
            if self.bounds.signature(ancestor).may_be_below(signature)
                && is_below(self.bounds.marking(ancestor), &bound)
                && has_room(self.bounds.marking(ancestor), &bound)
            {
                let steps = self.loop_from(ancestor, parent, firing);
                self.effort += steps.len();
                if let Some(pumped) = limit(self.actions, &mut self.desk, &bound, &steps) {
                    bound = pumped;
                    signature = Signature::of(&bound);
                    pumps.push(ancestor);
                }
            }
            if ancestor == 0 {
                self.effort += distance / ANCESTORS;
                return (bound, pumps);
            }
            ancestor = self.node(ancestor).parent;
        }
    }

    /// The firings from an ancestor to a node, of which parent and firing are known.
    fn loop_from(&self, ancestor: u32, parent: u32, firing: Firing) -> Vec<Firing> {
        let mut steps = vec![firing];
        let mut id = parent;
        while id != ancestor {
            steps.push(self.node(id).firing);
            id = self.node(id).parent;
        }
        steps.reverse();
        steps
    }

    fn widen(&self, mut bound: Sparse) -> Sparse {
        if let Some(precision) = &self.precision {
            for (place, tokens) in &mut bound {
                if *tokens > precision[place.index()] {
                    *tokens = OMEGA;
                }
            }
        }
        bound
    }
}

/// Whether a bound that is above another has more in a place where there is still a bound.
fn has_room(before: &[(Place, u32)], after: &[(Place, u32)]) -> bool {
    let bounded = after.iter().filter(|&&(_, tokens)| tokens != OMEGA);
    let mut rest = before.iter();
    bounded.into_iter().any(|&(place, tokens)| {
        let same = rest.find(|&&(other, _)| other >= place);
        !same.is_some_and(|&(other, less)| other == place && less == tokens)
    })
}

/// The least bound of what many rounds of a loop lead to, if a loop pumps.
pub(super) fn limit(
    actions: &Actions,
    desk: &mut Desk,
    bound: &[(Place, u32)],
    steps: &[Firing],
) -> Option<Sparse> {
    let mut bound = bound.to_vec();
    let mut growth: Vec<Place> = Vec::new();
    for _ in 0..ROUNDS {
        let mut after = bound.clone();
        for &firing in steps {
            after = actions.fire(desk, &after, firing)?;
        }
        if !is_below(&bound, &after) {
            return None;
        }
        let grows = grown(&bound, &after);
        if grows.is_empty() {
            return None;
        }
        if grows == growth {
            for (place, tokens) in &mut after {
                if grows.binary_search(place).is_ok() {
                    *tokens = OMEGA;
                }
            }
            return Some(after);
        }
        growth = grows;
        bound = after;
    }
    None
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::formats::spec;

    /// What many rounds lead to, if a round makes the first rule so many times.
    fn pumped(rules: &str, times: usize) -> Option<Vec<u32>> {
        let text = format!("vars a b c rules {rules}; init a = 1, b = 0, c = 0 target c >= 9");
        let net = spec::parse(&text).unwrap().net;
        let actions = Actions::new(&net);
        let first = Firing {
            transition: 0,
            wake: None,
        };
        let bound = as_bounds(&net.most);
        let steps = vec![first; times];
        let limit = limit(&actions, &mut Desk::new(3), &bound, &steps)?;
        let mut marking = vec![0; 3];
        for (place, tokens) in limit {
            marking[place.index()] = tokens;
        }
        Some(marking)
    }

    #[test]
    fn what_grows_in_every_round_is_pumped() {
        let more = "a >= 1 -> b' = b + 1";
        assert_eq!(pumped(more, 1), Some(vec![1, OMEGA, 0]));
        let less = "a >= 1 -> b' = b + 1, a' = a - 1";
        assert_eq!(pumped(less, 1), None);
    }

    #[test]
    fn what_grows_once_is_not_pumped() {
        assert_eq!(pumped("a >= 1 -> b' = a", 1), None);
        // The copy lags one round behind what is copied.
        let lagging = "a >= 1 -> b' = a, c' = b";
        assert_eq!(pumped(lagging, 1), None);
    }

    #[test]
    fn what_grows_later_is_pumped_with_what_it_grows_from() {
        let feeding = "a >= 1 -> b' = b + 1, c' = c + b";
        assert_eq!(pumped(feeding, 1), Some(vec![1, OMEGA, OMEGA]));
        // Once only, at first: afterwards nothing changes but the last place.
        let beside = "a >= 1 -> b' = a, c' = c + 1";
        assert_eq!(pumped(beside, 1), Some(vec![1, 1, OMEGA]));
    }

    #[test]
    fn places_that_take_turns_are_pumped_by_two_rounds() {
        let turns = "a >= 1 -> b' = c, c' = b + 1";
        assert_eq!(pumped(turns, 1), None);
        assert_eq!(pumped(turns, 2), Some(vec![1, OMEGA, OMEGA]));
    }

    #[test]
    fn nobody_is_woken_in_any_round() {
        let nobody = "a >= 1 -> c' = c + 1, wake b -> a";
        assert_eq!(pumped(nobody, 1), Some(vec![1, 0, OMEGA]));
        let somebody = "a >= 1 -> c' = c + 1, b' = b + 1, wake b -> a";
        assert_eq!(pumped(somebody, 1), None);
    }
}
