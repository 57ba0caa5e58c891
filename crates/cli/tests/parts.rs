//! `--preemptions` and `--random-walks`, for every language.

use crate::java_runs;

use java_runs::forms::told;
use java_runs::jdk;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

fn checked(file: &str, flags: &[&str]) -> (Option<i32>, Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(file);
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.arg("check").arg(path).arg("--json").args(flags);
    if file.ends_with(".java") {
        command.arg("--jdk").arg(jdk());
    }
    let done = command.output().expect("raddle runs");
    (done.status.code(), told(&done))
}

const LOST: &str = "tests/java-check/patterns/LostUpdate.java";
const COUNTER: &str = "tests/java-check/monitors/SyncCounter.java";

#[test]
fn a_lost_update_in_java_needs_one_preemption() {
    let (code, told) = checked(LOST, &["--preemptions", "0"]);
    assert_eq!(code, Some(2), "{told:#}");
    assert_eq!(told["reasons"][0]["name"], "partial", "{told:#}");
    let (code, told) = checked(LOST, &["--preemptions", "1"]);
    assert_eq!(code, Some(1), "{told:#}");
    assert_eq!(told["kind"], "assertion");
}

#[test]
fn random_executions_of_java_find_it_and_prove_nothing() {
    let (code, told) = checked(LOST, &["--random-walks", "200", "--seed", "5"]);
    assert_eq!(code, Some(1), "{told:#}");
    let (code, told) = checked(COUNTER, &["--random-walks", "20"]);
    assert_eq!(code, Some(2), "{told:#}");
    let told = told["reasons"].to_string();
    assert!(told.contains("20 random executions"), "{told}");
}

#[test]
fn the_limits_hold_for_java() {
    let (code, told) = checked(COUNTER, &["--max-states", "3"]);
    assert_eq!(
        (code, &told["reasons"][0]["name"]),
        (Some(2), &"states".into())
    );
    let (code, told) = checked(COUNTER, &["--max-depth", "2"]);
    assert_eq!(
        (code, &told["reasons"][0]["name"]),
        (Some(2), &"depth".into())
    );
}

#[test]
fn models_too() {
    let model = "tests/corpus/classics/philosophers.rad";
    let (code, told) = checked(model, &["--preemptions", "0"]);
    assert_eq!(code, Some(2), "{told:#}");
    for flags in [["--preemptions", "5"], ["--random-walks", "2000"]] {
        let (code, told) = checked(model, &flags);
        assert_eq!(code, Some(1), "{flags:?} {told:#}");
        assert_eq!(told["kind"], "deadlock");
    }
}

#[test]
fn of_a_boolean_program_a_part_is_explored_too() {
    let program = "crates/cbp/tests/programs/meeting.cbp";
    let bound = ["--max-threads", "3"];
    assert_eq!(checked(program, &bound).0, Some(0));
    for part in [["--preemptions", "0"], ["--random-walks", "5"]] {
        let flags: Vec<&str> = bound.into_iter().chain(part).collect();
        let (code, told) = checked(program, &flags);
        assert_eq!(code, Some(2), "{told:#}");
        let reasons = told["reasons"].to_string();
        assert!(reasons.contains("partial"), "{told:#}");
    }
}

#[test]
fn parts_have_a_search_of_their_own() {
    let model = "tests/corpus/classics/philosophers.rad";
    for flags in [["--reduction", "auto"], ["--search", "breadth"]] {
        let all: Vec<&str> = ["--preemptions", "2"].into_iter().chain(flags).collect();
        let (code, told) = checked(model, &all);
        assert_eq!(code, Some(3), "{told:#}");
    }
}
