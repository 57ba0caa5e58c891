//! Deletes the clauses of the reductions one after the other, and shows that the programs
//! that stand for them turn red.
//!
//! ```text
//! mutate [REDUCTION...]               all of them unless some are named
//! mutate --programs N REDUCTION...    how many clauses the first N random programs notice;
//!                                     for lists whose package has a test `schedules`
//! ```
//!
//! It works on a copy of the sources in a temporary directory, which is kept, so that the
//! next run has less to build. Clauses with a switch are compiled together.

#![allow(clippy::print_stdout)]

use raddle_testkit::mutations::{self, Mutations, Round};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant, SystemTime};

/// A program that runs longer than this under a mutated search counts as red: it takes a
/// moment otherwise.
const PATIENCE: Duration = Duration::from_secs(20);

/// Random programs under a mutated search have longer, because there are many of them.
const LONG_PATIENCE: Duration = Duration::from_secs(600);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
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

/// Does what the command line says; tells how many mutations were not noticed.
fn run(arguments: &[String]) -> Result<usize, String> {
    let (judges, reductions) = match arguments {
        [flag, count, rest @ ..] if flag == "--programs" => (
            Judges::Random(
                count
                    .parse()
                    .map_err(|_| format!("`{count}` is no number"))?,
            ),
            rest,
        ),
        rest => (Judges::Clauses, rest),
    };
    let all = mutations::reductions();
    let reductions = match reductions.is_empty() {
        true => &all,
        false => reductions,
    };
    let workshop = Workshop::open(judges)?;
    let survived = survivors(&workshop, reductions);
    workshop.close();
    survived
}

/// How many mutations were not noticed.
fn survivors(workshop: &Workshop, reductions: &[String]) -> Result<usize, String> {
    let mut survived = 0;
    for reduction in reductions {
        let list = mutations::load(reduction)?;
        let mut results = workshop.try_all(reduction, &list)?;
        println!("{:13} {:40} {:9} clause", "reduction", "program", "result");
        results.sort_by_key(|it| it.0);
        for (number, program, fate) in results {
            survived += usize::from(!fate.is_red());
            let (fate, clause) = (fate.name(), &list.mutations[number].clause);
            println!("{reduction:13} {program:40} {fate:9} {clause}");
        }
        for program in &list.open {
            println!("{reduction:13} {program:40} {:9}", "open");
        }
    }
    Ok(survived)
}

/// Who says whether a mutated search is wrong.
#[derive(Clone, Copy)]
enum Judges {
    /// The programs that stand for the clause.
    Clauses,
    /// As many random programs.
    Random(u64),
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
    judges: Judges,
}

impl Workshop {
    fn open(judges: Judges) -> Result<Workshop, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let place = std::env::temp_dir().join("raddle-mutate");
        let workshop = Workshop {
            sources: place.join("sources"),
            target: place.join("target"),
            judges,
        };
        let unable = |error| format!("{}: {error}", place.display());
        claim(&place)?;
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

    /// Leaves the copy as it should be, for the next run to go on with.
    fn close(&self) {
        if let Some(place) = self.sources.parent() {
            let _ = fs::remove_file(place.join(RUNNING));
        }
    }

    /// What every mutation of a list does to its programs, by the number of the mutation.
    fn try_all(
        &self,
        reduction: &str,
        list: &Mutations,
    ) -> Result<Vec<(usize, String, Fate)>, String> {
        let read = |file: &Path| {
            fs::read_to_string(self.sources.join(file)).map_err(|error| error.to_string())
        };
        let (rounds, misfits) = mutations::rounds(&list.mutations, read);
        let (count, builds) = (list.mutations.len(), rounds.len());
        println!("{reduction}: {count} mutations, {builds} builds");
        if !rounds.iter().any(|it| it.is_switched) {
            let tests = self.build(list).ok_or("the tests cannot be built")?;
            self.check_that_all_is_green(&tests, reduction)?;
        }
        let mut all = Vec::new();
        for number in misfits {
            let programs = self.programs(&list.mutations[number].red);
            all.extend(
                programs
                    .into_iter()
                    .map(|it| (number, it, Fate::DoesNotApply)),
            );
        }
        for round in &rounds {
            all.extend(self.try_out(round, reduction, list)?);
        }
        Ok(all)
    }

    /// Without mutations every program must be green, or red would mean nothing.
    fn check_that_all_is_green(&self, tests: &Path, reduction: &str) -> Result<(), String> {
        for program in self.programs(&mutations::programs(reduction)) {
            let fate = self.judge(tests, reduction, &program, None);
            if !matches!(fate, Fate::Survived) {
                return Err(format!("{reduction}/{program} is red without any mutation"));
            }
        }
        Ok(())
    }

    /// Makes the mutations of a round, looks at their programs, and takes them back.
    fn try_out(
        &self,
        round: &Round,
        reduction: &str,
        list: &Mutations,
    ) -> Result<Vec<(usize, String, Fate)>, String> {
        let begun = SystemTime::now();
        let mut originals = Vec::new();
        let mut is_written = true;
        for (file, text) in &round.files {
            let file = self.sources.join(file);
            originals.extend(fs::read_to_string(&file).map(|text| (file.clone(), text)));
            is_written &= fs::write(&file, text).is_ok();
        }
        let tests = is_written.then(|| self.build(list)).flatten();
        for (file, text) in originals {
            // Should this fail, the next run copies the file again.
            let _ = fs::write(&file, text);
        }
        if tests.as_ref().is_some_and(|tests| !is_newer(tests, begun)) {
            return Err("nothing was built anew from changed sources".to_owned());
        }
        if let Some(tests) = tests.as_ref().filter(|_| round.is_switched) {
            self.check_that_all_is_green(tests, reduction)?;
        }
        let mut fates = Vec::new();
        for &number in &round.members {
            for program in self.programs(&list.mutations[number].red) {
                let fate = match &tests {
                    Some(tests) => self.judge(tests, reduction, &program, Some(number)),
                    None => Fate::DoesNotBuild,
                };
                fates.push((number, program, fate));
            }
        }
        Ok(fates)
    }

    /// What is run to judge a clause for which these programs stand.
    fn programs(&self, named: &[String]) -> Vec<String> {
        match self.judges {
            Judges::Clauses => named.to_vec(),
            Judges::Random(count) => vec![format!("{count} random programs")],
        }
    }

    /// Builds the tests of a list; the file to be executed.
    fn build(&self, list: &Mutations) -> Option<PathBuf> {
        let test = match self.judges {
            Judges::Clauses => "clauses",
            Judges::Random(_) => "schedules",
        };
        let output = Command::new("cargo")
            .args(["test", "--offline", "--no-run", "-p", &list.package])
            .args(["--release", "--test", test, "--color", "never"])
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

    /// Runs the test of one program, or random programs, perhaps without a clause.
    fn judge(&self, tests: &Path, reduction: &str, program: &str, deleted: Option<usize>) -> Fate {
        let mut command = Command::new(tests);
        let patience = match self.judges {
            Judges::Clauses => {
                command.args(["--exact", &format!("{reduction}/{program}")]);
                PATIENCE
            }
            Judges::Random(count) => {
                command.env("RADDLE_PROGRAMS", count.to_string());
                LONG_PATIENCE
            }
        };
        if let Some(number) = deleted {
            command.env(mutations::DELETED, number.to_string());
        }
        await_end(&mut command, patience)
    }
}

/// Runs a test for as long as there is patience.
fn await_end(command: &mut Command, patience: Duration) -> Fate {
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let Ok(mut child) = child else {
        return Fate::DoesNotBuild;
    };
    let start = Instant::now();
    while start.elapsed() < patience {
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

/// The file that is there while somebody works, with the number of the process.
const RUNNING: &str = "running";

/// Takes a folder to work in. If the last run there was killed, it is not known what of it was built from
/// which sources: then it begins anew.
fn claim(place: &Path) -> Result<(), String> {
    let unable = |error| format!("{}: {error}", place.display());
    let running = place.join(RUNNING);
    if let Ok(process) = fs::read_to_string(&running) {
        if Path::new("/proc").join(process.trim()).exists() {
            let place = place.display();
            return Err(format!("process {process} works in {place}"));
        }
        println!("the last run was killed; what it has left is thrown away");
        fs::remove_dir_all(place).map_err(unable)?;
    }
    fs::create_dir_all(place).map_err(unable)?;
    fs::write(running, std::process::id().to_string()).map_err(unable)
}

/// Whether a file was written after some time. Times of files may be a little behind.
fn is_newer(file: &Path, time: SystemTime) -> bool {
    let written = fs::metadata(file).and_then(|it| it.modified());
    written.is_ok_and(|written| written + Duration::from_millis(100) >= time)
}

/// Makes a file or folder the same as another one, but for the switches of clauses. What is the
/// same already is not touched, so that it is not built again.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    if !from.is_dir() {
        let mut text = fs::read(from)?;
        if from.ends_with("crates/model/src/lib.rs") {
            text.extend(mutations::switchboard().bytes());
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_run_has_left_is_thrown_away() {
        let place = std::env::temp_dir().join(format!("raddle-claim-{}", std::process::id()));
        let built = place.join("built");
        claim(&place).expect("it is free");
        // This process works there.
        assert!(claim(&place).is_err());
        fs::write(&built, "of changed sources").expect("a file");
        // No process has this number.
        fs::write(place.join(RUNNING), "4194999").expect("a file");
        claim(&place).expect("it is free again");
        assert!(!built.exists());
        // A run that comes to its end leaves what the next one can go on with.
        fs::write(&built, "of the sources").expect("a file");
        fs::remove_file(place.join(RUNNING)).expect("it is there");
        claim(&place).expect("it is free");
        assert!(built.exists());
        fs::remove_dir_all(place).expect("it is there");
    }

    #[test]
    fn what_was_built_before_is_not_newer() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        assert!(!is_newer(&file, SystemTime::now()));
        assert!(is_newer(&file, SystemTime::UNIX_EPOCH));
    }
}
