//! `raddle run`: executes a Java program on one schedule, as `java` would.

use crate::args::Run;
use crate::console::{self, Passing};
use crate::failure::Failure;
use crate::tools;
use raddle_jdk::{Launch, Program, incomplete};
use raddle_jvm::{End, Host, World};
use raddle_model::StopFlag;
use raddle_report::json::SCHEMA;
use serde_json::{Value, json};
use std::io::{IsTerminal, Read, Write};

/// Exit code when the machine cannot say what `java` would do.
const UNKNOWN: u8 = 2;
/// Exit code when all threads wait for each other.
const STUCK: u8 = 1;

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Run) -> Result<u8, Failure> {
    let jdk = tools::find_jdk(args.jdk.as_deref())?;
    let program = Program::find(&launch(args), &jdk, &StopFlag::default())?;
    let main = program.main()?.to_owned();
    let mut world = World::new(jdk.open()?, program.sources)
        .map_err(|error| Failure::new(error.to_string()))?;
    for folder in &args.allow_files {
        world.allow_files(folder).map_err(Failure::new)?;
    }
    let mut host = Terminal {
        kept: args.json.then(Kept::default),
        output: Passing::new(std::io::stdout().is_terminal()),
        errors: Passing::new(std::io::stderr().is_terminal()),
    };
    let booted = raddle_jvm::boot(&world, &mut host).map_err(Failure::new)?;
    let mut state = raddle_jvm::start(&world, &booted, &main, &args.arguments, &mut host)
        .map_err(Failure::new)?;
    if args.enable_assertions {
        state.enable_assertions();
    }
    let end = raddle_jvm::run(&world, &mut state, &mut host, u64::MAX);
    if let End::Unsupported(..) = end
        && let Some(trouble) = incomplete(world.missing().into_iter())
    {
        return Err(trouble.into());
    }
    let code = exit_code(&end);
    match &host.kept {
        Some(kept) => {
            let uncaught = raddle_jvm::uncaught(&world, &state);
            let told = told(args, &end, kept, &uncaught);
            console::answer(&format!("{told:#}\n"))?;
        }
        None => complain(&end),
    }
    Ok(code)
}

fn exit_code(end: &End) -> u8 {
    match end {
        // Like every exit code, what is left of it is its lowest byte.
        End::Exit(code) => *code as u8,
        End::Deadlock(_) => STUCK,
        End::Limit | End::Unsupported(..) => UNKNOWN,
    }
}

/// Says why a program did not come to an end of its own.
fn complain(end: &End) {
    match end {
        End::Exit(_) | End::Limit => {}
        End::Unsupported(what, trace) => {
            let trace = shown(trace);
            console::complain(&format!("unknown: not supported: {what}\n{trace}"));
        }
        End::Deadlock(threads) => {
            console::complain("deadlock: every thread waits\n");
            for (name, trace) in threads {
                console::complain(&format!("\"{name}\"\n{}", shown(trace)));
            }
        }
    }
}

/// The run as JSON.
fn told(
    args: &Run,
    end: &End,
    kept: &Kept,
    uncaught: &[(String, String, Option<String>)],
) -> Value {
    let stack = |(name, trace): &(String, Vec<String>)| json!({ "name": name, "stack": trace });
    let thrown = |(thread, class, message): &(String, String, Option<String>)| json!({ "thread": thread, "class": class, "message": message });
    let ending = match end {
        End::Exit(_) => "exit",
        End::Deadlock(_) => "deadlock",
        End::Unsupported(..) | End::Limit => "unknown",
    };
    json!({
        "schema": SCHEMA,
        "file": args.file.display().to_string(),
        "end": ending,
        "exit_code": match end {
            End::Exit(code) => Some(code),
            _ => None,
        },
        "output": String::from_utf8_lossy(&kept.output),
        "errors": String::from_utf8_lossy(&kept.errors),
        "uncaught": uncaught.iter().map(thrown).collect::<Vec<_>>(),
        "unsupported": match end {
            End::Unsupported(what, trace) => json!({ "what": what, "stack": trace }),
            _ => Value::Null,
        },
        "waiting": match end {
            End::Deadlock(threads) => threads.iter().map(stack).collect(),
            _ => Vec::new(),
        },
    })
}

fn launch(args: &Run) -> Launch {
    Launch {
        file: args.file.clone(),
        main: args.main.clone(),
        class_path: args.class_path.clone(),
        jdk: args.jdk.clone(),
        arguments: args.arguments.clone(),
        ..Launch::default()
    }
}

fn shown(trace: &[String]) -> String {
    trace.iter().map(|line| format!("\tat {line}\n")).collect()
}

/// Standard input, output and error.
struct Terminal {
    /// What was written, if it is not to be shown.
    kept: Option<Kept>,
    output: Passing,
    errors: Passing,
}

/// What a program has written.
#[derive(Default)]
struct Kept {
    output: Vec<u8>,
    errors: Vec<u8>,
}

impl Host for Terminal {
    fn write(&mut self, descriptor: i32, bytes: &[u8]) {
        if let Some(kept) = &mut self.kept {
            let to = match descriptor {
                1 => &mut kept.output,
                _ => &mut kept.errors,
            };
            to.extend_from_slice(bytes);
            return;
        }
        // A program does not stop because nobody reads what it writes.
        let _ = match descriptor {
            1 => {
                let mut out = std::io::stdout().lock();
                let shown = self.output.pass(bytes);
                out.write_all(&shown).and_then(|()| out.flush())
            }
            _ => std::io::stderr().write_all(&self.errors.pass(bytes)),
        };
    }

    fn read(&mut self, limit: usize) -> Vec<u8> {
        let mut bytes = vec![0; limit];
        let count = std::io::stdin().read(&mut bytes).unwrap_or(0);
        bytes.truncate(count);
        bytes
    }
}
