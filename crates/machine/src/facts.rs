//! What can be known of a program without running it, computed once: which registers
//! are dead where a thread can stand and which refer to what no other thread has met, how to
//! find out whether a step is possible, and what a thread may still do.

use crate::ir::{BinaryOperator, Cell, Expression, Function, Instruction, Pc, Program, Target};
use crate::visit::Slots;
use raddle_model::{Footprint, Future, Operation, Region};
use std::sync::OnceLock;

/// The static facts of a program.
#[derive(Clone, Debug)]
pub struct Facts {
    /// For each instruction: the registers that may hold something but are dead when
    /// a thread stands there. They are cleared, so that what no longer matters makes
    /// no difference between states.
    pub dead: Vec<Box<[u16]>>,
    /// For each call: the registers of the caller that are dead during the call.
    pub dead_in_call: Vec<Box<[u16]>>,
    /// For each instruction: the registers that refer, when a thread stands there, to an instance
    /// that it has made itself, and that is referred to from nowhere else.
    pub unshared: Vec<Box<[u16]>>,
    /// For each instruction: how to tell whether a step that begins there is possible.
    pub probes: Vec<Probe>,
    /// For each instruction: all that a thread standing there may still do before
    /// its function returns, with the threads it may start.
    pub futures: Vec<Future>,
    /// For each instruction where a step may begin that touches the same in every state:
    /// what that is, once it was tried.
    pub footprints: Vec<Option<OnceLock<Footprint>>>,
}

/// How to find out whether a step is possible, and in how many ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// It always is, in one way.
    Free,
    /// It depends on this instruction alone, and nothing happens before it.
    Direct(Pc),
    /// Only by trying: an atomic block that may block or choose on its way.
    Trial,
}

/// The thread region is always the first.
pub const THREADS: Region = Region(0);

impl Facts {
    /// Computes the facts of a verified program.
    pub fn new(program: &Program) -> Facts {
        let mut facts = Facts {
            dead: vec![Box::default(); program.code.len()],
            dead_in_call: vec![Box::default(); program.code.len()],
            unshared: vec![Box::default(); program.code.len()],
            probes: probes(program),
            futures: futures(program),
            footprints: (0..program.code.len() as u32)
                .map(|pc| touches_the_same(program, Pc(pc)).then(OnceLock::new))
                .collect(),
        };
        for function in &program.functions {
            Liveness::new(program, function).fill(&mut facts);
        }
        facts
    }
}

/// For each instruction, the registers that are read there or later.
pub(crate) fn live_registers(program: &Program) -> Vec<Box<[u16]>> {
    let mut all = vec![Box::default(); program.code.len()];
    for function in &program.functions {
        let liveness = Liveness::new(program, function);
        for (pc, live) in (function.entry.0 as usize..).zip(&liveness.live) {
            all[pc] = live.iter().collect();
        }
    }
    all
}

/// Backward liveness, forward "may hold something", and forward "refers to what only it refers to"
/// for one function.
struct Liveness<'a> {
    program: &'a Program,
    function: &'a Function,
    live: Vec<Bits>,
    dirty: Vec<Bits>,
}

impl<'a> Liveness<'a> {
    fn new(program: &'a Program, function: &'a Function) -> Self {
        let length = (function.end.0 - function.entry.0) as usize;
        let empty = Bits::new(function.registers.len());
        let mut liveness = Liveness {
            program,
            function,
            live: vec![empty.clone(); length],
            dirty: vec![empty; length],
        };
        liveness.find_live();
        liveness.find_dirty();
        liveness
    }

    fn code(&self) -> impl DoubleEndedIterator<Item = (usize, Pc, &'a Instruction)> + use<'a> {
        let (entry, end) = (self.function.entry.0, self.function.end.0);
        let code = &self.program.code;
        (entry..end).map(move |pc| ((pc - entry) as usize, Pc(pc), &code[pc as usize]))
    }

    /// What is live after an instruction, its own result included.
    fn live_after(&self, pc: Pc, instruction: &Instruction) -> Bits {
        let mut live = Bits::new(self.function.registers.len());
        instruction.for_each_successor(pc, &mut |next| {
            live.add_all(&self.live[(next.0 - self.function.entry.0) as usize]);
        });
        live
    }

    fn find_live(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for (index, pc, instruction) in self.code().rev() {
                let mut live = self.live_after(pc, instruction);
                if let Some(register) = instruction.defines() {
                    live.remove(usize::from(register.0));
                }
                instruction.for_each_use(&mut |slots| match slots {
                    Slots::One(register) => live.add(usize::from(register.0)),
                    Slots::Some(array) => {
                        let base = usize::from(array.base);
                        (base..base + array.length as usize).for_each(|slot| live.add(slot));
                    }
                });
                changed |= self.live[index].add_all(&live);
            }
        }
    }

    fn find_dirty(&mut self) {
        if let Some(entry) = self.dirty.first_mut() {
            for (slot, register) in self.function.registers.iter().enumerate() {
                if slot < usize::from(self.function.parameters) || register.initial != 0 {
                    entry.add(slot);
                }
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (index, pc, instruction) in self.code() {
                let mut dirty = self.dirty[index].clone();
                if self.program.starts[pc.0 as usize] {
                    dirty.keep(&self.live[index]);
                }
                if matches!(instruction, Instruction::Call { .. }) {
                    dirty.keep(&self.live_after(pc, instruction));
                }
                if let Some(register) = instruction.defines() {
                    dirty.add(usize::from(register.0));
                }
                if let Instruction::Assign(Target::LocalElement(array, _), _) = instruction {
                    let base = usize::from(array.base);
                    (base..base + array.length as usize).for_each(|slot| dirty.add(slot));
                }
                instruction.for_each_successor(pc, &mut |next| {
                    let next = (next.0 - self.function.entry.0) as usize;
                    changed |= self.dirty[next].add_all(&dirty);
                });
            }
        }
    }

    /// For each instruction that can be reached, the registers that alone refer to an instance
    /// before it. One that only names the instance whose field is accessed does not give it away, nor
    /// does one that is copied and never looked at again: then it is the copy that refers to it.
    fn find_unshared(&self) -> Vec<Option<Bits>> {
        let nothing = Bits::new(self.function.registers.len());
        let mut unshared = vec![None; self.live.len()];
        let mut work = vec![self.function.entry];
        if let Some(entry) = unshared.first_mut() {
            *entry = Some(nothing.clone());
        }
        while let Some(pc) = work.pop() {
            let index = (pc.0 - self.function.entry.0) as usize;
            let instruction = &self.program.code[pc.0 as usize];
            let Some(before) = unshared.get(index).cloned().flatten() else {
                continue;
            };
            let after = self.unshared_after(pc, instruction, &before);
            instruction.for_each_successor(pc, &mut |next| {
                let next_index = (next.0 - self.function.entry.0) as usize;
                let Some(known) = unshared.get_mut(next_index) else {
                    return;
                };
                let mut both = after.clone();
                if let Some(known) = known {
                    both.keep(known);
                }
                if known.as_ref() != Some(&both) {
                    *known = Some(both);
                    work.push(next);
                }
            });
        }
        unshared
    }

    fn unshared_after(&self, pc: Pc, instruction: &Instruction, before: &Bits) -> Bits {
        let mut after = before.clone();
        instruction.for_each_giving_away(&mut |slots| match slots {
            Slots::One(register) => after.remove(usize::from(register.0)),
            Slots::Some(array) => {
                let base = usize::from(array.base);
                (base..base + array.length as usize).for_each(|slot| after.remove(slot));
            }
        });
        if let Some(register) = instruction.defines() {
            after.remove(usize::from(register.0));
        }
        match instruction {
            Instruction::New(_, register) => after.add(usize::from(register.0)),
            Instruction::Assign(Target::Local(to), Expression::Local(from)) => {
                let live = self.live_after(pc, instruction);
                let from = usize::from(from.0);
                if before.contains(from) && !live.contains(from) {
                    after.add(usize::from(to.0));
                }
            }
            _ => {}
        }
        after
    }

    fn fill(&self, facts: &mut Facts) {
        let unshared = self.find_unshared();
        for (index, pc, instruction) in self.code() {
            let at = pc.0 as usize;
            if let Some(unshared) = &unshared[index] {
                facts.unshared[at] = unshared.iter().collect();
            }
            facts.dead[at] = self.dirty[index].without(&self.live[index]);
            if let Instruction::Call { result, .. } = instruction {
                let mut live = self.live_after(pc, instruction);
                if let Some(register) = result {
                    live.remove(usize::from(register.0));
                }
                facts.dead_in_call[at] = self.dirty[index].without(&live);
            }
        }
    }
}

fn probes(program: &Program) -> Vec<Probe> {
    let deciding = deciding_functions(program);
    (0..program.code.len())
        .map(|pc| match &program.code[pc] {
            Instruction::AtomicBegin => probe_atomic(program, &deciding, Pc(pc as u32)),
            instruction if instruction.may_block() || instruction.may_choose() => {
                Probe::Direct(Pc(pc as u32))
            }
            _ => Probe::Free,
        })
        .collect()
}

/// For each function, whether it or one that it calls may block or choose.
fn deciding_functions(program: &Program) -> Vec<bool> {
    let mut deciding = vec![false; program.functions.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (number, function) in program.functions.iter().enumerate() {
            let code = &program.code[function.entry.0 as usize..function.end.0 as usize];
            let decides = code.iter().any(|instruction| match instruction {
                Instruction::Call { function, .. } => deciding[usize::from(function.0)],
                other => other.may_block() || other.may_choose(),
            });
            changed |= decides && !deciding[number];
            deciding[number] |= decides;
        }
    }
    deciding
}

fn probe_atomic(program: &Program, deciding: &[bool], begin: Pc) -> Probe {
    let mut first = begin;
    while program.code[first.0 as usize] == Instruction::AtomicBegin {
        first = Pc(first.0 + 1);
    }
    let mut decisions = Vec::new();
    let mut returns_to_first = false;
    let mut seen = std::collections::BTreeSet::new();
    let mut work = vec![(Pc(begin.0 + 1), 1u32)];
    while let Some((pc, depth)) = work.pop() {
        if !seen.insert((pc, depth)) {
            continue;
        }
        let instruction = &program.code[pc.0 as usize];
        let decides = match instruction {
            Instruction::Call { function, .. } => deciding[usize::from(function.0)],
            other => other.may_block() || other.may_choose(),
        };
        if decides && !decisions.contains(&pc) {
            decisions.push(pc);
        }
        let depth = match instruction {
            Instruction::AtomicBegin => depth + 1,
            Instruction::AtomicEnd => depth - 1,
            _ => depth,
        };
        if depth > 0 {
            instruction.for_each_successor(pc, &mut |next| {
                returns_to_first |= next <= first && pc >= first;
                work.push((next, depth));
            });
        }
    }
    let is_call = matches!(program.code[first.0 as usize], Instruction::Call { .. });
    match decisions.as_slice() {
        [] => Probe::Free,
        [only] if *only == first && !returns_to_first && !is_call => Probe::Direct(first),
        _ => Probe::Trial,
    }
}

fn futures(program: &Program) -> Vec<Future> {
    let mut futures: Vec<Future> = program.code.iter().map(own_operations).collect();
    for declaration in &program.declarations {
        let function = &program.functions[usize::from(declaration.function.0)];
        for pc in function.entry.0..function.end.0 {
            if matches!(program.code[pc as usize], Instruction::Return(_)) {
                futures[pc as usize].add(THREADS, Operation::Finish);
            }
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for pc in (0..program.code.len()).rev() {
            let mut more = Vec::new();
            program.code[pc].for_each_successor(Pc(pc as u32), &mut |next| more.push(next));
            match &program.code[pc] {
                Instruction::Call { function, .. } => {
                    more.push(program.functions[usize::from(function.0)].entry);
                }
                Instruction::Spawn { declaration, .. } => {
                    let function = program.declarations[usize::from(declaration.0)].function;
                    more.push(program.functions[usize::from(function.0)].entry);
                }
                _ => {}
            }
            for next in more.into_iter().filter(|next| next.0 as usize != pc) {
                let addition = futures[next.0 as usize].clone();
                changed |= futures[pc].merge(&addition);
            }
        }
    }
    futures
}

/// Whether a step that begins at an instruction touches the same in every state: its first
/// instruction does, and what may come after it up to the end of the step touches nothing.
fn touches_the_same(program: &Program, begin: Pc) -> bool {
    let first = &program.code[begin.0 as usize];
    let is_fixed = match first {
        Instruction::Assign(target, value) => {
            let target = match target {
                Target::Local(_) | Target::ThreadLocal(_) => true,
                Target::Shared(cell) => is_fixed_cell(cell),
                Target::LocalElement(..) | Target::ThreadLocalElement(..) => false,
            };
            target && reads_the_same(value)
        }
        // They touch what they wait for whether they have to wait or not.
        Instruction::Acquire(cell)
        | Instruction::Release(cell)
        | Instruction::Up(cell)
        | Instruction::Down(cell) => is_fixed_cell(cell),
        _ => false,
    };
    if !is_fixed {
        return false;
    }
    let mut seen = Vec::new();
    let mut work = vec![Pc(begin.0 + 1)];
    while let Some(pc) = work.pop() {
        if program.starts[pc.0 as usize] || seen.contains(&pc) {
            continue;
        }
        seen.push(pc);
        let instruction = &program.code[pc.0 as usize];
        let mut is_quiet = matches!(
            instruction,
            Instruction::Skip
                | Instruction::Assign(..)
                | Instruction::Branch(..)
                | Instruction::Jump(_)
        );
        instruction.for_each_operation(&mut |_, _| is_quiet = false);
        if !is_quiet {
            return false;
        }
        instruction.for_each_successor(pc, &mut |next| work.push(next));
    }
    true
}

/// Whether the value of an expression can always be computed, and everything in it is
/// looked at.
fn reads_the_same(expression: &Expression) -> bool {
    match expression {
        Expression::Constant(_)
        | Expression::Local(_)
        | Expression::ThreadLocal(_)
        | Expression::Me => true,
        Expression::Shared(cell) => is_fixed_cell(cell),
        Expression::Unary(_, inner) => reads_the_same(inner),
        Expression::Binary(operator, left, right) => {
            let is_total = match operator {
                BinaryOperator::And | BinaryOperator::Or => false,
                BinaryOperator::Divide | BinaryOperator::Remainder => {
                    matches!(**right, Expression::Constant(divisor) if divisor != 0)
                }
                _ => true,
            };
            is_total && reads_the_same(left) && reads_the_same(right)
        }
        _ => false,
    }
}

/// Whether a cell is the same in every state.
fn is_fixed_cell(cell: &Cell) -> bool {
    cell.object.is_none() && cell.index.is_none()
}

fn own_operations(instruction: &Instruction) -> Future {
    let mut future = Future::default();
    instruction.for_each_operation(&mut |region, operation| future.add(region, operation));
    match instruction {
        Instruction::Spawn { .. } => future.add(THREADS, Operation::Start),
        Instruction::Join(_) => future.add(THREADS, Operation::Join),
        _ => {}
    }
    future
}

/// A set of small numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(size: usize) -> Bits {
        Bits(vec![0; size.div_ceil(64)])
    }

    fn add(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    fn remove(&mut self, bit: usize) {
        self.0[bit / 64] &= !(1 << (bit % 64));
    }

    /// Adds all of another set; tells whether anything was new.
    fn add_all(&mut self, other: &Bits) -> bool {
        let mut grew = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            grew |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        grew
    }

    fn keep(&mut self, other: &Bits) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine &= theirs;
        }
    }

    fn contains(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    fn iter(&self) -> impl Iterator<Item = u16> {
        let bits = (0..self.0.len() * 64).filter(|&bit| self.contains(bit));
        bits.map(|bit| bit as u16)
    }

    fn without(&self, other: &Bits) -> Box<[u16]> {
        let is_left = |bit: &u16| !other.contains(usize::from(*bit));
        self.iter().filter(is_left).collect()
    }
}
