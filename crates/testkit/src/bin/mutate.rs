//! Deletes the clauses of the reductions one after the other, and shows that the programs
//! that stand for them turn red.
//!
//! ```text
//! mutate [REDUCTION...]    all of them unless some are named
//! ```
//!
//! It works on a copy of the sources in a temporary directory, which is kept, so that the
//! next run has less to build.

#![allow(clippy::print_stdout)]

use raddle_testkit::mutations::{self, Mutation};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// A program that runs longer than this under a mutated search counts as red: it takes a
/// moment otherwise.
const PATIENCE: Duration = Duration::from_secs(20);

fn main() -> ExitCode {
    let mut reductions: Vec<String> = std::env::args().skip(1).collect();
    if reductions.is_empty() {
        reductions = mutations::reductions();
    }
    match run(&reductions) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(survived) => {
            println!("{survived} mutations survived or do not apply");
            ExitCode::FAILURE
        }
        Err(what) => {
            println!("{what}");
            ExitCode::FAILURE
        }
    }
}

/// Tries all mutations of these reductions; tells how many programs did not turn red.
fn run(reductions: &[String]) -> Result<usize, String> {
    let workshop = Workshop::open()?;
    workshop.check_that_all_is_green(reductions)?;
    let mut survived = 0;
    println!("{:13} {:40} {:9} clause", "reduction", "program", "result");
    for reduction in reductions {
        let list = mutations::load(reduction)?;
        for mutation in &list.mutations {
            for (program, result) in workshop.try_out(mutation, &list.package) {
                survived += usize::from(!result.is_red());
                let (result, clause) = (result.name(), &mutation.clause);
                println!("{reduction:13} {program:40} {result:9} {clause}");
            }
        }
        for program in &list.open {
            println!("{reduction:13} {program:40} {:9}", "open");
        }
    }
    Ok(survived)
}

/// What became of a program under a mutation.
enum Fate {
    Red,
    NoEnd,
    Survived,
    DoesNotApply,
    DoesNotBuild,
}

impl Fate {
    fn is_red(&self) -> bool {
        matches!(self, Fate::Red | Fate::NoEnd)
    }

    fn name(&self) -> &'static str {
        match self {
            Fate::Red => "red",
            Fate::NoEnd => "no end",
            Fate::Survived => "SURVIVED",
            Fate::DoesNotApply => "NO TEXT",
            Fate::DoesNotBuild => "NO BUILD",
        }
    }
}

/// A copy of the sources.
struct Workshop {
    sources: PathBuf,
    target: PathBuf,
}

impl Workshop {
    fn open() -> Result<Workshop, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let place = std::env::temp_dir().join("raddle-mutate");
        let workshop = Workshop {
            sources: place.join("sources"),
            target: place.join("target"),
        };
        let unable = |error| format!("{}: {error}", place.display());
        fs::create_dir_all(workshop.sources.join("tests/java")).map_err(unable)?;
        let parts = ["Cargo.toml", "Cargo.lock", "crates", "java", "tests/corpus"];
        // The program that finds a JDK has to stay one that can be executed.
        let finder = "tests/java/jdk";
        fs::copy(root.join(finder), workshop.sources.join(finder)).map_err(unable)?;
        for part in parts {
            copy(&root.join(part), &workshop.sources.join(part))
                .map_err(|error| format!("{part} cannot be copied: {error}"))?;
        }
        println!("working in {}", place.display());
        Ok(workshop)
    }

    /// Without mutations every program must be green, or red would mean nothing.
    fn check_that_all_is_green(&self, reductions: &[String]) -> Result<(), String> {
        for reduction in reductions {
            let package = mutations::load(reduction)?.package;
            let tests = self.build(&package).ok_or("the tests cannot be built")?;
            for program in mutations::programs(reduction) {
                if !matches!(judge(&tests, reduction, &program), Fate::Survived) {
                    return Err(format!("{reduction}/{program} is red without any mutation"));
                }
            }
        }
        Ok(())
    }

    /// Makes a mutation, looks at its programs, and takes it back.
    fn try_out(&self, mutation: &Mutation, package: &str) -> Vec<(String, Fate)> {
        let all = |fate: fn() -> Fate| {
            let programs = mutation.red.iter().cloned();
            programs.map(|program| (program, fate())).collect()
        };
        let file = self.sources.join(&mutation.file);
        let Ok(text) = fs::read_to_string(&file) else {
            return all(|| Fate::DoesNotApply);
        };
        let Ok(mutated) = mutation.apply(&text) else {
            return all(|| Fate::DoesNotApply);
        };
        if fs::write(&file, mutated).is_err() {
            return all(|| Fate::DoesNotApply);
        }
        let fates = match self.build(package) {
            None => all(|| Fate::DoesNotBuild),
            Some(tests) => {
                let programs = mutation.red.iter();
                programs
                    .map(|it| (it.clone(), judge(&tests, &mutation.reduction, it)))
                    .collect()
            }
        };
        // Should this fail, the next run copies the file again.
        let _ = fs::write(&file, text);
        fates
    }

    /// Builds the tests of the clauses of a package; the file to be executed.
    fn build(&self, package: &str) -> Option<PathBuf> {
        let line = ["test", "--offline", "--no-run", "-p", package];
        let output = Command::new("cargo")
            .args(line)
            .args(["--test", "clauses", "--color", "never"])
            .current_dir(&self.sources)
            .env("CARGO_TARGET_DIR", &self.target)
            .env_remove("RUSTFLAGS")
            .output()
            .ok()?;
        if !output.status.success() {
            return None;
        }
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        let line = told.lines().find(|line| line.contains("Executable"))?;
        let (_, path) = line.trim_end_matches(')').rsplit_once('(')?;
        Some(self.sources.join(path))
    }
}

/// Runs the test of one program.
fn judge(tests: &Path, reduction: &str, program: &str) -> Fate {
    let child = Command::new(tests)
        .args(["--exact", &format!("{reduction}/{program}")])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else {
        return Fate::DoesNotBuild;
    };
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Fate::Survived,
            Ok(Some(_)) => return Fate::Red,
            Ok(None) => std::thread::sleep(Duration::from_millis(5)),
            Err(_) => break,
        }
    }
    let _ = child.kill();
    let _ = child.wait();
    Fate::NoEnd
}

/// Makes a file or folder the same as another one. What is the same already is not touched,
/// so that it is not built again.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    if !from.is_dir() {
        let text = fs::read(from)?;
        return match fs::read(to) {
            Ok(old) if old == text => Ok(()),
            _ => fs::write(to, text),
        };
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(to)? {
        let entry = entry?;
        if from.join(entry.file_name()).exists() {
            continue;
        }
        match entry.path().is_dir() {
            true => fs::remove_dir_all(entry.path())?,
            false => fs::remove_file(entry.path())?,
        }
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}
