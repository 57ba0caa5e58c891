//! What a file is, by its name, and how it becomes something that runs.

use crate::failure::Failure;
use raddle_lang::compile_with;
use raddle_machine::{Machine, MachineLimits};
use raddle_model::Narrate;
use raddle_report::Source;

/// A program that runs, whatever it is written in.
pub(crate) trait Program: Narrate {
    /// Whether it has invariants.
    fn has_invariants(&self) -> bool;
}

impl Program for Machine {
    fn has_invariants(&self) -> bool {
        !self.program().invariants.is_empty()
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
    /// How large a state may become.
    pub(crate) limits: MachineLimits,
    /// Labels that must not be reached.
    pub(crate) unreachable: Vec<String>,
    /// Sets of states that must not be reached.
    pub(crate) unsafe_sets: Vec<String>,
}

/// Makes a program ready to run, and does something with it.
pub(crate) fn with<T: Task>(source: &Source, setup: &Setup, task: T) -> Result<T::Output, Failure> {
    Ok(task.run(&model(source, setup)?))
}

/// A program in the modelling language.
fn model(source: &Source, setup: &Setup) -> Result<Machine, Failure> {
    let program = compile_with(&source.text, &setup.defines)
        .map_err(|mistakes| Failure::program(source.clone(), mistakes))?;
    let labels: Vec<String> = program
        .labels
        .iter()
        .map(|label| label.name.clone())
        .collect();
    let mut machine = Machine::new(program, setup.limits).map_err(|defects| {
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
