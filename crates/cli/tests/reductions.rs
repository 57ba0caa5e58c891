//! Reductions as a user meets them: asked for, refused, compared, checked against papers.

use crate::common;

use common::{DEADLOCK, GOOD, RACE, folder, json, run, write};
use raddle_reduce::Reduction;
use serde_json::Value;
use std::fs;

#[test]
fn a_reduction_is_not_asked_for_more_than_it_preserves() {
    let folder = folder("reductions");
    write(&folder, "good.rad", GOOD);
    write(&folder, "deadlock.rad", DEADLOCK);
    // Invariants are preserved by all of them.
    let line = ["check", "good.rad", "--reduction", "persistent"];
    assert_eq!(run(&folder, &line).0, 0);
    let line = ["check", "good.rad", "--reduction", "sleep"];
    let (code, _, error) = run(&folder, &line);
    assert_eq!(code, 3, "{error}");
    assert!(error.contains("--no-partial-deadlock"), "{error}");
    let line = [
        "check",
        "deadlock.rad",
        "--reduction",
        "dpor",
        "--no-partial-deadlock",
    ];
    assert_eq!(run(&folder, &line).0, 1);
    let line = ["check", "deadlock.rad", "--reduction", "cartesian"];
    assert_eq!(run(&folder, &line).0, 3);
}

#[test]
fn reductions_are_compared() {
    let folder = folder("compare");
    write(&folder, "race.rad", RACE);
    let line = ["compare", "race.rad", "--json", "--svg", "race.svg"];
    let (code, out, error) = run(&folder, &line);
    assert_eq!(code, 0, "{error}");
    let value = json(&out);
    let rows = value["comparison"].as_array().expect("there are rows");
    assert!(rows.len() >= 6);
    assert!(rows.iter().all(|row| row["answer"] == "assertion"), "{out}");
    let picture = fs::read_to_string(folder.join("race.svg")).expect("there is a picture");
    assert!(picture.starts_with("<svg"));
    // The program itself is never overwritten.
    let line = ["compare", "race.rad", "--svg", "race.rad"];
    assert_eq!(run(&folder, &line).0, 3);
}

/// The rows of a comparison by the names of their reductions.
fn rows(value: &Value) -> Vec<(&str, &Value)> {
    let rows = value["comparison"].as_array().expect("there are rows");
    rows.iter()
        .map(|row| (row["reduction"].as_str().expect("a row has a name"), row))
        .collect()
}

#[test]
fn rows_are_compared_with_one_full_search() {
    let folder = folder("baseline");
    write(&folder, "deadlock.rad", DEADLOCK);
    let line = ["compare", "deadlock.rad", "--json"];
    let (code, out, error) = run(&folder, &line);
    assert_eq!(code, 0, "{error}");
    let value = json(&out);
    let found = rows(&value);
    assert_eq!(found[0].0, "none");
    let full = &found[0].1;
    assert_eq!(full["answer"], "deadlock");
    for (name, row) in &found {
        // Whoever was not asked for the deadlock has seen all states, and full search has not.
        if row["refused"]
            .as_str()
            .is_some_and(|it| it.contains("deadlock,"))
        {
            assert_eq!(row["answer"], "holds", "{name}");
            assert!(row["ratio"].is_null(), "{row}");
        } else {
            let share = row["states"].as_f64().zip(full["states"].as_f64());
            let share = share.map(|(mine, all)| mine / all);
            assert_eq!(row["ratio"].as_f64(), share, "{name}");
        }
    }
    assert!(found.iter().any(|(_, row)| row["ratio"].is_null()), "{out}");
    // Without deadlocks all are asked the same.
    let flags = ["--no-deadlock", "--no-partial-deadlock"];
    let (code, out, error) = run(&folder, &[&line[..], &flags].concat());
    assert_eq!(code, 0, "{error}");
    for (name, row) in rows(&json(&out)) {
        assert_eq!(row["checked"], "faults", "{name}");
        assert_eq!(row["refused"], "", "{name}");
        assert!(row["ratio"].is_number(), "{row}");
    }
}

#[test]
fn rows_can_be_chosen() {
    let folder = folder("chosen");
    write(&folder, "good.rad", GOOD);
    let names = |flags: &[&str]| {
        let line = [&["compare", "good.rad", "--json"], flags].concat();
        let (code, out, error) = run(&folder, &line);
        assert_eq!(code, 0, "{error}");
        let value = json(&out);
        let names = rows(&value).into_iter().map(|(name, _)| name.to_owned());
        let absent = value["absent"].as_array().expect("a list").iter();
        let absent = absent.map(|it| it["reduction"].as_str().expect("a name").to_owned());
        (names.collect::<Vec<_>>(), absent.collect::<Vec<_>>())
    };
    let (found, _) = names(&["--reduction", "dpor,optimistic+persistent"]);
    assert_eq!(found, ["none", "dpor", "optimistic+persistent"]);
    let (found, _) = names(&["--all-combinations"]);
    let all = Reduction::ALL
        .iter()
        .copied()
        .chain(Reduction::combinations());
    let all: Vec<&str> = all.map(|it| it.entry().name).collect();
    assert_eq!(found, all);
    // Those that have a search order of their own cannot be asked for another one.
    let (found, absent) = names(&["--search", "breadth"]);
    for reduction in Reduction::ALL {
        let (name, orders) = (reduction.entry().name, reduction.entry().orders);
        assert_eq!(found.iter().any(|it| it == name), orders, "{name}");
        assert_eq!(absent.iter().any(|it| it == name), !orders, "{name}");
    }
    let line = ["compare", "good.rad", "--reduction", "nothing"];
    assert_eq!(run(&folder, &line).0, 3);
}

/// With `strict` a claim that is not kept is the answer of all that check claims, and the others are
/// not tried; without, it costs nothing but states.
#[test]
fn claims_are_compared_by_those_who_check_them() {
    let folder = folder("compare_claims");
    let source = "lock m; int x = 1 protected by m;
        thread t[2] { if (x > 0) { synchronized (m) { x = x - 1; } } }";
    write(&folder, "claim.rad", source);
    for (flags, expected) in [
        (&["--discipline", "strict"][..], "discipline"),
        (&[], "holds"),
    ] {
        let line = [&["compare", "claim.rad", "--json"], flags].concat();
        let (code, out, error) = run(&folder, &line);
        assert_eq!(code, 0, "{error}");
        let value = json(&out);
        let rows = rows(&value);
        for reduction in Reduction::ALL {
            let entry = reduction.entry();
            let row = rows.iter().find(|row| row.0 == entry.name);
            let is_there = entry.checks || expected == "holds";
            assert_eq!(row.is_some(), is_there, "{}", entry.name);
            if let Some((name, row)) = row {
                assert_eq!(row["answer"], expected, "{name}");
            }
        }
    }
}

#[test]
fn limits_are_those_of_each_row() {
    let folder = folder("compare_limits");
    write(&folder, "good.rad", GOOD);
    let line = ["compare", "good.rad", "--json", "--reduction", "persistent"];
    let limited = |limit| {
        let (code, out, error) = run(&folder, &[&line[..], &["--max-states", limit]].concat());
        assert_eq!(code, 0, "{error}");
        json(&out)
    };
    for (limit, answer) in [("3", "unknown"), ("1000", "holds")] {
        for (name, row) in rows(&limited(limit)) {
            assert_eq!(row["answer"], answer, "{name}");
            assert_eq!(row["states"] == 3, answer == "unknown", "{name}: {row}");
        }
    }
}

#[test]
fn constants_are_swept() {
    let folder = folder("sweep");
    write(
        &folder,
        "count.rad",
        "const N = 2; const M = 1; int x; thread t[N] { x = x + M; }",
    );
    let line = [
        "compare",
        "count.rad",
        "-D",
        "N=1..3",
        "--reduction",
        "sleep",
    ];
    let files = ["--json", "--svg", "s.svg", "--html", "s.html"];
    let (code, out, error) = run(&folder, &[&line[..], &files].concat());
    assert_eq!(code, 0, "{error}");
    let value = json(&out);
    assert_eq!(value["constant"], "N");
    let points = value["sweep"].as_array().expect("there are points");
    let values: Vec<i64> = points
        .iter()
        .filter_map(|it| it["value"].as_i64())
        .collect();
    assert_eq!(values, [1, 2, 3]);
    for (point, value) in points.iter().zip(values) {
        let alone = format!("N={value}");
        let line = [
            "compare",
            "count.rad",
            "-D",
            &alone,
            "--reduction",
            "sleep",
            "--json",
        ];
        let alone = json(&run(&folder, &line).1);
        let states = |value: &Value| -> Vec<Value> {
            rows(value)
                .iter()
                .map(|(_, row)| row["states"].clone())
                .collect()
        };
        assert_eq!(states(point), states(&alone));
    }
    let picture = fs::read_to_string(folder.join("s.svg")).expect("a picture");
    assert!(picture.contains(">states by N, logarithmic<"));
    let page = fs::read_to_string(folder.join("s.html")).expect("a page");
    assert!(page.contains("\"charts\""));
    let (code, out, _) = run(&folder, &line);
    assert_eq!(code, 0);
    let first: Vec<&str> = out.lines().next().unwrap_or_default().split(' ').collect();
    let first: Vec<&str> = first.into_iter().filter(|it| !it.is_empty()).collect();
    assert_eq!(first, ["states", "N=1", "N=2", "N=3"], "{out}");
    let refused: [(&[&str], &str); 5] = [
        (&["check", "count.rad", "-D", "N=1..3"], "`raddle compare`"),
        (
            &["compare", "count.rad", "-D", "N=3..1"],
            "nothing from 3 to 1",
        ),
        (
            &["compare", "count.rad", "-D", "N=1..3", "-D", "M=1..3"],
            "both N and M",
        ),
        (&["compare", "count.rad", "-D", "K=1..3"], "K"),
        (
            &["compare", "count.rad", "-D", "N=0..1000000"],
            "more than 100 values",
        ),
    ];
    for (line, told) in refused {
        let (code, _, error) = run(&folder, line);
        assert_eq!(code, 3, "{line:?}");
        assert!(error.contains(told), "{line:?}: {error}");
    }
}

#[test]
fn a_comparison_says_what_a_reduction_refuses() {
    let folder = folder("refused");
    write(&folder, "good.rad", GOOD);
    let (code, out, _) = run(&folder, &["compare", "good.rad", "--json"]);
    assert_eq!(code, 0);
    let value = json(&out);
    for row in value["comparison"].as_array().expect("there are rows") {
        let refuses = |what: &str| row["refused"].as_str().is_some_and(|it| it.contains(what));
        let name = row["reduction"].as_str().expect("a row has a name");
        let entry = Reduction::by_name(name)
            .expect("it is in the table")
            .entry();
        for (what, kept) in [
            ("invariants", entry.preserves.invariants),
            ("partial-deadlock", entry.preserves.partial_deadlock),
        ] {
            assert_eq!(refuses(what), !kept, "{what} {row}");
        }
        let stores = row["executions"] == 0;
        assert_eq!(stores, !entry.needs.contains("cycles"), "{row}");
        assert!(row["ratio"].is_number(), "{row}");
    }
}

#[test]
fn tables_of_papers_are_reproduced() {
    let folder = folder("papers");
    let (code, out, error) = run(&folder, &["papers", "--quick", "000", "ring"]);
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("Section 10"), "{out}");
    assert!(
        out.contains("(whole-arrays) The text does not determine"),
        "{out}"
    );
    assert!(!out.contains("Table 1"), "{out}");
    let line = ["papers", "--json", "--quick", "indexer"];
    let (code, out, error) = run(&folder, &line);
    assert_eq!(code, 0, "{error}");
    assert!(error.contains("2 rows were skipped"), "{error}");
    let value = json(&out);
    let row = &value["papers"][0]["rows"][1];
    assert_eq!(row["result"], "exact");
    assert_eq!(row["states"]["ours"], row["states"]["published"]["least"]);
    let (code, _, error) = run(&folder, &["papers", "unheard-of"]);
    assert_eq!(code, 3);
    assert!(error.contains("the tables are 000-section10"), "{error}");
}

/// Its claim is wrong: the lock is taken too late.
const CLAIM: &str = "\
lock m;
int x protected by m;
thread worker[2] {
  x = 1;
  synchronized (m) { x = 2; }
}
";

#[test]
fn a_broken_claim_has_a_trace() {
    let folder = folder("claims");
    write(&folder, "claim.rad", CLAIM);
    let strict = ["check", "claim.rad", "--discipline", "strict"];
    let rows = Reduction::ALL.iter().map(|reduction| reduction.entry());
    for row in rows.filter(|row| row.checks) {
        let more = ["--no-partial-deadlock", "--reduction", row.name];
        let line: Vec<&str> = strict.into_iter().chain(more).collect();
        let saving: Vec<&str> = line.iter().copied().chain(["--trace", "t.json"]).collect();
        let (code, out, error) = run(&folder, &saving);
        assert_eq!(code, 1, "{line:?}\n{out}{error}");
        let start = "violated: discipline at claim.rad:4:3: `x` is not";
        assert!(out.starts_with(start), "{line:?}\n{out}");
        assert!(out.contains("without permission"), "{out}");
        let (code, out, error) = run(&folder, &["replay", "t.json"]);
        assert_eq!(code, 1, "{line:?}\n{out}{error}");
        assert!(out.starts_with(start), "{out}");
        fs::remove_file(folder.join("t.json")).expect("the trace was saved");
    }
    // Without strictness it costs states only.
    let line = ["check", "claim.rad", "--reduction", "persistent-locks"];
    let (code, out, _) = run(&folder, &line);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("\nnote: `x` is not protected: "), "{out}");
}

#[test]
fn strictness_is_refused_by_those_who_do_not_check() {
    let folder = folder("strict");
    write(&folder, "good.rad", GOOD);
    for reduction in Reduction::ALL {
        let entry = reduction.entry();
        let line = ["check", "good.rad", "--discipline", "strict"];
        let more = [
            "--no-partial-deadlock",
            "--no-deadlock",
            "--reduction",
            entry.name,
        ];
        let line: Vec<&str> = line.into_iter().chain(more).collect();
        let (code, _, error) = run(&folder, &line);
        let expected = if entry.checks { 0 } else { 3 };
        assert_eq!(code, expected, "{line:?}\n{error}");
        let told = error.contains("does not check who accesses what");
        assert_eq!(told, !entry.checks, "{error}");
    }
}

#[test]
fn the_choice_of_a_reduction_is_told() {
    let folder = folder("auto");
    write(&folder, "good.rad", GOOD);
    let line = ["check", "good.rad", "--reduction", "auto"];
    let (code, out, _) = run(&folder, &line);
    assert_eq!(code, 0);
    assert_eq!(
        out.matches("note: auto: `persistent`, because ").count(),
        1,
        "{out}"
    );
    let line = ["check", "good.rad", "--reduction", "auto", "--json"];
    let value = json(&run(&folder, &line).1);
    let remarks = value["remarks"].as_array().expect("there are remarks");
    assert_eq!(remarks.len(), 1, "{value}");
    let told = remarks[0].as_str().expect("a remark is a text");
    assert!(told.starts_with("auto: `persistent`, "), "{told}");
    let (_, out, _) = run(&folder, &["check", "good.rad", "--json"]);
    assert_eq!(json(&out)["remarks"], serde_json::json!([]));
}

#[test]
fn ordered_locks_exclude_deadlocks() {
    let folder = folder("lock_order");
    let ordered = DEADLOCK.replace("(index + 1) % 2", "1");
    let ordered = ordered.replace("fork[index]", "fork[0]");
    write(&folder, "ordered.rad", ordered);
    write(&folder, "circle.rad", DEADLOCK);
    let check = |file: &str| {
        let line = ["check", file, "--reduction", "transactions"];
        let line: Vec<&str> = line.into_iter().chain(["--no-partial-deadlock"]).collect();
        run(&folder, &line)
    };
    let (code, out, _) = check("ordered.rad");
    assert_eq!(code, 0, "{out}");
    assert!(out.starts_with("holds: no fault, deadlock or"), "{out}");
    let (code, out, _) = check("circle.rad");
    assert_eq!(code, 2, "{out}");
    assert!(
        out.starts_with("unknown: locks are taken in a circle: philosopher["),
        "{out}"
    );
}

/// Steps that all conflict: no reduction helps.
const LARGE: &str = "\
granularity statement;
int x;
thread worker[3] {
  int i;
  while (i < 30) { i = i + 1; x = (x + index) % 5; }
}
";

/// Several processors find what one finds; who cannot make use of them says so.
#[test]
fn several_jobs_give_the_same_answers() {
    let folder = folder("jobs");
    write(&folder, "good.rad", GOOD);
    write(&folder, "race.rad", RACE);
    let check = |file: &str, reduction: &str, jobs: &str| {
        let line = ["check", file, "--reduction", reduction, "--jobs", jobs];
        let ignored = ["--no-deadlock", "--no-partial-deadlock", "--json"];
        let line: Vec<&str> = line.into_iter().chain(ignored).collect();
        run(&folder, &line)
    };
    for (file, expected) in [("good.rad", 0), ("race.rad", 1)] {
        for reduction in Reduction::ALL.iter().map(|reduction| reduction.entry()) {
            let (code, out, _) = check(file, reduction.name, "3");
            let refused = out.contains("runs on one processor; leave out --jobs");
            let expected = if reduction.concurrent { expected } else { 3 };
            assert_eq!((code, refused), (expected, !reduction.concurrent), "{out}");
        }
    }
    // Without a violation everything is explored, and it is the same.
    let states =
        |jobs| json(&check("good.rad", "cartesian", jobs).1)["statistics"]["states"].clone();
    assert!(states("1").is_number());
    assert_eq!(states("1"), states("4"));
    for senseless in ["0", "1000", "many"] {
        assert_eq!(check("good.rad", "cartesian", senseless).0, 3);
    }
    let line = ["check", "good.rad", "--reduction", "auto", "--jobs", "2"];
    let (code, out, _) = run(&folder, &line);
    assert_eq!(code, 0, "{out}");
    // What one processor does at once is not worth a word.
    assert!(!out.contains("processor"), "{out}");
    write(&folder, "large.rad", LARGE);
    let line = ["check", "large.rad", "--reduction", "auto", "--jobs", "2"];
    let (code, out, _) = run(&folder, &line);
    assert_eq!(code, 0, "{out}");
    // Large enough for more than one, too.
    let counts = |jobs| {
        let (code, out, _) = run(
            &folder,
            &[
                "check",
                "large.rad",
                "--reduction",
                "none",
                "--jobs",
                jobs,
                "--json",
            ],
        );
        assert_eq!(code, 0, "{out}");
        let statistics = &json(&out)["statistics"];
        (
            statistics["states"].clone(),
            statistics["transitions"].clone(),
        )
    };
    assert!(counts("1").0.is_number());
    assert_eq!(counts("1"), counts("3"));
}

/// Distrust costs time and changes no answer.
#[test]
fn a_paranoid_search_gives_the_same_answers() {
    let folder = folder("paranoid");
    write(&folder, "good.rad", GOOD);
    write(&folder, "race.rad", RACE);
    for reduction in ["none", "persistent", "cartesian", "sleep", "transactions"] {
        for (file, expected) in [("good.rad", 0), ("race.rad", 1)] {
            let line = ["check", file, "--reduction", reduction, "--paranoid"];
            let ignored = ["--no-invariants", "--no-deadlock", "--no-partial-deadlock"];
            let line: Vec<&str> = line.into_iter().chain(ignored).collect();
            let (code, _, error) = run(&folder, &line);
            assert_eq!((code, error.as_str()), (expected, ""), "{line:?}");
        }
    }
}
