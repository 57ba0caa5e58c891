//! The net of an abstraction, and what its transitions mean.

use crate::abstraction::{Abstraction, NoAbstraction, Options, State, initial_valuations};
use crate::program::{Operation, Program, Tracked};
use crate::queries::Queries;
use raddle_cover::Net;
use raddle_cover::net::{Demand, Place, Transition, Update};
use raddle_machine::ir::LabelId;
use std::collections::{BTreeMap, HashMap};

/// What a transition of the net is.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    /// The shared predicates get their initial values.
    Boot,
    /// A thread of a template is there.
    Spawn(usize),
    /// A step of the abstraction, by its number.
    Step {
        /// Which.
        step: usize,
        /// Where the tokens of other places go.
        moved: HashMap<State, Option<State>>,
        /// Which templates get a thread.
        started: Vec<usize>,
        /// From where to where one may be woken, in the order of the transition's wakes.
        wakes: Vec<(State, State)>,
    },
}

/// A net and how to read its runs.
pub(crate) struct Built {
    pub(crate) net: Net,
    pub(crate) meanings: Vec<Meaning>,
    pub(crate) places: Places,
}

/// What the places of a net stand for.
pub(crate) struct Places {
    /// For each shared predicate, where the token is while it holds, and while it does not.
    pub(crate) predicates: Vec<(Place, Place)>,
    /// For each lock, where the token is while it is free, and while it is held.
    pub(crate) locks: Vec<(Place, Place)>,
    /// Who is at labels at which there is one thread at most. Until something is wrong, each of
    /// these places has one token or none.
    pub(crate) alone: Vec<Place>,
    /// The places of threads.
    pub(crate) states: HashMap<State, Place>,
}

/// A label at which there is one thread at most, as long as nothing is wrong.
struct Alone {
    label: LabelId,
    /// Has a token while nobody is there.
    free: Place,
    /// Have a token while one of the followed threads is there.
    present: BTreeMap<usize, Place>,
}

struct Emitter<'a> {
    program: &'a Program,
    abstraction: &'a Abstraction,
    net: Net,
    meanings: Vec<Meaning>,
    predicates: Vec<(Place, Place)>,
    locks: Vec<(Place, Place)>,
    states: HashMap<State, Place>,
    dead: Place,
    go: Place,
    /// The labels at which two threads are a violation by themselves.
    alone: Vec<Alone>,
}

/// The net of an abstraction.
pub(crate) fn emit(
    program: &mut Program,
    abstraction: &Abstraction,
    options: Options,
    queries: &mut Queries<'_>,
) -> Result<Built, NoAbstraction> {
    let valuations = initial_valuations(program, &abstraction.shared, queries)?;
    let mut net = Net::default();
    let place = |net: &mut Net, name: String, tokens: u32| {
        net.places.push(name);
        net.least.push(tokens);
        net.most.push(tokens);
        Place(net.places.len() as u32 - 1)
    };
    let mut predicates = Vec::new();
    for &predicate in &abstraction.shared {
        let shown = program.terms.show(predicate);
        let holds = place(&mut net, shown.clone(), 0);
        let fails = place(&mut net, format!("!({shown})"), 0);
        predicates.push((holds, fails));
    }
    let mut locks = Vec::new();
    for lock in &program.locks {
        let free = place(&mut net, format!("{lock} free"), 1);
        let held = place(&mut net, format!("{lock} held"), 0);
        locks.push((free, held));
    }
    let mut states = HashMap::new();
    for state in &abstraction.states {
        let name = name_of(program, state);
        states.insert(state.clone(), place(&mut net, name, 0));
    }
    let dead = place(&mut net, "dead".to_owned(), 0);
    let go = place(&mut net, "go".to_owned(), 0);
    let boot = place(&mut net, "boot".to_owned(), 1);
    let mut alone = Vec::new();
    if let (true, Some(tracked)) = (options.first_violation, &program.tracked) {
        for label in labels_alone(program, tracked) {
            let free = place(&mut net, "nobody there".to_owned(), 1);
            let present = tracked.copies.iter().map(|&copy| {
                let name = format!("{} there", program.templates[copy].name);
                (copy, place(&mut net, name, 0))
            });
            let present = present.collect();
            alone.push(Alone {
                label,
                free,
                present,
            });
        }
    }
    let mut emitter = Emitter {
        program,
        abstraction,
        net,
        meanings: Vec::new(),
        predicates,
        locks,
        states,
        dead,
        go,
        alone,
    };
    for valuation in valuations {
        let mut change = vec![(boot, -1), (emitter.go, 1)];
        for (number, value) in valuation.literals() {
            let (holds, fails) = emitter.predicates[number];
            change.push((if value { holds } else { fails }, 1));
        }
        for (number, template) in emitter.program.templates.iter().enumerate() {
            if template.once {
                change.extend(emitter.entry(number).map(|place| (place, 1)));
            }
        }
        emitter.plain(
            "initially".to_owned(),
            vec![(boot, 1)],
            &change,
            Meaning::Boot,
        );
    }
    for (number, template) in emitter.program.templates.iter().enumerate() {
        if let (false, false, Some(entry)) =
            (template.once, template.started, emitter.entry(number))
        {
            let name = format!("another {}", template.name);
            let guard = vec![(emitter.go, 1)];
            emitter.plain(name, guard, &[(entry, 1)], Meaning::Spawn(number));
        }
    }
    for step in 0..abstraction.steps.len() {
        emitter.step(step);
    }
    emitter.targets()?;
    let present = |it: &Alone| it.present.values().copied().collect::<Vec<_>>();
    let alone = emitter.alone.iter();
    let alone = alone.flat_map(|it| std::iter::once(it.free).chain(present(it)));
    let places = Places {
        alone: alone.collect(),
        predicates: emitter.predicates,
        locks: emitter.locks,
        states: emitter.states,
    };
    Ok(Built {
        net: emitter.net,
        meanings: emitter.meanings,
        places,
    })
}

/// The labels at which two threads are a violation by themselves, while two are followed:
/// only of those the first violation can be spoken of. Nobody begins there.
fn labels_alone(program: &Program, tracked: &Tracked) -> Vec<LabelId> {
    let begins_at = |label: &LabelId| {
        let mut first = program
            .templates
            .iter()
            .filter_map(|it| it.locations.first());
        first.any(|location| location.labels.contains(label))
    };
    let alone = program
        .targets
        .iter()
        .filter_map(|target| match target.labels.as_slice() {
            [a, b] if a == b && target.condition.is_empty() => Some(*a),
            _ => None,
        });
    let mut labels: Vec<_> = alone
        .filter(|label| tracked.copies.len() == 2 && !begins_at(label))
        .collect();
    labels.sort();
    labels.dedup();
    labels
}

fn name_of(program: &Program, (template, location, cube): &State) -> String {
    let described = &program.templates[*template];
    let here = &described.locations[*location];
    let cube: String = cube
        .iter()
        .map(|value| ['0', '1', '*'][usize::from(*value.min(&2))])
        .collect();
    let line = here
        .place
        .map_or(String::new(), |place| format!(":{}", place.line));
    let error = if here.is_error { " wrong" } else { "" };
    format!("{}{line}.{location}{error} {cube}", described.name)
}

/// What a step needs and changes beside its own place.
#[derive(Clone, Default)]
struct Case {
    needs: Vec<Place>,
    changes: Vec<(Place, i64)>,
}

impl Emitter<'_> {
    fn entry(&self, template: usize) -> Option<Place> {
        let entry = self.abstraction.entries[template].as_ref()?;
        self.states.get(entry).copied()
    }

    fn plain(&mut self, name: String, guard: Demand, change: &[(Place, i64)], meaning: Meaning) {
        let mut sums: BTreeMap<Place, i64> = BTreeMap::new();
        for &(place, delta) in change {
            *sums.entry(place).or_default() += delta;
        }
        let updates = sums.into_iter().filter(|(_, delta)| *delta != 0);
        let updates = updates.map(|(place, delta)| Update {
            place,
            sources: vec![place],
            delta,
        });
        self.net.transitions.push(Transition {
            name,
            guard,
            updates: updates.collect(),
            wakes: Vec::new(),
        });
        self.meanings.push(meaning);
    }

    /// The transition of a step. A step that takes a lock twice is none.
    fn step(&mut self, number: usize) {
        let step = &self.abstraction.steps[number];
        let template = &self.program.templates[step.template];
        let edge = &template.edges[step.edge];
        let mut guard: BTreeMap<Place, u32> = BTreeMap::new();
        let mut delta: BTreeMap<Place, i64> = BTreeMap::new();
        let mut transfer: BTreeMap<Place, Place> = BTreeMap::new();
        let (from, to) = (self.states[&step.from], self.states[&step.to]);
        guard.insert(from, 1);
        for (predicate, value) in step.before.literals() {
            guard.insert(self.predicate(predicate, value), 1);
        }
        for (predicate, value) in step.after.literals() {
            let (gets, loses) = (
                self.predicate(predicate, value),
                self.predicate(predicate, !value),
            );
            match step.before.get(predicate) {
                Some(before) if before == value => {}
                Some(_) => {
                    *delta.entry(gets).or_default() += 1;
                    *delta.entry(loses).or_default() -= 1;
                }
                None => {
                    transfer.insert(loses, gets);
                }
            }
        }
        let Some(locks) = locks_after(&edge.operations) else {
            return;
        };
        for (lock, (needs_held, ends_held)) in locks {
            let (free, held) = self.locks[lock];
            let pick = |is_held| if is_held { held } else { free };
            guard.insert(pick(needs_held), 1);
            if needs_held != ends_held {
                *delta.entry(pick(needs_held)).or_default() -= 1;
                *delta.entry(pick(ends_held)).or_default() += 1;
            }
        }
        let (moved, wakes, started) = self.others(number);
        for (state, after) in &moved {
            if self.program.templates[state.0].once && state.0 == step.template {
                continue;
            }
            let after = after.as_ref().map_or(self.dead, |after| self.states[after]);
            transfer.insert(self.states[state], after);
        }
        for &started in &started {
            if let Some(entry) = self.entry(started) {
                *delta.entry(entry).or_default() += 1;
            }
        }
        // The active thread leaves the others of its place, who may go elsewhere.
        *delta.entry(to).or_default() += 1;
        *delta
            .entry(transfer.get(&from).copied().unwrap_or(from))
            .or_default() -= 1;
        let place = edge
            .place
            .map_or(String::new(), |place| format!(":{}", place.line));
        let wakes_to: Vec<(Place, Place)> = wakes
            .iter()
            .map(|(from, to)| (self.states[from], self.states[to]))
            .collect();
        for case in self.entries_and_exits(number) {
            let (mut guard, mut delta) = (guard.clone(), delta.clone());
            for place in case.needs {
                guard.insert(place, 1);
            }
            for (place, change) in case.changes {
                *delta.entry(place).or_default() += change;
            }
            self.net.transitions.push(Transition {
                name: format!("{}{place} #{number}", template.name),
                guard: guard.into_iter().collect(),
                updates: updates(&transfer, &delta),
                wakes: wakes_to.clone(),
            });
            self.meanings.push(Meaning::Step {
                step: number,
                moved: moved.clone(),
                started: started.clone(),
                wakes: wakes.clone(),
            });
        }
    }

    fn predicate(&self, number: usize, value: bool) -> Place {
        let (holds, fails) = self.predicates[number];
        if value { holds } else { fails }
    }

    /// What happens to other threads: where passive ones go, who may be woken, who is started.
    #[allow(clippy::type_complexity)]
    fn others(
        &self,
        number: usize,
    ) -> (
        HashMap<State, Option<State>>,
        Vec<(State, State)>,
        Vec<usize>,
    ) {
        let step = &self.abstraction.steps[number];
        let edge = &self.program.templates[step.template].edges[step.edge];
        let mut moved: HashMap<State, Option<State>> = HashMap::new();
        for (state, after) in &step.passive {
            if after.as_ref() != Some(state) {
                moved.insert(state.clone(), after.clone());
            }
        }
        let (mut wakes, mut started) = (Vec::new(), Vec::new());
        for operation in &edge.operations {
            match operation {
                Operation::Start(template) => started.push(*template),
                Operation::Notify(lock) | Operation::NotifyAll(lock) => {
                    for state in &self.abstraction.states {
                        let waits = self.program.templates[state.0].waits.iter();
                        let mut waits =
                            waits.filter(|(from, _, it)| it == lock && *from == state.1);
                        let Some((_, notified, _)) = waits.next() else {
                            continue;
                        };
                        if matches!(operation, Operation::NotifyAll(_)) {
                            let after = step.passive.get(state).cloned();
                            let after = after.unwrap_or_else(|| Some(state.clone()));
                            let after =
                                after.map(|(template, _, cube)| (template, *notified, cube));
                            let is_known =
                                after.as_ref().is_none_or(|it| self.states.contains_key(it));
                            if is_known {
                                moved.insert(state.clone(), after);
                            }
                        } else {
                            let to = (state.0, *notified, state.2.clone());
                            if self.states.contains_key(&to) {
                                wakes.push((state.clone(), to));
                            }
                        }
                    }
                }
                Operation::Lock(_) | Operation::Unlock(_) => {}
            }
        }
        (moved, wakes, started)
    }

    /// What a step needs and changes of who is where there should be one thread at most.
    ///
    /// Whoever comes there finds nobody, except for the second of the followed threads, which
    /// finds the first. That is no restriction: among all violations, look at the first one
    /// and follow the two threads that make it.
    fn entries_and_exits(&self, number: usize) -> Vec<Case> {
        let step = &self.abstraction.steps[number];
        let template = &self.program.templates[step.template];
        let edge = &template.edges[step.edge];
        let is_at = |location: usize, label| template.locations[location].labels.contains(label);
        let mut cases = vec![Case::default()];
        for alone in &self.alone {
            let (before, after) = (is_at(edge.from, &alone.label), is_at(edge.to, &alone.label));
            let own = alone.present.get(&step.template);
            let others = alone.present.iter().filter(|(it, _)| **it != step.template);
            let mut next = Vec::new();
            for mut case in cases {
                match (before, after) {
                    (true, false) => {
                        case.changes.push((alone.free, 1));
                        case.changes.extend(own.map(|&own| (own, -1)));
                    }
                    (false, true) => {
                        if let Some(&own) = own {
                            case.changes.push((own, 1));
                            for (_, &other) in others.clone() {
                                let mut second = case.clone();
                                second.needs.push(other);
                                next.push(second);
                            }
                        }
                        case.needs.push(alone.free);
                        case.changes.push((alone.free, -1));
                    }
                    _ => {}
                }
                next.push(case);
            }
            cases = next;
        }
        cases
    }

    fn targets(&mut self) -> Result<(), NoAbstraction> {
        let mut targets: Vec<Demand> = Vec::new();
        for target in &self.program.targets {
            let mut options: Vec<Vec<Place>> = vec![Vec::new()];
            let condition: Option<Vec<Place>> = target
                .condition
                .iter()
                .map(|(term, value)| {
                    let number = self.abstraction.shared.iter().position(|it| it == term)?;
                    Some(self.predicate(number, *value))
                })
                .collect();
            // A target that cannot be stated must not be left out.
            let Some(condition) = condition else {
                let why = "a property that the predicates do not express".to_owned();
                return Err(NoAbstraction::TooLarge(why));
            };
            options[0].extend(condition);
            if target.is_fault {
                let wrong = self.places_where(|here| here.is_error, None);
                options = each(&options, &wrong);
            }
            let copies = self.program.tracked.as_ref().map(|it| it.copies.clone());
            match copies {
                Some(copies) if !target.is_fault && target.labels.len() == copies.len() => {
                    let mut all = Vec::new();
                    for order in orders(&target.labels) {
                        let mut some = options.clone();
                        for (&copy, label) in copies.iter().zip(order) {
                            let there =
                                self.places_where(|here| here.labels.contains(&label), Some(copy));
                            some = each(&some, &there);
                        }
                        all.extend(some);
                    }
                    options = all;
                }
                _ => {
                    for label in &target.labels {
                        let there = self.places_where(|here| here.labels.contains(label), None);
                        options = each(&options, &there);
                    }
                }
            }
            targets.extend(options.into_iter().map(|places| {
                let mut demand: BTreeMap<Place, u32> = BTreeMap::new();
                for place in places {
                    *demand.entry(place).or_default() += 1;
                }
                demand.into_iter().collect::<Demand>()
            }));
        }
        targets.sort();
        targets.dedup();
        self.net.targets = targets;
        Ok(())
    }

    fn places_where(
        &self,
        is_it: impl Fn(&crate::program::Location) -> bool,
        template: Option<usize>,
    ) -> Vec<Place> {
        let states = self.abstraction.states.iter();
        let states = states.filter(|(number, location, _)| {
            template.is_none_or(|it| it == *number)
                && is_it(&self.program.templates[*number].locations[*location])
        });
        states.map(|state| self.states[state]).collect()
    }
}

/// Each of some lists with each of some places.
fn each(options: &[Vec<Place>], places: &[Place]) -> Vec<Vec<Place>> {
    let mut all = Vec::new();
    for option in options {
        for &place in places {
            let mut longer = option.clone();
            longer.push(place);
            all.push(longer);
        }
    }
    all
}

/// All orders of some labels.
fn orders<T: Copy + Ord>(items: &[T]) -> Vec<Vec<T>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for position in 0..items.len() {
        let mut rest = items.to_vec();
        let first = rest.remove(position);
        for mut order in orders(&rest) {
            order.insert(0, first);
            all.push(order);
        }
    }
    all.sort();
    all.dedup();
    all
}

/// For each lock that is used, whether it must be held before, and whether it is held after;
/// `None` if it is taken while it is held.
fn locks_after(operations: &[Operation]) -> Option<BTreeMap<usize, (bool, bool)>> {
    let mut locks: BTreeMap<usize, (bool, bool)> = BTreeMap::new();
    for operation in operations {
        match operation {
            Operation::Lock(lock) => match locks.get_mut(lock) {
                Some((_, held)) if *held => return None,
                Some((_, held)) => *held = true,
                None => {
                    locks.insert(*lock, (false, true));
                }
            },
            Operation::Unlock(lock) => {
                let first = locks.get(lock).is_none_or(|(first, _)| *first);
                locks.insert(*lock, (first, false));
            }
            _ => {}
        }
    }
    Some(locks)
}

/// The new contents of places: whose contents come together there, and what is added.
fn updates(transfer: &BTreeMap<Place, Place>, delta: &BTreeMap<Place, i64>) -> Vec<Update> {
    let mut into: BTreeMap<Place, Vec<Place>> = BTreeMap::new();
    for (&from, &to) in transfer {
        into.entry(to).or_default().push(from);
    }
    let mut places: Vec<Place> = transfer.keys().copied().collect();
    places.extend(into.keys());
    places.extend(delta.keys());
    places.sort();
    places.dedup();
    let mut updates = Vec::new();
    for place in places {
        let mut sources = match transfer.contains_key(&place) {
            true => Vec::new(),
            false => vec![place],
        };
        sources.extend(into.get(&place).into_iter().flatten().copied());
        let delta = delta.get(&place).copied().unwrap_or(0);
        if sources != [place] || delta != 0 {
            updates.push(Update {
                place,
                sources,
                delta,
            });
        }
    }
    updates
}
