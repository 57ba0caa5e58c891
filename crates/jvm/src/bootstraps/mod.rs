//! `invokedynamic`, method handles and variable handles, without running the library's own
//! machinery for them: what it would generate as bytecode is made here as code of the machine.

use crate::code::Resolved;
use crate::interpret::{Env, Trap};
use crate::names::Name;
use crate::world::{Class, ClassId, MethodId};

/// What the machine remembers of a class that it made.
#[derive(Debug)]
pub(crate) struct Synthetic;

/// A constant that is not a string or a class.
#[derive(Debug)]
pub(crate) enum Constant {
    None,
}

/// What an `invokedynamic` or a signature-polymorphic call does.
#[derive(Debug)]
pub(crate) enum CallSite {
    Method(MethodId),
}

pub(crate) fn constant(_env: &mut Env<'_>, class: &Class, pool: u16) -> Result<Constant, Trap> {
    Err(Trap::Unsupported(format!(
        "constant {pool} of {:?}",
        class.id
    )))
}

pub(crate) fn polymorphic(
    _env: &mut Env<'_>,
    _class: &Class,
    _holder: ClassId,
    _name: Name,
    _descriptor: Name,
) -> Result<Option<CallSite>, Trap> {
    Ok(None)
}

impl Env<'_> {
    pub(crate) fn load_special_constant(&mut self, _constant: &Constant) -> Result<u64, Trap> {
        Err(Trap::Unsupported("a dynamic constant".to_owned()))
    }

    pub(crate) fn resolve_dynamic(&mut self, class: &Class, _pool: u16) -> Result<Resolved, Trap> {
        Err(Trap::Unsupported(format!(
            "invokedynamic in {}",
            self.world.class_name(class.id)
        )))
    }

    pub(crate) fn invoke_call_site(&mut self, site: &CallSite, base: usize) -> Result<(), Trap> {
        match site {
            CallSite::Method(method) => self.enter(*method, base),
        }
    }
}
