//! Every row of the papers' tables as one test.

use libtest_mimic::{Arguments, Failed, Trial};
use raddle_testkit::papers;
use std::path::Path;

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/papers");
    let table = std::fs::read_to_string(root.join("standard.txt")).expect("the table is there");
    let rows = papers::parse(&table).expect("the table is well formed");
    let trials = rows
        .into_iter()
        .map(|row| {
            let name = format!("{} {:?}", row.model, row.defines);
            let file = root.join("models").join(&row.model).with_extension("rad");
            Trial::test(name, move || {
                let source = std::fs::read_to_string(file)?;
                papers::run(&row, &source).map_err(Failed::from)
            })
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}
