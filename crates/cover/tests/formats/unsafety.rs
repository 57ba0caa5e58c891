use crate::{named, shown};
use raddle_cover::unsafety::{Names, PlaceNames, parse};
use raddle_cover::{Net, Place};

fn net() -> Net {
    Net {
        places: ["a", "b", "critical[1].x'", "two words", "a|b", "9"]
            .map(str::to_owned)
            .to_vec(),
        ..Net::default()
    }
}

fn demands(text: &str) -> Vec<String> {
    let net = net();
    let demands = parse(text, &PlaceNames::new(&net)).unwrap();
    demands.iter().map(|demand| named(&net, demand)).collect()
}

#[test]
fn conditions_are_connected() {
    assert_eq!(demands("a"), ["a:1"]);
    assert_eq!(demands("a >= 2"), ["a:2"]);
    assert_eq!(demands("a>=2&b"), ["a:2 b:1"]);
    assert_eq!(demands("b >= 3 && a || b >= 4"), ["a:1 b:3", "b:4"]);
    assert_eq!(demands("a | b | a"), ["a:1", "b:1"]);
    assert_eq!(demands("a & a"), ["a:1"]);
    assert_eq!(demands("a & a >= 3 & a >= 2"), ["a:3"]);
}

#[test]
fn names_have_any_characters_in_quotes() {
    assert_eq!(demands("critical[1].x' >= 2"), ["critical[1].x':2"]);
    assert_eq!(demands("\"two words\" & \"a|b\">=2"), ["two words:1 a|b:2"]);
    assert_eq!(demands("9 >= 9"), ["9:9"]);
    assert_eq!(demands("\"a\" | \"\\a\""), ["a:1"]);
}

/// A label at which a thread can be in several states.
struct Labels;

impl Names for Labels {
    fn places(&self, name: &str) -> Option<Vec<Place>> {
        match name {
            "critical" => Some(vec![Place(1), Place(0)]),
            "waiting" => Some(vec![Place(0), Place(4)]),
            "never" => Some(Vec::new()),
            "many" => Some((0..1000).map(Place).collect()),
            _ => None,
        }
    }

    fn all(&self) -> Vec<&str> {
        vec!["critical", "waiting", "never", "many"]
    }
}

fn label_demands(text: &str) -> Vec<String> {
    let net = net();
    let demands = parse(text, &Labels).unwrap();
    demands.iter().map(|demand| named(&net, demand)).collect()
}

#[test]
fn the_states_of_a_label_are_added_up() {
    assert_eq!(label_demands("critical"), ["a:1", "b:1"]);
    assert_eq!(label_demands("critical >= 2"), ["a:2", "b:2", "a:1 b:1"]);
    assert!(label_demands("never").is_empty());
    assert_eq!(label_demands("never | critical"), ["a:1", "b:1"]);
    assert!(label_demands("never & critical").is_empty());
}

/// A thread that is at both labels is at both.
#[test]
fn labels_can_share_states() {
    assert_eq!(
        label_demands("critical & waiting"),
        ["a:1", "a:1 a|b:1", "a:1 b:1", "b:1 a|b:1"]
    );
}

#[test]
fn the_number_of_demands_is_limited() {
    assert_eq!(parse("many", &Labels).unwrap().len(), 1000);
    assert_eq!(parse("critical >= 99999", &Labels).unwrap().len(), 100_000);
    for text in [
        "many >= 2",
        "critical >= 100000",
        "many & many",
        "critical >= 1073741824",
    ] {
        let errors = parse(text, &Labels).unwrap_err();
        assert_eq!(
            errors[0].message, "there are too many ways to be unsafe",
            "{text}"
        );
    }
}

#[test]
fn errors_point_to_what_is_wrong() {
    let cases = [
        ("", "[] the expression ends here: expected a name"),
        ("a &", "[] the expression ends here: expected a name"),
        ("& a", "[&] this is not expected here: expected a name"),
        (
            "a b",
            "[b] this is not expected here: expected `&`, `|` or `>=`",
        ),
        ("a >= b", "[b] this is not expected here: expected a number"),
        ("a >=", "[] the expression ends here: expected a number"),
        (
            "a >= 0",
            "[0] everything would be unsafe: expected at least 1",
        ),
        (
            "a >= 9999999999",
            "[9999999999] this number is too large: at most 1073741824 is possible",
        ),
        (
            "a = 1",
            "[=] `=` cannot be used here: expected `>=` (what is unsafe stays unsafe with more threads)",
        ),
        (
            "a < 1",
            "[<] `<` cannot be used here: expected `>=` (what is unsafe stays unsafe with more threads)",
        ),
        (
            "a > 1",
            "[>] `>` cannot be used here: expected `>=` (what is unsafe stays unsafe with more threads)",
        ),
        ("a & \"b", "[\"b] the quotes are not closed: begins here"),
        (
            "two_words",
            "[two_words] there is no `two_words`: unknown (there is `two words`)",
        ),
    ];
    for (text, error) in cases {
        let errors = parse(text, &PlaceNames::new(&net())).unwrap_err();
        assert_eq!(shown(text, &errors), [error], "in {text}");
    }
    let errors = parse("x & y | z z", &PlaceNames::new(&net())).unwrap_err();
    assert_eq!(errors.len(), 4);
}
