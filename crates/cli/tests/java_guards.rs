//! Lock disciplines of Java programs: what is assumed, what is said from outside, and that
//! nothing is lost by it.

use serde_json::Value;
use std::path::{Path, PathBuf};

use crate::java_runs;
use java_runs::{checked, compiled, jdk, programs, raddle};
use std::sync::OnceLock;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java-guards")
}

/// The class of a program.
fn program(name: &str) -> PathBuf {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    let classes = CLASSES.get_or_init(|| compiled(&folder()));
    classes.join(name).with_extension("class")
}

fn states(told: &Value) -> u64 {
    told["statistics"]["states"].as_u64().expect("a number")
}

#[test]
fn every_grain_gives_the_expected_verdict() {
    for (file, expected) in programs(&folder(), 10) {
        let name = file.file_stem().and_then(|name| name.to_str());
        let file = program(name.expect("files have names"));
        for row in ["none", "local", "optimistic", "transactions", "auto"] {
            let (kind, told) = checked(&file, &["--reduction", row]);
            assert_eq!(kind, expected, "{} {row}: {told:#}", file.display());
        }
    }
}

/// What a program is for: the states without and with the assumption that makes it cheap.
#[test]
fn what_is_guarded_makes_no_states() {
    for (name, row) in [
        ("Disciplined", "optimistic"),
        ("InnerAndOuter", "optimistic"),
        ("ElementOfEach", "optimistic"),
        ("CollectionGuarded", "optimistic"),
        ("LibraryLock", "optimistic"),
        ("NestedOrder", "local"),
    ] {
        let all = ["--all", "--reduction"];
        let (_, more) = checked(&program(name), &[&all[..], &["none"]].concat());
        let (_, fewer) = checked(&program(name), &[&all[..], &[row]].concat());
        let (more, fewer) = (states(&more), states(&fewer));
        assert!(fewer < more, "{name}: {fewer} of {more}");
    }
}

#[test]
fn the_strict_discipline_is_broken_or_not() {
    let strict = ["--discipline", "strict"];
    for name in [
        "Disciplined",
        "InnerAndOuter",
        "ElementOfEach",
        "LibraryLock",
        "CollectionGuarded",
    ] {
        let (kind, told) = checked(&program(name), &strict);
        assert_eq!(kind, "holds", "{name}: {told:#}");
    }
    let (kind, told) = checked(&program("Undisciplined"), &strict);
    assert_eq!(kind, "discipline", "{told:#}");
    let message = told.to_string();
    assert!(message.contains("Undisciplined.value"), "{message}");
}

/// Runs with a profile.
fn with_profile(name: &str, profile: &str) -> (Option<i32>, String) {
    let words = profile.replace(|letter: char| !letter.is_alphanumeric(), "-");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{words}-profile"));
    std::fs::write(&path, profile).expect("it is written");
    let done = raddle()
        .arg("check")
        .arg(program(name))
        .arg("--jdk")
        .arg(jdk())
        .arg("--profile")
        .arg(&path)
        .output()
        .expect("raddle runs");
    let told = [done.stdout, done.stderr].concat();
    let told = String::from_utf8_lossy(&told);
    // Lines are broken where they are full.
    let words: Vec<&str> = told.split_whitespace().collect();
    (done.status.code(), words.join(" "))
}

#[test]
fn what_is_said_of_classes_is_checked_or_named() {
    let (code, told) = with_profile("Undisciplined", "unshared Undisciplined");
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("declared unshared"), "{told}");
    let (code, told) = with_profile("Undisciplined", "atomic Undisciplined");
    assert_eq!(code, Some(0), "{told}");
    assert!(
        told.contains("Undisciplined are taken for single"),
        "{told}"
    );
    let (code, told) = with_profile("Undisciplined", "# fine\natomc Undisciplined");
    assert_eq!(code, Some(3), "{told}");
    assert!(told.contains("profile:2"), "{told}");
}

#[test]
fn annotations_say_the_same_in_the_source() {
    let (kind, told) = checked(&program("SaidAtomic"), &[]);
    assert_eq!(kind, "holds", "{told:#}");
    let told = told.to_string();
    assert!(told.contains("SaidAtomic$Counter are taken for"), "{told}");
    let (kind, told) = checked(&program("SaidUnshared"), &[]);
    assert_eq!(kind, "discipline", "{told:#}");
    assert!(told.to_string().contains("declared unshared"), "{told}");
}

#[test]
fn the_library_is_trusted_only_if_that_is_said() {
    let (kind, exact) = checked(&program("LibraryLock"), &[]);
    assert_eq!(kind, "holds");
    let (kind, trusted) = checked(&program("LibraryLock"), &["--library", "trusted"]);
    assert_eq!(kind, "holds");
    assert!(states(&trusted) < states(&exact), "{trusted:#}");
    let told = |json: &Value| json.to_string().contains("java.util.concurrent");
    assert!(told(&trusted) && !told(&exact), "{trusted:#}");
}
