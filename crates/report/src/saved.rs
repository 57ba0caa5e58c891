//! Traces in files.
//!
//! What counts in such a file is the schedule: who moves when, and which way. Replaying
//! it on the same program gives the same execution. The told trace is written beside
//! it for whoever reads the file, and is not read back.

use crate::json::{SCHEMA, defines_json, place, trace_json};
use crate::{Source, wording};
use raddle_model::{
    Fairness, Fault, FaultKind, Move, NoEnd, Place, Property, Schedule, Thread, Trace, Unmet,
};
use serde_json::{Value, json};

/// A schedule with all that is needed to replay it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedTrace {
    /// Which program it belongs to.
    pub program: Identity,
    /// How large a state could become.
    pub limits: SavedLimits,
    /// The constants that were given other values.
    pub defines: Vec<(String, i64)>,
    /// The labels that must not be reached.
    pub unreachable: Vec<String>,
    /// The sets of states that must not be reached.
    pub unsafe_sets: Vec<String>,
    /// Where a thread transition system begins, if it was said.
    pub initially: Option<String>,
    /// How a Java program was run, if it is one.
    pub java: Option<SavedJava>,
    /// The steps.
    pub schedule: Schedule,
    /// What is violated at the end.
    pub property: Property,
}

/// Which program a trace belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The name of its file.
    pub file: String,
    /// The hash of its text, by [`hash`].
    pub hash: u64,
}

/// The limits of the machine, which decide what is a fault and so belong to a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SavedLimits {
    /// Words of a thread's stack.
    pub stack_words: u64,
    /// Words of the heap.
    pub heap_words: u64,
    /// Threads ever started.
    pub threads: u64,
}

/// How a Java program was run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedJava {
    /// The class whose `main` begins, if it was said.
    pub main: Option<String>,
    /// Where else classes are.
    pub class_path: Vec<String>,
    /// The JDK.
    pub jdk: String,
    /// The program's arguments.
    pub arguments: Vec<String>,
    /// The reduction with which it was searched.
    pub reduction: String,
    /// Whether accesses have to keep the strict discipline.
    pub is_strict: bool,
    /// What was said of its classes, line by line.
    pub profile: Vec<String>,
    /// What the search had found out about the program, on which steps depend.
    pub findings: Vec<String>,
    /// Whether it was tried out what steps say of themselves, for which they are short.
    pub is_paranoid: bool,
    /// Whether waiting threads may wake up for no reason.
    pub is_spurious: bool,
    /// What comes of random numbers, as in the flag `--random`.
    pub random: String,
    /// How time goes on, as in the flag `--clock`.
    pub clock: String,
    /// When time limits run out, as in the flag `--timeouts`.
    pub timeouts: String,
}

/// What tells the files from others.
const FORMAT: &str = "raddle-trace";

/// A saved trace as JSON, with the told trace beside it.
pub fn trace_to_json(saved: &SavedTrace, trace: &Trace, sources: &[Source]) -> Value {
    let stuck = saved.property.stuck().iter().map(|thread| thread.0);
    let waits = matches!(
        saved.property,
        Property::Deadlock(_) | Property::PartialDeadlock(_)
    );
    let stuck = waits.then(|| stuck.collect::<Vec<u32>>());
    let temporal = match &saved.property {
        Property::Temporal(unmet) => json!({
            "number": unmet.property,
            "name": unmet.name,
            "fairness": unmet.fairness.name(),
            "repeats_from": unmet.repeats_from,
        }),
        _ => Value::Null,
    };
    let no_end = match &saved.property {
        Property::NoEnd(found) => json!({
            "threads": found.threads.iter().map(|thread| thread.0).collect::<Vec<u32>>(),
            "lost_from": found.lost_from,
            "repeats_from": found.repeats_from,
        }),
        _ => Value::Null,
    };
    let at = saved.property.place();
    let mut at_json = place(at, sources);
    if let Some(at) = at {
        at_json["source"] = json!(at.file);
    }
    let schedule = saved
        .schedule
        .iter()
        .map(|step| json!([step.thread.0, step.choice]));
    json!({
        "schema": SCHEMA,
        "format": FORMAT,
        "program": {
            "file": saved.program.file,
            "fnv1a64": format!("{:016x}", saved.program.hash),
        },
        "machine": {
            "stack_words": saved.limits.stack_words,
            "heap_words": saved.limits.heap_words,
            "threads": saved.limits.threads,
        },
        "defines": defines_json(&saved.defines),
        "unreachable": saved.unreachable,
        "unsafe": saved.unsafe_sets,
        "init": saved.initially,
        "java": saved.java.as_ref().map(|java| json!({
            "main": java.main,
            "class_path": java.class_path,
            "jdk": java.jdk,
            "arguments": java.arguments,
            "reduction": java.reduction,
            "strict": java.is_strict,
            "profile": java.profile,
            "findings": java.findings,
            "paranoid": java.is_paranoid,
            "spurious": java.is_spurious,
            "random": java.random,
            "clock": java.clock,
            "timeouts": java.timeouts,
        })),
        "property": {
            "kind": saved.property.name(),
            "message": wording::message(trace),
            "place": at_json,
            "threads": stuck,
            "temporal": temporal,
        "no_end": no_end,
        },
        "schedule": schedule.collect::<Vec<_>>(),
        "trace": trace_json(trace, sources),
    })
}

/// Reads what [`trace_to_json`] wrote. An error says what is wrong with which field.
pub fn trace_from_json(value: &Value) -> Result<SavedTrace, String> {
    if !is_trace(value) {
        return Err(format!(
            "this is not a trace: there is no \"format\": \"{FORMAT}\""
        ));
    }
    let schema = number(value, "schema")?;
    if schema != SCHEMA {
        return Err(format!(
            "the trace has schema {schema}; this raddle reads schema {SCHEMA}"
        ));
    }
    let hash = string(value, "program.fnv1a64")?;
    let hash = u64::from_str_radix(hash, 16)
        .map_err(|_| "`program.fnv1a64` is not a hexadecimal number".to_owned())?;
    Ok(SavedTrace {
        program: Identity {
            file: string(value, "program.file")?.to_owned(),
            hash,
        },
        limits: SavedLimits {
            stack_words: number(value, "machine.stack_words")?,
            heap_words: number(value, "machine.heap_words")?,
            threads: number(value, "machine.threads")?,
        },
        defines: defines(value)?,
        unreachable: strings(value, "unreachable")?,
        // Traces of programs that have none were once saved without.
        unsafe_sets: match value.get("unsafe") {
            Some(_) => strings(value, "unsafe")?,
            None => Vec::new(),
        },
        initially: match value.get("init") {
            None | Some(Value::Null) => None,
            Some(_) => Some(string(value, "init")?.to_owned()),
        },
        java: match value.get("java") {
            None | Some(Value::Null) => None,
            Some(_) => Some(java(value)?),
        },
        schedule: list(value, "schedule")?
            .iter()
            .enumerate()
            .map(|(index, step)| {
                move_of(step).ok_or_else(|| {
                    format!("`schedule`: step {} is not [thread, choice]", index + 1)
                })
            })
            .collect::<Result<_, _>>()?,
        property: property(value)?,
    })
}

fn java(value: &Value) -> Result<SavedJava, String> {
    let flag = |path| {
        let flag = field(value, path)?.as_bool();
        flag.ok_or_else(|| format!("`{path}` is not true or false"))
    };
    // Traces were once saved without.
    let word = |path, usual: &str| match field(value, path) {
        Ok(_) => Ok(string(value, path)?.to_owned()),
        Err(_) => Ok::<_, String>(usual.to_owned()),
    };
    Ok(SavedJava {
        main: match field(value, "java.main")? {
            Value::Null => None,
            _ => Some(string(value, "java.main")?.to_owned()),
        },
        class_path: strings(value, "java.class_path")?,
        jdk: string(value, "java.jdk")?.to_owned(),
        arguments: strings(value, "java.arguments")?,
        reduction: string(value, "java.reduction")?.to_owned(),
        is_strict: flag("java.strict")?,
        profile: strings(value, "java.profile")?,
        findings: strings(value, "java.findings")?,
        is_paranoid: flag("java.paranoid")?,
        is_spurious: flag("java.spurious")?,
        random: word("java.random", "0")?,
        clock: word("java.clock", "logical")?,
        timeouts: word("java.timeouts", "any")?,
    })
}

fn defines(value: &Value) -> Result<Vec<(String, i64)>, String> {
    let Some(map) = value.get("defines").and_then(Value::as_object) else {
        return Err("`defines` is missing or not an object".to_owned());
    };
    map.iter()
        .map(|(name, value)| match value.as_i64() {
            Some(value) => Ok((name.clone(), value)),
            None => Err(format!("`defines.{name}` is not a number")),
        })
        .collect()
}

/// Whether a file holds a saved trace of whatever version.
pub fn is_trace(value: &Value) -> bool {
    value.get("format").and_then(Value::as_str) == Some(FORMAT)
}

/// A hash of a text that is the same on every machine and for ever: FNV-1a with 64
/// bits. It is there to notice that a program was edited, not to resist anybody.
pub fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn property(value: &Value) -> Result<Property, String> {
    let kind = string(value, "property.kind")?;
    let threads = || -> Result<Vec<Thread>, String> {
        let threads = list(value, "property.threads")?.iter();
        threads
            .map(|thread| small(thread).map(Thread))
            .collect::<Option<_>>()
            .ok_or_else(|| "`property.threads` is not a list of numbers".to_owned())
    };
    match kind {
        "deadlock" => return Ok(Property::Deadlock(threads()?)),
        "partial-deadlock" => return Ok(Property::PartialDeadlock(threads()?)),
        "temporal" => return unmet(value).map(Property::Temporal),
        "no-end" => return no_end(value).map(Property::NoEnd),
        _ => {}
    }
    let Some(kind) = FaultKind::ALL.into_iter().find(|it| it.name() == kind) else {
        return Err(format!("`property.kind`: there is no property \"{kind}\""));
    };
    Ok(Property::Fault(Fault {
        kind,
        message: string(value, "property.message")?.to_owned(),
        place: match field(value, "property.place")? {
            Value::Null => None,
            place => Some(place_of(place).ok_or("`property.place` is not a place")?),
        },
    }))
}

/// A temporal property that is not met.
fn unmet(value: &Value) -> Result<Unmet, String> {
    let fairness = string(value, "property.temporal.fairness")?;
    let fairness = Fairness::ALL.into_iter().find(|it| it.name() == fairness);
    Ok(Unmet {
        property: size(value, "property.temporal.number")?,
        name: string(value, "property.temporal.name")?.to_owned(),
        fairness: fairness.ok_or("`property.temporal.fairness` is none of no, weak, strong")?,
        place: place_of(field(value, "property.place")?),
        repeats_from: size(value, "property.temporal.repeats_from")?,
    })
}

/// Where nothing can end.
fn no_end(value: &Value) -> Result<NoEnd, String> {
    let threads = list(value, "property.no_end.threads")?.iter();
    let threads = threads.map(|thread| small(thread).map(Thread));
    let threads = threads.collect::<Option<_>>();
    Ok(NoEnd {
        threads: threads.ok_or("`property.no_end.threads` is not a list of numbers")?,
        lost_from: size(value, "property.no_end.lost_from")?,
        repeats_from: size(value, "property.no_end.repeats_from")?,
    })
}

/// A number of steps or the like.
fn size(value: &Value, name: &str) -> Result<usize, String> {
    let number = number(value, name)?;
    usize::try_from(number).map_err(|_| format!("`{name}` is too large"))
}

fn place_of(value: &Value) -> Option<Place> {
    Some(Place {
        file: small(value.get("source")?)?,
        line: small(value.get("line")?)?,
        column: small(value.get("column")?)?,
    })
}

fn move_of(value: &Value) -> Option<Move> {
    match value.as_array()?.as_slice() {
        [thread, choice] => Some(Move {
            thread: Thread(small(thread)?),
            choice: small(choice)?,
        }),
        _ => None,
    }
}

fn small(value: &Value) -> Option<u32> {
    u32::try_from(value.as_u64()?).ok()
}

/// The field at a path of names separated by points.
fn field<'a>(value: &'a Value, path: &str) -> Result<&'a Value, String> {
    let mut names = path.split('.');
    names
        .try_fold(value, |value, name| value.get(name))
        .ok_or_else(|| format!("`{path}` is missing"))
}

fn string<'a>(value: &'a Value, path: &str) -> Result<&'a str, String> {
    let field = field(value, path)?;
    field
        .as_str()
        .ok_or_else(|| format!("`{path}` is not a string"))
}

fn number(value: &Value, path: &str) -> Result<u64, String> {
    let field = field(value, path)?;
    field
        .as_u64()
        .ok_or_else(|| format!("`{path}` is not a whole number"))
}

fn list<'a>(value: &'a Value, path: &str) -> Result<&'a [Value], String> {
    let field = field(value, path)?.as_array();
    field
        .map(Vec::as_slice)
        .ok_or_else(|| format!("`{path}` is not a list"))
}

fn strings(value: &Value, path: &str) -> Result<Vec<String>, String> {
    let list = list(value, path)?.iter();
    list.map(|item| item.as_str().map(str::to_owned))
        .collect::<Option<_>>()
        .ok_or_else(|| format!("`{path}` is not a list of strings"))
}
