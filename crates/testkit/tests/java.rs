//! Random Java programs are Java: the compiler takes them all.

use raddle_testkit::java::{CLASS, program};
use raddle_testkit::jdk::{compile_texts, scratch};

#[test]
fn the_compiler_accepts_random_programs() {
    let folder = scratch(env!("CARGO_TARGET_TMPDIR"), "random-programs");
    // One run of the compiler for all needs a name for each.
    let sources = (0..20).map(|seed| {
        let name = format!("{CLASS}{seed}");
        let text = program(seed).replace(CLASS, &name);
        (name, text)
    });
    compile_texts(&folder, sources);
    std::fs::remove_dir_all(&folder).expect("the folder is removed");
}
