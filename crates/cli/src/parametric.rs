//! Models with any number of threads: by predicate abstraction, never by a search of states.

use crate::failure::Failure;
use crate::model::compile;
use crate::pipeline::{Finding, Request};
use crate::programs::Setup;
use crate::progress::Watcher;
use raddle_machine::ir;
use raddle_model::Reason;
use raddle_report::Source;

/// Answers a request about a model with any number of threads.
pub(crate) fn check(
    program: &ir::Program,
    _source: &Source,
    _request: &Request,
    _watcher: &mut Watcher,
) -> Result<Finding, Failure> {
    let told = format!("{}; this is not decided yet", any_number(program));
    Ok(Finding::unknown(Reason::GaveUp(told)))
}

/// Whoever searches states must know how many threads there are.
pub(crate) fn refuse(program: &ir::Program) -> Result<(), Failure> {
    if !program.is_parametric() {
        return Ok(());
    }
    let names = names(program);
    let example = names.first().copied().unwrap_or("worker");
    Err(Failure::new(format!(
        "{}; say how many, as with -D {example}=2",
        any_number(program)
    )))
}

fn any_number(program: &ir::Program) -> String {
    format!(
        "there are any number of `{}`",
        names(program).join("` and `")
    )
}

fn names(program: &ir::Program) -> Vec<&str> {
    let ids = program.replicated.iter();
    let kinds = ids.filter_map(|id| program.declarations.get(usize::from(id.0)));
    kinds.map(|kind| kind.name.as_str()).collect()
}

/// The program of a model, if there are any number of threads in it.
pub(crate) fn load(source: &Source, setup: &Setup) -> Result<Option<ir::Program>, Failure> {
    let program = compile(source, setup)?;
    Ok(program.is_parametric().then_some(program))
}
