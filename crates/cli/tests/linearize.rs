//! `raddle linearize`: small data structures that are right or wrong, with what it has to say in
//! their first lines.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java-linearize")
}

fn linearize(file: &Path, flags: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_raddle"))
        .arg("linearize")
        .arg(file)
        .args(flags)
        .output()
        .expect("raddle runs")
}

/// The words of a line, of which some are in single quotes.
fn words(line: &str) -> Vec<&str> {
    let quoted = line.split('\'').enumerate();
    let words = quoted.flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    });
    words.collect()
}

/// A text in which lines are not broken.
fn in_one_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn each_structure_is_judged_as_it_says() {
    let mut files: Vec<PathBuf> = fs::read_dir(folder())
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    files.sort();
    assert!(files.len() >= 9, "{files:?}");
    for file in files {
        let text = fs::read_to_string(&file).expect("it can be read");
        let said = |what: &str| {
            let start = format!("// {what}");
            text.lines().find_map(|line| line.strip_prefix(&start))
        };
        let flags = words(said("flags: ").expect("it has flags"));
        let done = linearize(&file, &flags);
        let told = in_one_line(&done.stdout);
        let name = file.display();
        let errors = String::from_utf8_lossy(&done.stderr);
        let (code, wanted) = match (said("violated: "), said("unknown: ")) {
            (Some(wanted), _) => (1, wanted),
            (None, Some(wanted)) => (2, wanted),
            (None, None) => (0, said("holds").expect("it says something")),
        };
        assert_eq!(done.status.code(), Some(code), "{name}: {told}{errors}");
        assert!(told.contains(wanted), "{name}: {told}");
    }
}

#[test]
fn the_scenario_and_its_results_are_in_the_json() {
    let flags = ["--class", "Counter", "--json", "--no-shorten"];
    let done = linearize(&folder().join("Counter.java"), &flags);
    assert_eq!(done.status.code(), Some(1));
    let told: serde_json::Value = serde_json::from_slice(&done.stdout).expect("it is JSON");
    assert_eq!(told["verdict"], "violated");
    let found = &told["linearizability"];
    assert_eq!(found["class"], "Counter");
    let each = serde_json::json!([["increment()"], ["increment()"]]);
    assert_eq!(found["scenario"]["threads"], each);
    assert_eq!(found["scenario"]["results"], serde_json::json!(["1", "1"]));
}

#[test]
fn what_cannot_be_called_is_bad_input() {
    let file = folder().join("Register.java");
    let wrong: [(&[&str], &str); 4] = [
        (&["--class", "Register"], "no operations of Register"),
        (&["--operation", "get()"], "--class"),
        (
            &["--class", "Register", "--operation", "get"],
            "is not an operation",
        ),
        (
            &["--class", "Register", "--operation", "fly()"],
            "do not compile",
        ),
    ];
    for (flags, why) in wrong {
        let done = linearize(&file, flags);
        let told = in_one_line(&done.stderr);
        assert_eq!(done.status.code(), Some(3), "{flags:?}: {told}");
        assert!(told.contains(why), "{flags:?}: {told}");
    }
}

#[test]
fn a_scenario_that_was_not_examined_is_named() {
    let file = folder().join("Register.java");
    let flags = "--class Register --operation get() --operation put(1) --scenarios 2";
    let done = linearize(&file, &flags.split(' ').collect::<Vec<_>>());
    assert_eq!(done.status.code(), Some(0));
    let told = in_one_line(&done.stdout);
    assert!(told.contains("2 scenarios examined"), "{told}");
    assert!(told.contains("scenarios within the bounds"), "{told}");
}
