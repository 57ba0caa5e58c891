//! Runs raddle on Java programs, among them those whose first line says what is expected.

#![allow(dead_code, reason = "each test uses some of it")]

#[path = "../common/forms.rs"]
pub(crate) mod forms;

use raddle_reduce::Reduction;
use raddle_testkit::jdk;
pub(crate) use raddle_testkit::jdk::{compile as compile_into, jdk};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An empty folder of this process.
pub(crate) fn scratch(name: &str) -> PathBuf {
    jdk::scratch(env!("CARGO_TARGET_TMPDIR"), name)
}

/// Compiles all sources of a folder at once, because it is the compiler's start that takes
/// time.
pub(crate) fn compile(folder: &Path) {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let files = entries.map(|entry| entry.expect("a source").path());
    compile_into(folder, files);
}

pub(crate) fn raddle() -> Command {
    Command::new(env!("CARGO_BIN_EXE_raddle"))
}

pub(crate) fn check(file: &Path, flags: &[&str]) -> Output {
    let file = file.display().to_string();
    check_with(&[&[file.as_str()], flags].concat())
}

pub(crate) fn check_with(flags: &[&str]) -> Output {
    let mut command = raddle();
    command.arg("check").arg("--jdk").arg(jdk());
    command.args(flags).output().expect("raddle runs")
}

/// The kind of the violation that is found, or the verdict, and everything that was told.
pub(crate) fn checked(file: &Path, flags: &[&str]) -> (String, Value) {
    let file = file.display().to_string();
    checked_with(&[&[file.as_str()], flags].concat())
}

/// The same of what the flags say.
pub(crate) fn checked_with(flags: &[&str]) -> (String, Value) {
    let done = check_with(&[&["--json"], flags].concat());
    let complaints = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(!complaints.contains("BUG"), "{flags:?}: {complaints}");
    let json = forms::told(&done);
    let verdict = json["verdict"].as_str().unwrap_or_default();
    let code = match verdict {
        "holds" => 0,
        "violated" => 1,
        _ => 2,
    };
    assert_eq!(done.status.code(), Some(code), "{flags:?}");
    let kind = json["kind"].as_str().unwrap_or(verdict).to_owned();
    (kind, json)
}

/// The reductions that Java programs can be searched with, beside none: tried out on a class.
pub(crate) fn reductions(class: &Path) -> Vec<Reduction> {
    let is_possible = |reduction: &Reduction| {
        let done = check(class, &flags(*reduction));
        let complaints = String::from_utf8_lossy(&done.stderr).into_owned();
        let is_refused = done.status.code() == Some(3);
        assert!(
            !is_refused || complaints.contains("not for Java"),
            "{reduction:?}: {complaints}"
        );
        !is_refused
    };
    let all = Reduction::ALL.iter().copied();
    let found: Vec<Reduction> = all
        .filter(|&reduction| reduction != Reduction::FULL)
        .filter(is_possible)
        .collect();
    for known in [Reduction::SLEEP, Reduction::DPOR] {
        assert!(found.contains(&known), "{found:?}");
    }
    found
}

/// The flags for a reduction, without what it does not preserve.
pub(crate) fn flags(reduction: Reduction) -> Vec<&'static str> {
    let entry = reduction.entry();
    let mut flags = vec!["--reduction", entry.name];
    if !entry.preserves.partial_deadlock {
        flags.push("--no-partial-deadlock");
    }
    if !entry.preserves.deadlock {
        flags.push("--no-deadlock");
    }
    flags
}

/// Whether a verdict is unknown because a reduction is not for this program, or has come to a
/// limit.
pub(crate) fn is_out(kind: &str, told: &Value) -> bool {
    let reasons = told["reasons"].to_string();
    let known = ["cycles", "this reduction", "limit of"];
    kind == "unknown" && known.iter().any(|it| reasons.contains(it))
}

/// Does something with all of several things, some at a time, and fails with what is wrong.
pub(crate) fn for_each<T: Sync>(all: &[T], what: impl Fn(&T) -> Result<(), String> + Sync) {
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    let work = || {
        while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(why) = what(one) {
                wrong.lock().expect("nobody panics here").push(why);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut wrong = wrong.into_inner().expect("nobody panics here");
    wrong.sort();
    let count = wrong.len();
    assert!(wrong.is_empty(), "{count} are wrong:\n{}", wrong.join("\n"));
}

/// Compiles all programs of a folder at once: where their classes are.
pub(crate) fn compiled(folder: &Path) -> PathBuf {
    let name = folder.file_name().expect("a folder has a name");
    let classes = scratch(&name.display().to_string());
    let files = programs(folder, 1).into_iter().map(|(file, _)| file);
    compile_into(&classes, files);
    classes
}

/// The programs of a folder, at least so many, with what is expected of them.
pub(crate) fn programs(folder: &Path, least: usize) -> Vec<(PathBuf, String)> {
    let entries = std::fs::read_dir(folder).expect("the programs are there");
    let mut all = Vec::new();
    for entry in entries {
        let path = entry.expect("it can be read").path();
        let text = std::fs::read_to_string(&path).expect("it is text");
        let first = text.lines().next().unwrap_or_default();
        let expected = first.strip_prefix("// expect: ");
        let expected = expected.unwrap_or_else(|| panic!("{}", path.display()));
        all.push((path, expected.to_owned()));
    }
    all.sort();
    assert!(all.len() >= least, "{} programs", all.len());
    all
}

/// A program with these imports and this `main`, in a folder of its own.
pub(crate) fn written(test: &str, name: &str, imports: &[&str], body: &str) -> PathBuf {
    let file = scratch(&format!("{test}-{name}")).join(format!("{name}.java"));
    let imports: String = imports
        .iter()
        .map(|it| format!("import {it}.*;\n"))
        .collect();
    let text = format!(
        "{imports}public class {name} {{\n    public static void main(String[] arguments) throws \
         Exception {{\n{body}\n    }}\n}}\n"
    );
    std::fs::write(&file, text).expect("a file");
    file
}
