//! Java programs with expected verdicts, under every search that is possible for them.
//!
//! The first line of a program says what is expected, the second one what it shows. A
//! comment `// <- KIND` stands on each line that may be told as the place of the violation.
//! Programs with a line `// slow` have too many interleavings for full search: what is wrong with
//! them is found by default, and what is right with the library trusted. Those with a line
//! `// too slow` take minutes even so. Both are checked by full search if `RADDLE_SLOW` is set.
//! Those with a line `// jdk N` need a JDK of that release.
//!
//! `RADDLE_WRITE_DOCS=1 cargo test -p raddle --test it java` writes the table in `docs/java.md`.

use crate::java_runs;

use java_runs::{checked, compile, flags, for_each, is_out, jdk, reductions, scratch};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

/// How many states a reduction may take: most programs have less.
const STATES: &str = "1000";

/// A program and what is expected of it.
struct Program {
    file: PathBuf,
    topic: String,
    name: String,
    text: String,
    expected: String,
    shows: String,
}

impl Program {
    fn read(file: PathBuf) -> Self {
        let text = std::fs::read_to_string(&file).expect("it is text");
        let mut lines = text.lines();
        let mut next = |start: &str| {
            let found = lines.next().and_then(|line| line.strip_prefix(start));
            let found = found.unwrap_or_else(|| panic!("{}: no {start}", file.display()));
            found.to_owned()
        };
        let (expected, shows) = (next("// expect: "), next("// "));
        let name = |path: Option<&Path>| {
            let stem = path.and_then(Path::file_stem);
            stem.and_then(|stem| stem.to_str())
                .expect("files have names")
                .to_owned()
        };
        Self {
            topic: name(file.parent()),
            name: name(Some(&file)),
            file,
            text,
            expected,
            shows,
        }
    }

    fn is_marked(&self, mark: &str) -> bool {
        self.text.lines().any(|line| line == mark)
    }

    fn is_slow(&self) -> bool {
        self.is_marked("// slow") || self.is_marked("// too slow")
    }

    fn is_for_this_jdk(&self) -> bool {
        let mut lines = self.text.lines();
        let needed = lines.find_map(|line| line.strip_prefix("// jdk "));
        needed.is_none_or(|needed| needed.parse::<u32>().expect("a release") <= release())
    }

    fn class(&self) -> PathBuf {
        classes().join(format!("{}.class", self.name))
    }

    /// Complains about another verdict than the expected one, or another place.
    fn agrees(&self, kind: &str, told: &Value) -> Result<(), String> {
        let (topic, name, expected) = (&self.topic, &self.name, &self.expected);
        if kind != expected {
            let (message, reasons) = (&told["message"], &told["reasons"]);
            return Err(format!(
                "{topic}/{name}: {kind}, but {expected} is expected: {message} {reasons}"
            ));
        }
        if matches!(kind, "holds" | "unknown") {
            return Ok(());
        }
        let mark = format!("// <- {kind}");
        let lines = (1..).zip(self.text.lines());
        let marks: Vec<u64> = lines
            .filter(|(_, line)| line.ends_with(&mark))
            .map(|(number, _)| number)
            .collect();
        let line = |place: &Value| place["line"].as_u64();
        let places: Vec<Option<u64>> = match told["trace"]["waiting"].as_array() {
            Some(waiting) if kind.ends_with("deadlock") => {
                waiting.iter().map(|it| line(&it["place"])).collect()
            }
            _ => vec![line(&told["place"])],
        };
        // A thread of the library stands at no line of the program.
        let mut known = places.iter().flatten().peekable();
        let is_told = known.peek().is_some() || marks.is_empty();
        match is_told && known.all(|line| marks.contains(line)) {
            true => Ok(()),
            false => Err(format!(
                "{topic}/{name}: told at {places:?}, but marked are {marks:?}"
            )),
        }
    }
}

fn all_programs() -> Vec<Program> {
    let files = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).expect("the programs are there");
        entries
            .map(|entry| entry.expect("it can be read").path())
            .collect()
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java-check");
    let topics = files(&folder);
    let mut all: Vec<PathBuf> = topics.iter().flat_map(|topic| files(topic)).collect();
    all.sort();
    all.into_iter().map(Program::read).collect()
}

/// The programs that are checked today.
fn programs() -> Vec<Program> {
    let with_slow = std::env::var_os("RADDLE_SLOW").is_some();
    let mut all = all_programs();
    all.retain(|program| program.is_for_this_jdk() && (with_slow || !program.is_slow()));
    all
}

/// The release of the JDK.
fn release() -> u32 {
    let text = std::fs::read_to_string(jdk().join("release")).expect("a JDK says its release");
    let version = text.split("JAVA_VERSION=\"").nth(1).unwrap_or_default();
    let number = version.split(['.', '"']).next().unwrap_or_default();
    number.parse().expect("a release is a number")
}

/// A program by its name.
fn named(name: &str) -> Program {
    let mut all = all_programs().into_iter();
    all.find(|program| program.name == name)
        .expect("it is there")
}

/// Where the classes of all programs are, with their sources beside them.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let classes = scratch("java-check");
        let all = all_programs();
        for program in all.iter().filter(|program| program.is_for_this_jdk()) {
            let copy = classes.join(format!("{}.java", program.name));
            assert!(!copy.exists(), "two programs are called {}", program.name);
            std::fs::copy(&program.file, &copy).expect("a copy");
        }
        compile(&classes);
        classes
    })
}

const BEGIN: &str = "<!-- the programs: written by a test -->\n";
const END: &str = "<!-- end of the programs -->\n";
const HEAD: &str = "| program | what it shows | verdict | states |\n| --- | --- | --- | --- |";

/// The table of programs, with the numbers of states that are known.
fn table(states: &[(String, u64)]) -> String {
    let mut out = String::new();
    let mut topic = String::new();
    for program in all_programs() {
        if program.topic != topic {
            topic.clone_from(&program.topic);
            let _ = writeln!(out, "\n**{topic}**\n\n{HEAD}");
        }
        let found = states.iter().find(|(name, _)| *name == program.name);
        let count = found.map_or("-".to_owned(), |(_, states)| states.to_string());
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {count} |",
            program.name, program.shows, program.expected
        );
    }
    out
}

/// A table without its last column: how many states there are depends on the JDK.
fn without_states(table: &str) -> Vec<&str> {
    let rows = table.lines().map(|row| row.trim_end_matches(" |"));
    rows.map(|row| row.rsplit_once(" | ").map_or(row, |(rest, _)| rest))
        .collect()
}

#[test]
fn every_interleaving_gives_the_expected_verdict() {
    let states = Mutex::new(Vec::new());
    let programs = programs();
    assert!(programs.len() >= 150, "{} programs", programs.len());
    for_each(&programs, |program| {
        let (kind, told) = checked(&program.class(), &["--reduction", "none"]);
        let count = told["statistics"]["states"].as_u64().unwrap_or(0);
        let mut states = states.lock().expect("nobody panics here");
        states.push((program.name.clone(), count));
        program.agrees(&kind, &told)
    });
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/java.md");
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let begin = page.find(BEGIN).expect("the table begins") + BEGIN.len();
    let end = page.find(END).expect("the table ends");
    let table = table(&states.into_inner().expect("nobody panics here"));
    if std::env::var_os("RADDLE_WRITE_DOCS").is_some() {
        let written = format!("{}{table}{}", &page[..begin], &page[end..]);
        std::fs::write(&path, written).expect("the page can be written");
        return;
    }
    assert!(
        without_states(&page[begin..end]) == without_states(&table),
        "docs/java.md shows other programs than there are; \
         RADDLE_WRITE_DOCS=1 cargo test -p raddle --test it java writes it anew"
    );
}

#[test]
fn reductions_agree() {
    let programs = programs();
    for reduction in reductions(&named("LostUpdate").class()) {
        let preserved = reduction.entry().preserves;
        let decided = AtomicUsize::new(0);
        for_each(&programs, |program| {
            let is_deadlock = program.expected == "deadlock" || program.is_marked("// deadlock");
            if program.expected == "partial-deadlock" && !preserved.partial_deadlock
                || is_deadlock && !preserved.deadlock
            {
                return Ok(());
            }
            let mut flags = flags(reduction);
            flags.extend(["--max-states", STATES]);
            let (kind, told) = checked(&program.class(), &flags);
            if is_out(&kind, &told) {
                return Ok(());
            }
            decided.fetch_add(1, Ordering::Relaxed);
            let agrees = program.agrees(&kind, &told);
            agrees.map_err(|why| format!("{reduction:?}: {why}"))
        });
        let decided = decided.into_inner();
        assert!(
            2 * decided >= programs.len(),
            "{reduction:?} decides {decided} programs only"
        );
    }
}

#[test]
fn large_programs_are_decided() {
    let mut programs = all_programs();
    programs.retain(|program| program.is_for_this_jdk() && program.is_marked("// slow"));
    assert!(programs.len() >= 10, "{} programs", programs.len());
    for_each(&programs, |program| {
        let flags: &[&str] = match program.expected.as_str() {
            "holds" => &["--library", "trusted"],
            _ => &[],
        };
        let (kind, told) = checked(&program.class(), flags);
        program.agrees(&kind, &told)
    });
}

#[test]
fn breadth_first_search_agrees() {
    // What the library does takes too long for that.
    let mut programs = programs();
    programs.retain(|program| !program.text.contains("java.util"));
    for_each(&programs, |program| {
        let (kind, told) = checked(&program.class(), &["--search", "breadth-first"]);
        program.agrees(&kind, &told)
    });
}

#[test]
fn what_is_said_of_steps_is_true() {
    // What the library does takes too many states for that. What an exit does to those who
    // wait is not said.
    let mut programs = programs();
    programs.retain(|program| {
        let mut library = ["java.util", "java.lang.invoke", "printf"].iter();
        program.name != "ExitWins" && !library.any(|it| program.text.contains(it))
    });
    for_each(&programs, |program| {
        let (kind, told) = checked(&program.class(), &["--reduction", "none", "--paranoid"]);
        program.agrees(&kind, &told)
    });
}

#[test]
fn a_trace_is_told_in_source_lines() {
    let (kind, told) = checked(&named("LostUpdate").class(), &[]);
    assert_eq!(kind, "assertion");
    let text = told.to_string();
    assert!(text.contains("LostUpdate.balance"), "{told:#}");
}

/// `raddle check FILE` with flags: its exit code, and what it complains of.
fn refused(file: &Path, flags: &[&str]) -> (Option<i32>, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .arg("check")
        .arg(file)
        .arg("--jdk")
        .arg(jdk())
        .args(flags)
        .output()
        .expect("raddle runs");
    let complaints = String::from_utf8_lossy(&done.stderr).into_owned();
    (done.status.code(), complaints)
}

#[test]
fn what_is_not_for_java_is_refused() {
    let (code, complaints) = refused(&named("LostUpdate").file, &["--reduction", "persistent"]);
    assert_eq!(code, Some(3));
    assert!(complaints.contains("not for Java"), "{complaints}");
}

#[test]
fn what_does_not_compile_is_bad_input() {
    let file = scratch("broken").join("Broken.java");
    std::fs::write(&file, "public class Broken { int }").expect("a file");
    let (code, complaints) = refused(&file, &[]);
    assert_eq!(code, Some(3));
    assert!(complaints.contains("Broken.java:1"), "{complaints}");
}
