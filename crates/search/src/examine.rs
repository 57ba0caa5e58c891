//! What is true of a single state: which steps can be made from it, and which
//! properties it violates.

use crate::waits::Waits;
use raddle_model::{Move, Properties, Property, Status, System, Thread};

/// More choices of one step than this are not considered: their list alone would
/// fill the memory.
const MOST_CHOICES: u32 = 1 << 20;

/// Looks at states. It has no memory of them, only buffers.
#[derive(Default)]
pub struct Examiner {
    blocked: Vec<Thread>,
    waits: Waits,
    /// Whether choices of a step were ever left out.
    pub is_cut: bool,
}

impl Examiner {
    /// Adds the steps that can be made from a state to `moves`, the first one
    /// last, and the violated properties to `found`. Returns how many threads
    /// cannot move.
    #[inline]
    pub fn examine<S: System>(
        &mut self,
        system: &S,
        state: &S::State,
        properties: &Properties,
        moves: &mut Vec<Move>,
        found: &mut Vec<Property>,
    ) -> u64 {
        let first = moves.len();
        let mut stutters = 0;
        self.blocked.clear();
        for index in (0..system.threads(state)).rev() {
            let thread = Thread(index as u32);
            match system.status(state, thread) {
                Status::Ready { choices } => {
                    self.is_cut |= choices > MOST_CHOICES;
                    let choices = (0..choices.min(MOST_CHOICES)).rev();
                    moves.extend(choices.map(|choice| Move { thread, choice }));
                }
                Status::Blocked => {
                    self.blocked.push(thread);
                    stutters += 1;
                }
                Status::Done => stutters += 1,
            }
        }
        if properties.invariants
            && let Err(fault) = system.check_invariants(state)
        {
            found.push(Property::Fault(fault));
        }
        if !self.blocked.is_empty() {
            self.blocked.reverse();
            let all_blocked = moves.len() == first;
            found.extend(self.deadlock(system, state, properties, all_blocked));
        }
        stutters
    }

    /// Whether somebody who should waits for ever, given that somebody waits.
    fn deadlock<S: System>(
        &mut self,
        system: &S,
        state: &S::State,
        properties: &Properties,
        all_blocked: bool,
    ) -> Option<Property> {
        let matters = |threads: &[Thread]| {
            let mut threads = threads.iter();
            threads.any(|&thread| !system.is_daemon(state, thread))
        };
        if all_blocked {
            let deadlock = properties.deadlock && matters(&self.blocked);
            return deadlock.then(|| Property::Deadlock(self.blocked.clone()));
        }
        if !properties.partial_deadlock {
            return None;
        }
        let stuck = self.waits.stuck(system, state, &self.blocked);
        matters(stuck).then(|| Property::PartialDeadlock(stuck.to_vec()))
    }
}
