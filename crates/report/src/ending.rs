//! How a trace ends: what failed, or who waits for whom, and the last values.

use crate::layout::{BAD, FAINT, Look, STRONG, clean, cut, pad, width, wrap};
use crate::ledger::Ledger;
use crate::wording::{self, listed, thread_name, threads_named};
use crate::{Lines, locate};
use raddle_model::{Fault, FaultKind, Operation, Place, Property, Thread, Trace, Waiting};

/// What is wrong at the end of a trace, as lines that end with a line feed.
pub(crate) fn render(trace: &Trace, lines: &Lines<'_>, look: Look) -> String {
    let mut out = String::new();
    match &trace.property {
        Property::Fault(fault) => failure(trace, fault, lines, look, &mut out),
        Property::Deadlock(threads) => {
            paragraph("At the end no thread can move:", look, &mut out);
            deadlock(trace, threads, lines, look, &mut out);
        }
        Property::PartialDeadlock(threads) => {
            let title = "At the end other threads can move, but never again these:";
            paragraph(title, look, &mut out);
            deadlock(trace, threads, lines, look, &mut out);
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

fn failure(trace: &Trace, fault: &Fault, lines: &Lines<'_>, look: Look, out: &mut String) {
    let who = trace
        .steps
        .last()
        .map(|step| thread_name(trace, step.step.thread));
    let what = wording::fault(fault);
    let title = match (fault.kind, who) {
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
    };
    for line in wrap(&title, look.columns(), 2) {
        out.push_str(&look.paint(BAD, &line));
        out.push('\n');
    }
    if let Some(place) = fault.place {
        excerpt(place, lines, look, out);
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
    let ledger = Ledger::new(trace);
    let waiting = trace.waiting.iter();
    let waiting: Vec<&Waiting> = waiting.filter(|it| stuck.contains(&it.thread)).collect();
    for wait in &waiting {
        let name = thread_name(trace, wait.thread);
        let place = whereabouts(wait, lines);
        for line in wrap(&format!("{name}{place}"), look.columns() - 2, 4) {
            // The name is what one looks for; the place is what one looks up.
            let (name, rest) = match line.strip_prefix(&name) {
                Some(rest) => (look.paint(STRONG, &name), rest),
                None => (String::new(), line.as_str()),
            };
            out.push_str(&format!("  {name}{}\n", look.paint(FAINT, rest)));
        }
        let why = explain(trace, &ledger, lines, wait);
        for line in wrap(&why, look.columns() - 6, 2) {
            out.push_str(&format!("      {line}\n"));
        }
    }
    if let Some(cycle) = cycle(trace, &ledger, &waiting) {
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

/// What a thread waits for and who could help.
fn explain(trace: &Trace, ledger: &Ledger<'_>, lines: &Lines<'_>, wait: &Waiting) -> String {
    if let Some(obstacle) = &wait.obstacle {
        return format!("{}{}", clean(&obstacle.what), since(ledger, lines, wait));
    }
    let wants = wait.wants.iter();
    let blocking: Vec<&Want> = wants.filter(|want| may_block(want.0)).collect();
    let reads = wait.wants.iter().filter(|want| want.0 == Operation::Read);
    let reads: Vec<String> = reads.map(|want| with_value(trace, &want.1)).collect();
    let what = match (blocking.as_slice(), reads.as_slice()) {
        ([], []) => "waits".to_owned(),
        ([], reads) => format!("waits for a condition on {}", listed(reads, "and")),
        (wants, _) => {
            let phrases = wants.iter().map(|want| wish(trace, ledger, wait, want));
            listed(&phrases.collect::<Vec<_>>(), "or")
        }
    };
    match helpers(trace, ledger, wait, &blocking) {
        Some(helpers) => format!("{what}; {helpers}"),
        None => what,
    }
}

/// An operation that a thread wants to do, and the name of the object.
type Want = (Operation, String);

/// Whether an operation alone says what a thread waits for.
fn may_block(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Acquire
            | Operation::WaitResume
            | Operation::Down
            | Operation::Send
            | Operation::Receive
            | Operation::Join
    )
}

/// A variable and its value at the end.
fn with_value(trace: &Trace, name: &str) -> String {
    match trace.values.iter().find(|value| value.0 == name) {
        Some((_, value)) => format!("{} (now {})", clean(name), clean(value)),
        None => clean(name),
    }
}

/// One thing that a thread wants and cannot get.
fn wish(trace: &Trace, ledger: &Ledger<'_>, wait: &Waiting, want: &Want) -> String {
    let object = clean(&want.1);
    let held = match ledger.holder(&want.1) {
        Some(holder) if holder != wait.thread => {
            let finished = match ledger.has_finished(holder) {
                true => ", which has finished",
                false => "",
            };
            format!(", held by {}{finished}", thread_name(trace, holder))
        }
        _ => String::new(),
    };
    match want.0 {
        Operation::WaitResume if ledger.awaits_notification(wait.thread) => {
            format!("waits for a notification on {object}")
        }
        Operation::WaitResume => format!("was notified and waits to take {object} again{held}"),
        Operation::Down => format!("waits for the semaphore {object} to be raised"),
        Operation::Send => format!("waits for room in the channel {object}"),
        Operation::Receive => format!("waits for a message in the channel {object}"),
        Operation::Join => format!("waits for the end of {object}"),
        _ => format!("waits for {object}{held}"),
    }
}

/// Who could still let a thread go on; `None` where its wish says so already.
fn helpers(
    trace: &Trace,
    ledger: &Ledger<'_>,
    wait: &Waiting,
    blocking: &[&Want],
) -> Option<String> {
    let said = blocking.iter().any(|want| match want.0 {
        Operation::Join => true,
        Operation::WaitResume => !ledger.awaits_notification(wait.thread),
        Operation::Acquire => ledger.holder(&want.1).is_some(),
        _ => false,
    });
    if said {
        return None;
    }
    if wait.waits_for.is_empty() {
        return Some("no thread is left that could do that".to_owned());
    }
    let waits = |thread: &Thread| trace.waiting.iter().any(|other| other.thread == *thread);
    let names = threads_named(trace, &wait.waits_for, "or");
    let also = match (wait.waits_for.iter().all(waits), wait.waits_for.len()) {
        (false, _) => "",
        (true, 1) => ", which waits too",
        (true, _) => ", which all wait too",
    };
    Some(format!("only {names} could do that{also}"))
}

/// The first cycle of threads of which each waits for the next and for nobody else.
fn cycle(trace: &Trace, ledger: &Ledger<'_>, waiting: &[&Waiting]) -> Option<String> {
    let find = |thread: Thread| waiting.iter().find(|wait| wait.thread == thread);
    for first in waiting {
        let mut path = vec![first.thread];
        let mut text = thread_name(trace, first.thread);
        let mut at = *first;
        while let Some((phrase, next)) = certain_wait(trace, ledger, at) {
            text.push_str(&phrase);
            if next == first.thread {
                return Some(format!("The cycle: {text}."));
            }
            let Some(wait) = find(next).filter(|_| !path.contains(&next)) else {
                break;
            };
            path.push(next);
            text.push_str(", which");
            at = wait;
        }
    }
    None
}

/// Since when somebody else has the lock that a thread waits for.
fn since(ledger: &Ledger<'_>, lines: &Lines<'_>, wait: &Waiting) -> String {
    let place = wait.obstacle.as_ref().and_then(|obstacle| {
        let lock = obstacle.lock.as_deref()?;
        let is_known = ledger.holder(lock) == Some(obstacle.holder?);
        ledger.since(lock).filter(|_| is_known)
    });
    place.map_or(String::new(), |place| {
        format!(" since {}", locate(lines.sources, place))
    })
}

/// What a thread waits for, if there is one thread only that can give it.
fn certain_wait(trace: &Trace, ledger: &Ledger<'_>, wait: &Waiting) -> Option<(String, Thread)> {
    if let Some(obstacle) = &wait.obstacle {
        return Some((format!(" {}", clean(&obstacle.what)), obstacle.holder?));
    }
    let mut wants = wait.wants.iter().filter(|want| may_block(want.0));
    let want = wants.next()?;
    if wants.next().is_some() {
        return None;
    }
    let next = match want.0 {
        Operation::WaitResume if ledger.awaits_notification(wait.thread) => return None,
        Operation::Acquire | Operation::WaitResume => ledger.holder(&want.1)?,
        Operation::Join => {
            let number = trace.threads.iter().position(|name| *name == want.1)?;
            Thread(u32::try_from(number).ok()?)
        }
        _ => return None,
    };
    Some((format!(" {}", wish(trace, ledger, wait, want)), next))
}

fn paragraph(title: &str, look: Look, out: &mut String) {
    for line in wrap(title, look.columns(), 2) {
        out.push_str(&look.paint(STRONG, &line));
        out.push('\n');
    }
}
