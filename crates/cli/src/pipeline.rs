//! From a file to an answer: load, search, shorten, replay.

#[cfg(test)]
mod tests;

use crate::console::complain;
use crate::failure::Failure;
use crate::programs::{Program, Setup, Text};
use crate::progress::Watcher;
use crate::shortening;
use raddle_machine::reached::Reached;
use raddle_model::{
    Erased, Fairness, FaultKind, Move, Properties, Property, Race, Reach, Reason, Statistics,
    StopFlag, Trace, Violation,
};
use raddle_reduce::{Method, Query, Reduction, StrictClaims, Strictness, paranoid};
use raddle_report::Coverage;
use raddle_report::saved::SavedJava;
use raddle_search::{
    Archive, Config, Monitor, Order, Part, Progress, ReplayError, StoreKind, Survey,
};

/// Answers a request.
pub(crate) fn run(
    text: &Text,
    request: &Request,
    watcher: &mut Watcher,
) -> Result<Finding, Failure> {
    let request = &request.stopped_by(watcher);
    // A limit may be so small that nothing can begin.
    if let Some(reason) = watcher.begin(&request.search).stop.reason() {
        return Ok(Finding {
            remarks: Vec::from_iter(watcher.remark()),
            ..Finding::unknown(reason)
        });
    }
    let flags = text.front.flags();
    flags.refuse_others(&request.setup)?;
    flags.refuse_properties(request.search.properties)?;
    let found = text.front.check(text, request, watcher);
    let mut finding = found.or_else(Finding::of_failure)?;
    finding.remarks.extend(watcher.remark());
    Ok(finding)
}

/// Searches a program for what is wrong with it.
pub(crate) fn explore<P: Program>(
    program: &P,
    request: &Request,
    watcher: &mut Watcher,
) -> Result<Finding, Failure> {
    refuse_what_is_not_preserved(program, request)?;
    let request = &request.begun(watcher);
    let survey = match request.paranoid {
        false => {
            let early = &mut Early::new(program, request, watcher);
            request.search(program, early)
        }
        true => distrustful_search(program, request, watcher),
    };
    Ok(conclude(program, survey, request, watcher))
}

/// Searches a program in another way than the methods of the table: `search` finds the violations.
pub(crate) fn explore_by<P: Program>(
    program: &P,
    request: &Request,
    watcher: &mut Watcher,
    search: impl FnOnce(&Request, &mut dyn Monitor) -> Survey,
) -> Result<Finding, Failure> {
    refuse_what_is_not_preserved(program, request)?;
    let request = &request.begun(watcher);
    let survey = search(request, &mut Early::new(program, request, watcher));
    Ok(conclude(program, survey, request, watcher))
}

/// Makes a finding of what a search has found in a program.
pub(crate) fn conclude<P: Program>(
    program: &P,
    survey: Survey,
    request: &Request,
    watcher: &mut Watcher,
) -> Finding {
    let mut finding = Finding {
        reached: program.reached(),
        reasons: survey.reasons,
        remarks: survey.remarks,
        temporal: checked_temporal(program, request),
        statistics: Some(Statistics {
            elapsed: watcher.elapsed(),
            ..survey.statistics
        }),
        ..Finding::default()
    };
    // One violation is enough, and the reasons to doubt that there are no others do not
    // matter then.
    if !request.all && !survey.violations.is_empty() {
        finding.reasons.clear();
    }
    tell(program, survey.violations, request, watcher, &mut finding);
    finding
}

/// The names of the temporal properties that are checked, and of which executions.
fn checked_temporal<P: Program>(program: &P, request: &Request) -> Vec<(String, Fairness)> {
    let asked = request.search.properties.temporal && request.part.is_none();
    let properties = program.temporal_properties().iter().filter(|_| asked);
    properties
        .map(|it| (it.name.clone(), it.fairness))
        .collect()
}

/// Announces violations, looks for better traces of them, and adds these to a finding.
pub(crate) fn tell<P: Program>(
    program: &P,
    found: Vec<Violation>,
    request: &Request,
    watcher: &mut Watcher,
    finding: &mut Finding,
) {
    if found.is_empty() {
        return;
    }
    watcher.note_violations(&found);
    let stop = &request.search.stop;
    stop.lifted(|| announce(program, &found, watcher, finding));
    let shortened = match stop.is_set() {
        true => found.clone(),
        false => shortening::shortened(program, &found, request, watcher, finding),
    };
    watcher.clear();
    for (violation, better) in found.iter().zip(&shortened) {
        match stop.lifted(|| execute(program, &better.schedule, &better.property)) {
            Ok(trace) => finding.traces.push(trace),
            Err(_) => replay(program, violation, stop, finding),
        }
    }
}

/// Watches a search, and keeps what it finds on its way for the case that it does not end.
pub(crate) struct Early<'a, P> {
    program: &'a P,
    stop: &'a StopFlag,
    watcher: &'a mut Watcher,
}

impl<'a, P> Early<'a, P> {
    pub(crate) fn new(program: &'a P, request: &'a Request, watcher: &'a mut Watcher) -> Self {
        Early {
            program,
            stop: &request.search.stop,
            watcher,
        }
    }
}

impl<P: Program> Monitor for Early<'_, P> {
    fn tick(&mut self, progress: &Progress) -> Option<Reason> {
        self.watcher.tick(progress)
    }

    fn found(&mut self, violation: &Violation) {
        let Early { program, stop, .. } = *self;
        // What cannot be replayed is no verdict. What a reduction makes of a program has schedules
        // that the program has not: of those nothing is known before the search is over.
        let outline = stop.lifted(|| match outline(program, violation) {
            Ok(outline) if program.doubt(violation).is_none() => Some(outline),
            _ => None,
        });
        if let Some(outline) = outline {
            self.watcher.note_found(outline, violation);
        }
    }

    fn archive(&mut self) -> Option<&mut dyn Archive> {
        self.watcher.archive()
    }

    fn wants_pause(&mut self) -> bool {
        self.watcher.wants_pause()
    }
}

/// What is violated, and by whom.
fn outline<P: Program>(program: &P, violation: &Violation) -> Result<Trace, ReplayError> {
    let Violation { property, schedule } = violation;
    match is_broken_claim(property) {
        true => {
            let claims = StrictClaims::default();
            raddle_search::outline(&Erased(&claims.guard(program)), schedule, property)
        }
        false => raddle_search::outline(&Erased(program), schedule, property),
    }
}

/// Says what is violated as soon as that is known.
fn announce<P: Program>(
    program: &P,
    found: &[Violation],
    watcher: &mut Watcher,
    finding: &Finding,
) {
    // What cannot be replayed is no verdict.
    let outlines: Result<Vec<Trace>, _> = found.iter().map(|it| outline(program, it)).collect();
    if let Ok(outlines) = outlines {
        watcher.announce(&outlines, &finding.reasons, finding.statistics);
    }
}

/// What is to be checked, and how.
#[derive(Clone)]
pub(crate) struct Request {
    /// How it is run.
    pub(crate) setup: Setup,
    /// Which interleavings are skipped, and how.
    pub(crate) method: Method,
    /// The flag by which a search of states was asked for, where there are other ways to answer.
    pub(crate) search_flag: Option<&'static str>,
    /// Whether what the reductions take for granted is tried out.
    pub(crate) paranoid: bool,
    /// The search.
    pub(crate) search: Config,
    /// The executions that are explored, if not all are to be.
    pub(crate) part: Option<Part>,
    /// Whether to look for each different violation.
    pub(crate) all: bool,
    /// Whether to look for traces that are easier to follow.
    pub(crate) shorten: bool,
    /// Whether to tell how an answer about any number of threads came about.
    pub(crate) explain: bool,
    /// Whether a certificate is wanted in the form in which it is saved; it can be large.
    pub(crate) certificate: bool,
}

impl Request {
    /// The same, to be ended by a watcher.
    pub(crate) fn stopped_by(&self, watcher: &Watcher) -> Request {
        let mut request = self.clone();
        request.search.stop = watcher.stop_flag();
        request.setup.stop = watcher.stop_flag();
        request
    }

    /// Searches as it is asked for: everything, or a part.
    pub(crate) fn search<P: Program>(&self, program: &P, monitor: &mut dyn Monitor) -> Survey {
        program.search(self.query(), monitor)
    }

    fn query(&self) -> Query<'_> {
        Query {
            method: self.method,
            part: self.part,
            config: &self.search,
            stop_at_first: !self.all,
        }
    }

    /// The same, with the memory that is left when the program is there.
    pub(crate) fn begun(&self, watcher: &mut Watcher) -> Request {
        Request {
            search: watcher.begin(&self.search),
            ..self.clone()
        }
    }
}

/// What was found, and replayed.
#[derive(Default)]
pub(crate) struct Finding {
    pub(crate) traces: Vec<Trace>,
    pub(crate) reasons: Vec<Reason>,
    pub(crate) remarks: Vec<String>,
    /// What the verdict *holds* does not cover, in a few words each.
    pub(crate) not_covered: Vec<String>,
    /// Data races that are not violations.
    pub(crate) races: Vec<Race>,
    /// What executions came to, for those that know the text of the program; and in its words.
    pub(crate) reached: Option<Reached>,
    pub(crate) reach: Reach,
    /// How a Java program was run, so that it can be run like that again.
    pub(crate) java: Option<SavedJava>,
    /// How much a search did.
    pub(crate) statistics: Option<Statistics>,
    /// What an answer about any number of threads rests on.
    pub(crate) coverage: Option<Coverage>,
    /// What shows that nothing unsafe is reached, to be saved.
    pub(crate) certificate: Option<serde_json::Value>,
    /// With how many threads at the most a program was searched that could be decided for any
    /// number.
    pub(crate) threads: Option<usize>,
    /// The temporal properties that were checked, and of which executions.
    pub(crate) temporal: Vec<(String, Fairness)>,
    /// With how many threads of kinds of which there are any number a violation was found.
    pub(crate) replicas: Vec<(String, i64)>,
}

impl Finding {
    /// Nothing is known.
    pub(crate) fn unknown(reason: Reason) -> Finding {
        Finding {
            reasons: vec![reason],
            ..Finding::default()
        }
    }

    /// Nothing is known, if that is what a failure says.
    pub(crate) fn of_failure(failure: Failure) -> Result<Finding, Failure> {
        match failure.reason() {
            Some(reason) => Ok(Finding::unknown(reason.clone())),
            None => Err(failure),
        }
    }
}

/// A reduction is not asked for more than it can answer.
pub(crate) fn refuse_what_is_not_preserved<P: Program>(
    program: &P,
    request: &Request,
) -> Result<(), Failure> {
    let entry = request.method.reduction.entry();
    let is_plain = request.search.order == Order::DepthFirst
        && request.search.store == StoreKind::Exact
        && request.search.spill.is_none();
    if request.part.is_some() && !(is_plain && request.method.reduction == Reduction::FULL) {
        return Err(Failure::new(
            "--preemptions, --sample and --random-walks explore executions as they are; leave out \
             --reduction, --search and --store",
        ));
    }
    if request.method.strictness == Strictness::Strict && !entry.checks {
        return Err(Failure::new(format!(
            "the reduction `{}` does not check who accesses what; leave out --discipline strict, \
             or choose {}",
            entry.name,
            Reduction::listed(|it| it.entry().checks)
        )));
    }
    refuse_more_processors(request)?;
    let kept = Properties {
        // Asked for, although they are not found: it may turn out that there are none.
        deadlock: entry.preserves.deadlock || entry.excludes_deadlocks,
        ..preserved(request.method.reduction, request.search.properties)
    };
    let lost = names(without(request.search.properties, kept), stated(program));
    if let Some(what) = lost.first() {
        let flag = match *what {
            MUST_END => format!("leave out --{MUST_END}"),
            what => format!("leave the property out with --no-{what}"),
        };
        return Err(Failure::new(format!(
            "the reduction `{}` does not preserve this property: {what}; choose another \
             reduction, or {flag}",
            entry.name
        )));
    }
    if !entry.orders && !is_plain {
        return Err(Failure::new(format!(
            "the reduction `{}` has its own search order and its own exact store; leave out \
             --search, --store and --spill",
            entry.name
        )));
    }
    if request.search.spill.is_some() && !request.search.store.is_shared() {
        return Err(Failure::new("the bitstate store has no use for --spill"));
    }
    Ok(())
}

/// Several processors are not asked of a search that runs on one.
fn refuse_more_processors(request: &Request) -> Result<(), Failure> {
    let entry = request.method.reduction.entry();
    let store = request.search.store;
    let what = match () {
        _ if request.search.jobs <= 1 => return Ok(()),
        () if request.part.is_some() => {
            "a search with --preemptions, --sample or --random-walks".to_owned()
        }
        () if !entry.concurrent => format!("the reduction `{}`", entry.name),
        () if !store.is_shared() => format!("a search with the store `{}`", store.name()),
        () => return Ok(()),
    };
    Err(Failure::new(format!(
        "{what} runs on one processor; leave out --jobs"
    )))
}

/// What a reduction preserves of the properties that are asked for.
pub(crate) fn preserved(reduction: Reduction, asked: Properties) -> Properties {
    // Full search loses nothing, and the best for what is asked does not, either.
    if matches!(reduction, Reduction::FULL | Reduction::Auto) {
        return asked;
    }
    let kept = asked.and(reduction.entry().preserves);
    Properties {
        // Threads that are stuck may be found only when all others have finished.
        partial_deadlock: kept.partial_deadlock && asked.deadlock,
        ..kept
    }
}

/// Properties that are not among others.
pub(crate) fn without(asked: Properties, others: Properties) -> Properties {
    Properties {
        faults: asked.faults && !others.faults,
        deadlock: asked.deadlock && !others.deadlock,
        partial_deadlock: asked.partial_deadlock && !others.partial_deadlock,
        invariants: asked.invariants && !others.invariants,
        temporal: asked.temporal && !others.temporal,
        ends: asked.ends && !others.ends,
    }
}

/// The properties that a program states itself, as in their flags: invariants and temporal ones.
pub(crate) fn stated<P: Program>(program: &P) -> [Option<&'static str>; 2] {
    let has_temporal = !program.temporal_properties().is_empty();
    [
        program.has_invariants().then_some("invariants"),
        has_temporal.then_some("temporal"),
    ]
}

/// The flag by which it is asked whether an execution can end wherever it is.
const MUST_END: &str = "must-end";

/// The names of properties, as in their flags; those of the invariants and of the temporal properties,
/// if the program has some.
pub(crate) fn names(
    properties: Properties,
    [invariants, temporal]: [Option<&'static str>; 2],
) -> Vec<&'static str> {
    let names = [
        (properties.faults, Some("faults")),
        (properties.deadlock, Some("deadlock")),
        (properties.partial_deadlock, Some("partial-deadlock")),
        (properties.invariants, invariants),
        (properties.temporal, temporal),
        (properties.ends, Some(MUST_END)),
    ];
    let names = names.into_iter().filter(|(is_meant, _)| *is_meant);
    names.filter_map(|(_, name)| name).collect()
}

/// Searches and tries out in every state what the program says of itself. If that is wrong
/// it is told loudly: no answer of any search is worth anything then, save a violation
/// that can be replayed.
pub(crate) fn distrustful_search<P: Program>(
    program: &P,
    request: &Request,
    watcher: &mut Watcher,
) -> Survey {
    let system = paranoid::distrust(program);
    let erased = Erased(&system);
    let early = &mut Early::new(program, request, watcher);
    let mut survey = P::survey(&erased, request.query(), early);
    // What was cut short may not be as it should.
    let is_whole = !request.search.stop.is_set();
    if let Some(broken) = system.supervisor.broken().filter(|_| is_whole) {
        watcher.clear();
        let told = broken.to_string();
        complain(&format!(
            "BUG OF RADDLE, please report it with this program: {told}\n"
        ));
        let reason = Reason::GaveUp(told);
        if !survey.reasons.contains(&reason) {
            survey.reasons.push(reason);
        }
    }
    survey
}

/// Executes what was found once more, whatever the limits: a search within them has done it
/// before. What does not happen again is not reported as a violation, for it is a bug of raddle
/// and not of the program; or something was not looked at to its end, because there was no time.
pub(crate) fn replay<P: Program>(
    program: &P,
    violation: &Violation,
    stop: &StopFlag,
    finding: &mut Finding,
) {
    let replayed = stop.lifted(|| execute(program, &violation.schedule, &violation.property));
    match (replayed, stop.cause()) {
        (Ok(trace), _) => finding.traces.push(trace),
        (Err(_), Some(reason)) => {
            finding.reasons.retain(|known| *known != reason);
            finding.reasons.push(reason);
        }
        (Err(error), None) => {
            let kind = violation.property.name();
            let told = format!("a {kind} was found but could not be replayed: {error}");
            complain(&format!("BUG OF RADDLE, please report it: {told}\n"));
            finding.reasons.push(Reason::GaveUp(told));
        }
    }
}

/// Executes a schedule again. Only a program that is asked to keep its claims breaks them.
pub(crate) fn execute<P: Program>(
    program: &P,
    schedule: &[Move],
    property: &Property,
) -> Result<Trace, ReplayError> {
    match is_broken_claim(property) {
        true => {
            let claims = StrictClaims::default();
            raddle_search::replay(&Erased(&claims.guard(program)), schedule, property)
        }
        false => raddle_search::replay(&Erased(program), schedule, property),
    }
}

pub(crate) fn is_broken_claim(property: &Property) -> bool {
    matches!(property, Property::Fault(fault) if fault.kind == FaultKind::Discipline)
}
