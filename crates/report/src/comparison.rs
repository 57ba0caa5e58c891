//! Several searches of the same program side by side: a table, JSON, and a picture.

use crate::layout::{Side, columns};
use crate::text::{bytes, seconds};
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Duration;

/// The searches of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// One for each search; the first is full search, with which the others are compared.
    pub rows: Vec<Row>,
    /// The reductions that were not tried.
    pub absent: Vec<Absent>,
}

/// A reduction that was not tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Absent {
    /// Its name.
    pub reduction: &'static str,
    /// Why, in a few words.
    pub why: &'static str,
}

/// One search.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The name of the reduction.
    pub reduction: &'static str,
    /// What it checked.
    pub checked: Vec<&'static str>,
    /// What it did not check, although the program could be asked for it: the reduction
    /// does not preserve it.
    pub refused: Vec<&'static str>,
    /// What it answered: `holds`, `unknown`, or the kind of the violation.
    pub answer: String,
    /// Why it does not know.
    pub doubts: Vec<String>,
    /// States stored; for a search that stores none, states visited.
    pub states: u64,
    /// How many states that is, compared with full search for all properties that are asked for.
    pub share: Share,
    /// Steps executed.
    pub transitions: u64,
    /// Executions followed to their end; zero for a search that stores states.
    pub executions: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// Processor time, of all workers together, where the operating system measures it.
    pub cpu: Option<Duration>,
    /// Memory of the search, at the most.
    pub bytes: u64,
}

/// A part of the states of full search; 1 is all of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Share {
    /// Both searches came to their end.
    Exactly(f64),
    /// Full search did not, so that the share is smaller than this.
    Below(f64),
    /// The search itself did not, or one of them ended at something that the other one was not
    /// asked for.
    Unknown,
}

impl Share {
    /// The share as a person reads it.
    fn text(self) -> String {
        match self {
            Share::Exactly(share) => percent(share),
            Share::Below(share) => format!("<{}", percent(share)),
            Share::Unknown => "-".to_owned(),
        }
    }
}

/// A share of one, with more digits where it is small.
fn percent(share: f64) -> String {
    let digits = if share < 0.01 { 3 } else { 1 };
    format!("{:.digits$}%", 100.0 * share)
}

/// The columns of the table, and on which side their cells stand.
const COLUMNS: [(&str, Side); 10] = [
    ("reduction", Side::Left),
    ("answer", Side::Left),
    ("states", Side::Right),
    ("of full", Side::Right),
    ("transitions", Side::Right),
    ("executions", Side::Right),
    ("time", Side::Right),
    ("memory", Side::Right),
    ("checked", Side::Left),
    ("refused", Side::Left),
];

/// The rows as a table, and below it why some of them do not know and others are not there.
pub fn table(compared: &Comparison) -> String {
    let mut lines = vec![COLUMNS.map(|(name, _)| name.to_owned()).to_vec()];
    lines.extend(compared.rows.iter().map(cells));
    let mut text = columns(&COLUMNS.map(|(_, side)| side), &lines);
    for note in notes(compared) {
        let _ = writeln!(text, "{note}");
    }
    text
}

/// Why some of the searches do not know and others are not there, one line each.
pub(crate) fn notes(compared: &Comparison) -> Vec<String> {
    let doubtful = compared.rows.iter().filter(|row| !row.doubts.is_empty());
    let doubts = doubtful.map(|row| format!("{}: {}", row.reduction, row.doubts.join("; ")));
    // Mostly it is the same for many.
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for Absent { reduction, why } in &compared.absent {
        match reasons.iter_mut().find(|(known, _)| known == why) {
            Some((_, names)) => names.push(reduction),
            None => reasons.push((why, vec![reduction])),
        }
    }
    let absent = reasons.iter();
    let absent = absent.map(|(why, names)| format!("not tried ({why}): {}", names.join(", ")));
    doubts.chain(absent).collect()
}

fn cells(row: &Row) -> Vec<String> {
    vec![
        row.reduction.to_owned(),
        row.answer.clone(),
        row.states.to_string(),
        row.share.text(),
        row.transitions.to_string(),
        executions(row),
        seconds(row.elapsed),
        bytes(row.bytes),
        row.checked.join(", "),
        row.refused.join(", "),
    ]
}

/// The number of executions; nothing for a search that stores states.
fn executions(row: &Row) -> String {
    match row.executions {
        0 => String::new(),
        executions => executions.to_string(),
    }
}

/// The rows as JSON.
pub fn json(file: &str, compared: &Comparison) -> Value {
    json!({
        "schema": crate::json::SCHEMA,
        "file": file,
        "comparison": rows_json(compared),
        "absent": absent_json(compared),
    })
}

pub(crate) fn rows_json(compared: &Comparison) -> Vec<Value> {
    compared.rows.iter().map(row_json).collect()
}

pub(crate) fn absent_json(compared: &Comparison) -> Vec<Value> {
    let absent = compared.absent.iter();
    let absent = absent.map(|it| json!({ "reduction": it.reduction, "why": it.why }));
    absent.collect()
}

fn row_json(row: &Row) -> Value {
    let (share, bound) = match row.share {
        Share::Exactly(share) => (Some(share), false),
        Share::Below(share) => (Some(share), true),
        Share::Unknown => (None, false),
    };
    json!({
        "reduction": row.reduction,
        "checked": row.checked.join(", "),
        "refused": row.refused.join(", "),
        "answer": row.answer,
        "doubts": row.doubts,
        "states": row.states,
        "ratio": share,
        "ratio_is_upper_bound": bound,
        "transitions": row.transitions,
        "executions": row.executions,
        "elapsed": row.elapsed.as_secs_f64(),
        "cpu": row.cpu.map(|it| it.as_secs_f64()),
        "bytes": row.bytes,
    })
}

/// The rows as a bar chart of the states stored, on a logarithmic scale. The colours of
/// the text suit a light and a dark page.
pub fn svg(file: &str, compared: &Comparison) -> String {
    let rows = &compared.rows;
    const LEFT: f64 = 130.0;
    const WIDTH: f64 = 330.0;
    const HEIGHT: usize = 28;
    let most = rows.iter().map(|row| row.states).max().unwrap_or(1).max(2);
    let scale = |states: u64| (states.max(1) as f64).ln_1p() / (most as f64).ln_1p() * WIDTH;
    let height = 48 + rows.len() * HEIGHT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"960\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <style>text{{fill:#222}}@media(prefers-color-scheme:dark){{text{{fill:#ddd}}}}</style>\n\
         <title>States stored, by reduction</title>\n\
         <text x=\"8\" y=\"22\" font-size=\"15\">{}: states stored (logarithmic)</text>\n",
        escape(file)
    );
    for (index, row) in rows.iter().enumerate() {
        let top = 40 + index * HEIGHT;
        let length = scale(row.states);
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n\
             <rect x=\"{LEFT}\" y=\"{top}\" width=\"{length:.1}\" height=\"18\" fill=\"#4477aa\"/>\n\
             <text x=\"{:.1}\" y=\"{}\">{}</text>\n",
            LEFT - 8.0,
            top + 14,
            escape(row.reduction),
            LEFT + length + 6.0,
            top + 14,
            escape(&legend(row)),
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// What stands beside a bar.
fn legend(row: &Row) -> String {
    let mut parts = vec![
        format!("{} ({})", row.states, row.share.text()),
        row.answer.clone(),
        format!("{} transitions", row.transitions),
    ];
    if row.executions > 0 {
        parts.push(format!("{} executions", row.executions));
    }
    parts.push(seconds(row.elapsed));
    parts.push(bytes(row.bytes));
    if !row.refused.is_empty() {
        parts.push(format!("not checked: {}", row.refused.join(", ")));
    }
    parts.join(", ")
}

/// Text as it has to stand in XML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared() -> Comparison {
        let row = |reduction, states, share| Row {
            reduction,
            checked: vec!["faults"],
            refused: Vec::new(),
            answer: "holds".to_owned(),
            doubts: Vec::new(),
            states,
            share,
            transitions: 2 * states,
            executions: 0,
            elapsed: Duration::from_millis(5),
            cpu: None,
            bytes: 1024,
        };
        let rows = vec![
            row("none", 200, Share::Exactly(1.0)),
            Row {
                refused: vec!["invariants"],
                executions: 7,
                ..row("sleep", 50, Share::Below(0.25))
            },
            Row {
                answer: "unknown".to_owned(),
                doubts: vec!["time is up".to_owned()],
                ..row("dpor", 10, Share::Unknown)
            },
        ];
        let absent = |reduction, why| Absent { reduction, why };
        Comparison {
            rows,
            absent: vec![
                absent("local", "is not there"),
                absent("auto", "cannot choose"),
                absent("persistent", "is not there"),
            ],
        }
    }

    #[test]
    fn a_row_tells_its_share_and_what_it_refuses() {
        let table = table(&compared());
        let lines: Vec<&str> = table.lines().collect();
        assert!(lines[1].contains("100.0%"), "{table}");
        assert!(lines[2].contains("<25.0%"), "{table}");
        assert!(lines[2].ends_with("invariants"), "{table}");
        assert!(lines[3].contains(" - "), "{table}");
        assert_eq!(lines[4], "dpor: time is up");
        assert_eq!(lines[5], "not tried (is not there): local, persistent");
        assert_eq!(lines[6], "not tried (cannot choose): auto");
        assert_eq!(lines.len(), 7);
    }

    #[test]
    fn executions_are_told_where_there_are_any() {
        let value = json("a.rad", &compared());
        assert_eq!(value["comparison"][1]["executions"], 7);
        assert_eq!(value["comparison"][1]["ratio"], 0.25);
        assert_eq!(value["comparison"][1]["ratio_is_upper_bound"], true);
        assert_eq!(value["comparison"][2]["ratio"], Value::Null);
        assert_eq!(value["absent"][1]["reduction"], "auto");
        let picture = svg("a.rad", &compared());
        assert_eq!(picture.matches(" executions").count(), 1);
        assert!(picture.contains("not checked: invariants"));
    }

    #[test]
    fn names_cannot_break_the_picture() {
        let picture = svg("<script>\"&", &compared());
        assert!(!picture.contains("<script>"));
        assert_eq!(picture.matches("<rect").count(), 3);
    }
}
