//! What things are called: threads, objects, fields and values.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use raddle_jvm::descriptor::Kind;
use raddle_jvm::heap::{Body, Heap, Object, Ref};
use raddle_jvm::reach::is_shared;
use raddle_jvm::state::State;
use raddle_jvm::thread::ThreadId;
use raddle_jvm::world::{ClassId, MethodId, Origin};
use raddle_model::Thread;

use super::Java;
use super::layout::declaration;
use super::numbers::lock;
use super::program::Program;

/// So far from an object with a name others are named by it: an element of an array is one further, and
/// a field of an object of the library two.
const FARTHEST: u32 = 3;

/// Through so many entries and tables the map of an entry is looked for.
const LONGEST_CHAIN: usize = 64;

/// The names of what is in one state. What they need to know of all objects is [kept](Index) from
/// one state to the next.
pub(super) struct Names<'a> {
    pub(super) java: &'a Java,
    pub(super) state: &'a State,
    index: OnceCell<Index>,
    /// The static fields of the program that refer to an object, by their names.
    statics: OnceCell<HashMap<Ref, String, FixedState>>,
    /// The fields that refer to objects, found through so many others.
    known: RefCell<HashMap<(Ref, u32), Option<String>, FixedState>>,
}

/// What has to be known of all objects to name one of them. In the next state of an execution few
/// are others, so that naming in all of them takes a time in proportion to what changes.
#[derive(Default)]
pub(super) struct Index {
    /// The heap that it is about.
    heap: Heap,
    /// The numbers of objects among those of the same class.
    numbers: HashMap<Ref, usize, FixedState>,
    counts: HashMap<ClassId, usize, FixedState>,
    /// Who refers to an object: holders in the order in which they were made, each with the
    /// first of its fields or elements that does.
    referrers: HashMap<Ref, BTreeMap<Ref, u32>, FixedState>,
    /// The objects of the program's classes.
    own: BTreeSet<Ref>,
    /// The variables that refer to objects of lambdas and of classes in methods, by their names.
    captured: HashMap<Ref, String, FixedState>,
    /// How many variables have a name.
    namesakes: HashMap<String, usize, FixedState>,
    /// The fields of classes that are such variables.
    variables: HashMap<ClassId, Vec<(u32, String)>, FixedState>,
    /// How many objects were looked at.
    looks: u64,
}

impl Index {
    /// Makes it one of another heap.
    fn update(&mut self, program: &Program, heap: &Heap) {
        let mut changed = heap.differing(&self.heap);
        // Numbers are given in the order in which objects are made. Where one has gone, or another
        // one is in its place, all are numbered anew.
        let is_kept = |&it: &Ref| match (self.heap.get(it), heap.get(it)) {
            (Some(old), Some(new)) => old.class == new.class,
            (Some(_), None) => false,
            (None, Some(_)) => it.0 >= self.heap.end(),
            (None, None) => true,
        };
        if !changed.iter().all(is_kept) {
            *self = Self {
                looks: self.looks,
                ..Self::default()
            };
            changed = (heap.boot_end()..heap.end()).map(Ref).collect();
        }
        self.looks += changed.len() as u64;
        for &holder in &changed {
            for (_, object) in self
                .heap
                .get(holder)
                .into_iter()
                .flat_map(|it| references(program, it))
            {
                if let Some(holders) = self.referrers.get_mut(&object) {
                    holders.remove(&holder);
                }
            }
        }
        for holder in changed {
            let Some(found) = heap.get(holder) else {
                continue;
            };
            if let Entry::Vacant(number) = self.numbers.entry(holder) {
                let count = self.counts.entry(found.class).or_default();
                *count += 1;
                number.insert(*count);
                if program.class(found.class).origin == Origin::Program {
                    self.own.insert(holder);
                }
            }
            self.capture(program, found);
            for (slot, object) in references(program, found) {
                if object != holder && !object.is_null() {
                    let holders = self.referrers.entry(object).or_default();
                    holders.entry(holder).or_insert(slot);
                }
            }
        }
        self.heap.clone_from(heap);
    }

    /// Names what a lambda or an object of a class in a method has of the variables around it. The
    /// second of that name is another variable.
    fn capture(&mut self, program: &Program, holder: &Object) {
        let Body::Fields(fields) = &holder.body else {
            return;
        };
        let variables = self.variables.entry(holder.class);
        let variables = variables.or_insert_with(|| variables_of(program, holder.class));
        for (slot, name) in variables.iter() {
            let object = fields
                .get(*slot as usize)
                .map_or(Ref::NULL, |&word| Ref::of(word));
            if object.is_null() || self.captured.contains_key(&object) {
                continue;
            }
            let namesakes = self.namesakes.entry(name.clone()).or_default();
            *namesakes += 1;
            let name = match *namesakes {
                1 => name.clone(),
                number => format!("{name}#{number}"),
            };
            self.captured.insert(object, name);
        }
    }
}

/// The fields of a class that refer to what variables around its objects do.
fn variables_of(program: &Program, class: ClassId) -> Vec<(u32, String)> {
    let described = program.class(class);
    let fields = described.fields.iter().filter_map(|field| {
        let name = program.text(field.name).strip_prefix("val$")?;
        Some((field.slot, name.to_owned()))
    });
    let mut found = raddle_jvm::captured(program, class);
    if described.origin == Origin::Program {
        found.extend(fields);
    }
    found.retain(|(slot, _)| described.ref_slots.get(*slot as usize) == Some(&true));
    found
}

/// What an object refers to, by fields or elements.
fn references<'a>(
    program: &'a Program,
    object: &'a Object,
) -> impl Iterator<Item = (u32, Ref)> + 'a {
    let refs = &program.class(object.class).ref_slots;
    let (elements, fields): (&[Ref], &[u64]) = match &object.body {
        Body::Refs(elements) => (elements, &[]),
        Body::Fields(fields) => (&[], fields),
        _ => (&[], &[]),
    };
    let fields = fields
        .iter()
        .zip(refs.iter())
        .map(|(&word, &is_ref)| match is_ref {
            true => Ref::of(word),
            false => Ref::NULL,
        });
    (0..).zip(elements.iter().copied().chain(fields))
}

impl Drop for Names<'_> {
    fn drop(&mut self) {
        if let Some(index) = self.index.take() {
            *lock(&self.java.index) = Some(index);
        }
    }
}

impl Names<'_> {
    /// An object as the program would name it: a thread by its name, a mirror by its class,
    /// what is not of the program's own classes by the field that refers to it, if there is
    /// one, and all else by class and number.
    pub(super) fn name_of(&self, object: Ref) -> String {
        let state = self.state;
        let Some(found) = state.heap.get(object) else {
            return "null".to_owned();
        };
        if let Some(class) = state.mirrored(&self.java.program, object) {
            return format!("{}.class", self.java.class_name(class));
        }
        if let Some(thread) = self.java.thread_of(state, object) {
            return self.java.name_of_thread(state, thread);
        }
        if self.java.program.class(found.class).origin != Origin::Program
            && let Some(name) = self.field_to(object, FARTHEST)
        {
            return name;
        }
        self.numbered(self.lock_around(object))
    }

    /// The lock of the library whose work an object does, or the object itself.
    fn lock_around(&self, object: Ref) -> Ref {
        let is_its = |holder: &Ref| {
            self.library_class(*holder).is_some() && self.part(*holder, "sync") == Some(object)
        };
        self.referrers(object).find(is_its).unwrap_or(object)
    }

    /// An object by its class and its number among those of the class.
    fn numbered(&self, object: Ref) -> String {
        let state = self.state;
        let Some(found) = state.heap.get(object) else {
            return "null".to_owned();
        };
        let number = self.index().numbers.get(&object).copied().unwrap_or(1);
        format!("{}#{number}", self.java.class_name(found.class))
    }

    /// Whether the program itself has an object, by a field, a variable, in an array or a collection.
    pub(super) fn has_own_field(&self, object: Ref) -> bool {
        self.field_to(object, 1).is_some()
    }

    /// Whether an array is the program's, and not one in which a collection has its elements.
    pub(super) fn is_own_array(&self, array: Ref) -> bool {
        let holders = self.index().referrers.get(&array);
        let mut holders = holders.into_iter().flat_map(|it| it.keys());
        let is_library = |&holder: &Ref| {
            let body = self.state.heap.get(holder).map(|found| &found.body);
            self.library_class(holder).is_some() && matches!(body, Some(Body::Fields(_)))
        };
        !holders.any(is_library) && self.has_own_field(array)
    }

    /// What is locked by means of a synchronizer of the library.
    pub(super) fn lock_name(&self, sync: Ref) -> String {
        let name = self.name_of(sync);
        let class = self.library_class(sync).unwrap_or_default();
        match class.starts_with("java/util/concurrent/locks/ReentrantReadWriteLock$") {
            true => format!("the write lock of {name}"),
            false => name,
        }
    }

    /// The value of an entry as part of a map that has a name.
    pub(super) fn entry_name(&self, entry: Ref) -> Option<String> {
        self.entry_to(entry, FARTHEST)
    }

    /// What refers to an object.
    pub(super) fn referrers(&self, object: Ref) -> impl Iterator<Item = Ref> {
        let found = self.index().referrers.get(&object);
        found.into_iter().flat_map(|it| it.keys().copied())
    }

    /// Whether an object has another name than its number.
    pub(super) fn has_field(&self, object: Ref) -> bool {
        self.field_to(object, FARTHEST).is_some()
    }

    /// A field of the program that refers to an object, perhaps through others: `Bank.locks[1]`; or
    /// a variable that does.
    fn field_to(&self, object: Ref, farthest: u32) -> Option<String> {
        let index = self.index();
        if let Some(name) = self.statics().get(&object) {
            return Some(name.clone());
        }
        let known = self.known.borrow().get(&(object, farthest)).cloned();
        if let Some(known) = known {
            return known;
        }
        // A collection may be in itself.
        self.known.borrow_mut().insert((object, farthest), None);
        let mut referrers = index.referrers.get(&object).into_iter().flatten();
        let found = referrers
            .find_map(|(&holder, &slot)| self.slot_to(holder, slot, farthest))
            .or_else(|| index.captured.get(&object).cloned());
        let mut known = self.known.borrow_mut();
        known.insert((object, farthest), found.clone());
        found
    }

    /// A field or an element by the name of what has it, if that has one.
    fn slot_to(&self, holder: Ref, slot: u32, farthest: u32) -> Option<String> {
        let (state, program) = (self.state, &self.java.program);
        let found = state.heap.get(holder)?;
        if let Body::Refs(_) = &found.body {
            let array = self.field_to(holder, farthest.checked_sub(1)?)?;
            return Some(format!("{array}[{slot}]"));
        }
        let is_own = program.class(found.class).origin == Origin::Program;
        let (class, field) = declaration(program, &state.heap, holder, slot)?;
        let field = program.text(field.name);
        // What a thread waits for, or which lock it owns, says nothing of where that belongs.
        if class == program.known().thread || field == "exclusiveOwnerThread" {
            return None;
        }
        match is_own {
            true if field.contains('$') => None,
            true => Some(format!("{}.{field}", self.numbered(holder))),
            false => self.part_of(holder, field, farthest),
        }
    }

    /// What a field of an object of the library refers to.
    fn part_of(&self, holder: Ref, field: &str, farthest: u32) -> Option<String> {
        let class = self.library_class(holder)?;
        let plain = class.strip_prefix("java/util/")?;
        let named = |nearer| self.field_to(holder, nearer);
        match (plain, field) {
            (_, field) if field.contains('$') => None,
            // The locks of the library are objects around what does the work.
            (_, "sync") => named(farthest),
            ("concurrent/atomic/AtomicReference", "value") => {
                Some(format!("{}.get()", named(farthest.checked_sub(1)?)?))
            }
            (_, "val" | "value") => self.entry_to(holder, farthest.checked_sub(1)?),
            // A list is its array, and a wrapper what it is around.
            ("ArrayList" | "Vector", "elementData")
            | ("Arrays$ArrayList", "a")
            | ("ImmutableCollections$ListN", "elements")
            | ("concurrent/CopyOnWriteArrayList", "array") => named(farthest),
            _ if plain.starts_with("Collections$")
                || plain.starts_with("concurrent/Executors$") =>
            {
                named(farthest.checked_sub(1)?)
            }
            ("ImmutableCollections$List12", "e0") => Some(format!("{}[0]", named(farthest)?)),
            ("ImmutableCollections$List12", "e1") => Some(format!("{}[1]", named(farthest)?)),
            ("ImmutableCollections$Map1", "v0") => {
                let key = self.reference(self.part(holder, "k0")?);
                Some(format!("{}[{key}]", named(farthest)?))
            }
            _ => Some(format!("{}.{field}", named(farthest.checked_sub(2)?)?)),
        }
    }

    /// The value of a map's entry: `Bank.accounts["Ann"]`.
    fn entry_to(&self, entry: Ref, nearer: u32) -> Option<String> {
        let (heap, program) = (&self.state.heap, &self.java.program);
        let slot = |object: Ref, name| program.slot_of(heap.get(object)?.class, name);
        let key = heap.ref_field(entry, slot(entry, "key")?);
        // Entries of a map are in a table, or follow one that is.
        let mut pending = vec![entry];
        let mut met = BTreeSet::from([entry]);
        while let Some(object) = pending.pop() {
            for &holder in self.index().referrers.get(&object)?.keys() {
                let has = |name| {
                    slot(holder, name).is_some_and(|it| heap.ref_field(holder, it) == object)
                };
                if has("table") || has("root") {
                    let map = self.field_to(holder, nearer)?;
                    return Some(format!("{map}[{}]", self.reference(key)));
                }
                let is_part = match heap.get(holder).map(|it| &it.body) {
                    Some(Body::Refs(_)) => true,
                    _ => ["next", "left", "right"].into_iter().any(has),
                };
                if is_part && met.len() < LONGEST_CHAIN && met.insert(holder) {
                    pending.push(holder);
                }
            }
        }
        None
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let mut index = lock(&self.java.index).take().unwrap_or_default();
            index.update(&self.java.program, &self.state.heap);
            index
        })
    }

    fn statics(&self) -> &HashMap<Ref, String, FixedState> {
        self.statics.get_or_init(|| {
            let mut statics: HashMap<_, _, FixedState> = HashMap::default();
            for &class in self.state.changed_classes.iter() {
                let mirror = self.state.class(class).mirror;
                for (slot, name) in self.java.own_statics(class) {
                    let object = Ref::of(self.state.heap.field(mirror, slot));
                    let name = || format!("{}.{name}", self.java.class_name(class));
                    statics.entry(object).or_insert_with(name);
                }
            }
            statics
        })
    }

    /// The values of the static fields of the program, and of the fields of its objects that
    /// other threads can reach.
    pub(super) fn values(&self) -> Vec<(String, String)> {
        let state = self.state;
        let mut values = Vec::new();
        for &class in state.changed_classes.iter() {
            let mirror = state.class(class).mirror;
            for (slot, name) in self.java.own_statics(class) {
                let word = state.heap.field(mirror, slot);
                let name = format!("{}.{name}", self.java.class_name(class));
                let value = self.content(&name, mirror, slot, word);
                values.push((name, value));
            }
        }
        let own = self.index().own.iter().copied();
        for object in own.filter(|&it| is_shared(&self.java.program, &state.heap, it)) {
            let Some(found) = state.heap.get(object) else {
                continue;
            };
            let Body::Fields(fields) = &found.body else {
                continue;
            };
            for (slot, &value) in fields.iter().enumerate() {
                let slot = slot as u32;
                let declared = declaration(&self.java.program, &state.heap, object, slot);
                let is_told = declared.is_some_and(|(class, field)| {
                    let is_own = self.java.program.class(class).origin == Origin::Program;
                    is_own && !self.java.program.text(field.name).contains('$')
                });
                if is_told {
                    let name = self.slot_name(object, slot);
                    let value = self.content(&name, object, slot, value);
                    values.push((name, value));
                }
            }
        }
        values
    }

    /// The value of a field with this name. Of short arrays, the elements; and nothing is
    /// explained by itself.
    fn content(&self, name: &str, object: Ref, slot: u32, word: u64) -> String {
        let state = self.state;
        /// Longer arrays are only named.
        const LONGEST: usize = 8;
        let value = self.value(object, slot, word);
        let is_field = declaration(&self.java.program, &state.heap, object, slot);
        if value != name || is_field.is_none_or(|(_, field)| field.kind != Kind::Ref) {
            return value;
        }
        let object = Ref::of(word);
        let body = state.heap.get(object).map(|found| &found.body);
        let length = body.and_then(Body::length).filter(|&it| it <= LONGEST);
        match (body, length) {
            (Some(body), Some(length)) => {
                let words = (0..length).filter_map(|index| Some((index, body.read(index)?)));
                let elements = words.map(|(index, word)| {
                    let value = self.value(object, index as u32, word);
                    match value == format!("{name}[{index}]") {
                        true => self.content_of(Ref::of(word)),
                        false => value,
                    }
                });
                format!("{{{}}}", elements.collect::<Vec<_>>().join(", "))
            }
            _ => self.content_of(object),
        }
    }

    /// What an object is whose name says nothing: what is in it, whether its lock is free, or its
    /// class at least.
    fn content_of(&self, object: Ref) -> String {
        let found = self.state.heap.get(object);
        let is_plain =
            found.is_some_and(|it| self.java.program.class_name(it.class) == "java/lang/Object");
        match self.contents(object) {
            Some(contents) => contents,
            // There is nothing to an `Object` but its lock.
            None if is_plain => match self.java.lock(self.state, object).owner.checked_sub(1) {
                Some(owner) => {
                    let owner = self.java.number(ThreadId(owner));
                    format!("held by {}", self.java.name_of_thread(self.state, owner))
                }
                None => "free".to_owned(),
            },
            None => self.numbered(object),
        }
    }

    /// A field or an element of an object.
    pub(super) fn slot_name(&self, object: Ref, index: u32) -> String {
        let state = self.state;
        let heap = &state.heap;
        if let Some(Body::Fields(_)) = heap.get(object).map(|object| &object.body) {
            return match declaration(&self.java.program, heap, object, index) {
                Some((class, field)) if field.is_static() => {
                    format!(
                        "{}.{}",
                        self.java.class_name(class),
                        self.java.program.text(field.name)
                    )
                }
                Some((_, field)) => {
                    let name = self.java.program.text(field.name);
                    let class = self.library_class(object).unwrap_or_default();
                    match name {
                        // There is nothing else to them.
                        "value" if class.starts_with("java/util/concurrent/atomic/Atomic") => {
                            self.name_of(object)
                        }
                        _ => format!("{}.{name}", self.name_of(object)),
                    }
                }
                None => format!("{}.{index}", self.name_of(object)),
            };
        }
        format!("{}[{index}]", self.name_of(object))
    }

    /// A value as the source would spell it.
    pub(super) fn value(&self, object: Ref, index: u32, value: u64) -> String {
        let state = self.state;
        let heap = &state.heap;
        let kind = match heap.get(object).map(|object| &object.body) {
            Some(Body::Fields(_)) => declaration(&self.java.program, heap, object, index)
                .map_or(Kind::Long, |(_, field)| field.kind),
            Some(Body::Refs(_)) => Kind::Ref,
            Some(Body::Longs(_)) => Kind::Long,
            _ => Kind::Int,
        };
        match kind {
            Kind::Ref => self.reference(Ref::of(value)),
            Kind::Boolean => (value & 1 != 0).to_string(),
            Kind::Char => match char::from_u32(value as u32) {
                Some(letter) => format!("{letter:?}"),
                None => value.to_string(),
            },
            Kind::Float => f32::from_bits(value as u32).to_string(),
            Kind::Double => f64::from_bits(value).to_string(),
            Kind::Long => value.cast_signed().to_string(),
            _ => (value as i32).to_string(),
        }
    }

    /// A reference as a value: a string, a number in its box and a constant of an enumeration
    /// by what they are, and all else by name.
    pub(super) fn reference(&self, object: Ref) -> String {
        let state = self.state;
        if let Some(text) = state.text_of(&self.java.program, object) {
            return format!("{text:?}");
        }
        let Some(found) = state.heap.get(object) else {
            return "null".to_owned();
        };
        let slot = |name| self.java.program.slot_of(found.class, name);
        let is_enum = |class: &ClassId| self.java.program.class_name(*class) == "java/lang/Enum";
        match self.java.program.class_name(found.class) {
            "java/lang/Integer"
            | "java/lang/Long"
            | "java/lang/Boolean"
            | "java/lang/Double"
            | "java/lang/Character"
            | "java/lang/Short"
            | "java/lang/Byte"
            | "java/lang/Float" => {
                let slot = slot("value").unwrap_or(0);
                self.value(object, slot, state.heap.field(object, slot))
            }
            _ if self
                .java
                .program
                .class(found.class)
                .ancestors
                .iter()
                .any(is_enum) =>
            {
                let name = slot("name").map(|slot| state.heap.ref_field(object, slot));
                let text = name.and_then(|name| state.text_of(&self.java.program, name));
                text.unwrap_or_else(|| self.name_of(object))
            }
            _ => self.name_of(object),
        }
    }
}

impl Java {
    /// The names of what is in a state.
    pub(super) fn names<'a>(&'a self, state: &'a State) -> Names<'a> {
        Names {
            java: self,
            state,
            index: OnceCell::new(),
            statics: OnceCell::new(),
            known: RefCell::default(),
        }
    }

    /// How many objects were looked at so as to name any.
    #[doc(hidden)]
    pub fn looks_for_names(&self) -> u64 {
        lock(&self.index).as_ref().map_or(0, |index| index.looks)
    }

    /// The name of one object.
    pub(super) fn name_of(&self, state: &State, object: Ref) -> String {
        self.names(state).name_of(object)
    }

    /// The static fields of a class of the program, with their slots.
    fn own_statics(&self, class: ClassId) -> impl Iterator<Item = (u32, &str)> {
        let described = self.program.class(class);
        let is_own = self.is_written(class);
        let fields = described
            .fields
            .iter()
            .filter(move |field| is_own && field.is_static());
        let named = fields.map(|field| {
            (
                self.program.static_slot(field),
                self.program.text(field.name),
            )
        });
        named.filter(|(_, name)| !name.contains('$'))
    }

    /// Whether somebody has written a class of the program. The library makes proxies as it runs.
    pub(super) fn is_written(&self, class: ClassId) -> bool {
        let described = self.program.class(class);
        let above = described.ancestors.iter().rev().nth(1);
        let is_proxy = above
            .map(|&above| self.program.class_name(above))
            .is_some_and(|above| above == "java/lang/reflect/Proxy");
        described.origin == Origin::Program && !is_proxy
    }

    /// A class without its package.
    pub(super) fn class_name(&self, class: ClassId) -> String {
        let name = raddle_jvm::class_display_name(&self.program, class);
        let element = name.trim_start_matches('[');
        let depth = name.len() - element.len();
        let element = match element.chars().next().filter(|_| depth > 0) {
            None => element,
            Some('L') => element[1..].trim_end_matches(';'),
            Some('B') => "byte",
            Some('C') => "char",
            Some('D') => "double",
            Some('F') => "float",
            Some('I') => "int",
            Some('J') => "long",
            Some('S') => "short",
            Some(_) => "boolean",
        };
        if element.contains("$$Lambda") {
            return "lambda".to_owned();
        }
        let name = format!("{element}{}", "[]".repeat(depth));
        let start = name.rfind('.').map_or(0, |dot| dot + 1);
        name[start..].replace('$', ".")
    }

    /// A thread by the name that the program gave it.
    pub(super) fn name_of_thread(&self, state: &State, thread: Thread) -> String {
        let found = state.thread(self.id(thread));
        let name = self.program.slot_of(self.program.known().thread, "name");
        let text = found.zip(name).and_then(|(found, slot)| {
            let name = state.heap.ref_field(found.object, slot);
            state.text_of(&self.program, name)
        });
        // Virtual threads mostly have no name.
        let text = text.filter(|text| !text.is_empty());
        self.within(text.unwrap_or_else(|| format!("thread {}", thread.0)))
    }

    /// What has a name, after that of its process if there are several.
    pub(super) fn within(&self, name: String) -> String {
        match &self.process {
            Some(process) => format!("{process}:{name}"),
            None => name,
        }
    }

    /// A field by its class, whoever's it is; an element by its array's class.
    pub(super) fn variable(&self, state: &State, object: Ref, index: u32) -> String {
        let heap = &state.heap;
        let found = declaration(&self.program, heap, object, index);
        let runtime = heap.get(object).map(|found| found.class);
        match (found, runtime) {
            (Some((class, field)), runtime) => {
                // What a class of the library has inherited is known by the heir.
                let is_own = self.program.class(class).origin == Origin::Program;
                let class = match runtime {
                    Some(runtime) if !is_own && !field.is_static() => runtime,
                    _ => class,
                };
                format!(
                    "{}.{}",
                    self.class_name(class),
                    self.program.text(field.name)
                )
            }
            (None, Some(class)) => format!("an element of {}", self.class_name(class)),
            (None, None) => "null".to_owned(),
        }
    }

    /// A method with its class, without package and descriptor.
    pub(super) fn method_name(&self, method: MethodId) -> String {
        let method = self.program.method(method);
        let class = self.class_name(method.class);
        match self.program.text(method.name) {
            _ if class.starts_with("VarHandle") => "VarHandle".to_owned(),
            "<init>" => format!("new {class}"),
            "<clinit>" => format!("the initialisation of {class}"),
            name => format!("{class}.{name}"),
        }
    }
}
