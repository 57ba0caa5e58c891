//! Cartesian partial-order reduction (paper 001: Gueta, Flanagan, Yahav, Sagiv).
//!
//! From a state each thread runs on its own, as if the others stood still: these runs
//! are the *prefixes* of a *cartesian vector* (Definition 2). They are prolonged in
//! turn (CalcCV, Fig. 6) for as long as no two of them touch the same object, one of
//! them changing it, other than with their last transitions. Then it is enough to run
//! one prefix without interruption and to go on from where it ends (Fig. 7); states
//! inside of prefixes are not stored.
//!
//! **Guarantee** (Theorem 1): every local state of a thread that is reachable at all
//! is a local state of some prefix. So every fault is found that a thread finds by
//! itself: a false assertion, an index out of range and the like. Deadlocks and
//! invariants are properties of several threads at once and are not preserved: two
//! threads that take two locks in opposite order, beside a third with a step of its
//! own, lead to no stored state in which nobody can move. For the same reason it may
//! be missed that all threads together exhaust the heap.
//!
//! **Needs** finitely many states or no cycles, and footprints that name an object by
//! the same name throughout a prefix. Heap objects have such names while a state is
//! not brought into canonical form; hence that is done only to store it. Two threads
//! may give the same name to what they allocate in their prefixes: a conflict that is
//! none, and shortens a prefix without need.
//!
//! **Reading of Fig. 6** that gives the numbers of Table 1, every row: turns go round
//! in ascending order, one attempt a turn; two transitions are dependent if they have
//! conflicting accesses; a cycle is closed by a state strictly between the first and
//! the last of the prefix. A transition counts when it was tried: also one that was
//! refused, and the one that closes a cycle.
//!
//! Where the figure is silent, or would miss faults:
//! - A prefix without an end (it closes a cycle, its thread has finished or failed)
//!   leads to no state, so none of its transitions is its last, the latest included:
//!   who conflicts with it must stop before. (Definition 2 has ⊥ here.) The transition
//!   that closes the cycle belongs to the prefix.
//! - A blocked thread loops in its state and *reads* what it waits for: its step has
//!   no effect, but what others do to these objects changes what it can do.
//! - Threads have to be deterministic. A step with several choices is a prefix by
//!   itself, which ends in a state for each of them; a longer prefix ends before it.
//! - A step that starts threads ends its prefix: the paper's threads are all there
//!   from the beginning, and the vector has no prefix for the new ones.
//! - A step that fails, or whose assumption does, has no effect and ends the
//!   execution. A trace either does not contain it or ends with it, so that nothing
//!   is to be explored after it.
//! - A prefix may end anywhere. It does at the limit of depth, and in the case that
//!   the hashes of two different states are equal.

use foldhash::fast::FixedState;
use raddle_model::operations::changes;
use raddle_model::{
    Fault, Footprint, Halt, Move, Object, Property, Reason, Schedule, Status, System, Thread,
};
use raddle_search::{Book, Config, Monitor, Order, Survey, Visited};
use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasher;

/// Searches all states in which prefixes end.
pub(crate) fn search<S: System>(system: &S, book: Book<'_>) -> Survey {
    explore(system, book, Counting::None)
}

/// The same, for comparison with published numbers: the transitions of the paper are
/// the steps and the stutters together.
pub fn survey<S: System>(
    system: &S,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
    counting: Counting,
) -> Survey {
    explore(system, Book::new(config, monitor, stop_at_first), counting)
}

/// What a thread does that has finished. The paper counts differently from row to row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// It goes from its state to the same one, and each time counts.
    Loops,
    /// Nothing: its prefix is over.
    None,
}

/// The model checking algorithm of Fig. 7.
fn explore<S: System>(system: &S, book: Book<'_>, counting: Counting) -> Survey {
    let mut ledger = Ledger::new(book);
    let mut front = Front::new(system, ledger.book.config.order);
    let Some(initial) = ledger.book.initial(system) else {
        return ledger.book.close(0, 0);
    };
    let mut vector = Vector::new(system, counting, initial.clone());
    front.arrive(&initial, Link::ROOT, &mut ledger);
    while !ledger.book.is_stopped() && front.next(&mut vector.start, &mut ledger) {
        if ledger.is_at_limit(0) {
            if vector.can_move() {
                ledger.book.excuse(Reason::Depth);
            }
            continue;
        }
        vector.calculate(&mut ledger);
        vector.ends(&mut ledger, &mut front);
        ledger.pulse(&front, vector.bytes());
    }
    let bytes = front.visited.bytes();
    let total = bytes + front.bytes() + ledger.bytes() + vector.bytes();
    ledger.book.close(bytes, total)
}

/// A cartesian vector while it is calculated.
struct Vector<'s, S: System> {
    system: &'s S,
    counting: Counting,
    /// The state in which all prefixes begin.
    start: S::State,
    /// How many threads there are in that state.
    threads: usize,
    /// One for each of these threads. Those behind are kept for their memory.
    prefixes: Vec<Prefix<S::State>>,
    /// The accesses of all transitions that are not the last ones of their prefixes.
    settled: Settled,
    /// The accesses of the transition at hand.
    accesses: Vec<Access>,
    footprint: Footprint,
    words: Vec<u32>,
    spare: S::State,
    hasher: FixedState,
}

/// What a thread does on its own.
struct Prefix<T> {
    /// The state in which it ends so far.
    state: T,
    /// How many steps it has.
    steps: u32,
    /// Whether its thread was found blocked or finished, and how often.
    stutters: u32,
    /// The accesses of its last transition; none if it has no last one.
    last: Vec<Access>,
    /// Whether its last step failed, so that there is no state behind it.
    failed: bool,
    ending: Ending,
    /// The states strictly between its first and its last: for the hash of each, after
    /// how many steps it comes.
    between: HashMap<u64, u32, FixedState>,
    /// The hash of the last state, unless it is the first.
    newest: Option<u64>,
}

/// How a prefix ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// It may become longer.
    Open,
    /// With its last state.
    Finite,
    /// With one of so many states, one for each choice of its only step.
    Choices(u32),
    /// Never: it is infinite, or its thread has finished or failed.
    Endless,
}

/// What a thread would do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// A step that can go one way only.
    Step,
    /// A step that can go several ways.
    Choices(u32),
    /// From the state to the same state.
    Stutter,
    /// Nothing, ever.
    Nothing,
}

impl<'s, S: System> Vector<'s, S> {
    fn new(system: &'s S, counting: Counting, state: S::State) -> Vector<'s, S> {
        Vector {
            system,
            counting,
            spare: state.clone(),
            start: state,
            threads: 0,
            prefixes: Vec::new(),
            settled: Settled::default(),
            accesses: Vec::new(),
            footprint: Footprint::default(),
            words: Vec::new(),
            hasher: FixedState::default(),
        }
    }

    /// Whether some thread can move in the start state.
    fn can_move(&self) -> bool {
        (0..self.system.threads(&self.start) as u32).any(|index| {
            let status = self.system.status(&self.start, Thread(index));
            matches!(status, Status::Ready { .. })
        })
    }

    /// CalcCV of Fig. 6: a cartesian vector from `start` that cannot be prolonged.
    fn calculate(&mut self, ledger: &mut Ledger<'_>) {
        self.threads = self.system.threads(&self.start);
        self.settled.clear();
        for index in 0..self.threads {
            self.begin(index, ledger);
        }
        for index in 0..self.threads {
            for other in 0..index {
                let (one, two) = (&self.prefixes[index], &self.prefixes[other]);
                if conflict(&one.last, &two.last) {
                    self.prefixes[index].stop();
                    self.prefixes[other].stop();
                }
            }
        }
        let mut extended = true;
        while extended && !ledger.book.is_stopped() {
            extended = false;
            for index in 0..self.threads {
                if self.prefixes[index].ending == Ending::Open {
                    self.attempt(index, ledger);
                    extended = true;
                }
            }
            if ledger.book.is_due() {
                self.pulse(ledger);
            }
        }
    }

    /// Begins a prefix with its first transition.
    fn begin(&mut self, index: usize, ledger: &mut Ledger<'_>) {
        match self.prefixes.get_mut(index) {
            Some(prefix) => prefix.restart(&self.start),
            None => self.prefixes.push(Prefix::new(&self.start)),
        }
        match self.next(index) {
            Next::Nothing => self.prefixes[index].ending = Ending::Endless,
            Next::Choices(choices) => {
                let prefix = &mut self.prefixes[index];
                prefix.last.clone_from(&self.accesses);
                prefix.ending = Ending::Choices(choices);
            }
            next => {
                ledger.count(next);
                self.extend(index, next, ledger);
            }
        }
    }

    /// Tries to prolong a prefix by one transition.
    fn attempt(&mut self, index: usize, ledger: &mut Ledger<'_>) {
        let steps = u64::from(self.prefixes[index].steps);
        if ledger.is_at_limit(steps) || steps == u64::from(u32::MAX) {
            return self.prefixes[index].stop();
        }
        let next = self.next(index);
        match next {
            Next::Nothing => return self.never_end(index),
            Next::Choices(_) => return self.prefixes[index].stop(),
            Next::Step | Next::Stutter => ledger.count(next),
        }
        if self.settled.conflicts(index, &self.accesses) {
            return self.prefixes[index].stop();
        }
        for other in 0..self.threads {
            if other != index && conflict(&self.accesses, &self.prefixes[other].last) {
                self.prefixes[other].stop();
                self.prefixes[index].stop();
            }
        }
        self.extend(index, next, ledger);
    }

    /// What a thread would do after its prefix, with its accesses in `accesses`.
    fn next(&mut self, index: usize) -> Next {
        self.accesses.clear();
        let prefix = &self.prefixes[index];
        if prefix.failed {
            return Next::Nothing;
        }
        let thread = Thread(index as u32);
        let next = match self.system.status(&prefix.state, thread) {
            Status::Done if self.counting == Counting::None => return Next::Nothing,
            Status::Done => return Next::Stutter,
            Status::Blocked => Next::Stutter,
            Status::Ready { choices: 0 | 1 } => Next::Step,
            Status::Ready { choices } => Next::Choices(choices),
        };
        self.footprint.clear();
        self.system
            .footprint(&prefix.state, thread, &mut self.footprint);
        let accesses = self.footprint.accesses().iter().map(|access| Access {
            object: access.object,
            // A blocked step has no effect.
            changes: next != Next::Stutter && changes(access.operation),
        });
        self.accesses.extend(accesses);
        next
    }

    /// Adds a transition to a prefix.
    fn extend(&mut self, index: usize, next: Next, ledger: &mut Ledger<'_>) {
        let prefix = &mut self.prefixes[index];
        self.settled.add(index, &prefix.last);
        prefix.last.clone_from(&self.accesses);
        let closes_cycle = match next {
            Next::Stutter => prefix.stutter(),
            _ => self.step(index, ledger),
        };
        // A prefix that was stopped meanwhile ends with this transition, cycle or not.
        if closes_cycle && self.prefixes[index].ending == Ending::Open {
            self.never_end(index);
        }
    }

    /// Adds a step to a prefix; tells whether it closes a cycle.
    fn step(&mut self, index: usize, ledger: &mut Ledger<'_>) -> bool {
        let thread = Thread(index as u32);
        let prefix = &mut self.prefixes[index];
        prefix.steps += 1;
        if let Err(halt) = self.system.step(&mut prefix.state, thread, 0) {
            prefix.failed = true;
            ledger.halted(halt, prefix.link(thread));
            return false;
        }
        if self.system.threads(&prefix.state) > self.threads {
            prefix.stop();
            return false;
        }
        self.words.clear();
        let words = self.system.encode(&prefix.state, &mut self.words);
        let hash = self.hasher.hash_one(words);
        let earlier = prefix.between.get(&hash).copied();
        if let Some(newest) = prefix.newest.replace(hash) {
            prefix.between.insert(newest, prefix.steps - 1);
        }
        match earlier {
            None => false,
            Some(steps) if self.was_there(index, steps) => true,
            Some(_) => {
                self.prefixes[index].stop();
                false
            }
        }
    }

    /// Whether a prefix ends in the state that it had after so many steps.
    fn was_there(&mut self, index: usize, steps: u32) -> bool {
        self.spare.clone_from(&self.start);
        for _ in 0..steps {
            let step = self.system.step(&mut self.spare, Thread(index as u32), 0);
            if step.is_err() {
                return false;
            }
        }
        let mut words = Vec::new();
        self.words.clear();
        let now = &self.prefixes[index].state;
        self.system.encode(&self.spare, &mut self.words) == self.system.encode(now, &mut words)
    }

    /// Makes a prefix one that has no last transition.
    fn never_end(&mut self, index: usize) {
        let prefix = &mut self.prefixes[index];
        self.settled.add(index, &prefix.last);
        prefix.last.clear();
        prefix.ending = Ending::Endless;
    }

    /// Hands over the states in which the prefixes end.
    fn ends(&mut self, ledger: &mut Ledger<'_>, front: &mut Front<'s, S>) {
        for index in 0..self.threads {
            if ledger.book.is_stopped() {
                return;
            }
            let prefix = &self.prefixes[index];
            let link = prefix.link(Thread(index as u32));
            match prefix.ending {
                Ending::Endless => {}
                Ending::Choices(choices) => self.choose(link, choices, ledger, front),
                // After stutters alone it is the state where it began.
                Ending::Open | Ending::Finite if prefix.failed || prefix.steps == 0 => {}
                Ending::Open | Ending::Finite => front.arrive(&prefix.state, link, ledger),
            }
        }
    }

    /// Makes a step in each of the ways in which it can go.
    fn choose(
        &mut self,
        link: Link,
        choices: u32,
        ledger: &mut Ledger<'_>,
        front: &mut Front<'s, S>,
    ) {
        for choice in 0..choices {
            if ledger.book.is_stopped() {
                return;
            }
            ledger.count(Next::Step);
            self.spare.clone_from(&self.start);
            let link = Link {
                steps: 1,
                choice,
                ..link
            };
            match self.system.step(&mut self.spare, link.thread, choice) {
                Ok(()) => front.arrive(&self.spare, link, ledger),
                Err(halt) => ledger.halted(halt, link),
            }
        }
    }

    /// Looks at the limits in the middle of a calculation, which may be a long one.
    fn pulse(&self, ledger: &mut Ledger<'_>) {
        let steps = self.prefixes[..self.threads].iter().map(|it| it.steps);
        let longest = u64::from(steps.max().unwrap_or(0));
        // The states of a prefix are remembered as well, if only by their hashes.
        if ledger.most_states.is_some_and(|most| longest > most) {
            ledger.book.stop(Reason::States);
        }
        let bytes = ledger.last_bytes + self.bytes();
        ledger
            .book
            .pulse(ledger.depth + longest, ledger.last_waiting, bytes);
    }

    fn bytes(&self) -> u64 {
        let prefixes = self.prefixes.iter().map(|it| it.between.capacity());
        let between = prefixes.sum::<usize>() * size_of::<(u64, u32)>();
        let settled = self.settled.objects.capacity() * size_of::<(Object, Users)>();
        let states = (self.prefixes.len() + 2) * 4 * self.words.capacity();
        (between + settled + states) as u64
    }
}

impl<T: Clone> Prefix<T> {
    fn new(start: &T) -> Prefix<T> {
        Prefix {
            state: start.clone(),
            steps: 0,
            stutters: 0,
            last: Vec::new(),
            failed: false,
            ending: Ending::Open,
            between: HashMap::default(),
            newest: None,
        }
    }

    /// Makes it an empty prefix again.
    fn restart(&mut self, start: &T) {
        self.state.clone_from(start);
        self.steps = 0;
        self.stutters = 0;
        self.last.clear();
        self.failed = false;
        self.ending = Ending::Open;
        self.between.clear();
        self.newest = None;
    }

    /// Lets it end with its last state, unless it is known already how it ends.
    fn stop(&mut self) {
        if self.ending == Ending::Open {
            self.ending = Ending::Finite;
        }
    }

    /// Adds a transition from the last state to itself; tells whether it closes a
    /// cycle, that is, whether this state is also one before the last.
    fn stutter(&mut self) -> bool {
        let closes_cycle = self.stutters > 0 && self.steps + self.stutters > 1;
        self.stutters += 1;
        closes_cycle
    }

    /// How it leads to its last state.
    fn link(&self, thread: Thread) -> Link {
        Link {
            parent: 0,
            thread,
            steps: self.steps,
            choice: 0,
        }
    }
}

/// An object that a transition touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Access {
    object: Object,
    changes: bool,
}

/// Whether two transitions touch the same object and one of them changes it.
fn conflict(one: &[Access], two: &[Access]) -> bool {
    one.iter().any(|a| {
        let mut two = two.iter();
        two.any(|b| a.object == b.object && (a.changes || b.changes))
    })
}

/// Which threads touched which objects with transitions that are not their last.
#[derive(Default)]
struct Settled {
    objects: HashMap<Object, Users, FixedState>,
}

#[derive(Default)]
struct Users {
    any: Who,
    changing: Who,
}

/// Some threads, as far as it matters for whether there is one besides a given one.
#[derive(Clone, Copy, Default)]
enum Who {
    #[default]
    Nobody,
    Only(usize),
    Several,
}

impl Settled {
    fn clear(&mut self) {
        self.objects.clear();
    }

    fn add(&mut self, index: usize, accesses: &[Access]) {
        for access in accesses {
            let users = self.objects.entry(access.object).or_default();
            users.any.add(index);
            if access.changes {
                users.changing.add(index);
            }
        }
    }

    /// Whether accesses of a thread are in conflict with those of another one.
    fn conflicts(&self, index: usize, accesses: &[Access]) -> bool {
        accesses.iter().any(|access| {
            let users = self.objects.get(&access.object);
            users.is_some_and(|users| match access.changes {
                true => users.any.includes_another(index),
                false => users.changing.includes_another(index),
            })
        })
    }
}

impl Who {
    fn add(&mut self, index: usize) {
        *self = match *self {
            Who::Nobody => Who::Only(index),
            Who::Only(only) if only == index => return,
            _ => Who::Several,
        };
    }

    fn includes_another(self, index: usize) -> bool {
        match self {
            Who::Nobody => false,
            Who::Only(only) => only != index,
            Who::Several => true,
        }
    }
}

/// The states that were stored, and those of them that wait for their turn.
struct Front<'s, S> {
    system: &'s S,
    order: Order,
    visited: Visited,
    waiting: VecDeque<Waiting>,
    words: Vec<u32>,
    waiting_words: u64,
}

struct Waiting {
    number: u32,
    depth: u64,
    words: Box<[u32]>,
}

impl<'s, S: System> Front<'s, S> {
    fn new(system: &'s S, order: Order) -> Front<'s, S> {
        Front {
            system,
            order,
            visited: Visited::new(),
            waiting: VecDeque::new(),
            words: Vec::new(),
            waiting_words: 0,
        }
    }

    /// Stores a state, unless it is known.
    fn arrive(&mut self, state: &S::State, link: Link, ledger: &mut Ledger<'_>) {
        self.words.clear();
        let words = self.system.encode(state, &mut self.words);
        match self.visited.insert(words) {
            Some(false) => return,
            Some(true) => {}
            None => return ledger.book.stop(Reason::Memory),
        }
        if !ledger.book.count_state() {
            return;
        }
        let Some(number) = ledger.push(link) else {
            return;
        };
        let depth = ledger.depth + u64::from(link.steps);
        let depths = &mut ledger.book.statistics.depth;
        *depths = depth.max(*depths);
        self.waiting_words += words.len() as u64;
        self.waiting.push_back(Waiting {
            number,
            depth,
            words: words.into(),
        });
    }

    /// Takes one of the waiting states out; `false` if there is none.
    fn next(&mut self, state: &mut S::State, ledger: &mut Ledger<'_>) -> bool {
        let next = match self.order {
            Order::DepthFirst => self.waiting.pop_back(),
            Order::BreadthFirst => self.waiting.pop_front(),
        };
        let Some(Waiting {
            number,
            depth,
            words,
        }) = next
        else {
            return false;
        };
        self.waiting_words -= words.len() as u64;
        self.system.decode(&words, state);
        ledger.current = number;
        ledger.depth = depth;
        true
    }

    fn bytes(&self) -> u64 {
        let waiting = self.waiting.capacity() * size_of::<Waiting>();
        4 * self.waiting_words + waiting as u64
    }
}

/// The books, and how each stored state was found.
struct Ledger<'a> {
    book: Book<'a>,
    links: Vec<Link>,
    /// The state at hand, and how many steps lead to it.
    current: u32,
    depth: u64,
    most_depth: u64,
    most_states: Option<u64>,
    /// What was in use, and waiting, when the calculation at hand began.
    last_bytes: u64,
    last_waiting: u64,
}

/// By which prefix a state was found: that of a thread, with so many steps. Only a
/// first and only step has a choice.
#[derive(Clone, Copy)]
struct Link {
    parent: u32,
    thread: Thread,
    steps: u32,
    choice: u32,
}

impl Link {
    /// The initial state is found without a step.
    const ROOT: Link = Link {
        parent: 0,
        thread: Thread(0),
        steps: 0,
        choice: 0,
    };

    /// Its steps, the last one first.
    fn moves(self) -> impl Iterator<Item = Move> {
        let Link { thread, choice, .. } = self;
        (0..self.steps).map(move |_| Move { thread, choice })
    }
}

impl<'a> Ledger<'a> {
    fn new(book: Book<'a>) -> Ledger<'a> {
        let limits = &book.config.limits;
        Ledger {
            most_depth: limits.depth.unwrap_or(u64::MAX),
            most_states: limits.states,
            book,
            links: Vec::new(),
            current: 0,
            depth: 0,
            last_bytes: 0,
            last_waiting: 0,
        }
    }

    /// Whether no step may be made after so many of a prefix.
    fn is_at_limit(&self, steps: u64) -> bool {
        self.depth + steps >= self.most_depth
    }

    fn count(&mut self, next: Next) {
        match next {
            Next::Stutter => self.book.statistics.stutters += 1,
            _ => self.book.statistics.transitions += 1,
        }
    }

    /// Remembers how a state was found from the one at hand; returns its number.
    fn push(&mut self, link: Link) -> Option<u32> {
        let Ok(number) = u32::try_from(self.links.len()) else {
            self.book.stop(Reason::GaveUp("too many states".to_owned()));
            return None;
        };
        self.links.push(Link {
            parent: self.current,
            ..link
        });
        Some(number)
    }

    /// Notes that the last step of a link from the state at hand leads nowhere.
    #[cold]
    fn halted(&mut self, halt: Halt, link: Link) {
        if let Some(fault) = self.book.halted(halt) {
            self.report(fault, link);
        }
    }

    fn report(&mut self, fault: Fault, link: Link) {
        let (links, mut state) = (&self.links, self.current);
        let steps = self.depth + u64::from(link.steps);
        self.book.report(Property::Fault(fault), steps, || {
            let mut schedule: Schedule = link.moves().collect();
            while state > 0 {
                let link = links[state as usize];
                schedule.extend(link.moves());
                state = link.parent;
            }
            schedule.reverse();
            schedule
        });
    }

    /// Looks at the limits, if it is time.
    fn pulse<S: System>(&mut self, front: &Front<'_, S>, vector_bytes: u64) {
        self.last_bytes = front.visited.bytes() + front.bytes() + self.bytes();
        self.last_waiting = front.waiting.len() as u64;
        if self.book.is_due() {
            let bytes = self.last_bytes + vector_bytes;
            self.book.pulse(self.depth, self.last_waiting, bytes);
        }
    }

    fn bytes(&self) -> u64 {
        (self.links.capacity() * size_of::<Link>()) as u64
    }
}
