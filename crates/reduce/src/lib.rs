//! Reductions: searches that skip interleavings which provably make no difference.
//!
//! Each is one file, and one row of the table [`Reduction::ALL`]: which paper it comes
//! from, which properties it preserves and what it needs. Whoever offers reductions
//! (the command line, tests, comparisons) goes through the table; asking a reduction
//! for a property that it does not preserve is an error, not a weaker answer.

use raddle_model::{Properties, System};
use raddle_search::{Config, Monitor, Survey};

/// A way to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Every interleaving.
    Full,
}

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
    pub const ALL: [Reduction; 1] = [Reduction::Full];

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
        }
    }

    /// The reduction with a name.
    pub fn by_name(name: &str) -> Option<Reduction> {
        let mut all = Reduction::ALL.into_iter();
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
    match reduction {
        Reduction::Full => raddle_search::survey(system, config, monitor, stop_at_first),
    }
}
