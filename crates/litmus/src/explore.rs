//! All ends of all executions of a litmus test.

use crate::program::{Litmus, Quantifier};
use raddle_model::{Halt, Status, System, Thread};
use std::collections::{BTreeSet, HashSet};
use std::fmt;

/// What came of a test.
#[derive(Clone, Debug)]
pub struct Explored {
    /// The values of what the question is about, in its order: one row for each way in which
    /// executions end.
    pub outcomes: BTreeSet<Vec<i32>>,
    /// The outcomes of which the condition is true.
    pub positive: usize,
    /// How many states were visited.
    pub states: usize,
    /// How many steps were made.
    pub steps: u64,
}

/// For how many outcomes a condition is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "these are herd's words")]
pub enum Observation {
    Always,
    Sometimes,
    Never,
}

/// Whether what the test says is so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// For how many outcomes the condition is true.
    pub observation: Observation,
    /// Whether what is asked for is so.
    pub is_so: bool,
}

impl fmt::Display for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Observation::Always => "Always",
            Observation::Sometimes => "Sometimes",
            Observation::Never => "Never",
        })
    }
}

/// Visits all states, but not more than so many; the error says why not all were visited.
pub fn explore(litmus: &Litmus, most_states: usize) -> Result<Explored, String> {
    let told = |halt| match halt {
        Halt::GaveUp(why) => why,
        other => format!("{other:?}"),
    };
    let initial = litmus.initial().map_err(told)?;
    let mut explored = Explored {
        outcomes: BTreeSet::new(),
        positive: 0,
        states: 1,
        steps: 0,
    };
    let mut scratch = Vec::new();
    let mut seen: HashSet<Vec<u32>> = HashSet::new();
    seen.insert(litmus.encode(&initial, &mut scratch).to_vec());
    let mut open = vec![initial];
    while let Some(state) = open.pop() {
        let mut has_ended = true;
        for index in 0..litmus.threads(&state) {
            let thread = Thread(index as u32);
            let Status::Ready { choices } = litmus.status(&state, thread) else {
                continue;
            };
            has_ended = false;
            for choice in 0..choices {
                let mut next = state.clone();
                litmus.step(&mut next, thread, choice).map_err(told)?;
                explored.steps += 1;
                let words = litmus.encode(&next, &mut scratch);
                if !seen.contains(words) {
                    if seen.len() >= most_states {
                        return Err(format!("there are more than {most_states} states"));
                    }
                    seen.insert(words.to_vec());
                    open.push(next);
                }
            }
        }
        if has_ended {
            let observed = litmus.question.observed.iter();
            let values = observed.map(|it| litmus.value(&state, *it)).collect();
            explored.outcomes.insert(values);
        }
    }
    explored.states = seen.len();
    let outcomes = explored.outcomes.iter();
    explored.positive = outcomes.filter(|it| litmus.is_positive(it)).count();
    Ok(explored)
}

impl Litmus {
    /// Whether the condition is true of an outcome.
    pub fn is_positive(&self, outcome: &[i32]) -> bool {
        let question = &self.question;
        question.condition.holds(&|wanted| {
            let mut observed = question.observed.iter();
            let at = observed.position(|it| *it == wanted);
            at.and_then(|at| outcome.get(at)).copied().unwrap_or(0)
        })
    }

    /// What the outcomes mean for the question.
    pub fn judge(&self, explored: &Explored) -> Judgement {
        let observation = match explored.positive {
            0 => Observation::Never,
            all if all == explored.outcomes.len() => Observation::Always,
            _ => Observation::Sometimes,
        };
        let is_so = match self.question.quantifier {
            Quantifier::Exists => observation != Observation::Never,
            Quantifier::Never => observation == Observation::Never,
            Quantifier::Forall => observation == Observation::Always,
        };
        Judgement { observation, is_so }
    }

    /// The outcomes and the answer, as herd prints them.
    pub fn print(&self, explored: &Explored) -> String {
        use std::fmt::Write;
        let question = &self.question;
        let kind = match question.quantifier {
            Quantifier::Exists => "Allowed",
            Quantifier::Never => "Forbidden",
            Quantifier::Forall => "Required",
        };
        let judgement = self.judge(explored);
        let mut out = format!(
            "Test {} {kind}\nStates {}\n",
            self.name,
            explored.outcomes.len()
        );
        for outcome in &explored.outcomes {
            let values = question.observed.iter().zip(outcome);
            let values = values.map(|(it, value)| format!("{}={value};", self.observed_name(*it)));
            let _ = writeln!(out, "{}", values.collect::<Vec<_>>().join(" "));
        }
        let (positive, negative) = (
            explored.positive,
            explored.outcomes.len() - explored.positive,
        );
        let _ = write!(
            out,
            "{}\nWitnesses\nPositive: {positive} Negative: {negative}\nCondition {} {}\n\
             Observation {} {} {positive} {negative}\n",
            if judgement.is_so { "Ok" } else { "No" },
            question.quantifier,
            question.text,
            self.name,
            judgement.observation,
        );
        out
    }
}
