//! The flags of `raddle test`.

use super::When;
use super::help::TEST_HELP;
use super::values::MOST_JOBS;
use crate::units::{self, Memory};
use clap::{Args, ValueHint};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_help = TEST_HELP)]
pub(crate) struct Test {
    /// The project: a folder as Maven or Gradle lay it out, or with such folders in it
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath, default_value = ".")]
    pub(crate) folder: PathBuf,
    /// Only classes or tests whose names match, such as `bank.*Test` or `*.AccountTest.lost*`; can be
    /// given several times
    #[arg(long, value_name = "PATTERN")]
    pub(crate) tests: Vec<String>,

    /// Further folders or jars with classes, as for `java`: `lib/*` is all jars of a folder; can be
    /// given several times
    #[arg(
        long,
        visible_alias = "classpath",
        visible_alias = "cp",
        value_name = "PATH"
    )]
    #[arg(value_hint = ValueHint::AnyPath, help_heading = "Java")]
    pub(crate) class_path: Vec<PathBuf>,
    /// A file with the class path of the tests, as build tools write it; looked for in the folder of
    /// each module first
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Java")]
    pub(crate) class_path_file: Option<PathBuf>,
    /// Ask Maven or Gradle, offline, for the class path of the tests. This runs code of the project on this
    /// machine: its build files, their plugins, its wrapper
    #[arg(long, help_heading = "Java")]
    pub(crate) build_tool: bool,
    /// The JDK to use [default: JAVA_HOME, or that of the javac on the path]
    #[arg(long, value_name = "HOME", value_hint = ValueHint::DirPath, help_heading = "Java")]
    pub(crate) jdk: Option<PathBuf>,

    /// How many tests to check at the same time, each in a process [default: all processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_JOBS))]
    #[arg(help_heading = "Limits")]
    pub(crate) jobs: Option<u16>,
    /// How long a test may take; then it is *unknown*
    #[arg(long, value_name = "TIME", value_parser = units::time, default_value = "60s")]
    #[arg(help_heading = "Limits")]
    pub(crate) time: Duration,
    /// How much memory each process may have, such as `512M`; their share of three quarters of what is
    /// available unless given
    #[arg(long, value_name = "SIZE", value_parser = units::memory, help_heading = "Limits")]
    pub(crate) memory: Option<Memory>,

    /// Write `index.html` with all verdicts into this folder, and a page for each violated test
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, help_heading = "Output")]
    pub(crate) html: Option<PathBuf>,
    /// Write the verdicts as JUnit XML
    #[arg(long, value_name = "FILE.xml", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) junit: Option<PathBuf>,
    /// Write what was found in the interchange format SARIF 2.1.0
    #[arg(long, value_name = "FILE.sarif", value_hint = ValueHint::FilePath)]
    #[arg(help_heading = "Output")]
    pub(crate) sarif: Option<PathBuf>,
    /// Print the verdicts as JSON
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Print only tests that do not hold, and the summary
    #[arg(long, short, help_heading = "Output")]
    pub(crate) quiet: bool,
    /// When to show on standard error how far the tests are
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Output"
    )]
    pub(crate) progress: When,
    /// Flags of `raddle check` for each test
    #[arg(last = true, value_name = "FLAGS")]
    pub(crate) flags: Vec<String>,
}
