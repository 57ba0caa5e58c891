//! `raddle run`: executes a Java program on one schedule, as `java` would.

use crate::args::Run;
use crate::console;
use crate::failure::Failure;
use raddle_jvm::load::{Directory, Jar, Jdk, Source};
use raddle_jvm::{End, Host, World};
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Exit code when the machine cannot say what `java` would do.
const UNKNOWN: u8 = 2;
/// Exit code when all threads wait for each other.
const STUCK: u8 = 1;

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Run) -> Result<u8, Failure> {
    let home = find_jdk(args.jdk.as_deref())?;
    let jdk = Jdk::open(&home).map_err(Failure::new)?;
    let program = Program::find(args, &home)?;
    let world =
        World::new(jdk, program.sources).map_err(|error| Failure::new(error.to_string()))?;
    let mut host = Terminal;
    let booted = raddle_jvm::boot(&world, &mut host).map_err(Failure::new)?;
    let mut state = raddle_jvm::start(&world, &booted, &program.main, &args.arguments, &mut host)
        .map_err(Failure::new)?;
    match raddle_jvm::run(&world, &mut state, &mut host, u64::MAX) {
        // Like every exit code, what is left of it is its lowest byte.
        End::Exit(code) => Ok(code as u8),
        End::Limit => Ok(UNKNOWN),
        End::Unsupported(what, trace) => {
            console::complain(&format!(
                "unknown: not supported: {what}\n{}",
                shown(&trace)
            ));
            Ok(UNKNOWN)
        }
        End::Deadlock(threads) => {
            console::complain("deadlock: every thread waits\n");
            for (name, trace) in threads {
                console::complain(&format!("\"{name}\"\n{}", shown(&trace)));
            }
            Ok(STUCK)
        }
    }
}

fn shown(trace: &[String]) -> String {
    trace.iter().map(|line| format!("\tat {line}\n")).collect()
}

/// Standard input, output and error.
struct Terminal;

impl Host for Terminal {
    fn write(&mut self, descriptor: i32, bytes: &[u8]) {
        // A program does not stop because nobody reads what it writes.
        let _ = match descriptor {
            1 => std::io::stdout()
                .write_all(bytes)
                .and_then(|()| std::io::stdout().flush()),
            _ => std::io::stderr().write_all(bytes),
        };
    }

    fn read(&mut self, limit: usize) -> Vec<u8> {
        let mut bytes = vec![0; limit];
        let count = std::io::stdin().read(&mut bytes).unwrap_or(0);
        bytes.truncate(count);
        bytes
    }
}

/// The JDK to use: as told, that of the environment, or that of the compiler on the path.
pub(crate) fn find_jdk(told: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(home) = told {
        return Ok(home.to_owned());
    }
    if let Some(home) = env::var_os("JAVA_HOME").filter(|home| !home.is_empty()) {
        return Ok(home.into());
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let compiler = env::split_paths(&path)
        .map(|folder| folder.join("javac"))
        .find(|file| file.is_file());
    let home = compiler
        .and_then(|file| fs::canonicalize(file).ok())
        .and_then(|file| Some(file.parent()?.parent()?.to_owned()));
    home.ok_or_else(|| {
        Failure::new("no JDK found: use --jdk, set JAVA_HOME, or put javac on the path")
    })
}

/// Where the classes of a program are, and which of them begins.
pub(crate) struct Program {
    pub(crate) sources: Vec<Box<dyn Source>>,
    pub(crate) main: String,
    /// Holds what was compiled for as long as it is needed.
    pub(crate) compiled: Option<Scratch>,
}

impl Program {
    pub(crate) fn find(args: &Run, home: &Path) -> Result<Self, Failure> {
        let file = &args.file;
        let kind = file.extension().and_then(OsStr::to_str).unwrap_or_default();
        let mut compiled = None;
        let mut sources: Vec<Box<dyn Source>> = Vec::new();
        let main = if kind == "jar" {
            let jar = Jar::open(file).map_err(Failure::new)?;
            let manifest = jar.find("META-INF/MANIFEST.MF").unwrap_or_default();
            sources.push(Box::new(jar));
            main_of_manifest(&String::from_utf8_lossy(&manifest))
        } else if kind == "class" {
            let bytes = fs::read(file).map_err(|error| Failure::file(file, &error))?;
            let summary = raddle_jvm::summary(&bytes)
                .map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
            sources.push(Box::new(Directory(root_of(file, &summary.name))));
            Some(summary.name)
        } else {
            let java = java_files(file)?;
            let folder = if java.is_empty() {
                if !file.is_dir() {
                    return Err(Failure::new(format!(
                        "{}: neither Java source nor classes",
                        file.display()
                    )));
                }
                file.clone()
            } else {
                let scratch = compile(&java, home)?;
                let folder = scratch.0.clone();
                compiled = Some(scratch);
                folder
            };
            let preferred = file
                .file_stem()
                .and_then(OsStr::to_str)
                .unwrap_or_default()
                .to_owned();
            sources.push(Box::new(Directory(folder.clone())));
            main_in(&folder, &preferred)?
        };
        for path in &args.class_path {
            sources.push(match path.is_dir() {
                true => Box::new(Directory(path.clone())),
                false => Box::new(Jar::open(path).map_err(Failure::new)?),
            });
        }
        let main = args.main.clone().or(main);
        let main = main.ok_or_else(|| {
            Failure::new(format!("{}: which class begins? (--main)", file.display()))
        })?;
        Ok(Self {
            sources,
            main,
            compiled,
        })
    }
}

fn main_of_manifest(manifest: &str) -> Option<String> {
    manifest
        .lines()
        .find_map(|line| line.strip_prefix("Main-Class:"))
        .map(|name| name.trim().to_owned())
}

/// The folder that a class file's name is relative to.
fn root_of(file: &Path, class: &str) -> PathBuf {
    let levels = class.split('/').count();
    let root = file.ancestors().nth(levels).unwrap_or(Path::new(""));
    if root.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        root.to_owned()
    }
}

/// A Java file, or those of a folder.
pub(crate) fn java_files(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.exists() {
        let message = format!("{}: No such file or directory", path.display());
        return Err(Failure::new(message));
    }
    let mut found = Vec::new();
    let mut pending = vec![path.to_owned()];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).map_err(|error| Failure::file(&path, &error))?;
            pending.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
        } else if path
            .extension()
            .is_some_and(|extension| extension == "java")
        {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// A folder that is removed when it is no longer needed.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// One that nobody else has: a program may consist of several.
    fn new() -> Result<Self, Failure> {
        let process = std::process::id();
        let mut number = 0;
        loop {
            let folder = env::temp_dir().join(format!("raddle-classes-{process}-{number}"));
            match fs::create_dir(&folder) {
                Ok(()) => return Ok(Self(folder)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(Failure::file(&folder, &error)),
            }
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Compiles with the JDK's own compiler, whose messages are passed on.
fn compile(files: &[PathBuf], home: &Path) -> Result<Scratch, Failure> {
    let scratch = Scratch::new()?;
    let compiler = home.join("bin/javac");
    let done = Command::new(&compiler)
        .arg("-g")
        .arg("-d")
        .arg(&scratch.0)
        .args(files)
        .status();
    match done {
        Ok(status) if status.success() => Ok(scratch),
        Ok(_) => Err(Failure::new("the program does not compile")),
        Err(error) => Err(Failure::file(&compiler, &error)),
    }
}

/// The class in a folder that begins: the preferred one if it can, or the only one that can.
fn main_in(folder: &Path, preferred: &str) -> Result<Option<String>, Failure> {
    let mut candidates = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).map_err(|error| Failure::file(&path, &error))?;
            pending.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
        } else if path
            .extension()
            .is_some_and(|extension| extension == "class")
        {
            let bytes = fs::read(&path).map_err(|error| Failure::file(&path, &error))?;
            if let Ok(summary) = raddle_jvm::summary(&bytes)
                && summary.has_main
            {
                candidates.push(summary.name);
            }
        }
    }
    candidates.sort();
    let simple = |name: &String| name.rsplit('/').next() == Some(preferred);
    let best = candidates
        .iter()
        .find(|name| simple(name))
        .or(match &candidates[..] {
            [only] => Some(only),
            _ => None,
        });
    Ok(best.cloned())
}
