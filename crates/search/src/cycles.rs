//! Whether executions can go on for ever.
//!
//! A finite state graph has an endless execution if and only if it has a cycle. Searches for
//! violations of safety properties do not look for one; a depth-first search of its own does, in
//! small graphs.

use crate::{Monitor, Progress};
use foldhash::fast::FixedState;
use raddle_model::{Move, Status, System, Thread};
use std::collections::HashMap;
use std::rc::Rc;

/// What is known of the executions of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endless<T> {
    /// All of them end.
    Never,
    /// Some go round in a circle; what was asked of the state from which a step leads back, and
    /// of the thread that makes it.
    Found(T),
    /// There are too many states.
    Unknown,
}

/// Looks for an execution that comes back to a state of its own, within so many steps. `describe`
/// is asked of each, until it has something to say: a step that does not matter is passed over.
pub fn endless<S: System, T>(
    system: &S,
    most: u64,
    monitor: &mut dyn Monitor,
    mut describe: impl FnMut(&S::State, Thread) -> Option<T>,
) -> Endless<T> {
    let Ok(initial) = system.initial() else {
        return Endless::Never;
    };
    let mut path = Path::new(system);
    path.visit(initial);
    let mut progress = Progress::default();
    while let Some(level) = path.levels.last_mut() {
        let Some(step) = level.moves.pop() else {
            path.leave();
            continue;
        };
        progress.transitions += 1;
        if progress.transitions > most || monitor.tick(&progress).is_some() {
            return Endless::Unknown;
        }
        let mut next = level.state.clone();
        // Where a step fails, an execution ends.
        if system.step(&mut next, step.thread, step.choice).is_ok() && path.visit(next) {
            let last = path.levels.last();
            if let Some(found) = last.and_then(|it| describe(&it.state, step.thread)) {
                return Endless::Found(found);
            }
        }
    }
    Endless::Never
}

/// The states from the initial one to the one at hand, and which ones were met.
struct Path<'a, S: System> {
    system: &'a S,
    levels: Vec<Level<S::State>>,
    /// Whether a state that was met is on the path.
    met: HashMap<Rc<[u32]>, bool, FixedState>,
    scratch: Vec<u32>,
}

struct Level<S> {
    state: S,
    words: Rc<[u32]>,
    moves: Vec<Move>,
}

impl<'a, S: System> Path<'a, S> {
    fn new(system: &'a S) -> Self {
        Path {
            system,
            levels: Vec::new(),
            met: HashMap::default(),
            scratch: Vec::new(),
        }
    }

    /// Goes on to a state if it is new; tells whether it is on the path already.
    fn visit(&mut self, state: S::State) -> bool {
        let words = self.system.encode(&state, &mut self.scratch);
        if let Some(&is_on_path) = self.met.get(words) {
            return is_on_path;
        }
        let words: Rc<[u32]> = Rc::from(words);
        self.met.insert(Rc::clone(&words), true);
        let threads = (0..self.system.threads(&state) as u32).map(Thread);
        let moves = threads.flat_map(|thread| {
            let choices = match self.system.status(&state, thread) {
                Status::Ready { choices } => choices,
                Status::Blocked | Status::Done => 0,
            };
            (0..choices).map(move |choice| Move { thread, choice })
        });
        let moves = moves.collect();
        self.levels.push(Level {
            state,
            words,
            moves,
        });
        false
    }

    fn leave(&mut self) {
        if let Some(level) = self.levels.pop() {
            self.met.insert(level.words, false);
        }
    }
}
