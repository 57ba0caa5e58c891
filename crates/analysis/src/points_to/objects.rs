//! Which objects are told apart: by where they are made, and in which context.

use raddle_jvm::heap::{Body as Content, Ref};
use raddle_jvm::{ClassId, World};

use super::{Context, DEEPEST, InstanceId, Object, ObjectId, Origin, PointsTo, is_program};

impl PointsTo<'_> {
    /// The objects of a class that come from somewhere.
    pub(super) fn object(&mut self, class: ClassId, origin: Origin) -> ObjectId {
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
        let world = self.world;
        let found = &self.objects[id.0 as usize];
        for (&wanted, mask) in &mut self.masks {
            if may_be(world, found, wanted) {
                mask.insert(id.0);
            }
        }
        id
    }

    pub(super) fn depth(&self, context: Context) -> u32 {
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

    pub(super) fn is_contextual(&mut self, class: ClassId) -> bool {
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
    pub(super) fn first(&mut self, object: Ref) -> ObjectId {
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

    pub(super) fn made(&mut self, id: InstanceId, pc: u32, class: ClassId) -> ObjectId {
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
    pub(super) fn is_common(&self, class: ClassId) -> bool {
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

    /// An array may be of any class of arrays of references.
    pub(super) fn be_wild(&mut self, array: ObjectId) {
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

    /// The context of calls on an object.
    pub(super) fn context_of(&self, object: ObjectId) -> Context {
        match self.objects[object.0 as usize].is_context {
            true => Context::Receiver(object),
            false => Context::None,
        }
    }

    /// Whether an object stands for others, too, which may have other methods and fields.
    pub(super) fn stands_for_others(&self, object: ObjectId) -> bool {
        let found = &self.objects[object.0 as usize];
        found.origin == Origin::Any && self.is_open(found.class)
    }

    /// Whether objects of other classes may be meant by one, which have other methods.
    pub(super) fn is_open(&self, class: ClassId) -> bool {
        let name = self.world.class_name(class);
        !(self.world.is_final(class)
            || name.starts_with('[')
            || matches!(
                name,
                "java/lang/invoke/VarHandle" | "java/lang/invoke/MethodHandle"
            ))
    }
}

/// Whether an object may be of a class. Of one that comes from where the library is not looked into, no
/// more is known than what it is declared to be.
pub(super) fn may_be(world: &World, object: &Object, wanted: ClassId) -> bool {
    world.is_assignable(object.class, wanted)
        || object.is_wild && world.element_class(wanted).is_some()
        || object.origin == Origin::Any
            && !world.is_final(object.class)
            && world.is_assignable(wanted, object.class)
}
