//! Expressions: in one piece where that is allowed, else split into temporaries.

use super::builder::{Builder, reads_shared};
use crate::ast::UnaryOperator as SourceOperator;
use crate::check::tree::{Expression as Tree, ExpressionKind, Facts, Location, Storage};
use raddle_machine::ir::{
    Array, BinaryOperator, Cell, Expression, Instruction, Range, Register, Target, UnaryOperator,
    ValueType,
};

impl Builder<'_> {
    /// The value of an expression, after instructions for all that cannot be part of
    /// it. Where shared reads are steps of their own, one read may remain in it if
    /// `keep` says so, the last one, and otherwise none.
    pub(super) fn value(&mut self, tree: &Tree, keep: bool) -> Expression {
        if !self.has_events(tree.facts) {
            return inline(&self.bases, tree);
        }
        match &tree.kind {
            ExpressionKind::Load(location)
            | ExpressionKind::Owner(location)
            | ExpressionKind::ChannelLength(location)
            | ExpressionKind::SemaphoreValue(location) => self.observation(tree, location, keep),
            ExpressionKind::Unary(operator, inner) => {
                let inner = self.value(inner, keep);
                unary(*operator, inner)
            }
            ExpressionKind::Binary(
                operator @ (BinaryOperator::And | BinaryOperator::Or),
                left,
                right,
            ) if self.has_events(right.facts) => self.short_circuit(*operator, left, right, tree),
            ExpressionKind::Binary(operator, left, right) => {
                self.binary(*operator, left, right, tree, keep)
            }
            ExpressionKind::Conditional(condition, then, otherwise)
                if self.has_events(then.facts.and(otherwise.facts)) =>
            {
                self.conditional(condition, then, otherwise, tree)
            }
            ExpressionKind::Conditional(condition, then, otherwise) => {
                let condition = self.value(condition, keep);
                let then = inline(&self.bases, then);
                let otherwise = inline(&self.bases, otherwise);
                Expression::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise))
            }
            ExpressionKind::Count(_) => {
                let value = inline(&self.bases, tree);
                self.kept(value, tree, keep)
            }
            _ => self.effect_value(tree),
        }
    }

    /// Whether the evaluation needs instructions of its own.
    pub(super) fn has_events(&self, facts: Facts) -> bool {
        facts.effects || (self.splits() && facts.reads)
    }

    /// A value that reads shared memory: itself if the read may be kept, else a
    /// temporary.
    fn kept(&mut self, value: Expression, tree: &Tree, keep: bool) -> Expression {
        if keep || !self.splits() || !reads_shared(&value) {
            return value;
        }
        self.spill(value, self.temporary_type(tree), &tree.span)
    }

    fn observation(&mut self, tree: &Tree, location: &Location, keep: bool) -> Expression {
        let mark = self.mark();
        // A read of an element of a local array may keep a read in its index.
        let inner = keep && !location.is_shared();
        let parts = self.parts(location, Facts::default(), inner);
        let value = observe(&self.bases, tree, location, parts);
        if keep || !self.splits() || !reads_shared(&value) {
            return value;
        }
        self.release(mark);
        self.spill(value, self.temporary_type(tree), &tree.span)
    }

    /// The expressions that name a location, before something else is evaluated.
    pub(super) fn parts(
        &mut self,
        location: &Location,
        after: Facts,
        keep: bool,
    ) -> Vec<Expression> {
        let parts: Vec<&Tree> = location.parts().collect();
        self.operands(&parts, after, keep)
    }

    /// The values of several expressions, evaluated from left to right, and then
    /// something with the facts `after`. One shared read may be kept, the last one.
    pub(super) fn operands(
        &mut self,
        trees: &[&Tree],
        after: Facts,
        keep: bool,
    ) -> Vec<Expression> {
        let mut values = Vec::new();
        for (position, tree) in trees.iter().enumerate() {
            let later = Facts::of(trees[position + 1..].iter().copied()).and(after);
            let value = self.value(tree, keep && !self.has_events(later));
            values.push(self.shielded(value, tree, later));
        }
        values
    }

    /// The value as it is now, even if what is evaluated later changes the variables
    /// that it reads.
    pub(super) fn shielded(&mut self, value: Expression, tree: &Tree, later: Facts) -> Expression {
        // What has become a temporary is not disturbed any more.
        let reads = reads_shared(&value);
        let bare = Facts {
            reads,
            measures: reads && tree.facts.measures,
            ..tree.facts
        };
        if !bare.disturbed_by(later) {
            return value;
        }
        self.spill(value, self.temporary_type(tree), &tree.span)
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &Tree,
        right: &Tree,
        tree: &Tree,
        keep: bool,
    ) -> Expression {
        // If both sides read, the right read can be made together with the operation:
        // as many steps, fewer temporaries.
        let both = self.splits() && self.has_events(left.facts) && self.has_events(right.facts);
        let mark = self.mark();
        let mut values = self.operands(&[left, right], Facts::default(), keep || both);
        let (Some(second), Some(first)) = (values.pop(), values.pop()) else {
            return Expression::Constant(0);
        };
        let value = binary(operator, first, second);
        if keep || !reads_shared(&value) || !self.splits() {
            return value;
        }
        self.release(mark);
        self.spill(value, self.temporary_type(tree), &right.span)
    }

    /// `a && b` and `a || b` where `b` must not be evaluated unless it is needed.
    fn short_circuit(
        &mut self,
        operator: BinaryOperator,
        left: &Tree,
        right: &Tree,
        tree: &Tree,
    ) -> Expression {
        let result = self.temporary(ValueType::Bool);
        let end = self.point();
        self.assign_temporary(result, left);
        let again = match operator {
            BinaryOperator::And => Expression::Local(result),
            _ => unary(SourceOperator::Not, Expression::Local(result)),
        };
        let target = self.target(end);
        self.emit(Instruction::Branch(again, target), &tree.span);
        self.assign_temporary(result, right);
        self.bind(end);
        Expression::Local(result)
    }

    /// `c ? a : b` where only one of `a` and `b` may be evaluated.
    fn conditional(
        &mut self,
        condition: &Tree,
        then: &Tree,
        otherwise: &Tree,
        tree: &Tree,
    ) -> Expression {
        let result = self.temporary(self.temporary_type(tree));
        let (other, end) = (self.point(), self.point());
        self.jump(condition, false, other, &condition.span);
        self.assign_temporary(result, then);
        let target = self.target(end);
        self.emit(Instruction::Jump(target), &tree.span);
        self.bind(other);
        self.assign_temporary(result, otherwise);
        self.bind(end);
        Expression::Local(result)
    }

    fn assign_temporary(&mut self, register: Register, tree: &Tree) {
        if Self::is_effect(tree) {
            self.effect_into(tree, Some(register));
            return;
        }
        let mark = self.mark();
        let value = self.value(tree, true);
        let target = Target::Local(register);
        self.emit(Instruction::Assign(target, value), &tree.span);
        self.release(mark);
    }
}

/// The value of an expression without effects, in one piece. `bases` are the first
/// registers of the locals.
pub(super) fn inline(bases: &[u16], tree: &Tree) -> Expression {
    let boxed = |tree: &Tree| Box::new(inline(bases, tree));
    match &tree.kind {
        ExpressionKind::Constant(value) => Expression::Constant(*value),
        ExpressionKind::Me => Expression::Me,
        ExpressionKind::Load(location)
        | ExpressionKind::Owner(location)
        | ExpressionKind::ChannelLength(location)
        | ExpressionKind::SemaphoreValue(location) => {
            let parts = location.parts().map(|part| inline(bases, part)).collect();
            observe(bases, tree, location, parts)
        }
        ExpressionKind::Unary(operator, inner) => unary(*operator, inline(bases, inner)),
        ExpressionKind::Binary(operator, left, right) => {
            binary(*operator, inline(bases, left), inline(bases, right))
        }
        ExpressionKind::Conditional(condition, then, otherwise) => {
            Expression::Conditional(boxed(condition), boxed(then), boxed(otherwise))
        }
        ExpressionKind::At(label) => Expression::At(*label),
        ExpressionKind::Count(label) => Expression::CountAt(*label),
        ExpressionKind::Elements(region) => Expression::Length(*region),
        ExpressionKind::Accessed => Expression::Accessed,
        // Null is zero where its type does not matter; the others have effects and
        // never come here.
        ExpressionKind::Null
        | ExpressionKind::Call(..)
        | ExpressionKind::New(_)
        | ExpressionKind::Spawn(..)
        | ExpressionKind::Choose(..)
        | ExpressionKind::Receive(_)
        | ExpressionKind::CompareAndSet(..)
        | ExpressionKind::FetchAdd(..) => Expression::Constant(0),
    }
}

/// What a tree that names a location observes there.
fn observe(bases: &[u16], tree: &Tree, location: &Location, parts: Vec<Expression>) -> Expression {
    if !location.is_shared() {
        return load(target(bases, location, parts));
    }
    match (cell(location, parts), &tree.kind) {
        (Some(cell), ExpressionKind::Owner(_)) => Expression::Owner(cell),
        (Some(cell), ExpressionKind::ChannelLength(_)) => Expression::ChannelLength(cell),
        (Some(cell), ExpressionKind::SemaphoreValue(_)) => Expression::SemaphoreValue(cell),
        (Some(cell), _) => Expression::Shared(cell),
        (None, _) => Expression::Constant(0),
    }
}

/// The value at a target.
pub(super) fn load(target: Target) -> Expression {
    match target {
        Target::Local(register) => Expression::Local(register),
        Target::LocalElement(array, index) => Expression::LocalElement(array, Box::new(index)),
        Target::ThreadLocal(slot) => Expression::ThreadLocal(slot),
        Target::ThreadLocalElement(array, index) => {
            Expression::ThreadLocalElement(array, Box::new(index))
        }
        Target::Shared(cell) => Expression::Shared(cell),
    }
}

/// Where a value of a location is put. `parts` are the values of its parts.
pub(super) fn target(bases: &[u16], location: &Location, parts: Vec<Expression>) -> Target {
    let array = |base| Array {
        base,
        length: location.dimensions.iter().product(),
    };
    match location.storage {
        Storage::Local(id) => {
            let base = bases.get(id.0).copied().unwrap_or(0);
            match index(location, parts) {
                Some(index) => Target::LocalElement(array(base), index),
                None => Target::Local(Register(base)),
            }
        }
        Storage::ThreadLocal(base) => match index(location, parts) {
            Some(index) => Target::ThreadLocalElement(array(base), index),
            None => Target::ThreadLocal(base),
        },
        Storage::Shared(region) => Target::Shared(shared_cell(region, location, parts)),
    }
}

/// The shared object at a location.
pub(super) fn cell(location: &Location, parts: Vec<Expression>) -> Option<Cell> {
    match location.storage {
        Storage::Shared(region) => Some(shared_cell(region, location, parts)),
        Storage::Local(_) | Storage::ThreadLocal(_) => None,
    }
}

fn shared_cell(
    region: raddle_model::Region,
    location: &Location,
    mut parts: Vec<Expression>,
) -> Cell {
    let indices = parts.split_off(usize::from(location.object.is_some()).min(parts.len()));
    Cell {
        region,
        object: parts.pop().map(Box::new),
        index: index(location, indices).map(Box::new),
    }
}

/// The position of an element, row by row. The machine checks the position; with
/// several dimensions each index is checked, too.
fn index(location: &Location, indices: Vec<Expression>) -> Option<Expression> {
    let mut position: Option<Expression> = None;
    for (value, size) in indices.into_iter().zip(&location.dimensions) {
        let value = match location.dimensions.len() {
            1 => value,
            _ => bounded(value, *size),
        };
        position = Some(match position {
            None => value,
            Some(row) => {
                let size = Expression::Constant(*size as i32);
                let start = binary(BinaryOperator::Multiply, row, size);
                binary(BinaryOperator::Add, start, value)
            }
        });
    }
    position
}

fn bounded(value: Expression, size: u32) -> Expression {
    match value {
        Expression::Constant(word) if (0..i64::from(size)).contains(&i64::from(word)) => value,
        _ => Expression::Bounded(Box::new(value), size),
    }
}

/// A value as it can be stored in a variable of some type.
pub(super) fn stored(value: Expression, tree: &Tree, ty: ValueType) -> Expression {
    match ty {
        ValueType::Ranged(range) if !fits(&value, tree, range) => {
            Expression::Ranged(Box::new(value), range)
        }
        _ => value,
    }
}

/// Whether a value is known to lie in a range.
pub(super) fn fits(value: &Expression, tree: &Tree, range: Range) -> bool {
    let within = |low: i32, high: i32| range.low <= low && high <= range.high;
    match (value, &tree.kind) {
        (Expression::Constant(word), _) => within(*word, *word),
        (_, ExpressionKind::Load(location)) => match location.value {
            ValueType::Ranged(source) => within(source.low, source.high),
            _ => false,
        },
        _ => false,
    }
}

/// An operation on one value; known values are computed.
pub(super) fn unary(operator: SourceOperator, value: Expression) -> Expression {
    let operator = match (operator, &value) {
        (SourceOperator::Negate, Expression::Constant(word)) => {
            return Expression::Constant(word.wrapping_neg());
        }
        (SourceOperator::Complement, Expression::Constant(word)) => {
            return Expression::Constant(!word);
        }
        (SourceOperator::Not, Expression::Constant(word)) => {
            return Expression::Constant(i32::from(*word == 0));
        }
        (SourceOperator::Negate, _) => UnaryOperator::Negate,
        (SourceOperator::Not, _) => UnaryOperator::Not,
        (SourceOperator::Complement, _) => UnaryOperator::Complement,
    };
    Expression::Unary(operator, Box::new(value))
}

/// An operation on two values; sums and products of known values are computed.
pub(super) fn binary(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    use BinaryOperator as B;
    if let (Expression::Constant(a), Expression::Constant(b)) = (&left, &right) {
        let word = match operator {
            B::Add => Some(a.wrapping_add(*b)),
            B::Subtract => Some(a.wrapping_sub(*b)),
            B::Multiply => Some(a.wrapping_mul(*b)),
            B::Equal => Some(i32::from(a == b)),
            B::NotEqual => Some(i32::from(a != b)),
            B::Less => Some(i32::from(a < b)),
            B::LessOrEqual => Some(i32::from(a <= b)),
            B::Greater => Some(i32::from(a > b)),
            B::GreaterOrEqual => Some(i32::from(a >= b)),
            _ => None,
        };
        if let Some(word) = word {
            return Expression::Constant(word);
        }
    }
    Expression::Binary(operator, Box::new(left), Box::new(right))
}
