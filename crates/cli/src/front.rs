//! Front ends: what a file is, by its name, and what can be done with it.
//!
//! Commands know programs by this trait only. A language is one file with an implementation, and
//! a row in [`ALL`].

use crate::args::{Question, SolverName};
use crate::boolean::Boolean;
use crate::failure::Failure;
use crate::java::Jvm;
use crate::model::Model;
use crate::nets::{Format, Nets};
use crate::pipeline::{Finding, Request};
use crate::programs::{Setup, Text, Visitor};
use crate::progress::Watcher;
use crate::trials::Subject;
use raddle_analysis::Sharing;
use raddle_cbp::Machines;
use raddle_cover::Net;
use raddle_jdk::junit::Suite;
use raddle_machine::ir;
use raddle_model::{Move, Properties, StopFlag};
use raddle_reduce::Reduction;
use raddle_report::Source;
use serde_json::Value;
use std::ffi::OsStr;
use std::path::Path;

/// All of them.
const ALL: [&dyn FrontEnd; 6] = [
    &Model,
    &Boolean,
    &Nets(Format::Rules),
    &Nets(Format::Transitions),
    &Nets(Format::Pnml),
    &Jvm,
];

/// The front end of files with an ending.
pub(crate) fn by_ending(ending: &str) -> Option<&'static dyn FrontEnd> {
    ALL.into_iter().find(|it| it.endings().contains(&ending))
}

/// The front end of a file. What has none of the endings is a model.
pub(crate) fn of(path: &Path) -> &'static dyn FrontEnd {
    let ending = path.extension().and_then(OsStr::to_str);
    match ending.and_then(by_ending) {
        Some(front) => front,
        None if path.is_dir() => &Jvm,
        None => &Model,
    }
}

/// Programs in one language.
pub(crate) trait FrontEnd: Sync {
    /// How their files end.
    fn endings(&self) -> &'static [&'static str];

    /// The flags that mean something for them.
    fn flags(&self) -> Flags;

    /// Reads a program with all files that belong to it. The first is the program itself.
    fn read(&self, path: &Path) -> Result<Vec<Source>, Failure>;

    /// Makes a program ready to be executed step by step, and shows it to a visitor.
    fn visit(&self, text: &Text, setup: &Setup, visitor: &mut dyn Visitor) -> Result<(), Failure>;

    /// Answers a request.
    fn check(
        &self,
        text: &Text,
        request: &Request,
        watcher: &mut Watcher,
    ) -> Result<Finding, Failure>;

    /// The program as something that can be searched again and again, to compare reductions.
    fn subject<'a>(&self, text: &'a Text, setup: &Setup) -> Result<Box<dyn Subject + 'a>, Failure>;

    /// The reduction if none is asked for. `is_plain` if the search is one that skips nothing.
    fn default_reduction(&self, is_plain: bool) -> Reduction;

    /// The search that a reduction comes to, or why it is not possible, as the end of a sentence
    /// about it.
    fn engine(&self, reduction: Reduction, _: &Setup) -> Result<Reduction, &'static str> {
        Ok(reduction)
    }

    /// Whether states have to satisfy something by themselves.
    fn checks_states(&self, flags: &Question) -> bool {
        !flags.no_invariants
    }

    /// Whether a search can be written down and resumed: states can be made of their words.
    fn is_resumable(&self) -> bool {
        false
    }

    /// The steps from the end of a schedule to the nearest state in which an expression of the
    /// language holds; nothing if it has no expressions.
    fn seek(
        &self,
        _text: &Text,
        _setup: &Setup,
        _schedule: &[Move],
        _wanted: &str,
    ) -> Option<Result<Vec<Move>, String>> {
        None
    }

    /// The tests of a class, or those that are named.
    fn tests(
        &self,
        _setup: &Setup,
        _class: &str,
        _method: Option<&str>,
        _stop: &StopFlag,
    ) -> Result<Suite, Failure> {
        Err(Failure::new("--class is for Java"))
    }

    /// The machines that a program is made of: all of their states, or as few as possible.
    fn machines(&self, _: &Text, _: &Setup, _: Machinery) -> Result<Option<Machines>, Failure> {
        Ok(None)
    }

    /// The program in the intermediate form, if that is what it is translated into.
    fn intermediate(&self, _: &Text, _: &Setup) -> Result<Option<ir::Program>, Failure> {
        Ok(None)
    }

    /// What the threads of a program share, as far as that can be known without running it; nothing
    /// for languages of which that is not asked.
    fn sharing(&self, _: &Text, _: &Setup) -> Result<Option<Sharing>, Failure> {
        Ok(None)
    }

    /// The net that a program is.
    fn net(&self, text: &Text, _: &Setup) -> Result<Net, Failure> {
        Err(Failure::new(format!(
            "only boolean programs (.cbp) and nets (.spec, .net, .tts, .pnml) can be translated, \
             and {} has none of these endings",
            text.main().name
        )))
    }

    /// What a certificate proves of a program, which is read and translated for that anew.
    fn verify(
        &self,
        text: &Text,
        _: &Setup,
        _: Properties,
        _: &Value,
    ) -> Result<Verification, Failure> {
        Err(Failure::new(format!(
            "certificates are for boolean programs (.cbp), nets (.spec, .net, .tts, .pnml), and models \
             (.rad) and Java programs with any number of threads, and {} is none of these",
            text.main().name
        )))
    }

    /// Whether `raddle show` can print its programs.
    fn is_model(&self) -> bool {
        false
    }
}

/// What comes of a certificate.
pub(crate) struct Verification {
    /// What it has to prove.
    pub(crate) claim: String,
    /// What it is, in a few words, if it does; otherwise why it does not.
    pub(crate) proof: Result<String, String>,
}

/// Which states machines have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Machinery {
    /// As few as possible.
    Reduced,
    /// All.
    Full,
    /// All, with threads that come and go as in the paper's own translation.
    Closed,
}

/// Flags that do not mean something for every language.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flags {
    /// `-D`.
    pub(crate) constants: bool,
    /// `--unreachable`.
    pub(crate) labels: bool,
    /// `--unsafe`.
    pub(crate) unsafe_sets: bool,
    /// `--races`, `--spurious`.
    pub(crate) java: bool,
    /// `--init`.
    pub(crate) initial: bool,
    /// `--solver`.
    pub(crate) solver: bool,
    /// `--must-end`.
    pub(crate) ends: bool,
    /// `--coverage`.
    pub(crate) coverage: bool,
    /// `--symmetry`.
    pub(crate) symmetry: bool,
}

impl Flags {
    /// Refuses a property that is not there for the language.
    pub(crate) fn refuse_properties(self, properties: Properties) -> Result<(), Failure> {
        match properties.ends && !self.ends {
            true => Err(Failure::new("--must-end is for models and Java programs")),
            false => Ok(()),
        }
    }

    /// Refuses those that mean nothing, rather than to ignore them.
    pub(crate) fn refuse_others(self, setup: &Setup) -> Result<(), Failure> {
        let others = [
            (
                !setup.defines.is_empty() && !self.constants,
                "-D is for the constants of models; other programs have none",
            ),
            (
                !setup.unsafe_sets.is_empty() && !self.unsafe_sets,
                "--unsafe is for boolean programs and nets; a model has invariants, and \
                 --unreachable for labels",
            ),
            (
                !setup.unreachable.is_empty() && !self.labels,
                "--unreachable is for programs with labels; a net has --unsafe for places",
            ),
            (
                (setup.races || setup.spurious) && !self.java,
                "--races and --spurious are for Java programs",
            ),
            (
                setup.symmetry && !self.symmetry,
                "--symmetry is for models (.rad)",
            ),
            (
                setup.coverage && !self.coverage,
                "--coverage is for models (.rad)",
            ),
            (
                setup.any_threads && !self.java,
                "--threads is for Java programs; a model has `thread name[*]`",
            ),
            (
                setup.initially.is_some() && !self.initial,
                "--init is for thread transition systems (.tts)",
            ),
            (
                setup.solver != SolverName::default() && !self.solver,
                "--solver is for models and Java programs with any number of threads",
            ),
        ];
        match others.into_iter().find(|(is_given, _)| *is_given) {
            Some((_, why)) => Err(Failure::new(why)),
            None => Ok(()),
        }
    }
}
