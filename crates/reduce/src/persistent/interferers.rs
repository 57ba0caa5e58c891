//! Which threads may still do something that depends on what a step does.
//!
//! A set is closed once for each thread that can move, and each closure asks for the steps of its members. In a
//! state the answer depends on the operation and on the region of its object alone, of which there are few. So
//! each pair is answered once, with all threads as a set of bits, and the rest is the union of such sets:
//! without that, states with a hundred threads take a million questions.

use super::Outlook;
use raddle_model::{Footprint, Future, Operation, Region, Status, Thread};
use std::collections::HashMap;

/// A set of threads.
#[derive(Debug, Default)]
pub(super) struct Set {
    words: Vec<u64>,
}

/// For each operation that was asked for, who may interfere with it.
#[derive(Debug, Default)]
pub(super) struct Interferers {
    known: HashMap<(Region, Operation), Set, foldhash::fast::FixedState>,
    /// Threads of which nothing is known: they may interfere with everything.
    always: Set,
    /// What was asked for last.
    union: Set,
}

impl Interferers {
    /// The state is another one.
    pub(super) fn forget(&mut self, threads: &[Outlook]) {
        self.known.clear();
        self.always.clear(threads.len());
        for (thread, outlook) in (0..).map(Thread).zip(threads) {
            if outlook.status != Status::Done && outlook.future.is_none() {
                self.always.insert(thread);
            }
        }
    }

    /// Who may interfere with a step.
    pub(super) fn of(&mut self, threads: &[Outlook], footprint: &Footprint) -> &Set {
        self.union.words.clone_from(&self.always.words);
        for access in footprint.accesses() {
            let key = (access.object.region, access.operation);
            let some = self
                .known
                .entry(key)
                .or_insert_with(|| interfering(threads, key));
            for (word, more) in self.union.words.iter_mut().zip(&some.words) {
                *word |= more;
            }
        }
        &self.union
    }
}

/// The threads whose futures have an operation that depends on this one.
fn interfering(threads: &[Outlook], (region, operation): (Region, Operation)) -> Set {
    let mut set = Set::default();
    set.clear(threads.len());
    for (thread, outlook) in (0..).map(Thread).zip(threads) {
        let future = outlook.future.as_ref();
        let depends = |it: &Future| it.interferes(region, operation);
        if outlook.status != Status::Done && future.is_some_and(depends) {
            set.insert(thread);
        }
    }
    set
}

impl Set {
    /// Makes the set empty, with room for so many threads.
    pub(super) fn clear(&mut self, threads: usize) {
        self.words.clear();
        self.words.resize(threads.div_ceil(64), 0);
    }

    /// Adds a thread; says whether it was not there.
    pub(super) fn insert(&mut self, thread: Thread) -> bool {
        let word = &mut self.words[thread.index() / 64];
        let bit = 1 << (thread.index() % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Adds a set; those who were not there are pushed to `added`, in their order.
    pub(super) fn unite(&mut self, other: &Set, added: &mut Vec<Thread>) {
        for (index, (word, more)) in self.words.iter_mut().zip(&other.words).enumerate() {
            let mut new = more & !*word;
            *word |= more;
            while new != 0 {
                added.push(Thread(index as u32 * 64 + new.trailing_zeros()));
                new &= new - 1;
            }
        }
    }
}
