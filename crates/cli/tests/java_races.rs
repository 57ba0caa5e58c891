//! Data races of Java programs: each pattern that has one, and each that has none.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::java_runs;
use java_runs::{checked, jdk, programs, raddle};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java-races")
}

/// The races that the comments of a program announce.
fn expected(file: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(file).expect("it is text");
    let races = text
        .lines()
        .filter_map(|line| line.strip_prefix("// race: "));
    races.map(str::to_owned).collect()
}

/// The races that were told, in the form of the comments.
fn told(json: &Value) -> BTreeSet<String> {
    let races = json["races"].as_array().expect("a list of races");
    let access = |it: &Value| {
        let operation = it["operation"].as_str().unwrap_or_default();
        format!("{} {operation}", it["place"]["line"])
    };
    let race = |it: &Value| {
        let variable = it["variable"].as_str().unwrap_or_default();
        let [first, second] = [&it["accesses"][0], &it["accesses"][1]].map(access);
        format!("{variable} {first}, {second}")
    };
    races.iter().map(race).collect()
}

#[test]
fn exactly_the_races_are_told() {
    let mut racy = 0;
    for (file, verdict) in programs(&folder(), 25) {
        let (kind, json) = checked(&file, &[]);
        assert_eq!(kind, verdict, "{}: {json:#}", file.display());
        let races = expected(&file);
        racy += usize::from(!races.is_empty());
        assert_eq!(told(&json), races, "{}: {json:#}", file.display());
    }
    assert!(racy >= 12, "{racy} programs with races");
}

#[test]
fn whoever_visits_all_states_sees_the_same_races() {
    for name in [
        "PlainCounter",
        "HalfLocked",
        "WrongLock",
        "UnsafePublication",
        "ArrayElement",
        "PlainHandle",
        "Synchronized",
        "VolatileFlag",
    ] {
        let file = folder().join(name).with_extension("java");
        for reduction in ["none", "local", "optimistic", "sleep"] {
            let flags = ["--no-partial-deadlock", "--reduction", reduction];
            let (_, json) = checked(&file, &flags);
            assert_eq!(told(&json), expected(&file), "{name} {reduction}: {json:#}");
        }
    }
}

#[test]
fn races_are_violations_if_that_is_asked_for() {
    for (file, verdict) in programs(&folder(), 25) {
        let races = expected(&file);
        let (kind, json) = checked(&file, &["--races"]);
        if races.is_empty() {
            assert_eq!(kind, verdict, "{}: {json:#}", file.display());
            continue;
        }
        assert_eq!(kind, "race", "{}: {json:#}", file.display());
        // Both lines are named, and they are those of a race that was announced.
        let message = json["message"].as_str().unwrap_or_default();
        let is_it = |race: &&String| {
            let (_, accesses) = race.split_once(' ').expect("a variable");
            let mut words = accesses.split([' ', ',']).filter(|word| !word.is_empty());
            let lines = words.by_ref().filter(|word| word.parse::<u32>().is_ok());
            lines
                .into_iter()
                .all(|line| message.contains(&format!(".java:{line}")))
        };
        assert!(races.iter().any(|race| is_it(&race)), "{message}");
        assert!(json["races"].as_array().is_some_and(Vec::is_empty));
    }
}

#[test]
fn a_reduction_that_skips_states_says_so() {
    let file = folder().join("StartJoin.java");
    let flags = ["--no-partial-deadlock", "--reduction", "dpor"];
    let (kind, json) = checked(&file, &flags);
    assert_eq!(kind, "holds");
    let remarks = json["remarks"].to_string();
    assert!(remarks.contains("data races were looked for"), "{remarks}");
    let refused = raddle()
        .arg("check")
        .arg(&file)
        .arg("--races")
        .args(flags)
        .arg("--jdk")
        .arg(jdk())
        .output()
        .expect("raddle runs");
    assert_eq!(refused.status.code(), Some(3));
    let complaint = String::from_utf8_lossy(&refused.stderr);
    assert!(complaint.contains("races"), "{complaint}");
}

#[test]
fn a_warning_names_both_lines() {
    let file = folder().join("HalfLocked.java");
    let done = raddle()
        .arg("check")
        .arg(&file)
        .args(["--width", "200", "--jdk"])
        .arg(jdk())
        .output()
        .expect("raddle runs");
    let text = String::from_utf8_lossy(&done.stdout);
    let expected = "warning: data race on HalfLocked.value: HalfLocked.java:10 (Thread-0, write) \
                    and HalfLocked.java:14 (main, read); the verdict assumes sequential consistency";
    assert!(text.contains(expected), "{text}");
}
