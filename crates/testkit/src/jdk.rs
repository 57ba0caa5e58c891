//! The JDK that tests use, and its compiler.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The JDK in `RADDLE_JDK`, or the one that `tests/java/jdk` finds or installs.
pub fn jdk() -> &'static Path {
    static HOME: OnceLock<PathBuf> = OnceLock::new();
    HOME.get_or_init(|| {
        if let Some(home) = std::env::var_os("RADDLE_JDK") {
            return home.into();
        }
        let found = Command::new(root().join("tests/java/jdk")).output();
        let found = found.expect("tests/java/jdk runs");
        PathBuf::from(String::from_utf8_lossy(&found.stdout).trim())
    })
}

/// The compiler. It runs for so short a time that good code of its own does not pay off.
pub fn javac() -> Command {
    let mut javac = Command::new(jdk().join("bin/javac"));
    javac.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]);
    javac
}

/// Compiles files all at once, because it is the compiler's start that takes time. What programs can
/// say to raddle is there for them.
pub fn compile(classes: &Path, files: impl IntoIterator<Item = PathBuf>) {
    let mut javac = javac();
    javac.args(["-g", "-nowarn", "-proc:none", "-implicit:class"]);
    javac.arg("-sourcepath").arg(root().join("java"));
    run(javac.arg("-d").arg(classes).args(files));
}

/// Compiles classes with these names and texts in a folder.
pub fn compile_texts(folder: &Path, sources: impl IntoIterator<Item = (String, String)>) {
    let written = sources.into_iter().map(|(name, text)| {
        let file = folder.join(format!("{name}.java"));
        fs::write(&file, text).expect("a file");
        file
    });
    compile(folder, written);
}

/// Runs a compiler that has to succeed.
pub fn run(javac: &mut Command) {
    let done = javac.output().expect("javac runs");
    let told = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{told}");
}

/// An empty folder of this process in the one that a test has for temporary files.
pub fn scratch(folder: &str, name: &str) -> PathBuf {
    let folder = Path::new(folder).join(format!("{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
