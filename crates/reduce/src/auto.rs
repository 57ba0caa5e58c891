//! Which reduction is best for a program and what is asked of it.
//!
//! Only rows of the table are chosen from, each with the argument in its own file. Where
//! several would do, the one is taken that stores the fewest states on most of the models
//! (`raddle compare`); none of them is the best on all.
//!
//! Where nothing special is asked for, the program decides. Persistent sets cost little, and have
//! none but the states of full search. So they come first; if they leave out too little, full
//! search takes their place. For a program that has more than a few states then, it is tried
//! whether steps can be put together (`optimistic`). Such a step costs several times as much as one
//! that is made by itself, and is worth it only if it is long. That is tried on random executions,
//! in which threads take turns: the first executions of a depth-first search are those of one
//! thread after the other, and everything seems to be protected there. What is tried in vain is
//! small beside what is to be done.

use crate::{Method, Policy, Reduction, Selector, Strictness, layered, survey_states};
use raddle_model::{Erased, Limits, Narrate, Properties, Reason, System};
use raddle_search::{
    Archive, Config, Monitor, Order, Part, Progress, Sampler, Savings, StoreKind, Survey,
    survey_part,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// From how many states on it is asked whether persistent sets pay.
const FEW: u64 = 512;

/// They do if at least one step is saved for so many that are made.
const PRICE: u64 = 4;

/// From how many states on it is worth trying something else.
const MANY: u64 = 4096;

/// How many executions are tried for that, and how many steps of each; and how many steps in
/// all, however often it has to begin again.
const WALKS: u64 = 8;
const WALK: u64 = 128;
const MOST: u64 = 4 * WALKS * WALK;

/// How many steps have to be saved by how many that are put together. With one for each, two
/// threads have a quarter of the states.
const SAVED: u64 = 3;
const STEPS: u64 = 4;

const TOGETHER: Reduction = Reduction::Of(Policy::Optimistic, Selector::Persistent);

/// Searches with what is best.
pub(crate) fn search<S: Narrate>(
    system: &S,
    method: Method,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> Survey {
    let mut search = Search {
        system,
        method,
        config,
        monitor,
        stop_at_first,
    };
    let (mut found, reduction, why) = match choose(system, method.strictness, config) {
        Some((reduction, why)) => (search.whole(reduction), reduction, why),
        None => search.by_trial(),
    };
    let told = format!("auto: `{}`, because {why}", reduction.entry().name);
    found.remarks.insert(0, told);
    found
}

struct Search<'a, S> {
    system: &'a S,
    method: Method,
    config: &'a Config,
    monitor: &'a mut dyn Monitor,
    stop_at_first: bool,
}

impl<S: Narrate> Search<'_, S> {
    fn whole(&mut self, reduction: Reduction) -> Survey {
        self.run(reduction, self.config, None).0
    }

    /// Searches with a reduction; ends when it saves less than one step for so many.
    fn run(&mut self, reduction: Reduction, config: &Config, price: Option<u64>) -> (Survey, bool) {
        // Whoever leaves the choice to us did not ask what is protected.
        let method = Method {
            reduction,
            tells_guesses: false,
            ..self.method
        };
        let Savings {
            left_out,
            put_together,
        } = &*config.saved;
        [left_out, put_together]
            .into_iter()
            .for_each(|count| count.store(0, Ordering::Relaxed));
        let mut payback = Payback {
            monitor: &mut *self.monitor,
            saved: &config.saved.left_out,
            price,
            is_in_vain: false,
        };
        let found = survey_states(
            self.system,
            method,
            config,
            &mut payback,
            self.stop_at_first,
        );
        (found, payback.is_in_vain)
    }

    fn by_trial(&mut self) -> (Survey, Reduction, &'static str) {
        let within = |most: u64| Config {
            limits: Limits {
                states: Some(self.config.limits.states.map_or(most, |it| it.min(most))),
                ..self.config.limits
            },
            ..self.config.clone()
        };
        let is_limited = self.config.limits.states.is_some_and(|it| it <= MANY);
        let (found, is_in_vain) = self.run(Reduction::PERSISTENT, &within(MANY), Some(PRICE));
        let is_answered = self.stop_at_first && !found.violations.is_empty();
        let is_over = is_answered || is_limited || found.reasons != [Reason::States];
        if !is_in_vain && is_over {
            return (found, Reduction::PERSISTENT, "the program is small");
        }
        if self.can_put_together() {
            let why = "many steps can be put together";
            return (self.whole(TOGETHER), TOGETHER, why);
        }
        if is_in_vain {
            let why = "there is little to skip";
            return (self.whole(Reduction::FULL), Reduction::FULL, why);
        }
        let why = "few steps can be put together";
        (
            self.whole(Reduction::PERSISTENT),
            Reduction::PERSISTENT,
            why,
        )
    }
}

impl<S: Narrate> Search<'_, S> {
    /// Whether many steps can be put together, in executions by chance.
    fn can_put_together(&self) -> bool {
        let config = Config {
            properties: Properties {
                faults: true,
                ..Properties::NONE
            },
            limits: Limits {
                depth: Some(WALK),
                ..Limits::NONE
            },
            saved: Arc::default(),
            ..self.config.clone()
        };
        let method = Method {
            reduction: TOGETHER,
            ..self.method
        };
        let watched = match self.config.properties.invariants {
            true => self.system.invariant_future(),
            false => None,
        };
        let part = Part::Samples {
            sampler: Sampler::Walk,
            count: WALKS,
            seed: 0,
        };
        let (mut steps, mut all, mut is_cut) = (0, 0, false);
        let system = Erased(self.system);
        layered(
            &system,
            method,
            watched.as_ref(),
            &config,
            false,
            &mut |it| {
                if all > MOST {
                    is_cut = true;
                    return Survey {
                        reasons: vec![Reason::Interrupted],
                        ..Survey::default()
                    };
                }
                let found = survey_part(it, &config, &mut (), false, part);
                steps = found.statistics.transitions;
                all += steps;
                found
            },
        );
        let saved = config.saved.put_together.load(Ordering::Relaxed);
        !is_cut && saved > 0 && STEPS * saved >= SAVED * steps
    }
}

/// Ends a search that does not pay.
struct Payback<'a> {
    monitor: &'a mut dyn Monitor,
    saved: &'a AtomicU64,
    price: Option<u64>,
    is_in_vain: bool,
}

impl Monitor for Payback<'_> {
    fn tick(&mut self, progress: &Progress) -> Option<Reason> {
        let saved = self.saved.load(Ordering::Relaxed);
        let is_poor = |price: u64| saved < progress.transitions / price;
        if progress.states >= FEW && self.price.is_some_and(is_poor) {
            self.is_in_vain = true;
            return Some(Reason::Interrupted);
        }
        self.monitor.tick(progress)
    }

    fn archive(&mut self) -> Option<&mut dyn Archive> {
        self.monitor.archive()
    }

    fn wants_pause(&mut self) -> bool {
        self.monitor.wants_pause()
    }
}

/// The reduction to be used, and why, if that is clear from what is asked.
fn choose<S: System>(
    system: &S,
    strictness: Strictness,
    config: &Config,
) -> Option<(Reduction, &'static str)> {
    let asked = config.properties;
    let is_usual = (config.order, config.store) == (Order::DepthFirst, StoreKind::Exact);
    Some(match () {
        () if asked.partial_deadlock && !asked.deadlock => (
            Reduction::FULL,
            "threads that are stuck are found by the others only together with deadlocks",
        ),
        () if asked.invariants && system.invariant_future().is_none() => (
            Reduction::FULL,
            "an invariant depends on where threads stand",
        ),
        () if strictness == Strictness::Strict => {
            (Reduction::OPTIMISTIC, "it checks who accesses what")
        }
        () if !asked.deadlock && is_usual && config.spill.is_none() => (
            Reduction::CARTESIAN,
            "it skips most of those that find what threads themselves do wrong",
        ),
        () if system.permissions().is_some() => (
            Reduction::OPTIMISTIC,
            "deadlocks are asked for, and it makes use of the program's claims",
        ),
        () => return None,
    })
}
