//! `ObjectMethods`: `equals`, `hashCode` and `toString` of records.

use super::concat::Piece;
use super::{CallSite, Dynamic, Handle};
use crate::classfile::Parsed;
use crate::code::{Op, Resolved};
use crate::descriptor::Kind;
use crate::interpret::{Trap, class_constant};
use crate::stubs::{self, Assembler};
use crate::world::{ClassId, World};

/// A component: its name, slot and kind.
struct Component {
    name: String,
    slot: u32,
    kind: Kind,
}

pub(super) fn link(world: &World, dynamic: &Dynamic<'_>) -> Result<CallSite, Trap> {
    let Some(&record) = dynamic.arguments.first() else {
        return Err(unsupported(dynamic));
    };
    let record = class_constant(world, dynamic.class, record)?;
    let names = String::from_utf16_lossy(&dynamic.text(1)?);
    let mut components = Vec::new();
    for (index, name) in names.split(';').filter(|name| !name.is_empty()).enumerate() {
        let Handle::Field {
            class,
            name: field,
            descriptor,
            ..
        } = dynamic.handle(world, index + 2)?
        else {
            return Err(unsupported(dynamic));
        };
        let Some((_, field)) = world.find_field(class, field, descriptor) else {
            return Err(unsupported(dynamic));
        };
        components.push(Component {
            name: name.to_owned(),
            slot: field.slot,
            kind: field.kind,
        });
    }
    let stub = stubs::make(
        world,
        record,
        "<record>",
        &dynamic.descriptor,
        |a| match dynamic.name.as_str() {
            "hashCode" => hash_code(a, &components),
            "equals" => equals(a, record, &components),
            _ => to_string(a, record, &components),
        },
    );
    stub.map(CallSite::Method)
        .ok_or_else(|| unsupported(dynamic))
}

fn unsupported(dynamic: &Dynamic<'_>) -> Trap {
    Trap::Unsupported(format!("the record method {}", dynamic.name))
}

fn get(a: &mut Assembler<'_>, local: u16, component: &Component) -> Parsed<()> {
    a.load(local, Kind::Ref)?;
    a.get_field(component.slot, component.kind)
}

fn hash_code(a: &mut Assembler<'_>, components: &[Component]) -> Parsed<()> {
    a.number(0)?;
    for component in components {
        let sum = a.builder.pop_register(Kind::Int)?;
        a.builder.define(Op::IMulI, Kind::Int, sum, 0, 31)?;
        get(a, 0, component)?;
        match component.kind.box_class() {
            Some(class) => a.call_named(
                Op::InvokeStatic,
                class,
                "hashCode",
                &format!("({})I", component.kind.letter()),
            )?,
            None => a.call_named(
                Op::InvokeStatic,
                "java/util/Objects",
                "hashCode",
                "(Ljava/lang/Object;)I",
            )?,
        }
        let right = a.builder.pop_register(Kind::Int)?;
        let left = a.builder.pop_register(Kind::Int)?;
        a.builder.define(Op::IAdd, Kind::Int, left, right, 0)?;
    }
    a.finish(Kind::Int)
}

fn equals(a: &mut Assembler<'_>, record: ClassId, components: &[Component]) -> Parsed<()> {
    let mut exits = Vec::new();
    let mut exit_if = |a: &mut Assembler<'_>, op: Op, left: u16, right: u16| {
        exits.push(a.builder.instrs.len());
        a.builder.emit(op, left, right, 0, 0);
    };
    let site = a.builder.resolved_site(Resolved::Class(record));
    a.builder.define(Op::InstanceOf, Kind::Int, 1, 0, site)?;
    let is_record = a.builder.pop_register(Kind::Int)?;
    exit_if(a, Op::IfEqI, is_record, 0);
    for component in components {
        get(a, 0, component)?;
        get(a, 1, component)?;
        match component.kind {
            Kind::Ref => {
                a.call_named(
                    Op::InvokeStatic,
                    "java/util/Objects",
                    "equals",
                    "(Ljava/lang/Object;Ljava/lang/Object;)Z",
                )?;
                let same = a.builder.pop_register(Kind::Int)?;
                exit_if(a, Op::IfEqI, same, 0);
            }
            Kind::Float | Kind::Double => {
                let letter = component.kind.letter();
                let class = component.kind.box_class().unwrap_or_default();
                a.call_named(
                    Op::InvokeStatic,
                    class,
                    "compare",
                    &format!("({letter}{letter})I"),
                )?;
                let order = a.builder.pop_register(Kind::Int)?;
                exit_if(a, Op::IfNeI, order, 0);
            }
            kind => {
                let right = a.builder.pop_register(kind)?;
                let left = a.builder.pop_register(kind)?;
                exit_if(
                    a,
                    if kind == Kind::Long {
                        Op::IfNeL
                    } else {
                        Op::IfNe
                    },
                    left,
                    right,
                );
            }
        }
    }
    a.number(1)?;
    a.finish(Kind::Int)?;
    let exit = a.builder.instrs.len() as u32;
    a.number(0)?;
    a.finish(Kind::Int)?;
    for jump in exits {
        a.builder.instrs[jump].x = exit;
    }
    Ok(())
}

fn to_string(a: &mut Assembler<'_>, record: ClassId, components: &[Component]) -> Parsed<()> {
    let mut pieces = Vec::new();
    let mut kinds = Vec::new();
    let mut text = format!("{}[", crate::natives::simple_name(a.world, record));
    for (index, component) in components.iter().enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        text.push_str(&component.name);
        text.push('=');
        pieces.push(Piece::Text(
            std::mem::take(&mut text).encode_utf16().collect(),
        ));
        get(a, 0, component)?;
        let letter = match component.kind {
            Kind::Ref => "Ljava/lang/Object;".to_owned(),
            Kind::Byte | Kind::Short => "I".to_owned(),
            kind => kind.letter().to_string(),
        };
        a.call_named(
            Op::InvokeStatic,
            "java/lang/String",
            "valueOf",
            &format!("({letter})Ljava/lang/String;"),
        )?;
        pieces.push(Piece::Argument(Kind::Ref));
        kinds.push(Kind::Ref);
    }
    text.push(']');
    pieces.push(Piece::Text(text.encode_utf16().collect()));
    let join = CallSite::Join {
        pieces: pieces.into(),
        kinds: kinds.clone().into(),
    };
    let site = a.builder.resolved_site(Resolved::CallSite(join));
    a.builder
        .call(Op::InvokeDynamic, &kinds, false, Kind::Ref, site)?;
    a.finish(Kind::Ref)
}
