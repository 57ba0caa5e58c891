//! Small programs to search: threads are lists of instructions over variables,
//! locks and semaphores.

#![allow(dead_code, missing_docs, unreachable_pub)]

use raddle_model::{
    Event, Fault, FaultKind, Footprint, Future, Futures, Halt, Invariants, Move, Narrate, Object,
    ObjectState, Operation, Permissions, Place, Region, States, Status, System, Temporal, Thread,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[derive(Clone, Copy, Debug)]
pub enum Op {
    Lock(u32),
    Unlock(u32),
    /// Gives a lock back and waits to be notified; two steps.
    Wait(u32),
    Notify(u32),
    Down(u32),
    Up(u32),
    Add(u32, u32),
    /// Adds any number from zero to one less than this.
    AddAny(u32, u32),
    Await(u32, u32),
    /// Fails unless the variable has the value.
    Assert(u32, u32),
    Assume(u32, u32),
    GiveUp,
    Join(u32),
    Goto(u32),
}

/// A program. Its state is one word per thread (its position), per variable, per
/// lock (its owner plus one), per semaphore, and per thread (one while it waits to
/// be notified).
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub threads: Vec<Vec<Op>>,
    pub variables: Vec<u32>,
    pub locks: u32,
    pub semaphores: Vec<u32>,
    pub daemons: Vec<u32>,
    /// Variable 0 must never have this value.
    pub never: Option<u32>,
    /// Whether states have garbage and a canonical form that is not their memory.
    pub garbage: bool,
    /// Whether nothing is known about what threads may still do.
    pub no_future: bool,
    /// The most garbage that a state ever had: one piece per step since the last
    /// time that the state was decoded.
    pub most_garbage: Arc<AtomicU32>,
}

#[derive(Debug)]
pub struct State {
    pub words: Vec<u32>,
    pub garbage: u32,
}

impl Clone for State {
    fn clone(&self) -> State {
        State {
            words: self.words.clone(),
            garbage: self.garbage,
        }
    }

    fn clone_from(&mut self, from: &State) {
        self.words.clone_from(&from.words);
        self.garbage = from.garbage;
    }
}

pub const LOCKS: u32 = 100;
pub const SEMAPHORES: u32 = 200;
pub const THREADS: Region = Region(300);

impl Program {
    /// Every state has a part that no other one has; and there are violations.
    pub fn unlike() -> Program {
        let threads = vec![
            vec![Op::AddAny(0, 250)],
            vec![Op::AddAny(1, 250)],
            vec![Op::Assert(0, 0), Op::Assert(1, 0)],
        ];
        Program {
            threads,
            variables: vec![0, 0],
            ..Program::default()
        }
    }

    /// `n` threads that each count to `k - 1` in a variable of their own: k^n
    /// states, n (k-1) k^(n-1) transitions.
    pub fn grid(n: u32, k: u32) -> Program {
        Program {
            threads: vec![vec![Op::Up(0); k as usize - 1]; n as usize],
            semaphores: vec![0],
            ..Program::default()
        }
    }

    /// Two threads that take two locks in opposite orders.
    pub fn crossed_locks() -> Program {
        use Op::*;
        Program {
            threads: vec![
                vec![Lock(0), Lock(1), Unlock(1), Unlock(0)],
                vec![Lock(1), Lock(0), Unlock(0), Unlock(1)],
            ],
            locks: 2,
            ..Program::default()
        }
    }

    fn variable(&self, v: u32) -> usize {
        self.threads.len() + v as usize
    }

    fn lock(&self, m: u32) -> usize {
        self.variable(0) + self.variables.len() + m as usize
    }

    fn semaphore(&self, s: u32) -> usize {
        self.lock(0) + self.locks as usize + s as usize
    }

    fn waiting(&self, thread: Thread) -> usize {
        self.semaphore(0) + self.semaphores.len() + thread.index()
    }

    fn op(&self, state: &State, thread: Thread) -> Option<Op> {
        let position = state.words[thread.index()] as usize;
        self.threads[thread.index()].get(position).copied()
    }

    fn accesses(&self, op: Op) -> Vec<(Object, Operation)> {
        let at = |region, operation| {
            let region = Region(region);
            (Object { region, index: 0 }, operation)
        };
        match op {
            Op::Lock(m) => vec![at(LOCKS + m, Operation::Acquire)],
            Op::Unlock(m) => vec![at(LOCKS + m, Operation::Release)],
            Op::Wait(m) => vec![
                at(LOCKS + m, Operation::Wait),
                at(LOCKS + m, Operation::WaitResume),
            ],
            Op::Notify(m) => vec![at(LOCKS + m, Operation::NotifyAll)],
            Op::Down(s) => vec![at(SEMAPHORES + s, Operation::Down)],
            Op::Up(s) => vec![at(SEMAPHORES + s, Operation::Up)],
            Op::Add(v, _) | Op::AddAny(v, _) => vec![at(v, Operation::Add)],
            Op::Await(v, _) | Op::Assert(v, _) | Op::Assume(v, _) => vec![at(v, Operation::Read)],
            Op::Join(t) => {
                let object = Object {
                    region: THREADS,
                    index: t,
                };
                vec![(object, Operation::Join)]
            }
            Op::GiveUp | Op::Goto(_) => vec![],
        }
    }
}

fn fault(kind: FaultKind, line: u32) -> Fault {
    Fault {
        kind,
        message: format!("{kind} at {line}"),
        place: Some(Place {
            file: 0,
            line,
            column: 1,
        }),
    }
}

impl States for Program {
    type State = State;
}

impl System for Program {
    fn initial(&self) -> Result<State, Halt> {
        let mut words = vec![0; self.threads.len()];
        words.extend(&self.variables);
        words.extend((0..self.locks).map(|_| 0));
        words.extend(&self.semaphores);
        words.extend(self.threads.iter().map(|_| 0));
        Ok(State { words, garbage: 0 })
    }

    fn threads(&self, _: &State) -> usize {
        self.threads.len()
    }

    fn status(&self, state: &State, thread: Thread) -> Status {
        let Some(op) = self.op(state, thread) else {
            return Status::Done;
        };
        let free = |m| state.words[self.lock(m)] == 0;
        let mut choices = 1;
        let ready = match op {
            Op::Lock(m) => free(m),
            Op::Wait(m) => match state.words[self.waiting(thread)] {
                0 => true,
                1 => false,
                _ => free(m),
            },
            Op::Down(s) => state.words[self.semaphore(s)] > 0,
            Op::Await(v, value) => state.words[self.variable(v)] == value,
            Op::Join(t) => self.op(state, Thread(t)).is_none(),
            Op::AddAny(_, n) => {
                choices = n;
                true
            }
            _ => true,
        };
        match ready {
            true => Status::Ready { choices },
            false => Status::Blocked,
        }
    }

    fn step(&self, state: &mut State, thread: Thread, choice: u32) -> Result<(), Halt> {
        let op = self.op(state, thread).expect("the thread is ready");
        state.garbage += 1;
        self.most_garbage.fetch_max(state.garbage, Relaxed);
        let line = thread.0 * 100 + state.words[thread.index()] + 1;
        let words = &mut state.words;
        words[thread.index()] += 1;
        match op {
            Op::Lock(m) => words[self.lock(m)] = thread.0 + 1,
            Op::Unlock(m) => words[self.lock(m)] = 0,
            Op::Wait(m) if words[self.waiting(thread)] == 0 => {
                words[self.lock(m)] = 0;
                words[self.waiting(thread)] = 1;
                words[thread.index()] -= 1;
            }
            Op::Wait(m) => {
                words[self.lock(m)] = thread.0 + 1;
                words[self.waiting(thread)] = 0;
            }
            Op::Notify(_) => {
                for t in 0..self.threads.len() as u32 {
                    let flag = self.waiting(Thread(t));
                    words[flag] *= 2;
                    words[flag] = words[flag].min(2);
                }
            }
            Op::Down(s) => words[self.semaphore(s)] -= 1,
            Op::Up(s) => words[self.semaphore(s)] += 1,
            Op::Add(v, n) => words[self.variable(v)] += n,
            Op::AddAny(v, _) => words[self.variable(v)] += choice,
            Op::Assert(v, value) if words[self.variable(v)] != value => {
                return Err(Halt::Fault(fault(FaultKind::Assertion, line)));
            }
            Op::Assume(v, value) if words[self.variable(v)] != value => return Err(Halt::Pruned),
            Op::GiveUp => return Err(Halt::GaveUp("cannot do this".into())),
            Op::Goto(target) => words[thread.index()] = target,
            Op::Await(..) | Op::Assert(..) | Op::Assume(..) | Op::Join(_) => {}
        }
        Ok(())
    }

    fn footprint(&self, state: &State, thread: Thread, out: &mut Footprint) {
        let accesses = self.op(state, thread).map(|op| self.accesses(op));
        for (object, operation) in accesses.unwrap_or_default() {
            let resumes = state.words[self.waiting(thread)] > 0;
            match operation {
                Operation::Wait if resumes => {}
                Operation::WaitResume if !resumes => {}
                _ => out.add(object, operation),
            }
        }
    }

    fn observe(&self, state: &State, object: Object) -> ObjectState {
        let region = object.region.0;
        if (LOCKS..SEMAPHORES).contains(&region) {
            let threads = || (0..self.threads.len() as u32).map(Thread);
            let with = |value| move |&t: &Thread| state.words[self.waiting(t)] == value;
            let owner = state.words[self.lock(region - LOCKS)];
            return ObjectState::Monitor {
                owner: owner.checked_sub(1).map(Thread),
                depth: owner.min(1),
                waiting: threads().filter(with(1)).collect(),
                notified: threads().filter(with(2)).collect(),
            };
        }
        if (SEMAPHORES..THREADS.0).contains(&region) {
            let value = state.words[self.semaphore(region - SEMAPHORES)];
            return ObjectState::Semaphore(value);
        }
        ObjectState::Opaque
    }

    fn held(&self, state: &State, thread: Thread, out: &mut Vec<Object>) {
        let mine = |m: &u32| state.words[self.lock(*m)] == thread.0 + 1;
        out.extend((0..self.locks).filter(mine).map(|m| Object {
            region: Region(LOCKS + m),
            index: 0,
        }));
    }

    fn is_daemon(&self, _: &State, thread: Thread) -> bool {
        self.daemons.contains(&thread.0)
    }

    fn is_impatient(&self, _: &State, _: Thread) -> bool {
        false
    }

    fn encode<'a>(&self, state: &'a State, scratch: &'a mut Vec<u32>) -> &'a [u32] {
        if !self.garbage {
            return &state.words;
        }
        scratch.clear();
        scratch.extend(state.words.iter().rev());
        scratch
    }

    fn decode(&self, words: &[u32], state: &mut State) {
        state.words.clear();
        if self.garbage {
            state.words.extend(words.iter().rev());
        } else {
            state.words.extend(words);
        }
        state.garbage = 0;
    }
}

impl Futures for Program {
    fn future(&self, state: &State, thread: Thread) -> Option<Future> {
        if self.no_future {
            return None;
        }
        let code = &self.threads[thread.index()];
        let mut from = state.words[thread.index()] as usize;
        for op in &code[from..] {
            if let Op::Goto(target) = *op {
                from = from.min(target as usize);
            }
        }
        let mut future = Future::default();
        for op in &code[from..] {
            for (object, operation) in self.accesses(*op) {
                future.add(object.region, operation);
            }
        }
        future.add(THREADS, Operation::Finish);
        Some(future)
    }
}

impl Permissions for Program {}

impl Temporal for Program {}

impl Invariants for Program {
    fn check_invariants(&self, state: &State) -> Result<(), Fault> {
        match self.never {
            Some(value) if state.words[self.variable(0)] == value => {
                Err(fault(FaultKind::Invariant, 1))
            }
            _ => Ok(()),
        }
    }
}

impl Narrate for Program {
    fn thread_name(&self, _: &State, thread: Thread) -> String {
        format!("thread {}", thread.0)
    }

    fn object_name(&self, _: &State, object: Object) -> String {
        format!("object {}.{}", object.region.0, object.index)
    }

    fn next_place(&self, state: &State, thread: Thread) -> Option<Place> {
        self.op(state, thread)?;
        Some(Place {
            file: 0,
            line: thread.0 * 100 + state.words[thread.index()] + 1,
            column: 1,
        })
    }

    fn narrate(&self, state: &mut State, step: Move, events: &mut Vec<Event>) -> Result<(), Halt> {
        let place = self.next_place(state, step.thread);
        let op = self.op(state, step.thread).expect("the thread is ready");
        for (object, operation) in self.accesses(op) {
            events.push(Event {
                place,
                object: self.object_name(state, object),
                operation: Some(operation),
                value: None,
                ..Event::default()
            });
        }
        self.step(state, step.thread, step.choice)
    }

    fn shared_values(&self, state: &State) -> Vec<(String, String)> {
        (0..self.variables.len() as u32)
            .map(|v| (format!("v{v}"), state.words[self.variable(v)].to_string()))
            .collect()
    }
}

/// A schedule from thread numbers.
pub fn schedule(threads: &[u32]) -> Vec<Move> {
    let moves = threads.iter();
    moves
        .map(|&thread| Move {
            thread: Thread(thread),
            choice: 0,
        })
        .collect()
}
