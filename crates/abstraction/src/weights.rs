//! Integers that count threads.
//!
//! If every step of every thread changes an integer by a constant that depends on the step
//! only, and all ways to a location add up to the same, then the integer is its initial
//! value plus the sum of the weights of all threads, each by its location. If no weight of
//! a kind with many threads is negative, the integer is at least what some of the threads
//! contribute; and likewise at most. That is true only as long as nothing overflows.

use crate::program::{Program, Template};
use crate::terms::{Term, Var};
use std::collections::HashMap;

/// An integer that counts threads.
#[derive(Clone, Debug)]
pub(crate) struct Counter {
    /// The integer.
    pub(crate) var: Var,
    pub(crate) initial: i64,
    /// 1 if it is at least what some threads contribute, -1 if it is at most that.
    pub(crate) sign: i64,
    /// What a thread contributes, by template and location.
    pub(crate) weights: Vec<HashMap<usize, i64>>,
}

/// All integers that count threads.
pub(crate) fn counters(program: &mut Program) -> Vec<Counter> {
    if !program.no_overflow {
        return Vec::new();
    }
    let mut counters = Vec::new();
    for global in program.globals.clone() {
        let Some(initial) = global.initial else {
            continue;
        };
        if program.terms.info(global.var).range.is_none() {
            continue;
        }
        let mut weights = Vec::new();
        let mut is_used = false;
        for template in &program.templates.clone() {
            match weigh(program, template, global.var, &mut is_used) {
                Some(found) => weights.push(found),
                None => break,
            }
        }
        if weights.len() < program.templates.len() || !is_used {
            continue;
        }
        let many = program
            .templates
            .iter()
            .zip(&weights)
            .filter(|(it, _)| !it.once);
        let of_many: Vec<i64> = many.flat_map(|(_, w)| w.values().copied()).collect();
        let sign = match () {
            () if of_many.iter().all(|&weight| weight >= 0) => 1,
            () if of_many.iter().all(|&weight| weight <= 0) => -1,
            () => continue,
        };
        counters.push(Counter {
            var: global.var,
            initial,
            sign,
            weights,
        });
    }
    counters
}

/// The weights of the locations of a template, if there are any that fit.
fn weigh(
    program: &mut Program,
    template: &Template,
    var: Var,
    is_used: &mut bool,
) -> Option<HashMap<usize, i64>> {
    let current = program.terms.of(var);
    let mut weights = HashMap::from([(0, 0)]);
    let mut pending = vec![0];
    while let Some(from) = pending.pop() {
        let here = weights[&from];
        let mut next = Vec::new();
        for edge in template.edges.iter().filter(|edge| edge.from == from) {
            let change = match edge.updates.get(&var) {
                None => 0,
                Some(&value) => {
                    *is_used = true;
                    let change = program.terms.plus(value, current, -1);
                    program.terms.as_number(change)?
                }
            };
            next.push((edge.to, change));
        }
        let waits = template.waits.iter().filter(|(waits, _, _)| *waits == from);
        next.extend(waits.map(|(_, to, _)| (*to, 0)));
        for (to, change) in next {
            match weights.get(&to) {
                Some(&known) if known == here + change => {}
                Some(_) => return None,
                None => {
                    weights.insert(to, here + change);
                    pending.push(to);
                }
            }
        }
    }
    Some(weights)
}

impl Counter {
    /// What is known while a thread is at a location, and another one, perhaps, at another.
    pub(crate) fn fact(
        &self,
        program: &mut Program,
        at: (usize, usize),
        other: Option<(usize, usize)>,
    ) -> Term {
        let weight = |(template, location): (usize, usize)| {
            self.weights[template].get(&location).copied().unwrap_or(0)
        };
        let mut sum = self.initial + weight(at) + other.map_or(0, weight);
        for (number, template) in program.templates.iter().enumerate() {
            let counted = number == at.0 || other.is_some_and(|other| other.0 == number);
            if template.once && !counted {
                let weights = self.weights[number].values();
                sum += match self.sign > 0 {
                    true => weights.min().copied().unwrap_or(0),
                    false => weights.max().copied().unwrap_or(0),
                };
            }
        }
        let current = program.terms.of(self.var);
        let sum = program.terms.number(sum);
        match self.sign > 0 {
            true => program.terms.at_least(current, sum),
            false => program.terms.at_least(sum, current),
        }
    }

    /// Whether a thread at a location contributes.
    pub(crate) fn counts(&self, (template, location): (usize, usize)) -> bool {
        let weight = self.weights[template].get(&location);
        weight.is_some_and(|&weight| weight != 0)
    }
}
