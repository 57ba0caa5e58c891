//! Who can reach an object: its thread alone, or any. What is written where all can reach it can be
//! reached by all from then on.

use crate::heap::{Body, Heap, Reach, Ref};
use crate::world::World;

/// Whether other threads may reach an object.
pub fn is_shared(world: &World, heap: &Heap, object: Ref) -> bool {
    heap.is_boot(object)
        || heap
            .get(object)
            .is_some_and(|found| found.reach != Reach::Local || found.class == world.known().class)
}

/// Lets all threads reach an object, and with it all that it refers to.
pub fn share(world: &World, heap: &mut Heap, object: Ref) {
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
        heap.note_shared(object);
        let Some(found) = heap.get(object) else {
            continue;
        };
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
