//! Explores the states of a [`System`] and answers whether its properties hold.
//!
//! A search is a search order (depth first or breadth first) over a store of
//! visited states. The orders share one core, `explore`, that executes steps,
//! checks properties and counts; the stores share one trait, `stores`. What is
//! found is a schedule: [`replay`] tells it step by step, and [`shorten`] makes it
//! one that a person can follow.
//!
//! Nothing here reads a clock or the environment, and no files are touched but those that a
//! search itself writes what has no room in memory into ([`Spill`]). Whoever wants to stop a
//! search from outside, or to show how far it is, gives it a [`Monitor`].

mod book;
mod bounded;
mod breadth_first;
pub mod components;
mod crew;
mod cycles;
mod depth_first;
mod examine;
mod explore;
mod lift;
mod liveness;
mod pool;
mod replay;
mod samplers;
mod select;
mod shorten;
mod sleep;
mod snapshot;
mod spill;
mod stores;
mod sync;
mod waits;
mod walks;

pub use book::{Book, Ending};
pub use crew::{Remainder, survey_together};
pub use cycles::{Endless, endless};
pub use examine::Examiner;
pub use lift::lift;
pub use liveness::{survey_ends, survey_temporal};
pub use pool::{Pool, Turns, Worker};
pub use replay::{Diary, Impossible, ReplayError, outline, replay};
pub use samplers::{SAMPLERS, Sampler, SamplerEntry};
pub use select::{Choice, Selector, Selectors};
pub use shorten::{Budget, Cost, Shortened, cost, shorten};
pub use snapshot::{Archive, Reader, Writer, wrong};
pub use spill::Spill;
pub use stores::{Visited, push_frugally};
pub use waits::{stuck, waits_for};

use explore::{Explorer, Node};
use raddle_model::{
    Limits, Outcome, Properties, Reason, Statistics, StopFlag, System, Verdict, Violation,
};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use stores::{Bitstate, Disk, Fingerprints, Own, SharedFingerprints, SharedTree, Store, Tree};

/// Searches until the first violation, or until everything was explored.
pub fn check<S: System>(system: &S, config: &Config, monitor: &mut dyn Monitor) -> Outcome {
    survey(system, config, monitor, true).into_outcome()
}

/// Searches everything and collects the violations that are different from each
/// other in the sense of [`raddle_model::Property::same_kind`]. Of two violations
/// that are not different the one with the shorter schedule is kept.
pub fn check_all<S: System>(system: &S, config: &Config, monitor: &mut dyn Monitor) -> Survey {
    survey(system, config, monitor, false)
}

/// What a search is to do.
#[derive(Clone, Debug)]
pub struct Config {
    /// In which order states are visited.
    pub order: Order,
    /// How visited states are remembered.
    pub store: StoreKind,
    /// What is checked.
    pub properties: Properties,
    /// Where the search stops at the latest. The time limit is left to the
    /// [`Monitor`].
    pub limits: Limits,
    /// How many processors are made use of. With several it is chance which of several
    /// violations is found first.
    pub jobs: usize,
    /// Where that is put which has no room in memory, if anywhere. Visited states begin to
    /// go there when they take half of the memory limit.
    pub spill: Option<Spill>,
    /// Whether an exact store goes on with fingerprints when it has reached the memory limit.
    pub thins: bool,
    /// For how many steps one of them is enough, so that small programs are explored in the
    /// same order whatever the number of processors.
    pub alone_for: u64,
    /// Ends the search from outside, also in the middle of a step, and knows how much memory
    /// the process may still take.
    pub stop: StopFlag,
    /// Counts what is saved, so that somebody can tell whether a reduction pays.
    pub saved: Arc<Savings>,
}

/// The steps that need not be made.
#[derive(Debug, Default)]
pub struct Savings {
    /// Those that a selector leaves out.
    pub left_out: AtomicU64,
    /// Those that are made together with the step before them.
    pub put_together: AtomicU64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            order: Order::DepthFirst,
            store: StoreKind::Exact,
            properties: Properties::ALL,
            limits: Limits::NONE,
            jobs: 1,
            spill: None,
            thins: false,
            alone_for: 1 << 16,
            stop: StopFlag::default(),
            saved: Arc::default(),
        }
    }
}

/// The order in which states are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Follows each execution to its end before it tries another. Needs the least
    /// memory.
    DepthFirst,
    /// Visits states in the order of their distance from the initial one, so that
    /// the first violation found is one with the fewest steps.
    BreadthFirst,
}

impl Order {
    /// All orders.
    pub const ALL: [Order; 2] = [Order::DepthFirst, Order::BreadthFirst];

    /// The name used on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Order::DepthFirst => "depth-first",
            Order::BreadthFirst => "breadth-first",
        }
    }
}

/// How visited states are remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreKind {
    /// Every state is kept, compressed without loss.
    Exact,
    /// A hash of 64 bits is kept of every state. Wider ones would cost more than
    /// the exact store does, and at a hundred million states 64 bits confuse two
    /// of them with a probability below one in three thousand.
    Fingerprint,
    /// Three bits are set in a table for every state. Finds violations in state
    /// spaces that fit no other store; never proves their absence.
    Bitstate {
        /// The size of the table, as a power of two, in bits.
        log2_bits: u32,
    },
}

impl StoreKind {
    /// All kinds; the table of `Bitstate` has its default size, 128 MiB.
    pub const ALL: [StoreKind; 3] = [
        StoreKind::Exact,
        StoreKind::Fingerprint,
        StoreKind::Bitstate { log2_bits: 30 },
    ];

    /// Whether several processors can share it ([`Config::jobs`]).
    pub fn is_shared(self) -> bool {
        !matches!(self, StoreKind::Bitstate { .. })
    }

    /// The name used on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            StoreKind::Exact => "exact",
            StoreKind::Fingerprint => "fingerprint",
            StoreKind::Bitstate { .. } => "bitstate",
        }
    }
}

/// Watches a search from outside: its clock, its user, its progress line.
pub trait Monitor: Send {
    /// Called every few thousand steps, by one thread at a time. A reason ends the search.
    fn tick(&mut self, progress: &Progress) -> Option<Reason>;

    /// Called when a violation of a new kind was found, by one thread at a time; the search may go
    /// on. The schedule is one of the system that is searched. Around a program there may be another
    /// one, and not each of its schedules is one of the program.
    fn found(&mut self, _violation: &Violation) {}

    /// Where the search is written down, if it is.
    fn archive(&mut self) -> Option<&mut dyn Archive> {
        None
    }

    /// Whether the search is to be interrupted for a moment. Only searches that can go on
    /// afterwards are asked.
    fn wants_pause(&mut self) -> bool {
        false
    }
}

/// Lets the search run.
impl Monitor for () {
    fn tick(&mut self, _: &Progress) -> Option<Reason> {
        None
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Different states reached.
    pub states: u64,
    /// Steps executed.
    pub transitions: u64,
    /// Distance of the state at hand from the initial one, along the search.
    pub depth: u64,
    /// States on the search path, or states that wait to be expanded.
    pub queue: u64,
    /// Memory used by the store, the stack and the queue together.
    pub bytes: u64,
}

/// Everything that a search found.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// The violations, in the order in which they were first met.
    pub violations: Vec<Violation>,
    /// Why something may have been missed. Empty if nothing was.
    pub reasons: Vec<Reason>,
    /// What else the search has to say, in sentences without a full stop.
    pub remarks: Vec<String>,
    /// How much work it took.
    pub statistics: Statistics,
}

impl Survey {
    /// The answer in one verdict, with the first of the violations.
    pub fn into_outcome(self) -> Outcome {
        let verdict = match self.violations.into_iter().next() {
            Some(violation) => Verdict::Violated(violation),
            None if self.reasons.is_empty() => Verdict::Holds,
            None => Verdict::Unknown(self.reasons),
        };
        Outcome {
            verdict,
            statistics: self.statistics,
        }
    }
}

/// Searches until the first violation or to the end, as `stop_at_first` says. What is to be true
/// of executions as a whole has a search of its own, after the one of states.
pub fn survey<S: System>(
    system: &S,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> Survey {
    let survey = survey_selected(system, Choice::All, config, monitor, stop_at_first);
    with_temporal(survey, system, config, monitor, stop_at_first)
}

/// Adds what is found of the temporal properties of a system, and of whether it can end, to what was
/// found in its states, unless that is enough, or there was no time or memory for it.
pub fn with_temporal<S: System>(
    mut survey: Survey,
    system: &S,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> Survey {
    let is_over = stop_at_first && !survey.violations.is_empty();
    if !is_over && !config.stop.is_set() {
        survey.add(survey_temporal(system, config, monitor, stop_at_first));
    }
    let is_over = stop_at_first && !survey.violations.is_empty();
    if !is_over && !config.stop.is_set() {
        survey.add(survey_ends(system, config, monitor, stop_at_first));
    }
    survey
}

/// The same, with somebody who chooses in each state who moves.
pub fn survey_selected<S: System>(
    system: &S,
    choice: Choice<'_, S>,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
) -> Survey {
    let search = crew::Search {
        system,
        choice,
        config,
        stop_at_first,
    };
    let jobs = config.jobs.max(1);
    // What is written down can be taken up by any number of workers, hence the shared stores.
    let is_shared = jobs > 1 || monitor.archive().is_some() || config.spill.is_some();
    let disk = || {
        let spill = config.spill.clone()?;
        Some(Disk::new(
            spill,
            config.limits.memory.unwrap_or(u64::MAX) / 2,
        ))
    };
    // Each combination is compiled on its own, so that the loop of a search has no
    // dynamic calls but those of the monitor.
    match config.store {
        StoreKind::Exact if is_shared => search.run(monitor, SharedTree::new(jobs, disk())),
        StoreKind::Exact => search.run(monitor, Own::new(Tree::default())),
        StoreKind::Fingerprint if is_shared => {
            search.run(monitor, SharedFingerprints::new(jobs, disk()))
        }
        StoreKind::Fingerprint => search.run(monitor, Own::new(Fingerprints::default())),
        StoreKind::Bitstate { log2_bits } => match Bitstate::new(log2_bits, config.limits.memory) {
            Some(store) => search.run(monitor, Own::new(store)),
            None => Survey {
                reasons: vec![Reason::Memory],
                ..Survey::default()
            },
        },
    }
}

/// What is still to be explored, in some order, by one worker or several.
trait Frontier<S: System>: Sync {
    /// Puts the initial state there.
    fn begin<V: Store>(&self, explorer: &mut Explorer<'_, S, V>, root: Node<S::State>);

    /// Explores until everybody is done; or until somebody has to stop, and all put back what
    /// they have. `any` is a state of the system.
    fn work<V: Store>(&self, explorer: &mut Explorer<'_, S, V>, any: S::State);

    /// Lets workers take up again what was put back. Nobody is at work; so it is for what
    /// follows.
    fn resume(&self);

    /// Goes over from one store to another that has the same states.
    fn move_over<V: Store, W: Store>(&self, from: &mut V, to: &mut W) -> io::Result<()>;

    /// Writes down what is still to be explored.
    fn write(&self, system: &S, out: &mut Writer<'_>) -> io::Result<()>;

    /// Adds what was written. `any` is a state of the system.
    fn read(&self, system: &S, any: &S::State, input: &mut Reader<'_>) -> io::Result<()>;

    /// The memory of all workers besides the store.
    fn bytes(&self) -> u64;
}

/// A part of the executions of a system, for systems that have too many of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Those in which a thread that could go on is interrupted at most so often.
    Preemptions(u32),
    /// So many by chance.
    Samples {
        /// How they are chosen.
        sampler: Sampler,
        /// How many.
        count: u64,
        /// Decides which.
        seed: u64,
    },
}

/// Explores a part of the executions: the verdict is never *holds*. The search order and the
/// store are those of the part, whatever the configuration says.
pub fn survey_part<S: System>(
    system: &S,
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
    part: Part,
) -> Survey {
    match part {
        Part::Preemptions(most) => bounded::survey(system, config, monitor, stop_at_first, most),
        Part::Samples {
            sampler,
            count,
            seed,
        } => walks::survey(
            system,
            config,
            monitor,
            stop_at_first,
            sampler,
            (count, seed),
        ),
    }
}
