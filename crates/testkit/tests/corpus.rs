//! Every program of `tests/corpus` as one test.

use libtest_mimic::{Arguments, Failed, Trial};
use raddle_testkit::corpus;
use std::path::Path;

fn main() {
    let arguments = Arguments::from_args();
    let root = corpus::root();
    let files = corpus::programs(&root);
    assert!(!files.is_empty(), "there is no corpus");
    let trials = files
        .into_iter()
        .map(|file| {
            let name = file.strip_prefix(&root).unwrap_or(&file);
            Trial::test(name.display().to_string(), move || run(&file))
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}

fn run(file: &Path) -> Result<(), Failed> {
    let source = std::fs::read_to_string(file)?;
    Ok(corpus::run(&source)?)
}
