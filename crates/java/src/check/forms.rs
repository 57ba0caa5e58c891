//! What the parts of a state hold, as words: objects, threads, classes.

use raddle_jvm::form::Form;
use raddle_jvm::heap::{Body, Heap, Object, Reach, Ref};
use raddle_jvm::network::Network;
use raddle_jvm::state::{Initialisation, State};
use raddle_jvm::thread::{Frame, Status, Then, Thread};
use raddle_jvm::world::ClassId;

use super::numbers::{Numbers, Recent};
use super::program::Program;

/// Stands for an object that is told apart.
const OBJECT: u32 = u32::MAX;

/// Whether there is memory for so many words is tried out.
const MANY: usize = 1 << 15;

/// Stands for a value that comes from the clock.
const FROM_CLOCK: u32 = u32::MAX - 1;

/// How many words a number takes at most.
const WIDE: usize = 3;

/// Whether an object counts as a thread's own.
pub(super) fn is_local(program: &Program, object: &Object) -> bool {
    object.reach == Reach::Local && object.class != program.known().class
}

/// Finds the forms of parts. Any number of threads may do so at once, each with a draft.
#[derive(Default)]
pub(super) struct Forms {
    numbers: Numbers,
}

/// Memory in which a form is written.
#[derive(Default)]
pub(super) struct Draft {
    words: Vec<u32>,
    references: Vec<Ref>,
    recent: Recent,
    /// Whether there was no memory to write a form, or no number for it: then it is that of others,
    /// too.
    pub(super) is_starved: bool,
    /// The class of an object that was one thread's own at the beginning, and that others can reach without
    /// that being noticed.
    pub(super) leak: Option<ClassId>,
}

impl Forms {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The form of a part that `write` writes.
    fn form(
        &self,
        draft: &mut Draft,
        heap: &Heap,
        is_local: bool,
        everybody: Option<&Program>,
        write: impl FnOnce(&mut Pen<'_>),
    ) -> Form {
        let Draft {
            words,
            references,
            recent,
            is_starved,
            leak,
        } = draft;
        words.clear();
        references.clear();
        let mut pen = Pen {
            heap,
            words,
            references,
            everybody,
            is_starved: false,
            taken: 0,
            leak: None,
        };
        write(&mut pen);
        *leak = leak.or(pen.leak);
        let (taken, before) = (pen.taken, self.numbers.len());
        let number = match pen.is_starved {
            true => 0,
            false => self.numbers.number(recent, words),
        };
        // Most were there before.
        if taken > 0 && self.numbers.len() == before {
            heap.return_room(taken);
        }
        *is_starved |= number == 0;
        Form {
            number,
            is_local,
            references: references.as_slice().into(),
        }
    }

    /// What the classes are like that have changed since the library's start.
    pub(super) fn classes<'s>(
        &self,
        draft: &mut Draft,
        program: &Program,
        state: &'s State,
    ) -> &'s Form {
        let write = |pen: &mut Pen<'_>| {
            for &class in state.changed_classes.iter() {
                pen.class(state, class);
            }
        };
        let known = &state.class_form;
        known.get_or_find(|| self.form(draft, &state.heap, false, Some(program), write))
    }

    /// Which objects of the library's start were written since.
    pub(super) fn dirty<'s>(&self, draft: &mut Draft, heap: &'s Heap) -> &'s Form {
        let write = |pen: &mut Pen<'_>| pen.words.extend(heap.dirty().map(|object| object.0));
        let known = heap.dirty_form();
        known.get_or_find(|| self.form(draft, heap, false, None, write))
    }

    /// Numbers for what is outside of objects: files, and memory by address.
    pub(super) fn outside(&self, draft: &mut Draft, state: &State) -> [u32; 2] {
        let State {
            heap,
            files,
            memory,
            ..
        } = state;
        let files = files.form().get_or_find(|| {
            let write = |pen: &mut Pen<'_>| files.words(pen.words);
            self.form(draft, heap, false, None, write)
        });
        let memory = memory.form().get_or_find(|| {
            let write = |pen: &mut Pen<'_>| memory.words(pen.words);
            self.form(draft, heap, false, None, write)
        });
        [files.number, memory.number]
    }

    /// A number for what the sockets are like.
    pub(super) fn network(&self, draft: &mut Draft, heap: &Heap, network: &Network) -> u32 {
        let write = |pen: &mut Pen<'_>| network.words(pen.words);
        self.form(draft, heap, false, None, write).number
    }

    pub(super) fn thread<'s>(
        &self,
        draft: &mut Draft,
        program: &Program,
        heap: &Heap,
        thread: &'s Thread,
    ) -> &'s Form {
        let write = |pen: &mut Pen<'_>| pen.thread(program, thread);
        let known = &thread.form;
        known.get_or_find(|| self.form(draft, heap, false, None, write))
    }

    pub(super) fn object<'s>(
        &self,
        draft: &mut Draft,
        program: &Program,
        heap: &Heap,
        at: Ref,
        object: &'s Object,
    ) -> &'s Form {
        let is_local = is_local(program, object) && !heap.is_boot(at);
        let write = |pen: &mut Pen<'_>| pen.object(program, at, object);
        let known = &object.form;
        let everybody = (!is_local).then_some(program);
        known.get_or_find(|| self.form(draft, heap, is_local, everybody, write))
    }
}

/// Writes one part.
struct Pen<'a> {
    heap: &'a Heap,
    words: &'a mut Vec<u32>,
    references: &'a mut Vec<Ref>,
    /// Given for what all threads can reach.
    everybody: Option<&'a Program>,
    /// Whether there is no memory for what is to be written.
    is_starved: bool,
    /// The bytes that the words take if there are none like them.
    taken: u64,
    /// See [`Draft`].
    leak: Option<ClassId>,
}

impl Pen<'_> {
    /// Whether there is memory for the words of an object, if there are many.
    fn has_room_for(&mut self, body: &Body) -> bool {
        let many = match body {
            Body::Fields(_) => return true,
            Body::Refs(references) => references.len(),
            Body::Longs(elements) => elements.len().saturating_mul(WIDE),
            other => other.length().unwrap_or(0),
        };
        let references = match body {
            Body::Refs(_) => many,
            _ => 0,
        };
        let has_room = |pen: &mut Self| {
            // One more for the length; a vector that is full would double.
            let words = pen.words.try_reserve(many.saturating_add(1));
            // They are copied, if there are none like them.
            let bytes = 8 * many as u64;
            let copy = pen.heap.take_room(bytes);
            pen.taken += if copy { bytes } else { 0 };
            copy && words.is_ok() && pen.references.try_reserve(references).is_ok()
        };
        many < MANY || has_room(self)
    }

    fn reference(&mut self, object: Ref) {
        if object.is_null() || self.heap.is_first(object) {
            self.words.push(object.0);
            self.leak = self.leak.or(self.overlooked(object));
        } else if self.heap.get(object).is_none() {
            self.words.push(0);
        } else {
            self.words.push(OBJECT);
            self.references.push(object);
        }
    }

    /// The class of one of the first objects that is somebody's own, if this part is not. Whatever comes to refer to
    /// it is written anew, so it is enough to look then.
    fn overlooked(&self, object: Ref) -> Option<ClassId> {
        let program = self.everybody.filter(|_| !self.heap.is_boot(object))?;
        let found = self.heap.get(object).filter(|it| is_local(program, it));
        found.map(|found| found.class)
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

    fn thread(&mut self, program: &Program, thread: &Thread) {
        self.reference(thread.object);
        self.reference(thread.uncaught);
        self.status(thread.status);
        let flags = u32::from(thread.permit)
            | u32::from(thread.interrupted) << 1
            | (thread.wake as u32) << 2
            | (thread.phase as u32) << 4
            | thread.atomic << 6;
        let held = thread.held.len() as u32;
        self.words.extend([flags, thread.frames.len() as u32, held]);
        self.words.push(thread.marks.word());
        thread.held.iter().for_each(|&lock| self.reference(lock));
        for (index, frame) in thread.frames.iter().enumerate() {
            self.frame(frame);
            thread.live_registers(program, index, |register| {
                self.value(program, register.value, register.is_ref, register.is_marked);
            });
        }
    }

    /// A value. What it is does not matter if it comes from the clock and nothing depends on that.
    fn value(&mut self, program: &Program, value: u64, is_ref: bool, is_marked: bool) {
        if is_marked {
            self.words.push(FROM_CLOCK);
            if !program.facts.tells_time() {
                return;
            }
        }
        match is_ref {
            true => self.reference(Ref::of(value)),
            false => self.wide(value),
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

    fn object(&mut self, program: &Program, at: Ref, object: &Object) {
        let Object {
            class,
            hash,
            lock,
            reach,
            marks,
            body,
            ..
        } = object;
        let marked = u32::from(!marks.is_empty());
        self.words.extend([class.0, *reach as u32 | marked << 2]);
        // Most objects have neither.
        match (*hash, lock.owner) {
            (0, 0) => self.words.push(0),
            (hash, owner) => self.words.extend([1, hash, owner, lock.count]),
        }
        if marked != 0 {
            self.words.extend(marks.words());
        }
        if marks.is_whole() && !program.facts.tells_time() {
            return;
        }
        if !self.has_room_for(body) {
            self.is_starved = true;
            return;
        }
        match body {
            Body::Fields(fields) => {
                let described = program.class(*class);
                let is_mirror = *class == program.known().class;
                for (slot, &value) in fields.iter().enumerate() {
                    let is_ref = match described.ref_slots.get(slot) {
                        Some(&is_ref) => is_ref,
                        None => {
                            is_mirror
                                && super::layout::is_ref_slot(program, self.heap, at, slot as u32)
                        }
                    };
                    let is_marked = marked != 0 && object.is_marked(slot as u32);
                    self.value(program, value, is_ref, is_marked);
                }
            }
            // Which elements come from the clock is not known.
            other if marked != 0 && !program.facts.tells_time() => {
                self.words.push(other.length().unwrap_or(0) as u32);
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
