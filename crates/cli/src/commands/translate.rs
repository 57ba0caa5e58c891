//! `raddle translate`: a program or a net in another form.

use super::SUCCESS;
use crate::args::{Target, Translate};
use crate::console;
use crate::failure::Failure;
use crate::front::Machinery;
use crate::parametric;
use crate::programs::{self, Setup, Text};
use raddle_abstraction::Attempt;
use raddle_cbp::Machines;
use raddle_cover::Net;
use raddle_cover::formats::{dot, pnml, spec};
use raddle_jdk::Launch;
use raddle_machine::ir;
use raddle_model::{Place, Reason};
use raddle_report::json::SCHEMA;
use serde_json::{Value, json};

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Translate) -> Result<u8, Failure> {
    let text = programs::read(&args.file)?;
    let setup = Setup {
        unsafe_sets: args.unsafe_sets.clone(),
        defines: args.defines.clone(),
        initially: args.init.clone(),
        java: Launch {
            file: args.file.clone(),
            ..Launch::default()
        },
        ..Setup::default()
    };
    text.front.flags().refuse_others(&setup)?;
    if let Some(program) = text.front.intermediate(&text, &setup)? {
        console::answer(&intermediate(&program, &text, args)?)?;
        return Ok(SUCCESS);
    }
    let machinery = match () {
        () if args.cbp2gm => Machinery::Closed,
        () if args.full => Machinery::Full,
        () => Machinery::Reduced,
    };
    let machines = text.front.machines(&text, &setup, machinery)?;
    let shown = match (args.statistics, &machines) {
        (true, machines) => {
            let net = net(machines.as_ref(), &text, &setup)?;
            statistics(machines.as_ref(), &net, args)
        }
        (false, Some(machines)) if args.to == Target::Lm => {
            let locals = 0..machines.locals.len();
            let locals = locals.map(|thread| machines.local_to_text(thread));
            locals.collect::<Vec<_>>().join("\n")
        }
        (false, Some(machines)) if args.to == Target::Gm => machines.to_text(),
        (false, Some(machines)) if args.to == Target::Dot => machines.to_dot(),
        (false, machines) => {
            let net = net(machines.as_ref(), &text, &setup)?;
            let said = match args.to {
                Target::Lm | Target::Gm => {
                    return Err(Failure::new(
                        "only boolean programs are made of machines; choose net, dot, mist or pnml",
                    ));
                }
                Target::Ir => {
                    return Err(Failure::new(
                        "only models and Java programs are translated into the intermediate form",
                    ));
                }
                Target::Cbp => {
                    return Err(Failure::new(
                        "only models and Java programs are abstracted into boolean programs",
                    ));
                }
                Target::Net => Ok(spec::print(&net)),
                Target::Dot => Ok(dot::print(&net)),
                Target::Mist => spec::print_for_mist(&net),
                Target::Pnml => pnml::print(&net),
            };
            said.map_err(|why| Failure::new(why.to_string()))?
        }
    };
    console::answer(&shown)?;
    Ok(SUCCESS)
}

/// A program of the intermediate form, as text or as a picture.
fn intermediate(program: &ir::Program, text: &Text, args: &Translate) -> Result<String, Failure> {
    match args.to {
        Target::Ir if !args.statistics => Ok(raddle_machine::text::print(program)),
        Target::Dot if !args.statistics => Ok(raddle_machine::graph::dot(program)),
        Target::Net if !args.statistics => {
            let attempt = last_abstraction(program)?;
            let mut out = format!("# {}: {}\n", attempt.name, attempt.end);
            for predicate in &attempt.predicates {
                out.push_str(&format!("# {} ({})\n", predicate.text, predicate.why));
            }
            Ok(out + &attempt.net.as_ref().map_or(String::new(), spec::print))
        }
        Target::Cbp if !args.statistics => abstract_program(&last_abstraction(program)?, text),
        _ => Err(Failure::new(
            "a model or a Java program is translated into ir, dot, or, with any number of threads, net \
             or cbp",
        )),
    }
}

/// The last abstraction of a program with any number of threads that has come to a net.
fn last_abstraction(program: &ir::Program) -> Result<Attempt, Failure> {
    if !program.is_parametric() {
        return Err(Failure::new(
            "only programs with any number of threads are abstracted",
        ));
    }
    // Variables that only count threads are numbers of threads.
    let counted = raddle_extraction::counted(program);
    let program = counted.as_ref().unwrap_or(program);
    let outcome = parametric::abstraction(program);
    let mut attempts = outcome.attempts.into_iter().rev();
    attempts.find(|it| it.net.is_some()).ok_or_else(|| {
        let why = match outcome.answer {
            raddle_abstraction::Conclusion::Unknown { why, .. } => why,
            _ => "it is decided without a net".to_owned(),
        };
        Failure::unknown(Reason::GaveUp(why))
    })
}

/// An abstraction as a boolean program, with the lines of the source as comments.
fn abstract_program(attempt: &Attempt, text: &Text) -> Result<String, Failure> {
    let source = |place: Place| text.sources.get(place.file as usize);
    let program = match &attempt.boolean {
        Some(Ok(program)) => program,
        Some(Err(found)) => {
            let at = found.place.and_then(|place| {
                let name = &source(place)?.name;
                Some(format!("{name}:{}:{}: ", place.line, place.column))
            });
            return Err(Failure::new(format!(
                "{}{} does not fit into a boolean program; --to net prints the net",
                at.unwrap_or_default(),
                found.what
            )));
        }
        None => return Err(Failure::new("there is no boolean program")),
    };
    let mut out = format!("// {}: {}\n", attempt.name, attempt.end);
    let file = text.main().name.replace(['"', '\n', '\r'], "_");
    out.push_str(&format!("abstraction of \"{file}\" ;\n"));
    let mut last = None;
    for line in &program.lines {
        let written = line.place.filter(|place| last != Some(place.line));
        let written = written.and_then(|place| {
            last = Some(place.line);
            let mut lines = source(place)?.text.lines();
            let line = lines.nth(place.line.checked_sub(1)? as usize)?;
            Some(format!("// {}: {}", place.line, line.trim()))
        });
        if let Some(written) = written {
            let indent = line.text.len() - line.text.trim_start().len();
            out.push_str(&format!("{:indent$}{written}\n", ""));
        }
        out.push_str(&line.text);
        out.push('\n');
    }
    Ok(out)
}

fn net(machines: Option<&Machines>, text: &Text, setup: &Setup) -> Result<Net, Failure> {
    match machines {
        Some(machines) => Ok(machines.net().map_err(Failure::new)?.net),
        None => text.front.net(text, setup),
    }
}

/// How large everything is.
fn statistics(machines: Option<&Machines>, net: &Net, args: &Translate) -> String {
    // A reduced machine begins where a thread does; the full ones are counted with the state
    // before, as in the paper.
    let with_begin = args.full || args.cbp2gm;
    let transfers = net.transitions.iter();
    let transfers = transfers.filter(|transition| {
        let mut updates = transition.updates.iter();
        updates.any(|update| update.sources.len() > 1)
    });
    let transfers = transfers.count();
    let wakes = net.transitions.iter();
    let wakes = wakes
        .filter(|transition| !transition.wakes.is_empty())
        .count();
    let locals: Vec<(String, (usize, usize))> = machines.map_or_else(Vec::new, |machines| {
        let named = machines.program.types.iter().zip(&machines.locals);
        named
            .map(|(kind, machine)| match with_begin {
                true => (kind.name.clone(), machine.size_with_begin()),
                false => (kind.name.clone(), machine.size()),
            })
            .collect()
    });
    if args.json {
        let machines = locals.iter().map(|(name, (states, transitions))| {
            json!({ "machine": name, "states": states, "transitions": transitions })
        });
        let value = json!({
            "schema": SCHEMA,
            "machines": machines.collect::<Vec<Value>>(),
            "net": {
                "places": net.places.len(),
                "transitions": net.transitions.len(),
                "transfers": transfers,
                "wakes": wakes,
                "targets": net.targets.len(),
            },
        });
        return format!("{value:#}\n");
    }
    let mut out = String::new();
    for (name, (states, transitions)) in &locals {
        out.push_str(&format!(
            "machine {name}: {states} states, {transitions} transitions\n"
        ));
    }
    out.push_str(&format!(
        "net: {} places, {} transitions, {transfers} with transfers, {wakes} that wake, {} targets\n",
        net.places.len(),
        net.transitions.len(),
        net.targets.len()
    ));
    out
}
