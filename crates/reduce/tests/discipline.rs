//! StrictClaims about who accesses what: wrong ones cost nothing but states, and whether they
//! are wrong is found out by every reduction that checks them, as it is by full search.

use raddle_machine::{Machine, MachineLimits};
use raddle_model::Verdict;
use raddle_reduce::{Method, Reading, Reduction, Strictness};
use raddle_search::Survey;
use raddle_testkit::claims::claiming;
use raddle_testkit::differential::{breaks_a_claim, search_for};
use raddle_testkit::generate::{Sample, for_all};
use std::cell::Cell;

fn search(machine: &Machine, method: Method, faults: bool, first: bool) -> Survey {
    search_for(machine, method, faults, 10_000, first)
}

fn compare(source: &str) -> Result<(), String> {
    // A program that was made smaller may lack what its claims speak of.
    let Ok(program) = raddle_lang::compile(source) else {
        return Ok(());
    };
    let machine =
        Machine::new(program, MachineLimits::default()).map_err(|it| format!("{it:?}"))?;
    let whole = search(&machine, Reduction::FULL.into(), true, false);
    if !whole.reasons.is_empty() {
        return Ok(());
    }
    for &reduction in Reduction::ALL {
        let strict = |reduction: Reduction| Method {
            strictness: Strictness::Strict,
            ..reduction.into()
        };
        for faults in [true, false] {
            if !faults && !reduction.entry().preserves.deadlock {
                continue;
            }
            let full = search(&machine, Reduction::FULL.into(), faults, true).into_outcome();
            let reduced = search(&machine, reduction.into(), faults, true).into_outcome();
            match (&full.verdict, &reduced.verdict) {
                (Verdict::Holds, Verdict::Violated(_)) | (Verdict::Violated(_), Verdict::Holds) => {
                    let name = reduction.entry().name;
                    return Err(format!(
                        "{name}, faults {faults}: {reduced:?}; full: {full:?}"
                    ));
                }
                _ => {}
            }
        }
        if reduction.entry().checks {
            let full = breaks_a_claim(&search(&machine, strict(Reduction::FULL), true, false));
            let reduced = breaks_a_claim(&search(&machine, strict(reduction), true, false));
            if full.is_some() && reduced.is_some() && full != reduced {
                let name = reduction.entry().name;
                return Err(format!(
                    "{name}: a claim is broken: {reduced:?}; full: {full:?}"
                ));
            }
        }
    }
    Ok(())
}

#[test]
fn claims_are_checked_and_never_trusted() {
    let (claimed, all) = (Cell::new(0), Cell::new(0));
    for_all(400, |sample: &Sample| {
        let source = claiming(sample);
        all.set(all.get() + 1);
        claimed.set(claimed.get() + usize::from(raddle_lang::compile(&source).is_ok()));
        compare(&source)
    });
    let (claimed, all) = (claimed.get(), all.get());
    assert!(claimed == all, "only {claimed} of {all} make sense");
}

/// Section 10 of paper 000, as printed and as it is done here.
#[test]
fn literal_reading_needs_disjoint_claims() {
    let source = include_str!("../../../tests/papers/models/barrier.rad");
    let program = raddle_lang::compile(source).expect("it compiles");
    let machine = Machine::new(program, MachineLimits::default()).expect("it is well formed");
    let states = |method| {
        let survey = search(&machine, method, true, true);
        assert!(survey.violations.is_empty() && survey.reasons.is_empty());
        survey.statistics.states
    };
    let optimistic = Method::from(Reduction::OPTIMISTIC);
    let literal = Method {
        reading: Reading::Literal,
        ..optimistic
    };
    assert_eq!(states(literal), 38);
    assert!(states(optimistic) > 38);
}
