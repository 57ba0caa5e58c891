//! Stack traces.

use super::{Answer, Entry, reference};
use crate::code::Body;
use crate::heap::{Body as ObjectBody, Ref, int};
use crate::interpret::Env;
use crate::made_up::Source::Every;
use crate::roles::Role::Own;
use crate::thread::Frame;
use crate::world::{MethodId, Origin, World, flags};

pub(super) const TABLE: &[Entry] = &[
    (
        "java/lang/Throwable",
        "fillInStackTrace",
        "(I)Ljava/lang/Throwable;",
        Own,
        Every,
        |env, args| {
            fill_in_stack_trace(env, reference(args, 0));
            Ok(args[0])
        },
    ),
    (
        "java/lang/StackTraceElement",
        "initStackTraceElements",
        "",
        Own,
        Every,
        init_elements,
    ),
    (
        "java/lang/StackTraceElement",
        "computeFormat",
        "",
        Own,
        Every,
        compute_format,
    ),
    (
        "java/lang/NullPointerException",
        "getExtendedNPEMessage",
        "",
        Own,
        Every,
        super::null_message::extended_message,
    ),
];

/// The deepest trace that is kept.
const LONGEST: usize = 1024;

/// Records where a throwable was made: pairs of method and position, packed.
pub(crate) fn fill_in_stack_trace(env: &mut Env<'_>, throwable: Ref) {
    let world = env.world;
    let mut trace = Vec::new();
    let mut is_constructing = true;
    for frame in env.thread.frames.iter().rev() {
        let method = world.method(frame.method);
        if is_hidden(world, frame.method) {
            continue;
        }
        // The constructors of the throwable itself are not part of the trace.
        if is_constructing {
            let name = world.text(method.name);
            let is_own = world.is_assignable(method.class, world.known().throwable)
                && !method.is_static()
                && env.thread.stack.get(frame.base as usize).copied() == Some(throwable.word());
            if is_own && (name == "<init>" || name == "fillInStackTrace") {
                continue;
            }
            is_constructing = false;
        }
        trace.push((i64::from(frame.method.0) << 32) | i64::from(position(world, frame)));
        if trace.len() == LONGEST {
            break;
        }
    }
    let depth = trace.len();
    if let Ok(class) = world.load("[J") {
        let array = env
            .state
            .heap
            .allocate(class, ObjectBody::Longs(trace.into()));
        env.state
            .heap
            .set_field(throwable, world.known().throwable_backtrace, array.word());
        env.state
            .heap
            .set_field(throwable, world.known().throwable_depth, depth as u64);
        let unassigned = world.static_slot_of(world.known().throwable, "UNASSIGNED_STACK");
        let mirror = env.state.class(world.known().throwable).mirror;
        let unassigned = unassigned.map_or(0, |slot| env.state.heap.field(mirror, slot));
        env.state
            .heap
            .set_field(throwable, world.known().throwable_trace, unassigned);
    }
}

/// Methods that the machine made are never shown.
pub fn is_hidden(world: &World, method: MethodId) -> bool {
    let method = world.method(method);
    method.member == u16::MAX
}

/// The position in the bytecode at which a frame stands.
pub fn position(world: &World, frame: &Frame) -> u16 {
    match world.method(frame.method).body.get() {
        Some(Body::Code(code)) => code.pcs.get(frame.pc as usize).copied().unwrap_or(0),
        _ => 0,
    }
}

/// The source line of a position in a method; -1 if nobody knows.
pub fn line_number(world: &World, method: MethodId, position: u16) -> i32 {
    let method = world.method(method);
    if method.flags & flags::NATIVE != 0 {
        return -2;
    }
    let found = world.class(method.class).file.as_ref().and_then(|file| {
        let member = file.methods.get(method.member as usize)?;
        let code = file.code(member).ok()??;
        let mut best = None;
        for (name, content) in file.attributes(code.attributes) {
            if name != "LineNumberTable" {
                continue;
            }
            for entry in content.get(2..)?.as_chunks::<4>().0 {
                let start = u16::from_be_bytes([entry[0], entry[1]]);
                let line = u16::from_be_bytes([entry[2], entry[3]]);
                if start <= position && best.is_none_or(|(known, _)| known <= start) {
                    best = Some((start, line));
                }
            }
        }
        best.map(|(_, line)| i32::from(line))
    });
    found.unwrap_or(-1)
}

/// The name of the source file of a method's class.
pub fn source_file(world: &World, method: MethodId) -> Option<String> {
    let file = world.class(world.method(method).class).file.as_ref()?;
    let content = file.attribute(file.attributes, "SourceFile")?;
    let index = u16::from_be_bytes(*content.first_chunk()?);
    file.text(index).ok().map(|name| name.into_owned())
}

/// A frame as stack traces have it. None for those that are not shown.
pub(crate) fn describe_frame(world: &World, frame: &Frame) -> Option<String> {
    describe_call(world, frame.method, position(world, frame))
}

/// The same for a position in a method.
pub fn describe_call(world: &World, called: MethodId, position: u16) -> Option<String> {
    if is_hidden(world, called) {
        return None;
    }
    let method = world.method(called);
    let class = world.class(method.class);
    let name = world.text(class.name).replace('/', ".");
    let module = if class.origin == Origin::Library {
        format!("{}/", world.text(class.module))
    } else {
        String::new()
    };
    let file = source_file(world, called).unwrap_or_else(|| "Unknown Source".to_owned());
    let line = line_number(world, called, position);
    let place = if line > 0 {
        format!("{file}:{line}")
    } else {
        file
    };
    Some(format!(
        "{module}{name}.{}({place})",
        world.text(method.name)
    ))
}

/// Fills an array of `StackTraceElement`s from what a throwable has recorded.
fn init_elements(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let world = env.world;
    let elements: Vec<Ref> = env
        .state
        .heap
        .refs(reference(args, 0))
        .map(<[Ref]>::to_vec)
        .unwrap_or_default();
    let given = reference(args, 1);
    let is_throwable = env
        .state
        .heap
        .get(given)
        .is_some_and(|object| world.is_assignable(object.class, world.known().throwable));
    let trace = if is_throwable {
        env.state
            .heap
            .ref_field(given, world.known().throwable_backtrace)
    } else {
        given
    };
    let trace: Vec<i64> = match env.state.heap.get(trace).map(|object| &object.body) {
        Some(ObjectBody::Longs(trace)) => trace.to_vec(),
        _ => Vec::new(),
    };
    for (element, packed) in elements.into_iter().zip(trace) {
        let method = MethodId((packed >> 32) as u32);
        let position = packed as u16;
        init_element(env, element, method, position);
    }
    Ok(0)
}

pub(super) fn init_element(env: &mut Env<'_>, element: Ref, id: MethodId, position: u16) {
    let world = env.world;
    let method = world.method(id);
    let class = world.class(method.class);
    let class_name = env.new_string(&world.text(class.name).replace('/', "."));
    env.set_named_field(element, "declaringClass", class_name);
    let name = env.new_string(world.text(method.name));
    env.set_named_field(element, "methodName", name);
    if let Some(file) = source_file(world, id) {
        let file = env.new_string(&file);
        env.set_named_field(element, "fileName", file);
    }
    env.set_named_field(element, "lineNumber", int(line_number(world, id, position)));
    let mirror = env.state.mirror(world, method.class);
    env.set_named_field(element, "declaringClassObject", mirror.word());
    if class.origin == Origin::Library {
        let module = env.new_string(world.text(class.module));
        env.set_named_field(element, "moduleName", module);
    } else {
        let app = env.new_string("app");
        env.set_named_field(element, "classLoaderName", app);
    }
}

/// Decides what of module and loader is shown: of the library the module without version, of
/// the program neither.
fn compute_format(env: &mut Env<'_>, args: &[u64]) -> Answer {
    const BUILTIN_CLASS_LOADER: u64 = 0x1;
    const JDK_NON_UPGRADEABLE_MODULE: u64 = 0x2;
    env.set_named_field(
        reference(args, 0),
        "format",
        BUILTIN_CLASS_LOADER | JDK_NON_UPGRADEABLE_MODULE,
    );
    env.set_named_field(reference(args, 0), "declaringClassObject", 0);
    Ok(0)
}
