//! `raddle check`: search a program, show what was found.

use super::last_words::{self, Rest};
use super::{exit_code, flags, tests};
use crate::announcer::Announcer;
use crate::args::{Check, ThreadCount};
use crate::checkpoint::{self, Checkpoint};
use crate::console::{self, Console, complain};
use crate::failure::Failure;
use crate::files;
use crate::front::FrontEnd;
use crate::java;
use crate::origin::TraceOrigin;
use crate::pipeline::{self, Finding, Request};
use crate::programs::{Setup, Text};
use crate::progress::Watcher;
use crate::watchdog::LastWords;
use raddle_java::MemoryModel;
use raddle_jdk::junit::Test;
use raddle_reduce::{Method, Reduction};
use raddle_report::json::outcome_text;
use raddle_report::junit::{self, Case, CaseOutcome, document};
use raddle_report::text::{self, Look};
use raddle_report::{Answer, Options, Report, Source};
use raddle_report::{html, sarif};
use raddle_search::{Config, Spill};
use std::fs;
use std::path::Path;

/// What is said where the middle of a long trace is left out.
const LEFT_OUT: &str = "--full-trace prints all, --trace FILE.json saves all, --search breadth \
                        finds a shortest trace";

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Check, console: Console) -> Result<u8, Failure> {
    guard(args)?;
    let mut text = flags::read(&args.question, &args.file)?;
    let mut request = request(args, text.front)?;
    for folder in &args.sources {
        text.sources.extend(text.front.read(folder)?);
    }
    if let Some(name) = &args.as_test.test_name {
        text.sources[0].name = name.clone();
        request.setup.java.resources = args.as_test.resources.clone();
        let test = given_test(args, name, &request);
        return one(args, &text, &request, console, Some(&test));
    }
    if let Some(class) = &args.question.class {
        let watcher = Watcher::new(&request.search.limits, args.progress);
        let method = args.question.method.as_deref();
        let stop = watcher.stop_flag();
        let suite = match text.front.tests(&request.setup, class, method, &stop) {
            Ok(suite) => suite,
            Err(failure) => {
                let finding = Finding::of_failure(failure)?;
                return Ok(answer(args, &text, &request, console, watcher, &finding));
            }
        };
        drop(watcher);
        // One that is named is a program like any other.
        let (Some(_), [test]) = (method, &suite.tests[..]) else {
            return tests::run(args, &suite, &text, request, console);
        };
        request.setup.java = test.launch.clone().unwrap_or_default();
        return one(args, &text, &request, console, Some(test));
    }
    one(args, &text, &request, console, None)
}

/// Refuses to write where something else is.
pub(super) fn guard(args: &Check) -> Result<(), Failure> {
    if let Some(path) = &args.trace {
        files::guard(path, &args.file)?;
        if !args.question.processes.is_empty() {
            let why = "a trace of several processes cannot be saved yet; leave out --trace";
            return Err(Failure::new(why));
        }
    }
    if let Some(path) = &args.certificate {
        files::guard_certificate(path, &args.file)?;
    }
    if let Some(path) = &args.sarif {
        files::guard_results(path, &args.file)?;
    }
    if let Some(path) = &args.html {
        files::guard_page(path, &args.file)?;
    }
    if let Some(path) = &args.junit {
        files::guard_junit(path, &args.file)?;
    }
    Ok(())
}

/// A test that was found by `raddle test`.
fn given_test(args: &Check, name: &str, request: &Request) -> Test {
    let given = &args.as_test;
    Test {
        name: name.to_owned(),
        class: String::new(),
        launch: match &given.obstacle {
            Some(why) => Err(why.clone()),
            None => Ok(request.setup.java.clone()),
        },
        remarks: given.remarks.clone(),
        has_time_limit: given.time_limited,
    }
}

/// Checks one program, which may be a test.
fn one(
    args: &Check,
    text: &Text,
    request: &Request,
    console: Console,
    test: Option<&Test>,
) -> Result<u8, Failure> {
    let checkpoint = checkpoint(args, text, request)?;
    let announcer = announcer(args, text, request, console, String::new());
    let mut watcher = Watcher::new(&request.search.limits, args.progress)
        .with_checkpoint(checkpoint)
        .with_announcer(announcer);
    watcher.say_at_last(Some(last_words(args, text, request, console)));
    let mut finding = match test {
        Some(test) => java::check_test(test, text, request, &mut watcher)?,
        None => pipeline::run(text, request, &mut watcher)?,
    };
    if args.reduction.is_none() {
        // What was not asked for is not explained.
        finding.remarks.retain(|it| !it.starts_with("auto: "));
    }
    Ok(answer(args, text, request, console, watcher, &finding))
}

/// Prints what was found and writes it to files; returns the exit code.
fn answer(
    args: &Check,
    text: &Text,
    request: &Request,
    console: Console,
    mut watcher: Watcher,
    finding: &Finding,
) -> u8 {
    let report = report(args, text, request, finding);
    let told = render(args, &report, console);
    // From here on there is an answer, and only one is given.
    watcher.say_at_last(None);
    let mut failures = Vec::from_iter(console::answer(&watcher.rest(told)).err());
    let code = exit_code(report.answer());
    watcher.say_at_last(Some(Box::new(move |_| {
        complain("error: there was no time to write all files\n");
        code
    })));
    // Not before the answer is out: whoever is killed until then can ask again.
    if report.answer() != Answer::Unknown {
        watcher.remove_checkpoint();
    }
    failures.extend(save_all(args, text, request, finding, &report));
    // What could not be written does not change the verdict.
    for failure in failures {
        complain(&failure.text(console.error_color));
    }
    watcher.say_at_last(None);
    code
}

/// What is said if the search does not end when it has to.
pub(super) fn last_words(
    args: &Check,
    text: &Text,
    request: &Request,
    console: Console,
) -> LastWords {
    let (sources, options) = (text.sources.clone(), options(args, request));
    let (form, all) = (Form::new(args, console), args.all);
    Box::new(move |known| {
        let rest = Rest::new(known, all);
        let report = rest.report(&sources, &options);
        last_words::print(&form.render(&report), report.answer())
    })
}

/// Writes all files that are wanted of a finding. Returns what could not be written.
pub(super) fn save_all(
    args: &Check,
    text: &Text,
    request: &Request,
    finding: &Finding,
    report: &Report<'_>,
) -> Vec<Failure> {
    let file = args.file.display().to_string();
    let (class, name) = match &args.as_test.test_name {
        Some(test) => junit::parts(test),
        None => ("raddle check", &*file),
    };
    let case = Case {
        class: class.to_owned(),
        name: name.to_owned(),
        outcome: CaseOutcome::Checked(report),
    };
    let mut failures = save_results(args, &[case]);
    if let Some(path) = &args.html {
        failures.extend(files::write(path, &html::report(report)).err());
    }
    if let (Some(path), Some(certificate)) = (&args.certificate, &finding.certificate) {
        failures.extend(files::write(path, &format!("{certificate}\n")).err());
    }
    if let Some(path) = &args.trace {
        let saved = save(path, finding, &text.sources, args, &request.setup);
        let is_told = saved.is_ok() && !finding.traces.is_empty() && !args.json && !args.quiet;
        failures.extend(saved.err());
        if is_told {
            let path = path.display();
            complain(&format!(
                "The trace is saved; walk through it: raddle replay -i {path}\n"
            ));
        }
    }
    failures
}

/// Where the search is written down, if that is wanted.
fn checkpoint(args: &Check, text: &Text, request: &Request) -> Result<Option<Checkpoint>, Failure> {
    let Some(folder) = &args.checkpoint else {
        return Ok(None);
    };
    let why_not = match () {
        () if !text.front.is_resumable() => "is for models and boolean programs".to_owned(),
        // What is assumed is not written down.
        () if !request.method.reduction.is_resumable() => {
            let others = Reduction::listed(Reduction::is_resumable);
            format!("is not for this reduction; choose {others}")
        }
        () if !request.search.store.is_shared() => "is not for the bitstate store".to_owned(),
        () => String::new(),
    };
    if !why_not.is_empty() {
        return Err(Failure::new(format!("--checkpoint {why_not}")));
    }
    let (setup, search) = (&request.setup, &request.search);
    let model = (&setup.defines, &setup.unreachable, &setup.unsafe_sets);
    let sizes = (setup.stack_words, setup.heap_words, setup.threads);
    let question = checkpoint::question(
        &text
            .sources
            .iter()
            .map(|it| &it.text[..])
            .collect::<String>(),
        &[
            (
                "reduction",
                request.method.reduction.entry().name.to_owned(),
            ),
            ("search", search.order.name().to_owned()),
            ("store", search.store.name().to_owned()),
            ("discipline", request.method.strictness.name().to_owned()),
            ("properties", format!("{:?}", search.properties)),
            ("depth limit", format!("{:?}", search.limits.depth)),
            ("constants, labels and sets", format!("{model:?}")),
            ("stack, heap and threads", format!("{sizes:?}")),
        ],
    );
    Checkpoint::new(folder, question, args.checkpoint_every, args.resume).map(Some)
}

/// All there is to tell of a finding.
pub(super) fn report<'a>(
    args: &Check,
    text: &'a Text,
    request: &Request,
    finding: &'a Finding,
) -> Report<'a> {
    Report {
        sources: &text.sources,
        traces: &finding.traces,
        reasons: &finding.reasons,
        races: &finding.races,
        not_covered: &finding.not_covered,
        reach: Some(&finding.reach),
        remarks: &finding.remarks,
        statistics: finding.statistics,
        coverage: finding.coverage.clone(),
        options: Options {
            threads: finding.threads,
            temporal: finding.temporal.clone(),
            ..options(args, request)
        },
    }
}

/// Writes results for services that show them: on the lines of the source, or as tests. Returns
/// what could not be written.
pub(super) fn save_results(args: &Check, cases: &[Case<'_>]) -> Vec<Failure> {
    let mut failures = Vec::new();
    if let Some(path) = &args.junit {
        let suite = args.file.display().to_string();
        failures.extend(files::write(path, &document(&suite, cases)).err());
    }
    let Some(path) = &args.sarif else {
        return failures;
    };
    let checked = cases.iter().filter_map(|case| match case.outcome {
        CaseOutcome::Checked(report) => Some(report.clone()),
        CaseOutcome::Skipped(_) => None,
    });
    let reports: Vec<Report<'_>> = checked.collect();
    failures.extend(files::write(path, &format!("{:#}\n", sarif::log(&reports))).err());
    failures
}

/// Who prints the verdict first. JSON is one document, at the end.
pub(super) fn announcer(
    args: &Check,
    text: &Text,
    request: &Request,
    console: Console,
    title: String,
) -> Option<Announcer> {
    (!args.json).then(|| Announcer {
        title,
        sources: text.sources.clone(),
        options: options(args, request),
        look: look(args, console),
        announced: String::new(),
    })
}

fn look(args: &Check, console: Console) -> Look {
    Look {
        abridge: (!args.full_trace).then_some(LEFT_OUT),
        unfold: args.unfold,
        ..console.look(args.width)
    }
}

pub(super) fn render(args: &Check, report: &Report<'_>, console: Console) -> String {
    Form::new(args, console).render(report)
}

/// How a report is printed.
#[derive(Clone, Copy)]
pub(super) struct Form {
    look: Look,
    json: bool,
    quiet: bool,
}

impl Form {
    pub(super) fn new(args: &Check, console: Console) -> Form {
        Form {
            look: look(args, console),
            json: args.json,
            quiet: args.quiet,
        }
    }

    pub(super) fn render(self, report: &Report<'_>) -> String {
        match (self.json, self.quiet) {
            (true, _) => outcome_text(report),
            (false, true) => text::verdict(report, self.look) + &text::warnings(report, self.look),
            (false, false) => text::report(report, self.look),
        }
    }
}

fn setup(args: &Check) -> Result<Setup, Failure> {
    // What is written down is of one search, and not of two with other states.
    let memory_model = match (args.checkpoint.is_some(), args.question.memory_model) {
        (false, asked) => asked.unwrap_or_default(),
        (true, Some(MemoryModel::Java)) => {
            return Err(Failure::new("--checkpoint is not for --memory-model java"));
        }
        (true, _) => MemoryModel::Sequential,
    };
    Ok(Setup {
        memory_model,
        defines: args.defines.clone(),
        initially: args.init.clone(),
        solver: args.solver,
        any_threads: args.threads == ThreadCount::Any,
        coverage: args.coverage,
        symmetry: args.symmetry,
        ..flags::setup(&args.question, &args.file)?
    })
}

pub(super) fn request(args: &Check, front: &dyn FrontEnd) -> Result<Request, Failure> {
    // A part of the executions is explored as it is, and what is written down goes on as it began.
    let is_plain = args.part().is_some() || args.checkpoint.is_some() || args.symmetry;
    let usual = front.default_reduction(is_plain);
    let reduction = args.reduction.unwrap_or(usual);
    let search = flags::search(&args.question, args.time, front);
    let setup = setup(args)?;
    let jobs = jobs(args, reduction, front, &setup, &search);
    Ok(Request {
        setup,
        method: Method {
            strictness: args.question.discipline,
            ..reduction.into()
        },
        search_flag: args.search_flag(),
        paranoid: args.question.paranoid,
        search: Config {
            jobs,
            spill: args.spill.as_deref().map(spill).transpose()?,
            ..search
        },
        part: args.part(),
        all: args.all,
        shorten: !args.no_shorten && shows_traces(args),
        explain: args.explain,
        certificate: args.certificate.is_some(),
    })
}

/// Whether the steps of a trace appear anywhere.
fn shows_traces(args: &Check) -> bool {
    let files = [&args.trace, &args.html, &args.sarif, &args.junit];
    args.json || !args.quiet || files.iter().any(|file| file.is_some())
}

/// Files in a folder that is there.
fn spill(folder: &Path) -> Result<Spill, Failure> {
    match fs::metadata(folder) {
        Ok(found) if found.is_dir() => Ok(Spill::new(folder.to_owned())),
        Ok(_) => Err(Failure::new(format!(
            "{}: this is not a folder",
            folder.display()
        ))),
        Err(error) => Err(Failure::file(folder, &error)),
    }
}

/// As many processors as are wanted, or else as there are, if the search can make use of them.
fn jobs(
    args: &Check,
    reduction: Reduction,
    front: &dyn FrontEnd,
    setup: &Setup,
    search: &Config,
) -> usize {
    let is_concurrent = flags::is_concurrent(reduction, front, setup, search);
    let is_alone = !is_concurrent || args.part().is_some();
    match args.jobs {
        Some(jobs) => usize::from(jobs),
        None if is_alone => 1,
        None => flags::all_processors(),
    }
}

pub(super) fn options(args: &Check, request: &Request) -> Options {
    Options {
        reduction: request.method.reduction.entry().name,
        order: request.search.order.name(),
        store: request.search.store.name(),
        properties: request.search.properties,
        races: request.setup.races,
        defines: request.setup.defines.clone(),
        unreachable: request.setup.unreachable.clone(),
        unsafe_sets: request.setup.unsafe_sets.clone(),
        limits: request.search.limits,
        threads: None,
        temporal: Vec::new(),
        count_stutters: args.count_stutters,
    }
}

fn save(
    path: &Path,
    finding: &Finding,
    sources: &[Source],
    args: &Check,
    setup: &Setup,
) -> Result<(), Failure> {
    // A trace is of a certain number of threads.
    let mut setup = setup.clone();
    setup.defines.extend(finding.replicas.iter().cloned());
    let setup = &setup;
    let origin = TraceOrigin {
        sources,
        setup,
        java: finding.java.as_ref(),
    };
    for (index, trace) in finding.traces.iter().enumerate() {
        let path = files::numbered(path, index);
        files::guard(&path, &args.file)?;
        files::write(&path, &origin.saved(trace))?;
    }
    Ok(())
}
