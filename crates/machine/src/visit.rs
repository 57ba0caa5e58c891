//! Walks over the intermediate form: what an instruction reads, writes and where it
//! leads. Analyses and the verifier ask here and need no match of their own.

use crate::ir::{Array, Cell, Expression, Instruction, Pc, Register, Target};
use raddle_model::{Operation, Region};

/// Slots of a frame that an instruction touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slots {
    /// One register.
    One(Register),
    /// Some element of an array.
    Some(Array),
}

impl Expression {
    /// Calls `visit` for this expression and everything in it, outermost first.
    pub fn for_each(&self, visit: &mut dyn FnMut(&Expression)) {
        visit(self);
        match self {
            Expression::Constant(_)
            | Expression::Local(_)
            | Expression::ThreadLocal(_)
            | Expression::Me
            | Expression::At(_)
            | Expression::CountAt(_)
            | Expression::Length(_)
            | Expression::Accessed => {}
            Expression::LocalElement(_, inner)
            | Expression::ThreadLocalElement(_, inner)
            | Expression::Unary(_, inner)
            | Expression::Bounded(inner, _)
            | Expression::Ranged(inner, _) => inner.for_each(visit),
            Expression::Binary(_, left, right) => {
                left.for_each(visit);
                right.for_each(visit);
            }
            Expression::Conditional(condition, then, otherwise) => {
                condition.for_each(visit);
                then.for_each(visit);
                otherwise.for_each(visit);
            }
            Expression::Shared(cell)
            | Expression::Owner(cell)
            | Expression::ChannelLength(cell)
            | Expression::SemaphoreValue(cell) => cell.for_each(visit),
        }
    }

    /// The cell that this expression itself observes.
    pub fn observes(&self) -> Option<&Cell> {
        match self {
            Expression::Shared(cell)
            | Expression::Owner(cell)
            | Expression::ChannelLength(cell)
            | Expression::SemaphoreValue(cell) => Some(cell),
            _ => None,
        }
    }
}

impl Cell {
    /// Calls `visit` for the expressions that name the cell.
    pub fn for_each(&self, visit: &mut dyn FnMut(&Expression)) {
        for part in self.object.iter().chain(&self.index) {
            part.for_each(visit);
        }
    }
}

impl Instruction {
    /// Calls `visit` for every expression of the instruction, and those in it.
    pub fn for_each_expression(&self, visit: &mut dyn FnMut(&Expression)) {
        if let Some(cell) = self.cell() {
            cell.for_each(visit);
        }
        match self {
            Instruction::Assign(target, value) => {
                if let Target::LocalElement(_, index) | Target::ThreadLocalElement(_, index) =
                    target
                {
                    index.for_each(visit);
                }
                value.for_each(visit);
            }
            Instruction::Branch(value, _)
            | Instruction::Join(value)
            | Instruction::Send(_, value)
            | Instruction::Await(value)
            | Instruction::Assume(value)
            | Instruction::Assert(value, _)
            | Instruction::FetchAdd { value, .. }
            | Instruction::Return(Some(value)) => value.for_each(visit),
            Instruction::Call { arguments, .. } | Instruction::Spawn { arguments, .. } => {
                for argument in arguments {
                    argument.for_each(visit);
                }
            }
            Instruction::CompareAndSet {
                expected, value, ..
            } => {
                expected.for_each(visit);
                value.for_each(visit);
            }
            Instruction::Choose { low, high, .. } => {
                low.for_each(visit);
                high.for_each(visit);
            }
            Instruction::Select(arms) => {
                for guard in arms.iter().filter_map(|arm| arm.guard.as_ref()) {
                    guard.for_each(visit);
                }
            }
            _ => {}
        }
    }

    /// The cell that the instruction itself operates on (not those it only reads in
    /// expressions).
    pub fn cell(&self) -> Option<&Cell> {
        match self {
            Instruction::Assign(Target::Shared(cell), _)
            | Instruction::Acquire(cell)
            | Instruction::Release(cell)
            | Instruction::Wait(cell)
            | Instruction::WaitResume(cell)
            | Instruction::Notify(cell)
            | Instruction::NotifyAll(cell)
            | Instruction::Up(cell)
            | Instruction::Down(cell)
            | Instruction::Send(cell, _)
            | Instruction::Receive(cell, _)
            | Instruction::CompareAndSet { cell, .. }
            | Instruction::FetchAdd { cell, .. } => Some(cell),
            _ => None,
        }
    }

    /// What the instruction does to its [`Instruction::cell`] at the most. A
    /// compare-and-set that fails does less: it only reads.
    pub fn operation(&self) -> Option<Operation> {
        Some(match self {
            Instruction::Assign(Target::Shared(_), _) => Operation::Write,
            Instruction::Acquire(_) => Operation::Acquire,
            Instruction::Release(_) => Operation::Release,
            Instruction::Wait(_) => Operation::Wait,
            Instruction::WaitResume(_) => Operation::WaitResume,
            Instruction::Notify(_) => Operation::Notify,
            Instruction::NotifyAll(_) => Operation::NotifyAll,
            Instruction::Up(_) => Operation::Up,
            Instruction::Down(_) => Operation::Down,
            Instruction::Send(..) => Operation::Send,
            Instruction::Receive(..) => Operation::Receive,
            Instruction::CompareAndSet { .. } => Operation::Update,
            // Additions commute only if none of them can fault and none tells.
            Instruction::FetchAdd { range, result, .. } => {
                match result.is_none() && range.is_none_or(|range| range.wraps) {
                    true => Operation::Add,
                    false => Operation::Update,
                }
            }
            _ => return None,
        })
    }

    /// Calls `visit` for every operation on a region that the instruction may make,
    /// those on threads excepted.
    pub fn for_each_operation(&self, visit: &mut dyn FnMut(Region, Operation)) {
        self.for_each_expression(&mut |expression| {
            if let Some(cell) = expression.observes() {
                visit(cell.region, Operation::Read);
            }
        });
        if let (Some(cell), Some(operation)) = (self.cell(), self.operation()) {
            visit(cell.region, operation);
            // One that fails only looks.
            if operation == Operation::Update {
                visit(cell.region, Operation::Read);
            }
        }
    }

    /// The register that the instruction sets, if it sets exactly one.
    pub fn defines(&self) -> Option<Register> {
        match self {
            Instruction::Assign(Target::Local(register), _)
            | Instruction::Receive(_, register)
            | Instruction::New(_, register) => Some(*register),
            Instruction::Choose { result, .. } => Some(*result),
            Instruction::Call { result, .. }
            | Instruction::Spawn { result, .. }
            | Instruction::CompareAndSet { result, .. }
            | Instruction::FetchAdd { result, .. } => *result,
            _ => None,
        }
    }

    /// Calls `visit` for the slots of the frame that the instruction reads. Writing
    /// an element of an array counts as reading the array: the others stay.
    pub fn for_each_use(&self, visit: &mut dyn FnMut(Slots)) {
        if let Instruction::Assign(Target::LocalElement(array, _), _) = self {
            visit(Slots::Some(*array));
        }
        self.for_each_expression(&mut |expression| match expression {
            Expression::Local(register) => visit(Slots::One(*register)),
            Expression::LocalElement(array, _) => visit(Slots::Some(*array)),
            _ => {}
        });
    }

    /// Calls `visit` for the slots of the frame whose values the instruction may put elsewhere: those
    /// that it reads for more than to find the instance whose field it accesses.
    pub fn for_each_giving_away(&self, visit: &mut dyn FnMut(Slots)) {
        let object = |cell: &Cell| match cell.object.as_deref() {
            Some(Expression::Local(register)) => Some(*register),
            _ => None,
        };
        let mut named: Vec<Register> = self.cell().and_then(object).into_iter().collect();
        self.for_each_expression(&mut |expression| {
            named.extend(expression.observes().and_then(object));
        });
        self.for_each_use(&mut |slots| {
            let at = named
                .iter()
                .position(|&register| slots == Slots::One(register));
            match at {
                Some(at) => drop(named.swap_remove(at)),
                None => visit(slots),
            }
        });
    }

    /// Calls `visit` for every instruction of the same function that may come next.
    pub fn for_each_successor(&self, pc: Pc, visit: &mut dyn FnMut(Pc)) {
        match self {
            Instruction::Jump(target) => visit(*target),
            Instruction::Branch(_, target) => {
                visit(Pc(pc.0 + 1));
                visit(*target);
            }
            Instruction::Select(arms) => arms.iter().for_each(|arm| visit(arm.target)),
            Instruction::Return(_) | Instruction::Fail(..) => {}
            _ => visit(Pc(pc.0 + 1)),
        }
    }
}
