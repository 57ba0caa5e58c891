//! Published state counts, as data, and what comes out here.
//!
//! A table is a text file with one row a line: the model, the constants it is run
//! with (`-` for none), the states and transitions published, and how the paper
//! counts a thread that is blocked or finished: `loops` if as a transition to the
//! same state, `none` if not at all. `-` stands for a number that was not published.

use raddle_machine::{Machine, MachineLimits};
use raddle_model::{Properties, Verdict};
use raddle_search::Config;

/// One row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The file name of the model, without its extension.
    pub model: String,
    /// The constants it is run with.
    pub defines: Vec<(String, i64)>,
    /// The published number of states.
    pub states: Option<u64>,
    /// The published number of transitions.
    pub transitions: Option<u64>,
    /// Whether a blocked or finished thread counts as a transition.
    pub loops: bool,
}

/// Reads a table.
pub fn parse(text: &str) -> Result<Vec<Row>, String> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(index, line)| parse_row(line).map_err(|what| format!("line {}: {what}", index + 1)))
        .collect()
}

fn parse_row(line: &str) -> Result<Row, String> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [model, defines, states, transitions, counting] = fields[..] else {
        return Err("a row has five fields".to_owned());
    };
    let number = |text: &str| match text {
        "-" => Ok(None),
        _ => text
            .parse()
            .map(Some)
            .map_err(|_| format!("`{text}` is no number")),
    };
    Ok(Row {
        model: model.to_owned(),
        defines: match defines {
            "-" => Vec::new(),
            _ => defines
                .split(',')
                .map(raddle_lang::parse_define)
                .collect::<Result<_, _>>()?,
        },
        states: number(states)?,
        transitions: number(transitions)?,
        loops: match counting {
            "loops" => true,
            "none" => false,
            other => return Err(format!("`{other}` is neither `loops` nor `none`")),
        },
    })
}

/// Explores the model of a row to the end and compares.
pub fn run(row: &Row, source: &str) -> Result<(), String> {
    let program =
        raddle_lang::compile_with(source, &row.defines).map_err(|errors| format!("{errors:?}"))?;
    let machine = Machine::new(program, MachineLimits::default())
        .map_err(|defects| format!("{defects:?}"))?;
    let config = Config {
        // The tables count whole state spaces, deadlocks included.
        properties: Properties {
            deadlock: false,
            partial_deadlock: false,
            ..Properties::ALL
        },
        ..Config::default()
    };
    let outcome = raddle_search::check(&machine, &config, &mut ());
    if outcome.verdict != Verdict::Holds {
        return Err(format!("{:?}", outcome.verdict));
    }
    let found = &outcome.statistics;
    let transitions = match row.loops {
        true => found.transitions + found.stutters,
        false => found.transitions,
    };
    for (what, published, ours) in [
        ("states", row.states, found.states),
        ("transitions", row.transitions, transitions),
    ] {
        if published.is_some_and(|published| published != ours) {
            return Err(format!("{ours} {what}, {published:?} published"));
        }
    }
    Ok(())
}
