//! What to write instead of the words and operators of other languages.

/// Advice about an unexpected token, by its text and the text of the token before.
pub(crate) fn token(found: &str, before: &str) -> Option<&'static str> {
    token_in_context(found, before)
        .or_else(|| word_of_another_language(found))
        .or_else(|| word_of_another_language(before))
}

fn token_in_context(found: &str, before: &str) -> Option<&'static str> {
    Some(match (found, before) {
        ("::", "if" | "do") => {
            "Promela's selection is written `choose { when (g) ... or when (h) ... }`"
        }
        ("::", _) => "alternatives are separated by `or`: `choose { ... or ... }`",
        ("->", _) => "fields are written `node.next`, guards `when (g) ...`",
        (":=", _) => "assign with `=`",
        (">>>", _) => "numbers have a sign: shift with `>>`",
        ("or", _) => "the logical operator is `||`",
        ("(", "lock") => "write `synchronized (m) { ... }`, or `acquire(m);`",
        ("++" | "--", _) => "`++` and `--` are statements of their own: `x++;`",
        ("=" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=", _) => {
            "an assignment is a statement and has no value; compare with `==`"
        }
        ("thread", "new") => "start a thread with `spawn worker(...)`",
        ("int" | "bool" | "lock" | "semaphore", "new") => {
            "arrays are declared with their size: `int a[3];`"
        }
        ("*", "int" | "bool" | "void") => {
            "there are no pointers: declare a `record`, and variables that refer to one"
        }
        ("do", ")") => "no `do` is needed: `while (c) { ... }`",
        _ => return None,
    })
}

const OUTPUT: &str =
    "there is no output: the trace shows every value, and `assert(...)` checks one";

/// Advice about the call of a function that other languages have.
pub(crate) fn function(name: &str) -> Option<&'static str> {
    Some(match name {
        "tryLock" | "trylock" | "tryAcquire" => {
            "did you mean `acquire`? It waits until the lock is free"
        }
        "unlock" | "mutex_unlock" | "pthread_mutex_unlock" => "did you mean `release`?",
        "mutex_lock" | "pthread_mutex_lock" => "did you mean `acquire`?",
        "signal" | "pthread_cond_signal" => "did you mean `notify`?",
        "broadcast" | "signalAll" | "pthread_cond_broadcast" => "did you mean `notifyAll`?",
        "P" | "sem_wait" => "did you mean `down`?",
        "V" | "sem_post" => "did you mean `up`?",
        "compareAndSet" | "compareAndSwap" => "did you mean `cas`?",
        "sleep" | "usleep" | "yield" => {
            "there is no time: between two steps every other thread may move anyway"
        }
        "println" | "print" | "log" => OUTPUT,
        other => return word_of_another_language(other),
    })
}

/// Advice about a method that other languages have.
pub(crate) fn method(name: &str) -> Option<&'static str> {
    match name {
        "print" | "println" | "printf" => Some(OUTPUT),
        _ => None,
    }
}

/// The operations that are written like calls of functions.
pub(crate) const OPERATIONS: [&str; 22] = [
    "acquire",
    "assert",
    "assume",
    "at",
    "await",
    "cas",
    "choose",
    "count",
    "down",
    "fetchAdd",
    "holds",
    "join",
    "length",
    "notify",
    "notifyAll",
    "owner",
    "receive",
    "release",
    "send",
    "up",
    "value",
    "wait",
];

/// Advice about a word that stands where a type is expected.
pub(crate) fn type_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "boolean" | "Boolean" | "_Bool" => "the type is `bool`",
        "Integer" | "long" | "short" | "unsigned" | "signed" | "uint" => {
            "the type is `int`, or `int(0..9)` with bounds"
        }
        "byte" | "char" | "bit" => "the type is `int` with bounds: `int(0..255 wrap)`",
        "float" | "double" => "there are only integers",
        "string" | "String" => "there are no strings: declare an `enum`",
        "Thread" | "Runnable" | "process" | "active" | "init" | "task" => {
            "threads are declared as `thread name { ... }`"
        }
        "mutex" | "Mutex" | "Lock" | "ReentrantLock" | "pthread_mutex_t" => "the type is `lock`",
        "Semaphore" | "sem_t" => "the type is `semaphore`",
        "chan" | "Channel" | "BlockingQueue" => "the type is `channel<int>(3)`",
        "shared" | "global" | "var" | "let" => {
            "write the type first; variables outside threads are shared"
        }
        "print" | "println" | "log" => OUTPUT,
        other => return word_of_another_language(other),
    })
}

/// Advice about a word that other languages have and that is hardly ever a name.
pub(crate) fn word_of_another_language(word: &str) -> Option<&'static str> {
    Some(match word {
        "and" => "the logical operator is `&&`",
        "not" => "the logical operator is `!`",
        "xor" => "the operator is `^`, or `!=` for truth values",
        "mod" => "the operator is `%`",
        "div" => "the operator is `/`",
        "then" => "no `then` is needed: `if (c) { ... } else { ... }`",
        "elif" | "elsif" | "elseif" => "write `else if`",
        "proctype" => "threads are declared as `thread name { ... }`",
        "mtype" => "declare an `enum`",
        "class" | "struct" | "typedef" => "declare a `record`",
        "final" => "declare a constant: `const N = 3;`",
        "volatile" | "static" | "public" | "private" => {
            "variables outside threads are shared; no modifier is needed"
        }
        "synchronised" => "the word is `synchronized`",
        "initialized" => "the clause is `initialised by`",
        "this" => "the thread is `self`; a lock is always named: `wait(m);`",
        "nil" | "NULL" | "nullptr" => "the reference to nothing is `null`",
        "True" | "False" | "TRUE" | "FALSE" => "the truth values are `true` and `false`",
        "switch" | "case" => "write `if (...) ... else if (...) ...`",
        "goto" => "there is no `goto`: use loops, `break` and `continue`",
        "try" | "catch" | "throw" => "there are no exceptions",
        "od" | "fi" => "blocks are written `{ ... }`",
        "printf" => OUTPUT,
        _ => return None,
    })
}
