//! What a net can do, arranged for firing on sparse markings, forward and backward.

use super::sparse::{Sparse, as_bound, raise, tokens_in};
use crate::net::{Firing, MOST_TOKENS, Net, OMEGA, Place, Transition, Update};

/// The transitions of a net.
pub(super) struct Actions {
    pub(super) actions: Vec<Action>,
    /// For each place the actions that are looked at where it is marked.
    roused: Vec<Vec<usize>>,
    /// The actions that need nothing.
    free: Vec<usize>,
}

/// A transition.
pub(super) struct Action {
    /// What it needs, also in order to leave no place with less than nothing.
    pub(super) needs: Sparse,
    /// Places whose content changes by a number.
    pub(super) shifts: Vec<(Place, i64)>,
    /// Places that get another sum.
    pub(super) moves: Vec<Update>,
    pub(super) wakes: Vec<(Place, Place)>,
}

impl Actions {
    pub(super) fn new(net: &Net) -> Actions {
        let actions: Vec<Action> = net.transitions.iter().map(Action::new).collect();
        let (roused, free) = roused(&actions, net.places.len());
        Actions {
            actions,
            roused,
            free,
        }
    }

    pub(super) fn places(&self) -> usize {
        self.roused.len()
    }

    /// Calls back with each firing that is possible in a marking, and what it leads to.
    pub(super) fn successors(
        &self,
        desk: &mut Desk,
        marking: &[(Place, u32)],
        mut each: impl FnMut(Firing, Sparse),
    ) {
        desk.load(marking);
        let roused = marking
            .iter()
            .flat_map(|(place, _)| &self.roused[place.index()]);
        for &index in self.free.iter().chain(roused) {
            let action = &self.actions[index];
            if !desk.update(action) {
                continue;
            }
            let mut waits = false;
            for (pair, &(from, to)) in action.wakes.iter().enumerate() {
                if desk.after(from) == 0 {
                    continue;
                }
                waits = true;
                let firing = Firing {
                    transition: index,
                    wake: Some(pair),
                };
                each(firing, desk.result(marking, Some((from, to))));
            }
            if !waits {
                let firing = Firing {
                    transition: index,
                    wake: None,
                };
                each(firing, desk.result(marking, None));
            }
        }
        desk.unload(marking);
    }

    /// The marking after a firing, if it is possible.
    pub(super) fn fire(
        &self,
        desk: &mut Desk,
        marking: &[(Place, u32)],
        firing: Firing,
    ) -> Option<Sparse> {
        let action = &self.actions[firing.transition];
        desk.load(marking);
        let after = desk.update(action).then(|| match firing.wake {
            Some(pair) => {
                let &(from, to) = action.wakes.get(pair)?;
                (desk.after(from) > 0).then(|| desk.result(marking, Some((from, to))))
            }
            None => {
                let mut pairs = action.wakes.iter();
                let waits = pairs.any(|&(from, _)| desk.after(from) > 0);
                (!waits).then(|| desk.result(marking, None))
            }
        });
        desk.unload(marking);
        after.flatten()
    }

    /// A finite demand below `bound` from which a firing leads above `demand`, which is
    /// finite and below what the firing makes of `bound`. `None` if that needs more tokens
    /// than can be counted.
    pub(super) fn before(
        &self,
        bound: &[(Place, u32)],
        firing: Firing,
        demand: &[(Place, u32)],
    ) -> Option<Sparse> {
        let action = &self.actions[firing.transition];
        let mut demand = demand.to_vec();
        if let Some(&(from, to)) = firing.wake.and_then(|pair| action.wakes.get(pair)) {
            let woken = tokens_in(&demand, to);
            demand.retain(|&(place, _)| place != to);
            raise(&mut demand, to, woken.saturating_sub(1));
            let waiting = tokens_in(&demand, from) + 1;
            raise(&mut demand, from, waiting);
        }
        let mut before = action.needs.clone();
        for &(place, least) in &demand {
            if !action.changes(place) {
                raise(&mut before, place, least);
            }
        }
        for &(place, delta) in &action.shifts {
            let least = i64::from(tokens_in(&demand, place)) - delta;
            raise(&mut before, place, u32::try_from(least.max(0)).ok()?);
        }
        for update in &action.moves {
            let least = i64::from(tokens_in(&demand, update.place)) - update.delta;
            let held = update.sources.iter();
            let held: i64 = held.map(|&at| i64::from(tokens_in(&before, at))).sum();
            let mut missing = u32::try_from((least - held).max(0)).ok()?;
            // What is there anyway costs nothing; where there is no bound, tokens have to be
            // brought first.
            let is_unbounded = |&&at: &&Place| tokens_in(bound, at) == OMEGA;
            let bounded = update.sources.iter().filter(|at| !is_unbounded(at));
            for &at in bounded.chain(update.sources.iter().filter(is_unbounded)) {
                let held = tokens_in(&before, at);
                let taken = missing.min(tokens_in(bound, at).saturating_sub(held));
                raise(&mut before, at, held + taken);
                missing -= taken;
            }
            if missing > 0 {
                return None;
            }
        }
        let countable = before.iter().all(|&(_, least)| least <= MOST_TOKENS);
        countable.then_some(before)
    }
}

/// For each place the actions that are looked at where it is marked, each in one list; and
/// those that need nothing.
pub(super) fn roused(actions: &[Action], places: usize) -> (Vec<Vec<usize>>, Vec<usize>) {
    let mut roused = vec![Vec::new(); places];
    let mut free = Vec::new();
    let mut users = vec![0; places];
    for (place, _) in actions.iter().flat_map(|action| &action.needs) {
        users[place.index()] += 1;
    }
    for (index, action) in actions.iter().enumerate() {
        // The place that fewest others need says most about who is possible.
        let rarest = action.needs.iter().min_by_key(|need| users[need.0.index()]);
        match rarest {
            Some(&(place, _)) => roused[place.index()].push(index),
            None => free.push(index),
        }
    }
    (roused, free)
}

impl Action {
    pub(super) fn new(described: &Transition) -> Action {
        let mut action = Action {
            needs: described.guard.clone(),
            shifts: Vec::new(),
            moves: Vec::new(),
            wakes: described.wakes.clone(),
        };
        for update in &described.updates {
            match update.sources[..] {
                [only] if only == update.place => {
                    let least = u32::try_from(-update.delta).unwrap_or(0);
                    raise(&mut action.needs, only, least);
                    action.shifts.push((only, update.delta));
                }
                [only] if update.delta < 0 => {
                    let least = u32::try_from(-update.delta).unwrap_or(0);
                    raise(&mut action.needs, only, least);
                    action.moves.push(update.clone());
                }
                _ => action.moves.push(update.clone()),
            }
        }
        action
    }

    /// Whether the place gets a new content (before anybody is woken).
    fn changes(&self, place: Place) -> bool {
        self.shifts.iter().any(|&(other, _)| other == place)
            || self.moves.iter().any(|update| update.place == place)
    }
}

/// Room for one marking with a number for every place, and for what an action changes.
pub(super) struct Desk {
    tokens: Vec<u32>,
    changes: Vec<(Place, u32)>,
}

impl Desk {
    pub(super) fn new(places: usize) -> Desk {
        Desk {
            tokens: vec![0; places],
            changes: Vec::new(),
        }
    }

    pub(super) fn load(&mut self, marking: &[(Place, u32)]) {
        for &(place, tokens) in marking {
            self.tokens[place.index()] = tokens;
        }
    }

    pub(super) fn unload(&mut self, marking: &[(Place, u32)]) {
        for &(place, _) in marking {
            self.tokens[place.index()] = 0;
        }
    }

    pub(super) fn tokens(&self, place: Place) -> u32 {
        self.tokens[place.index()]
    }

    /// Computes what the updates of an action change; whether it is possible.
    fn update(&mut self, action: &Action) -> bool {
        let mut needs = action.needs.iter();
        if !needs.all(|&(place, least)| self.tokens[place.index()] >= least) {
            return false;
        }
        self.changes.clear();
        for &(place, delta) in &action.shifts {
            let tokens = shifted(u64::from(self.tokens[place.index()]), delta);
            // What is taken was needed.
            let Some(tokens) = tokens else { return false };
            self.changes.push((place, tokens));
        }
        for update in &action.moves {
            let sources = update.sources.iter();
            let sum = sources.map(|source| u64::from(self.tokens[source.index()]));
            let Some(tokens) = shifted(sum.sum(), update.delta) else {
                return false;
            };
            self.changes.push((update.place, tokens));
        }
        true
    }

    /// The content of a place after the updates.
    fn after(&self, place: Place) -> u32 {
        let changed = self.changes.iter().find(|&&(other, _)| other == place);
        changed.map_or(self.tokens[place.index()], |&(_, tokens)| tokens)
    }

    /// The marking after the updates of an action, with one token moved by waking.
    fn result(&self, marking: &[(Place, u32)], wake: Option<(Place, Place)>) -> Sparse {
        let mut changes = self.changes.clone();
        for (place, delta) in wake.iter().flat_map(|&(from, to)| [(from, -1), (to, 1)]) {
            let tokens = shifted(u64::from(self.after(place)), delta).unwrap_or(0);
            changes.retain(|&(other, _)| other != place);
            changes.push((place, tokens));
        }
        changes.sort_unstable();
        let mut result = Vec::with_capacity(marking.len() + changes.len());
        let mut changes = changes.into_iter().peekable();
        for &(place, tokens) in marking {
            while let Some(earlier) = changes.next_if(|change| change.0 < place) {
                result.push(earlier);
            }
            let changed = changes.next_if(|change| change.0 == place);
            result.push(changed.unwrap_or((place, tokens)));
        }
        result.extend(changes);
        result.retain(|&(_, tokens)| tokens > 0);
        result
    }
}

/// A sum changed by a number; `None` below nothing. With a summand without bound it has none.
fn shifted(sum: u64, delta: i64) -> Option<u32> {
    if sum >= u64::from(OMEGA) {
        return Some(OMEGA);
    }
    sum.checked_add_signed(delta).map(as_bound)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::formats::spec;
    use crate::forward::sparse::{as_bounds, is_below};
    use std::collections::BTreeSet;

    const NET: &str = "vars a b c
        rules a >= 1 -> a' = a - 1, b' = b + 2;
              b >= 2 -> c' = c + b, b' = 0;
              true -> a' = b + c - 1, c' = a;
              c >= 1 -> b' = b + c, a' = a + c;
              true -> a' = a - 1, wake b -> c, wake c -> a;
              true -> b' = 0, c' = b, wake b -> a, wake c -> a;
        init a = 0, b = 0, c = 0 target c >= 1";

    /// All markings with few tokens or any number in each place.
    fn markings() -> Vec<Vec<u32>> {
        let numbers = [0, 1, 2, 5, OMEGA];
        let pairs = numbers.map(|a| numbers.map(|b| numbers.map(|c| vec![a, b, c])));
        pairs.into_iter().flatten().flatten().collect()
    }

    #[test]
    fn firing_does_what_the_net_says() {
        let net = spec::parse(NET).unwrap().net;
        let actions = Actions::new(&net);
        let mut desk = Desk::new(3);
        for marking in markings() {
            let bound = as_bounds(&marking);
            let mut found = BTreeSet::new();
            actions.successors(&mut desk, &bound, |firing, after| {
                found.insert((firing, after));
            });
            let expected = net.successors(&marking);
            let expected: BTreeSet<_> = expected
                .map(|(firing, after)| (firing, as_bounds(&after)))
                .collect();
            assert_eq!(found, expected, "{marking:?}");
            for (firing, after) in expected {
                assert_eq!(actions.fire(&mut desk, &bound, firing), Some(after));
            }
        }
    }

    /// Whatever can be had after a firing can be had from finitely many tokens below the bound.
    #[test]
    fn what_is_needed_before_a_firing_is_enough() {
        let net = spec::parse(NET).unwrap().net;
        let actions = Actions::new(&net);
        let mut desk = Desk::new(3);
        for bound in markings() {
            for (firing, after) in net.successors(&bound) {
                let demand: Vec<u32> = after.iter().map(|&it| it.min(7)).collect();
                let demand = as_bounds(&demand);
                let bound = as_bounds(&bound);
                let before = actions.before(&bound, firing, &demand).unwrap();
                assert!(is_below(&before, &bound));
                assert!(before.iter().all(|&(_, tokens)| tokens < 100));
                let after = actions.fire(&mut desk, &before, firing);
                assert!(is_below(&demand, &after.unwrap()), "{firing:?} {bound:?}");
            }
        }
    }
}
