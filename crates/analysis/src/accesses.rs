//! Who accesses which field of which objects, where, and with which locks.

use std::collections::{BTreeMap, BTreeSet};

use raddle_jvm::roles::Role;
use raddle_jvm::{ClassId, MethodId};

use crate::locks::{Held, How, Locks, Term, is_global};
use crate::points_to::{InstanceId, ObjectId, Origin, PointsTo};
use crate::threads::{ThreadFacts, Threads};
use crate::values::{Body, Slot, Value, What};

/// A variable of the analysis: a field of objects, the elements of arrays, or a static field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    Field(ObjectId, u32),
    Elements(ObjectId),
    Static(ClassId, u32),
}

/// A lock as it is seen from the variable that it guards.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Guard {
    /// The object that the variable is a part of, or what a final field of it leads to.
    Own(How, Vec<u32>),
    /// A lock that means the same everywhere.
    Global(How, Term),
}

/// An access.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) instance: InstanceId,
    pub(crate) method: MethodId,
    pub(crate) pc: u32,
    pub(crate) is_write: bool,
    pub(crate) is_read: bool,
    /// Volatile, or by a handle.
    pub(crate) is_ordered: bool,
    /// Whether the access is made while nobody else can have met the object, or use the class.
    pub(crate) is_initial: bool,
    pub(crate) threads: Threads,
    pub(crate) guards: BTreeSet<Guard>,
}

/// All accesses to what threads may share.
pub(crate) type Accesses = BTreeMap<Place, Vec<Access>>;

/// Collects the accesses of a program.
pub(crate) fn accesses(points: &PointsTo<'_>, threads: &ThreadFacts, locks: &Locks) -> Accesses {
    let mut collector = Collector {
        points,
        threads,
        locks,
        leaks: BTreeMap::new(),
        found: Accesses::new(),
    };
    for number in 1..points.instances.len() as u32 {
        collector.instance(InstanceId(number));
    }
    collector.found
}

struct Collector<'p, 'w> {
    points: &'p PointsTo<'w>,
    threads: &'p ThreadFacts,
    locks: &'p Locks,
    /// Whether a method lets others get at its receiver.
    leaks: BTreeMap<MethodId, bool>,
    found: Accesses,
}

impl Collector<'_, '_> {
    fn instance(&mut self, id: InstanceId) {
        let points = self.points;
        let instance = &points.instances[id.0 as usize];
        for act in &instance.body.acts {
            match &act.what {
                What::Read {
                    base,
                    slot,
                    is_volatile,
                    ..
                } => self.access(id, act.pc, *base, *slot, (true, false), *is_volatile),
                What::Write {
                    base,
                    slot,
                    is_volatile,
                    ..
                } => self.access(id, act.pc, *base, *slot, (false, true), *is_volatile),
                What::Handle {
                    mode, arguments, ..
                } => {
                    let is_read = !mode.starts_with("set");
                    let is_write = !mode.starts_with("get") || mode.starts_with("getAnd");
                    if let Some(&Some(base)) = arguments.get(1) {
                        self.any(id, act.pc, base, (is_read, is_write), true);
                    }
                }
                What::Call {
                    method, arguments, ..
                } => self.call(id, act.pc, *method, arguments),
                _ => {}
            }
        }
    }

    /// Methods without code that access objects.
    fn call(&mut self, id: InstanceId, pc: u32, method: MethodId, arguments: &[Option<Value>]) {
        let world = self.points.world;
        let argument = |index: usize| arguments.get(index).copied().flatten();
        let (base, kind, is_ordered) = match world.role(method) {
            Role::Get => (argument(1), (true, false), true),
            Role::Put => (argument(1), (false, true), true),
            Role::Swap => (argument(1), (true, true), true),
            Role::ReadAll(index) => (argument(index), (true, false), false),
            Role::GetElement => (argument(0), (true, false), false),
            Role::SetElement => (argument(0), (false, true), false),
            Role::Copy => {
                if let Some(from) = argument(0) {
                    self.any(id, pc, from, (true, false), false);
                }
                (argument(2), (false, true), false)
            }
            _ => return,
        };
        if let Some(base) = base {
            self.any(id, pc, base, kind, is_ordered);
        }
    }

    /// Some variable of an object is accessed.
    fn any(&mut self, id: InstanceId, pc: u32, base: Value, kind: (bool, bool), is_ordered: bool) {
        let points = self.points;
        let model = self.model(id, pc, kind, is_ordered, Some(base));
        for object in points.points(id, base).iter().map(ObjectId) {
            if let Origin::Mirror(class) = points.objects[object.0 as usize].origin {
                // Static fields are behind the object of the class.
                for field in &points.world.class(class).fields {
                    if field.is_static() {
                        let slot = points.world.static_slot(field);
                        self.add(Place::Static(class, slot), &model);
                    }
                }
            }
            let class = points.objects[object.0 as usize].class;
            if points.world.element_class(class).is_some() {
                self.add(Place::Elements(object), &model);
                continue;
            }
            for slot in 0..points.world.class(class).instance_slots {
                self.add(Place::Field(object, slot), &model);
            }
        }
    }

    fn add(&mut self, place: Place, access: &Access) {
        self.found.entry(place).or_default().push(access.clone());
    }

    fn access(
        &mut self,
        id: InstanceId,
        pc: u32,
        base: Option<Value>,
        slot: Slot,
        kind: (bool, bool),
        is_volatile: bool,
    ) {
        let points = self.points;
        if let Slot::Static(class, slot) = slot {
            let mut model = self.model(id, pc, kind, is_volatile, None);
            let method = points.instances[id.0 as usize].method;
            model.is_initial = points.world.initializer(class) == Some(method);
            self.add(Place::Static(class, slot), &model);
            return;
        }
        let Some(base) = base else { return };
        let mut model = self.model(id, pc, kind, is_volatile, Some(base));
        model.is_initial = self.is_being_made(id, base);
        for object in points.points(id, base).iter().map(ObjectId) {
            let class = points.objects[object.0 as usize].class;
            let is_array = points.world.element_class(class).is_some();
            match slot {
                Slot::Elements if is_array => self.add(Place::Elements(object), &model),
                Slot::Field(slot)
                    if !is_array && slot < points.world.class(class).instance_slots =>
                {
                    self.add(Place::Field(object, slot), &model);
                }
                _ => {}
            }
        }
    }

    fn model(
        &self,
        id: InstanceId,
        pc: u32,
        (is_read, is_write): (bool, bool),
        is_ordered: bool,
        base: Option<Value>,
    ) -> Access {
        let held = self.locks.held(id, pc);
        let term = base.map(|base| self.locks.term(id, base));
        let guards = held.map(|held| guards(held, term)).unwrap_or_default();
        Access {
            instance: id,
            method: self.points.instances[id.0 as usize].method,
            pc,
            is_write,
            is_read,
            is_ordered,
            is_initial: false,
            threads: self.threads.runs[id.0 as usize],
            guards,
        }
    }

    /// Whether an object is accessed by its constructor, which lets nobody else get at it.
    fn is_being_made(&mut self, id: InstanceId, base: Value) -> bool {
        let (points, world) = (self.points, self.points.world);
        let instance = &points.instances[id.0 as usize];
        let is_constructor = world.text(world.method(instance.method).name) == "<init>";
        is_constructor
            && is_receiver(&instance.body, base)
            && !self.leaks(instance.method, &instance.body)
    }

    /// Whether a method lets others get at its receiver.
    fn leaks(&mut self, method: MethodId, body: &Body) -> bool {
        if let Some(&known) = self.leaks.get(&method) {
            return known;
        }
        // Who calls itself is taken for one that does.
        self.leaks.insert(method, true);
        let leaks = self.finds_leak(body);
        self.leaks.insert(method, leaks);
        leaks
    }

    fn finds_leak(&mut self, body: &Body) -> bool {
        let points = self.points;
        let is_this = |value: &Value| is_receiver(body, *value);
        let flows = body.flows.iter().any(|(from, _)| is_this(from));
        if flows {
            return true;
        }
        for act in &body.acts {
            let is_leak = match &act.what {
                What::Write { value, .. } => value.as_ref().is_some_and(is_this),
                What::Lambda { captured, .. } => captured.iter().flatten().any(is_this),
                What::Handle { arguments, .. } => arguments.iter().flatten().any(is_this),
                What::Throw(value) | What::Return(value) => is_this(value),
                What::Call {
                    op,
                    method,
                    arguments,
                    ..
                } => {
                    let others = arguments.iter().skip(1).flatten().any(is_this);
                    let is_receiver = arguments
                        .first()
                        .copied()
                        .flatten()
                        .is_some_and(|it| is_this(&it));
                    let is_static = points.world.method(*method).is_static();
                    others
                        || (is_receiver && is_static)
                        || (is_receiver && !self.keeps(*op, *method))
                }
                _ => false,
            };
            if is_leak {
                return true;
            }
        }
        false
    }

    /// Whether a call on a receiver does not let others get at it.
    fn keeps(&mut self, op: raddle_jvm::listing::Op, method: MethodId) -> bool {
        let world = self.points.world;
        // What overrides it is not known here, unless there is none.
        let is_special = op == raddle_jvm::listing::Op::InvokeSpecial;
        if !is_special && !world.is_final(world.method(method).class) {
            return false;
        }
        match crate::values::read(world, method) {
            Some(body) => !self.leaks(method, &body),
            None => false,
        }
    }
}

/// Whether a value is the receiver.
fn is_receiver(body: &Body, value: Value) -> bool {
    body.parameters.first() == Some(&Some(value))
}

/// The locks that are held, as they are seen from an object.
fn guards(held: &Held, base: Option<&Term>) -> BTreeSet<Guard> {
    let mut all = BTreeSet::new();
    for (how, term) in held {
        if is_global(term) {
            all.insert(Guard::Global(*how, term.clone()));
        }
        if let Some(path) = base.and_then(|base| path(term, base)) {
            all.insert(Guard::Own(*how, path));
        }
    }
    all
}

/// The fields that lead from one term to another one.
fn path(term: &Term, base: &Term) -> Option<Vec<u32>> {
    if term == base {
        return Some(Vec::new());
    }
    match term {
        Term::Field(inner, slot) => {
            let mut path = path(inner, base)?;
            path.push(*slot);
            Some(path)
        }
        _ => None,
    }
}
