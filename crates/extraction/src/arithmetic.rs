//! Numbers.

use raddle_jvm::listing::Op;
use raddle_machine::ir::{BinaryOperator as B, Expression, Instruction, Pc, UnaryOperator};

use crate::execute::{At, binary, unary};
use crate::obstacle::Untranslatable;
use crate::value::Value;
use crate::walk::{Out, Walker};

impl Walker<'_, '_> {
    /// Executes an instruction that only computes.
    pub(crate) fn arithmetic(&mut self, at: At<'_>, out: &mut Out) -> Result<(), Untranslatable> {
        let i = at.instr;
        if let Some(opaque) = self.opaque_operand(&at) {
            self.define(at, opaque, None, out);
            return Ok(());
        }
        match i.op {
            Op::I2L => {
                let word = self.word(&at, i.b)?;
                let value = Value::Long(at.value(i.b).constant().map(i64::from));
                self.define(at, value, Some(word), out);
            }
            Op::L2I => {
                let value = match at.value(i.b) {
                    Value::Long(Some(number)) => Value::Int(Some(*number as i32)),
                    _ => Value::Int(None),
                };
                let word = match value.constant() {
                    Some(number) => Expression::Constant(number),
                    None => self.word(&at, i.b)?,
                };
                self.define(at, value, Some(word), out);
            }
            Op::LCmp => self.compare_longs(at, out)?,
            _ if i.op >= Op::LAdd && i.op <= Op::LUshr || i.op == Op::LNeg => {
                let value = self.long_constant(&at);
                let word = match &value {
                    Value::Long(Some(number)) => i32::try_from(*number).ok(),
                    _ => None,
                };
                self.define(at, value, word.map(Expression::Constant), out);
            }
            Op::IDiv | Op::IRem => self.divide(at, out)?,
            _ => {
                let word = self.int_word(&at)?;
                let (value, word) = match word {
                    Some(word) => fold(word),
                    None => {
                        let what = format!("the result of {:?}", i.op);
                        self.define(at, Value::Opaque(what.into()), None, out);
                        return Ok(());
                    }
                };
                self.define(at, value, Some(word), out);
            }
        }
        Ok(())
    }

    /// The result, if an operand is a number about which nothing is known.
    fn opaque_operand(&self, at: &At<'_>) -> Option<Value> {
        let i = at.instr;
        let is_float = (i.op >= Op::FAdd && i.op <= Op::DCmpG)
            || matches!(
                i.op,
                Op::FNeg
                    | Op::DNeg
                    | Op::I2F
                    | Op::I2D
                    | Op::L2F
                    | Op::L2D
                    | Op::F2I
                    | Op::F2L
                    | Op::F2D
                    | Op::D2I
                    | Op::D2L
                    | Op::D2F
            );
        if is_float {
            return Some(Value::Opaque("a floating-point number".into()));
        }
        let is_unary = i.op >= Op::INeg || (i.op >= Op::IAddI && i.op <= Op::IRemI);
        let operands = [Some(i.b), (!is_unary).then_some(i.c)];
        let opaque = operands
            .into_iter()
            .flatten()
            .find_map(|register| match at.value(register) {
                Value::Opaque(what) => Some(what.clone()),
                _ => None,
            });
        opaque.map(Value::Opaque)
    }

    fn long_constant(&self, at: &At<'_>) -> Value {
        let i = at.instr;
        let long = |register: u16| match at.value(register) {
            Value::Long(Some(number)) => Some(*number),
            _ => None,
        };
        let known = match i.op {
            Op::LNeg => long(i.b).map(i64::wrapping_neg),
            Op::LAdd => long(i.b)
                .zip(long(i.c))
                .map(|(one, other)| one.wrapping_add(other)),
            Op::LSub => long(i.b)
                .zip(long(i.c))
                .map(|(one, other)| one.wrapping_sub(other)),
            Op::LMul => long(i.b)
                .zip(long(i.c))
                .map(|(one, other)| one.wrapping_mul(other)),
            _ => None,
        };
        match known {
            Some(number) => Value::Long(Some(number)),
            None => Value::Opaque("a number of 64 bits".into()),
        }
    }

    fn compare_longs(&mut self, at: At<'_>, out: &mut Out) -> Result<(), Untranslatable> {
        let i = at.instr;
        if let (Value::Long(Some(one)), Value::Long(Some(other))) = (at.value(i.b), at.value(i.c)) {
            let number = one.cmp(other) as i32;
            let word = Some(Expression::Constant(number));
            self.define(at, Value::Int(Some(number)), word, out);
            return Ok(());
        }
        let (one, other) = (self.word(&at, i.b)?, self.word(&at, i.c)?);
        let is_less = binary(B::Less, one.clone(), other.clone());
        let is_greater = binary(B::Greater, one, other);
        let constant = |number| Box::new(Expression::Constant(number));
        let positive = Expression::Conditional(Box::new(is_greater), constant(1), constant(0));
        let word = Expression::Conditional(Box::new(is_less), constant(-1), Box::new(positive));
        self.define(at, Value::Int(None), Some(word), out);
        Ok(())
    }

    fn divide(&mut self, at: At<'_>, out: &mut Out) -> Result<(), Untranslatable> {
        let i = at.instr;
        let divisor = self.word(&at, i.c)?;
        match at.value(i.c).constant() {
            Some(0) => return self.raise_named(at, "java/lang/ArithmeticException", out),
            Some(_) => {}
            None => {
                let (wrong, right) = (out.label(), out.label());
                out.unless(
                    binary(B::NotEqual, divisor.clone(), Expression::Constant(0)),
                    wrong,
                );
                out.act(Instruction::Jump(Pc(right)));
                out.place(wrong);
                self.raise_named(at.clone(), "java/lang/ArithmeticException", out)?;
                out.place(right);
            }
        }
        let dividend = self.word(&at, i.b)?;
        let operator = match i.op {
            Op::IDiv => B::Divide,
            _ => B::Remainder,
        };
        let (value, word) = fold(binary(operator, dividend, divisor));
        self.define(at, value, Some(word), out);
        Ok(())
    }

    /// The result of an operation on numbers of 32 bits; none if it has no such form.
    fn int_word(&mut self, at: &At<'_>) -> Result<Option<Expression>, Untranslatable> {
        let i = at.instr;
        let left = self.word(at, i.b)?;
        let constant = Expression::Constant;
        let number = i.x.cast_signed();
        let by_number = i.op >= Op::IAddI && i.op <= Op::IRemI;
        let right = match i.op {
            _ if by_number => constant(number),
            Op::INeg | Op::I2B | Op::I2C | Op::I2S | Op::I2Z => constant(0),
            _ => self.word(at, i.c)?,
        };
        let operator = match i.op {
            Op::IAdd | Op::IAddI => B::Add,
            Op::ISub => B::Subtract,
            Op::IMul | Op::IMulI => B::Multiply,
            Op::IAnd | Op::IAndI => B::BitAnd,
            Op::IOr | Op::IOrI => B::BitOr,
            Op::IXor | Op::IXorI => B::BitXor,
            Op::IShl | Op::IShlI => B::ShiftLeft,
            Op::IShr | Op::IShrI => B::ShiftRight,
            Op::IDivI => B::Divide,
            Op::IRemI => B::Remainder,
            Op::INeg => return Ok(Some(unary(UnaryOperator::Negate, left))),
            Op::I2B | Op::I2S => {
                let bits = if i.op == Op::I2B { 24 } else { 16 };
                let up = binary(B::ShiftLeft, left, constant(bits));
                return Ok(Some(binary(B::ShiftRight, up, constant(bits))));
            }
            Op::I2C => return Ok(Some(binary(B::BitAnd, left, constant(0xFFFF)))),
            Op::I2Z => return Ok(Some(binary(B::BitAnd, left, constant(1)))),
            Op::IUshrI | Op::IUshr => {
                let Expression::Constant(amount) = right else {
                    return Ok(None);
                };
                let amount = amount & 31;
                if amount == 0 {
                    return Ok(Some(left));
                }
                let mask = i32::MAX >> (amount - 1);
                let shifted = binary(B::ShiftRight, left, constant(amount));
                return Ok(Some(binary(B::BitAnd, shifted, constant(mask))));
            }
            _ => return Ok(None),
        };
        // Subtracting a number is adding another one to the machine.
        if let (B::Add, Expression::Constant(number)) = (operator, &right)
            && *number < 0
            && *number != i32::MIN
        {
            return Ok(Some(binary(B::Subtract, left, constant(-number))));
        }
        Ok(Some(binary(operator, left, right)))
    }
}

/// Computes what can be computed.
pub(crate) fn fold(word: Expression) -> (Value, Expression) {
    match evaluate(&word) {
        Some(number) => (Value::Int(Some(number)), Expression::Constant(number)),
        None => (Value::Int(None), word),
    }
}

/// The value of an expression of constants.
pub(crate) fn evaluate(word: &Expression) -> Option<i32> {
    Some(match word {
        Expression::Constant(number) => *number,
        Expression::Unary(UnaryOperator::Negate, one) => evaluate(one)?.wrapping_neg(),
        Expression::Binary(operator, one, other) => {
            let (one, other) = (evaluate(one)?, evaluate(other)?);
            match operator {
                B::Add => one.wrapping_add(other),
                B::Subtract => one.wrapping_sub(other),
                B::Multiply => one.wrapping_mul(other),
                B::Divide if other != 0 => one.wrapping_div(other),
                B::Remainder if other != 0 => one.wrapping_rem(other),
                B::BitAnd => one & other,
                B::BitOr => one | other,
                B::BitXor => one ^ other,
                B::ShiftLeft => one.wrapping_shl(other.cast_unsigned()),
                B::ShiftRight => one.wrapping_shr(other.cast_unsigned()),
                _ => return None,
            }
        }
        _ => return None,
    })
}
