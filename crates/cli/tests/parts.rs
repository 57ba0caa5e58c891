//! `--preemptions` and `--random-walks`, for every language.

mod java_runs;

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
    let told = String::from_utf8_lossy(&done.stdout);
    let json = serde_json::from_str(&told).unwrap_or_else(|_| panic!("{file}: {done:?}"));
    (done.status.code(), json)
}

const LOST: &str = "tests/java-check/LostUpdate.java";
const COUNTER: &str = "tests/java-check/SyncCounter.java";

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
fn models_and_boolean_programs_too() {
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
fn parts_have_a_search_of_their_own() {
    let model = "tests/corpus/classics/philosophers.rad";
    for flags in [["--reduction", "auto"], ["--search", "breadth"]] {
        let all: Vec<&str> = ["--preemptions", "2"].into_iter().chain(flags).collect();
        let (code, told) = checked(model, &all);
        assert_eq!(code, Some(3), "{told:#}");
    }
}
