//! Turns a schedule into one that a person can follow: as few context switches as
//! possible, then as few steps as possible.
//!
//! First comes a best-first search for a violation of the same kind. If it ends
//! within its budget nothing better exists. Otherwise the given schedule is
//! improved locally: loops are cut out, blocks of steps of one thread are moved
//! together, and steps are dropped. Each attempt is executed, and only what is
//! strictly better is kept.

use crate::examine::Examiner;
use crate::replay::{checks_for, possible};
use foldhash::fast::FixedState;
use raddle_model::{Halt, Move, Properties, Property, Schedule, System, Violation};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::rc::Rc;

/// A violation of the same kind with a better schedule, or the given one if there
/// is none or if none is found. `budget` bounds the work: the states of the
/// best-first search, and about as many steps of attempts to improve the schedule
/// after it. The answer depends on nothing but the arguments.
pub fn shorten<S: System>(system: &S, violation: &Violation, budget: u64) -> Violation {
    let found = match BestFirst::new(system, violation).search(budget) {
        Ok(found) => found,
        Err(OutOfBudget) => Improver::new(system, violation, budget).improve(),
    };
    found.unwrap_or_else(|| violation.clone())
}

/// What is minimised: context switches, then steps.
pub fn cost(schedule: &[Move]) -> Cost {
    let switches = schedule
        .windows(2)
        .filter(|pair| pair[0].thread != pair[1].thread)
        .count();
    Cost {
        switches,
        steps: schedule.len(),
    }
}

/// How hard a schedule is to follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost {
    /// How often another thread goes on than the one that moved last.
    pub switches: usize,
    /// How many steps there are.
    pub steps: usize,
}

/// A search for the best violation of the same kind.
///
/// What it costs to go on depends on the state and on the thread that moved last,
/// so these together are the nodes. Costs never shrink along an execution, so that
/// Dijkstra's algorithm applies.
struct BestFirst<'a, S: System> {
    judge: Judge<'a, S>,
    nodes: Vec<Node>,
    /// The least cost of each place that was met.
    costs: HashMap<Rc<[u32]>, Cost, FixedState>,
    /// Costs and nodes. Of equal costs the older node comes first.
    queue: BinaryHeap<Reverse<(Cost, usize)>>,
    /// The best violation so far, or what has to be improved.
    bound: Cost,
    scratch: Vec<u32>,
    place: Vec<u32>,
}

struct Node {
    /// The node before it and the step from there; none for the initial state.
    from: Option<(usize, Move)>,
    /// The canonical form of the state, and behind it the thread that moved last.
    place: Rc<[u32]>,
}

struct OutOfBudget;

impl<'a, S: System> BestFirst<'a, S> {
    fn new(system: &'a S, violation: &'a Violation) -> Self {
        BestFirst {
            judge: Judge::new(system, &violation.property),
            nodes: Vec::new(),
            costs: HashMap::default(),
            queue: BinaryHeap::new(),
            bound: cost(&violation.schedule),
            scratch: Vec::new(),
            place: Vec::new(),
        }
    }

    /// The best violation, if it is better than the given one.
    fn search(mut self, budget: u64) -> Result<Option<Violation>, OutOfBudget> {
        let Ok(mut state) = self.judge.system.initial() else {
            return Ok(None);
        };
        let mut to = state.clone();
        let mut moves = Vec::new();
        let mut best = None;
        self.meet(
            &state,
            None,
            Cost {
                switches: 0,
                steps: 0,
            },
        );
        while let Some(Reverse((price, node))) = self.queue.pop() {
            if price >= self.bound {
                break;
            }
            if !self.enter(node, price, &mut state) {
                continue;
            }
            moves.clear();
            if let Some(property) = self.judge.violation_in(&state, &mut moves) {
                let schedule = self.schedule(node);
                return Ok(Some(Violation { property, schedule }));
            }
            while let Some(step) = moves.pop() {
                let next = self.price(node, price, step);
                if next >= self.bound {
                    continue;
                }
                to.clone_from(&state);
                match self.judge.step(&mut to, step) {
                    Stepped::On => self.meet(&to, Some((node, step)), next),
                    Stepped::Violation(property) => {
                        self.bound = next;
                        let mut schedule = self.schedule(node);
                        schedule.push(step);
                        best = Some(Violation { property, schedule });
                    }
                    Stepped::Nowhere => {}
                }
            }
            if self.nodes.len() as u64 > budget {
                return Err(OutOfBudget);
            }
        }
        Ok(best)
    }

    /// Queues a state, unless it is known with a cost as low.
    fn meet(&mut self, state: &S::State, from: Option<(usize, Move)>, price: Cost) {
        self.scratch.clear();
        let words = self.judge.system.encode(state, &mut self.scratch);
        self.place.clear();
        self.place.extend_from_slice(words);
        self.place
            .push(from.map_or(u32::MAX, |(_, step)| step.thread.0));
        let place = match self.costs.get_mut(self.place.as_slice()) {
            Some(known) if *known <= price => return,
            _ => Rc::from(self.place.as_slice()),
        };
        self.costs.insert(Rc::clone(&place), price);
        self.queue.push(Reverse((price, self.nodes.len())));
        self.nodes.push(Node { from, place });
    }

    /// Restores the state of a node; false if it was met again for less.
    fn enter(&self, node: usize, price: Cost, state: &mut S::State) -> bool {
        let place = &self.nodes[node].place;
        if self.costs.get(place).is_some_and(|&least| least < price) {
            return false;
        }
        if let [words @ .., _] = &place[..] {
            self.judge.system.decode(words, state);
        }
        true
    }

    /// The cost after a step.
    fn price(&self, node: usize, price: Cost, step: Move) -> Cost {
        let last = self.nodes[node].from.map(|(_, step)| step.thread);
        let switch = last.is_some_and(|last| last != step.thread);
        Cost {
            switches: price.switches + usize::from(switch),
            steps: price.steps + 1,
        }
    }

    fn schedule(&self, node: usize) -> Schedule {
        let mut schedule = Schedule::new();
        let mut from = self.nodes[node].from;
        while let Some((node, step)) = from {
            schedule.push(step);
            from = self.nodes[node].from;
        }
        schedule.reverse();
        schedule
    }
}

/// Improves a schedule where it can.
struct Improver<'a, S: System> {
    judge: Judge<'a, S>,
    schedule: Schedule,
    /// The violation at its end, once it is not the given one.
    property: Option<Property>,
    /// How long the schedules may be, together, that are still tried.
    budget: u64,
}

impl<'a, S: System> Improver<'a, S> {
    fn new(system: &'a S, violation: &'a Violation, budget: u64) -> Self {
        Improver {
            judge: Judge::new(system, &violation.property),
            schedule: violation.schedule.clone(),
            property: None,
            budget,
        }
    }

    fn improve(mut self) -> Option<Violation> {
        self.cut_loops();
        loop {
            let before = cost(&self.schedule);
            self.join_blocks();
            self.drop_steps();
            if self.budget == 0 || cost(&self.schedule) == before {
                break;
            }
        }
        let schedule = self.schedule;
        let violation = |property| Violation { property, schedule };
        self.property.map(violation)
    }

    /// Tries a schedule without the steps between equal states.
    fn cut_loops(&mut self) {
        let Ok(mut state) = self.judge.system.initial() else {
            return;
        };
        let mut scratch = Vec::new();
        let mut seen: HashMap<Box<[u32]>, usize, FixedState> = HashMap::default();
        let mut kept = Schedule::new();
        let mut places: Vec<Box<[u32]>> = Vec::new();
        for &step in &self.schedule {
            scratch.clear();
            let words = Box::<[u32]>::from(self.judge.system.encode(&state, &mut scratch));
            if let Some(&first) = seen.get(&words) {
                kept.truncate(first);
                for words in places.drain(first + 1..) {
                    seen.remove(&words);
                }
            } else {
                seen.insert(words.clone(), kept.len());
                places.push(words);
            }
            if possible(self.judge.system, &state, step).is_err() {
                break;
            }
            kept.push(step);
            if !matches!(self.judge.step(&mut state, step), Stepped::On) {
                break;
            }
        }
        self.attempt(kept);
    }

    /// Tries to move a block of steps of one thread to the next or from the next
    /// block of the same thread.
    fn join_blocks(&mut self) {
        let mut index = 0;
        while self.budget > 0 {
            let blocks = blocks(&self.schedule);
            let Some(&(start, end)) = blocks.get(index) else {
                return;
            };
            let thread = self.schedule[start].thread;
            let next = blocks[index + 1..]
                .iter()
                .find(|&&(start, _)| self.schedule[start].thread == thread);
            let joined = next.is_some_and(|&(next_start, next_end)| {
                let mut earlier = self.schedule.clone();
                earlier[end..next_end].rotate_left(next_start - end);
                let mut later = self.schedule.clone();
                later[start..next_start].rotate_left(end - start);
                self.attempt(earlier) || self.attempt(later)
            });
            if !joined {
                index += 1;
            }
        }
    }

    /// Tries to leave out steps, many at once at first, then fewer.
    fn drop_steps(&mut self) {
        let mut size = self.schedule.len() / 2;
        while size > 0 {
            let mut start = 0;
            while start < self.schedule.len() && self.budget > 0 {
                let end = (start + size).min(self.schedule.len());
                let mut shorter = self.schedule.clone();
                shorter.drain(start..end);
                if !self.attempt(shorter) {
                    start = end;
                }
            }
            size /= 2;
        }
    }

    /// Executes a schedule without the steps that have become impossible, until it
    /// violates the property; keeps it if it is better.
    fn attempt(&mut self, candidate: Schedule) -> bool {
        let Ok(mut state) = self.judge.system.initial() else {
            return false;
        };
        self.budget = self.budget.saturating_sub(candidate.len() as u64);
        let mut executed = Schedule::new();
        let mut candidate = candidate.into_iter();
        let property = loop {
            if let Some(property) = self.judge.violation_in(&state, &mut Vec::new()) {
                break property;
            }
            let possible = |&step: &Move| possible(self.judge.system, &state, step).is_ok();
            let Some(step) = candidate.find(possible) else {
                return false;
            };
            executed.push(step);
            match self.judge.step(&mut state, step) {
                Stepped::On => {}
                Stepped::Violation(property) => break property,
                Stepped::Nowhere => return false,
            }
        };
        let better = cost(&executed) < cost(&self.schedule);
        if better {
            self.schedule = executed;
            self.property = Some(property);
        }
        better
    }
}

/// Recognises a violation of the same kind.
struct Judge<'a, S: System> {
    system: &'a S,
    target: &'a Property,
    checks: Properties,
    examiner: Examiner,
    found: Vec<Property>,
}

enum Stepped {
    On,
    Violation(Property),
    Nowhere,
}

impl<'a, S: System> Judge<'a, S> {
    fn new(system: &'a S, target: &'a Property) -> Self {
        Judge {
            system,
            target,
            checks: checks_for(target),
            examiner: Examiner::default(),
            found: Vec::new(),
        }
    }

    /// The violation in a state, and the moves from it, the first one last.
    fn violation_in(&mut self, state: &S::State, moves: &mut Vec<Move>) -> Option<Property> {
        self.found.clear();
        let (checks, found) = (&self.checks, &mut self.found);
        self.examiner
            .examine(self.system, state, checks, moves, found);
        let target = self.target;
        self.found.drain(..).find(|found| found.same_kind(target))
    }

    fn step(&self, state: &mut S::State, step: Move) -> Stepped {
        match self.system.step(state, step.thread, step.choice) {
            Ok(()) => Stepped::On,
            Err(Halt::Fault(fault)) => match Property::Fault(fault) {
                fault if fault.same_kind(self.target) => Stepped::Violation(fault),
                _ => Stepped::Nowhere,
            },
            Err(_) => Stepped::Nowhere,
        }
    }
}

/// The start and the end of each block of steps of one thread.
fn blocks(schedule: &[Move]) -> Vec<(usize, usize)> {
    let mut start = 0;
    schedule
        .chunk_by(|a, b| a.thread == b.thread)
        .map(|block| {
            let block = (start, start + block.len());
            start = block.1;
            block
        })
        .collect()
}
