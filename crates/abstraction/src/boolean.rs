//! The net of an abstraction as a Concurrent Boolean Program, where it is one.
//!
//! **From**: chapter 3.1 of paper 003, which abstracts Java into such programs by hand. Shared
//! predicates become global variables, predicates over the variables of a thread local ones,
//! a location a label, and the abstract steps of an edge the alternatives of a `choice`, which is
//! one step. Where a predicate of a thread is sometimes unknown, a second variable says so. A
//! lock that every edge takes and gives back is a lock of the program; any other one is a
//! variable, which the `choice` tests and sets. `main` gives the predicates their initial
//! values, and starts the threads.
//!
//! **What is guaranteed**: the boolean program reaches one of its unsafe sets exactly if the net
//! covers one of its targets. A run of the net is one of the program: a thread goes to the edge,
//! takes its locks, chooses, starts, wakes and gives back, and nobody else moves meanwhile. An
//! execution of the program is a run of the net: what a thread does before its `choice` is to take
//! locks, which moves to the right up to it, and what it does afterwards (giving locks back,
//! starting threads, going to a label) moves to the left, because no step of another thread
//! depends on a thread that has not come to its place yet. That is where it is needed that nobody
//! changes the place of others. A thread that has gone to an edge which it cannot take, or is
//! not started yet, is one that is missing, and unsafe sets do not become reachable by that.
//! Sleeping and waking happen while a lock is held that both take, so that no wake-up is lost between
//! the step by which a thread begins to wait and its sleep. Unsafe sets do not depend on that: who
//! misses a wake-up is as one that was woken and is slow. Deadlocks of the program would.
//!
//! **What does not fit**: a step that changes what *other* threads know of variables that it
//! writes, or that excludes threads at some places (numbers that count threads). In the net that
//! is a transfer at the moment of the step. A boolean program cannot change the local variables
//! of another thread, and the only statement that moves many is `wakeupall`: who is woken has to take a
//! lock and to make steps of its own before it stands where the transfer puts it, and that all
//! have done so cannot be tested. Such an abstraction is refused, with the place of the step,
//! unless nobody can be affected because it would have to hold a lock that the step needs.

mod declarations;
mod names;
#[cfg(test)]
mod tests;

use crate::abstraction::{Abstraction, State};
use crate::lower::Unsupported;
use crate::nets::{Built, Meaning};
use crate::program::{Edge, Operation, Program};
use crate::refinement::Predicate;
use crate::terms::Term;
use declarations::{Globals, Kind, Monitors};
use names::Names;
use raddle_cover::net::Place as NetPlace;
use raddle_model::Place;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A boolean program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// Its lines.
    pub lines: Vec<Line>,
}

/// A line of a boolean program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it says.
    pub text: String,
    /// Where the steps that begin in it begin in the program that was abstracted.
    pub place: Option<Place>,
}

/// The boolean program of an abstraction, or what does not fit into one.
pub(crate) fn program(
    program: &Program,
    abstraction: &Abstraction,
    built: &Built,
    predicates: &[Predicate],
) -> Result<Text, Unsupported> {
    let shown = |term: Term| {
        let text = program.terms.show(term);
        let why = predicates.iter().find(|it| it.text == text);
        let why = why.map_or(String::new(), |it| format!(" ({})", it.why));
        (text, why)
    };
    let mut names = Names::default();
    let globals = Globals::new(program, abstraction, built, &shown, &mut names);
    let monitors = Monitors::new(program, &globals, &mut names);
    let kinds = 0..program.templates.len();
    let kinds = kinds.map(|number| Kind::new(program, abstraction, number, &shown, &mut names));
    let kinds = kinds.collect();
    let running = names.fresh("running");
    let mut edges: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (transition, meaning) in built.meanings.iter().enumerate() {
        if let Meaning::Step { step, .. } = meaning {
            let step = &abstraction.steps[*step];
            let key = (step.template, step.edge);
            edges.entry(key).or_default().push(transition);
        }
    }
    let printer = Printer {
        program,
        abstraction,
        built,
        globals,
        monitors,
        kinds,
        running,
        edges,
    };
    printer.all()
}

/// A variable and its value.
type Literal = (String, bool);

/// What a predicate says, and why it is there.
type Shown<'a> = &'a dyn Fn(Term) -> (String, String);

struct Printer<'a> {
    program: &'a Program,
    abstraction: &'a Abstraction,
    built: &'a Built,
    globals: Globals,
    monitors: Monitors,
    kinds: Vec<Kind>,
    /// Where `main` is once the predicates have their values.
    running: String,
    /// The transitions of each edge of each template.
    edges: BTreeMap<(usize, usize), Vec<usize>>,
}

/// What a thread does from a location on.
struct Way {
    statements: Vec<String>,
    /// The location that it leads to.
    to: usize,
    place: Option<Place>,
}

impl Printer<'_> {
    fn all(&self) -> Result<Text, Unsupported> {
        let mut text = Text::default();
        let list = |names: Vec<&str>| match names.is_empty() {
            true => String::new(),
            false => format!("{} ", names.join(", ")),
        };
        for (name, meaning) in &self.globals.variables {
            text.push(0, &format!("// {name}: {meaning}"));
        }
        let variables = self.globals.variables.iter();
        let variables = list(variables.map(|(name, _)| &**name).collect());
        text.push(0, &format!("vars : {variables};"));
        let locks = self.globals.locks.iter().flatten();
        let locks = locks.chain(&self.monitors.more);
        let locks = list(locks.map(|it| &**it).collect());
        text.push(0, &format!("locks : {locks};"));
        let messages = self.monitors.used.values();
        let messages = list(messages.map(|(message, _)| &**message).collect());
        text.push(0, &format!("messages : {messages};"));
        let threads = self.there().map(|(_, kind)| &*kind.name);
        let threads = list(threads.chain(std::iter::once("main")).collect());
        text.push(0, &format!("threads : {threads};"));
        for set in self.unsafe_sets()? {
            text.push(0, &format!("unsafe : \"{set}\" ;"));
        }
        text.push(0, "");
        self.main(&mut text)?;
        for (number, kind) in self.there() {
            text.push(0, "");
            self.kind(number, kind, &mut text)?;
        }
        Ok(text)
    }

    /// The thread types of which there are threads.
    fn there(&self) -> impl Iterator<Item = (usize, &Kind)> {
        let kinds = self.kinds.iter().enumerate();
        kinds.filter(|(number, _)| self.abstraction.entries[*number].is_some())
    }

    /// What must not be reached. A target of the net has a place for each thread; in the program it
    /// is its location that counts, which is the same, since there is a target for every place
    /// at a location.
    fn unsafe_sets(&self) -> Result<BTreeSet<String>, Unsupported> {
        let states = self.built.places.states.iter();
        let locations: HashMap<NetPlace, (usize, usize)> = states
            .map(|(state, &place)| (place, (state.0, state.1)))
            .collect();
        let mut sets = BTreeSet::new();
        for target in &self.built.net.targets {
            let mut demands = Vec::new();
            let mut threads: BTreeMap<&str, u32> = BTreeMap::new();
            for (place, least) in target {
                if let Some((name, value)) = self.globals.literals.get(place) {
                    demands.push(literal(name, *value));
                    continue;
                }
                let label = locations.get(place).and_then(|&(template, location)| {
                    let waits = &self.program.templates[template].waits;
                    let sleeps = waits.iter().any(|(from, ..)| *from == location);
                    let label = self.kinds[template].labels.get(&location);
                    label.filter(|_| !sleeps)
                });
                let Some(label) = label else {
                    return Err(Unsupported {
                        what: "a property about threads that wait".to_owned(),
                        place: None,
                    });
                };
                *threads.entry(label).or_default() += least;
            }
            // Before `main` has set the variables they have any value.
            if threads.is_empty() {
                threads.insert(&self.running, 1);
            }
            demands.extend(threads.iter().map(|(label, least)| match least {
                1 => (*label).to_owned(),
                least => format!("{label} >= {least}"),
            }));
            sets.insert(demands.join(" & "));
        }
        Ok(sets)
    }

    fn main(&self, text: &mut Text) -> Result<(), Unsupported> {
        let (mut cases, mut spawned) = (Vec::new(), Vec::new());
        let transitions = &self.built.net.transitions;
        for (meaning, transition) in self.built.meanings.iter().zip(transitions) {
            match meaning {
                Meaning::Boot => cases.push(Case {
                    needs: Vec::new(),
                    gets: self.globals.initially(self.built, transition),
                }),
                Meaning::Spawn(template) => spawned.push(self.start(*template)?),
                Meaning::Step { .. } => {}
            }
        }
        text.push(0, "main { vars : ;");
        if cases.is_empty() {
            // Nothing ever begins.
            text.push(1, "while (true) { skip ; }");
        }
        for line in choice(cases) {
            text.push(1, &line);
        }
        for (number, template) in self.program.templates.iter().enumerate() {
            if template.once && !template.started {
                text.push(1, &self.start(number)?);
            }
        }
        if self.built.net.targets.is_empty() {
            // No place is left in which anything is wrong, and that is still what is asked.
            text.push(1, "assert(true) ;");
        }
        let running = &self.running;
        match spawned.as_slice() {
            [] => text.push(1, &format!("[{running}] skip ;")),
            [start] => text.push(1, &format!("[{running}] while (*) {{ {start} }}")),
            many => {
                text.push(1, &format!("[{running}] while (*) {{"));
                for start in many {
                    text.push(2, &format!("if (*) {{ {start} }}"));
                }
                text.push(1, "}");
            }
        }
        text.push(0, "}");
        Ok(())
    }

    fn start(&self, template: usize) -> Result<String, Unsupported> {
        let entry = self.abstraction.entries[template].as_ref();
        let entry = entry.ok_or_else(|| Unsupported {
            what: "a thread that is started and has no beginning".to_owned(),
            place: None,
        })?;
        let kind = &self.kinds[template];
        let known = kind.literals(entry);
        let values = kind.locals.iter().map(|(name, _)| {
            let known = known.iter().find(|(it, _)| it == name);
            format!(", {}", known.is_some_and(|(_, value)| *value))
        });
        let values: String = values.collect();
        Ok(format!("start({}{values}) ;", kind.name))
    }

    fn kind(&self, number: usize, kind: &Kind, text: &mut Text) -> Result<(), Unsupported> {
        for (name, meaning) in &kind.locals {
            text.push(0, &format!("// {name}: {meaning}"));
        }
        let locals = kind.locals.iter().map(|(name, _)| name.as_str());
        let locals = locals.collect::<Vec<_>>().join(", ");
        let gap = if locals.is_empty() { "" } else { " " };
        text.push(0, &format!("{} {{ vars : {locals}{gap};", kind.name));
        let sleeping = |location: usize| {
            let mut waits = self.program.templates[number].waits.iter();
            waits.any(|(from, ..)| *from == location)
        };
        let mut ways: BTreeMap<usize, Vec<Way>> = BTreeMap::new();
        for &location in kind.labels.keys() {
            let found = self.ways(number, location)?;
            if sleeping(location) {
                if let Some(way) = found.first() {
                    return Err(Unsupported {
                        what: "a thread that goes on although it waits".to_owned(),
                        place: way.place,
                    });
                }
                continue;
            }
            ways.insert(location, found);
        }
        let order = order(&ways);
        let mut uses_end = false;
        for (index, location) in order.iter().enumerate() {
            let next = order.get(index + 1);
            let label = &kind.labels[location];
            let found = &ways[location];
            let mut is_first = true;
            let mut labelled = |statement: &str| match std::mem::take(&mut is_first) {
                true => format!("[{label}] {statement}"),
                false => statement.to_owned(),
            };
            let Some((last, others)) = found.split_last() else {
                text.push(1, &labelled("skip ;"));
                text.push(1, &format!("goto({}) ;", kind.end));
                uses_end = true;
                continue;
            };
            for way in others {
                text.push_from(1, &labelled("if (*) {"), way.place);
                for statement in &way.statements {
                    text.push(2, statement);
                }
                text.push(2, &format!("goto({}) ;", kind.labels[&way.to]));
                text.push(1, "}");
            }
            let mut place = last.place;
            let none = ["skip ;".to_owned()];
            let statements: &[String] = match (last.statements.as_slice(), others) {
                ([], []) => &none,
                (statements, _) => statements,
            };
            for statement in statements {
                text.push_from(1, &labelled(statement), place.take());
            }
            if next != Some(&last.to) {
                text.push_from(
                    1,
                    &format!("goto({}) ;", kind.labels[&last.to]),
                    place.take(),
                );
            }
        }
        if uses_end {
            text.push(1, &format!("[{}] skip ;", kind.end));
        }
        text.push(0, "}");
        Ok(())
    }

    /// What a thread can do at a location.
    fn ways(&self, template: usize, location: usize) -> Result<Vec<Way>, Unsupported> {
        let mut ways = Vec::new();
        let edges = self.program.templates[template].edges.iter().enumerate();
        for (number, edge) in edges.filter(|(_, edge)| edge.from == location) {
            if let Some(transitions) = self.edges.get(&(template, number)) {
                ways.push(self.way(template, edge, transitions)?);
            }
        }
        Ok(ways)
    }

    fn way(&self, template: usize, edge: &Edge, transitions: &[usize]) -> Result<Way, Unsupported> {
        let mut cases = Vec::new();
        for &transition in transitions {
            cases.push(self.case(edge, transition)?);
        }
        let waits = self.program.templates[template].waits.iter();
        let wait = waits.clone().find(|(from, ..)| *from == edge.to);
        let mut held: Vec<&str> = Vec::new();
        let (mut started, mut woken) = (Vec::new(), Vec::new());
        for operation in &edge.operations {
            match operation {
                Operation::Lock(lock) => held.extend(self.globals.locks[*lock].as_deref()),
                Operation::Start(template) => started.push(self.start(*template)?),
                Operation::Notify(lock) | Operation::NotifyAll(lock) => {
                    let word = match operation {
                        Operation::Notify(_) => "wakeup",
                        _ => "wakeupall",
                    };
                    // Otherwise nobody waits for it.
                    if let Some((message, guard)) = self.monitors.used.get(lock) {
                        woken.push((format!("{word}({message}) ;"), guard));
                    }
                }
                Operation::Unlock(_) => {}
            }
        }
        let sleep = wait.and_then(|(_, to, lock)| Some((*to, self.monitors.used.get(lock)?)));
        let guards = woken.iter().map(|(_, guard)| *guard);
        for guard in guards.chain(sleep.map(|(_, (_, guard))| guard)) {
            if !held.contains(&&**guard) {
                held.push(guard);
            }
        }
        let mut statements: Vec<String> = held.iter().map(|it| format!("lock({it}) ;")).collect();
        statements.extend(choice(cases));
        statements.extend(started);
        statements.extend(woken.into_iter().map(|(statement, _)| statement));
        let mut to = edge.to;
        let mut last = None;
        if let Some((woken, (message, guard))) = sleep {
            to = woken;
            last = Some(&**guard);
            held.retain(|it| *it != guard);
            statements.extend(held.drain(..).rev().map(|it| format!("unlock({it}) ;")));
            statements.push(format!("sleep({message}, {guard}) ;"));
        }
        let unlocked = held.into_iter().rev().chain(last);
        statements.extend(unlocked.map(|it| format!("unlock({it}) ;")));
        Ok(Way {
            statements,
            to,
            place: edge.place,
        })
    }

    /// What a transition needs and changes.
    fn case(&self, edge: &Edge, number: usize) -> Result<Case, Unsupported> {
        let transition = &self.built.net.transitions[number];
        let Meaning::Step {
            step, moved, wakes, ..
        } = &self.built.meanings[number]
        else {
            return Ok(Case::default());
        };
        let step = &self.abstraction.steps[*step];
        let is_notify = |it: &&Operation| matches!(it, Operation::Notify(_));
        if !wakes.is_empty() && edge.operations.iter().filter(is_notify).count() > 1 {
            return Err(Unsupported {
                what: "a step that notifies twice".to_owned(),
                place: edge.place,
            });
        }
        let mut moved: Vec<(&State, &Option<State>)> = moved.iter().collect();
        moved.sort();
        for (state, after) in moved {
            let is_itself = self.program.templates[state.0].once && state.0 == step.template;
            let is_fine = is_itself
                || self.is_woken(edge, state, after.as_ref())
                || self.is_excluded(step.template, edge, state);
            if !is_fine {
                return Err(self.changes_others(edge, state, after.as_ref()));
            }
        }
        let kind = &self.kinds[step.template];
        let mut needs = kind.literals(&step.from);
        let guard = transition.guard.iter();
        needs.extend(guard.filter_map(|(place, _)| self.globals.literals.get(place).cloned()));
        let mut gets = self.globals.changes(transition);
        gets.extend(kind.literals(&step.to));
        gets.retain(|it| !needs.contains(it));
        Ok(Case { needs, gets })
    }

    /// Whether a thread that waits is woken, and nothing else happens to it.
    fn is_woken(&self, edge: &Edge, state: &State, after: Option<&State>) -> bool {
        let waits = self.program.templates[state.0].waits.iter();
        let mut waits = waits.filter(|(from, ..)| *from == state.1);
        let Some((_, to, lock)) = waits.next() else {
            return false;
        };
        edge.operations.contains(&Operation::NotifyAll(*lock))
            && after == Some(&(state.0, *to, state.2.clone()))
    }

    /// Whether no thread can be in a state because it would hold a lock that the active thread
    /// holds or takes.
    fn is_excluded(&self, template: usize, edge: &Edge, state: &State) -> bool {
        let held = |template: usize, location: usize| {
            &self.program.templates[template].locations[location].held
        };
        let own = held(template, edge.from);
        let mut theirs = held(state.0, state.1).iter();
        theirs.any(|lock| own.contains(lock) || edge.operations.contains(&Operation::Lock(*lock)))
    }

    fn changes_others(&self, edge: &Edge, state: &State, after: Option<&State>) -> Unsupported {
        let name = &self.program.templates[state.0].name;
        let here = self.program.templates[state.0].locations[state.1].place;
        let here = here.map_or(String::new(), |place| format!(" in line {}", place.line));
        let known = after.and_then(|after| {
            let mut values = state.2.iter().zip(&after.2);
            let index = values.position(|(before, after)| before != after)?;
            let predicate = self.abstraction.local[state.0].get(index)?;
            Some(self.program.terms.show(*predicate))
        });
        let what = match known {
            Some(predicate) => {
                format!("a step that changes whether `{predicate}` for another `{name}`{here}")
            }
            None => format!("a step that is possible only if no other `{name}` is{here}"),
        };
        Unsupported {
            what,
            place: edge.place,
        }
    }
}

/// The locations in the order in which they are printed: the first, and behind each, where it
/// can, the one that its last way leads to.
fn order(ways: &BTreeMap<usize, Vec<Way>>) -> Vec<usize> {
    let mut order = Vec::new();
    let mut pending: Vec<usize> = ways.keys().rev().copied().collect();
    while let Some(location) = pending.pop() {
        if order.contains(&location) || !ways.contains_key(&location) {
            continue;
        }
        order.push(location);
        // The last way is the next one to be printed.
        pending.extend(ways[&location].iter().map(|way| way.to));
    }
    order
}

/// What a step needs, and the values that variables get.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Case {
    needs: Vec<Literal>,
    gets: Vec<Literal>,
}

/// One of some cases happens.
fn choice(cases: Vec<Case>) -> Vec<String> {
    let mut distinct: Vec<Case> = Vec::new();
    for case in cases {
        if !distinct.contains(&case) {
            distinct.push(case);
        }
    }
    if let [Case { needs, gets }] = distinct.as_slice()
        && needs.is_empty()
    {
        let assigned = (!gets.is_empty()).then(|| assignment(gets));
        return assigned.into_iter().collect();
    }
    let mut literals = distinct
        .iter()
        .flat_map(|it| it.needs.iter().chain(&it.gets));
    let Some((some, _)) = literals.next() else {
        return Vec::new();
    };
    let mut lines = vec!["choice {".to_owned()];
    let alternatives: BTreeSet<String> = distinct.iter().map(|it| alternative(it, some)).collect();
    lines.extend(alternatives.into_iter().map(|it| format!("  {it}")));
    lines.push("}".to_owned());
    lines
}

/// A case of a choice. Each has an assignment: if nothing is to be changed, a variable gets the
/// value that it has.
fn alternative(case: &Case, some: &str) -> String {
    let needs: Vec<String> = case.needs.iter().map(|it| literal(&it.0, it.1)).collect();
    let condition = match needs.is_empty() {
        true => "true".to_owned(),
        false => needs.join(" and "),
    };
    let assigned = match (case.gets.as_slice(), case.needs.first()) {
        ([], Some(known)) => assignment(std::slice::from_ref(known)),
        ([], None) => format!("{some} := {some} ;"),
        (gets, _) => assignment(gets),
    };
    format!("{condition} : {assigned}")
}

fn assignment(values: &[Literal]) -> String {
    let names: Vec<&str> = values.iter().map(|(name, _)| name.as_str()).collect();
    let values: Vec<String> = values.iter().map(|(_, value)| value.to_string()).collect();
    format!("{} := {} ;", names.join(", "), values.join(", "))
}

fn literal(name: &str, value: bool) -> String {
    match value {
        true => name.to_owned(),
        false => format!("!{name}"),
    }
}

impl Text {
    fn push(&mut self, depth: usize, text: &str) {
        self.push_from(depth, text, None);
    }

    fn push_from(&mut self, depth: usize, text: &str, place: Option<Place>) {
        self.lines.push(Line {
            text: format!("{}{text}", "  ".repeat(depth)),
            place,
        });
    }
}
