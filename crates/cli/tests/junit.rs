//! `--class` and `--method`: tests of Java classes, one verdict each.

use crate::java_runs;

use java_runs::forms::told;
use java_runs::jdk;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java-junit")
}

fn raddle(path: &Path, flags: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_raddle"))
        .arg("check")
        .arg(path)
        .arg("--jdk")
        .arg(jdk())
        .args(flags)
        .output()
        .expect("raddle runs")
}

/// The verdicts of the tests, or what is violated.
fn verdicts(told: &Value) -> Vec<(String, String)> {
    let tests = told["tests"].as_array().expect("a list").iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    tests
        .map(|test| {
            let verdict = match test["kind"].is_null() {
                true => text(&test["verdict"]),
                false => text(&test["kind"]),
            };
            let name = text(&test["test"]);
            (name.replace("bank.AccountTest.", ""), verdict)
        })
        .collect()
}

const EXPECTED: [(&str, &str); 7] = [
    ("depositsGetLost", "assertion"),
    ("safeDepositsDoNot", "holds"),
    ("nothingNegative", "holds"),
    ("whatIsExpectedHasToCome", "assertion"),
    ("waitsForItself", "deadlock"),
    ("doesNotCount", "holds"),
    ("asksForMore", "unknown"),
];

fn expected() -> Vec<(String, String)> {
    let all = EXPECTED.iter();
    all.map(|&(name, verdict)| (name.to_owned(), verdict.to_owned()))
        .collect()
}

#[test]
fn each_test_of_a_class_has_a_verdict() {
    let done = raddle(&folder(), &["--class", "bank.AccountTest", "--json"]);
    assert_eq!(done.status.code(), Some(1));
    let told = told(&done);
    assert_eq!(verdicts(&told), expected(), "{told:#}");
    assert_eq!(told["verdict"], "violated");
    assert_eq!(told["skipped"][0]["test"], "bank.AccountTest.isIgnored");
}

#[test]
fn people_get_a_summary() {
    let done = raddle(&folder(), &["--class", "AccountTest", "--quiet"]);
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(
        text.contains("bank.AccountTest.depositsGetLost\nviolated"),
        "{text}"
    );
    assert!(
        text.ends_with("7 tests: 3 violated, 1 unknown, 3 hold\n"),
        "{text}"
    );
}

#[test]
fn one_method_is_a_program_of_its_own() {
    for (name, code) in [
        ("safeDepositsDoNot", 0),
        ("depositsGetLost", 1),
        ("asksForMore", 2),
        // It needs no annotation.
        ("isNoTest", 1),
        ("isNowhere", 3),
    ] {
        let flags = ["--class", "AccountTest", "--method", name, "--json"];
        let done = raddle(&folder(), &flags);
        assert_eq!(done.status.code(), Some(code), "{name}: {done:?}");
        if code == 1 {
            assert_eq!(told(&done)["verdict"], "violated");
        }
    }
}

#[test]
fn compiled_classes_and_jars_are_checked_and_sources_shown() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("junit-compiled");
    let _ = std::fs::remove_dir_all(&scratch);
    let (library, tests) = (scratch.join("library"), scratch.join("tests"));
    let compile = |files: &[&str], path: &Path, to: &Path| {
        let files = files.iter().map(|file| folder().join(file));
        let done = Command::new(jdk().join("bin/javac"))
            .args(["-g", "-cp"])
            .arg(path)
            .arg("-d")
            .arg(to)
            .args(files)
            .status();
        assert!(done.is_ok_and(|status| status.success()));
    };
    let annotations = [
        "org/junit/Test.java",
        "org/junit/Before.java",
        "org/junit/After.java",
        "org/junit/BeforeClass.java",
        "org/junit/AfterClass.java",
        "org/junit/Ignore.java",
        "org/junit/Assert.java",
        "org/junit/AssumptionViolatedException.java",
    ];
    compile(&annotations, &library, &library);
    let text =
        std::fs::read_to_string(folder().join("bank/AccountTest.java")).expect("it is there");
    // What raddle brings along is not there for this compiler.
    let text = text.replace("org.sosy_lab.sv_benchmarks.Verifier.nondetInt();", "");
    let changed = scratch.join("AccountTest.java");
    std::fs::write(&changed, text).expect("a file");
    let changed = changed.to_str().expect("a name");
    compile(
        &["bank/Account.java", "bank/WithAccount.java", changed],
        &library,
        &tests,
    );
    let jar = scratch.join("library.jar");
    let done = Command::new(jdk().join("bin/jar"))
        .args(["--create", "--file"])
        .arg(&jar)
        .arg("-C")
        .arg(&library)
        .arg(".")
        .status();
    assert!(done.is_ok_and(|status| status.success()));
    let jar = jar.to_str().expect("a name");
    let bank = folder().join("bank");
    let bank = bank.to_str().expect("a name");
    let flags = [
        "--class",
        "AccountTest",
        "-cp",
        jar,
        "--sources",
        bank,
        "--json",
    ];
    let done = raddle(&tests, &flags);
    assert_eq!(done.status.code(), Some(1));
    let told = told(&done);
    let mut expected = expected();
    expected[6].1 = "holds".to_owned();
    assert_eq!(verdicts(&told), expected, "{told:#}");
    // The assertion of the library is not in the sources; who called it is.
    assert_eq!(told["tests"][0]["place"]["line"], 31, "{told:#}");
}

#[test]
fn what_is_no_class_or_has_no_tests_is_bad_input() {
    for class in ["Nobody", "bank.Account"] {
        let done = raddle(&folder(), &["--class", class]);
        assert_eq!(done.status.code(), Some(3), "{class}: {done:?}");
    }
    let done = raddle(&folder(), &["--method", "depositsGetLost"]);
    assert_eq!(done.status.code(), Some(3));
}
