//! What stands where in objects, and what of it is written although others can see it.
//!
//! A field of an object that other threads can reach is first taken to be one that nobody
//! writes any more, as most are: reading it is then no business of other threads. The first
//! write that proves the contrary is noted, and all that was explored before is explored
//! again. So what is taken for granted at the end has been tried in every execution.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use raddle_jvm::ClassFile;
use raddle_jvm::heap::{Body, Heap, Ref};
use raddle_jvm::is_annotated;
use raddle_jvm::world::{ClassId, Field};
use raddle_reduce::exclusive::{Assumption, Discoveries, Level};
use raddle_reduce::step_order::StepOrder;

use super::modes::WeakCall;
use super::numbers::lock;
use super::profile::{ATOMIC, Profile, UNSHARED};
use super::program::Program;

/// The fields of a class.
pub(crate) struct Layout {
    /// For each slot of an instance the class that declares the field, and its place there.
    slots: Box<[Option<(ClassId, u16)>]>,
    /// For each slot of a static field its place among the fields of the class.
    statics: Box<[Option<u16>]>,
    /// What is assumed of the class's own fields.
    fields: Box<[Assumption]>,
    /// The same of the elements of arrays of this class.
    elements: Assumption,
    /// The same of the monitors of its objects.
    monitor: Assumption,
    /// Whether a call into the class is one step.
    is_atomic: bool,
    /// Whether each of its objects is for one thread only.
    is_unshared: bool,
}

impl Layout {
    pub(super) fn of(program: &Program, class: ClassId) -> Self {
        let described = program.class(class);
        let mut slots = vec![None; described.instance_slots as usize];
        for &ancestor in &described.ancestors {
            for (index, field) in program.class(ancestor).fields.iter().enumerate() {
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
        let unwritten = || Assumption::new(Level::Unwritten);
        let says = |annotation| {
            let file = described.file.as_ref();
            file.is_some_and(|file| is_annotated(file, annotation))
        };
        Self {
            slots: slots.into(),
            statics: statics.into(),
            fields: described.fields.iter().map(|_| unwritten()).collect(),
            elements: unwritten(),
            monitor: Assumption::new(Level::Single),
            is_atomic: program.facts.profile.is_atomic(program, class) || says(ATOMIC),
            is_unshared: program.facts.profile.is_unshared(program, class) || says(UNSHARED),
        }
    }
}

/// What was found out about a program.
#[derive(Debug, Default)]
pub(crate) struct FieldFacts {
    /// Whether something was found out, and whether it is still to be.
    pub(crate) book: Discoveries,
    /// What is assumed of the elements of arrays that are there from the beginning.
    arrays: OnceLock<Box<[Assumption]>>,
    /// Whether the program has asked for the time.
    pub(crate) clock: AtomicBool,
    /// Whether arrays that others can see were copied in one step.
    pub(crate) copies: AtomicBool,
    /// Whether several bytes were read from a socket at once.
    pub(crate) streams: AtomicBool,
    /// Whether threads are interrupted, or wait with a time limit.
    pub(crate) disturbance: AtomicBool,
    /// Whether the program asks what other threads are doing.
    pub(crate) states: AtomicBool,
    /// Whether threads wait with time limits that run out last.
    pub(crate) limits: AtomicBool,
    /// Whether the program itself waits for notifications or permits.
    pub(crate) waits: AtomicBool,
    /// Whether the program itself locks objects that the library locks, too, in methods that are answered
    /// without it: threads, streams of output and the like. Then they are executed.
    pub(crate) library_locks: AtomicBool,
    /// Whether the program locks class loaders, which classes are loaded without.
    pub(crate) loader_locks: AtomicBool,
    /// Whether the program makes references that can be cleared, or has something done then.
    pub(crate) references: AtomicBool,
    /// Whether the program walks through a collection whose order each start of a JVM chooses.
    pub(crate) orders: AtomicBool,
    /// Whether the program asks for identity hash codes, be it by way of hash tables.
    pub(crate) hashes: AtomicBool,
    /// Whether a thread became the owner of a lock of the library while another one was.
    robbery: AtomicBool,
    /// What is said of classes from outside.
    pub(crate) profile: Profile,
    /// The classes that call themselves atomic.
    atomic: Arc<AtomicClasses>,
    /// In which order monitors are taken within a step.
    pub(crate) order: StepOrder<LockName>,
    /// Whether the program accesses what others can see in modes weaker than volatile.
    weak: AtomicBool,
    /// Where it does, and in which modes.
    weak_calls: Mutex<BTreeSet<WeakCall>>,
    /// Whether threads meet in accesses that order nothing and are not reported as races.
    disorder: AtomicBool,
    /// Whether what threads may read besides the newest values is searched, too.
    relaxed: AtomicBool,
    /// Whether a plain access was in a race there.
    pub(crate) plain_race: AtomicBool,
    /// Whether there are atomic blocks, in which threads do not stop.
    pub(crate) blocks: AtomicBool,
    /// Whether the program has fences.
    fenced: AtomicBool,
    /// Where it has them.
    fences: Mutex<BTreeSet<String>>,
}

/// A lock, by a name that is the same in every execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LockName {
    /// An object that is there from the beginning.
    Object(Ref),
    /// Any other object of a class.
    Class(ClassId),
}

/// The classes that were loaded and call themselves atomic.
#[derive(Debug, Default)]
struct AtomicClasses {
    names: Mutex<BTreeSet<String>>,
    is_any: AtomicBool,
    /// Whether any class names one of `java.util.concurrent`.
    are_concurrent: AtomicBool,
}

impl FieldFacts {
    /// Whether the program has asked for the time.
    pub(crate) fn tells_time(&self) -> bool {
        self.clock.load(Ordering::Relaxed)
    }

    /// Whether the program asks what other threads are doing.
    pub(crate) fn asks_for_states(&self) -> bool {
        self.states.load(Ordering::Relaxed)
    }

    /// Whether the program locks what the library locks.
    pub(crate) fn locks_library(&self) -> bool {
        self.library_locks.load(Ordering::Relaxed)
    }

    /// Finds something out.
    pub(crate) fn note(&self, fact: &AtomicBool) {
        self.book.note(fact);
    }

    /// Forgets all but what classes say of themselves, for they do so once.
    pub(crate) fn forget(&mut self, profile: Profile) {
        *self = Self {
            profile,
            atomic: Arc::clone(&self.atomic),
            ..Self::default()
        };
    }

    /// Hears what a class says of itself, before anything of it runs.
    pub(crate) fn listener(&self) -> impl Fn(&str, &ClassFile) + Send + Sync + 'static {
        let atomic = Arc::clone(&self.atomic);
        move |class: &str, file: &ClassFile| {
            if file.names_class("java/util/concurrent/") {
                atomic.are_concurrent.store(true, Ordering::Relaxed);
            }
            if is_annotated(file, ATOMIC) {
                lock(&atomic.names).insert(class.replace('/', "."));
                atomic.is_any.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Whether the program makes use of `java.util.concurrent` itself.
    pub(crate) fn is_concurrent(&self) -> bool {
        self.atomic.are_concurrent.load(Ordering::Relaxed)
    }

    /// Whether calls into some class are one step.
    #[inline]
    pub(crate) fn has_atomic(&self) -> bool {
        self.profile.has_atomic() || self.atomic.is_any.load(Ordering::Relaxed)
    }

    /// What is taken on trust; nothing, if nothing is.
    pub(crate) fn trust(&self) -> Option<String> {
        let mut names = self.profile.atomic_names();
        names.extend(lock(&self.atomic.names).iter().cloned());
        (!names.is_empty()).then(|| {
            let names = names.join(", ");
            format!("operations of {names} are taken for single steps, which nothing checks")
        })
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

    /// Whether what threads may read besides the newest values is searched, too.
    #[inline]
    pub(crate) fn is_relaxed(&self) -> bool {
        self.relaxed.load(Ordering::Relaxed)
    }

    /// From now on it is.
    pub(crate) fn relax(&self) {
        self.relaxed.store(true, Ordering::Relaxed);
    }

    /// What is either so or not, by name.
    fn flags(&self) -> [(&'static str, &AtomicBool); 9] {
        [
            ("clock", &self.clock),
            ("library-locks", &self.library_locks),
            ("disturbance", &self.disturbance),
            ("robbery", &self.robbery),
            ("weak", &self.weak),
            ("disorder", &self.disorder),
            ("fenced", &self.fenced),
            ("states", &self.states),
            ("relaxed", &self.relaxed),
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
            let all = (0..objects).map(|_| Assumption::new(Level::Unwritten));
            all.collect()
        });
    }
}

/// The field at a slot of an object: an own one, an inherited one or, of a mirror, a static
/// one.
pub(crate) fn field_at(
    program: &Program,
    heap: &Heap,
    object: Ref,
    slot: u32,
) -> Option<(ClassId, u16)> {
    let found = heap.get(object)?;
    let first_static = program.known().class_slots;
    if found.class == program.known().class && slot >= first_static {
        let mirrored = found.body.read(first_static as usize - 1)?;
        let class = ClassId(mirrored as u32);
        let statics = &program.layout(class).statics;
        let index = *statics.get((slot - first_static) as usize)?;
        return index.map(|index| (class, index));
    }
    *program.layout(found.class).slots.get(slot as usize)?
}

/// The declaration of the field at a slot.
pub(crate) fn declaration<'w>(
    program: &'w Program,
    heap: &Heap,
    object: Ref,
    slot: u32,
) -> Option<(ClassId, &'w Field)> {
    let (class, index) = field_at(program, heap, object, slot)?;
    let field = program.class(class).fields.get(index as usize)?;
    Some((class, field))
}

/// Where it is noted what is assumed of a field or an element; none if it never changes.
pub(crate) fn note<'w>(
    program: &'w Program,
    heap: &Heap,
    object: Ref,
    index: u32,
) -> Option<&'w Assumption> {
    let found = heap.get(object)?;
    if let Body::Fields(_) = found.body {
        let (class, field) = field_at(program, heap, object, index)?;
        return program.layout(class).fields.get(field as usize);
    }
    let first = program.facts.arrays.get();
    match first.and_then(|first| first.get(object.0 as usize)) {
        Some(note) => Some(note),
        None => Some(&program.layout(found.class).elements),
    }
}

/// Where it is noted what is assumed of the monitor of an object.
pub(crate) fn monitor_note<'w>(
    program: &'w Program,
    heap: &Heap,
    object: Ref,
) -> Option<&'w Assumption> {
    let found = heap.get(object)?;
    Some(&program.layout(found.class).monitor)
}

/// Whether a call into a class is one step.
pub(crate) fn is_atomic(program: &Program, class: ClassId) -> bool {
    program.layout(class).is_atomic
}

/// Whether an object is said to be for one thread only.
pub(crate) fn is_unshared(program: &Program, heap: &Heap, object: Ref) -> bool {
    let found = heap.get(object);
    found.is_some_and(|found| program.layout(found.class).is_unshared)
}

/// What was found out, in words that mean the same in another run of the program: how far a
/// step goes depends on it.
pub(crate) fn findings(program: &Program) -> Vec<String> {
    let mut all = Vec::new();
    for class in (0..program.classes.count()).filter_map(|index| program.classes.get(index)) {
        let Some(layout) = program.known_layout(class.id) else {
            continue;
        };
        let name = program.text(class.name);
        let mut note = |what: &str, note: &Assumption, usual: Level| {
            if note.level() != usual {
                all.push(format!("{what} {}", note.level() as u8));
            }
        };
        for (field, found) in class.fields.iter().zip(&layout.fields) {
            let what = format!("field {name} {}", program.text(field.name));
            note(&what, found, Level::Unwritten);
        }
        note(
            &format!("elements {name}"),
            &layout.elements,
            Level::Unwritten,
        );
        note(&format!("monitor {name}"), &layout.monitor, Level::Single);
    }
    let arrays = program.facts.arrays.get().into_iter().flatten();
    let weaker = arrays
        .enumerate()
        .map(|(index, note)| (index, note.level()));
    let weaker = weaker.filter(|(_, level)| *level != Level::Unwritten);
    all.extend(weaker.map(|(index, level)| format!("array {index} {}", level as u8)));
    let flags = program.facts.flags();
    let set = flags
        .into_iter()
        .filter(|(_, flag)| flag.load(Ordering::Relaxed));
    all.extend(set.map(|(name, _)| name.to_owned()));
    let apart = program.facts.order.apart().into_iter();
    all.extend(apart.map(|lock| match lock {
        LockName::Object(object) => format!("apart #{}", object.0),
        LockName::Class(class) => format!("apart {}", program.class_name(class)),
    }));
    all
}

/// Takes what was found out in another run for granted. False if it does not fit.
pub(crate) fn recall(program: &Program, finding: &str) -> bool {
    let weaken = |note: Option<&Assumption>, level: &str| {
        let level = level.parse().ok().map(Level::from_number);
        note.zip(level)
            .map(|(note, level)| note.weaken(level))
            .is_some()
    };
    let layout = |name| Some(program.layout(program.load(name).ok()?));
    match finding.split(' ').collect::<Vec<_>>()[..] {
        ["field", name, field, level] => {
            let note = layout(name).and_then(|layout| {
                let mut fields = program.class(program.load(name).ok()?).fields.iter();
                let index = fields.position(|it| program.text(it.name) == field)?;
                layout.fields.get(index)
            });
            weaken(note, level)
        }
        ["elements", name, level] => weaken(layout(name).map(|it| &it.elements), level),
        ["monitor", name, level] => weaken(layout(name).map(|it| &it.monitor), level),
        ["array", index, level] => {
            let arrays = program.facts.arrays.get();
            let index = index.parse::<usize>().ok();
            let note = arrays
                .zip(index)
                .and_then(|(arrays, index)| arrays.get(index));
            weaken(note, level)
        }
        ["apart", name] => {
            let lock = match name.strip_prefix('#') {
                Some(number) => number.parse().ok().map(|it| LockName::Object(Ref(it))),
                None => program.load(name).ok().map(LockName::Class),
            };
            lock.map(|lock| program.facts.order.set_apart(lock))
                .is_some()
        }
        [name] => {
            let flags = program.facts.flags().into_iter();
            let flag = flags.into_iter().find(|(flag, _)| *flag == name);
            flag.map(|(_, flag)| flag.store(true, Ordering::Relaxed))
                .is_some()
        }
        _ => false,
    }
}

/// Whether the slot of an object holds a reference.
pub(crate) fn is_ref_slot(program: &Program, heap: &Heap, object: Ref, slot: u32) -> bool {
    let Some(found) = heap.get(object) else {
        return false;
    };
    match &found.body {
        Body::Refs(_) => true,
        Body::Fields(_) => {
            let refs = &program.class(found.class).ref_slots;
            match refs.get(slot as usize) {
                Some(&is_ref) => is_ref,
                None if found.class == program.known().class => {
                    match declaration(program, heap, object, slot) {
                        Some((_, field)) => field.kind == raddle_jvm::descriptor::Kind::Ref,
                        // The one static slot of a class that the machine made.
                        None => slot >= program.known().class_slots,
                    }
                }
                None => false,
            }
        }
        _ => false,
    }
}
