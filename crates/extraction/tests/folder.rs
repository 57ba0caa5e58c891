//! The programs of `tests/java-any`. Their first line says what is true of any number of threads;
//! here that is tried with few, and their Java is compared with what is extracted from it.

use super::common::{
    agree, extracted, finds_fault, java_outcomes, load, machine_outcomes, scratch,
};
use raddle_extraction::Threads;
use raddle_testkit::jdk;
use std::path::{Path, PathBuf};

/// How many states a search may visit.
const STATES: u64 = 5_000;

/// The same of Java, whose states take longer.
const JAVA_STATES: u64 = 1_000;

fn programs() -> Vec<(String, String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java-any");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        let first = text.lines().next().unwrap_or_default();
        let verdict = first
            .strip_prefix("// any: ")
            .expect("a verdict in the first line");
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        found.push((name, verdict.to_owned(), path));
    }
    found.sort();
    found
}

#[test]
fn the_programs_of_the_folder() {
    let folder = scratch("java-any");
    let all = programs();
    jdk::compile(&folder, all.iter().map(|(_, _, path)| path.clone()));
    let only = std::env::var("RADDLE_ONLY").ok();
    let (mut wrong, mut compared, mut searched) = (Vec::new(), 0, 0);
    for (name, verdict, _) in &all {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        if let Err(what) = judge(&folder, name, verdict, &mut compared, &mut searched) {
            wrong.push(format!("{name}: {what}"));
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    println!("{compared} programs compared with Java, {searched} verdicts searched for completely");
    assert!(
        wrong.is_empty(),
        "{} are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(only.is_some() || compared >= 12, "{compared} compared");
}

fn judge(
    folder: &Path,
    name: &str,
    verdict: &str,
    compared: &mut usize,
    searched: &mut usize,
) -> Result<(), String> {
    let mut java = load(folder, name);
    let any = extracted(&java, name, Threads::Any);
    if let Some(why) = verdict.strip_prefix("unknown ") {
        return match any {
            Err(obstacle) if obstacle.to_string().contains(why) => Ok(()),
            Err(obstacle) => Err(format!("another obstacle: {obstacle}")),
            Ok(_) => Err("there is no obstacle".to_owned()),
        };
    }
    let any = any.map_err(|obstacle| obstacle.to_string())?;
    if any.program.replicated.is_empty() {
        return Err("no kind of thread is there any number of times".to_owned());
    }
    let show = std::env::var_os("RADDLE_SHOW").is_some();
    if show {
        println!("{}", raddle_machine::text::print(&any.program));
        println!("{:?} {:?} {:?}", any.kinds, any.liberties, any.racy);
    }
    let mut is_violated = false;
    // Three are needed by few, and take long.
    let most = if verdict == "holds" { 2 } else { 3 };
    for count in 1..=most {
        if is_violated {
            break;
        }
        let kinds = any.program.replicated.iter().map(|&kind| (kind, count));
        let program = any.program.with_threads(&kinds.collect::<Vec<_>>());
        let (found, is_complete) = finds_fault(&program, STATES);
        *searched += usize::from(found || is_complete);
        is_violated |= found;
        if verdict == "holds" && is_violated {
            return Err(format!("violated with {count} threads"));
        }
        let expected = verdict
            .strip_prefix("violated ")
            .and_then(|it| it.parse::<u32>().ok());
        if expected.is_some_and(|expected| (count >= expected) != is_violated) {
            return Err(format!("violated with {count} threads: {is_violated}"));
        }
    }
    if verdict.starts_with("violated") && !is_violated {
        return Err("no violation with three threads".to_owned());
    }
    let started = extracted(&java, name, Threads::AsStarted);
    let started = started.map_err(|obstacle| format!("as started: {obstacle}"))?;
    let found = machine_outcomes(&started.program, STATES);
    let expected = found
        .as_ref()
        .and_then(|_| java_outcomes(&mut java, JAVA_STATES));
    if let (Some(found), Some(expected)) = (&found, &expected) {
        *compared += 1;
        if !agree(found, expected) {
            return Err(format!("extracted: {found:?}, Java: {expected:?}"));
        }
    }
    if show {
        println!("{name}: extracted {found:?}, Java {expected:?}");
    }
    Ok(())
}
