//! Runs the program as a user does: verdicts, exit codes, files, signals.

use crate::common;

use common::{DEADLOCK, GOOD, RACE, folder, json, parts, raddle, run, write};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};

/// Too many states for any test to wait for.
const ENDLESS: &str = "\
int x[8];
thread worker[8] {
  while (true) x[index]++;
}
";

const WRONG: &str = "\
int x;
thread worker {
  y = 1;
  x = true;
}
";

#[test]
fn each_verdict_has_its_exit_code() {
    let folder = folder("verdicts");
    write(&folder, "good.rad", GOOD);
    write(&folder, "race.rad", RACE);
    write(&folder, "deadlock.rad", DEADLOCK);
    write(&folder, "wrong.rad", WRONG);
    write(&folder, "endless.rad", ENDLESS);
    for (line, code, start) in [
        (&["check", "good.rad"][..], 0, "holds: no fault, deadlock"),
        (
            &["check", "race.rad"],
            1,
            "violated: assertion at race.rad:9:3",
        ),
        (
            &["check", "deadlock.rad"],
            1,
            "violated: deadlock: philosopher[0] and",
        ),
        (
            &[
                "check",
                "deadlock.rad",
                "--no-deadlock",
                "--no-partial-deadlock",
            ],
            0,
            "holds: no ",
        ),
        (
            &["check", "endless.rad", "--max-states", "100"],
            2,
            "unknown: limit of 100 states",
        ),
        (
            &["check", "endless.rad", "--time", "0.2s"],
            2,
            "unknown: time limit of 0.20 s reached",
        ),
        (
            &["check", "endless.rad", "--max-depth", "3"],
            2,
            "unknown: depth limit of 3 reached",
        ),
        (
            &["check", "endless.rad", "--memory", "1M"],
            2,
            "unknown: memory limit of 1.0 MiB",
        ),
        (
            &["check", "good.rad", "--store", "bitstate"],
            2,
            "unknown: a bitstate store",
        ),
        (
            &["check", "good.rad", "--store", "fingerprint"],
            0,
            "holds: ",
        ),
        (
            &["check", "race.rad", "--search", "breadth"],
            1,
            "violated: assertion",
        ),
        (
            &["check", "race.rad", "--no-faults", "--no-deadlock"],
            0,
            "holds: no recognisable partial deadlock",
        ),
        (&["check", "wrong.rad"], 3, ""),
    ] {
        let (found, out, err) = run(&folder, line);
        assert_eq!(found, code, "{line:?}\n{out}{err}");
        assert!(out.starts_with(start), "{line:?}\n{out}{err}");
    }
}

#[test]
fn a_trace_names_threads_lines_and_locks() {
    let folder = folder("trace_text");
    write(&folder, "deadlock.rad", DEADLOCK);
    let (_, out, err) = run(&folder, &["check", "deadlock.rad", "--width", "100"]);
    for part in [
        "step  line | philosopher[0]        | philosopher[1]\n",
        "   1     3 | acquire(fork[index]); |\n",
        "           |   takes fork[0]       |\n",
        "philosopher[0] at deadlock.rad:4:3: acquire(fork[(index + 1) % 2]);\n",
        "The cycle: philosopher[0] waits for fork[1], held by philosopher[1], which waits for",
        "fork[0] is held by philosopher[0]",
        " transitions, depth ",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    assert_eq!(err, "");
}

#[test]
fn quiet_prints_the_verdict_only() {
    let folder = folder("quiet");
    write(&folder, "race.rad", RACE);
    let (code, out, err) = run(&folder, &["check", "race.rad", "--quiet"]);
    assert_eq!(
        (code, out.lines().count(), err.as_str()),
        (1, 1, ""),
        "{out}"
    );
}

#[test]
fn all_violations_are_told_apart() {
    let folder = folder("all");
    let both = format!(
        "{DEADLOCK}{}",
        RACE.replace("finished == 2", "finished <= 2")
    );
    write(&folder, "both.rad", both);
    let (code, out, _) = run(
        &folder,
        &["check", "both.rad", "--all", "--trace", "t.json"],
    );
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("different violations"), "{out}");
    assert!(out.contains("[1] ") && out.contains("[2] "), "{out}");
    for trace in ["t.json", "t.2.json"] {
        let (code, out, err) = run(&folder, &["replay", trace]);
        assert_eq!(code, 1, "{out}{err}");
    }
    let (_, out, _) = run(&folder, &["check", "both.rad", "--all", "--json"]);
    assert!(!json(&out)["others"].as_array().expect("a list").is_empty());
}

#[test]
fn json_is_json_whatever_happens() {
    let folder = folder("json");
    write(&folder, "good.rad", GOOD);
    write(&folder, "race.rad", RACE);
    write(&folder, "wrong.rad", WRONG);
    let (code, out, err) = run(&folder, &["check", "good.rad", "--json"]);
    assert_eq!((code, json(&out)["verdict"].as_str()), (0, Some("holds")));
    assert_eq!(err, "");
    let (code, out, _) = run(&folder, &["check", "race.rad", "--json", "--quiet"]);
    let value = json(&out);
    assert_eq!((code, value["kind"].as_str()), (1, Some("assertion")));
    assert_eq!(value["schema"], 1);
    assert_eq!(value["place"]["line"], 9);
    assert!(value["statistics"]["states"].as_u64() > Some(10));
    let (code, out, err) = run(&folder, &["check", "wrong.rad", "--json"]);
    let value = json(&out);
    assert_eq!((code, err.as_str()), (3, ""));
    let mistakes = value["error"]["diagnostics"].as_array().expect("a list");
    assert_eq!(mistakes.len(), 2, "{value}");
    assert_eq!(
        (&mistakes[0]["line"], &mistakes[0]["column"]),
        (&3.into(), &3.into())
    );
    for line in [
        &["check", "missing.rad", "--json"][..],
        &["check", "--json", "--nonsense"],
        &["check", "good.rad", "--json", "--unreachable", "nowhere"],
        &["replay", "missing.json", "--json"],
    ] {
        let (code, out, err) = run(&folder, line);
        assert_eq!((code, err.as_str()), (3, ""), "{line:?}");
        assert!(json(&out)["error"]["message"].is_string(), "{out}");
    }
}

#[test]
fn bad_input_is_explained() {
    let folder = folder("bad_input");
    write(&folder, "wrong.rad", WRONG);
    write(&folder, "good.rad", GOOD);
    write(&folder, "binary.rad", b"int x;\n\xff\xfe");
    write(&folder, "empty.json", "");
    write(&folder, "other.json", "{\"schema\": 1}");
    for (line, part) in [
        (&["check", "wrong.rad"][..], "wrong.rad has 2 errors"),
        (&["check", "wrong.rad"], "--> wrong.rad:3:3"),
        (&["check", "missing.rad"], "missing.rad: No such file"),
        (&["check", "."], "no class has a `main`"),
        (&["check", "binary.rad"], "binary.rad: line 2 is not UTF-8"),
        (
            &["check", "good.rad", "--unreachable", "nowhere"],
            "there is no label `nowhere`",
        ),
        (
            &["check", "good.rad", "--time", "soon"],
            "a number is expected",
        ),
        (
            &["check", "good.rad", "--memory", "4Q"],
            "is not a unit of memory",
        ),
        (
            &["check", "good.rad", "--store", "shelf"],
            "invalid value 'shelf'",
        ),
        (&["check", "good.rad", "--nonsense"], "unexpected argument"),
        (
            &["check", "good.rad", "--trace", "no/such/t.json"],
            "there is no folder no/such",
        ),
        (&["frobnicate"], "unrecognized subcommand"),
        (&[], "Usage: raddle"),
        (&["show", "wrong.rad"], "wrong.rad has 2 errors"),
        (&["replay", "missing.json"], "missing.json: No such file"),
        (&["replay", "empty.json"], "empty.json: not JSON"),
        (&["replay", "other.json"], "this is not a trace"),
    ] {
        let (code, out, err) = run(&folder, line);
        assert_eq!(code, 3, "{line:?}\n{out}{err}");
        assert!(err.contains(part), "{line:?}\n{err}");
        assert_eq!(out, "", "{line:?}");
    }
}

#[test]
fn labels_can_be_unreachable() {
    let folder = folder("unreachable");
    let text = "int x;\nthread t[2] {\n  x = x + 1;\n  if (x == 2) { both: skip; }\n}\n";
    write(&folder, "label.rad", text);
    assert_eq!(run(&folder, &["check", "label.rad"]).0, 0);
    let line = [
        "check",
        "label.rad",
        "--unreachable",
        "both",
        "--trace",
        "t.json",
    ];
    let (code, out, err) = run(&folder, &line);
    assert_eq!(code, 1, "{out}{err}");
    assert!(
        out.starts_with("violated: unreachable at label.rad:4:"),
        "{out}"
    );
    assert_eq!(run(&folder, &["replay", "t.json"]).0, 1);
}

#[test]
fn traces_are_saved_and_replayed() {
    let folder = folder("replay");
    write(&folder, "race.rad", RACE);
    let (_, checked, err) = run(&folder, &["check", "race.rad", "--trace", "t.json"]);
    assert!(err.contains("raddle replay -i t.json"), "{err}");
    let (code, replayed, err) = run(&folder, &["replay", "t.json"]);
    assert_eq!((code, err.as_str()), (1, ""));
    let body = |text: &str| text.split("\n\n").take(4).collect::<Vec<_>>().join("\n\n");
    assert_eq!(body(&checked).trim_end(), body(&replayed).trim_end());
    let (_, out, _) = run(&folder, &["replay", "t.json", "--json"]);
    assert_eq!(json(&out)["trace"]["threads"][0], "worker[0]");
    // From elsewhere the program is found beside the trace.
    let parent = folder.parent().expect("there is a folder above");
    assert_eq!(run(parent, &["replay", "replay/t.json", "-q"]).0, 1);
    // Saving again overwrites the old trace and leaves nothing else behind.
    assert_eq!(
        run(&folder, &["check", "race.rad", "--trace", "t.json"]).0,
        1
    );
    let mut names: Vec<_> = fs::read_dir(&folder)
        .expect("the folder can be read")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["race.rad", "t.json"]);
}

#[test]
fn a_changed_program_is_noticed() {
    let folder = folder("changed");
    write(&folder, "race.rad", RACE);
    run(&folder, &["check", "race.rad", "--trace", "t.json"]);
    write(
        &folder,
        "race.rad",
        format!("{RACE}// A comment changes nothing.\n"),
    );
    let (code, _, err) = run(&folder, &["replay", "t.json"]);
    assert_eq!(code, 1, "{err}");
    assert!(
        err.contains("has changed since the trace was saved, but"),
        "{err}"
    );
    write(
        &folder,
        "race.rad",
        RACE.replace("assert(x == 2)", "assert(x >= 1)"),
    );
    let (code, out, err) = run(&folder, &["replay", "t.json"]);
    assert_eq!((code, out.as_str()), (3, ""), "{err}");
    assert!(
        err.contains("has changed since the trace was saved, and"),
        "{err}"
    );
    write(&folder, "race.rad", WRONG);
    let (code, _, err) = run(&folder, &["replay", "t.json"]);
    assert_eq!(code, 3);
    assert!(
        err.contains("the program has changed since the trace was saved"),
        "{err}"
    );
    write(&folder, "moved.rad", RACE);
    let line = ["replay", "t.json", "--program", "moved.rad"];
    let (code, _, err) = run(&folder, &line);
    assert_eq!((code, err.as_str()), (1, ""));
}

#[test]
fn a_damaged_trace_is_refused() {
    let value = |text: &str| -> serde_json::Value { serde_json::from_str(text).expect("JSON") };
    let folder = folder("damaged");
    write(&folder, "race.rad", RACE);
    run(&folder, &["check", "race.rad", "--trace", "t.json"]);
    let text = fs::read_to_string(folder.join("t.json")).expect("the trace is there");
    let whole = json(&text);
    for (field, value, part) in [
        ("schedule", value("[[9, 0]]"), "there is no thread 9"),
        ("schedule", value("[[0, 7]]"), "there is no choice 7"),
        ("schedule", value("[]"), "the schedule ends in no violation"),
        ("schedule", value("[[0]]"), "step 1 is not [thread, choice]"),
        ("machine", value("{}"), "`machine.stack_words` is missing"),
        ("schema", value("9"), "the trace has schema 9"),
    ] {
        let mut damaged = whole.clone();
        damaged[field] = value;
        write(&folder, "damaged.json", damaged.to_string());
        let (code, _, err) = run(&folder, &["replay", "damaged.json"]);
        assert_eq!(code, 3, "{err}");
        assert!(err.contains(part), "{part}\n{err}");
    }
}

#[test]
fn files_that_are_not_traces_are_not_overwritten() {
    let folder = folder("overwrite");
    write(&folder, "race.rad", RACE);
    write(&folder, "notes.txt", "important");
    for (path, part) in [
        ("race.rad", "this is the program itself"),
        ("./race.rad", "this is the program itself"),
        ("notes.txt", "is not a trace; it will not be overwritten"),
        (".", "this is a folder"),
    ] {
        let (code, _, err) = run(&folder, &["check", "race.rad", "--trace", path]);
        assert_eq!(code, 3, "{path}");
        assert!(err.contains(part), "{err}");
    }
    let notes = fs::read_to_string(folder.join("notes.txt")).expect("the notes are there");
    assert_eq!(notes, "important");
    assert_eq!(
        run(&folder, &["check", "race.rad", "--trace", "/dev/null"]).0,
        1
    );
}

fn with_input(mut command: Command, input: &str) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("raddle runs");
    let mut stdin = child.stdin.take().expect("there is an input");
    stdin.write_all(input.as_bytes()).expect("raddle reads");
    drop(stdin);
    child.wait_with_output().expect("raddle ends")
}

#[test]
fn a_program_can_come_from_standard_input() {
    let folder = folder("stdin");
    let line = ["check", "-", "--trace", "t.json"];
    let (code, out, err) = parts(&with_input(raddle(&folder, &line), RACE));
    assert_eq!(code, 1, "{err}");
    assert!(out.contains("at <stdin>:9:3"), "{out}");
    let (code, _, err) = run(&folder, &["replay", "t.json"]);
    assert_eq!(code, 3);
    assert!(err.contains("--program"), "{err}");
    write(&folder, "race.rad", RACE);
    assert_eq!(
        run(&folder, &["replay", "t.json", "--program", "race.rad"]).0,
        1
    );
}

#[test]
fn interactive_replay_shows_values_after_each_step() {
    let folder = folder("interactive");
    write(&folder, "race.rad", RACE);
    run(&folder, &["check", "race.rad", "--trace", "t.json"]);
    let line = ["replay", "t.json", "--interactive"];
    let (code, out, err) = parts(&with_input(raddle(&folder, &line), "\n\nc\n"));
    assert_eq!(code, 1);
    assert!(
        out.contains("Shared variables in the initial state:\n  x = 0\n"),
        "{out}"
    );
    assert!(
        out.contains("Shared variables changed by step 3:\n  x = 1\n\n"),
        "{out}"
    );
    assert!(out.contains("judge fails: assertion failed"), "{out}");
    assert_eq!(err.matches("Enter: next step").count(), 3, "{err}");
    let (code, out, err) = parts(&with_input(raddle(&folder, &line), "\n?\nq\n"));
    assert_eq!(code, 1);
    assert!(!out.contains("   2     4"), "{out}");
    assert_eq!(err.matches("Press Enter for the next step").count(), 1);
}

#[test]
fn a_file_instead_of_a_command_is_recognised() {
    let folder = folder("no_command");
    let (code, _, err) = run(&folder, &["race.rad"]);
    assert_eq!(code, 3);
    assert!(
        err.contains("did you mean `raddle check race.rad`?"),
        "{err}"
    );
    let (_, _, err) = run(&folder, &["chekc"]);
    assert!(!err.contains("raddle check chekc"), "{err}");
}

#[test]
fn bad_input_is_a_verdict_in_json() {
    let folder = folder("bad_input_as_json");
    write(&folder, "wrong.rad", WRONG);
    for file in ["wrong.rad", "missing.rad"] {
        let (code, out, _) = run(&folder, &["check", file, "--json"]);
        assert_eq!(code, 3);
        let value = json(&out);
        assert_eq!(value["verdict"], "bad-input");
        assert_eq!(value["file"], file);
    }
}

#[test]
fn comparing_registers_one_handler_for_interrupts() {
    let folder = folder("one_handler");
    write(&folder, "good.rad", GOOD);
    let (_, _, err) = run(&folder, &["compare", "good.rad"]);
    assert!(!err.contains("Ctrl-C"), "{err}");
}

#[test]
fn truth_values_can_be_defined() {
    let folder = folder("truth");
    let program = "const BAD = false; thread t { assert(!BAD); }";
    write(&folder, "a.rad", program);
    assert_eq!(run(&folder, &["check", "a.rad"]).0, 0);
    assert_eq!(run(&folder, &["check", "a.rad", "-D", "BAD=true"]).0, 1);
    assert_eq!(run(&folder, &["check", "a.rad", "-D", "BAD=2"]).0, 3);
    let twice = ["check", "a.rad", "-D", "BAD=true", "-D", "BAD=true"];
    assert_eq!(run(&folder, &twice).0, 3);
}

#[test]
fn the_middle_of_a_long_trace_is_left_out() {
    let folder = folder("long_trace");
    let program = "int x; thread t { while (x < 250) { x++; } assert(false); }";
    write(&folder, "a.rad", program);
    let (_, out, _) = run(&folder, &["check", "a.rad"]);
    assert!(out.contains(" steps left out; --full-trace"), "{out}");
    let (_, full, _) = run(&folder, &["check", "a.rad", "--full-trace"]);
    assert!(!full.contains("left out"), "{full}");
    assert!(full.len() > out.len());
}

#[test]
fn show_has_three_forms() {
    let folder = folder("show");
    write(&folder, "race.rad", RACE);
    let (code, ir, _) = run(&folder, &["show", "race.rad"]);
    assert_eq!(code, 0);
    assert_eq!(run(&folder, &["show", "race.rad", "--ir"]).1, ir);
    assert!(ir.contains("region x: variable int"), "{ir}");
    let (code, dot, _) = run(&folder, &["show", "race.rad", "--dot"]);
    assert_eq!(code, 0);
    assert!(dot.starts_with("digraph"), "{dot}");
    let (code, text, _) = run(&folder, &["show", "race.rad", "--format"]);
    assert_eq!(code, 0);
    write(&folder, "again.rad", &text);
    assert_eq!(run(&folder, &["show", "again.rad", "--format"]).1, text);
    assert_eq!(run(&folder, &["show", "race.rad", "--ir", "--dot"]).0, 3);
}

#[test]
fn every_help_has_examples_and_exit_codes() {
    let folder = folder("help");
    for line in [
        &["--help"][..],
        &["check", "--help"],
        &["check", "-h"],
        &["replay", "--help"],
        &["show", "--help"],
        &["completions", "--help"],
        &["man", "--help"],
        &["lsp", "--help"],
        &["doctor", "--help"],
        &["help", "check"],
    ] {
        let (code, out, err) = run(&folder, line);
        assert_eq!((code, err.as_str()), (0, ""), "{line:?}");
        assert!(out.contains("EXAMPLES\n  raddle "), "{out}");
        assert!(out.contains("EXIT CODES\n"), "{out}");
    }
    let (code, out, _) = run(&folder, &["-V"]);
    assert_eq!(code, 0);
    assert_eq!(out, format!("raddle {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn shells_can_complete() {
    let folder = folder("completions");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (code, out, _) = run(&folder, &["completions", shell]);
        assert_eq!(code, 0);
        assert!(out.contains("no-partial-deadlock"), "{shell}");
    }
}

#[test]
fn bash_completes_files_and_flags() {
    let folder = folder("bash");
    let (_, script, _) = run(&folder, &["completions", "bash"]);
    let offered = |word: &str| {
        let line = format!(
            "{script}\nCOMP_WORDS=(raddle check '{word}'); COMP_CWORD=2\n\
             _raddle raddle '{word}' check; echo \"${{COMPREPLY[*]}}\""
        );
        let done = Command::new("bash").args(["-c", &line]).output();
        let done = done.expect("bash runs");
        String::from_utf8_lossy(&done.stdout).trim().to_owned()
    };
    assert_eq!(offered("--red"), "--reduction");
    // Where nothing is offered, bash offers files.
    assert_eq!(offered(""), "");
}

#[test]
fn a_file_that_cannot_be_written_is_told_before_the_search() {
    let folder = folder("unwritable");
    write(&folder, "race.rad", RACE);
    let name = "a".repeat(300);
    for flag in ["--trace", "--html", "--sarif", "--junit"] {
        let (code, out, err) = run(&folder, &["check", "race.rad", flag, &name]);
        assert_eq!((code, out.as_str()), (3, ""), "{flag}");
        assert!(err.ends_with(": File name too long\n"), "{err}");
    }
}

#[test]
fn colours_are_there_on_request_only() {
    let folder = folder("colours");
    write(&folder, "race.rad", RACE);
    let (_, plain, _) = run(&folder, &["check", "race.rad"]);
    assert!(!plain.contains('\u{1b}'));
    let (_, colored, _) = run(&folder, &["check", "race.rad", "--color", "always"]);
    assert!(colored.contains('\u{1b}'));
}

#[test]
fn stutters_can_be_counted() {
    let folder = folder("stutters");
    // Two threads with one step each: four states, four steps; 0, 1, 1 and 2 threads
    // have finished in them.
    write(&folder, "two.rad", "thread t[2] { skip; }\n");
    let full = ["check", "two.rad", "--reduction", "none"];
    let (_, out, _) = run(&folder, &full);
    assert!(out.contains("4 states, 4 transitions"), "{out}");
    let (_, out, _) = run(&folder, &[&full[..], &["--count-stutters"]].concat());
    assert!(
        out.contains("4 states, 8 transitions (4 of them by"),
        "{out}"
    );
}

#[test]
fn a_reader_that_leaves_does_no_harm() {
    let folder = folder("broken_pipe");
    write(&folder, "race.rad", RACE);
    for (line, code) in [
        (&["check", "race.rad"][..], 1),
        (&["check", "race.rad", "--json"], 1),
        (&["show", "race.rad"], 0),
        (&["completions", "zsh"], 0),
        (&["check", "--help"], 0),
    ] {
        let mut child = raddle(&folder, line)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("raddle runs");
        drop(child.stdout.take());
        let (found, _, err) = parts(&child.wait_with_output().expect("raddle ends"));
        assert_eq!((found, err.as_str()), (code, ""), "{line:?}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_a_search_cleanly() {
    let folder = folder("ctrl_c");
    write(&folder, "endless.rad", ENDLESS);
    let line = [
        "check",
        "endless.rad",
        "--progress",
        "always",
        "--time",
        "60s",
    ];
    let mut child = raddle(&folder, &line)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("raddle runs");
    // The first progress line shows that the search is under way.
    let mut progress = String::new();
    let mut err = BufReader::new(child.stderr.take().expect("there is an error output"));
    err.read_line(&mut progress).expect("there is progress");
    assert!(progress.contains(" per second, depth "), "{progress}");
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.expect("kill runs").success());
    let (code, out, _) = parts(&child.wait_with_output().expect("raddle ends"));
    assert_eq!(code, 2, "{out}");
    assert!(out.starts_with("unknown: interrupted\n"), "{out}");
    assert!(out.contains(" states, "), "{out}");
}

#[test]
fn from_the_memory_limit_on_fingerprints_are_kept() {
    let folder = folder("thin");
    let program = "int x; int y;\n\
                   thread a { x = choose(0..500); }\nthread b { y = choose(0..500); }\n";
    write(&folder, "unlike.rad", program);
    let line = ["check", "unlike.rad", "--jobs", "1", "--json"];
    let (_, whole, _) = run(&folder, &line);
    let whole = &json(&whole)["statistics"];
    let with = |more: &[&str]| {
        // Enough for raddle itself with fingerprints, and not with whole states.
        let line = [&line[..], &["--memory", "36M"], more].concat();
        let (_, out, error) = run(&folder, &line);
        assert_eq!(error, "");
        json(&out)
    };
    let thinned = with(&[]);
    assert_eq!(thinned["verdict"], "holds", "{thinned:#}");
    assert_eq!(thinned["statistics"]["states"], whole["states"]);
    assert!(thinned["remarks"].to_string().contains("fingerprints"));
    let exact = with(&["--store", "exact"]);
    assert_eq!(exact["verdict"], "unknown", "{exact:#}");
}

#[test]
fn what_has_no_room_in_memory_is_put_into_files() {
    let folder = folder("spilled");
    let program = "granularity statement;\nint x;\n\
                   thread worker[3] { int i; while (i < 60) { i = i + 1; x = x + 1; } }\n";
    write(&folder, "grid.rad", program);
    fs::create_dir(folder.join("files")).expect("a folder");
    let line = [
        "check",
        "grid.rad",
        "--reduction",
        "none",
        "--search",
        "breadth",
        "--memory",
        "44M",
    ];
    let (code, out, error) = run(&folder, &[&line[..], &["--store", "exact"]].concat());
    assert_eq!(code, 2, "{out}{error}");
    let (code, out, error) = run(&folder, &[&line[..], &["--spill", "files"]].concat());
    assert_eq!(code, 0, "{out}{error}");
    let left = fs::read_dir(folder.join("files")).expect("it is there");
    assert_eq!(left.count(), 0);
    for (spill, more, why) in [
        ("nowhere", &[][..], "nowhere"),
        ("grid.rad", &[], "not a folder"),
        ("files", &["--store", "bitstate"], "bitstate"),
        (
            "files",
            &["--reduction", "sleep", "--no-partial-deadlock"],
            "--spill",
        ),
    ] {
        let line = [&["check", "grid.rad", "--spill", spill], more].concat();
        let (code, out, error) = run(&folder, &line);
        assert_eq!(code, 3, "{out}{error}");
        assert!(error.contains(why), "{error}");
    }
}

/// Depth-first search comes to the deadlock of eight philosophers after thousands of steps.
#[test]
fn a_long_trace_becomes_a_short_one() {
    let folder = folder("short_trace");
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/dining.rad");
    let steps = |flags: &[&str]| {
        let arguments = [&["check", model, "-D", "N=8", "--json"], flags].concat();
        let (code, out, err) = run(&folder, &arguments);
        assert_eq!(code, 1, "{out}{err}");
        let told: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        told["trace"]["steps"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(steps(&[]), 8);
    assert!(steps(&["--no-shorten"]) > 1000);
}

/// A program with so many executions that nobody finds the best one, each step of which takes
/// long: the verdict comes before anything is shortened, and the report says that it was not
/// done to the end.
#[test]
fn the_verdict_comes_first_and_an_unfinished_trace_says_so() {
    let folder = folder("verdict_first");
    write(
        &folder,
        "slow.rad",
        "const N = 7;\nint x;\nint own[N];\nthread t[N] {\n  int i;\n  int j;\n  \
         for (i = 0; i < 9; i++) {\n    own[index] = i + 1;\n    \
         for (j = 0; j < 3000; j++) { }\n  }\n  x = x + 1;\n  assert(x < N);\n}\n",
    );
    let mut child = raddle(&folder, &["check", "slow.rad"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("raddle runs");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut first = String::new();
    out.read_line(&mut first).expect("a line");
    child.kill().expect("it is there to be killed");
    child.wait().expect("it is gone");
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut out, &mut rest).expect("text");
    assert!(
        first.starts_with("violated: assertion at slow.rad:12"),
        "{first}{rest}"
    );
    assert_eq!(rest, "", "the trace takes its time");
    let (code, out, err) = run(&folder, &["check", "slow.rad", "--width", "200"]);
    assert_eq!(code, 1, "{out}{err}");
    assert_eq!(out.matches("violated:").count(), 1, "{out}");
    assert!(
        out.contains("note: the trace was not shortened to the end"),
        "{out}"
    );
    assert!(out.contains("--search breadth"), "{out}");
}
