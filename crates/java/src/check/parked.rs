//! What a thread waits for that the library has parked: a lock, a permit, a signal, a task, the result of
//! one. A parked thread says for what it parks, and its calls say the rest.

use raddle_jvm::heap::Ref;
use raddle_jvm::thread::Thread;
use raddle_model::{Obstacle, Thread as Number};

use super::Java;
use super::names::Names;
use super::obstacles::waits;

/// So many futures that follow from each other are looked at.
const LONGEST: usize = 16;

const CONCURRENT: &str = "java/util/concurrent/";
const SYNCHRONIZER: &str = "java/util/concurrent/locks/AbstractQueuedSynchronizer";

impl Java {
    /// See the module's documentation.
    pub(super) fn parked(&self, names: &Names<'_>, thread: &Thread) -> Obstacle {
        let blocker = names.part(thread.object, "parkBlocker");
        let of = |wanted: &str| {
            self.awaited(thread, |class, _| class == format!("{CONCURRENT}{wanted}"))
        };
        if let Some(pool) = self.idle_in(thread) {
            return Obstacle {
                is_idle: true,
                ..waits(format!("waits for a task{}", self.of_pool(names, pool)))
            };
        }
        if let Some((task, _)) = of("FutureTask") {
            return self.awaits_task(names, thread, task);
        }
        if let Some((future, _)) = of("CompletableFuture") {
            return self.awaits_future(names, thread, future);
        }
        if let Some((barrier, _)) = of("CyclicBarrier") {
            return waits(awaits_barrier(names, barrier));
        }
        if let Some((phaser, _)) = of("Phaser") {
            return waits(awaits_phase(names, phaser));
        }
        if let Some((lock, call)) = of("locks/StampedLock") {
            let kind = match call.to_lowercase().contains("write") {
                true => "write",
                false => "read",
            };
            return waits(format!(
                "waits for the {kind} lock of {}",
                names.name_of(lock)
            ));
        }
        if let Some((pool, _)) = self.awaited(thread, |class, name| {
            class.ends_with("/ThreadPoolExecutor") && name == "awaitTermination"
        }) {
            return waits(format!("waits for the end of {}", names.name_of(pool)));
        }
        let condition = self.awaited(thread, |class, _| class.ends_with("$ConditionObject"));
        if let Some((condition, _)) = condition {
            return waits(self.awaits_signal(names, thread, condition));
        }
        match blocker {
            Some(blocker) => self.awaits_lock(names, thread, blocker),
            None => waits(format!("is parked{}", self.inside_call(thread))),
        }
    }

    fn inside_call(&self, thread: &Thread) -> String {
        let inside = self.inside(&thread.frames);
        inside.map_or(String::new(), |inside| format!(" in {inside}"))
    }

    /// The pool of which a thread is a worker without a task.
    fn idle_in(&self, thread: &Thread) -> Option<Ref> {
        let found = self.receiver(thread, |class, name| {
            class.ends_with("/ThreadPoolExecutor") && name == "getTask"
                || class.ends_with("/ForkJoinPool") && name == "awaitWork"
        });
        found.map(|(pool, _)| pool)
    }

    fn of_pool(&self, names: &Names<'_>, pool: Ref) -> String {
        match names.has_field(pool) {
            true => format!(" of {}", names.name_of(pool)),
            false => String::new(),
        }
    }

    /// The threads that work for a pool.
    fn workers(&self, names: &Names<'_>, pool: Ref) -> Vec<Number> {
        let is_worker = |thread: &&Thread| {
            let works = |class: &str, name: &str| {
                class.ends_with("/ThreadPoolExecutor") && name == "runWorker"
            };
            self.receiver(thread, works)
                .is_some_and(|(its, _)| its == pool)
        };
        let workers = self.program_threads(names.state).filter(is_worker);
        workers.map(|worker| self.number(worker.id)).collect()
    }

    /// Somebody waits for what a task gives.
    fn awaits_task(&self, names: &Names<'_>, thread: &Thread, task: Ref) -> Obstacle {
        let name = self.name_of_future(names, thread, task);
        let what = format!("waits for the result of {name}");
        let runner = names.part(task, "runner");
        let runner = runner.and_then(|runner| self.thread_of(names.state, runner));
        match runner {
            Some(runner) => self.computed_by(names, thread, &what, runner),
            None => self.queued(names, thread, &what, task),
        }
    }

    fn computed_by(
        &self,
        names: &Names<'_>,
        thread: &Thread,
        what: &str,
        runner: Number,
    ) -> Obstacle {
        let by = match runner == self.number(thread.id) {
            true => "it computes itself".to_owned(),
            false => format!("{} computes", self.name_of_thread(names.state, runner)),
        };
        Obstacle {
            what: format!("{what}, which {by}"),
            holder: Some(runner),
            ..Obstacle::default()
        }
    }

    /// The task for something is not begun: it may stand in the queue of a pool, behind its workers.
    fn queued(&self, names: &Names<'_>, thread: &Thread, what: &str, task: Ref) -> Obstacle {
        let pools = self.program_threads(names.state).filter_map(|worker| {
            let works = |class: &str, name: &str| {
                class.ends_with("/ThreadPoolExecutor") && name == "runWorker"
            };
            self.receiver(worker, works).map(|(pool, _)| pool)
        });
        let mut pools = pools.filter(|&pool| {
            let queue = names.part(pool, "workQueue");
            queue.is_some_and(|queue| names.has_element(queue, task))
        });
        let Some(pool) = pools.next() else {
            return waits(what.to_owned());
        };
        let me = self.number(thread.id);
        let workers = self.workers(names, pool);
        let of_pool = self.of_pool(names, pool);
        if let &[only] = workers.as_slice() {
            let worker = match only == me {
                true => "this thread".to_owned(),
                false => self.name_of_thread(names.state, only),
            };
            return Obstacle {
                what: format!(
                    "{what}, whose task is queued behind {worker}, the only worker{of_pool}"
                ),
                holder: Some(only),
                ..Obstacle::default()
            };
        }
        let workers = workers.iter().map(|&worker| match worker == me {
            true => "this thread".to_owned(),
            false => self.name_of_thread(names.state, worker),
        });
        let workers = workers.collect::<Vec<_>>().join(", ");
        waits(format!(
            "{what}, whose task is queued behind the workers{of_pool}: {workers}"
        ))
    }

    /// Somebody waits until a future is completed, which may follow from others.
    fn awaits_future(&self, names: &Names<'_>, thread: &Thread, future: Ref) -> Obstacle {
        let name = |future| self.name_of_future(names, thread, future);
        let mut what = format!("waits until {} is completed", name(future));
        let mut last = future;
        for _ in 0..LONGEST {
            let mut completions = names.referrers(last);
            let source = completions.find_map(|it| {
                let is_its = names.part(it, "dep") == Some(last);
                names.part(it, "src").filter(|_| is_its)
            });
            let Some(source) = source else { break };
            what.push_str(&format!(", which follows from {}", name(source)));
            last = source;
        }
        let mut tasks = names.referrers(last);
        let task = tasks.find(|&it| {
            let class = names.library_class(it).unwrap_or_default();
            class.contains("CompletableFuture$Async") && names.part(it, "dep") == Some(last)
        });
        let Some(task) = task else {
            return waits(what);
        };
        let runs = |class: &str, _: &str| class.contains("CompletableFuture$Async");
        let mut threads = self.program_threads(names.state);
        let runner = threads.find(|it| self.receiver(it, runs).is_some_and(|(its, _)| its == task));
        match runner {
            Some(runner) => self.computed_by(names, thread, &what, self.number(runner.id)),
            None => self.queued(names, thread, &what, task),
        }
    }

    /// Somebody waits for a signal, maybe as a queue does that is empty or full.
    fn awaits_signal(&self, names: &Names<'_>, thread: &Thread, condition: Ref) -> String {
        let queue = self.awaited(thread, |class, _| {
            class.starts_with(CONCURRENT) && (class.ends_with("Queue") || class.ends_with("Deque"))
        });
        let Some((queue, call)) = queue else {
            return format!("waits for a signal on {}", names.name_of(condition));
        };
        let wants_room = ["put", "offer", "add", "transfer"];
        let until = match wants_room.iter().any(|it| call.starts_with(it)) {
            true => "has room",
            false => "has an element",
        };
        let contents = names.contents(queue).unwrap_or_default();
        format!(
            "waits until {} {until} (now {contents})",
            names.name_of(queue)
        )
    }

    /// Somebody waits for one of the library's locks, or what is like one.
    fn awaits_lock(&self, names: &Names<'_>, thread: &Thread, blocker: Ref) -> Obstacle {
        let state = names.state;
        let class = names.library_class(blocker).unwrap_or_default();
        let name = names.name_of(blocker);
        let count = names.word(blocker, "state").unwrap_or(0) as i32;
        let plain = class.strip_prefix(CONCURRENT).unwrap_or(class);
        let owner = names.part(blocker, "exclusiveOwnerThread");
        let owner = owner.and_then(|owner| self.thread_of(state, owner));
        match plain.split_once('$').map_or(plain, |(outer, _)| outer) {
            "Semaphore" => {
                let left = match count {
                    0 => "none is left".to_owned(),
                    1 => "1 is left".to_owned(),
                    count => format!("{count} are left"),
                };
                Obstacle {
                    what: format!("waits for a permit of {name}: {left}"),
                    lock: Some(name),
                    ..Obstacle::default()
                }
            }
            "CountDownLatch" => waits(format!(
                "waits until {name} is counted down to 0 (now {count})"
            )),
            "locks/ReentrantReadWriteLock" => self.awaits_read_write(names, thread, blocker, owner),
            _ if owner.is_some() || self.is_synchronizer(names, blocker) => {
                self.held_by(state, format!("waits for {name}"), name, owner)
            }
            "SynchronousQueue" | "LinkedTransferQueue" | "Exchanger" => waits(format!(
                "waits{} for another thread that comes to {name}",
                self.inside_call(thread)
            )),
            _ => {
                let inside = self.inside_call(thread);
                self.held_by(
                    state,
                    format!("is parked{inside}, waiting for {name}"),
                    name,
                    owner,
                )
            }
        }
    }

    fn is_synchronizer(&self, names: &Names<'_>, object: Ref) -> bool {
        let program = &self.program;
        let class = names.state.heap.get(object).map(|found| found.class);
        class.is_some_and(|class| {
            let mut ancestors = program.class(class).ancestors.iter();
            ancestors.any(|&it| program.class_name(it) == SYNCHRONIZER)
        })
    }

    /// Somebody waits for a lock that many may read, or one may write.
    fn awaits_read_write(
        &self,
        names: &Names<'_>,
        thread: &Thread,
        sync: Ref,
        owner: Option<Number>,
    ) -> Obstacle {
        let state = names.state;
        let me = self.number(thread.id);
        let lock = names.name_of(sync);
        let write = names.lock_name(sync);
        let reads = self.awaited(thread, |class, _| {
            class.ends_with("ReentrantReadWriteLock$ReadLock")
        });
        if reads.is_some() {
            let what = format!("waits for the read lock of {lock}");
            // Whoever comes first in the queue is served first.
            let first = names
                .part(sync, "head")
                .and_then(|head| names.part(head, "next"));
            let first = first.and_then(|first| names.part(first, "waiter"));
            let first = first
                .and_then(|it| self.thread_of(state, it))
                .filter(|&it| it != me);
            return match (owner, first) {
                (None, Some(first)) => Obstacle {
                    what: format!(
                        "{what} behind {}, which waits for the write lock",
                        self.name_of_thread(state, first)
                    ),
                    holder: Some(first),
                    ..Obstacle::default()
                },
                _ => {
                    let held = self.held_by(state, what, write, owner);
                    Obstacle {
                        what: held
                            .what
                            .replace(", held by", ", whose write lock is held by"),
                        ..held
                    }
                }
            };
        }
        let readers = names.readers(sync);
        if owner.is_some() || readers.is_empty() {
            return self.held_by(state, format!("waits for {write}"), write, owner);
        }
        // A read lock cannot be made a write lock: who tries waits for itself.
        let others = readers.iter().filter(|&&it| it != me);
        let mut told: Vec<String> = others.map(|&it| self.name_of_thread(state, it)).collect();
        if readers.contains(&me) {
            told.push("itself".to_owned());
        }
        Obstacle {
            what: format!("waits for {write}, held for reading by {}", told.join(", ")),
            holder: match readers.contains(&me) {
                true => Some(me),
                false => readers.first().copied().filter(|_| readers.len() == 1),
            },
            ..Obstacle::default()
        }
    }
}

fn awaits_barrier(names: &Names<'_>, barrier: Ref) -> String {
    let number = |name| names.word(barrier, name).unwrap_or(0) as i32;
    let (parties, missing) = (number("parties"), number("count"));
    format!(
        "waits at {} for {missing} of {parties} parties that have not come",
        names.name_of(barrier)
    )
}

fn awaits_phase(names: &Names<'_>, phaser: Ref) -> String {
    // As `Phaser` packs it: the phase, the parties, and how many of them have not arrived.
    let state = names.word(phaser, "state").unwrap_or(0);
    let (phase, parties, missing) = (state >> 32, state >> 16 & 0xffff, state & 0xffff);
    format!(
        "waits for the end of phase {phase} of {}, in which {missing} of {parties} parties have not arrived",
        names.name_of(phaser)
    )
}
