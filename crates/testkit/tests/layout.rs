//! Where tests are: a file that nobody names would never run.

use std::fs;
use std::path::Path;

#[test]
fn every_file_of_tests_is_named() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut named = 0;
    for entry in fs::read_dir(crates).expect("the crates are there") {
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
