//! Java programs as a [`System`]: every interleaving of their threads.
//!
//! A step of a thread begins with one operation that other threads could notice, and goes on
//! up to the next one: see [`sentry`]. Who can reach an object is followed as the program
//! runs: see [`layout`].

mod choices;
mod encode;
mod forms;
mod guards;
mod layout;
mod names;
mod narrate;
mod obstacles;
mod order;
mod processes;
mod profile;
mod races;
mod roles;
mod sentry;
mod sockets;

pub(crate) use choices::Openness;
pub use choices::{Randomness, Time};
pub use guards::Grain;
pub(crate) use layout::{Facts, Layout, share};
pub use processes::{Processes, ProcessesState, Programs};
pub use profile::{BadLine, Profile};
pub(crate) use roles::{Role, role};
pub(crate) use sentry::{Reply, Sentry};

use std::cell::RefCell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use raddle_model::{
    Fault, FaultKind, Footprint, Future, Halt, Object, ObjectState, Operation, Place, Region,
    Status, System, Thread,
};

use crate::heap::{Lock, Ref};
use crate::interpret::{Event, Host, Watched, run, with_thread, with_watched_thread};
use crate::natives::{announce_end, wake};
use crate::network::Network;
use crate::schedule::is_daemon;
use crate::state::{Initialisation, State};
use crate::thread::{Phase, Status as ThreadStatus, Then, ThreadId, Wake};
use crate::world::{MethodId, Origin, World};
use encode::{Canonical, Encoder};
use guards::{Claims, Guard, Holder, WHOLE};
use sentry::{Act, Deed, Global};

/// How many calls and backward jumps a step has before others may go on.
const BUDGET: u64 = 2_000_000;

/// A program ready to be checked.
pub struct Java {
    world: World,
    start: State,
    /// How many threads of the library's own there are, beside the main one.
    own_threads: u32,
    /// The names of the program's source files, as a [`Place`] numbers them.
    files: Vec<String>,
    /// How many files other programs have before these.
    first_file: u32,
    encoder: Mutex<Encoder>,
    /// States by a hash of their canonical form, while somebody wants to have them back.
    kept: Mutex<Option<HashMap<u128, JavaState, FixedState>>>,
    /// Why nothing that was explored proves anything.
    distrust: Mutex<Option<String>>,
    is_distrusted: AtomicBool,
    is_free: AtomicBool,
    is_spurious: AtomicBool,
    needs_ends: AtomicBool,
    grain: Grain,
    is_strict: bool,
    /// Whether it is one of several processes.
    is_distributed: bool,
    races: Mutex<races::Races>,
    /// Whether a race is a violation.
    forbids_races: AtomicBool,
}

/// A state of a program that is checked.
#[derive(Debug)]
pub struct JavaState {
    pub(crate) machine: State,
    /// The operation that each thread makes next, if it stands before one.
    pending: Vec<Option<Act>>,
    /// What was claimed by threads, or for locks.
    claims: Claims,
    /// Whether the program has ended.
    is_over: bool,
    canonical: RefCell<Canonical>,
}

impl JavaState {
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
            is_over: self.is_over,
            canonical: self.canonical.clone(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        // All by name, so that none is forgotten.
        let Self {
            machine,
            pending,
            claims,
            is_over,
            canonical,
        } = other;
        self.machine.clone_from(machine);
        self.pending.clone_from(pending);
        self.claims.clone_from(claims);
        self.is_over = *is_over;
        self.canonical.get_mut().clone_from(&canonical.borrow());
    }
}

/// Nothing comes in, and what goes out is seen by the sentry.
struct Silent;

impl Host for Silent {
    fn write(&mut self, _: i32, _: &[u8]) {}

    fn read(&mut self, _: usize) -> Vec<u8> {
        Vec::new()
    }
}

/// Classes of the library that many programs use when they have several threads. No program
/// notices when they are initialised, but it would take many steps.
const EARLY: [&str; 51] = [
    // Has a thread of its own, which is then the library's.
    "jdk/internal/ref/CleanerFactory",
    "java/util/ArrayList",
    "java/util/Arrays",
    "java/util/HashMap",
    "java/util/LinkedList",
    "java/util/ArrayDeque",
    "java/util/PriorityQueue",
    "java/util/Optional",
    "java/util/Random",
    "java/lang/Integer$IntegerCache",
    "java/lang/Long$LongCache",
    "java/lang/StringUTF16",
    "java/lang/StringBuffer",
    "java/lang/AssertionError",
    "java/lang/ThreadLocal",
    "java/util/concurrent/TimeUnit",
    "java/util/concurrent/ThreadLocalRandom",
    "java/util/concurrent/locks/LockSupport",
    "java/util/concurrent/locks/AbstractQueuedSynchronizer",
    "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject",
    "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionNode",
    "java/util/concurrent/locks/AbstractQueuedSynchronizer$ExclusiveNode",
    "java/util/concurrent/locks/AbstractQueuedSynchronizer$SharedNode",
    "java/util/concurrent/locks/ReentrantLock$NonfairSync",
    "java/util/concurrent/locks/ReentrantLock$FairSync",
    "java/util/concurrent/locks/ReentrantReadWriteLock$NonfairSync",
    "java/util/concurrent/locks/StampedLock",
    "java/util/concurrent/atomic/AtomicInteger",
    "java/util/concurrent/atomic/AtomicLong",
    "java/util/concurrent/atomic/AtomicBoolean",
    "java/util/concurrent/atomic/AtomicReference",
    "java/util/concurrent/atomic/LongAdder",
    "java/util/concurrent/ForkJoinPool",
    "java/util/concurrent/ForkJoinTask",
    "java/util/concurrent/ForkJoinWorkerThread",
    "java/util/concurrent/CompletableFuture",
    "java/util/concurrent/FutureTask",
    "java/util/concurrent/ThreadPoolExecutor",
    "java/util/concurrent/Executors",
    "java/util/concurrent/ConcurrentHashMap",
    "java/util/concurrent/ConcurrentLinkedQueue",
    "java/util/concurrent/ConcurrentSkipListMap",
    "java/util/concurrent/CopyOnWriteArrayList",
    "java/util/concurrent/ArrayBlockingQueue",
    "java/util/concurrent/LinkedBlockingQueue",
    "java/util/concurrent/SynchronousQueue$TransferStack",
    "java/util/concurrent/CountDownLatch$Sync",
    "java/util/concurrent/CyclicBarrier",
    "java/util/concurrent/Semaphore$NonfairSync",
    "java/util/concurrent/Phaser",
    "java/util/concurrent/Exchanger",
];

const THREADS: Region = Region(0);
const MONITORS: Region = Region(1);
const PERMITS: Region = Region(2);
const INTERRUPTS: Region = Region(3);
const CLASSES: Region = Region(4);
const GLOBALS: Region = Region(5);
const CLAIMS: Region = Region(6);
/// The first region of fields and elements: one for each position.
const SLOTS: u32 = 16;

impl Java {
    /// Starts the library, and a program on it. `files` are the names of its source files.
    pub fn new(
        world: World,
        main_class: &str,
        arguments: &[String],
        files: Vec<String>,
    ) -> Result<Self, String> {
        let booted = crate::boot::boot_with(&world, &mut Silent, &EARLY)?;
        let own_threads = booted.threads.len() as u32 - 1;
        let mut start = crate::start(&world, &booted, main_class, arguments, &mut Silent)?;
        start.assertions = true;
        choices::plant_seed(&world, &mut start);
        start.freeze();
        Ok(Self {
            world,
            start,
            own_threads,
            files,
            first_file: 0,
            encoder: Mutex::default(),
            kept: Mutex::new(None),
            distrust: Mutex::new(None),
            is_distrusted: AtomicBool::new(false),
            is_free: AtomicBool::new(false),
            is_spurious: AtomicBool::new(false),
            needs_ends: AtomicBool::new(false),
            grain: Grain::default(),
            is_strict: false,
            is_distributed: false,
            races: Mutex::default(),
            forbids_races: AtomicBool::new(false),
        })
    }

    /// Whether something was found out that was not known when the search began; it has to
    /// begin again. Asking makes it old.
    pub fn take_news(&self) -> bool {
        self.world.facts.is_news.swap(false, Ordering::Relaxed)
    }

    /// Whether there is something new, which stays so.
    pub fn has_news(&self) -> bool {
        self.world.facts.is_news.load(Ordering::Relaxed)
    }

    /// From now on nothing is found out any more, so that what was executed once can be
    /// executed in the same steps again.
    pub fn settle(&self) {
        self.world.facts.is_settled.store(true, Ordering::Relaxed);
    }

    /// What was found out, for [`Java::recall`].
    pub fn findings(&self) -> Vec<String> {
        layout::findings(&self.world)
    }

    /// Takes for granted what was found out in another run, and settles. False if the program
    /// is another one.
    pub fn recall(&self, findings: &[String]) -> bool {
        // The first objects have to be there.
        let has_begun = self.initial().is_ok();
        let mut all = findings.iter();
        let is_same = all.all(|finding| layout::recall(&self.world, finding));
        self.settle();
        has_begun && is_same
    }

    /// Whether a thread may return from `Object.wait` or `park` for no reason, as Java allows.
    pub fn wake_spuriously(&self, is_spurious: bool) {
        self.is_spurious.store(is_spurious, Ordering::Relaxed);
        if is_spurious {
            self.world.facts.disturbance.store(true, Ordering::Relaxed);
        }
    }

    /// How much others are taken to notice of what a thread does.
    pub fn set_grain(&mut self, grain: Grain) {
        self.grain = grain;
    }

    /// What is said of classes from outside the program. Only before anything was explored.
    pub fn set_profile(&mut self, profile: Profile) {
        self.world.facts.profile = profile;
    }

    /// Whether an unprotected access to a field of the program is a violation.
    pub fn set_strict(&mut self, is_strict: bool) {
        self.is_strict = is_strict;
    }

    /// What a verdict rests on, in sentences without a full stop.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::from_iter(self.world.facts.profile.remark());
        if self.world.facts.clock.load(Ordering::Relaxed) {
            remarks.push(
                "the program asks for the time; time goes on by itself only when somebody waits"
                    .to_owned(),
            );
        }
        if self.world.facts.copies.load(Ordering::Relaxed) {
            remarks.push("copying an array or an object is taken for one step".to_owned());
        }
        if self.is_spurious.load(Ordering::Relaxed) {
            remarks.push(
                "with spurious wake-ups no thread waits for a notification for ever; missed ones \
                 are found without --spurious"
                    .to_owned(),
            );
        }
        self.remark_choices(&mut remarks);
        remarks
    }

    /// Whether a thread does not stop when all others have ended. Then how far a step goes
    /// depends on them: only for a search that takes no two steps for independent.
    pub fn run_freely_when_alone(&self, is_free: bool) {
        self.is_free.store(is_free, Ordering::Relaxed);
    }

    /// Whether it is not supported that a program ends before all of its threads have: for a
    /// search that looks for races with what they would have done.
    pub fn need_ends(&self, needs_ends: bool) {
        self.needs_ends.store(needs_ends, Ordering::Relaxed);
    }

    /// Whether a state with a data race is a violation: it is what an invariant would be.
    pub fn forbid_races(&self, forbids_races: bool) {
        self.forbids_races.store(forbids_races, Ordering::Relaxed);
    }

    /// The state in which the program has not done anything that others notice.
    fn begin(&self, network: Network) -> Result<JavaState, Halt> {
        let mut state = self.beginning();
        state.machine.network = network;
        self.advance(&mut state, ThreadId(0), false, None, false, &mut None)?;
        state.freeze();
        self.world.facts.prepare(state.machine.heap.end());
        for index in 0..state.pending.len() {
            self.note_races(&state, ThreadId(index as u32));
        }
        Ok(state)
    }

    /// Fails if the program has ended too early.
    fn check_end(&self, state: &JavaState) -> Result<(), Halt> {
        let is_early = state.is_over && self.alive(&state.machine) > 0;
        match is_early && self.needs_ends.load(Ordering::Relaxed) {
            true => Err(Halt::GaveUp(
                "the program ends while threads are alive, which this reduction does not see"
                    .to_owned(),
            )),
            false => Ok(()),
        }
    }

    /// Lets [`System::decode`] give any state back that is encoded from now on, or no more.
    pub fn keep(&self, is_kept: bool) {
        if let Ok(mut kept) = self.kept.lock() {
            *kept = is_kept.then(HashMap::default);
        }
    }

    /// The state in which not even the first thread has begun.
    fn beginning(&self) -> JavaState {
        JavaState {
            machine: self.start.clone(),
            pending: Vec::new(),
            claims: Claims::default(),
            is_over: false,
            canonical: RefCell::default(),
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

    fn is_spurious(&self) -> bool {
        self.is_spurious.load(Ordering::Relaxed)
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

    /// Runs a thread up to the next operation that others could notice. `is_armed` lets it
    /// make one first; `choice` says how, if it can go on in several ways. With `is_new` its
    /// mistakes are kept for its first own step.
    fn advance(
        &self,
        state: &mut JavaState,
        id: ThreadId,
        is_armed: bool,
        choice: Option<u32>,
        is_new: bool,
        log: &mut Option<Vec<Deed>>,
    ) -> Result<(), Halt> {
        let before = state.machine.threads.len();
        let is_crowd = self.alive(&state.machine) > 1;
        let mut sentry = Sentry {
            is_concurrent: before as u32 > self.own_threads + 1
                && (is_crowd || !self.is_free.load(Ordering::Relaxed)),
            is_crowd,
            is_distributed: self.is_distributed,
            is_armed,
            choice,
            is_atomic: state.machine.thread(id).is_some_and(|it| it.atomic > 0),
            is_early: is_armed,
            grain: self.grain,
            is_strict: self.is_strict,
            me: self.holder(&state.machine, id),
            ended: self.ended_threads(&state.machine),
            claims: state.claims.clone(),
            log: log.take(),
            ..Sentry::default()
        };
        if let Some(thread) = state.machine.thread(id) {
            if self.is_strict {
                sentry.held.clone_from(&thread.held);
            }
            if !is_armed {
                sentry.resume(&self.world, &thread.frames);
            }
        }
        let result = self.run(state, id, is_new, &mut sentry);
        if let Some(thread) = state.machine.thread_mut(id) {
            thread.trim(&self.world);
        }
        *log = sentry.log.take();
        self.place_pending(state, id, sentry.pending.take());
        state.claims = std::mem::take(&mut sentry.claims);
        if let Some(message) = sentry.breach {
            let thread = state.machine.thread(id);
            return Err(Halt::Fault(Fault {
                kind: FaultKind::Discipline,
                message,
                place: thread.and_then(|thread| self.place_of(&thread.frames)),
            }));
        }
        if let Some(why) = sentry.broken {
            return Err(Halt::GaveUp(why));
        }
        if let Some(halt) = sentry.halt {
            return Err(self.placed(state, id, halt));
        }
        result?;
        for index in before..state.machine.threads.len() {
            self.advance(state, ThreadId(index as u32), false, None, true, &mut None)?;
        }
        Ok(())
    }

    fn holder(&self, state: &State, id: ThreadId) -> Holder {
        let object = state.thread(id).map_or(Ref::NULL, |found| found.object);
        Holder { id, object }
    }

    /// A bit for each of the first threads that has ended.
    fn ended_threads(&self, state: &State) -> u128 {
        let ended = self
            .program_threads(state)
            .filter(|thread| thread.status == ThreadStatus::Ended && thread.id.0 < 128);
        ended.fold(0, |all, thread| all | 1 << thread.id.0)
    }

    /// Lets a thread claim something: for a lock that it holds, or for itself.
    fn claim(&self, state: &mut JavaState, id: ThreadId, object: Ref, slot: u32) {
        let machine = &state.machine;
        let is_free = match state.claims.get(object, slot) {
            None => true,
            Some(Guard::Lock(_)) => false,
            Some(Guard::Thread(id)) => machine
                .thread(id)
                .is_none_or(|thread| thread.status == ThreadStatus::Ended),
        };
        let (Some(thread), true) = (machine.thread(id), is_free) else {
            return;
        };
        let holder = self.holder(machine, id);
        let mut held = thread
            .held
            .iter()
            .filter(|&&lock| holder.holds(&self.world, &machine.heap, lock));
        // What is claimed by itself was claimed for the innermost lock before, in vain.
        let lock = match slot {
            WHOLE => held.next_back(),
            _ => held.next(),
        };
        let guard = lock.map_or(Guard::Thread(id), |&lock| Guard::Lock(lock));
        state.claims.set(object, slot, guard);
    }

    fn place_pending(&self, state: &mut JavaState, id: ThreadId, act: Option<Act>) {
        let index = id.0 as usize;
        if state.pending.len() <= index {
            state.pending.resize(index + 1, None);
        }
        state.pending[index] = act;
        state.canonical.get_mut().changes.add_thread(id.0);
    }

    fn run(
        &self,
        state: &mut JavaState,
        id: ThreadId,
        is_new: bool,
        sentry: &mut Sentry,
    ) -> Result<(), Halt> {
        let world = &self.world;
        let mut budget = BUDGET;
        loop {
            let machine = &mut state.machine;
            let event = with_watched_thread(world, machine, id, &mut Silent, Some(sentry), |env| {
                run(env, &mut Watched, &mut budget)
            });
            match event {
                Some(Event::Budget) if sentry.is_atomic => {
                    return Err(Halt::GaveUp("an atomic block does not end".to_owned()));
                }
                Some(Event::Watched | Event::Budget) => return Ok(()),
                Some(Event::Yielded) => {}
                Some(Event::Exit(_)) => {
                    self.end(state);
                    return Ok(());
                }
                Some(Event::Unsupported(what, trace)) => {
                    let place = trace.first().map(|line| format!(" at {line}"));
                    return Err(Halt::GaveUp(format!(
                        "not supported: {what}{}",
                        place.unwrap_or_default()
                    )));
                }
                Some(Event::Blocked) => match machine.thread_mut(id) {
                    Some(thread) => match thread.status {
                        ThreadStatus::Sleeping { until } => {
                            wake(thread, Wake::TimedOut);
                            machine.clock = machine.clock.max(until);
                        }
                        // In an atomic block it was not asked before.
                        ThreadStatus::AwaitingClass(class) => {
                            thread.status = ThreadStatus::Runnable;
                            sentry.pending = Some(Act::Initialise(class));
                            return Ok(());
                        }
                        _ => return Ok(()),
                    },
                    None => return Ok(()),
                },
                Some(Event::Ended) => match self.ended(state, id, is_new)? {
                    true => {}
                    false => {
                        if sentry.is_concurrent || self.is_distributed {
                            sentry.pending = Some(Act::Finish);
                        } else {
                            self.finish(state, id);
                        }
                        return Ok(());
                    }
                },
                None => return Err(Halt::GaveUp("a thread is not there".to_owned())),
            }
        }
    }

    /// What comes after a thread's last call. True if it goes on with a handler of its
    /// exception.
    fn ended(&self, state: &mut JavaState, id: ThreadId, is_new: bool) -> Result<bool, Halt> {
        let Some(thread) = state.machine.thread(id) else {
            return Ok(false);
        };
        if thread.uncaught.is_null() || thread.phase != Phase::Running {
            return Ok(false);
        }
        if self.has_handler(&state.machine, thread.object) {
            let called = with_thread(&self.world, &mut state.machine, id, &mut Silent, |env| {
                env.thread.phase = Phase::Dispatching;
                let method = env.world.method_of(
                    "java/lang/Thread",
                    "dispatchUncaughtException",
                    "(Ljava/lang/Throwable;)V",
                );
                let args = [env.thread.object.word(), env.thread.uncaught.word()];
                method.is_some_and(|method| env.push_call(method, &args, Then::Nothing).is_ok())
            });
            return Ok(called == Some(true));
        }
        match is_new {
            true => Ok(false),
            false => Err(Halt::Fault(self.uncaught(&state.machine, thread.uncaught))),
        }
    }

    /// Whether the program itself deals with a thread's uncaught exception.
    fn has_handler(&self, state: &State, thread: Ref) -> bool {
        let world = &self.world;
        let field = |name| {
            let slot = world.slot_of(world.known().thread, name)?;
            Some(state.heap.ref_field(thread, slot))
        };
        let own = field("uncaughtExceptionHandler").unwrap_or_default();
        let slot = world.static_slot_of(world.known().thread, "defaultUncaughtExceptionHandler");
        let mirror = state.class(world.known().thread).mirror;
        let general = slot.map_or(Ref::NULL, |slot| state.heap.ref_field(mirror, slot));
        let group = field("group").and_then(|group| state.heap.get(group));
        let is_special =
            group.is_some_and(|group| world.class(group.class).origin != Origin::Library);
        !own.is_null() || !general.is_null() || is_special
    }

    /// The fault that an uncaught exception is.
    fn uncaught(&self, state: &State, exception: Ref) -> Fault {
        let world = &self.world;
        let class = state.heap.get(exception).map(|found| found.class);
        let name = class.map_or("an exception", |class| world.class_name(class));
        let ancestors = class.map_or(&[][..], |class| &world.class(class).ancestors);
        let is_a = |name| ancestors.iter().any(|&it| world.class_name(it) == name);
        // Test libraries have assertion errors of their own.
        let kind = if is_a("java/lang/AssertionError") {
            FaultKind::Assertion
        } else if is_a("java/lang/IllegalMonitorStateException") {
            FaultKind::IllegalMonitorState
        } else {
            FaultKind::Exception
        };
        let message = state
            .heap
            .ref_field(exception, world.known().throwable_message);
        let message = state.text_of(world, message);
        let name = name.replace('/', ".");
        Fault {
            kind,
            message: match (kind, message) {
                (FaultKind::Assertion, message) => message.unwrap_or_else(|| kind.to_string()),
                (_, Some(message)) => format!("{name}: {message}"),
                (_, None) => name,
            },
            place: self.thrown_at(state, exception),
        }
    }

    /// Where in the program an exception was made.
    fn thrown_at(&self, state: &State, exception: Ref) -> Option<Place> {
        let mut calls = self.calls_of(state, exception).into_iter();
        calls.find_map(|(method, position)| self.place(method, position))
    }

    /// The calls in which an exception was made, the innermost first.
    fn calls_of(&self, state: &State, exception: Ref) -> Vec<(MethodId, u16)> {
        let trace = state
            .heap
            .ref_field(exception, self.world.known().throwable_backtrace);
        let Some(crate::heap::Body::Longs(trace)) = state.heap.get(trace).map(|it| &it.body) else {
            return Vec::new();
        };
        let calls = trace.iter().map(|packed| {
            let packed = packed.cast_unsigned();
            (MethodId((packed >> 32) as u32), packed as u16)
        });
        calls.collect()
    }

    /// The end of an execution, with where the thread is.
    fn placed(&self, state: &JavaState, id: ThreadId, halt: Halt) -> Halt {
        match halt {
            Halt::Fault(fault) => Halt::Fault(Fault {
                place: state
                    .machine
                    .thread(id)
                    .and_then(|thread| self.place_of(&thread.frames)),
                ..fault
            }),
            halt => halt,
        }
    }

    fn finish(&self, state: &mut JavaState, id: ThreadId) {
        let machine = &mut state.machine;
        with_thread(&self.world, machine, id, &mut Silent, |env| {
            env.thread.status = ThreadStatus::Ended;
            env.thread.frames.clear();
            announce_end(env);
        });
        if self.is_last(&state.machine, id) {
            self.end(state);
        }
    }

    /// Whether the program ends with this thread.
    fn is_last(&self, state: &State, id: ThreadId) -> bool {
        self.program_threads(state).all(|thread| {
            thread.status == ThreadStatus::Ended
                || thread.id == id
                || is_daemon(&self.world, state, thread.object)
        })
    }

    /// Ends the program.
    fn end(&self, state: &mut JavaState) {
        state.is_over = true;
        let machine = &mut state.machine;
        machine.network.end_process(machine.process);
    }

    /// Whether it is the first of the processes.
    fn is_first(&self) -> bool {
        self.start.process == 0
    }

    fn program_threads<'s>(
        &self,
        state: &'s State,
    ) -> impl Iterator<Item = &'s crate::thread::Thread> + use<'s> {
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
        let waits = |thread: &&crate::thread::Thread| matches!(thread.status, ThreadStatus::Waiting { object: awaited, .. } if awaited == object);
        let waiting = self.program_threads(state).filter(waits);
        waiting.map(|thread| thread.id).collect()
    }

    fn lock(&self, state: &State, object: Ref) -> Lock {
        state
            .heap
            .get(object)
            .map(|object| object.lock)
            .unwrap_or_default()
    }

    fn go(
        &self,
        state: &mut JavaState,
        thread: Thread,
        choice: u32,
        log: &mut Option<Vec<Deed>>,
    ) -> Result<(), Halt> {
        if let Some(halt) = self.give_up() {
            return Err(halt);
        }
        let id = self.id(thread);
        let act = self.pending(state, id).cloned();
        let Some(found) = state.machine.thread(id) else {
            return Err(Halt::GaveUp("a thread is not there".to_owned()));
        };
        let (status, object, wake_up) = (found.status, found.object, found.wake);
        let (mut is_armed, mut chosen) = (true, None);
        let frames = match log {
            Some(_) => found.frames.clone(),
            None => Vec::new(),
        };
        let mut tell = |act: Act| {
            if let Some(log) = log {
                log.push(Deed {
                    act,
                    frames: frames.clone(),
                    value: None,
                    before: None,
                    expected: None,
                });
            }
        };
        match status {
            ThreadStatus::Waiting { until, .. } | ThreadStatus::Parked { until } => {
                // The first choice is the end of the time, if there is one.
                let until = until.filter(|_| choice == 0);
                tell(match until {
                    Some(_) => Act::Global(Global::Clock),
                    None => Act::Spurious,
                });
                let machine = &mut state.machine;
                machine.clock = machine.clock.max(until.unwrap_or(0));
                if let Some(thread) = machine.thread_mut(id) {
                    wake(thread, until.map_or(Wake::Done, |_| Wake::TimedOut));
                }
                if let ThreadStatus::Waiting { .. } = status {
                    state.freeze();
                    return Ok(());
                }
                is_armed = false;
            }
            ThreadStatus::Returning {
                object,
                count,
                wake,
            } => {
                tell(Act::Resume(object));
                if let Some(thread) = state.machine.thread_mut(id) {
                    thread.status = ThreadStatus::Runnable;
                    thread.wake = wake;
                }
                if let Some(locked) = state.machine.heap.get_mut(object) {
                    locked.lock = Lock {
                        owner: id.0 + 1,
                        count,
                    };
                }
                is_armed = false;
            }
            ThreadStatus::Exchanging { .. } => {
                if let Some(thread) = state.machine.thread_mut(id) {
                    thread.status = ThreadStatus::Runnable;
                }
            }
            _ if wake_up != Wake::None => {
                tell(Act::Permit(object));
                is_armed = false;
            }
            _ => {}
        }
        match act {
            Some(Act::Finish) if is_armed => {
                tell(Act::Finish);
                let uncaught = state
                    .machine
                    .thread(id)
                    .filter(|thread| thread.phase == Phase::Running && !thread.uncaught.is_null());
                if let Some(thread) = uncaught {
                    return Err(Halt::Fault(self.uncaught(&state.machine, thread.uncaught)));
                }
                self.finish(state, id);
                self.place_pending(state, id, None);
                state.freeze();
                return self.check_end(state);
            }
            Some(Act::Initialise(class)) => {
                let progress = state.machine.class(class).initialisation;
                if progress != Initialisation::None {
                    tell(Act::Look(class));
                    is_armed = false;
                }
            }
            Some(Act::Notify(object)) => {
                let waiters = self.waiters(&state.machine, object);
                // Whoever has waited longest is woken, so this one has.
                if let Some(&woken) = waiters.get(choice as usize)
                    && let Some(thread) = state.machine.thread_mut(woken)
                    && let ThreadStatus::Waiting { turn, .. } = &mut thread.status
                {
                    *turn = 0;
                }
            }
            Some(Act::Choose(_) | Act::Tick) => {
                is_armed = false;
                chosen = Some(choice);
            }
            Some(Act::Claim(object, slot)) => {
                tell(Act::Claim(object, slot));
                self.claim(state, id, object, slot);
                is_armed = false;
            }
            None => is_armed = false,
            _ => {}
        }
        let result = self.advance(state, id, is_armed, chosen, false, log);
        state.freeze();
        result.and_then(|()| self.check_end(state))
    }

    /// Adds what says whether a thread is interrupted: for the machine, and for the library.
    fn touch_interruption(&self, state: &State, thread: Thread, out: &mut Footprint) {
        let interruption = Object {
            region: INTERRUPTS,
            index: thread.0,
        };
        out.add(interruption, Operation::Update);
        let slot = self.world.slot_of(self.world.known().thread, "interrupted");
        if let Some(found) = state.thread(self.id(thread))
            && let Some(slot) = slot
        {
            let field = Object {
                region: Region(SLOTS + slot),
                index: found.object.0,
            };
            out.add(field, Operation::Update);
        }
    }

    /// Adds by what others let a thread in `Object.wait` go on who have not got the monitor:
    /// its interruption, and the end of a thread if it waits for its object.
    fn touch_sleep(&self, state: &State, thread: Thread, object: Ref, out: &mut Footprint) {
        let mut add = |region, index| out.add(Object { region, index }, Operation::Read);
        add(INTERRUPTS, thread.0);
        if let Some(other) = self.thread_of(state, object) {
            add(THREADS, other.0);
        }
    }

    /// Adds what an operation touches.
    fn touch(&self, state: &State, thread: Thread, act: &Act, out: &mut Footprint) {
        let slot = |object: Ref, index: u32| Object {
            region: Region(SLOTS + index),
            index: object.0,
        };
        let on = |region, index| Object { region, index };
        let monitor = |object: Ref| on(MONITORS, object.0);
        // A thread that was not started yet is known by its object.
        let number = |object: Ref| match self.thread_of(state, object) {
            Some(thread) => thread.0,
            None => u32::MAX - object.0,
        };
        match *act {
            Act::Read(object, index) => out.add(slot(object, index), Operation::Read),
            Act::Write(object, index) => out.add(slot(object, index), Operation::Write),
            Act::Update(object, index) => out.add(slot(object, index), Operation::Update),
            Act::Claim(object, _) => out.add(on(CLAIMS, object.0), Operation::Update),
            Act::Copy { from, to, length } => {
                for index in 0..length {
                    if !from.0.is_null() {
                        out.add(slot(from.0, from.1 + index), Operation::Read);
                    }
                    if !to.0.is_null() {
                        out.add(slot(to.0, to.1 + index), Operation::Write);
                    }
                }
            }
            Act::ReadAll(object) => {
                let count = state.heap.get(object).map_or(0, |found| match &found.body {
                    crate::heap::Body::Fields(fields) => fields.len(),
                    other => other.length().unwrap_or(0),
                });
                for index in 0..count as u32 {
                    out.add(slot(object, index), Operation::Read);
                }
            }
            Act::Acquire(object) => out.add(monitor(object), Operation::Acquire),
            Act::Locked(object) => out.add(monitor(object), Operation::Read),
            Act::Release(object) => out.add(monitor(object), Operation::Release),
            Act::Wait(object) => {
                self.touch_interruption(state, thread, out);
                out.add(monitor(object), Operation::Wait);
            }
            Act::Resume(object) => out.add(monitor(object), Operation::WaitResume),
            Act::Notify(object) => out.add(monitor(object), Operation::Notify),
            Act::NotifyAll(object) => out.add(monitor(object), Operation::NotifyAll),
            Act::Start(object) => {
                // Threads are numbered as they start; until then they are known by their objects.
                let next = state.threads.len() as u32 - self.own_threads;
                out.add(on(THREADS, next), Operation::Start);
                out.add(on(THREADS, number(object)), Operation::Write);
            }
            Act::IsAlive(object) => out.add(on(THREADS, number(object)), Operation::Read),
            Act::Join(object) => out.add(on(THREADS, number(object)), Operation::Join),
            Act::Finish => {
                out.add(on(THREADS, thread.0), Operation::Finish);
                // The last one closes what the others have opened.
                let end = match self.is_distributed {
                    true => Operation::Update,
                    false => Operation::Add,
                };
                out.add(on(GLOBALS, Global::End as u32), end);
                if self.is_distributed && self.is_last(state, self.id(thread)) {
                    sockets::touch_end(state, out);
                }
                if let Some(found) = state.thread(self.id(thread)) {
                    // Whoever waits for the object of the thread is woken.
                    out.add(monitor(found.object), Operation::Read);
                }
            }
            Act::Permit(object) => {
                out.add(on(PERMITS, number(object)), Operation::Update);
                out.add(on(INTERRUPTS, number(object)), Operation::Read);
            }
            Act::Interrupt(object) => {
                let number = number(object);
                self.touch_interruption(state, Thread(number), out);
                out.add(on(PERMITS, number), Operation::Update);
                let other = state.thread_of(object).and_then(|id| state.thread(id));
                // Before it was notified, the interrupt would have ended its wait.
                if let Some(
                    ThreadStatus::Waiting { object, .. } | ThreadStatus::Returning { object, .. },
                ) = other.map(|it| it.status)
                {
                    out.add(monitor(object), Operation::Read);
                }
            }
            Act::Initialise(class) | Act::Initialised(class) => {
                out.add(on(CLASSES, class.0), Operation::Update);
            }
            Act::Look(class) => out.add(on(CLASSES, class.0), Operation::Read),
            Act::Global(global) => {
                out.add(on(GLOBALS, global as u32), Operation::Update);
                if global == Global::Exit {
                    sockets::touch_end(state, out);
                }
            }
            Act::Exchange(ref exchange) => {
                sockets::touch_exchange(self, state, self.id(thread), exchange, out);
                if exchange.has_limit {
                    out.add(on(GLOBALS, Global::Clock as u32), Operation::Update);
                }
            }
            Act::Tick => out.add(on(GLOBALS, Global::Clock as u32), Operation::Update),
            // Whatever comes after them does not come.
            Act::Assume | Act::Unreachable => {
                out.add(on(GLOBALS, Global::Exit as u32), Operation::Update);
            }
            Act::Print(_) | Act::Spurious | Act::Choose(_) | Act::Chosen(_) | Act::Begin => {}
        }
    }
}

impl System for Java {
    type State = JavaState;

    fn initial(&self) -> Result<JavaState, Halt> {
        self.begin(Network::default())
    }

    fn threads(&self, state: &JavaState) -> usize {
        state.machine.threads.len() - self.own_threads as usize
    }

    fn status(&self, state: &JavaState, thread: Thread) -> Status {
        let id = self.id(thread);
        let Some(found) = state.machine.thread(id).filter(|_| !state.is_over) else {
            return Status::Done;
        };
        let when = |is_ready| match is_ready {
            true => Status::Ready { choices: 1 },
            false => Status::Blocked,
        };
        let is_free = |object| {
            let owner = self.lock(&state.machine, object).owner;
            owner == 0 || owner == id.0 + 1
        };
        match found.status {
            ThreadStatus::Ended => Status::Done,
            ThreadStatus::Waiting { until, .. } | ThreadStatus::Parked { until } => {
                let ways = u32::from(until.is_some()) + u32::from(self.is_spurious());
                match ways {
                    0 => Status::Blocked,
                    choices => Status::Ready { choices },
                }
            }
            ThreadStatus::Returning { object, .. } | ThreadStatus::Entering(object) => {
                when(is_free(object))
            }
            ThreadStatus::Sleeping { .. } => when(true),
            ThreadStatus::Exchanging {
                socket, request, ..
            } => when(!state.machine.network.must_wait(socket, request)),
            ThreadStatus::AwaitingClass(class) => {
                let progress = state.machine.class(class).initialisation;
                when(!matches!(progress, Initialisation::By(_)))
            }
            ThreadStatus::Runnable if found.wake != Wake::None => when(true),
            ThreadStatus::Runnable => match self.pending(state, id) {
                Some(&Act::Acquire(object)) => when(is_free(object)),
                Some(Act::Exchange(exchange)) => {
                    when(!sockets::must_wait(&self.world, &state.machine, exchange))
                }
                Some(&Act::Join(object)) => {
                    let other = state.machine.thread_of(object);
                    let other = other.and_then(|other| state.machine.thread(other));
                    let has_ended = other.is_none_or(|it| it.status == ThreadStatus::Ended);
                    when(has_ended || found.interrupted)
                }
                Some(&Act::Initialise(class)) => match state.machine.class(class).initialisation {
                    Initialisation::By(by) => when(by == id),
                    _ => when(true),
                },
                Some(&Act::Notify(object)) => Status::Ready {
                    choices: self.waiters(&state.machine, object).len().max(1) as u32,
                },
                Some(&Act::Choose(choices)) => Status::Ready { choices },
                Some(Act::Tick) => Status::Ready { choices: 2 },
                _ => when(true),
            },
        }
    }

    fn step(&self, state: &mut JavaState, thread: Thread, choice: u32) -> Result<(), Halt> {
        let before = state.machine.threads.len();
        self.go(state, thread, choice, &mut None)?;
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
        // Nobody waits any more when the program has ended. What an exit does to those who wait
        // for something else is not said: they would not seem to be stuck.
        if status != Status::Done && self.is_daemon(state, thread) {
            out.add(global(Global::End), Operation::Read);
        }
        if matches!(status, Status::Ready { .. }) {
            out.add(global(Global::Exit), Operation::Read);
        }
        match found.status {
            ThreadStatus::Waiting { object, until, .. } => {
                let monitor = Object {
                    region: MONITORS,
                    index: object.0,
                };
                if until.is_some() || self.is_spurious() {
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
            ThreadStatus::Parked { until: None } if !self.is_spurious() => {
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
                    for deed in log.iter().flatten() {
                        self.touch(machine, thread, &deed.act, out);
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
        let waits = |thread: &&crate::thread::Thread, returns: bool| match thread.status {
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

    fn future(&self, _: &JavaState, _: Thread) -> Option<Future> {
        None
    }

    fn held(&self, state: &JavaState, thread: Thread, out: &mut Vec<Object>) {
        out.clear();
        let owner = self.id(thread).0 + 1;
        let heap = &state.machine.heap;
        let made = (0..heap.end())
            .map(Ref)
            .skip_while(|&object| heap.is_boot(object));
        let holds = |object: &Ref| self.lock(&state.machine, *object).owner == owner;
        let held = heap.dirty().chain(made).filter(holds);
        out.extend(held.map(|object| Object {
            region: MONITORS,
            index: object.0,
        }));
    }

    fn is_daemon(&self, state: &JavaState, thread: Thread) -> bool {
        let found = state.machine.thread(self.id(thread));
        found.is_some_and(|found| is_daemon(&self.world, &state.machine, found.object))
    }

    fn check_invariants(&self, state: &JavaState) -> Result<(), Fault> {
        match self.forbids_races.load(Ordering::Relaxed) {
            true => self.race_in(state),
            false => Ok(()),
        }
    }

    fn encode<'a>(&self, state: &'a JavaState, scratch: &'a mut Vec<u32>) -> &'a [u32] {
        scratch.clear();
        if let Ok(mut encoder) = self.encoder.lock()
            && let Some(why) = encoder.encode(self, state, scratch)
        {
            self.distrust(why);
        }
        if let Ok(mut kept) = self.kept.lock()
            && let Some(kept) = kept.as_mut()
        {
            kept.entry(encode::hash(scratch))
                .or_insert_with(|| state.clone());
        }
        scratch
    }

    /// Only for words that `state` has, unless states are kept ([`Java::keep`]).
    fn decode(&self, words: &[u32], state: &mut JavaState) {
        if let Ok(kept) = self.kept.lock()
            && let Some(kept) = kept.as_ref()
            && let Some(found) = kept.get(&encode::hash(words))
        {
            state.clone_from(found);
        }
    }
}
