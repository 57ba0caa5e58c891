//! Transactions: runs of one thread that can be executed without interruption.
//!
//! **From**: paper 004 (Flanagan and Qadeer), theorems 4.1 and 6.1. A transaction is some
//! right movers, one step of any kind that commits it, and some left movers. While a
//! thread is in a transaction no other thread is run.
//!
//! **Which steps move**: operations on monitors, semaphores and threads as
//! `model/operations.rs` says (a re-entrant acquire moves both ways, which departs from
//! section 5.2 of the paper, where it merges two transactions into one). An access to a
//! variable moves both ways if no other thread's future can interfere with it, or if the
//! variable is protected, which the program claims or which is inferred: see `protection.rs`.
//!
//! **The fixpoint** (section 6): a node is a state with a mode, that is, with who is in a
//! transaction. For each variable it is known which nodes were expanded in reliance on
//! its protection. When it loses its last guard, or a claim about it turns out to be wrong,
//! these nodes are expanded again; what was found from them before stays, since everything that is executed is a real execution.
//!
//! **Condition C** (the left movers of a transaction come to an end): when nothing is
//! left to expand, each bottom component of the graph of committed transactions from
//! which no scheduling point can be reached gets one, and the fixpoint goes on. Bottom
//! components are circles, and nodes whose steps all lead to no state (a failed
//! assumption, a fault). A thread that is blocked or finished would be another one; it is
//! never in a transaction that has committed. Once a node is known to reach a scheduling
//! point it always does, since nothing is ever taken back; so edges are only kept until
//! then.
//!
//! A transaction also ends before a step that does nothing but decide how to go on. There
//! the thread has forgotten the last transaction and knows nothing of the next one, so
//! that these are few states. (The paper ends it where the thread is as in the beginning.)
//!
//! **Guarantees**: a fault is reachable if and only if one is found. Deadlocks are not
//! preserved: a thread that takes its first lock goes on to its second before anybody
//! else can move, so that AB-BA is never seen; `lock_order.rs` tells more. Invariants and
//! partial deadlocks are not preserved, either. That several threads together exhaust the
//! heap may be missed: no footprint tells how full it is.

pub use crate::protection::{Guard, Guards, Protection};

use crate::discipline::{self, DENIED};
use crate::lock_order::Requests;
use crate::optimistic::tell;
use crate::protection::Pending;
use foldhash::HashMap;
use raddle_model::{
    Halt, Move, Narrate, Object, Property, Reason, Schedule, Status, System, Thread, Violation,
};
use raddle_search::components::{self, bottom_components};
use raddle_search::{Book, Survey, Visited, push_frugally};

/// Explores the program, one transaction at a time.
pub(crate) fn search<'a, S: Narrate>(system: &'a S, book: Book<'a>) -> Survey {
    explore(system, book, Setup::default()).survey
}

/// How transactions are put together.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Which movers they are made of.
    pub movers: Movers,
    /// What may protect a variable.
    pub guards: Guards,
    /// Whether what the program claims of variables is made use of. It may be wrong.
    pub claims: bool,
    /// Whether it is noted which locks are asked for while others are held.
    pub requests: bool,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            movers: Movers::Both,
            guards: Guards::All,
            claims: true,
            requests: false,
        }
    }
}

/// Which movers a transaction is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movers {
    /// Right movers, a commit, left movers.
    Both,
    /// A commit and left movers, as with Stoller and Cohen (paper 000).
    Left,
}

/// Everything that came out of an exploration.
pub struct Exploration {
    /// The answer. Its states are those in which no thread is in a transaction.
    pub survey: Survey,
    /// How many states there were, counted once for each thread in the first half of a
    /// transaction and once for none, as the paper does.
    pub nodes: u64,
    /// What was found to protect the variables.
    pub protection: Protection,
    /// Which locks were asked for while others were held.
    pub(crate) requests: Requests,
    /// How to get to each node.
    pub(crate) paths: Paths,
}

/// Explores the program, one transaction at a time, and tells everything.
pub fn explore<'a, S: Narrate>(system: &'a S, book: Book<'a>, setup: Setup) -> Exploration {
    let mut search = Search {
        system,
        book,
        protection: Protection::new(setup.claims),
        setup,
        remarks: Vec::new(),
        requests: Requests::default(),
        nodes: Nodes::default(),
        spare: None,
        worklist: Vec::new(),
        relying: HashMap::default(),
        relying_bytes: 0,
        open: Vec::new(),
        edges: Vec::new(),
    };
    if let Some(state) = search.book.initial(system) {
        search.enter(&state, Mode::Free, None);
        search.run(state);
    }
    let store_bytes = search.nodes.visited.bytes();
    let bytes = search.bytes();
    let mut survey = search.book.close(store_bytes, bytes);
    survey.remarks.append(&mut search.remarks);
    Exploration {
        nodes: search.nodes.paths.0.len() as u64 - search.nodes.twins,
        survey,
        protection: search.protection,
        requests: search.requests,
        paths: search.nodes.paths,
    }
}

struct Search<'a, S: System> {
    system: &'a S,
    book: Book<'a>,
    setup: Setup,
    protection: Protection,
    /// Which claims turned out to be wrong.
    remarks: Vec<String>,
    requests: Requests,
    nodes: Nodes,
    /// A state whose memory can be used.
    spare: Option<S::State>,
    /// Nodes to be expanded, the next one last.
    worklist: Vec<u32>,
    /// By variable: the nodes that were expanded in reliance on its protection.
    relying: HashMap<Object, Vec<u32>>,
    relying_bytes: u64,
    /// Committed transactions that were not looked at for condition C, in order.
    open: Vec<u32>,
    /// The steps that lead from one of them to another.
    edges: Vec<(u32, u32)>,
}

/// Who may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Everybody: no thread is in a transaction.
    Free,
    /// Only this thread, whose transaction has not committed yet.
    Before(Thread),
    /// Only this thread, whose transaction has committed.
    After(Thread),
}

impl Mode {
    /// Whether a thread may move.
    fn lets(self, thread: Thread) -> bool {
        match self {
            Mode::Free => true,
            Mode::Before(only) | Mode::After(only) => thread == only,
        }
    }

    /// A word that tells modes apart.
    fn word(self) -> u32 {
        match self {
            Mode::Free => 0,
            Mode::Before(thread) => 2 * thread.0 + 1,
            Mode::After(thread) => 2 * thread.0 + 2,
        }
    }

    /// The mode that a word stands for.
    fn of_word(word: u32) -> Mode {
        match word {
            0 => Mode::Free,
            word if word % 2 == 1 => Mode::Before(Thread(word / 2)),
            word => Mode::After(Thread(word / 2 - 1)),
        }
    }
}

impl<S: Narrate> Search<'_, S> {
    /// Expands nodes until nothing new comes.
    fn run(&mut self, mut state: S::State) {
        loop {
            while let Some(node) = self.worklist.pop() {
                self.nodes.facts[node as usize].queued = false;
                let mode = self.nodes.restore(self.system, node, &mut state);
                self.expand(node, &state, mode);
                if self.book.is_due() {
                    let depth = u64::from(self.nodes.paths.0[node as usize].depth);
                    let bytes = self.bytes();
                    self.book.pulse(depth, self.worklist.len() as u64, bytes);
                }
                if self.book.is_stopped() {
                    return;
                }
            }
            self.break_circles(&mut state);
            if self.worklist.is_empty() || self.book.is_stopped() {
                return;
            }
        }
    }

    /// All memory in use.
    fn bytes(&self) -> u64 {
        let open = self.open.capacity() * (4 + components::BYTES_PER_NODE);
        let lists = 4 * self.worklist.capacity() + open;
        let edges = self.edges.capacity() * size_of::<(u32, u32)>();
        self.nodes.bytes() + self.relying_bytes + (lists + edges) as u64
    }

    fn expand(&mut self, node: u32, state: &S::State, mode: Mode) {
        if !self.is_in_depth(node) {
            return;
        }
        let pending: Vec<Pending> = (0..self.system.threads(state) as u32)
            .map(Thread)
            .filter(|&thread| mode.lets(thread))
            .map(|thread| self.pending(state, thread))
            .collect();
        self.note(node, state, &pending);
        for pending in &pending {
            let Status::Ready { choices } = pending.status else {
                continue;
            };
            let mut relied = Vec::new();
            let mover = self
                .protection
                .mover(self.system, state, pending, &mut relied);
            self.rely(node, relied);
            if matches!(mode, Mode::After(_)) && !mover.is_left() {
                // What it was alone with has lost its protection.
                self.release(node, state);
                return;
            }
            let is_right = self.setup.movers == Movers::Both && mover.is_right();
            let commits = matches!(mode, Mode::After(_)) || !is_right;
            for choice in 0..choices {
                let thread = pending.thread;
                self.advance(node, state, Move { thread, choice }, commits);
                if self.book.is_stopped() {
                    return;
                }
            }
        }
    }

    /// The next step of a thread.
    fn pending(&self, state: &S::State, thread: Thread) -> Pending {
        Pending::new(self.system, state, thread, self.setup.guards)
    }

    /// Whether a node lies within the limit.
    fn is_in_depth(&mut self, node: u32) -> bool {
        let depth = u64::from(self.nodes.paths.0[node as usize].depth);
        self.book.statistics.depth = self.book.statistics.depth.max(depth);
        let limit = self.book.config.limits.depth;
        if limit.is_some_and(|most| depth >= most) {
            self.book.excuse(Reason::Depth);
            return false;
        }
        true
    }

    /// Takes note of what threads are about to do, those that have to wait included.
    /// Whoever relied on something that turns out to be wrong is expanded again; the
    /// node at hand has not relied on anything yet.
    fn note(&mut self, node: u32, state: &S::State, pending: &[Pending]) {
        let mut lost = Vec::new();
        for pending in pending {
            let wrong = self.protection.note(self.system, state, pending, &mut lost);
            if let Some(object) = wrong {
                self.remark(node, state, pending.thread, object);
            }
            if self.setup.requests {
                self.requests.note(self.system, state, pending, node);
            }
        }
        for variable in lost {
            let relying = self.relying.remove(&variable).unwrap_or_default();
            self.relying_bytes -= 4 * relying.capacity() as u64;
            for other in relying {
                if other != node {
                    self.queue(other);
                }
            }
        }
    }

    /// Remarks that a thread accesses a variable against a claim.
    fn remark(&mut self, node: u32, state: &S::State, thread: Thread, object: Object) {
        let culprit = (thread, self.system.next_place(state, thread));
        let mut schedule = self.nodes.paths.to(node);
        schedule.push(Move { thread, choice: 0 });
        let fault = discipline::fault(self.system, state, culprit, object, DENIED);
        let property = Property::Fault(fault);
        self.remarks.push(tell(&Violation { property, schedule }));
    }

    /// Remembers on which variables' protection the expansion of a node relies.
    fn rely(&mut self, node: u32, variables: Vec<Object>) {
        for variable in variables {
            let relying = self.relying.entry(variable).or_default();
            if relying.last() != Some(&node) {
                self.relying_bytes -= 4 * relying.capacity() as u64;
                push_frugally(relying, node);
                self.relying_bytes += 4 * relying.capacity() as u64;
            }
        }
    }

    fn queue(&mut self, node: u32) {
        let facts = &mut self.nodes.facts[node as usize];
        if !std::mem::replace(&mut facts.queued, true) {
            self.worklist.push(node);
        }
    }

    /// Makes a step from a node.
    fn advance(&mut self, node: u32, from: &S::State, step: Move, commits: bool) {
        // The memory of one state serves all steps.
        let mut state = match self.spare.take() {
            Some(mut state) => {
                state.clone_from(from);
                state
            }
            None => from.clone(),
        };
        self.book.statistics.transitions += 1;
        match self.system.step(&mut state, step.thread, step.choice) {
            Ok(()) => self.arrive(node, &state, step, commits),
            Err(halt) => self.fail(halt, node, step),
        }
        self.spare = Some(state);
    }

    /// Enters the state that a step from a node has led to.
    fn arrive(&mut self, node: u32, state: &S::State, step: Move, commits: bool) {
        let mode = self.mode_after(state, step.thread, commits);
        let Some(stored) = self.enter(state, mode, Some((node, Some(step)))) else {
            return;
        };
        if self.nodes.facts[node as usize].settled {
            return;
        }
        match mode {
            Mode::After(_) => self.link(node, stored),
            _ => self.nodes.facts[node as usize].settled = true,
        }
    }

    /// Notes that a step leads from a node to a committed transaction.
    fn link(&mut self, node: u32, stored: u64) {
        let Some(&next) = self.nodes.committed.get(&stored) else {
            return;
        };
        if self.nodes.facts[next as usize].settled {
            self.nodes.facts[node as usize].settled = true;
            return;
        }
        if self.edges.len() == self.edges.capacity() {
            self.forget_settled();
            // Not again before there are twice as many.
            self.edges.reserve(self.edges.len().max(64));
        }
        self.edges.push((node, next));
    }

    /// Who may move after a step of a thread.
    fn mode_after(&self, state: &S::State, thread: Thread, committed: bool) -> Mode {
        match self.system.status(state, thread) {
            Status::Done => Mode::Free,
            _ if !committed => Mode::Before(thread),
            Status::Blocked => Mode::Free,
            Status::Ready { choices } => {
                let pending = self.pending(state, thread);
                if choices > 1 && pending.footprint.accesses().is_empty() {
                    return Mode::Free;
                }
                // Nothing is relied on here: the node will ask again.
                let mover = self
                    .protection
                    .mover(self.system, state, &pending, &mut Vec::new());
                match mover.is_left() {
                    true => Mode::After(thread),
                    false => Mode::Free,
                }
            }
        }
    }

    fn fail(&mut self, halt: Halt, node: u32, step: Move) {
        if let Some(fault) = self.book.halted(halt) {
            let mut schedule = self.nodes.paths.to(node);
            schedule.push(step);
            let steps = schedule.len() as u64;
            self.book.report(Property::Fault(fault), steps, || schedule);
        }
    }

    /// The number in the store of a state; its node is queued if it is new. `None` if
    /// there can be no more.
    fn enter(
        &mut self,
        state: &S::State,
        mode: Mode,
        from: Option<(u32, Option<Move>)>,
    ) -> Option<u64> {
        let Some((stored, new)) = self.nodes.enter(self.system, state, mode, from) else {
            self.book.stop(Reason::Memory);
            return None;
        };
        if let Some(node) = new {
            // States inside of transactions are stored like any others.
            let most = self.book.config.limits.states;
            if most.is_some_and(|most| u64::from(node) >= most) {
                self.book.stop(Reason::States);
                return None;
            }
            match mode {
                Mode::Free if !self.book.count_state() => return None,
                Mode::After(_) => self.open.push(node),
                // Condition C is about committed transactions only.
                _ => self.nodes.facts[node as usize].settled = true,
            }
            self.queue(node);
        }
        Some(stored)
    }

    /// Lets the others move in the state of a committed transaction.
    fn release(&mut self, node: u32, state: &S::State) {
        let facts = &mut self.nodes.facts[node as usize];
        facts.settled = true;
        if !std::mem::replace(&mut facts.has_twin, true) {
            self.nodes.twins += 1;
            self.enter(state, Mode::Free, Some((node, None)));
        }
    }

    /// Makes room among the committed transactions by dropping those that are known to
    /// reach a scheduling point. What leads to them was mostly found before them.
    fn forget_settled(&mut self) {
        let facts = &mut self.nodes.facts;
        for &(from, to) in self.edges.iter().rev() {
            facts[from as usize].settled |= facts[to as usize].settled;
        }
        self.edges
            .retain(|&(from, _)| !facts[from as usize].settled);
        self.open.retain(|&node| !facts[node as usize].settled);
    }

    /// Condition C: gives a scheduling point to each set of committed transactions that
    /// has none and that no step leaves. `state` is overwritten.
    fn break_circles(&mut self, state: &mut S::State) {
        self.forget_settled();
        let open = std::mem::take(&mut self.open);
        let edges = std::mem::take(&mut self.edges);
        for &(from, to) in &edges {
            let facts = &mut self.nodes.facts;
            facts[from as usize].settled |= facts[to as usize].settled;
        }
        let place = |node| open.binary_search(&node).ok().map(|place| place as u32);
        let places = |(from, to)| Some((place(from)?, place(to)?));
        let mut edges: Vec<(u32, u32)> = edges.into_iter().filter_map(places).collect();
        for members in bottom_components(open.len(), &mut edges) {
            let mut nodes = members.iter().map(|&member| open[member as usize]);
            if nodes.all(|node| !self.nodes.facts[node as usize].settled) {
                let node = open[members[0] as usize];
                self.nodes.restore(self.system, node, state);
                self.release(node, state);
            }
        }
        for node in open {
            self.nodes.facts[node as usize].settled = true;
        }
    }
}

/// All nodes, numbered in the order in which they were found.
struct Nodes {
    visited: Visited,
    /// By the number that a committed transaction has in the store: its number here.
    /// Of other nodes nobody asks for it.
    committed: HashMap<u64, u32>,
    facts: Vec<NodeFacts>,
    paths: Paths,
    /// How many committed transactions became scheduling points, too.
    twins: u64,
    words: Vec<u32>,
    scratch: Vec<u32>,
}

/// What is to be known of a node.
struct NodeFacts {
    /// Its number in the store.
    stored: u64,
    /// Whether it is on the worklist.
    queued: bool,
    /// Whether it is known that it fulfils condition C.
    settled: bool,
    /// Whether its state is a scheduling point, too, because of it.
    has_twin: bool,
}

/// How each node was found first.
#[derive(Default)]
pub(crate) struct Paths(Vec<Origin>);

struct Origin {
    parent: u32,
    /// How many steps it is from the initial state.
    depth: u32,
    /// The step that leads from its parent to it; `None` for a change of mode.
    step: Option<Move>,
}

impl Paths {
    /// The steps that lead to a node.
    pub(crate) fn to(&self, mut node: u32) -> Schedule {
        let mut schedule = Schedule::new();
        // The first node is its own parent.
        while node > 0 {
            let origin = &self.0[node as usize];
            schedule.extend(origin.step);
            node = origin.parent;
        }
        schedule.reverse();
        schedule
    }
}

impl Default for Nodes {
    fn default() -> Nodes {
        Nodes {
            visited: Visited::new(),
            committed: HashMap::default(),
            facts: Vec::new(),
            paths: Paths::default(),
            twins: 0,
            words: Vec::new(),
            scratch: Vec::new(),
        }
    }
}

impl Nodes {
    /// The number in the store of a state in a mode, and its node if it is new. `None` if
    /// there can be no more.
    fn enter<S: System>(
        &mut self,
        system: &S,
        state: &S::State,
        mode: Mode,
        from: Option<(u32, Option<Move>)>,
    ) -> Option<(u64, Option<u32>)> {
        self.words.clear();
        self.words
            .extend_from_slice(system.encode(state, &mut self.scratch));
        self.words.push(mode.word());
        let (stored, is_new) = self.visited.enter(&self.words)?;
        if !is_new {
            return Some((stored, None));
        }
        let node = u32::try_from(self.facts.len()).ok()?;
        if let Mode::After(_) = mode {
            self.committed.insert(stored, node);
        }
        let facts = NodeFacts {
            stored,
            queued: false,
            settled: false,
            has_twin: false,
        };
        push_frugally(&mut self.facts, facts);
        let (parent, step) = from.unwrap_or((0, None));
        let before = self.paths.0.get(parent as usize);
        let origin = Origin {
            parent,
            depth: before.map_or(0, |it| it.depth) + u32::from(step.is_some()),
            step,
        };
        push_frugally(&mut self.paths.0, origin);
        Some((stored, Some(node)))
    }

    /// Writes the state of a node over another one; its mode.
    fn restore<S: System>(&mut self, system: &S, node: u32, state: &mut S::State) -> Mode {
        let stored = self.facts[node as usize].stored;
        self.visited.restore(stored, &mut self.words);
        let mode = self.words.pop().map_or(Mode::Free, Mode::of_word);
        system.decode(&self.words, state);
        mode
    }

    /// All memory in use.
    fn bytes(&self) -> u64 {
        let facts = self.facts.capacity() * size_of::<NodeFacts>();
        let paths = self.paths.0.capacity() * size_of::<Origin>();
        // One byte of a slot tells whether it is taken.
        let committed = self.committed.capacity() * (size_of::<(u64, u32)>() + 1);
        self.visited.bytes() + (facts + paths + committed) as u64
    }
}
