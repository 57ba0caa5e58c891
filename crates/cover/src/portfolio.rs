//! Several procedures side by side on the part of a net that matters; the first answer counts
//! once it is checked on the whole net.

use crate::backward::backward;
use crate::certificate::{Answer, check_run, check_safe};
use crate::forward::forward;
use crate::monitor::{Monitor, Progress};
use crate::net::Net;
use crate::slice::Slice;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// A way to find out whether a net can cover a target.
#[derive(Clone, Copy, Debug)]
pub struct Procedure {
    /// Its name, which is also the one in its progress.
    pub name: &'static str,
    /// The procedure.
    pub run: fn(&Net, &dyn Monitor) -> Answer,
}

/// All procedures. The first has a head start.
pub const PROCEDURES: &[Procedure] = &[
    Procedure {
        name: "backward",
        run: backward,
    },
    Procedure {
        name: "forward",
        run: forward,
    },
];

/// What is known of a net, and from whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The answer, whose certificate has been checked.
    pub answer: Answer,
    /// The name of the procedure that gave it.
    pub procedure: &'static str,
    /// How many places and transitions of the net matter.
    pub slice: (usize, usize),
    /// How many elements all procedures have stored together.
    pub elements: u64,
}

/// Asks all procedures about a net.
pub fn decide(net: &Net, monitor: &dyn Monitor) -> Verdict {
    decide_by(PROCEDURES, net, monitor)
}

/// Asks some procedures about a net. Many nets are easy: the others wait until the first has
/// used up its head start, and often never begin.
pub fn decide_by(procedures: &[Procedure], net: &Net, monitor: &dyn Monitor) -> Verdict {
    let unknown = |reason: &str| Verdict {
        answer: Answer::Unknown(reason.to_owned()),
        procedure: "nobody",
        slice: (0, 0),
        elements: 0,
    };
    if let Some(defect) = net.defect() {
        return unknown(&defect.to_string());
    }
    let Some((first, others)) = procedures.split_first() else {
        return unknown("no procedure was asked");
    };
    let slice = Slice::of(net);
    let race = Race::new(monitor, procedures.len());
    std::thread::scope(|scope| {
        for (lane, procedure) in (1..).zip(others) {
            let (race, slice) = (&race, &slice);
            let run = move || {
                if race.wait() {
                    race.run(lane, procedure, &slice.net);
                }
            };
            // There is one less, if there is no memory for another thread.
            drop(std::thread::Builder::new().spawn_scoped(scope, run));
        }
        race.run(0, first, &slice.net);
        race.open();
    });
    let elements = race
        .lanes
        .iter()
        .map(|lane| lane.load(Ordering::Relaxed))
        .sum();
    let finish = race
        .finish
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let answer = slice.widen(net, finish.answer);
    Verdict {
        answer: checked(net, finish.procedure, answer),
        procedure: finish.procedure,
        slice: (slice.net.places.len(), slice.net.transitions.len()),
        elements,
    }
}

/// An answer if its certificate is right.
fn checked(net: &Net, procedure: &str, answer: Answer) -> Answer {
    let problem = match &answer {
        Answer::Safe(certificate) => check_safe(net, certificate).err(),
        Answer::Unsafe(run) => check_run(net, run).err(),
        Answer::Unknown(_) => None,
    };
    match problem {
        Some(problem) => Answer::Unknown(format!("BUG: {procedure} answers wrongly: {problem}")),
        None => answer,
    }
}

/// How often the first procedure asks its monitor before the others begin.
const HEAD_START: u64 = 3;

/// What the procedures have in common while they run.
struct Race<'a> {
    outer: &'a dyn Monitor,
    /// How often the first procedure has asked its monitor.
    asked: AtomicU64,
    is_over: AtomicBool,
    is_open: Mutex<bool>,
    opening: Condvar,
    /// How many elements each procedure has stored.
    lanes: Vec<AtomicU64>,
    finish: Mutex<Finish>,
}

/// The answer so far.
struct Finish {
    answer: Answer,
    procedure: &'static str,
}

impl<'a> Race<'a> {
    fn new(outer: &'a dyn Monitor, lanes: usize) -> Race<'a> {
        Race {
            outer,
            asked: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
            is_open: Mutex::new(false),
            opening: Condvar::new(),
            lanes: (0..lanes).map(|_| AtomicU64::new(0)).collect(),
            finish: Mutex::new(Finish {
                answer: Answer::Unknown(String::new()),
                procedure: "nobody",
            }),
        }
    }

    /// Runs a procedure, and keeps its answer if it is the first one. Of those who do not
    /// know, all reasons are kept.
    fn run(&self, lane: usize, procedure: &Procedure, net: &Net) {
        let monitor = Lane { race: self, lane };
        let answer = (procedure.run)(net, &monitor);
        let mut finish = self.finish.lock().unwrap_or_else(PoisonError::into_inner);
        let Answer::Unknown(reasons) = &mut finish.answer else {
            return;
        };
        match answer {
            Answer::Unknown(reason) => {
                let separator = if reasons.is_empty() { "" } else { "; " };
                *reasons = format!("{reasons}{separator}{}: {reason}", procedure.name);
            }
            answer => {
                *finish = Finish {
                    answer,
                    procedure: procedure.name,
                };
                self.is_over.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Lets the others begin.
    fn open(&self) {
        *self.is_open.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.opening.notify_all();
    }

    /// Waits until the head start is over, and tells whether there is anything left to do.
    fn wait(&self) -> bool {
        let is_open = self.is_open.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.opening.wait_while(is_open, |is_open| !*is_open);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
        !self.is_over.load(Ordering::Relaxed)
    }
}

/// The monitor of one procedure.
struct Lane<'a> {
    race: &'a Race<'a>,
    lane: usize,
}

impl Monitor for Lane<'_> {
    fn go_on(&self, progress: Progress) -> bool {
        let race = self.race;
        race.lanes[self.lane].store(progress.elements, Ordering::Relaxed);
        if self.lane == 0 && race.asked.fetch_add(1, Ordering::Relaxed) == HEAD_START {
            race.open();
        }
        !race.is_over.load(Ordering::Relaxed) && race.outer.go_on(progress)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::{Certificate, Run};
    use crate::formats::spec;
    use crate::monitor::Unwatched;

    fn unsafe_net() -> Net {
        let text =
            "vars a b rules a >= 1 -> a' = a - 1, b' = b + 1; init a = 1, b = 0 target b >= 1";
        spec::parse(text).expect("it is well-formed").net
    }

    const GIVES_UP: Procedure = Procedure {
        name: "lazy",
        run: |_, _| Answer::Unknown("no idea".to_owned()),
    };

    #[test]
    fn wrong_answers_are_bugs() {
        let says_safe = Procedure {
            name: "liar",
            run: |_, _| {
                Answer::Safe(Certificate::Backward {
                    linear: Vec::new(),
                    empty: Vec::new(),
                    basis: Vec::new(),
                })
            },
        };
        let says_unsafe = Procedure {
            name: "liar",
            run: |net, _| {
                Answer::Unsafe(Run {
                    initial: net.least.clone(),
                    firings: Vec::new(),
                })
            },
        };
        for liar in [says_safe, says_unsafe] {
            let verdict = decide_by(&[liar], &unsafe_net(), &Unwatched);
            let Answer::Unknown(reason) = verdict.answer else {
                panic!("the answer is wrong");
            };
            assert!(reason.starts_with("BUG: liar"), "{reason}");
        }
    }

    #[test]
    fn the_others_are_asked_when_the_first_gives_up() {
        let procedures = [&[GIVES_UP], PROCEDURES].concat();
        let verdict = decide_by(&procedures, &unsafe_net(), &Unwatched);
        assert!(matches!(verdict.answer, Answer::Unsafe(_)));
        assert_ne!(verdict.procedure, "lazy");
    }

    #[test]
    fn all_reasons_are_given() {
        let verdict = decide_by(&[GIVES_UP, GIVES_UP], &unsafe_net(), &Unwatched);
        let reason = "lazy: no idea; lazy: no idea".to_owned();
        assert_eq!(verdict.answer, Answer::Unknown(reason));
    }

    #[test]
    fn a_net_with_a_defect_has_no_verdict() {
        let mut net = unsafe_net();
        net.least[0] = 7;
        assert!(matches!(
            decide(&net, &Unwatched).answer,
            Answer::Unknown(_)
        ));
        assert!(matches!(
            decide_by(&[], &unsafe_net(), &Unwatched).answer,
            Answer::Unknown(_)
        ));
    }
}
