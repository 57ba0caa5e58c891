//! Coverability, forward.
//!
//! Two searches take turns (see [`search`]). The *exact* one grows the tree of Karp and
//! Miller, "Parallel program schemata" (1969), directed to the targets; the markings below
//! its bounds are those that are below reachable ones, so what it covers can be covered. The
//! *coarse* one widens numbers above a precision that each place has, and if it closes
//! without covering a target, its bounds are an inductive invariant; if it covers one, then
//! either a run can be made of that, or some place needs a larger precision and it begins
//! again. That is the idea of Geeraerts, Raskin and Van Begin, "Expand, enlarge and check"
//! (2006), with a precision for each place that grows only where a wrong alarm demands it.
//!
//! What is guaranteed: an *unsafe* answer comes with a run that was replayed; a *safe* one
//! with bounds that certify it. For nets without transfers the exact search always
//! ends, given time and memory.

mod actions;
mod bounds;
mod concretise;
mod explicit;
mod relaxation;
mod search;
mod sparse;

use crate::certificate::{Answer, Certificate, check_run};
use crate::monitor::{Monitor, Progress};
use crate::net::{Net, Place};
use actions::Actions;
use concretise::{NoRun, run_to};
pub use explicit::explicit;
pub(crate) use explicit::{Scope, SearchEnd, search};
use search::{Search, Stage};

/// How many firings a search makes before it is the other's turn.
const TURN: usize = 2000;

/// Decides whether a net is safe, by searching forward.
pub fn forward(net: &Net, monitor: &dyn Monitor) -> Answer {
    if let Some(defect) = net.defect() {
        return Answer::Unknown(defect.to_string());
    }
    let actions = Actions::new(net);
    let mut exact = Some(Search::new(&actions, net, None));
    let roughly = vec![0; net.places.len()];
    let mut coarse = Some(Search::new(&actions, net, Some(roughly)));
    loop {
        for turn in [&mut exact, &mut coarse] {
            let mut left = TURN;
            while let Some(search) = turn.as_mut().filter(|_| left > 0) {
                match search.advance(&mut left) {
                    Stage::Open => {}
                    Stage::Closed => return safe(search),
                    Stage::Covered(node, target) => match unsafe_run(net, search, node, target) {
                        Ok(answer) => return answer,
                        Err(NoRun::Coarse(places)) => {
                            // Beginning again is not for free.
                            left = left.saturating_sub(actions.actions.len());
                            let precision = search.refined(&places);
                            *turn = precision
                                .map(|precision| Search::new(&actions, net, Some(precision)));
                        }
                        Err(NoRun::Large) => *turn = None,
                    },
                }
            }
        }
        let searches = || exact.iter().chain(&coarse);
        let progress = Progress {
            procedure: "forward",
            elements: searches().map(Search::elements).sum(),
            bytes: searches().map(Search::bytes).sum(),
        };
        if !monitor.go_on(progress) {
            return Answer::Unknown("the forward search was stopped".to_owned());
        }
        if searches().next().is_none() {
            return Answer::Unknown("the numbers get too large".to_owned());
        }
    }
}

/// A closed search has nothing but a proof left.
fn safe(search: &Search<'_>) -> Answer {
    let bounds = search.bounds.all_largest();
    let whole = |bound: &[(Place, u32)]| {
        let mut whole = vec![0; search.actions.places()];
        for &(place, tokens) in bound {
            whole[place.index()] = tokens;
        }
        whole
    };
    Answer::Safe(Certificate::Forward(bounds.map(whole).collect()))
}

/// The answer that a target is covered, if a run shows it.
fn unsafe_run(net: &Net, search: &Search<'_>, node: u32, target: usize) -> Result<Answer, NoRun> {
    let run = run_to(net, search, node, &net.targets[target])?;
    match check_run(net, &run) {
        Ok(_) => Ok(Answer::Unsafe(run)),
        Err(_) => Err(NoRun::Large),
    }
}
