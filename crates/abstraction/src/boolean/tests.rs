//! A boolean program has the verdict of the net that it was made of.

use super::{Text, program};
use crate::abstraction::{self, Options};
use crate::covering::programs::{self, Random};
use crate::covering::some_predicates;
use crate::lower::View;
use crate::nets;
use crate::queries::Queries;
use crate::refinement::{Configuration, prepare};
use crate::solver::Propositional;
use crate::{Inquiry, Question, check};
use raddle_cbp::{live_machines, reduced};
use raddle_cover::{Answer, Net, Unwatched, decide};
use raddle_machine::ir;
use raddle_model::StopFlag;
use std::fs;
use std::path::Path;

fn text_of(text: &Text) -> String {
    let lines: Vec<&str> = text.lines.iter().map(|it| it.text.as_str()).collect();
    lines.join("\n")
}

/// Whether threads wake others only while they hold a lock, as those that fall asleep do.
fn loses_no_wakeup(text: &str) -> bool {
    let mut held = 0;
    text.lines().map(str::trim).all(|line| {
        // A label may stand before it.
        let statement = line.rsplit("] ").next().unwrap_or_default();
        match statement.split('(').next() {
            Some("lock") => held += 1,
            Some("unlock") => held -= 1,
            Some("wakeup" | "wakeupall" | "sleep") => return held > 0,
            _ => {}
        }
        true
    })
}

/// Whether a net is safe, if that is decided.
fn is_safe(net: &Net) -> Option<bool> {
    match decide(net, &Unwatched).answer {
        Answer::Safe(_) => Some(true),
        Answer::Unsafe(_) => Some(false),
        Answer::Unknown(_) => None,
    }
}

/// The net of a boolean program, as `raddle check` makes it.
fn net_of(text: &str) -> Net {
    let program = match raddle_cbp::compile(text) {
        Ok(program) => program,
        Err(mistakes) => panic!("{}\n{text}", mistakes[0].message),
    };
    let machines = live_machines(&program).expect("it is small");
    let machines = machines.reduced(reduced::Options::default());
    let net = machines.expect("it is small").net().expect("it is small");
    net.net
}

fn outcome(program: &ir::Program) -> Inquiry {
    let stop = StopFlag::default();
    let question = Question {
        boolean: true,
        ..Question::of(program, &Propositional, 100_000, &stop)
    };
    check(&question, &mut |_| {})
}

/// The models whose last abstraction moves other threads.
const REFUSED: [&str; 14] = [
    "barrier",
    "barrier_any",
    "barrier_if",
    "buffer_any",
    "monotone",
    "notify_once",
    "notify_twice",
    "readers_writers",
    "reference_count",
    "reference_count_wrong",
    "semaphore",
    "ticket_wrong",
    "two_monitors_split",
    "unlocked_counter",
];

/// Its boolean program is as large as its net, and takes a minute to decide.
const LARGE: &str = "bakery";

#[test]
fn boolean_programs_of_models_have_the_verdicts_of_their_nets() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parametric");
    let (mut safe, mut wrong) = (0, 0);
    for entry in fs::read_dir(folder).expect("the models are there") {
        let path = entry.expect("it can be read").path();
        let name = path.file_stem().and_then(|it| it.to_str());
        let name = name.unwrap_or_default().to_owned();
        if name.starts_with(LARGE) {
            continue;
        }
        let text = fs::read_to_string(&path).expect("it can be read");
        let model = raddle_lang::compile(&text).expect("it is well formed");
        let attempts = outcome(&model).attempts;
        let last = attempts.iter().rposition(|it| it.net.is_some());
        for (number, attempt) in attempts.into_iter().enumerate() {
            let (Some(net), Some(boolean)) = (attempt.net, attempt.boolean) else {
                continue;
            };
            let is_last = last == Some(number);
            let text = match boolean {
                Ok(text) => text_of(&text),
                Err(found) => {
                    assert!(found.place.is_some(), "{name}: {found:?}");
                    assert!(!is_last || REFUSED.contains(&&*name), "{name}: {found:?}");
                    continue;
                }
            };
            assert!(!is_last || !REFUSED.contains(&&*name), "{name} fits");
            let expected = is_safe(&net).expect("it is decided");
            assert_eq!(is_safe(&net_of(&text)), Some(expected), "{name}\n{text}");
            match expected {
                true => safe += 1,
                false => wrong += 1,
            }
        }
    }
    assert!(safe > 10 && wrong > 6, "{safe} safe, {wrong} not");
}

/// Abstractions as they are on the way, too, with whatever predicates.
#[test]
fn boolean_programs_of_random_programs_have_the_verdicts_of_their_nets() {
    let mut random = Random::new(71);
    let (mut safe, mut wrong, mut refused, mut sleeping) = (0, 0, 0, 0);
    for _ in 0..400 {
        let source = programs::program(&mut random);
        let ir = raddle_lang::compile(&source).expect(&source);
        let is_tracked = source.contains("count(here0) <= 1") && random.below(2) == 0;
        let configuration = Configuration {
            view: View {
                tracked: is_tracked.then(|| (ir.replicated[0], 2)),
                precise_waits: random.below(2) == 0,
                ..View::default()
            },
            faults: true,
            invariants: true,
            ..Configuration::default()
        };
        let stop = StopFlag::default();
        let mut queries = Queries::new(&Propositional, &stop, 20_000);
        let Ok(mut prepared) = prepare(&ir, &configuration, &queries) else {
            continue;
        };
        let mut predicates = some_predicates(&mut prepared, &mut random);
        // Fewer, so that more of them move nobody.
        predicates.truncate(2 + random.below(4) as usize);
        let options = Options::default();
        let made = abstraction::build(&mut prepared, &predicates, options, &mut queries);
        let Ok(made) = made else { continue };
        let Ok(built) = nets::emit(&mut prepared, &made, options, &mut queries) else {
            continue;
        };
        let Ok(text) = program(&prepared, &made, &built, &[]) else {
            refused += 1;
            continue;
        };
        let text = text_of(&text);
        let Some(expected) = is_safe(&built.net) else {
            continue;
        };
        let found = is_safe(&net_of(&text));
        assert_eq!(found, Some(expected), "{source}\n{text}");
        assert!(loses_no_wakeup(&text), "{source}\n{text}");
        match expected {
            true => safe += 1,
            false => wrong += 1,
        }
        sleeping += usize::from(text.contains("sleep("));
    }
    assert!(
        safe > 20 && wrong > 20 && refused > 20 && sleeping > 5,
        "{safe} safe, {wrong} not, {refused} refused, {sleeping} with threads that wait"
    );
}
