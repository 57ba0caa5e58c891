//! `java.lang.Class`, except for its members (`reflect.rs`) and how it is found (`loader.rs`).

use super::loader::{is_of_program, seen_by, url_object};
use super::{Answer, Entry, nothing, null_pointer, reference, word};
use crate::classfile::Reader;
use crate::code::{Op, Value};
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::interpret::{Env, Trap};
use crate::made_up::Source::{Depends, Every};
use crate::roles::Role::{Own, Pure};
use crate::state::State;
use crate::stubs;
use crate::world::{Class, ClassId, Origin, Sort, World, flags};

const CLASS: &str = "java/lang/Class";

pub(super) const TABLE: &[Entry] = &[
    (CLASS, "forName0", "", Own, Every, for_name),
    (CLASS, "isInstance", "", Pure, Every, |env, args| {
        let class = env.class_argument(args, 0)?;
        let object = env.state.heap.get(reference(args, 1));
        Ok(u64::from(object.is_some_and(|object| {
            env.world.is_assignable(object.class, class)
        })))
    }),
    (CLASS, "isAssignableFrom", "", Pure, Every, |env, args| {
        let (class, other) = (env.class_argument(args, 0)?, env.class_argument(args, 1)?);
        Ok(u64::from(env.world.is_assignable(other, class)))
    }),
    (CLASS, "isInterface", "", Pure, Every, |env, args| {
        let class = env.class_argument(args, 0)?;
        Ok(u64::from(env.world.class(class).is_interface()))
    }),
    (CLASS, "isArray", "", Pure, Every, |env, args| {
        let class = env.class_argument(args, 0)?;
        Ok(u64::from(matches!(
            env.world.class(class).sort,
            Sort::Array(_)
        )))
    }),
    (CLASS, "isPrimitive", "", Pure, Every, |env, args| {
        let class = env.class_argument(args, 0)?;
        Ok(u64::from(matches!(
            env.world.class(class).sort,
            Sort::Primitive(_)
        )))
    }),
    (CLASS, "isHidden", "", Pure, Every, |env, args| {
        let class = env.class_argument(args, 0)?;
        Ok(u64::from(env.world.class(class).origin == Origin::Machine))
    }),
    (CLASS, "initClassName", "", Pure, Every, |env, args| {
        let class = env.class_argument(args, 0)?;
        let name = class_display_name(env.world, class);
        let units: Vec<u16> = name.encode_utf16().collect();
        let name = env.state.intern(env.world, env.world.literal(&units));
        env.state.heap.set_field(
            reference(args, 0),
            env.world.known().class_name,
            name.word(),
        );
        Ok(name.word())
    }),
    (CLASS, "getSuperclass", "", Pure, Every, |env, args| {
        let class = env.class_argument(args, 0)?;
        let class = env.world.class(class);
        if class.is_interface() {
            return Ok(0);
        }
        Ok(class
            .superclass()
            .map_or(0, |above| env.state.mirror(env.world, above).word()))
    }),
    (CLASS, "getInterfaces0", "", Pure, Every, |env, args| {
        let class = env.class_argument(args, 0)?;
        let interfaces = env.world.class(class).interfaces.clone();
        mirrors(env, &interfaces)
    }),
    (CLASS, "getModifiers", "", Pure, Every, |env, args| {
        let class = env.class_argument(args, 0)?;
        Ok(u64::from(class_modifiers(env.world, class)))
    }),
    (CLASS, "getPrimitiveClass", "", Pure, Every, |env, args| {
        let name = env.text(args, 0)?;
        let class = env.world.load(&name)?;
        Ok(env.state.mirror(env.world, class).word())
    }),
    (
        CLASS,
        "desiredAssertionStatus0",
        "",
        Pure,
        Every,
        |env, _| Ok(u64::from(env.state.assertions)),
    ),
    (
        CLASS,
        "desiredAssertionStatus",
        "",
        Pure,
        Every,
        |env, args| {
            let class = env.class_argument(args, 0)?;
            Ok(u64::from(
                env.state.assertions && env.world.class(class).origin == Origin::Program,
            ))
        },
    ),
    (CLASS, "getSigners", "", Pure, Every, nothing),
    (
        CLASS,
        "getProtectionDomain0",
        "",
        Pure,
        Depends,
        protection_domain,
    ),
    (CLASS, "isRecord0", "", Pure, Every, |env, args| {
        let class = env.class_argument(args, 0)?;
        let class = env.world.class(class);
        let file = class.file.as_ref();
        Ok(u64::from(file.is_some_and(|file| {
            file.attribute(file.attributes, "Record").is_some()
        })))
    }),
    (CLASS, "getNestHost0", "", Pure, Every, |env, args| {
        let class = env.class_argument(args, 0)?;
        let host = env.world.nest_host(class);
        Ok(env.state.mirror(env.world, host).word())
    }),
    (CLASS, "getNestMembers0", "", Pure, Every, |env, args| {
        let class = env.class_argument(args, 0)?;
        let host = env.world.nest_host(class);
        let mut members = vec![host];
        members.extend(listed_classes(
            env.world,
            env.world.class(host),
            "NestMembers",
        ));
        mirrors(env, &members)
    }),
    (
        CLASS,
        "getPermittedSubclasses0",
        "",
        Pure,
        Every,
        |env, args| {
            let class = env.class_argument(args, 0)?;
            let class = env.world.class(class);
            let is_sealed = class.file.as_ref().is_some_and(|file| {
                file.attribute(file.attributes, "PermittedSubclasses")
                    .is_some()
            });
            if !is_sealed {
                return Ok(0);
            }
            let permitted = listed_classes(env.world, class, "PermittedSubclasses");
            mirrors(env, &permitted)
        },
    ),
    (
        CLASS,
        "getDeclaredClasses0",
        "",
        Pure,
        Every,
        |env, args| {
            let class = env.class_argument(args, 0)?;
            let own = env.world.class_name(class).to_owned();
            let inner: Vec<ClassId> = inner_classes(env.world, env.world.class(class))
                .into_iter()
                .filter(|entry| entry.outer.as_deref() == Some(own.as_str()))
                .filter_map(|entry| env.world.load(&entry.inner).ok())
                .collect();
            mirrors(env, &inner)
        },
    ),
    (CLASS, "getDeclaringClass0", "", Pure, Every, |env, args| {
        let class = env.class_argument(args, 0)?;
        let Some(entry) = own_entry(env.world, class) else {
            return Ok(0);
        };
        let Some(outer) = entry.outer else {
            return Ok(0);
        };
        let outer = env.world.load(&outer)?;
        Ok(env.state.mirror(env.world, outer).word())
    }),
    (
        CLASS,
        "getSimpleBinaryName0",
        "",
        Pure,
        Every,
        |env, args| {
            let class = env.class_argument(args, 0)?;
            match own_entry(env.world, class).and_then(|entry| entry.name) {
                Some(name) => Ok(env.new_string(&name)),
                None => Ok(0),
            }
        },
    ),
    (
        CLASS,
        "getEnclosingMethod0",
        "",
        Pure,
        Every,
        enclosing_method,
    ),
    (
        CLASS,
        "getGenericSignature0",
        "",
        Pure,
        Every,
        |env, args| {
            let class = env.class_argument(args, 0)?;
            let class = env.world.class(class);
            let signature = class.file.as_ref().and_then(|file| {
                let content = file.attribute(file.attributes, "Signature")?;
                env.world
                    .constant_text(class, u16::from_be_bytes(*content.first_chunk()?))
            });
            Ok(signature.map_or(0, |signature| env.new_string(&signature)))
        },
    ),
    (CLASS, "getRawAnnotations", "", Pure, Every, |env, args| {
        class_attribute(env, args, "RuntimeVisibleAnnotations")
    }),
    (
        CLASS,
        "getRawTypeAnnotations",
        "",
        Pure,
        Every,
        |env, args| class_attribute(env, args, "RuntimeVisibleTypeAnnotations"),
    ),
    (CLASS, "getConstantPool", "", Pure, Every, |env, args| {
        let class = env.world.load("jdk/internal/reflect/ConstantPool")?;
        env.ensure_initialised(class)?;
        let pool = env.state.instantiate(env.world, class);
        env.set_named_field(pool, "constantPoolOop", word(args, 0));
        Ok(pool.word())
    }),
    (
        CLASS,
        "getClassAccessFlagsRaw0",
        "",
        Pure,
        Every,
        |env, args| {
            let class = env.class_argument(args, 0)?;
            Ok(u64::from(env.world.class(class).flags))
        },
    ),
    (
        CLASS,
        "getClassFileVersion0",
        "",
        Pure,
        Every,
        |env, args| {
            let class = env.class_argument(args, 0)?;
            Ok(env
                .world
                .class(class)
                .file
                .as_ref()
                .map_or(0, |file| u64::from(file.major)))
        },
    ),
    (
        "jdk/internal/reflect/Reflection",
        "getClassAccessFlags",
        "",
        Pure,
        Every,
        |env, args| {
            let class = env.class_argument(args, 0)?;
            Ok(u64::from(env.world.class(class).flags))
        },
    ),
    (
        "jdk/internal/reflect/Reflection",
        "areNestMates",
        "",
        Pure,
        Every,
        |env, args| {
            let (a, b) = (env.class_argument(args, 0)?, env.class_argument(args, 1)?);
            Ok(u64::from(env.world.nest_host(a) == env.world.nest_host(b)))
        },
    ),
    (
        "jdk/internal/reflect/Reflection",
        "getCallerClass",
        "",
        Own,
        Every,
        caller_class,
    ),
];

/// The content of an attribute of a class.
fn class_attribute(env: &mut Env<'_>, args: &[u64], name: &str) -> Answer {
    let class = env.class_argument(args, 0)?;
    let file = env.world.class(class).file.as_ref();
    match file.and_then(|file| file.attribute(file.attributes, name)) {
        Some(content) => Ok(env.state.byte_array(env.world, content).word()),
        None => Ok(0),
    }
}

/// The name that `Class.getName` gives.
pub fn class_display_name(world: &World, class: ClassId) -> String {
    let name = world.class_name(class);
    match world.class(class).origin {
        // The part that makes the names of hidden classes unique comes after a slash.
        Origin::Machine | Origin::Program => match name.rsplit_once('/') {
            Some((plain, unique)) if unique.starts_with("0x") => {
                format!("{}/{unique}", plain.replace('/', "."))
            }
            _ => name.replace('/', "."),
        },
        _ => name.replace('/', "."),
    }
}

/// The modifiers that `Class.getModifiers` gives: of inner classes those in the source.
pub(crate) fn class_modifiers(world: &World, class: ClassId) -> u16 {
    let found = own_entry(world, class).map(|entry| entry.flags);
    found.unwrap_or(world.class(class).flags) & !flags::SYNCHRONIZED
}

fn mirrors(env: &mut Env<'_>, classes: &[ClassId]) -> Answer {
    let mirrors: Vec<Ref> = classes
        .iter()
        .map(|&class| env.state.mirror(env.world, class))
        .collect();
    Ok(env.ref_array(CLASS, &mirrors)?.word())
}

fn for_name(env: &mut Env<'_>, args: &[u64]) -> Answer {
    if word(args, 1) & FOUND != 0 {
        return found_by_loader(env, args);
    }
    let name = env.text(args, 0)?;
    let loader = reference(args, 2);
    let is_proper = !name.contains('/')
        && Kind::PRIMITIVES
            .iter()
            .all(|kind| kind.primitive_name() != Some(&*name));
    let class = match seen_by(env, loader, &name)? {
        Some(class) if is_proper => class,
        None if is_proper && is_of_program(env, loader) => {
            return Err(call_loader(env, args));
        }
        _ => return Err(Trap::Raise("java/lang/ClassNotFoundException", Some(name))),
    };
    if word(args, 1) != 0 && env.world.class(class).sort == Sort::Instance {
        env.ensure_initialised(class)?;
    }
    Ok(env.state.mirror(env.world, class).word())
}

/// The flag of `forName0` which says that the last argument is what a loader has found; the first one says
/// whether it is initialised.
const FOUND: u64 = 2;

/// Has a loader of the program find a class in its own way.
fn call_loader(env: &Env<'_>, args: &[u64]) -> Trap {
    let descriptor = "(Ljava/lang/String;ILjava/lang/ClassLoader;)Ljava/lang/Class;";
    let make = || {
        stubs::make(
            env.world,
            env.world.known().object,
            "<load>",
            descriptor,
            |a| {
                a.load(0, Kind::Ref)?;
                a.load(1, Kind::Int)?;
                a.load(2, Kind::Ref)?;
                a.load(2, Kind::Ref)?;
                a.load(0, Kind::Ref)?;
                let load = "(Ljava/lang/String;)Ljava/lang/Class;";
                a.call_named(
                    Op::InvokeVirtual,
                    "java/lang/ClassLoader",
                    "loadClass",
                    load,
                )?;
                let check = "(Ljava/lang/String;ZLjava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/Class;";
                a.call_named(Op::InvokeStatic, CLASS, "forName0", check)?;
                a.finish(Kind::Ref)
            },
        )
    };
    let arguments = [word(args, 0), word(args, 1) | FOUND, word(args, 2)];
    env.call_stub("class of a loader", make, &arguments)
}

/// What a loader has found for a name must be called so.
fn found_by_loader(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let name = env.text(args, 0)?;
    let found = match reference(args, 3).is_null() {
        true => None,
        false => Some(env.class_argument(args, 3)?),
    };
    match found.filter(|&found| class_display_name(env.world, found) == name) {
        Some(class) if word(args, 1) & 1 != 0 => env.ensure_initialised(class)?,
        Some(_) => {}
        None => {
            let name = name.replace('.', "/");
            return Err(Trap::Raise("java/lang/ClassNotFoundException", Some(name)));
        }
    }
    Ok(word(args, 3))
}

/// What a class of the class path comes from. The loader has one for each place.
fn protection_domain(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let world = env.world;
    let class = env.class_argument(args, 0)?;
    if world.class(class).origin == Origin::Library {
        return Ok(0);
    }
    let place = world.place_of(class).map_err(Trap::Unsupported)?;
    let Some(place) = place.filter(|_| !world.is_defined(class)) else {
        env.make_up("Class.getProtectionDomain() of a class that is made at run time")?;
        return Ok(0);
    };
    let url = url_object(env, &place)?;
    let descriptor = "(Ljava/lang/ClassLoader;Ljava/net/URL;)Ljava/security/ProtectionDomain;";
    let make = || {
        let source = world.load("java/security/CodeSource").ok()?;
        stubs::make(world, world.known().object, "<domain>", descriptor, |a| {
            a.load(0, Kind::Ref)?;
            a.new_object(source)?;
            a.load(1, Kind::Ref)?;
            a.builder.push(Value::Int(0), Kind::Ref)?;
            let descriptor = "(Ljava/net/URL;[Ljava/security/cert/Certificate;)V";
            a.call_named(
                Op::InvokeSpecial,
                "java/security/CodeSource",
                "<init>",
                descriptor,
            )?;
            let descriptor = "(Ljava/security/CodeSource;)Ljava/security/ProtectionDomain;";
            let loader = "java/security/SecureClassLoader";
            a.call_named(Op::InvokeSpecial, loader, "getProtectionDomain", descriptor)?;
            a.finish(Kind::Ref)
        })
    };
    let arguments = [env.state.loader.word(), url.word()];
    Err(env.call_stub("domain of a place", make, &arguments))
}

/// The class of the method that called the method that asks.
fn caller_class(env: &mut Env<'_>, _: &[u64]) -> Answer {
    let frames = env.thread.frames.iter().rev().skip(1);
    let caller = frames
        .map(|frame| env.world.method(frame.method))
        .find(|method| {
            let is_reflection = matches!(
                env.world.class_name(method.class),
                "java/lang/reflect/Method"
                    | "jdk/internal/reflect/NativeMethodAccessorImpl"
                    | "jdk/internal/reflect/DelegatingMethodAccessorImpl"
            );
            method.member != u16::MAX && !is_reflection
        });
    let Some(class) = caller.map(|method| method.class) else {
        return Ok(0);
    };
    Ok(env.state.mirror(env.world, class).word())
}

/// An entry of the table of inner classes.
struct Inner {
    inner: String,
    outer: Option<String>,
    name: Option<String>,
    flags: u16,
}

fn inner_classes(world: &World, class: &Class) -> Vec<Inner> {
    let Some(file) = &class.file else {
        return Vec::new();
    };
    let Some(content) = file.attribute(file.attributes, "InnerClasses") else {
        return Vec::new();
    };
    let mut r = Reader::new(content, 0);
    let mut entries = Vec::new();
    for _ in 0..r.u2().unwrap_or(0) {
        let (Ok(inner), Ok(outer), Ok(name), Ok(flags)) = (r.u2(), r.u2(), r.u2(), r.u2()) else {
            break;
        };
        let Some(inner) = world.constant_text(class, inner) else {
            continue;
        };
        entries.push(Inner {
            inner,
            outer: world.constant_text(class, outer),
            name: world.constant_text(class, name),
            flags,
        });
    }
    entries
}

fn own_entry(world: &World, class: ClassId) -> Option<Inner> {
    let name = world.class_name(class);
    inner_classes(world, world.class(class))
        .into_iter()
        .find(|entry| entry.inner == name)
}

/// The classes that an attribute lists.
fn listed_classes(world: &World, class: &Class, attribute: &str) -> Vec<ClassId> {
    let Some(file) = &class.file else {
        return Vec::new();
    };
    let Some(content) = file.attribute(file.attributes, attribute) else {
        return Vec::new();
    };
    let mut r = Reader::new(content, 0);
    let count = r.u2().unwrap_or(0);
    let indices: Vec<u16> = (0..count).map_while(|_| r.u2().ok()).collect();
    indices
        .into_iter()
        .filter_map(|index| world.load(&file.class_name(index).ok()?).ok())
        .collect()
}

fn enclosing_method(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let class = env.class_argument(args, 0)?;
    let world = env.world;
    let Some(file) = &world.class(class).file else {
        return Ok(0);
    };
    let Some(content) = file.attribute(file.attributes, "EnclosingMethod") else {
        return Ok(0);
    };
    let mut r = Reader::new(content, 0);
    let (Ok(outer), Ok(method)) = (r.u2(), r.u2()) else {
        return null_pointer();
    };
    let Ok(outer) = file.class_name(outer) else {
        return Ok(0);
    };
    let outer = world.load(&outer)?;
    let mut parts = [env.state.mirror(world, outer), Ref::NULL, Ref::NULL];
    if let Ok((name, descriptor)) = file.name_and_type(method) {
        parts[1] = Ref::of(env.new_string(&file.text(name).unwrap_or_default()));
        parts[2] = Ref::of(env.new_string(&file.text(descriptor).unwrap_or_default()));
    }
    Ok(env.ref_array("java/lang/Object", &parts)?.word())
}

/// Gives a mirror what the library expects to find in it.
pub(crate) fn finish_mirror(world: &World, state: &mut State, class: ClassId, mirror: Ref) {
    let known = world.known();
    let described = world.class(class);
    if let Sort::Array(element) = described.sort {
        let element = state.mirror(world, element);
        state
            .heap
            .set_field(mirror, known.class_component, element.word());
    }
    if let Some(slot) = known.class_primitive
        && let Sort::Primitive(_) = described.sort
    {
        state.heap.set_field(mirror, slot, 1);
    }
    if let Some(slot) = known.class_modifiers {
        state
            .heap
            .set_field(mirror, slot, u64::from(class_modifiers(world, class)));
    }
    let (module, loader) = match described.origin {
        Origin::Library => (state.module, Ref::NULL),
        Origin::Program | Origin::Engine | Origin::Machine => (state.program_module, state.loader),
    };
    state
        .heap
        .set_field(mirror, known.class_module, module.word());
    state
        .heap
        .set_field(mirror, known.class_loader, loader.word());
}

/// The name that a class has in the source.
pub(crate) fn simple_name(world: &World, class: ClassId) -> String {
    if let Some(name) = own_entry(world, class).and_then(|entry| entry.name) {
        return name;
    }
    let name = world.class_name(class);
    name.rsplit('/').next().unwrap_or(name).to_owned()
}
