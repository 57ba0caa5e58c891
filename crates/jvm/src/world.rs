//! What does not change while a program runs: classes, methods, names, literals.
//!
//! A world only grows. Loading a class is determined by its name and has no effect on any
//! state; *initialising* one does, and is therefore recorded in states. Worlds are shared by
//! all states and threads of a search.

use std::sync::{Mutex, OnceLock, RwLock};

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::arena::Arena;
use crate::check::{Facts, Layout, Role};
use crate::classfile::{ClassFile, Constant, Malformed};
use crate::code::Body;
use crate::descriptor::{self, Kind, Signature};
use crate::known::Known;
use crate::load::{Jdk, Source};
use crate::names::{Name, Names};

/// The number of a class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct ClassId(pub(crate) u32);

/// The number of a method.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct MethodId(pub(crate) u32);

/// The number of a string literal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct LiteralId(pub(crate) u32);

/// Access flags of classes and members, as class files have them.
pub(crate) mod flags {
    pub(crate) const PUBLIC: u16 = 0x0001;
    pub(crate) const PRIVATE: u16 = 0x0002;
    pub(crate) const PROTECTED: u16 = 0x0004;
    pub(crate) const STATIC: u16 = 0x0008;
    pub(crate) const FINAL: u16 = 0x0010;
    pub(crate) const SYNCHRONIZED: u16 = 0x0020;
    pub(crate) const VOLATILE: u16 = 0x0040;
    pub(crate) const VARARGS: u16 = 0x0080;
    pub(crate) const NATIVE: u16 = 0x0100;
    pub(crate) const INTERFACE: u16 = 0x0200;
    pub(crate) const ABSTRACT: u16 = 0x0400;
    pub(crate) const SYNTHETIC: u16 = 0x1000;
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
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFound(name) => write!(f, "class {name} not found"),
            Self::Malformed(name, error) => write!(f, "class {name}: {error}"),
            Self::Circular(name) => write!(f, "class {name} is its own superclass"),
            Self::Incompatible(message) => f.write_str(message),
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
pub(crate) enum Origin {
    Library,
    Program,
    /// Made by the machine.
    Machine,
}

/// A field.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: Name,
    pub(crate) descriptor: Name,
    pub(crate) flags: u16,
    pub(crate) kind: Kind,
    /// Its place among the instance fields, or among the static ones of its class.
    pub(crate) slot: u32,
    /// The constant that a static field begins with.
    pub(crate) constant: u16,
    /// Its place in the class file.
    pub(crate) member: u16,
}

impl Field {
    pub(crate) fn is_static(&self) -> bool {
        self.flags & flags::STATIC != 0
    }
}

type Map<K, V> = HashMap<K, V, FixedState>;

/// A class.
pub(crate) struct Class {
    pub(crate) id: ClassId,
    pub(crate) name: Name,
    pub(crate) sort: Sort,
    pub(crate) origin: Origin,
    pub(crate) flags: u16,
    pub(crate) file: Option<ClassFile>,
    pub(crate) module: Name,
    /// All superclasses, from `Object` to the class itself.
    pub(crate) ancestors: Box<[ClassId]>,
    pub(crate) interfaces: Box<[ClassId]>,
    /// All interfaces, direct or not, sorted.
    pub(crate) all_interfaces: Box<[ClassId]>,
    pub(crate) fields: Box<[Field]>,
    pub(crate) instance_slots: u32,
    /// Which of the instance slots hold references.
    pub(crate) ref_slots: Box<[bool]>,
    pub(crate) static_slots: u32,
    pub(crate) methods: Box<[MethodId]>,
    declared: Map<(Name, Name), MethodId>,
    pub(crate) vtable: Box<[MethodId]>,
    vtable_index: Map<(Name, Name), u32>,
    pub(crate) initializer: Option<MethodId>,
    /// The machine's own method that initialises the class.
    pub(crate) preparation: OnceLock<MethodId>,
    pub(crate) array: OnceLock<ClassId>,
    /// What stands where in its objects, once a checker has asked.
    pub(crate) layout: OnceLock<Layout>,
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

    /// The method that a call of `name` on an object of this class runs.
    pub(crate) fn virtual_method(&self, name: Name, descriptor: Name) -> Option<MethodId> {
        let &index = self.vtable_index.get(&(name, descriptor))?;
        self.vtable.get(index as usize).copied()
    }
}

/// A method.
pub(crate) struct Method {
    pub(crate) id: MethodId,
    pub(crate) class: ClassId,
    pub(crate) name: Name,
    pub(crate) descriptor: Name,
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
pub(crate) struct Shape {
    /// The parameters, without the receiver.
    pub(crate) kinds: smallvec::SmallVec<[Kind; 8]>,
    /// The words of all arguments, the receiver included.
    pub(crate) words: u16,
    pub(crate) result: Kind,
}

impl Method {
    pub(crate) fn is_static(&self) -> bool {
        self.flags & flags::STATIC != 0
    }

    pub(crate) fn is_abstract(&self) -> bool {
        self.flags & flags::ABSTRACT != 0
    }
}

/// See the module's documentation.
pub struct World {
    pub(crate) jdk: Jdk,
    sources: Vec<Box<dyn Source>>,
    pub(crate) names: Names,
    pub(crate) classes: Arena<Class>,
    pub(crate) methods: Arena<Method>,
    by_name: RwLock<Map<Name, Result<ClassId, LoadError>>>,
    loading: Mutex<()>,
    literals: RwLock<Map<Box<[u16]>, LiteralId>>,
    literal_texts: Arena<Box<[u16]>>,
    pub(crate) known: OnceLock<Known>,
    pub(crate) natives: crate::natives::Table,
    pub(crate) raisers: Raisers,
    pub(crate) invokers: Invokers,
    /// What checkers have found out.
    pub(crate) facts: Facts,
}

impl World {
    /// A world with the library of `jdk` and the program in `sources`.
    pub fn new(jdk: Jdk, sources: Vec<Box<dyn Source>>) -> Result<Self, LoadError> {
        let natives = crate::natives::Table::new();
        let world = Self {
            jdk,
            sources,
            names: Names::new(),
            classes: Arena::new(),
            methods: Arena::new(),
            by_name: RwLock::default(),
            loading: Mutex::new(()),
            literals: RwLock::default(),
            literal_texts: Arena::new(),
            known: OnceLock::new(),
            natives,
            raisers: Raisers::default(),
            invokers: Invokers::default(),
            facts: Facts::default(),
        };
        let known = Known::find(&world)?;
        let _ = world.known.set(known);
        Ok(world)
    }

    pub(crate) fn known(&self) -> &Known {
        match self.known.get() {
            Some(known) => known,
            None => unreachable!("a world is made with what it knows"),
        }
    }

    /// The feature release of the JDK.
    pub fn version(&self) -> u32 {
        self.jdk.version()
    }

    #[inline]
    pub(crate) fn class(&self, id: ClassId) -> &Class {
        match self.classes.get(id.0) {
            Some(class) => class,
            None => unreachable!("class numbers are only made by this world"),
        }
    }

    #[inline]
    pub(crate) fn method(&self, id: MethodId) -> &Method {
        match self.methods.get(id.0) {
            Some(method) => method,
            None => unreachable!("method numbers are only made by this world"),
        }
    }

    pub(crate) fn text(&self, name: Name) -> &str {
        self.names.text(name)
    }

    pub(crate) fn class_name(&self, id: ClassId) -> &str {
        self.text(self.class(id).name)
    }

    /// The name of a method with class and descriptor, for messages.
    pub(crate) fn method_name(&self, id: MethodId) -> String {
        let method = self.method(id);
        format!(
            "{}.{}{}",
            self.class_name(method.class),
            self.text(method.name),
            self.text(method.descriptor)
        )
    }

    /// The content of a resource, wherever it is.
    pub(crate) fn resource(&self, name: &str) -> Option<Box<[u8]>> {
        self.jdk
            .find(name)
            .or_else(|| self.sources.iter().find_map(|source| source.find(name)))
    }

    pub(crate) fn shape<'w>(&'w self, method: &'w Method) -> &'w Shape {
        method.shape.get_or_init(|| {
            let kinds = descriptor::method_kinds(self.text(method.descriptor));
            let (kinds, result) = kinds.unwrap_or((smallvec::SmallVec::new(), Kind::Void));
            let receiver = u16::from(!method.is_static());
            Shape {
                words: kinds.iter().map(|kind| kind.words()).sum::<u16>() + receiver,
                result,
                kinds,
            }
        })
    }

    /// The number of a literal with this text.
    pub(crate) fn literal(&self, text: &[u16]) -> LiteralId {
        if let Some(&id) = self
            .literals
            .read()
            .unwrap_or_else(|poison| poison.into_inner())
            .get(text)
        {
            return id;
        }
        let mut literals = self
            .literals
            .write()
            .unwrap_or_else(|poison| poison.into_inner());
        if let Some(&id) = literals.get(text) {
            return id;
        }
        let id = LiteralId(self.literal_texts.push_with(|_| text.into()).unwrap_or(0));
        literals.insert(text.into(), id);
        id
    }

    pub(crate) fn literal_text(&self, id: LiteralId) -> &[u16] {
        self.literal_texts.get(id.0).map_or(&[], |text| text)
    }

    /// The class called `name` (with slashes; arrays and primitives included).
    pub(crate) fn load(&self, name: &str) -> Result<ClassId, LoadError> {
        self.load_named(self.names.intern(name))
    }

    pub(crate) fn load_named(&self, name: Name) -> Result<ClassId, LoadError> {
        if let Some(found) = self.loaded(name) {
            return found;
        }
        let _guard = self
            .loading
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        self.load_locked(name, &mut Vec::new())
    }

    /// The class called `name` if somebody has asked for it before.
    pub(crate) fn loaded(&self, name: Name) -> Option<Result<ClassId, LoadError>> {
        self.by_name
            .read()
            .unwrap_or_else(|poison| poison.into_inner())
            .get(&name)
            .cloned()
    }

    fn load_locked(&self, name: Name, pending: &mut Vec<Name>) -> Result<ClassId, LoadError> {
        if let Some(found) = self.loaded(name) {
            return found;
        }
        let text = self.text(name);
        if pending.contains(&name) || pending.len() > 200 {
            return Err(LoadError::Circular(text.to_owned()));
        }
        pending.push(name);
        let result = self.make_class(name, pending);
        pending.pop();
        if !matches!(result, Err(LoadError::Circular(_))) || pending.is_empty() {
            let mut by_name = self
                .by_name
                .write()
                .unwrap_or_else(|poison| poison.into_inner());
            by_name.insert(name, result.clone());
        }
        result
    }

    fn make_class(&self, name: Name, pending: &mut Vec<Name>) -> Result<ClassId, LoadError> {
        let text = self.text(name);
        if let Some(element) = text.strip_prefix('[') {
            if descriptor::type_length(text) != Some(text.len()) {
                return Err(LoadError::NotFound(text.to_owned()));
            }
            let element =
                self.load_locked(self.names.intern(descriptor::class_name(element)), pending)?;
            let id = self.make_array(name, element, pending)?;
            let _ = self.class(element).array.set(id);
            return Ok(id);
        }
        if let Some(&kind) = Kind::PRIMITIVES
            .iter()
            .find(|kind| kind.primitive_name() == Some(text))
        {
            return self.add_class(|id| Class {
                sort: Sort::Primitive(kind),
                flags: flags::PUBLIC | flags::FINAL | flags::ABSTRACT,
                ..self.blank(id, name)
            });
        }
        let path = format!("{text}.class");
        let (bytes, origin, module) = if let Some((module, bytes)) = self.jdk.find_in_module(&path)
        {
            (bytes, Origin::Library, self.names.intern(module))
        } else if let Some(bytes) = self.sources.iter().find_map(|source| source.find(&path)) {
            (bytes, Origin::Program, self.names.intern(""))
        } else {
            return Err(LoadError::NotFound(text.to_owned()));
        };
        self.define(name, bytes, origin, module, pending)
    }

    /// Makes a class from bytes that the program has at run time.
    pub(crate) fn define_class(
        &self,
        bytes: &[u8],
        hidden_suffix: Option<&str>,
    ) -> Result<ClassId, LoadError> {
        let _guard = self
            .loading
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        let file = ClassFile::parse(bytes.into())
            .map_err(|error| LoadError::Malformed("?".into(), error))?;
        let plain = file
            .name()
            .map_err(|error| LoadError::Malformed("?".into(), error))?
            .into_owned();
        let name = self
            .names
            .intern(&format!("{plain}{}", hidden_suffix.unwrap_or("")));
        if let Some(found) = self.loaded(name) {
            return found;
        }
        let result = self.define_file(
            name,
            file,
            Origin::Program,
            self.names.intern(""),
            &mut vec![name],
        );
        self.by_name
            .write()
            .unwrap_or_else(|poison| poison.into_inner())
            .insert(name, result.clone());
        result
    }

    fn make_array(
        &self,
        name: Name,
        element: ClassId,
        pending: &mut Vec<Name>,
    ) -> Result<ClassId, LoadError> {
        let object = self.load_locked(self.names.intern("java/lang/Object"), pending)?;
        let cloneable = self.load_locked(self.names.intern("java/lang/Cloneable"), pending)?;
        let serializable = self.load_locked(self.names.intern("java/io/Serializable"), pending)?;
        let mut interfaces = [cloneable, serializable];
        let object = self.class(object);
        let innermost = self.class(element);
        let visible = innermost.flags & (flags::PUBLIC | flags::PRIVATE | flags::PROTECTED);
        self.add_class(|id| {
            let interfaces_in_order = interfaces;
            interfaces.sort_unstable();
            Class {
                sort: Sort::Array(element),
                flags: visible | flags::FINAL | flags::ABSTRACT,
                origin: innermost.origin,
                module: innermost.module,
                ancestors: Box::new([object.id, id]),
                interfaces: Box::new(interfaces_in_order),
                all_interfaces: Box::new(interfaces),
                vtable: object.vtable.clone(),
                vtable_index: object.vtable_index.clone(),
                ..self.blank(id, name)
            }
        })
    }

    fn blank(&self, id: ClassId, name: Name) -> Class {
        Class {
            id,
            name,
            sort: Sort::Instance,
            origin: Origin::Library,
            flags: 0,
            file: None,
            module: self.names.intern("java.base"),
            ancestors: Box::new([id]),
            interfaces: Box::default(),
            all_interfaces: Box::default(),
            fields: Box::default(),
            instance_slots: 0,
            ref_slots: Box::default(),
            static_slots: 0,
            methods: Box::default(),
            declared: Map::default(),
            vtable: Box::default(),
            vtable_index: Map::default(),
            initializer: None,
            preparation: OnceLock::new(),
            array: OnceLock::new(),
            layout: OnceLock::new(),
        }
    }

    fn add_class(&self, make: impl FnOnce(ClassId) -> Class) -> Result<ClassId, LoadError> {
        let id = self.classes.push_with(|id| make(ClassId(id)));
        id.map(ClassId)
            .ok_or_else(|| LoadError::Incompatible("too many classes".to_owned()))
    }

    fn define(
        &self,
        name: Name,
        bytes: Box<[u8]>,
        origin: Origin,
        module: Name,
        pending: &mut Vec<Name>,
    ) -> Result<ClassId, LoadError> {
        let text = self.text(name);
        let broken = |error| LoadError::Malformed(text.to_owned(), error);
        let file = ClassFile::parse(bytes).map_err(broken)?;
        let own_name = file.name().map_err(broken)?;
        if own_name != text {
            return Err(LoadError::Malformed(
                text.to_owned(),
                Malformed(format!("wrong name: {own_name}")),
            ));
        }
        self.define_file(name, file, origin, module, pending)
    }

    fn define_file(
        &self,
        name: Name,
        file: ClassFile,
        origin: Origin,
        module: Name,
        pending: &mut Vec<Name>,
    ) -> Result<ClassId, LoadError> {
        let text = self.text(name);
        let broken = |error| LoadError::Malformed(text.to_owned(), error);
        let superclass = match file.super_name().map_err(broken)? {
            Some(super_name) => Some(self.load_locked(self.names.intern(&super_name), pending)?),
            None if text == "java/lang/Object" => None,
            None => return Err(broken(Malformed("no superclass".to_owned()))),
        };
        let superclass = superclass.map(|id| self.class(id));
        if let Some(superclass) = superclass
            && (superclass.is_interface() || superclass.sort != Sort::Instance)
        {
            let message = format!(
                "class {text} has interface {} as super class",
                self.text(superclass.name)
            );
            return Err(LoadError::Incompatible(message.replace('/', ".")));
        }
        let mut interfaces = Vec::new();
        for interface in file.interface_names() {
            let id = self.load_locked(self.names.intern(&interface.map_err(broken)?), pending)?;
            if !self.class(id).is_interface() {
                let message = format!(
                    "class {text} can not implement {}, because it is not an interface",
                    self.class_name(id)
                );
                return Err(LoadError::Incompatible(message.replace('/', ".")));
            }
            interfaces.push(id);
        }
        let mut all_interfaces: Vec<ClassId> = superclass
            .map(|c| c.all_interfaces.to_vec())
            .unwrap_or_default();
        for &interface in &interfaces {
            all_interfaces.push(interface);
            all_interfaces.extend_from_slice(&self.class(interface).all_interfaces);
        }
        all_interfaces.sort_unstable();
        all_interfaces.dedup();
        let (fields, instance_slots, static_slots) =
            self.make_fields(&file, superclass).map_err(broken)?;
        let inherited = superclass
            .map(|c| &c.ref_slots[..])
            .unwrap_or_default()
            .iter()
            .copied();
        let own = fields
            .iter()
            .filter(|field| !field.is_static())
            .map(|field| field.kind == Kind::Ref);
        let ref_slots = inherited.chain(own).collect();
        let mut failure = None;
        let id = self.add_class(|id| {
            let mut class = Class {
                origin,
                module,
                flags: file.flags & !flags::SYNCHRONIZED,
                interfaces: interfaces.into(),
                all_interfaces: all_interfaces.into(),
                fields,
                instance_slots,
                ref_slots,
                static_slots,
                ..self.blank(id, name)
            };
            if let Some(superclass) = superclass {
                class.ancestors = superclass.ancestors.iter().copied().chain([id]).collect();
            }
            if let Err(error) = self.make_methods(&mut class, &file, superclass) {
                failure = Some(error);
            }
            class.file = Some(file);
            class
        })?;
        match failure {
            Some(error) => Err(broken(error)),
            None => Ok(id),
        }
    }

    fn make_fields(
        &self,
        file: &ClassFile,
        superclass: Option<&Class>,
    ) -> Result<(Box<[Field]>, u32, u32), Malformed> {
        let mut instance_slots = superclass.map_or(0, |c| c.instance_slots);
        let mut static_slots = 0;
        let mut fields = Vec::with_capacity(file.fields.len());
        for (index, member) in file.fields.iter().enumerate() {
            let descriptor = file.text(member.descriptor)?;
            let kind = Kind::of(&descriptor)
                .filter(|_| descriptor::type_length(&descriptor) == Some(descriptor.len()));
            let kind =
                kind.ok_or_else(|| Malformed(format!("Field has invalid signature {descriptor}")))?;
            let is_static = member.flags & flags::STATIC != 0;
            let counter = if is_static {
                &mut static_slots
            } else {
                &mut instance_slots
            };
            let slot = *counter;
            *counter += 1;
            let constant = if is_static {
                file.attribute(member.attributes, "ConstantValue")
                    .and_then(|content| content.first_chunk())
            } else {
                None
            };
            fields.push(Field {
                name: self.names.intern(&file.text(member.name)?),
                descriptor: self.names.intern(&descriptor),
                flags: member.flags,
                kind,
                slot,
                constant: constant.map_or(0, |&bytes| u16::from_be_bytes(bytes)),
                member: index as u16,
            });
        }
        Ok((fields.into(), instance_slots, static_slots))
    }

    fn make_methods(
        &self,
        class: &mut Class,
        file: &ClassFile,
        superclass: Option<&Class>,
    ) -> Result<(), Malformed> {
        let mut vtable = superclass
            .filter(|_| !class.is_interface())
            .map(|c| c.vtable.to_vec())
            .unwrap_or_default();
        let mut index = superclass
            .filter(|_| !class.is_interface())
            .map(|c| c.vtable_index.clone())
            .unwrap_or_default();
        let mut methods = Vec::with_capacity(file.methods.len());
        for (member_index, member) in file.methods.iter().enumerate() {
            let name = self.names.intern(&file.text(member.name)?);
            let text = file.text(member.descriptor)?;
            if Signature::parse(&text).is_none() {
                return Err(Malformed(format!(
                    "Method \"{}\" has illegal signature \"{text}\"",
                    self.text(name)
                )));
            }
            let descriptor = self.names.intern(&text);
            let is_virtual = !class.is_interface()
                && member.flags & (flags::STATIC | flags::PRIVATE) == 0
                && !self.text(name).starts_with('<');
            let vtable_index = is_virtual.then(|| {
                let above = index.get(&(name, descriptor)).copied();
                let place = above.filter(|&place| self.overrides(class, vtable[place as usize]));
                place.unwrap_or_else(|| {
                    vtable.push(MethodId(0));
                    index.insert((name, descriptor), vtable.len() as u32 - 1);
                    vtable.len() as u32 - 1
                })
            });
            let id = self.add_method(|id| Method {
                id,
                class: class.id,
                name,
                descriptor,
                flags: member.flags,
                member: member_index as u16,
                vtable_index,
                shape: OnceLock::new(),
                role: OnceLock::new(),
                body: OnceLock::new(),
            });
            if let Some(place) = vtable_index {
                vtable[place as usize] = id;
            }
            if self.text(name) == "<clinit>" && (self.text(descriptor) == "()V") {
                class.initializer = Some(id);
            }
            class.declared.insert((name, descriptor), id);
            methods.push(id);
        }
        class.methods = methods.into();
        if !class.is_interface() {
            self.inherit_defaults(class, &mut vtable, &mut index);
        }
        class.vtable = vtable.into();
        class.vtable_index = index;
        Ok(())
    }

    pub(crate) fn add_method(&self, make: impl FnOnce(MethodId) -> Method) -> MethodId {
        MethodId(self.methods.push_with(|id| make(MethodId(id))).unwrap_or(0))
    }

    /// Whether a method of `class` replaces `above` (of the same name and descriptor).
    fn overrides(&self, class: &Class, above: MethodId) -> bool {
        let Some(above) = self.methods.get(above.0) else {
            return true;
        };
        above.flags & (flags::PUBLIC | flags::PROTECTED) != 0
            || package(self.text(class.name)) == package(self.class_name(above.class))
    }

    /// Gives a class the methods of its interfaces that neither it nor a superclass defines.
    fn inherit_defaults(
        &self,
        class: &Class,
        vtable: &mut Vec<MethodId>,
        index: &mut Map<(Name, Name), u32>,
    ) {
        for &interface in &class.all_interfaces {
            for &method in &self.class(interface).methods {
                let method = self.method(method);
                if method.flags & (flags::STATIC | flags::PRIVATE) != 0
                    || self.text(method.name).starts_with('<')
                {
                    continue;
                }
                let key = (method.name, method.descriptor);
                match index.get(&key) {
                    None => {
                        index.insert(key, vtable.len() as u32);
                        vtable.push(method.id);
                    }
                    Some(&place) => {
                        let present = vtable[place as usize];
                        let Some(other) = self.methods.get(present.0) else {
                            continue;
                        };
                        if other.class == class.id || !self.class(other.class).is_interface() {
                            continue;
                        }
                        let is_below = self
                            .class(interface)
                            .all_interfaces
                            .binary_search(&other.class)
                            .is_ok();
                        let is_unrelated = self
                            .class(other.class)
                            .all_interfaces
                            .binary_search(&interface)
                            .is_err();
                        if is_below
                            || (is_unrelated && other.is_abstract() && !method.is_abstract())
                        {
                            vtable[place as usize] = method.id;
                        }
                    }
                }
            }
        }
    }

    /// The class of arrays with elements of `element`.
    pub(crate) fn array_of(&self, element: ClassId) -> Result<ClassId, LoadError> {
        if let Some(&id) = self.class(element).array.get() {
            return Ok(id);
        }
        self.load(&format!(
            "[{}",
            descriptor::of_class(self.class_name(element))
        ))
    }

    /// Whether objects of `class` can be used where `target` is asked for.
    #[inline]
    pub(crate) fn is_assignable(&self, class: ClassId, target: ClassId) -> bool {
        class == target || self.is_below(class, target)
    }

    fn is_below(&self, class: ClassId, target: ClassId) -> bool {
        let class = self.class(class);
        let target = self.class(target);
        match (class.sort, target.sort) {
            (Sort::Array(from), Sort::Array(to)) => {
                let is_primitive = |id| matches!(self.class(id).sort, Sort::Primitive(_));
                from == to
                    || (!is_primitive(from) && !is_primitive(to) && self.is_assignable(from, to))
            }
            (Sort::Primitive(_), _) | (_, Sort::Primitive(_) | Sort::Array(_)) => false,
            _ if target.is_interface() => class.all_interfaces.binary_search(&target.id).is_ok(),
            _ if class.is_interface() => target.ancestors.len() == 1,
            _ => class.ancestors.get(target.ancestors.len() - 1) == Some(&target.id),
        }
    }

    /// The field `name` of `class`, wherever it is inherited from.
    pub(crate) fn find_field(
        &self,
        class: ClassId,
        name: Name,
        descriptor: Name,
    ) -> Option<(ClassId, &Field)> {
        let start = self.class(class);
        let is_it = |field: &&Field| field.name == name && field.descriptor == descriptor;
        for &ancestor in start.ancestors.iter().rev() {
            let class = self.class(ancestor);
            if let Some(field) = class.fields.iter().find(is_it) {
                return Some((ancestor, field));
            }
            for &interface in &class.all_interfaces {
                if let Some(field) = self.class(interface).fields.iter().find(is_it) {
                    return Some((interface, field));
                }
            }
        }
        None
    }

    /// The method `name` of `class`, wherever it is inherited from.
    pub(crate) fn find_method(
        &self,
        class: ClassId,
        name: Name,
        descriptor: Name,
    ) -> Option<MethodId> {
        let class = self.class(class);
        for &ancestor in class.ancestors.iter().rev() {
            if let Some(id) = self.class(ancestor).declared(name, descriptor) {
                return Some(id);
            }
        }
        let mut best: Option<&Method> = None;
        for &interface in &class.all_interfaces {
            let Some(id) = self.class(interface).declared(name, descriptor) else {
                continue;
            };
            let method = self.method(id);
            if method.flags & (flags::STATIC | flags::PRIVATE) != 0 {
                continue;
            }
            let is_better = best.is_none_or(|best| {
                self.class(interface)
                    .all_interfaces
                    .binary_search(&best.class)
                    .is_ok()
                    || (best.is_abstract()
                        && !method.is_abstract()
                        && self
                            .class(best.class)
                            .all_interfaces
                            .binary_search(&interface)
                            .is_err())
            });
            if is_better {
                best = Some(method);
            }
        }
        if let Some(method) = best {
            return Some(method.id);
        }
        if class.is_interface() {
            let object = self.loaded(self.names.intern("java/lang/Object"))?.ok()?;
            return self.class(object).declared(name, descriptor);
        }
        None
    }

    /// A method by its names, for the machine's own use.
    pub(crate) fn method_of(&self, class: &str, name: &str, descriptor: &str) -> Option<MethodId> {
        let class = self.load(class).ok()?;
        self.find_method(
            class,
            self.names.intern(name),
            self.names.intern(descriptor),
        )
    }

    /// The slot of an instance field, for the machine's own use.
    pub(crate) fn slot_of(&self, class: ClassId, name: &str) -> Option<u32> {
        let name = self.names.intern(name);
        let ancestors = &self.class(class).ancestors;
        ancestors.iter().rev().find_map(|&ancestor| {
            let fields = &self.class(ancestor).fields;
            fields
                .iter()
                .find(|field| field.name == name && !field.is_static())
                .map(|field| field.slot)
        })
    }

    /// The slot in the class's mirror of a static field, for the machine's own use.
    pub(crate) fn static_slot_of(&self, class: ClassId, name: &str) -> Option<u32> {
        let name = self.names.intern(name);
        let field = self
            .class(class)
            .fields
            .iter()
            .find(|field| field.name == name && field.is_static())?;
        Some(self.static_slot(field))
    }

    /// Static fields stand behind the instance fields of `Class` in the class's mirror.
    pub(crate) fn static_slot(&self, field: &Field) -> u32 {
        self.known().class_slots + field.slot
    }

    /// A class that the machine makes: `methods` are given with their bodies.
    pub(crate) fn make_synthetic(
        &self,
        name: &str,
        superclass: ClassId,
        interfaces: &[ClassId],
        slots: &[Kind],
        static_slots: u32,
        methods: Vec<(Name, Name, u16, Body)>,
    ) -> Result<ClassId, LoadError> {
        let _guard = self
            .loading
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        let name = self.names.intern(name);
        let parent = self.class(superclass);
        let mut all_interfaces = parent.all_interfaces.to_vec();
        for &interface in interfaces {
            all_interfaces.push(interface);
            all_interfaces.extend_from_slice(&self.class(interface).all_interfaces);
        }
        all_interfaces.sort_unstable();
        all_interfaces.dedup();
        let id = self.add_class(|id| {
            let mut class = Class {
                origin: Origin::Machine,
                module: self.names.intern(""),
                flags: flags::FINAL | flags::SYNTHETIC,
                ancestors: parent.ancestors.iter().copied().chain([id]).collect(),
                interfaces: interfaces.into(),
                all_interfaces: all_interfaces.into(),
                instance_slots: parent.instance_slots + slots.len() as u32,
                ref_slots: parent
                    .ref_slots
                    .iter()
                    .copied()
                    .chain(slots.iter().map(|&kind| kind == Kind::Ref))
                    .collect(),
                static_slots,
                ..self.blank(id, name)
            };
            let mut vtable = parent.vtable.to_vec();
            let mut index = parent.vtable_index.clone();
            let mut ids = Vec::new();
            for (method_name, descriptor, method_flags, body) in methods {
                let is_virtual = method_flags & flags::STATIC == 0;
                let place = is_virtual.then(|| {
                    *index.entry((method_name, descriptor)).or_insert_with(|| {
                        vtable.push(MethodId(0));
                        vtable.len() as u32 - 1
                    })
                });
                let method = self.add_method(|method| Method {
                    id: method,
                    class: id,
                    name: method_name,
                    descriptor,
                    flags: method_flags,
                    member: u16::MAX,
                    vtable_index: place,
                    shape: OnceLock::new(),
                    role: OnceLock::new(),
                    body: OnceLock::from(body),
                });
                if let Some(place) = place {
                    vtable[place as usize] = method;
                }
                class.declared.insert((method_name, descriptor), method);
                ids.push(method);
            }
            class.methods = ids.into();
            self.inherit_defaults(&class, &mut vtable, &mut index);
            class.vtable = vtable.into();
            class.vtable_index = index;
            class
        })?;
        self.by_name
            .write()
            .unwrap_or_else(|poison| poison.into_inner())
            .insert(name, Ok(id));
        Ok(id)
    }

    /// The text of a constant, for reflection.
    pub(crate) fn constant_text(&self, class: &Class, index: u16) -> Option<String> {
        let file = class.file.as_ref()?;
        match file.constant(index).ok()? {
            Constant::Utf8 { .. } => file.text(index).ok().map(|text| text.into_owned()),
            Constant::Class(name) => file.text(name).ok().map(|text| text.into_owned()),
            _ => None,
        }
    }

    /// The bytecodes in methods that have been called, by number.
    pub fn bytecodes_called(&self) -> std::collections::BTreeSet<u8> {
        let mut found = std::collections::BTreeSet::new();
        for id in 0..self.methods.len() {
            let Some(method) = self.methods.get(id) else {
                continue;
            };
            let Some(Body::Code(_)) = method.body.get() else {
                continue;
            };
            let Some(file) = &self.class(method.class).file else {
                continue;
            };
            let Some(member) = file.methods.get(method.member as usize) else {
                continue;
            };
            let Ok(Some(attribute)) = file.code(member) else {
                continue;
            };
            let mut at = 0;
            while let Ok(decoded) = crate::code::decode(attribute.code, at) {
                found.insert(attribute.code[at as usize]);
                found.insert(decoded.opcode as u8);
                at = decoded.next;
            }
        }
        found
    }

    /// The outermost class of the nest that a class belongs to.
    pub(crate) fn nest_host(&self, id: ClassId) -> ClassId {
        let class = self.class(id);
        let host = class.file.as_ref().and_then(|file| {
            let content = file.attribute(file.attributes, "NestHost")?;
            let index = u16::from_be_bytes(*content.first_chunk()?);
            self.load(&file.class_name(index).ok()?).ok()
        });
        host.unwrap_or(id)
    }
}

/// The package of a class: its name up to the last slash.
pub(crate) fn package(name: &str) -> &str {
    name.rfind('/').map_or("", |end| &name[..end])
}

/// The machine's methods that throw exceptions, by class and whether there is a message.
#[derive(Default)]
pub(crate) struct Raisers(RwLock<Map<(ClassId, bool), MethodId>>);

impl Raisers {
    pub(crate) fn find(&self, class: ClassId, has_message: bool) -> Option<MethodId> {
        self.0
            .read()
            .unwrap_or_else(|poison| poison.into_inner())
            .get(&(class, has_message))
            .copied()
    }

    pub(crate) fn insert(&self, class: ClassId, has_message: bool, method: MethodId) -> MethodId {
        let mut raisers = self.0.write().unwrap_or_else(|poison| poison.into_inner());
        *raisers.entry((class, has_message)).or_insert(method)
    }
}

/// The machine's methods that call through method handles, by what they do.
#[derive(Default)]
pub(crate) struct Invokers(RwLock<Map<String, MethodId>>);

impl Invokers {
    pub(crate) fn find(&self, key: &str) -> Option<MethodId> {
        self.0
            .read()
            .unwrap_or_else(|poison| poison.into_inner())
            .get(key)
            .copied()
    }

    pub(crate) fn insert(&self, key: String, method: MethodId) -> MethodId {
        *self
            .0
            .write()
            .unwrap_or_else(|poison| poison.into_inner())
            .entry(key)
            .or_insert(method)
    }
}
