//! A table with what came out, for people and for programs.

use crate::run::{RowOutcome, Standing};
use crate::table::{Expected, Numbers, Published, Row, Table};
use raddle_report::json::{SCHEMA, defines_json};
use raddle_report::layout::{Side, columns, wrap};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A row, and what came out; `None` if it was skipped.
pub type Result<'a> = (&'a Row, Option<RowOutcome>);

/// How wide remarks are.
const WIDTH: usize = 88;

const SIDES: [Side; 9] = [
    Side::Left,
    Side::Left,
    Side::Left,
    Side::Right,
    Side::Right,
    Side::Right,
    Side::Right,
    Side::Left,
    Side::Left,
];

/// A table as text.
pub fn text(table: &Table, results: &[Result<'_>]) -> String {
    let numbers = table.numbers.name();
    let mut text = format!("Paper {}. {}  [{}]\n", table.paper, table.title, table.name);
    if !table.note.is_empty() {
        text.push_str(&wrap(&table.note, WIDTH, 0).join("\n"));
        text.push('\n');
    }
    let (states, transitions) = (
        format!("states {numbers}"),
        format!("transitions {numbers}"),
    );
    let head = [
        "model",
        "reduction",
        "counted",
        &states,
        "ours",
        &transitions,
        "ours",
        "result",
        "",
    ];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    lines.extend(results.iter().map(|result| cells(table, result)));
    text.push('\n');
    text.push_str(&columns(&SIDES, &lines));
    text.push('\n');
    for remark in remarks(table, results) {
        text.push_str(&wrap(&remark, WIDTH, 2).join("\n"));
        text.push('\n');
    }
    text
}

fn cells(table: &Table, (row, outcome): &Result<'_>) -> Vec<String> {
    let (states, transitions, result) = match outcome {
        None => ("-".to_owned(), "-".to_owned(), "skipped".to_owned()),
        Some(RowOutcome::Failed(why)) => ("-".to_owned(), "-".to_owned(), format!("WRONG: {why}")),
        Some(RowOutcome::Found {
            states,
            transitions,
            standing,
        }) => (
            states.to_string(),
            transitions.to_string(),
            standing.name().to_owned(),
        ),
    };
    let reason = match row.reason {
        Some(index) => format!("({})", table.reasons[index].0),
        None => String::new(),
    };
    vec![
        name(row),
        searched(row),
        row.counting.name().to_owned(),
        published(row.states),
        states,
        published(row.transitions),
        transitions,
        result,
        reason,
    ]
}

/// The model with its constants.
pub fn name(row: &Row) -> String {
    let defines = row.defines.iter();
    let defines = defines.map(|(name, value)| format!(" {name}={value}"));
    format!("{}{}", row.model, defines.collect::<String>())
}

fn published(claim: Option<Expected>) -> String {
    match claim.map(|claim| claim.published) {
        None => "-".to_owned(),
        Some(Published::Exactly(number)) => number.to_string(),
        Some(Published::AtMost(most)) => format!("<={most}"),
        Some(Published::Between(least, most)) => format!("{least}-{most}"),
    }
}

/// What is counted, why rows deviate, and what should have come out where it did not.
fn remarks(table: &Table, results: &[Result<'_>]) -> Vec<String> {
    let mut remarks = Vec::new();
    let mut told = BTreeSet::new();
    for (row, _) in results {
        if told.insert(row.counting.name()) {
            let (name, words) = (row.counting.name(), row.counting.describe());
            remarks.push(format!("{name}: {words}."));
        }
    }
    let reasons = results.iter().filter_map(|(row, _)| row.reason);
    for index in reasons.collect::<BTreeSet<_>>() {
        let (name, text) = &table.reasons[index];
        remarks.push(format!("({name}) {text}"));
    }
    for (row, outcome) in results {
        if is_wrong(outcome.as_ref()) {
            let (model, reduction) = (name(row), searched(row));
            remarks.push(format!(
                "WRONG: {model} with `{reduction}` should give {} states and {} transitions",
                expected(row.states),
                expected(row.transitions)
            ));
        }
    }
    remarks
}

/// Whether a result is not what the table says.
pub fn is_wrong(outcome: Option<&RowOutcome>) -> bool {
    outcome.is_some_and(|outcome| outcome.standing() == Standing::Wrong)
}

fn expected(claim: Option<Expected>) -> String {
    match claim {
        Some(Expected {
            ours: Some(ours), ..
        }) => ours.to_string(),
        Some(_) => published(claim),
        None => "any number of".to_owned(),
    }
}

impl Numbers {
    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Numbers::Published => "published",
            Numbers::Computed => "computed",
        }
    }
}

/// All tables as JSON.
pub fn json(tables: &[(&Table, Vec<Result<'_>>)]) -> Value {
    let tables = tables.iter().map(|(table, results)| {
        let rows = results.iter().map(|result| row_json(table, result));
        json!({
            "name": table.name,
            "paper": table.paper,
            "title": table.title,
            "numbers": table.numbers.name(),
            "note": table.note,
            "rows": rows.collect::<Vec<_>>(),
        })
    });
    json!({ "schema": SCHEMA, "papers": tables.collect::<Vec<_>>() })
}

fn row_json(table: &Table, (row, outcome): &Result<'_>) -> Value {
    let (states, transitions, error) = match outcome {
        Some(RowOutcome::Found {
            states,
            transitions,
            ..
        }) => (Some(*states), Some(*transitions), None),
        Some(RowOutcome::Failed(why)) => (None, None, Some(why)),
        None => (None, None, None),
    };
    let standing = outcome
        .as_ref()
        .map(|it| it.standing().name().to_lowercase());
    json!({
        "model": row.model,
        "defines": defines_json(&row.defines),
        "reduction": searched(row),
        "counted": row.counting.describe(),
        "states": { "published": published_json(row.states), "ours": states },
        "transitions": { "published": published_json(row.transitions), "ours": transitions },
        "result": standing.unwrap_or_else(|| "skipped".to_owned()),
        "reason": row.reason.map(|index| &table.reasons[index].1),
        "error": error,
    })
}

/// A published number as its bounds.
fn published_json(claim: Option<Expected>) -> Value {
    match claim.map(|claim| claim.published) {
        None => Value::Null,
        Some(Published::Exactly(number)) => json!({ "least": number, "most": number }),
        Some(Published::AtMost(most)) => json!({ "least": null, "most": most }),
        Some(Published::Between(least, most)) => json!({ "least": least, "most": most }),
    }
}

/// How a row is searched, as the table says it.
fn searched(row: &Row) -> String {
    let reduction = row.reduction.entry().name;
    match row.variant.name() {
        Some(variant) => format!("{reduction}/{variant}"),
        None => reduction.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::run;
    use crate::table::parse;

    const TABLE: &str = "paper 9\ntitle T\nnumbers published\n\
        row ring N=2 none loops 10 -\n\
        row ring N=2 none loops <=12->10 21->20 because counted\n\
        row ring N=2 none loops 11 -\n\
        row missing - none loops 11 -\n\
        row ring N=9 none loops 1 - slow\n\
        reason counted It is so.\n";

    fn results(table: &Table) -> Vec<Result<'_>> {
        let outcome = |row: &Row| (!row.slow).then(|| run(row, &mut ()));
        table.rows.iter().map(|row| (row, outcome(row))).collect()
    }

    #[test]
    fn what_is_wrong_is_loud() {
        let table = parse("t", TABLE).expect("it is well formed");
        let text = text(&table, &results(&table));
        let line = |number: usize| text.lines().nth(number).unwrap_or_default();
        assert!(line(3).ends_with("exact"), "{text}");
        assert!(line(4).contains("  deviation  "), "{text}");
        assert!(line(4).ends_with("  (counted)"), "{text}");
        assert!(line(5).ends_with("WRONG"), "{text}");
        assert!(line(6).ends_with("WRONG: no model `missing`"), "{text}");
        assert!(line(7).ends_with("skipped"), "{text}");
        assert!(text.contains("(counted) It is so."), "{text}");
        assert!(text.contains("should give 11 states"), "{text}");
    }

    #[test]
    fn programs_are_told_the_same() {
        let table = parse("t", TABLE).expect("it is well formed");
        let value = json(&[(&table, results(&table))]);
        let rows = value["papers"][0]["rows"].as_array().expect("rows");
        let told: Vec<_> = rows.iter().map(|row| &row["result"]).collect();
        assert_eq!(told, ["exact", "deviation", "wrong", "wrong", "skipped"]);
        assert_eq!(rows[1]["reason"], "It is so.");
        assert_eq!(rows[1]["states"]["published"]["most"], 12);
        assert_eq!(rows[3]["error"], "no model `missing`");
    }
}
