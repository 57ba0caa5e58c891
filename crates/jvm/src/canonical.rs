//! States as words: equal words, same state.
//!
//! Objects are numbered in the order in which they are met from the roots, so that neither
//! garbage nor the order of allocation makes a difference. What was there when the library
//! had started keeps its number, and costs nothing unless it was written since.
//!
//! Left out are the clock, files, and what was written to memory outside of objects.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::descriptor::Kind;
use crate::heap::{Body, Object, Ref};
use crate::pages::Shared;
use crate::state::{Initialisation, State};
use crate::thread::{Status, Then, Thread};
use crate::world::{ClassId, World};

impl State {
    /// The canonical words of the state.
    pub fn canonical(&self, world: &World) -> Vec<u32> {
        let mut encoder = Encoder {
            world,
            state: self,
            words: Vec::new(),
            numbers: HashMap::with_hasher(FixedState::default()),
            pending: Vec::new(),
            met: 0,
        };
        encoder.run();
        encoder.words
    }
}

struct Encoder<'a> {
    world: &'a World,
    state: &'a State,
    words: Vec<u32>,
    numbers: HashMap<Ref, u32, FixedState>,
    /// Objects that have a number but are not yet written.
    pending: Vec<Ref>,
    met: usize,
}

impl Encoder<'_> {
    fn run(&mut self) {
        self.words.push(self.state.next_hash);
        for thread in &self.state.threads {
            match thread {
                Shared::Absent => self.words.push(u32::MAX),
                present => {
                    if let Some(thread) = present.get() {
                        self.thread(thread);
                    }
                }
            }
        }
        for &class in self.state.changed_classes.iter() {
            self.class(class);
        }
        for object in self.state.heap.dirty() {
            self.words.push(object.0);
            self.object(object);
        }
        self.finish_pending();
        self.state.network.words(&mut self.words);
        // A literal matters as one only if the program can still see it.
        for &literal in self.state.new_literals.iter() {
            if let Some(&number) = self.numbers.get(&self.state.interned(literal)) {
                self.words.extend([literal.0, number]);
            }
        }
    }

    fn finish_pending(&mut self) {
        while let Some(&object) = self.pending.get(self.met) {
            self.met += 1;
            self.object(object);
        }
    }

    fn reference(&mut self, object: Ref) {
        if object.is_null()
            || self.state.heap.is_boot(object)
            || self.state.heap.get(object).is_none()
        {
            self.words.push(object.0);
            return;
        }
        // Counted down from the top, so that the numbers of the library are others.
        let next = u32::MAX - self.pending.len() as u32;
        let number = *self.numbers.entry(object).or_insert(next);
        if number == next {
            self.pending.push(object);
        }
        self.words.push(number);
    }

    fn wide(&mut self, value: u64) {
        self.words.extend([value as u32, (value >> 32) as u32]);
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

    fn thread(&mut self, thread: &Thread) {
        self.reference(thread.object);
        self.reference(thread.uncaught);
        self.status(thread.status);
        let flags = u32::from(thread.permit)
            | u32::from(thread.interrupted) << 1
            | (thread.wake as u32) << 2
            | (thread.phase as u32) << 4;
        self.words.extend([flags, thread.frames.len() as u32]);
        for index in 0..thread.frames.len() {
            self.frame(thread, index);
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
            Status::Waiting {
                object,
                count,
                until,
                turn,
            } => {
                // Only the order among those who wait matters.
                let others = self.state.threads.iter().filter_map(Shared::get);
                let earlier = others.filter(|other| matches!(other.status, Status::Waiting { turn: theirs, .. } if theirs < turn));
                self.words
                    .extend([3, count, u32::from(until.is_some()), earlier.count() as u32]);
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

    fn frame(&mut self, thread: &Thread, index: usize) {
        let Some(frame) = thread.frames.get(index) else {
            return;
        };
        self.words.extend([frame.method.0, frame.pc]);
        match frame.then {
            Then::Nothing => self.words.push(0),
            Then::Unlock(object) => {
                self.words.push(1);
                self.reference(object);
            }
            Then::Initialised(class) => self.words.extend([2, class.0]),
        }
        thread.live_registers(self.world, index, |value, is_ref| {
            if is_ref {
                self.reference(Ref::of(value))
            } else {
                self.wide(value)
            }
        });
    }

    fn object(&mut self, object: Ref) {
        let Some(Object {
            class,
            hash,
            lock,
            body,
            ..
        }) = self.state.heap.get(object)
        else {
            return;
        };
        self.words.extend([class.0, *hash, lock.owner, lock.count]);
        match body {
            Body::Fields(fields) => {
                let described = self.world.class(*class);
                let statics = self.static_refs(*class, object);
                for (slot, &value) in fields.iter().enumerate() {
                    let is_ref = described
                        .ref_slots
                        .get(slot)
                        .copied()
                        .unwrap_or_else(|| statics.contains(&(slot as u32)));
                    if is_ref {
                        self.reference(Ref::of(value))
                    } else {
                        self.wide(value)
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
                for index in 0..length {
                    let value = other.read(index).unwrap_or(0);
                    if other.scale() == 8 {
                        self.wide(value)
                    } else {
                        self.words.push(value as u32)
                    }
                }
            }
        }
    }

    /// The slots of a mirror that are static fields with references.
    fn static_refs(&self, class: ClassId, object: Ref) -> Vec<u32> {
        if class != self.world.known().class {
            return Vec::new();
        }
        let Some(mirrored) = self.state.mirrored(self.world, object) else {
            return Vec::new();
        };
        let class = self.world.class(mirrored);
        if class.fields.is_empty() && class.static_slots > 0 {
            // A class of the machine: its one static slot is the object that all share.
            return vec![self.world.known().class_slots];
        }
        let fields = class
            .fields
            .iter()
            .filter(|field| field.is_static() && field.kind == Kind::Ref);
        fields.map(|field| self.world.static_slot(field)).collect()
    }
}
