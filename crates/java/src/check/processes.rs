//! Several programs in one search: each with its own classes and objects, and one network.
//!
//! A state has one of each program. All of them have the network, which costs nothing: when
//! one has changed it, the others get it. Threads are numbered in the order of their start
//! over all processes, so that two starts are never independent. Objects of different
//! processes are of different regions; only those of the network are common.

use raddle_jvm::network::{MOST_PROCESSES, Network};
use raddle_model::{
    Erased, Event, Fault, Footprint, Futures, Halt, Invariants, Move, Narrate, Object, ObjectState,
    Obstacle, Permissions, Place, Region, States, Status, System, Temporal, Thread,
};
use raddle_reduce::{Query, survey_part};
use raddle_search::{Monitor, Survey};

use super::sockets::{ENDS, PORTS, STREAMS};
use super::{Java, JavaState, SLOTS, THREADS};

/// A search goes over one program or several.
pub trait Programs: Narrate {
    /// They themselves.
    fn programs(&self) -> &[Java];

    /// To say how they are searched.
    fn programs_mut(&mut self) -> &mut [Java];

    /// Why something that goes wrong in a state may be no fault of the programs: an answer was
    /// made up on the way to it.
    fn excuse(&self, state: &Self::State, what: &str) -> Option<String>;

    /// Whether a thread is about to get a lock or a permit inside of the library, which goes
    /// round for a moment until another thread has done its part.
    fn is_queueing(&self, state: &Self::State, thread: Thread) -> bool;

    /// Searches a system with such states. It is compiled here, and not wherever it is needed.
    fn survey(
        system: &Erased<'_, Self::State>,
        query: Query<'_>,
        monitor: &mut dyn Monitor,
    ) -> Survey;
}

impl Programs for Java {
    fn programs(&self) -> &[Java] {
        std::slice::from_ref(self)
    }

    fn programs_mut(&mut self) -> &mut [Java] {
        std::slice::from_mut(self)
    }

    fn is_queueing(&self, state: &JavaState, thread: Thread) -> bool {
        let found = state.machine.thread(self.id(thread));
        let mut frames = found.into_iter().flat_map(|found| &found.frames);
        frames.any(|frame| {
            let method = self.program.method(frame.method);
            let class = self.program.class_name(method.class);
            let name = self.program.text(method.name);
            class.starts_with("java/util/concurrent/locks/AbstractQueued")
                && (name.starts_with("acquire") || name.starts_with("await"))
        })
    }

    fn survey(
        system: &Erased<'_, JavaState>,
        query: Query<'_>,
        monitor: &mut dyn Monitor,
    ) -> Survey {
        survey_part(system, query, monitor)
    }

    fn excuse(&self, state: &JavaState, what: &str) -> Option<String> {
        Java::excuse(self, state, what)
    }
}

/// See the module's documentation.
pub struct Processes {
    all: Vec<Java>,
}

/// A state of several programs.
#[derive(Clone, Debug)]
pub struct ProcessesState {
    each: Vec<JavaState>,
    /// The process of each thread, and its number there.
    threads: Vec<(usize, Thread)>,
}

impl Processes {
    /// Puts programs together, with names for them.
    pub fn new(programs: Vec<(String, Java)>) -> Result<Self, String> {
        if programs.len() > MOST_PROCESSES as usize {
            return Err(format!("more than {MOST_PROCESSES} processes"));
        }
        let numbered = programs.into_iter().enumerate();
        let all = numbered.map(|(number, (name, mut java))| {
            java.process = Some(name);
            java.start.process = number as u32;
            java
        });
        Ok(Self { all: all.collect() })
    }

    /// The program of a thread, its state, and the thread's number in it.
    fn at<'s>(
        &self,
        state: &'s ProcessesState,
        thread: Thread,
    ) -> Option<(&Java, &'s JavaState, usize, Thread)> {
        let &(process, local) = state.threads.get(thread.index())?;
        let java = self.all.get(process)?;
        Some((java, state.each.get(process)?, process, local))
    }

    /// The number of a process's thread among all; that of the next one for one that is not
    /// started.
    fn number(state: &ProcessesState, process: usize, local: Thread) -> Thread {
        let is_it = |&it: &(usize, Thread)| it == (process, local);
        let found = state.threads.iter().position(is_it);
        Thread(found.unwrap_or(state.threads.len()) as u32)
    }

    /// What a process calls `object`, as all do.
    fn global(&self, state: &ProcessesState, process: usize, object: Object) -> Object {
        let count = self.all.len() as u32;
        let Object { region, index } = object;
        match region {
            PORTS | STREAMS | ENDS => object,
            THREADS => {
                let known = self.all[process].threads(&state.each[process]) as u32;
                let index = match index <= known {
                    true => Self::number(state, process, Thread(index)).0,
                    // It is known by its object, from the other end.
                    false => {
                        let object = (u32::MAX - index).saturating_mul(count);
                        u32::MAX - object.saturating_add(process as u32)
                    }
                };
                Object { region, index }
            }
            // Should there ever be too many regions, then some are taken for the same.
            Region(number) => {
                let number = number.saturating_add(SLOTS).saturating_mul(count);
                let region = Region(number.saturating_add(process as u32));
                Object { region, index }
            }
        }
    }

    /// Whose object it is, and what its process calls it.
    fn local(&self, state: &ProcessesState, object: Object) -> Option<(usize, Object)> {
        let count = self.all.len().max(1) as u32;
        let Object { region, index } = object;
        match region {
            PORTS | STREAMS | ENDS => Some((0, object)),
            THREADS => {
                let &(process, Thread(index)) = state.threads.get(index as usize)?;
                Some((process, Object { region, index }))
            }
            Region(number) => {
                let region = Region((number / count).saturating_sub(SLOTS));
                Some(((number % count) as usize, Object { region, index }))
            }
        }
    }

    /// Makes a step of one process, and lets the others know of it.
    fn advance(
        &self,
        state: &mut ProcessesState,
        thread: Thread,
        step: impl FnOnce(&Java, &mut JavaState, Thread) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let missing = || Halt::GaveUp("a thread is not there".to_owned());
        let &(process, local) = state.threads.get(thread.index()).ok_or_else(missing)?;
        let java = self.all.get(process).ok_or_else(missing)?;
        let mine = state.each.get_mut(process).ok_or_else(missing)?;
        let before = java.threads(mine);
        let result = step(java, mine, local);
        let network = mine.machine.network.clone();
        let after = java.threads(mine);
        spread(&mut state.each, &network);
        let started = (before..after).map(|local| (process, Thread(local as u32)));
        state.threads.extend(started);
        result
    }
}

/// Gives all processes the same network.
fn spread(each: &mut [JavaState], network: &Network) {
    for state in each {
        state.machine.network.clone_from(network);
    }
}

impl Programs for Processes {
    fn programs(&self) -> &[Java] {
        &self.all
    }

    fn programs_mut(&mut self) -> &mut [Java] {
        &mut self.all
    }

    fn survey(
        system: &Erased<'_, ProcessesState>,
        query: Query<'_>,
        monitor: &mut dyn Monitor,
    ) -> Survey {
        survey_part(system, query, monitor)
    }

    fn excuse(&self, state: &ProcessesState, what: &str) -> Option<String> {
        let mut each = self.all.iter().zip(&state.each);
        each.find_map(|(java, mine)| java.excuse(mine, what))
    }

    fn is_queueing(&self, state: &ProcessesState, thread: Thread) -> bool {
        let found = self.at(state, thread);
        found.is_some_and(|(java, mine, _, local)| java.is_queueing(mine, local))
    }
}

impl States for Processes {
    type State = ProcessesState;

    fn decodes(&self) -> bool {
        false
    }
}

impl System for Processes {
    fn initial(&self) -> Result<ProcessesState, Halt> {
        let mut network = Network::default();
        let mut state = ProcessesState {
            each: Vec::new(),
            threads: Vec::new(),
        };
        for (process, java) in self.all.iter().enumerate() {
            let begun = java.begin(network)?;
            network = begun.machine.network.clone();
            let threads = (0..java.threads(&begun) as u32).map(|local| (process, Thread(local)));
            state.threads.extend(threads);
            state.each.push(begun);
        }
        spread(&mut state.each, &network);
        Ok(state)
    }

    fn threads(&self, state: &ProcessesState) -> usize {
        state.threads.len()
    }

    fn is_impatient(&self, state: &ProcessesState, thread: Thread) -> bool {
        let found = self.at(state, thread);
        found.is_some_and(|(java, mine, _, local)| java.is_impatient(mine, local))
    }

    fn status(&self, state: &ProcessesState, thread: Thread) -> Status {
        match self.at(state, thread) {
            Some((java, mine, _, local)) => java.status(mine, local),
            None => Status::Done,
        }
    }

    fn step(&self, state: &mut ProcessesState, thread: Thread, choice: u32) -> Result<(), Halt> {
        self.advance(state, thread, |java, mine, local| {
            java.step(mine, local, choice)
        })
    }

    fn footprint(&self, state: &ProcessesState, thread: Thread, out: &mut Footprint) {
        let Some((java, mine, process, local)) = self.at(state, thread) else {
            return;
        };
        let mut own = Footprint::default();
        java.footprint(mine, local, &mut own);
        own.rename(|object| self.global(state, process, object));
        out.append(&own);
    }

    fn observe(&self, state: &ProcessesState, object: Object) -> ObjectState {
        let found = self.local(state, object);
        let Some((java, mine, process, object)) = found.and_then(|(process, object)| {
            let (java, mine) = (self.all.get(process)?, state.each.get(process)?);
            Some((java, mine, process, object))
        }) else {
            return ObjectState::Opaque;
        };
        let number = |local| Self::number(state, process, local);
        match java.observe(mine, object) {
            ObjectState::Monitor {
                owner,
                depth,
                waiting,
                notified,
            } => ObjectState::Monitor {
                owner: owner.map(number),
                depth,
                waiting: waiting.into_iter().map(number).collect(),
                notified: notified.into_iter().map(number).collect(),
            },
            other => other,
        }
    }

    fn held(&self, state: &ProcessesState, thread: Thread, out: &mut Vec<Object>) {
        out.clear();
        if let Some((java, mine, process, local)) = self.at(state, thread) {
            java.held(mine, local, out);
            for object in out {
                *object = self.global(state, process, *object);
            }
        }
    }

    fn is_daemon(&self, state: &ProcessesState, thread: Thread) -> bool {
        let found = self.at(state, thread);
        found.is_some_and(|(java, mine, _, local)| java.is_daemon(mine, local))
    }

    fn encode<'a>(&self, state: &'a ProcessesState, scratch: &'a mut Vec<u32>) -> &'a [u32] {
        scratch.clear();
        let mut own = Vec::new();
        let mut lengths = Vec::new();
        for (java, mine) in self.all.iter().zip(&state.each) {
            let words = java.encode(mine, &mut own);
            lengths.push(words.len() as u32);
            scratch.extend_from_slice(words);
        }
        // To be read from the end.
        scratch.append(&mut lengths);
        scratch.extend(state.threads.iter().map(|&(process, _)| process as u32));
        scratch.push(state.threads.len() as u32);
        scratch
    }

    fn decode(&self, _: &[u32], _: &mut ProcessesState) {}
}

impl Futures for Processes {}

impl Permissions for Processes {}

impl Temporal for Processes {}

impl Invariants for Processes {
    fn check_invariants(&self, state: &ProcessesState) -> Result<(), Fault> {
        let mut each = self.all.iter().zip(&state.each);
        each.try_for_each(|(java, mine)| java.check_invariants(mine))
    }
}

impl Narrate for Processes {
    fn thread_name(&self, state: &ProcessesState, thread: Thread) -> String {
        match self.at(state, thread) {
            Some((java, mine, _, local)) => java.thread_name(mine, local),
            None => "a new thread".to_owned(),
        }
    }

    fn object_name(&self, state: &ProcessesState, object: Object) -> String {
        let found = self.local(state, object);
        let name = found.and_then(|(process, local)| {
            let (java, mine) = (self.all.get(process)?, state.each.get(process)?);
            Some(java.object_name(mine, local))
        });
        name.unwrap_or_default()
    }

    fn next_place(&self, state: &ProcessesState, thread: Thread) -> Option<Place> {
        let (java, mine, _, local) = self.at(state, thread)?;
        java.next_place(mine, local)
    }

    fn narrate(
        &self,
        state: &mut ProcessesState,
        step: Move,
        events: &mut Vec<Event>,
    ) -> Result<(), Halt> {
        self.advance(state, step.thread, |java, mine, thread| {
            java.narrate(mine, Move { thread, ..step }, events)
        })
    }

    fn prelude(&self) -> Vec<Event> {
        self.all.iter().flat_map(Java::prelude).collect()
    }

    fn obstacle(&self, state: &ProcessesState, thread: Thread) -> Option<Obstacle> {
        let (java, mine, process, local) = self.at(state, thread)?;
        let obstacle = java.obstacle(mine, local)?;
        let number = |local| Self::number(state, process, local);
        Some(Obstacle {
            holder: obstacle.holder.map(number),
            ..obstacle
        })
    }

    fn shared_values(&self, state: &ProcessesState) -> Vec<(String, String)> {
        let each = self.all.iter().zip(&state.each);
        each.flat_map(|(java, mine)| java.shared_values(mine))
            .collect()
    }
}
