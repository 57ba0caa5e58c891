//! Random Java programs with threads of all kinds, small enough for full search.
//!
//! They need not end: threads deadlock, wait for ever, outlive `main` or are cut off by its end.
//! So they are not for `java`, but for comparing searches with each other. Whoever ends may
//! throw what it has seen as an exception, so that executions which differ for the program
//! differ in the violations that are found.
//!
//! Mistakes of a reduction show where threads meet. So a program is about one or two themes
//! ([`themes::Theme`]), has few variables and monitors, and its statements are about those.
//!
//! The same seed always gives the same text.

mod themes;

use crate::generate::Random;
use crate::java_text::Writing;
use std::fmt::Write;
use themes::Theme;

/// The most threads of a program, beside the main one.
const THREADS: u64 = 3;

/// The text of a class with this name, for a seed.
pub fn program(seed: u64, name: &str) -> String {
    let mut writer = Writer::new(seed, name);
    let mut bodies = Vec::new();
    for thread in 0..=writer.threads {
        writer.body(thread);
        bodies.push(std::mem::take(&mut writer.text));
    }
    writer.class(seed, &bodies)
}

/// Who says what was seen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Witness {
    /// The main thread waits for the others, and tells what they all have seen.
    Main,
    /// One of the threads, the main one among them.
    One(u64),
    /// Whoever comes to its end; the first one to do so ends the execution.
    Everybody,
    /// Only whether threads come to their ends matters.
    Nobody,
}

struct Writer {
    random: Random,
    text: String,
    nesting: usize,
    name: String,
    /// The first one is what most statements are about.
    themes: Vec<Theme>,
    /// Which objects or classes the program is about, where a theme has several kinds.
    subject: u64,
    /// Whether the first two threads are those that others act on, and not only the first one.
    are_two_acted_on: bool,
    /// What most statements read and write.
    variables: Vec<&'static str>,
    /// What is locked.
    monitors: Vec<&'static str>,
    witness: Witness,
    /// Whether the first thread has ended before the others begin: what it did is taken for a habit.
    has_prelude: bool,
    /// Whether threads are objects from the beginning, before they are started.
    are_threads_ready: bool,
    /// Whose statements are written: 0 is the main thread.
    thread: u64,
    /// How many threads are started so far in the order of the text.
    started: u64,
    threads: u64,
    /// How many of them are started by the main thread.
    by_main: u64,
    /// What is declared because it is used.
    uses: Vec<&'static str>,
}

/// What a program can declare, by the word that its statements use, with the words that this needs.
const DECLARATIONS: [(&str, &[&str], &str); 24] = [
    ("x", &["X"], "static int x;"),
    ("y", &[], "static int y;"),
    (
        "v",
        &["V", "Late", "Bad", "Slow", "Deep"],
        "static volatile int v;",
    ),
    ("w", &[], "static volatile int w;"),
    ("array", &[], "static final int[] array = new int[2];"),
    ("box", &[], "static int[] box;"),
    ("deep", &[], "static Object[] deep;"),
    ("m", &[], "static final Object m = new Object();"),
    ("n", &[], "static final Object n = new Object();"),
    ("o", &[], "static final Sub o = new Sub();"),
    ("p", &[], "static Base p;"),
    (
        "a",
        &[],
        "static final AtomicInteger a = new AtomicInteger();",
    ),
    (
        "lock",
        &["c"],
        "static final ReentrantLock lock = new ReentrantLock();",
    ),
    ("c", &[], "static final Condition c = lock.newCondition();"),
    (
        "Late",
        &["Deep"],
        "static class Late { static int z = 1; static int next() { return z++; } static { NAME.v++; } }",
    ),
    (
        "Slow",
        &[],
        "static class Slow { static int z; static { NAME.v++; z = NAME.v; } }",
    ),
    (
        "Deep",
        &[],
        "static class Deep { static int z = 10 * Late.z + NAME.v; }",
    ),
    (
        "Bad",
        &[],
        "static class Bad { static int z = 1 / NAME.v; }",
    ),
    (
        "Hen",
        &["Egg"],
        "static class Hen { static int z = 1 + Egg.z; }",
    ),
    (
        "Egg",
        &["Hen"],
        "static class Egg { static int z = 1 + Hen.z; }",
    ),
    ("X", &[], "static final VarHandle X = handle(\"x\");"),
    ("V", &[], "static final VarHandle V = handle(\"v\");"),
    (
        "begin",
        &[],
        "static final long begin = System.currentTimeMillis();",
    ),
    ("results", &[], "static int r1, r2, r3;"),
];

impl Writing for Writer {
    fn parts(&mut self) -> (&mut Random, &mut String, &mut usize) {
        (&mut self.random, &mut self.text, &mut self.nesting)
    }
}

impl Writer {
    fn new(seed: u64, name: &str) -> Writer {
        let mut random = Random(seed);
        // Two threads beside the main one are usual; three have many states.
        let threads = match random.below(8) {
            0..=2 => 1,
            7 => THREADS,
            _ => 2,
        };
        let themes = Theme::some(&mut random);
        let some = |random: &mut Random, from: &[&'static str], most: u64| {
            let count = 1 + random.below(most);
            let pick = |_| from[random.below(from.len() as u64) as usize];
            (0..count).map(pick).collect::<Vec<_>>()
        };
        let variables = some(
            &mut random,
            &["x", "x", "y", "v", "v", "w", "array", "o"],
            2,
        );
        let monitors = match themes[0] {
            Theme::Order => some(&mut random, &["m", "n", "o", "class"], 3),
            _ => some(&mut random, &["m", "m", "n", "o", "class"], 2),
        };
        let witness = match random.below(8) {
            0..=2 => Witness::Main,
            3 => Witness::One(random.below(threads + 1)),
            4 => Witness::Nobody,
            _ => Witness::Everybody,
        };
        let prelude = match themes[0] {
            Theme::Memory | Theme::Sections | Theme::Objects => 2,
            _ => 6,
        };
        // The last one may be started by the first one, or even later.
        let is_nested = threads > 1 && random.below(3) == 0;
        Writer {
            themes,
            variables,
            monitors,
            witness,
            has_prelude: threads > 1 && random.below(prelude) == 0,
            subject: random.draw(),
            are_two_acted_on: threads > 1 && random.below(3) == 0,
            are_threads_ready: random.below(2) == 0,
            random,
            text: String::new(),
            nesting: 2,
            name: name.to_owned(),
            thread: 0,
            started: 0,
            threads,
            by_main: threads - u64::from(is_nested),
            uses: Vec::new(),
        }
    }

    fn class(&self, seed: u64, bodies: &[String]) -> String {
        let name = &self.name;
        let fields = self.fields();
        let mut methods = String::new();
        for (thread, body) in bodies.iter().enumerate() {
            let _ = write!(
                methods,
                "\n    static void part{thread}() {{\n        int r = 0;\n{body}    }}\n"
            );
        }
        format!(
            r#"// Seed {seed}.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

public class {name} {{
    static class Base {{
        int f;
        int get() {{ return f; }}
    }}
    static class Sub extends Base {{
        int g;
        synchronized int get() {{ return ++g; }}
        synchronized void set(int to) {{ f = to; g = to; }}
    }}
{fields}
    static VarHandle handle(String field) {{
        try {{
            return MethodHandles.lookup().findStaticVarHandle({name}.class, field, int.class);
        }} catch (ReflectiveOperationException e) {{
            throw new AssertionError(e);
        }}
    }}

    static synchronized int step(int r) {{
        return r + 1;
    }}
{methods}
    public static void main(String[] args) {{
        part0();
    }}
}}
"#
        )
    }

    fn fields(&self) -> String {
        let name = &self.name;
        let is_used = |word: &&str| self.uses.contains(word);
        let mut fields = String::new();
        for (word, by, declaration) in DECLARATIONS {
            if is_used(&word) || by.iter().any(is_used) {
                let declaration = declaration.replace("NAME", name);
                let _ = writeln!(fields, "    {declaration}");
            }
        }
        for thread in 1..=THREADS {
            let _ = match self.are_threads_ready && thread <= self.threads {
                true => writeln!(
                    fields,
                    "    static final Thread t{thread} = new Thread({name}::part{thread});"
                ),
                false => writeln!(fields, "    static Thread t{thread};"),
            };
        }
        fields
    }

    fn body(&mut self, thread: u64) {
        self.thread = thread;
        let mut parts = 1 + self.random.below(2);
        if thread == 0 && self.has_prelude {
            self.start();
            self.uninterrupted("t1.join();");
        }
        // Three threads with much to do are too many.
        if self.threads == THREADS {
            parts = parts.min(1);
        }
        let due = match thread {
            0 => self.by_main,
            _ => self.threads,
        };
        // What is done before anybody else runs shows little.
        if self.random.below(8) > 0 {
            self.start_until(due);
        }
        for _ in 0..parts {
            self.statement();
        }
        self.start_until(due);
        self.end();
    }

    fn start_until(&mut self, due: u64) {
        while self.started < due {
            self.start();
        }
    }

    /// A thread ends, and may say what it has seen.
    fn end(&mut self) {
        let thread = self.thread;
        if thread == 0 && (self.witness == Witness::Main || self.random.below(2) == 0) {
            for thread in 1..=self.started {
                self.uninterrupted(&format!("t{thread}.join();"));
            }
        }
        let variable = self.variable();
        match self.witness {
            Witness::Nobody => {}
            Witness::Main if thread > 0 => {
                self.uses("results");
                self.line(&format!("r{thread} = r;"));
            }
            Witness::Main => {
                self.uses("results");
                self.line(&format!(
                    "throw new IllegalStateException(r + \" \" + r1 + \" \" + r2 + \" \" + r3 + \" \" + {variable});"
                ));
            }
            Witness::One(one) if one != thread => {}
            Witness::Everybody if self.random.below(4) == 0 => {
                self.line("if (r > 0) throw new IllegalStateException(String.valueOf(r));");
            }
            _ => self.line(&format!(
                "throw new IllegalStateException(\"{thread}: \" + r + \" \" + {variable});"
            )),
        }
    }

    fn uses(&mut self, word: &'static str) -> &'static str {
        if !self.uses.contains(&word) {
            self.uses.push(word);
        }
        word
    }

    /// Something of type `int` that can be read and written.
    fn variable(&mut self) -> String {
        let word = self.pick(&self.variables.clone());
        self.uses(word);
        match word {
            "array" => format!("array[{}]", self.random.below(2)),
            "o" => format!("o.{}", self.pick(&["f", "g"])),
            word => word.to_owned(),
        }
    }

    fn monitor(&mut self) -> String {
        let word = self.pick(&self.monitors.clone());
        match word {
            "class" => format!("{}.class", self.name),
            word => self.uses(word).to_owned(),
        }
    }

    /// Whether others act on the thread whose statements are written.
    fn is_acted_on(&self) -> bool {
        self.thread == 1 || self.thread == 2 && self.are_two_acted_on
    }

    /// Another thread, most often one that others act on; there need not be any yet.
    fn other(&mut self) -> String {
        let most = match self.random.below(4) {
            0 => self.threads,
            _ => 1 + u64::from(self.are_two_acted_on),
        };
        format!("t{}", 1 + self.random.below(most))
    }

    /// Writes a call of a method of another thread, if there is one.
    fn of_other(&mut self, call: &str) -> String {
        let other = self.other();
        match self.are_threads_ready {
            true => format!("{other}.{call}"),
            false => format!("if ({other} != null) {other}.{call}"),
        }
    }

    fn start(&mut self) {
        self.started += 1;
        let (thread, name) = (self.started, self.name.clone());
        if !self.are_threads_ready {
            self.line(&format!("t{thread} = new Thread({name}::part{thread});"));
        }
        if self.random.below(6) == 0 {
            self.line(&format!("t{thread}.setDaemon(true);"));
        }
        self.line(&format!("t{thread}.start();"));
    }
}
