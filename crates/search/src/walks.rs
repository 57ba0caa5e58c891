//! Executions by chance, one after the other: `samplers.rs` says how their steps are chosen. The same
//! seed gives the same executions.

use crate::samplers::{Chooser, Sampler};
use crate::stores::{Fingerprints, Store, Trail};
use crate::{Book, Config, Examiner, Monitor, Survey};
use foldhash::fast::FixedState;
use raddle_model::{Properties, Property, Reason, Schedule, System};
use std::collections::HashSet;

/// An execution is not followed further than this, unless another limit is given.
const MOST_STEPS: u64 = 100_000;

/// Makes so many executions.
pub(crate) fn survey<S: System>(
    system: &S,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
    sampler: Sampler,
    (count, seed): (u64, u64),
) -> Survey {
    let mut walker = Walker {
        system,
        book: Book::new(config, monitor, stop_at_first),
        known: Fingerprints::default(),
        examiner: Examiner::default(),
        dice: Dice(seed),
        chooser: Chooser::new(sampler),
        schedule: Schedule::new(),
        met: HashSet::default(),
        cut: 0,
        last_new: 0,
    };
    for _ in 0..count {
        let Some(initial) = walker.book.initial(system) else {
            break;
        };
        walker.walk(initial);
        if walker.book.is_stopped() {
            break;
        }
        walker.book.statistics.executions += 1;
    }
    walker.finish(&sampler.name(), seed)
}

struct Walker<'a, S: System> {
    system: &'a S,
    book: Book<'a>,
    /// The states that were met. They are only counted, and not looked at twice.
    known: Fingerprints,
    examiner: Examiner,
    dice: Dice,
    chooser: Chooser,
    schedule: Schedule,
    /// The states of the present execution.
    met: HashSet<u64, FixedState>,
    /// The last execution, counted from one, that met a new state.
    last_new: u64,
    /// How many executions were not followed to their ends.
    cut: u64,
}

impl<S: System> Walker<'_, S> {
    fn walk(&mut self, mut state: S::State) {
        let most = self.book.config.limits.depth.unwrap_or(MOST_STEPS);
        self.schedule.clear();
        self.met.clear();
        self.chooser.begin(&mut self.dice);
        let mut words = Vec::new();
        let mut moves = Vec::new();
        let mut found = Vec::new();
        loop {
            let depth = self.schedule.len() as u64;
            let Some((properties, number)) = self.look(&state, &mut words) else {
                return;
            };
            let is_known = !self.met.insert(number);
            moves.clear();
            let stutters =
                self.examiner
                    .examine(self.system, &state, &properties, &mut moves, &mut found);
            self.book.statistics.stutters += stutters;
            self.book.statistics.depth = self.book.statistics.depth.max(depth);
            for property in found.drain(..) {
                let schedule = &self.schedule;
                self.book.report(property, depth, || schedule.clone());
            }
            if self.book.is_stopped() || moves.is_empty() {
                return;
            }
            if depth >= most {
                self.cut += 1;
                return;
            }
            let last = self.schedule.last().map(|step| step.thread);
            let (system, dice) = (self.system, &mut self.dice);
            let step = self
                .chooser
                .pick(system, &state, &moves, last, is_known, dice);
            self.schedule.push(step);
            self.book.statistics.transitions += 1;
            if let Err(halt) = self.system.step(&mut state, step.thread, step.choice) {
                if let Some(fault) = self.book.halted(halt) {
                    let schedule = &self.schedule;
                    self.book
                        .report(Property::Fault(fault), depth + 1, || schedule.clone());
                }
                return;
            }
            if self.book.is_due() {
                let bytes = self.known.bytes();
                self.book.pulse(depth + 1, 0, bytes);
            }
        }
    }

    /// What is to be checked in a state: nothing if it is known. `None` if it is one too many.
    fn look(&mut self, state: &S::State, words: &mut Vec<u32>) -> Option<(Properties, u64)> {
        words.clear();
        let words = self.system.encode(state, words);
        let number = self.known.number(words, None, &mut Trail::default());
        let Some(number) = number else {
            self.book.stop(Reason::Memory);
            return None;
        };
        let properties = match self.known.insert(number) {
            true => {
                self.last_new = self.book.statistics.executions + 1;
                self.book
                    .count_state()
                    .then_some(self.book.config.properties)?
            }
            false => Properties {
                faults: true,
                deadlock: false,
                partial_deadlock: false,
                invariants: false,
                temporal: false,
                ends: false,
            },
        };
        Some((properties, number))
    }

    fn finish(mut self, sampler: &str, seed: u64) -> Survey {
        let made = self.book.statistics.executions;
        let idle = made.saturating_sub(self.last_new);
        let made = match made {
            1 => "one random execution was tried".to_owned(),
            many => format!("only {many} random executions were tried"),
        };
        let cut = match self.cut {
            0 => String::new(),
            cut => format!(", {cut} of them not to the end"),
        };
        let idle = match idle {
            0 => String::new(),
            idle => format!(", and the last {idle} met no new state"),
        };
        let how = format!("{sampler}, seed {seed}");
        self.book
            .excuse(Reason::Partial(format!("{made}{cut} ({how}){idle}")));
        let bytes = self.known.bytes();
        self.book.close(bytes, bytes)
    }
}

/// Numbers by chance: splitmix64, which goes through all numbers of 64 bits.
pub(crate) struct Dice(u64);

impl Dice {
    /// A number below another one, which is not zero.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((u128::from(mixed) * count as u128) >> 64) as usize
    }
}
