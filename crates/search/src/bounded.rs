//! Executions with few preemptions: a thread that could go on is interrupted only so often.
//!
//! Most mistakes need few preemptions, and with a bound on them the number of executions grows
//! with the length of a program only polynomially. This is iterative context bounding
//! (Musuvathi and Qadeer, PLDI 2007), with states stored. A state counts once for each thread that could
//! go on from there without being preempted.
//!
//! The bound does not limit who goes on when a thread blocks or ends, and of that there are exponentially
//! many ways if there are many threads. So the executions do not come in the order of their preemptions alone.
//! As in delay bounding (Emmi, Qadeer, Rakamaric, POPL 2011) there is a usual thread: the one that moved
//! last, or else the next one that can. Whoever else moves costs one; and two if its step depends neither
//! on what the usual thread does next nor on what was done last, because then it could as well have moved
//! earlier or later. What costs least is explored first, so that the first executions are polynomially many in
//! the number of threads, too. All that the bound allows is explored in the end.

use crate::stores::{Visited, push_frugally};
use crate::{Book, Config, Examiner, Monitor, Survey};
use foldhash::fast::FixedState;
use raddle_model::{
    Footprint, Halt, Move, Properties, Property, Reason, Schedule, Status, System, Thread,
};
use std::collections::{BTreeMap, HashMap, VecDeque};

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
        nodes: HashMap::default(),
        examiner: Examiner::default(),
        links: Vec::new(),
        now: Vec::new(),
        later: BTreeMap::new(),
        most: preemptions,
        cost: 0,
        words_waiting: 0,
        scratch: Vec::new(),
        footprints: Default::default(),
        is_bound_felt: false,
        is_wide: false,
        unfinished: u32::MAX,
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
    /// The states that were met, each with the thread that could go on, and the fewest preemptions
    /// by which it was reached.
    nodes: HashMap<(u64, Option<Thread>), u32, FixedState>,
    examiner: Examiner,
    /// From where and by which step each state was reached.
    links: Vec<(u32, Move)>,
    /// What is to be done at the present cost.
    now: Vec<Item<S::State>>,
    /// What is to be done at a higher cost, in the order in which it was met.
    later: BTreeMap<u64, VecDeque<Item<S::State>>>,
    /// The bound on preemptions.
    most: u32,
    /// The present cost.
    cost: u64,
    /// The size of the states that wait.
    words_waiting: u64,
    scratch: Vec<u32>,
    footprints: [Footprint; 2],
    /// Whether somebody was left out because of the bound.
    is_bound_felt: bool,
    /// Whether there are many threads.
    is_wide: bool,
    /// The preemptions of a step that was not made because the search ended.
    unfinished: u32,
}

/// Steps to be made from a state, the first one last.
struct Item<T> {
    state: T,
    /// The number of its link, plus one; zero for the initial state.
    link: u32,
    depth: u64,
    moves: Vec<Move>,
    words: u64,
    /// With how many preemptions these steps are made.
    preemptions: u32,
    /// The usual thread, if it is still to be found out which of the steps cost more.
    usual: Option<Thread>,
    /// What was touched last.
    before: Footprint,
}

impl<S: System> Search<'_, S> {
    /// Says what was explored.
    fn run(&mut self, initial: S::State, most: u32) -> String {
        self.arrive(initial, None, 0, 0, 0, Footprint::default());
        loop {
            while !self.book.is_stopped()
                && let Some(item) = self.now.pop()
            {
                self.words_waiting -= item.words;
                self.work(item);
            }
            if self.book.is_stopped() {
                return self.told_early();
            }
            let Some(mut next) = self.later.first_entry() else {
                break;
            };
            self.cost = *next.key();
            match next.get_mut().pop_front() {
                Some(item) => self.now.push(item),
                None => drop(next.remove()),
            }
        }
        match self.is_bound_felt {
            true => told(most),
            false => format!("{}; more lead to nothing new", told(most)),
        }
    }

    /// Up to which bound all was explored, if the search ends before it has come to the end.
    fn told_early(&self) -> String {
        let waiting = self.later.values().flatten().chain(&self.now);
        let fewest = waiting.map(|item| item.preemptions).min();
        match fewest.unwrap_or(0).min(self.unfinished) {
            0 => "not even the executions without preemptions were all explored".to_owned(),
            bound => told(bound - 1),
        }
    }

    /// Makes the steps of an item.
    fn work(&mut self, mut item: Item<S::State>) {
        if self
            .book
            .config
            .limits
            .depth
            .is_some_and(|most| item.depth >= most)
        {
            return self.book.excuse(Reason::Depth);
        }
        if let Some(usual) = item.usual.take() {
            self.put_off(&mut item, usual);
        }
        for index in (0..item.moves.len()).rev() {
            let step = item.moves[index];
            if self.book.is_stopped() {
                self.unfinished = self.unfinished.min(item.preemptions);
                return;
            }
            self.book.statistics.transitions += 1;
            let depth = item.depth + 1;
            let mut state = item.state.clone();
            let mut touched = Footprint::default();
            if self.is_wide {
                self.system.footprint(&state, step.thread, &mut touched);
            }
            match self.system.step(&mut state, step.thread, step.choice) {
                Ok(()) => {
                    if self.links.len() as u64 >= u64::from(u32::MAX) {
                        return self.book.stop(Reason::Memory);
                    }
                    push_frugally(&mut self.links, (item.link, step));
                    let link = self.links.len() as u32;
                    let last = Some(step.thread);
                    if !self.arrive(state, last, link, depth, item.preemptions, touched) {
                        self.links.pop();
                    }
                }
                Err(halt) => self.halted(halt, item.link, step, depth),
            }
            if self.book.is_due() {
                let later: usize = self.later.values().map(VecDeque::len).sum();
                let (waiting, bytes) = (self.now.len() + later, self.bytes());
                self.book.pulse(depth, waiting as u64, bytes);
            }
        }
    }

    /// Leaves those steps for later that depend neither on the next one of the usual thread nor on
    /// the last one.
    fn put_off(&mut self, item: &mut Item<S::State>, usual: Thread) {
        let [mine, theirs] = &mut self.footprints;
        mine.clear();
        self.system.footprint(&item.state, usual, mine);
        let mut is_near = |step: &Move| {
            theirs.clear();
            self.system.footprint(&item.state, step.thread, theirs);
            theirs.conflicts(mine) || theirs.conflicts(&item.before)
        };
        let moves = std::mem::take(&mut item.moves);
        let (near, far): (Vec<Move>, Vec<Move>) = moves.into_iter().partition(|it| is_near(it));
        item.moves = near;
        if far.is_empty() {
            return;
        }
        self.words_waiting += item.words;
        self.later
            .entry(self.cost + 1)
            .or_default()
            .push_back(Item {
                state: item.state.clone(),
                moves: far,
                before: Footprint::default(),
                ..*item
            });
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

    /// Looks at a state that `last` has led to, by so many preemptions. False if there is nothing to be
    /// done there.
    fn arrive(
        &mut self,
        mut state: S::State,
        last: Option<Thread>,
        link: u32,
        depth: u64,
        preemptions: u32,
        before: Footprint,
    ) -> bool {
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
        let moved = last;
        let last = last.filter(goes_on);
        match self.nodes.get_mut(&(number, last)) {
            Some(known) if *known <= preemptions => return false,
            Some(known) => *known = preemptions,
            None => drop(self.nodes.insert((number, last), preemptions)),
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
        // Without a preemption.
        let is_free = |step: &Move| match last {
            Some(last) => step.thread == last,
            None => all_wait || !waits(step.thread),
        };
        let usual = last.or_else(|| next(moves.iter().filter(|it| is_free(it)), moved));
        let (now, later): (Vec<Move>, Vec<Move>) = moves
            .into_iter()
            .partition(|step| Some(step.thread) == usual);
        let (free, costly): (Vec<Move>, Vec<Move>) = later.into_iter().partition(is_free);
        self.is_bound_felt |= !costly.is_empty() && preemptions == self.most;
        for (moves, preemptions) in [(free, preemptions), (costly, preemptions + 1)] {
            if moves.is_empty() || preemptions > self.most {
                continue;
            }
            let several = moves.chunk_by(|a, b| a.thread == b.thread).count() >= MANY;
            self.is_wide |= several;
            self.words_waiting += size;
            let cost = self.cost + 1;
            self.later.entry(cost).or_default().push_back(Item {
                state: state.clone(),
                link,
                depth,
                moves,
                words: size,
                preemptions,
                usual: usual.filter(|_| several),
                before: before.clone(),
            });
        }
        if !now.is_empty() {
            self.words_waiting += size;
            self.now.push(Item {
                state,
                link,
                depth,
                moves: now,
                words: size,
                preemptions,
                usual: None,
                before: Footprint::default(),
            });
        }
        true
    }

    fn bytes(&self) -> u64 {
        let links = self.links.capacity() * size_of::<(u32, Move)>();
        let nodes = self.nodes.capacity() * size_of::<(u64, Option<Thread>, u32)>();
        let later: usize = self.later.values().map(VecDeque::capacity).sum();
        let items = (self.now.capacity() + later) * size_of::<Item<S::State>>();
        self.visited.bytes() + 4 * self.words_waiting + (links + nodes + items) as u64
    }
}

/// From how many threads on it is worth asking whose steps depend on each other.
const MANY: usize = 4;

/// The first thread after another one, or else the first of all.
fn next<'m>(moves: impl Iterator<Item = &'m Move>, moved: Option<Thread>) -> Option<Thread> {
    let threads: Vec<Thread> = moves.map(|step| step.thread).collect();
    let after = threads.iter().copied().find(|it| Some(*it) > moved);
    after.or(threads.first().copied())
}

const NOTHING: Properties = Properties {
    faults: false,
    deadlock: false,
    partial_deadlock: false,
    invariants: false,
    temporal: false,
    ends: false,
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
