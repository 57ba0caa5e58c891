//! Cartesian vectors: CalcCV, Fig. 6 of paper 001, with the reading of it that is told in
//! the module above.

use super::Counting;
use foldhash::fast::FixedState;
use raddle_model::operations::changes;
use raddle_model::{Footprint, Halt, Move, Object, Status, System, Thread};
use std::collections::HashMap;
use std::hash::BuildHasher;

/// A cartesian vector while it is calculated.
pub(super) struct Vector<'s, S: System> {
    system: &'s S,
    counting: Counting,
    /// The state in which all prefixes begin.
    pub(super) start: S::State,
    /// That state among those that were stored.
    origin: Origin,
    /// How many steps a prefix may have.
    most_steps: u64,
    /// What was done and found since somebody asked.
    pub(super) account: Account,
    /// How many threads there are in that state.
    threads: usize,
    /// One for each of these threads. Those behind are kept for their memory.
    prefixes: Vec<Prefix<S::State>>,
    /// The accesses of all transitions that are not the last ones of their prefixes.
    settled: Settled,
    /// The accesses of the transition at hand.
    accesses: Vec<PrefixAccess>,
    footprint: Footprint,
    words: Vec<u32>,
    spare: S::State,
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
    last: Vec<PrefixAccess>,
    /// Whether its last step failed, so that there is no state behind it.
    failed: bool,
    ending: Ending,
    /// The states strictly between its first and its last: for the hash of each, after
    /// how many steps it comes.
    between: HashMap<u64, u32, FixedState>,
    /// The hash of the last state, if it is known.
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

/// What was done and found in a calculation.
#[derive(Default)]
pub(super) struct Account {
    pub(super) transitions: u64,
    pub(super) stutters: u64,
    /// The steps that led nowhere: the last ones of these links.
    pub(super) halts: Vec<(Halt, Link)>,
    /// Whether one of them failed.
    has_fault: bool,
}

impl Account {
    /// After so many transitions it is time to ask whether to go on.
    const MANY: u64 = 64;

    fn count(&mut self, next: Next) {
        match next {
            Next::Stutter => self.stutters += 1,
            _ => self.transitions += 1,
        }
    }

    fn halted(&mut self, halt: Halt, link: Link) {
        self.has_fault |= matches!(halt, Halt::Fault(_));
        self.halts.push((halt, link));
    }

    /// Whether it is worth to be looked at.
    pub(super) fn is_due(&self) -> bool {
        self.transitions + self.stutters >= Account::MANY || self.has_fault
    }
}

/// Where prefixes begin: the number of a state, and how many steps lead to it.
#[derive(Clone, Copy, Default)]
pub(super) struct Origin {
    pub(super) number: u32,
    pub(super) depth: u64,
}

impl Origin {
    fn link(self, thread: Thread, steps: u32, choice: u32) -> Link {
        Link {
            parent: self.number,
            depth: self.depth + u64::from(steps),
            thread,
            steps,
            choice,
        }
    }
}

/// By which prefix a state was found: that of a thread, with so many steps. Only a
/// first and only step has a choice.
#[derive(Clone, Copy)]
pub(super) struct Link {
    /// The number of the state in which the prefix begins.
    pub(super) parent: u32,
    /// How many steps lead from the initial state to the end of the prefix.
    pub(super) depth: u64,
    thread: Thread,
    steps: u32,
    choice: u32,
}

impl Link {
    /// The initial state is found without a step.
    pub(super) const ROOT: Link = Link {
        parent: 0,
        depth: 0,
        thread: Thread(0),
        steps: 0,
        choice: 0,
    };

    /// Its steps, the last one first.
    pub(super) fn moves(self) -> impl Iterator<Item = Move> {
        let Link { thread, choice, .. } = self;
        (0..self.steps).map(move |_| Move { thread, choice })
    }
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
    pub(super) fn new(system: &'s S, counting: Counting, state: S::State) -> Vector<'s, S> {
        Vector {
            system,
            counting,
            spare: state.clone(),
            start: state,
            origin: Origin::default(),
            most_steps: u64::MAX,
            account: Account::default(),
            threads: 0,
            prefixes: Vec::new(),
            settled: Settled::default(),
            accesses: Vec::new(),
            footprint: Footprint::default(),
            words: Vec::new(),
        }
    }

    /// Whether some thread can move in the start state.
    pub(super) fn can_move(&self) -> bool {
        (0..self.system.threads(&self.start) as u32).any(|index| {
            let status = self.system.status(&self.start, Thread(index));
            matches!(status, Status::Ready { .. })
        })
    }

    /// CalcCV of Fig. 6: a cartesian vector from `start` that cannot be prolonged, with
    /// no more than so many steps a prefix. Now and then, because it may take long, `goes_on` is
    /// asked; it is told of the steps of the longest prefix.
    pub(super) fn calculate(
        &mut self,
        origin: Origin,
        most_steps: u64,
        mut goes_on: impl FnMut(&mut Self, u64) -> bool,
    ) {
        self.origin = origin;
        self.most_steps = most_steps.min(u64::from(u32::MAX));
        self.threads = self.system.threads(&self.start);
        self.settled.clear();
        for index in 0..self.threads {
            self.begin(index);
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
        while extended && (!self.account.is_due() || goes_on(self, self.longest())) {
            extended = false;
            for index in 0..self.threads {
                if self.prefixes[index].ending == Ending::Open {
                    self.attempt(index);
                    extended = true;
                }
            }
        }
    }

    /// Begins a prefix with its first transition.
    fn begin(&mut self, index: usize) {
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
                self.account.count(next);
                self.extend(index, next);
            }
        }
    }

    /// Tries to prolong a prefix by one transition.
    fn attempt(&mut self, index: usize) {
        let steps = u64::from(self.prefixes[index].steps);
        if steps >= self.most_steps {
            return self.prefixes[index].stop();
        }
        let next = self.next(index);
        match next {
            Next::Nothing => return self.never_end(index),
            Next::Choices(_) => return self.prefixes[index].stop(),
            Next::Step | Next::Stutter => self.account.count(next),
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
        self.extend(index, next);
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
        let accesses = self.footprint.accesses().iter().map(|access| PrefixAccess {
            object: access.object,
            // A blocked step has no effect.
            changes: next != Next::Stutter && changes(access.operation),
        });
        self.accesses.extend(accesses);
        next
    }

    /// Adds a transition to a prefix.
    fn extend(&mut self, index: usize, next: Next) {
        let prefix = &mut self.prefixes[index];
        self.settled.add(index, &prefix.last);
        prefix.last.clone_from(&self.accesses);
        let closes_cycle = match next {
            Next::Stutter => prefix.stutter(),
            _ => self.step(index),
        };
        // A prefix that was stopped meanwhile ends with this transition, cycle or not.
        if closes_cycle && self.prefixes[index].ending == Ending::Open {
            self.never_end(index);
        }
    }

    /// Adds a step to a prefix; tells whether it closes a cycle.
    fn step(&mut self, index: usize) -> bool {
        let thread = Thread(index as u32);
        let prefix = &mut self.prefixes[index];
        // The state that was the last one so far lies between others from now on. Most
        // prefixes have one step only, and need no hashes.
        let inner = (prefix.steps > 0).then(|| match prefix.newest {
            Some(hash) => hash,
            None => hash(self.system, &prefix.state, &mut self.words),
        });
        prefix.steps += 1;
        if let Err(halt) = self.system.step(&mut prefix.state, thread, 0) {
            prefix.failed = true;
            self.account
                .halted(halt, self.origin.link(thread, prefix.steps, 0));
            return false;
        }
        if self.system.threads(&prefix.state) > self.threads {
            prefix.stop();
            return false;
        }
        let mut earlier = None;
        if !prefix.between.is_empty() {
            let newest = hash(self.system, &prefix.state, &mut self.words);
            prefix.newest = Some(newest);
            earlier = prefix.between.get(&newest).copied();
        }
        if let Some(inner) = inner {
            prefix.between.insert(inner, prefix.steps - 1);
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

    /// Hands over the states in which the prefixes end, until `arrive` says that it is
    /// enough.
    pub(super) fn ends(&mut self, mut arrive: impl FnMut(&S::State, Link) -> bool) {
        for index in 0..self.threads {
            let prefix = &self.prefixes[index];
            let thread = Thread(index as u32);
            let link = self.origin.link(thread, prefix.steps, 0);
            let goes_on = match prefix.ending {
                Ending::Endless => true,
                Ending::Choices(choices) => self.choose(thread, choices, &mut arrive),
                // After stutters alone it is the state where it began.
                Ending::Open | Ending::Finite if prefix.failed || prefix.steps == 0 => true,
                Ending::Open | Ending::Finite => arrive(&prefix.state, link),
            };
            if !goes_on {
                return;
            }
        }
    }

    /// Makes a step in each of the ways in which it can go.
    fn choose(
        &mut self,
        thread: Thread,
        choices: u32,
        arrive: &mut impl FnMut(&S::State, Link) -> bool,
    ) -> bool {
        for choice in 0..choices {
            self.account.count(Next::Step);
            self.spare.clone_from(&self.start);
            let link = self.origin.link(thread, 1, choice);
            match self.system.step(&mut self.spare, thread, choice) {
                Ok(()) if !arrive(&self.spare, link) => return false,
                Ok(()) => {}
                Err(halt) => self.account.halted(halt, link),
            }
        }
        true
    }

    /// How many steps the longest prefix has.
    fn longest(&self) -> u64 {
        let steps = self.prefixes[..self.threads].iter().map(|it| it.steps);
        u64::from(steps.max().unwrap_or(0))
    }

    pub(super) fn bytes(&self) -> u64 {
        let prefixes = self.prefixes.iter().map(|it| it.between.capacity());
        let between = prefixes.sum::<usize>() * size_of::<(u64, u32)>();
        let settled = self.settled.objects.capacity() * size_of::<(Object, Users)>();
        let states = (self.prefixes.len() + 2) * 4 * self.words.capacity();
        (between + settled + states) as u64
    }
}

/// The hash of the canonical form of a state.
fn hash<S: System>(system: &S, state: &S::State, words: &mut Vec<u32>) -> u64 {
    words.clear();
    FixedState::default().hash_one(system.encode(state, words))
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
}

/// An object that a transition touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PrefixAccess {
    object: Object,
    changes: bool,
}

/// Whether two transitions touch the same object and one of them changes it.
fn conflict(one: &[PrefixAccess], two: &[PrefixAccess]) -> bool {
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

    fn add(&mut self, index: usize, accesses: &[PrefixAccess]) {
        for access in accesses {
            let users = self.objects.entry(access.object).or_default();
            users.any.add(index);
            if access.changes {
                users.changing.add(index);
            }
        }
    }

    /// Whether accesses of a thread are in conflict with those of another one.
    fn conflicts(&self, index: usize, accesses: &[PrefixAccess]) -> bool {
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
