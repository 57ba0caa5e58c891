//! `java.lang.System` and what lies beneath the library: properties, time, copying, exit.

use super::{Answer, Entry, integer, nothing, null_pointer, raise, reference, word};
use crate::classfile::Constant;
use crate::heap::{Body, Ref, int};
use crate::interpret::{Env, Trap};
use crate::made_up::Source::{self, Depends, Every, Possible, Usual};
use crate::made_up::{PROCESSORS, leave_out};
use crate::reach::share;
use crate::roles::Role::{Clock, Copy, Exit, Never, Opaque, Own, Pure};
use crate::world::{Origin, Sort};

const SYSTEM: &str = "java/lang/System";
const RUNTIME: &str = "java/lang/Runtime";

/// When the machine's time begins: the first of January 2024.
pub(super) const EPOCH_MILLIS: u64 = 1_704_067_200_000;

const PROPERTIES: Source = Possible("the properties of the system");

pub(super) const TABLE: &[Entry] = &[
    (SYSTEM, "arraycopy", "", Copy, Every, array_copy),
    (SYSTEM, "currentTimeMillis", "", Clock, Every, |env, _| {
        Ok(EPOCH_MILLIS + now(env) / 1_000_000)
    }),
    (SYSTEM, "nanoTime", "", Clock, Every, |env, _| Ok(now(env))),
    (SYSTEM, "setIn0", "", Opaque, Every, |env, args| {
        set_stream(env, args, "in")
    }),
    (SYSTEM, "setOut0", "", Opaque, Every, |env, args| {
        set_stream(env, args, "out")
    }),
    (SYSTEM, "setErr0", "", Opaque, Every, |env, args| {
        set_stream(env, args, "err")
    }),
    (SYSTEM, "mapLibraryName", "", Pure, Every, |env, args| {
        let name = env.text(args, 0)?;
        Ok(env.new_string(&format!("lib{name}.so")))
    }),
    (SYSTEM, "load", "", Own, Every, load_library),
    (SYSTEM, "loadLibrary", "", Own, Every, load_library),
    (RUNTIME, "load", "", Own, Every, load_library),
    (RUNTIME, "load0", "", Own, Every, load_library),
    (RUNTIME, "loadLibrary", "", Own, Every, load_library),
    (RUNTIME, "loadLibrary0", "", Own, Every, load_library),
    (
        "jdk/internal/loader/BootLoader",
        "loadLibrary",
        "",
        Pure,
        Every,
        nothing,
    ),
    (
        "jdk/internal/util/SystemProps$Raw",
        "vmProperties",
        "",
        Pure,
        PROPERTIES,
        vm_properties,
    ),
    (
        "jdk/internal/util/SystemProps$Raw",
        "platformProperties",
        "",
        Pure,
        PROPERTIES,
        platform_properties,
    ),
    (RUNTIME, "availableProcessors", "", Own, Depends, processors),
    (RUNTIME, "freeMemory", "", Never, Every, |env, _| {
        Ok(env.state.memory_limit.saturating_sub(env.state.heap.used()) as u64)
    }),
    (RUNTIME, "totalMemory", "", Own, Depends, |env, _| {
        env.one_of_many_for_program("Runtime.totalMemory()");
        Ok(env.state.memory_limit as u64)
    }),
    (RUNTIME, "maxMemory", "", Own, Depends, |env, _| {
        env.one_of_many_for_program("Runtime.maxMemory()");
        Ok(env.state.memory_limit as u64)
    }),
    (
        RUNTIME,
        "gc",
        "",
        Pure,
        Possible("System.gc(): no reference is cleared"),
        nothing,
    ),
    ("java/lang/Shutdown", "halt0", "", Exit, Every, |_, args| {
        Err(Trap::Exit(integer(args, 0)))
    }),
    ("java/lang/Shutdown", "beforeHalt", "", Pure, Every, nothing),
    (
        "jdk/internal/misc/VM",
        "initialize",
        "",
        Pure,
        Every,
        nothing,
    ),
    (
        "jdk/internal/misc/VM",
        "initializeFromArchive",
        "",
        Pure,
        Every,
        nothing,
    ),
    (
        "jdk/internal/misc/VM",
        "getNanoTimeAdjustment",
        "",
        Clock,
        Every,
        |env, args| {
            let now = EPOCH_MILLIS * 1_000_000 + now(env);
            let offset = word(args, 0).wrapping_mul(1_000_000_000);
            Ok(now.wrapping_sub(offset))
        },
    ),
    (
        "jdk/internal/misc/VM",
        "getRuntimeArguments",
        "",
        Pure,
        Possible("the arguments of the JVM: there are none"),
        |env, _| Ok(env.ref_array("java/lang/String", &[])?.word()),
    ),
    (
        "jdk/internal/misc/VM",
        "latestUserDefinedLoader0",
        "",
        Pure,
        Every,
        |env, _| Ok(env.state.loader.word()),
    ),
    (
        "jdk/internal/misc/Signal",
        "findSignal0",
        "",
        Pure,
        Every,
        |env, args| {
            let name = env.text(args, 0)?;
            let known = SIGNALS.iter().find(|(signal, _)| *signal == name);
            Ok(int(known.map_or(-1, |&(_, number)| number)))
        },
    ),
    (
        "jdk/internal/misc/Signal",
        "handle0",
        "",
        Pure,
        Possible("signals: none comes"),
        nothing,
    ),
    ("java/lang/Terminator", "setup", "", Pure, Every, nothing),
    (
        "java/lang/ProcessEnvironment",
        "environ",
        "",
        Pure,
        Depends,
        environment,
    ),
    (
        "java/lang/ProcessHandleImpl",
        "getCurrentPid0",
        "",
        Pure,
        PROCESS,
        process,
    ),
    (MANAGEMENT, "getProcessId", "", Pure, PROCESS, process),
    (
        MANAGEMENT,
        "getVersion0",
        "",
        Pure,
        Usual("versions of the management interface"),
        |env, _| Ok(env.new_string("4.0")),
    ),
    (
        MANAGEMENT,
        "initOptionalSupportFields",
        "",
        Pure,
        Usual("what is optional of the management interface"),
        nothing,
    ),
    (
        MANAGEMENT,
        "getVmArguments0",
        "",
        Pure,
        Possible("arguments of the JVM, of which there are none"),
        |env, _| Ok(env.ref_array("java/lang/String", &[])?.word()),
    ),
    (MANAGEMENT, "getStartupTime", "", Clock, Every, |_, _| {
        Ok(EPOCH_MILLIS)
    }),
    (MANAGEMENT, "getUptime0", "", Clock, Every, |env, _| {
        Ok(now(env) / 1_000_000)
    }),
];

const MANAGEMENT: &str = "sun/management/VMManagementImpl";

/// The number of the process is another one in each run.
const PROCESS: Source = Possible("numbers of the process other than 4711");

fn process(_: &mut Env<'_>, _: &[u64]) -> Answer {
    Ok(4711)
}

/// The variables of the environment, each as two arrays of bytes.
fn environment(env: &mut Env<'_>, _: &[u64]) -> Answer {
    let source = match env.world.environment {
        Some(_) => Source::Usual("System.getenv(): variables other than those of --env"),
        None => Source::Possible("System.getenv(): there are no environment variables (--env)"),
    };
    env.note_source(source)?;
    let world = env.world;
    let variables = world.environment.iter().flatten();
    let texts = variables.flat_map(|(name, value)| [name, value]);
    let arrays: Vec<Ref> = texts
        .map(|text| env.state.byte_array(world, text.as_bytes()))
        .collect();
    Ok(env.ref_array("[B", &arrays)?.word())
}

/// The signals of Linux that programs have handlers for. None ever comes.
const SIGNALS: [(&str, i32); 8] = [
    ("HUP", 1),
    ("INT", 2),
    ("USR1", 10),
    ("USR2", 12),
    ("PIPE", 13),
    ("ALRM", 14),
    ("TERM", 15),
    ("CHLD", 17),
];

/// The native libraries of the JDK that its own classes load. What they do is in these tables, and
/// what is not ends the run when it is called.
const LIBRARIES: [&str; 12] = [
    "extnet",
    "instrument",
    "java",
    "jimage",
    "management",
    "management_ext",
    "net",
    "nio",
    "prefs",
    "rmi",
    "verify",
    "zip",
];

/// Loads a native library; its name is the last argument. Nothing is known of one of the
/// program's own: neither that it can be loaded nor that it cannot.
fn load_library(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let name = env.text(args, args.len().saturating_sub(1))?;
    let frames = env.thread.frames.iter().rev();
    let mut methods = frames.map(|frame| env.world.method(frame.method));
    let caller = methods.find(|method| method.member != u16::MAX);
    let origin = caller.map(|method| env.world.class(method.class).origin);
    let is_ours = origin.is_none_or(|origin| origin == Origin::Library);
    match is_ours && LIBRARIES.contains(&&*name) {
        true => Ok(0),
        false => Err(Trap::Unsupported(format!("the native library `{name}`"))),
    }
}

/// Time goes on a little whenever somebody asks, so that waiting for it ends. Not so for a
/// checker, to whom each moment would be another state.
pub(super) fn now(env: &mut Env<'_>) -> u64 {
    if env.hook.is_none() {
        env.state.clock += 1_000;
    }
    env.state.clock
}

/// Classes that ask for the number of processors so as to know whether to try again for a while
/// before they wait.
const SPINNING: [&str; 5] = [
    "java/util/concurrent/Exchanger",
    "java/util/concurrent/LinkedTransferQueue",
    "java/util/concurrent/Phaser",
    "java/util/concurrent/SynchronousQueue",
    "java/util/concurrent/locks/StampedLock",
];

/// Two processors are enough for whoever makes as many threads, unless a user says otherwise. Who would only spin is told that
/// it is in vain: trying again shows nothing that waiting does not, in very many states.
fn processors(env: &mut Env<'_>, _: &[u64]) -> Answer {
    let caller = env.thread.frames.last().map(|frame| {
        let class = env.world.method(frame.method).class;
        env.world.class_name(class)
    });
    let is_spinning = caller.is_some_and(|caller| SPINNING.contains(&caller));
    // Machines with two processors there are: what goes wrong here goes wrong on them.
    if env.is_called_by_program() {
        leave_out(env.world, env.state, PROCESSORS);
    }
    Ok(match is_spinning {
        true => 1,
        false => u64::from(env.world.processors),
    })
}

fn set_stream(env: &mut Env<'_>, args: &[u64], name: &str) -> Answer {
    let class = env.world.load(SYSTEM)?;
    let mirror = env.state.mirror(env.world, class);
    // Whoever prints reaches it.
    share(env.world, &mut env.state.heap, reference(args, 0));
    if let Some(slot) = env.world.static_slot_of(class, name) {
        env.state.heap.set_field(mirror, slot, word(args, 0));
    }
    Ok(0)
}

fn strings(env: &mut Env<'_>, texts: &[Option<&str>]) -> Answer {
    let mut refs = Vec::with_capacity(texts.len());
    for text in texts {
        refs.push(text.map_or(Ref::NULL, |text| Ref::of(env.new_string(text))));
    }
    Ok(env.ref_array("java/lang/String", &refs)?.word())
}

fn vm_properties(env: &mut Env<'_>, _: &[u64]) -> Answer {
    let version = env.world.version().to_string();
    let home = env.world.jdk.home().display().to_string();
    let class_version = format!("{}.0", env.world.version() + 44);
    let pairs = [
        ("java.home", home.as_str()),
        (
            "java.vm.specification.name",
            "Java Virtual Machine Specification",
        ),
        ("java.vm.specification.vendor", "Oracle Corporation"),
        ("java.vm.specification.version", version.as_str()),
        ("java.vm.name", "raddle"),
        ("java.vm.vendor", "raddle"),
        ("java.vm.version", version.as_str()),
        ("java.vm.info", "interpreted mode"),
        ("java.class.path", "."),
        ("java.class.version", class_version.as_str()),
        ("java.library.path", ""),
        ("jdk.debug", "release"),
        ("sun.nio.MaxDirectMemorySize", "-1"),
    ];
    let mut texts: Vec<Option<&str>> = pairs
        .iter()
        .flat_map(|&(key, value)| [Some(key), Some(value)])
        .collect();
    texts.extend([None, None]);
    strings(env, &texts)
}

/// The places of the array are named by constants of the class, which differ between versions.
fn platform_properties(env: &mut Env<'_>, _: &[u64]) -> Answer {
    let known = [
        ("file_separator", "/"),
        ("path_separator", ":"),
        ("line_separator", "\n"),
        ("file_encoding", "UTF-8"),
        ("native_encoding", "UTF-8"),
        ("sun_jnu_encoding", "UTF-8"),
        ("stdout_encoding", "UTF-8"),
        ("stderr_encoding", "UTF-8"),
        ("stdin_encoding", "UTF-8"),
        ("sun_stdout_encoding", "UTF-8"),
        ("sun_stderr_encoding", "UTF-8"),
        ("sun_io_unicode_encoding", "UnicodeLittle"),
        ("display_language", "en"),
        ("os_arch", "amd64"),
        ("os_name", "Linux"),
        ("os_version", "0"),
        ("sun_arch_data_model", "64"),
        ("sun_cpu_endian", "little"),
        ("java_io_tmpdir", "/tmp"),
        ("user_dir", "/"),
        ("user_home", "/"),
        ("user_name", "user"),
    ];
    let class = env.world.load("jdk/internal/util/SystemProps$Raw")?;
    let described = env.world.class(class);
    let mut texts: Vec<Option<&str>> = Vec::new();
    let Some(file) = &described.file else {
        return null_pointer();
    };
    for field in &described.fields {
        let Ok(Constant::Integer(index)) = file.constant(field.constant) else {
            continue;
        };
        let name = env.world.text(field.name);
        let index = index.clamp(0, 1000) as usize;
        if name == "FIXED_LENGTH" {
            texts.resize(index.max(texts.len()), None);
            continue;
        }
        let name = name.trim_start_matches('_').trim_end_matches("_NDX");
        if let Some(&(_, value)) = known.iter().find(|&&(key, _)| key == name) {
            if texts.len() <= index {
                texts.resize(index + 1, None);
            }
            texts[index] = Some(value);
        }
    }
    strings(env, &texts)
}

fn array_copy(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let (from, to) = (reference(args, 0), reference(args, 2));
    let (from_at, to_at, count) = (integer(args, 1), integer(args, 3), integer(args, 4));
    let (Some(source), Some(target)) = (env.state.heap.get(from), env.state.heap.get(to)) else {
        return null_pointer();
    };
    let (Some(from_length), Some(to_length)) = (source.body.length(), target.body.length()) else {
        let which = if source.body.length().is_none() {
            ("source", source.class)
        } else {
            ("destination", target.class)
        };
        let name = super::class_display_name(env.world, which.1);
        return raise(
            "java/lang/ArrayStoreException",
            format!("arraycopy: {} type {name} is not an array", which.0),
        );
    };
    if std::mem::discriminant(&source.body) != std::mem::discriminant(&target.body)
        || (source.class != target.class && !matches!(source.body, Body::Refs(_)))
    {
        return raise(
            "java/lang/ArrayStoreException",
            mismatch(env, source.class, target.class),
        );
    }
    check_range(env, "source", source.class, from_at, count, from_length)?;
    check_range(env, "destination", target.class, to_at, count, to_length)?;
    let (from_at, to_at, count) = (from_at as usize, to_at as usize, count as usize);
    let mut count = count;
    let mut bad_element = None;
    if let (Body::Refs(elements), Sort::Array(wanted)) =
        (&source.body, env.world.class(target.class).sort)
        && source.class != target.class
    {
        let is_bad = |element: &Ref| {
            env.state
                .heap
                .get(*element)
                .is_some_and(|object| !env.world.is_assignable(object.class, wanted))
        };
        if let Some(place) = elements[from_at..from_at + count].iter().position(is_bad) {
            bad_element = Some((place, elements[from_at + place], wanted));
            count = place;
        }
    }
    if from == to {
        if let Some(array) = env.state.heap.get_mut(to) {
            copy_within(&mut array.body, from_at, to_at, count);
        }
    } else {
        let copied = part(&source.body, from_at, count);
        if let Some(array) = env.state.heap.get_mut(to) {
            paste(&mut array.body, to_at, &copied);
        }
    }
    match bad_element {
        None => Ok(0),
        Some((place, element, wanted)) => {
            let class = env
                .state
                .heap
                .get(element)
                .map(|object| object.class)
                .unwrap_or_default();
            let (from, to) = (
                super::class_display_name(env.world, class),
                super::class_display_name(env.world, wanted),
            );
            let message = format!(
                "arraycopy: element type mismatch: can not cast one of the elements of {}[] to the type of the destination array, {to}",
                object_array_name(env, args, &from, place)
            );
            raise("java/lang/ArrayStoreException", message)
        }
    }
}

/// The element type of the source array, which the message names.
fn object_array_name(env: &Env<'_>, args: &[u64], fallback: &str, _place: usize) -> String {
    let class = env
        .state
        .heap
        .get(reference(args, 0))
        .map(|array| env.world.class(array.class).sort);
    match class {
        Some(Sort::Array(element)) => super::class_display_name(env.world, element),
        _ => fallback.to_owned(),
    }
}

fn mismatch(env: &Env<'_>, from: crate::world::ClassId, to: crate::world::ClassId) -> String {
    let kind = |class| match env.world.class(class).sort {
        Sort::Array(element) => match env.world.class(element).sort {
            Sort::Primitive(_) => format!("{}[]", env.world.class_name(element)),
            _ => "object array[]".to_owned(),
        },
        _ => "object".to_owned(),
    };
    format!(
        "arraycopy: type mismatch: can not copy {} into {}",
        kind(from),
        kind(to)
    )
}

fn check_range(
    env: &Env<'_>,
    which: &str,
    class: crate::world::ClassId,
    at: i32,
    count: i32,
    length: usize,
) -> Result<(), Trap> {
    const BOUNDS: &str = "java/lang/ArrayIndexOutOfBoundsException";
    let kind = match env.world.class(class).sort {
        Sort::Array(element) if matches!(env.world.class(element).sort, Sort::Primitive(_)) => {
            format!("{}[{length}]", env.world.class_name(element))
        }
        _ => format!("object array[{length}]"),
    };
    if at < 0 {
        return raise(
            BOUNDS,
            format!("arraycopy: {which} index {at} out of bounds for {kind}"),
        );
    }
    if count < 0 {
        return raise(BOUNDS, format!("arraycopy: length {count} is negative"));
    }
    let last = i64::from(at) + i64::from(count);
    if last > length as i64 {
        return raise(
            BOUNDS,
            format!(
                "arraycopy: last {which} index {} out of bounds for {kind}",
                last.cast_unsigned() as u32
            ),
        );
    }
    Ok(())
}

fn copy_within(body: &mut Body, from: usize, to: usize, count: usize) {
    match body {
        Body::Fields(_) => {}
        Body::Bytes(elements) => elements.copy_within(from..from + count, to),
        Body::Chars(elements) => elements.copy_within(from..from + count, to),
        Body::Shorts(elements) => elements.copy_within(from..from + count, to),
        Body::Ints(elements) => elements.copy_within(from..from + count, to),
        Body::Longs(elements) => elements.copy_within(from..from + count, to),
        Body::Refs(elements) => elements.copy_within(from..from + count, to),
    }
}

fn part(body: &Body, at: usize, count: usize) -> Body {
    match body {
        Body::Fields(fields) => Body::Fields(fields.clone()),
        Body::Bytes(elements) => Body::Bytes(elements[at..at + count].into()),
        Body::Chars(elements) => Body::Chars(elements[at..at + count].into()),
        Body::Shorts(elements) => Body::Shorts(elements[at..at + count].into()),
        Body::Ints(elements) => Body::Ints(elements[at..at + count].into()),
        Body::Longs(elements) => Body::Longs(elements[at..at + count].into()),
        Body::Refs(elements) => Body::Refs(elements[at..at + count].into()),
    }
}

fn paste(body: &mut Body, at: usize, part: &Body) {
    match (body, part) {
        (Body::Bytes(to), Body::Bytes(from)) => to[at..at + from.len()].copy_from_slice(from),
        (Body::Chars(to), Body::Chars(from)) => to[at..at + from.len()].copy_from_slice(from),
        (Body::Shorts(to), Body::Shorts(from)) => to[at..at + from.len()].copy_from_slice(from),
        (Body::Ints(to), Body::Ints(from)) => to[at..at + from.len()].copy_from_slice(from),
        (Body::Longs(to), Body::Longs(from)) => to[at..at + from.len()].copy_from_slice(from),
        (Body::Refs(to), Body::Refs(from)) => to[at..at + from.len()].copy_from_slice(from),
        _ => {}
    }
}
