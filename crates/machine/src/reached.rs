//! What executions came to: noted as steps are made, by every search alike.
//!
//! Whatever a search does, it makes steps from states that can be reached. So what is noted here did
//! happen; and what was never noted happens in no execution, if the search was complete and skips only
//! interleavings that make no difference to what a single thread executes. Every reduction that
//! preserves faults is of that kind, because `unreachable;` may stand anywhere.
//!
//! How assumptions and alternatives ended is always noted, which costs next to nothing, because they
//! are rare. Counts of everything are kept on request only.

use crate::evaluate::Watch;
use crate::ir::{Instruction, Program};
use raddle_model::{Letter, Object, Operation};
use std::sync::atomic::{AtomicU64, Ordering};

/// What executions of a program came to.
#[derive(Debug)]
pub struct Reached {
    /// For each instruction, where its ways on begin in `ways`; and where the last ends.
    first_way: Box<[u32]>,
    /// How often each of them was taken. Unless everything is counted, one stands for any number.
    ways: Box<[AtomicU64]>,
    /// For each instruction, how often it was executed. Empty unless everything is counted.
    executed: Box<[AtomicU64]>,
    /// For each instruction, how often a step ended before it.
    stood: Box<[AtomicU64]>,
    /// For each thread of the beginning, how often it ended; then for each declaration, how often
    /// others of its threads did.
    ended: Box<[AtomicU64]>,
    /// For each temporal property, which of its atoms were true in some state.
    atoms: Box<[AtomicU64]>,
    initial_threads: usize,
}

/// An assumption that is false, or a branch that jumps.
pub const NO: usize = 0;
/// An assumption that is true, or a branch that goes on at the next instruction.
pub const YES: usize = 1;

impl Reached {
    pub(crate) fn new(program: &Program) -> Reached {
        let mut first_way = vec![0];
        let mut end = 0;
        for instruction in &program.code {
            end += match instruction {
                Instruction::Assume(_) | Instruction::Branch(..) => 2,
                Instruction::Select(arms) => arms.len() as u32,
                _ => 0,
            };
            first_way.push(end);
        }
        Reached {
            first_way: first_way.into(),
            ways: counters(end as usize),
            executed: Box::default(),
            stood: Box::default(),
            ended: Box::default(),
            atoms: counters(program.temporal.len()),
            initial_threads: program.initial_threads.len(),
        }
    }

    /// Counts everything from now on.
    pub(crate) fn count_all(&mut self, program: &Program) {
        self.executed = counters(program.code.len());
        self.stood = counters(program.code.len());
        self.ended = counters(self.initial_threads + program.declarations.len());
    }

    /// Whether everything is counted.
    #[inline]
    pub fn counts_all(&self) -> bool {
        !self.executed.is_empty()
    }

    /// How often an assumption, a branch or a choice went on in one of its ways: [`NO`] or [`YES`],
    /// or the number of an alternative.
    pub fn way(&self, pc: u32, way: usize) -> u64 {
        read(&self.ways, self.first_way[pc as usize] as usize + way)
    }

    /// How often an instruction was executed.
    pub fn executed(&self, pc: u32) -> u64 {
        read(&self.executed, pc as usize)
    }

    /// How often a step ended with its thread before an instruction.
    pub fn stood(&self, pc: u32) -> u64 {
        read(&self.stood, pc as usize)
    }

    /// How often a thread ended that was there in the beginning.
    pub fn ended(&self, thread: usize) -> u64 {
        read(&self.ended, thread)
    }

    /// How often threads of a declaration ended that were started later.
    pub fn ended_later(&self, declaration: usize) -> u64 {
        read(&self.ended, self.initial_threads + declaration)
    }

    /// Whether an atom of a temporal property, by its number, was true in some state.
    pub fn was_true(&self, property: usize, atom: usize) -> bool {
        read(&self.atoms, property) >> atom & 1 == 1
    }

    /// Notes which atoms of a temporal property are true in a state.
    #[inline]
    pub(crate) fn note(&self, property: usize, letter: Letter) {
        let known = &self.atoms[property];
        let before = known.load(Ordering::Relaxed);
        if before | letter != before {
            known.fetch_or(letter, Ordering::Relaxed);
        }
    }

    fn way_at(&self, pc: u32, way: usize) -> &AtomicU64 {
        &self.ways[self.first_way[pc as usize] as usize + way]
    }
}

impl Clone for Reached {
    fn clone(&self) -> Self {
        let copy = |from: &[AtomicU64]| {
            let values = from.iter().map(|it| it.load(Ordering::Relaxed));
            values.map(AtomicU64::new).collect()
        };
        Reached {
            first_way: self.first_way.clone(),
            ways: copy(&self.ways),
            executed: copy(&self.executed),
            stood: copy(&self.stood),
            ended: copy(&self.ended),
            atoms: copy(&self.atoms),
            initial_threads: self.initial_threads,
        }
    }
}

fn counters(count: usize) -> Box<[AtomicU64]> {
    (0..count).map(|_| AtomicU64::new(0)).collect()
}

fn read(counters: &[AtomicU64], index: usize) -> u64 {
    let counter = counters.get(index);
    counter.map_or(0, |counter| counter.load(Ordering::Relaxed))
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// Notes how assumptions and alternatives ended, and nothing else.
pub(crate) struct Marks<'a>(pub(crate) &'a Reached);

impl Watch for Marks<'_> {
    #[inline(always)]
    fn access(&mut self, _: Object, _: Operation, _: Option<i32>) {}

    #[inline]
    fn decided(&mut self, pc: u32, way: usize) {
        // Workers that only read do not take the memory from each other.
        let mark = self.0.way_at(pc, way);
        if mark.load(Ordering::Relaxed) == 0 {
            mark.store(1, Ordering::Relaxed);
        }
    }
}

/// Counts everything.
pub(crate) struct Counts<'a> {
    pub(crate) reached: &'a Reached,
    /// The declaration of the thread that moves.
    pub(crate) declaration: usize,
}

impl Watch for Counts<'_> {
    fn instruction(&mut self, pc: u32) {
        count(&self.reached.executed[pc as usize]);
    }

    fn access(&mut self, object: Object, operation: Operation, _: Option<i32>) {
        if operation == Operation::Finish {
            let thread = object.index as usize;
            let number = match thread < self.reached.initial_threads {
                true => thread,
                false => self.reached.initial_threads + self.declaration,
            };
            count(&self.reached.ended[number]);
        }
    }

    fn branched(&mut self, pc: u32, way: usize) {
        count(self.reached.way_at(pc, way));
    }

    fn decided(&mut self, pc: u32, way: usize) {
        count(self.reached.way_at(pc, way));
    }

    fn stands(&mut self, pc: u32) {
        count(&self.reached.stood[pc as usize]);
    }
}
