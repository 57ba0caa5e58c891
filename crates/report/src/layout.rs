//! Fitting text into columns: widths, wrapping, colours.

use anstyle::{AnsiColor, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How a text is to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// How many columns a line may have.
    pub width: usize,
    /// Whether to use colours.
    pub color: bool,
    /// The middle of a very long trace is left out, and this is said there; `None` to
    /// show all of it.
    pub abridge: Option<&'static str>,
    /// Whether all is shown that happens inside of libraries.
    pub unfold: bool,
}

/// Narrower than this nothing readable comes out, so it is not tried.
const LEAST_WIDTH: usize = 40;

impl Look {
    pub(crate) fn columns(self) -> usize {
        self.width.max(LEAST_WIDTH)
    }

    /// The text in a style, if colours are wanted.
    pub(crate) fn paint(self, style: Style, text: &str) -> String {
        match self.color && !text.is_empty() {
            true => format!("{style}{text}{style:#}"),
            false => text.to_owned(),
        }
    }
}

pub(crate) const PLAIN: Style = Style::new();
pub(crate) const STRONG: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = Style::new().bold().fg_color(Some(color(AnsiColor::Green)));
pub(crate) const BAD: Style = Style::new().bold().fg_color(Some(color(AnsiColor::Red)));
pub(crate) const UNSURE: Style = Style::new().bold().fg_color(Some(color(AnsiColor::Yellow)));
pub(crate) const EVENT: Style = Style::new().fg_color(Some(color(AnsiColor::Cyan)));

const fn color(color: AnsiColor) -> anstyle::Color {
    anstyle::Color::Ansi(color)
}

/// How many columns a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// A text with spaces after it, up to a width.
pub(crate) fn pad(text: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(width(text));
    format!("{text}{}", " ".repeat(missing))
}

/// A text with spaces before it, up to a width.
pub(crate) fn pad_left(text: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(width(text));
    format!("{}{text}", " ".repeat(missing))
}

/// On which side of its column a cell stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// As words do.
    Left,
    /// As numbers do.
    Right,
}

/// Cells in columns that are as wide as they have to be.
pub fn columns(sides: &[Side], lines: &[Vec<String>]) -> String {
    let widest = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| width(cell)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..sides.len()).map(widest).collect();
    let mut text = String::new();
    for line in lines {
        let cells = line.iter().zip(sides).zip(&widths);
        let cells = cells.map(|((cell, side), &width)| match side {
            Side::Left => pad(cell, width),
            Side::Right => pad_left(cell, width),
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// A text that cannot do harm to a terminal: no control characters, and none that
/// change the direction of writing, since these can make source look like other
/// source. A tab becomes one space, so that characters still count as columns do.
pub(crate) fn clean(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\t' => ' ',
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
            c if c.is_control() => '\u{fffd}',
            c => c,
        })
        .collect()
}

/// A text cut to a number of columns, with dots if something was cut off.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let (head, _) = split(text, columns.saturating_sub(3));
    format!("{head}...")
}

/// Breaks a text into lines of at most `columns`, between words where possible. All
/// lines but the first are indented by `hang`, if there is room for that.
pub fn wrap(text: &str, columns: usize, hang: usize) -> Vec<String> {
    let columns = columns.max(1);
    let hang = if hang * 2 < columns { hang } else { 0 };
    let mut lines = Vec::new();
    let mut rest = text;
    let mut indent = 0;
    loop {
        let (head, tail) = split(rest, columns - indent);
        if tail.is_empty() {
            break;
        }
        // A character that is wider than the column has to go somewhere.
        let least = rest.chars().next().map_or(0, char::len_utf8);
        let fit = head.len().max(least);
        // A space right behind the part that fits is a place to break as well.
        let limit = fit + usize::from(rest[fit..].starts_with(' '));
        let end = match rest[..limit].rfind(' ') {
            Some(space) if !rest[..space].trim().is_empty() => space,
            // Rather between the parts of a name than in the middle of one.
            _ => match rest[..fit].rfind(['.', '(', ',', '/', '[']) {
                Some(part) if fit < rest.len() => part + 1,
                _ => fit,
            },
        };
        lines.push(format!("{}{}", " ".repeat(indent), rest[..end].trim_end()));
        rest = rest[end..].trim_start();
        indent = hang;
    }
    if !rest.is_empty() || lines.is_empty() {
        lines.push(format!("{}{rest}", " ".repeat(indent)));
    }
    lines
}

/// Splits a text behind the last character that still fits.
fn split(text: &str, columns: usize) -> (&str, &str) {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.width().unwrap_or(0);
        if used > columns {
            return text.split_at(at);
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_between_words() {
        assert_eq!(wrap("one two three", 7, 0), ["one two", "three"]);
        assert_eq!(wrap("one two three", 8, 2), ["one two", "  three"]);
        assert_eq!(wrap("abcdefgh", 3, 0), ["abc", "def", "gh"]);
        assert_eq!(
            wrap("Bank.Account.lock", 9, 0),
            ["Bank.", "Account.", "lock"]
        );
        assert_eq!(wrap("", 3, 0), [""]);
        assert_eq!(wrap("ab", 0, 0), ["a", "b"]);
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(wrap("日本語", 4, 0), ["日本", "語"]);
        assert_eq!(wrap("日本語", 1, 0), ["日", "本", "語"]);
        assert_eq!(pad("日", 4), "日  ");
        assert_eq!(cut("日本語日本語", 8), "日本...");
    }

    #[test]
    fn terminals_are_safe() {
        assert_eq!(clean("a\tb\u{1b}[2Jc\u{202e}"), "a b\u{fffd}[2Jc\u{fffd}");
    }
}
