//! What steps touch, in terms of [`raddle_model::operations`].
//!
//! Global variables are variables and locks are monitors. The rest is mapped so that all that
//! makes a difference to anybody is in a footprint:
//!
//! - The set of threads that wait for a message is a variable. A `sleep` adds to it, without
//!   looking; a wake-up updates it, or finds it empty; who waits reads it, and reads it once
//!   more when it takes its lock again, because it could not do so before it was woken.
//! - A `rendezvous` sends on a channel, given by the message and the number of parameters. It
//!   becomes possible when somebody arrives at an `accept`: that step receives. What a thread
//!   does right after an `accept` reads the channel, because it comes after the meeting.
//! - How many threads there are in a population that an unsafe set asks for is a variable, to which
//!   whoever enters or leaves adds.

use crate::interpreter::{Interpreter, State};
use crate::program::{Action, Cell, PointId, Program, Variable};
use crate::unsafety::{Demand, Population};
use Operation::{Acquire, Add, Read, Receive, Release, Send, Start, Update, Write};
use raddle_model::{Footprint, Future, Object, Operation, Region, Status, System, Thread};
use std::collections::BTreeSet;

/// What is known of a program before it runs.
#[derive(Clone, Debug)]
pub(crate) struct Effects {
    map: Map,
    /// The populations that unsafe sets ask for.
    populations: Vec<Population>,
    /// The cells that unsafe sets ask for.
    cells: Vec<Cell>,
    /// For each point the populations that a thread there is in.
    memberships: Vec<Vec<usize>>,
    /// For each point the channels of the `accept`s that lead to it.
    after: Vec<Vec<usize>>,
    /// For each point what a thread there may still do.
    futures: Vec<Future>,
    /// For each point the global variables that have no value yet.
    undecided: Vec<Vec<Cell>>,
}

/// Where regions begin: global variables, locks, messages, channels, populations, threads.
#[derive(Clone, Copy, Debug)]
struct Map {
    locks: usize,
    messages: usize,
    channels: usize,
    populations: usize,
    threads: usize,
}

/// Anything that a step can touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Thing {
    Global(usize),
    Lock(usize),
    Message(usize),
    Channel(usize),
    Population(usize),
    Thread(Thread),
}

impl Map {
    fn object(self, thing: Thing) -> Object {
        let (region, index) = match thing {
            Thing::Global(index) => (index, 0),
            Thing::Lock(index) => (self.locks + index, 0),
            Thing::Message(index) => (self.messages + index, 0),
            Thing::Channel(index) => (self.channels + index, 0),
            Thing::Population(index) => (self.populations + index, 0),
            Thing::Thread(thread) => (self.threads, thread.0),
        };
        Object {
            region: Region(region as u32),
            index,
        }
    }

    fn thing(self, object: Object) -> Thing {
        let region = object.region.0 as usize;
        match region {
            _ if region < self.locks => Thing::Global(region),
            _ if region < self.messages => Thing::Lock(region - self.locks),
            _ if region < self.channels => Thing::Message(region - self.messages),
            _ if region < self.populations => Thing::Channel(region - self.channels),
            _ if region < self.threads => Thing::Population(region - self.populations),
            _ => Thing::Thread(Thread(object.index)),
        }
    }
}

impl Effects {
    pub(crate) fn new(program: &Program) -> Effects {
        let demands = program.unsafes.iter().flat_map(|set| set.cases.iter());
        let (mut populations, mut cells) = (BTreeSet::new(), BTreeSet::new());
        for demand in demands.flatten() {
            match *demand {
                Demand::AtLeast(population, _) => drop(populations.insert(population)),
                Demand::Value(cell, _) => drop(cells.insert(cell)),
            }
        }
        let populations: Vec<Population> = populations.into_iter().collect();
        let locks = program.globals.len();
        let messages = locks + program.locks.len();
        let channels = messages + program.messages.len();
        let first_crowd = channels + program.channels.len();
        let points = || program.all_points();
        let memberships = points().map(|(id, _)| {
            let all = populations.iter().enumerate();
            let inside = all.filter(|(_, population)| program.is_in(id, **population));
            inside.map(|(index, _)| index).collect()
        });
        let mut after = vec![Vec::new(); program.points.len()];
        for (_, point) in points() {
            if let Action::Accept { channel, next, .. } = point.action {
                after[next.index()].push(channel);
            }
        }
        let undecided = points().map(|(id, point)| match point.action {
            Action::Choose { .. } => program
                .reachable_from([id])
                .into_iter()
                .filter_map(|later| match program.point(later).action {
                    Action::Choose {
                        variable: Variable::Global(index),
                        ..
                    } => Some(Cell::Global(index)),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        });
        let mut effects = Effects {
            map: Map {
                locks,
                messages,
                channels,
                populations: first_crowd,
                threads: first_crowd + populations.len(),
            },
            memberships: memberships.collect(),
            after,
            undecided: undecided.collect(),
            populations,
            cells: cells.into_iter().collect(),
            futures: Vec::new(),
        };
        effects.futures = effects.all_futures(program);
        effects
    }

    pub(crate) fn lock_object(&self, lock: usize) -> Object {
        self.map.object(Thing::Lock(lock))
    }

    /// The lock that an object is, if it is one.
    pub(crate) fn lock(&self, object: Object) -> Option<usize> {
        match self.thing(object) {
            Thing::Lock(lock) => Some(lock),
            _ => None,
        }
    }

    pub(crate) fn thing(&self, object: Object) -> Thing {
        self.map.thing(object)
    }

    pub(crate) fn population(&self, index: usize) -> Population {
        self.populations[index]
    }

    pub(crate) fn undecided(&self, point: PointId) -> &[Cell] {
        &self.undecided[point.index()]
    }

    pub(crate) fn future(&self, point: PointId) -> &Future {
        &self.futures[point.index()]
    }

    pub(crate) fn invariant_footprint(&self, out: &mut Footprint) {
        for thing in self.observed() {
            out.add(self.map.object(thing), Read);
        }
    }

    pub(crate) fn invariant_future(&self) -> Future {
        let mut future = Future::default();
        for thing in self.observed() {
            future.add(self.map.object(thing).region, Read);
        }
        future
    }

    /// What unsafe sets look at.
    fn observed(&self) -> impl Iterator<Item = Thing> {
        let cells = self.cells.iter().map(|&cell| match cell {
            Cell::Global(index) => Thing::Global(index),
            Cell::Lock(index) => Thing::Lock(index),
        });
        cells.chain((0..self.populations.len()).map(Thing::Population))
    }

    /// What the next step of a thread touches. Who is blocked touches what it waits for.
    pub(crate) fn footprint(
        &self,
        interpreter: &Interpreter,
        state: &State,
        thread: Thread,
        out: &mut Footprint,
    ) {
        let program = interpreter.program();
        let id = interpreter.point(state, thread);
        let mut touch = |thing, operation| out.add(self.map.object(thing), operation);
        if !matches!(interpreter.status(state, thread), Status::Ready { .. }) {
            return match &program.point(id).action {
                Action::Alternatives(alternatives) => {
                    let guards = alternatives.iter().flat_map(|it| it.guard.values());
                    for variable in guards.filter_map(|it| it.variable()) {
                        touch_variable(variable, Read, &mut touch);
                    }
                }
                // Nobody can help who waits for itself.
                Action::Lock { lock, .. } if interpreter.owner(state, *lock) == Some(thread) => {}
                Action::Lock { lock, .. } | Action::Relock { lock, .. } => {
                    touch(Thing::Lock(*lock), Acquire);
                }
                Action::Wait { message, .. } => touch(Thing::Message(*message), Read),
                Action::Accept { channel, .. } => touch(Thing::Channel(*channel), Receive),
                Action::Rendezvous { channel, .. } => touch(Thing::Channel(*channel), Send),
                _ => {}
            };
        }
        for &channel in &self.after[id.index()] {
            touch(Thing::Channel(channel), Read);
        }
        match &program.point(id).action {
            Action::Alternatives(alternatives) => {
                let guards = alternatives.iter().flat_map(|it| it.guard.values());
                for variable in guards.filter_map(|it| it.variable()) {
                    touch_variable(variable, Read, &mut touch);
                }
                for (_, way) in interpreter.possible(state, thread, alternatives) {
                    for &(_, value) in &way.assignments {
                        if let Some(variable) = value.variable() {
                            touch_variable(variable, Read, &mut touch);
                        }
                    }
                    for &(variable, _) in &way.assignments {
                        touch_variable(variable, Write, &mut touch);
                    }
                    self.cross(program, Some(id), way.next, &mut touch);
                }
            }
            Action::Wakeup { message, next } | Action::WakeupAll { message, next } => {
                let operation = match interpreter.partners(state, thread)[..] {
                    [] => Read,
                    _ => Update,
                };
                touch(Thing::Message(*message), operation);
                self.cross(program, Some(id), *next, &mut touch);
            }
            Action::Start { next, .. } => {
                let number = Thread(interpreter.threads(state) as u32);
                touch(Thing::Thread(number), Start);
                self.cross_started(program, id, &mut touch);
                self.cross(program, Some(id), *next, &mut touch);
            }
            Action::Rendezvous { channel, next, .. } => {
                touch(Thing::Channel(*channel), Send);
                for partner in interpreter.partners(state, thread) {
                    let from = interpreter.point(state, partner);
                    for to in program.point(from).action.successors() {
                        self.cross(program, Some(from), to, &mut touch);
                    }
                }
                self.cross(program, Some(id), *next, &mut touch);
            }
            // An assertion that fails leads nowhere.
            _ => self.fixed(program, id, &mut touch),
        }
    }

    /// What a step touches that touches the same in every state.
    fn fixed(&self, program: &Program, id: PointId, touch: &mut impl FnMut(Thing, Operation)) {
        let action = &program.point(id).action;
        match action {
            Action::Lock { lock, .. } => touch(Thing::Lock(*lock), Acquire),
            Action::Unlock { lock, .. } => touch(Thing::Lock(*lock), Release),
            Action::Sleep { message, lock, .. } => {
                touch(Thing::Message(*message), Add);
                touch(Thing::Lock(*lock), Release);
            }
            Action::Relock { message, lock, .. } => {
                touch(Thing::Message(*message), Read);
                touch(Thing::Lock(*lock), Acquire);
            }
            Action::Assert { .. } | Action::Choose { .. } => {
                for variable in action.reads() {
                    touch_variable(variable, Read, touch);
                }
                for variable in action.writes() {
                    touch_variable(variable, Write, touch);
                }
            }
            _ => {}
        }
        for next in action.successors() {
            if !matches!(program.point(next).action, Action::Failed) {
                self.cross(program, Some(id), next, touch);
            }
        }
    }

    /// What a thread touches by getting from one point to another, or from nowhere.
    fn cross(
        &self,
        program: &Program,
        from: Option<PointId>,
        to: PointId,
        touch: &mut impl FnMut(Thing, Operation),
    ) {
        if let Action::Accept { channel, .. } = program.point(to).action {
            touch(Thing::Channel(channel), Receive);
        }
        let none = Vec::new();
        let before = from.map_or(&none, |from| &self.memberships[from.index()]);
        let after = &self.memberships[to.index()];
        for population in 0..self.populations.len() {
            if before.contains(&population) != after.contains(&population) {
                touch(Thing::Population(population), Add);
            }
        }
    }

    fn cross_started(
        &self,
        program: &Program,
        start: PointId,
        touch: &mut impl FnMut(Thing, Operation),
    ) {
        if let Action::Start { thread, .. } = program.point(start).action {
            self.cross(program, None, program.types[thread].entry, touch);
        }
    }

    /// The least sets of operations that have those of a point and all that follow it.
    fn all_futures(&self, program: &Program) -> Vec<Future> {
        let mut futures: Vec<Future> = program
            .all_points()
            .map(|(id, _)| self.operations_at(program, id))
            .collect();
        let mut grew = true;
        while grew {
            grew = false;
            for (id, point) in program.all_points().collect::<Vec<_>>().into_iter().rev() {
                let mut followers = point.action.successors();
                if let Action::Start { thread, .. } = point.action {
                    followers.push(program.types[thread].entry);
                }
                for follower in followers {
                    let more = futures[follower.index()].clone();
                    grew |= futures[id.index()].merge(&more);
                }
            }
        }
        futures
    }

    /// Everything that a step from a point can touch in any state.
    fn operations_at(&self, program: &Program, id: PointId) -> Future {
        let mut future = Future::default();
        let mut touch = |thing, operation| future.add(self.map.object(thing).region, operation);
        for &channel in &self.after[id.index()] {
            touch(Thing::Channel(channel), Read);
        }
        let action = &program.point(id).action;
        for variable in action.reads() {
            touch_variable(variable, Read, &mut touch);
        }
        for variable in action.writes() {
            touch_variable(variable, Write, &mut touch);
        }
        match action {
            Action::Wait { message, .. } => touch(Thing::Message(*message), Read),
            Action::Wakeup { message, .. } | Action::WakeupAll { message, .. } => {
                touch(Thing::Message(*message), Read);
                touch(Thing::Message(*message), Update);
            }
            Action::Start { .. } => {
                touch(Thing::Thread(Thread(0)), Start);
                self.cross_started(program, id, &mut touch);
            }
            Action::Accept { channel, .. } => touch(Thing::Channel(*channel), Receive),
            Action::Rendezvous { channel, .. } => {
                touch(Thing::Channel(*channel), Send);
                for (from, point) in program.all_points() {
                    match point.action {
                        Action::Accept {
                            channel: other,
                            next,
                            ..
                        } if other == *channel => {
                            self.cross(program, Some(from), next, &mut touch);
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        self.fixed(program, id, &mut touch);
        future
    }
}

fn touch_variable(
    variable: Variable,
    operation: Operation,
    touch: &mut impl FnMut(Thing, Operation),
) {
    // Local variables are nobody else's business.
    if let Variable::Global(index) = variable {
        touch(Thing::Global(index), operation);
    }
}
