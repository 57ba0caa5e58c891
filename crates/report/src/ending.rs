//! How a trace ends: what failed, or who waits for whom, and the last values.

use crate::layout::{BAD, FAINT, Look, STRONG, clean, cut, pad, width, wrap};
use crate::waits::Waits;
use crate::wording::{self, thread_name};
use crate::{Lines, locate};
use raddle_model::{Fault, FaultKind, Place, Property, Thread, Trace, Waiting};

/// What is wrong at the end of a trace, as lines that end with a line feed.
pub(crate) fn render(trace: &Trace, lines: &Lines<'_>, look: Look) -> String {
    let mut out = String::new();
    match &trace.property {
        Property::Fault(fault) => failure(trace, fault, lines, look, &mut out),
        Property::Deadlock(threads) | Property::PartialDeadlock(threads) => {
            paragraph(&format!("{}:", title(trace)), look, &mut out);
            deadlock(trace, threads, lines, look, &mut out);
        }
        Property::Temporal(unmet) => {
            for line in wrap(&title(trace), look.columns(), 2) {
                out.push_str(&look.paint(BAD, &line));
                out.push('\n');
            }
            if let Some(place) = unmet.place {
                excerpt(place, lines, look, &mut out);
            }
        }
        Property::NoEnd(_) => {
            paragraph(&format!("{}.", title(trace)), look, &mut out);
            let waiting: Vec<Thread> = trace.waiting.iter().map(|it| it.thread).collect();
            deadlock(trace, &waiting, lines, look, &mut out);
        }
    }
    out
}

/// The values of the shared variables at the end of a trace.
pub(crate) fn last_values(trace: &Trace, look: Look) -> String {
    let when = match (trace.steps.len(), wording::last_step_fails(trace)) {
        (0, _) => "in the initial state".to_owned(),
        (steps, true) => format!("before step {steps}"),
        (steps, false) => format!("after step {steps}"),
    };
    values(&trace.values, &when, look)
}

/// What the program has printed, as lines that end with a line feed.
pub(crate) fn output(trace: &Trace, look: Look) -> String {
    /// So many lines are shown from the end.
    const MOST: usize = 40;
    let printed = wording::output(trace);
    let lines: Vec<&str> = printed.lines().collect();
    let mut out = String::new();
    if lines.is_empty() {
        return out;
    }
    paragraph("The program's output until then:", look, &mut out);
    let hidden = lines.len().saturating_sub(MOST);
    if hidden > 0 {
        let told = wording::count(hidden as u64, "line", "lines");
        let told = format!("  ({told} before)");
        out.push_str(&format!("{}\n", look.paint(FAINT, &told)));
    }
    for line in &lines[hidden..] {
        out.push_str(&format!("  {}\n", cut(&clean(line), look.columns() - 2)));
    }
    out
}

/// Named values under a title.
pub(crate) fn values(values: &[(String, String)], when: &str, look: Look) -> String {
    /// So many are shown whatever they are.
    const FEW: usize = 16;
    list(values, values.len() > FEW, when, look)
}

/// Values that have changed, under a title: those that are zero now matter as well.
pub(crate) fn changes(values: &[(String, String)], when: &str, look: Look) -> String {
    list(values, false, when, look)
}

fn list(values: &[(String, String)], long: bool, when: &str, look: Look) -> String {
    /// So many are shown at the most.
    const MOST: usize = 200;
    if values.is_empty() {
        return String::new();
    }
    let shown: Vec<String> = values
        .iter()
        .filter(|(_, value)| !long || !is_dull(value))
        .take(MOST)
        .map(|(name, value)| equation(&clean(name), &clean(value)))
        .collect();
    let mut out = String::new();
    paragraph(&format!("Shared variables {when}:"), look, &mut out);
    grid(&shown, look, &mut out);
    let hidden = values.len() - shown.len();
    if hidden > 0 {
        let what = match shown.len() < MOST {
            true => " that are 0, false, null, free or empty",
            false => "",
        };
        let line = format!("  and {hidden} more{what}");
        out.push_str(&look.paint(FAINT, &line));
        out.push('\n');
    }
    out
}

fn is_dull(value: &str) -> bool {
    matches!(value, "0" | "false" | "null" | "free" | "[]" | "")
}

/// A lock is not equal to anything: it is free or held.
fn equation(name: &str, value: &str) -> String {
    match value == "free" || value.starts_with("held ") {
        true => format!("{name} is {value}"),
        false => format!("{name} = {value}"),
    }
}

/// Items side by side in columns of equal width, downwards first if they need
/// several lines.
fn grid(items: &[String], look: Look, out: &mut String) {
    let widest = items.iter().map(|item| width(item)).max().unwrap_or(0);
    let columns = ((look.columns() - 2) / (widest + 3)).clamp(1, items.len().max(1));
    // A few values read best as a list.
    let columns = if items.len() <= 4 { 1 } else { columns };
    let height = items.len().div_ceil(columns);
    for row in 0..height {
        if columns == 1 {
            for line in wrap(&items[row], look.columns() - 2, 4) {
                out.push_str(&format!("  {line}\n"));
            }
            continue;
        }
        let cells = items.iter().skip(row).step_by(height);
        let line: String = cells.map(|item| pad(item, widest + 3)).collect();
        out.push_str(&format!("  {}\n", line.trim_end()));
    }
}

/// What is wrong at the end of a trace, in one sentence without a full stop.
pub(crate) fn title(trace: &Trace) -> String {
    match &trace.property {
        Property::Fault(fault) => failure_title(trace, fault),
        Property::Deadlock(_) => "At the end no thread can move".to_owned(),
        Property::PartialDeadlock(_) => {
            "At the end other threads can move, but never again these".to_owned()
        }
        Property::Temporal(_) => {
            let (repeated, message) = (wording::repeated(trace), wording::message(trace));
            format!("{repeated}: {message}")
        }
        Property::NoEnd(_) => {
            let (repeated, message) = (wording::repeated(trace), wording::message(trace));
            format!("{repeated}; {message}")
        }
    }
}

fn failure_title(trace: &Trace, fault: &Fault) -> String {
    let who = trace
        .steps
        .last()
        .map(|step| thread_name(trace, step.step.thread));
    let what = wording::fault(fault);
    match (fault.kind, who) {
        (FaultKind::Race, _) => format!("Both accesses come next, in any order: {what}"),
        (FaultKind::Invariant, None) => format!("The initial state is wrong: {what}"),
        (_, None) => match trace.threads.as_slice() {
            [_] => format!(
                "{} fails before its first step: {what}",
                thread_name(trace, Thread(0))
            ),
            _ => format!("The program fails before its first step: {what}"),
        },
        (FaultKind::Invariant, Some(who)) => {
            format!("After the last step, by {who}: {what}")
        }
        (_, Some(who)) => format!("{who} fails: {what}"),
    }
}

fn failure(trace: &Trace, fault: &Fault, lines: &Lines<'_>, look: Look, out: &mut String) {
    for line in wrap(&title(trace), look.columns(), 2) {
        out.push_str(&look.paint(BAD, &line));
        out.push('\n');
    }
    if let Some(place) = fault.place {
        excerpt(place, lines, look, out);
    }
    // Where there are steps, the last of them has the calls.
    for call in wording::calls(&trace.prelude, look.unfold) {
        let line = format!("  {call}");
        out.push_str(&format!("{}\n", cut(&line, look.columns())));
    }
}

/// The line of a place with a caret below.
fn excerpt(place: Place, lines: &Lines<'_>, look: Look, out: &mut String) {
    out.push_str(&look.paint(FAINT, &format!("  --> {}", locate(lines.sources, place))));
    out.push('\n');
    let Some(line) = lines.at(place) else { return };
    let blank = line.len() - line.trim_start().len();
    let blank = line[..blank].chars().count();
    let text = clean(line.trim());
    let number = place.line.to_string();
    let room = look.columns().saturating_sub(width(&number) + 5);
    out.push_str(&look.paint(FAINT, &format!("  {number} | ")));
    out.push_str(&cut(&text, room));
    out.push('\n');
    let before = (place.column as usize)
        .saturating_sub(1)
        .saturating_sub(blank);
    let before: String = text.chars().take(before).collect();
    if width(&before) + 4 < room {
        let gutter = format!(
            "  {} | {}",
            " ".repeat(width(&number)),
            " ".repeat(width(&before))
        );
        out.push_str(&look.paint(FAINT, &gutter));
        out.push_str(&look.paint(BAD, "^"));
        out.push('\n');
    }
}

fn deadlock(trace: &Trace, stuck: &[Thread], lines: &Lines<'_>, look: Look, out: &mut String) {
    let waits = Waits::new(trace, stuck, lines);
    for wait in waits.busy() {
        let name = thread_name(trace, wait.waiting.thread);
        let place = whereabouts(wait.waiting, lines);
        for line in wrap(&format!("{name}{place}"), look.columns() - 2, 4) {
            // The name is what one looks for; the place is what one looks up.
            let (name, rest) = match line.strip_prefix(&name) {
                Some(rest) => (look.paint(STRONG, &name), rest),
                None => (String::new(), line.as_str()),
            };
            out.push_str(&format!("  {name}{}\n", look.paint(FAINT, rest)));
        }
        for line in wrap(&wait.why, look.columns() - 6, 2) {
            out.push_str(&format!("      {line}\n"));
        }
    }
    if let Some(idle) = waits.idle_told(trace) {
        for line in wrap(&idle, look.columns() - 2, 2) {
            out.push_str(&format!("  {}\n", look.paint(FAINT, &line)));
        }
    }
    if let Some(cycle) = waits.cycle_told(trace) {
        for line in wrap(&cycle, look.columns(), 2) {
            out.push_str(&format!("{}\n", look.paint(BAD, &line)));
        }
    }
}

/// Where a thread waits, as far as that is known.
fn whereabouts(wait: &Waiting, lines: &Lines<'_>) -> String {
    /// Longer source lines are cut.
    const LONGEST: usize = 60;
    let Some(place) = wait.place else {
        return String::new();
    };
    let at = locate(lines.sources, place);
    match lines.statement(place) {
        Some((_, text)) => format!(" at {at}: {}", cut(&clean(&text), LONGEST)),
        None => format!(" at {at}"),
    }
}

fn paragraph(title: &str, look: Look, out: &mut String) {
    for line in wrap(title, look.columns(), 2) {
        out.push_str(&look.paint(STRONG, &line));
        out.push('\n');
    }
}
