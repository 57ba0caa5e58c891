//! Turns a schedule into one that a person can follow: as few context switches as
//! possible, then as few steps as possible.
//!
//! First comes a best-first search for a violation of the same kind. If it ends
//! within its part of the budget nothing better exists. Otherwise shorter schedules are looked
//! for: towards states in which few threads can move, if they wait for ever at its end, and then
//! in breadth; and what is best so far is improved locally: loops are cut out, blocks of steps of one thread are moved
//! together, and steps are dropped. Each attempt is executed, and only what is
//! strictly better is kept.

use crate::examine::Examiner;
use crate::liveness;
use crate::replay::{checks_for, possible};
use crate::{Monitor, Progress};
use foldhash::fast::FixedState;
use raddle_model::{Halt, Move, Properties, Property, Schedule, Status, System, Thread, Violation};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::rc::Rc;

/// A violation of the same kind with a better schedule, or the given one if there
/// is none or if none is found. The answer depends on nothing but the system, the violation and
/// the budget, as long as the monitor lets it go on.
pub fn shorten<S: System>(
    system: &S,
    violation: &Violation,
    budget: Budget,
    monitor: &mut dyn Monitor,
) -> Shortened {
    if let Property::NoEnd(_) = violation.property {
        // No way to where nothing can end has fewer steps.
        return Shortened {
            violation: violation.clone(),
            is_shortest: true,
        };
    }
    if matches!(violation.property, Property::Temporal(_)) {
        return liveness::shorten(system, violation, budget);
    }
    let mut purse = Purse::new(budget, monitor);
    let mut best = violation.clone();
    let mut search = |best: &mut Violation, aim, steps| {
        let (found, is_complete) = BestFirst::new(system, best, aim).search(&mut purse, steps);
        match found {
            Some(found) if cost(&found.schedule) < cost(&best.schedule) => *best = found,
            // It has fewer steps, but more context switches.
            Some(_) => return false,
            None => {}
        }
        is_complete
    };
    let mut is_shortest = search(&mut best, Aim::Switches, budget.steps / 4);
    if !is_shortest {
        if !matches!(violation.property, Property::Fault(_)) {
            search(&mut best, Aim::Blocked, budget.steps / 8);
        }
        is_shortest = search(&mut best, Aim::Steps, budget.steps / 2);
        let improved = Improver::new(system, &best, &mut purse).improve();
        best = improved.unwrap_or(best);
    }
    Shortened {
        violation: best,
        is_shortest,
    }
}

/// How much work may be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Steps that are executed.
    pub steps: u64,
    /// Words of the states that are remembered at a time.
    pub words: u64,
}

/// What came of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortened {
    /// The best violation that was found.
    pub violation: Violation,
    /// Whether there is none of its kind with fewer context switches, or none with fewer steps.
    pub is_shortest: bool,
}

/// What is left of a budget. All work is paid for here, so this is where it is stopped.
struct Purse<'a> {
    left: Budget,
    spent: u64,
    monitor: &'a mut dyn Monitor,
    is_stopped: bool,
}

impl<'a> Purse<'a> {
    /// So often the monitor is asked. A step of a large program takes long.
    const EVERY: u64 = 16;

    fn new(left: Budget, monitor: &'a mut dyn Monitor) -> Self {
        Purse {
            left,
            spent: 0,
            monitor,
            is_stopped: false,
        }
    }

    /// Pays for a step while so many words are remembered; false if it cannot be made any more.
    fn pay(&mut self, words: u64) -> bool {
        if self.left.steps == 0 || words > self.left.words || self.is_stopped {
            return false;
        }
        self.left.steps -= 1;
        self.spent += 1;
        if self.spent.is_multiple_of(Self::EVERY) {
            let progress = Progress {
                transitions: self.spent,
                bytes: words * size_of::<u32>() as u64,
                ..Progress::default()
            };
            self.is_stopped = self.monitor.tick(&progress).is_some();
        }
        !self.is_stopped
    }

    fn is_empty(&self) -> bool {
        self.left.steps == 0 || self.is_stopped
    }
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

/// What a search minimises first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// Context switches, then steps.
    Switches,
    /// Steps, then context switches as far as one state tells.
    Steps,
    /// The same, but in the order of how many threads can still move: quick, if all have to be
    /// blocked, and then not always the best.
    Blocked,
}

/// A cost as an aim ranks it.
type Rank = (usize, usize);

impl Aim {
    fn rank(self, Cost { switches, steps }: Cost) -> Rank {
        match self {
            Aim::Switches => (switches, steps),
            Aim::Steps | Aim::Blocked => (steps, switches),
        }
    }

    fn cost(self, rank: Rank) -> Cost {
        let (switches, steps) = match self {
            Aim::Switches => rank,
            Aim::Steps | Aim::Blocked => (rank.1, rank.0),
        };
        Cost { switches, steps }
    }
}

/// A search for the best violation of the same kind.
///
/// What it costs to go on depends on the state and on the thread that moved last,
/// so these together are the nodes; where only steps count, the state alone is one. Costs never
/// shrink along an execution, so that Dijkstra's algorithm applies.
struct BestFirst<'a, S: System> {
    aim: Aim,
    judge: Judge<'a, S>,
    nodes: Vec<Node<S::State>>,
    /// The least cost of each place that was met.
    costs: HashMap<Rc<[u32]>, Rank, FixedState>,
    /// Guesses of what is still missing, costs and nodes. Of equal ones the older node comes
    /// first.
    queue: BinaryHeap<Reverse<(usize, Rank, usize)>>,
    /// The best violation so far, or what has to be improved.
    bound: Rank,
    /// The words of all places, and of what goes with each of them.
    words: u64,
    scratch: Vec<u32>,
    place: Vec<u32>,
}

struct Node<T> {
    /// The node before it and the step from there; none for the initial state.
    from: Option<(usize, Move)>,
    /// The canonical form of the state, and behind it the thread that moved last.
    place: Rc<[u32]>,
    /// The state itself, if it cannot be made of that; it is looked at once.
    kept: Option<T>,
}

/// Words that a node takes beside those of its state.
const NODE_WORDS: u64 = 32;

impl<'a, S: System> BestFirst<'a, S> {
    fn new(system: &'a S, violation: &'a Violation, aim: Aim) -> Self {
        BestFirst {
            aim,
            judge: Judge::new(system, &violation.property),
            nodes: Vec::new(),
            costs: HashMap::default(),
            queue: BinaryHeap::new(),
            bound: aim.rank(cost(&violation.schedule)),
            words: 0,
            scratch: Vec::new(),
            place: Vec::new(),
        }
    }

    /// The best violation that was found, if it is better than the given one, and whether there
    /// is none better. Executes at most so many steps.
    fn search(mut self, purse: &mut Purse<'_>, most: u64) -> (Option<Violation>, bool) {
        let most = purse.spent + most;
        let Ok(mut state) = self.judge.system.initial() else {
            return (None, true);
        };
        let mut to = state.clone();
        let mut moves = Vec::new();
        let mut best = None;
        self.meet(&state, None, (0, 0));
        let is_exact = self.aim != Aim::Blocked;
        while let Some(Reverse((_, price, node))) = self.queue.pop() {
            if price >= self.bound && is_exact {
                break;
            }
            if price >= self.bound || !self.enter(node, price, &mut state) {
                continue;
            }
            moves.clear();
            if let Some(property) = self.judge.violation_in(&state, &mut moves) {
                let schedule = self.schedule(node);
                return (Some(Violation { property, schedule }), is_exact);
            }
            while let Some(step) = moves.pop() {
                let next = self.price(node, price, step);
                if next >= self.bound {
                    continue;
                }
                if purse.spent >= most || !purse.pay(self.words) {
                    return (best, false);
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
        }
        (best, is_exact)
    }

    /// Queues a state, unless it is known with a cost as low.
    fn meet(&mut self, state: &S::State, from: Option<(usize, Move)>, price: Rank) {
        self.scratch.clear();
        let words = self.judge.system.encode(state, &mut self.scratch);
        self.place.clear();
        self.place.extend_from_slice(words);
        let last = from.filter(|_| self.aim == Aim::Switches);
        self.place
            .push(last.map_or(u32::MAX, |(_, step)| step.thread.0));
        let place = match self.costs.get_mut(self.place.as_slice()) {
            Some(known) if *known <= price => return,
            _ => Rc::from(self.place.as_slice()),
        };
        self.costs.insert(Rc::clone(&place), price);
        let guess = self.guess(state, price);
        self.queue.push(Reverse((guess, price, self.nodes.len())));
        self.words += place.len() as u64 + NODE_WORDS;
        let kept = (!self.judge.system.decodes()).then(|| state.clone());
        self.nodes.push(Node { from, place, kept });
    }

    /// How far a state seems to be from the violation, and from the initial state; nothing,
    /// where the cost alone decides.
    fn guess(&self, state: &S::State, price: Rank) -> usize {
        /// Steps that one thread less to block is worth.
        const WORTH: usize = 4;
        if self.aim != Aim::Blocked {
            return 0;
        }
        let system = self.judge.system;
        let threads = (0..system.threads(state) as u32).map(Thread);
        let is_ready =
            |&thread: &Thread| matches!(system.status(state, thread), Status::Ready { .. });
        WORTH * threads.filter(is_ready).count() + self.aim.cost(price).steps
    }

    /// Restores the state of a node; false if it was met again for less.
    fn enter(&mut self, node: usize, price: Rank, state: &mut S::State) -> bool {
        let Node { place, kept, .. } = &mut self.nodes[node];
        let kept = kept.take();
        if self.costs.get(place).is_some_and(|&least| least < price) {
            return false;
        }
        match (kept, &place[..]) {
            (Some(kept), _) => *state = kept,
            (None, [words @ .., _]) => self.judge.system.decode(words, state),
            (None, []) => {}
        }
        true
    }

    /// The cost after a step.
    fn price(&self, node: usize, price: Rank, step: Move) -> Rank {
        let last = self.nodes[node].from.map(|(_, step)| step.thread);
        let switch = last.is_some_and(|last| last != step.thread);
        let Cost { switches, steps } = self.aim.cost(price);
        self.aim.rank(Cost {
            switches: switches + usize::from(switch),
            steps: steps + 1,
        })
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
struct Improver<'a, 'm, S: System> {
    judge: Judge<'a, S>,
    schedule: Schedule,
    /// The violation at its end, once it is not the given one.
    property: Option<Property>,
    purse: &'a mut Purse<'m>,
}

impl<'a, 'm, S: System> Improver<'a, 'm, S> {
    fn new(system: &'a S, violation: &'a Violation, purse: &'a mut Purse<'m>) -> Self {
        Improver {
            judge: Judge::new(system, &violation.property),
            schedule: violation.schedule.clone(),
            property: None,
            purse,
        }
    }

    fn improve(mut self) -> Option<Violation> {
        self.cut_loops();
        loop {
            let before = cost(&self.schedule);
            self.join_blocks();
            self.drop_steps();
            if self.purse.is_empty() || cost(&self.schedule) == before {
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
        let mut seen: HashMap<Rc<[u32]>, usize, FixedState> = HashMap::default();
        let mut kept = Schedule::new();
        let mut places: Vec<Rc<[u32]>> = Vec::new();
        let mut remembered = 0;
        for &step in &self.schedule {
            scratch.clear();
            let words = Rc::<[u32]>::from(self.judge.system.encode(&state, &mut scratch));
            remembered += words.len() as u64 + NODE_WORDS;
            if !self.purse.pay(remembered) {
                return;
            }
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
        let mut blocks = blocks(&self.schedule);
        while let Some(&Block { start, end, next }) = blocks.get(index) {
            if self.purse.is_empty() {
                return;
            }
            let joined = next.and_then(|next| blocks.get(next)).is_some_and(|next| {
                let mut earlier = self.schedule.clone();
                earlier[end..next.end].rotate_left(next.start - end);
                let mut later = self.schedule.clone();
                later[start..next.start].rotate_left(end - start);
                self.attempt(earlier) || self.attempt(later)
            });
            match joined {
                true => blocks = self::blocks(&self.schedule),
                false => index += 1,
            }
        }
    }

    /// Tries to leave out steps, many at once at first, then fewer; of a short schedule any that
    /// follow each other.
    fn drop_steps(&mut self) {
        const SHORT: usize = 48;
        let mut size = self.schedule.len() / 2;
        while size > 0 {
            let is_short = self.schedule.len() <= SHORT;
            let mut start = 0;
            while start < self.schedule.len() && !self.purse.is_empty() {
                let end = (start + size).min(self.schedule.len());
                let mut shorter = self.schedule.clone();
                shorter.drain(start..end);
                if !self.attempt(shorter) {
                    start = if is_short { start + 1 } else { end };
                }
            }
            size = if is_short { size - 1 } else { size / 2 };
        }
    }

    /// Executes a schedule without the steps that have become impossible, until it
    /// violates the property; keeps it if it is better.
    fn attempt(&mut self, candidate: Schedule) -> bool {
        let Ok(mut state) = self.judge.system.initial() else {
            return false;
        };
        let mut executed = Schedule::new();
        let mut candidate = candidate.into_iter();
        let property = loop {
            if let Some(property) = self.judge.violation_in(&state, &mut Vec::new()) {
                break property;
            }
            let step = loop {
                let Some(step) = candidate.next().filter(|_| self.purse.pay(0)) else {
                    return false;
                };
                if possible(self.judge.system, &state, step).is_ok() {
                    break step;
                }
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

/// Steps of one thread that follow each other.
struct Block {
    start: usize,
    end: usize,
    /// The next block of the same thread, by its index.
    next: Option<usize>,
}

/// The blocks of a schedule.
fn blocks(schedule: &[Move]) -> Vec<Block> {
    let mut start = 0;
    let block = |steps: &[Move]| {
        let end = start + steps.len();
        let block = Block {
            start,
            end,
            next: None,
        };
        start = end;
        block
    };
    let blocks = schedule.chunk_by(|a, b| a.thread == b.thread).map(block);
    let mut blocks: Vec<Block> = blocks.collect();
    let mut latest: HashMap<Thread, usize, FixedState> = HashMap::default();
    for (index, block) in blocks.iter_mut().enumerate().rev() {
        block.next = latest.insert(schedule[block.start].thread, index);
    }
    blocks
}
