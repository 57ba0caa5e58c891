//! Random Java programs whose threads are started in loops: what the Java checker finds in them is
//! found in what is extracted from them, and nothing else.
//!
//! `RADDLE_PROGRAMS` says how many, `RADDLE_SEED` where to begin.

use super::common::{agree, extracted, java_outcomes, load, machine_outcomes, scratch};
use raddle_extraction::Threads;
use raddle_testkit::generate::Random;
use raddle_testkit::jdk::compile_texts;

/// How many programs are compiled together.
const BATCH: u64 = 50;

/// How many states the searches may visit.
const JAVA_STATES: u64 = 3_000;
const STATES: u64 = 60_000;

fn number(variable: &str, default: u64) -> u64 {
    let told = std::env::var(variable).ok();
    told.and_then(|told| told.parse().ok()).unwrap_or(default)
}

#[test]
fn what_is_found_in_java_is_found_in_what_is_extracted() {
    let first = number("RADDLE_SEED", 1);
    let count = number("RADDLE_PROGRAMS", 15);
    let (mut compared, mut obstacles, mut wrong) = (0, 0, Vec::new());
    let mut outcomes = 0;
    for start in (first..first + count).step_by(BATCH as usize) {
        let seeds: Vec<u64> = (start..(start + BATCH).min(first + count)).collect();
        let folder = scratch(&format!("random-{start}"));
        let named = |seed: u64| format!("R{seed}");
        compile_texts(
            &folder,
            seeds
                .iter()
                .map(|&seed| (named(seed), program(seed, &named(seed)))),
        );
        for seed in seeds {
            let name = named(seed);
            let mut java = load(&folder, &name);
            let program = match extracted(&java, &name, Threads::AsStarted) {
                Ok(program) => program,
                Err(obstacle) => {
                    obstacles += 1;
                    println!("seed {seed}: {obstacle}");
                    continue;
                }
            };
            if !program.liberties.is_empty() {
                continue;
            }
            let Some(found) = machine_outcomes(&program.program, STATES) else {
                continue;
            };
            let Some(expected) = java_outcomes(&mut java, JAVA_STATES) else {
                continue;
            };
            compared += 1;
            outcomes += expected.len();
            if !agree(&found, &expected) {
                wrong.push(format!(
                    "seed {seed}: extracted {found:?}, Java {expected:?}\n{}\n{}",
                    self::program(seed, &name),
                    raddle_machine::text::print(&program.program)
                ));
            }
        }
        let _ = std::fs::remove_dir_all(&folder);
    }
    println!(
        "{count} programs from {first} on: {compared} compared with {outcomes} outcomes, {obstacles} \
         not extracted"
    );
    assert!(
        wrong.is_empty(),
        "{} are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(3 * compared >= count, "{compared} of {count} were compared");
    assert!(
        4 * obstacles <= count,
        "{obstacles} of {count} were not extracted"
    );
}

/// The text of a class with this name, for a seed.
fn program(seed: u64, name: &str) -> String {
    let mut writer = Writer {
        random: Random(seed),
        text: String::new(),
        depth: 3,
        locks: Vec::new(),
        theme: seed % 5,
    };
    let mut kinds = String::new();
    let count = 1 + writer.random.below(2);
    for kind in 0..count {
        writer.block(3);
        let body = std::mem::take(&mut writer.text);
        kinds.push_str(&format!(
            "    static class Kind{kind} extends Thread {{\n        int own = {kind};\n\n        \
             public void run() {{\n            int r = 0;\n{body}            assert r != 2 || x != \
             1;\n        }}\n    }}\n\n"
        ));
    }
    writer.depth = 2;
    writer.block(2);
    let rest = std::mem::take(&mut writer.text);
    let started: String = (0..count)
        .map(|kind| {
            let times = if kind == 0 { 2 } else { 1 };
            format!("        for (int i = 0; i < {times}; i++) new Kind{kind}().start();\n")
        })
        .collect();
    let rest = match writer.random.below(3) {
        0 => format!("        int r = 5;\n{rest}"),
        _ => String::new(),
    };
    format!(
        "import java.util.concurrent.*;\nimport java.util.concurrent.atomic.*;\nimport \
         java.util.concurrent.locks.*;\n\npublic class {name} {{\n    static class Cell {{\n        int \
         f;\n        synchronized int next() {{\n            return ++f;\n        }}\n    }}\n\n    static \
         int x, y;\n    static volatile int v;\n    static boolean flag;\n    static final Cell s = new \
         Cell(), z = new Cell();\n    static Cell ref;\n    static final Object m = new Object();\n    \
         static final int[] array = new int[2];\n    static final AtomicInteger a = new \
         AtomicInteger();\n    static final AtomicReference<Cell> at = new AtomicReference<>(s);\n    \
         static final ReentrantLock lock = new ReentrantLock();\n    static final Condition changed = \
         lock.newCondition();\n    static final Semaphore permits = new Semaphore(1);\n    static final \
         CountDownLatch latch = new CountDownLatch(1);\n\n    static synchronized int bump(int by) \
         {{\n        x += by;\n        return x;\n    }}\n\n    static int twice(int n) {{\n        return \
         bump(n) + bump(n);\n    }}\n\n{kinds}    public static void main(String[] args) throws \
         Exception {{\n{started}{rest}    }}\n}}\n"
    )
}

struct Writer {
    random: Random,
    text: String,
    depth: usize,
    /// What is held where one writes.
    locks: Vec<&'static str>,
    /// Programs are about few things each, so that they come together.
    theme: u64,
}

impl Writer {
    fn line(&mut self, line: &str) {
        self.text.push_str(&"    ".repeat(self.depth));
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn nested(&mut self, head: &str, tail: &str, most: u64) {
        self.line(head);
        self.depth += 1;
        self.block(most);
        self.depth -= 1;
        self.line(tail);
    }

    fn held(&mut self, lock: &'static str, head: &str, tail: &str, most: u64) {
        self.locks.push(lock);
        self.nested(head, tail, most);
        self.locks.pop();
    }

    fn block(&mut self, most: u64) {
        for _ in 0..1 + self.random.below(most) {
            self.statement();
        }
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.random.below(choices.len() as u64) as usize]
    }

    fn condition(&mut self) -> &'static str {
        self.pick(&[
            "x == 0",
            "x > 0",
            "r == 1",
            "y != x",
            "flag",
            "v < 1",
            "x > 0 && y == 0",
            "flag || r == 0",
            "a.get() == 1",
            "s.f == 1",
            "ref == null",
            "ref == s",
            "array[0] == 1",
        ])
    }

    fn statement(&mut self) {
        let is_deep = self.depth > 6;
        match self.random.below(10) {
            0..=3 => self.simple(),
            4 if !is_deep => {
                let condition = self.condition();
                self.nested(&format!("if ({condition}) {{"), "} else {", 1);
                self.depth += 1;
                self.simple();
                self.depth -= 1;
                self.line("}");
            }
            5 => {
                let claim = self.pick(&[
                    "assert x != 2;",
                    "assert r != 2;",
                    "assert y < 2;",
                    "assert v + x != 3;",
                    "assert s.f < 2;",
                    "assert a.get() != 2;",
                    "assert array[1] == 0;",
                    "assert ref != z;",
                    "assert at.get() == s;",
                ]);
                self.line(claim);
            }
            _ if is_deep => self.simple(),
            _ => self.themed(),
        }
    }

    fn simple(&mut self) {
        let line = self.pick(&[
            "x++;",
            "r = x;",
            "x = r + 1;",
            "y = x;",
            "v += 1;",
            "r = v - 1;",
            "s.f = r;",
            "r = s.f + y;",
            "flag = !flag;",
            "flag = x > 0;",
            "a.incrementAndGet();",
            "r = a.getAndAdd(2);",
            "a.set(r);",
            "if (a.compareAndSet(0, 1)) r = 1;",
            "bump(1);",
            "r = twice(1);",
            "r = s.next();",
            "array[r & 1] = r;",
            "r = array[x & 1];",
            "r = array[v];",
            "ref = s;",
            "ref = z;",
            "ref = null;",
            "if (ref != null) ref.f++;",
            "r = (flag ? s : z).f;",
            "ref.f = 1;",
            "r = 6 / x;",
            "r = r % 2 == 0 ? 1 : -r;",
            "at.set(z);",
            "if (at.compareAndSet(s, z)) r = 1;",
            "at.get().f = 1;",
            "r = a.updateAndGet(n -> n + 1);",
            "r = a.getAndSet(1);",
            "for (int i = 0; i < 2; i++) r += i;",
            "r = Math.max(r, x);",
            "try { r = 4 / y; } catch (ArithmeticException e) { r = 9; }",
            "if (x == 1) throw new IllegalStateException(\"x is \" + x);",
            "switch (r) { case 0: x = 1; break; case 1: y = 1; break; default: r = 0; }",
            "{ Cell own = new Cell(); own.f = x; r = own.next(); }",
        ]);
        self.line(line);
    }

    fn themed(&mut self) {
        match (self.theme, self.random.below(3)) {
            (_, 0) | (0, _) => self.held("m", "synchronized (m) {", "}", 2),
            (1, _) if self.locks.contains(&"m") => {
                let line = self.pick(&[
                    "if (!flag) m.wait();",
                    "while (x == 0) m.wait();",
                    "m.notify();",
                    "m.notifyAll();",
                ]);
                self.uninterrupted(line);
            }
            (1, _) => self.held("m", "synchronized (m) {", "}", 3),
            (2, _) if self.locks.contains(&"lock") => {
                let line = self.pick(&[
                    "if (!flag) changed.await();",
                    "changed.signal();",
                    "changed.signalAll();",
                ]);
                self.uninterrupted(line);
            }
            (2, 1) => {
                self.line("lock.lock();");
                self.held("lock", "try {", "} finally { lock.unlock(); }", 2);
            }
            (2, _) => {
                self.line("if (lock.tryLock()) {");
                self.depth += 1;
                self.held("lock", "try {", "} finally { lock.unlock(); }", 2);
                self.depth -= 1;
                self.line("}");
            }
            (3, 1) => {
                let line = self.pick(&["permits.acquire();", "latch.await();"]);
                self.uninterrupted(line);
                self.simple();
                self.line("permits.release();");
            }
            (3, _) => {
                let line = self.pick(&[
                    "latch.countDown();",
                    "if (permits.tryAcquire()) r = permits.availablePermits();",
                    "if (latch.getCount() == 0) r = 1;",
                ]);
                self.line(line);
            }
            _ => {
                self.held("class", "synchronized (Cell.class) {", "}", 2);
            }
        }
    }

    fn uninterrupted(&mut self, line: &str) {
        match line.contains("wait(") || line.contains("acquire(") {
            true => self.line(&format!(
                "try {{ {line} }} catch (InterruptedException e) {{ r = 7; }}"
            )),
            false => self.line(line),
        }
    }
}
