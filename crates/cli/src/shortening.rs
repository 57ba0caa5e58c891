//! How much is done for a better trace: in proportion to the search that found it.

use crate::pipeline::{Finding, Request, is_broken_claim};
use crate::programs::Program;
use crate::progress::Watcher;
use raddle_model::{Erased, Reason, Violation};
use raddle_reduce::StrictClaims;
use raddle_search::{Budget, Monitor, Order, Progress, Shortened};
use std::time::Duration;

/// The violations with schedules that are easier to follow, if that is wanted. When they could
/// be still better, the finding says so.
pub(crate) fn shortened<P: Program>(
    program: &P,
    found: &[Violation],
    request: &Request,
    watcher: &mut Watcher,
    finding: &mut Finding,
) -> Vec<Violation> {
    // Breadth-first search was asked for the fewest steps, and found them.
    if !request.shorten || request.search.order != Order::DepthFirst {
        return found.to_vec();
    }
    let kind = found.first().map_or("", |it| it.property.name());
    watcher.note(&format!("violated: {kind}; shortening the trace"));
    let budget = budget(finding, request, found.len() as u64);
    let mut monitor = Patience::new(watcher);
    let mut shorten = |violation: &Violation| match is_broken_claim(&violation.property) {
        true => {
            let claims = StrictClaims::default();
            let guarded = claims.guard(program);
            raddle_search::shorten(&Erased(&guarded), violation, budget, &mut monitor)
        }
        false => raddle_search::shorten(&Erased(program), violation, budget, &mut monitor),
    };
    let shortened: Vec<Shortened> = found.iter().map(&mut shorten).collect();
    let unsure = |it: &&Shortened| !it.is_shortest && it.violation.schedule.len() > SHORT;
    let unsure = shortened.iter().filter(unsure).count();
    if unsure > 0 {
        finding.remarks.push(remark(unsure, found.len(), request));
    }
    shortened.into_iter().map(|it| it.violation).collect()
}

/// A trace of so many steps is short enough to say nothing about it.
const SHORT: usize = 12;

/// How many steps are executed, and how much memory is used: in proportion to what the search
/// did, and enough for small programs. As it depends on nothing else, the same search has the same
/// trace every time.
fn budget(finding: &Finding, request: &Request, violations: u64) -> Budget {
    const FEWEST_STEPS: u64 = 20_000;
    const MOST_STEPS: u64 = 2_000_000;
    const FEWEST_WORDS: u64 = 1 << 20;
    const MOST_WORDS: u64 = 1 << 26;
    let covered = finding.coverage.as_ref().map(|it| it.elements);
    let searched = finding.statistics.as_ref();
    let steps = searched.map(|it| it.transitions).or(covered).unwrap_or(0);
    let words = searched.map_or(0, |it| it.peak_bytes / size_of::<u32>() as u64);
    let memory = request.search.limits.memory.unwrap_or(u64::MAX);
    Budget {
        steps: (steps * 2 / violations.max(1)).clamp(FEWEST_STEPS, MOST_STEPS),
        words: words.clamp(FEWEST_WORDS, MOST_WORDS).min(memory / 16),
    }
}

/// Ends what is done after a search when it takes too long, and whenever the search would have
/// ended.
pub(crate) struct Patience<'a> {
    watcher: &'a mut Watcher,
    until: Duration,
}

impl<'a> Patience<'a> {
    /// Some seconds after a long search. Where steps are quick, what is to be done is less.
    pub(crate) fn new(watcher: &'a mut Watcher) -> Self {
        let (least, most) = (Duration::from_secs(2), Duration::from_secs(20));
        let elapsed = watcher.elapsed();
        let until = elapsed + (elapsed / 4).clamp(least, most);
        Patience { watcher, until }
    }
}

impl Monitor for Patience<'_> {
    fn tick(&mut self, _: &Progress) -> Option<Reason> {
        match self.watcher.elapsed() >= self.until {
            true => Some(Reason::Time),
            false => self.watcher.wants_end(),
        }
    }
}

/// What is said of traces that may be longer than they have to be.
fn remark(unsure: usize, all: usize, request: &Request) -> String {
    let (which, one) = match (unsure, all) {
        (_, 1) => ("the trace was".to_owned(), "one"),
        (1, all) => (format!("1 of {all} traces was"), "one"),
        (unsure, all) => (format!("{unsure} of {all} traces were"), "some"),
    };
    let hint = match () {
        () if request.part.is_some() => "",
        () if !request.method.reduction.entry().orders => {
            "; --reduction none --search breadth finds one with the fewest steps"
        }
        () => "; --search breadth finds one with the fewest steps",
    };
    format!("{which} not shortened to the end, so that there may be {one} that is shorter{hint}")
}
