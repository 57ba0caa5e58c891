//! Expressions in which two threads of a group are exchanged, and whether they say the same as before.

use super::sorts::{Sorts, Term};
use crate::ir::{BinaryOperator, Cell, Expression};

/// Whether an expression is the same for whichever threads of a group are exchanged, of which there are
/// `count`. It is the index of one if it `is_index`.
pub(super) fn is_symmetric(
    sorts: &Sorts<'_>,
    expression: &Expression,
    is_index: bool,
    (group, count): (usize, u32),
) -> bool {
    (1..count as i32).all(|next| {
        let exchange = Exchange {
            sorts,
            group,
            pair: (next - 1, next),
        };
        let other = exchange.expression(expression, is_index);
        other == *expression || is_total(expression) && normal(&other) == normal(expression)
    })
}

/// The exchange of two threads of a group in expressions.
struct Exchange<'a, 'p> {
    sorts: &'a Sorts<'p>,
    group: usize,
    pair: (i32, i32),
}

impl Exchange<'_, '_> {
    fn expression(&self, it: &Expression, is_index: bool) -> Expression {
        let number = |inner: &Expression| Box::new(self.expression(inner, false));
        let same = |inner: &Expression| Box::new(self.expression(inner, is_index));
        match it {
            Expression::Constant(value) if is_index => Expression::Constant(match *value {
                value if value == self.pair.0 => self.pair.1,
                value if value == self.pair.1 => self.pair.0,
                value => value,
            }),
            Expression::LocalElement(array, index) => {
                Expression::LocalElement(*array, number(index))
            }
            Expression::ThreadLocalElement(array, index) => {
                Expression::ThreadLocalElement(*array, number(index))
            }
            Expression::Shared(cell) => Expression::Shared(self.cell(cell)),
            Expression::Owner(cell) => Expression::Owner(self.cell(cell)),
            Expression::ChannelLength(cell) => Expression::ChannelLength(self.cell(cell)),
            Expression::SemaphoreValue(cell) => Expression::SemaphoreValue(self.cell(cell)),
            Expression::Unary(operator, inner) => Expression::Unary(*operator, number(inner)),
            Expression::Binary(operator, left, right) => {
                let compares = matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual);
                let names = |it: &Expression| match self.sorts.term(it) {
                    Term::Node(node) => self.sorts.is_index(node, self.group),
                    Term::Constant => false,
                };
                let is_index = compares && (names(left) || names(right));
                let side = |it: &Expression| Box::new(self.expression(it, is_index));
                Expression::Binary(*operator, side(left), side(right))
            }
            Expression::Conditional(condition, then, otherwise) => {
                Expression::Conditional(number(condition), same(then), same(otherwise))
            }
            Expression::Bounded(inner, bound) => Expression::Bounded(same(inner), *bound),
            Expression::Ranged(inner, range) => Expression::Ranged(same(inner), *range),
            _ => it.clone(),
        }
    }

    fn cell(&self, cell: &Cell) -> Cell {
        let region = cell.region.0 as usize;
        let sizes = &self.sorts.program.regions[region].dimensions;
        let index = cell.index.as_ref().map(|position| {
            let Some(parts) = indices(position, sizes) else {
                return Box::new(self.expression(position, false));
            };
            let nodes = &self.sorts.dimensions[region];
            let parts = parts
                .iter()
                .zip(nodes)
                .map(|(part, &node)| self.expression(part, self.sorts.is_index(node, self.group)));
            Box::new(position_of(parts.collect(), sizes, position))
        });
        Cell {
            region: cell.region,
            object: cell
                .object
                .as_ref()
                .map(|it| Box::new(self.expression(it, false))),
            index,
        }
    }
}

/// The position of an element with these indices, in the form of another one.
fn position_of(parts: Vec<Expression>, sizes: &[u32], like: &Expression) -> Expression {
    let constants: Option<Vec<i64>> = parts
        .iter()
        .map(|it| match it {
            Expression::Constant(value) => Some(i64::from(*value)),
            _ => None,
        })
        .collect();
    if let (Some(values), Expression::Constant(_)) = (&constants, like) {
        let position = values.iter().zip(sizes);
        let position = position.fold(0, |row, (value, &size)| row * i64::from(size) + value);
        return Expression::Constant(position as i32);
    }
    let mut all = parts.into_iter().zip(sizes);
    let first = all
        .next()
        .map_or(Expression::Constant(0), |(first, _)| first);
    all.fold(first, |row, (part, &size)| {
        let start = match row {
            // As it was folded, or not.
            Expression::Constant(value) if !has_product(like) => {
                Expression::Constant(value.wrapping_mul(size as i32))
            }
            row => {
                let size = Box::new(Expression::Constant(size as i32));
                Expression::Binary(BinaryOperator::Multiply, Box::new(row), size)
            }
        };
        Expression::Binary(BinaryOperator::Add, Box::new(start), Box::new(part))
    })
}

fn has_product(position: &Expression) -> bool {
    let Expression::Binary(BinaryOperator::Add, row, _) = position else {
        return false;
    };
    matches!(**row, Expression::Binary(BinaryOperator::Multiply, ..))
}

/// Whether an expression has a value in every state, so that the order in which it is evaluated makes no
/// difference.
fn is_total(expression: &Expression) -> bool {
    let mut total = true;
    expression.for_each(&mut |it| match it {
        Expression::Binary(BinaryOperator::Divide | BinaryOperator::Remainder, ..)
        | Expression::Bounded(..)
        | Expression::Ranged(..)
        | Expression::LocalElement(..)
        | Expression::ThreadLocalElement(..) => total = false,
        it => {
            if let Some(cell) = it.observes() {
                let index = cell.index.as_deref();
                let is_there = matches!(index, None | Some(Expression::Constant(_)));
                total &= cell.object.is_none() && is_there;
            }
        }
    });
    total
}

/// An expression in which the order of operands makes no difference where it makes none for the value.
fn normal(expression: &Expression) -> String {
    use BinaryOperator as B;
    match expression {
        Expression::Binary(
            operator @ (B::And | B::Or | B::Add | B::BitAnd | B::BitOr | B::BitXor),
            ..,
        ) => {
            let mut operands = Vec::new();
            flatten(expression, *operator, &mut operands);
            operands.sort_unstable();
            format!("{operator:?}({})", operands.join(", "))
        }
        Expression::Binary(operator @ (B::Equal | B::NotEqual), left, right) => {
            let mut operands = [normal(left), normal(right)];
            operands.sort_unstable();
            format!("{operator:?}({})", operands.join(", "))
        }
        Expression::Binary(operator, left, right) => {
            format!("{operator:?}({}, {})", normal(left), normal(right))
        }
        Expression::Unary(operator, inner) => format!("{operator:?}({})", normal(inner)),
        Expression::Conditional(condition, then, otherwise) => {
            let parts = [condition, then, otherwise].map(|it| normal(it));
            format!("If({})", parts.join(", "))
        }
        other => format!("{other:?}"),
    }
}

fn flatten(expression: &Expression, operator: BinaryOperator, out: &mut Vec<String>) {
    match expression {
        Expression::Binary(it, left, right) if *it == operator => {
            flatten(left, operator, out);
            flatten(right, operator, out);
        }
        other => out.push(normal(other)),
    }
}

/// The indices from which the position of an element is computed, row by row.
pub(super) fn indices(position: &Expression, sizes: &[u32]) -> Option<Vec<Expression>> {
    let (&last, rest) = sizes.split_last()?;
    if rest.is_empty() {
        return Some(vec![position.clone()]);
    }
    let size = i32::try_from(last).ok()?;
    match position {
        Expression::Constant(value) => {
            let mut parts = indices(&Expression::Constant(value.checked_div(size)?), rest)?;
            parts.push(Expression::Constant(value % size));
            Some(parts)
        }
        Expression::Binary(BinaryOperator::Add, row, column) => {
            let row = match &**row {
                Expression::Binary(BinaryOperator::Multiply, row, factor)
                    if **factor == Expression::Constant(size) =>
                {
                    indices(row, rest)?
                }
                Expression::Constant(value) if value % size == 0 => {
                    indices(&Expression::Constant(value / size), rest)?
                }
                _ => return None,
            };
            Some([row, vec![(**column).clone()]].concat())
        }
        _ => None,
    }
}
