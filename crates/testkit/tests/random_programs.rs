//! Random programs, and what must be true of every one of them. A failure prints the
//! seed and the smallest program found that still fails.
//!
//! `RADDLE_SEED=n` starts elsewhere, `RADDLE_SAMPLES=n` runs more.

use raddle_lang::{coverage, format, parser};
use raddle_machine::{Machine, MachineLimits, text};
use raddle_model::{Limits, Properties, Property, Verdict, Violation};
use raddle_reduce::{Reduction, survey};
use raddle_search::{Budget, Config, Order, StoreKind, Survey};
use raddle_testkit::generate::{Random, Sample, for_all};
use std::cell::Cell;
use std::collections::BTreeSet;

fn machine(sample: &Sample) -> Result<Machine, String> {
    let program = raddle_lang::compile(&sample.source()).map_err(|it| format!("{it:?}"))?;
    Machine::new(program, MachineLimits::default()).map_err(|it| format!("{it:?}"))
}

fn config(order: Order, store: StoreKind) -> Config {
    Config {
        order,
        store,
        properties: Properties::ALL,
        limits: Limits {
            states: Some(20_000),
            ..Limits::NONE
        },
        ..Config::default()
    }
}

#[test]
fn formatting_and_parsing_again_changes_nothing() {
    for_all(2000, |sample| {
        let tree = parser::parse(&sample.source()).map_err(|it| format!("{it:?}"))?;
        let once = format::format(&tree);
        let again = parser::parse(&once).map_err(|it| format!("{once}\n{it:?}"))?;
        match format::format(&again) == once {
            true => Ok(()),
            false => Err(format!("formatted twice:\n{once}")),
        }
    });
}

#[test]
fn the_intermediate_form_reads_back_as_it_was_printed() {
    for_all(1000, |sample| {
        let program = raddle_lang::compile(&sample.source()).map_err(|it| format!("{it:?}"))?;
        let printed = text::print(&program);
        let read = text::parse(&printed).map_err(|it| format!("{printed}\n{it:?}"))?;
        match read == program {
            true => Ok(()),
            false => Err(printed),
        }
    });
}

/// Whether a search ended, and if so how: the part that no search order may change.
fn answer(verdict: &Verdict) -> Option<bool> {
    match verdict {
        Verdict::Holds => Some(true),
        Verdict::Violated(_) => Some(false),
        Verdict::Unknown(_) => None,
    }
}

#[test]
fn orders_and_stores_agree_and_violations_replay() {
    for_all(600, |sample| {
        let machine = machine(sample)?;
        let mut answers = Vec::new();
        for order in Order::ALL {
            for store in [StoreKind::Exact, StoreKind::Fingerprint] {
                let outcome = raddle_search::check(&machine, &config(order, store), &mut ());
                if let Verdict::Violated(violation) = &outcome.verdict {
                    raddle_search::replay(&machine, &violation.schedule, &violation.property)
                        .map_err(|it| format!("does not replay: {it:?}"))?;
                    let budget = Budget {
                        steps: 10_000,
                        words: 1 << 20,
                    };
                    let short = raddle_search::shorten(&machine, violation, budget, &mut ());
                    let short = short.violation;
                    raddle_search::replay(&machine, &short.schedule, &short.property)
                        .map_err(|it| format!("does not replay shortened: {it:?}"))?;
                }
                if let Some(answer) = answer(&outcome.verdict) {
                    let states =
                        (outcome.verdict == Verdict::Holds).then_some(outcome.statistics.states);
                    answers.push((answer, states));
                }
            }
        }
        answers.dedup();
        match answers.len() <= 1 {
            true => Ok(()),
            false => Err(format!("different answers: {answers:?}")),
        }
    });
}

#[test]
fn permuting_the_threads_changes_neither_verdict_nor_counts() {
    for_all(600, |sample| {
        let mut order: Vec<usize> = (0..sample.threads.len()).collect();
        let mut random = Random(sample.source().len() as u64);
        for last in (1..order.len()).rev() {
            order.swap(last, random.below(last as u64 + 1) as usize);
        }
        let counts = |sample: &Sample| -> Result<_, String> {
            let machine = machine(sample)?;
            let survey = raddle_search::check_all(
                &machine,
                &config(Order::BreadthFirst, StoreKind::Exact),
                &mut (),
            );
            let mut kinds: Vec<&str> = survey
                .violations
                .iter()
                .map(|it| it.property.name())
                .collect();
            kinds.sort_unstable();
            kinds.dedup();
            let kinds = kinds.join(" ");
            Ok((
                survey.reasons.is_empty(),
                kinds,
                survey.statistics.states,
                survey.statistics.transitions,
            ))
        };
        let (as_it_is, permuted) = (counts(sample)?, counts(&sample.permuted(&order))?);
        match as_it_is == permuted || !as_it_is.0 || !permuted.0 {
            true => Ok(()),
            false => Err(format!("{as_it_is:?}, permuted by {order:?} {permuted:?}")),
        }
    });
}

/// What a search found, in an order that does not depend on when.
fn kinds(survey: &Survey) -> Vec<String> {
    let all = survey.violations.iter();
    let mut kinds: Vec<String> = all.map(|it| format!("{:?}", it.property)).collect();
    kinds.sort();
    kinds
}

/// The same, where it is left open in which state threads are seen to be stuck.
fn names(survey: &Survey) -> Vec<String> {
    let name = |violation: &Violation| match &violation.property {
        Property::Fault(fault) => format!("{fault:?}"),
        Property::Deadlock(_) | Property::PartialDeadlock(_) => "stuck".to_owned(),
        Property::Temporal(property) => format!("{property:?}"),
        Property::NoEnd(found) => format!("{found:?}"),
    };
    let mut names: Vec<String> = survey.violations.iter().map(name).collect();
    names.sort();
    names.dedup();
    names
}

/// Steps are left out, and no states.
#[test]
fn sleep_sets_on_stored_states_visit_every_state() {
    let sleep = Reduction::by_name("sleep+store").expect("a combination");
    let saved = Cell::new(0);
    for_all(300, |sample| {
        let machine = machine(sample)?;
        let usual = config(Order::DepthFirst, StoreKind::Exact);
        let full = survey(&machine, Reduction::FULL, &usual, &mut (), false);
        if !full.reasons.is_empty() {
            return Ok(());
        }
        for (order, jobs) in Order::ALL.iter().flat_map(|it| [(*it, 1), (*it, 3)]) {
            let config = Config {
                order,
                jobs,
                alone_for: 0,
                ..usual.clone()
            };
            let found = survey(&machine, sleep, &config, &mut (), false);
            let (full, found) = (&full.statistics, found.statistics);
            saved.set(saved.get() + full.transitions - found.transitions.min(full.transitions));
            if full.states != found.states {
                let (states, other) = (found.states, full.states);
                return Err(format!("{states} states, not {other}: {order:?}, {jobs}"));
            }
        }
        Ok(())
    });
    assert!(saved.get() > 0);
}

#[test]
fn several_workers_find_what_one_finds() {
    let concurrent = Reduction::ALL.iter().filter(|it| it.entry().concurrent);
    let rows: Vec<Reduction> = concurrent.copied().collect();
    assert!(rows.contains(&Reduction::FULL) && rows.len() > 2);
    let [complete, all] = [const { Cell::new(0) }; 2];
    for_all(400, |sample| {
        let machine = machine(sample)?;
        for (&reduction, order) in rows.iter().flat_map(|row| Order::ALL.map(|it| (row, it))) {
            let entry = reduction.entry();
            if !entry.orders && order != Order::DepthFirst {
                continue;
            }
            // A few programs have very many states. That tables grow is seen without a reduction,
            // where a step takes a tenth of the time.
            let states = match reduction == Reduction::FULL {
                true => 20_000,
                false => 1_000,
            };
            let alone = Config {
                properties: entry.looks_for(),
                limits: Limits {
                    states: Some(states),
                    ..Limits::NONE
                },
                ..config(order, StoreKind::Exact)
            };
            let together = Config {
                jobs: 3,
                alone_for: 0,
                ..alone.clone()
            };
            // What is left out may depend on who comes first.
            let is_counted = matches!(reduction, Reduction::FULL | Reduction::CARTESIAN);
            let one = survey(&machine, reduction, &alone, &mut (), false);
            let many = survey(&machine, reduction, &together, &mut (), false);
            all.set(all.get() + 1);
            if !one.reasons.is_empty() || !many.reasons.is_empty() {
                // Where a limit ends a search is chance; that it does is not, unless it depends on
                // the order how many states there are.
                match one.reasons == many.reasons || !is_counted {
                    true => continue,
                    false => return Err(format!("{:?}, not {:?}", many.reasons, one.reasons)),
                }
            }
            complete.set(complete.get() + 1);
            for violation in &many.violations {
                raddle_search::replay(&machine, &violation.schedule, &violation.property)
                    .map_err(|it| format!("does not replay: {it:?}"))?;
            }
            let told = |survey: &Survey| {
                let counted = survey.statistics;
                let counts = (counted.states, counted.transitions, counted.stutters);
                match is_counted {
                    true => (kinds(survey), Some(counts)),
                    // Who is stuck may be found when others are, too.
                    false => (names(survey), None),
                }
            };
            if told(&one) != told(&many) {
                let name = entry.name;
                return Err(format!("`{name}`: {:?}, not {:?}", told(&many), told(&one)));
            }
        }
        Ok(())
    });
    let (complete, all) = (complete.get(), all.get());
    assert!(
        10 * complete >= 9 * all,
        "{complete} of {all} came to their end"
    );
}

/// What executions came to in a search with a reduction, if the search came to its end.
fn reached(sample: &Sample, reduction: Reduction) -> Result<Option<BTreeSet<String>>, String> {
    let mut machine = machine(sample)?;
    machine.count_reached();
    let config = Config {
        properties: Properties {
            faults: true,
            ..Properties::NONE
        },
        ..config(Order::DepthFirst, StoreKind::Exact)
    };
    let found = survey(&machine, reduction, &config, &mut (), false);
    let points = coverage::points(&sample.source(), machine.program(), machine.reached());
    let reached = points
        .iter()
        .enumerate()
        .filter(|(_, point)| point.count > 0);
    let names =
        reached.map(|(number, point)| format!("{number}: {:?} {:?}", point.kind, point.place));
    let vacuities = coverage::vacuities(&machine, machine.reached(), false);
    let names = names.chain(vacuities.iter().map(|it| format!("{it:?}")));
    Ok(found.reasons.is_empty().then(|| names.collect()))
}

#[test]
fn reductions_reach_what_full_search_reaches() {
    let compared = Cell::new(0);
    for_all(400, |sample| {
        let Some(full) = reached(sample, Reduction::FULL)? else {
            return Ok(());
        };
        for reduction in Reduction::combinations().filter(|it| it.entry().finds_each_fault) {
            let Some(found) = reached(sample, reduction)? else {
                continue;
            };
            compared.set(compared.get() + 1);
            if found != full {
                let differ: Vec<&String> = full.symmetric_difference(&found).collect();
                return Err(format!("{}: {differ:?}", reduction.entry().name));
            }
        }
        Ok(())
    });
    assert!(compared.get() > 2000, "only {} searches", compared.get());
}
