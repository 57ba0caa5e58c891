//! What is said of a search that did not end when it had to.

use super::exit_code;
use crate::console;
use crate::watchdog::Unfinished;
use raddle_model::{Reason, Statistics, Step, Trace, Violation};
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
    /// `all` if each different violation was looked for.
    pub(super) fn new(known: Unfinished, all: bool) -> Rest {
        let is_over = !known.violations.is_empty();
        let so_far = known.found.iter().map(|(outline, violation)| Trace {
            steps: sketch(violation).steps,
            ..outline.clone()
        });
        let traces: Vec<Trace> = match is_over {
            true => known.violations.iter().map(sketch).collect(),
            false => so_far.collect(),
        };
        let mut remarks = Vec::new();
        if !is_over {
            remarks.push("the search did not react, and was ended".to_owned());
        }
        if !traces.is_empty() {
            let told = "what the steps do is not shown: there was no time to replay them";
            remarks.push(told.to_owned());
        }
        // One violation is enough, unless all are wanted.
        let is_answered = is_over || !all && !traces.is_empty();
        Rest {
            traces,
            reasons: match is_answered {
                true => Vec::new(),
                false => vec![known.cause],
            },
            remarks,
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
            reach: None,
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
    let blocked = property.stuck();
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
    use raddle_model::{Limits, Move, Properties, Property, Thread};
    use raddle_report::json::outcome_json;
    use raddle_report::text::{Look, report};
    use raddle_search::Progress;
    use std::time::Duration;

    fn known() -> Unfinished {
        Unfinished {
            cause: Reason::Time,
            elapsed: Duration::from_secs(3),
            progress: Progress {
                states: 17,
                ..Progress::default()
            },
            found: Vec::new(),
            violations: Vec::new(),
        }
    }

    fn deadlock(threads: u32) -> Violation {
        let step = |thread| Move {
            thread: Thread(thread),
            choice: 0,
        };
        Violation {
            property: Property::Deadlock((0..threads).map(Thread).collect()),
            schedule: vec![step(0), step(1)],
        }
    }

    const LOOK: Look = Look {
        width: 100,
        color: false,
        abridge: None,
        unfold: false,
    };

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
            temporal: Vec::new(),
            count_stutters: false,
        }
    }

    #[test]
    fn what_was_found_is_not_lost() {
        let known = Unfinished {
            violations: vec![deadlock(3)],
            ..known()
        };
        let rest = Rest::new(known, true);
        let told = rest.report(&[], &options());
        assert_eq!(told.answer(), Answer::Violated);
        assert_eq!(told.reasons, []);
        let text = report(&told, LOOK);
        assert!(text.starts_with("violated: deadlock"), "{text}");
        assert!(text.contains("no time to replay"), "{text}");
        let json = outcome_json(&told);
        assert_eq!(json["trace"]["steps"].as_array().map(Vec::len), Some(2));
    }

    #[test]
    fn what_was_found_so_far_is_not_lost() {
        let outline = Trace {
            threads: vec!["left".to_owned(), "right".to_owned()],
            steps: Vec::new(),
            ..sketch(&deadlock(2))
        };
        for (all, reasons) in [(false, &[][..]), (true, &[Reason::Time])] {
            let known = Unfinished {
                found: vec![(outline.clone(), deadlock(2))],
                ..known()
            };
            let rest = Rest::new(known, all);
            let told = rest.report(&[], &options());
            assert_eq!(told.answer(), Answer::Violated);
            assert_eq!(told.reasons, reasons);
            let text = report(&told, LOOK);
            let verdict = "violated: deadlock: left and right wait for ever";
            assert!(text.starts_with(verdict), "{text}");
            assert!(text.contains("the search did not react"), "{text}");
            let json = outcome_json(&told);
            assert_eq!(json["trace"]["steps"].as_array().map(Vec::len), Some(2));
        }
    }

    #[test]
    fn without_a_violation_nothing_is_known() {
        let rest = Rest::new(known(), false);
        let told = rest.report(&[], &options());
        assert_eq!(told.answer(), Answer::Unknown);
        assert_eq!(told.statistics.map(|it| it.states), Some(17));
    }
}
