//! Random Java programs, run by `java` and by the machine: the same output.
//!
//! `RADDLE_PROGRAMS` says how many, `RADDLE_SEED` where to begin.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use raddle_jvm::load::{Directory, Jdk};
use raddle_jvm::{End, Host, World};
use raddle_testkit::java::{CLASS, program};
use raddle_testkit::jdk::{compile_texts, jdk, scratch};

/// How many programs are compiled and run together.
const BATCH: u64 = 25;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable)
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(default)
}

#[test]
fn random_programs_print_what_java_prints() {
    let home = jdk();
    let first = number("RADDLE_SEED", 1);
    let count = number("RADDLE_PROGRAMS", BATCH);
    let mut wrong = Vec::new();
    for start in (first..first + count).step_by(BATCH as usize) {
        let end = (start + BATCH).min(first + count);
        wrong.extend(differing(home, start, end));
    }
    assert!(
        wrong.is_empty(),
        "{} of {count} from seed {first} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// The seeds from `start` to `end` whose programs do not print the same, and where.
fn differing(home: &Path, start: u64, end: u64) -> Vec<String> {
    let folder = scratch(env!("CARGO_TARGET_TMPDIR"), &format!("random-{start}"));
    let mut sources = Vec::new();
    let mut driver = "public class All { public static void main(String[] args) {\n".to_owned();
    for seed in start..end {
        let name = format!("{CLASS}{seed}");
        let text = program(seed).replace(CLASS, &name);
        let _ = writeln!(
            driver,
            "System.out.println(\"== {seed}\"); try {{ {name}.main(args); }} catch (Throwable t) {{ System.out.println(t); }}"
        );
        sources.push((name, text));
    }
    driver.push_str("} }\n");
    sources.push(("All".to_owned(), driver));
    compile_texts(&folder, sources);
    let wanted = Command::new(home.join("bin/java"))
        .arg("-cp")
        .arg(&folder)
        .arg("All")
        .output()
        .expect("java runs");
    let wanted = String::from_utf8_lossy(&wanted.stdout).into_owned();
    let (found, end) = ours(home, &folder);
    let _ = std::fs::remove_dir_all(&folder);
    let parts = |text: &str| text.split("== ").map(str::to_owned).collect::<Vec<_>>();
    let mut wrong: Vec<String> = parts(&wanted)
        .iter()
        .zip(
            parts(&found)
                .iter()
                .chain(std::iter::repeat(&String::new())),
        )
        .filter(|(wanted, found)| wanted != found)
        .map(|(wanted, found)| {
            let seed = wanted.lines().next().unwrap_or_default();
            let at = wanted
                .lines()
                .zip(found.lines())
                .position(|(a, b)| a != b)
                .unwrap_or(found.lines().count());
            let line = |text: &str| text.lines().nth(at).unwrap_or("(nothing)").to_owned();
            format!(
                "seed {seed}, line {at}: {:?}, but java wrote {:?}",
                line(found),
                line(wanted)
            )
        })
        .collect();
    if end != End::Exit(0) {
        wrong.push(format!("seeds from {start} on ended with {end:?}"));
    }
    wrong
}

struct Captured(Vec<u8>);

impl Host for Captured {
    fn write(&mut self, _: i32, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn read(&mut self, _: usize) -> Vec<u8> {
        Vec::new()
    }
}

fn ours(home: &Path, folder: &Path) -> (String, End) {
    let mut host = Captured(Vec::new());
    let jdk = Jdk::open(home).expect("a JDK");
    let world =
        World::new(jdk, vec![Box::new(Directory(folder.to_owned()))]).expect("the library loads");
    let booted = raddle_jvm::boot(&world, &mut host).expect("the library starts");
    let mut state =
        raddle_jvm::start(&world, &booted, "All", &[], &mut host).expect("the program starts");
    let end = raddle_jvm::run(&world, &mut state, &mut host, 1_000_000);
    (String::from_utf8_lossy(&host.0).into_owned(), end)
}
