use crate::{ASSEMBLY, READERS_WRITERS, malformed, named, place, shown, unsupported};
use raddle_cover::formats::{Parsed, decode, spec};
use raddle_cover::{Firing, Net, OMEGA, Place, Update};

fn net(text: &str) -> Net {
    let Parsed { net, obstacles, .. } = spec::parse(text).unwrap();
    assert_eq!(obstacles, []);
    assert_eq!(net.defect(), None);
    net
}

/// A net with three places and this rule.
fn with_rule(rule: &str) -> String {
    format!("vars x y z\nrules {rule}\ninit x >= 1\ntarget y >= 1\n")
}

#[test]
fn an_example_is_read() {
    let net = net(READERS_WRITERS);
    assert_eq!(
        net.places.join(" "),
        "thinking reading waiting writing pen seats"
    );
    assert_eq!(net.least, [1, 0, 0, 0, 1, 3]);
    assert_eq!(net.most, [OMEGA, 0, 0, 0, 1, 3]);
    let targets: Vec<String> = net
        .targets
        .iter()
        .map(|target| named(&net, target))
        .collect();
    assert_eq!(targets, ["writing:2", "reading:1 writing:1"]);
    let names: Vec<&str> = net
        .transitions
        .iter()
        .map(|rule| rule.name.as_str())
        .collect();
    assert_eq!(
        names,
        ["line 10", "line 15", "line 20", "line 25", "line 30"]
    );
    let write = &net.transitions[3];
    assert_eq!(named(&net, &write.guard), "waiting:1 seats:3");
    let seats = place(&net, "seats");
    let taken = write.updates.iter().find(|update| update.place == seats);
    assert_eq!(
        taken,
        Some(&Update {
            place: seats,
            sources: vec![seats],
            delta: -3
        })
    );
}

#[test]
fn the_text_form_has_names_and_waking() {
    let net = net(ASSEMBLY);
    let names: Vec<&str> = net
        .transitions
        .iter()
        .map(|rule| rule.name.as_str())
        .collect();
    assert_eq!(
        names,
        ["enter", "doze", "daydream", "speak", "step down", "bell"]
    );
    let listening = place(&net, "listening");
    let wakes = [
        (place(&net, "dozing"), listening),
        (place(&net, "daydreaming"), listening),
    ];
    assert_eq!(net.transitions[4].wakes, wakes);
    let home = place(&net, "at home");
    let bell = &net.transitions[5].updates;
    assert_eq!(bell[0].sources, [home, listening]);
    assert!(bell[1].sources.is_empty());
    assert_eq!(net.most[place(&net, "arriving").index()], OMEGA);
}

#[test]
fn what_init_does_not_mention_is_arbitrary() {
    let net = net("vars a b c d rules init a = 2, b in [1, 4], c >= 3 target a >= 1");
    assert_eq!(net.least, [2, 1, 3, 0]);
    assert_eq!(net.most, [2, 4, OMEGA, OMEGA]);
    assert!(net.transitions.is_empty());
}

#[test]
fn guards_can_be_true_zero_repeated_or_in_any_order() {
    let net = net(&with_rule(
        "true -> ; z >= 0, y >= 1, x >= 2, y >= 3, y >= 2 -> x' = x;",
    ));
    assert!(net.transitions[0].guard.is_empty() && net.transitions[0].updates.is_empty());
    assert_eq!(named(&net, &net.transitions[1].guard), "x:2 y:3");
}

#[test]
fn sums_have_places_and_numbers_in_any_order() {
    let net = net(&with_rule(
        "x >= 1 -> x' = 3 + y + 4 - 2 + x - 9, y' = 0, z' = 5;",
    ));
    let updates = &net.transitions[0].updates;
    let (x, y) = (place(&net, "x"), place(&net, "y"));
    assert_eq!(
        (&updates[0].sources[..], updates[0].delta),
        (&[y, x][..], -4)
    );
    assert_eq!((&updates[1].sources[..], updates[1].delta), (&[][..], 0));
    assert_eq!((&updates[2].sources[..], updates[2].delta), (&[][..], 5));
}

/// A sum may have enough although the place itself has nothing.
#[test]
fn a_transfer_pays_for_what_is_taken() {
    let net = net(&with_rule("y >= 1 -> x' = y + x - 1, y' = 0;"));
    let firing = Firing {
        transition: 0,
        wake: None,
    };
    assert_eq!(net.fire(&[0, 1, 0], firing), Some(vec![0, 0, 0]));
    assert_eq!(net.fire(&[0, 3, 0], firing), Some(vec![2, 0, 0]));
}

#[test]
fn bounds_from_above_are_obstacles() {
    let text = "vars x y rules x = 0, y in [1, 2] -> ; init x = 0 target x = 0, y >= 1 y = 2";
    let Parsed { net, obstacles, .. } = spec::parse(text).unwrap();
    let help = "(only `>=` can be decided; without the bound, more is possible)";
    assert_eq!(
        shown(text, &obstacles),
        [
            format!(
                "[x = 0] the rule is not monotone: it asks for `x = 0`: a bound from above {help}"
            ),
            format!(
                "[y in [1, 2]] the rule is not monotone: it asks for `y in [1, 2]`: a bound from above {help}"
            ),
            format!(
                "[x = 0] the target is not monotone: it asks for `x = 0`: a bound from above {help}"
            ),
            format!(
                "[y = 2] the target is not monotone: it asks for `y = 2`: a bound from above {help}"
            ),
        ]
    );
    // What is left allows more.
    assert_eq!(named(&net, &net.transitions[0].guard), "y:1");
    let targets: Vec<String> = net
        .targets
        .iter()
        .map(|target| named(&net, target))
        .collect();
    assert_eq!(targets, ["y:1", "y:2"]);
}

#[test]
fn taking_away_a_place_is_an_obstacle() {
    let text = with_rule("x >= 1 -> x' = x - y + z;");
    let Parsed { net, obstacles, .. } = spec::parse(&text).unwrap();
    assert_eq!(
        shown(&text, &obstacles),
        ["[y] taking away `y` is not monotone: only numbers can be subtracted"]
    );
    let sources = &net.transitions[0].updates[0].sources;
    assert_eq!(sources, &[place(&net, "x"), place(&net, "z")]);
}

#[test]
fn a_place_that_is_set_twice_is_an_obstacle() {
    let text = with_rule("x >= 1 -> x' = x + y - 1, x' = z + 2, y' = 0;");
    let Parsed { net, obstacles, .. } = spec::parse(&text).unwrap();
    assert_eq!(
        shown(&text, &obstacles),
        ["[x] `x` is set twice in a rule: again (it cannot be both, and possibly is the larger)"]
    );
    let update = &net.transitions[0].updates[0];
    assert_eq!((update.sources.len(), update.delta), (3, 2));
    assert_eq!(net.defect(), None);
}

#[test]
fn multiples_are_not_supported() {
    let text = with_rule("x >= 1 -> x' = x + x;");
    assert_eq!(
        unsupported(&text, spec::parse(&text)),
        ["[x] `x` is twice in a sum: multiples of a place are not supported"]
    );
}

#[test]
fn errors_point_to_what_is_wrong() {
    let cases = [
        (
            "",
            "[] the file ends here: expected `vars`, which begins a net",
        ),
        (
            "rules",
            "[rules] `rules` is not expected here: expected `vars`, which begins a net",
        ),
        (
            "vars x % y",
            "[%] this character has no meaning here: not expected",
        ),
        (
            "vars \"x\ny",
            "[\"x] this quoted name does not end on its line: not expected",
        ),
        (
            "vars x rules",
            "[] the net has no `init`: missing here (`init true` stands for any number of tokens everywhere)",
        ),
        (
            "vars x 3",
            "[3] `3` is not expected here: expected a section: `rules`, `init` or `target`",
        ),
        ("vars x x init true", "[x] `x` is declared twice: again"),
        (
            "vars reading init readng = 1",
            "[readng] `readng` is not declared in `vars`: unknown (there is `reading`)",
        ),
        (
            "vars x init x = 1 x = 2",
            "[x] a net has one set of initial markings: expected `,` or a section",
        ),
        (
            "vars x init x = 1, x = 2",
            "[x = 2] the net has no initial marking, because of `x`: contradicts what is stated before",
        ),
        (
            "vars x init x in [3, 2]",
            "[x in [3, 2]] nothing is in this interval: from large to small",
        ),
        (
            "vars x init x > 1",
            "[>] this character has no meaning here: not expected",
        ),
        (
            "vars x init x + 1",
            "[+] `+` is not expected here: expected `>=`, `=` or `in`",
        ),
        (
            "vars x init x = 99999999999999999999",
            "[99999999999999999999] this number is too large: at most 1073741824 is possible",
        ),
        (
            "vars x init true init true",
            "[init] a section can be there only once: again",
        ),
        (
            "vars x init true target",
            "[] the file ends here: expected a condition such as `x >= 1`",
        ),
        (
            "vars x rules x >= 1 x' = x;",
            "[x] `x` is not expected here: expected `,` or `->`",
        ),
        (
            "vars x rules x >= 1 -> x = x;",
            "[=] `=` is not expected here: expected `'`, as in `x' = x + 1`",
        ),
        (
            "vars x rules x >= 1 -> x' = x",
            "[] the file ends here: expected `,` or `;`",
        ),
        (
            "vars x rules x >= 1 -> x' = x,;",
            "[;] `;` is not expected here: expected an update such as `x' = x + 1`",
        ),
        (
            "vars x rules x >= 1 -> x' = x *",
            "[*] this character has no meaning here: not expected",
        ),
        (
            "vars x rules true -> x' = 1073741824 + 1; init true",
            "[1073741824 + 1] the numbers of this sum are too large: at most 1073741824 is possible",
        ),
        (
            "vars x y rules true -> wake x -> x; init true",
            "[x] who is woken must go somewhere else: the place where it waits",
        ),
        (
            "vars x y rules true -> wake x y; init true",
            "[y] `y` is not expected here: expected `->`",
        ),
        (
            "vars x init true invariants y = 1",
            "[y] `y` is not declared in `vars`: unknown",
        ),
    ];
    for (text, error) in cases {
        assert_eq!(malformed(text, spec::parse(text)), [error], "in {text}");
    }
}

#[test]
fn several_errors_are_told_at_once() {
    let text = "vars a rules b >= 1 -> c' = a; init d = 1 target e >= 1";
    let errors = malformed(text, spec::parse(text));
    let pointed: Vec<&str> = errors.iter().map(|error| &error[..3]).collect();
    assert_eq!(pointed, ["[b]", "[c]", "[d]", "[e]"]);
}

#[test]
fn a_place_can_have_the_name_of_a_clause() {
    let text =
        "vars wake \"in\" rules wake >= 1 -> wake' = wake - 1, wake wake -> \"in\"; init true";
    let net = net(text);
    assert_eq!(net.transitions[0].updates.len(), 1);
    assert_eq!(
        net.transitions[0].wakes,
        [(place(&net, "wake"), place(&net, "in"))]
    );
}

#[test]
fn old_files_have_other_characters_and_line_ends() {
    let bytes = b"# caf\xe9\r\nvars x\r\nrules\r\ninit x = 1 # \xff\r\ntarget x >= 2";
    let net = net(&decode(bytes));
    assert_eq!((net.places.len(), net.targets.len()), (1, 1));
    assert_eq!(decode(b"\xef\xbb\xbfvars"), "vars");
}

#[test]
fn a_rule_without_conditions_is_always_possible() {
    let empty =
        "vars x y rules -> x' = x + 1; again: -> y' = y + 1; init x = 0, y = 0 target x >= 3";
    let written = empty.replace("->", "true ->");
    assert_eq!(spec::parse(empty).unwrap(), spec::parse(&written).unwrap());
}

#[test]
fn bounds_from_above_are_kept_beside_the_net() {
    let text = "vars x y rules x = 0, y >= 1 -> y' = y - 1; y in [1, 3] -> x' = x + 1; \
                init true target x = 0, y >= 1 y >= 2";
    let upper = spec::parse(text).unwrap().upper.unwrap();
    let (x, y) = (Place(0), Place(1));
    assert_eq!(upper.guards, [vec![(x, 0)], vec![(y, 3)]]);
    assert_eq!(upper.targets, [vec![(x, 0)], vec![]]);
    // What else is not monotone is not a bound.
    let subtracts = text.replace("x' = x + 1", "x' = x - y");
    assert_eq!(spec::parse(&subtracts).unwrap().upper, None);
}
