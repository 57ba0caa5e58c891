//! Every row of the papers' tables as one test, and that no table is forgotten.

use libtest_mimic::{Arguments, Failed, Trial};
use raddle_papers::data::{self, File};
use raddle_papers::render::{is_wrong, name};
use raddle_papers::run::run;
use raddle_papers::table::Row;
use std::path::Path;

fn main() {
    let arguments = Arguments::from_args();
    let tables = data::tables().expect("the tables are well formed");
    let mut trials = vec![
        Trial::test("no table is forgotten", || {
            complete("", "txt", data::TABLES)
        }),
        Trial::test("no model is forgotten", || {
            complete("models", "rad", data::MODELS)
        }),
    ];
    for table in tables {
        for row in table.rows {
            let reduction = row.reduction.entry().name;
            let name = format!("{} {} {reduction}", table.name, name(&row));
            trials.push(Trial::test(name, move || comes_out(&row)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn comes_out(row: &Row) -> Result<(), Failed> {
    let outcome = run(row, &mut ());
    match is_wrong(Some(&outcome)) {
        true => Err(format!("{outcome:?}, but the table says {row:?}").into()),
        false => Ok(()),
    }
}

/// Every file of a folder is compiled in.
fn complete(folder: &str, extension: &str, known: &[File]) -> Result<(), Failed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/papers");
    for entry in std::fs::read_dir(root.join(folder))? {
        let path = entry?.path();
        let is_one = path.extension().is_some_and(|it| it == extension);
        let name = path.file_stem().unwrap_or_default();
        if is_one && !known.iter().any(|file| name == file.name) {
            return Err(format!("{} is not in data.rs", path.display()).into());
        }
    }
    Ok(())
}
