//! Running the program as a user does.

#![allow(dead_code, reason = "each file of tests uses a part")]

pub(crate) mod forms;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub(crate) const DEADLOCK: &str = "\
lock fork[2];
thread philosopher[2] {
  acquire(fork[index]);
  acquire(fork[(index + 1) % 2]);
  release(fork[(index + 1) % 2]);
  release(fork[index]);
}
";

pub(crate) const RACE: &str = "\
int x;
int finished;
thread worker[2] {
  x = x + 1;
  atomic { finished++; }
}
thread judge {
  await (finished == 2);
  assert(x == 2);
}
";

pub(crate) const GOOD: &str = "\
lock m;
int x;
thread worker[2] {
  synchronized (m) {
    x = x + 1;
  }
}
invariant small: x <= 2;
";

/// A folder of its own for a test.
pub(crate) fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

pub(crate) fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    fs::write(folder.join(name), text).expect("the file can be written");
}

pub(crate) fn raddle(folder: &Path, line: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.args(line).current_dir(folder).stdin(Stdio::null());
    command
}

pub(crate) fn run(folder: &Path, line: &[&str]) -> (i32, String, String) {
    let output = raddle(folder, line).output().expect("raddle runs");
    parts(&output)
}

pub(crate) fn parts(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("the output is UTF-8");
    let code = output.status.code().expect("raddle is not killed");
    (code, text(&output.stdout), text(&output.stderr))
}

/// What raddle wrote as JSON; it is as `docs/schema` says.
pub(crate) fn json(text: &str) -> Value {
    let value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    forms::valid(&value);
    value
}
