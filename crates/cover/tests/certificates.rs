//! The checks of certificates: right ones are accepted, and with anything changed that
//! matters they are not. Each clause of the checks has a net that only it rules out.

#![allow(clippy::unwrap_used)]

use raddle_cover::formats::spec;
use raddle_cover::{
    Agglomerated, Certificate, Demand, Firing, Linear, Net, OMEGA, Place, Run, check_run,
    check_safe,
};

fn net(text: &str) -> Net {
    let parsed = spec::parse(text).unwrap();
    assert_eq!(parsed.obstacles, vec![]);
    parsed.net
}

/// Threads go in one at a time: while one is inside, the key is not there.
const MUTUAL_EXCLUSION: &str = "
    vars   key outside inside
    rules  key >= 1, outside >= 1 -> key' = key - 1, outside' = outside - 1, inside' = inside + 1;
           inside >= 1 -> key' = key + 1, inside' = inside - 1, outside' = outside + 1;
    init   key = 1, outside >= 0, inside = 0
    target inside >= 2";

fn demand(parts: &[(u32, u32)]) -> Demand {
    parts
        .iter()
        .map(|&(place, least)| (Place(place), least))
        .collect()
}

fn backward(basis: &[&[(u32, u32)]]) -> Certificate {
    Certificate::Backward {
        linear: Vec::new(),
        empty: Vec::new(),
        basis: basis.iter().map(|parts| demand(parts)).collect(),
    }
}

fn with_sum(weights: &[(u32, u64)], bound: u64, basis: &[&[(u32, u32)]]) -> Certificate {
    Certificate::Backward {
        linear: vec![sum(weights, bound)],
        empty: Vec::new(),
        basis: basis.iter().map(|parts| demand(parts)).collect(),
    }
}

fn sum(weights: &[(u32, u64)], bound: u64) -> Linear {
    let weights = weights
        .iter()
        .map(|&(place, weight)| (Place(place), weight))
        .collect();
    Linear { weights, bound }
}

fn with_empty(empty: &[u32]) -> Certificate {
    Certificate::Backward {
        linear: Vec::new(),
        empty: empty.iter().map(|&place| Place(place)).collect(),
        basis: Vec::new(),
    }
}

fn forward(bounds: &[&[u32]]) -> Certificate {
    Certificate::Forward(bounds.iter().map(|bound| bound.to_vec()).collect())
}

#[track_caller]
fn accepted(text: &str, certificate: &Certificate) {
    assert_eq!(check_safe(&net(text), certificate), Ok(()));
}

#[track_caller]
fn rejected(text: &str, certificate: &Certificate, why: &str) {
    let answer = check_safe(&net(text), certificate);
    assert!(
        answer
            .as_ref()
            .is_err_and(|answer| answer.to_string().contains(why)),
        "{answer:?}"
    );
}

const EXCLUSIVE: [&[(u32, u32)]; 3] = [&[(2, 2)], &[(0, 1), (2, 1)], &[(0, 2)]];

#[test]
fn a_basis_shows_that_nobody_gets_above_it() {
    accepted(MUTUAL_EXCLUSION, &backward(&EXCLUSIVE));
}

#[test]
fn every_element_of_a_basis_is_needed() {
    let [two, both, keys] = EXCLUSIVE;
    rejected(MUTUAL_EXCLUSION, &backward(&[both, keys]), "a target");
    rejected(MUTUAL_EXCLUSION, &backward(&[two, keys]), "into the basis");
    rejected(MUTUAL_EXCLUSION, &backward(&[two, both]), "into the basis");
}

#[test]
fn elements_of_a_basis_that_are_too_large_or_too_small_do_not_do() {
    let [two, both, _] = EXCLUSIVE;
    let larger = backward(&[two, both, &[(0, 3)]]);
    rejected(MUTUAL_EXCLUSION, &larger, "into the basis");
    let smaller = backward(&[two, both, &[(0, 1)]]);
    rejected(MUTUAL_EXCLUSION, &smaller, "initial marking");
    rejected(MUTUAL_EXCLUSION, &backward(&[&[]]), "initial marking");
}

#[test]
fn a_basis_has_sorted_elements_with_places_of_the_net() {
    let unsorted = backward(&[&[(2, 1), (0, 1)]]);
    rejected(MUTUAL_EXCLUSION, &unsorted, "none of this net");
    let twice = backward(&[&[(2, 1), (2, 1)]]);
    rejected(MUTUAL_EXCLUSION, &twice, "none of this net");
    rejected(
        MUTUAL_EXCLUSION,
        &backward(&[&[(3, 1)]]),
        "none of this net",
    );
}

#[test]
fn a_sum_excludes_targets() {
    let exclusive = with_sum(&[(0, 1), (2, 1)], 1, &[]);
    accepted(MUTUAL_EXCLUSION, &exclusive);
    let loose = with_sum(&[(0, 1), (2, 1)], 2, &[]);
    rejected(MUTUAL_EXCLUSION, &loose, "a target");
    let tight = with_sum(&[(0, 1), (2, 1)], 0, &[]);
    rejected(MUTUAL_EXCLUSION, &tight, "above its bound");
}

#[test]
fn a_sum_must_not_grow() {
    let forgetful = with_sum(&[(2, 1)], 1, &[]);
    rejected(MUTUAL_EXCLUSION, &forgetful, "makes a sum larger");
    let heavy = with_sum(&[(0, 1), (2, 2)], 1, &[]);
    rejected(MUTUAL_EXCLUSION, &heavy, "makes a sum larger");
    let unbounded = with_sum(&[(0, 1), (1, 1), (2, 1)], 1, &[]);
    rejected(MUTUAL_EXCLUSION, &unbounded, "unbounded");
    let elsewhere = with_sum(&[(7, 1)], 1, &[]);
    rejected(MUTUAL_EXCLUSION, &elsewhere, "does not exist");
}

#[test]
fn a_sum_and_a_basis_help_each_other() {
    let some = with_sum(&[(0, 1), (2, 1)], 1, &[&[(2, 2)]]);
    accepted(MUTUAL_EXCLUSION, &some);
    let without_the_bound = with_sum(&[(0, 1), (2, 1)], 2, &[&[(2, 2)]]);
    rejected(MUTUAL_EXCLUSION, &without_the_bound, "into the basis");
}

#[test]
fn a_token_that_is_moved_must_not_become_heavier() {
    let text =
        "vars a b c rules a >= 1 -> b' = b + a, a' = 0; init a = 2, b = 0, c = 0 target c >= 1";
    accepted(text, &with_sum(&[(0, 1), (1, 1), (2, 1)], 2, &[&[(2, 1)]]));
    let heavier = with_sum(&[(0, 1), (1, 2), (2, 1)], 2, &[&[(2, 1)]]);
    rejected(text, &heavier, "makes a sum larger");
}

#[test]
fn a_token_that_is_copied_counts_twice() {
    let text = "vars a b rules a >= 1 -> b' = b + a; init a = 1, b = 0 target b >= 2";
    let copied = with_sum(&[(0, 1), (1, 1)], 1, &[]);
    rejected(text, &copied, "makes a sum larger");
}

#[test]
fn what_a_guard_makes_sure_of_pays_for_what_is_added() {
    let text = "vars a b rules a >= 2 -> a' = 0, b' = b + 2; init a = 2, b = 0 target b >= 3";
    accepted(text, &with_sum(&[(0, 1), (1, 1)], 2, &[]));
    let cheap = text.replace("a >= 2 ->", "a >= 1 ->");
    rejected(&cheap, &with_sum(&[(0, 1), (1, 1)], 2, &[]), "larger");
}

#[test]
fn waking_must_not_make_a_sum_larger() {
    let text = "vars go asleep awake rules go >= 1 -> go' = go - 1, wake asleep -> awake;
                init go >= 0, asleep = 1, awake = 0 target awake >= 2";
    accepted(text, &with_sum(&[(1, 1), (2, 1)], 1, &[]));
    rejected(text, &with_sum(&[(1, 1), (2, 2)], 1, &[]), "larger");
    rejected(text, &with_sum(&[(2, 1)], 1, &[]), "larger");
}

#[test]
fn a_place_stays_empty_if_all_who_fill_it_need_what_is_not_there() {
    let text = "vars a b c rules b >= 1 -> c' = c + 1; c >= 1 -> b' = b + 1;
                init a >= 0, b = 0, c = 0 target c >= 1";
    accepted(text, &with_empty(&[1, 2]));
    rejected(text, &with_empty(&[2]), "fills");
    rejected(text, &with_empty(&[1]), "fills");
    rejected(text, &with_empty(&[0, 1, 2]), "not empty initially");
    rejected(text, &with_empty(&[1, 2, 5]), "not empty initially");
}

#[test]
fn a_transfer_fills_a_place_unless_its_source_is_empty() {
    let text =
        "vars a b c rules true -> c' = c + b, b' = 0; init a >= 0, b = 0, c = 0 target c >= 1";
    accepted(text, &with_empty(&[1, 2]));
    rejected(text, &with_empty(&[2]), "fills");
    let paid = "vars b c d rules true -> d' = b - 1, c' = c + 1, b' = b; init b = 0, c = 0, d = 0 target c >= 1";
    accepted(paid, &with_empty(&[0, 1, 2]));
}

#[test]
fn waking_fills_a_place_unless_nobody_waits() {
    let text = "vars asleep awake rules true -> wake asleep -> awake;
                init asleep = 0, awake = 0 target awake >= 1";
    accepted(text, &with_empty(&[0, 1]));
    rejected(text, &with_empty(&[1]), "fills");
}

#[test]
fn bounds_show_that_nobody_leaves_them() {
    let bounds: [&[u32]; 2] = [&[1, OMEGA, 0], &[0, OMEGA, 1]];
    accepted(MUTUAL_EXCLUSION, &forward(&bounds));
    rejected(MUTUAL_EXCLUSION, &forward(&bounds[..1]), "leads outside");
    rejected(MUTUAL_EXCLUSION, &forward(&bounds[1..]), "initial");
    rejected(MUTUAL_EXCLUSION, &forward(&[]), "initial");
}

#[test]
fn bounds_that_are_too_small_or_too_large_do_not_do() {
    let low: [&[u32]; 2] = [&[1, OMEGA, 0], &[0, 7, 1]];
    rejected(MUTUAL_EXCLUSION, &forward(&low), "leads outside");
    let few: [&[u32]; 2] = [&[1, 7, 0], &[0, OMEGA, 1]];
    rejected(MUTUAL_EXCLUSION, &forward(&few), "initial");
    let high: [&[u32]; 2] = [&[1, OMEGA, 0], &[0, OMEGA, 2]];
    rejected(MUTUAL_EXCLUSION, &forward(&high), "a target is inside");
    rejected(
        MUTUAL_EXCLUSION,
        &forward(&[&[OMEGA; 3]]),
        "a target is inside",
    );
    rejected(MUTUAL_EXCLUSION, &forward(&[&[1, OMEGA]]), "another net");
    let huge: [&[u32]; 1] = [&[OMEGA - 1, OMEGA, 0]];
    rejected(
        MUTUAL_EXCLUSION,
        &forward(&huge),
        "larger than can be checked",
    );
}

#[test]
fn whoever_may_be_woken_is_bounded_too() {
    let text = "vars go asleep awake rules go >= 1 -> go' = go - 1, wake asleep -> awake;
                init go >= 0, asleep = 1, awake = 0 target awake >= 2";
    accepted(text, &forward(&[&[OMEGA, 1, 0], &[OMEGA, 0, 1]]));
    rejected(text, &forward(&[&[OMEGA, 1, 0]]), "leads outside");
}

/// From both sides: who is woken, and who passes by where nobody waits.
#[test]
fn waking_has_two_kinds_of_predecessors() {
    let text = "vars go asleep awake late
                rules go >= 1 -> go' = go - 1, late' = late + 1, wake asleep -> awake;
                init go = 0, asleep = 1, awake = 0, late = 0 target awake >= 1
                       late >= 1";
    accepted(text, &backward(&[&[(2, 1)], &[(3, 1)], &[(0, 1)]]));
    let awake_only = "vars go asleep awake late
                rules go >= 1 -> go' = go - 1, wake asleep -> awake;
                init go = 1, asleep = 0, awake = 0, late = 0 target awake >= 1";
    accepted(awake_only, &backward(&[&[(2, 1)], &[(0, 1), (1, 1)]]));
    rejected(awake_only, &backward(&[&[(2, 1)]]), "into the basis");
    let passing = "vars go asleep awake late
                rules go >= 1 -> go' = go - 1, late' = late + 1, wake asleep -> awake;
                init go = 0, asleep = 0, awake = 0, late = 0 target late >= 1";
    accepted(passing, &backward(&[&[(3, 1)], &[(0, 1)]]));
    rejected(
        passing,
        &backward(&[&[(3, 1)], &[(0, 1), (1, 1)]]),
        "into the basis",
    );
}

/// What comes from two places may come from the one, from the other, or from both.
#[test]
fn a_transfer_has_all_splits_as_predecessors() {
    let text = "vars go a b c rules go >= 1 -> go' = go - 1, c' = a + b;
                init go = 1, a = 1, b = 0, c = 0 target c >= 2";
    let all: [&[(u32, u32)]; 4] = [
        &[(3, 2)],
        &[(0, 1), (1, 2)],
        &[(0, 1), (2, 2)],
        &[(0, 1), (1, 1), (2, 1)],
    ];
    accepted(text, &backward(&all));
    for missing in 1..4 {
        let mut some = all.to_vec();
        some.remove(missing);
        rejected(text, &backward(&some), "into the basis");
    }
}

fn entering(transition: usize) -> Firing {
    Firing {
        transition,
        wake: None,
    }
}

/// Two threads that both get in, because a key is made on the way.
const SPARE_KEY: &str = "
    vars   key outside inside
    rules  key >= 1, outside >= 1 -> key' = key - 1, outside' = outside - 1, inside' = inside + 1;
           inside >= 1 -> key' = key + 1;
    init   key = 1, outside >= 1, inside = 0
    target inside >= 2";

#[test]
fn a_run_is_replayed() {
    let run = Run {
        initial: vec![1, 2, 0],
        firings: vec![entering(0), entering(1), entering(0)],
    };
    assert_eq!(check_run(&net(SPARE_KEY), &run), Ok(vec![0, 0, 2]));
}

#[test]
fn every_firing_of_a_run_is_needed() {
    let firings = [entering(0), entering(1), entering(0)];
    let reasons = ["step 1 is not", "step 2 is not", "above a target"];
    for (missing, reason) in reasons.iter().enumerate() {
        let mut firings = firings.to_vec();
        firings.remove(missing);
        let initial = vec![1, 2, 0];
        let problem = check_run(&net(SPARE_KEY), &Run { initial, firings }).unwrap_err();
        assert!(problem.contains(reason), "{problem}");
    }
}

#[test]
fn a_run_begins_with_an_initial_marking() {
    for (initial, reason) in [
        (vec![2, 2, 0], "not initial"),
        (vec![0, 2, 0], "not initial"),
        (vec![1, 0, 0], "not initial"),
        (vec![1, OMEGA, 0], "not initial"),
        (vec![1, 2], "another net"),
        (vec![1, 1, 0], "step 3 is not possible"),
    ] {
        let firings = vec![entering(0), entering(1), entering(0)];
        let problem = check_run(&net(SPARE_KEY), &Run { initial, firings }).unwrap_err();
        assert!(problem.contains(reason), "{problem}");
    }
}

#[test]
fn a_run_wakes_whoever_waits() {
    let text = "vars asleep awake rules true -> wake asleep -> awake;
                init asleep = 1, awake = 0 target awake >= 1";
    let waking = |wake| Run {
        initial: vec![1, 0],
        firings: vec![Firing {
            transition: 0,
            wake,
        }],
    };
    assert!(check_run(&net(text), &waking(Some(0))).is_ok());
    assert!(check_run(&net(text), &waking(None)).is_err());
    assert!(check_run(&net(text), &waking(Some(1))).is_err());
}

/// Thirty places are emptied into one that nobody asks for anything, and into one that nothing
/// comes to: there is one way to do that, or as many as there are places that may have tokens.
#[test]
fn transfers_from_many_places_can_be_checked() {
    let places: Vec<String> = (0..30).map(|index| format!("p{index}")).collect();
    let emptied: Vec<String> = places.iter().map(|place| format!("{place}' = 0")).collect();
    let zero: Vec<String> = places.iter().map(|place| format!("{place} = 0")).collect();
    let (names, sum) = (places.join(" "), places.join(" + "));
    let (emptied, zero) = (emptied.join(", "), zero.join(", "));
    let apart = format!(
        "vars x y {names} rules y >= 1 -> x' = {sum}, {emptied}, y' = y + 1;
        init x = 0, y = 0, {zero} target y >= 2"
    );
    accepted(&apart, &backward(&[&[(1, 1)]]));
    let together = format!(
        "vars x {names} rules true -> x' = {sum}, {emptied}; init x = 0, {zero} target x >= 40"
    );
    let all: Vec<Place> = (1..31).map(Place).collect();
    let all = Certificate::Backward {
        linear: Vec::new(),
        empty: all,
        basis: vec![vec![(Place(0), 40)]],
    };
    accepted(&together, &all);
    rejected(&together, &backward(&[&[(0, 40)]]), "too many predecessors");
}

/// The token of `s`, `m` and `t` is in `m` only for a moment: `b` has a token then, and no other time.
const PASSING_RULES: &str = "
    vars   s m t a b c
    rules  s >= 1, a >= 1 -> s' = s - 1, m' = m + 1, a' = a - 1, b' = b + 1;
           m >= 1, b >= 1 -> m' = m - 1, t' = t + 1, b' = b - 1;";

const PASSING_INIT: &str = "init s = 1, m = 0, t = 0, a = 2, b = 0, c = 0";

/// The net with another rule.
fn passing(rule: &str, init: &str, target: &str) -> String {
    format!("{PASSING_RULES} {rule} {init} target {target}")
}

fn agglomerated(exclusive: &[u32], passing: &[u32], rest: Certificate) -> Certificate {
    let places = |places: &[u32]| places.iter().map(|&place| Place(place)).collect();
    Certificate::Agglomerated(Box::new(Agglomerated {
        exclusive: places(exclusive),
        passing: places(passing),
        rest,
    }))
}

/// In the smaller net `m`, `b` and `c` stay empty.
fn passed() -> Certificate {
    agglomerated(&[0, 1, 2], &[1], with_empty(&[1, 4, 5]))
}

#[test]
fn a_smaller_net_shows_what_is_true_of_the_whole_one() {
    let text = passing("", PASSING_INIT, "t >= 1, b >= 1");
    accepted(&text, &passed());
    rejected(&text, &with_empty(&[1, 4, 5]), "stay empty");
    let not_passing = agglomerated(&[0, 1, 2], &[], with_empty(&[1, 4, 5]));
    rejected(&text, &not_passing, "stay empty");
    // Everything else may happen to other places while the token is elsewhere.
    let waking = "t >= 1 -> c' = c + b, b' = 0; s >= 1 -> wake b -> a;";
    accepted(&passing(waking, PASSING_INIT, "t >= 1, b >= 1"), &passed());
    // A pair leaves behind what its second step does not take away.
    let other = "m >= 1 -> m' = m - 1, t' = t + 1;";
    let text = passing(other, PASSING_INIT, "t >= 1, b >= 1");
    rejected(&text, &passed(), "stay empty");
}

/// Each of these nets is unsafe, and only one condition notices.
#[test]
fn every_condition_of_a_smaller_net_is_needed() {
    let target = "t >= 1, b >= 1";
    let two = PASSING_INIT.replace("s = 1", "s = 2");
    rejected(&passing("", &two, target), &passed(), "more than one token");
    let many = PASSING_INIT.replace("s = 1", "s >= 1");
    rejected(
        &passing("", &many, target),
        &passed(),
        "more than one token",
    );
    for (rule, target, why) in [
        (
            "b >= 1 -> c' = c + 1;",
            "t >= 1, c >= 1",
            "needs no exclusive token",
        ),
        ("s >= 1 -> s' = s + 1;", target, "brings an exclusive token"),
        ("s >= 1 -> t' = s + t;", target, "moves exclusive tokens"),
        (
            "s >= 1 -> s' = s, wake a -> t;",
            target,
            "moves exclusive tokens",
        ),
        (
            "m >= 1, b >= 1 -> c' = c + 1;",
            "t >= 1, c >= 1",
            "keeps its token",
        ),
        ("", "b >= 1", "in passing"),
        ("", "m >= 1", "in passing"),
    ] {
        rejected(&passing(rule, PASSING_INIT, target), &passed(), why);
    }
    let begun = PASSING_INIT.replace("s = 1, m = 0", "s = 0, m = 1");
    let rest = with_empty(&[0, 2]);
    let text = passing("m >= 1 -> m' = m - 1, t' = t + 1;", &begun, "t >= 1");
    rejected(
        &text,
        &agglomerated(&[0, 1, 2], &[1], rest),
        "claimed to be passing",
    );
}

#[test]
fn what_is_passed_is_part_of_the_set_and_named_once() {
    let text = passing("", PASSING_INIT, "t >= 1, b >= 1");
    let rest = || with_empty(&[1, 4, 5]);
    for passing in [&[4][..], &[1, 1], &[6]] {
        let guess = agglomerated(&[0, 1, 2], passing, rest());
        rejected(&text, &guess, "claimed to be passing");
    }
    rejected(
        &text,
        &agglomerated(&[0, 1, 2, 6], &[1], rest()),
        "does not exist",
    );
    let again = agglomerated(&[0, 1, 2], &[1], passed());
    rejected(&text, &again, "made smaller again");
}

/// A pair of steps is a step only if both change numbers.
#[test]
fn transfers_are_not_paired() {
    let transfer = "s >= 1 -> s' = s - 1, m' = m + 1, b' = b + a, a' = 0;";
    let text = passing(transfer, PASSING_INIT, "t >= 1, b >= 1");
    rejected(&text, &passed(), "only change numbers");
    let waking = "s >= 1 -> s' = s - 1, m' = m + 1, wake a -> b;";
    let text = passing(waking, PASSING_INIT, "t >= 1, b >= 1");
    rejected(&text, &passed(), "only change numbers");
}
