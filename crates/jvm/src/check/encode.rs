//! States as words: equal words, same state.
//!
//! A state has parts: its objects, its threads, its classes. What a part holds has a number,
//! the same whenever it is the same, and is written once for all states that have the part
//! ([`Form`]). What remains to be done for each state is to find out which objects there are
//! and in which order: they are numbered as they are met, first from what all threads can
//! reach, then from each thread. On the way it is seen whether any object that counts as a
//! thread's own can be reached by others; then something was overlooked, and nothing is
//! proved.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::hash::BuildHasher;
use std::sync::atomic::Ordering;

use super::guards::{Claims, Guard};
use super::sentry::Act;
use super::{Java, JavaState};
use crate::form::Form;
use crate::heap::{Body, Heap, Object, Reach, Ref};
use crate::state::{Initialisation, State};
use crate::thread::{Frame, Status, Then, Thread};
use crate::world::{ClassId, World};

/// A hash with which a state is found again.
pub(super) fn hash(words: &[u32]) -> u128 {
    let half = |seed| u128::from(FixedState::with_seed(seed).hash_one(words));
    half(1) << 64 | half(2)
}

/// What is met by everybody.
const ALL: u32 = u32::MAX;

/// In a form, stands for an object that is told apart.
const OBJECT: u32 = u32::MAX;

/// Forms have at most this number: two bits more tell what a thread is about to do.
const MOST_FORMS: u32 = u32::MAX >> 2;

/// The references of a thread take a multiple of so many words, and a state a multiple of
/// so many, so that those of a state and its successor mostly stand at the same places.
const THREAD_BLOCK: usize = 4;
const STATE_BLOCK: usize = 32;

/// Memory that is used again and again.
#[derive(Default)]
pub(super) struct Encoder {
    forms: Forms,
    /// By object.
    met: Vec<Met>,
    round: u32,
    pending: Vec<Ref>,
    done: usize,
    /// Who is looking.
    owner: u32,
    leak: Option<ClassId>,
    /// The words of the objects.
    objects: Vec<u32>,
}

/// When an object was met last.
#[derive(Clone, Copy, Default)]
struct Met {
    round: u32,
    number: u32,
    /// By whom.
    owner: u32,
}

impl Encoder {
    /// Writes a state down. Gives what was overlooked, if anything was.
    pub(super) fn encode(
        &mut self,
        java: &Java,
        state: &JavaState,
        words: &mut Vec<u32>,
    ) -> Option<String> {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.met.clear();
            self.round = 1;
        }
        let end = state.machine.heap.end() as usize;
        if self.met.len() < end {
            self.met.resize(end, Met::default());
        }
        self.pending.clear();
        self.objects.clear();
        self.done = 0;
        self.leak = None;
        let mut writer = Writer {
            world: &java.world,
            state: &state.machine,
            memory: self,
            words,
        };
        writer.all(java, state);
        words.append(&mut self.objects);
        words.resize(words.len().next_multiple_of(STATE_BLOCK), 0);
        if self.forms.next > MOST_FORMS {
            return Some("there are too many different objects".to_owned());
        }
        self.leak.map(|class| {
            format!(
                "an object of {} is shared and nobody noticed it",
                java.world.class_name(class).replace('/', ".")
            )
        })
    }
}

struct Writer<'a> {
    world: &'a World,
    state: &'a State,
    memory: &'a mut Encoder,
    /// All but the words of the objects.
    words: &'a mut Vec<u32>,
}

impl Writer<'_> {
    fn all(&mut self, java: &Java, state: &JavaState) {
        self.words.push(u32::from(state.is_over));
        // Of several processes, which have the network together, the first one tells it.
        if java.is_first() {
            let number = self.memory.forms.network(self.state);
            self.words.push(number);
        }
        if state.is_over {
            return;
        }
        let (world, machine) = (self.world, self.state);
        self.words.push(machine.next_hash);
        let tells_time = world.facts.clock.load(Ordering::Relaxed);
        if tells_time {
            self.words
                .extend([machine.clock as u32, (machine.clock >> 32) as u32]);
        }
        self.memory.owner = ALL;
        let forms = &mut self.memory.forms;
        let classes = machine.class_form.get_or_find(|| forms.classes(machine));
        let dirty = machine
            .heap
            .dirty_form()
            .get_or_find(|| forms.dirty(&machine.heap));
        self.words.extend([classes.number, dirty.number]);
        self.refer(classes);
        for object in machine.heap.dirty() {
            self.object(object);
        }
        self.rest();
        self.words.push(machine.threads.len() as u32);
        for (index, thread) in machine.threads.iter().enumerate() {
            if index > 0 && index as u32 <= java.own_threads {
                continue;
            }
            let Some(thread) = thread.get() else { continue };
            self.memory.owner = index as u32;
            let pending = state.pending.get(index).and_then(Option::as_ref);
            self.thread(thread, pending, tells_time);
            self.rest();
        }
        self.claims(&state.claims);
        // A literal matters as one only if the program can still see it.
        for &literal in machine.new_literals.iter() {
            let string = machine.interned(literal);
            if let Some(met) = self.memory.met.get(string.0 as usize)
                && met.round == self.memory.round
            {
                self.memory.objects.extend([literal.0, met.number]);
            }
        }
    }

    /// Of what can still be reached: whose it is.
    fn claims(&mut self, claims: &Claims) {
        let guards = claims.guards().iter().filter_map(|&(object, slot, guard)| {
            let (sort, whose) = match guard {
                Guard::Thread(id) => (0, id.0),
                // Nobody can ever hold a lock that is out of reach.
                Guard::Lock(lock) => (1, self.met(lock).unwrap_or(0)),
            };
            Some([self.met(object)?, slot, sort, whose])
        });
        let mut guards: Vec<[u32; 4]> = guards.collect();
        guards.sort_unstable();
        let uses = claims.uses().iter().filter_map(|(object, slot, known)| {
            let met = known.locks.iter().filter_map(|&lock| self.met(lock));
            let mut locks: Vec<u32> = met.collect();
            locks.sort_unstable();
            let many = locks.len() as u32;
            let mut words = vec![self.met(*object)?, *slot, known.first.0];
            words.extend([u32::from(known.is_shared), many]);
            words.append(&mut locks);
            Some(words)
        });
        let mut uses: Vec<Vec<u32>> = uses.collect();
        uses.sort_unstable();
        let words = &mut self.memory.objects;
        words.extend([guards.len() as u32, uses.len() as u32]);
        words.extend(guards.iter().flatten());
        words.extend(uses.iter().flatten());
    }

    /// The number of an object that was met.
    fn met(&self, object: Ref) -> Option<u32> {
        if object.is_null() || self.state.heap.is_boot(object) {
            return Some(object.0);
        }
        let met = self.memory.met.get(object.0 as usize)?;
        (met.round == self.memory.round).then_some(met.number)
    }

    fn rest(&mut self) {
        while let Some(&object) = self.memory.pending.get(self.memory.done) {
            self.memory.done += 1;
            self.object(object);
        }
    }

    fn thread(&mut self, thread: &Thread, pending: Option<&Act>, tells_time: bool) {
        let (world, heap) = (self.world, &self.state.heap);
        let forms = &mut self.memory.forms;
        let form = thread
            .form
            .get_or_find(|| forms.thread(world, heap, thread));
        let stands = match pending {
            None => 0,
            Some(Act::Finish) => 1,
            Some(_) => 2,
        };
        self.words.push(form.number << 2 | stands);
        // When a time limit ends only matters if the program can tell the time.
        if let Status::Waiting { until, .. } | Status::Parked { until } = thread.status
            && let Some(until) = until.filter(|_| tells_time)
        {
            self.words.extend([until as u32, (until >> 32) as u32]);
        }
        for &object in &form.references {
            let number = self.number(object);
            self.words.push(number);
        }
        let odd = form.references.len() % THREAD_BLOCK;
        if odd > 0 {
            self.words.extend([0; THREAD_BLOCK].iter().skip(odd));
        }
    }

    fn object(&mut self, object: Ref) {
        let state = self.state;
        let Some(found) = state.heap.get(object) else {
            return;
        };
        let (world, forms) = (self.world, &mut self.memory.forms);
        let form = found
            .form
            .get_or_find(|| forms.object(world, &state.heap, object, found));
        self.memory.objects.push(form.number);
        let Some(met) = self.memory.met.get_mut(object.0 as usize) else {
            return;
        };
        let owner = self.memory.owner;
        if !form.is_local {
            // Whoever meets it, what it refers to is everybody's.
            met.owner = ALL;
            self.memory.owner = ALL;
        } else if met.owner == ALL {
            self.memory.leak.get_or_insert(found.class);
        }
        self.refer(form);
        self.memory.owner = owner;
    }

    /// Writes the numbers of the objects that a part refers to.
    fn refer(&mut self, form: &Form) {
        for &object in &form.references {
            let number = self.number(object);
            self.memory.objects.push(number);
        }
    }

    #[inline]
    fn number(&mut self, object: Ref) -> u32 {
        let memory = &mut *self.memory;
        let Some(met) = memory.met.get_mut(object.0 as usize) else {
            return 0;
        };
        if met.round != memory.round {
            *met = Met {
                round: memory.round,
                // Behind those of the library.
                number: u32::MAX - memory.pending.len() as u32,
                owner: memory.owner,
            };
            memory.pending.push(object);
        } else if met.owner != memory.owner && met.owner != ALL {
            // Another one than its owner meets it.
            if let Some(found) = self.state.heap.get(object)
                && is_local(self.world, found)
            {
                memory.leak.get_or_insert(found.class);
            }
        }
        met.number
    }
}

/// Whether an object counts as a thread's own.
fn is_local(world: &World, object: &Object) -> bool {
    object.reach == Reach::Local && object.class != world.known().class
}

/// Numbers what parts of states hold.
#[derive(Default)]
struct Forms {
    numbers: HashMap<Box<[u32]>, u32, FixedState>,
    /// Zero is none.
    next: u32,
    words: Vec<u32>,
    references: Vec<Ref>,
}

impl Forms {
    /// The form of a part that `write` writes.
    fn form(&mut self, heap: &Heap, is_local: bool, write: impl FnOnce(&mut Pen<'_>)) -> Form {
        self.words.clear();
        self.references.clear();
        write(&mut Pen {
            heap,
            words: &mut self.words,
            references: &mut self.references,
        });
        let number = match self.numbers.get(&self.words[..]) {
            Some(&number) => number,
            None => {
                self.next = self.next.saturating_add(1);
                self.numbers.insert(self.words.as_slice().into(), self.next);
                self.next
            }
        };
        Form {
            number,
            is_local,
            references: self.references.as_slice().into(),
        }
    }

    fn classes(&mut self, state: &State) -> Form {
        self.form(&state.heap, false, |pen| {
            for &class in state.changed_classes.iter() {
                pen.class(state, class);
            }
        })
    }

    /// A number for what the sockets are like; none if there are none.
    fn network(&mut self, state: &State) -> u32 {
        match state.network.is_empty() {
            true => 0,
            false => {
                let write = |pen: &mut Pen<'_>| state.network.words(pen.words);
                self.form(&state.heap, false, write).number
            }
        }
    }

    fn dirty(&mut self, heap: &Heap) -> Form {
        self.form(heap, false, |pen| {
            pen.words.extend(heap.dirty().map(|object| object.0));
        })
    }

    fn thread(&mut self, world: &World, heap: &Heap, thread: &Thread) -> Form {
        self.form(heap, false, |pen| pen.thread(world, thread))
    }

    fn object(&mut self, world: &World, heap: &Heap, at: Ref, object: &Object) -> Form {
        let is_local = is_local(world, object) && !heap.is_boot(at);
        self.form(heap, is_local, |pen| pen.object(world, at, object))
    }
}

/// Writes one part.
struct Pen<'a> {
    heap: &'a Heap,
    words: &'a mut Vec<u32>,
    references: &'a mut Vec<Ref>,
}

impl Pen<'_> {
    fn reference(&mut self, object: Ref) {
        if object.is_null() || self.heap.is_boot(object) {
            self.words.push(object.0);
        } else if self.heap.get(object).is_none() {
            self.words.push(0);
        } else {
            self.words.push(OBJECT);
            self.references.push(object);
        }
    }

    /// A number, in one word if it is small: larger ones are known by the first word's
    /// first bit.
    fn wide(&mut self, value: u64) {
        match value < 1 << 31 {
            true => self.words.push(value as u32),
            false => {
                let parts = [1 << 31, value as u32, (value >> 32) as u32];
                self.words.extend(parts);
            }
        }
    }

    fn class(&mut self, state: &State, class: ClassId) {
        let known = state.class(class);
        let progress = match known.initialisation {
            Initialisation::None => 0,
            Initialisation::Done => 1,
            Initialisation::Failed => 2,
            Initialisation::By(thread) => 3 + thread.0,
        };
        self.words.extend([class.0, progress]);
        self.reference(known.mirror);
        self.reference(known.failure);
    }

    fn thread(&mut self, world: &World, thread: &Thread) {
        self.reference(thread.object);
        self.reference(thread.uncaught);
        self.status(thread.status);
        let flags = u32::from(thread.permit)
            | u32::from(thread.interrupted) << 1
            | (thread.wake as u32) << 2
            | (thread.phase as u32) << 4;
        let held = thread.held.len() as u32;
        self.words.extend([flags, thread.frames.len() as u32, held]);
        thread.held.iter().for_each(|&lock| self.reference(lock));
        for (index, frame) in thread.frames.iter().enumerate() {
            self.frame(frame);
            thread.live_registers(world, index, |value, is_ref| match is_ref {
                true => self.reference(Ref::of(value)),
                false => self.wide(value),
            });
        }
    }

    fn status(&mut self, status: Status) {
        match status {
            Status::Runnable => self.words.push(0),
            Status::Ended => self.words.push(1),
            Status::Entering(object) => {
                self.words.push(2);
                self.reference(object);
            }
            // Who came first makes no difference, because anybody may be woken.
            Status::Waiting {
                object,
                count,
                until,
                ..
            } => {
                self.words.extend([3, count, u32::from(until.is_some())]);
                self.reference(object);
            }
            Status::Returning {
                object,
                count,
                wake,
            } => {
                self.words.extend([4, count, wake as u32]);
                self.reference(object);
            }
            Status::Parked { until } => self.words.extend([5, u32::from(until.is_some())]),
            Status::Sleeping { .. } => self.words.push(6),
            Status::AwaitingClass(class) => self.words.extend([7, class.0]),
            // At which socket, and for what, its frames say.
            Status::Exchanging { .. } => self.words.push(8),
        }
    }

    fn frame(&mut self, frame: &Frame) {
        self.words.extend([frame.method.0, frame.pc]);
        match frame.then {
            Then::Nothing => self.words.push(0),
            Then::Unlock(object) => {
                self.words.push(1);
                self.reference(object);
            }
            Then::Initialised(class) => self.words.extend([2, class.0]),
        }
    }

    fn object(&mut self, world: &World, at: Ref, object: &Object) {
        let Object {
            class,
            hash,
            lock,
            reach,
            body,
            ..
        } = object;
        self.words.extend([class.0, *reach as u32]);
        // Most objects have neither.
        match (*hash, lock.owner) {
            (0, 0) => self.words.push(0),
            (hash, owner) => self.words.extend([1, hash, owner, lock.count]),
        }
        match body {
            Body::Fields(fields) => {
                let described = world.class(*class);
                let is_mirror = *class == world.known().class;
                for (slot, &value) in fields.iter().enumerate() {
                    let is_ref = match described.ref_slots.get(slot) {
                        Some(&is_ref) => is_ref,
                        None => {
                            is_mirror
                                && super::layout::is_ref_slot(world, self.heap, at, slot as u32)
                        }
                    };
                    match is_ref {
                        true => self.reference(Ref::of(value)),
                        false => self.wide(value),
                    }
                }
            }
            Body::Refs(refs) => {
                self.words.push(refs.len() as u32);
                refs.iter().for_each(|&element| self.reference(element));
            }
            other => {
                let length = other.length().unwrap_or(0);
                self.words.push(length as u32);
                let is_wide = other.scale() == 8;
                let packed = (4 / other.scale().min(4)) as usize;
                if is_wide {
                    (0..length).for_each(|index| self.wide(other.read(index).unwrap_or(0)));
                } else {
                    let bits = 32 / packed as u32;
                    for start in (0..length).step_by(packed) {
                        let word = (0..packed).fold(0u32, |word, at| {
                            let value = other.read(start + at).unwrap_or(0) as u32;
                            let value = value & (u32::MAX >> (32 - bits));
                            word | value << (bits * at as u32)
                        });
                        self.words.push(word);
                    }
                }
            }
        }
    }
}
