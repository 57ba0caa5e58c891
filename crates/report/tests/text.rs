//! The text of reports, as a person sees it.

use crate::common;

use common::{
    at, counter, counter_source, dining, dining_source, options, remark, statistics, step, waiting,
};
use raddle_model::{
    Fault, FaultKind, Limits, Operation, Property, Reason, Statistics, Thread, Trace,
};
use raddle_report::text::{self, Look};
use raddle_report::{Report, Source};
use std::time::Duration;

const LOOK: Look = Look {
    width: 100,
    color: false,
    abridge: None,
    unfold: false,
};

fn told(trace: &Trace, sources: &[Source], look: Look) -> String {
    let report = Report {
        sources,
        traces: std::slice::from_ref(trace),
        reasons: &[],
        races: &[],
        not_covered: &[],
        reach: None,
        remarks: &[],
        statistics: Some(statistics()),
        coverage: None,
        options: options(),
    };
    text::report(&report, look)
}

#[test]
fn a_deadlock_is_spelled_out() {
    let expected = "\
violated: deadlock: philosopher[0] and philosopher[1] wait for ever

step  line | philosopher[0]       | philosopher[1]
-----------+----------------------+---------------------
   1     4 | acquire(fork[self]); |
           |   takes fork[0]      |
   2     4 |                      | acquire(fork[self]);
           |                      |   takes fork[1]

At the end no thread can move:
  philosopher[0] at dining.rad:5:3: acquire(fork[(self + 1) % 2]);
      waits for fork[1], held by philosopher[1]
  philosopher[1] at dining.rad:5:3: acquire(fork[(self + 1) % 2]);
      waits for fork[0], held by philosopher[0]
The cycle: philosopher[0] waits for fork[1], held by philosopher[1], which waits for fork[0], held
  by philosopher[0].

Shared variables after step 2:
  fork[0] is held by philosopher[0]
  fork[1] is held by philosopher[1]

12 states, 20 transitions, depth 5, 0.03 s, 4.0 KiB
";
    assert_eq!(told(&dining(), &dining_source(), LOOK), expected);
}

#[test]
fn a_fault_is_shown_where_it_happens() {
    let expected = "\
violated: assertion at counter.rad:8:10: x == 2

step  line | worker[0]   | worker[1]   | main
-----------+-------------+-------------+--------------------------------------
   1     3 | x = x + 1;  |             |
           |   x: read 0 |             |
   2     3 |             | x = x + 1;  |
           |             |   x: read 0 |
   3       |             |   x = 1     |
   4     4 |             |   finishes  |
   5     3 | x = x + 1;  |             |
           |   x = 1     |             |
   6     4 |   finishes  |             |
   7     6 |             |             | join(worker[0]);
           |             |             |   joins worker[0], which has finished
   8     7 |             |             | join(worker[1]);
           |             |             |   joins worker[1], which has finished
   9     8 |             |             | assert(x == 2);
           |             |             |   x: read 1
           |             |             | !! assertion failed: x == 2

main fails: assertion failed: x == 2
  --> counter.rad:8:10
  8 | assert(x == 2);
    |        ^

Shared variables before step 9:
  x = 1

12 states, 20 transitions, depth 5, 0.03 s, 4.0 KiB
";
    assert_eq!(told(&counter(), &counter_source(), LOOK), expected);
}

#[test]
fn without_room_for_lanes_there_is_one_column() {
    let narrow = Look { width: 60, ..LOOK };
    let expected = "\
step  line  thread
   1     3  worker[0]  x = x + 1;
                         x: read 0
   2     3  worker[1]  x = x + 1;
                         x: read 0
   3                     x = 1
   4     4               finishes
   5     3  worker[0]  x = x + 1;
                         x = 1
   6     4               finishes
   7     6  main       join(worker[0]);
                         joins worker[0], which has finished
   8     7             join(worker[1]);
                         joins worker[1], which has finished
   9     8             assert(x == 2);
                         x: read 1
                       !! assertion failed: x == 2
";
    let text = text::trace(&counter(), &counter_source(), narrow);
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn no_line_is_too_long() {
    for width in (0..130).step_by(3) {
        let look = Look { width, ..LOOK };
        for text in [
            told(&counter(), &counter_source(), look),
            told(&dining(), &dining_source(), look),
        ] {
            for line in text.lines() {
                assert!(line.chars().count() <= width.max(40), "{width}: {line}");
            }
        }
    }
}

#[test]
fn colours_change_nothing_else() {
    let color = Look {
        color: true,
        ..LOOK
    };
    let colored = told(&dining(), &dining_source(), color);
    let mut plain = String::new();
    let mut rest = colored.as_str();
    while let Some(start) = rest.find('\u{1b}') {
        plain.push_str(&rest[..start]);
        let end = rest[start..]
            .find('m')
            .expect("an escape sequence ends with m");
        rest = &rest[start + end + 1..];
    }
    plain.push_str(rest);
    let trimmed: Vec<&str> = plain.lines().map(str::trim_end).collect();
    let expected = told(&dining(), &dining_source(), LOOK);
    assert_eq!(trimmed, expected.lines().collect::<Vec<_>>());
}

#[test]
fn a_lost_wake_up_is_visible() {
    let trace = Trace {
        property: Property::Deadlock(vec![Thread(0)]),
        threads: ["consumer", "producer"].map(str::to_owned).to_vec(),
        prelude: Vec::new(),
        initial: Vec::new(),
        next: Vec::new(),
        race: None,
        steps: vec![
            step(1, 1, &[(Operation::Acquire, "m", None)]),
            step(1, 1, &[(Operation::Notify, "m", None)]),
            step(1, 1, &[(Operation::Release, "m", None)]),
            step(0, 2, &[(Operation::Acquire, "m", None)]),
            step(0, 2, &[(Operation::Wait, "m", None)]),
        ],
        waiting: vec![waiting(0, 2, (Operation::WaitResume, "m"), &[])],
        values: Vec::new(),
    };
    let text = told(&trace, &[], LOOK);
    assert!(
        text.contains("notifies one thread on m (no thread is waiting)"),
        "{text}"
    );
    assert!(
        text.contains("waits for a notification on m; no thread is left that could do that"),
        "{text}"
    );
}

#[test]
fn a_notified_thread_waits_for_the_lock_only() {
    let notify = step(1, 1, &[(Operation::NotifyAll, "m", None)]);
    let trace = Trace {
        property: Property::PartialDeadlock(vec![Thread(0), Thread(1)]),
        threads: ["consumer", "producer", "idler"]
            .map(str::to_owned)
            .to_vec(),
        prelude: Vec::new(),
        initial: Vec::new(),
        next: Vec::new(),
        race: None,
        steps: vec![
            step(0, 2, &[(Operation::Acquire, "m", None)]),
            step(0, 2, &[(Operation::Wait, "m", None)]),
            step(1, 1, &[(Operation::Acquire, "m", None)]),
            remark(notify, "wakes", "consumer"),
        ],
        waiting: vec![
            waiting(0, 2, (Operation::WaitResume, "m"), &[1]),
            waiting(1, 3, (Operation::Join, "consumer"), &[0]),
        ],
        values: Vec::new(),
    };
    let text = told(&trace, &[], LOOK);
    assert!(text.contains("wakes consumer"), "{text}");
    assert!(!text.contains("nobody is waiting"), "{text}");
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cycle = "The cycle: consumer was notified and waits to take m again, held by producer, \
                 which waits for the end of consumer.";
    assert!(flat.contains(cycle), "{text}");
    assert!(text.contains("Without a step: idler"), "{text}");
}

#[test]
fn semaphores_and_conditions_name_who_could_help() {
    let mut trace = dining();
    trace.waiting = vec![
        waiting(0, 5, (Operation::Down, "s"), &[1]),
        waiting(1, 5, (Operation::Read, "turn"), &[]),
    ];
    trace.values.push(("turn".to_owned(), "3".to_owned()));
    let text = told(&trace, &dining_source(), LOOK);
    let down = "waits for the semaphore s to be raised; \
                only philosopher[1] could do that, which waits too";
    assert!(text.contains(down), "{text}");
    assert!(
        text.contains("waits for a condition on turn (now 3)"),
        "{text}"
    );
}

#[test]
fn many_dull_values_are_left_out() {
    let mut trace = dining();
    trace.values = (0..50)
        .map(|index| (format!("a[{index}]"), (index % 25).to_string()))
        .collect();
    trace
        .values
        .extend((0..30).map(|index| (format!("b[{index}]"), "false".to_owned())));
    let text = told(&trace, &dining_source(), LOOK);
    assert!(text.contains("a[26] = 1"), "{text}");
    assert!(!text.contains("b[3]"), "{text}");
    assert!(
        text.contains("and 32 more that are 0, false, null, free or empty"),
        "{text}"
    );
}

#[test]
fn the_other_verdicts_say_why() {
    let mut report = Report {
        sources: &[],
        traces: &[],
        reasons: &[],
        races: &[],
        not_covered: &[],
        reach: None,
        remarks: &[],
        statistics: Some(statistics()),
        coverage: None,
        options: options(),
    };
    assert_eq!(
        text::verdict(&report, LOOK),
        "holds: no fault, deadlock, recognisable partial deadlock or false invariant in any reachable state\n"
    );
    let open = ["spurious wake-ups", "cleared references"].map(str::to_owned);
    report.not_covered = &open;
    let line = "\nNot covered: spurious wake-ups; cleared references\n";
    assert!(text::verdict(&report, LOOK).ends_with(line));
    report.options.threads = Some(16);
    let verdict = text::verdict(&report, LOOK).replace("\n  ", " ");
    assert!(
        verdict.contains("state, with at most 16 threads\n"),
        "{verdict}"
    );
    let reasons = [Reason::Time, Reason::GaveUp("too many threads".to_owned())];
    report.reasons = &reasons;
    assert!(!text::verdict(&report, LOOK).contains("Not covered"));
    report.options.limits = Limits {
        time: Some(Duration::from_secs(10)),
        ..Limits::NONE
    };
    assert_eq!(
        text::verdict(&report, LOOK),
        "unknown: time limit of 10 s reached; too many threads\n\
         No violation was found in the 12 states explored\n"
    );
}

#[test]
fn stutters_are_counted_on_request() {
    let line = text::statistics(&statistics(), true);
    assert!(
        line.contains("24 transitions (4 of them by blocked or finished threads)"),
        "{line}"
    );
}

#[test]
fn a_violation_before_the_first_step_needs_no_steps() {
    let mut trace = counter();
    trace.steps.clear();
    let text = told(&trace, &counter_source(), LOOK);
    assert!(
        text.contains("The program fails before its first step: assertion failed: x == 2"),
        "{text}"
    );
    trace.threads.truncate(1);
    let text = told(&trace, &counter_source(), LOOK);
    assert!(
        text.contains("worker[0] fails before its first step: assertion failed"),
        "{text}"
    );
    assert!(
        text.contains("Shared variables in the initial state:"),
        "{text}"
    );
}

#[test]
fn places_and_threads_that_do_not_exist_do_no_harm() {
    let mut trace = counter();
    trace.threads.clear();
    trace.steps[0].place = at(4_000_000_000, 1);
    trace.steps[1].place = None;
    if let Property::Fault(fault) = &mut trace.property {
        fault.place = at(0, 0);
    }
    for sources in [counter_source(), Vec::new()] {
        let text = told(&trace, &sources, LOOK);
        assert!(text.contains("thread 2 fails"), "{text}");
    }
}

#[test]
fn an_operation_that_fails_is_not_told_as_done() {
    let mut trace = counter();
    trace.steps = vec![step(0, 3, &[(Operation::Release, "m", None)])];
    trace.property = Property::Fault(Fault {
        kind: FaultKind::IllegalMonitorState,
        message: "release of a lock that the thread does not hold".to_owned(),
        place: at(3, 3),
    });
    let text = told(&trace, &counter_source(), LOOK);
    assert!(
        text.contains("!! illegal monitor state: release of"),
        "{text}"
    );
    assert!(!text.contains("releases m"), "{text}");
}

#[test]
fn what_the_kind_says_is_not_said_again() {
    let mut trace = counter();
    trace.property = Property::Fault(Fault {
        kind: FaultKind::DivisionByZero,
        message: "division by zero".to_owned(),
        place: at(8, 3),
    });
    let text = told(&trace, &counter_source(), LOOK);
    assert!(text.contains("!! division by zero\n"), "{text}");
    assert!(!text.contains(": division by zero:"), "{text}");
}

#[test]
fn one_is_singular() {
    let statistics = Statistics {
        states: 1,
        transitions: 1,
        omission_probability: 1.0,
        ..statistics()
    };
    let line = text::statistics(&statistics, false);
    assert!(line.starts_with("1 state, 1 transition, depth"), "{line}");
    assert!(line.ends_with("omission probability at most 1"), "{line}");
}

#[test]
fn a_long_trace_is_abridged() {
    let mut trace = counter();
    let (first, last) = (trace.steps[0].clone(), trace.steps[8].clone());
    trace.steps = vec![first; 299];
    trace.steps.push(last);
    let look = Look {
        abridge: Some("ask for more"),
        ..LOOK
    };
    let text = text::trace(&trace, &counter_source(), look);
    assert!(
        text.contains("\n... 140 steps left out; ask for more\n"),
        "{text}"
    );
    let shown = |number: usize| {
        let start = format!("{number:>4} ");
        text.lines().any(|line| line.starts_with(&start))
    };
    assert!(
        shown(40) && !shown(41) && !shown(180) && shown(181),
        "{text}"
    );
    // The source is shown again behind the gap.
    assert!(text.contains(" 181     3 | x = x + 1;"), "{text}");
}
