//! A litmus test as a concurrent program: a step of a thread is one access, with as many choices as
//! there are messages to read or places to write to.

use crate::program::{Change, Instruction, Litmus, Location, Observed};
use raddle_model::{
    Footprint, Futures, Halt, Invariants, Object, ObjectState, Operation, Permissions, Region,
    States, Status, System, Temporal, Thread,
};
use raddle_views::{Fence, Memory, Mode};

/// A state of a litmus test.
#[derive(Clone, Debug)]
pub struct LitmusState {
    /// Where each thread is, and its registers.
    threads: Vec<(u32, Vec<i32>)>,
    memory: Memory<Location>,
}

/// The locations.
const LOCATIONS: Region = Region(0);

/// The order of volatile accesses and full fences.
const ORDER: Object = Object {
    region: Region(1),
    index: 0,
};

/// A thread may do so much without an access, and no more.
const MOST_LOCAL: u32 = 10_000;

impl Litmus {
    /// The value of something in a state.
    pub fn value(&self, state: &LitmusState, observed: Observed) -> i32 {
        match observed {
            Observed::Register(thread, register) => {
                state.threads[thread as usize].1[register as usize]
            }
            Observed::Location(location) => {
                let last = state.memory.history(location).last();
                last.map_or(0, |message| int(message.value))
            }
        }
    }

    fn instruction(&self, state: &LitmusState, thread: Thread) -> Option<&Instruction> {
        let (at, _) = state.threads.get(thread.index())?;
        self.threads.get(thread.index())?.code.get(*at as usize)
    }

    /// Goes on to the next access of a thread.
    fn advance(&self, state: &mut LitmusState, thread: usize) -> Result<(), Halt> {
        let code = &self.threads[thread].code;
        let (at, registers) = &mut state.threads[thread];
        for _ in 0..MOST_LOCAL {
            match code.get(*at as usize) {
                Some(Instruction::Move(register, value)) => {
                    registers[*register as usize] = value.value(registers);
                    *at += 1;
                }
                Some(Instruction::Jump(aim)) => *at = *aim as u32,
                Some(Instruction::Unless(condition, aim)) => {
                    *at = match condition.value(registers) {
                        0 => *aim as u32,
                        _ => *at + 1,
                    };
                }
                Some(_) => return Ok(()),
                None => {
                    state.memory.retire(thread);
                    return Ok(());
                }
            }
        }
        Err(Halt::GaveUp(format!(
            "thread {thread} does {MOST_LOCAL} instructions without an access"
        )))
    }

    /// What a read-modify-write makes of a value; nothing if it leaves it.
    fn changed(change: &Change, old: i32, registers: &[i32]) -> Option<i32> {
        match change {
            Change::Set(value) => Some(value.value(registers)),
            Change::Apply(operator, value) => Some(operator.apply(old, value.value(registers))),
            Change::Exchange([expected, value]) => {
                (expected.value(registers) == old).then(|| value.value(registers))
            }
        }
    }

    /// The positions from which a thread can choose.
    fn positions(&self, state: &LitmusState, thread: usize, next: &Instruction) -> Vec<u32> {
        let (_, registers) = &state.threads[thread];
        let memory = &state.memory;
        match next {
            Instruction::Load(_, location, mode) => memory.readable(thread, *location, *mode),
            Instruction::Store(location, mode, _) => memory.places(thread, *location, *mode),
            Instruction::Update {
                location,
                modes,
                change,
                ..
            } => memory.updatable(thread, *location, *modes, |old| {
                Self::changed(change, int(old), registers).is_some()
            }),
            Instruction::CompareAndSet {
                location,
                modes,
                values,
                ..
            } => memory.updatable(thread, *location, *modes, |old| {
                values[0].value(registers) == int(old)
            }),
            _ => vec![0],
        }
    }

    /// Makes an access.
    fn access(
        &self,
        state: &mut LitmusState,
        thread: usize,
        next: &Instruction,
        choice: u32,
    ) -> Option<()> {
        let positions = self.positions(state, thread, next);
        let position = positions.get(choice as usize).copied();
        let (_, registers) = &mut state.threads[thread];
        let memory = &mut state.memory;
        match next {
            Instruction::Load(register, location, mode) => {
                let value = memory.read(thread, *location, *mode, position?);
                registers[*register as usize] = int(value);
            }
            Instruction::Store(location, mode, value) => {
                let value = word(value.value(registers));
                memory.write(thread, *location, *mode, position?, value);
            }
            Instruction::Update {
                old,
                location,
                modes,
                change,
            } => {
                let position = position?;
                let found = int(memory.history(*location).get(position as usize)?.value);
                let new = Self::changed(change, found, registers).map(word);
                memory.update(thread, *location, *modes, position, new);
                registers[*old as usize] = found;
            }
            Instruction::CompareAndSet {
                done,
                location,
                modes,
                values,
                ..
            } => {
                let [expected, value] = values;
                let is_set = match position {
                    Some(position) => {
                        let found = int(memory.history(*location).get(position as usize)?.value);
                        let new = expected.value(registers) == found;
                        let new = new.then(|| word(value.value(registers)));
                        memory.update(thread, *location, *modes, position, new);
                        new.is_some()
                    }
                    // It fails for no reason.
                    None => false,
                };
                registers[*done as usize] = i32::from(is_set);
            }
            Instruction::Fence(fence) => memory.fence(thread, *fence),
            Instruction::Move(..) | Instruction::Jump(_) | Instruction::Unless(..) => {}
        }
        Some(())
    }
}

fn int(word: u64) -> i32 {
    (word as u32).cast_signed()
}

fn word(int: i32) -> u64 {
    u64::from(int.cast_unsigned())
}

impl States for Litmus {
    type State = LitmusState;

    fn decodes(&self) -> bool {
        false
    }
}

impl System for Litmus {
    fn initial(&self) -> Result<LitmusState, Halt> {
        let mut memory = Memory::default();
        for (location, (_, value)) in self.locations.iter().enumerate() {
            memory.introduce(location as Location, word(*value));
        }
        let registers = |thread: &crate::program::Thread| (0, vec![0; thread.registers.len()]);
        let mut state = LitmusState {
            threads: self.threads.iter().map(registers).collect(),
            memory,
        };
        for _ in &self.threads {
            state.memory.add_thread(None);
        }
        for thread in 0..self.threads.len() {
            self.advance(&mut state, thread)?;
        }
        Ok(state)
    }

    fn threads(&self, state: &LitmusState) -> usize {
        state.threads.len()
    }

    fn status(&self, state: &LitmusState, thread: Thread) -> Status {
        match self.instruction(state, thread) {
            Some(next) => {
                let count = self.positions(state, thread.index(), next).len() as u32;
                let is_weak = matches!(next, Instruction::CompareAndSet { is_weak: true, .. });
                Status::Ready {
                    choices: count + u32::from(is_weak),
                }
            }
            None => Status::Done,
        }
    }

    fn step(&self, state: &mut LitmusState, thread: Thread, choice: u32) -> Result<(), Halt> {
        let at = thread.index();
        let next = self.instruction(state, thread).cloned();
        if let Some(next) = next {
            if self.access(state, at, &next, choice).is_none() {
                return Err(Halt::GaveUp("a choice that there is not".to_owned()));
            }
            state.threads[at].0 += 1;
            self.advance(state, at)?;
        }
        state.memory.collect();
        Ok(())
    }

    fn footprint(&self, state: &LitmusState, thread: Thread, out: &mut Footprint) {
        out.clear();
        let Some(next) = self.instruction(state, thread) else {
            return;
        };
        let (location, operation, is_volatile) = match next {
            Instruction::Load(_, location, mode) => {
                (Some(location), Operation::Read, *mode == Mode::Volatile)
            }
            Instruction::Store(location, mode, _) => {
                (Some(location), Operation::Write, *mode == Mode::Volatile)
            }
            Instruction::Update {
                location, modes, ..
            }
            | Instruction::CompareAndSet {
                location, modes, ..
            } => {
                let is_volatile = modes.0 == Mode::Volatile || modes.1 == Mode::Volatile;
                (Some(location), Operation::Update, is_volatile)
            }
            Instruction::Fence(fence) => (None, Operation::Read, *fence == Fence::Full),
            _ => (None, Operation::Read, false),
        };
        if let Some(&index) = location {
            let region = LOCATIONS;
            out.add(Object { region, index }, operation);
        }
        if is_volatile {
            out.add(ORDER, Operation::Update);
        }
    }

    fn observe(&self, _: &LitmusState, _: Object) -> ObjectState {
        ObjectState::Opaque
    }

    fn held(&self, _: &LitmusState, _: Thread, out: &mut Vec<Object>) {
        out.clear();
    }

    fn is_daemon(&self, _: &LitmusState, _: Thread) -> bool {
        false
    }

    fn is_impatient(&self, _: &LitmusState, _: Thread) -> bool {
        false
    }

    fn encode<'a>(&self, state: &'a LitmusState, scratch: &'a mut Vec<u32>) -> &'a [u32] {
        scratch.clear();
        for (at, registers) in &state.threads {
            scratch.push(*at);
            scratch.extend(registers.iter().map(|it| it.cast_unsigned()));
        }
        let memory = &state.memory;
        memory.encode(|it| Some(u64::from(it)), |_, value| value, scratch);
        scratch
    }

    fn decode(&self, _: &[u32], _: &mut LitmusState) {}
}

impl Futures for Litmus {}

impl Permissions for Litmus {}

impl Invariants for Litmus {}

impl Temporal for Litmus {}
