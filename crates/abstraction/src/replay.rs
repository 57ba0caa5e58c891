//! A run of the abstraction as an execution of the concrete machine, with as many threads as
//! it takes.

use crate::program::Program;
use crate::runs::Execution;
use raddle_machine::{Machine, MachineLimits, ir};
use raddle_model::{Halt, Invariants, Move, Narrate, Property, Status, System, Thread, Violation};
use std::collections::BTreeMap;

/// A violation of a program with a certain number of threads.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The program with these threads.
    pub program: ir::Program,
    /// How many threads there are of the replicated kinds.
    pub counts: Vec<(ir::DeclarationId, u32)>,
    /// What goes wrong, and how.
    pub violation: Violation,
}

/// After so many tries of steps it is given up.
const MOST_TRIES: usize = 20_000;
/// A choice among more is tried only as far as this.
const MOST_CHOICES: u32 = 64;

/// One step of the machine to be made.
struct Wanted {
    thread: usize,
    pc: u32,
}

struct Replay<'a> {
    machine: &'a Machine,
    wanted: Vec<Wanted>,
    schedule: Vec<Move>,
    tries: usize,
    found: Option<Property>,
}

/// Executes a run on the concrete machine; `None` if the machine does not go along.
pub(crate) fn replay(
    ir: &ir::Program,
    program: &Program,
    execution: &Execution,
    limits: MachineLimits,
) -> Option<Witness> {
    let mut counts: BTreeMap<ir::DeclarationId, u32> = BTreeMap::new();
    for id in &ir.replicated {
        counts.insert(*id, 0);
    }
    let has_moved = |thread: usize| execution.steps.iter().any(|step| step.thread == thread);
    let mut numbers: Vec<Option<(ir::DeclarationId, u32)>> = Vec::new();
    for (thread, &template) in execution.threads.iter().enumerate() {
        let template = &program.templates[template];
        let is_tracked = template.once && ir.replicated.contains(&template.declaration);
        let number = match counts.get_mut(&template.declaration) {
            Some(count) if !template.started && (is_tracked || has_moved(thread)) => {
                *count += 1;
                Some((template.declaration, *count - 1))
            }
            _ => None,
        };
        numbers.push(number);
    }
    // A violation may need one that has not moved, but one of each is there at least.
    for count in counts.values_mut() {
        *count = (*count).max(1);
    }
    let counts: Vec<(ir::DeclarationId, u32)> = counts.into_iter().collect();
    let concrete = ir.with_threads(&counts);
    let machine = Machine::new(concrete.clone(), limits).ok()?;
    let mut threads: Vec<Option<u32>> = Vec::new();
    for (thread, &template) in execution.threads.iter().enumerate() {
        let template = &program.templates[template];
        let initial = &concrete.initial_threads;
        let position = match numbers[thread] {
            Some((id, number)) => {
                let mut of_kind = (0..initial.len()).filter(|&it| initial[it].declaration == id);
                of_kind.nth(number as usize)
            }
            None if template.started || !template.once => None,
            None => initial.iter().position(|it| it.name == template.name),
        };
        threads.push(position.map(|it| it as u32));
    }
    let mut wanted = Vec::new();
    for step in &execution.steps {
        let edge = &program.templates[step.template].edges[step.edge];
        for &pc in edge.starts.iter() {
            if ir.starts.get(pc as usize).copied().unwrap_or(true) {
                wanted.push(Wanted {
                    thread: step.thread,
                    pc,
                });
            }
        }
    }
    let mut replay = Replay {
        machine: &machine,
        wanted,
        schedule: Vec::new(),
        tries: 0,
        found: None,
    };
    let state = match machine.initial() {
        Ok(state) => state,
        Err(Halt::Fault(fault)) => {
            return Some(Witness {
                program: concrete,
                counts,
                violation: Violation {
                    property: Property::Fault(fault),
                    schedule: Vec::new(),
                },
            });
        }
        Err(_) => return None,
    };
    let started: Vec<usize> = (0..execution.threads.len())
        .filter(|&thread| program.templates[execution.threads[thread]].started)
        .collect();
    replay.go(&state, 0, &threads, &started, 0);
    let property = replay.found?;
    Some(Witness {
        program: concrete,
        counts,
        violation: Violation {
            property,
            schedule: replay.schedule,
        },
    })
}

impl Replay<'_> {
    /// Makes the steps from a position on; whether they end in a violation.
    fn go(
        &mut self,
        state: &<Machine as raddle_model::States>::State,
        position: usize,
        threads: &[Option<u32>],
        started: &[usize],
        begun: usize,
    ) -> bool {
        if let Err(fault) = self.machine.check_invariants(state) {
            self.found = Some(Property::Fault(fault));
            return true;
        }
        self.tries += 1;
        if self.tries > MOST_TRIES {
            return false;
        }
        let Some(wanted) = self.wanted.get(position) else {
            return false;
        };
        let (name, pc) = (wanted.thread, wanted.pc);
        let Some(number) = threads.get(name).copied().flatten() else {
            return false;
        };
        let thread = Thread(number);
        // Where a thread stands is told by its place in the source, which is enough to notice
        // that it went another way; what counts is the end.
        let place = self.machine.program().places.get(pc as usize).copied();
        if self.machine.next_place(state, thread) != place {
            return false;
        }
        let Status::Ready { choices } = self.machine.status(state, thread) else {
            return false;
        };
        for choice in 0..choices.min(MOST_CHOICES) {
            let mut next = state.clone();
            self.schedule.push(Move { thread, choice });
            match self.machine.step(&mut next, thread, choice) {
                Err(Halt::Fault(fault)) => {
                    self.found = Some(Property::Fault(fault));
                    return true;
                }
                Err(_) => {}
                Ok(()) => {
                    let mut threads = threads.to_owned();
                    let mut begun = begun;
                    let first = self.machine.threads(state);
                    for new in first..self.machine.threads(&next) {
                        if let Some(&name) = started.get(begun) {
                            threads[name] = Some(new as u32);
                        }
                        begun += 1;
                    }
                    if self.go(&next, position + 1, &threads, started, begun) {
                        return true;
                    }
                }
            }
            self.schedule.pop();
        }
        false
    }
}

/// How many states are searched for a violation that a run promises.
const MOST_STATES: u64 = 100_000;

/// Searches a machine for a violation, breadth first and within bounds.
pub(crate) fn search(
    machine: &Machine,
    question: &crate::check::Question<'_>,
    counts: &[(ir::DeclarationId, u32)],
) -> Option<Witness> {
    let config = raddle_search::Config {
        order: raddle_search::Order::BreadthFirst,
        properties: raddle_model::Properties {
            faults: question.faults,
            invariants: question.invariants,
            temporal: false,
            ends: false,
            deadlock: false,
            partial_deadlock: false,
        },
        limits: raddle_model::Limits {
            states: Some(MOST_STATES),
            ..raddle_model::Limits::NONE
        },
        stop: question.stop.clone(),
        ..raddle_search::Config::default()
    };
    let survey = raddle_search::survey(machine, &config, &mut (), true);
    let violation = survey.violations.into_iter().next()?;
    Some(Witness {
        program: machine.program().clone(),
        counts: counts.to_vec(),
        violation,
    })
}
