//! What is to be removed or ended when the process ends in the middle of something.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is there for a while. It is of the process, as its end is.
static LEFT: Mutex<Left> = Mutex::new(Left {
    folders: Vec::new(),
    processes: Vec::new(),
});

struct Left {
    /// Temporary folders.
    folders: Vec<PathBuf>,
    /// Processes that run, each of which leads a group of its own.
    processes: Vec<u32>,
}

fn left() -> MutexGuard<'static, Left> {
    LEFT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A folder is there for a while.
pub(crate) fn add(folder: &Path) {
    left().folders.push(folder.to_owned());
}

/// Removes a folder.
pub(crate) fn remove(folder: &Path) {
    let mut left = left();
    left.folders.retain(|known| known != folder);
    let _ = fs::remove_dir_all(folder);
}

/// Ends all processes and removes all folders that are left, and ends this process.
pub(crate) fn exit(code: u8) -> ! {
    let left = left();
    for &process in &left.processes {
        kill_group(process);
    }
    for folder in &left.folders {
        let _ = fs::remove_dir_all(folder);
    }
    // The lock is kept: nobody makes another one.
    std::process::exit(code.into())
}

/// A process that is ended, with those that it has started, when nobody waits for it any more.
pub(crate) struct Process {
    child: Child,
}

impl Process {
    /// Starts one.
    pub(crate) fn start(command: &mut Command) -> io::Result<Process> {
        // A signal for all of a group ends what a script has started, too.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // There must be no process that is not known, when all are ended.
        let mut left = left();
        let child = command.spawn()?;
        left.processes.push(child.id());
        Ok(Process { child })
    }

    /// Its input and its output, where these are pipes; the second time there are none.
    pub(crate) fn pipes(&mut self) -> (Option<ChildStdin>, Option<ChildStdout>) {
        (self.child.stdin.take(), self.child.stdout.take())
    }

    /// How it ended, if it has.
    pub(crate) fn status(&mut self) -> io::Result<Option<ExitStatus>> {
        // From now on its number may be that of somebody else.
        let mut left = left();
        let status = self.child.try_wait()?;
        if status.is_some() {
            left.processes.retain(|&known| known != self.child.id());
        }
        Ok(status)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let mut left = left();
        let id = self.child.id();
        if left.processes.contains(&id) {
            kill_group(id);
            let _ = self.child.kill();
            let _ = self.child.wait();
            left.processes.retain(|&known| known != id);
        }
    }
}

#[cfg(unix)]
fn kill_group(leader: u32) {
    use nix::sys::signal::{Signal, killpg};
    if let Ok(leader) = i32::try_from(leader) {
        let _ = killpg(nix::unistd::Pid::from_raw(leader), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}
