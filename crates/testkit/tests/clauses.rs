//! Every clause program of symmetry as one test: the orbits and the violations that a search up to
//! symmetry finds are those of plain search. If the clause that a program stands for is deleted, its test
//! turns red; `mutate` shows that.

use libtest_mimic::{Arguments, Failed, Trial};
use raddle_testkit::mutations;
use raddle_testkit::symmetry::compare;

fn main() {
    let arguments = Arguments::from_args();
    let programs = mutations::programs("symmetry");
    assert!(!programs.is_empty(), "there are no clauses");
    let trials = programs
        .into_iter()
        .map(|program| Trial::test(format!("symmetry/{program}"), move || run(&program)));
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

fn run(name: &str) -> Result<(), Failed> {
    let path = mutations::root().join("symmetry").join(name);
    let source = std::fs::read_to_string(path.with_extension("rad"))?;
    compare(&source, &mut |_| {})?;
    Ok(())
}
