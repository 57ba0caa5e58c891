//! Which reduction is best for a program and what is asked of it.
//!
//! Only rows of the table are chosen from, each with the argument in its own file. Where
//! several would do, the one is taken that stores the fewest states on most of the models
//! (`raddle compare`); none of them is the best on all.

use crate::{Reduction, Strictness};
use raddle_model::System;
use raddle_search::{Config, Order, StoreKind};

/// The reduction to be used, and why.
pub(crate) fn choose<S: System>(
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
    if config.order != Order::DepthFirst || config.store != StoreKind::Exact {
        return (
            Reduction::OPTIMISTIC,
            "it works with every search order and every store",
        );
    }
    if !asked.deadlock {
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
