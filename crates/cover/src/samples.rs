//! Small random nets for the tests of this crate's parts.

use crate::net::{Demand, Net, OMEGA, Place, Transition, Update};
use proptest::prelude::*;

/// How many places a sample has.
pub(crate) const PLACES: u32 = 3;

/// A demand of some of the places.
pub(crate) fn demand(least: usize) -> impl Strategy<Value = Demand> {
    let map = proptest::collection::btree_map(0..PLACES, 1u32..3, least..3);
    map.prop_map(|map| {
        let pairs = map.into_iter();
        pairs.map(|(place, least)| (Place(place), least)).collect()
    })
}

/// A transition that changes places by numbers.
pub(crate) fn plain() -> impl Strategy<Value = Transition> {
    let deltas = proptest::collection::btree_map(0..PLACES, -2i64..3, 0..4);
    (demand(0), deltas).prop_map(|(guard, deltas)| {
        let updates = deltas.into_iter().map(|(place, delta)| Update {
            place: Place(place),
            sources: vec![Place(place)],
            delta,
        });
        Transition {
            name: "t".to_owned(),
            guard,
            updates: updates.collect(),
            wakes: Vec::new(),
        }
    })
}

/// Any transition: transfers, copies, resets, wakes.
pub(crate) fn transition() -> impl Strategy<Value = Transition> {
    let places =
        || proptest::sample::subsequence((0..PLACES).map(Place).collect::<Vec<_>>(), 0..=2);
    let updates = proptest::collection::btree_map(0..PLACES, (places(), -1i64..2), 0..4);
    let pair =
        (0..PLACES, 1..PLACES).prop_map(|(from, by)| (Place(from), Place((from + by) % PLACES)));
    let wakes = proptest::collection::vec(pair, 0..3);
    (demand(0), updates, wakes).prop_map(|(guard, updates, wakes)| {
        let updates = updates.into_iter().map(|(place, (sources, delta))| Update {
            place: Place(place),
            sources,
            delta,
        });
        Transition {
            name: "t".to_owned(),
            guard,
            updates: updates.collect(),
            wakes,
        }
    })
}

/// A net of some transitions.
pub(crate) fn net(
    transitions: impl Strategy<Value = Vec<Transition>>,
) -> impl Strategy<Value = Net> {
    let most = prop_oneof![Just(0), Just(0), Just(1), Just(2), Just(OMEGA)];
    let most = proptest::collection::vec(most, PLACES as usize);
    (transitions, most, demand(1)).prop_map(|(transitions, most, target)| Net {
        places: (0..PLACES).map(|place| format!("p{place}")).collect(),
        transitions,
        least: vec![0; PLACES as usize],
        most,
        targets: vec![target],
    })
}

/// All markings with few tokens.
pub(crate) fn markings() -> impl Iterator<Item = Vec<u32>> {
    (0..6u32.pow(PLACES)).map(|number| {
        (0..PLACES)
            .map(|place| number / 6u32.pow(place) % 6)
            .collect()
    })
}
