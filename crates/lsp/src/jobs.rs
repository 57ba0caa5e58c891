//! What takes time: searches, each on a thread of its own.

use crate::document::{Document, Language};
use crate::{Backend, CheckResult, Note, Program};
use crossbeam_channel::Sender;
use lsp_server::RequestId;
use raddle_cbp::Interpreter;
use raddle_machine::{Machine, MachineLimits};
use raddle_model::{Limits, Reason};
use raddle_reduce::accesses::{Accesses, accesses};
use raddle_search::{Config, Monitor, Progress};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// How many states are looked at for who accesses what.
const MOST_STATES: u64 = 20_000;
/// How much memory that may take.
const MOST_BYTES: u64 = 256 << 20;

/// The searches that are going on.
pub(crate) struct Jobs {
    running: BTreeMap<u64, Job>,
    next: u64,
    done: Sender<Done>,
}

/// A search.
pub(crate) struct Job {
    /// The document that it is about.
    pub(crate) uri: String,
    /// The request that it answers, if it is one.
    pub(crate) request: Option<RequestId>,
    stop: Arc<AtomicBool>,
}

/// What came of a search, with its number.
pub(crate) struct Done {
    pub(crate) job: u64,
    pub(crate) result: Result,
}

/// What came of a search.
pub(crate) enum Result {
    /// Who accesses what; nothing if the program has errors.
    Accesses(Option<Accesses>),
    CheckResult(CheckResult),
    /// What threads share.
    Notes(Vec<Note>),
}

impl Jobs {
    pub(crate) fn new(done: Sender<Done>) -> Jobs {
        Jobs {
            running: BTreeMap::new(),
            next: 1,
            done,
        }
    }

    /// Looks for who accesses what.
    pub(crate) fn look(&mut self, uri: &str, document: &Document) -> u64 {
        let (language, text) = (document.language, document.text.clone());
        self.start(uri, None, move |stop| {
            Result::Accesses(look(language, &text, stop))
        })
    }

    /// Looks for what the threads of a Java program share.
    pub(crate) fn share(&mut self, uri: &str, file: PathBuf, backend: &Arc<dyn Backend>) -> u64 {
        let backend = Arc::clone(backend);
        self.start(uri, None, move |_| Result::Notes(backend.sharing(&file)))
    }

    /// Checks a program.
    pub(crate) fn check(
        &mut self,
        uri: &str,
        request: RequestId,
        program: Program,
        backend: &Arc<dyn Backend>,
    ) -> u64 {
        let backend = Arc::clone(backend);
        self.start(uri, Some(request), move |stop| {
            Result::CheckResult(backend.check(&program, stop))
        })
    }

    fn start(
        &mut self,
        uri: &str,
        request: Option<RequestId>,
        work: impl FnOnce(&Arc<AtomicBool>) -> Result + Send + 'static,
    ) -> u64 {
        let job = self.next;
        self.next += 1;
        let stop = Arc::new(AtomicBool::new(false));
        self.running.insert(
            job,
            Job {
                uri: uri.to_owned(),
                request,
                stop: Arc::clone(&stop),
            },
        );
        let done = self.done.clone();
        thread::spawn(move || {
            let result = work(&stop);
            // If the server has ended, nobody wants it.
            let _ = done.send(Done { job, result });
        });
        job
    }

    /// Takes a job that has come to its end; nothing if it was stopped before.
    pub(crate) fn finish(&mut self, job: u64) -> Option<Job> {
        self.running.remove(&job)
    }

    /// Stops the jobs for which something is true; with their numbers.
    pub(crate) fn stop(&mut self, wanted: impl Fn(u64, &Job) -> bool) -> Vec<(u64, Job)> {
        let stopped = self.running.extract_if(.., |&job, it| wanted(job, it));
        let stopped: Vec<(u64, Job)> = stopped.collect();
        for (_, job) in &stopped {
            job.stop.store(true, Ordering::Relaxed);
        }
        stopped
    }
}

fn look(language: Language, text: &str, stop: &Arc<AtomicBool>) -> Option<Accesses> {
    let config = Config {
        limits: Limits {
            states: Some(MOST_STATES),
            memory: Some(MOST_BYTES),
            ..Limits::NONE
        },
        ..Config::default()
    };
    let mut flag = Flag(stop);
    match language {
        Language::Model => {
            let program = raddle_lang::compile(text).ok()?;
            let machine = Machine::new(program, MachineLimits::default()).ok()?;
            Some(accesses(&machine, &config, &mut flag))
        }
        Language::Boolean => {
            let program = raddle_cbp::compile(text).ok()?;
            let interpreter = Interpreter::new(program, raddle_cbp::Limits::default());
            Some(accesses(&interpreter, &config, &mut flag))
        }
        Language::Java => None,
    }
}

/// Stops a search from outside.
struct Flag<'a>(&'a AtomicBool);

impl Monitor for Flag<'_> {
    fn tick(&mut self, _: &Progress) -> Option<Reason> {
        let is_set = self.0.load(Ordering::Relaxed);
        is_set.then_some(Reason::Interrupted)
    }
}
