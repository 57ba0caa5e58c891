//! What the statements of a random program are about.

use super::Writer;
use crate::generate::Random;
use crate::java_text::Writing;

/// A kind of statements that act on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Theme {
    /// Reading and writing.
    Memory,
    /// The same with monitors, most of the time.
    Sections,
    /// Several monitors at once, in any order.
    Order,
    /// Waiting for a monitor, notifications and interrupts.
    Waiting,
    /// Parking, permits and interrupts.
    Permits,
    /// Classes that are initialised while threads run.
    Classes,
    /// Threads that start, end and are waited for.
    Lives,
    /// Locks of the library, and their conditions.
    Locks,
    /// Objects and arrays that become known to others.
    Objects,
    /// Exceptions that leave critical sections.
    Exceptions,
    /// Atomic variables and handles in their modes.
    Handles,
    /// Time limits, and looking at the clock.
    Clock,
}

impl Theme {
    /// Locks of the library have many steps, so they are rare.
    const ALL: [Theme; 23] = [
        Theme::Memory,
        Theme::Memory,
        Theme::Sections,
        Theme::Sections,
        Theme::Sections,
        Theme::Order,
        Theme::Order,
        Theme::Waiting,
        Theme::Waiting,
        Theme::Waiting,
        Theme::Waiting,
        Theme::Permits,
        Theme::Permits,
        Theme::Classes,
        Theme::Classes,
        Theme::Lives,
        Theme::Lives,
        Theme::Locks,
        Theme::Objects,
        Theme::Objects,
        Theme::Exceptions,
        Theme::Handles,
        Theme::Clock,
    ];

    /// One or two themes, the first one more often than the second; sometimes all of them.
    pub(super) fn some(random: &mut Random) -> Vec<Theme> {
        let mut one = || Theme::ALL[random.below(Theme::ALL.len() as u64) as usize];
        let (first, second, kind) = (one(), one(), random.below(8));
        match kind {
            0..=2 => vec![first],
            3..=6 => vec![first, first, second],
            _ => Theme::ALL.to_vec(),
        }
    }
}

impl Writer {
    pub(super) fn statement(&mut self) {
        let theme = self.themes[self.random.below(self.themes.len() as u64) as usize];
        // Most are started by the main thread, some by those that run already.
        if self.started < self.threads && self.random.below(4) == 0 {
            return self.start();
        }
        match theme {
            Theme::Memory => self.simple(),
            Theme::Sections => self.section(),
            Theme::Order => self.together(),
            Theme::Waiting => self.waiting(),
            Theme::Permits => self.permits(),
            Theme::Classes => self.classes(),
            Theme::Lives => self.lives(),
            Theme::Locks => self.locks(),
            Theme::Objects => self.objects(),
            Theme::Exceptions => self.exceptions(),
            Theme::Handles => self.handles(),
            Theme::Clock => self.clock(),
        }
    }

    /// A statement that waits for nothing.
    fn simple(&mut self) {
        let number = self.random.below(3) + 1;
        let variable = self.variable();
        let line = match self.random.below(14) {
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
            _ => "r = step(r);".to_owned(),
        };
        self.line(&line);
    }

    /// Writes something that may be nothing.
    fn perhaps(&mut self) {
        if self.random.below(2) == 0 {
            self.simple();
        }
    }

    fn synchronized(&mut self, body: impl FnOnce(&mut Self, &str)) {
        let monitor = self.monitor();
        self.nested(&format!("synchronized ({monitor}) {{"), "}", |writer| {
            body(writer, &monitor);
        });
    }

    /// The first monitor guards the variables, but for whom that is too much trouble.
    fn section(&mut self) {
        match self.random.below(8) {
            0 => self.simple(),
            1 => {
                self.uses("o");
                let call = self.pick(&["r += o.get();", "o.set(r + 1);"]);
                self.line(call);
            }
            _ => self.synchronized(|writer, _| {
                writer.simple();
                writer.perhaps();
            }),
        }
    }

    fn together(&mut self) {
        self.synchronized(|writer, _| {
            if writer.random.below(3) == 0 {
                writer.simple();
            }
            writer.synchronized(|writer, _| match writer.random.below(6) {
                0 => {}
                1 => writer.synchronized(|writer, _| writer.perhaps()),
                _ => writer.simple(),
            });
        });
    }

    fn waiting(&mut self) {
        let kind = match self.is_acted_on() {
            true => [0, 0, 0, 0, 0, 1, 2, 3],
            false => [0, 1, 1, 1, 1, 2, 2, 3],
        }[self.random.below(8) as usize];
        match kind {
            0 => self.wait(),
            1 => {
                let call = self.pick(&["notify", "notify", "notifyAll"]);
                let variable = self.variable();
                self.synchronized(|writer, monitor| {
                    writer.perhaps();
                    match writer.random.below(3) {
                        0 => writer.line(&format!("if ({variable} > 0) {monitor}.{call}();")),
                        _ => writer.line(&format!("{monitor}.{call}();")),
                    }
                    if writer.random.below(3) == 0 {
                        writer.simple();
                    }
                });
            }
            2 => self.interrupt(),
            _ => self.section(),
        }
    }

    fn wait(&mut self) {
        let variable = self.variable();
        let kind = self.random.below(6);
        self.synchronized(|writer, monitor| {
            let call = match kind {
                0 => format!("{monitor}.wait(1);"),
                1 | 2 => format!("{monitor}.wait();"),
                3 => format!("if ({variable} == 0) {monitor}.wait();"),
                4 => format!("while ({variable} == 0) {monitor}.wait();"),
                _ => format!("{variable}++; {monitor}.wait(); {variable} += 2;"),
            };
            writer.uninterrupted(&call);
            writer.perhaps();
        });
    }

    fn interrupt(&mut self) {
        let call = self.of_other("interrupt();");
        let variable = self.variable();
        match self.random.below(5) {
            0 => self.line(&format!("if ({variable} > 0) {{ {call} }}")),
            1 => self.line("if (Thread.interrupted()) r += 50;"),
            2 => self.line("if (Thread.currentThread().isInterrupted()) r += 60;"),
            _ => self.line(&call),
        }
    }

    fn permits(&mut self) {
        let other = self.other();
        let kind = match self.is_acted_on() {
            true => [0, 0, 0, 0, 0, 1, 2, 4],
            false => [0, 1, 2, 2, 2, 3, 3, 4],
        }[self.random.below(8) as usize];
        match kind {
            0 => self.line("LockSupport.park();"),
            1 => self.line("LockSupport.parkNanos(1);"),
            2 => self.line(&format!("LockSupport.unpark({other});")),
            3 => self.interrupt(),
            _ => self.simple(),
        }
        if self.is_acted_on() && self.random.below(3) > 0 {
            self.line("r = 3 * r + (Thread.interrupted() ? 2 : 1);");
        }
    }

    fn classes(&mut self) {
        let lines = match self.subject % 5 {
            0 => [
                ("Late", "r = 3 * r + Late.next();"),
                ("Late", "r = 3 * r + Late.z;"),
            ],
            1 => [("Slow", "r = 3 * r + Slow.z;"), ("Slow", "Slow.z++;")],
            2 => [
                ("Deep", "r = 3 * r + Deep.z;"),
                ("Late", "r = 3 * r + Late.next();"),
            ],
            3 => [
                (
                    "Bad",
                    "try { r += Bad.z; } catch (LinkageError e) { r += 20; }",
                ),
                ("v", "v = 1;"),
            ],
            _ => [("Hen", "r += Hen.z;"), ("Egg", "r += Egg.z;")],
        };
        let before = self.random.below(3);
        if before == 0 {
            self.simple();
        }
        let (word, line) = match self.random.below(8) {
            0 => ("v", "v++;"),
            1 => ("v", "r = 3 * r + v;"),
            other => lines[other as usize % 2],
        };
        self.uses(word);
        match self.random.below(6) {
            0 => self.synchronized(|writer, _| writer.line(line)),
            _ => self.line(line),
        }
        if before == 1 {
            self.simple();
        }
    }

    fn lives(&mut self) {
        let kind = match self.is_acted_on() {
            true => [0, 1, 2, 3, 4, 6, 7, 7],
            false => [0, 0, 1, 2, 2, 3, 3, 5],
        }[self.random.below(8) as usize];
        match kind {
            0 => {
                let call = self.of_other("join();");
                self.uninterrupted(&call);
            }
            1 => {
                let call = self.of_other("join(1);");
                self.uninterrupted(&call);
            }
            2 => {
                let other = self.other();
                self.line(&format!(
                    "if ({other} != null && {other}.isAlive()) r += 13;"
                ));
            }
            3 if self.are_threads_ready => {
                let other = self.other();
                let condition = self.pick(&["if", "while"]);
                self.nested(&format!("synchronized ({other}) {{"), "}", |writer| {
                    writer.uninterrupted(&format!(
                        "{condition} ({other}.isAlive()) {{ r++; {other}.wait(); }}"
                    ));
                });
            }
            4 => self.uninterrupted("Thread.sleep(1);"),
            5 => self.interrupt(),
            6 if self.started < self.threads => self.start(),
            _ => self.simple(),
        }
    }

    fn locks(&mut self) {
        self.uses("lock");
        match self.random.below(7) {
            0 | 1 => {
                self.line("lock.lock();");
                self.simple();
                self.line("lock.unlock();");
            }
            2 => {
                self.line("lock.lock();");
                self.nested("try {", "} finally {", Self::simple);
                self.line("    lock.unlock();");
                self.line("}");
            }
            3 => {
                self.nested("if (lock.tryLock()) {", "} else {", |writer| {
                    writer.simple();
                    writer.line("lock.unlock();");
                });
                self.line("    r += 7;");
                self.line("}");
            }
            4 => self.limited(),
            _ => {
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
        }
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

    fn objects(&mut self) {
        let number = self.random.below(3) + 1;
        let (word, lines) = match self.subject % 5 {
            0 => (
                "box",
                [
                    "box = new int[] { r };",
                    "if (box != null) r += ++box[0];",
                    "{ int[] mine = box; if (mine != null) mine[0] = r + 1; }",
                    "{ int[] mine = { r }; box = mine; mine[0]++; r = 3 * r + mine[0]; }",
                ],
            ),
            1 => (
                "deep",
                [
                    "{ int[] inner = { r }; Object[] outer = { inner }; deep = outer; r = 3 * r + ++inner[0]; }",
                    "{ int[] inner = { r }; deep = new Object[] { inner }; inner[0]++; r = 3 * r + inner[0]; }",
                    "{ Object[] outer = deep; if (outer != null) r = 3 * r + ++((int[]) outer[0])[0]; }",
                    "{ Object[] outer = deep; if (outer != null) ((int[]) outer[0])[0] = 7; }",
                ],
            ),
            2 => (
                "p",
                [
                    "{ Sub made = new Sub(); made.f = NUMBER; p = made; }",
                    "p = new Base();",
                    "{ Base mine = p; if (mine != null) r += mine.get() + mine.f; }",
                    "{ Sub made = new Sub(); p = made; made.f++; r = 3 * r + made.f + made.get(); }",
                ],
            ),
            3 => (
                "array",
                [
                    "{ int[] copy = array.clone(); r = 3 * r + copy[0] + 10 * copy[1]; }",
                    "System.arraycopy(array, 0, array, 1, 1);",
                    "array[0] = NUMBER; array[1] = r + NUMBER;",
                    "array[1] = NUMBER; array[0]++;",
                ],
            ),
            _ => return self.captured(),
        };
        self.uses(word);
        let line = self.pick(&lines).replace("NUMBER", &number.to_string());
        self.line(&line);
    }

    /// What a new thread refers to is known to it from its start on.
    fn captured(&mut self) {
        self.nested("{", "}", |writer| {
            writer.line("int[] own = { r };");
            writer.line("new Thread(() -> { int seen = own[0]; own[0] = seen + 1; }).start();");
            writer.line("own[0]++;");
            writer.line("r = 3 * r + own[0];");
        });
    }

    fn exceptions(&mut self) {
        let variable = self.variable();
        let number = self.random.below(2);
        self.nested("try {", "} catch (RuntimeException e) {", |writer| {
            writer.synchronized(|writer, _| {
                writer.perhaps();
                writer.line(&format!(
                    "if ({variable} == {number}) throw new RuntimeException();"
                ));
                writer.simple();
            });
        });
        self.line("    r += 30;");
        self.line("}");
    }

    fn handles(&mut self) {
        let number = self.random.below(3) + 1;
        if self.random.below(2) == 0 {
            let a = self.uses("a");
            let line = match self.random.below(4) {
                0 => format!("r = 3 * r + {a}.getAndAdd({number});"),
                1 => format!("if ({a}.compareAndSet({}, {number})) r += 5;", number - 1),
                2 => format!("{a}.set({number});"),
                _ => format!("r = 3 * r + {a}.get();"),
            };
            return self.line(&line);
        }
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
        let line = match self.random.below(4) {
            0 => format!("r = 3 * r + (int) {handle}.{get}();"),
            1 => format!("{handle}.{set}({number});"),
            2 => format!("r = 3 * r + (int) {handle}.{update}({number});"),
            _ => format!("if ({handle}.{compare}({}, {number})) r += 5;", number - 1),
        };
        self.line(&line);
    }

    fn clock(&mut self) {
        match self.random.below(5) {
            0 => self.uninterrupted("Thread.sleep(1);"),
            1 => self.synchronized(|writer, monitor| {
                writer.uninterrupted(&format!("{monitor}.wait(2);"));
            }),
            2 => self.line("LockSupport.parkNanos(3_000_000);"),
            3 => {
                self.uses("begin");
                let moment = self.random.below(4);
                self.line(&format!(
                    "if (System.currentTimeMillis() - begin > {moment}) r = 3 * r + 1;"
                ));
            }
            _ => self.simple(),
        }
    }
}
