//! Conditions: jumps that evaluate no more than they need.

use super::builder::{Builder, Point};
use super::expressions::unary;
use crate::ast::{Span, UnaryOperator as SourceOperator};
use crate::check::tree::{Expression as Tree, ExpressionKind};
use raddle_machine::ir::{BinaryOperator, Expression, Instruction, UnaryOperator};

impl Builder<'_> {
    /// Goes to the point if the condition has the value `when`, else on.
    pub(super) fn jump(&mut self, condition: &Tree, when: bool, point: Point, span: &Span) {
        match &condition.kind {
            ExpressionKind::Constant(word) => {
                if (*word != 0) == when {
                    self.go(point, span);
                }
            }
            ExpressionKind::Unary(SourceOperator::Not, inner) => {
                self.jump(inner, !when, point, span);
            }
            ExpressionKind::Binary(
                operator @ (BinaryOperator::And | BinaryOperator::Or),
                left,
                right,
            ) if self.has_events(right.facts) => {
                // The value of the left side that decides alone.
                let decides = *operator == BinaryOperator::Or;
                if decides == when {
                    self.jump(left, when, point, &left.span);
                    self.jump(right, when, point, &right.span);
                } else {
                    let past = self.point();
                    self.jump(left, decides, past, &left.span);
                    self.jump(right, when, point, &right.span);
                    self.bind(past);
                }
            }
            ExpressionKind::Conditional(choice, then, otherwise)
                if self.has_events(then.facts.and(otherwise.facts)) =>
            {
                let (other, end) = (self.point(), self.point());
                self.jump(choice, false, other, &choice.span);
                self.jump(then, when, point, &then.span);
                self.go(end, span);
                self.bind(other);
                self.jump(otherwise, when, point, &otherwise.span);
                self.bind(end);
            }
            _ => {
                let mark = self.mark();
                let value = self.value(condition, true);
                let value = if when { negated(value) } else { value };
                let target = self.target(point);
                self.emit(Instruction::Branch(value, target), span);
                self.release(mark);
            }
        }
    }

    /// Goes to the point.
    pub(super) fn go(&mut self, point: Point, span: &Span) {
        let target = self.target(point);
        self.emit(Instruction::Jump(target), span);
    }
}

/// The opposite of a condition.
fn negated(value: Expression) -> Expression {
    use BinaryOperator as B;
    match value {
        Expression::Unary(UnaryOperator::Not, inner) => *inner,
        Expression::Binary(operator, left, right) => {
            let opposite = match operator {
                B::Equal => B::NotEqual,
                B::NotEqual => B::Equal,
                B::Less => B::GreaterOrEqual,
                B::LessOrEqual => B::Greater,
                B::Greater => B::LessOrEqual,
                B::GreaterOrEqual => B::Less,
                _ => {
                    let value = Expression::Binary(operator, left, right);
                    return unary(SourceOperator::Not, value);
                }
            };
            Expression::Binary(opposite, left, right)
        }
        other => unary(SourceOperator::Not, other),
    }
}
