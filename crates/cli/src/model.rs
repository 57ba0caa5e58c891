//! Models: programs in the modelling language.

use crate::explore::seek;
use crate::failure::Failure;
use crate::files;
use crate::front::{Flags, FrontEnd, Verification};
use crate::parametric;
use crate::pipeline::{self, Finding, Request};
use crate::programs::{Setup, Text, Visitor};
use crate::progress::Watcher;
use crate::solvers;
use crate::symmetry;
use crate::trials::{Constant, Subject};
use raddle_lang::{compile_with, coverage};
use raddle_machine::reached::Reached;
use raddle_machine::{Machine, ir};
use raddle_model::{Invariants, Move, Properties, Reach};
use raddle_reduce::Reduction;
use raddle_report::Source;
use raddle_search::Monitor;
use serde_json::Value;
use std::path::Path;

/// The modelling language.
pub(crate) struct Model;

impl FrontEnd for Model {
    fn endings(&self) -> &'static [&'static str] {
        &["rad"]
    }

    fn flags(&self) -> Flags {
        Flags {
            constants: true,
            labels: true,
            solver: true,
            ends: true,
            coverage: true,
            symmetry: true,
            ..Flags::default()
        }
    }

    fn read(&self, path: &Path) -> Result<Vec<Source>, Failure> {
        Ok(vec![files::read_program(path)?])
    }

    fn visit(&self, text: &Text, setup: &Setup, visitor: &mut dyn Visitor) -> Result<(), Failure> {
        visitor.machine(&model(text.main(), setup)?);
        Ok(())
    }

    fn check(
        &self,
        text: &Text,
        request: &Request,
        watcher: &mut Watcher,
    ) -> Result<Finding, Failure> {
        let (source, setup) = (text.main(), &request.setup);
        if let Some(program) = parametric::load(source, setup)? {
            if setup.coverage {
                let why = "--coverage is for a certain number of threads, such as -D worker=2";
                return Err(Failure::new(why));
            }
            return parametric::check(&program, source, request, watcher);
        }
        solvers::refuse(setup)?;
        let mut machine = model(source, setup)?;
        if setup.coverage {
            machine.count_reached();
        }
        let mut finding = match setup.symmetry {
            false => pipeline::explore(&machine, request, watcher)?,
            true => symmetry::explore(&machine, source, request, watcher)?,
        };
        if let Some(reached) = finding.reached.take() {
            // What was explored before a search was taken up again is not known.
            let is_whole = request.part.is_none() && watcher.archive().is_none() && !setup.symmetry;
            finding.reach = reach(&machine, source, &reached, request, is_whole, &finding);
        }
        Ok(finding)
    }

    fn subject<'a>(&self, text: &'a Text, setup: &Setup) -> Result<Box<dyn Subject + 'a>, Failure> {
        Ok(Box::new(Constant(model(text.main(), setup)?)))
    }

    fn intermediate(&self, text: &Text, setup: &Setup) -> Result<Option<ir::Program>, Failure> {
        compile(text.main(), setup).map(Some)
    }

    fn verify(
        &self,
        text: &Text,
        setup: &Setup,
        properties: Properties,
        certificate: &Value,
    ) -> Result<Verification, Failure> {
        let program = parametric::load(text.main(), setup)?;
        let program = program.ok_or_else(|| {
            Failure::new(
                "certificates are for models with any number of threads, as in `thread worker[*]`",
            )
        })?;
        parametric::verify(&program, text.main(), setup, properties, certificate)
    }

    fn default_reduction(&self, is_plain: bool) -> Reduction {
        match is_plain {
            true => Reduction::FULL,
            false => Reduction::Auto,
        }
    }

    fn is_resumable(&self) -> bool {
        true
    }

    fn seek(
        &self,
        text: &Text,
        setup: &Setup,
        schedule: &[Move],
        wanted: &str,
    ) -> Option<Result<Vec<Move>, String>> {
        let machine = match with_goal(text.main(), setup, wanted) {
            Ok(machine) => machine,
            Err(failure) => return Some(Err(failure.plain())),
        };
        let goal = |state: &_| machine.check_invariants(state).is_err();
        Some(seek::nearest(&machine, schedule, &goal))
    }

    fn is_model(&self) -> bool {
        true
    }
}

/// A program whose only invariant is false where an expression is true.
fn with_goal(source: &Source, setup: &Setup, goal: &str) -> Result<Machine, Failure> {
    let compile = |text: &str| compile_with(text, &setup.defines);
    let plain = compile(&source.text);
    let plain = plain.map_err(|mistakes| Failure::program(source.clone(), mistakes))?;
    // The expression gets lines of its own, and the names of the program.
    let text = format!("{}\ninvariant !(\n{goal}\n);\n", source.text);
    let mut program = compile(&text).map_err(|mistakes| {
        let messages = mistakes.iter().map(|mistake| mistake.message.as_str());
        let messages: Vec<&str> = messages.collect();
        Failure::new(format!("`{goal}`: {}", messages.join("; ")))
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

/// What the executions of a search came to, which are all if it `is_whole` and came to its end.
fn reach(
    machine: &Machine,
    source: &Source,
    reached: &Reached,
    request: &Request,
    is_whole: bool,
    finding: &Finding,
) -> Reach {
    let is_over = finding.traces.is_empty() || request.all;
    let is_complete = is_whole
        && is_over
        && finding.reasons.is_empty()
        && request.search.properties.faults
        && request.method.reduction.entry().finds_each_fault;
    let program = machine.program();
    Reach {
        points: match reached.counts_all() {
            true => coverage::points(&source.text, program, reached),
            false => Vec::new(),
        },
        is_complete,
        vacuities: match is_complete && finding.traces.is_empty() {
            true => coverage::vacuities(machine, reached, request.search.properties.temporal),
            false => Vec::new(),
        },
    }
}

/// A program, ready to run.
pub(crate) fn model(source: &Source, setup: &Setup) -> Result<Machine, Failure> {
    machine(compile(source, setup)?, source, setup)
}

/// A program in the machine's form.
pub(crate) fn compile(source: &Source, setup: &Setup) -> Result<ir::Program, Failure> {
    compile_with(&source.text, &setup.defines)
        .map_err(|mistakes| Failure::program(source.clone(), mistakes))
}

/// A program in the machine's form, ready to run.
pub(crate) fn machine(
    program: ir::Program,
    source: &Source,
    setup: &Setup,
) -> Result<Machine, Failure> {
    parametric::refuse(&program)?;
    let labels = program.labels.iter().map(|label| label.name.clone());
    let labels: Vec<String> = labels.collect();
    let mut machine = Machine::new(program, setup.limits()).map_err(|defects| {
        let messages = defects.iter().map(|defect| defect.message.as_str());
        let messages: Vec<&str> = messages.collect();
        let messages = messages.join("; ");
        Failure::new(format!("{} cannot be run: {messages}", source.name))
    })?;
    for label in &setup.unreachable {
        if !machine.forbid(label) {
            return Err(no_such_label(label, &labels, &source.name));
        }
    }
    Ok(machine)
}

pub(crate) fn no_such_label(label: &str, labels: &[String], file: &str) -> Failure {
    let known = match labels {
        [] => "it has no labels".to_owned(),
        labels => format!("its labels are {}", labels.join(", ")),
    };
    Failure::new(format!("there is no label `{label}` in {file}; {known}"))
}
