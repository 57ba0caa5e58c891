//! What belongs nowhere else.

use super::{Entry, nothing, reference, word, yes};
use crate::interpret::Trap;
use crate::interpret::{Args, Env};
use crate::made_up::Source::{self, Every, Possible, Usual};
use crate::roles::Role::{Clear, Opaque, Own, Pure, ReadAll, Refers};
use crate::thread::Status;

const CDS: &str = "jdk/internal/misc/CDS";
const CONTROLLER: &str = "java/security/AccessController";
const REFERENCE: &str = "java/lang/ref/Reference";

const ZONE: Source = Usual("time zones other than UTC");

pub(super) const TABLE: &[Entry] = &[
    (CDS, "isDumpingClassList0", "", Pure, Every, nothing),
    (CDS, "isDumpingArchive0", "", Pure, Every, nothing),
    (CDS, "isSharingEnabled0", "", Pure, Every, nothing),
    (CDS, "getCDSConfigStatus", "", Pure, Every, nothing),
    (CDS, "initializeFromArchive", "", Pure, Every, nothing),
    (CDS, "defineArchivedModules", "", Pure, Every, nothing),
    (CDS, "getRandomSeedForDumping", "", Pure, Every, nothing),
    (
        CONTROLLER,
        "getStackAccessControlContext",
        "",
        Pure,
        Every,
        nothing,
    ),
    (
        CONTROLLER,
        "getInheritedAccessControlContext",
        "",
        Pure,
        Every,
        nothing,
    ),
    (
        CONTROLLER,
        "ensureMaterializedForStackWalk",
        "",
        Pure,
        Every,
        nothing,
    ),
    (CONTROLLER, "getProtectionDomain", "", Pure, Every, nothing),
    (
        CONTROLLER,
        "doPrivileged",
        "(Ljava/security/PrivilegedAction;)Ljava/lang/Object;",
        Own,
        Every,
        |env, args| {
            let action = reference(args, 0);
            let class = env.state.heap.get(action).map(|object| object.class);
            let names = &env.world.names;
            let run = class.and_then(|class| {
                env.world
                    .class(class)
                    .virtual_method(names.intern("run"), names.intern("()Ljava/lang/Object;"))
            });
            match run {
                Some(run) => Err(Trap::Call(run, Args::from_slice(&[word(args, 0)]))),
                None => super::null_pointer(),
            }
        },
    ),
    (
        "java/util/concurrent/atomic/AtomicLong",
        "VMSupportsCS8",
        "",
        Pure,
        Every,
        yes,
    ),
    (REFERENCE, "refersTo0", "", Refers, Every, |env, args| {
        Ok(u64::from(
            env.named_field(reference(args, 0), "referent") == word(args, 1),
        ))
    }),
    (
        "java/lang/ref/PhantomReference",
        "refersTo0",
        "",
        Refers,
        Every,
        |env, args| {
            Ok(u64::from(
                env.named_field(reference(args, 0), "referent") == word(args, 1),
            ))
        },
    ),
    (REFERENCE, "clear0", "", Clear, Every, |env, args| {
        env.set_named_field(reference(args, 0), "referent", 0);
        Ok(0)
    }),
    (
        "java/lang/ref/PhantomReference",
        "clear0",
        "",
        Clear,
        Every,
        |env, args| {
            env.set_named_field(reference(args, 0), "referent", 0);
            Ok(0)
        },
    ),
    // Nothing is ever collected in a way that the program could see.
    (
        REFERENCE,
        "waitForReferencePendingList",
        "",
        Opaque,
        Every,
        |_, _| Err(Trap::Block(Status::Parked { until: None })),
    ),
    (
        REFERENCE,
        "hasReferencePendingList",
        "",
        Pure,
        Every,
        nothing,
    ),
    (
        REFERENCE,
        "getAndClearReferencePendingList",
        "",
        Pure,
        Every,
        nothing,
    ),
    (
        "jdk/internal/loader/NativeLibraries",
        "findBuiltinLib",
        "",
        Pure,
        Every,
        |_, args| Ok(word(args, 0)),
    ),
    (
        "jdk/internal/loader/NativeLibraries",
        "load",
        "",
        Pure,
        Every,
        yes,
    ),
    (
        "java/util/TimeZone",
        "getSystemTimeZoneID",
        "",
        Pure,
        ZONE,
        |env, _| Ok(env.new_string("UTC")),
    ),
    (
        "java/util/TimeZone",
        "getSystemGMTOffsetID",
        "",
        Pure,
        ZONE,
        |env, _| Ok(env.new_string("GMT")),
    ),
    (
        "java/lang/ref/Finalizer",
        "isFinalizationEnabled",
        "",
        Pure,
        Every,
        nothing,
    ),
    (
        "java/lang/ref/Finalizer",
        "register",
        "",
        Pure,
        Possible("finalizers: none is called"),
        nothing,
    ),
    (
        "jdk/internal/misc/PreviewFeatures",
        "isPreviewEnabled",
        "",
        Pure,
        Every,
        nothing,
    ),
    (
        "jdk/internal/vm/ContinuationSupport",
        "isSupported0",
        "",
        Pure,
        Every,
        nothing,
    ),
    (
        "jdk/internal/vm/Continuation",
        "pin",
        "",
        Pure,
        Every,
        nothing,
    ),
    (
        "jdk/internal/vm/Continuation",
        "unpin",
        "",
        Pure,
        Every,
        nothing,
    ),
    (
        "jdk/internal/misc/Blocker",
        "begin",
        "()Z",
        Pure,
        Every,
        nothing,
    ),
    (
        "jdk/internal/misc/Blocker",
        "begin",
        "(Z)Z",
        Pure,
        Every,
        nothing,
    ),
    (
        "java/io/ObjectStreamClass",
        "hasStaticInitializer",
        "",
        Pure,
        Every,
        |env, args| {
            let class = env.class_argument(args, 0)?;
            Ok(u64::from(env.world.class(class).initializer.is_some()))
        },
    ),
    (
        "java/util/zip/CRC32",
        "update",
        "(II)I",
        Pure,
        Every,
        |_, args| {
            Ok(u64::from(crc32(
                word(args, 0) as u32,
                &[word(args, 1) as u8],
            )))
        },
    ),
    (
        "java/util/zip/CRC32",
        "updateBytes0",
        "",
        ReadAll(1),
        Every,
        |env, args| {
            let bytes = byte_range(env, args, 1)?;
            Ok(u64::from(crc32(word(args, 0) as u32, &bytes)))
        },
    ),
    (
        "java/util/zip/Adler32",
        "update",
        "(II)I",
        Pure,
        Every,
        |_, args| {
            Ok(u64::from(adler32(
                word(args, 0) as u32,
                &[word(args, 1) as u8],
            )))
        },
    ),
    (
        "java/util/zip/Adler32",
        "updateBytes",
        "",
        ReadAll(1),
        Every,
        |env, args| {
            let bytes = byte_range(env, args, 1)?;
            Ok(u64::from(adler32(word(args, 0) as u32, &bytes)))
        },
    ),
    ("java/lang/ProcessImpl", "init", "", Pure, Every, nothing),
    (
        "java/lang/Shutdown",
        "logRuntimeExit",
        "",
        Pure,
        Every,
        nothing,
    ),
    // Loggers write to the console: services that could replace them are not looked for.
    (
        "jdk/internal/logger/LazyLoggers",
        "getLogger",
        "",
        Own,
        Every,
        |env, args| {
            let simple = "jdk/internal/logger/SimpleConsoleLogger";
            let descriptor = "(Ljava/lang/String;)Ljdk/internal/logger/SimpleConsoleLogger;";
            match env.world.method_of(simple, "makeSimpleLogger", descriptor) {
                Some(method) => {
                    env.ensure_initialised(env.world.method(method).class)?;
                    Err(Trap::Call(method, Args::from_slice(&[word(args, 0)])))
                }
                None => Err(Trap::Unsupported("a logger".to_owned())),
            }
        },
    ),
    // There is no cache of what is looked for among the bindings of the thread.
    (
        "java/lang/ScopedValue$Cache",
        "put",
        "",
        Own,
        Every,
        nothing,
    ),
    // Reflection is the machine's own and needs nothing of what this promises.
    (
        "jdk/internal/misc/VM",
        "isJavaLangInvokeInited",
        "",
        Pure,
        Every,
        yes,
    ),
];

/// The bytes of an array argument from a place on, so many.
fn byte_range(env: &Env<'_>, args: &[u64], at: usize) -> Result<Vec<u8>, Trap> {
    let bytes = env
        .state
        .heap
        .bytes(reference(args, at))
        .unwrap_or_default();
    let (start, count) = (word(args, at + 1) as usize, word(args, at + 2) as usize);
    match bytes.get(start..start.saturating_add(count)) {
        Some(part) => Ok(part.iter().map(|byte| byte.cast_unsigned()).collect()),
        None => Err(Trap::Raise(
            "java/lang/ArrayIndexOutOfBoundsException",
            None,
        )),
    }
}

fn crc32(start: u32, bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!start, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| {
            (sum >> 1) ^ (0xEDB8_8320 & (sum & 1).wrapping_neg())
        })
    })
}

fn adler32(start: u32, bytes: &[u8]) -> u32 {
    let (low, high) = bytes
        .iter()
        .fold((start & 0xFFFF, start >> 16), |(low, high), &byte| {
            let low = (low + u32::from(byte)) % 65521;
            (low, (high + low) % 65521)
        });
    high << 16 | low
}
