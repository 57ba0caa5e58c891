//! Which reduction is best for a program and what is asked of it.
//!
//! Only rows of the table are chosen from, each with the argument in its own file. Where
//! several would do, the one is taken that stores the fewest states on most of the models
//! (`raddle compare`); none of them is the best on all.
//!
//! Whether it pays is watched on the way. The states of the chosen ones are among those of full
//! search, but each of them costs more. So when a search has saved little by the time it has
//! seen some states, it ends, and full search begins: what was in vain is small beside it.

use crate::{Method, Reduction, Strictness, survey};
use raddle_model::{Narrate, Reason, System};
use raddle_search::{Archive, Config, Monitor, Order, Progress, StoreKind, Survey};
use std::sync::atomic::{AtomicU64, Ordering};

/// From how many states on it is asked whether a reduction pays.
const FEW: u64 = 512;

/// It does if at least one step is saved for so many that are made.
const PRICE: u64 = 4;

/// Searches with what is best.
pub(crate) fn search<S: Narrate>(
    system: &S,
    method: Method,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> Survey {
    let (reduction, why) = choose(system, method.strictness, config);
    let name = reduction.entry().name;
    // Whoever leaves the choice to us did not ask what is protected.
    let chosen = Method {
        reduction,
        tells_guesses: false,
        ..method
    };
    // A search that is written down goes on as it began. Others than these do not count.
    let is_watched = reduction.sees_changes()
        && reduction != Reduction::FULL
        && method.strictness == Strictness::Auto
        && monitor.archive().is_none();
    let mut payback = Payback {
        monitor: &mut *monitor,
        saved: &config.saved,
        is_watched,
        is_in_vain: false,
    };
    let mut found = survey(system, chosen, config, &mut payback, stop_at_first);
    let mut told = format!("auto: `{name}`, because {why}");
    if payback.is_in_vain && (found.violations.is_empty() || !stop_at_first) {
        let full = Method {
            reduction: Reduction::FULL,
            ..method
        };
        found = survey(system, full, config, monitor, stop_at_first);
        told = format!("auto: `none`, because `{name}` saved too little");
    }
    found.remarks.insert(0, told);
    found
}

/// Ends a search that does not pay.
struct Payback<'a> {
    monitor: &'a mut dyn Monitor,
    saved: &'a AtomicU64,
    is_watched: bool,
    is_in_vain: bool,
}

impl Monitor for Payback<'_> {
    fn tick(&mut self, progress: &Progress) -> Option<Reason> {
        let saved = self.saved.load(Ordering::Relaxed);
        if self.is_watched && progress.states >= FEW && saved < progress.transitions / PRICE {
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

/// The reduction to be used, and why.
fn choose<S: System>(
    system: &S,
    strictness: Strictness,
    config: &Config,
) -> (Reduction, &'static str) {
    let asked = config.properties;
    if asked.partial_deadlock && !asked.deadlock {
        return (
            Reduction::FULL,
            "threads that are stuck are found by the others only together with deadlocks",
        );
    }
    if asked.invariants && system.invariant_future().is_none() {
        return (
            Reduction::FULL,
            "an invariant depends on where threads stand",
        );
    }
    if strictness == Strictness::Strict {
        return (Reduction::OPTIMISTIC, "it checks who accesses what");
    }
    let is_usual = (config.order, config.store) == (Order::DepthFirst, StoreKind::Exact);
    if !asked.deadlock && is_usual && config.spill.is_none() {
        return (
            Reduction::CARTESIAN,
            "it skips most of those that find what threads themselves do wrong",
        );
    }
    if system.permissions().is_some() {
        return (
            Reduction::OPTIMISTIC,
            "deadlocks are asked for, and it makes use of the program's claims",
        );
    }
    (
        Reduction::PERSISTENT_LOCKS,
        "it skips most of those that find deadlocks",
    )
}
