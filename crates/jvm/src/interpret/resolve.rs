//! From the constant pool to classes, fields and methods.

use std::sync::atomic::AtomicU64;

use super::{Env, Trap};
use crate::bootstraps;
use crate::classfile::{Constant, Malformed, Parsed};
use crate::code::{Code, Instr, Op, Resolved, Target};
use crate::descriptor;
use crate::names::Name;
use crate::world::{Class, ClassId, Method, MethodId, World, flags};

impl Env<'_> {
    /// Finds out what the site of an instruction refers to. The instruction is then tried
    /// again.
    pub(super) fn resolve(
        &mut self,
        method: &Method,
        code: &Code,
        instr: Instr,
    ) -> Result<(), Trap> {
        let world = self.world;
        let class = world.class(method.class);
        let Some(site) = code.sites.get(instr.x as usize) else {
            return Err(super::wrong_type());
        };
        let resolved = match instr.op {
            Op::GetField | Op::PutField | Op::GetStatic | Op::PutStatic => {
                let is_static = matches!(instr.op, Op::GetStatic | Op::PutStatic);
                find_field_constant(world, class, site.pool, is_static)?
            }
            Op::InvokeStatic | Op::InvokeSpecial | Op::InvokeVirtual | Op::InvokeInterface => {
                self.resolve_method(class, site.pool, instr.op)?
            }
            Op::InvokeDynamic => self.resolve_dynamic(class, site.pool)?,
            _ => Resolved::Class(self.resolve_class(method, code, instr.x)?),
        };
        let _ = site.cell.set(resolved);
        Ok(())
    }

    /// The class that a site refers to.
    pub(super) fn resolve_class(
        &self,
        method: &Method,
        code: &Code,
        site: u32,
    ) -> Result<ClassId, Trap> {
        let Some(site) = code.sites.get(site as usize) else {
            return Err(super::wrong_type());
        };
        if let Some(&Resolved::Class(class)) = site.cell.get() {
            return Ok(class);
        }
        let id = class_constant(self.world, self.world.class(method.class), site.pool)?;
        let _ = site.cell.set(Resolved::Class(id));
        Ok(id)
    }

    /// The value of a constant that is loaded; none if it has to be tried again.
    pub(super) fn load_constant(
        &mut self,
        method: &Method,
        code: &Code,
        instr: Instr,
    ) -> Result<Option<u64>, Trap> {
        let world = self.world;
        let class = world.class(method.class);
        let Some(site) = code.sites.get(instr.x as usize) else {
            return Err(super::wrong_type());
        };
        match site.cell.get() {
            Some(&Resolved::Literal(literal)) => {
                return Ok(Some(self.state.intern(world, literal).word()));
            }
            Some(&Resolved::Class(class)) => {
                return Ok(Some(self.state.mirror(world, class).word()));
            }
            Some(Resolved::Constant(constant)) => {
                return self.load_special_constant(constant).map(Some);
            }
            _ => {}
        }
        let Some(file) = &class.file else {
            return Err(super::wrong_type());
        };
        let resolved = match file.constant(site.pool).map_err(broken)? {
            Constant::String(index) => {
                Resolved::Literal(world.literal(&file.utf16(index).map_err(broken)?))
            }
            Constant::Class(_) => Resolved::Class(class_constant(world, class, site.pool)?),
            _ => Resolved::Constant(bootstraps::constant(self, class, site.pool)?),
        };
        let _ = site.cell.set(resolved);
        Ok(None)
    }

    fn resolve_method(&mut self, class: &Class, pool: u16, op: Op) -> Result<Resolved, Trap> {
        let world = self.world;
        let (holder, name, descriptor) = member(world, class, pool).map_err(broken)?;
        let holder = world.load_named(holder)?;
        let known = world.known();
        if (holder == known.method_handle || holder == known.var_handle)
            && let Some(call_site) = bootstraps::polymorphic(self, class, holder, name, descriptor)?
        {
            return Ok(Resolved::CallSite(call_site));
        }
        let method = find_method_constant(world, class, pool, op)?;
        Ok(Resolved::Method(target(world, method)))
    }
}

/// The method that a constant of `class` names, when it is called by such an instruction.
pub(crate) fn find_method_constant(
    world: &World,
    class: &Class,
    pool: u16,
    op: Op,
) -> Result<MethodId, Trap> {
    let (holder, name, descriptor) = member(world, class, pool).map_err(broken)?;
    let holder = world.load_named(holder)?;
    let Some(found) = world.find_method(holder, name, descriptor) else {
        return Err(no_such_method(world, holder, name, descriptor));
    };
    let method = world.method(found);
    if method.is_static() != (op == Op::InvokeStatic) {
        let expected = if op == Op::InvokeStatic {
            "static"
        } else {
            "non-static"
        };
        let message = format!(
            "Expected {expected} method '{}'",
            describe(world, method.class, name, descriptor)
        );
        return Err(Trap::Raise(
            "java/lang/IncompatibleClassChangeError",
            Some(message),
        ));
    }
    Ok(match op {
        Op::InvokeSpecial => special(world, class, method),
        _ => method.id,
    })
}

/// The method that `invokespecial` runs: of the superclass, if that is what is meant.
fn special(world: &World, class: &Class, method: &Method) -> MethodId {
    let holder = world.class(method.class);
    let is_super = class.id != holder.id
        && !holder.is_interface()
        && world.text(method.name) != "<init>"
        && method.flags & flags::PRIVATE == 0
        && class.ancestors.contains(&holder.id);
    let above = class.superclass().filter(|_| is_super);
    above
        .and_then(|above| world.find_method(above, method.name, method.descriptor))
        .unwrap_or(method.id)
}

/// How a method is called.
pub(crate) fn target(world: &World, id: MethodId) -> Target {
    let method = world.method(id);
    Target {
        method: id,
        vtable_index: method.vtable_index,
        cache: AtomicU64::new(0),
    }
}

pub(crate) fn broken(error: Malformed) -> Trap {
    Trap::Raise("java/lang/ClassFormatError", Some(error.0))
}

/// The class that a constant of `class` names.
pub(crate) fn class_constant(world: &World, class: &Class, index: u16) -> Result<ClassId, Trap> {
    let Some(file) = &class.file else {
        return Err(super::wrong_type());
    };
    let name = file.class_name(index).map_err(broken)?;
    if file.name().is_ok_and(|own| own == name) {
        return Ok(class.id);
    }
    Ok(world.load(&name)?)
}

/// Class, name and descriptor of a field or method constant.
pub(crate) fn member(world: &World, class: &Class, index: u16) -> Parsed<(Name, Name, Name)> {
    let file = class
        .file
        .as_ref()
        .ok_or_else(|| Malformed("no constants".to_owned()))?;
    let (Constant::Field {
        class: holder,
        name_and_type,
    }
    | Constant::Method {
        class: holder,
        name_and_type,
    }
    | Constant::InterfaceMethod {
        class: holder,
        name_and_type,
    }) = file.constant(index)?
    else {
        return Err(Malformed(format!(
            "Constant pool entry {index} is not a member"
        )));
    };
    let (name, descriptor) = file.name_and_type(name_and_type)?;
    let holder_name = file.class_name(holder)?;
    let holder = if file.name()? == holder_name {
        class.name
    } else {
        world.names.intern(&holder_name)
    };
    Ok((
        holder,
        world.names.intern(&file.text(name)?),
        world.names.intern(&file.text(descriptor)?),
    ))
}

/// The field that a constant of `class` names.
pub(crate) fn find_field_constant(
    world: &World,
    class: &Class,
    pool: u16,
    is_static: bool,
) -> Result<Resolved, Trap> {
    let (holder, name, descriptor) = member(world, class, pool).map_err(broken)?;
    let holder = world.load_named(holder)?;
    let Some((owner, field)) = world.find_field(holder, name, descriptor) else {
        return Err(Trap::Raise(
            "java/lang/NoSuchFieldError",
            Some(world.text(name).to_owned()),
        ));
    };
    if field.is_static() != is_static {
        let message = format!(
            "Expected {} field {}.{}",
            if is_static { "static" } else { "non-static" },
            world.class_name(owner).replace('/', "."),
            world.text(name)
        );
        return Err(Trap::Raise(
            "java/lang/IncompatibleClassChangeError",
            Some(message),
        ));
    }
    let is_volatile = field.flags & flags::VOLATILE != 0;
    Ok(if is_static {
        Resolved::Static {
            class: owner,
            slot: world.static_slot(field),
            is_volatile,
        }
    } else {
        Resolved::Field {
            slot: field.slot,
            is_volatile,
        }
    })
}

pub(crate) fn no_such_method(world: &World, holder: ClassId, name: Name, descriptor: Name) -> Trap {
    let message = format!("'{}'", describe(world, holder, name, descriptor));
    Trap::Raise("java/lang/NoSuchMethodError", Some(message))
}

/// A method as the language writes it: `int x.Y.name(int, java.lang.String)`.
fn describe(world: &World, holder: ClassId, name: Name, descriptor: Name) -> String {
    let Some(signature) = descriptor::Signature::parse(world.text(descriptor)) else {
        return world.text(name).to_owned();
    };
    let parameters: Vec<String> = signature
        .parameters
        .iter()
        .map(|parameter| descriptor::readable(parameter))
        .collect();
    let class = world.class_name(holder).replace('/', ".");
    format!(
        "{} {class}.{}({})",
        descriptor::readable(&signature.result),
        world.text(name),
        parameters.join(", ")
    )
}
