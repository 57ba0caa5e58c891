//! Errors with a place in the source, how they are shown, and how parsers come to them: what all
//! front ends share.

mod cursor;
mod index;

pub use cursor::{Cursor, Failed, Name, Parsed, Problem, Token, lex, quote, unquote};
pub use index::{Declaration, Index};

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use raddle_model::Place;
use std::ops::Range;

/// A range of bytes of the source.
pub type Span = Range<usize>;

/// Something wrong with a program, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// The part of the source that is wrong.
    pub span: Span,
    /// What to write below the carets: what was expected, or what it is.
    pub label: String,
    /// Another place that matters, such as an earlier declaration.
    pub related: Option<(Span, String)>,
    /// How to mend it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a span.
    pub fn new(span: Span, message: impl Into<String>, label: impl Into<String>) -> Self {
        Diagnostic {
            message: message.into(),
            span,
            label: label.into(),
            related: None,
            help: None,
        }
    }

    /// With another place that matters.
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related = Some((span, label.into()));
        self
    }

    /// With advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// How many errors are shown before the rest is only counted.
const SHOWN: usize = 20;

/// Shows errors as text in the manner of rustc, in the order of their places. Spans
/// that do not fit the source are brought into it.
pub fn render(source: &str, file_name: &str, diagnostics: &[Diagnostic], color: bool) -> String {
    let renderer = match color {
        true => Renderer::styled(),
        false => Renderer::plain(),
    };
    let mut ordered: Vec<&Diagnostic> = diagnostics.iter().collect();
    ordered.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end));
    let mut out = String::new();
    for diagnostic in ordered.iter().take(SHOWN) {
        out.push_str(&renderer.render(&[group(source, file_name, diagnostic)]));
        out.push_str("\n\n");
    }
    if ordered.len() > SHOWN {
        out.push_str(&format!("… and {} more\n\n", ordered.len() - SHOWN));
    }
    // One newline ends the text, and an empty line stands between two errors.
    out.truncate(out.trim_end().len());
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

fn group<'a>(source: &'a str, file_name: &'a str, diagnostic: &'a Diagnostic) -> Group<'a> {
    let primary = AnnotationKind::Primary
        .span(clamp(source, &diagnostic.span))
        .label(diagnostic.label.as_str());
    let mut snippet = Snippet::source(source).path(file_name).annotation(primary);
    if let Some((span, label)) = &diagnostic.related {
        let related = AnnotationKind::Context.span(clamp(source, span));
        snippet = snippet.annotation(related.label(label.as_str()));
    }
    let mut group = Level::ERROR
        .primary_title(diagnostic.message.as_str())
        .element(snippet);
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    group
}

/// The nearest span that lies in the source and cuts no character.
fn clamp(source: &str, span: &Span) -> Span {
    let start = source.floor_char_boundary(span.start);
    let end = source.ceil_char_boundary(span.end.min(source.len()));
    start..end.max(start)
}

/// Where the lines of a source begin: maps offsets to places in logarithmic time.
#[derive(Clone, Debug)]
pub struct Lines {
    /// The offset of the first byte of each line.
    starts: Vec<usize>,
    /// The characters of more than one byte: the offset, and how many bytes beyond
    /// one the characters up to and including it have.
    wide: Vec<(usize, usize)>,
}

impl Lines {
    /// Reads a source once.
    pub fn new(source: &str) -> Self {
        let mut starts = vec![0];
        let mut wide = Vec::new();
        let mut surplus = 0;
        for (offset, character) in source.char_indices() {
            if character == '\n' {
                starts.push(offset + 1);
            } else if character.len_utf8() > 1 {
                surplus += character.len_utf8() - 1;
                wide.push((offset, surplus));
            }
        }
        Lines { starts, wide }
    }

    /// The line and the column, in characters, of an offset in bytes. An offset inside
    /// of a character is the place of that character; one behind the end counts on.
    pub fn place(&self, offset: usize) -> Place {
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[line - 1];
        let column = self.characters_before(offset) - self.characters_before(start);
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Place {
            file: 0,
            line: number(line),
            column: number(column + 1),
        }
    }

    /// How many characters begin before an offset and do not contain it.
    fn characters_before(&self, offset: usize) -> usize {
        let before = self.wide.partition_point(|&(wide, _)| wide < offset);
        let surplus_until = |count: usize| match count {
            0 => 0,
            count => self.wide[count - 1].1,
        };
        match before {
            0 => offset,
            _ => {
                let (last, surplus) = self.wide[before - 1];
                let width = 1 + surplus - surplus_until(before - 1);
                match offset < last + width {
                    true => last - surplus_until(before - 1),
                    false => offset - surplus,
                }
            }
        }
    }
}

/// The known name that resembles a name most, if any is near enough. Among equals
/// it is the first in the alphabet, whatever the order of the candidates.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let length = name.chars().count();
    if length > 40 {
        return None;
    }
    let allowed = length.div_ceil(3).min(3);
    known
        .into_iter()
        .filter(|candidate| candidate.len() <= 64 && *candidate != name)
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed && *distance < length)
        .min()
        .map(|(_, candidate)| candidate)
}

/// How many characters must be inserted, deleted, replaced or exchanged with their
/// neighbours; letters that differ only in case count as equal.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().flat_map(char::to_lowercase).collect();
    let right: Vec<char> = right.chars().flat_map(char::to_lowercase).collect();
    let mut older = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for i in 1..=left.len() {
        let mut row = vec![i];
        for j in 1..=right.len() {
            let differ = usize::from(left[i - 1] != right[j - 1]);
            let mut least = (above[j] + 1)
                .min(row[j - 1] + 1)
                .min(above[j - 1] + differ);
            if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                least = least.min(older[j - 2] + 1);
            }
            row.push(least);
        }
        older = std::mem::replace(&mut above, row);
    }
    above[right.len()]
}
