//! States as words: equal words, same state.
//!
//! Objects are numbered as they are met: first from what all threads can reach, then from
//! each thread. On the way it is seen whether any object that counts as a thread's own can be
//! reached by others; then something was overlooked, and nothing is proved.

use foldhash::fast::FixedState;
use std::hash::BuildHasher;
use std::sync::atomic::Ordering;

use super::sentry::Act;
use super::{Java, JavaState};
use crate::code::{Body as MethodBody, Liveness};
use crate::descriptor::Kind;
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

/// Memory that is used again and again.
#[derive(Default)]
pub(super) struct Encoder {
    /// For each object the round in which it was met last, its number and who met it.
    met: Vec<(u32, u32, u32)>,
    round: u32,
    pending: Vec<Ref>,
    done: usize,
    /// Who is looking.
    owner: u32,
    leak: Option<ClassId>,
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
        self.met
            .resize(state.machine.heap.end() as usize, (0, 0, 0));
        self.pending.clear();
        self.done = 0;
        self.leak = None;
        let mut writer = Writer {
            world: &java.world,
            state: &state.machine,
            memory: self,
            words,
        };
        writer.all(java, state);
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
    words: &'a mut Vec<u32>,
}

impl Writer<'_> {
    fn all(&mut self, java: &Java, state: &JavaState) {
        self.words.push(u32::from(state.is_over));
        if state.is_over {
            return;
        }
        self.words.push(self.state.next_hash);
        if self.world.facts.clock.load(Ordering::Relaxed) {
            self.wide(self.state.clock);
        }
        self.memory.owner = ALL;
        self.words.push(self.state.changed_classes.len() as u32);
        for &class in self.state.changed_classes.iter() {
            self.class(class);
        }
        let start = self.words.len();
        self.words.push(0);
        for object in self.state.heap.dirty() {
            self.words[start] += 1;
            self.words.push(object.0);
            self.object(object);
        }
        self.rest();
        self.words.push(self.state.threads.len() as u32);
        for (index, thread) in self.state.threads.iter().enumerate() {
            if index > 0 && index as u32 <= java.own_threads {
                continue;
            }
            let Some(thread) = thread.get() else { continue };
            self.memory.owner = index as u32;
            let pending = state.pending.get(index).and_then(Option::as_ref);
            self.thread(thread, pending);
            self.rest();
        }
        // A literal matters as one only if the program can still see it.
        for &literal in self.state.new_literals.iter() {
            let string = self.state.interned(literal);
            if let Some(&(round, number, _)) = self.memory.met.get(string.0 as usize)
                && round == self.memory.round
            {
                self.words.extend([literal.0, number]);
            }
        }
    }

    fn rest(&mut self) {
        while let Some(&object) = self.memory.pending.get(self.memory.done) {
            self.memory.done += 1;
            self.object(object);
        }
    }

    fn heap(&self) -> &Heap {
        &self.state.heap
    }

    fn reference(&mut self, object: Ref) {
        if object.is_null() || self.heap().is_boot(object) {
            self.words.push(object.0);
            return;
        }
        let Some(found) = self.state.heap.get(object) else {
            self.words.push(0);
            return;
        };
        let memory = &mut *self.memory;
        let (round, number, owner) = memory.met[object.0 as usize];
        let is_known = round == memory.round;
        if found.reach == Reach::Local
            && found.class != self.world.known().class
            && (memory.owner == ALL || is_known && owner != memory.owner)
        {
            memory.leak.get_or_insert(found.class);
        }
        let number = match is_known {
            true => number,
            false => {
                // Behind those of the library.
                let number = u32::MAX - memory.pending.len() as u32;
                memory.met[object.0 as usize] = (memory.round, number, memory.owner);
                memory.pending.push(object);
                number
            }
        };
        self.words.push(number);
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

    fn class(&mut self, class: ClassId) {
        let known = self.state.class(class);
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

    fn thread(&mut self, thread: &Thread, pending: Option<&Act>) {
        self.reference(thread.object);
        self.reference(thread.uncaught);
        self.status(thread.status);
        let stands = match pending {
            None => 0,
            Some(Act::Finish) => 1,
            Some(_) => 2,
        };
        let flags = u32::from(thread.permit)
            | u32::from(thread.interrupted) << 1
            | (thread.wake as u32) << 2
            | (thread.phase as u32) << 4
            | stands << 8
            | thread.atomic << 10;
        self.words.extend([flags, thread.frames.len() as u32]);
        for (index, frame) in thread.frames.iter().enumerate() {
            self.frame(thread, frame, thread.frames.get(index + 1));
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
                self.until(until);
            }
            Status::Returning {
                object,
                count,
                wake,
            } => {
                self.words.extend([4, count, wake as u32]);
                self.reference(object);
            }
            Status::Parked { until } => {
                self.words.extend([5, u32::from(until.is_some())]);
                self.until(until);
            }
            Status::Sleeping { .. } => self.words.push(6),
            Status::AwaitingClass(class) => self.words.extend([7, class.0]),
        }
    }

    /// When a time limit ends, which only matters if the program can tell the time.
    fn until(&mut self, until: Option<u64>) {
        if let Some(until) = until
            && self.world.facts.clock.load(Ordering::Relaxed)
        {
            self.wide(until);
        }
    }

    fn frame(&mut self, thread: &Thread, frame: &Frame, above: Option<&Frame>) {
        self.words.extend([frame.method.0, frame.pc]);
        match frame.then {
            Then::Nothing => self.words.push(0),
            Then::Unlock(object) => {
                self.words.push(1);
                self.reference(object);
            }
            Then::Initialised(class) => self.words.extend([2, class.0]),
        }
        let method = self.world.method(frame.method);
        let Some(MethodBody::Code(code)) = method.body.get() else {
            return;
        };
        let liveness = code.liveness.get_or_init(|| {
            let receiver = (!method.is_static()).then_some(Kind::Ref);
            let kinds: Vec<Kind> = receiver
                .into_iter()
                .chain(self.world.shape(method).kinds.iter().copied())
                .collect();
            Liveness::of(code, &kinds)
        });
        // The registers from a call's arguments on belong to the frame that was called.
        let end = frame.base + code.registers;
        let own = above.map_or(end, |above| above.base.min(end)) - frame.base;
        for register in 0..own as usize {
            if !liveness.is_live(frame.pc as usize, register) {
                continue;
            }
            let place = frame.base as usize + register;
            let value = thread.stack.get(place).copied().unwrap_or(0);
            match liveness.is_ref(frame.pc as usize, register) {
                true => self.reference(Ref::of(value)),
                false => self.wide(value),
            }
        }
    }

    fn object(&mut self, object: Ref) {
        let state = self.state;
        let Some(found) = state.heap.get(object) else {
            return;
        };
        let Object {
            class,
            hash,
            lock,
            reach,
            body,
        } = found;
        let owner = self.memory.owner;
        if *reach != Reach::Local || *class == self.world.known().class {
            // Whoever meets it, what it refers to is everybody's.
            self.memory.owner = ALL;
        }
        self.words.extend([class.0, *reach as u32]);
        // Most objects have neither.
        match (*hash, lock.owner) {
            (0, 0) => self.words.push(0),
            (hash, owner) => self.words.extend([1, hash, owner, lock.count]),
        }
        match body {
            Body::Fields(fields) => {
                let described = self.world.class(*class);
                let is_mirror = *class == self.world.known().class;
                for (slot, &value) in fields.iter().enumerate() {
                    let is_ref = match described.ref_slots.get(slot) {
                        Some(&is_ref) => is_ref,
                        None => {
                            is_mirror
                                && super::layout::is_ref_slot(
                                    self.world,
                                    &state.heap,
                                    object,
                                    slot as u32,
                                )
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
        self.memory.owner = owner;
    }
}
