//! Which objects a reference may refer to, and which methods may be called: both are found together.
//!
//! **From**: paper 003, section 4.3 (storage structure graphs, after Chase, Wegman and Zadeck, and
//! Corbett); here by inclusion (Andersen). An object stands for all that are made by one instruction.
//! Fields are told apart, the elements of an array are not, and the order of instructions does not
//! matter beyond what [`values`](crate::values) sees of it.
//!
//! **Contexts.** A method of the program, of `java.util` or of a thread is looked at once for each
//! object on which it is called (object sensitivity), and what it makes is another object for each of
//! these: two lists, or two threads with their tasks, are not mixed up. All other methods are looked
//! at once. Chains of contexts have at most [`DEEPEST`] links.
//!
//! The analysis begins where the program begins: with the library started, whose objects are there,
//! one by one ([`Origin::First`]), except strings and the like, of which there is one for each class.
//!
//! What is not known (reflection, method handles, native methods that give somebody else's objects)
//! is in [`PointsTo::unknown`]. Whoever makes use of what is found here has to look at it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use raddle_jvm::heap::{Body as Content, Ref};
use raddle_jvm::listing::Op;
use raddle_jvm::roles::Role;
use raddle_jvm::state::Initialisation;
use raddle_jvm::world::Origin as Source;
use raddle_jvm::{ClassId, MethodId, State, ThreadId, World};

use crate::remote;
use crate::set::Set;
use crate::values::{self, Body, Slot, Value, What};

/// The most links of a chain of contexts.
const DEEPEST: u32 = 4;

/// The most instances of methods.
const MOST_INSTANCES: usize = 60_000;

type Map<K, V> = HashMap<K, V, FixedState>;

/// The number of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// The number of a method in a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstanceId(pub u32);

/// What stands for the parts of the library that are not looked into.
pub(crate) const REMOTE: InstanceId = InstanceId(0);

type Node = u32;

/// Where an object comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// An instruction makes it, in a context.
    Made(MethodId, u32, Context),
    /// It is there when the program begins.
    First(Ref),
    /// All others of a class.
    Any,
    /// The `Class` object of a class.
    Mirror(ClassId),
}

/// What a method is looked at for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Context {
    /// All calls.
    None,
    /// Calls on an object.
    Receiver(ObjectId),
    /// A call in the program, if there is no receiver.
    Call(MethodId, u32),
}

/// Objects.
#[derive(Clone, Debug)]
pub struct Object {
    /// Their class.
    pub class: ClassId,
    /// Where they come from.
    pub origin: Origin,
    depth: u32,
    /// Whether methods are looked at for each of these.
    is_context: bool,
    /// Whether it may be of another class: an array that the library makes by reflection.
    is_wild: bool,
}

/// A method in a context.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) method: MethodId,
    pub(crate) context: Context,
    pub(crate) body: Rc<Body>,
    first: Node,
    /// What it calls, and where.
    pub(crate) calls: BTreeSet<(u32, InstanceId)>,
    /// The classes that it initialises, if nobody has yet.
    pub(crate) initialises: BTreeSet<(u32, InstanceId)>,
}

/// Threads that are started on one object.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    /// Their `java.lang.Thread`.
    pub(crate) object: ObjectId,
    /// What they run.
    pub(crate) entries: Vec<InstanceId>,
}

#[derive(Debug, Default)]
struct Uses {
    flows: Vec<(Node, Option<ClassId>)>,
    loads: Vec<(Slot, Node)>,
    stores: Vec<(Slot, Node)>,
    /// Loads and stores of whatever the object has.
    loads_any: Vec<Node>,
    stores_any: Vec<Node>,
    calls: Vec<u32>,
}

#[derive(Clone, Debug)]
struct CallSite {
    caller: InstanceId,
    pc: u32,
    op: Op,
    method: MethodId,
    arguments: Vec<Option<Node>>,
    to: Option<Node>,
}

/// See the module's documentation.
pub(crate) struct PointsTo<'w> {
    pub(crate) world: &'w World,
    pub(crate) start: &'w State,
    pub(crate) objects: Vec<Object>,
    by_origin: Map<(ClassId, Origin), ObjectId>,
    pub(crate) instances: Vec<Instance>,
    by_method: Map<(MethodId, Context), InstanceId>,
    bodies: Map<MethodId, Option<Rc<Body>>>,
    points: Vec<Set>,
    news: Vec<Set>,
    uses: Vec<Uses>,
    is_queued: Vec<bool>,
    queue: VecDeque<Node>,
    fields: BTreeMap<(ObjectId, Slot), Node>,
    statics: BTreeMap<(ClassId, u32), Node>,
    calls: Vec<CallSite>,
    masks: BTreeMap<ClassId, Set>,
    pending: Vec<InstanceId>,
    /// What is copied as a whole.
    copied: Vec<Node>,
    /// Which instances make an object, and where.
    pub(crate) makers: Map<ObjectId, BTreeSet<(InstanceId, u32)>>,
    /// Objects of which there are several although they are made in one place.
    pub(crate) several: BTreeSet<ObjectId>,
    /// Threads, `main` first.
    pub(crate) roots: Vec<Root>,
    thrown: Node,
    current: Node,
    /// What the parts of the library have that are not looked into.
    remote: Node,
    is_remote: Map<ClassId, bool>,
    has_initialiser: Map<ClassId, bool>,
    is_program: Map<ClassId, bool>,
    is_contextual: Map<ClassId, bool>,
    text: ObjectId,
    /// What is not known, with the method where it is.
    pub(crate) unknown: BTreeMap<String, MethodId>,
}

/// Looks at a program from a state in which `main` has not begun.
pub(crate) fn points_to<'w>(world: &'w World, start: &'w State) -> PointsTo<'w> {
    let mut this = PointsTo {
        world,
        start,
        objects: Vec::new(),
        by_origin: Map::default(),
        instances: Vec::new(),
        by_method: Map::default(),
        bodies: Map::default(),
        points: Vec::new(),
        news: Vec::new(),
        uses: Vec::new(),
        is_queued: Vec::new(),
        queue: VecDeque::new(),
        fields: BTreeMap::new(),
        statics: BTreeMap::new(),
        calls: Vec::new(),
        masks: BTreeMap::new(),
        pending: Vec::new(),
        copied: Vec::new(),
        makers: Map::default(),
        several: BTreeSet::new(),
        roots: Vec::new(),
        thrown: 0,
        current: 1,
        remote: 2,
        is_remote: Map::default(),
        has_initialiser: Map::default(),
        is_program: Map::default(),
        is_contextual: Map::default(),
        text: ObjectId(0),
        unknown: BTreeMap::new(),
    };
    // What is thrown, who runs, and what the remote parts have.
    for _ in [this.thrown, this.current, this.remote] {
        this.node();
    }
    this.instances.push(Instance {
        method: MethodId::default(),
        context: Context::None,
        body: Rc::default(),
        first: 0,
        calls: BTreeSet::new(),
        initialises: BTreeSet::new(),
    });
    let string = world.load("java/lang/String").unwrap_or_default();
    this.text = this.object(string, Origin::Any);
    this.begin();
    this.solve();
    for node in std::mem::take(&mut this.copied) {
        let copied: Vec<ObjectId> = this.known(node);
        this.several.extend(copied);
    }
    this
}

impl<'w> PointsTo<'w> {
    fn node(&mut self) -> Node {
        self.points.push(Set::default());
        self.news.push(Set::default());
        self.uses.push(Uses::default());
        self.is_queued.push(false);
        self.points.len() as Node - 1
    }

    /// The objects of a class that come from somewhere.
    fn object(&mut self, class: ClassId, origin: Origin) -> ObjectId {
        if let Some(&known) = self.by_origin.get(&(class, origin)) {
            return known;
        }
        let (depth, is_context) = match origin {
            Origin::Made(method, _, context) => {
                let depth = self.depth(context);
                let is_ours = self.is_program(self.world.method(method).class);
                let is_tracked = is_ours || context != Context::None;
                let is_context = is_tracked && depth < DEEPEST && self.is_contextual(class);
                (depth + 1, is_context)
            }
            _ => (0, false),
        };
        let id = ObjectId(self.objects.len() as u32);
        self.objects.push(Object {
            class,
            origin,
            depth,
            is_context,
            is_wild: false,
        });
        self.by_origin.insert((class, origin), id);
        for (&wanted, mask) in &mut self.masks {
            if self.world.is_assignable(class, wanted) {
                mask.insert(id.0);
            }
        }
        id
    }

    fn depth(&self, context: Context) -> u32 {
        match context {
            Context::None => 0,
            Context::Call(..) => 1,
            Context::Receiver(object) => self.objects[object.0 as usize].depth,
        }
    }

    /// Whether a class is of the program, or a lambda in it.
    pub(crate) fn is_program(&mut self, class: ClassId) -> bool {
        let world = self.world;
        *self
            .is_program
            .entry(class)
            .or_insert_with(|| is_program(world, class))
    }

    fn is_contextual(&mut self, class: ClassId) -> bool {
        if let Some(&known) = self.is_contextual.get(&class) {
            return known;
        }
        let world = self.world;
        let name = world.class_name(class);
        let is_thread = || world.is_assignable(class, world.known().thread);
        let is_it = self.is_program(class)
            || name.starts_with("java/util/")
            || name.starts_with("java/lang/Thread$FieldHolder")
            || name.starts_with("java/lang/ThreadLocal")
            || is_thread();
        // Its machinery has many objects and tells nothing of threads.
        let is_it = is_it
            && ![
                "java/util/regex/",
                "java/util/Formatter",
                "java/util/Locale",
                "java/util/stream/",
            ]
            .iter()
            .any(|it| name.starts_with(it));
        self.is_contextual.insert(class, is_it);
        is_it
    }

    /// The objects that one of the beginning belongs to.
    fn first(&mut self, object: Ref) -> ObjectId {
        let world = self.world;
        let Some(found) = self.start.heap.get(object) else {
            return self.text;
        };
        let class = found.class;
        if class == world.known().class {
            return match self.start.mirrored(world, object) {
                Some(mirrored) => self.object(class, Origin::Mirror(mirrored)),
                None => self.object(class, Origin::Any),
            };
        }
        let is_plain = match &found.body {
            Content::Fields(_) => {
                let name = world.class_name(class);
                matches!(
                    name,
                    "java/lang/String"
                        | "java/lang/Integer"
                        | "java/lang/Long"
                        | "java/lang/Character"
                        | "java/lang/Short"
                        | "java/lang/Byte"
                        | "java/lang/invoke/MethodType"
                        | "java/lang/Module"
                )
            }
            _ => self.start.heap.refs(object).is_none(),
        };
        match is_plain {
            true => self.object(class, Origin::Any),
            false => self.object(class, Origin::First(object)),
        }
    }

    fn begin(&mut self) {
        let Some(main) = self.start.thread(ThreadId::MAIN) else {
            return;
        };
        let thread = self.first(main.object);
        let Some(method) = main.frames.first().map(|frame| frame.method) else {
            return;
        };
        let Some(entry) = self.instance(method, Context::None) else {
            return;
        };
        let strings = self.world.load("[Ljava/lang/String;").unwrap_or_default();
        let given = self.object(strings, Origin::Any);
        let text = self.text;
        let elements = self.field(given, Slot::Elements);
        self.add(elements, text);
        let parameter = self.instances[entry.0 as usize].body.parameters.first();
        if let Some(&Some(value)) = parameter {
            let node = self.value(entry, value);
            self.add(node, given);
        }
        let mut entries = vec![entry];
        self.add(self.current, thread);
        self.ends(thread, &mut entries);
        self.roots.push(Root {
            object: thread,
            entries,
        });
    }

    /// What a thread does when its own code has ended.
    fn ends(&mut self, thread: ObjectId, entries: &mut Vec<InstanceId>) {
        let all = [
            ("exit", "()V"),
            ("dispatchUncaughtException", "(Ljava/lang/Throwable;)V"),
        ];
        let (world, class) = (self.world, self.objects[thread.0 as usize].class);
        for (name, descriptor) in all {
            let names = &world.names;
            let method = world.find_method(class, names.intern(name), names.intern(descriptor));
            let context = self.context_of(thread);
            let Some(instance) = method.and_then(|it| self.instance(it, context)) else {
                continue;
            };
            self.give(instance, 0, thread);
            if let Some(&Some(value)) = self.instances[instance.0 as usize].body.parameters.get(1) {
                let node = self.value(instance, value);
                self.flow(self.thrown, node, None);
            }
            entries.push(instance);
        }
    }

    /// Gives an instance an object as an argument.
    fn give(&mut self, instance: InstanceId, index: usize, object: ObjectId) {
        let parameter = self.instances[instance.0 as usize]
            .body
            .parameters
            .get(index);
        if let Some(&Some(value)) = parameter {
            let node = self.value(instance, value);
            self.add(node, object);
        }
    }

    /// A method in a context; none if it has no code.
    fn instance(&mut self, method: MethodId, context: Context) -> Option<InstanceId> {
        if let Some(&known) = self.by_method.get(&(method, context)) {
            return Some(known);
        }
        let world = self.world;
        let read = || values::read(world, method).map(Rc::new);
        let body = Rc::clone(self.bodies.entry(method).or_insert_with(read).as_ref()?);
        if self.instances.len() >= MOST_INSTANCES {
            self.is_unknown("too many methods".to_owned(), method);
            return None;
        }
        let id = InstanceId(self.instances.len() as u32);
        let first = self.points.len() as Node;
        // One more for what it returns.
        for _ in 0..=body.count {
            self.node();
        }
        self.instances.push(Instance {
            method,
            context,
            body,
            first,
            calls: BTreeSet::new(),
            initialises: BTreeSet::new(),
        });
        self.by_method.insert((method, context), id);
        self.pending.push(id);
        Some(id)
    }

    pub(crate) fn is_unknown(&mut self, what: String, method: MethodId) {
        self.unknown.entry(what).or_insert(method);
    }

    pub(crate) fn value(&self, instance: InstanceId, value: Value) -> Node {
        self.instances[instance.0 as usize].first + value
    }

    fn returned(&self, instance: InstanceId) -> Node {
        let instance = &self.instances[instance.0 as usize];
        instance.first + instance.body.count
    }

    /// What a value may refer to.
    pub(crate) fn points(&self, instance: InstanceId, value: Value) -> &Set {
        &self.points[self.value(instance, value) as usize]
    }

    /// What the parts of the library have that are not looked into.
    pub(crate) fn remote_points(&self) -> &Set {
        &self.points[self.remote as usize]
    }

    /// What static fields may refer to.
    pub(crate) fn static_points(&self) -> impl Iterator<Item = &Set> {
        self.statics
            .values()
            .map(|&node| &self.points[node as usize])
    }

    /// The name of a static final field that holds an object, and nothing else.
    pub(crate) fn static_name(&self, object: ObjectId) -> Option<String> {
        let those = self
            .statics
            .iter()
            .filter(|(_, node)| self.points[**node as usize].single() == Some(object.0));
        for (&(class, slot), _) in those {
            if let Some(field) = self.world.static_at(class, slot) {
                let class = self.world.class_name(class).replace('/', ".");
                return Some(format!("{class}.{}", self.world.text(field.name)));
            }
        }
        None
    }

    /// The fields of all objects that anybody accesses and that may refer to something.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (ObjectId, Slot, &Set)> {
        let all = self.fields.iter();
        all.map(|(&(object, slot), &node)| (object, slot, &self.points[node as usize]))
    }

    fn field(&mut self, object: ObjectId, slot: Slot) -> Node {
        if let Some(&known) = self.fields.get(&(object, slot)) {
            return known;
        }
        let node = self.node();
        self.fields.insert((object, slot), node);
        if let Origin::First(place) = self.objects[object.0 as usize].origin {
            let heap = &self.start.heap;
            let targets: Vec<Ref> = match slot {
                Slot::Field(slot) => vec![heap.ref_field(place, slot)],
                Slot::Elements => heap.refs(place).unwrap_or_default().to_vec(),
                Slot::Static(..) => Vec::new(),
            };
            for target in targets.into_iter().filter(|it| !it.is_null()) {
                let target = self.first(target);
                self.add(node, target);
            }
        }
        node
    }

    fn static_field(&mut self, class: ClassId, slot: u32) -> Node {
        if let Some(&known) = self.statics.get(&(class, slot)) {
            return known;
        }
        let node = self.node();
        self.statics.insert((class, slot), node);
        let mirror = self.start.class(class).mirror;
        let Some(field) = self.world.static_at(class, slot) else {
            return node;
        };
        if self.world.begins_constant(field) && self.world.field_class(field).is_some() {
            self.add(node, self.text);
        }
        if field.kind == raddle_jvm::descriptor::Kind::Ref && !mirror.is_null() {
            let target = self.start.heap.ref_field(mirror, slot);
            if !target.is_null() {
                let target = self.first(target);
                self.add(node, target);
            }
        }
        node
    }

    fn add(&mut self, node: Node, object: ObjectId) {
        if self.points[node as usize].insert(object.0) {
            self.news[node as usize].insert(object.0);
            self.enqueue(node);
        }
    }

    fn enqueue(&mut self, node: Node) {
        if !self.is_queued[node as usize] {
            self.is_queued[node as usize] = true;
            self.queue.push_back(node);
        }
    }

    /// What is in one node is in another one, as far as it is of a class.
    fn flow(&mut self, from: Node, to: Node, class: Option<ClassId>) {
        if from == to {
            return;
        }
        let class = class.filter(|&class| self.world.class_name(class) != "java/lang/Object");
        let flows = &mut self.uses[from as usize].flows;
        if flows.len() < 64 && flows.contains(&(to, class)) {
            return;
        }
        flows.push((to, class));
        let known = std::mem::take(&mut self.points[from as usize]);
        self.pass(&known, to, class);
        self.points[from as usize] = known;
    }

    fn pass(&mut self, objects: &Set, to: Node, class: Option<ClassId>) {
        if objects.is_empty() {
            return;
        }
        if let Some(class) = class {
            self.need_mask(class);
        }
        let mask = class.and_then(|class| self.masks.get(&class));
        let to = to as usize;
        if self.points[to].absorb(objects, mask, &mut self.news[to]) {
            self.enqueue(to as Node);
        }
    }

    fn need_mask(&mut self, class: ClassId) {
        if self.masks.contains_key(&class) {
            return;
        }
        let mut mask = Set::default();
        for (number, object) in self.objects.iter().enumerate() {
            let is_wild = object.is_wild && self.world.element_class(class).is_some();
            if is_wild || self.world.is_assignable(object.class, class) {
                mask.insert(number as u32);
            }
        }
        self.masks.insert(class, mask);
    }

    fn solve(&mut self) {
        loop {
            while let Some(instance) = self.pending.pop() {
                self.constrain(instance);
            }
            let Some(node) = self.queue.pop_front() else {
                return;
            };
            self.is_queued[node as usize] = false;
            let news = std::mem::take(&mut self.news[node as usize]);
            let flows = self.uses[node as usize].flows.len();
            for index in 0..flows {
                let (to, class) = self.uses[node as usize].flows[index];
                self.pass(&news, to, class);
            }
            let uses = &self.uses[node as usize];
            let is_base = node == self.remote
                || !uses.loads.is_empty()
                || !uses.stores.is_empty()
                || !uses.loads_any.is_empty()
                || !uses.stores_any.is_empty()
                || !uses.calls.is_empty();
            if is_base {
                for object in news.iter() {
                    self.meet(node, ObjectId(object));
                }
            }
        }
    }

    /// An object has come to a node.
    fn meet(&mut self, node: Node, object: ObjectId) {
        let at = node as usize;
        for index in 0..self.uses[at].loads.len() {
            let (slot, to) = self.uses[at].loads[index];
            self.load(object, slot, to);
        }
        for index in 0..self.uses[at].stores.len() {
            let (slot, from) = self.uses[at].stores[index];
            self.store(object, slot, from);
        }
        for index in 0..self.uses[at].loads_any.len() {
            let to = self.uses[at].loads_any[index];
            for slot in self.all_slots(object) {
                self.load(object, slot.0, to);
            }
        }
        for index in 0..self.uses[at].stores_any.len() {
            let from = self.uses[at].stores_any[index];
            for (slot, class) in self.all_slots(object) {
                let field = self.slot_node(object, slot);
                self.flow(from, field, class);
            }
        }
        for index in 0..self.uses[at].calls.len() {
            let call = self.uses[at].calls[index];
            self.dispatch(call, object);
        }
        if node == self.remote {
            self.call_back(object);
        }
    }

    /// Whether an object can have a field or elements there: a reference of a wrong type may have
    /// come to an access.
    fn has(&self, object: ObjectId, slot: Slot) -> bool {
        let class = self.objects[object.0 as usize].class;
        let is_array = self.world.element_class(class).is_some();
        match slot {
            Slot::Elements => is_array,
            Slot::Field(slot) => !is_array && slot < self.world.class(class).instance_slots,
            Slot::Static(..) => false,
        }
    }

    fn load(&mut self, object: ObjectId, slot: Slot, to: Node) {
        if self.has(object, slot) {
            let field = self.slot_node(object, slot);
            self.flow(field, to, None);
        }
    }

    fn store(&mut self, object: ObjectId, slot: Slot, from: Node) {
        if self.has(object, slot) {
            let field = self.slot_node(object, slot);
            // Only what fits is ever stored.
            let class = self.slot_class(object, slot);
            self.flow(from, field, class);
        }
    }

    fn slot_node(&mut self, object: ObjectId, slot: Slot) -> Node {
        self.field(object, slot)
    }

    fn slot_class(&self, object: ObjectId, slot: Slot) -> Option<ClassId> {
        let class = self.objects[object.0 as usize].class;
        match slot {
            Slot::Elements => self.world.element_class(class),
            Slot::Field(slot) => {
                let (_, field) = self.world.field_at(class, slot)?;
                self.world.field_class(field)
            }
            Slot::Static(..) => None,
        }
    }

    /// All places of an object that hold references, and of which class these are.
    fn all_slots(&self, object: ObjectId) -> Vec<(Slot, Option<ClassId>)> {
        let found = &self.objects[object.0 as usize];
        if let Some(element) = self.world.element_class(found.class) {
            return vec![(Slot::Elements, Some(element))];
        }
        let refs = self.world.class(found.class).ref_slots.iter();
        let refs = refs.enumerate().filter(|(_, is_ref)| **is_ref);
        refs.map(|(slot, _)| {
            let slot = Slot::Field(slot as u32);
            (slot, self.slot_class(object, slot))
        })
        .collect()
    }

    /// What the code of an instance does.
    fn constrain(&mut self, id: InstanceId) {
        let instance = &self.instances[id.0 as usize];
        let (body, method) = (Rc::clone(&instance.body), instance.method);
        let node = |value: Value| self.instances[id.0 as usize].first + value;
        let flows: Vec<(Node, Node)> = body
            .flows
            .iter()
            .map(|&(from, to)| (node(from), node(to)))
            .collect();
        for (from, to) in flows {
            self.flow(from, to, None);
        }
        for what in &body.unknown {
            self.is_unknown(what.clone(), method);
        }
        for act in &body.acts {
            self.perform(id, act.pc, &act.what);
        }
    }

    fn made(&mut self, id: InstanceId, pc: u32, class: ClassId) -> ObjectId {
        let instance = &self.instances[id.0 as usize];
        let (method, mut context) = (instance.method, instance.context);
        if self.depth(context) >= DEEPEST {
            context = Context::None;
        }
        let owner = self.world.method(method).class;
        // What is made by the thousand tells nothing.
        if !self.is_program(owner) && context == Context::None && self.is_common(class) {
            return self.object(class, Origin::Any);
        }
        let object = self.object(class, Origin::Made(method, pc, context));
        self.makers.entry(object).or_default().insert((id, pc));
        object
    }

    /// Whether objects of a class of the library are not told apart.
    fn is_common(&self, class: ClassId) -> bool {
        let name = self.world.class_name(class);
        let is_plain_array = name.len() == 2 && name.starts_with('[');
        is_plain_array
            || matches!(
                name,
                "java/lang/String" | "java/lang/StringBuilder" | "[Ljava/lang/String;"
            )
            || self
                .world
                .is_assignable(class, self.world.known().throwable)
    }

    fn perform(&mut self, id: InstanceId, pc: u32, what: &What) {
        let node = |this: &Self, value: Value| this.value(id, value);
        match what {
            What::New { to, class } => {
                let object = match self.world.class_name(*class) {
                    "java/lang/String" => self.text,
                    _ => self.made(id, pc, *class),
                };
                let to = node(self, *to);
                self.add(to, object);
            }
            What::Array { to, class } => {
                let mut array = self.made(id, pc, *class);
                let to = node(self, *to);
                self.add(to, array);
                // Arrays in it have the same place.
                let mut class = *class;
                while let Some(element) = self.world.element_class(class)
                    && self.world.element_class(element).is_some()
                {
                    let inner = self.made(id, pc, element);
                    self.several.insert(inner);
                    let elements = self.field(array, Slot::Elements);
                    self.add(elements, inner);
                    (array, class) = (inner, element);
                }
            }
            What::Lambda {
                to,
                class,
                captured,
            } => {
                let object = match captured.is_empty() {
                    // There is one for all.
                    true => {
                        let method = self.instances[id.0 as usize].method;
                        self.object(*class, Origin::Made(method, pc, Context::None))
                    }
                    false => self.made(id, pc, *class),
                };
                for (slot, value) in captured.iter().enumerate() {
                    if let Some(value) = value {
                        let field = self.field(object, Slot::Field(slot as u32));
                        let value = node(self, *value);
                        self.flow(value, field, None);
                    }
                }
                let to = node(self, *to);
                self.add(to, object);
            }
            What::Text { to } => {
                let to = node(self, *to);
                self.add(to, self.text);
            }
            What::Mirror { to, class } => {
                let mirror = self.object(self.world.known().class, Origin::Mirror(*class));
                let to = node(self, *to);
                self.add(to, mirror);
            }
            What::Read { to, base, slot, .. } => {
                let Some(to) = to.map(|to| node(self, to)) else {
                    return;
                };
                match (slot, base) {
                    (Slot::Static(class, slot), _) => {
                        let field = self.static_field(*class, *slot);
                        self.flow(field, to, None);
                    }
                    (_, Some(base)) => {
                        let base = node(self, *base);
                        self.uses[base as usize].loads.push((*slot, to));
                        for object in self.known(base) {
                            self.load(object, *slot, to);
                        }
                    }
                    _ => {}
                }
            }
            What::Write {
                value, base, slot, ..
            } => {
                let Some(value) = value.map(|value| node(self, value)) else {
                    return;
                };
                match (slot, base) {
                    (Slot::Static(class, slot), _) => {
                        let field = self.static_field(*class, *slot);
                        self.flow(value, field, None);
                    }
                    (_, Some(base)) => {
                        let base = node(self, *base);
                        self.uses[base as usize].stores.push((*slot, value));
                        for object in self.known(base) {
                            self.store(object, *slot, value);
                        }
                    }
                    _ => {}
                }
            }
            What::Cast { to, from, class } => {
                let (from, to) = (node(self, *from), node(self, *to));
                self.flow(from, to, Some(*class));
            }
            What::Call {
                op,
                method,
                arguments,
                to,
            } => {
                let nodes = arguments.iter().map(|it| it.map(|it| node(self, it)));
                let nodes = nodes.collect();
                let to = to.map(|to| node(self, to));
                self.call(CallSite {
                    caller: id,
                    pc,
                    op: *op,
                    method: *method,
                    arguments: nodes,
                    to,
                });
            }
            What::Handle { arguments, to, .. } => {
                // The object follows the handle; what is stored, or compared, follows that.
                let mut all = arguments
                    .iter()
                    .skip(1)
                    .map(|it| it.map(|it| node(self, it)));
                let Some(Some(base)) = all.next() else {
                    return;
                };
                let stored: Vec<Node> = all.flatten().collect();
                let to = to.map(|to| node(self, to));
                self.access_any(base, &stored, to);
            }
            What::Throw(value) => {
                let value = node(self, *value);
                self.flow(value, self.thrown, None);
            }
            What::Caught { to, class } => {
                let to = node(self, *to);
                let class = class.unwrap_or(self.world.known().throwable);
                // The machine may have thrown it.
                let raised = self.object(class, Origin::Any);
                self.add(to, raised);
                self.flow(self.thrown, to, Some(class));
            }
            What::Return(value) => {
                let (value, returned) = (node(self, *value), self.returned(id));
                self.flow(value, returned, None);
            }
            What::Initialise(class) => self.initialise(id, pc, *class),
            What::Enter(_) | What::Exit(_) => {}
        }
    }

    fn known(&self, node: Node) -> Vec<ObjectId> {
        self.points[node as usize].iter().map(ObjectId).collect()
    }

    /// Some field or element of an object is read and written, and it is not known which.
    fn access_any(&mut self, base: Node, stored: &[Node], to: Option<Node>) {
        if let Some(to) = to {
            self.uses[base as usize].loads_any.push(to);
        }
        self.uses[base as usize].stores_any.extend(stored);
        for object in self.known(base) {
            for (slot, class) in self.all_slots(object) {
                if let Some(to) = to {
                    self.load(object, slot, to);
                }
                for &from in stored {
                    let field = self.slot_node(object, slot);
                    self.flow(from, field, class);
                }
            }
        }
    }

    /// A class is initialised, and what it inherits from.
    fn initialise(&mut self, id: InstanceId, pc: u32, class: ClassId) {
        let world = self.world;
        let start = self.start;
        let needs = |class: ClassId| {
            start.class(class).initialisation != Initialisation::Done
                && world.has_initializer(class)
        };
        let is_any = *self.has_initialiser.entry(class).or_insert_with(|| {
            let class = world.class(class);
            let interfaces = class.every_interface();
            class
                .ancestors
                .iter()
                .chain(interfaces)
                .any(|&it| needs(it))
        });
        if !is_any {
            return;
        }
        let described = world.class(class);
        let all: Vec<ClassId> = described
            .ancestors
            .iter()
            .chain(described.every_interface())
            .copied()
            .filter(|&it| needs(it))
            .collect();
        for class in all {
            if self.is_remote(class) {
                continue;
            }
            let Some(method) = world.initializer(class) else {
                continue;
            };
            if let Some(initialiser) = self.instance(method, Context::None) {
                self.instances[id.0 as usize]
                    .initialises
                    .insert((pc, initialiser));
            }
        }
    }

    fn call(&mut self, site: CallSite) {
        let described = self.world.method(site.method);
        if described.is_static() {
            let context = self.static_context(&site);
            self.enter(&site, site.method, context);
            return;
        }
        let Some(Some(receiver)) = site.arguments.first().copied() else {
            return;
        };
        let number = self.calls.len() as u32;
        self.calls.push(site);
        self.uses[receiver as usize].calls.push(number);
        for object in self.known(receiver) {
            self.dispatch(number, object);
        }
    }

    fn static_context(&mut self, site: &CallSite) -> Context {
        let caller = &self.instances[site.caller.0 as usize];
        let (context, method) = (caller.context, caller.method);
        let ours = self.is_program(self.world.method(method).class);
        let callee = self.world.method(site.method).class;
        if self.is_program(callee) || !self.is_contextual(callee) {
            return Context::None;
        }
        match ours {
            true => Context::Call(method, site.pc),
            false => context,
        }
    }

    /// The context of calls on an object.
    fn context_of(&self, object: ObjectId) -> Context {
        match self.objects[object.0 as usize].is_context {
            true => Context::Receiver(object),
            false => Context::None,
        }
    }

    /// A call on an object.
    fn dispatch(&mut self, call: u32, object: ObjectId) {
        let site = self.calls[call as usize].clone();
        let class = self.objects[object.0 as usize].class;
        let declared = self.world.method(site.method).class;
        if !self.world.is_assignable(class, declared) {
            return;
        }
        let method = match site.op {
            Op::InvokeSpecial => Some(site.method),
            _ => self.world.overriding(class, site.method),
        };
        let Some(method) = method else { return };
        let owner = self.world.method(method).class;
        let context = match self.is_contextual(owner) {
            true => self.context_of(object),
            false => Context::None,
        };
        if let Some(callee) = self.enter(&site, method, context) {
            self.give(callee, 0, object);
        }
        if self.world.role(method) == Role::Start {
            self.start(object);
        }
    }

    /// Connects a call with a method that it may run. The receiver is given by who knows it.
    fn enter(&mut self, site: &CallSite, method: MethodId, context: Context) -> Option<InstanceId> {
        let role = self.world.role(method);
        if matches!(role, Role::Print { .. } | Role::Skip) {
            return None;
        }
        let class = self.world.method(method).class;
        if self.world.text(self.world.method(method).name) == "getEnumConstantsShared"
            && class == self.world.known().class
        {
            self.constants(site);
            return None;
        }
        if self.is_remote(class) && self.world.listing(method).is_some() {
            self.leave(site, method);
            return None;
        }
        let Some(callee) = self.instance(method, context) else {
            self.native(site, method, role);
            return None;
        };
        let caller = &mut self.instances[site.caller.0 as usize];
        let is_new = caller.calls.insert((site.pc, callee));
        if !is_new {
            return Some(callee);
        }
        let first = usize::from(!self.world.method(method).is_static());
        let parameters = Rc::clone(&self.instances[callee.0 as usize].body);
        for (argument, parameter) in site
            .arguments
            .iter()
            .zip(&parameters.parameters)
            .skip(first)
        {
            if let (Some(argument), Some(parameter)) = (argument, parameter) {
                let parameter = self.value(callee, *parameter);
                self.flow(*argument, parameter, None);
            }
        }
        if let Some(to) = site.to {
            let returned = self.returned(callee);
            self.flow(returned, to, None);
        }
        Some(callee)
    }

    /// Whether a class belongs to the parts of the library that are not looked into.
    fn is_remote(&mut self, class: ClassId) -> bool {
        let world = self.world;
        *self.is_remote.entry(class).or_insert_with(|| {
            world.class(class).origin == Source::Library
                && remote::is_remote(world.class_name(class))
        })
    }

    /// A call into a part of the library that is not looked into: it has what it is given, and may
    /// give it to whom it calls back.
    fn leave(&mut self, site: &CallSite, method: MethodId) {
        let caller = &mut self.instances[site.caller.0 as usize];
        if !caller.calls.insert((site.pc, REMOTE)) && site.arguments.is_empty() {
            return;
        }
        for argument in site.arguments.iter().flatten() {
            self.flow(*argument, self.remote, None);
        }
        let Some(to) = site.to else { return };
        let Some(result) = self.world.result_class(method) else {
            return;
        };
        let any = match self.world.class_name(result) {
            "java/lang/String" => self.text,
            _ => self.object(result, Origin::Any),
        };
        self.add(to, any);
        self.flow(self.remote, to, Some(result));
    }

    /// An object has come to where the library is not looked into.
    fn call_back(&mut self, object: ObjectId) {
        let found = self.objects[object.0 as usize].clone();
        if matches!(found.origin, Origin::Any | Origin::Mirror(_)) {
            return;
        }
        let world = self.world;
        // Fields are accessed by methods of their own classes only.
        if let Some(class) = world.element_class(found.class) {
            let elements = self.slot_node(object, Slot::Elements);
            self.flow(elements, self.remote, None);
            self.flow(self.remote, elements, Some(class));
        }
        let described = world.class(found.class);
        let context = self.context_of(object);
        for &method in described.virtual_methods() {
            let called = world.method(method);
            let name = world.text(called.name);
            let is_ours = self.is_program(called.class);
            let is_wanted = match is_ours {
                true => !remote::is_never_called(name) && self.is_inherited(found.class, method),
                false => remote::is_called(name) && !self.is_remote(called.class),
            };
            if !is_wanted {
                continue;
            }
            let owner = match self.is_contextual(called.class) {
                true => context,
                false => Context::None,
            };
            let Some(callee) = self.instance(method, owner) else {
                continue;
            };
            self.instances[REMOTE.0 as usize].calls.insert((0, callee));
            self.give(callee, 0, object);
            let body = Rc::clone(&self.instances[callee.0 as usize].body);
            let classes = world.parameter_classes(method);
            for (parameter, class) in body.parameters.iter().skip(1).zip(classes) {
                if let Some(parameter) = parameter {
                    let node = self.value(callee, *parameter);
                    self.flow(self.remote, node, class);
                }
            }
            let returned = self.returned(callee);
            self.flow(returned, self.remote, None);
        }
    }

    /// Whether a class of the library, or an interface, declares what a method overrides.
    fn is_inherited(&mut self, class: ClassId, method: MethodId) -> bool {
        let world = self.world;
        let called = world.method(method);
        let described = world.class(class);
        let all = described
            .ancestors
            .iter()
            .chain(described.every_interface());
        let library: Vec<ClassId> = all.copied().filter(|&it| !is_program(world, it)).collect();
        library.into_iter().any(|it| {
            world
                .find_method(it, called.name, called.descriptor)
                .is_some()
        })
    }

    /// The constants of enumerations.
    fn constants(&mut self, site: &CallSite) {
        let (Some(Some(base)), Some(to)) = (site.arguments.first(), site.to) else {
            return;
        };
        for object in self.known(*base) {
            let Origin::Mirror(class) = self.objects[object.0 as usize].origin else {
                continue;
            };
            self.initialise(site.caller, site.pc, class);
            if let Some(slot) = self.world.static_slot_of(class, "$VALUES") {
                let values = self.static_field(class, slot);
                self.flow(values, to, None);
            }
        }
    }

    /// A thread is started.
    fn start(&mut self, object: ObjectId) {
        if self.roots.iter().any(|root| root.object == object) {
            return;
        }
        let (world, class) = (self.world, self.objects[object.0 as usize].class);
        let names = &world.names;
        let run = world.find_method(class, names.intern("run"), names.intern("()V"));
        let context = self.context_of(object);
        let mut entries = Vec::new();
        self.add(self.current, object);
        self.roots.push(Root {
            object,
            entries: Vec::new(),
        });
        let number = self.roots.len() - 1;
        if let Some(entry) = run.and_then(|run| self.instance(run, context)) {
            self.give(entry, 0, object);
            entries.push(entry);
        }
        self.ends(object, &mut entries);
        self.roots[number].entries = entries;
    }

    /// A method that has no code.
    fn native(&mut self, site: &CallSite, method: MethodId, role: Role) {
        let world = self.world;
        let described = world.method(method);
        let class = world.class_name(described.class);
        let name = world.text(described.name);
        let argument = |index: usize| site.arguments.get(index).copied().flatten();
        match (class, name) {
            (_, "currentThread" | "currentCarrierThread") => {
                if let Some(to) = site.to {
                    self.flow(self.current, to, None);
                }
                return;
            }
            ("java/lang/reflect/Array", "newArray") => {
                let array = self.world.load("[Ljava/lang/Object;").unwrap_or_default();
                let made = self.made(site.caller, site.pc, array);
                self.be_wild(made);
                if let Some(to) = site.to {
                    self.add(to, made);
                }
                return;
            }
            ("java/security/AccessController", "doPrivileged" | "executePrivileged") => {
                self.privileged(site);
                return;
            }
            ("java/lang/Throwable", "fillInStackTrace") => {
                if let (Some(from), Some(to)) = (argument(0), site.to) {
                    self.flow(from, to, None);
                }
                return;
            }
            ("java/lang/Object", "clone") => {
                // The copy is one of the same objects, of which there are several from now on.
                if let (Some(from), Some(to)) = (argument(0), site.to) {
                    self.flow(from, to, None);
                    self.copied.push(from);
                }
                return;
            }
            _ => {}
        }
        match role {
            Role::Get | Role::Put | Role::Swap => {
                if let Some(base) = argument(1) {
                    let stored: Vec<Node> =
                        (2..site.arguments.len()).filter_map(argument).collect();
                    self.access_any(base, &stored, site.to);
                }
                return;
            }
            Role::Copy => {
                if let (Some(from), Some(to)) = (argument(0), argument(2)) {
                    let between = self.node();
                    self.uses[from as usize]
                        .loads
                        .push((Slot::Elements, between));
                    for object in self.known(from) {
                        self.load(object, Slot::Elements, between);
                    }
                    self.uses[to as usize]
                        .stores
                        .push((Slot::Elements, between));
                    for object in self.known(to) {
                        self.store(object, Slot::Elements, between);
                    }
                }
                return;
            }
            _ => {}
        }
        let caller = self.instances[site.caller.0 as usize].method;
        if matches!(name, "invoke0" | "newInstance0" | "invoke" | "newInstance")
            && class.contains("reflect")
        {
            self.is_unknown("reflection".to_owned(), caller);
        }
        if let Some(to) = site.to
            && let Some(result) = world.result_class(method)
        {
            let any = match world.class_name(result) {
                "java/lang/String" => self.text,
                _ => self.object(result, Origin::Any),
            };
            self.add(to, any);
            if self.is_open(result) {
                self.is_unknown(format!("{}.{name}", class.replace('/', ".")), caller);
            }
        }
    }

    /// An array may be of any class of arrays of references.
    fn be_wild(&mut self, array: ObjectId) {
        let object = &mut self.objects[array.0 as usize];
        if object.is_wild {
            return;
        }
        object.is_wild = true;
        for (&wanted, mask) in &mut self.masks {
            if self.world.element_class(wanted).is_some() {
                mask.insert(array.0);
            }
        }
    }

    /// The action that is done with privileges.
    fn privileged(&mut self, site: &CallSite) {
        let Some(Some(action)) = site.arguments.first().copied() else {
            return;
        };
        for name in ["PrivilegedAction", "PrivilegedExceptionAction"] {
            let names = &self.world.names;
            let (run, descriptor) = (names.intern("run"), names.intern("()Ljava/lang/Object;"));
            let class = self.world.load(&format!("java/security/{name}"));
            let method = class
                .ok()
                .and_then(|it| self.world.find_method(it, run, descriptor));
            if let Some(method) = method {
                self.call(CallSite {
                    op: Op::InvokeInterface,
                    method,
                    arguments: vec![Some(action)],
                    ..site.clone()
                });
            }
        }
    }

    /// Whether objects of other classes may be meant by one, which have other methods.
    fn is_open(&self, class: ClassId) -> bool {
        let name = self.world.class_name(class);
        !(self.world.is_final(class)
            || name.starts_with('[')
            || matches!(
                name,
                "java/lang/invoke/VarHandle" | "java/lang/invoke/MethodHandle"
            ))
    }
}

/// Whether a class is of the program, or a lambda in it.
pub(crate) fn is_program(world: &World, class: ClassId) -> bool {
    match world.class(class).origin {
        Source::Program => true,
        Source::Machine => {
            let name = world.class_name(class);
            let host = name.split_once("$$Lambda").map(|it| it.0);
            let host = host.and_then(|host| world.load(host).ok());
            host.is_some_and(|host| world.class(host).origin == Source::Program)
        }
        _ => false,
    }
}
