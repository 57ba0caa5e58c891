//! A smaller net that stands for the whole one in a certificate, made again by who checks it.
//!
//! *Claim.* Let a set of places hold at most one token together initially, let no transition make
//! that more, and let every transition need a token of the set. Let a place of the set be empty
//! initially, and let each target ask for a token of another place of the set. If those who bring
//! the token to that place and those who take it away are replaced by all pairs of one and the
//! other, the same targets are covered.
//!
//! *Proof.* There is at most one token in the set at any time. While it is in that place only those
//! can happen that need it there, and those are the ones that take it away. So in a run each who
//! brings it is followed at once by one who takes it away, or is the last. The last it is not if the
//! run ends above a target: then the token is elsewhere. So the run is made of pairs and others.
//! Each pair is a step of the smaller net from and to the same markings, and the other way
//! round. ∎
//!
//! A pair needs what the first needs in order to get there and everything else, so it needs a token
//! of the set as well, and makes it no more: the claim holds for the next place again.

use super::Refusal;
use crate::net::{Demand, MOST_TOKENS, Net, Place, Transition, Update};
use std::collections::BTreeMap;

/// The most places that all pairs together may touch.
const MOST_TOUCHED: usize = 1 << 24;

/// The net without passing places, if the conditions of the claim hold for each of them, one after
/// the other.
pub(super) fn joined(net: &Net, exclusive: &[Place], passing: &[Place]) -> Result<Net, Refusal> {
    let members = check_exclusive(net, exclusive)?;
    let mut is_passing = vec![false; net.places.len()];
    for place in passing.iter().map(|place| place.index()) {
        let is_member = members.get(place).copied().unwrap_or(false);
        if !is_member || net.most[place] > 0 || std::mem::replace(&mut is_passing[place], true) {
            return Err("a place that is claimed to be passing is not"
                .to_owned()
                .into());
        }
    }
    for target in &net.targets {
        let mut demanded = target.iter().map(|(place, _)| place.index());
        if !demanded.any(|place| members[place] && !is_passing[place]) {
            return Err("a target can be covered in passing".to_owned().into());
        }
    }
    let mut steps = Steps {
        entering: vec![Vec::new(); net.places.len()],
        leaving: vec![Vec::new(); net.places.len()],
        ..Steps::default()
    };
    for transition in &net.transitions {
        steps.push(transition.clone(), &is_passing);
    }
    for &place in passing {
        steps.pass(place, &is_passing)?;
    }
    Ok(Net {
        transitions: steps.transitions.into_iter().flatten().collect(),
        ..net.clone()
    })
}

/// At most one token is in the set initially, every transition needs one of it, and none makes it
/// more. For each place, whether it is in the set.
fn check_exclusive(net: &Net, set: &[Place]) -> Result<Vec<bool>, String> {
    let mut members = vec![false; net.places.len()];
    for place in set {
        let member = members.get_mut(place.index());
        *member.ok_or("an exclusive place does not exist")? = true;
    }
    let is_member = |place: Place| members[place.index()];
    let initially = net.most.iter().zip(&members);
    let initially = initially.filter(|&(_, &is_member)| is_member);
    if initially.map(|(&most, _)| u64::from(most)).sum::<u64>() > 1 {
        return Err("exclusive places have more than one token initially".to_owned());
    }
    for transition in &net.transitions {
        let updates = &transition.updates;
        let is_number = |update: &Update| update.sources == [update.place];
        let moves = updates.iter().filter(|update| !is_number(update));
        let mut moved = moves.flat_map(|update| update.sources.iter().chain([&update.place]));
        let mut woken = transition.wakes.iter().flat_map(|&(from, to)| [from, to]);
        if moved.any(|&place| is_member(place)) || woken.any(is_member) {
            return Err(format!("{} moves exclusive tokens", transition.name));
        }
        let changes = updates.iter().filter(|update| is_member(update.place));
        if changes.clone().map(|update| update.delta).sum::<i64>() > 0 {
            return Err(format!("{} brings an exclusive token", transition.name));
        }
        let mut guard = transition.guard.iter();
        let mut changes = changes;
        let needs = guard.any(|&(place, least)| is_member(place) && least > 0)
            || changes.any(|update| update.delta < 0);
        if !needs {
            return Err(format!("{} needs no exclusive token", transition.name));
        }
    }
    Ok(members)
}

/// The transitions while places are passed, one after the other.
#[derive(Default)]
struct Steps {
    transitions: Vec<Option<Transition>>,
    /// For each passing place who brings the token there, and who needs it there. Some of them may
    /// be replaced by now.
    entering: Vec<Vec<usize>>,
    leaving: Vec<Vec<usize>>,
    touched: usize,
}

impl Steps {
    fn push(&mut self, transition: Transition, is_passing: &[bool]) {
        let index = self.transitions.len();
        for (place, (needed, change)) in effects(&transition) {
            if is_passing[place.index()] && change > 0 {
                self.entering[place.index()].push(index);
            }
            if is_passing[place.index()] && needed > 0 {
                self.leaving[place.index()].push(index);
            }
        }
        self.transitions.push(Some(transition));
    }

    /// Replaces who enters and who leaves a place by pairs of them.
    fn pass(&mut self, place: Place, is_passing: &[bool]) -> Result<(), Refusal> {
        let mut take = |steps: Vec<usize>| -> Vec<Transition> {
            let taken = steps.into_iter();
            taken
                .filter_map(|index| self.transitions[index].take())
                .collect()
        };
        // Who enters and leaves at once is taken by the first and missed by the second: it is
        // found not to have brought exactly the one token.
        let entering = take(std::mem::take(&mut self.entering[place.index()]));
        let leaving = take(std::mem::take(&mut self.leaving[place.index()]));
        let does = |transition: &Transition, least: std::ops::RangeInclusive<i64>, delta: i64| {
            let effect = effects(transition).get(&place).copied();
            effect.is_some_and(|(needed, change)| least.contains(&needed) && change == delta)
        };
        let brings = entering.iter().all(|step| does(step, 0..=0, 1));
        let takes = leaving.iter().all(|step| does(step, 1..=1, -1));
        if !brings || !takes {
            let why = "a place that is claimed to be passing keeps its token";
            return Err(why.to_owned().into());
        }
        for first in &entering {
            for second in &leaving {
                let both = pair(first, second)?;
                self.touched += both.guard.len() + both.updates.len() + 1;
                if self.touched > MOST_TOUCHED {
                    let why = "there are too many pairs of transitions to be checked";
                    return Err(Refusal::TooLarge(why.to_owned()));
                }
                self.push(both, is_passing);
            }
        }
        Ok(())
    }
}

/// What a transition that changes places by numbers needs of each place, and how it changes it.
fn effects(transition: &Transition) -> BTreeMap<Place, (i64, i64)> {
    let mut effects: BTreeMap<Place, (i64, i64)> = BTreeMap::new();
    for update in &transition.updates {
        effects.insert(update.place, ((-update.delta).max(0), update.delta));
    }
    for &(place, least) in &transition.guard {
        let (needed, _) = effects.entry(place).or_default();
        *needed = (*needed).max(i64::from(least));
    }
    effects
}

/// One transition after the other, as one.
fn pair(first: &Transition, second: &Transition) -> Result<Transition, Refusal> {
    for transition in [first, second] {
        let is_number = |update: &Update| update.sources == [update.place];
        if !transition.wakes.is_empty() || !transition.updates.iter().all(is_number) {
            return Err(format!("{} does not only change numbers", transition.name).into());
        }
    }
    let mut both = effects(first);
    for (place, (needed, change)) in effects(second) {
        let (before, changed) = both.entry(place).or_default();
        *before = (*before).max(needed - *changed);
        *changed += change;
    }
    let mut guard = Demand::new();
    let mut updates = Vec::new();
    for (place, (needed, delta)) in both {
        if needed.max(delta.abs()) > i64::from(MOST_TOKENS) {
            let why = "a pair of transitions moves too many tokens".to_owned();
            return Err(Refusal::TooLarge(why));
        }
        if needed > 0 {
            guard.push((place, needed as u32));
        }
        if delta != 0 {
            updates.push(Update {
                place,
                sources: vec![place],
                delta,
            });
        }
    }
    Ok(Transition {
        name: format!("{}, {}", first.name, second.name),
        guard,
        updates,
        wakes: Vec::new(),
    })
}
