//! Large thread transition systems, of the size of files that were made from nets: 27,000
//! transitions of a net over a few hundred places are 54,000 shared states.
//!
//! Whatever grows faster than the file takes minutes here, or gigabytes.

#![allow(clippy::unwrap_used)]

use raddle_cover::formats::tts;
use raddle_cover::{Answer, Decision, Net, Unwatched, check_run, check_safe, decide};
use std::fmt::Write;

const LOCAL: usize = 300;
const MEETINGS: usize = 27_000;

/// Threads meet: one goes from a local state to the next one if another is a bit behind it.
/// Each meeting passes two shared states of its own. The hub is shared state 0.
fn meetings(gap: usize) -> Net {
    let mut text = format!("{} {LOCAL}\n", 2 * MEETINGS + 1);
    for meeting in 0..MEETINGS {
        let at = meeting % (LOCAL - 1);
        let behind = at.saturating_sub(meeting / LOCAL % 7);
        let after = if at == gap { at } else { at + 1 };
        let (first, second) = (2 * meeting + 1, 2 * meeting + 2);
        writeln!(text, "0 {at} -> {first} {after}").unwrap();
        writeln!(text, "{first} {behind} -> {second} {behind}").unwrap();
        writeln!(text, "{second} 0 -> 0 0").unwrap();
    }
    let target = format!("0|{}", LOCAL - 1);
    tts::parse(&text, Some(&target), None).unwrap().net
}

#[track_caller]
fn decided(net: &Net) -> Decision {
    let verdict = decide(net, &Unwatched);
    // What happens in between is of no interest.
    assert!(verdict.slice.0 <= LOCAL + 1, "{:?}", verdict.slice);
    verdict
}

#[test]
fn a_large_system_is_safe() {
    let net = meetings(LOCAL / 2);
    let Answer::Safe(certificate) = decided(&net).answer else {
        panic!("nobody gets beyond the gap");
    };
    assert_eq!(check_safe(&net, &certificate), Ok(()));
}

#[test]
fn a_large_system_is_unsafe() {
    let net = meetings(LOCAL);
    let Answer::Unsafe(run) = decided(&net).answer else {
        panic!("there is no gap");
    };
    assert!(check_run(&net, &run).is_ok());
    assert!(run.firings.len() >= 3 * (LOCAL - 1));
}
