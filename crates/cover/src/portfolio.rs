//! Several procedures side by side on the part of a net that matters, with steps joined that
//! always follow each other; the first answer counts once it is checked on the whole net.

use crate::agglomeration::Agglomeration;
use crate::backward::backward;
use crate::certificate::{Answer, Refusal, check_run, check_safe};
use crate::fewest::fewest;
use crate::forward::{explicit, forward};
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

/// All procedures. Each has a head start before the next.
pub const PROCEDURES: &[Procedure] = &[
    Procedure {
        name: "backward",
        run: backward,
    },
    Procedure {
        name: "explicit",
        run: explicit,
    },
    Procedure {
        name: "forward",
        run: forward,
    },
];

/// What is known of a net, and from whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
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
pub fn decide(net: &Net, monitor: &dyn Monitor) -> Decision {
    decide_by(PROCEDURES, net, monitor)
}

/// Asks some procedures about a net. Many nets are easy: each waits until the one before has
/// used up its head start or given up, and often never begins.
pub fn decide_by(procedures: &[Procedure], net: &Net, monitor: &dyn Monitor) -> Decision {
    let unknown = |reason: &str| Decision {
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
    let agglomeration = Agglomeration::of(net);
    let smaller = agglomeration.as_ref().map_or(net, |it| &it.net);
    let slice = Slice::of(smaller);
    let race = Race::new(monitor, procedures.len());
    std::thread::scope(|scope| {
        for (lane, procedure) in (1..).zip(others) {
            let (race, slice) = (&race, &slice);
            let run = move || {
                if race.wait(lane) {
                    race.run(lane, procedure, &slice.net);
                }
                race.open(lane + 1);
            };
            // There is one less, if there is no memory for another thread.
            if std::thread::Builder::new()
                .spawn_scoped(scope, run)
                .is_err()
            {
                race.forgo(lane);
            }
        }
        race.run(0, first, &slice.net);
        race.open(1);
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
    let mut verdict = Decision {
        answer: Answer::Unknown(String::new()),
        procedure: finish.procedure,
        slice: (slice.net.places.len(), slice.net.transitions.len()),
        elements,
    };
    let name = finish.procedure;
    let mut answer = slice.widen(smaller, finish.answer);
    if let Some(agglomeration) = &agglomeration {
        answer = agglomeration.widen(net, answer);
    }
    verdict.answer = match checked(net, answer) {
        Ok(answer) => with_fewest(net, answer, monitor),
        Err(Doubt::Bug(why)) => Answer::Unknown(format!("BUG: {name} answers wrongly: {why}")),
        Err(Doubt::Limit(why)) => {
            return decided_by_others(procedures, net, monitor, verdict, &why);
        }
    };
    verdict
}

/// What the others know, where the answer of one procedure is too large to be checked.
fn decided_by_others(
    procedures: &[Procedure],
    net: &Net,
    monitor: &dyn Monitor,
    mut verdict: Decision,
    why: &str,
) -> Decision {
    let name = verdict.procedure;
    let others = procedures.iter().copied();
    let others: Vec<Procedure> = others.filter(|other| other.name != name).collect();
    let told = format!("{name}: its answer is too large to be checked: {why}");
    verdict.answer = Answer::Unknown(told.clone());
    verdict.procedure = "nobody";
    if others.is_empty() {
        return verdict;
    }
    let mut second = decide_by(&others, net, monitor);
    if let Answer::Unknown(reasons) = &mut second.answer {
        *reasons = format!("{told}; {reasons}");
    }
    second.elements += verdict.elements;
    second
}

/// Why an answer is not believed.
enum Doubt {
    /// It is wrong.
    Bug(String),
    /// It may be right, but cannot be checked.
    Limit(String),
}

/// An answer if its certificate is right.
fn checked(net: &Net, answer: Answer) -> Result<Answer, Doubt> {
    let doubt = match &answer {
        Answer::Safe(certificate) => match check_safe(net, certificate) {
            Ok(()) => None,
            Err(Refusal::Wrong(why)) => Some(Doubt::Bug(why)),
            Err(Refusal::TooLarge(why)) => Some(Doubt::Limit(why)),
        },
        Answer::Unsafe(run) => check_run(net, run).err().map(Doubt::Bug),
        Answer::Unknown(_) => None,
    };
    doubt.map_or(Ok(answer), Err)
}

/// An answer whose run has the fewest tokens, as far as that is easy.
fn with_fewest(net: &Net, answer: Answer, monitor: &dyn Monitor) -> Answer {
    let Answer::Unsafe(run) = answer else {
        return answer;
    };
    let better = fewest(net, &run, monitor);
    let better = better.filter(|better| check_run(net, better).is_ok());
    Answer::Unsafe(better.unwrap_or(run))
}

/// How often a procedure asks its monitor before the next one begins.
const HEAD_START: u64 = 3;

/// What the procedures have in common while they run.
struct Race<'a> {
    outer: &'a dyn Monitor,
    /// How often each procedure has asked its monitor.
    asked: Vec<AtomicU64>,
    is_over: AtomicBool,
    /// How many procedures may begin, and which never will.
    gate: Mutex<Gate>,
    opening: Condvar,
    /// How many elements each procedure has stored.
    lanes: Vec<AtomicU64>,
    finish: Mutex<Finish>,
}

/// Who may begin.
#[derive(Default)]
struct Gate {
    open: usize,
    forgone: Vec<usize>,
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
            asked: (0..lanes).map(|_| AtomicU64::new(0)).collect(),
            is_over: AtomicBool::new(false),
            gate: Mutex::new(Gate::default()),
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

    /// Lets a procedure begin, and those after it if there is none.
    fn open(&self, lane: usize) {
        let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        gate.open = gate.open.max(lane + 1);
        while gate.forgone.contains(&(gate.open - 1)) {
            gate.open += 1;
        }
        self.opening.notify_all();
    }

    /// Remembers that a procedure will never begin.
    fn forgo(&self, lane: usize) {
        let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        gate.forgone.push(lane);
        let is_open = gate.open > lane;
        drop(gate);
        if is_open {
            self.open(lane + 1);
        }
    }

    /// Waits until a procedure may begin, and tells whether there is anything left to do.
    fn wait(&self, lane: usize) -> bool {
        let gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self
            .opening
            .wait_while(gate, |gate| gate.open <= lane && !self.is_over());
        drop(waited.unwrap_or_else(PoisonError::into_inner));
        !self.is_over()
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
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
        if race.asked[self.lane].fetch_add(1, Ordering::Relaxed) == HEAD_START {
            race.open(self.lane + 1);
        }
        !race.is_over() && race.outer.go_on(progress)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::{Certificate, Run};
    use crate::formats::spec;
    use crate::monitor::Unwatched;
    use crate::net::Place;

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

    /// The tokens of twelve places are copied into one, where a thousand are too many.
    fn wide_net() -> (Net, Procedure) {
        let places: Vec<String> = (0..12).map(|index| format!("p{index}")).collect();
        let once: Vec<String> = places.iter().map(|place| format!("{place} = 1")).collect();
        let (sum, once) = (places.join(" + "), once.join(", "));
        let text = format!(
            "vars x {} rules true -> x' = {sum}; init x = 0, {once} target x >= 1000",
            places.join(" ")
        );
        let net = spec::parse(&text).expect("it is well-formed").net;
        let says_safe = Procedure {
            name: "right",
            run: |net, _| {
                let everywhere =
                    |tokens| (0..net.places.len() as u32).map(move |at| (Place(at), tokens));
                Answer::Safe(Certificate::Backward {
                    linear: Vec::new(),
                    empty: Vec::new(),
                    basis: everywhere(1000).map(|at| vec![at]).collect(),
                })
            },
        };
        (net, says_safe)
    }

    #[test]
    fn what_is_too_large_to_be_checked_is_no_bug() {
        let (net, says_safe) = wide_net();
        let verdict = decide_by(&[says_safe], &net, &Unwatched);
        let Answer::Unknown(reason) = verdict.answer else {
            panic!("nobody has checked the answer");
        };
        assert!(reason.contains("too large to be checked"), "{reason}");
        assert!(!reason.contains("BUG"), "{reason}");
        let procedures = [&[says_safe], PROCEDURES].concat();
        let verdict = decide_by(&procedures, &net, &Unwatched);
        assert!(matches!(verdict.answer, Answer::Safe(_)));
        assert_ne!(verdict.procedure, "right");
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
