//! The part of a net that matters for its targets.
//!
//! A transition matters if it may fire (as far as signs tell) and can bring tokens to a place
//! that matters; a place matters if a target or such a transition needs it. What is left out
//! can only take tokens away from what is kept, so the part covers a target if and only if
//! the net does, and answers about the part are answers about the net.
//!
//! A place with any number of tokens initially, which transitions change by numbers only, does
//! not matter either: there can always be as many tokens as a run takes.

use crate::certificate::{Answer, Certificate, Linear, Run};
use crate::net::{Demand, Firing, Net, OMEGA, Place, Transition, Update, covers};
use crate::predecessors::{can_bring, is_change};
use crate::pumps::Pumps;
use crate::replay::follow;
use crate::signs::Signs;

/// A part of a net, and where it is in the net.
pub(crate) struct Slice {
    /// The part as a net of its own.
    pub(crate) net: Net,
    places: Vec<Place>,
    transitions: Vec<usize>,
    /// The targets of the whole net that are those of the part.
    targets: Vec<usize>,
    signs: Signs,
    pumps: Pumps,
}

impl Slice {
    /// The part that matters.
    pub(crate) fn of(net: &Net) -> Slice {
        let signs = Signs::of(net);
        let is_marked = |&(place, _): &(Place, u32)| signs.marked[place.index()];
        let targets: Vec<usize> = (0..net.targets.len())
            .filter(|&target| net.targets[target].iter().all(is_marked))
            .collect();
        let pumps = Pumps::of(net, &signs.fires);
        let plenty = plenty(net, &signs, &pumps.most);
        let mut relevance = Relevance::new(net, &signs, &plenty);
        for &target in &targets {
            let demanded = net.targets[target].iter();
            demanded.for_each(|&(place, _)| relevance.need(place));
        }
        relevance.close(net);
        let kept = |matters: &[bool]| (0..matters.len()).filter(|&index| matters[index]).collect();
        let transitions: Vec<usize> = kept(&relevance.transitions);
        let indices: Vec<usize> = kept(&relevance.places);
        let mut numbers: Vec<Option<Place>> = vec![None; net.places.len()];
        for (number, &place) in (0u32..).zip(&indices) {
            numbers[place] = Some(Place(number));
        }
        let part = Net {
            places: indices
                .iter()
                .map(|&place| net.places[place].clone())
                .collect(),
            transitions: transitions
                .iter()
                .map(|&index| renumber(&net.transitions[index], &numbers))
                .collect(),
            least: indices.iter().map(|&place| net.least[place]).collect(),
            most: indices.iter().map(|&place| pumps.most[place]).collect(),
            targets: targets
                .iter()
                .map(|&target| renumber_demand(&net.targets[target], &numbers))
                .collect(),
        };
        Slice {
            net: part,
            places: indices
                .into_iter()
                .map(|place| Place(place as u32))
                .collect(),
            transitions,
            targets,
            signs,
            pumps,
        }
    }

    /// What an answer about the part says about the whole net.
    pub(crate) fn widen(&self, net: &Net, answer: Answer) -> Answer {
        match answer {
            Answer::Safe(certificate) => Answer::Safe(self.widen_certificate(net, certificate)),
            Answer::Unsafe(run) => match self.widen_run(net, run) {
                Some(run) => Answer::Unsafe(run),
                None => Answer::Unknown("the run to a target is too long".to_owned()),
            },
            Answer::Unknown(reason) => Answer::Unknown(reason),
        }
    }

    fn widen_certificate(&self, net: &Net, certificate: Certificate) -> Certificate {
        let place = |place: Place| self.places[place.index()];
        match certificate {
            Certificate::Backward {
                linear,
                empty,
                basis,
            } => {
                let widen_sum = |sum: Linear| Linear {
                    weights: sum
                        .weights
                        .into_iter()
                        .map(|(weighed, weight)| (place(weighed), weight))
                        .collect(),
                    bound: sum.bound,
                };
                let widen_demand = |demand: Demand| {
                    demand
                        .into_iter()
                        .map(|(demanded, least)| (place(demanded), least))
                };
                let mut all_empty = self.signs.empty();
                all_empty.extend(empty.into_iter().map(place));
                all_empty.sort_unstable();
                all_empty.dedup();
                Certificate::Backward {
                    linear: linear.into_iter().map(widen_sum).collect(),
                    empty: all_empty,
                    basis: basis
                        .into_iter()
                        .map(|demand| widen_demand(demand).collect())
                        .collect(),
                }
            }
            Certificate::Forward(ideals) => {
                let marked = self.signs.marked.iter();
                let anything: Vec<u32> = marked
                    .map(|&marked| if marked { OMEGA } else { 0 })
                    .collect();
                debug_assert_eq!(anything.len(), net.places.len());
                let widen_ideal = |ideal: Vec<u32>| {
                    let mut whole = anything.clone();
                    for (number, tokens) in ideal.into_iter().enumerate() {
                        whole[self.places[number].index()] = tokens;
                    }
                    whole
                };
                Certificate::Forward(ideals.into_iter().map(widen_ideal).collect())
            }
            // No procedure answers with one: it is made of the answer about the part.
            Certificate::Agglomerated(smaller) => Certificate::Agglomerated(smaller),
        }
    }

    /// The run from what is there initially: first whatever brings the tokens with which the
    /// run of the part begins, and those that it takes from places that do not matter.
    fn widen_run(&self, net: &Net, run: Run) -> Option<Run> {
        let mut last = run.initial.clone();
        let mut firings = run.firings.iter();
        let is_run = firings.all(|&firing| self.net.fire_in(&mut last, firing));
        let covered = is_run.then_some(last).and_then(|last| {
            let mut targets = self.targets.iter().zip(&self.net.targets);
            targets.find(|(_, target)| covers(&last, target))
        });
        let mut is_kept = vec![false; net.places.len()];
        let mut needed: Vec<u32> = vec![0; net.places.len()];
        for (&place, tokens) in self.places.iter().zip(run.initial) {
            is_kept[place.index()] = true;
            needed[place.index()] = tokens;
        }
        let firings: Vec<Firing> = run
            .firings
            .into_iter()
            .map(|firing| Firing {
                transition: self.transitions[firing.transition],
                wake: firing.wake,
            })
            .collect();
        let mut balance: Vec<i64> = vec![0; net.places.len()];
        for firing in &firings {
            let transition = &net.transitions[firing.transition];
            for &(place, least) in transition
                .guard
                .iter()
                .filter(|(place, _)| !is_kept[place.index()])
            {
                let missing = i64::from(least) - balance[place.index()];
                raise(&mut needed[place.index()], missing)?;
            }
            for update in transition
                .updates
                .iter()
                .filter(|update| !is_kept[update.place.index()])
            {
                let balance = &mut balance[update.place.index()];
                *balance = balance.checked_add(update.delta)?;
                raise(&mut needed[update.place.index()], -*balance)?;
            }
        }
        // If none is covered, whoever checks the run will notice.
        let target = covered.map(|(&target, _)| net.targets[target].iter());
        let target = target.into_iter().flatten();
        for &(place, least) in target.filter(|(place, _)| !is_kept[place.index()]) {
            let missing = i64::from(least) - balance[place.index()];
            raise(&mut needed[place.index()], missing)?;
        }
        let (initial, mut all) = self.pumps.prepare(net, &needed)?;
        all.extend(firings);
        Some(follow(net, initial, all))
    }
}

/// Raises a number of tokens to at least so many.
fn raise(tokens: &mut u32, least: i64) -> Option<()> {
    let least = u32::try_from(least.max(0)).ok()?;
    *tokens = least.max(*tokens);
    Some(())
}

/// The places that never lack tokens.
fn plenty(net: &Net, signs: &Signs, most: &[u32]) -> Vec<bool> {
    let mut plenty: Vec<bool> = most.iter().map(|&most| most == OMEGA).collect();
    let live = net
        .transitions
        .iter()
        .zip(&signs.fires)
        .filter(|&(_, &fires)| fires);
    for (transition, _) in live {
        for update in transition
            .updates
            .iter()
            .filter(|update| !is_change(update))
        {
            plenty[update.place.index()] = false;
            update
                .sources
                .iter()
                .for_each(|source| plenty[source.index()] = false);
        }
        for (from, to) in &transition.wakes {
            plenty[from.index()] = false;
            plenty[to.index()] = false;
        }
    }
    plenty
}

/// What matters, as far as it is known.
struct Relevance {
    places: Vec<bool>,
    transitions: Vec<bool>,
    /// Places that never matter.
    plenty: Vec<bool>,
    /// Places that matter and whose transitions were not looked at yet.
    waiting: Vec<Place>,
    /// For each place the transitions that can bring tokens to it, with the update that does, if
    /// it is one.
    bringing: Vec<Vec<(usize, Option<usize>)>>,
}

impl Relevance {
    fn new(net: &Net, signs: &Signs, plenty: &[bool]) -> Relevance {
        let mut bringing = vec![Vec::new(); net.places.len()];
        let live = net.transitions.iter().enumerate();
        for (index, transition) in live.filter(|&(index, _)| signs.fires[index]) {
            for (number, update) in transition.updates.iter().enumerate() {
                if can_bring(update) {
                    bringing[update.place.index()].push((index, Some(number)));
                }
            }
            for (_, to) in &transition.wakes {
                bringing[to.index()].push((index, None));
            }
        }
        Relevance {
            places: vec![false; net.places.len()],
            transitions: vec![false; net.transitions.len()],
            plenty: plenty.to_vec(),
            waiting: Vec::new(),
            bringing,
        }
    }

    fn need(&mut self, place: Place) {
        if !self.plenty[place.index()] && !std::mem::replace(&mut self.places[place.index()], true)
        {
            self.waiting.push(place);
        }
    }

    /// An update that changes a place by something else than a number can bring tokens to it: who
    /// looks at all that bring tokens to what matters sees all sources that matter.
    fn close(&mut self, net: &Net) {
        while let Some(place) = self.waiting.pop() {
            for (index, update) in std::mem::take(&mut self.bringing[place.index()]) {
                let transition = &net.transitions[index];
                if !std::mem::replace(&mut self.transitions[index], true) {
                    self.needs_of(transition);
                }
                let sources = update.map(|number| &transition.updates[number].sources);
                let sources = sources.into_iter().flatten();
                sources.for_each(|&source| self.need(source));
            }
        }
    }

    /// All that a transition needs to fire.
    fn needs_of(&mut self, transition: &Transition) {
        transition
            .guard
            .iter()
            .for_each(|&(place, _)| self.need(place));
        for update in transition.updates.iter().filter(|update| update.delta < 0) {
            self.need(update.place);
        }
        for &(from, to) in &transition.wakes {
            self.need(from);
            self.need(to);
        }
    }
}

fn renumber(transition: &Transition, numbers: &[Option<Place>]) -> Transition {
    let number = |place: &Place| numbers[place.index()];
    let updates = transition.updates.iter().filter_map(|update| {
        Some(Update {
            place: number(&update.place)?,
            sources: update.sources.iter().filter_map(number).collect(),
            delta: update.delta,
        })
    });
    let wakes = transition.wakes.iter();
    Transition {
        name: transition.name.clone(),
        guard: renumber_demand(&transition.guard, numbers),
        updates: updates.collect(),
        wakes: wakes
            .filter_map(|(from, to)| Some((number(from)?, number(to)?)))
            .collect(),
    }
}

fn renumber_demand(demand: &Demand, numbers: &[Option<Place>]) -> Demand {
    let kept = demand.iter();
    kept.filter_map(|&(place, least)| Some((numbers[place.index()]?, least)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backward::backward;
    use crate::certificate::{check_run, check_safe};
    use crate::formats::spec;
    use crate::forward::forward;
    use crate::monitor::Unwatched;

    fn read(text: &str) -> Net {
        spec::parse(text).expect("it is well-formed").net
    }

    /// `idle` is never short, so that `busy` is not either; `other` is of no use to anybody.
    const THREADS: &str = "vars go idle busy other stuck rules \
        go >= 1, idle >= 1 -> idle' = idle - 1, busy' = busy + 1; \
        go >= 1, busy >= 5 -> busy' = busy - 5, go' = go - 1, stuck' = stuck + 1; \
        stuck >= 1 -> other' = other + 1; \
        init go = 1, idle >= 1, busy = 0, other = 0, stuck = 0 target ";

    #[test]
    fn what_never_lacks_does_not_matter() {
        let net = read(&format!("{THREADS} stuck >= 1, busy >= 3"));
        let slice = Slice::of(&net);
        assert_eq!(slice.net.places, ["go", "stuck"]);
        assert_eq!(slice.net.transitions.len(), 1);
        let Answer::Unsafe(run) = slice.widen(&net, backward(&slice.net, &Unwatched)) else {
            panic!("it is unsafe");
        };
        assert_eq!(run.initial, [1, 8, 0, 0, 0]);
        assert_eq!(run.firings.len(), 9);
        assert!(check_run(&net, &run).is_ok());
    }

    #[test]
    fn certificates_of_the_part_hold_for_the_whole() {
        let net = read(&format!("{THREADS} stuck >= 1, go >= 1"));
        let slice = Slice::of(&net);
        for procedure in [backward, forward] {
            let Answer::Safe(certificate) = slice.widen(&net, procedure(&slice.net, &Unwatched))
            else {
                panic!("it is safe");
            };
            assert_eq!(check_safe(&net, &certificate), Ok(()));
        }
    }

    /// A place that is emptied by a transfer may lack tokens although any number is there
    /// initially.
    #[test]
    fn what_is_emptied_matters() {
        let net = read(
            "vars a b c rules true -> a' = 0, b' = b + a, c' = c + 1; \
             init a >= 0, b = 0, c = 0 target a >= 1, c >= 1",
        );
        let slice = Slice::of(&net);
        assert!(slice.net.places.contains(&"a".to_owned()));
        assert!(matches!(backward(&slice.net, &Unwatched), Answer::Safe(_)));
    }
}
