//! `raddle compare` on Java programs.

use crate::common::{folder, json, run, write};
use crate::java_runs::{checked_with, compile, compile_into, jdk, scratch};
use raddle_java::Plan;
use raddle_reduce::Reduction;
use serde_json::Value;
use std::path::Path;

/// Fields that a lock guards, that nobody writes and that one thread has for itself: searches find
/// that out, and it makes the steps of the next ones longer.
const GUARDED: &str = "\
class Guarded {
    static final Object lock = new Object();
    static int total;
    static int bonus = 1;
    public static void main(String[] args) throws InterruptedException {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        Runnable work = () -> {
            for (int i = 0; i < rounds; i++) {
                synchronized (lock) { total += bonus; }
            }
        };
        Thread one = new Thread(work), two = new Thread(work);
        one.start();
        two.start();
        one.join();
        two.join();
        if (total != 2 * rounds) throw new AssertionError();
    }
}
";

const RACE: &str = "\
class Racing {
    static int x;
    public static void main(String[] args) throws InterruptedException {
        Thread one = new Thread(() -> x++), two = new Thread(() -> x++);
        one.start();
        two.start();
        one.join();
        two.join();
        if (x != 2) throw new AssertionError();
    }
}
";

fn compared(folder: &Path, line: &[&str]) -> Value {
    let home = jdk().display().to_string();
    let line = [&["compare", "--json", "--jdk", &home], line].concat();
    let (code, out, error) = run(folder, &line);
    assert_eq!(code, 0, "{out}{error}");
    json(&out)
}

fn rows(value: &Value) -> Vec<(&str, &Value)> {
    let rows = value["comparison"]
        .as_array()
        .expect("there are rows")
        .iter();
    let named = rows.map(|row| (row["reduction"].as_str().expect("a name"), row));
    named.collect()
}

#[test]
fn every_row_that_there_is_for_java_is_compared() {
    let folder = folder("java_compared");
    write(&folder, "Racing.java", RACE);
    let value = compared(&folder, &["Racing.java"]);
    let rows = rows(&value);
    let absent = value["absent"].as_array().expect("a list");
    for &reduction in Reduction::ALL {
        let name = reduction.entry().name;
        let is_there = Plan::new(reduction).is_some();
        assert_eq!(rows.iter().any(|row| row.0 == name), is_there, "{name}");
        let mut absent = absent.iter();
        let why = absent.find(|it| it["reduction"] == name);
        let why = why.map(|it| it["why"].as_str().unwrap_or_default());
        let is_told = why.is_some_and(|it| it.contains("what threads may still do"));
        assert_eq!(is_told, !is_there, "{name}");
    }
    for (name, row) in rows {
        assert_eq!(row["answer"], "assertion", "{name}");
        assert!(row["ratio"].is_number(), "{name}");
    }
    // Races are one property more, for those that see all states.
    let value = compared(&folder, &["Racing.java", "--races", "--no-faults"]);
    for (name, row) in self::rows(&value) {
        let reduction = Reduction::by_name(name).and_then(Plan::new);
        let sees = reduction.is_some_and(|plan| plan.engine() == Reduction::FULL);
        let told = |column: &str| row[column].as_str().is_some_and(|it| it.contains("races"));
        assert_eq!((told("checked"), told("refused")), (sees, !sees), "{name}");
        assert_eq!(row["answer"] == "race", sees, "{name}: {row}");
    }
}

#[test]
fn no_row_profits_from_another_one() {
    let folder = folder("java_rows");
    write(&folder, "Guarded.java", GUARDED);
    let value = compared(&folder, &["Guarded.java", "--", "2"]);
    // The same from classes, in another order, and with each search alone.
    compile(&folder);
    let file = folder.join("Guarded.class").display().to_string();
    let backwards: Vec<&str> = rows(&value).iter().rev().map(|row| row.0).collect();
    let names = backwards.join(",");
    let line = [&file, "--reduction", &names, "--main", "Guarded", "--", "2"];
    let again = compared(&folder, &line);
    let mut states = Vec::new();
    for (name, row) in rows(&value) {
        assert_eq!(row["answer"], "holds", "{name}");
        let numbers = |row: &Value| (row["states"].clone(), row["transitions"].clone());
        let other = rows(&again).into_iter().find(|it| it.0 == name);
        assert_eq!(Some(numbers(row)), other.map(|it| numbers(it.1)), "{name}");
        let mut line = vec![file.as_str(), "--jobs", "1", "--reduction", name];
        let refused = row["refused"].as_str().unwrap_or_default();
        let refused = refused.split(", ").filter(|it| !it.is_empty());
        let refused: Vec<String> = refused.map(|it| format!("--no-{it}")).collect();
        line.extend(refused.iter().map(String::as_str));
        let (verdict, told) = checked_with(&[&line[..], &["--", "2"]].concat());
        assert_eq!(verdict, "holds", "{name}");
        assert_eq!(numbers(row), numbers(&told["statistics"]), "{name}");
        states.push(row["states"].as_u64());
    }
    states.dedup();
    assert!(states.len() > 3, "the rows differ: {states:?}");
}

/// What steps say of themselves is tried out where a step is one operation, so that rows whose steps are
/// longer have more states then.
#[test]
fn what_rows_rely_on_is_tried_out() {
    let folder = folder("java_paranoid_rows");
    write(&folder, "Guarded.java", GUARDED);
    let states = |flags: &[&str]| {
        let line = [&["Guarded.java", "--reduction", "transactions"], flags].concat();
        let value = compared(&folder, &line);
        let rows = rows(&value);
        for (name, row) in &rows {
            assert_eq!(row["answer"], "holds", "{name}");
            assert_eq!(row["doubts"].as_array().map(Vec::len), Some(0), "{name}");
        }
        let row = rows.iter().find(|row| row.0 == "transactions");
        row.and_then(|row| row.1["states"].as_u64()).expect("a row")
    };
    assert!(states(&["--paranoid"]) > states(&[]));
}

#[test]
fn one_test_of_a_class_is_compared() {
    let folder = folder("java_compared_tests");
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java-junit");
    let tests = tests.display().to_string();
    let line = [
        &tests,
        "--class",
        "bank.AccountTest",
        "--reduction",
        "dpor,transactions",
    ];
    for (method, answer) in [
        ("depositsGetLost", "assertion"),
        ("safeDepositsDoNot", "holds"),
    ] {
        let value = compared(&folder, &[&line[..], &["--method", method]].concat());
        let rows = rows(&value);
        assert_eq!(rows.len(), 3);
        for (name, row) in rows {
            assert_eq!(row["answer"], answer, "{name} {method}");
        }
    }
    // One at a time.
    let (code, _, error) = run(&folder, &[&["compare"], &line[..]].concat());
    assert_eq!(code, 3);
    assert!(error.contains("depositsGetLost"), "{error}");
}

#[test]
fn processes_are_compared() {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java-processes");
    let classes = scratch("processes-compared");
    let sources = ["Left.java", "Right.java"];
    compile_into(
        &classes,
        sources.map(|it| programs.join("both-read").join(it)),
    );
    let [left, right] = ["Left", "Right"].map(|it| format!("{}:{it}", classes.display()));
    let reductions = ["--reduction", "dpor,transactions"];
    let line = [&["--process", &left, "--process", &right][..], &reductions].concat();
    let value = compared(&classes, &line);
    let rows = rows(&value);
    assert_eq!(rows.len(), 3);
    for (name, row) in rows {
        assert_eq!(row["answer"], "deadlock", "{name}");
    }
}

#[test]
fn flags_that_are_not_for_java_are_refused() {
    let folder = folder("java_compare_flags");
    write(&folder, "Guarded.java", GUARDED);
    let (code, _, error) = run(&folder, &["compare", "Guarded.java", "-D", "N=2..3"]);
    assert_eq!(code, 3);
    assert!(error.contains("constants of models"), "{error}");
}
