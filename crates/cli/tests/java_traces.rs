//! What is told of Java programs that go wrong: threads, lines, values, locks, output.

use std::path::{Path, PathBuf};

use crate::java_runs;
use java_runs::{checked, checked_with, compile, jdk, programs, raddle, scratch};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java-traces")
}

/// The report as text.
fn text(name: &str, flags: &[&str]) -> String {
    let done = raddle()
        .arg("check")
        .arg(folder().join(name).with_extension("java"))
        .args(["--width", "200", "--jdk"])
        .arg(jdk())
        .args(flags)
        .output()
        .expect("raddle runs");
    String::from_utf8_lossy(&done.stdout).into_owned()
}

fn assert_has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing:\n{text}");
    }
}

#[test]
fn every_program_has_its_verdict() {
    for (file, expected) in programs(&folder(), 12) {
        let (kind, told) = checked(&file, &[]);
        assert_eq!(kind, expected, "{}: {told:#}", file.display());
        let text = std::fs::read_to_string(&file).expect("it is text");
        let spurious = text
            .lines()
            .find_map(|line| line.strip_prefix("// spurious: "));
        if let Some(expected) = spurious {
            let (kind, told) = checked(&file, &["--spurious"]);
            assert_eq!(kind, expected, "{}: {told:#}", file.display());
        }
    }
}

#[test]
fn spurious_wake_ups_are_told_of_and_announced() {
    let told = text("NotInLoop", &["--spurious"]);
    assert_has(&told, &["wakes up for no reason"]);
    let told = text("InLoop", &["--spurious"]);
    assert_has(&told, &["missed ones are found without --spurious"]);
}

#[test]
fn what_is_said_of_spurious_wake_ups_is_true() {
    for name in ["NotInLoop", "InLoop", "Parked"] {
        let file = folder().join(name).with_extension("java");
        let (expected, _) = checked(&file, &["--spurious"]);
        let (kind, told) = checked(&file, &["--spurious", "--paranoid"]);
        assert_eq!(kind, expected, "{name}: {told:#}");
    }
}

#[test]
fn a_deadlock_is_a_cycle_of_monitors() {
    let told = text("Account", &[]);
    assert_has(
        &told,
        &[
            "| there ",
            "| back",
            "takes Account#1",
            "waits for the monitor of Account#2, held by back since",
            "The cycle: there waits for the monitor of Account#2, held by back, which waits for",
            "Account#1.balance = 10",
            "The program's output until then:\n  start\n  there\n",
        ],
    );
}

#[test]
fn a_deadlock_of_library_locks_names_them_and_their_owners() {
    let told = text("Reentrant", &[]);
    assert_has(
        &told,
        &[
            "  takes Reentrant#1.a",
            "waits for Reentrant.B, held by other since",
            "waits for Reentrant#1.a, held by main since",
            "The cycle: main waits for Reentrant.B, held by other, which waits for",
        ],
    );
    // What is called stands in the source, and what the lock does inside is nobody's business.
    assert!(!told.contains("[inside"), "{told}");
    assert!(!told.contains("state:"), "{told}");
    let unfolded = text("Reentrant", &["--unfold"]);
    assert!(!unfolded.contains("[inside"), "{unfolded}");
    assert_has(&unfolded, &["Reentrant.B.state: 0 -> 1 (atomic)"]);
    assert!(unfolded.lines().count() > told.lines().count() + 10);
}

#[test]
fn an_exception_is_told_with_its_calls_and_its_cause() {
    let told = text("Thrower", &[]);
    assert_has(
        &told,
        &[
            "!! exception: java.lang.IllegalStateException: no name",
            "at Thrower.lambda$main$0(Thrower.java:14)",
            "caused by java.lang.NullPointerException",
            "at Thrower.length(Thrower.java:6)",
        ],
    );
}

#[test]
fn values_are_told_before_and_after() {
    let told = text("Elements", &[]);
    assert_has(
        &told,
        &[
            "Elements.ITEMS[2]: null -> \"x\"",
            "!! assertion failed: somebody was here",
            "Elements.ITEMS = {null, null, \"x\"}",
        ],
    );
}

#[test]
fn classes_that_nobody_has_written_are_not_shown() {
    let told = text("Proxied", &[]);
    assert_has(&told, &["Proxied.calls = 1"]);
    assert!(!told.contains("Proxy0"), "{told}");
}

#[test]
fn a_join_may_time_out() {
    let told = text("TimedJoin", &[]);
    assert_has(
        &told,
        &["waits for the end of Thread-0", "has waited long enough"],
    );
}

/// Saves the trace of a copy of a program in a folder of its own.
fn saved(test: &str, name: &str, flags: &[&str]) -> (PathBuf, PathBuf) {
    let folder_of_copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&folder_of_copy);
    std::fs::create_dir_all(&folder_of_copy).expect("a folder");
    let copy = folder_of_copy.join(name).with_extension("java");
    std::fs::copy(folder().join(name).with_extension("java"), &copy).expect("a copy");
    let trace = folder_of_copy.join("trace.json");
    let done = raddle()
        .arg("check")
        .arg(&copy)
        .args(["--jdk"])
        .arg(jdk())
        .arg("--trace")
        .arg(&trace)
        .args(flags)
        .output()
        .expect("raddle runs");
    assert_eq!(done.status.code(), Some(1));
    (copy, trace)
}

fn replayed(trace: &Path) -> (Option<i32>, String, String) {
    let done = raddle()
        .arg("replay")
        .arg(trace)
        .arg("--jdk")
        .arg(jdk())
        .output()
        .expect("raddle runs");
    let told = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (done.status.code(), told(&done.stdout), told(&done.stderr))
}

#[test]
fn a_saved_trace_can_be_replayed() {
    for (name, flags, part) in [
        ("Account", &[][..], "deadlock"),
        ("Reentrant", &[], "The cycle"),
        ("Thrower", &[], "no name"),
        ("TimedJoin", &[], "the join timed out"),
        ("NotInLoop", &["--spurious"], "wakes up for no reason"),
        ("Elements", &["--races"], "data race"),
    ] {
        let (_, trace) = saved(&format!("replay-{name}"), name, flags);
        let (code, told, complaints) = replayed(&trace);
        assert_eq!(code, Some(1), "{name}: {complaints}");
        assert!(told.contains(part), "{name}: {told}");
    }
}

/// Steps depend on how random numbers and time were explored.
#[test]
fn random_numbers_and_time_are_replayed_as_they_were_explored() {
    let drawn = "if (new java.util.Random().nextInt(3) == 2) throw new IllegalStateException();";
    let late = "long then = System.nanoTime(); if (System.nanoTime() - then > 1000000000000L) \
                throw new IllegalStateException();";
    let cases = [
        ("Drawn", drawn, ["--random", "explore"]),
        ("Late", late, ["--clock", "any"]),
    ];
    let folder = scratch("drawn");
    for (name, body, flags) in cases {
        let source = format!("class {name} {{ public static void main(String[] a) {{ {body} }} }}");
        let file = folder.join(format!("{name}.java"));
        std::fs::write(&file, source).expect("it is written");
        let trace = folder.join(format!("{name}.json"));
        let mut check = raddle();
        let check = check.arg("check").arg(&file).arg("--jdk").arg(jdk());
        let done = check.arg("--trace").arg(&trace).args(flags).output();
        let done = done.expect("raddle runs");
        assert_eq!(done.status.code(), Some(1), "{name}");
        let (code, _, complaints) = replayed(&trace);
        assert_eq!(code, Some(1), "{name}: {complaints}");
    }
}

#[test]
fn a_trace_of_a_program_that_has_changed_says_so() {
    let (copy, trace) = saved("replay-changed", "Elements", &[]);
    let text = std::fs::read_to_string(&copy).expect("it is text");
    std::fs::write(&copy, text.replace("ITEMS[2] = \"x\"", "ITEMS[1] = \"x\"")).expect("a file");
    let (code, _, complaints) = replayed(&trace);
    assert_eq!(code, Some(3), "{complaints}");
    assert!(
        complaints.contains("has changed since the trace was saved"),
        "{complaints}"
    );
}

#[test]
fn breadth_first_search_goes_wrong_in_the_same_way() {
    for (name, expected) in [("Elements", "assertion"), ("Account", "partial-deadlock")] {
        let file = folder().join(name).with_extension("java");
        let (kind, told) = checked(&file, &["--search", "breadth-first"]);
        assert_eq!(kind, expected, "{name}: {told:#}");
    }
    let lost = folder().join("../java-check/patterns/LostUpdate.java");
    let (kind, told) = checked(&lost, &["--search", "breadth-first"]);
    assert_eq!(kind, "assertion", "{told:#}");
}

/// Programs that hold, and what their verdicts do not cover.
const COVERED: [(&str, &str, &[&str]); 21] = [
    ("Nothing", "", &[]),
    (
        "Counts",
        "Thread t = new Thread(() -> { for (int i = 0; i < 3; i++) n.incrementAndGet(); });\n\
         t.start(); for (int i = 0; i < 3; i++) n.incrementAndGet(); t.join();",
        &[],
    ),
    (
        "Queue",
        "var q = new java.util.concurrent.ArrayBlockingQueue<Integer>(1);\n\
         Thread t = new Thread(() -> { try { q.put(1); } catch (InterruptedException e) { } });\n\
         t.start(); q.take(); t.join();",
        &[],
    ),
    (
        "Waits",
        "Thread t = new Thread(() -> { synchronized (m) { flag = true; m.notify(); } });\n\
         t.start(); synchronized (m) { while (!flag) m.wait(); } t.join();",
        &["spurious wake-ups"],
    ),
    (
        "Awaits",
        "var lock = new java.util.concurrent.locks.ReentrantLock(); var c = lock.newCondition();\n\
         Thread t = new Thread(() -> { lock.lock(); flag = true; c.signal(); lock.unlock(); });\n\
         t.start(); lock.lock(); while (!flag) c.await(); lock.unlock(); t.join();",
        &["spurious wake-ups"],
    ),
    (
        "Parks",
        "Thread me = Thread.currentThread();\n\
         Thread t = new Thread(() -> java.util.concurrent.locks.LockSupport.unpark(me));\n\
         t.start(); java.util.concurrent.locks.LockSupport.park(); t.join();",
        &["spurious wake-ups"],
    ),
    (
        "Weakly",
        "var w = new java.lang.ref.WeakReference<>(new Object()); assert w.get() != null;",
        &["references"],
    ),
    (
        "WeakMap",
        "new java.util.WeakHashMap<Object, String>().put(m, \"m\");",
        &["references"],
    ),
    (
        "Spins",
        "Thread t = new Thread(() -> { while (!stop) { } }); t.start(); t.join();",
        &["executions that never end, as by the loop at Spins.java:"],
    ),
    (
        "SpinsUntil",
        "Thread t = new Thread(() -> { while (!stop) { } }); t.start(); stop = true; t.join();",
        &["executions that never end, as by the loop at SpinsUntil.java:"],
    ),
    (
        "Random",
        "assert new java.util.Random().nextInt(4) < 4;",
        &["random numbers"],
    ),
    (
        "SetOf",
        "assert java.util.Set.of(1, 2, 3).iterator().next() > 0;",
        &["other orders of Set.of"],
    ),
    (
        "SetOfTwo",
        "for (String it : java.util.Set.copyOf(java.util.List.of(\"a\", \"b\"))) assert it != null;",
        &["other orders of Set.of"],
    ),
    (
        "MapOf",
        "StringBuilder all = new StringBuilder(); \
         java.util.Map.of(1, 2, 3, 4).forEach((key, value) -> all.append(key)); \
         assert all.length() == 2;",
        &["other orders of Set.of"],
    ),
    (
        "Collected",
        "assert java.util.stream.Stream.of(1, 2).collect(\
         java.util.stream.Collectors.toUnmodifiableSet()).toString().length() == 6;",
        &["other orders of Set.of"],
    ),
    (
        "SetOfOne",
        "for (int it : java.util.Set.of(1)) assert it == 1; \
         for (int it : java.util.Map.of(1, 2).keySet()) assert it == 1; \
         for (int it : java.util.List.of(1, 2)) assert it > 0; \
         assert java.util.Set.of(1, 2, 3).contains(2);",
        &[],
    ),
    (
        "Identity",
        "var all = new java.util.HashSet<Object>(); all.add(m); all.add(new Object()); \
         assert all.iterator().next() != null;",
        &["other identity hash codes"],
    ),
    (
        "Enums",
        "var all = new java.util.HashMap<Object, Integer>(); all.put(Thread.State.NEW, 1); \
         assert all.size() == 1;",
        &["other identity hash codes"],
    ),
    (
        "Hashed",
        "var all = new java.util.HashMap<String, Integer>(); all.put(\"a\", 1); \
         var pool = java.util.concurrent.Executors.newFixedThreadPool(1); \
         pool.submit(() -> n.incrementAndGet()).get(); pool.shutdown();",
        // So many steps that no cycle is looked for.
        &["executions that never end"],
    ),
    (
        "Properties",
        "assert !System.getProperty(\"user.name\").isEmpty();",
        &["other answers than here: the property user.name"],
    ),
    (
        "Races",
        "Thread t = new Thread(() -> plain++); t.start(); plain++; t.join();",
        &["what data races allow"],
    ),
];

/// A verdict names what applies to the program, and nothing else.
#[test]
fn what_holds_does_not_cover_is_named() {
    let folder = scratch("covered");
    for (name, body, _) in COVERED {
        let source = format!(
            "public class {name} {{\n\
             static final Object m = new Object(); static boolean flag; static int plain;\n\
             static volatile boolean stop;\n\
             static final java.util.concurrent.atomic.AtomicInteger n = \
             new java.util.concurrent.atomic.AtomicInteger();\n\
             public static void main(String[] args) throws Exception {{\n{body}\n}} }}\n"
        );
        std::fs::write(folder.join(format!("{name}.java")), source).expect("it is written");
    }
    compile(&folder);
    for (name, _, expected) in COVERED {
        let class = folder.join(format!("{name}.class")).display().to_string();
        let (verdict, told) = checked_with(&[&class]);
        assert_eq!(verdict, "holds", "{name}: {told:#}");
        let open = told["not_covered"].as_array().expect("a list");
        assert_eq!(open.len(), expected.len(), "{name}: {open:#?}");
        for (open, expected) in open.iter().zip(expected) {
            let open = open.as_str().unwrap_or_default();
            assert!(open.starts_with(expected), "{name}: {open}");
        }
    }
    let class = folder.join("Waits.class").display().to_string();
    let (_, told) = checked_with(&[&class, "--spurious"]);
    let open = told["not_covered"].to_string();
    assert!(!open.contains("spurious"), "{open}");
}

#[test]
fn output_before_the_first_step_is_shown_with_a_broken_claim() {
    let told = text("Early", &["--discipline", "strict"]);
    assert_has(
        &told,
        &[
            "violated: discipline",
            "The program's output until then:\n  before the first step\n",
        ],
    );
}

#[test]
fn the_cause_of_a_failed_initialiser_is_told() {
    let told = text("Initialiser", &[]);
    assert_has(
        &told,
        &[
            "java.lang.ExceptionInInitializerError, caused by java.lang.RuntimeException: why\n",
            "  caused by java.lang.IllegalStateException: the real cause\n",
            "  at Initialiser$Inner.value(Initialiser.java:7)\n",
        ],
    );
}

#[test]
fn locks_and_conditions_are_named_as_the_program_reaches_them() {
    let told = text("LocksInMap", &[]);
    assert_has(
        &told,
        &[
            "waits for LocksInMap.locks[\"apples\"], held by",
            "waits for LocksInMap.locks[\"pears\"], held by",
        ],
    );
    assert!(!told.contains("parkBlocker"), "{told}");
    let told = text("Condition", &[]);
    assert_has(
        &told,
        &[
            "waits for a signal on Condition.notEmpty\n",
            "signals Condition.notEmpty",
        ],
    );
}

#[test]
fn files_beside_the_source_are_resources_of_the_program() {
    let folder = scratch("resources");
    let package = folder.join("src/main/java/bank");
    let resources = folder.join("src/main/resources");
    for folder in [&package, &resources] {
        std::fs::create_dir_all(folder).expect("a folder");
    }
    let source = "package bank;\n\
        import java.util.Scanner;\n\
        public class Rates { public static void main(String[] arguments) {\n\
        assert new Scanner(Rates.class.getResourceAsStream(\"rates.txt\")).nextInt() == 3;\n\
        assert new Scanner(Rates.class.getResourceAsStream(\"/fees.txt\")).nextInt() == 4;\n\
        assert Rates.class.getResourceAsStream(\"none.txt\") == null;\n\
        assert Rates.class.getResourceAsStream(\"/bank/outside.txt\") == null;\n\
        } }\n";
    let outside = folder.join("outside.txt");
    let files = [
        (&package.join("Rates.java"), source),
        (&package.join("rates.txt"), "3\n"),
        (&resources.join("fees.txt"), "4\n"),
        (&outside, "5\n"),
    ];
    for (file, text) in files {
        std::fs::write(file, text).expect("a file");
    }
    // No link leads out of the folder.
    let link = package.join("outside.txt");
    std::os::unix::fs::symlink(&outside, link).expect("a link");
    for program in [folder.join("src"), package.join("Rates.java")] {
        let program = program.display().to_string();
        let (verdict, told) = checked_with(&[&program]);
        assert_eq!(verdict, "holds", "{told:#}");
    }
}

#[test]
fn what_helps_programs_with_the_concurrent_library_is_advised_to_no_others() {
    let folder = scratch("advice");
    let body = "for (int i = 0; i < 2; i++) new Thread(() -> { for (int j = 0; j < 9; j++) x++; }).start();";
    for (name, field) in [
        ("Plainly", "static volatile int x;"),
        (
            "Atomically",
            "static volatile int x; static java.util.concurrent.atomic.AtomicInteger y = new java.util.concurrent.atomic.AtomicInteger();",
        ),
    ] {
        let source = format!(
            "public class {name} {{ {field} public static void main(String[] a) {{ {body} }} }}"
        );
        std::fs::write(folder.join(format!("{name}.java")), source).expect("it is written");
    }
    compile(&folder);
    for (name, is_advised) in [("Plainly", false), ("Atomically", true)] {
        let class = folder.join(format!("{name}.class")).display().to_string();
        let flags = [&class, "--max-states", "20", "--reduction", "none"];
        let (verdict, told) = checked_with(&flags);
        assert_eq!(verdict, "unknown", "{told:#}");
        let found = told.to_string().contains("--library trusted");
        assert_eq!(found, is_advised, "{name}: {told:#}");
    }
}

/// What is told of programs on the library, in the order in which it is.
const STORIES: [(&str, &[&str]); 12] = [
    (
        "LockFields",
        &[
            "waits for LockFields.Account#2.lock, held by Thread-1 since",
            "waits for LockFields.Account#1.lock, held by Thread-0 since",
            "LockFields.Account#1.lock is held by Thread-0",
        ],
    ),
    (
        "WrongSignal",
        &[
            "items: [] -> [0]",
            "releases WrongSignal#1.lock, waits for a signal on WrongSignal#1.notFull",
            "items: [0] -> []",
            "signals WrongSignal#1.notEmpty (no thread is waiting)",
            "releases WrongSignal#1.lock, waits for a signal on WrongSignal#1.notEmpty",
            "WrongSignal#1.lock is free",
            "WrongSignal#1.notFull = awaited by producer",
            "WrongSignal#1.items = []",
        ],
    ),
    (
        "Starvation",
        &[
            "workQueue: [] -> [FutureTask#2]",
            "waits for the result of outer, which pool-1-thread-1 computes",
            "waits for the result of inner, whose task is queued behind this thread, the only worker \
             of pool",
        ],
    ),
    (
        "NeverCompleted",
        &[
            "waits until length is completed, which follows from NeverCompleted.answer",
            "NeverCompleted.answer = not completed",
        ],
    ),
    (
        "LostHit",
        &[
            "hits: read {}",
            "hits: {} -> {\"index\"=1}",
            "LostHit.hits = {\"index\"=1}",
        ],
    ),
    (
        "Permits",
        &[
            "takes a permit of Permits#1.printer: 1 -> 0",
            "waits for a permit of Permits#1.printer: none is left; fax took one at",
            "Permits#1.printer = 0 permits",
        ],
    ),
    (
        "NotCountedDown",
        &[
            "deadlock: main waits for ever",
            "done: 2 -> 1 (atomic)",
            "waits until done is counted down to 0 (now 1)",
            "pool-1-thread-1 and pool-1-thread-2 have nothing to do",
        ],
    ),
    (
        "Upgraded",
        &[
            "takes the read lock of Upgraded#1.rw",
            "waits for the write lock of Upgraded#1.rw, held for reading by",
            "Upgraded#1.rw is held by",
        ],
    ),
    (
        "Captured",
        &[
            "takes Captured.Cache#1.guard",
            "waits for local, held by t since",
            "Captured.java:15:39",
            "waits for Captured.Cache#1.guard, held by main since",
            "Captured.java:10:42",
        ],
    ),
    (
        "QueuesInMap",
        &[
            "waits at barrier for 1 of 3 parties that have not come",
            "waits until QueuesInMap.queues[\"out\"] has an element (now [])",
            "QueuesInMap.queues = {\"in\"=[], \"out\"=[]}",
        ],
    ),
    (
        "LoneServer",
        &["waits for a connection at port 8080; a client can run beside it (--process)"],
    ),
    (
        "Tabs",
        &[
            "Tabs.java:9:4: synchronized (b) {",
            "Tabs.java:7:41: synchronized (a) {",
        ],
    ),
];

#[test]
fn what_the_library_does_is_told_in_the_words_of_the_program() {
    for (name, parts) in STORIES {
        let told = text(name, &[]);
        let mut rest = told.as_str();
        for part in parts {
            let at = rest.find(part);
            let at = at.unwrap_or_else(|| panic!("{name}: {part:?} is missing:\n{told}"));
            rest = &rest[at + part.len()..];
        }
        // Warnings of races name the fields of the library, as there is nothing else to name.
        let story = told.split("warning:").next().unwrap_or_default();
        for inner in [
            "parkBlocker",
            "exclusiveOwner",
            "ConditionObject",
            "Node",
            "mainLock",
        ] {
            assert!(!story.contains(inner), "{name}: {inner}\n{told}");
        }
    }
}

#[test]
fn the_library_is_folded_out_of_stack_traces() {
    let told = text("BadNumber", &[]);
    assert_has(
        &told,
        &[
            "fails to initialise BadNumber.Settings",
            "caused by java.lang.NumberFormatException: For input string: \"none\"\n",
            "at java.base/java.lang.NumberFormatException.forInputString(",
            "... 2 more in the library\n",
            "at BadNumber$Settings.<clinit>(BadNumber.java:5)\n",
        ],
    );
    assert!(!told.contains("java.lang.Integer.parseInt("), "{told}");
    let unfolded = text("BadNumber", &["--unfold"]);
    assert!(
        unfolded.contains("at java.base/java.lang.Integer.parseInt("),
        "{unfolded}"
    );
}
