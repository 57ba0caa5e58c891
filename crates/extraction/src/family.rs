//! Arrays with one element for each thread of a kind, of which there are any number.
//!
//! `main` gives the thread with number *i* the element *i* of an array: a number, or an object of
//! its own that others reach through the array. With more threads there are more elements, so
//! that neither the length nor an element is known; an element is told by the number of its thread,
//! and so is an object that stands there.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use raddle_jvm::descriptor::Kind;
use raddle_jvm::heap::Body;
use raddle_jvm::world::Origin;
use raddle_jvm::{ClassId, Ref, State, World};

use crate::obstacle::Untranslatable;
use crate::scene::{Scene, Variable};
use crate::value::{Target, Value};

/// What a field of each of the objects of an array held at the beginning.
pub(crate) enum Beginning {
    /// The same in all of them.
    Same(Value),
    /// The number of the thread.
    Number,
    /// The object of the same thread in another array.
    Member(Ref),
}

/// The arrays of objects that threads can reach, and where each object stands in one. What stands
/// in several places is left out.
pub(crate) struct Elements {
    places: BTreeMap<Ref, (Ref, usize)>,
    lengths: BTreeMap<Ref, usize>,
}

impl Elements {
    /// What can be reached from some objects, and from static fields of the program.
    pub(crate) fn reached(world: &World, state: &State, roots: &[Ref]) -> Self {
        let mut found = Self {
            places: BTreeMap::new(),
            lengths: BTreeMap::new(),
        };
        let mut several = BTreeSet::new();
        for object in reached(world, state, roots) {
            let Some(Body::Refs(_)) = state.heap.get(object).map(|found| &found.body) else {
                continue;
            };
            let elements = references(world, state, object);
            found.lengths.insert(object, elements.len());
            for (index, element) in elements.into_iter().enumerate() {
                if found.places.insert(element, (object, index)).is_some() {
                    several.insert(element);
                }
            }
        }
        found.places.retain(|element, _| !several.contains(element));
        found
    }

    /// The array that has just these objects, in this order.
    pub(crate) fn array_of(&self, objects: &[Ref]) -> Option<Ref> {
        let (array, _) = *self.places.get(objects.first()?)?;
        let mut numbered = objects.iter().enumerate();
        let is_it =
            numbered.all(|(index, object)| self.places.get(object) == Some(&(array, index)));
        (is_it && self.lengths.get(&array) == Some(&objects.len())).then_some(array)
    }
}

/// What an object refers to, without what the library keeps of a thread.
fn references(world: &World, state: &State, object: Ref) -> Vec<Ref> {
    let Some(found) = state.heap.get(object) else {
        return Vec::new();
    };
    if let Some(class) = state.mirrored(world, object) {
        let fields = world.class(class).fields.iter();
        let fields = fields.filter(|field| field.is_static() && field.kind == Kind::Ref);
        return fields
            .map(|field| state.heap.ref_field(object, world.static_slot(field)))
            .collect();
    }
    let class = world.class(found.class);
    let thread = world.known().thread;
    let first = match class.ancestors.contains(&thread) {
        true => world.class(thread).instance_slots,
        false => 0,
    };
    match &found.body {
        Body::Fields(fields) => (first..fields.len() as u32)
            .filter(|&slot| class.ref_slots.get(slot as usize) == Some(&true))
            .map(|slot| state.heap.ref_field(object, slot))
            .collect(),
        Body::Refs(_) => {
            let length = found.body.length().unwrap_or(0);
            let words = (0..length).map(|index| found.body.read(index).unwrap_or(0));
            words.map(Ref::of).collect()
        }
        _ => Vec::new(),
    }
}

fn reached(world: &World, state: &State, roots: &[Ref]) -> BTreeSet<Ref> {
    let classes = (state.heap.boot_end()..state.heap.end()).map(Ref);
    let classes = classes.filter(|&object| {
        let class = state.mirrored(world, object);
        class.is_some_and(|class| world.class(class).origin == Origin::Program)
    });
    let mut pending: VecDeque<Ref> = classes.chain(roots.iter().copied()).collect();
    let mut seen = BTreeSet::new();
    while let Some(object) = pending.pop_front() {
        if !object.is_null() && seen.insert(object) {
            pending.extend(references(world, state, object));
        }
    }
    seen
}

impl Scene<'_> {
    /// Takes an array for one with an element for each of so many threads of a kind. False if it
    /// cannot be one.
    pub(crate) fn add_family(&mut self, array: Ref, template: usize, threads: usize) -> bool {
        if let Some(known) = self.families.get(&array) {
            return *known == template;
        }
        let elements = self.initial_elements(array);
        let members: Vec<Ref> = match self.state.heap.get(array).map(|found| &found.body) {
            Some(Body::Refs(_)) => references(self.world, self.state, array),
            _ => Vec::new(),
        };
        let is_alike = match members.is_empty() {
            // Of those that are not there yet it is known what they begin with.
            true => elements.iter().all(|value| Some(value) == elements.first()),
            false => {
                let distinct: BTreeSet<Ref> = members.iter().copied().collect();
                let classes: BTreeSet<Option<ClassId>> =
                    members.iter().map(|&it| self.class_of(it)).collect();
                distinct.len() == members.len()
                    && classes.len() == 1
                    && !classes.contains(&None)
                    && !members.iter().any(|it| self.members.contains_key(it))
            }
        };
        if elements.len() != threads || !is_alike {
            return false;
        }
        self.families.insert(array, template);
        for member in members {
            self.members.insert(member, array);
        }
        self.has_news = true;
        true
    }

    /// The objects of an array, in the order of their threads.
    fn members_of(&self, array: Ref) -> Vec<Ref> {
        references(self.world, self.state, array)
    }

    /// The object of the first thread stands for those of all.
    pub(crate) fn first_member(&self, array: Ref) -> Option<Ref> {
        self.members_of(array).first().copied()
    }

    /// What a field of the objects of an array held at the beginning.
    pub(crate) fn beginning_of(&self, array: Ref, slot: u32) -> Result<Beginning, Untranslatable> {
        let members = self.members_of(array);
        let values = members.iter().map(|&it| self.initial_field(it, slot));
        let values: Vec<Value> = values.collect();
        let first = values.first().cloned().unwrap_or(Value::Unset);
        if values.iter().all(|value| *value == first) {
            return Ok(Beginning::Same(first));
        }
        let mut numbered = values.iter().enumerate();
        if numbered.all(|(number, value)| value.constant() == i32::try_from(number).ok()) {
            return Ok(Beginning::Number);
        }
        let objects = values.iter().map(|value| match value.single() {
            Some(Target::Object(object)) => Some(object),
            _ => None,
        });
        let objects: Option<Vec<Ref>> = objects.collect();
        let other = objects.as_ref().and_then(|objects| {
            let other = *self.members.get(objects.first()?)?;
            let is_it = self.members_of(other) == *objects
                && self.families.get(&other) == self.families.get(&array);
            is_it.then_some(other)
        });
        other.map(Beginning::Member).ok_or_else(|| {
            let first = members.first().copied().unwrap_or_default();
            let field = self.field(first, slot);
            let name = field.map_or("a field", |field| self.world.text(field.name));
            Untranslatable::new(format!("the objects of threads differ in `{name}`"))
        })
    }

    /// The kind of thread for which a variable has one value each.
    pub(crate) fn family_of(&self, variable: Variable) -> Option<usize> {
        match variable {
            Variable::Member(array, _) | Variable::Elements(array) => {
                self.families.get(&array).copied()
            }
            Variable::Field(..) | Variable::Count(_) => None,
        }
    }
}
