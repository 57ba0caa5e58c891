//! Random nets: what the procedures say about them, against each other and against explicit
//! search. A failure prints the seed and the smallest net found that still fails.
//!
//! `RADDLE_SEED=n` starts elsewhere, `RADDLE_SAMPLES=n` runs more; and
//! `cargo run --release -p raddle-testkit --bin compare_procedures` runs for as long as one likes.

use raddle_cover::{Answer, Certificate, Unwatched, decide};
use raddle_testkit::nets::{Tally, compare, explain, forge, sample};

/// How often a procedure may ask whether to go on.
const PATIENCE: u64 = 10;

fn number(variable: &str, default: u64) -> u64 {
    let value = std::env::var(variable).ok();
    value
        .and_then(|value| value.parse().ok())
        .unwrap_or(default)
}

#[test]
fn procedures_agree_on_random_nets() {
    let first = number("RADDLE_SEED", 1);
    let mut all = Tally::default();
    for seed in first..first + number("RADDLE_SAMPLES", 3000) {
        match compare(&sample(seed), PATIENCE) {
            Ok(tally) => all += tally,
            Err(_) => panic!("{}", explain(seed, |net| compare(net, PATIENCE).map(drop))),
        }
    }
    // Nets that are all safe, all unsafe or all too hard would show nothing.
    let answers = all.safe + all.unsafe_ + all.unknown;
    assert!(5 * all.safe > answers, "{all:?}");
    assert!(5 * all.unsafe_ > answers, "{all:?}");
    assert!(2 * all.confirmed > answers, "{all:?}");
    assert!(100 * all.unknown < answers, "{all:?}");
}

/// Steps are joined in enough of the nets for the comparison to mean something.
#[test]
fn steps_are_joined_in_random_nets() {
    let answers = (1..=400).map(|seed| decide(&sample(4 * seed), &Unwatched).answer);
    let joined =
        answers.filter(|answer| matches!(answer, Answer::Safe(Certificate::Agglomerated(_))));
    let joined = joined.count();
    assert!(joined > 20, "{joined}");
}

/// No certificate is accepted for a net that is unsafe, whatever else it may certify.
#[test]
fn certificates_of_other_nets_are_rejected() {
    let first = number("RADDLE_SEED", 1);
    let mut forged = 0;
    for seed in first..first + number("RADDLE_SAMPLES", 3000) / 4 {
        match forge(&sample(seed), PATIENCE) {
            Ok(more) => forged += more,
            Err(_) => panic!("{}", explain(seed, |net| forge(net, PATIENCE).map(drop))),
        }
    }
    assert!(forged > number("RADDLE_SAMPLES", 3000), "{forged}");
}

/// If a procedure were wrong, it would be noticed, and the net would become small.
#[test]
fn a_wrong_answer_is_found_and_its_net_shrinks() {
    let law = |net: &raddle_cover::Net| {
        let transfers = net.transitions.iter().filter(|transition| {
            let mut updates = transition.updates.iter();
            updates.any(|update| update.sources.len() > 1)
        });
        match transfers.count() {
            0 => Ok(()),
            _ => Err("there is a transfer".to_owned()),
        }
    };
    let seed = (1..).find(|&seed| law(&sample(seed)).is_err());
    let text = explain(seed.unwrap_or(0), law);
    let rules = text.matches("->").count();
    assert!(text.contains("there is a transfer"), "{text}");
    assert_eq!(rules, 1, "{text}");
}
