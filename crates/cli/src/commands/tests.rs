//! `raddle check --class`: one verdict for each test of a class.

use super::{BAD_INPUT, check, exit_code};
use crate::args::Check;
use crate::console::{self, Console, complain};
use crate::failure::Failure;
use crate::junit::Suite;
use crate::pipeline::{self, Finding, Request};
use crate::programs::Text;
use crate::progress::Watcher;
use raddle_report::json::{SCHEMA, outcome_json};
use raddle_report::junit::{Case, Outcome};
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
    for (index, test) in suite.tests.iter().enumerate() {
        request.setup.java = suite.launch(test);
        let space = if index == 0 { "" } else { "\n" };
        let title = format!("{space}{}\n", test.name);
        let herald = check::herald(args, text, &request, console, title);
        let mut watcher = Watcher::new(&request.search.limits, args.progress).with_herald(herald);
        let finding = match test.finding() {
            Some(finding) => finding,
            None => pipeline::run(text, &request, &mut watcher)?,
        };
        let finding = test.remarked(finding);
        if !args.json {
            let report = check::report(args, text, &request, &finding);
            let told = check::render(args, &report, console);
            console::answer(&watcher.rest(told))?;
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
    let saved = check::save_results(args, &cases(suite, &reports));
    let worst = worst(suite, &reports);
    match args.json {
        true => console::answer(&format!("{:#}\n", summary_json(text, suite, &reports)))?,
        false => console::answer(&summary(suite, &reports))?,
    }
    match saved {
        Ok(()) => Ok(exit_code(worst)),
        // The verdicts are told by now, so this is not an answer any more.
        Err(failure) => {
            complain(&failure.text(console.error_color));
            Ok(BAD_INPUT)
        }
    }
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
    let checked = reports.iter().map(Outcome::Checked);
    let outcomes = checked.chain(std::iter::repeat(Outcome::Skipped("it was not tried")));
    let tests = suite.tests.iter().zip(outcomes);
    let tests = tests.map(|(test, outcome)| case(&test.name, outcome));
    let skipped = suite.skipped.iter();
    let skipped = skipped.map(|(name, why)| case(name, Outcome::Skipped(why)));
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

fn summary_json(text: &Text, suite: &Suite, reports: &[Report<'_>]) -> Value {
    let tests = suite.tests.iter().zip(reports).map(|(test, report)| {
        let mut told = json!({ "test": test.name });
        if let (Some(told), Value::Object(outcome)) = (told.as_object_mut(), outcome_json(report)) {
            told.extend(outcome);
        }
        told
    });
    let skipped = suite.skipped.iter();
    let skipped = skipped.map(|(name, why)| json!({ "test": name, "why": why }));
    json!({
        "schema": SCHEMA,
        "file": text.main().name,
        "verdict": worst(suite, reports).name(),
        "tests": tests.collect::<Vec<_>>(),
        "skipped": skipped.collect::<Vec<_>>(),
    })
}
