//! The parts of the library that are not looked into, and what is assumed of them.
//!
//! Texts, dates, files, networks and the like have thousands of methods and tell nothing of threads.
//! What they are given they may give to everybody who asks them, and they may call methods on it; but
//! only those that are named here on objects of the library, and on objects of the program only what
//! these override. They start no thread and run nobody's tasks. The library's own objects that they
//! have among themselves are not known: no fact says anything about them.

/// Packages and classes of the library, by how their names begin.
const REMOTE: &[&str] = &[
    "java/beans/",
    "java/io/",
    "java/lang/Character",
    "java/lang/Class",
    "java/lang/Math",
    "java/lang/Module",
    "java/lang/Package",
    "java/lang/Process",
    "java/lang/Runtime",
    "java/lang/SecurityManager",
    "java/lang/StackTraceElement",
    "java/lang/StackWalker",
    "java/lang/StrictMath",
    "java/lang/annotation/",
    "java/lang/constant/",
    "java/lang/invoke/",
    "java/lang/management/",
    "java/lang/module/",
    "java/lang/reflect/",
    "java/lang/runtime/",
    "java/math/",
    "java/net/",
    "java/nio/",
    "java/rmi/",
    "java/security/",
    "java/sql/",
    "java/text/",
    "java/time/",
    "java/util/Calendar",
    "java/util/Currency",
    "java/util/Date",
    "java/util/Formatter",
    "java/util/GregorianCalendar",
    "java/util/Locale",
    "java/util/Properties",
    "java/util/ResourceBundle",
    "java/util/Scanner",
    "java/util/ServiceLoader",
    "java/util/TimeZone",
    "java/util/UUID",
    "java/util/jar/",
    "java/util/logging/",
    "java/util/prefs/",
    "java/util/regex/",
    "java/util/zip/",
    "javax/",
    "jdk/internal/icu/",
    "jdk/internal/jimage/",
    "jdk/internal/loader/",
    "jdk/internal/logger/",
    "jdk/internal/math/",
    "jdk/internal/module/",
    "jdk/internal/org/",
    "jdk/internal/perf/",
    "jdk/internal/platform/",
    "jdk/internal/reflect/",
    "jdk/internal/util/",
    "jdk/internal/vm/",
    "jdk/net/",
    "sun/",
];

/// What is among them and looked into all the same.
const NEAR: &[&str] = &["java/io/PrintStream", "java/lang/ClassValue"];

/// Whether a class of the library is not looked into.
pub(crate) fn is_remote(name: &str) -> bool {
    let begins = |all: &[&str]| all.iter().any(|it| name.starts_with(it));
    begins(REMOTE) && !begins(NEAR)
}

/// What a method of these parts does, if it calls, makes or starts what no call in the program names. The
/// library makes use of them, too: for what properties of the system name, which is the library's own.
pub(crate) fn reflects(class: &str, method: &str) -> Option<&'static str> {
    Some(match (class, method) {
        ("java/lang/Class", "newInstance" | "forName" | "getEnumConstants")
        | ("java/lang/reflect/Method", "invoke")
        | ("java/lang/reflect/Constructor", "newInstance")
        | ("java/lang/reflect/Proxy", "newProxyInstance")
        | ("java/lang/reflect/Array", "get" | "set") => "reflection",
        ("java/lang/reflect/Field", name)
            if name.starts_with("set") && name != "setAccessible" || name.starts_with("get") =>
        {
            "reflection"
        }
        ("java/lang/ClassLoader", "loadClass" | "defineClass")
        | ("java/util/ServiceLoader", _)
        | ("java/lang/invoke/MethodHandles$Lookup", "defineClass" | "defineHiddenClass") => {
            "classes that are loaded when the program runs"
        }
        ("java/io/ObjectInputStream", "readObject")
        | ("java/io/ObjectOutputStream", "writeObject") => "serialization",
        ("java/lang/Runtime", "addShutdownHook") => "a shutdown hook",
        ("java/lang/Runtime" | "java/lang/System", "load" | "loadLibrary") => "native code",
        ("java/lang/Process" | "java/lang/ProcessHandle", "onExit") => "another process",
        _ => return None,
    })
}

/// Whether these parts call a method on objects of the rest of the library.
pub(crate) fn is_called(name: &str) -> bool {
    matches!(
        name,
        "toString"
            | "hashCode"
            | "equals"
            | "compareTo"
            | "compare"
            | "iterator"
            | "hasNext"
            | "next"
            | "size"
            | "isEmpty"
            | "get"
            | "contains"
            | "length"
            | "charAt"
            | "append"
            | "getMessage"
            | "getLocalizedMessage"
            | "getCause"
    )
}

/// Whether these parts never call such a method, whoever has it.
pub(crate) fn is_never_called(name: &str) -> bool {
    matches!(name, "run" | "call" | "execute" | "finalize" | "clone")
}
