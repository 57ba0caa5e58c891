//! Java programs that are large enough for several workers: they find what one finds.

use crate::java_runs;

use java_runs::{checked, compile_into, scratch};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// So many steps are made before others come to help.
const ALONE: u64 = 1 << 16;

/// Programs and flags, and what is found.
const SEARCHES: [(&str, &[&str], &str); 5] = [
    ("Table", &["--reduction", "none"], "holds"),
    ("Shelf", &["--reduction", "local"], "holds"),
    ("Least", &["--reduction", "none"], "holds"),
    (
        "Least",
        &["--reduction", "local", "--search", "breadth"],
        "holds",
    ),
    ("Least", &["--reduction", "local", "--", "3"], "exception"),
];

fn compiled() -> PathBuf {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java-jobs");
    let entries = std::fs::read_dir(sources).expect("a folder");
    let folder = scratch("java-jobs");
    compile_into(
        &folder,
        entries.map(|entry| entry.expect("a source").path()),
    );
    folder
}

fn transitions(told: &Value) -> u64 {
    told["statistics"]["transitions"].as_u64().unwrap_or(0)
}

#[test]
fn several_workers_find_what_one_finds() {
    let folder = compiled();
    for (name, flags, expected) in SEARCHES {
        let class = folder.join(name).with_extension("class");
        let check = |jobs| checked(&class, &[&["--jobs", jobs], flags].concat());
        let (kind, alone) = check("1");
        assert_eq!(kind, expected, "{name} {flags:?}");
        let is_large = transitions(&alone) > ALONE;
        assert!(is_large, "{name} {flags:?}: {alone:#}");
        let (kind, together) = check("3");
        assert_eq!(kind, expected, "{name} {flags:?} together");
        if expected == "holds" {
            let counts = |told: &Value| (told["statistics"]["states"].clone(), transitions(told));
            assert_eq!(counts(&alone), counts(&together), "{name} {flags:?}");
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
}
