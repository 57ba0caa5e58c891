//! Random Java programs are Java: the compiler takes them all.

use raddle_testkit::java::{CLASS, program};
use std::path::Path;
use std::process::Command;

#[test]
fn the_compiler_accepts_random_programs() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java/jdk");
    let jdk = Command::new(script).output().expect("the script runs");
    assert!(jdk.status.success(), "no JDK: {jdk:?}");
    let home = String::from_utf8(jdk.stdout).expect("a path in UTF-8");
    let folder = std::env::temp_dir().join(format!("raddle-java-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for sources");
    let mut compiler = Command::new(Path::new(home.trim()).join("bin/javac"));
    compiler.args(["-nowarn", "-Xlint:none", "-d"]).arg(&folder);
    for seed in 0..20 {
        // One run of the compiler for all needs a name for each.
        let name = format!("{CLASS}{seed}");
        let file = folder.join(format!("{name}.java"));
        std::fs::write(&file, program(seed).replace(CLASS, &name)).expect("a source is written");
        compiler.arg(file);
    }
    let output = compiler.output().expect("javac runs");
    std::fs::remove_dir_all(&folder).expect("the folder is removed");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
