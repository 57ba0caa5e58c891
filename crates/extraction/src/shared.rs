//! Shared variables of the extracted program: how they begin, how they are called, and whether
//! their accesses are ordered.

use std::collections::{BTreeMap, BTreeSet};

use raddle_jvm::Ref;
use raddle_jvm::heap::Body;
use raddle_machine::ir::ValueType;

use crate::family::Beginning;
use crate::obstacle::Untranslatable;
use crate::scene::{Item, Lock, Scene, Variable};
use crate::start::Touch;
use crate::value::{Target, Value};

impl Scene<'_> {
    /// Whether what `main` did, and what its threads do, depend on each other.
    pub(crate) fn conflicts(&self, touch: &Touch) -> bool {
        if touch.is_lock {
            return false;
        }
        if self.is_own_matter(touch) {
            return true;
        }
        self.accesses.iter().any(|access| {
            let is_same = match (access.variable, touch.slot) {
                (Variable::Field(object, slot), Some(other)) => {
                    object == touch.object && slot == other
                }
                (Variable::Field(object, _), None) => object == touch.object,
                (Variable::Elements(array), _) => array == touch.object,
                (Variable::Member(array, slot), other) => {
                    self.members.get(&touch.object) == Some(&array)
                        && other.is_none_or(|other| other == slot)
                }
                // These are changed by way of the object that counts for them.
                (Variable::Count(object), _) => {
                    object == touch.object || self.synchronizer(object) == touch.object
                }
            };
            is_same && (access.is_write || touch.is_write)
        })
    }

    /// Whether `main` took a lock that its threads take, too.
    pub(crate) fn is_lock_of_threads(&self, touch: &Touch) -> bool {
        self.regions.iter().any(|item| match *item {
            Item::Lock(Lock::Monitor(Target::Object(object))) => {
                touch.is_lock && object == touch.object
            }
            Item::Lock(Lock::Explicit(lock)) => {
                touch.is_write && self.synchronizer(lock) == touch.object
            }
            _ => false,
        })
    }

    /// Whether `main` looks into what is a thread's own. What the library keeps of a thread is not.
    fn is_own_matter(&self, touch: &Touch) -> bool {
        let known = self.world.known();
        let class = self.class_of(touch.object).unwrap_or_default();
        let is_thread = self.world.class(class).ancestors.contains(&known.thread);
        let library = self.world.class(known.thread).instance_slots;
        let is_library = is_thread && touch.slot.is_none_or(|slot| slot < library);
        self.owned.contains(&touch.object) && !is_library
    }

    fn synchronizer(&self, object: Ref) -> Ref {
        let class = self.class_of(object);
        let slot = class.and_then(|class| self.world.slot_of(class, "sync"));
        slot.map_or(Ref::NULL, |slot| self.state.heap.ref_field(object, slot))
    }

    /// The words that a variable begins with, and how many of which.
    pub(crate) fn words(&self, variable: Variable) -> Result<(Vec<i32>, Vec<u32>), Untranslatable> {
        let word = |value: Value| match value {
            Value::Int(number) => number,
            Value::Long(number) => number.and_then(|number| i32::try_from(number).ok()),
            Value::Reference(_) => value.single().and_then(Target::code),
            Value::Number | Value::Opaque(_) | Value::Unset => None,
        };
        let missing = || Untranslatable::new("a variable whose first value is not known");
        match variable {
            Variable::Elements(array) if self.families.contains_key(&array) => {
                let first = self.initial_elements(array).into_iter().next();
                let word = first.and_then(word).ok_or_else(missing)?;
                Ok((vec![word], vec![1]))
            }
            Variable::Member(array, slot) => match self.beginning_of(array, slot)? {
                Beginning::Same(value) => Ok((vec![word(value).ok_or_else(missing)?], vec![1])),
                _ => Err(Untranslatable::new(
                    "a field that is another one in the objects of each thread is written",
                )),
            },
            Variable::Elements(array) => {
                let elements = self.initial_elements(array);
                let dimensions = vec![elements.len() as u32];
                let words: Option<Vec<i32>> = elements.into_iter().map(word).collect();
                Ok((words.ok_or_else(missing)?, dimensions))
            }
            Variable::Field(object, slot) => {
                let word = word(self.initial_field(object, slot)).ok_or_else(missing)?;
                Ok((vec![word], Vec::new()))
            }
            Variable::Count(object) => {
                let word = self.initial_count(object).ok_or_else(missing)?;
                Ok((vec![word], Vec::new()))
            }
        }
    }

    pub(crate) fn value_type(&self, variable: Variable) -> ValueType {
        let is_boolean = |object: Ref, slot: u32| {
            let field = self.field(object, slot);
            field.is_some_and(|field| field.kind == raddle_jvm::descriptor::Kind::Boolean)
        };
        let is_boolean = match variable {
            Variable::Field(object, slot) => is_boolean(object, slot),
            Variable::Member(array, slot) => {
                let first = self.first_member(array);
                first.is_some_and(|first| is_boolean(first, slot))
            }
            Variable::Elements(array) => {
                let class = self.class_of(array);
                class.is_some_and(|class| self.world.class_name(class) == "[Z")
            }
            Variable::Count(_) => false,
        };
        match is_boolean {
            true => ValueType::Bool,
            false => ValueType::Int,
        }
    }

    /// What the program calls the regions, each by another name.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for item in &self.regions {
            let name = match *item {
                Item::Lock(Lock::Monitor(Target::Object(object)) | Lock::Explicit(object)) => {
                    format!("lock_{}", self.object_name(object))
                }
                Item::Lock(_) => "lock".to_owned(),
                Item::Variable(Variable::Elements(object) | Variable::Count(object)) => {
                    self.object_name(object)
                }
                Item::Variable(Variable::Member(array, slot)) => {
                    let first = self.first_member(array).unwrap_or_default();
                    let field = self.field(first, slot);
                    field
                        .map_or("value", |field| self.world.text(field.name))
                        .to_owned()
                }
                Item::Variable(Variable::Field(object, slot)) => {
                    let field = self.field(object, slot);
                    let name = field.map_or("value", |field| self.world.text(field.name));
                    let class = self.class_of(object).unwrap_or_default();
                    match self.is_library(class)
                        && self.state.mirrored(self.world, object).is_none()
                    {
                        true => self.object_name(object),
                        false => name.to_owned(),
                    }
                }
            };
            let alike = |name: &String, names: &Vec<String>| names.contains(name);
            let mut unique = name.clone();
            let mut number = 2;
            while alike(&unique, &names) {
                unique = format!("{name}_{number}");
                number += 1;
            }
            names.push(unique);
        }
        names
    }

    /// The name of the field that refers to an object, or that of its class.
    fn object_name(&self, object: Ref) -> String {
        let world = self.world;
        if let Some(class) = self.state.mirrored(world, object) {
            return simple(world.class_name(class));
        }
        for number in self.state.heap.boot_end()..self.state.heap.end() {
            let holder = Ref(number);
            let Some(found) = self.state.heap.get(holder) else {
                continue;
            };
            let Body::Fields(fields) = &found.body else {
                continue;
            };
            if self.is_library(found.class) && self.state.mirrored(world, holder).is_none() {
                continue;
            }
            for slot in 0..fields.len() as u32 {
                if let Some(field) = self.field(holder, slot)
                    && field.kind == raddle_jvm::descriptor::Kind::Ref
                    && self.state.heap.ref_field(holder, slot) == object
                    && !world.text(field.name).contains('$')
                {
                    return world.text(field.name).to_owned();
                }
            }
        }
        let class = self.class_of(object).unwrap_or_default();
        let name = world.class_name(class);
        match self
            .library_holder(object)
            .filter(|_| name.starts_with('['))
        {
            Some(holder) => self.object_name(holder),
            None => simple(name).to_lowercase(),
        }
    }

    /// The object of the library that an array is a part of.
    fn library_holder(&self, array: Ref) -> Option<Ref> {
        let objects = (self.state.heap.boot_end()..self.state.heap.end()).map(Ref);
        objects.into_iter().find(|&holder| {
            let Some(found) = self.state.heap.get(holder) else {
                return false;
            };
            let Body::Fields(fields) = &found.body else {
                return false;
            };
            let slots = &self.world.class(found.class).ref_slots;
            self.is_library(found.class)
                && self.state.mirrored(self.world, holder).is_none()
                && (0..fields.len() as u32).any(|slot| {
                    slots.get(slot as usize) == Some(&true)
                        && self.state.heap.ref_field(holder, slot) == array
                })
        })
    }

    /// The variables whose accesses no lock orders, nor they themselves.
    pub(crate) fn racy(&self) -> Vec<String> {
        let mut found: BTreeMap<Variable, Accesses> = BTreeMap::new();
        for access in &self.accesses {
            let entry = found.entry(access.variable).or_default();
            entry.is_written |= access.is_write;
            entry.is_plain |= !access.is_ordered;
            let locks: BTreeSet<Lock> = access.locks.iter().copied().collect();
            entry.locks = Some(match &entry.locks {
                None => locks,
                Some(before) => before.intersection(&locks).copied().collect(),
            });
            if access.locks.is_empty() || entry.line.is_none() {
                entry.line = access.line.clone();
            }
        }
        let mut racy = BTreeSet::new();
        for (variable, accesses) in found {
            let is_guarded = accesses.locks.is_some_and(|locks| !locks.is_empty());
            if !accesses.is_written || !accesses.is_plain || is_guarded {
                continue;
            }
            let variable = match variable {
                Variable::Member(array, slot) => {
                    Variable::Field(self.first_member(array).unwrap_or_default(), slot)
                }
                other => other,
            };
            let name = match variable {
                Variable::Field(object, slot) | Variable::Member(object, slot) => {
                    match self.field(object, slot) {
                        Some(field) => self.world.text(field.name).to_owned(),
                        None => self.object_name(object),
                    }
                }
                Variable::Elements(object) | Variable::Count(object) => self.object_name(object),
            };
            let line = accesses.line;
            let place = line.map_or(String::new(), |(file, line)| format!(" ({file}:{line})"));
            racy.insert(format!("{name}{place}"));
        }
        racy.into_iter().collect()
    }
}

/// What is known of all accesses to a variable.
#[derive(Default)]
struct Accesses {
    is_written: bool,
    /// Whether some are neither volatile nor atomic.
    is_plain: bool,
    /// The locks that are held at all of them.
    locks: Option<BTreeSet<Lock>>,
    /// The line of one, if possible of one without a lock.
    line: Option<(String, u32)>,
}

fn simple(name: &str) -> String {
    let name = name.rsplit(['/', '$']).next().unwrap_or(name);
    name.trim_end_matches(';').to_owned()
}
