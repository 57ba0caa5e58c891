//! The command line: what can be asked of raddle, and the help for it.

use crate::units::{self, Memory};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use raddle_jvm::{Randomness, Time};
use raddle_reduce::{Policy, Reduction};
use raddle_search::{Order, Part, StoreKind};
use std::path::PathBuf;
use std::time::Duration;

/// Checks every interleaving of a multithreaded program that matters
#[derive(Debug, Parser)]
#[command(name = "raddle", version, long_version = crate::build::DETAILS)]
#[command(after_help = HELP, max_term_width = 100)]
#[command(propagate_version = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: When,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Search a program for violations, and show how the one found comes about
    Check(Box<Check>),
    /// Turn a boolean program or a net into machines, nets and pictures
    Translate(Translate),
    /// Search a program with every reduction, and compare them
    Compare(Compare),
    /// Execute a saved trace again, step by step
    Replay(Replay),
    /// Walk through the states of a program, on a page in the browser
    Explore(Explore),
    /// Reproduce the tables of the papers that raddle is made after
    Papers(Papers),
    /// Show a program as raddle sees it
    Show(Show),
    /// Execute a Java program on one schedule, as `java` would
    Run(Run),
    /// Write the classes by which Java programs speak to raddle, as source and as a jar
    Api(Api),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Print a page of the manual, or write all of them
    Man(Man),
    /// Serve an editor: diagnostics, definitions, who accesses what, checks
    Lsp(Lsp),
    /// Tell what raddle finds on this machine: JDK, memory, processors, browser
    Doctor(Doctor),
}

/// Whether something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// If the output is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Args)]
#[command(after_help = CHECK_HELP)]
pub(crate) struct Check {
    /// The program: Java (`.java`, `.class`, `.jar`, or a folder), a model (`.rad`, or `-` for
    /// standard input), a boolean program (`.cbp`), or a net (`.spec`, `.net`, `.tts`, `.pnml`)
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(required_unless_present = "processes", default_value = ".")]
    #[arg(hide_default_value = true, conflicts_with = "processes")]
    pub(crate) file: PathBuf,

    /// The class whose `main` begins
    #[arg(long, value_name = "CLASS", help_heading = "Java")]
    pub(crate) main: Option<String>,
    /// One of several programs that run at the same time and talk through sockets: a file or
    /// folder, `:` and the class that begins if it is not clear, and arguments after spaces
    #[arg(
        long = "process",
        value_name = "FILE[:CLASS] [ARGUMENTS]",
        help_heading = "Java"
    )]
    #[arg(conflicts_with_all = ["main", "class", "arguments"])]
    pub(crate) processes: Vec<String>,
    /// Check each test of this class (JUnit 4, JUnit 5 or TestNG) instead of a `main`
    #[arg(
        long,
        value_name = "CLASS",
        help_heading = "Java",
        conflicts_with = "main"
    )]
    pub(crate) class: Option<String>,
    /// Check this method of the class, which needs no annotation
    #[arg(long, value_name = "NAME", help_heading = "Java", requires = "class")]
    pub(crate) method: Option<String>,
    /// Java files of a program that is compiled already, for its traces; can be given several
    /// times
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath, help_heading = "Java")]
    pub(crate) sources: Vec<PathBuf>,
    /// Further folders or jars with classes; can be given several times
    #[arg(
        long,
        visible_alias = "classpath",
        visible_alias = "cp",
        value_name = "PATH"
    )]
    #[arg(value_hint = ValueHint::AnyPath, help_heading = "Java")]
    pub(crate) class_path: Vec<PathBuf>,
    /// The JDK to use [default: JAVA_HOME, or that of the javac on the path]
    #[arg(long, value_name = "HOME", value_hint = ValueHint::DirPath, help_heading = "Java")]
    pub(crate) jdk: Option<PathBuf>,
    /// Let waiting threads wake up for no reason, as Java allows
    #[arg(long, help_heading = "Java")]
    pub(crate) spurious: bool,
    /// What comes of random numbers without a seed: `explore` tries all of a few and some of
    /// many, a number is the seed for them
    #[arg(long, value_name = "explore|SEED", value_parser = randomness, default_value = "0")]
    #[arg(help_heading = "Java")]
    pub(crate) random: Randomness,
    /// How time goes on [possible values: logical, any]; when somebody waits, or also before
    /// each look at the clock
    #[arg(long, value_name = "TIME", value_parser = clock, default_value = "logical")]
    #[arg(help_heading = "Java", hide_default_value = true)]
    pub(crate) clock: Time,
    /// Whether threads take turns inside of the operations of java.util.concurrent, too, or
    /// each of them is one step, on trust
    #[arg(
        long,
        value_name = "PROFILE",
        default_value = "exact",
        help_heading = "Java"
    )]
    pub(crate) library: Library,
    /// What to take for one step, or for unshared: lines `atomic NAME` and `unshared NAME`,
    /// with the name of a class or a package like `com.foo.*`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Java")]
    pub(crate) profile: Option<PathBuf>,
    /// A data race is a violation, and not only a reason to warn
    #[arg(long, help_heading = "Java")]
    pub(crate) races: bool,
    /// What the Java program gets as its arguments
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub(crate) arguments: Vec<String>,

    /// In which order states are visited [default: depth-first]
    #[arg(long, value_name = "ORDER", value_parser = orders())]
    #[arg(help_heading = "Search")]
    pub(crate) search: Option<Order>,
    /// How visited states are remembered [default: exact, and fingerprint from where the memory
    /// limit is reached]
    #[arg(long, value_name = "STORE", value_parser = stores())]
    #[arg(help_heading = "Search")]
    pub(crate) store: Option<StoreKind>,
    /// Which interleavings are skipped [default: none; for Java: auto]
    #[arg(long, value_name = "NAME", value_parser = reductions())]
    #[arg(help_heading = "Search")]
    pub(crate) reduction: Option<Reduction>,
    /// What happens if a variable is not protected as claimed or guessed
    #[arg(long, value_name = "POLICY", value_parser = policies(), default_value = "auto")]
    #[arg(help_heading = "Search")]
    pub(crate) discipline: Policy,
    /// The size of the table of the bitstate store; rounded down to a power of two
    #[arg(long, value_name = "SIZE", value_parser = units::size, help_heading = "Search")]
    pub(crate) bitstate_size: Option<u64>,
    /// Give one of the program's constants another value; can be given several times
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE", value_parser = raddle_lang::parse_define)]
    pub(crate) defines: Vec<(String, i64)>,
    /// Go on after the first violation and report each different one
    #[arg(long, help_heading = "Search")]
    pub(crate) all: bool,
    /// How many processors to use [default: all that the reduction can]; with several it is
    /// chance which of several violations is found first, save in small programs
    #[arg(long, value_name = "N", help_heading = "Search")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=MOST_JOBS))]
    pub(crate) jobs: Option<u16>,
    /// Try out, in every state, what the reductions take for granted; much slower, and of use
    /// to find bugs of raddle itself
    #[arg(long, help_heading = "Search")]
    pub(crate) paranoid: bool,

    /// Put visited states that have no room in memory, and those that wait in breadth-first
    /// search, into files in this folder; nothing of them is left afterwards
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, help_heading = "Search")]
    #[arg(conflicts_with_all = ["preemptions", "random_walks"])]
    pub(crate) spill: Option<PathBuf>,
    /// Write the search into this folder from time to time and when it is stopped, so that it
    /// can go on later; for models
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, help_heading = "Search")]
    #[arg(conflicts_with_all = ["all", "preemptions", "random_walks", "paranoid"])]
    pub(crate) checkpoint: Option<PathBuf>,
    /// How often
    #[arg(long, value_name = "TIME", value_parser = units::time, default_value = "60s")]
    #[arg(help_heading = "Search", requires = "checkpoint")]
    pub(crate) checkpoint_every: Duration,
    /// Go on from what was written, if there is anything; program and flags must be the same
    #[arg(long, help_heading = "Search", requires = "checkpoint")]
    pub(crate) resume: bool,

    /// Do not look for deadlocks
    #[arg(long, help_heading = "Properties")]
    pub(crate) no_deadlock: bool,
    /// Do not look for threads that wait for ever while others go on
    #[arg(long, help_heading = "Properties")]
    pub(crate) no_partial_deadlock: bool,
    /// Do not check the program's invariants
    #[arg(long, help_heading = "Properties")]
    pub(crate) no_invariants: bool,
    /// Ignore failed assertions and other faults: an execution just ends there
    #[arg(long, help_heading = "Properties")]
    pub(crate) no_faults: bool,
    /// Reaching this label is a violation; can be given several times
    #[arg(
        long,
        value_name = "LABEL",
        value_delimiter = ',',
        help_heading = "Properties"
    )]
    pub(crate) unreachable: Vec<String>,
    /// States that must not be reached by a boolean program or a net, such as
    /// `"critical >= 2"` or `"enter & leave"`; can be given several times
    #[arg(long = "unsafe", value_name = "SET", help_heading = "Properties")]
    pub(crate) unsafe_sets: Vec<String>,
    /// Where the threads of a `.tts` begin, such as `0|1/0`: shared state 0, one thread in
    /// local state 1, any number in 0; instead of `0/0` or its `.init` file
    #[arg(long, value_name = "STATE", help_heading = "Properties")]
    pub(crate) init: Option<String>,

    /// Stop after this time, such as `30`, `30s`, `5m` or `1h`
    #[arg(long, value_name = "TIME", value_parser = units::time, help_heading = "Limits")]
    pub(crate) time: Option<Duration>,
    /// Stop at this amount of memory, such as `512M` or `4G`, or `none`; three quarters of
    /// what is available unless given
    #[arg(long, value_name = "SIZE", value_parser = units::memory, help_heading = "Limits")]
    pub(crate) memory: Option<Memory>,
    /// Stop at this number of states
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) max_states: Option<u64>,
    /// Do not go further than this number of steps from the initial state
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) max_depth: Option<u64>,
    /// Explore only executions in which a thread that could go on is interrupted at most so
    /// often
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) preemptions: Option<u32>,
    /// Explore only so many executions, by chance
    #[arg(
        long,
        value_name = "N",
        help_heading = "Limits",
        conflicts_with = "preemptions"
    )]
    pub(crate) random_walks: Option<u64>,
    /// Decides which executions those are [default: 0]
    #[arg(
        long,
        value_name = "SEED",
        help_heading = "Limits",
        requires = "random_walks"
    )]
    pub(crate) seed: Option<u64>,
    /// Words of a thread's stack; more is a fault of the program [default: 4096]
    #[arg(long, value_name = "WORDS", help_heading = "Limits")]
    pub(crate) max_stack: Option<usize>,
    /// Words of the heap; more is a fault of the program [default: 4096]
    #[arg(long, value_name = "WORDS", help_heading = "Limits")]
    pub(crate) max_heap: Option<usize>,
    /// Threads ever started; raddle gives up beyond [default: 1024, in boolean programs 16]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) max_threads: Option<usize>,

    /// Save the trace of the violation, for `raddle replay`; with `--all` the further ones
    /// go to `FILE.2.json` and so on
    #[arg(long, value_name = "FILE.json", value_hint = ValueHint::FilePath)]
    #[arg(help_heading = "Output")]
    pub(crate) trace: Option<PathBuf>,
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
    /// Print the verdict only
    #[arg(long, short, help_heading = "Output")]
    pub(crate) quiet: bool,
    /// How many columns to use; those of the terminal unless given
    #[arg(long, value_name = "N", help_heading = "Output")]
    pub(crate) width: Option<usize>,
}

impl Check {
    /// The executions that are explored, if not all are to be.
    pub(crate) fn part(&self) -> Option<Part> {
        let walks = self.random_walks.map(|count| Part::Walks {
            count,
            seed: self.seed.unwrap_or(0),
        });
        self.preemptions.map(Part::Preemptions).or(walks)
    }

    /// Whether a flag was given that only a search of states can follow.
    pub(crate) fn is_search(&self) -> bool {
        self.search.is_some()
            || self.store.is_some()
            || self.reduction.is_some()
            || self.max_threads.is_some()
            || self.max_states.is_some()
            || self.max_depth.is_some()
            || self.part().is_some()
            || self.no_faults
            || self.no_invariants
            || self.paranoid
            || self.checkpoint.is_some()
            || self.all
    }
}

#[derive(Debug, Args)]
#[command(after_help = TRANSLATE_HELP)]
pub(crate) struct Translate {
    /// A boolean program (`.cbp`) or a net (`.spec`, `.net`, `.tts`, `.pnml`)
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Into what
    #[arg(long, value_name = "FORM")]
    pub(crate) to: Target,
    /// The machines as they are written, with every step a state of its own
    #[arg(long)]
    pub(crate) full: bool,
    /// Like --full, with the states that the compiler of the thesis adds at loops and choices
    #[arg(long)]
    pub(crate) cbp2gm: bool,
    /// States that must not be reached, such as `"critical >= 2"`; can be given several times
    #[arg(long = "unsafe", value_name = "SET")]
    pub(crate) unsafe_sets: Vec<String>,
    /// Where the threads of a `.tts` begin
    #[arg(long, value_name = "STATE")]
    pub(crate) init: Option<String>,
    /// Print how large everything is instead
    #[arg(long)]
    pub(crate) statistics: bool,
    /// Print the statistics as JSON
    #[arg(long, requires = "statistics")]
    pub(crate) json: bool,
}

/// What a program can be translated into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// The local machines of a boolean program, one after the other
    Lm,
    /// Its global machine: the cells, and all local machines
    Gm,
    /// A net, in raddle's own form, which can say everything
    Net,
    /// A picture of the machines, or of the net if the file is one, for Graphviz
    Dot,
    /// A net in the form of mist
    Mist,
    /// A place/transition net in XML
    Pnml,
}

#[derive(Debug, Args)]
#[command(after_help = COMPARE_HELP)]
pub(crate) struct Compare {
    /// The program, or `-` for standard input
    #[arg(value_name = "FILE.rad", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Give one of the program's constants another value; can be given several times
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE", value_parser = raddle_lang::parse_define)]
    pub(crate) defines: Vec<(String, i64)>,
    /// Stop each search after this time, such as `30s` or `5m`
    #[arg(long, value_name = "TIME", value_parser = units::time, default_value = "60s")]
    pub(crate) time: Option<Duration>,
    /// Threads ever started; raddle gives up beyond [default: 1024, in boolean programs 16]
    #[arg(long, value_name = "N")]
    pub(crate) max_threads: Option<usize>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw the numbers of states into this file
    #[arg(long, value_name = "FILE.svg", value_hint = ValueHint::FilePath)]
    pub(crate) svg: Option<PathBuf>,
    /// Write the comparison as a page to look at
    #[arg(long, value_name = "FILE.html", value_hint = ValueHint::FilePath)]
    pub(crate) html: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = EXPLORE_HELP)]
pub(crate) struct Explore {
    /// The program: as for `raddle check`
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Print the address only; do not open a browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Listen on this port; one that is free unless given
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
    /// Give one of the program's constants another value; can be given several times
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE", value_parser = raddle_lang::parse_define)]
    pub(crate) defines: Vec<(String, i64)>,
    /// Threads ever started; raddle gives up beyond [default: 1024, in boolean programs 16]
    #[arg(long, value_name = "N")]
    pub(crate) max_threads: Option<usize>,
    /// The class whose `main` begins
    #[arg(long, value_name = "CLASS", help_heading = "Java")]
    pub(crate) main: Option<String>,
    /// Further folders or jars with classes; can be given several times
    #[arg(
        long,
        visible_alias = "classpath",
        visible_alias = "cp",
        value_name = "PATH"
    )]
    #[arg(value_hint = ValueHint::AnyPath, help_heading = "Java")]
    pub(crate) class_path: Vec<PathBuf>,
    /// The JDK to use [default: JAVA_HOME, or that of the javac on the path]
    #[arg(long, value_name = "HOME", value_hint = ValueHint::DirPath, help_heading = "Java")]
    pub(crate) jdk: Option<PathBuf>,
    /// What the Java program gets as its arguments
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub(crate) arguments: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = PAPERS_HELP)]
pub(crate) struct Papers {
    /// A paper (`001`), a table (`001-table1-cartesian`) or a model (`indexer`); all unless given
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Skip what takes more than a second
    #[arg(long)]
    pub(crate) quick: bool,
}

#[derive(Debug, Args)]
#[command(after_help = REPLAY_HELP)]
pub(crate) struct Replay {
    /// A file written by `raddle check --trace`
    #[arg(value_name = "TRACE.json", value_hint = ValueHint::FilePath)]
    pub(crate) trace: PathBuf,
    /// The program, if it is not where it was
    #[arg(long, value_name = "FILE.rad", value_hint = ValueHint::FilePath)]
    pub(crate) program: Option<PathBuf>,
    /// Stop after each step and show the values of the shared variables
    #[arg(long, short, conflicts_with_all = ["json", "quiet"])]
    pub(crate) interactive: bool,
    /// Print every step of a trace, however long it is
    #[arg(long)]
    pub(crate) full_trace: bool,
    /// Show what happens inside of the Java library, step by step
    #[arg(long)]
    pub(crate) unfold: bool,
    /// Print the trace as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the trace as a page to step through
    #[arg(long, value_name = "FILE.html", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with = "interactive")]
    pub(crate) html: Option<PathBuf>,
    /// Print the verdict only
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// How many columns to use; those of the terminal unless given
    #[arg(long, value_name = "N")]
    pub(crate) width: Option<usize>,
}

/// How Java's library is interleaved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Library {
    /// As everything else.
    Exact,
    /// Operations of java.util.concurrent are single steps.
    Trusted,
}

#[derive(Debug, Args)]
#[command(after_help = RUN_HELP)]
pub(crate) struct Run {
    /// The program: Java source, a class file, a folder with either, or a jar
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) file: PathBuf,
    /// The class whose `main` begins
    #[arg(long, value_name = "CLASS")]
    pub(crate) main: Option<String>,
    /// Further folders or jars with classes; can be given several times
    #[arg(
        long,
        visible_alias = "classpath",
        visible_alias = "cp",
        value_name = "PATH"
    )]
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) class_path: Vec<PathBuf>,
    /// The JDK to use (default: JAVA_HOME, or that of the javac on the path)
    #[arg(long, value_name = "HOME", value_hint = ValueHint::DirPath)]
    pub(crate) jdk: Option<PathBuf>,
    /// Check assertions, as with `java -ea`
    #[arg(long)]
    pub(crate) enable_assertions: bool,
    /// Let the program read the host's files below this folder; otherwise its files are in
    /// memory only. Can be given several times
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) allow_files: Vec<PathBuf>,
    /// Print how it ended as JSON, with what it has written
    #[arg(long)]
    pub(crate) json: bool,
    /// What the program gets as its arguments
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub(crate) arguments: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = API_HELP)]
pub(crate) struct Api {
    /// The folder that gets them
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
    /// The JDK that compiles them [default: JAVA_HOME, or that of the javac on the path]
    #[arg(long, value_name = "HOME", value_hint = ValueHint::DirPath)]
    pub(crate) jdk: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = SHOW_HELP)]
pub(crate) struct Show {
    /// The program, or `-` for standard input
    #[arg(value_name = "FILE.rad", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Give one of the program's constants another value; can be given several times
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE", value_parser = raddle_lang::parse_define)]
    pub(crate) defines: Vec<(String, i64)>,
    #[command(flatten)]
    pub(crate) form: Form,
}

#[derive(Debug, Args)]
#[group(multiple = false)]
pub(crate) struct Form {
    /// The intermediate form that is executed (default)
    #[arg(long)]
    pub(crate) ir: bool,
    /// The control flow as a graph in the DOT language
    #[arg(long)]
    pub(crate) dot: bool,
    /// The program in the canonical layout, without its comments
    #[arg(long)]
    pub(crate) format: bool,
}

#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS_HELP)]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
#[command(after_help = MAN_HELP)]
pub(crate) struct Man {
    /// The command that the page is about; raddle itself unless given
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
    /// Write all pages into this folder instead
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    #[arg(conflicts_with = "command")]
    pub(crate) all: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = DOCTOR_HELP)]
pub(crate) struct Doctor {
    /// The JDK to look at [default: JAVA_HOME, or that of the javac on the path]
    #[arg(long, value_name = "HOME", value_hint = ValueHint::DirPath)]
    pub(crate) jdk: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = LSP_HELP)]
pub(crate) struct Lsp {
    /// Speak through standard input and output, as it does anyway
    #[arg(long, hide = true)]
    pub(crate) stdio: bool,
    /// Flags of `raddle check`, for the checks that the editor asks for
    #[arg(last = true, value_name = "FLAGS")]
    pub(crate) flags: Vec<String>,
}

/// More processors than this have to be a mistake.
const MOST_JOBS: i64 = 256;

fn randomness(text: &str) -> Result<Randomness, String> {
    match text {
        "explore" => Ok(Randomness::Explore),
        seed => seed
            .parse()
            .map(Randomness::Seed)
            .map_err(|_| "neither `explore` nor a number".to_owned()),
    }
}

fn clock(text: &str) -> Result<Time, String> {
    match text {
        "logical" => Ok(Time::Logical),
        "any" => Ok(Time::Any),
        _ => Err("neither `logical` nor `any`".to_owned()),
    }
}

/// The search orders by their names; the part before the hyphen will do.
fn orders() -> impl TypedValueParser<Value = Order> {
    let values = Order::ALL.map(|order| {
        let (short, help) = match order {
            Order::DepthFirst => ("depth", "One execution after the other; needs least memory"),
            Order::BreadthFirst => ("breadth", "The nearest states first; finds shortest traces"),
        };
        PossibleValue::new(order.name()).alias(short).help(help)
    });
    let named = |name: String| {
        let mut orders = Order::ALL.into_iter();
        let found = orders.find(|order| order.name().starts_with(&name));
        found.ok_or("no such search order")
    };
    PossibleValuesParser::new(values).try_map(named)
}

/// The reductions by their names.
fn reductions() -> impl TypedValueParser<Value = Reduction> {
    let values = Reduction::ALL.iter().map(|reduction| {
        let entry = reduction.entry();
        PossibleValue::new(entry.name).help(entry.summary)
    });
    let named = |name: String| Reduction::by_name(&name).ok_or("no such reduction");
    PossibleValuesParser::new(values).try_map(named)
}

/// What to do about wrong assumptions, by name.
fn policies() -> impl TypedValueParser<Value = Policy> {
    let values = Policy::ALL.map(|policy| {
        let help = match policy {
            Policy::Auto => "Take it for unprotected and begin again",
            Policy::Strict => "A wrong claim is a violation; a wrong guess ends the search",
        };
        PossibleValue::new(policy.name()).help(help)
    });
    let named = |name: String| {
        let mut all = Policy::ALL.into_iter();
        all.find(|policy| policy.name() == name)
            .ok_or("no such policy")
    };
    PossibleValuesParser::new(values).try_map(named)
}

/// The stores by their names.
fn stores() -> impl TypedValueParser<Value = StoreKind> {
    let values = StoreKind::ALL.map(|store| {
        let help = match store {
            StoreKind::Exact => "Every state is kept, compressed without loss",
            StoreKind::Fingerprint => "64 bits are kept of every state; can err, and says so",
            StoreKind::Bitstate { .. } => "Three bits are set; finds violations, proves nothing",
        };
        PossibleValue::new(store.name()).help(help)
    });
    let named = |name: String| {
        let mut stores = StoreKind::ALL.into_iter();
        let found = stores.find(|store| store.name() == name);
        found.ok_or("no such store")
    };
    PossibleValuesParser::new(values).try_map(named)
}

const HELP: &str = "\
EXAMPLES
  raddle check dining.rad                     search, and show a trace if there is one
  raddle check dining.rad --trace t.json      also save the trace
  raddle replay t.json --interactive          walk through it
  raddle show dining.rad --dot | dot -Tsvg    draw the program

EXIT CODES
  0  holds: no execution violates a property
  1  violated: one does, and here it is
  2  unknown: a limit was reached, or the search was interrupted
  3  bad input: the program, the command line or a file is not as it should be";

const CHECK_HELP: &str = "\
EXAMPLES
  raddle check dining.rad
  raddle check dining.rad --search breadth --no-shorten     the fewest steps to a violation
  raddle check big.rad --time 10m --memory 8G --progress always
  raddle check dining.rad -D N=5                            with five philosophers
  raddle check big.rad --store fingerprint
  raddle check big.rad --checkpoint folder --resume         go on where it was ended
  raddle check big.rad --jobs 1                             the same trace each time
  raddle check big.rad --reduction auto                     skip what makes no difference
  raddle check big.rad --reduction transactions --no-partial-deadlock
  raddle check big.rad --reduction cartesian --jobs 8 --no-deadlock --no-partial-deadlock
  raddle check account.rad --discipline strict              hold the program to its claims
  raddle check account.rad --reduction auto --paranoid      trust no reduction
  raddle check mutex.rad --unreachable critical --trace found.json
  raddle check mutex.rad --json | jq .verdict
  raddle check bakery.cbp --unsafe 'criticalI & criticalJ'   for any number of threads
  raddle check bakery.cbp --reduction auto --max-threads 4  state by state
  raddle check kanban.spec                                  coverability of a net
  raddle check --process server.jar --process 'client.jar:Main 8080'
  raddle check big.rad --preemptions 2                      few interruptions find most bugs
  raddle check big.rad --random-walks 1000 --seed 7
  raddle check Bank.java                                    Java, compiled or not
  raddle check app.jar --main app.Main -cp lib.jar -- 3 4
  raddle check Lottery.java --random explore
  raddle check src/test/java --class BankTest -cp junit.jar one verdict for each test
  raddle check classes --class BankTest --method transfer --sources src
  raddle check Bank.java --sarif results.sarif --junit results.xml
  raddle check Bank.java --html found.html                  a page to step through
  generate-program | raddle check -

Ctrl-C or SIGTERM stops the search and tells what is known; a second one ends raddle at once.

EXIT CODES
  0  holds     every reachable state was explored and nothing is wrong
  1  violated  the trace shows how
  2  unknown   a limit was reached, or the search was interrupted
  3  bad input the program, the command line or a file is not as it should be";

const COMPARE_HELP: &str = "\
EXAMPLES
  raddle compare dining.rad
  raddle compare dining.rad -D N=6 --svg dining.svg
  raddle compare dining.rad --json | jq '.comparison[] | {reduction, states}'

Each reduction is asked for all the properties that it preserves; the others are listed as
refused. Full search is asked the same question: answers that contradict each other are a
bug of raddle, said so, and the trace is saved in the current folder as raddle-bug-*.json.

EXIT CODES
  0  the answers agree
  2  two of them contradict each other
  3  bad input";

const TRANSLATE_HELP: &str = "\
EXAMPLES
  raddle translate bakery.cbp --to gm
  raddle translate bakery.cbp --to dot | dot -Tsvg > bakery.svg
  raddle translate bakery.cbp --to net --unsafe 'criticalI & criticalJ'
  raddle translate bakery.cbp --to net --statistics
  raddle translate protocol.tts --to mist > protocol.spec

Without --full, steps that no other thread can tell from doing nothing are joined with the
step before them.

EXIT CODES
  0  it was printed
  3  bad input, or the form cannot say what is to be said";

const PAPERS_HELP: &str = "\
EXAMPLES
  raddle papers
  raddle papers 001 --quick
  raddle papers 001-table1-cartesian indexer
  raddle papers --json | jq '.papers[].rows[] | select(.result != \"exact\")'

RESULTS
  exact      the numbers are those of the paper
  within     the paper gives a bound or leaves a range, and the numbers are in it
  deviation  the numbers are others, for the reason below the table
  WRONG      the numbers are not even those that this raddle is known for

EXIT CODES
  0  every number is as the tables say
  1  one is wrong
  2  unknown: interrupted
  3  bad input";

const REPLAY_HELP: &str = "\
EXAMPLES
  raddle check dining.rad --trace found.json
  raddle replay found.json
  raddle replay found.json --interactive
  raddle replay found.json --program moved/dining.rad

EXIT CODES
  1  violated  the trace leads to the violation again
  3  bad input the file is not a trace, or the program has changed and no longer does this";

const EXPLORE_HELP: &str = "\
EXAMPLES
  raddle explore dining.rad
  raddle explore dining.rad -D N=5 --no-open
  raddle explore Bank.java --main Bank

The page is served on this machine only, at an address that nobody can guess. On it, take
steps, go back, and look for the nearest state in which something holds:
  models            an expression over the shared variables: balance < 0 && !finished
  boolean programs  a set of states, as for --unsafe: run >= 2
  Java and nets     NAME = VALUE, NAME != VALUE, THREAD @ LINE, \"TEXT\", joined by &&

EXIT CODES
  0  it was ended by Ctrl-C
  3  bad input";

const SHOW_HELP: &str = "\
EXAMPLES
  raddle show dining.rad
  raddle show dining.rad --dot | dot -Tsvg > dining.svg
  raddle show dining.rad --format

EXIT CODES
  0  it was shown
  3  bad input";

const RUN_HELP: &str = "\
EXAMPLES
  raddle run Hello.java
  raddle run classes --main app.Main -cp lib.jar -ea -- a b
  raddle run Count.java --allow-files data -- data/words.txt
  raddle run Hello.java --json | jq .exit_code

EXIT CODES
  what the program exits with; 1 if all threads wait, 2 if something is not supported, 3 if
  there is no such program or it does not compile";

const API_HELP: &str = "\
EXAMPLES
  raddle api lib
  javac -cp lib/raddle-check.jar -d classes src/*.java
  raddle check classes --main Elevator

`raddle check Foo.java` and `raddle run Foo.java` need none of it: these classes are there.

EXIT CODES
  0  they were written
  3  bad input";

const COMPLETIONS_HELP: &str = "\
EXAMPLES
  raddle completions bash > ~/.local/share/bash-completion/completions/raddle
  raddle completions zsh > ~/.zfunc/_raddle
  raddle completions fish > ~/.config/fish/completions/raddle.fish

EXIT CODES
  0  it was printed
  3  bad input";

const MAN_HELP: &str = "\
EXAMPLES
  raddle man check | man -l -
  raddle man --all ~/.local/share/man/man1

EXIT CODES
  0  it was printed or written
  3  bad input";

const LSP_HELP: &str = "\
EXAMPLES
  raddle lsp
  raddle lsp -- --reduction auto --time 10s

It is a server of the language server protocol for models (.rad) and boolean programs (.cbp), on
standard input and output. Checks stop after a minute, or at 2 GB, unless flags say otherwise.

EXIT CODES
  0  the editor wants no more
  3  bad input";

const DOCTOR_HELP: &str = "\
EXAMPLES
  raddle doctor
  raddle doctor --jdk ~/jdk-25
  raddle doctor --json | jq .java.version

EXIT CODES
  0  everything is there
  1  something is missing, and said so";

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_order_and_store_can_be_named() {
        for order in Order::ALL {
            let line = ["raddle", "check", "a", "--search", order.name()];
            let Command::Check(check) = Cli::parse_from(line).command else {
                panic!("check is check");
            };
            assert_eq!(check.search, Some(order));
        }
        for store in StoreKind::ALL {
            let line = ["raddle", "check", "a", "--store", store.name()];
            let Command::Check(check) = Cli::parse_from(line).command else {
                panic!("check is check");
            };
            assert_eq!(check.store, Some(store));
        }
    }
}
