//! Where a person is in the states of a program, and which were seen on the way.

use crate::programs::Program;
use raddle_model::{
    Fault, Footprint, Halt, Move, Place, Properties, Property, Status, Step, Thread,
};
use raddle_report::Source;
use raddle_report::html::{self, Walk};
use raddle_search::{Diary, Examiner};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// So many steps are made at the most to get to one that others can notice.
const MOST_SILENT: usize = 10_000;
/// So many states are kept in the picture.
const MOST_STATES: usize = 2_000;
/// So many choices of a step are shown.
const MOST_CHOICES: u32 = 32;

/// A walk through the states of a program.
pub(crate) struct Session<'a, P: Program> {
    program: &'a P,
    sources: &'a [Source],
    initial: P::State,
    path: Vec<Made<P::State>>,
    /// With what the last step of the path has failed, if it has.
    fault: Option<Fault>,
    graph: Graph,
}

/// A step that was made, and the state that it led to; that before it, if it has failed.
struct Made<S> {
    step: Step,
    state: S,
    /// The state in the picture.
    node: usize,
}

/// What was seen.
#[derive(Default)]
struct Graph {
    nodes: Vec<Node>,
    /// The states by their canonical words.
    known: BTreeMap<Vec<u32>, usize>,
    edges: BTreeSet<(usize, usize, Thread)>,
}

/// A state that was seen.
struct Node {
    /// How it was reached first.
    origin: Option<(usize, Move)>,
    depth: usize,
    kind: &'static str,
    told: String,
}

impl<'a, P: Program> Session<'a, P> {
    /// Begins in the initial state.
    pub(crate) fn new(program: &'a P, sources: &'a [Source]) -> Result<Self, String> {
        let initial = program
            .initial()
            .map_err(|halt| format!("the program has no initial state: {}", told_halt(&halt)))?;
        let mut session = Session {
            program,
            sources,
            initial,
            path: Vec::new(),
            fault: None,
            graph: Graph::default(),
        };
        let initial = session.initial.clone();
        session.enter(&initial, None);
        Ok(session)
    }

    /// The steps that led here.
    pub(crate) fn schedule(&self) -> Vec<Move> {
        self.path.iter().map(|made| made.step.step).collect()
    }

    /// The state where the person is; the one before the last step if that has failed.
    pub(crate) fn state(&self) -> &P::State {
        self.path.last().map_or(&self.initial, |made| &made.state)
    }

    fn node(&self) -> usize {
        self.path.last().map_or(0, |made| made.node)
    }

    /// Makes a step.
    pub(crate) fn take(&mut self, step: Move) -> Result<(), String> {
        if self.fault.is_some() {
            return Err("the last step has failed; go back to try another one".to_owned());
        }
        let program = self.program;
        let choices = match self.status(step.thread) {
            Some(Status::Ready { choices }) => choices,
            _ => return Err("this thread cannot make a step now".to_owned()),
        };
        if step.choice >= choices {
            return Err("there is no such choice".to_owned());
        }
        let mut state = self.state().clone();
        let (told, halt) = self.narrated(&mut state, step);
        let from = self.node();
        let (node, state) = match halt {
            None => (self.enter(&state, Some((from, step))), state),
            Some(Halt::Fault(fault)) => {
                let told = format!("{}: {}", fault.kind, fault.message);
                self.fault = Some(fault);
                (self.fail(from, step, told), self.state().clone())
            }
            Some(halt) => return Err(told_halt(&halt)),
        };
        let mut diary = Diary::new(program.shared_values(self.state()));
        let changes = diary.changes(program, &state);
        let step = Step { changes, ..told };
        self.path.push(Made { step, state, node });
        Ok(())
    }

    /// Makes steps of a thread until one that others can notice was made, or none can be made
    /// without a choice.
    pub(crate) fn run(&mut self, thread: Thread) -> Result<(), String> {
        for made in 0..MOST_SILENT {
            match self.status(thread) {
                Some(Status::Ready { choices: 1 }) => {}
                _ if made > 0 => return Ok(()),
                Some(Status::Ready { .. }) => return Err("this step has choices".to_owned()),
                _ => return Err("this thread cannot make a step now".to_owned()),
            }
            self.take(Move { thread, choice: 0 })?;
            let events = self.path.last().map(|made| &made.step.events);
            let is_visible = events.is_some_and(|it| it.iter().any(|it| it.operation.is_some()));
            if is_visible || self.fault.is_some() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Goes back to after the first steps.
    pub(crate) fn back_to(&mut self, steps: usize) {
        if steps < self.path.len() {
            self.path.truncate(steps);
            self.fault = None;
        }
    }

    /// Goes on by several steps.
    pub(crate) fn follow(&mut self, schedule: &[Move]) -> Result<(), String> {
        schedule.iter().try_for_each(|&step| self.take(step))
    }

    /// Goes to a state that was seen, as it was reached first.
    pub(crate) fn go_to(&mut self, node: usize) -> Result<(), String> {
        let mut schedule = Vec::new();
        let mut at = self.graph.nodes.get(node).ok_or("there is no such state")?;
        while let Some((before, step)) = at.origin {
            schedule.push(step);
            at = &self.graph.nodes[before];
        }
        schedule.reverse();
        self.back_to(0);
        self.follow(&schedule)
    }

    /// Everything that a page shows.
    pub(crate) fn view(&self) -> Value {
        let (program, state) = (self.program, self.state());
        let threads = self.threads();
        let names: Vec<String> = threads
            .iter()
            .map(|&thread| program.thread_name(state, thread))
            .collect();
        let next: Vec<Option<Place>> = threads
            .iter()
            .map(|&thread| program.next_place(state, thread))
            .collect();
        let steps: Vec<Step> = self.path.iter().map(|made| made.step.clone()).collect();
        let walk = html::walk(&Walk {
            sources: self.sources,
            threads: &names,
            steps: &steps,
            fault: self.fault.as_ref(),
            initial: &program.shared_values(&self.initial),
            next: &next,
        });
        let (_, wrong) = match &self.fault {
            Some(fault) => ("fault", format!("{}: {}", fault.kind, fault.message)),
            None => self.judge(state),
        };
        json!({
            "execution": walk,
            "threads": threads.iter().map(|&it| self.thread(it)).collect::<Vec<_>>(),
            "wrong": wrong,
            "graph": self.graph.json(self.node()),
        })
    }

    fn threads(&self) -> Vec<Thread> {
        let threads = self.program.threads(self.state()) as u32;
        (0..threads).map(Thread).collect()
    }

    fn status(&self, thread: Thread) -> Option<Status> {
        let state = self.state();
        let is_there = thread.index() < self.program.threads(state) && self.fault.is_none();
        is_there.then(|| self.program.status(state, thread))
    }

    /// Makes a step on a state, and tells it.
    fn narrated(&self, state: &mut P::State, step: Move) -> (Step, Option<Halt>) {
        let place = self.program.next_place(state, step.thread);
        let mut events = Vec::new();
        let halt = self.program.narrate(state, step, &mut events).err();
        let told = Step {
            step,
            place,
            events,
            changes: None,
        };
        (told, halt)
    }

    /// What a thread can do now, or why it cannot.
    fn thread(&self, thread: Thread) -> Value {
        let state = self.state();
        let (status, choices, why) = match self.status(thread) {
            Some(Status::Ready { choices }) => ("ready", choices, String::new()),
            Some(Status::Blocked) => ("blocked", 0, self.obstacle(thread)),
            Some(Status::Done) => ("done", 0, String::new()),
            None => ("stopped", 0, String::new()),
        };
        let shown = (0..choices.min(MOST_CHOICES)).map(|choice| Move { thread, choice });
        json!({
            "name": html::plain(&self.program.thread_name(state, thread)),
            "status": status,
            "why": html::plain(&why),
            "moves": shown.map(|step| self.preview(step)).collect::<Vec<_>>(),
            "hidden": choices.saturating_sub(MOST_CHOICES),
        })
    }

    /// What a step would do, and where it would lead.
    fn preview(&self, step: Move) -> Value {
        let mut state = self.state().clone();
        let (told, halt) = self.narrated(&mut state, step);
        let (mut words, known) = match &halt {
            None => (
                html::phrases(&told, None),
                self.graph.find(self.program, &state),
            ),
            Some(Halt::Fault(fault)) => (html::phrases(&told, Some(fault)), None),
            Some(halt) => (vec![told_halt(halt)], None),
        };
        if words.is_empty() {
            let place = self.program.next_place(&state, step.thread);
            words.push(match place {
                Some(place) => format!("goes on to line {}", place.line),
                None => "goes on inside the library".to_owned(),
            });
        }
        json!({
            "thread": step.thread.0,
            "choice": step.choice,
            "told": words,
            "known": known,
            "fails": halt.is_some(),
        })
    }

    /// What a blocked thread waits for.
    fn obstacle(&self, thread: Thread) -> String {
        let state = self.state();
        if let Some(obstacle) = self.program.obstacle(state, thread) {
            return obstacle.what;
        }
        let mut footprint = Footprint::default();
        self.program.footprint(state, thread, &mut footprint);
        let wants = footprint.accesses().iter().map(|access| {
            let name = self.program.object_name(state, access.object);
            format!("{} {name}", access.operation.name())
        });
        let wants: Vec<String> = wants.take(4).collect();
        format!("waits to {}", wants.join(", "))
    }

    /// What is wrong with a state, if anything is, and what to call it.
    fn judge(&self, state: &P::State) -> (&'static str, String) {
        let mut found = Vec::new();
        let properties = &Properties::ALL;
        let mut moves = Vec::new();
        let mut examiner = Examiner::default();
        examiner.examine(self.program, state, properties, &mut moves, &mut found);
        let names = |threads: &[Thread]| {
            let names = threads
                .iter()
                .map(|&it| self.program.thread_name(state, it));
            names.collect::<Vec<_>>().join(", ")
        };
        match found.first() {
            Some(Property::Fault(fault)) => ("fault", format!("{}: {}", fault.kind, fault.message)),
            Some(Property::Deadlock(threads)) => {
                ("deadlock", format!("deadlock: {}", names(threads)))
            }
            Some(Property::PartialDeadlock(threads)) => {
                ("deadlock", format!("for ever stuck: {}", names(threads)))
            }
            // That is nothing that a state shows.
            Some(Property::Temporal(_) | Property::NoEnd(_)) => ("fine", String::new()),
            None if moves.is_empty() => ("end", String::new()),
            None => ("fine", String::new()),
        }
    }

    /// Notes a state; the answer is its number.
    fn enter(&mut self, state: &P::State, origin: Option<(usize, Move)>) -> usize {
        let known = self.graph.find(self.program, state);
        let number = known.unwrap_or_else(|| {
            let (kind, told) = self.judge(state);
            let number = self.graph.add(origin, kind, told);
            let mut scratch = Vec::new();
            let words = self.program.encode(state, &mut scratch).to_vec();
            self.graph.known.insert(words, number);
            number
        });
        if let Some((from, step)) = origin {
            self.graph.edges.insert((from, number, step.thread));
        }
        number
    }

    /// Notes a step that fails.
    fn fail(&mut self, from: usize, step: Move, told: String) -> usize {
        let nodes = self.graph.nodes.iter();
        let known = nodes
            .into_iter()
            .position(|it| it.origin == Some((from, step)) && it.kind == "fault");
        let number = known.unwrap_or_else(|| self.graph.add(Some((from, step)), "fault", told));
        self.graph.edges.insert((from, number, step.thread));
        number
    }
}

impl Graph {
    /// The number of a state that was seen.
    fn find<P: Program>(&self, program: &P, state: &P::State) -> Option<usize> {
        let mut scratch = Vec::new();
        let words = program.encode(state, &mut scratch);
        self.known.get(words).copied()
    }

    fn add(&mut self, origin: Option<(usize, Move)>, kind: &'static str, told: String) -> usize {
        let depth = origin.map_or(0, |(from, _)| self.nodes[from].depth + 1);
        self.nodes.push(Node {
            origin,
            depth,
            kind,
            told,
        });
        self.nodes.len() - 1
    }

    /// The states that were seen first, and where the person is.
    fn json(&self, current: usize) -> Value {
        let shown = self.nodes.iter().take(MOST_STATES);
        let nodes = shown.map(|node| {
            let told = match node.told.is_empty() {
                true => format!("{} steps from the first", node.depth),
                false => html::plain(&node.told),
            };
            json!({ "depth": node.depth, "kind": node.kind, "told": told })
        });
        let edges = self.edges.iter();
        let edges = edges.filter(|(from, to, _)| *from.max(to) < MOST_STATES);
        let edges = edges.map(|(from, to, thread)| json!([from, to, thread.0]));
        json!({
            "nodes": nodes.collect::<Vec<_>>(),
            "edges": edges.collect::<Vec<_>>(),
            "current": current,
            "hidden": self.nodes.len().saturating_sub(MOST_STATES),
        })
    }
}

/// Why there is no state after a step.
fn told_halt(halt: &Halt) -> String {
    match halt {
        Halt::Fault(fault) => format!("{}: {}", fault.kind, fault.message),
        Halt::Pruned => "an assumption of the program fails: this does not count".to_owned(),
        Halt::GaveUp(why) => format!("raddle cannot go on: {why}"),
        Halt::Stopped(_) => "raddle was stopped".to_owned(),
    }
}
