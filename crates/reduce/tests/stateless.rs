//! Searches without a store: how many executions they need, and that they find what full
//! search finds.
//!
//! `RADDLE_SEED=n` and `RADDLE_SAMPLES=n` choose other random programs.

use raddle_machine::Machine;
use raddle_model::{Limits, Properties, Reason, States, Status, System, Thread};
use raddle_reduce::Reduction;
use raddle_reduce::stateless::{Mode, Undo, search_undoing};
use raddle_search::{Archive, Config, Monitor, Progress, Survey};
use raddle_testkit::differential::{self, Budget};
use raddle_testkit::generate::for_all;
use std::cell::Cell;
use std::io::{self, Read, Write};
use std::path::Path;

type State = <Machine as States>::State;

const MODES: [Mode; 2] = [Mode::Sleep, Mode::Dpor];

fn machine(source: &str) -> Machine {
    differential::machine(source).unwrap_or_else(|why| panic!("{why}\n{source}"))
}

fn config(most_states: u64) -> Config {
    Config {
        properties: Properties {
            faults: true,
            deadlock: true,
            partial_deadlock: false,
            invariants: false,
            temporal: false,
            ends: false,
        },
        limits: Limits {
            states: Some(most_states),
            ..Limits::NONE
        },
        ..Config::default()
    }
}

/// Searches everything without a store.
fn explore<S: System>(system: &S, mode: Mode, undo: Undo, most_states: u64) -> Survey {
    let config = config(most_states);
    search_undoing(system, &config, &mut (), false, mode, undo)
}

/// The number of executions that each mode needs.
fn executions(source: &str) -> [u64; 2] {
    let machine = machine(source);
    MODES.map(|mode| {
        let survey = explore(&machine, mode, Undo::Checkpoint, u64::MAX);
        assert_eq!(survey.reasons, [], "{source}");
        survey.statistics.executions
    })
}

/// The number of all interleavings, by the most naive of all searches.
fn interleavings(machine: &Machine, state: &State) -> u64 {
    let mut count = 0;
    let mut moved = false;
    for thread in (0..machine.threads(state) as u32).map(Thread) {
        let Status::Ready { choices } = machine.status(state, thread) else {
            continue;
        };
        for choice in 0..choices {
            moved = true;
            let mut next = state.clone();
            count += match machine.step(&mut next, thread, choice) {
                Ok(()) => interleavings(machine, &next),
                Err(_) => 1,
            };
        }
    }
    count + u64::from(!moved)
}

// Known numbers of executions.

#[test]
fn independent_threads_have_one_execution() {
    for threads in 1..6 {
        let source = format!("int a[5]; thread t[{threads}] {{ a[index] = 1; a[index] = 2; }}");
        assert_eq!(executions(&source), [1, 1]);
    }
}

#[test]
fn writers_of_one_variable_are_permuted() {
    for (writers, factorial) in [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120)] {
        let source = format!("int x; thread t[{writers}] {{ x = index; }}");
        assert_eq!(executions(&source), [factorial, factorial]);
    }
}

/// Each reader is before the writer or after it.
#[test]
fn readers_and_a_writer() {
    for readers in 1..7 {
        let source = format!(
            "int x; thread writer {{ x = 1; }}
             thread reader[{readers}] {{ int l = x; assert(l < 2); }}"
        );
        assert_eq!(executions(&source), [1 << readers, 1 << readers]);
    }
}

#[test]
fn additions_commute() {
    let source = "int x; thread t[4] { fetchAdd(x, 1); }";
    assert_eq!(executions(source), [1, 1]);
}

#[test]
fn critical_sections_are_permuted() {
    for (threads, factorial) in [(1, 1), (2, 2), (3, 6), (4, 24)] {
        let source =
            format!("int x; lock m; thread t[{threads}] {{ acquire(m); x = x + 1; release(m); }}");
        assert_eq!(executions(&source), [factorial, factorial]);
    }
}

#[test]
fn different_locks_do_not_matter() {
    let source = "lock m[4]; int x[4];
        thread t[4] { acquire(m[index]); x[index] = 1; release(m[index]); }";
    assert_eq!(executions(source), [1, 1]);
}

#[test]
fn choices_multiply() {
    let source = "thread t[2] { int l = choose(0..2); skip; }";
    assert_eq!(executions(source), [9, 9]);
}

fn paper_model(name: &str, threads: u32) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/papers/models")
        .join(name);
    let source = std::fs::read_to_string(path).expect("the model can be read");
    let declaration = source
        .lines()
        .find(|line| line.starts_with("const THREADS"))
        .expect("the model has a number of threads");
    source.replace(declaration, &format!("const THREADS = {threads};"))
}

/// Flanagan and Godefroid 2005, section 5: no conflicts up to 13 and up to 11 threads,
/// and after that a number that doubles (and more) with each thread.
#[test]
fn the_benchmarks_of_the_first_paper_on_dynamic_reduction() {
    let count = |name, threads| {
        let machine = machine(&paper_model(name, threads));
        let survey = explore(&machine, Mode::Dpor, Undo::Checkpoint, u64::MAX);
        assert_eq!((survey.reasons, survey.violations), (vec![], vec![]));
        survey.statistics.executions
    };
    for threads in [1, 2, 8, 13] {
        assert_eq!(count("filesystem.rad", threads), 1);
    }
    assert_eq!(count("filesystem.rad", 14), 2);
    assert_eq!(count("filesystem.rad", 15), 4);
    assert_eq!(count("filesystem.rad", 16), 8);
    for threads in [1, 2, 8, 11] {
        assert_eq!(count("indexer.rad", threads), 1);
    }
    assert_eq!(count("indexer.rad", 12), 8);
}

#[test]
fn reductions_never_need_more_than_all_interleavings() {
    let sources = [
        "int x, y; thread a { x = 1; y = x; } thread b { y = 2; x = y; }",
        "lock m; int x; thread t[3] { synchronized (m) { x = index; } }",
        "lock a, b; thread s { synchronized (a) { synchronized (b) { } } }
         thread t { synchronized (b) { synchronized (a) { } } }",
        "int x; thread c(int v) { x = v; } thread m { join(spawn c(1)); x = 2; }
         thread o { x = 3; }",
        "int x; thread t[3] { x = x + 1; }",
    ];
    for source in sources {
        let machine = machine(source);
        let initial = machine.initial().expect("the program starts");
        let all = interleavings(&machine, &initial);
        let [sleep, dpor] = executions(source);
        assert!(
            dpor <= sleep && sleep <= all,
            "{dpor} {sleep} {all}: {source}"
        );
    }
}

// Full search as the judge.

/// Both modes come to their end, and find what full search finds.
fn must_agree(source: &str) {
    let budget = Budget {
        full: 20_000,
        reduced: u64::MAX,
    };
    let rows = [Reduction::SLEEP, Reduction::DPOR];
    for workers in [1, 3] {
        match differential::compare_together(&machine(source), budget, rows, workers) {
            Ok(tally) if tally.compared == 2 => {}
            other => panic!("{other:?}\n{source}"),
        }
    }
}

/// One execution of each sort, whoever explores which part of the tree. How often somebody finds
/// out that all who could move are asleep may depend on that, with races, and so may how often a step
/// is tried that an assumption cuts short or that fails.
#[test]
fn several_workers_divide_the_tree_of_executions() {
    let divided = Cell::new(0);
    for_all(1000, |sample| {
        let machine = differential::machine(&sample.source())?;
        for mode in MODES {
            let alone = config(2_000);
            let together = Config {
                jobs: 3,
                alone_for: 0,
                ..alone.clone()
            };
            let [one, many] = [alone, together].map(|config| {
                search_undoing(&machine, &config, &mut (), false, mode, Undo::Checkpoint)
            });
            if !one.reasons.is_empty() || !many.reasons.is_empty() {
                continue;
            }
            if mode == Mode::Dpor && !one.violations.is_empty() {
                continue;
            }
            let (one, many) = (one.statistics, many.statistics);
            divided.set(divided.get() + u32::from(one.executions > 20));
            let is_same = match mode {
                Mode::Dpor => one.executions - one.pruned == many.executions - many.pruned,
                _ => (one.executions, one.states) == (many.executions, many.states),
            };
            if !is_same {
                return Err(format!("{mode:?}: {one:?}, together {many:?}"));
            }
        }
        Ok(())
    });
    assert!(divided.get() > 50);
}

#[test]
fn large_trees_are_divided() {
    let writers = "int x; thread t[7] { x = 1; }";
    let sections = "lock m; int x; thread t[6] { acquire(m); x = x + 1; release(m); }";
    for (source, expected) in [(writers, 5040), (sections, 720)] {
        let machine = machine(source);
        let together = Config {
            jobs: 3,
            alone_for: 0,
            ..config(u64::MAX)
        };
        for mode in MODES {
            let found = search_undoing(&machine, &together, &mut (), false, mode, Undo::Checkpoint);
            assert_eq!(found.statistics.executions, expected, "{mode:?} {source}");
        }
    }
}

/// Writes the search down at every third look, and ends it after some.
#[derive(Default)]
struct Interrupter {
    patience: u32,
    looks: u32,
    written: Option<Vec<u8>>,
}

impl Monitor for Interrupter {
    fn tick(&mut self, _: &Progress) -> Option<Reason> {
        self.looks += 1;
        (self.looks > self.patience).then_some(Reason::Interrupted)
    }

    fn archive(&mut self) -> Option<&mut dyn Archive> {
        Some(self)
    }

    fn wants_pause(&mut self) -> bool {
        self.is_due(false)
    }
}

impl Archive for Interrupter {
    fn is_due(&mut self, is_end: bool) -> bool {
        is_end || self.looks.is_multiple_of(3)
    }

    fn keep(&mut self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        let mut written = Vec::new();
        write(&mut written).expect("memory takes everything");
        self.written = Some(written);
    }

    fn recall(&mut self) -> Option<Box<dyn Read + '_>> {
        let written = self.written.as_deref()?;
        Some(Box::new(written))
    }
}

/// Searches by going on with what was written, again and again; how often it was interrupted.
fn in_parts(
    machine: &Machine,
    config: &Config,
    mode: Mode,
    undo: Undo,
    patience: u32,
) -> (Survey, u32) {
    let mut interrupter = Interrupter {
        patience,
        ..Interrupter::default()
    };
    let mut interruptions = 0;
    loop {
        interrupter.looks = 0;
        let survey = search_undoing(machine, config, &mut interrupter, true, mode, undo);
        if !survey.reasons.contains(&Reason::Interrupted) {
            return (survey, interruptions);
        }
        interruptions += 1;
    }
}

#[test]
fn what_was_written_down_goes_on_and_comes_to_the_same_end() {
    let interrupted = Cell::new(0);
    for_all(150, |sample| {
        let machine = differential::machine(&sample.source())?;
        for mode in [Mode::Sleep, Mode::Selective, Mode::Dpor] {
            for undo in [Undo::Checkpoint, Undo::Replay] {
                let config = config(1_000);
                let whole = search_undoing(&machine, &config, &mut (), true, mode, undo);
                let (parts, interruptions) = in_parts(&machine, &config, mode, undo, 4);
                interrupted.set(interrupted.get() + interruptions);
                if whole.reasons.contains(&Reason::States) {
                    continue;
                }
                let answers = [&whole, &parts].map(|it| (&it.violations, &it.reasons));
                let counts = [&whole, &parts].map(|it| {
                    let it = &it.statistics;
                    (
                        it.states,
                        it.transitions,
                        it.executions,
                        it.pruned,
                        it.depth,
                    )
                });
                if answers[0] != answers[1] || counts[0] != counts[1] {
                    return Err(format!("{mode:?} {undo:?}: {answers:?} {counts:?}"));
                }
            }
        }
        Ok(())
    });
    assert!(interrupted.get() > 300, "{}", interrupted.get());
}

/// The same with several workers, who pause now and then and give each other what they leave.
#[test]
fn several_workers_write_down_what_they_leave() {
    let writers = "int x; thread t[6] { x = 1; }";
    let sections = "lock m; int x; thread t[6] { acquire(m); x = x + 1; release(m); }";
    for source in [writers, sections] {
        let machine = machine(source);
        let together = Config {
            jobs: 3,
            alone_for: 0,
            ..config(u64::MAX)
        };
        for mode in MODES {
            for undo in [Undo::Checkpoint, Undo::Replay] {
                let (found, often) = in_parts(&machine, &together, mode, undo, 7);
                assert_eq!(found.statistics.executions, 720, "{mode:?} {source}");
                assert_eq!(found.reasons, []);
                assert!(often > 3, "{often}");
            }
        }
    }
}

#[test]
fn what_was_not_written_to_its_end_is_no_answer() {
    let machine = machine("int x; thread t[5] { x = 1; }");
    let mut interrupter = Interrupter {
        patience: 3,
        ..Interrupter::default()
    };
    let mut search = |patience, written: Option<Vec<u8>>| {
        interrupter.patience = patience;
        interrupter.looks = 0;
        if written.is_some() {
            interrupter.written = written;
        }
        let config = config(u64::MAX);
        let undo = Undo::Checkpoint;
        let found = search_undoing(&machine, &config, &mut interrupter, true, Mode::Sleep, undo);
        (found, interrupter.written.clone())
    };
    let whole = search(3, None).1.expect("it was written");
    for length in (0..whole.len()).step_by(whole.len() / 50 + 1) {
        let (found, _) = search(u32::MAX, Some(whole[..length].to_vec()));
        assert!(!found.reasons.is_empty(), "{length} of {}", whole.len());
    }
}

/// Both ways of going back lead to the same search.
#[test]
fn checkpoints_and_replay_are_the_same() {
    for_all(300, |sample| {
        let machine = differential::machine(&sample.source())?;
        for mode in MODES {
            let [a, b] =
                [Undo::Checkpoint, Undo::Replay].map(|undo| explore(&machine, mode, undo, 2_000));
            if (a.violations, a.reasons, a.statistics) != (b.violations, b.reasons, b.statistics) {
                return Err(format!("{mode:?}: the ways of going back differ"));
            }
        }
        Ok(())
    });
}

// The traps, each with its program.

/// The release between two acquires must not hide their race.
#[test]
fn the_race_of_two_acquires_is_seen_behind_the_release() {
    must_agree(
        "lock m; int x, y;
         thread a { acquire(m); x = 1; release(m); }
         thread b { y = 1; acquire(m); assert(x == 1); release(m); }",
    );
}

/// A thread that waits for ever is never executed, yet its wish for the lock is a race.
#[test]
fn a_thread_that_never_goes_on_takes_part_in_races() {
    must_agree("lock m; int x; thread a { acquire(m); x = 1; } thread b { acquire(m); x = 2; }");
    must_agree("semaphore s = 1; int x; thread t[2] { down(s); x = index; }");
    must_agree("channel<int>(1) c; thread t[3] { send(c, index); }");
    must_agree("int x; thread a { await (x == 0) x = 1; } thread b { await (x == 0) x = 2; }");
}

#[test]
fn the_deadlock_of_two_locks_is_found() {
    must_agree(
        "lock a, b; thread s { skip; synchronized (a) { synchronized (b) { } } }
         thread t { skip; synchronized (b) { synchronized (a) { } } }
         thread u { skip; }",
    );
}

/// Sleep sets with an arbitrary choice of whom to try lose executions: the reversed
/// sequence may begin with a thread other than the two that are in the race.
#[test]
fn a_race_may_ask_for_a_third_thread() {
    must_agree(
        "int x, y, z;
         thread a { x = 1; assert(y == 0 || z == 0); }
         thread b { y = 1; if (x == 0) z = 1; }
         thread c { int l = z; assert(l == 0 || x == 0); y = 2; }",
    );
    must_agree(
        "int x, y, z;
         thread p { x = 1; } thread q { y = 1; }
         thread r { int m = y; if (m == 0) z = 1; }
         thread s { int n = z; int m = y; if (n == 1 && m == 0) assert(x == 1); }",
    );
}

#[test]
fn starting_a_thread_comes_before_what_it_does() {
    must_agree(
        "int x; thread child(int v) { x = v; }
         thread main { thread c = spawn child(1); x = 2; join(c); assert(x == 2); }",
    );
    // Who starts first starts number two, and nothing but the numbers tells.
    must_agree(
        "thread h[2]; thread child() { skip; }
         thread main[2] { thread c = spawn child(); h[index] = c; }",
    );
    must_agree(
        "int x; thread child(int v) { x = v; }
         thread main[2] { thread c = spawn child(index); join(c); }",
    );
}

/// A failed assumption ends an execution before the other threads show themselves.
#[test]
fn an_assumption_does_not_hide_the_other_threads() {
    must_agree("int x, y; thread a { assume(x == 1); y = 1; } thread b { y = 2; x = 1; }");
    must_agree("int x, y; thread a { assert(x == 1); } thread b { y = 2; x = 1; assert(y == 0); }");
}

#[test]
fn notify_is_a_choice_over_the_waiting_threads() {
    must_agree(
        "lock m; int x;
         thread w[2] { synchronized (m) { wait(m); x = index; } }
         thread n { synchronized (m) { notify(m); } }",
    );
}

/// A sleeping thread is woken by what its choices would touch, whichever it takes.
#[test]
fn all_choices_of_a_sleeping_thread_count() {
    must_agree(
        "int x, y; thread a { choose { when (true) x = 1; or y = 1; } }
         thread b { y = 2; assert(x == 0); }",
    );
}

/// What a block touches depends on the state: exchanging two steps may change it.
#[test]
fn a_block_may_touch_other_objects_elsewhere() {
    must_agree(
        "int p, q, z; thread a { p = 1; } thread b { z = 1; z = 2; }
         thread c { atomic { if (p == 0) { if (z == 2) q = 1; } } assert(q == 0); }",
    );
    must_agree(
        "int p, q; thread a { p = 1; } thread b { q = 1; }
         thread c { await (p == 1 || q == 1); assert(p == 1); }",
    );
}

#[test]
fn conditional_independence_of_semaphores_saves_executions() {
    let [sleep, dpor] = executions("semaphore s = 5; thread t[3] { down(s); }");
    assert_eq!((sleep, dpor), (1, 6));
}

// Limits.

#[test]
fn cycles_are_noticed() {
    let machine = machine("int x; thread a { while (x == 0) { } } thread b { x = 1; }");
    for mode in MODES {
        let survey = explore(&machine, mode, Undo::Checkpoint, u64::MAX);
        assert!(matches!(&survey.reasons[..], [Reason::GaveUp(why)] if why.contains("cycles")));
    }
}

/// A thread that runs in circles does not hide the others.
#[test]
fn a_violation_is_found_in_spite_of_cycles() {
    let machine = machine("int x; thread a { while (true) x = 0; } thread b { assert(false); }");
    for mode in MODES {
        let survey = explore(&machine, mode, Undo::Checkpoint, u64::MAX);
        assert_eq!(survey.violations.len(), 1);
    }
}

#[test]
fn the_depth_is_bounded() {
    let machine = machine("int x; thread a { for (int i = 0; i < 9; i++) x = i; }");
    let config = |depth| Config {
        limits: Limits {
            depth: Some(depth),
            ..Limits::NONE
        },
        ..config(u64::MAX)
    };
    for (reduction, depth, reasons) in [
        (Reduction::SLEEP, 8, vec![Reason::Depth]),
        (Reduction::DPOR, 8, vec![Reason::Depth]),
        (Reduction::SLEEP, 9, vec![]),
        (Reduction::DPOR, 9, vec![]),
    ] {
        let survey = raddle_reduce::survey(&machine, reduction, &config(depth), &mut (), true);
        assert_eq!(survey.reasons, reasons);
        assert_eq!(survey.statistics.depth, depth);
    }
}

/// What is not preserved is not answered with *holds*.
#[test]
fn what_is_not_preserved_is_not_said_to_hold() {
    let machine = machine("int x, y; thread a { x = 1; } thread b { y = 1; }");
    let config = Config {
        properties: Properties::ALL,
        ..config(u64::MAX)
    };
    for reduction in [Reduction::SLEEP, Reduction::DPOR] {
        let survey = raddle_reduce::survey(&machine, reduction, &config, &mut (), false);
        assert!(!survey.reasons.is_empty());
    }
}
