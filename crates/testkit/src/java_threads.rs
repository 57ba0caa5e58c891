//! Random Java programs with two or three threads that are small enough to explore completely.
//!
//! `run` is one execution: it makes the objects that its threads share, starts the threads, and
//! gives their last values as text, which is the outcome. `main` throws an exception with
//! the outcome unless it is one of the program's arguments. So all outcomes are found by asking
//! for another one until there is none.
//!
//! The same seed always gives the same text.

use crate::generate::Random;
use crate::java_text::Writing;
use std::fmt::Write;

/// Whether the threads of a seed's program may wait for each other for ever. Then it is no
/// program for `java`.
pub fn may_deadlock(seed: u64) -> bool {
    seed.is_multiple_of(4)
}

/// The text of a class with this name, for a seed.
pub fn program(seed: u64, name: &str) -> String {
    let mut writer = Writer {
        random: Random(seed),
        text: String::new(),
        nesting: 2,
        may_deadlock: may_deadlock(seed),
        thread: 0,
    };
    let others = 1 + writer.random.below(2) as usize;
    let mut methods = String::new();
    for thread in 0..=others {
        writer.thread = thread;
        writer.body();
        let body = std::mem::take(&mut writer.text);
        let _ = write!(
            methods,
            "\n    void part{thread}() {{\n        int r = 0;\n{body}        r{thread} = r;\n    }}\n"
        );
    }
    let started: String = (1..=others)
        .map(|thread| format!("        s.t{thread} = new Thread(s::part{thread});\n"))
        .chain((1..=others).map(|thread| format!("        s.t{thread}.start();\n")))
        .collect();
    let joined: String = (1..=others)
        .map(|thread| format!("        s.t{thread}.join();\n"))
        .collect();
    format!(
        r#"// Seed {seed}.
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

public class {name} {{
    int x, y, r0, r1, r2;
    volatile int v, w;
    boolean isOver;
    Thread t1, t2;
    final AtomicInteger a = new AtomicInteger();
    final ReentrantLock lock = new ReentrantLock();
    final Object m = new Object(), n = new Object();
{methods}
    static String run() throws InterruptedException {{
        {name} s = new {name}();
{started}        s.part0();
        synchronized (s.m) {{
            s.isOver = true;
            s.m.notifyAll();
        }}
{joined}        return s.x + "," + s.y + "," + s.v + "," + s.w + "," + s.a + "," + s.r0 + "," + s.r1 + "," + s.r2;
    }}

    public static void main(String[] args) throws InterruptedException {{
        String outcome = run();
        if (!Arrays.asList(args).contains(outcome)) throw new IllegalStateException(outcome);
    }}
}}
"#
    )
}

struct Writer {
    random: Random,
    text: String,
    nesting: usize,
    may_deadlock: bool,
    /// Whose statements are written: 0 is the main thread.
    thread: usize,
}

impl Writing for Writer {
    fn parts(&mut self) -> (&mut Random, &mut String, &mut usize) {
        (&mut self.random, &mut self.text, &mut self.nesting)
    }
}

impl Writer {
    fn body(&mut self) {
        for _ in 0..2 + self.random.below(2) {
            self.statement();
        }
    }

    /// A statement that waits for nothing.
    fn simple(&mut self) {
        let number = self.random.below(3) + 1;
        let variable = self.pick(&["x", "y", "v", "w"]);
        let line = match self.random.below(8) {
            0 => format!("{variable} = {number};"),
            1 => format!("{variable}++;"),
            2 => format!("{variable} += r + {number};"),
            3 | 4 => format!("r = 3 * r + {variable};"),
            5 => format!("r = 3 * r + a.getAndAdd({number});"),
            6 => format!("if (a.compareAndSet({}, {number})) r += 5;", number - 1),
            _ => format!("if ({variable} == 0) {variable} = {number}; else r += 11;"),
        };
        self.line(&line);
    }

    fn statement(&mut self) {
        match self.random.below(14) {
            0..=3 => self.simple(),
            4 | 5 => self.synchronized(),
            6 => {
                self.line("lock.lock();");
                self.nested("try {", "} finally {", Self::simple);
                self.line("    lock.unlock();");
                self.line("}");
            }
            7 => {
                self.nested("if (lock.tryLock()) {", "} else {", |writer| {
                    writer.simple();
                    writer.line("lock.unlock();");
                });
                self.line("    r += 7;");
                self.line("}");
            }
            8 => {
                let call = self.pick(&["m.notify();", "m.notifyAll();"]);
                self.nested("synchronized (m) {", "}", |writer| writer.line(call));
            }
            9 | 10 => self.wait(),
            11 => {
                // The main thread is left alone, because it has to come to its end.
                let other = self.pick(&["t1", "t2"]);
                self.line(&format!("if ({other} != null) {other}.interrupt();"));
            }
            12 => self.line("if (Thread.interrupted()) r += 50;"),
            _ if self.thread == 2 => self.uninterrupted("t1.join();"),
            _ => self.simple(),
        }
    }

    fn synchronized(&mut self) {
        let outer = self.pick(&["m", "n"]);
        self.nested(&format!("synchronized ({outer}) {{"), "}", |writer| {
            writer.simple();
            let inner = match outer {
                "m" => "n",
                _ if writer.may_deadlock => "m",
                _ => return writer.simple(),
            };
            writer.nested(&format!("synchronized ({inner}) {{"), "}", Self::simple);
        });
    }

    fn wait(&mut self) {
        let call = match self.random.below(3) {
            0 => "m.wait(1);",
            1 if self.may_deadlock => "m.wait();",
            // The main thread ends it, and would wait for itself.
            _ if self.thread == 0 => "m.wait(1);",
            _ => "while (!isOver) m.wait();",
        };
        self.nested("synchronized (m) {", "}", |writer| {
            writer.simple();
            writer.uninterrupted(call);
        });
    }
}
