//! Java programs as a [`System`]: every interleaving of their threads.
//!
//! A step of a thread begins with one operation that other threads could notice, and goes on
//! up to the next one: see [`hook`]. Who can reach an object is followed as the program
//! runs: see [`layout`].

mod acts;
mod answers;
mod calls;
mod choices;
mod contents;
mod preloaded;
mod encode;
mod ends;
mod footprints;
mod forms;
mod happens_before;
mod judgement;
mod layout;
mod library;
mod modes;
mod names;
mod narrate;
mod numbers;
mod obstacles;
mod outside;
mod parked;
mod program;
mod processes;
mod profile;
mod races;
mod relaxed;
mod run;
mod sockets;
mod status;
mod steps;

use choices::Openness;
pub use choices::{Randomness, Time, Timeouts};
pub use processes::{Processes, ProcessesState, Programs};
pub use profile::{BadLine, Profile};
pub use raddle_reduce::exclusive::Grain;

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use raddle_model::{
    Fault, Footprint, Futures, Halt, Invariants, Narrate, Object, ObjectState, Operation,
    Permissions, Region, States, Status, System, Temporal, Thread,
};

use acts::{Act, Global};
use encode::{Canonical, Encoder, Slot};
use happens_before::HappensBefore;
use preloaded::PRELOADED;
use program::Program;
use races::Races;
use raddle_jvm::heap::{Lock, Ref};
use raddle_jvm::made_up::Plausibility;
use raddle_jvm::network::Network;
use raddle_jvm::schedule::is_daemon;
use raddle_jvm::state::{Copies, State};
use raddle_jvm::thread::{Status as ThreadStatus, ThreadId, Wake};
use raddle_jvm::{Host, World};
use raddle_reduce::exclusive::Ownership;
use relaxed::Relaxed;

/// Of so many that were interrupted together it is tried whether a notification is for them.
const MOST_LEAVERS: usize = 4;

/// What a program has made before its first operation that others notice is kept apart if it is so many objects.
const MANY: usize = 1000;

/// A program ready to be checked.
pub struct Java {
    program: Program,
    /// The library, before any program.
    booted: State,
    start: State,
    /// How many threads of the library's own there are, beside the main one.
    own_threads: u32,
    encoder: Encoder,
    /// Why nothing that was explored proves anything.
    distrust: Mutex<Option<String>>,
    is_distrusted: AtomicBool,
    settings: Settings,
    exploration: Exploration,
    /// Its name, if it is one of several processes.
    process: Option<String>,
    races: Races,
    /// What names needed to know last.
    index: Mutex<Option<names::Index>>,
}

/// What a program is run with.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The class that has `main`.
    pub main_class: String,
    /// What `main` gets.
    pub arguments: Vec<String>,
    /// The numbers and names of the source files.
    pub files: Vec<(u32, String)>,
    /// What comes of random numbers without a seed.
    pub randomness: Randomness,
    /// How time goes on.
    pub time: Time,
    /// When time limits run out.
    pub timeouts: Timeouts,
    /// Whether a thread may return from `Object.wait` or `park` for no reason, as Java allows.
    pub is_spurious: bool,
    /// Whether a state with a data race is a violation: it is what an invariant would be.
    pub forbids_races: bool,
    /// What threads may read.
    pub memory_model: MemoryModel,
}

/// What threads may read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemoryModel {
    /// What Java allows where the program makes use of modes weaker than volatile, or fences;
    /// without them the newest values, also if there are data races.
    #[default]
    Modes,
    /// The newest values: sequential consistency.
    Sequential,
    /// What Java allows.
    Java,
}

/// How a program is explored.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// How much others are taken to notice of what a thread does.
    pub grain: Grain,
    /// Whether an unprotected access to a field of the program is a violation.
    pub is_strict: bool,
    /// What is said of classes from outside the program.
    pub profile: Profile,
    /// Whether a thread does not stop when all others have ended. Then how far a step goes
    /// depends on them: only for a search that takes no two steps for independent.
    pub is_free_when_alone: bool,
    /// Whether the search does not visit every state. Then a thread that is alone in the states
    /// that are visited may have company in others, and is held to what is assumed all the same.
    pub skips_states: bool,
    /// Whether it is not supported that a program ends before all of its threads have: for a
    /// search that looks for races with what they would have done.
    pub needs_ends: bool,
}

/// A state of a program that is checked.
#[derive(Debug)]
pub struct JavaState {
    pub(crate) machine: State,
    /// The operation that each thread makes next, if it stands before one.
    pending: Vec<Option<Act>>,
    /// What was claimed by threads, or for locks.
    claims: Ownership,
    /// What has happened before what. It makes no difference to the steps of the program.
    past: HappensBefore,
    /// What threads may still read, if not every access is in one order.
    relaxed: Relaxed,
    /// Whether the program has ended.
    is_over: bool,
    canonical: RefCell<Canonical>,
    slot: Slot,
}

impl JavaState {
    /// The state of the machine.
    pub fn machine(&self) -> &State {
        &self.machine
    }

    /// Makes copies cheap until the next step.
    fn freeze(&mut self) {
        self.machine
            .freeze_noting(&mut self.canonical.get_mut().changes);
    }
}

impl Clone for JavaState {
    fn clone(&self) -> Self {
        Self {
            machine: self.machine.clone(),
            pending: self.pending.clone(),
            claims: self.claims.clone(),
            past: self.past.clone(),
            relaxed: self.relaxed.clone(),
            is_over: self.is_over,
            canonical: self.canonical.clone(),
            slot: self.slot.clone(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        // All by name, so that none is forgotten.
        let Self {
            machine,
            pending,
            claims,
            past,
            relaxed,
            is_over,
            canonical,
            slot,
        } = other;
        self.machine.clone_from(machine);
        self.pending.clone_from(pending);
        self.claims.clone_from(claims);
        self.past.clone_from(past);
        self.relaxed.clone_from(relaxed);
        self.is_over = *is_over;
        self.canonical.get_mut().clone_from(&canonical.borrow());
        self.slot.clone_from(slot);
    }
}

/// Nothing comes in, and what goes out is seen by the hook.
struct Silent;

impl Host for Silent {
    fn write(&mut self, _: i32, _: &[u8]) {}

    fn read(&mut self, _: usize) -> Vec<u8> {
        Vec::new()
    }
}

const THREADS: Region = Region(0);
const MONITORS: Region = Region(1);
const PERMITS: Region = Region(2);
const INTERRUPTS: Region = Region(3);
const CLASSES: Region = Region(4);
const GLOBALS: Region = Region(5);
const CLAIMS: Region = Region(6);
/// The first region of fields and elements: one for each position.
const SLOTS: u32 = 16;

/// A field or an element, as searches know it.
fn variable(object: Ref, index: u32) -> Object {
    Object {
        region: Region(SLOTS + index),
        index: object.0,
    }
}

/// An object as a whole: what can be claimed of it.
fn whole(object: Ref) -> Object {
    Object {
        region: CLAIMS,
        index: object.0,
    }
}

/// The monitor of an object, or the object if it is a lock of the library.
fn monitor(object: Ref) -> Object {
    Object {
        region: MONITORS,
        index: object.0,
    }
}

impl Java {
    /// Starts the library, and a program on it.
    pub fn new(world: World, settings: Settings) -> Result<Self, String> {
        let open = Openness::new(&settings);
        let program = Program::new(world, open);
        let booted = raddle_jvm::boot_with(&program, &mut Silent, &PRELOADED)?;
        let own_threads = booted.threads.len() as u32 - 1;
        let start = started(&program, &booted, &settings)?;
        let mut java = Self {
            program,
            booted,
            start,
            own_threads,
            encoder: Encoder::default(),
            distrust: Mutex::new(None),
            is_distrusted: AtomicBool::new(false),
            settings,
            exploration: Exploration::default(),
            process: None,
            races: Races::default(),
            index: Mutex::default(),
        };
        java.prepare(Exploration::default());
        Ok(java)
    }

    /// Runs the same program with other arguments from now on.
    pub fn restart(&mut self, arguments: Vec<String>) -> Result<(), String> {
        self.settings.arguments = arguments;
        self.start = started(&self.program, &self.booted, &self.settings)?;
        Ok(())
    }

    /// The classes of the program, and the state in which `main` is about to begin.
    pub fn beginning_of_main(&self) -> (&World, &State) {
        (&self.program, &self.start)
    }

    /// Lets threads be started several times over: the n-th that the program starts, counted from
    /// one, so many times more.
    pub fn copy_threads(&mut self, copies: &[(u32, Copies)]) {
        let own = self.own_threads;
        let copies = copies
            .iter()
            .map(|&(number, copies)| (number + own, copies));
        self.start.copies = Arc::new(copies.collect());
    }

    /// Says how the program is explored from now on, and forgets all that was found out before.
    pub fn prepare(&mut self, exploration: Exploration) {
        self.program.forget(exploration.profile.clone());
        self.exploration = exploration;
        self.distrust = Mutex::new(None);
        self.is_distrusted = AtomicBool::new(false);
        self.races = Races::default();
        *self.races.are_all_seen.get_mut() = !self.exploration.skips_states;
        if self.settings.is_spurious {
            *self.program.facts.disturbance.get_mut() = true;
        }
    }

    /// From now on all states are visited, so that all data races are seen.
    pub(crate) fn see_all_races(&self) {
        self.races.are_all_seen.store(true, Ordering::Relaxed);
    }

    /// Whether all data races are seen, because all states are visited.
    pub(crate) fn sees_all_races(&self) -> bool {
        self.races.are_all_seen.load(Ordering::Relaxed)
    }

    /// Whether something was found out that was not known when the search began; it has to
    /// begin again. Asking makes it old.
    pub fn take_news(&self) -> bool {
        self.program.facts.book.take_news()
    }

    /// Whether there is something new, which stays so.
    pub fn has_news(&self) -> bool {
        self.program.facts.book.has_news()
    }

    /// From now on nothing is found out any more, so that what was executed once can be
    /// executed in the same steps again.
    pub fn settle(&self) {
        self.program.facts.book.settle();
    }

    /// What was found out, for [`Java::recall`].
    pub fn findings(&self) -> Vec<String> {
        layout::findings(&self.program)
    }

    /// Takes for granted what was found out in another run, and settles. False if the program
    /// is another one.
    pub fn recall(&self, findings: &[String]) -> bool {
        // The first objects have to be there. It may be here that the program goes wrong.
        let _ = self.initial();
        let mut all = findings.iter();
        let is_same = all.all(|finding| layout::recall(&self.program, finding));
        self.settle();
        is_same
    }

    /// Which classes' operations are taken for single steps, in a sentence; nothing, if none
    /// are.
    pub fn trust(&self) -> Option<String> {
        self.program.facts.trust()
    }

    /// Whether the program makes use of `java.util.concurrent` itself.
    pub fn is_concurrent(&self) -> bool {
        self.program.facts.is_concurrent()
    }

    /// The classes that the program itself names where it was executed, and which are not there.
    pub fn missing(&self) -> Vec<String> {
        self.program.missing()
    }

    /// What a verdict rests on, in sentences without a full stop.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::from_iter(self.trust());
        if self.is_relaxed() {
            remarks.push(
                "searched under the Java memory model: accesses that nothing orders may read old \
                 values"
                    .to_owned(),
            );
        }
        if self.program.facts.copies.load(Ordering::Relaxed) {
            remarks.push("copying an array or an object is taken for one step".to_owned());
        }
        if self.program.facts.streams.load(Ordering::Relaxed) {
            remarks.push("reading from a socket is taken to give all that has come".to_owned());
        }
        if self.settings.is_spurious {
            remarks.push(
                "with spurious wake-ups no thread waits for a notification for ever; missed ones \
                 are found without --spurious"
                    .to_owned(),
            );
        }
        remarks.extend(self.quiet_races().filter(|_| !self.settings.forbids_races));
        remarks
    }

    /// What a verdict *holds* does not cover, in a few words each, as far as it concerns this
    /// program.
    pub fn not_covered(&self) -> Vec<String> {
        let facts = &self.program.facts;
        let mut open = self.left_out();
        if facts.waits.load(Ordering::Relaxed) && !self.settings.is_spurious {
            // What races allow comes first.
            let place = usize::from(facts.plain_race.load(Ordering::Relaxed)).min(open.len());
            open.insert(
                place,
                "spurious wake-ups (--spurious tries them)".to_owned(),
            );
        }
        open
    }

    /// The same without spurious wake-ups, on which no program can count: what it takes to say that
    /// something cannot happen.
    pub fn left_out(&self) -> Vec<String> {
        let facts = &self.program.facts;
        let mut open = Vec::new();
        if facts.plain_race.load(Ordering::Relaxed) {
            open.push("load buffering of plain accesses".to_owned());
        }
        if facts.limits.load(Ordering::Relaxed) {
            let limits =
                "time limits that run out while others can move (--timeouts any tries them)";
            open.push(limits.to_owned());
        }
        if facts.references.load(Ordering::Relaxed) {
            open.push("references that the garbage collector clears".to_owned());
        }
        if facts.orders.load(Ordering::Relaxed) {
            open.push("other orders of Set.of and Map.of than the one of this run".to_owned());
        }
        if facts.hashes.load(Ordering::Relaxed) {
            open.push(
                "other identity hash codes than those of this run, and orders of hash tables with \
                 them"
                    .to_owned(),
            );
        }
        let answers = self.program.made_up.names(Plausibility::Possible);
        if !answers.is_empty() {
            open.push(format!("other answers than here: {}", answers.join(", ")));
        }
        self.leave_out_choices(&mut open);
        open
    }

    /// The name of a source file of the program, by its number.
    pub fn file(&self, number: u32) -> Option<&str> {
        let mut files = self.settings.files.iter();
        let (_, name) = files.find(|(file, _)| *file == number)?;
        Some(name)
    }

    /// The state in which the program has not done anything that others notice.
    fn begin(&self, network: Network) -> Result<JavaState, Halt> {
        let mut state = self.beginning();
        state.machine.network = network;
        let mut log = self.is_relaxed().then(Vec::new);
        self.begin_relaxed(&mut state);
        let begun = self.advance(&mut state, ThreadId(0), None, None, &mut log);
        begun.map_err(|halt| self.judged(&state, halt))?;
        self.follow_relaxed(&mut state, log.as_deref().unwrap_or_default(), None)?;
        state.freeze();
        // Objects that go away later would stay in the words of states. So it has to be worth it.
        if state.machine.heap.made() >= MANY {
            state.machine.end_beginning();
        }
        self.program.facts.prepare(state.machine.heap.end());
        for index in 0..state.pending.len() {
            self.note_races(&state, ThreadId(index as u32));
        }
        Ok(state)
    }

    /// Fails if the program has ended too early.
    fn check_end(&self, state: &JavaState) -> Result<(), Halt> {
        let is_uncommitted = state.is_over && self.alive(&state.machine) > 0;
        match is_uncommitted && self.exploration.needs_ends {
            true => Err(Halt::GaveUp(
                "the program ends while threads are alive, which this reduction does not see"
                    .to_owned(),
            )),
            false => Ok(()),
        }
    }

    /// The state in which not even the first thread has begun.
    fn beginning(&self) -> JavaState {
        JavaState {
            machine: self.start.clone(),
            pending: Vec::new(),
            claims: Ownership::default(),
            past: HappensBefore::default(),
            relaxed: Relaxed::default(),
            is_over: false,
            canonical: RefCell::default(),
            slot: Slot::default(),
        }
    }

    /// The machine's number of a thread: the library's own are left out.
    fn id(&self, thread: Thread) -> ThreadId {
        ThreadId(match thread.0 {
            0 => 0,
            number => number + self.own_threads,
        })
    }

    fn number(&self, id: ThreadId) -> Thread {
        Thread(id.0.saturating_sub(self.own_threads))
    }

    /// The thread whose `java.lang.Thread` is `object`.
    fn thread_of(&self, state: &State, object: Ref) -> Option<Thread> {
        let id = state.thread_of(object)?;
        (id.0 == 0 || id.0 > self.own_threads).then(|| self.number(id))
    }

    fn give_up(&self) -> Option<Halt> {
        if !self.is_distrusted.load(Ordering::Relaxed) {
            return None;
        }
        let distrust = self.distrust.lock().ok()?;
        distrust.clone().map(Halt::GaveUp)
    }

    fn distrust(&self, why: String) {
        if let Ok(mut distrust) = self.distrust.lock() {
            distrust.get_or_insert(why);
        }
        self.is_distrusted.store(true, Ordering::Relaxed);
    }

    fn program_threads<'s>(
        &self,
        state: &'s State,
    ) -> impl Iterator<Item = &'s raddle_jvm::thread::Thread> + use<'s> {
        let own = self.own_threads;
        let all = state.threads.iter().filter_map(|thread| thread.get());
        all.filter(move |thread| thread.id.0 == 0 || thread.id.0 > own)
    }

    fn alive(&self, state: &State) -> usize {
        self.program_threads(state)
            .filter(|thread| thread.status != ThreadStatus::Ended)
            .count()
    }

    fn pending<'s>(&self, state: &'s JavaState, id: ThreadId) -> Option<&'s Act> {
        state.pending.get(id.0 as usize)?.as_ref()
    }

    /// The threads that wait for a notification on an object, in order.
    fn waiters(&self, state: &State, object: Ref) -> Vec<ThreadId> {
        let waits = |thread: &&raddle_jvm::thread::Thread| matches!(thread.status, ThreadStatus::Waiting { object: awaited, .. } if awaited == object);
        let waiting = self.program_threads(state).filter(waits);
        waiting.map(|thread| thread.id).collect()
    }

    /// Who was interrupted while it waited for notifications of an object, and has not gone on yet. A
    /// notification may still be for it: then it returns as if it had not been interrupted, and
    /// is interrupted all the same (JLS 17.2.4).
    fn leavers(&self, state: &State, object: Ref) -> Vec<ThreadId> {
        let leaves = |thread: &&raddle_jvm::thread::Thread| {
            matches!(thread.status, ThreadStatus::Returning { object: left, wake: Wake::Interrupted, .. }
                if left == object)
        };
        let leaving = self.program_threads(state).filter(leaves);
        leaving.map(|thread| thread.id).take(MOST_LEAVERS).collect()
    }

    fn lock(&self, state: &State, object: Ref) -> Lock {
        state
            .heap
            .get(object)
            .map(|object| object.lock)
            .unwrap_or_default()
    }
}

/// The state in which `main` is about to begin.
fn started(program: &Program, booted: &State, settings: &Settings) -> Result<State, String> {
    let (main, arguments) = (&settings.main_class, &settings.arguments);
    let mut start = raddle_jvm::start(program, booted, main, arguments, &mut Silent)?;
    start.assertions = true;
    choices::plant_seed(program, &mut start);
    start.freeze();
    Ok(start)
}

impl States for Java {
    type State = JavaState;

    fn decodes(&self) -> bool {
        false
    }
}

impl System for Java {
    fn initial(&self) -> Result<JavaState, Halt> {
        self.begin(Network::default())
    }

    fn threads(&self, state: &JavaState) -> usize {
        state.machine.threads.len() - self.own_threads as usize
    }

    fn is_impatient(&self, state: &JavaState, thread: Thread) -> bool {
        let id = self.id(thread);
        let status = state.machine.thread(id).map(|found| found.status);
        match (status, self.pending(state, id)) {
            (Some(ThreadStatus::Waiting { .. } | ThreadStatus::Parked { .. }), _) => true,
            (Some(ThreadStatus::Runnable), Some(Act::Exchange(exchange))) => {
                sockets::must_wait(&self.program, &state.machine, exchange)
            }
            _ => false,
        }
    }

    fn status(&self, state: &JavaState, thread: Thread) -> Status {
        self.status_if(state, thread, || self.may_time_out(state, thread))
    }

    fn step(&self, state: &mut JavaState, thread: Thread, choice: u32) -> Result<(), Halt> {
        let before = state.machine.threads.len();
        self.go(state, thread, choice, &mut None)?;
        if self.program.facts.loader_locks.load(Ordering::Relaxed) {
            let what = "the program locks a class loader, and classes are loaded without its lock";
            return Err(Halt::GaveUp(what.to_owned()));
        }
        self.note_races(state, self.id(thread));
        for index in before..state.machine.threads.len() {
            self.note_races(state, ThreadId(index as u32));
        }
        Ok(())
    }

    fn footprint(&self, state: &JavaState, thread: Thread, out: &mut Footprint) {
        let id = self.id(thread);
        let machine = &state.machine;
        let status = self.status(state, thread);
        let Some(found) = machine.thread(id) else {
            return;
        };
        let global = |global: Global| Object {
            region: GLOBALS,
            index: global as u32,
        };
        if let Some(operation) = self.patience(state, thread) {
            out.add(global(Global::Patience), operation);
        }
        if matches!(status, Status::Ready { .. }) {
            self.touch_doing(Operation::Read, out);
        }
        // Nobody waits any more when the program has ended. What an exit does to those who wait
        // for something else is not said: they would not seem to be stuck.
        let is_stopped = state.is_over && found.status != ThreadStatus::Ended;
        if (is_stopped || status != Status::Done) && self.is_daemon(state, thread) {
            out.add(global(Global::End), Operation::Read);
        }
        if is_stopped || matches!(status, Status::Ready { .. }) {
            out.add(global(Global::Exit), Operation::Read);
        }
        // Without the end of the program it would have gone on: whoever looks for races sees that.
        if is_stopped {
            return;
        }
        match found.status {
            ThreadStatus::Waiting { object, until, .. } => {
                let monitor = Object {
                    region: MONITORS,
                    index: object.0,
                };
                if until.is_some() || self.settings.is_spurious {
                    // It leaves the monitor's wait set without having the monitor.
                    out.add(monitor, Operation::Read);
                }
                if until.is_some() {
                    self.touch(machine, thread, &Act::Global(Global::Clock), out);
                }
                out.add(monitor, Operation::WaitResume);
                self.touch_sleep(machine, thread, object, out);
                return;
            }
            ThreadStatus::Parked { until: None } if !self.settings.is_spurious => {
                return self.touch(machine, thread, &Act::Permit(found.object), out);
            }
            ThreadStatus::Parked { .. } => {
                self.touch(machine, thread, &Act::Permit(found.object), out);
            }
            _ => {}
        }
        match status {
            Status::Done => {}
            Status::Blocked => match found.status {
                ThreadStatus::Exchanging {
                    socket, request, ..
                } => sockets::touch(&machine.network, socket, request, out),
                ThreadStatus::Returning { object, .. } => {
                    self.touch(machine, thread, &Act::Resume(object), out);
                    self.touch_sleep(machine, thread, object, out);
                }
                _ => {
                    if let Some(act) = self.pending(state, id) {
                        self.touch(machine, thread, act, out);
                    }
                }
            },
            // What it does is found out by doing it.
            Status::Ready { choices } => {
                if let ThreadStatus::Returning { object, .. } = found.status {
                    self.touch_sleep(machine, thread, object, out);
                }
                for choice in 0..choices {
                    let mut after = state.clone();
                    let mut log = Some(Vec::new());
                    let _ = self.go(&mut after, thread, choice, &mut log);
                    for entry in log.iter().flatten() {
                        self.touch(machine, self.number(entry.by), &entry.act, out);
                    }
                }
            }
        }
    }

    fn observe(&self, state: &JavaState, object: Object) -> ObjectState {
        if object.region != MONITORS {
            return sockets::observe(&state.machine.network, object);
        }
        let object = Ref(object.index);
        let lock = self.lock(&state.machine, object);
        let waits = |thread: &&raddle_jvm::thread::Thread, returns: bool| match thread.status {
            ThreadStatus::Waiting { object: on, .. } => !returns && on == object,
            ThreadStatus::Returning { object: on, .. } => returns && on == object,
            _ => false,
        };
        let those = |returns: bool| {
            self.program_threads(&state.machine)
                .filter(|thread| waits(thread, returns))
                .map(|thread| self.number(thread.id))
                .collect()
        };
        ObjectState::Monitor {
            owner: lock
                .owner
                .checked_sub(1)
                .map(|owner| self.number(ThreadId(owner))),
            // Only giving it back for the last time is an operation.
            depth: lock.count.min(1),
            waiting: those(false),
            notified: those(true),
        }
    }

    fn held(&self, state: &JavaState, thread: Thread, out: &mut Vec<Object>) {
        out.clear();
        let owner = self.id(thread).0 + 1;
        let heap = &state.machine.heap;
        let made = (0..heap.end())
            .map(Ref)
            .skip_while(|&object| heap.is_boot(object));
        let holds = |object: &Ref| self.lock(&state.machine, *object).owner == owner;
        let first = heap.dirty().take_while(|&object| heap.is_boot(object));
        let held = first.chain(made).filter(holds);
        out.extend(held.map(|object| Object {
            region: MONITORS,
            index: object.0,
        }));
    }

    fn is_daemon(&self, state: &JavaState, thread: Thread) -> bool {
        let found = state.machine.thread(self.id(thread));
        found.is_some_and(|found| is_daemon(&self.program, &state.machine, found.object))
    }

    fn encode<'a>(&self, state: &'a JavaState, scratch: &'a mut Vec<u32>) -> &'a [u32] {
        scratch.clear();
        if let Some(why) = self.encoder.encode(self, state, scratch) {
            self.distrust(why);
        }
        scratch
    }

    /// The words are numbers of parts, of which it is not written down how they came about.
    fn decode(&self, words: &[u32], state: &mut JavaState) {
        // What was found out since may have changed how states are written; then all begins again.
        debug_assert!(
            self.encode(state, &mut Vec::new()) == words || self.has_news(),
            "a state was asked for that nobody has kept"
        );
    }
}

impl Futures for Java {}

impl Permissions for Java {}

impl Temporal for Java {}

impl Invariants for Java {
    fn check_invariants(&self, state: &JavaState) -> Result<(), Fault> {
        match self.race(state) {
            Some(race) => Err(races::fault(&race)),
            None => Ok(()),
        }
    }
}
