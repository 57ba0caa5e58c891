//! Classes with their fields and methods, as they are once they are loaded.

use std::sync::OnceLock;

use super::Map;
use crate::classfile::{ClassFile, Malformed};
use crate::code::Body;
use crate::descriptor::Kind;
use crate::names::Name;
use crate::roles::Role;

/// The number of a class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct ClassId(pub u32);

/// The number of a method.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct MethodId(pub u32);

/// The number of a string literal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LiteralId(pub u32);

/// Access flags of classes and members, as class files have them.
pub mod flags {
    pub(crate) const PUBLIC: u16 = 0x0001;
    pub(crate) const PRIVATE: u16 = 0x0002;
    pub(crate) const PROTECTED: u16 = 0x0004;
    pub(crate) const STATIC: u16 = 0x0008;
    /// Not to be changed, or not to be overridden.
    pub const FINAL: u16 = 0x0010;
    pub(crate) const SYNCHRONIZED: u16 = 0x0020;
    /// Ordered with the accesses of other threads.
    pub const VOLATILE: u16 = 0x0040;
    pub(crate) const VARARGS: u16 = 0x0080;
    pub(crate) const NATIVE: u16 = 0x0100;
    pub(crate) const INTERFACE: u16 = 0x0200;
    pub(crate) const ABSTRACT: u16 = 0x0400;
    /// Made by the compiler.
    pub const SYNTHETIC: u16 = 0x1000;
}

/// Why a class is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// No source has it.
    NotFound(String),
    /// It is not a proper class file.
    Malformed(String, Malformed),
    /// It is its own superclass.
    Circular(String),
    /// It does not fit to its superclass or interfaces.
    Incompatible(String),
    /// It is there, and cannot be read.
    Unreadable(String),
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFound(name) => {
                let name = name.replace('/', ".");
                write!(f, "the class {name} is missing on the class path (-cp)")
            }
            Self::Malformed(name, error) => write!(f, "class {name}: {error}"),
            Self::Circular(name) => write!(f, "class {name} is its own superclass"),
            Self::Incompatible(message) | Self::Unreadable(message) => f.write_str(message),
        }
    }
}

/// What sort of class it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sort {
    Instance,
    Primitive(Kind),
    /// An array with elements of the class.
    Array(ClassId),
}

/// Where a class comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The JDK.
    Library,
    /// The class path.
    Program,
    /// The class path, too: a library that runs tests.
    Engine,
    /// Made by the machine.
    Machine,
}

/// A field.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: Name,
    pub(crate) descriptor: Name,
    /// Its access flags.
    pub flags: u16,
    /// Its type, roughly.
    pub kind: Kind,
    /// Its place among the instance fields, or among the static ones of its class.
    pub slot: u32,
    /// The constant that a static field begins with.
    pub(crate) constant: u16,
    /// Its place in the class file.
    pub(crate) member: u16,
}

impl Field {
    /// Whether it is a static one.
    pub fn is_static(&self) -> bool {
        self.flags & flags::STATIC != 0
    }
}

/// A class.
pub struct Class {
    /// Its number.
    pub id: ClassId,
    /// Its name, with slashes.
    pub name: Name,
    pub(crate) sort: Sort,
    /// Where it comes from.
    pub origin: Origin,
    pub(crate) flags: u16,
    /// Its class file, if it has one.
    pub file: Option<ClassFile>,
    pub(crate) module: Name,
    /// All superclasses, from `Object` to the class itself.
    pub ancestors: Box<[ClassId]>,
    pub(crate) interfaces: Box<[ClassId]>,
    /// All interfaces, direct or not, sorted.
    pub(crate) all_interfaces: Box<[ClassId]>,
    /// The fields that it declares.
    pub fields: Box<[Field]>,
    /// How many words an instance has.
    pub instance_slots: u32,
    /// Which of the instance slots hold references.
    pub ref_slots: Box<[bool]>,
    /// How many words its static fields have.
    pub static_slots: u32,
    pub(crate) methods: Box<[MethodId]>,
    pub(super) declared: Map<(Name, Name), MethodId>,
    pub(crate) vtable: Box<[MethodId]>,
    pub(super) vtable_index: Map<(Name, Name), u32>,
    pub(crate) initializer: Option<MethodId>,
    /// The machine's own method that initialises the class.
    pub(crate) preparation: OnceLock<MethodId>,
    pub(crate) array: OnceLock<ClassId>,
    /// The method that a lambda calls.
    pub implementation: OnceLock<MethodId>,
}

impl Class {
    pub(crate) fn is_interface(&self) -> bool {
        self.flags & flags::INTERFACE != 0
    }

    pub(crate) fn is_abstract(&self) -> bool {
        self.flags & flags::ABSTRACT != 0
    }

    pub(crate) fn superclass(&self) -> Option<ClassId> {
        let above = self.ancestors.len().checked_sub(2)?;
        self.ancestors.get(above).copied()
    }

    pub(crate) fn declared(&self, name: Name, descriptor: Name) -> Option<MethodId> {
        self.declared.get(&(name, descriptor)).copied()
    }

    /// All its interfaces, direct or not.
    pub fn every_interface(&self) -> &[ClassId] {
        &self.all_interfaces
    }

    /// The methods that calls on an object of this class may run.
    pub fn virtual_methods(&self) -> &[MethodId] {
        &self.vtable
    }

    /// The method that a call of `name` on an object of this class runs.
    pub(crate) fn virtual_method(&self, name: Name, descriptor: Name) -> Option<MethodId> {
        let &index = self.vtable_index.get(&(name, descriptor))?;
        self.vtable.get(index as usize).copied()
    }
}

/// A method.
pub struct Method {
    /// Its number.
    pub id: MethodId,
    /// The class that declares it.
    pub class: ClassId,
    /// Its name.
    pub name: Name,
    /// Its parameters and its result.
    pub descriptor: Name,
    pub(crate) flags: u16,
    /// Its place in the class file.
    pub(crate) member: u16,
    pub(crate) vtable_index: Option<u32>,
    pub(crate) shape: OnceLock<Shape>,
    /// What a call means to a checker, once one has asked.
    pub(crate) role: OnceLock<Role>,
    pub(crate) body: OnceLock<Body>,
}

/// What callers need to know of a method.
#[derive(Debug)]
pub struct Shape {
    /// The parameters, without the receiver.
    pub kinds: smallvec::SmallVec<[Kind; 8]>,
    /// The words of all arguments, the receiver included.
    pub(crate) words: u16,
    /// What it returns.
    pub result: Kind,
}

impl Method {
    /// Whether it has no receiver.
    pub fn is_static(&self) -> bool {
        self.flags & flags::STATIC != 0
    }

    /// Whether it holds a monitor while it runs.
    pub fn is_synchronized(&self) -> bool {
        self.flags & flags::SYNCHRONIZED != 0
    }

    pub(crate) fn is_abstract(&self) -> bool {
        self.flags & flags::ABSTRACT != 0
    }
}
