//! Look-up of method handles and variable handles.

use super::{Answer, Entry, Native, memory, null_pointer, raise, reference, word};
use crate::bootstraps::{Handle, direct_handle, invoker, method_type_descriptor};
use crate::descriptor::{self, Kind};
use crate::heap::Ref;
use crate::interpret::{Args, Env, Trap};
use crate::made_up::Source::Every;
use crate::roles::Role::{Own, Pure, ReadAll};
use crate::world::{ClassId, MethodId, Sort, flags};

const LOOKUP: &str = "java/lang/invoke/MethodHandles$Lookup";
const HANDLE: &str = "java/lang/invoke/MethodHandle";

const FIND_VAR: Native = |env, args| find_var_handle(env, args, false);
const FIND_STATIC_VAR: Native = |env, args| find_var_handle(env, args, true);

pub(super) const TABLE: &[Entry] = &[
    (LOOKUP, "findVarHandle", "", Own, Every, FIND_VAR),
    (
        LOOKUP,
        "findStaticVarHandle",
        "",
        Own,
        Every,
        FIND_STATIC_VAR,
    ),
    (LOOKUP, "findVirtual", "", Pure, Every, |env, args| {
        let (class, method) = find_method(env, args, false)?;
        Ok(env.handle_object(&Handle::Virtual(method, class))?.word())
    }),
    (LOOKUP, "findStatic", "", Pure, Every, |env, args| {
        let (_, method) = find_method(env, args, true)?;
        Ok(env.handle_object(&Handle::Static(method))?.word())
    }),
    (LOOKUP, "findSpecial", "", Pure, Every, |env, args| {
        let (class, method) = find_method(env, args, false)?;
        Ok(env.handle_object(&Handle::Special(method, class))?.word())
    }),
    (LOOKUP, "findConstructor", "", Pure, Every, find_constructor),
    (LOOKUP, "findGetter", "", Pure, Every, |env, args| {
        find_field(env, args, false, false)
    }),
    (LOOKUP, "findSetter", "", Pure, Every, |env, args| {
        find_field(env, args, false, true)
    }),
    (LOOKUP, "findStaticGetter", "", Pure, Every, |env, args| {
        find_field(env, args, true, false)
    }),
    (LOOKUP, "findStaticSetter", "", Pure, Every, |env, args| {
        find_field(env, args, true, true)
    }),
    (LOOKUP, "unreflect", "", Pure, Every, unreflect),
    (LOOKUP, "unreflectConstructor", "", Pure, Every, unreflect),
    (HANDLE, "bindTo", "", Pure, Every, bind_to),
    (HANDLE, "asType", "", Pure, Every, as_type),
    (
        HANDLE,
        "invokeWithArguments",
        "([Ljava/lang/Object;)Ljava/lang/Object;",
        ReadAll(1),
        Every,
        invoke_with_arguments,
    ),
    (
        "java/lang/invoke/MethodHandles",
        "insertArguments",
        "",
        ReadAll(2),
        Every,
        |env, args| {
            let Some((handle, mut bound)) = direct_handle(env, reference(args, 0)) else {
                return Err(Trap::Unsupported(
                    "insertArguments of such a method handle".to_owned(),
                ));
            };
            if word(args, 1) != 0 {
                return Err(Trap::Unsupported(
                    "insertArguments behind the first".to_owned(),
                ));
            }
            bound.extend(env.state.heap.refs(reference(args, 2)).unwrap_or_default());
            Ok(env.bound_handle_object(&handle, &bound)?.word())
        },
    ),
    (
        "java/lang/invoke/VarHandle",
        "isAccessModeSupported",
        "",
        Pure,
        Every,
        |env, args| {
            let mode = env.named_field(reference(args, 1), "methodName");
            let Some(mode) = env.state.text_of(env.world, Ref::of(mode)) else {
                return null_pointer();
            };
            let Some(class) = env
                .state
                .heap
                .get(reference(args, 0))
                .map(|handle| handle.class)
            else {
                return null_pointer();
            };
            let world = env.world;
            let mut methods = world
                .class(class)
                .ancestors
                .iter()
                .flat_map(|&ancestor| world.class(ancestor).methods.iter());
            Ok(u64::from(methods.any(|&method| {
                let method = world.method(method);
                method.is_static() && world.text(method.name) == mode
            })))
        },
    ),
    (LOOKUP, "unreflectField", "", Pure, Every, |env, args| {
        unreflect_field(env, args, word(args, 2) != 0)
    }),
    (LOOKUP, "unreflectGetter", "", Pure, Every, |env, args| {
        unreflect_field(env, args, false)
    }),
    (LOOKUP, "unreflectSetter", "", Pure, Every, |env, args| {
        unreflect_field(env, args, true)
    }),
];

fn no_such(class: &'static str, env: &Env<'_>, holder: ClassId, name: &str) -> Trap {
    Trap::Raise(
        class,
        Some(format!(
            "no such member: {}.{name}",
            env.world.class_name(holder).replace('/', ".")
        )),
    )
}

fn find_method(
    env: &mut Env<'_>,
    args: &[u64],
    is_static: bool,
) -> Result<(ClassId, MethodId), Trap> {
    let world = env.world;
    let class = env.class_argument(args, 1)?;
    let name = env.text(args, 2)?;
    let Some(descriptor) = method_type_descriptor(env, reference(args, 3)) else {
        return null_pointer();
    };
    let found = world.find_method(
        class,
        world.names.intern(&name),
        world.names.intern(&descriptor),
    );
    match found {
        Some(found) if world.method(found).is_static() == is_static => Ok((class, found)),
        Some(_) => Err(no_such(
            "java/lang/IllegalAccessException",
            env,
            class,
            &name,
        )),
        None => {
            let holder = world.class_name(class).replace('/', ".");
            let kind = if is_static {
                "invokeStatic"
            } else {
                "invokeVirtual"
            };
            let types = descriptor_text(&descriptor);
            raise(
                "java/lang/NoSuchMethodException",
                format!("no such method: {holder}.{name}{types}/{kind}"),
            )
        }
    }
}

fn descriptor_text(text: &str) -> String {
    let Some(signature) = descriptor::Signature::parse(text) else {
        return text.to_owned();
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

fn find_constructor(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let world = env.world;
    let class = env.class_argument(args, 1)?;
    let Some(descriptor) = method_type_descriptor(env, reference(args, 2)) else {
        return null_pointer();
    };
    let found = world.class(class).declared(
        world.names.intern("<init>"),
        world.names.intern(&descriptor),
    );
    let Some(found) = found else {
        return Err(no_such(
            "java/lang/NoSuchMethodException",
            env,
            class,
            "<init>",
        ));
    };
    Ok(env.handle_object(&Handle::Constructor(found))?.word())
}

fn find_field(env: &mut Env<'_>, args: &[u64], is_static: bool, is_write: bool) -> Answer {
    let world = env.world;
    let holder = env.class_argument(args, 1)?;
    let name = env.text(args, 2)?;
    let kind = env.class_argument(args, 3)?;
    let descriptor = world
        .names
        .intern(&descriptor::of_class(world.class_name(kind)));
    let found = world.find_field(holder, world.names.intern(&name), descriptor);
    let Some((class, field)) = found.filter(|(_, field)| field.is_static() == is_static) else {
        return Err(no_such(
            "java/lang/NoSuchFieldException",
            env,
            holder,
            &name,
        ));
    };
    let handle = Handle::Field {
        class,
        holder,
        name: field.name,
        descriptor,
        is_static,
        is_write,
    };
    Ok(env.handle_object(&handle)?.word())
}

fn unreflect(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let world = env.world;
    let member = reference(args, 1);
    let (class, slot) = (
        Ref::of(env.named_field(member, "clazz")),
        env.named_field(member, "slot"),
    );
    let Some(class) = env.state.mirrored(world, class) else {
        return null_pointer();
    };
    let Some(&method) = world.class(class).methods.get(slot as usize) else {
        return null_pointer();
    };
    let handle = if world.text(world.method(method).name) == "<init>" {
        Handle::Constructor(method)
    } else if world.method(method).is_static() {
        Handle::Static(method)
    } else {
        Handle::Virtual(method, class)
    };
    Ok(env.handle_object(&handle)?.word())
}

fn bind_to(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let Some((handle, mut bound)) = direct_handle(env, reference(args, 0)) else {
        return Err(Trap::Unsupported(
            "bindTo of such a method handle".to_owned(),
        ));
    };
    bound.push(reference(args, 1));
    Ok(env.bound_handle_object(&handle, &bound)?.word())
}

/// Calls with arguments from an array.
fn invoke_with_arguments(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let given = env
        .state
        .heap
        .refs(reference(args, 1))
        .map(<[Ref]>::to_vec)
        .unwrap_or_default();
    let site = format!(
        "({})Ljava/lang/Object;",
        "Ljava/lang/Object;".repeat(given.len())
    );
    let method = invoker(env, reference(args, 0), &site)?;
    let all: Args = [word(args, 0)]
        .into_iter()
        .chain(given.iter().map(|object| object.word()))
        .collect();
    Err(Trap::Call(method, all))
}

/// A variable handle for a field: an object of the library's class for its kind.
fn find_var_handle(env: &mut Env<'_>, args: &[u64], is_static: bool) -> Answer {
    let world = env.world;
    let holder = env.class_argument(args, 1)?;
    let name = env.text(args, 2)?;
    let kind_class = env.class_argument(args, 3)?;
    let descriptor = world
        .names
        .intern(&descriptor::of_class(world.class_name(kind_class)));
    let found = world.find_field(holder, world.names.intern(&name), descriptor);
    let Some((owner, field)) = found else {
        let message = format!(
            "no such field: {}.{name}/{}/{}",
            world.class_name(holder).replace('/', "."),
            world.class_name(kind_class).replace('/', "."),
            if is_static { "getStatic" } else { "getField" }
        );
        return raise("java/lang/NoSuchFieldException", message);
    };
    let kind = match world.class(kind_class).sort {
        Sort::Primitive(kind) => kind,
        _ => Kind::Ref,
    };
    let plural = match kind {
        Kind::Boolean => "Booleans",
        Kind::Byte => "Bytes",
        Kind::Char => "Chars",
        Kind::Short => "Shorts",
        Kind::Int => "Ints",
        Kind::Long => "Longs",
        Kind::Float => "Floats",
        Kind::Double => "Doubles",
        _ => "References",
    };
    let access = if field.flags & flags::FINAL != 0 {
        "ReadOnly"
    } else {
        "ReadWrite"
    };
    let sort = if is_static { "Static" } else { "Instance" };
    let class = world.load(&format!(
        "java/lang/invoke/VarHandle{plural}$Field{sort}{access}"
    ))?;
    env.ensure_initialised(class)?;
    if is_static {
        env.ensure_initialised(owner)?;
    }
    let handle = env.state.instantiate(world, class);
    let slot = if is_static {
        world.static_slot(field)
    } else {
        field.slot
    };
    env.set_named_field(handle, "fieldOffset", memory::BASE + 8 * u64::from(slot));
    let holder_mirror = env.state.mirror(world, holder);
    let owner_mirror = env.state.mirror(world, owner);
    env.set_named_field(handle, "receiverType", holder_mirror.word());
    env.set_named_field(handle, "declaringClass", owner_mirror.word());
    env.set_named_field(handle, "base", owner_mirror.word());
    env.set_named_field(handle, "fieldType", word(args, 3));
    let form = world
        .class(class)
        .ancestors
        .iter()
        .rev()
        .find_map(|&ancestor| {
            let slot = world.static_slot_of(ancestor, "FORM")?;
            let mirror = env.state.class(ancestor).mirror;
            Some(env.state.heap.field(mirror, slot))
        });
    env.set_named_field(handle, "vform", form.unwrap_or(0));
    Ok(handle.word())
}

/// The same handle with another type: arguments are converted when it is called.
fn as_type(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let Some((handle, bound)) = direct_handle(env, reference(args, 0)) else {
        return Err(Trap::Unsupported(
            "asType of such a method handle".to_owned(),
        ));
    };
    let adapted = env.bound_handle_object(&handle, &bound)?;
    env.set_named_field(adapted, "type", word(args, 1));
    Ok(adapted.word())
}

/// A handle for the field of a `java.lang.reflect.Field`.
fn unreflect_field(env: &mut Env<'_>, args: &[u64], is_write: bool) -> Answer {
    let world = env.world;
    let member = reference(args, 1);
    let (class, slot) = (
        Ref::of(env.named_field(member, "clazz")),
        env.named_field(member, "slot"),
    );
    let Some(class) = env.state.mirrored(world, class) else {
        return null_pointer();
    };
    let Some(field) = world.class(class).fields.get(slot as usize) else {
        return null_pointer();
    };
    let is_static = field.is_static();
    let handle = Handle::Field {
        class,
        holder: class,
        name: field.name,
        descriptor: field.descriptor,
        is_static,
        is_write,
    };
    Ok(env.handle_object(&handle)?.word())
}
