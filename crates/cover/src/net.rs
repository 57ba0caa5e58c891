//! Nets with transfers.
//!
//! A marking says how many tokens each place holds. A transition needs at least its guard,
//! gives some places a new content (a sum of old contents and a number), and then wakes: one
//! token moves out of one of the waiting places, if any of them has a token. An ordinary
//! Petri net changes each place by a number; a transfer adds the content of a place to
//! another and empties it.
//!
//! All of this is *monotone*: what is possible from a marking is possible from a larger one,
//! and leads to a larger one. That holds for waking too: who wakes somebody where a smaller
//! marking passes by ends with more tokens, not fewer. Everything in this crate rests on it.

use std::fmt;

/// The number of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(pub u32);

impl Place {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How many tokens each place holds.
pub type Marking = Vec<u32>;

/// In a marking: any number of tokens. No run ever counts that far.
pub const OMEGA: u32 = u32::MAX;

/// The largest number that may be added or taken at once, so that sums do not overflow.
pub const MOST_TOKENS: u32 = 1 << 30;

/// At least so many tokens in these places, which are sorted and whose numbers are not zero.
/// It stands for the set of all markings above it.
pub type Demand = Vec<(Place, u32)>;

/// A net with an initial set of markings and a target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Net {
    /// The names of the places.
    pub places: Vec<String>,
    /// What can happen.
    pub transitions: Vec<Transition>,
    /// The fewest tokens that a place holds initially.
    pub least: Marking,
    /// The most tokens that a place holds initially; [`OMEGA`] if there is no bound.
    pub most: Marking,
    /// The net is unsafe if it can reach a marking above one of these.
    pub targets: Vec<Demand>,
}

/// Something that can happen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transition {
    /// Its name; not necessarily unique.
    pub name: String,
    /// What it needs, beside that no place is left with less than nothing.
    pub guard: Demand,
    /// The places that get a new content, each at most once, all computed from the old
    /// marking.
    pub updates: Vec<Update>,
    /// Afterwards one token moves from the first to the second place of one of these pairs,
    /// if one of the first places has any; otherwise nothing more happens.
    pub wakes: Vec<(Place, Place)>,
}

/// The new content of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// The place.
    pub place: Place,
    /// Whose old contents are added up; each at most once.
    pub sources: Vec<Place>,
    /// The number that is added to that sum.
    pub delta: i64,
}

/// One way in which a transition happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Firing {
    /// Which transition, as an index.
    pub transition: usize,
    /// Which pair of its `wakes` moves a token; `None` if nobody waits.
    pub wake: Option<usize>,
}

impl Net {
    /// The marking after a firing, or `None` if it is not possible. With [`OMEGA`] in some
    /// places it is the least upper bound of what is possible from the markings below.
    pub fn fire(&self, marking: &[u32], firing: Firing) -> Option<Marking> {
        let changes = self.changes(marking, firing)?;
        let mut after = marking.to_vec();
        apply(&mut after, &changes);
        Some(after)
    }

    /// Fires in a marking: it becomes what [`Net::fire`] says. If the firing is not possible, the
    /// marking stays as it is. A long run of a net with many places is followed like this: each
    /// step takes as long as its transition is large.
    #[must_use]
    pub fn fire_in(&self, marking: &mut [u32], firing: Firing) -> bool {
        let changes = self.changes(marking, firing);
        if let Some(changes) = &changes {
            apply(marking, changes);
        }
        changes.is_some()
    }

    /// The new contents of places after a firing, of which the last one counts, or `None` if it is
    /// not possible.
    fn changes(&self, marking: &[u32], firing: Firing) -> Option<Vec<(Place, u32)>> {
        let transition = self.transitions.get(firing.transition)?;
        let mut changes = transition.update(marking)?;
        let after = |changes: &[(Place, u32)], place: Place| {
            let changed = changes.iter().rev().find(|&&(other, _)| other == place);
            changed.map_or(marking[place.index()], |&(_, tokens)| tokens)
        };
        match firing.wake {
            Some(pair) => {
                let &(from, to) = transition.wakes.get(pair)?;
                for (place, delta) in [(from, -1), (to, 1)] {
                    changes.push((place, shift(after(&changes, place), delta)?));
                }
            }
            None => {
                let waits = |&(from, _): &(Place, Place)| after(&changes, from) > 0;
                if transition.wakes.iter().any(waits) {
                    return None;
                }
            }
        }
        Some(changes)
    }

    /// All firings that are possible in a marking, with what they lead to.
    pub fn successors(&self, marking: &[u32]) -> impl Iterator<Item = (Firing, Marking)> {
        let firings = self.transitions.iter().enumerate();
        let firings = firings.flat_map(|(transition, described)| {
            let wakes = (0..described.wakes.len()).map(Some);
            let wakes = wakes.chain(std::iter::once(None));
            wakes.map(move |wake| Firing { transition, wake })
        });
        firings.filter_map(|firing| Some((firing, self.fire(marking, firing)?)))
    }

    /// Whether a marking is above one of the targets.
    pub fn is_unsafe(&self, marking: &[u32]) -> bool {
        self.targets.iter().any(|target| covers(marking, target))
    }

    /// What is wrong with the numbers in this net, if anything: places that do not exist, a
    /// place that is updated twice, initial bounds that exclude each other. Whoever builds a
    /// net from a file asks this once.
    pub fn defect(&self) -> Option<Defect> {
        let count = self.places.len();
        let exists = |place: Place| place.index() < count;
        let is_demand = |demand: &Demand| {
            demand
                .iter()
                .all(|&(place, least)| exists(place) && least > 0)
                && demand.windows(2).all(|pair| pair[0].0 < pair[1].0)
        };
        if self.least.len() != count || self.most.len() != count {
            return Some(Defect("the initial marking has another number of places"));
        }
        let mut bounds = self.least.iter().zip(&self.most);
        if bounds.any(|(&least, &most)| least > most || least == OMEGA) {
            return Some(Defect("an initial bound excludes the other"));
        }
        if !self.targets.iter().all(is_demand) {
            return Some(Defect("a target is not sorted, or names no place"));
        }
        let is_well_formed = |transition: &Transition| {
            let updates = &transition.updates;
            is_demand(&transition.guard)
                && are_distinct(updates.iter().map(|update| update.place))
                && updates.iter().all(|update| {
                    exists(update.place)
                        && update.delta.unsigned_abs() <= u64::from(MOST_TOKENS)
                        && are_distinct(update.sources.iter().copied())
                        && update.sources.iter().all(|&source| exists(source))
                })
                && transition
                    .wakes
                    .iter()
                    .all(|&(from, to)| exists(from) && exists(to) && from != to)
        };
        match self.transitions.iter().all(is_well_formed) {
            true => None,
            false => Some(Defect("a transition is not well-formed")),
        }
    }
}

impl Transition {
    /// The new contents of places after the updates, before anybody is woken.
    fn update(&self, marking: &[u32]) -> Option<Vec<(Place, u32)>> {
        if !covers(marking, &self.guard) {
            return None;
        }
        let contents = self.updates.iter().map(|update| {
            let mut contents = update.sources.iter().map(|source| marking[source.index()]);
            let sum = contents.try_fold(0u32, |sum, content| match (sum, content) {
                (OMEGA, _) | (_, OMEGA) => Some(OMEGA),
                (sum, content) => sum.checked_add(content).filter(|&sum| sum != OMEGA),
            });
            Some((update.place, shift(sum?, update.delta)?))
        });
        contents.collect()
    }
}

fn apply(marking: &mut [u32], changes: &[(Place, u32)]) {
    for &(place, tokens) in changes {
        marking[place.index()] = tokens;
    }
}

/// Whether all of these are different.
fn are_distinct(places: impl Iterator<Item = Place>) -> bool {
    let mut places: Vec<Place> = places.collect();
    places.sort_unstable();
    places.windows(2).all(|pair| pair[0] != pair[1])
}

/// A number of tokens changed by some; `None` below nothing, and where numbers end.
fn shift(tokens: u32, delta: i64) -> Option<u32> {
    if tokens == OMEGA {
        return Some(OMEGA);
    }
    let shifted = i64::from(tokens).checked_add(delta)?;
    u32::try_from(shifted)
        .ok()
        .filter(|&shifted| shifted != OMEGA)
}

/// Whether a marking has what is demanded.
pub fn covers(marking: &[u32], demand: &Demand) -> bool {
    demand
        .iter()
        .all(|&(place, least)| marking[place.index()] >= least)
}

/// What is wrong with a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defect(pub &'static str);

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
