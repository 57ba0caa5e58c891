//! Runs raddle on Java programs whose first line says what is expected of them.

#![allow(dead_code, reason = "each test uses some of it")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The JDK of the tests.
pub(crate) fn jdk() -> PathBuf {
    if let Some(home) = std::env::var_os("RADDLE_JDK") {
        return home.into();
    }
    let finder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java/jdk");
    let found = Command::new(finder).output().expect("tests/java/jdk runs");
    PathBuf::from(String::from_utf8_lossy(&found.stdout).trim())
}

pub(crate) fn raddle() -> Command {
    Command::new(env!("CARGO_BIN_EXE_raddle"))
}

/// The kind of the violation that is found, or the verdict, and everything that was told.
pub(crate) fn checked(file: &Path, flags: &[&str]) -> (String, Value) {
    let file = file.display().to_string();
    checked_with(&[&[file.as_str()], flags].concat())
}

/// The same of what the flags say.
pub(crate) fn checked_with(flags: &[&str]) -> (String, Value) {
    let done = raddle()
        .args(["check", "--json", "--jdk"])
        .arg(jdk())
        .args(flags)
        .output()
        .expect("raddle runs");
    let told = String::from_utf8_lossy(&done.stdout).into_owned();
    let complaints = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(!complaints.contains("BUG"), "{flags:?}: {complaints}");
    let json: Value =
        serde_json::from_str(&told).unwrap_or_else(|_| panic!("{flags:?}: {told}{complaints}"));
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
