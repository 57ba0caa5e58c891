//! From where a transition leads above a demand.

use crate::net::{Demand, MOST_TOKENS, Net, Place, Transition, Update};

/// The transitions of a net, read backwards.
pub(crate) struct Backwards {
    steps: Vec<Step>,
    /// For each place, the transitions that can bring tokens to it.
    bringing: Vec<Vec<u32>>,
}

/// What a search cannot go on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// Numbers of tokens that are larger than can be counted.
    Tokens,
    /// Too many ways to collect tokens from the sources of a transfer.
    Splits,
}

/// The most ways to collect tokens that are tried for one transition.
const MOST_SPLITS: usize = 1 << 16;

enum Step {
    /// Changes places by numbers: for each place that is touched what must be there, and the
    /// change.
    Plain(Vec<(Place, u32, i64)>),
    /// Transfers, copies, resets, or wakes.
    Other(Transition),
}

impl Backwards {
    /// The transitions of a net, without those that never fire.
    pub(crate) fn new(net: &Net, fires: &[bool]) -> Backwards {
        let mut bringing = vec![Vec::new(); net.places.len()];
        for (index, transition) in (0u32..).zip(&net.transitions) {
            if fires[index as usize] {
                for place in brings(transition) {
                    if bringing[place.index()].last() != Some(&index) {
                        bringing[place.index()].push(index);
                    }
                }
            }
        }
        let steps = net.transitions.iter().map(Step::new).collect();
        Backwards { steps, bringing }
    }

    /// The transitions that can bring tokens to a place. One that brings none to any demanded
    /// place leads above the demand from above the demand only.
    pub(crate) fn bringing(&self, place: Place) -> &[u32] {
        &self.bringing[place.index()]
    }

    /// Hands over the smallest demands from which a transition leads above this one, and
    /// maybe some that are not smallest, each with the pair that is woken.
    pub(crate) fn each<E: From<Limit>>(
        &self,
        transition: u32,
        demand: &[(Place, u32)],
        scratch: &mut Demand,
        mut found: impl FnMut(&[(Place, u32)], Option<u32>) -> Result<(), E>,
    ) -> Result<(), E> {
        match &self.steps[transition as usize] {
            Step::Plain(touched) => {
                before_plain(touched, demand, scratch)?;
                found(scratch, None)
            }
            Step::Other(transition) => {
                let passes_by = transition
                    .wakes
                    .iter()
                    .all(|&(from, _)| at(demand, from) == 0);
                if passes_by {
                    for before in before_updates(transition, demand)? {
                        found(&before, None)?;
                    }
                }
                for (pair, &(from, to)) in (0u32..).zip(&transition.wakes) {
                    let arrived = at(demand, to);
                    // Passing by needs less than waking for nothing.
                    if arrived == 0 && passes_by {
                        continue;
                    }
                    let mut woken = demand.to_vec();
                    set(&mut woken, to, arrived.saturating_sub(1));
                    set(&mut woken, from, at(demand, from) + 1);
                    for before in before_updates(transition, &woken)? {
                        found(&before, Some(pair))?;
                    }
                }
                Ok(())
            }
        }
    }
}

/// The places to which a transition can bring tokens that are not there already.
fn brings(transition: &Transition) -> impl Iterator<Item = Place> {
    let updates = transition.updates.iter();
    let updates = updates.filter(|update| can_bring(update));
    let woken = transition.wakes.iter().map(|&(_, to)| to);
    updates.map(|update| update.place).chain(woken)
}

/// Whether a place can hold more tokens after an update than before.
pub(crate) fn can_bring(update: &Update) -> bool {
    update.delta > 0 || !is_change(update)
}

/// Whether an update changes a place by a number.
pub(crate) fn is_change(update: &Update) -> bool {
    update.sources == [update.place]
}

impl Step {
    fn new(transition: &Transition) -> Step {
        if !transition.wakes.is_empty() || !transition.updates.iter().all(is_change) {
            return Step::Other(transition.clone());
        }
        let mut touched: Vec<(Place, u32, i64)> = Vec::new();
        for update in &transition.updates {
            let taken = u32::try_from(-update.delta).unwrap_or(0);
            let least = taken.max(at(&transition.guard, update.place));
            touched.push((update.place, least, update.delta));
        }
        touched.sort_unstable();
        let is_updated = |place: Place| {
            let found = touched.binary_search_by_key(&place, |&(other, ..)| other);
            found.is_ok()
        };
        let guard = transition.guard.iter();
        let only_read: Vec<_> = guard
            .filter(|&&(place, _)| !is_updated(place))
            .map(|&(place, least)| (place, least, 0))
            .collect();
        touched.extend(only_read);
        touched.sort_unstable();
        Step::Plain(touched)
    }
}

fn before_plain(
    touched: &[(Place, u32, i64)],
    demand: &[(Place, u32)],
    before: &mut Demand,
) -> Result<(), Limit> {
    before.clear();
    let mut demand = demand.iter().copied().peekable();
    for &(place, least, delta) in touched {
        while let Some(kept) = demand.next_if(|&(other, _)| other < place) {
            before.push(kept);
        }
        let needed = match demand.next_if(|&(other, _)| other == place) {
            Some((_, demanded)) => least.max(tokens(i64::from(demanded) - delta)?),
            None => least,
        };
        if needed > 0 {
            before.push((place, needed));
        }
    }
    before.extend(demand);
    Ok(())
}

/// The smallest demands from which the updates of a transition lead above a demand.
fn before_updates(transition: &Transition, demand: &[(Place, u32)]) -> Result<Vec<Demand>, Limit> {
    let mut kept = transition.guard.clone();
    for &(place, least) in demand {
        if !transition
            .updates
            .iter()
            .any(|update| update.place == place)
        {
            raise(&mut kept, place, least);
        }
    }
    let mut found = vec![kept];
    for update in &transition.updates {
        let needed = tokens(i64::from(at(demand, update.place)) - update.delta)?;
        if needed == 0 {
            continue;
        }
        let mut joined = Vec::new();
        for partial in &found {
            collect(&update.sources, needed, partial, &mut joined)?;
        }
        found = joined;
    }
    Ok(found)
}

/// All ways to have so many tokens in the sources together, on top of what is demanded.
fn collect(
    sources: &[Place],
    needed: u32,
    partial: &Demand,
    joined: &mut Vec<Demand>,
) -> Result<(), Limit> {
    match sources {
        [] => {}
        [last] => {
            if joined.len() >= MOST_SPLITS {
                return Err(Limit::Splits);
            }
            let mut both = partial.clone();
            raise(&mut both, *last, needed);
            joined.push(both);
        }
        [first, rest @ ..] => {
            for share in 0..needed {
                let mut both = partial.clone();
                raise(&mut both, *first, share);
                collect(rest, needed - share, &both, joined)?;
            }
            collect(&[*first], needed, partial, joined)?;
        }
    }
    Ok(())
}

/// A number of tokens that a demand may have; nothing if less than that.
fn tokens(needed: i64) -> Result<u32, Limit> {
    match u32::try_from(needed.max(0)) {
        Ok(needed) if needed <= MOST_TOKENS => Ok(needed),
        _ => Err(Limit::Tokens),
    }
}

/// What is demanded of a place.
pub(crate) fn at(demand: &[(Place, u32)], place: Place) -> u32 {
    let found = demand.binary_search_by_key(&place, |&(other, _)| other);
    found.map_or(0, |index| demand[index].1)
}

fn raise(demand: &mut Demand, place: Place, least: u32) {
    match demand.binary_search_by_key(&place, |&(other, _)| other) {
        Ok(index) => demand[index].1 = demand[index].1.max(least),
        Err(index) if least > 0 => demand.insert(index, (place, least)),
        Err(_) => {}
    }
}

fn set(demand: &mut Demand, place: Place, least: u32) {
    match demand.binary_search_by_key(&place, |&(other, _)| other) {
        Ok(index) if least > 0 => demand[index].1 = least,
        Ok(index) => drop(demand.remove(index)),
        Err(index) if least > 0 => demand.insert(index, (place, least)),
        Err(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{Firing, covers};
    use crate::samples::{PLACES, demand, markings, net, transition};
    use proptest::prelude::*;

    fn before(net: &Net, demand: &Demand) -> Vec<Demand> {
        let mut found = Vec::new();
        let backwards = Backwards::new(net, &[true]);
        let result = backwards.each(0, demand, &mut Vec::new(), |before, _| {
            found.push(before.to_vec());
            Ok::<(), Limit>(())
        });
        assert_eq!(result, Ok(()));
        found
    }

    proptest! {
        /// A marking is above a predecessor if and only if it leads above the demand.
        #[test]
        fn predecessors_are_exact(net in net(transition().prop_map(|one| vec![one])), demand in demand(1)) {
            let before = before(&net, &demand);
            for marking in markings() {
                let wakes = (0..net.transitions[0].wakes.len()).map(Some).chain([None]);
                let mut firings = wakes.map(|wake| Firing { transition: 0, wake });
                let leads = firings.any(|firing| {
                    net.fire(&marking, firing).is_some_and(|after| covers(&after, &demand))
                });
                let is_above = before.iter().any(|before| covers(&marking, before));
                prop_assert_eq!(is_above, leads, "{:?} from {:?}", before, marking);
            }
        }

        /// What brings nothing has predecessors above the demand only.
        #[test]
        fn who_brings_nothing_is_of_no_use(net in net(transition().prop_map(|one| vec![one])), demand in demand(1)) {
            let backwards = Backwards::new(&net, &[true]);
            if demand.iter().all(|&(place, _)| backwards.bringing(place).is_empty()) {
                for before in before(&net, &demand) {
                    prop_assert!(demand.iter().all(|&(place, least)| at(&before, place) >= least));
                }
            }
        }
    }

    #[test]
    fn numbers_and_splits_have_limits() {
        let places: Vec<Place> = (0..PLACES).map(Place).collect();
        let collecting = |sources: &[Place], delta| {
            let transition = Transition {
                updates: vec![Update {
                    place: Place(0),
                    sources: sources.to_vec(),
                    delta,
                }],
                ..Transition::default()
            };
            let net = Net {
                places: vec![String::new(); PLACES as usize],
                transitions: vec![transition],
                ..Net::default()
            };
            let backwards = Backwards::new(&net, &[true]);
            let demand = [(Place(0), MOST_TOKENS)];
            backwards.each(0, &demand, &mut Vec::new(), |_, _| Ok::<(), Limit>(()))
        };
        assert_eq!(collecting(&places, 0), Err(Limit::Splits));
        assert_eq!(collecting(&places[..1], -1), Err(Limit::Tokens));
        assert_eq!(collecting(&places[..1], 0), Ok(()));
    }
}
