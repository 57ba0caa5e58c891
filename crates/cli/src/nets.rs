//! Nets: from their files to an answer about any number of tokens.

use crate::failure::Failure;
use crate::files;
use crate::front::{Flags, FrontEnd, Verification};
use crate::pictures;
use crate::pipeline::{self, Finding, Request};
use crate::programs::{Setup, Text, Visitor};
use crate::progress::Watcher;
use crate::trials::Subject;
use raddle_cover::formats::{FormatError, Parsed, certificate, pnml, spec, tts};
use raddle_cover::unsafety::{self, PlaceNames};
use raddle_cover::upper::{EASY, seek};
use raddle_cover::{
    Answer, Certificate, Decision, Monitor, Net, NetSystem, Progress, Run, check_safe, decide,
};
use raddle_diagnostics::{Diagnostic, Lines};
use raddle_model::{Fault, FaultKind, Properties, Property, Reason, StopFlag, Violation};
use raddle_reduce::Reduction;
use raddle_report::{Coverage, Source};
use raddle_search::Monitor as _;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Mutex;

/// How a net is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// As rules, mist's or our own.
    Rules,
    /// As a thread transition system.
    Transitions,
    /// In XML.
    Pnml,
}

/// What certificates of nets are.
const KIND: &str = "net";

/// Nets.
pub(crate) struct Nets(pub(crate) Format);

impl FrontEnd for Nets {
    fn endings(&self) -> &'static [&'static str] {
        match self.0 {
            Format::Rules => &["spec", "net"],
            Format::Transitions => &["tts"],
            Format::Pnml => &["pnml"],
        }
    }

    fn flags(&self) -> Flags {
        Flags {
            unsafe_sets: true,
            initial: self.0 == Format::Transitions,
            ..Flags::default()
        }
    }

    fn read(&self, path: &Path) -> Result<Vec<Source>, Failure> {
        let mut sources = vec![files::read_net(path)?];
        if self.0 == Format::Transitions {
            let name = path.display().to_string();
            // What does not exist is left empty, so that a file is known by its position.
            for candidates in [tts::property_files(&name), tts::initial_files(&name)] {
                let found = candidates.iter().find(|name| Path::new(name).is_file());
                sources.push(match found {
                    Some(name) => files::read_net(Path::new(name))?,
                    None => Source::default(),
                });
            }
        }
        Ok(sources)
    }

    fn visit(&self, text: &Text, setup: &Setup, visitor: &mut dyn Visitor) -> Result<(), Failure> {
        let parsed = load(self.0, text, setup)?.map_err(Failure::new)?;
        visitor.net(&parsed.system());
        Ok(())
    }

    fn check(
        &self,
        text: &Text,
        request: &Request,
        watcher: &mut Watcher,
    ) -> Result<Finding, Failure> {
        check(self.0, text, request, watcher)
    }

    fn subject<'a>(&self, _: &'a Text, _: &Setup) -> Result<Box<dyn Subject + 'a>, Failure> {
        Err(Failure::new(
            "reductions are compared on Java programs, models and boolean programs; a net has no \
             threads",
        ))
    }

    fn default_reduction(&self, _: bool) -> Reduction {
        Reduction::FULL
    }

    fn net(&self, text: &Text, setup: &Setup) -> Result<Net, Failure> {
        let parsed = load(self.0, text, setup)?.map_err(Failure::new)?;
        Ok(parsed.net)
    }

    fn verify(
        &self,
        text: &Text,
        setup: &Setup,
        _: Properties,
        certificate: &Value,
    ) -> Result<Verification, Failure> {
        let net = self.net(text, setup)?;
        refuse_without_targets(self.0, &net, text)?;
        Ok(Verification {
            claim: claim(&net),
            proof: verify(KIND, &net, certificate),
        })
    }
}

/// Reads a net, with what must not be reached. What is well-formed and not supported is told
/// in a sentence: it is no mistake of the user's.
fn load(format: Format, text: &Text, setup: &Setup) -> Result<Result<Parsed, String>, Failure> {
    let initially;
    let (source, parsed) = match format {
        Format::Pnml => (text.main(), pnml::parse(&text.main().text)),
        Format::Transitions => {
            let [system, property, initial] = text.sources.as_slice() else {
                return Err(Failure::new("a part of the system is missing"));
            };
            let stated = setup.initially.as_ref().map(|text| Source {
                name: "--init".to_owned(),
                text: text.clone(),
            });
            initially = stated.unwrap_or_else(|| initial.clone());
            let parsed = tts::parse(&system.text, given(property), given(&initially));
            match parsed {
                Ok(parsed) => (system, Ok(parsed)),
                Err((part, trouble)) => {
                    let source = match part {
                        tts::Part::System => system,
                        tts::Part::Property => property,
                        tts::Part::Initial => &initially,
                    };
                    (source, Err(trouble))
                }
            }
        }
        Format::Rules => (text.main(), spec::parse(&text.main().text)),
    };
    let mut parsed = match parsed {
        Ok(parsed) => parsed,
        Err(FormatError::Malformed(mistakes)) => {
            return Err(Failure::program(source.clone(), mistakes));
        }
        Err(FormatError::Unsupported(found)) => return Ok(Err(in_words(source, &found))),
    };
    for set in &setup.unsafe_sets {
        let names = PlaceNames::new(&parsed.net);
        let demands = unsafety::parse(set, &names).map_err(|mistakes| {
            let source = Source {
                name: "--unsafe".to_owned(),
                text: set.clone(),
            };
            Failure::program(source, mistakes)
        })?;
        demands.into_iter().for_each(|demand| parsed.forbid(demand));
    }
    Ok(Ok(parsed))
}

/// The text of a file that may be missing.
fn given(source: &Source) -> Option<&str> {
    (!source.name.is_empty()).then_some(source.text.as_str())
}

/// The first of some remarks on a file, with its place.
fn in_words(source: &Source, found: &[Diagnostic]) -> String {
    let Some(first) = found.first() else {
        return format!("{} is not supported", source.name);
    };
    let place = Lines::new(&source.text).place(first.span.start);
    format!(
        "{}:{}:{}: {}",
        source.name, place.line, place.column, first.message
    )
}

/// Answers whether a net can reach what it must not.
fn check(
    format: Format,
    text: &Text,
    request: &Request,
    watcher: &mut Watcher,
) -> Result<Finding, Failure> {
    let asked = request.search.properties;
    if request.search_flag.is_some() || !asked.faults || !asked.invariants {
        return Err(Failure::new(
            "the markings of a net are not searched one by one, but decided for any number of \
             tokens; leave out what is about a search (--search, --store, --reduction, --max-…, \
             --no-faults, --no-invariants, --paranoid, --all)",
        ));
    }
    let parsed = match load(format, text, &request.setup)? {
        Ok(parsed) => parsed,
        Err(unsupported) => {
            return Ok(Finding {
                reasons: vec![Reason::GaveUp(unsupported)],
                ..Finding::default()
            });
        }
    };
    refuse_without_targets(format, &parsed.net, text)?;
    let net = &parsed.net;
    let (verdict, reason) = cover(net, &request.begun(watcher), watcher);
    let mut finding = Finding {
        coverage: Some(coverage(net, &verdict, claim(net), watcher)),
        certificate: saved(KIND, net, &verdict, request),
        ..Finding::default()
    };
    match (&verdict.answer, parsed.obstacles.as_slice()) {
        (Answer::Safe(_), []) => {}
        (Answer::Safe(_), _) => finding.remarks.push(
            "tests that are not monotone were left out, so that the net does more than the \
             file says; it is safe all the same"
                .to_owned(),
        ),
        (_, [_, ..]) => match bounded_run(&parsed, request, watcher) {
            Some(run) => show(&parsed.system(), &run, request, &mut finding),
            None => {
                let told = in_words(text.main(), &parsed.obstacles);
                finding.reasons.push(Reason::GaveUp(told));
            }
        },
        (Answer::Unknown(why), []) => {
            let reason = reason.unwrap_or_else(|| Reason::GaveUp(why.clone()));
            finding.reasons.push(reason);
        }
        (Answer::Unsafe(run), []) => show(&parsed.system(), run, request, &mut finding),
    }
    Ok(finding)
}

/// Fails if nothing is asked.
fn refuse_without_targets(format: Format, net: &Net, text: &Text) -> Result<(), Failure> {
    if !net.targets.is_empty() {
        return Ok(());
    }
    let place = match format {
        Format::Transitions => "in a .prop file beside it, or ",
        _ => "",
    };
    Err(Failure::new(format!(
        "{} does not say what must not be reached; say so {place}with --unsafe",
        text.main().name
    )))
}

/// Adds the execution that a run is.
fn show(system: &NetSystem<'_>, run: &Run, request: &Request, finding: &mut Finding) {
    let property = Property::Fault(Fault {
        kind: FaultKind::Invariant,
        message: String::new(),
        place: None,
    });
    let schedule = system.schedule(run).unwrap_or_default();
    let violation = Violation { property, schedule };
    pipeline::replay(system, &violation, &request.search.stop, finding);
}

/// A run that keeps to bounds from above, if these are all that is not monotone and one is easy
/// to find.
fn bounded_run(parsed: &Parsed, request: &Request, watcher: &mut Watcher) -> Option<Run> {
    let upper = parsed.upper.as_ref()?;
    let find = |monitor: &Guard<'_>| seek(&parsed.net, upper, EASY, monitor);
    watched(request, watcher, find).0
}

/// The certificate of a verdict, to be saved, if that is asked for.
pub(crate) fn saved(kind: &str, net: &Net, verdict: &Decision, request: &Request) -> Option<Value> {
    let proof = match &verdict.answer {
        Answer::Safe(proof) if request.certificate => proof,
        _ => return None,
    };
    let part = certificate::to_json(net, proof);
    Some(certificate::document(kind, json!({ "net": part })))
}

/// What a certificate is, if it is one of this kind and proves that the net is safe; otherwise
/// why it does not.
pub(crate) fn verify(kind: &str, net: &Net, value: &Value) -> Result<String, String> {
    let found = certificate::kind(value)?;
    if found != kind {
        return Err(format!(
            "this is the certificate of a {found}, not of a {kind}"
        ));
    }
    if let Some(defect) = net.defect() {
        return Err(defect.to_string());
    }
    let certificate = certificate::from_json(net, &value["net"])?;
    check_safe(net, &certificate)?;
    Ok(described(&certificate))
}

/// Asks all procedures, within the limits of the request. Beside the verdict there is the
/// reason why they were stopped, if they were.
pub(crate) fn cover(
    net: &Net,
    request: &Request,
    watcher: &mut Watcher,
) -> (Decision, Option<Reason>) {
    watched(request, watcher, |monitor| decide(net, monitor))
}

/// Does something whose procedures are followed and ended from outside, and tells why they
/// were.
pub(crate) fn watched<T>(
    request: &Request,
    watcher: &mut Watcher,
    act: impl FnOnce(&Guard<'_>) -> T,
) -> (T, Option<Reason>) {
    let guard = Guard {
        memory: request.search.limits.memory,
        stop: request.search.stop.clone(),
        inner: Mutex::new(Inner {
            watcher,
            stopped: None,
        }),
    };
    let done = act(&guard);
    let inner = guard.inner.into_inner();
    let stopped = inner.map_or(None, |inner| inner.stopped);
    watcher.clear();
    (done, stopped)
}

/// What is told of a verdict.
pub(crate) fn coverage(
    net: &Net,
    verdict: &Decision,
    claim: String,
    watcher: &Watcher,
) -> Coverage {
    Coverage {
        claim,
        places: net.places.len(),
        transitions: net.transitions.len(),
        procedure: verdict.procedure,
        elements: verdict.elements,
        certificate: match &verdict.answer {
            Answer::Safe(certificate) => Some(described(certificate)),
            _ => None,
        },
        threads: Vec::new(),
        net: pictures::picture(net),
        attempts: Vec::new(),
        known: Vec::new(),
        elapsed: watcher.elapsed(),
    }
}

fn claim(net: &Net) -> String {
    match net.targets.len() {
        1 => "no reachable marking covers the target".to_owned(),
        count => format!("no reachable marking covers any of the {count} targets"),
    }
}

pub(crate) fn described(certificate: &Certificate) -> String {
    match certificate {
        Certificate::Forward(bounds) => {
            format!(
                "all reachable markings are below {} upper bounds",
                bounds.len()
            )
        }
        Certificate::Backward {
            linear,
            empty,
            basis,
        } => format!(
            "an inductive invariant of {} excluded minimal markings, {} weighted sums and {} \
             places that stay empty",
            basis.len(),
            linear.len(),
            empty.len()
        ),
        Certificate::Agglomerated(smaller) => format!(
            "{}, in a net without {} places that are passed at once",
            described(&smaller.rest),
            smaller.passing.len()
        ),
    }
}

/// Follows all procedures at once.
pub(crate) struct Guard<'a> {
    memory: Option<u64>,
    stop: StopFlag,
    inner: Mutex<Inner<'a>>,
}

struct Inner<'a> {
    watcher: &'a mut Watcher,
    stopped: Option<Reason>,
}

impl Guard<'_> {
    /// Says what is being done.
    pub(crate) fn note(&self, what: &str) {
        if let Ok(mut inner) = self.inner.lock() {
            inner.watcher.report(what);
        }
    }
}

impl Monitor for Guard<'_> {
    fn go_on(&self, progress: Progress) -> bool {
        let Ok(mut inner) = self.inner.lock() else {
            return false;
        };
        let shown = raddle_search::Progress {
            states: progress.elements,
            bytes: progress.bytes,
            ..raddle_search::Progress::default()
        };
        let stop = inner.watcher.tick(&shown).or(self.stop.reason());
        let is_over = self.memory.is_some_and(|most| progress.bytes > most);
        let full = is_over || self.stop.room() == 0;
        let stop = stop.or(full.then_some(Reason::Memory));
        if inner.stopped.is_none() {
            inner.stopped = stop;
        }
        inner.stopped.is_none()
    }
}
