//! Other people's nets: every file is read, and has the numbers of places, rules and transfers
//! that its list says. `RADDLE_NETS` names the directory with the list, `verdicts.tsv`;
//! without it there is nothing to do.

#![allow(clippy::unwrap_used)]

use raddle_cover::Transition;
use raddle_cover::formats::{Parsed, decode, spec, tts};
use std::path::Path;

#[test]
fn every_benchmark_is_read() {
    let Ok(directory) = std::env::var("RADDLE_NETS") else {
        return;
    };
    let directory = Path::new(&directory);
    let list = std::fs::read_to_string(directory.join("verdicts.tsv")).unwrap();
    let mut wrong = Vec::new();
    for line in list.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let path = directory.join(columns[0]);
        let found = match path.extension().and_then(|ending| ending.to_str()) {
            Some("spec") => {
                spec::parse(&text(&path).unwrap()).map_err(|trouble| format!("{trouble:?}"))
            }
            Some("tts") => system(&path),
            _ => continue,
        };
        match found {
            Ok(parsed) => compare(&columns, &parsed, &mut wrong),
            Err(trouble) => wrong.push(format!("{}: {trouble}", columns[0])),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn text(path: &Path) -> Option<String> {
    Some(decode(&std::fs::read(path).ok()?))
}

fn system(path: &Path) -> Result<Parsed, String> {
    let name = path.to_str().unwrap();
    let found = tts::property_files(name);
    let property = found.iter().find_map(|name| text(Path::new(name)));
    let property = property.ok_or("there is no property")?;
    let parsed = tts::parse(&text(path).unwrap(), Some(&property), None);
    parsed.map_err(|trouble| format!("{trouble:?}"))
}

fn compare(columns: &[&str], parsed: &Parsed, wrong: &mut Vec<String>) {
    let net = &parsed.net;
    if let Some(defect) = net.defect() {
        wrong.push(format!("{}: {defect}", columns[0]));
    }
    let number = |column: usize| columns[column].parse::<usize>();
    let listed = [number(2), number(3), number(4)].map(Result::ok);
    let transfers = net.transitions.iter().filter(|rule| is_transfer(rule));
    let found = [net.places.len(), net.transitions.len(), transfers.count()];
    // A system has the places that occur in it, and more steps if threads choose.
    let compared = match columns[1] {
        "spec" => 0..3,
        _ if net.places.iter().any(|name| name.starts_with("choosing")) => 0..0,
        _ => 1..2,
    };
    for index in compared {
        if listed[index].is_some_and(|listed| listed != found[index]) {
            wrong.push(format!("{}: {found:?}, not {listed:?}", columns[0]));
        }
    }
    let tests = number(5).unwrap_or(0);
    if (tests > 0) != has_tests(parsed) {
        let found = parsed.obstacles.len();
        wrong.push(format!("{}: {found} obstacles, {tests} tests", columns[0]));
    }
}

/// Whether a rule has bounds from above.
fn has_tests(parsed: &Parsed) -> bool {
    let mut obstacles = parsed.obstacles.iter();
    obstacles.any(|obstacle| obstacle.message.starts_with("the rule"))
}

/// Whether a place is emptied, or gets what another has.
fn is_transfer(rule: &Transition) -> bool {
    let mut updates = rule.updates.iter();
    updates.any(|update| match update.sources[..] {
        [] => update.delta == 0,
        [source] => source != update.place,
        _ => true,
    })
}
