//! What one thread does for another.

use crate::common;

use common::{remark, step};
use raddle_model::{Operation, Step, Trace};
use raddle_report::{LinkKind, links};

/// The links of steps: their kind, from and to which step, and by means of what.
fn linked(threads: &[&str], steps: Vec<Step>) -> Vec<(LinkKind, usize, usize, String)> {
    let trace = Trace {
        threads: threads.iter().map(|&name| name.to_owned()).collect(),
        steps,
        ..common::dining()
    };
    let found = links(&trace).into_iter();
    found
        .map(|link| (link.kind, link.from, link.to, link.object))
        .collect()
}

fn does(thread: u32, operation: Operation, object: &str) -> Step {
    step(thread, 1, &[(operation, object, None)])
}

#[test]
fn a_lock_goes_from_hand_to_hand() {
    use Operation::{Acquire, Release};
    let found = linked(
        &["a", "b"],
        vec![
            does(0, Acquire, "m"),
            does(0, Release, "m"),
            does(0, Acquire, "m"),
            does(0, Release, "m"),
            does(1, Acquire, "n"),
            does(1, Acquire, "m"),
            does(1, Acquire, "m"),
        ],
    );
    // Neither from a thread to itself, nor of another lock, nor once more.
    assert_eq!(found, [(LinkKind::Release, 3, 5, "m".to_owned())]);
}

#[test]
fn a_wait_gives_the_lock_and_gets_a_notification() {
    use Operation::{Acquire, Notify, Release, Wait, WaitResume};
    let found = linked(
        &["a", "b"],
        vec![
            does(0, Acquire, "m"),
            does(0, Wait, "m"),
            does(1, Acquire, "m"),
            remark(does(1, Notify, "m"), "wakes", "a"),
            does(1, Release, "m"),
            does(0, WaitResume, "m"),
        ],
    );
    let m = "m".to_owned();
    assert_eq!(
        found,
        [
            (LinkKind::Release, 1, 2, m.clone()),
            (LinkKind::Release, 4, 5, m.clone()),
            (LinkKind::Notify, 3, 5, m),
        ]
    );
}

#[test]
fn threads_begin_and_end_for_others() {
    use Operation::{Finish, Join, Read, Start};
    let found = linked(
        &["main", "a", "b"],
        vec![
            does(0, Start, "a"),
            does(0, Start, "b"),
            does(1, Read, "x"),
            does(1, Finish, "a"),
            does(0, Join, "a"),
        ],
    );
    assert_eq!(
        found,
        [
            (LinkKind::Start, 0, 2, String::new()),
            (LinkKind::Join, 3, 4, "a".to_owned()),
            // It has not begun yet.
            (LinkKind::Start, 1, 5, String::new()),
        ]
    );
}

#[test]
fn messages_come_in_the_order_in_which_they_were_sent() {
    use Operation::{Down, Receive, Send, Up};
    let found = linked(
        &["a", "b"],
        vec![
            does(0, Send, "c"),
            does(0, Send, "c"),
            does(1, Receive, "c"),
            does(1, Receive, "c"),
            does(0, Up, "s"),
            does(1, Down, "s"),
            does(1, Down, "s"),
        ],
    );
    let c = "c".to_owned();
    assert_eq!(
        found,
        [
            (LinkKind::Message, 0, 2, c.clone()),
            (LinkKind::Message, 1, 3, c),
            (LinkKind::Signal, 4, 5, "s".to_owned()),
        ]
    );
}

#[test]
fn a_value_comes_from_the_last_that_wrote_it() {
    use Operation::{Read, Update, Write};
    let found = linked(
        &["a", "b"],
        vec![
            does(0, Write, "x"),
            does(1, Write, "x"),
            does(0, Read, "x"),
            step(0, 1, &[(Read, "x", None), (Read, "x", None)]),
            does(0, Update, "x"),
            does(1, Read, "x"),
            does(0, Read, "y"),
        ],
    );
    let x = "x".to_owned();
    let value = |from, to| (LinkKind::Value, from, to, x.clone());
    assert_eq!(found, [value(1, 2), value(1, 3), value(1, 4), value(4, 5)]);
}
