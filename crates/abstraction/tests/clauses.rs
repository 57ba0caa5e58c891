//! Every clause program of the abstraction as one test: the answer for any number of threads is
//! the one that stands in the program, with few questions to the solver. As part of the corpus
//! the same programs are searched with the numbers of threads that they name. If the clause that
//! a program stands for is deleted, its test turns red; `mutate` of the testkit shows that.

use libtest_mimic::{Arguments, Failed, Trial};
use raddle_abstraction::solver::Propositional;
use raddle_abstraction::{Conclusion, Question, check};
use raddle_machine::{Machine, MachineLimits};
use raddle_model::{Property, StopFlag};
use raddle_testkit::expectation::{self, Expected};
use raddle_testkit::mutations;

/// How many formulas may be asked: some clauses are about how much work there is.
const QUESTIONS: u64 = 6_000;

/// Programs that go wrong only because a number overflows: they hold, with that said.
const ASSUMED: &[&str] = &["numbers_wrap_around"];

fn main() {
    let arguments = Arguments::from_args();
    let programs = mutations::programs("abstraction");
    assert!(!programs.is_empty(), "there are no clauses");
    let trials = programs
        .into_iter()
        .map(|program| Trial::test(format!("abstraction/{program}"), move || run(&program)));
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

fn run(name: &str) -> Result<(), Failed> {
    let path = mutations::root().join("abstraction").join(name);
    let source = std::fs::read_to_string(path.with_extension("rad"))?;
    let expectation = expectation::parse(&source)?;
    let program = raddle_lang::compile(&source).map_err(|it| format!("{it:?}"))?;
    let stop = StopFlag::default();
    let question = Question::of(&program, &Propositional, QUESTIONS, &stop);
    let answer = check(&question, &mut |_| {}).answer;
    match (answer, expectation.verdict) {
        (Conclusion::Holds { no_overflow, .. }, Expected::Violated(..))
            if no_overflow && ASSUMED.contains(&name) =>
        {
            Ok(())
        }
        (Conclusion::Holds { .. }, Expected::Holds) => Ok(()),
        (Conclusion::Violated(witness), Expected::Violated(kind, line)) => {
            let machine = Machine::new(witness.program, MachineLimits::default());
            let machine = machine.map_err(|it| format!("{it:?}"))?;
            let violation = &witness.violation;
            let trace = raddle_search::replay(&machine, &violation.schedule, &violation.property);
            match trace.map_err(|it| format!("{it:?}"))?.property {
                Property::Fault(fault)
                    if fault.kind.name() == kind && fault.place.map(|it| it.line) == line =>
                {
                    Ok(())
                }
                other => Err(format!("{other:?} instead of {kind} at line {line:?}").into()),
            }
        }
        (Conclusion::Unknown { why, .. }, expected) => {
            Err(format!("unknown ({why}) instead of {expected:?}").into())
        }
        (Conclusion::Holds { no_overflow, .. }, expected) => Err(format!(
            "it holds (assuming no overflow: {no_overflow}) instead of {expected:?}"
        )
        .into()),
        (Conclusion::Violated(_), expected) => {
            Err(format!("violated instead of {expected:?}").into())
        }
    }
}
