//! Processes side by side, each of which checks one test.

use super::suites::Wanted;
use crate::args::Test as Args;
use crate::failure::Failure;
use crate::leftovers::Process;
use crate::progress::Watcher;
use crate::tools::Host;
use crate::{files, memory};
use raddle_jdk::{Folder, Tools};
use raddle_report::text::seconds;
use serde_json::Value;
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often it is looked whether a process has ended.
const INTERVAL: Duration = Duration::from_millis(20);

/// A search looks at the clock between its steps, and writes its files after its end.
const GRACE: Duration = Duration::from_secs(30);

/// What came of a test.
pub(super) struct Outcome {
    /// What `raddle check` has answered, or why it has not.
    pub(super) answer: Result<Value, String>,
    /// The files that it has written.
    pub(super) junit: Option<String>,
    pub(super) sarif: Option<Value>,
    pub(super) page: Option<String>,
    pub(super) elapsed: Duration,
}

/// A process that runs.
struct Running {
    index: usize,
    process: Process,
    begun: Instant,
    /// Where its answer and its files are.
    folder: Folder,
}

/// Checks tests, as many at a time as are wanted, and passes on what came of each as soon as it is
/// known. After an interruption no more of them begin.
pub(super) fn check(
    args: &Args,
    tests: &[Wanted],
    watcher: &mut Watcher,
    mut done: impl FnMut(usize, Outcome),
) -> Result<(), Failure> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let jobs = args
        .jobs
        .map_or(processors, usize::from)
        .min(tests.len())
        .max(1);
    let mut waiting = tests.iter().enumerate();
    let mut running: Vec<Running> = Vec::new();
    let mut finished = 0;
    loop {
        while running.len() < jobs && !watcher.is_interrupted() {
            let Some((index, test)) = waiting.next() else {
                break;
            };
            running.push(start(args, index, test, jobs)?);
        }
        if running.is_empty() {
            return Ok(());
        }
        let mut at = 0;
        while at < running.len() {
            let it = &mut running[at];
            let is_late = it.begun.elapsed() > args.time + GRACE;
            let failed = |error: std::io::Error| Failure::new(error.to_string());
            if it.process.status().map_err(failed)?.is_some() || is_late || watcher.is_interrupted()
            {
                let it = running.swap_remove(at);
                finished += 1;
                done(it.index, it.end());
                continue;
            }
            at += 1;
        }
        watcher.report(&format!("{finished} of {} tests", tests.len()));
        thread::sleep(INTERVAL);
    }
}

fn start(args: &Args, index: usize, wanted: &Wanted, jobs: usize) -> Result<Running, Failure> {
    let folder = Host.folder()?;
    let file = |name: &str| (*folder).as_ref().join(name);
    let failed = |error: std::io::Error| Failure::new(format!("raddle cannot be started: {error}"));
    let mut command = Command::new(env::current_exe().map_err(failed)?);
    command
        .args(arguments(args, wanted, jobs, &file))
        .stdin(Stdio::null())
        .stdout(File::create(file("answer")).map_err(failed)?)
        .stderr(File::create(file("errors")).map_err(failed)?);
    Ok(Running {
        index,
        process: Process::start(&mut command).map_err(failed)?,
        begun: Instant::now(),
        folder,
    })
}

/// The command line of `raddle check`.
fn arguments(
    args: &Args,
    wanted: &Wanted,
    jobs: usize,
    file: &dyn Fn(&str) -> PathBuf,
) -> Vec<std::ffi::OsString> {
    let test = &wanted.test;
    let launch = test.launch.clone().unwrap_or_default();
    let mut words: Vec<std::ffi::OsString> = vec!["check".into()];
    words.push(match test.launch.is_ok() {
        true => launch.file.clone().into(),
        // It is not read.
        false => args.folder.clone().into(),
    });
    let mut add = |flag: &str, value: std::ffi::OsString| {
        words.push(flag.into());
        words.push(value);
    };
    add("--as-test", (&test.name).into());
    if let Err(why) = &test.launch {
        add("--obstacle", why.into());
    }
    for remark in &test.remarks {
        add("--remark", remark.into());
    }
    if let Some(main) = &launch.main {
        add("--main", main.into());
    }
    for entry in &launch.class_path {
        add("--class-path", entry.into());
    }
    for folder in &launch.resources {
        add("--resources", folder.into());
    }
    if let Some(jdk) = launch.jdk.as_ref().or(args.jdk.as_ref()) {
        add("--jdk", jdk.into());
    }
    for sources in &wanted.sources {
        add("--sources", sources.into());
    }
    add("--time", format!("{}ms", args.time.as_millis()).into());
    let share = memory::default_limit().map(|all| (all / jobs as u64).to_string());
    let given = args.memory.map(|it| it.to_string());
    if let Some(memory) = given.or(share) {
        add("--memory", memory.into());
    }
    add("--jobs", "1".into());
    add("--junit", file("junit.xml").into());
    add("--sarif", file("results.sarif").into());
    add("--html", file("page.html").into());
    if test.has_time_limit {
        words.push("--time-limited".into());
    }
    words.push("--json".into());
    words.extend(args.flags.iter().map(Into::into));
    words.push("--".into());
    words.extend(launch.arguments.iter().map(Into::into));
    words
}

impl Running {
    /// What it has left behind; it is ended if it has not ended by itself.
    fn end(self) -> Outcome {
        let elapsed = self.begun.elapsed();
        let has_ended = drop_process(self.process);
        let folder = (*self.folder).as_ref();
        let text = |name: &str| read(&folder.join(name));
        let json = |name: &str| {
            let text = text(name)?;
            serde_json::from_str::<Value>(&text).ok()
        };
        let answer = json("answer").filter(|it| it["verdict"].is_string());
        let why = || match has_ended {
            false => format!("the process was ended after {}", seconds(elapsed)),
            true => {
                let answered = json("answer").unwrap_or_default();
                let told = answered["error"]["message"].as_str().map(str::to_owned);
                let told = told.or_else(|| text("errors")).unwrap_or_default();
                let line = told.lines().find(|line| !line.trim().is_empty());
                let line = line.unwrap_or("it has said nothing");
                format!("the process has ended without a verdict: {line}")
            }
        };
        Outcome {
            answer: answer.ok_or_else(why),
            junit: text("junit.xml"),
            sarif: json("results.sarif"),
            page: text("page.html"),
            elapsed,
        }
    }
}

/// Ends a process; the answer is whether it had ended already.
fn drop_process(mut process: Process) -> bool {
    process.status().is_ok_and(|status| status.is_some())
}

fn read(path: &Path) -> Option<String> {
    let length = fs::metadata(path).ok()?.len();
    let is_small = length > 0 && length <= files::LARGEST_OUTPUT;
    is_small.then(|| fs::read_to_string(path).ok()).flatten()
}
