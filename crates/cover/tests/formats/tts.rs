use crate::{WORKERS, WORKERS_PROPERTY, malformed, named, shown, unsupported};
use proptest::prelude::*;
use raddle_cover::formats::{FormatError, Parsed, tts};
use raddle_cover::{Marking, Net, OMEGA};
use std::collections::{BTreeMap, BTreeSet};

fn net(system: &str, property: &str, initial: Option<&str>) -> Net {
    let Parsed { net, obstacles, .. } = tts::parse(system, Some(property), initial).unwrap();
    assert_eq!((obstacles, net.defect()), (vec![], None));
    net
}

/// What a marking is called.
fn state(net: &Net, marking: &[u32]) -> String {
    let tokens = net
        .places
        .iter()
        .zip(marking)
        .filter(|(_, tokens)| **tokens > 0);
    let parts = tokens.map(|(name, tokens)| format!("{name}:{tokens}"));
    parts.collect::<Vec<_>>().join(" ")
}

fn marking(net: &Net, tokens: &[(&str, u32)]) -> Marking {
    let tokens: BTreeMap<&str, u32> = tokens.iter().copied().collect();
    let tokens = net.places.iter().map(|name| tokens.get(name.as_str()));
    tokens.map(|tokens| tokens.copied().unwrap_or(0)).collect()
}

fn after(net: &Net, tokens: &[(&str, u32)]) -> Vec<String> {
    let marking = marking(net, tokens);
    let states = net
        .successors(&marking)
        .map(|(_, after)| state(net, &after));
    states.collect()
}

#[test]
fn an_example_is_read() {
    let net = net(WORKERS, WORKERS_PROPERTY, None);
    assert_eq!(net.places.join(" "), "s0 s1 s2 l0 l1 l2 l3");
    assert_eq!(net.least, [1, 0, 0, 0, 0, 0, 0]);
    assert_eq!(net.most, [1, 0, 0, OMEGA, 0, 0, 0]);
    let targets: Vec<String> = net
        .targets
        .iter()
        .map(|target| named(&net, target))
        .collect();
    assert_eq!(targets, ["s2:1 l2:1 l3:1", "s1:1 l3:1"]);
    assert_eq!(after(&net, &[("s0", 1), ("l0", 2)]), ["s1:1 l0:1 l1:1"]);
    assert_eq!(
        after(&net, &[("s1", 1), ("l1", 1), ("l2", 2), ("l3", 5)]),
        ["s1:1 l1:1 l2:3 l3:5", "s2:1 l1:1 l3:7"]
    );
}

#[test]
fn only_what_occurs_is_a_place() {
    let net = net("18033 3\n0 0 -> 18032 1\n", "18032|1", None);
    assert_eq!(net.places.join(" "), "s0 s18032 l0 l1");
}

#[test]
fn initial_states_are_counted_or_arbitrary() {
    let system = "3 4\n0 0 -> 1 1";
    let one = net(system, "1|1", Some("0|0"));
    assert_eq!(one.most, marking(&one, &[("s0", 1), ("l0", 1)]));
    let more = net(system, "1|1", Some(" 2|1,1,0/3,0 # a comment\n"));
    assert_eq!(
        more.least,
        marking(&more, &[("s2", 1), ("l0", 1), ("l1", 2)])
    );
    let most = [("s2", 1), ("l0", OMEGA), ("l1", 2), ("l3", OMEGA)];
    assert_eq!(more.most, marking(&more, &most));
    let bare = net(system, "1", Some("1|/2"));
    assert_eq!(bare.most, marking(&bare, &[("s1", 1), ("l2", OMEGA)]));
    assert_eq!(named(&bare, &bare.targets[0]), "s1:1");
}

/// The thread that makes the step is not among the others.
#[test]
fn others_in_its_own_state_move_without_it() {
    let leaves = net("1 3\n0 0 -> 0 1 0 ~> 2", "0|1", None);
    assert_eq!(after(&leaves, &[("s0", 1), ("l0", 3)]), ["s0:1 l1:1 l2:2"]);
    assert!(after(&leaves, &[("s0", 1), ("l2", 3)]).is_empty());
    let arrives = net("1 3\n0 0 -> 0 1 1 ~> 2", "0|1", None);
    let before = [("s0", 1), ("l0", 2), ("l1", 4)];
    assert_eq!(after(&arrives, &before), ["s0:1 l0:1 l1:1 l2:4"]);
    let swaps = net("1 3\n0 2 -> 0 2 0 ~> 1 1 ~> 0", "0|1", None);
    let before = [("s0", 1), ("l0", 2), ("l1", 5), ("l2", 1)];
    assert_eq!(after(&swaps, &before), ["s0:1 l0:5 l1:2 l2:1"]);
}

#[test]
fn a_broadcast_needs_nobody() {
    let net = net("2 2\n0 1 ~> 1 0", "1|0", None);
    assert_eq!(after(&net, &[("s0", 1), ("l1", 3)]), ["s1:1 l0:3"]);
    assert_eq!(after(&net, &[("s0", 1)]), ["s1:1"]);
}

#[test]
fn companions_have_two_names() {
    assert_eq!(
        tts::property_files("a/main.tts"),
        ["a/main.tts.prop", "a/main.prop"]
    );
    assert_eq!(tts::initial_files("b.tts"), ["b.tts.init", "b.init"]);
    assert_eq!(tts::property_files("b"), ["b.prop", "b.prop"]);
}

fn in_system(text: &str) -> Result<Parsed, FormatError> {
    tts::parse(text, Some("0|0"), None).map_err(|(part, trouble)| {
        assert_eq!(part, tts::Part::System);
        trouble
    })
}

#[test]
fn errors_point_to_what_is_wrong() {
    let unreadable = "this line is not readable";
    let cases = [
        (
            "",
            format!("[] {unreadable}: expected two numbers, of states"),
        ),
        (
            "# 1 1",
            format!("[] {unreadable}: expected two numbers, of states"),
        ),
        (
            "1",
            format!("[] {unreadable}: expected the number of local states"),
        ),
        (
            "1 x",
            format!("[x] {unreadable}: expected the number of states"),
        ),
        (
            "1 -1",
            format!("[-1] {unreadable}: expected the number of states"),
        ),
        (
            "1 1 1",
            format!("[1] {unreadable}: expected the end of the line"),
        ),
        (
            "0 1",
            "[0 1] a system has at least one shared and one local state: there is none".to_owned(),
        ),
        (
            "1 99999999999",
            "[99999999999] this number is too large: at most 1073741824 is possible".to_owned(),
        ),
        (
            "2 2\n0 0 -> 2 0",
            "[2] there is no shared state 2: the largest is 1".to_owned(),
        ),
        (
            "2 2\n0 0 -> 0 7",
            "[7] there is no local state 7: the largest is 1".to_owned(),
        ),
        (
            "2 2\n0 0 => 0 0",
            format!("[=>] {unreadable}: expected `->`, `+>` or `~>`"),
        ),
        (
            "2 2\n0 0",
            format!("[] {unreadable}: expected `->`, `+>` or `~>`"),
        ),
        (
            "2 2\n0 0 -> 0",
            format!("[] {unreadable}: expected a local state"),
        ),
        (
            "2 2\n0 0 -> 0 1 0",
            format!("[] {unreadable}: expected `~>`"),
        ),
        (
            "2 2\n0 0 -> 0 1 0 -> 1",
            format!("[->] {unreadable}: expected `~>`"),
        ),
        (
            "2 2\n0 0 -> 0 1 0 ~>",
            format!("[] {unreadable}: expected a local state"),
        ),
        (
            "2 2\n0 0 ~> 0 1 0 ~> 1",
            format!("[0] {unreadable}: expected the end of the line"),
        ),
    ];
    for (text, error) in cases {
        assert_eq!(malformed(text, in_system(text)), [error], "in {text}");
    }
    let two = "1 1\n0 1 -> 0 0\n0 0 -> 0 2";
    assert_eq!(malformed(two, in_system(two)).len(), 2);
}

#[test]
fn what_is_not_known_is_not_supported() {
    let spawn = "1 3\n0 0 +> 0 1 1 ~> 2";
    assert_eq!(
        unsupported(spawn, in_system(spawn)),
        [
            "[0 0 +> 0 1 1 ~> 2] a step that starts a thread moves others, too: \
          whether its own thread is among them is not known"
        ]
    );
    let broadcasts = "2 3\n0 0 ~> 1 1\n0 1 ~> 1 2";
    assert_eq!(
        unsupported(broadcasts, in_system(broadcasts)),
        ["[0 1 ~> 1 2] two broadcasts have the same shared states: \
          whether both happen together is not known"]
    );
}

#[test]
fn errors_tell_in_which_file_they_are() {
    let system = "2 2\n0 0 -> 1 1";
    let errors =
        |property: &str, initial: Option<&str>| match tts::parse(system, Some(property), initial)
            .unwrap_err()
        {
            (part, FormatError::Malformed(errors)) => {
                let text = match part {
                    tts::Part::Property => property,
                    _ => initial.unwrap(),
                };
                (part, shown(text, &errors).join("; "))
            }
            other => panic!("{other:?}"),
        };
    let unreadable = "this line is not readable";
    let property = |message: String| (tts::Part::Property, message);
    let initial = |message: String| (tts::Part::Initial, message);
    let none = "[] there is no target: expected one such as `1|0,2`";
    assert_eq!(errors("\n", None), property(none.to_owned()));
    let large = "[5] there is no local state 5: the largest is 1";
    assert_eq!(errors("1|0, 5", None), property(large.to_owned()));
    let empty = format!("[] {unreadable}: expected a local state");
    assert_eq!(errors("1|0,,1", None), property(empty));
    let slash = format!("[0] {unreadable}: expected no `/` in a target");
    assert_eq!(errors("1|0/0", None), property(slash));
    let shared = format!("[x] {unreadable}: expected a shared state");
    assert_eq!(errors("0|0", Some("x|0")), initial(shared));
    let second = format!("[0|1] {unreadable}: expected only one initial state");
    assert_eq!(errors("0|0", Some("0|0\n0|1")), initial(second));
    let none = "[] there is no initial state: expected `0/0` or so".to_owned();
    assert_eq!(errors("0|0", Some("#")), initial(none));
}

/// What can be reached with this shared state.
fn reached(net: &Net, tokens: &[(&str, u32)], shared: &str) -> BTreeSet<String> {
    let initial = marking(net, tokens);
    let markings = closure(net, &initial);
    let names = markings.iter().map(|marking| state(net, marking));
    names.filter(|name| name.starts_with(shared)).collect()
}

/// All markings that can be reached.
fn closure(net: &Net, initial: &Marking) -> BTreeSet<Marking> {
    let mut markings = BTreeSet::from([initial.clone()]);
    let mut open = vec![initial.clone()];
    while let Some(marking) = open.pop() {
        let next = net.successors(&marking).map(|(_, next)| next);
        open.extend(next.filter(|next| markings.insert(next.clone())));
    }
    markings
}

/// Who has chosen does not choose again in the same step.
#[test]
fn each_thread_chooses_once() {
    let net = net("2 4\n0 0 -> 1 0 1 ~> 1 1 ~> 2 2 ~> 2 2 ~> 3", "1|3", None);
    let after = reached(&net, &[("s0", 1), ("l0", 1), ("l1", 1)], "s1");
    let expected = ["s1:1 l0:1 l1:1", "s1:1 l0:1 l2:1", "s1:1 l0:1"];
    let expected = BTreeSet::from(expected.map(str::to_owned));
    assert!(after.is_subset(&expected), "{after:?}");
    assert!(after.contains("s1:1 l0:1 l1:1") && after.contains("s1:1 l0:1 l2:1"));
}

/// Who has not chosen in one step does not do so in the next.
#[test]
fn choices_are_not_put_off() {
    let steps = "0 0 -> 1 0 1 ~> 2 1 ~> 3 3 ~> 4\n1 0 -> 2 0 1 ~> 2 1 ~> 3 3 ~> 4";
    let net = net(&format!("3 5\n{steps}"), "2|3", None);
    let after = reached(&net, &[("s0", 1), ("l0", 1), ("l1", 1)], "s2");
    assert!(after.contains("s2:1 l0:1 l2:1") && after.contains("s2:1 l0:1 l4:1"));
    assert!(!after.iter().any(|state| state.contains("l3")), "{after:?}");
}

const SHARED: u32 = 2;
const LOCAL: u32 = 4;

/// A step that one thread makes, with moves of the others.
type Step = ((u32, u32), (u32, u32), Vec<(u32, u32)>);

fn step() -> impl Strategy<Value = Step> {
    let state = || (0..SHARED, 0..LOCAL);
    (
        state(),
        state(),
        prop::collection::vec((0..LOCAL, 0..LOCAL), 0..4),
    )
}

/// A shared state and the number of threads in each local state.
type Threads = (u32, [u32; LOCAL as usize]);

/// What one step leads to, thread by thread.
fn explicit(threads: &Threads, step: &Step) -> BTreeSet<Threads> {
    let ((shared, local), (next_shared, next_local), moves) = step;
    let (now, counts) = threads;
    let mut results = BTreeSet::new();
    if now != shared || counts[*local as usize] == 0 {
        return results;
    }
    let mut others = Vec::new();
    for state in 0..LOCAL {
        let is_active = u32::from(state == *local);
        others.extend((0..counts[state as usize] - is_active).map(|_| state));
    }
    let mut partial = BTreeSet::from([[0; LOCAL as usize]]);
    for other in others {
        let choices = moves.iter().filter(|(from, _)| *from == other);
        let mut choices: BTreeSet<u32> = choices.map(|&(_, to)| to).collect();
        if choices.is_empty() {
            choices.insert(other);
        }
        let mut next = BTreeSet::new();
        for counts in &partial {
            for &choice in &choices {
                let mut counts = *counts;
                counts[choice as usize] += 1;
                next.insert(counts);
            }
        }
        partial = next;
    }
    for mut counts in partial {
        counts[*next_local as usize] += 1;
        results.insert((*next_shared, counts));
    }
    results
}

proptest! {
    /// The net covers what the threads reach, and nothing else.
    #[test]
    fn the_net_does_what_the_threads_do(
        steps in prop::collection::vec(step(), 1..5),
        initial in prop::collection::vec(0..LOCAL, 1..4),
    ) {
        let lines = steps.iter().map(|((s, l), (s2, l2), moves)| {
            let moves = moves.iter().map(|(from, to)| format!(" {from} ~> {to}"));
            format!("{s} {l} -> {s2} {l2}{}\n", moves.collect::<String>())
        });
        let system = format!("{SHARED} {LOCAL}\n{}", lines.collect::<String>());
        let threads: Vec<String> = initial.iter().map(u32::to_string).collect();
        let text = format!("0|{}", threads.join(","));
        let net = net(&system, "0", Some(&text));

        let mut counts = [0; LOCAL as usize];
        initial.iter().for_each(|&state| counts[state as usize] += 1);
        let mut reached = BTreeSet::from([(0, counts)]);
        let mut open: Vec<Threads> = reached.iter().copied().collect();
        while let Some(threads) = open.pop() {
            let next = steps.iter().flat_map(|step| explicit(&threads, step));
            open.extend(next.filter(|next| reached.insert(*next)));
        }

        let markings = closure(&net, &net.most);
        let tokens = |marking: &Marking, name: String| {
            let index = net.places.iter().position(|other| *other == name);
            index.map_or(0, |index| marking[index])
        };
        let mut covered = BTreeSet::new();
        for marking in &markings {
            let shared = (0..SHARED).find(|s| tokens(marking, format!("s{s}")) > 0);
            let Some(shared) = shared else { continue };
            let counts = [0, 1, 2, 3].map(|local| tokens(marking, format!("l{local}")));
            let is_below = |(other, more): &Threads| {
                *other == shared && counts.iter().zip(more).all(|(few, many)| few <= many)
            };
            prop_assert!(reached.iter().any(is_below), "{} in\n{system}", state(&net, marking));
            covered.insert((shared, counts));
        }
        for threads in &reached {
            prop_assert!(covered.contains(threads), "{threads:?} not covered in\n{system}");
        }
    }
}
