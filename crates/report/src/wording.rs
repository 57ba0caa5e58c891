//! The words for what happened: one place, so that text and JSON say the same.

use crate::layout::clean;
use crate::{Coverage, Options, Source, locate};
use raddle_model::{
    Event, Fairness, Fault, FaultKind, Limits, Operation, Property, Race, Reason, Step, Thread,
    Trace,
};
use std::time::Duration;

/// What a step did, one phrase for each event. The step that fails does so with a
/// fault of this kind.
pub(crate) fn phrases(step: &Step, failed: Option<FaultKind>) -> Vec<String> {
    let completed = failed.is_none();
    let mut phrases = Vec::new();
    for (index, event) in done(step, failed).iter().enumerate() {
        let mut phrase = phrase(event);
        let notifies = matches!(
            event.operation,
            Some(Operation::Notify | Operation::NotifyAll)
        );
        let wakes = step.events.get(index + 1).is_some_and(is_wake);
        // A notification that nobody hears is how wake-ups get lost.
        if notifies && completed && !wakes {
            phrase.push_str(" (no thread is waiting)");
        }
        phrases.push(clean(&phrase));
    }
    phrases
}

/// The events that really happened: an operation on a monitor that fails is told
/// before it is known that it does.
fn done(step: &Step, failed: Option<FaultKind>) -> &[Event] {
    match step.events.split_last() {
        Some((last, before))
            if failed == Some(FaultKind::IllegalMonitorState) && needs_owner(last) =>
        {
            before
        }
        _ => &step.events,
    }
}

fn needs_owner(event: &Event) -> bool {
    matches!(
        event.operation,
        Some(Operation::Release | Operation::Wait | Operation::Notify | Operation::NotifyAll)
    )
}

/// The object of an event that is output.
const PRINTS: &str = "prints";

/// All that the program has printed.
pub(crate) fn output(trace: &Trace) -> String {
    let steps = trace.steps.iter().flat_map(|step| &step.events);
    let events = trace.prelude.iter().chain(steps);
    let printed = events.filter(|event| event.operation.is_none() && event.object == PRINTS);
    printed.filter_map(|event| event.value.as_deref()).collect()
}

/// What was done inside a function of a library, in one line: what others can notice of it.
#[derive(Clone, Debug)]
pub(crate) struct Folded {
    pub(crate) call: String,
    /// Whether the source says already what is called.
    is_obvious: bool,
    reads: Vec<String>,
    writes: Vec<Written>,
    others: Vec<String>,
}

/// What was written to something.
#[derive(Clone, Debug)]
struct Written {
    object: String,
    before: Option<String>,
    phrase: String,
}

impl Written {
    /// What comes of it and of a later one; none if they are about different things.
    fn then(&self, later: &Written) -> Option<Written> {
        let before = self
            .before
            .as_ref()
            .filter(|_| self.object == later.object)?;
        let (_, value) = later
            .phrase
            .rsplit_once(" -> ")
            .filter(|_| later.before.is_some())?;
        Some(Written {
            phrase: format!("{}: {before} -> {value}", short(&self.object)),
            ..self.clone()
        })
    }
}

/// A field without whose it is.
fn short(object: &str) -> &str {
    &object[object.rfind('.').map_or(0, |point| point + 1)..]
}

impl Folded {
    /// A call from some source.
    pub(crate) fn new(call: &str, source: &str) -> Folded {
        let name = call.rsplit(['.', ' ']).next().unwrap_or_default();
        let called = source.split(|it: char| !it.is_alphanumeric() && it != '_');
        Folded {
            call: call.to_owned(),
            is_obvious: called.into_iter().any(|word| word == name),
            reads: Vec::new(),
            writes: Vec::new(),
            others: Vec::new(),
        }
    }

    /// Adds what was done inside of the same call afterwards; tells whether it was the same.
    pub(crate) fn join(&mut self, after: &mut Folded) -> bool {
        let is_same = self.call == after.call;
        if is_same {
            for read in after.reads.drain(..) {
                self.read(read);
            }
            for written in after.writes.drain(..) {
                self.write(written);
            }
            self.others.append(&mut after.others);
        }
        is_same
    }

    /// Adds an event with the phrase for it.
    pub(crate) fn add(&mut self, event: &Event, phrase: String) {
        let object = event.object.as_str();
        let phrase = match event.operation {
            Some(Operation::Read | Operation::Write | Operation::Update) => {
                // Whose field it is goes without saying.
                phrase.replacen(&object[..object.len() - short(object).len()], "", 1)
            }
            _ => phrase,
        };
        match event.operation {
            Some(Operation::Read) => self.read(phrase),
            Some(Operation::Write | Operation::Update | Operation::Add) => self.write(Written {
                object: object.to_owned(),
                before: event.before.clone().map(|before| clean(&before)),
                phrase,
            }),
            None if event.object == "compare-and-set fails:" => self.read(phrase),
            _ => self.others.push(phrase),
        }
    }

    /// Reading once more says nothing new.
    fn read(&mut self, phrase: String) {
        if !self.reads.contains(&phrase) {
            self.reads.push(phrase);
        }
    }

    /// Of several writes to the same thing it matters what comes of them.
    fn write(&mut self, written: Written) {
        match self.writes.last_mut() {
            Some(last) if let Some(both) = last.then(&written) => *last = both,
            _ => self.writes.push(written),
        }
    }

    /// `[inside Map.put: table[3]: null -> Node#1]`; without the call where the source has it.
    pub(crate) fn text(&self) -> String {
        /// More writes, and more reads, are only counted.
        const MOST: usize = 3;
        let counted = |phrases: &[String], one: &str, many: &str| match phrases.len() {
            ..=MOST => phrases.to_vec(),
            number => vec![count(number as u64, one, many)],
        };
        let writes: Vec<String> = self.writes.iter().map(|it| it.phrase.clone()).collect();
        let mut told = match (writes.as_slice(), self.others.as_slice()) {
            ([], []) => counted(&self.reads, "read", "reads"),
            (writes, _) => counted(writes, "write", "writes"),
        };
        told.extend(self.others.iter().cloned());
        let told = told.join(", ");
        match self.is_obvious {
            true => told,
            false => format!("[inside {}: {told}]", clean(&self.call)),
        }
    }
}

/// The stack traces among some events, a line for each call; of calls in the library that follow each
/// other only the first, unless all are wanted.
pub(crate) fn calls(events: &[Event], unfold: bool) -> Vec<String> {
    /// So few are not worth a line that counts them.
    const FEW: usize = 1;
    let mut lines = Vec::new();
    let mut hidden = Vec::new();
    let flush = |hidden: &mut Vec<String>, lines: &mut Vec<String>| match hidden.len() {
        ..=FEW => lines.append(hidden),
        number => {
            lines.push(format!("... {number} more in the library"));
            hidden.clear();
        }
    };
    let mut is_inside = false;
    for event in events.iter().filter(|it| is_call(it)) {
        // The calls of the library are those with the name of a module.
        let value = event.value.as_deref().unwrap_or_default();
        let is_library = event.object == "at"
            && value
                .split('(')
                .next()
                .is_some_and(|method| method.contains('/'));
        match is_library && is_inside && !unfold {
            true => hidden.push(call(event)),
            false => {
                flush(&mut hidden, &mut lines);
                lines.push(call(event));
            }
        }
        is_inside = is_library;
    }
    flush(&mut hidden, &mut lines);
    lines
}

/// Whether an event is a line of a stack trace.
pub(crate) fn is_call(event: &Event) -> bool {
    event.operation.is_none() && matches!(event.object.as_str(), "at" | "caused by" | "...")
}

/// A line of a stack trace.
pub(crate) fn call(event: &Event) -> String {
    clean(&phrase(event))
}

fn is_wake(event: &Event) -> bool {
    event.operation.is_none() && event.object == "wakes"
}

fn phrase(event: &Event) -> String {
    let object = &event.object;
    let value = event.value.as_deref();
    let shown = value.unwrap_or("?");
    let Some(operation) = event.operation else {
        return match object.as_str() {
            "choose" => format!("chooses {shown}"),
            PRINTS => format!("prints {:?}", shown.trim_end_matches('\n')),
            _ => format!("{object} {}", value.unwrap_or_default())
                .trim_end()
                .to_owned(),
        };
    };
    match operation {
        Operation::Read => match value {
            Some(value) => format!("{object}: read {value}"),
            None => format!("{object}: read"),
        },
        Operation::Write | Operation::Update if event.before.is_some() => {
            let before = event.before.as_deref().unwrap_or_default();
            let atomic = match operation {
                Operation::Update => " (atomic)",
                _ => "",
            };
            format!("{object}: {before} -> {shown}{atomic}")
        }
        Operation::Write => format!("{object} = {shown}"),
        Operation::Add => format!("{object} = {shown} (atomic add)"),
        Operation::Update => format!("{object} = {shown} (atomic update)"),
        Operation::Acquire => format!("takes {object}"),
        Operation::Release => format!("releases {object}"),
        Operation::Wait => format!("releases {object} and waits on it"),
        Operation::WaitResume => format!("takes {object} again after its wait"),
        Operation::Notify => format!("notifies one thread on {object}"),
        Operation::NotifyAll => format!("notifies all threads on {object}"),
        Operation::Up if event.before.is_some() => permits("gives back", event),
        Operation::Down if event.before.is_some() => permits("takes", event),
        Operation::Up => format!("up {object}"),
        Operation::Down => format!("down {object}"),
        Operation::Send => format!("sends {shown} to {object}"),
        Operation::Receive => format!("receives {shown} from {object}"),
        Operation::Start => format!("starts {object}"),
        Operation::Join => format!("joins {object}, which has finished"),
        Operation::Finish => "finishes".to_owned(),
    }
}

/// `takes a permit of printer: 1 -> 0`.
fn permits(verb: &str, event: &Event) -> String {
    let before = event.before.as_deref().unwrap_or_default();
    let after = event.value.as_deref().unwrap_or_default();
    let number = |text: &str| text.parse::<i64>().unwrap_or(0);
    let what = match number(before).abs_diff(number(after)) {
        1 => "a permit".to_owned(),
        many => format!("{many} permits"),
    };
    format!("{verb} {what} of {}: {before} -> {after}", event.object)
}

/// What is violated, in one line, with the place if there is one.
pub(crate) fn violation(trace: &Trace, sources: &[Source]) -> String {
    let place = trace.property.place().map_or(String::new(), |place| {
        format!(" at {}", locate(sources, place))
    });
    let (name, message) = (trace.property.name(), message(trace));
    match name.replace('-', " ") == message {
        true => format!("{name}{place}"),
        false => format!("{name}{place}: {message}"),
    }
}

/// Those of some threads that do not only wait for something to do, if there are any.
fn busy(trace: &Trace, threads: &[Thread]) -> Vec<Thread> {
    let is_idle = |thread: &Thread| {
        let mut waiting = trace.waiting.iter().filter(|it| it.thread == *thread);
        waiting.any(|it| it.obstacle.as_ref().is_some_and(|it| it.is_idle))
    };
    match threads.iter().all(is_idle) {
        true => threads.to_vec(),
        false => threads.iter().copied().filter(|it| !is_idle(it)).collect(),
    }
}

/// What exactly is violated.
pub(crate) fn message(trace: &Trace) -> String {
    match &trace.property {
        Property::Fault(fault) => clean(&fault.message),
        Property::Deadlock(threads) => {
            let threads = busy(trace, threads);
            let verb = if threads.len() == 1 { "waits" } else { "wait" };
            format!("{} {verb} for ever", threads_named(trace, &threads, "and"))
        }
        Property::PartialDeadlock(threads) => {
            let threads = busy(trace, threads);
            let verb = if threads.len() == 1 { "waits" } else { "wait" };
            let names = threads_named(trace, &threads, "and");
            format!("{names} {verb} for ever while others go on")
        }
        Property::Temporal(unmet) => {
            let executions = executions(unmet.fairness);
            format!("`{}` is not true of {executions}", clean(&unmet.name))
        }
        Property::NoEnd(found) => {
            let verb = if found.threads.len() == 1 {
                "goes"
            } else {
                "go"
            };
            let names = threads_named(trace, &found.threads, "and");
            match found.lost_from {
                0 => format!("no execution ever ends: {names} {verb} on for ever"),
                steps => {
                    format!("after step {steps} no execution ends: {names} {verb} on for ever")
                }
            }
        }
    }
}

/// The index of the first step that is repeated for ever, if some are.
pub(crate) fn repeats_from(trace: &Trace) -> Option<usize> {
    let first = trace.property.repeats_from();
    first.filter(|&first| first < trace.steps.len())
}

/// What is repeated for ever, in one sentence without a full stop.
pub(crate) fn repeated(trace: &Trace) -> String {
    let last = trace.steps.len();
    match repeats_from(trace) {
        None => "Nothing moves any more".to_owned(),
        Some(first) if first + 1 == last => format!("Step {last} is repeated for ever"),
        Some(first) => format!("Steps {} to {last} are repeated for ever", first + 1),
    }
}

/// A fault as an event: `assertion failed: x == 2`.
pub(crate) fn fault(fault: &Fault) -> String {
    let kind = match fault.kind {
        FaultKind::Assertion => "assertion failed".to_owned(),
        FaultKind::Invariant => "invariant violated".to_owned(),
        FaultKind::Race => "data race".to_owned(),
        kind => kind.name().replace('-', " "),
    };
    let message = clean(&fault.message);
    match message == kind || message.is_empty() || message == fault.kind.name() {
        true => kind,
        false => format!("{kind}: {message}"),
    }
}

/// Data races that are not violations, one sentence each.
pub(crate) fn warnings(races: &[Race]) -> Vec<String> {
    /// So many are told.
    const MOST: usize = 12;
    let told = races.iter().take(MOST);
    let mut all: Vec<String> = told
        .map(|race| clean(&format!("data race on {race}")))
        .collect();
    if races.len() > MOST {
        let more = count(
            (races.len() - MOST) as u64,
            "more data race",
            "more data races",
        );
        all.push(format!("{more}, which --json lists"));
    }
    all
}

/// What the verdict *holds* does not cover, in one sentence.
pub(crate) fn not_covered(open: &[String]) -> String {
    clean(&format!("Not covered: {}", open.join("; ")))
}

/// A number of things.
pub(crate) fn count(number: u64, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        number => format!("{number} {many}"),
    }
}

/// An upper bound of a probability, with as many digits as it deserves.
pub(crate) fn probability(bound: f64) -> String {
    match bound {
        1.0.. => "1".to_owned(),
        0.01.. => format!("{bound:.2}"),
        _ => format!("{bound:.1e}"),
    }
}

/// The fault with which the last step of a trace fails, if it does.
pub(crate) fn last_fault(trace: &Trace) -> Option<&Fault> {
    match &trace.property {
        Property::Fault(fault) if last_step_fails(trace) => Some(fault),
        _ => None,
    }
}

/// Whether the last step of a trace fails, rather than leading to a bad state.
pub(crate) fn last_step_fails(trace: &Trace) -> bool {
    match &trace.property {
        Property::Fault(fault) => !fault.kind.is_of_state() && !trace.steps.is_empty(),
        _ => false,
    }
}

/// The name of a thread of a trace.
pub(crate) fn thread_name(trace: &Trace, thread: Thread) -> String {
    match trace.threads.get(thread.index()) {
        Some(name) => clean(name),
        None => format!("thread {}", thread.0),
    }
}

/// `a, b and c`, or with another word in front of the last; only the first few if
/// there are many.
pub(crate) fn threads_named(trace: &Trace, threads: &[Thread], word: &str) -> String {
    let names: Vec<String> = threads.iter().map(|&it| thread_name(trace, it)).collect();
    listed(&names, word)
}

/// As [`threads_named`], for any names.
pub(crate) fn listed(names: &[String], word: &str) -> String {
    const MOST: usize = 6;
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] if names.len() <= MOST => format!("{} {word} {last}", first.join(", ")),
        many => {
            let shown = many[..MOST - 1].join(", ");
            format!("{shown} {word} {} more", many.len() - (MOST - 1))
        }
    }
}

/// What was checked, for the verdict *holds*.
pub(crate) fn checked(options: &Options) -> String {
    match properties(options).as_slice() {
        [] => "nothing was checked but that the program can be explored".to_owned(),
        some => {
            let threads = options.threads.map_or(String::new(), |most| {
                format!(", with at most {}", count(most as u64, "thread", "threads"))
            });
            let states = format!("no {} in any reachable state{threads}", listed(some, "or"));
            match options.temporal.as_slice() {
                [] => states,
                some => format!("{states}; {}", true_of_all(some)),
            }
        }
    }
}

/// What is said of temporal properties that hold: by the executions that they are about.
fn true_of_all(properties: &[(String, Fairness)]) -> String {
    let of = |fairness: Fairness| {
        let names = properties.iter().filter(|it| it.1 == fairness);
        let names: Vec<String> = names.map(|it| format!("`{}`", clean(&it.0))).collect();
        let verb = if names.len() == 1 { "is" } else { "are" };
        let executions = executions(fairness);
        let names = (!names.is_empty()).then(|| listed(&names, "and"));
        names.map(|names| format!("{names} {verb} true of {executions}"))
    };
    let parts: Vec<String> = Fairness::ALL.into_iter().filter_map(of).collect();
    parts.join("; ")
}

/// The executions of which something must be true.
fn executions(fairness: Fairness) -> &'static str {
    match fairness {
        Fairness::None => "every execution",
        Fairness::Weak => "every weakly fair execution",
        Fairness::Strong => "every strongly fair execution",
    }
}

/// What was looked for.
pub(crate) fn looked_for(options: &Options) -> String {
    properties(options).join(", ")
}

/// What was looked for, one by one.
fn properties(options: &Options) -> Vec<String> {
    let properties = options.properties;
    let names = [
        (properties.faults, "fault"),
        (properties.deadlock, "deadlock"),
        (properties.partial_deadlock, "recognisable partial deadlock"),
        (options.races, "data race"),
        (properties.invariants && !options.races, "false invariant"),
        (properties.ends, "state from which nothing ends"),
    ];
    let chosen = names.iter().filter(|(chosen, _)| *chosen);
    chosen.map(|&(_, name)| name.to_owned()).collect()
}

/// What was proved of any number of threads.
pub(crate) fn covered(coverage: &Coverage) -> String {
    let proof = match &coverage.certificate {
        Some(certificate) => format!("\nCertificate: {}, checked", clean(certificate)),
        None => String::new(),
    };
    format!("{}{proof}", clean(&coverage.claim))
}

/// Why the verdict is *unknown*.
pub fn reason(reason: &Reason, limits: &Limits) -> String {
    let of = |limit: Option<String>| limit.map_or(String::new(), |limit| format!(" of {limit}"));
    match reason {
        Reason::Time => format!("time limit{} reached", of(limits.time.map(limit))),
        Reason::Memory => format!("memory limit{} reached", of(limits.memory.map(bytes))),
        Reason::States => match limits.states {
            Some(states) => format!("limit of {} reached", count(states, "state", "states")),
            None => "limit on the number of states reached".to_owned(),
        },
        Reason::Depth => {
            let limit = of(limits.depth.map(|depth| depth.to_string()));
            format!("depth limit{limit} reached, deeper states were not explored")
        }
        Reason::Interrupted => "interrupted".to_owned(),
        Reason::Bitstate => {
            "a bitstate store finds violations but cannot show that there are none".to_owned()
        }
        Reason::Partial(why) | Reason::GaveUp(why) => clean(why),
    }
}

/// The name of a reason in JSON.
pub(crate) fn reason_name(reason: &Reason) -> &'static str {
    match reason {
        Reason::Time => "time",
        Reason::Memory => "memory",
        Reason::States => "states",
        Reason::Depth => "depth",
        Reason::Interrupted => "interrupted",
        Reason::Bitstate => "bitstate",
        Reason::Partial(_) => "partial",
        Reason::GaveUp(_) => "gave-up",
    }
}

/// A duration that somebody chose: whole seconds are told as such.
fn limit(duration: Duration) -> String {
    match duration.subsec_nanos() {
        0 if duration.as_secs() < 60 => format!("{} s", duration.as_secs()),
        _ => seconds(duration),
    }
}

/// A duration with a sensible number of digits.
pub fn seconds(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    match seconds {
        ..10.0 => format!("{seconds:.2} s"),
        ..60.0 => format!("{seconds:.1} s"),
        _ => {
            let whole = duration.as_secs();
            match whole / 3600 {
                0 => format!("{} min {:02} s", whole / 60, whole % 60),
                hours => format!("{hours} h {:02} min", whole % 3600 / 60),
            }
        }
    }
}

/// An amount of memory with a sensible unit.
pub fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    let mut amount = bytes as f64 / 1024.0;
    let mut unit = 0;
    while amount >= 1024.0 && unit + 1 < UNITS.len() {
        amount /= 1024.0;
        unit += 1;
    }
    format!("{amount:.1} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_readable() {
        assert_eq!(seconds(Duration::from_millis(1234)), "1.23 s");
        assert_eq!(seconds(Duration::from_micros(90)), "0.00 s");
        assert_eq!(seconds(Duration::from_secs(10)), "10.0 s");
        assert_eq!(limit(Duration::from_secs(10)), "10 s");
        assert_eq!(seconds(Duration::from_secs(125)), "2 min 05 s");
        assert_eq!(seconds(Duration::from_secs(7260)), "2 h 01 min");
        assert_eq!(bytes(17), "17 bytes");
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(bytes(3 << 30), "3.0 GiB");
    }

    #[test]
    fn probabilities_are_readable() {
        assert_eq!(probability(1.0), "1");
        assert_eq!(probability(0.25), "0.25");
        assert_eq!(probability(0.000_12), "1.2e-4");
    }

    #[test]
    fn many_names_are_cut_short() {
        let names: Vec<String> = (0..9).map(|number| number.to_string()).collect();
        assert_eq!(listed(&names[..1], "and"), "0");
        assert_eq!(listed(&names[..2], "and"), "0 and 1");
        assert_eq!(listed(&names[..3], "or"), "0, 1 or 2");
        assert_eq!(listed(&names, "and"), "0, 1, 2, 3, 4 and 4 more");
    }
}
