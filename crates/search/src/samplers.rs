//! How an execution is chosen by chance: a table, and who chooses each of its steps.
//!
//! - **Random walk**: whoever can move has the same chance at each step.
//! - **PCT** (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010): each thread has a priority, by
//!   chance, and the highest that can move does. At `depth - 1` steps, by chance, the thread that is about to
//!   move falls below all others. A mistake that needs `depth` steps of different threads in a certain order
//!   is found with a probability of at least `1 / (n * k^(depth - 1))`, for `n` threads and `k` steps. The
//!   paper is given `k`; here it is the length of the longest execution so far.
//! - **POS** (Yuan, Yang, Gu, CAV 2018): the next step of each thread has a priority, by chance, and the
//!   highest that can be made is. It decides anew about the next step of that thread, and about those that
//!   depend on the step, so that orders of dependent steps are chosen evenly and those of others are not
//!   chosen at all.
//!
//! *Departures.* A thread that comes back to a state of the same execution, as by waiting in a loop, falls
//! below all others in PCT: the paper assumes that there are none, and would run it for ever. Among the
//! choices of a thread one is taken evenly. All of them make executions of the system, so that what is
//! found is a violation; none of them makes all, so that nothing is proved.

use crate::walks::Dice;
use raddle_model::{Footprint, Move, System, Thread};

/// A way to choose executions by chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampler {
    /// Every step by itself.
    Walk,
    /// Priorities of threads that change at a few steps.
    Pct {
        /// How many steps have to be in a certain order for the mistakes that are looked for.
        depth: u32,
    },
    /// Priorities of steps.
    Pos,
}

/// What is to be known of a sampler.
#[derive(Clone, Copy, Debug)]
pub struct SamplerEntry {
    /// With its usual parameters.
    pub sampler: Sampler,
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// The paper it comes from.
    pub source: &'static str,
}

/// All samplers.
pub const SAMPLERS: &[SamplerEntry] = &[
    SamplerEntry {
        sampler: Sampler::Walk,
        name: "walk",
        summary: "at each step any thread, with the same chance",
        source: "West, Protocol Validation by Random State Exploration, 1986",
    },
    SamplerEntry {
        sampler: Sampler::Pct { depth: 3 },
        name: "pct",
        summary: "threads by priorities, which change at DEPTH - 1 steps",
        source: "Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010",
    },
    SamplerEntry {
        sampler: Sampler::Pos,
        name: "pos",
        summary: "steps by priorities, which are chosen anew for those that depend on each other",
        source: "Yuan, Yang, Gu, CAV 2018",
    },
];

impl Sampler {
    /// Its name on the command line, with what it depends on.
    pub fn name(self) -> String {
        let entry = SAMPLERS
            .iter()
            .find(|it| std::mem::discriminant(&it.sampler) == std::mem::discriminant(&self));
        let name = entry.map_or("", |it| it.name);
        match self {
            Sampler::Pct { depth } => format!("{name}:{depth}"),
            Sampler::Walk | Sampler::Pos => name.to_owned(),
        }
    }

    /// The sampler with a name, as in `pct` or `pct:4`.
    pub fn by_name(text: &str) -> Option<Sampler> {
        let (name, depth) = match text.split_once(':') {
            Some((name, depth)) => (name, Some(depth.parse::<u32>().ok()?)),
            None => (text, None),
        };
        let found = SAMPLERS.iter().find(|it| it.name == name)?.sampler;
        match (found, depth) {
            (Sampler::Pct { .. }, Some(depth)) if depth > 0 => Some(Sampler::Pct { depth }),
            (_, Some(_)) => None,
            (found, None) => Some(found),
        }
    }
}

/// Chooses the steps of one execution after the other.
pub(crate) struct Chooser {
    sampler: Sampler,
    /// Of each thread, or of its next step, if it has one.
    priorities: Vec<Option<i64>>,
    /// The steps at which the one who moves falls, in the order in which they were chosen.
    changes: Vec<u64>,
    /// Below all that were given so far.
    bottom: i64,
    step: u64,
    longest: u64,
    footprints: [Footprint; 2],
}

/// So long the first execution is taken to be.
const USUAL: u64 = 32;

impl Chooser {
    pub(crate) fn new(sampler: Sampler) -> Chooser {
        Chooser {
            sampler,
            priorities: Vec::new(),
            changes: Vec::new(),
            bottom: 0,
            step: 0,
            longest: USUAL,
            footprints: Default::default(),
        }
    }

    /// An execution begins.
    pub(crate) fn begin(&mut self, dice: &mut Dice) {
        self.priorities.clear();
        self.step = 0;
        if let Sampler::Pct { depth } = self.sampler {
            let changes = (1..depth).map(|_| dice.below(self.longest as usize) as u64);
            self.changes = changes.collect();
            self.bottom = -i64::from(depth);
        }
    }

    /// The step that is made in a state. `moves` is not empty, and has those of a thread one after the
    /// other; `is_known` if this execution was in the state before.
    pub(crate) fn pick<S: System>(
        &mut self,
        system: &S,
        state: &S::State,
        moves: &[Move],
        last: Option<Thread>,
        is_known: bool,
        dice: &mut Dice,
    ) -> Move {
        let threads: Vec<&[Move]> = moves.chunk_by(|a, b| a.thread == b.thread).collect();
        let own = match self.sampler {
            Sampler::Walk => threads[dice.below(threads.len())],
            Sampler::Pct { .. } => {
                if let Some(last) = last.filter(|_| is_known) {
                    self.bottom -= 1;
                    self.set(last, self.bottom);
                }
                self.fall(&threads, dice)
            }
            Sampler::Pos => {
                let own = self.highest(&threads, dice);
                self.draw_again(system, state, own[0].thread, &threads);
                own
            }
        };
        self.step += 1;
        self.longest = self.longest.max(self.step);
        own[dice.below(own.len())]
    }

    /// Whoever has the highest priority, after those have fallen who fall at this step.
    fn fall<'m>(&mut self, threads: &[&'m [Move]], dice: &mut Dice) -> &'m [Move] {
        let now = self.step;
        for index in 0..self.changes.len() {
            if self.changes[index] == now {
                let falls = self.highest(threads, dice)[0].thread;
                self.set(falls, -1 - index as i64);
            }
        }
        self.highest(threads, dice)
    }

    fn highest<'m>(&mut self, threads: &[&'m [Move]], dice: &mut Dice) -> &'m [Move] {
        let mut best = threads[0];
        let mut most = i64::MIN;
        for own in threads {
            let priority = self.priority(own[0].thread, dice);
            if priority > most {
                (best, most) = (own, priority);
            }
        }
        best
    }

    /// Forgets the priorities of the next step of a thread, and of those that depend on it.
    fn draw_again<S: System>(
        &mut self,
        system: &S,
        state: &S::State,
        thread: Thread,
        threads: &[&[Move]],
    ) {
        let [mine, theirs] = &mut self.footprints;
        mine.clear();
        system.footprint(state, thread, mine);
        let mut drawn = vec![thread];
        for other in threads.iter().map(|it| it[0].thread) {
            if other == thread {
                continue;
            }
            theirs.clear();
            system.footprint(state, other, theirs);
            let observe = |object| system.observe(state, object);
            if !mine.independent_in(thread, theirs, other, observe) {
                drawn.push(other);
            }
        }
        for thread in drawn {
            if let Some(known) = self.priorities.get_mut(thread.0 as usize) {
                *known = None;
            }
        }
    }

    fn priority(&mut self, thread: Thread, dice: &mut Dice) -> i64 {
        let known = self.priorities.get(thread.0 as usize).copied().flatten();
        known.unwrap_or_else(|| {
            let drawn = dice.below(1 << 40) as i64;
            self.set(thread, drawn);
            drawn
        })
    }

    fn set(&mut self, thread: Thread, priority: i64) {
        let index = thread.0 as usize;
        if self.priorities.len() <= index {
            self.priorities.resize(index + 1, None);
        }
        self.priorities[index] = Some(priority);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sampler_is_found_by_its_name() {
        for entry in SAMPLERS {
            assert_eq!(Sampler::by_name(entry.name), Some(entry.sampler));
            assert_eq!(Sampler::by_name(&entry.sampler.name()), Some(entry.sampler));
        }
        assert_eq!(Sampler::by_name("pct:5"), Some(Sampler::Pct { depth: 5 }));
        for wrong in ["", "pct:0", "pct:x", "pos:2", "all"] {
            assert_eq!(Sampler::by_name(wrong), None, "{wrong}");
        }
    }
}
