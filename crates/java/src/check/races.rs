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
//! only those are told whose classes make no promise to several threads ([`Care`]): two threads
//! in `ArrayList.add` race for `size`, and that is the program's mistake.
//!
//! **Races after others.** The argument is about a shortest execution, that is about races
//! before which there are none. If the first one is not reported, because it is the library's
//! ([`Care::Quiet`]) or because of its mode (below), then others may be ordered by it alone, and
//! no two threads ever stand before them. So when such a pair is met the search begins again and
//! follows what happens before what ([`super::happens_before`]), which finds many of them; and
//! that there is no race is not claimed any more. Where the library is trusted
//! ([`Care::Trusted`]) its races are taken to order what its documentation says that it orders.
//!
//! **Modes weaker than volatile.** An access of the program in plain, opaque, acquire or release
//! mode ([`super::modes`]) is taken for one that orders nothing, as a plain one. If no two
//! threads ever stand before conflicting accesses of which one is plain or weaker than volatile,
//! then by the argument above the program has no data race even if all of these were plain; so
//! all its executions are sequentially consistent, as Java promises to such programs, and a mode
//! makes no difference. Otherwise there may be executions that are not explored, and nothing is
//! proved. A pair without a plain access is not reported as a data race.
//!
//! There is one exception, for flags that hand something over. Let all conflicts that are met, of
//! any kind, be for *one* variable `x`, and let it be written by releases and read by acquires, or
//! stronger. In sequentially consistent executions each read of `x` is ordered after the write
//! that it reads from, so the argument above holds with `x` as a volatile: there is no race but
//! for `x`. Nor are there other executions. In the union of happens-before and of the order of
//! accesses to `x` (a write before those who read it and before the next write, and these after
//! who read it) take a cycle: among the accesses to `x` in it, by coherence, the number of the
//! write that is made or read never decreases, so it is the same for all of them. Nothing leads
//! back to that write from who has read it, and those who read are ordered by happens-before
//! alone, which has no cycle. An order of all operations that extends the union is a sequentially
//! consistent execution. An update in acquire mode does not release, and the other way round: so
//! updates do not count as either.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use foldhash::fast::FixedState;
use hashbrown::HashSet;
use raddle_jvm::heap::{Body, Heap, Ref};
use raddle_jvm::network::Request;
use raddle_jvm::state::State;
use raddle_jvm::thread::{Frame, ThreadId};
use raddle_jvm::world::{ClassId, Field, Origin, flags};
use raddle_jvm::{line_number, position, source_file};
use raddle_model::{Fault, FaultKind, Place, Race, RacingAccess};

use super::acts::Act;
use super::layout::declaration;
use super::modes::{self, Mode, WeakCall};
use super::numbers::lock;
use super::program::Program;
use super::{Java, JavaState};

/// The races that were found.
#[derive(Debug)]
pub(super) struct Races {
    /// Pairs of call stacks that were looked at lately, as hashes: there is no need for a lock.
    lately: [AtomicU64; LATELY],
    all: Mutex<All>,
    /// For which variables there are conflicts of any kind.
    contended: Contended,
    /// Whether all states are visited: threads stand together before conflicting accesses in some state,
    /// which others may skip.
    pub(super) are_all_seen: AtomicBool,
}

/// Whether threads meet at no variable, at one, or at several.
#[derive(Debug, Default)]
struct Contended(AtomicU64);

impl Contended {
    const SEVERAL: u64 = u64::MAX;

    /// Notes a variable of an object that has the same number in every execution.
    fn add(&self, (object, index): (Ref, u32)) {
        // No object has the number 0.
        let this = u64::from(object.0) << 32 | u64::from(index);
        if self.0.load(Ordering::Relaxed) == this {
            return;
        }
        let found = self
            .0
            .compare_exchange(0, this, Ordering::Relaxed, Ordering::Relaxed);
        if found.is_err_and(|found| found != this) {
            self.add_others();
        }
    }

    fn add_others(&self) {
        self.0.store(Self::SEVERAL, Ordering::Relaxed);
    }

    fn is_at_most_one(&self) -> bool {
        self.0.load(Ordering::Relaxed) != Self::SEVERAL
    }
}

const LATELY: usize = 1 << 8;

#[derive(Debug, Default)]
struct All {
    /// Pairs of call stacks that were looked at.
    seen: HashSet<u64, FixedState>,
    found: BTreeMap<Key, Race>,
    /// Calls of the program in modes weaker than volatile that conflict with other accesses.
    weak: BTreeSet<WeakCall>,
    /// Variables of the library for which it races with itself, which is not reported.
    quiet: BTreeSet<String>,
}

/// What two accesses are that nothing orders.
enum Meeting {
    /// A data race that is the program's business.
    Race(Box<(Key, Race)>),
    /// No data race, but one of them is in a mode weaker than volatile.
    Weak(Vec<WeakCall>),
    /// A data race of the library with itself that is not reported.
    Quiet(String),
}

impl Default for Races {
    fn default() -> Self {
        Self {
            lately: [const { AtomicU64::new(0) }; LATELY],
            all: Mutex::default(),
            contended: Contended::default(),
            are_all_seen: AtomicBool::new(false),
        }
    }
}

impl Races {
    /// Looks at a pair of call stacks, unless it was looked at before. True if they conflict, but
    /// are no race to be reported.
    fn note(&self, stacks: u64, look: impl FnOnce() -> Option<Meeting>) -> bool {
        let lately = &self.lately[stacks as usize % LATELY];
        if lately.load(Ordering::Relaxed) == stacks {
            return false;
        }
        let mut is_quiet = false;
        let mut all = lock(&self.all);
        if all.seen.insert(stacks) {
            match look() {
                Some(Meeting::Race(race)) => {
                    let (key, race) = *race;
                    all.found.entry(key).or_insert(race);
                }
                Some(Meeting::Weak(calls)) => {
                    all.weak.extend(calls);
                    is_quiet = true;
                }
                Some(Meeting::Quiet(variable)) => {
                    all.quiet.insert(variable);
                    is_quiet = true;
                }
                None => {}
            }
        }
        lately.store(stacks, Ordering::Relaxed);
        is_quiet
    }

    pub(super) fn add(&self, key: Key, race: Race) {
        lock(&self.all).found.entry(key).or_insert(race);
    }
}

/// What makes a race another one: the variable, and where it is accessed how.
pub(super) type Key = (String, [(Option<Place>, String, bool); 2]);

/// Which part of an object is accessed.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemoryAccess {
    pub(super) object: Ref,
    pub(super) first: u32,
    pub(super) length: u32,
    pub(super) is_write: bool,
}

/// Who makes an access, and where.
#[derive(Clone, Copy)]
pub(super) struct Side<'f> {
    pub(super) thread: ThreadId,
    pub(super) frames: &'f [Frame],
    pub(super) access: MemoryAccess,
}

impl MemoryAccess {
    pub(super) fn meets(&self, other: &MemoryAccess) -> bool {
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
pub(super) fn accesses(act: &Act) -> [Option<MemoryAccess>; 2] {
    let access = |object: Ref, first, length, is_write| {
        (!object.is_null()).then_some(MemoryAccess {
            object,
            first,
            length,
            is_write,
        })
    };
    match *act {
        Act::Read(object, index) => [access(object, index, 1, false), None],
        Act::Write(object, index) | Act::Update(object, index) | Act::Attempt(object, index) => {
            [access(object, index, 1, true), None]
        }
        Act::ReadAll(object) => [access(object, 0, u32::MAX, false), None],
        Act::Copy { from, to, length } => [
            access(from.0, from.1, length, false),
            access(to.0, to.1, length, true),
        ],
        Act::Outside(outside) => [
            access(outside.reads, 0, u32::MAX, false),
            access(outside.writes, 0, u32::MAX, true),
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
        let act = self.pending(state, id);
        // These may find what another thread has done, or not, as an access does.
        if let Some(Act::IsAlive(_) | Act::Interrupt(_) | Act::Sleep(_) | Act::Exchange(_)) = act {
            self.races.contended.add_others();
        }
        self.races_of(state, id, state.pending.len(), &mut |sides| {
            let (object, index) = variable_of(&sides);
            // Numbers of objects that were collected are given to others.
            let has_collected = state.machine.collect_at != self.start.collect_at;
            match self.program.facts.is_first(object) && !has_collected {
                true => self.races.contended.add((object, index)),
                false => self.races.contended.add_others(),
            }
            let look = || self.meeting(state, sides);
            if self.races.note(stacks(sides), look) {
                self.program.facts.note_disorder();
            }
            true
        });
    }

    /// The races that were found, in the order of their variables and places.
    pub fn races(&self) -> Vec<Race> {
        lock(&self.races.all).found.values().cloned().collect()
    }

    /// The first race of a state, or the one by which it was reached.
    pub(super) fn race_in(&self, state: &JavaState) -> Option<Race> {
        let mut first = state.past.race().cloned();
        for index in 0..state.pending.len() {
            if first.is_some() {
                break;
            }
            let id = ThreadId(index as u32);
            self.races_of(state, id, index, &mut |sides| {
                if let Some(Meeting::Race(race)) = self.meeting(state, sides) {
                    first = Some(race.1);
                }
                first.is_none()
            });
        }
        first
    }

    /// Visits what conflicts of a thread's next operation with those of the first `all`
    /// threads, as long as that is wanted.
    #[inline]
    fn races_of(
        &self,
        state: &JavaState,
        id: ThreadId,
        all: usize,
        visit: &mut dyn FnMut([Side<'_>; 2]) -> bool,
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
                let side = |thread: ThreadId, access: MemoryAccess| {
                    let frames = &state.machine.thread(thread)?.frames;
                    Some(Side {
                        thread,
                        frames,
                        access,
                    })
                };
                let mine = met.and_then(|mine| side(id, *mine));
                let theirs = side(ThreadId(index as u32), *theirs);
                if let Some((mine, theirs)) = mine.zip(theirs)
                    && !visit([mine, theirs])
                {
                    return;
                }
            }
        }
    }

    /// What two conflicting accesses are, unless both are volatile.
    fn meeting(&self, state: &JavaState, sides: [Side<'_>; 2]) -> Option<Meeting> {
        let [mine, theirs] = &sides;
        let (object, index) = variable_of(&sides);
        let heap = &state.machine.heap;
        let mode = |side: &Side<'_>| {
            let act = self.pending(state, side.thread)?;
            self.mode(heap, side.frames, act, (object, index))
        };
        let modes = [mode(mine), mode(theirs)];
        let is_race = modes.iter().flatten().any(|(mode, _)| *mode == Mode::Plain);
        let care = self.care(heap, [mine, theirs]);
        if is_race && care == Care::None {
            let race = self.told(&state.machine, sides);
            return Some(Meeting::Race(Box::new(race)));
        }
        let calls: Vec<WeakCall> = modes.into_iter().flatten().filter_map(|it| it.1).collect();
        match calls.is_empty() {
            false => Some(Meeting::Weak(calls)),
            true if is_race && care == Care::Quiet => {
                let variable = self.variable(&state.machine, object, index);
                Some(Meeting::Quiet(variable))
            }
            true => None,
        }
    }

    /// What the owner of a variable has to do with several threads. The program is the owner
    /// of its own ones, and has to take care of them itself.
    pub(super) fn care(&self, heap: &Heap, sides: [&Side<'_>; 2]) -> Care {
        let program = &self.program;
        let (object, index) = variable_of(&sides.map(|side| *side));
        let care = |class: ClassId, field: Option<&Field>| match program.class(class).origin {
            Origin::Library => care(program, class, field),
            _ => Care::None,
        };
        match heap.get(object).map(|found| &found.body) {
            Some(Body::Fields(_)) => match declaration(program, heap, object, index) {
                Some((class, field)) => care(class, Some(field)),
                // What a lambda has captured is written when it is made.
                None => Care::Trusted,
            },
            _ => {
                let code = sides.map(|side| {
                    let mut inner = side.frames.iter().rev();
                    inner.find(|frame| !modes::is_means(program, frame))
                });
                let cares = code.into_iter().flatten();
                let cares = cares.map(|frame| care(program.method(frame.method).class, None));
                cares.min().unwrap_or(Care::Quiet)
            }
        }
    }

    /// Whether a variable is a final field: whoever reads it sees what the constructor wrote.
    pub(super) fn is_final(&self, heap: &Heap, object: Ref, index: u32) -> bool {
        let declared = declaration(&self.program, heap, object, index);
        declared.is_some_and(|(_, field)| field.flags & flags::FINAL != 0)
    }

    /// A race in words.
    pub(super) fn told(&self, machine: &State, sides: [Side<'_>; 2]) -> (Key, Race) {
        let (object, index) = variable_of(&sides);
        let variable = self.variable(machine, object, index);
        let access = |side: Side<'_>| RacingAccess {
            thread: self.name_of_thread(machine, self.number(side.thread)),
            place: self.place_of(side.frames),
            whereabouts: self.whereabouts(side.frames),
            is_write: side.access.is_write,
        };
        let mut accesses = sides.map(access);
        let key = |it: &RacingAccess| (it.place, it.whereabouts.clone(), it.is_write);
        accesses.sort_by_key(key);
        let key = (variable.clone(), [key(&accesses[0]), key(&accesses[1])]);
        (key, Race { variable, accesses })
    }

    /// The mode of an access unless that is volatile, and the call of the program that says so,
    /// if there is one.
    pub(super) fn mode(
        &self,
        heap: &Heap,
        frames: &[Frame],
        act: &Act,
        (object, index): (Ref, u32),
    ) -> Option<(Mode, Option<WeakCall>)> {
        let program = &self.program;
        let is_update = matches!(act, Act::Update(..) | Act::Attempt(..));
        if let Some(call) = modes::weak_call(program, frames) {
            // An update is atomic in any mode, and so no data race.
            let mode = match is_update {
                true => call.mode.max(Mode::Opaque),
                false => call.mode,
            };
            return Some((mode, Some(call)));
        }
        let is_plain = match self.called(frames) {
            _ if is_update => false,
            Some(name) => !name.ends_with("Volatile"),
            None => {
                let found = declaration(program, heap, object, index);
                found.is_none_or(|(_, field)| field.flags & flags::VOLATILE == 0)
            }
        };
        is_plain.then_some((Mode::Plain, None))
    }

    /// The name of the method that a thread calls next, if it stands before a call.
    pub(super) fn called(&self, frames: &[Frame]) -> Option<&str> {
        let called = self.program.called(frames.last()?)?;
        Some(self.program.text(self.program.method(called).name))
    }

    /// Whether all executions are sequentially consistent, although some accesses are weaker than
    /// volatile.
    fn is_robust(&self, all: &All) -> bool {
        all.found.is_empty()
            && all.quiet.is_empty()
            && !self.program.facts.has_fences()
            && self.races.contended.is_at_most_one()
            && all.weak.iter().all(|call| call.mode == Mode::Ordered)
    }

    /// What is said of races that are not reported: that others may be missing.
    pub(super) fn quiet_races(&self) -> Option<String> {
        let all = lock(&self.races.all);
        let variables = Vec::from_iter(all.quiet.iter().cloned());
        (!variables.is_empty()).then(|| {
            format!(
                "the library races with itself for {}, which is not reported; data races of the \
                 program that only this orders may be missing",
                variables.join(", ")
            )
        })
    }

    /// Why nothing is proved: calls in modes weaker than volatile that conflict with other
    /// accesses, and fences where there are races. A search that does not see all conflicts
    /// takes all such calls to be in one.
    pub(crate) fn weakness(&self) -> Option<String> {
        /// So many of them are named.
        const MANY: usize = 12;
        if self.is_relaxed() {
            return None;
        }
        let all = lock(&self.races.all);
        let facts = &self.program.facts;
        // Nobody stands before an access in the middle of what is one step.
        let sees_all = self.races.are_all_seen.load(Ordering::Relaxed)
            && !facts.has_atomic()
            && !facts.blocks.load(Ordering::Relaxed);
        let calls = match sees_all {
            true if self.is_robust(&all) => return None,
            true => all.weak.clone(),
            false => facts.weak_calls(),
        };
        let mut told: BTreeSet<String> = calls.into_iter().map(|call| call.told).collect();
        if !all.found.is_empty() || !all.weak.is_empty() || !sees_all {
            told.extend(facts.fences());
        }
        let more = match told.len().saturating_sub(MANY) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let some = Vec::from_iter(told.into_iter().take(MANY)).join(", ");
        (!some.is_empty()).then(|| {
            format!(
                "modes weaker than volatile, and fences, are searched as if all accesses were \
                 volatile, and Java allows more: {some}{more}"
            )
        })
    }

    /// Whether there are data races of the program.
    pub(super) fn has_races(&self) -> bool {
        !lock(&self.races.all).found.is_empty()
    }

    /// A file and a line of the program, and the library's method that is called there.
    fn whereabouts(&self, frames: &[Frame]) -> String {
        let program = &self.program;
        let is_own = |frame: &Frame| {
            let class = program.class(program.method(frame.method).class);
            class.origin == Origin::Program
                && line_number(program, frame.method, position(program, frame)) > 0
        };
        let own = frames.iter().rposition(is_own);
        let inside = frames.get(own.map_or(0, |own| own + 1));
        let inside = inside.map(|frame| format!("inside {}", self.method_name(frame.method)));
        let line = own.and_then(|own| {
            let frame = frames.get(own)?;
            let file = source_file(program, frame.method)?;
            let line = line_number(program, frame.method, position(program, frame));
            Some(format!("{file}:{line}"))
        });
        match (line, inside) {
            (Some(line), Some(inside)) => format!("{line}, {inside}"),
            (line, inside) => line.or(inside).unwrap_or_default(),
        }
    }
}

/// A race as a violation.
pub(super) fn fault(race: &Race) -> Fault {
    let [first, second] = &race.accesses;
    Fault {
        kind: FaultKind::Race,
        message: race.to_string(),
        place: first.place.or(second.place),
    }
}

/// The variable that two accesses have in common.
fn variable_of(sides: &[Side<'_>; 2]) -> (Ref, u32) {
    let [mine, theirs] = sides.map(|side| side.access);
    (mine.object, mine.first.max(theirs.first))
}

/// A hash of where two threads are, in whatever order.
fn stacks([a, b]: [Side<'_>; 2]) -> u64 {
    let hash = |side: Side<'_>| {
        let mut hasher = FixedState::default().build_hasher();
        for frame in side.frames {
            (frame.method.0, frame.pc).hash(&mut hasher);
        }
        hasher.finish()
    };
    let (a, b) = (hash(a), hash(b));
    let both = (a.min(b), a.max(b));
    FixedState::default().hash_one(both)
}

/// What a class of the library has to do with several threads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Care {
    /// It promises nothing: a race is the program's mistake.
    None,
    /// It has nothing that a program could protect, so a race is not reported. But what one
    /// thread writes another one may read, and act upon.
    Quiet,
    /// What threads get to know of each other by a race is ordered all the same, as its
    /// documentation says, or makes no difference to a program.
    Trusted,
}

/// What is said of a field of the library, or of an element of an array that a class accesses.
/// A `StringBuilder` promises nothing. The views that collections keep are computed again if
/// another thread has not seen them, as `AbstractMap` says; so are hash codes, and what else
/// values that never change remember of themselves.
pub(super) fn care(program: &Program, class: ClassId, field: Option<&Field>) -> Care {
    const TRUSTED: [&str; 7] = [
        "java/util/concurrent/",
        "java/math/",
        "java/time/",
        "java/lang/Class",
        "jdk/",
        "sun/",
        "com/sun/",
    ];
    const QUIET: [&str; 5] = [
        "java/lang/",
        "java/util/stream/",
        "java/util/function/",
        "java/security/",
        "java/net/",
    ];
    const VIEWS: [&str; 6] = [
        "keySet",
        "values",
        "entrySet",
        "navigableKeySet",
        "descendingMap",
        "descendingKeySet",
    ];
    let name = program.class_name(class);
    let field_name = field.map_or("", |field| program.text(field.name));
    let begins = |all: &[&str]| all.iter().any(|package| name.starts_with(package));
    match (name, field_name) {
        ("java/lang/AbstractStringBuilder" | "java/lang/StringBuilder", _) => Care::None,
        ("java/lang/String", "hash" | "hashIsZero") => Care::Trusted,
        _ if begins(&TRUSTED) => Care::Trusted,
        _ if name.starts_with("java/util/") && VIEWS.contains(&field_name) => Care::Trusted,
        _ if begins(&QUIET) || field.is_some_and(Field::is_static) => Care::Quiet,
        _ => Care::None,
    }
}
