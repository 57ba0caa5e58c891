//! Pictures of nets, for Graphviz.
//!
//! Places are circles with their initial tokens, transitions are boxes. What moves all tokens
//! of a place is dashed, waking is dotted, and targets are red.

use super::taken_and_brought;
use crate::net::{Net, OMEGA, Place, Transition, Update};
use raddle_diagnostics::quote;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The picture of a net in DOT.
pub fn print(net: &Net) -> String {
    let mut out = String::from("digraph net {\n  rankdir = LR;\n  node [fontsize = 11];\n");
    for (index, name) in net.places.iter().enumerate() {
        let label = match (net.least[index], net.most[index]) {
            (0, 0) => name.clone(),
            (0, OMEGA) => format!("{name}\nany number"),
            (least, OMEGA) => format!("{name}\n{least} or more"),
            (least, most) if least == most => format!("{name}\n{least}"),
            (least, most) => format!("{name}\n{least} to {most}"),
        };
        let label = quote(&label);
        let _ = writeln!(out, "  p{index} [shape = circle, label = {label}];");
    }
    for (index, transition) in net.transitions.iter().enumerate() {
        let label = quote(&transition.name);
        let _ = writeln!(out, "  t{index} [shape = box, label = {label}];");
        tokens(&mut out, index, transition);
        for update in &transition.updates {
            transfer(&mut out, index, transition, update);
        }
        for (from, to) in &transition.wakes {
            let label = quote(&format!("{} wakes", transition.name));
            let (from, to) = (from.0, to.0);
            let _ = writeln!(out, "  p{from} -> p{to} [style = dotted, label = {label}];");
        }
    }
    for (index, target) in net.targets.iter().enumerate() {
        let label = match net.targets.len() {
            1 => "unsafe".to_owned(),
            _ => format!("unsafe {}", index + 1),
        };
        let _ = writeln!(
            out,
            "  u{index} [shape = octagon, color = red, label = \"{label}\"];"
        );
        for (place, least) in target {
            let place = place.0;
            let _ = writeln!(
                out,
                "  p{place} -> u{index} [color = red, label = \"≥ {least}\"];"
            );
        }
    }
    out.push_str("}\n");
    out
}

/// The arcs for single tokens.
fn tokens(out: &mut String, index: usize, transition: &Transition) {
    let needed: BTreeMap<Place, u32> = transition.guard.iter().copied().collect();
    let mut is_drawn = BTreeSet::new();
    for update in &transition.updates {
        let place = update.place;
        is_drawn.insert(place);
        let needed = needed.get(&place).copied().unwrap_or(0);
        if update.sources.contains(&place) {
            arcs(out, index, place, taken_and_brought(needed, update.delta));
        } else {
            // What is needed is not taken, but goes away with everything else.
            arcs(out, index, place, taken_and_brought(needed, 0));
            arcs(out, index, place, taken_and_brought(0, update.delta));
        }
    }
    for (place, needed) in needed {
        if !is_drawn.contains(&place) {
            arcs(out, index, place, taken_and_brought(needed, 0));
        }
    }
}

fn arcs(out: &mut String, index: usize, place: Place, (taken, brought): (u64, u64)) {
    let place = place.0;
    let label = |weight: u64| match weight {
        1 => String::new(),
        weight => format!(" [label = \"{weight}\"]"),
    };
    if taken > 0 && taken == brought {
        let _ = writeln!(
            out,
            "  p{place} -> t{index} [dir = both, label = \"{taken}\"];"
        );
        return;
    }
    if taken > 0 {
        let _ = writeln!(out, "  p{place} -> t{index}{};", label(taken));
    }
    if brought > 0 {
        let _ = writeln!(out, "  t{index} -> p{place}{};", label(brought));
    }
}

/// The arcs for the whole contents of places.
fn transfer(out: &mut String, index: usize, transition: &Transition, update: &Update) {
    let to = update.place;
    let is_used = |place: Place| {
        let mut others = transition
            .updates
            .iter()
            .filter(|other| other.place != place);
        others.any(|other| other.sources.contains(&place))
    };
    for &from in update.sources.iter().filter(|&&from| from != to) {
        let mut updates = transition.updates.iter();
        let stays = updates
            .find(|update| update.place == from)
            .is_none_or(|update| update.sources.contains(&from));
        let what = match stays {
            true => format!("{}: as many", transition.name),
            false => format!("{}: all", transition.name),
        };
        let label = quote(&what);
        let (from, to) = (from.0, to.0);
        let _ = writeln!(out, "  p{from} -> p{to} [style = dashed, label = {label}];");
    }
    if !update.sources.contains(&to) && !is_used(to) {
        let to = to.0;
        let _ = writeln!(
            out,
            "  p{to} -> t{index} [style = dashed, label = \"all\"];"
        );
    }
}
