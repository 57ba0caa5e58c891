//! The flags of `raddle linearize`.

use super::Check;
use super::help::LINEARIZE_HELP;
use clap::Args;
use raddle_linearize::Bounds;

#[derive(Debug, Args)]
#[command(after_help = LINEARIZE_HELP, mut_args = hide_what_is_for_others)]
pub(crate) struct Linearize {
    /// An operation, with types or values for its parameters: `poll()`, `offer(int)`,
    /// `put(1..2, \"a\" | null)`; can be given several times [default: methods with the annotation
    /// Operation]
    #[arg(
        long = "operation",
        value_name = "CALL",
        help_heading = "Data structure"
    )]
    pub(crate) operations: Vec<String>,
    /// How an object is made, in Java [default: new CLASS()]
    #[arg(long, value_name = "EXPRESSION", help_heading = "Data structure")]
    pub(crate) create: Option<String>,
    /// The class whose sequential behaviour is the right one [default: that of --class]
    #[arg(long, value_name = "CLASS", help_heading = "Data structure")]
    pub(crate) specification: Option<String>,
    /// A call that fails if the object is broken, made when all operations are over; beside methods
    /// with the annotation Validate
    #[arg(
        long = "validate",
        value_name = "CALL",
        help_heading = "Data structure"
    )]
    pub(crate) validations: Vec<String>,
    /// How many threads, and how many operations of each
    #[arg(long, value_name = "THREADSxOPERATIONS", default_value = "2x2", value_parser = size)]
    #[arg(help_heading = "Scenarios")]
    pub(crate) size: (usize, usize),
    /// How many operations before there are threads
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        help_heading = "Scenarios"
    )]
    #[arg(value_parser = clap::value_parser!(u16).range(0..=MOST))]
    pub(crate) before: u16,
    /// How many operations after all threads have ended
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        help_heading = "Scenarios"
    )]
    #[arg(value_parser = clap::value_parser!(u16).range(0..=MOST))]
    pub(crate) after: u16,
    /// Examine only so many scenarios, the smallest first
    #[arg(long, value_name = "N", help_heading = "Scenarios")]
    pub(crate) scenarios: Option<u64>,
    #[command(flatten)]
    pub(crate) check: Check,
}

/// More threads or operations have more orders than can be made.
const MOST: i64 = 8;

impl Linearize {
    /// How large scenarios are.
    pub(crate) fn bounds(&self) -> Bounds {
        Bounds {
            threads: self.size.0,
            per_thread: self.size.1,
            before: self.before.into(),
            after: self.after.into(),
        }
    }
}

/// `2x3`: two threads with three operations each.
fn size(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('x');
    let parts = parts.and_then(|(a, b)| Some((a.parse::<usize>().ok()?, b.parse::<usize>().ok()?)));
    let most = MOST as usize;
    match parts {
        Some((threads, each)) if (2..=most).contains(&threads) && (1..=most).contains(&each) => {
            Ok((threads, each))
        }
        _ => Err(format!(
            "write THREADSxOPERATIONS, such as 2x3, with two to {most} threads and one to {most} \
             operations"
        )),
    }
}

/// Flags of `raddle check` that mean nothing here.
const FOR_OTHERS: [&str; 25] = [
    "processes",
    "main",
    "method",
    "threads",
    "arguments",
    "defines",
    "checkpoint",
    "checkpoint_every",
    "resume",
    "solver",
    "explain",
    "init",
    "certificate",
    "count_stutters",
    "unreachable",
    "unsafe_sets",
    "max_stack",
    "max_heap",
    "max_threads",
    "all",
    "no_invariants",
    "no_temporal",
    "must_end",
    "races",
    "no_faults",
];

fn hide_what_is_for_others(arg: clap::Arg) -> clap::Arg {
    match arg.get_id().as_str() {
        // Those of the JDK are in no file of the user's.
        "file" => arg
            .required_unless_present("class")
            .help("The data structure: Java source, a class file, a folder with either, or a jar"),
        "class" => arg.help("The class that is examined"),
        other => {
            let is_for_others = FOR_OTHERS.contains(&other);
            arg.hide(is_for_others)
        }
    }
}
