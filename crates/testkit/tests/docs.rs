//! Every program in the documentation as one test.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut trials = Vec::new();
    for name in ["docs/language.md", "README.md"] {
        let text = std::fs::read_to_string(root.join(name)).expect("the page can be read");
        for (line, program) in programs(&text) {
            trials.push(Trial::test(format!("{name}:{line}"), move || {
                raddle_testkit::corpus::run(&program).map_err(Failed::from)
            }));
        }
    }
    assert!(
        !trials.is_empty(),
        "there are no programs in the documentation"
    );
    libtest_mimic::run(&arguments, trials).exit();
}

/// The blocks of a page that are marked as programs, with their line numbers.
fn programs(text: &str) -> Vec<(usize, String)> {
    let mut programs = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if line.trim() == "```rad" {
            let body: Vec<&str> = lines
                .by_ref()
                .map(|(_, line)| line)
                .take_while(|line| line.trim() != "```")
                .collect();
            programs.push((number + 1, body.join("\n")));
        }
    }
    programs
}
