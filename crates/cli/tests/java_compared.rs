//! `raddle compare` on Java programs.

use crate::common::{folder, json, run, write};
use crate::java_runs::{checked_with, compile, jdk};
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

#[test]
fn flags_that_are_not_for_java_are_refused() {
    let folder = folder("java_compare_flags");
    write(&folder, "Guarded.java", GUARDED);
    let (code, _, error) = run(&folder, &["compare", "Guarded.java", "-D", "N=2..3"]);
    assert_eq!(code, 3);
    assert!(error.contains("constants of models"), "{error}");
}
