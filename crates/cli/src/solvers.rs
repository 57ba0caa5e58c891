//! Who answers formulas: the solver in the binary, or z3 as a process.
//!
//! z3 runs as long as it is needed, in a group of its own, and is killed when nobody needs it any
//! more, when raddle has to stop, and when it takes too long for an answer. Threads write to it
//! and read from it, so that nobody waits for ever for a process that does neither.

use crate::args::SolverName;
use crate::failure::Failure;
use crate::leftovers::Process;
use crate::programs::Setup;
use crate::progress;
use crate::tools::Host;
use raddle_abstraction::solver::smt::{Channel, Smt};
use raddle_abstraction::solver::{Propositional, Solver};
use raddle_jdk::on_path;
use raddle_model::StopFlag;
use raddle_report::text::seconds;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long an answer may take. Those to the questions of raddle take milliseconds.
const LONGEST: Duration = Duration::from_secs(60);

/// How often it is looked whether to stop.
const INTERVAL: Duration = Duration::from_millis(20);

/// The solver that was asked for. The error says what to install.
pub(crate) fn open(name: SolverName, stop: &StopFlag) -> Result<Box<dyn Solver>, Failure> {
    match name {
        SolverName::Builtin => Ok(Box::new(Propositional)),
        SolverName::Z3 => {
            let z3 = on_path(&Host, "z3").ok_or_else(|| {
                Failure::new(
                    "--solver z3 needs the program z3, which is not on the path; install it (the \
                     package of Debian and Ubuntu is `z3`), or leave --solver out",
                )
            })?;
            let z3 = Z3::start(Command::new(&z3), &z3, LONGEST, stop)?;
            Ok(Box::new(Smt::new(Box::new(z3))))
        }
    }
}

/// Where no formula is asked there is no solver to choose.
pub(crate) fn refuse(setup: &Setup) -> Result<(), Failure> {
    match setup.solver == SolverName::default() {
        true => Ok(()),
        false => Err(Failure::new(
            "--solver is for programs with any number of threads: a model with `thread name[*]`, or \
             Java with --threads any",
        )),
    }
}

/// A process that answers questions.
struct Z3 {
    /// None once it was ended.
    running: Option<Running>,
    /// How many questions were asked, so that each answer has an end of its own.
    asked: u64,
    longest: Duration,
    stop: StopFlag,
}

struct Running {
    /// Ended when it is dropped.
    _process: Process,
    input: Sender<String>,
    output: Receiver<String>,
}

impl Z3 {
    fn start(
        mut command: Command,
        path: &Path,
        longest: Duration,
        stop: &StopFlag,
    ) -> Result<Z3, Failure> {
        progress::listen();
        command.args(["-in", "-smt2"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::null());
        let process = Process::start(&mut command);
        let mut process = process.map_err(|error| Failure::file(path, &error))?;
        let (input, questions) = channel::<String>();
        let (answers, output) = channel();
        if let (Some(mut stdin), Some(stdout)) = process.pipes() {
            thread::spawn(move || {
                for question in questions {
                    let written = stdin.write_all(question.as_bytes());
                    if written.and_then(|()| stdin.flush()).is_err() {
                        return;
                    }
                }
            });
            thread::spawn(move || {
                for line in BufReader::new(stdout).lines() {
                    let Ok(line) = line else { return };
                    if answers.send(line).is_err() {
                        return;
                    }
                }
            });
        }
        Ok(Z3 {
            running: Some(Running {
                _process: process,
                input,
                output,
            }),
            asked: 0,
            longest,
            stop: stop.clone(),
        })
    }

    fn answer(&mut self, commands: &str) -> Result<String, String> {
        const ENDED: &str = "z3 ended in the middle of a question";
        self.asked += 1;
        let end = format!("raddle {}", self.asked);
        let running = self.running.as_ref().ok_or(ENDED)?;
        let question = format!("{commands}(echo \"{end}\")\n");
        running.input.send(question).map_err(|_| ENDED)?;
        let begun = Instant::now();
        let mut answer = String::new();
        loop {
            match running.output.recv_timeout(INTERVAL) {
                Ok(line) if line.trim().trim_matches('"') == end => return Ok(answer),
                Ok(line) => {
                    answer.push_str(&line);
                    answer.push('\n');
                }
                Err(RecvTimeoutError::Disconnected) => return Err(ENDED.to_owned()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.stop.is_set() {
                return Err("z3 was ended, because raddle had to stop".to_owned());
            }
            if begun.elapsed() >= self.longest {
                let longest = seconds(self.longest);
                return Err(format!(
                    "z3 did not answer a question within {longest}, and was ended"
                ));
            }
        }
    }
}

impl Channel for Z3 {
    fn ask(&mut self, commands: &str) -> Result<String, String> {
        let answer = self.answer(commands);
        if answer.is_err() {
            self.running = None;
        }
        answer
    }
}

#[cfg(test)]
mod tests;
