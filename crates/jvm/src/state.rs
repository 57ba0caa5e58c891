//! The state of a running program: everything that differs between two moments.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::classfile::Constant;
use crate::descriptor::Kind;
use crate::form::CachedForm;
use crate::heap::{Body, Heap, Ref};
use crate::made_up::MadeUp;
use crate::pages::{Pages, Shared, share_from};
use crate::thread::{Thread, ThreadId};
use crate::world::{ClassId, LiteralId, LoadError, Sort, World};

/// How far the initialisation of a class has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Initialisation {
    /// Not begun.
    #[default]
    None,
    /// A thread is about it.
    By(ThreadId),
    /// Ended.
    Done,
    /// Ended with an exception.
    Failed,
}

/// What a state knows of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClassState {
    /// Its `java.lang.Class`, which has its static fields too.
    pub mirror: Ref,
    /// How far the initialisation is.
    pub initialisation: Initialisation,
    /// Why it can never be initialised.
    pub failure: Ref,
}

/// Literals that were interned.
pub type Literals = BTreeSet<LiteralId>;

/// What was written.
#[derive(Debug, Default)]
pub struct Changes {
    /// The objects that were written.
    pub objects: Vec<Ref>,
    /// The threads that did something.
    pub threads: Vec<u32>,
    /// Whether there is so much that it is not told.
    pub are_many: bool,
}

impl Clone for Changes {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Self) {
        self.objects.clone_from(&other.objects);
        self.threads.clone_from(&other.threads);
        self.are_many = other.are_many;
    }
}

impl Changes {
    /// More are too many.
    const MOST: usize = 1024;

    pub(crate) fn add_object(&mut self, object: Ref) {
        match self.objects.len() < Self::MOST {
            true => self.objects.push(object),
            false => self.are_many = true,
        }
    }

    /// Adds a thread.
    pub fn add_thread(&mut self, thread: u32) {
        if !self.threads.contains(&thread) {
            self.threads.push(thread);
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.objects.clear();
        self.threads.clear();
        self.are_many = false;
    }
}

/// How often a thread is started again, as a copy of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copies {
    /// How often.
    pub count: u32,
    /// Whether each copy has its own `Runnable`, too.
    pub with_runnable: bool,
}

/// See the module's documentation.
#[derive(Debug)]
pub struct State {
    /// All objects.
    pub heap: Heap,
    pub(crate) classes: Pages<ClassState>,
    pub(crate) interned: Pages<Ref>,
    /// All threads, in the order of their start.
    pub threads: Vec<Shared<Thread>>,
    /// Nanoseconds since the start: time goes on when nobody can run, or somebody asks.
    pub clock: u64,
    /// Whether the program has asked for the time, so that it is followed what comes from it.
    pub(crate) follows_clock: bool,
    pub(crate) turns: u64,
    /// The next identity hash code.
    pub next_hash: u32,
    /// Classes whose state is not that of the library's start.
    pub changed_classes: Arc<BTreeSet<ClassId>>,
    /// The form of what they are like.
    pub class_form: Arc<CachedForm>,
    /// Literals that were interned since.
    pub new_literals: Arc<Literals>,
    /// How much memory the program may use.
    pub(crate) memory_limit: usize,
    /// How many words the heap may have before garbage is looked for.
    pub collect_at: usize,
    /// The files that the program sees.
    pub files: crate::files::Files,
    /// The sockets of this process and of all others.
    pub network: crate::network::Network,
    /// Which of several processes it is.
    pub process: u32,
    /// Memory outside of objects, which the program gets by address.
    pub memory: NativeMemory,
    /// Whether assertions of the program are checked.
    pub assertions: bool,
    /// The answers of the machine that a JVM would not have given.
    pub made_up: MadeUp,
    /// Which threads, by their numbers, are started several times over.
    pub copies: Arc<BTreeMap<u32, Copies>>,
    /// The module that all classes of the library are in, once there is one.
    pub(crate) module: Ref,
    /// The module that all classes of the program are in.
    pub(crate) program_module: Ref,
    /// The loader of the program's classes, once there is one.
    pub(crate) loader: Ref,
}

impl Clone for State {
    fn clone(&self) -> Self {
        let mut copy = Self::new();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Self) {
        // All by name, so that none is forgotten.
        let Self {
            heap,
            classes,
            interned,
            threads,
            clock,
            follows_clock,
            turns,
            next_hash,
            changed_classes,
            class_form,
            new_literals,
            memory_limit,
            collect_at,
            files,
            network,
            process,
            memory,
            assertions,
            made_up,
            copies,
            module,
            program_module,
            loader,
        } = other;
        self.heap.clone_from(heap);
        self.classes.clone_from(classes);
        self.interned.clone_from(interned);
        self.threads.clone_from(threads);
        self.clock = *clock;
        self.follows_clock = *follows_clock;
        self.turns = *turns;
        self.next_hash = *next_hash;
        share_from(&mut self.changed_classes, changed_classes);
        share_from(&mut self.class_form, class_form);
        share_from(&mut self.new_literals, new_literals);
        self.memory_limit = *memory_limit;
        self.collect_at = *collect_at;
        self.files.clone_from(files);
        self.network.clone_from(network);
        self.process = *process;
        self.memory.clone_from(memory);
        self.assertions = *assertions;
        self.made_up.clone_from(made_up);
        share_from(&mut self.copies, copies);
        self.module = *module;
        self.program_module = *program_module;
        self.loader = *loader;
    }
}

impl State {
    pub(crate) fn new() -> Self {
        Self {
            heap: Heap::new(),
            classes: Pages::new(),
            interned: Pages::new(),
            threads: Vec::new(),
            clock: 0,
            follows_clock: false,
            turns: 0,
            next_hash: 0,
            changed_classes: Arc::default(),
            class_form: Arc::default(),
            new_literals: Arc::default(),
            memory_limit: 1 << 30,
            collect_at: 256 << 20,
            files: crate::files::Files::default(),
            network: crate::network::Network::default(),
            process: 0,
            memory: NativeMemory::new(),
            assertions: false,
            made_up: MadeUp::default(),
            copies: Arc::default(),
            module: Ref::NULL,
            program_module: Ref::NULL,
            loader: Ref::NULL,
        }
    }

    /// From now on what is there counts as the library's, which states do not differ in.
    pub(crate) fn end_boot(&mut self) {
        self.freeze();
        self.heap.end_boot();
        self.changed_classes = Arc::default();
        self.class_form = Arc::default();
        self.new_literals = Arc::default();
        self.made_up.begin();
        self.files.begin();
        self.memory.is_changed = false;
        self.follows_clock = false;
    }

    /// Makes copies cheap until the next write, and counts what is there from now on as the same in all
    /// states that are told apart.
    pub fn end_beginning(&mut self) {
        self.freeze();
        self.heap.end_beginning();
        self.new_literals = Arc::default();
    }

    /// Lets the assertions of the program be checked. Classes that are initialised already do
    /// not notice.
    pub fn enable_assertions(&mut self) {
        self.assertions = true;
    }

    /// Makes copies cheap until the next write.
    pub fn freeze(&mut self) {
        self.freeze_noting(&mut Changes::default());
    }

    /// The same, and notes which objects and threads were written since the last time.
    pub fn freeze_noting(&mut self, changes: &mut Changes) {
        self.heap.freeze(|object| changes.add_object(object));
        self.classes.freeze();
        self.interned.freeze();
        self.memory.bytes.freeze();
        for (index, thread) in self.threads.iter_mut().enumerate() {
            thread.freeze(|thread| {
                thread.form.forget();
                changes.add_thread(index as u32);
            });
        }
    }

    /// How far a class is.
    pub fn class(&self, class: ClassId) -> ClassState {
        self.classes
            .get(class.0 as usize)
            .copied()
            .unwrap_or_default()
    }

    pub(crate) fn class_mut(&mut self, class: ClassId) -> &mut ClassState {
        self.class_form = Arc::default();
        self.classes.at_mut(class.0 as usize)
    }

    pub(crate) fn set_initialisation(&mut self, class: ClassId, initialisation: Initialisation) {
        self.class_mut(class).initialisation = initialisation;
        Arc::make_mut(&mut self.changed_classes).insert(class);
    }

    #[inline]
    pub(crate) fn is_initialised(&self, class: ClassId) -> bool {
        self.classes
            .get(class.0 as usize)
            .is_some_and(|class| class.initialisation == Initialisation::Done)
    }

    /// An object of a class with all fields zero.
    pub(crate) fn instantiate(&mut self, world: &World, class: ClassId) -> Ref {
        let slots = world.class(class).instance_slots as usize;
        self.heap
            .allocate(class, Body::Fields(vec![0; slots].into()))
    }

    /// An array with elements of a class, all zero.
    pub(crate) fn array(
        &mut self,
        world: &World,
        element: ClassId,
        length: usize,
    ) -> Result<Ref, LoadError> {
        let class = world.array_of(element)?;
        let kind = match world.class(element).sort {
            Sort::Primitive(kind) => kind,
            _ => Kind::Ref,
        };
        Ok(self.heap.allocate(class, Body::array(kind, length)))
    }

    /// An array of bytes.
    pub(crate) fn byte_array(&mut self, world: &World, bytes: &[u8]) -> Ref {
        let bytes: Box<[i8]> = bytes.iter().map(|&byte| byte.cast_signed()).collect();
        self.heap
            .allocate(world.known().byte_array, Body::Bytes(bytes))
    }

    /// The `Class` object of a class.
    pub fn mirror(&mut self, world: &World, class: ClassId) -> Ref {
        let known = self.class(class).mirror;
        if !known.is_null() {
            return known;
        }
        // It is the same whenever it is made.
        let is_marking = self.heap.is_marking();
        self.heap.set_marking(false);
        let mirror = self.new_mirror(world, class);
        self.heap.set_marking(is_marking);
        mirror
    }

    fn new_mirror(&mut self, world: &World, class: ClassId) -> Ref {
        let described = world.class(class);
        let known = world.known();
        let slots = known.class_slots + described.static_slots;
        let mirror = self
            .heap
            .allocate(known.class, Body::Fields(vec![0; slots as usize].into()));
        self.class_mut(class).mirror = mirror;
        self.heap
            .set_field(mirror, known.class_slots - 1, u64::from(class.0));
        crate::natives::finish_mirror(world, self, class, mirror);
        self.set_constants(world, class, mirror);
        mirror
    }

    /// Gives static fields the constants that the class file has for them.
    fn set_constants(&mut self, world: &World, class: ClassId, mirror: Ref) {
        let class = world.class(class);
        let Some(file) = &class.file else { return };
        for field in class.fields.iter().filter(|field| field.constant != 0) {
            let value = match file.constant(field.constant) {
                Ok(Constant::Integer(number)) => u64::from(number.cast_unsigned()),
                Ok(Constant::Float(bits)) => u64::from(bits),
                Ok(Constant::Long(number)) => number.cast_unsigned(),
                Ok(Constant::Double(bits)) => bits,
                Ok(Constant::String(index)) => {
                    let text = file.utf16(index).unwrap_or_default();
                    self.intern(world, world.literal(&text)).word()
                }
                _ => 0,
            };
            self.heap.set_field(mirror, world.static_slot(field), value);
        }
    }

    /// The class that a `Class` object stands for.
    pub fn mirrored(&self, world: &World, mirror: Ref) -> Option<ClassId> {
        let object = self.heap.get(mirror)?;
        if object.class != world.known().class {
            return None;
        }
        object
            .body
            .read(world.known().class_slots as usize - 1)
            .map(|id| ClassId(id as u32))
    }

    /// The one `String` for a literal.
    pub(crate) fn intern(&mut self, world: &World, literal: LiteralId) -> Ref {
        if let Some(&string) = self.interned.get(literal.0 as usize)
            && !string.is_null()
        {
            return string;
        }
        let is_marking = self.heap.is_marking();
        self.heap.set_marking(false);
        let string = self.string_utf16(world, world.literal_text(literal));
        self.heap.set_marking(is_marking);
        crate::reach::share(world, &mut self.heap, string);
        self.set_interned(literal, string);
        string
    }

    /// The string of a literal; null if there is none yet.
    #[inline]
    pub fn interned(&self, literal: LiteralId) -> Ref {
        self.interned
            .get(literal.0 as usize)
            .copied()
            .unwrap_or(Ref::NULL)
    }

    pub(crate) fn set_interned(&mut self, literal: LiteralId, string: Ref) {
        *self.interned.at_mut(literal.0 as usize) = string;
        Arc::make_mut(&mut self.new_literals).insert(literal);
    }

    pub(crate) fn interned_strings(&self) -> impl Iterator<Item = Ref> {
        (0..self.interned.len()).filter_map(|index| self.interned.get(index).copied())
    }

    /// A new `String`.
    pub fn string(&mut self, world: &World, text: &str) -> Ref {
        if text.is_ascii() {
            let bytes: Box<[i8]> = text.bytes().map(u8::cast_signed).collect();
            return self.string_of(world, bytes, 0);
        }
        let units: Vec<u16> = text.encode_utf16().collect();
        self.string_utf16(world, &units)
    }

    pub(crate) fn string_utf16(&mut self, world: &World, units: &[u16]) -> Ref {
        if units.iter().all(|&unit| unit < 256) {
            let bytes = units
                .iter()
                .map(|&unit| (unit as u8).cast_signed())
                .collect();
            return self.string_of(world, bytes, 0);
        }
        let bytes = units
            .iter()
            .flat_map(|unit| unit.to_le_bytes().map(u8::cast_signed))
            .collect();
        self.string_of(world, bytes, 1)
    }

    fn string_of(&mut self, world: &World, bytes: Box<[i8]>, coder: u64) -> Ref {
        let known = world.known();
        let value = self.heap.allocate(known.byte_array, Body::Bytes(bytes));
        let string = self.instantiate(world, known.string);
        self.heap
            .set_field(string, known.string_value, value.word());
        self.heap.set_field(string, known.string_coder, coder);
        string
    }

    /// How many bytes the text of a `String` takes.
    pub(crate) fn string_bytes(&self, world: &World, string: Ref) -> Option<usize> {
        let known = world.known();
        if self.heap.get(string)?.class != known.string {
            return None;
        }
        let value = self.heap.ref_field(string, known.string_value);
        Some(self.heap.bytes(value)?.len())
    }

    /// The text of a `String`.
    pub fn utf16_of(&self, world: &World, string: Ref) -> Option<Vec<u16>> {
        let known = world.known();
        if self.heap.get(string)?.class != known.string {
            return None;
        }
        let bytes = self
            .heap
            .bytes(self.heap.ref_field(string, known.string_value))?;
        if self.heap.field(string, known.string_coder) == 0 {
            return Some(
                bytes
                    .iter()
                    .map(|&byte| u16::from(byte.cast_unsigned()))
                    .collect(),
            );
        }
        let pairs = bytes.as_chunks::<2>().0;
        Some(
            pairs
                .iter()
                .map(|&[low, high]| u16::from_le_bytes([low.cast_unsigned(), high.cast_unsigned()]))
                .collect(),
        )
    }

    /// The text of a `String`.
    pub fn text_of(&self, world: &World, string: Ref) -> Option<String> {
        self.utf16_of(world, string)
            .map(|units| String::from_utf16_lossy(&units))
    }

    /// The identity hash code of an object: numbers are given in the order of asking, and
    /// scattered.
    pub(crate) fn identity_hash(&mut self, object: Ref) -> u32 {
        let Some(known) = self.heap.get(object).map(|object| object.hash) else {
            return 0;
        };
        if known != 0 {
            return known;
        }
        self.next_hash += 1;
        let hash = (self.next_hash.wrapping_mul(0x9E37_79B1) >> 1).max(1);
        if let Some(object) = self.heap.get_mut(object) {
            object.hash = hash;
        }
        hash
    }

    /// The object that has some of the fields of a `java.lang.Thread`.
    pub fn thread_holder(&self, world: &World, thread: Ref) -> Ref {
        match world.known().thread_holder {
            Some(slot) => self.heap.ref_field(thread, slot),
            None => thread,
        }
    }

    /// A thread by its number.
    pub fn thread(&self, id: ThreadId) -> Option<&Thread> {
        self.threads.get(id.0 as usize)?.get()
    }

    /// The same, to be changed.
    pub fn thread_mut(&mut self, id: ThreadId) -> Option<&mut Thread> {
        self.threads.get_mut(id.0 as usize)?.get_mut()
    }

    /// The thread whose `java.lang.Thread` is `object`. The thread that is running right now
    /// is not found: it is not in its place.
    pub fn thread_of(&self, object: Ref) -> Option<ThreadId> {
        let mut all = self.threads.iter().filter_map(Shared::get);
        all.find(|thread| thread.object == object)
            .map(|thread| thread.id)
    }
}

/// Memory outside of objects. It is never given back: what uses it, uses little.
#[derive(Debug)]
pub struct NativeMemory {
    bytes: Pages<u8>,
    /// Whether anything was done since the library's start.
    is_changed: bool,
    form: Arc<CachedForm>,
}

impl Clone for NativeMemory {
    fn clone(&self) -> Self {
        Self {
            bytes: self.bytes.clone(),
            is_changed: self.is_changed,
            form: Arc::clone(&self.form),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.bytes.clone_from(&other.bytes);
        self.is_changed = other.is_changed;
        share_from(&mut self.form, &other.form);
    }
}

impl NativeMemory {
    /// The first addresses are the machine's own.
    const FIRST: usize = 64;

    fn new() -> Self {
        let mut bytes = Pages::new();
        bytes.at_mut(Self::FIRST - 1);
        Self {
            bytes,
            is_changed: false,
            form: Arc::default(),
        }
    }

    /// Whether anything was done since the library's start.
    pub fn is_changed(&self) -> bool {
        self.is_changed
    }

    /// The form of all of it.
    pub fn form(&self) -> &CachedForm {
        &self.form
    }

    /// All there is, in words.
    pub fn words(&self, words: &mut Vec<u32>) {
        let byte = |at: usize| u32::from(self.bytes.get(at).copied().unwrap_or(0));
        words.push(self.bytes.len() as u32);
        words.extend(
            (0..self.bytes.len())
                .step_by(4)
                .map(|at| byte(at) | byte(at + 1) << 8 | byte(at + 2) << 16 | byte(at + 3) << 24),
        );
    }

    fn change(&mut self) -> &mut Pages<u8> {
        self.is_changed = true;
        self.form = Arc::default();
        &mut self.bytes
    }

    /// The address of so many bytes.
    pub(crate) fn allocate(&mut self, size: usize) -> u64 {
        let address = self.bytes.len().next_multiple_of(16);
        self.change().at_mut(address + size.max(1) - 1);
        address as u64
    }

    pub(crate) fn read(&self, address: u64) -> Option<u8> {
        if address >= self.bytes.len() as u64 {
            return None;
        }
        self.bytes.get(address as usize).copied()
    }

    pub(crate) fn write(&mut self, address: u64, byte: u8) -> Option<()> {
        if address >= self.bytes.len() as u64 {
            return None;
        }
        *self.change().get_mut(address as usize)? = byte;
        Some(())
    }

    /// The bytes up to the first zero.
    pub(crate) fn text(&self, address: u64) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        for at in address.. {
            match self.read(at)? {
                0 => break,
                byte => text.push(byte),
            }
        }
        Some(text)
    }
}
