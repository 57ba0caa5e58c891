//! Looks for the nearest state in which something holds, by the search that also looks for
//! violations: the state that is looked for is one in which an invariant is false.
//!
//! For a model that is an expression of its language over the shared variables, for a boolean
//! program a set of states as for `--unsafe`. For the others, which have no expressions, it is
//! what the page shows of a state: see [`Shown`].

use super::session::Session;
use crate::args::When;
use crate::programs::{Program, Setup, Text};
use crate::progress::Watcher;
use raddle_model::{
    Erased, Fault, FaultKind, Future, Halt, Layer, Limits, Move, Narrate, Properties, System,
    Thread, Verdict,
};
use raddle_report::text;
use raddle_search::{Config, Order};
use std::sync::Mutex;
use std::time::Duration;

/// So long a search takes at the most.
const MOST_TIME: Duration = Duration::from_secs(20);
/// So many states are looked at.
const MOST_STATES: u64 = 2_000_000;

/// How states of a program are looked for.
pub(crate) struct Seek<'a> {
    pub(crate) text: &'a Text,
    pub(crate) setup: &'a Setup,
}

impl Seek<'_> {
    /// The steps from where the person is to the nearest state in which a condition holds.
    pub(crate) fn find<P: Program>(
        &self,
        session: &Session<'_, P>,
        program: &P,
        wanted: &str,
    ) -> Result<Vec<Move>, String> {
        let wanted = wanted.trim();
        if wanted.is_empty() {
            return Err("say what is to hold in the state".to_owned());
        }
        let schedule = session.schedule();
        let Seek { text, setup } = self;
        if let Some(found) = text.front.seek(text, setup, &schedule, wanted) {
            return found;
        }
        let shown = Shown::parse(wanted)?;
        nearest(program, &schedule, &|state| shown.holds(program, state))
    }
}

/// What is to be seen of a state: conditions joined by `&&`, each of which is `NAME = VALUE` or
/// `NAME != VALUE` for a variable as it is shown, `THREAD @ LINE` for where a thread stands, or
/// a text in quotation marks that occurs among the variables and their values.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Shown(Vec<Condition>);

#[derive(Debug, PartialEq, Eq)]
enum Condition {
    Is(String, String),
    IsNot(String, String),
    At(String, u32),
    Has(String),
}

impl Shown {
    pub(crate) fn parse(text: &str) -> Result<Shown, String> {
        let conditions = text.split("&&").map(|part| {
            let part = part.trim();
            let pair = |left: &str, right: &str| (left.trim().to_owned(), right.trim().to_owned());
            if let Some(quoted) = part.strip_prefix('"').and_then(|it| it.strip_suffix('"')) {
                return Ok(Condition::Has(quoted.to_owned()));
            }
            if let Some((name, value)) = part.split_once("!=") {
                let (name, value) = pair(name, value);
                return Ok(Condition::IsNot(name, value));
            }
            if let Some((name, value)) = part.split_once("==").or_else(|| part.split_once('=')) {
                let (name, value) = pair(name, value);
                return Ok(Condition::Is(name, value));
            }
            if let Some((thread, line)) = part.rsplit_once('@') {
                let line = line.trim().parse();
                let line = line.map_err(|_| format!("`{part}`: behind the @ comes a line"))?;
                return Ok(Condition::At(thread.trim().to_owned(), line));
            }
            Err(format!(
                "`{part}` is not a condition; there are NAME = VALUE, NAME != VALUE, \
                 THREAD @ LINE and \"TEXT\", joined by &&"
            ))
        });
        Ok(Shown(conditions.collect::<Result<_, _>>()?))
    }

    fn holds<P: Program>(&self, program: &P, state: &P::State) -> bool {
        let values = program.shared_values(state);
        let value = |name: &str| values.iter().find(|it| it.0 == name).map(|it| &it.1);
        self.0.iter().all(|condition| match condition {
            Condition::Is(name, wanted) => value(name).is_some_and(|it| it == wanted),
            Condition::IsNot(name, other) => value(name).is_some_and(|it| it != other),
            Condition::Has(text) => values
                .iter()
                .any(|(name, value)| name.contains(text) || value.contains(text)),
            Condition::At(name, line) => (0..program.threads(state) as u32).map(Thread).any(|it| {
                let place = program.next_place(state, it);
                place.is_some_and(|place| place.line == *line)
                    && program.thread_name(state, it) == *name
            }),
        })
    }
}

/// The fewest steps behind a schedule to a state that is looked for.
pub(crate) fn nearest<S: Narrate>(
    system: &S,
    schedule: &[Move],
    goal: &(dyn Fn(&S::State) -> bool + Sync),
) -> Result<Vec<Move>, String> {
    let mut start = system
        .initial()
        .map_err(|_| "there is no initial state".to_owned())?;
    for step in schedule {
        system
            .step(&mut start, step.thread, step.choice)
            .map_err(|_| "the last step has failed; go back to search from there".to_owned())?;
    }
    let from = From {
        system,
        start: Mutex::new(start),
        goal,
    };
    let limits = Limits {
        time: Some(MOST_TIME),
        ..Limits::NONE
    };
    let mut watcher = Watcher::new(&limits, When::Never);
    let config = Config {
        stop: watcher.stop_flag(),
        order: Order::BreadthFirst,
        properties: Properties {
            faults: false,
            deadlock: false,
            partial_deadlock: false,
            invariants: true,
            temporal: false,
            ends: false,
        },
        limits: Limits {
            states: Some(MOST_STATES),
            memory: Some(1 << 31),
            ..Limits::NONE
        },
        ..Config::default()
    };
    let outcome = raddle_search::check(&Erased(&from), &config, &mut watcher);
    match outcome.verdict {
        Verdict::Violated(violation) => Ok(violation.schedule),
        Verdict::Holds => Err(format!(
            "it holds in none of the {} states that can be reached from here",
            outcome.statistics.states
        )),
        Verdict::Unknown(reasons) => {
            let reasons = reasons.iter().map(|it| text::reason(it, &config.limits));
            let reasons: Vec<String> = reasons.collect();
            Err(format!(
                "not found among {} states: {}",
                outcome.statistics.states,
                reasons.join("; ")
            ))
        }
    }
}

/// A system that begins in another state, and in which a state that is looked for is wrong.
struct From<'a, S: System> {
    system: &'a S,
    /// States need not be shared by threads, but a system is.
    start: Mutex<S::State>,
    goal: &'a (dyn Fn(&S::State) -> bool + Sync),
}

impl<S: System> Layer for From<'_, S> {
    type Below = S;

    fn below(&self) -> &S {
        self.system
    }

    fn initial(&self) -> Result<S::State, Halt> {
        let start = self.start.lock();
        let start = start.map_err(|_| Halt::GaveUp("the first state is lost".to_owned()))?;
        Ok(start.clone())
    }

    fn check_invariants(&self, state: &S::State) -> Result<(), Fault> {
        match (self.goal)(state) {
            true => Err(Fault {
                kind: FaultKind::Invariant,
                message: "found".to_owned(),
                place: None,
            }),
            false => Ok(()),
        }
    }

    fn invariant_future(&self) -> Option<Future> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_understood() {
        let parsed = Shown::parse("A.x = 1 && main @ 7 && \"a = b\" && y != null");
        let expected = vec![
            Condition::Is("A.x".to_owned(), "1".to_owned()),
            Condition::At("main".to_owned(), 7),
            Condition::Has("a = b".to_owned()),
            Condition::IsNot("y".to_owned(), "null".to_owned()),
        ];
        assert_eq!(parsed, Ok(Shown(expected)));
        assert!(Shown::parse("nonsense").is_err());
        assert!(Shown::parse("main @ here").is_err());
    }
}
