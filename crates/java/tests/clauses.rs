//! Every clause program of Java's reductions as one test: each reduction finds what full search
//! finds, and that is what the first line of the program says. If the clause that a program stands
//! for is deleted, its test turns red; `mutate` of the testkit shows that.

mod common;

use common::{Budget, Findings, compare, findings, inspect, load, scratch};
use libtest_mimic::{Arguments, Failed, Trial};
use raddle_java::Plan;
use raddle_reduce::Reduction;
use raddle_testkit::jdk::compile_texts;
use raddle_testkit::mutations;

const STATES: u64 = 20_000;

const INSPECTED: u64 = 2_000;

const BUDGET: Budget = Budget {
    full: STATES,
    reduced: STATES,
};

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for program in mutations::programs("java") {
        let name = format!("java/{program}");
        trials.push(Trial::test(name, move || run(&program)));
    }
    assert!(!trials.is_empty(), "there are no clauses");
    libtest_mimic::run(&arguments, trials).exit();
}

fn run(program: &str) -> Result<(), Failed> {
    let path = mutations::root().join("java").join(program);
    let source = std::fs::read_to_string(path.with_extension("java"))?;
    let first = source.lines().next().unwrap_or_default();
    let expected = first
        .strip_prefix("// expect: ")
        .ok_or("the first line does not say what is expected")?;
    let folder = scratch(program);
    compile_texts(&folder, [(program.to_owned(), source.clone())]);
    let mut java = load(&folder, program)?;
    let full = Plan::new(Reduction::FULL).ok_or("there is no full search")?;
    let (found, reasons) = findings(&mut java, &full, STATES, 1)?;
    if !reasons.is_empty() || told(&found) != expected {
        return Err(format!("full search: {found:?}, {reasons:?}").into());
    }
    inspect(&mut java, INSPECTED)?;
    compare(&mut java, BUDGET, 1)?;
    std::fs::remove_dir_all(folder)?;
    Ok(())
}

/// What is wrong with a program, in the words of its first line.
fn told(found: &Findings) -> String {
    let kinds = [
        ("fault", !found.faults.is_empty()),
        ("deadlock", found.deadlock),
        ("stuck", found.partial_deadlock),
        ("race", !found.races.is_empty()),
    ];
    let kinds: Vec<&str> = kinds.iter().filter(|it| it.1).map(|it| it.0).collect();
    match kinds.is_empty() {
        true => "holds".to_owned(),
        false => kinds.join(", "),
    }
}
