//! Random Java programs with several threads: every reduction finds the outcomes that full
//! search finds, and `java` shows no others.
//!
//! `RADDLE_PROGRAMS` says how many, `RADDLE_SEED` where to begin, `RADDLE_ROUNDS` how often
//! `java` executes each.

use crate::java_runs;

use java_runs::{checked, compile, flags, for_each, is_out, jdk, reductions, scratch};
use raddle_reduce::Reduction;
use raddle_testkit::java_threads::{may_deadlock, program};
use raddle_testkit::jdk::{self as tools, javac};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many programs are compiled together.
const BATCH: u64 = 100;
/// How many states a search may take.
const STATES: &str = "20000";
/// Programs with more outcomes than that are left out: each takes a search.
const OUTCOMES: usize = 24;

fn number(variable: &str, default: u64) -> u64 {
    let told = std::env::var(variable).ok();
    told.and_then(|told| told.parse().ok()).unwrap_or(default)
}

fn name(seed: u64) -> String {
    format!("Threads{seed}")
}

/// What can come out of a program, as far as a reduction sees it. Nothing if that is too much.
fn outcomes(class: &Path, reduction: Reduction) -> Option<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    while found.len() <= OUTCOMES {
        let mut all = flags(reduction);
        // Deadlocks come last, when there is no other outcome any more.
        let preserves = reduction.entry().preserves.deadlock;
        all.extend(["--max-states", STATES]);
        let without = ["--no-deadlock", "--no-partial-deadlock"];
        let missing = without
            .iter()
            .filter(|flag| !flags(reduction).contains(flag));
        let mut faults = all.clone();
        faults.extend(missing);
        for list in [&mut faults, &mut all] {
            list.push("--");
            list.extend(found.iter().map(String::as_str));
        }
        let (mut kind, mut told) = checked(class, &faults);
        if kind == "holds" && preserves {
            (kind, told) = checked(class, &all);
        }
        if is_out(&kind, &told) {
            return None;
        }
        let message = told["message"].as_str().unwrap_or_default();
        let outcome = match &*kind {
            "holds" => return Some(found),
            "deadlock" | "partial-deadlock" => {
                found.insert("deadlock".to_owned());
                return Some(found);
            }
            _ => message.rsplit(' ').next().unwrap_or_default().to_owned(),
        };
        assert!(
            kind == "exception" && found.insert(outcome),
            "{} {kind} {told:#}",
            class.display()
        );
    }
    None
}

/// What `java` shows: for each program a line with the different outcomes of some rounds.
fn shown(folder: &Path, seeds: &[u64], rounds: u64) -> Vec<BTreeSet<String>> {
    let mut text =
        "public class All { public static void main(String[] args) throws Exception {\n".to_owned();
    for &seed in seeds {
        let name = name(seed);
        let _ = writeln!(
            text,
            "{{ var all = new java.util.TreeSet<String>(); \
             for (int i = 0; i < {rounds}; i++) all.add({name}.run()); \
             System.out.println(String.join(\" \", all)); }}"
        );
    }
    text.push_str("} }\n");
    let driver = folder.join("All.java");
    std::fs::write(&driver, text).expect("a source");
    let mut javac = javac();
    javac.arg("-cp").arg(folder).arg("-d").arg(folder);
    tools::run(javac.arg(&driver));
    let done = Command::new(jdk().join("bin/java"))
        .arg("-cp")
        .arg(folder)
        .arg("All")
        .output()
        .expect("java runs");
    assert!(done.status.success(), "{:?}", done);
    let lines = String::from_utf8_lossy(&done.stdout).into_owned();
    let split = |line: &str| line.split(' ').map(str::to_owned).collect();
    lines.lines().map(split).collect()
}

#[test]
fn reductions_and_java_show_the_outcomes_of_full_search() {
    let first = number("RADDLE_SEED", 1);
    let count = number("RADDLE_PROGRAMS", 4);
    let rounds = number("RADDLE_ROUNDS", 200);
    let (complete, compared) = (AtomicUsize::new(0), AtomicUsize::new(0));
    for start in (first..first + count).step_by(BATCH as usize) {
        let seeds: Vec<u64> = (start..(start + BATCH).min(first + count)).collect();
        let folder = scratch("java-threads");
        for &seed in &seeds {
            let name = name(seed);
            let file = folder.join(format!("{name}.java"));
            std::fs::write(file, program(seed, &name)).expect("a source");
        }
        compile(&folder);
        let class = |seed| folder.join(format!("{}.class", name(seed)));
        let reductions = reductions(&class(start));
        let ending: Vec<u64> = seeds
            .iter()
            .copied()
            .filter(|&it| !may_deadlock(it))
            .collect();
        let shown = shown(&folder, &ending, rounds);
        for_each(&seeds, |&seed| {
            let Some(all) = outcomes(&class(seed), Reduction::FULL) else {
                return Ok(());
            };
            complete.fetch_add(1, Ordering::Relaxed);
            for &reduction in &reductions {
                let preserves = reduction.entry().preserves.deadlock;
                let mut wanted = all.clone();
                wanted.retain(|outcome| preserves || outcome != "deadlock");
                let Some(found) = outcomes(&class(seed), reduction) else {
                    continue;
                };
                compared.fetch_add(1, Ordering::Relaxed);
                if found != wanted {
                    return Err(format!(
                        "seed {seed}, {reduction:?}: {found:?}, not {wanted:?}"
                    ));
                }
            }
            let place = ending.iter().position(|&it| it == seed);
            match place.map(|place| shown[place].difference(&all).collect::<Vec<_>>()) {
                Some(others) if !others.is_empty() => Err(format!(
                    "seed {seed}: java shows {others:?}, not in {all:?}"
                )),
                _ => Ok(()),
            }
        });
        let _ = std::fs::remove_dir_all(&folder);
    }
    let (complete, compared) = (complete.into_inner(), compared.into_inner());
    assert!(
        2 * complete as u64 >= count,
        "{complete} of {count} were searched completely"
    );
    assert!(
        compared >= complete,
        "{compared} comparisons of {complete} programs"
    );
}
