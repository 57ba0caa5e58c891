//! `raddle papers`: the tables of the papers, and what comes out here.

use super::SUCCESS;
use crate::args::{Papers, When};
use crate::console::{self, complain};
use crate::failure::Failure;
use crate::progress::Watcher;
use raddle_model::Limits;
use raddle_papers::data;
use raddle_papers::render::{self, Result as RowResult};
use raddle_papers::run;
use raddle_papers::table::{Row, Table};

/// Exit code if a number is not what it should be.
const WRONG: u8 = 1;
/// Exit code if the user did not wait for the end.
const INTERRUPTED: u8 = 2;

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Papers) -> Result<u8, Failure> {
    let tables = data::tables().map_err(Failure::new)?;
    for name in &args.names {
        if !tables.iter().any(|table| names_something(name, table)) {
            return Err(unknown(name, &tables));
        }
    }
    let mut watcher = Watcher::new(&Limits::NONE, When::Auto);
    let mut done = Vec::new();
    for table in &tables {
        let results = reproduce(table, args, &mut watcher);
        watcher.clear();
        if watcher.is_interrupted() {
            complain("interrupted: what was not finished is not shown\n");
            break;
        }
        if !args.json && !results.is_empty() {
            console::answer(&format!("{}\n", render::text(table, &results)))?;
        }
        done.push((table, results));
    }
    done.retain(|(_, results)| !results.is_empty());
    if args.json {
        console::answer(&format!("{:#}\n", render::json(&done)))?;
    }
    let results = || done.iter().flat_map(|(_, results)| results);
    let wrong = results().filter(|it| render::is_wrong(it.1.as_ref()));
    let skipped = results().filter(|it| it.1.is_none()).count();
    Ok(conclude(wrong.count(), skipped, watcher.is_interrupted()))
}

/// Runs the rows of a table that were asked for.
fn reproduce<'a>(table: &'a Table, args: &Papers, watcher: &mut Watcher) -> Vec<RowResult<'a>> {
    let mut results = Vec::new();
    for row in table.rows.iter().filter(|row| is_chosen(row, table, args)) {
        let skipped = args.quick && row.slow || watcher.is_interrupted();
        let outcome = (!skipped).then(|| run::run(row, watcher));
        results.push((row, outcome));
    }
    results
}

fn is_chosen(row: &Row, table: &Table, args: &Papers) -> bool {
    let named = |name: &String| *name == row.model || names_table(name, table);
    args.names.is_empty() || args.names.iter().any(named)
}

fn names_table(name: &str, table: &Table) -> bool {
    name == table.name || name == table.paper
}

fn names_something(name: &str, table: &Table) -> bool {
    names_table(name, table) || table.rows.iter().any(|row| row.model == name)
}

fn unknown(name: &str, tables: &[Table]) -> Failure {
    let known: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
    Failure::new(format!(
        "there is no paper, table or model `{name}`; the tables are {}",
        known.join(", ")
    ))
}

fn conclude(wrong: usize, skipped: usize, interrupted: bool) -> u8 {
    if skipped > 0 {
        complain(&format!("{skipped} rows were skipped\n"));
    }
    match (wrong, interrupted) {
        (0, false) => SUCCESS,
        (0, true) => INTERRUPTED,
        (wrong, _) => {
            complain(&format!(
                "BUG OF RADDLE, please report it: {wrong} rows are not what they should be\n"
            ));
            WRONG
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrong_row_is_enough() {
        assert_eq!(conclude(0, 3, false), SUCCESS);
        assert_eq!(conclude(1, 0, false), WRONG);
        assert_eq!(conclude(1, 0, true), WRONG);
        assert_eq!(conclude(0, 0, true), INTERRUPTED);
    }
}
