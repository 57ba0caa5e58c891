//! What calls mean to others: to threads that could notice them, and to a checker that is told or
//! asked something by them.

use crate::natives::Call;
use crate::world::{Method, Origin, World};

/// What a call means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Nothing but what its instructions do.
    Plain,
    /// A native method that depends on its arguments and on what never changes, and makes
    /// something new at most.
    Pure,
    /// A native method that depends on the calling thread, too, or changes it: its stack, say, or
    /// what it does next, which is looked at as anything that it does.
    Own,
    // Memory by object and offset.
    /// Reads.
    Get,
    /// Writes.
    Put,
    /// Compares and sets, or updates.
    Swap,
    /// Orders the accesses before and after it.
    Fence,
    /// Copies elements of arrays.
    Copy,
    /// Reads all fields or elements of an argument.
    ReadAll(usize),
    // Elements of arrays by reflection.
    /// Reads one.
    GetElement,
    /// Writes one.
    SetElement,
    /// Asks for an identity hash code.
    Hash,
    /// Asks for the string that there is once.
    Intern,
    /// Looks at what a reference refers to.
    Refers,
    /// Lets a reference refer to nothing.
    Clear,
    /// Makes a reference that can be cleared, or asks for something to be done then.
    Reference,
    /// `Object.wait`.
    Wait,
    /// `Object.notify`.
    Notify,
    /// `Object.notifyAll`.
    NotifyAll,
    /// Starts a thread.
    Start,
    /// Asks whether a thread is alive.
    IsAlive,
    /// Asks what a thread is doing.
    Doing,
    /// Asks how many threads of a group there are.
    CountAlive,
    /// Waits for the end of a thread.
    Join,
    /// Interrupts a thread, or asks for it.
    Interrupt,
    /// Forgets an interruption of the current thread.
    Interrupted,
    /// Waits for a permit.
    Park,
    /// Gives a thread its permit.
    Unpark,
    /// Sleeps.
    Sleep,
    /// Asks for the time.
    Clock,
    /// Is not made: it only concerns what the program cannot ask for.
    Skip,
    /// One of the library's counters of threads.
    Count {
        /// Whether it gives the new value as a `long`, or the old one as an `int`.
        is_long: bool,
    },
    /// Writes to a file, which may be an output of the program.
    Output,
    /// Prints to a stream of the system.
    Print {
        /// Whether a line ends after it.
        ends_line: bool,
    },
    /// Asks something of a socket.
    Exchange(Call),
    /// Gives one of several values.
    Choice(Choice),
    /// Lets the execution go on only if the argument is this.
    Assume {
        /// The value.
        wanted: u64,
    },
    /// Must not be called.
    Unreachable,
    // The bounds of an atomic block.
    /// Begins one.
    Begin,
    /// Ends one.
    End,
    /// Makes a generator of random numbers without a seed.
    Generator,
    /// Gives a generator of random numbers a seed.
    Seed,
    /// Asks for data of the locale that is this argument, the receiver included.
    Locale(usize),
    /// Asks for which locales there are data.
    Locales,
    /// Asks where a class comes from.
    Domain,
    /// Walks through a collection in an order that each start of a JVM chooses anew.
    Order,
    /// Asks for something that each machine has its own of.
    Host(&'static str),
    /// Asks how many processors there are.
    Processors,
    /// Asks for the property of the system that the first argument names.
    Property,
    /// Asks for the folder in which the program runs, if the file that follows the receiver is
    /// relative to it.
    Folder,
    /// Always true.
    Yes,
    /// Ends the program.
    Exit,
    /// Touches what is outside of objects: files, or memory by address. Of objects it touches only the
    /// arguments, and the descriptor of the file that the receiver has.
    Outside,
    /// Asks which threads there are, or where they are.
    Threads,
    /// Touches what a checker knows nothing of: not supported when there are several threads.
    Opaque,
    /// Not supported.
    Never,
}

/// A set of values that a call may give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// From zero on, less than the argument.
    Below,
    /// From zero up to the argument.
    UpTo,
    /// From the first argument up to the second.
    Between,
    /// An element of the array.
    Element,
    /// Any value of its type.
    Any,
    /// What a generator of random numbers may give.
    Random,
    /// What a generator of random numbers gives from so many bits.
    Bits,
}

impl Role {
    /// Whether there is nothing to be done for it.
    #[inline]
    pub(crate) fn is_plain(self) -> bool {
        matches!(self, Self::Plain | Self::Pure | Self::Own)
    }
}

/// The role of a method: that of its entry, if it is a native method.
pub(crate) fn role(world: &World, method: &Method) -> Role {
    let origin = world.class(method.class).origin;
    let class = world.class_name(method.class);
    let (name, descriptor) = (world.text(method.name), world.text(method.descriptor));
    if let Some(role) = said(class, name, descriptor) {
        return role;
    }
    if origin != Origin::Library {
        return Role::Plain;
    }
    match world.natives.find(class, name, descriptor) {
        Some(found) => found.role,
        None => named(class, name, descriptor).unwrap_or(Role::Plain),
    }
}

const CHECK: &str = "raddle/Check";
const GENERATOR: &str = "java/util/Random";
const OWN_GENERATOR: &str = "java/util/concurrent/ThreadLocalRandom";

/// Methods by which the program says something, or leaves something open: those of `raddle.Check`, of
/// Java PathFinder's `Verify` and of the `Verifier` of the Competition on Software Verification; and
/// random numbers.
fn said(class: &str, name: &str, descriptor: &str) -> Option<Role> {
    use Choice::{Any, Below, Between, Element, UpTo};
    Some(match (class, name, descriptor) {
        (CHECK, "choose", "(I)I") => Role::Choice(Below),
        (CHECK, "choose", "()Z") => Role::Choice(Any),
        (CHECK, "assume", "(Z)V") => Role::Assume { wanted: 1 },
        (CHECK, "unreachable", "()V") => Role::Unreachable,
        (CHECK, "begin", "()V") => Role::Begin,
        (CHECK, "end", "()V") => Role::End,
        ("gov/nasa/jpf/vm/Verify" | "gov/nasa/jpf/jvm/Verify", name, _) => match (name, descriptor)
        {
            ("getInt", "(II)I") => Role::Choice(Between),
            ("random", "(I)I") => Role::Choice(UpTo),
            ("getBoolean" | "randomBool", "()Z" | "(Z)Z") => Role::Choice(Any),
            ("getIntFromList", "([I)I") | ("getLongFromList", "([J)J") => Role::Choice(Element),
            ("getFloatFromList", "([F)F") | ("getDoubleFromList", "([D)D") => Role::Choice(Element),
            ("ignoreIf", "(Z)V") => Role::Assume { wanted: 0 },
            ("assumeTrue", "(Z)V") => Role::Assume { wanted: 1 },
            ("beginAtomic", "()V") => Role::Begin,
            ("endAtomic", "()V") => Role::End,
            ("isRunningInJPF", "()Z") => Role::Yes,
            // These outlive an execution, and here every execution is on its own.
            ("getCounter" | "incrementCounter" | "resetCounter" | "setCounter", _) => Role::Never,
            _ => return None,
        },
        ("org/sosy_lab/sv_benchmarks/Verifier", "assume", "(Z)V") => Role::Assume { wanted: 1 },
        ("org/sosy_lab/sv_benchmarks/Verifier", name, _) if name.starts_with("nondet") => {
            Role::Choice(Any)
        }
        (GENERATOR | "java/util/SplittableRandom", "<init>", "()V") => Role::Generator,
        (GENERATOR | OWN_GENERATOR, "next", "(I)I") => Role::Choice(Choice::Bits),
        (GENERATOR | OWN_GENERATOR | "java/util/random/RandomGenerator", name, _)
            if name.starts_with("next") && !matches!(name, "nextSeed" | "nextSecondarySeed") =>
        {
            Role::Choice(Choice::Random)
        }
        (GENERATOR, "setSeed", _) => Role::Seed,
        _ => return None,
    })
}

/// Methods of the library that have instructions, and mean more than these.
fn named(class: &str, name: &str, descriptor: &str) -> Option<Role> {
    Some(match (class, name) {
        ("java/lang/ref/WeakReference" | "java/lang/ref/SoftReference", "<init>") => {
            Role::Reference
        }
        ("java/lang/ref/PhantomReference" | "java/util/WeakHashMap", "<init>") => Role::Reference,
        ("java/lang/ref/Cleaner", "register") => Role::Reference,
        ("java/lang/Thread", "join") if descriptor == "(J)V" => Role::Join,
        ("java/lang/Thread", "nextThreadNum") => Role::Count { is_long: false },
        ("java/lang/Thread", "nextThreadID") => Role::Count { is_long: true },
        ("java/lang/Thread$ThreadIdentifiers", "next") => Role::Count { is_long: true },
        ("java/lang/Thread", "getState" | "threadState") => Role::Doing,
        ("java/lang/Thread", "stop" | "suspend") => Role::Opaque,
        // Its thread waits for references that are cleared, which none is.
        ("jdk/internal/ref/CleanerImpl", "start") => Role::Skip,
        ("java/lang/ThreadGroup", name) => return thread_group(name, descriptor),
        ("java/io/PrintStream", "write") if descriptor == "(Ljava/lang/String;)V" => {
            Role::Print { ends_line: false }
        }
        ("java/io/PrintStream", "write") if descriptor == "([C)V" => {
            Role::Print { ends_line: false }
        }
        ("java/io/PrintStream", "writeln" | "newLine") => Role::Print { ends_line: true },
        // All ways to the data of a locale go by one of these.
        ("sun/util/locale/provider/LocaleProviderAdapter", "getAdapter") => Role::Locale(1),
        ("sun/util/locale/provider/JRELocaleProviderAdapter", "getLocaleResources") => {
            Role::Locale(1)
        }
        ("sun/util/locale/provider/LocaleServiceProviderPool", "getLocalizedObjectImpl") => {
            Role::Locale(2)
        }
        (
            "sun/util/locale/provider/LocaleServiceProviderPool",
            "getAllAvailableLocales" | "getAvailableLocales",
        ) => Role::Locales,
        ("java/lang/Class", "getProtectionDomain") => Role::Domain,
        ("java/security/CodeSource", "getLocation" | "toString")
        | ("java/security/ProtectionDomain", "toString") => Role::Host("where classes are"),
        (SET_N | MAP_N, "<init>") => Role::Order,
        (SET_12, "iterator" | "toArray" | "forEach" | "spliterator") => Role::Order,
        _ => return asks_host(class, name, descriptor),
    })
}

/// The iterators of `Set.of` and `Map.of`, and the class of a set of one or two elements.
const SET_N: &str = "java/util/ImmutableCollections$SetN$SetNIterator";
const MAP_N: &str = "java/util/ImmutableCollections$MapN$MapNIterator";
const SET_12: &str = "java/util/ImmutableCollections$Set12";

/// Methods that tell of the machine on which the program runs.
fn asks_host(class: &str, name: &str, descriptor: &str) -> Option<Role> {
    Some(match (class, name) {
        ("java/lang/System", "getProperty" | "setProperty" | "clearProperty") => Role::Property,
        ("java/lang/System", "getProperties") => Role::Host("System.getProperties()"),
        ("java/util/Locale", "getDefault") => Role::Host("the default locale"),
        ("java/util/TimeZone", "getDefault") | ("java/time/ZoneId", "systemDefault") => {
            Role::Host("the default time zone")
        }
        ("java/net/InetAddress", "getHostName" | "getCanonicalHostName") => {
            Role::Host("the names of hosts")
        }
        ("java/nio/file/Files", "getLastModifiedTime" | "getAttribute")
        | (
            "sun/nio/fs/UnixFileAttributes"
            | "sun/nio/fs/UnixFileAttributes$UnixAsBasicFileAttributes",
            "lastModifiedTime" | "lastAccessTime" | "creationTime",
        ) => Role::Host("times of files"),
        ("java/util/concurrent/ForkJoinPool", "getCommonPoolParallelism") => Role::Processors,
        ("java/io/UnixFileSystem", "resolve") if descriptor.starts_with("(Ljava/io/File;)") => {
            Role::Folder
        }
        ("sun/nio/fs/UnixFileSystem", "defaultDirectory") => Role::Folder,
        _ => return None,
    })
}

/// A group keeps lists of its threads. They are not kept here; so whoever asks for them is
/// refused.
fn thread_group(name: &str, descriptor: &str) -> Option<Role> {
    Some(match (name, descriptor) {
        ("addUnstarted" | "threadStartFailed" | "threadTerminated", _) => Role::Skip,
        ("add" | "remove", "(Ljava/lang/Thread;)V") => Role::Skip,
        ("activeCount", _) => Role::CountAlive,
        ("list" | "destroy", _) => Role::Never,
        ("interrupt" | "stop" | "suspend" | "resume", _) => Role::Never,
        _ => return None,
    })
}
