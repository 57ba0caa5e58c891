//! What there is when the threads begin: objects, their fields, and which of them have been
//! found to change.

use std::collections::{BTreeMap, BTreeSet};

use raddle_jvm::descriptor::Kind;
use raddle_jvm::heap::Body;
use raddle_jvm::state::Initialisation;
use raddle_jvm::world::{Field, Origin};
use raddle_jvm::{ClassId, Ref, State, World};
use raddle_machine::ir::{Cell, Expression};
use raddle_model::Region;

use crate::family::Beginning;
use crate::obstacle::Untranslatable;
use crate::value::{Target, Value};

/// A variable that threads share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Variable {
    /// A field of an object; static fields are those of the object of a class.
    Field(Ref, u32),
    /// The elements of an array.
    Elements(Ref),
    /// A field of the objects of an array with one for each thread.
    Member(Ref, u32),
    /// The permits of a semaphore, or what a latch has still to count.
    Count(Ref),
}

/// Something that a thread can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lock {
    /// The monitor of an object.
    Monitor(Target),
    /// A lock of the library.
    Explicit(Ref),
}

/// What a region of the intermediate form stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    Variable(Variable),
    Lock(Lock),
}

/// The objects of the program when its threads begin.
pub(crate) struct Scene<'a> {
    pub(crate) world: &'a World,
    pub(crate) state: &'a State,
    /// The objects that are a thread's own.
    pub(crate) owned: BTreeSet<Ref>,
    /// What variables were found to hold that some thread writes.
    pub(crate) written: BTreeMap<Variable, Value>,
    /// Whether that has changed since somebody asked.
    pub(crate) has_news: bool,
    /// What has become a region of the intermediate form, in the order of their numbers. The
    /// first region is that of the threads.
    pub(crate) regions: Vec<Item>,
    /// The numbers of threads that can be waited for; none where there are any number.
    pub(crate) joins: BTreeMap<Ref, Option<u32>>,
    /// The arrays with an element for each thread of a kind, and which kind.
    pub(crate) families: BTreeMap<Ref, usize>,
    /// The objects in these arrays, and in which.
    pub(crate) members: BTreeMap<Ref, Ref>,
    /// Which variables are read or written by which kinds of threads.
    pub(crate) accesses: BTreeSet<Access>,
}

/// That a kind of thread accesses a variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Access {
    pub(crate) variable: Variable,
    pub(crate) is_write: bool,
    /// Whether it orders itself with other accesses.
    pub(crate) is_ordered: bool,
    pub(crate) thread: usize,
    pub(crate) locks: Vec<Lock>,
    pub(crate) line: Option<(String, u32)>,
}

impl<'a> Scene<'a> {
    pub(crate) fn new(world: &'a World, state: &'a State, owned: BTreeSet<Ref>) -> Self {
        Self {
            world,
            state,
            owned,
            written: BTreeMap::new(),
            has_news: false,
            regions: Vec::new(),
            joins: BTreeMap::new(),
            families: BTreeMap::new(),
            members: BTreeMap::new(),
            accesses: BTreeSet::new(),
        }
    }

    pub(crate) fn class_of(&self, object: Ref) -> Option<ClassId> {
        self.state.heap.get(object).map(|found| found.class)
    }

    /// The target of a reference that is found in shared memory.
    pub(crate) fn target(&self, object: Ref) -> Target {
        let Some(class) = self.class_of(object) else {
            return Target::Null;
        };
        // Of these there may be several that are one to the program, or that it makes on its way.
        match self.world.class_name(class) {
            "java/lang/String"
            | "java/lang/Integer"
            | "java/lang/Boolean"
            | "java/lang/Long"
            | "java/lang/Short"
            | "java/lang/Byte"
            | "java/lang/Character" => Target::Other(class),
            _ => Target::Object(object),
        }
    }

    /// The declared field at a place of an object.
    pub(crate) fn field(&self, object: Ref, slot: u32) -> Option<&'a Field> {
        let (world, state) = (self.world, self.state);
        if let Some(class) = state.mirrored(world, object) {
            let mut fields = world.class(class).fields.iter();
            return fields.find(|field| field.is_static() && world.static_slot(field) == slot);
        }
        let class = self.class_of(object)?;
        let ancestors = world.class(class).ancestors.iter();
        let mut fields = ancestors.flat_map(|&it| world.class(it).fields.iter());
        fields.find(|field| !field.is_static() && field.slot == slot)
    }

    /// What a word of an object is.
    fn kind(&self, object: Ref, slot: u32) -> Kind {
        match self.field(object, slot) {
            Some(field) => field.kind,
            None => {
                let class = self.class_of(object).map(|class| self.world.class(class));
                let is_ref = class.and_then(|class| class.ref_slots.get(slot as usize).copied());
                match is_ref {
                    Some(true) => Kind::Ref,
                    _ => Kind::Int,
                }
            }
        }
    }

    fn value(&self, kind: Kind, word: u64) -> Value {
        match kind {
            Kind::Ref => Value::reference(self.target(Ref::of(word))),
            Kind::Long => Value::Long(Some(word.cast_signed())),
            Kind::Float | Kind::Double | Kind::Void => {
                Value::Opaque("a floating-point number".into())
            }
            _ => Value::Int(Some(word as i32)),
        }
    }

    /// What a field held at the beginning.
    pub(crate) fn initial_field(&self, object: Ref, slot: u32) -> Value {
        let word = self.state.heap.field(object, slot);
        self.value(self.kind(object, slot), word)
    }

    /// What the elements of an array held at the beginning.
    pub(crate) fn initial_elements(&self, array: Ref) -> Vec<Value> {
        let Some(found) = self.state.heap.get(array) else {
            return Vec::new();
        };
        let kind = match &found.body {
            Body::Refs(_) => Kind::Ref,
            Body::Longs(_) => match self.world.class_name(found.class) {
                "[J" => Kind::Long,
                _ => Kind::Double,
            },
            Body::Ints(_) if self.world.class_name(found.class) == "[F" => Kind::Float,
            _ => Kind::Int,
        };
        let length = found.body.length().unwrap_or(0);
        let words = (0..length).map(|index| found.body.read(index).unwrap_or(0));
        words.map(|word| self.value(kind, word)).collect()
    }

    /// What a semaphore or a latch counted at the beginning: it has a synchronizer with a state.
    pub(crate) fn initial_count(&self, object: Ref) -> Option<i32> {
        let class = self.class_of(object)?;
        let sync = self.world.slot_of(class, "sync")?;
        let sync = self.state.heap.ref_field(object, sync);
        let state = self.world.slot_of(self.class_of(sync)?, "state")?;
        Some(self.state.heap.field(sync, state) as i32)
    }

    fn initial(&self, variable: Variable) -> Value {
        match variable {
            Variable::Field(object, slot) => self.initial_field(object, slot),
            Variable::Elements(array) => {
                let elements = self.initial_elements(array);
                let joined = elements.into_iter().reduce(|one, other| one.join(&other));
                joined.unwrap_or(Value::Int(Some(0)))
            }
            Variable::Member(array, slot) => match self.beginning_of(array, slot) {
                Ok(Beginning::Same(value)) => value,
                Ok(Beginning::Number) => Value::Int(None),
                Ok(Beginning::Member(other)) => Value::reference(Target::Member(other)),
                Err(_) => Value::Unset,
            },
            Variable::Count(object) => Value::Int(self.initial_count(object)),
        }
    }

    /// The lock that a condition belongs to, and how many conditions it has.
    pub(crate) fn lock_of(&self, condition: Ref) -> Option<(Ref, usize)> {
        let outer = self.world.slot_of(self.class_of(condition)?, "this$0")?;
        let sync = self.state.heap.ref_field(condition, outer);
        let class = self.class_of(condition);
        let (mut lock, mut conditions) = (None, 0);
        for number in self.state.heap.boot_end()..self.state.heap.end() {
            let object = Ref(number);
            let Some(found) = self.state.heap.get(object) else {
                continue;
            };
            if Some(found.class) == class {
                conditions += usize::from(self.state.heap.ref_field(object, outer) == sync);
            } else if self.world.class_name(found.class)
                == "java/util/concurrent/locks/ReentrantLock"
            {
                let slot = self.world.slot_of(found.class, "sync")?;
                if self.state.heap.ref_field(object, slot) == sync {
                    lock = Some(object);
                }
            }
        }
        Some((lock?, conditions))
    }

    fn region(&mut self, item: Item) -> Region {
        let known = self.regions.iter().position(|it| *it == item);
        let number = known.unwrap_or_else(|| {
            self.regions.push(item);
            self.regions.len() - 1
        });
        Region(number as u32 + 1)
    }

    /// A lock in the intermediate form.
    pub(crate) fn lock_cell(&mut self, lock: Lock) -> Cell {
        Cell {
            region: self.region(Item::Lock(lock)),
            object: None,
            index: None,
        }
    }

    /// A variable in the intermediate form; of an array, the element at an index.
    pub(crate) fn cell(&mut self, variable: Variable, index: Option<Expression>) -> Cell {
        Cell {
            region: self.region(Item::Variable(variable)),
            object: None,
            index: index.map(Box::new),
        }
    }

    /// What a variable may hold; whether any thread writes it.
    pub(crate) fn holds(&self, variable: Variable) -> (Value, bool) {
        match self.written.get(&variable) {
            Some(value) => (value.clone(), true),
            None => (self.initial(variable), false),
        }
    }

    /// A thread writes a variable.
    pub(crate) fn write(
        &mut self,
        variable: Variable,
        value: &Value,
    ) -> Result<(), Untranslatable> {
        if let Value::Reference(targets) = value {
            for target in targets {
                match target {
                    Target::Own(_) => {
                        return Err(Untranslatable::new(
                            "a thread lets others reach an object of its own",
                        ));
                    }
                    Target::Member(_) => {
                        return Err(Untranslatable::new(
                            "a reference to an object of some thread is written",
                        ));
                    }
                    Target::Made(_) => {
                        return Err(Untranslatable::new(
                            "a thread lets others reach an object that it has made",
                        ));
                    }
                    _ => {}
                }
            }
        }
        let before = self.written.get(&variable);
        let is_new = before.is_none();
        let before = before.cloned().unwrap_or_else(|| self.initial(variable));
        let after = before.join(value);
        if after == Value::Unset {
            return Err(Untranslatable::new(
                "a variable with values of different kinds",
            ));
        }
        if is_new || after != before {
            self.has_news = true;
            self.written.insert(variable, after);
        }
        Ok(())
    }

    /// Whether a class is initialised, or its initialisation does nothing.
    pub(crate) fn is_initialised(&self, class: ClassId) -> bool {
        let ancestors = self.world.class(class).ancestors.iter();
        let mut open = ancestors.filter(|&&it| {
            let is_done = self.state.class(it).initialisation == Initialisation::Done;
            !is_done && self.world.has_initializer(it)
        });
        open.next().is_none()
    }

    /// The object of a class.
    pub(crate) fn mirror(&self, class: ClassId) -> Ref {
        self.state.class(class).mirror
    }

    pub(crate) fn is_library(&self, class: ClassId) -> bool {
        self.world.class(class).origin == Origin::Library
    }
}
