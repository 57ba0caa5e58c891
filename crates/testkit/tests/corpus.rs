//! Every program of `tests/corpus` as one test.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
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
    Ok(raddle_testkit::corpus::run(&source)?)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("the corpus can be read");
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rad") {
            files.push(path);
        }
    }
}
