//! Reports as JUnit XML, in the form of Jenkins and Surefire, which most services that show test
//! results can read.
//!
//! A program, or a test of a class, is a test case. What is violated is a failure, with the trace
//! as its text; what is unknown is an error, for the case has not come to its end; what was left
//! out is skipped.

use crate::layout::Look;
use crate::{Answer, Report, text};
use std::fmt::Write;
use std::time::Duration;

/// A program or a test, and what came of it.
#[derive(Clone, Debug)]
pub struct Case<'a> {
    /// The class of a test, or the folder and file of a program.
    pub class: String,
    /// The name of the test or of the program.
    pub name: String,
    /// What came of it.
    pub outcome: CaseOutcome<'a>,
}

/// What came of a case.
#[derive(Clone, Debug)]
pub enum CaseOutcome<'a> {
    /// It was checked.
    Checked(&'a Report<'a>),
    /// It was not, for this reason.
    Skipped(&'a str),
}

impl CaseOutcome<'_> {
    fn answer(&self) -> Option<Answer> {
        match self {
            CaseOutcome::Checked(report) => Some(report.answer()),
            CaseOutcome::Skipped(_) => None,
        }
    }
}

/// How texts look.
const LOOK: Look = Look {
    width: 120,
    color: false,
    abridge: Some("raddle check --full-trace prints all"),
    unfold: false,
};

/// One suite of cases as a document.
pub fn document(suite: &str, cases: &[Case<'_>]) -> String {
    let count = |answer: Option<Answer>| {
        let those = cases.iter().filter(|case| case.outcome.answer() == answer);
        those.count()
    };
    let failures = count(Some(Answer::Violated));
    let errors = count(Some(Answer::Unknown));
    let skipped = count(None);
    let time: Duration = cases.iter().map(|case| elapsed(&case.outcome)).sum();
    let (suite, time) = (escape(suite), seconds(time));
    let tests = cases.len();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"raddle\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{time}\">\n  \
         <testsuite name=\"{suite}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"{time}\">\n"
    );
    for case in cases {
        write_case(case, &mut out);
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

/// A test of several that were checked one by one.
#[derive(Clone, Debug)]
pub enum Joined<'a> {
    /// A document of this module about it.
    Document(&'a str),
    /// There is no verdict, for this reason.
    Failed(&'a str, String),
    /// It was not tried, for this reason.
    Skipped(&'a str, &'a str),
}

/// One suite of tests that were checked one by one.
pub fn joined(suite: &str, tests: &[Joined<'_>]) -> String {
    let mut cases = String::new();
    let (mut failures, mut errors, mut skipped) = (0, 0, 0);
    let mut time = 0.0;
    for test in tests {
        let (name, element) = match test {
            Joined::Document(text) => {
                failures += text.matches("\n      <failure ").count();
                errors += text.matches("\n      <error ").count();
                let told = text.split("<testsuites ").nth(1);
                let told = told.and_then(|it| it.split(" time=\"").nth(1)?.split('"').next());
                time += told.and_then(|it| it.parse::<f64>().ok()).unwrap_or(0.0);
                let inside = text.split_once("    <testcase ");
                let inside = inside.and_then(|(_, it)| it.split_once("  </testsuite>"));
                let inside = inside.map_or("", |(inside, _)| inside);
                cases.push_str(&format!("    <testcase {inside}"));
                continue;
            }
            Joined::Failed(name, why) => {
                errors += 1;
                let why = escape(why);
                let error = format!("<error type=\"unknown\" message=\"{why}\"/>");
                (name, error)
            }
            Joined::Skipped(name, why) => {
                skipped += 1;
                (name, format!("<skipped>{}</skipped>", escape(why)))
            }
        };
        let (class, name) = parts(name);
        let (class, name) = (escape(class), escape(name));
        cases.push_str(&format!(
            "    <testcase classname=\"{class}\" name=\"{name}\" time=\"0.000\">\n      \
             {element}\n    </testcase>\n"
        ));
    }
    let (suite, tests) = (escape(suite), tests.len());
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"raddle\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{time:.3}\">\n  \
         <testsuite name=\"{suite}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"{time:.3}\">\n\
         {cases}  </testsuite>\n</testsuites>\n"
    )
}

/// The class of a test, and its name in it.
pub fn parts(test: &str) -> (&str, &str) {
    let end = test.find('[').unwrap_or(test.len());
    match test[..end].rfind('.') {
        Some(dot) => (&test[..dot], &test[dot + 1..]),
        None => ("", test),
    }
}

fn write_case(case: &Case<'_>, out: &mut String) {
    let (class, name) = (escape(&case.class), escape(&case.name));
    let time = seconds(elapsed(&case.outcome));
    // Writing to a text cannot fail.
    let _ = write!(
        out,
        "    <testcase classname=\"{class}\" name=\"{name}\" time=\"{time}\""
    );
    match &case.outcome {
        CaseOutcome::Skipped(why) => {
            let _ = writeln!(
                out,
                ">\n      <skipped>{}</skipped>\n    </testcase>",
                escape(why)
            );
        }
        CaseOutcome::Checked(report) => match report.answer() {
            Answer::Holds => write_success(report, out),
            answer => {
                let element = match answer {
                    Answer::Violated => "failure",
                    _ => "error",
                };
                let kind = report.traces.first().map(|trace| trace.property.name());
                let kind = kind.unwrap_or_else(|| answer.name());
                let message = text::verdict(report, LOOK);
                let message = message.lines().next().unwrap_or_default();
                let _ = writeln!(
                    out,
                    ">\n      <{element} type=\"{kind}\" message=\"{}\">{}</{element}>\n    </testcase>",
                    escape(message),
                    escape(&text::report(report, LOOK)),
                );
            }
        },
    }
}

/// A case that is a success, with what deserves attention all the same as its output.
fn write_success(report: &Report<'_>, out: &mut String) {
    let warnings = text::warnings(report, LOOK);
    if warnings.is_empty() && report.not_covered.is_empty() {
        out.push_str("/>\n");
        return;
    }
    let told = escape(&format!("{}{warnings}", text::verdict(report, LOOK)));
    // Writing to a text cannot fail.
    let _ = writeln!(
        out,
        ">\n      <system-out>{told}</system-out>\n    </testcase>"
    );
}

fn elapsed(outcome: &CaseOutcome<'_>) -> Duration {
    let CaseOutcome::Checked(report) = outcome else {
        return Duration::ZERO;
    };
    let searched = report.statistics.as_ref().map(|it| it.elapsed);
    let covered = report.coverage.as_ref().map(|it| it.elapsed);
    searched.or(covered).unwrap_or_default()
}

fn seconds(duration: Duration) -> String {
    format!("{:.3}", duration.as_secs_f64())
}

/// Text as it can stand between tags and in attributes. Characters that XML 1.0 cannot have,
/// whatever way they are written, become the one that stands for such.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'.. => {
                out.push(character);
            }
            _ => out.push('\u{FFFD}'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn what_xml_cannot_have_is_replaced() {
        assert_eq!(
            escape("a<b>&\"\u{1}\u{FFFF}é\n"),
            "a&lt;b&gt;&amp;&quot;\u{FFFD}\u{FFFD}é\n"
        );
    }
}
