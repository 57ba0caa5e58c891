//! Jumps, and what is known on each of their ways.

use raddle_jvm::listing::Op;
use raddle_machine::ir::{BinaryOperator, Expression};

use super::{At, Key, KnownValues, Out, Target, Untranslatable, Value, Walker};
use super::{binary, equal, has_member};

impl Walker<'_, '_> {
    pub(super) fn branch(&mut self, at: At<'_>, out: &mut Out) -> Result<(), Untranslatable> {
        let i = at.instr;
        let operator = comparison(i.op);
        let with_number = i.op >= Op::IfEqI && i.op <= Op::IfLeI;
        let left = at.value(i.a).clone();
        let right = match (with_number, &left) {
            (true, Value::Reference(_)) => Value::reference(Target::Null),
            (true, _) => Value::Int(Some(i32::from(i.b.cast_signed()))),
            (false, _) => at.value(i.b).clone(),
        };
        if let (Value::Reference(one), Value::Reference(other)) = (&left, &right) {
            let is_member = |target: &Target| match target {
                Target::Object(object) => self.scene.members.contains_key(object),
                _ => false,
            };
            if one.iter().chain(other).any(is_member) && (has_member(one) || has_member(other)) {
                return Err(Untranslatable::new(
                    "one of the objects that each thread has is reached on another way",
                ));
            }
            let both = |target: &Target| matches!(target, Target::Other(_));
            if one.iter().any(both) && other.iter().any(both) {
                return Err(Untranslatable::new(
                    "a comparison of objects that are not followed",
                ));
            }
        }
        let known = decided(operator, &left, &right);
        let pc = at.position.pc;
        if let Some(taken) = known {
            let mut at = at;
            at.go(if taken { i.x } else { pc + 1 });
            out.exit(at.key, at.known);
            return Ok(());
        }
        let one = self.word(&at, i.a)?;
        let other = match with_number {
            true => Expression::Constant(i32::from(i.b.cast_signed())),
            false => self.word(&at, i.b)?,
        };
        let label = out.label();
        out.unless(binary(operator, one, other), label);
        for is_taken in [true, false] {
            let mut way = At {
                key: at.key.clone(),
                known: at.known.clone(),
                ..at
            };
            way.go(if is_taken { i.x } else { pc + 1 });
            let is_equal = match operator {
                BinaryOperator::Equal => Some(is_taken),
                BinaryOperator::NotEqual => Some(!is_taken),
                _ => None,
            };
            refine(&mut way, &left, &right, is_equal, with_number);
            if !is_taken {
                out.place(label);
            }
            out.exit(way.key, way.known);
        }
        Ok(())
    }

    pub(super) fn switch(&mut self, at: At<'_>, out: &mut Out) -> Result<(), Untranslatable> {
        let i = at.instr;
        let Some(switch) = at.listing.switch(i.x) else {
            return Err(Untranslatable::new("a switch without targets"));
        };
        let to = |key: &Key, known: &KnownValues, pc: u32, out: &mut Out| {
            let mut key = key.clone();
            key.split.clear();
            if let Some(position) = key.frames.last_mut() {
                position.pc = pc;
            }
            out.exit(key, known.clone());
        };
        if let Some(number) = at.value(i.a).constant() {
            to(&at.key, &at.known, switch.target(number), out);
            return Ok(());
        }
        let held = self.word(&at, i.a)?;
        let (keys, default): (Vec<i32>, u32) = match switch {
            raddle_jvm::listing::Switch::Table {
                low,
                targets,
                default,
            } => {
                let keys = (0..targets.len()).map(|it| low.wrapping_add(it as i32));
                (keys.collect(), *default)
            }
            raddle_jvm::listing::Switch::Lookup { keys, default, .. } => (keys.to_vec(), *default),
        };
        for number in keys {
            let target = switch.target(number);
            if target == default {
                continue;
            }
            let label = out.label();
            out.unless(equal(held.clone(), Expression::Constant(number)), label);
            to(&at.key, &at.known, target, out);
            out.place(label);
        }
        to(&at.key, &at.known, default, out);
        Ok(())
    }
}

/// What is known of the operands of a comparison on one of the two ways.
fn refine(at: &mut At<'_>, left: &Value, right: &Value, equal: Option<bool>, number: bool) {
    let i = at.instr;
    let mut narrow = |register: u16, own: &Value, other: &Value| {
        let value = match (own, other, equal) {
            (Value::Int(None), Value::Int(Some(number)), Some(true)) => Value::Int(Some(*number)),
            (Value::Reference(one), Value::Reference(other), Some(true)) => {
                Value::Reference(one.intersection(other).copied().collect())
            }
            (Value::Reference(one), Value::Reference(other), Some(false))
                if other.len() == 1 && !has_member(other) =>
            {
                Value::Reference(one.difference(other).copied().collect())
            }
            _ => return,
        };
        at.set(register, value);
    };
    narrow(i.a, left, right);
    if !number {
        narrow(i.b, right, left);
    }
}

/// Whether a comparison comes out the same way always.
fn decided(operator: BinaryOperator, left: &Value, right: &Value) -> Option<bool> {
    let compare = |one: i64, other: i64| match operator {
        BinaryOperator::Equal => one == other,
        BinaryOperator::NotEqual => one != other,
        BinaryOperator::Less => one < other,
        BinaryOperator::LessOrEqual => one <= other,
        BinaryOperator::Greater => one > other,
        _ => one >= other,
    };
    match (left, right) {
        (Value::Int(Some(one)), Value::Int(Some(other))) => {
            Some(compare(i64::from(*one), i64::from(*other)))
        }
        (Value::Long(Some(one)), Value::Long(Some(other))) => Some(compare(*one, *other)),
        (Value::Reference(one), Value::Reference(other)) => {
            let is_equal = operator == BinaryOperator::Equal;
            if one.is_disjoint(other) {
                return Some(!is_equal);
            }
            let is_one = one.len() == 1 && one == other && !has_member(one);
            is_one.then_some(is_equal)
        }
        _ => None,
    }
}

fn comparison(op: Op) -> BinaryOperator {
    match op {
        Op::IfEq | Op::IfEqI | Op::IfEqL => BinaryOperator::Equal,
        Op::IfNe | Op::IfNeI | Op::IfNeL => BinaryOperator::NotEqual,
        Op::IfLt | Op::IfLtI | Op::IfLtL => BinaryOperator::Less,
        Op::IfGe | Op::IfGeI | Op::IfGeL => BinaryOperator::GreaterOrEqual,
        Op::IfGt | Op::IfGtI | Op::IfGtL => BinaryOperator::Greater,
        _ => BinaryOperator::LessOrEqual,
    }
}
