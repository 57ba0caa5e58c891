//! `SwitchBootstraps`: switches over types, enums, strings and numbers.

use super::{CallSite, Dynamic};
use crate::classfile::Constant as PoolConstant;
use crate::descriptor;
use crate::heap::{Ref, int};
use crate::interpret::{Env, Trap, broken, class_constant, member};
use crate::world::ClassId;

/// What a case asks for.
#[derive(Debug)]
pub(crate) enum Label {
    Class(ClassId),
    Text(Box<[u16]>),
    Number(i32),
    Boolean(bool),
    /// A constant of an enum: its class, if it is given, and its name.
    Enum(Option<ClassId>, Box<str>),
}

pub(super) fn link(
    env: &mut Env<'_>,
    dynamic: &Dynamic<'_>,
    is_enum: bool,
) -> Result<CallSite, Trap> {
    let world = env.world;
    let mut labels = Vec::new();
    for &pool in &dynamic.arguments {
        let label = match dynamic.file.constant(pool).map_err(broken)? {
            PoolConstant::Class(_) => Label::Class(class_constant(world, dynamic.class, pool)?),
            PoolConstant::String(text) if is_enum => {
                Label::Enum(None, dynamic.file.text(text).map_err(broken)?.into())
            }
            PoolConstant::String(text) => {
                Label::Text(dynamic.file.utf16(text).map_err(broken)?.into())
            }
            PoolConstant::Integer(number) => Label::Number(number),
            PoolConstant::Dynamic {
                bootstrap,
                name_and_type,
            } => constant_label(env, dynamic, bootstrap, name_and_type)?,
            other => return Err(Trap::Unsupported(format!("the case {other:?}"))),
        };
        labels.push(label);
    }
    Ok(CallSite::Switch {
        labels: labels.into(),
        is_enum,
    })
}

/// A label that is computed: `EnumDesc.of(ClassDesc.of(...), name)` is how compilers write
/// the constants of enums, `getStaticFinal` how they write booleans.
fn constant_label(
    env: &mut Env<'_>,
    dynamic: &Dynamic<'_>,
    bootstrap: u16,
    name_and_type: u16,
) -> Result<Label, Trap> {
    let world = env.world;
    let inner = super::dynamic(world, dynamic.class, bootstrap, name_and_type)?;
    if inner.factory.1 == "getStaticFinal" {
        return Ok(Label::Boolean(inner.name == "TRUE"));
    }
    let unsupported = || Trap::Unsupported(format!("a case made by {}", inner.factory.1));
    let PoolConstant::MethodHandle { reference, .. } = inner.argument(0)? else {
        return Err(unsupported());
    };
    let (holder, name, _) = member(world, dynamic.class, reference).map_err(broken)?;
    if world.text(holder) != "java/lang/Enum$EnumDesc" || world.text(name) != "of" {
        return Err(unsupported());
    }
    let PoolConstant::Dynamic {
        bootstrap,
        name_and_type,
    } = inner.argument(1)?
    else {
        return Err(unsupported());
    };
    let described = super::dynamic(world, dynamic.class, bootstrap, name_and_type)?;
    let class = String::from_utf16_lossy(&described.text(1)?).replace('.', "/");
    let name = String::from_utf16_lossy(&inner.text(2)?);
    Ok(Label::Enum(
        Some(world.load(descriptor::class_name(&class))?),
        name.into(),
    ))
}

impl Env<'_> {
    /// The number of the first label from `start` on that fits.
    pub(super) fn switch(
        &mut self,
        labels: &[Label],
        is_enum: bool,
        target: Ref,
        start: i32,
    ) -> Result<u64, Trap> {
        if start < 0 || start as usize > labels.len() {
            let message = format!(
                "Index {start} out of bounds for length {}",
                labels.len() + 1
            );
            return Err(Trap::Raise(
                "java/lang/IndexOutOfBoundsException",
                Some(message),
            ));
        }
        if target.is_null() {
            return Ok(int(-1));
        }
        for (index, label) in labels.iter().enumerate().skip(start as usize) {
            if self.fits(label, is_enum, target)? {
                return Ok(index as u64);
            }
        }
        Ok(labels.len() as u64)
    }

    fn fits(&mut self, label: &Label, is_enum: bool, target: Ref) -> Result<bool, Trap> {
        let world = self.world;
        let class = self
            .state
            .heap
            .get(target)
            .map(|object| object.class)
            .unwrap_or_default();
        let name = world.class_name(class);
        Ok(match label {
            Label::Class(wanted) => world.is_assignable(class, *wanted),
            Label::Text(text) => self
                .state
                .utf16_of(world, target)
                .is_some_and(|found| found[..] == text[..]),
            Label::Boolean(wanted) => {
                name == "java/lang/Boolean" && (self.named_field(target, "value") != 0) == *wanted
            }
            Label::Number(number) => {
                let is_number = matches!(
                    name,
                    "java/lang/Integer"
                        | "java/lang/Short"
                        | "java/lang/Byte"
                        | "java/lang/Character"
                );
                is_number && self.named_field(target, "value") as i32 == *number
            }
            Label::Enum(wanted, constant) => {
                let mut class = class;
                if !is_enum && wanted.is_some_and(|wanted| !world.is_assignable(class, wanted)) {
                    return Ok(false);
                }
                // A constant with a body of its own is of a class below the enum.
                if let Some(above) = world.class(class).superclass()
                    && world.class_name(above) != "java/lang/Enum"
                {
                    class = above;
                }
                let mirror = self.state.mirror(world, class);
                let slot = world.static_slot_of(class, constant);
                slot.is_some_and(|slot| self.state.heap.ref_field(mirror, slot) == target)
            }
        })
    }
}
