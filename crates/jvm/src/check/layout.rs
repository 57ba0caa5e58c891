//! What stands where in objects, and what of it is written although others can see it.
//!
//! A field of an object that other threads can reach is first taken to be one that nobody
//! writes any more, as most are: reading it is then no business of other threads. The first
//! write that proves the contrary is noted, and all that was explored before is explored
//! again. So what is taken for granted at the end has been tried in every execution.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::heap::{Body, Heap, Reach, Ref};
use crate::world::{ClassId, Field, World};

/// The fields of a class.
pub(crate) struct Layout {
    /// For each slot of an instance the class that declares the field, and its place there.
    slots: Box<[Option<(ClassId, u16)>]>,
    /// For each slot of a static field its place among the fields of the class.
    statics: Box<[Option<u16>]>,
    /// Which of the class's own fields are written while others can see them.
    written: Box<[AtomicBool]>,
    /// Whether that is so for elements of arrays of this class.
    elements: AtomicBool,
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
        let written = described.fields.iter().map(|_| AtomicBool::new(false));
        Self {
            slots: slots.into(),
            statics: statics.into(),
            written: written.collect(),
            elements: AtomicBool::new(false),
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
    /// Arrays of the library's start that are written.
    arrays: OnceLock<Box<[AtomicBool]>>,
    /// Whether the program has asked for the time.
    pub(crate) clock: AtomicBool,
    /// Whether arrays that others can see were copied in one step.
    pub(crate) copies: AtomicBool,
}

impl Facts {
    /// Finds something out.
    pub(crate) fn note(&self, note: &AtomicBool) {
        if !note.load(Ordering::Relaxed) && !self.is_settled.load(Ordering::Relaxed) {
            note.store(true, Ordering::Relaxed);
            self.is_news.store(true, Ordering::Relaxed);
        }
    }

    /// Room for what is found out about the first objects.
    pub(crate) fn prepare(&self, objects: u32) {
        self.arrays
            .get_or_init(|| (0..objects).map(|_| AtomicBool::new(false)).collect());
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

/// Where it is noted whether a field or an element is written while others can see it.
fn note<'w>(world: &'w World, heap: &Heap, object: Ref, index: u32) -> Option<&'w AtomicBool> {
    let found = heap.get(object)?;
    if let Body::Fields(_) = found.body {
        let (class, field) = field_at(world, heap, object, index)?;
        return Layout::get(world, class).written.get(field as usize);
    }
    if heap.is_boot(object) {
        return world.facts.arrays.get()?.get(object.0 as usize);
    }
    Some(&Layout::get(world, found.class).elements)
}

/// Whether a field or an element is known to be written while others can see it.
pub(crate) fn is_written(world: &World, heap: &Heap, object: Ref, index: u32) -> bool {
    if heap
        .get(object)
        .is_some_and(|object| object.reach == Reach::Constant)
    {
        return false;
    }
    note(world, heap, object, index).is_none_or(|note| note.load(Ordering::Relaxed))
}

/// Notes that a field or an element is written while others can see it. False if that cannot
/// be.
pub(crate) fn note_written(world: &World, heap: &Heap, object: Ref, index: u32) -> bool {
    if heap
        .get(object)
        .is_some_and(|object| object.reach == Reach::Constant)
    {
        return false;
    }
    if let Some(note) = note(world, heap, object, index) {
        world.facts.note(note);
    }
    true
}

/// What was found out, in words that mean the same in another run of the program: how far a
/// step goes depends on it.
pub(crate) fn findings(world: &World) -> Vec<String> {
    let is_set = |note: &AtomicBool| note.load(Ordering::Relaxed);
    let mut all = Vec::new();
    for class in (0..world.classes.len()).filter_map(|index| world.classes.get(index)) {
        let Some(layout) = class.layout.get() else {
            continue;
        };
        let name = world.text(class.name);
        let fields = class.fields.iter().zip(&layout.written);
        let written = fields.filter(|(_, note)| is_set(note));
        all.extend(written.map(|(field, _)| format!("{name} {}", world.text(field.name))));
        if is_set(&layout.elements) {
            all.push(name.to_owned());
        }
    }
    let arrays = world.facts.arrays.get().into_iter().flatten();
    let written = arrays.enumerate().filter(|(_, note)| is_set(note));
    all.extend(written.map(|(index, _)| format!("#{index}")));
    if is_set(&world.facts.clock) {
        all.push("clock".to_owned());
    }
    all
}

/// Takes what was found out in another run for granted. False if it does not fit.
pub(crate) fn recall(world: &World, finding: &str) -> bool {
    let set = |note: &AtomicBool| note.store(true, Ordering::Relaxed);
    if finding == "clock" {
        set(&world.facts.clock);
        return true;
    }
    if let Some(index) = finding.strip_prefix('#') {
        let arrays = world.facts.arrays.get();
        let index = index.parse::<usize>().ok();
        let note = arrays
            .zip(index)
            .and_then(|(arrays, index)| arrays.get(index));
        return note.map(set).is_some();
    }
    let (name, field) = match finding.split_once(' ') {
        Some((name, field)) => (name, Some(field)),
        None => (finding, None),
    };
    let Ok(class) = world.load(name) else {
        return false;
    };
    let layout = Layout::get(world, class);
    let Some(field) = field else {
        set(&layout.elements);
        return true;
    };
    let mut fields = world.class(class).fields.iter();
    let index = fields.position(|it| world.text(it.name) == field);
    let note = index.and_then(|index| layout.written.get(index));
    note.map(set).is_some()
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
