//! A search that makes a step again, and cannot: a limit is named, and not the step.

use raddle_model::{
    Footprint, Futures, Halt, Invariants, Object, ObjectState, Permissions, Reason, States, Status,
    System, Temporal, Thread,
};
use raddle_search::{Config, Order, Part, check_all, survey_part};
use std::sync::atomic::{AtomicU64, Ordering};

/// Three threads that count to three. After so many steps there is no room for another one.
struct Tired {
    left: AtomicU64,
}

impl Tired {
    fn after(steps: u64) -> Tired {
        let left = AtomicU64::new(steps);
        Tired { left }
    }
}

impl States for Tired {
    type State = Vec<u32>;

    /// As it is with Java, so that steps are made again.
    fn decodes(&self) -> bool {
        false
    }
}

impl System for Tired {
    fn initial(&self) -> Result<Vec<u32>, Halt> {
        match self.left.load(Ordering::Relaxed) {
            0 => Err(Halt::Stopped(Reason::Memory)),
            _ => Ok(vec![0; 3]),
        }
    }

    fn threads(&self, _: &Vec<u32>) -> usize {
        3
    }

    fn status(&self, state: &Vec<u32>, thread: Thread) -> Status {
        match state[thread.index()] < 3 {
            true => Status::Ready { choices: 1 },
            false => Status::Done,
        }
    }

    fn step(&self, state: &mut Vec<u32>, thread: Thread, _: u32) -> Result<(), Halt> {
        let less = |left: u64| left.checked_sub(1);
        let (set, get) = (Ordering::Relaxed, Ordering::Relaxed);
        if self.left.fetch_update(set, get, less).is_err() {
            return Err(Halt::GaveUp("no room".to_owned()));
        }
        state[thread.index()] += 1;
        Ok(())
    }

    fn footprint(&self, _: &Vec<u32>, _: Thread, _: &mut Footprint) {}

    fn observe(&self, _: &Vec<u32>, _: Object) -> ObjectState {
        ObjectState::Opaque
    }

    fn held(&self, _: &Vec<u32>, _: Thread, _: &mut Vec<Object>) {}

    fn is_daemon(&self, _: &Vec<u32>, _: Thread) -> bool {
        false
    }

    fn is_impatient(&self, _: &Vec<u32>, _: Thread) -> bool {
        false
    }

    fn encode<'a>(&self, state: &'a Vec<u32>, _: &'a mut Vec<u32>) -> &'a [u32] {
        state
    }

    fn decode(&self, words: &[u32], state: &mut Vec<u32>) {
        state.clear();
        state.extend_from_slice(words);
    }
}

impl Futures for Tired {}

impl Permissions for Tired {}

impl Temporal for Tired {}

impl Invariants for Tired {}

#[test]
fn a_step_that_has_no_room_the_second_time_is_no_bug() {
    for (order, jobs) in [
        (Order::DepthFirst, 1),
        (Order::DepthFirst, 2),
        (Order::BreadthFirst, 1),
    ] {
        let config = Config {
            order,
            jobs,
            ..Config::default()
        };
        for steps in 1..300 {
            let survey = check_all(&Tired::after(steps), &config, &mut ());
            for reason in &survey.reasons {
                let told = format!("{reason:?}");
                assert!(told.contains("no room"), "{order:?} {jobs} {steps}: {told}");
            }
        }
    }
}

#[test]
fn a_program_that_has_no_room_for_its_first_state_does_not_end_before_its_first_step() {
    let survey = survey_part(
        &Tired::after(0),
        &Config::default(),
        &mut (),
        true,
        Part::Preemptions(1),
    );
    assert_eq!(survey.reasons, [Reason::Memory]);
}
