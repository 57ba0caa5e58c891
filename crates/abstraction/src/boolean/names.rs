//! Names for what a boolean program declares: readable, and each there once.

use std::collections::BTreeSet;

/// The words of the language, and the name of the thread type that a program begins with.
const TAKEN: [&str; 27] = [
    "abstraction",
    "accept",
    "and",
    "assert",
    "choice",
    "else",
    "false",
    "goto",
    "if",
    "lock",
    "locks",
    "main",
    "messages",
    "of",
    "rendezvous",
    "skip",
    "sleep",
    "start",
    "threads",
    "true",
    "unlock",
    "unsafe",
    "vars",
    "wakeup",
    "wakeupall",
    "while",
    "_",
];

/// What signs are read as; the longer ones first.
const SIGNS: [(&str, &str); 16] = [
    ("==", "is"),
    (">=", "at_least"),
    ("<=", "at_most"),
    ("!=", "is_not"),
    ("&&", "and"),
    ("||", "or"),
    ("<<", "shifted_left"),
    (">>", "shifted_right"),
    ("<", "less_than"),
    (">", "more_than"),
    ("!", "not"),
    ("+", "plus"),
    ("-", "minus"),
    ("*", "times"),
    ("/", "by"),
    ("%", "modulo"),
];

/// Longer names are cut off; a comment says what they mean.
const LONGEST: usize = 48;

/// The names that are taken.
#[derive(Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// A name that reads like a text and that nothing else has.
    pub(super) fn fresh(&mut self, text: &str) -> String {
        let name = readable(text);
        let is_free = |it: &String| !TAKEN.contains(&it.as_str()) && !self.taken.contains(it);
        let numbered = (2..).map(|number: u64| format!("{name}_{number}"));
        let name = std::iter::once(name.clone()).chain(numbered).find(is_free);
        let name = name.unwrap_or_default();
        self.taken.insert(name.clone());
        name
    }
}

fn readable(text: &str) -> String {
    let mut words = text.to_owned();
    for (sign, word) in SIGNS {
        words = words.replace(sign, &format!(" {word} "));
    }
    let parts = words.split(|c: char| !c.is_ascii_alphanumeric());
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let mut name = parts.join("_");
    name.truncate(LONGEST);
    match name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => name,
        false => format!("p_{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_like_what_they_mean() {
        let mut names = Names::default();
        let shown = [
            "x == 0",
            "x >= 1",
            "x >= 1",
            "!(a - b < 3)",
            "lock",
            "0 <= é",
        ];
        let named = shown.map(|it| names.fresh(it));
        let wanted = [
            "x_is_0",
            "x_at_least_1",
            "x_at_least_1_2",
            "not_a_minus_b_less_than_3",
            "lock_2",
            "p_0_at_most",
        ];
        assert_eq!(named, wanted);
    }
}
