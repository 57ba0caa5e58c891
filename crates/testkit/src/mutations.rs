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
//! that must turn red. Where the new text says `DELETED`, it is the old one as long as that is
//! false: clauses of this kind are compiled together, and deleted one after the other when the
//! programs run (see [`rounds`]). Paragraphs of one line are:
//! - `tests: package`: whose test `clauses` judges the programs, if it is not `raddle-reduce`;
//! - `rows: names`: the rows of the table that are judged, if it is not the one with the name
//!   of the folder. The first one has to come to its end, the others may give up;
//! - `unanswered: program, reason`: the first row gives no answer, and must not;
//! - `open: program, reason`: a program without a mutation.
//!
//! Lines that begin with `#` are comments.

use crate::corpus;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The word by which a new text asks whether its clause is deleted.
const SWITCH: &str = "DELETED";

/// The variable of the environment that has the number of the clause that is deleted.
pub const DELETED: &str = "RADDLE_DELETED";

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
        self.apply_if(text, "true")
    }

    /// Whether the text can stay in the program, and be deleted when that runs.
    fn is_switched(&self) -> bool {
        self.changes.iter().all(|(_, new)| new.contains(SWITCH))
    }

    /// The text of the file without the clause if an expression is true.
    fn apply_if(&self, text: &str, condition: &str) -> Result<String, String> {
        let mut text = text.to_owned();
        for (old, new) in &self.changes {
            let new = &new.replace(SWITCH, condition);
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

/// Mutations that are compiled together, and the files that this takes.
#[derive(Clone, Debug, Default)]
pub struct Round {
    /// Their numbers in the list.
    pub members: Vec<usize>,
    /// Whether nothing is deleted unless one says what.
    pub is_switched: bool,
    /// The whole texts of the files that are not as they were.
    pub files: BTreeMap<PathBuf, String>,
}

/// In how few rounds all mutations can be compiled. Those that exclude each other, because one
/// replaces text that the other one needs, and those without a switch have rounds of their own.
/// Also gives the numbers of those that do not fit the source.
pub fn rounds(
    mutations: &[Mutation],
    read: impl Fn(&Path) -> Result<String, String>,
) -> (Vec<Round>, Vec<usize>) {
    let mut rounds: Vec<Round> = Vec::new();
    let mut misfits = Vec::new();
    for (number, mutation) in mutations.iter().enumerate() {
        let is_switched = mutation.is_switched();
        let condition = format!("raddle_model::deleted({number})");
        let change = |text: &str| match is_switched {
            true => mutation.apply_if(text, &condition),
            false => mutation.apply(text),
        };
        let Some(alone) = read(&mutation.file).ok().and_then(|it| change(&it).ok()) else {
            misfits.push(number);
            continue;
        };
        let together = rounds.iter_mut().filter(|it| is_switched && it.is_switched);
        let mut together = together.filter_map(|round| {
            let changed = match round.files.get(&mutation.file) {
                Some(text) => change(text).ok()?,
                None => alone.clone(),
            };
            Some((round, changed))
        });
        if let Some((round, changed)) = together.next() {
            round.members.push(number);
            round.files.insert(mutation.file.clone(), changed);
            continue;
        }
        rounds.push(Round {
            members: vec![number],
            is_switched,
            files: BTreeMap::from([(mutation.file.clone(), alone)]),
        });
    }
    (rounds, misfits)
}

/// What the crate `raddle-model` has in addition so that clauses can be deleted at run time.
pub fn switchboard() -> String {
    format!(
        r#"
extern crate self as raddle_model;

/// Whether a clause is the one that is deleted.
pub fn deleted(clause: usize) -> bool {{
    static NUMBER: std::sync::OnceLock<Option<usize>> = std::sync::OnceLock::new();
    let read = || std::env::var("{DELETED}").ok()?.parse().ok();
    *NUMBER.get_or_init(read) == Some(clause)
}}
"#
    )
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
    fn what_has_a_switch_is_compiled_together() {
        let text = "clause: one\nfile: f\nred: p\n- a;\n+ if !DELETED { a }\n\n\
                    clause: two\nfile: f\nred: p\n- b\n+ if !DELETED { b }\n\n\
                    clause: needs what the first one replaces\nfile: f\nred: p\n- a; b\n+ DELETED\n\n\
                    clause: no switch\nfile: f\nred: p\n- b\n+ c\n\n\
                    clause: not there\nfile: f\nred: p\n- d\n+ DELETED\n";
        let list = parse("full", text).expect("it is well formed").mutations;
        let (rounds, misfits) = rounds(&list, |_| Ok("a; b".to_owned()));
        let members: Vec<&[usize]> = rounds.iter().map(|it| it.members.as_slice()).collect();
        assert_eq!(members, [&[0, 1][..], &[2], &[3]]);
        assert_eq!(misfits, [4]);
        let texts: Vec<&String> = rounds.iter().flat_map(|it| it.files.values()).collect();
        assert_eq!(
            texts[0],
            "if !raddle_model::deleted(0) { a } if !raddle_model::deleted(1) { b }"
        );
        assert_eq!(texts[2], "a; c");
    }

    #[test]
    fn what_is_mistyped_is_an_error() {
        assert!(parse("full", "clause: one\nfile: a.rs\nred: p\n- a\n").is_ok());
        assert!(parse("full", "clause: one\nfile: a.rs\n- a\n").is_err());
        assert!(parse("full", "clause: one\nfile: a.rs\nred: p\nreplace: a\n").is_err());
        assert!(parse("full", "open: p\n").is_err());
    }
}
