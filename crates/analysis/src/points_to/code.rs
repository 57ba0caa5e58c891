//! What the instructions of a method demand of the graph.

use std::collections::BTreeSet;
use std::sync::Arc;

use raddle_jvm::state::Initialisation;
use raddle_jvm::{ClassId, MethodId};

use super::{
    CallSite, Context, Instance, InstanceId, MOST_INSTANCES, Node, ObjectId, Origin, PointsTo,
};
use crate::values::{self, Slot, Value, What};

impl PointsTo<'_> {
    /// A method in a context; none if it has no code.
    pub(super) fn instance(&mut self, method: MethodId, context: Context) -> Option<InstanceId> {
        if let Some(&known) = self.by_method.get(&(method, context)) {
            return Some(known);
        }
        let world = self.world;
        let read = || values::read(world, method).map(Arc::new);
        let body = Arc::clone(self.bodies.entry(method).or_insert_with(read).as_ref()?);
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

    /// Gives an instance an object as an argument.
    pub(super) fn give(&mut self, instance: InstanceId, index: usize, object: ObjectId) {
        let parameter = self.instances[instance.0 as usize]
            .body
            .parameters
            .get(index);
        if let Some(&Some(value)) = parameter {
            let node = self.value(instance, value);
            self.add(node, object);
        }
    }

    /// What the code of an instance does.
    pub(super) fn constrain(&mut self, id: InstanceId) {
        let instance = &self.instances[id.0 as usize];
        let (body, method) = (Arc::clone(&instance.body), instance.method);
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

    pub(super) fn perform(&mut self, id: InstanceId, pc: u32, what: &What) {
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
            What::Handle {
                mode,
                arguments,
                to,
            } => {
                // The library has handles of its own fields; those of the program may be of any field.
                if values::is_of_static_field(mode, arguments.len()) {
                    let method = self.instances[id.0 as usize].method;
                    let has_references =
                        to.is_some() || arguments.iter().skip(1).any(Option::is_some);
                    if has_references || self.is_program(self.world.method(method).class) {
                        self.is_unknown("a handle of a static field".to_owned(), method);
                    }
                    return;
                }
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

    /// A class is initialised, and what it inherits from.
    pub(super) fn initialise(&mut self, id: InstanceId, pc: u32, class: ClassId) {
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
}
