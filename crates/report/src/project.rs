//! The tests of a project: a table for a terminal, and a page with links to those of the tests.

use crate::comparison::escape;
use crate::html::BEGINNING;
use crate::layout::{BAD, GOOD, Look, UNSURE, clean};
use crate::text::seconds;
use crate::{Answer, junit};
use std::time::Duration;

/// A test, and what came of it.
#[derive(Clone, Debug)]
pub struct Row {
    name: String,
    answer: Answer,
    /// What is wrong, or why nothing is known.
    told: String,
    elapsed: Duration,
    /// The page about it, if there is one.
    pub page: Option<String>,
}

/// A row for a test.
pub fn row(name: &str, answer: Answer, told: &str, elapsed: Duration) -> Row {
    Row {
        name: clean(name),
        answer,
        told: clean(told),
        elapsed,
        page: None,
    }
}

impl Row {
    /// The row on a terminal, below its class if that is another one than that of the row before.
    pub fn text(&self, class: &mut String, color: bool) -> String {
        let look = Look {
            width: 100,
            color,
            abridge: None,
            unfold: false,
        };
        let (own, test) = junit::parts(&self.name);
        let mut text = String::new();
        if own != class {
            text.push_str(&format!("{own}\n"));
            *class = own.to_owned();
        }
        let style = match self.answer {
            Answer::Holds => GOOD,
            Answer::Violated => BAD,
            Answer::Unknown => UNSURE,
        };
        let verdict = format!("{:<8}", self.answer.name());
        let time = seconds(self.elapsed);
        text.push_str(&format!(
            "  {} {time:>9}  {test}\n",
            look.paint(style, &verdict)
        ));
        if !self.told.is_empty() {
            text.push_str(&format!("             {}\n", self.told));
        }
        text
    }
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;\
                     padding:0 1rem}table{border-collapse:collapse;width:100%}td,th{text-align:left;\
                     padding:.3rem .8rem .3rem 0;border-bottom:1px solid #8884;vertical-align:top;\
                     overflow-wrap:anywhere}.violated{color:#c22}.unknown{color:#a60}.holds{color:#283}\
                     td:nth-child(3){white-space:nowrap}";

/// A page with all tests: those that are violated first, then those of which nothing is known.
pub fn page(title: &str, summary: &str, rows: &[Row], skipped: &[(String, String)]) -> String {
    let mut rows: Vec<&Row> = rows.iter().collect();
    rows.sort_by_key(|row| match row.answer {
        Answer::Violated => 0,
        Answer::Unknown => 1,
        Answer::Holds => 2,
    });
    let rows = rows.into_iter().map(|row| {
        let name = escape(&row.name);
        let name = match &row.page {
            Some(page) => format!("<a href=\"{}\">{name}</a>", escape(page)),
            None => name,
        };
        let verdict = row.answer.name();
        format!(
            "<tr><td>{name}</td><td class=\"{verdict}\">{verdict}</td><td>{}</td><td>{}</td></tr>\n",
            seconds(row.elapsed),
            escape(&row.told)
        )
    });
    let skipped = skipped.iter().map(|(name, why)| {
        let (name, why) = (escape(&clean(name)), escape(&clean(why)));
        format!("<tr><td>{name}</td><td>skipped</td><td></td><td>{why}</td></tr>\n")
    });
    let rows: String = rows.chain(skipped).collect();
    let (title, summary) = (escape(&clean(title)), escape(summary));
    let policy = crate::html::style_policy(STYLE);
    format!(
        "{BEGINNING}\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}: tests</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <h1>{title}</h1>\n<p>{summary}</p>\n<table>\n\
         <tr><th>Test</th><th>Verdict</th><th>Time</th><th></th></tr>\n{rows}</table>\n\
         </body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_violated_comes_first_and_names_stay_text() {
        let rows = [
            row("a.B.fine", Answer::Holds, "", Duration::ZERO),
            Row {
                page: Some("test-2.html".to_owned()),
                ..row("a.B.<b>[1.5]", Answer::Violated, "x & y", Duration::ZERO)
            },
        ];
        let page = page("project", "2 tests", &rows, &[]);
        let bad = page.find("<a href=\"test-2.html\">a.B.&lt;b&gt;[1.5]</a>");
        assert!(bad.expect("a link") < page.find("a.B.fine").expect("a row"));
        assert!(page.contains("x &amp; y"));
        let mut class = String::new();
        let text: String = rows.iter().map(|it| it.text(&mut class, false)).collect();
        assert_eq!(text.matches("a.B\n").count(), 1, "{text}");
    }
}
