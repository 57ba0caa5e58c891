//! What people want to know of the variables that threads share.

use std::collections::{BTreeMap, BTreeSet};

use raddle_jvm::world::flags;
use raddle_jvm::{ClassId, MethodId, World, line_number, source_file};

use crate::accesses::{Access, Accesses, Guard, Place};
use crate::locks::{Locks, Term, is_lock_call};
use crate::points_to::{Context, InstanceId, ObjectId, Origin, PointsTo, is_program};
use crate::threads::{ThreadFacts, bit};
use crate::values::What;

/// What threads share.
#[derive(Clone, Debug, Default)]
pub struct Sharing {
    /// The threads, `main` first.
    pub threads: Vec<ThreadKind>,
    /// The fields of the program that several of them may access.
    pub fields: Vec<SharedField>,
    /// Which locks are taken while others are held.
    pub nested: Vec<Nested>,
    /// Locks that are taken in one order here and in another one there.
    pub cycles: Vec<Vec<String>>,
    /// What is not known, so that all of this may be incomplete.
    pub unknown: Vec<String>,
}

/// Threads that are started on objects made in one place.
#[derive(Clone, Debug)]
pub struct ThreadKind {
    /// What they are called here.
    pub name: String,
    /// Whether there may be several.
    pub is_several: bool,
}

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// The file.
    pub file: String,
    /// The line, from one.
    pub line: u32,
    /// The method.
    pub method: String,
}

/// How a field is kept from going wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Protection {
    /// Nobody writes it once others can see it.
    Unwritten,
    /// It is volatile, or accessed by handles only.
    Ordered,
    /// One of these locks is held at each access.
    Locked(Vec<String>),
    /// Accesses follow each other because threads are started and waited for.
    Sequential,
    /// With locks here and without there.
    Inconsistent,
    /// With nothing.
    None,
}

impl Protection {
    /// A word for it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unwritten => "not written once it is shared",
            Self::Ordered => "volatile",
            Self::Locked(_) => "guarded",
            Self::Sequential => "one thread after the other",
            Self::Inconsistent => "guarded inconsistently",
            Self::None => "not guarded",
        }
    }
}

/// A field that several threads may access.
#[derive(Clone, Debug)]
pub struct SharedField {
    /// The class that declares it, with dots.
    pub class: String,
    /// Its name; `[]` for the elements of arrays.
    pub name: String,
    /// How it is protected.
    pub protection: Protection,
    /// What is wrong with that, in a sentence.
    pub warning: Option<String>,
    /// The two lines that the warning is about.
    pub warned_at: Vec<Line>,
    /// Who accesses it.
    pub accesses: Vec<FieldAccess>,
}

/// Accesses in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldAccess {
    /// Where.
    pub line: Line,
    /// Whether it is read.
    pub is_read: bool,
    /// Whether it is written.
    pub is_write: bool,
    /// By which threads, by their numbers.
    pub threads: Vec<usize>,
    /// Under which locks.
    pub locks: Vec<String>,
    /// Whether nobody else can have met the object yet.
    pub is_initial: bool,
}

impl FieldAccess {
    /// What is done, in words.
    pub fn what(&self) -> &'static str {
        match (self.is_read, self.is_write) {
            (true, true) => "read and written",
            (true, false) => "read",
            _ => "written",
        }
    }
}

/// A lock that is taken while another one is held.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Nested {
    /// The one that is held.
    pub outer: String,
    /// The one that is taken.
    pub inner: String,
    /// Where.
    pub line: Line,
}

pub(crate) fn source_line(world: &World, method: MethodId, pc: u32) -> Option<Line> {
    let listing = world.listing(method)?;
    let line = u32::try_from(line_number(world, method, listing.position(pc))).ok()?;
    let described = world.method(method);
    Some(Line {
        file: source_file(world, method)?,
        line,
        method: world.text(described.name).to_owned(),
    })
}

/// What is called what.
pub(crate) struct Names<'p, 'w> {
    pub(crate) points: &'p PointsTo<'w>,
}

impl Names<'_, '_> {
    /// The line of the program where an object is made, be it inside of the library.
    pub(crate) fn made_at(&self, object: ObjectId) -> Option<Line> {
        let world = self.points.world;
        let mut origin = self.points.objects[object.0 as usize].origin;
        for _ in 0..8 {
            let Origin::Made(method, pc, context) = origin else {
                return None;
            };
            if is_program(world, world.method(method).class) {
                return source_line(world, method, pc);
            }
            match context {
                Context::Call(method, pc) => return source_line(world, method, pc),
                Context::Receiver(outer) => {
                    origin = self.points.objects[outer.0 as usize].origin;
                }
                Context::None => return None,
            }
        }
        None
    }

    fn class(&self, class: ClassId) -> String {
        self.points.world.class_name(class).replace('/', ".")
    }

    fn field(&self, class: ClassId, slot: u32) -> Option<String> {
        let (_, field) = self.points.world.field_at(class, slot)?;
        Some(self.points.world.text(field.name).to_owned())
    }

    fn term(&self, term: &Term) -> String {
        let world = self.points.world;
        match term {
            Term::Mirror(class) => format!("{}.class", self.class(*class)),
            Term::Static(class, slot) => {
                let field = world.static_at(*class, *slot);
                let name = field.map_or("?", |field| world.text(field.name));
                format!("{}.{name}", self.class(*class))
            }
            Term::Single(object) => self.object(*object),
            Term::Field(base, slot) => format!("{}.{slot}", self.term(base)),
            Term::Parameter(0) => "this".to_owned(),
            Term::Parameter(index) => format!("argument {index}"),
            Term::Value(_) => "a local variable".to_owned(),
        }
    }

    /// A static field that holds the object, or where it is made.
    pub(crate) fn object(&self, object: ObjectId) -> String {
        let points = self.points;
        if let Some(name) = points.static_name(object) {
            return name;
        }
        let found = &points.objects[object.0 as usize];
        if let Origin::Mirror(class) = found.origin {
            return format!("{}.class", self.class(class));
        }
        let class = self.class(found.class);
        match self.made_at(object) {
            Some(line) => format!("the {class} of line {}", line.line),
            None => format!("a {class}"),
        }
    }

    fn guard(&self, guard: &Guard, class: ClassId) -> String {
        match guard {
            Guard::Own(_, path) if path.is_empty() => "this".to_owned(),
            Guard::Own(_, path) => {
                let mut told = Vec::new();
                for slot in path {
                    told.push(self.field(class, *slot).unwrap_or_else(|| slot.to_string()));
                }
                told.join(".")
            }
            Guard::Global(_, term) => self.term(term),
        }
    }
}

/// A variable, and who accesses it.
type Accessed<'a> = (&'a Place, &'a Vec<Access>);

/// Describes what threads share.
pub(crate) fn sharing(
    points: &PointsTo<'_>,
    threads: &ThreadFacts,
    accesses: &Accesses,
    locks: &Locks,
) -> Sharing {
    let names = Names { points };
    let mut by_field: BTreeMap<(ClassId, String), Vec<Accessed<'_>>> = BTreeMap::new();
    for (place, all) in accesses {
        if let Some(key) = declared(points, *place) {
            by_field.entry(key).or_default().push((place, all));
        }
    }
    let mut fields = Vec::new();
    for ((class, name), places) in by_field {
        fields.extend(field(&names, threads, class, name, &places));
    }
    let by_line = |field: &SharedField| field.accesses.first().map(|it| it.line.clone());
    fields.sort_by_key(|field| (field.warning.is_none(), by_line(field)));
    let nested = nested(&names, locks);
    Sharing {
        threads: thread_kinds(&names, threads),
        fields,
        cycles: cycles(&nested),
        nested,
        unknown: points
            .unknown
            .iter()
            .map(|(what, method)| format!("{what} in {}", points.world.method_name(*method)))
            .collect(),
    }
}

/// The class of the program that declares a variable, and its name.
pub(crate) fn declared(points: &PointsTo<'_>, place: Place) -> Option<(ClassId, String)> {
    let world = points.world;
    match place {
        Place::Static(class, slot) => {
            let field = world.static_at(class, slot)?;
            let is_ours = is_program(world, class) && field.flags & flags::SYNTHETIC == 0;
            is_ours.then(|| (class, world.text(field.name).to_owned()))
        }
        Place::Field(object, slot) => {
            let class = points.objects[object.0 as usize].class;
            let (declaring, field) = world.field_at(class, slot)?;
            let is_ours = is_program(world, declaring) && field.flags & flags::SYNTHETIC == 0;
            is_ours.then(|| (declaring, world.text(field.name).to_owned()))
        }
        Place::Elements(object) => {
            let described = &points.objects[object.0 as usize];
            let Origin::Made(method, ..) = described.origin else {
                return None;
            };
            let is_ours = is_program(world, world.method(method).class);
            is_ours.then(|| (described.class, "[]".to_owned()))
        }
    }
}

fn field(
    names: &Names<'_, '_>,
    threads: &ThreadFacts,
    class: ClassId,
    name: String,
    places: &[Accessed<'_>],
) -> Option<SharedField> {
    let mut all = 0;
    let mut worst: Option<(u32, Protection, Option<Warning>)> = None;
    for (place, accesses) in places {
        let (Place::Field(object, _) | Place::Elements(object)) = **place else {
            all |= shared_by(accesses);
            judge(names, threads, class, &name, accesses, &mut worst);
            continue;
        };
        if threads.confined.contains(&object) {
            continue;
        }
        all |= shared_by(accesses);
        judge(names, threads, class, &name, accesses, &mut worst);
    }
    let is_shared = all.count_ones() > 1 || all & threads.several != 0;
    let (_, protection, warning) = worst?;
    if !is_shared {
        return None;
    }
    let (warning, warned_at) = warning.unzip();
    Some(SharedField {
        class: names.class(class),
        accesses: lines(names, threads, class, places),
        name,
        protection,
        warning,
        warned_at: warned_at.unwrap_or_default(),
    })
}

fn shared_by(accesses: &[Access]) -> u64 {
    let all = accesses.iter().filter(|it| !it.is_initial);
    all.fold(0, |all, it| all | it.threads)
}

/// What is wrong, and where.
type Warning = (String, Vec<Line>);

/// How the accesses to one variable are protected; the worst of all is kept.
fn judge(
    names: &Names<'_, '_>,
    threads: &ThreadFacts,
    class: ClassId,
    name: &str,
    accesses: &[Access],
    worst: &mut Option<(u32, Protection, Option<Warning>)>,
) {
    let later: Vec<&Access> = accesses.iter().filter(|it| !it.is_initial).collect();
    let mut found = if !later.iter().any(|it| it.is_write) {
        (0, Protection::Unwritten, None)
    } else if later.iter().all(|it| it.is_ordered) {
        (2, Protection::Ordered, None)
    } else {
        (1, Protection::Sequential, None)
    };
    let mut met: Vec<&Access> = Vec::new();
    let mut bad: Option<(&Access, &Access)> = None;
    let mut is_met = false;
    for (index, one) in later.iter().enumerate() {
        for other in &later[index..] {
            if !(one.is_write || other.is_write) || (one.is_ordered && other.is_ordered) {
                continue;
            }
            if !threads.may_meet_at(one, other) {
                continue;
            }
            is_met = true;
            met.extend([*one, *other]);
            if one.guards.is_disjoint(&other.guards) && bad.is_none() {
                bad = Some((one, other));
            }
        }
    }
    if is_met {
        let common = met
            .iter()
            .skip(1)
            .fold(met[0].guards.clone(), |all, it| &all & &it.guards);
        found = match bad {
            None if common.is_empty() => (3, Protection::Locked(Vec::new()), None),
            None => {
                let locks = told(&common).map(|it| names.guard(it, class)).collect();
                (3, Protection::Locked(locks), None)
            }
            Some(pair) => {
                let warning = warning(names, class, name, &met, pair);
                match met.iter().any(|it| !it.guards.is_empty()) {
                    true => (5, Protection::Inconsistent, warning),
                    false => (4, Protection::None, warning),
                }
            }
        };
    }
    if worst.as_ref().is_none_or(|worst| worst.0 < found.0) {
        *worst = Some(found);
    }
}

/// Locks by one name each: what is the only object that is made somewhere has often another name.
fn told(guards: &BTreeSet<Guard>) -> impl Iterator<Item = &Guard> {
    let is_object = |it: &&Guard| matches!(it, Guard::Global(_, Term::Single(_)));
    let has_others = guards.iter().any(|it| !is_object(&it));
    guards
        .iter()
        .filter(move |it| !(has_others && is_object(it)))
}

/// "`count` is written under `lock` at 12 and without at 30"
fn warning(
    names: &Names<'_, '_>,
    class: ClassId,
    name: &str,
    met: &[&Access],
    (one, other): (&Access, &Access),
) -> Option<Warning> {
    let world = names.points.world;
    let line = |access: &Access| source_line(world, access.method, access.pc);
    let does = |access: &Access| match access.is_write {
        true => "written",
        false => "read",
    };
    let under = |access: &Access| {
        let all: Vec<String> = told(&access.guards)
            .map(|it| names.guard(it, class))
            .collect();
        match all.is_empty() {
            true => "without a lock".to_owned(),
            false => format!("under `{}`", all.join("`, `")),
        }
    };
    // The one with a lock is told first; somewhere there may be one that has it.
    let guarded = met.iter().find(|it| !it.guards.is_empty());
    let (first, second) = match (one.guards.is_empty(), other.guards.is_empty()) {
        (true, true) => match guarded {
            Some(guarded) => (*guarded, if one.is_write { one } else { other }),
            None if one.is_write => (one, other),
            None => (other, one),
        },
        (true, false) => (other, one),
        _ => (one, other),
    };
    let (Some(at), Some(there)) = (line(first), line(second)) else {
        return None;
    };
    let text = format!(
        "`{name}` is {} {} at {} and {} {} at {}",
        does(first),
        under(first),
        at.line,
        does(second),
        under(second),
        there.line,
    );
    Some((text, vec![at, there]))
}

fn lines(
    names: &Names<'_, '_>,
    threads: &ThreadFacts,
    class: ClassId,
    places: &[Accessed<'_>],
) -> Vec<FieldAccess> {
    let mut found: BTreeMap<(Line, bool), FieldAccess> = BTreeMap::new();
    for access in places.iter().flat_map(|it| it.1) {
        let world = names.points.world;
        let Some(line) = source_line(world, access.method, access.pc) else {
            continue;
        };
        let locks: BTreeSet<String> = told(&access.guards)
            .map(|it| names.guard(it, class))
            .collect();
        let key = (line.clone(), access.is_initial);
        let entry = found.entry(key).or_insert_with(|| FieldAccess {
            line,
            is_read: false,
            is_write: false,
            threads: Vec::new(),
            locks: locks.iter().cloned().collect(),
            is_initial: access.is_initial,
        });
        entry.is_read |= access.is_read;
        entry.is_write |= access.is_write;
        entry.threads.extend(threads.numbers(access.threads));
        entry.threads.sort_unstable();
        entry.threads.dedup();
        entry.locks.retain(|lock| locks.contains(lock));
    }
    found.into_values().collect()
}

fn thread_kinds(names: &Names<'_, '_>, threads: &ThreadFacts) -> Vec<ThreadKind> {
    let points = names.points;
    let mut kinds = Vec::new();
    for (number, root) in points.roots.iter().enumerate() {
        let name = match (number, names.made_at(root.object)) {
            (0, _) => "main".to_owned(),
            (_, Some(line)) => format!("thread of line {}", line.line),
            (_, None) => {
                let class = points.objects[root.object.0 as usize].class;
                format!("a {}", names.class(class))
            }
        };
        kinds.push(ThreadKind {
            name,
            is_several: threads.several & bit(number) != 0,
        });
    }
    kinds
}

/// Which locks the program takes while it holds others.
fn nested(names: &Names<'_, '_>, locks: &Locks) -> Vec<Nested> {
    let points = names.points;
    let mut found = BTreeSet::new();
    for (number, instance) in points.instances.iter().enumerate().skip(1) {
        let id = InstanceId(number as u32);
        let method = points.world.method(instance.method);
        if !is_program(points.world, method.class) {
            continue;
        }
        let takes = instance.body.acts.iter().filter_map(|act| match &act.what {
            What::Enter(value) => Some((act.pc, *value)),
            What::Call { arguments, .. } => {
                let range = (act.pc, InstanceId(0))..=(act.pc, InstanceId(u32::MAX));
                let mut callees = instance.calls.range(range);
                let is_lock = callees.any(|it| takes_receiver(points, it.1));
                let receiver = arguments.first().copied().flatten();
                receiver.filter(|_| is_lock).map(|it| (act.pc, it))
            }
            _ => None,
        });
        for (pc, value) in takes {
            let inner: BTreeSet<String> = points
                .points(id, value)
                .iter()
                .map(|it| names.object(ObjectId(it)))
                .collect();
            for (_, term) in locks.held(id, pc).into_iter().flat_map(|it| it.iter()) {
                let outer: BTreeSet<String> = match locks.objects(points, id, term) {
                    Some(objects) => objects.into_iter().map(|it| names.object(it)).collect(),
                    None => [names.term(term)].into(),
                };
                let Some(line) = source_line(points.world, instance.method, pc) else {
                    continue;
                };
                for outer in &outer {
                    for inner in inner.iter().filter(|it| *it != outer) {
                        found.insert(Nested {
                            outer: outer.clone(),
                            inner: inner.clone(),
                            line: line.clone(),
                        });
                    }
                }
            }
        }
    }
    found.into_iter().collect()
}

/// Whether a call takes the lock of its receiver.
fn takes_receiver(points: &PointsTo<'_>, callee: InstanceId) -> bool {
    let method = points
        .world
        .method(points.instances[callee.0 as usize].method);
    callee != crate::points_to::REMOTE
        && (is_lock_call(points, callee) || method.is_synchronized() && !method.is_static())
}

/// The locks of which each is taken while the one before it is held, and the first one while the last.
fn cycles(nested: &[Nested]) -> Vec<Vec<String>> {
    let mut names: Vec<&String> = nested
        .iter()
        .flat_map(|it| [&it.outer, &it.inner])
        .collect();
    names.sort();
    names.dedup();
    let number = |name: &String| names.binary_search(&name).unwrap_or(0) as u32;
    let mut next: Vec<Vec<u32>> = vec![Vec::new(); names.len()];
    for it in nested {
        next[number(&it.outer) as usize].push(number(&it.inner));
    }
    let components = crate::graph::components(names.len(), |node| &next[node]);
    let mut together: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for (node, component) in components.iter().enumerate() {
        together
            .entry(*component)
            .or_default()
            .push(names[node].clone());
    }
    together.into_values().filter(|it| it.len() > 1).collect()
}
