//! The loop around every search that assumes something and checks it on the way.
//!
//! **From**: paper 000, section 8; paper 004, section 6. When an assumption turns out to be wrong, it
//! is given up and the search begins again, until one comes to its end without finding any. What is
//! assumed only ever shrinks, so that this ends.

use raddle_model::Reason;
use raddle_search::Survey;

/// What a search assumes, and finds out.
pub trait Assumptions {
    /// Gives up what the last search has shown to be wrong. False if there was nothing.
    fn learn(&mut self) -> bool;

    /// Whether a search had to end as a whole, so that there is no use in another one.
    fn is_final(&self, reason: &Reason) -> bool {
        ends_search(reason)
    }

    /// Whether what a search has found is an answer, although it assumed what is wrong.
    fn is_answered(&self, survey: &Survey) -> bool;
}

/// Explores until what is assumed is so, or something else ends it. True if it is so in the end.
pub fn until_stable<A: Assumptions>(
    assumed: &mut A,
    explore: &mut dyn FnMut(&A) -> Survey,
) -> (Survey, bool) {
    loop {
        let survey = explore(assumed);
        if !assumed.learn() {
            return (survey, true);
        }
        let is_over = survey.reasons.iter().any(|it| assumed.is_final(it));
        if is_over || assumed.is_answered(&survey) {
            return (survey, false);
        }
    }
}

/// Whether a reason ends a whole search, and not only one of its branches.
pub fn ends_search(reason: &Reason) -> bool {
    match reason {
        Reason::Time | Reason::Memory | Reason::States | Reason::Interrupted => true,
        Reason::Depth | Reason::Bitstate | Reason::Partial(_) | Reason::GaveUp(_) => false,
    }
}
