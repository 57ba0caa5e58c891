//! The books of a search: what it counted, what it found, why it may have missed
//! something, and when it has to end. Every engine keeps the same ones.

use crate::snapshot::{Reader, Writer};
use crate::{Config, Monitor, Progress, Survey};
use raddle_model::{Fault, Halt, Property, Reason, Schedule, Statistics, System, Violation};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many steps are made between two looks at the monitor and the memory, unless an
/// engine wants it otherwise.
const PULSE: u64 = 1024;

/// How many different reasons of giving up are told apart.
const MOST_REASONS: usize = 16;

/// The books of one search.
pub struct Book<'a> {
    /// What the search is to do.
    pub config: &'a Config,
    /// What was counted so far.
    pub statistics: Statistics,
    monitor: &'a mut dyn Monitor,
    stop_at_first: bool,
    stopped: bool,
    /// Whether the search was stopped in the middle of a step, so that it cannot go on.
    is_torn: bool,
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
            is_torn: false,
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
            None => self.violations.push(violation(schedule())),
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

    /// Ends the search.
    #[cold]
    pub fn stop(&mut self, reason: Reason) {
        self.is_torn = true;
        self.end(reason);
    }

    fn end(&mut self, reason: Reason) {
        if !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
        self.stopped = true;
    }

    /// Whether the search has to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether it is time for a [`Book::pulse`].
    #[inline]
    pub fn is_due(&self) -> bool {
        self.statistics.transitions >= self.next_pulse
    }

    /// Looks at the memory limit and asks the monitor. `bytes` is what the search uses.
    #[cold]
    pub fn pulse(&mut self, depth: u64, queue: u64, bytes: u64) {
        self.next_pulse = self.statistics.transitions + self.pulse;
        self.statistics.peak_bytes = self.statistics.peak_bytes.max(bytes);
        if self.config.limits.memory.is_some_and(|most| bytes > most) {
            self.end(Reason::Memory);
        }
        let progress = Progress {
            states: self.statistics.states,
            transitions: self.statistics.transitions,
            depth,
            queue,
            bytes,
        };
        if let Some(reason) = self.monitor.tick(&progress) {
            self.end(reason);
        }
    }

    /// Whether the search is to be written down now.
    pub(crate) fn wants_snapshot(&mut self) -> bool {
        // A violation is an answer: there is nothing to go on with.
        let is_open = self.violations.is_empty() && !self.is_torn;
        let is_end = self.stopped;
        let archive = self.monitor.archive().filter(|_| is_open);
        archive.is_some_and(|archive| archive.is_due(is_end))
    }

    /// Writes the search down: the books, and what the function writes.
    pub(crate) fn keep(&mut self, rest: &dyn Fn(&mut Writer<'_>) -> io::Result<()>) {
        let Book {
            statistics,
            reasons,
            monitor,
            ..
        } = self;
        if let Some(archive) = monitor.archive() {
            archive.keep(&mut |out| {
                let out = &mut Writer(out);
                write_books(statistics, reasons, out)?;
                rest(out)
            });
        }
    }

    /// Goes on with a search that was written down; tells whether there is one.
    pub(crate) fn recall(
        &mut self,
        rest: &mut dyn FnMut(&mut Reader<'_>) -> io::Result<()>,
    ) -> io::Result<bool> {
        let Book {
            statistics,
            reasons,
            monitor,
            ..
        } = self;
        let Some(mut input) = monitor.archive().and_then(|archive| archive.recall()) else {
            return Ok(false);
        };
        read_books(statistics, reasons, &mut Reader(&mut input))?;
        rest(&mut Reader(&mut input))?;
        drop(input);
        self.next_pulse = self.statistics.transitions + self.pulse;
        Ok(true)
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
        }
        None
    }

    /// Closes the books. `bytes` is what the search used in the end, of which the store
    /// of states used `store_bytes`.
    pub fn close(mut self, store_bytes: u64, bytes: u64) -> Survey {
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

/// Reasons for which a search ends are not written: one that goes on may find others.
fn write_books(
    statistics: &Statistics,
    reasons: &[Reason],
    out: &mut Writer<'_>,
) -> io::Result<()> {
    let counts = [
        statistics.states,
        statistics.transitions,
        statistics.stutters,
        statistics.pruned,
        statistics.depth,
    ];
    counts.into_iter().try_for_each(|it| out.number(it))?;
    out.number(reasons.contains(&Reason::Depth).into())?;
    let gave_up = |reason: &Reason| match reason {
        Reason::GaveUp(why) => Some(why.clone()),
        _ => None,
    };
    let gave_up: Vec<String> = reasons.iter().filter_map(gave_up).collect();
    out.number(gave_up.len() as u64)?;
    gave_up.iter().try_for_each(|why| out.text(why))
}

fn read_books(
    statistics: &mut Statistics,
    reasons: &mut Vec<Reason>,
    input: &mut Reader<'_>,
) -> io::Result<()> {
    statistics.states = input.number()?;
    statistics.transitions = input.number()?;
    statistics.stutters = input.number()?;
    statistics.pruned = input.number()?;
    statistics.depth = input.number()?;
    if input.number()? != 0 {
        reasons.push(Reason::Depth);
    }
    for _ in 0..input.number()? {
        reasons.push(Reason::GaveUp(input.text()?));
    }
    Ok(())
}
