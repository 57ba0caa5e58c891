//! What raddle writes for programs has the form that is promised: each command's JSON that of
//! `docs/schema`, `--junit` that of JUnit XML.

use crate::common;
use crate::java_runs;

use common::forms::{valid, valid_junit};
use common::{DEADLOCK, GOOD, RACE, folder, json, run, write};
use java_runs::jdk;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs a line in the root of the repository; what it prints is valid.
fn told(line: &[&str]) -> (i32, Value) {
    let (code, out, _) = run(&root(), line);
    (code, json(&out))
}

#[test]
fn every_command_prints_what_the_schema_says() {
    let jdk = jdk().to_str().expect("a path");
    let lines: &[(&[&str], i32)] = &[
        (&["check", "examples/dining.rad", "--json"], 1),
        (&["check", "examples/account.rad", "--json", "--all"], 1),
        (&["check", "examples/account_fixed.rad", "--json"], 0),
        (
            &[
                "check",
                "examples/account_fixed.rad",
                "--json",
                "--max-states",
                "3",
            ],
            2,
        ),
        (
            &[
                "check",
                "examples/account_fixed.rad",
                "--json",
                "--store",
                "fingerprint",
            ],
            0,
        ),
        (&["check", "examples/bakery.cbp", "--json"], 0),
        (&["check", "examples/bakery_printed.cbp", "--json"], 1),
        (
            &["check", "examples/java/Bank.java", "--json", "--jdk", jdk],
            1,
        ),
        (
            &[
                "check",
                "tests/java-junit",
                "--class",
                "AccountTest",
                "--json",
                "--jdk",
                jdk,
            ],
            1,
        ),
        (&["check", "nothing.rad", "--json"], 3),
        (&["check", "README.md", "--json"], 3),
        (&["compare", "examples/account.rad", "--json"], 0),
        (&["papers", "001-table1-cartesian", "--quick", "--json"], 0),
        (
            &["run", "examples/java/Bank.java", "--json", "--jdk", jdk],
            0,
        ),
        (
            &[
                "show",
                "--sharing",
                "examples/java/Bank.java",
                "--json",
                "--jdk",
                jdk,
            ],
            0,
        ),
        (
            &[
                "translate",
                "examples/bakery.cbp",
                "--to",
                "net",
                "--statistics",
                "--json",
            ],
            0,
        ),
        (&["doctor", "--json", "--jdk", jdk], 0),
        (&["doctor", "--json", "--jdk", "/nowhere"], 1),
        (&["check", "--json"], 3),
    ];
    for (line, expected) in lines {
        let (code, value) = told(line);
        assert_eq!(code, *expected, "{line:?}: {value:#}");
        assert_eq!(value["schema"], 1, "{line:?}");
    }
}

#[test]
fn saved_traces_and_replays_are_valid() {
    let folder = folder("forms-saved");
    write(&folder, "a.rad", DEADLOCK);
    let (code, _, _) = run(&folder, &["check", "a.rad", "--trace", "t.json"]);
    assert_eq!(code, 1);
    let saved = std::fs::read_to_string(folder.join("t.json")).expect("a trace");
    assert_eq!(json(&saved)["format"], "raddle-trace");
    let (code, out, _) = run(&folder, &["replay", "t.json", "--json"]);
    assert_eq!(code, 1);
    assert_eq!(json(&out)["kind"], "deadlock");
}

#[test]
#[should_panic(expected = "oneOf")]
fn an_unknown_field_is_noticed() {
    let (_, mut value) = told(&["check", "examples/account_fixed.rad", "--json"]);
    value["novelty"] = json!(1);
    valid(&value);
}

/// The XML that a check writes, after it was validated.
fn junit(folder: &Path, line: &[&str]) -> (i32, String) {
    let path = folder.join("out.xml");
    let name = path.to_str().expect("a name");
    let (code, _, err) = run(folder, &[line, &["--junit", name]].concat());
    let text = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{err}"));
    valid_junit(&path);
    (code, text)
}

#[test]
fn each_verdict_is_a_case() {
    let folder = folder("forms-junit");
    write(&folder, "good.rad", GOOD);
    write(&folder, "race.rad", RACE);
    let (code, text) = junit(&folder, &["check", "good.rad"]);
    assert_eq!(code, 0);
    assert!(
        text.contains("tests=\"1\" failures=\"0\" errors=\"0\""),
        "{text}"
    );
    assert!(text.contains("name=\"good.rad\""), "{text}");
    // What was written can be overwritten.
    let (code, text) = junit(&folder, &["check", "race.rad"]);
    assert_eq!(code, 1);
    assert!(text.contains("failures=\"1\""), "{text}");
    assert!(
        text.contains("<failure type=\"assertion\" message=\"violated: assertion"),
        "{text}"
    );
    assert!(text.contains("worker[1]"), "the trace: {text}");
    let (code, text) = junit(&folder, &["check", "good.rad", "--max-states", "2"]);
    assert_eq!(code, 2);
    assert!(text.contains("<error type=\"unknown\""), "{text}");
}

#[test]
fn hostile_names_cannot_break_the_document() {
    let folder = folder("forms-junit-hostile");
    let program = "thread t { assert(false, \"]]></failure><script>&\"); }\n";
    write(&folder, "a&<b>\".rad", program);
    let (code, text) = junit(&folder, &["check", "a&<b>\".rad"]);
    assert_eq!(code, 1);
    assert!(!text.contains("<script>"), "{text}");
}

#[test]
fn the_tests_of_a_class_are_cases() {
    let scratch = folder("forms-junit-class");
    let tests = root().join("tests/java-junit");
    let tests = tests.to_str().expect("a path");
    let jdk = jdk().to_str().expect("a path");
    let line = ["check", tests, "--class", "AccountTest", "--jdk", jdk];
    let (code, text) = junit(&scratch, &line);
    assert_eq!(code, 1);
    assert_eq!(text.matches("<failure ").count(), 3, "{text}");
    assert!(text.contains("name=\"depositsGetLost\""), "{text}");
    assert!(text.contains("<skipped>it is disabled</skipped>"), "{text}");
}

#[test]
fn other_files_are_not_overwritten() {
    let folder = folder("forms-junit-precious");
    write(&folder, "good.rad", GOOD);
    write(&folder, "precious.xml", "<html/>");
    let (code, _, err) = run(&folder, &["check", "good.rad", "--junit", "precious.xml"]);
    assert_eq!(code, 3);
    assert!(err.contains("is not a JUnit XML"), "{err}");
}

#[test]
fn every_command_has_a_page_of_the_manual() {
    let folder = folder("forms-man");
    let (code, _, err) = run(&folder, &["man", "--all", "man1"]);
    assert_eq!(code, 0, "{err}");
    let pages = std::fs::read_dir(folder.join("man1")).expect("pages");
    let pages: Vec<PathBuf> = pages.map(|page| page.expect("a page").path()).collect();
    let (_, help, _) = run(&folder, &["--help"]);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    let mut expected = vec!["raddle".to_owned()];
    expected.extend(commands.filter_map(|line| {
        let name = line.strip_prefix("  ")?.split(' ').next()?;
        (!name.is_empty() && name != "help").then(|| format!("raddle-{name}"))
    }));
    for name in &expected {
        let page = folder.join(format!("man1/{name}.1"));
        let text = std::fs::read_to_string(&page).unwrap_or_else(|_| panic!("{name}"));
        assert!(text.contains(".SH SYNOPSIS"), "{name}");
    }
    assert_eq!(pages.len(), expected.len(), "{pages:?}");
    let (_, page, _) = run(&folder, &["man", "check"]);
    assert!(
        page.contains("\\-\\-max\\-states") && page.contains("EXIT CODES"),
        "{page}"
    );
    let (code, _, _) = run(&folder, &["man", "nothing"]);
    assert_eq!(code, 3);
}

#[test]
fn the_doctor_says_what_is_wrong() {
    let folder = folder("forms-doctor");
    let (code, out, _) = run(&folder, &["doctor", "--jdk", "/nowhere"]);
    assert_eq!(code, 1);
    assert!(out.contains("it has no lib/modules"), "{out}");
    let (code, out, _) = run(
        &folder,
        &["doctor", "--jdk", jdk().to_str().expect("a path")],
    );
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("because --jdk says so"), "{out}");
    let (_, version, _) = run(&folder, &["--version"]);
    assert!(
        version.contains("target: ") && version.contains("commit: "),
        "{version}"
    );
}
