//! Whether an execution is what it is said to be: one that goes on for ever, or cannot go on, is
//! fair, and of which a formula is not true. No automaton is asked.

use crate::replay::possible;
use raddle_model::{Fairness, Move, Status, System, Thread, Unmet};
use raddle_temporal::Lasso;

/// Whether a schedule shows that a temporal property is not met.
pub(crate) fn confirm<S: System>(system: &S, schedule: &[Move], unmet: &Unmet) -> bool {
    told(system, schedule, unmet).unwrap_or(false)
}

fn told<S: System>(system: &S, schedule: &[Move], unmet: &Unmet) -> Option<bool> {
    let stated = system.temporal_properties().get(unmet.property)?;
    let mut state = system.initial().ok()?;
    let mut letters = Vec::new();
    let mut circle = Circle::default();
    let mut first = Vec::new();
    for (index, &step) in schedule.iter().enumerate() {
        letters.push(system.letter(&state, unmet.property).ok()?);
        if index == unmet.repeats_from {
            first = form(system, &state);
        }
        possible(system, &state, step).ok()?;
        if index >= unmet.repeats_from {
            circle.add(system, &state, step.thread);
        }
        system.step(&mut state, step.thread, step.choice).ok()?;
    }
    let repeats_from = match unmet.repeats_from < schedule.len() {
        true if form(system, &state) == first => unmet.repeats_from,
        true => return None,
        // It cannot go on, and stays as it is.
        false if can_move(system, &state).contains(&true) => return None,
        false => {
            letters.push(system.letter(&state, unmet.property).ok()?);
            letters.len() - 1
        }
    };
    let word = Lasso {
        letters,
        repeats_from,
    };
    Some(circle.is_fair(stated.fairness) && !word.satisfies(&stated.formula))
}

fn form<S: System>(system: &S, state: &S::State) -> Vec<u32> {
    system.encode(state, &mut Vec::new()).to_vec()
}

/// By thread: whether it can move.
fn can_move<S: System>(system: &S, state: &S::State) -> Vec<bool> {
    let threads = (0..system.threads(state) as u32).map(Thread);
    let is_ready = |thread| matches!(system.status(state, thread), Status::Ready { .. });
    threads.map(is_ready).collect()
}

/// What threads do in what is repeated.
#[derive(Default)]
struct Circle {
    threads: Vec<Conduct>,
}

/// What a thread does in what is repeated.
#[derive(Clone, Copy, Default)]
struct Conduct {
    moves: bool,
    is_ready_once: bool,
    is_ready_always: bool,
}

impl Circle {
    fn add<S: System>(&mut self, system: &S, state: &S::State, mover: Thread) {
        let ready = can_move(system, state);
        let is_first = self.threads.is_empty();
        self.threads.resize(ready.len(), Conduct::default());
        for (thread, is_ready) in ready.into_iter().enumerate() {
            let conduct = &mut self.threads[thread];
            conduct.moves |= thread == mover.index();
            conduct.is_ready_once |= is_ready;
            conduct.is_ready_always = is_ready && (is_first || conduct.is_ready_always);
        }
    }

    fn is_fair(&self, fairness: Fairness) -> bool {
        self.threads.iter().all(|it| match fairness {
            Fairness::None => true,
            Fairness::Weak => it.moves || !it.is_ready_always,
            Fairness::Strong => it.moves || !it.is_ready_once,
        })
    }
}
