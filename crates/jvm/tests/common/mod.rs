//! What tests of the machine share.

#![allow(dead_code, reason = "each file of tests uses a part")]

use std::path::{Path, PathBuf};
use std::process::Command;

use raddle_jvm::Host;

/// The JDK in `RADDLE_JDK`, or the one that `tests/java/jdk` finds or installs.
pub(crate) fn jdk() -> PathBuf {
    if let Some(home) = std::env::var_os("RADDLE_JDK") {
        return home.into();
    }
    let finder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java/jdk");
    let found = Command::new(finder).output().expect("tests/java/jdk runs");
    PathBuf::from(String::from_utf8_lossy(&found.stdout).trim())
}

/// Compiles one source text into a folder.
pub(crate) fn compile(folder: &Path, class: &str, text: &str) {
    std::fs::create_dir_all(folder).expect("a folder");
    let source = folder.join(format!("{class}.java"));
    std::fs::write(&source, text).expect("a file");
    let mut compiler = Command::new(jdk().join("bin/javac"));
    let done = compiler.arg("-d").arg(folder).arg(&source).status();
    assert!(done.expect("javac runs").success());
}

/// Hears nothing and says nothing.
pub(crate) struct Silent;

impl Host for Silent {
    fn write(&mut self, _: i32, _: &[u8]) {}

    fn read(&mut self, _: usize) -> Vec<u8> {
        Vec::new()
    }
}
