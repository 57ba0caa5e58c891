//! Every clause program of every reduction as one test: under this reduction the program
//! has the same faults, deadlocks and final states as under full search. If the clause that
//! a program stands for is deleted, its test turns red; `mutate` of the testkit shows that.

use libtest_mimic::{Arguments, Failed, Trial};
use raddle_reduce::Reduction;
use raddle_testkit::differential::{Budget, compare_with};
use raddle_testkit::{corpus, expectation, mutations};

const BUDGET: Budget = Budget {
    full: 20_000,
    reduced: 20_000,
};

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for reduction in mutations::reductions() {
        for program in mutations::programs(&reduction) {
            let (name, reduction) = (format!("{reduction}/{program}"), reduction.clone());
            trials.push(Trial::test(name, move || run(&reduction, &program)));
        }
    }
    assert!(!trials.is_empty(), "there are no clauses");
    libtest_mimic::run(&arguments, trials).exit();
}

fn run(reduction: &str, program: &str) -> Result<(), Failed> {
    let row = Reduction::by_name(reduction).ok_or("there is no such reduction")?;
    let path = mutations::root().join(reduction).join(program);
    let source = std::fs::read_to_string(path.with_extension("rad"))?;
    let expectation = expectation::parse(&source)?;
    let machine = corpus::load(&source, &expectation).map_err(|it| format!("{it:?}"))?;
    match compare_with(&machine, BUDGET, [row])?.compared {
        1 => Ok(()),
        _ => Err("the search did not come to its end".into()),
    }
}
