//! Several Java programs that talk through sockets, with expected verdicts, under every search
//! that is possible for them.

use std::path::{Path, PathBuf};

mod java_runs;
use java_runs::checked_with;

/// The flags with which each system is checked, and what is expected of it. The first line of
/// `processes.txt` is that, and the others are its processes.
fn systems() -> Vec<(Vec<String>, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java-processes");
    let entries = std::fs::read_dir(folder).expect("the systems are there");
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    folders.sort();
    assert!(folders.len() >= 12, "{} systems", folders.len());
    let read = |folder: &PathBuf| {
        let told = std::fs::read_to_string(folder.join("processes.txt")).expect("it is text");
        let mut lines = told.lines();
        let expected = lines.next().expect("there is a first line").to_owned();
        let process = |line: &str| {
            let program = folder.join(line);
            ["--process".to_owned(), program.display().to_string()]
        };
        (lines.flat_map(process).collect(), expected)
    };
    folders.iter().map(read).collect()
}

fn checked(flags: &[String], more: &[&str]) -> (String, serde_json::Value) {
    let more = more.iter().map(|&flag| flag.to_owned());
    let flags: Vec<String> = flags.iter().cloned().chain(more).collect();
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    checked_with(&flags)
}

#[test]
fn several_processes_give_the_expected_verdict() {
    for (flags, expected) in systems() {
        for reduction in ["none", "local", "optimistic", "transactions"] {
            let (kind, told) = checked(&flags, &["--reduction", reduction]);
            assert_eq!(kind, expected, "{flags:?} {reduction}: {told:#}");
        }
    }
}

#[test]
fn reductions_without_a_store_agree() {
    let mut proofs = 0;
    for (flags, expected) in systems() {
        for reduction in ["sleep", "dpor", "invisible-first"] {
            let more = ["--no-partial-deadlock", "--reduction", reduction];
            let (kind, told) = checked(&flags, &more);
            let reasons = told["reasons"].to_string();
            let is_refused = reasons.contains("cycles") || reasons.contains("this reduction");
            assert!(
                kind == expected || kind == "unknown" && is_refused,
                "{flags:?} {reduction}: {told:#}"
            );
            proofs += u32::from(kind == "holds");
        }
    }
    assert!(proofs >= 3, "{proofs} proofs");
}

#[test]
fn without_deadlocks_the_cartesian_reduction_agrees() {
    for (flags, _) in systems() {
        let kind = |reduction| {
            let more = ["--no-deadlock", "--no-partial-deadlock", "--reduction"];
            checked(&flags, &[&more[..], &[reduction]].concat()).0
        };
        assert_eq!(kind("cartesian"), kind("local"), "{flags:?}");
    }
}

#[test]
fn what_is_said_of_sockets_is_true() {
    for (flags, expected) in systems() {
        let (kind, told) = checked(&flags, &["--paranoid", "--reduction", "local"]);
        assert_eq!(kind, expected, "{flags:?}: {told:#}");
    }
}

#[test]
fn processes_are_told_apart_and_deadlocks_between_them_explained() {
    let systems = systems();
    let is_it = |flags: &[String]| flags.iter().any(|flag| flag.contains("both-read"));
    let (flags, _) = systems
        .iter()
        .find(|(flags, _)| is_it(flags))
        .expect("it is there");
    let (_, told) = checked(flags, &[]);
    let told = told.to_string();
    for wanted in ["Left:main", "Right:main", "stream from port"] {
        assert!(told.contains(wanted), "{wanted}: {told}");
    }
}
