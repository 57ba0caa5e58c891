//! Reductions: searches that skip interleavings which provably make no difference.
//!
//! The table of them is in `table.rs`: how far a step runs, who moves, what that preserves and
//! needs. Whoever offers reductions (the command line, tests, comparisons) goes through the
//! table; asking a reduction for a property that it does not preserve is an error, not a weaker
//! answer.

pub mod accesses;
mod auto;
pub mod cartesian;
mod components;
mod composed;
mod discipline;
mod dpor;
pub mod lock_order;
mod observer;
mod optimistic;
pub mod paranoid;
mod persistent;
mod protection;
pub mod stateless;
pub mod supervised;
mod table;
mod transactional;
pub mod transactions;

pub use optimistic::{Claims, Reading, Strictness};
pub use table::{Entry, Policy, Reduction, Selector};

use composed::Footprints;
use persistent::Sets;
use raddle_model::{Future, Narrate, System};
use raddle_search::{Book, Config, Monitor, Part, Survey};
use stateless::Mode;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// What is skipped.
    pub reduction: Reduction,
    /// What happens if a variable is not protected as assumed.
    pub strictness: Strictness,
    /// How paper 000 is read.
    pub reading: Reading,
}

impl From<Reduction> for Method {
    fn from(reduction: Reduction) -> Method {
        Method {
            reduction,
            strictness: Strictness::default(),
            reading: Reading::default(),
        }
    }
}

/// Searches a part of the executions, or all of them with a reduction.
pub fn survey_part<S: Narrate>(
    system: &S,
    method: impl Into<Method>,
    part: Option<Part>,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> Survey {
    match part {
        Some(part) => raddle_search::survey_part(system, config, monitor, stop_at_first, part),
        None => survey(system, method, config, monitor, stop_at_first),
    }
}

/// Searches with a reduction, until the first violation or to the end.
pub fn survey<S: Narrate>(
    system: &S,
    method: impl Into<Method>,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> Survey {
    let method = method.into();
    if method.reduction == Reduction::Auto {
        return auto::search(system, method, config, monitor, stop_at_first);
    }
    let is_seen = method.reduction == Reduction::FULL
        || method.reduction.sees_changes() && system.invariant_future().is_some();
    match config.properties.invariants && !is_seen {
        true => observer::survey_observed(system, method, config, monitor, stop_at_first),
        false => engine(system, method, config, monitor, stop_at_first),
    }
}

/// Searches with a reduction, which sees invariants only if it [`Reduction::sees_changes`].
fn engine<S: Narrate>(
    system: &S,
    method: Method,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> Survey {
    // Auto is one of the others by now.
    let (policy, selector) = match method.reduction {
        Reduction::Of(policy, selector) => (policy, selector),
        Reduction::Auto => (Policy::EveryAccess, Selector::All),
    };
    let claims = Claims::default();
    let watched = match config.properties.invariants {
        true => system.invariant_future(),
        false => None,
    };
    let watched = watched.as_ref();
    let footprints = match policy {
        Policy::EveryAccess if method.strictness == Strictness::Strict => {
            let guarded = claims.guard(system);
            return select(&guarded, selector, watched, config, monitor, stop_at_first);
        }
        Policy::EveryAccess => {
            return select(system, selector, watched, config, monitor, stop_at_first);
        }
        Policy::Transactions if method.strictness == Strictness::Strict => {
            let guarded = claims.guard(system);
            return transact(&guarded, selector, config, monitor, stop_at_first);
        }
        Policy::Transactions => {
            return transact(system, selector, config, monitor, stop_at_first);
        }
        Policy::Optimistic => Footprints::First,
        Policy::Composed => Footprints::All,
    };
    let Method {
        strictness,
        reading,
        ..
    } = method;
    optimistic::search(
        system,
        footprints,
        watched,
        &config.saved,
        strictness,
        reading,
        stop_at_first,
        &mut |composed| select(composed, selector, watched, config, monitor, stop_at_first),
    )
}

/// Searches the transactions of a system with a selector.
fn transact<S: Narrate>(
    system: &S,
    selector: Selector,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> Survey {
    match selector {
        Selector::All => lock_order::survey(system, config, monitor, stop_at_first),
        _ => transactional::search(system, &config.saved, stop_at_first, &mut |transactional| {
            select(
                transactional,
                selector,
                None,
                config,
                monitor,
                stop_at_first,
            )
        }),
    }
}

/// Searches a system with a selector. What is `watched` is read by invariants that are checked
/// in every state.
fn select<S: System>(
    system: &S,
    selector: Selector,
    watched: Option<&Future>,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> Survey {
    let sets = match selector {
        Selector::All => return raddle_search::survey(system, config, monitor, stop_at_first),
        Selector::Local => Sets::Singletons,
        Selector::Persistent => Sets::Any,
        Selector::Sleep | Selector::PersistentSleep | Selector::Dpor | Selector::Cartesian => {
            let book = book(config, monitor, stop_at_first);
            return match selector {
                Selector::Cartesian => cartesian::search(system, book, config.jobs),
                Selector::Dpor => stateless::search(system, book, Mode::Dpor),
                Selector::Sleep => stateless::search(system, book, Mode::Sleep),
                _ => stateless::search(system, book, Mode::Selective),
            };
        }
    };
    persistent::search(system, sets, watched, config, monitor, stop_at_first)
}

/// The books of a search that chooses what to skip, which takes its time.
fn book<'a>(config: &'a Config, monitor: &'a mut dyn Monitor, first: bool) -> Book<'a> {
    Book::new(config, monitor, first).pulse_every(16)
}
