//! Data races: two accesses to one variable by different threads, at least one of them a
//! write and at least one of them plain, that nothing orders.
//!
//! Under sequential consistency a program has such a pair, unordered by *happens-before* in
//! some execution, exactly if it has a reachable state in which two threads stand immediately
//! before such accesses. If there is the state, both orders are possible with nothing between
//! the two, so nothing orders them. For the other direction take an execution with an
//! unordered pair `a`, `b`, in this order, that is as short as possible, so that `b` is its
//! last operation and nothing races before it. Leave out `a` and all that happens after it.
//! What is left is an execution still. A thread loses an end of what it does and nothing in
//! between. An operation whose result depends on an earlier one of another thread (it reads
//! what that wrote, takes a lock that it gave back, goes on because it has ended) is ordered
//! after it, plainly because nothing races before `b`, and so is left out together with it;
//! `unpark` is taken to order what follows `park`, as every program relies on. The thread of
//! `a` stands before `a` now, and that of `b` before `b`: what it does before `b` happens
//! before `b`, and if it happened after `a`, then so would `b`.
//!
//! So nothing about the past has to be remembered: it is enough to look at where threads
//! stand in each state that a search visits. A search that skips states may miss races.
//!
//! **Whose races.** The library races deliberately with itself: `String.hash` and the insides
//! of `ConcurrentHashMap` are meant to be so. A field belongs to the class that declares it,
//! an element of an array to the class whose code accesses it. Of variables of the library
//! only those are told whose classes make no promise to several threads ([`is_careful`]):
//! two threads in `ArrayList.add` race for `size`, and that is the program's mistake.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use foldhash::fast::FixedState;
use hashbrown::HashSet;
use raddle_model::{Place, Race, RacingAccess};

use super::layout::declaration;
use super::numbers::lock;
use super::sentry::Act;
use super::{Java, JavaState};
use crate::code::{Body as Code, Op, Resolved};
use crate::heap::{Body, Ref};
use crate::natives::{line_number, position, source_file};
use crate::network::Request;
use crate::thread::{Frame, Thread, ThreadId};
use crate::world::{ClassId, Origin, World, flags};

/// The races that were found.
#[derive(Debug)]
pub(super) struct Races {
    /// Pairs of call stacks that were looked at lately, as hashes: there is no need for a lock.
    lately: [AtomicU64; LATELY],
    all: Mutex<All>,
}

const LATELY: usize = 1 << 8;

#[derive(Debug, Default)]
struct All {
    /// Pairs of call stacks that were looked at.
    seen: HashSet<u64, FixedState>,
    found: BTreeMap<Key, Race>,
}

impl Default for Races {
    fn default() -> Self {
        Self {
            lately: [const { AtomicU64::new(0) }; LATELY],
            all: Mutex::default(),
        }
    }
}

impl Races {
    /// Looks at a pair of call stacks, unless it was looked at before.
    fn note(&self, stacks: u64, look: impl FnOnce() -> Option<(Key, Race)>) {
        let lately = &self.lately[stacks as usize % LATELY];
        if lately.load(Ordering::Relaxed) == stacks {
            return;
        }
        let mut all = lock(&self.all);
        if all.seen.insert(stacks)
            && let Some((key, race)) = look()
        {
            all.found.entry(key).or_insert(race);
        }
        lately.store(stacks, Ordering::Relaxed);
    }
}

/// What makes a race another one: the variable, and where it is accessed how.
type Key = (String, [(Option<Place>, String, bool); 2]);

/// Which part of an object is accessed.
#[derive(Clone, Copy)]
struct Access {
    object: Ref,
    first: u32,
    length: u32,
    is_write: bool,
}

impl Access {
    fn meets(&self, other: &Access) -> bool {
        let (end, other_end) = (
            self.first.saturating_add(self.length),
            other.first.saturating_add(other.length),
        );
        self.object == other.object
            && (self.is_write || other.is_write)
            && self.first < other_end
            && other.first < end
    }
}

/// What an operation accesses: of a copy, two arrays.
fn accesses(act: &Act) -> [Option<Access>; 2] {
    let access = |object: Ref, first, length, is_write| {
        (!object.is_null()).then_some(Access {
            object,
            first,
            length,
            is_write,
        })
    };
    match *act {
        Act::Read(object, index) => [access(object, index, 1, false), None],
        Act::Write(object, index) | Act::Update(object, index) => {
            [access(object, index, 1, true), None]
        }
        Act::ReadAll(object) => [access(object, 0, u32::MAX, false), None],
        Act::Copy { from, to, length } => [
            access(from.0, from.1, length, false),
            access(to.0, to.1, length, true),
        ],
        Act::Exchange(ref exchange) => {
            let (buffer, first) = exchange.buffer;
            match exchange.request {
                Request::Read(length) => [access(buffer, first, length, true), None],
                Request::Write(length) => [access(buffer, first, length, false), None],
                _ => [None, None],
            }
        }
        _ => [None, None],
    }
}

impl Java {
    /// Notes the races of a thread with the others in a state.
    pub(super) fn note_races(&self, state: &JavaState, id: ThreadId) {
        self.races_of(state, id, state.pending.len(), &mut |other, pair| {
            let threads = state.machine.thread(id).zip(state.machine.thread(other));
            if let Some((mine, theirs)) = threads {
                let look = || self.told(state, mine, theirs, pair);
                self.races.note(stacks(mine, theirs), look);
            }
            true
        });
    }

    /// The races that were found, in the order of their variables and places.
    pub fn races(&self) -> Vec<Race> {
        lock(&self.races.all).found.values().cloned().collect()
    }

    /// The first race of a state.
    pub(super) fn race_in(&self, state: &JavaState) -> Option<Race> {
        let mut first = None;
        for index in 0..state.pending.len() {
            let id = ThreadId(index as u32);
            self.races_of(state, id, index, &mut |other, pair| {
                let threads = state.machine.thread(id).zip(state.machine.thread(other));
                first = threads.and_then(|(mine, theirs)| self.told(state, mine, theirs, pair));
                first.is_none()
            });
            if let Some((_, race)) = first {
                return Some(race);
            }
        }
        None
    }

    /// Visits what conflicts of a thread's next operation with those of the first `all`
    /// threads, as long as that is wanted.
    #[inline]
    fn races_of(
        &self,
        state: &JavaState,
        id: ThreadId,
        all: usize,
        visit: &mut dyn FnMut(ThreadId, (Access, Access)) -> bool,
    ) {
        let Some(act) = self.pending(state, id).filter(|_| !state.is_over) else {
            return;
        };
        let mine = accesses(act);
        if mine[0].is_none() && mine[1].is_none() {
            return;
        }
        for (index, other) in state.pending.iter().enumerate().take(all) {
            let Some(other) = other.as_ref().filter(|_| index != id.0 as usize) else {
                continue;
            };
            for theirs in accesses(other).iter().flatten() {
                let met = mine.iter().flatten().find(|access| access.meets(theirs));
                if let Some(mine) = met
                    && !visit(ThreadId(index as u32), (*mine, *theirs))
                {
                    return;
                }
            }
        }
    }

    /// Two accesses in words, if they are a race that is the program's business.
    fn told(
        &self,
        state: &JavaState,
        mine: &Thread,
        theirs: &Thread,
        (my, their): (Access, Access),
    ) -> Option<(Key, Race)> {
        let index = my.first.max(their.first);
        if !self.is_plain(state, mine, my.object, index)
            && !self.is_plain(state, theirs, my.object, index)
        {
            return None;
        }
        let heap = &state.machine.heap;
        let world = &self.world;
        let is_ours = match &heap.get(my.object)?.body {
            Body::Fields(_) => {
                let (class, field) = declaration(world, heap, my.object, index)?;
                let is_own = world.class(class).origin != Origin::Library;
                is_own || !field.is_static() && !is_careful(world, class, world.text(field.name))
            }
            _ => [mine, theirs].iter().any(|thread| {
                let code = thread.frames.last().map(|frame| frame.method);
                let class = code.map(|method| world.method(method).class);
                class.is_some_and(|class| {
                    let is_own = world.class(class).origin != Origin::Library;
                    is_own || !is_careful(world, class, "")
                })
            }),
        };
        if !is_ours {
            return None;
        }
        let variable = self.variable(&state.machine, my.object, index);
        let access = |thread: &Thread, access: Access| RacingAccess {
            thread: self.name_of_thread(&state.machine, self.number(thread.id)),
            place: self.place_of(&thread.frames),
            whereabouts: self.whereabouts(&thread.frames),
            is_write: access.is_write,
        };
        let mut accesses = [access(mine, my), access(theirs, their)];
        let key = |it: &RacingAccess| (it.place, it.whereabouts.clone(), it.is_write);
        accesses.sort_by_key(key);
        let key = (variable.clone(), [key(&accesses[0]), key(&accesses[1])]);
        Some((key, Race { variable, accesses }))
    }

    /// Whether a thread's next access gives no guarantees about others: it is to a variable
    /// that is not volatile, or by a method that does not care.
    fn is_plain(&self, state: &JavaState, thread: &Thread, object: Ref, index: u32) -> bool {
        let act = self.pending(state, thread.id);
        if matches!(act, Some(Act::Update(..))) {
            return false;
        }
        match self.called(&thread.frames) {
            Some(name) => !name.ends_with("Volatile"),
            None => {
                let found = declaration(&self.world, &state.machine.heap, object, index);
                found.is_none_or(|(_, field)| field.flags & flags::VOLATILE == 0)
            }
        }
    }

    /// The method that a thread calls next, if it stands before a call.
    pub(super) fn called(&self, frames: &[Frame]) -> Option<&str> {
        let frame = frames.last()?;
        let Some(Code::Code(code)) = self.world.method(frame.method).body.get() else {
            return None;
        };
        let instr = code.instrs.get(frame.pc as usize)?;
        let is_call = matches!(
            instr.op,
            Op::InvokeStatic | Op::InvokeSpecial | Op::InvokeVirtual | Op::InvokeInterface
        );
        let site = code.sites.get(instr.x as usize).filter(|_| is_call)?;
        match site.cell.get()? {
            Resolved::Method(target) => {
                let method = self.world.method(target.method);
                Some(self.world.text(method.name))
            }
            _ => None,
        }
    }

    /// A file and a line of the program, and the library's method that is called there.
    fn whereabouts(&self, frames: &[Frame]) -> String {
        let world = &self.world;
        let is_own = |frame: &Frame| {
            let class = world.class(world.method(frame.method).class);
            class.origin == Origin::Program
                && line_number(world, frame.method, position(world, frame)) > 0
        };
        let own = frames.iter().rposition(is_own);
        let inside = frames.get(own.map_or(0, |own| own + 1));
        let inside = inside.map(|frame| format!("inside {}", self.method_name(frame.method)));
        let line = own.and_then(|own| {
            let frame = frames.get(own)?;
            let file = source_file(world, frame.method)?;
            let line = line_number(world, frame.method, position(world, frame));
            Some(format!("{file}:{line}"))
        });
        match (line, inside) {
            (Some(line), Some(inside)) => format!("{line}, {inside}"),
            (line, inside) => line.or(inside).unwrap_or_default(),
        }
    }
}

/// A hash of where two threads are, in whatever order.
fn stacks(a: &Thread, b: &Thread) -> u64 {
    let hash = |thread: &Thread| {
        let mut hasher = FixedState::default().build_hasher();
        for frame in &thread.frames {
            (frame.method.0, frame.pc).hash(&mut hasher);
        }
        hasher.finish()
    };
    let (a, b) = (hash(a), hash(b));
    let both = (a.min(b), a.max(b));
    FixedState::default().hash_one(both)
}

/// Whether a class of the library takes care of several threads itself, or has nothing that
/// a program could protect: the language's own classes and the values among them, all that is
/// made for concurrency, and what no program sees. A `StringBuilder` promises nothing. The
/// views that collections keep are computed again if another thread has not seen them, as
/// `AbstractMap` says.
fn is_careful(world: &World, class: ClassId, field: &str) -> bool {
    const PACKAGES: [&str; 11] = [
        "java/lang/",
        "java/util/concurrent/",
        "java/util/stream/",
        "java/util/function/",
        "java/math/",
        "java/time/",
        "java/security/",
        "java/net/",
        "jdk/",
        "sun/",
        "com/sun/",
    ];
    const VIEWS: [&str; 6] = [
        "keySet",
        "values",
        "entrySet",
        "navigableKeySet",
        "descendingMap",
        "descendingKeySet",
    ];
    let name = world.class_name(class);
    let is_builder = matches!(
        name,
        "java/lang/AbstractStringBuilder" | "java/lang/StringBuilder"
    );
    let is_view = name.starts_with("java/util/") && VIEWS.contains(&field);
    let has_promised = PACKAGES.iter().any(|package| name.starts_with(package));
    is_view || has_promised && !is_builder
}
