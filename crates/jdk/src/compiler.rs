//! The tools of a JDK, which run as processes of their own. They are given nothing of the checked
//! program but its source, and run no code of it.

use crate::{Folder, Installation, Trouble, api};
use raddle_model::StopFlag;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Variables by which the environment adds options or classes to the tools of a JDK.
const HEEDED: [&str; 5] = [
    "CLASSPATH",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "JDK_JAVAC_OPTIONS",
    "_JAVA_OPTIONS",
];

/// A path that no tool takes for an option or for a file with arguments.
pub(crate) fn as_argument(path: &Path) -> PathBuf {
    let first = path.as_os_str().as_encoded_bytes().first();
    match first {
        Some(b'-' | b'@') => Path::new(".").join(path),
        _ => path.to_owned(),
    }
}

impl Installation {
    /// A tool that heeds its arguments alone. Most run for less than a second, in which good code
    /// and several threads of a collector do not pay off.
    pub(crate) fn tool(&self, name: &str) -> Command {
        let mut command = Command::new(self.home().join("bin").join(name));
        command.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]);
        for name in HEEDED {
            command.env_remove(name);
        }
        command.stdin(Stdio::null());
        command
    }

    /// Compiles with the JDK's own compiler, whose messages are passed on. The classes by which
    /// programs speak to raddle are there for it.
    ///
    /// The compiler would take classes, annotation processors and plugins from the class path, and
    /// where there is none from the current folder. So each of these paths is given, if only as an
    /// empty folder: processors and plugins run inside the compiler, on the host.
    pub fn compile(
        &self,
        files: &[PathBuf],
        class_path: &[PathBuf],
        stop: &StopFlag,
    ) -> Result<Folder, Trouble> {
        let classes = self.tools.folder()?;
        let known = self.tools.folder()?;
        let empty = self.tools.folder()?;
        let empty = (*empty).as_ref();
        api::write((*known).as_ref())?;
        let class_path: Vec<PathBuf> = match class_path {
            [] => vec![empty.to_owned()],
            some => some.iter().map(|path| as_argument(path)).collect(),
        };
        let class_path = env::join_paths(class_path);
        let class_path = class_path.map_err(|error| Trouble::new(error.to_string()))?;
        let mut javac = self.tool("javac");
        javac
            // With the names of variables, and with columns.
            .args(["-g", "-Xjcov", "-proc:none", "-encoding", "UTF-8"])
            .arg("-processorpath")
            .arg(empty)
            .args(["-implicit:class", "-sourcepath"])
            .arg((*known).as_ref())
            .arg("-classpath")
            .arg(class_path)
            .arg("-d")
            .arg((*classes).as_ref())
            .args(files.iter().map(|file| as_argument(file)));
        match self.tools.run(javac, stop)? {
            true => Ok(classes),
            false => Err(Trouble::new("the program does not compile")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_is_taken_for_an_option() {
        let plain = |path: &str| as_argument(Path::new(path));
        assert_eq!(plain("@list.java"), Path::new("./@list.java"));
        assert_eq!(plain("-J-version.java"), Path::new("./-J-version.java"));
        assert_eq!(plain("a/@b.java"), Path::new("a/@b.java"));
        assert_eq!(plain("/-a/b"), Path::new("/-a/b"));
    }
}
