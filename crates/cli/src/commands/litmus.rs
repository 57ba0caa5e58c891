//! `raddle litmus`: all outcomes of litmus tests of Java's memory model, as herd prints them.

use super::{SUCCESS, exit_code};
use crate::args::Litmus as Args;
use crate::console;
use crate::failure::Failure;
use raddle_litmus::{Explored, Litmus, explore, parse};
use raddle_report::json::SCHEMA;
use raddle_report::{Answer, Source};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A test with its outcomes, or with why they are not known.
struct Done {
    name: String,
    litmus: Litmus,
    explored: Result<Explored, String>,
    expected: Option<Expected>,
}

/// What is expected of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Expected {
    observation: String,
    outcomes: Option<usize>,
}

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Args) -> Result<u8, Failure> {
    let expected = match &args.expected {
        Some(path) => expectations(path)?,
        None => HashMap::new(),
    };
    let is_single = args.files.len() == 1 && !args.files[0].is_dir();
    let mut done = Vec::new();
    for path in files(&args.files)? {
        let (name, litmus) = read(&path)?;
        let explored = explore(&litmus, args.max_states);
        let expected = expected.get(&name).cloned();
        if args.expected.is_some() && expected.is_none() {
            return Err(Failure::new(format!("nothing is expected of {name}")));
        }
        done.push(Done {
            name,
            litmus,
            explored,
            expected,
        });
    }
    let told = match (args.json, is_single && args.expected.is_none()) {
        (true, _) => {
            let tests: Vec<Value> = done.iter().map(Done::json).collect();
            format!("{:#}\n", json!({ "schema": SCHEMA, "litmus": tests }))
        }
        (false, true) => done.iter().map(Done::text).collect(),
        (false, false) => table(&done),
    };
    console::answer(&told)?;
    Ok(conclude(&done))
}

fn conclude(done: &[Done]) -> u8 {
    let answers = || done.iter().map(Done::is_right);
    if answers().any(|it| it == Some(false)) {
        exit_code(Answer::Violated)
    } else if answers().any(|it| it.is_none()) {
        exit_code(Answer::Unknown)
    } else {
        SUCCESS
    }
}

impl Done {
    /// Whether the test is as expected, or if nothing is: whether what it says is so.
    fn is_right(&self) -> Option<bool> {
        let explored = self.explored.as_ref().ok()?;
        let judgement = self.litmus.judge(explored);
        Some(match &self.expected {
            Some(expected) => {
                let outcomes = explored.outcomes.len();
                expected.observation == judgement.observation.to_string()
                    && expected.outcomes.is_none_or(|it| it == outcomes)
            }
            None => judgement.is_so,
        })
    }

    fn text(&self) -> String {
        match &self.explored {
            Ok(explored) => format!(
                "{}Explored {} states, {} steps\n",
                self.litmus.print(explored),
                explored.states,
                explored.steps
            ),
            Err(why) => format!("Test {}\nUnknown: {why}\n", self.litmus.name),
        }
    }

    fn json(&self) -> Value {
        let litmus = &self.litmus;
        let question = &litmus.question;
        let asked = format!("{} {}", question.quantifier, question.text);
        let mut value = json!({ "file": self.name, "name": litmus.name, "question": asked });
        match &self.explored {
            Ok(explored) => {
                let names = || question.observed.iter().map(|it| litmus.observed_name(*it));
                let outcome = |values: &Vec<i32>| {
                    let values = names().zip(values.iter().map(|&it| Value::from(it)));
                    Value::Object(values.collect())
                };
                let judgement = litmus.judge(explored);
                value["observation"] = json!(judgement.observation.to_string());
                value["holds"] = json!(judgement.is_so);
                value["outcomes"] = explored.outcomes.iter().map(outcome).collect();
                value["states"] = json!(explored.states);
                value["transitions"] = json!(explored.steps);
            }
            Err(why) => value["unknown"] = json!(why),
        }
        if let Some(expected) = &self.expected {
            value["expected"] = json!(expected.observation);
            value["as_expected"] = json!(self.is_right());
        }
        value
    }
}

/// A line for each test.
fn table(done: &[Done]) -> String {
    let width = done
        .iter()
        .map(|it| it.name.len())
        .max()
        .unwrap_or(0)
        .max(4);
    let mut out = format!(
        "{:width$}  {:9}  {:>8}  {:>8}  expected\n",
        "test", "observed", "outcomes", "states"
    );
    for it in done {
        let (observed, outcomes, states) = match &it.explored {
            Ok(explored) => {
                let observation = it.litmus.judge(explored).observation.to_string();
                let counts = (explored.outcomes.len(), explored.states);
                (observation, counts.0.to_string(), counts.1.to_string())
            }
            Err(_) => ("unknown".to_owned(), String::new(), String::new()),
        };
        let question = it.litmus.question.quantifier;
        let expected = match (&it.expected, it.is_right()) {
            (_, None) => it.explored.as_ref().err().cloned().unwrap_or_default(),
            (None, Some(true)) => format!("{question}: ok"),
            (None, Some(false)) => format!("{question}: no"),
            (Some(_), Some(true)) => "ok".to_owned(),
            (Some(expected), Some(false)) => {
                let outcomes = expected.outcomes.map(|it| format!(" {it}"));
                let outcomes = outcomes.unwrap_or_default();
                format!("DIFFERS: {}{outcomes}", expected.observation)
            }
        };
        let name = &it.name;
        let line = format!("{name:width$}  {observed:9}  {outcomes:>8}  {states:>8}  {expected}");
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// The files that are meant; of a folder all that end in `.litmus`, with those below it.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            below(path, &mut found)?;
        } else {
            found.push(path.clone());
        }
    }
    match found.is_empty() {
        true => Err(Failure::new("there is no file that ends in `.litmus`")),
        false => Ok(found),
    }
}

fn below(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let failed = |error| Failure::file(folder, &error);
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        entries.push(entry.map_err(failed)?);
    }
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // A link may lead back.
        if entry.file_type().is_ok_and(|it| it.is_dir()) {
            below(&path, found)?;
        } else if path.extension().is_some_and(|it| it == "litmus") {
            found.push(path);
        }
    }
    Ok(())
}

/// The name of a test, which is that of its file, and the test.
fn read(path: &Path) -> Result<(String, Litmus), Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
    let litmus = parse(&text).map_err(|mistake| {
        let name = path.display().to_string();
        Failure::program(Source { name, text }, vec![*mistake])
    })?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Ok((name.into_owned(), litmus))
}

/// `NAME Always|Sometimes|Never [OUTCOMES]` in each line; what follows `#` is a comment.
fn expectations(path: &Path) -> Result<HashMap<String, Expected>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
    let mut all = HashMap::new();
    for (number, line) in text.lines().enumerate() {
        let mut words = line
            .split('#')
            .next()
            .unwrap_or_default()
            .split_whitespace();
        let Some(name) = words.next() else { continue };
        let observation = words.next().unwrap_or_default();
        let outcomes = words.next().map(str::parse).transpose();
        let is_known = ["Always", "Sometimes", "Never"].contains(&observation);
        let (Ok(outcomes), true, None) = (outcomes, is_known, words.next()) else {
            return Err(Failure::new(format!(
                "{}:{}: expected `NAME Always|Sometimes|Never [OUTCOMES]`",
                path.display(),
                number + 1
            )));
        };
        let expected = Expected {
            observation: observation.to_owned(),
            outcomes,
        };
        all.insert(name.to_owned(), expected);
    }
    Ok(all)
}
