//! Whether every execution is as the temporal properties of a program say.
//!
//! An execution that is not is a word that the automaton of the negated formula accepts. So what is
//! searched is the product of the system and the automaton, for a circle that can be reached, meets
//! every accepting set, and is fair: a strongly connected component says whether there is one
//! (`product.rs`; Couvreur, FM 1999, who also has the automata, and Gabow, 2000, who has the stack of
//! roots). An execution that cannot go on stays in its last state for ever, as is usual. One that
//! ends with a fault or a failed assumption is none of those that count here.
//!
//! Weak fairness says of each thread that it cannot move or moves, again and again: that is one more
//! accepting set for each. Strong fairness says that it moves again and again if it can move again
//! and again. There a component need not be fair although a part of it is: what has to be avoided is
//! taken out, and the rest looked at again (`parts.rs`; Emerson and Lei, 1987).
//!
//! What is found is an execution and the step to which it goes back (`lasso.rs`). It is confirmed
//! by the meaning of the formula, without any automaton (`confirm.rs`).

mod states;
mod confirm;
mod ends;
mod lasso;
mod parts;
mod product;

pub(crate) use confirm::confirm;
pub(crate) use ends::confirm as confirm_no_end;
pub(crate) use lasso::shorten;

use crate::book::Book;
use crate::{Config, Monitor, Survey};
use product::Product;
use raddle_model::{Reason, System};
use raddle_temporal::Automaton;

/// Looks for executions that are not as the temporal properties of a system say, if that is to be
/// checked. Nothing is skipped.
pub fn survey_temporal<S: System>(
    system: &S,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> Survey {
    let mut all = Survey::default();
    if !config.properties.temporal {
        return all;
    }
    for (number, property) in system.temporal_properties().iter().enumerate() {
        let survey = match Automaton::against(&property.formula) {
            Ok(automaton) => {
                let book = Book::new(config, monitor, stop_at_first);
                Product::new(system, number, &automaton, config.stop.clone()).search(book)
            }
            Err(why) => Survey {
                reasons: vec![Reason::GaveUp(format!("`{}`: {why}", property.name))],
                ..Survey::default()
            },
        };
        let is_over = stop_at_first && !survey.violations.is_empty();
        all.add(survey);
        if is_over {
            break;
        }
    }
    all
}

/// Looks for a state from which no execution ends, if that is to be checked. Nothing is skipped.
pub fn survey_ends<S: System>(
    system: &S,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> Survey {
    match config.properties.ends {
        true => ends::search(system, Book::new(config, monitor, stop_at_first)),
        false => Survey::default(),
    }
}

impl Survey {
    /// Adds what another search found.
    pub fn add(&mut self, other: Survey) {
        for violation in other.violations {
            let mut known = self.violations.iter();
            if !known.any(|it| it.property.same_kind(&violation.property)) {
                self.violations.push(violation);
            }
        }
        for reason in other.reasons {
            if !self.reasons.contains(&reason) {
                self.reasons.push(reason);
            }
        }
        self.remarks.extend(other.remarks);
        let (mine, theirs) = (&mut self.statistics, other.statistics);
        mine.states += theirs.states;
        mine.transitions += theirs.transitions;
        mine.executions += theirs.executions;
        mine.stutters += theirs.stutters;
        mine.depth = mine.depth.max(theirs.depth);
        mine.pruned += theirs.pruned;
        mine.store_bytes = mine.store_bytes.max(theirs.store_bytes);
        mine.peak_bytes = mine.peak_bytes.max(theirs.peak_bytes);
        mine.omission_probability += theirs.omission_probability;
    }
}
