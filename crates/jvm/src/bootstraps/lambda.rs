//! `LambdaMetafactory`: a class whose one method calls the implementation.

use super::{CallSite, Dynamic, Handle, convert};
use crate::classfile::Constant as PoolConstant;
use crate::classfile::{Malformed, Parsed};
use crate::code::Body;
use crate::descriptor::{self, Kind, Signature};
use crate::interpret::Trap;
use crate::stubs::{Assembler, assemble};
use crate::world::{ClassId, World, flags};

const SERIALIZABLE: i32 = 1;
const MARKERS: i32 = 2;
const BRIDGES: i32 = 4;

pub(super) fn link(world: &World, dynamic: &Dynamic<'_>) -> Result<CallSite, Trap> {
    let error =
        |message: &str| Trap::Raise("java/lang/BootstrapMethodError", Some(message.to_owned()));
    let factory = Signature::parse(&dynamic.descriptor).ok_or_else(|| error("bad descriptor"))?;
    let erased = dynamic.method_type(0)?;
    let implementation = dynamic.handle(world, 1)?;
    let instantiated = dynamic.method_type(2)?;
    let instantiated = Signature::parse(&instantiated).ok_or_else(|| error("bad descriptor"))?;
    let mut interfaces = vec![world.load(descriptor::class_name(&factory.result))?];
    let mut descriptors = vec![erased];
    if dynamic.factory.1 == "altMetafactory" {
        extend(world, dynamic, &mut interfaces, &mut descriptors)?;
    }
    let mut methods = Vec::new();
    for descriptor in descriptors {
        let signature = Signature::parse(&descriptor).ok_or_else(|| error("bad descriptor"))?;
        let code = assemble(world, signature.words() + 1, |a| {
            body(a, &factory, &implementation, &instantiated, &signature)
        });
        let code =
            code.ok_or_else(|| Trap::Unsupported(format!("a lambda of type {descriptor}")))?;
        let name = world.names.intern(&dynamic.name);
        methods.push((
            name,
            world.names.intern(&descriptor),
            flags::PUBLIC,
            Body::Code(code),
        ));
    }
    let captured: Box<[Kind]> = factory.kinds().collect();
    let name = lambda_name(world, dynamic.class.id);
    let class = world.make_synthetic(
        &name,
        world.known().object,
        &interfaces,
        &captured,
        1,
        methods,
    )?;
    if let Handle::Static(method) | Handle::Virtual(method, _) | Handle::Special(method, _) =
        implementation
    {
        // The class was made just now, so that there is none yet.
        let _ = world.class(class).implementation.set(method);
    }
    Ok(CallSite::Lambda { class, captured })
}

/// Interfaces and bridges that the longer form of the factory asks for.
fn extend(
    world: &World,
    dynamic: &Dynamic<'_>,
    interfaces: &mut Vec<ClassId>,
    descriptors: &mut Vec<String>,
) -> Result<(), Trap> {
    let number = |index: usize| match dynamic.argument(index) {
        Ok(PoolConstant::Integer(number)) => Ok(number),
        _ => Err(Trap::Raise(
            "java/lang/BootstrapMethodError",
            Some("not a number".to_owned()),
        )),
    };
    let wanted = number(3)?;
    if wanted & SERIALIZABLE != 0 {
        interfaces.push(world.load("java/io/Serializable")?);
    }
    let mut at = 4;
    if wanted & MARKERS != 0 {
        let count = number(at)?;
        for i in 0..count.clamp(0, 255) as usize {
            if let Some(&pool) = dynamic.arguments.get(at + 1 + i) {
                interfaces.push(super::class_constant(world, dynamic.class, pool)?);
            }
        }
        at += 1 + count.clamp(0, 255) as usize;
    }
    if wanted & BRIDGES != 0 {
        for i in 0..number(at)?.clamp(0, 255) as usize {
            descriptors.push(dynamic.method_type(at + 1 + i)?);
        }
    }
    Ok(())
}

fn lambda_name(world: &World, host: ClassId) -> String {
    let number = world.classes.count();
    format!(
        "{}$$Lambda${number}/0x{number:016x}",
        world.class_name(host)
    )
}

/// The method of a lambda: captured values, then arguments, to the implementation.
fn body(
    a: &mut Assembler<'_>,
    factory: &Signature,
    implementation: &Handle,
    instantiated: &Signature,
    signature: &Signature,
) -> Parsed<()> {
    let (parameters, result) = implementation.types(a.world);
    if parameters.len() != factory.parameters.len() + signature.parameters.len() {
        return Err(Malformed(
            "the implementation takes another number of arguments".to_owned(),
        ));
    }
    implementation.prepare(a)?;
    let mut wanted = parameters.iter();
    for (slot, captured) in factory.parameters.iter().enumerate() {
        a.load(0, Kind::Ref)?;
        a.get_field(slot as u32, Kind::of(captured).unwrap_or(Kind::Ref))?;
        if let Some(wanted) = wanted.next() {
            convert(a, captured, wanted)?;
        }
    }
    let mut local = 1;
    for (given, specific) in signature.parameters.iter().zip(&instantiated.parameters) {
        let kind = Kind::of(given).unwrap_or(Kind::Ref);
        a.load(local, kind)?;
        local += kind.words();
        convert(a, given, specific)?;
        if let Some(wanted) = wanted.next() {
            convert(a, specific, wanted)?;
        }
    }
    implementation.call(a)?;
    if signature.result.as_ref() == "V" {
        convert(a, &result, "V")?;
    } else {
        convert(a, &result, &instantiated.result)?;
        convert(a, &instantiated.result, &signature.result)?;
    }
    a.finish(Kind::of(&signature.result).unwrap_or(Kind::Void))
}
