//! Java programs: found, compiled, and searched.

mod any;
pub(crate) mod structure;

use crate::args::Question;
use crate::failure::Failure;
use crate::files;
use crate::front::{Flags, FrontEnd, Verification};
use crate::pipeline::{self, Early, Finding, Request};
use crate::programs::{Program, Setup, Text, Visitor};
use crate::progress::Watcher;
use crate::shortening::Patience;
use crate::solvers;
use crate::tools::find_jdk;
use crate::trials::{Stopwatch, Subject, Trial};
use raddle_analysis::Sharing;
use raddle_java::{
    Exploration, Grain, Java, Plan, Processes, Profile, Programs, Randomness, Settings, Time,
    Timeouts, Unfit, no_end, not_covered,
};
use raddle_jdk::junit::{self, Suite, Test};
use raddle_jdk::{Folder, Launch};
use raddle_jvm::World;
use raddle_machine::ir;
use raddle_model::{Erased, Properties, Race, Reason, StopFlag};
use raddle_reduce::{Method, Reduction, Strictness};
use raddle_report::Source;
use raddle_report::saved::SavedJava;
use raddle_search::Survey;
use serde_json::Value;
use std::path::Path;

/// Java, as source or as classes.
pub(crate) struct Jvm;

impl FrontEnd for Jvm {
    fn endings(&self) -> &'static [&'static str] {
        &["java", "class", "jar"]
    }

    fn flags(&self) -> Flags {
        Flags {
            java: true,
            solver: true,
            ends: true,
            ..Flags::default()
        }
    }

    fn read(&self, path: &Path) -> Result<Vec<Source>, Failure> {
        sources(path)
    }

    fn visit(&self, text: &Text, setup: &Setup, visitor: &mut dyn Visitor) -> Result<(), Failure> {
        if !setup.processes.is_empty() {
            visitor.processes(&load_processes(text, setup)?.program);
            return Ok(());
        }
        let mut loaded = load(text, setup)?;
        match &setup.recalled {
            Some(recalled) => recall(&mut loaded.program, recalled)?,
            // What nobody writes turns out only while one walks; the steps must not change by that.
            None => loaded.program.prepare(Exploration {
                grain: Grain::Shared,
                is_free_when_alone: true,
                ..Exploration::default()
            }),
        }
        visitor.java(&loaded.program);
        Ok(())
    }

    fn check(
        &self,
        text: &Text,
        request: &Request,
        watcher: &mut Watcher,
    ) -> Result<Finding, Failure> {
        if request.setup.any_threads {
            return any::check(load(text, &request.setup)?, text, request, watcher);
        }
        solvers::refuse(&request.setup)?;
        match request.setup.processes.is_empty() {
            true => check_loaded(load(text, &request.setup)?, request, watcher),
            false => check_loaded(load_processes(text, &request.setup)?, request, watcher),
        }
    }

    fn subject<'a>(&self, text: &'a Text, setup: &Setup) -> Result<Box<dyn Subject + 'a>, Failure> {
        Ok(Box::new(Reloaded::new(text, setup)?))
    }

    fn default_reduction(&self, _: bool) -> Reduction {
        Reduction::Auto
    }

    fn engine(&self, reduction: Reduction, setup: &Setup) -> Result<Reduction, &'static str> {
        let plan = Plan::with_profile(reduction, &setup.profile);
        Ok(plan.map_err(|unfit| unfit.why())?.engine())
    }

    fn intermediate(&self, text: &Text, setup: &Setup) -> Result<Option<ir::Program>, Failure> {
        let loaded = load(text, setup)?;
        match any::extracted(&loaded.program, text) {
            Ok(extracted) => Ok(Some(extracted.program)),
            Err(obstacle) => Err(Failure::unknown(Reason::GaveUp(obstacle.to_string()))),
        }
    }

    fn sharing(&self, text: &Text, setup: &Setup) -> Result<Option<Sharing>, Failure> {
        let loaded = load(text, setup)?;
        let (world, start) = loaded.program.beginning_of_main();
        Ok(Some(raddle_analysis::analyse(world, start)))
    }

    fn verify(
        &self,
        text: &Text,
        setup: &Setup,
        properties: Properties,
        certificate: &Value,
    ) -> Result<Verification, Failure> {
        any::verify(&load(text, setup)?, text, setup, properties, certificate)
    }

    /// A Java program has no invariants of its own.
    fn checks_states(&self, flags: &Question) -> bool {
        flags.races
    }

    fn tests(
        &self,
        setup: &Setup,
        class: &str,
        method: Option<&str>,
        stop: &StopFlag,
    ) -> Result<Suite, Failure> {
        let jdk = find_jdk(setup.java.jdk.as_deref())?;
        Ok(junit::find(&setup.java, class, method, &jdk, stop)?)
    }
}

/// Reads several programs that run together.
pub(crate) fn read_processes(launches: &[Launch]) -> Result<Text, Failure> {
    let (mut all, mut processes) = (Vec::new(), Vec::new());
    for launch in launches {
        let first = all.len();
        all.append(&mut sources(&launch.file)?);
        processes.push(first..all.len());
    }
    Ok(Text {
        front: &Jvm,
        sources: all,
        processes,
    })
}

/// The source files of a program; of a class, the one beside it.
fn sources(path: &Path) -> Result<Vec<Source>, Failure> {
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
struct Loaded<P> {
    pub(crate) program: P,
    /// Classes are read when they are needed.
    _compiled: Vec<Folder>,
}

/// Makes a program ready to run.
fn load(text: &Text, setup: &Setup) -> Result<Loaded<Java>, Failure> {
    load_one(text, 0, &setup.java, setup)
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
    setup.input.give(&mut world)?;
    let files = text.of_process(process);
    let files = files.map(|(file, source)| (file as u32, source.name.clone()));
    let settings = Settings {
        main_class: main,
        arguments: launch.arguments.clone(),
        files: files.collect(),
        randomness: setup.randomness,
        time: setup.time,
        timeouts: setup.timeouts,
        is_spurious: setup.spurious,
        forbids_races: setup.races,
        memory_model: setup.memory_model,
    };
    let java = Java::new(world, settings).map_err(Failure::new)?;
    Ok(Loaded {
        program: java,
        _compiled: program.compiled.into_iter().collect(),
    })
}

/// Finds the classes of a program once and for all: the same program, compiled, and what holds
/// its classes for as long as they are needed.
fn compiled(launch: &Launch, stop: &StopFlag) -> Result<(Launch, Option<Folder>), Failure> {
    let jdk = find_jdk(launch.jdk.as_deref())?;
    let program = raddle_jdk::Program::find(launch, &jdk, stop)?;
    let folder = program.compiled.as_ref().map(|it| (**it).as_ref());
    let launch = Launch {
        main: Some(program.main()?.to_owned()),
        file: folder.unwrap_or(&launch.file).to_owned(),
        resources: program.resources.clone(),
        ..launch.clone()
    };
    Ok((launch, program.compiled))
}

/// Makes several programs ready to run together. They are known by their files, and by numbers
/// if these are the same.
fn load_processes(text: &Text, setup: &Setup) -> Result<Loaded<Processes>, Failure> {
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
    if test.has_time_limit {
        let holds = finding.traces.is_empty() && finding.reasons.is_empty();
        match holds {
            true => finding.not_covered.push("the time limit of the test".to_owned()),
            false => finding.remarks.push(
                "the time limit of the test is not applied; a test that waits for ever is a deadlock"
                    .to_owned(),
            ),
        }
    }
    Ok(finding)
}

/// Java programs. A search finds out what their threads share, which must not help the next one:
/// so they are loaded for each of them.
struct Reloaded<'a> {
    text: &'a Text,
    setup: Setup,
    /// Holds the classes.
    _compiled: Vec<Folder>,
}

impl<'a> Reloaded<'a> {
    /// Compiles the programs, once.
    fn new(text: &'a Text, setup: &Setup) -> Result<Reloaded<'a>, Failure> {
        let (mut setup, mut folders) = (setup.clone(), Vec::new());
        let several = &mut setup.processes;
        let launches = match several.is_empty() {
            true => std::slice::from_mut(&mut setup.java),
            false => &mut several[..],
        };
        for launch in launches {
            let folder;
            (*launch, folder) = compiled(launch, &setup.stop)?;
            folders.extend(folder);
        }
        Ok(Reloaded {
            text,
            setup,
            _compiled: folders,
        })
    }

    fn try_out<P: Programs + Program>(
        loaded: Loaded<P>,
        request: &Request,
        watcher: &mut Watcher,
    ) -> Result<Trial, Failure> {
        let prepared = prepare(loaded, request, watcher)?;
        let stopwatch = Stopwatch::start();
        let (survey, _) = prepared.search(watcher);
        let mut trial = Trial::new(&prepared.program, request, survey, stopwatch.read());
        if let Some(failure) = prepared.incomplete().filter(|_| !trial.is_violated()) {
            return Err(failure);
        }
        trial.java = prepared.saved()?;
        Ok(trial)
    }
}

impl Subject for Reloaded<'_> {
    fn engine(&self, reduction: Reduction) -> Result<Reduction, &'static str> {
        Jvm.engine(reduction, &self.setup)
    }

    fn preserved(&self, engine: Reduction, asked: Properties) -> Properties {
        let kept = pipeline::preserved(engine, asked);
        Properties {
            invariants: kept.invariants && engine == Reduction::FULL,
            ..kept
        }
    }

    fn stated(&self) -> [Option<&'static str>; 2] {
        [self.setup.races.then_some("races"), None]
    }

    fn search(&mut self, request: &Request, watcher: &mut Watcher) -> Result<Trial, Failure> {
        let mut request = request.clone();
        request.setup.races = request.search.properties.invariants;
        let setup = Setup {
            races: request.setup.races,
            stop: request.setup.stop.clone(),
            ..self.setup.clone()
        };
        match setup.processes.is_empty() {
            true => Self::try_out(load(self.text, &setup)?, &request, watcher),
            false => Self::try_out(load_processes(self.text, &setup)?, &request, watcher),
        }
    }

    /// It is the steps that are held to it, whoever chooses among them.
    fn checks(&self, _: Reduction) -> bool {
        true
    }
}

/// A program that knows how it is searched.
struct Prepared<P> {
    pub(crate) program: P,
    plan: Plan,
    /// What is asked of the search of the steps.
    request: Request,
    _compiled: Vec<Folder>,
}

/// Prepares a program for the search that is asked for.
fn prepare<P: Programs + Program>(
    loaded: Loaded<P>,
    request: &Request,
    watcher: &mut Watcher,
) -> Result<Prepared<P>, Failure> {
    let reduction = match request.method.reduction {
        // What it takes for Java programs may leave out the state in which it is decided.
        Reduction::Auto if request.search.properties.ends => Reduction::FULL,
        reduction => reduction,
    };
    let name = reduction.entry().name;
    let plan = Plan::with_profile(reduction, &request.setup.profile);
    let mut plan = plan.map_err(|unfit| match unfit {
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
    if request.setup.races && !plan.preserves_races() {
        return Err(Failure::new(format!(
            "the reduction `{name}` does not preserve this property: races; choose another \
             reduction, or leave out --races",
        )));
    }
    if request.search.properties.ends && reduction != Reduction::FULL {
        return Err(Failure::new(format!(
            "the reduction `{name}` does not preserve this property: must-end; choose another \
             reduction, or leave out --must-end",
        )));
    }
    pipeline::refuse_what_is_not_preserved(&program, &request)?;
    Ok(Prepared {
        program,
        plan,
        request,
        _compiled,
    })
}

impl<P: Programs + Program> Prepared<P> {
    /// Searches the program; the answer includes the data races that were seen.
    fn search(&self, watcher: &mut Watcher) -> (Survey, Vec<Race>) {
        let (program, plan, request) = (&self.program, &self.plan, &self.request);
        let (part, first) = (request.part, !request.all);
        let early = &mut Early::new(program, request, watcher);
        let survey = plan.survey(
            &Erased(program),
            program,
            &request.search,
            part,
            early,
            first,
        );
        let races = program.programs().iter().flat_map(Java::races).collect();
        let mut survey = match request.paranoid {
            false => survey,
            true => pipeline::distrustful_search(program, request, watcher),
        };
        plan.weigh(program, &mut survey, &request.search.stop);
        (survey, races)
    }

    /// Searches the program, and replays what was found. Also whether there are data races.
    fn answer(&self, watcher: &mut Watcher) -> Result<(Finding, bool), Failure> {
        let (survey, races) = self.search(watcher);
        let (program, plan, request) = (&self.program, &self.plan, &self.request);
        let mut finding = pipeline::conclude(program, survey, request, watcher);
        finding.java = self.saved()?;
        let is_violated = !finding.traces.is_empty();
        if let Some(failure) = self.incomplete().filter(|_| !is_violated) {
            return Err(failure);
        }
        let mut remarks = plan.remarks(program, is_violated);
        remarks.retain(|remark| !finding.remarks.contains(remark));
        finding.remarks.extend(remarks);
        let is_limit =
            |reason: &Reason| matches!(reason, Reason::Time | Reason::Memory | Reason::States);
        if finding.reasons.iter().any(is_limit) {
            finding
                .remarks
                .extend(plan.advice(program).map(str::to_owned));
        }
        let has_races = !races.is_empty();
        if !request.setup.races {
            finding.races = races;
        }
        Ok((finding, has_races))
    }

    /// How the program was run, so that it can be run like that again. How several are run is
    /// not saved.
    fn saved(&self) -> Result<Option<SavedJava>, Failure> {
        let [java] = self.program.programs() else {
            return Ok(None);
        };
        Ok(Some(SavedJava {
            reduction: self.plan.name().to_owned(),
            is_strict: self.plan.is_strict,
            is_paranoid: self.plan.is_paranoid,
            ..run_of(java, &self.request.setup)?
        }))
    }

    /// The failure to find classes that the program names, if there are any.
    fn incomplete(&self) -> Option<Failure> {
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
    let (mut finding, has_races) = prepared.answer(watcher)?;
    let program = &prepared.program;
    if finding.traces.is_empty() && finding.reasons.is_empty() {
        let steps = finding.statistics.map_or(0, |it| it.transitions);
        let mut monitor = Patience::new(watcher);
        finding.not_covered = not_covered(program, steps, has_races, &mut monitor);
        if !prepared.request.search.properties.ends {
            finding.remarks.extend(no_end(program, steps, &mut monitor));
        }
    }
    // The process ends soon: giving all of the library back piece by piece takes longer than
    // many a search.
    std::mem::forget(prepared.program);
    Ok(finding)
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
        random: match setup.randomness {
            Randomness::Seed(seed) => seed.to_string(),
            Randomness::Explore => "explore".to_owned(),
        },
        clock: match setup.time {
            Time::Logical => "logical".to_owned(),
            Time::Any => "any".to_owned(),
        },
        timeouts: match setup.timeouts {
            Timeouts::Any => "any".to_owned(),
            Timeouts::Last => "last".to_owned(),
        },
        ..SavedJava::default()
    })
}
