//! The graph: what a node may refer to flows along its edges, until nothing new comes anywhere.

use raddle_jvm::ClassId;
use raddle_jvm::heap::Ref;

use super::objects::may_be;
use super::{InstanceId, Node, ObjectId, Origin, PointsTo, Uses};
use crate::set::Set;
use crate::values::{Slot, Value};

impl PointsTo<'_> {
    pub(super) fn node(&mut self) -> Node {
        self.points.push(Set::default());
        self.news.push(Set::default());
        self.uses.push(Uses::default());
        self.is_queued.push(false);
        self.points.len() as Node - 1
    }

    pub(crate) fn value(&self, instance: InstanceId, value: Value) -> Node {
        self.instances[instance.0 as usize].first + value
    }

    pub(super) fn returned(&self, instance: InstanceId) -> Node {
        let instance = &self.instances[instance.0 as usize];
        instance.first + instance.body.count
    }

    pub(super) fn field(&mut self, object: ObjectId, slot: Slot) -> Node {
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

    pub(super) fn static_field(&mut self, class: ClassId, slot: u32) -> Node {
        if let Some(&known) = self.statics.get(&(class, slot)) {
            return known;
        }
        let node = self.node();
        self.statics.insert((class, slot), node);
        let mirror = self.start.class(class).mirror;
        let Some(field) = self.world.static_at(class, slot) else {
            return node;
        };
        // Nobody looks at how it gets its value.
        if self.is_remote(class)
            && let Some(of) = self.world.field_class(field)
        {
            let any = self.object(of, Origin::Any);
            self.add(node, any);
            self.flow(self.remote, node, Some(of));
            self.flow(node, self.remote, None);
        }
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

    pub(super) fn add(&mut self, node: Node, object: ObjectId) {
        if self.points[node as usize].insert(object.0) {
            self.news[node as usize].insert(object.0);
            self.enqueue(node);
        }
    }

    pub(super) fn enqueue(&mut self, node: Node) {
        if !self.is_queued[node as usize] {
            self.is_queued[node as usize] = true;
            self.queue.push_back(node);
        }
    }

    /// What is in one node is in another one, as far as it is of a class.
    pub(super) fn flow(&mut self, from: Node, to: Node, class: Option<ClassId>) {
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

    pub(super) fn pass(&mut self, objects: &Set, to: Node, class: Option<ClassId>) {
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

    pub(super) fn need_mask(&mut self, class: ClassId) {
        if self.masks.contains_key(&class) {
            return;
        }
        let mut mask = Set::default();
        for (number, object) in self.objects.iter().enumerate() {
            if may_be(self.world, object, class) {
                mask.insert(number as u32);
            }
        }
        self.masks.insert(class, mask);
    }

    pub(super) fn solve(&mut self) {
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
    pub(super) fn meet(&mut self, node: Node, object: ObjectId) {
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
            self.load_any(object, to);
        }
        for index in 0..self.uses[at].stores_any.len() {
            let from = self.uses[at].stores_any[index];
            self.store_any(object, from);
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
    pub(super) fn has(&self, object: ObjectId, slot: Slot) -> bool {
        let found = &self.objects[object.0 as usize];
        let class = found.class;
        let is_array = self.world.element_class(class).is_some();
        match slot {
            // Many lists begin with the same array, in which there is room for nothing.
            Slot::Elements => match found.origin {
                Origin::First(place) => {
                    self.start.heap.refs(place).is_some_and(|it| !it.is_empty())
                }
                _ => is_array,
            },
            Slot::Field(slot) => !is_array && slot < self.world.class(class).instance_slots,
            Slot::Static(..) => false,
        }
    }

    pub(super) fn load(&mut self, object: ObjectId, slot: Slot, to: Node) {
        if self.has(object, slot) {
            let field = self.field(object, slot);
            self.flow(field, to, None);
        }
        if self.is_of_others(object, slot) {
            self.flow(self.remote, to, self.slot_class(object, slot));
        }
    }

    pub(super) fn store(&mut self, object: ObjectId, slot: Slot, from: Node) {
        if self.has(object, slot) {
            let field = self.field(object, slot);
            // Only what fits is ever stored.
            let class = self.slot_class(object, slot);
            self.flow(from, field, class);
        }
        if self.is_of_others(object, slot) {
            self.flow(from, self.remote, None);
        }
    }

    /// Whether a place may be written and read where the library is not looked into: fields that are
    /// declared there, and those of objects of which too little is known.
    fn is_of_others(&mut self, object: ObjectId, slot: Slot) -> bool {
        let class = self.objects[object.0 as usize].class;
        let declaring = match slot {
            Slot::Field(slot) => self.world.field_at(class, slot).map(|it| it.0),
            Slot::Static(..) | Slot::Elements => None,
        };
        declaring.is_some_and(|it| self.is_remote(it))
            || !self.has(object, slot) && self.stands_for_others(object)
    }

    pub(super) fn slot_class(&self, object: ObjectId, slot: Slot) -> Option<ClassId> {
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

    /// All places of an object that hold references, and of which class these are. Static fields are
    /// behind the object of their class.
    fn all_places(&mut self, object: ObjectId) -> Vec<(Node, Option<ClassId>)> {
        let (world, found) = (self.world, self.objects[object.0 as usize].clone());
        if let Some(element) = world.element_class(found.class) {
            return vec![(self.field(object, Slot::Elements), Some(element))];
        }
        let refs = world.class(found.class).ref_slots.iter().enumerate();
        let slots: Vec<u32> = refs
            .filter(|(_, is_ref)| **is_ref)
            .map(|(slot, _)| slot as u32)
            .collect();
        let mut places = Vec::with_capacity(slots.len());
        for slot in slots.into_iter().map(Slot::Field) {
            places.push((self.field(object, slot), self.slot_class(object, slot)));
        }
        if let Origin::Mirror(class) = found.origin {
            for field in world.class(class).fields.iter().filter(|it| it.is_static()) {
                if let Some(of) = world.field_class(field) {
                    let place = self.static_field(class, world.static_slot(field));
                    places.push((place, Some(of)));
                }
            }
        }
        places
    }

    pub(super) fn known(&self, node: Node) -> Vec<ObjectId> {
        self.points[node as usize].iter().map(ObjectId).collect()
    }

    /// Some field or element of an object is read and written, and it is not known which.
    pub(super) fn access_any(&mut self, base: Node, stored: &[Node], to: Option<Node>) {
        if let Some(to) = to {
            self.uses[base as usize].loads_any.push(to);
        }
        self.uses[base as usize].stores_any.extend(stored);
        for object in self.known(base) {
            if let Some(to) = to {
                self.load_any(object, to);
            }
            for &from in stored {
                self.store_any(object, from);
            }
        }
    }

    fn load_any(&mut self, object: ObjectId, to: Node) {
        for (place, _) in self.all_places(object) {
            self.flow(place, to, None);
        }
        if self.stands_for_others(object) {
            self.flow(self.remote, to, None);
        }
    }

    fn store_any(&mut self, object: ObjectId, from: Node) {
        for (place, class) in self.all_places(object) {
            self.flow(from, place, class);
        }
        if self.stands_for_others(object) {
            self.flow(from, self.remote, None);
        }
    }
}
