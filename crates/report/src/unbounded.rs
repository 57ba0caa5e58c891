//! What people want to see of an answer about any number of threads: the net, if it is small,
//! the predicates, where they hold, and how they were found.

use crate::layout::clean;
use serde_json::{Value, json};

/// Nets with more places or transitions are too large for a picture.
pub const MOST_DRAWN: usize = 30;

/// A net as it is drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// The places, each with how many tokens it has in the beginning.
    pub places: Vec<(String, Tokens)>,
    /// The transitions.
    pub transitions: Vec<Arcs>,
}

/// How many tokens a place has in the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tokens {
    /// At most so many.
    Most(u32),
    /// As many as one likes.
    Any,
}

/// A transition with its arcs; places are numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arcs {
    /// Its name.
    pub name: String,
    /// What it takes from places.
    pub takes: Vec<(usize, u64)>,
    /// What it puts into places.
    pub puts: Vec<(usize, u64)>,
    /// What it asks for and leaves there.
    pub asks: Vec<(usize, u64)>,
    /// From where to where it moves all tokens.
    pub transfers: Vec<(usize, usize)>,
    /// Where all tokens vanish.
    pub empties: Vec<usize>,
    /// From where to where it moves one token, if there is one.
    pub wakes: Vec<(usize, usize)>,
}

/// One way to look at a program, and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attempt {
    /// How the program was looked at.
    pub name: String,
    /// How many abstractions were made.
    pub abstractions: usize,
    /// How it ended.
    pub end: String,
    /// The predicates in the order in which they were found.
    pub predicates: Vec<Predicate>,
}

/// A predicate, and why it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// What it says.
    pub text: String,
    /// After which abstraction it was added; 0 from the start.
    pub since: usize,
    /// Why.
    pub why: String,
}

/// What is true of a thread whenever it stands in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineFacts {
    /// The kind of thread.
    pub thread: String,
    /// The line.
    pub line: u32,
    /// Predicates, or their negations.
    pub facts: Vec<String>,
}

pub(crate) fn picture(picture: &Picture) -> Value {
    let places = picture.places.iter().map(|(name, tokens)| {
        let tokens = match tokens {
            Tokens::Most(tokens) => Some(tokens),
            Tokens::Any => None,
        };
        json!({ "name": clean(name), "tokens": tokens })
    });
    let transitions = picture.transitions.iter().map(|arcs| {
        json!({
            "name": clean(&arcs.name),
            "takes": arcs.takes,
            "puts": arcs.puts,
            "asks": arcs.asks,
            "transfers": arcs.transfers,
            "empties": arcs.empties,
            "wakes": arcs.wakes,
        })
    });
    json!({
        "places": places.collect::<Vec<_>>(),
        "transitions": transitions.collect::<Vec<_>>(),
    })
}

pub(crate) fn attempt(attempt: &Attempt) -> Value {
    let predicates = attempt.predicates.iter().map(|predicate| {
        json!({
            "text": clean(&predicate.text),
            "since": predicate.since,
            "why": clean(&predicate.why),
        })
    });
    json!({
        "name": clean(&attempt.name),
        "abstractions": attempt.abstractions,
        "end": clean(&attempt.end),
        "predicates": predicates.collect::<Vec<_>>(),
    })
}

pub(crate) fn known(known: &LineFacts) -> Value {
    let facts = known.facts.iter().map(|fact| clean(fact));
    json!({
        "thread": clean(&known.thread),
        "line": known.line,
        "facts": facts.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_tokens_is_no_number() {
        let net = Picture {
            places: vec![
                ("a\u{1b}[2J".to_owned(), Tokens::Any),
                ("b".to_owned(), Tokens::Most(0)),
            ],
            transitions: vec![Arcs {
                name: "t".to_owned(),
                takes: vec![(0, 1)],
                puts: vec![(1, 2)],
                ..Arcs::default()
            }],
        };
        let value = picture(&net);
        assert_eq!(value["places"][0]["tokens"], Value::Null);
        assert_eq!(value["places"][1]["tokens"], json!(0));
        assert_eq!(value["transitions"][0]["puts"], json!([[1, 2]]));
        assert!(!value.to_string().contains("\\u001b"));
    }
}
