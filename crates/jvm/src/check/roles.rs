//! What calls mean to a checker.

use super::choices::{self, Choice};
use crate::natives::Call;
use crate::world::{Method, Origin, World, flags};

/// What a call means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Nothing but what its instructions do; of a native method, nothing that others notice.
    Plain,
    // Memory by object and offset.
    Get,
    Put,
    Swap,
    /// Orders the accesses before and after it.
    Fence,
    /// Copies elements of arrays.
    Copy,
    Clone,
    /// Asks for an identity hash code.
    Hash,
    Intern,
    /// Looks at what a reference refers to.
    Refers,
    /// Lets a reference refer to nothing.
    Clear,
    /// Makes a reference that can be cleared, or asks for something to be done then.
    Reference,
    Wait,
    Notify,
    NotifyAll,
    Start,
    IsAlive,
    /// Asks what a thread is doing.
    Doing,
    Join,
    /// Interrupts a thread, or asks for it.
    Interrupt,
    /// Forgets an interruption of the current thread.
    Interrupted,
    Park,
    Unpark,
    Sleep,
    Clock,
    /// Is not made: it only concerns what the program cannot ask for.
    Skip,
    /// One of the library's counters of threads.
    Count {
        is_long: bool,
    },
    /// Prints to a stream of the system.
    Print {
        ends_line: bool,
    },
    /// Asks something of a socket.
    Exchange(Call),
    /// Gives one of several values.
    Choice(Choice),
    /// Lets the execution go on only if the argument is this.
    Assume {
        wanted: u64,
    },
    Unreachable,
    // The bounds of an atomic block.
    Begin,
    End,
    /// Makes a generator of random numbers without a seed.
    Generator,
    /// Gives a generator of random numbers a seed.
    Seed,
    /// Asks for the data of a locale.
    Locale,
    /// Asks where a class comes from.
    Domain,
    /// Always true.
    Yes,
    /// Ends the program.
    Exit,
    /// Not supported when there are several threads.
    Refuse,
    /// Not supported.
    Never,
}

/// The role of a method.
pub(crate) fn role(world: &World, method: &Method) -> Role {
    let origin = world.class(method.class).origin;
    let class = world.class_name(method.class);
    let (name, descriptor) = (world.text(method.name), world.text(method.descriptor));
    if let Some(role) = choices::role(class, name, descriptor) {
        return role;
    }
    if origin != Origin::Library {
        return Role::Plain;
    }
    let is_native = world.natives.find(class, name, descriptor).is_some();
    let is_memory = class == "jdk/internal/misc/Unsafe";
    let by_object = descriptor.starts_with("(Ljava/lang/Object;");
    if let Some(role) = special(class, name, descriptor)
        && (!is_memory
            || is_native && by_object
            || matches!(role, Role::Park | Role::Refuse | Role::Fence))
    {
        return role;
    }
    match is_native || method.flags & flags::NATIVE != 0 {
        true => native(class, name),
        false => Role::Plain,
    }
}

/// Methods that are dealt with by their names.
fn special(class: &str, name: &str, descriptor: &str) -> Option<Role> {
    if let Some(call) = Call::of(class, name, descriptor) {
        return Some(Role::Exchange(call));
    }
    Some(match (class, name) {
        ("jdk/internal/misc/Unsafe", name) => return unsafe_role(name),
        ("java/lang/System", "arraycopy") => Role::Copy,
        ("java/lang/Object", "clone") => Role::Clone,
        ("java/lang/Object", "hashCode") | ("java/lang/System", "identityHashCode") => Role::Hash,
        ("java/lang/String", "intern") => Role::Intern,
        ("java/lang/ref/Reference" | "java/lang/ref/PhantomReference", "refersTo0") => Role::Refers,
        ("java/lang/ref/Reference" | "java/lang/ref/PhantomReference", "clear0") => Role::Clear,
        ("java/lang/ref/WeakReference" | "java/lang/ref/SoftReference", "<init>") => {
            Role::Reference
        }
        ("java/lang/ref/PhantomReference" | "java/util/WeakHashMap", "<init>") => Role::Reference,
        ("java/lang/ref/Cleaner", "register") => Role::Reference,
        ("java/lang/Object", "wait" | "wait0") if descriptor == "(J)V" => Role::Wait,
        ("java/lang/Object", "notify") => Role::Notify,
        ("java/lang/Object", "notifyAll") => Role::NotifyAll,
        ("java/lang/Thread", "start0") => Role::Start,
        ("java/lang/Thread", "isAlive" | "isAlive0") => Role::IsAlive,
        ("java/lang/Thread", "join") if descriptor == "(J)V" => Role::Join,
        ("java/lang/Thread", "interrupt0") => Role::Interrupt,
        ("java/lang/Thread", "isInterrupted") if descriptor == "(Z)Z" => Role::Interrupt,
        ("java/lang/Thread", "clearInterruptEvent") => Role::Interrupted,
        ("java/lang/Thread", "sleep") if descriptor == "(J)V" => Role::Sleep,
        ("java/lang/Thread", "sleep0" | "sleepNanos0") => Role::Sleep,
        ("java/lang/Thread", "nextThreadNum") => Role::Count { is_long: false },
        ("java/lang/Thread", "nextThreadID") => Role::Count { is_long: true },
        ("java/lang/Thread$ThreadIdentifiers", "next") => Role::Count { is_long: true },
        ("java/lang/Thread", "getState" | "threadState") => Role::Doing,
        ("java/lang/Thread", "getThreads" | "stop" | "suspend") => Role::Refuse,
        ("java/lang/Thread", "getAllStackTraces" | "dumpThreads" | "getStackTrace") => Role::Refuse,
        // Its thread waits for references that are cleared, which none is.
        ("jdk/internal/ref/CleanerImpl", "start") => Role::Skip,
        ("java/lang/ThreadGroup", name) => return thread_group(name, descriptor),
        ("java/io/PrintStream", "write") if descriptor == "(Ljava/lang/String;)V" => {
            Role::Print { ends_line: false }
        }
        ("java/io/PrintStream", "write") if descriptor == "([C)V" => {
            Role::Print { ends_line: false }
        }
        ("java/io/PrintStream", "writeln") => Role::Print { ends_line: true },
        ("java/io/PrintStream", "newLine") => Role::Print { ends_line: true },
        ("java/lang/System", "nanoTime" | "currentTimeMillis") => Role::Clock,
        ("jdk/internal/misc/VM", "getNanoTimeAdjustment") => Role::Clock,
        ("sun/util/locale/provider/LocaleProviderAdapter", "getAdapter") => Role::Locale,
        ("java/lang/Class", "protectionDomain") => Role::Domain,
        ("java/lang/Shutdown", "halt0") => Role::Exit,
        ("java/lang/Runtime", "addShutdownHook" | "removeShutdownHook") => Role::Never,
        ("java/lang/Runtime", "freeMemory") => Role::Never,
        _ => return None,
    })
}

fn unsafe_role(name: &str) -> Option<Role> {
    if name.starts_with("compareAndSet") || name.starts_with("compareAndExchange") {
        // Those with other endings are the library's own, on top of these.
        let plain = !["Acquire", "Release", "Plain"]
            .iter()
            .any(|end| name.ends_with(end));
        return plain.then_some(Role::Swap);
    }
    const KINDS: [&str; 9] = [
        "Int",
        "Long",
        "Reference",
        "Boolean",
        "Byte",
        "Short",
        "Char",
        "Float",
        "Double",
    ];
    let kind_of = |rest: &str| KINDS.contains(&rest.trim_end_matches("Volatile"));
    if let Some(rest) = name.strip_prefix("get")
        && kind_of(rest)
    {
        return Some(Role::Get);
    }
    if let Some(rest) = name.strip_prefix("put")
        && kind_of(rest)
    {
        return Some(Role::Put);
    }
    Some(match name {
        "park" => Role::Park,
        "unpark" => Role::Unpark,
        "fullFence" | "loadFence" | "storeFence" => Role::Fence,
        "setMemory0" | "copyMemory0" | "copySwapMemory0" | "allocateMemory0" => Role::Refuse,
        _ => return None,
    })
}

/// A group keeps lists of its threads. They are not kept here; so whoever asks for them is
/// refused.
fn thread_group(name: &str, descriptor: &str) -> Option<Role> {
    Some(match (name, descriptor) {
        ("addUnstarted" | "threadStartFailed" | "threadTerminated", _) => Role::Skip,
        ("add" | "remove", "(Ljava/lang/Thread;)V") => Role::Skip,
        ("activeCount" | "enumerate" | "activeGroupCount" | "list" | "destroy", _) => Role::Never,
        ("interrupt" | "stop" | "suspend" | "resume", _) => Role::Never,
        _ => return None,
    })
}

/// Native methods without a role of their own: those that only look at what never changes, or
/// only make something new, are plain. The others are not supported when there are several
/// threads.
fn native(class: &str, name: &str) -> Role {
    let is_plain = match class {
        "java/lang/Object" | "java/lang/Class" | "java/lang/StringCoding" => true,
        "java/lang/Float" | "java/lang/Double" | "java/lang/Math" | "java/lang/StrictMath" => true,
        "java/lang/Throwable" | "java/lang/StackTraceElement" => true,
        "java/lang/NullPointerException" | "java/lang/invoke/VarHandle" => true,
        "java/lang/invoke/MethodHandle" | "java/lang/invoke/MethodHandles" => true,
        "java/lang/invoke/MethodHandles$Lookup" | "java/lang/invoke/MethodType" => true,
        "java/security/AccessController" | "jdk/internal/reflect/Reflection" => true,
        "jdk/internal/misc/CDS" | "jdk/internal/misc/VM" | "java/lang/ref/Finalizer" => true,
        "jdk/internal/misc/Unsafe" | "java/util/TimeZone" | "java/lang/Shutdown" => true,
        "java/lang/Runtime" | "java/lang/StackStreamFactory" => true,
        "java/lang/Module" | "java/lang/ModuleLayer" => true,
        "jdk/internal/module/ServicesCatalog" => true,
        "java/lang/reflect/Array" => matches!(name, "newArray" | "multiNewArray" | "getLength"),
        "java/lang/Thread" | "java/lang/StringUTF16" | "java/lang/ClassLoader" => true,
        "jdk/internal/reflect/ConstantPool" | "jdk/internal/misc/Signal" => true,
        "jdk/internal/loader/BootLoader" => true,
        "jdk/internal/loader/BuiltinClassLoader" => name.ends_with("OnClassPath"),
        "java/io/FileDescriptor" => matches!(name, "getHandle" | "getAppend"),
        "java/io/FileOutputStream" => true,
        "java/net/InetAddress" | "java/net/InetAddressImplFactory" => true,
        "java/net/Inet4Address" | "java/net/Inet6Address" | "java/net/Inet4AddressImpl" => true,
        "java/net/SocksSocketImpl" | "sun/nio/ch/NioSocketImpl" => true,
        "sun/net/NetProperties" => true,
        "java/lang/System" => matches!(name, "mapLibraryName" | "loadLibrary" | "load"),
        "jdk/internal/reflect/NativeMethodAccessorImpl" => true,
        "jdk/internal/reflect/NativeConstructorAccessorImpl" => true,
        "jdk/internal/reflect/MethodHandleAccessorFactory" => true,
        "jdk/internal/reflect/DirectMethodHandleAccessor$NativeAccessor" => true,
        "jdk/internal/reflect/DirectConstructorHandleAccessor$NativeAccessor" => true,
        "jdk/internal/vm/Continuation" | "jdk/internal/vm/ContinuationSupport" => true,
        "jdk/internal/misc/Blocker" => true,
        _ => matches!(
            name,
            "registerNatives" | "initIDs" | "initNative" | "desiredAssertionStatus"
        ),
    };
    match is_plain {
        true => Role::Plain,
        false => Role::Refuse,
    }
}
