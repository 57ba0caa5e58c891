//! Whether an execution can still come to its end, wherever it is.
//!
//! From every state that can be reached, some execution must end or make progress: AG EF in the logic of branching
//! time. Unlike a temporal property this is about what is possible, and fairness does not matter: a
//! thread that spins until another one does something can end if the other one can do it.
//!
//! The graph is explored whole. From the ends it is gone through backwards; a state that is not met is
//! *lost*, and so is whatever follows it. Where a step fails, an execution ends. Where an assumption
//! fails there is no execution: a lost state counts only if some execution goes on from it for ever.
//! A step that raddle cannot make may lead to an end.
//!
//! What is found is the shortest way to a lost state, and from there into a bottom component, which
//! nothing leaves, and once round in it: with every thread that moves there.

use super::states::{Node, States};
use crate::Survey;
use crate::book::Book;
use crate::components::for_each_component;
use crate::examine::Examiner;
use crate::{Config, replay};
use foldhash::fast::FixedState;
use raddle_model::{
    Halt, Limits, Move, NoEnd, Properties, Property, Reason, Schedule, Status, System, Thread,
};
use std::collections::{HashMap, VecDeque};

/// More states than this are not explored to confirm a violation.
const MOST_CONFIRMED: u64 = 2_000_000;

/// Looks for a state from which no execution ends.
pub(super) fn search<S: System>(system: &S, mut book: Book<'_>) -> Survey {
    let mut bytes = 0;
    if let Some(initial) = book.initial(system) {
        let graph = Graph::explore(system, initial, &mut book);
        bytes = graph.bytes;
        if !book.is_stopped()
            && let Some((schedule, found)) = graph.lost_execution()
        {
            let steps = schedule.len() as u64;
            book.report(Property::NoEnd(found), steps, || schedule);
        }
    }
    book.close(bytes, bytes)
}

/// Whether a schedule leads to where nothing can end, and round in a circle there.
pub(crate) fn confirm<S: System>(system: &S, schedule: &[Move], found: &NoEnd) -> bool {
    is_shown(system, schedule, found).unwrap_or(false)
}

fn is_shown<S: System>(system: &S, schedule: &[Move], found: &NoEnd) -> Option<bool> {
    let mut state = system.initial().ok()?;
    let (mut lost, mut first, mut movers) = (None, Vec::new(), Vec::new());
    let form = |state: &S::State| system.encode(state, &mut Vec::new()).to_vec();
    for (index, &step) in schedule.iter().enumerate() {
        if index == found.lost_from {
            lost = Some(state.clone());
        }
        if index == found.repeats_from {
            first = form(&state);
        }
        if index >= found.repeats_from {
            movers.push(step.thread);
        }
        replay::possible(system, &state, step).ok()?;
        system.step(&mut state, step.thread, step.choice).ok()?;
    }
    movers.sort_unstable();
    movers.dedup();
    let config = Config {
        properties: Properties::NONE,
        limits: Limits {
            states: Some(MOST_CONFIRMED),
            ..Limits::NONE
        },
        ..Config::default()
    };
    let mut nobody = ();
    let mut book = Book::new(&config, &mut nobody, true);
    let graph = Graph::explore(system, lost?, &mut book);
    let is_whole = !book.is_stopped() && book.reasons().is_empty();
    let goes_round = !movers.is_empty() && form(&state) == first;
    Some(is_whole && goes_round && movers == found.threads && !graph.is_end.contains(&true))
}

/// All states from one on, by number, and the steps between them.
struct Graph {
    edges: Vec<Edge>,
    /// By state: whether an execution ends there, or makes progress.
    is_end: Vec<bool>,
    bytes: u64,
}

#[derive(Clone, Copy)]
struct Edge {
    from: u32,
    to: u32,
    step: Move,
}

impl Graph {
    fn explore<S: System>(system: &S, initial: S::State, book: &mut Book<'_>) -> Graph {
        let mut explorer = Explorer::new(system);
        let mut first = Node::new(initial);
        explorer.arrive(None, &mut first, book);
        let mut from = first.another();
        let mut to = first;
        while let Some((here, kept)) = explorer.open.pop() {
            if book.is_due() {
                let depth = explorer.open.len() as u64;
                book.pulse(depth, depth, explorer.bytes());
            }
            if book.is_stopped() {
                break;
            }
            let number = explorer.numbers[here as usize];
            explorer.states.come_back(number, kept.as_ref(), &mut from);
            explorer.expand(here, &from, &mut to, book);
        }
        if explorer.examiner.is_cut {
            book.stop(Reason::GaveUp("a step has too many choices".into()));
        }
        let bytes = explorer.bytes();
        Graph {
            edges: explorer.edges,
            is_end: explorer.is_end,
            bytes,
        }
    }

    /// An execution to where nothing can end and round in a circle there, if there is one.
    fn lost_execution(mut self) -> Option<(Schedule, NoEnd)> {
        let lost = self.lost();
        if !lost.contains(&true) {
            return None;
        }
        let nodes = self.is_end.len();
        self.edges.sort_unstable_by_key(|it| (it.from, it.to));
        let mut schedule = Schedule::new();
        let at = self.walk(0, &mut schedule, &|_| true, &|_, to| lost[to as usize])?;
        let lost_from = schedule.len();
        let within = self
            .edges
            .iter()
            .filter(|it| lost[it.from as usize] && lost[it.to as usize]);
        let mut within: Vec<(u32, u32)> = within.map(|it| (it.from, it.to)).collect();
        // By state: the number of its component, if that is a bottom one of lost states.
        let mut bottoms = vec![0u32; nodes];
        let mut next = 1;
        for_each_component(nodes, &mut within, &mut |members, is_bottom| {
            let is_lost = members.iter().all(|&it| lost[it as usize]);
            if is_bottom && is_lost {
                members.iter().for_each(|&it| bottoms[it as usize] = next);
                next += 1;
            }
        });
        let is_bottom = |_: Option<&Edge>, to: u32| bottoms[to as usize] != 0;
        let at = self.walk(at, &mut schedule, &|it| lost[it as usize], &is_bottom)?;
        let repeats_from = schedule.len();
        let component = bottoms[at as usize];
        let is_in = |it: u32| bottoms[it as usize] == component;
        let inner = self
            .edges
            .iter()
            .filter(|it| is_in(it.from) && is_in(it.to));
        let mut threads: Vec<Thread> = inner.map(|it| it.step.thread).collect();
        threads.sort_unstable();
        threads.dedup();
        let mut here = at;
        for &thread in &threads {
            let has_moved = schedule[repeats_from..]
                .iter()
                .any(|it| it.thread == thread);
            if !has_moved {
                let by_it =
                    |edge: Option<&Edge>, _| edge.is_some_and(|it| it.step.thread == thread);
                here = self.walk(here, &mut schedule, &is_in, &by_it)?;
            }
        }
        self.walk(here, &mut schedule, &is_in, &|_, to| to == at)?;
        let found = NoEnd {
            threads,
            lost_from,
            repeats_from,
        };
        Some((schedule, found))
    }

    /// By state: whether no execution ends from there on, and some goes on for ever.
    fn lost(&mut self) -> Vec<bool> {
        let nodes = self.is_end.len();
        self.edges.sort_unstable_by_key(|it| it.to);
        let before = |node: u32| {
            let first = self.edges.partition_point(|it| it.to < node);
            let edges = self.edges[first..].iter();
            edges.take_while(move |it| it.to == node).map(|it| it.from)
        };
        let mut lost = vec![true; nodes];
        let is_end = |&node: &u32| self.is_end[node as usize];
        let mut open: Vec<u32> = (0..nodes as u32).filter(is_end).collect();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut lost[node as usize], false) {
                open.extend(before(node).filter(|&it| lost[it as usize]));
            }
        }
        // Whatever follows a lost state is lost. Take away those after which nothing follows.
        let mut followers = vec![0u32; nodes];
        for edge in &self.edges {
            followers[edge.from as usize] += 1;
        }
        let is_over = |&node: &u32| lost[node as usize] && followers[node as usize] == 0;
        let mut open: Vec<u32> = (0..nodes as u32).filter(is_over).collect();
        while let Some(node) = open.pop() {
            lost[node as usize] = false;
            for from in before(node) {
                followers[from as usize] -= 1;
                if lost[from as usize] && followers[from as usize] == 0 {
                    open.push(from);
                }
            }
        }
        lost
    }

    /// Goes to the nearest state that is wanted, through states that are allowed; adds the steps, and
    /// tells where that is. Without a step, if the first state is wanted.
    fn walk(
        &self,
        start: u32,
        schedule: &mut Schedule,
        is_allowed: &dyn Fn(u32) -> bool,
        is_wanted: &dyn Fn(Option<&Edge>, u32) -> bool,
    ) -> Option<u32> {
        if is_wanted(None, start) {
            return Some(start);
        }
        let mut before: HashMap<u32, &Edge, FixedState> = HashMap::default();
        let mut open = VecDeque::from([start]);
        while let Some(node) = open.pop_front() {
            let first = self.edges.partition_point(|it| it.from < node);
            let edges = self.edges[first..].iter().take_while(|it| it.from == node);
            for edge in edges.filter(|it| is_allowed(it.to)) {
                let is_new = edge.to != start && !before.contains_key(&edge.to);
                if is_wanted(Some(edge), edge.to) {
                    let mut steps = vec![edge.step];
                    let mut at = edge.from;
                    while at != start {
                        let edge = before.get(&at)?;
                        steps.push(edge.step);
                        at = edge.from;
                    }
                    schedule.extend(steps.into_iter().rev());
                    return Some(edge.to);
                }
                if is_new {
                    before.insert(edge.to, edge);
                    open.push_back(edge.to);
                }
            }
        }
        None
    }
}

/// A state that is still to be expanded, which is kept if the store does not give it back.
type Open<T> = (u32, Option<Node<T>>);

/// Makes all steps.
struct Explorer<'a, S: System> {
    states: States<'a, S>,
    examiner: Examiner,
    moves: Vec<Move>,
    numbers: Vec<u64>,
    known: HashMap<u64, u32, FixedState>,
    open: Vec<Open<S::State>>,
    edges: Vec<Edge>,
    is_end: Vec<bool>,
}

impl<'a, S: System> Explorer<'a, S> {
    fn new(system: &'a S) -> Self {
        Explorer {
            states: States::new(system),
            examiner: Examiner::default(),
            moves: Vec::new(),
            numbers: Vec::new(),
            known: HashMap::default(),
            open: Vec::new(),
            edges: Vec::new(),
            is_end: Vec::new(),
        }
    }

    /// Numbers a state; what is new is still to be expanded. `None` ends the search.
    fn arrive(
        &mut self,
        from: Option<&Node<S::State>>,
        node: &mut Node<S::State>,
        book: &mut Book<'_>,
    ) -> Option<u32> {
        let Some(number) = self.states.number(from, node) else {
            book.stop(Reason::Memory);
            return None;
        };
        let next = self.numbers.len() as u32;
        let index = *self.known.entry(number).or_insert(next);
        if index == next {
            if next == u32::MAX || !book.count_state() {
                book.stop(Reason::States);
                return None;
            }
            self.states.settle(node);
            self.numbers.push(number);
            self.is_end.push(false);
            self.open.push((index, self.states.keep(node)));
        }
        Some(index)
    }

    /// Makes all steps from a state.
    fn expand(
        &mut self,
        here: u32,
        from: &Node<S::State>,
        to: &mut Node<S::State>,
        book: &mut Book<'_>,
    ) {
        let system = self.states.system;
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        let none = &mut Vec::new();
        self.examiner
            .examine(system, &from.state, &Properties::NONE, &mut moves, none);
        let mut is_end = moves.is_empty() || is_over(system, &from.state);
        is_end |= system.is_progress(&from.state);
        for &step in &moves {
            book.statistics.transitions += 1;
            let halt = match self.states.step(from, Some(step), to) {
                Ok(()) => match self.arrive(Some(from), to, book) {
                    Some(index) => {
                        self.edges.push(Edge {
                            from: here,
                            to: index,
                            step,
                        });
                        continue;
                    }
                    None => break,
                },
                Err(halt) => halt,
            };
            is_end |= matches!(halt, Halt::Fault(_) | Halt::GaveUp(_));
            let _ = book.halted(halt);
        }
        self.is_end[here as usize] = is_end;
        self.moves = moves;
    }

    fn bytes(&self) -> u64 {
        let entries = self.known.capacity() * (size_of::<(u64, u32)>() + 1);
        let lists = self.numbers.capacity() * (size_of::<u64>() + 1)
            + self.edges.capacity() * size_of::<Edge>()
            + self.open.capacity() * size_of::<Open<S::State>>();
        self.states.bytes() + (entries + lists) as u64
    }
}

/// Whether the program has come to its end.
fn is_over<S: System>(system: &S, state: &S::State) -> bool {
    let mut threads = (0..system.threads(state) as u32).map(Thread);
    threads.all(|it| system.status(state, it) == Status::Done || system.is_daemon(state, it))
}
