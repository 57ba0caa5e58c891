//! Every row of the table against full search, on random programs and on the corpus: as
//! far as a row claims to preserve a property, its answer is the same.

use raddle_machine::{Machine, MachineLimits};
use raddle_model::{Limits, Properties, Verdict};
use raddle_reduce::{Reduction, survey};
use raddle_search::Config;
use raddle_testkit::generate::{Sample, for_all};
use std::path::Path;

const NONE: Properties = Properties {
    faults: false,
    deadlock: false,
    partial_deadlock: false,
    invariants: false,
};

/// Each property alone; partial deadlocks together with deadlocks, because what a
/// reduction finds may be the moment when all others have finished.
const ALONE: [Properties; 4] = [
    Properties {
        faults: true,
        ..NONE
    },
    Properties {
        deadlock: true,
        ..NONE
    },
    Properties {
        deadlock: true,
        partial_deadlock: true,
        ..NONE
    },
    Properties {
        invariants: true,
        ..NONE
    },
];

/// Whether a row of the table preserves a property that stands alone.
fn preserves(reduction: Reduction, alone: &Properties) -> bool {
    let preserved = reduction.entry().preserves;
    (preserved.faults || !alone.faults)
        && (preserved.deadlock || !alone.deadlock)
        && (preserved.partial_deadlock || !alone.partial_deadlock)
        && (preserved.invariants || !alone.invariants)
}

fn agrees_with_full_search(source: &str) -> Result<(), String> {
    let program = raddle_lang::compile(source).map_err(|it| format!("{it:?}"))?;
    let machine =
        Machine::new(program, MachineLimits::default()).map_err(|it| format!("{it:?}"))?;
    for properties in ALONE {
        let config = Config {
            properties,
            limits: Limits {
                states: Some(10_000),
                ..Limits::NONE
            },
            ..Config::default()
        };
        let answer = |reduction| survey(&machine, reduction, &config, &mut (), true).into_outcome();
        let full = answer(Reduction::Full);
        if let Verdict::Unknown(_) = full.verdict {
            continue;
        }
        for &reduction in Reduction::ALL {
            if !preserves(reduction, &properties) {
                continue;
            }
            let reduced = answer(reduction);
            let name = reduction.entry().name;
            match (&full.verdict, &reduced.verdict) {
                (_, Verdict::Unknown(_)) | (Verdict::Holds, Verdict::Holds) => {}
                (Verdict::Violated(_), Verdict::Violated(violation)) => {
                    raddle_search::replay(&machine, &violation.schedule, &violation.property)
                        .map_err(|it| format!("{name}: does not replay: {it:?}"))?;
                }
                (full, reduced) => {
                    return Err(format!("{name}: {reduced:?}, full search: {full:?}"));
                }
            }
        }
    }
    Ok(())
}

#[test]
fn reductions_agree_with_full_search_on_random_programs() {
    for_all(1500, |sample: &Sample| {
        agrees_with_full_search(&sample.source())
    });
}

#[test]
fn reductions_agree_with_full_search_on_the_corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let mut folders = vec![root];
    let mut programs = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)
            .expect("the corpus can be read")
            .flatten()
        {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = std::fs::read_to_string(&path).expect("a program can be read");
            // Programs that are there for their errors, or for a limit, say nothing here.
            if raddle_lang::compile(&source).is_err() || source.contains("//@ max-") {
                continue;
            }
            if let Err(what) = agrees_with_full_search(&source) {
                panic!("{}: {what}", path.display());
            }
            programs += 1;
        }
    }
    assert!(programs > 300, "only {programs} programs were compared");
}
