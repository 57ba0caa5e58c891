//! `raddle compare`: the same program under every reduction, side by side.

use super::{SUCCESS, flags};
use crate::args::{Compare, Values};
use crate::console::{self, complain};
use crate::failure::Failure;
use crate::front::FrontEnd;
use crate::pipeline::{self, Request};
use crate::programs::{Setup, Text};
use crate::trials::{Trial, Trials};
use crate::{files, progress};
use raddle_jdk::junit::Suite;
use raddle_model::{Properties, StopFlag};
use raddle_reduce::{Method, Reduction};
use raddle_report::comparison::{self, Absent, Comparison, Row, Share};
use raddle_report::sweep::{self, Sweep};
use raddle_report::text::reason;
use raddle_report::{Source, html};
use serde_json::Value;
use std::ops::RangeInclusive;
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
    let text = flags::read(&args.question, &args.file)?;
    let mut request = request(args, text.front)?;
    let test = test(args, &text, &request)?;
    if let Some(suite) = &test {
        request.setup.java = suite.tests[0].launch.clone().unwrap_or_default();
    }
    let (found, bugs) = match sweeping(args)? {
        None => {
            let (compared, bugs) = compare(args, &text, &request)?;
            (Found::One(compared), bugs)
        }
        Some((constant, values)) => {
            let (swept, bugs) = sweep(args, &text, &request, constant, values)?;
            (Found::Several(swept), bugs)
        }
    };
    let file = &text.main().name;
    console::answer(&match args.json {
        true => format!("{:#}\n", found.json(file)),
        false => found.table(),
    })?;
    if let Some(path) = &args.svg {
        files::write(path, &found.svg(file))?;
    }
    if let Some(path) = &args.html {
        files::write(path, &found.html(&text.sources))?;
    }
    complain(&bugs);
    match bugs.is_empty() {
        true => Ok(SUCCESS),
        false => Ok(CONTRADICTION),
    }
}

/// What is shown.
enum Found {
    One(Comparison),
    Several(Sweep),
}

impl Found {
    fn table(&self) -> String {
        match self {
            Found::One(compared) => comparison::table(compared),
            Found::Several(swept) => sweep::table(swept),
        }
    }

    fn json(&self, file: &str) -> Value {
        match self {
            Found::One(compared) => comparison::json(file, compared),
            Found::Several(swept) => sweep::json(file, swept),
        }
    }

    fn svg(&self, file: &str) -> String {
        match self {
            Found::One(compared) => comparison::svg(file, compared),
            Found::Several(swept) => sweep::svg(file, swept),
        }
    }

    fn html(&self, sources: &[Source]) -> String {
        match self {
            Found::One(compared) => html::comparison(sources, compared),
            Found::Several(swept) => html::sweep(sources, swept),
        }
    }
}

/// The test that is searched, if that is what is asked for.
fn test(args: &Compare, text: &Text, request: &Request) -> Result<Option<Suite>, Failure> {
    let Some(class) = &args.question.class else {
        return Ok(None);
    };
    let method = args.question.method.as_deref();
    let stop = StopFlag::default();
    let suite = text.front.tests(&request.setup, class, method, &stop)?;
    match &suite.tests[..] {
        [test] => match test.obstacle() {
            Some(why) => Err(Failure::new(why)),
            None => Ok(Some(suite)),
        },
        tests => {
            let names: Vec<&str> = tests.iter().map(|test| test.name.as_str()).collect();
            let names = names.join(", ");
            Err(Failure::new(format!(
                "one test is compared at a time; choose one with --method: {names}"
            )))
        }
    }
}

/// The constant that gets several values, and which.
fn sweeping(args: &Compare) -> Result<Option<(&str, RangeInclusive<i64>)>, Failure> {
    let ranges = args
        .defines
        .iter()
        .filter_map(|define| match define.values {
            Values::Range(first, last) => Some((define.name.as_str(), first..=last)),
            Values::One(_) => None,
        });
    let ranges: Vec<_> = ranges.collect();
    match &ranges[..] {
        [] => Ok(None),
        [one] => Ok(Some(one.clone())),
        [(first, _), (second, _), ..] => Err(Failure::new(format!(
            "one constant can have a range of values, and not both {first} and {second}"
        ))),
    }
}

/// Compares for each value of a constant.
fn sweep(
    args: &Compare,
    text: &Text,
    request: &Request,
    constant: &str,
    values: RangeInclusive<i64>,
) -> Result<(Sweep, String), Failure> {
    let mut swept = Sweep {
        constant: constant.to_owned(),
        points: Vec::new(),
    };
    let mut bugs = String::new();
    for value in values {
        let mut request = request.clone();
        request.setup.defines.push((constant.to_owned(), value));
        let (compared, told) = compare(args, text, &request)?;
        swept.points.push((value, compared));
        if !told.is_empty() {
            bugs.push_str(&format!("with {constant}={value}:\n{told}"));
        }
        if progress::is_interrupted() {
            break;
        }
    }
    Ok((swept, bugs))
}

/// What is asked of each search.
fn request(args: &Compare, front: &dyn FrontEnd) -> Result<Request, Failure> {
    Ok(Request {
        setup: Setup {
            defines: defines(args),
            ..flags::setup(&args.question, &args.file)?
        },
        method: Method {
            strictness: args.question.discipline,
            ..Reduction::FULL.into()
        },
        search_flag: None,
        paranoid: args.question.paranoid,
        search: flags::search(&args.question, args.time, front),
        part: None,
        all: false,
        shorten: false,
        explain: false,
        certificate: false,
    })
}

/// The constants that have one value.
fn defines(args: &Compare) -> Vec<(String, i64)> {
    let defines = args
        .defines
        .iter()
        .filter_map(|define| match define.values {
            Values::One(value) => Some((define.name.clone(), value)),
            Values::Range(..) => None,
        });
    defines.collect()
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
    text.front.flags().refuse_others(&request.setup)?;
    let properties = request.search.properties;
    text.front.flags().refuse_properties(properties)?;
    let mut subject = text.front.subject(text, &request.setup)?;
    let jobs = usize::from(args.jobs);
    let trials = Trials::run(&mut *subject, request, &reductions(args), jobs)?;
    let stated = subject.stated();
    let all = std::iter::once(&trials.full).chain(&trials.reduced);
    let rows = all.map(|trial| row(trial, &trials.full, request, stated));
    let absent = trials.absent.iter();
    let absent = absent.map(|&(reduction, why)| Absent { reduction, why });
    let compared = Comparison {
        rows: rows.collect(),
        absent: absent.collect(),
    };
    let bugs = trials.bugs(&text.sources, &request.setup, Path::new(""));
    Ok((compared, bugs))
}

fn row(trial: &Trial, full: &Trial, request: &Request, stated: [Option<&'static str>; 2]) -> Row {
    let survey = &trial.survey;
    let names = |properties: Properties| pipeline::names(properties, stated);
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
        cpu: trial.cpu,
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
