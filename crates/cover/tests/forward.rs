//! Forward search on small nets, each of which needs one thing that it can do.

#![allow(clippy::unwrap_used)]

use raddle_cover::formats::spec;
use raddle_cover::{
    Answer, Certificate, Monitor, Net, OMEGA, Place, Progress, check_run, check_safe, forward,
};
use std::sync::atomic::{AtomicU64, Ordering};

/// Lets a procedure ask so many times.
struct Patience(AtomicU64);

impl Monitor for Patience {
    fn go_on(&self, _progress: Progress) -> bool {
        self.0.fetch_sub(1, Ordering::Relaxed) > 1
    }
}

fn decide(net: &Net) -> Answer {
    forward(net, &Patience(AtomicU64::new(20)))
}

fn parse(text: &str) -> Net {
    let parsed = spec::parse(text).unwrap();
    assert_eq!(parsed.obstacles, vec![]);
    parsed.net
}

/// The length of the run to a target.
#[track_caller]
fn is_unsafe(text: &str) -> usize {
    let net = parse(text);
    let Answer::Unsafe(run) = decide(&net) else {
        panic!("not unsafe: {text}");
    };
    check_run(&net, &run).unwrap();
    run.firings.len()
}

/// The number of bounds.
#[track_caller]
fn is_safe(text: &str) -> usize {
    let net = parse(text);
    let answer = decide(&net);
    let Answer::Safe(certificate) = answer else {
        panic!("not safe: {answer:?}");
    };
    check_safe(&net, &certificate).unwrap();
    match certificate {
        Certificate::Forward(bounds) => bounds.len(),
        _ => panic!("forward search looked back"),
    }
}

#[test]
fn many_tokens_are_pumped() {
    let length =
        is_unsafe("vars go x rules go >= 1 -> x' = x + 1; init go = 1, x = 0 target x >= 100000");
    assert_eq!(length, 100_000);
}

#[test]
fn what_is_pumped_is_moved() {
    let length = is_unsafe(
        "vars go x y rules go >= 1 -> x' = x + 1; go >= 1 -> y' = y + x, x' = 0, go' = go - 1;
         init go = 1, x = 0, y = 0 target y >= 100000",
    );
    assert_eq!(length, 100_001);
}

/// A pump that uses up what another pump made: three of these for each of those.
#[test]
fn pumps_feed_pumps() {
    let length = is_unsafe(
        "vars first second x y
         rules first >= 1 -> x' = x + 1;
               first >= 1 -> first' = first - 1, second' = second + 1;
               second >= 1, x >= 3 -> x' = x - 3, y' = y + 1;
         init first = 1, second = 0, x = 0, y = 0 target y >= 5000",
    );
    assert_eq!(length, 15_000 + 1 + 5000);
}

/// In each round a place grows that the other place takes over in the next.
#[test]
fn two_rounds_pump_where_one_does_not() {
    is_unsafe("vars a b rules true -> a' = b, b' = a + 1; init a = 0, b = 0 target a >= 50000");
}

#[test]
fn a_loop_pumps_in_which_nobody_is_woken() {
    is_unsafe(
        "vars asleep awake n rules true -> n' = n + 1, wake asleep -> awake;
         init asleep = 1, awake = 0, n = 0 target awake >= 1, n >= 50000",
    );
}

/// Whoever is woken was waiting: the number of those awake does not grow for ever.
#[test]
fn waking_does_not_pump() {
    is_safe(
        "vars asleep awake n rules true -> n' = n + 1, wake asleep -> awake;
         init asleep = 2, awake = 0, n = 0 target awake >= 3",
    );
}

/// What grows in the first round only is not pumped.
#[test]
fn a_copy_does_not_pump() {
    let bounds =
        is_safe("vars go a b rules go >= 1 -> b' = a; init go = 1, a = 1, b = 0 target b >= 2");
    assert_eq!(bounds, 1);
}

#[test]
fn tokens_come_from_where_there_are_any() {
    let length = is_unsafe(
        "vars a b c rules true -> c' = a + b, a' = 0, b' = 0;
         init a = 2, b >= 0, c = 0 target c >= 7",
    );
    assert_eq!(length, 1);
}

#[test]
fn threads_without_number_exclude_each_other() {
    let bounds = is_safe(
        "vars key outside inside
         rules key >= 1, outside >= 1 ->
                   key' = key - 1, outside' = outside - 1, inside' = inside + 1;
               inside >= 1 -> key' = key + 1, inside' = inside - 1, outside' = outside + 1;
         init key = 1, outside >= 0, inside = 0 target inside >= 2",
    );
    assert_eq!(bounds, 2);
}

/// The numbers are too large to be met one by one, and no bound is needed above them.
#[test]
fn precision_grows_where_it_is_needed() {
    is_safe(
        "vars work rest done
         rules work >= 1 -> work' = work - 1, rest' = rest + 1;
               rest >= 200 -> rest' = rest - 200, done' = done + 1;
         init work = 399, rest = 0, done = 0 target done >= 2",
    );
}

#[test]
fn a_marking_that_gets_nowhere_needs_no_bounds() {
    let bounds = is_safe(
        "vars a b c d rules a >= 1 -> b' = b + 1; b >= 2 -> c' = c + b, b' = 0; d >= 1 -> d' = d + 1;
         init a = 1, b = 0, c = 0, d = 0 target d >= 1",
    );
    assert_eq!(bounds, 1);
}

#[test]
fn the_initial_markings_may_be_unsafe() {
    let length = is_unsafe("vars a rules a >= 1 -> a' = a - 1; init a >= 1 target a >= 3");
    assert_eq!(length, 0);
}

/// A ring of philosophers: forward search would have to meet all states.
#[test]
fn whoever_is_stopped_does_not_know() {
    let mut places = String::new();
    let mut rules = String::new();
    let mut init = Vec::new();
    for index in 0..40 {
        let next = (index + 1) % 40;
        places += &format!("thinks{index} eats{index} fork{index} ");
        rules += &format!(
            "thinks{index} >= 1, fork{index} >= 1, fork{next} >= 1 ->
                thinks{index}' = thinks{index} - 1, fork{index}' = fork{index} - 1,
                fork{next}' = fork{next} - 1, eats{index}' = eats{index} + 1;
             eats{index} >= 1 ->
                thinks{index}' = thinks{index} + 1, fork{index}' = fork{index} + 1,
                fork{next}' = fork{next} + 1, eats{index}' = eats{index} - 1;\n"
        );
        init.push(format!(
            "thinks{index} = 1, eats{index} = 0, fork{index} = 1"
        ));
    }
    let everywhere: Vec<String> = (0..40).map(|it| format!("eats{it} >= 1")).collect();
    let (init, target) = (init.join(", "), everywhere.join(", "));
    let net = parse(&format!(
        "vars {places} rules {rules} init {init} target {target}"
    ));
    let answer = forward(&net, &Patience(AtomicU64::new(3)));
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
}

#[test]
fn numbers_that_are_too_large_give_no_answer() {
    let net = |most: u32, target: u32| Net {
        places: vec!["a".to_owned()],
        least: vec![most.min(OMEGA - 1)],
        most: vec![most],
        targets: vec![vec![(Place(0), target)]],
        ..Net::default()
    };
    assert!(matches!(decide(&net(7, OMEGA)), Answer::Safe(_)));
    let largest = net(OMEGA - 1, OMEGA);
    assert!(matches!(decide(&largest), Answer::Unknown(_)));
}

#[test]
fn a_net_with_a_defect_gives_no_answer() {
    let net = Net {
        targets: vec![vec![(Place(3), 1)]],
        ..Net::default()
    };
    assert!(matches!(decide(&net), Answer::Unknown(_)));
}
