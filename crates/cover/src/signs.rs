//! Which places can ever hold a token, if numbers are forgotten.

use crate::net::{Net, Place, Transition};

/// What may be marked and what may happen, at most.
pub(crate) struct Signs {
    /// For each place, whether it may hold a token.
    pub(crate) marked: Vec<bool>,
    /// For each transition, whether it may fire.
    pub(crate) fires: Vec<bool>,
}

impl Signs {
    /// The smallest set of places that has the initially marked ones and what transitions
    /// fill whose needs are in it.
    pub(crate) fn of(net: &Net) -> Signs {
        let mut touching: Vec<Vec<usize>> = vec![Vec::new(); net.places.len()];
        for (index, transition) in net.transitions.iter().enumerate() {
            for place in needed(transition) {
                let list = &mut touching[place.index()];
                if list.last() != Some(&index) {
                    list.push(index);
                }
            }
        }
        let mut signs = Signs {
            marked: net.most.iter().map(|&most| most > 0).collect(),
            fires: vec![false; net.transitions.len()],
        };
        let mut waiting: Vec<usize> = (0..net.transitions.len()).collect();
        let mut is_waiting = vec![true; net.transitions.len()];
        while let Some(index) = waiting.pop() {
            is_waiting[index] = false;
            let transition = &net.transitions[index];
            if !signs.allow(transition) {
                continue;
            }
            signs.fires[index] = true;
            for place in signs.filled(transition) {
                if !std::mem::replace(&mut signs.marked[place.index()], true) {
                    for &other in &touching[place.index()] {
                        if !std::mem::replace(&mut is_waiting[other], true) {
                            waiting.push(other);
                        }
                    }
                }
            }
        }
        signs
    }

    /// The places that never hold a token.
    pub(crate) fn empty(&self) -> Vec<Place> {
        let places = (0u32..).zip(&self.marked);
        let empty = places.filter(|&(_, &marked)| !marked);
        empty.map(|(place, _)| Place(place)).collect()
    }

    fn allow(&self, transition: &Transition) -> bool {
        let is_marked = |place: &Place| self.marked[place.index()];
        transition.guard.iter().all(|(place, _)| is_marked(place))
            && transition
                .updates
                .iter()
                .all(|update| update.delta >= 0 || update.sources.iter().any(is_marked))
    }

    fn filled(&self, transition: &Transition) -> Vec<Place> {
        let is_marked = |place: &Place| self.marked[place.index()];
        let updates = transition.updates.iter();
        let filled =
            updates.filter(|update| update.delta > 0 || update.sources.iter().any(is_marked));
        let mut filled: Vec<Place> = filled.map(|update| update.place).collect();
        for (from, to) in &transition.wakes {
            if is_marked(from) {
                filled.push(*to);
            }
        }
        filled
    }
}

/// The places on whose content it depends what a transition does.
fn needed(transition: &Transition) -> impl Iterator<Item = Place> {
    let guard = transition.guard.iter().map(|&(place, _)| place);
    let sources = transition.updates.iter().flat_map(|update| &update.sources);
    let wakes = transition.wakes.iter().map(|&(from, _)| from);
    guard.chain(sources.copied()).chain(wakes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::{Certificate, check_safe};
    use crate::samples::{net, transition};
    use proptest::prelude::*;

    proptest! {
        /// Places without tokens are accepted as such, and a place more never is.
        #[test]
        fn the_empty_places_are_all_that_can_be_certified(
            net in net(proptest::collection::vec(transition(), 1..4)),
        ) {
            let safe = Net { targets: Vec::new(), ..net.clone() };
            let certify = |empty: Vec<Place>| {
                check_safe(&safe, &Certificate::Backward { linear: Vec::new(), empty, basis: Vec::new() })
            };
            let signs = Signs::of(&net);
            prop_assert_eq!(certify(signs.empty()), Ok(()));
            for (place, _) in (0u32..).zip(&signs.marked).filter(|&(_, &marked)| marked) {
                let mut empty = signs.empty();
                empty.push(Place(place));
                empty.sort_unstable();
                prop_assert!(certify(empty).is_err());
            }
        }
    }
}
