//! `raddle lsp`: a language server on standard input and output.

use super::{SUCCESS, check};
use crate::args::{Check, Cli, Command, Lsp};
use crate::failure::Failure;
use crate::front;
use crate::pipeline;
use crate::programs::{self, Setup, Text};
use crate::progress::Watcher;
use crate::units::Memory;
use clap::Parser;
use raddle_analysis::{SharedField, Sharing};
use raddle_jdk::Launch;
use raddle_lsp::{Backend, CheckResult, Note, Program};
use raddle_report::text::{self, Look};
use raddle_report::{Source, spots};
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long a check goes on, unless flags say otherwise: somebody waits for it.
const TIME: Duration = Duration::from_secs(60);
/// How much memory it may use: an editor is not alone on the machine.
const MEMORY: u64 = 2 << 30;
/// The columns of a report.
const WIDTH: usize = 120;

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Lsp) -> Result<u8, Failure> {
    let backend = Arc::new(Checks::new(&args.flags)?);
    let input = BufReader::new(std::io::stdin());
    let (connection, wire) = raddle_lsp::connect(input, std::io::stdout());
    let served = raddle_lsp::serve(&connection, backend);
    // The threads end when nobody is left to talk to.
    drop(connection);
    let failed = |why: String| Failure::new(format!("the editor: {why}"));
    if let Err(error) = served {
        let why = wire.broken().map(str::to_owned);
        return Err(failed(why.unwrap_or_else(|| error.to_string())));
    }
    wire.join().map_err(|error| failed(error.to_string()))?;
    Ok(SUCCESS)
}

/// Checks programs as `raddle check` with some flags does.
struct Checks {
    args: Box<Check>,
}

impl Checks {
    fn new(flags: &[String]) -> Result<Checks, Failure> {
        // The file is a matter of each check.
        let line = ["raddle", "check", "-"].into_iter();
        let line = line.chain(flags.iter().map(String::as_str));
        let wrong = |error: clap::Error| Failure::new(error.render().to_string().trim());
        match Cli::try_parse_from(line).map_err(wrong)?.command {
            Command::Check(mut args) => {
                args.time.get_or_insert(TIME);
                args.question.memory.get_or_insert(Memory::Bytes(MEMORY));
                Ok(Checks { args })
            }
            _ => Err(Failure::new("these are no flags of `raddle check`")),
        }
    }
}

impl Backend for Checks {
    fn check(&self, program: &Program, stop: &Arc<AtomicBool>) -> CheckResult {
        let text = Text {
            front: front::of(Path::new(program.language.file())),
            sources: vec![Source {
                name: program.name.clone(),
                text: program.text.clone(),
            }],
            processes: Vec::new(),
        };
        let args = &self.args;
        let mut watcher = Watcher::stopped_by(args.time, Arc::clone(stop));
        let found = check::request(args, text.front).and_then(|request| {
            let finding = pipeline::run(&text, &request, &mut watcher)?;
            Ok((request, finding))
        });
        let (request, finding) = match found {
            Ok(found) => found,
            Err(failure) => {
                return CheckResult {
                    answer: "bad-input",
                    headline: failure.message().to_owned(),
                    report: failure.text(false),
                    spots: Vec::new(),
                };
            }
        };
        let report = check::report(args, &text, &request, &finding);
        let look = Look {
            width: args.width.unwrap_or(WIDTH),
            color: false,
            abridge: (!args.full_trace).then_some("raddle check --full-trace prints all"),
            unfold: args.unfold,
        };
        let headline = text::verdict(&report, look);
        CheckResult {
            answer: report.answer().name(),
            headline: headline.lines().next().unwrap_or_default().to_owned(),
            report: text::report(&report, look),
            spots: finding
                .traces
                .first()
                .map(|trace| spots(trace, &text.sources))
                .unwrap_or_default(),
        }
    }
    fn sharing(&self, file: &Path) -> Vec<Note> {
        let setup = Setup {
            java: Launch {
                file: file.to_owned(),
                class_path: self.args.question.launch.class_path.clone(),
                jdk: self.args.question.launch.jdk.clone(),
                ..Launch::default()
            },
            ..Setup::default()
        };
        let text = programs::read(file);
        let sharing = text.and_then(|text| text.front.sharing(&text, &setup));
        // What does not compile, or is no program, is said by other servers.
        let Ok(Some(sharing)) = sharing else {
            return Vec::new();
        };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        notes(&sharing, &name)
    }
}

/// What there is to say of the lines of a file.
fn notes(sharing: &Sharing, file: &str) -> Vec<Note> {
    let mut all = Vec::new();
    let mut add = |line: &raddle_analysis::Line, message: String, is_warning| {
        let note = Note {
            line: line.line,
            message,
            is_warning,
        };
        if line.file == file && !all.contains(&note) {
            all.push(note);
        }
    };
    for field in &sharing.fields {
        for line in &field.warned_at {
            add(line, field.warning.clone().unwrap_or_default(), true);
        }
        for access in &field.accesses {
            add(&access.line, told(sharing, field, access), false);
        }
    }
    for it in &sharing.nested {
        let is_in = |cycle: &Vec<String>| cycle.contains(&it.outer) && cycle.contains(&it.inner);
        let message = format!("{} is taken while {} is held", it.inner, it.outer);
        match sharing.cycles.iter().find(|cycle| is_in(cycle)) {
            Some(_) => add(
                &it.line,
                format!("{message}, and elsewhere the other way round"),
                true,
            ),
            None => add(&it.line, message, false),
        }
    }
    all
}

/// What is said of an access.
fn told(sharing: &Sharing, field: &SharedField, access: &raddle_analysis::FieldAccess) -> String {
    let by = access
        .threads
        .iter()
        .filter_map(|&it| sharing.threads.get(it));
    let by: Vec<&str> = by.map(|it| it.name.as_str()).collect();
    let under = match (access.is_initial, access.locks.is_empty()) {
        (true, _) => " before anybody else can see it".to_owned(),
        (false, true) => String::new(),
        (false, false) => format!(" under {}", access.locks.join(", ")),
    };
    format!(
        "{}.{} ({}) is {} by {}{under}",
        field.class,
        field.name,
        field.protection.name(),
        access.what(),
        by.join(", ")
    )
}
