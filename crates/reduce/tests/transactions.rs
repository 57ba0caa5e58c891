//! Transactions: the numbers of the paper's example, and on random programs that what is
//! inferred along the way is exactly what full search sees.
//!
//! `RADDLE_SEED=n` starts elsewhere, `RADDLE_SAMPLES=n` runs more.

use raddle_machine::{Machine, MachineLimits};
use raddle_model::{
    FaultKind, Footprint, Kind, Limits, Move, Object, ObjectState, Operation, Permissions, Place,
    Properties, Property, States, Status, System, Thread, Verdict, Violation,
};
use raddle_reduce::lock_order::{self, LockOrder, NoOrder};
use raddle_reduce::transactions::{Exploration, Guard, Guards, Movers, Setup, explore};
use raddle_search::{Book, Config, Survey, check, check_all, replay};
use raddle_testkit::corpus;
use raddle_testkit::generate::{DECLARATIONS, Random, Sample, Statement, for_all, shrink};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

const FAULTS: Properties = Properties {
    faults: true,
    deadlock: false,
    partial_deadlock: false,
    invariants: false,
    temporal: false,
    ends: false,
};

const DEADLOCK: Properties = Properties {
    faults: false,
    deadlock: true,
    ..FAULTS
};

/// Random programs with more states are passed over.
const MOST_STATES: u64 = 4_000;

fn machine(source: &str, defines: &[(String, i64)]) -> Machine {
    let program = raddle_lang::compile_with(source, defines).expect("the program compiles");
    Machine::new(program, MachineLimits::default()).expect("the program is well formed")
}

fn config(properties: Properties) -> Config {
    Config {
        properties,
        limits: Limits {
            states: Some(MOST_STATES),
            ..Limits::NONE
        },
        ..Config::default()
    }
}

fn run(machine: &Machine, setup: Setup) -> Exploration {
    let config = config(FAULTS);
    explore(machine, Book::new(&config, &mut (), false), setup)
}

fn model(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/papers/models");
    std::fs::read_to_string(root.join(name)).expect("the model is there")
}

// The counter of section 2.

/// Two threads call its methods. The paper gives no table; these numbers were worked out
/// independently, by the definitions of sections 4 to 6. A thread at its loop's head is
/// where it was initially, and so in no transaction.
///
/// The number with inferred locks depends on the order of the search: what was explored
/// before `net` turned out to be unprotected stays. The other numbers do not.
#[test]
fn the_numbers_of_the_counter_come_out() {
    let source = model("counter.rad");
    for (k, full, left, given, inferred, scheduling) in [
        (2, 800, 608, 140, 146, 4),
        (3, 1944, 1368, 315, 324, 9),
        (4, 3712, 2432, 560, 572, 16),
    ] {
        let machine = machine(&source, &[("K".to_owned(), k)]);
        let everything = check_all(&machine, &config(FAULTS), &mut ());
        assert_eq!(everything.statistics.states, full);

        let locks_only = Setup {
            guards: Guards::Locks,
            claims: false,
            ..Setup::default()
        };
        let first = run(&machine, locks_only.clone());
        assert_eq!(first.nodes, inferred);
        assert_eq!(first.survey.statistics.states, scheduling);

        let known = Setup {
            claims: true,
            ..locks_only
        };
        let second = run(&machine, known.clone());
        assert_eq!(second.nodes, given);
        assert_eq!(second.survey.statistics.states, scheduling);
        let without_right_movers = Setup {
            movers: Movers::Left,
            ..known
        };
        assert_eq!(run(&machine, without_right_movers).nodes, left);

        // Threads as guards change nothing in the end.
        let usual = run(&machine, Setup::default());
        assert_eq!(usual.survey.statistics.states, scheduling);
    }
}

// Faults.

/// The different faults of a search to the end; `None` if it did not get there. Who
/// exhausts the heap is not told by footprints.
fn faults(machine: &Machine, found: &Survey) -> Result<Option<Faults>, String> {
    let mut faults = Faults::new();
    for Violation { property, schedule } in &found.violations {
        replay(machine, schedule, property).map_err(|it| format!("does not replay: {it:?}"))?;
        match property {
            Property::Fault(fault) if fault.kind == FaultKind::HeapExhausted => return Ok(None),
            Property::Fault(fault) => faults.insert((fault.kind, fault.place)),
            other => return Err(format!("{other:?} was not asked for")),
        };
    }
    Ok(found.reasons.is_empty().then_some(faults))
}

type Faults = BTreeSet<(FaultKind, Option<Place>)>;

/// Not only is some fault found if there is one, but each of them: another fault is no
/// more than the end of its thread.
fn finds_every_fault(source: &str) -> Result<(), String> {
    let machine = machine(source, &[]);
    let full = check_all(&machine, &config(FAULTS), &mut ());
    let Some(expected) = faults(&machine, &full)? else {
        return Ok(());
    };
    for (movers, guards) in [
        (Movers::Both, Guards::All),
        (Movers::Both, Guards::Locks),
        (Movers::Left, Guards::All),
    ] {
        let setup = Setup {
            movers,
            guards,
            ..Setup::default()
        };
        let exploration = run(&machine, setup);
        match faults(&machine, &exploration.survey)? {
            Some(found) if found != expected => {
                let what = format!("found {found:?} instead of {expected:?}");
                return Err(format!("{movers:?}, {guards:?}: {what}"));
            }
            _ => {}
        }
    }
    Ok(())
}

#[test]
fn every_fault_of_random_programs_is_found() {
    for_all(1000, |sample: &Sample| finds_every_fault(&sample.source()));
}

/// Programs of threads that mostly, but not always, hold the right lock: there is much
/// that can be put into transactions, and much that must not.
fn locking_program(seed: u64) -> Sample {
    let mut random = Random(seed);
    let threads = 2 + random.below(2);
    Sample {
        statement_granularity: random.below(3) > 0,
        declarations: DECLARATIONS.to_vec(),
        invariants: Vec::new(),
        threads: (0..threads)
            .map(|_| {
                let blocks = 1 + random.below(5 - threads);
                let mut body: Vec<Statement> = (0..blocks)
                    .map(|_| critical_section(&mut random, 1))
                    .collect();
                if random.below(8) == 0 {
                    let endless = vec![critical_section(&mut random, 0)];
                    body.push(Statement::Nested("while (true)".to_owned(), endless));
                }
                body
            })
            .collect(),
    }
}

/// A lock and some accesses to what it protects. Nobody protects `r` and `b`.
fn critical_section(random: &mut Random, depth: u64) -> Statement {
    const LOCKS: [(&str, [&str; 2]); 3] = [
        ("m", ["x", "y"]),
        ("k[0]", ["w", "a[0]"]),
        ("k[1]", ["a[1]", "y"]),
    ];
    let (lock, variables) = LOCKS[random.below(3) as usize];
    let mut body = Vec::new();
    for _ in 0..1 + random.below(3) {
        if depth > 0 && random.below(5) == 0 {
            body.push(critical_section(random, depth - 1));
            continue;
        }
        let variable = match random.below(5) {
            0 => "r",
            choice => variables[choice as usize % 2],
        };
        let value = random.below(3);
        body.push(Statement::Simple(match random.below(10) {
            0..=3 => format!("{variable} = {value};"),
            4 => format!("l = {variable};"),
            5 => format!("assert(l != {value});"),
            6 => format!("assert({variable} != {value});"),
            7 => format!("assume({variable} != {value});"),
            8 => "n = new Node; n.data = 1; n.next = head; head = n;".to_owned(),
            _ => format!("if ({variable} == {value}) b = !b;"),
        }));
    }
    match random.below(10) {
        0 => Statement::Choose(body, Vec::new()),
        _ => Statement::Nested(format!("synchronized ({lock})"), body),
    }
}

/// As [`for_all`], on programs that lock.
fn for_all_that_lock(samples: u64, law: impl Fn(&str) -> Result<(), String>) {
    let number = |name: &str, default| {
        let text = std::env::var(name).ok();
        text.and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let first = number("RADDLE_SEED", 1);
    for seed in first..first + number("RADDLE_SAMPLES", samples) {
        let sample = locking_program(seed);
        if law(&sample.source()).is_err() {
            let small = shrink(sample, |it| law(&it.source()).is_err());
            let source = small.source();
            panic!("seed {seed}: {:?}\n{source}", law(&source));
        }
    }
}

#[test]
fn every_fault_of_random_programs_that_lock_is_found() {
    for_all_that_lock(700, finds_every_fault);
}

/// Each clause of the definition has a program that needs it.
#[test]
fn every_fault_of_the_programs_for_clauses_is_found() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    for folder in ["clauses/transactions", "clauses/persistent"] {
        for file in corpus::programs(&root.join(folder)) {
            let source = std::fs::read_to_string(&file).expect("a program can be read");
            let result = finds_every_fault(&source);
            assert_eq!(result, Ok(()), "{}", file.display());
        }
    }
}

/// Condition C: after its commit the first thread fails, which is no reason not to let
/// the others see what it wrote.
#[test]
fn a_fault_after_the_commit_hides_no_other() {
    let source = "
        granularity statement;
        int x, y;
        thread first { x = 1; y = 1; assert(y == 0); }
        thread second { assert(x == 0); }";
    assert_eq!(finds_every_fault(source), Ok(()));
}

// Locksets.

/// Calls a function for every reachable state; false if there are too many, or if some
/// step gave up.
fn for_each_state(machine: &Machine, mut visit: impl FnMut(&<Machine as States>::State)) -> bool {
    let Ok(initial) = machine.initial() else {
        return true;
    };
    let mut seen = HashSet::new();
    let mut stack = vec![initial];
    while let Some(mut state) = stack.pop() {
        let mut scratch = Vec::new();
        let words = machine.encode(&state, &mut scratch).to_vec();
        if !seen.insert(words.clone()) {
            continue;
        }
        if seen.len() as u64 > MOST_STATES {
            return false;
        }
        machine.decode(&words, &mut state);
        visit(&state);
        for thread in threads(machine, &state) {
            let Status::Ready { choices } = machine.status(&state, thread) else {
                continue;
            };
            for choice in 0..choices {
                let mut next = state.clone();
                if machine.step(&mut next, thread, choice).is_ok() {
                    stack.push(next);
                }
            }
        }
    }
    true
}

fn threads(machine: &Machine, state: &<Machine as States>::State) -> impl Iterator<Item = Thread> {
    (0..machine.threads(state) as u32).map(Thread)
}

type Guarded = BTreeMap<Object, Vec<Guard>>;

/// By variable, what all threads hold that are about to access it.
fn held_at_every_access(machine: &Machine) -> Option<Guarded> {
    let mut all = Guarded::new();
    let complete = for_each_state(machine, |state| {
        for thread in threads(machine, state) {
            let mut locks = Vec::new();
            machine.held(state, thread, &mut locks);
            let (locks, own): (Vec<Object>, Vec<Object>) = locks
                .into_iter()
                .partition(|&lock| machine.is_permanent(lock));
            let mut common: Vec<Guard> = locks.into_iter().map(Guard::Lock).collect();
            common.push(Guard::Thread(thread));
            let mut footprint = Footprint::default();
            machine.footprint(state, thread, &mut footprint);
            for access in footprint.accesses() {
                if !Kind::Variable.operations().contains(&access.operation)
                    || machine.observe(state, access.object) != ObjectState::Opaque
                {
                    continue;
                }
                let mut variable = access.object;
                let mut held = common.clone();
                if let Some(first) = machine.instance(state, variable) {
                    if machine.is_unshared(state, variable, thread) {
                        continue;
                    }
                    variable.index = u32::MAX;
                    let own = own
                        .iter()
                        .filter(|&&lock| machine.instance(state, lock) == Some(first));
                    held.extend(own.map(|&Object { region, index }| {
                        let index = index - first;
                        Guard::Own(Object { region, index })
                    }));
                }
                held.extend((access.operation == Operation::Read).then_some(Guard::Reading));
                let guards = all.entry(variable).or_insert_with(|| held.clone());
                guards.retain(|guard| held.contains(guard));
            }
        }
    });
    complete.then_some(all)
}

/// The final guards are those that are held at every reachable access, whatever the order
/// in which the states are explored.
fn infers_exactly(source: &str) -> Result<(), String> {
    let machine = machine(source, &[]);
    let Some(expected) = held_at_every_access(&machine) else {
        return Ok(());
    };
    let exploration = run(&machine, Setup::default());
    if !exploration.survey.reasons.is_empty() {
        return Ok(());
    }
    let mut inferred: Guarded = exploration.protection.guards().into_iter().collect();
    for guards in inferred.values_mut() {
        guards.sort_unstable();
    }
    let mut expected = expected;
    for guards in expected.values_mut() {
        guards.sort_unstable();
    }
    match inferred == expected {
        true => Ok(()),
        false => Err(format!("inferred {inferred:?}, in fact {expected:?}")),
    }
}

#[test]
fn inferred_guards_are_those_held_at_every_access() {
    for_all(1000, |sample: &Sample| infers_exactly(&sample.source()));
    for_all_that_lock(700, infers_exactly);
}

// The order of locks.

/// Only what a lock order can tell about, so that it often does.
fn without_other_waits(source: &str) -> String {
    let mut text = String::new();
    for line in source.lines() {
        let waits = ["await", "down", "send", "receive", "wait("];
        match waits.iter().any(|word| line.contains(word)) && line.trim_end().ends_with(';') {
            true => text.push_str("skip;"),
            false => text.push_str(line),
        }
        text.push('\n');
    }
    text
}

fn order_excludes_deadlocks(source: &str) -> Result<bool, String> {
    let machine = machine(source, &[]);
    let full = check(&machine, &config(DEADLOCK), &mut ()).verdict;
    if matches!(full, Verdict::Unknown(_)) {
        return Ok(false);
    }
    let (survey, order) = lock_order::check(&machine, &config(DEADLOCK), &mut (), true);
    if !survey.reasons.is_empty() {
        return Ok(false);
    }
    match (order, full) {
        (LockOrder::Free, Verdict::Violated(violation)) => Err(format!("missed {violation:?}")),
        (LockOrder::Free, _) => Ok(true),
        _ => Ok(false),
    }
}

#[test]
fn an_order_of_locks_excludes_deadlocks_on_random_programs() {
    let proofs = std::cell::Cell::new(0);
    for_all(1000, |sample: &Sample| {
        for source in [sample.source(), without_other_waits(&sample.source())] {
            proofs.set(proofs.get() + u32::from(order_excludes_deadlocks(&source)?));
        }
        Ok(())
    });
    for_all_that_lock(700, |source| {
        proofs.set(proofs.get() + u32::from(order_excludes_deadlocks(source)?));
        Ok(())
    });
    assert!(proofs.get() > 0, "nothing was proved");
}

fn order(source: &str) -> LockOrder {
    let machine = machine(source, &[]);
    lock_order::check(&machine, &config(DEADLOCK), &mut (), true).1
}

#[test]
fn a_circle_of_locks_is_told() {
    let source = "
        lock a, b;
        thread first { acquire(a); acquire(b); release(b); release(a); }
        thread second { acquire(b); acquire(a); release(a); release(b); }";
    let LockOrder::Circle(requests) = order(source) else {
        panic!("{:?}", order(source));
    };
    assert_eq!(requests.len(), 2);
    // Each request comes with an execution that leads to it.
    let machine = machine(source, &[]);
    for request in requests {
        let mut state = machine.initial().expect("there is an initial state");
        for Move { thread, choice } in request.schedule {
            machine
                .step(&mut state, thread, choice)
                .expect("the step can be made");
        }
        let mut held = Vec::new();
        machine.held(&state, request.thread, &mut held);
        assert_eq!(held, [request.held]);
    }
    let survey = lock_order::survey(&machine, &config(DEADLOCK), &mut (), true);
    let told = format!("{:?}", survey.reasons);
    assert!(told.contains("first takes b holding a"), "{told}");
}

#[test]
fn locks_in_order_exclude_deadlocks() {
    let source = "
        lock fork[3];
        thread philosopher[2] {
          acquire(fork[index]); acquire(fork[index + 1]);
          release(fork[index + 1]); release(fork[index]);
        }
        thread last { acquire(fork[0]); acquire(fork[2]); release(fork[2]); release(fork[0]); }";
    assert_eq!(order(source), LockOrder::Free);
    // One thread alone can take locks as it likes.
    let alone = "
        lock a, b;
        thread only {
          acquire(a); acquire(b); release(b); release(a);
          acquire(b); acquire(a); release(a); release(b);
        }";
    assert_eq!(order(alone), LockOrder::Free);
    // Nobody waits for what he holds.
    let again = "
        lock a;
        thread t[2] { acquire(a); acquire(a); release(a); release(a); }";
    assert_eq!(order(again), LockOrder::Free);
}

#[test]
fn what_a_lock_order_cannot_tell_is_refused() {
    for (source, expected) in [
        ("int x; thread t { await (x == 1); }", NoOrder::Waits),
        ("semaphore s = 1; thread t { down(s); }", NoOrder::Waits),
        (
            "lock m; thread t { acquire(m); wait(m); release(m); }",
            NoOrder::Waits,
        ),
        ("lock m; thread t[2] { acquire(m); }", NoOrder::Keeps),
        (
            "lock m; int x; thread t { atomic { acquire(m); await (x == 1); release(m); } }",
            NoOrder::Waits,
        ),
    ] {
        match order(source) {
            LockOrder::Other(obstacle, ..) if obstacle == expected => {}
            other => panic!("{source}: {other:?}"),
        }
    }
}

#[test]
fn locks_of_records_are_not_told_apart() {
    let source = "
        record Node { lock mutex; Node next; }
        Node a, b;
        thread first {
          a = new Node; b = new Node;
          acquire(a.mutex); acquire(b.mutex); release(b.mutex); release(a.mutex);
        }";
    assert!(matches!(order(source), LockOrder::Circle(_)));
}

// What is gained.

#[test]
fn elements_of_an_array_that_belong_to_threads_are_protected() {
    let source = "
        granularity statement;
        int a[3];
        thread t[3] { a[index] = 1; a[index] = a[index] + 1; a[index] = 3; }";
    let exploration = run(&machine(source, &[]), Setup::default());
    // Each thread is one transaction: a state for each set of threads that have finished.
    assert_eq!(exploration.survey.statistics.states, 8);
}

/// The threads of the indexer write to different places of their table, as it turns out:
/// a state for each set of threads that have finished.
#[test]
fn threads_that_never_meet_are_one_transaction_each() {
    let machine = machine(&model("indexer.rad"), &[("THREADS".to_owned(), 5)]);
    let statistics = run(&machine, Setup::default()).survey.statistics;
    assert_eq!(statistics.states, 32);
}

/// The guards of all variables of a program in which nothing goes wrong, each of which has one.
fn guard_of_each(source: &str) -> Vec<Guard> {
    let exploration = run(&machine(source, &[]), Setup::default());
    assert!(exploration.survey.violations.is_empty());
    let guards = exploration.protection.guards();
    let only = guards.iter().map(|(variable, guards)| match guards[..] {
        [only] => only,
        _ => panic!("{variable:?} has {guards:?}"),
    });
    only.collect()
}

#[test]
fn records_behind_a_lock_are_protected() {
    let guards = guard_of_each(
        "record Node { int data; Node next; }
        lock m;
        Node head;
        thread t[2] {
          for (int i = 0; i < 2; i++) {
            synchronized (m) {
              Node n = new Node;
              n.next = head;
              head = n;
              n.data = i;
            }
          }
        }",
    );
    assert_eq!(guards.len(), 2, "the head, and the data of all");
}

/// Each account has its own lock, and is filled in before others can find it.
#[test]
fn records_with_locks_of_their_own_are_protected() {
    let guards = guard_of_each(
        "record Account { lock mutex; int money; }
        Account accounts[2];
        lock m;
        thread opener[2] {
          Account mine = new Account;
          mine.money = 10 + index;
          synchronized (m) { accounts[index] = mine; }
        }
        thread user[2] {
          Account some = null;
          synchronized (m) { some = accounts[index]; }
          if (some != null) {
            synchronized (some.mutex) { some.money -= 1; some.money -= 1; }
          }
        }",
    );
    let own = |guard: &&Guard| matches!(guard, Guard::Own(_));
    assert_eq!(guards.iter().filter(own).count(), 1);
}
