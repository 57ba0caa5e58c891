//! Steps that always follow each other, made one: Berthelot's agglomeration ("Transformations and
//! decompositions of nets", 1987), where one token says what may happen.
//!
//! A set of places is *exclusive* if it never holds more than one token together and every
//! transition needs that token: the shared states of a thread transition system are one. As long as
//! the token is in a place of the set, only those transitions can happen that take it from there.
//! So if one transition brings the token to a place, the next one takes it away, whatever either
//! of them does to other places: the two can be made one, and the place is *passing*. Files that
//! were made from nets have thousands of such places, because a thread transition system moves one
//! thread at a time: a transition of the net that takes three tokens is three steps there.
//!
//! What is needed beside that: a passing place is empty initially; each target asks for the token in
//! a place that is not passing; and who brings the token or takes it away changes all other places
//! by numbers, so that both together are a transition again. Transfers and waking elsewhere do not
//! matter, because nothing happens between the two. Berthelot's own conditions for nets without such a
//! token ask less of the net, but a basis of the smaller net says little about the larger one then.
//!
//! Runs are expanded: a joined transition stands for those that it was made of. A certificate of
//! the smaller net is not translated. Each of its elements would be needed once more for each
//! passing place, in the millions for nets where this pays. Instead it names the exclusive and the
//! passing places, and who checks it ([`crate::certificate`]) checks the conditions above, joins
//! the transitions once more, and goes on with the smaller net.
//!
//! Only places that one transition brings the token to, or that one takes it from, are
//! passing: then there are fewer transitions afterwards.

use crate::certificate::{Agglomerated, Answer, Certificate, Run};
use crate::net::{Firing, MOST_TOKENS, Net, OMEGA, Place, Transition, Update};
use crate::predecessors::{at, is_change};
use crate::replay::follow;
use std::collections::BTreeMap;

/// A net with fewer transitions that covers a target if and only if the whole net does. It has the
/// same places, of which the passing ones are not used.
pub(crate) struct Agglomeration {
    pub(crate) net: Net,
    exclusive: Vec<Place>,
    passing: Vec<Place>,
    /// For each transition of the smaller net what it was made of.
    origins: Vec<usize>,
    parts: Vec<Part>,
}

/// What a transition is in the whole net.
#[derive(Clone, Copy)]
enum Part {
    /// This one.
    Single(usize),
    /// One part after the other.
    Pair(usize, usize),
}

/// Transitions that touch more places are not made, so that long chains take no more than linear
/// time.
const MOST_TOUCHED: usize = 64;

impl Agglomeration {
    /// The smaller net, if there is one.
    pub(crate) fn of(net: &Net) -> Option<Agglomeration> {
        let exclusive = exclusive(net)?;
        let mut joining = Joining::new(net, &exclusive);
        let passing = joining.run(net);
        if passing.is_empty() {
            return None;
        }
        let (mut transitions, mut origins) = (Vec::new(), Vec::new());
        for (part, transition) in joining.transitions.into_iter().enumerate() {
            if let Some(transition) = transition {
                transitions.push(transition);
                origins.push(part);
            }
        }
        Some(Agglomeration {
            net: Net {
                places: net.places.clone(),
                transitions,
                least: net.least.clone(),
                most: net.most.clone(),
                targets: net.targets.clone(),
            },
            exclusive: (0u32..)
                .zip(exclusive)
                .filter(|&(_, is_exclusive)| is_exclusive)
                .map(|(place, _)| Place(place))
                .collect(),
            passing,
            origins,
            parts: joining.parts,
        })
    }

    /// What an answer about the smaller net says about the whole net.
    pub(crate) fn widen(&self, net: &Net, answer: Answer) -> Answer {
        match answer {
            Answer::Safe(certificate) => {
                Answer::Safe(Certificate::Agglomerated(Box::new(Agglomerated {
                    exclusive: self.exclusive.clone(),
                    passing: self.passing.clone(),
                    rest: certificate,
                })))
            }
            Answer::Unsafe(run) => Answer::Unsafe(self.expand(net, run)),
            Answer::Unknown(reason) => Answer::Unknown(reason),
        }
    }

    fn expand(&self, net: &Net, run: Run) -> Run {
        let mut firings = Vec::new();
        for firing in run.firings {
            let mut open = vec![self.origins[firing.transition]];
            while let Some(part) = open.pop() {
                match self.parts[part] {
                    Part::Single(transition) => firings.push(Firing {
                        transition,
                        // Who was joined wakes nobody.
                        wake: firing.wake,
                    }),
                    Part::Pair(first, second) => open.extend([second, first]),
                }
            }
        }
        follow(net, run.initial, firings)
    }
}

/// Transitions that become one.
struct Joining {
    /// Those that are still there; joined ones come behind those of the whole net.
    transitions: Vec<Option<Transition>>,
    /// What each of them is made of.
    parts: Vec<Part>,
    /// For each exclusive place who brings the token there, and who needs it there, among them
    /// some who are not there any more.
    bringing: Vec<Vec<usize>>,
    needing: Vec<Vec<usize>>,
    is_exclusive: Vec<bool>,
}

impl Joining {
    fn new(net: &Net, is_exclusive: &[bool]) -> Joining {
        let places = net.places.len();
        let mut joining = Joining {
            transitions: Vec::with_capacity(net.transitions.len()),
            parts: Vec::with_capacity(net.transitions.len()),
            bringing: vec![Vec::new(); places],
            needing: vec![Vec::new(); places],
            is_exclusive: is_exclusive.to_vec(),
        };
        for (index, transition) in net.transitions.iter().enumerate() {
            joining.push(transition.clone(), Part::Single(index));
        }
        joining
    }

    fn push(&mut self, transition: Transition, part: Part) {
        let index = self.transitions.len();
        for place in needs(&transition).filter(|place| self.is_exclusive[place.index()]) {
            self.needing[place.index()].push(index);
        }
        for place in gains(&transition).filter(|place| self.is_exclusive[place.index()]) {
            self.bringing[place.index()].push(index);
        }
        self.transitions.push(Some(transition));
        self.parts.push(part);
    }

    /// Joins whatever can be joined; the places that are passing now, in their order.
    fn run(&mut self, net: &Net) -> Vec<Place> {
        let mut is_target = vec![false; net.places.len()];
        for &(place, _) in net.targets.iter().flatten() {
            is_target[place.index()] = true;
        }
        let places = (0..net.places.len() as u32).map(Place);
        let empty = places.filter(|place| net.most[place.index()] == 0);
        let candidates = empty.filter(|place| !is_target[place.index()]);
        let candidates: Vec<Place> = candidates
            .filter(|place| self.is_exclusive[place.index()])
            .collect();
        candidates
            .into_iter()
            .filter(|&place| self.pass(place))
            .collect()
    }

    /// Makes a place passing, if it can be.
    fn pass(&mut self, place: Place) -> bool {
        let is_there = |&index: &usize| self.transitions[index].is_some();
        let lists = [&self.bringing, &self.needing];
        let [first, second] = lists.map(|list| {
            let there = list[place.index()].iter().copied().filter(is_there);
            there.collect::<Vec<usize>>()
        });
        if first.len().min(second.len()) != 1 {
            return false;
        }
        let mut joined = Vec::with_capacity(first.len().max(second.len()));
        for &one in &first {
            for &other in &second {
                let pair = (&self.transitions[one], &self.transitions[other]);
                let (Some(before), Some(after)) = pair else {
                    return false;
                };
                let Some(both) = join(before, after, place) else {
                    return false;
                };
                joined.push((both, Part::Pair(one, other)));
            }
        }
        for index in first.into_iter().chain(second) {
            self.transitions[index] = None;
        }
        for (transition, part) in joined {
            self.push(transition, part);
        }
        true
    }
}

/// Two transitions as one, if the first brings a token to a place and the second takes it away.
fn join(first: &Transition, second: &Transition, place: Place) -> Option<Transition> {
    let is_plain = |transition: &Transition| {
        transition.wakes.is_empty() && transition.updates.iter().all(is_change)
    };
    let change = |transition: &Transition| {
        let updates = &transition.updates;
        let update = updates.iter().find(|update| update.place == place);
        update.map_or(0, |update| update.delta)
    };
    let brings = change(first) == 1 && at(&first.guard, place) == 0;
    let takes = change(second) == -1 && at(&second.guard, place) <= 1;
    if !is_plain(first) || !is_plain(second) || !brings || !takes {
        return None;
    }
    // What is needed before both, and how a place changes.
    let mut touched: BTreeMap<Place, (i64, i64)> = BTreeMap::new();
    for transition in [first, second] {
        let mut after: BTreeMap<Place, (i64, i64)> = BTreeMap::new();
        for &(place, least) in &transition.guard {
            after.entry(place).or_default().0 = i64::from(least);
        }
        for update in &transition.updates {
            let (least, delta) = after.entry(update.place).or_default();
            *least = (*least).max(-update.delta);
            *delta = update.delta;
        }
        for (place, (least, delta)) in after {
            let (needed, changed) = touched.entry(place).or_default();
            *needed = (*needed).max(least - *changed);
            *changed += delta;
        }
    }
    let most = i64::from(MOST_TOKENS);
    let is_countable = |&(needed, changed): &(i64, i64)| needed <= most && changed.abs() <= most;
    if touched.len() > MOST_TOUCHED || !touched.values().all(is_countable) {
        return None;
    }
    let guard = touched.iter();
    let guard = guard.filter(|&(_, &(needed, _))| needed > 0);
    let updates = touched.iter().filter(|&(_, &(_, changed))| changed != 0);
    Some(Transition {
        name: first.name.clone(),
        guard: guard
            .map(|(&place, &(needed, _))| (place, needed as u32))
            .collect(),
        updates: updates
            .map(|(&place, &(_, delta))| Update {
                place,
                sources: vec![place],
                delta,
            })
            .collect(),
        wakes: Vec::new(),
    })
}

/// For each place whether it is in an exclusive set, if one is found. The first place with one token
/// initially is taken to be in it, and much follows from that. Where it does not, the first of the
/// places in question is tried, and no other: files name such places first.
fn exclusive(net: &Net) -> Option<Vec<bool>> {
    let seed = net.most.iter().position(|&most| most == 1)?;
    let mut guess = Guess::new(net);
    guess.set(seed, Membership::Member);
    guess.close()?;
    for group in 0..guess.groups.len() {
        if let Some(place) = guess.undecided(group) {
            guess.set(place.index(), Membership::Member);
            guess.close()?;
        }
    }
    let membership = guess.membership.into_iter();
    Some(membership.map(|it| it == Membership::Member).collect())
}

/// Whether a place is in the exclusive set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Membership {
    Open,
    Member,
    Stranger,
}

/// Of a group of places one is in the set: those that a transition needs, or a target asks for.
/// Of those that a transition brings tokens to at most one is, and none if it does not take
/// the token.
struct Guess {
    membership: Vec<Membership>,
    groups: Vec<Group>,
    /// For each place the groups that it is in.
    of: Vec<Vec<usize>>,
    waiting: Vec<usize>,
    is_contradictory: bool,
}

/// Places that are needed together, and those that get tokens.
struct Group {
    needed: Vec<Place>,
    gains: Vec<Place>,
    /// Which of the needed places lose no token.
    kept: Vec<Place>,
}

impl Guess {
    fn new(net: &Net) -> Guess {
        let mut membership: Vec<Membership> = Vec::with_capacity(net.places.len());
        membership.extend(net.most.iter().map(|&most| match most {
            0 | 1 => Membership::Open,
            _ => Membership::Stranger,
        }));
        let mut groups = Vec::new();
        for transition in &net.transitions {
            let mut exclude = |place: Place| membership[place.index()] = Membership::Stranger;
            for update in transition.updates.iter().filter(|it| !is_change(it)) {
                exclude(update.place);
                update.sources.iter().for_each(|&source| exclude(source));
            }
            let changes = transition.updates.iter();
            let large = changes.filter(|update| update.delta.abs() > 1);
            large.for_each(|update| exclude(update.place));
            for &(from, to) in &transition.wakes {
                exclude(from);
                exclude(to);
            }
            let lost = transition.updates.iter().filter(|it| it.delta < 0);
            let lost: Vec<Place> = lost.map(|update| update.place).collect();
            let kept = needs(transition).filter(|place| !lost.contains(place));
            groups.push(Group {
                needed: needs(transition).collect(),
                gains: gains(transition).collect(),
                kept: kept.collect(),
            });
        }
        for target in &net.targets {
            groups.push(Group {
                needed: target.iter().map(|&(place, _)| place).collect(),
                gains: Vec::new(),
                kept: Vec::new(),
            });
        }
        // Initially at most one of them has the token.
        groups.push(Group {
            needed: (0u32..)
                .zip(&net.most)
                .filter(|&(_, &most)| most > 0 && most != OMEGA)
                .map(|(place, _)| Place(place))
                .collect(),
            gains: Vec::new(),
            kept: Vec::new(),
        });
        let mut of = vec![Vec::new(); net.places.len()];
        for (index, group) in groups.iter().enumerate() {
            for place in group.needed.iter().chain(&group.gains) {
                of[place.index()].push(index);
            }
        }
        Guess {
            membership,
            waiting: (0..groups.len()).collect(),
            groups,
            of,
            is_contradictory: false,
        }
    }

    fn set(&mut self, place: usize, membership: Membership) {
        match self.membership[place] {
            Membership::Open => {
                self.membership[place] = membership;
                self.waiting.extend(&self.of[place]);
            }
            known => self.is_contradictory |= known != membership,
        }
    }

    /// Draws all conclusions; `None` if they contradict each other.
    fn close(&mut self) -> Option<()> {
        while let Some(group) = self.waiting.pop() {
            let Group {
                needed,
                gains,
                kept,
            } = &self.groups[group];
            let is = |place: &&Place, wanted| self.membership[place.index()] == wanted;
            let member = needed.iter().find(|it| is(it, Membership::Member)).copied();
            let mut open = needed.iter().filter(|it| is(it, Membership::Open));
            let mut found: Vec<(Place, Membership)> = Vec::new();
            let next = gains.iter().find(|it| is(it, Membership::Member)).copied();
            let is_kept = member.is_some_and(|member| kept.contains(&member));
            if is_kept || next.is_some() {
                let others = gains.iter().filter(|&&it| is_kept || Some(it) != next);
                found.extend(others.map(|&it| (it, Membership::Stranger)));
            }
            match member {
                Some(member) => {
                    let others = needed.iter().filter(|&&it| it != member);
                    found.extend(others.map(|&it| (it, Membership::Stranger)));
                }
                None => match (open.next(), open.next()) {
                    (Some(&only), None) => found.push((only, Membership::Member)),
                    (Some(_), Some(_)) => {}
                    (None, _) => return None,
                },
            }
            for (place, membership) in found {
                self.set(place.index(), membership);
            }
            if self.is_contradictory {
                return None;
            }
        }
        Some(())
    }

    /// The first place of which it is not known whether it is the member of a group.
    fn undecided(&self, group: usize) -> Option<Place> {
        let is = |place: &Place, wanted| self.membership[place.index()] == wanted;
        let needed = &self.groups[group].needed;
        let has_member = needed.iter().any(|place| is(place, Membership::Member));
        let open = needed.iter().filter(|place| is(place, Membership::Open));
        open.min().copied().filter(|_| !has_member)
    }
}

/// The places of which a transition needs tokens, if it changes them by numbers.
fn needs(transition: &Transition) -> impl Iterator<Item = Place> {
    let taken = transition.updates.iter().filter(|it| it.delta < 0);
    let taken = taken.map(|update| update.place);
    let taken = taken.filter(|&place| at(&transition.guard, place) == 0);
    let guard = transition.guard.iter().map(|&(place, _)| place);
    guard.chain(taken)
}

/// The places to which a transition brings a number of tokens.
fn gains(transition: &Transition) -> impl Iterator<Item = Place> {
    let gains = transition.updates.iter().filter(|it| it.delta > 0);
    gains.map(|update| update.place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::{check_run, check_safe};
    use crate::formats::tts;
    use crate::portfolio::decide;
    use crate::{Unwatched, backward};

    fn read(system: &str, target: &str) -> Net {
        let parsed = tts::parse(system, Some(target), None);
        parsed.expect("it is well-formed").net
    }

    /// One token of `l0` and one of `l1` become `l2`, in two steps; `l1` comes from `l0`.
    const MEETING: &str = "4 3\n0 0 -> 1 1\n1 0 -> 2 1\n2 0 -> 3 0\n3 1 -> 2 2\n";

    #[test]
    fn states_with_one_way_in_or_out_are_passed() {
        let net = read(MEETING, "2|2,2");
        let smaller = Agglomeration::of(&net).expect("there are chains");
        // From 0 over 1 to 2, and from 2 over 3 back to 2.
        assert_eq!(smaller.passing, [Place(1), Place(3)]);
        assert_eq!(smaller.exclusive, [0, 1, 2, 3].map(Place));
        assert_eq!(smaller.net.transitions.len(), 2);
        let Answer::Unsafe(run) = backward(&smaller.net, &Unwatched) else {
            panic!("there are two tokens in l1");
        };
        assert_eq!(run.firings.len(), 3);
        let run = smaller.expand(&net, run);
        assert_eq!(run.firings.len(), 6);
        assert!(check_run(&net, &run).is_ok());
    }

    #[test]
    fn a_certificate_of_the_smaller_net_is_one_of_the_whole_net() {
        let net = read(MEETING, "2|2,2,2");
        let Answer::Safe(certificate) = decide(&net, &Unwatched).answer else {
            panic!("there are but two");
        };
        assert!(matches!(certificate, Certificate::Agglomerated(_)));
        assert_eq!(check_safe(&net, &certificate), Ok(()));
    }

    /// The state of a target is not passed, nor is one in which a thread can go round.
    #[test]
    fn not_everything_is_passed() {
        let net = read(MEETING, "3|2\n1|0\n2|2");
        assert!(Agglomeration::of(&net).is_none());
        let net = read(&format!("{MEETING}3 0 -> 3 1\n1 0 -> 1 0\n"), "2|2");
        assert!(Agglomeration::of(&net).is_none());
    }

    /// A chain is joined until its transitions get large.
    #[test]
    fn long_chains_take_little_time() {
        let length = 30_000;
        let steps = (0..length).map(|at| format!("{at} 0 -> {} {}", at + 1, 1 + at % 5000));
        let steps: Vec<String> = steps.collect();
        let system = format!("{} 5001\n{}\n", length + 1, steps.join("\n"));
        let net = read(&system, &format!("{length}|1,5000"));
        let smaller = Agglomeration::of(&net).expect("there is a chain");
        assert!(smaller.net.transitions.len() < length / (MOST_TOUCHED / 2));
        let Answer::Unsafe(run) = decide(&net, &Unwatched).answer else {
            panic!("the chain has an end");
        };
        assert_eq!(run.firings.len(), length);
    }
}
