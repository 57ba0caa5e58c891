//! *Happens-before* along one execution, by vector clocks.
//!
//! Where threads stand shows the first races of a program ([`super::races`]). Once two threads
//! have met in accesses that order nothing although they are not reported as races, what comes
//! after them may be ordered by them alone, and is never met then. So from then on the search
//! begins again, and each state also knows what has happened before what on the way to it.
//!
//! **From**: Flanagan and Freund, *FastTrack* (2009): a clock for each thread and for each thing
//! by which threads are ordered, and the last accesses to each variable with their times.
//!
//! A state that is reached in two ways has the past of the first one. So what is found is a
//! race, but what is not found may be one all the same: nothing is claimed then. Where it is
//! not clear what the Java memory model orders, it is taken to do so: all that the library
//! does other than by plain fields, fences, and volatile fields and monitors of an object that
//! was made by another thread.

use std::collections::BTreeMap;
use std::sync::Arc;

use raddle_jvm::heap::Ref;
use raddle_jvm::state::State;
use raddle_jvm::thread::{Frame, Phase, Status, Thread, ThreadId};
use raddle_jvm::world::ClassId;
use raddle_model::Race;

use super::acts::{Act, Global, LogEntry};
use super::modes::Mode;
use super::races::{Care, MemoryAccess, Side, accesses};
use super::{Java, JavaState};

/// What has happened before what on the way to a state; nothing, unless that is asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct HappensBefore(Option<Arc<Past>>);

impl HappensBefore {
    /// The race by which the state was reached.
    pub(super) fn race(&self) -> Option<&Race> {
        self.0.as_ref()?.race.as_ref()
    }
}

#[derive(Clone, Debug, Default)]
struct Past {
    /// What has happened before the next operation of each thread.
    threads: Vec<Clock>,
    /// What has happened before whatever comes after one of these.
    gates: BTreeMap<Gate, Clock>,
    /// The last accesses to each object, by thread and place.
    earlier: BTreeMap<Ref, Vec<Earlier>>,
    /// Who has made the objects from this number on.
    makers: (u32, Vec<Option<ThreadId>>),
    race: Option<Race>,
}

/// Up to which time of each thread something is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Clock(Vec<u32>);

impl Clock {
    fn time(&self, thread: ThreadId) -> u32 {
        self.0.get(thread.0 as usize).copied().unwrap_or(0)
    }

    fn join(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, &theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = theirs.max(*mine);
        }
    }

    fn tick(&mut self, thread: ThreadId) {
        let index = thread.0 as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, 0);
        }
        self.0[index] += 1;
    }
}

/// By what threads are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Gate {
    Slot(Ref, u32),
    Monitor(Ref),
    /// The permit or the interruption of a thread.
    Thread(Ref),
    Class(ClassId),
    /// Sockets, fences, atomic blocks and what else there is once.
    All,
}

/// An access that was made.
#[derive(Clone, Debug)]
struct Earlier {
    thread: ThreadId,
    time: u32,
    access: MemoryAccess,
    is_plain: bool,
    frames: Arc<[Frame]>,
}

impl Past {
    fn clock(&mut self, thread: ThreadId) -> &mut Clock {
        let index = thread.0 as usize;
        if self.threads.len() <= index {
            self.threads.resize(index + 1, Clock::default());
        }
        let clock = &mut self.threads[index];
        // A thread's own time begins at one, which nobody else knows of.
        if clock.time(thread) == 0 {
            clock.tick(thread);
        }
        clock
    }

    fn enter(&mut self, thread: ThreadId, gate: Gate) {
        match (self.gates.get(&gate).cloned(), gate) {
            (Some(known), _) => self.clock(thread).join(&known),
            // Whoever made the object may have used it before anybody else could reach it.
            (None, Gate::Slot(object, _) | Gate::Monitor(object)) => self.trust(thread, object),
            (None, _) => {}
        }
    }

    fn leave(&mut self, thread: ThreadId, gate: Gate) {
        let known = self.clock(thread).clone();
        self.gates.entry(gate).or_default().join(&known);
        self.clock(thread).tick(thread);
    }

    fn pass(&mut self, thread: ThreadId, gate: Gate) {
        self.enter(thread, gate);
        self.leave(thread, gate);
    }

    /// Takes all that the maker of an object has done so far to have happened before.
    fn trust(&mut self, thread: ThreadId, object: Ref) {
        let (first, makers) = &self.makers;
        let made = object.0.checked_sub(*first);
        let maker = made.and_then(|index| makers.get(index as usize).copied());
        match maker {
            Some(Some(maker)) if maker != thread => self.learn(thread, maker),
            Some(None) => {
                for index in 0..self.threads.len() {
                    self.learn(thread, ThreadId(index as u32));
                }
            }
            _ => {}
        }
    }

    /// A thread gets to know all that another one has done.
    fn learn(&mut self, thread: ThreadId, other: ThreadId) {
        if thread != other {
            let known = self.clock(other).clone();
            self.clock(thread).join(&known);
            // What the other one does from now on is not known.
            self.clock(other).tick(other);
        }
    }
}

impl Java {
    /// Follows the operations of a step of a thread. Before it there were so many objects and
    /// threads.
    pub(super) fn follow(
        &self,
        state: &mut JavaState,
        id: ThreadId,
        entries: &[LogEntry],
        (objects, threads): (u32, usize),
    ) {
        let mut past = std::mem::take(&mut state.past).0.unwrap_or_default();
        let machine = &state.machine;
        let now = Arc::make_mut(&mut past);
        now.race = None;
        if now.makers.1.is_empty() {
            now.makers.0 = objects;
        }
        // A new thread has begun already, and may have made some of them.
        let maker = (threads == machine.threads.len()).then_some(id);
        let made = machine.heap.end().saturating_sub(now.makers.0) as usize;
        now.makers.1.resize(made.max(now.makers.1.len()), maker);
        let is_atomic = machine.thread(id).is_some_and(|it| it.atomic > 0)
            || entries.iter().any(|entry| entry.act == Act::Begin);
        if is_atomic {
            now.pass(id, Gate::All);
        }
        // Shutdown hooks run after the end of all threads that they could not outlive.
        let is_last = |thread: &Thread| thread.phase == Phase::ShuttingDown;
        if machine.thread(id).is_some_and(is_last) {
            let ended = machine.threads.iter().filter_map(|it| it.get());
            for other in ended.filter(|it| it.status == Status::Ended) {
                now.learn(id, other.id);
            }
        }
        for entry in entries {
            self.follow_deed(machine, now, entry.by, entry);
        }
        if is_atomic {
            now.pass(id, Gate::All);
        }
        // Numbers of objects that were collected are given to others.
        if machine.collect_at != self.start.collect_at {
            now.earlier.clear();
        }
        state.past = HappensBefore(Some(past));
    }

    fn follow_deed(&self, machine: &State, now: &mut Past, id: ThreadId, entry: &LogEntry) {
        match entry.act {
            Act::Acquire(object) | Act::Resume(object) => now.enter(id, Gate::Monitor(object)),
            Act::Release(object) | Act::Wait(object) => now.leave(id, Gate::Monitor(object)),
            Act::Start(object) => {
                if let Some(started) = machine.thread_of(object) {
                    now.learn(started, id);
                }
            }
            Act::Join(object) | Act::IsAlive(object) => {
                let other = machine.thread_of(object).and_then(|it| machine.thread(it));
                if let Some(other) = other.filter(|it| it.status == Status::Ended) {
                    now.learn(id, other.id);
                }
            }
            Act::Permit(object) | Act::Interrupt(object) | Act::Sleep(object) => {
                now.pass(id, Gate::Thread(object))
            }
            Act::Initialise(class) | Act::Look(class) => now.enter(id, Gate::Class(class)),
            Act::Initialised(class) => now.leave(id, Gate::Class(class)),
            Act::Global(Global::Memory) | Act::Fence => now.pass(id, Gate::All),
            Act::Exchange(_) => now.pass(id, Gate::All),
            _ => {}
        }
        for access in accesses(&entry.act).into_iter().flatten() {
            self.follow_access(machine, now, id, entry, access);
        }
    }

    fn follow_access(
        &self,
        machine: &State,
        now: &mut Past,
        id: ThreadId,
        entry: &LogEntry,
        access: MemoryAccess,
    ) {
        let (object, index) = (access.object, access.first);
        let mode = self.mode(&machine.heap, &entry.frames, &entry.act, (object, index));
        let gate = Gate::Slot(object, index);
        let is_single = matches!(
            entry.act,
            Act::Read(..) | Act::Write(..) | Act::Update(..) | Act::Attempt(..)
        );
        let orders = is_single
            && match &mode {
                None | Some((Mode::Half | Mode::Ordered, _)) => true,
                // A fence beside it may make an acquire or a release of it.
                Some((_, Some(_))) => self.program.facts.has_fences(),
                // What the library does by other means than fields is taken to be ordered.
                Some((_, None)) => self.called(&entry.frames).is_some(),
            };
        if orders && !matches!(entry.act, Act::Write(..)) {
            now.enter(id, gate);
        }
        let is_plain = mode.is_some_and(|(mode, _)| mode == Mode::Plain);
        self.compare(machine, now, id, entry, (access, is_plain));
        if orders && !matches!(entry.act, Act::Read(..)) {
            now.leave(id, gate);
        }
    }

    /// Compares an access with earlier ones of other threads, and notes it.
    fn compare(
        &self,
        machine: &State,
        now: &mut Past,
        id: ThreadId,
        entry: &LogEntry,
        (access, is_plain): (MemoryAccess, bool),
    ) {
        if self.is_final(&machine.heap, access.object, access.first) {
            return;
        }
        let known = now.clock(id).clone();
        let earlier = now.earlier.entry(access.object).or_default();
        let mine = Side {
            thread: id,
            frames: &entry.frames,
            access,
        };
        let races = |it: &&Earlier| {
            it.thread != id
                && known.time(it.thread) < it.time
                && (is_plain || it.is_plain)
                && access.meets(&it.access)
        };
        for other in earlier.iter().filter(races) {
            let other = Side {
                thread: other.thread,
                frames: &other.frames,
                access: other.access,
            };
            if self.care(&machine.heap, [&mine, &other]) == Care::None {
                let (key, race) = self.told(machine, [mine, other]);
                self.races.add(key, race.clone());
                now.race.get_or_insert(race);
            }
        }
        let is_same = |it: &Earlier| {
            let same = (it.access.first, it.access.length, it.access.is_write);
            it.thread == id && same == (access.first, access.length, access.is_write)
        };
        earlier.retain(|it| !is_same(it));
        earlier.push(Earlier {
            thread: id,
            time: known.time(id),
            access,
            is_plain,
            frames: entry.frames.as_slice().into(),
        });
    }
}
