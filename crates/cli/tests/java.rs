//! Java programs with expected verdicts, under every search that is possible for them.

use std::path::{Path, PathBuf};
use std::process::Command;

mod java_runs;
use java_runs::{checked, jdk};

fn programs() -> Vec<(PathBuf, String)> {
    java_runs::programs(&folder(), 20)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java-check")
}

#[test]
fn every_interleaving_gives_the_expected_verdict() {
    for (file, expected) in programs() {
        let (kind, told) = checked(&file, &[]);
        assert_eq!(kind, expected, "{}: {told:#}", file.display());
    }
}

#[test]
fn reductions_agree() {
    for (file, expected) in programs() {
        // Threads that are stuck beside others are found by full search only; and without a
        // store, what the library does takes long.
        let text = std::fs::read_to_string(&file).expect("it is text");
        let is_printing = text.contains("printf");
        if expected == "partial-deadlock"
            || is_printing
            || text.contains("java.util") && expected == "holds"
        {
            continue;
        }
        for reduction in ["sleep", "dpor"] {
            let flags = ["--no-partial-deadlock", "--reduction", reduction];
            let (kind, told) = checked(&file, &flags);
            let reasons = told["reasons"].to_string();
            let is_refused = reasons.contains("cycles") || reasons.contains("this reduction");
            assert!(
                kind == expected || kind == "unknown" && is_refused,
                "{} {reduction}: {told:#}",
                file.display()
            );
        }
    }
}

#[test]
fn breadth_first_search_agrees() {
    for (file, expected) in programs() {
        // What the library does takes too long for that.
        let text = std::fs::read_to_string(&file).expect("it is text");
        if text.contains("java.util") || text.contains("printf") {
            continue;
        }
        let (kind, told) = checked(&file, &["--search", "breadth-first"]);
        assert_eq!(kind, expected, "{}: {told:#}", file.display());
    }
}

#[test]
fn what_is_said_of_steps_is_true() {
    for (file, expected) in programs() {
        // What the library does takes too many states for that.
        let text = std::fs::read_to_string(&file).expect("it is text");
        if text.contains("java.util") || text.contains("printf") {
            continue;
        }
        let (kind, told) = checked(&file, &["--paranoid"]);
        assert_eq!(kind, expected, "{}: {told:#}", file.display());
    }
}

#[test]
fn a_trace_is_told_in_source_lines() {
    let (kind, told) = checked(&folder().join("LostUpdate.java"), &[]);
    assert_eq!(kind, "assertion");
    let line = told["place"]["line"].as_u64();
    assert_eq!(line, Some(10), "{told:#}");
    let text = told.to_string();
    assert!(text.contains("LostUpdate.balance"), "{told:#}");
}

#[test]
fn what_is_not_for_java_is_refused() {
    let file = folder().join("LostUpdate.java");
    for flags in [["--reduction", "cartesian"], ["--reduction", "persistent"]] {
        let done = Command::new(env!("CARGO_BIN_EXE_raddle"))
            .arg("check")
            .arg(&file)
            .args(flags)
            .output()
            .expect("raddle runs");
        assert_eq!(done.status.code(), Some(3), "{flags:?}");
    }
}

#[test]
fn what_does_not_compile_is_bad_input() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("Broken.java");
    std::fs::write(&file, "public class Broken { int }").expect("a file");
    let done = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .arg("check")
        .arg(&file)
        .arg("--jdk")
        .arg(jdk())
        .output()
        .expect("raddle runs");
    assert_eq!(done.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&done.stderr).contains("Broken.java:1"));
}
