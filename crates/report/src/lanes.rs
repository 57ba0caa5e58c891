//! The steps of a trace as swim lanes: one column per thread, time goes down.
//!
//! With more threads than fit side by side the steps stand in one column, with the
//! names of the threads at the left.

mod repeats;

use crate::Lines;
use crate::layout::{
    BAD, EVENT, FAINT, Look, PLAIN, STRONG, clean, cut, pad, pad_left, width, wrap,
};
use crate::wording::{self, Folded};
use anstyle::Style;
use raddle_model::{Event, Fault, Operation, Place, Step, Thread, Trace};
use std::ops::Range;

/// The steps of a trace, as lines that end with a line feed.
pub(crate) fn render(trace: &Trace, lines: &Lines<'_>, look: Look) -> String {
    let hidden = match look.abridge {
        Some(_) if trace.steps.len() > LONG => FIRST..trace.steps.len() - LAST,
        _ => 0..0,
    };
    let (mut rows, mut gap) = rows(&Told::of(trace), &hidden, lines, look.unfold);
    if look.abridge.is_some() {
        let mut after = gap.map_or(Vec::new(), |gap| rows.split_off(gap));
        repeats::fold(&mut rows);
        repeats::fold(&mut after);
        gap = gap.map(|_| rows.len());
        rows.append(&mut after);
    }
    let table = Table::new(trace, &rows, look);
    let mut out = String::new();
    table.header(&mut out);
    // Rows of the library may be left out, and with them the first one.
    let again = wording::repeats_from(trace).map(|first| first + 1);
    let is_again = |row: &Row| {
        row.step
            .zip(again)
            .is_some_and(|(step, first)| step >= first)
    };
    let again = rows.iter().position(is_again);
    for (index, row) in rows.iter().enumerate() {
        if gap == Some(index) {
            let advice = look.abridge.unwrap_or_default();
            let text = format!("... {} steps left out; {advice}", hidden.len());
            for line in wrap(&text, look.columns(), 4) {
                table.line(FAINT, &line, &mut out);
            }
        }
        if again == Some(index) {
            table.line(STRONG, "from here on again and again:", &mut out);
        }
        let before = index.checked_sub(1).map(|before| rows[before].thread);
        let named = before != Some(row.thread) || gap == Some(index);
        table.row(row, named, &mut out);
    }
    table.footer(&mut out);
    out
}

/// A trace of more steps is long.
const LONG: usize = 200;
/// How many steps of a long trace are shown from its beginning.
const FIRST: usize = 40;
/// How many steps of a long trace are shown from its end.
const LAST: usize = 120;

/// A single step, without lanes, for stepping through a trace.
pub(crate) fn render_step(trace: &Trace, index: usize, lines: &Lines<'_>, look: Look) -> String {
    let Some(step) = trace.steps.get(index) else {
        return String::new();
    };
    let mut rows = Vec::new();
    step_rows(&Told::of(trace), index, step, lines, look.unfold, &mut rows);
    let table = Table {
        lanes: Vec::new(),
        ..Table::new(trace, &rows, look)
    };
    let mut out = String::new();
    for (index, row) in rows.iter().enumerate() {
        table.row(row, index == 0, &mut out);
    }
    out
}

/// The steps of an execution, and with what the last of them fails, if it does.
pub(crate) struct Told<'a> {
    pub(crate) steps: &'a [Step],
    pub(crate) fault: Option<&'a Fault>,
}

impl Told<'_> {
    pub(crate) fn of(trace: &Trace) -> Told<'_> {
        Told {
            steps: &trace.steps,
            fault: wording::last_fault(trace),
        }
    }
}

/// The rows of all steps, where a table would show them.
pub(crate) fn all_rows(told: &Told<'_>, lines: &Lines<'_>) -> Vec<Row> {
    let mut rows = rows(told, &(0..0), lines, false).0;
    repeats::fold(&mut rows);
    rows
}

/// What a step does, a phrase for each row that a table would have for it; what it fails with as well.
pub(crate) fn phrases(step: &Step, fault: Option<&Fault>) -> Vec<String> {
    let told = Told {
        steps: std::slice::from_ref(step),
        fault,
    };
    let mut rows = Vec::new();
    step_rows(&told, 0, step, &Lines::new(&[]), false, &mut rows);
    let told = rows.into_iter().filter(|row| row.kind != RowKind::Source);
    let mut told: Vec<String> = told.map(|row| row.text).collect();
    let inside = step.events.last().and_then(|event| event.inside.as_deref());
    if let (true, Some(call)) = (told.is_empty(), inside) {
        told.push(format!("goes on in {}", clean(call)));
    }
    told
}

/// One line of the table, before it is wrapped.
pub(crate) struct Row {
    /// The number of the step, from one, where it begins.
    pub(crate) step: Option<usize>,
    /// The line of the source, where it is not that of the row before.
    line: Option<String>,
    /// The place in the source that the row is about, if it is one.
    pub(crate) place: Option<Place>,
    pub(crate) thread: Thread,
    pub(crate) kind: RowKind,
    pub(crate) text: String,
    /// What the text stands for, if it is what a library does.
    folded: Option<Folded>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowKind {
    Source,
    Event,
    Failure,
}

impl RowKind {
    fn style(self) -> Style {
        match self {
            RowKind::Source => PLAIN,
            RowKind::Event => EVENT,
            RowKind::Failure => BAD,
        }
    }

    fn indent(self) -> usize {
        match self {
            RowKind::Source | RowKind::Failure => 0,
            RowKind::Event => 2,
        }
    }
}

/// Longer source lines are cut: they would bury the rest.
const LONGEST_SOURCE: usize = 160;

/// The rows of all steps but the hidden ones, and the index of the row behind those.
fn rows(
    told: &Told<'_>,
    hidden: &Range<usize>,
    lines: &Lines<'_>,
    unfold: bool,
) -> (Vec<Row>, Option<usize>) {
    let mut rows = Vec::new();
    let mut gap = None;
    // The step that was shown last, unless others were left out after it.
    let mut before: Option<&Step> = None;
    let is_silent = |step: &Step| !step.events.iter().any(|it| is_shown(it, unfold));
    let last_place = |step: &Step| last_place(step, unfold);
    for (index, step) in told.steps.iter().enumerate() {
        if hidden.contains(&index) {
            gap = Some(rows.len());
            before = None;
            continue;
        }
        // A step that says nothing is part of its neighbour, if that is on the same line.
        let goes_on = |other: &Step, place| {
            other.step.thread == step.step.thread
                && (step.place.is_none() || same_statement(step.place, place, lines))
        };
        let next = told.steps.get(index + 1);
        if is_silent(step)
            && next.is_some()
            && (next.is_some_and(|next| goes_on(next, next.place))
                || before.is_some_and(|before| goes_on(before, last_place(before))))
        {
            continue;
        }
        let continues = before.replace(step).is_some_and(|before| {
            before.step.thread == step.step.thread
                && same_statement(last_place(before), step.place, lines)
                && !is_silent(step)
                && !is_silent(before)
        });
        let first = rows.len();
        step_rows(told, index, step, lines, unfold, &mut rows);
        // Steps of one thread on one line belong together: `x = x + 1` is two.
        if continues && rows.len() > first + 1 && rows[first].kind == RowKind::Source {
            rows.remove(first);
            rows[first].step = Some(index + 1);
        }
        if continues {
            join_calls(first, &mut rows);
        }
    }
    (rows, gap)
}

/// What a library does in several steps is one thing: joins the row at `first` with the one
/// before it, if both are of one call.
fn join_calls(first: usize, rows: &mut Vec<Row>) {
    let (before, after) = rows.split_at_mut(first);
    let (Some(before), [row, rest @ ..]) = (before.last_mut(), after) else {
        return;
    };
    let (Some(folded), Some(further)) = (&mut before.folded, &mut row.folded) else {
        return;
    };
    if folded.join(further) {
        before.text = folded.text();
        if let Some(next) = rest.first_mut() {
            next.step = row.step;
        }
        rows.remove(first);
    }
}

/// The rows of a step: for each line that it passes the source, and what it did.
fn step_rows(
    told: &Told<'_>,
    index: usize,
    step: &Step,
    lines: &Lines<'_>,
    unfold: bool,
    rows: &mut Vec<Row>,
) {
    let first = rows.len();
    let last = index + 1 == told.steps.len();
    let fault = told.fault.filter(|_| last);
    let failed = fault.map(|fault| fault.kind);
    let thread = step.step.thread;
    let mut place = step.place;
    let event_row = |text| Row {
        step: None,
        place: None,
        line: None,
        thread,
        kind: RowKind::Event,
        text,
        folded: None,
    };
    let mut header = source_row(thread, place, lines);
    let told = step.events.iter().zip(wording::phrases(step, failed));
    for (event, phrase) in told.filter(|(event, _)| is_shown(event, unfold)) {
        if wording::is_call(event) {
            continue;
        }
        if event.place.is_some() && !same_statement(event.place, place, lines) {
            flush(header.take(), rows);
            place = event.place;
            header = source_row(thread, place, lines);
        }
        flush(header.take(), rows);
        let Some(call) = event.inside.as_deref().filter(|_| !unfold) else {
            // Reading once more says nothing new.
            let is_said = rows[first..].last().is_some_and(|row| row.text == phrase);
            if !(is_said && event.operation == Some(Operation::Read)) {
                rows.push(event_row(phrase));
            }
            continue;
        };
        let source = place.and_then(|place| lines.statement(place));
        let mut folded = Folded::new(call, &source.unwrap_or_default().1);
        folded.add(event, phrase);
        let before = rows[first..].last_mut();
        if let Some(row) = before
            && row.folded.as_mut().is_some_and(|it| it.join(&mut folded))
        {
            row.text = row.folded.as_ref().map_or(String::new(), Folded::text);
        } else {
            rows.push(Row {
                folded: Some(folded.clone()),
                ..event_row(folded.text())
            });
        }
    }
    flush(header, rows);
    if let Some(fault) = fault {
        if fault.place.is_some() && !same_statement(fault.place, place, lines) {
            flush(source_row(thread, fault.place, lines), rows);
        }
        rows.push(Row {
            kind: RowKind::Failure,
            ..event_row(format!("!! {}", wording::fault(fault)))
        });
    }
    rows.extend(
        wording::calls(&step.events, unfold)
            .into_iter()
            .map(event_row),
    );
    hide_braces(first, rows);
    let is_last = rows.len() == first + 1;
    if let Some(row) = rows.get_mut(first) {
        row.step = Some(index + 1);
        // Where there is no source, there is no more to be said.
        if is_last && row.place.is_none() && row.text.is_empty() {
            row.text = "(inside the library)".to_owned();
        }
    }
}

fn flush(row: Option<Row>, rows: &mut Vec<Row>) {
    rows.extend(row);
}

/// The source of a place as a row. There is always one, if only to carry the number
/// of a step that says nothing else.
fn source_row(thread: Thread, place: Option<Place>, lines: &Lines<'_>) -> Option<Row> {
    let statement = place.and_then(|place| lines.statement(place));
    let (_, text) = statement.unwrap_or_default();
    Some(Row {
        step: None,
        place,
        line: place.map(|place| label(place, lines)),
        thread,
        kind: RowKind::Source,
        text: cut(clean(text.trim()).trim(), LONGEST_SOURCE),
        folded: None,
    })
}

/// The number of a line; with its file if there are several.
fn label(place: Place, lines: &Lines<'_>) -> String {
    match lines.sources.get(place.file as usize) {
        Some(source) if lines.sources.len() > 1 => {
            let name = source.name.rsplit('/').next().unwrap_or_default();
            format!("{}:{}", clean(name), place.line)
        }
        _ => place.line.to_string(),
    }
}

/// Takes away source rows that say nothing, such as a closing brace, where another
/// row can carry their line number.
fn hide_braces(first: usize, rows: &mut Vec<Row>) {
    let mut index = first;
    while index + 1 < rows.len() {
        let row = &rows[index];
        let silent = !row.text.contains(char::is_alphanumeric);
        let next = rows[index + 1].kind;
        let is_idle = next != RowKind::Source || row.line.is_none();
        if row.kind == RowKind::Source && silent && is_idle {
            let row = rows.remove(index);
            rows[index].line = row.line.or(rows[index].line.take());
            rows[index].place = row.place.or(rows[index].place);
        }
        index += 1;
    }
}

/// Whether two places are shown by the same row.
fn same_statement(a: Option<Place>, b: Option<Place>, lines: &Lines<'_>) -> bool {
    let start = |place| lines.statement(place).map(|(start, _)| start);
    match (a, b) {
        (Some(a), Some(b)) => (a.file, a.line) == (b.file, b.line) && start(a) == start(b),
        (a, b) => a == b,
    }
}

/// Whether an event is told, to those who want to know all or not.
fn is_shown(event: &Event, unfold: bool) -> bool {
    unfold || !event.is_detail
}

/// The last line that a step passed.
fn last_place(step: &Step, unfold: bool) -> Option<Place> {
    let shown = step.events.iter().rev().filter(|it| is_shown(it, unfold));
    let places = shown.filter_map(|event| event.place);
    places.chain(step.place).next()
}

/// How the rows are laid out.
struct Table {
    look: Look,
    step_width: usize,
    line_width: usize,
    /// The threads that have a lane and its width; empty if there is one column.
    lanes: Vec<(Thread, usize)>,
    /// The names of all threads.
    names: Vec<String>,
    /// The width of the column of names, if there are no lanes.
    name_width: usize,
}

/// Narrower lanes are harder to read than no lanes.
const LEAST_LANE: usize = 20;
/// Longer names are cut where there are no lanes.
const LONGEST_NAME: usize = 24;

impl Table {
    fn new(trace: &Trace, rows: &[Row], look: Look) -> Table {
        let lines = rows.iter().filter_map(|row| row.line.as_deref());
        let names = (0..trace.threads.len() as u32)
            .map(|number| wording::thread_name(trace, Thread(number)))
            .collect::<Vec<_>>();
        let mut movers: Vec<Thread> = rows.iter().map(|row| row.thread).collect();
        movers.sort();
        movers.dedup();
        let mut table = Table {
            look,
            step_width: trace.steps.len().to_string().len().max(4),
            line_width: lines.map(width).max().unwrap_or(0).max(4),
            lanes: Vec::new(),
            name_width: 0,
            names,
        };
        let moving = movers.iter().map(|&thread| width(&table.name(thread)));
        let most = LONGEST_NAME.min(look.columns() / 4);
        table.name_width = moving.max().unwrap_or(0).min(most);
        table.lanes = table.divide(rows, &movers);
        table
    }

    fn name(&self, thread: Thread) -> String {
        let name = self.names.get(thread.index()).cloned();
        name.unwrap_or_else(|| format!("thread {}", thread.0))
    }

    /// The widths of the lanes. Those that need little leave the rest to the others.
    fn divide(&self, rows: &[Row], movers: &[Thread]) -> Vec<(Thread, usize)> {
        let gutter = self.gutter(None, None);
        let room = self
            .look
            .columns()
            .saturating_sub(width(&gutter) + 3 * movers.len());
        if room < LEAST_LANE * movers.len() {
            return Vec::new();
        }
        let mut lanes: Vec<(Thread, usize)> = movers
            .iter()
            .map(|&thread| {
                let mine = rows.iter().filter(|row| row.thread == thread);
                let needs = mine.map(|row| row.kind.indent() + width(&row.text)).max();
                (thread, needs.unwrap_or(0).max(width(&self.name(thread))))
            })
            .collect();
        let mut order: Vec<usize> = (0..lanes.len()).collect();
        order.sort_by_key(|&lane| lanes[lane].1);
        let mut left = room;
        for (served, lane) in order.into_iter().enumerate() {
            let share = left / (movers.len() - served);
            lanes[lane].1 = lanes[lane].1.min(share).max(1);
            left -= lanes[lane].1.min(left);
        }
        lanes
    }

    /// The columns of numbers at the left.
    fn gutter(&self, step: Option<&str>, line: Option<&str>) -> String {
        let step = pad_left(step.unwrap_or_default(), self.step_width);
        let line = pad_left(line.unwrap_or_default(), self.line_width);
        format!("{step}  {line}")
    }

    fn header(&self, out: &mut String) {
        let gutter = self.gutter(Some("step"), Some("line"));
        if self.lanes.is_empty() {
            let line = format!("{gutter}  {}", pad("thread", self.name_width));
            self.line(STRONG, &line, out);
            return;
        }
        let names: Vec<Vec<String>> = self
            .lanes
            .iter()
            .map(|&(thread, columns)| wrap(&self.name(thread), columns, 0))
            .collect();
        let height = names.iter().map(Vec::len).max().unwrap_or(0);
        for level in 0..height {
            let mut line = match level {
                0 => gutter.clone(),
                _ => self.gutter(None, None),
            };
            for (name, &(_, columns)) in names.iter().zip(&self.lanes) {
                let part = name.get(level).map_or("", String::as_str);
                line.push_str(&format!(" | {}", pad(part, columns)));
            }
            self.line(STRONG, &line, out);
        }
        let mut rule = "-".repeat(width(&gutter));
        for &(_, columns) in &self.lanes {
            rule.push_str(&format!("-+-{}", "-".repeat(columns)));
        }
        self.line(FAINT, &rule, out);
    }

    fn row(&self, row: &Row, named: bool, out: &mut String) {
        let step = row.step.map(|step| step.to_string());
        let gutter = self.gutter(step.as_deref(), row.line.as_deref());
        let blank = self.gutter(None, None);
        let indent = row.kind.indent();
        let room = match self.lanes.iter().find(|lane| lane.0 == row.thread) {
            Some(&(_, columns)) => columns,
            None => {
                let used = width(&blank) + self.name_width + 4;
                self.look.columns().saturating_sub(used).max(1)
            }
        };
        let text = wrap(&row.text, room.saturating_sub(indent).max(1), 4);
        for (level, part) in text.iter().enumerate() {
            let gutter = if level == 0 { &gutter } else { &blank };
            let mut line = self.look.paint(FAINT, gutter);
            let part = format!("{}{part}", " ".repeat(indent));
            if self.lanes.is_empty() {
                let name = if named && level == 0 {
                    self.name(row.thread)
                } else {
                    String::new()
                };
                let name = pad(&cut(&name, self.name_width), self.name_width);
                let name = self.look.paint(STRONG, &name);
                line.push_str(&format!("  {name}  "));
                line.push_str(&self.look.paint(row.kind.style(), &part));
            }
            for &(thread, columns) in &self.lanes {
                let cell = if thread == row.thread {
                    part.as_str()
                } else {
                    ""
                };
                let filler = " ".repeat(columns.saturating_sub(width(cell)));
                let cell = self.look.paint(row.kind.style(), cell);
                line.push_str(&self.look.paint(FAINT, " | "));
                line.push_str(&format!("{cell}{filler}"));
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }

    /// Names the threads that have no lane because they never move.
    fn footer(&self, out: &mut String) {
        if self.lanes.is_empty() {
            return;
        }
        let idle: Vec<String> = (0..self.names.len() as u32)
            .map(Thread)
            .filter(|&thread| self.lanes.iter().all(|lane| lane.0 != thread))
            .map(|thread| self.name(thread))
            .collect();
        if !idle.is_empty() {
            let text = format!("Without a step: {}", wording::listed(&idle, "and"));
            for line in wrap(&text, self.look.columns(), 2) {
                self.line(FAINT, &line, out);
            }
        }
    }

    fn line(&self, style: Style, text: &str, out: &mut String) {
        out.push_str(&self.look.paint(style, text.trim_end()));
        out.push('\n');
    }
}
