//! `raddle replay`: execute a saved trace again.

use super::exit_code;
use crate::args::{Replay, values};
use crate::console::{self, Console, complain};
use crate::failure::Failure;
use crate::files;
use crate::origin::fingerprint;
use crate::pipeline;
use crate::programs::{self, Program, Setup, Task, Text};
use crate::tools;
use raddle_jdk::Launch;
use raddle_model::{FaultKind, Limits, Properties, Property, Trace};
use raddle_report::html;
use raddle_report::json::outcome_text;
use raddle_report::saved::SavedTrace;
use raddle_report::text::{self as told, Look};
use raddle_report::{Answer, Options, Report, Source};
use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Replay, console: Console) -> Result<u8, Failure> {
    let saved = files::read_trace(&args.trace)?;
    let path = program_path(args, &saved)?;
    if let Some(page) = &args.html {
        files::guard_page(page, &path)?;
    }
    let text = programs::read(&path)?;
    let setup = setup(args, &saved, path)?;
    let telling = Telling {
        args,
        console,
        saved: &saved,
        text: &text,
    };
    let changed = fingerprint(&text.sources) != saved.program.hash;
    let told = programs::with(&text, &setup, telling).map_err(|failure| match changed {
        true => failure.because("the program has changed since the trace was saved"),
        false => failure,
    });
    let told = told
        .and_then(|told| told)
        .map_err(|failure| match &saved.java {
            Some(java) if is_another(&java.jdk, args) => {
                failure.because(&format!("the trace was saved with --jdk {}", java.jdk))
            }
            _ => failure,
        });
    told.map(|()| exit_code(Answer::Violated))
}

/// Whether a trace was saved with another JDK than the one that is used now.
fn is_another(jdk: &str, args: &Replay) -> bool {
    let now = tools::find_jdk(args.jdk.as_deref()).ok();
    let real = |path: &Path| path.canonicalize().ok();
    now.and_then(|now| real(now.home())) != real(Path::new(jdk))
}

/// Executes a saved trace and shows it.
struct Telling<'a> {
    args: &'a Replay,
    console: Console,
    saved: &'a SavedTrace,
    text: &'a Text,
}

impl Task for Telling<'_> {
    type Output = Result<(), Failure>;

    fn run<P: Program>(self, program: &P) -> Result<(), Failure> {
        let Telling { args, text, .. } = self;
        let trace = replay(program, self.saved, text)?;
        let look = Look {
            abridge: (!args.full_trace).then_some("--full-trace prints all"),
            unfold: args.unfold,
            ..self.console.look(args.width)
        };
        if args.interactive {
            return walk(program, &trace, &text.sources, look);
        }
        let report = Report {
            sources: &text.sources,
            traces: std::slice::from_ref(&trace),
            reasons: &[],
            races: &[],
            not_covered: &[],
            reach: None,
            remarks: &[],
            statistics: None,
            coverage: None,
            options: options(self.saved),
        };
        if let Some(page) = &args.html {
            files::write(page, &html::report(&report))?;
        }
        console::answer(&match (args.json, args.quiet) {
            (true, _) => outcome_text(&report),
            (false, true) => told::verdict(&report, look),
            (false, false) => told::report(&report, look),
        })
    }
}

/// How the program was run.
///
/// The JDK is the user's, not the one that the trace names: its compiler is run, and a trace may
/// come from anybody.
fn setup(args: &Replay, saved: &SavedTrace, file: PathBuf) -> Result<Setup, Failure> {
    let size = |words: u64| Some(usize::try_from(words).unwrap_or(usize::MAX));
    let java = saved.java.as_ref();
    let (random, clock) = (
        java.map(|java| values::randomness(&java.random)),
        java.map(|java| values::clock(&java.clock)),
    );
    let timeouts = java.map(|java| values::timeouts(&java.timeouts));
    Ok(Setup {
        defines: saved.defines.clone(),
        stack_words: size(saved.limits.stack_words),
        heap_words: size(saved.limits.heap_words),
        threads: size(saved.limits.threads),
        unreachable: saved.unreachable.clone(),
        initially: saved.initially.clone(),
        java: match &saved.java {
            None => Launch::default(),
            Some(java) => Launch {
                file,
                main: java.main.clone(),
                class_path: java.class_path.iter().map(PathBuf::from).collect(),
                jdk: args.jdk.clone(),
                arguments: java.arguments.clone(),
                ..Launch::default()
            },
        },
        unsafe_sets: saved.unsafe_sets.clone(),
        races: matches!(&saved.property, Property::Fault(it) if it.kind == FaultKind::Race),
        spurious: saved.java.as_ref().is_some_and(|java| java.is_spurious),
        randomness: random
            .transpose()
            .map_err(Failure::new)?
            .unwrap_or_default(),
        time: clock.transpose().map_err(Failure::new)?.unwrap_or_default(),
        timeouts: timeouts
            .transpose()
            .map_err(Failure::new)?
            .unwrap_or_default(),
        input: args.input.clone(),
        recalled: saved.java.clone(),
        ..Setup::default()
    })
}

/// Where the program is: where the user says, where it was, or beside the trace.
fn program_path(args: &Replay, saved: &SavedTrace) -> Result<PathBuf, Failure> {
    if let Some(path) = &args.program {
        return Ok(path.clone());
    }
    if saved.program.file == files::STANDARD_INPUT {
        return Err(Failure::new(
            "the program was read from standard input; name a file that has it with --program",
        ));
    }
    let path = PathBuf::from(&saved.program.file);
    let beside = args.trace.parent().unwrap_or(Path::new("")).join(&path);
    match !path.exists() && beside.exists() {
        true => Ok(beside),
        false => Ok(path),
    }
}

/// Executes the trace. That the program has changed matters only if the trace does not
/// lead to the same violation any more.
fn replay<P: Program>(program: &P, saved: &SavedTrace, text: &Text) -> Result<Trace, Failure> {
    let changed = fingerprint(&text.sources) != saved.program.hash;
    let name = &saved.program.file;
    match pipeline::execute(program, &saved.schedule, &saved.property) {
        Ok(trace) => {
            if changed {
                complain(&format!(
                    "warning: {name} has changed since the trace was saved, \
                     but the trace still leads to the same violation\n"
                ));
            }
            Ok(trace)
        }
        Err(error) if changed => Err(Failure::new(format!(
            "{name} has changed since the trace was saved, and the trace no longer leads to the \
             violation: {error}"
        ))),
        Err(error) => Err(Failure::new(format!(
            "the trace does not lead to the violation: {error}; the program is the same, so the \
             trace was edited or saved by another version of raddle"
        ))),
    }
}

fn options(saved: &SavedTrace) -> Options {
    Options {
        reduction: "none",
        order: "replay",
        store: "none",
        properties: Properties::ALL,
        races: false,
        defines: saved.defines.clone(),
        unreachable: saved.unreachable.clone(),
        unsafe_sets: saved.unsafe_sets.clone(),
        limits: Limits::NONE,
        threads: None,
        temporal: Vec::new(),
        count_stutters: false,
    }
}

/// Shows a trace step by step, at the user's pace.
fn walk<P: Program>(
    program: &P,
    trace: &Trace,
    sources: &[Source],
    look: Look,
) -> Result<(), Failure> {
    let Ok(mut state) = program.initial() else {
        return console::answer(&told::trace(trace, sources, look));
    };
    let mut known = program.shared_values(&state);
    console::answer(&told::values(&known, "in the initial state", look))?;
    let mut pausing = true;
    for (index, step) in trace.steps.iter().enumerate() {
        if pausing {
            match ask(index, trace.steps.len()) {
                Wish::Next => {}
                Wish::RunOn => pausing = false,
                Wish::Quit => return Ok(()),
            }
        }
        let done = program.step(&mut state, step.step.thread, step.step.choice);
        // A step that fails leaves no state to be shown.
        let values = match done {
            Ok(()) => program.shared_values(&state),
            Err(_) => Vec::new(),
        };
        let changed = changed(&known, &values);
        let told = told::step(trace, index, &changed, sources, look);
        known = values;
        console::answer(&format!("\n{told}"))?;
    }
    console::answer(&format!("\n{}", told::ending(trace, sources, look)))
}

/// The values that were different before, or not there.
fn changed(before: &Values, after: &Values) -> Values {
    let before: BTreeMap<&str, &str> = before
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    after
        .iter()
        .filter(|(name, value)| before.get(name.as_str()) != Some(&value.as_str()))
        .cloned()
        .collect()
}

/// Values by their names.
type Values = Vec<(String, String)>;

enum Wish {
    Next,
    RunOn,
    Quit,
}

/// Asks what to do next. Where nobody answers, the rest is shown without asking.
fn ask(done: usize, steps: usize) -> Wish {
    loop {
        complain(&format!(
            "[{done} of {steps}] Enter: next step, c: all of them, q: quit > "
        ));
        let mut line = Vec::new();
        let read = std::io::stdin().lock().read_until(b'\n', &mut line);
        match (read, line.trim_ascii()) {
            (Ok(0) | Err(_), _) | (_, b"c") => {
                complain("\n");
                return Wish::RunOn;
            }
            (_, b"q") => return Wish::Quit,
            (_, b"") => return Wish::Next,
            _ => complain(
                "Press Enter for the next step, c and Enter for all that is left, q and Enter to \
                 quit.\n",
            ),
        }
    }
}
