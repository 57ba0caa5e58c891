//! `raddle compare`: the same program under every reduction, side by side.

use super::trials::{Constant, Reloaded, Subject, Trial, Trials};
use super::{SUCCESS, flags};
use crate::args::Compare;
use crate::console::{self, complain};
use crate::failure::Failure;
use crate::files;
use crate::pipeline::{self, Request};
use crate::programs::{self, Language, Program, Setup, Task, Text};
use raddle_model::Properties;
use raddle_reduce::Reduction;
use raddle_report::comparison::{self, Absent, Comparison, Row, Share};
use raddle_report::html;
use raddle_report::text::reason;
use std::path::Path;

/// Exit code if two searches contradict each other.
const CONTRADICTION: u8 = 2;

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Compare) -> Result<u8, Failure> {
    if let Some(path) = &args.svg {
        files::guard_picture(path, &args.file)?;
    }
    if let Some(path) = &args.html {
        files::guard_page(path, &args.file)?;
    }
    let text = programs::read(&args.file)?;
    if !matches!(
        text.language,
        Language::Java | Language::Model | Language::Boolean
    ) {
        return Err(Failure::new(
            "reductions are compared on Java programs, models and boolean programs; a net has no \
             threads",
        ));
    }
    let request = request(args, text.language)?;
    let (found, bugs) = compare(args, &text, &request)?;
    let file = &text.main().name;
    console::answer(&match args.json {
        true => format!("{:#}\n", comparison::json(file, &found)),
        false => comparison::table(&found),
    })?;
    if let Some(path) = &args.svg {
        files::write(path, &comparison::svg(file, &found))?;
    }
    if let Some(path) = &args.html {
        files::write(path, &html::comparison(&text.sources, &found))?;
    }
    complain(&bugs);
    match bugs.is_empty() {
        true => Ok(SUCCESS),
        false => Ok(CONTRADICTION),
    }
}

/// What is asked of each search.
fn request(args: &Compare, language: Language) -> Result<Request, Failure> {
    Ok(Request {
        setup: Setup {
            defines: args.defines.clone(),
            ..flags::setup(&args.question, &args.file)?
        },
        method: Reduction::FULL.into(),
        search_flag: None,
        paranoid: false,
        search: flags::search(&args.question, args.time, language),
        part: None,
        all: false,
        shorten: false,
    })
}

/// The reductions that are wanted, each once: those that are named, or all that have names.
fn reductions(args: &Compare) -> Vec<Reduction> {
    let usual = match args.reduction.is_empty() {
        true => Reduction::ALL,
        false => &[],
    };
    let combined = Reduction::combinations().filter(|_| args.all_combinations);
    let mut wanted = Vec::new();
    for reduction in usual.iter().chain(&args.reduction).copied().chain(combined) {
        if !wanted.contains(&reduction) {
            wanted.push(reduction);
        }
    }
    wanted
}

/// Searches a program with every reduction that is wanted; the answer is the comparison, and what
/// to complain of.
fn compare(
    args: &Compare,
    text: &Text,
    request: &Request,
) -> Result<(Comparison, String), Failure> {
    programs::refuse_foreign_flags(&request.setup, text.language)?;
    let comparing = Comparing {
        args,
        text,
        request,
    };
    match text.language {
        Language::Java => comparing.of(&mut Reloaded::new(text, &request.setup)?),
        _ => programs::with(text, &request.setup, comparing)?,
    }
}

struct Comparing<'a> {
    args: &'a Compare,
    text: &'a Text,
    request: &'a Request,
}

impl Task for Comparing<'_> {
    type Output = Result<(Comparison, String), Failure>;

    fn run<P: Program>(self, program: &P) -> Self::Output {
        self.of(&mut Constant(program))
    }
}

impl Comparing<'_> {
    fn of(&self, subject: &mut impl Subject) -> Result<(Comparison, String), Failure> {
        let (request, jobs) = (self.request, usize::from(self.args.jobs));
        let trials = Trials::run(subject, request, &reductions(self.args), jobs)?;
        let invariants = subject.invariants();
        let all = std::iter::once(&trials.full).chain(&trials.reduced);
        let rows = all.map(|trial| row(trial, &trials.full, request, invariants));
        let absent = trials.absent.iter();
        let absent = absent.map(|&(reduction, why)| Absent { reduction, why });
        let compared = Comparison {
            rows: rows.collect(),
            absent: absent.collect(),
        };
        let bugs = trials.bugs(&self.text.sources, &request.setup, Path::new(""));
        Ok((compared, bugs))
    }
}

fn row(trial: &Trial, full: &Trial, request: &Request, invariants: Option<&'static str>) -> Row {
    let survey = &trial.survey;
    let names = |properties: Properties| pipeline::names(properties, invariants);
    let limits = &request.search.limits;
    let doubts = match trial.is_violated() {
        false => survey.reasons.iter().map(|it| reason(it, limits)).collect(),
        true => Vec::new(),
    };
    Row {
        reduction: trial.name(),
        checked: names(trial.properties),
        refused: names(pipeline::without(
            request.search.properties,
            trial.properties,
        )),
        answer: trial.answer().to_owned(),
        doubts,
        states: survey.statistics.states,
        share: share(trial, full),
        transitions: survey.statistics.transitions,
        executions: survey.statistics.executions,
        elapsed: survey.statistics.elapsed,
        bytes: survey.statistics.peak_bytes,
    }
}

/// How many states a search needed for its answer, compared with full search.
fn share(trial: &Trial, full: &Trial) -> Share {
    let states = |it: &Trial| it.survey.statistics.states as f64;
    let share = states(trial) / states(full).max(1.0);
    match (trial.answer(), full.answer()) {
        ("unknown", _) => Share::Unknown,
        (_, "unknown") => Share::Below(share),
        // One has seen all states, and the other one ended at something that the first was not
        // asked for.
        _ if trial.is_violated() != full.is_violated() => Share::Unknown,
        _ => Share::Exactly(share),
    }
}
