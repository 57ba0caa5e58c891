//! Claims about who accesses what: wrong ones cost nothing but states, and whether they
//! are wrong is found out by every reduction that checks them, as it is by full search.

use raddle_machine::{Machine, MachineLimits};
use raddle_model::Verdict;
use raddle_reduce::{Method, Policy, Reading, Reduction};
use raddle_search::Survey;
use raddle_testkit::differential::{breaks_a_claim, search_for};
use raddle_testkit::generate::{Sample, for_all};
use std::cell::Cell;

/// What may be claimed of the variables of a random program; one of each is taken.
const CLAIMS: [(&str, &[&str]); 8] = [
    (
        "int x;\nint y;",
        &[
            "int x protected by m; int y unprotected;",
            "int x initialised by t0; int y protected by m;",
            "int x unprotected; int y initialised by t1 protected by k[0];",
            "int x, y; exclusive x when owner(m) == self || y == 1; exclusive y when at(here);",
            "int x, y; exclusive y when owner(k[0]) == self && x < 2;",
        ],
    ),
    ("int q[2] = 1;", &["int q[2] = 1 unprotected;"]),
    (
        "thread child(int v) {",
        &["thread child(int v) { here: skip;"],
    ),
    (
        "int(0..3 wrap) w;",
        &[
            "int(0..3 wrap) w protected by m;",
            "int(0..3 wrap) w unprotected;",
            "int(0..3 wrap) w initialised by t1;",
        ],
    ),
    (
        "int(0..5) r;",
        &["int(0..5) r unprotected;", "int(0..5) r protected by k[1];"],
    ),
    (
        "bool b;",
        &[
            "bool b unprotected;",
            "bool b; exclusive b when owner(m) == self;",
            "bool b; exclusive b when owner(m) == self || owner(k[0]) == self;",
        ],
    ),
    (
        "int a[2];",
        &[
            "int a[2]; exclusive a[i] when owner(k[i]) == self;",
            "int a[2] unprotected;",
        ],
    ),
    ("Node head;", &["Node head unprotected;"]),
];

/// A random program with claims, some of them wrong.
fn claiming(sample: &Sample, seed: usize) -> String {
    let mut source = sample.source();
    let mut rest = seed;
    for (declaration, claims) in CLAIMS {
        let claim = claims[rest % claims.len()];
        rest /= claims.len();
        source = source.replacen(declaration, claim, 1);
    }
    // Nothing is left to be guessed.
    let node = "record Node { int data; Node next; lock mutex; }";
    let claimed = "record Node { int data protected by mutex; Node next unprotected; lock mutex; }";
    source.replacen(node, claimed, 1)
}

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
    let whole = search(&machine, Reduction::Full.into(), true, false);
    if !whole.reasons.is_empty() {
        return Ok(());
    }
    for &reduction in Reduction::ALL {
        let strict = |reduction: Reduction| Method {
            policy: Policy::Strict,
            ..reduction.into()
        };
        for faults in [true, false] {
            if !faults && !reduction.entry().preserves.deadlock {
                continue;
            }
            let full = search(&machine, Reduction::Full.into(), faults, true).into_outcome();
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
            let full = breaks_a_claim(&search(&machine, strict(Reduction::Full), true, false));
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
        let seed = sample.source().len() * 7919;
        let source = claiming(sample, seed);
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
    let optimistic = Method::from(Reduction::Optimistic);
    let literal = Method {
        reading: Reading::Literal,
        ..optimistic
    };
    assert_eq!(states(literal), 38);
    assert!(states(optimistic) > 38);
}
