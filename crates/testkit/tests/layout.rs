//! Where tests are: a file that nobody names would never run, and neither would an example in the
//! documentation of code.

use std::fs;
use std::path::{Path, PathBuf};

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn every_file_of_tests_is_named() {
    let mut named = 0;
    for entry in fs::read_dir(crates()).expect("the crates are there") {
        let folder = entry.expect("it can be read").path();
        let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
        let (manifest, all) = (read("Cargo.toml"), read("tests/it.rs"));
        if !manifest.contains("autotests = false") {
            continue;
        }
        let files = fs::read_dir(folder.join("tests")).expect("it has tests");
        for file in files {
            let path = file.expect("it can be read").path();
            let is_test = path.extension().is_some_and(|it| it == "rs");
            let is_program = path.join("main.rs").is_file();
            if !is_test && !is_program {
                continue;
            }
            let name = path.file_stem().expect("a name").display().to_string();
            let is_module = is_test && all.contains(&format!("mod {name};\n"));
            let is_target = manifest.contains(&format!("[[test]]\nname = \"{name}\"\n"));
            let told = "is neither a module of tests/it.rs nor named in Cargo.toml";
            assert!(is_module != is_target, "{} {told}", path.display());
            named += 1;
        }
    }
    assert!(named > 0, "some crates have tests");
}

#[test]
fn no_example_stands_where_it_is_not_run() {
    let mut pending = vec![crates()];
    let mut read = 0;
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("a folder");
            pending.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|it| it == "rs") {
            let text = fs::read_to_string(&path).expect("text");
            let documented = text.lines().map(str::trim_start);
            let documented = documented.filter(|it| it.starts_with("///") || it.starts_with("//!"));
            let fences = documented.filter_map(|it| it[3..].trim().strip_prefix("```"));
            for kind in fences.step_by(2) {
                assert!(!matches!(kind, "" | "rust"), "{}", path.display());
            }
            read += 1;
        }
    }
    assert!(read > 0, "there is code");
}
