//! The clauses of the reductions as data: which text of the source is the clause, what is
//! left if it is deleted, and which programs of the corpus show the difference.
//!
//! `tests/corpus/clauses/<reduction>/mutations.txt` has one paragraph for each clause:
//!
//! ```text
//! clause: a blocked member brings in the threads that may let it go on
//! file: crates/reduce/src/persistent.rs
//! red: blocked_thread_brings_its_helpers
//! - if !self.members.contains(&helper) {
//! + if false {
//! ```
//!
//! The lines with `-` are the text that is replaced, which occurs exactly once in the file,
//! those with `+` what is there instead; more of both may follow. `red` names the programs
//! that must turn red. Paragraphs of one line are:
//! - `tests: package`: whose test `clauses` judges the programs, if it is not `raddle-reduce`;
//! - `rows: names`: the rows of the table that are judged, if it is not the one with the name
//!   of the folder. The first one has to come to its end, the others may give up;
//! - `unanswered: program, reason`: the first row gives no answer, and must not;
//! - `open: program, reason`: a program without a mutation.
//!
//! Lines that begin with `#` are comments.

use crate::corpus;
use std::path::{Path, PathBuf};

/// A clause and how it is deleted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mutation {
    /// The name of the reduction, which is that of the folder.
    pub reduction: String,
    /// What the clause says.
    pub clause: String,
    /// The file of the source, from the root of the workspace.
    pub file: PathBuf,
    /// The programs that turn red, without their extension.
    pub red: Vec<String>,
    /// The texts that are replaced, each with what is there instead.
    pub changes: Vec<(String, String)>,
}

/// The mutations of a reduction, and the programs that have none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mutations {
    /// The package whose tests judge the programs.
    pub package: String,
    /// The names of the rows under which the programs are judged.
    pub rows: Vec<String>,
    /// In the order of the file.
    pub mutations: Vec<Mutation>,
    /// Names of programs for which there is no answer.
    pub unanswered: Vec<String>,
    /// Names of programs.
    pub open: Vec<String>,
}

impl Mutation {
    /// The text of the file without the clause.
    pub fn apply(&self, text: &str) -> Result<String, String> {
        let mut text = text.to_owned();
        for (old, new) in &self.changes {
            let count = text.matches(old).count();
            if count != 1 {
                let (file, clause) = (self.file.display(), &self.clause);
                return Err(format!(
                    "{file}: the text of the clause `{clause}` occurs {count} times: {old}"
                ));
            }
            text = text.replacen(old, new, 1);
        }
        Ok(text)
    }
}

/// The folders of clauses. Most are named like a reduction; lists of others name rows.
pub fn reductions() -> Vec<String> {
    let folders = std::fs::read_dir(root()).into_iter().flatten().flatten();
    let mut names: Vec<String> = folders
        .filter(|entry| entry.path().is_dir())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

/// Where the clauses are.
pub fn root() -> PathBuf {
    corpus::root().join("clauses")
}

/// The names of the clause programs of a reduction, without their extension.
pub fn programs(reduction: &str) -> Vec<String> {
    let files = corpus::files(&root().join(reduction), &["rad", "java"]);
    let name = |file: PathBuf| Some(file.file_stem()?.to_str()?.to_owned());
    files.into_iter().filter_map(name).collect()
}

/// Reads the mutations of a reduction.
pub fn load(reduction: &str) -> Result<Mutations, String> {
    let path = root().join(reduction).join("mutations.txt");
    let text = std::fs::read_to_string(&path).map_err(|it| format!("{}: {it}", path.display()))?;
    parse(reduction, &text).map_err(|it| format!("{}: {it}", path.display()))
}

/// Reads the text of a file of mutations.
pub fn parse(reduction: &str, text: &str) -> Result<Mutations, String> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let mut mutations = Mutations {
        package: "raddle-reduce".to_owned(),
        rows: vec![reduction.to_owned()],
        ..Mutations::default()
    };
    for paragraph in lines.split(|line| line.trim().is_empty()) {
        match paragraph {
            [] => {}
            [line] => {
                let (what, text) = line.split_once(':').unwrap_or((line, ""));
                let program = || match text.split_once(',') {
                    Some((program, _)) => Ok(program.trim().to_owned()),
                    None => Err(format!("`{line}` gives no reason")),
                };
                match what {
                    "tests" => mutations.package = text.trim().to_owned(),
                    "rows" => mutations.rows = text.split_whitespace().map(str::to_owned).collect(),
                    "open" => mutations.open.push(program()?),
                    "unanswered" => mutations.unanswered.push(program()?),
                    _ => return Err(format!("what is `{line}`?")),
                }
            }
            lines => mutations.mutations.push(parse_mutation(reduction, lines)?),
        }
    }
    Ok(mutations)
}

fn parse_mutation(reduction: &str, lines: &[&str]) -> Result<Mutation, String> {
    let mut mutation = Mutation {
        reduction: reduction.to_owned(),
        ..Mutation::default()
    };
    let mut changes: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for &line in lines {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("clause:", text) => mutation.clause = text.trim().to_owned(),
            ("file:", text) => mutation.file = Path::new(text.trim()).to_owned(),
            ("red:", text) => {
                mutation.red = text.split_whitespace().map(str::to_owned).collect();
            }
            ("-", text) => match changes.last_mut() {
                Some((old, new)) if new.is_empty() => old.push(text),
                _ => changes.push((vec![text], Vec::new())),
            },
            ("+", text) => match changes.last_mut() {
                Some((_, new)) => new.push(text),
                None => return Err(format!("`{line}` replaces nothing")),
            },
            _ => return Err(format!("what is `{line}`?")),
        }
    }
    let joined = changes
        .iter()
        .map(|(old, new)| (old.join("\n"), new.join("\n")));
    mutation.changes = joined.collect();
    let is_complete = !mutation.clause.is_empty()
        && !mutation.red.is_empty()
        && !mutation.changes.is_empty()
        && mutation.changes.iter().all(|(old, new)| old != new);
    match is_complete {
        true => Ok(mutation),
        false => Err(format!("a paragraph is not complete: {lines:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_is_a_mutation() {
        let text = "# A comment.\nclause: two is two\nfile: a.rs\nred: p q\n- a\n-  b\n+ c\n- d\n\n\
                    open: r, for a reason\n\nrows: one two\n";
        let read = parse("full", text).expect("it is well formed");
        assert_eq!(read.open, ["r"]);
        let mutation = &read.mutations[0];
        assert_eq!(mutation.red, ["p", "q"]);
        assert_eq!(read.rows, ["one", "two"]);
        assert_eq!(mutation.apply("1 a\n b 2 d").as_deref(), Ok("1 c 2 "));
        assert!(mutation.apply("a\n b").is_err());
        assert!(mutation.apply("a\n b a\n b d").is_err());
        assert!(mutation.apply("nothing").is_err());
    }

    #[test]
    fn what_is_mistyped_is_an_error() {
        assert!(parse("full", "clause: one\nfile: a.rs\nred: p\n- a\n").is_ok());
        assert!(parse("full", "clause: one\nfile: a.rs\n- a\n").is_err());
        assert!(parse("full", "clause: one\nfile: a.rs\nred: p\nreplace: a\n").is_err());
        assert!(parse("full", "open: p\n").is_err());
    }
}
