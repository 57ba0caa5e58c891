//! The JDK that is used: which one, why, and whether it will do.

use crate::{Tools, Trouble};
use raddle_jvm::load::Jdk;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The versions of Java that the tests run with.
const TESTED: [&str; 2] = ["17", "25"];

/// An installed JDK.
#[derive(Clone)]
pub struct Installation {
    home: PathBuf,
    /// Why it is this one.
    reason: &'static str,
    pub(crate) tools: &'static dyn Tools,
}

impl Installation {
    /// The JDK to use: the one that is asked for, that of the environment, or that of the compiler
    /// on the path.
    pub fn find(asked: Option<&Path>, tools: &'static dyn Tools) -> Result<Installation, Trouble> {
        let installation = |home, reason| Installation {
            home,
            reason,
            tools,
        };
        if let Some(home) = asked {
            return Ok(installation(home.to_owned(), "--jdk says so"));
        }
        let home = tools.variable("JAVA_HOME").filter(|home| !home.is_empty());
        if let Some(home) = home {
            return Ok(installation(home.into(), "JAVA_HOME says so"));
        }
        let home = on_path(tools, "javac")
            .and_then(|file| fs::canonicalize(file).ok())
            .and_then(|file| Some(file.parent()?.parent()?.to_owned()));
        match home {
            Some(home) => Ok(installation(home, "its javac is on the path")),
            None => Err(missing(tools)),
        }
    }

    /// Where it is.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Why it is this one, as the end of a sentence.
    pub fn reason(&self) -> &'static str {
        self.reason
    }

    /// Its library.
    pub fn open(&self) -> Result<Jdk, Trouble> {
        Jdk::open(&self.home).map_err(Trouble::new)
    }

    /// Looks at what is there, without opening it.
    pub fn check(&self) -> Check {
        let release = fs::read_to_string(self.home.join("release")).unwrap_or_default();
        let needed = ["lib/modules", "bin/javac"];
        let missing = needed.iter().find(|file| !self.home.join(file).is_file());
        Check {
            version: version(&release),
            trouble: missing.map(|file| format!("it has no {file}; a JDK of 17 or later has")),
        }
    }
}

/// What a look at a JDK shows.
pub struct Check {
    /// Its version, if its files say so.
    pub version: Option<String>,
    /// Why it cannot be used.
    pub trouble: Option<String>,
}

impl Check {
    /// The versions of Java that raddle is tested with.
    pub const TESTED: &'static [&'static str] = &TESTED;

    /// Whether raddle is tested with this version.
    pub fn is_tested(&self) -> bool {
        let major = self.version.as_deref().and_then(|it| it.split('.').next());
        major.is_some_and(|major| TESTED.contains(&major))
    }
}

/// The line `JAVA_VERSION="17.0.15"` of a JDK's file `release`.
fn version(release: &str) -> Option<String> {
    let mut lines = release.lines();
    let version = lines.find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    Some(version.trim().trim_matches('"').to_owned())
}

/// The failure to find a JDK, with the command that installs one.
fn missing(tools: &dyn Tools) -> Trouble {
    const INSTALLERS: [(&str, &str); 6] = [
        ("apt-get", "sudo apt-get install openjdk-17-jdk-headless"),
        ("dnf", "sudo dnf install java-17-openjdk-devel"),
        ("zypper", "sudo zypper install java-17-openjdk-devel"),
        ("pacman", "sudo pacman -S jdk17-openjdk"),
        ("apk", "sudo apk add openjdk17"),
        ("brew", "brew install openjdk@17"),
    ];
    let trouble = Trouble::new("no JDK found: use --jdk, set JAVA_HOME, or put javac on the path");
    let mut known = INSTALLERS.iter();
    match known.find(|(manager, _)| on_path(tools, manager).is_some()) {
        Some((_, command)) => trouble.because(&format!("`{command}` installs one")),
        None => trouble,
    }
}

/// The program of this name on the path.
pub fn on_path(tools: &dyn Tools, name: &str) -> Option<PathBuf> {
    let path = tools.variable("PATH").unwrap_or_default();
    // A relative folder would make it a program of the folder that is checked.
    env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Folder;
    use raddle_model::StopFlag;
    use std::ffi::OsString;
    use std::process::Command;

    struct Bare;

    impl Tools for Bare {
        fn variable(&self, name: &str) -> Option<OsString> {
            (name == "PATH").then(|| "bin:./tools".into())
        }

        fn folder(&self) -> Result<Folder, Trouble> {
            Err(Trouble::new("no folders"))
        }

        fn run(&self, _: Command, _: &StopFlag) -> Result<bool, Trouble> {
            Err(Trouble::new("no processes"))
        }
    }

    #[test]
    fn the_flag_comes_first_and_relative_folders_are_not_searched() {
        let asked = Installation::find(Some(Path::new("/some/jdk")), &Bare).map(|it| it.reason);
        assert_eq!(asked.ok(), Some("--jdk says so"));
        let found = Installation::find(None, &Bare);
        let trouble = found.err().expect("there is no JDK");
        assert!(trouble.message.starts_with("no JDK found"));
        assert_eq!(on_path(&Bare, "javac"), None);
    }

    #[test]
    fn reads_the_version_of_a_jdk() {
        let release = "IMPLEMENTOR=\"Debian\"\nJAVA_VERSION=\"17.0.15\"\n";
        assert_eq!(version(release).as_deref(), Some("17.0.15"));
        assert_eq!(version("OS_NAME=\"Linux\""), None);
    }
}
