//! The z3 that tests use.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The program that `tests/z3` finds or installs.
pub fn z3() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/z3");
        let found = Command::new(script).output().expect("tests/z3 runs");
        let told = String::from_utf8_lossy(&found.stderr);
        assert!(found.status.success(), "there is no z3: {told}");
        PathBuf::from(String::from_utf8_lossy(&found.stdout).trim())
    })
}
