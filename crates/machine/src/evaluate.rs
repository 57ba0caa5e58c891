//! The value of an expression and the word of a cell, as one thread sees them.

use crate::ir::{Array, BinaryOperator, Cell, Expression, Label, Range, UnaryOperator};
use crate::memory::{Layout, Lock};
use raddle_model::{FaultKind, Object, Operation, Thread};

/// Told of what a step does. Those who want to know implement what they want to know.
pub trait Watch {
    /// The instruction at this index is about to be executed.
    #[inline(always)]
    fn instruction(&mut self, _pc: u32) {}

    /// An operation on an object, told before it happens or has to wait. The value
    /// is the one read or written, where there is one.
    fn access(&mut self, object: Object, operation: Operation, value: Option<i32>);

    /// A choice was made.
    #[inline(always)]
    fn chose(&mut self, _value: i32) {}

    /// A waiting thread was notified.
    #[inline(always)]
    fn woke(&mut self, _thread: Thread) {}

    /// A branch goes on in this way; see [`Reached`](crate::reached::Reached).
    #[inline(always)]
    fn branched(&mut self, _pc: u32, _way: usize) {}

    /// An assumption or a choice goes on in this way.
    #[inline(always)]
    fn decided(&mut self, _pc: u32, _way: usize) {}

    /// The step ends, or a thread begins, before this instruction.
    #[inline(always)]
    fn stands(&mut self, _pc: u32) {}
}

/// Nobody is watching: the search's hot loop.
#[derive(Debug)]
pub struct Unwatched;

impl Watch for Unwatched {
    #[inline(always)]
    fn access(&mut self, _: Object, _: Operation, _: Option<i32>) {}
}

/// What went wrong in an expression. It is rare and boxed, so that the usual result
/// of an evaluation fits into registers.
pub type Wrong = Box<EvaluationError>;

/// The ways in which an expression can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluationError {
    /// An index is not in an array of this length.
    Index(i32, u32),
    /// A null reference was followed.
    Null,
    /// Division by zero.
    Division,
    /// A value is not in its range.
    Range(i32, Range),
}

impl EvaluationError {
    /// The kind of fault that it is.
    pub fn kind(self) -> FaultKind {
        match self {
            EvaluationError::Index(..) => FaultKind::IndexOutOfRange,
            EvaluationError::Null => FaultKind::NullDereference,
            EvaluationError::Division => FaultKind::DivisionByZero,
            EvaluationError::Range(..) => FaultKind::RangeOverflow,
        }
    }

    /// In words.
    pub fn message(self) -> String {
        match self {
            EvaluationError::Index(index, length) => {
                format!("index {index} is out of range for an array of length {length}")
            }
            EvaluationError::Null => "a null reference is followed".to_owned(),
            EvaluationError::Division => "division by zero".to_owned(),
            EvaluationError::Range(value, range) => {
                format!("{value} is not in the range {}..{}", range.low, range.high)
            }
        }
    }
}

/// A state as one thread sees it.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// Where everything is.
    pub layout: &'a Layout,
    /// The program's labels.
    pub labels: &'a [Label],
    /// The state.
    pub words: &'a [u32],
    /// The thread.
    pub thread: Thread,
    /// The first register of its frame.
    pub base: usize,
    /// In claims: the index of the accessed element, or the accessed instance.
    pub accessed: i32,
}

/// A word of a state with the object it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The object.
    pub object: Object,
    /// The index of its first word.
    pub word: usize,
}

impl<'a> View<'a> {
    /// The value of an expression.
    #[inline(always)]
    pub fn value<W: Watch>(&self, expression: &Expression, watch: &mut W) -> Result<i32, Wrong> {
        match expression {
            Expression::Constant(value) => Ok(*value),
            Expression::Local(register) => Ok(self.word(self.base + usize::from(register.0))),
            _ => self.compound(expression, watch),
        }
    }

    /// Whether a condition holds.
    #[inline]
    pub fn holds<W: Watch>(&self, expression: &Expression, watch: &mut W) -> Result<bool, Wrong> {
        Ok(self.value(expression, watch)? != 0)
    }

    #[inline]
    fn word(&self, index: usize) -> i32 {
        self.words[index] as i32
    }

    /// The value of an expression that is neither a constant nor a register.
    pub(crate) fn compound<W: Watch>(
        &self,
        expression: &Expression,
        watch: &mut W,
    ) -> Result<i32, Wrong> {
        match expression {
            Expression::Binary(operator, left, right) => {
                let left = self.value(left, watch)?;
                match operator {
                    BinaryOperator::And if left == 0 => Ok(0),
                    BinaryOperator::Or if left != 0 => Ok(1),
                    _ => binary(*operator, left, self.value(right, watch)?),
                }
            }
            Expression::Shared(cell) => {
                let location = self.locate(cell, watch)?;
                let value = self.word(location.word);
                watch.access(location.object, Operation::Read, Some(value));
                Ok(value)
            }
            Expression::Unary(operator, inner) => {
                let inner = self.value(inner, watch)?;
                Ok(match operator {
                    UnaryOperator::Negate => inner.wrapping_neg(),
                    UnaryOperator::Not => i32::from(inner == 0),
                    UnaryOperator::Complement => !inner,
                })
            }
            Expression::Ranged(inner, range) => ranged(self.value(inner, watch)?, *range),
            _ => self.uncommon(expression, watch),
        }
    }

    /// The rest, apart, so that the common ones are fast.
    #[inline(never)]
    fn uncommon<W: Watch>(&self, expression: &Expression, watch: &mut W) -> Result<i32, Wrong> {
        match expression {
            Expression::Constant(_)
            | Expression::Local(_)
            | Expression::Binary(..)
            | Expression::Shared(_)
            | Expression::Unary(..)
            | Expression::Ranged(..) => self.value(expression, watch),
            Expression::Conditional(condition, then, otherwise) => {
                match self.holds(condition, watch)? {
                    true => self.value(then, watch),
                    false => self.value(otherwise, watch),
                }
            }
            Expression::Bounded(inner, bound) => {
                let inner = self.value(inner, watch)?;
                match (inner as u32) < *bound {
                    true => Ok(inner),
                    false => Err(Box::new(EvaluationError::Index(inner, *bound))),
                }
            }
            Expression::LocalElement(array, index) => {
                let slot = self.element(*array, index, watch)?;
                Ok(self.word(self.base + slot))
            }
            Expression::ThreadLocal(slot) => {
                Ok(self.word(self.thread_locals() + usize::from(*slot)))
            }
            Expression::ThreadLocalElement(array, index) => {
                let slot = self.element(*array, index, watch)?;
                Ok(self.word(self.thread_locals() + slot))
            }
            Expression::Me => Ok(self.thread.0 as i32),
            Expression::At(label) => {
                Ok(i32::from(self.stands_at(usize::from(label.0), self.thread)))
            }
            Expression::CountAt(label) => {
                let threads = (0..self.layout.threads(self.words)).map(|t| Thread(t as u32));
                Ok(threads
                    .filter(|&thread| self.stands_at(usize::from(label.0), thread))
                    .count() as i32)
            }
            Expression::Length(region) => Ok(self.layout.regions[region.0 as usize].length as i32),
            Expression::Accessed => Ok(self.accessed),
            Expression::Owner(cell)
            | Expression::ChannelLength(cell)
            | Expression::SemaphoreValue(cell) => {
                let location = self.locate(cell, watch)?;
                let word = self.words[location.word];
                let value = match expression {
                    Expression::Owner(_) => Lock(word).owner().map_or(-1, |thread| thread.0 as i32),
                    _ => word as i32,
                };
                watch.access(location.object, Operation::Read, Some(value));
                Ok(value)
            }
        }
    }

    fn stands_at(&self, label: usize, thread: Thread) -> bool {
        self.layout.pc(self.words, thread) == Some(self.labels[label].pc.0)
    }

    /// The first thread-local word of the thread.
    #[inline]
    pub fn thread_locals(&self) -> usize {
        self.layout.locals_start(self.words, self.thread)
    }

    /// The slot of an element of an array in slots.
    #[inline]
    pub fn element<W: Watch>(
        &self,
        array: Array,
        index: &Expression,
        watch: &mut W,
    ) -> Result<usize, Wrong> {
        let index = self.value(index, watch)?;
        match (index as u32) < array.length {
            true => Ok(usize::from(array.base) + index as usize),
            false => Err(Box::new(EvaluationError::Index(index, array.length))),
        }
    }

    /// Where a cell lies.
    #[inline]
    pub fn locate<W: Watch>(&self, cell: &Cell, watch: &mut W) -> Result<Location, Wrong> {
        let region = &self.layout.regions[cell.region.0 as usize];
        let index = match &cell.index {
            None => 0,
            Some(index) => {
                let index = self.value(index, watch)?;
                match (index as u32) < region.length {
                    true => index as usize,
                    false => return Err(Box::new(EvaluationError::Index(index, region.length))),
                }
            }
        };
        let within = region.offset + index * region.stride;
        let (word, index) = match &cell.object {
            None => (within, index as u32),
            Some(object) => {
                let reference = self.value(object, watch)? as u32 as usize;
                let instance = reference
                    .checked_sub(1)
                    .ok_or_else(|| Box::new(EvaluationError::Null))?;
                let within = instance + within;
                (self.layout.heap_start(self.words) + within, within as u32)
            }
        };
        let object = Object {
            region: cell.region,
            index,
        };
        Ok(Location { object, word })
    }
}

/// The location of an object, as [`View::locate`] would give it.
pub fn location(layout: &Layout, words: &[u32], object: Object) -> Location {
    let region = &layout.regions[object.region.0 as usize];
    let word = match region.field {
        false => region.offset + object.index as usize * region.stride,
        true => layout.heap_start(words) + object.index as usize,
    };
    Location { object, word }
}

/// A value brought into a range.
pub fn ranged(value: i32, range: Range) -> Result<i32, Wrong> {
    if (range.low..=range.high).contains(&value) {
        return Ok(value);
    }
    if !range.wraps {
        return Err(Box::new(EvaluationError::Range(value, range)));
    }
    let size = i64::from(range.high) - i64::from(range.low) + 1;
    let offset = (i64::from(value) - i64::from(range.low)).rem_euclid(size);
    Ok((i64::from(range.low) + offset) as i32)
}

#[inline(always)]
pub(crate) fn binary(operator: BinaryOperator, left: i32, right: i32) -> Result<i32, Wrong> {
    Ok(match operator {
        BinaryOperator::Add => left.wrapping_add(right),
        BinaryOperator::Subtract => left.wrapping_sub(right),
        BinaryOperator::Multiply => left.wrapping_mul(right),
        BinaryOperator::Divide => match right {
            0 => return Err(Box::new(EvaluationError::Division)),
            _ => left.wrapping_div(right),
        },
        BinaryOperator::Remainder => match right {
            0 => return Err(Box::new(EvaluationError::Division)),
            _ => left.wrapping_rem(right),
        },
        BinaryOperator::Equal => i32::from(left == right),
        BinaryOperator::NotEqual => i32::from(left != right),
        BinaryOperator::Less => i32::from(left < right),
        BinaryOperator::LessOrEqual => i32::from(left <= right),
        BinaryOperator::Greater => i32::from(left > right),
        BinaryOperator::GreaterOrEqual => i32::from(left >= right),
        // The left operand decided nothing, so the right one decides.
        BinaryOperator::And | BinaryOperator::Or => i32::from(right != 0),
        BinaryOperator::BitAnd => left & right,
        BinaryOperator::BitOr => left | right,
        BinaryOperator::BitXor => left ^ right,
        BinaryOperator::ShiftLeft => left.wrapping_shl(right as u32),
        BinaryOperator::ShiftRight => left.wrapping_shr(right as u32),
    })
}
