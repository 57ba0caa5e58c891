//! What `raddle-jdk` needs of the system: temporary folders, processes with a time limit, and the
//! environment.

use crate::console;
use crate::failure::Failure;
use crate::files;
use crate::leftovers::{self, Process};
use crate::progress;
use raddle_jdk::{Folder, Installation, Tools, Trouble};
use raddle_model::{Reason, StopFlag};
use raddle_report::text::seconds;
use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a tool may run if nobody sets a limit. A compiler was measured to take 3 seconds for a
/// megabyte of source, so that this is enough for as much as raddle reads of a program.
const LONGEST: Duration = Duration::from_secs(15 * 60);

/// How often it is looked whether a tool has ended, or has to.
const INTERVAL: Duration = Duration::from_millis(5);

/// The system that this process runs on.
pub(crate) struct Host;

impl Tools for Host {
    fn variable(&self, name: &str) -> Option<OsString> {
        env::var_os(name)
    }

    fn folder(&self) -> Result<Folder, Trouble> {
        Ok(Box::new(Scratch::new()?))
    }

    fn run(&self, command: Command, stop: &StopFlag) -> Result<bool, Trouble> {
        Ok(run_for(command, stop, LONGEST)?)
    }
}

/// The JDK to use.
pub(crate) fn find_jdk(asked: Option<&Path>) -> Result<Installation, Failure> {
    Ok(Installation::find(asked, &Host)?)
}

/// A folder that no other user can read, and that is removed when it is dropped.
struct Scratch(TempDir);

impl Scratch {
    fn new() -> Result<Self, Failure> {
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

    fn path(&self) -> &Path {
        self.0.path()
    }
}

impl AsRef<Path> for Scratch {
    fn as_ref(&self) -> &Path {
        self.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        leftovers::remove(self.path());
    }
}

/// Runs a command until it ends or has to; what it prints is passed on.
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
    let mut why_not = None;
    for file in &mut told {
        let told = printed(file).map_err(failed)?;
        console::complain(&told);
        why_not = why_not.or_else(|| failure_of_machine(&told));
    }
    if status.code().is_none() {
        why_not = Some("it was ended by a signal".to_owned());
    }
    match why_not.filter(|_| !status.success()) {
        None => Ok(status.success()),
        Some(why) => {
            let tool = name.file_name().unwrap_or_default().display();
            let why = format!("{tool} could not do its work: {why}");
            Err(Failure::unknown(Reason::GaveUp(why)))
        }
    }
}

/// Why a tool of a JDK failed, if it is no fault of what it was given: the Java machine that it runs on
/// had no room.
fn failure_of_machine(told: &str) -> Option<String> {
    let no_room = [
        "Error occurred during initialization of VM",
        "# There is insufficient memory for the Java Runtime Environment",
        "The system is out of resources.",
        "java.lang.OutOfMemoryError",
    ];
    let mut lines = told.lines();
    let found = lines.find(|line| no_room.iter().any(|it| line.starts_with(it)))?;
    let next = lines.next().map(str::trim).filter(|line| !line.is_empty());
    let more = next.map(|line| format!(": {line}")).unwrap_or_default();
    let found = found.trim_start_matches("# ");
    Some(format!(
        "{found}{more}; is memory limited, as by `ulimit -v`?"
    ))
}

/// What was written to a file.
fn printed(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.take(files::LARGEST_PROGRAM).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
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
}
