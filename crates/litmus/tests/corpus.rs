//! The tests of `tests/litmus` give what is expected of them, under full search and in few states.

use raddle_litmus::{explore, parse};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

#[test]
fn all_are_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/litmus");
    let text = fs::read_to_string(folder.join("expected")).expect("expectations");
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default());
    let mut expected: BTreeMap<String, String> = lines
        .filter_map(|line| line.trim().split_once(' '))
        .map(|(name, rest)| (name.to_owned(), rest.trim().to_owned()))
        .collect();
    let mut all = 0;
    for entry in fs::read_dir(&folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|it| it != "litmus") {
            continue;
        }
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let source = fs::read_to_string(&path).expect("a test");
        let litmus = parse(&source).unwrap_or_else(|it| panic!("{name}: {}", it.message));
        let explored = explore(&litmus, 100_000).expect("few states");
        let observation = litmus.judge(&explored).observation;
        let found = format!("{observation} {}", explored.outcomes.len());
        assert_eq!(expected.remove(&name), Some(found), "{name}");
        all += 1;
    }
    assert!(expected.is_empty(), "there are no tests {expected:?}");
    assert!(all >= 82, "{all}");
}
