//! Smaller machines with the same answers: a transition and the invisible ones after it
//! become one.
//!
//! **From**: paper 003, sections 4.2.2 to 4.2.5, after paper 002 (the system C(S)).
//!
//! **Guarantees**: an unsafe set can be reached, or an assertion can fail, in the reduced
//! machine if and only if that is so in the full one. Deadlocks are not preserved.
//!
//! **Why**: a step is *invisible* if it can be made earlier, right after the step of the same
//! thread before it, whatever the other threads do between: it touches local variables only,
//! or what is protected by a lock that the thread holds; or it gives a lock back. So every
//! execution can be put into an order in which invisible steps follow at once. Threads that
//! are in the middle of invisible steps can go on to a point that is kept, and nothing that
//! an unsafe set asks for changes by that.
//!
//! **Where it departs**, because section 4.2.5 is informal:
//! - A `sleep` or `wakeupall` is invisible only if the message follows a lock discipline, too:
//!   whoever wakes holds the lock that the sleepers give back. Else a wake-up could be missed
//!   in one order and not in the other.
//! - That nobody holds a lock while only the first thread exists is no breach of discipline.
//! - *BoundedInvis*, *DetermInvis*: instead of sequences up to a bound, all combinations of a
//!   state with a guard and an action that invisible steps lead to are computed.
//! - *NonBlockingInvis*: from each of these a point that is kept must be within reach,
//!   whatever the cells are; otherwise a `choice` that waits, or a loop for ever, would hide
//!   what its thread did before. Where that fails, the point that is to blame is kept.
//! - What an unsafe set names is visible.

use crate::machines::{Cells, Hop, LocalMachine, Machines, Signal, TooLarge, Transition};
use crate::program::{Action, Cell, PointId, Program, Variable};
use crate::unsafety::{Demand, Population};
use std::collections::{BTreeMap, BTreeSet};

/// What is invisible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether a `wakeupall` may be invisible.
    pub hide_broadcasts: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hide_broadcasts: true,
        }
    }
}

impl Machines {
    /// The reduced machines.
    pub fn reduced(&self, options: Options) -> Result<Machines, TooLarge> {
        let mut kept = kept_points(&self.program, options);
        let mut work = MOST_WORK;
        let locals = self.locals.iter();
        let locals = locals.map(|machine| reduce(&self.program, machine, &mut kept, &mut work));
        let mut reduced: Vec<(LocalMachine, Vec<usize>)> = locals.collect::<Result<_, _>>()?;
        let renumbered: Vec<Vec<usize>> = reduced.iter().map(|it| it.1.clone()).collect();
        if self.live.is_some() {
            for (machine, _) in &mut reduced {
                let mut known = BTreeSet::new();
                machine.transitions.retain(|it| known.insert(it.key()));
            }
        }
        for (machine, _) in &mut reduced {
            for transition in &mut machine.transitions {
                if let Signal::Start(thread, state) = &mut transition.signal {
                    *state = renumbered[*thread][*state];
                }
            }
        }
        Ok(Machines {
            program: self.program.clone(),
            locals: reduced.into_iter().map(|it| it.0).collect(),
            live: self.live.clone(),
        })
    }
}

/// The lock that protects each global variable and each message, if one does.
struct Disciplines {
    globals: Vec<bool>,
    messages: Vec<bool>,
}

impl Disciplines {
    fn new(program: &Program) -> Disciplines {
        let alone = program.alone();
        let all: BTreeSet<usize> = (0..program.locks.len()).collect();
        let mut globals = vec![all.clone(); program.globals.len()];
        let mut messages = vec![all; program.messages.len()];
        for (id, point) in program.all_points() {
            let restrict = |locks: &mut BTreeSet<usize>| {
                locks.retain(|lock| point.held.contains(lock));
            };
            let accessed = point.action.reads().into_iter();
            for variable in accessed.chain(point.action.writes()) {
                if let Variable::Global(index) = variable
                    && !alone.contains(&id)
                {
                    restrict(&mut globals[index]);
                }
            }
            match point.action {
                Action::Wakeup { message, .. } | Action::WakeupAll { message, .. } => {
                    restrict(&mut messages[message]);
                }
                // A sleeper gives its lock back and leaves the set of sleepers without it.
                Action::Sleep { message, lock, .. } => messages[message].retain(|it| *it == lock),
                _ => {}
            }
        }
        let is_protected = |locks: Vec<BTreeSet<usize>>| {
            let protected = locks.iter().map(|locks| !locks.is_empty());
            protected.collect()
        };
        Disciplines {
            globals: is_protected(globals),
            messages: is_protected(messages),
        }
    }
}

/// The points that are not passed over: where a visible step begins, or something else
/// matters.
fn kept_points(program: &Program, options: Options) -> BTreeSet<PointId> {
    let disciplines = Disciplines::new(program);
    let demands = program.unsafes.iter().flat_map(|set| set.cases.iter());
    let demands: BTreeSet<Demand> = demands.flatten().copied().collect();
    let names_cell = |cell: Cell| {
        let names = |demand: &Demand| matches!(*demand, Demand::Value(it, _) if it == cell);
        demands.iter().any(names)
    };
    let is_unsafe_label = |id: PointId| {
        demands.iter().any(|demand| match *demand {
            Demand::AtLeast(population @ Population::Label(_), _) => program.is_in(id, population),
            Demand::AtLeast(Population::Type(thread), _) => program.point(id).thread == thread,
            Demand::Value(..) => false,
        })
    };
    let is_invisible = |action: &Action| match *action {
        Action::Alternatives(_) | Action::Assert { .. } => {
            let mut variables = action.reads().into_iter().chain(action.writes());
            variables.all(|variable| match variable {
                Variable::Local(_) => true,
                Variable::Global(index) => {
                    disciplines.globals[index] && !names_cell(Cell::Global(index))
                }
            })
        }
        Action::Unlock { lock, .. } => !names_cell(Cell::Lock(lock)),
        Action::Sleep { message, lock, .. } => {
            disciplines.messages[message] && !names_cell(Cell::Lock(lock))
        }
        Action::WakeupAll { message, .. } => {
            disciplines.messages[message] && options.hide_broadcasts
        }
        _ => false,
    };
    let mut kept: BTreeSet<PointId> = program
        .all_points()
        .filter(|(id, point)| !is_invisible(&point.action) || is_unsafe_label(*id))
        .map(|(id, _)| id)
        .collect();
    kept.insert(program.begin);
    kept.extend(program.types.iter().map(|it| it.entry));
    // Who receives does nothing else in the same transition.
    kept.extend(program.points.iter().filter_map(|it| match it.action {
        Action::Accept { next, .. } => Some(next),
        _ => None,
    }));
    kept
}

/// Reduces one machine, and tells the new numbers of its states. Keeps more points where
/// transitions cannot be composed.
fn reduce(
    program: &Program,
    machine: &LocalMachine,
    kept: &mut BTreeSet<PointId>,
    work: &mut usize,
) -> Result<(LocalMachine, Vec<usize>), TooLarge> {
    loop {
        let composer = Composer {
            program,
            machine,
            kept,
            from: outgoing(machine),
        };
        match composer.compose_all(work) {
            Ok(reduced) => return Ok(reduced),
            Err(_) if *work == 0 => return Err(TooLarge),
            Err(Blame(point)) => {
                kept.insert(point);
            }
        }
    }
}

fn outgoing(machine: &LocalMachine) -> Vec<Vec<&Transition>> {
    let mut from = vec![Vec::new(); machine.states.len()];
    for transition in &machine.transitions {
        from[transition.from].push(transition);
    }
    from
}

/// A point that must be kept.
struct Blame(PointId);

struct Composer<'m> {
    program: &'m Program,
    machine: &'m LocalMachine,
    kept: &'m BTreeSet<PointId>,
    /// The transitions from each state.
    from: Vec<Vec<&'m Transition>>,
}

/// Several transitions in a row, as one.
#[derive(Clone, Debug)]
struct Partial {
    to: usize,
    signal: Signal,
    guard: Cells,
    action: Cells,
    path: Vec<Hop>,
}

impl Composer<'_> {
    fn point(&self, state: usize) -> PointId {
        self.machine.states[state].point
    }

    fn is_kept(&self, state: usize) -> bool {
        self.kept.contains(&self.point(state))
    }

    fn compose_all(&self, work: &mut usize) -> Result<(LocalMachine, Vec<usize>), Blame> {
        let mut reduced = LocalMachine::default();
        let mut numbers = vec![usize::MAX; self.machine.states.len()];
        let mut order = Vec::new();
        let mut number = |state: usize, order: &mut Vec<usize>| {
            if numbers[state] == usize::MAX {
                numbers[state] = order.len();
                order.push(state);
            }
            numbers[state]
        };
        for &state in &self.machine.initial {
            let state = number(state, &mut order);
            reduced.initial.push(state);
        }
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            for &first in &self.from[state] {
                for partial in self.closure(first, work)? {
                    let to = number(partial.to, &mut order);
                    let transition = Transition {
                        from: next,
                        to,
                        signal: partial.signal,
                        guard: partial.guard,
                        action: partial.action,
                        path: partial.path,
                    };
                    reduced.transitions.push(transition);
                }
            }
            next += 1;
        }
        let states = order
            .iter()
            .map(|&state| self.machine.states[state].clone());
        reduced.states = states.collect();
        Ok((reduced, numbers))
    }

    /// A transition with all sequences of invisible ones behind it, up to kept points.
    fn closure(&self, first: &Transition, work: &mut usize) -> Result<Vec<Partial>, Blame> {
        let mut graph = Graph::default();
        graph.add(Partial {
            to: first.to,
            signal: first.signal.clone(),
            guard: first.guard.clone(),
            action: first.action.clone(),
            path: first.path.clone(),
        });
        let mut next = 0;
        while next < graph.partials.len() {
            let partial = graph.partials[next].clone();
            if !self.is_kept(partial.to) {
                for &second in &self.from[partial.to] {
                    let Some((composed, asked)) = self.compose(&partial, second)? else {
                        continue;
                    };
                    let to = graph.add(composed);
                    graph.edges[next].push((asked, to));
                }
            }
            *work = work.saturating_sub(1);
            // So many combinations are no reduction.
            if graph.partials.len() > MOST_PARTIALS || *work == 0 {
                return Err(Blame(self.point(partial.to)));
            }
            next += 1;
        }
        self.check_progress(&graph)?;
        let all = graph.partials.into_iter();
        let ends = all.filter(|partial| self.is_kept(partial.to));
        Ok(ends.map(Partial::without_repetitions).collect())
    }

    /// One more transition, with what it asks of cells that were not known; `None` if it is
    /// not possible.
    fn compose(
        &self,
        partial: &Partial,
        second: &Transition,
    ) -> Result<Option<(Partial, Cells)>, Blame> {
        let mut composed = partial.clone();
        let mut asked = Cells::new();
        for (&cell, &value) in &second.guard {
            let known = partial.action.get(&cell).or(partial.guard.get(&cell));
            match known {
                Some(&known) if known != value => return Ok(None),
                Some(_) => {}
                None => {
                    composed.guard.insert(cell, value);
                    // That a thread holds its locks need not be asked.
                    let held = &self.program.point(self.point(partial.to)).held;
                    if !matches!(cell, Cell::Lock(lock) if value && held.contains(&lock)) {
                        asked.insert(cell, value);
                    }
                }
            }
        }
        let blame = Err(Blame(self.point(partial.to)));
        composed.signal = match (&partial.signal, &second.signal) {
            // In a net somebody is woken at the end of a transition; it must not be the
            // thread itself, which sleeps later.
            (Signal::Wakeup(message), Signal::Internal) => {
                let to = &self.program.point(self.point(second.to)).action;
                if matches!(to, Action::Wait { message: it, .. } if it == message) {
                    return blame;
                }
                partial.signal.clone()
            }
            (signal, Signal::Internal) | (Signal::Internal, signal) => signal.clone(),
            _ => return blame,
        };
        composed.to = second.to;
        composed.action.extend(&second.action);
        composed.path.extend(&second.path);
        Ok(Some((composed, asked)))
    }

    /// Whether a kept point is within reach from everywhere, whatever the cells are.
    fn check_progress(&self, graph: &Graph) -> Result<(), Blame> {
        let partials = graph.partials.iter();
        let mut arrives: Vec<bool> = partials.map(|it| self.is_kept(it.to)).collect();
        let is_covered = |index: usize, good: &dyn Fn(usize) -> bool| {
            let edges = graph.edges[index].iter().filter(|edge| good(edge.1));
            covers_everything(edges.map(|edge| &edge.0).collect())
        };
        loop {
            let fresh: Vec<usize> = (0..arrives.len())
                .filter(|&it| !arrives[it] && is_covered(it, &|to| arrives[to]))
                .collect();
            if fresh.is_empty() {
                break;
            }
            for index in fresh {
                arrives[index] = true;
            }
        }
        let lost = || (0..arrives.len()).filter(|&it| !arrives[it]);
        let point = |index: usize| self.point(graph.partials[index].to);
        // One that waits is to blame before those that lead to it, and in a loop its head.
        let waits = lost().filter(|&it| !is_covered(it, &|_| true)).map(point);
        match waits.min().or(lost().map(point).min()) {
            Some(point) => Err(Blame(point)),
            None => Ok(()),
        }
    }
}

/// The most combinations that are computed behind one transition.
const MOST_PARTIALS: usize = 1 << 12;

/// The most combinations that are computed in all.
const MOST_WORK: usize = 1 << 22;

/// The most cells that are tried out in all combinations.
const MOST_ASKED: usize = 12;

/// Whether one of these conjunctions holds whatever the cells are.
fn covers_everything(ways: Vec<&Cells>) -> bool {
    let cells: BTreeSet<Cell> = ways.iter().flat_map(|way| way.keys().copied()).collect();
    let cells: Vec<Cell> = cells.into_iter().collect();
    if cells.len() > MOST_ASKED {
        return false;
    }
    (0..1u32 << cells.len()).all(|bits| {
        let value = |cell: &Cell| {
            let position = cells.iter().position(|it| it == cell);
            position.is_some_and(|position| bits >> position & 1 != 0)
        };
        let mut ways = ways.iter();
        ways.any(|way| way.iter().all(|(cell, &wanted)| value(cell) == wanted))
    })
}

impl Partial {
    /// A cell that gets the value which it is asked to have does not change.
    fn without_repetitions(mut self) -> Partial {
        let guard = &self.guard;
        self.action
            .retain(|cell, value| guard.get(cell) != Some(value));
        self
    }
}

/// The combinations behind one transition, and how they follow each other.
#[derive(Default)]
struct Graph {
    partials: Vec<Partial>,
    /// To which ones, and what must hold for that.
    edges: Vec<Vec<(Cells, usize)>>,
    numbers: BTreeMap<(usize, Signal, Cells, Cells), usize>,
}

impl Graph {
    fn add(&mut self, partial: Partial) -> usize {
        let key = (
            partial.to,
            partial.signal.clone(),
            partial.guard.clone(),
            partial.action.clone(),
        );
        let fresh = self.partials.len();
        let number = *self.numbers.entry(key).or_insert(fresh);
        if number == fresh {
            self.partials.push(partial);
            self.edges.push(Vec::new());
        }
        number
    }
}
