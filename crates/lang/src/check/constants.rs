//! The values of constant expressions, computed with 64 bits so that a value that
//! does not fit into 32 is an error and not another number.

use super::Checker;
use super::Context;
use super::tree::{Expression, ExpressionKind};
use super::types::Type;
use crate::ast::{self, Span, UnaryOperator};
use raddle_diagnostics::Diagnostic;
use raddle_machine::ir::BinaryOperator;

/// Why an expression has no constant value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    NotConstant(Span),
    Overflow(Span),
    DivisionByZero(Span),
}

impl<'a> Checker<'a> {
    /// The value of an expression that must be constant.
    pub(super) fn constant(
        &mut self,
        expression: &'a ast::Expression,
        ty: Type,
        what: &str,
    ) -> Option<i32> {
        let checked = self.within(Context::Constant, |checker| checker.expression(expression));
        let checked = self.coerce(checked, ty);
        self.constant_word(&checked, what)
    }

    /// The value of a checked expression that must be constant.
    pub(super) fn constant_word(&mut self, checked: &Expression, what: &str) -> Option<i32> {
        if checked.ty == Type::Error {
            return None;
        }
        let failure = match evaluate(checked) {
            Ok(value) => match i32::try_from(value) {
                Ok(word) => return Some(word),
                Err(_) => Failure::Overflow(checked.span.clone()),
            },
            Err(failure) => failure,
        };
        self.report(match failure {
            Failure::NotConstant(span) => Diagnostic::new(
                span,
                format!("{what} must be constant"),
                "this is not known before the program runs",
            ),
            Failure::Overflow(span) => Diagnostic::new(
                span,
                "this constant does not fit into 32 bits",
                "expected a value from -2147483648 to 2147483647",
            ),
            Failure::DivisionByZero(span) => {
                Diagnostic::new(span, "this constant divides by zero", "the divisor is zero")
            }
        });
        None
    }
}

/// The value of an expression, if it is constant.
pub(super) fn evaluate(expression: &Expression) -> Result<i64, Failure> {
    let span = || expression.span.clone();
    match &expression.kind {
        ExpressionKind::Constant(value) => Ok(i64::from(*value)),
        ExpressionKind::Null => Ok(0),
        ExpressionKind::Unary(operator, inner) => {
            let value = evaluate(inner)?;
            match operator {
                UnaryOperator::Negate => {
                    value.checked_neg().ok_or_else(|| Failure::Overflow(span()))
                }
                UnaryOperator::Not => Ok(i64::from(value == 0)),
                UnaryOperator::Complement => Ok(!value),
            }
        }
        ExpressionKind::Binary(BinaryOperator::And, left, right) => match evaluate(left)? {
            0 => Ok(0),
            _ => evaluate(right),
        },
        ExpressionKind::Binary(BinaryOperator::Or, left, right) => match evaluate(left)? {
            0 => evaluate(right),
            _ => Ok(1),
        },
        ExpressionKind::Binary(operator, left, right) => {
            binary(*operator, evaluate(left)?, evaluate(right)?, span())
        }
        ExpressionKind::Conditional(condition, then, otherwise) => match evaluate(condition)? {
            0 => evaluate(otherwise),
            _ => evaluate(then),
        },
        _ => Err(Failure::NotConstant(span())),
    }
}

fn binary(operator: BinaryOperator, left: i64, right: i64, span: Span) -> Result<i64, Failure> {
    use BinaryOperator as B;
    let result = match operator {
        B::Divide | B::Remainder if right == 0 => return Err(Failure::DivisionByZero(span)),
        B::Add => left.checked_add(right),
        B::Subtract => left.checked_sub(right),
        B::Multiply => left.checked_mul(right),
        B::Divide => left.checked_div(right),
        B::Remainder => left.checked_rem(right),
        B::Equal => Some(i64::from(left == right)),
        B::NotEqual => Some(i64::from(left != right)),
        B::Less => Some(i64::from(left < right)),
        B::LessOrEqual => Some(i64::from(left <= right)),
        B::Greater => Some(i64::from(left > right)),
        B::GreaterOrEqual => Some(i64::from(left >= right)),
        B::And => Some(i64::from(left != 0 && right != 0)),
        B::Or => Some(i64::from(left != 0 || right != 0)),
        B::BitAnd => Some(left & right),
        B::BitOr => Some(left | right),
        B::BitXor => Some(left ^ right),
        B::ShiftLeft => left.checked_mul(1 << (right & 31)),
        B::ShiftRight => Some(left >> (right & 31)),
    };
    result.ok_or(Failure::Overflow(span))
}
