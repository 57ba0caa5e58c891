//! The tools of a JDK, which run as processes of their own. They are given nothing of the checked
//! program but its source, and run no code of it.

use crate::api;
use crate::console;
use crate::failure::Failure;
use crate::files;
use crate::leftovers::{self, Process};
use crate::progress;
use raddle_model::{Reason, StopFlag};
use raddle_report::text::seconds;
use std::env;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a tool may run if nobody sets a limit. A compiler was measured to take 3 seconds for a
/// megabyte of source, so that this is enough for as much as raddle reads of a program.
const LONGEST: Duration = Duration::from_secs(15 * 60);

/// How often it is looked whether a tool has ended, or has to.
const INTERVAL: Duration = Duration::from_millis(5);

/// Variables by which the environment adds options or classes to the tools of a JDK.
const HEEDED: [&str; 5] = [
    "CLASSPATH",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "JDK_JAVAC_OPTIONS",
    "_JAVA_OPTIONS",
];

/// A folder that nobody else can look into, and that is removed when it is no longer needed.
pub(crate) struct Scratch(TempDir);

impl Scratch {
    pub(crate) fn new() -> Result<Self, Failure> {
        progress::listen();
        let mut builder = tempfile::Builder::new();
        builder.prefix("raddle-").rand_bytes(12);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let made = builder.tempdir();
        let made = made.map_err(|error| Failure::file(&env::temp_dir(), &error))?;
        leftovers::add(made.path());
        Ok(Self(made))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        leftovers::remove(self.path());
    }
}

/// A tool of a JDK that heeds its arguments alone. Most run for less than a second, in which good
/// code and several threads of a collector do not pay off.
pub(crate) fn tool(home: &Path, name: &str) -> Command {
    let mut command = Command::new(home.join("bin").join(name));
    command.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]);
    for name in HEEDED {
        command.env_remove(name);
    }
    command.stdin(Stdio::null());
    command
}

/// Runs a tool until it ends or has to; what it prints is passed on.
pub(crate) fn run(command: Command, stop: &StopFlag) -> Result<bool, Failure> {
    run_for(command, stop, LONGEST)
}

fn run_for(mut command: Command, stop: &StopFlag, longest: Duration) -> Result<bool, Failure> {
    let name = PathBuf::from(command.get_program());
    let failed = |error: io::Error| Failure::file(&name, &error);
    // In files there is room for what it prints, whoever reads it and when.
    let mut told = [
        tempfile::tempfile().map_err(failed)?,
        tempfile::tempfile().map_err(failed)?,
    ];
    command.stdout(told[0].try_clone().map_err(failed)?);
    command.stderr(told[1].try_clone().map_err(failed)?);
    let begun = Instant::now();
    let mut process = Process::start(&mut command).map_err(failed)?;
    let status = loop {
        if let Some(status) = process.status().map_err(failed)? {
            break status;
        }
        if let Some(reason) = stop.reason() {
            return Err(Failure::unknown(reason));
        }
        if begun.elapsed() >= longest {
            let tool = name.file_name().unwrap_or_default().display();
            let longest = seconds(longest);
            let why = format!("{tool} did not end within {longest}, and was ended");
            return Err(Failure::unknown(Reason::GaveUp(why)));
        }
        thread::sleep(INTERVAL);
    };
    for file in &mut told {
        console::complain(&printed(file).map_err(failed)?);
    }
    Ok(status.success())
}

/// What was written to a file.
fn printed(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.take(files::LARGEST_PROGRAM).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A path that no tool takes for an option or for a file with arguments.
pub(crate) fn as_argument(path: &Path) -> PathBuf {
    let first = path.as_os_str().as_encoded_bytes().first();
    match first {
        Some(b'-' | b'@') => Path::new(".").join(path),
        _ => path.to_owned(),
    }
}

/// Compiles with the JDK's own compiler, whose messages are passed on. What a program says to
/// raddle is there for it.
///
/// The compiler would take classes, annotation processors and plugins from the class path, and
/// where there is none from the current folder. So each of these paths is given, if only as an
/// empty folder: processors and plugins run inside the compiler, on the host.
pub(crate) fn compile(
    files: &[PathBuf],
    class_path: &[PathBuf],
    home: &Path,
    stop: &StopFlag,
) -> Result<Scratch, Failure> {
    let classes = Scratch::new()?;
    let known = Scratch::new()?;
    let empty = Scratch::new()?;
    api::write(known.path())?;
    let class_path: Vec<PathBuf> = match class_path {
        [] => vec![empty.path().to_owned()],
        some => some.iter().map(|path| as_argument(path)).collect(),
    };
    let class_path = env::join_paths(class_path);
    let class_path = class_path.map_err(|error| Failure::new(error.to_string()))?;
    let mut javac = tool(home, "javac");
    javac
        .args(["-g", "-proc:none", "-encoding", "UTF-8"])
        .arg("-processorpath")
        .arg(empty.path())
        .args(["-implicit:class", "-sourcepath"])
        .arg(known.path())
        .arg("-classpath")
        .arg(class_path)
        .arg("-d")
        .arg(classes.path())
        .args(files.iter().map(|file| as_argument(file)));
    match run(javac, stop)? {
        true => Ok(classes),
        false => Err(Failure::new("the program does not compile")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scratch_folder_is_new_and_nobody_else_can_look_into_it() {
        let (one, other) = (Scratch::new(), Scratch::new());
        let (Ok(one), Ok(other)) = (one, other) else {
            panic!("folders can be made");
        };
        assert_ne!(one.path(), other.path());
        let name = one.path().file_name().expect("a name").to_string_lossy();
        let process = std::process::id().to_string();
        assert!(!name.contains(&process), "{name}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(one.path()).expect("it is there");
            assert_eq!(mode.permissions().mode() & 0o777, 0o700);
        }
        let path = one.path().to_owned();
        drop(one);
        assert!(!path.exists());
    }

    #[test]
    fn a_tool_is_ended_when_it_takes_too_long() {
        let ended = |stop: &StopFlag, longest| {
            let mut sleep = Command::new("sleep");
            sleep.arg("90");
            let begun = Instant::now();
            let failure = run_for(sleep, stop, longest).expect_err("it does not end");
            assert!(begun.elapsed() < Duration::from_secs(60));
            failure
        };
        let failure = ended(&StopFlag::default(), Duration::from_millis(20));
        let told = "sleep did not end within 0.02 s, and was ended";
        assert_eq!(failure.message(), told);
        assert_eq!(failure.reason(), Some(&Reason::GaveUp(told.to_owned())));
        let stop = StopFlag::default();
        stop.set(&Reason::Time);
        assert_eq!(ended(&stop, LONGEST).reason(), Some(&Reason::Time));
    }

    #[test]
    fn no_path_is_taken_for_an_option() {
        let plain = |path: &str| as_argument(Path::new(path));
        assert_eq!(plain("@list.java"), Path::new("./@list.java"));
        assert_eq!(plain("-J-version.java"), Path::new("./-J-version.java"));
        assert_eq!(plain("a/@b.java"), Path::new("a/@b.java"));
        assert_eq!(plain("/-a/b"), Path::new("/-a/b"));
    }
}
