//! What of a program executions came to: which of its points never, and how often the others.

use crate::layout::clean;
use crate::{Report, Source, json as forms, locate};
use raddle_model::{Point, PointKind, Reach, Vacuity};
use serde_json::{Value, json};

/// So many points that are never reached are told in text.
const MOST: usize = 40;

/// What was reached and what was not, in lines; nothing if that was not counted.
pub(crate) fn text(report: &Report<'_>) -> Vec<String> {
    let Some(reach) = report.reach.filter(|reach| !reach.points.is_empty()) else {
        return Vec::new();
    };
    let mut out = vec![format!("reached: {}", summary(reach))];
    let never: Vec<&Point> = reach.never().collect();
    if never.is_empty() {
        return out;
    }
    out.push(match reach.is_complete {
        true => "never reached:".to_owned(),
        false => "not reached by this search, which was not complete:".to_owned(),
    });
    let told = never.iter().take(MOST);
    out.extend(told.map(|point| format!("  {}", sentence(point, report.sources))));
    if never.len() > MOST {
        out.push(format!(
            "  and {} more, which --json lists",
            never.len() - MOST
        ));
    }
    out
}

/// How many of each kind were reached.
fn summary(reach: &Reach) -> String {
    let told = PointKind::ALL.iter().filter_map(|&kind| {
        let all = reach.points.iter().filter(|point| point.kind == kind);
        let (count, reached) = all.fold((0u64, 0u64), |(count, reached), point| {
            (count + 1, reached + u64::from(point.count > 0))
        });
        let what = match kind {
            PointKind::Statement => "statements",
            PointKind::True => "conditions true",
            PointKind::False => "conditions false",
            PointKind::Assumption => "assumptions true",
            PointKind::Alternative => "alternatives taken",
            PointKind::Passed => "waits passed",
            PointKind::Label => "labels",
            PointKind::Start => "kinds of threads started",
            PointKind::End => "ends of threads",
            PointKind::Call => "functions called",
        };
        (count > 0).then(|| format!("{reached} of {count} {what}"))
    });
    told.collect::<Vec<_>>().join(", ")
}

/// What is the matter with a point that is never reached.
fn sentence(point: &Point, sources: &[Source]) -> String {
    let place = point.place.map(|place| locate(sources, place));
    let place = place.map_or_else(String::new, |place| format!("{place}: "));
    let name = &point.name;
    let what = match point.kind {
        PointKind::Statement => name.clone(),
        PointKind::True => "the condition is never true".to_owned(),
        PointKind::False => "the condition is never false".to_owned(),
        PointKind::Assumption => "the assumption is never true".to_owned(),
        PointKind::Alternative => "the alternative is never taken".to_owned(),
        PointKind::Passed => "no thread gets past this".to_owned(),
        PointKind::Label => format!("the label `{name}`"),
        PointKind::Start => format!("no thread `{name}` is started"),
        PointKind::End => format!("{name} never ends"),
        PointKind::Call => format!("`{name}` is never called"),
    };
    clean(&format!("{place}{what}"))
}

/// What makes a property hold because nothing happens, one sentence each.
pub(crate) fn warnings(report: &Report<'_>) -> Vec<String> {
    let found = report.reach.iter().flat_map(|reach| &reach.vacuities);
    let told = |it: &Vacuity| format!("{}: {}", locate(report.sources, it.place), it.message);
    found.map(|it| clean(&told(it))).collect()
}

/// The same for programs.
pub(crate) fn warnings_json(report: &Report<'_>) -> Value {
    let found = report.reach.iter().flat_map(|reach| &reach.vacuities);
    let told = |it: &Vacuity| {
        let place = forms::place(Some(it.place), report.sources);
        json!({ "message": it.message, "place": place })
    };
    found.map(told).collect()
}

/// All points with their counts; null if they were not counted.
pub(crate) fn points_json(report: &Report<'_>) -> Value {
    let Some(reach) = report.reach.filter(|reach| !reach.points.is_empty()) else {
        return Value::Null;
    };
    let points = reach.points.iter().map(|point| {
        json!({
            "kind": point.kind.name(),
            "name": point.name,
            "place": forms::place(point.place, report.sources),
            "count": point.count,
            "parent": point.parent,
        })
    });
    json!({ "complete": reach.is_complete, "points": points.collect::<Vec<_>>() })
}

/// What a page shows: the summary, what was never reached, and how often each line was executed.
pub(crate) fn page(report: &Report<'_>) -> Value {
    let lines = text(report);
    if lines.is_empty() {
        return Value::Null;
    }
    let mut counts = std::collections::BTreeMap::new();
    let points = report.reach.iter().flat_map(|reach| &reach.points);
    for point in points.filter(|point| point.kind == PointKind::Statement) {
        if let Some(place) = point.place {
            let count: &mut u64 = counts.entry(place.line).or_default();
            *count = point.count.max(*count);
        }
    }
    json!({
        "summary": lines[0],
        "title": lines.get(1),
        "never": lines.iter().skip(2).map(|line| line.trim()).collect::<Vec<_>>(),
        "counts": counts.into_iter().collect::<Vec<_>>(),
    })
}
