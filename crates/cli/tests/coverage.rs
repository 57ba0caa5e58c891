//! What executions never came to, and what holds because nothing happens.

use crate::common::{folder, json, run, write};
use std::path::{Path, PathBuf};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

const PARTS: &str = "\
int x;
semaphore never;
void unused() { x = 1; }
bool plain(int n) { return n >= 0; }
invariant positive: plain(x);
thread late(int n) { x = n; }
daemon thread waiter { down(never); x = 7; }
thread worker[2] {
  int n = choose(0..1);
  if (n == 3) { x = 4; x = 5; } else x = 1;
  if (n < 3) x = 2;
  while (x > 5 && n == 1) { x = 6; }
  choose {
    x = n;
  or when (n == 2)
    x = 100;
  }
  for (int k = 0; k < 2; k++) there: skip;
  do { n--; } while (n > 0);
  await (x < 9) x = 3;
  if (n == 1) return;
}
";

/// The points that were not reached, as `kind name line`.
fn unreached(answer: &serde_json::Value) -> Vec<String> {
    let points = answer["reach"]["points"].as_array().expect("points");
    let never = points.iter().filter(|point| point["count"] == 0);
    let told = |point: &serde_json::Value| {
        let kind = point["kind"].as_str().expect("a kind");
        let name = point["name"].as_str().expect("a name");
        format!("{kind} {} {name}", point["place"]["line"])
    };
    never.map(told).collect()
}

#[test]
fn everything_that_can_be_reached_is_told_from_what_cannot() {
    let folder = folder("coverage");
    write(&folder, "parts.rad", PARTS);
    let line = [
        "check",
        "parts.rad",
        "--json",
        "--coverage",
        "--no-partial-deadlock",
    ];
    let expected = [
        "call 3 unused",
        "statement 3 x = 1;",
        "start 6 late",
        "statement 6 x = n;",
        "end 6 late",
        "passed 7 ",
        "statement 7 x = 7;",
        "true 10 ",
        "statement 10 x = 4;",
        "statement 10 x = 5;",
        "false 11 ",
        "true 12 ",
        "statement 12 x = 6;",
        "alternative 15 ",
        "statement 16 x = 100;",
        "true 19 ",
        "true 21 ",
        "statement 21 return;",
    ];
    for reduction in ["none", "auto", "dpor", "optimistic", "persistent"] {
        let line = [&line[..], &["--reduction", reduction]].concat();
        let (code, out, err) = run(&folder, &line);
        assert_eq!(code, 0, "{reduction}: {out}{err}");
        let answer = json(&out);
        assert_eq!(unreached(&answer), expected, "{reduction}");
        assert_eq!(answer["reach"]["complete"], true, "{reduction}");
        let warnings = answer["warnings"].as_array().expect("warnings");
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert_eq!(warnings[0]["place"]["line"], 13);
    }
}

#[test]
fn counts_are_those_of_the_transitions_of_full_search() {
    let folder = folder("counts");
    write(
        &folder,
        "two.rad",
        "int x;\nthread t[2] { x = 1; if (x == 1) x = 2; }\n",
    );
    let line = [
        "check",
        "two.rad",
        "--json",
        "--coverage",
        "--reduction",
        "none",
        "--jobs",
        "1",
    ];
    let (_, out, _) = run(&folder, &line);
    let answer = json(&out);
    let points = answer["reach"]["points"].as_array().expect("points");
    let count = |kind: &str, column: u64| {
        let mut found = points
            .iter()
            .filter(|it| it["kind"] == kind && it["place"]["column"] == column);
        found.next().expect("there is one")["count"]
            .as_u64()
            .expect("a count")
    };
    let transitions = answer["statistics"]["transitions"]
        .as_u64()
        .expect("a number");
    // The three statements are one step each.
    assert_eq!(
        count("statement", 15) + count("statement", 22) + count("statement", 34),
        transitions
    );
    assert_eq!(
        count("true", 26) + count("false", 26),
        count("statement", 22)
    );
}

#[test]
fn a_search_that_is_cut_short_says_nothing_of_never() {
    let folder = folder("cut_short");
    write(&folder, "parts.rad", PARTS);
    for flags in [&["--max-states", "20"][..], &["--random-walks", "3"]] {
        let line = [&["check", "parts.rad", "--json", "--coverage"], flags].concat();
        let (code, out, err) = run(&folder, &line);
        assert_eq!(code, 2, "{out}{err}");
        let answer = json(&out);
        assert_eq!(answer["reach"]["complete"], false);
        assert_eq!(answer["warnings"].as_array().expect("a list").len(), 0);
    }
    // Transactions find one fault, and not each.
    let line = [
        "check",
        "parts.rad",
        "--json",
        "--coverage",
        "--no-deadlock",
        "--no-partial-deadlock",
    ];
    let line = [
        &line[..],
        &["--no-invariants", "--reduction", "transactions"],
    ]
    .concat();
    let (_, out, err) = run(&folder, &line);
    assert_eq!(json(&out)["reach"]["complete"], false, "{out}{err}");
}

#[test]
fn what_holds_because_nothing_happens_is_a_warning() {
    let folder = folder("vacuous");
    let text = "\
bool asked, answered;
invariant nothing: forall(i in 1..0: i > 3);
property served: asked leads to answered;
property still: always (asked implies eventually answered);
property fine: !answered leads to answered;
thread main { answered = true; assume(asked); asked = false; }
";
    write(&folder, "vacuous.rad", text);
    let sarif = folder.join("found.sarif");
    let sarif = sarif.to_str().expect("a name");
    let (code, out, err) = run(&folder, &["check", "vacuous.rad", "-q", "--sarif", sarif]);
    assert_eq!(code, 0, "{err}");
    for line in ["2:1", "3:1", "4:1", "6:32"] {
        assert!(
            out.contains(&format!("warning: vacuous.rad:{line}: ")),
            "{out}"
        );
    }
    assert_eq!(out.matches("warning: ").count(), 4, "{out}");
    let log = std::fs::read_to_string(sarif).expect("it was written");
    let log: serde_json::Value = serde_json::from_str(&log).expect("it is JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 4);
    assert!(
        results
            .iter()
            .all(|it| it["ruleId"] == "vacuous" && it["level"] == "warning")
    );
    // Nobody has looked at the properties.
    let (_, out, _) = run(&folder, &["check", "vacuous.rad", "-q", "--no-temporal"]);
    assert_eq!(out.matches("warning: ").count(), 2, "{out}");
}

#[test]
fn coverage_is_for_models_and_goes_onto_the_page() {
    let folder = folder("coverage_page");
    let page = folder.join("page.html");
    let page = page.to_str().expect("a name");
    let (code, out, err) = run(
        &examples(),
        &["check", "retry.rad", "--coverage", "--html", page],
    );
    assert_eq!(code, 0, "{out}{err}");
    let text = std::fs::read_to_string(page).expect("a page");
    assert!(text.contains("\"counts\":[["), "the page has no counts");
    let (code, _, err) = run(&examples(), &["check", "bakery.cbp", "--coverage"]);
    assert_eq!(code, 3);
    assert!(err.contains("--coverage is for models"), "{err}");
    write(&folder, "any.rad", "int x; thread t[*] { x = 1; }");
    let (code, _, err) = run(&folder, &["check", "any.rad", "--coverage"]);
    assert_eq!(code, 3, "{err}");
}
