//! What a corpus program says about itself, in comments.
//!
//! On the line concerned:
//! - `//~ VIOLATED kind`: the fault of this kind is found at this line;
//! - `//~ STUCK`: at the deadlock some thread waits at this line (every line at which
//!   one waits is marked);
//! - `//~ ERROR text`: the compiler reports an error here that contains the text.
//!
//! For the whole program, `//@ name` or `//@ name: value`:
//! - `holds`, `deadlock`, `partial-deadlock`, `unknown: text`;
//! - `violated: kind` for a fault that has no line;
//! - `states: n`, `transitions: n`, `stutters: n`, of a search to the end;
//! - `steps: n`, `switches: n` of the shortened trace;
//! - `unreachable: label`, `ignore: property`, `max-states: n`, `max-depth: n`,
//!   `max-stack: n`, `max-heap: n`, `max-threads: n`, `define: NAME=n` set up the run;
//! - `strict`: a step that breaks a claim of the program is a fault of kind `discipline`.
//!
//! Anything else after `//~` or `//@` is an error: a directive that is mistyped must
//! not pass for one that is fulfilled.

use raddle_machine::{Machine, MachineLimits};
use raddle_model::{Property, Verdict};
use raddle_search::Config;

/// The expectations and the set-up of one program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    /// The answer.
    pub verdict: Expected,
    /// Lines at which threads wait in a deadlock; empty if none is marked.
    pub stuck: Vec<u32>,
    /// Number of states.
    pub states: Option<u64>,
    /// Number of transitions.
    pub transitions: Option<u64>,
    /// Number of stutters.
    pub stutters: Option<u64>,
    /// Length of the shortened trace.
    pub steps: Option<u64>,
    /// Context switches of the shortened trace.
    pub switches: Option<u64>,
    /// Whether the program is held to its claims.
    pub strict: bool,
    /// Set-up by name, in order.
    pub options: Vec<(String, String)>,
}

/// The answer that a program expects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Expected {
    /// Nothing was said, which is an error of the corpus.
    #[default]
    Nothing,
    /// The properties hold.
    Holds,
    /// A violation of this kind, at this line if there is one.
    Violated(String, Option<u32>),
    /// No answer, for a reason that contains this text.
    Unknown(String),
    /// The compiler refuses it with errors that contain these texts at these lines.
    Errors(Vec<(u32, String)>),
}

const OPTIONS: [&str; 8] = [
    "unreachable",
    "ignore",
    "max-states",
    "max-depth",
    "max-stack",
    "max-heap",
    "max-threads",
    "define",
];

/// Reads the expectations of a program.
pub fn parse(source: &str) -> Result<Expectation, String> {
    let mut expectation = Expectation::default();
    for (index, text) in source.lines().enumerate() {
        let line = index as u32 + 1;
        let wrong = |what: &str| format!("line {line}: {what}");
        if let Some((_, directive)) = text.split_once("//~") {
            parse_marker(directive.trim(), line, &mut expectation).map_err(|it| wrong(&it))?;
        } else if let Some((_, directive)) = text.split_once("//@") {
            parse_directive(directive.trim(), &mut expectation).map_err(|it| wrong(&it))?;
        }
    }
    match expectation.verdict {
        Expected::Nothing => Err("the program says nothing about its verdict".to_owned()),
        _ => Ok(expectation),
    }
}

/// The directive that a program needs in the corpus: what full search says of it. Empty if
/// it does not say anything.
pub fn describe(source: &str) -> String {
    let Ok(program) = raddle_lang::compile(source) else {
        return String::new();
    };
    let Ok(machine) = Machine::new(program, MachineLimits::default()) else {
        return String::new();
    };
    let mut config = Config::default();
    config.limits.states = Some(1_000_000);
    match raddle_search::check(&machine, &config, &mut ()).verdict {
        Verdict::Holds => "//@ holds\n".to_owned(),
        Verdict::Violated(violation) => match &violation.property {
            Property::Fault(fault) => format!("//@ violated: {}\n", fault.kind),
            other => format!("//@ {}\n", other.name()),
        },
        Verdict::Unknown(_) => String::new(),
    }
}

fn parse_marker(text: &str, line: u32, into: &mut Expectation) -> Result<(), String> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    match word {
        "VIOLATED" => set_verdict(into, Expected::Violated(rest.to_owned(), Some(line))),
        "STUCK" => {
            into.stuck.push(line);
            Ok(())
        }
        "ERROR" => {
            let error = (line, rest.to_owned());
            match &mut into.verdict {
                Expected::Errors(errors) => errors.push(error),
                _ => return set_verdict(into, Expected::Errors(vec![error])),
            }
            Ok(())
        }
        _ => Err(format!("unknown marker `{word}`")),
    }
}

fn parse_directive(text: &str, into: &mut Expectation) -> Result<(), String> {
    let (name, value) = text.split_once(':').unwrap_or((text, ""));
    let value = value.trim();
    let number = || {
        value
            .parse::<u64>()
            .map_err(|_| format!("`{value}` is not a number"))
    };
    match name.trim() {
        "holds" => return set_verdict(into, Expected::Holds),
        "deadlock" | "partial-deadlock" => {
            return set_verdict(into, Expected::Violated(name.trim().to_owned(), None));
        }
        "violated" => return set_verdict(into, Expected::Violated(value.to_owned(), None)),
        "unknown" => return set_verdict(into, Expected::Unknown(value.to_owned())),
        "strict" if value.is_empty() => into.strict = true,
        "states" => into.states = Some(number()?),
        "transitions" => into.transitions = Some(number()?),
        "stutters" => into.stutters = Some(number()?),
        "steps" => into.steps = Some(number()?),
        "switches" => into.switches = Some(number()?),
        name if OPTIONS.contains(&name) => into.options.push((name.to_owned(), value.to_owned())),
        name => return Err(format!("unknown directive `{name}`")),
    }
    Ok(())
}

fn set_verdict(into: &mut Expectation, verdict: Expected) -> Result<(), String> {
    match into.verdict {
        Expected::Nothing => {
            into.verdict = verdict;
            Ok(())
        }
        _ => Err("a second verdict".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_directive_is_an_error() {
        assert!(parse("//@ hold\n").is_err());
        assert!(parse("//~ VIOLATES assertion\n").is_err());
        assert!(parse("//@ holds\n//@ states: many\n").is_err());
        assert!(parse("//@ holds\n//@ strict: no\n").is_err());
        assert!(parse("//@ holds\n//@ deadlock\n").is_err());
        assert!(parse("thread t { }\n").is_err());
    }

    #[test]
    fn markers_know_their_line() {
        let expectation =
            parse("\nassert(x); //~ VIOLATED assertion\n").expect("it is well formed");
        assert_eq!(
            expectation.verdict,
            Expected::Violated("assertion".to_owned(), Some(2))
        );
    }
}
