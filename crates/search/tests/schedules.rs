//! Replaying and shortening schedules.

use crate::common;

use common::{Op, Op::*, Program, schedule};
use raddle_model::{Halt, Move, Operation, Property, Reason, Schedule, Thread, Verdict, Violation};
use raddle_search::{
    Budget, Config, Cost, Endless, Impossible, Monitor, Order, Progress, ReplayError, Shortened,
    check, cost, endless, outline, replay, shorten as shorten_within,
};

fn find(program: &Program, order: Order) -> Violation {
    let config = Config {
        order,
        ..Config::default()
    };
    match check(program, &config, &mut ()).verdict {
        Verdict::Violated(violation) => violation,
        other => panic!("expected a violation, not {other:?}"),
    }
}

/// Shortens within so many steps.
fn shorten(program: &Program, violation: &Violation, steps: u64) -> Violation {
    shortened(program, violation, steps).violation
}

fn shortened(program: &Program, violation: &Violation, steps: u64) -> Shortened {
    let words = 1 << 20;
    shorten_within(program, violation, Budget { steps, words }, &mut ())
}

fn crossed() -> Property {
    Property::Deadlock(vec![Thread(0), Thread(1)])
}

/// Threads 1 and 2 work; thread 0 asserts that together they never reach three.
fn counters() -> Program {
    Program {
        threads: vec![
            vec![Assert(0, 0), Goto(0)],
            vec![
                Await(0, 0),
                Add(1, 1),
                Add(1, 1),
                Add(2, 1),
                Add(0, 1),
                Add(0, 1),
            ],
            vec![Add(1, 1), Add(2, 1), Add(2, 1)],
        ],
        variables: vec![0, 0, 0],
        ..Program::default()
    }
}

#[test]
fn a_replayed_deadlock_tells_who_waits_for_whom() {
    let program = Program::crossed_locks();
    let trace = replay(&program, &schedule(&[0, 1]), &crossed()).expect("it replays");
    assert_eq!(trace.property, crossed());
    assert_eq!(trace.threads, ["thread 0", "thread 1"]);
    assert_eq!(trace.steps.len(), 2);
    assert_eq!(trace.steps[1].place.expect("known").line, 101);
    assert_eq!(trace.waiting.len(), 2);
    assert_eq!(trace.waiting[0].waits_for, [Thread(1)]);
    assert_eq!(
        trace.waiting[0].wants,
        [(Operation::Acquire, "object 101.0".to_string())]
    );
}

#[test]
fn a_replayed_fault_ends_with_the_step_that_fails() {
    let program = counters();
    let found = find(&program, Order::BreadthFirst);
    let trace = replay(&program, &found.schedule, &found.property).expect("it replays");
    assert_eq!(trace.property, found.property);
    assert_eq!(
        trace.steps.last().expect("there is one").step.thread,
        Thread(0)
    );
    assert_eq!(trace.values[0], ("v0".to_string(), "1".to_string()));
}

#[test]
fn what_cannot_be_replayed_is_explained() {
    let program = Program::crossed_locks();
    let error = |steps: &[Move]| replay(&program, steps, &crossed()).expect_err("it is wrong");
    let no_thread = Impossible::NoThread(Thread(7));
    assert_eq!(
        error(&schedule(&[0, 7])),
        ReplayError::Impossible(1, no_thread)
    );
    let blocked = Impossible::Blocked(Thread(1));
    assert_eq!(
        error(&schedule(&[0, 0, 1])),
        ReplayError::Impossible(2, blocked)
    );
    let done = Impossible::Done(Thread(0));
    assert_eq!(
        error(&schedule(&[0, 0, 0, 0, 0])),
        ReplayError::Impossible(4, done)
    );
    let mut steps = schedule(&[0]);
    steps[0].choice = 3;
    let no_choice = Impossible::NoChoice {
        choice: 3,
        choices: 1,
    };
    assert_eq!(error(&steps), ReplayError::Impossible(0, no_choice));
    assert_eq!(error(&schedule(&[0])), ReplayError::Different(None));
    assert_eq!(
        error(&schedule(&[0, 7])).to_string(),
        "step 2 is not possible: there is no thread 7"
    );
}

#[test]
fn another_violation_than_the_expected_one_is_an_error() {
    let other = Property::Deadlock(vec![Thread(0)]);
    let error = replay(&Program::crossed_locks(), &schedule(&[0, 1]), &other);
    assert_eq!(error, Err(ReplayError::Different(Some(crossed()))));

    let program = counters();
    let found = find(&program, Order::BreadthFirst);
    let mut longer = found.schedule.clone();
    longer.extend(schedule(&[2]));
    let error = replay(&program, &longer, &found.property);
    let Err(ReplayError::Halted(step, Halt::Fault(_))) = error else {
        panic!("{error:?}");
    };
    assert_eq!(step, found.schedule.len() - 1);
}

#[test]
fn shortening_finds_the_best_schedule() {
    let program = counters();
    let best = schedule(&[1, 1, 1, 1, 1, 0]);
    for order in Order::ALL {
        let found = find(&program, order);
        let short = shorten(&program, &found, 1_000_000);
        assert_eq!(short.schedule, best);
        assert!(short.property.same_kind(&found.property));
    }
    let deadlock = find(&Program::crossed_locks(), Order::DepthFirst);
    let short = shorten(&Program::crossed_locks(), &deadlock, 1000);
    assert_eq!(short.schedule, schedule(&[0, 1]));
}

#[test]
fn fewer_switches_are_worth_more_steps() {
    // Thread 0 can wait for thread 1, or take a long way alone.
    let program = Program {
        threads: vec![
            vec![AddAny(1, 2), Add(1, 1), Add(1, 1), Add(1, 1), Assert(0, 0)],
            vec![Add(0, 1)],
        ],
        variables: vec![0, 0],
        ..Program::default()
    };
    let violation = find(&program, Order::DepthFirst);
    let short = shorten(&program, &violation, 1000);
    assert_eq!(short.schedule, schedule(&[1, 0, 0, 0, 0, 0]));
    assert_eq!(
        cost(&short.schedule),
        Cost {
            switches: 1,
            steps: 6
        }
    );
}

#[test]
fn with_a_small_budget_the_schedule_is_improved_locally() {
    let program = counters();
    // Useless turns of thread 0, and steps of the others in needless alternation.
    let long = schedule(&[0, 0, 1, 2, 0, 0, 1, 2, 1, 2, 1, 0, 0, 1]);
    let mut long: Schedule = long;
    long.extend(schedule(&[0]));
    let property = find(&program, Order::BreadthFirst).property;
    replay(&program, &long, &property).expect("it is a violation");
    let violation = Violation {
        property,
        schedule: long,
    };
    // Too small for the searches, which need some dozens of steps.
    let short = shorten(&program, &violation, 100);
    assert!(cost(&short.schedule) < cost(&violation.schedule));
    replay(&program, &short.schedule, &short.property).expect("it replays");

    let none = shorten(&program, &violation, 0);
    assert!(cost(&none.schedule) <= cost(&violation.schedule));
    replay(&program, &none.schedule, &none.property).expect("it replays");
}

#[test]
fn shortening_never_makes_it_worse_and_survives_nonsense() {
    let program = counters();
    let found = find(&program, Order::DepthFirst);
    for budget in [0, 1, 5, 10, 50, 100, 1000] {
        let short = shorten(&program, &found, budget);
        assert!(cost(&short.schedule) <= cost(&found.schedule));
        replay(&program, &short.schedule, &short.property).expect("it replays");
        assert_eq!(short, shorten(&program, &found, budget));
    }
    // A schedule that is none: what is found instead is right or it is unchanged.
    let nonsense = Violation {
        property: found.property,
        schedule: schedule(&[9, 9, 1, 0, 5]),
    };
    assert_eq!(shorten(&program, &nonsense, 0), nonsense);
}

/// Threads that take two locks each, in a circle, again and again.
fn circle(threads: u32) -> Program {
    let thread = |number| {
        let next = (number + 1) % threads;
        vec![
            Lock(number),
            Lock(next),
            Add(0, 1),
            Unlock(next),
            Unlock(number),
            Goto(0),
        ]
    };
    Program {
        threads: (0..threads).map(thread).collect(),
        variables: vec![0],
        locks: threads,
        ..Program::default()
    }
}

/// A deadlock of a circle that comes about after so many rounds of each thread.
fn late_deadlock(threads: u32, rounds: usize) -> Violation {
    let round = |thread: u32| std::iter::repeat_n(thread, 6 * rounds);
    let steps = (0..threads).flat_map(round).chain(0..threads);
    Violation {
        property: Property::Deadlock((0..threads).map(Thread).collect()),
        schedule: schedule(&steps.collect::<Vec<u32>>()),
    }
}

#[test]
fn a_long_schedule_to_a_deadlock_becomes_a_short_one_within_a_small_budget() {
    let program = circle(9);
    let late = late_deadlock(9, 40);
    replay(&program, &late.schedule, &late.property).expect("it is a violation");
    // Each thread takes its first lock; the variable keeps states apart, so that neither of the
    // exact searches gets that far.
    let short = shortened(&program, &late, 20_000);
    assert_eq!(
        cost(&short.violation.schedule),
        Cost {
            switches: 8,
            steps: 9
        }
    );
    assert!(!short.is_shortest, "nobody knows");
    let known = shortened(&circle(3), &late_deadlock(3, 40), 20_000);
    assert_eq!(known.violation.schedule, schedule(&[0, 1, 2]));
    assert!(known.is_shortest);
}

#[test]
fn a_long_schedule_to_a_fault_becomes_one_with_the_fewest_steps() {
    // Whoever adds last may be any of them, so there are many ways with few switches.
    let mut program = circle(5);
    program.threads.push(vec![Assert(0, 0)]);
    let mut steps: Vec<u32> = (0..5).flat_map(|it| [it; 60]).collect();
    steps.push(5);
    let property = find(&program, Order::BreadthFirst).property;
    let late = Violation {
        property,
        schedule: schedule(&steps),
    };
    let short = shortened(&program, &late, 20_000);
    assert_eq!(short.violation.schedule, schedule(&[0, 0, 0, 5]));
    assert!(short.is_shortest);
}

/// Counts how often it is asked, and wants an end at once.
struct Hurried(u64);

impl Monitor for Hurried {
    fn tick(&mut self, _: &Progress) -> Option<Reason> {
        self.0 += 1;
        Some(Reason::Interrupted)
    }
}

#[test]
fn shortening_ends_when_the_monitor_says_so_or_memory_is_used_up() {
    let (program, late) = (circle(9), late_deadlock(9, 40));
    let mut monitor = Hurried(0);
    let budget = Budget {
        steps: u64::MAX,
        words: 1 << 30,
    };
    let stopped = shorten_within(&program, &late, budget, &mut monitor);
    assert_eq!(monitor.0, 1);
    assert_eq!(stopped.violation, late);
    assert!(!stopped.is_shortest);
    let budget = Budget {
        steps: 20_000,
        words: 100,
    };
    let short = shorten_within(&program, &late, budget, &mut ());
    assert!(!short.is_shortest);
    replay(&program, &short.violation.schedule, &late.property).expect("it replays");
}

#[test]
fn an_outline_says_what_is_violated_and_by_whom() {
    let program = Program::crossed_locks();
    let trace = replay(&program, &schedule(&[0, 1]), &crossed()).expect("it replays");
    let outlined = outline(&program, &schedule(&[0, 1]), &crossed()).expect("it replays");
    assert_eq!(outlined.property, trace.property);
    assert_eq!(outlined.threads, trace.threads);
    assert_eq!(outlined.waiting, trace.waiting);
    assert!(outlined.steps.is_empty());
    assert!(outline(&program, &schedule(&[0]), &crossed()).is_err());
}

#[test]
fn executions_without_an_end_are_found_in_small_graphs() {
    let ask = |program: &Program, most| endless(program, most, &mut (), |_, thread| Some(thread));
    // Different ways to the same state are no cycle.
    assert_eq!(ask(&Program::crossed_locks(), 1000), Endless::Never);
    let round = |thread: Vec<Op>| Program {
        threads: vec![vec![Add(0, 1)], thread],
        variables: vec![0],
        locks: 1,
        ..Program::default()
    };
    let spinning = round(vec![Lock(0), Unlock(0), Goto(0)]);
    assert_eq!(ask(&spinning, 1000), Endless::Found(Thread(1)));
    assert_eq!(ask(&spinning, 1), Endless::Unknown);
    let growing = round(vec![Add(0, 1), Goto(0)]);
    assert_eq!(ask(&growing, 1000), Endless::Unknown);
    let mut hurried = Hurried(0);
    let found = endless(&spinning, 1000, &mut hurried, |_, thread| Some(thread));
    assert_eq!(found, Endless::Unknown);
    let not_by = |_: &_, thread| (thread != Thread(1)).then_some(thread);
    let found = endless(&spinning, 1000, &mut (), not_by);
    assert_eq!(found, Endless::Never, "what does not matter is passed over");
}
