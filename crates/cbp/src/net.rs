//! The net of a global machine: any number of threads as tokens.
//!
//! There is one place for each state of each local machine, whose tokens are the threads that
//! are there, and two for each cell, one of which has a token: it is true, or it is false. A
//! variable whose initial value is chosen has a third one, in which its token begins.
//!
//! | machine | net |
//! | --- | --- |
//! | internal transition | moves a token, and the tokens of cells |
//! | a cell gets a value and was not looked at | a transfer from both of its places to one |
//! | `m!` and `m?` | one transition with two participants |
//! | `m↑` | moves one token from a place where threads wait for `m`, if there is any |
//! | `m!!` | transfers all tokens from these places |
//! | a start | one more token |
//!
//! The targets are the unsafe sets, and the places of failed assertions (see `targets.rs`).
//!
//! [`Translation::replay`] goes back: from a run of the net to an execution of the program.

use crate::interpreter::{Interpreter, Resolution, State};
use crate::machines::{Cells, Hop, Machines, Signal, Transition};
use crate::program::{Action, Cell, Variable};
use crate::targets;
use raddle_cover::{Marking, Net, Place, Run, Update};
use raddle_model::{Halt, Invariants, Move, Property, System, Thread, Violation};
use std::collections::{BTreeMap, BTreeSet};

/// A net, and what it has to do with the machines.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The net.
    pub net: Net,
    /// The machines that it was made of.
    pub machines: Machines,
    /// For each transition of the net what it stands for.
    pub origins: Vec<TransitionOrigin>,
    pub(crate) map: Map,
}

/// What a transition of a net stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransitionOrigin {
    /// The transition of the thread that acts: the machine, and the transition in it.
    pub actor: (usize, usize),
    /// The transition of the thread that it meets.
    pub partner: Option<(usize, usize)>,
}

/// Which place is what.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    /// The first place of each machine.
    machines: Vec<u32>,
    /// The machine and the state of each place of a thread.
    pub(crate) states: Vec<(usize, usize)>,
    /// The first place of each cell: true, and then false.
    cells: BTreeMap<Cell, u32>,
    /// The place in which the token of a global variable begins that has no value yet.
    undecided: BTreeMap<usize, Place>,
    /// Places with as many tokens as some others have together.
    pub(crate) sums: Vec<(Place, Vec<Place>)>,
}

impl Map {
    fn state(&self, machine: usize, state: usize) -> Place {
        Place(self.machines[machine] + state as u32)
    }

    pub(crate) fn cell(&self, cell: Cell, value: bool) -> Place {
        Place(self.cells[&cell] + u32::from(!value))
    }
}

impl Machines {
    /// Translates the machines. The error says that the net, or its targets, are too many.
    pub fn net(&self) -> Result<Translation, String> {
        self.net_with_sums(targets::FEW)
    }

    /// Translates the machines. Where a demand can be met in more ways than `few`, there is a
    /// place for the sum of tokens, as far as possible.
    pub fn net_with_sums(&self, few: usize) -> Result<Translation, String> {
        let mut net = Net::default();
        let map = self.places(&mut net);
        let mut translation = Translation {
            net,
            machines: self.clone(),
            origins: Vec::new(),
            map,
        };
        translation.transitions()?;
        targets::add(&mut translation, few)?;
        Ok(translation)
    }

    /// Adds the places with their initial tokens.
    fn places(&self, net: &mut Net) -> Map {
        let program = &self.program;
        let mut add = |name: String, tokens: u32| {
            net.places.push(name);
            net.least.push(tokens);
            net.most.push(tokens);
            net.places.len() as u32 - 1
        };
        let mut map = Map {
            machines: Vec::new(),
            states: Vec::new(),
            cells: BTreeMap::new(),
            undecided: BTreeMap::new(),
            sums: Vec::new(),
        };
        for (machine, local) in self.locals.iter().enumerate() {
            map.machines.push(map.states.len() as u32);
            for (index, state) in local.states.iter().enumerate() {
                let is_first = machine == program.main && state.point == program.begin;
                let is_first = is_first && local.initial.first() == Some(&index);
                let name = format!(
                    "{}.{}",
                    program.types[machine].name,
                    self.state_name(machine, state)
                );
                add(name, u32::from(is_first));
                map.states.push((machine, index));
            }
        }
        let globals = (0..program.globals.len()).map(Cell::Global);
        for cell in globals.chain((0..program.locks.len()).map(Cell::Lock)) {
            let name = program.cell_name(cell);
            let chosen = match cell {
                Cell::Global(index) if program.arbitrary.contains(&Variable::Global(index)) => {
                    Some(index)
                }
                _ => None,
            };
            let first = add(name.to_owned(), 0);
            add(format!("!{name}"), u32::from(chosen.is_none()));
            map.cells.insert(cell, first);
            if let Some(index) = chosen {
                let place = add(format!("{name}?"), 1);
                map.undecided.insert(index, Place(place));
            }
        }
        map
    }
}

/// The most updates and wakes that a net may have.
const MOST_PARTS: usize = 1 << 22;

/// For each signal who receives it: the transition, and the places before and after.
type Receptions = BTreeMap<Signal, Vec<((usize, usize), Place, Place)>>;

/// A transition of a net while it is put together.
#[derive(Default)]
struct Draft {
    guard: BTreeMap<Place, u32>,
    updates: BTreeMap<Place, (BTreeSet<Place>, i64)>,
}

impl Draft {
    fn update(&mut self, place: Place) -> &mut (BTreeSet<Place>, i64) {
        let unchanged = || (BTreeSet::from([place]), 0);
        self.updates.entry(place).or_insert_with(unchanged)
    }

    fn put(&mut self, place: Place, tokens: i64) {
        self.update(place).1 += tokens;
    }

    fn need(&mut self, place: Place) {
        *self.guard.entry(place).or_default() += 1;
    }

    fn step(&mut self, from: Place, to: Place) {
        self.need(from);
        self.put(from, -1);
        self.put(to, 1);
    }

    fn transfer(&mut self, from: Place, to: Place) {
        self.update(from).0.remove(&from);
        self.update(to).0.insert(from);
    }

    fn cells(&mut self, map: &Map, guard: &Cells, action: &Cells, chosen: Option<usize>) {
        for (&cell, &value) in guard {
            self.need(map.cell(cell, value));
        }
        for (&cell, &value) in action {
            let to = map.cell(cell, value);
            let undecided = chosen.filter(|&it| Cell::Global(it) == cell);
            match (
                undecided.and_then(|it| map.undecided.get(&it)),
                guard.get(&cell),
            ) {
                (Some(&from), _) => self.step(from, to),
                (None, Some(&known)) if known == value => {}
                (None, Some(&known)) => {
                    self.put(map.cell(cell, known), -1);
                    self.put(to, 1);
                }
                (None, None) => self.transfer(map.cell(cell, !value), to),
            }
        }
    }

    fn finish(self, name: String, wakes: Vec<(Place, Place)>) -> raddle_cover::Transition {
        let updates = self.updates.into_iter();
        let updates = updates.map(|(place, (sources, delta))| Update {
            place,
            sources: sources.into_iter().collect(),
            delta,
        });
        let changes = |it: &Update| it.sources != [it.place] || it.delta != 0;
        raddle_cover::Transition {
            name,
            guard: self.guard.into_iter().collect(),
            updates: updates.filter(changes).collect(),
            wakes,
        }
    }
}

impl Translation {
    fn transition(&self, (machine, transition): (usize, usize)) -> &Transition {
        &self.machines.locals[machine].transitions[transition]
    }

    /// For each signal the transitions that receive it, with the places before and after.
    fn receptions(&self) -> Receptions {
        let mut found = Receptions::new();
        for (machine, local) in self.machines.locals.iter().enumerate() {
            for (index, transition) in local.transitions.iter().enumerate() {
                let from = self.map.state(machine, transition.from);
                let to = self.map.state(machine, transition.to);
                let same = found.entry(transition.signal.clone()).or_default();
                same.push(((machine, index), from, to));
            }
        }
        found.retain(|signal, _| {
            matches!(
                signal,
                Signal::Receive(..) | Signal::Woken(_) | Signal::WokenWithAll(_)
            )
        });
        found
    }

    fn transitions(&mut self) -> Result<(), String> {
        let receptions = self.receptions();
        let mut parts = 0;
        for machine in 0..self.machines.locals.len() {
            for index in 0..self.machines.locals[machine].transitions.len() {
                let first = self.net.transitions.len();
                self.translate((machine, index), &receptions);
                let added = self.net.transitions[first..].iter();
                parts += added
                    .map(|it| 1 + it.updates.len() + it.wakes.len())
                    .sum::<usize>();
                if parts > MOST_PARTS {
                    return Err(format!("the net has more than {MOST_PARTS} parts"));
                }
            }
        }
        Ok(())
    }

    fn translate(&mut self, actor: (usize, usize), receptions: &Receptions) {
        let none = Vec::new();
        let receive = |signal: Signal| receptions.get(&signal).unwrap_or(&none);
        let transition = self.transition(actor).clone();
        let from = self.map.state(actor.0, transition.from);
        let to = self.map.state(actor.0, transition.to);
        let name = format!(
            "{} -> {}",
            self.net.places[from.index()],
            self.net.places[to.index()]
        );
        let chosen = match transition.signal {
            Signal::Choose(variable) => Some(variable),
            _ => None,
        };
        let draft = || {
            let mut draft = Draft::default();
            draft.step(from, to);
            draft.cells(&self.map, &transition.guard, &transition.action, chosen);
            draft
        };
        let origin = TransitionOrigin {
            actor,
            partner: None,
        };
        let mut added = Vec::new();
        match &transition.signal {
            Signal::Internal | Signal::Choose(_) => {
                added.push((draft().finish(name, Vec::new()), origin));
            }
            Signal::Start(thread, state) => {
                let mut draft = draft();
                draft.put(self.map.state(*thread, *state), 1);
                added.push((draft.finish(name, Vec::new()), origin));
            }
            Signal::Send(channel, values) => {
                for &(partner, from, to) in receive(Signal::Receive(*channel, values.clone())) {
                    let mut draft = draft();
                    draft.step(from, to);
                    let place = &self.net.places[from.index()];
                    let name = format!("{name} with {place}");
                    let origin = TransitionOrigin {
                        partner: Some(partner),
                        ..origin
                    };
                    added.push((draft.finish(name, Vec::new()), origin));
                }
            }
            Signal::Wakeup(message) => {
                let sleepers = receive(Signal::Woken(*message)).iter();
                let wakes = sleepers.map(|&(_, from, to)| (from, to)).collect();
                added.push((draft().finish(name, wakes), origin));
            }
            Signal::WakeupAll(message) => {
                let mut draft = draft();
                for &(_, from, to) in receive(Signal::WokenWithAll(*message)) {
                    draft.transfer(from, to);
                }
                added.push((draft.finish(name, Vec::new()), origin));
            }
            // These take part in the transitions of others.
            Signal::Receive(..) | Signal::Woken(_) | Signal::WokenWithAll(_) => {}
        }
        for (transition, origin) in added {
            self.net.transitions.push(transition);
            self.origins.push(origin);
        }
    }

    /// How many places and transitions there are, and how many of these have transfers.
    pub fn size(&self) -> (usize, usize, usize) {
        let transitions = self.net.transitions.iter();
        let transfers = transitions.filter(|it| {
            let mut updates = it.updates.iter();
            updates.any(|update| update.sources.iter().any(|it| *it != update.place))
        });
        (
            self.net.places.len(),
            self.net.transitions.len(),
            transfers.count(),
        )
    }
}

/// From the net to the program.
impl Translation {
    /// The execution that a run stands for, which ends in an unsafe state or with a failed
    /// assertion. Threads are not bounded: replay it with [`Interpreter::unlimited`].
    pub fn replay(&self, run: &Run) -> Result<Violation, String> {
        let program = self.machines.program.clone();
        let system = Interpreter::new(program, Default::default()).unlimited();
        let mut state = system.initial().map_err(|halt| told(&halt))?;
        let mut schedule = Vec::new();
        for (index, firing) in run.firings.iter().enumerate() {
            let blame = |what: &str| format!("step {} of the run: {what}", index + 1);
            let origin = self.origins.get(firing.transition);
            let origin = *origin.ok_or_else(|| blame("there is no such transition"))?;
            let transition = self.transition(origin.actor);
            let find = |machine: usize, at: usize, not: Option<Thread>| {
                let wanted = &self.machines.locals[machine].states[at];
                let mut threads = system.all_threads(&state);
                let found = threads.find(|&it| {
                    Some(it) != not
                        && system.point(&state, it) == wanted.point
                        && self
                            .machines
                            .told_apart(wanted.point, system.locals(&state, it))
                            == wanted.locals
                });
                found.ok_or_else(|| blame("no thread is there"))
            };
            let actor = find(origin.actor.0, transition.from, None)?;
            let partner = match (origin.partner, firing.wake) {
                (Some(partner), _) => {
                    let from = self.transition(partner).from;
                    Some(find(partner.0, from, Some(actor))?)
                }
                (None, Some(pair)) => {
                    let wakes = &self.net.transitions[firing.transition].wakes;
                    let &(from, _) = wakes.get(pair).ok_or_else(|| blame("nobody is woken"))?;
                    let (machine, at) = self.map.states[from.index()];
                    Some(find(machine, at, Some(actor))?)
                }
                (None, None) => None,
            };
            for &hop in &transition.path {
                let resolution = resolution(&system, &state, actor, partner, hop);
                let choice = system.choice(&state, actor, resolution);
                let choice = choice.ok_or_else(|| blame("the thread cannot do that"))?;
                let step = Move {
                    thread: actor,
                    choice,
                };
                schedule.push(step);
                match system.step(&mut state, actor, choice) {
                    Ok(()) => {}
                    Err(Halt::Fault(fault)) => {
                        let property = Property::Fault(fault);
                        return Ok(Violation { property, schedule });
                    }
                    Err(halt) => return Err(blame(&told(&halt))),
                }
            }
        }
        match system.check_invariants(&state) {
            Err(fault) => Ok(Violation {
                property: Property::Fault(fault),
                schedule,
            }),
            Ok(()) => Err("the run ends in no unsafe state".to_owned()),
        }
    }

    /// The marking that a state of the program stands for; `None` if a thread is in the
    /// middle of a transition.
    pub fn marking(&self, system: &Interpreter, state: &State) -> Option<Marking> {
        let mut marking = vec![0; self.net.places.len()];
        let threads = system.all_threads(state);
        let mut undecided = BTreeSet::new();
        for thread in threads {
            let point = system.point(state, thread);
            let machine = self.machines.program.point(point).thread;
            let locals = self
                .machines
                .told_apart(point, system.locals(state, thread));
            let mut states = self.machines.locals[machine].states.iter();
            let number = states.position(|it| it.point == point && it.locals == locals)?;
            marking[self.map.state(machine, number).index()] += 1;
            undecided.extend(system.effects.undecided(point).iter().copied());
        }
        for &cell in self.map.cells.keys() {
            let place = match cell {
                Cell::Global(index) if undecided.contains(&cell) => self.map.undecided[&index],
                cell => self.map.cell(cell, system.cell(state, cell)),
            };
            marking[place.index()] += 1;
        }
        for (sum, places) in &self.map.sums {
            marking[sum.index()] = places.iter().map(|place| marking[place.index()]).sum();
        }
        Some(marking)
    }
}

/// How a thread makes the next step of a path.
fn resolution(
    system: &Interpreter,
    state: &State,
    actor: Thread,
    partner: Option<Thread>,
    hop: Hop,
) -> Resolution {
    match (hop, system.action(state, actor), partner) {
        (Hop::Alternative(index), _, _) => Resolution::Alternative(index),
        (Hop::Value(value), _, _) => Resolution::Value(value),
        (Hop::Only, Action::Wakeup { .. } | Action::Rendezvous { .. }, Some(partner)) => {
            Resolution::With(partner)
        }
        (Hop::Only, _, _) => Resolution::Alone,
    }
}

fn told(halt: &Halt) -> String {
    match halt {
        Halt::Fault(fault) => fault.message.clone(),
        Halt::Pruned => "an assumption fails".to_owned(),
        Halt::GaveUp(why) => why.clone(),
        Halt::Stopped(_) => "it was stopped".to_owned(),
    }
}
