//! `raddle check --class`: one verdict for each test of a class.

use super::last_words::{self, Rest};
use super::{check, exit_code};
use crate::args::Check;
use crate::console::{self, Console, complain};
use crate::failure::Failure;
use crate::java;
use crate::pipeline::{Finding, Request};
use crate::programs::Text;
use crate::progress::Watcher;
use crate::watchdog::LastWords;
use raddle_jdk::junit::Suite;
use raddle_report::json::{SCHEMA, outcome_json};
use raddle_report::junit::{Case, CaseOutcome};
use raddle_report::{Answer, Report};
use serde_json::{Value, json};

/// Checks the tests one after the other; the answer is the exit code of the worst verdict.
pub(super) fn run(
    args: &Check,
    suite: &Suite,
    text: &Text,
    mut request: Request,
    console: Console,
) -> Result<u8, Failure> {
    let of_one = [(&args.trace, "--trace"), (&args.html, "--html")];
    if let Some((_, flag)) = of_one.iter().find(|(path, _)| path.is_some()) {
        return Err(Failure::new(format!(
            "{flag} is for one program; name a test with --method"
        )));
    }
    let mut findings: Vec<Finding> = Vec::new();
    let mut answers: Vec<(Answer, Value)> = Vec::new();
    for (index, test) in suite.tests.iter().enumerate() {
        request.setup.java = test.launch.clone().unwrap_or_default();
        let space = if index == 0 { "" } else { "\n" };
        let title = format!("{space}{}\n", test.name);
        let announcer = check::announcer(args, text, &request, console, title.clone());
        let mut watcher =
            Watcher::new(&request.search.limits, args.progress).with_announcer(announcer);
        let summary = Summary::new(text, suite, answers.clone());
        let words = last_words(args, text, &request, console, title, summary);
        watcher.say_at_last(Some(words));
        let finding = java::check_test(test, text, &request, &mut watcher)?;
        let report = check::report(args, text, &request, &finding);
        let told = check::render(args, &report, console);
        // From here on there is an answer, and only one is given.
        watcher.say_at_last(None);
        answers.push((report.answer(), outcome_json(&report)));
        if !args.json
            && let Err(failure) = console::answer(&watcher.rest(told))
        {
            complain(&failure.text(console.error_color));
        }
        let is_interrupted = watcher.is_interrupted();
        findings.push(finding);
        if is_interrupted {
            break;
        }
    }
    let reports: Vec<Report<'_>> = findings
        .iter()
        .map(|finding| check::report(args, text, &request, finding))
        .collect();
    let worst = worst(suite, &reports);
    let told = match args.json {
        true => Summary::new(text, suite, answers).json(worst),
        false => summary(suite, &reports),
    };
    let mut failures = Vec::from_iter(console::answer(&told).err());
    failures.extend(check::save_results(args, &cases(suite, &reports)));
    // What could not be written does not change the verdicts.
    for failure in failures {
        complain(&failure.text(console.error_color));
    }
    Ok(exit_code(worst))
}

/// What is said if a test does not end when it has to.
fn last_words(
    args: &Check,
    text: &Text,
    request: &Request,
    console: Console,
    title: String,
    before: Summary,
) -> LastWords {
    let (sources, options) = (text.sources.clone(), check::options(args, request));
    let form = check::Form::new(args, console);
    let (is_json, all) = (args.json, args.all);
    Box::new(move |known| {
        let rest = Rest::new(known, all);
        let report = rest.report(&sources, &options);
        let mut summary = before.clone();
        summary
            .answers
            .push((report.answer(), outcome_json(&report)));
        // It did not end, and others were not tried.
        let worst = match summary.answers.iter().any(|it| it.0 == Answer::Violated) {
            true => Answer::Violated,
            false => Answer::Unknown,
        };
        let told = match is_json {
            true => summary.json(worst),
            false => format!("{title}{}", form.render(&report)),
        };
        last_words::print(&told, worst)
    })
}

/// The tests as cases of their class; those that were not reached are skipped, too.
fn cases<'a>(suite: &'a Suite, reports: &'a [Report<'a>]) -> Vec<Case<'a>> {
    let case = |name: &str, outcome| {
        let (class, method) = name.rsplit_once('.').unwrap_or(("", name));
        Case {
            class: class.to_owned(),
            name: method.to_owned(),
            outcome,
        }
    };
    let checked = reports.iter().map(CaseOutcome::Checked);
    let outcomes = checked.chain(std::iter::repeat(CaseOutcome::Skipped("it was not tried")));
    let tests = suite.tests.iter().zip(outcomes);
    let tests = tests.map(|(test, outcome)| case(&test.name, outcome));
    let skipped = suite.skipped.iter();
    let skipped = skipped.map(|(name, why)| case(name, CaseOutcome::Skipped(why)));
    tests.chain(skipped).collect()
}

/// One violated test is enough; and tests that were not reached are unknown.
fn worst(suite: &Suite, reports: &[Report<'_>]) -> Answer {
    let is_any = |answer| reports.iter().any(|report| report.answer() == answer);
    let is_short = reports.len() < suite.tests.len();
    if is_any(Answer::Violated) {
        Answer::Violated
    } else if is_any(Answer::Unknown) || is_short {
        Answer::Unknown
    } else {
        Answer::Holds
    }
}

fn summary(suite: &Suite, reports: &[Report<'_>]) -> String {
    let mut told = String::from("\n");
    for (name, why) in &suite.skipped {
        told.push_str(&format!("{name} was skipped: {why}\n"));
    }
    let count = |answer| {
        let those = reports.iter().filter(|report| report.answer() == answer);
        those.count()
    };
    let tests = suite.tests.len();
    let noun = if tests == 1 { "test" } else { "tests" };
    let mut parts = vec![
        format!("{} violated", count(Answer::Violated)),
        format!("{} unknown", count(Answer::Unknown)),
        format!(
            "{} {}",
            count(Answer::Holds),
            if count(Answer::Holds) == 1 {
                "holds"
            } else {
                "hold"
            }
        ),
    ];
    if reports.len() < tests {
        parts.push(format!("{} not tried", tests - reports.len()));
    }
    told.push_str(&format!("{tests} {noun}: {}\n", parts.join(", ")));
    told
}

/// The verdicts of the tests so far, for programs.
#[derive(Clone)]
struct Summary {
    file: String,
    names: Vec<String>,
    skipped: Vec<Value>,
    answers: Vec<(Answer, Value)>,
}

impl Summary {
    fn new(text: &Text, suite: &Suite, answers: Vec<(Answer, Value)>) -> Summary {
        let skipped = suite.skipped.iter();
        let skipped = skipped.map(|(name, why)| json!({ "test": name, "why": why }));
        Summary {
            file: text.main().name.clone(),
            names: suite.tests.iter().map(|test| test.name.clone()).collect(),
            skipped: skipped.collect(),
            answers,
        }
    }

    fn json(&self, worst: Answer) -> String {
        let tests = self.names.iter().zip(&self.answers).map(|(name, answer)| {
            let mut told = json!({ "test": name });
            if let (Some(told), Value::Object(outcome)) = (told.as_object_mut(), &answer.1) {
                told.extend(outcome.clone());
            }
            told
        });
        let summary = json!({
            "schema": SCHEMA,
            "file": self.file,
            "verdict": worst.name(),
            "tests": tests.collect::<Vec<_>>(),
            "skipped": self.skipped,
        });
        format!("{summary:#}\n")
    }
}
