//! Runs a program under every search order and store and compares the answers with
//! what it expects of itself, and with each other. A program that is to be held to its
//! claims is also run under every reduction that checks them.

use crate::expectation::{self, Expectation, Expected};
use raddle_diagnostics::{Diagnostic, Lines};
use raddle_machine::{Machine, MachineLimits};
use raddle_model::{Narrate, Outcome, Reason, Trace, Verdict, Violation};
use raddle_reduce::{Method, Reduction, StrictClaims, Strictness};
use raddle_search::{Budget, Config, Order, StoreKind};
use std::path::{Path, PathBuf};

/// A bitstate table large enough for the corpus, in bits as a power of two.
const BITSTATE: StoreKind = StoreKind::Bitstate { log2_bits: 22 };

/// How much work the shortening of a trace may be.
const SHORTEN_BUDGET: Budget = Budget {
    steps: 1_000_000,
    words: 1 << 26,
};

/// All configurations under which the corpus is run.
pub fn configurations() -> impl Iterator<Item = (Order, StoreKind)> {
    let stores = [StoreKind::Exact, StoreKind::Fingerprint, BITSTATE];
    Order::ALL
        .into_iter()
        .flat_map(move |order| stores.into_iter().map(move |store| (order, store)))
}

/// Runs one program; the error says what is not as expected.
pub fn run(source: &str) -> Result<(), String> {
    let expectation = expectation::parse(source)?;
    let machine = match load(source, &expectation) {
        Ok(machine) => machine,
        Err(diagnostics) => return compare_errors(source, &expectation, &diagnostics),
    };
    if let Expected::Errors(errors) = &expectation.verdict {
        return Err(format!("it compiles, but errors are expected: {errors:?}"));
    }
    for (order, store) in configurations() {
        let config = configure(&expectation, order, store)?;
        let answer = match expectation.strict {
            true => run_under(
                &StrictClaims::default().guard(&machine),
                &config,
                &expectation,
            ),
            false => run_under(&machine, &config, &expectation),
        };
        answer
            .map_err(|what| format!("{} search, {} store: {what}", order.name(), store.name()))?;
    }
    match expectation.strict {
        true => run_reduced(&machine, &expectation),
        false => Ok(()),
    }
}

/// Runs a program that is held to its claims under the reductions that check them.
fn run_reduced(machine: &Machine, expectation: &Expectation) -> Result<(), String> {
    let claims = StrictClaims::default();
    let rows = Reduction::ALL.iter().copied();
    // Without a store, permissions that depend on more than locks leave nothing to be skipped.
    let combinations = Reduction::combinations().filter(|it| it.entry().orders);
    for reduction in rows.chain(combinations) {
        let entry = reduction.entry();
        if !entry.checks {
            continue;
        }
        let mut config = configure(expectation, Order::DepthFirst, StoreKind::Exact)?;
        config.properties.deadlock &= entry.preserves.deadlock;
        config.properties.partial_deadlock &= entry.preserves.partial_deadlock;
        let method = Method {
            strictness: Strictness::Strict,
            ..reduction.into()
        };
        let survey = raddle_reduce::survey(machine, method, &config, &mut (), true);
        let outcome = survey.into_outcome();
        // Searches without a store give up on programs with cycles.
        if matches!(outcome.verdict, Verdict::Unknown(_)) && entry.needs.contains("cycles") {
            continue;
        }
        let wrong = |what: String| format!("strict, under `{}`: {what}", entry.name);
        compare_verdict(&outcome, &config, &expectation.verdict).map_err(wrong)?;
        if let Verdict::Violated(violation) = &outcome.verdict {
            let guarded = claims.guard(machine);
            raddle_search::replay(&guarded, &violation.schedule, &violation.property)
                .map_err(|error| wrong(format!("the trace does not replay: {error:?}")))?;
        }
    }
    Ok(())
}

/// Makes a program ready to run as it wants to be.
pub fn load(source: &str, expectation: &Expectation) -> Result<Machine, Vec<Diagnostic>> {
    let fail = |message: String| vec![Diagnostic::new(0..0, message, "")];
    let mut limits = MachineLimits::default();
    let mut defines = Vec::new();
    for (name, value) in &expectation.options {
        let number = || {
            value
                .parse()
                .map_err(|_| fail(format!("{value} is no number")))
        };
        match name.as_str() {
            "max-stack" => limits.stack_words = number()?,
            "max-heap" => limits.heap_words = number()?,
            "max-threads" => limits.threads = number()?,
            "define" => defines.push(raddle_lang::parse_define(value).map_err(fail)?),
            _ => {}
        }
    }
    let program = raddle_lang::compile_with(source, &defines)?;
    let mut machine =
        Machine::new(program, limits).map_err(|defects| fail(format!("{defects:?}")))?;
    for (name, value) in &expectation.options {
        if name == "unreachable" && !machine.forbid(value) {
            return Err(fail(format!("there is no label `{value}`")));
        }
    }
    Ok(machine)
}

/// The search that a program wants.
pub fn configure(
    expectation: &Expectation,
    order: Order,
    store: StoreKind,
) -> Result<Config, String> {
    let mut config = Config {
        order,
        store,
        ..Config::default()
    };
    for (name, value) in &expectation.options {
        let number = || value.parse().map_err(|_| format!("{value} is no number"));
        match (name.as_str(), value.as_str()) {
            ("ignore", "deadlock") => config.properties.deadlock = false,
            ("ignore", "partial-deadlock") => config.properties.partial_deadlock = false,
            ("ignore", "invariants") => config.properties.invariants = false,
            ("ignore", "faults") => config.properties.faults = false,
            ("ignore", "temporal") => config.properties.temporal = false,
            ("ignore", other) => return Err(format!("cannot ignore `{other}`")),
            ("max-states", _) => config.limits.states = Some(number()?),
            ("max-depth", _) => config.limits.depth = Some(number()?),
            _ => {}
        }
    }
    Ok(config)
}

fn run_under<S: Narrate>(
    system: &S,
    config: &Config,
    expectation: &Expectation,
) -> Result<(), String> {
    let outcome = raddle_search::check(system, config, &mut ());
    compare_verdict(&outcome, config, &expectation.verdict)?;
    if let Verdict::Violated(violation) = &outcome.verdict {
        return compare_violation(system, violation, expectation);
    }
    // A table of bits may take a new state for an old one: its counts mean nothing.
    if config.store == BITSTATE {
        return Ok(());
    }
    let statistics = &outcome.statistics;
    compare_count("states", expectation.states, statistics.states)?;
    compare_count(
        "transitions",
        expectation.transitions,
        statistics.transitions,
    )?;
    compare_count("stutters", expectation.stutters, statistics.stutters)
}

fn compare_count(what: &str, expected: Option<u64>, found: u64) -> Result<(), String> {
    match expected {
        Some(expected) if expected != found => {
            Err(format!("{found} {what}, but {expected} are expected"))
        }
        _ => Ok(()),
    }
}

fn compare_verdict(outcome: &Outcome, config: &Config, expected: &Expected) -> Result<(), String> {
    let as_expected = match (&outcome.verdict, expected) {
        (Verdict::Holds, Expected::Holds) => true,
        (Verdict::Unknown(reasons), Expected::Holds) => {
            config.store == BITSTATE && *reasons == [Reason::Bitstate]
        }
        (Verdict::Unknown(reasons), Expected::Unknown(text)) => format!("{reasons:?}")
            .to_lowercase()
            .contains(text.as_str()),
        (Verdict::Violated(violation), Expected::Violated(kind, line)) => {
            let place = violation.property.place();
            violation.property.name() == kind
                && line.is_none_or(|line| place.is_some_and(|place| place.line == line))
        }
        _ => false,
    };
    match as_expected {
        true => Ok(()),
        false => Err(format!(
            "{:?}, but {expected:?} is expected",
            outcome.verdict
        )),
    }
}

fn compare_violation<S: Narrate>(
    system: &S,
    violation: &Violation,
    expectation: &Expectation,
) -> Result<(), String> {
    let replay = |violation: &Violation| {
        raddle_search::replay(system, &violation.schedule, &violation.property)
            .map_err(|error| format!("the trace does not replay: {error:?}"))
    };
    replay(violation)?;
    let short = raddle_search::shorten(system, violation, SHORTEN_BUDGET, &mut ());
    let short = short.violation;
    let trace = replay(&short)?;
    let switches = short
        .schedule
        .windows(2)
        .filter(|pair| pair[0].thread != pair[1].thread)
        .count() as u64;
    compare_count("steps", expectation.steps, short.schedule.len() as u64)?;
    compare_count("switches", expectation.switches, switches)?;
    compare_stuck(&trace, &expectation.stuck)
}

fn compare_stuck(trace: &Trace, expected: &[u32]) -> Result<(), String> {
    let stuck = trace.property.stuck();
    if stuck.is_empty() {
        return Ok(());
    }
    let mut lines: Vec<u32> = trace
        .waiting
        .iter()
        .filter(|waiting| stuck.contains(&waiting.thread))
        .filter_map(|waiting| waiting.place.map(|place| place.line))
        .collect();
    lines.sort_unstable();
    lines.dedup();
    match expected.is_empty() || lines == expected {
        true => Ok(()),
        false => Err(format!(
            "threads are stuck at lines {lines:?}, not {expected:?}"
        )),
    }
}

fn compare_errors(
    source: &str,
    expectation: &Expectation,
    diagnostics: &[Diagnostic],
) -> Result<(), String> {
    let lines = Lines::new(source);
    let mut found: Vec<(u32, &str)> = diagnostics
        .iter()
        .map(|it| (lines.place(it.span.start).line, it.message.as_str()))
        .collect();
    found.sort_unstable();
    let Expected::Errors(expected) = &expectation.verdict else {
        return Err(format!("it does not compile: {found:?}"));
    };
    let matches = found.len() == expected.len()
        && found
            .iter()
            .zip(expected)
            .all(|((line, message), (expected_line, text))| {
                line == expected_line && message.contains(text.as_str())
            });
    match matches {
        true => Ok(()),
        false => Err(format!("the errors are {found:?}, not {expected:?}")),
    }
}

/// The folder of the corpus.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus")
}

/// All models in a folder and the folders in it, in order.
pub fn programs(folder: &Path) -> Vec<PathBuf> {
    files(folder, &["rad"])
}

/// All files with one of some extensions in a folder and the folders in it, in order.
pub fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files = Vec::new();
    for path in entries.map(|entry| entry.path()) {
        let extension = path.extension().and_then(|it| it.to_str());
        if path.is_dir() {
            files.extend(self::files(&path, extensions));
        } else if extension.is_some_and(|extension| extensions.contains(&extension)) {
            files.push(path);
        }
    }
    files.sort();
    files
}
