//! Method handles and variable handles.
//!
//! A variable handle is the library's own object; only the way from a call to the method of
//! its class that does the access is made here. A method handle is an object of a class of
//! the machine: it knows a member, and arguments that are already bound.

use std::sync::atomic::{AtomicU64, Ordering};

use super::convert;
use crate::classfile::{Malformed, Parsed};
use crate::code::{Op, Resolved};
use crate::descriptor::{self, Kind, Signature};
use crate::heap::Ref;
use crate::interpret::{Env, Trap};
use crate::names::Name;
use crate::stubs::{self, Assembler};
use crate::world::{ClassId, MethodId, World, flags};

/// The class of the machine's method handles.
const HANDLE_CLASS: &str = "java/lang/invoke/DirectMethodHandle$Machine";

/// What a method handle does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Handle {
    Static(MethodId),
    /// A method that is looked up in the receiver, which is of the class at least.
    Virtual(MethodId, ClassId),
    Special(MethodId, ClassId),
    Constructor(MethodId),
    Field {
        class: ClassId,
        holder: ClassId,
        name: Name,
        descriptor: Name,
        is_static: bool,
        is_write: bool,
    },
}

impl Handle {
    /// Parameters and result, as descriptors.
    pub(crate) fn types(&self, world: &World) -> (Vec<Box<str>>, Box<str>) {
        let signature = |method: MethodId| {
            Signature::parse(world.text(world.method(method).descriptor)).unwrap_or(Signature {
                parameters: Box::default(),
                result: "V".into(),
            })
        };
        let of_class =
            |class: ClassId| descriptor::of_class(world.class_name(class)).into_boxed_str();
        match self {
            Self::Static(method) => {
                let signature = signature(*method);
                (signature.parameters.into_vec(), signature.result)
            }
            Self::Virtual(method, class) | Self::Special(method, class) => {
                let signature = signature(*method);
                (
                    [of_class(*class)]
                        .into_iter()
                        .chain(signature.parameters)
                        .collect(),
                    signature.result,
                )
            }
            Self::Constructor(method) => (
                signature(*method).parameters.into_vec(),
                of_class(world.method(*method).class),
            ),
            Self::Field {
                holder,
                descriptor,
                is_static,
                is_write,
                ..
            } => {
                let mut parameters = Vec::new();
                if !is_static {
                    parameters.push(of_class(*holder));
                }
                let value: Box<str> = world.text(*descriptor).into();
                if *is_write {
                    parameters.push(value);
                    return (parameters, "V".into());
                }
                (parameters, value)
            }
        }
    }

    /// What comes before the arguments.
    pub(crate) fn prepare(&self, a: &mut Assembler<'_>) -> Parsed<()> {
        match self {
            Self::Constructor(method) => a.new_object(a.world.method(*method).class),
            _ => Ok(()),
        }
    }

    /// The call, when the arguments are on the stack. The result is left there.
    pub(crate) fn call(&self, a: &mut Assembler<'_>) -> Parsed<()> {
        let world = a.world;
        match self {
            Self::Static(method) => a.call(Op::InvokeStatic, *method),
            Self::Special(method, _) | Self::Constructor(method) => {
                a.call(Op::InvokeSpecial, *method)
            }
            Self::Virtual(method, class) => {
                let is_interface = world.class(*class).is_interface();
                a.call(
                    if is_interface {
                        Op::InvokeInterface
                    } else {
                        Op::InvokeVirtual
                    },
                    *method,
                )
            }
            Self::Field {
                class,
                name,
                descriptor,
                is_static,
                is_write,
                ..
            } => {
                let Some((owner, field)) = world.find_field(*class, *name, *descriptor) else {
                    return Err(Malformed("no such field".to_owned()));
                };
                let is_volatile = field.flags & flags::VOLATILE != 0;
                let value = if *is_write {
                    Some(a.builder.pop_register(field.kind)?)
                } else {
                    None
                };
                if *is_static {
                    let resolved = Resolved::Static {
                        class: owner,
                        slot: world.static_slot(field),
                        is_volatile,
                    };
                    let site = a.builder.resolved_site(resolved);
                    return match value {
                        Some(value) => {
                            a.builder.emit(Op::PutStatic, 0, value, 0, site);
                            Ok(())
                        }
                        None => a.builder.define(Op::GetStatic, field.kind, 0, 0, site),
                    };
                }
                let object = a.builder.pop_register(Kind::Ref)?;
                let site = a.builder.resolved_site(Resolved::Field {
                    slot: field.slot,
                    is_volatile,
                });
                match value {
                    Some(value) => {
                        a.builder.emit(Op::PutField, object, value, 0, site);
                        Ok(())
                    }
                    None => a.builder.define(Op::GetField, field.kind, object, 0, site),
                }
            }
        }
    }

    /// As two words, for the fields of an object.
    fn pack(&self, world: &World) -> (u64, u64) {
        match self {
            Self::Static(method) => (0, u64::from(method.0)),
            Self::Virtual(method, class) => (1 | u64::from(class.0) << 8, u64::from(method.0)),
            Self::Special(method, class) => (2 | u64::from(class.0) << 8, u64::from(method.0)),
            Self::Constructor(method) => (3, u64::from(method.0)),
            Self::Field {
                class,
                holder,
                name,
                descriptor,
                is_static,
                is_write,
            } => {
                let index = world
                    .class(*class)
                    .fields
                    .iter()
                    .position(|field| field.name == *name && field.descriptor == *descriptor);
                let tag = 4 | u64::from(*is_static) << 1 | u64::from(*is_write);
                let place = u64::from(class.0) << 32 | index.unwrap_or(0) as u64;
                (tag << 40 | 4 | u64::from(holder.0) << 8, place)
            }
        }
    }

    fn unpack(world: &World, words: (u64, u64)) -> Option<Self> {
        let (tag, value) = words;
        let class = ClassId((tag >> 8) as u32);
        Some(match tag & 0xFF {
            0 => Self::Static(MethodId(value as u32)),
            1 => Self::Virtual(MethodId(value as u32), class),
            2 => Self::Special(MethodId(value as u32), class),
            3 => Self::Constructor(MethodId(value as u32)),
            _ => {
                let owner = ClassId((value >> 32) as u32);
                let field = world.class(owner).fields.get(value as u32 as usize)?;
                let bits = tag >> 40;
                Self::Field {
                    class: owner,
                    holder: ClassId((tag >> 8) as u32),
                    name: field.name,
                    descriptor: field.descriptor,
                    is_static: bits & 2 != 0,
                    is_write: bits & 1 != 0,
                }
            }
        })
    }
}

/// The method that does an access through a variable handle at a call site: it converts the
/// arguments and calls the static method of the handle's class that the mode names.
pub(super) fn access_method(
    env: &mut Env<'_>,
    base: usize,
    mode: Name,
    site: Name,
    cache: &AtomicU64,
) -> Result<MethodId, Trap> {
    let world = env.world;
    let handle = Ref::of(env.thread.stack.get(base).copied().unwrap_or(0));
    let Some(class) = env.state.heap.get(handle).map(|handle| handle.class) else {
        return Err(Trap::Raise("java/lang/NullPointerException", None));
    };
    let cached = cache.load(Ordering::Relaxed);
    if cached >> 32 == u64::from(class.0) + 1 {
        return Ok(MethodId(cached as u32));
    }
    let ancestors = world.class(class).ancestors.iter().rev();
    let target = ancestors
        .flat_map(|&ancestor| world.class(ancestor).methods.iter())
        .find(|&&method| {
            let method = world.method(method);
            method.name == mode && method.is_static()
        });
    let Some(&target) = target else {
        return Err(Trap::Raise("java/lang/UnsupportedOperationException", None));
    };
    let wrong = || {
        Trap::Raise(
            "java/lang/invoke/WrongMethodTypeException",
            Some(format!("cannot convert to {}", world.text(site))),
        )
    };
    let given = Signature::parse(world.text(site)).ok_or_else(wrong)?;
    let wanted = Signature::parse(world.text(world.method(target).descriptor)).ok_or_else(wrong)?;
    if given.parameters.len() + 1 != wanted.parameters.len() {
        return Err(wrong());
    }
    let parameters: String = given.parameters.concat();
    let stub_descriptor = format!("(Ljava/lang/invoke/VarHandle;{parameters}){}", given.result);
    let stub = stubs::make(world, class, "<access>", &stub_descriptor, |a| {
        a.load(0, Kind::Ref)?;
        let mut local = 1;
        for (from, to) in given
            .parameters
            .iter()
            .zip(wanted.parameters.iter().skip(1))
        {
            let kind = Kind::of(from).unwrap_or(Kind::Ref);
            a.load(local, kind)?;
            local += kind.words();
            convert(a, from, to)?;
        }
        a.call(Op::InvokeStatic, target)?;
        convert(a, &wanted.result, &given.result)?;
        a.finish(given.result_kind())
    });
    let stub = stub.ok_or_else(wrong)?;
    cache.store(
        (u64::from(class.0) + 1) << 32 | u64::from(stub.0),
        Ordering::Relaxed,
    );
    Ok(stub)
}

/// The class of the machine's method handles: after the fields of `MethodHandle` come two
/// words that say what it does, and the arguments that are bound.
fn handle_class(world: &World) -> Result<ClassId, Trap> {
    if let Some(Ok(class)) = world.loaded(world.names.intern(HANDLE_CLASS)) {
        return Ok(class);
    }
    Ok(world.make_synthetic(
        HANDLE_CLASS,
        world.known().method_handle,
        &[],
        &[Kind::Long, Kind::Long, Kind::Ref, Kind::Ref],
        0,
        Vec::new(),
    )?)
}

/// What an object of the machine's class of method handles does.
pub(crate) fn direct_handle(env: &Env<'_>, object: Ref) -> Option<(Handle, Vec<Ref>)> {
    let world = env.world;
    let class = env.state.heap.get(object)?.class;
    if world.class_name(class) != HANDLE_CLASS {
        return None;
    }
    let first = world.class(world.known().method_handle).instance_slots;
    let words = (
        env.state.heap.field(object, first),
        env.state.heap.field(object, first + 1),
    );
    let bound = env.state.heap.ref_field(object, first + 2);
    let bound = env
        .state
        .heap
        .refs(bound)
        .map(<[Ref]>::to_vec)
        .unwrap_or_default();
    Some((Handle::unpack(world, words)?, bound))
}

impl Env<'_> {
    /// A `MethodHandle` object for a handle.
    pub(crate) fn handle_object(&mut self, handle: &Handle) -> Result<Ref, Trap> {
        self.bound_handle_object(handle, &[])
    }

    /// A `MethodHandle` object whose first arguments are bound.
    pub(crate) fn bound_handle_object(
        &mut self,
        handle: &Handle,
        bound: &[Ref],
    ) -> Result<Ref, Trap> {
        let world = self.world;
        let class = handle_class(world)?;
        let (parameters, result) = handle.types(world);
        let left = parameters.get(bound.len()..).unwrap_or_default().concat();
        let method_type = self.method_type(&format!("({left}){result}"))?;
        let object = self.state.instantiate(world, class);
        self.set_named_field(object, "type", method_type.word());
        let first = world.class(world.known().method_handle).instance_slots;
        let (tag, value) = handle.pack(world);
        self.state.heap.set_field(object, first, tag);
        self.state.heap.set_field(object, first + 1, value);
        let bound = self.ref_array("java/lang/Object", bound)?;
        self.state.heap.set_field(object, first + 2, bound.word());
        Ok(object)
    }

    /// A `MethodType` object.
    pub(crate) fn method_type(&mut self, descriptor: &str) -> Result<Ref, Trap> {
        let world = self.world;
        let class = world.load("java/lang/invoke/MethodType")?;
        self.ensure_initialised(class)?;
        let Some(signature) = Signature::parse(descriptor) else {
            return Err(Trap::Raise(
                "java/lang/IllegalArgumentException",
                Some(descriptor.to_owned()),
            ));
        };
        let mut parameters = Vec::new();
        for parameter in &signature.parameters {
            let class = world.load(descriptor::class_name(parameter))?;
            parameters.push(self.state.mirror(world, class));
        }
        let result = world.load(descriptor::class_name(&signature.result))?;
        let result = self.state.mirror(world, result);
        let parameters = self.ref_array("java/lang/Class", &parameters)?;
        let object = self.state.instantiate(world, class);
        self.set_named_field(object, "rtype", result.word());
        self.set_named_field(object, "ptypes", parameters.word());
        Ok(object)
    }
}

/// The descriptor of a `MethodType` object.
pub(crate) fn method_type_descriptor(env: &Env<'_>, object: Ref) -> Option<String> {
    let name = |mirror: Ref| {
        let class = env.state.mirrored(env.world, mirror)?;
        Some(descriptor::of_class(env.world.class_name(class)))
    };
    let parameters = env
        .state
        .heap
        .refs(Ref::of(env.named_field(object, "ptypes")))?
        .to_vec();
    let parameters: String = parameters.into_iter().map(name).collect::<Option<_>>()?;
    let result = name(Ref::of(env.named_field(object, "rtype")))?;
    Some(format!("({parameters}){result}"))
}

/// The method that a call through a method handle with these types runs. Its first argument
/// is the handle.
pub(crate) fn invoker(env: &mut Env<'_>, object: Ref, site: &str) -> Result<MethodId, Trap> {
    let world = env.world;
    let Some((handle, bound)) = direct_handle(env, object) else {
        let class = env
            .state
            .heap
            .get(object)
            .map(|object| object.class)
            .unwrap_or_default();
        return Err(Trap::Unsupported(format!(
            "a method handle of {}",
            world.class_name(class)
        )));
    };
    let key = format!("{site}{handle:?}{}", bound.len());
    if let Some(known) = world.invokers.find(&key) {
        return Ok(known);
    }
    let (parameters, result) = handle.types(world);
    let shown = format!(
        "({}){result}",
        parameters.get(bound.len()..).unwrap_or_default().concat()
    );
    let wrong = || {
        let message = format!(
            "cannot convert MethodHandle{} to {}",
            readable_type(&shown),
            readable_type(site)
        );
        Trap::Raise("java/lang/invoke/WrongMethodTypeException", Some(message))
    };
    let given = Signature::parse(site).ok_or_else(wrong)?;
    if given.parameters.len() + bound.len() != parameters.len() {
        return Err(wrong());
    }
    let first = world.class(world.known().method_handle).instance_slots;
    let descriptor = format!(
        "(Ljava/lang/invoke/MethodHandle;{}){}",
        given.parameters.concat(),
        given.result
    );
    let stub = stubs::make(
        world,
        world.known().method_handle,
        "<invoke>",
        &descriptor,
        |a| {
            handle.prepare(a)?;
            for (index, wanted) in parameters.iter().take(bound.len()).enumerate() {
                a.load(0, Kind::Ref)?;
                a.get_field(first + 2, Kind::Ref)?;
                a.element(index)?;
                convert(a, "Ljava/lang/Object;", wanted)?;
            }
            let mut local = 1;
            for (from, to) in given
                .parameters
                .iter()
                .zip(parameters.iter().skip(bound.len()))
            {
                let kind = Kind::of(from).unwrap_or(Kind::Ref);
                a.load(local, kind)?;
                local += kind.words();
                convert(a, from, to)?;
            }
            handle.call(a)?;
            convert(a, &result, &given.result)?;
            a.finish(given.result_kind())
        },
    );
    let stub = stub.ok_or_else(wrong)?;
    Ok(world.invokers.insert(key, stub))
}

/// A method type as `MethodType.toString` has it.
fn readable_type(descriptor: &str) -> String {
    let Some(signature) = Signature::parse(descriptor) else {
        return descriptor.to_owned();
    };
    let simple = |text: &str| {
        let name = descriptor::readable(text);
        name.rsplit('.').next().unwrap_or(&name).to_owned()
    };
    let parameters: Vec<String> = signature
        .parameters
        .iter()
        .map(|text| simple(text))
        .collect();
    format!("({}){}", parameters.join(","), simple(&signature.result))
}

/// Fails unless a handle is of exactly the type that a call has.
pub(super) fn check_exact(env: &Env<'_>, handle: Ref, site: &str) -> Result<(), Trap> {
    let known = Ref::of(env.named_field(handle, "type"));
    match method_type_descriptor(env, known) {
        Some(known) if known != site => {
            let message = format!(
                "expected {} but found {}",
                readable_type(&known),
                readable_type(site)
            );
            Err(Trap::Raise(
                "java/lang/invoke/WrongMethodTypeException",
                Some(message),
            ))
        }
        _ => Ok(()),
    }
}
