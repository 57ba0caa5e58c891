//! From the checked tree to the machine's form.
//!
//! What is decided here is where steps begin. By default an instruction makes at most
//! one access to shared memory, and exactly the instructions that make one, may block
//! or may choose begin a step; an expression with several shared reads is split into
//! temporaries from left to right. With `granularity statement` an expression stays in
//! one piece and a step begins with every simple statement. Inside of `atomic` nothing
//! is split and no step begins.

mod builder;
mod conditions;
mod effects;
mod expressions;
mod statements;

use crate::ast::Span;
use crate::check::Checked;
use crate::check::tree::{self, Population};
use builder::Builder;
use raddle_diagnostics::{Diagnostic, Lines};
use raddle_machine::ir::{
    Claim, Declaration, DeclarationId, Discipline, InitialThread, Invariant, TemporalProperty,
};
use raddle_machine::ir::{Label, Pc, Program};

/// Turns a checked program into the machine's form. It fails only if a function
/// needs more memory than a frame can have.
pub fn lower(source: &str, checked: &Checked) -> Result<Program, Vec<Diagnostic>> {
    let lines = Lines::new(source);
    let mut program = Program {
        regions: checked.regions.clone(),
        enums: checked.enums.clone(),
        records: checked.records.clone(),
        thread_locals: checked.thread_locals.clone(),
        declarations: checked.declarations.clone(),
        initial_threads: initial_threads(checked),
        replicated: replicated(checked),
        initial_words: checked.initial_words.clone(),
        instances: checked.instances.clone(),
        labels: checked
            .labels
            .iter()
            .map(|name| Label {
                name: name.clone(),
                pc: Pc(0),
            })
            .collect(),
        ..Program::default()
    };
    let mut diagnostics = Vec::new();
    for function in &checked.functions {
        let builder = Builder::new(source, &lines, checked, function, &mut program);
        diagnostics.extend(builder.function());
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    program.invariants = checked
        .invariants
        .iter()
        .map(|invariant| Invariant {
            name: match &invariant.name {
                Some(name) => name.clone(),
                None => text_of(source, &invariant.condition.span),
            },
            condition: expressions::inline(&[], &invariant.condition),
            place: lines.place(invariant.span.start),
        })
        .collect();
    program.temporal = checked
        .properties
        .iter()
        .map(|property| TemporalProperty {
            name: match &property.name {
                Some(name) => name.clone(),
                None => text_of(source, &property.written),
            },
            formula: property.formula.map(&mut |it| expressions::inline(&[], it)),
            fairness: property.fairness,
            place: lines.place(property.span.start),
        })
        .collect();
    program.claims = checked
        .claims
        .iter()
        .map(|claim| Claim {
            region: claim.region,
            discipline: discipline(&claim.discipline),
            place: lines.place(claim.span.start),
        })
        .collect();
    Ok(program)
}

fn initial_threads(checked: &Checked) -> Vec<InitialThread> {
    let mut threads = Vec::new();
    let kinds = checked.declarations.iter().zip(&checked.populations);
    for (id, (declaration, population)) in kinds.enumerate() {
        let id = DeclarationId(id as u16);
        match population {
            Population::Spawned => {}
            Population::One => threads.push(InitialThread {
                name: declaration.name.clone(),
                declaration: id,
                arguments: Vec::new(),
            }),
            Population::Any => threads.push(InitialThread {
                name: format!("{}[0]", declaration.name),
                declaration: id,
                arguments: index_argument(checked, declaration, 0),
            }),
            Population::Numbered(count) => {
                threads.extend((0..*count).map(|n| InitialThread {
                    name: format!("{}[{n}]", declaration.name),
                    declaration: id,
                    arguments: index_argument(checked, declaration, n),
                }));
            }
        }
    }
    threads
}

fn replicated(checked: &Checked) -> Vec<DeclarationId> {
    let populations = checked.populations.iter().enumerate();
    populations
        .filter(|(_, population)| **population == Population::Any)
        .map(|(id, _)| DeclarationId(id as u16))
        .collect()
}

/// The number of a thread is an argument only if its body uses it: otherwise it
/// would only make states differ that are alike.
fn index_argument(checked: &Checked, declaration: &Declaration, index: u32) -> Vec<i32> {
    match checked.functions.get(declaration.function.0 as usize) {
        Some(function) if function.index.is_some() => vec![index as i32],
        _ => Vec::new(),
    }
}

fn discipline(discipline: &tree::Discipline) -> Discipline {
    // No function is around a claim, so there are no registers.
    match discipline {
        tree::Discipline::Exclusive(condition) => {
            Discipline::Exclusive(expressions::inline(&[], condition))
        }
        tree::Discipline::ProtectedBy(location) => {
            let parts = location.parts().map(|part| expressions::inline(&[], part));
            match expressions::cell(location, parts.collect()) {
                Some(cell) => Discipline::ProtectedBy(cell),
                None => Discipline::Unprotected,
            }
        }
        tree::Discipline::Unprotected => Discipline::Unprotected,
        tree::Discipline::InitialisedBy(thread) => Discipline::InitialisedBy(*thread),
    }
}

/// A piece of the source, with its white space folded.
fn text_of(source: &str, span: &Span) -> String {
    let text = source.get(span.clone()).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
