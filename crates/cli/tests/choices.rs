//! What Java programs leave open: flags that decide it, and what is said of it.

use crate::java_runs;

use java_runs::forms::told;
use java_runs::{jdk, scratch};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A program with this `main`.
fn program(name: &str, body: &str) -> PathBuf {
    java_runs::written(
        "choices",
        name,
        &["java.util", "java.util.concurrent"],
        body,
    )
}

fn raddle(command: &str, file: &Path, flags: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_raddle"))
        .arg(command)
        .arg(file)
        .arg("--jdk")
        .arg(jdk())
        .args(flags)
        .output()
        .expect("raddle runs")
}

fn checked(file: &Path, flags: &[&str]) -> (String, Value) {
    let mut all = vec!["--json"];
    all.extend(flags);
    let done = raddle("check", file, &all);
    let json = told(&done);
    (
        json["verdict"].as_str().unwrap_or_default().to_owned(),
        json,
    )
}

#[test]
fn random_numbers_are_explored_when_asked_for() {
    let file = program(
        "Lottery",
        "int first = new Random().nextInt(6);\n\
         int second = ThreadLocalRandom.current().nextInt(3, 5);\n\
         List<Integer> all = new ArrayList<>(List.of(1, 2, 3));\n\
         Collections.shuffle(all);\n\
         // This one has a seed, so there is nothing open about it.\n\
         int fixed = new Random(5).nextInt(10);\n\
         assert new SplittableRandom(0).nextInt(0, 5) == new SplittableRandom(0).nextInt(0, 5);\n\
         assert !(first == 5 && second == 4 && all.get(0) == 3 && fixed == 7);\n\
         assert fixed == 7 && first < 6 && second >= 3;",
    );
    let (verdict, told) = checked(&file, &["--random", "explore"]);
    assert_eq!(verdict, "violated", "{told:#}");
    assert_eq!(told["place"]["line"], 12, "{told:#}");
    let choices = told.to_string().matches("\"choose\"").count();
    assert!(choices >= 4, "{told:#}");
}

#[test]
fn all_of_a_few_random_numbers_are_a_proof_and_some_of_many_are_none() {
    let few = program(
        "Few",
        "assert new Random().nextInt(60) < 60 && Math.abs(-1) == 1;",
    );
    let (verdict, told) = checked(&few, &["--random", "explore"]);
    assert_eq!(verdict, "holds", "{told:#}");
    assert_eq!(told["statistics"]["transitions"], 60, "{told:#}");
    let many = program(
        "Many",
        "double real = Math.random();\n\
         assert real >= 0 && real < 1 && new Random().nextInt(1000) < 1000;",
    );
    let (verdict, told) = checked(&many, &["--random", "explore"]);
    assert_eq!(verdict, "unknown", "{told:#}");
    let reasons = told["reasons"].to_string();
    assert!(reasons.contains("java.util.Random.nextDouble"), "{told:#}");
    assert!(reasons.contains("java.util.Random.nextInt"), "{told:#}");
}

#[test]
fn one_seed_gives_the_same_numbers_and_another_one_others() {
    let file = program(
        "Seeded",
        "int[] all = new Random().ints(4, 0, 1000).toArray();\n\
         int other = ThreadLocalRandom.current().nextInt(1000);\n\
         throw new IllegalStateException(Arrays.toString(all) + other);",
    );
    let message = |flags: &[&str]| checked(&file, flags).1["message"].to_string();
    let first = message(&[]);
    assert!(first.contains("IllegalState"), "{first}");
    assert_eq!(first, message(&["--random", "0"]));
    let second = message(&["--random", "12"]);
    assert_ne!(first, second);
    assert_eq!(second, message(&["--random", "12"]));
}

#[test]
fn a_verdict_says_that_it_rests_on_a_seed() {
    let file = program("Rests", "assert new Random().nextInt(10) < 10;");
    let (verdict, told) = checked(&file, &["--random", "3"]);
    assert_eq!(verdict, "holds", "{told:#}");
    let open = told["not_covered"].to_string();
    assert!(open.contains("one seed (3;"), "{told:#}");
}

#[test]
fn time_may_go_on_before_any_look_at_the_clock() {
    let file = program(
        "Deadline",
        "long end = System.nanoTime() + 1_000_000_000L;\n\
         int turns = 0;\n\
         while (turns < 3 && System.nanoTime() < end) turns++;\n\
         assert turns == 3;",
    );
    // A clock that stands still proves nothing.
    let (verdict, told) = checked(&file, &[]);
    assert_eq!(verdict, "unknown", "{told:#}");
    assert!(told["reasons"].to_string().contains("--clock any"));
    let (verdict, told) = checked(&file, &["--clock", "any"]);
    assert_eq!(verdict, "violated", "{told:#}");
}

#[test]
fn who_asks_for_the_date_looks_at_the_clock() {
    for (name, now) in [
        ("Dated", "new java.util.Date().getTime()"),
        ("Instantly", "java.time.Instant.now().toEpochMilli()"),
    ] {
        let body = format!("long begin = {now};\nassert {now} == begin;");
        let (verdict, told) = checked(&program(name, &body), &[]);
        assert_eq!(verdict, "unknown", "{told:#}");
        assert!(told["reasons"].to_string().contains("--clock any"));
    }
    // The library asks for itself; that is not the program's business.
    let body = "new java.util.concurrent.Semaphore(0).tryAcquire(1, \
                java.util.concurrent.TimeUnit.SECONDS);";
    let (verdict, told) = checked(&program("Waiting", body), &[]);
    assert_eq!(verdict, "holds", "{told:#}");
}

const AWAITED: &str = "java.util.concurrent.CountDownLatch latch = \
                       new java.util.concurrent.CountDownLatch(1);\n\
                       new Thread(latch::countDown).start();\n\
                       assert latch.await(30, java.util.concurrent.TimeUnit.SECONDS);";

#[test]
fn time_limits_may_run_out_only_when_nobody_else_can_move() {
    let file = program("Awaited", AWAITED);
    let (verdict, told) = checked(&file, &[]);
    assert_eq!(verdict, "violated", "{told:#}");
    let (verdict, told) = checked(&file, &["--timeouts", "last"]);
    assert_eq!(verdict, "holds", "{told:#}");
    assert!(told["not_covered"].to_string().contains("--timeouts any"));
    for reduction in ["none", "dpor", "sleep", "invisible-first"] {
        let flags = ["--timeouts", "last", "--no-partial-deadlock", "--reduction"];
        let (verdict, told) = checked(&file, &[&flags[..], &[reduction]].concat());
        assert_eq!(verdict, "holds", "{reduction}: {told:#}");
    }
    // Then they do run out.
    let file = program(
        "Forgotten",
        &AWAITED.replace("latch::countDown", "latch::getCount"),
    );
    let (verdict, told) = checked(&file, &["--timeouts", "last"]);
    assert_eq!(verdict, "violated", "{told:#}");
}

#[test]
fn a_trace_remembers_when_time_limits_run_out() {
    let file = program(
        "Remembered",
        &AWAITED.replace("latch::countDown", "latch::getCount"),
    );
    let trace = file.with_extension("json");
    let saved = trace.to_str().expect("a path");
    let (verdict, told) = checked(&file, &["--timeouts", "last", "--trace", saved]);
    assert_eq!(verdict, "violated", "{told:#}");
    let text = std::fs::read_to_string(&trace).expect("a trace");
    assert!(text.contains("\"timeouts\": \"last\""), "{text}");
    let done = raddle("replay", &trace, &[]);
    assert_eq!(done.status.code(), Some(1), "{done:?}");
}

#[test]
fn services_and_resources_of_the_class_path_are_found() {
    let folder = scratch("choices-services");
    let source = folder.join("Greeting.java");
    let text = "import java.util.*; public class Greeting { \
                public interface Greeter { String greet(); } \
                public static class Polite implements Greeter { \
                public String greet() { return \"Good morning\"; } } \
                public static void main(String[] arguments) throws Exception { \
                Thread other = new Thread(() -> { \
                for (Greeter it : ServiceLoader.load(Greeter.class)) { \
                assert it.greet().equals(\"Good morning\"); return; } \
                throw new IllegalStateException(); }); \
                other.start(); other.join(); \
                var url = Greeting.class.getResource(\"/words.txt\"); \
                try (Scanner words = new Scanner(url.openStream())) { \
                assert words.next().equals(\"yes\"); } \
                assert Greeting.class.getResource(\"/none.txt\") == null; } }";
    std::fs::write(&source, text).expect("a file");
    let classes = folder.join("classes");
    let mut javac = raddle_testkit::jdk::javac();
    raddle_testkit::jdk::run(javac.arg("-d").arg(&classes).arg(&source));
    let services = classes.join("META-INF/services");
    std::fs::create_dir_all(&services).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(classes.join(name), text).expect("a file");
    write("words.txt", "yes no");
    write("META-INF/services/Greeting$Greeter", "Greeting$Polite\n");
    let flags = ["--main", "Greeting"];
    let (verdict, told) = checked(&classes, &flags);
    assert_eq!(verdict, "holds", "{told:#}");
    write("META-INF/services/Greeting$Greeter", "# none\n");
    let (verdict, told) = checked(&classes, &flags);
    assert_eq!(verdict, "violated", "{told:#}");
}

#[test]
fn a_program_gets_the_variables_that_it_is_given() {
    let file = program(
        "Surroundings",
        "assert \"/home/me\".equals(System.getenv(\"HOME\"));\n\
         assert System.getenv().size() == 1;",
    );
    let (verdict, told) = checked(&file, &[]);
    assert_eq!(verdict, "unknown", "{told:#}");
    assert!(told["reasons"].to_string().contains("System.getenv()"));
    let (verdict, told) = checked(&file, &["--env", "HOME=/home/me"]);
    assert_eq!(verdict, "holds", "{told:#}");
    let (verdict, told) = checked(&file, &["--env", "HOME=/root", "--env", "USER="]);
    assert_eq!(verdict, "violated", "{told:#}");
}

#[test]
fn a_program_finds_as_many_processors_as_it_is_given() {
    let file = program(
        "Processors",
        "assert Runtime.getRuntime().availableProcessors() == 3;",
    );
    let (verdict, told) = checked(&file, &["--processors", "3"]);
    assert_eq!(verdict, "holds", "{told:#}");
    let open = told["not_covered"].to_string();
    assert!(open.contains("another number of processors"), "{open}");
    let (verdict, told) = checked(&file, &[]);
    assert_eq!(verdict, "violated", "{told:#}");
}

#[test]
fn a_program_reads_the_input_that_it_is_given() {
    let file = program(
        "Reading",
        "Scanner scanner = new Scanner(System.in);\n\
         int first = scanner.nextInt();\n\
         Thread other = new Thread(() -> System.out.println(first));\n\
         other.start();\n\
         other.join();\n\
         assert first == 12;\n\
         assert scanner.nextInt() == 13 && !scanner.hasNext();",
    );
    let (verdict, told) = checked(&file, &[]);
    assert_eq!(verdict, "unknown", "{told:#}");
    let input = file.with_extension("txt");
    std::fs::write(&input, "12 13\n").expect("a file");
    let given = input.to_str().expect("a path");
    let (verdict, told) = checked(&file, &["--stdin", given]);
    assert_eq!(verdict, "holds", "{told:#}");
    std::fs::write(&input, "11 13\n").expect("a file");
    let trace = file.with_extension("json");
    let saved = trace.to_str().expect("a path");
    let (verdict, told) = checked(&file, &["--stdin", given, "--trace", saved]);
    assert_eq!(verdict, "violated", "{told:#}");
    // What a trace says is no leave to read files.
    let done = raddle("replay", &trace, &["--stdin", given]);
    assert_eq!(done.status.code(), Some(1), "{done:?}");
}

#[test]
fn a_program_reads_the_files_that_it_may() {
    let file = program(
        "Opening",
        "String text = new String(java.nio.file.Files.readAllBytes(\n\
         java.nio.file.Path.of(arguments[0])));\n\
         assert text.equals(\"yes\");",
    );
    let folder = scratch("choices-files");
    let known = folder.join("known.txt");
    std::fs::write(&known, "yes").expect("a file");
    let (folder, known) = (folder.to_str(), known.to_str());
    let (folder, known) = (folder.expect("a path"), known.expect("a path"));
    let (verdict, told) = checked(&file, &["--allow-files", folder, "--", known]);
    assert_eq!(verdict, "holds", "{told:#}");
    let (verdict, told) = checked(&file, &["--", known]);
    assert_eq!(verdict, "unknown", "{told:#}");
}

#[test]
fn a_choice_in_an_atomic_block_is_not_supported_beside_other_threads() {
    let file = program(
        "Within",
        "new Thread(() -> raddle.Check.atomic(() -> raddle.Check.choose(2))).start();",
    );
    let (verdict, told) = checked(&file, &[]);
    assert_eq!(verdict, "unknown", "{told:#}");
    let reasons = told["reasons"].to_string();
    assert!(reasons.contains("a choice in an atomic block"), "{told:#}");
}

#[test]
fn other_builds_get_a_jar() {
    let folder = scratch("choices-api");
    let done = raddle("api", &folder, &[]);
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    let jar = folder.join("raddle-check.jar");
    let source = folder.join("Dice.java");
    let text = "public class Dice { public static void main(String[] arguments) { \
                if (raddle.Check.choose(6) == 5) throw new IllegalStateException(); \
                raddle.Check.atomic(() -> raddle.Check.assume(true)); } }";
    std::fs::write(&source, text).expect("a file");
    let classes = folder.join("classes");
    let mut javac = raddle_testkit::jdk::javac();
    javac.arg("-cp").arg(&jar).arg("-d").arg(&classes);
    raddle_testkit::jdk::run(javac.arg(&source));
    // Without the jar on the path, too.
    assert_eq!(checked(&classes, &[]).0, "violated");
    let path = std::env::join_paths([&classes, &jar]).expect("a path");
    // Plain Java makes one execution.
    for _ in 0..3 {
        let done = Command::new(jdk().join("bin/java"))
            .arg("-cp")
            .arg(&path)
            .arg("Dice")
            .output()
            .expect("java runs");
        assert!(matches!(done.status.code(), Some(0 | 1)), "{done:?}");
    }
}

#[test]
fn what_is_no_seed_is_refused() {
    let file = program("Refused", "");
    let done = raddle("check", &file, &["--random", "perhaps"]);
    assert_eq!(done.status.code(), Some(3));
    let done = raddle("check", &file, &["--clock", "backwards"]);
    assert_eq!(done.status.code(), Some(3));
}

#[test]
fn programs_that_leave_something_open_have_their_verdicts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java-choices");
    for (file, expected) in java_runs::programs(&folder, 12) {
        for row in ["none", "auto"] {
            let (kind, told) = java_runs::checked(&file, &["--reduction", row]);
            assert_eq!(kind, expected, "{} {row}: {told:#}", file.display());
        }
    }
}

#[test]
fn what_may_come_from_a_made_up_answer_is_unknown_and_names_it() {
    for (name, body, suspect) in [
        (
            "Layer",
            "ModuleLayer.boot().modules();",
            "ModuleLayer.boot()",
        ),
        (
            "Domain",
            "assert Domain.class.getProtectionDomain().getCodeSource().getLocation() == null;",
            "where classes are",
        ),
        (
            "Variable",
            "System.getenv(\"HOME\").length();",
            "System.getenv()",
        ),
        ("Number", "new Scanner(System.in).nextInt();", "System.in"),
        (
            "Host",
            "java.net.InetAddress.getByName(\"example.com\");",
            "other hosts",
        ),
        (
            "Hidden",
            "String.class.getDeclaredField(\"value\").setAccessible(true); assert false;",
            "modules of the JDK",
        ),
    ] {
        let file = program(name, body);
        let (verdict, told) = checked(&file, &[]);
        assert_eq!(verdict, "unknown", "{told:#}");
        assert!(told["reasons"].to_string().contains(suspect), "{told:#}");
    }
}
