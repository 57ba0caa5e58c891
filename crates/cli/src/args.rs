//! The command line: what can be asked of raddle, and the help for it.

mod check;
mod help;
mod linearize;
mod project;
mod question;
pub(crate) mod values;

pub(crate) use check::Check;
pub(crate) use linearize::Linearize;
pub(crate) use project::Test;
pub(crate) use question::{Input, JavaLaunch, Question};
pub(crate) use values::{Define, Values};

use crate::units;
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use help::*;
use raddle_reduce::Reduction;
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
    /// Have threads call the operations of a data structure, and compare what comes of it with what
    /// they give one after the other
    Linearize(Box<Linearize>),
    /// Execute litmus tests of Java's memory model, and print all outcomes
    Litmus(Litmus),
    /// Check the tests of a Maven or Gradle project, several at a time
    Test(Test),
    /// Turn a program or a net into machines, nets, boolean programs and pictures
    Translate(Translate),
    /// Check a certificate that `raddle check --certificate` has saved
    Verify(Verify),
    /// Search a program with every reduction, and compare them
    Compare(Box<Compare>),
    /// Execute a saved trace again, step by step
    Replay(Replay),
    /// Walk through the states of a program, on a page in the browser
    Explore(Explore),
    /// Reproduce the tables of the papers that raddle is made after
    Papers(Papers),
    /// Show a program as raddle sees it
    Show(Show),
    /// Put the white space of models in order
    Fmt(Fmt),
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
#[command(after_help = LITMUS_HELP)]
pub(crate) struct Litmus {
    /// Tests in the syntax that herd has for Java, and folders with such tests (`.litmus`)
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,
    /// What is expected: lines `NAME Always|Sometimes|Never [OUTCOMES]`, where the name is that of the
    /// file without its ending
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) expected: Option<PathBuf>,
    /// Give a test up after so many states
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) max_states: usize,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = TRANSLATE_HELP)]
pub(crate) struct Translate {
    /// A boolean program (`.cbp`), a net (`.spec`, `.net`, `.tts`, `.pnml`), a model (`.rad`), or a
    /// Java program (`.java`, `.class`, `.jar`, or a folder)
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
    /// Give one of the program's constants another value; can be given several times
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE", value_parser = values::define)]
    pub(crate) defines: Vec<(String, i64)>,
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

#[derive(Debug, Args)]
#[command(after_help = VERIFY_HELP)]
pub(crate) struct Verify {
    /// A boolean program (`.cbp`), a net (`.spec`, `.net`, `.tts`, `.pnml`), or a model (`.rad`) or
    /// Java program with any number of threads
    #[arg(value_name = "INPUT", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// The certificate
    #[arg(value_name = "FILE.json", value_hint = ValueHint::FilePath)]
    pub(crate) certificate: PathBuf,
    /// States that must not be reached, such as `"critical >= 2"`; can be given several times
    #[arg(long = "unsafe", value_name = "SET")]
    pub(crate) unsafe_sets: Vec<String>,
    /// Reaching this label of a boolean program is a violation; can be given several times
    #[arg(long, value_name = "LABEL", value_delimiter = ',')]
    pub(crate) unreachable: Vec<String>,
    /// Where the threads of a `.tts` begin
    #[arg(long, value_name = "STATE")]
    pub(crate) init: Option<String>,
    /// Give one of the program's constants another value, as for `raddle check`; can be given several
    /// times
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE", value_parser = values::define)]
    pub(crate) defines: Vec<(String, i64)>,
    /// Who is asked whether the steps of a program with any number of threads are covered
    #[arg(long, value_name = "SOLVER", default_value = "builtin")]
    pub(crate) solver: SolverName,
    /// Leave assertions out of the question
    #[arg(long)]
    pub(crate) no_faults: bool,
    /// Leave the program's unsafe sets out of the question
    #[arg(long)]
    pub(crate) no_invariants: bool,
    /// Print the answer as JSON
    #[arg(long)]
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
    /// The last abstraction of a program with any number of threads, as a boolean program
    Cbp,
    /// What was extracted from a Java program, in the intermediate form
    Ir,
    /// A picture of the machines, of the net, or of what was extracted, for Graphviz
    Dot,
    /// A net in the form of mist
    Mist,
    /// A place/transition net in XML
    Pnml,
}

/// Who answers formulas about programs with any number of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SolverName {
    /// The solver in raddle itself
    #[default]
    Builtin,
    /// The program z3, which has to be on the path
    Z3,
}

/// How many threads there are of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ThreadCount {
    /// As many as the program starts
    Started,
    /// Any number of those that it starts in a loop, or several of
    Any,
}

#[derive(Debug, Args)]
#[command(after_help = COMPARE_HELP)]
pub(crate) struct Compare {
    /// The program: Java (`.java`, `.class`, `.jar`, or a folder), a model (`.rad`, or `-` for
    /// standard input), or a boolean program (`.cbp`)
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    #[arg(required_unless_present = "processes", default_value = ".")]
    #[arg(hide_default_value = true, conflicts_with = "processes")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) question: Question,
    /// Give one of the program's constants another value; can be given several times. With
    /// `NAME=2..6` the reductions are compared for each value from 2 to 6
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE", value_parser = values::defines)]
    pub(crate) defines: Vec<Define>,
    /// Compare only this reduction with full search, such as `dpor` or `optimistic+persistent`; can be
    /// given several times [default: all that have names]
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = values::reductions())]
    #[arg(help_heading = "Search", hide_possible_values = true)]
    pub(crate) reduction: Vec<Reduction>,
    /// Also compare the combinations without names of their own
    #[arg(long, help_heading = "Search")]
    pub(crate) all_combinations: bool,
    /// How many processors the searches use that can use several
    #[arg(long, value_name = "N", help_heading = "Search", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=values::MOST_JOBS))]
    pub(crate) jobs: u16,
    /// Stop each search after this time, such as `30s` or `5m`
    #[arg(long, value_name = "TIME", value_parser = units::time, default_value = "60s")]
    #[arg(help_heading = "Limits")]
    pub(crate) time: Option<Duration>,
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Draw the numbers of states into this file
    #[arg(long, value_name = "FILE.svg", value_hint = ValueHint::FilePath)]
    #[arg(help_heading = "Output")]
    pub(crate) svg: Option<PathBuf>,
    /// Write the comparison as a page to look at
    #[arg(long, value_name = "FILE.html", value_hint = ValueHint::FilePath)]
    #[arg(help_heading = "Output")]
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
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE", value_parser = values::define)]
    pub(crate) defines: Vec<(String, i64)>,
    /// Threads ever started; raddle gives up beyond [default: 1024, in boolean programs 16]
    #[arg(long, value_name = "N")]
    pub(crate) max_threads: Option<usize>,
    #[command(flatten)]
    pub(crate) launch: JavaLaunch,
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
    /// The JDK to use [default: JAVA_HOME, or that of the javac on the path]
    #[arg(long, value_name = "HOME", value_hint = ValueHint::DirPath, help_heading = "Java")]
    pub(crate) jdk: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) input: Input,
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
#[command(after_help = FMT_HELP)]
pub(crate) struct Fmt {
    /// Models (`.rad`), which are written again if their white space is not in order; `-` is standard
    /// input, and prints what comes of it
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// Write nothing: name the files that are not in order, and exit with 1 if there are some
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Debug, Args)]
#[command(after_help = SHOW_HELP)]
pub(crate) struct Show {
    /// A model (`.rad`, or `-` for standard input); with `--sharing`, a Java program (`.java`, `.class`,
    /// `.jar`, or a folder)
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) file: PathBuf,
    /// Give one of the program's constants another value; can be given several times
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE", value_parser = values::define)]
    pub(crate) defines: Vec<(String, i64)>,
    #[command(flatten)]
    pub(crate) form: Form,
    /// Folders and jars with the libraries of a Java program
    #[arg(
        long = "class-path",
        visible_alias = "classpath",
        visible_alias = "cp",
        value_name = "PATH",
        requires = "sharing",
        value_hint = ValueHint::AnyPath
    )]
    pub(crate) class_path: Vec<PathBuf>,
    /// The class whose `main` is looked at, if there are several
    #[arg(long, value_name = "CLASS", requires = "sharing")]
    pub(crate) main: Option<String>,
    /// Print what is shared as JSON
    #[arg(long, requires = "sharing")]
    pub(crate) json: bool,
    /// Write what is shared as a page
    #[arg(long, value_name = "FILE.html", requires = "sharing", value_hint = ValueHint::FilePath)]
    pub(crate) html: Option<PathBuf>,
    /// The JDK of a Java program
    #[arg(long, value_name = "HOME", requires = "sharing", value_hint = ValueHint::DirPath)]
    pub(crate) jdk: Option<PathBuf>,
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
    /// The variables that several threads of a Java program may access: who does, where, and under
    /// which locks. Nothing is searched
    #[arg(long)]
    pub(crate) sharing: bool,
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use raddle_search::{Order, StoreKind};

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
            assert_eq!(check.question.search, Some(order));
        }
        for store in StoreKind::ALL {
            let line = ["raddle", "check", "a", "--store", store.name()];
            let Command::Check(check) = Cli::parse_from(line).command else {
                panic!("check is check");
            };
            assert_eq!(check.question.store, Some(store));
        }
    }
}
