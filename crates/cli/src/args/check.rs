//! The flags of `raddle check`.

use super::help::CHECK_HELP;
use super::values::*;
use super::{Question, SolverName, ThreadCount, When};
use crate::units;
use clap::{Args, ValueHint};
use raddle_reduce::Reduction;
use raddle_search::{Part, Sampler};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_help = CHECK_HELP)]
pub(crate) struct Check {
    /// The program: Java (`.java`, `.class`, `.jar`, or a folder), a model (`.rad`, or `-` for
    /// standard input), a boolean program (`.cbp`), or a net (`.spec`, `.net`, `.tts`, `.pnml`)
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(required_unless_present = "processes", default_value = ".")]
    #[arg(hide_default_value = true, conflicts_with = "processes")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) question: Question,

    /// How many threads there are of a class whose threads are started in a loop
    #[arg(
        long,
        value_name = "COUNT",
        default_value = "started",
        help_heading = "Java",
        conflicts_with_all = ["processes", "class"]
    )]
    pub(crate) threads: ThreadCount,
    /// Java files of a program that is compiled already, for its traces; can be given several
    /// times
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath, help_heading = "Java")]
    pub(crate) sources: Vec<PathBuf>,
    /// Which interleavings are skipped [default: auto; for boolean programs: none]; two parts with
    /// a plus sign are combined, as in `optimistic+persistent`
    #[arg(long, value_name = "NAME", value_parser = reductions())]
    #[arg(help_heading = "Search")]
    pub(crate) reduction: Option<Reduction>,
    /// Give one of the program's constants another value; can be given several times
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE", value_parser = define)]
    pub(crate) defines: Vec<(String, i64)>,
    /// Take states for one that differ only in which of several threads of a declaration is which, if
    /// the program uses their indices as names only; for models, with full search
    #[arg(long, help_heading = "Search")]
    #[arg(conflicts_with_all = ["preemptions", "random_walks", "sample", "checkpoint", "paranoid"])]
    pub(crate) symmetry: bool,
    /// Go on after the first violation and report each different one
    #[arg(long, help_heading = "Search")]
    pub(crate) all: bool,
    /// How many processors to use [default: all that the reduction can]; with several it is
    /// chance which of several violations is found first, save in small programs
    #[arg(long, value_name = "N", help_heading = "Search")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=MOST_JOBS))]
    pub(crate) jobs: Option<u16>,

    /// Put visited states that have no room in memory, and those that wait in breadth-first
    /// search, into files in this folder; nothing of them is left afterwards
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, help_heading = "Search")]
    #[arg(conflicts_with_all = ["preemptions", "random_walks", "sample"])]
    pub(crate) spill: Option<PathBuf>,
    /// Write the search into this folder from time to time and when it is stopped, so that it
    /// can go on later; for models and boolean programs
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, help_heading = "Search")]
    #[arg(conflicts_with_all = ["all", "preemptions", "random_walks", "sample", "paranoid"])]
    pub(crate) checkpoint: Option<PathBuf>,
    /// How often
    #[arg(long, value_name = "TIME", value_parser = units::time, default_value = "60s")]
    #[arg(help_heading = "Search", requires = "checkpoint")]
    pub(crate) checkpoint_every: Duration,
    /// Go on from what was written, if there is anything; program and flags must be the same
    #[arg(long, help_heading = "Search", requires = "checkpoint")]
    pub(crate) resume: bool,

    /// For programs with any number of threads: who answers formulas
    #[arg(long, value_name = "SOLVER", default_value = "builtin")]
    #[arg(help_heading = "Search")]
    pub(crate) solver: SolverName,
    /// For programs with any number of threads: tell which predicates were used, since when and
    /// why
    #[arg(long, help_heading = "Output")]
    pub(crate) explain: bool,

    /// Where the threads of a `.tts` begin, such as `0|1/0`: shared state 0, one thread in
    /// local state 1, any number in 0; instead of `0/0` or its `.init` file
    #[arg(long, value_name = "STATE", help_heading = "Properties")]
    pub(crate) init: Option<String>,

    /// Stop after this time, such as `30`, `30s`, `5m` or `1h`
    #[arg(long, value_name = "TIME", value_parser = units::time, help_heading = "Limits")]
    pub(crate) time: Option<Duration>,
    /// Explore only executions in which a thread that could go on is interrupted at most so
    /// often
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) preemptions: Option<u32>,
    /// Explore only executions chosen at random, in this way
    #[arg(long, value_name = "METHOD[:DEPTH]", value_parser = sampler, help_heading = "Limits")]
    #[arg(long_help = sampler_help(), conflicts_with = "preemptions")]
    pub(crate) sample: Option<Sampler>,
    /// How many executions are chosen
    #[arg(long, value_name = "N", help_heading = "Limits", requires = "sample")]
    #[arg(default_value_t = 1000)]
    pub(crate) executions: u64,
    /// The same as --sample walk --executions N
    #[arg(
        long,
        value_name = "N",
        help_heading = "Limits",
        conflicts_with_all = ["preemptions", "sample"]
    )]
    pub(crate) random_walks: Option<u64>,
    /// Decides which executions those are; the same ones again with the same seed
    #[arg(
        long,
        value_name = "SEED",
        help_heading = "Limits",
        default_value_t = 0
    )]
    pub(crate) seed: u64,
    /// Save the trace of the violation, for `raddle replay`; with `--all` the further ones
    /// go to `FILE.2.json` and so on
    #[arg(long, value_name = "FILE.json", value_hint = ValueHint::FilePath)]
    #[arg(help_heading = "Output")]
    pub(crate) trace: Option<PathBuf>,
    /// Save why a net or a boolean program is safe, for `raddle verify`; nothing is written unless
    /// the verdict is *holds*
    #[arg(long, value_name = "FILE.json", value_hint = ValueHint::FilePath)]
    #[arg(help_heading = "Output")]
    pub(crate) certificate: Option<PathBuf>,
    /// Write what was found in the interchange format SARIF 2.1.0, for services that show it on
    /// the lines of the source
    #[arg(long, value_name = "FILE.sarif", value_hint = ValueHint::FilePath)]
    #[arg(help_heading = "Output")]
    pub(crate) sarif: Option<PathBuf>,
    /// Write the verdict as JUnit XML, for services that show the results of tests
    #[arg(long, value_name = "FILE.xml", value_hint = ValueHint::FilePath)]
    #[arg(help_heading = "Output")]
    pub(crate) junit: Option<PathBuf>,
    /// Write the report as a page to look at, with the trace to step through
    #[arg(long, value_name = "FILE.html", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) html: Option<PathBuf>,
    /// Show the trace as it was found, not one that is easier to follow
    #[arg(long, help_heading = "Output")]
    pub(crate) no_shorten: bool,
    /// List the statements, conditions, labels and ends of threads of a model that no execution came
    /// to; with --json and --html, how often the search came to each of them
    #[arg(long, help_heading = "Output")]
    #[arg(conflicts_with_all = ["checkpoint", "certificate"])]
    pub(crate) coverage: bool,
    /// Print every step of a trace, however long it is
    #[arg(long, help_heading = "Output")]
    pub(crate) full_trace: bool,
    /// Show what happens inside of the Java library, step by step
    #[arg(long, help_heading = "Output")]
    pub(crate) unfold: bool,
    /// Count blocked and finished threads as transitions from a state to itself
    #[arg(long, help_heading = "Output")]
    pub(crate) count_stutters: bool,
    /// When to show on standard error how far the search is
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Output"
    )]
    pub(crate) progress: When,
    /// Print the answer as JSON
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) as_test: AsTest,
    /// Print the verdict only
    #[arg(long, short, help_heading = "Output")]
    pub(crate) quiet: bool,
    /// How many columns to use; those of the terminal unless given
    #[arg(long, value_name = "N", help_heading = "Output")]
    pub(crate) width: Option<usize>,
}

// How `raddle test` has a test checked that it has found.
#[derive(Debug, Args)]
pub(crate) struct AsTest {
    /// The test that the class of --main runs
    #[arg(long = "as-test", value_name = "NAME", hide = true)]
    pub(crate) test_name: Option<String>,
    /// Why it cannot be run
    #[arg(long, value_name = "WHY", hide = true, requires = "test_name")]
    pub(crate) obstacle: Option<String>,
    /// What is different from how its library runs it
    #[arg(
        long = "remark",
        value_name = "TEXT",
        hide = true,
        requires = "test_name"
    )]
    pub(crate) remarks: Vec<String>,
    /// Its library ends it after some time
    #[arg(long, hide = true, requires = "test_name")]
    pub(crate) time_limited: bool,
    /// Folders with resources, but without classes
    #[arg(long, value_name = "FOLDER", hide = true, requires = "test_name")]
    pub(crate) resources: Vec<PathBuf>,
}

impl Check {
    /// The executions that are explored, if not all are to be.
    pub(crate) fn part(&self) -> Option<Part> {
        let walks = self.random_walks.map(|count| (Sampler::Walk, count));
        let sampled = self.sample.map(|sampler| (sampler, self.executions));
        let samples = sampled.or(walks).map(|(sampler, count)| Part::Samples {
            sampler,
            count,
            seed: self.seed,
        });
        self.preemptions.map(Part::Preemptions).or(samples)
    }

    /// The first flag that was given and that only a search of states can follow.
    pub(crate) fn search_flag(&self) -> Option<&'static str> {
        let flags = [
            (self.question.search.is_some(), "--search"),
            (self.question.store.is_some(), "--store"),
            (self.reduction.is_some(), "--reduction"),
            (self.question.max_threads.is_some(), "--max-threads"),
            (self.question.max_states.is_some(), "--max-states"),
            (self.question.max_depth.is_some(), "--max-depth"),
            (self.preemptions.is_some(), "--preemptions"),
            (self.random_walks.is_some(), "--random-walks"),
            (self.sample.is_some(), "--sample"),
            (self.question.paranoid, "--paranoid"),
            (self.symmetry, "--symmetry"),
            (self.checkpoint.is_some(), "--checkpoint"),
            (self.spill.is_some(), "--spill"),
            (self.all, "--all"),
        ];
        let given = flags.iter().find(|(is_given, _)| *is_given);
        given.map(|&(_, flag)| flag)
    }
}
