//! What threads share, as one page that needs nothing else and runs no script.

use std::collections::BTreeSet;
use std::f64::consts::TAU;
use std::fmt::Write as _;

use crate::sharing::{FieldAccess, Protection, SharedField, Sharing};

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #6a737d; --line: #d0d7de; --bad: #b3261e; --good: #1a7f37; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #8b949e; --line: #373e47; --bad: #ff7b72; --good: #56d364; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { font-size: 1.05rem; margin: 2rem 0 .3rem; } code, td { font-family: ui-monospace, monospace; font-size: 13px; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .2rem .6rem .2rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: normal; } .bad { color: var(--bad); } .good { color: var(--good); }
svg text { font: 13px ui-monospace, monospace; fill: currentColor; } svg path { stroke: currentColor; fill: none; } svg .bad path { stroke: var(--bad); }
";

/// Written so that it cannot end the element around it.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            letter => out.push(letter),
        }
    }
    out
}

impl Sharing {
    /// As a page about a program with this name.
    pub fn to_page(&self, name: &str) -> String {
        let name = escaped(name);
        let mut out = format!(
            "<!doctype html>\n<!-- raddle -->\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n\
             <title>{name}: what threads share</title><style>{STYLE}</style></head><body>\n\
             <h1>What the threads of {name} share</h1>\n"
        );
        let threads = self.threads.iter().map(|it| match it.is_several {
            true => format!("{} (any number)", escaped(&it.name)),
            false => escaped(&it.name),
        });
        let threads: Vec<String> = threads.collect();
        // Writing to a text cannot fail.
        let _ = writeln!(out, "<p>Threads: {}.</p>", threads.join(", "));
        if !self.unknown.is_empty() {
            let _ = writeln!(
                out,
                "<p class=\"bad\">Not known, so that something may be missing: {}.</p>",
                escaped(&self.unknown.join(", "))
            );
        }
        for field in &self.fields {
            self.field(field, &mut out);
        }
        self.orders(&mut out);
        out.push_str("</body></html>\n");
        out
    }

    fn field(&self, field: &SharedField, out: &mut String) {
        let locks = match &field.protection {
            Protection::Locked(locks) if !locks.is_empty() => format!(" by {}", locks.join(", ")),
            _ => String::new(),
        };
        let class = if field.warning.is_some() {
            "bad"
        } else {
            "good"
        };
        let _ = writeln!(
            out,
            "<h2><code>{}.{}</code> <span class=\"{class}\">{}{}</span></h2>",
            escaped(&field.class),
            escaped(&field.name),
            field.protection.name(),
            escaped(&locks)
        );
        if let Some(warning) = &field.warning {
            let _ = writeln!(out, "<p class=\"bad\">{}</p>", escaped(warning));
        }
        out.push_str("<table><tr><th>where</th><th>what</th><th>by</th><th>under</th></tr>\n");
        for access in &field.accesses {
            self.access(access, out);
        }
        out.push_str("</table>\n");
    }

    fn access(&self, access: &FieldAccess, out: &mut String) {
        let by = access.threads.iter().filter_map(|&it| self.threads.get(it));
        let by: Vec<&str> = by.map(|it| it.name.as_str()).collect();
        let under = match access.is_initial {
            true => "nobody else can see it yet".to_owned(),
            false => access.locks.join(", "),
        };
        let _ = writeln!(
            out,
            "<tr><td>{}:{} {}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(&access.line.file),
            access.line.line,
            escaped(&access.line.method),
            access.what(),
            escaped(&by.join(", ")),
            escaped(&under)
        );
    }

    /// Which lock is taken while which is held.
    fn orders(&self, out: &mut String) {
        if self.nested.is_empty() {
            return;
        }
        out.push_str("<h2>Locks that are taken while others are held</h2>\n");
        for cycle in &self.cycles {
            let _ = writeln!(
                out,
                "<p class=\"bad\">{} are taken in different orders</p>",
                escaped(&cycle.join(" and "))
            );
        }
        out.push_str(&self.order_picture());
        out.push_str("<table><tr><th>held</th><th>taken</th><th>where</th></tr>\n");
        for it in &self.nested {
            let _ = writeln!(
                out,
                "<tr><td>{}</td><td>{}</td><td>{}:{} {}</td></tr>",
                escaped(&it.outer),
                escaped(&it.inner),
                escaped(&it.line.file),
                it.line.line,
                escaped(&it.line.method)
            );
        }
        out.push_str("</table>\n");
    }

    /// The same as a picture, if it is small: locks around a circle, and an arrow from one that is held to
    /// one that is taken.
    pub fn order_picture(&self) -> String {
        const MOST: usize = 12;
        let ends = self.nested.iter().flat_map(|it| [&it.outer, &it.inner]);
        let locks: Vec<&String> = ends.collect::<BTreeSet<_>>().into_iter().collect();
        if locks.is_empty() || locks.len() > MOST {
            return String::new();
        }
        let (width, height) = (640.0, 60.0 + 50.0 * locks.len() as f64);
        let at = |lock: &String| {
            let number = locks.iter().position(|it| *it == lock).unwrap_or(0);
            let angle = TAU * number as f64 / locks.len() as f64 - TAU / 4.0;
            let x = width / 2.0 + (width / 2.0 - 140.0) * angle.cos();
            (x, height / 2.0 + (height / 2.0 - 24.0) * angle.sin())
        };
        let mut out = format!(
            "<svg viewBox=\"0 0 {width} {height}\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" \
             aria-label=\"lock order\"><defs><marker id=\"end\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" \
             markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8\"/></marker></defs>\n"
        );
        let pairs: BTreeSet<(&String, &String)> = self
            .nested
            .iter()
            .map(|it| (&it.outer, &it.inner))
            .collect();
        for (outer, inner) in pairs {
            let ((x, y), (to_x, to_y)) = (at(outer), at(inner));
            let is_in = |cycle: &Vec<String>| cycle.contains(outer) && cycle.contains(inner);
            let class = if self.cycles.iter().any(is_in) {
                "bad"
            } else {
                ""
            };
            // To the right of the straight line, so that there and back are two arrows.
            let (bend_x, bend_y) = ((to_y - y) / 6.0, (x - to_x) / 6.0);
            let point = |part: f64| (x + (to_x - x) * part, y + (to_y - y) * part);
            let ((from_x, from_y), (mid_x, mid_y), (end_x, end_y)) =
                (point(0.12), point(0.5), point(0.88));
            let _ = writeln!(
                out,
                "<g class=\"{class}\"><path d=\"M{from_x:.0} {from_y:.0}Q{:.0} {:.0} {end_x:.0} {end_y:.0}\" \
                 marker-end=\"url(#end)\"/></g>",
                mid_x + bend_x,
                mid_y + bend_y
            );
        }
        for lock in &locks {
            let (x, y) = at(lock);
            let _ = writeln!(
                out,
                "<text x=\"{x:.0}\" y=\"{y:.0}\" text-anchor=\"middle\">{}</text>",
                escaped(lock)
            );
        }
        out.push_str("</svg>\n");
        out
    }
}
