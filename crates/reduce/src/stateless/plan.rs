//! Which threads are tried in the states of a tree of executions, by one worker or several.
//!
//! The tree is divided among workers where they wait for something to do. Whoever gives
//! something away shares the *plans* of the states on the way there: who is to be tried, who was
//! claimed by somebody to be tried, who sleeps. A plan changes under a lock, so that each thread is claimed
//! once, and all that is claimed in a state has an order.
//!
//! **Why several workers find what one finds**. That who sleeps is left out is justified by the
//! order in which the threads of a state are claimed, and by nothing else about time: a thread
//! that was claimed before, and is independent of the steps since, would lead to an execution that is
//! equivalent to one below that claim. Whether somebody has explored the latter already does not matter,
//! as long as somebody will. With `sleep` everybody is to be tried from the start, so that each
//! plan, and with it the tree, is what it is for one worker. With `dpor` a worker may find a race
//! with a step on the way to its branch. It adds what the race asks for to the plan there, which all
//! who share it see, and if nobody is bound to come back to that state, a branch is given for it.
//! When the work is over, every race that was seen in the tree has been answered in the plan of
//! the state before its first step, and everybody in a plan was tried: the argument in `dpor.rs`
//! asks for that, state by state from the leaves of the tree up, and not for the
//! moment at which a thread came into the plan. With persistent sets a
//! thread puts others to sleep only after it has made its step, because a step that leads nowhere
//! must not.

use raddle_model::Thread;
use smallvec::SmallVec;
use std::sync::{Arc, Mutex, PoisonError};

/// Who is tried in a state.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// The threads that slept when the state was reached.
    pub(super) asleep: Threads,
    /// The threads that are to be tried.
    pub(super) chosen: Threads,
    /// Those of them that were claimed to be tried.
    pub(super) claimed: Threads,
    /// The threads that have made their steps, with all their choices.
    pub(super) moved: Threads,
    /// The threads of whose steps one led nowhere.
    pub(super) lost: Threads,
}

impl Plan {
    /// How many threads are to be tried and were not claimed.
    pub(super) fn open(&self) -> usize {
        self.awaited().count()
    }

    /// All there is in it.
    pub(super) fn sets(&self) -> [&Threads; 5] {
        let Plan {
            asleep,
            chosen,
            claimed,
            moved,
            lost,
        } = self;
        [asleep, chosen, claimed, moved, lost]
    }

    pub(super) fn sets_mut(&mut self) -> [&mut Threads; 5] {
        let Plan {
            asleep,
            chosen,
            claimed,
            moved,
            lost,
        } = self;
        [asleep, chosen, claimed, moved, lost]
    }

    /// The threads that are to be tried and were not claimed.
    fn awaited(&self) -> impl Iterator<Item = Thread> {
        let rests =
            |&thread: &Thread| !self.claimed.contains(thread) && !self.asleep.contains(thread);
        self.chosen.iter().filter(rests)
    }

    /// The next thread to be tried, and who sleeps while it is. If what leads nowhere must not
    /// put others to sleep (`only_moved`), those do who are known to lead somewhere.
    pub(super) fn claim(&mut self, only_moved: bool) -> Option<(Thread, Threads)> {
        let thread = self.awaited().next()?;
        let mut asleep = self.asleep.clone();
        let shown =
            |it: &Thread| !only_moved || self.moved.contains(*it) && !self.lost.contains(*it);
        self.claimed
            .iter()
            .filter(shown)
            .for_each(|it| asleep.insert(it));
        self.claimed.insert(thread);
        Some((thread, asleep))
    }

    pub(super) fn is_tried(&self, thread: Thread) -> bool {
        self.chosen.contains(thread) || self.asleep.contains(thread)
    }
}

/// A plan that belongs to one worker, or to several.
pub(super) enum Plans {
    Own(Plan),
    Shared(Arc<Mutex<Plan>>),
}

impl Default for Plans {
    fn default() -> Plans {
        Plans::Own(Plan::default())
    }
}

impl Plans {
    pub(super) fn with<T>(&mut self, change: impl FnOnce(&mut Plan) -> T) -> T {
        match self {
            Plans::Own(plan) => change(plan),
            Plans::Shared(plan) => change(&mut plan.lock().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    /// How many threads are to be tried and were not claimed.
    pub(super) fn open(&mut self) -> usize {
        self.with(|plan| plan.open())
    }

    /// Shares it with other workers.
    pub(super) fn share(&mut self) -> Arc<Mutex<Plan>> {
        let plan = match self {
            Plans::Own(plan) => Arc::new(Mutex::new(std::mem::take(plan))),
            Plans::Shared(plan) => Arc::clone(plan),
        };
        *self = Plans::Shared(Arc::clone(&plan));
        plan
    }
}

/// A set of threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Threads(SmallVec<[u64; 1]>);

impl Threads {
    pub(super) fn insert(&mut self, thread: Thread) {
        let word = thread.index() / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (thread.index() % 64);
    }

    pub(super) fn contains(&self, thread: Thread) -> bool {
        let word = self.0.get(thread.index() / 64);
        word.is_some_and(|word| word >> (thread.index() % 64) & 1 == 1)
    }

    pub(super) fn words(&self) -> &[u64] {
        &self.0
    }

    pub(super) fn from_words(words: Vec<u64>) -> Threads {
        Threads(SmallVec::from_vec(words))
    }

    /// The members in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Thread> {
        self.0.iter().zip(0..).flat_map(|(&word, index)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let lowest = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(Thread(64 * index + lowest))
            })
        })
    }
}
