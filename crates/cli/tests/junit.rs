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
            let within = name.splitn(3, '.').last().unwrap_or_default();
            (within.to_owned(), verdict)
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
        let mut javac = raddle_testkit::jdk::javac();
        javac.args(["-g", "-cp"]).arg(path).arg("-d").arg(to);
        raddle_testkit::jdk::run(javac.args(files));
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

/// The verdicts that are expected of the tests of a class, with their names; and the exit code.
fn is_checked_as(class: &str, code: i32, expected: &[(&str, &str)]) -> Value {
    let done = raddle(&folder(), &["--class", class, "--json"]);
    let told = told(&done);
    let found = verdicts(&told);
    let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (&a[..], &b[..])).collect();
    assert_eq!(found, expected, "{told:#}");
    assert_eq!(done.status.code(), Some(code), "{class}");
    told
}

#[test]
fn tests_with_arguments_and_in_nested_classes_are_counted_and_run() {
    let told = is_checked_as(
        "ManyTest",
        1,
        &[
            ("composed", "holds"),
            ("given[1]", "holds"),
            ("given[2]", "assertion"),
            ("coloured[1]", "holds"),
            ("texts[1]", "holds"),
            ("texts[2]", "holds"),
            ("texts[3]", "holds"),
            ("table[1]", "holds"),
            ("table[2]", "holds"),
            ("fromElsewhere", "unknown"),
            ("repeated", "holds"),
            ("timed", "holds"),
            ("elsewhere", "unknown"),
            ("informed", "unknown"),
            ("dynamic", "unknown"),
            ("Inner.nested", "holds"),
            ("Inner.Innermost.nestedTwice", "assertion"),
        ],
    );
    assert_eq!(told["skipped"][0]["test"], "bank.ManyTest.disabled");
    let text = |name: &str| {
        let mut tests = told["tests"].as_array().expect("a list").iter();
        let name = format!("bank.ManyTest.{name}");
        let found = tests.find(|it| it["test"] == name.as_str());
        found.expect("it is there").to_string()
    };
    for (name, word) in [
        ("fromElsewhere", "@MethodSource"),
        ("elsewhere", "@EnabledOnOs"),
        ("dynamic", "@TestFactory"),
        ("repeated", "checked once"),
        ("timed", "time limit"),
    ] {
        assert!(text(name).contains(word), "{name}: {}", text(name));
    }
}

#[test]
fn what_is_run_in_another_way_is_unknown_and_counted() {
    let unknown = "unknown";
    let of_extension = [("needsIt", unknown), ("needsItNot", unknown)];
    is_checked_as("ExtendedTest", 2, &of_extension);
    is_checked_as("TemporaryTest", 2, &[("uses", unknown)]);
    is_checked_as("RunWithTest", 2, &[("isOne", unknown)]);
    let of_both = [("first", unknown), ("second", unknown)];
    is_checked_as("SharingTest", 2, &of_both);
    is_checked_as("OrderedTest", 2, &of_both);
    is_checked_as(
        "NgTest",
        2,
        &[
            ("isPrepared", "holds"),
            ("isExpected", "holds"),
            ("isGiven", unknown),
            ("isSecond", unknown),
        ],
    );
}

#[test]
fn rules_are_around_tests() {
    let told = is_checked_as(
        "RuledTest",
        1,
        &[
            ("isNamed", "holds"),
            ("isForgiven", "holds"),
            ("isNot", "exception"),
        ],
    );
    assert!(
        told["tests"][0].to_string().contains("time limit"),
        "{told:#}"
    );
}

#[test]
fn a_test_with_arguments_or_in_a_nested_class_can_be_named() {
    for (name, code) in [
        ("given", 1),
        ("given[1]", 0),
        ("given[2]", 1),
        ("nested", 0),
        ("Inner.nested", 0),
        ("Inner.Innermost.nestedTwice", 1),
        ("dynamic", 2),
        ("given[3]", 3),
    ] {
        let done = raddle(&folder(), &["--class", "ManyTest", "--method", name]);
        assert_eq!(done.status.code(), Some(code), "{name}: {done:?}");
    }
    let done = raddle(&folder(), &["--class", "ManyTest.Inner"]);
    assert_eq!(done.status.code(), Some(1), "{done:?}");
}

#[test]
fn methods_that_cannot_be_tests_are_left_out_or_refused_as_the_library_does_it() {
    let told = is_checked_as("OddTest", 0, &[("isRun", "holds")]);
    let skipped = told["skipped"].as_array().expect("a list").len();
    assert_eq!(skipped, 3, "{told:#}");
    let all = [
        ("isStatic", "unknown"),
        ("isNotPublic", "unknown"),
        ("givesSomething", "unknown"),
    ];
    let told = is_checked_as("OlderOddTest", 2, &all);
    assert!(
        told.to_string().contains("JUnit refuses static tests"),
        "{told:#}"
    );
}

#[test]
fn a_time_limit_that_is_not_applied_is_named_wherever_a_test_holds() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("junit-timed.xml");
    let _ = std::fs::remove_file(&scratch);
    let file = scratch.to_str().expect("a name");
    let flags = [
        "--class", "ManyTest", "--method", "timed", "-q", "--junit", file,
    ];
    let done = raddle(&folder(), &flags);
    let told = String::from_utf8_lossy(&done.stdout);
    let results = std::fs::read_to_string(&scratch).expect("results");
    for text in [&*told, &*results] {
        assert!(
            text.contains("Not covered: the time limit of the test"),
            "{text}"
        );
    }
}

#[test]
fn what_is_unknown_is_an_error_of_the_results() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("junit-unknown.xml");
    let _ = std::fs::remove_file(&scratch);
    let file = scratch.to_str().expect("a name");
    let done = raddle(&folder(), &["--class", "ExtendedTest", "--junit", file]);
    assert_eq!(done.status.code(), Some(2), "{done:?}");
    let text = std::fs::read_to_string(&scratch).expect("results");
    assert!(
        text.contains("tests=\"2\" failures=\"0\" errors=\"2\""),
        "{text}"
    );
    assert!(text.contains("@ExtendWith"), "{text}");
}
