//! Tests that the engines of their libraries run, and `raddle test` for projects that have such tests.

use crate::common::forms::{valid, valid_junit};
use crate::java_runs;
use java_runs::jdk;
use raddle_testkit::libraries::test_libraries;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What a build tool has on the class path of tests; it has no launcher.
const JARS: [&str; 11] = [
    "junit-jupiter-api",
    "junit-jupiter-engine",
    "junit-jupiter-params",
    "junit-platform-commons",
    "junit-platform-engine",
    "opentest4j",
    "apiguardian-api",
    "junit4",
    "hamcrest",
    "testng",
    "jcommander",
];

fn class_path() -> String {
    let jars = JARS
        .iter()
        .map(|jar| test_libraries().join(format!("{jar}.jar")));
    let jars = jars.filter(|jar| jar.is_file());
    let jars: Vec<String> = jars.map(|jar| jar.display().to_string()).collect();
    jars.join(":")
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java-engines")
}

fn raddle(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(words)
        .env("JAVA_HOME", jdk())
        .output()
        .expect("raddle runs")
}

/// The verdicts of tests, or what is violated, in the order of their names.
fn verdicts(told: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let tests = told["tests"].as_array().expect("a list").iter();
    let mut all: Vec<(String, String)> = tests
        .map(|test| {
            let verdict = match test["kind"].is_string() {
                true => text(&test["kind"]),
                false => text(&test["verdict"]),
            };
            let name = text(&test["test"]);
            (name.trim_start_matches("bank.").to_owned(), verdict)
        })
        .collect();
    all.sort();
    all
}

fn are(told: &Value, expected: &[(&str, &str)]) {
    let found = verdicts(told);
    let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (&a[..], &b[..])).collect();
    assert_eq!(found, expected, "{told:#}");
}

fn skipped(told: &Value) -> Vec<&str> {
    let all = told["skipped"].as_array().expect("a list").iter();
    let mut all: Vec<&str> = all.filter_map(|it| it["test"].as_str()).collect();
    all.sort_unstable();
    all
}

fn check(class: &str) -> Value {
    let (folder, path) = (folder(), class_path());
    let folder = folder.to_str().expect("a name");
    let done = raddle(&["check", folder, "--class", class, "-cp", &path, "--json"]);
    serde_json::from_slice(&done.stdout).unwrap_or_else(|_| panic!("{done:?}"))
}

#[test]
fn junit_5_runs_its_tests() {
    let told = check("JupiterTest");
    are(
        &told,
        &[
            ("JupiterTest.Inner.nested", "assertion"),
            ("JupiterTest.assumes", "holds"),
            ("JupiterTest.dynamic[1]", "holds"),
            ("JupiterTest.dynamic[2]", "assertion"),
            ("JupiterTest.extended", "holds"),
            ("JupiterTest.given[1]", "holds"),
            ("JupiterTest.given[2]", "assertion"),
            ("JupiterTest.hangs", "deadlock"),
            ("JupiterTest.lost", "assertion"),
            ("JupiterTest.repeated[1]", "holds"),
            ("JupiterTest.safe", "holds"),
            ("JupiterTest.stores", "holds"),
        ],
    );
    let all = ["bank.JupiterTest.disabled", "bank.JupiterTest.elsewhere"];
    assert_eq!(skipped(&told), all);
    let text = told.to_string();
    for word in [
        "checked once",
        "time limit",
        "System property [bank.elsewhere]",
    ] {
        assert!(text.contains(word), "{word}: {told:#}");
    }
    // How the library makes its calls is not what went wrong.
    let tests = told["tests"].as_array().expect("a list");
    let lost = tests
        .iter()
        .find(|it| it["test"] == "bank.JupiterTest.lost");
    let steps = lost.expect("it is there")["trace"]["steps"].to_string();
    assert!(steps.contains("JupiterTest.java\",\"line\":55"), "{steps}");
    assert!(!steps.contains("org.junit"), "{steps}");
}

#[test]
fn tests_in_an_order_are_run_after_those_before_them() {
    are(
        &check("OrderedTest"),
        &[
            ("OrderedTest.first", "holds"),
            ("OrderedTest.second", "holds"),
            ("OrderedTest.third", "assertion"),
        ],
    );
}

#[test]
fn testng_runs_its_tests() {
    let told = check("NgTest");
    are(
        &told,
        &[
            ("NgTest.assumes", "holds"),
            ("NgTest.hangs", "deadlock"),
            ("NgTest.later", "assertion"),
            ("NgTest.lost", "assertion"),
            ("NgTest.rows[1]", "holds"),
            ("NgTest.rows[2]", "assertion"),
            ("NgTest.safe", "holds"),
            ("NgTest.thrown", "holds"),
        ],
    );
    assert_eq!(skipped(&told), ["bank.NgTest.disabled"]);
}

#[test]
fn junit_4_runs_its_tests() {
    let told = check("OldTest");
    are(
        &told,
        &[
            ("OldTest.expected", "holds"),
            ("OldTest.hangs", "deadlock"),
            ("OldTest.lost", "assertion"),
            ("OldTest.named", "holds"),
            ("OldTest.ruled", "holds"),
            ("OldTest.safe", "holds"),
        ],
    );
    assert_eq!(skipped(&told), ["bank.OldTest.ignored"]);
    are(
        &check("ManyOldTest"),
        &[
            ("ManyOldTest.lost[0]", "holds"),
            ("ManyOldTest.lost[1]", "assertion"),
        ],
    );
}

/// A project as Maven leaves it after its tests were run.
fn project(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&root);
    let make = |path: &str| {
        let path = root.join(path);
        fs::create_dir_all(&path).expect("a folder");
        path
    };
    let (main, tests) = (
        make("bank/src/main/java/bank"),
        make("bank/src/test/java/bank"),
    );
    let (classes, built) = (
        make("bank/target/classes"),
        make("bank/target/test-classes"),
    );
    let reports = make("bank/target/surefire-reports");
    fs::write(root.join("pom.xml"), "<project/>").expect("a file");
    fs::write(root.join("bank/pom.xml"), "<project/>").expect("a file");
    for (file, to) in [
        ("Account.java", &main),
        ("OrderedTest.java", &tests),
        ("ManyOldTest.java", &tests),
    ] {
        fs::copy(folder().join("bank").join(file), to.join(file)).expect("a copy");
    }
    let compile = |files: &[PathBuf], path: &str, to: &Path| {
        let mut javac = raddle_testkit::jdk::javac();
        javac.args(["-g", "-cp", path, "-d"]).arg(to).args(files);
        raddle_testkit::jdk::run(&mut javac);
    };
    let path = class_path();
    compile(&[main.join("Account.java")], &path, &classes);
    let all = format!("{path}:{}", classes.display());
    let files = ["OrderedTest.java", "ManyOldTest.java"].map(|it| tests.join(it));
    compile(&files, &all, &built);
    let report = format!(
        "<testsuite><properties><property name=\"surefire.test.class.path\" value=\"{}:{all}:\"/>\
         </properties></testsuite>",
        built.display()
    );
    fs::write(reports.join("TEST-bank.OrderedTest.xml"), report).expect("a file");
    root
}

const OF_PROJECT: [(&str, &str); 5] = [
    ("ManyOldTest.lost[0]", "holds"),
    ("ManyOldTest.lost[1]", "assertion"),
    ("OrderedTest.first", "holds"),
    ("OrderedTest.second", "holds"),
    ("OrderedTest.third", "assertion"),
];

#[test]
fn the_tests_of_a_project_are_found_and_checked_side_by_side() {
    let root = project("project-built");
    let text = root.to_str().expect("a name");
    let file = |name: &str| root.join(name);
    let (junit, sarif) = (file("raddle.xml"), file("raddle.sarif"));
    let mut words = vec!["test", text, "--json", "--jobs", "2"];
    words.extend(["--junit", junit.to_str().expect("a name")]);
    words.extend(["--sarif", sarif.to_str().expect("a name")]);
    let html = file("report");
    words.extend(["--html", html.to_str().expect("a name")]);
    let done = raddle(&words);
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    let told: Value = serde_json::from_slice(&done.stdout).expect("JSON");
    valid(&told);
    are(&told, &OF_PROJECT);
    valid_junit(&junit);
    let text = fs::read_to_string(&junit).expect("results");
    assert!(
        text.contains("tests=\"5\" failures=\"2\" errors=\"0\" skipped=\"0\""),
        "{text}"
    );
    assert!(
        text.contains("classname=\"bank.ManyOldTest\" name=\"lost[1]\""),
        "{text}"
    );
    let log: Value = serde_json::from_slice(&fs::read(&sarif).expect("a log")).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("a list");
    let errors = results.iter().filter(|it| it["level"] == "error");
    assert_eq!(errors.count(), 2, "{log:#}");
    let page = fs::read_to_string(html.join("index.html")).expect("a page");
    for index in [1, 2, 3, 4, 5] {
        let name = format!("test-{index}.html");
        assert_eq!(page.contains(&name), html.join(&name).is_file(), "{page}");
    }
    assert_eq!(page.matches("<a href").count(), 2, "{page}");
}

#[test]
fn people_get_a_table_and_choose_tests() {
    let root = project("project-table");
    let text = root.to_str().expect("a name");
    let done = raddle(&["test", text, "--tests", "*.OrderedTest", "--jobs", "1"]);
    let told = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(told.starts_with("bank.OrderedTest\n  holds "), "{told}");
    assert!(told.contains("assertion at OrderedTest.java:33"), "{told}");
    assert!(
        told.ends_with("3 tests: 1 violated, 0 unknown, 2 hold\n"),
        "{told}"
    );
    let done = raddle(&["test", text, "--tests", "bank.ManyOldTest.lost[[]0]"]);
    assert_eq!(done.status.code(), Some(3), "{done:?}");
    let done = raddle(&["test", text, "--tests", "*ManyOldTest.lost?0]", "-q"]);
    assert_eq!(done.status.code(), Some(3), "{done:?}");
    let done = raddle(&["test", text, "--tests", "*ManyOldTest.lost[0*", "-q"]);
    let told = String::from_utf8_lossy(&done.stdout).into_owned();
    assert_eq!(
        told, "\n1 test: 0 violated, 0 unknown, 1 holds\n",
        "{done:?}"
    );
}

#[test]
fn the_class_path_is_that_of_a_file_or_said_to_be_missing_and_sources_are_compiled() {
    let root = project("project-sources");
    let text = root.to_str().expect("a name");
    fs::remove_dir_all(root.join("bank/target")).expect("it was there");
    let done = raddle(&["test", text]);
    assert_eq!(done.status.code(), Some(3), "{done:?}");
    let told = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(told.contains("mvn dependency:build-classpath"), "{told}");
    fs::write(root.join("bank/path.txt"), class_path()).expect("a file");
    let done = raddle(&["test", text, "--class-path-file", "path.txt", "--json"]);
    let told: Value = serde_json::from_slice(&done.stdout).expect("JSON");
    are(&told, &OF_PROJECT);
}

#[test]
fn a_test_whose_time_is_over_is_unknown() {
    let root = project("project-late");
    let text = root.to_str().expect("a name");
    let done = raddle(&[
        "test", text, "--tests", "*.third", "--time", "1ms", "--json",
    ]);
    assert_eq!(done.status.code(), Some(2), "{done:?}");
    let told: Value = serde_json::from_slice(&done.stdout).expect("JSON");
    are(&told, &[("OrderedTest.third", "unknown")]);
}

#[test]
fn no_build_is_run_unless_it_is_asked_for() {
    let root = project("project-build-tool");
    fs::remove_dir_all(root.join("bank/target/surefire-reports")).expect("it was there");
    let tools = root.join("tools");
    fs::create_dir_all(&tools).expect("a folder");
    let mvn = tools.join("mvn");
    // Stands for a build of the project.
    let script = format!(
        "#!/bin/sh\ntouch '{}'\nfor word; do case $word in -Dmdep.outputFile=*) \
         printf %s '{}' > \"${{word#*=}}\";; esac; done\n",
        root.join("ran").display(),
        class_path()
    );
    fs::write(&mvn, script).expect("a file");
    let mut chmod = Command::new("chmod");
    assert!(
        chmod
            .arg("+x")
            .arg(&mvn)
            .status()
            .expect("chmod runs")
            .success()
    );
    let path = format!(
        "{}:{}",
        tools.display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let test = |flags: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_raddle"))
            .args(["test", root.to_str().expect("a name"), "--json"])
            .args(["--tests", "*.OrderedTest"])
            .args(flags)
            .env("JAVA_HOME", jdk())
            .env("PATH", &path)
            .output()
            .expect("raddle runs")
    };
    let done = test(&[]);
    assert_eq!(done.status.code(), Some(3), "{done:?}");
    assert!(!root.join("ran").exists());
    let done = test(&["--build-tool"]);
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    assert!(root.join("ran").exists());
}
