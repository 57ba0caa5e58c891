//! A text in an editor, and its positions: lines from zero, columns in UTF-16.

use lsp_types::{Position, Range, TextDocumentContentChangeEvent};
use raddle_diagnostics::Span;
use raddle_model::Place;

/// What a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// The modelling language.
    Model,
    /// A concurrent boolean program.
    Boolean,
    /// Java, of which it is said what threads share.
    Java,
}

impl Language {
    /// How a file of it is called.
    pub fn file(self) -> &'static str {
        match self {
            Language::Model => "model.rad",
            Language::Boolean => "program.cbp",
            Language::Java => "Program.java",
        }
    }

    /// By what the editor says, or else by the name of the file.
    pub(crate) fn of(id: &str, uri: &str) -> Language {
        match id {
            "cbp" => Language::Boolean,
            "java" => Language::Java,
            _ if uri.ends_with(".cbp") => Language::Boolean,
            _ if uri.ends_with(".java") => Language::Java,
            _ => Language::Model,
        }
    }
}

/// A text in an editor.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) language: Language,
    pub(crate) version: i32,
    pub(crate) text: String,
    /// Where the lines begin.
    starts: Vec<usize>,
}

impl Document {
    pub(crate) fn new(language: Language, version: i32, text: String) -> Document {
        let starts = starts(&text);
        Document {
            language,
            version,
            text,
            starts,
        }
    }

    /// Edits the text. What lies outside of it is brought into it.
    pub(crate) fn apply(&mut self, change: TextDocumentContentChangeEvent) {
        match change.range {
            None => self.text = change.text,
            Some(range) => {
                let start = self.offset(range.start);
                let end = self.offset(range.end).max(start);
                self.text.replace_range(start..end, &change.text);
            }
        }
        self.starts = starts(&self.text);
    }

    /// The offset of a position; behind the end of a line is its end.
    pub(crate) fn offset(&self, position: Position) -> usize {
        let line = position.line as usize;
        let Some(&start) = self.starts.get(line) else {
            return self.text.len();
        };
        let end = self.starts.get(line + 1).copied();
        let end = end.unwrap_or(self.text.len());
        let line = self.text[start..end].trim_end_matches(['\r', '\n']);
        let mut column = 0;
        for (offset, character) in line.char_indices() {
            column += character.len_utf16() as u32;
            if column > position.character {
                return start + offset;
            }
        }
        start + line.len()
    }

    /// The position of an offset.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let before = &self.text[self.starts[line]..offset];
        let column: usize = before.chars().map(char::len_utf16).sum();
        Position::new(number(line), number(column))
    }

    /// The range of a span.
    pub(crate) fn range(&self, span: &Span) -> Range {
        let end = span.end.max(span.start);
        Range::new(self.position(span.start), self.position(end))
    }

    /// The range of the rest of the line from a place on.
    pub(crate) fn rest_of_line(&self, place: Place) -> Range {
        let mut lines = self.text.split_inclusive('\n');
        let before = lines.by_ref().take(place.line.saturating_sub(1) as usize);
        let start: usize = before.map(str::len).sum();
        let line = lines.next().unwrap_or_default().trim_end();
        let column = place.column.saturating_sub(1) as usize;
        let offset = line.char_indices().nth(column).map_or(0, |(at, _)| at);
        self.range(&(start + offset..start + line.len()))
    }

    /// The text of a line, counted from one, without what surrounds it.
    pub(crate) fn range_of_line(&self, line: u32) -> Range {
        let mut lines = self.text.split_inclusive('\n');
        let before = lines.by_ref().take(line.saturating_sub(1) as usize);
        let start: usize = before.map(str::len).sum();
        let text = lines.next().unwrap_or_default();
        let indent = text.len() - text.trim_start().len();
        self.range(&(start + indent..start + text.trim_end().len().max(indent)))
    }

    /// The line of an offset, without what surrounds it.
    pub(crate) fn line(&self, offset: usize) -> &str {
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[line - 1];
        let end = self.starts.get(line).copied();
        self.text[start..end.unwrap_or(self.text.len())].trim()
    }
}

/// Where lines begin: behind `\n`, `\r\n` and `\r`.
fn starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let ends = bytes
        .iter()
        .enumerate()
        .filter(|&(at, &byte)| byte == b'\n' || byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
    std::iter::once(0)
        .chain(ends.map(|(at, _)| at + 1))
        .collect()
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Document {
        Document::new(Language::Model, 0, text.to_owned())
    }

    #[test]
    fn columns_count_utf16_and_lines_end_in_three_ways() {
        let document = document("a\u{1F980}b\r\nc\rd\ne");
        let at = |line, character| document.offset(Position::new(line, character));
        assert_eq!(at(0, 1), 1);
        // Inside of a pair is before it.
        assert_eq!(at(0, 2), 1);
        assert_eq!(at(0, 3), 5);
        assert_eq!(at(0, 99), 6);
        assert_eq!(at(1, 0), 8);
        assert_eq!(at(2, 1), 11);
        assert_eq!(at(9, 9), document.text.len());
        for (offset, _) in document.text.char_indices() {
            let position = document.position(offset);
            let is_end = document.text[offset..].starts_with(['\r', '\n']);
            assert!(is_end || document.offset(position) == offset, "{offset}");
        }
    }

    #[test]
    fn edits_outside_of_the_text_are_brought_into_it() {
        let mut document = document("ab\ncd");
        let mut change = |range: Option<((u32, u32), (u32, u32))>, text: &str| {
            let range = range.map(|(start, end)| {
                Range::new(Position::new(start.0, start.1), Position::new(end.0, end.1))
            });
            document.apply(TextDocumentContentChangeEvent {
                range,
                range_length: None,
                text: text.to_owned(),
            });
            document.text.clone()
        };
        assert_eq!(change(Some(((0, 1), (1, 1))), "-"), "a-d");
        assert_eq!(change(Some(((7, 0), (9, 9))), "!"), "a-d!");
        // The end before the beginning.
        assert_eq!(change(Some(((0, 2), (0, 1))), "x"), "a-xd!");
        assert_eq!(change(None, "é"), "é");
    }

    #[test]
    fn a_place_goes_to_the_end_of_its_line() {
        let document = document("é = 1;\n  x\u{1F980} = 2; \n");
        let place = |line, column| Place {
            file: 0,
            line,
            column,
        };
        let range = document.rest_of_line(place(2, 3));
        assert_eq!(
            (range.start, range.end),
            (Position::new(1, 2), Position::new(1, 10))
        );
        let range = document.rest_of_line(place(99, 99));
        assert_eq!(range.start, range.end);
    }
}
