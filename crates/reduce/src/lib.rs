//! Reductions: searches that skip interleavings which provably make no difference.
//!
//! Each is one file, and one row of the table [`Reduction::ALL`]: which paper it comes
//! from, which properties it preserves and what it needs. Whoever offers reductions
//! (the command line, tests, comparisons) goes through the table; asking a reduction
//! for a property that it does not preserve is an error, not a weaker answer.

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
pub mod transactions;

pub use optimistic::{Claims, Policy, Reading};

use composed::Footprints;
use persistent::Sets;
use raddle_model::{Narrate, Properties};
use raddle_search::{Book, Config, Monitor, Part, Survey};
use stateless::Mode;

/// A way to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Every interleaving.
    Full,
    /// Persistent sets of one thread.
    Local,
    /// Persistent sets.
    Persistent,
    /// Persistent sets of composed steps.
    PersistentLocks,
    /// Cartesian vectors.
    Cartesian,
    /// Sleep sets, without a store.
    Sleep,
    /// Persistent sets and sleep sets, without a store.
    Stateless,
    /// The same, with invisible steps first.
    InvisibleFirst,
    /// The same, with composed steps.
    Composed,
    /// Dynamic partial-order reduction, without a store.
    Dpor,
    /// Context switches before visible steps only.
    Optimistic,
    /// Transactions with inferred locks.
    Transactions,
    /// Whichever of them is best.
    Auto,
}

// Invariants are preserved by every reduction, because a thread that checks them fails
// like any other: see `observer.rs`.

/// What is preserved by reductions that see nothing but what threads do themselves.
const FAULTS: Properties = Properties {
    deadlock: false,
    partial_deadlock: false,
    ..Properties::ALL
};

/// What is preserved by reductions that see the ends of executions.
const FAULTS_AND_DEADLOCKS: Properties = Properties {
    partial_deadlock: false,
    ..Properties::ALL
};

/// What is to be known of a reduction.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name on the command line and in reports.
    pub name: &'static str,
    /// The paper it comes from, and where in it.
    pub source: &'static str,
    /// What it skips, in one sentence.
    pub summary: &'static str,
    /// The properties that it preserves.
    pub preserves: Properties,
    /// What it needs of a program.
    pub needs: &'static str,
    /// Whether it makes assumptions about who accesses what, and checks them.
    pub checks: bool,
    /// Whether it works with every search order and every store.
    pub orders: bool,
    /// Whether it can prove that there are no deadlocks, although it finds none.
    pub excludes_deadlocks: bool,
    /// Whether it can make use of several processors ([`Config::jobs`]).
    pub concurrent: bool,
}

impl Reduction {
    /// All reductions, in the order of the table.
    pub const ALL: &'static [Reduction] = &[
        Reduction::Full,
        Reduction::Local,
        Reduction::Persistent,
        Reduction::PersistentLocks,
        Reduction::Cartesian,
        Reduction::Sleep,
        Reduction::Stateless,
        Reduction::InvisibleFirst,
        Reduction::Composed,
        Reduction::Dpor,
        Reduction::Optimistic,
        Reduction::Transactions,
        Reduction::Auto,
    ];

    /// The row of the table.
    pub fn entry(self) -> &'static Entry {
        match self {
            Reduction::Full => &Entry {
                name: "none",
                source: "",
                summary: "explores every interleaving",
                preserves: Properties::ALL,
                needs: "",
                checks: true,
                orders: true,
                excludes_deadlocks: false,
                concurrent: true,
            },
            Reduction::Local => &Entry {
                name: "local",
                source: "000, section 11 (LocalFinal)",
                summary: "no context switch before a step that nobody else can interfere with",
                preserves: Properties::ALL,
                needs: "futures",
                checks: false,
                orders: true,
                excludes_deadlocks: false,
                concurrent: true,
            },
            Reduction::Persistent => &Entry {
                name: "persistent",
                source: "002, sections 3 and 8",
                summary: "runs only a set of threads that the others cannot interfere with",
                preserves: Properties::ALL,
                needs: "futures",
                checks: false,
                orders: true,
                excludes_deadlocks: false,
                concurrent: true,
            },
            Reduction::PersistentLocks => &Entry {
                name: "persistent-locks",
                source: "002, sections 8 and 9 (Algorithm 2-MLD', Theorem 6')",
                summary: "persistent sets of steps that swallow the unnoticed ones after them",
                preserves: Properties::ALL,
                needs: "futures",
                checks: true,
                orders: true,
                excludes_deadlocks: false,
                concurrent: true,
            },
            Reduction::Cartesian => &Entry {
                name: "cartesian",
                source: "001, Fig. 6 and 7, Theorem 1",
                summary: "runs a thread on until it meets what another one would do on its own",
                preserves: FAULTS,
                needs: "objects that keep their names while a thread runs",
                checks: false,
                orders: false,
                excludes_deadlocks: false,
                concurrent: true,
            },
            Reduction::Sleep => &Entry {
                name: "sleep",
                source: "002, sections 3 and 7 (Fig. 1 and 4, Theorem 1)",
                summary: "tries no step again that was tried before and that nobody interfered with",
                preserves: FAULTS_AND_DEADLOCKS,
                needs: "a program without cycles",
                checks: false,
                orders: false,
                excludes_deadlocks: false,
                concurrent: false,
            },
            Reduction::Stateless => &Entry {
                name: "stateless",
                source: "002, sections 3, 7 and 8 (Fig. 1 and 4, Theorem 1)",
                summary: "persistent sets and sleep sets together, without a store",
                preserves: FAULTS_AND_DEADLOCKS,
                needs: "a program without cycles",
                checks: false,
                orders: false,
                excludes_deadlocks: false,
                concurrent: false,
            },
            Reduction::InvisibleFirst => &Entry {
                name: "invisible-first",
                source: "002, sections 4 and 9 (Fig. 2, Theorems 3 and 3')",
                summary: "makes steps at once that nobody can notice; assumes and checks locks",
                preserves: FAULTS_AND_DEADLOCKS,
                needs: "a program without cycles",
                checks: true,
                orders: false,
                excludes_deadlocks: false,
                concurrent: false,
            },
            Reduction::Composed => &Entry {
                name: "composed",
                source: "002, sections 5, 8 and 9 (Theorems 5, 5' and 6')",
                summary: "takes a step and the unnoticed ones after it for a single step",
                preserves: FAULTS_AND_DEADLOCKS,
                needs: "a program without cycles",
                checks: true,
                orders: false,
                excludes_deadlocks: false,
                concurrent: false,
            },
            Reduction::Dpor => &Entry {
                name: "dpor",
                source: "Flanagan, Godefroid 2005; Abdulla, Aronis, Jonsson, Sagonas 2014",
                summary: "exchanges two steps only if they were seen to be in a race",
                preserves: FAULTS_AND_DEADLOCKS,
                needs: "a program without cycles",
                checks: false,
                orders: false,
                excludes_deadlocks: false,
                concurrent: false,
            },
            Reduction::Optimistic => &Entry {
                name: "optimistic",
                source: "000, sections 4 to 9",
                summary: "switches threads before visible steps only; assumes and checks protection",
                preserves: Properties::ALL,
                needs: "",
                checks: true,
                orders: true,
                excludes_deadlocks: false,
                concurrent: true,
            },
            Reduction::Transactions => &Entry {
                name: "transactions",
                source: "004, sections 4 to 6",
                summary: "runs a thread through right movers, a commit and left movers; infers locks",
                preserves: FAULTS,
                needs: "",
                checks: true,
                orders: false,
                excludes_deadlocks: true,
                concurrent: false,
            },
            Reduction::Auto => &Entry {
                name: "auto",
                source: "",
                summary: "chooses one of them for the program and the properties",
                preserves: Properties::ALL,
                needs: "",
                checks: true,
                orders: true,
                excludes_deadlocks: false,
                concurrent: true,
            },
        }
    }

    /// Whether it skips steps but no states, so that whatever can be seen in a state is seen.
    pub fn visits_all_states(self) -> bool {
        // Sleep sets leave out steps to states that are reached otherwise (002, Theorem 1).
        matches!(self, Reduction::Full | Reduction::Sleep)
    }

    /// The reduction with a name.
    pub fn by_name(name: &str) -> Option<Reduction> {
        let mut all = Reduction::ALL.iter().copied();
        all.find(|reduction| reduction.entry().name == name)
    }
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// What is skipped.
    pub reduction: Reduction,
    /// What happens if a variable is not protected as assumed.
    pub policy: Policy,
    /// How paper 000 is read.
    pub reading: Reading,
}

impl From<Reduction> for Method {
    fn from(reduction: Reduction) -> Method {
        Method {
            reduction,
            policy: Policy::default(),
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
    let mut method = method.into();
    if method.reduction == Reduction::Auto {
        let (reduction, why) = auto::choose(system, method.policy, config);
        method.reduction = reduction;
        let mut survey = survey(system, method, config, monitor, stop_at_first);
        let told = format!("auto: `{}`, because {why}", reduction.entry().name);
        survey.remarks.insert(0, told);
        let is_large = survey.statistics.transitions >= config.alone_for;
        if config.jobs > 1 && is_large && !reduction.entry().concurrent {
            let told = format!("`{}` runs on one processor", reduction.entry().name);
            survey.remarks.insert(1, told);
        }
        return survey;
    }
    match config.properties.invariants && method.reduction != Reduction::Full {
        true => observer::survey_observed(system, method, config, monitor, stop_at_first),
        false => engine(system, method, config, monitor, stop_at_first),
    }
}

/// Searches with a reduction that sees no invariants.
fn engine<S: Narrate>(
    system: &S,
    method: Method,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> Survey {
    let disciplined =
        |footprints, explore: &mut dyn FnMut(&composed::Composed<'_, S>) -> Survey| {
            let Method {
                policy, reading, ..
            } = method;
            optimistic::search(system, footprints, policy, reading, stop_at_first, explore)
        };
    match method.reduction {
        Reduction::Full if method.policy == Policy::Strict => {
            let claims = Claims::default();
            raddle_search::survey(&claims.guard(system), config, monitor, stop_at_first)
        }
        // Auto is one of the others by now.
        Reduction::Full | Reduction::Auto => {
            raddle_search::survey(system, config, monitor, stop_at_first)
        }
        Reduction::Local => {
            persistent::search(system, Sets::Singletons, config, monitor, stop_at_first)
        }
        Reduction::Persistent => {
            persistent::search(system, Sets::Any, config, monitor, stop_at_first)
        }
        Reduction::PersistentLocks => disciplined(Footprints::All, &mut |composed| {
            persistent::search(composed, Sets::Any, config, monitor, stop_at_first)
        }),
        Reduction::Cartesian => {
            cartesian::search(system, book(config, monitor, stop_at_first), config.jobs)
        }
        Reduction::Sleep => {
            stateless::search(system, book(config, monitor, stop_at_first), Mode::Sleep)
        }
        Reduction::Stateless => stateless::search(
            system,
            book(config, monitor, stop_at_first),
            Mode::Selective,
        ),
        Reduction::InvisibleFirst => disciplined(Footprints::First, &mut |composed| {
            stateless::search(
                composed,
                book(config, monitor, stop_at_first),
                Mode::Selective,
            )
        }),
        Reduction::Composed => disciplined(Footprints::All, &mut |composed| {
            stateless::search(
                composed,
                book(config, monitor, stop_at_first),
                Mode::Selective,
            )
        }),
        Reduction::Dpor => {
            stateless::search(system, book(config, monitor, stop_at_first), Mode::Dpor)
        }
        Reduction::Optimistic => disciplined(Footprints::First, &mut |composed| {
            raddle_search::survey(composed, config, monitor, stop_at_first)
        }),
        Reduction::Transactions if method.policy == Policy::Strict => {
            let claims = Claims::default();
            lock_order::survey(&claims.guard(system), config, monitor, stop_at_first)
        }
        Reduction::Transactions => lock_order::survey(system, config, monitor, stop_at_first),
    }
}

/// The books of a search that chooses what to skip, which takes its time.
fn book<'a>(config: &'a Config, monitor: &'a mut dyn Monitor, first: bool) -> Book<'a> {
    Book::new(config, monitor, first).pulse_every(16)
}
