//! Several searches of the same program side by side: a table, JSON, and a picture.

use crate::text::{bytes, seconds};
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Duration;

/// One search.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The name of the reduction.
    pub reduction: &'static str,
    /// What it checked.
    pub checked: String,
    /// What it answered: `holds`, `unknown`, or the kind of the violation.
    pub answer: String,
    /// States stored.
    pub states: u64,
    /// Steps executed.
    pub transitions: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// Memory of the search, at the most.
    pub bytes: u64,
}

/// The rows as a table. The first row is the one that the others are compared with.
pub fn table(rows: &[Row]) -> String {
    let mut lines = vec![[
        "reduction".to_owned(),
        "answer".to_owned(),
        "states".to_owned(),
        "of full".to_owned(),
        "transitions".to_owned(),
        "time".to_owned(),
        "memory".to_owned(),
        "checked".to_owned(),
    ]];
    lines.extend(rows.iter().map(|row| {
        [
            row.reduction.to_owned(),
            row.answer.clone(),
            row.states.to_string(),
            share(row, rows),
            row.transitions.to_string(),
            seconds(row.elapsed),
            bytes(row.bytes),
            row.checked.clone(),
        ]
    }));
    let widths: Vec<usize> = (0..8)
        .map(|column| {
            lines
                .iter()
                .map(|line| line[column].len())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for line in &lines {
        let mut cells = String::new();
        for (column, cell) in line.iter().enumerate() {
            // Words to the left, numbers to the right.
            let _ = match column {
                0 | 1 | 7 => write!(cells, "{cell:<width$}  ", width = widths[column]),
                _ => write!(cells, "{cell:>width$}  ", width = widths[column]),
            };
        }
        text.push_str(cells.trim_end());
        text.push('\n');
    }
    text
}

/// The rows as JSON.
pub fn json(file: &str, rows: &[Row]) -> Value {
    let rows: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!({
                "reduction": row.reduction,
                "checked": row.checked,
                "answer": row.answer,
                "states": row.states,
                "transitions": row.transitions,
                "elapsed": row.elapsed.as_secs_f64(),
                "bytes": row.bytes,
            })
        })
        .collect();
    json!({ "schema": crate::json::SCHEMA, "file": file, "comparison": rows })
}

/// The rows as a bar chart of the states stored, on a logarithmic scale.
pub fn svg(file: &str, rows: &[Row]) -> String {
    const LEFT: f64 = 130.0;
    const WIDTH: f64 = 520.0;
    const HEIGHT: usize = 28;
    let most = rows.iter().map(|row| row.states).max().unwrap_or(1).max(2);
    let scale = |states: u64| (states.max(1) as f64).ln_1p() / (most as f64).ln_1p() * WIDTH;
    let height = 48 + rows.len() * HEIGHT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
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
             <text x=\"{:.1}\" y=\"{}\">{} ({})</text>\n",
            LEFT - 8.0,
            top + 14,
            escape(row.reduction),
            LEFT + length + 6.0,
            top + 14,
            row.states,
            escape(&row.answer),
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// The share of the states of the first row.
fn share(row: &Row, rows: &[Row]) -> String {
    match rows.first() {
        Some(first) if first.states > 0 => {
            format!("{:.1}%", 100.0 * row.states as f64 / first.states as f64)
        }
        _ => "-".to_owned(),
    }
}

/// Text as it has to stand in XML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Row> {
        let row = |reduction, states| Row {
            reduction,
            checked: "faults".to_owned(),
            answer: "holds".to_owned(),
            states,
            transitions: 2 * states,
            elapsed: Duration::from_millis(5),
            bytes: 1024,
        };
        vec![row("none", 200), row("persistent", 50)]
    }

    #[test]
    fn shares_are_those_of_the_first_row() {
        let table = table(&rows());
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(
            lines[1].contains("100.0%") && lines[2].contains("25.0%"),
            "{table}"
        );
    }

    #[test]
    fn names_cannot_break_the_picture() {
        let picture = svg("<script>\"&", &rows());
        assert!(!picture.contains("<script>"));
        assert_eq!(picture.matches("<rect").count(), 2);
    }
}
