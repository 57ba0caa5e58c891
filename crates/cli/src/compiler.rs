//! The tools of a JDK, which run as processes of their own. They are given nothing of the checked
//! program but its source, and run no code of it.

use crate::api;
use crate::console;
use crate::failure::Failure;
use crate::leftovers;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

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

/// Runs a tool; what it prints is passed on.
pub(crate) fn run(mut command: Command) -> Result<bool, Failure> {
    let done = command.output();
    let done = done.map_err(|error| Failure::file(Path::new(command.get_program()), &error))?;
    console::complain(&String::from_utf8_lossy(&done.stdout));
    console::complain(&String::from_utf8_lossy(&done.stderr));
    Ok(done.status.success())
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
    match run(javac)? {
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
    fn no_path_is_taken_for_an_option() {
        let plain = |path: &str| as_argument(Path::new(path));
        assert_eq!(plain("@list.java"), Path::new("./@list.java"));
        assert_eq!(plain("-J-version.java"), Path::new("./-J-version.java"));
        assert_eq!(plain("a/@b.java"), Path::new("a/@b.java"));
        assert_eq!(plain("/-a/b"), Path::new("/-a/b"));
    }
}
