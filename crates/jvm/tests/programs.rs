//! The Java programs of `tests/java`: what they print here is what `java` printed.
//!
//! The JDK is the one in `RADDLE_JDK`, or the one that `tests/java/jdk` finds. Directives at
//! the head of a program say what it gets and how it ends.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};
use raddle_jvm::load::{Directory, Jdk};
use raddle_jvm::{End, Host, World};
use raddle_testkit::jdk::{self, jdk};

/// Programs that do not yet behave as they should. Each must fail, so that the list is true.
///
/// `ClassNames`: all classes are in one unnamed module.
/// `Serialization`: records are read back through combinations of method handles.
const KNOWN_WRONG: &[&str] = &["ClassNames", "Serialization"];

/// More turns than any of the programs needs.
const TURNS: u64 = 100_000;

fn main() {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java");
    let home = jdk();
    let version = Jdk::open(home).expect("a JDK").version();
    let mut programs = find_programs(&folder);
    programs.retain(|program| program.folder != "java21" || version >= 21);
    let classes = Path::new(env!("CARGO_TARGET_TMPDIR")).join("java-programs");
    compile(&programs, &classes);
    let called: Arc<Mutex<BTreeSet<u8>>> = Arc::default();
    let shared = Arc::new((home, classes));
    let trials = programs.into_iter().map(|program| {
        let shared = Arc::clone(&shared);
        let called = Arc::clone(&called);
        Trial::test(format!("{}/{}", program.folder, program.name), move || {
            check(&program, shared.0, &shared.1, &called)
        })
    });
    let conclusion = libtest_mimic::run(&arguments, trials.collect());
    if !conclusion.has_failed() && arguments.filter.is_none() && !arguments.list {
        check_bytecodes(&called.lock().expect("no test panicked"));
    }
    conclusion.exit();
}

/// Bytecodes that compilers of today do not make; `handmade.rs` has them.
const HANDMADE: &[u8] = &[0, 67, 68, 69, 168, 169, 201];

/// Every bytecode is in a method that one of the programs called.
fn check_bytecodes(called: &BTreeSet<u8>) {
    let missing: Vec<u8> = (0..=201)
        .filter(|byte| !called.contains(byte) && !HANDMADE.contains(byte))
        .collect();
    assert!(
        missing.is_empty(),
        "bytecodes that no program has: {missing:?}"
    );
}

struct Program {
    folder: String,
    name: String,
    source: PathBuf,
    text: String,
}

impl Program {
    fn directive(&self, key: &str) -> Vec<&str> {
        let start = format!("//@ {key}:");
        let lines = self
            .text
            .lines()
            .filter_map(|line| line.strip_prefix(&start));
        lines
            .map(|value| value.strip_prefix(' ').unwrap_or(value))
            .collect()
    }
}

fn find_programs(folder: &Path) -> Vec<Program> {
    let mut programs = Vec::new();
    for sub in std::fs::read_dir(folder)
        .expect("tests/java")
        .filter_map(Result::ok)
        .filter(|sub| sub.path().is_dir())
    {
        for file in std::fs::read_dir(sub.path())
            .expect("a folder")
            .filter_map(Result::ok)
        {
            let source = file.path();
            if source
                .extension()
                .is_none_or(|extension| extension != "java")
                || !source.with_extension("out").exists()
            {
                continue;
            }
            let name = source
                .file_stem()
                .map(|stem| stem.to_string_lossy().into_owned())
                .unwrap_or_default();
            let text = std::fs::read_to_string(&source).expect("a source");
            programs.push(Program {
                folder: sub.file_name().to_string_lossy().into_owned(),
                name,
                source,
                text,
            });
        }
    }
    programs.sort_by(|a, b| (&a.folder, &a.name).cmp(&(&b.folder, &b.name)));
    programs
}

fn compile(programs: &[Program], classes: &Path) {
    for (release, is_modern) in [("17", false), ("21", true)] {
        let chosen: Vec<&PathBuf> = programs
            .iter()
            .filter(|program| (program.folder == "java21") == is_modern)
            .map(|program| &program.source)
            .collect();
        if chosen.is_empty() {
            continue;
        }
        let mut javac = jdk::javac();
        javac.args([
            "-nowarn",
            "-Xlint:none",
            "-XDsuppressNotes",
            "-encoding",
            "UTF-8",
            "--release",
            release,
            "-d",
        ]);
        jdk::run(javac.arg(classes).args(chosen));
    }
}

/// What a program sees of the world outside.
struct Captured {
    input: Vec<u8>,
    output: Vec<u8>,
    errors: Vec<u8>,
}

impl Host for Captured {
    fn write(&mut self, descriptor: i32, bytes: &[u8]) {
        if descriptor == 1 {
            &mut self.output
        } else {
            &mut self.errors
        }
        .extend_from_slice(bytes);
    }

    fn read(&mut self, limit: usize) -> Vec<u8> {
        let rest = self.input.split_off(limit.min(self.input.len()));
        std::mem::replace(&mut self.input, rest)
    }
}

fn check(
    program: &Program,
    home: &Path,
    classes: &Path,
    called: &Mutex<BTreeSet<u8>>,
) -> Result<(), Failed> {
    let outcome = run(program, home, classes, called);
    let is_known = KNOWN_WRONG.contains(&program.name.as_str());
    match outcome {
        Ok(()) if is_known => Err("it is right now: take it off the list".into()),
        Err(_) if is_known => Ok(()),
        outcome => outcome,
    }
}

fn run(
    program: &Program,
    home: &Path,
    classes: &Path,
    called: &Mutex<BTreeSet<u8>>,
) -> Result<(), Failed> {
    let input: String = program
        .directive("stdin")
        .iter()
        .map(|line| format!("{line}\n"))
        .collect();
    let mut host = Captured {
        input: input.into_bytes(),
        output: Vec::new(),
        errors: Vec::new(),
    };
    let arguments = program.directive("args").join(" ");
    let arguments: Vec<String> = arguments.split_whitespace().map(str::to_owned).collect();
    let world = World::new(
        Jdk::open(home)?,
        vec![Box::new(Directory(classes.to_owned()))],
    );
    let world = world.map_err(|error| error.to_string())?;
    let booted = raddle_jvm::boot(&world, &mut host)?;
    let mut state = raddle_jvm::start(&world, &booted, &program.name, &arguments, &mut host)?;
    let end = raddle_jvm::run(&world, &mut state, &mut host, TURNS);
    if let Ok(mut called) = called.lock() {
        called.extend(world.bytecodes_called());
    }
    let expected = program
        .directive("exit")
        .first()
        .and_then(|code| code.parse().ok())
        .unwrap_or(0);
    compare("out", &program.source, &host.output)?;
    compare("err", &program.source, &host.errors)?;
    match end {
        // Of an exit code only the lowest byte is seen.
        End::Exit(code) if code & 0xFF == expected => Ok(()),
        end => Err(format!("it ended with {end:?}, not with {expected}").into()),
    }
}

fn compare(kind: &str, source: &Path, found: &[u8]) -> Result<(), Failed> {
    let wanted = std::fs::read(source.with_extension(kind)).unwrap_or_default();
    let (found, wanted) = (
        String::from_utf8_lossy(found),
        String::from_utf8_lossy(&wanted),
    );
    if found == wanted {
        return Ok(());
    }
    let differs = found.lines().zip(wanted.lines()).position(|(a, b)| a != b);
    let at = differs.unwrap_or(found.lines().count().min(wanted.lines().count()));
    let line = |text: &str| text.lines().nth(at).unwrap_or("(nothing)").to_owned();
    Err(format!(
        "{kind}, line {}: {:?}, but java wrote {:?}",
        at + 1,
        line(&found),
        line(&wanted)
    )
    .into())
}
