//! Optimistic reduction: assume that variables are protected, and find out.
//!
//! **From**: paper 000 (Stoller and Cohen), theorem of section 4, sections 5 to 9; with the
//! searches of paper 002 (Theorems 3', 5' and 6') it is the lock discipline MLD' assumed
//! and checked. Context switches happen before visible steps only: the program is explored
//! as the system of `composed.rs`, whose steps swallow the invisible ones after them.
//! What is invisible rests on assumptions (`discipline.rs`), and whether they are true is
//! checked in that smaller system.
//!
//! **The loop** (section 8) is that of `rounds.rs`. Every violation found on the way is a real one,
//! because every execution is.
//!
//! **Guarantees**: if the discipline is violated in the program, it is violated in the
//! composed system. If it is not, every execution is, up to the order of independent
//! steps, the beginning of one that is explored: faults and deadlocks are found, and
//! threads that are stuck, for they stay stuck. Invariants can be false in skipped states
//! only: they are not preserved.
//!
//! **Departures**: (a) Which steps are invisible depends on what the other threads may still
//! do, hence on the state. The theorem of section 4 has fixed sets; the argument here is
//! that of persistent sets: whatever the others do before it, an invisible step stays
//! possible, does the same, and can be moved to the front. (b) Condition (ii-b) lets a step that takes
//! away a permission be invisible if no two threads can ever have it together. Only where
//! the form of the claims shows this (one monitor, held) is it relied on; otherwise such a step is
//! visible. With [`Reading::Literal`] the program's word is taken for it, as in section
//! 10 of the paper; its word can be checked by a search without that.

use crate::Method;
use crate::composed::{Composed, Footprints};
use crate::discipline::{AssumedDiscipline, Breach};
use crate::rounds::{Assumptions, until_stable};
use raddle_model::{
    FaultKind, Future, Halt, Move, Narrate, Property, Reason, Status, System, Thread, Violation,
};
use raddle_search::Survey;
use std::sync::atomic::{AtomicU64, Ordering};

/// What happens when an assumption about a variable is wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// It is given up, and the search begins again.
    #[default]
    Auto,
    /// It is reported, and the search ends.
    Strict,
}

impl Strictness {
    /// All values.
    pub const ALL: [Strictness; 2] = [Strictness::Auto, Strictness::Strict];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Strictness::Auto => "auto",
            Strictness::Strict => "strict",
        }
    }
}

/// How the paper is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// Nothing is relied on that is not checked.
    #[default]
    Careful,
    /// As it is printed: the program's word is taken for it that no two threads ever have
    /// access to the same variable, and whether a step is invisible is fixed once and for all.
    Literal,
}

/// The claims of a program as something that can be violated.
#[derive(Debug)]
pub struct StrictClaims {
    discipline: AssumedDiscipline,
    /// Nothing is saved, but somebody counts.
    saved: AtomicU64,
}

impl Default for StrictClaims {
    fn default() -> StrictClaims {
        StrictClaims {
            discipline: AssumedDiscipline::of_claims(),
            saved: AtomicU64::new(0),
        }
    }
}

impl StrictClaims {
    /// The same system, with a fault in each step that breaks a claim.
    pub fn guard<'a, S: Narrate>(&'a self, system: &'a S) -> impl Narrate<State = S::State> + 'a {
        Composed::new(
            system,
            &self.discipline,
            Footprints::First,
            None,
            &self.saved,
        )
    }
}

/// What is assumed of a program.
struct Assumed {
    discipline: AssumedDiscipline,
    /// What the last search has shown to be wrong.
    wrong: Vec<Breach>,
    strictness: Strictness,
    stop_at_first: bool,
}

impl Assumptions for Assumed {
    fn learn(&mut self) -> bool {
        self.wrong = self.discipline.learn();
        !self.wrong.is_empty()
    }

    fn is_answered(&self, survey: &Survey) -> bool {
        let is_answer = self.stop_at_first && !survey.violations.is_empty();
        is_answer || self.strictness == Strictness::Strict
    }
}

/// Explores the composed system with some search until the assumptions are stable.
pub(crate) fn search<S: Narrate>(
    system: &S,
    footprints: Footprints,
    watched: Option<&Future>,
    saved: &AtomicU64,
    method: Method,
    stop_at_first: bool,
    explore: &mut dyn FnMut(&Composed<'_, S>) -> Survey,
) -> Survey {
    let strictness = method.strictness;
    let mut assumed = Assumed {
        discipline: match method.reading {
            Reading::Careful => AssumedDiscipline::default(),
            Reading::Literal => AssumedDiscipline::literal(system),
        },
        wrong: Vec::new(),
        strictness,
        stop_at_first,
    };
    let (mut remarks, mut told) = (Vec::new(), None);
    let (mut survey, is_stable) = until_stable(&mut assumed, &mut |assumed| {
        // What was put together because of a wrong assumption says nothing of what follows.
        saved.store(0, Ordering::Relaxed);
        let composed = Composed::new(system, &assumed.discipline, footprints, watched, saved);
        let mut survey = explore(&composed);
        for violation in &mut survey.violations {
            violation.schedule = composed.expand(&violation.schedule);
        }
        let (breaches, found): (Vec<_>, Vec<_>) =
            survey.violations.into_iter().partition(is_breach);
        survey.violations = found;
        told = breaches.first().map(tell);
        remarks.extend(told.clone());
        if strictness == Strictness::Strict {
            let broken = breaches.into_iter();
            let claims = broken.filter_map(|it| up_to_breach(system, it));
            survey.violations.extend(claims);
        }
        survey
    });
    // A wrong claim is a violation by now; of a wrong guess nobody is guilty.
    let is_guess = |it: &Breach| matches!(it, Breach::Guess(_));
    if assumed.wrong.iter().any(is_guess) || !is_stable && survey.violations.is_empty() {
        let told = told.unwrap_or_else(|| "the discipline is violated".to_owned());
        survey.reasons.push(Reason::GaveUp(told));
    }
    if method.tells_guesses {
        survey.remarks.splice(0..0, remarks);
    }
    survey
}

/// The beginning of a schedule in whose last step a claim is broken; `None` if none is.
fn up_to_breach<S: Narrate>(system: &S, violation: Violation) -> Option<Violation> {
    let claims = StrictClaims::default();
    let guarded = claims.guard(system);
    let broken = |fault, steps: usize| {
        Some(Violation {
            property: Property::Fault(fault),
            schedule: violation.schedule[..steps].to_vec(),
        })
    };
    let mut state = match guarded.initial() {
        Ok(state) => state,
        Err(Halt::Fault(fault)) => return broken(fault, 0),
        Err(_) => return None,
    };
    for (index, step) in violation.schedule.iter().enumerate() {
        match guarded.step(&mut state, step.thread, step.choice) {
            Ok(()) => {}
            Err(Halt::Fault(fault)) if fault.kind == FaultKind::Discipline => {
                return broken(fault, index + 1);
            }
            Err(_) => return None,
        }
    }
    // A step that leads nowhere even without the claim is not part of the schedule.
    let mut threads = (0..guarded.threads(&state) as u32).map(Thread);
    threads.find_map(|thread| {
        let step = Move { thread, choice: 0 };
        let is_ready = matches!(guarded.status(&state, thread), Status::Ready { .. });
        let halt = is_ready.then(|| guarded.step(&mut state.clone(), thread, 0).err())??;
        let Halt::Fault(fault) = halt else {
            return None;
        };
        let schedule = violation.schedule.iter().copied().chain([step]).collect();
        (fault.kind == FaultKind::Discipline).then_some(Violation {
            property: Property::Fault(fault),
            schedule,
        })
    })
}

fn is_breach(violation: &Violation) -> bool {
    matches!(&violation.property, Property::Fault(fault) if fault.kind == FaultKind::Discipline)
}

/// A breach in one line.
pub(crate) fn tell(violation: &Violation) -> String {
    let steps = violation.schedule.len();
    match &violation.property {
        Property::Fault(fault) => {
            let place = fault.place.map_or(String::new(), |place| {
                format!(" at {}:{}", place.line, place.column)
            });
            format!(
                "{}{place}, after {} steps",
                fault.message,
                steps.saturating_sub(1)
            )
        }
        other => other.name().to_owned(),
    }
}
