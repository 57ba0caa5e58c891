//! The grammars of `editors/vscode` know every word that the lexers know.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The words between quotes in the lexer's table, `#[token("word")]`.
fn words(lexer: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(lexer)).expect("the lexer");
    let tokens = text.lines().filter_map(|line| {
        let word = line.trim().strip_prefix("#[token(\"")?;
        word.strip_suffix("\")]")
    });
    let words = tokens.filter(|word| word.chars().all(char::is_alphabetic));
    words.map(str::to_owned).collect()
}

/// The patterns of a grammar that are lists of words.
fn patterns(value: &Value, out: &mut String) {
    match value {
        Value::Object(fields) => {
            if let Some(pattern) = fields.get("match").and_then(Value::as_str) {
                out.push_str(pattern);
                out.push('\n');
            }
            fields.values().for_each(|field| patterns(field, out));
        }
        Value::Array(items) => items.iter().for_each(|item| patterns(item, out)),
        _ => {}
    }
}

#[test]
fn every_word_of_the_lexers_is_in_the_grammars() {
    for (lexer, grammar, least) in [
        ("crates/lang/src/lexer.rs", "rad", 50),
        ("crates/cbp/src/lexer.rs", "cbp", 20),
    ] {
        let path = format!("editors/vscode/syntaxes/{grammar}.tmLanguage.json");
        let text = fs::read_to_string(root().join(path)).expect("the grammar");
        let grammar: Value = serde_json::from_str(&text).expect("JSON");
        let mut known = String::new();
        patterns(&grammar["repository"]["words"], &mut known);
        let known: Vec<&str> = known.split(|it: char| !it.is_alphabetic()).collect();
        let words = words(lexer);
        assert!(words.len() >= least, "{lexer}: {words:?}");
        for word in words {
            assert!(known.contains(&word.as_str()), "{lexer}: {word}");
        }
    }
}

/// Runs the tests of the extension, with the engine of Visual Studio Code; installs it first.
#[test]
fn the_grammars_work_in_the_engine_of_the_editor() {
    let node = Command::new(root().join("tests/schemas/node")).status();
    assert!(node.is_ok_and(|status| status.success()));
    let npm = |line: &[&str]| {
        let done = Command::new("npm")
            .args(line)
            .current_dir(root().join("editors/vscode"))
            .output();
        let done = done.expect("npm runs");
        let told = String::from_utf8_lossy(&done.stdout);
        assert!(done.status.success(), "{told}");
        told.into_owned()
    };
    npm(&[
        "install",
        "--silent",
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
    ]);
    let told = npm(&["test"]);
    assert!(told.contains("pass 3"), "{told}");
}
