//! Every clause program of every reduction as one test: under this reduction the program
//! has the same faults, deadlocks and final states as under full search; the same claims
//! are broken; and deadlocks are not excluded if there are some. If the clause that a
//! program stands for is deleted, its test turns red; `mutate` of the testkit shows that.

use libtest_mimic::{Arguments, Failed, Trial};
use raddle_machine::Machine;
use raddle_reduce::{Method, Reduction, Strictness};
use raddle_search::Survey;
use raddle_testkit::differential::{Budget, breaks_a_claim, compare_with, search_for};
use raddle_testkit::{corpus, expectation, mutations};

const STATES: u64 = 20_000;

const BUDGET: Budget = Budget {
    full: STATES,
    reduced: STATES,
};

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for reduction in mutations::reductions() {
        // Those of Java and of abstraction have tests of their own.
        let list = mutations::load(&reduction).unwrap_or_default();
        if list.package != "raddle-reduce" {
            continue;
        }
        for program in mutations::programs(&reduction) {
            let (name, reduction) = (format!("{reduction}/{program}"), reduction.clone());
            trials.push(Trial::test(name, move || run(&reduction, &program)));
        }
    }
    assert!(!trials.is_empty(), "there are no clauses");
    libtest_mimic::run(&arguments, trials).exit();
}

fn run(reduction: &str, program: &str) -> Result<(), Failed> {
    let list = mutations::load(reduction)?;
    let path = mutations::root().join(reduction).join(program);
    let source = std::fs::read_to_string(path.with_extension("rad"))?;
    let expectation = expectation::parse(&source)?;
    let machine = corpus::load(&source, &expectation).map_err(|it| format!("{it:?}"))?;
    let is_answered = !list.unanswered.iter().any(|it| it == program);
    for (index, name) in list.rows.iter().enumerate() {
        let row = Reduction::by_name(name).ok_or("there is no such reduction")?;
        let tally = compare_with(&machine, BUDGET, [row])?;
        match index == 0 && is_answered != (tally.compared == 1) {
            true if is_answered => return Err("the search did not come to its end".into()),
            true => return Err("there is an answer".into()),
            false => {}
        }
        compare_claims(&machine, row)?;
        compare_exclusion(&machine, row)?;
    }
    Ok(())
}

/// Whether a claim is broken is found out by every reduction that checks claims.
fn compare_claims(machine: &Machine, row: Reduction) -> Result<(), String> {
    if machine.program().claims.is_empty() || !row.entry().checks {
        return Ok(());
    }
    let is_broken = |reduction: Reduction| {
        let method = Method {
            strictness: Strictness::Strict,
            ..reduction.into()
        };
        breaks_a_claim(&search(machine, method, true))
    };
    let (full, reduced) = (is_broken(Reduction::FULL), is_broken(row));
    match full.is_some() && reduced.is_some() && full != reduced {
        true => Err(format!(
            "{}: a claim is broken: {reduced:?}; full search: {full:?}",
            row.entry().name
        )),
        false => Ok(()),
    }
}

/// Who can prove that there are no deadlocks does not if there are some.
fn compare_exclusion(machine: &Machine, row: Reduction) -> Result<(), String> {
    if !row.entry().excludes_deadlocks {
        return Ok(());
    }
    let full = search(machine, Reduction::FULL.into(), false);
    let reduced = search(machine, row.into(), false);
    match !full.violations.is_empty() && reduced.reasons.is_empty() {
        true => Err(format!(
            "{}: there are deadlocks after all",
            row.entry().name
        )),
        false => Ok(()),
    }
}

/// Searches for faults, or for deadlocks, to the end.
fn search(machine: &Machine, method: Method, faults: bool) -> Survey {
    search_for(machine, method, faults, STATES, false)
}
