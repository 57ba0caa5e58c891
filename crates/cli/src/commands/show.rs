//! `raddle show`: a program as raddle sees it.

use super::SUCCESS;
use crate::args::Show;
use crate::console;
use crate::failure::Failure;
use crate::files;
use crate::programs::{self, Setup, Text};
use raddle_analysis::{Protection, Sharing};
use raddle_jdk::Launch;
use raddle_lang::{compile_with, format, parser};
use raddle_machine::{graph, text::print};
use raddle_report::json::SCHEMA;
use serde_json::{Value, json};

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Show) -> Result<u8, Failure> {
    let text = programs::read(&args.file)?;
    let source = text.main().clone();
    if args.form.sharing {
        return sharing(&text, args);
    }
    if !text.front.is_model() {
        return Err(Failure::new(format!(
            "only models are shown; try `raddle translate {name} --to dot`, or for a Java program \
             `raddle show --sharing {name}`",
            name = source.name
        )));
    }
    let shown = if args.form.format {
        parser::parse(&source.text).map(|tree| format::format(&tree))
    } else {
        compile_with(&source.text, &args.defines).map(|program| match args.form.dot {
            true => graph::dot(&program),
            false => print(&program),
        })
    };
    let shown = shown.map_err(|mistakes| Failure::program(source, mistakes))?;
    console::answer(&shown)?;
    Ok(SUCCESS)
}

/// Shows what the threads of a Java program share.
fn sharing(text: &Text, args: &Show) -> Result<u8, Failure> {
    let setup = Setup {
        java: Launch {
            file: args.file.clone(),
            main: args.main.clone(),
            class_path: args.class_path.clone(),
            jdk: args.jdk.clone(),
            ..Launch::default()
        },
        ..Setup::default()
    };
    let Some(sharing) = text.front.sharing(text, &setup)? else {
        let name = &text.main().name;
        return Err(Failure::new(format!(
            "what threads share is shown of Java programs, and {name} is none"
        )));
    };
    if let Some(page) = &args.html {
        files::guard_page(page, &args.file)?;
        files::write(page, &sharing.to_page(&text.main().name))?;
    }
    match args.json {
        true => console::answer(&format!("{:#}\n", in_json(&sharing)))?,
        false => console::answer(&sharing.to_text())?,
    }
    Ok(SUCCESS)
}

/// What threads share, as JSON.
fn in_json(sharing: &Sharing) -> Value {
    let threads = sharing
        .threads
        .iter()
        .map(|thread| json!({ "name": thread.name, "several": thread.is_several }));
    let line = |line: &raddle_analysis::Line| json!({ "file": line.file, "line": line.line, "method": line.method });
    let fields = sharing.fields.iter().map(|field| {
        let locks = match &field.protection {
            Protection::Locked(locks) => locks.clone(),
            _ => Vec::new(),
        };
        let accesses = field.accesses.iter().map(|access| {
            json!({
                "place": line(&access.line),
                "read": access.is_read,
                "write": access.is_write,
                "threads": access.threads,
                "locks": access.locks,
                "initial": access.is_initial,
            })
        });
        json!({
            "class": field.class,
            "field": field.name,
            "protection": field.protection.name(),
            "locks": locks,
            "warning": field.warning,
            "accesses": accesses.collect::<Vec<_>>(),
        })
    });
    let nested = sharing
        .nested
        .iter()
        .map(|it| json!({ "held": it.outer, "taken": it.inner, "place": line(&it.line) }));
    json!({
        "schema": SCHEMA,
        "threads": threads.collect::<Vec<_>>(),
        "fields": fields.collect::<Vec<_>>(),
        "nested_locks": nested.collect::<Vec<_>>(),
        "lock_cycles": sharing.cycles,
        "unknown": sharing.unknown,
    })
}
