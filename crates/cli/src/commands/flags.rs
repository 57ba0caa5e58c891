//! What the flags mean that `raddle check` shares with other commands.

use crate::args::{JavaLaunch, Library, Question};
use crate::failure::Failure;
use crate::front::FrontEnd;
use crate::programs::{self, Setup, Text};
use crate::units::Memory;
use crate::{files, java, memory};
use raddle_java::{Profile, Timeouts};
use raddle_jdk::Launch;
use raddle_model::{Limits, Properties};
use raddle_reduce::Reduction;
use raddle_search::{Config, Order, StoreKind};
use std::path::Path;
use std::thread;
use std::time::Duration;

/// How a program is to be run, as far as these flags say.
pub(super) fn setup(flags: &Question, file: &Path) -> Result<Setup, Failure> {
    Ok(Setup {
        stack_words: flags.max_stack,
        heap_words: flags.max_heap,
        threads: flags.max_threads,
        unreachable: flags.unreachable.clone(),
        unsafe_sets: flags.unsafe_sets.clone(),
        java: launch(&flags.launch, file),
        processes: processes(flags),
        randomness: flags.random,
        time: flags.clock,
        timeouts: timeouts(flags),
        memory_model: flags.memory_model.unwrap_or_default(),
        profile: profile(flags)?,
        input: flags.input.clone(),
        races: flags.races,
        spurious: flags.spurious,
        ..Setup::default()
    })
}

/// Who writes a test with a time limit does not mean that the test may fail by it.
fn timeouts(flags: &Question) -> Timeouts {
    let usual = match flags.class {
        Some(_) => Timeouts::Last,
        None => Timeouts::Any,
    };
    flags.timeouts.unwrap_or(usual)
}

/// How a Java program begins.
pub(super) fn launch(flags: &JavaLaunch, file: &Path) -> Launch {
    Launch {
        file: file.to_owned(),
        main: flags.main.clone(),
        class_path: flags.class_path.clone(),
        jdk: flags.jdk.clone(),
        arguments: flags.arguments.clone(),
        ..Launch::default()
    }
}

/// How several Java programs begin that run together.
pub(super) fn processes(flags: &Question) -> Vec<Launch> {
    flags
        .processes
        .iter()
        .map(|it| process(it, flags))
        .collect()
}

/// One of several programs: `FILE[:CLASS] [ARGUMENTS]`. If there is a file of the whole name,
/// a colon in it does not mean anything.
fn process(given: &str, flags: &Question) -> Launch {
    let mut words = given.split_whitespace().map(str::to_owned);
    let program = words.next().unwrap_or_default();
    let (file, main) = match program.rsplit_once(':') {
        Some((file, main)) if !Path::new(&program).exists() => (file, Some(main.to_owned())),
        _ => (program.as_str(), None),
    };
    Launch {
        file: file.into(),
        main,
        class_path: flags.launch.class_path.clone(),
        jdk: flags.launch.jdk.clone(),
        arguments: words.collect(),
        ..Launch::default()
    }
}

/// Reads the program that is meant, or several that run together.
pub(super) fn read(flags: &Question, file: &Path) -> Result<Text, Failure> {
    match &processes(flags)[..] {
        [] => programs::read(file),
        several => java::read_processes(several),
    }
}

/// What users state of the classes of a Java program.
fn profile(flags: &Question) -> Result<Profile, Failure> {
    let profile = match flags.library {
        Library::Exact => Profile::default(),
        Library::Trusted => Profile::trusted(),
    };
    let Some(path) = &flags.profile else {
        return Ok(profile);
    };
    let text = files::read_text(path)?;
    let said = Profile::parse(&text).map_err(|bad| {
        let (path, line) = (path.display(), bad.line);
        Failure::new(format!("{path}:{line}: {}", bad.message))
    })?;
    Ok(profile.and(said))
}

/// A search by one processor.
pub(super) fn search(flags: &Question, time: Option<Duration>, front: &dyn FrontEnd) -> Config {
    Config {
        order: flags.search.unwrap_or(Order::DepthFirst),
        store: store(flags),
        properties: Properties {
            faults: !flags.no_faults,
            deadlock: !flags.no_deadlock,
            partial_deadlock: !flags.no_partial_deadlock,
            invariants: front.checks_states(flags),
            temporal: !flags.no_temporal,
            ends: flags.must_end,
        },
        limits: Limits {
            time,
            memory: memory_limit(flags.memory),
            states: flags.max_states,
            depth: flags.max_depth,
        },
        thins: flags.store.is_none(),
        ..Config::default()
    }
}

/// How visited states are remembered.
fn store(flags: &Question) -> StoreKind {
    match (flags.store.unwrap_or(StoreKind::Exact), flags.bitstate_size) {
        (StoreKind::Bitstate { .. }, Some(bytes)) => StoreKind::Bitstate {
            log2_bits: bytes.max(1).saturating_mul(8).ilog2(),
        },
        (store, _) => store,
    }
}

/// What is wanted, and not more than the process can have.
fn memory_limit(wanted: Option<Memory>) -> Option<u64> {
    let most = memory::ceiling().map(|most| most / 4 * 3);
    match wanted {
        Some(Memory::Bytes(bytes)) => Some(most.map_or(bytes, |most| most.min(bytes))),
        Some(Memory::Unlimited) => most,
        None => memory::default_limit(),
    }
}

/// Whether a search can make use of several processors.
pub(super) fn is_concurrent(
    reduction: Reduction,
    front: &dyn FrontEnd,
    setup: &Setup,
    search: &Config,
) -> bool {
    let engine = front.engine(reduction, setup);
    engine.is_ok_and(|engine| engine.entry().concurrent) && search.store.is_shared()
}

/// All processors that there are.
pub(super) fn all_processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
