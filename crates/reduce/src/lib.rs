//! Reductions: searches that skip interleavings which provably make no difference.
//!
//! The table of them is in `table.rs`: how far a step runs, who moves, what that preserves and
//! needs. Whoever offers reductions (the command line, tests, comparisons) goes through the
//! table; asking a reduction for a property that it does not preserve is an error, not a weaker
//! answer.

pub mod accesses;
mod auto;
pub mod cartesian;
mod composed;
mod discipline;
mod dpor;
pub mod exclusive;
pub mod lock_order;
mod observer;
mod optimistic;
pub mod paranoid;
mod persistent;
mod protection;
pub mod rounds;
pub mod stateless;
pub mod step_order;
pub mod supervised;
mod table;
mod transactional;
pub mod transactions;

pub use optimistic::{Reading, StrictClaims, Strictness};
pub use table::{Entry, Policy, Reduction, Selector};

use raddle_model::{Erased, Future, Narrate, System};
use raddle_search::{Book, Choice, Config, Monitor, Part, Survey, survey_selected, with_temporal};
use table::{Engine, Layer, Movers};
use transactional::Transactional;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// What is skipped.
    pub reduction: Reduction,
    /// What happens if a variable is not protected as assumed.
    pub strictness: Strictness,
    /// How paper 000 is read.
    pub reading: Reading,
    /// Whether it is remarked upon that a variable is not protected as it was taken to be.
    pub tells_guesses: bool,
}

impl From<Reduction> for Method {
    fn from(reduction: Reduction) -> Method {
        Method {
            reduction,
            strictness: Strictness::default(),
            reading: Reading::default(),
            tells_guesses: true,
        }
    }
}

/// What is to be searched, and how.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// How, if it is all executions.
    pub method: Method,
    /// Which part of the executions, if not all.
    pub part: Option<Part>,
    /// Order, store, limits, properties.
    pub config: &'a Config,
    /// Whether the first violation ends it.
    pub stop_at_first: bool,
}

/// Searches a part of the executions, or all of them with a reduction.
pub fn survey_part<S: Narrate>(system: &S, query: Query<'_>, monitor: &mut dyn Monitor) -> Survey {
    let (config, first) = (query.config, query.stop_at_first);
    match query.part {
        Some(part) => raddle_search::survey_part(system, config, monitor, first, part),
        None => survey(system, query.method, config, monitor, first),
    }
}

/// Searches with a reduction, until the first violation or to the end. What is to be true of
/// executions as a whole is looked for in all of them, if the reduction has nothing against it.
pub fn survey<S: Narrate>(
    system: &S,
    method: impl Into<Method>,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> Survey {
    let method = method.into();
    let survey = survey_states(system, method, config, monitor, stop_at_first);
    match method.reduction.entry().preserves.temporal {
        true => with_temporal(survey, system, config, monitor, stop_at_first),
        false => survey,
    }
}

/// Searches with a reduction for what can be seen in states and steps.
fn survey_states<S: Narrate>(
    system: &S,
    method: Method,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> Survey {
    if method.reduction == Reduction::Auto {
        return auto::search(system, method, config, monitor, stop_at_first);
    }
    let entry = method.reduction.entry();
    let stores = matches!(entry.engine, Engine::Common(_));
    let is_seen = stores && entry.visits_all_states
        || method.reduction.sees_changes() && system.invariant_future().is_some();
    match config.properties.invariants && !is_seen {
        true => observer::survey_observed(system, method, config, monitor, stop_at_first),
        false => engine(system, method, config, monitor, stop_at_first),
    }
}

/// Searches with a reduction, which sees invariants only if it [`Reduction::sees_changes`].
///
/// What makes many steps in a short time is compiled for the system itself; everything else for
/// all systems with the same states together.
fn engine<S: Narrate>(
    system: &S,
    method: Method,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> Survey {
    let entry = method.reduction.entry();
    let movers = match entry.engine {
        Engine::Common(movers) => movers,
        Engine::Stateless(_) | Engine::Vectors | Engine::Fixpoint => {
            let erased = Erased(system);
            return alone(&erased, method, config, monitor, stop_at_first);
        }
    };
    let watched = match config.properties.invariants {
        true => system.invariant_future(),
        false => None,
    };
    let watched = watched.as_ref();
    if entry.layer == Layer::None && method.strictness == Strictness::Auto {
        return common(system, movers, watched, config, monitor, stop_at_first);
    }
    let system = Erased(system);
    layered(
        &system,
        method,
        watched,
        config,
        stop_at_first,
        &mut |system| common(system, movers, watched, config, monitor, stop_at_first),
    )
}

/// Searches with a reduction that has an engine of its own.
fn alone<T: Clone + Send>(
    system: &Erased<'_, T>,
    method: Method,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> Survey {
    let engine = method.reduction.entry().engine;
    layered(system, method, None, config, stop_at_first, &mut |system| {
        match engine {
            Engine::Stateless(mode) => {
                stateless::search(system, config, monitor, stop_at_first, mode)
            }
            Engine::Vectors => {
                let book = book(config, monitor, stop_at_first);
                cartesian::search(system, book, config.jobs)
            }
            Engine::Fixpoint => lock_order::survey(system, config, monitor, stop_at_first),
            // Those are not alone.
            Engine::Common(_) => {
                survey_selected(system, Choice::All, config, monitor, stop_at_first)
            }
        }
    })
}

/// Explores the system that a policy makes of another one, again and again if what it assumes
/// turns out to be wrong. What is `watched` is read by invariants that are checked in every
/// state.
fn layered<T: Clone + Send>(
    system: &Erased<'_, T>,
    method: Method,
    watched: Option<&Future>,
    config: &Config,
    stop_at_first: bool,
    explore: &mut dyn FnMut(&Erased<'_, T>) -> Survey,
) -> Survey {
    let entry = method.reduction.entry();
    let footprints = match entry.layer {
        Layer::Composed(footprints) => footprints,
        Layer::None | Layer::Transactions => {
            let claims = StrictClaims::default();
            let guarded = claims.guard(system);
            let guarded = Erased(&guarded);
            let system = match method.strictness {
                Strictness::Strict => &guarded,
                Strictness::Auto => system,
            };
            // The fixpoint makes its transactions itself.
            if entry.layer == Layer::None || entry.engine == Engine::Fixpoint {
                return explore(system);
            }
            let saved = &config.saved.put_together;
            let mut explore = |it: &Transactional<'_, _>| explore(&Erased(it));
            return transactional::search(system, watched, saved, stop_at_first, &mut explore);
        }
    };
    optimistic::search(
        system,
        footprints,
        watched,
        &config.saved.put_together,
        method,
        stop_at_first,
        &mut |composed| explore(&Erased(composed)),
    )
}

/// Searches a system on the common engine.
fn common<S: System>(
    system: &S,
    movers: Movers,
    watched: Option<&Future>,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> Survey {
    let choice = match movers {
        Movers::All => Choice::All,
        Movers::Awake => Choice::Sleep,
        Movers::Sets(sets) => {
            return persistent::search(system, sets, watched, config, monitor, stop_at_first);
        }
    };
    survey_selected(system, choice, config, monitor, stop_at_first)
}

/// The books of a search that chooses what to skip, which takes its time.
fn book<'a>(config: &'a Config, monitor: &'a mut dyn Monitor, first: bool) -> Book<'a> {
    Book::new(config, monitor, first).pulse_every(16)
}
