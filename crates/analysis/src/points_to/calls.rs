//! Which methods a call may run; what the parts of the library do that are not looked into; threads.

use std::sync::Arc;

use raddle_jvm::listing::Op;
use raddle_jvm::roles::Role;
use raddle_jvm::world::Origin as Source;
use raddle_jvm::{ClassId, MethodId, ThreadId};

use super::objects::may_be;
use super::{
    CallSite, Context, InstanceId, Node, ObjectId, Origin, PointsTo, REMOTE, Root, is_program,
};
use crate::remote;
use crate::values::Slot;

impl PointsTo<'_> {
    pub(super) fn begin(&mut self) {
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
    pub(super) fn ends(&mut self, thread: ObjectId, entries: &mut Vec<InstanceId>) {
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

    pub(super) fn call(&mut self, site: CallSite) {
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

    pub(super) fn static_context(&mut self, site: &CallSite) -> Context {
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

    /// A call on an object.
    pub(super) fn dispatch(&mut self, call: u32, object: ObjectId) {
        let site = self.calls[call as usize].clone();
        let class = self.objects[object.0 as usize].class;
        let declared = self.world.method(site.method).class;
        if self.stands_for_others(object)
            && may_be(self.world, &self.objects[object.0 as usize], declared)
        {
            self.leave(&site, site.method);
        }
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
    pub(super) fn enter(
        &mut self,
        site: &CallSite,
        method: MethodId,
        context: Context,
    ) -> Option<InstanceId> {
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
        let caller = self.instances[site.caller.0 as usize].method;
        let (owner, name) = (self.world.class_name(class), self.world.method(method).name);
        if let Some(what) = remote::reflects(owner, self.world.text(name))
            && self.is_program(self.world.method(caller).class)
        {
            self.is_unknown(what.to_owned(), caller);
        }
        if owner == "java/lang/reflect/Array" && self.world.text(name).starts_with("new") {
            self.make_array(site);
            return None;
        }
        if owner == "java/security/AccessController"
            && self.world.text(name).starts_with("doPrivileged")
        {
            self.privileged(site);
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
        let parameters = Arc::clone(&self.instances[callee.0 as usize].body);
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
    pub(super) fn is_remote(&mut self, class: ClassId) -> bool {
        let world = self.world;
        *self.is_remote.entry(class).or_insert_with(|| {
            world.class(class).origin == Source::Library
                && remote::is_remote(world.class_name(class))
        })
    }

    /// A call into a part of the library that is not looked into: it has what it is given, and may
    /// give it to whom it calls back.
    pub(super) fn leave(&mut self, site: &CallSite, method: MethodId) {
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
    pub(super) fn call_back(&mut self, object: ObjectId) {
        let found = self.objects[object.0 as usize].clone();
        if matches!(found.origin, Origin::Any | Origin::Mirror(_)) {
            return;
        }
        let world = self.world;
        // Fields are accessed by methods of their own classes only.
        if let Some(class) = world.element_class(found.class) {
            let elements = self.field(object, Slot::Elements);
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
            let body = Arc::clone(&self.instances[callee.0 as usize].body);
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
    pub(super) fn is_inherited(&mut self, class: ClassId, method: MethodId) -> bool {
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
    pub(super) fn constants(&mut self, site: &CallSite) {
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
    pub(super) fn start(&mut self, object: ObjectId) {
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
    pub(super) fn native(&mut self, site: &CallSite, method: MethodId, role: Role) {
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
            ("java/lang/System", "setIn0" | "setOut0" | "setErr0") => {
                let field = &name[3..name.len() - 1].to_lowercase();
                let slot = world.static_slot_of(described.class, field);
                if let (Some(slot), Some(stream)) = (slot, argument(0)) {
                    let place = self.static_field(described.class, slot);
                    self.flow(stream, place, None);
                }
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

    /// An array is made whose class is a value.
    fn make_array(&mut self, site: &CallSite) {
        let array = self.world.load("[Ljava/lang/Object;").unwrap_or_default();
        let made = self.made(site.caller, site.pc, array);
        self.be_wild(made);
        if let Some(to) = site.to {
            self.add(to, made);
        }
    }

    /// The action that is done with privileges.
    pub(super) fn privileged(&mut self, site: &CallSite) {
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
}
