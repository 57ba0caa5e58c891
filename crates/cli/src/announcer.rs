//! The verdict, printed before the trace is made readable.

use crate::console;
use raddle_model::{Reason, Statistics, Trace};
use raddle_report::text::{self, Look};
use raddle_report::{Options, Report, Source};

/// Prints the verdict of a search as soon as it is known.
pub(crate) struct Announcer {
    /// What comes before the verdict, such as the name of a test.
    pub(crate) title: String,
    pub(crate) sources: Vec<Source>,
    pub(crate) options: Options,
    pub(crate) look: Look,
    /// What was printed.
    pub(crate) announced: String,
}

impl Announcer {
    /// Prints what is violated, and flushes it.
    pub(crate) fn announce(
        &mut self,
        outlines: &[Trace],
        reasons: &[Reason],
        statistics: Option<Statistics>,
    ) {
        let report = Report {
            sources: &self.sources,
            traces: outlines,
            reasons,
            races: &[],
            not_covered: &[],
            reach: None,
            remarks: &[],
            statistics,
            coverage: None,
            options: self.options.clone(),
        };
        let verdict = format!("{}{}", self.title, text::verdict(&report, self.look));
        // If this fails, so does printing the rest, and then it is reported.
        if console::answer(&verdict).is_ok() {
            self.announced = verdict;
        }
    }

    /// What is still to be printed of a text. A better trace may come with another message, as
    /// those of assertions have values in them: then the verdict is printed again.
    pub(crate) fn rest(self, text: &str) -> String {
        let all = format!("{}{text}", self.title);
        match all.strip_prefix(&self.announced) {
            Some(rest) => rest.to_owned(),
            None => text.to_owned(),
        }
    }
}
