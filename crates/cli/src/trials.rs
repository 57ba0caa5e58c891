//! One program searched in several ways, and whether the answers agree.

use crate::args::When;
use crate::failure::Failure;
use crate::files;
use crate::origin::TraceOrigin;
use crate::pipeline::{self, Request};
use crate::programs::{Program, Setup};
use crate::progress::Watcher;
use raddle_model::{Properties, Property, Trace};
use raddle_reduce::{Reduction, Strictness};
use raddle_report::Source;
use raddle_report::saved::SavedJava;
use raddle_search::{Order, StoreKind, Survey};
use std::path::Path;
use std::time::{Duration, Instant};

/// A program that can be searched again and again, each time as if it were the first.
pub(crate) trait Subject {
    /// The search that a reduction comes to, or why there is none.
    fn engine(&self, reduction: Reduction) -> Result<Reduction, &'static str>;

    /// What a search preserves of the properties that are asked for.
    fn preserved(&self, engine: Reduction, asked: Properties) -> Properties {
        pipeline::preserved(engine, asked)
    }

    /// Whether a reduction can be held to what is claimed of accesses.
    fn checks(&self, reduction: Reduction) -> bool {
        reduction.entry().checks
    }

    /// How invariants and temporal properties are called, if there are any.
    fn stated(&self) -> [Option<&'static str>; 2];

    /// Searches.
    fn search(&mut self, request: &Request, watcher: &mut Watcher) -> Result<Trial, Failure>;
}

/// A program that a search does not change.
pub(crate) struct Constant<P>(pub(crate) P);

impl<P: Program> Subject for Constant<P> {
    fn engine(&self, reduction: Reduction) -> Result<Reduction, &'static str> {
        Ok(reduction)
    }

    fn stated(&self) -> [Option<&'static str>; 2] {
        pipeline::stated(&self.0)
    }

    fn search(&mut self, request: &Request, watcher: &mut Watcher) -> Result<Trial, Failure> {
        let request = &request.begun(watcher);
        let stopwatch = Stopwatch::start();
        let program = &self.0;
        let survey = match request.paranoid {
            false => request.search(program, watcher),
            true => pipeline::distrustful_search(program, request, watcher),
        };
        Ok(Trial::new(&self.0, request, survey, stopwatch.read()))
    }
}

/// Measures how long a search takes.
pub(crate) struct Stopwatch {
    started: Instant,
    cpu: Option<Duration>,
}

impl Stopwatch {
    pub(crate) fn start() -> Stopwatch {
        Stopwatch {
            started: Instant::now(),
            cpu: cpu_time(),
        }
    }

    /// The time since the start, and the processor time of this process since then.
    pub(crate) fn read(&self) -> (Duration, Option<Duration>) {
        let cpu = cpu_time().zip(self.cpu);
        let cpu = cpu.map(|(now, before)| now.saturating_sub(before));
        (self.started.elapsed(), cpu)
    }
}

/// The processor time that this process has used so far, in all its threads.
#[cfg(unix)]
fn cpu_time() -> Option<Duration> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeVal;
    let usage = getrusage(UsageWho::RUSAGE_SELF).ok()?;
    let duration = |it: TimeVal| -> Option<Duration> {
        let seconds = u64::try_from(it.tv_sec()).ok()?;
        let micros = u32::try_from(it.tv_usec()).ok()?;
        Some(Duration::new(seconds, micros.checked_mul(1000)?))
    };
    Some(duration(usage.user_time())? + duration(usage.system_time())?)
}

#[cfg(not(unix))]
fn cpu_time() -> Option<Duration> {
    None
}

/// One search, and what it was asked for.
pub(crate) struct Trial {
    pub(crate) reduction: Reduction,
    pub(crate) properties: Properties,
    pub(crate) survey: Survey,
    /// The first violation executed once more, or why that is not possible.
    replayed: Option<Result<Trace, String>>,
    /// Processor time of the search, if it is known.
    pub(crate) cpu: Option<Duration>,
    /// How a Java program was run.
    pub(crate) java: Option<SavedJava>,
}

impl Trial {
    pub(crate) fn new<P: Program>(
        program: &P,
        request: &Request,
        mut survey: Survey,
        (elapsed, cpu): (Duration, Option<Duration>),
    ) -> Trial {
        survey.statistics.elapsed = elapsed;
        let stop = &request.search.stop;
        let mut replayed = survey.violations.first().map(|found| {
            let again = || pipeline::execute(program, &found.schedule, &found.property);
            stop.lifted(again).map_err(|error| {
                let schedule = &found.schedule;
                format!("{error}\n  its schedule: {schedule:?}")
            })
        });
        // What was cut short may not be as it seems.
        if let (Some(Err(_)), Some(reason)) = (&replayed, stop.cause()) {
            survey.violations.clear();
            survey.reasons.push(reason);
            replayed = None;
        }
        Trial {
            reduction: request.method.reduction,
            properties: request.search.properties,
            survey,
            replayed,
            cpu,
            java: None,
        }
    }

    /// The name of the reduction.
    pub(crate) fn name(&self) -> &'static str {
        self.reduction.entry().name
    }

    /// `holds`, `unknown`, or the kind of the violation.
    pub(crate) fn answer(&self) -> &'static str {
        match self.survey.violations.first() {
            Some(violation) => violation.property.name(),
            None if self.survey.reasons.is_empty() => "holds",
            None => "unknown",
        }
    }

    pub(crate) fn holds(&self) -> bool {
        self.answer() == "holds"
    }

    pub(crate) fn is_violated(&self) -> bool {
        !self.survey.violations.is_empty()
    }

    /// Whether it was asked for that which another one has found.
    fn was_asked_for(&self, found: &Trial) -> bool {
        let violation = found.survey.violations.first();
        violation.is_some_and(|it| match &it.property {
            Property::Fault(fault) if fault.kind.is_of_state() => self.properties.invariants,
            Property::Fault(_) => self.properties.faults,
            Property::Deadlock(_) => self.properties.deadlock,
            Property::PartialDeadlock(_) => self.properties.partial_deadlock,
            Property::Temporal(_) => self.properties.temporal,
            Property::NoEnd(_) => self.properties.ends,
        })
    }
}

/// The searches of one program.
pub(crate) struct Trials {
    /// Full search for all that is asked for, with which the others are compared.
    pub(crate) full: Trial,
    /// The others.
    pub(crate) reduced: Vec<Trial>,
    /// Reductions that were not tried, and why.
    pub(crate) absent: Vec<(&'static str, &'static str)>,
    /// Full search for what others were asked for, where the first one ended with something
    /// else.
    further: Vec<Trial>,
}

impl Trials {
    /// Searches a program as it is asked for, in full and with some reductions. Those that can
    /// make use of several processors get so many `jobs`.
    pub(crate) fn run(
        subject: &mut dyn Subject,
        request: &Request,
        reductions: &[Reduction],
        jobs: usize,
    ) -> Result<Trials, Failure> {
        let mut bench = Bench {
            subject,
            request,
            jobs,
        };
        let asked = request.search.properties;
        let mut trials = Trials {
            full: bench.search(Reduction::FULL, asked)?,
            reduced: Vec::new(),
            absent: Vec::new(),
            further: Vec::new(),
        };
        for &reduction in reductions.iter().filter(|it| **it != Reduction::FULL) {
            let engine = match bench.engine(reduction) {
                Ok(engine) => engine,
                Err(why) => {
                    trials.absent.push((reduction.entry().name, why));
                    continue;
                }
            };
            let properties = bench.subject.preserved(engine, asked);
            let trial = bench.search(reduction, properties)?;
            // Full search may have ended before it could find what this one did not.
            let is_open = trials.full.is_violated() && !trial.was_asked_for(&trials.full);
            let mut further = trials.further.iter();
            let is_known = further.any(|it| it.properties == properties);
            if trial.holds() && is_open && !is_known {
                let further = bench.search(Reduction::FULL, properties)?;
                trials.further.push(further);
            }
            trials.reduced.push(trial);
        }
        Ok(trials)
    }

    /// What to complain of: an answer that contradicts another one, or a violation that does
    /// not happen again; nothing if all is well. What was found is saved in a folder, under
    /// names that are free.
    pub(crate) fn bugs(&self, sources: &[Source], setup: &Setup, folder: &Path) -> String {
        let all = || {
            let full = std::iter::once(&self.full);
            full.chain(&self.reduced).chain(&self.further)
        };
        let mut told = String::new();
        for trial in all() {
            if let Some(Err(why)) = &trial.replayed {
                told.push_str(&format!(
                    "{BUG}: what `{}` found could not be replayed: {why}\n",
                    trial.name()
                ));
            }
        }
        let mut wanted: Vec<&Trial> = Vec::new();
        for trial in all().filter(|it| it.holds()) {
            let Some(other) = all().find(|it| trial.was_asked_for(it)) else {
                continue;
            };
            told.push_str(&format!(
                "{BUG}: `{}` answers holds, `{}` answers {}\n",
                trial.name(),
                other.name(),
                other.answer()
            ));
            if !wanted.iter().any(|it| std::ptr::eq(*it, other)) {
                wanted.push(other);
            }
        }
        for trial in wanted {
            if let Some(Ok(trace)) = &trial.replayed {
                told.push_str(&trial.save(trace, sources, setup, folder));
            }
        }
        told
    }
}

const BUG: &str = "BUG OF RADDLE, please report it";

impl Trial {
    /// Saves its trace; the answer is what to say of that.
    fn save(&self, trace: &Trace, sources: &[Source], setup: &Setup, folder: &Path) -> String {
        let origin = TraceOrigin {
            sources,
            setup,
            java: self.java.as_ref(),
        };
        let name = self.name();
        let path = folder.join(format!("raddle-bug-{name}.json"));
        match files::write_new(&path, &origin.saved(trace)) {
            Ok(path) => format!("  the trace of `{name}`: {}\n", path.display()),
            Err(failure) => format!(
                "  the trace of `{name}` could not be saved: {}",
                failure.text(false)
            ),
        }
    }
}

/// A subject, and what is asked of it.
struct Bench<'a> {
    subject: &'a mut dyn Subject,
    request: &'a Request,
    jobs: usize,
}

impl Bench<'_> {
    /// The search that a reduction comes to, or why there is none as it is asked for.
    fn engine(&self, reduction: Reduction) -> Result<Reduction, &'static str> {
        let engine = self.subject.engine(reduction)?;
        let is_strict = self.request.method.strictness == Strictness::Strict;
        if is_strict && !self.subject.checks(reduction) {
            return Err("does not check who accesses what");
        }
        let search = &self.request.search;
        let is_plain = (search.order, search.store) == (Order::DepthFirst, StoreKind::Exact);
        match engine.entry().orders || is_plain {
            true => Ok(engine),
            false => Err("has its own search order and its own exact store"),
        }
    }

    fn search(&mut self, reduction: Reduction, properties: Properties) -> Result<Trial, Failure> {
        let mut watcher = Watcher::new(&self.request.search.limits, When::Auto);
        let mut request = self.request.stopped_by(&watcher);
        request.method.reduction = reduction;
        request.search.properties = properties;
        let engine = self.subject.engine(reduction).map_err(Failure::new)?;
        let is_concurrent = engine.entry().concurrent && request.search.store.is_shared();
        request.search.jobs = if is_concurrent { self.jobs } else { 1 };
        let trial = self.subject.search(&request, &mut watcher);
        watcher.clear();
        trial
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::model;
    use raddle_machine::Machine;
    use raddle_model::{Limits, Reason};
    use raddle_search::Config;
    use std::fs;
    use std::path::PathBuf;

    const RACE: &str = "int x; thread t[2] { x = x + 1; assert(x == 1); }";
    /// Full search ends at the deadlock; only a search that is not asked for it can find the
    /// assertion.
    const BOTH: &str = "lock a; lock b; int x;
        thread p { assert(x == 0); acquire(a); acquire(b); release(b); release(a); }
        thread q { x = 1; acquire(b); acquire(a); release(a); release(b); }";

    fn folder(test: &str) -> PathBuf {
        let name = format!("raddle-{test}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a folder can be made");
        folder
    }

    /// A program with searches whose answers are changed.
    struct Spoiled<F> {
        program: Machine,
        spoil: F,
    }

    impl<F: Fn(Reduction, Properties, &mut Survey)> Subject for Spoiled<F> {
        fn engine(&self, reduction: Reduction) -> Result<Reduction, &'static str> {
            Ok(reduction)
        }

        fn stated(&self) -> [Option<&'static str>; 2] {
            [None, None]
        }

        fn search(&mut self, request: &Request, watcher: &mut Watcher) -> Result<Trial, Failure> {
            let mut survey = request.search(&self.program, watcher);
            let reduction = request.method.reduction;
            (self.spoil)(reduction, request.search.properties, &mut survey);
            Ok(Trial::new(
                &self.program,
                request,
                survey,
                Stopwatch::start().read(),
            ))
        }
    }

    /// What is said of the searches of a program: in full, and with a reduction.
    fn told(
        test: &str,
        program: &str,
        reduction: Reduction,
        spoil: impl Fn(Reduction, Properties, &mut Survey),
    ) -> (String, PathBuf) {
        let source = Source {
            name: "test.rad".to_owned(),
            text: program.to_owned(),
        };
        let setup = Setup::default();
        let program = model(&source, &setup).expect("it is well formed");
        let request = Request {
            setup: setup.clone(),
            method: Reduction::FULL.into(),
            search_flag: None,
            paranoid: false,
            search: Config {
                limits: Limits::NONE,
                ..Config::default()
            },
            part: None,
            all: false,
            shorten: false,
            explain: false,
            certificate: false,
        };
        let mut subject = Spoiled { program, spoil };
        let trials = Trials::run(&mut subject, &request, &[reduction], 1);
        let trials = trials.unwrap_or_else(|failure| panic!("{}", failure.text(false)));
        let folder = folder(test);
        (trials.bugs(&[source], &setup, &folder), folder)
    }

    #[test]
    fn answers_that_agree_are_no_bug() {
        let (told, folder) = told("agree", RACE, Reduction::PERSISTENT, |_, _, _| {});
        assert_eq!(told, "");
        let unknown = |reduction, _, survey: &mut Survey| {
            if reduction == Reduction::PERSISTENT {
                survey.violations.clear();
                survey.reasons.push(Reason::Time);
            }
        };
        let (told, _) = self::told("agree", RACE, Reduction::PERSISTENT, unknown);
        assert_eq!(told, "");
        fs::remove_dir_all(folder).expect("it was made");
    }

    #[test]
    fn a_contradiction_is_told_and_the_trace_saved() {
        let spoil = |reduction, _, survey: &mut Survey| {
            if reduction == Reduction::PERSISTENT {
                survey.violations.clear();
            }
        };
        let (told, folder) = told("contradiction", RACE, Reduction::PERSISTENT, spoil);
        assert!(told.starts_with("BUG OF RADDLE"), "{told}");
        assert!(told.contains("`persistent` answers holds"), "{told}");
        let first = folder.join("raddle-bug-none.json");
        assert!(told.contains(&first.display().to_string()), "{told}");
        let saved = files::read_trace(&first).expect("it is a trace");
        assert_eq!(saved.property.name(), "assertion");
        assert!(!saved.schedule.is_empty());
        // The next one gets another name.
        let before = fs::read(&first).expect("it is there");
        let (told, _) = self::told("contradiction", RACE, Reduction::PERSISTENT, spoil);
        assert!(told.contains("raddle-bug-none.2.json"), "{told}");
        assert_eq!(fs::read(&first).expect("it is there"), before);
        fs::remove_dir_all(folder).expect("it was made");
    }

    #[test]
    fn what_full_search_did_not_come_to_is_asked_for_again() {
        let is_reduced = |reduction| reduction == Reduction::CARTESIAN;
        let deadlock_first = |reduction, asked: Properties, survey: &mut Survey| {
            assert_eq!(
                asked.deadlock,
                !is_reduced(reduction) && asked.partial_deadlock
            );
            if asked.deadlock {
                assert_eq!(survey.violations[0].property.name(), "deadlock");
            }
            if is_reduced(reduction) {
                survey.violations.clear();
            }
        };
        let (told, folder) = told("further", BOTH, Reduction::CARTESIAN, deadlock_first);
        assert!(told.contains("`cartesian` answers holds"), "{told}");
        assert!(told.contains("`none` answers assertion"), "{told}");
        fs::remove_dir_all(folder).expect("it was made");
    }

    #[test]
    fn a_violation_that_does_not_happen_is_a_bug() {
        let spoil = |reduction, _, survey: &mut Survey| {
            if reduction == Reduction::PERSISTENT {
                survey.violations[0].schedule.truncate(1);
            }
        };
        let (told, folder) = told("replay", RACE, Reduction::PERSISTENT, spoil);
        assert!(told.contains("could not be replayed"), "{told}");
        assert!(told.contains("its schedule"), "{told}");
        fs::remove_dir_all(folder).expect("it was made");
    }
}
