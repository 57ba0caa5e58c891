//! Tells the program what it is made of: the commit and the target, for `raddle --version`.

use std::process::Command;

fn main() {
    let target = std::env::var("TARGET").unwrap_or_default();
    let profile = std::env::var("PROFILE").unwrap_or_default();
    // Outside of a repository, as in a package of sources, there is no commit to tell.
    let commit = git(&["rev-parse", "--short=10", "HEAD"]).unwrap_or_default();
    println!("cargo::rustc-env=RADDLE_TARGET={target}");
    println!("cargo::rustc-env=RADDLE_PROFILE={profile}");
    println!("cargo::rustc-env=RADDLE_COMMIT={commit}");
    println!("cargo::rerun-if-changed=build.rs");
    // The log grows with every commit, whatever the branch.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
}

fn git(line: &[&str]) -> Option<String> {
    let done = Command::new("git").args(line).output().ok()?;
    let told = String::from_utf8(done.stdout).ok()?.trim().to_owned();
    (done.status.success() && !told.is_empty()).then_some(told)
}
