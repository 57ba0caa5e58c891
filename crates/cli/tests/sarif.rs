//! `--sarif`: what is written is what the schema of SARIF 2.1.0 asks for, and more that it cannot
//! ask for: numbers that fit together, and orders.

use crate::java_runs;

use java_runs::{forms, jdk};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Checks a program of the repository, and reads what was written.
fn written(name: &str, file: &str, flags: &[&str]) -> (Option<i32>, Value) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.sarif"));
    let _ = std::fs::remove_file(&path);
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command
        .current_dir(root())
        .args(["check", file, "--quiet", "--sarif"])
        .arg(&path)
        .args(flags);
    if file.contains("java") {
        command.arg("--jdk").arg(jdk());
    }
    let done = command.output().expect("raddle runs");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{done:?}"));
    let log = serde_json::from_str(&text).expect("JSON");
    valid_log(&log);
    forms::valid_sarif(&log);
    (done.status.code(), log)
}

/// An object with properties that are known, and some that have to be there. The schema allows
/// no others.
fn object<'a>(value: &'a Value, needed: &[&str], allowed: &[&str]) -> &'a Value {
    let map = value
        .as_object()
        .unwrap_or_else(|| panic!("no object: {value:#}"));
    for name in needed {
        assert!(map.contains_key(*name), "{name} is missing: {value:#}");
    }
    for name in map.keys() {
        let known = needed.contains(&name.as_str()) || allowed.contains(&name.as_str());
        assert!(known, "{name} is not known: {value:#}");
    }
    value
}

/// The violations of a log.
fn errors(log: &Value) -> Vec<&Value> {
    let results = list(&log["runs"][0]["results"]).iter();
    results.filter(|it| it["level"] == "error").collect()
}

fn list(value: &Value) -> &[Value] {
    value
        .as_array()
        .unwrap_or_else(|| panic!("no list: {value:#}"))
}

fn valid_message(value: &Value) {
    let text = object(value, &["text"], &[])["text"].as_str();
    assert!(text.is_some_and(|text| !text.is_empty()));
}

fn valid_level(value: &Value) {
    let level = value.as_str().unwrap_or_default();
    assert!(
        ["none", "note", "warning", "error"].contains(&level),
        "{value}"
    );
}

fn valid_location(value: &Value) {
    object(value, &[], &["physicalLocation", "message"]);
    if let Some(message) = value.get("message") {
        valid_message(message);
    }
    let Some(physical) = value.get("physicalLocation") else {
        return;
    };
    object(physical, &["artifactLocation", "region"], &[]);
    let uri = &object(&physical["artifactLocation"], &["uri"], &[])["uri"];
    let uri = uri.as_str().expect("a text");
    assert!(
        !uri.is_empty() && uri.is_ascii() && !uri.contains([' ', '\\']),
        "{uri}"
    );
    let region = object(&physical["region"], &["startLine", "startColumn"], &[]);
    assert!(region["startLine"].as_u64().is_some_and(|line| line >= 1));
    assert!(
        region["startColumn"]
            .as_u64()
            .is_some_and(|column| column >= 1)
    );
}

fn valid_result(result: &Value, rules: &[Value]) {
    let needed = ["ruleId", "ruleIndex", "level", "message", "locations"];
    object(result, &needed, &["relatedLocations", "codeFlows"]);
    let index = result["ruleIndex"].as_u64().expect("a number") as usize;
    assert_eq!(rules[index]["id"], result["ruleId"]);
    valid_level(&result["level"]);
    valid_message(&result["message"]);
    list(&result["locations"]).iter().for_each(valid_location);
    list(&result["relatedLocations"])
        .iter()
        .for_each(valid_location);
    let mut orders = Vec::new();
    // A warning is no execution.
    let flows = result.get("codeFlows").map_or(&[][..], list);
    assert_eq!(flows.is_empty(), result["level"] == "warning");
    for flow in flows {
        valid_message(&object(flow, &["threadFlows"], &["message"])["message"]);
        let threads = list(&flow["threadFlows"]);
        assert!(!threads.is_empty());
        for thread in threads {
            object(thread, &["id", "locations"], &[]);
            let steps = list(&thread["locations"]);
            assert!(!steps.is_empty());
            for step in steps {
                valid_location(&object(step, &["location"], &["executionOrder"])["location"]);
                orders.extend(step["executionOrder"].as_u64());
            }
            let own = steps.iter().map(|step| step["executionOrder"].as_u64());
            assert!(own.is_sorted(), "in order: {thread:#}");
        }
    }
    // Each step happens once, one after the other.
    orders.sort_unstable();
    let all: Vec<u64> = (1..=orders.len() as u64).collect();
    assert_eq!(orders, all);
}

fn valid_log(log: &Value) {
    object(log, &["version", "runs"], &["$schema"]);
    assert_eq!(log["version"], "2.1.0");
    let [run] = list(&log["runs"]) else {
        panic!("one run: {log:#}");
    };
    object(run, &["tool", "results"], &["invocations", "columnKind"]);
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let driver = &object(&run["tool"], &["driver"], &[])["driver"];
    object(driver, &["name"], &["semanticVersion", "rules"]);
    let rules = list(&driver["rules"]);
    for rule in rules {
        let allowed = [
            "name",
            "shortDescription",
            "defaultConfiguration",
            "properties",
        ];
        object(rule, &["id"], &allowed);
        valid_message(&rule["shortDescription"]);
        valid_level(&rule["defaultConfiguration"]["level"]);
    }
    let mut ids: Vec<&str> = rules
        .iter()
        .filter_map(|rule| rule["id"].as_str())
        .collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), rules.len(), "a rule has one name");
    for invocation in list(&run["invocations"]) {
        object(
            invocation,
            &["executionSuccessful"],
            &["toolExecutionNotifications"],
        );
        for told in list(&invocation["toolExecutionNotifications"]) {
            valid_message(&object(told, &["message"], &["level"])["message"]);
            valid_level(&told["level"]);
        }
    }
    for result in list(&run["results"]) {
        valid_result(result, rules);
    }
}

#[test]
fn a_failed_assertion_of_a_java_program_is_on_its_line() {
    let (code, log) = written(
        "assertion",
        "tests/java-check/patterns/LostUpdate.java",
        &[],
    );
    assert_eq!(code, Some(1));
    let [result] = errors(&log)[..] else {
        panic!("one result: {log:#}");
    };
    assert_eq!(result["ruleId"], "assertion");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(
        place["artifactLocation"]["uri"],
        "tests/java-check/patterns/LostUpdate.java"
    );
    assert_eq!(place["region"]["startLine"], 11);
    let threads = list(&result["codeFlows"][0]["threadFlows"]);
    let names: Vec<&str> = threads.iter().filter_map(|it| it["id"].as_str()).collect();
    assert_eq!(names, ["main", "Thread-0"]);
    let flow = threads[1].to_string();
    assert!(flow.contains("LostUpdate.balance: 0 -> 1"), "{flow}");
}

#[test]
fn a_deadlock_of_a_model_is_where_threads_wait() {
    let (code, log) = written("deadlock", "tests/corpus/classics/philosophers.rad", &[]);
    assert_eq!(code, Some(1));
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "deadlock");
    let threads = list(&result["codeFlows"][0]["threadFlows"]);
    assert_eq!(threads.len(), 3, "{result:#}");
    let text = std::fs::read_to_string(root().join("tests/corpus/classics/philosophers.rad"));
    let line = result["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64();
    let line = line.expect("a line") as usize;
    let text = text.expect("the program");
    let line = text.lines().nth(line - 1).expect("it is there");
    assert!(line.contains("STUCK"), "{line}");
}

#[test]
fn what_holds_has_no_results_and_what_is_unknown_says_why() {
    let (code, log) = written("holds", "tests/java-check/monitors/SyncCounter.java", &[]);
    assert_eq!(code, Some(0));
    assert!(list(&log["runs"][0]["results"]).is_empty());
    let flags = ["--max-states", "3"];
    let (code, log) = written(
        "unknown",
        "tests/java-check/monitors/SyncCounter.java",
        &flags,
    );
    assert_eq!(code, Some(2));
    let told = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(told["level"], "warning");
    assert_eq!(told["message"]["text"], "limit of 3 states reached");
}

#[test]
fn all_violations_are_in_one_log() {
    let (code, log) = written("tests", "tests/java-junit", &["--class", "AccountTest"]);
    assert_eq!(code, Some(1));
    let results = errors(&log);
    let kinds: Vec<&str> = results
        .iter()
        .filter_map(|it| it["ruleId"].as_str())
        .collect();
    assert_eq!(kinds, ["assertion", "assertion", "deadlock"]);
}

#[test]
fn other_files_are_not_overwritten() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("precious.txt");
    std::fs::write(&path, "precious").expect("a file");
    let done = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .current_dir(root())
        .args(["check", "tests/corpus/classics/philosophers.rad", "--sarif"])
        .arg(&path)
        .output()
        .expect("raddle runs");
    assert_eq!(done.status.code(), Some(3));
    assert_eq!(
        std::fs::read_to_string(&path).ok().as_deref(),
        Some("precious")
    );
}

/// GitHub shows a thousand locations of a flow, and rejects files with ten thousand.
#[test]
fn a_long_flow_is_cut_in_the_middle() {
    let flags = ["-D", "N=8", "--no-shorten"];
    let (code, log) = written("long", "examples/dining.rad", &flags);
    assert_eq!(code, Some(1));
    let [result] = errors(&log)[..] else {
        panic!("one result: {log:#}");
    };
    let threads = list(&result["codeFlows"][0]["threadFlows"]);
    let mut steps: Vec<&Value> = threads
        .iter()
        .flat_map(|it| list(&it["locations"]))
        .collect();
    steps.sort_by_key(|step| step["executionOrder"].as_u64());
    assert_eq!(steps.len(), 1000);
    let told = |step: &Value| step["location"]["message"]["text"].to_string();
    let cut = steps
        .iter()
        .position(|step| told(step).contains("left out here"));
    assert_eq!(cut, Some(500), "in the middle");
    assert!(told(steps[999]).contains("waits"), "the end is there");
}
