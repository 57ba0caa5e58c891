//! Other people's nets: every file is read, and has the numbers of places, rules and transfers
//! that its list says. `RADDLE_NETS` names the directory with the list, `verdicts.tsv`;
//! without it there is nothing to do.

#![allow(clippy::unwrap_used)]

use raddle_cover::formats::{Parsed, decode, spec, tts};
use raddle_cover::{Net, Place, Transition};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[test]
fn every_benchmark_is_read() {
    let Some(directory) = directory() else { return };
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

/// Some systems are there as rules, too, written by somebody else: they are the same.
#[test]
fn systems_are_the_rules_beside_them() {
    let Some(directory) = directory() else { return };
    let mut compared = 0;
    for path in files(&directory) {
        let name = path.to_str().unwrap();
        let Some(system_name) = name.strip_suffix(".spec") else {
            continue;
        };
        let system_name = system_name.replace("qcover/wahl-kroening", "satabs_tts");
        let system_name = match system_name.strip_suffix(".tts") {
            Some(stem) => format!("{stem}.tts"),
            None => format!("{system_name}.tts"),
        };
        let system_path = Path::new(&system_name);
        if !system_path.exists() {
            continue;
        }
        let system = system(system_path).unwrap().net;
        let rules = spec::parse(&text(&path).unwrap()).unwrap().net;
        assert_eq!(described(&system), described(&rules), "{name}");
        compared += 1;
    }
    assert!(compared > 0);
}

/// The rules and targets of a net with the names of places, in an order that depends on
/// nothing else.
fn described(net: &Net) -> (BTreeSet<String>, BTreeSet<String>) {
    let name = |place: Place| net.places[place.index()].as_str();
    let demand = |demand: &[(Place, u32)]| {
        let parts = demand.iter();
        let parts = parts.map(|&(place, least)| format!("{} {least}", name(place)));
        parts.collect::<BTreeSet<_>>()
    };
    let rules = net
        .transitions
        .iter()
        .filter(|rule| !rule.updates.is_empty());
    let rules = rules.map(|rule| {
        let updates = rule.updates.iter().map(|update| {
            let sources: BTreeSet<&str> = update.sources.iter().map(|&it| name(it)).collect();
            format!("{}' = {sources:?} {:+}", name(update.place), update.delta)
        });
        let updates: BTreeSet<String> = updates.collect();
        format!("{:?} -> {updates:?}", demand(&rule.guard))
    });
    let targets = net.targets.iter().map(|it| format!("{:?}", demand(it)));
    (rules.collect(), targets.collect())
}

fn directory() -> Option<PathBuf> {
    Some(PathBuf::from(std::env::var_os("RADDLE_NETS")?))
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => files(&path),
            false => vec![path],
        })
        .collect()
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
