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
//!
//! | room | what is in it |
//! | --- | --- |
//! | [`code`] | what the instructions of a method demand |
//! | [`calls`] | which methods a call may run, threads that are started, methods without code |
//! | [`objects`] | which objects are told apart |
//! | [`solve`] | the nodes of the graph, and what flows between them |

mod calls;
mod code;
mod objects;
mod solve;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use raddle_jvm::heap::Ref;
use raddle_jvm::listing::Op;
use raddle_jvm::world::Origin as Source;
use raddle_jvm::{ClassId, MethodId, State, World};

use crate::set::Set;
use crate::values::{Body, Slot, Value};

/// The most links of a chain of contexts.
const DEEPEST: u32 = 4;

/// The most instances of methods.
const MOST_INSTANCES: usize = 60_000;

type Map<K, V> = HashMap<K, V, FixedState>;

/// The number of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ObjectId(pub u32);

/// The number of a method in a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct InstanceId(pub u32);

/// What stands for the parts of the library that are not looked into.
pub(crate) const REMOTE: InstanceId = InstanceId(0);

type Node = u32;

/// Where an object comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Origin {
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
pub(crate) enum Context {
    /// All calls.
    None,
    /// Calls on an object.
    Receiver(ObjectId),
    /// A call in the program, if there is no receiver.
    Call(MethodId, u32),
}

/// Objects.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    /// Their class.
    pub class: ClassId,
    /// Where they come from.
    pub origin: Origin,
    depth: u32,
    /// Whether methods are looked at for each of these.
    is_context: bool,
    /// Whether it may be of another class: an array that the library makes by reflection.
    pub(crate) is_wild: bool,
}

/// A method in a context.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) method: MethodId,
    pub(crate) context: Context,
    pub(crate) body: Arc<Body>,
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
    bodies: Map<MethodId, Option<Arc<Body>>>,
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
        body: Arc::default(),
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

impl PointsTo<'_> {
    pub(crate) fn is_unknown(&mut self, what: String, method: MethodId) {
        self.unknown.entry(what).or_insert(method);
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
