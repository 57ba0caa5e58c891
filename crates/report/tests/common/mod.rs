//! Traces made by hand.

#![allow(dead_code, reason = "each test file uses what it needs")]

use raddle_model::{
    Event, Fault, FaultKind, Limits, Move, Operation, Place, Properties, Property, Statistics,
    Step, Thread, Trace, Waiting,
};
use raddle_report::{Options, Source};
use std::time::Duration;

pub(crate) fn options() -> Options {
    Options {
        reduction: "none",
        order: "depth-first",
        store: "exact",
        races: false,
        properties: Properties::ALL,
        defines: Vec::new(),
        unreachable: Vec::new(),
        unsafe_sets: Vec::new(),
        limits: Limits::NONE,
        threads: None,
        temporal: Vec::new(),
        count_stutters: false,
    }
}

pub(crate) fn statistics() -> Statistics {
    Statistics {
        states: 12,
        transitions: 20,
        stutters: 4,
        depth: 5,
        store_bytes: 240,
        peak_bytes: 4096,
        elapsed: Duration::from_millis(30),
        ..Statistics::default()
    }
}

pub(crate) fn at(line: u32, column: u32) -> Option<Place> {
    Some(Place {
        file: 0,
        line,
        column,
    })
}

pub(crate) fn step(thread: u32, line: u32, events: &[(Operation, &str, Option<&str>)]) -> Step {
    let event = |&(operation, object, value): &(Operation, &str, Option<&str>)| Event {
        place: at(line, 3),
        object: object.to_owned(),
        operation: Some(operation),
        value: value.map(str::to_owned),
        ..Event::default()
    };
    Step {
        step: Move {
            thread: Thread(thread),
            choice: 0,
        },
        place: at(line, 3),
        events: events.iter().map(event).collect(),
        changes: Some(Vec::new()),
    }
}

pub(crate) fn remark(step: Step, object: &str, value: &str) -> Step {
    let mut step = step;
    step.events.push(Event {
        place: step.place,
        object: object.to_owned(),
        operation: None,
        value: Some(value.to_owned()),
        ..Event::default()
    });
    step
}

pub(crate) fn waiting(
    thread: u32,
    line: u32,
    wants: (Operation, &str),
    waits_for: &[u32],
) -> Waiting {
    Waiting {
        thread: Thread(thread),
        place: at(line, 3),
        wants: vec![(wants.0, wants.1.to_owned())],
        waits_for: waits_for.iter().copied().map(Thread).collect(),
        obstacle: None,
    }
}

fn strings(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = pairs
        .iter()
        .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()));
    owned.collect()
}

pub(crate) fn dining_source() -> Vec<Source> {
    vec![Source {
        name: "dining.rad".to_owned(),
        text: "lock fork[2];\n\nthread philosopher[2] {\n  acquire(fork[self]);\n  \
               acquire(fork[(self + 1) % 2]);\n  release(fork[self]);\n}\n"
            .to_owned(),
    }]
}

pub(crate) fn dining() -> Trace {
    Trace {
        property: Property::Deadlock(vec![Thread(0), Thread(1)]),
        threads: vec!["philosopher[0]".to_owned(), "philosopher[1]".to_owned()],
        prelude: Vec::new(),
        initial: Vec::new(),
        next: Vec::new(),
        race: None,
        steps: vec![
            step(0, 4, &[(Operation::Acquire, "fork[0]", None)]),
            step(1, 4, &[(Operation::Acquire, "fork[1]", None)]),
        ],
        waiting: vec![
            waiting(0, 5, (Operation::Acquire, "fork[1]"), &[1]),
            waiting(1, 5, (Operation::Acquire, "fork[0]"), &[0]),
        ],
        values: strings(&[
            ("fork[0]", "held by philosopher[0]"),
            ("fork[1]", "held by philosopher[1]"),
        ]),
    }
}

pub(crate) fn counter_source() -> Vec<Source> {
    vec![Source {
        name: "counter.rad".to_owned(),
        text: "int x;\nthread worker[2] {\n  x = x + 1;\n}\nthread main {\n  join(worker[0]);\n  \
               join(worker[1]);\n  assert(x == 2);\n}\n"
            .to_owned(),
    }]
}

pub(crate) fn counter() -> Trace {
    use Operation::{Finish, Join, Read, Write};
    let increment = |thread| {
        [
            step(thread, 3, &[(Read, "x", Some("0"))]),
            step(thread, 3, &[(Write, "x", Some("1"))]),
            step(thread, 4, &[(Finish, "worker", None)]),
        ]
    };
    let [read0, write0, finish0] = increment(0);
    let [read1, write1, finish1] = increment(1);
    Trace {
        property: Property::Fault(Fault {
            kind: FaultKind::Assertion,
            message: "x == 2".to_owned(),
            place: at(8, 10),
        }),
        threads: ["worker[0]", "worker[1]", "main"]
            .map(str::to_owned)
            .to_vec(),
        prelude: Vec::new(),
        initial: Vec::new(),
        next: Vec::new(),
        race: None,
        steps: vec![
            read0,
            read1,
            write1,
            finish1,
            write0,
            finish0,
            step(2, 6, &[(Join, "worker[0]", None)]),
            step(2, 7, &[(Join, "worker[1]", None)]),
            step(2, 8, &[(Read, "x", Some("1"))]),
        ],
        waiting: Vec::new(),
        values: strings(&[("x", "1")]),
    }
}
