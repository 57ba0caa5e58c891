//! Several Java programs that talk through sockets, with expected verdicts, under every search
//! that is possible for them.

use raddle_reduce::Reduction;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::java_runs;
use java_runs::{checked_with, compile_into, flags, for_each, is_out, reductions, scratch};

/// Programs that run together.
struct System {
    folder: PathBuf,
    /// The class that begins in each process, and its arguments.
    processes: Vec<String>,
    expected: String,
}

impl System {
    /// The first line of `processes.txt` is what is expected, and the others are the processes.
    fn read(folder: PathBuf) -> Self {
        let told = std::fs::read_to_string(folder.join("processes.txt")).expect("it is text");
        let mut lines = told.lines().map(str::to_owned);
        let expected = lines.next().expect("there is a first line");
        Self {
            folder,
            processes: lines.collect(),
            expected,
        }
    }

    /// Compiles it: the flags with which its processes are run.
    fn compiled(&self) -> Vec<String> {
        let name = self.folder.file_name().expect("it has a name");
        let classes = scratch(&format!("processes-{}", name.display()));
        let files = std::fs::read_dir(&self.folder).expect("it is there");
        let files = files.map(|entry| entry.expect("it can be read").path());
        let is_java = |file: &PathBuf| file.extension().is_some_and(|it| it == "java");
        compile_into(&classes, files.filter(is_java));
        let flags = |process: &String| {
            let process = format!("{}:{process}", classes.display());
            ["--process".to_owned(), process]
        };
        self.processes.iter().flat_map(flags).collect()
    }
}

fn systems() -> Vec<System> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java-processes");
    let entries = std::fs::read_dir(folder).expect("the systems are there");
    let folders = entries.map(|entry| entry.expect("it can be read").path());
    let all: Vec<System> = folders.map(System::read).collect();
    assert!(all.len() >= 12, "{} systems", all.len());
    all
}

/// What is found with these flags, or what is wrong with it. Whoever does not look for
/// deadlocks finds something else.
fn found(system: &System, processes: &[String], more: &[&str]) -> Result<String, String> {
    let processes = processes.iter().map(String::as_str);
    let (kind, told) = checked_with(&processes.chain(more.iter().copied()).collect::<Vec<_>>());
    let is_looked_for = system.expected != "deadlock" || !more.contains(&"--no-deadlock");
    match kind == system.expected || !is_looked_for || is_out(&kind, &told) {
        true => Ok(kind),
        false => Err(format!("{:?} {more:?}: {told:#}", system.folder)),
    }
}

#[test]
fn every_search_gives_the_expected_verdict() {
    let all = systems();
    let class = scratch("processes-class");
    let any = all.iter().find(|system| system.expected == "holds");
    let any = any.expect("some hold").folder.join("Client.java");
    compile_into(&class, std::iter::once(any));
    let mut searches: Vec<Vec<&str>> = reductions(&class.join("Client.class"))
        .into_iter()
        .map(flags)
        .collect();
    searches.push(flags(Reduction::FULL));
    let proofs = AtomicU32::new(0);
    for_each(&all, |system| {
        let processes = system.compiled();
        for search in &searches {
            let kind = found(system, &processes, search)?;
            proofs.fetch_add(u32::from(kind == "holds"), Ordering::Relaxed);
        }
        // What is said of sockets is tried out.
        found(system, &processes, &["--paranoid", "--reduction", "local"])?;
        Ok(())
    });
    let proofs = proofs.into_inner();
    // Three of them by searches that look at each execution and need an end of it.
    assert!(proofs >= 18, "{proofs} proofs");
}

#[test]
fn processes_are_told_apart_and_deadlocks_between_them_explained() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java-processes/both-read");
    let process = |name: &str| folder.join(name).display().to_string();
    let (left, right) = (process("Left.java"), process("Right.java"));
    let (kind, told) = checked_with(&["--process", &left, "--process", &right]);
    assert_eq!(kind, "deadlock");
    let told = told.to_string();
    for wanted in ["Left:main", "Right:main", "stream from port", &left, &right] {
        assert!(told.contains(wanted), "{wanted}: {told}");
    }
}
