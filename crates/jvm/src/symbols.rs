//! What class files say of their sources beside lines: columns, and the names of variables.

use crate::classfile::ClassFile;
use crate::descriptor::Kind;
use crate::thread::Frame;
use crate::world::{ClassId, MethodId, World, flags};

/// The column at which the statement of a position in a method begins on a line, in characters from one.
///
/// Only `javac -Xjcov` writes it down; none if it did not, or if the statement began on another line.
pub fn column(world: &World, method: MethodId, position: u16, line: u32) -> Option<u32> {
    /// So many bits of a place are its column.
    const BITS: u32 = 10;
    let entries = table(world, method, "CharacterRangeTable")?;
    let mut best: Option<(u16, u32)> = None;
    for entry in entries.get(2..)?.as_chunks::<14>().0 {
        let short = |at: usize| u16::from_be_bytes([entry[at], entry[at + 1]]);
        let (start, end) = (short(0), short(2));
        let begins = u32::from(short(4)) << 16 | u32::from(short(6));
        let is_there = start <= position && position <= end && begins >> BITS == line;
        if is_there && best.is_none_or(|(size, _)| end - start < size) {
            best = Some((end - start, begins & ((1 << BITS) - 1)));
        }
    }
    best.map(|(_, column)| column).filter(|&column| column > 0)
}

/// The names of the variables that a frame has where it stands and that refer to objects, with their
/// registers.
pub fn variables(world: &World, frame: &Frame) -> Vec<(u32, String)> {
    let position = u32::from(crate::position(world, frame));
    let named = named(world, frame.method, |it| {
        let (start, length) = (u32::from(it.start), u32::from(it.length));
        it.descriptor.starts_with(['L', '[']) && (start..=start + length).contains(&position)
    });
    named.unwrap_or_default()
}

/// The variables around a lambda of the program that it has, with the slots of its class: they are the
/// first parameters of the method that the compiler has made of it. Another method has other names.
pub fn captured(world: &World, class: ClassId) -> Vec<(u32, String)> {
    let described = world.class(class);
    let Some(&method) = described.implementation.get() else {
        return Vec::new();
    };
    let called = world.method(method);
    if !world.text(called.name).starts_with("lambda$") {
        return Vec::new();
    }
    let parameters = named(world, method, |it| it.start == 0).unwrap_or_default();
    let receiver = (!called.is_static()).then_some(Kind::Ref);
    let kinds = world.shape(called).kinds.iter().copied();
    let first = world.class(world.known().object).instance_slots;
    let mut register = 0;
    let mut found = Vec::new();
    for (slot, kind) in (first..described.instance_slots).zip(receiver.into_iter().chain(kinds)) {
        let name = parameters.iter().find(|(at, _)| *at == register);
        if let Some((_, name)) = name.filter(|(_, name)| name != "this") {
            found.push((slot, name.clone()));
        }
        register += u32::from(kind.words());
    }
    found
}

/// Where a variable is, and what.
struct Variable<'a> {
    start: u16,
    length: u16,
    descriptor: &'a str,
}

/// The names of some variables of a method, with their registers.
fn named(
    world: &World,
    method: MethodId,
    is_wanted: impl Fn(&Variable<'_>) -> bool,
) -> Option<Vec<(u32, String)>> {
    let entries = table(world, method, "LocalVariableTable")?;
    let file = file(world, method)?;
    let mut found = Vec::new();
    for entry in entries.get(2..)?.as_chunks::<10>().0 {
        let short = |at: usize| u16::from_be_bytes([entry[at], entry[at + 1]]);
        let variable = Variable {
            start: short(0),
            length: short(2),
            descriptor: &file.text(short(6)).ok()?,
        };
        if is_wanted(&variable) {
            found.push((u32::from(short(8)), file.text(short(4)).ok()?.into_owned()));
        }
    }
    Some(found)
}

fn file(world: &World, method: MethodId) -> Option<&ClassFile> {
    world.class(world.method(method).class).file.as_ref()
}

/// A table about the code of a method.
fn table<'w>(world: &'w World, method: MethodId, name: &str) -> Option<&'w [u8]> {
    let described = world.method(method);
    if described.flags & flags::NATIVE != 0 {
        return None;
    }
    let file = file(world, method)?;
    let member = file.methods.get(described.member as usize)?;
    let code = file.code(member).ok()??;
    file.attribute(code.attributes, name)
}
