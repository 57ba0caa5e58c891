//! `invokedynamic`, method handles and variable handles, without running the library's own
//! machinery for them: what it would generate as bytecode is made here as code of the machine.

mod adapt;
mod concat;
mod handles;
mod lambda;
mod records;
mod switches;

use std::sync::atomic::AtomicU64;

pub(crate) use adapt::convert;
pub(crate) use handles::{Handle, direct_handle, invoker, method_type_descriptor};

use crate::classfile::{Bootstrap, ClassFile, Constant as PoolConstant};
use crate::code::Resolved;
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::interpret::{Args, Env, Trap, broken, class_constant, member, no_such_method};
use crate::listing::CallTarget;
use crate::names::Name;
use crate::world::{Class, ClassId, MethodId, World};

/// A constant that is not a string or a class.
#[derive(Debug)]
pub(crate) enum Constant {
    /// A method handle of the machine.
    Handle(Handle),
    /// A method type: result and parameters.
    Type(Box<str>),
    /// `null`
    Null,
    /// A constant of an enum: the class and the name.
    Enum(ClassId, Box<str>),
    Primitive(ClassId),
}

/// What an `invokedynamic` or a signature-polymorphic call does.
#[derive(Debug)]
pub(crate) enum CallSite {
    /// Calls a static method of the machine.
    Method(MethodId),
    /// Makes an object with what is captured. Without that, there is one for all.
    Lambda {
        class: ClassId,
        captured: Box<[Kind]>,
    },
    /// Joins strings and numbers.
    Join {
        pieces: Box<[concat::Piece]>,
        kinds: Box<[Kind]>,
    },
    /// Unboxes a number, whatever its box is.
    Unbox(Kind),
    /// The number of the first label that fits.
    Switch {
        labels: Box<[switches::Label]>,
        is_enum: bool,
    },
    /// An access through a variable handle.
    VarHandle {
        mode: Name,
        descriptor: Name,
        cache: AtomicU64,
    },
    /// A call through a method handle.
    MethodHandle { descriptor: Name, is_exact: bool },
}

/// The `invokedynamic` at an index of the pool, in parts.
struct Dynamic<'w> {
    class: &'w Class,
    file: &'w ClassFile,
    /// The class and name of the bootstrap method.
    factory: (String, String),
    name: String,
    descriptor: String,
    arguments: Vec<u16>,
}

fn dynamic<'w>(
    world: &World,
    class: &'w Class,
    bootstrap: u16,
    name_and_type: u16,
) -> Result<Dynamic<'w>, Trap> {
    let Some(file) = &class.file else {
        return Err(Trap::Unsupported("a class without file".to_owned()));
    };
    let Bootstrap { method, arguments } = file.bootstrap(bootstrap).map_err(broken)?;
    let PoolConstant::MethodHandle { reference, .. } = file.constant(method).map_err(broken)?
    else {
        return Err(broken(crate::classfile::Malformed(
            "Bad bootstrap method".to_owned(),
        )));
    };
    let (holder, name, _) = member(world, class, reference).map_err(broken)?;
    let factory = (world.text(holder).to_owned(), world.text(name).to_owned());
    let (name, descriptor) = file.name_and_type(name_and_type).map_err(broken)?;
    let name = file.text(name).map_err(broken)?.into_owned();
    let descriptor = file.text(descriptor).map_err(broken)?.into_owned();
    Ok(Dynamic {
        class,
        file,
        factory,
        name,
        descriptor,
        arguments,
    })
}

impl<'w> Dynamic<'w> {
    fn argument(&self, index: usize) -> Result<PoolConstant, Trap> {
        let Some(&pool) = self.arguments.get(index) else {
            return Err(Trap::Raise(
                "java/lang/BootstrapMethodError",
                Some("too few arguments".to_owned()),
            ));
        };
        self.file.constant(pool).map_err(broken)
    }

    fn method_type(&self, index: usize) -> Result<String, Trap> {
        match self.argument(index)? {
            PoolConstant::MethodType(text) => {
                Ok(self.file.text(text).map_err(broken)?.into_owned())
            }
            _ => Err(broken(crate::classfile::Malformed(
                "Not a method type".to_owned(),
            ))),
        }
    }

    fn handle(&self, world: &World, index: usize) -> Result<Handle, Trap> {
        match self.argument(index)? {
            PoolConstant::MethodHandle { kind, reference } => {
                handle(world, self.class, kind, reference)
            }
            _ => Err(broken(crate::classfile::Malformed(
                "Not a method handle".to_owned(),
            ))),
        }
    }

    fn text(&self, index: usize) -> Result<Vec<u16>, Trap> {
        match self.argument(index)? {
            PoolConstant::String(text) => self.file.utf16(text).map_err(broken),
            _ => Err(broken(crate::classfile::Malformed(
                "Not a string".to_owned(),
            ))),
        }
    }
}

/// What a method handle constant refers to.
fn handle(world: &World, class: &Class, kind: u8, reference: u16) -> Result<Handle, Trap> {
    let (holder, name, descriptor) = member(world, class, reference).map_err(broken)?;
    let holder = world.load_named(holder)?;
    if kind <= 4 {
        let Some((owner, field)) = world.find_field(holder, name, descriptor) else {
            return Err(Trap::Raise(
                "java/lang/NoSuchFieldError",
                Some(world.text(name).to_owned()),
            ));
        };
        return Ok(Handle::Field {
            class: owner,
            holder,
            name: field.name,
            descriptor,
            is_static: kind.is_multiple_of(2),
            is_write: kind > 2,
        });
    }
    let Some(method) = world.find_method(holder, name, descriptor) else {
        return Err(no_such_method(world, holder, name, descriptor));
    };
    Ok(match kind {
        8 => Handle::Constructor(method),
        7 => Handle::Special(method, holder),
        6 => Handle::Static(method),
        _ => Handle::Virtual(method, holder),
    })
}

pub(crate) fn constant(env: &mut Env<'_>, class: &Class, pool: u16) -> Result<Constant, Trap> {
    let world = env.world;
    let Some(file) = &class.file else {
        return Err(Trap::Unsupported("a class without file".to_owned()));
    };
    match file.constant(pool).map_err(broken)? {
        PoolConstant::MethodHandle { kind, reference } => {
            Ok(Constant::Handle(handle(world, class, kind, reference)?))
        }
        PoolConstant::MethodType(text) => {
            Ok(Constant::Type(file.text(text).map_err(broken)?.into()))
        }
        PoolConstant::Dynamic {
            bootstrap,
            name_and_type,
        } => {
            let dynamic = dynamic(world, class, bootstrap, name_and_type)?;
            match dynamic.factory.1.as_str() {
                "nullConstant" => Ok(Constant::Null),
                "enumConstant" => {
                    let class = world.load(crate::descriptor::class_name(&dynamic.descriptor))?;
                    Ok(Constant::Enum(class, dynamic.name.into()))
                }
                "primitiveClass" => Ok(Constant::Primitive(
                    world.load(crate::descriptor::class_name(&dynamic.name))?,
                )),
                _ => Err(Trap::Unsupported(format!(
                    "the constant bootstrap {}.{}",
                    dynamic.factory.0, dynamic.factory.1
                ))),
            }
        }
        _ => Err(Trap::Unsupported(format!(
            "constant {pool} of {}",
            world.class_name(class.id)
        ))),
    }
}

/// A call of a method that takes whatever the caller gives. None if it is an ordinary one.
pub(crate) fn polymorphic(
    env: &mut Env<'_>,
    _class: &Class,
    holder: ClassId,
    name: Name,
    descriptor: Name,
) -> Result<Option<CallSite>, Trap> {
    let world = env.world;
    if !is_polymorphic(world, holder, name) {
        return Ok(None);
    }
    if holder == world.known().var_handle {
        return Ok(Some(CallSite::VarHandle {
            mode: name,
            descriptor,
            cache: AtomicU64::new(0),
        }));
    }
    match world.text(name) {
        "invoke" | "invokeExact" => Ok(Some(CallSite::MethodHandle {
            descriptor,
            is_exact: world.text(name) == "invokeExact",
        })),
        other => Err(Trap::Unsupported(format!("MethodHandle.{other}"))),
    }
}

/// Whether a method takes whatever the caller gives.
pub(crate) fn is_polymorphic(world: &World, holder: ClassId, name: Name) -> bool {
    world.class(holder).methods.iter().any(|&id| {
        let method = world.method(id);
        let all = crate::world::flags::NATIVE | crate::world::flags::VARARGS;
        method.name == name && method.flags & all == all
    })
}

/// What a call site does, as far as others than the interpreter understand it.
pub(crate) fn call_target(site: &CallSite) -> CallTarget {
    let other = |what: &str, kinds: &[Kind], result| {
        CallTarget::Other(what.to_owned(), kinds.into(), result)
    };
    match site {
        CallSite::Method(method) => CallTarget::Method(*method),
        CallSite::Lambda { class, captured } => CallTarget::Lambda(*class, captured.clone()),
        CallSite::Join { .. } => CallTarget::Concatenation,
        CallSite::Unbox(kind) => other("unboxing", &[Kind::Ref], *kind),
        CallSite::Switch { .. } => {
            other("a switch over objects", &[Kind::Ref, Kind::Int], Kind::Int)
        }
        CallSite::VarHandle { .. } => other("a variable handle", &[], Kind::Void),
        CallSite::MethodHandle { .. } => other("a method handle", &[], Kind::Void),
    }
}

/// Links a lambda or the concatenation of strings. None for what needs a state.
pub(crate) fn link_without_state(
    world: &World,
    class: &Class,
    pool: u16,
) -> Result<Option<CallSite>, Trap> {
    let Some(file) = &class.file else {
        return Ok(None);
    };
    let PoolConstant::InvokeDynamic {
        bootstrap,
        name_and_type,
    } = file.constant(pool).map_err(broken)?
    else {
        return Ok(None);
    };
    let dynamic = dynamic(world, class, bootstrap, name_and_type)?;
    Ok(match dynamic.factory.0.as_str() {
        "java/lang/invoke/LambdaMetafactory" => Some(lambda::link(world, &dynamic)?),
        "java/lang/invoke/StringConcatFactory" => Some(concat::link(world, &dynamic)?),
        "java/lang/runtime/ObjectMethods" => Some(records::link(world, &dynamic)?),
        _ => None,
    })
}

impl Env<'_> {
    pub(crate) fn load_special_constant(&mut self, constant: &Constant) -> Result<u64, Trap> {
        let world = self.world;
        match constant {
            Constant::Null => Ok(0),
            Constant::Primitive(class) => Ok(self.state.mirror(world, *class).word()),
            Constant::Enum(class, name) => {
                self.ensure_initialised(*class)?;
                let mirror = self.state.mirror(world, *class);
                let slot = world.static_slot_of(*class, name);
                Ok(slot.map_or(0, |slot| self.state.heap.field(mirror, slot)))
            }
            Constant::Type(descriptor) => Ok(self.method_type(descriptor)?.word()),
            Constant::Handle(handle) => Ok(self.handle_object(handle)?.word()),
        }
    }

    pub(crate) fn resolve_dynamic(&mut self, class: &Class, pool: u16) -> Result<Resolved, Trap> {
        let world = self.world;
        let Some(file) = &class.file else {
            return Err(Trap::Unsupported("a class without file".to_owned()));
        };
        let PoolConstant::InvokeDynamic {
            bootstrap,
            name_and_type,
        } = file.constant(pool).map_err(broken)?
        else {
            return Err(broken(crate::classfile::Malformed(
                "Not a call site".to_owned(),
            )));
        };
        let dynamic = dynamic(world, class, bootstrap, name_and_type)?;
        let site = match (dynamic.factory.0.as_str(), dynamic.factory.1.as_str()) {
            ("java/lang/invoke/LambdaMetafactory", "metafactory" | "altMetafactory") => {
                lambda::link(world, &dynamic)?
            }
            ("java/lang/invoke/StringConcatFactory", _) => concat::link(world, &dynamic)?,
            ("java/lang/runtime/ObjectMethods", _) => records::link(world, &dynamic)?,
            ("java/lang/runtime/SwitchBootstraps", which) => {
                switches::link(self, &dynamic, which == "enumSwitch")?
            }
            (class, name) => {
                return Err(Trap::Unsupported(format!(
                    "the bootstrap method {class}.{name}"
                )));
            }
        };
        Ok(Resolved::CallSite(site))
    }

    /// Does what a call site does. Arguments stand from `base` on, where the result goes.
    pub(crate) fn invoke_call_site(&mut self, site: &CallSite, base: usize) -> Result<(), Trap> {
        let world = self.world;
        if self.state.heap.used() > self.state.collect_at {
            self.make_room(0)?;
        }
        let given = match (self.follows(), site) {
            (true, CallSite::Lambda { captured, .. }) => self.follow_captured(captured, base),
            (true, CallSite::Join { kinds, .. }) => self.follow_captured(kinds, base),
            (true, CallSite::Unbox(_) | CallSite::Switch { .. }) => {
                self.follow_captured(&[Kind::Ref], base)
            }
            _ => Vec::new(),
        };
        let value = match site {
            CallSite::Method(method) => return self.enter(*method, base),
            CallSite::Lambda { class, captured } => self.make_lambda(*class, captured, base),
            CallSite::Join { pieces, kinds } => {
                let args = self.arguments(kinds, base);
                self.join(pieces, &args)?
            }
            CallSite::Unbox(kind) => {
                let args = self.arguments(&[Kind::Ref], base);
                crate::natives::unboxed(self, Ref::of(args[0]), *kind)
            }
            CallSite::Switch { labels, is_enum } => {
                let args = self.arguments(&[Kind::Ref, Kind::Int], base);
                self.switch(labels, *is_enum, Ref::of(args[0]), args[1] as i32)?
            }
            CallSite::VarHandle {
                mode,
                descriptor,
                cache,
            } => {
                let method = handles::access_method(self, base, *mode, *descriptor, cache)?;
                return self.enter(method, base);
            }
            CallSite::MethodHandle {
                descriptor,
                is_exact,
            } => {
                let handle = Ref::of(self.thread.stack.get(base).copied().unwrap_or(0));
                if handle.is_null() {
                    return Err(Trap::Raise("java/lang/NullPointerException", None));
                }
                if *is_exact {
                    handles::check_exact(self, handle, world.text(*descriptor))?;
                }
                let method = invoker(self, handle, world.text(*descriptor))?;
                return self.enter(method, base);
            }
        };
        self.follow_call_site(site, &given, base, value);
        if let Some(place) = self.thread.stack.get_mut(base) {
            *place = value;
        }
        if let Some(frame) = self.thread.frames.last_mut() {
            frame.pc += 1;
        }
        Ok(())
    }

    /// Marks what a call site gives, if what it was given comes from the clock.
    fn follow_call_site(
        &mut self,
        site: &CallSite,
        given: &[(bool, bool)],
        base: usize,
        value: u64,
    ) {
        let is_any = given
            .iter()
            .any(|&(is_word, is_inside)| is_word || is_inside);
        let mut is_marked = false;
        match site {
            CallSite::Lambda { .. } => {
                for (slot, &(is_word, _)) in given.iter().enumerate() {
                    self.state.mark(Ref::of(value), slot as u32, is_word);
                }
            }
            CallSite::Join { .. } if is_any => self.mark_value(Ref::of(value)),
            CallSite::Unbox(_) | CallSite::Switch { .. } => is_marked = is_any,
            _ => {}
        }
        self.thread.marks.set(base, is_marked);
    }

    fn arguments(&self, kinds: &[Kind], base: usize) -> Args {
        let mut args = Args::new();
        let mut at = base;
        for kind in kinds {
            args.push(self.thread.stack.get(at).copied().unwrap_or(0));
            at += usize::from(kind.words());
        }
        args
    }

    fn make_lambda(&mut self, class: ClassId, captured: &[Kind], base: usize) -> u64 {
        let world = self.world;
        if captured.is_empty() {
            let mirror = self.state.mirror(world, class);
            let slot = world.known().class_slots;
            let known = self.state.heap.field(mirror, slot);
            if known != 0 {
                return known;
            }
            let is_marking = self.state.heap.is_marking();
            self.state.heap.set_marking(false);
            let object = self.state.instantiate(world, class).word();
            self.state.heap.set_marking(is_marking);
            crate::reach::share(world, &mut self.state.heap, Ref::of(object));
            self.state.heap.set_field(mirror, slot, object);
            return object;
        }
        let args = self.arguments(captured, base);
        let object = self.state.instantiate(world, class);
        for (slot, &value) in args.iter().enumerate() {
            self.state.heap.set_field(object, slot as u32, value);
        }
        object.word()
    }
}
