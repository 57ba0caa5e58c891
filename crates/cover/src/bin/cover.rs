//! Decides one net, for measurements: `cover FILE [--init STATE] [--only PROCEDURE] [--progress]`.
//! Prints the verdict, who found it, and sizes, on one line.

use raddle_cover::formats::{Parsed, decode, spec, tts};
use raddle_cover::{Answer, Certificate, Monitor, PROCEDURES, Procedure, Progress, decide_by};
use std::io::Write;
use std::process::ExitCode;

/// The most memory that elements may take.
const MOST_BYTES: u64 = 3 << 30;

struct Limits {
    shows_progress: bool,
}

impl Monitor for Limits {
    fn go_on(&self, progress: Progress) -> bool {
        if self.shows_progress {
            // Nobody reads it if this fails.
            let _ = writeln!(std::io::stderr(), "{progress:?}");
        }
        progress.bytes < MOST_BYTES
    }
}

fn main() -> ExitCode {
    let (line, code) = match run() {
        Ok(line) => (line, 0),
        Err(problem) => (format!("unknown nobody {problem}"), 2),
    };
    match writeln!(std::io::stdout(), "{line}") {
        Ok(()) => ExitCode::from(code),
        Err(_) => ExitCode::FAILURE,
    }
}

fn run() -> Result<String, String> {
    let mut file = None;
    let mut initial = None;
    let mut shows_progress = false;
    let mut procedures: Vec<Procedure> = PROCEDURES.to_vec();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--init" => initial = arguments.next(),
            "--only" => {
                let name = arguments.next().unwrap_or_default();
                procedures.retain(|procedure| procedure.name == name);
            }
            "--progress" => shows_progress = true,
            _ => file = Some(argument),
        }
    }
    let file = file.ok_or("usage: cover FILE [--init STATE] [--only PROCEDURE]")?;
    let parsed = parse(&file, initial)?;
    let verdict = decide_by(&procedures, &parsed.net, &Limits { shows_progress });
    let (word, detail) = match &verdict.answer {
        Answer::Safe(Certificate::Backward { linear, basis, .. }) => {
            let detail = format!("basis={} linear={}", basis.len(), linear.len());
            ("safe", detail)
        }
        Answer::Safe(Certificate::Forward(ideals)) => ("safe", format!("ideals={}", ideals.len())),
        Answer::Unsafe(run) => ("unsafe", format!("steps={}", run.firings.len())),
        Answer::Unknown(reason) => ("unknown", reason.clone()),
    };
    // What is not monotone was left out, so that more can happen in the net.
    let word = match word {
        "unsafe" if !parsed.obstacles.is_empty() => "unknown",
        word => word,
    };
    let (places, transitions) = verdict.slice;
    let (all_places, all_transitions) = (parsed.net.places.len(), parsed.net.transitions.len());
    let (procedure, elements) = (verdict.procedure, verdict.elements);
    let sizes = format!("places={places}/{all_places} transitions={transitions}/{all_transitions}");
    Ok(format!(
        "{word} {procedure} {sizes} elements={elements} {detail}"
    ))
}

fn parse(file: &str, initial: Option<String>) -> Result<Parsed, String> {
    let read = |name: &str| std::fs::read(name).map(|bytes| decode(&bytes));
    let text = read(file).map_err(|error| format!("{file}: {error}"))?;
    if !file.ends_with(".tts") {
        return spec::parse(&text).map_err(|trouble| format!("{trouble:?}"));
    }
    let first = |names: [String; 2]| names.iter().find_map(|name| read(name).ok());
    let property = first(tts::property_files(file));
    let initial = initial.or_else(|| first(tts::initial_files(file)));
    let parsed = tts::parse(&text, property.as_deref(), initial.as_deref());
    parsed.map_err(|trouble| format!("{trouble:?}"))
}
