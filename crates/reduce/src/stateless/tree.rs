//! What is still to be tried of a tree of executions: paths, with the plans of their states. It
//! is what workers give each other, and what is written down of a search that goes on later.

use super::plan::{Plan, Threads};
use raddle_model::{Move, Schedule, Thread};
use raddle_search::{Pool, Reader, Remainder, Turns, Writer, wrong};
use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What is still to be explored, for all workers.
pub(super) struct Tree {
    pub(super) branches: Pool<Branch>,
    /// The memory of all paths.
    bytes: AtomicU64,
}

/// A path, with threads that are to be tried in some of its states.
pub(super) struct Branch {
    pub(super) schedule: Schedule,
    /// From which of its states on somebody is to be tried.
    pub(super) base: usize,
    /// All of its states; none if nobody has looked at the initial one yet.
    pub(super) stages: Vec<Stage>,
}

/// A state of a path, as far as others have to know it.
pub(super) struct Stage {
    pub(super) plan: Arc<Mutex<Plan>>,
    /// The hash of its form.
    pub(super) hash: u64,
    /// The next choice of the thread that is being tried, if there is one, and who sleeps
    /// meanwhile.
    pub(super) trying: Option<(Move, Threads)>,
}

impl Tree {
    /// A tree of which nothing was explored.
    pub(super) fn new() -> Tree {
        let branches = Pool::new(Turns::First);
        branches.give(Branch {
            schedule: Schedule::new(),
            base: 0,
            stages: Vec::new(),
        });
        Tree {
            branches,
            bytes: AtomicU64::new(0),
        }
    }

    /// Changes what is known of the memory of all paths; returns it.
    pub(super) fn account(&self, change: u64) -> u64 {
        let before = self.bytes.fetch_add(change, Ordering::Relaxed);
        before.wrapping_add(change)
    }
}

impl Branch {
    /// Whether there is something to be tried.
    pub(super) fn is_open(&self) -> bool {
        let open = self.stages.iter().skip(self.base).any(Stage::is_open);
        open || self.stages.is_empty()
    }
}

impl Stage {
    fn is_open(&self) -> bool {
        self.trying.is_some() || lock(&self.plan).open() > 0
    }
}

impl Remainder for Tree {
    fn resume(&self) {
        self.branches.resume();
    }

    fn write(&self, out: &mut Writer<'_>) -> io::Result<()> {
        self.branches.look(|now, _| write(now, out))
    }

    fn read(&self, input: &mut Reader<'_>) -> io::Result<()> {
        let branches = read(input)?;
        self.branches.look(|now, _| *now = branches);
        Ok(())
    }
}

/// Writes the plans, each once, and then the branches that share them.
fn write(branches: &VecDeque<Branch>, out: &mut Writer<'_>) -> io::Result<()> {
    let mut plans: Vec<&Arc<Mutex<Plan>>> = Vec::new();
    let mut numbers = std::collections::HashMap::new();
    for stage in branches.iter().flat_map(|it| &it.stages) {
        numbers.entry(Arc::as_ptr(&stage.plan)).or_insert_with(|| {
            plans.push(&stage.plan);
            plans.len() as u64 - 1
        });
    }
    out.number(plans.len() as u64)?;
    for plan in plans {
        for threads in lock(plan).sets() {
            write_threads(threads, out)?;
        }
    }
    out.number(branches.len() as u64)?;
    for branch in branches {
        out.number(branch.base as u64)?;
        out.number(branch.schedule.len() as u64)?;
        for &step in &branch.schedule {
            write_move(step, out)?;
        }
        out.number(branch.stages.len() as u64)?;
        for stage in &branch.stages {
            out.number(numbers[&Arc::as_ptr(&stage.plan)])?;
            out.number(stage.hash)?;
            out.number(stage.trying.is_some().into())?;
            if let Some((step, asleep)) = &stage.trying {
                write_move(*step, out)?;
                write_threads(asleep, out)?;
            }
        }
    }
    Ok(())
}

fn read(input: &mut Reader<'_>) -> io::Result<VecDeque<Branch>> {
    let plans: usize = input.small()?;
    let plans = (0..plans)
        .map(|_| {
            let mut plan = Plan::default();
            for threads in plan.sets_mut() {
                *threads = read_threads(input)?;
            }
            Ok(Arc::new(Mutex::new(plan)))
        })
        .collect::<io::Result<Vec<_>>>()?;
    let branches: usize = input.small()?;
    (0..branches).map(|_| read_branch(&plans, input)).collect()
}

fn read_branch(plans: &[Arc<Mutex<Plan>>], input: &mut Reader<'_>) -> io::Result<Branch> {
    let base = input.small()?;
    let steps: usize = input.small()?;
    let schedule = (0..steps)
        .map(|_| read_move(input))
        .collect::<io::Result<_>>()?;
    let stages: usize = input.small()?;
    let stages = (0..stages).map(|_| {
        let plan = plans.get(input.small::<usize>()?);
        Ok(Stage {
            plan: Arc::clone(plan.ok_or_else(|| wrong("a plan is missing"))?),
            hash: input.number()?,
            trying: match input.number()? {
                0 => None,
                _ => Some((read_move(input)?, read_threads(input)?)),
            },
        })
    });
    let branch = Branch {
        base,
        schedule,
        stages: stages.collect::<io::Result<_>>()?,
    };
    match branch.stages.len() == branch.schedule.len() + 1 || branch.stages.is_empty() {
        true => Ok(branch),
        false => Err(wrong("a path has not as many states as steps")),
    }
}

fn write_move(step: Move, out: &mut Writer<'_>) -> io::Result<()> {
    out.number(step.thread.index() as u64)?;
    out.number(step.choice.into())
}

fn read_move(input: &mut Reader<'_>) -> io::Result<Move> {
    Ok(Move {
        thread: Thread(input.small()?),
        choice: input.small()?,
    })
}

fn write_threads(threads: &Threads, out: &mut Writer<'_>) -> io::Result<()> {
    let words = threads.words();
    out.numbers(words.len(), words.iter().copied())
}

fn read_threads(input: &mut Reader<'_>) -> io::Result<Threads> {
    let mut words = Vec::new();
    input.numbers(|word| words.push(word))?;
    Ok(Threads::from_words(words))
}

fn lock(plan: &Mutex<Plan>) -> std::sync::MutexGuard<'_, Plan> {
    plan.lock().unwrap_or_else(PoisonError::into_inner)
}
