//! Certificates as JSON: right ones are read back as they were; damaged, foreign and guessed ones
//! are refused.

#![allow(clippy::unwrap_used)]

use raddle_cover::formats::certificate::{SCHEMA, document, from_json, kind, to_json};
use raddle_cover::formats::spec;
use raddle_cover::{Answer, Certificate, Net, Unwatched, check_safe, decide};
use raddle_testkit::generate::Random;
use raddle_testkit::nets::{explicit, sample};
use serde_json::{Value, json};

/// Threads go in one at a time.
const MUTUAL_EXCLUSION: &str = "
    vars   key outside inside
    rules  key >= 1, outside >= 1 -> key' = key - 1, outside' = outside - 1, inside' = inside + 1;
           inside >= 1 -> key' = key + 1, inside' = inside - 1, outside' = outside + 1;
    init   key = 1, outside >= 0, inside = 0
    target inside >= 2";

/// `x` needs `f` and `g` together, but `f` is emptied when `g` gets a token. No sum shows that.
const FLAGS: &str = "vars f g x rules
    f >= 1, g >= 1 -> x' = x + 1; true -> f' = 0, g' = g + 1;
    init f = 1, g = 0, x = 0 target x >= 1";

fn net(text: &str) -> Net {
    spec::parse(text).unwrap().net
}

/// Whether a certificate in this form proves that the net is safe.
fn verify(net: &Net, value: &Value) -> Result<(), String> {
    Ok(check_safe(net, &from_json(net, value)?)?)
}

fn sums() -> Value {
    json!({
        "places": ["key", "outside", "inside"],
        "backward": {
            "sums": [{ "weights": [[0, 1], [2, 1]], "bound": 1 }],
            "empty": [],
            "basis": [],
        },
    })
}

fn basis() -> Value {
    json!({
        "places": ["f", "g", "x"],
        "backward": { "sums": [], "empty": [], "basis": [[[2, 1]], [[0, 1], [1, 1]]] },
    })
}

fn bounds() -> Value {
    json!({
        "places": ["f", "g", "x"],
        "forward": [[[0, 1]], [[1, null]]],
    })
}

#[test]
fn right_ones_are_accepted() {
    assert_eq!(verify(&net(MUTUAL_EXCLUSION), &sums()), Ok(()));
    assert_eq!(verify(&net(FLAGS), &basis()), Ok(()));
    assert_eq!(verify(&net(FLAGS), &bounds()), Ok(()));
}

/// Each of these has one thing changed, and is refused.
#[test]
fn damaged_ones_are_refused() {
    let changes: &[(Value, &str, Value)] = &[
        (sums(), "/backward/sums/0/bound", json!(0)),
        (sums(), "/backward/sums/0/bound", json!(2)),
        (sums(), "/backward/sums/0/bound", json!(-1)),
        (sums(), "/backward/sums/0/bound", json!("1")),
        (sums(), "/backward/sums/0/weights", json!([[0, 1]])),
        (sums(), "/backward/sums/0/weights", json!([[2, 1]])),
        (sums(), "/backward/sums/0/weights/1/1", json!(2)),
        (sums(), "/backward/sums/0/weights/1/1", json!(1.5)),
        (sums(), "/backward/sums/0/weights/1/0", json!(1)),
        (sums(), "/backward/sums/0/weights/1/0", json!(3)),
        (sums(), "/backward/sums", json!([])),
        (sums(), "/backward/sums", json!(null)),
        (sums(), "/backward/sums", json!([7])),
        (sums(), "/backward/empty", json!([2])),
        (sums(), "/backward/empty", json!([99])),
        (sums(), "/backward/basis", json!([[[0, 1]]])),
        (sums(), "/places/2", json!("within")),
        (sums(), "/places", json!(["key", "outside"])),
        (sums(), "/places", json!("key")),
        (sums(), "/backward", json!({})),
        (basis(), "/backward/basis/0", json!([[1, 1]])),
        (basis(), "/backward/basis/0/0/1", json!(2)),
        (basis(), "/backward/basis/0/0/1", json!(0)),
        (basis(), "/backward/basis/0/0/1", json!(4_294_967_296_u64)),
        (basis(), "/backward/basis/1", json!([[1, 1], [0, 1]])),
        (basis(), "/backward/basis/1", json!([[0, 1], [1, 2]])),
        (basis(), "/backward/basis/1", json!([[0, 1, 1]])),
        (basis(), "/backward/basis", json!([[[2, 1]]])),
        (bounds(), "/forward/0", json!([])),
        (bounds(), "/forward/1", json!([[1, 5]])),
        (bounds(), "/forward/1", json!([[0, 1], [1, null]])),
        (bounds(), "/forward/1", json!([[1, null], [2, 1]])),
        (bounds(), "/forward/1", json!([[1, null], [1, null]])),
        (bounds(), "/forward", json!([])),
        (bounds(), "/forward", json!([[[1, null]]])),
    ];
    for (value, pointer, change) in changes {
        let net = match value == &sums() {
            true => net(MUTUAL_EXCLUSION),
            false => net(FLAGS),
        };
        let mut damaged = value.clone();
        *damaged.pointer_mut(pointer).unwrap() = change.clone();
        let refused = verify(&net, &damaged);
        assert!(refused.is_err(), "{pointer} {change}");
    }
    let mut both = basis();
    both["forward"] = bounds()["forward"].clone();
    assert!(verify(&net(FLAGS), &both).is_err());
}

/// One of another net, or for another question.
#[test]
fn foreign_ones_are_refused() {
    let told = verify(&net(FLAGS), &sums()).unwrap_err();
    assert!(told.contains("another net"), "{told}");
    let more = FLAGS.replace("target x >= 1", "target g >= 1");
    assert!(verify(&net(&more), &basis()).is_err());
    let wrong = FLAGS.replace("f' = 0, ", "");
    assert!(verify(&net(&wrong), &basis()).is_err());
    assert!(verify(&net(&wrong), &bounds()).is_err());
}

/// A number that would take for ever to check is refused at once.
#[test]
fn what_cannot_be_checked_is_refused() {
    let collects = "vars a b c x rules x >= 1 -> c' = a + b, a' = 0, b' = 0;
                    init a = 1, b = 1, c = 0, x = 0 target c >= 1000000000";
    let value = json!({
        "places": ["a", "b", "c", "x"],
        "backward": { "sums": [], "empty": [], "basis": [[[2, 1_000_000_000]]] },
    });
    let told = verify(&net(collects), &value).unwrap_err();
    assert!(told.contains("too many predecessors"), "{told}");
}

#[test]
fn documents_say_what_they_are() {
    let value = document("net", json!({ "net": sums() }));
    assert_eq!(kind(&value), Ok("net"));
    assert_eq!(value["schema"], SCHEMA);
    for other in [
        json!({ "schema": "raddle-certificate/2", "kind": "net" }),
        json!({ "schema": SCHEMA }),
        json!({ "kind": "net" }),
        json!([1, 2]),
        json!(null),
    ] {
        assert!(kind(&other).is_err(), "{other}");
    }
}

/// What the procedures give is read back as it was; with a number of it changed it is refused,
/// or proves the same; and it is never accepted for a net that is unsafe.
#[test]
fn random_certificates() {
    let (mut read, mut refused) = (0, 0);
    for seed in 1..1200 {
        let net = sample(seed);
        let Answer::Safe(certificate) = decide(&net, &Unwatched).answer else {
            continue;
        };
        let text = to_json(&net, &certificate).to_string();
        let value: Value = serde_json::from_str(&text).unwrap();
        let again: Certificate = from_json(&net, &value).unwrap();
        assert_eq!(again, certificate, "seed {seed}");
        read += 1;
        let mut random = Random(seed);
        for _ in 0..8 {
            let damaged = damage(&text, &mut random);
            let Ok(damaged) = serde_json::from_str::<Value>(&damaged) else {
                continue;
            };
            // Another net that differs by one number of the initial marking.
            let mut other = net.clone();
            let place = random.below(net.places.len() as u64) as usize;
            other.least[place] = other.least[place].saturating_add(1).min(3);
            other.most[place] = other.most[place].max(other.least[place]);
            match verify(&net, &damaged) {
                Ok(()) => assert_ne!(explicit(&net), Some(false), "seed {seed}"),
                Err(_) => refused += 1,
            }
            if verify(&other, &damaged).is_ok() {
                assert_ne!(explicit(&other), Some(false), "seed {seed}");
            }
        }
    }
    assert!(read > 300 && refused > 500, "{read} {refused}");
}

/// The text with one digit changed.
fn damage(text: &str, random: &mut Random) -> String {
    let digits: Vec<usize> = text
        .bytes()
        .enumerate()
        .filter(|(_, byte)| byte.is_ascii_digit())
        .map(|(index, _)| index)
        .collect();
    let mut bytes = text.as_bytes().to_vec();
    match digits.get(random.below(digits.len() as u64) as usize) {
        Some(&at) => bytes[at] = b'0' + random.below(10) as u8,
        None => bytes.clear(),
    }
    String::from_utf8(bytes).unwrap()
}
