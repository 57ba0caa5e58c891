//! Answers that can be checked without trusting who gave them.
//!
//! This file shares no code with the procedures and is written to be read, not to be fast:
//! it is what a verdict rests on.

mod agglomerated;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::fmt;

use crate::net::{
    Demand, Firing, MOST_TOKENS, Marking, Net, OMEGA, Place, Transition, Update, covers,
};

/// What a procedure found out about a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// No reachable marking covers a target.
    Safe(Certificate),
    /// This run leads to one that does.
    Unsafe(Run),
    /// Neither, for this reason.
    Unknown(String),
}

/// Why a net is safe: a set of markings that has the initial ones, that no transition leaves,
/// and that has none above a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// The markings that satisfy all of `linear`, have no token in `empty`, and are above no
    /// element of `basis`.
    Backward {
        /// Weighted sums that never grow.
        linear: Vec<Linear>,
        /// Places that never get a token.
        empty: Vec<Place>,
        /// Where nobody gets.
        basis: Vec<Demand>,
    },
    /// The markings below one of these, which have [`OMEGA`] where there is no bound.
    Forward(Vec<Marking>),
    /// A smaller net that covers the same targets, and why that one is safe.
    Agglomerated(Box<Agglomerated>),
}

/// Transitions that always follow each other are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agglomerated {
    /// Places that hold at most one token together, which every transition needs.
    pub exclusive: Vec<Place>,
    /// Those of them that are passed: who takes the token away follows at once who brings it
    /// there. They are joined in this order.
    pub passing: Vec<Place>,
    /// Why the net with joined transitions is safe; no smaller net once more.
    pub rest: Certificate,
}

/// A weighted sum of tokens that no transition makes larger and that is at most `bound` in
/// the beginning. Weights are not negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    /// The weights of places, sorted; the others weigh nothing.
    pub weights: Vec<(Place, u64)>,
    /// The most that the sum can be.
    pub bound: u64,
}

/// A run of a net from an initial marking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Where it begins.
    pub initial: Marking,
    /// What happens.
    pub firings: Vec<Firing>,
}

/// Whether a run begins initially, is possible, and ends above a target; the marking in which
/// it ends if it does, and what is wrong with it if not.
pub fn check_run(net: &Net, run: &Run) -> Result<Marking, String> {
    if run.initial.len() != net.places.len() {
        return Err("the run begins in a marking of another net".to_owned());
    }
    for (place, &tokens) in run.initial.iter().enumerate() {
        if tokens < net.least[place] || tokens > net.most[place] || tokens == OMEGA {
            return Err(format!(
                "{tokens} tokens in {} are not initial",
                net.places[place]
            ));
        }
    }
    let mut marking = run.initial.clone();
    for (index, &firing) in run.firings.iter().enumerate() {
        if !net.fire_in(&mut marking, firing) {
            return Err(format!("step {} is not possible", index + 1));
        }
    }
    match net.is_unsafe(&marking) {
        true => Ok(marking),
        false => Err("the run does not end above a target".to_owned()),
    }
}

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It does not show that the net is safe.
    Wrong(String),
    /// It may be right, but is too large to be checked.
    TooLarge(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Wrong(why) | Refusal::TooLarge(why) => formatter.write_str(why),
        }
    }
}

impl From<String> for Refusal {
    fn from(why: String) -> Refusal {
        Refusal::Wrong(why)
    }
}

impl From<Refusal> for String {
    fn from(refusal: Refusal) -> String {
        refusal.to_string()
    }
}

/// Whether a certificate shows that a net is safe; if not, what it does not show.
pub fn check_safe(net: &Net, certificate: &Certificate) -> Result<(), Refusal> {
    match certificate {
        Certificate::Backward {
            linear,
            empty,
            basis,
        } => {
            let empty = check_empty(net, empty)?;
            let transitions = net.transitions.iter();
            let live: Vec<&Transition> = transitions
                .filter(|transition| !never_happens(transition, &empty))
                .collect();
            let mut sums = linear.iter();
            sums.try_for_each(|sum| check_linear(net, &live, sum))?;
            check_basis(net, &live, linear, &empty, basis)
        }
        Certificate::Forward(ideals) => check_ideals(net, ideals),
        Certificate::Agglomerated(smaller) => {
            let Agglomerated {
                exclusive,
                passing,
                rest,
            } = smaller.as_ref();
            if let Certificate::Agglomerated(_) = rest {
                return Err("a smaller net is made smaller again".to_owned().into());
            }
            check_safe(&agglomerated::joined(net, exclusive, passing)?, rest)
        }
    }
}

/// The sum starts at its bound or below, and none of the transitions that can happen makes it
/// larger.
fn check_linear(net: &Net, live: &[&Transition], sum: &Linear) -> Result<(), String> {
    let mut weights = vec![0; net.places.len()];
    let mut initially: i128 = 0;
    for &(place, weight) in &sum.weights {
        let most = net.most.get(place.index());
        let most = *most.ok_or("a weighed place does not exist")?;
        if most == OMEGA && weight > 0 {
            return Err(format!(
                "{} is weighed, and unbounded",
                net.places[place.index()]
            ));
        }
        weights[place.index()] = i128::from(weight);
        initially += i128::from(weight) * i128::from(most);
    }
    let weight = |place: Place| weights[place.index()];
    if initially > i128::from(sum.bound) {
        return Err("a sum begins above its bound".to_owned());
    }
    for transition in live {
        let blame = || format!("{} makes a sum larger", transition.name);
        // Each token of a place is carried to wherever the place is a source; there it must
        // not weigh more in all than it did. What is left over by tokens that the guard
        // asks for pays for the numbers that are added.
        let mut change: i128 = transition
            .updates
            .iter()
            .map(|update| weight(update.place) * i128::from(update.delta))
            .sum();
        let mut touched: Vec<Place> = Vec::new();
        for update in &transition.updates {
            touched.push(update.place);
            touched.extend(&update.sources);
        }
        touched.sort_unstable();
        touched.dedup();
        for place in touched {
            let gain = carried_weight(transition, place, &weight) - weight(place);
            if gain > 0 {
                return Err(blame());
            }
            change += gain * i128::from(guarded(&transition.guard, place));
        }
        // Waking moves a token, or none.
        let wakes = transition
            .wakes
            .iter()
            .map(|&(from, to)| weight(to) - weight(from));
        change += wakes.max().unwrap_or(0).max(0);
        if change > 0 {
            return Err(blame());
        }
    }
    Ok(())
}

/// What one token of a place weighs after the updates of a transition.
fn carried_weight(transition: &Transition, place: Place, weight: &dyn Fn(Place) -> i128) -> i128 {
    let updates = transition.updates.iter();
    let carried: i128 = updates
        .filter(|update| update.sources.contains(&place))
        .map(|update| weight(update.place))
        .sum();
    let is_kept = !transition
        .updates
        .iter()
        .any(|update| update.place == place);
    carried + if is_kept { weight(place) } else { 0 }
}

/// What a guard asks of a place.
fn guarded(guard: &Demand, place: Place) -> u32 {
    let found = guard.binary_search_by_key(&place, |&(guarded, _)| guarded);
    found.map_or(0, |index| guard[index].1)
}

/// No place of the set has a token initially, and whoever brings one needs one. For each
/// place of the net, whether it is in the set.
fn check_empty(net: &Net, set: &[Place]) -> Result<Vec<bool>, String> {
    let mut empty = vec![false; net.places.len()];
    for &place in set {
        if net.most.get(place.index()).copied() != Some(0) {
            return Err("a place that is claimed to stay empty is not empty initially".to_owned());
        }
        empty[place.index()] = true;
    }
    for transition in &net.transitions {
        let fills = transition.updates.iter().any(|update| {
            let brings = update.sources.iter().any(|source| !empty[source.index()]);
            empty[update.place.index()] && (brings || update.delta > 0)
        });
        let wakes = transition.wakes.iter();
        let fills = fills
            || wakes
                .into_iter()
                .any(|(from, to)| empty[to.index()] && !empty[from.index()]);
        if fills && !never_happens(transition, &empty) {
            return Err(format!(
                "{} fills a place that is claimed to stay empty",
                transition.name
            ));
        }
    }
    Ok(empty)
}

/// Whether a transition needs a token of a place that stays empty.
fn never_happens(transition: &Transition, empty: &[bool]) -> bool {
    let mut guard = transition.guard.iter();
    // A place that has to give more than it gets cannot be empty.
    let takes = |update: &Update| {
        update.delta < 0 && update.sources.iter().all(|source| empty[source.index()])
    };
    guard.any(|(place, _)| empty[place.index()]) || transition.updates.iter().any(takes)
}

/// Targets are in the set above the basis, initial markings are not, and whoever gets into
/// the set was there before, or in a marking that is excluded.
fn check_basis(
    net: &Net,
    live: &[&Transition],
    linear: &[Linear],
    empty: &[bool],
    basis: &[Demand],
) -> Result<(), Refusal> {
    for element in basis {
        let is_sorted = element.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let last = element.last().map_or(0, |(place, _)| place.index());
        if !is_sorted || last >= net.places.len() {
            return Err("an element of the basis is none of this net"
                .to_owned()
                .into());
        }
    }
    let order = Order::of(basis, net.places.len());
    let mut sorted: Vec<Demand> = basis.iter().map(|element| order.apply(element)).collect();
    sorted.sort_unstable();
    let is_above = |demand: &Demand| has_below(&sorted, 0, &order.apply(demand));
    let weighing = weighing(net, linear);
    let is_excluded = |demand: &Demand| {
        demand.iter().any(|(place, _)| empty[place.index()]) || outweighs(&weighing, linear, demand)
    };
    for target in &net.targets {
        if !is_above(target) && !is_excluded(target) {
            return Err("a target is not in the basis".to_owned().into());
        }
    }
    let bringing = bringing(net, live);
    for element in basis {
        if covers(&net.most, element) {
            return Err("the basis has an initial marking".to_owned().into());
        }
        // If a transition brings nothing that is demanded, whatever leads above the demand was
        // above it before.
        let demanded = element.iter().filter(|&&(_, least)| least > 0);
        let used = demanded.flat_map(|(place, _)| &bringing[place.index()]);
        let mut used: Vec<usize> = used.copied().collect();
        used.sort_unstable();
        used.dedup();
        for transition in used.into_iter().map(|index| live[index]) {
            let name = &transition.name;
            // Where places stay empty, no tokens come from there.
            let transition = without_sources(transition, empty);
            if ways(&transition, element) > MOST_WAYS {
                let why = format!("{name} has too many predecessors to be checked");
                return Err(Refusal::TooLarge(why));
            }
            for before in predecessors(&transition, element) {
                if !is_excluded(&before) && !is_above(&before) {
                    return Err(format!("{name} leads from outside into the basis").into());
                }
            }
        }
    }
    Ok(())
}

/// The most demands that are looked at for one transition and one element.
const MOST_WAYS: u64 = 1 << 24;

/// A transition whose transfers take nothing from places that stay empty.
fn without_sources<'a>(transition: &'a Transition, empty: &[bool]) -> Cow<'a, Transition> {
    let stays_empty = |source: &Place| empty[source.index()];
    let mut sources = transition.updates.iter().flat_map(|update| &update.sources);
    if !sources.any(stays_empty) {
        return Cow::Borrowed(transition);
    }
    let mut fewer = transition.clone();
    for update in &mut fewer.updates {
        update.sources.retain(|source| !stays_empty(source));
    }
    Cow::Owned(fewer)
}

/// An upper bound of how many demands [`predecessors`] has: waking asks for at most one token more of a place
/// than the demand does.
fn ways(transition: &Transition, demand: &Demand) -> u64 {
    let split = |update: &Update| {
        let is_woken_from = transition
            .wakes
            .iter()
            .any(|&(from, _)| from == update.place);
        let tokens = i64::from(guarded(demand, update.place)) + i64::from(is_woken_from);
        let tokens = u64::try_from(tokens - update.delta).unwrap_or(0);
        count_splits(update.sources.len() as u64, tokens)
    };
    let updates = transition.updates.iter().map(split);
    let wakes = transition.wakes.len() as u64 + 1;
    updates.fold(wakes, u64::saturating_mul)
}

/// How many ways there are to have so many tokens in so many places together: as many as to
/// choose the bars among the stars and bars. At least 1, and at most a little more than [`MOST_WAYS`].
fn count_splits(places: u64, tokens: u64) -> u64 {
    let bars = places.saturating_sub(1);
    let (few, many) = (bars.min(tokens), bars.max(tokens));
    let mut ways: u128 = 1;
    for index in 1..=few {
        // The product of so many successive numbers is divided by as many.
        ways = ways * u128::from(many + index) / u128::from(index);
        if ways > u128::from(MOST_WAYS) {
            return MOST_WAYS + 1;
        }
    }
    ways as u64
}

/// For each place the sums that it counts in, with its weights.
fn weighing(net: &Net, linear: &[Linear]) -> Vec<Vec<(usize, u64)>> {
    let mut weighing = vec![Vec::new(); net.places.len()];
    for (index, sum) in linear.iter().enumerate() {
        // Of a place that is weighed twice the last weight counts, as for who checks the sum.
        let weights: BTreeMap<Place, u64> = sum.weights.iter().copied().collect();
        for (place, weight) in weights {
            weighing[place.index()].push((index, weight));
        }
    }
    weighing
}

/// Whether a demand is above the bound of a sum.
fn outweighs(weighing: &[Vec<(usize, u64)>], linear: &[Linear], demand: &Demand) -> bool {
    let mut sums: BTreeMap<usize, u128> = BTreeMap::new();
    for &(place, least) in demand {
        for &(index, weight) in &weighing[place.index()] {
            *sums.entry(index).or_default() += u128::from(weight) * u128::from(least);
        }
    }
    let mut sums = sums.into_iter();
    sums.any(|(index, sum)| sum > u128::from(linear[index].bound))
}

/// For each place the transitions that can bring tokens to it, by their numbers.
fn bringing(net: &Net, live: &[&Transition]) -> Vec<Vec<usize>> {
    let takes = |update: &Update| update.sources == [update.place] && update.delta <= 0;
    let mut bringing = vec![Vec::new(); net.places.len()];
    for (index, transition) in live.iter().enumerate() {
        for update in transition.updates.iter().filter(|update| !takes(update)) {
            bringing[update.place.index()].push(index);
        }
        for &(_, to) in &transition.wakes {
            bringing[to.index()].push(index);
        }
    }
    bringing
}

/// Places by how many elements demand something of them, the fewest first: whoever looks for
/// elements in this order soon has few left.
struct Order {
    ranks: Vec<u32>,
}

impl Order {
    fn of(basis: &[Demand], places: usize) -> Order {
        let mut count = vec![0u32; places];
        for &(place, _) in basis.iter().flatten() {
            count[place.index()] += 1;
        }
        let mut order: Vec<usize> = (0..places).collect();
        order.sort_by_key(|&place| count[place]);
        let mut ranks = vec![0; places];
        for (rank, place) in (0u32..).zip(order) {
            ranks[place] = rank;
        }
        Order { ranks }
    }

    /// A demand with ranks for places.
    fn apply(&self, demand: &Demand) -> Demand {
        let renamed = demand.iter();
        let renamed = renamed.map(|&(place, least)| (Place(self.ranks[place.index()]), least));
        let mut renamed: Demand = renamed.collect();
        renamed.sort_unstable();
        renamed
    }
}

/// So many elements are better looked at one by one.
const FEW: usize = 16;

/// Whether an element is below a demand, of sorted ones that are the same before `depth`. What
/// an element demands next must be demanded next, with others skipped.
fn has_below(sorted: &[Demand], depth: usize, demand: &[(Place, u32)]) -> bool {
    if sorted.len() <= FEW {
        return sorted
            .iter()
            .any(|element| is_below(&element[depth..], demand));
    }
    if sorted.first().is_some_and(|first| first.len() == depth) {
        return true;
    }
    demand.iter().enumerate().any(|(index, &(place, least))| {
        let begin = sorted.partition_point(|element| element[depth].0 < place);
        let end = sorted.partition_point(|element| element[depth] <= (place, least));
        let mut rest = &sorted[begin..end];
        while let Some(first) = rest.first() {
            let next = rest.partition_point(|element| element[depth] == first[depth]);
            let (same, others) = rest.split_at(next);
            if has_below(same, depth + 1, &demand[index + 1..]) {
                return true;
            }
            rest = others;
        }
        false
    })
}

/// Whether everything above the one is above the other.
fn is_below(smaller: &[(Place, u32)], larger: &[(Place, u32)]) -> bool {
    let mut larger = larger.iter();
    smaller.iter().all(|&(place, least)| {
        let same = larger.find(|&&(other, _)| other >= place);
        same.is_some_and(|&(other, tokens)| other == place && tokens >= least)
    })
}

/// The smallest demands from which a transition leads above a demand, and maybe some that
/// are not smallest.
fn predecessors(transition: &Transition, demand: &Demand) -> Vec<Demand> {
    let mut before = Vec::new();
    for &(from, to) in &transition.wakes {
        let mut woken = demand.clone();
        set(&mut woken, to, guarded(demand, to).saturating_sub(1));
        let waiting = guarded(&woken, from).saturating_add(1);
        set(&mut woken, from, waiting);
        before.extend(before_updates(transition, &woken));
    }
    // Nobody waits: possible only where nobody is demanded to wait.
    if transition
        .wakes
        .iter()
        .all(|&(from, _)| guarded(demand, from) == 0)
    {
        before.extend(before_updates(transition, demand));
    }
    before
}

/// The smallest demands from which the updates of a transition lead above a demand.
fn before_updates(transition: &Transition, demand: &Demand) -> Vec<Demand> {
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
        let needed = i64::from(guarded(demand, update.place)).max(0) - update.delta;
        let needed = u32::try_from(needed.max(0)).unwrap_or(u32::MAX);
        let ways = splits(&update.sources, needed);
        let pairs = found
            .iter()
            .flat_map(|found| ways.iter().map(move |way| (found, way)));
        let joined = pairs.map(|(found, way)| {
            let mut both = found.clone();
            way.iter()
                .for_each(|&(place, least)| raise(&mut both, place, least));
            both
        });
        found = joined.collect();
    }
    found
}

/// All ways to have so many tokens in these places together.
fn splits(places: &[Place], tokens: u32) -> Vec<Demand> {
    match places {
        [] if tokens > 0 => Vec::new(),
        [] => vec![Demand::new()],
        [last] if tokens > 0 => vec![vec![(*last, tokens)]],
        [_] => vec![Demand::new()],
        [first, rest @ ..] => {
            let mut found = Vec::new();
            for share in 0..=tokens {
                for mut way in splits(rest, tokens - share) {
                    set(&mut way, *first, share);
                    found.push(way);
                }
            }
            found
        }
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

fn raise(demand: &mut Demand, place: Place, least: u32) {
    let least = least.max(guarded(demand, place));
    set(demand, place, least);
}

/// The initial markings are below, no firing leads out, and no target is below.
fn check_ideals(net: &Net, ideals: &[Marking]) -> Result<(), Refusal> {
    if ideals.iter().any(|ideal| ideal.len() != net.places.len()) {
        return Err("a bound is one of another net".to_owned().into());
    }
    for ideal in ideals {
        let bounded = ideal.iter().filter(|&&tokens| tokens != OMEGA);
        if bounded.map(|&tokens| u64::from(tokens)).sum::<u64>() > u64::from(MOST_TOKENS) {
            let why = "a bound is larger than can be checked".to_owned();
            return Err(Refusal::TooLarge(why));
        }
    }
    let ceiling = Ceiling::new(ideals, net.places.len());
    if !ceiling.is_above(&net.most) {
        return Err("the initial markings are not inside".to_owned().into());
    }
    for ideal in ideals {
        if net.is_unsafe(ideal) {
            return Err("a target is inside".to_owned().into());
        }
        for (firing, after) in net.successors(ideal) {
            if !ceiling.is_above(&after) {
                let name = &net.transitions[firing.transition].name;
                return Err(format!("{name} leads outside").into());
            }
        }
    }
    Ok(())
}

/// Ideals, to find one that is above a marking. Most often it is the marking itself; only if it
/// is not, the ideals are arranged under the places in which they differ.
struct Ceiling<'a> {
    ideals: &'a [Marking],
    places: usize,
    all: HashSet<&'a [u32]>,
    shelves: OnceCell<Vec<(usize, Vec<u32>)>>,
}

impl<'a> Ceiling<'a> {
    fn new(ideals: &'a [Marking], places: usize) -> Ceiling<'a> {
        Ceiling {
            ideals,
            places,
            all: ideals.iter().map(Vec::as_slice).collect(),
            shelves: OnceCell::new(),
        }
    }

    /// For each place in which ideals differ those with tokens there, the largest number first.
    /// Whoever is above a marking stands in front of all who allow fewer tokens, at each place;
    /// the place with the fewest in front is looked at.
    fn shelves(&self) -> Vec<(usize, Vec<u32>)> {
        let differ = |&place: &usize| {
            let mut pairs = self.ideals.windows(2);
            pairs.any(|pair| pair[0][place] != pair[1][place])
        };
        let shelf = |place: usize| {
            let marked = (0u32..).zip(self.ideals);
            let marked = marked.filter(|(_, ideal)| ideal[place] > 0);
            let mut shelf: Vec<u32> = marked.map(|(index, _)| index).collect();
            shelf.sort_by_key(|&index| Reverse(self.ideals[index as usize][place]));
            (place, shelf)
        };
        (0..self.places).filter(differ).map(shelf).collect()
    }

    /// Whether a marking is below one of the ideals.
    fn is_above(&self, marking: &[u32]) -> bool {
        if self.all.contains(marking) {
            return true;
        }
        let is_below = |ideal: &Marking| {
            let mut pairs = ideal.iter().zip(marking);
            pairs.all(|(bound, tokens)| tokens <= bound)
        };
        let shelves = self.shelves.get_or_init(|| self.shelves());
        let marked = shelves.iter().filter(|(place, _)| marking[*place] > 0);
        let in_front = marked.map(|(place, shelf)| {
            let enough = |&index: &u32| self.ideals[index as usize][*place] >= marking[*place];
            &shelf[..shelf.partition_point(enough)]
        });
        match in_front.min_by_key(|ideals| ideals.len()) {
            Some(ideals) => ideals
                .iter()
                .any(|&index| is_below(&self.ideals[index as usize])),
            None => self.ideals.iter().any(is_below),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{PLACES, demand, net, transition};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Whether a run with few tokens leads above a target.
    fn is_seen_unsafe(net: &Net) -> bool {
        let bounds = net.least.iter().zip(&net.most);
        let mut waiting: Vec<Marking> = vec![Vec::new()];
        for (&least, &most) in bounds {
            let longer = |marking: Marking| {
                let tokens = least..=most.min(3);
                tokens.map(move |tokens| [marking.as_slice(), &[tokens]].concat())
            };
            waiting = waiting.into_iter().flat_map(longer).collect();
        }
        let mut seen: BTreeSet<Marking> = waiting.iter().cloned().collect();
        while let Some(marking) = waiting.pop() {
            if net.is_unsafe(&marking) {
                return true;
            }
            for (_, after) in net.successors(&marking) {
                if after.iter().all(|&tokens| tokens < 6) && seen.insert(after.clone()) {
                    waiting.push(after);
                }
            }
        }
        false
    }

    fn backward() -> impl Strategy<Value = Certificate> {
        let weights = proptest::collection::btree_map(0..PLACES, 0u64..3, 0..4);
        let sum = (weights, 0u64..4).prop_map(|(weights, bound)| {
            let weights = weights.into_iter();
            let weights = weights.map(|(place, weight)| (Place(place), weight));
            Linear {
                weights: weights.collect(),
                bound,
            }
        });
        let linear = proptest::collection::vec(sum, 0..2);
        let empty = proptest::collection::vec((0..PLACES).prop_map(Place), 0..2);
        let basis = proptest::collection::vec(demand(1), 0..5);
        (linear, empty, basis).prop_map(|(linear, empty, basis)| Certificate::Backward {
            linear,
            empty,
            basis,
        })
    }

    fn forward() -> impl Strategy<Value = Certificate> {
        let bound = prop_oneof![Just(0), Just(1), Just(2), Just(OMEGA), Just(OMEGA)];
        let ideal = proptest::collection::vec(bound, PLACES as usize);
        proptest::collection::vec(ideal, 1..4).prop_map(Certificate::Forward)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        /// Whatever somebody writes down, an unsafe net is not taken for a safe one.
        #[test]
        fn guessed_certificates_prove_nothing_wrong(
            net in net(proptest::collection::vec(transition(), 1..3)),
            guess in prop_oneof![backward(), forward()],
        ) {
            if check_safe(&net, &guess).is_ok() {
                prop_assert!(!is_seen_unsafe(&net));
            }
        }
    }
}
