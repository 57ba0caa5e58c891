//! Boolean programs and nets on the command line.

use crate::common;

use common::{folder, json, raddle, run, write};
use std::path::{Path, PathBuf};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn check(file: &str, flags: &[&str]) -> (i32, String, String) {
    let line: Vec<&str> = ["check", file].iter().chain(flags).copied().collect();
    run(&examples(), &line)
}

#[test]
fn the_printed_bakery_is_wrong() {
    let (code, out, err) = check("bakery_printed.cbp", &[]);
    assert_eq!(code, 1, "{out}{err}");
    assert!(
        out.contains("the unsafe set `criticalI & criticalJ` is reached"),
        "{out}"
    );
    // The trace is one of the program: its threads, its lines.
    assert!(out.contains("| Ti "), "{out}");
    assert!(out.contains("IChoose := true ;"), "{out}");
}

#[test]
fn the_repaired_bakery_holds_for_any_number_of_threads() {
    let (code, out, err) = check("bakery.cbp", &["--json"]);
    assert_eq!(code, 0, "{out}{err}");
    let answer = json(&out);
    assert_eq!(answer["verdict"], "holds");
    let certificate = answer["coverage"]["certificate"].as_str();
    assert!(certificate.is_some_and(|it| !it.is_empty()), "{out}");
}

#[test]
fn pools_and_readers() {
    assert_eq!(check("pool.cbp", &["-q"]).0, 0);
    assert_eq!(check("pool_wrong.cbp", &["-q"]).0, 1);
    assert_eq!(check("readers_writers.cbp", &["-q"]).0, 0);
    // More than was asked in the file.
    let (code, out, _) = check("readers_writers.cbp", &["--unsafe", "reading >= 2"]);
    assert_eq!(code, 1, "{out}");
}

#[test]
fn states_are_explored_when_a_search_is_asked_for() {
    let (code, out, err) = check("pool.cbp", &["--max-threads", "4"]);
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("deadlock: client waits for ever"), "{out}");
    let limited = [
        "--max-threads",
        "3",
        "--no-deadlock",
        "--no-partial-deadlock",
    ];
    let (code, out, _) = check("pool.cbp", &limited);
    assert_eq!(code, 2, "{out}");
    assert!(out.contains("starts more than 3 threads"), "{out}");
    let reduced = ["--reduction", "auto", "--max-threads", "4", "-q"];
    assert_eq!(check("pool_wrong.cbp", &reduced).0, 1);
}

#[test]
fn a_trace_for_any_number_of_threads_is_replayed() {
    let folder = folder("unbounded_trace");
    let file = examples().join("pool_wrong.cbp");
    let file = file.to_str().expect("it is UTF-8");
    let (code, _, err) = run(&folder, &["check", file, "--trace", "t.json"]);
    assert_eq!(code, 1, "{err}");
    let (code, out, err) = run(&folder, &["replay", "t.json"]);
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("`run >= 2` is reached"), "{out}");
}

#[test]
fn mistakes_have_places() {
    let folder = folder("unbounded_mistakes");
    write(
        &folder,
        "slip.cbp",
        "vars : x ; locks : Lock ; messages : ; threads : main ;\n\
         main { vars : ;\n  lock(Lok) ;\n  x := true ;\n  unlock(Lock) ;\n}\n",
    );
    let (code, _, err) = run(&folder, &["check", "slip.cbp"]);
    assert_eq!(code, 3, "{err}");
    assert!(err.contains("slip.cbp:3:8"), "{err}");
    assert!(err.contains("`Lock`"), "{err}");
    let pool = examples().join("pool.cbp");
    let pool = pool.to_str().expect("it is UTF-8");
    let (code, _, err) = run(&folder, &["check", pool, "--unsafe", "rum >= 2"]);
    assert_eq!(code, 3, "{err}");
    assert!(err.contains("--> --unsafe:1:1"), "{err}");
    assert!(err.contains("run"), "{err}");
    write(&folder, "model.rad", "thread t { }");
    let (code, _, err) = run(&folder, &["check", "model.rad", "--unsafe", "x"]);
    assert_eq!(code, 3, "{err}");
    assert!(err.contains("--unreachable"), "{err}");
}

const SAFE: &str = "vars a b\nrules\na >= 1 -> a' = a - 1, b' = b + 1;\n\
                    init a = 1, b = 0\ntarget a >= 1, b >= 1\n";

#[test]
fn nets_are_decided() {
    let folder = folder("unbounded_nets");
    write(&folder, "safe.spec", SAFE);
    let (code, out, err) = run(&folder, &["check", "safe.spec"]);
    assert_eq!(code, 0, "{out}{err}");
    write(&folder, "unsafe.spec", SAFE.replace("a = 1,", "a >= 1,"));
    let (code, out, err) = run(&folder, &["check", "unsafe.spec", "--trace", "t.json"]);
    assert_eq!(code, 1, "{out}{err}");
    assert_eq!(run(&folder, &["replay", "t.json", "-q"]).0, 1);
    // A test for zero is not monotone: without a run that keeps to it nothing is known.
    let zero = SAFE
        .replace("a = 1,", "a >= 1,")
        .replace("a >= 1 ->", "a >= 1, b = 0 ->");
    write(&folder, "zero.spec", zero.replace("b >= 1\n", "b >= 2\n"));
    let (code, out, err) = run(&folder, &["check", "zero.spec"]);
    assert_eq!(code, 2, "{out}{err}");
    assert!(out.contains("zero.spec:3:9"), "{out}");
    write(&folder, "once.spec", zero);
    let (code, out, err) = run(&folder, &["check", "once.spec"]);
    assert_eq!(code, 1, "{out}{err}");
    write(
        &folder,
        "exact.spec",
        SAFE.replace("a >= 1, b >= 1", "a = 0, b = 1"),
    );
    let (code, out, err) = run(&folder, &["check", "exact.spec"]);
    assert_eq!(code, 1, "{out}{err}");
    // A target without demands is everything.
    write(&folder, "all.spec", "vars a rules init a = 0 target a >= 0");
    let (code, out, err) = run(&folder, &["check", "all.spec"]);
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("unsafe: every marking"), "{out}");
    write(&folder, "bad.spec", "vars a\nrules\na >= ;\n");
    let (code, out, err) = run(&folder, &["check", "bad.spec"]);
    assert_eq!(code, 3, "{out}{err}");
}

#[test]
fn transition_systems_bring_their_properties() {
    let folder = folder("unbounded_tts");
    write(
        &folder,
        "main.tts",
        "3 4\n0 0 -> 1 1\n1 0 -> 2 3\n2 3 -> 2 1 1 ~> 2\n",
    );
    write(&folder, "main.prop", "2|1,2\n");
    assert_eq!(run(&folder, &["check", "main.tts", "-q"]).0, 1);
    // One thread is not enough.
    let one = ["check", "main.tts", "-q", "--init", "0|0"];
    assert_eq!(run(&folder, &one).0, 0);
    std::fs::remove_file(folder.join("main.prop")).expect("it is there");
    let (code, _, err) = run(&folder, &["check", "main.tts"]);
    assert_eq!(code, 3, "{err}");
    assert!(err.contains("--unsafe"), "{err}");
}

#[test]
fn programs_are_translated() {
    let folder = folder("unbounded_translate");
    let counters = examples().join("counters.cbp");
    let counters = counters.to_str().expect("it is UTF-8");
    let sizes = |flags: &[&str]| {
        let line = [
            "translate",
            counters,
            "--to",
            "gm",
            "--statistics",
            "--json",
        ];
        let line: Vec<&str> = line.iter().chain(flags).copied().collect();
        let (code, out, err) = run(&folder, &line);
        assert_eq!(code, 0, "{err}");
        let answer = json(&out);
        let machines = answer["machines"].as_array().expect("a list").clone();
        let dec = machines.into_iter().find(|it| it["machine"] == "dec");
        let dec = dec.expect("there is a decrementer");
        (dec["states"].as_u64(), dec["transitions"].as_u64())
    };
    // Fig. 3.7 and Fig. 4.3 of paper 003.
    assert_eq!(sizes(&["--cbp2gm"]), (Some(24), Some(32)));
    assert_eq!(sizes(&["--full"]), (Some(16), Some(24)));
    assert_eq!(sizes(&[]), (Some(7), Some(17)));
    // The net of a program says the same as the program.
    let pool = examples().join("pool.cbp");
    let pool = pool.to_str().expect("it is UTF-8");
    for (form, name) in [("net", "pool.net"), ("mist", "pool.spec")] {
        let translated = raddle(&folder, &["translate", pool, "--to", form]).output();
        write(&folder, name, translated.expect("raddle runs").stdout);
        assert_eq!(run(&folder, &["check", name, "-q"]).0, 0, "{name}");
    }
    let (code, out, _) = run(&folder, &["translate", pool, "--to", "dot"]);
    assert_eq!(code, 0);
    assert!(out.starts_with("digraph"), "{out}");
    // Transfers are more than XML nets can say.
    let (code, _, err) = run(&folder, &["translate", pool, "--to", "pnml"]);
    assert_eq!(code, 3, "{err}");
}

/// A label that no machine gets to is proved unreachable, and not searched for.
#[test]
fn what_no_machine_gets_to_is_never_reached() {
    let folder = folder("unbounded_nowhere");
    write(
        &folder,
        "nowhere.cbp",
        "vars : ; locks : ; messages : ; threads : p, main ;\nunsafe : \"bad\" ;\n\
         main { vars : ; while (*) { start(p) ; } }\n\
         p { vars : ; assert(true) ; while (true) { skip ; } [bad] skip ; }\n",
    );
    let (code, out, err) = run(&folder, &["check", "nowhere.cbp"]);
    assert_eq!(code, 0, "{out}{err}");
    let claim = "`bad` is never reached and no assertion fails, however many threads";
    assert!(out.contains(claim), "{out}");
}

/// What is not to be checked is left out of the question, which is still about any number of
/// threads; flags that are about a search change the question, and the answer says so.
#[test]
fn flags_do_not_change_the_question_silently() {
    let folder = folder("unbounded_question");
    write(
        &folder,
        "both.cbp",
        "vars : g ; locks : ; messages : ; threads : t, main ;\nunsafe : \"bad\" ;\n\
         t { vars : ; assert(!g) ; if (g) { [bad] skip ; } }\n\
         main { vars : ; while (*) { start(t) ; } g := true ; }\n",
    );
    let decided = ["--no-faults", "--no-invariants"].map(|flag| {
        let (_, out, err) = run(&folder, &["check", "both.cbp", flag]);
        assert!(out.contains("decided by"), "{flag}: {out}{err}");
        out
    });
    assert!(
        decided[0].starts_with("violated: invariant"),
        "{}",
        decided[0]
    );
    assert!(
        decided[1].starts_with("violated: assertion"),
        "{}",
        decided[1]
    );
    write(
        &folder,
        "safe.cbp",
        "vars : g ; locks : ; messages : ; threads : t, main ;\nunsafe : \"bad\" ;\n\
         t { vars : ; assert(g) ; if (!g) { [bad] skip ; } }\n\
         main { vars : ; g := true ; start(t) ; start(t) ; }\n",
    );
    let (code, out, err) = run(&folder, &["check", "safe.cbp", "--no-faults"]);
    assert_eq!(code, 0, "{out}{err}");
    let claim = "`bad` is never reached, however many threads there are";
    assert!(out.contains(claim), "{out}");
    for flags in [
        &["--all"][..],
        &["--search", "breadth"],
        &["--store", "fingerprint"],
        &["--reduction", "none"],
        &["--max-states", "1000"],
        &["--max-depth", "1000"],
        &["--max-threads", "16"],
        &["--paranoid"],
    ] {
        let arguments = [&["check", "safe.cbp", "--width", "200"], flags].concat();
        let (code, out, err) = run(&folder, &arguments);
        assert_eq!(code, 0, "{flags:?}: {out}{err}");
        let verdict = "in any reachable state, with at most 16 threads\n";
        assert!(out.contains(verdict), "{flags:?}: {out}");
        let why = format!("note: {} asks for a search of states", flags[0]);
        assert!(out.contains(&why), "{flags:?}: {out}");
    }
}

/// Who looks for a better trace does not start ever more threads.
#[test]
fn a_trace_is_shortened_with_the_threads_it_has() {
    let folder = folder("unbounded_shorten");
    write(
        &folder,
        "starts.cbp",
        "vars : g ; locks : ; messages : ; threads : t, u, main ;\n\
         t { vars : x ; start(t, true) ; assert(x) ; }\n\
         u { vars : ; start(t, true) ; }\n\
         main { vars : ; start(t, false) ; while (*) { start(u) ; } }\n",
    );
    for flags in [&["-q"][..], &["-q", "--max-threads", "4"]] {
        let arguments = [&["check", "starts.cbp"], flags].concat();
        let (code, out, err) = run(&folder, &arguments);
        assert_eq!(code, 1, "{out}{err}");
        assert!(out.contains("the assertion is false"), "{out}");
    }
}

#[test]
fn flags_that_do_not_apply_are_refused() {
    let folder = folder("unbounded_flags");
    write(&folder, "safe.spec", SAFE);
    write(&folder, "model.rad", "thread t { }");
    let pool = examples().join("pool.cbp");
    let pool = pool.to_str().expect("it is UTF-8");
    let refused: [(&[&str], &str); 9] = [
        (&["check", "safe.spec", "--max-threads", "3"], "--max-"),
        (&["check", "safe.spec", "--unreachable", "a"], "--unsafe"),
        (&["check", "safe.spec", "-D", "N=3"], "-D"),
        (&["check", "safe.spec", "--init", "0/0"], ".tts"),
        (&["check", pool, "-D", "N=3"], "-D"),
        (&["compare", "safe.spec"], "boolean programs"),
        (&["show", "safe.spec", "--ir"], "translate"),
        (&["show", pool, "--ir"], "translate"),
        (
            &["translate", "model.rad", "--to", "net"],
            "any number of threads",
        ),
    ];
    for (arguments, told) in refused {
        let (code, out, err) = run(&folder, arguments);
        assert_eq!(code, 3, "{arguments:?}: {out}{err}");
        assert!(err.contains(told), "{arguments:?}: {err}");
    }
    let compared = ["compare", pool, "--max-threads", "3", "--time", "5s"];
    let (code, out, err) = run(&folder, &compared);
    assert_eq!(code, 0, "{out}{err}");
}

/// What is saved is checked from the text again; damaged, foreign and guessed certificates are
/// refused.
#[test]
fn certificates_are_verified() {
    let folder = folder("unbounded_certificates");
    write(&folder, "safe.spec", SAFE);
    for name in ["pool.cbp", "pool_wrong.cbp", "bakery.cbp"] {
        let text = std::fs::read(examples().join(name)).expect("an example");
        write(&folder, name, text);
    }
    for (input, saved) in [
        ("safe.spec", "net.json"),
        ("pool.cbp", "pool.json"),
        ("bakery.cbp", "bakery.json"),
    ] {
        let line = ["check", input, "-q", "--certificate", saved];
        let (code, out, err) = run(&folder, &line);
        assert_eq!(code, 0, "{out}{err}");
        let (code, out, err) = run(&folder, &["verify", input, saved]);
        assert_eq!(code, 0, "{out}{err}");
        assert!(out.starts_with("verified: "), "{out}");
    }
    let (_, out, _) = run(&folder, &["verify", "pool.cbp", "pool.json", "--json"]);
    assert_eq!(json(&out)["verified"], true, "{out}");
    let refused: [(&[&str], &str); 5] = [
        // Of another program, of another kind, and for another question.
        (&["verify", "bakery.cbp", "pool.json"], "another net"),
        (&["verify", "pool.cbp", "net.json"], "certificate of a net"),
        (&["verify", "pool_wrong.cbp", "pool.json"], "refused: "),
        (
            &["verify", "safe.spec", "net.json", "--unsafe", "b"],
            "target",
        ),
        (
            &["verify", "pool.cbp", "pool.json", "--unsafe", "run"],
            "refused: ",
        ),
    ];
    for (line, told) in refused {
        let (code, out, err) = run(&folder, line);
        assert_eq!(code, 2, "{line:?}: {out}{err}");
        assert!(out.starts_with("refused: "), "{line:?}: {out}");
        assert!(out.contains(told), "{line:?}: {out}");
    }
    let saved = std::fs::read_to_string(folder.join("pool.json")).expect("it is there");
    write(&folder, "cut.json", &saved[..saved.len() / 2]);
    write(&folder, "other.json", "{}");
    for file in ["cut.json", "other.json", "none.json"] {
        let (code, _, err) = run(&folder, &["verify", "pool.cbp", file]);
        assert_eq!(code, 3, "{file}: {err}");
    }
    // Nothing is saved where nothing is proved, and nothing else is written over.
    let line = [
        "check",
        "pool_wrong.cbp",
        "-q",
        "--certificate",
        "wrong.json",
    ];
    assert_eq!(run(&folder, &line).0, 1);
    assert!(!folder.join("wrong.json").exists());
    let line = ["check", "pool.cbp", "-q", "--certificate", "safe.spec"];
    assert_eq!(run(&folder, &line).0, 3);
}

/// A thread that takes a lock twice blocks itself, which no unsafe set shows.
#[test]
fn who_locks_twice_is_warned() {
    let folder = folder("unbounded_twice");
    write(
        &folder,
        "twice.cbp",
        "vars : g ; locks : m ; messages : ; threads : t, main ; unsafe : \"bad\" ;\n\
         main { vars : ; g := false ; while (*) { start(t) ; } }\n\
         t { vars : ; lock(m) ; lock(m) ; [bad] skip ; unlock(m) ; unlock(m) ; }\n",
    );
    let (code, out, err) = run(&folder, &["check", "twice.cbp"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("twice.cbp:3:24"), "{out}");
    assert!(out.contains("holds `m` already"), "{out}");
}

/// As many threads as it takes, of each type.
#[test]
fn threads_are_counted() {
    let (_, out, _) = check("pool_wrong.cbp", &[]);
    let line = out.lines().find(|line| line.contains("The execution has"));
    let line = line.expect("threads are counted");
    assert!(
        line.contains("1 main") && line.contains("2 worker"),
        "{line}"
    );
    let (_, out, _) = check("pool_wrong.cbp", &["--json"]);
    let threads = json(&out)["coverage"]["threads"].clone();
    let workers = threads
        .as_array()
        .and_then(|all| all.iter().find(|it| it["kind"] == "worker"));
    assert_eq!(workers.expect("there are workers")["count"], 2, "{out}");
}

/// The certificate of an abstraction is checked from the text again; damaged, foreign and guessed
/// ones are refused.
#[test]
fn certificates_of_abstractions_are_verified() {
    let folder = folder("unbounded_abstractions");
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parametric");
    for name in [
        "spin.rad",
        "spin_wrong.rad",
        "semaphore.rad",
        "readers_writers.rad",
    ] {
        let text = std::fs::read(models.join(name)).expect("a model");
        write(&folder, name, text);
    }
    for name in ["spin", "semaphore", "readers_writers"] {
        let (input, saved) = (format!("{name}.rad"), format!("{name}.json"));
        let line = ["check", &input, "--certificate", &saved];
        let (code, out, err) = run(&folder, &line);
        assert_eq!(code, 0, "{out}{err}");
        assert!(out.contains("the predicates: "), "{out}");
        let first = out.lines().next().unwrap_or_default();
        let claim = first.strip_prefix("holds: ").expect("a claim");
        let (code, out, err) = run(&folder, &["verify", &input, &saved]);
        assert_eq!(code, 0, "{out}{err}");
        assert!(out.starts_with(&format!("verified: {claim}")), "{out}");
        assert!(out.contains("every step is covered"), "{out}");
    }
    let read = |name: &str| -> serde_json::Value {
        let text = std::fs::read_to_string(folder.join(name)).expect("saved");
        serde_json::from_str(&text).expect("JSON")
    };
    let proof = |value: &mut serde_json::Value, member: &str, new: serde_json::Value| {
        value["proofs"][0][member] = new;
    };
    let mut damaged = Vec::new();
    let whole = read("semaphore.json");
    for (member, new) in [
        ("predicates", serde_json::json!([])),
        ("predicates", serde_json::json!(["true"])),
        ("predicates", serde_json::json!("all")),
        ("wraps", serde_json::json!("perhaps")),
        ("without", serde_json::json!([0, 2])),
        ("followed", serde_json::json!([0, 99])),
        ("net", serde_json::json!({})),
    ] {
        let mut value = whole.clone();
        proof(&mut value, member, new);
        damaged.push(value);
    }
    let mut guessed = whole.clone();
    guessed["proofs"] = serde_json::json!([]);
    damaged.push(guessed);
    let mut weaker = whole.clone();
    let basis = &mut weaker["proofs"][0]["net"];
    let places = basis["places"].clone();
    *basis = serde_json::json!({ "places": places, "forward": [] });
    damaged.push(weaker);
    for value in &damaged {
        write(&folder, "damaged.json", value.to_string());
        let (code, out, err) = run(&folder, &["verify", "semaphore.rad", "damaged.json"]);
        assert_eq!(code, 2, "{out}{err}\n{value}");
        assert!(out.starts_with("refused: "), "{out}");
    }
    for (program, saved) in [
        ("spin_wrong.rad", "spin.json"),
        ("spin.rad", "semaphore.json"),
        ("semaphore.rad", "readers_writers.json"),
    ] {
        let (code, out, err) = run(&folder, &["verify", program, saved]);
        assert_eq!(code, 2, "{program} {saved}: {out}{err}");
    }
}

/// The same for Java, and what is said of it: an annotation makes one thread any number of them.
#[test]
fn java_programs_with_any_number_of_threads() {
    let folder = folder("unbounded_java");
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java-any");
    for name in ["SpinLock.java", "SpinLockWrong.java", "Bakery.java"] {
        let text = std::fs::read(programs.join(name)).expect("a program");
        write(&folder, name, text);
    }
    let line = [
        "check",
        "SpinLock.java",
        "--threads",
        "any",
        "--certificate",
        "spin.json",
    ];
    let (code, out, err) = run(&folder, &line);
    assert_eq!(code, 0, "{out}{err}");
    let (code, out, err) = run(&folder, &["verify", "SpinLock.java", "spin.json"]);
    assert_eq!(code, 0, "{out}{err}");
    let (code, out, err) = run(&folder, &["verify", "SpinLockWrong.java", "spin.json"]);
    assert_eq!(code, 2, "{out}{err}");
    let (code, out, err) = run(&folder, &["translate", "Bakery.java", "--to", "ir"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("per Bakery"), "{out}");
    assert!(out.contains("elements_of("), "{out}");
    let (code, out, err) = run(&folder, &["translate", "SpinLock.java", "--to", "net"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("# held == 0"), "{out}");
    write(&folder, "Annotated.java", ANNOTATED);
    let any = ["check", "Annotated.java", "--threads", "any"];
    let (code, out, err) = run(&folder, &any);
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("it takes 3 threads `Worker`"), "{out}");
    let plain = ANNOTATED.replace("@raddle.Any", "");
    write(&folder, "Annotated.java", plain);
    let (code, out, err) = run(&folder, &any);
    assert_eq!(code, 2, "{out}{err}");
}

const ANNOTATED: &str = "
public class Annotated {
    static volatile int hits;

    @raddle.Any
    static class Worker extends Thread {
        public void run() {
            int before = hits;
            hits = before + 1;
            assert hits > before;
        }
    }

    public static void main(String[] args) {
        new Worker().start();
    }
}
";
