//! The books of a search: what it counted, what it found, why it may have missed
//! something, and when it has to end. Every engine keeps the same ones.

use crate::{Config, Monitor, Progress, Survey};
use raddle_model::{Fault, Halt, Property, Reason, Schedule, Statistics, System, Violation};
use std::sync::atomic::{AtomicU64, Ordering};

/// How many steps are made between two looks at the monitor and the memory, unless an
/// engine wants it otherwise.
const PULSE: u64 = 1024;

/// How many different reasons of giving up are told apart.
const MOST_REASONS: usize = 16;

/// How a search came to its end, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// It was over, or had its answer.
    Done,
    /// It was interrupted, and is to go on.
    Paused,
    /// There is a reason why it must not go on; but it could.
    Stopped,
    /// It was stopped in the middle of a step, so that it cannot go on.
    Torn,
}

/// The books of one search.
pub struct Book<'a> {
    /// What the search is to do.
    pub config: &'a Config,
    /// What was counted so far.
    pub statistics: Statistics,
    monitor: &'a mut dyn Monitor,
    stop_at_first: bool,
    stopped: bool,
    ending: Ending,
    most_states: u64,
    /// The states of all searches together that have the same limit.
    tally: Option<&'a AtomicU64>,
    pulse: u64,
    next_pulse: u64,
    violations: Vec<Violation>,
    reasons: Vec<Reason>,
}

impl<'a> Book<'a> {
    /// Opens the books. The search ends with the first violation, or with the last.
    pub fn new(config: &'a Config, monitor: &'a mut dyn Monitor, stop_at_first: bool) -> Book<'a> {
        Book {
            config,
            statistics: Statistics::default(),
            monitor,
            stop_at_first,
            stopped: false,
            ending: Ending::Done,
            most_states: config.limits.states.unwrap_or(u64::MAX),
            tally: None,
            pulse: PULSE,
            next_pulse: PULSE,
            violations: Vec::new(),
            reasons: Vec::new(),
        }
    }

    /// Looks at the monitor and the memory every so many steps: for engines whose steps
    /// can take long.
    pub fn pulse_every(mut self, steps: u64) -> Self {
        (self.pulse, self.next_pulse) = (steps, steps);
        self
    }

    /// Shares the limit on the number of states with others, who count them together.
    pub(crate) fn with_tally(mut self, tally: &'a AtomicU64) -> Self {
        // Counting together takes time.
        self.tally = self.config.limits.states.map(|_| tally);
        self
    }

    /// The initial state. There is none if the program fails before its first step, which
    /// is noted.
    pub fn initial<S: System>(&mut self, system: &S) -> Option<S::State> {
        match system.initial() {
            Ok(state) => Some(state),
            Err(halt) => {
                if let Some(fault) = self.halted(halt) {
                    self.report(Property::Fault(fault), 0, Schedule::new);
                }
                None
            }
        }
    }

    /// Counts a state that was never met before; false if it is one too many.
    #[inline]
    pub fn count_state(&mut self) -> bool {
        let before = match self.tally {
            Some(tally) => tally.fetch_add(1, Ordering::Relaxed),
            None => self.statistics.states,
        };
        if before >= self.most_states {
            self.stop(Reason::States);
            return false;
        }
        self.statistics.states += 1;
        true
    }

    /// Keeps a violation after so many steps, unless one of the same kind is known
    /// that is as short.
    #[cold]
    pub fn report(&mut self, property: Property, steps: u64, schedule: impl FnOnce() -> Schedule) {
        let known = self
            .violations
            .iter_mut()
            .find(|known| known.property.same_kind(&property));
        let violation = |schedule| Violation { property, schedule };
        match known {
            Some(known) if known.schedule.len() as u64 <= steps => {}
            Some(known) => *known = violation(schedule()),
            None => {
                let violation = violation(schedule());
                self.monitor.found(&violation);
                self.violations.push(violation);
            }
        }
        self.stopped |= self.stop_at_first;
    }

    /// Remembers why the verdict can no longer be *holds*.
    #[cold]
    pub fn excuse(&mut self, reason: Reason) {
        if !self.reasons.contains(&reason) && self.reasons.len() < MOST_REASONS {
            self.reasons.push(reason);
        }
    }

    /// Why the verdict can no longer be *holds*, so far.
    pub(crate) fn reasons(&self) -> &[Reason] {
        &self.reasons
    }

    /// Ends the search.
    #[cold]
    pub fn stop(&mut self, reason: Reason) {
        self.end(reason, Ending::Torn);
    }

    /// Ends the search because a step that was made before does not lead to a state now, for this
    /// reason if there is one. Steps are deterministic: without a limit it is a bug of the system.
    #[cold]
    pub(crate) fn not_again(&mut self, halt: Option<Halt>) {
        let again = || Reason::GaveUp("a step did not happen again".to_owned());
        let reason = match (self.config.stop.reason(), halt) {
            (Some(reason), _) | (None, Some(Halt::Stopped(reason))) => reason,
            (None, Some(Halt::GaveUp(why))) => Reason::GaveUp(why),
            (None, _) => again(),
        };
        self.stop(reason);
    }

    fn end(&mut self, reason: Reason, ending: Ending) {
        if !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
        self.ending = self.ending.max(ending);
        self.stopped = true;
    }

    /// How the search ended, when it has.
    pub fn ending(&self) -> Ending {
        self.ending
    }

    /// Whether the search has to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether it is time for a [`Book::pulse`].
    #[inline]
    pub fn is_due(&self) -> bool {
        self.statistics.transitions >= self.next_pulse || self.config.stop.is_set()
    }

    /// Looks at the memory limit and asks the monitor. `bytes` is what the search uses.
    #[cold]
    pub fn pulse(&mut self, depth: u64, queue: u64, bytes: u64) {
        self.next_pulse = self.statistics.transitions + self.pulse;
        self.statistics.peak_bytes = self.statistics.peak_bytes.max(bytes);
        let is_over = self.config.limits.memory.is_some_and(|most| bytes > most);
        if is_over || self.config.stop.room() == 0 {
            self.end(Reason::Memory, Ending::Stopped);
        }
        if let Some(reason) = self.config.stop.reason() {
            self.end(reason, Ending::Stopped);
        }
        let progress = Progress {
            states: self.statistics.states,
            transitions: self.statistics.transitions,
            depth,
            queue,
            bytes,
        };
        if let Some(reason) = self.monitor.tick(&progress) {
            self.end(reason, Ending::Stopped);
        }
        if !self.stopped && self.monitor.wants_pause() {
            self.ending = Ending::Paused;
            self.stopped = true;
        }
    }

    /// Notes that a step did not lead to a state; the fault, if that is why and faults
    /// are looked for. With `faults` switched off a step that fails simply leads
    /// nowhere.
    #[cold]
    pub fn halted(&mut self, halt: Halt) -> Option<Fault> {
        match halt {
            Halt::Fault(fault) if self.config.properties.faults => return Some(fault),
            Halt::Fault(_) => {}
            Halt::Pruned => self.statistics.pruned += 1,
            Halt::GaveUp(why) => self.excuse(Reason::GaveUp(why)),
            Halt::Stopped(reason) => self.stop(reason),
        }
        None
    }

    /// Closes the books. `bytes` is what the search used in the end, of which the store
    /// of states used `store_bytes`.
    pub fn close(mut self, store_bytes: u64, bytes: u64) -> Survey {
        // Whatever was cut short on the way proves nothing.
        if let Some(reason) = self.config.stop.reason() {
            self.excuse(reason);
        }
        self.statistics.store_bytes = store_bytes;
        self.statistics.peak_bytes = self.statistics.peak_bytes.max(bytes);
        Survey {
            violations: self.violations,
            reasons: self.reasons,
            remarks: Vec::new(),
            statistics: self.statistics,
        }
    }
}
