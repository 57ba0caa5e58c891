//! Reductions: searches that skip interleavings which provably make no difference.
//!
//! Each is one file, and one row of the table [`Reduction::ALL`]: which paper it comes
//! from, which properties it preserves and what it needs. Whoever offers reductions
//! (the command line, tests, comparisons) goes through the table; asking a reduction
//! for a property that it does not preserve is an error, not a weaker answer.

pub mod cartesian;
mod dpor;
pub mod paranoid;
mod persistent;
pub mod stateless;
pub mod supervised;
mod transactions;

use persistent::Sets;
use raddle_model::{Properties, System};
use raddle_search::{Book, Config, Monitor, Survey};
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
    /// Cartesian vectors.
    Cartesian,
    /// Sleep sets, without a store.
    Sleep,
    /// Dynamic partial-order reduction, without a store.
    Dpor,
    /// Transactions with inferred locks.
    Transactions,
}

/// What is preserved by reductions that visit for each state one that comes after it.
const ALL_BUT_INVARIANTS: Properties = Properties {
    invariants: false,
    ..Properties::ALL
};

/// What is preserved by reductions that see nothing but what threads do themselves.
const FAULTS: Properties = Properties {
    deadlock: false,
    partial_deadlock: false,
    invariants: false,
    ..Properties::ALL
};

/// What is preserved by reductions that see the ends of executions.
const FAULTS_AND_DEADLOCKS: Properties = Properties {
    partial_deadlock: false,
    invariants: false,
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
}

impl Reduction {
    /// All reductions, in the order of the table.
    pub const ALL: &'static [Reduction] = &[
        Reduction::Full,
        Reduction::Local,
        Reduction::Persistent,
        Reduction::Cartesian,
        Reduction::Sleep,
        Reduction::Dpor,
        Reduction::Transactions,
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
            },
            Reduction::Local => &Entry {
                name: "local",
                source: "000, section 11 (LocalFinal)",
                summary: "no context switch before a step that nobody else can interfere with",
                preserves: ALL_BUT_INVARIANTS,
                needs: "futures",
            },
            Reduction::Persistent => &Entry {
                name: "persistent",
                source: "002, sections 3 and 8",
                summary: "runs only a set of threads that the others cannot interfere with",
                preserves: ALL_BUT_INVARIANTS,
                needs: "futures",
            },
            Reduction::Cartesian => &Entry {
                name: "cartesian",
                source: "001, Fig. 6 and 7, Theorem 1",
                summary: "runs a thread on until it meets what another one would do on its own",
                preserves: FAULTS,
                needs: "objects that keep their names while a thread runs",
            },
            Reduction::Sleep => &Entry {
                name: "sleep",
                source: "002, sections 3 and 7 (Fig. 1 and 4, Theorem 1)",
                summary: "tries no step again that was tried before and that nobody interfered with",
                preserves: FAULTS_AND_DEADLOCKS,
                needs: "a program without cycles",
            },
            Reduction::Dpor => &Entry {
                name: "dpor",
                source: "Flanagan, Godefroid 2005; Abdulla, Aronis, Jonsson, Sagonas 2014",
                summary: "exchanges two steps only if they were seen to be in a race",
                preserves: FAULTS_AND_DEADLOCKS,
                needs: "a program without cycles",
            },
            Reduction::Transactions => &Entry {
                name: "transactions",
                source: "004, sections 4 to 6",
                summary: "runs a thread through right movers, a commit and left movers; infers locks",
                preserves: FAULTS,
                needs: "",
            },
        }
    }

    /// The reduction with a name.
    pub fn by_name(name: &str) -> Option<Reduction> {
        let mut all = Reduction::ALL.iter().copied();
        all.find(|reduction| reduction.entry().name == name)
    }
}

/// Searches with a reduction, until the first violation or to the end.
pub fn survey<S: System>(
    system: &S,
    reduction: Reduction,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> Survey {
    // Choosing what to skip takes its time.
    let book = |monitor| Book::new(config, monitor, stop_at_first).pulse_every(16);
    match reduction {
        Reduction::Full => raddle_search::survey(system, config, monitor, stop_at_first),
        Reduction::Local => persistent::search(system, book(monitor), Sets::Singletons),
        Reduction::Persistent => persistent::search(system, book(monitor), Sets::Any),
        Reduction::Cartesian => cartesian::search(system, book(monitor)),
        Reduction::Sleep => stateless::search(system, book(monitor), Mode::Sleep),
        Reduction::Dpor => stateless::search(system, book(monitor), Mode::Dpor),
        Reduction::Transactions => transactions::search(system, book(monitor)),
    }
}
