//! A search that is written down goes on from there and comes to the same end.

use crate::common;

use common::{Op::*, Program};
use raddle_model::{Reason, Verdict};
use raddle_search::{
    Archive, Choice, Config, Monitor, Order, Progress, Spill, StoreKind, check, survey_selected,
};
use std::io::{self, Read, Write};

/// Writes the search down and ends it after every so many looks; keeps the last of what was
/// written.
struct Keeper {
    patience: u32,
    looks: u32,
    kept: Option<Vec<u8>>,
    interruptions: u32,
}

impl Keeper {
    fn new(patience: u32) -> Keeper {
        Keeper {
            patience,
            looks: 0,
            kept: None,
            interruptions: 0,
        }
    }
}

impl Monitor for Keeper {
    fn tick(&mut self, _: &Progress) -> Option<Reason> {
        self.looks += 1;
        (self.looks > self.patience).then_some(Reason::Interrupted)
    }

    fn archive(&mut self) -> Option<&mut dyn Archive> {
        Some(self)
    }
}

impl Archive for Keeper {
    fn is_due(&mut self, is_end: bool) -> bool {
        // What is written on the way must not change what follows.
        is_end || self.looks.is_multiple_of(3)
    }

    fn keep(&mut self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        let mut kept = Vec::new();
        write(&mut kept).expect("memory takes everything");
        self.kept = Some(kept);
    }

    fn recall(&mut self) -> Option<Box<dyn Read + '_>> {
        let kept = self.kept.as_deref()?;
        Some(Box::new(kept))
    }
}

fn configs() -> impl Iterator<Item = Config> {
    let stores = [StoreKind::Exact, StoreKind::Fingerprint];
    let all = Order::ALL.into_iter();
    all.flat_map(move |order| {
        stores.map(|store| Config {
            order,
            store,
            ..Config::default()
        })
    })
}

/// With all threads, and with those that do not sleep, which make fewer steps. How often the first
/// search was interrupted.
fn goes_on(program: &Program, config: &Config, patience: u32) -> u32 {
    assert!(goes_on_with(Choice::Sleep, program, config, patience) > 0);
    goes_on_with(Choice::All, program, config, patience)
}

fn goes_on_with(
    choice: Choice<'_, Program>,
    program: &Program,
    config: &Config,
    patience: u32,
) -> u32 {
    let check = |monitor: &mut dyn Monitor| {
        survey_selected(program, choice, config, monitor, true).into_outcome()
    };
    let expected = check(&mut ());
    let mut keeper = Keeper::new(patience);
    let outcome = loop {
        keeper.looks = 0;
        let outcome = check(&mut keeper);
        if outcome.verdict != Verdict::Unknown(vec![Reason::Interrupted]) {
            break outcome;
        }
        keeper.interruptions += 1;
    };
    let counts = |it: &raddle_model::Statistics| {
        [it.states, it.transitions, it.stutters, it.pruned, it.depth]
    };
    assert_eq!(outcome.verdict, expected.verdict, "{config:?}");
    let is_chance = config.jobs > 1 && matches!(choice, Choice::Sleep);
    match is_chance {
        // Who sleeps depends on who comes first.
        true => assert_eq!(outcome.statistics.states, expected.statistics.states),
        false => assert_eq!(counts(&outcome.statistics), counts(&expected.statistics)),
    }
    keeper.interruptions
}

#[test]
fn grids_are_counted_to_the_end() {
    for garbage in [false, true] {
        let mut program = Program::grid(4, 12);
        program.garbage = garbage;
        for config in configs() {
            for patience in [1, 4, 7] {
                assert!(goes_on(&program, &config, patience) > 3);
            }
        }
    }
}

#[test]
fn several_workers_are_interrupted_and_go_on() {
    let program = Program::grid(5, 8);
    for mut config in configs() {
        (config.jobs, config.alone_for) = (3, 0);
        assert!(goes_on(&program, &config, 4) > 3);
    }
}

#[test]
fn others_go_on_with_what_one_has_written() {
    let program = Program::grid(4, 12);
    for mut config in configs() {
        let mut keeper = Keeper::new(3);
        check(&program, &config, &mut keeper);
        (config.jobs, config.alone_for) = (3, 0);
        (keeper.patience, keeper.looks) = (u32::MAX, 0);
        let outcome = check(&program, &config, &mut keeper);
        assert_eq!(outcome.statistics.states, 12_u64.pow(4));
        assert_eq!(outcome.verdict, Verdict::Holds);
    }
}

#[test]
fn a_store_that_became_smaller_stays_so() {
    let mut program = Program::unlike();
    // Without anything that goes wrong: a violation would be an answer.
    program.threads.pop();
    let choices = [Choice::All, Choice::Sleep];
    for (order, choice) in Order::ALL
        .iter()
        .flat_map(|it| choices.map(|one| (*it, one)))
    {
        let mut config = Config {
            order,
            thins: true,
            ..Config::default()
        };
        let exact = survey_selected(&program, choice, &config, &mut (), false);
        config.limits.memory = Some(exact.statistics.peak_bytes * 2 / 3);
        let mut keeper = Keeper::new(5);
        let survey = loop {
            keeper.looks = 0;
            let survey = survey_selected(&program, choice, &config, &mut keeper, false);
            if survey.reasons != [Reason::Interrupted] {
                break survey;
            }
            keeper.interruptions += 1;
        };
        assert!(keeper.interruptions > 3);
        assert_eq!(survey.reasons, []);
        assert_eq!(survey.statistics.states, exact.statistics.states);
        assert_eq!(survey.remarks.len(), 1, "{:?}", survey.remarks);
        assert!(survey.statistics.omission_probability > 0.0);
    }
}

#[test]
fn what_is_in_files_is_written_down_too() {
    let program = Program::grid(5, 9);
    for mut config in configs() {
        config.limits.memory = Some(900_000);
        config.spill = Some(Spill::new(std::env::temp_dir()));
        // Who sleeps is always in memory.
        assert!(goes_on_with(Choice::All, &program, &config, 40) > 3);
    }
}

#[test]
fn violations_are_found_by_the_same_way() {
    // The sum is reached with the last of the choices only, at the end of every execution.
    let mut threads = vec![vec![Add(0, 1); 9]; 4];
    threads.insert(0, vec![AddAny(0, 3)]);
    let program = Program {
        threads,
        variables: vec![0],
        never: Some(38),
        ..Program::default()
    };
    for config in configs() {
        assert!(goes_on(&program, &config, 2) > 0);
    }
}

#[test]
fn what_was_left_out_stays_left_out() {
    let program = Program::grid(4, 12);
    for mut config in configs() {
        config.limits.depth = Some(30);
        let outcome = check(&program, &config, &mut ());
        assert_eq!(outcome.verdict, Verdict::Unknown(vec![Reason::Depth]));
        let mut keeper = Keeper::new(2);
        let resumed = loop {
            keeper.looks = 0;
            let outcome = check(&program, &config, &mut keeper);
            match &outcome.verdict {
                Verdict::Unknown(why) if why.contains(&Reason::Interrupted) => {}
                _ => break outcome,
            }
        };
        assert_eq!(resumed.verdict, outcome.verdict);
        assert_eq!(resumed.statistics.states, outcome.statistics.states);
    }
}

#[test]
fn what_is_not_whole_is_no_answer() {
    let program = Program::grid(4, 12);
    for config in configs() {
        let mut keeper = Keeper::new(3);
        check(&program, &config, &mut keeper);
        let whole = keeper.kept.take().expect("it was written");
        for length in (0..whole.len()).step_by(whole.len() / 50 + 1) {
            keeper.kept = Some(whole[..length].to_vec());
            keeper.patience = u32::MAX;
            let outcome = check(&program, &config, &mut keeper);
            assert!(matches!(outcome.verdict, Verdict::Unknown(_)), "{length}");
        }
    }
}

#[test]
fn where_a_limit_tears_a_step_nothing_is_written() {
    let program = Program::grid(4, 12);
    for mut config in configs() {
        // One state was stored that was not explored: going on would miss it.
        config.limits.states = Some(1500);
        let mut keeper = Keeper::new(u32::MAX);
        let outcome = check(&program, &config, &mut keeper);
        assert_eq!(outcome.verdict, Verdict::Unknown(vec![Reason::States]));
        keeper.looks = 0;
        config.limits.states = None;
        let outcome = check(&program, &config, &mut keeper);
        assert_eq!(outcome.statistics.states, 12_u64.pow(4));
        assert_eq!(outcome.verdict, Verdict::Holds);
    }
}
