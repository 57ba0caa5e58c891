//! Certificates as JSON, to be checked by whoever does not trust who gave them.
//!
//! ```json
//! { "schema": "raddle-certificate/1",
//!   "kind": "net",
//!   "net": {
//!     "places": ["key", "outside", "inside"],
//!     "backward": {
//!       "sums": [{ "weights": [[0, 1], [2, 1]], "bound": 1 }],
//!       "empty": [],
//!       "basis": [[[2, 2]]] } } }
//! ```
//!
//! Places are numbers, in the order of `places`. A marking or a demand is a list of pairs of a
//! place and a number of tokens. Beside `backward` there is `forward`, a list of upper bounds,
//! in which `null` is any number and a place that is not named is empty. With `agglomerated`, lists
//! of places `exclusive` and `passing`, either of them is about a smaller net. The members are those
//! of [`Certificate`], which says what they claim.
//!
//! The question is no part of a certificate: net and targets come from whoever checks it. What
//! is read here proves nothing before [`crate::check_safe`] has agreed. Another kind of
//! certificate can contain one of a net, as its member `net`.

use crate::certificate::{Agglomerated, Certificate, Linear};
use crate::net::{Demand, MOST_TOKENS, Marking, Net, OMEGA, Place};
use serde_json::{Value, json};

/// The version of the form.
pub const SCHEMA: &str = "raddle-certificate/1";

/// The longest element of a basis that is read.
const LONGEST: usize = 1 << 14;

/// A certificate of a kind with some members, among them usually `net`.
pub fn document(kind: &str, members: Value) -> Value {
    let mut value = json!({ "schema": SCHEMA, "kind": kind });
    if let (Some(all), Value::Object(members)) = (value.as_object_mut(), members) {
        all.extend(members);
    }
    value
}

/// The kind of a certificate; the error says what else it is.
pub fn kind(value: &Value) -> Result<&str, String> {
    match value["schema"].as_str() {
        Some(SCHEMA) => {
            let kind = value["kind"].as_str();
            kind.ok_or_else(|| "the certificate does not say what kind it is".to_owned())
        }
        Some(other) => Err(format!("the schema is `{other}`, and not `{SCHEMA}`")),
        None => Err("this is no certificate: it has no `schema`".to_owned()),
    }
}

/// The part of a certificate that is about a net.
pub fn to_json(net: &Net, certificate: &Certificate) -> Value {
    let demand = |demand: &Demand| {
        let pairs = demand.iter().map(|&(place, least)| json!([place.0, least]));
        Value::Array(pairs.collect())
    };
    match certificate {
        Certificate::Backward {
            linear,
            empty,
            basis,
        } => {
            let sums = linear.iter().map(|sum| {
                let weights = sum.weights.iter();
                let weights = weights.map(|&(place, weight)| json!([place.0, weight]));
                json!({ "weights": weights.collect::<Vec<_>>(), "bound": sum.bound })
            });
            json!({
                "places": net.places,
                "backward": {
                    "sums": sums.collect::<Vec<_>>(),
                    "empty": empty.iter().map(|place| place.0).collect::<Vec<_>>(),
                    "basis": basis.iter().map(demand).collect::<Vec<_>>(),
                },
            })
        }
        Certificate::Forward(bounds) => {
            let bound = |bound: &Marking| {
                let marked = bound.iter().enumerate().filter(|&(_, &tokens)| tokens > 0);
                let pairs = marked.map(|(place, &tokens)| match tokens {
                    OMEGA => json!([place, null]),
                    tokens => json!([place, tokens]),
                });
                Value::Array(pairs.collect())
            };
            json!({
                "places": net.places,
                "forward": bounds.iter().map(bound).collect::<Vec<_>>(),
            })
        }
        Certificate::Agglomerated(smaller) => {
            let numbers = |places: &[Place]| places.iter().map(|place| place.0).collect::<Vec<_>>();
            let mut value = to_json(net, &smaller.rest);
            value["agglomerated"] = json!({
                "exclusive": numbers(&smaller.exclusive),
                "passing": numbers(&smaller.passing),
            });
            value
        }
    }
}

/// Reads the part of a certificate that is about a net. The error says why it is none, or one
/// of another net.
pub fn from_json(net: &Net, value: &Value) -> Result<Certificate, String> {
    let names = list(&value["places"], "places")?;
    if names.len() != net.places.len() {
        let (theirs, ours) = (names.len(), net.places.len());
        return Err(format!(
            "it is about another net: that has {theirs} places, this one has {ours}"
        ));
    }
    for (name, place) in names.iter().zip(&net.places) {
        if name.as_str() != Some(place) {
            return Err(format!(
                "it is about another net: one of its places is {name}, where this one has \"{place}\""
            ));
        }
    }
    let rest = match (value.get("backward"), value.get("forward")) {
        (Some(backward), None) => read_backward(net, backward)?,
        (None, Some(forward)) => {
            let bounds = list(forward, "forward")?.iter();
            let bounds = bounds.map(|bound| read_bound(net, bound));
            Certificate::Forward(bounds.collect::<Result<_, _>>()?)
        }
        _ => return Err("it needs one of `backward` and `forward`".to_owned()),
    };
    let Some(smaller) = value.get("agglomerated") else {
        return Ok(rest);
    };
    Ok(Certificate::Agglomerated(Box::new(Agglomerated {
        exclusive: places(net, &smaller["exclusive"], "exclusive")?,
        passing: places(net, &smaller["passing"], "passing")?,
        rest,
    })))
}

fn read_backward(net: &Net, value: &Value) -> Result<Certificate, String> {
    let sums = list(&value["sums"], "sums")?.iter().map(|sum| {
        let weights = pairs(net, &sum["weights"], "weights")?;
        let weights = weights.into_iter().map(|(place, weight)| {
            let weight = weight.as_u64();
            Ok((place, weight.ok_or("a weight is not a number")?))
        });
        Ok(Linear {
            weights: weights.collect::<Result<_, String>>()?,
            bound: sum["bound"].as_u64().ok_or("a bound is not a number")?,
        })
    });
    let basis = list(&value["basis"], "basis")?.iter().map(|element| {
        let pairs = pairs(net, element, "basis")?;
        if pairs.len() > LONGEST {
            return Err("an element of the basis is too long".to_owned());
        }
        let demand = pairs.into_iter();
        let demand = demand.map(|(place, tokens)| Ok((place, positive(tokens)?)));
        demand.collect::<Result<Demand, String>>()
    });
    Ok(Certificate::Backward {
        linear: sums.collect::<Result<_, String>>()?,
        empty: places(net, &value["empty"], "empty")?,
        basis: basis.collect::<Result<_, _>>()?,
    })
}

fn read_bound(net: &Net, value: &Value) -> Result<Marking, String> {
    let mut bound = vec![0; net.places.len()];
    for (place, tokens) in pairs(net, value, "forward")? {
        if bound[place.index()] != 0 {
            return Err("a place is twice in a bound".to_owned());
        }
        bound[place.index()] = match tokens {
            Value::Null => OMEGA,
            tokens => positive(tokens)?,
        };
    }
    Ok(bound)
}

fn list<'v>(value: &'v Value, name: &str) -> Result<&'v [Value], String> {
    let items = value.as_array().map(Vec::as_slice);
    items.ok_or_else(|| format!("`{name}` is not a list"))
}

/// Pairs of a place and something else.
fn pairs<'v>(net: &Net, value: &'v Value, name: &str) -> Result<Vec<(Place, &'v Value)>, String> {
    let pairs = list(value, name)?.iter().map(|pair| match pair.as_array() {
        Some(pair) if pair.len() == 2 => Ok((place(net, &pair[0])?, &pair[1])),
        _ => Err(format!("`{name}` has something that is not a pair")),
    });
    pairs.collect()
}

fn places(net: &Net, value: &Value, name: &str) -> Result<Vec<Place>, String> {
    let places = list(value, name)?.iter();
    places.map(|it| place(net, it)).collect()
}

fn place(net: &Net, value: &Value) -> Result<Place, String> {
    let number = value.as_u64().filter(|&it| it < net.places.len() as u64);
    let number = number.and_then(|it| u32::try_from(it).ok());
    number
        .map(Place)
        .ok_or_else(|| format!("{value} is not the number of a place"))
}

/// A number of tokens that is not zero.
fn positive(value: &Value) -> Result<u32, String> {
    let number = value.as_u64().and_then(|it| u32::try_from(it).ok());
    let number = number.filter(|&it| it > 0 && it <= MOST_TOKENS);
    number.ok_or_else(|| format!("{value} is not a number of tokens"))
}
