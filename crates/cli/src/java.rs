//! Java programs: found, compiled, and searched.

use crate::failure::Failure;
use crate::files;
use crate::pipeline::{self, Early, Finding, Request};
use crate::programs::{Program, Setup, Text};
use crate::progress::Watcher;
use crate::shortening::Patience;
use crate::tools::find_jdk;
use raddle_java::{Java, Plan, Processes, Profile, Programs, Settings};
use raddle_jdk::junit::{self, Suite, Test};
use raddle_jdk::{Folder, Launch};
use raddle_jvm::World;
use raddle_model::{Race, Reason, StopFlag, Violation};
use raddle_reduce::{Method, Reduction, Strictness};
use raddle_report::Source;
use raddle_report::saved::SavedJava;
use raddle_search::{Endless, Survey};
use std::path::Path;

/// Whether several processors can search a Java program with a reduction.
pub(crate) fn is_concurrent(reduction: Reduction) -> bool {
    Plan::new(reduction).is_some_and(|plan| plan.engine().entry().concurrent)
}

/// The source files of a program; of a class, the one beside it.
pub(crate) fn sources(path: &Path) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    let mut left = files::LARGEST_OUTPUT;
    for file in raddle_jdk::source_files(path)? {
        let bytes = files::read(&file, files::LARGEST_PROGRAM.min(left))?;
        left -= bytes.len() as u64;
        sources.push(Source {
            name: file.display().to_string(),
            text: String::from_utf8_lossy(&bytes).into_owned(),
        });
    }
    if sources.is_empty() {
        sources.push(Source {
            name: path.display().to_string(),
            text: String::new(),
        });
    }
    Ok(sources)
}

/// A program that is ready to run.
pub(crate) struct Loaded<P> {
    pub(crate) program: P,
    /// Classes are read when they are needed.
    _compiled: Vec<Folder>,
}

/// Makes a program ready to run.
pub(crate) fn load(text: &Text, setup: &Setup) -> Result<Loaded<Java>, Failure> {
    let mut loaded = load_one(text, 0, &setup.java, setup)?;
    if let Some(recalled) = &setup.recalled {
        recall(&mut loaded.program, recalled)?;
    }
    Ok(loaded)
}

fn load_one(
    text: &Text,
    process: usize,
    launch: &Launch,
    setup: &Setup,
) -> Result<Loaded<Java>, Failure> {
    let jdk = find_jdk(launch.jdk.as_deref())?;
    let library = jdk.open()?;
    let program = raddle_jdk::Program::find(launch, &jdk, &setup.stop)?;
    let main = program.main()?.to_owned();
    let mut world =
        World::new(library, program.sources).map_err(|error| Failure::new(error.to_string()))?;
    world.stop_by(setup.stop.clone());
    let files = text.of_process(process);
    let files = files.map(|(file, source)| (file as u32, source.name.clone()));
    let settings = Settings {
        main_class: main,
        arguments: launch.arguments.clone(),
        files: files.collect(),
        randomness: setup.randomness,
        time: setup.time,
        is_spurious: setup.spurious,
        forbids_races: setup.races,
    };
    let java = Java::new(world, settings).map_err(Failure::new)?;
    Ok(Loaded {
        program: java,
        _compiled: program.compiled.into_iter().collect(),
    })
}

/// Finds the classes of a program once and for all: the same program, compiled, and what holds
/// its classes for as long as they are needed.
pub(crate) fn compiled(setup: &Setup) -> Result<(Launch, Option<Folder>), Failure> {
    let launch = &setup.java;
    let jdk = find_jdk(launch.jdk.as_deref())?;
    let program = raddle_jdk::Program::find(launch, &jdk, &setup.stop)?;
    let folder = program.compiled.as_ref().map(|it| (**it).as_ref());
    let launch = Launch {
        main: Some(program.main()?.to_owned()),
        file: folder.unwrap_or(&launch.file).to_owned(),
        ..launch.clone()
    };
    Ok((launch, program.compiled))
}

/// Makes several programs ready to run together. They are known by their files, and by numbers
/// if these are the same.
pub(crate) fn load_processes(text: &Text, setup: &Setup) -> Result<Loaded<Processes>, Failure> {
    let (mut programs, mut compiled) = (Vec::new(), Vec::new());
    let name = |launch: &Launch| {
        let stem = launch.file.file_stem().unwrap_or_default();
        let stem = stem.to_string_lossy().into_owned();
        launch.main.clone().unwrap_or(stem)
    };
    let names: Vec<String> = setup.processes.iter().map(name).collect();
    for (index, launch) in setup.processes.iter().enumerate() {
        let mut loaded = load_one(text, index, launch, setup)?;
        compiled.append(&mut loaded._compiled);
        let own = &names[index];
        let alike = |names: &[String]| names.iter().filter(|it| *it == own).count();
        let name = match alike(&names) {
            1 => own.clone(),
            _ => format!("{own}#{}", alike(&names[..=index])),
        };
        programs.push((name, loaded.program));
    }
    Ok(Loaded {
        program: Processes::new(programs).map_err(Failure::new)?,
        _compiled: compiled,
    })
}

/// Runs a program as it was run when a trace was saved.
fn recall(java: &mut Java, recalled: &SavedJava) -> Result<(), Failure> {
    let plan = Reduction::by_name(&recalled.reduction).and_then(Plan::new);
    let profile = Profile::parse(&recalled.profile.join("\n")).ok();
    let Some((mut plan, profile)) = plan.zip(profile) else {
        return Err(Failure::new(
            "the trace was saved by another version of raddle",
        ));
    };
    plan.is_strict = recalled.is_strict;
    plan.is_paranoid = recalled.is_paranoid;
    plan.profile = profile;
    plan.prepare(java);
    match java.recall(&recalled.findings) {
        true => Ok(()),
        false => Err(Failure::new(
            "the trace belongs to other classes than those of the program now",
        )),
    }
}

/// Answers a request.
pub(crate) fn check(
    text: &Text,
    request: &Request,
    watcher: &mut Watcher,
) -> Result<Finding, Failure> {
    match request.setup.processes.is_empty() {
        true => check_loaded(load(text, &request.setup)?, request, watcher),
        false => check_loaded(load_processes(text, &request.setup)?, request, watcher),
    }
}

/// The tests of a class, or those that are named.
pub(crate) fn tests(
    setup: &Setup,
    class: &str,
    method: Option<&str>,
    stop: &StopFlag,
) -> Result<Suite, Failure> {
    let jdk = find_jdk(setup.java.jdk.as_deref())?;
    Ok(junit::find(&setup.java, class, method, &jdk, stop)?)
}

/// Answers a request about a test, unless the test cannot be run as its library would run it.
pub(crate) fn check_test(
    test: &Test,
    text: &Text,
    request: &Request,
    watcher: &mut Watcher,
) -> Result<Finding, Failure> {
    let mut finding = match test.obstacle() {
        Some(why) => Finding::unknown(Reason::GaveUp(why.to_owned())),
        None => pipeline::run(text, request, watcher)?,
    };
    finding.remarks.extend(test.remarks.iter().cloned());
    Ok(finding)
}

/// Why a reduction cannot be asked for.
pub(crate) enum Unfit {
    /// It is not there for Java.
    Missing,
    /// Whether two steps are independent is not known of what is only said to be a step.
    Atomic,
}

impl Unfit {
    /// Why, as the end of a sentence about the reduction.
    pub(crate) fn why(&self) -> &'static str {
        match self {
            Unfit::Missing => {
                "needs to know what threads may still do, which is not known of Java programs"
            }
            Unfit::Atomic => ATOMIC,
        }
    }
}

const ATOMIC: &str = "classes that are said to be atomic are not for this reduction; choose `auto`, \
                      `none`, `local`, `optimistic` or `transactions`";

/// How a program is searched with a reduction. The search of the steps is [`Plan::engine`].
pub(crate) fn plan(reduction: Reduction, profile: &Profile) -> Result<Plan, Unfit> {
    let mut plan = Plan::new(reduction).ok_or(Unfit::Missing)?;
    plan.profile = profile.clone();
    match profile.is_empty() || plan.engine() == Reduction::FULL {
        true => Ok(plan),
        false => Err(Unfit::Atomic),
    }
}

/// A program that knows how it is searched.
pub(crate) struct Prepared<P> {
    pub(crate) program: P,
    /// The name of the reduction.
    name: &'static str,
    plan: Plan,
    /// What is asked of the search of the steps.
    request: Request,
    _compiled: Vec<Folder>,
}

/// Prepares a program for the search that is asked for.
pub(crate) fn prepare<P: Programs + Program>(
    loaded: Loaded<P>,
    request: &Request,
    watcher: &mut Watcher,
) -> Result<Prepared<P>, Failure> {
    let reduction = request.method.reduction;
    let name = reduction.entry().name;
    let mut plan = plan(reduction, &request.setup.profile).map_err(|unfit| match unfit {
        Unfit::Missing => Failure::new(format!(
            "the reduction `{name}` is not for Java; choose one of {}",
            Plan::names().join(", ")
        )),
        Unfit::Atomic => Failure::new(unfit.why()),
    })?;
    plan.is_strict = request.method.strictness == Strictness::Strict;
    plan.is_paranoid = request.paranoid;
    let engine = plan.engine();
    let request = Request {
        method: Method {
            reduction: engine,
            strictness: Strictness::Auto,
            ..request.method
        },
        ..request.clone()
    };
    let request = request.begun(watcher);
    let Loaded {
        mut program,
        _compiled,
    } = loaded;
    plan.prepare(&mut program);
    if request.setup.races && !preserves_races(engine) {
        return Err(Failure::new(format!(
            "the reduction `{name}` does not preserve this property: races; choose another \
             reduction, or leave out --races",
        )));
    }
    pipeline::refuse_what_is_not_preserved(&program, &request)?;
    Ok(Prepared {
        program,
        name,
        plan,
        request,
        _compiled,
    })
}

/// Whether a search of steps can be asked for data races.
pub(crate) fn preserves_races(engine: Reduction) -> bool {
    engine == Reduction::FULL
}

impl<P: Programs + Program> Prepared<P> {
    /// Searches the program, and tells the data races that were seen by the way.
    pub(crate) fn search(&self, watcher: &mut Watcher) -> (Survey, Vec<Race>) {
        let (program, plan, request) = (&self.program, &self.plan, &self.request);
        let (part, first) = (request.part, !request.all);
        let early = &mut Early::new(program, request, watcher);
        let survey = plan.survey(program, program, &request.search, part, early, first);
        let races = program.programs().iter().flat_map(Java::races).collect();
        let mut survey = match request.paranoid {
            false => survey,
            true => pipeline::distrustful_search(program, request, watcher),
        };
        let doubts = |java: &Java| java.doubts(plan.sees_races());
        for doubt in program.programs().iter().flat_map(doubts) {
            let doubt = Reason::GaveUp(doubt);
            if !survey.reasons.contains(&doubt) {
                survey.reasons.push(doubt);
            }
        }
        // Of a part of an execution it is not known on what it rests.
        let stop = &request.search.stop;
        stop.lifted(|| excuse(program, &mut survey));
        let is_trusting = program.programs().iter().any(|java| java.trust().is_some());
        if is_trusting && plan.engine() != Reduction::FULL {
            survey.reasons.push(Reason::GaveUp(ATOMIC.to_owned()));
        }
        (survey, races)
    }

    /// How the program was run, so that it can be run like that again. How several are run is
    /// not saved.
    pub(crate) fn saved(&self) -> Result<Option<SavedJava>, Failure> {
        let [java] = self.program.programs() else {
            return Ok(None);
        };
        Ok(Some(SavedJava {
            reduction: self.name.to_owned(),
            is_strict: self.plan.is_strict,
            is_paranoid: self.plan.is_paranoid,
            ..run_of(java, &self.request.setup)?
        }))
    }

    /// The failure to find classes that the program names, if there are any.
    pub(crate) fn incomplete(&self) -> Option<Failure> {
        let programs = self.program.programs().iter();
        raddle_jdk::incomplete(programs.flat_map(Java::missing)).map(Failure::from)
    }
}

fn check_loaded<P: Programs + Program>(
    loaded: Loaded<P>,
    request: &Request,
    watcher: &mut Watcher,
) -> Result<Finding, Failure> {
    let prepared = prepare(loaded, request, watcher)?;
    let (survey, races) = prepared.search(watcher);
    let (program, plan, request) = (&prepared.program, &prepared.plan, &prepared.request);
    let name = prepared.name;
    let mut finding = pipeline::conclude(program, survey, request, watcher);
    finding.java = prepared.saved()?;
    if plan.is_automatic() {
        let told = "auto: `transactions`, because it loses nothing and takes the fewest steps";
        finding.remarks.insert(0, told.to_owned());
    }
    let is_violated = !finding.traces.is_empty();
    if let Some(failure) = prepared.incomplete().filter(|_| !is_violated) {
        return Err(failure);
    }
    let remarks = |java: &Java| match is_violated {
        true => java.trust().into_iter().collect(),
        false => java.remarks(),
    };
    for remark in program.programs().iter().flat_map(remarks) {
        if !finding.remarks.contains(&remark) {
            finding.remarks.push(remark);
        }
    }
    if !plan.sees_races() && !is_violated {
        finding.remarks.push(format!(
            "data races were looked for in the states that were visited; the reduction \
             `{name}` skips others",
        ));
    }
    let is_limit =
        |reason: &Reason| matches!(reason, Reason::Time | Reason::Memory | Reason::States);
    let is_plain = request.setup.profile.is_empty() && plan.engine() == Reduction::FULL;
    if is_plain && finding.reasons.iter().any(is_limit) {
        let told = "most interleavings are often those inside java.util.concurrent: --library trusted \
                    takes its operations for single steps";
        finding.remarks.push(told.to_owned());
    }
    if finding.traces.is_empty() && finding.reasons.is_empty() {
        finding.not_covered = not_covered(program, &finding, !races.is_empty(), watcher);
    }
    if !request.setup.races {
        finding.races = races;
    }
    // The process ends soon: giving all of the library back piece by piece takes longer than
    // many a search.
    std::mem::forget(prepared.program);
    Ok(finding)
}

/// Takes what may come from an answer that was made up out of the violations: it is a reason not
/// to know.
fn excuse<P: Program>(program: &P, survey: &mut Survey) {
    let reasons = &mut survey.reasons;
    survey.violations.retain(|violation| {
        let doubt = program.doubt(violation);
        reasons.extend(doubt.clone().map(Reason::GaveUp));
        doubt.is_none()
    });
}

/// The answer that was made up and from which a violation may come.
pub(crate) fn doubt<P: Programs>(program: &P, violation: &Violation) -> Option<String> {
    let mut state = program.initial().ok()?;
    for step in &violation.schedule {
        // The last one may be the mistake.
        let _ = program.step(&mut state, step.thread, step.choice);
    }
    program.excuse(&state, violation.property.name())
}

/// What a verdict *holds* does not cover, as far as it concerns these programs.
fn not_covered<P: Programs + Program>(
    program: &P,
    finding: &Finding,
    has_races: bool,
    watcher: &mut Watcher,
) -> Vec<String> {
    // No state is asked for again.
    program.keep(false);
    let mut open = Vec::new();
    if has_races {
        open.push("what data races allow beyond sequential consistency".to_owned());
    }
    let all = program.programs().iter();
    for item in all.flat_map(Java::not_covered) {
        if !open.contains(&item) {
            open.push(item);
        }
    }
    open.extend(endless(program, finding, watcher));
    open
}

/// Executions without an end, if there are any or that is not known.
fn endless<P: Programs + Program>(
    program: &P,
    finding: &Finding,
    watcher: &mut Watcher,
) -> Option<String> {
    /// A search of so many steps is made once more.
    const MOST: u64 = 20_000;
    let steps = finding.statistics.map_or(0, |it| it.transitions);
    let mut monitor = Patience::new(watcher);
    let locate = |state: &P::State, thread| {
        let place = program.next_place(state, thread)?;
        let file = program.programs().iter();
        let file = file.filter_map(|java| java.file(place.file)).next()?;
        let name = Path::new(file).file_name()?.to_string_lossy();
        Some(format!(", as by the loop at {name}:{}", place.line))
    };
    // The library's own loops are not the program's.
    let describe = |state: &P::State, thread| {
        let is_own = !program.is_queueing(state, thread);
        is_own.then(|| locate(state, thread).unwrap_or_default())
    };
    let found = match steps {
        ..=MOST => raddle_search::endless(program, MOST * 2, &mut monitor, describe),
        _ => Endless::Unknown,
    };
    let place = match found {
        Endless::Never => return None,
        Endless::Found(place) => place,
        Endless::Unknown => String::new(),
    };
    Some(format!("executions that never end{place}"))
}

/// How a program is run, so that it can be run like that again.
fn run_of(java: &Java, setup: &Setup) -> Result<SavedJava, Failure> {
    let told = |path: &Path| path.display().to_string();
    Ok(SavedJava {
        main: setup.java.main.clone(),
        class_path: setup.java.class_path.iter().map(|it| told(it)).collect(),
        jdk: told(find_jdk(setup.java.jdk.as_deref())?.home()),
        arguments: setup.java.arguments.clone(),
        profile: setup.profile.lines(),
        findings: java.findings(),
        is_spurious: setup.spurious,
        ..SavedJava::default()
    })
}
