//! What a file is, by its name, and how it becomes something that runs.

use crate::failure::Failure;
use crate::{boolean, files, java, nets, parametric};
use raddle_cbp::Interpreter;
use raddle_cover::NetSystem;
use raddle_cover::formats::tts;
use raddle_java::{Java, Processes, Profile, Randomness, Time};
use raddle_jdk::Launch;
use raddle_lang::compile_with;
use raddle_machine::{Machine, MachineLimits, ir};
use raddle_model::{Narrate, StopFlag, Violation};
use raddle_report::Source;
use raddle_report::saved::SavedJava;
use std::ffi::OsStr;
use std::ops::Range;
use std::path::Path;

/// A program that runs, whatever it is written in.
pub(crate) trait Program: Narrate {
    /// Whether it has invariants.
    fn has_invariants(&self) -> bool;

    /// Why a violation may be none: it may rest on an answer that was made up.
    fn doubt(&self, _violation: &Violation) -> Option<String> {
        None
    }
}

impl Program for Machine {
    fn has_invariants(&self) -> bool {
        !self.program().invariants.is_empty()
    }
}

impl Program for Interpreter {
    fn has_invariants(&self) -> bool {
        !self.program().unsafes.is_empty()
    }
}

impl Program for Java {
    fn has_invariants(&self) -> bool {
        false
    }

    fn doubt(&self, violation: &Violation) -> Option<String> {
        java::doubt(self, violation)
    }
}

impl Program for Processes {
    fn has_invariants(&self) -> bool {
        false
    }

    fn doubt(&self, violation: &Violation) -> Option<String> {
        java::doubt(self, violation)
    }
}

impl Program for NetSystem<'_> {
    fn has_invariants(&self) -> bool {
        true
    }
}

/// Something to be done with a program, whatever it is written in.
pub(crate) trait Task {
    /// What comes of it.
    type Output;

    /// Does it.
    fn run<P: Program>(self, program: &P) -> Self::Output;
}

/// How a program is to be run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Setup {
    /// Other values for the program's constants.
    pub(crate) defines: Vec<(String, i64)>,
    /// Words of a thread's stack.
    pub(crate) stack_words: Option<usize>,
    /// Words of the heap.
    pub(crate) heap_words: Option<usize>,
    /// Threads ever started.
    pub(crate) threads: Option<usize>,
    /// Labels that must not be reached.
    pub(crate) unreachable: Vec<String>,
    /// Sets of states that must not be reached.
    pub(crate) unsafe_sets: Vec<String>,
    /// Where a thread transition system begins, instead of what its files say.
    pub(crate) initially: Option<String>,
    /// How a Java program is run.
    pub(crate) java: Launch,
    /// How several Java programs are run together, if it is not one.
    pub(crate) processes: Vec<Launch>,
    /// What comes of random numbers.
    pub(crate) randomness: Randomness,
    /// How time goes on.
    pub(crate) time: Time,
    /// What is said of its classes from outside.
    pub(crate) profile: Profile,
    /// Whether a data race is a violation.
    pub(crate) races: bool,
    /// Whether waiting threads may wake up for no reason.
    pub(crate) spurious: bool,
    /// What was known of a Java program when a trace of it was saved.
    pub(crate) recalled: Option<SavedJava>,
    /// Ends what takes long.
    pub(crate) stop: StopFlag,
}

impl Setup {
    /// How large a state of a model may become.
    pub(crate) fn limits(&self) -> MachineLimits {
        let defaults = MachineLimits::default();
        MachineLimits {
            stack_words: self.stack_words.unwrap_or(defaults.stack_words),
            heap_words: self.heap_words.unwrap_or(defaults.heap_words),
            threads: self.threads.unwrap_or(defaults.threads),
        }
    }
}

/// Refuses flags that have no meaning for a language, rather than to ignore them.
pub(crate) fn refuse_foreign_flags(setup: &Setup, language: Language) -> Result<(), Failure> {
    let is_net = !matches!(language, Language::Model | Language::Boolean);
    let foreign = [
        (
            !setup.defines.is_empty() && language != Language::Model,
            "-D is for the constants of models; boolean programs and nets have none",
        ),
        (
            !setup.unsafe_sets.is_empty() && language == Language::Model,
            "--unsafe is for boolean programs and nets; a model has invariants, and \
             --unreachable for labels",
        ),
        (
            !setup.unreachable.is_empty() && is_net,
            "--unreachable is for programs with labels; a net has --unsafe for places",
        ),
        (
            (setup.races || setup.spurious) && language != Language::Java,
            "--races and --spurious are for Java programs",
        ),
        (
            setup.initially.is_some() && language != Language::Transitions,
            "--init is for thread transition systems (.tts)",
        ),
    ];
    match foreign.into_iter().find(|(is_given, _)| *is_given) {
        Some((_, why)) => Err(Failure::new(why)),
        None => Ok(()),
    }
}

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// The modelling language.
    Model,
    /// A concurrent boolean program.
    Boolean,
    /// Rules of a net, mist's or our own.
    Rules,
    /// A thread transition system.
    Transitions,
    /// A net in XML.
    Pnml,
    /// Java, as source or as classes.
    Java,
}

impl Language {
    /// By the ending of the file; what has none of the others is a model.
    fn of(path: &Path) -> Language {
        match path.extension().and_then(OsStr::to_str) {
            Some("cbp") => Language::Boolean,
            Some("spec" | "net") => Language::Rules,
            Some("tts") => Language::Transitions,
            Some("pnml") => Language::Pnml,
            Some("java" | "class" | "jar") => Language::Java,
            _ if path.is_dir() => Language::Java,
            _ => Language::Model,
        }
    }
}

/// A program as it was read.
pub(crate) struct Text {
    /// What it is written in.
    pub(crate) language: Language,
    /// Its files. The first is the program itself.
    pub(crate) sources: Vec<Source>,
    /// Which of them are only of which process, if there are several.
    pub(crate) processes: Vec<Range<usize>>,
}

impl Text {
    /// The files that one of several processes may have, with their numbers.
    pub(crate) fn of_process(&self, process: usize) -> impl Iterator<Item = (usize, &Source)> {
        let is_its = move |file: &usize| {
            let owner = self.processes.iter().position(|its| its.contains(file));
            owner.is_none_or(|owner| owner == process)
        };
        let numbered = self.sources.iter().enumerate();
        numbered.filter(move |(file, _)| is_its(file))
    }

    /// The program itself.
    pub(crate) fn main(&self) -> &Source {
        &self.sources[0]
    }
}

/// Reads a program with all files that belong to it; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<Text, Failure> {
    let language = Language::of(path);
    let sources = match language {
        Language::Model | Language::Boolean => vec![files::read_program(path)?],
        Language::Rules | Language::Pnml => vec![files::read_net(path)?],
        Language::Java => java::sources(path)?,
        Language::Transitions => {
            let name = path.display().to_string();
            let mut sources = vec![files::read_net(path)?];
            // What does not exist is left empty, so that a file is known by its position.
            for candidates in [tts::property_files(&name), tts::initial_files(&name)] {
                let found = candidates.iter().find(|name| Path::new(name).is_file());
                sources.push(match found {
                    Some(name) => files::read_net(Path::new(name))?,
                    None => Source::default(),
                });
            }
            sources
        }
    };
    Ok(Text {
        language,
        sources,
        processes: Vec::new(),
    })
}

/// Reads several Java programs that run together.
pub(crate) fn read_processes(launches: &[Launch]) -> Result<Text, Failure> {
    let (mut sources, mut processes) = (Vec::new(), Vec::new());
    for launch in launches {
        let first = sources.len();
        sources.append(&mut java::sources(&launch.file)?);
        processes.push(first..sources.len());
    }
    Ok(Text {
        language: Language::Java,
        sources,
        processes,
    })
}

/// Makes a program ready to run, and does something with it.
pub(crate) fn with<T: Task>(text: &Text, setup: &Setup, task: T) -> Result<T::Output, Failure> {
    match text.language {
        Language::Model => Ok(task.run(&model(text.main(), setup)?)),
        Language::Boolean => {
            let program = boolean::load(text, setup)?;
            Ok(task.run(&boolean::interpreter(program, setup)))
        }
        Language::Java if setup.processes.is_empty() => {
            Ok(task.run(&java::load(text, setup)?.program))
        }
        Language::Java => Ok(task.run(&java::load_processes(text, setup)?.program)),
        Language::Rules | Language::Transitions | Language::Pnml => {
            match nets::load(text, setup)? {
                Ok(parsed) => Ok(task.run(&NetSystem::new(&parsed.net))),
                Err(unsupported) => Err(Failure::new(unsupported)),
            }
        }
    }
}

/// A program in the modelling language whose only invariant is false where an expression is
/// true.
pub(crate) fn model_with_goal(
    source: &Source,
    setup: &Setup,
    goal: &str,
) -> Result<Machine, Failure> {
    let compile = |text: &str| compile_with(text, &setup.defines);
    let plain = compile(&source.text);
    let plain = plain.map_err(|mistakes| Failure::program(source.clone(), mistakes))?;
    // The expression gets lines of its own, and the names of the program.
    let text = format!("{}\ninvariant !(\n{goal}\n);\n", source.text);
    let mut program = compile(&text).map_err(|mistakes| {
        let told = mistakes.iter().map(|mistake| mistake.message.as_str());
        let told: Vec<&str> = told.collect();
        Failure::new(format!("`{goal}`: {}", told.join("; ")))
    })?;
    // Whatever else was slipped in would make it another program.
    let is_same = program.declarations == plain.declarations
        && program.regions == plain.regions
        && program.invariants.len() == plain.invariants.len() + 1;
    if !is_same {
        return Err(Failure::new(format!("`{goal}` is not an expression")));
    }
    program.invariants = program.invariants.split_off(plain.invariants.len());
    machine(program, source, setup)
}

/// A program in the modelling language.
pub(crate) fn model(source: &Source, setup: &Setup) -> Result<Machine, Failure> {
    refuse_foreign_flags(setup, Language::Model)?;
    machine(compile(source, setup)?, source, setup)
}

/// A program in the modelling language in the machine's form.
pub(crate) fn compile(source: &Source, setup: &Setup) -> Result<ir::Program, Failure> {
    compile_with(&source.text, &setup.defines)
        .map_err(|mistakes| Failure::program(source.clone(), mistakes))
}

/// Makes a program in the modelling language ready to run.
pub(crate) fn machine(
    program: ir::Program,
    source: &Source,
    setup: &Setup,
) -> Result<Machine, Failure> {
    parametric::refuse(&program)?;
    let labels: Vec<String> = program
        .labels
        .iter()
        .map(|label| label.name.clone())
        .collect();
    let mut machine = Machine::new(program, setup.limits()).map_err(|defects| {
        let told: Vec<&str> = defects
            .iter()
            .map(|defect| defect.message.as_str())
            .collect();
        Failure::new(format!(
            "{} cannot be run: {}",
            source.name,
            told.join("; ")
        ))
    })?;
    for label in &setup.unreachable {
        if !machine.forbid(label) {
            return Err(no_such_label(label, &labels, &source.name));
        }
    }
    Ok(machine)
}

fn no_such_label(label: &str, labels: &[String], file: &str) -> Failure {
    let known = match labels {
        [] => "it has no labels".to_owned(),
        labels => format!("its labels are {}", labels.join(", ")),
    };
    Failure::new(format!("there is no label `{label}` in {file}; {known}"))
}
