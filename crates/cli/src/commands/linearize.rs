//! `raddle linearize`: whether what threads see of a data structure is what its operations give one
//! after the other.

use super::{check, exit_code, flags};
use crate::args::Linearize;
use crate::console::{self, Console, complain};
use crate::failure::Failure;
use crate::front;
use crate::java::structure::{Examined, Examiner, find};
use crate::pipeline::{Finding, Request};
use crate::programs::Text;
use crate::progress::Watcher;
use raddle_java::MemoryModel;
use raddle_jdk::structure::Structure;
use raddle_linearize::{Bounds, NOT_LINEARIZABLE, Scenario, Table};
use raddle_model::{Property, Reason, Statistics};
use raddle_report::json::outcome_json;
use raddle_report::{Answer, Report, Source};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Linearize, console: Console) -> Result<u8, Failure> {
    let flags = &args.check;
    check::guard(flags)?;
    let Some(class) = &flags.question.class else {
        return Err(Failure::new("--class says which class is to be examined"));
    };
    let jvm = front::of("Main.java".as_ref());
    let mut text = match class.starts_with("java.") {
        true => Text {
            front: jvm,
            sources: Vec::new(),
            processes: Vec::new(),
        },
        false => flags::read(&flags.question, &flags.file)?,
    };
    for folder in &flags.sources {
        text.sources.extend(text.front.read(folder)?);
    }
    let mut request = check::request(flags, jvm)?;
    // That one call is before another one is the order of steps, of which threads that read old
    // values know nothing.
    if flags.question.memory_model.is_none() {
        request.setup.memory_model = MemoryModel::Sequential;
    }
    let mut watcher = Watcher::new(&request.search.limits, flags.progress);
    let request = request.stopped_by(&watcher);
    let structure = find(args, class, &request.setup)?;
    let (name, driver) = structure.driver.clone();
    text.sources.push(Source { name, text: driver });
    watcher.say_at_last(Some(check::last_words(flags, &text, &request, console)));
    let campaign = Campaign {
        structure: &structure,
        text: &text,
        request: &request,
        bounds: args.bounds(),
        most: args.scenarios.unwrap_or(u64::MAX),
    };
    let tally = campaign.run(&mut watcher)?;
    let (mut finding, bad) = campaign.conclude(tally, &mut watcher)?;
    if flags.reduction.is_none() {
        // What was not asked for is not explained.
        finding.remarks.retain(|it| !it.starts_with("auto: "));
    }
    let report = check::report(flags, &text, &request, &finding);
    let table = bad
        .as_ref()
        .map(|it| Table::new(it, &structure.calls, &message(&report)));
    let title = campaign.title(&report, bad.is_some());
    let told = match flags.json {
        true => format!(
            "{:#}\n",
            campaign.json(&report, bad.as_ref(), table.as_ref())
        ),
        false => {
            let table = table.map(|it| it.text()).unwrap_or_default();
            let rest = check::render(flags, &report, console);
            format!("{title}\n{table}\n{rest}")
        }
    };
    watcher.clear();
    watcher.say_at_last(None);
    let mut failures = Vec::from_iter(console::answer(&told).err());
    failures.extend(check::save_all(flags, &text, &request, &finding, &report));
    for failure in failures {
        complain(&failure.text(console.error_color));
    }
    Ok(exit_code(report.answer()))
}

/// What the violation says.
fn message(report: &Report<'_>) -> String {
    match report.traces.first().map(|trace| &trace.property) {
        Some(Property::Fault(fault)) => fault.message.clone(),
        _ => String::new(),
    }
}

/// Scenarios of a data structure, and how they are examined.
struct Campaign<'a> {
    structure: &'a Structure,
    text: &'a Text,
    request: &'a Request,
    bounds: Bounds,
    /// So many scenarios at the most.
    most: u64,
}

/// What came of the scenarios.
#[derive(Default)]
struct Tally {
    searched: u64,
    /// How many were left out because operations wait for ever.
    waiting: u64,
    /// The first one that is violated.
    bad: Option<(usize, Scenario)>,
    finding: Finding,
}

/// Who examines scenarios takes the next one from here.
struct Pile<I> {
    scenarios: Mutex<(usize, I)>,
    /// The smallest that is violated; larger ones need not be examined any more.
    first_bad: AtomicUsize,
}

impl<I: Iterator<Item = Scenario>> Pile<I> {
    fn next(&self) -> Option<(usize, Scenario)> {
        let mut scenarios = self.scenarios.lock().ok()?;
        let index = scenarios.0;
        if index > self.first_bad.load(Ordering::Relaxed) {
            return None;
        }
        scenarios.0 += 1;
        Some((index, scenarios.1.next()?))
    }
}

type Answered = (usize, Scenario, Result<Examined, Failure>);

impl Campaign<'_> {
    /// Examines scenarios on all processors.
    fn run(&self, watcher: &mut Watcher) -> Result<Tally, Failure> {
        let calls = self.structure.calls.len();
        let most = usize::try_from(self.most).unwrap_or(usize::MAX);
        let pile = Pile {
            scenarios: Mutex::new((0, self.bounds.scenarios(calls).take(most))),
            first_bad: AtomicUsize::new(usize::MAX),
        };
        let stop = Arc::new(AtomicBool::new(false));
        let mut tally = Tally::default();
        thread::scope(|scope| {
            let (sender, receiver) = channel();
            for _ in 0..self.request.search.jobs {
                let (sender, stop, pile) = (sender.clone(), Arc::clone(&stop), &pile);
                let work = move || self.work(pile, stop, &sender);
                let builder = thread::Builder::new().stack_size(STACK);
                // Without a thread there are fewer; without any, nothing is examined.
                drop(builder.spawn_scoped(scope, work));
            }
            drop(sender);
            let mut failed = None;
            loop {
                match receiver.recv_timeout(TICK) {
                    Ok((index, scenario, answer)) => match answer {
                        Ok(examined) => tally.add(index, scenario, examined, &pile.first_bad),
                        Err(failure) => match Finding::of_failure(failure) {
                            Ok(finding) => {
                                let examined = Examined::Searched(Box::new(finding));
                                tally.add(index, scenario, examined, &pile.first_bad);
                            }
                            Err(failure) => {
                                failed.get_or_insert(failure);
                                stop.store(true, Ordering::Relaxed);
                                pile.first_bad.store(0, Ordering::Relaxed);
                            }
                        },
                    },
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if let Some(reason) = watcher.wants_end() {
                    stop.store(true, Ordering::Relaxed);
                    pile.first_bad.fetch_min(0, Ordering::Relaxed);
                    if !tally.finding.reasons.contains(&reason) {
                        tally.finding.reasons.push(reason);
                    }
                }
                watcher.report(&format!("{} scenarios examined", tally.searched));
            }
            watcher.clear();
            failed.map_or(Ok(tally), Err)
        })
    }

    /// Examines scenarios as long as there are some.
    fn work<I: Iterator<Item = Scenario>>(
        &self,
        pile: &Pile<I>,
        stop: Arc<AtomicBool>,
        answers: &Sender<Answered>,
    ) {
        let mut watcher = Watcher::stopped_by(None, stop);
        let mut request = self.request.stopped_by(&watcher);
        request.search.jobs = 1;
        let mut examiner = Examiner::new(self.structure, self.text, &request);
        while let Some((index, scenario)) = pile.next() {
            let answer = match &mut examiner {
                Ok(examiner) => examiner.examine(&scenario, &mut watcher, false),
                Err(_) => match std::mem::replace(&mut examiner, Err(Failure::new(""))) {
                    Err(failure) => Err(failure),
                    Ok(_) => return,
                },
            };
            let is_over = examiner.is_err();
            if answers.send((index, scenario, answer)).is_err() || is_over {
                return;
            }
        }
    }

    /// What is to be told; and the scenario that is violated, examined once more to show it.
    fn conclude(
        &self,
        tally: Tally,
        watcher: &mut Watcher,
    ) -> Result<(Finding, Option<Scenario>), Failure> {
        let Some((_, scenario)) = tally.bad else {
            let mut finding = tally.finding;
            if let Some(all) = &mut finding.statistics {
                all.elapsed = watcher.elapsed();
            }
            // What a limit has cut short says only that.
            if finding.reasons.contains(&Reason::Time) {
                finding
                    .reasons
                    .retain(|it| !matches!(it, Reason::Interrupted | Reason::Partial(_)));
            }
            if tally.waiting > 0 {
                finding.reasons.push(Reason::GaveUp(format!(
                    "not supported: {} in which an operation waits for ever if others come before it",
                    scenarios(tally.waiting)
                )));
            }
            let all = self.bounds.count(self.structure.calls.len());
            let examined = tally.searched + tally.waiting;
            if examined < all && finding.reasons.is_empty() {
                let left = scenarios(all - examined);
                finding
                    .not_covered
                    .push(format!("{left} within the bounds"));
            }
            finding.not_covered.push(
                "scenarios with more threads or operations, other arguments, and whether \
                 operations end"
                    .to_owned(),
            );
            finding
                .remarks
                .insert(0, format!("{} examined", scenarios(tally.searched)));
            return Ok((finding, None));
        };
        let mut request = self.request.clone();
        request.search.jobs = 1;
        let mut examiner = Examiner::new(self.structure, self.text, &request)?;
        let examined = examiner.examine(&scenario, watcher, self.request.shorten)?;
        match examined {
            Examined::Searched(finding) if !finding.traces.is_empty() => {
                Ok((*finding, Some(scenario)))
            }
            // The same search has another answer only if it was stopped.
            _ => Ok((
                Finding {
                    reasons: vec![watcher.wants_end().unwrap_or(Reason::Interrupted)],
                    ..Finding::default()
                },
                None,
            )),
        }
    }

    /// What the verdict is about.
    fn title(&self, report: &Report<'_>, is_bad: bool) -> String {
        let name = &self.structure.name;
        match report.answer() {
            Answer::Violated if message(report).starts_with(NOT_LINEARIZABLE) => {
                format!("{name} is not linearizable:\n")
            }
            Answer::Violated if is_bad => format!("{name} goes wrong:\n"),
            Answer::Holds => format!("{name} is linearizable in all scenarios that were examined"),
            _ => format!("Whether {name} is linearizable is not known"),
        }
    }

    fn json(&self, report: &Report<'_>, bad: Option<&Scenario>, table: Option<&Table>) -> Value {
        let mut told = outcome_json(report);
        let calls = &self.structure.calls;
        let names = |numbers: &[usize]| -> Vec<&str> {
            numbers.iter().map(|&it| calls[it].as_str()).collect()
        };
        let scenario = bad.map(|it| {
            let threads: Vec<_> = it.threads.iter().map(|it| names(it)).collect();
            json!({
                "before": names(&it.before),
                "threads": threads,
                "after": names(&it.after),
                "results": table.map(Table::results),
            })
        });
        let structure = json!({
            "class": self.structure.name,
            "operations": calls,
            "size": { "threads": self.bounds.threads, "operations": self.bounds.per_thread,
                "before": self.bounds.before, "after": self.bounds.after },
            "scenario": scenario,
        });
        if let Value::Object(told) = &mut told {
            told.insert("linearizability".to_owned(), structure);
        }
        told
    }
}

/// As much as the main thread of a process has.
const STACK: usize = 8 << 20;

/// How often it is looked whether an end is wanted.
const TICK: Duration = Duration::from_millis(50);

fn scenarios(count: u64) -> String {
    match count {
        1 => "one scenario".to_owned(),
        many => format!("{many} scenarios"),
    }
}

impl Tally {
    fn add(&mut self, index: usize, scenario: Scenario, examined: Examined, bad: &AtomicUsize) {
        let finding = match examined {
            Examined::Waits => {
                self.waiting += 1;
                return;
            }
            Examined::Searched(finding) => *finding,
        };
        if !finding.traces.is_empty() {
            bad.fetch_min(index, Ordering::Relaxed);
            if self.bad.as_ref().is_none_or(|(known, _)| index < *known) {
                self.bad = Some((index, scenario));
            }
            return;
        }
        self.searched += 1;
        let own = &mut self.finding;
        add_new(&mut own.reasons, finding.reasons);
        add_new(&mut own.remarks, finding.remarks);
        add_new(&mut own.not_covered, finding.not_covered);
        own.races.extend(
            finding
                .races
                .into_iter()
                .filter(|race| !own.races.contains(race))
                .collect::<Vec<_>>(),
        );
        let more = finding.statistics.unwrap_or_default();
        let all = own.statistics.get_or_insert_with(Statistics::default);
        all.states += more.states;
        all.transitions += more.transitions;
        all.depth = all.depth.max(more.depth);
        all.store_bytes += more.store_bytes;
        all.peak_bytes = all.peak_bytes.max(more.peak_bytes);
    }
}

/// Adds what is not there yet.
fn add_new<T: PartialEq>(all: &mut Vec<T>, new: Vec<T>) {
    for item in new {
        if !all.contains(&item) {
            all.push(item);
        }
    }
}
