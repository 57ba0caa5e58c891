//! Abstractions as boolean programs, other solvers, and constants of programs that are verified.

use crate::common;

use common::{folder, parts, raddle, run, write};
use raddle_testkit::z3::z3;
use std::path::{Path, PathBuf};
use std::process::Command;

fn tests(path: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    tests.join(path)
}

/// What a program is translated into.
fn translated(folder: &Path, file: &Path, form: &str) -> (i32, String, String) {
    let file = file.to_str().expect("it is UTF-8");
    run(folder, &["translate", file, "--to", form])
}

/// The point of Figures 3.1 and 3.2 of paper 003, in a form that can be put beside Figure 3.3.
#[test]
fn the_point_of_the_thesis_becomes_a_boolean_program() {
    let folder = folder("abstractions_point");
    let (code, out, err) = translated(&folder, &tests("java-any/Points.java"), "cbp");
    assert_eq!(code, 0, "{out}{err}");
    write(&folder, "point.cbp", &out);
    let (code, answer, err) = run(&folder, &["check", "point.cbp"]);
    assert_eq!(code, 0, "{answer}{err}\n{out}");
    assert!(answer.starts_with("holds: "), "{answer}");
    // One variable for each coordinate is that of the figure, the other comes from the assertion.
    for declared in [
        "// x_is_0: x == 0 (a condition of the program)",
        "vars : x_is_0, x_at_least_1, y_is_0, y_at_least_1, lock_p_held ;",
        "threads : Inc, Dec, main ;",
        "// 39: p.incx();",
    ] {
        assert!(out.contains(declared), "{declared}\n{out}");
    }
    // The figure's increment makes a coordinate anything if it is not zero. With the second
    // predicate one that is positive stays so, as in Java as long as no number overflows.
    let positive = "!x_is_0 and x_at_least_1 and !lock_p_held : x_is_0 := false ;";
    assert!(out.contains(positive), "{out}");
    // What the figure allows and this program does not: with its assignments, the assertion fails.
    let looser = out.replace(
        positive,
        &positive.replace("x_is_0 := false", "x_at_least_1 := false"),
    );
    write(&folder, "looser.cbp", &looser);
    let (code, answer, err) = run(&folder, &["check", "looser.cbp"]);
    assert_eq!(code, 1, "{answer}{err}");
    // It is an abstraction, and says so where a violation is shown.
    assert!(answer.contains("Points.java"), "{answer}");
}

#[test]
fn a_boolean_program_is_violated_where_the_abstraction_is() {
    let folder = folder("abstractions_wrong");
    for (file, verdict) in [
        ("parametric/spin.rad", 0),
        ("parametric/spin_wrong.rad", 1),
        // Threads that sleep and are woken.
        ("parametric/buffer_if.rad", 1),
        ("java-any/BufferIf.java", 1),
        // No place is left in which anything is wrong.
        ("parametric/locked_counter.rad", 0),
    ] {
        let (code, out, err) = translated(&folder, &tests(file), "cbp");
        assert_eq!(code, 0, "{file}: {out}{err}");
        write(&folder, "out.cbp", &out);
        let (code, answer, err) = run(&folder, &["check", "out.cbp"]);
        assert_eq!(code, verdict, "{file}: {answer}{err}\n{out}");
    }
}

#[test]
fn what_does_not_fit_into_a_boolean_program_has_a_place() {
    let folder = folder("abstractions_refused");
    let (code, out, err) = translated(&folder, &tests("parametric/monotone.rad"), "cbp");
    assert_eq!(code, 3, "{out}{err}");
    let told = "monotone.rad:7:5: a step that changes whether `x >= worker.old + 1` for another \
                `worker` in line 7 does not fit into a boolean program";
    assert!(err.contains(told), "{err}");
    let (code, _, err) = translated(&folder, &tests("parametric/reference_count.rad"), "cbp");
    assert_eq!(code, 3, "{err}");
    assert!(
        err.contains("possible only if no other `user` is in line"),
        "{err}"
    );
    write(
        &folder,
        "three.rad",
        "int x;\nthread worker[3] { x = 1; }\n",
    );
    let (code, _, err) = translated(&folder, &folder.join("three.rad"), "cbp");
    assert_eq!(code, 3, "{err}");
    assert!(
        err.contains("only programs with any number of threads"),
        "{err}"
    );
    write(&folder, "it.cbp", BOOLEAN);
    let (code, _, err) = translated(&folder, &folder.join("it.cbp"), "cbp");
    assert_eq!(code, 3, "{err}");
    assert!(
        err.contains("only models and Java programs are abstracted"),
        "{err}"
    );
}

const BOOLEAN: &str = "\
vars : x ;
locks : ;
messages : ;
threads : main ;
unsafe : \"x\" ;
main { vars : ; x := false ; }
";

const ROOMS: &str = "\
const ROOMS = 2;
lock m;
int used;
thread guest[*] {
  while (true) {
    synchronized (m) {
      if (used < ROOMS) used = used + 1;
    }
    synchronized (m) {
      assert(used <= 3);
    }
  }
}
";

#[test]
fn a_certificate_is_verified_with_the_constants_that_it_was_made_with() {
    let folder = folder("abstractions_constants");
    write(&folder, "rooms.rad", ROOMS);
    let check = [
        "check",
        "rooms.rad",
        "-D",
        "ROOMS=3",
        "--certificate",
        "rooms.json",
    ];
    let (code, out, err) = run(&folder, &check);
    assert_eq!(code, 0, "{out}{err}");
    let verify = |more: &[&str]| {
        let line: Vec<&str> = ["verify", "rooms.rad", "rooms.json"]
            .iter()
            .chain(more)
            .copied()
            .collect();
        run(&folder, &line)
    };
    let (code, out, err) = verify(&["-D", "ROOMS=3"]);
    assert_eq!(code, 0, "{out}{err}");
    // With others it is another program, for which it may or may not be a proof.
    let (code, out, err) = verify(&["-D", "ROOMS=4"]);
    assert_eq!(code, 2, "{out}{err}");
    assert!(out.starts_with("refused: "), "{out}");
    let (code, _, err) = verify(&["-D", "FLOORS=4"]);
    assert_eq!(code, 3, "{err}");
    let (code, _, err) = verify(&["-D", "guest=4"]);
    assert_eq!(code, 3, "{err}");
    write(&folder, "it.cbp", BOOLEAN);
    let (code, _, err) = run(
        &folder,
        &["verify", "it.cbp", "rooms.json", "-D", "ROOMS=3"],
    );
    assert_eq!(code, 3, "{err}");
    assert!(err.contains("-D is for the constants of models"), "{err}");
}

/// A command that finds programs in one folder only.
fn with_path(mut command: Command, path: &Path) -> (i32, String, String) {
    let output = command.env("PATH", path).output();
    parts(&output.expect("raddle runs"))
}

#[test]
fn without_z3_it_is_said_what_to_install() {
    let folder = folder("abstractions_no_z3");
    write(&folder, "rooms.rad", ROOMS);
    let line = ["check", "rooms.rad", "--solver", "z3"];
    let (code, out, err) = with_path(raddle(&folder, &line), &folder);
    assert_eq!(code, 3, "{out}{err}");
    assert!(
        err.contains("the package of Debian and Ubuntu is `z3`"),
        "{err}"
    );
    // Where there are no formulas there is nothing to ask.
    write(
        &folder,
        "three.rad",
        "int x;\nthread worker[3] { x = 1; }\n",
    );
    let (code, _, err) = run(&folder, &["check", "three.rad", "--solver", "z3"]);
    assert_eq!(code, 3, "{err}");
    assert!(
        err.contains("--solver is for programs with any number of threads"),
        "{err}"
    );
    write(&folder, "it.cbp", BOOLEAN);
    let (code, _, err) = run(&folder, &["check", "it.cbp", "--solver", "z3"]);
    assert_eq!(code, 3, "{err}");
    assert!(
        err.contains("--solver is for models and Java programs"),
        "{err}"
    );
}

/// What a z3 that says nonsense does: it finds the end of each question, and prints that.
const NONSENSE: &str = r#"exec sed -u -n 's/^(echo "\(.*\)")$/perhaps\n\1/p'"#;

/// A z3 that ends at once, or says nonsense, proves nothing.
#[cfg(unix)]
#[test]
fn a_broken_z3_makes_nothing_hold() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("abstractions_broken_z3");
    write(&folder, "rooms.rad", ROOMS);
    let line = [
        "check",
        "rooms.rad",
        "-D",
        "ROOMS=3",
        "--certificate",
        "rooms.json",
    ];
    assert_eq!(run(&folder, &line).0, 0);
    for broken in ["exit 0", "read line; echo unsat", NONSENSE] {
        write(&folder, "z3", format!("#!/bin/sh\n{broken}\n"));
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.join("z3"), executable).expect("it can be executed");
        // The script needs the programs of the system, and its folder comes first.
        let path =
            std::env::join_paths([folder.as_path(), Path::new("/bin"), Path::new("/usr/bin")]);
        let path = PathBuf::from(path.expect("a path"));
        let check = ["check", "rooms.rad", "-D", "ROOMS=3", "--solver", "z3"];
        let (code, out, err) = with_path(raddle(&folder, &check), &path);
        assert_eq!(code, 2, "{broken}: {out}{err}");
        let verify = [
            "verify",
            "rooms.rad",
            "rooms.json",
            "-D",
            "ROOMS=3",
            "--solver",
            "z3",
        ];
        let (code, out, err) = with_path(raddle(&folder, &verify), &path);
        assert_eq!(code, 2, "{broken}: {out}{err}");
        let told = match broken == NONSENSE {
            true => "refused: the solver answered `perhaps`",
            false => "refused: z3 ended in the middle of a question",
        };
        assert!(out.starts_with(told), "{broken}: {out}");
    }
}

#[test]
fn z3_gives_the_answers_of_the_solver_in_the_binary() {
    let path = z3().parent().expect("a folder").to_owned();
    let folder = folder("abstractions_z3");
    write(&folder, "rooms.rad", ROOMS);
    for (constant, verdict) in [("ROOMS=3", 0), ("ROOMS=4", 1)] {
        let line = [
            "check",
            "rooms.rad",
            "-D",
            constant,
            "--solver",
            "z3",
            "--certificate",
            "rooms.json",
        ];
        let (code, out, err) = with_path(raddle(&folder, &line), &path);
        assert_eq!(code, verdict, "{out}{err}");
    }
    let line = [
        "verify",
        "rooms.rad",
        "rooms.json",
        "-D",
        "ROOMS=3",
        "--solver",
        "z3",
    ];
    let (code, out, err) = with_path(raddle(&folder, &line), &path);
    assert_eq!(code, 0, "{out}{err}");
    let line = [
        "verify",
        "rooms.rad",
        "rooms.json",
        "-D",
        "ROOMS=4",
        "--solver",
        "z3",
    ];
    let (code, out, err) = with_path(raddle(&folder, &line), &path);
    assert_eq!(code, 2, "{out}{err}");
}
