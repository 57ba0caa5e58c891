//! The models of `tests/parametric`, each with the answer that stands in its comments.

use raddle_abstraction::solver::Propositional;
use raddle_abstraction::{Conclusion, Inquiry, Question, check};
use raddle_machine::{Machine, MachineLimits, ir};
use raddle_model::{Property, StopFlag};
use std::fs;
use std::path::Path;

pub(crate) fn answer(program: &ir::Program, queries: u64) -> Inquiry {
    let stop = StopFlag::default();
    let question = Question::of(program, &Propositional, queries, &stop);
    check(&question, &mut |_| {})
}

/// The kind of the violation and its line, if one is expected.
fn expected(text: &str) -> Option<(String, u32)> {
    for (number, line) in (1..).zip(text.lines()) {
        if let Some((_, kind)) = line.split_once("//~ VIOLATED ") {
            return Some((kind.trim().to_owned(), number));
        }
    }
    assert!(text.contains("//@ holds"), "nothing is expected");
    None
}

#[test]
fn models_have_the_answers_that_they_expect() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parametric");
    let mut seen = 0;
    for entry in fs::read_dir(folder).expect("the models are there") {
        let path = entry.expect("it can be read").path();
        let name = path
            .file_stem()
            .and_then(|it| it.to_str())
            .unwrap_or_default()
            .to_owned();
        let text = fs::read_to_string(&path).expect("it can be read");
        let program = raddle_lang::compile(&text).expect("it is well formed");
        let outcome = answer(&program, 100_000);
        let told: Vec<_> = outcome
            .attempts
            .iter()
            .map(|it| (&it.name, &it.end))
            .collect();
        for predicate in outcome.attempts.iter().flat_map(|it| &it.predicates) {
            let is_found = predicate.why.starts_with("rules out a run");
            assert_eq!(is_found, predicate.iteration > 0, "{name}: {predicate:?}");
        }
        match (outcome.answer, expected(&text)) {
            (Conclusion::Holds { .. }, None) => {}
            (Conclusion::Violated(witness), Some((kind, line))) => {
                let machine = Machine::new(witness.program, MachineLimits::default());
                let machine = machine.expect("it is well formed");
                let violation = &witness.violation;
                let trace =
                    raddle_search::replay(&machine, &violation.schedule, &violation.property);
                let trace = trace.expect("it can be replayed");
                let Property::Fault(fault) = trace.property else {
                    panic!("{name}: a fault is expected");
                };
                assert_eq!(fault.kind.name(), kind, "{name}");
                assert_eq!(fault.place.map(|it| it.line), Some(line), "{name}");
            }
            (answer, expected) => {
                panic!("{name}: {expected:?} is expected, not {answer:?}; tried: {told:?}")
            }
        }
        seen += 1;
    }
    assert!(seen >= 32, "only {seen} models");
}
