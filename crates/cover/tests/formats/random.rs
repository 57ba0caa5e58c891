//! Nets and bytes that nobody would write.

use crate::{ASSEMBLY, KITCHEN, READERS_WRITERS, WORKERS, WORKERS_PROPERTY};
use proptest::prelude::*;
use raddle_cover::formats::{FormatError, Parsed, decode, dot, pnml, spec, tts};
use raddle_cover::net::MOST_TOKENS;
use raddle_cover::unsafety::{PlaceNames, parse as parse_unsafe};
use raddle_cover::{Demand, Net, OMEGA, Place, Transition, Update};
use raddle_diagnostics::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,3}",
        "[a-zA-Z_0-9 '\"\\\\#.;:\n\té]{0,4}",
        prop::sample::select(vec!["vars", "in", "true", "wake", "init", "7", "->"])
            .prop_map(str::to_owned),
        any::<String>(),
    ]
}

fn demand(places: u32) -> impl Strategy<Value = Demand> {
    let size = 0..places.min(4) as usize + 1;
    let number = prop_oneof![1u32..5, Just(MOST_TOKENS)];
    let demand = prop::collection::btree_map(0..places.max(1), number, size);
    demand.prop_map(move |it| {
        let it = it.into_iter().filter(|&(place, _)| place < places);
        it.map(|(place, least)| (Place(place), least)).collect()
    })
}

fn transition(places: u32) -> impl Strategy<Value = Transition> {
    let place = move || 0..places.max(1);
    let delta = prop_oneof![
        -3i64..4,
        Just(i64::from(MOST_TOKENS)),
        Just(-i64::from(MOST_TOKENS))
    ];
    let sources = prop::collection::btree_set(place(), 0..3);
    let sources = (sources, any::<bool>());
    let updates = prop::collection::btree_map(place(), (sources, delta), 0..4);
    let wakes = prop::collection::vec((place(), place()), 0..3);
    (name(), demand(places), updates, wakes).prop_map(move |(name, guard, updates, wakes)| {
        let updates = updates
            .into_iter()
            .map(|(target, ((sources, is_reversed), delta))| {
                let mut sources: Vec<Place> = sources.into_iter().map(Place).collect();
                if is_reversed {
                    sources.reverse();
                }
                Update {
                    place: Place(target),
                    sources,
                    delta,
                }
            });
        let wakes = wakes.into_iter().filter(|(from, to)| from != to);
        match places {
            0 => Transition {
                name,
                ..Transition::default()
            },
            _ => Transition {
                name,
                guard,
                updates: updates.collect(),
                wakes: wakes.map(|(from, to)| (Place(from), Place(to))).collect(),
            },
        }
    })
}

/// A net whose places have different names.
fn net() -> impl Strategy<Value = Net> {
    prop::collection::btree_set(name(), 0..6).prop_flat_map(|names: BTreeSet<String>| {
        let count = names.len();
        let most = prop_oneof![Just(OMEGA), 0u32..4, Just(MOST_TOKENS)];
        let bounds = prop::collection::vec((0u32..4, most), count);
        let transitions = prop::collection::vec(transition(count as u32), 0..5);
        let targets = prop::collection::vec(demand(count as u32), 0..4);
        (Just(names), bounds, transitions, targets).prop_map(
            |(names, bounds, transitions, targets)| Net {
                places: names.into_iter().rev().collect(),
                transitions,
                least: bounds
                    .iter()
                    .map(|&(least, most)| least.min(most))
                    .collect(),
                most: bounds.iter().map(|&(_, most)| most).collect(),
                targets,
            },
        )
    })
}

/// What a plain transition takes and brings, in the form that PNML gives back.
fn normalised(net: &Net) -> Net {
    let mut net = net.clone();
    net.targets.clear();
    for transition in &mut net.transitions {
        let mut guard: BTreeMap<Place, u32> = transition.guard.iter().copied().collect();
        for update in &transition.updates {
            let taken = u32::try_from(-update.delta).unwrap_or(0);
            let asked = guard.entry(update.place).or_default();
            *asked = taken.max(*asked);
        }
        transition.guard = guard.into_iter().filter(|&(_, least)| least > 0).collect();
        transition.updates.retain(|update| update.delta != 0);
    }
    net
}

fn check_spans(text: &str, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        assert!(
            text.get(diagnostic.span.clone()).is_some(),
            "{diagnostic:?}"
        );
        assert!(!diagnostic.message.is_empty() && !diagnostic.label.is_empty());
    }
}

fn check(text: &str, outcome: Result<Parsed, FormatError>) {
    match outcome {
        Ok(parsed) => {
            assert_eq!(parsed.net.defect(), None);
            check_spans(text, &parsed.obstacles);
            // Whatever was read can be shown.
            let _ = dot::print(&parsed.net);
            assert!(spec::parse(&spec::print(&parsed.net)).is_ok());
        }
        Err(FormatError::Malformed(errors) | FormatError::Unsupported(errors)) => {
            assert!(!errors.is_empty());
            check_spans(text, &errors);
        }
    }
}

/// Every reader, on one text.
fn read_all(text: &str) {
    check(text, spec::parse(text));
    check(text, pnml::parse(text));
    for (system, property, initial) in [
        (text, Some("0|0"), None),
        (text, None, Some(text)),
        (WORKERS, Some(text), None),
        (WORKERS, Some("1|1"), Some(text)),
    ] {
        match tts::parse(system, property, initial) {
            Err((tts::Part::System, trouble)) => check(system, Err(trouble)),
            Err((_, trouble)) => check(text, Err(trouble)),
            Ok(parsed) => check(system, Ok(parsed)),
        }
    }
    let net = spec::parse(ASSEMBLY).unwrap().net;
    if let Err(errors) = parse_unsafe(text, &PlaceNames::new(&net)) {
        check_spans(text, &errors);
    }
}

/// An example in which some parts are deleted, repeated, exchanged or replaced.
fn mutated() -> impl Strategy<Value = String> {
    let examples = vec![
        READERS_WRITERS,
        ASSEMBLY,
        WORKERS,
        WORKERS_PROPERTY,
        KITCHEN,
    ];
    let replacement = prop_oneof![
        prop::sample::select(vec![
            "",
            "'",
            "\"",
            ";",
            ",",
            "->",
            "+>",
            "~>",
            "99999999999999",
            "0",
            "-",
            "in [",
            "vars",
            "target",
            "<",
            "/>",
            "</page>",
            "<!--",
            "&",
            "|",
            "/",
            "\u{0}",
            "é",
            "wake",
            "\n",
            "#",
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ];
    let edit = (any::<prop::sample::Index>(), 0usize..12, replacement);
    let edits = prop::collection::vec(edit, 1..4);
    (prop::sample::select(examples), edits).prop_map(|(example, edits)| {
        let mut text = example.to_owned();
        for (at, length, replacement) in edits {
            let start = text.floor_char_boundary(at.index(text.len() + 1));
            let end = text.ceil_char_boundary((start + length).min(text.len()));
            text.replace_range(start..end, &replacement);
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn every_net_has_a_text(net in net()) {
        prop_assert_eq!(net.defect(), None);
        let text = spec::print(&net);
        let parsed = spec::parse(&text);
        let expected = Parsed { net, obstacles: vec![], upper: None };
        prop_assert_eq!(parsed, Ok(expected), "from\n{}", text);
    }

    #[test]
    fn what_mist_gets_is_the_net(net in net()) {
        let Ok(text) = spec::print_for_mist(&net) else { return Ok(()) };
        let parsed = spec::parse(&text).unwrap();
        prop_assert_eq!(parsed.obstacles, vec![]);
        let again = parsed.net;
        prop_assert_eq!((&again.least, &again.most), (&net.least, &net.most));
        prop_assert_eq!(&again.targets, &net.targets);
        for (again, original) in again.transitions.iter().zip(&net.transitions) {
            prop_assert_eq!(&again.updates, &original.updates);
        }
    }

    #[test]
    fn what_pnml_can_say_comes_back(mut net in net(), is_plain in any::<bool>()) {
        if is_plain {
            net.most = net.least.clone();
            for transition in &mut net.transitions {
                transition.wakes.clear();
                for (_, least) in &mut transition.guard {
                    *least = (*least).min(MOST_TOKENS - 9);
                }
                for update in &mut transition.updates {
                    update.sources = vec![update.place];
                    update.delta = update.delta.clamp(-9, 9);
                }
            }
        }
        let Ok(text) = pnml::print(&net) else {
            prop_assert!(!is_plain);
            return Ok(());
        };
        let found = pnml::parse(&text).unwrap().net;
        let mut expected = normalised(&net);
        // Names without characters, or with some that XML does not have, are changed.
        expected.places.clone_from(&found.places);
        for (one, other) in expected.transitions.iter_mut().zip(&found.transitions) {
            one.name.clone_from(&other.name);
        }
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_all(&decode(&bytes));
    }

    #[test]
    fn text_does_no_harm(text in "[ \n0-9a-c'\">=<,;:|&/#+~\\[\\]\\\\-]{0,60}") {
        read_all(&text);
        read_all(&format!("vars a b c rules {text}"));
        read_all(&format!("3 3\n{text}"));
    }

    #[test]
    fn changed_examples_do_no_harm(text in mutated()) {
        read_all(&text);
    }
}

/// Long files take a time that grows with their length.
#[test]
fn large_files_are_no_problem() {
    let names: Vec<String> = (0..20_000).map(|index| format!("x{index}")).collect();
    let unknown: Vec<String> = (0..20_000).map(|index| format!("y{index} = 0")).collect();
    read_all(&format!(
        "vars {} init {}",
        names.join(" "),
        unknown.join(", ")
    ));
    read_all(&format!(
        "vars x rules true -> x' = {}",
        "x + ".repeat(100_000)
    ));
    read_all(&format!("{}1 1\n", "#\n".repeat(200_000)));
    read_all(&"a & ".repeat(100_000));
    read_all(&"<a>".repeat(200_000));
    read_all(&"\"".repeat(200_000));
    read_all(&"'".repeat(200_000));
}
