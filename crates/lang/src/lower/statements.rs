//! Statements.

use super::builder::{Builder, Scope, reads_shared};
use super::expressions::{binary, cell, inline, load, stored, target};
use crate::ast::{ObjectOperation, Span};
use crate::check::tree::{
    Alternative, Expression as Tree, Facts, LocalId, LocalInitial, Location, Statement,
    StatementKind, Storage,
};
use crate::check::types::default_value;
use raddle_machine::ir::{
    Arm, BinaryOperator, Cell, Expression, Instruction, Register, Target, ValueType,
};
use raddle_model::FaultKind;

impl Builder<'_> {
    /// Statements one after the other.
    pub(super) fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let first = self.here();
        let mark = self.mark();
        self.begin(true);
        self.unlabelled(statement);
        self.release(mark);
        if let Some(label) = statement.label {
            if self.here() == first {
                self.emit(Instruction::Skip, &statement.span);
            }
            self.label(label.0 as usize, first);
        }
    }

    fn unlabelled(&mut self, statement: &Statement) {
        let span = &statement.span;
        match &statement.kind {
            StatementKind::Block(body) => self.statements(body),
            StatementKind::Declare(local, initial) => self.declare(*local, initial, span),
            StatementKind::Assign {
                target,
                operator: None,
                value,
            } => self.assign(target, value, span),
            StatementKind::Assign {
                target,
                operator: Some(operator),
                value,
            } => self.update(target, *operator, value, span),
            StatementKind::Evaluate(expression) => self.effect_into(expression, None),
            StatementKind::Break => self.leave(false, span),
            StatementKind::Continue => self.leave(true, span),
            StatementKind::Return(value) => self.give_back(value.as_ref(), span),
            StatementKind::Skip => self.emit(Instruction::Skip, span),
            StatementKind::Operation(operation, object) => {
                self.operation(*operation, object, span);
            }
            StatementKind::Send(channel, value) => {
                if let Some((cell, mut values)) = self.cell_with(channel, &[value]) {
                    let word = values.pop().unwrap_or(Expression::Constant(0));
                    let word = stored(word, value, channel.value);
                    self.emit(Instruction::Send(cell, word), span);
                }
            }
            StatementKind::Join(thread) => {
                let thread = self.value(thread, false);
                self.emit(Instruction::Join(thread), span);
            }
            StatementKind::Synchronized(lock, body) => self.synchronized(lock, body, span),
            StatementKind::Atomic(body) => self.atomically(None, body, span),
            StatementKind::Await { condition, body } => match body {
                None => {
                    let condition = inline(&self.bases, condition);
                    self.emit(Instruction::Await(condition), span);
                }
                Some(body) => {
                    self.atomically(Some(condition), std::slice::from_ref(&**body), span);
                }
            },
            StatementKind::Choose(alternatives) => self.choose(alternatives, span),
            StatementKind::Assume(condition) => {
                let condition = self.value(condition, true);
                self.emit(Instruction::Assume(condition), span);
            }
            StatementKind::Assert(condition, message) => {
                let message = match message {
                    Some(message) => message.clone(),
                    None => super::text_of(self.source, &condition.span),
                };
                let condition = self.value(condition, true);
                self.emit(Instruction::Assert(condition, message), span);
            }
            StatementKind::Unreachable => {
                let message = "a statement was reached that must not be".to_owned();
                self.emit(Instruction::Fail(FaultKind::Unreachable, message), span);
            }
            StatementKind::If { .. }
            | StatementKind::While { .. }
            | StatementKind::DoWhile { .. }
            | StatementKind::For { .. } => self.branching(&statement.kind, span),
        }
    }

    fn branching(&mut self, kind: &StatementKind, span: &Span) {
        self.begin(false);
        match kind {
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let other = self.point();
                self.jump(condition, false, other, span);
                self.statement(then);
                match otherwise {
                    None => self.bind(other),
                    Some(otherwise) => {
                        let end = self.point();
                        self.go(end, span);
                        self.bind(other);
                        self.statement(otherwise);
                        self.bind(end);
                    }
                }
            }
            StatementKind::While { condition, body } => {
                self.repeat(Some((condition, span)), None, body, span);
            }
            StatementKind::For {
                first,
                condition,
                next,
                body,
            } => {
                if let Some(first) = first {
                    self.statement(first);
                }
                let condition = condition.as_ref().map(|c| (c, &c.span));
                self.repeat(condition, next.as_deref(), body, span);
            }
            StatementKind::DoWhile { body, condition } => {
                let (head, next, end) = (self.point(), self.point(), self.point());
                self.bind(head);
                self.scopes.push(Scope::Loop { next, end });
                self.statement(body);
                self.scopes.pop();
                self.bind(next);
                self.begin(false);
                self.jump(condition, true, head, &condition.span);
                self.bind(end);
            }
            _ => {}
        }
    }

    /// A loop that tests its condition first.
    fn repeat(
        &mut self,
        condition: Option<(&Tree, &Span)>,
        next: Option<&Statement>,
        body: &Statement,
        span: &Span,
    ) {
        let (head, again, end) = (self.point(), self.point(), self.point());
        self.bind(head);
        if let Some((condition, span)) = condition {
            self.begin(false);
            self.jump(condition, false, end, span);
        }
        let continued = if next.is_some() { again } else { head };
        self.scopes.push(Scope::Loop {
            next: continued,
            end,
        });
        self.statement(body);
        self.scopes.pop();
        self.bind(again);
        if let Some(next) = next {
            self.statement(next);
        }
        self.go(head, span);
        self.bind(end);
    }

    fn leave(&mut self, continues: bool, span: &Span) {
        let found = self
            .scopes
            .iter()
            .rposition(|scope| matches!(scope, Scope::Loop { .. }));
        let Some(position) = found else {
            return;
        };
        if let Scope::Loop { next, end } = self.scopes[position].clone() {
            self.unwind(position, span);
            self.go(if continues { next } else { end }, span);
        }
    }

    fn give_back(&mut self, value: Option<&Tree>, span: &Span) {
        self.begin(false);
        let inside = self
            .scopes
            .iter()
            .any(|scope| !matches!(scope, Scope::Loop { .. }));
        let value = value.map(|tree| {
            let mut value = self.value(tree, !inside);
            // The value is that before the locks are given back.
            if inside && reads_shared(&value) {
                value = self.spill(value, self.temporary_type(tree), &tree.span);
            }
            match self.function.result {
                Some(ty) => stored(value, tree, ty),
                None => value,
            }
        });
        self.unwind(0, span);
        self.emit(Instruction::Return(value), span);
    }

    fn declare(&mut self, local: LocalId, initial: &LocalInitial, span: &Span) {
        let Some(declared) = self.function.locals.get(local.0) else {
            return;
        };
        let base = self.bases.get(local.0).copied().unwrap_or(0);
        let length = declared.dimensions.iter().product::<u32>() as u16;
        match initial {
            LocalInitial::Default => {
                self.begin(false);
                let word = Expression::Constant(default_value(declared.value));
                for offset in 0..length {
                    self.set(base + offset, word.clone(), span);
                }
            }
            LocalInitial::Each(value) if length == 1 => {
                self.set_local(base, declared.value, value, span);
            }
            LocalInitial::Each(value) => {
                let word = self.value(value, true);
                let mut word = stored(word, value, declared.value);
                if !matches!(word, Expression::Constant(_)) {
                    word = self.spill(word, declared.value, &value.span);
                }
                for offset in 0..length {
                    self.set(base + offset, word.clone(), span);
                }
            }
            LocalInitial::List(values) => {
                for (offset, value) in (0..length).zip(values) {
                    self.set_local(base + offset, declared.value, value, span);
                }
            }
        }
    }

    fn set(&mut self, register: u16, value: Expression, span: &Span) {
        let target = Target::Local(Register(register));
        self.emit(Instruction::Assign(target, value), span);
    }

    /// Gives a local variable the value of an expression.
    fn set_local(&mut self, register: u16, ty: ValueType, value: &Tree, span: &Span) {
        let mark = self.mark();
        if Self::is_effect(value) && !matches!(ty, ValueType::Ranged(_)) {
            self.effect_into(value, Some(Register(register)));
        } else {
            let word = self.value(value, true);
            self.set(register, stored(word, value, ty), span);
        }
        self.release(mark);
    }

    fn assign(&mut self, location: &Location, value: &Tree, span: &Span) {
        if let Storage::Local(id) = location.storage
            && location.dimensions.is_empty()
        {
            let register = self.bases.get(id.0).copied().unwrap_or(0);
            self.set_local(register, location.value, value, span);
            return;
        }
        let mut trees: Vec<&Tree> = location.parts().collect();
        let named = trees.len();
        trees.push(value);
        let mut parts = self.operands(&trees, Facts::default(), !location.is_shared());
        let mut words = parts.split_off(named.min(parts.len()));
        let word = words.pop().unwrap_or(Expression::Constant(0));
        let target = target(&self.bases, location, parts);
        let word = stored(word, value, location.value);
        self.emit(Instruction::Assign(target, word), span);
    }

    /// `x += e`: what names the variable is evaluated once, then the variable is
    /// read, then the value evaluated, then the variable written.
    fn update(&mut self, location: &Location, operator: BinaryOperator, value: &Tree, span: &Span) {
        let shared = location.is_shared();
        let parts = self.parts(location, value.facts, false);
        let target = target(&self.bases, location, parts);
        let mut current = load(target.clone());
        let current_facts = Facts {
            reads: shared,
            thread_locals: matches!(location.storage, Storage::ThreadLocal(_)),
            ..Facts::default()
        };
        if current_facts.disturbed_by(value.facts) || (shared && self.splits()) {
            current = self.spill(current, location_type(location), span);
        }
        let word = self.value(value, !shared);
        let word = binary(operator, current, word);
        let word = match location.value {
            ValueType::Ranged(range) => Expression::Ranged(Box::new(word), range),
            _ => word,
        };
        self.emit(Instruction::Assign(target, word), span);
    }

    fn operation(&mut self, operation: ObjectOperation, object: &Location, span: &Span) {
        let Some((cell, _)) = self.cell_with(object, &[]) else {
            return;
        };
        let instruction = match operation {
            ObjectOperation::Acquire => Instruction::Acquire(cell),
            ObjectOperation::Release => Instruction::Release(cell),
            ObjectOperation::Notify => Instruction::Notify(cell),
            ObjectOperation::NotifyAll => Instruction::NotifyAll(cell),
            ObjectOperation::Up => Instruction::Up(cell),
            ObjectOperation::Down => Instruction::Down(cell),
            ObjectOperation::Wait => {
                // Between the two instructions others run: both must mean one lock.
                let cell = match Facts::of(object.parts()).reads {
                    true => self.settled(cell, object, span),
                    false => cell,
                };
                self.emit(Instruction::Wait(cell.clone()), span);
                Instruction::WaitResume(cell)
            }
        };
        self.emit(instruction, span);
    }

    /// The same object, named by temporaries and constants only, so that it stays
    /// the same whatever happens to variables.
    fn settled(&mut self, cell: Cell, location: &Location, span: &Span) -> Cell {
        let object = cell.object.map(|object| {
            let ty = location
                .object
                .as_deref()
                .map(|tree| self.temporary_type(tree));
            Box::new(self.settle(*object, ty.unwrap_or(ValueType::Int), span))
        });
        let index = cell
            .index
            .map(|index| Box::new(self.settle(*index, ValueType::Int, span)));
        Cell {
            region: cell.region,
            object,
            index,
        }
    }

    fn settle(&mut self, value: Expression, ty: ValueType, span: &Span) -> Expression {
        match value {
            Expression::Constant(_) => value,
            Expression::Local(register) if self.is_temporary(register) => value,
            _ => self.spill(value, ty, span),
        }
    }

    fn synchronized(&mut self, lock: &Location, body: &[Statement], span: &Span) {
        let parts = self.parts(lock, Facts::default(), false);
        let Some(named) = cell(lock, parts) else {
            return;
        };
        // Which lock it is is decided once: what is taken is what is given back. Over
        // local variables that can be done after the acquisition, in the same step.
        let mut parts = named.object.iter().chain(&named.index);
        let cell = if parts.any(|part| reads_shared(part)) || self.splits() {
            let cell = self.settled(named, lock, span);
            self.emit(Instruction::Acquire(cell.clone()), span);
            cell
        } else {
            self.emit(Instruction::Acquire(named.clone()), span);
            self.settled(named, lock, span)
        };
        self.scopes.push(Scope::Synchronized(cell.clone()));
        self.statements(body);
        self.scopes.pop();
        self.begin(true);
        self.emit(Instruction::Release(cell), &end_of(span));
    }

    /// `atomic { ... }`, or `await (c) ...` if there is a condition.
    fn atomically(&mut self, condition: Option<&Tree>, body: &[Statement], span: &Span) {
        self.emit(Instruction::AtomicBegin, span);
        self.atomic += 1;
        self.scopes.push(Scope::Atomic);
        if let Some(condition) = condition {
            let condition = inline(&self.bases, condition);
            self.emit(Instruction::Await(condition), span);
        }
        self.statements(body);
        self.scopes.pop();
        self.emit(Instruction::AtomicEnd, &end_of(span));
        self.atomic -= 1;
    }

    fn choose(&mut self, alternatives: &[Alternative], span: &Span) {
        let end = self.point();
        let mut arms = Vec::new();
        let mut points = Vec::new();
        for alternative in alternatives {
            let point = self.point();
            points.push(point);
            arms.push(Arm {
                guard: alternative
                    .guard
                    .as_ref()
                    .map(|guard| inline(&self.bases, guard)),
                target: self.target(point),
            });
        }
        self.emit(Instruction::Select(arms), span);
        let last = points.len().saturating_sub(1);
        for (position, (alternative, point)) in alternatives.iter().zip(points).enumerate() {
            self.bind(point);
            self.statements(&alternative.body);
            if position != last {
                self.go(end, span);
            }
        }
        self.bind(end);
    }
}

/// The type of a temporary for the value at a location.
fn location_type(location: &Location) -> ValueType {
    match location.value {
        ValueType::Ranged(_) => ValueType::Int,
        other => other,
    }
}

/// The last character of a block: its closing brace.
fn end_of(span: &Span) -> Span {
    span.end.saturating_sub(1)..span.end
}
