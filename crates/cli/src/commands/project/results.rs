//! What came of the tests of a project: the table, and the files.

use super::processes::Outcome;
use super::suites::Suites;
use crate::args::Test as Args;
use crate::console::{self, Console, complain};
use crate::failure::Failure;
use crate::files;
use raddle_report::json::SCHEMA;
use raddle_report::{Answer, junit, project, sarif};
use serde_json::{Value, json};

pub(super) struct Results<'a> {
    args: &'a Args,
    console: Console,
    suites: &'a Suites,
    outcomes: Vec<Option<Outcome>>,
    /// So many are printed. The table has the tests in their order.
    printed: usize,
    /// The class of the last one.
    class: String,
}

impl<'a> Results<'a> {
    pub(super) fn new(args: &'a Args, console: Console, suites: &'a Suites) -> Self {
        Self {
            args,
            console,
            suites,
            outcomes: suites.tests.iter().map(|_| None).collect(),
            printed: 0,
            class: String::new(),
        }
    }

    /// Notes an outcome, and prints what can be printed in order.
    pub(super) fn add(&mut self, index: usize, outcome: Outcome) {
        self.outcomes[index] = Some(outcome);
        while let Some(Some(outcome)) = self.outcomes.get(self.printed) {
            let name = &self.suites.tests[self.printed].test.name;
            let row = project::row(name, answer(outcome), &told(outcome), outcome.elapsed);
            let is_shown =
                !self.args.json && (!self.args.quiet || answer(outcome) != Answer::Holds);
            if is_shown {
                let text = row.text(&mut self.class, self.console.color);
                if let Err(failure) = console::answer(&text) {
                    complain(&failure.text(self.console.error_color));
                }
            }
            self.printed += 1;
        }
    }

    fn count(&self, wanted: Answer) -> usize {
        let done = self.outcomes.iter().flatten();
        done.filter(|it| answer(it) == wanted).count()
    }

    /// One violated test is enough; and tests that were not reached are unknown.
    pub(super) fn worst(&self) -> Answer {
        let is_short = self.outcomes.iter().any(Option::is_none);
        match () {
            () if self.count(Answer::Violated) > 0 => Answer::Violated,
            () if self.count(Answer::Unknown) > 0 || is_short => Answer::Unknown,
            () => Answer::Holds,
        }
    }

    /// The end of the table, or the whole document.
    pub(super) fn summary(&self) -> String {
        if self.args.json {
            return self.json();
        }
        let mut text = String::from("\n");
        for (name, why) in self.suites.skipped.iter().filter(|_| !self.args.quiet) {
            text.push_str(&format!("{name} was skipped: {why}\n"));
        }
        text.push_str(&self.counts());
        text
    }

    fn counts(&self) -> String {
        let holds = self.count(Answer::Holds);
        let all = self.outcomes.len();
        let missing = self.outcomes.iter().filter(|it| it.is_none()).count();
        let mut parts = vec![
            format!("{} violated", self.count(Answer::Violated)),
            format!("{} unknown", self.count(Answer::Unknown)),
            format!("{holds} {}", if holds == 1 { "holds" } else { "hold" }),
        ];
        if missing > 0 {
            parts.push(format!("{missing} not tried"));
        }
        let noun = if all == 1 { "test" } else { "tests" };
        format!("{all} {noun}: {}\n", parts.join(", "))
    }

    fn json(&self) -> String {
        let tests = self.suites.tests.iter().zip(&self.outcomes);
        let tests = tests.filter_map(|(wanted, outcome)| {
            let mut value = json!({ "test": wanted.test.name });
            match &outcome.as_ref()?.answer {
                Ok(Value::Object(answer)) => value.as_object_mut()?.extend(answer.clone()),
                _ => {
                    value["schema"] = json!(SCHEMA);
                    value["verdict"] = json!(Answer::Unknown.name());
                    value["reasons"] =
                        json!([{ "name": "gave-up", "message": told(outcome.as_ref()?) }]);
                }
            }
            Some(value)
        });
        let skipped = self.suites.skipped.iter();
        let skipped = skipped.map(|(name, why)| json!({ "test": name, "why": why }));
        let all = json!({
            "schema": SCHEMA,
            "file": self.args.folder.display().to_string(),
            "verdict": self.worst().name(),
            "tests": tests.collect::<Vec<_>>(),
            "skipped": skipped.collect::<Vec<_>>(),
        });
        format!("{all:#}\n")
    }

    /// Writes the files that are wanted. Returns what could not be written.
    pub(super) fn save(&self) -> Vec<Failure> {
        let mut failures = Vec::new();
        let suite = self.args.folder.display().to_string();
        if let Some(path) = &self.args.junit {
            let text = junit::joined(&suite, &self.cases());
            failures.extend(files::write(path, &text).err());
        }
        if let Some(path) = &self.args.sarif {
            let logs = self.outcomes.iter().flatten();
            let logs: Vec<Value> = logs.filter_map(|it| it.sarif.clone()).collect();
            let log = sarif::joined(&logs);
            failures.extend(files::write(path, &format!("{log:#}\n")).err());
        }
        if let Some(folder) = &self.args.html {
            let mut rows = Vec::new();
            for (index, outcome) in self.outcomes.iter().enumerate() {
                let name = &self.suites.tests[index].test.name;
                let Some(outcome) = outcome else {
                    continue;
                };
                let mut row = project::row(name, answer(outcome), &told(outcome), outcome.elapsed);
                let page = outcome.page.as_ref();
                if let Some(page) = page.filter(|_| answer(outcome) == Answer::Violated) {
                    let file = format!("test-{}.html", index + 1);
                    let path = folder.join(&file);
                    let written = files::guard_page(&path, &self.args.folder)
                        .and_then(|()| files::write(&path, page));
                    match written {
                        Ok(()) => row.page = Some(file),
                        Err(failure) => failures.push(failure),
                    }
                }
                rows.push(row);
            }
            let page = project::page(&suite, self.counts().trim(), &rows, &self.suites.skipped);
            failures.extend(files::write(&folder.join("index.html"), &page).err());
        }
        failures
    }

    fn cases(&self) -> Vec<junit::Joined<'_>> {
        let tests = self.suites.tests.iter().zip(&self.outcomes);
        let tests = tests.map(|(wanted, outcome)| match outcome {
            Some(Outcome {
                junit: Some(text), ..
            }) => junit::Joined::Document(text),
            Some(outcome) => junit::Joined::Failed(&wanted.test.name, told(outcome)),
            None => junit::Joined::Skipped(&wanted.test.name, "it was not tried"),
        });
        let skipped = self.suites.skipped.iter();
        let skipped = skipped.map(|(name, why)| junit::Joined::Skipped(name, why));
        tests.chain(skipped).collect()
    }
}

fn answer(outcome: &Outcome) -> Answer {
    let verdict = outcome.answer.as_ref().map(|it| it["verdict"].as_str());
    match verdict {
        Ok(Some("holds")) => Answer::Holds,
        Ok(Some("violated")) => Answer::Violated,
        _ => Answer::Unknown,
    }
}

/// What is wrong, or why nothing is known, in a line.
fn told(outcome: &Outcome) -> String {
    let value = match &outcome.answer {
        Err(why) => return why.clone(),
        Ok(value) => value,
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match answer(outcome) {
        Answer::Holds => String::new(),
        Answer::Violated => {
            let place = &value["place"];
            let file = text(&place["file"]);
            let file = file.rsplit('/').next().unwrap_or_default().to_owned();
            let at = match place["line"].as_u64() {
                Some(line) => format!(" at {file}:{line}"),
                None => String::new(),
            };
            let (kind, message) = (text(&value["kind"]), text(&value["message"]));
            match message.is_empty() || message == kind {
                true => format!("{kind}{at}"),
                false => format!("{kind}{at}: {message}"),
            }
        }
        Answer::Unknown => {
            let reasons = value["reasons"].as_array().into_iter().flatten();
            let reasons: Vec<String> = reasons.map(|it| text(&it["message"])).collect();
            reasons.join("; ")
        }
    }
}
