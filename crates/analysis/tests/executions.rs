//! Facts against executions: whatever is known of a program without running it is so in every state that
//! a search of it reaches.
//!
//! By default a part of the corpus and some random programs are searched, with few states each;
//! `RADDLE_PROGRAMS` is how many random programs, `RADDLE_SEED` where they begin, `RADDLE_STATES` how many
//! states of each, and `RADDLE_CORPUS=all` searches all of the corpus:
//!
//! ```text
//! RADDLE_CORPUS=all RADDLE_STATES=100000 cargo test --release -p raddle-analysis --test executions
//! ```

#![allow(clippy::print_stdout, reason = "long runs say how much they did")]

mod common;

use common::{compiled_corpus, load, number, scratch};
use raddle_analysis::Facts;
use raddle_java::{Java, JavaState, Plan};
use raddle_model::{Erased, Halt, Limits, Move, System};
use raddle_reduce::Reduction;
use raddle_reduce::supervised::{Supervised, Supervisor};
use raddle_search::Config;
use raddle_testkit::jdk::compile_texts;
use raddle_testkit::{java_schedules, java_threads};
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Holds what is known against each state.
struct Doubter<'w> {
    facts: Facts<'w>,
    states: AtomicU64,
    wrong: Mutex<Option<String>>,
}

impl Doubter<'_> {
    fn look(&self, state: &JavaState) -> Result<(), Halt> {
        self.states.fetch_add(1, Ordering::Relaxed);
        let Some(wrong) = self.facts.contradiction(state.machine()) else {
            return Ok(());
        };
        let mut place = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        place.get_or_insert(wrong.clone());
        Err(Halt::GaveUp(wrong))
    }
}

impl Supervisor<Java> for Doubter<'_> {
    fn initial(&self, system: &Java) -> Result<JavaState, Halt> {
        let state = system.initial()?;
        self.look(&state)?;
        Ok(state)
    }

    fn step(&self, system: &Java, state: &mut JavaState, step: Move) -> Result<(), Halt> {
        system.step(state, step.thread, step.choice)?;
        self.look(state)
    }
}

/// What came of a program.
#[derive(Default)]
struct Tally {
    states: u64,
    is_unknown: bool,
}

fn judge(folder: &Path, name: &str, states: u64) -> Result<Tally, String> {
    let mut java = load(folder, name)?;
    let plan = Plan::new(Reduction::FULL).ok_or("there is no full search")?;
    plan.prepare(&mut java);
    let java = &java;
    let (world, start) = java.beginning_of_main();
    let facts = Facts::of(world, start);
    let unknown: Vec<String> = facts.unknown().into_iter().map(str::to_owned).collect();
    if !unknown.is_empty() {
        println!("{name}: unknown: {}", unknown.join(", "));
        return Ok(Tally {
            is_unknown: true,
            ..Tally::default()
        });
    }
    let system = Supervised {
        system: java,
        supervisor: Doubter {
            facts,
            states: AtomicU64::new(0),
            wrong: Mutex::default(),
        },
    };
    let config = Config {
        limits: Limits {
            states: Some(states),
            ..Limits::NONE
        },
        jobs: 1,
        ..Config::default()
    };
    plan.survey(&Erased(&system), java, &config, None, &mut (), false);
    let doubter = system.supervisor;
    match doubter
        .wrong
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
    {
        Some(wrong) => Err(wrong),
        None => Ok(Tally {
            states: doubter.states.into_inner(),
            is_unknown: false,
        }),
    }
}

/// Judges programs on all processors: how many states there were, and of how many programs nothing is
/// known.
fn judge_all(folder: &Path, names: &[String], states: u64) -> (u64, usize) {
    let (next, all) = (AtomicUsize::new(0), AtomicU64::new(0));
    let unknown = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match judge(folder, name, states) {
                        Ok(tally) => {
                            all.fetch_add(tally.states, Ordering::Relaxed);
                            unknown.fetch_add(usize::from(tally.is_unknown), Ordering::Relaxed);
                        }
                        Err(what) => wrong
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .push(format!("{name}: {what}")),
                    }
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
    wrong.sort();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    (all.into_inner(), unknown.into_inner())
}

#[test]
fn no_fact_is_wrong_in_a_state_of_the_corpus() {
    let (folder, names) = compiled_corpus("executions", 6);
    let (states, unknown) = judge_all(&folder, &names, number("RADDLE_STATES", 300));
    println!(
        "{} programs, {states} states; nothing is known of {unknown}",
        names.len()
    );
    assert!(states > 0, "no state was reached");
    assert!(5 * unknown <= names.len(), "nothing is known of {unknown}");
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn no_fact_is_wrong_in_a_state_of_random_programs() {
    let (first, count) = (number("RADDLE_SEED", 1), number("RADDLE_PROGRAMS", 40));
    let folder = scratch("random");
    let schedules = (first..first + count).map(|seed| {
        let name = format!("S{seed}");
        (name.clone(), java_schedules::program(seed, &name))
    });
    let threads = (first..first + count).map(|seed| {
        let name = format!("T{seed}");
        (name.clone(), java_threads::program(seed, &name))
    });
    let sources: Vec<(String, String)> = schedules.chain(threads).collect();
    let names: Vec<String> = sources.iter().map(|it| it.0.clone()).collect();
    compile_texts(&folder, sources);
    let (states, unknown) = judge_all(&folder, &names, number("RADDLE_STATES", 300));
    println!(
        "{} programs, {states} states; nothing is known of {unknown}",
        names.len()
    );
    assert!(states > 0, "no state was reached");
    assert!(5 * unknown <= names.len(), "nothing is known of {unknown}");
    let _ = std::fs::remove_dir_all(&folder);
}
