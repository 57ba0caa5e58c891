//! Who waits for whom at the end of a trace, and why.

use crate::layout::clean;
use crate::ledger::Ledger;
use crate::wording::{listed, thread_name, threads_named};
use crate::{Lines, locate};
use raddle_model::{Operation, Thread, Trace, Waiting};

/// The threads that wait.
pub(crate) struct Waits<'a> {
    /// All that were asked for, in the order of the trace.
    pub(crate) all: Vec<Wait<'a>>,
    /// The first cycle of threads of which each waits for the next and for nobody else, by
    /// their indices.
    pub(crate) cycle: Option<Vec<usize>>,
}

/// A thread that waits.
pub(crate) struct Wait<'a> {
    pub(crate) waiting: &'a Waiting,
    /// What it waits for and who could help, in words.
    pub(crate) why: String,
    /// What it waits for, if there is one thread only that can give it, and that thread.
    pub(crate) certain: Option<(String, Thread)>,
    /// The name of what it wants, if that is one thing.
    pub(crate) object: Option<String>,
}

impl<'a> Waits<'a> {
    /// Those of some threads.
    pub(crate) fn new(trace: &'a Trace, stuck: &[Thread], lines: &Lines<'_>) -> Waits<'a> {
        let ledger = Ledger::new(trace);
        let waiting = trace.waiting.iter();
        let all = waiting.filter(|it| stuck.contains(&it.thread));
        let all = all.map(|waiting| Wait {
            waiting,
            why: explain(trace, &ledger, lines, waiting),
            certain: certain_wait(trace, &ledger, waiting),
            object: object(waiting),
        });
        let all: Vec<Wait<'a>> = all.collect();
        Waits {
            cycle: cycle(&all),
            all,
        }
    }

    /// Those that wait for more than something to do; all if there are no such.
    pub(crate) fn busy(&self) -> impl Iterator<Item = &Wait<'a>> {
        let is_any = self.all.iter().any(|it| !it.is_idle());
        self.all.iter().filter(move |it| !(is_any && it.is_idle()))
    }

    /// The others in a sentence.
    pub(crate) fn idle_told(&self, trace: &Trace) -> Option<String> {
        let is_any = self.all.iter().any(|it| !it.is_idle());
        let idle = self.all.iter().filter(|it| is_any && it.is_idle());
        let idle: Vec<Thread> = idle.map(|it| it.waiting.thread).collect();
        let verb = if idle.len() == 1 { "has" } else { "have" };
        let names = threads_named(trace, &idle, "and");
        (!idle.is_empty()).then(|| format!("{names} {verb} nothing to do"))
    }

    /// The cycle in a sentence.
    pub(crate) fn cycle_told(&self, trace: &Trace) -> Option<String> {
        let cycle = self.cycle.as_ref()?;
        let first = &self.all.get(*cycle.first()?)?.waiting;
        let waits = cycle.iter().filter_map(|&index| self.all.get(index));
        let phrases = waits.filter_map(|wait| Some(wait.certain.as_ref()?.0.as_str()));
        let phrases: Vec<&str> = phrases.collect();
        let name = thread_name(trace, first.thread);
        Some(format!("The cycle: {name} {}.", phrases.join(", which ")))
    }
}

impl Wait<'_> {
    fn is_idle(&self) -> bool {
        let obstacle = self.waiting.obstacle.as_ref();
        obstacle.is_some_and(|it| it.is_idle)
    }
}

fn cycle(all: &[Wait<'_>]) -> Option<Vec<usize>> {
    let find = |thread: Thread| all.iter().position(|wait| wait.waiting.thread == thread);
    for first in 0..all.len() {
        let mut path = vec![first];
        while let Some((_, next)) = &all[path[path.len() - 1]].certain {
            match find(*next) {
                Some(next) if next == first => return Some(path),
                Some(next) if !path.contains(&next) => path.push(next),
                _ => break,
            }
        }
    }
    None
}

/// The lock that a thread waits for, or whatever else it is.
fn object(wait: &Waiting) -> Option<String> {
    if let Some(obstacle) = &wait.obstacle {
        return obstacle.lock.as_deref().map(clean);
    }
    let mut wants = wait.wants.iter().filter(|want| may_block(want.0));
    let want = wants.next()?;
    wants.next().is_none().then(|| clean(&want.1))
}

/// What a thread waits for and who could help.
fn explain(trace: &Trace, ledger: &Ledger<'_>, lines: &Lines<'_>, wait: &Waiting) -> String {
    if let Some(obstacle) = &wait.obstacle {
        let what = clean(&obstacle.what);
        return format!(
            "{what}{}{}",
            since(ledger, lines, wait),
            takers(trace, ledger, lines, wait)
        );
    }
    let wants = wait.wants.iter();
    let blocking: Vec<&Want> = wants.filter(|want| may_block(want.0)).collect();
    let reads = wait.wants.iter().filter(|want| want.0 == Operation::Read);
    let reads: Vec<String> = reads.map(|want| with_value(trace, &want.1)).collect();
    let what = match (blocking.as_slice(), reads.as_slice()) {
        ([], []) => "waits".to_owned(),
        ([], reads) => format!("waits for a condition on {}", listed(reads, "and")),
        (wants, _) => {
            let phrases = wants.iter().map(|want| wish(trace, ledger, wait, want));
            listed(&phrases.collect::<Vec<_>>(), "or")
        }
    };
    match helpers(trace, ledger, wait, &blocking) {
        Some(helpers) => format!("{what}; {helpers}"),
        None => what,
    }
}

/// An operation that a thread wants to do, and the name of the object.
type Want = (Operation, String);

/// Whether an operation alone says what a thread waits for.
fn may_block(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Acquire
            | Operation::WaitResume
            | Operation::Down
            | Operation::Send
            | Operation::Receive
            | Operation::Join
    )
}

/// A variable and its value at the end.
fn with_value(trace: &Trace, name: &str) -> String {
    match trace.values.iter().find(|value| value.0 == name) {
        Some((_, value)) => format!("{} (now {})", clean(name), clean(value)),
        None => clean(name),
    }
}

/// One thing that a thread wants and cannot get.
fn wish(trace: &Trace, ledger: &Ledger<'_>, wait: &Waiting, want: &Want) -> String {
    let object = clean(&want.1);
    let held = match ledger.holder(&want.1) {
        Some(holder) if holder != wait.thread => {
            let finished = match ledger.has_finished(holder) {
                true => ", which has finished",
                false => "",
            };
            format!(", held by {}{finished}", thread_name(trace, holder))
        }
        _ => String::new(),
    };
    match want.0 {
        Operation::WaitResume if ledger.awaits_notification(wait.thread) => {
            format!("waits for a notification on {object}")
        }
        Operation::WaitResume => format!("was notified and waits to take {object} again{held}"),
        Operation::Down => format!("waits for the semaphore {object} to be raised"),
        Operation::Send => format!("waits for room in the channel {object}"),
        Operation::Receive => format!("waits for a message in the channel {object}"),
        Operation::Join => format!("waits for the end of {object}"),
        _ => format!("waits for {object}{held}"),
    }
}

/// Who could still let a thread go on; `None` where its wish says so already.
fn helpers(
    trace: &Trace,
    ledger: &Ledger<'_>,
    wait: &Waiting,
    blocking: &[&Want],
) -> Option<String> {
    let said = blocking.iter().any(|want| match want.0 {
        Operation::Join => true,
        Operation::WaitResume => !ledger.awaits_notification(wait.thread),
        Operation::Acquire => ledger.holder(&want.1).is_some(),
        _ => false,
    });
    if said {
        return None;
    }
    if wait.waits_for.is_empty() {
        return Some("no thread is left that could do that".to_owned());
    }
    let waits = |thread: &Thread| trace.waiting.iter().any(|other| other.thread == *thread);
    let names = threads_named(trace, &wait.waits_for, "or");
    let also = match (wait.waits_for.iter().all(waits), wait.waits_for.len()) {
        (false, _) => "",
        (true, 1) => ", which waits too",
        (true, _) => ", which all wait too",
    };
    Some(format!("only {names} could do that{also}"))
}

/// Since when somebody else has the lock that a thread waits for.
fn since(ledger: &Ledger<'_>, lines: &Lines<'_>, wait: &Waiting) -> String {
    let place = wait.obstacle.as_ref().and_then(|obstacle| {
        let lock = obstacle.lock.as_deref()?;
        let is_known = ledger.holder(lock) == Some(obstacle.holder?);
        ledger.since(lock).filter(|_| is_known)
    });
    place.map_or(String::new(), |place| {
        format!(" since {}", locate(lines.sources, place))
    })
}

/// Who has the permits of the semaphore that a thread waits for, if it is one.
fn takers(trace: &Trace, ledger: &Ledger<'_>, lines: &Lines<'_>, wait: &Waiting) -> String {
    let lock = wait.obstacle.as_ref().and_then(|it| it.lock.as_deref());
    let taken = ledger.taken(lock.unwrap_or_default());
    let told = taken.iter().map(|&(thread, place)| {
        let who = match thread == wait.thread {
            true => "this thread".to_owned(),
            false => thread_name(trace, thread),
        };
        let place = place.map_or(String::new(), |it| {
            format!(" at {}", locate(lines.sources, it))
        });
        format!("{who} took one{place}")
    });
    let told: Vec<String> = told.collect();
    match told.as_slice() {
        [] => String::new(),
        some => format!("; {}, not given back", listed(some, "and")),
    }
}

/// What a thread waits for, if there is one thread only that can give it.
fn certain_wait(trace: &Trace, ledger: &Ledger<'_>, wait: &Waiting) -> Option<(String, Thread)> {
    if let Some(obstacle) = &wait.obstacle {
        return Some((clean(&obstacle.what), obstacle.holder?));
    }
    let mut wants = wait.wants.iter().filter(|want| may_block(want.0));
    let want = wants.next()?;
    if wants.next().is_some() {
        return None;
    }
    let next = match want.0 {
        Operation::WaitResume if ledger.awaits_notification(wait.thread) => return None,
        Operation::Acquire | Operation::WaitResume => ledger.holder(&want.1)?,
        Operation::Join => {
            let number = trace.threads.iter().position(|name| *name == want.1)?;
            Thread(u32::try_from(number).ok()?)
        }
        _ => return None,
    };
    Some((wish(trace, ledger, wait, want), next))
}
