//! From a component to an execution that goes round in it, as short as can be had cheaply.

use super::confirm;
use super::product::{Edge, Key, Product, Summary, Threads, mover, transitions};
use super::states::Node;
use crate::shorten::{Budget, Shortened, cost};
use foldhash::fast::FixedState;
use raddle_model::{Halt, Move, Property, Schedule, System, Unmet, Violation};
use std::collections::HashSet;

/// The states of a component.
pub(super) type Component = HashSet<Key, FixedState>;

/// A way into a component.
pub(super) struct Stem<T> {
    pub(super) schedule: Schedule,
    pub(super) state: T,
    pub(super) place: u32,
}

/// The steps of an execution that comes to a component and goes round there, and the first one of
/// the round. `known` is a way into the component; a shorter one is looked for among so many
/// states.
pub(super) fn find<S: System>(
    product: &mut Product<'_, S>,
    component: &Component,
    known: Stem<S::State>,
    most: u64,
) -> Result<(Schedule, usize), Halt> {
    let mut nearest = Walk::begin(product, product.states.system.initial()?, 0)?;
    let is_there = nearest
        .key(product)
        .is_some_and(|key| component.contains(&key));
    let mut is_wanted = |_: Edge, _: Threads, key: Key| component.contains(&key);
    let stem = match is_there || nearest.go(product, None, most, &mut is_wanted)? {
        true => Stem {
            schedule: nearest.steps.into_iter().flatten().collect(),
            state: nearest.node.state,
            place: nearest.place,
        },
        false => known,
    };
    let circle = circle(product, component, &stem)?;
    let repeats_from = stem.schedule.len();
    let mut schedule = stem.schedule;
    schedule.extend(circle.into_iter().flatten());
    Ok((schedule, repeats_from))
}

/// A way from a state of a component back to itself that has all that is needed. A step that is
/// none is that of an execution that cannot go on.
fn circle<S: System>(
    product: &mut Product<'_, S>,
    component: &Component,
    stem: &Stem<S::State>,
) -> Result<Vec<Option<Move>>, Halt> {
    let fairness = product.stated().fairness;
    let sets = product.automaton.sets;
    let mut walk = Walk::begin(product, stem.state.clone(), stem.place)?;
    let start = walk.key(product);
    loop {
        let summary = walk.summary;
        let is_enough = summary.is_enough(sets, fairness);
        if is_enough && !walk.steps.is_empty() && walk.key(product) == start {
            return Ok(walk.steps);
        }
        let mut is_wanted = |edge: Edge, enabled: Threads, key: Key| {
            let mut with = summary;
            with.add_edge(edge);
            with.add(Summary::of_state(enabled));
            let passed_over = summary.passed_over(fairness) & !with.passed_over(fairness);
            match is_enough {
                true => Some(key) == start,
                false => with.sets != summary.sets || passed_over != 0,
            }
        };
        if !walk.go(product, Some(component), u64::MAX, &mut is_wanted)? {
            return Err(Halt::GaveUp("a circle was found that is none".to_owned()));
        }
    }
}

/// A way through the product.
struct Walk<T> {
    node: Node<T>,
    place: u32,
    steps: Vec<Option<Move>>,
    /// What was met on the way.
    summary: Summary,
}

/// A state that was reached from where a walk ended.
struct Reached<T> {
    number: u64,
    /// The state, if the store does not give it back.
    kept: Option<Node<T>>,
    place: u32,
    enabled: Threads,
    /// The one before it, and the step from there.
    before: Option<(usize, Option<Move>, Edge)>,
}

impl<T: Clone + Send> Walk<T> {
    fn begin<S: System<State = T>>(
        product: &mut Product<'_, S>,
        state: T,
        place: u32,
    ) -> Result<Walk<T>, Halt> {
        let (enabled, _) = product.look(&state, &mut Vec::new())?;
        Ok(Walk {
            node: Node::new(state),
            place,
            steps: Vec::new(),
            summary: Summary::of_state(enabled),
        })
    }

    fn key<S: System<State = T>>(&mut self, product: &mut Product<'_, S>) -> Option<Key> {
        let number = product.states.number(None, &mut self.node)?;
        let place = self.place;
        Some(Key { number, place })
    }

    /// Goes on, by as few steps as possible, to the end of one that is wanted; false if there is
    /// none within so many states. All states are in the component, if there is one.
    fn go<S: System<State = T>>(
        &mut self,
        product: &mut Product<'_, S>,
        within: Option<&Component>,
        most: u64,
        is_wanted: &mut dyn FnMut(Edge, Threads, Key) -> bool,
    ) -> Result<bool, Halt> {
        let mut met = Component::default();
        let mut from = Node::new(self.node.state.clone());
        let mut to = Node::new(self.node.state.clone());
        let Some(number) = product.states.number(None, &mut from) else {
            return Ok(false);
        };
        let mut reached = vec![Reached {
            number,
            kept: product.states.keep(&from),
            place: self.place,
            enabled: 0,
            before: None,
        }];
        let (mut moves, mut unused) = (Vec::new(), Vec::new());
        let mut next = 0;
        while next < reached.len() && (reached.len() as u64) < most {
            let Reached { number, kept, .. } = &reached[next];
            product.states.come_back(*number, kept.as_ref(), &mut from);
            let (_, letter) = product.look(&from.state, &mut moves)?;
            let place = reached[next].place;
            let steps = moves.iter().copied().map(Some);
            let stays = moves.is_empty().then_some(None);
            for step in steps.chain(stays) {
                let number = match product.states.advance(&from, step, &mut to) {
                    Ok(Some(number)) => number,
                    Ok(None) => return Ok(false),
                    Err(Halt::Stopped(reason)) => return Err(Halt::Stopped(reason)),
                    Err(_) => continue,
                };
                product.states.settle(&mut to);
                let (enabled, _) = product.look(&to.state, &mut unused)?;
                let mover = step.map_or(0, mover);
                for it in transitions(product.automaton, place, letter) {
                    let key = Key {
                        number,
                        place: it.target,
                    };
                    if within.is_some_and(|component| !component.contains(&key)) {
                        continue;
                    }
                    let edge = Edge {
                        sets: it.sets,
                        mover,
                    };
                    let is_wanted = is_wanted(edge, enabled, key);
                    if !is_wanted && !met.insert(key) {
                        continue;
                    }
                    reached.push(Reached {
                        number,
                        kept: product.states.keep(&to),
                        place: it.target,
                        enabled,
                        before: Some((next, step, edge)),
                    });
                    if is_wanted {
                        self.arrive(&reached, to);
                        return Ok(true);
                    }
                }
            }
            next += 1;
        }
        Ok(false)
    }

    /// Goes to the last of the states that were reached, which is this one.
    fn arrive(&mut self, reached: &[Reached<T>], node: Node<T>) {
        let mut steps = Vec::new();
        let mut at = reached.len() - 1;
        self.place = reached[at].place;
        while let Some((before, step, edge)) = reached[at].before {
            steps.push(step);
            self.summary.add_edge(edge);
            self.summary.add(Summary::of_state(reached[at].enabled));
            at = before;
        }
        self.steps.extend(steps.into_iter().rev());
        self.node = node;
    }
}

/// The violation with a schedule that is easier to follow, if there is one that is found by leaving
/// out steps and by bringing those of a thread together. Each attempt is confirmed.
pub(crate) fn shorten<S: System>(system: &S, violation: &Violation, budget: Budget) -> Shortened {
    let mut best = violation.clone();
    let mut left = budget.steps;
    if let Property::Temporal(unmet) = &violation.property {
        let mut improver = Improver {
            system,
            unmet: unmet.clone(),
            schedule: violation.schedule.clone(),
            left: &mut left,
        };
        while improver.rotate() || improver.drop_blocks() || improver.bring_together() {}
        best = Violation {
            property: Property::Temporal(improver.unmet),
            schedule: improver.schedule,
        };
    }
    Shortened {
        violation: best,
        is_shortest: false,
    }
}

struct Improver<'a, S> {
    system: &'a S,
    unmet: Unmet,
    schedule: Schedule,
    /// How many steps may still be made.
    left: &'a mut u64,
}

impl<S: System> Improver<'_, S> {
    /// Takes another schedule if it shows the same.
    fn attempt(&mut self, schedule: Schedule, repeats_from: usize) -> bool {
        let Some(left) = self.left.checked_sub(schedule.len() as u64 + 1) else {
            *self.left = 0;
            return false;
        };
        *self.left = left;
        let unmet = Unmet {
            repeats_from,
            ..self.unmet.clone()
        };
        let is_confirmed = confirm(self.system, &schedule, &unmet);
        if is_confirmed {
            (self.schedule, self.unmet) = (schedule, unmet);
        }
        is_confirmed
    }

    /// Begins the circle earlier, if the step before it is its last one.
    fn rotate(&mut self) -> bool {
        let first = self.unmet.repeats_from;
        let has_circle = first < self.schedule.len();
        if first == 0
            || !has_circle
            || self.schedule[first - 1] != self.schedule[self.schedule.len() - 1]
        {
            return false;
        }
        let mut schedule = self.schedule.clone();
        schedule.pop();
        self.attempt(schedule, first - 1)
    }

    /// Leaves out steps that stand together, as many as possible.
    fn drop_blocks(&mut self) -> bool {
        let before = self.schedule.len();
        let mut size = before / 2;
        while size > 0 && *self.left > 0 {
            let mut start = 0;
            while start + size <= self.schedule.len() && *self.left > 0 {
                let first = self.unmet.repeats_from;
                let has_circle = first < self.schedule.len();
                let cuts_both = start < first && start + size > first;
                let leaves_none =
                    has_circle && start <= first && start + size == self.schedule.len();
                if cuts_both || leaves_none {
                    start += 1;
                    continue;
                }
                let mut schedule = self.schedule.clone();
                schedule.drain(start..start + size);
                let repeats_from = match start < first {
                    true => first - size,
                    false => first,
                };
                if !self.attempt(schedule, repeats_from) {
                    start += 1;
                }
            }
            size /= 2;
        }
        self.schedule.len() < before
    }

    /// Makes a step directly after the one that its thread made before, if there are fewer switches
    /// then.
    fn bring_together(&mut self) -> bool {
        for at in 1..self.schedule.len() {
            let thread = self.schedule[at].thread;
            let first = self.unmet.repeats_from;
            let least = if at < first { 0 } else { first };
            let before = (least..at)
                .rev()
                .find(|&it| self.schedule[it].thread == thread);
            let Some(before) = before.filter(|&it| it + 1 < at) else {
                continue;
            };
            let mut schedule = self.schedule.clone();
            let step = schedule.remove(at);
            schedule.insert(before + 1, step);
            if cost(&schedule) < cost(&self.schedule) && self.attempt(schedule, first) {
                return true;
            }
        }
        false
    }
}
