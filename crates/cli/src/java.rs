//! Java programs: found, compiled, and searched.

use crate::classes;
use crate::failure::Failure;
use crate::pipeline::{self, Finding, Request};
use crate::programs::{Setup, Text};
use crate::progress::Watcher;
use raddle_jvm::load::Jdk;
use raddle_jvm::{Java, World};
use raddle_model::{Properties, Reason};
use raddle_reduce::Reduction;
use raddle_report::Source;
use raddle_search::{Config, Monitor, Order, Progress};
use std::fs;
use std::path::Path;

/// The reductions that need nothing of a program that Java does not give: no names of objects
/// that last, nothing known of what threads may still do, no states made from words.
const POSSIBLE: [Reduction; 3] = [Reduction::Full, Reduction::Sleep, Reduction::Dpor];

/// The source files of a program; of classes there are none.
pub(crate) fn sources(path: &Path) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    let is_java = path.is_dir() || path.extension().is_some_and(|ending| ending == "java");
    if is_java {
        for file in classes::java_files(path)? {
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
pub(crate) struct Loaded {
    pub(crate) java: Java,
    /// Classes are read when they are needed.
    _compiled: Option<classes::Scratch>,
}

/// Makes a program ready to run.
pub(crate) fn load(text: &Text, setup: &Setup) -> Result<Loaded, Failure> {
    let home = classes::find_jdk(setup.java.jdk.as_deref())?;
    let jdk = Jdk::open(&home).map_err(Failure::new)?;
    let program = classes::Program::find(&setup.java, &home)?;
    let main = program.main()?.to_owned();
    let mut world =
        World::new(jdk, program.sources).map_err(|error| Failure::new(error.to_string()))?;
    world.leave_open(setup.java.randomness, setup.java.time);
    let files = text.sources.iter().map(|source| source.name.clone());
    let files: Vec<String> = files.collect();
    let java = Java::new(world, &main, &setup.java.arguments, files);
    Ok(Loaded {
        java: java.map_err(Failure::new)?,
        _compiled: program.compiled,
    })
}

/// Answers a request.
pub(crate) fn check(
    text: &Text,
    request: &Request,
    watcher: &mut Watcher,
) -> Result<Finding, Failure> {
    let mut method = request.method;
    if method.reduction == Reduction::Auto {
        method.reduction = Reduction::Full;
    }
    let entry = method.reduction.entry();
    if !POSSIBLE.contains(&method.reduction) {
        let names: Vec<&str> = POSSIBLE.iter().map(|it| it.entry().name).collect();
        return Err(Failure::new(format!(
            "the reduction `{}` is not for Java yet; choose one of {}",
            entry.name,
            names.join(", ")
        )));
    }
    if request.search.order != Order::DepthFirst {
        return Err(Failure::new("Java programs are searched depth-first only"));
    }
    let Loaded { java, _compiled } = load(text, &request.setup)?;
    pipeline::refuse_what_is_not_preserved(&java, request)?;
    let config = Config {
        properties: Properties {
            invariants: false,
            ..request.search.properties
        },
        ..request.search.clone()
    };
    java.run_freely_when_alone(method.reduction == Reduction::Full && !request.paranoid);
    java.need_ends(method.reduction == Reduction::Dpor);
    let survey = loop {
        let mut monitor = Restless {
            java: &java,
            watcher,
        };
        let survey = pipeline::search(&java, request, method, &config, &mut monitor);
        let is_out = |reason: &Reason| matches!(reason, Reason::Time | Reason::Memory);
        let is_out = watcher.is_interrupted() || survey.reasons.iter().any(is_out);
        if !java.take_news() || is_out {
            break survey;
        }
    };
    java.settle();
    java.keep(true);
    let survey = match request.paranoid {
        false => survey,
        true => pipeline::distrustful_search(&java, request, watcher),
    };
    let mut survey = survey;
    survey
        .reasons
        .extend(java.doubts().into_iter().map(Reason::GaveUp));
    let mut finding = pipeline::conclude(&java, survey, request, watcher);
    if finding.traces.is_empty() {
        finding.remarks.extend(java.remarks());
    }
    Ok(finding)
}

/// Ends a search that has to begin again.
struct Restless<'a> {
    java: &'a Java,
    watcher: &'a mut Watcher,
}

impl Monitor for Restless<'_> {
    fn tick(&mut self, progress: &Progress) -> Option<Reason> {
        match self.java.has_news() {
            true => Some(Reason::Interrupted),
            false => self.watcher.tick(progress),
        }
    }
}
