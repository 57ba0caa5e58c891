//! What must not be reached, as targets of a net.
//!
//! A thread at a label is in one of many places, one for each valuation of its local variables.
//! That two of them are there can be said in as many ways as there are pairs of places. Where
//! these are many, the net gets one more place instead, whose tokens are the sum of theirs:
//! every transition changes it by what it changes them. It never holds anybody up, so that the
//! net does the same as before.
//!
//! A sum cannot be kept where all tokens leave at once for a place outside, or where somebody
//! is woken across the border; then all ways are written down.

use crate::net::Translation;
use crate::program::Action;
use crate::unsafety::{Demand, Population, UnsafeSet};
use raddle_cover::{Demand as Target, Net, Place, Update};
use std::collections::{BTreeMap, BTreeSet};

/// So many ways to meet the demands of a case are written down.
pub(crate) const FEW: usize = 16;

/// The most targets that a net may have.
const MOST_TARGETS: usize = 100_000;

/// Adds the targets to a net that has everything else.
pub(crate) fn add(translation: &mut Translation, few: usize) -> Result<(), String> {
    let sets = translation.machines.program.unsafes.clone();
    let mut sums: BTreeMap<Population, Option<Place>> = BTreeMap::new();
    for set in &sets {
        for case in &set.cases {
            let targets = targets(translation, &mut sums, few, set, case)?;
            translation.net.targets.extend(targets);
        }
    }
    let mut seen = BTreeSet::new();
    let targets = &mut translation.net.targets;
    targets.retain(|target| seen.insert(target.clone()));
    for (place, &(machine, state)) in translation.map.states.iter().enumerate() {
        let machines = &translation.machines;
        let point = machines.locals[machine].states[state].point;
        if matches!(machines.program.point(point).action, Action::Failed) {
            let target = vec![(Place(place as u32), 1)];
            translation.net.targets.push(target);
        }
    }
    Ok(())
}

/// The ways to meet all demands of a case.
fn targets(
    translation: &mut Translation,
    sums: &mut BTreeMap<Population, Option<Place>>,
    few: usize,
    set: &UnsafeSet,
    case: &[Demand],
) -> Result<Vec<Target>, String> {
    let too_many = || {
        let text = &set.text;
        Err(format!(
            "the unsafe set `{text}`: there are more than {MOST_TARGETS} ways to be in it"
        ))
    };
    let mut found = vec![Target::new()];
    for &demand in case {
        let ways = match demand {
            Demand::Value(cell, value) => vec![vec![(translation.map.cell(cell, value), 1)]],
            Demand::AtLeast(population, least) => {
                let places = places(translation, population);
                let ways = splits(&places, least, few.min(MOST_TARGETS) / found.len().max(1));
                let sum = match ways {
                    Some(_) => None,
                    None if few > MOST_TARGETS => None,
                    None => *sums
                        .entry(population)
                        .or_insert_with(|| sum(translation, population, &places)),
                };
                match (ways, sum) {
                    (Some(ways), _) => ways,
                    (None, Some(sum)) => vec![vec![(sum, least)]],
                    (None, None) => match splits(&places, least, MOST_TARGETS) {
                        Some(ways) => ways,
                        None => return too_many(),
                    },
                }
            }
        };
        if found.len().saturating_mul(ways.len()) > MOST_TARGETS {
            return too_many();
        }
        let pairs = found
            .iter()
            .flat_map(|one| ways.iter().map(move |other| both(one, other)));
        found = pairs.collect();
    }
    Ok(found)
}

/// The places whose tokens are the threads of a population.
fn places(translation: &Translation, population: Population) -> Vec<Place> {
    let machines = &translation.machines;
    let places = translation.map.states.iter().enumerate();
    let inside = places.filter(|(_, (machine, state))| {
        let point = machines.locals[*machine].states[*state].point;
        machines.program.is_in(point, population)
    });
    inside.map(|(place, _)| Place(place as u32)).collect()
}

/// The smallest demand above both.
fn both(one: &Target, other: &Target) -> Target {
    let mut all: BTreeMap<Place, u32> = one.iter().copied().collect();
    for &(place, least) in other {
        let tokens = all.entry(place).or_default();
        *tokens = least.max(*tokens);
    }
    all.into_iter().collect()
}

/// All ways to have so many tokens in these places together, if there are not too many.
fn splits(places: &[Place], tokens: u32, most: usize) -> Option<Vec<Target>> {
    let mut found: Vec<(Target, u32)> = vec![(Target::new(), tokens)];
    for (index, &place) in places.iter().enumerate() {
        let is_last = index + 1 == places.len();
        let mut longer = Vec::new();
        for (demand, missing) in found {
            let fewest = if is_last { missing } else { 0 };
            for share in fewest..=missing {
                let mut demand = demand.clone();
                if share > 0 {
                    demand.push((place, share));
                }
                longer.push((demand, missing - share));
                if longer.len() > most {
                    return None;
                }
            }
        }
        found = longer;
    }
    // Nobody can be in no place.
    found.retain(|&(_, missing)| missing == 0);
    Some(found.into_iter().map(|(demand, _)| demand).collect())
}

/// Adds a place with as many tokens as these have together, if that is possible.
fn sum(translation: &mut Translation, population: Population, places: &[Place]) -> Option<Place> {
    let inside: BTreeSet<Place> = places.iter().copied().collect();
    let net = &mut translation.net;
    let sum = Place(net.places.len() as u32);
    let updates: Option<Vec<Update>> = (0..net.transitions.len())
        .map(|index| update(net, index, &inside, sum))
        .collect();
    for (transition, update) in net.transitions.iter_mut().zip(updates?) {
        if update.sources != [sum] || update.delta != 0 {
            transition.updates.push(update);
        }
    }
    let program = &translation.machines.program;
    let name = match population {
        Population::Label(label) => &program.labels[label].name,
        Population::Type(thread) => &program.types[thread].name,
    };
    net.places.push(format!("#{name}"));
    let count = |marking: &[u32]| places.iter().map(|it| marking[it.index()]).sum();
    let (least, most) = (count(&net.least), count(&net.most));
    net.least.push(least);
    net.most.push(most);
    translation.map.sums.push((sum, places.to_vec()));
    Some(sum)
}

/// How a transition changes the sum of some places, if that is a sum of places and a number.
fn update(net: &Net, index: usize, inside: &BTreeSet<Place>, sum: Place) -> Option<Update> {
    let transition = &net.transitions[index];
    let crosses = |&(from, to): &(Place, Place)| inside.contains(&from) != inside.contains(&to);
    if transition.wakes.iter().any(crosses) {
        return None;
    }
    let mut counts: BTreeMap<Place, i32> = BTreeMap::new();
    let mut delta = 0;
    let updates = transition.updates.iter();
    for update in updates.filter(|update| inside.contains(&update.place)) {
        *counts.entry(update.place).or_default() -= 1;
        for &source in &update.sources {
            *counts.entry(source).or_default() += 1;
        }
        delta += update.delta;
    }
    let mut sources = vec![sum];
    for (place, count) in counts {
        match count {
            0 => {}
            1 => sources.push(place),
            _ => return None,
        }
    }
    Some(Update {
        place: sum,
        sources,
        delta,
    })
}
