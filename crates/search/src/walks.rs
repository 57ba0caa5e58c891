//! Random executions: from the initial state on, a thread that can move is chosen by chance,
//! and one of its choices. The same seed gives the same executions.

use crate::stores::{Fingerprints, Store, Trail};
use crate::{Book, Config, Examiner, Monitor, Survey};
use raddle_model::{Move, Properties, Property, Reason, Schedule, System};

/// An execution is not followed further than this, unless another limit is given.
const MOST_STEPS: u64 = 100_000;

/// Makes so many executions.
pub(crate) fn survey<S: System>(
    system: &S,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
    count: u64,
    seed: u64,
) -> Survey {
    let mut walker = Walker {
        system,
        book: Book::new(config, monitor, stop_at_first),
        known: Fingerprints::default(),
        examiner: Examiner::default(),
        dice: Dice(seed),
        schedule: Schedule::new(),
        cut: 0,
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
    walker.finish(seed)
}

struct Walker<'a, S: System> {
    system: &'a S,
    book: Book<'a>,
    /// The states that were met. They are only counted, and not looked at twice.
    known: Fingerprints,
    examiner: Examiner,
    dice: Dice,
    schedule: Schedule,
    /// How many executions were not followed to their ends.
    cut: u64,
}

impl<S: System> Walker<'_, S> {
    fn walk(&mut self, mut state: S::State) {
        let most = self.book.config.limits.depth.unwrap_or(MOST_STEPS);
        self.schedule.clear();
        let mut words = Vec::new();
        let mut moves = Vec::new();
        let mut found = Vec::new();
        loop {
            let depth = self.schedule.len() as u64;
            let Some(properties) = self.look(&state, &mut words) else {
                return;
            };
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
            let step = self.dice.pick(&moves);
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
    fn look(&mut self, state: &S::State, words: &mut Vec<u32>) -> Option<Properties> {
        words.clear();
        let words = self.system.encode(state, words);
        let number = self.known.number(words, None, &mut Trail::default());
        let Some(number) = number else {
            self.book.stop(Reason::Memory);
            return None;
        };
        match self.known.insert(number) {
            true => self
                .book
                .count_state()
                .then_some(self.book.config.properties),
            false => Some(Properties {
                faults: true,
                deadlock: false,
                partial_deadlock: false,
                invariants: false,
            }),
        }
    }

    fn finish(mut self, seed: u64) -> Survey {
        let made = match self.book.statistics.executions {
            1 => "one random execution was tried".to_owned(),
            many => format!("only {many} random executions were tried"),
        };
        let cut = match self.cut {
            0 => String::new(),
            cut => format!(", {cut} of them not to the end"),
        };
        self.book
            .excuse(Reason::Partial(format!("{made}{cut} (seed {seed})")));
        let bytes = self.known.bytes();
        self.book.close(bytes, bytes)
    }
}

/// Numbers by chance: splitmix64, which goes through all numbers of 64 bits.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((u128::from(mixed) * count as u128) >> 64) as usize
    }

    /// A thread by chance, and then one of its choices: a thread with many has no more turns
    /// than others. `moves` is not empty, and has those of a thread one after the other.
    fn pick(&mut self, moves: &[Move]) -> Move {
        let threads: Vec<&[Move]> = moves.chunk_by(|a, b| a.thread == b.thread).collect();
        let own = threads[self.below(threads.len())];
        own[self.below(own.len())]
    }
}
