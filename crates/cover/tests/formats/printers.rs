use crate::{ASSEMBLY, KITCHEN, READERS_WRITERS};
use raddle_cover::formats::{dot, pnml, spec};
use raddle_cover::{Net, OMEGA, Place, Transition, Update};

/// A net with places `a`, `b` and `c` and one rule.
fn net(rule: &str) -> Net {
    let text = format!("vars a b c rules r: {rule}; init a >= 1, b = 0, c = 0 target c >= 1");
    spec::parse(&text).unwrap().net
}

#[test]
fn the_text_form_reads_well() {
    let text = "vars a \"two words\" rules \
                go: a >= 2 -> a' = a - 2, \"two words\"' = \"two words\" + a + 1, wake a -> \"two words\"; \
                true -> a' = 0; true -> a' = -3; true -> ; \
                init a in [1, 2], \"two words\" = 0 target a >= 1, \"two words\" >= 1 true";
    let net = spec::parse(text).unwrap().net;
    let expected = "\
vars
    a
    \"two words\"

rules
    go: a >= 2 -> a' = a - 2, \"two words\"' = \"two words\" + a + 1, wake a -> \"two words\";
    \"line 1\": true -> a' = 0;
    \"line 1\": true -> a' = -3;
    \"line 1\": true -> ;

init
    a in [1, 2], \"two words\" = 0

target
    a >= 1, \"two words\" >= 1
    true
";
    assert_eq!(spec::print(&net), expected);
    assert_eq!(spec::parse(expected).unwrap().net, net);
}

#[test]
fn places_with_the_same_name_are_told_apart() {
    let mut net = net("a >= 1 -> ");
    net.places = ["x", "x", "x_1"].map(str::to_owned).to_vec();
    let again = spec::parse(&spec::print(&net)).unwrap().net;
    assert_eq!(again.places, ["x", "x_1", "x_1_2"]);
}

#[test]
fn mist_gets_names_that_it_reads() {
    let mut net = net("a >= 1 -> a' = a - 1, b' = b + 1");
    net.places = ["in", "a b", "a.b"].map(str::to_owned).to_vec();
    net.least = vec![0; 3];
    net.most = vec![OMEGA; 3];
    net.transitions[0].name = "two\nlines".to_owned();
    let text = spec::print_for_mist(&net).unwrap();
    let expected = "\
vars
    in_
    a_b
    a_b_2

rules
    # two lines
    in_ >= 1 -> in_' = in_ - 1, a_b' = a_b + 1;

init
    in_ >= 0

target
    a_b_2 >= 1
";
    assert_eq!(text, expected);
}

#[test]
fn mist_is_asked_only_for_what_it_understands() {
    let refused = |rule: &str| spec::print_for_mist(&net(rule)).unwrap_err().to_string();
    let cannot = "mist cannot express that `r`";
    assert_eq!(
        refused("true -> wake a -> b"),
        format!("{cannot} wakes who waits in `a`")
    );
    assert_eq!(
        refused("true -> a' = 0"),
        format!("{cannot} forgets what is in `a`")
    );
    assert_eq!(
        refused("true -> a' = b, b' = 0"),
        format!("{cannot} forgets what is in `a`")
    );
    assert_eq!(
        refused("true -> a' = a + b"),
        format!("{cannot} copies what is in `b`")
    );
    assert_eq!(
        refused("true -> a' = a + b, b' = 1"),
        format!("{cannot} moves everything out of, and something into, `b`")
    );
    assert_eq!(
        refused("true -> a' = a + b, c' = c + b, b' = 0"),
        format!("{cannot} adds to several others `b`")
    );
    assert_eq!(
        refused("b >= 1 -> a' = a + b - 1, b' = 0"),
        format!("{cannot} adds to and at the same time takes from `a`")
    );
    // What is taken away is asked for explicitly.
    let text = spec::print_for_mist(&net("true -> a' = a - 2, b' = b + c, c' = 0")).unwrap();
    assert!(
        text.contains("a >= 2 -> a' = a - 2, b' = b + c, c' = 0;"),
        "{text}"
    );
    let no_target = Net {
        targets: vec![],
        ..net("true -> ")
    };
    assert!(spec::print_for_mist(&no_target).is_err());
}

/// What mist gets, it reads as the net is: as far as the two agree on rules, that is the
/// same net.
#[test]
fn the_examples_survive_mist() {
    let net = spec::parse(READERS_WRITERS).unwrap().net;
    let mut again = spec::parse(&spec::print_for_mist(&net).unwrap())
        .unwrap()
        .net;
    for (rule, original) in again.transitions.iter_mut().zip(&net.transitions) {
        rule.name.clone_from(&original.name);
    }
    assert_eq!(again, net);
}

#[test]
fn plain_nets_survive_pnml() {
    let net = pnml::parse(KITCHEN).unwrap().net;
    let again = pnml::parse(&pnml::print(&net).unwrap()).unwrap().net;
    assert_eq!(again, net);
}

#[test]
fn pnml_has_no_transfers_and_no_sets_of_markings() {
    let fixed = |rule: &str| {
        let mut net = net(rule);
        net.most = net.least.clone();
        net
    };
    let refused = |net: Net| pnml::print(&net).unwrap_err().to_string();
    let cannot = "PNML cannot express that";
    assert_eq!(
        refused(net("true -> ")),
        format!("{cannot} `a` has any number of tokens")
    );
    assert_eq!(
        refused(fixed("true -> a' = a + b, b' = 0")),
        format!("{cannot} `r` gives `a` what others have, or empties it")
    );
    assert_eq!(
        refused(fixed("true -> wake a -> b")),
        format!("{cannot} `r` wakes somebody")
    );
    assert_eq!(
        refused(fixed("a >= 1073741824 -> a' = a + 1")),
        format!("{cannot} `r` has so heavy an arc")
    );
    // A guard that takes nothing is two arcs; one that is larger than what is taken, too.
    let guarded = pnml::print(&fixed("a >= 3, b >= 1 -> a' = a - 1")).unwrap();
    let again = pnml::parse(&guarded).unwrap().net;
    assert_eq!(
        again.transitions,
        fixed("a >= 3, b >= 1 -> a' = a - 1").transitions
    );
}

#[test]
fn names_survive_xml() {
    let mut net = net("a >= 1 -> ");
    net.most = net.least.clone();
    net.targets.clear();
    net.places = ["<&>\"'", "]]>\r\n", "é\u{1}"].map(str::to_owned).to_vec();
    let again = pnml::parse(&pnml::print(&net).unwrap()).unwrap().net;
    assert_eq!(again.places, ["<&>\"'", "]]>\r\n", "é\u{fffd}"]);
}

#[test]
fn a_picture_has_everything() {
    let net = spec::parse(ASSEMBLY).unwrap().net;
    let picture = dot::print(&net);
    for line in [
        "p0 [shape = circle, label = \"arriving\\nany number\"];",
        "p1 [shape = circle, label = \"listening\"];",
        "p6 [shape = circle, label = \"platform\\n1\"];",
        "t4 [shape = box, label = \"step down\"];",
        "p0 -> t0;",
        "t0 -> p1;",
        "p6 -> t5 [dir = both, label = \"1\"];",
        "p1 -> p5 [style = dashed, label = \"bell: all\"];",
        "p3 -> p1 [style = dotted, label = \"step down wakes\"];",
        "u0 [shape = octagon, color = red, label = \"unsafe\"];",
        "p2 -> u0 [color = red, label = \"≥ 2\"];",
    ] {
        assert!(
            picture.contains(&format!("  {line}\n")),
            "no {line} in\n{picture}"
        );
    }
}

#[test]
fn a_picture_tells_moves_copies_and_losses_apart() {
    let update = |place: u32, sources: &[u32], delta: i64| Update {
        place: Place(place),
        sources: sources.iter().copied().map(Place).collect(),
        delta,
    };
    let net = Net {
        places: ["a", "b", "c"].map(str::to_owned).to_vec(),
        transitions: vec![Transition {
            name: "t".to_owned(),
            guard: vec![(Place(0), 3), (Place(2), 4)],
            updates: vec![update(0, &[0, 1], -1), update(2, &[], 7)],
            wakes: vec![],
        }],
        least: vec![0, 2, 1],
        most: vec![0, 5, OMEGA],
        targets: vec![vec![(Place(0), 1)], vec![(Place(1), 1)]],
    };
    let picture = dot::print(&net);
    for line in [
        "p1 [shape = circle, label = \"b\\n2 to 5\"];",
        "p2 [shape = circle, label = \"c\\n1 or more\"];",
        "p0 -> t0 [label = \"3\"];",
        "t0 -> p0 [label = \"2\"];",
        "p2 -> t0 [dir = both, label = \"4\"];",
        "t0 -> p2 [label = \"7\"];",
        "p1 -> p0 [style = dashed, label = \"t: as many\"];",
        "p2 -> t0 [style = dashed, label = \"all\"];",
        "u1 [shape = octagon, color = red, label = \"unsafe 2\"];",
    ] {
        assert!(
            picture.contains(&format!("  {line}\n")),
            "no {line} in\n{picture}"
        );
    }
}
