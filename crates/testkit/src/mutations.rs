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
//! those with `+` what is there instead; `red` names the programs that must turn red. A
//! paragraph `open: program, reason` is for a program without a mutation. Lines that begin
//! with `#` are comments.

use crate::corpus;
use raddle_reduce::Reduction;
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
    /// The text that is replaced.
    pub old: String,
    /// What is there instead.
    pub new: String,
}

/// The mutations of a reduction, and the programs that have none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mutations {
    /// In the order of the file.
    pub mutations: Vec<Mutation>,
    /// Names of programs.
    pub open: Vec<String>,
}

impl Mutation {
    /// The text of the file without the clause.
    pub fn apply(&self, text: &str) -> Result<String, String> {
        match text.matches(&self.old).count() {
            1 => Ok(text.replacen(&self.old, &self.new, 1)),
            count => Err(format!(
                "{}: the text of the clause `{}` occurs {count} times",
                self.file.display(),
                self.clause
            )),
        }
    }
}

/// The reductions that have clauses in the corpus, by name. Folders with other names hold
/// the clauses of something else, which has tests of its own.
pub fn reductions() -> Vec<String> {
    let folders = std::fs::read_dir(root()).into_iter().flatten().flatten();
    let mut names: Vec<String> = folders
        .filter(|entry| entry.path().is_dir())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| Reduction::by_name(name).is_some())
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
    let files = corpus::programs(&root().join(reduction));
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
    let mut mutations = Mutations::default();
    for paragraph in lines.split(|line| line.trim().is_empty()) {
        match paragraph {
            [] => {}
            [line] if line.starts_with("open:") => {
                let (program, _) = line["open:".len()..]
                    .split_once(',')
                    .ok_or_else(|| format!("`{line}` gives no reason"))?;
                mutations.open.push(program.trim().to_owned());
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
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for &line in lines {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("clause:", text) => mutation.clause = text.trim().to_owned(),
            ("file:", text) => mutation.file = Path::new(text.trim()).to_owned(),
            ("red:", text) => {
                mutation.red = text.split_whitespace().map(str::to_owned).collect();
            }
            ("-", text) => old.push(text),
            ("+", text) => new.push(text),
            _ => return Err(format!("what is `{line}`?")),
        }
    }
    (mutation.old, mutation.new) = (old.join("\n"), new.join("\n"));
    let is_complete = !mutation.clause.is_empty()
        && !mutation.red.is_empty()
        && !mutation.old.is_empty()
        && mutation.old != mutation.new;
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
        let text = "# A comment.\nclause: two is two\nfile: a.rs\nred: p q\n- a\n-  b\n+ c\n\n\
                    open: r, for a reason\n";
        let read = parse("full", text).expect("it is well formed");
        assert_eq!(read.open, ["r"]);
        let mutation = &read.mutations[0];
        assert_eq!(mutation.red, ["p", "q"]);
        assert_eq!(mutation.apply("1 a\n b 2").as_deref(), Ok("1 c 2"));
        assert!(mutation.apply("a\n b a\n b").is_err());
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
