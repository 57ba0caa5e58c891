//! The statement around a place, for programs with many statements on a line.

use crate::layout::width;

/// Longer lines are not shown as a whole.
const LONGEST_LINE: usize = 60;

/// Even longer lines were not written by people, and are not taken apart.
const LONGEST_READ: usize = 4096;

/// What to show of a line for a column, counted from one, and the index of the first
/// character of that: the whole line if it is short, otherwise the statement around
/// the column. Comments are left out of long lines.
pub(crate) fn around(line: &str, column: usize) -> (usize, String) {
    let readable = line.len() <= LONGEST_READ;
    if !readable || width(line.trim()) <= LONGEST_LINE {
        return (0, line.trim().to_owned());
    }
    let code = without_comments(line);
    let whole: String = code.iter().collect();
    if width(whole.trim()) <= LONGEST_LINE {
        return (0, whole.trim().to_owned());
    }
    let mut start = 0;
    for end in ends(&code) {
        if end >= column {
            let text: String = code[start..end].iter().collect();
            return (start, text.trim().to_owned());
        }
        start = end;
    }
    (0, whole.trim().to_owned())
}

/// The characters of a line, with spaces in place of the comments.
fn without_comments(line: &str) -> Vec<char> {
    let mut code: Vec<char> = line.chars().collect();
    let mut index = 0;
    let mut quoted = false;
    while index < code.len() {
        let next = code.get(index + 1).copied();
        let end = match (code[index], next) {
            ('\\', _) if quoted => {
                index += 2;
                continue;
            }
            ('"', _) => {
                quoted = !quoted;
                index
            }
            ('/', Some('/')) if !quoted => code.len(),
            ('/', Some('*')) if !quoted => {
                let rest = code[index + 2..].windows(2);
                let close = rest.into_iter().position(|pair| pair == ['*', '/']);
                close.map_or(code.len(), |close| index + close + 4)
            }
            _ => index,
        };
        code[index..end].fill(' ');
        index = end.max(index + 1);
    }
    code
}

/// Where the statements of a line end: behind `;`, `{` and `}`, except in parentheses and strings, and at
/// the end of the line. In parentheses there are statements again in the braces of a function.
fn ends(code: &[char]) -> Vec<usize> {
    let mut ends = Vec::new();
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    // How deep in parentheses the braces are that are open, and whether statements are in them.
    let mut braces: Vec<(usize, bool)> = Vec::new();
    for (index, &character) in code.iter().enumerate() {
        match character {
            _ if escaped => {}
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '{' => {
                let before = code[..index].iter().rev().find(|it| !it.is_whitespace());
                let is_body = depth == 0 || matches!(before, Some('>' | ')'));
                braces.push((std::mem::take(&mut depth), is_body));
                if is_body {
                    ends.push(index + 1);
                }
            }
            '}' => {
                let (outside, is_body) = braces.pop().unwrap_or((0, true));
                if is_body {
                    ends.push(index + 1);
                }
                depth = outside;
            }
            ';' if depth == 0 => ends.push(index + 1),
            _ => {}
        }
        escaped = quoted && !escaped && character == '\\';
    }
    ends.push(code.len());
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "thread t { int i; for (i = 0; i < 3; i++) { x = x + 1; /* ; */ \
                        assert(x > 0, \"a; {\"); } } // the end; of it";

    fn shown(column_of: &str) -> String {
        let column = LINE.find(column_of).map_or(0, |offset| offset + 1);
        around(LINE, column).1
    }

    #[test]
    fn a_short_line_is_shown_as_it_is() {
        assert_eq!(
            around("  x = 1; y = 2; // two", 10).1,
            "x = 1; y = 2; // two"
        );
    }

    #[test]
    fn a_long_comment_does_not_make_a_line_long() {
        let line = format!("  x = 1; y = 2; // {}", "long ".repeat(20));
        assert_eq!(around(&line, 10), (0, "x = 1; y = 2;".to_owned()));
    }

    #[test]
    fn a_statement_is_cut_out_of_a_long_line() {
        assert_eq!(shown("thread"), "thread t {");
        assert_eq!(shown("int i"), "int i;");
        assert_eq!(shown("i < 3"), "for (i = 0; i < 3; i++) {");
        assert_eq!(shown("x + 1"), "x = x + 1;");
        assert_eq!(shown("x > 0"), "assert(x > 0, \"a; {\");");
        assert_eq!(shown("} }"), "}");
    }

    #[test]
    fn a_function_in_parentheses_has_statements() {
        let line =
            "Thread t = new Thread(() -> { a.lock(); b.lock(new int[] {1}); b.unlock(); }, \"t\");";
        let shown = |of: &str| around(line, line.find(of).map_or(0, |it| it + 1)).1;
        assert_eq!(shown("Thread t"), "Thread t = new Thread(() -> {");
        assert_eq!(shown("a.lock"), "a.lock();");
        assert_eq!(shown("b.lock"), "b.lock(new int[] {1});");
        assert_eq!(shown(", \"t\""), ", \"t\");");
    }

    #[test]
    fn columns_beyond_the_line_do_no_harm() {
        assert_eq!(around(&"x".repeat(70), 1000).1.len(), 70);
        assert_eq!(around("", 7).1, "");
    }
}
