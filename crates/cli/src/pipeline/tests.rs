//! Limits that come at the worst moment.

use super::*;
use crate::model::model;
use raddle_machine::Machine;
use raddle_model::{Event, Halt, Layer, Narrate, StateOf, System};
use raddle_report::Source;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

/// Two mistakes, neither of which is found by the first schedule of a search in depth.
const WRONG: &str = "int x; int y;
thread t[2] { x = x + 1; x = x + 1; assert(x != 3); }
thread u { y = x; assert(y != 2); }
";

/// A program with a limit that is reached in a certain step: whoever makes that one or another is
/// stopped, unless the flag is lifted.
struct Limited {
    system: Machine,
    stop: StopFlag,
    made: AtomicU64,
    /// The step in which the limit is reached; those of replays and of shortening count, too.
    last: u64,
    /// What happens then.
    at_last: fn(),
}

impl Limited {
    fn new(stop: StopFlag, last: u64, at_last: fn()) -> Limited {
        let source = Source {
            name: "wrong.rad".to_owned(),
            text: WRONG.to_owned(),
        };
        let system = model(&source, &Setup::default()).expect("a program");
        Limited {
            system,
            stop,
            made: AtomicU64::new(0),
            last,
            at_last,
        }
    }

    fn look(&self) -> Result<(), Halt> {
        if self.made.fetch_add(1, Ordering::Relaxed) + 1 == self.last {
            self.stop.set(&Reason::Time);
            (self.at_last)();
        }
        match self.stop.reason() {
            Some(reason) => Err(Halt::Stopped(reason)),
            None => Ok(()),
        }
    }
}

impl Layer for Limited {
    type Below = Machine;

    fn below(&self) -> &Machine {
        &self.system
    }

    fn step(
        &self,
        state: &mut StateOf<Self>,
        thread: raddle_model::Thread,
        choice: u32,
    ) -> Result<(), Halt> {
        self.look()?;
        self.system.step(state, thread, choice)
    }

    fn narrate(
        &self,
        state: &mut StateOf<Self>,
        step: Move,
        events: &mut Vec<Event>,
    ) -> Result<(), Halt> {
        self.look()?;
        self.system.narrate(state, step, events)
    }
}

impl Program for Limited {
    fn has_invariants(&self) -> bool {
        self.system.has_invariants()
    }
}

fn watcher() -> Watcher {
    Watcher::stopped_by(None, Arc::default())
}

fn request(watcher: &Watcher, all: bool) -> Request {
    let request = Request {
        setup: Setup::default(),
        method: Reduction::FULL.into(),
        search_flag: None,
        paranoid: false,
        search: Config::default(),
        part: None,
        all,
        shorten: true,
        explain: false,
        certificate: false,
    };
    request.stopped_by(watcher)
}

/// What is found if the limit is reached in a certain step, and how many steps were made by a search
/// and in all.
fn found(last: u64, all: bool) -> (Finding, u64, u64) {
    let mut watcher = watcher();
    let request = request(&watcher, all);
    let program = Limited::new(watcher.stop_flag(), last, || {});
    let survey = request.search(&program, &mut watcher);
    let searched = program.made.load(Ordering::Relaxed);
    let finding = conclude(&program, survey, &request, &mut watcher);
    (finding, searched, program.made.into_inner())
}

/// In its last step the search has found both mistakes, and does not end.
#[test]
fn what_was_found_so_far_is_known_when_a_search_does_not_end() {
    let (_, searched, _) = found(u64::MAX, true);
    let mut watcher = watcher();
    let request = request(&watcher, true);
    let stop = || loop {
        thread::park();
    };
    let program = Limited::new(watcher.stop_flag(), searched, stop);
    let (sender, receiver) = mpsc::channel();
    watcher.say_at_last(Some(Box::new(move |known| {
        let _ = sender.send(known);
        // The process is to go on.
        stop();
        0
    })));
    thread::spawn(move || explore(&program, &request, &mut watcher).map(drop));
    let known = receiver.recv().expect("last words");
    assert_eq!(known.cause, Reason::Time);
    assert!(known.violations.is_empty());
    let places: BTreeSet<u32> = known
        .found
        .iter()
        .filter_map(|(outline, _)| match &outline.property {
            Property::Fault(fault) => Some(fault.place?.line),
            _ => None,
        })
        .collect();
    assert_eq!(places, BTreeSet::from([2, 3]));
}

/// Wherever it is reached after the search: when the verdict is announced, when the trace is
/// shortened, and when it is replayed.
#[test]
fn a_limit_after_the_search_does_not_lose_what_was_found() {
    for all in [false, true] {
        let (whole, searched, made) = found(u64::MAX, all);
        let violations = 1 + usize::from(all);
        assert_eq!(whole.traces.len(), violations);
        // The outline, at least one try to shorten, and the replay.
        let steps: usize = whole.traces.iter().map(|trace| trace.steps.len()).sum();
        assert!(made > searched + 3 * steps as u64, "{made} {searched}");
        for last in searched + 1..=made {
            let (finding, ..) = found(last, all);
            assert_eq!(finding.traces.len(), violations, "{last} of {made} steps");
            for (trace, expected) in finding.traces.iter().zip(&whole.traces) {
                assert!(trace.property.same_kind(&expected.property), "{last}");
                assert!(trace.steps.len() >= expected.steps.len(), "{last}");
            }
            assert_eq!(finding.reasons, [], "{last} of {made} steps");
        }
        // The limit is obeyed: in the last step of the search, before there is an answer.
        let (finding, ..) = found(searched, all);
        assert_eq!(finding.reasons, [Reason::Time], "{searched} steps");
    }
}
