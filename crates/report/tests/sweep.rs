//! Comparisons for several values of a constant: tables, JSON, and curves.

use raddle_report::comparison::{Absent, Comparison, Row, Share};
use raddle_report::sweep::{Sweep, json, svg, table};
use raddle_report::{Source, html};
use serde_json::Value;
use std::time::Duration;

fn row(reduction: &'static str, answer: &str, states: u64) -> Row {
    Row {
        reduction,
        checked: vec!["faults"],
        refused: Vec::new(),
        answer: answer.to_owned(),
        doubts: match answer {
            "unknown" => vec!["time is up".to_owned()],
            _ => Vec::new(),
        },
        states,
        share: Share::Unknown,
        transitions: states,
        executions: 0,
        elapsed: Duration::from_millis(states),
        cpu: Some(Duration::from_millis(2 * states)),
        bytes: 1024,
    }
}

/// Ten times as many states with each value; the last search of `none` does not end.
fn sweep(constant: &str) -> Sweep {
    let absent = vec![Absent {
        reduction: "persistent",
        why: "is not there",
    }];
    let point = |value: i64, answer: &str| {
        let states = 10u64.pow(value as u32);
        let rows = vec![
            row("none", answer, states),
            row("sleep", "deadlock", states / 10),
        ];
        let absent = absent.clone();
        (value, Comparison { rows, absent })
    };
    Sweep {
        constant: constant.to_owned(),
        points: vec![
            point(2, "holds"),
            point(3, "holds"),
            point(4, "holds"),
            point(5, "unknown"),
        ],
    }
}

fn source() -> Source {
    Source {
        name: "a.rad".to_owned(),
        text: String::new(),
    }
}

#[test]
fn tables_have_a_column_for_each_value() {
    let told = table(&sweep("N"));
    let expected = "\
states  N=2   N=3    N=4      N=5
none    100  1000  10000  >100000
sleep   *10  *100  *1000   *10000
> until a search was given up
* until a violation was found
";
    assert!(told.starts_with(expected), "{told}");
    assert!(told.contains("\nCPU time "), "{told}");
    // What is so for every value is said once.
    assert_eq!(told.matches("not tried").count(), 1);
    assert!(told.contains("\nN=5: none: time is up\n"), "{told}");
}

#[test]
fn json_has_every_comparison() {
    let value = json("a.rad", &sweep("N"));
    assert_eq!(value["constant"], "N");
    assert_eq!(value["sweep"][1]["value"], 3);
    assert_eq!(value["sweep"][1]["comparison"][0]["states"], 1000);
    assert_eq!(value["sweep"][1]["absent"][0]["reduction"], "persistent");
}

/// The numbers of an attribute of the elements with a tag and a class.
fn numbers(picture: &str, tag: &str, class: &str, attribute: &str) -> Vec<f64> {
    let lines = picture.lines();
    let lines = lines.filter(|it| it.starts_with(&format!("<{tag} ")) && it.contains(class));
    let value = |line: &str| {
        let rest = line.split(&format!(" {attribute}=\"")).nth(1)?;
        rest.split('"').next()?.parse().ok()
    };
    lines.filter_map(value).collect()
}

/// The part of the picture that shows the states.
fn states_chart(picture: &str) -> &str {
    picture
        .split("</g>")
        .next()
        .expect("there is a first chart")
}

#[test]
fn curves_are_logarithmic() {
    let picture = svg("a.rad", &sweep("N"));
    let heights = numbers(states_chart(&picture), "circle", "dot t0", "cy");
    let [a, b, c, d] = heights[..] else {
        panic!("four points: {picture}");
    };
    assert!(a > b, "more is further up");
    assert!((a - b - (b - c)).abs() < 0.3 && (b - c - (c - d)).abs() < 0.3);
    let columns = numbers(states_chart(&picture), "circle", "dot t0", "cx");
    assert!(columns.is_sorted(), "{columns:?}");
    // From 10 to 100,000 there are four decades, each with its line.
    let lines = numbers(states_chart(&picture), "line", "grid", "y1");
    assert_eq!(lines.len(), 5);
    assert!((lines[0] - lines[1] - (a - b)).abs() < 0.3);
}

#[test]
fn axes_ticks_and_curves_are_named() {
    let picture = svg("a.rad", &sweep("N"));
    let chart = states_chart(&picture);
    for told in [
        ">states<",
        ">N<",
        ">2<",
        ">5<",
        ">10<",
        ">100,000<",
        ">none: 100,000<",
        ">sleep: 10,000<",
        ">states by N, logarithmic<",
        ">until a search was given up<",
        ">until a violation was found<",
        "none, N=3: states 1,000, holds",
    ] {
        assert!(chart.contains(told), "{told} in {chart}");
    }
    assert!(picture.contains(">CPU time by N, logarithmic<"));
    // A search without an end, and one with a violation, look different.
    assert_eq!(chart.matches("dot t0 open").count(), 1);
    assert_eq!(numbers(chart, "rect", "dot t1", "x").len(), 4);
    // Both themes have the colours of the curves.
    assert_eq!(picture.matches(".t1{stroke:#").count(), 2);
}

#[test]
fn one_value_is_enough_for_a_chart() {
    let mut one = sweep("N");
    one.points.truncate(1);
    let picture = svg("a.rad", &one);
    assert!(
        !picture.contains("NaN") && !picture.contains("inf"),
        "{picture}"
    );
    one.points.clear();
    let picture = svg("a.rad", &one);
    assert!(
        !picture.contains("NaN") && !picture.contains("inf"),
        "{picture}"
    );
}

#[test]
fn names_cannot_break_the_picture_or_the_page() {
    let hostile = "</script><script>alert(1)</script>";
    let picture = svg(hostile, &sweep(hostile));
    assert!(!picture.contains("<script"));
    let page = html::sweep(&[source()], &sweep(hostile));
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script").count(), 2);
}

#[test]
fn the_page_has_the_curves_of_the_picture() {
    let page = html::sweep(&[source()], &sweep("N"));
    let data = page.split("id=\"data\">").nth(1).expect("there is data");
    let data = data.split("</script>").next().expect("it ends");
    let data: Value = serde_json::from_str(data).expect("it is JSON");
    let charts = data["charts"].as_array().expect("there are charts");
    assert_eq!(charts.len(), 2);
    let picture = svg("a.rad", &sweep("N"));
    let elements = charts[0]["elements"].as_array().expect("elements");
    let curves = elements.iter().filter(|it| it["tag"] == "path");
    for curve in curves {
        let path = curve["attributes"]["d"].as_str().expect("a path");
        assert!(picture.contains(path), "{path}");
    }
    assert_eq!(data["points"].as_array().map(Vec::len), Some(4));
}
