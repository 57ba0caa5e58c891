//! `java.lang.StackWalker`: the frames are taken all at once, when a walk begins.

use super::throwable::{init_element, is_hidden, position};
use super::{Answer, Entry, Native, null_pointer, reference, word};
use crate::code::Op;
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::interpret::{Args, Env, Trap};
use crate::made_up::Source::Every;
use crate::roles::Role::{Own, Pure};
use crate::stubs;
use crate::world::MethodId;

const WALKER: &str = "java/lang/StackWalker";
const FRAME: &str = "java/lang/StackFrameInfo";

/// In later versions a bit of the flags of a frame, with those of its method.
const RETAINS_CLASS: u64 = 0x0800_0000;

const NO_TYPE: Native = |_, _| Err(Trap::Unsupported("the type of a stack frame".to_owned()));

pub(super) const TABLE: &[Entry] = &[
    (WALKER, "walk", "", Own, Every, |env, args| {
        walk(env, args, "walk")
    }),
    (WALKER, "forEach", "", Own, Every, |env, args| {
        walk(env, args, "forEach")
    }),
    (WALKER, "getCallerClass", "", Own, Every, caller_class),
    (FRAME, "declaringClass", "", Pure, Every, |env, args| {
        Ok(frame_class(env, reference(args, 0)))
    }),
    (FRAME, "getMethodType", "", Pure, Every, NO_TYPE),
    (FRAME, "getDescriptor", "", Pure, Every, NO_TYPE),
    (FRAME, "getClassName", "", Pure, Every, |env, args| {
        element_field(env, args, "declaringClass")
    }),
    (FRAME, "getMethodName", "", Pure, Every, |env, args| {
        element_field(env, args, "methodName")
    }),
    (FRAME, "isNativeMethod", "", Pure, Every, super::nothing),
    (FRAME, "getByteCodeIndex", "", Pure, Every, |env, args| {
        Ok(env.named_field(reference(args, 0), "bci"))
    }),
];

/// The methods of the current thread that are not part of the machinery, innermost first.
fn shown_methods(env: &Env<'_>) -> Vec<(MethodId, u16)> {
    let world = env.world;
    let frames = env.thread.frames.iter().rev().filter(|frame| {
        let class = world.class_name(world.method(frame.method).class);
        let is_reflection =
            class == "java/lang/reflect/Method" || class.starts_with("jdk/internal/reflect/");
        !is_hidden(world, frame.method) && !is_reflection
    });
    frames
        .map(|frame| (frame.method, position(world, frame)))
        .collect()
}

/// Where the class of a frame is kept, which has other names in other versions.
fn frame_class(env: &Env<'_>, frame: Ref) -> u64 {
    env.named_field(frame, "memberName") | env.named_field(frame, "classOrMemberName")
}

fn element_field(env: &mut Env<'_>, args: &[u64], name: &str) -> Answer {
    let element = Ref::of(env.named_field(reference(args, 0), "ste"));
    Ok(env.named_field(element, name))
}

/// The class of the method that called the method that asks.
fn caller_class(env: &mut Env<'_>, args: &[u64]) -> Answer {
    if !retains_classes(env, args)? {
        return super::raise(
            "java/lang/UnsupportedOperationException",
            "This stack walker does not have RETAIN_CLASS_REFERENCE access",
        );
    }
    match shown_methods(env).get(1) {
        Some(&(method, _)) => {
            let class = env.world.method(method).class;
            Ok(env.state.mirror(env.world, class).word())
        }
        None => super::raise("java/lang/IllegalCallerException", "no caller frame"),
    }
}

/// Whether a walker gives classes away. It does nothing else that one can ask for.
fn retains_classes(env: &Env<'_>, args: &[u64]) -> Result<bool, Trap> {
    let walker = reference(args, 0);
    let options = Ref::of(env.named_field(walker, "options"));
    match env.named_field(options, "elements") {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Trap::Unsupported(
            "a stack walker with options other than RETAIN_CLASS_REFERENCE".to_owned(),
        )),
    }
}

/// Makes objects of all frames and gives them as a stream to a function or consumer.
fn walk(env: &mut Env<'_>, args: &[u64], what: &str) -> Answer {
    let world = env.world;
    if reference(args, 1).is_null() {
        return null_pointer();
    }
    let retains = retains_classes(env, args)?;
    let frame_class = world.load(FRAME)?;
    env.ensure_initialised(frame_class)?;
    let element_class = world.load("java/lang/StackTraceElement")?;
    env.ensure_initialised(element_class)?;
    let arrays = world.load("java/util/Arrays")?;
    env.ensure_initialised(arrays)?;
    let mut frames = Vec::new();
    for (method, position) in shown_methods(env) {
        let element = env.state.instantiate(world, element_class);
        init_element(env, element, method, position);
        env.set_named_field(element, "format", 3);
        let retained = if retains { RETAINS_CLASS } else { 0 };
        let flags = u64::from(world.method(method).flags) | retained;
        let frame = env.state.instantiate(world, frame_class);
        let mirror = env.state.mirror(world, world.method(method).class);
        for (name, value) in [
            ("ste", element.word()),
            ("memberName", mirror.word()),
            ("classOrMemberName", mirror.word()),
            ("bci", u64::from(position)),
            ("retainClassRef", u64::from(retains)),
            ("flags", flags),
        ] {
            env.set_named_field(frame, name, value);
        }
        frames.push(frame);
    }
    let frames = env.ref_array("java/lang/StackWalker$StackFrame", &frames)?;
    let key = format!("stack {what}");
    let stub = world
        .invokers
        .find(&key)
        .or_else(|| Some(world.invokers.insert(key, caller(env, what)?)));
    match stub {
        Some(stub) => Err(Trap::Call(
            stub,
            Args::from_slice(&[word(args, 1), frames.word()]),
        )),
        None => Err(Trap::Unsupported(format!("StackWalker.{what}"))),
    }
}

/// A method that takes a function or consumer and an array, and applies the one to a stream
/// of the other.
fn caller(env: &Env<'_>, what: &str) -> Option<MethodId> {
    let descriptor = "(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;";
    stubs::make(
        env.world,
        env.world.known().object,
        "<walk>",
        descriptor,
        |a| {
            let stream = |a: &mut stubs::Assembler<'_>| {
                a.load(1, Kind::Ref)?;
                a.call_named(
                    Op::InvokeStatic,
                    "java/util/Arrays",
                    "stream",
                    "([Ljava/lang/Object;)Ljava/util/stream/Stream;",
                )
            };
            if what == "walk" {
                a.load(0, Kind::Ref)?;
                stream(a)?;
                let apply = "(Ljava/lang/Object;)Ljava/lang/Object;";
                a.call_named(
                    Op::InvokeInterface,
                    "java/util/function/Function",
                    "apply",
                    apply,
                )?;
            } else {
                stream(a)?;
                a.load(0, Kind::Ref)?;
                let consume = "(Ljava/util/function/Consumer;)V";
                a.call_named(
                    Op::InvokeInterface,
                    "java/util/stream/Stream",
                    "forEach",
                    consume,
                )?;
                a.load(0, Kind::Ref)?;
            }
            a.finish(Kind::Ref)
        },
    )
}
