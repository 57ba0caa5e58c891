//! Steps that come again and again, as those of a loop do: the first and the last time are told, and how
//! often the others.

use super::{Row, RowKind};
use crate::wording::count;
use raddle_model::Thread;
use std::ops::Range;

/// So often steps have to come for some of them to be left out.
const LEAST: usize = 5;
/// So many steps may come again together.
const LONGEST: usize = 6;

/// What makes steps the same: whose they are, and their texts but for numbers.
type Likeness = Vec<(Thread, Option<String>, String)>;

/// Leaves out the middle of what comes again and again.
pub(super) fn fold(rows: &mut Vec<Row>) {
    let begins: Vec<usize> = (0..rows.len())
        .filter(|&it| rows[it].step.is_some())
        .collect();
    let ends = begins.iter().skip(1).copied().chain([rows.len()]);
    let steps: Vec<Range<usize>> = begins
        .iter()
        .zip(ends)
        .map(|(&from, to)| from..to)
        .collect();
    let likeness: Vec<Likeness> = steps.iter().map(|it| likeness(&rows[it.clone()])).collect();
    let mut left_out: Vec<(Range<usize>, usize, usize)> = Vec::new();
    let mut at = 0;
    while at < steps.len() {
        match repeated(&likeness[at..]) {
            Some((length, times)) => {
                let middle = at + length..at + length * (times - 1);
                left_out.push((middle, length, times - 2));
                at += length * times;
            }
            None => at += 1,
        }
    }
    for (middle, length, times) in left_out.into_iter().rev() {
        let (first, last) = (steps[middle.start].start, steps[middle.end - 1].end);
        let told = Row {
            step: rows[first].step,
            line: None,
            place: None,
            thread: rows[first].thread,
            kind: RowKind::Event,
            text: told(length, times),
            folded: None,
        };
        rows.splice(first..last, [told]);
    }
}

fn told(length: usize, times: usize) -> String {
    let times = count(times as u64, "time", "times");
    match length {
        1 => format!("... the same {times} more"),
        _ => format!("... these {length} steps {times} more"),
    }
}

/// How many steps at the beginning come again at once, and how often they come.
fn repeated(steps: &[Likeness]) -> Option<(usize, usize)> {
    (1..=LONGEST).find_map(|length| {
        let first = steps.get(..length)?;
        let times = steps.chunks_exact(length).take_while(|it| *it == first);
        let times = times.count();
        (times >= LEAST).then_some((length, times))
    })
}

fn likeness(rows: &[Row]) -> Likeness {
    let rows = rows.iter();
    rows.map(|row| (row.thread, row.line.clone(), without_numbers(&row.text)))
        .collect()
}

fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter.is_ascii_digit() {
            true if out.ends_with('0') => {}
            true => out.push('0'),
            false => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(texts: &[&str]) -> Vec<Row> {
        let rows = texts.iter().enumerate().map(|(index, text)| Row {
            step: Some(index + 1),
            line: None,
            place: None,
            thread: Thread(0),
            kind: RowKind::Event,
            text: (*text).to_owned(),
            folded: None,
        });
        rows.collect()
    }

    fn folded(texts: &[&str]) -> Vec<String> {
        let mut rows = rows(texts);
        fold(&mut rows);
        rows.into_iter().map(|row| row.text).collect()
    }

    #[test]
    fn the_first_and_the_last_time_are_told() {
        let texts = ["a", "x = 1", "x = 2", "x = 3", "x = 14", "x = 15", "b"];
        let told = ["a", "x = 1", "... the same 3 times more", "x = 15", "b"];
        assert_eq!(folded(&texts), told);
    }

    #[test]
    fn several_steps_can_come_again_together() {
        let texts = ["p", "q"].repeat(6);
        let told = ["p", "q", "... these 2 steps 4 times more", "p", "q"];
        assert_eq!(folded(&texts), told);
    }

    #[test]
    fn a_few_are_told() {
        assert_eq!(folded(&["a", "a", "a", "a"]).len(), 4);
    }
}
