//! Java programs: found, compiled, and searched.

use crate::args::Run;
use crate::commands::run;
use crate::failure::Failure;
use crate::pipeline::{self, Finding, Request};
use crate::programs::{Program, Setup, Text};
use crate::progress::Watcher;
use raddle_jvm::load::Jdk;
use raddle_jvm::{Grain, Java, Processes, Programs, World};
use raddle_model::{Race, Reason};
use raddle_reduce::{Method, Policy, Reduction};
use raddle_report::Source;
use raddle_search::{Monitor, Order, Progress};
use std::fs;
use std::path::Path;

/// How a reduction is done for Java: how much others notice of a step, which is the
/// machine's business, and how the steps are searched. Those that are not there need to know
/// what threads may still do.
fn plan(reduction: Reduction) -> Option<(Grain, Reduction)> {
    Some(match reduction {
        Reduction::Full => (Grain::Shared, Reduction::Full),
        Reduction::Local => (Grain::Local, Reduction::Full),
        Reduction::Optimistic => (Grain::Guarded, Reduction::Full),
        Reduction::Transactions | Reduction::Auto => (Grain::Transactions, Reduction::Full),
        Reduction::InvisibleFirst => (Grain::Guarded, Reduction::Sleep),
        Reduction::Sleep => (Grain::Local, Reduction::Sleep),
        Reduction::Dpor => (Grain::Local, Reduction::Dpor),
        Reduction::Cartesian => (Grain::Local, Reduction::Cartesian),
        Reduction::Persistent
        | Reduction::PersistentLocks
        | Reduction::Stateless
        | Reduction::Composed => return None,
    })
}

/// The source files of a program; of classes there are none.
pub(crate) fn sources(path: &Path) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    let is_java = path.is_dir() || path.extension().is_some_and(|ending| ending == "java");
    if is_java {
        for file in run::java_files(path)? {
            let bytes = fs::read(&file).map_err(|error| Failure::file(&file, &error))?;
            sources.push(Source {
                name: file.display().to_string(),
                text: String::from_utf8_lossy(&bytes).into_owned(),
            });
        }
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
    _compiled: Vec<run::Scratch>,
}

/// Makes a program ready to run.
pub(crate) fn load(text: &Text, setup: &Setup) -> Result<Loaded<Java>, Failure> {
    load_one(&text.sources, &setup.java)
}

fn load_one(sources: &[Source], args: &Run) -> Result<Loaded<Java>, Failure> {
    let home = run::find_jdk(args.jdk.as_deref())?;
    let jdk = Jdk::open(&home).map_err(Failure::new)?;
    let program = run::Program::find(args, &home)?;
    let world =
        World::new(jdk, program.sources).map_err(|error| Failure::new(error.to_string()))?;
    let files = sources.iter().map(|source| source.name.clone());
    let java = Java::new(world, &program.main, &args.arguments, files.collect());
    Ok(Loaded {
        program: java.map_err(Failure::new)?,
        _compiled: program.compiled.into_iter().collect(),
    })
}

/// Makes several programs ready to run together. They are known by their files, and by numbers
/// if these are the same.
pub(crate) fn load_processes(setup: &Setup) -> Result<Loaded<Processes>, Failure> {
    let (mut programs, mut compiled) = (Vec::new(), Vec::new());
    let name = |args: &Run| {
        let stem = args.file.file_stem().unwrap_or_default().to_string_lossy();
        args.main.clone().unwrap_or(stem.into_owned())
    };
    let names: Vec<String> = setup.processes.iter().map(name).collect();
    for (index, args) in setup.processes.iter().enumerate() {
        let mut loaded = load_one(&sources(&args.file)?, args)?;
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

/// Answers a request.
pub(crate) fn check(
    text: &Text,
    request: &Request,
    watcher: &mut Watcher,
) -> Result<Finding, Failure> {
    match request.setup.processes.is_empty() {
        true => check_loaded(load(text, &request.setup)?, request, watcher),
        false => check_loaded(load_processes(&request.setup)?, request, watcher),
    }
}

fn check_loaded<P: Programs + Program>(
    loaded: Loaded<P>,
    request: &Request,
    watcher: &mut Watcher,
) -> Result<Finding, Failure> {
    let Some((grain, engine)) = plan(request.method.reduction) else {
        let possible = Reduction::ALL.iter().filter(|it| plan(**it).is_some());
        let names: Vec<&str> = possible.map(|it| it.entry().name).collect();
        return Err(Failure::new(format!(
            "the reduction `{}` is not for Java; choose one of {}",
            request.method.reduction.entry().name,
            names.join(", ")
        )));
    };
    let name = request.method.reduction.entry().name;
    let is_strict = request.method.policy == Policy::Strict;
    let is_automatic = request.method.reduction == Reduction::Auto;
    let request = &Request {
        method: Method {
            reduction: engine,
            policy: Policy::Auto,
            ..request.method
        },
        ..request.clone()
    };
    let method = request.method;
    let Loaded {
        mut program,
        _compiled,
    } = loaded;
    let profile = &request.setup.profile;
    // Whether two steps are independent is not known of what is only said to be a step.
    if !profile.is_empty() && engine != Reduction::Full {
        return Err(Failure::new(
            "what is said of classes by --library or --profile is not for this reduction; choose \
             `auto`, `none`, `local`, `optimistic` or `transactions`",
        ));
    }
    for java in program.programs_mut() {
        java.set_grain(grain);
        java.set_strict(is_strict);
        java.set_profile(profile.clone());
    }
    // Where threads stand together is seen only by a search that visits every state.
    let loses_races = !engine.visits_all_states();
    if request.setup.races && engine != Reduction::Full {
        return Err(Failure::new(format!(
            "the reduction `{name}` does not preserve this property: races; choose another \
             reduction, or leave out --races",
        )));
    }
    pipeline::refuse_what_is_not_preserved(&program, request)?;
    for java in program.programs() {
        java.forbid_races(request.setup.races);
        java.run_freely_when_alone(method.reduction == Reduction::Full && !request.paranoid);
        java.need_ends(method.reduction == Reduction::Dpor);
    }
    // Others than depth-first search of all steps go back to states by their words.
    program.keep(
        request.search.order != Order::DepthFirst || method.reduction == Reduction::Cartesian,
    );
    let survey = loop {
        let mut monitor = Restless {
            programs: program.programs(),
            watcher,
        };
        let survey = raddle_reduce::survey(
            &program,
            method,
            &request.search,
            &mut monitor,
            !request.all,
        );
        let is_out = |reason: &Reason| matches!(reason, Reason::Time | Reason::Memory);
        let is_out = watcher.is_interrupted() || survey.reasons.iter().any(is_out);
        // Each of them is asked, so that nothing stays new.
        let has_news = |any: bool, java: &Java| java.take_news() || any;
        if !program.programs().iter().fold(false, has_news) || is_out {
            break survey;
        }
    };
    let races: Vec<Race> = program.programs().iter().flat_map(Java::races).collect();
    program.programs().iter().for_each(Java::settle);
    program.keep(true);
    let survey = match request.paranoid {
        false => survey,
        true => pipeline::distrustful_search(&program, request, watcher),
    };
    let mut finding = pipeline::conclude(&program, survey, request, watcher);
    if is_automatic {
        let told = "auto: `transactions`, because it loses nothing and takes the fewest steps";
        finding.remarks.insert(0, told.to_owned());
    }
    if finding.traces.is_empty() {
        for remark in program.programs().iter().flat_map(Java::remarks) {
            if !finding.remarks.contains(&remark) {
                finding.remarks.push(remark);
            }
        }
        if loses_races {
            finding.remarks.push(format!(
                "data races were looked for in the states that were visited; the reduction \
                 `{name}` skips others",
            ));
        }
    } else {
        finding.remarks.extend(request.setup.profile.remark());
    }
    if !request.setup.races {
        finding.races = races;
    }
    Ok(finding)
}

/// Ends a search that has to begin again.
struct Restless<'a> {
    programs: &'a [Java],
    watcher: &'a mut Watcher,
}

impl Monitor for Restless<'_> {
    fn tick(&mut self, progress: &Progress) -> Option<Reason> {
        match self.programs.iter().any(Java::has_news) {
            true => Some(Reason::Interrupted),
            false => self.watcher.tick(progress),
        }
    }
}
