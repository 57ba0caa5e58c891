//! Backward search: the markings from which a target can be covered, by their minimal
//! elements.
//!
//! The set of markings above the targets is upward closed, and so is the set of those from
//! which it is reached in so many steps; upward-closed sets have finitely many minimal
//! elements and cannot grow for ever, so the search ends (Abdulla, Cerans, Jonsson and Tsay
//! 1996). Elements that no reachable marking is above are left out. The reasons for that are
//! part of the certificate: places that never get a token, and weighted sums that never grow,
//! which the state inequation yields one after the other for elements that it excludes.

use crate::antichain::Antichain;
use crate::certificate::{Answer, Certificate, Run, check_run};
use crate::invariants::{Invariants, Judgement};
use crate::monitor::{Monitor, Progress};
use crate::net::{Demand, Firing, Net, Place, covers};
use crate::predecessors::{Backwards, Limit};
use crate::replay::follow;
use crate::signs::Signs;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Whether a net can cover a target, found out backwards.
pub fn backward(net: &Net, monitor: &dyn Monitor) -> Answer {
    let mut search = Search::new(net);
    match search.run(monitor) {
        Ok(()) => Answer::Safe(search.certificate()),
        Err(End::Covered(element)) => match search.replay(element) {
            Ok(run) => Answer::Unsafe(run),
            Err(problem) => Answer::Unknown(format!(
                "BUG: backward search made a run that is none: {problem}"
            )),
        },
        Err(End::Stopped) => Answer::Unknown("the search was stopped".to_owned()),
        Err(End::Limit(Limit::Tokens)) => {
            Answer::Unknown("numbers of tokens get too large".to_owned())
        }
        Err(End::Limit(Limit::Splits)) => {
            Answer::Unknown("a transfer has too many ways to collect tokens".to_owned())
        }
    }
}

/// How a search ends early.
enum End {
    /// An initial marking is above this element.
    Covered(u32),
    Stopped,
    Limit(Limit),
}

impl From<Limit> for End {
    fn from(limit: Limit) -> End {
        End::Limit(limit)
    }
}

/// The monitor is asked after so many elements were expanded, or found.
const PATIENCE: usize = 256;

/// What has become of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing yet.
    Waiting,
    /// Its predecessors were considered.
    Expanded,
    /// It is not needed: above another, or excluded.
    Dropped,
}

/// In the beginning, so many elements are expanded because they seem near.
const GUIDED: u32 = 1000;

struct Search<'a> {
    net: &'a Net,
    signs: Signs,
    invariants: Invariants,
    antichain: Antichain,
    /// For each element, the one that it leads to, and how.
    origins: Vec<Option<(u32, Firing)>>,
    states: Vec<State>,
    /// Elements to expand, the smallest first.
    queue: BinaryHeap<Reverse<(u64, u32)>>,
    /// Those of them that have been judged, the one that seems nearest first, of these the
    /// newest.
    guided: BinaryHeap<(Reverse<u64>, u32)>,
    /// How many elements stood on shelves after they were last cleaned up.
    cleaned: usize,
}

impl<'a> Search<'a> {
    fn new(net: &'a Net) -> Search<'a> {
        let signs = Signs::of(net);
        Search {
            net,
            invariants: Invariants::new(net, &signs),
            antichain: Antichain::new(net.places.len()),
            signs,
            origins: Vec::new(),
            states: Vec::new(),
            queue: BinaryHeap::new(),
            guided: BinaryHeap::new(),
            cleaned: 0,
        }
    }

    fn run(&mut self, monitor: &dyn Monitor) -> Result<(), End> {
        for target in &self.net.targets {
            self.consider(target, None, monitor)?;
        }
        let backwards = Backwards::new(self.net, &self.signs.fires);
        let mut seen = vec![0u32; self.net.transitions.len()];
        let mut element: Demand = Vec::new();
        let mut scratch: Demand = Vec::new();
        let mut asked = 0;
        for round in 1.. {
            let Some(next) = self.next(round) else {
                break;
            };
            let done = self.antichain.len() + round as usize;
            if done >= asked + PATIENCE {
                asked = done;
                if !monitor.go_on(self.progress()) {
                    return Err(End::Stopped);
                }
            }
            element.clear();
            element.extend_from_slice(self.antichain.get(next));
            if self.antichain.is_above_another(next) || self.invariants.exclude(&element) {
                self.states[next as usize] = State::Dropped;
                continue;
            }
            self.states[next as usize] = State::Expanded;
            for &(place, _) in &element {
                for &transition in backwards.bringing(place) {
                    if std::mem::replace(&mut seen[transition as usize], round) == round {
                        continue;
                    }
                    backwards.each(transition, &element, &mut scratch, |before, wake| {
                        let firing = Firing {
                            transition: transition as usize,
                            wake: wake.map(|pair| pair as usize),
                        };
                        self.consider(before, Some((next, firing)), monitor)
                    })?;
                }
            }
            self.invariants.earn(self.antichain.work);
            self.clean_up();
        }
        Ok(())
    }

    /// The element to expand next: in turns, one that seems near to the initial markings, and
    /// a small one.
    fn next(&mut self, round: u32) -> Option<u32> {
        loop {
            let guided = match round < GUIDED || round.is_multiple_of(2) {
                true => self.guided.pop().map(|(_, element)| element),
                false => None,
            };
            let next = guided.or_else(|| self.queue.pop().map(|Reverse((_, element))| element))?;
            if self.states[next as usize] == State::Waiting {
                return Some(next);
            }
        }
    }

    /// Takes in a new element, if it is one.
    fn consider(
        &mut self,
        demand: &[(Place, u32)],
        origin: Option<(u32, Firing)>,
        monitor: &dyn Monitor,
    ) -> Result<(), End> {
        let is_dead = |&(place, _): &(Place, u32)| !self.signs.marked[place.index()];
        if demand.iter().any(is_dead)
            || self.invariants.exclude(demand)
            || self.antichain.has_below(demand)
        {
            return Ok(());
        }
        let judgement = match (origin, self.invariants.can_judge()) {
            (None, _) => self.judge_target(demand, monitor)?,
            (Some(_), true) => self.invariants.judge(demand),
            (Some(_), false) => Judgement::None,
        };
        if let Judgement::Excluded = judgement {
            return Ok(());
        }
        let element = self.antichain.push(demand);
        self.origins.push(origin);
        self.states.push(State::Waiting);
        if covers(&self.net.most, &demand.to_vec()) {
            return Err(End::Covered(element));
        }
        if let Judgement::Distance(firings) = judgement {
            self.guided.push((Reverse(firings), element));
        }
        self.antichain.insert(element);
        self.queue.push(Reverse((size(demand), element)));
        Ok(())
    }

    /// Judges a target. It takes its time: if all targets are excluded, there is nothing left
    /// to do.
    fn judge_target(
        &mut self,
        target: &[(Place, u32)],
        monitor: &dyn Monitor,
    ) -> Result<Judgement, End> {
        loop {
            match self.invariants.judge(target) {
                Judgement::Unfinished if self.invariants.borrow() => {
                    if !monitor.go_on(self.progress()) {
                        return Err(End::Stopped);
                    }
                }
                judgement => return Ok(judgement),
            }
        }
    }

    /// Now and then, takes what is not minimal any more off the shelves.
    fn clean_up(&mut self) {
        if self.antichain.len() < 2 * self.cleaned + 1024 {
            return;
        }
        self.minimal();
        self.cleaned = self.antichain.len();
    }

    /// The minimal elements.
    fn minimal(&mut self) -> Vec<u32> {
        let mut elements: Vec<u32> = (0..self.antichain.len() as u32).collect();
        elements.sort_by_cached_key(|&element| size(self.antichain.get(element)));
        self.antichain.rebuild(elements.into_iter())
    }

    fn certificate(mut self) -> Certificate {
        let minimal = self.minimal();
        let expanded = minimal
            .into_iter()
            .filter(|&element| self.states[element as usize] == State::Expanded);
        let basis = expanded.map(|element| self.antichain.get(element).to_vec());
        let basis = basis
            .filter(|element| !self.invariants.exclude(element))
            .collect();
        Certificate::Backward {
            linear: self.invariants.into_linear(),
            empty: self.signs.empty(),
            basis,
        }
    }

    /// The run from an initial marking above an element.
    fn replay(&self, element: u32) -> Result<Run, String> {
        let mut initial = self.net.least.clone();
        for &(place, least) in self.antichain.get(element) {
            let tokens = &mut initial[place.index()];
            *tokens = least.max(*tokens);
        }
        let origin = |element: u32| self.origins[element as usize];
        let steps = std::iter::successors(origin(element), |&(next, _)| origin(next));
        let run = follow(self.net, initial, steps.map(|(_, firing)| firing).collect());
        check_run(self.net, &run).map(|_| run)
    }

    fn progress(&self) -> Progress {
        let others = self.origins.capacity() * size_of::<Option<(u32, Firing)>>()
            + self.queue.capacity() * 16;
        Progress {
            procedure: "backward",
            elements: self.antichain.len() as u64,
            bytes: (self.antichain.bytes() + others) as u64,
        }
    }
}

/// How many tokens are demanded.
fn size(demand: &[(Place, u32)]) -> u64 {
    demand.iter().map(|&(_, least)| u64::from(least)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::check_safe;
    use crate::formats::spec;
    use crate::monitor::Unwatched;

    fn read(text: &str) -> Net {
        spec::parse(text).expect("it is well-formed").net
    }

    /// `x` needs `f` and `g` together, but `f` is emptied when `g` gets a token. No sum shows
    /// that.
    const FLAGS: &str = "vars f g x rules \
        f >= 1, g >= 1 -> x' = x + 1; true -> f' = 0, g' = g + 1; \
        init f = 1, g = 0, x = 0 target ";

    #[test]
    fn a_basis_is_certified() {
        let net = read(&format!("{FLAGS} x >= 1"));
        let Answer::Safe(certificate) = backward(&net, &Unwatched) else {
            panic!("it is safe");
        };
        assert_eq!(check_safe(&net, &certificate), Ok(()));
        let Certificate::Backward { linear, basis, .. } = certificate else {
            panic!("it goes backward");
        };
        assert_eq!(linear, []);
        let (f, g, x) = (Place(0), Place(1), Place(2));
        assert_eq!(basis, [vec![(x, 1)], vec![(f, 1), (g, 1)]]);
    }

    #[test]
    fn a_run_is_replayed() {
        let net = read(&format!("{FLAGS} g >= 3"));
        let Answer::Unsafe(run) = backward(&net, &Unwatched) else {
            panic!("it is unsafe");
        };
        assert_eq!(run.initial, [1, 0, 0]);
        assert!(run.firings.iter().all(|firing| firing.transition == 1));
        assert_eq!(run.firings.len(), 3);
    }

    #[test]
    fn whoever_is_stopped_does_not_know() {
        struct Never;
        impl Monitor for Never {
            fn go_on(&self, progress: Progress) -> bool {
                assert_eq!(progress.procedure, "backward");
                false
            }
        }
        // The tokens of c come from a or b, in a thousand ways; and x is not reached, because
        // f is empty when g is not, which no sum shows.
        let net = read(
            "vars a b c f g x rules true -> c' = a + b, a' = 0, b' = 0; \
             true -> a' = a + 1; true -> b' = b + 1; \
             f >= 1, g >= 1 -> x' = x + 1; true -> f' = 0, g' = g + 1; \
             init a = 0, b = 0, c = 0, f = 1, g = 0, x = 0 target c >= 1000, x >= 1",
        );
        let answer = backward(&net, &Never);
        assert_eq!(answer, Answer::Unknown("the search was stopped".to_owned()));
    }
}
