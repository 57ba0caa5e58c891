//! How the threads of an execution act on each other: which step lets which other one happen,
//! and where the values come from that it reads.
//!
//! All of it follows from the events of the steps, so that every front end that tells what its
//! steps do gets it without a word more.

use raddle_model::{Operation, Step, Thread, Trace};
use std::collections::{BTreeMap, VecDeque};

/// Something that a step of one thread does for a later one of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// What.
    pub kind: LinkKind,
    /// The index of the earlier step.
    pub from: usize,
    /// The index of the later one; the number of steps if it has not been made yet.
    pub to: usize,
    /// Whose step that is.
    pub thread: Thread,
    /// By means of what, by name.
    pub object: String,
}

/// The kinds of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkKind {
    /// It gives the lock back that the other one takes.
    Release,
    /// It wakes the other one up.
    Notify,
    /// It starts the thread.
    Start,
    /// It ends the thread that is waited for.
    Join,
    /// It raises the semaphore that the other one lowers.
    Signal,
    /// It sends the message that the other one receives.
    Message,
    /// It writes the value that the other one reads.
    Value,
}

impl LinkKind {
    /// The name used in JSON and on pages.
    pub fn name(self) -> &'static str {
        match self {
            LinkKind::Release => "release",
            LinkKind::Notify => "notify",
            LinkKind::Start => "start",
            LinkKind::Join => "join",
            LinkKind::Signal => "signal",
            LinkKind::Message => "message",
            LinkKind::Value => "value",
        }
    }
}

/// The links of a trace, in the order of the later step.
pub fn links(trace: &Trace) -> Vec<Link> {
    links_of(&trace.threads, &trace.steps)
}

/// The links between steps of threads with these names.
pub(crate) fn links_of(threads: &[String], steps: &[Step]) -> Vec<Link> {
    let mut past = Past {
        threads,
        ..Past::default()
    };
    for (index, step) in steps.iter().enumerate() {
        past.enter(index, step);
    }
    let pending = [
        (LinkKind::Notify, past.woken),
        (LinkKind::Start, past.started),
    ];
    let mut links = past.links;
    for (kind, origins) in pending {
        links.extend(origins.into_iter().map(|(thread, (from, _))| Link {
            kind,
            from,
            to: steps.len(),
            thread,
            object: String::new(),
        }));
    }
    links
}

/// A step, by its index, and whose it is.
type Origin = (usize, Thread);

/// What was done so far that a later step may follow from.
#[derive(Default)]
struct Past<'a> {
    threads: &'a [String],
    links: Vec<Link>,
    released: BTreeMap<&'a str, Origin>,
    written: BTreeMap<&'a str, Origin>,
    /// What was raised or sent and not taken yet.
    given: BTreeMap<&'a str, VecDeque<Origin>>,
    woken: BTreeMap<Thread, Origin>,
    started: BTreeMap<Thread, Origin>,
    finished: BTreeMap<Thread, Origin>,
}

impl<'a> Past<'a> {
    fn enter(&mut self, index: usize, step: &'a Step) {
        let thread = step.step.thread;
        let here = (index, thread);
        let first = self.links.len();
        if let Some(origin) = self.started.remove(&thread) {
            self.link(LinkKind::Start, Some(origin), here, "");
        }
        for event in &step.events {
            let object = event.object.as_str();
            let is_access = matches!(
                event.operation,
                Some(Operation::Read | Operation::Write | Operation::Update | Operation::Add)
            );
            // How a library keeps its books says nothing of who acts on whom.
            if is_access && event.is_detail {
                continue;
            }
            match event.operation {
                Some(operation) => self.operate(operation, object, here),
                None if matches!(object, "wakes" | "unparks") => {
                    let woken = event.value.as_deref();
                    if let Some(woken) = woken.and_then(|name| self.thread(name)) {
                        self.woken.insert(woken, here);
                    }
                }
                None if object.starts_with("goes on") => {
                    let woken = self.woken.remove(&thread);
                    self.link(LinkKind::Notify, woken, here, "");
                }
                None => {}
            }
        }
        // What is read twice in a step comes from the same one.
        let mut later = self.links.split_off(first);
        let order = |link: &Link| (link.kind, link.from, link.object.clone());
        later.sort_by_key(order);
        later.dedup();
        self.links.append(&mut later);
    }

    fn operate(&mut self, operation: Operation, object: &'a str, here: Origin) {
        let thread = here.1;
        match operation {
            Operation::Acquire | Operation::WaitResume => {
                let woken = self.woken.remove(&thread);
                self.link(LinkKind::Notify, woken, here, object);
                let released = self.released.remove(object);
                self.link(LinkKind::Release, released, here, object);
            }
            Operation::Release | Operation::Wait => drop(self.released.insert(object, here)),
            Operation::Up | Operation::Send => {
                self.given.entry(object).or_default().push_back(here);
            }
            Operation::Down => {
                let given = self.given.get_mut(object).and_then(VecDeque::pop_front);
                self.link(LinkKind::Signal, given, here, object);
            }
            Operation::Receive => {
                let given = self.given.get_mut(object).and_then(VecDeque::pop_front);
                self.link(LinkKind::Message, given, here, object);
            }
            Operation::Start => {
                if let Some(started) = self.thread(object) {
                    self.started.insert(started, here);
                }
            }
            Operation::Finish => drop(self.finished.insert(thread, here)),
            Operation::Join => {
                let joined = self.thread(object);
                let end = joined.and_then(|it| self.finished.get(&it).copied());
                self.link(LinkKind::Join, end, here, object);
            }
            Operation::Read => {
                let written = self.written.get(object).copied();
                self.link(LinkKind::Value, written, here, object);
            }
            Operation::Update | Operation::Add => {
                let written = self.written.insert(object, here);
                self.link(LinkKind::Value, written, here, object);
            }
            Operation::Write => drop(self.written.insert(object, here)),
            Operation::Notify | Operation::NotifyAll => {}
        }
    }

    /// Notes a link from another thread.
    fn link(&mut self, kind: LinkKind, origin: Option<Origin>, here: Origin, object: &str) {
        if let Some((from, thread)) = origin
            && thread != here.1
        {
            self.links.push(Link {
                kind,
                from,
                to: here.0,
                thread: here.1,
                object: object.to_owned(),
            });
        }
    }

    fn thread(&self, name: &str) -> Option<Thread> {
        let index = self.threads.iter().position(|thread| thread == name)?;
        u32::try_from(index).ok().map(Thread)
    }
}
