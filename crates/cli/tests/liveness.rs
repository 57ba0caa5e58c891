//! What must happen: temporal properties, and whether a program can end.

use crate::common::{folder, json, run, write};
use std::path::{Path, PathBuf};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

const SPINNING: &str = "\
int taken = 1;
thread worker { while (taken != 0) skip; }
thread main { taken = 2; }
";

const GOING_ON: &str = "\
bool full;
thread producer { while (true) await (!full) full = true; }
thread consumer { while (true) { await (full) full = false; progress: skip; } }
";

#[test]
fn an_execution_that_goes_round_is_told_saved_and_replayed() {
    let folder = folder("lasso");
    let saved = folder.join("trace.json");
    let page = folder.join("page.html");
    let (saved, page) = (
        saved.to_str().expect("a name"),
        page.to_str().expect("a name"),
    );
    let line = [
        "check",
        "after_you.rad",
        "--json",
        "--trace",
        saved,
        "--html",
        page,
    ];
    let (code, out, err) = run(&examples(), &line);
    assert_eq!(code, 1, "{out}{err}");
    let answer = json(&out);
    let trace = &answer["trace"];
    let steps = trace["steps"].as_array().expect("steps").len() as u64;
    let first = trace["repeats_from"].as_u64().expect("it goes round");
    assert!(first < steps, "{out}");
    assert!(
        std::fs::read_to_string(page)
            .expect("a page")
            .contains("\"repeats_from\"")
    );
    let (code, out, err) = run(&examples(), &["replay", saved]);
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("from here on again and again"), "{out}");
}

#[test]
fn where_nothing_can_end_is_a_violation_if_it_is_asked_for() {
    let folder = folder("no_end");
    write(&folder, "spinning.rad", SPINNING);
    write(&folder, "going_on.rad", GOING_ON);
    assert_eq!(run(&folder, &["check", "spinning.rad"]).0, 0);
    let line = [
        "check",
        "spinning.rad",
        "--must-end",
        "--trace",
        "trace.json",
    ];
    let (code, out, err) = run(&folder, &line);
    assert_eq!(code, 1, "{out}{err}");
    assert!(
        out.contains("violated: no-end: no execution ever ends: worker goes on for ever"),
        "{out}"
    );
    let (code, out, err) = run(&folder, &["replay", "trace.json"]);
    assert_eq!(code, 1, "{out}{err}");
    assert_eq!(run(&folder, &["check", "going_on.rad", "--must-end"]).0, 0);
    // Without progress it never ends.
    write(&folder, "never.rad", GOING_ON.replace("progress", "there"));
    assert_eq!(run(&folder, &["check", "never.rad", "--must-end"]).0, 1);
    // A limit is no answer.
    let line = ["check", "spinning.rad", "--must-end", "--max-states", "2"];
    assert_eq!(run(&folder, &line).0, 2);
}

#[test]
fn what_is_not_preserved_is_refused() {
    let folder = folder("refused_liveness");
    write(&folder, "spinning.rad", SPINNING);
    write(
        &folder,
        "any.rad",
        "property p: always true;\nthread t[*] { skip; }\n",
    );
    write(&folder, "few.cbp", "decl x;\nmain() begin x := 1; end\n");
    let refused = |line: &[&str], why: &str| {
        let (code, out, err) = run(&folder, line);
        assert_eq!(code, 3, "{line:?}: {out}{err}");
        assert!(err.contains(why), "{line:?}: {err}");
    };
    let local = [
        "check",
        "spinning.rad",
        "--must-end",
        "--reduction",
        "local",
    ];
    refused(&local, "does not preserve this property: must-end");
    refused(
        &["check", "any.rad"],
        "temporal properties are not checked of any number",
    );
    let any = ["check", "any.rad", "--no-temporal", "--must-end"];
    refused(&any, "--must-end is for a given number of threads");
    refused(
        &["check", "few.cbp", "--must-end"],
        "--must-end is for models and Java programs",
    );
    let after_you = examples().join("after_you.rad");
    let after_you = after_you.to_str().expect("a name");
    let line = ["check", after_you, "--reduction", "persistent"];
    refused(&line, "leave the property out with --no-temporal");
}

#[test]
fn java_programs_that_cannot_end_are_noted() {
    let (code, out, err) = run(&examples(), &["check", "java/EarlyReturn.java"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("come to where nothing can end: "), "{out}");
    assert!(
        out.contains("goes on for ever at EarlyReturn.java:9"),
        "{out}"
    );
    let (code, out, err) = run(
        &examples(),
        &["check", "java/EarlyReturn.java", "--must-end"],
    );
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("violated: no-end: after step"), "{out}");
    let line = [
        "check",
        "java/EarlyReturn.java",
        "--must-end",
        "--reduction",
        "transactions",
    ];
    let (code, _, err) = run(&examples(), &line);
    assert_eq!(code, 3, "{err}");
}
