//! What stands where in objects, and what of it is written although others can see it.
//!
//! A field of an object that other threads can reach is first taken to be one that nobody
//! writes any more, as most are: reading it is then no business of other threads. The first
//! write that proves the contrary is noted, and all that was explored before is explored
//! again. So what is taken for granted at the end has been tried in every execution.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

use super::guards::{Level, Note};
use super::modes::WeakCall;
use super::numbers::lock;
use super::order::LockOrder;
use super::profile::{ATOMIC, Profile, UNSHARED};
use crate::classfile::ClassFile;
use crate::heap::{Body, Heap, Reach, Ref};
use crate::outline;
use crate::world::{ClassId, Field, World};

/// The fields of a class.
pub(crate) struct Layout {
    /// For each slot of an instance the class that declares the field, and its place there.
    slots: Box<[Option<(ClassId, u16)>]>,
    /// For each slot of a static field its place among the fields of the class.
    statics: Box<[Option<u16>]>,
    /// What is assumed of the class's own fields.
    fields: Box<[Note]>,
    /// The same of the elements of arrays of this class.
    elements: Note,
    /// The same of the monitors of its objects.
    monitor: Note,
    /// Whether a call into the class is one step.
    is_atomic: bool,
    /// Whether each of its objects is for one thread only.
    is_unshared: bool,
}

impl Layout {
    fn of(world: &World, class: ClassId) -> Self {
        let described = world.class(class);
        let mut slots = vec![None; described.instance_slots as usize];
        for &ancestor in &described.ancestors {
            for (index, field) in world.class(ancestor).fields.iter().enumerate() {
                if !field.is_static()
                    && let Some(slot) = slots.get_mut(field.slot as usize)
                {
                    *slot = Some((ancestor, index as u16));
                }
            }
        }
        let mut statics = vec![None; described.static_slots as usize];
        for (index, field) in described.fields.iter().enumerate() {
            if field.is_static()
                && let Some(slot) = statics.get_mut(field.slot as usize)
            {
                *slot = Some(index as u16);
            }
        }
        let unwritten = || Note::new(Level::Unwritten);
        let is_annotated = |annotation| {
            let file = described.file.as_ref();
            file.is_some_and(|file| outline::is_annotated(file, annotation))
        };
        Self {
            slots: slots.into(),
            statics: statics.into(),
            fields: described.fields.iter().map(|_| unwritten()).collect(),
            elements: unwritten(),
            monitor: Note::new(Level::Single),
            is_atomic: world.facts.profile.is_atomic(world, class) || is_annotated(ATOMIC),
            is_unshared: world.facts.profile.is_unshared(world, class) || is_annotated(UNSHARED),
        }
    }

    fn get(world: &World, class: ClassId) -> &Self {
        world
            .class(class)
            .layout
            .get_or_init(|| Self::of(world, class))
    }
}

/// What was found out about a program.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// Something was found out that makes what was explored before worthless.
    pub(crate) is_news: AtomicBool,
    /// Nothing is found out any more.
    pub(crate) is_settled: AtomicBool,
    /// What is assumed of the elements of arrays that are there from the beginning.
    arrays: OnceLock<Box<[Note]>>,
    /// Whether the program has asked for the time.
    pub(crate) clock: AtomicBool,
    /// Whether arrays that others can see were copied in one step.
    pub(crate) copies: AtomicBool,
    /// Whether several bytes were read from a socket at once.
    pub(crate) streams: AtomicBool,
    /// Whether threads are interrupted, or wait with a time limit.
    pub(crate) disturbance: AtomicBool,
    /// Whether the program itself waits for notifications or permits.
    pub(crate) waits: AtomicBool,
    /// Whether the program makes references that can be cleared, or has something done then.
    pub(crate) references: AtomicBool,
    /// Whether a thread became the owner of a lock of the library while another one was.
    robbery: AtomicBool,
    /// What is said of classes from outside.
    pub(crate) profile: Profile,
    /// The classes that were loaded and call themselves atomic.
    atomic: Mutex<BTreeSet<String>>,
    /// Whether there are any, or the profile has some.
    has_atomic: AtomicBool,
    /// In which order monitors are taken within a step.
    pub(crate) order: LockOrder,
    /// Whether the program accesses what others can see in modes weaker than volatile.
    weak: AtomicBool,
    /// Where it does, and in which modes.
    weak_calls: Mutex<BTreeSet<WeakCall>>,
    /// Whether threads meet in accesses that order nothing and are not reported as races.
    disorder: AtomicBool,
    /// Whether there are atomic blocks, in which threads do not stop.
    pub(crate) blocks: AtomicBool,
    /// Whether the program has fences.
    fenced: AtomicBool,
    /// Where it has them.
    fences: Mutex<BTreeSet<String>>,
}

impl Facts {
    /// Finds something out.
    pub(crate) fn note(&self, note: &AtomicBool) {
        if !note.load(Ordering::Relaxed) && !self.is_settled.load(Ordering::Relaxed) {
            self.is_news.store(true, Ordering::Relaxed);
            note.store(true, Ordering::Relaxed);
        }
    }

    /// Forgets all but what classes say of themselves, for they do so once.
    pub(crate) fn forget(&mut self) {
        let has_atomic = self.atomic.lock().is_ok_and(|names| !names.is_empty());
        *self = Self {
            atomic: std::mem::take(&mut self.atomic),
            has_atomic: AtomicBool::new(has_atomic),
            ..Self::default()
        };
    }

    /// Takes what is said of classes from outside.
    pub(crate) fn set_profile(&mut self, profile: Profile) {
        *self.has_atomic.get_mut() |= profile.has_atomic();
        self.profile = profile;
    }

    /// Hears what a class says of itself, before anything of it runs.
    pub(crate) fn hear(&self, class: &str, file: &ClassFile) {
        if outline::is_annotated(file, ATOMIC)
            && let Ok(mut atomic) = self.atomic.lock()
        {
            atomic.insert(class.replace('/', "."));
            self.has_atomic.store(true, Ordering::Relaxed);
        }
    }

    /// Whether calls into some class are one step.
    #[inline]
    pub(crate) fn has_atomic(&self) -> bool {
        self.has_atomic.load(Ordering::Relaxed)
    }

    /// What is taken on trust; nothing, if nothing is.
    pub(crate) fn trust(&self) -> Option<String> {
        let mut names = self.profile.atomic_names();
        if let Ok(own) = self.atomic.lock() {
            names.extend(own.iter().cloned());
        }
        (!names.is_empty()).then(|| {
            let names = names.join(", ");
            format!("operations of {names} are taken for single steps, which nothing checks")
        })
    }

    /// Gives up what is assumed of something, for a weaker assumption.
    pub(crate) fn weaken(&self, note: &Note, level: Level) {
        self.is_news.store(true, Ordering::Relaxed);
        note.weaken(level);
    }

    pub(crate) fn is_settled(&self) -> bool {
        self.is_settled.load(Ordering::Relaxed)
    }

    /// Whether locks of the library that say which thread owns them can be believed.
    pub(crate) fn trusts_owners(&self) -> bool {
        !self.robbery.load(Ordering::Relaxed)
    }

    /// A lock of the library has got another owner, although it had one.
    pub(crate) fn distrust_owners(&self) {
        self.note(&self.robbery);
    }

    /// The program makes an access in a mode weaker than volatile that others can notice.
    pub(crate) fn note_weak_call(&self, call: WeakCall) {
        self.note(&self.weak);
        lock(&self.weak_calls).insert(call);
    }

    pub(crate) fn has_weak_calls(&self) -> bool {
        self.weak.load(Ordering::Relaxed)
    }

    pub(crate) fn weak_calls(&self) -> BTreeSet<WeakCall> {
        lock(&self.weak_calls).clone()
    }

    /// Two threads meet in accesses that order nothing and are not reported as a race.
    pub(crate) fn note_disorder(&self) {
        self.note(&self.disorder);
    }

    /// Whether it is to be followed what happens before what.
    pub(crate) fn is_disordered(&self) -> bool {
        self.disorder.load(Ordering::Relaxed)
    }

    /// The program has a fence.
    pub(crate) fn note_fence(&self, fence: String) {
        self.note(&self.fenced);
        lock(&self.fences).insert(fence);
    }

    pub(crate) fn has_fences(&self) -> bool {
        self.fenced.load(Ordering::Relaxed)
    }

    pub(crate) fn fences(&self) -> BTreeSet<String> {
        lock(&self.fences).clone()
    }

    /// What is either so or not, by name.
    fn flags(&self) -> [(&'static str, &AtomicBool); 6] {
        [
            ("clock", &self.clock),
            ("disturbance", &self.disturbance),
            ("robbery", &self.robbery),
            ("weak", &self.weak),
            ("disorder", &self.disorder),
            ("fenced", &self.fenced),
        ]
    }

    /// Whether an object is there from the beginning, so that it has the same number in every
    /// execution.
    pub(crate) fn is_first(&self, object: Ref) -> bool {
        let first = self.arrays.get();
        first.is_some_and(|first| (object.0 as usize) < first.len())
    }

    /// Room for what is assumed of the first objects. They have the same numbers in every
    /// execution.
    pub(crate) fn prepare(&self, objects: u32) {
        self.arrays.get_or_init(|| {
            let all = (0..objects).map(|_| Note::new(Level::Unwritten));
            all.collect()
        });
    }
}

/// The field at a slot of an object: an own one, an inherited one or, of a mirror, a static
/// one.
pub(crate) fn field_at(
    world: &World,
    heap: &Heap,
    object: Ref,
    slot: u32,
) -> Option<(ClassId, u16)> {
    let found = heap.get(object)?;
    let first_static = world.known().class_slots;
    if found.class == world.known().class && slot >= first_static {
        let mirrored = found.body.read(first_static as usize - 1)?;
        let class = ClassId(mirrored as u32);
        let statics = &Layout::get(world, class).statics;
        let index = *statics.get((slot - first_static) as usize)?;
        return index.map(|index| (class, index));
    }
    *Layout::get(world, found.class).slots.get(slot as usize)?
}

/// The declaration of the field at a slot.
pub(crate) fn declaration<'w>(
    world: &'w World,
    heap: &Heap,
    object: Ref,
    slot: u32,
) -> Option<(ClassId, &'w Field)> {
    let (class, index) = field_at(world, heap, object, slot)?;
    let field = world.class(class).fields.get(index as usize)?;
    Some((class, field))
}

/// Where it is noted what is assumed of a field or an element; none if it never changes.
pub(crate) fn note<'w>(world: &'w World, heap: &Heap, object: Ref, index: u32) -> Option<&'w Note> {
    let found = heap.get(object)?;
    if let Body::Fields(_) = found.body {
        let (class, field) = field_at(world, heap, object, index)?;
        return Layout::get(world, class).fields.get(field as usize);
    }
    let first = world.facts.arrays.get();
    match first.and_then(|first| first.get(object.0 as usize)) {
        Some(note) => Some(note),
        None => Some(&Layout::get(world, found.class).elements),
    }
}

/// Where it is noted what is assumed of the monitor of an object.
pub(crate) fn monitor_note<'w>(world: &'w World, heap: &Heap, object: Ref) -> Option<&'w Note> {
    let found = heap.get(object)?;
    Some(&Layout::get(world, found.class).monitor)
}

/// Whether a call into a class is one step.
pub(crate) fn is_atomic(world: &World, class: ClassId) -> bool {
    Layout::get(world, class).is_atomic
}

/// Whether an object is said to be for one thread only.
pub(crate) fn is_unshared(world: &World, heap: &Heap, object: Ref) -> bool {
    let found = heap.get(object);
    found.is_some_and(|found| Layout::get(world, found.class).is_unshared)
}

/// What was found out, in words that mean the same in another run of the program: how far a
/// step goes depends on it.
pub(crate) fn findings(world: &World) -> Vec<String> {
    let mut all = Vec::new();
    for class in (0..world.classes.len()).filter_map(|index| world.classes.get(index)) {
        let Some(layout) = class.layout.get() else {
            continue;
        };
        let name = world.text(class.name);
        let mut note = |what: &str, note: &Note, usual: Level| {
            if note.level() != usual {
                all.push(format!("{what} {}", note.level() as u8));
            }
        };
        for (field, found) in class.fields.iter().zip(&layout.fields) {
            let what = format!("field {name} {}", world.text(field.name));
            note(&what, found, Level::Unwritten);
        }
        note(
            &format!("elements {name}"),
            &layout.elements,
            Level::Unwritten,
        );
        note(&format!("monitor {name}"), &layout.monitor, Level::Single);
    }
    let arrays = world.facts.arrays.get().into_iter().flatten();
    let weaker = arrays
        .enumerate()
        .map(|(index, note)| (index, note.level()));
    let weaker = weaker.filter(|(_, level)| *level != Level::Unwritten);
    all.extend(weaker.map(|(index, level)| format!("array {index} {}", level as u8)));
    let flags = world.facts.flags();
    let set = flags
        .into_iter()
        .filter(|(_, flag)| flag.load(Ordering::Relaxed));
    all.extend(set.map(|(name, _)| name.to_owned()));
    all.extend(world.facts.order.findings(world));
    all
}

/// Takes what was found out in another run for granted. False if it does not fit.
pub(crate) fn recall(world: &World, finding: &str) -> bool {
    let weaken = |note: Option<&Note>, level: &str| {
        let level = level.parse().ok().map(Level::from_number);
        note.zip(level)
            .map(|(note, level)| note.weaken(level))
            .is_some()
    };
    let layout = |name| Some(Layout::get(world, world.load(name).ok()?));
    match finding.split(' ').collect::<Vec<_>>()[..] {
        ["field", name, field, level] => {
            let note = layout(name).and_then(|layout| {
                let mut fields = world.class(world.load(name).ok()?).fields.iter();
                let index = fields.position(|it| world.text(it.name) == field)?;
                layout.fields.get(index)
            });
            weaken(note, level)
        }
        ["elements", name, level] => weaken(layout(name).map(|it| &it.elements), level),
        ["monitor", name, level] => weaken(layout(name).map(|it| &it.monitor), level),
        ["array", index, level] => {
            let arrays = world.facts.arrays.get();
            let index = index.parse::<usize>().ok();
            let note = arrays
                .zip(index)
                .and_then(|(arrays, index)| arrays.get(index));
            weaken(note, level)
        }
        ["apart", name] => world.facts.order.recall(world, name),
        [name] => {
            let flags = world.facts.flags().into_iter();
            let flag = flags.into_iter().find(|(flag, _)| *flag == name);
            flag.map(|(_, flag)| flag.store(true, Ordering::Relaxed))
                .is_some()
        }
        _ => false,
    }
}

/// Whether other threads may reach an object.
pub(crate) fn is_shared(world: &World, heap: &Heap, object: Ref) -> bool {
    heap.is_boot(object)
        || heap
            .get(object)
            .is_some_and(|found| found.reach != Reach::Local || found.class == world.known().class)
}

/// Whether the slot of an object holds a reference.
pub(crate) fn is_ref_slot(world: &World, heap: &Heap, object: Ref, slot: u32) -> bool {
    let Some(found) = heap.get(object) else {
        return false;
    };
    match &found.body {
        Body::Refs(_) => true,
        Body::Fields(_) => {
            let refs = &world.class(found.class).ref_slots;
            match refs.get(slot as usize) {
                Some(&is_ref) => is_ref,
                None if found.class == world.known().class => {
                    match declaration(world, heap, object, slot) {
                        Some((_, field)) => field.kind == crate::descriptor::Kind::Ref,
                        // The one static slot of a class that the machine made.
                        None => slot >= world.known().class_slots,
                    }
                }
                None => false,
            }
        }
        _ => false,
    }
}

/// Lets all threads reach an object, and with it all that it refers to.
pub(crate) fn share(world: &World, heap: &mut Heap, object: Ref) {
    let mut pending = vec![object];
    while let Some(object) = pending.pop() {
        if object.is_null() || is_shared(world, heap, object) {
            continue;
        }
        let Some(found) = heap.get_mut(object) else {
            continue;
        };
        found.reach = Reach::Shared;
        let class = found.class;
        match &found.body {
            Body::Refs(refs) => pending.extend(refs.iter().copied()),
            Body::Fields(fields) => {
                let refs = &world.class(class).ref_slots;
                let kept = fields
                    .iter()
                    .zip(refs.iter())
                    .filter(|(_, is_ref)| **is_ref);
                pending.extend(kept.map(|(&word, _)| Ref::of(word)));
            }
            _ => {}
        }
        if class == world.known().string {
            // Nobody writes the characters of a string that was made.
            let text = heap.ref_field(object, world.known().string_value);
            if !heap.is_boot(text)
                && let Some(text) = heap.get_mut(text)
            {
                text.reach = Reach::Constant;
            }
        }
    }
}
