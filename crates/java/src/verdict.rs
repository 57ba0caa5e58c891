//! What a search of Java programs has shown: which of its findings are in doubt, and what a verdict
//! *holds* does not cover.

use std::path::Path;
use std::sync::LazyLock;

use raddle_model::{Limits, Properties, Property, Reason, StopFlag, Thread, Violation};
use raddle_reduce::Reduction;
use raddle_search::{Config, Endless, Monitor, Survey, endless, survey_ends};

use crate::check::{Java, Profile, Programs};
use crate::plan::Plan;

/// Why a reduction cannot be used for a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// It is not there for Java.
    Missing,
    /// Whether two steps are independent is not known where a user says what a step is.
    Atomic,
}

impl Unfit {
    /// Why, as the end of a sentence about the reduction.
    pub fn why(&self) -> &'static str {
        match self {
            Unfit::Missing => {
                "needs to know what threads may still do, which is not known of Java programs"
            }
            Unfit::Atomic => &ATOMIC,
        }
    }
}

static ATOMIC: LazyLock<String> = LazyLock::new(|| {
    let is_full = |it| Plan::new(it).is_some_and(|plan| plan.engine() == Reduction::FULL);
    format!(
        "classes that are declared atomic are not for this reduction; choose {}",
        Reduction::listed(is_full)
    )
});

/// The answer that was made up and from which a violation may come.
pub fn doubt(program: &impl Programs, violation: &Violation) -> Option<String> {
    let mut state = program.initial().ok()?;
    for step in &violation.schedule {
        // The last one may be the mistake.
        let _ = program.step(&mut state, step.thread, step.choice);
    }
    program.excuse(&state, violation.property.name())
}

/// What a verdict *holds* does not cover, as far as it concerns these programs, after a search of
/// so many steps.
pub fn not_covered(
    program: &impl Programs,
    steps: u64,
    has_races: bool,
    monitor: &mut dyn Monitor,
) -> Vec<String> {
    let mut open = Vec::new();
    let is_relaxed = program.programs().iter().any(Java::is_relaxed);
    if has_races && !is_relaxed {
        open.push("what data races allow beyond sequential consistency".to_owned());
    }
    let all = program.programs().iter();
    add_new(&mut open, all.flat_map(Java::not_covered));
    open.extend(never_ending(program, steps, monitor));
    open
}

/// From how many steps on a search is not made once more.
const MOST: u64 = 20_000;

/// A sentence about a state from which no execution ends, if there is one, after a search of so many
/// steps that found nothing wrong. No such sentence means nothing: the steps may be longer than those
/// in which it would show.
pub fn no_end<P: Programs>(program: &P, steps: u64, monitor: &mut dyn Monitor) -> Option<String> {
    let doubts = |java: &Java| !java.left_out().is_empty() || !java.doubts().is_empty();
    if steps > MOST || program.programs().iter().any(doubts) {
        return None;
    }
    let config = Config {
        properties: Properties {
            ends: true,
            ..Properties::NONE
        },
        limits: Limits {
            states: Some(MOST),
            ..Limits::NONE
        },
        ..Config::default()
    };
    let survey = survey_ends(program, &config, monitor, true);
    let violation = survey.violations.first()?;
    let Property::NoEnd(found) = &violation.property else {
        return None;
    };
    if !survey.reasons.is_empty() || doubt(program, violation).is_some() {
        return None;
    }
    let mut state = program.initial().ok()?;
    for step in &violation.schedule[..found.repeats_from] {
        program.step(&mut state, step.thread, step.choice).ok()?;
    }
    let who = found.threads.iter().map(|&thread| {
        let place = place(program, &state, thread).unwrap_or_default();
        format!(
            "{} goes on for ever{place}",
            program.thread_name(&state, thread)
        )
    });
    let who: Vec<String> = who.collect();
    let who = who.join(", ");
    Some(match found.lost_from {
        0 => format!("no execution ends: {who} (--must-end makes this a violation)"),
        _ => format!(
            "some executions come to where nothing can end: {who} (--must-end makes this a violation)"
        ),
    })
}

/// Where the next step of a thread begins, as ` at FILE:LINE`.
fn place<P: Programs>(program: &P, state: &P::State, thread: Thread) -> Option<String> {
    let place = program.next_place(state, thread)?;
    let file = program.programs().iter();
    let file = file.filter_map(|java| java.file(place.file)).next()?;
    let name = Path::new(file).file_name()?.to_string_lossy();
    Some(format!(" at {name}:{}", place.line))
}

/// Executions without an end, if there are any or that is not known.
fn never_ending<P: Programs>(program: &P, steps: u64, monitor: &mut dyn Monitor) -> Option<String> {
    let locate = |state: &P::State, thread| {
        let place = place(program, state, thread)?;
        Some(format!(", as by the loop{place}"))
    };
    // The library's own loops are not the program's.
    let describe = |state: &P::State, thread| {
        let is_own = !program.is_queueing(state, thread);
        is_own.then(|| locate(state, thread).unwrap_or_default())
    };
    let found = match steps {
        ..=MOST => endless(program, MOST * 2, monitor, describe),
        _ => Endless::Unknown,
    };
    let place = match found {
        Endless::Never => return None,
        Endless::Found(place) => place,
        Endless::Unknown => String::new(),
    };
    Some(format!("executions that never end{place}"))
}

impl Plan {
    /// How a program is searched with a reduction, if users say something of its classes.
    pub fn with_profile(reduction: Reduction, profile: &Profile) -> Result<Plan, Unfit> {
        let mut plan = Plan::new(reduction).ok_or(Unfit::Missing)?;
        plan.profile = profile.clone();
        match profile.is_empty() || plan.engine() == Reduction::FULL {
            true => Ok(plan),
            false => Err(Unfit::Atomic),
        }
    }

    /// Adds to a survey why it may not be as it seems. What may come from an answer that was made
    /// up is no violation: it is a reason not to know.
    pub fn weigh(&self, program: &impl Programs, survey: &mut Survey, stop: &StopFlag) {
        let doubts = program.programs().iter().flat_map(Java::doubts);
        add_new(&mut survey.reasons, doubts.map(Reason::GaveUp));
        // Of a part of an execution it is not known on what it rests.
        stop.lifted(|| {
            let reasons = &mut survey.reasons;
            survey.violations.retain(|violation| {
                let doubt = doubt(program, violation);
                reasons.extend(doubt.clone().map(Reason::GaveUp));
                doubt.is_none()
            });
        });
        self.weigh_ends(program, survey);
        let is_trusting = program.programs().iter().any(|java| java.trust().is_some());
        if is_trusting && self.engine() != Reduction::FULL {
            survey.reasons.push(Reason::GaveUp(ATOMIC.clone()));
        }
    }

    /// That nothing can end is known only if everything was tried.
    fn weigh_ends(&self, program: &impl Programs, survey: &mut Survey) {
        let left_out = program.programs().iter().flat_map(Java::left_out).next();
        let Some(why) = left_out.or_else(|| survey.reasons.first().map(|_| String::new())) else {
            return;
        };
        let before = survey.violations.len();
        let is_end = |it: &Violation| matches!(it.property, Property::NoEnd(_));
        survey.violations.retain(|it| !is_end(it));
        if survey.violations.len() < before && !why.is_empty() {
            survey.reasons.push(Reason::GaveUp(format!(
                "no execution ends from some state, but not everything was tried: {why}"
            )));
        }
    }

    /// What a verdict rests on, in sentences without a full stop.
    pub fn remarks(&self, program: &impl Programs, is_violated: bool) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.is_automatic() {
            let chosen =
                "auto: `transactions`, because it loses nothing and takes the fewest steps";
            remarks.push(chosen.to_owned());
        }
        let of_program = |java: &Java| match is_violated {
            true => java.trust().into_iter().collect(),
            false => java.remarks(),
        };
        add_new(&mut remarks, program.programs().iter().flat_map(of_program));
        let is_relaxed = program.programs().iter().any(Java::is_relaxed);
        if is_relaxed && self.engine() != Reduction::FULL {
            remarks.push(format!(
                "under the Java memory model all interleavings are searched, without `{}`",
                self.name()
            ));
        }
        let are_all_seen = program.programs().iter().all(Java::sees_all_races);
        if !self.sees_races() && !is_violated && !is_relaxed {
            let (name, rest) = (self.name(), "whether modes weaker than volatile matter");
            remarks.push(match are_all_seen {
                true => format!("all interleavings were searched, without `{name}`, to see {rest}"),
                false => format!(
                    "data races were looked for in the states that were visited; the reduction \
                     `{name}` skips others"
                ),
            });
        }
        remarks
    }

    /// What may help a search that reached a limit.
    pub fn advice(&self, program: &impl Programs) -> Option<&'static str> {
        let is_concurrent = program.programs().iter().any(Java::is_concurrent);
        let is_plain = self.profile.is_empty() && self.engine() == Reduction::FULL;
        (is_plain && is_concurrent).then_some(
            "most interleavings are often those inside java.util.concurrent: --library trusted \
             takes its operations for single steps",
        )
    }
}

/// Adds what is not there yet.
fn add_new<T: PartialEq>(all: &mut Vec<T>, new: impl Iterator<Item = T>) {
    for item in new {
        if !all.contains(&item) {
            all.push(item);
        }
    }
}
