//! What belongs nowhere else.

use super::{Entry, nothing, reference, word, yes};
use crate::interpret::Trap;
use crate::interpret::{Args, Env};
use crate::thread::Status;

const CDS: &str = "jdk/internal/misc/CDS";
const CONTROLLER: &str = "java/security/AccessController";
const REFERENCE: &str = "java/lang/ref/Reference";

pub(super) const TABLE: &[Entry] = &[
    (CDS, "isDumpingClassList0", "", nothing),
    (CDS, "isDumpingArchive0", "", nothing),
    (CDS, "isSharingEnabled0", "", nothing),
    (CDS, "getCDSConfigStatus", "", nothing),
    (CDS, "initializeFromArchive", "", nothing),
    (CDS, "defineArchivedModules", "", nothing),
    (CDS, "getRandomSeedForDumping", "", nothing),
    (CONTROLLER, "getStackAccessControlContext", "", nothing),
    (CONTROLLER, "getInheritedAccessControlContext", "", nothing),
    (CONTROLLER, "ensureMaterializedForStackWalk", "", nothing),
    (CONTROLLER, "getProtectionDomain", "", nothing),
    (
        CONTROLLER,
        "doPrivileged",
        "(Ljava/security/PrivilegedAction;)Ljava/lang/Object;",
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
        yes,
    ),
    (REFERENCE, "refersTo0", "", |env, args| {
        Ok(u64::from(
            env.named_field(reference(args, 0), "referent") == word(args, 1),
        ))
    }),
    (
        "java/lang/ref/PhantomReference",
        "refersTo0",
        "",
        |env, args| {
            Ok(u64::from(
                env.named_field(reference(args, 0), "referent") == word(args, 1),
            ))
        },
    ),
    (REFERENCE, "clear0", "", |env, args| {
        env.set_named_field(reference(args, 0), "referent", 0);
        Ok(0)
    }),
    (
        "java/lang/ref/PhantomReference",
        "clear0",
        "",
        |env, args| {
            env.set_named_field(reference(args, 0), "referent", 0);
            Ok(0)
        },
    ),
    // Nothing is ever collected in a way that the program could see.
    (REFERENCE, "waitForReferencePendingList", "", |_, _| {
        Err(Trap::Block(Status::Parked { until: None }))
    }),
    (REFERENCE, "hasReferencePendingList", "", nothing),
    (REFERENCE, "getAndClearReferencePendingList", "", nothing),
    (
        "jdk/internal/loader/NativeLibraries",
        "findBuiltinLib",
        "",
        |_, args| Ok(word(args, 0)),
    ),
    ("jdk/internal/loader/NativeLibraries", "load", "", yes),
    ("java/util/TimeZone", "getSystemTimeZoneID", "", |env, _| {
        Ok(env.new_string("UTC"))
    }),
    (
        "java/util/TimeZone",
        "getSystemGMTOffsetID",
        "",
        |env, _| Ok(env.new_string("GMT")),
    ),
    (
        "java/lang/ref/Finalizer",
        "isFinalizationEnabled",
        "",
        nothing,
    ),
    ("java/lang/ref/Finalizer", "register", "", nothing),
    (
        "jdk/internal/misc/PreviewFeatures",
        "isPreviewEnabled",
        "",
        nothing,
    ),
    (
        "jdk/internal/vm/ContinuationSupport",
        "isSupported0",
        "",
        nothing,
    ),
    ("jdk/internal/vm/Continuation", "pin", "", nothing),
    ("jdk/internal/vm/Continuation", "unpin", "", nothing),
    (
        "jdk/internal/vm/Continuation",
        "registerNatives",
        "",
        nothing,
    ),
    ("java/lang/StringCoding", "registerNatives", "", nothing),
    ("jdk/internal/misc/Blocker", "begin", "()Z", nothing),
    ("jdk/internal/misc/Blocker", "begin", "(Z)Z", nothing),
    (
        "java/io/ObjectStreamClass",
        "hasStaticInitializer",
        "",
        |env, args| {
            let class = env.class_argument(args, 0)?;
            Ok(u64::from(env.world.class(class).initializer.is_some()))
        },
    ),
    ("java/io/ObjectStreamClass", "initNative", "", nothing),
    ("java/util/zip/CRC32", "update", "(II)I", |_, args| {
        Ok(u64::from(crc32(
            word(args, 0) as u32,
            &[word(args, 1) as u8],
        )))
    }),
    ("java/util/zip/CRC32", "updateBytes0", "", |env, args| {
        let bytes = byte_range(env, args, 1)?;
        Ok(u64::from(crc32(word(args, 0) as u32, &bytes)))
    }),
    ("java/util/zip/Adler32", "update", "(II)I", |_, args| {
        Ok(u64::from(adler32(
            word(args, 0) as u32,
            &[word(args, 1) as u8],
        )))
    }),
    ("java/util/zip/Adler32", "updateBytes", "", |env, args| {
        let bytes = byte_range(env, args, 1)?;
        Ok(u64::from(adler32(word(args, 0) as u32, &bytes)))
    }),
    ("java/lang/ProcessImpl", "init", "", nothing),
    ("java/lang/Shutdown", "logRuntimeExit", "", nothing),
    // Loggers write to the console: services that could replace them are not looked for.
    (
        "jdk/internal/logger/LazyLoggers",
        "getLogger",
        "",
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
    // Reflection is the machine's own and needs nothing of what this promises.
    ("jdk/internal/misc/VM", "isJavaLangInvokeInited", "", yes),
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
