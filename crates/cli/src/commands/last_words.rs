//! What is said of a search that did not end when it had to.

use super::exit_code;
use crate::console;
use crate::watchdog::Known;
use raddle_model::{Property, Reason, Statistics, Step, Thread, Trace, Violation};
use raddle_report::{Answer, Options, Report, Source};

/// A verdict from what is known of a search: *violated*, if it had found something, with the
/// schedule that led there, or else *unknown*.
pub(super) struct Rest {
    traces: Vec<Trace>,
    reasons: Vec<Reason>,
    remarks: Vec<String>,
    statistics: Statistics,
}

impl Rest {
    pub(super) fn new(known: Known) -> Rest {
        let (traces, reasons, remark) = match known.violations.is_empty() {
            true => {
                let told = "the search did not react, and was ended";
                (Vec::new(), vec![known.cause], told)
            }
            false => {
                let told = "what the steps do is not shown: there was no time to replay them";
                let traces = known.violations.iter().map(sketch).collect();
                (traces, Vec::new(), told)
            }
        };
        Rest {
            traces,
            reasons,
            remarks: vec![remark.to_owned()],
            statistics: Statistics {
                states: known.progress.states,
                transitions: known.progress.transitions,
                depth: known.progress.depth,
                peak_bytes: known.progress.bytes,
                elapsed: known.elapsed,
                ..Statistics::default()
            },
        }
    }

    pub(super) fn report<'a>(&'a self, sources: &'a [Source], options: &Options) -> Report<'a> {
        Report {
            sources,
            traces: &self.traces,
            reasons: &self.reasons,
            races: &[],
            not_covered: &[],
            remarks: &self.remarks,
            statistics: Some(self.statistics),
            coverage: None,
            options: options.clone(),
        }
    }
}

/// Prints a report; returns the exit code.
pub(super) fn print(text: &str, answer: Answer) -> u8 {
    // Nobody is left to hear that it cannot be printed.
    let _ = console::answer(text);
    exit_code(answer)
}

/// A schedule without what its steps do.
fn sketch(violation: &Violation) -> Trace {
    let Violation { property, schedule } = violation;
    let blocked: &[Thread] = match property {
        Property::Deadlock(threads) | Property::PartialDeadlock(threads) => threads,
        Property::Fault(_) => &[],
    };
    let movers = schedule.iter().map(|step| step.thread);
    let last = movers.chain(blocked.iter().copied()).max();
    let threads = last.map_or(0, |last| last.index() + 1);
    let steps = schedule.iter().map(|&step| Step {
        step,
        place: None,
        events: Vec::new(),
        changes: None,
    });
    Trace {
        property: property.clone(),
        threads: (0..threads).map(|it| format!("thread {it}")).collect(),
        prelude: Vec::new(),
        initial: Vec::new(),
        steps: steps.collect(),
        next: vec![None; threads],
        waiting: Vec::new(),
        race: None,
        values: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_model::{Limits, Move, Properties};
    use raddle_report::json::outcome_json;
    use raddle_report::text::{Look, report};
    use raddle_search::Progress;
    use std::time::Duration;

    fn rest(violations: Vec<Violation>) -> Rest {
        Rest::new(Known {
            cause: Reason::Time,
            elapsed: Duration::from_secs(3),
            progress: Progress {
                states: 17,
                ..Progress::default()
            },
            violations,
        })
    }

    fn options() -> Options {
        Options {
            reduction: "none",
            order: "depth-first",
            store: "exact",
            properties: Properties::ALL,
            races: false,
            defines: Vec::new(),
            unreachable: Vec::new(),
            unsafe_sets: Vec::new(),
            limits: Limits::NONE,
            threads: None,
            count_stutters: false,
        }
    }

    #[test]
    fn what_was_found_is_not_lost() {
        let step = |thread| Move {
            thread: Thread(thread),
            choice: 0,
        };
        let violation = Violation {
            property: Property::Deadlock(vec![Thread(0), Thread(2)]),
            schedule: vec![step(0), step(1)],
        };
        let rest = rest(vec![violation]);
        let told = rest.report(&[], &options());
        assert_eq!(told.answer(), Answer::Violated);
        let look = Look {
            width: 100,
            color: false,
            abridge: None,
            unfold: false,
        };
        let text = report(&told, look);
        assert!(text.starts_with("violated: deadlock"), "{text}");
        assert!(text.contains("no time to replay"), "{text}");
        let json = outcome_json(&told);
        assert_eq!(json["trace"]["steps"].as_array().map(Vec::len), Some(2));
    }

    #[test]
    fn without_a_violation_nothing_is_known() {
        let rest = rest(Vec::new());
        let told = rest.report(&[], &options());
        assert_eq!(told.answer(), Answer::Unknown);
        assert_eq!(told.statistics.map(|it| it.states), Some(17));
    }
}
