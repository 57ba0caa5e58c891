//! Tells the program what it is made of: the commit and the target, for `raddle --version`.

use std::process::Command;

fn main() {
    let target = std::env::var("TARGET").unwrap_or_default();
    let profile = std::env::var("PROFILE").unwrap_or_default();
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=RADDLE_TARGET={target}");
    println!("cargo::rustc-env=RADDLE_PROFILE={profile}");
    // While it is being worked on, a commit is no reason to compile everything anew.
    let commit = match profile.as_str() {
        "release" => commit(),
        _ => None,
    };
    let commit = commit.as_deref().unwrap_or("unknown");
    println!("cargo::rustc-env=RADDLE_COMMIT={commit}");
}

/// The commit; outside of a repository, as in a package of sources, there is none.
fn commit() -> Option<String> {
    // The log grows with every commit, whatever the branch.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo::rerun-if-changed={log}");
    git(&["rev-parse", "--short=10", "HEAD"])
}

fn git(line: &[&str]) -> Option<String> {
    let done = Command::new("git").args(line).output().ok()?;
    let told = String::from_utf8(done.stdout).ok()?.trim().to_owned();
    (done.status.success() && !told.is_empty()).then_some(told)
}
