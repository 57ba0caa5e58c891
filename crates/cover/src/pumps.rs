//! Places that can be given any number of tokens before anything else happens.
//!
//! A transition that is possible initially, and that takes tokens away only from places with
//! any number of them, can be fired as often as one likes: whatever it brings, there may be
//! any number of it too. So the initial markings can be widened without changing what can be
//! covered. Certificates for more initial markings are certificates for fewer; a run from a
//! widened marking is preceded by the firings that produce it.

use crate::net::{Firing, MOST_TOKENS, Marking, Net, OMEGA, Place, Transition, covers};
use crate::predecessors::{at, is_change};
use std::collections::VecDeque;

/// How the initial markings of a net can be widened.
pub(crate) struct Pumps {
    /// The most tokens initially, widened.
    pub(crate) most: Marking,
    pumps: Vec<Pump>,
}

/// A transition that can be fired any number of times.
struct Pump {
    transition: usize,
    /// The places that it gives any number of tokens, which they did not have before.
    brought: Vec<Place>,
}

/// The longest run that is made up of pumps.
const MOST_FIRINGS: u64 = 1 << 22;

impl Pumps {
    pub(crate) fn of(net: &Net, fires: &[bool]) -> Pumps {
        let mut found = Pumps {
            most: net.most.clone(),
            pumps: Vec::new(),
        };
        let numbered = net.transitions.iter().enumerate();
        let plain: Vec<(usize, &Transition)> = numbered
            .filter(|&(index, transition)| {
                fires[index]
                    && transition.wakes.is_empty()
                    && transition.updates.iter().all(is_change)
            })
            .collect();
        // Who was no pump may be one when a place that it takes from, or asks for, has become full.
        let mut touching: Vec<Vec<usize>> = vec![Vec::new(); net.places.len()];
        for (number, (_, transition)) in plain.iter().enumerate() {
            let guard = transition.guard.iter().map(|&(place, _)| place);
            let taken = transition.updates.iter().filter(|update| update.delta < 0);
            for place in guard.chain(taken.map(|update| update.place)) {
                touching[place.index()].push(number);
            }
        }
        let mut waiting: VecDeque<usize> = match net.most.contains(&OMEGA) {
            true => (0..plain.len()).collect(),
            false => VecDeque::new(),
        };
        while let Some(number) = waiting.pop_front() {
            let (index, transition) = plain[number];
            let brought = found.widen(index, transition);
            let woken = brought.iter().flat_map(|place| &touching[place.index()]);
            waiting.extend(woken);
        }
        found
    }

    /// Widens the initial markings by a transition, if it is a pump that brings anything new; the
    /// places that it gives any number of tokens.
    fn widen(&mut self, index: usize, transition: &Transition) -> Vec<Place> {
        let is_plenty = |place: Place| self.most[place.index()] == OMEGA;
        let is_possible = covers(&self.most, &transition.guard);
        let costs = transition
            .updates
            .iter()
            .any(|update| update.delta < 0 && !is_plenty(update.place));
        let brings = transition
            .updates
            .iter()
            .filter(|update| update.delta > 0 && !is_plenty(update.place));
        let brought: Vec<Place> = brings.map(|update| update.place).collect();
        if !is_possible || costs || brought.is_empty() {
            return Vec::new();
        }
        for place in &brought {
            self.most[place.index()] = OMEGA;
        }
        self.pumps.push(Pump {
            transition: index,
            brought: brought.clone(),
        });
        brought
    }

    /// What has to be there initially, and to be fired, so that at least these tokens are
    /// there; `None` if that is too much.
    pub(crate) fn prepare(&self, net: &Net, needed: &[u32]) -> Option<(Marking, Vec<Firing>)> {
        let mut needed: Vec<u64> = needed.iter().map(|&tokens| u64::from(tokens)).collect();
        let mut blocks: Vec<(usize, u64)> = Vec::new();
        let mut length = 0;
        for pump in self.pumps.iter().rev() {
            let transition = &net.transitions[pump.transition];
            let brought = transition
                .updates
                .iter()
                .filter(|update| pump.brought.contains(&update.place));
            // What is there already counts, unless there is not enough of it.
            let missing = brought.clone().map(|update| {
                let place = update.place.index();
                let tokens = needed[place];
                let is_there = tokens <= u64::from(net.most[place]);
                if is_there {
                    0
                } else {
                    tokens.div_ceil(update.delta.unsigned_abs())
                }
            });
            let times = missing.max().unwrap_or(0);
            if times == 0 {
                continue;
            }
            for update in brought {
                let place = update.place.index();
                needed[place] = needed[place].saturating_sub(times * update.delta.unsigned_abs());
            }
            for update in transition.updates.iter().filter(|update| update.delta < 0) {
                let taken = update.delta.unsigned_abs();
                let tokens = &mut needed[update.place.index()];
                // The guard has to hold at the last time too.
                let guarded = u64::from(at(&transition.guard, update.place));
                *tokens = guarded.saturating_sub(taken).max(*tokens);
                *tokens += times.checked_mul(taken)?;
            }
            for &(place, least) in &transition.guard {
                let tokens = &mut needed[place.index()];
                *tokens = u64::from(least).max(*tokens);
            }
            length += times;
            let mut taken = transition.updates.iter().map(|update| update.place);
            let is_too_much = |place: Place| needed[place.index()] > u64::from(MOST_TOKENS);
            if length > MOST_FIRINGS || taken.any(is_too_much) {
                return None;
            }
            blocks.push((pump.transition, times));
        }
        let initial = needed
            .iter()
            .zip(&net.least)
            .map(|(&needed, &least)| (needed as u32).max(least));
        let firings = blocks.into_iter().rev().flat_map(|(transition, times)| {
            let firing = Firing {
                transition,
                wake: None,
            };
            std::iter::repeat_n(firing, times as usize)
        });
        Some((initial.collect(), firings.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{PLACES, net, plain};
    use proptest::prelude::*;

    proptest! {
        /// Whatever is in a widened marking can be brought there.
        #[test]
        fn pumps_bring_what_they_promise(
            net in net(proptest::collection::vec(plain(), 1..4)),
            wanted in proptest::collection::vec(0u32..9, PLACES as usize),
        ) {
            let pumps = Pumps::of(&net, &vec![true; net.transitions.len()]);
            let needed: Vec<u32> = wanted.iter().zip(&pumps.most).map(|(&wanted, &most)| wanted.min(most)).collect();
            let (initial, firings) = pumps.prepare(&net, &needed).expect("numbers are small");
            let is_initial = initial.iter().zip(&net.most).all(|(tokens, most)| tokens <= most);
            prop_assert!(is_initial, "{:?}", initial);
            let fire = |marking: Marking, firing: &Firing| net.fire(&marking, *firing);
            let last = firings.iter().try_fold(initial, fire).expect("all firings are possible");
            let is_enough = last.iter().zip(&needed).all(|(tokens, needed)| tokens >= needed);
            prop_assert!(is_enough, "{:?} after {:?}", last, firings);
        }
    }
}
