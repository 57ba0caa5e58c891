//! What each instruction does to a path.

use super::identities::{Change, Identity};
use super::{Control, Frame, Lowered, Lowering, MOST_CALLS, Path};
use crate::program::Operation;
use crate::terms::{Term, Var, VarInfo, WORD};
use raddle_machine::ir::{Cell, Expression, Instruction, Pc, Register, Target};
use raddle_model::Kind;

impl Lowering<'_> {
    /// Executes the instruction at which a path stands; adds the paths that go on.
    pub(super) fn instruction(&mut self, mut path: Path, out: &mut Vec<Path>) -> Lowered<()> {
        let Some(frame) = path.control.frames.last().cloned() else {
            out.push(path);
            return Ok(());
        };
        let Some(instruction) = self.ir.code.get(frame.pc as usize).cloned() else {
            return self.unsupported("code that ends without a return");
        };
        self.place = self.ir.places.get(frame.pc as usize).copied();
        path.condition = self.out.terms.bool(true);
        match instruction {
            Instruction::Skip => self.go_on(path, out),
            Instruction::AtomicBegin => {
                path.control.atomic += 1;
                self.go_on(path, out);
            }
            Instruction::AtomicEnd => {
                path.control.atomic = path.control.atomic.saturating_sub(1);
                self.go_on(path, out);
            }
            Instruction::Jump(to) => {
                jump(&mut path, to);
                out.push(path);
            }
            Instruction::Assign(target, value) => self.assign(path, &target, &value, out)?,
            Instruction::Branch(condition, to) => {
                let condition = self.truth(&mut path, &condition)?;
                let mut path = self.check(path, out);
                let mut other = path.clone();
                self.require(&mut path, condition);
                let not = self.out.terms.not(condition);
                self.require(&mut other, not);
                jump(&mut other, to);
                self.go_on(path, out);
                out.push(other);
            }
            Instruction::Assume(condition) | Instruction::Await(condition) => {
                let condition = self.truth(&mut path, &condition)?;
                let mut path = self.check(path, out);
                path.may_block = true;
                self.require(&mut path, condition);
                self.go_on(path, out);
            }
            Instruction::Assert(condition, _) => {
                let condition = self.truth(&mut path, &condition)?;
                let not = self.out.terms.not(condition);
                path.faults.push(not);
                let path = self.check(path, out);
                self.go_on(path, out);
            }
            Instruction::Fail(..) => {
                let always = self.out.terms.bool(true);
                path.faults.push(always);
                self.check(path, out);
            }
            Instruction::Call {
                function,
                arguments,
                result,
            } => {
                self.call(path, function, &arguments, result, out)?;
            }
            Instruction::Return(value) => self.give_back(path, value.as_ref(), out)?,
            Instruction::Spawn {
                declaration,
                arguments,
                result,
            } => {
                for argument in &arguments {
                    self.value(&mut path, argument)?;
                }
                let mut path = self.check(path, out);
                let Some(&template) = self.starts.get(&declaration) else {
                    return self.unsupported("a thread of no kind is started");
                };
                path.operations.push(Operation::Start(template));
                if let Some(result) = result {
                    let any = self.choice("thread", Some((0, WORD.1)));
                    self.set_register(&mut path, result, any)?;
                }
                self.go_on(path, out);
            }
            // Whoever joins goes on, ended or not: more happens than in the program.
            Instruction::Join(thread) => {
                self.value(&mut path, &thread)?;
                let mut path = self.check(path, out);
                path.may_block = true;
                self.go_on(path, out);
            }
            Instruction::Acquire(_)
            | Instruction::Release(_)
            | Instruction::Wait(_)
            | Instruction::WaitResume(_)
            | Instruction::Notify(_)
            | Instruction::NotifyAll(_) => self.monitor(path, &instruction, out)?,
            Instruction::Up(cell) => {
                let (var, _) = self.semaphore(&mut path, &cell)?;
                let mut path = self.check(path, out);
                let one = self.out.terms.number(1);
                let value = self.current(&path, var);
                let more = self.out.terms.plus(value, one, 1);
                self.no_overflow(&mut path, more);
                path.updates.insert(var, more);
                self.go_on(path, out);
            }
            Instruction::Down(cell) => {
                let (var, _) = self.semaphore(&mut path, &cell)?;
                let mut path = self.check(path, out);
                let one = self.out.terms.number(1);
                let value = self.current(&path, var);
                let positive = self.out.terms.at_least(value, one);
                path.may_block = true;
                self.require(&mut path, positive);
                let less = self.out.terms.plus(value, one, -1);
                path.updates.insert(var, less);
                self.go_on(path, out);
            }
            Instruction::CompareAndSet {
                cell,
                expected,
                value,
                result,
            } => {
                let target = Target::Shared(cell.clone());
                let current = self.value(&mut path, &Expression::Shared(cell))?;
                let expected = self.value(&mut path, &expected)?;
                let (current, expected) = self.alike(current, expected);
                let same = self.out.terms.equal(current, expected);
                let new = self.value(&mut path, &value)?;
                let mut path = self.check(path, out);
                let mut failed = path.clone();
                self.require(&mut path, same);
                self.store(&mut path, &target, new)?;
                let not = self.out.terms.not(same);
                self.require(&mut failed, not);
                for (mut path, success) in [(path, true), (failed, false)] {
                    if let Some(result) = result {
                        let success = self.out.terms.bool(success);
                        self.set_register(&mut path, result, success)?;
                    }
                    let path = self.check(path, out);
                    self.go_on(path, out);
                }
            }
            Instruction::FetchAdd {
                cell,
                value,
                range,
                result,
            } => {
                let target = Target::Shared(cell.clone());
                let old = self.value(&mut path, &Expression::Shared(cell))?;
                let old = self.out.terms.to_number(old);
                let value = self.number(&mut path, &value)?;
                let new = self.out.terms.plus(old, value, 1);
                let new = self.wrapped(&mut path, new);
                let new = match range {
                    Some(range) => self.ranged(&mut path, new, range)?,
                    None => new,
                };
                let mut path = self.check(path, out);
                self.store(&mut path, &target, new)?;
                if let Some(result) = result {
                    self.set_register(&mut path, result, old)?;
                }
                let path = self.check(path, out);
                self.go_on(path, out);
            }
            Instruction::Choose { low, high, result } => {
                let low = self.number(&mut path, &low)?;
                let high = self.number(&mut path, &high)?;
                let mut path = self.check(path, out);
                let any = self.choice("choice", Some(WORD));
                let above = self.out.terms.at_least(any, low);
                let below = self.out.terms.at_least(high, any);
                path.may_block = true;
                self.require(&mut path, above);
                self.require(&mut path, below);
                self.set_register(&mut path, result, any)?;
                self.go_on(path, out);
            }
            Instruction::Select(arms) => {
                for arm in arms {
                    let mut path = path.clone();
                    let guard = match &arm.guard {
                        Some(guard) => self.truth(&mut path, guard)?,
                        None => self.out.terms.bool(true),
                    };
                    let mut path = self.check(path, out);
                    path.may_block = true;
                    self.require(&mut path, guard);
                    jump(&mut path, arm.target);
                    out.push(path);
                }
            }
            Instruction::New(..) => return self.unsupported("the heap (`new`)"),
            Instruction::Send(..) | Instruction::Receive(..) => {
                return self.unsupported("a channel");
            }
        }
        Ok(())
    }

    /// Goes to the next instruction.
    fn go_on(&mut self, mut path: Path, out: &mut Vec<Path>) {
        if let Some(frame) = path.control.frames.last_mut() {
            frame.pc += 1;
        }
        out.push(path);
    }

    fn require(&mut self, path: &mut Path, condition: Term) {
        path.guard.push(condition);
    }

    /// Splits off what goes wrong; the rest goes on.
    fn check(&mut self, mut path: Path, out: &mut Vec<Path>) -> Path {
        for fault in std::mem::take(&mut path.faults) {
            if self.out.terms.as_bool(fault) == Some(false) {
                continue;
            }
            let mut wrong = path.clone();
            wrong.guard.push(fault);
            wrong.control = Control {
                frames: Vec::new(),
                held: wrong.control.held.clone(),
                wait: None,
                indices: Default::default(),
                atomic: 0,
                is_error: true,
            };
            out.push(wrong);
            let not = self.out.terms.not(fault);
            path.guard.push(not);
        }
        path
    }

    /// A value that a step may choose.
    pub(super) fn choice(&mut self, name: &str, range: Option<(i64, i64)>) -> Term {
        let var = self.out.terms.var(VarInfo {
            name: format!("?{name}"),
            range,
            choice: true,
        });
        self.out.terms.of(var)
    }

    /// The value of a variable where a path has come.
    pub(super) fn current(&mut self, path: &Path, var: Var) -> Term {
        match path.updates.get(&var) {
            Some(&value) => value,
            None => self.out.terms.of(var),
        }
    }

    fn assign(
        &mut self,
        mut path: Path,
        target: &Target,
        value: &Expression,
        out: &mut Vec<Path>,
    ) -> Lowered<()> {
        if let (Target::Local(register), Some(frame)) =
            (target, path.control.frames.last().cloned())
            && let Some(kind) = self.indices.kind(frame.function, register.0)
        {
            let change = self.indices.change(frame.function, register.0, value);
            let tracked = match self.view.tracked {
                Some((followed, count)) if followed == kind => count,
                _ => 0,
            };
            let own = self.out.templates[self.template].declaration == kind;
            let known = |register| path.control.indices.get(&(frame.copy, register)).copied();
            let next = match change {
                Some(Change::First) => Identity::first(tracked, own),
                Some(Change::Next) => match known(register.0) {
                    Some(identity) => identity.next(tracked),
                    None => return self.unsupported("an index that was not set"),
                },
                Some(Change::Copy(other)) => match known(other) {
                    Some(identity) => vec![identity],
                    None => return self.unsupported("an index that was not set"),
                },
                None => return self.unsupported("an index of threads that is computed"),
            };
            for identity in next {
                let mut path = path.clone();
                path.control
                    .indices
                    .insert((frame.copy, register.0), identity);
                self.go_on(path, out);
            }
            return Ok(());
        }
        let value = self.value(&mut path, value)?;
        self.store(&mut path, target, value)?;
        let path = self.check(path, out);
        self.go_on(path, out);
        Ok(())
    }

    pub(super) fn set_register(
        &mut self,
        path: &mut Path,
        register: Register,
        value: Term,
    ) -> Lowered<()> {
        self.store(path, &Target::Local(register), value)
    }

    fn call(
        &mut self,
        mut path: Path,
        function: raddle_machine::ir::FunctionId,
        arguments: &[Expression],
        _result: Option<Register>,
        out: &mut Vec<Path>,
    ) -> Lowered<()> {
        let frames = &path.control.frames;
        if frames.len() >= MOST_CALLS || frames.iter().any(|frame| frame.function == function) {
            return self.unsupported("recursion");
        }
        let mut values = Vec::new();
        let mut identities = Vec::new();
        for argument in arguments {
            values.push(self.value(&mut path, argument)?);
            identities.push(self.identity_of(&path, argument));
        }
        let mut path = self.check(path, out);
        let calls = path
            .control
            .frames
            .iter()
            .map(|frame| frame.pc)
            .collect::<Vec<u32>>();
        let copy = self.copy_of(&calls);
        let described = self.function(function)?.clone();
        for (number, slot) in described.registers.iter().enumerate() {
            let register = number as u16;
            if self.indices.kind(function, register).is_some() {
                if let Some(Some(identity)) = identities.get(number) {
                    path.control.indices.insert((copy, register), *identity);
                }
                continue;
            }
            let var = self.register(function, copy, register);
            let value = match values.get(number) {
                Some(&value) => value,
                None => self.out.terms.number(i64::from(slot.initial)),
            };
            let value = self.as_typed(var, value);
            path.updates.insert(var, value);
        }
        path.control.frames.push(Frame {
            function,
            copy,
            pc: described.entry.0,
        });
        out.push(path);
        Ok(())
    }

    fn give_back(
        &mut self,
        mut path: Path,
        value: Option<&Expression>,
        out: &mut Vec<Path>,
    ) -> Lowered<()> {
        let value = match value {
            Some(value) => Some(self.value(&mut path, value)?),
            None => None,
        };
        let mut path = self.check(path, out);
        path.control.frames.pop();
        let Some(caller) = path.control.frames.last().cloned() else {
            path.control.indices.clear();
            out.push(path);
            return Ok(());
        };
        let call = self.ir.code.get(caller.pc as usize);
        if let (
            Some(Instruction::Call {
                result: Some(result),
                ..
            }),
            Some(value),
        ) = (call, value)
        {
            let result = *result;
            self.set_register(&mut path, result, value)?;
        }
        self.go_on(path, out);
        Ok(())
    }

    /// The number of a lock that is known by name.
    fn lock(&mut self, path: &mut Path, cell: &Cell) -> Lowered<usize> {
        let index = match &cell.index {
            None => 0,
            Some(index) => {
                let index = self.number(path, index)?;
                match self.out.terms.as_number(index) {
                    Some(index) => index,
                    None => return self.unsupported("a lock that is chosen at run time"),
                }
            }
        };
        if cell.object.is_some() {
            return self.unsupported("a lock on the heap");
        }
        let mut number = 0;
        for (region, info) in self.ir.regions.iter().enumerate() {
            if info.kind != Kind::Monitor || info.per_thread.is_some() {
                continue;
            }
            let length = info.length().min(super::MOST_ELEMENTS);
            if region == cell.region.0 as usize {
                return match u32::try_from(index) {
                    Ok(index) if index < length => Ok(number + index as usize),
                    _ => self.unsupported("a lock of a large array, or outside of one"),
                };
            }
            number += length as usize;
        }
        self.unsupported("a lock that each thread has for itself")
    }

    fn monitor(
        &mut self,
        mut path: Path,
        instruction: &Instruction,
        out: &mut Vec<Path>,
    ) -> Lowered<()> {
        let Some(cell) = instruction.cell() else {
            return Ok(());
        };
        let lock = self.lock(&mut path, cell)?;
        let held = path.control.held.get(&lock).copied().unwrap_or(0);
        match instruction {
            Instruction::Acquire(_) => {
                if held == 0 {
                    path.operations.push(Operation::Lock(lock));
                }
                path.control.held.insert(lock, held + 1);
            }
            Instruction::WaitResume(_) => {
                if let Some((_, count, _)) = path.control.wait.take() {
                    path.operations.push(Operation::Lock(lock));
                    path.control.held.insert(lock, count);
                }
            }
            _ if held == 0 => {
                let always = self.out.terms.bool(true);
                path.faults.push(always);
                self.check(path, out);
                return Ok(());
            }
            Instruction::Release(_) if held > 1 => {
                path.control.held.insert(lock, held - 1);
            }
            Instruction::Release(_) => {
                path.control.held.remove(&lock);
                path.operations.push(Operation::Unlock(lock));
            }
            Instruction::Wait(_) => {
                path.control.held.remove(&lock);
                path.operations.push(Operation::Unlock(lock));
                path.control.wait = Some((lock, held, false));
            }
            Instruction::Notify(_) => path.operations.push(Operation::Notify(lock)),
            Instruction::NotifyAll(_) => path.operations.push(Operation::NotifyAll(lock)),
            _ => {}
        }
        self.go_on(path, out);
        Ok(())
    }

    fn semaphore(&mut self, path: &mut Path, cell: &Cell) -> Lowered<(Var, ())> {
        let index = match &cell.index {
            None => Some(0),
            Some(index) => {
                let index = self.number(path, index)?;
                self.out.terms.as_number(index)
            }
        };
        let index = index.and_then(|index| u32::try_from(index).ok());
        let var = index.and_then(|index| self.shared.get(&(cell.region.0, index)).copied());
        match (cell.object.is_some(), var) {
            (false, Some(var)) => Ok((var, ())),
            _ => self.unsupported("a semaphore that is chosen at run time"),
        }
    }
}

fn jump(path: &mut Path, to: Pc) {
    if let Some(frame) = path.control.frames.last_mut() {
        frame.pc = to.0;
    }
}
