//! `raddle doctor`: what raddle finds on this machine.

use super::SUCCESS;
use crate::args::Doctor;
use crate::build;
use crate::console;
use crate::failure::Failure;
use crate::memory;
use crate::tools::{Host, find_jdk};
use raddle_jdk::{Check, Installation, on_path};
use raddle_report::json::SCHEMA;
use raddle_report::text::bytes;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::thread;

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
        Ok((_, Check { trouble: None, .. })) => SUCCESS,
        _ => MISSING,
    })
}

/// What is there.
struct Found {
    java: Result<(Installation, Check), Failure>,
    /// The memory at which a search stops, if nobody says otherwise.
    memory: Option<u64>,
    processors: Option<usize>,
    browser: Option<PathBuf>,
}

impl Found {
    fn new(jdk: Option<&Path>) -> Found {
        let processors = thread::available_parallelism().ok();
        Found {
            java: find_jdk(jdk).map(|jdk| (jdk.clone(), jdk.check())),
            memory: memory::default_limit(),
            processors: processors.map(usize::from),
            browser: BROWSERS.into_iter().find_map(|it| on_path(&Host, it)),
        }
    }

    fn text(&self) -> String {
        let java = match &self.java {
            Ok((jdk, check)) => text(jdk, check),
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
            Ok((jdk, check)) => json!({
                "home": jdk.home().display().to_string(),
                "why": jdk.reason(),
                "version": check.version,
                "is_tested": check.is_tested(),
                "trouble": check.trouble,
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

/// A JDK for people.
fn text(jdk: &Installation, check: &Check) -> Vec<String> {
    let version = check.version.as_deref().unwrap_or("of unknown version");
    let home = jdk.home().display();
    let mut lines = vec![format!("{version} in {home}, because {}", jdk.reason())];
    lines.push(match (&check.trouble, check.is_tested()) {
        (Some(trouble), _) => trouble.clone(),
        (None, true) => "raddle is tested with this version".to_owned(),
        (None, false) => format!("raddle is tested with Java {}", Check::TESTED.join(" and ")),
    });
    lines
}
