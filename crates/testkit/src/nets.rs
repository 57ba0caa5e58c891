//! Random small nets, and what must be true of every answer about them.
//!
//! Whatever the procedures say about a net, they do not contradict each other, nor an explicit
//! search from the initial markings with few tokens; runs can be replayed, and certificates
//! hold.

use crate::generate::Random;
use raddle_cover::{
    Answer, Demand, Marking, Monitor, Net, OMEGA, Place, Progress, Refusal, Transition, Update,
    check_run, check_safe,
};
use std::collections::{HashSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};

/// A procedure that decides coverability.
pub type Procedure = fn(&Net, &dyn Monitor) -> Answer;

/// The procedures and what they are called.
pub const PROCEDURES: [(&str, Procedure); 4] = [
    ("backward", raddle_cover::backward),
    (EXPLICIT, raddle_cover::explicit),
    ("forward", raddle_cover::forward),
    (PORTFOLIO, |net, monitor| {
        raddle_cover::decide(net, monitor).answer
    }),
];

/// What is shown in the end comes from this one.
const PORTFOLIO: &str = "portfolio";

/// This one gives up on infinite nets, which is no answer to be counted.
const EXPLICIT: &str = "explicit";

/// A random net; each fourth is like a thread transition system.
pub fn sample(seed: u64) -> Net {
    let mut random = Random(seed);
    if seed.is_multiple_of(4) {
        return threads(&mut random);
    }
    let shape = Shape {
        places: 2 + random.below(5),
        transfers: random.below(2) == 0,
        copies: random.below(3) == 0,
        wakes: random.below(3) == 0,
    };
    let mut least = Marking::new();
    let mut most = Marking::new();
    for _ in 0..shape.places {
        let (low, high) = match random.below(8) {
            0 => (0, OMEGA),
            1 => (1, OMEGA),
            2 => (0, 1),
            3 => (1, 1),
            4 => (2, 2),
            _ => (0, 0),
        };
        least.push(low);
        most.push(high);
    }
    let transitions = (0..1 + random.below(8))
        .map(|index| Transition {
            name: format!("t{index}"),
            ..shape.transition(&mut random)
        })
        .collect();
    let targets = (0..1 + random.below(2) * random.below(3))
        .map(|_| {
            let places = 1 + random.below(3);
            shape.demand(&mut random, places, 3)
        })
        .collect();
    Net {
        places: (0..shape.places).map(|place| format!("p{place}")).collect(),
        transitions,
        least,
        most,
        targets,
    }
}

/// A random net in which one token is in one of the first places, the states, and most
/// transitions move it, so that some places are only passed. In a few nets a transition
/// does without the token, or there are two of them.
fn threads(random: &mut Random) -> Net {
    let states = 3 + random.below(5);
    let locals = 2 + random.below(2);
    let shape = Shape {
        places: locals,
        transfers: random.below(3) == 0,
        copies: false,
        wakes: random.below(4) == 0,
    };
    let local = |place: Place| Place(place.0 + states as u32);
    let mut least = vec![0; (states + locals) as usize];
    let mut most = least.clone();
    (least[0], most[0]) = (1, 1);
    most[1] = u32::from(random.below(12) == 0);
    for place in states..states + locals {
        let bounds = [(0, 0), (1, 1), (2, 2), (0, OMEGA)];
        let place = place as usize;
        (least[place], most[place]) = bounds[random.below(4) as usize];
    }
    let mut transitions = Vec::new();
    for index in 0..states + random.below(5) {
        let mut transition = shape.transition(random);
        let places = transition.guard.iter_mut().map(|(place, _)| place);
        places.for_each(|place| *place = local(*place));
        for update in &mut transition.updates {
            update.place = local(update.place);
            update.sources.iter_mut().for_each(|it| *it = local(*it));
        }
        for (from, to) in &mut transition.wakes {
            (*from, *to) = (local(*from), local(*to));
        }
        // Most states are entered and left by one transition each.
        let from = Place(index.min(random.below(2 * states)) as u32 % states as u32);
        let to = Place(random.below(states) as u32);
        if random.below(40) > 0 {
            transition.guard.insert(0, (from, 1));
            for (place, delta) in [(from, -1), (to, 1)] {
                let update = Update {
                    place,
                    sources: vec![place],
                    delta,
                };
                transition.updates.extend((from != to).then_some(update));
            }
        }
        transition.name = format!("t{index}");
        transitions.push(transition);
    }
    let mut target: Demand = vec![(Place(random.below(states) as u32), 1)];
    let wanted = random.below(2);
    let demanded = shape.demand(random, wanted, 3).into_iter();
    target.extend(demanded.map(|(place, least)| (local(place), least)));
    if random.below(8) == 0 {
        target.remove(0);
    }
    let names = (0..states).map(|state| format!("s{state}"));
    Net {
        places: names
            .chain((0..locals).map(|place| format!("l{place}")))
            .collect(),
        transitions,
        least,
        most,
        targets: vec![target],
    }
}

/// What may occur in a net.
struct Shape {
    places: u64,
    transfers: bool,
    copies: bool,
    wakes: bool,
}

impl Shape {
    fn place(&self, random: &mut Random) -> Place {
        Place(random.below(self.places) as u32)
    }

    fn demand(&self, random: &mut Random, places: u64, most: u64) -> Demand {
        let mut demand = Demand::new();
        for _ in 0..places {
            let place = self.place(random);
            if demand.iter().all(|&(other, _)| other != place) {
                demand.push((place, 1 + random.below(most) as u32));
            }
        }
        demand.sort_unstable();
        demand
    }

    fn transition(&self, random: &mut Random) -> Transition {
        let guards = random.below(3);
        let mut transition = Transition {
            guard: self.demand(random, guards, 2),
            ..Transition::default()
        };
        for _ in 0..1 + random.below(3) {
            let place = self.place(random);
            let delta = [-2, -1, -1, -1, 1, 1, 1, 2][random.below(8) as usize];
            self.update(&mut transition, place, vec![place], delta);
        }
        if self.transfers && random.below(2) == 0 {
            let (from, to) = (self.place(random), self.place(random));
            let delta = [-1, 0, 0, 1][random.below(4) as usize];
            self.update(&mut transition, from, Vec::new(), delta.max(0));
            self.update(&mut transition, to, vec![to, from], delta);
        }
        if self.copies && random.below(2) == 0 {
            let (from, to) = (self.place(random), self.place(random));
            let both = random.below(2) == 0 && from != to;
            let sources = if both { vec![to, from] } else { vec![from] };
            self.update(&mut transition, to, sources, 0);
        }
        if self.wakes && random.below(2) == 0 {
            for _ in 0..1 + random.below(2) {
                let (from, to) = (self.place(random), self.place(random));
                if from != to {
                    transition.wakes.push((from, to));
                }
            }
        }
        transition
    }

    /// Adds an update; a second one of the same place is left out.
    fn update(&self, to: &mut Transition, place: Place, mut sources: Vec<Place>, delta: i64) {
        if to.updates.iter().all(|update| update.place != place) {
            sources.sort_unstable();
            sources.dedup();
            to.updates.push(Update {
                place,
                sources,
                delta,
            });
        }
    }
}

/// Whether a net is safe, found out by trying: from every initial marking, as long as there
/// are few tokens. `None` if that does not tell.
pub fn explicit(net: &Net) -> Option<bool> {
    const FEW: u32 = 4;
    const MANY: u32 = 12;
    const MARKINGS: usize = 3000;
    let mut is_complete = !net.most.contains(&OMEGA);
    let mut initial = vec![Marking::new()];
    for (&least, &most) in net.least.iter().zip(&net.most) {
        let tokens = least..=most.min(least + FEW);
        let longer = initial.iter().flat_map(|marking| {
            tokens.clone().map(|tokens| {
                let mut longer = marking.clone();
                longer.push(tokens);
                longer
            })
        });
        initial = longer.take(MARKINGS).collect();
        is_complete &= initial.len() < MARKINGS;
    }
    let mut seen: HashSet<Marking> = initial.iter().cloned().collect();
    let mut open: VecDeque<Marking> = initial.into();
    while let Some(marking) = open.pop_front() {
        if net.is_unsafe(&marking) {
            return Some(false);
        }
        for (_, after) in net.successors(&marking) {
            if after.iter().any(|&tokens| tokens > MANY) || seen.len() >= 2 * MARKINGS {
                is_complete = false;
            } else if seen.insert(after.clone()) {
                open.push_back(after);
            }
        }
    }
    is_complete.then_some(true)
}

/// An error if a search among markings with fewer tokens than a run has finds another run.
fn has_fewest_tokens(net: &Net, run: &raddle_cover::Run) -> Result<(), String> {
    const MARKINGS: usize = 500;
    let count = |marking: &Marking| marking.iter().map(|&it| u64::from(it)).sum::<u64>();
    let mut marking = run.initial.clone();
    let mut peak = count(&marking);
    for &firing in &run.firings {
        marking = net.fire(&marking, firing).unwrap_or_default();
        peak = peak.max(count(&marking));
    }
    let mut initial = vec![Marking::new()];
    for (&least, &most) in net.least.iter().zip(&net.most) {
        let tokens = least..=most.min(peak as u32);
        let longer = initial.iter().flat_map(|marking| {
            let more = |tokens| [marking.as_slice(), &[tokens]].concat();
            tokens.clone().map(more)
        });
        initial = longer
            .filter(|it| count(it) < peak)
            .take(MARKINGS)
            .collect();
    }
    let mut seen: HashSet<Marking> = initial.iter().cloned().collect();
    let mut open: VecDeque<Marking> = initial.into();
    while let Some(marking) = open.pop_front().filter(|_| seen.len() < MARKINGS) {
        if net.is_unsafe(&marking) {
            let fewer = count(&marking);
            return Err(format!("a run has {peak} tokens, where {fewer} are enough"));
        }
        let successors = net.successors(&marking).map(|(_, after)| after);
        for after in successors.filter(|after| count(after) < peak) {
            if seen.insert(after.clone()) {
                open.push_back(after);
            }
        }
    }
    Ok(())
}

/// How the answers of all procedures about one net, or many, turned out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Answers that a net is safe.
    pub safe: u64,
    /// Answers that it is not.
    pub unsafe_: u64,
    /// No answers.
    pub unknown: u64,
    /// Answers that the explicit search confirmed.
    pub confirmed: u64,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.safe += other.safe;
        self.unsafe_ += other.unsafe_;
        self.unknown += other.unknown;
        self.confirmed += other.confirmed;
    }
}

/// Asks all procedures, checks what they say, and compares. They are stopped when they have
/// asked the monitor so many times.
pub fn compare(net: &Net, patience: u64) -> Result<Tally, String> {
    if let Some(defect) = net.defect() {
        return Err(format!("the net has a defect: {defect}"));
    }
    let mut tally = Tally::default();
    let explicit = explicit(net);
    let mut known = explicit.map(|safe| ("explicit search", safe));
    for (name, procedure) in PROCEDURES {
        let monitor = Patience(AtomicU64::new(patience));
        let safe = match procedure(net, &monitor) {
            Answer::Unknown(why) if why.starts_with("BUG") => return Err(why),
            Answer::Unknown(_) => {
                tally.unknown += u64::from(name != EXPLICIT);
                continue;
            }
            Answer::Safe(certificate) => match check_safe(net, &certificate) {
                Ok(()) => {
                    tally.safe += 1;
                    true
                }
                Err(Refusal::TooLarge(_)) => {
                    tally.unknown += 1;
                    continue;
                }
                Err(why) => return Err(format!("the certificate of {name} is wrong: {why}")),
            },
            Answer::Unsafe(run) => {
                check_run(net, &run).map_err(|why| format!("the run of {name} is wrong: {why}"))?;
                if name == PORTFOLIO {
                    has_fewest_tokens(net, &run)?;
                }
                tally.unsafe_ += 1;
                false
            }
        };
        match known {
            Some((other, answer)) if answer != safe => {
                let say = |safe| if safe { "safe" } else { "unsafe" };
                let (first, second) = (say(answer), say(safe));
                return Err(format!("{other} says {first}, {name} says {second}"));
            }
            _ => known = Some((name, safe)),
        }
        tally.confirmed += u64::from(explicit.is_some());
    }
    Ok(tally)
}

/// Tries to pass off certificates of other nets as ones of an unsafe net: those of nets with
/// one thing less, which often are safe. How many there were.
pub fn forge(net: &Net, patience: u64) -> Result<u64, String> {
    let mut forged = 0;
    if explicit(net) != Some(false) {
        return Ok(forged);
    }
    let others = smaller(net).into_iter();
    for other in others.filter(|other| other.places == net.places && other.defect().is_none()) {
        for (name, procedure) in PROCEDURES {
            let monitor = Patience(AtomicU64::new(patience));
            if let Answer::Safe(certificate) = procedure(&other, &monitor) {
                forged += 1;
                if check_safe(net, &certificate).is_ok() {
                    let other = text(&other);
                    let who = format!("{name} gave {certificate:?}");
                    return Err(format!("the net is unsafe, but for\n{other}\n{who}"));
                }
            }
        }
    }
    Ok(forged)
}

/// Stops a procedure when it has asked this many times.
struct Patience(AtomicU64);

impl Monitor for Patience {
    fn go_on(&self, _progress: Progress) -> bool {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        left > 0
    }
}

/// What is wrong with the net of a seed, in a form that can be read: the smallest net found
/// that breaks the same law, and what it says.
pub fn explain(seed: u64, law: impl Fn(&Net) -> Result<(), String>) -> String {
    let net = shrink(sample(seed), |net| {
        net.defect().is_none() && law(net).is_err()
    });
    let what = law(&net).err().unwrap_or_default();
    format!("seed {seed}: {what}\n{}", text(&net))
}

/// A smaller net that still fails: parts are left out, and numbers made smaller, as long as
/// that is possible.
pub fn shrink(mut net: Net, fails: impl Fn(&Net) -> bool) -> Net {
    while let Some(smaller) = smaller(&net).into_iter().find(|smaller| fails(smaller)) {
        net = smaller;
    }
    net
}

/// Nets with one thing less.
fn smaller(net: &Net) -> Vec<Net> {
    let mut found = Vec::new();
    let mut with = |change: &dyn Fn(&mut Net)| {
        let mut changed = net.clone();
        change(&mut changed);
        if changed != *net {
            found.push(changed);
        }
    };
    for place in (0..net.places.len()).rev() {
        with(&|net| remove_place(net, Place(place as u32)));
        with(&|net| net.most[place] = net.least[place]);
        with(&|net| net.least[place] = 0);
        with(&|net| {
            net.least[place] = 0;
            net.most[place] = 0;
        });
        with(&|net| {
            net.most[place] = 1.max(net.least[place]).min(net.most[place]);
        });
    }
    for index in 0..net.targets.len() {
        with(&|net| _ = net.targets.remove(index));
        for part in 0..net.targets[index].len() {
            with(&|net| _ = net.targets[index].remove(part));
            with(&|net| net.targets[index][part].1 = 1);
        }
    }
    for (index, transition) in net.transitions.iter().enumerate() {
        with(&|net| _ = net.transitions.remove(index));
        for part in 0..transition.guard.len() {
            with(&|net| _ = net.transitions[index].guard.remove(part));
            with(&|net| net.transitions[index].guard[part].1 = 1);
        }
        for part in 0..transition.wakes.len() {
            with(&|net| _ = net.transitions[index].wakes.remove(part));
        }
        for (part, update) in transition.updates.iter().enumerate() {
            with(&|net| _ = net.transitions[index].updates.remove(part));
            with(&|net| net.transitions[index].updates[part].delta = update.delta.signum());
            with(&|net| net.transitions[index].updates[part].delta = 0);
            for source in 0..update.sources.len() {
                with(&|net| {
                    net.transitions[index].updates[part].sources.remove(source);
                });
            }
        }
    }
    found
}

/// The net without a place, and whatever is said of it.
fn remove_place(net: &mut Net, gone: Place) {
    let renamed = |place: Place| Place(place.0 - u32::from(place > gone));
    let demand = |demand: &mut Demand| {
        demand.retain(|&(place, _)| place != gone);
        demand
            .iter_mut()
            .for_each(|(place, _)| *place = renamed(*place));
    };
    net.places.remove(gone.index());
    net.least.remove(gone.index());
    net.most.remove(gone.index());
    net.targets.iter_mut().for_each(demand);
    for transition in &mut net.transitions {
        demand(&mut transition.guard);
        transition.updates.retain(|update| update.place != gone);
        for update in &mut transition.updates {
            update.place = renamed(update.place);
            update.sources.retain(|&source| source != gone);
            update.sources.iter_mut().for_each(|it| *it = renamed(*it));
        }
        let wakes = &mut transition.wakes;
        wakes.retain(|&(from, to)| from != gone && to != gone);
        for (from, to) in wakes {
            (*from, *to) = (renamed(*from), renamed(*to));
        }
    }
}

/// The net as text.
pub fn text(net: &Net) -> String {
    raddle_cover::formats::spec::print(net)
}
