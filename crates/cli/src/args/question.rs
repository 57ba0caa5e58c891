//! The flags that `raddle check` shares with other commands. What they are made of is not
//! documented as Rust is, because that would become the help of the commands.

use super::Library;
use super::values::*;
use crate::units::{self, Memory};
use clap::{Args, ValueHint};
use raddle_java::{MemoryModel, Randomness, Time, Timeouts};
use raddle_reduce::Strictness;
use raddle_search::{Order, StoreKind};
use std::path::PathBuf;

// What is asked of a program, how it is run and how far.
#[derive(Debug, Args)]
pub(crate) struct Question {
    #[command(flatten)]
    pub(crate) launch: JavaLaunch,
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
    /// Check this method of the class, which needs no annotation (`Inner.name` in a nested class,
    /// `name[2]` with the second arguments)
    #[arg(long, value_name = "NAME", help_heading = "Java", requires = "class")]
    pub(crate) method: Option<String>,
    /// Let waiting threads wake up for no reason, as Java allows
    #[arg(long, help_heading = "Java")]
    pub(crate) spurious: bool,
    /// Random numbers that have no seed: `explore` tries all of a few and some of
    /// many, a number is the seed for them
    #[arg(long, value_name = "explore|SEED", value_parser = randomness, default_value = "0")]
    #[arg(help_heading = "Java")]
    pub(crate) random: Randomness,
    /// How time advances [possible values: logical, any]: when a thread waits for it, or also before
    /// each look at the clock
    #[arg(long, value_name = "TIME", value_parser = clock, default_value = "logical")]
    #[arg(help_heading = "Java", hide_default_value = true)]
    pub(crate) clock: Time,
    /// When the time limits of waiting threads run out [possible values: any, last]: at any time, or
    /// only when nobody else can move [default: any, with --class: last]
    #[arg(long, value_name = "WHEN", value_parser = timeouts, help_heading = "Java")]
    pub(crate) timeouts: Option<Timeouts>,
    /// What threads may read [possible values: sc, java]: the newest values, or all that Java allows
    /// [default: java where the program has modes weaker than volatile or fences, else sc]
    #[arg(long, value_name = "MODEL", value_parser = memory_model, help_heading = "Java")]
    pub(crate) memory_model: Option<MemoryModel>,
    #[command(flatten)]
    pub(crate) input: Input,
    /// Whether threads are interleaved inside the operations of java.util.concurrent, too, or
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

    /// What happens if a variable is not protected as claimed or guessed
    #[arg(long, value_name = "POLICY", value_parser = strictness(), default_value = "auto")]
    #[arg(help_heading = "Search")]
    pub(crate) discipline: Strictness,
    /// Test, in every state, what the reductions rely on; much slower, and useful
    /// to find bugs of raddle itself
    #[arg(long, help_heading = "Search")]
    pub(crate) paranoid: bool,
    /// In which order states are visited [default: depth-first]
    #[arg(long, value_name = "ORDER", value_parser = orders())]
    #[arg(help_heading = "Search")]
    pub(crate) search: Option<Order>,
    /// How visited states are remembered [default: exact, and fingerprint from where the memory
    /// limit is reached]
    #[arg(long, value_name = "STORE", value_parser = stores())]
    #[arg(help_heading = "Search")]
    pub(crate) store: Option<StoreKind>,
    /// The size of the table of the bitstate store; rounded down to a power of two
    #[arg(long, value_name = "SIZE", value_parser = units::size, help_heading = "Search")]
    pub(crate) bitstate_size: Option<u64>,

    /// Do not look for deadlocks
    #[arg(long, help_heading = "Properties")]
    pub(crate) no_deadlock: bool,
    /// Do not look for threads that wait for ever while others go on
    #[arg(long, help_heading = "Properties")]
    pub(crate) no_partial_deadlock: bool,
    /// Do not check the program's invariants
    #[arg(long, help_heading = "Properties")]
    pub(crate) no_invariants: bool,
    /// Do not check the program's temporal properties
    #[arg(long, help_heading = "Properties")]
    pub(crate) no_temporal: bool,
    /// A state from which no execution ends is a violation
    #[arg(long, help_heading = "Properties")]
    pub(crate) must_end: bool,
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

    /// Stop when the process has this much memory, such as `512M` or `4G`, or `none`; three
    /// quarters of what is available unless given
    #[arg(long, value_name = "SIZE", value_parser = units::memory, help_heading = "Limits")]
    pub(crate) memory: Option<Memory>,
    /// Stop at this number of states
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) max_states: Option<u64>,
    /// Do not go further than this number of steps from the initial state
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) max_depth: Option<u64>,
    /// Words of a thread's stack; more is a fault of the program [default: 4096]
    #[arg(long, value_name = "WORDS", help_heading = "Limits")]
    pub(crate) max_stack: Option<usize>,
    /// Words of the heap; more is a fault of the program [default: 4096]
    #[arg(long, value_name = "WORDS", help_heading = "Limits")]
    pub(crate) max_heap: Option<usize>,
    /// Threads ever started; raddle gives up beyond [default: 1024, in boolean programs 16]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) max_threads: Option<usize>,
}

// What a Java program gets from outside.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Input {
    /// A variable of the environment that the program finds, with this value or its own here; without
    /// the flag there are none. Can be given several times
    #[arg(long, value_name = "NAME[=VALUE]", help_heading = "Java")]
    pub(crate) env: Vec<String>,
    /// What the program reads from standard input; without the flag that is empty
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Java")]
    pub(crate) stdin: Option<PathBuf>,
    /// Let the program read the host's files below this folder; otherwise its files are in
    /// memory only. Can be given several times
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, help_heading = "Java")]
    pub(crate) allow_files: Vec<PathBuf>,
    /// How many processors the program finds (`Runtime.availableProcessors`) [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    #[arg(help_heading = "Java")]
    pub(crate) processors: Option<u32>,
}

// How a Java program begins.
#[derive(Debug, Args)]
pub(crate) struct JavaLaunch {
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
