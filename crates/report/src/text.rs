//! A report for people who look at a terminal.

pub use crate::layout::Look;
pub use crate::wording::{bytes, reason, seconds};

use crate::layout::{BAD, FAINT, GOOD, UNSURE, wrap};
use crate::{Answer, Coverage, Lines, Report, Source, ending, lanes, reach, wording};
use raddle_model::{Statistics, Trace};

/// The whole report: verdict, traces, statistics.
pub fn report(report: &Report<'_>, look: Look) -> String {
    let mut out = verdict(report, look);
    for (index, told) in report.traces.iter().enumerate() {
        if report.traces.len() > 1 {
            let violation = wording::violation(told, report.sources);
            let title = format!("[{}] {violation}", index + 1);
            out.push_str(&format!(
                "\n{}\n",
                wrap(&title, look.columns(), 2).join("\n")
            ));
        }
        out.push('\n');
        out.push_str(&trace(told, report.sources, look));
    }
    out.push_str(&warnings(report, look));
    for remark in report.remarks {
        paragraph(&format!("note: {remark}"), look, &mut out);
    }
    for line in reach::text(report) {
        paragraph(&line, look, &mut out);
    }
    let searched = report.statistics.as_ref();
    let searched = searched.map(|it| self::statistics(it, report.options.count_stutters));
    for line in searched
        .into_iter()
        .chain(report.coverage.as_ref().map(coverage))
    {
        out.push('\n');
        for line in wrap(&line, look.columns(), 2) {
            out.push_str(&look.paint(FAINT, &line));
            out.push('\n');
        }
    }
    out
}

/// What deserves attention whatever the verdict is, one line or a few each.
pub fn warnings(report: &Report<'_>, look: Look) -> String {
    let mut out = String::new();
    let vacuous = reach::warnings(report);
    for warning in wording::warnings(report.races).into_iter().chain(vacuous) {
        paragraph(&format!("warning: {warning}"), look, &mut out);
    }
    out
}

fn paragraph(text: &str, look: Look, out: &mut String) {
    for line in wrap(text, look.columns(), 2) {
        out.push_str(&format!("{line}\n"));
    }
}

/// The verdict in a line or a few.
pub fn verdict(report: &Report<'_>, look: Look) -> String {
    let answer = report.answer();
    let style = match answer {
        Answer::Holds => GOOD,
        Answer::Violated => BAD,
        Answer::Unknown => UNSURE,
    };
    let sentences = sentences(report);
    let name = answer.name();
    let mut out = String::new();
    let text = format!("{name}: {}", sentences.join("\n"));
    for line in text.lines().flat_map(|line| wrap(line, look.columns(), 2)) {
        match line.strip_prefix(name).filter(|_| out.is_empty()) {
            Some(rest) => out.push_str(&format!("{}{rest}\n", look.paint(style, name))),
            None => out.push_str(&format!("{line}\n")),
        }
    }
    out
}

/// What follows the name of the verdict, without full stops.
pub(crate) fn sentences(report: &Report<'_>) -> Vec<String> {
    let answer = report.answer();
    let reasons: Vec<String> = report
        .reasons
        .iter()
        .map(|reason| wording::reason(reason, &report.options.limits))
        .collect();
    let mut sentences = vec![match (answer, report.traces) {
        (Answer::Violated, [trace]) => wording::violation(trace, report.sources),
        (Answer::Violated, traces) => several(traces, report.sources),
        (Answer::Holds, _) => match &report.coverage {
            Some(coverage) => wording::covered(coverage),
            None => wording::checked(&report.options),
        },
        (Answer::Unknown, _) => reasons.join("; "),
    }];
    if let (Answer::Unknown, Some(statistics)) = (answer, report.statistics) {
        sentences.push(format!(
            "No violation was found in the {} explored",
            wording::count(statistics.states, "state", "states")
        ));
    }
    if answer == Answer::Violated && !reasons.is_empty() && report.statistics.is_some() {
        sentences.push(format!("There may be more: {}", reasons.join("; ")));
    }
    if answer == Answer::Holds && !report.not_covered.is_empty() {
        sentences.push(wording::not_covered(report.not_covered));
    }
    let omission = report.statistics.map_or(0.0, |it| it.omission_probability);
    if answer == Answer::Holds && omission > 0.0 {
        sentences.push(format!(
            "States may have been taken for others, with probability at most {}",
            wording::probability(omission)
        ));
    }
    sentences
}

fn several(traces: &[Trace], sources: &[Source]) -> String {
    let mut text = format!("{} different violations", traces.len());
    for (index, trace) in traces.iter().enumerate() {
        let violation = wording::violation(trace, sources);
        text.push_str(&format!("\n[{}] {violation}", index + 1));
    }
    text
}

/// A trace: its steps, how it ends, and the last values.
pub fn trace(trace: &Trace, sources: &[Source], look: Look) -> String {
    let lines = Lines::new(sources);
    let parts = [
        match trace.steps.is_empty() {
            true => String::new(),
            false => lanes::render(trace, &lines, look),
        },
        ending::render(trace, &lines, look),
        ending::last_values(trace, look),
        ending::output(trace, look),
    ];
    let told: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    told.join("\n")
}

/// One step of a trace, by its index, and the values that it changed.
pub fn step(
    trace: &Trace,
    index: usize,
    changed: &[(String, String)],
    sources: &[Source],
    look: Look,
) -> String {
    let lines = Lines::new(sources);
    let mut out = lanes::render_step(trace, index, &lines, look);
    let when = format!("changed by step {}", index + 1);
    out.push_str(&ending::changes(changed, &when, look));
    out
}

/// How a trace ends: what failed, or who waits for whom.
pub fn ending(trace: &Trace, sources: &[Source], look: Look) -> String {
    ending::render(trace, &Lines::new(sources), look)
}

/// Named values under a title that ends with `when`.
pub fn values(values: &[(String, String)], when: &str, look: Look) -> String {
    ending::values(values, when, look)
}

/// How much work a search did, in one line.
pub fn statistics(statistics: &Statistics, count_stutters: bool) -> String {
    let transitions = |number| wording::count(number, "transition", "transitions");
    let transitions = match count_stutters {
        true => format!(
            "{} ({} of them by blocked or finished threads)",
            transitions(statistics.transitions.saturating_add(statistics.stutters)),
            statistics.stutters
        ),
        false => transitions(statistics.transitions),
    };
    let mut parts = vec![
        wording::count(statistics.states, "state", "states"),
        transitions,
        format!("depth {}", statistics.depth),
    ];
    if statistics.pruned > 0 {
        parts.push(format!(
            "{} cut off by assumptions",
            wording::count(statistics.pruned, "execution", "executions")
        ));
    }
    parts.push(seconds(statistics.elapsed));
    parts.push(bytes(statistics.peak_bytes));
    // What the store needs when it is empty says nothing about states.
    if statistics.states >= 1000 {
        let each = statistics.store_bytes as f64 / statistics.states as f64;
        parts.push(format!("{each:.1} bytes per state"));
    }
    if statistics.omission_probability > 0.0 {
        let omission = wording::probability(statistics.omission_probability);
        parts.push(format!("omission probability at most {omission}"));
    }
    parts.join(", ")
}

/// How much work an answer about any number of threads took, in one line.
fn coverage(coverage: &Coverage) -> String {
    let count = |number: usize, one, many| wording::count(number as u64, one, many);
    let work = [
        count(coverage.places, "place", "places"),
        count(coverage.transitions, "transition", "transitions"),
        format!("decided by {}", coverage.procedure),
        wording::count(coverage.elements, "element", "elements"),
        seconds(coverage.elapsed),
    ]
    .join(", ");
    let all = coverage.threads.iter().map(|(_, count)| count).sum();
    let kinds = coverage.threads.iter();
    let kinds: Vec<String> = kinds
        .map(|(kind, count)| format!("{count} {kind}"))
        .collect();
    match kinds.is_empty() {
        true => work,
        false => format!(
            "The execution has {}: {}\n{work}",
            count(all, "thread", "threads"),
            kinds.join(", ")
        ),
    }
}
