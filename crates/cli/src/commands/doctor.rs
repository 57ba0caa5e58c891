//! `raddle doctor`: what raddle finds on this machine.

use super::SUCCESS;
use crate::args::Doctor;
use crate::build;
use crate::classes::{locate_jdk, on_path};
use crate::console;
use crate::failure::Failure;
use crate::memory;
use raddle_report::json::SCHEMA;
use raddle_report::text::bytes;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

/// The versions of Java that the tests run with.
const TESTED: [&str; 2] = ["17", "25"];

/// What shows a page, by the names under which systems have it.
const BROWSERS: [&str; 6] = [
    "firefox",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "xdg-open",
];

/// Exit code if something is missing.
const MISSING: u8 = 1;

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Doctor) -> Result<u8, Failure> {
    let found = Found::new(args.jdk.as_deref());
    console::answer(&match args.json {
        true => format!("{:#}\n", found.json()),
        false => found.text(),
    })?;
    Ok(match found.java {
        Ok(Jdk { trouble: None, .. }) => SUCCESS,
        _ => MISSING,
    })
}

/// What is there.
struct Found {
    java: Result<Jdk, Failure>,
    /// The memory at which a search stops, if nobody says otherwise.
    memory: Option<u64>,
    processors: Option<usize>,
    browser: Option<PathBuf>,
}

/// A JDK.
struct Jdk {
    home: PathBuf,
    why: &'static str,
    version: Option<String>,
    /// Why it will not do.
    trouble: Option<String>,
}

impl Found {
    fn new(jdk: Option<&Path>) -> Found {
        let processors = thread::available_parallelism().ok();
        Found {
            java: locate_jdk(jdk).map(|(home, why)| Jdk::new(home, why)),
            memory: memory::default_limit(),
            processors: processors.map(usize::from),
            browser: BROWSERS.into_iter().find_map(on_path),
        }
    }

    fn text(&self) -> String {
        let java = match &self.java {
            Ok(jdk) => jdk.text(),
            Err(failure) => vec![
                failure.message().to_owned(),
                "models, boolean programs and nets need none".to_owned(),
            ],
        };
        let memory = match self.memory {
            Some(limit) => format!(
                "a search stops at {}, three quarters of what is available; --memory changes that",
                bytes(limit)
            ),
            None => {
                "how much there is cannot be found out; give --memory to stop in time".to_owned()
            }
        };
        let processors = match self.processors {
            Some(number) => format!("{number}; --jobs says how many are used"),
            None => "how many there are cannot be found out".to_owned(),
        };
        let browser = match &self.browser {
            Some(path) => format!("{}, for pages", path.display()),
            None => "none found; pages can be opened elsewhere".to_owned(),
        };
        let raddle = format!(
            "{}, commit {}, {}, {}",
            build::VERSION,
            build::COMMIT,
            build::TARGET,
            build::PROFILE
        );
        let rows = [
            ("raddle", vec![raddle]),
            ("Java", java),
            ("memory", vec![memory]),
            ("processors", vec![processors]),
            ("browser", vec![browser]),
        ];
        let mut out = String::new();
        for (title, lines) in rows {
            for (index, line) in lines.iter().enumerate() {
                let title = if index == 0 { title } else { "" };
                out.push_str(&format!("{title:<12}{line}\n"));
            }
        }
        out
    }

    fn json(&self) -> Value {
        let java = match &self.java {
            Ok(jdk) => json!({
                "home": jdk.home.display().to_string(),
                "why": jdk.why,
                "version": jdk.version,
                "is_tested": jdk.is_tested(),
                "trouble": jdk.trouble,
            }),
            Err(failure) => json!({
                "home": null,
                "why": null,
                "version": null,
                "is_tested": false,
                "trouble": failure.message(),
            }),
        };
        json!({
            "schema": SCHEMA,
            "raddle": {
                "version": build::VERSION,
                "commit": build::COMMIT,
                "target": build::TARGET,
                "profile": build::PROFILE,
            },
            "java": java,
            "memory_limit": self.memory,
            "processors": self.processors,
            "browser": self.browser.as_ref().map(|path| path.display().to_string()),
        })
    }
}

impl Jdk {
    fn new(home: PathBuf, why: &'static str) -> Jdk {
        let release = fs::read_to_string(home.join("release")).unwrap_or_default();
        let needed = ["lib/modules", "bin/javac"];
        let missing = needed.iter().find(|file| !home.join(file).is_file());
        Jdk {
            version: version(&release),
            trouble: missing.map(|file| format!("it has no {file}; a JDK of 17 or later has")),
            home,
            why,
        }
    }

    fn is_tested(&self) -> bool {
        let major = self.version.as_deref().and_then(|it| it.split('.').next());
        major.is_some_and(|major| TESTED.contains(&major))
    }

    fn text(&self) -> Vec<String> {
        let version = self.version.as_deref().unwrap_or("of unknown version");
        let mut lines = vec![format!(
            "{version} in {}, because {}",
            self.home.display(),
            self.why
        )];
        lines.push(match (&self.trouble, self.is_tested()) {
            (Some(trouble), _) => trouble.clone(),
            (None, true) => "raddle is tested with this version".to_owned(),
            (None, false) => format!("raddle is tested with Java {}", TESTED.join(" and ")),
        });
        lines
    }
}

/// The line `JAVA_VERSION="17.0.15"` of a JDK's file `release`.
fn version(release: &str) -> Option<String> {
    let mut lines = release.lines();
    let version = lines.find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    Some(version.trim().trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn reads_what_a_jdk_says_of_itself() {
        let release = "IMPLEMENTOR=\"Debian\"\nJAVA_VERSION=\"17.0.15\"\n";
        assert_eq!(version(release).as_deref(), Some("17.0.15"));
        assert_eq!(version("OS_NAME=\"Linux\""), None);
    }
}
