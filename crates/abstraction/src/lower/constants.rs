//! Variables of a thread that have one value wherever it comes to a location.

use crate::program::{Program, Variable};
use crate::terms::{Term, Var};
use std::collections::HashMap;

type Constants = HashMap<Var, Term>;

/// Replaces them, and leaves out the steps that are not possible then.
pub(crate) fn propagate(program: &mut Program, template: usize, locals: &[Variable]) {
    let mut first = Constants::new();
    for local in locals {
        let Some(value) = local.initial else { continue };
        let value = match program.terms.info(local.var).range {
            None => program.terms.bool(value != 0),
            Some(_) => program.terms.number(value),
        };
        first.insert(local.var, value);
    }
    let locations = program.templates[template].locations.len();
    let mut known: Vec<Option<Constants>> = vec![None; locations];
    if let Some(entry) = known.first_mut() {
        *entry = Some(first);
    }
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for number in 0..program.templates[template].edges.len() {
            let edge = program.templates[template].edges[number].clone();
            let Some(before) = known[edge.from].clone() else {
                continue;
            };
            let guard = program.terms.substitute(edge.guard, &before);
            if program.terms.as_bool(guard) == Some(false) {
                continue;
            }
            let mut after = before.clone();
            for (var, value) in &edge.updates {
                if !locals.iter().any(|local| local.var == *var) {
                    continue;
                }
                let value = program.terms.substitute(*value, &before);
                let is_constant = program.terms.vars(value).is_empty();
                match is_constant {
                    true => after.insert(*var, value),
                    false => after.remove(var),
                };
            }
            changed |= meet(&mut known[edge.to], after);
        }
        for (from, to, _) in program.templates[template].waits.clone() {
            if let Some(before) = known[from].clone() {
                changed |= meet(&mut known[to], before);
            }
        }
    }
    let mut edges = Vec::new();
    for mut edge in std::mem::take(&mut program.templates[template].edges) {
        let Some(before) = &known[edge.from] else {
            continue;
        };
        edge.guard = program.terms.substitute(edge.guard, before);
        edge.fits = program.terms.substitute(edge.fits, before);
        for value in edge.updates.values_mut() {
            *value = program.terms.substitute(*value, before);
        }
        if program.terms.as_bool(edge.guard) != Some(false) {
            edges.push(edge);
        }
    }
    program.templates[template].edges = edges;
}

/// Keeps what is the same on all ways; whether anything changed.
fn meet(known: &mut Option<Constants>, other: Constants) -> bool {
    match known {
        None => {
            *known = Some(other);
            true
        }
        Some(known) => {
            let before = known.len();
            known.retain(|var, value| other.get(var) == Some(value));
            known.len() != before
        }
    }
}
