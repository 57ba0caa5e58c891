//! What a boolean program declares: variables, locks and messages that all share, and thread types.

use super::names::Names;
use super::{Literal, Shown};
use crate::abstraction::{Abstraction, State};
use crate::nets::Built;
use crate::program::{Operation, Program};
use raddle_cover::net::{Place as NetPlace, Transition};
use std::collections::{BTreeMap, BTreeSet};

/// What all threads share.
pub(super) struct Globals {
    /// The variables, each with what it means.
    pub(super) variables: Vec<(String, String)>,
    /// The places of the net that say something about a variable.
    pub(super) literals: BTreeMap<NetPlace, Literal>,
    /// The places that are the two values of a variable; without the second one, a token in
    /// the first is the variable.
    pub(super) places: Vec<(String, NetPlace, Option<NetPlace>)>,
    /// For each lock its name, if it is a lock.
    pub(super) locks: Vec<Option<String>>,
}

impl Globals {
    pub(super) fn new(
        program: &Program,
        abstraction: &Abstraction,
        built: &Built,
        shown: Shown<'_>,
        names: &mut Names,
    ) -> Globals {
        let mut it = Globals {
            variables: Vec::new(),
            literals: BTreeMap::new(),
            places: Vec::new(),
            locks: Vec::new(),
        };
        let predicates = abstraction.shared.iter().zip(&built.places.predicates);
        for (&predicate, &(holds, fails)) in predicates {
            let (text, why) = shown(predicate);
            it.add(names.fresh(&text), text + &why, holds, Some(fails));
        }
        for (lock, &(free, held)) in built.places.locks.iter().enumerate() {
            let shown = &program.locks[lock];
            let is_lock = is_taken_and_given_back(program, lock);
            it.locks.push(is_lock.then(|| names.fresh(shown)));
            if !is_lock {
                let meaning = format!("the lock {shown} is held");
                let name = names.fresh(&format!("{shown} held"));
                it.add(name, meaning, held, Some(free));
            }
        }
        for &place in &built.places.alone {
            let shown = built.net.places[place.index()].clone();
            let name = names.fresh(&shown);
            let meaning = format!("{shown}, where one thread may be");
            it.add(name, meaning, place, None);
        }
        it
    }

    fn add(&mut self, name: String, meaning: String, holds: NetPlace, fails: Option<NetPlace>) {
        self.literals.insert(holds, (name.clone(), true));
        if let Some(fails) = fails {
            self.literals.insert(fails, (name.clone(), false));
        }
        self.variables.push((name.clone(), meaning));
        self.places.push((name, holds, fails));
    }

    /// The values that variables get by a transition.
    pub(super) fn changes(&self, transition: &Transition) -> Vec<Literal> {
        let update = |place: NetPlace| transition.updates.iter().find(|it| it.place == place);
        let places = self.places.iter();
        let changes = places.filter_map(|(name, holds, fails)| {
            let update = update(*holds)?;
            let gets = fails.is_some_and(|fails| update.sources.contains(&fails));
            let loses = !update.sources.contains(holds);
            let value = gets || update.delta > 0;
            let is_changed = gets || loses || update.delta != 0;
            is_changed.then(|| (name.clone(), value))
        });
        changes.collect()
    }

    /// The values that variables have initially: those of one case.
    pub(super) fn initially(&self, built: &Built, boot: &Transition) -> Vec<Literal> {
        let places = self.places.iter().map(|(name, holds, _)| {
            let begins = built.net.least[holds.index()] > 0;
            let mut updates = boot.updates.iter();
            let gets = updates.any(|it| it.place == *holds && it.delta > 0);
            (name.clone(), begins || gets)
        });
        places.collect()
    }
}

/// Whether each edge that uses a lock takes it and gives it back.
fn is_taken_and_given_back(program: &Program, lock: usize) -> bool {
    let mut edges = program.templates.iter().flat_map(|it| &it.edges);
    edges.all(|edge| {
        let uses = edge.operations.iter().filter(
            |it| matches!(it, Operation::Lock(used) | Operation::Unlock(used) if *used == lock),
        );
        let uses: Vec<&Operation> = uses.collect();
        matches!(
            uses.as_slice(),
            [] | [Operation::Lock(_), Operation::Unlock(_)]
        )
    })
}

/// What threads wait for.
pub(super) struct Monitors {
    /// For each lock that is waited for, the message, and the lock that is held while threads
    /// begin to sleep and are woken.
    pub(super) used: BTreeMap<usize, (String, String)>,
    /// Locks that are there for this alone.
    pub(super) more: Vec<String>,
}

impl Monitors {
    pub(super) fn new(program: &Program, globals: &Globals, names: &mut Names) -> Monitors {
        let waits = program.templates.iter().flat_map(|it| &it.waits);
        let locks: BTreeSet<usize> = waits.map(|(_, _, lock)| *lock).collect();
        let (mut used, mut more) = (BTreeMap::new(), Vec::new());
        for lock in locks {
            let shown = &program.locks[lock];
            let message = names.fresh(&format!("{shown} notified"));
            let guard = globals.locks[lock].clone().unwrap_or_else(|| {
                more.push(names.fresh(&format!("{shown} waiting")));
                more.last().cloned().unwrap_or_default()
            });
            used.insert(lock, (message, guard));
        }
        Monitors { used, more }
    }
}

/// A thread type.
pub(super) struct Kind {
    pub(super) name: String,
    /// The locations that have a place, with their labels.
    pub(super) labels: BTreeMap<usize, String>,
    /// The label of the end.
    pub(super) end: String,
    /// The local variables, each with what it means.
    pub(super) locals: Vec<(String, String)>,
    /// For each predicate the variable with its value, and the one that says that it is unknown;
    /// empty where there is no need for it.
    pub(super) predicates: Vec<(String, String)>,
    /// At each location, for each predicate, which values there are: a set of bits.
    pub(super) values: BTreeMap<usize, Vec<u8>>,
}

/// Which variables tell some values of a predicate apart: its value, and whether it is unknown.
fn needs(values: u8) -> (bool, bool) {
    let (known, unknown) = (values & 0b011, values & 0b100);
    (known == 0b011, unknown != 0 && known != 0)
}

impl Kind {
    pub(super) fn new(
        program: &Program,
        abstraction: &Abstraction,
        number: usize,
        shown: Shown<'_>,
        names: &mut Names,
    ) -> Kind {
        let template = &program.templates[number];
        let own = &abstraction.local[number];
        let name = names.fresh(&template.name);
        let mut labels = BTreeMap::new();
        let mut values: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
        for (_, location, cube) in abstraction.states.iter().filter(|it| it.0 == number) {
            let seen = values
                .entry(*location)
                .or_insert_with(|| vec![0; own.len()]);
            for (seen, value) in seen.iter_mut().zip(cube) {
                *seen |= 1 << *value.min(&2);
            }
        }
        // Who is woken keeps its variables.
        for (from, to, _) in &template.waits {
            let both = [values.get(from).cloned(), values.get(to).cloned()];
            if let [Some(from_values), Some(to_values)] = both {
                let union = from_values.iter().zip(&to_values).map(|(a, b)| a | b);
                let union: Vec<u8> = union.collect();
                values.insert(*from, union.clone());
                values.insert(*to, union);
            }
        }
        for &location in values.keys() {
            let here = &template.locations[location];
            let line = here.place.map_or(location as u32, |place| place.line);
            let wrong = if here.is_error { " wrong" } else { "" };
            let label = names.fresh(&format!("{name} {line}{wrong}"));
            labels.insert(location, label);
        }
        let (mut locals, mut predicates) = (Vec::new(), Vec::new());
        for (index, &predicate) in own.iter().enumerate() {
            let (text, why) = shown(predicate);
            let (mut value, mut unknown) = (String::new(), String::new());
            if values.values().any(|it| needs(it[index]).0) {
                value = names.fresh(&text);
                locals.push((value.clone(), format!("{text}{why}")));
            }
            if values.values().any(|it| needs(it[index]).1) {
                unknown = names.fresh(&format!("{text} unknown"));
                let meaning = format!("it is not known whether {text}{why}");
                locals.push((unknown.clone(), meaning));
            }
            predicates.push((value, unknown));
        }
        Kind {
            end: names.fresh(&format!("{name} end")),
            name,
            labels,
            locals,
            predicates,
            values,
        }
    }

    /// What tells a state from the others at its location.
    pub(super) fn literals(&self, (_, location, cube): &State) -> Vec<Literal> {
        let mut literals = Vec::new();
        let Some(values) = self.values.get(location) else {
            return literals;
        };
        let all = cube.iter().zip(values).zip(&self.predicates);
        for ((&is, &values), (value, unknown)) in all {
            let (tells_value, tells_unknown) = needs(values);
            if tells_unknown {
                literals.push((unknown.clone(), is == 2));
            }
            if tells_value && is != 2 {
                literals.push((value.clone(), is == 1));
            }
        }
        literals
    }
}
