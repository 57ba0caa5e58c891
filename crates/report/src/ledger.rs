//! Who holds which lock at the end of a trace, and who still waits to be notified.
//!
//! Both follow from the events of the trace, so that every front end that tells what
//! its steps do gets them without a word more.

use crate::wording::last_step_fails;
use raddle_model::{Event, Operation, Place, Thread, Trace};
use std::collections::BTreeMap;

/// The state of affairs after the steps of a trace.
#[derive(Debug, Default)]
pub(crate) struct Ledger<'a> {
    /// By the name of a lock: who has it, and how many times.
    locks: BTreeMap<&'a str, (Thread, u32)>,
    /// By the name of a lock: where it was taken last.
    taken: BTreeMap<&'a str, Place>,
    /// Threads that wait for a notification, with the lock and how many times they
    /// had it.
    waiting: BTreeMap<Thread, (&'a str, u32)>,
    /// How many times those that were notified had their lock.
    notified: BTreeMap<Thread, u32>,
    finished: Vec<Thread>,
    /// By the name of a semaphore: who has lowered it and where, once for each time that it was not
    /// raised again.
    lowered: BTreeMap<&'a str, Vec<(Thread, Option<Place>)>>,
}

impl<'a> Ledger<'a> {
    pub(crate) fn new(trace: &'a Trace) -> Ledger<'a> {
        let mut ledger = Ledger::default();
        // A step that fails leads to no state: what it did does not count.
        let failed = usize::from(last_step_fails(trace));
        let counted = trace.steps.len().saturating_sub(failed);
        for step in &trace.steps[..counted] {
            for event in &step.events {
                let value = event.value.as_deref();
                match event.operation {
                    Some(operation) => {
                        ledger.enter(step.step.thread, operation, &event.object);
                        ledger.count(step.step.thread, operation, event);
                        if let (Operation::Acquire | Operation::WaitResume, Some(place)) =
                            (operation, event.place)
                        {
                            ledger.taken.insert(&event.object, place);
                        }
                    }
                    None if event.object == "wakes" => ledger.wake(trace, value),
                    None => {}
                }
            }
        }
        ledger
    }

    /// Who holds a lock.
    pub(crate) fn holder(&self, lock: &str) -> Option<Thread> {
        self.locks.get(lock).map(|&(thread, _)| thread)
    }

    /// Where a lock was taken last.
    pub(crate) fn since(&self, lock: &str) -> Option<Place> {
        self.taken.get(lock).copied()
    }

    /// Whether a thread waits for a notification that it has not got yet.
    pub(crate) fn awaits_notification(&self, thread: Thread) -> bool {
        self.waiting.contains_key(&thread)
    }

    /// Whether a thread has finished.
    pub(crate) fn has_finished(&self, thread: Thread) -> bool {
        self.finished.contains(&thread)
    }

    /// Who has lowered a semaphore that was not raised again.
    pub(crate) fn taken(&self, semaphore: &str) -> &[(Thread, Option<Place>)] {
        self.lowered.get(semaphore).map_or(&[], Vec::as_slice)
    }

    fn count(&mut self, thread: Thread, operation: Operation, event: &'a Event) {
        let lowered = self.lowered.entry(&event.object);
        match operation {
            Operation::Down => lowered.or_default().push((thread, event.place)),
            Operation::Up => {
                let lowered = lowered.or_default();
                // Most give back what they took themselves.
                let own = lowered.iter().rposition(|it| it.0 == thread);
                if let Some(found) = own.or(lowered.len().checked_sub(1)) {
                    lowered.remove(found);
                }
            }
            _ => {}
        }
    }

    fn enter(&mut self, thread: Thread, operation: Operation, object: &'a str) {
        match operation {
            Operation::Acquire => self.locks.entry(object).or_insert((thread, 0)).1 += 1,
            Operation::Release => match self.locks.get_mut(object) {
                Some((_, depth)) if *depth > 1 => *depth -= 1,
                _ => drop(self.locks.remove(object)),
            },
            Operation::Wait => {
                let depth = self.locks.remove(object).map_or(1, |(_, depth)| depth);
                self.waiting.insert(thread, (object, depth));
            }
            Operation::WaitResume => {
                let depth = self.notified.remove(&thread).unwrap_or(1);
                self.waiting.remove(&thread);
                self.locks.insert(object, (thread, depth));
            }
            Operation::Finish => self.finished.push(thread),
            _ => {}
        }
    }

    fn wake(&mut self, trace: &Trace, name: Option<&str>) {
        let woken = trace
            .threads
            .iter()
            .position(|it| Some(it.as_str()) == name);
        let Some(woken) = woken.and_then(|index| u32::try_from(index).ok()) else {
            return;
        };
        if let Some((_, depth)) = self.waiting.remove(&Thread(woken)) {
            self.notified.insert(Thread(woken), depth);
        }
    }
}
