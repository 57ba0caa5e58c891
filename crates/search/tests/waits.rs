//! Who is stuck, and who only waits.

use crate::common;

use common::{Op, Op::*, Program};
use raddle_model::{Properties, Property, System, Thread, Verdict};
use raddle_search::{Config, Order, check, stuck, waits_for};

/// A thread that never ends and never helps anybody.
const SPIN: [Op; 2] = [Add(1, 0), Goto(0)];

fn program(threads: &[&[Op]]) -> Program {
    Program {
        threads: threads.iter().map(|code| code.to_vec()).collect(),
        variables: vec![0, 0],
        locks: 2,
        semaphores: vec![0],
        ..Program::default()
    }
}

/// The property that both search orders find violated.
fn verdict(program: &Program) -> Option<Property> {
    let mut properties = Order::ALL.into_iter().map(|order| {
        let config = Config {
            order,
            ..Config::default()
        };
        match check(program, &config, &mut ()).verdict {
            Verdict::Violated(violation) => Some(violation.property),
            Verdict::Holds => None,
            Verdict::Unknown(reasons) => panic!("{reasons:?}"),
        }
    });
    let first = properties.next().flatten();
    assert_eq!(properties.next().flatten(), first);
    first
}

fn partial(threads: &[u32]) -> Option<Property> {
    let threads = threads.iter().map(|&thread| Thread(thread)).collect();
    Some(Property::PartialDeadlock(threads))
}

/// The state after these threads made a step each.
fn after(program: &Program, threads: &[u32]) -> common::State {
    let mut state = program.initial().expect("there is one");
    for &thread in threads {
        let stepped = program.step(&mut state, Thread(thread), 0);
        stepped.expect("it is possible");
    }
    state
}

#[test]
fn two_are_deadlocked_while_a_third_spins() {
    let mut program = Program::crossed_locks();
    program.threads.push(SPIN.to_vec());
    program.variables = vec![0, 0];
    assert_eq!(verdict(&program), partial(&[0, 1]));
}

#[test]
fn a_lock_held_by_a_finished_thread_is_never_free() {
    let program = program(&[&[Lock(0)], &[Lock(0), Unlock(0)], &SPIN]);
    // The other order is a deadlock of nobody: only thread 1 can be stuck.
    assert_eq!(verdict(&program), partial(&[1]));
}

#[test]
fn a_lock_helps_nobody_if_its_owner_never_gives_it_back() {
    let selfish = program(&[&[Lock(0), Goto(1)], &[Lock(0)]]);
    let state = after(&selfish, &[0]);
    assert!(waits_for(&selfish, &state, Thread(1)).is_empty());
    assert_eq!(stuck(&selfish, &state), [Thread(1)]);
    let slow = program(&[&[Lock(0), Add(0, 1), Unlock(0)], &[Lock(0)]]);
    let state = after(&slow, &[0]);
    assert_eq!(waits_for(&slow, &state, Thread(1)), [Thread(0)]);
    assert!(stuck(&slow, &state).is_empty());
}

#[test]
fn a_semaphore_that_nobody_can_increment() {
    assert_eq!(verdict(&program(&[&[Down(0)], &SPIN])), partial(&[0]));
    let hope = program(&[&[Down(0)], &SPIN, &[Add(0, 1), Up(0)]]);
    assert_eq!(verdict(&hope), None);
    let mut unknown = program(&[&[Down(0)], &SPIN]);
    unknown.no_future = true;
    assert_eq!(verdict(&unknown), None);
}

#[test]
fn help_that_is_itself_stuck_is_no_help() {
    // Thread 1 would increment the semaphore, after it got the lock of thread 0.
    let program = program(&[&[Lock(0), Down(0), Unlock(0)], &[Lock(0), Up(0)], &SPIN]);
    let state = after(&program, &[0]);
    assert_eq!(stuck(&program, &state), [Thread(0), Thread(1)]);
    assert_eq!(waits_for(&program, &state, Thread(0)), [Thread(1)]);
    assert_eq!(waits_for(&program, &state, Thread(1)), [Thread(0)]);
}

#[test]
fn help_can_come_through_others() {
    let program = program(&[&[Down(0)], &[Await(0, 1), Up(0)], &[Add(1, 1), Add(0, 1)]]);
    let state = after(&program, &[]);
    assert!(stuck(&program, &state).is_empty());
    assert_eq!(verdict(&program), None);
}

#[test]
fn a_condition_that_nobody_writes() {
    assert_eq!(verdict(&program(&[&[Await(0, 1)], &SPIN])), partial(&[0]));
    let hope = program(&[&[Await(0, 1)], &[Add(0, 1), Goto(2)]]);
    assert_eq!(verdict(&hope), None);
}

#[test]
fn joins_wait_for_one_thread() {
    let cycle = program(&[&[Join(1)], &[Join(0)], &SPIN]);
    assert_eq!(verdict(&cycle), partial(&[0, 1]));
    let fine = program(&[&[Join(1)], &[Add(0, 1)]]);
    assert_eq!(verdict(&fine), None);
    let spins = program(&[&[Join(1)], &SPIN]);
    assert_eq!(verdict(&spins), None);
}

#[test]
fn a_lost_notification() {
    let lost = program(&[
        &[Lock(0), Wait(0), Unlock(0)],
        &[Lock(0), Notify(0), Unlock(0)],
        &SPIN,
    ]);
    assert_eq!(verdict(&lost), partial(&[0]));
    // Notified, it waits for the owner of the lock only.
    let state = after(&lost, &[0, 0]);
    assert_eq!(waits_for(&lost, &state, Thread(0)), [Thread(1)]);
    let state = after(&lost, &[0, 0, 1, 1]);
    assert_eq!(waits_for(&lost, &state, Thread(0)), [Thread(1)]);
    assert!(stuck(&lost, &state).is_empty());
    // A free lock is no help to one who was not notified.
    let release_only = program(&[
        &[Lock(0), Wait(0), Unlock(0)],
        &[Lock(0), Unlock(0), Goto(0)],
    ]);
    assert_eq!(verdict(&release_only), partial(&[0]));
}

#[test]
fn daemons_may_wait_for_ever() {
    let mut all_blocked = program(&[&[Down(0)], &[Add(0, 1)]]);
    assert_eq!(verdict(&all_blocked), partial(&[0]));
    all_blocked.daemons = vec![0];
    assert_eq!(verdict(&all_blocked), None);

    let mut with_others = Program::crossed_locks();
    with_others.daemons = vec![0];
    let both = Property::Deadlock(vec![Thread(0), Thread(1)]);
    assert_eq!(verdict(&with_others), Some(both));
}

#[test]
fn without_the_check_for_partial_deadlocks_they_end_as_deadlocks() {
    let program = program(&[&[Down(0)], &[Add(0, 1)]]);
    let config = Config {
        properties: Properties {
            partial_deadlock: false,
            ..Properties::ALL
        },
        ..Config::default()
    };
    let Verdict::Violated(violation) = check(&program, &config, &mut ()).verdict else {
        panic!("it deadlocks");
    };
    assert_eq!(violation.property, Property::Deadlock(vec![Thread(0)]));
}
