//! The same comparison for several values of a constant: tables, JSON, and curves.
//!
//! A chart is computed here as a list of elements, from which a picture is written and which the
//! page draws as they are.

use crate::comparison::{self, Comparison, Row};
use crate::html;
use crate::layout::{Side, columns};
use crate::text::seconds;
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Duration;

/// Comparisons of a program with different values of a constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// The name of the constant.
    pub constant: String,
    /// The values that it has, in ascending order, and what comes of each.
    pub points: Vec<(i64, Comparison)>,
}

impl Sweep {
    /// The names of the reductions, in the order in which they were tried.
    fn names(&self) -> Vec<&'static str> {
        let mut names = Vec::new();
        for row in self.points.iter().flat_map(|(_, compared)| &compared.rows) {
            if !names.contains(&row.reduction) {
                names.push(row.reduction);
            }
        }
        names
    }

    /// The searches with a reduction, by the value of the constant.
    fn of(&self, name: &str) -> impl Iterator<Item = (i64, Option<&Row>)> {
        self.points.iter().map(move |(value, compared)| {
            let mut rows = compared.rows.iter();
            (*value, rows.find(|row| row.reduction == name))
        })
    }

    /// Remarks on the comparisons, each with the values that it is about, if not with all.
    fn notes(&self) -> Vec<String> {
        let mut known: Vec<(String, Vec<i64>)> = Vec::new();
        for (value, compared) in &self.points {
            for note in comparison::notes(compared) {
                match known.iter_mut().find(|(told, _)| *told == note) {
                    Some((_, values)) => values.push(*value),
                    None => known.push((note, vec![*value])),
                }
            }
        }
        let told = known.into_iter().map(|(note, values)| {
            let names = values.iter();
            let names: Vec<String> = names.map(|it| format!("{}={it}", self.constant)).collect();
            match values.len() == self.points.len() {
                true => note,
                false => format!("{}: {note}", names.join(", ")),
            }
        });
        told.collect()
    }
}

/// The numbers of states by value, the times by value, and what is to be said of them.
pub fn table(sweep: &Sweep) -> String {
    let mut text = one_table(sweep, "states", |row| row.states.to_string());
    text.push('\n');
    let measure = Measure::time(sweep);
    text.push_str(&one_table(sweep, measure.name(), |row| {
        seconds(measure.duration(row))
    }));
    for note in sweep.notes() {
        let _ = writeln!(text, "{note}");
    }
    text
}

fn one_table(sweep: &Sweep, title: &str, figure: impl Fn(&Row) -> String) -> String {
    let values = sweep.points.iter();
    let values = values.map(|(value, _)| format!("{}={value}", sweep.constant));
    let mut lines = vec![std::iter::once(title.to_owned()).chain(values).collect()];
    let mut ends = Vec::new();
    for name in sweep.names() {
        let mut line: Vec<String> = vec![name.to_owned()];
        line.extend(sweep.of(name).map(|(_, row)| match row {
            None => "-".to_owned(),
            Some(row) => {
                let end = End::of(row);
                ends.push(end);
                match end {
                    End::Holds => figure(row),
                    End::Unknown => format!(">{}", figure(row)),
                    End::Violated => format!("*{}", figure(row)),
                }
            }
        }));
        lines.push(line);
    }
    let sides = std::iter::once(Side::Left);
    let sides = sides.chain(sweep.points.iter().map(|_| Side::Right));
    let mut text = columns(&sides.collect::<Vec<_>>(), &lines);
    for (end, told) in [
        (End::Unknown, "> until a search was given up"),
        (End::Violated, "* until a violation was found"),
    ] {
        if ends.contains(&end) {
            let _ = writeln!(text, "{told}");
        }
    }
    text
}

/// How a search has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Holds,
    Unknown,
    Violated,
}

impl End {
    fn of(row: &Row) -> End {
        match row.answer.as_str() {
            "holds" => End::Holds,
            "unknown" => End::Unknown,
            _ => End::Violated,
        }
    }
}

/// The comparisons as JSON.
pub fn json(file: &str, sweep: &Sweep) -> Value {
    let points = sweep.points.iter().map(|(value, compared)| {
        json!({
            "value": value,
            "comparison": comparison::rows_json(compared),
            "absent": comparison::absent_json(compared),
        })
    });
    json!({
        "schema": crate::json::SCHEMA,
        "file": file,
        "constant": sweep.constant,
        "sweep": points.collect::<Vec<_>>(),
    })
}

/// The charts, for the page.
pub(crate) fn charts_json(sweep: &Sweep) -> Vec<Value> {
    let charts = charts(sweep).into_iter().map(|chart| {
        let elements = chart.elements.iter().map(|it| {
            let attributes: serde_json::Map<String, Value> = it
                .attributes
                .iter()
                .map(|(name, value)| ((*name).to_owned(), value.clone().into()))
                .collect();
            json!({ "tag": it.tag, "attributes": attributes, "text": it.text, "title": it.title })
        });
        json!({
            "title": chart.title,
            "width": WIDTH,
            "height": chart.height,
            "elements": elements.collect::<Vec<_>>(),
        })
    });
    charts.collect()
}

/// The curves as a picture, one chart below the other. Its colours suit a light and a dark page.
pub fn svg(file: &str, sweep: &Sweep) -> String {
    let charts = charts(sweep);
    let height: f64 = charts.iter().map(|chart| chart.height).sum();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <style>{}@media(prefers-color-scheme:dark){{{}}}</style>\n\
         <title>{}: states and time by {}</title>\n",
        style(0, "#222", "#ddd", "#fff"),
        style(1, "#ddd", "#444", "#1e1f22"),
        comparison::escape(file),
        comparison::escape(&sweep.constant),
    );
    let mut top = 0.0;
    for chart in &charts {
        let _ = writeln!(svg, "<g transform=\"translate(0 {top})\">");
        for element in &chart.elements {
            element.write(&mut svg);
        }
        svg.push_str("</g>\n");
        top += chart.height;
    }
    svg.push_str("</svg>\n");
    svg
}

/// The rules of a picture, with the colours that the page has in a theme.
fn style(theme: usize, ink: &str, line: &str, paper: &str) -> String {
    let mut style = format!(
        "text{{fill:{ink}}}.grid{{stroke:{line}}}.axis{{stroke:{ink}}}.curve{{fill:none;\
         stroke-width:2}}"
    );
    for hue in 0..HUES {
        let colour = html::hue(theme, hue).unwrap_or(ink);
        let _ = write!(style, ".t{hue}{{stroke:{colour};fill:{colour}}}");
    }
    let _ = write!(style, ".curve{{fill:none}}.open{{fill:{paper}}}");
    style
}

/// A picture of some numbers over the values of the constant.
struct Chart {
    title: String,
    height: f64,
    elements: Vec<Element>,
}

/// A part of a picture. Only texts come from a program.
struct Element {
    tag: &'static str,
    attributes: Vec<(&'static str, String)>,
    text: String,
    /// What is told of it to whoever points at it.
    title: String,
}

impl Element {
    fn new<const N: usize>(tag: &'static str, attributes: [(&'static str, String); N]) -> Element {
        Element {
            tag,
            attributes: attributes.into(),
            text: String::new(),
            title: String::new(),
        }
    }

    fn line(class: &str, from: (f64, f64), to: (f64, f64)) -> Element {
        Element::new(
            "line",
            [
                ("class", class.to_owned()),
                ("x1", rounded(from.0)),
                ("y1", rounded(from.1)),
                ("x2", rounded(to.0)),
                ("y2", rounded(to.1)),
            ],
        )
    }

    fn text(anchor: &str, at: (f64, f64), text: &str) -> Element {
        Element {
            text: text.to_owned(),
            ..Element::new(
                "text",
                [
                    ("text-anchor", anchor.to_owned()),
                    ("x", rounded(at.0)),
                    ("y", rounded(at.1)),
                ],
            )
        }
    }

    fn write(&self, out: &mut String) {
        let _ = write!(out, "<{}", self.tag);
        for (name, value) in &self.attributes {
            let _ = write!(out, " {name}=\"{}\"", comparison::escape(value));
        }
        let title = match self.title.is_empty() {
            true => String::new(),
            false => format!("<title>{}</title>", comparison::escape(&self.title)),
        };
        let text = comparison::escape(&self.text);
        let _ = writeln!(out, ">{title}{text}</{}>", self.tag);
    }
}

fn rounded(number: f64) -> String {
    format!("{number:.1}")
}

/// A point of a curve.
struct Point {
    value: i64,
    figure: f64,
    /// The figure as a person reads it.
    told: String,
    end: End,
    /// All there is to say of it.
    said: String,
}

const WIDTH: f64 = 940.0;
const LEFT: f64 = 86.0;
const RIGHT: f64 = 600.0;
const TOP: f64 = 40.0;
/// From the top to the axis, at least.
const DEPTH: f64 = 320.0;
/// Below the axis.
const BELOW: f64 = 74.0;
/// Between the lines of the legend.
const LEADING: f64 = 19.0;
/// Colours of curves; with so many dashes, too, before two curves look the same.
const HUES: usize = 8;
const DASHES: [&str; 4] = ["none", "7 3", "2 3", "9 3 2 3"];
/// Values that are named below the axis, at the most.
const MOST_TICKS: usize = 12;

fn charts(sweep: &Sweep) -> Vec<Chart> {
    let chart = |measure: Measure| {
        let curve = |name: &'static str| {
            let found = sweep.of(name);
            let points = found.filter_map(|(value, row)| Some(measure.point(sweep, value, row?)));
            (name, points.collect())
        };
        let curves: Vec<(&str, Vec<Point>)> = sweep.names().into_iter().map(curve).collect();
        Plot::new(sweep, &curves).chart(measure, &sweep.constant, &curves)
    };
    [Measure::States, Measure::time(sweep)].map(chart).into()
}

/// What a chart shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    States,
    /// Processor time. What else the machine does in the meantime changes it little.
    Cpu,
    /// Elapsed time, where there is no other.
    Time,
}

impl Measure {
    /// The time that is known of all searches.
    fn time(sweep: &Sweep) -> Measure {
        let mut rows = sweep.points.iter().flat_map(|(_, compared)| &compared.rows);
        match rows.all(|row| row.cpu.is_some()) {
            true => Measure::Cpu,
            false => Measure::Time,
        }
    }

    fn duration(self, row: &Row) -> Duration {
        match self {
            Measure::Cpu => row.cpu.unwrap_or(row.elapsed),
            Measure::States | Measure::Time => row.elapsed,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Measure::States => "states",
            Measure::Cpu => "CPU time",
            Measure::Time => "elapsed time",
        }
    }

    fn point(self, sweep: &Sweep, value: i64, row: &Row) -> Point {
        let (figure, told) = match self {
            Measure::States => (row.states.max(1) as f64, grouped(row.states)),
            // What takes less than that cannot be measured.
            Measure::Cpu | Measure::Time => {
                let time = self.duration(row).as_secs_f64().max(1e-5);
                (time, self.tick(time))
            }
        };
        let (name, what, answer) = (row.reduction, self.name(), &row.answer);
        let said = format!(
            "{name}, {}={value}: {what} {told}, {answer}",
            sweep.constant
        );
        Point {
            value,
            figure,
            told,
            end: End::of(row),
            said,
        }
    }

    /// A figure on the axis.
    fn tick(self, figure: f64) -> String {
        if self == Measure::States {
            return grouped(figure.round() as u64);
        }
        let (number, unit) = match figure < 0.05 {
            true => (figure * 1000.0, "ms"),
            false => (figure, "s"),
        };
        // What cannot be said in binary is not said to its last digit.
        format!("{} {unit}", (number * 100.0).round() / 100.0)
    }
}

/// Where things are in a chart.
struct Plot {
    values: Vec<i64>,
    /// Powers of ten at the lower and the upper end.
    decades: (i32, i32),
    bottom: f64,
}

impl Plot {
    fn new(sweep: &Sweep, curves: &[(&str, Vec<Point>)]) -> Plot {
        let figures = || {
            curves
                .iter()
                .flat_map(|(_, points)| points)
                .map(|it| it.figure)
        };
        let least = figures().fold(f64::INFINITY, f64::min);
        let most = figures().fold(0.0, f64::max);
        let decades = match least.is_finite() {
            true => {
                let low = least.log10().floor() as i32;
                (low, (most.log10().ceil() as i32).max(low + 1))
            }
            false => (0, 1),
        };
        Plot {
            values: sweep.points.iter().map(|(value, _)| *value).collect(),
            decades,
            bottom: TOP + DEPTH.max(curves.len() as f64 * LEADING),
        }
    }

    fn x(&self, value: i64) -> f64 {
        let (first, last) = match self.values[..] {
            [] => (0, 0),
            [first, .., last] => (first, last),
            [only] => (only, only),
        };
        match last > first {
            true => {
                let share = (value - first) as f64 / (last - first) as f64;
                LEFT + 14.0 + share * (RIGHT - LEFT - 28.0)
            }
            false => (LEFT + RIGHT) / 2.0,
        }
    }

    fn y(&self, figure: f64) -> f64 {
        let (low, high) = self.decades;
        let share = (figure.log10() - f64::from(low)) / f64::from(high - low);
        self.bottom - share * (self.bottom - TOP)
    }

    fn place(&self, point: &Point) -> (f64, f64) {
        (self.x(point.value), self.y(point.figure))
    }

    fn chart(&self, measure: Measure, constant: &str, curves: &[(&str, Vec<Point>)]) -> Chart {
        let title = format!("{} by {constant}, logarithmic", measure.name());
        let mut elements = vec![Element::text("start", (LEFT, TOP - 18.0), &title)];
        elements.extend(self.axes(measure, constant));
        let mut ends = Vec::new();
        for (index, (_, points)) in curves.iter().enumerate() {
            elements.extend(self.curve(index, points));
            ends.extend(points.iter().map(|point| point.end));
        }
        // Curves that cover each other end in the same place, and are named one after the other.
        let last = |index: &usize| curves[*index].1.last().map_or(0.0, |point| point.figure);
        let mut order: Vec<usize> = (0..curves.len()).collect();
        order.sort_by(|a, b| last(b).total_cmp(&last(a)));
        for (line, index) in order.into_iter().enumerate() {
            let (name, points) = &curves[index];
            let told = points.last().map_or("", |point| &point.told);
            elements.extend(legend(line, index, &format!("{name}: {told}")));
        }
        elements.extend(self.key(&ends));
        Chart {
            title,
            height: self.bottom + BELOW,
            elements,
        }
    }

    fn axes(&self, measure: Measure, constant: &str) -> Vec<Element> {
        let mut elements = Vec::new();
        let (low, high) = self.decades;
        // A single decade needs more than its ends.
        let within: &[f64] = if high - low == 1 {
            &[1.0, 2.0, 5.0]
        } else {
            &[1.0]
        };
        let ticks = (low..high).flat_map(|decade| within.iter().map(move |it| (*it, decade)));
        for (digit, decade) in ticks.chain([(1.0, high)]) {
            let figure = digit * 10f64.powi(decade);
            let y = self.y(figure);
            elements.push(Element::line("grid", (LEFT, y), (RIGHT, y)));
            elements.push(Element::text(
                "end",
                (LEFT - 8.0, y + 4.0),
                &measure.tick(figure),
            ));
        }
        let step = self.values.len().div_ceil(MOST_TICKS).max(1);
        for &value in self.values.iter().step_by(step) {
            let x = self.x(value);
            let (axis, below) = (self.bottom, self.bottom + 5.0);
            elements.push(Element::line("axis", (x, axis), (x, below)));
            let place = (x, self.bottom + 20.0);
            elements.push(Element::text("middle", place, &value.to_string()));
        }
        let corner = (LEFT, self.bottom);
        elements.push(Element::line("axis", corner, (RIGHT, self.bottom)));
        elements.push(Element::line("axis", corner, (LEFT, TOP)));
        let middle = ((LEFT + RIGHT) / 2.0, self.bottom + 40.0);
        elements.push(Element::text("middle", middle, constant));
        let (x, y) = (14.0, (TOP + self.bottom) / 2.0);
        let mut label = Element::text("middle", (x, y), measure.name());
        let turned = format!("rotate(-90 {x} {y:.1})");
        label.attributes.push(("transform", turned));
        elements.push(label);
        elements
    }

    fn curve(&self, index: usize, points: &[Point]) -> Vec<Element> {
        let mut path = String::new();
        for (position, point) in points.iter().enumerate() {
            let step = if position == 0 { "M" } else { "L" };
            let (x, y) = self.place(point);
            let _ = write!(path, "{step}{x:.1} {y:.1}");
        }
        let mut elements = vec![stroke(index, "path", [("d", path)])];
        elements.extend(points.iter().map(|point| Element {
            title: point.said.clone(),
            ..mark(&hue(index), point.end, self.place(point))
        }));
        elements
    }

    /// What the marks mean that are not simply results.
    fn key(&self, ends: &[End]) -> Vec<Element> {
        let meanings = [
            (End::Unknown, "until a search was given up"),
            (End::Violated, "until a violation was found"),
        ];
        let mut x = LEFT + 6.0;
        let mut elements = Vec::new();
        for (end, told) in meanings.iter().filter(|(end, _)| ends.contains(end)) {
            let y = self.bottom + 60.0;
            elements.push(mark("axis", *end, (x, y - 4.0)));
            elements.push(Element::text("start", (x + 10.0, y), told));
            x += 210.0;
        }
        elements
    }
}

/// The class that gives a curve its colour.
fn hue(index: usize) -> String {
    format!("t{}", index % HUES)
}

fn stroke<const N: usize>(
    index: usize,
    tag: &'static str,
    attributes: [(&'static str, String); N],
) -> Element {
    let mut element = Element::new(tag, attributes);
    let dashes = DASHES[index / HUES % DASHES.len()].to_owned();
    element
        .attributes
        .push(("class", format!("curve {}", hue(index))));
    element.attributes.push(("stroke-dasharray", dashes));
    element
}

/// The mark of a point: a disc, a ring if it is a bound only, or a square.
fn mark(class: &str, end: End, (x, y): (f64, f64)) -> Element {
    if end == End::Violated {
        return Element::new(
            "rect",
            [
                ("class", format!("dot {class}")),
                ("x", rounded(x - 4.0)),
                ("y", rounded(y - 4.0)),
                ("width", "8".to_owned()),
                ("height", "8".to_owned()),
            ],
        );
    }
    let open = if end == End::Unknown { " open" } else { "" };
    Element::new(
        "circle",
        [
            ("class", format!("dot {class}{open}")),
            ("cx", rounded(x)),
            ("cy", rounded(y)),
            ("r", "4".to_owned()),
        ],
    )
}

/// A line of the legend for a curve.
fn legend(line: usize, index: usize, told: &str) -> [Element; 2] {
    let y = TOP + 6.0 + line as f64 * LEADING;
    let x = RIGHT + 18.0;
    [
        stroke(
            index,
            "path",
            [("d", format!("M{x:.1} {y:.1}L{:.1} {y:.1}", x + 26.0))],
        ),
        Element::text("start", (x + 34.0, y + 4.0), told),
    ]
}

/// A number with its thousands apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_on_the_axes_are_short() {
        let states = |figure| Measure::States.tick(figure);
        assert_eq!(states(1.0), "1");
        assert_eq!(states(2000.0), "2,000");
        assert_eq!(states(1e6), "1,000,000");
        let time = |figure| Measure::Time.tick(figure);
        assert_eq!(time(1e-5), "0.01 ms");
        assert_eq!(time(0.02), "20 ms");
        assert_eq!(time(10f64.powi(-1)), "0.1 s");
        assert_eq!(time(50.0), "50 s");
    }
}
