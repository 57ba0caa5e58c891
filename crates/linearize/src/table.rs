//! Scenarios with results, as a table.

use crate::Scenario;

/// How the message of an execution begins that is not linearizable.
pub const NOT_LINEARIZABLE: &str = "not linearizable: ";

/// The operations of a scenario with what came of them, if that is known.
pub struct Table {
    before: Vec<Call>,
    threads: Vec<Vec<Call>>,
    after: Vec<Call>,
}

/// A call, and what comes after it: ` = 1`, ` throws NullPointerException`, or nothing.
struct Call {
    text: String,
    result: String,
}

impl Table {
    /// What a message says of a scenario: its calls in order, each with its result, between
    /// semicolons.
    pub fn new(scenario: &Scenario, calls: &[String], message: &str) -> Table {
        let parts = message.split_once(NOT_LINEARIZABLE).map(|(_, rest)| rest);
        let mut results = parts.into_iter().flat_map(|rest| rest.split("; "));
        let mut call = |&number: &usize| {
            let text = calls.get(number).cloned().unwrap_or_default();
            let part = results.next().unwrap_or_default();
            let found = part.find(&text).map(|at| &part[at + text.len()..]);
            let result = found.unwrap_or_default().to_owned();
            Call { text, result }
        };
        Table {
            before: scenario.before.iter().map(&mut call).collect(),
            threads: scenario
                .threads
                .iter()
                .map(|it| it.iter().map(&mut call).collect())
                .collect(),
            after: scenario.after.iter().map(&mut call).collect(),
        }
    }

    /// All results, in the order of [`Scenario::operations`]; none of an operation that gives nothing.
    pub fn results(&self) -> Vec<Option<&str>> {
        let threads = self.threads.iter().flatten();
        let all = self.before.iter().chain(threads).chain(&self.after);
        let result = |call: &'_ Call| match call.result.is_empty() {
            true => None,
            false => Some(call.result.trim_start_matches([' ', '=']).len()),
        };
        all.map(|call| result(call).map(|left| &call.result[call.result.len() - left..]))
            .collect()
    }

    /// The table: a column for each thread, what comes before and after above and below.
    pub fn text(&self) -> String {
        let shown = |call: &Call| format!("{}{}", call.text, call.result);
        let columns: Vec<Vec<String>> = self
            .threads
            .iter()
            .map(|it| it.iter().map(shown).collect())
            .collect();
        let heads: Vec<String> = (1..=columns.len())
            .map(|it| format!("thread {it}"))
            .collect();
        let wide = |text: &String| text.chars().count();
        let widths: Vec<usize> = columns
            .iter()
            .zip(&heads)
            .map(|(column, head)| column.iter().map(wide).max().unwrap_or(0).max(wide(head)))
            .collect();
        let row = |cells: &mut dyn Iterator<Item = &str>| {
            let cells = cells.zip(&widths);
            let padded: Vec<String> = cells
                .map(|(cell, &width)| format!("{cell:<width$}"))
                .collect();
            format!("  {}\n", padded.join(" | ").trim_end())
        };
        let dashes: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
        let line = format!("  {}\n", dashes.join("-+-"));
        let mut text = String::new();
        let part = |text: &mut String, name: &str, calls: &[Call]| {
            if !calls.is_empty() {
                let all: Vec<String> = calls.iter().map(shown).collect();
                text.push_str(&format!("  {name}: {}\n", all.join("; ")));
            }
        };
        part(&mut text, "before", &self.before);
        text.push_str(&row(&mut heads.iter().map(String::as_str)));
        text.push_str(&line);
        for index in 0..columns.iter().map(Vec::len).max().unwrap_or(0) {
            let cell = |column: &'_ Vec<String>| -> usize { column.len().min(index) };
            let cells: Vec<&str> = columns
                .iter()
                .map(|column| match cell(column) < column.len() {
                    true => column[index].as_str(),
                    false => "",
                })
                .collect();
            text.push_str(&row(&mut cells.into_iter()));
        }
        part(&mut text, "after", &self.after);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_becomes_a_table() {
        let scenario = Scenario {
            before: vec![0],
            threads: vec![vec![1], vec![0, 1]],
            after: Vec::new(),
        };
        let calls = ["add(1)".to_owned(), "poll()".to_owned()];
        let message = "not linearizable: before: add(1); thread 1: poll() = \"a\"; thread 2: add(1); \
                       poll() throws E";
        let table = Table::new(&scenario, &calls, message);
        assert_eq!(
            table.results(),
            [None, Some("\"a\""), None, Some("throws E")]
        );
        let wanted = "  before: add(1)\n  thread 1     | thread 2\n  -------------+----------------\n  \
                      poll() = \"a\" | add(1)\n               | poll() throws E\n";
        assert_eq!(table.text(), wanted);
        // Of another violation there are no results.
        let table = Table::new(&scenario, &calls, "something else");
        assert!(table.results().iter().all(Option::is_none));
    }
}
