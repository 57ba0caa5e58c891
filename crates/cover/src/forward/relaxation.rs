//! How far a marking is from a target, if tokens were never taken away.
//!
//! In this relaxed world each place is *made* at some cost: one more than the sum of what the
//! action needs and what is not there yet. The cost of what a target still misses guides the
//! search. A marking that cannot make it even in this world is done with: no bound is needed
//! any more in the places that can be made, and no target is covered ever after.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::actions::{Actions, Desk};
use super::sparse::{Sparse, raise};
use crate::net::{Demand, OMEGA, Place};

pub(super) struct Relaxation {
    rules: Vec<Rule>,
    /// For each place the rules that need it, and how many tokens of it.
    users: Vec<Vec<(u32, u32)>>,
    /// The rules that need nothing.
    free: Vec<u32>,
    /// For each rule the number of its needs.
    needs: Vec<u32>,
    /// Scratch: the cost at which places are made, for each rule what it still waits for and
    /// what it costs so far.
    made: Vec<u32>,
    waiting: Vec<u32>,
    costs: Vec<u32>,
    /// For each place the targets that ask for it, and how many tokens.
    wanted: Vec<Vec<(u32, u32)>>,
    /// Scratch: for each target how many places it still misses, and what the others cost.
    missing: Vec<(u32, u32)>,
    /// How many rules were looked at, ever.
    pub(super) work: usize,
}

/// Whoever has what it needs makes a token in these places.
struct Rule {
    needs: Sparse,
    makes: Vec<Place>,
}

/// What is to be expected of a marking.
#[derive(Debug)]
pub(super) enum Outlook {
    /// A target is about so many steps away.
    Distance(u32),
    /// No target is ever covered, because no run leaves the markings below this one.
    DeadEnd(Sparse),
}

const NEVER: u32 = u32::MAX;

/// So many numbers are written in the time in which one rule is looked at.
const WORDS: usize = 16;

impl Relaxation {
    pub(super) fn new(actions: &Actions, targets: &[Demand]) -> Relaxation {
        let rules = rules(actions);
        let mut users = vec![Vec::new(); actions.places()];
        let mut free = Vec::new();
        for (index, rule) in (0..).zip(&rules) {
            for &(place, least) in &rule.needs {
                users[place.index()].push((index, least));
            }
            if rule.needs.is_empty() {
                free.push(index);
            }
        }
        let mut wanted = vec![Vec::new(); actions.places()];
        for (index, target) in (0..).zip(targets) {
            for &(place, least) in target {
                wanted[place.index()].push((index, least));
            }
        }
        Relaxation {
            wanted,
            work: 0,
            missing: targets.iter().map(|it| (it.len() as u32, 0)).collect(),
            users,
            free,
            needs: rules.iter().map(|rule| rule.needs.len() as u32).collect(),
            made: vec![NEVER; actions.places()],
            waiting: vec![0; rules.len()],
            costs: vec![0; rules.len()],
            rules,
        }
    }

    /// What is to be expected of a marking.
    pub(super) fn outlook(
        &mut self,
        desk: &mut Desk,
        marking: &[(Place, u32)],
        targets: &[Demand],
    ) -> Outlook {
        desk.load(marking);
        let distance = self.spread(desk, marking, targets);
        desk.unload(marking);
        if distance < NEVER {
            return Outlook::Distance(distance);
        }
        let mut bound = marking.to_vec();
        for (place, &cost) in (0..).map(Place).zip(&self.made) {
            if cost < NEVER {
                raise(&mut bound, place, OMEGA);
            }
        }
        Outlook::DeadEnd(bound)
    }

    /// Makes places, cheapest first, until a target has what it misses.
    fn spread(&mut self, desk: &Desk, marking: &[(Place, u32)], targets: &[Demand]) -> u32 {
        self.made.fill(NEVER);
        self.costs.fill(0);
        self.waiting.copy_from_slice(&self.needs);
        // Whatever is looked at, all of this was written.
        self.work += (self.made.len() + 2 * self.rules.len()) / WORDS;
        let mut queue = BinaryHeap::new();
        for index in 0..self.free.len() {
            self.apply(self.free[index], &mut queue);
        }
        for &(place, tokens) in marking {
            for user in 0..self.users[place.index()].len() {
                let (rule, least) = self.users[place.index()][user];
                if tokens >= least {
                    self.satisfy(rule, 0, &mut queue);
                }
            }
        }
        let mut best = self.misses(marking, targets);
        while let Some(Reverse((cost, place))) = queue.pop() {
            if cost > self.made[place as usize] {
                continue;
            }
            if cost >= best {
                break;
            }
            let tokens = desk.tokens(Place(place));
            for user in 0..self.users[place as usize].len() {
                let (rule, least) = self.users[place as usize][user];
                if tokens < least {
                    self.satisfy(rule, cost.saturating_mul(least - tokens), &mut queue);
                }
            }
            best = best.min(self.deliver(place as usize, cost, tokens));
        }
        best
    }

    fn satisfy(&mut self, rule: u32, cost: u32, queue: &mut BinaryHeap<Reverse<(u32, u32)>>) {
        self.work += 1;
        let index = rule as usize;
        self.costs[index] = self.costs[index].saturating_add(cost);
        self.waiting[index] -= 1;
        if self.waiting[index] == 0 {
            self.apply(rule, queue);
        }
    }

    fn apply(&mut self, rule: u32, queue: &mut BinaryHeap<Reverse<(u32, u32)>>) {
        let cost = self.costs[rule as usize].saturating_add(1).min(NEVER - 1);
        for &place in &self.rules[rule as usize].makes {
            if cost < self.made[place.index()] {
                self.made[place.index()] = cost;
                queue.push(Reverse((cost, place.0)));
            }
        }
    }

    /// Notes what each target misses in a marking; the cost is nothing if one misses nothing.
    fn misses(&mut self, marking: &[(Place, u32)], targets: &[Demand]) -> u32 {
        for (missing, target) in self.missing.iter_mut().zip(targets) {
            *missing = (target.len() as u32, 0);
        }
        for &(place, tokens) in marking {
            for &(target, least) in &self.wanted[place.index()] {
                self.missing[target as usize].0 -= u32::from(tokens >= least);
            }
        }
        match self.missing.iter().any(|&(places, _)| places == 0) {
            true => 0,
            false => NEVER,
        }
    }

    /// A place that had so many tokens is made at a cost, which is the least: what the cheapest
    /// target costs that misses nothing else any more.
    fn deliver(&mut self, place: usize, cost: u32, tokens: u32) -> u32 {
        let mut best = NEVER;
        for &(target, least) in &self.wanted[place] {
            if tokens < least {
                let (places, sum) = &mut self.missing[target as usize];
                *sum = sum
                    .saturating_add(cost.saturating_mul(least - tokens))
                    .min(NEVER - 1);
                *places -= 1;
                if *places == 0 {
                    best = best.min(*sum);
                }
            }
        }
        best
    }
}

fn rules(actions: &Actions) -> Vec<Rule> {
    let mut rules = Vec::new();
    for action in &actions.actions {
        let with = |place: Place| {
            let mut needs = action.needs.clone();
            raise(&mut needs, place, 1);
            needs
        };
        let more = action.shifts.iter().filter(|(_, delta)| *delta > 0);
        let grown = action.moves.iter().filter(|update| update.delta > 0);
        let makes: Vec<Place> = more
            .map(|&(place, _)| place)
            .chain(grown.map(|update| update.place))
            .collect();
        if !makes.is_empty() {
            let needs = action.needs.clone();
            rules.push(Rule { needs, makes });
        }
        for update in &action.moves {
            let others = update.sources.iter().filter(|&&at| at != update.place);
            rules.extend(others.map(|&source| Rule {
                needs: with(source),
                makes: vec![update.place],
            }));
        }
        rules.extend(action.wakes.iter().map(|&(from, to)| Rule {
            needs: with(from),
            makes: vec![to],
        }));
    }
    rules
}
