//! Searches of a part, on random programs: whatever they find full search finds, too, it can be
//! replayed, and they never say *holds*. With enough preemptions, all of it is found.

use raddle_machine::{Machine, MachineLimits};
use raddle_model::{Limits, Property, Verdict, Violation};
use raddle_search::{Config, Part, SAMPLERS, Survey, replay, survey, survey_part};
use raddle_testkit::generate::for_all;
use std::cell::Cell;
use std::collections::BTreeSet;

fn machine(source: &str) -> Machine {
    let program = raddle_lang::compile(source).expect("it compiles");
    Machine::new(program, MachineLimits::default()).expect("it is well formed")
}

/// What is violated, without who is stuck: that depends on what others have done.
fn kind(violation: &Violation) -> String {
    match &violation.property {
        Property::Fault(fault) => format!("{:?} at {:?}", fault.kind, fault.place),
        other => other.name().to_owned(),
    }
}

fn kinds(machine: &Machine, survey: &Survey) -> Result<BTreeSet<String>, String> {
    for Violation { property, schedule } in &survey.violations {
        replay(machine, schedule, property)
            .map_err(|error| format!("{property:?} does not happen again: {error:?}"))?;
    }
    Ok(survey.violations.iter().map(kind).collect())
}

#[test]
fn a_part_finds_what_is_there_and_proves_nothing() {
    let config = Config {
        limits: Limits {
            states: Some(10_000),
            depth: Some(1_000),
            ..Limits::NONE
        },
        ..Config::default()
    };
    let (compared, found_by_chance) = (Cell::new(0), Cell::new(0));
    for_all(150, |sample| {
        let machine = machine(&sample.source());
        let full = survey(&machine, &config, &mut (), false);
        if !full.reasons.is_empty() {
            return Ok(());
        }
        let all = kinds(&machine, &full)?;
        let samples = SAMPLERS.iter().map(|entry| Part::Samples {
            sampler: entry.sampler,
            count: 20,
            seed: 1,
        });
        for part in samples.chain([0, 1, 2, 100].map(Part::Preemptions)) {
            let survey = survey_part(&machine, &config, &mut (), false, part);
            let some = kinds(&machine, &survey)?;
            if let Some(more) = some.difference(&all).next() {
                return Err(format!("{part:?} finds {more}, which full search does not"));
            }
            if part == Part::Preemptions(100) && some != all {
                return Err(format!(
                    "all preemptions find {some:?}, full search {all:?}"
                ));
            }
            let is_sampled = matches!(part, Part::Samples { .. });
            found_by_chance
                .set(found_by_chance.get() + usize::from(is_sampled && !some.is_empty()));
            if matches!(survey.into_outcome().verdict, Verdict::Holds) {
                return Err(format!("{part:?} says that it holds"));
            }
        }
        compared.set(compared.get() + 1);
        Ok(())
    });
    assert!(compared.get() > 75, "{} programs", compared.get());
    assert!(found_by_chance.get() > 20, "{}", found_by_chance.get());
}
