//! Values of flags by their names.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use raddle_java::{MemoryModel, Randomness, Time, Timeouts};
use raddle_reduce::{Reduction, Strictness};
use raddle_search::{Order, SAMPLERS, Sampler, StoreKind};

/// More processors than this have to be a mistake.
pub(super) const MOST_JOBS: i64 = 256;

/// A constant and its value.
pub(super) fn define(text: &str) -> Result<(String, i64), String> {
    match defines(text)? {
        Define {
            name,
            values: Values::One(value),
        } => Ok((name, value)),
        _ => Err("a range of values is for `raddle compare`; here a constant has one".to_owned()),
    }
}

/// A constant, and which values it has one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Define {
    pub(crate) name: String,
    pub(crate) values: Values,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    One(i64),
    /// From the first to the last.
    Range(i64, i64),
}

/// A constant and its value, or a range of them.
pub(super) fn defines(text: &str) -> Result<Define, String> {
    /// More values than these have to be a mistake.
    const MOST: i64 = 100;
    let Some((first, last)) = text.split_once("..") else {
        let (name, value) = raddle_lang::parse_define(text)?;
        let values = Values::One(value);
        return Ok(Define { name, values });
    };
    let (name, first) = raddle_lang::parse_define(first)?;
    let (_, last) = raddle_lang::parse_define(&format!("{name}={last}"))?;
    if last < first {
        return Err(format!("there is nothing from {first} to {last}"));
    }
    if last - first >= MOST {
        return Err(format!("more than {MOST} values"));
    }
    let values = Values::Range(first, last);
    Ok(Define { name, values })
}

pub(crate) fn randomness(text: &str) -> Result<Randomness, String> {
    match text {
        "explore" => Ok(Randomness::Explore),
        seed => seed
            .parse()
            .map(Randomness::Seed)
            .map_err(|_| "neither `explore` nor a number".to_owned()),
    }
}

pub(crate) fn clock(text: &str) -> Result<Time, String> {
    match text {
        "logical" => Ok(Time::Logical),
        "any" => Ok(Time::Any),
        _ => Err("neither `logical` nor `any`".to_owned()),
    }
}

pub(crate) fn memory_model(text: &str) -> Result<MemoryModel, String> {
    match text {
        "sc" => Ok(MemoryModel::Sequential),
        "java" => Ok(MemoryModel::Java),
        _ => Err("neither `sc` nor `java`".to_owned()),
    }
}

pub(crate) fn timeouts(text: &str) -> Result<Timeouts, String> {
    match text {
        "any" => Ok(Timeouts::Any),
        "last" => Ok(Timeouts::Last),
        _ => Err("neither `any` nor `last`".to_owned()),
    }
}

/// The search orders by their names; the part before the hyphen will do.
pub(super) fn orders() -> impl TypedValueParser<Value = Order> {
    let values = Order::ALL.map(|order| {
        let (short, help) = match order {
            Order::DepthFirst => ("depth", "One execution after the other; needs least memory"),
            Order::BreadthFirst => ("breadth", "The nearest states first; finds shortest traces"),
        };
        PossibleValue::new(order.name()).alias(short).help(help)
    });
    let named = |name: String| {
        let mut orders = Order::ALL.into_iter();
        let found = orders.find(|order| order.name().starts_with(&name));
        found.ok_or("no such search order")
    };
    PossibleValuesParser::new(values).try_map(named)
}

/// The reductions by their names.
pub(super) fn reductions() -> impl TypedValueParser<Value = Reduction> {
    let values = Reduction::ALL.iter().map(|reduction| {
        let entry = reduction.entry();
        PossibleValue::new(entry.name).help(entry.summary)
    });
    // There are many of them, and they explain themselves.
    let combined =
        Reduction::combinations().map(|it| PossibleValue::new(it.entry().name).hide(true));
    let values = values.chain(combined);
    let named = |name: String| Reduction::by_name(&name).ok_or("no such reduction");
    PossibleValuesParser::new(values).try_map(named)
}

/// What to do about wrong assumptions, by name.
pub(super) fn strictness() -> impl TypedValueParser<Value = Strictness> {
    let values = Strictness::ALL.map(|it| {
        let help = match it {
            Strictness::Auto => "Take it for unprotected and begin again",
            Strictness::Strict => "A wrong claim is a violation; a wrong guess ends the search",
        };
        PossibleValue::new(it.name()).help(help)
    });
    let named = |name: String| {
        let mut all = Strictness::ALL.into_iter();
        all.find(|it| it.name() == name).ok_or("auto or strict")
    };
    PossibleValuesParser::new(values).try_map(named)
}

/// The stores by their names.
pub(super) fn stores() -> impl TypedValueParser<Value = StoreKind> {
    let values = StoreKind::ALL.map(|store| {
        let help = match store {
            StoreKind::Exact => "Every state is kept, compressed without loss",
            StoreKind::Fingerprint => "64 bits are kept of every state; can err, and says so",
            StoreKind::Bitstate { .. } => "Three bits are set; finds violations, proves nothing",
        };
        PossibleValue::new(store.name()).help(help)
    });
    let named = |name: String| {
        let mut stores = StoreKind::ALL.into_iter();
        let found = stores.find(|store| store.name() == name);
        found.ok_or("no such store")
    };
    PossibleValuesParser::new(values).try_map(named)
}

/// A way to choose executions by chance, by its name.
pub(super) fn sampler(text: &str) -> Result<Sampler, String> {
    let names: Vec<&str> = SAMPLERS.iter().map(|it| it.name).collect();
    let names = names.join(", ");
    Sampler::by_name(text).ok_or_else(|| format!("one of {names}, or pct:DEPTH"))
}

/// What the ways are.
pub(super) fn sampler_help() -> String {
    let each = SAMPLERS
        .iter()
        .map(|it| format!("- {}: {} [{}]", it.name, it.summary, it.source));
    let all: Vec<String> = each.collect();
    format!(
        "Explore only executions chosen at random, in this way:\n{}",
        all.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_have_a_value_or_a_range() {
        let range = |first, last| {
            Ok(Define {
                name: "N".to_owned(),
                values: Values::Range(first, last),
            })
        };
        assert_eq!(defines("N=2..6"), range(2, 6));
        assert_eq!(defines("N = -1..1"), range(-1, 1));
        assert_eq!(define("N=true"), Ok(("N".to_owned(), 1)));
        for wrong in ["N=6..2", "N=1..1000", "N=2..", "N=..2", "N=a..b", "2..3"] {
            assert!(defines(wrong).is_err(), "{wrong}");
        }
        let refused = define("N=2..6").expect_err("one value only");
        assert!(refused.contains("raddle compare"), "{refused}");
    }
}
