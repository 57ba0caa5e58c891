//! The test libraries of Java that tests use.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The folder with the jars that `tests/test-libraries` finds or installs.
pub fn test_libraries() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/test-libraries");
        let found = Command::new(script)
            .output()
            .expect("tests/test-libraries runs");
        let told = String::from_utf8_lossy(&found.stderr);
        assert!(
            found.status.success(),
            "there are no test libraries: {told}"
        );
        PathBuf::from(String::from_utf8_lossy(&found.stdout).trim())
    })
}
