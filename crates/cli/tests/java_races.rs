//! Data races of Java programs: each pattern that has one, and each that has none.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::java_runs;
use java_runs::{check, checked, compiled, programs};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java-races")
}

/// Checks a program, all of which were compiled together. Their sources are elsewhere.
fn checked_class(file: &Path, flags: &[&str]) -> (String, Value) {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    let classes = CLASSES.get_or_init(|| compiled(&folder()));
    let class = classes.join(file.with_extension("class").file_name().expect("a name"));
    let source = file.display().to_string();
    checked(&class, &[&["--sources", &source], flags].concat())
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
        let (kind, json) = checked_class(&file, &[]);
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
        "MixedUnderLocks",
        "SetPlain",
        "Opaque",
        "ClearedReference",
    ] {
        let file = folder().join(name).with_extension("java");
        for reduction in ["none", "local", "optimistic", "sleep"] {
            let flags = ["--no-partial-deadlock", "--reduction", reduction];
            let (_, json) = checked_class(&file, &flags);
            assert_eq!(told(&json), expected(&file), "{name} {reduction}: {json:#}");
        }
    }
}

#[test]
fn races_are_violations_if_that_is_asked_for() {
    for (file, verdict) in programs(&folder(), 25) {
        let races = expected(&file);
        let (kind, json) = checked_class(&file, &["--races"]);
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
    let refused = check(&file, &[&["--races"], &flags[..]].concat());
    assert_eq!(refused.status.code(), Some(3));
    let complaint = String::from_utf8_lossy(&refused.stderr);
    assert!(complaint.contains("races"), "{complaint}");
}

#[test]
fn a_warning_names_both_lines() {
    let file = folder().join("HalfLocked.java");
    let done = check(&file, &["--width", "200"]);
    let text = String::from_utf8_lossy(&done.stdout);
    let expected = "warning: data race on HalfLocked.value: HalfLocked.java:10 (Thread-0, write) \
                    and HalfLocked.java:14 (main, read)\n";
    assert!(text.contains(expected), "{text}");
    let open = "\nNot covered: what data races allow beyond sequential consistency\n";
    assert!(text.contains(open), "{text}");
}

/// A program that holds and has a race: whoever asks for the verdict only, or for a file, reads of
/// the race as well.
#[test]
fn a_warning_is_in_every_report() {
    let file = folder().join("HalfLocked.java");
    let scratch = java_runs::scratch("races-reported");
    let (sarif, junit) = (scratch.join("found.sarif"), scratch.join("found.xml"));
    let [log, cases] = [&sarif, &junit].map(|file| file.display().to_string());
    let flags = ["-q", "--width", "200", "--sarif", &log, "--junit", &cases];
    let done = check(&file, &flags);
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    let race = "data race on HalfLocked.value: HalfLocked.java:10 (Thread-0, write) and \
                HalfLocked.java:14 (main, read)";
    let quiet = String::from_utf8_lossy(&done.stdout);
    assert!(quiet.contains(&format!("warning: {race}\n")), "{quiet}");
    let junit = std::fs::read_to_string(&junit).expect("it is written");
    let unwrapped = junit.replace("\n  ", " ");
    assert!(unwrapped.contains(&format!("warning: {race}\n")), "{junit}");
    assert!(junit.contains("failures=\"0\" errors=\"0\""), "{junit}");
    let log = std::fs::read_to_string(&sarif).expect("it is written");
    let log: Value = serde_json::from_str(&log).expect("JSON");
    java_runs::forms::valid_sarif(&log);
    let results = log["runs"][0]["results"].as_array().expect("results");
    let told = |it: &&Value| it["message"]["text"] == race;
    let result = results.iter().find(told).expect("the race is a result");
    assert_eq!(result["level"], "warning");
    assert_eq!(result["ruleId"], "race");
    let line = |location: &Value| location["physicalLocation"]["region"]["startLine"].clone();
    assert_eq!(line(&result["locations"][0]), 10);
    assert_eq!(line(&result["relatedLocations"][0]), 14);
}

#[test]
fn a_weak_mode_is_named_with_its_line() {
    let file = folder().join("DekkerReleased.java");
    for flags in [&[] as &[&str], &["--races"], &["--reduction", "none"]] {
        let flags = [flags, &["--memory-model", "sc"]].concat();
        let (kind, json) = checked(&file, &flags);
        assert_eq!(kind, "unknown", "{flags:?}: {json:#}");
        let reasons = json["reasons"].to_string();
        for call in [
            "13: AtomicInteger.setRelease",
            "18: AtomicInteger.getAcquire",
        ] {
            let call = format!("DekkerReleased.java:{call}");
            assert!(reasons.contains(&call), "{flags:?}: {reasons}");
        }
    }
}

#[test]
fn all_reductions_say_alike_whether_weak_modes_matter() {
    let expected = [
        ("DekkerReleased", "unknown"),
        ("AcquireRelease", "holds"),
        ("Fenced", "unknown"),
    ];
    for (name, expected) in expected {
        let file = folder().join(name).with_extension("java");
        for reduction in ["none", "transactions", "dpor", "cartesian"] {
            let flags = [
                "--no-partial-deadlock",
                "--no-deadlock",
                "--memory-model",
                "sc",
                "--reduction",
                reduction,
            ];
            let (kind, json) = checked_class(&file, &flags);
            assert_eq!(kind, expected, "{name} {reduction}: {json:#}");
        }
    }
}

#[test]
fn races_of_the_library_that_may_hide_others_are_named() {
    let file = folder().join("ClearedReference.java");
    let (_, json) = checked(&file, &[]);
    let remarks = json["remarks"].to_string();
    assert!(remarks.contains("WeakReference.referent"), "{remarks}");
}

#[test]
fn a_trace_says_that_a_weak_compare_and_set_fails() {
    let file = folder().join("../java-check/atomics/WeakFails.java");
    let done = check(&file, &["--width", "200"]);
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(text.contains("fails spuriously"), "{text}");
}
