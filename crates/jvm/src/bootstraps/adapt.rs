//! Conversions between the types of a call and those of its target: casts, boxing,
//! unboxing, widening.

use crate::classfile::{Malformed, Parsed};
use crate::code::{Op, Value};
use crate::descriptor::{self, Kind};
use crate::stubs::Assembler;

/// Converts the value on top of the stack from one type to another; both are descriptors.
pub(crate) fn convert(a: &mut Assembler<'_>, from: &str, to: &str) -> Parsed<()> {
    if from == to {
        return Ok(());
    }
    let (Some(source), Some(target)) = (Kind::of(from), Kind::of(to)) else {
        return Err(Malformed(format!("no conversion from {from} to {to}")));
    };
    match (source, target) {
        (Kind::Void, Kind::Void) => Ok(()),
        (_, Kind::Void) => a.builder.pop_any().map(|_| ()),
        (Kind::Void, _) => zero(a, target),
        (Kind::Ref, Kind::Ref) => cast(a, from, to),
        (Kind::Ref, _) => unbox(a, from, target),
        (_, Kind::Ref) => enbox(a, source, to),
        _ => widen(a, source, target),
    }
}

fn zero(a: &mut Assembler<'_>, kind: Kind) -> Parsed<()> {
    if kind.words() == 2 {
        let x = a.builder.constant(0);
        return a.builder.define(Op::Wide, kind, 0, 0, x);
    }
    a.builder.push(Value::Int(0), kind)
}

fn load_class(a: &Assembler<'_>, descriptor: &str) -> Parsed<crate::world::ClassId> {
    a.world
        .load(descriptor::class_name(descriptor))
        .map_err(|error| Malformed(error.to_string()))
}

fn cast(a: &mut Assembler<'_>, from: &str, to: &str) -> Parsed<()> {
    let (from, to) = (load_class(a, from)?, load_class(a, to)?);
    if a.world.is_assignable(from, to) {
        Ok(())
    } else {
        a.cast(to)
    }
}

/// Unboxes what is on the stack; a value of unknown type must be the box of the target.
fn unbox(a: &mut Assembler<'_>, from: &str, target: Kind) -> Parsed<()> {
    let name = descriptor::class_name(from);
    let known = Kind::PRIMITIVES
        .into_iter()
        .find(|kind| kind.box_class() == Some(name));
    let boxed = known.unwrap_or(target);
    let (Some(class), Some(primitive)) = (boxed.box_class(), boxed.primitive_name()) else {
        return Err(Malformed(format!("no conversion from {from}")));
    };
    let id = a
        .world
        .load(class)
        .map_err(|error| Malformed(error.to_string()))?;
    if known.is_none() {
        a.cast(id)?;
    }
    a.call_named(
        Op::InvokeVirtual,
        class,
        &format!("{primitive}Value"),
        &format!("(){}", boxed.letter()),
    )?;
    widen(a, boxed, target)
}

fn enbox(a: &mut Assembler<'_>, source: Kind, to: &str) -> Parsed<()> {
    let name = descriptor::class_name(to);
    let target = Kind::PRIMITIVES
        .into_iter()
        .find(|kind| kind.box_class() == Some(name))
        .unwrap_or(source);
    widen(a, source, target)?;
    let Some(class) = target.box_class() else {
        return Err(Malformed("nothing to box".to_owned()));
    };
    a.call_named(
        Op::InvokeStatic,
        class,
        "valueOf",
        &format!("({})L{class};", target.letter()),
    )
}

fn widen(a: &mut Assembler<'_>, from: Kind, to: Kind) -> Parsed<()> {
    let from = match from {
        Kind::Boolean | Kind::Byte | Kind::Char | Kind::Short => Kind::Int,
        other => other,
    };
    let (op, narrow) = match (from, to) {
        (Kind::Int, Kind::Long) => (Op::I2L, None),
        (Kind::Int, Kind::Float) => (Op::I2F, None),
        (Kind::Int, Kind::Double) => (Op::I2D, None),
        (Kind::Long, Kind::Float) => (Op::L2F, None),
        (Kind::Long, Kind::Double) => (Op::L2D, None),
        (Kind::Float, Kind::Double) => (Op::F2D, None),
        (Kind::Long, Kind::Int) => (Op::L2I, None),
        (Kind::Long, Kind::Byte) => (Op::L2I, Some(Op::I2B)),
        (Kind::Long, Kind::Short) => (Op::L2I, Some(Op::I2S)),
        (Kind::Long, Kind::Char) => (Op::L2I, Some(Op::I2C)),
        (Kind::Float, Kind::Int) => (Op::F2I, None),
        (Kind::Double, Kind::Int) => (Op::D2I, None),
        (Kind::Float, Kind::Long) => (Op::F2L, None),
        (Kind::Double, Kind::Long) => (Op::D2L, None),
        (Kind::Double, Kind::Float) => (Op::D2F, None),
        _ => return Ok(()),
    };
    let operand = a.builder.pop_register(from)?;
    let result = if narrow.is_some() { Kind::Int } else { to };
    a.builder.define(op, result, operand, 0, 0)?;
    if let Some(op) = narrow {
        let operand = a.builder.pop_register(Kind::Int)?;
        a.builder.define(op, Kind::Int, operand, 0, 0)?;
    }
    Ok(())
}
