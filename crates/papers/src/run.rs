//! Explores the model of a row and compares what comes out with what should.

use crate::boolean;
use crate::data;
use crate::table::{Counting, Expected, Published, Row, Variant};
use raddle_machine::{Machine, MachineLimits};
use raddle_model::{Properties, Statistics};
use raddle_reduce::transactions::{self, Exploration, Guards, Movers, Setup};
use raddle_reduce::{Method, Reading, Reduction, cartesian};
use raddle_search::{Book, Config, Monitor, Survey};

/// What came out of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowOutcome {
    /// The model was explored.
    Found {
        /// The number of states.
        states: u64,
        /// The number of transitions.
        transitions: u64,
        /// How they compare.
        standing: Standing,
    },
    /// The model could not be explored to the end, and why.
    Failed(String),
}

/// How numbers compare with the published ones. The later, the worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// They are the same.
    Exact,
    /// They are what the paper leaves open.
    Within,
    /// They differ as the table says, for the reason it gives.
    Deviation,
    /// They are something else.
    Wrong,
}

impl Standing {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Standing::Exact => "exact",
            Standing::Within => "within",
            Standing::Deviation => "deviation",
            Standing::Wrong => "WRONG",
        }
    }
}

impl RowOutcome {
    /// How the row stands.
    pub fn standing(&self) -> Standing {
        match self {
            RowOutcome::Found { standing, .. } => *standing,
            RowOutcome::Failed(_) => Standing::Wrong,
        }
    }
}

/// Explores the model of a row to the end and compares.
pub fn run(row: &Row, monitor: &mut dyn Monitor) -> RowOutcome {
    match explore(row, monitor) {
        Ok(statistics) => compare(row, &statistics),
        Err(why) => RowOutcome::Failed(why),
    }
}

fn explore(row: &Row, monitor: &mut dyn Monitor) -> Result<Statistics, String> {
    if let Counting::Machine | Counting::Reached = row.counting {
        return boolean::count(row);
    }
    let source = data::model(&row.model).ok_or_else(|| format!("no model `{}`", row.model))?;
    let program = raddle_lang::compile_with(source, &row.defines).map_err(|mistakes| {
        let told: Vec<&str> = mistakes.iter().map(|it| it.message.as_str()).collect();
        told.join("; ")
    })?;
    let machine = Machine::new(program, MachineLimits::default()).map_err(|defects| {
        let told: Vec<&str> = defects.iter().map(|it| it.message.as_str()).collect();
        told.join("; ")
    })?;
    let found = search(&machine, row, monitor);
    if let Some(violation) = found.violations.first() {
        return Err(format!("violated: {}", violation.property.name()));
    }
    match found.reasons.is_empty() {
        true => Ok(found.statistics),
        false => Err(format!("not explored to the end: {:?}", found.reasons)),
    }
}

fn search(machine: &Machine, row: &Row, monitor: &mut dyn Monitor) -> Survey {
    let config = Config {
        // The tables count whole state spaces, deadlocks included.
        properties: Properties {
            deadlock: false,
            partial_deadlock: false,
            ..row.reduction.entry().looks_for()
        },
        ..Config::default()
    };
    match row.reduction {
        // The paper counts finished threads differently from row to row.
        Reduction::CARTESIAN => {
            let finished = match row.counting {
                Counting::Loops => cartesian::Counting::Loops,
                _ => cartesian::Counting::None,
            };
            cartesian::survey(machine, &config, monitor, true, finished)
        }
        Reduction::TRANSACTIONS => search_transactions(machine, row, &config, monitor),
        reduction => {
            let reading = match row.variant {
                Variant::Literal => Reading::Literal,
                _ => Reading::Careful,
            };
            let method = Method {
                reading,
                ..reduction.into()
            };
            raddle_reduce::survey(machine, method, &config, monitor, true)
        }
    }
}

fn search_transactions(
    machine: &Machine,
    row: &Row,
    config: &Config,
    monitor: &mut dyn Monitor,
) -> Survey {
    let setup = Setup {
        guards: match row.variant {
            Variant::Usual => Guards::All,
            _ => Guards::Locks,
        },
        claims: row.variant != Variant::Locks,
        movers: match row.variant {
            Variant::Left => Movers::Left,
            _ => Movers::Both,
        },
        ..Setup::default()
    };
    let book = Book::new(config, monitor, true);
    let Exploration {
        mut survey, nodes, ..
    } = transactions::explore(machine, book, setup);
    if row.counting == Counting::Nodes {
        survey.statistics.states = nodes;
    }
    survey
}

fn compare(row: &Row, found: &Statistics) -> RowOutcome {
    let transitions = match row.counting {
        Counting::Steps
        | Counting::Scheduling
        | Counting::Nodes
        | Counting::Visits
        | Counting::Machine
        | Counting::Reached => found.transitions,
        Counting::Blocked | Counting::Loops => found.transitions + found.stutters,
    };
    let standings = [(row.states, found.states), (row.transitions, transitions)]
        .map(|(claim, ours)| claim.map_or(Standing::Exact, |claim| stands(claim, ours)));
    RowOutcome::Found {
        states: found.states,
        transitions,
        standing: standings[0].max(standings[1]),
    }
}

fn stands(claim: Expected, found: u64) -> Standing {
    let expected = claim.ours.is_none_or(|ours| ours == found);
    match (expected, claim.published.allows(found), claim.published) {
        (false, _, _) => Standing::Wrong,
        (true, true, Published::Exactly(_)) => Standing::Exact,
        (true, true, _) => Standing::Within,
        (true, false, _) if claim.deviates() => Standing::Deviation,
        (true, false, _) => Standing::Wrong,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_changes_is_wrong() {
        let claim = |published, ours| Expected { published, ours };
        let exact = claim(Published::Exactly(5), None);
        let bound = claim(Published::AtMost(5), Some(4));
        let range = claim(Published::Between(4, 6), Some(4));
        let deviation = claim(Published::Exactly(5), Some(7));
        for (claim, found, standing) in [
            (exact, 5, Standing::Exact),
            (exact, 6, Standing::Wrong),
            (bound, 4, Standing::Within),
            (bound, 5, Standing::Wrong),
            (bound, 6, Standing::Wrong),
            (range, 4, Standing::Within),
            (range, 5, Standing::Wrong),
            (deviation, 7, Standing::Deviation),
            (deviation, 6, Standing::Wrong),
            // Even if it is the published one: then the table has to say so.
            (deviation, 5, Standing::Wrong),
        ] {
            assert_eq!(stands(claim, found), standing, "{claim:?} {found}");
        }
    }
}
