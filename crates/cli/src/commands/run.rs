//! `raddle run`: executes a Java program on one schedule, as `java` would.

use crate::args::Run;
use crate::classes::{self, Launch, Program};
use crate::console;
use crate::failure::Failure;
use raddle_jvm::load::Jdk;
use raddle_jvm::{End, Host, World};
use std::io::{Read, Write};

/// Exit code when the machine cannot say what `java` would do.
const UNKNOWN: u8 = 2;
/// Exit code when all threads wait for each other.
const STUCK: u8 = 1;

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Run) -> Result<u8, Failure> {
    let home = classes::find_jdk(args.jdk.as_deref())?;
    let jdk = Jdk::open(&home).map_err(Failure::new)?;
    let program = Program::find(&launch(args), &home)?;
    let main = program.main()?.to_owned();
    let world =
        World::new(jdk, program.sources).map_err(|error| Failure::new(error.to_string()))?;
    let mut host = Terminal;
    let booted = raddle_jvm::boot(&world, &mut host).map_err(Failure::new)?;
    let mut state = raddle_jvm::start(&world, &booted, &main, &args.arguments, &mut host)
        .map_err(Failure::new)?;
    match raddle_jvm::run(&world, &mut state, &mut host, u64::MAX) {
        // Like every exit code, what is left of it is its lowest byte.
        End::Exit(code) => Ok(code as u8),
        End::Limit => Ok(UNKNOWN),
        End::Unsupported(what, trace) => {
            console::complain(&format!(
                "unknown: not supported: {what}\n{}",
                shown(&trace)
            ));
            Ok(UNKNOWN)
        }
        End::Deadlock(threads) => {
            console::complain("deadlock: every thread waits\n");
            for (name, trace) in threads {
                console::complain(&format!("\"{name}\"\n{}", shown(&trace)));
            }
            Ok(STUCK)
        }
    }
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
struct Terminal;

impl Host for Terminal {
    fn write(&mut self, descriptor: i32, bytes: &[u8]) {
        // A program does not stop because nobody reads what it writes.
        let _ = match descriptor {
            1 => std::io::stdout()
                .write_all(bytes)
                .and_then(|()| std::io::stdout().flush()),
            _ => std::io::stderr().write_all(bytes),
        };
    }

    fn read(&mut self, limit: usize) -> Vec<u8> {
        let mut bytes = vec![0; limit];
        let count = std::io::stdin().read(&mut bytes).unwrap_or(0);
        bytes.truncate(count);
        bytes
    }
}
