//! `StringConcatFactory`.

use super::{CallSite, Dynamic};
use crate::classfile::Constant as PoolConstant;
use crate::code::{Op, Resolved};
use crate::descriptor::{Kind, Signature};
use crate::heap::Ref;
use crate::interpret::{Env, Trap, broken};
use crate::stubs;
use crate::world::World;

/// A part of the result: text, or an argument of a kind.
#[derive(Debug)]
pub(crate) enum Piece {
    Text(Box<[u16]>),
    Argument(Kind),
}

pub(super) fn link(world: &World, dynamic: &Dynamic<'_>) -> Result<CallSite, Trap> {
    let error = || {
        Trap::Raise(
            "java/lang/invoke/StringConcatException",
            Some("bad recipe".to_owned()),
        )
    };
    let signature = Signature::parse(&dynamic.descriptor).ok_or_else(error)?;
    let recipe = if dynamic.factory.1 == "makeConcat" {
        vec![1; signature.parameters.len()]
    } else {
        dynamic.text(0)?
    };
    let mut pieces = Vec::new();
    let mut arguments = signature.parameters.iter();
    let mut constants = 1;
    let mut text: Vec<u16> = Vec::new();
    for unit in recipe {
        match unit {
            1 => {
                if !text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut text).into()));
                }
                let argument = arguments.next().ok_or_else(error)?;
                pieces.push(Piece::Argument(Kind::of(argument).ok_or_else(error)?));
            }
            2 => {
                text.extend(constant_text(dynamic, constants)?);
                constants += 1;
            }
            unit => text.push(unit),
        }
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text.into()));
    }
    let stub = stubs::make(
        world,
        dynamic.class.id,
        "<concat>",
        &dynamic.descriptor,
        |a| {
            let mut kinds = Vec::new();
            let mut local = 0;
            for parameter in &signature.parameters {
                let kind = Kind::of(parameter).unwrap_or(Kind::Ref);
                a.load(local, kind)?;
                local += kind.words();
                // Numbers with a fraction are written by the library, objects by themselves.
                match kind {
                    Kind::Ref if parameter.as_ref() == "Ljava/lang/String;" => {}
                    Kind::Ref => a.call_named(
                        Op::InvokeStatic,
                        "java/lang/String",
                        "valueOf",
                        "(Ljava/lang/Object;)Ljava/lang/String;",
                    )?,
                    Kind::Float => a.call_named(
                        Op::InvokeStatic,
                        "java/lang/String",
                        "valueOf",
                        "(F)Ljava/lang/String;",
                    )?,
                    Kind::Double => a.call_named(
                        Op::InvokeStatic,
                        "java/lang/String",
                        "valueOf",
                        "(D)Ljava/lang/String;",
                    )?,
                    _ => {}
                }
                kinds.push(if matches!(kind, Kind::Float | Kind::Double) {
                    Kind::Ref
                } else {
                    kind
                });
            }
            let join = CallSite::Join {
                pieces: pieces.into(),
                kinds: kinds.clone().into(),
            };
            let site = a.builder.resolved_site(Resolved::CallSite(join));
            a.builder
                .call(Op::InvokeDynamic, &kinds, false, Kind::Ref, site)?;
            a.finish(Kind::Ref)
        },
    );
    Ok(CallSite::Method(stub.ok_or_else(error)?))
}

fn constant_text(dynamic: &Dynamic<'_>, index: usize) -> Result<Vec<u16>, Trap> {
    let text = match dynamic.argument(index)? {
        PoolConstant::String(text) => return dynamic.file.utf16(text).map_err(broken),
        PoolConstant::Integer(number) => number.to_string(),
        PoolConstant::Long(number) => number.to_string(),
        PoolConstant::Class(name) => {
            let name = dynamic.file.text(name).map_err(broken)?;
            format!("class {}", name.replace('/', "."))
        }
        other => {
            return Err(Trap::Unsupported(format!(
                "the constant {other:?} in a string"
            )));
        }
    };
    Ok(text.encode_utf16().collect())
}

impl Env<'_> {
    pub(super) fn join(&mut self, pieces: &[Piece], args: &[u64]) -> Result<u64, Trap> {
        let length = |piece: &Piece, arg: Option<&u64>| match piece {
            Piece::Argument(Kind::Ref) => {
                let string = arg.map_or(Ref::NULL, |&arg| Ref::of(arg));
                self.state.string_bytes(self.world, string).unwrap_or(0)
            }
            _ => 0,
        };
        let texts = pieces.iter().filter(|it| matches!(it, Piece::Argument(_)));
        let texts = texts
            .enumerate()
            .map(|(index, it)| length(it, args.get(index)));
        let total: usize = texts.sum();
        // All of them and the longest in two bytes for each character, and the result.
        self.make_room_in_process(total.saturating_mul(6))?;
        let mut units: Vec<u16> = Vec::with_capacity(total);
        let mut args = args.iter();
        for piece in pieces {
            let kind = match piece {
                Piece::Text(text) => {
                    units.extend_from_slice(text);
                    continue;
                }
                Piece::Argument(kind) => *kind,
            };
            let Some(&value) = args.next() else { break };
            match kind {
                Kind::Boolean => {
                    units.extend(if value == 0 { "false" } else { "true" }.encode_utf16())
                }
                Kind::Char => units.push(value as u16),
                Kind::Byte | Kind::Short | Kind::Int => {
                    units.extend((value as i32).to_string().encode_utf16())
                }
                Kind::Long => units.extend(value.cast_signed().to_string().encode_utf16()),
                _ => match self.state.utf16_of(self.world, Ref::of(value)) {
                    Some(text) => units.extend(text),
                    None => units.extend("null".encode_utf16()),
                },
            }
        }
        Ok(self.state.string_utf16(self.world, &units).word())
    }
}
