//! Executions with few preemptions: a thread that could go on is interrupted only so often.
//!
//! Most mistakes need few preemptions, and with a bound on them the number of executions grows
//! with the length of a program only polynomially. This is iterative context bounding
//! (Musuvathi and Qadeer, PLDI 2007), with states stored: what needs no preemption is explored
//! first, then what needs one, and so on. A state counts once for each thread that could go on
//! from there without being preempted.

use crate::stores::{Visited, push_frugally};
use crate::{Book, Config, Examiner, Monitor, Survey};
use foldhash::fast::FixedState;
use raddle_model::{Halt, Move, Properties, Property, Reason, Schedule, Status, System, Thread};
use std::collections::HashSet;

/// Explores the executions with at most so many preemptions.
pub(crate) fn survey<S: System>(
    system: &S,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
    preemptions: u32,
) -> Survey {
    let mut search = Search {
        system,
        book: Book::new(config, monitor, stop_at_first),
        visited: Visited::new(),
        nodes: HashSet::default(),
        examiner: Examiner::default(),
        links: Vec::new(),
        now: Vec::new(),
        later: Vec::new(),
        words_waiting: 0,
        scratch: Vec::new(),
    };
    let told = match search.book.initial(system) {
        Some(state) => Some(search.run(state, preemptions)),
        // Otherwise the reason is known.
        None => {
            let is_fault = search.book.reasons().is_empty();
            is_fault.then(|| "the program ends before its first step".to_owned())
        }
    };
    if search.examiner.is_cut {
        let too_many = "a step has too many choices".to_owned();
        search.book.excuse(Reason::GaveUp(too_many));
    }
    if let Some(told) = told {
        search.book.excuse(Reason::Partial(told));
    }
    let (store, bytes) = (search.visited.bytes(), search.bytes());
    search.book.close(store, bytes)
}

struct Search<'a, S: System> {
    system: &'a S,
    book: Book<'a>,
    visited: Visited,
    /// The states that were met, each with the thread that could go on.
    nodes: HashSet<(u64, Option<Thread>), FixedState>,
    examiner: Examiner,
    /// From where and by which step each state was reached.
    links: Vec<(u32, Move)>,
    /// What is to be done with the preemptions that are allowed by now.
    now: Vec<Item<S::State>>,
    /// What is to be done with one more.
    later: Vec<Item<S::State>>,
    /// The size of the states that wait.
    words_waiting: u64,
    scratch: Vec<u32>,
}

/// Steps to be made from a state, the first one last.
struct Item<T> {
    state: T,
    /// The number of its link, plus one; zero for the initial state.
    link: u32,
    depth: u64,
    moves: Vec<Move>,
    words: u64,
}

impl<S: System> Search<'_, S> {
    /// Says what was explored.
    fn run(&mut self, initial: S::State, most: u32) -> String {
        self.arrive(initial, None, 0, 0);
        for bound in 0..=most {
            while !self.book.is_stopped()
                && let Some(item) = self.now.pop()
            {
                self.words_waiting -= item.words;
                self.work(item);
            }
            if self.book.is_stopped() {
                return match bound {
                    0 => "not even the executions without preemptions were all explored".to_owned(),
                    _ => told(bound - 1),
                };
            }
            if self.later.is_empty() {
                return format!("{}; more lead to nothing new", told(bound));
            }
            std::mem::swap(&mut self.now, &mut self.later);
        }
        told(most)
    }

    /// Makes the steps of an item.
    fn work(&mut self, item: Item<S::State>) {
        if self
            .book
            .config
            .limits
            .depth
            .is_some_and(|most| item.depth >= most)
        {
            return self.book.excuse(Reason::Depth);
        }
        for &step in item.moves.iter().rev() {
            if self.book.is_stopped() {
                return;
            }
            self.book.statistics.transitions += 1;
            let depth = item.depth + 1;
            let mut state = item.state.clone();
            match self.system.step(&mut state, step.thread, step.choice) {
                Ok(()) => {
                    if self.links.len() as u64 >= u64::from(u32::MAX) {
                        return self.book.stop(Reason::Memory);
                    }
                    push_frugally(&mut self.links, (item.link, step));
                    let link = self.links.len() as u32;
                    if !self.arrive(state, Some(step.thread), link, depth) {
                        self.links.pop();
                    }
                }
                Err(halt) => self.halted(halt, item.link, step, depth),
            }
            if self.book.is_due() {
                let (waiting, bytes) = (self.now.len() + self.later.len(), self.bytes());
                self.book.pulse(depth, waiting as u64, bytes);
            }
        }
    }

    #[cold]
    fn halted(&mut self, halt: Halt, link: u32, step: Move, depth: u64) {
        if let Some(fault) = self.book.halted(halt) {
            let links = &self.links;
            self.book.report(Property::Fault(fault), depth, || {
                let mut schedule = schedule(links, link);
                schedule.push(step);
                schedule
            });
        }
    }

    /// Looks at a state that `last` has led to. False if there is nothing to be done there.
    fn arrive(&mut self, mut state: S::State, last: Option<Thread>, link: u32, depth: u64) -> bool {
        self.scratch.clear();
        let words = self.system.encode(&state, &mut self.scratch);
        let size = words.len() as u64;
        let Some((number, is_new)) = self.visited.enter(words) else {
            self.book.stop(Reason::Memory);
            return false;
        };
        if is_new && !self.book.count_state() {
            return false;
        }
        // Going on from the canonical state keeps garbage from piling up.
        if !self.scratch.is_empty() {
            self.system.decode(&self.scratch, &mut state);
        }
        // Who waits with a time limit does not go on; and to let the time pass although others
        // could move costs as much as to interrupt somebody.
        let waits = |thread: Thread| self.system.is_impatient(&state, thread);
        let goes_on = |thread: &Thread| {
            matches!(self.system.status(&state, *thread), Status::Ready { .. }) && !waits(*thread)
        };
        let last = last.filter(goes_on);
        if !self.nodes.insert((number, last)) {
            return false;
        }
        let properties = match is_new {
            true => self.book.config.properties,
            false => NOTHING,
        };
        let (mut moves, mut found) = (Vec::new(), Vec::new());
        let stutters =
            self.examiner
                .examine(self.system, &state, &properties, &mut moves, &mut found);
        if is_new {
            self.book.statistics.stutters += stutters;
        }
        self.book.statistics.depth = self.book.statistics.depth.max(depth);
        for property in found {
            let links = &self.links;
            self.book.report(property, depth, || schedule(links, link));
        }
        let all_wait = moves.iter().all(|step| waits(step.thread));
        let is_free = |step: &Move| match last {
            Some(last) => step.thread == last,
            None => all_wait || !waits(step.thread),
        };
        let (free, costly): (Vec<Move>, Vec<Move>) = moves.into_iter().partition(is_free);
        let item = |moves, state| Item {
            state,
            link,
            depth,
            moves,
            words: size,
        };
        if !costly.is_empty() {
            self.words_waiting += size;
            self.later.push(item(costly, state.clone()));
        }
        if !free.is_empty() {
            self.words_waiting += size;
            self.now.push(item(free, state));
        }
        true
    }

    fn bytes(&self) -> u64 {
        let links = self.links.capacity() * size_of::<(u32, Move)>();
        let nodes = self.nodes.capacity() * size_of::<(u64, Option<Thread>)>();
        let items = (self.now.capacity() + self.later.capacity()) * size_of::<Item<S::State>>();
        self.visited.bytes() + 4 * self.words_waiting + (links + nodes + items) as u64
    }
}

const NOTHING: Properties = Properties {
    faults: false,
    deadlock: false,
    partial_deadlock: false,
    invariants: false,
};

fn told(bound: u32) -> String {
    match bound {
        0 => "only executions without preemptions were explored".to_owned(),
        1 => "only executions with at most one preemption were explored".to_owned(),
        more => format!("only executions with at most {more} preemptions were explored"),
    }
}

/// How a state was reached.
fn schedule(links: &[(u32, Move)], mut link: u32) -> Schedule {
    let mut schedule = Schedule::new();
    while let Some(index) = link.checked_sub(1) {
        let (before, step) = links[index as usize];
        schedule.push(step);
        link = before;
    }
    schedule.reverse();
    schedule
}
