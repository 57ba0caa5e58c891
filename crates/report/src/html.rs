//! A report as one page that needs nothing else: no network, no other file.
//!
//! What the page shows is computed here, by the functions that text and JSON use, and
//! embedded as JSON; its scripts only lay it out. Whatever comes from a program stays data: it
//! is escaped so that it cannot end the element that holds it, the scripts make nothing but
//! text of it, and the page's policy lets no other script run than the ones whose hash it
//! names.

mod view;

pub use view::{Walk, walk};

use crate::comparison::{self, Comparison};
use crate::layout::clean;
use crate::sweep::{self, Sweep};
use crate::{Report, Source, lanes};
use raddle_model::{Fault, Step};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// How the page looks.
const STYLE: &str = include_str!("../assets/page.css");

/// What all pages share, in the order in which they need each other.
const PARTS: [&str; 8] = [
    include_str!("../assets/dom.js"),
    include_str!("../assets/execution.js"),
    include_str!("../assets/lanes.js"),
    include_str!("../assets/source.js"),
    include_str!("../assets/panels.js"),
    include_str!("../assets/graph.js"),
    include_str!("../assets/net.js"),
    include_str!("../assets/stage.js"),
];

/// What begins each page that was written by raddle.
pub const BEGINNING: &str = "<!doctype html>\n<!-- raddle -->";

/// The page of a run.
pub fn report(report: &Report<'_>) -> String {
    page(&view::report(report), REPORT, CLOSED)
}

/// The page of a comparison of reductions.
pub fn comparison(sources: &[Source], compared: &Comparison) -> String {
    let file = sources.first().map_or("", |source| &source.name);
    let data = json!({
        "file": file,
        "title": format!("{file}: reductions compared"),
        "comparison": comparison::rows_json(compared),
        "notes": comparison::notes(compared),
    });
    page(&data, REPORT, CLOSED)
}

/// The page of comparisons for several values of a constant.
pub fn sweep(sources: &[Source], sweep: &Sweep) -> String {
    let file = sources.first().map_or("", |source| &source.name);
    let points = sweep.points.iter().map(|(value, compared)| {
        json!({
            "value": value,
            "comparison": comparison::rows_json(compared),
            "notes": comparison::notes(compared),
        })
    });
    let data = json!({
        "file": file,
        "title": format!("{file}: reductions compared by {}", sweep.constant),
        "constant": sweep.constant,
        "charts": sweep::charts_json(sweep),
        "points": points.collect::<Vec<_>>(),
    });
    page(&data, REPORT, CLOSED)
}

/// The colour of a thread or of a curve on pages: in the light theme, which is the first, or in
/// the dark one.
pub(crate) fn hue(theme: usize, number: usize) -> Option<&'static str> {
    let mut told = STYLE.split("--t").filter_map(|rest| {
        let rest = rest.strip_prefix(&number.to_string())?;
        rest.strip_prefix(": ")?.split(';').next()
    });
    told.nth(theme)
}

/// The page on which a person explores a program. It begins with a view that the explorer
/// gives, and asks the same server for others.
pub fn explorer(sources: &[Source], view: &Value) -> String {
    let file = sources.first().map_or("", |source| &source.name);
    let all = 0..u32::try_from(sources.len()).unwrap_or(u32::MAX);
    let data = json!({
        "file": clean(file),
        "title": format!("explore {}", clean(file)),
        "sources": view::sources(sources, &all.collect()),
        "view": view,
    });
    page(&data, EXPLORE, "connect-src 'self'")
}

/// What a step did, or the fault with which it has failed, in a phrase for each.
pub fn phrases(step: &Step, fault: Option<&Fault>) -> Vec<String> {
    lanes::phrases(step, fault)
}

/// A text without characters that could be taken for something else.
pub fn plain(text: &str) -> String {
    clean(text)
}

/// What fills a report.
const REPORT: &str = include_str!("../assets/report.js");
/// What fills the explorer.
const EXPLORE: &str = include_str!("../assets/explore.js");
/// A report speaks to nobody.
const CLOSED: &str = "connect-src 'none'";

fn page(data: &Value, main: &str, connections: &str) -> String {
    let script = format!(
        "\"use strict\";\n(() => {{\n{}\n{main}\n}})();\n",
        PARTS.join("\n")
    );
    let policy = format!(
        "default-src 'none'; base-uri 'none'; form-action 'none'; {connections}; \
         script-src '{}'; style-src '{}'",
        fingerprint(&script),
        fingerprint(STYLE),
    );
    let title = data["title"].as_str().unwrap_or("raddle");
    format!(
        "{BEGINNING}\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <noscript>This page needs JavaScript, which is part of it; it loads nothing.</noscript>\n\
         <script type=\"application/json\" id=\"data\">{}</script>\n\
         <script>{script}</script>\n</body>\n</html>\n",
        comparison::escape(title),
        inert(data),
    )
}

/// The policy of a page that is nothing but text in this style.
pub(crate) fn style_policy(style: &str) -> String {
    let style = fingerprint(style);
    format!("default-src 'none'; base-uri 'none'; form-action 'none'; style-src '{style}'")
}

/// The name of a script or style in a content security policy.
fn fingerprint(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

/// JSON that may stand in an element of a page, whatever strings are in it. The characters
/// that mean something to HTML or to old JavaScript occur in JSON in strings only.
fn inert(data: &Value) -> String {
    let text = data.to_string();
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for character in text.chars() {
        match character {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            _ => out.push(character),
        }
    }
    out
}

/// Bytes in base 64, with padding.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let group = chunk
            .iter()
            .chain([0, 0].iter())
            .take(3)
            .fold(0u32, |group, &byte| group << 8 | u32::from(byte));
        for digit in 0..4 {
            out.push(match digit <= chunk.len() {
                true => char::from(DIGITS[(group >> (18 - 6 * digit) & 63) as usize]),
                false => '=',
            });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        let expected = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ];
        for (text, coded) in expected {
            assert_eq!(base64(text.as_bytes()), coded);
        }
    }

    #[test]
    fn each_theme_has_its_hues() {
        let hues = |theme| (0..8).map(move |number| hue(theme, number));
        for (light, dark) in hues(0).zip(hues(1)) {
            let is_colour = |it: &str| it.len() == 7 && it.starts_with('#');
            assert!(light.is_some_and(is_colour) && dark.is_some_and(is_colour));
            assert_ne!(light, dark);
        }
        assert_eq!(hue(2, 0), None);
    }

    #[test]
    fn data_cannot_end_its_element() {
        let hostile = "</script><script>alert(1)</script><!--&\u{2028}\u{2029}";
        let data = json!({ hostile: hostile });
        let text = inert(&data);
        assert!(!text.contains(['<', '>', '&', '\u{2028}', '\u{2029}']));
        let back: Value = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!(back, data);
    }

    #[test]
    fn a_title_cannot_end_its_element() {
        let page = page(&json!({ "title": "</title><script>" }), REPORT, CLOSED);
        assert!(page.contains("<title>&lt;/title&gt;&lt;script&gt;</title>"));
        assert_eq!(page.matches("<script").count(), 2);
    }
}
