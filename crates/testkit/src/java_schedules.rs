//! Random Java programs with threads of all kinds, small enough for full search.
//!
//! They need not end: threads deadlock, wait for ever, outlive `main` or are cut off by its end.
//! So they are not for `java`, but for comparing searches with each other. Whoever ends may
//! throw what it has seen as an exception, so that executions which differ for the program
//! differ in the violations that are found.
//!
//! The same seed always gives the same text.

use crate::generate::Random;
use crate::java_text::Writing;
use std::fmt::Write;

/// The most threads of a program, beside the main one.
const THREADS: u64 = 3;

/// The text of a class with this name, for a seed.
pub fn program(seed: u64, name: &str) -> String {
    let mut writer = Writer {
        random: Random(seed),
        text: String::new(),
        nesting: 2,
        name: name.to_owned(),
        thread: 0,
        started: 0,
        threads: 1,
        uses: Vec::new(),
    };
    // Two threads beside the main one are usual; three have many states.
    writer.threads = match writer.random.below(8) {
        0..=2 => 1,
        7 => THREADS,
        _ => 2,
    };
    // The last one may be started by the first one, or even later.
    let is_nested = writer.threads > 1 && writer.random.below(3) == 0;
    let mut bodies = Vec::new();
    for thread in 0..=writer.threads {
        let parts = match thread {
            0 => writer.random.below(4),
            _ => 1 + writer.random.below(3),
        };
        writer.body(thread, parts);
        let due = match thread {
            0 => writer.threads - u64::from(is_nested),
            _ => writer.threads,
        };
        while writer.started < due {
            writer.start();
        }
        writer.end();
        bodies.push(std::mem::take(&mut writer.text));
    }
    writer.class(seed, &bodies)
}

struct Writer {
    random: Random,
    text: String,
    nesting: usize,
    name: String,
    /// Whose statements are written: 0 is the main thread.
    thread: u64,
    /// How many threads are started so far in the order of the text.
    started: u64,
    threads: u64,
    /// What is declared because it is used.
    uses: Vec<&'static str>,
}

/// What a program can declare, by the word that its statements use.
const DECLARATIONS: [(&str, &str); 17] = [
    ("x", "static int x;"),
    ("y", "static int y;"),
    ("v", "static volatile int v;"),
    ("w", "static volatile int w;"),
    ("array", "static final int[] array = new int[2];"),
    ("box", "static int[] box;"),
    ("m", "static final Object m = new Object();"),
    ("n", "static final Object n = new Object();"),
    ("o", "static final Sub o = new Sub();"),
    ("p", "static Base p;"),
    ("a", "static final AtomicInteger a = new AtomicInteger();"),
    (
        "lock",
        "static final ReentrantLock lock = new ReentrantLock();",
    ),
    ("c", "static final Condition c = lock.newCondition();"),
    (
        "Late",
        "static class Late { static int z = 1; static int next() { return z++; } static { NAME.v++; } }",
    ),
    ("Bad", "static class Bad { static int z = 1 / NAME.v; }"),
    ("X", "static final VarHandle X = handle(\"x\");"),
    ("V", "static final VarHandle V = handle(\"v\");"),
];

impl Writing for Writer {
    fn parts(&mut self) -> (&mut Random, &mut String, &mut usize) {
        (&mut self.random, &mut self.text, &mut self.nesting)
    }
}

impl Writer {
    fn class(&self, seed: u64, bodies: &[String]) -> String {
        let name = &self.name;
        let is_used = |word: &str| self.uses.contains(&word);
        let mut fields = String::new();
        for (word, declaration) in DECLARATIONS {
            let is_needed = match word {
                "lock" => is_used("lock") || is_used("c"),
                "x" => is_used("x") || is_used("X"),
                "v" => ["v", "V", "Late", "Bad"].iter().any(|it| is_used(it)),
                _ => is_used(word),
            };
            if is_needed {
                let declaration = declaration.replace("NAME", name);
                let _ = writeln!(fields, "    {declaration}");
            }
        }
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
{fields}    static Thread t1, t2, t3;

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

    fn body(&mut self, thread: u64, parts: u64) {
        self.thread = thread;
        for _ in 0..parts {
            self.statement();
        }
    }

    /// A thread ends, and may say what it has seen.
    fn end(&mut self) {
        if self.thread == 0 && self.random.below(2) == 0 {
            for thread in 1..=self.started {
                self.uninterrupted(&format!("t{thread}.join();"));
            }
        }
        let variable = self.variable();
        let thread = self.thread;
        match self.random.below(4) {
            0 => {}
            1 => self.line("if (r > 0) throw new IllegalStateException(String.valueOf(r));"),
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
        let word = self.pick(&["x", "x", "y", "v", "v", "w", "array", "o"]);
        self.uses(word);
        match word {
            "array" => format!("array[{}]", self.random.below(2)),
            "o" => format!("o.{}", self.pick(&["f", "g"])),
            word => word.to_owned(),
        }
    }

    /// A statement that waits for nothing.
    fn simple(&mut self) {
        let number = self.random.below(3) + 1;
        let variable = self.variable();
        let line = match self.random.below(22) {
            0 | 1 => format!("{variable} = {number};"),
            2 | 3 => format!("{variable}++;"),
            4 => format!("{variable} += r + {number};"),
            5..=8 => format!("r = 3 * r + {variable};"),
            9 => format!("if ({variable} == 0) {variable} = {number}; else r += 11;"),
            10 => format!("if ({variable} == {number}) throw new RuntimeException(\"{number}\");"),
            11 => format!("assert {variable} != {number};"),
            12 => format!(
                "try {{ r += {number} / {variable}; }} catch (ArithmeticException e) {{ r += 7; }}"
            ),
            13 => {
                let a = self.uses("a");
                match self.random.below(4) {
                    0 => format!("r = 3 * r + {a}.getAndAdd({number});"),
                    1 => format!("if ({a}.compareAndSet({}, {number})) r += 5;", number - 1),
                    2 => format!("{a}.set({number});"),
                    _ => format!("r = 3 * r + {a}.get();"),
                }
            }
            14 => self.handle(number),
            15 => {
                self.uses("box");
                match self.random.below(3) {
                    0 => "box = new int[] { r };".to_owned(),
                    1 => "if (box != null) r += ++box[0];".to_owned(),
                    _ => "{ int[] mine = box; if (mine != null) mine[0] = r + 1; }".to_owned(),
                }
            }
            16 => {
                self.uses("p");
                match self.random.below(3) {
                    0 => format!("{{ Sub made = new Sub(); made.f = {number}; p = made; }}"),
                    1 => "p = new Base();".to_owned(),
                    _ => "if (p != null) r += p.get() + p.f;".to_owned(),
                }
            }
            17 => {
                self.uses("o");
                match self.random.below(2) {
                    0 => "r += o.get();".to_owned(),
                    _ => format!("o.set({number});"),
                }
            }
            18 => {
                self.uses("Late");
                "r += Late.next();".to_owned()
            }
            19 => {
                self.uses("Bad");
                "try { r += Bad.z; } catch (LinkageError e) { r += 20; }".to_owned()
            }
            20 => {
                self.uses("array");
                "{ int[] copy = array.clone(); r = 3 * r + copy[0] + copy[1]; }".to_owned()
            }
            _ => "r = step(r);".to_owned(),
        };
        self.line(&line);
    }

    /// An access through a handle, in one of its modes.
    fn handle(&mut self, number: u64) -> String {
        let handle = self.pick(&["X", "V"]);
        self.uses(handle);
        let get = self.pick(&["get", "getOpaque", "getAcquire", "getVolatile"]);
        let set = self.pick(&["set", "setOpaque", "setRelease", "setVolatile"]);
        let update = self.pick(&[
            "getAndAdd",
            "getAndAddAcquire",
            "getAndSet",
            "getAndBitwiseOr",
        ]);
        let compare = self.pick(&[
            "compareAndSet",
            "weakCompareAndSet",
            "weakCompareAndSetPlain",
        ]);
        match self.random.below(4) {
            0 => format!("r = 3 * r + (int) {handle}.{get}();"),
            1 => format!("{handle}.{set}({number});"),
            2 => format!("r = 3 * r + (int) {handle}.{update}({number});"),
            _ => format!("if ({handle}.{compare}({}, {number})) r += 5;", number - 1),
        }
    }

    fn statement(&mut self) {
        match self.random.below(26) {
            0..=7 => self.simple(),
            8..=11 => self.synchronized(),
            12 => {
                self.uses("lock");
                self.line("lock.lock();");
                self.simple();
                self.line("lock.unlock();");
            }
            13 => {
                self.uses("lock");
                let call = self.pick(&["lock.tryLock()", "lock.tryLock()", "limited()"]);
                let call = match call {
                    "limited()" => return self.limited(),
                    call => call,
                };
                self.nested(&format!("if ({call}) {{"), "} else {", |writer| {
                    writer.simple();
                    writer.line("lock.unlock();");
                });
                self.line("    r += 7;");
                self.line("}");
            }
            14 | 15 => {
                let object = self.monitor();
                let call = self.pick(&["notify", "notifyAll"]);
                self.nested(&format!("synchronized ({object}) {{"), "}", |writer| {
                    if writer.random.below(2) == 0 {
                        writer.simple();
                    }
                    writer.line(&format!("{object}.{call}();"));
                });
            }
            16 | 17 => self.wait(),
            18 => {
                self.uses("c");
                let call = self.pick(&["await", "awaitNanos", "signal", "signalAll"]);
                self.line("lock.lock();");
                match call {
                    "await" => self.uninterrupted("c.await();"),
                    "awaitNanos" => self.uninterrupted("c.awaitNanos(1);"),
                    call => self.line(&format!("c.{call}();")),
                }
                self.line("lock.unlock();");
            }
            19 => {
                let other = self.other();
                match self.random.below(2) {
                    0 => self.line("LockSupport.park();"),
                    _ => self.line(&format!("LockSupport.unpark({other});")),
                }
            }
            20 => {
                let other = self.other();
                self.line(&format!("if ({other} != null) {other}.interrupt();"));
            }
            21 => self.line("if (Thread.interrupted()) r += 50;"),
            22 => {
                let other = self.other();
                let call = self.pick(&["join", "join", "isAlive"]);
                match call {
                    "isAlive" => {
                        self.line(&format!(
                            "if ({other} != null && {other}.isAlive()) r += 13;"
                        ));
                    }
                    _ => self.uninterrupted(&format!("if ({other} != null) {other}.join();")),
                }
            }
            23 if self.thread > 0 => self.uninterrupted("Thread.sleep(1);"),
            // Most are started by the main thread, some by those that run already.
            _ if self.started < self.threads => self.start(),
            _ => self.simple(),
        }
    }

    fn other(&mut self) -> &'static str {
        self.pick(&["t1", "t2", "t1"])
    }

    fn start(&mut self) {
        self.started += 1;
        let (thread, name) = (self.started, self.name.clone());
        self.line(&format!("t{thread} = new Thread({name}::part{thread});"));
        if self.random.below(6) == 0 {
            self.line(&format!("t{thread}.setDaemon(true);"));
        }
        self.line(&format!("t{thread}.start();"));
    }

    fn monitor(&mut self) -> String {
        let word = self.pick(&["m", "m", "n", "o", "class"]);
        match word {
            "class" => format!("{}.class", self.name),
            word => self.uses(word).to_owned(),
        }
    }

    fn synchronized(&mut self) {
        let outer = self.monitor();
        self.nested(&format!("synchronized ({outer}) {{"), "}", |writer| {
            writer.simple();
            if writer.random.below(3) == 0 {
                let inner = writer.monitor();
                writer.nested(&format!("synchronized ({inner}) {{"), "}", Self::simple);
            } else if writer.random.below(2) == 0 {
                writer.simple();
            }
        });
    }

    fn limited(&mut self) {
        self.nested("try {", "} catch (InterruptedException e) {", |writer| {
            writer.nested("if (lock.tryLock(1, TimeUnit.SECONDS)) {", "}", |writer| {
                writer.simple();
                writer.line("lock.unlock();");
            });
        });
        self.line("    r += 100;");
        self.line("}");
    }

    fn wait(&mut self) {
        let object = self.monitor();
        let variable = self.variable();
        let call = match self.random.below(4) {
            0 => format!("{object}.wait(1);"),
            1 => format!("{object}.wait();"),
            2 => format!("if ({variable} == 0) {object}.wait();"),
            _ => format!("while ({variable} == 0) {object}.wait();"),
        };
        self.nested(&format!("synchronized ({object}) {{"), "}", |writer| {
            writer.uninterrupted(&call);
            if writer.random.below(2) == 0 {
                writer.simple();
            }
        });
    }
}
